//! Values for several incomes and several cap rates at once.

use serde_json::json;

use crate::analysis::answer::Input;
use crate::analysis::engines::offline::forms::words::Words;
use crate::analysis::engines::offline::plan::outcome::Ask;
use crate::analysis::engines::offline::say::format;
use crate::analysis::engines::offline::say::written::{Read, Written, figure, input};
use crate::analysis::engines::offline::words::scan::Shape;
use crate::finance::fault::ratio;
use crate::finance::valuation;

pub(crate) fn read(words: &Words) -> Read {
    let asked = words.has(&["grid", "sensitivity", "matrix", "sensitivities"])
        || words.says(&["value table", "data table", "two way table"]);
    let inputs = words.has(&["noi", "nois", "income"]) && words.has(&["cap", "caps"]);
    (asked && inputs && !words.has(&["attached", "file", "growth", "growing", "dscr", "loan"]))
        .then(|| settle(words))
}

fn settle(words: &Words) -> Result<Written, Ask> {
    let mut incomes = Vec::new();
    let mut caps = Vec::new();
    let mut percent = false;
    for at in words.numbers() {
        let Some(number) = words.number(at) else { continue };
        let unclear = Ask::because(format!("I could not tell what “{}” stands for.", words.said(at)));
        // "all four cells" counts the grid.
        let counts = matches!(
            words.word(at + 1),
            "cells" | "scenarios" | "combinations" | "outcomes" | "cases"
        );
        match number.shape {
            _ if counts => {}
            _ if number.doubtful || number.foreign => return Err(unclear),
            Shape::Percent => {
                percent = true;
                caps.push(number.value / 100.0);
            }
            Shape::Plain if number.value > 0.0 && number.value < 25.0 && !number.dollars => {
                caps.push(number.value / 100.0);
            }
            Shape::Money => incomes.push(number.value),
            Shape::Plain if number.value >= 1000.0 => incomes.push(number.value),
            _ => return Err(unclear),
        }
    }
    // "3 by 3" is the size, not a cap rate.
    if incomes.is_empty() || caps.is_empty() || !(percent || words.has(&["caps", "cap"])) || caps.len() > 15 {
        return Err(Ask::because(
            "Please list the NOI values and the cap rates of the grid.",
        ));
    }
    if words.has(&["plus", "minus", "steps", "increments"]) {
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
            &["spread", "range", "difference", "gap"],
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
            .find(|at| names.contains(&words.word(*at)))
            .unwrap_or(usize::MAX)
    };
    let spread_asked = place(&["spread", "range", "difference", "gap"]) < usize::MAX;
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
