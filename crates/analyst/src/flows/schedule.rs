//! Amounts of a question as cash flows by year: which go out, which come in, and when.
//!
//! Places every amount or says why it cannot; never guesses a sign or a year. Knows no rates.

use crate::flows::amounts::{Amount, Schedule, amounts};
use crate::flows::cues::{Cue, word};
use crate::flows::timing::{group_size, timing};

use crate::words::scan::{Sign, Token};

/// Longer series are files, not questions.
const MOST_FLOWS: usize = 600;

/// Reads the schedule. `rates` are tokens that are rates and not flows.
///
/// `timeless`: only the sums of what goes out and what comes in matter, so several outflows need no years.
pub(crate) fn read(tokens: &[Token], rates: &[usize], timeless: bool) -> Schedule {
    let mut schedule = Schedule::default();
    let mut amounts = amounts(tokens, rates, &mut schedule);
    schedule.amounts = amounts.len();
    if amounts.is_empty() {
        return schedule;
    }
    let mut durations = timing(tokens, &mut amounts, &mut schedule);
    if !schedule.doubts.is_empty() {
        return schedule;
    }
    signs(tokens, &mut amounts, timeless, &mut schedule);
    place(tokens, &amounts, timeless, &mut schedule);
    let periods = schedule
        .series
        .flows
        .len()
        .saturating_sub(usize::from(!schedule.series.late));
    let size = |group: usize| amounts.iter().filter(|amount| amount.group == group).count();
    durations.retain(|years| {
        let groups = amounts.iter().any(|amount| size(amount.group) == *years);
        !groups && *years != periods
    });
    if let Some(years) = durations.first() {
        schedule.doubts.push(format!(
            "You speak of {years} years, but the flows given cover a different number."
        ));
    }
    schedule
}

/// Makes outflows negative.
fn signs(tokens: &[Token], amounts: &mut [Amount], timeless: bool, schedule: &mut Schedule) {
    let explicit = amounts
        .iter()
        .any(|amount| matches!(amount.sign, Sign::Minus | Sign::Brackets));
    if explicit {
        for amount in amounts.iter_mut() {
            match amount.sign {
                Sign::Minus | Sign::Brackets => amount.value = -amount.value,
                Sign::None
                    if amount.cue == Cue::Out && amount.group > 1 && group_signless(amount, explicit) => {}
                _ => {}
            }
        }
        return;
    }
    let groups: Vec<usize> = amounts.iter().map(|amount| amount.group).collect();
    let mut out_seen = false;
    for (index, group) in groups.iter().enumerate() {
        let size = groups.iter().filter(|other| *other == group).count();
        let Some(amount) = amounts.get_mut(index) else {
            continue;
        };
        match amount.cue {
            Cue::Out if size > 1 && !timeless => {
                schedule
                    .doubts
                    .push("Which of the amounts go out and which come in?".to_owned());
                return;
            }
            Cue::Out if out_seen && amount.year.is_none() && !timeless => {
                schedule
                    .doubts
                    .push("In which year is the second outflow?".to_owned());
                return;
            }
            Cue::Out => {
                amount.value = -amount.value;
                out_seen = true;
            }
            Cue::In | Cue::None => {}
        }
    }
    if !out_seen && today(tokens) && amounts.len() > 1 {
        schedule.series.unsigned = true;
    }
}

/// A flow is said to fall today.
fn today(tokens: &[Token]) -> bool {
    !empty_today(tokens)
        && tokens
            .iter()
            .any(|token| matches!(token.word(), "today" | "now" | "close" | "closing" | "upfront"))
}

/// "nothing today", "no flow today": said outright that the first flow is a year away.
fn empty_today(tokens: &[Token]) -> bool {
    (0..tokens.len()).any(|at| {
        matches!(word(tokens, at), "nothing" | "none" | "no")
            && (1..=3)
                .any(|ahead| matches!(word(tokens, at + ahead), "today" | "now" | "upfront" | "closing"))
    })
}

