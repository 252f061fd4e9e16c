//! Weighted lease terms to the first break: where a lease can be broken its term ends there, otherwise at its expiry.
//!
//! Computes nothing itself: the table is seen with other ends.

use chrono::NaiveDate;

use crate::sheets::attempt::{self, Attempt};
use crate::sheets::finding::{Outcome, merged};
use crate::sheets::retold::tokens::{self, Token};
use crate::sheets::sources::Sheet;
use crate::words::among::among;
use tables::headers::{self, Field};
use tables::kind::Kind;
use tables::table::Table;

/// The words for it, those that say more first.
const TO_BREAK: &[&str] = &[
    "to the earlier of break or expiry",
    "to the earlier of break and expiry",
    "to the earlier of the break or expiry",
    "to the earlier of the break and expiry",
    "to the earlier of expiry and break",
    "to the earlier of expiry or break",
    "to earlier of break or expiry",
    "to earlier of break and expiry",
    "to break or expiry whichever is earlier",
    "to break or expiry",
    "to the first tenant break",
    "to first tenant break",
    "to the first break",
    "to the earliest break",
    "to earliest break",
    "to first break",
    "to next break",
    "to the next break",
    "to the break",
    "to tenant break",
    "to break",
];
const OTHERWISE: &[&str] = &[
    "where there's no break run it to expiry",
    "where there is no break run it to expiry",
    "where there's no break use expiry",
    "where there is no break use expiry",
    "where there is no break use the expiry",
    "where there's no break use the expiry",
    "where there's no break take the expiry",
    "where there is no break take the expiry",
    "or expiry if there is none",
    "or expiry where there is none",
    "or expiry if none",
    "or to expiry where there is none",
    "expiry where there is no break",
    "or expiry",
];

/// A sentence of these says what holds where there is no break.
const OTHERWISE_WORDS: &str = "where there is there's no none without a the break breaks option lease leases tenant use take run runs \
     it its to expiry expires end date if for those that have has with go goes uses just then";

/// "All occupiers have breaks": tells what the table holds.
const EVERY_BREAK: &str =
    "all every each of the them occupiers tenants tenant leases lease have has a break breaks option options";

/// The answer, if a term to the break is asked for and the table has the breaks.
pub(crate) fn answer(sheet: &Sheet, all: &[Token], today: NaiveDate) -> Option<Outcome> {
    if !matches!(sheet.kind, Kind::RentRoll | Kind::Leases) {
        return None;
    }
    let mut all = all.to_vec();
    let asked = TO_BREAK
        .iter()
        .any(|phrase| tokens::replace(&mut all, phrase, ""));
    if !asked {
        return None;
    }
    tokens::leave_out(&mut all, tokens::sentence_end, |all, start, end| {
        let words = tokens::words(all, start, end);
        let says = words.iter().all(|word| among(EVERY_BREAK, word));
        let otherwise = start > 0
            && words
                .iter()
                .any(|word| matches!(*word, "no" | "none" | "without"))
            && words
                .iter()
                .any(|word| word.starts_with("expir") || *word == "end")
            && words.iter().all(|word| among(OTHERWISE_WORDS, word));
        otherwise || says && end < all.len()
    });
    tokens::strike(&mut all, OTHERWISE);
    for phrase in ["and to expiry", "and to lease expiry", "and to lease end"] {
        let Some((at, length)) = tokens::find(&all, phrase, 0) else {
            continue;
        };
        tokens::remove(&mut all, at, length);
        let expiry = term(sheet, &all, today)?;
        let broken = term(&seen(sheet)?, &all, today)?;
        return merged([Ok(named(broken, "break")), Ok(named(expiry, "expiry"))].into_iter()).ok();
    }
    let mut outcome = term(&seen(sheet)?, &all, today)?;
    for finding in outcome
        .findings
        .iter_mut()
        .filter(|finding| finding.unit == "years")
    {
        finding.label.push_str(" to the first break");
    }
    outcome
        .remarks
        .push("Terms run to the first break, and to the expiry where a lease has none.".to_owned());
    Some(outcome)
}

fn term(sheet: &Sheet, all: &[Token], today: NaiveDate) -> Option<Outcome> {
    match attempt::of(sheet, &tokens::text(all), today) {
        Attempt::Answer(outcome)
            if outcome
                .findings
                .iter()
                .all(|finding| matches!(finding.unit, "years" | "months")) =>
        {
            Some(outcome)
        }
        _ => None,
    }
}

fn named(mut outcome: Outcome, to: &str) -> Outcome {
    for finding in &mut outcome.findings {
        finding.name = format!("wault_to_{to}");
        finding.label.push_str(if to == "break" {
            " to the first break"
        } else {
            " to expiry"
        });
    }
    outcome
}

/// The sheet with the earlier of break and expiry for the end of each lease.
fn seen(sheet: &Sheet) -> Option<Sheet> {
    let table = &sheet.table;
    let end = table.column(Field::EndDate)?;
    let breaks: Vec<usize> = (0..table.columns.len())
        .filter(|at| *at != end)
        .filter(|at| {
            headers::words(table.header(*at))
                .iter()
                .any(|word| matches!(word.as_str(), "break" | "breaks" | "bo"))
        })
        .filter(|at| table.data().any(|row| table.date(row, *at).is_some()))
        .collect();
    let [own] = breaks.as_slice() else { return None };
    let unsure = |at: usize| table.columns.get(at).is_none_or(|column| column.ambiguous);
    if unsure(end) || unsure(*own) {
        return None;
    }
    let mut turned: Table = table.clone();
    for (row, old) in turned.rows.iter_mut().zip(&table.rows) {
        let text = table.text(old, *own).trim();
        let nothing = matches!(
            text.to_lowercase().as_str(),
            "" | "-" | "–" | "none" | "n/a" | "na" | "no break" | "nil"
        );
        let found = table.date(old, *own);
        if found.is_none() && !nothing {
            return None;
        }
        let earlier = match (found, table.date(old, end)) {
            (Some(first), Some(last)) => first.date < last.date,
            (Some(_), None) => true,
            _ => false,
        };
        if earlier
            && let Some(first) = found
            && end < row.cells.len()
        {
            row.cells.set(end, &first.date.to_string());
        }
    }
    Some(sheet.with(turned))
}
