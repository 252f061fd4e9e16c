//! "If the last flow slips by a year": the last of the flows comes later than it is listed.
//!
//! Knows whole years; any other delay stays in the question and is asked about.

use std::ops::Range;

use crate::flows::amounts::Schedule;
use crate::flows::cues::{number, word};
use crate::words::scan::{Shape, Token};

/// By how many years the last flow comes later, and the words that say so.
pub(super) fn told(tokens: &[Token]) -> Option<(usize, Range<usize>)> {
    let at = (0..tokens.len()).find(|at| delays(word(tokens, *at)))?;
    let from = (1..=6)
        .map_while(|back| at.checked_sub(back))
        .take_while(|at| {
            number(tokens, *at).is_none() && !tokens.get(*at).is_some_and(|token| token.is_mark('.'))
        })
        .find(|at| matches!(word(tokens, *at), "last" | "final"))?;
    let mut to = at + 1;
    while matches!(word(tokens, to), "by" | "back" | "only" | "just") {
        to += 1;
    }
    let years = if matches!(word(tokens, to), "a" | "one" | "another") && word(tokens, to + 1) == "year" {
        to += 2;
        1
    } else {
        let given = number(tokens, to).filter(|number| {
            number.shape == Shape::Years
                && number.value.fract() == 0.0
                && (1.0..=30.0).contains(&number.value)
        })?;
        to += 1;
        given.value as usize
    };
    if matches!(word(tokens, to), "later") {
        to += 1;
    }
    Some((years, from..to))
}

fn delays(word: &str) -> bool {
    matches!(
        word,
        "slips" | "slip" | "slipped" | "delayed" | "postponed" | "pushed" | "deferred" | "late"
    )
}

/// Puts the last flow so many years later.
pub(super) fn shift(schedule: &mut Schedule, years: usize) {
    let series = &mut schedule.series;
    if series.per_year > 1 {
        schedule
            .doubts
            .push("In which month does the last flow fall then? Please give the flows anew.".to_owned());
        return;
    }
    if let Some(last) = series.flows.pop() {
        series.flows.extend(std::iter::repeat_n(0.0, years));
        series.flows.push(last);
        schedule.remarks.push(format!(
            "The last flow is taken {years} {} later than it is listed.",
            if years == 1 { "year" } else { "years" }
        ));
    }
}
