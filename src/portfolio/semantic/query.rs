//! A validated query: names are resolved, values are typed, and limits are checked. Independent of how the
//! query was written and how it runs.

use chrono::NaiveDate;
use chrono_tz::Tz;

use crate::portfolio::semantic::dates::{Days, Granularity};
use crate::portfolio::semantic::model::{Dimension, Measure, Model, Segment};

/// Limits on the size of a query.
pub const MAX_MEASURES: usize = 10;
pub const MAX_DIMENSIONS: usize = 8;
pub const MAX_LEAVES: usize = 20;
pub const MAX_DEPTH: usize = 3;
pub const MAX_VALUES: usize = 200;
pub const MAX_BUCKETS: usize = 120;
pub const MAX_ROWS: i64 = 1_000;
pub const DEFAULT_ROWS: i64 = 100;
pub const MAX_OFFSET: i64 = 1_000_000;
/// Maximum length of a text value, in characters.
pub const LONGEST_VALUE: usize = 1_000;

/// A valid query.
#[derive(Debug)]
pub struct Query {
    pub model: &'static Model,
    pub measures: Vec<Chosen<&'static Measure>>,
    /// The groups, in the order in which the query names them.
    pub groups: Vec<Group>,
    pub segments: Vec<Chosen<&'static Segment>>,
    /// Filters on rows.
    pub rows: Vec<Condition<Dim>>,
    /// Filters on sums.
    pub sums: Vec<Condition<&'static Measure>>,
    pub ranges: Vec<Range>,
    pub order: Vec<Order>,
    pub limit: i64,
    pub offset: i64,
    pub total: bool,
    pub format: Format,
    /// The requested date, for a model whose rows are as of one day.
    pub as_of: Option<NaiveDate>,
}

/// A member with the full name that it has in answers.
#[derive(Clone, Copy, Debug)]
pub struct Chosen<T> {
    pub name: &'static str,
    pub of: T,
}

/// A dimension with its full name.
pub type Dim = Chosen<&'static Dimension>;

#[derive(Debug)]
pub struct Group {
    /// The key in answers: the full name, with the granularity if the query used it in the name.
    pub key: String,
    pub dimension: Dim,
    pub granularity: Option<Granularity>,
    /// Whether the group was named under `timeDimensions`.
    pub timed: bool,
}

impl Group {
    /// Whether the group has a granularity. Without one, days and months are grouped as stored.
    pub fn bucketed(&self) -> bool {
        self.granularity.is_some()
    }
}

/// The range of a time dimension.
#[derive(Debug)]
pub struct Range {
    pub dimension: Dim,
    pub days: Days,
    /// Whether the requested days were extended to whole months.
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

/// A filter on what `T` names.
#[derive(Debug)]
pub enum Condition<T> {
    All(Vec<Condition<T>>),
    Any(Vec<Condition<T>>),
    Leaf(T, Test),
}

/// The test that a value must pass.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// Equal to one of these, or to none of them. Rows without a value pass the negation.
    In {
        values: Vec<Value>,
        negated: bool,
    },
    Compare(Comparison, Value),
    /// Contains, starts with or ends with one of these lower-case texts, or with none of them.
    Like {
        form: Form,
        texts: Vec<String>,
        negated: bool,
    },
    /// Whether there is a value.
    Set(bool),
    /// Within one of these ranges, or in none of them.
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

/// A value to bind.
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

/// The settings about time that the rest of the query depends on: the reference point of phrases, and today's
/// date.
#[derive(Clone, Copy, Debug)]
pub struct TimeSettings {
    pub from_today: bool,
    pub zone: Tz,
}
