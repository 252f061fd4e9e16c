//! The clocks of a like-kind exchange: 45 days to identify, 180 days to close, from the day of the sale.

use chrono::Days;
use serde_json::json;

use crate::forms::words::Words;
use crate::lists::calendar;
use crate::plan::outcome::Ask;
use crate::say::written::{Read, Written, figure, input};

pub(crate) fn read(words: &Words) -> Read {
    let days = |count: f64| {
        words
            .numbers()
            .any(|at| words.number(at).is_some_and(|number| number.value == count))
    };
    let identify = words.says(&[
        "identification deadline",
        "identification period",
        "identify",
        "identification",
    ]) || days(45.0);
    let close = words.says(&["exchange deadline", "exchange period"]) || days(180.0);
    let asked = words.says(&[
        "deadline",
        "deadlines",
        "by when",
        "last day",
        "clock",
        "when must",
        "when does",
    ]) && (words.has(&["1031", "exchange", "relinquished", "identify", "identification"])
        || (days(45.0) || days(180.0)));
    if !asked || !(identify || close) {
        return None;
    }
    let dates = calendar::dates(words);
    let other = words.numbers().any(|at| {
        words
            .number(at)
            .is_some_and(|number| !matches!(number.value as u32, 45 | 180 | 1031))
    });
    let [(at, date)] = dates.as_slice() else {
        return Some(Err(Ask::because(
            "On which day did the sale of the relinquished property close?",
        )));
    };
    let Some(day) = *date else {
        return Some(Err(Ask::because(format!(
            "I cannot read the date “{}”.",
            words.said(*at)
        ))));
    };
    if other {
        return None;
    }
    let later = |days: u64| day.checked_add_days(Days::new(days)).unwrap_or(day);
    let wanted: Vec<(&str, &str, u64)> = [
        ("identification_deadline", "identification deadline", 45, identify),
        ("exchange_deadline", "exchange deadline", 180, close),
    ]
    .into_iter()
    .filter(|(.., wanted)| *wanted)
    .map(|(name, said, days, _)| (name, said, days))
    .collect();
    let definition = "Like-kind exchange: 45 days to identify and 180 days to close, counted from the day after the sale; the due date of the tax return may come first. Not tax advice.";
    let sale = input("sale_closed", day.to_string(), "date");
    let said: Vec<String> = wanted
        .iter()
        .map(|(_, said, days)| format!("The {said} is {}", later(*days)))
        .collect();
    Some(Ok(Written {
        figures: wanted
            .iter()
            .map(|(name, _, days)| {
                figure(
                    name,
                    json!(later(*days).to_string()),
                    "date",
                    definition,
                    vec![sale.clone()],
                )
            })
            .collect(),
        said: said.join(". "),
        definition: definition.to_owned(),
        head: vec!["Deadline", "Day"],
        rows: wanted
            .iter()
            .map(|(_, said, days)| vec![(*said).to_owned(), later(*days).to_string()])
            .collect(),
        steps: wanted
            .iter()
            .map(|(_, said, days)| format!("{said}: {day} + {days} days = {}.", later(*days)))
            .collect(),
        remarks: calendar::order(words).map(str::to_owned).into_iter().collect(),
    }))
}
