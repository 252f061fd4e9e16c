//! Cap rates of comparable sales: their mean, median or weighted average, and what it makes of an income.
//!
//! Every word must be understood.

use crate::say::format;
use crate::sheets::finding::{Finding, Outcome, percent};
use crate::sheets::indicated::counts;
use crate::sheets::query::vocabulary;
use crate::sheets::sources::Sheet;
use crate::sheets::words::Words;
use tables::headers::Field;

const WORDS: &str = "take taking average avg mean median simple plain straight arithmetic unweighted equally weighted cap caps rate rates \
     comp comps comparable comparables sale sales trade trades noi over price value values worth our building asset property \
     subject throws off throw throwing produces produce earns earn making makes generates generate that implies imply \
     implied indicated indicate apply applied applying use using derive from each one's of deals capitalize capitalise \
     capitalised capitalized income net operating divided with making put it us on at rate their";

/// The answer, if that is what is asked and nothing else.
pub(crate) fn answer(sheet: &Sheet, question: &str) -> Option<Outcome> {
    let table = &sheet.table;
    let price = table.column(Field::Price)?;
    let earned: Vec<usize> = (0..table.columns.len())
        .filter(|at| *at != price)
        .filter(|at| {
            tables::headers::words(table.header(*at))
                .iter()
                .any(|word| word == "noi")
        })
        .collect();
    let [noi] = earned.as_slice() else { return None };
    let noi = *noi;
    if table.has(Field::CapRate) {
        return None;
    }
    let words = Words::of(question);
    if !words.says(&["cap rate", "cap", "caps"]) {
        return None;
    }
    let numbers = words.numbers();
    let known = vocabulary::accounted(&words, &format!("{WORDS} {}", counts(sheet)), true);
    if !known || numbers.len() > 1 {
        return None;
    }
    let weighted = words.says(&["weighted"]) && !words.says(&["equally weighted"]);
    let median = words.says(&["median"]);
    let mean = words.says(&["average", "avg", "mean", "equally"]);
    if weighted == median && !mean {
        return None;
    }
    let mut pairs: Vec<(f64, f64)> = Vec::new();
    for row in table.data() {
        let number = |at: usize| table.number(row, at).map(tables::numbers::Number::written);
        let (price, noi) = (number(price)?, number(noi)?);
        if price <= 0.0 {
            return None;
        }
        pairs.push((noi, price));
    }
    if pairs.len() < 2 {
        return None;
    }
    let mut rates: Vec<f64> = pairs.iter().map(|(noi, price)| noi / price).collect();
    rates.sort_by(f64::total_cmp);
    let half = rates.len() / 2;
    let (name, label, rate, definition) = if weighted {
        (
            "weighted_avg_cap_rate",
            "weighted average cap rate",
            pairs.iter().map(|(noi, _)| noi).sum::<f64>() / pairs.iter().map(|(_, price)| price).sum::<f64>(),
            "Weighted cap rate = Σ NOI ÷ Σ price.",
        )
    } else if median {
        let upper = rates.get(half).copied()?;
        let lower = rates.get(half.saturating_sub(1)).copied()?;
        let middle = if rates.len().is_multiple_of(2) {
            (upper + lower) / 2.0
        } else {
            upper
        };
        (
            "median_cap_rate",
            "median cap rate",
            middle,
            "Median of NOI ÷ price of each sale.",
        )
    } else {
        (
            "avg_cap_rate",
            "average cap rate",
            rates.iter().sum::<f64>() / rates.len() as f64,
            "Simple average of NOI ÷ price of each sale.",
        )
    };
    let main = Finding::percent(name, label, rate, definition).input(
        "sales",
        pairs.len() as f64,
        "count",
        &sheet.name,
    );
    let mut outcome = Outcome::default();
    if let [(_, number)] = numbers.as_slice() {
        let income = number.value();
        if number.percent || income < 1_000.0 || !words.says(&["noi", "income"]) {
            return None;
        }
        outcome.findings.push(
            Finding::money(
                "value",
                "indicated value",
                income / rate,
                "Value = NOI ÷ cap rate.",
            )
            .input("noi", income, "USD", "question")
            .step(format!(
                "{} ÷ {} = {}.",
                format::money(income),
                percent(rate),
                format::money(income / rate)
            )),
        );
    } else if words.says(&["value", "implies", "implied", "indicated"]) {
        return None;
    }
    outcome.findings.push(main);
    Some(outcome)
}
