//! Values for several incomes and several cap rates at once.

use serde_json::json;

use crate::contract::draft::Input;
use crate::forms::words::Words;
use crate::plan::outcome::Ask;
use crate::say::format;
use crate::say::written::{Read, Written, figure, input};
use crate::words::scan::{Number, Shape};
use finance::fault::ratio;
use finance::valuation;

/// The spread in other words.
const DIFFERENCES: [&str; 12] = [
    "how wide",
    "high to low",
    "low to high",
    "best to worst",
    "best minus worst",
    "best minus the worst",
    "highest minus lowest",
    "highest minus the lowest",
    "max minus min",
    "maximum minus minimum",
    "top minus bottom",
    "how far apart",
];

const CAPS: &[&str] = &["cap", "caps", "capitalization", "capitalisation"];

pub(crate) fn read(words: &Words) -> Read {
    let asked = words.has(&["grid", "sensitivity", "matrix", "sensitivities"])
        || words.says(&["value table", "data table", "two way table"])
        || (words.has(&["across"]) && words.has(&["down"]));
    let inputs = words.has(&["noi", "nois", "income"]) && words.has(CAPS);
    let asked = asked || crossed(words);
    (asked && inputs && !words.has(&["attached", "file", "growth", "growing", "dscr", "loan"]))
        .then(|| settle(words))
}

/// Several incomes and several rates, and the extremes of what they make: a grid without its name.
fn crossed(words: &Words) -> bool {
    let count = |wanted: &dyn Fn(&Number) -> bool| {
        words
            .numbers()
            .filter(|at| {
                let own = words.number(*at).cloned();
                like_the_last(words, *at)
                    .or(own)
                    .is_some_and(|number| wanted(&number))
            })
            .count()
    };
    let rates = count(&|number| {
        let bare = number.shape == Shape::Plain && !number.spelled && !number.dollars && !number.scaled;
        number.shape == Shape::Percent || (bare && (2.0..15.0).contains(&number.value))
    });
    let incomes = count(&|number| number.shape == Shape::Money || number.value >= 1000.0);
    let extremes = words.has(&[
        "best", "worst", "highest", "lowest", "middle", "spread", "centre", "center",
    ]);
    rates >= 2
        && incomes >= 2
        && rates + incomes >= 5
        && extremes
        && words.has(&["value", "values", "corner", "cell"])
}

