//! Flows with calendar dates written in the question: every XIRR, XNPV.

use chrono::NaiveDate;
use serde_json::json;

use crate::contract::draft::Input;
use crate::flows::cues::{Cue, cue_in};
use crate::forms::words::Words;
use crate::lists::calendar;
use crate::plan::outcome::Ask;
use crate::say::format;
use crate::say::written::{Read, Written, figure, input};
use crate::words::asides::DATE;
use crate::words::scan::{Shape, Sign};
use finance::dated::{Dated, xirr_roots, xnpv};

/// The day of a value, and the dates of the flows.
type ValuedOn = (NaiveDate, Vec<(usize, Option<NaiveDate>)>);

pub(crate) fn read(words: &Words) -> Read {
    let dates = calendar::dates(words);
    let value = words.has(&["xnpv", "npv", "worth"]) || words.says(&["present value", "net present value"]);
    let rate = words.has(&["xirr", "irr", "return", "annualised", "annualized", "yield"]);
    (dates.len() >= 2 && (value || rate) && !words.has(&["attached", "file"]))
        .then(|| settle(words, &dates, value))
}

fn settle(words: &Words, dates: &[(usize, Option<NaiveDate>)], value: bool) -> Result<Written, Ask> {
    let mut percents = Vec::new();
    let mut amounts = Vec::new();
    for at in words.numbers() {
        let Some(number) = words.number(at) else { continue };
        let unclear = Ask::because(format!("I could not tell what “{}” stands for.", words.said(at)));
        match number.shape {
            // "two receipts": how many there are.
            _ if number.spelled
                && number.value <= 12.0
                && matches!(
                    words.word(at + 1),
                    "receipts" | "payments" | "flows" | "amounts" | "installments" | "instalments"
                ) => {}
            _ if number.doubtful || number.foreign => return Err(unclear),
            Shape::Percent => percents.push(number.value / 100.0),
            Shape::Money | Shape::Plain => amounts.push(at),
            _ => return Err(unclear),
        }
    }
    let (day, dates) = match valued_on(words, dates).filter(|_| value && dates.len() == amounts.len() + 1) {
        Some((day, others)) => (Some(day), others),
        None => (None, dates.to_vec()),
    };
    let dates = dates.as_slice();
    if amounts.len() != dates.len() {
        return Err(Ask::because("Please give one date for each amount."));
    }
    let mut flows: Vec<Dated> = Vec::new();
    let remarks: Vec<String> = calendar::order(words).map(str::to_owned).into_iter().collect();
    let date_first = dates.first().map(|(at, _)| *at) < amounts.first().copied();
    let turned = turned(words, &amounts, dates);
    let mut before: Option<f64> = None;
    for (index, (at, (place, date))) in amounts.iter().zip(dates).enumerate() {
        let date = date.ok_or_else(|| {
            Ask::because(format!(
                "I cannot read the date “{}”. Please write all dates in one order.",
                words.said(*place)
            ))
        })?;
        // In turn: each amount beside its own date.
        let ordered = if date_first { place < at } else { at < place };
        let next = amounts.get(index + 1).copied().unwrap_or(usize::MAX);
        if !turned && (!ordered || (!date_first && *place > next)) {
            return Err(Ask::because(
                "Please give each amount right beside its date, in the same order throughout.",
            ));
        }
        let sign = match sign(words, &amounts, dates, index, before) {
            // "What are two receipts worth …": what has a worth is received, where nothing says that it is paid.
            Err(_)
                if day.is_some()
                    && (words.has(&["worth"]) || words.says(&["present value"]))
                    && !words.says(&["net present value"])
                    && !pays(words) =>
            {
                1.0
            }
            said => said?,
        };
        before = Some(sign);
        let number = words.number(*at).map_or(0.0, |number| number.value);
        flows.push((date, sign * number));
    }
    let inputs: Vec<Input> = flows
        .iter()
        .map(|(date, amount)| input(format!("flow_{date}"), *amount, "USD"))
        .collect();
    let rows = flows
        .iter()
        .map(|(date, amount)| vec![date.to_string(), format::money(*amount)])
        .collect();
    let mut written = if value {
        let [rate] = percents.as_slice() else {
            return Err(Ask {
                reasons: Vec::new(),
                missing: vec![finance::variable::Variable::DiscountRate],
            });
        };
        present(*rate, &flows, inputs, day)?
    } else {
        if !percents.is_empty() {
            return Err(Ask::because("I could not tell what the percentage stands for."));
        }
        returns(&flows, inputs)?
    };
    written.head = vec!["Date", "Flow"];
    written.rows = rows;
    written.remarks = remarks;
    Ok(written)
}

