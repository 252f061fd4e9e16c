//! What a model of the semantic layer is made of. A model is a view over the portfolio that people query by names:
//! measures, dimensions and segments, each with what it means. Knows no table; `models/` are the models.

use crate::db::args::Sql;
use crate::portfolio::semantic::dates::Granularity;

/// A view that can be queried.
#[derive(Debug)]
pub struct Model {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    /// What one row of it is.
    pub grain: &'static str,
    /// The rows, as the alias `t`; every base table in it is a [`Piece::Base`].
    pub rows: &'static [Piece],
    /// False for the model of buildings, whose rows are the buildings themselves.
    pub joins_buildings: bool,
    /// How its snapshot measures stand in time.
    pub standing: Standing,
    pub default_time: Option<&'static str>,
    /// SQL of the currency of a row.
    pub currency: &'static str,
    pub measures: &'static [Measure],
    pub dimensions: &'static [Dimension],
    pub segments: &'static [Segment],
}

/// A piece of the rows' SQL.
#[derive(Debug)]
pub enum Piece {
    Sql(Sql),
    /// A base table, read through the server's own filters: `(SELECT … WHERE org_id = … AND … IN (…)) AS alias`.
    Base(Base),
    /// The day the rows stand at.
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

/// A table or view with `org_id`, and the column that says of which building a row is.
#[derive(Debug)]
pub struct Base {
    pub table: &'static str,
    pub alias: &'static str,
    /// Absent for what is of no building, and is only reached from a row that is.
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
pub enum Standing {
    /// Rows of different days add up, or there are none.
    Adds,
    /// Each row is a snapshot of its month: only one month may be counted. Holds the column of the month.
    ByMonth(&'static str),
    /// Snapshots of things at days of their own: of each thing its latest row counts.
    Latest {
        /// What is the thing, and its day.
        of: &'static str,
        day: &'static str,
    },
    /// All rows stand at one day, which the query may name by the time dimension `as_of`.
    AsOf,
}

/// A number over rows.
#[derive(Debug)]
pub struct Measure {
    pub name: &'static str,
    pub title: &'static str,
    pub definition: &'static str,
    pub formula: Formula,
    pub unit: Unit,
    /// True where rows of different days must not be added.
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

/// How it is computed from rows; expressions are whole numbers unless cast.
#[derive(Clone, Copy, Debug)]
pub enum Formula {
    Count,
    /// How many different ones there are.
    Different(&'static str),
    Sum(&'static str),
    /// Sum over sum, never an average of ratios.
    Ratio(&'static str, &'static str),
}

/// What a measure's number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Count,
    /// Whole minor units of the row's currency inside, major units outside.
    Money,
    /// Money for one unit, one square foot: as money, with a fraction of a cent where it is small.
    MoneyPer(&'static str),
    /// Hundredths of a square foot inside.
    Area,
    /// Hundredths of a square foot for one unit.
    AreaPer(&'static str),
    /// A fraction: 0.95 is 95 %.
    Share,
    /// A fraction kept in millionths.
    Rate,
    /// How many times.
    Multiple,
    Years,
    Months,
}

impl Unit {
    /// Measures of money are never summed over currencies, and neither are their ratios.
    pub const fn is_money(self) -> bool {
        matches!(self, Self::Money | Self::MoneyPer(_))
    }
}

/// What rows can be grouped and filtered by.
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
    /// A whole number kept with this many decimals.
    Number(u32),
    Boolean,
    /// A day.
    Day,
    /// A month, kept as its first day.
    Month,
    /// The day that all rows stand at: named by a range, and nothing else.
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

/// Short forms in which the models are written.
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

/// As [`measure`], of what must not be added over time.
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

/// As [`dimension`], where the databases' words differ.
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
