//! The modified rate of return of flows in a table: the rate that outflows are financed at, and the one that inflows
//! are put out at again.

use crate::sheets::finding::{Finding, Outcome, percent};
use crate::sheets::retold::tokens::{self, Token};
use crate::sheets::sources::Sheet;
use finance::flows;
use tables::cashflows::{self, Flows, Step};
use tables::kind::Kind;

const FINANCE: &[&str] = &[
    "finance",
    "financing",
    "financed",
    "finances",
    "funded",
    "fund",
    "funding",
    "borrow",
    "borrowed",
    "borrowing",
    "shortfall",
    "shortfalls",
    "outflows",
    "negatives",
];
const REINVEST: &[&str] = &[
    "reinvest",
    "reinvested",
    "reinvesting",
    "reinvestment",
    "re-invest",
    "re-invested",
    "reinvests",
    "parked",
    "park",
    "placed",
    "deposited",
    "inflows",
    "positives",
];

/// The answer, if a modified rate is asked for and both rates are given.
pub(crate) fn answer(sheet: &Sheet, question: &str) -> Option<Outcome> {
    if !matches!(sheet.kind, Kind::Flows | Kind::DatedFlows | Kind::Other) {
        return None;
    }
    let all = tokens::of(question);
    let asked = all.iter().any(|token| token.word == "mirr")
        || tokens::find(&all, "modified irr", 0).is_some()
        || tokens::find(&all, "modified internal rate of return", 0).is_some()
        || tokens::find(&all, "modified rate of return", 0).is_some();
    let rates: Vec<(usize, f64)> = all
        .iter()
        .enumerate()
        .filter_map(|(at, token)| {
            let number = token.word.strip_suffix('%')?.parse::<f64>().ok()?;
            Some((at, number / 100.0))
        })
        .collect();
    if !asked || rates.len() != 2 || !whole(&all) {
        return None;
    }
    let cue = |at: usize| -> Option<bool> {
        let word = all.get(at)?.word.as_str();
        match (FINANCE.contains(&word), REINVEST.contains(&word)) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    };
    let [(one_at, one), (other_at, other)] = rates.as_slice() else {
        return None;
    };
    let before = |at: usize| (0..at).rev().find_map(cue);
    let behind = |at: usize| (at + 1..all.len()).find_map(cue);
    // "Finance rate 6.5%, reinvest at 5%"; "6.5% finance rate and 5% reinvestment rate".
    let (finance_rate, reinvest_rate) = match (
        before(*one_at),
        before(*other_at),
        behind(*one_at),
        behind(*other_at),
    ) {
        (Some(true), Some(false), ..) | (None, _, Some(true), Some(false)) => (*one, *other),
        (Some(false), Some(true), ..) | (None, _, Some(false), Some(true)) => (*other, *one),
        _ => return None,
    };
    let named: Vec<String> = all.iter().map(|token| token.word.clone()).collect();
    let read = cashflows::read(&sheet.table, &named).ok()?;
    if !read.doubts.is_empty() {
        return None;
    }
    let Flows::Periodic {
        flows: amounts,
        step: Step::Year,
        first: 0,
    } = &read.flows
    else {
        return None;
    };
    let rate = flows::mirr(amounts, finance_rate, reinvest_rate).ok()?;
    let finding = Finding::percent(
        "mirr",
        "modified internal rate of return",
        rate,
        "MIRR = (future value of the inflows at the reinvestment rate ÷ present value of the outflows at the finance rate)^(1 ÷ periods) − 1.",
    )
    .input("finance_rate", finance_rate, "percent", "question")
    .input("reinvest_rate", reinvest_rate, "percent", "question")
    .step(format!(
        "{} flows, financed at {}, reinvested at {}.",
        amounts.len(),
        percent(finance_rate),
        percent(reinvest_rate)
    ));
    Some(Outcome {
        findings: vec![finding],
        remarks: read.remarks,
        ..Outcome::default()
    })
}

/// Nothing takes flows out or changes them.
fn whole(all: &[Token]) -> bool {
    all.iter().all(|token| {
        let digits = token.word.bytes().any(|byte| byte.is_ascii_digit());
        (!digits || token.word.ends_with('%'))
            && !matches!(
                token.word.as_str(),
                "without"
                    | "excluding"
                    | "except"
                    | "instead"
                    | "first"
                    | "last"
                    | "before"
                    | "after"
                    | "plus"
                    | "minus"
                    | "add"
                    | "delay"
                    | "if"
                    | "monthly"
                    | "quarterly"
                    | "only"
                    | "increase"
                    | "raise"
                    | "double"
            )
            || token.word == "only" && all.iter().any(|other| REINVEST.contains(&other.word.as_str()))
    })
}