/// "Bought on Jan 15 2024 for 640,000. Received 38,000 on Nov 1 2024": each sentence has an order of its own, and every
/// amount stands beside its date.
fn turned(words: &Words, amounts: &[usize], dates: &[(usize, Option<NaiveDate>)]) -> bool {
    let mut first: Option<bool> = None;
    let mut end = 0;
    amounts.iter().zip(dates).all(|(at, (place, _))| {
        let (from, to) = if at < place { (*at, *place) } else { (*place, *at) };
        let stop = |at: usize| words.mark(at, '.') || words.mark(at, ';');
        let dated = place < at;
        // The order changes only where a sentence ends.
        let kept = first == Some(dated) || first.is_none() || (end..from).any(stop);
        let beside = from >= end && to - from <= 12 && !(from..to).any(stop);
        first = Some(dated);
        end = to;
        kept && beside
    })
}

/// Minus for money out: written, or said by the words around the amount.
fn sign(
    words: &Words,
    amounts: &[usize],
    dates: &[(usize, Option<NaiveDate>)],
    index: usize,
    before: Option<f64>,
) -> Result<f64, Ask> {
    let unclear =
        || Ask::because("Please write amounts that go out with a minus sign, for instance -50,000.");
    let at = amounts.get(index).copied().ok_or_else(unclear)?;
    let written = amounts.iter().any(|at| {
        words
            .number(*at)
            .is_some_and(|number| matches!(number.sign, Sign::Minus | Sign::Brackets))
    });
    if let Some(number) = words.number(at)
        && written
    {
        return Ok(if matches!(number.sign, Sign::Minus | Sign::Brackets) {
            -1.0
        } else {
            1.0
        });
    }
    let stands = |place: usize| amounts.contains(&place) || dates.iter().any(|(date, _)| *date == place);
    // What stands before the amount begins behind the date or the amount before it.
    let start = (0..at)
        .rev()
        .find(|place| stands(*place))
        .map_or(0, |place| place + 1);
    let from = (0..at)
        .rev()
        .find(|place| amounts.contains(place))
        .map_or(0, |place| place + 1);
    let to = (at + 1..words.tokens.len())
        .find(|place| stands(*place))
        .unwrap_or(words.tokens.len());
    let cue = |from: usize, to: usize| words.tokens.get(from..to).map_or(Cue::None, cue_in);
    // "2023-01-10: 500,000 invested. 2024-01-10: 60,000 back": what ends the entry before says nothing of this one.
    let own = start > from;
    let clause = (from..start)
        .rev()
        .find(|place| {
            ['.', ';', ','].iter().any(|mark| words.mark(*place, *mark))
                || matches!(words.word(*place), "and" | "then")
        })
        .map_or(from, |place| place + 1);
    let end = (at + 1..to)
        .find(|place| ['.', ';'].iter().any(|mark| words.mark(*place, *mark)))
        .unwrap_or(to);
    let behind = cue(at + 1, if own { end } else { to });
    let ahead = match cue(start, at) {
        Cue::None if own && behind == Cue::None => cue(clause, start),
        said => said,
    };
    match (ahead, behind, before) {
        (Cue::Out, _, _) => Ok(-1.0),
        (Cue::In, _, _) => Ok(1.0),
        (Cue::None, Cue::Out, _) => Ok(-1.0),
        (Cue::None, Cue::In, _) => Ok(1.0),
        // Only a plain list goes on as it began: "a capital call of 40k" is something else.
        (Cue::None, Cue::None, Some(sign)) if plain(words, from, at) && plain(words, at + 1, to) => Ok(sign),
        // "… and 731,000 at payoff on Apr 30" goes on with what is received.
        (Cue::None, Cue::None, Some(sign))
            if sign > 0.0
                && plain(words, from, at)
                && matches!(words.word(at + 1), "at" | "on" | "upon")
                && matches!(
                    words.word(at + 2),
                    "payoff" | "maturity" | "exit" | "sale" | "closing" | "redemption"
                )
                && plain(words, at + 3, to) =>
        {
            Ok(sign)
        }
        _ => Err(unclear()),
    }
}

