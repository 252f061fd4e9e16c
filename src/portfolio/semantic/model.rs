//! The building blocks of a model in the semantic layer. A model is a view of the portfolio that people query
//! by name: measures, dimensions and segments, each with its meaning. The models themselves are in `models/`.

use crate::db::args::Sql;
use crate::portfolio::semantic::dates::Granularity;

/// A view that can be queried.
#[derive(Debug)]
pub struct Model {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    /// What one row represents.
    pub grain: &'static str,
    /// The rows, under the alias `t`. Every base table in them is a [`Piece::Base`].
    pub rows: &'static [Piece],
    /// False for the model of buildings, whose rows are the buildings themselves.
    pub joins_buildings: bool,
    /// How its snapshot measures relate to time.
    pub over_time: OverTime,
    pub default_time: Option<&'static str>,
    /// SQL expression for the currency of a row.
    pub currency: &'static str,
    pub measures: &'static [Measure],
    pub dimensions: &'static [Dimension],
    pub segments: &'static [Segment],
}

/// A piece of the SQL for the rows.
#[derive(Debug)]
pub enum Piece {
    Sql(Sql),
    /// A base table, read through the access filters: `(SELECT … WHERE org_id = … AND … IN (…)) AS alias`.
    Base(Base),
    /// The date that the rows are as of.
    AsOf,
    /// Pieces that several models share.
    Group(&'static [Piece]),
}

pub const fn sql(both: &'static str) -> Piece {
    Piece::Sql(Sql::both(both))
}

pub const fn each(sqlite: &'static str, postgres: &'static str) -> Piece {
    Piece::Sql(Sql::each(sqlite, postgres))
}

/// A table or view with `org_id`, and the column that names the building of a row.
#[derive(Debug)]
pub struct Base {
    pub table: &'static str,
    pub alias: &'static str,
    /// Absent for rows that belong to no building and are only reached from a row that does.
    pub building: Option<&'static str>,
}

pub const fn base(table: &'static str, alias: &'static str) -> Piece {
    Piece::Base(Base {
        table,
        alias,
        building: Some("building_id"),
    })
}

pub const fn of_no_building(table: &'static str, alias: &'static str) -> Piece {
    Piece::Base(Base {
        table,
        alias,
        building: None,
    })
}

/// How rows of different days relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverTime {
    /// Rows of different days add up, or there is only one day.
    Adds,
    /// Each row is a snapshot of its month, so only one month may count. Contains the column of the month.
    ByMonth(&'static str),
    /// Snapshots taken at different days: the latest row of each item counts.
    Latest {
        /// Columns of the item and of its day.
        of: &'static str,
        day: &'static str,
    },
    /// All rows are as of one day, which the query may set with the time dimension `as_of`.
    AsOf,
}

/// A number computed from rows.
#[derive(Debug)]
pub struct Measure {
    pub name: &'static str,
    pub title: &'static str,
    pub definition: &'static str,
    pub formula: Formula,
    pub unit: Unit,
    /// Whether rows of different days must not be added up.
    pub snapshot: bool,
}

impl Measure {
    pub fn additivity(&self) -> &'static str {
        match self.formula {
            Formula::Ratio(..) => "ratio",
            Formula::Sum(_) | Formula::Count | Formula::Different(_) if self.snapshot => "last_period",
            Formula::Sum(_) | Formula::Count | Formula::Different(_) => "additive",
        }
    }
}

/// How the number is computed from rows. Expressions are integers unless cast.
#[derive(Clone, Copy, Debug)]
pub enum Formula {
    Count,
    /// The number of distinct values.
    Different(&'static str),
    Sum(&'static str),
    /// A sum divided by a sum, never an average of ratios.
    Ratio(&'static str, &'static str),
}

/// The unit of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Count,
    /// Minor units of the row's currency in the database, major units in answers.
    Money,
    /// Money per unit or per square foot. As money, with a fraction of a cent for small amounts.
    MoneyPer(&'static str),
    /// Hundredths of a square foot in the database.
    Area,
    /// Hundredths of a square foot per unit.
    AreaPer(&'static str),
    /// A fraction: 0.95 is 95 %.
    Share,
    /// A fraction stored in millionths.
    Rate,
    /// A factor, such as 1.25 times.
    Multiple,
    Years,
    Months,
}

impl Unit {
    /// Whether the measure is money. Money and ratios of money are never summed over currencies.
    pub const fn is_money(self) -> bool {
        matches!(self, Self::Money | Self::MoneyPer(_))
    }
}

/// A property that rows can be grouped and filtered by.
#[derive(Debug)]
pub struct Dimension {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub kind: Kind,
    pub sql: Sql,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    /// An integer that represents a number with this many decimals.
    Number(u32),
    Boolean,
    /// A day.
    Day,
    /// A month, stored as its first day.
    Month,
    /// The date that all rows are as of. It can only be set with a range.
    AsOf,
}

impl Kind {
    pub const fn is_time(self) -> bool {
        matches!(self, Self::Day | Self::Month | Self::AsOf)
    }

    pub const fn granularities(self) -> &'static [Granularity] {
        use Granularity::{Day, Month, Quarter, Week, Year};
        match self {
            Self::Day => &[Day, Week, Month, Quarter, Year],
            Self::Month => &[Month, Quarter, Year],
            Self::Text | Self::Number(_) | Self::Boolean | Self::AsOf => &[],
        }
    }
}

/// A named filter.
#[derive(Debug)]
pub struct Segment {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub sql: &'static str,
}

/// Constructors that keep the definitions of the models short.
pub const fn measure(
    name: &'static str,
    title: &'static str,
    unit: Unit,
    formula: Formula,
    definition: &'static str,
) -> Measure {
    Measure {
        name,
        title,
        definition,
        formula,
        unit,
        snapshot: false,
    }
}

/// Like [`measure`], for numbers that must not be added over time.
pub const fn snapshot(
    name: &'static str,
    title: &'static str,
    unit: Unit,
    formula: Formula,
    definition: &'static str,
) -> Measure {
    Measure {
        snapshot: true,
        ..measure(name, title, unit, formula, definition)
    }
}

pub const fn dimension(
    name: &'static str,
    title: &'static str,
    kind: Kind,
    both: &'static str,
    description: &'static str,
) -> Dimension {
    Dimension {
        name,
        title,
        description,
        kind,
        sql: Sql::both(both),
    }
}

/// Like [`dimension`], with separate SQL for each database.
pub const fn dimension_each(
    name: &'static str,
    title: &'static str,
    kind: Kind,
    sql: Sql,
    description: &'static str,
) -> Dimension {
    Dimension {
        name,
        title,
        description,
        kind,
        sql,
    }
}

pub const fn segment(
    name: &'static str,
    title: &'static str,
    sql: &'static str,
    description: &'static str,
) -> Segment {
    Segment {
        name,
        title,
        description,
        sql,
    }
}
