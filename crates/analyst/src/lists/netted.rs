//! What a list of flows leaves in all: the sum of what comes in less what goes out, whenever it is paid.

use serde_json::json;

use crate::forms::words::Words;
use crate::say::format;
use crate::say::written::{Read, Written, figure, input};
use crate::words::scan::{Shape, Sign};

/// Words of a question that needs more than the sum.
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "irr", "npv", "multiple", "moic", "margin", "tax", "lp", "gp", "promote", "percent", "percentage", "cost", "noi", "value", "each", "per", "annual", "annually",
    "yearly", "monthly", "growing", "grows", "present", "discount", "attached", "file", "csv", "loan", "plus", "fees", "if", "except", "without", "excluding", "share",
];

/// The profit of "-2.5m, 150k, 175k, 200k and 3.1m": every amount with the sign that the list gives it.
pub(crate) fn read(words: &Words) -> Read {
    let asked =
        words.says(&["profit", "net profit", "total profit"]) && words.has(&["flows", "flow", "cashflows"]);
    if !asked || words.has(OTHERS) {
        return None;
    }
    let mut flows = Vec::new();
    for at in words.numbers() {
        let number = words.number(at)?;
        let amount = matches!(number.shape, Shape::Money | Shape::Plain)
            && number.per.is_none()
            && number.base.is_none()
            && !number.doubtful
            && !number.foreign
            && (number.value >= 1000.0 || number.value == 0.0);
        if !amount {
            return None;
        }
        flows.push(match number.sign {
            Sign::Minus | Sign::Brackets => -number.value,
            _ => number.value,
        });
    }
    // Without a sign nothing says what is paid.
    if flows.len() < 3 || !flows.iter().any(|flow| *flow < 0.0) || flows.iter().all(|flow| *flow <= 0.0) {
        return None;
    }
    let value: f64 = flows.iter().sum();
    let definition = "Profit = sum of what comes in − sum of what goes out, whenever it is paid.";
    let shown: Vec<String> = flows.iter().map(|flow| format::money(*flow)).collect();
    let inputs = vec![input("cash_flows", json!(flows), "USD")];
    Some(Ok(Written {
        figures: vec![figure("profit", json!(value), "USD", definition, inputs)],
        said: format!("The profit is {}", format::money(value)),
        definition: definition.to_owned(),
        head: vec!["Flow", "Amount"],
        rows: shown
            .iter()
            .enumerate()
            .map(|(at, flow)| vec![(at + 1).to_string(), flow.clone()])
            .collect(),
        steps: vec![format!("{} = {}.", shown.join(" + "), format::money(value))],
        remarks: Vec::new(),
    }))
}