fn group_signless(amount: &Amount, explicit: bool) -> bool {
    explicit && amount.sign == Sign::None
}

/// Puts the amounts on the time line.
fn place(tokens: &[Token], amounts: &[Amount], timeless: bool, schedule: &mut Schedule) {
    let first_out = amounts.first().is_some_and(|amount| amount.value < 0.0) || schedule.series.unsigned;
    let mut flows: Vec<f64> = Vec::new();
    // The year of the latest flow; before the first inflow of a pure income stream it is 0.
    let mut cursor: Option<usize> = if first_out {
        None
    } else {
        amounts.first().filter(|a| a.repeats.is_some()).map(|_| 0)
    };
    let mut after_stream = false;
    for amount in amounts {
        let repeats = amount.repeats.unwrap_or(1);
        let ends =
            amount.sale && after_stream && amount.year.is_none() && group_size(amounts, amount.group) == 1;
        let list_before = amounts.iter().any(|other| {
            other.token < amount.token && other.group != amount.group && group_size(amounts, other.group) > 1
        });
        if !timeless
            && amount.sale
            && amount.year.is_none()
            && list_before
            && group_size(amounts, amount.group) == 1
        {
            schedule
                .doubts
                .push("Does the sale fall in the year of the last flow, or a year later?".to_owned());
            return;
        }
        if amount.adds && amount.repeats.is_some() {
            schedule
                .doubts
                .push("In which years does each of the added amounts fall?".to_owned());
            return;
        }
        let labelled = amounts
            .iter()
            .any(|other| other.token < amount.token && other.year.is_some());
        if !timeless && amount.sale && !amount.adds && amount.year.is_none() && labelled && !after_stream {
            schedule
                .doubts
                .push("Does the sale fall in the year of the last flow, or a year later?".to_owned());
            return;
        }
        let year = match (amount.year, cursor) {
            (Some(year), _) => year,
            (None, Some(last)) if amount.adds => last,
            (None, Some(last)) if ends => {
                schedule.remarks.push(format!(
                    "The sale is taken at the end of year {last}, with the last annual flow."
                ));
                last
            }
            (None, Some(last)) => last + 1,
            (None, None) => 0,
        };
        if year + repeats > MOST_FLOWS {
            schedule
                .doubts
                .push("That is a longer series than I handle.".to_owned());
            return;
        }
        if flows.len() < year + repeats {
            flows.resize(year + repeats, 0.0);
        }
        for flow in flows.iter_mut().skip(year).take(repeats) {
            *flow += amount.value;
        }
        cursor = Some((year + repeats - 1).max(cursor.unwrap_or(0)));
        after_stream = amount.repeats.is_some();
    }
    let starts_later =
        amounts.iter().all(|amount| amount.year != Some(0)) && flows.first() == Some(&0.0) && flows.len() > 1;
    if starts_later {
        flows.remove(0);
        schedule.series.late = true;
    }
    let phrase = |words: &[&str]| {
        (0..tokens.len()).any(|at| {
            words
                .iter()
                .enumerate()
                .all(|(n, expected)| word(tokens, at + n) == *expected)
        })
    };
    let spreadsheet = tokens.iter().any(|token| token.word() == "excel")
        || phrase(&["npv", "function"])
        || phrase(&["end", "of", "period"]);
    let year_end = ["year", "years"].into_iter().any(|year| {
        phrase(&[year, "end"])
            || phrase(&["end", "of", "each", year])
            || phrase(&["end", "of", "every", year])
            || phrase(&[year, "ends"])
    });
    let (now, empty) = (today(tokens), empty_today(tokens));
    let all_late = empty && amounts.iter().all(|amount| amount.year.is_none());
    if (spreadsheet && !now) || all_late {
        schedule.series.late = true;
    } else if year_end
        && !schedule.series.late
        && !now
        && amounts.first().is_some_and(|amount| amount.year.is_none())
    {
        schedule
            .doubts
            .push("Is the first flow today, or at the end of the first year?".to_owned());
    }
    schedule.series.flows = flows;
}
