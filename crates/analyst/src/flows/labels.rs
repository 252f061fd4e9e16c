//! Years that are named by their number: "year 3", "years 1 to 5", "years 1, 3 and 4", "yr1".
//!
//! Knows no amounts.

use crate::flows::cues::{back, mark, number, unit, word};
use crate::flows::when::{Found, Moment};
use crate::words::scan::{Number, Per, Shape, Token};

/// "year 3", "years 1 to 5", "years 1, 3 and 4", "year ends 1-4", "yr1".
pub(crate) fn labels(tokens: &[Token], at: usize) -> Option<Found> {
    let glued = |text: &str| {
        ["year", "yr", "y"].iter().find_map(|stem| {
            let digits = text.strip_prefix(stem)?;
            digits.parse::<usize>().ok().filter(|year| *year <= 100)
        })
    };
    if let Some(year) = glued(word(tokens, at)) {
        return Some((placed(tokens, at, vec![year], false), Per::Year, at + 1));
    }
    let ends = unit(word(tokens, at)).is_some()
        && (matches!(word(tokens, at + 1), "ends" | "end") || mark(tokens, at + 1, '-'));
    let first = if ends && number(tokens, at + 2).is_some() {
        at + 2
    } else if ends && matches!(word(tokens, at + 2), "end" | "ends") {
        at + 3
    } else {
        at
    };
    let start = number(tokens, first)?;
    let plain = |number: &Number| {
        number.short
            && number.value.fract() == 0.0
            && number.value <= 600.0
            && !number.dollars
            && !number.scaled
    };
    let per = match start.shape {
        Shape::YearLabel => Per::Year,
        Shape::MonthLabel => Per::Month,
        Shape::Plain if first > at && plain(start) => Per::Year,
        _ => return None,
    };
    let plural = first > at || back(tokens, first, 3).any(|word| matches!(word, "years" | "yrs" | "months"));
    let mut years = vec![start.value as usize];
    let mut next = first + 1;
    let mut ranged = false;
    loop {
        let to = matches!(word(tokens, next), "to" | "through" | "thru" | "until") || mark(tokens, next, '-');
        let comma = usize::from(mark(tokens, next, ','));
        let and = usize::from(word(tokens, next + comma) == "and");
        let beside = if to { next + 1 } else { next + comma + and };
        if beside == next {
            break;
        }
        let Some(other) = number(tokens, beside).filter(|other| plain(other)) else {
            break;
        };
        let last = years.last().copied().unwrap_or(0);
        let value = other.value as usize;
        let labelled = matches!(other.shape, Shape::YearLabel | Shape::MonthLabel);
        let fits = value > last && (labelled || (plural && other.shape == Shape::Plain));
        // "year 1, year 2" names its noun again and is no row.
        if !fits || (!to && !plural) {
            break;
        }
        if to {
            years.extend(last + 1..=value);
            ranged = true;
        } else {
            years.push(value);
        }
        next = beside + 1;
    }
    Some((placed(tokens, first, years, ranged), per, next))
}

/// "from year 3" and "at the start of year 3" are other moments than "in year 3".
fn placed(tokens: &[Token], at: usize, years: Vec<usize>, ranged: bool) -> Moment {
    let lead: Vec<&str> = back(tokens, at, 4)
        .take_while(|word| {
            matches!(
                *word,
                "year"
                    | "years"
                    | "yr"
                    | "of"
                    | "in"
                    | "the"
                    | "from"
                    | "starting"
                    | "beginning"
                    | "start"
                    | "commencing"
                    | "after"
                    | "until"
                    | "till"
                    | "before"
                    | "by"
            )
        })
        .collect();
    let begins = lead.iter().any(|word| matches!(*word, "beginning" | "start"));
    if lead
        .iter()
        .any(|word| matches!(*word, "until" | "till" | "before" | "after"))
    {
        return Moment::Unclear;
    }
    if begins && lead.contains(&"of") {
        return Moment::At(years.iter().map(|year| year.saturating_sub(1)).collect());
    }
    match years.as_slice() {
        [only]
            if !ranged
                && (begins
                    || lead
                        .iter()
                        .any(|word| matches!(*word, "from" | "starting" | "commencing"))) =>
        {
            Moment::From(*only)
        }
        _ => Moment::At(years),
    }
}
