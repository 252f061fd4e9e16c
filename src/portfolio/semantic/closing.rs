//! Selects the snapshot rows that count: occupancy, balances and values of different days must not be added
//! up.

use chrono::NaiveDate;

use crate::portfolio::semantic::dates::{Days, Granularity};
use crate::portfolio::semantic::model::OverTime;
use crate::portfolio::semantic::query::{Condition, Dim, Group, Query};

/// What the data covers.
#[derive(Clone, Copy, Debug)]
pub struct Covered {
    /// The last day of the data.
    pub as_of: NaiveDate,
    /// The first and the last month with snapshots of units.
    pub first_month: NaiveDate,
    pub last_month: NaiveDate,
}

/// How to select the rows that count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Closing {
    /// All rows count.
    Every,
    /// Only rows of these months count.
    Months(Vec<NaiveDate>),
    /// The latest rows that pass the filters count, determined in the statement for the whole range or per
    /// bucket.
    Ranked,
}

pub fn of(query: &Query, covered: Option<Covered>) -> Closing {
    match query.model.over_time {
        OverTime::Adds | OverTime::AsOf => Closing::Every,
        OverTime::Latest { .. } => {
            if query.measures.iter().any(|one| one.of.snapshot) || filters_snapshots(&query.sums) {
                Closing::Ranked
            } else {
                Closing::Every
            }
        }
        OverTime::ByMonth(_) => {
            let bucket = bucket(query);
            match bucket.map(|group| group.granularity) {
                // Each month is a bucket of its own.
                Some(None | Some(Granularity::Day | Granularity::Week | Granularity::Month)) => {
                    Closing::Every
                }
                _ if query.rows.iter().any(|condition| tests_time(condition, query)) => Closing::Ranked,
                granularity => Closing::Months(months(query, covered, granularity.flatten())),
            }
        }
    }
}

/// The time column that the query groups by, if any.
pub fn bucket(query: &Query) -> Option<&Group> {
    let time = query.model.default_time?;
    query
        .groups
        .iter()
        .find(|group| group.dimension.of.name == time && belongs(group.dimension, query))
}

/// The intersection of the query's ranges on the model's own time.
pub fn range(query: &Query) -> Option<Days> {
    let time = query.model.default_time?;
    let own = query
        .ranges
        .iter()
        .filter(|range| range.dimension.of.name == time && belongs(range.dimension, query))
        .map(|range| range.days);
    own.reduce(|one, other| Days {
        first: one.first.max(other.first),
        last: one.last.min(other.last),
    })
}

/// Whether the dimension belongs to the query's own model, and not to buildings with a dimension of the same
/// name.
fn belongs(dimension: Dim, query: &Query) -> bool {
    dimension.name.split('.').next() == Some(query.model.name)
}

fn tests_time(condition: &Condition<Dim>, query: &Query) -> bool {
    match condition {
        Condition::All(every) | Condition::Any(every) => every.iter().any(|one| tests_time(one, query)),
        Condition::Leaf(dimension, _) => {
            Some(dimension.of.name) == query.model.default_time && belongs(*dimension, query)
        }
    }
}

fn filters_snapshots(sums: &[Condition<&'static crate::portfolio::semantic::model::Measure>]) -> bool {
    sums.iter().any(|condition| match condition {
        Condition::All(every) | Condition::Any(every) => filters_snapshots(every),
        Condition::Leaf(measure, _) => measure.snapshot,
    })
}

/// The last month with data in the range, or in each of its buckets.
fn months(query: &Query, covered: Option<Covered>, granularity: Option<Granularity>) -> Vec<NaiveDate> {
    let Some(covered) = covered else { return Vec::new() };
    let asked = range(query);
    let first = asked.map_or(covered.first_month, |days| days.first.max(covered.first_month));
    let last = asked.map_or(covered.last_month, |days| days.last.min(covered.last_month));
    let mut found: Vec<NaiveDate> = Vec::new();
    let mut month = Some(Granularity::Month.start(last)).filter(|_| first <= last);
    while let Some(at) = month.filter(|at| *at >= Granularity::Month.start(first)) {
        found.push(at);
        // Without buckets, one month is enough. Otherwise the month before this bucket is the last of the
        // next one.
        month = granularity
            .and_then(|granularity| Some(Granularity::Month.start(granularity.start(at).pred_opt()?)));
    }
    found.reverse();
    found
}
