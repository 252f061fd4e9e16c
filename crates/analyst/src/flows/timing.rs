//! When the amounts of a series fall: durations, "in year 2", "for 8 years", "in years 1 to 5".
//!
//! Knows no signs; an amount whose year is not clear is a doubt.

use crate::flows::amounts::{Amount, Schedule};
use crate::flows::cues::word;
use crate::words::scan::{Shape, Token};

/// Gives amounts their years. Returns the durations that still have to fit the series.
pub(crate) fn timing(tokens: &[Token], amounts: &mut [Amount], schedule: &mut Schedule) -> Vec<usize> {
    let mut loose: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some(number) = tokens.get(at).and_then(Token::number) else {
            at += 1;
            continue;
        };
        let whole = number.value.fract() == 0.0 && (0.0..=200.0).contains(&number.value);
        let years = number.value as usize;
        match number.shape {
            Shape::Years if !whole => schedule.doubts.push("I handle whole years only.".to_owned()),
            // "nothing for two years": flows of nought that nobody listed.
            Shape::Years
                if (1..=3).any(|back| {
                    at.checked_sub(back)
                        .is_some_and(|at| matches!(word(tokens, at), "nothing" | "none" | "nil" | "zero"))
                }) =>
            {
                schedule
                    .doubts
                    .push("Please number the years of the flows, those without any too.".to_owned());
            }
            Shape::Years if matches!(word(tokens, at + 1), "from" | "later" | "out" | "hence") => {
                // "sold six years later at 910,000": the amount follows.
                let ahead = matches!(word(tokens, at + 2), "at" | "for")
                    && tokens.get(at + 3).is_some_and(|next| next.number().is_some());
                let chosen = if ahead {
                    amounts.iter_mut().find(|amount| amount.token == at + 3)
                } else {
                    amounts.iter_mut().rfind(|amount| amount.token < at)
                };
                match chosen {
                    Some(amount) => amount.year = Some(years),
                    None => schedule
                        .doubts
                        .push("I could not tell which amount comes later.".to_owned()),
                }
            }
            Shape::Years => {
                let near = |amount: &Amount| at - amount.token <= 6;
                let lead = word(tokens, at.saturating_sub(1));
                let ends = matches!(lead, "in" | "after")
                    .then(|| later(tokens, amounts, at))
                    .flatten();
                if let Some(index) = ends {
                    if let Some(amount) = amounts.get_mut(index) {
                        amount.year = Some(years);
                    }
                } else if let Some(amount) =
                    amounts
                        .iter_mut()
                        .rfind(|amount| amount.token < at)
                        .filter(|amount| {
                            (amount.each || (lead == "for" && near(amount))) && amount.repeats.is_none()
                        })
                {
                    amount.repeats = Some(years);
                } else if let Some(amount) = amounts
                    .iter_mut()
                    .find(|amount| amount.token > at && amount.each && amount.repeats.is_none())
                {
                    amount.repeats = Some(years);
                } else {
                    loose.push(years);
                }
            }
            Shape::YearLabel if whole => {
                let second = tokens
                    .get(at + 2)
                    .and_then(Token::number)
                    .filter(|next| next.shape == Shape::YearLabel);
                if let Some(last) = row(tokens, at) {
                    let end = tokens
                        .get(last)
                        .and_then(Token::number)
                        .map_or(years, |last| last.value as usize);
                    range(amounts, at, years, end, schedule);
                    at = last;
                } else if let Some(end) = second {
                    range(amounts, at, years, end.value as usize, schedule);
                    at += 2;
                } else {
                    label(tokens, amounts, at, years, schedule);
                }
            }
            Shape::Months | Shape::MonthLabel | Shape::PaymentLabel => {
                schedule
                    .doubts
                    .push("I handle annual flows only so far.".to_owned());
            }
            _ => {}
        }
        at += 1;
    }
    // "600k a year, sold at the end of year 5": what recurs does so until the sale.
    let sold = amounts
        .iter()
        .filter(|amount| amount.sale)
        .find_map(|amount| amount.year);
    let open = amounts
        .iter()
        .filter(|amount| amount.each && amount.repeats.is_none())
        .count();
    if let Some(years) = sold.filter(|years| open == 1 && *years > 0)
        && let Some(amount) = amounts
            .iter_mut()
            .find(|amount| amount.each && amount.repeats.is_none() && amount.year.is_none() && !amount.sale)
    {
        amount.year = Some(1);
        amount.repeats = Some(years);
    }
    if amounts
        .iter()
        .any(|amount| amount.each && amount.repeats.is_none() && group_size(amounts, amount.group) <= 2)
    {
        schedule
            .doubts
            .push("For how many years does the annual amount recur?".to_owned());
    }
    loose
}

