//! Leases that have not begun on the day a question is about, and those that have ended by then: who counts on a day.
//!
//! Computes nothing.

use std::collections::HashSet;

use chrono::NaiveDate;

use crate::sheets::asked::Measure;
use crate::sheets::finding::Open;
use crate::sheets::sources::Sheet;
use crate::sheets::words::Words;
use tables::headers::Field;
use tables::tenancy::{Space, State, Tenancy};

/// Rows of leases that begin after a day: they have no remaining term on it, and no rent in place.
pub(crate) fn later(
    sheet: &Sheet,
    tenancy: &mut Tenancy,
    measures: &[Measure],
    day: Option<NaiveDate>,
) -> HashSet<usize> {
    let dated = measures
        .iter()
        .any(|measure| matches!(measure, Measure::LeaseTerm | Measure::Expirations));
    let (Some(day), Some(starts)) = (day, sheet.table.column(Field::StartDate).filter(|_| dated)) else {
        return HashSet::new();
    };
    let later: Vec<&Space> = tenancy
        .spaces
        .iter()
        .filter(|space| space.state == State::Occupied)
        .filter(|space| {
            sheet
                .table
                .rows
                .get(space.row)
                .and_then(|row| sheet.table.date(row, starts))
                .is_some_and(|start| start.date > day)
        })
        .collect();
    if later.is_empty() {
        return HashSet::new();
    }
    let names: Vec<&str> = later.iter().map(|space| space.name()).collect();
    let remark = format!("Not begun on {day}, and left out: {}.", names.join(", "));
    let rows = later.iter().map(|space| space.row).collect();
    tenancy.remarks.push(remark);
    rows
}

/// A share of the rents in place: where a lease has ended before the day, its tenant may be gone or held over.
pub(crate) fn ended(tenancy: &Tenancy, later: &HashSet<usize>, day: Option<NaiveDate>) -> Result<(), Open> {
    let Some(day) = day else { return Ok(()) };
    let ended: Vec<&str> = tenancy
        .spaces
        .iter()
        .filter(|space| space.state == State::Occupied && !later.contains(&space.row))
        .filter(|space| !space.month_to_month && space.end.is_some_and(|end| end < day))
        .map(Space::name)
        .collect();
    if ended.is_empty() {
        return Ok(());
    }
    Err(Open::because(format!(
        "The table has leases that ended before {day} ({}). Do these tenants still pay, or should their rows not count? Please \
         send the table as it was on that day.",
        ended.join(", ")
    )))
}

/// "What percent of the units expires": the empty ones have no lease, so it is not clear of what.
pub(crate) fn of_units(words: &Words) -> bool {
    let share = [
        "percent",
        "percentage",
        "share",
        "proportion",
        "fraction",
        "portion",
    ];
    let unit = ["unit", "apartment", "flat", "suite", "space", "home"];
    (0..words.all.len()).any(|at| {
        share.contains(&words.stem_at(at))
            && words.stem_at(at + 1) == "of"
            && (unit.contains(&words.stem_at(at + 2))
                || matches!(words.stem_at(at + 2), "the" | "our" | "all" | "my")
                    && unit.contains(&words.stem_at(at + 3)))
    })
}
