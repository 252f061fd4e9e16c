//! A query as the rest of the layer sees it: every name resolved, every value typed, every bound held.
//! Knows neither how it was written nor how it is run.

use chrono::NaiveDate;
use chrono_tz::Tz;

use crate::portfolio::semantic::dates::{Days, Granularity};
use crate::portfolio::semantic::model::{Dimension, Measure, Model, Segment};

/// What may be asked at once.
pub const MOST_MEASURES: usize = 10;
pub const MOST_DIMENSIONS: usize = 8;
pub const MOST_LEAVES: usize = 20;
pub const MOST_DEPTH: usize = 3;
pub const MOST_VALUES: usize = 200;
pub const MOST_BUCKETS: usize = 120;
pub const MOST_ROWS: i64 = 1_000;
pub const DEFAULT_ROWS: i64 = 100;
pub const MOST_OFFSET: i64 = 1_000_000;
/// Longest text of a value, in characters.
pub const LONGEST_VALUE: usize = 1_000;

/// A valid query.
#[derive(Debug)]
pub struct Query {
    pub model: &'static Model,
    pub measures: Vec<Chosen<&'static Measure>>,
    /// What rows are grouped by, in the order in which it was named.
    pub groups: Vec<Group>,
    pub segments: Vec<Chosen<&'static Segment>>,
    /// Over rows.
    pub rows: Vec<Condition<Dim>>,
    /// Over sums.
    pub sums: Vec<Condition<&'static Measure>>,
    pub ranges: Vec<Range>,
    pub order: Vec<Order>,
    pub limit: i64,
    pub offset: i64,
    pub total: bool,
    pub format: Format,
    /// The day named for a model whose rows stand at one.
    pub as_of: Option<NaiveDate>,
}

/// A member under the full name it has in answers.
#[derive(Clone, Copy, Debug)]
pub struct Chosen<T> {
    pub name: &'static str,
    pub of: T,
}

/// A dimension with its full name.
pub type Dim = Chosen<&'static Dimension>;

#[derive(Debug)]
pub struct Group {
    /// The key in answers: the full name, with the granularity where it was named so.
    pub key: String,
    pub dimension: Dim,
    pub granularity: Option<Granularity>,
    /// Named under `timeDimensions`.
    pub timed: bool,
}

impl Group {
    /// The granularity under which it is grouped, for a time dimension; days and months as they are kept.
    pub fn bucketed(&self) -> bool {
        self.granularity.is_some()
    }
}

/// What a time dimension is limited to.
#[derive(Debug)]
pub struct Range {
    pub dimension: Dim,
    pub days: Days,
    /// Whether the asker's days were widened to whole months.
    pub widened: bool,
}

#[derive(Debug)]
pub struct Order {
    pub by: By,
    pub descending: bool,
}

/// A column of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    Group(usize),
    Measure(usize),
}

/// A filter over what `T` names.
#[derive(Debug)]
pub enum Condition<T> {
    All(Vec<Condition<T>>),
    Any(Vec<Condition<T>>),
    Leaf(T, Test),
}

/// What a value has to be.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// One of these; or none of them, which rows without a value pass too.
    In {
        values: Vec<Value>,
        negated: bool,
    },
    Compare(Comparison, Value),
    /// Texts that contain, begin or end with one of these, in lower case; or with none of them.
    Like {
        form: Form,
        texts: Vec<String>,
        negated: bool,
    },
    /// Whether there is a value at all.
    Set(bool),
    /// Within one of these; or none of them.
    Within {
        days: Vec<Days>,
        negated: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Less,
    LessOrEqual,
    More,
    MoreOrEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Contains,
    Starts,
    Ends,
}

/// A value to be bound.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(String),
    Number(f64),
    Boolean(bool),
    Day(NaiveDate),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    #[default]
    Default,
    Compact,
    Columnar,
}

/// What a query says about time before anything else of it is read: from where words count, and where today is.
#[derive(Clone, Copy, Debug)]
pub struct Clockwork {
    pub from_today: bool,
    pub zone: Tz,
}