/// "in years 2, 3 and 4": the token of the last year of a row of years that follow each other.
fn row(tokens: &[Token], from: usize) -> Option<usize> {
    let label = |at: usize| {
        tokens
            .get(at)
            .and_then(Token::number)
            .filter(|number| number.shape == Shape::YearLabel)
            .map(|number| number.value)
    };
    let mut last = from;
    let mut commas = 0;
    loop {
        let comma = tokens.get(last + 1).is_some_and(|token| token.is_mark(','));
        let and = word(tokens, last + 1 + usize::from(comma)) == "and";
        let next = last + 1 + usize::from(comma) + usize::from(and);
        if next == last + 1 || label(next) != label(last).map(|year| year + 1.0) {
            break;
        }
        commas += usize::from(comma);
        last = next;
    }
    (last > from && commas > 0).then_some(last)
}

/// "get 1.5m back in 5 years": the single amount right before, if it comes in.
fn later(tokens: &[Token], amounts: &[Amount], at: usize) -> Option<usize> {
    let index = amounts.iter().rposition(|amount| amount.token < at)?;
    let amount = amounts.get(index)?;
    let between = tokens.get(amount.token + 1..at)?;
    let close = between.iter().all(|piece| {
        matches!(
            piece.word(),
            "in" | "after" | "back" | "out" | "again" | "received" | "due"
        )
    });
    (close && !amount.each && amount.year.is_none() && group_size(amounts, amount.group) == 1)
        .then_some(index)
}

pub(crate) fn group_size(amounts: &[Amount], group: usize) -> usize {
    amounts.iter().filter(|amount| amount.group == group).count()
}

/// "in years 1 to 5" for the list beside it, or one amount in each of them.
fn range(amounts: &mut [Amount], at: usize, from: usize, to: usize, schedule: &mut Schedule) {
    let count = (to + 1).saturating_sub(from);
    let before = amounts
        .iter()
        .rfind(|amount| amount.token < at)
        .map(|amount| amount.group);
    let after = amounts
        .iter()
        .find(|amount| amount.token > at)
        .map(|amount| amount.group);
    // "10m, 600k a year, years 1-10": the annual amount right before.
    if let Some(amount) = amounts
        .iter_mut()
        .rfind(|amount| amount.token < at)
        .filter(|amount| amount.each && amount.repeats.is_none() && amount.year.is_none())
        && count > 0
    {
        amount.year = Some(from);
        amount.repeats = Some(count);
        return;
    }
    for group in [before, after].into_iter().flatten() {
        let size = group_size(amounts, group);
        if size == count && count > 0 {
            for (n, amount) in amounts
                .iter_mut()
                .filter(|amount| amount.group == group)
                .enumerate()
            {
                amount.year = Some(from + n);
            }
            return;
        }
        if size == 1
            && let Some(amount) = amounts
                .iter_mut()
                .find(|amount| amount.group == group && amount.each)
        {
            amount.year = Some(from);
            amount.repeats = Some(count);
            return;
        }
    }
    schedule
        .doubts
        .push("The number of amounts does not fit the years named.".to_owned());
}

/// "year 2: 15k" or "15k in year 2".
fn label(tokens: &[Token], amounts: &mut [Amount], at: usize, year: usize, schedule: &mut Schedule) {
    let joins = |piece: &Token, ahead: bool| {
        matches!(
            piece.word(),
            "year"
                | "back"
                | "out"
                | "again"
                | "of"
                | "the"
                | "end"
                | "at"
                | "in"
                | "for"
                | "on"
                | "yr"
                | "during"
                | "to"
                | "by"
                | "exit"
                | "sale"
                | "sold"
                | "received"
                | "proceeds"
        ) || piece.is_mark('(')
            || (ahead
                && (piece.is_mark(':')
                    || piece.is_mark('=')
                    || piece.is_mark(')')
                    || matches!(piece.word(), "is" | "we" | "get" | "a" | "sale" | "it")))
    };
    let next = amounts.iter().position(|amount| {
        amount.token > at
            && tokens
                .get(at + 1..amount.token)
                .unwrap_or_default()
                .iter()
                .all(|piece| joins(piece, true))
    });
    let previous = amounts.iter().rposition(|amount| {
        amount.token < at
            && tokens
                .get(amount.token + 1..at)
                .unwrap_or_default()
                .iter()
                .all(|piece| joins(piece, false))
    });
    let chosen = match (previous, next) {
        (Some(previous), Some(next)) => {
            // Labels that precede their amounts have taken the earlier amount already.
            let free = amounts.get(previous).is_some_and(|amount| amount.year.is_none());
            Some(if free { previous } else { next })
        }
        (one, other) => one.or(other),
    };
    match chosen.and_then(|index| amounts.get_mut(index)) {
        Some(amount) if amount.year.is_none() => amount.year = Some(year),
        _ => schedule
            .doubts
            .push(format!("I could not tell which amount belongs to year {year}.")),
    }
}