/// No word that could say what the amount is.
fn plain(words: &Words, from: usize, to: usize) -> bool {
    (from..to).all(|at| {
        matches!(
            words.word(at),
            "" | "and"
                | "on"
                | "then"
                | "at"
                | "in"
                | "of"
                | "the"
                | "a"
                | "another"
                | "by"
                | "again"
                | "for"
                | "to"
                | DATE
        )
    })
}

/// "worth on February 1, 2026", "as of January 1": the day of the value, and the dates that are left for the amounts.
fn valued_on(words: &Words, dates: &[(usize, Option<NaiveDate>)]) -> Option<ValuedOn> {
    let led = |at: usize| {
        let word = |back: usize| at.checked_sub(back).map_or("", |at| words.word(at));
        match (word(2), word(1)) {
            ("as", "of" | "at") | ("worth", "on" | "at" | "by" | "as") => true,
            ("back" | "discounted" | "value" | "valued", "to" | "on" | "at") => true,
            _ => word(3) == "worth" && word(2) == "as" && word(1) == "of",
        }
    };
    let days: Vec<usize> = dates.iter().map(|(at, _)| *at).filter(|at| led(*at)).collect();
    let [only] = days.as_slice() else { return None };
    let day = dates.iter().find(|(at, _)| at == only)?.1?;
    Some((day, dates.iter().filter(|(at, _)| at != only).copied().collect()))
}

/// A word of paying stands somewhere.
fn pays(words: &Words) -> bool {
    cue_in(words.tokens) == Cue::Out
        || (0..words.tokens.len()).any(|at| words.tokens.get(at..=at).map_or(Cue::None, cue_in) == Cue::Out)
}

fn present(rate: f64, flows: &[Dated], inputs: Vec<Input>, day: Option<NaiveDate>) -> Result<Written, Ask> {
    let first = flows.iter().map(|(date, _)| *date).min();
    if let Some(day) = day
        && first.is_some_and(|first| first < day)
    {
        return Err(Ask::because(
            "Some of the flows fall before the day of the value. On which day should they be valued?",
        ));
    }
    let mut dated = flows.to_vec();
    dated.extend(day.map(|day| (day, 0.0)));
    let value = xnpv(rate, &dated).map_err(|fault| Ask::because(fault.sentence()))?;
    if let Some(day) = day.filter(|day| first.is_some_and(|first| first > *day)) {
        let definition = "XNPV = Σ flow ÷ (1 + rate)^(days ÷ 365), on the day of the value.";
        return Ok(Written::one(
            figure("xnpv", json!(value), "USD", definition, inputs),
            format!("The present value on {day} is {}", format::money(value)),
            format!(
                "Discounted at {}% a year, actual/365.",
                format::plain(rate * 100.0, 4)
            ),
        ));
    }
    let definition = "XNPV = Σ flow ÷ (1 + rate)^(days ÷ 365), on the earliest date.";
    Ok(Written::one(
        figure("xnpv", json!(value), "USD", definition, inputs),
        format!(
            "The net present value on the earliest date is {}",
            format::money(value)
        ),
        format!(
            "Discounted at {}% a year, actual/365.",
            format::plain(rate * 100.0, 4)
        ),
    ))
}

fn returns(flows: &[Dated], inputs: Vec<Input>) -> Result<Written, Ask> {
    let roots = xirr_roots(flows).map_err(|fault| Ask::because(fault.sentence()))?;
    let definition =
        "XIRR = the annual rate at which Σ flow ÷ (1 + rate)^(days ÷ 365) is zero, from the earliest date.";
    let shown: Vec<String> = roots
        .iter()
        .map(|root| format!("{}%", format::plain(root * 100.0, 2)))
        .collect();
    let (figure, said) = match roots.as_slice() {
        [only] => (
            figure("xirr", json!(only), "percent", definition, inputs),
            format!("The dated internal rate of return (XIRR) is {}", shown.join("")),
        ),
        _ => (
            figure("xirr_roots", json!(roots), "list", definition, inputs),
            format!("There is more than one XIRR: {}", shown.join(" and ")),
        ),
    };
    Ok(Written {
        figures: vec![figure],
        said,
        definition: definition.to_owned(),
        steps: vec!["All real rates above -100% were searched, actual/365.".to_owned()],
        ..Written::default()
    })
}
