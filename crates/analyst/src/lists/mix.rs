//! Gross potential rent from units and rents listed in the question.

use serde_json::json;

use crate::forms::words::Words;
use crate::plan::outcome::Ask;
use crate::say::format;
use crate::say::written::{Read, Written, figure, input};
use crate::words::scan::{Per, Shape};

pub(crate) fn read(words: &Words) -> Read {
    let asked = words.says(&[
        "gpr",
        "gross potential rent",
        "gross potential",
        "potential rent",
        "gross scheduled rent",
        "potential gross rent",
    ]);
    let other = words.has(&[
        "collected",
        "collect",
        "collections",
        "noi",
        "egi",
        "vacancy",
        "expenses",
        "opex",
        "economic",
        "concessions",
        "attached",
        "file",
        "occupancy",
        "even",
        "breakeven",
    ]);
    let pairs = pairs(words);
    (asked && !other && !pairs.is_empty()).then(|| settle(words, &pairs))
}

/// Each count with its rent: "64 units at $1,850", "40 one-beds at $1,400 and 60 two-beds at 1,750".
fn pairs(words: &Words) -> Vec<(usize, usize)> {
    let numbers: Vec<usize> = words
        .numbers()
        .filter(|at| {
            // "two-beds" is a kind of unit.
            let kind = words.mark(at + 1, '-')
                || matches!(
                    words.word(at + 1),
                    "bed" | "bedroom" | "bedrooms" | "br" | "brs" | "bd" | "bds" | "bdrm" | "bdrms" | "beds"
                );
            let small = words
                .number(*at)
                .is_some_and(|number| number.value <= 5.0 && !number.dollars);
            let drawn = words
                .number(*at)
                .is_some_and(|number| number.shape == Shape::Units);
            // What is vacant or occupied changes nothing: potential rent counts every unit.
            let state = (1..=4)
                .take_while(|ahead| words.number(at + ahead).is_none())
                .any(|ahead| {
                    matches!(
                        words.word(at + ahead),
                        "vacant" | "empty" | "occupied" | "leased" | "let"
                    )
                })
                && matches!(
                    words.word(at + 1),
                    "of" | "vacant" | "empty" | "occupied" | "leased" | "let" | "are"
                );
            !((kind || drawn) && small) && !state
        })
        .collect();
    let count = |at: usize| {
        words.number(at).is_some_and(|number| {
            matches!(number.shape, Shape::Units | Shape::Plain | Shape::Multiple)
                && number.value.fract() == 0.0
                && number.value < 5000.0
                && !number.dollars
                && !number.scaled
        })
    };
    let rent = |at: usize| {
        words.number(at).is_some_and(|number| {
            (number.shape == Shape::Money || (number.shape == Shape::Plain && number.value >= 300.0))
                && (100.0..50_000.0).contains(&number.value)
                && !matches!(number.per, Some(Per::Year | Per::Quarter))
        })
    };
    if numbers.is_empty() || numbers.len() % 2 == 1 {
        return Vec::new();
    }
    let found: Vec<(usize, usize)> = numbers
        .chunks(2)
        .filter_map(|pair| match pair {
            [one, two] if count(*one) && rent(*two) => Some((*one, *two)),
            [one, two]
                if rent(*one)
                    && count(*two)
                    && words
                        .number(*two)
                        .is_some_and(|number| number.shape == Shape::Units) =>
            {
                Some((*two, *one))
            }
            _ => None,
        })
        .collect();
    if found.len() * 2 == numbers.len() {
        return found;
    }
    // "24 and 36 flats; $1,480 and $1,835 in that order": all counts, then as many rents, or the other way round.
    let half = numbers.len() / 2;
    let (ahead, behind) = numbers.split_at(half);
    let all = |list: &[usize], is: &dyn Fn(usize) -> bool| list.iter().all(|at| is(*at));
    let counted = |at: usize| count(at) && words.number(at).is_some_and(|number| number.value < 300.0);
    if half < 2 {
        Vec::new()
    } else if all(ahead, &counted) && all(behind, &rent) {
        ahead.iter().copied().zip(behind.iter().copied()).collect()
    } else if all(ahead, &rent) && all(behind, &counted) {
        behind.iter().copied().zip(ahead.iter().copied()).collect()
    } else {
        Vec::new()
    }
}

fn settle(words: &Words, pairs: &[(usize, usize)]) -> Result<Written, Ask> {
    let value = |at: usize| words.number(at).map_or(0.0, |number| number.value);
    if pairs.iter().any(|(count, rent)| {
        [count, rent].into_iter().any(|at| {
            words
                .number(*at)
                .is_some_and(|number| number.doubtful || number.foreign)
        })
    }) {
        return Err(Ask::because("I am not sure how to read one of the numbers."));
    }
    let month: f64 = pairs
        .iter()
        .map(|(count, rent)| value(*count) * value(*rent))
        .sum();
    let annual = words.has(&["annual", "annually", "yearly", "year"]);
    let monthly = words.says(&[
        "monthly gpr",
        "gpr per month",
        "monthly gross potential",
        "gpr a month",
        "gross potential rent per month",
        "gross potential rent a month",
        "gross potential per month",
        "gross potential a month",
        "potential rent per month",
        "potential rent a month",
        "monthly potential rent",
        "monthly potential",
        "rent per month in total",
    ]) && !annual;
    let definition = "Gross potential rent = units × monthly rent, summed over all units as if fully let; times 12 for a year.";
    let (amount, period) = if monthly {
        (month, "month")
    } else {
        (month * 12.0, "year")
    };
    let inputs = pairs
        .iter()
        .flat_map(|(count, rent)| {
            [
                ("units", value(*count), "count"),
                ("monthly_rent", value(*rent), "USD"),
            ]
            .map(|(name, value, unit)| input(name, value, unit))
        })
        .collect();
    let mut own = figure("gpr", json!(amount), "USD", definition, inputs);
    own.period = Some(period.to_owned());
    Ok(Written {
        figures: vec![own],
        said: format!("The gross potential rent is {} a {period}", format::money(amount)),
        definition: definition.to_owned(),
        head: vec!["Units", "Monthly rent", "Per month"],
        rows: pairs
            .iter()
            .map(|(count, rent)| {
                vec![
                    format::plain(value(*count), 0),
                    format::money(value(*rent)),
                    format::money(value(*count) * value(*rent)),
                ]
            })
            .collect(),
        steps: vec![format!(
            "{} a month × 12 = {} a year.",
            format::money(month),
            format::money(month * 12.0)
        )],
        remarks: Vec::new(),
    })
}