fn settle(words: &Words) -> Result<Written, Ask> {
    let mut incomes = Vec::new();
    let mut caps = Vec::new();
    let mut percent = false;
    let mut bare = false;
    for at in words.numbers() {
        let Some(number) = words.number(at) else { continue };
        let (number, shared) = (
            &like_the_last(words, at).unwrap_or_else(|| number.clone()),
            number,
        );
        let unclear = Ask::because(format!("I could not tell what “{}” stands for.", words.said(at)));
        // "all four cells" counts the grid.
        let counts = matches!(
            words.word(at + 1),
            "cells" | "scenarios" | "combinations" | "outcomes" | "cases"
        );
        match number.shape {
            _ if counts => {}
            // "three cap rates", "the nine values".
            Shape::Plain if number.spelled && number.value <= 25.0 => {}
            // "3x3" says how many rows and columns there are.
            _ if shared.short && sized(words, at) => {}
            _ if number.doubtful || number.foreign => return Err(unclear),
            Shape::Percent => {
                percent = true;
                caps.push(number.value / 100.0);
            }
            Shape::Plain if number.value > 0.0 && number.value < 25.0 && !number.dollars => {
                bare = true;
                caps.push(number.value / 100.0);
            }
            Shape::Money => incomes.push(number.value),
            Shape::Plain if number.value >= 1000.0 => incomes.push(number.value),
            _ => return Err(unclear),
        }
    }
    // A small number beside rates in percent is none of them for certain.
    if percent && bare {
        return Err(Ask::because(
            "Please write each NOI in full and each cap rate with its percent sign.",
        ));
    }
    // "3 by 3" is the size, not a cap rate.
    if incomes.is_empty() || caps.is_empty() || !(percent || words.has(CAPS)) || caps.len() > 15 {
        return Err(Ask::because(
            "Please list the NOI values and the cap rates of the grid.",
        ));
    }
    // "Best minus worst" is the spread.
    let apart = words.says(&DIFFERENCES);
    if words.has(&["plus", "steps", "increments"]) || (words.has(&["minus"]) && !apart) {
        return Err(Ask::because(
            "Please list every NOI and every cap rate of the grid.",
        ));
    }
    if words.has(&["average", "mean", "median"]) {
        return Err(Ask::because(
            "I give the best, the worst and the middle value of a grid, and no average. Should I?",
        ));
    }
    incomes.sort_by(f64::total_cmp);
    // "Which cell equals our price?" brings an amount that is no NOI.
    if incomes
        .first()
        .zip(incomes.last())
        .is_some_and(|(least, most)| *most > 5.0 * least)
    {
        return Err(Ask::because(
            "One of the amounts is no NOI of the grid. Which are its NOI values?",
        ));
    }
    caps.sort_by(f64::total_cmp);
    let cells = valuation::grid(&caps, &incomes, |cap, noi| ratio(noi, cap, "cap rate"))
        .map_err(|fault| Ask::because(fault.sentence()))?;
    let all: Vec<f64> = cells.iter().flatten().copied().collect();
    let best = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let worst = all.iter().copied().fold(f64::INFINITY, f64::min);
    let odd = incomes.len() % 2 == 1 && caps.len() % 2 == 1;
    let middle = cells
        .get(caps.len() / 2)
        .and_then(|row| row.get(incomes.len() / 2))
        .copied()
        .filter(|_| odd);
    let definition = "Direct capitalization in every cell: value = NOI ÷ cap rate.";
    let inputs: Vec<Input> = incomes
        .iter()
        .map(|noi| input("noi", *noi, "USD"))
        .chain(caps.iter().map(|cap| input("cap_rate", *cap, "percent")))
        .collect();
    let mut facts: Vec<(&str, f64, &str, &[&str])> = vec![
        (
            "value_max",
            best,
            "the best",
            &["best", "highest", "maximum", "max", "top", "largest"],
        ),
        (
            "value_min",
            worst,
            "the worst",
            &["worst", "lowest", "minimum", "min", "bottom", "smallest"],
        ),
        (
            "spread",
            best - worst,
            "the spread between best and worst",
            &["spread", "range", "difference", "gap", "minus", "apart"],
        ),
    ];
    if let Some(middle) = middle {
        facts.insert(
            0,
            (
                "value_mid",
                middle,
                "the middle cell",
                &["middle", "mid", "center", "centre", "base", "central"],
            ),
        );
    } else if words.has(&["middle", "center", "centre"]) {
        return Err(Ask::because(
            "A grid with an even number of rows or columns has no middle cell.",
        ));
    }
    // What is asked for first comes first.
    let place = |names: &[&str]| {
        (0..words.tokens.len())
            .find(|at| names.contains(&words.word(*at)) && !edge(words, *at))
            .unwrap_or(usize::MAX)
    };
    let spread_asked = apart || place(&["spread", "range", "difference", "gap"]) < usize::MAX;
    facts.sort_by_key(|(name, _, _, names)| match *name {
        // "the spread between best and worst" asks for the spread.
        "value_max" | "value_min" if spread_asked => usize::MAX,
        _ => place(names),
    });
    let said: Vec<String> = facts
        .iter()
        .map(|(_, value, label, _)| format!("{label} is {}", format::money(*value)))
        .collect();
    Ok(Written {
        figures: facts
            .iter()
            .map(|(name, value, _, _)| figure(name, json!(value), "USD", definition, inputs.clone()))
            .collect(),
        said: format!("In this grid {}", said.join(", ")),
        definition: definition.to_owned(),
        head: vec!["Cap rate", "Values, NOI ascending"],
        rows: caps
            .iter()
            .zip(&cells)
            .map(|(cap, row)| {
                let values: Vec<String> = row.iter().map(|value| format::money(*value)).collect();
                vec![format!("{}%", format::plain(cap * 100.0, 3)), values.join(" / ")]
            })
            .collect(),
        steps: vec!["Each cell is computed anew.".to_owned()],
        remarks: Vec::new(),
    })
}

/// "At 1.12, 1.18 and 1.24 million", "5, 5.5 and 6%": a bare number is of the kind of the last one of its list.
fn like_the_last(words: &Words, at: usize) -> Option<Number> {
    let first = words.number(at)?.clone();
    if first.shape != Shape::Plain || first.scaled || first.dollars {
        return None;
    }
    let mut place = at;
    loop {
        let mut next = place + 1;
        while matches!(words.word(next), "and" | "or")
            || [',', '/'].iter().any(|mark| words.mark(next, *mark))
        {
            next += 1;
        }
        let number = words.number(next).filter(|_| next > place + 1)?;
        if number.shape == Shape::Percent && first.value < 25.0 {
            return Some(Number {
                shape: Shape::Percent,
                ..first
            });
        }
        if number.scaled && first.value < 1000.0 {
            let unit = [1e9, 1e6, 1e3].into_iter().find(|unit| number.value >= *unit)?;
            // The numbers of one list are near each other: else the scale is not theirs.
            let value = first.value * unit;
            let near = (0.2..5.0).contains(&(value / number.value));
            return near.then_some(Number {
                value,
                shape: Shape::Money,
                scaled: true,
                ..first
            });
        }
        if number.shape != Shape::Plain || number.scaled || number.dollars {
            return None;
        }
        place = next;
    }
}

/// "3 by 3", "3x3": the size of the table.
fn sized(words: &Words, at: usize) -> bool {
    let counts = |at: usize| {
        words
            .number(at)
            .is_some_and(|number| number.value.fract() == 0.0 && (2.0..=9.0).contains(&number.value))
    };
    let by = |at: usize| matches!(words.word(at), "by" | "x" | "×");
    counts(at) && ((by(at + 1) && counts(at + 2)) || (at >= 2 && by(at - 1) && counts(at - 2)))
}

/// "NOI across the top": a side of the table, and no value of it.
fn edge(words: &Words, at: usize) -> bool {
    let back = |by: usize| at.checked_sub(by).map_or("", |at| words.word(at));
    matches!(back(1), "the" | "its")
        && matches!(back(2), "across" | "along" | "down" | "on" | "over" | "in" | "at")
        && matches!(words.word(at), "top" | "bottom")
}
