//! Step-down prepayment: a table of percentages by loan year, "5-4-3-2-1".

use serde_json::json;

use crate::forms::words::Words;
use crate::plan::conditions;
use crate::plan::outcome::Ask;
use crate::say::format;
use crate::say::written::{Read, Written, figure, input};
use crate::words::scan::Shape;
use finance::prepayment::step_down;

pub(crate) fn read(words: &Words) -> Read {
    let early = words.has(&[
        "prepay",
        "prepayment",
        "prepaying",
        "prepaid",
        "penalty",
        "stepdown",
        "premium",
    ]) || words.says(&["step down", "pay off", "pay it off", "paid off"]);
    let table = table(words);
    if early && table.len() >= 3 {
        let shares: Vec<f64> = table
            .iter()
            .filter_map(|at| words.number(*at))
            .map(|number| number.value / 100.0)
            .collect();
        return Some(settle(words, &shares, &table));
    }
    let (shares, used) = labelled(words)?;
    early.then(|| settle(words, &shares, &used))
}

/// "3% in years 1-2, 2% in year 3, 1% in year 4": the percentage of each loan year, and the tokens it takes.
fn labelled(words: &Words) -> Option<(Vec<f64>, Vec<usize>)> {
    let year = |at: usize| {
        words
            .number(at)
            .filter(|number| number.shape == Shape::YearLabel && (1.0..=30.0).contains(&number.value))
            .map(|number| number.value as usize)
    };
    let mut found: Vec<(usize, f64)> = Vec::new();
    let mut used = Vec::new();
    for at in words.numbers() {
        let Some(share) = words.number(at).filter(|number| number.shape == Shape::Percent) else {
            continue;
        };
        let noun = at + 1 + usize::from(matches!(words.word(at + 1), "in" | "during" | "for"));
        if !matches!(words.word(noun), "year" | "years" | "yr" | "yrs") {
            continue;
        }
        let Some(first) = year(noun + 1) else { continue };
        used.extend([at, noun + 1]);
        let joined = words.mark(noun + 2, '-') || matches!(words.word(noun + 2), "to" | "and" | "through");
        let last = match year(noun + 3).filter(|_| joined) {
            Some(last) => {
                used.push(noun + 3);
                last
            }
            None => first,
        };
        found.extend((first..=last).map(|year| (year, share.value / 100.0)));
    }
    found.sort_by_key(|(year, _)| *year);
    let whole = found.iter().enumerate().all(|(at, (year, _))| *year == at + 1);
    (found.len() >= 2 && whole).then(|| (found.into_iter().map(|(_, share)| share).collect(), used))
}

/// The longest run of falling percentages, by their tokens.
fn table(words: &Words) -> Vec<usize> {
    let numbers: Vec<usize> = words.numbers().collect();
    let value = |at: &usize| words.number(*at).map_or(f64::NAN, |number| number.value);
    let mut best: Vec<usize> = Vec::new();
    let mut run: Vec<usize> = Vec::new();
    for at in numbers {
        let fits = words.number(at).is_some_and(|number| {
            matches!(number.shape, Shape::Plain | Shape::Percent)
                && number.value <= 10.0
                && !number.dollars
                && !number.scaled
        });
        let joined = run.last().is_some_and(|last| {
            value(&at) <= value(last)
                && (last + 1..at).all(|at| {
                    ['-', '/', ',', '%'].iter().any(|mark| words.mark(at, *mark))
                        || matches!(words.word(at), "and" | "then" | "percent")
                })
        });
        if !joined {
            run.clear();
        }
        if fits {
            run.push(at);
        } else {
            run.clear();
        }
        if run.len() > best.len() {
            best.clone_from(&run);
        }
    }
    best
}

fn settle(words: &Words, shares: &[f64], table: &[usize]) -> Result<Written, Ask> {
    if let Some(phrase) = conditions::part_of_amount(words.tokens) {
        return Err(Ask::because(conditions::ask(phrase)));
    }
    let mut balance = None;
    let mut year = words.ordinal_year();
    for at in words.numbers().filter(|at| !table.contains(at)) {
        let Some(number) = words.number(at) else { continue };
        let unclear = || Ask::because(format!("I could not tell what “{}” stands for.", words.said(at)));
        match number.shape {
            _ if number.doubtful || number.foreign => return Err(unclear()),
            Shape::YearLabel if year.is_none() => year = Some(number.value),
            Shape::MonthLabel | Shape::PaymentLabel if year.is_none() => {
                year = Some((number.value / 12.0).ceil());
            }
            Shape::Money if balance.is_none() => balance = Some(number.value),
            Shape::Plain if balance.is_none() && number.value >= 1000.0 => balance = Some(number.value),
            Shape::Months | Shape::Payments | Shape::Years if year.is_none() => {
                let months = if number.shape == Shape::Years {
                    number.value * 12.0
                } else {
                    number.value
                };
                let before = at.checked_sub(1).map_or("", |at| words.word(at));
                match before {
                    // Right after a whole number of years the next loan year has begun.
                    "after" => year = Some((months / 12.0).floor() + 1.0),
                    _ if words.has(&["term", "loan"]) && number.shape == Shape::Years => {}
                    _ => return Err(unclear()),
                }
            }
            Shape::Years | Shape::Calendar => {}
            _ => return Err(unclear()),
        }
    }
    let balance = balance.ok_or_else(|| Ask::because("What is the balance that is prepaid?"))?;
    let year = year
        .filter(|year| *year >= 1.0 && *year <= 100.0)
        .ok_or_else(|| Ask::because("In which loan year is it prepaid?"))?;
    let premium =
        step_down(balance, shares, year as usize).map_err(|fault| Ask::because(fault.sentence()))?;
    let share = shares.get(year as usize - 1).copied().unwrap_or(0.0);
    let definition = "Step-down premium = the percentage of the loan year × the balance prepaid; none after the end of the table.";
    let inputs = vec![
        input("balance", balance, "USD"),
        input("loan_year", year, "count"),
        input("premium_share", share, "percent"),
    ];
    Ok(Written {
        figures: vec![figure(
            "prepayment_premium",
            json!(premium),
            "USD",
            definition,
            inputs,
        )],
        said: format!("The prepayment premium is {}", format::money(premium)),
        definition: definition.to_owned(),
        head: vec!["Loan year", "Percentage"],
        rows: shares
            .iter()
            .enumerate()
            .map(|(at, share)| {
                vec![
                    (at + 1).to_string(),
                    format!("{}%", format::plain(share * 100.0, 3)),
                ]
            })
            .collect(),
        steps: vec![format!(
            "Loan year {year}: {}% × {}.",
            format::plain(share * 100.0, 3),
            format::money(balance)
        )],
        remarks: Vec::new(),
    })
}
