//! Conversions between rates: nominal with compounding to effective, a monthly or quarterly rate to a
//! yearly one.
//!
//! Reads only questions with exactly one percentage; anything else is asked back.

use crate::analysis::engines::offline::deal::{CONVENTION, Deal};
use crate::analysis::engines::offline::given::{QUESTION, Reading};
use crate::analysis::engines::offline::scan::{Per, Shape, Sign, Token};
use crate::finance::variable::Variable;

/// The deal of a rate conversion and the metric's word, or `None` if the question is another.
pub(crate) fn read(tokens: &[Token], reading: &Reading) -> Option<(Deal, &'static str)> {
    let annualise = tokens.iter().any(|token| {
        let word = token.word();
        (word.starts_with("annuali") && !word.ends_with("ed")) || word == "annualised" || word == "annualized"
    });
    let effective = reading.goals.contains(&Variable::EffectiveRate);
    let has = |words: &[&str]| tokens.iter().any(|token| words.contains(&token.word()));
    if !effective && !annualise {
        return None;
    }
    let numbers: Vec<(usize, &crate::analysis::engines::offline::scan::Number)> = tokens
        .iter()
        .enumerate()
        .filter_map(|(at, token)| token.number().map(|number| (at, number)))
        .collect();
    let [(at, number)] = numbers.as_slice() else {
        return effective.then(|| (lacking(&numbers), Variable::EffectiveRate.word()));
    };
    if number.shape != Shape::Percent || number.doubtful || number.sign == Sign::Minus {
        return effective.then(|| (lacking(&numbers), Variable::EffectiveRate.word()));
    }
    let value = number.value / 100.0;
    let mut deal = Deal::default();
    // "Monthly IRR is 0.83%" or "0.83% a month".
    let noun = (1..=5)
        .filter_map(|back| at.checked_sub(back).and_then(|at| tokens.get(at)))
        .find_map(|token| match token.word() {
            "monthly" => Some(Per::Month),
            "quarterly" => Some(Per::Quarter),
            _ => None,
        });
    let compounds = has(&["compounded", "compounding", "compounds", "nominal", "apr"]);
    let period = match number.per {
        Some(Per::Year) => None,
        other => other,
    };
    let per_period = period
        .or(noun)
        .filter(|_| !compounds || number.per.is_some() && number.per != Some(Per::Year) && !number.loose_per);
    if let Some(per) = per_period {
        let count = match per {
            Per::Month => 12.0,
            Per::Quarter => 4.0,
            _ => {
                deal.doubts
                    .push("I convert monthly and quarterly rates only.".to_owned());
                1.0
            }
        };
        if has(&["nominal", "simple"]) {
            deal.doubts
                .push("Do you want the effective (compounded) or the nominal annual rate?".to_owned());
        }
        deal.set(Variable::PeriodicRate, value, QUESTION);
        deal.set(Variable::Compounding, count, QUESTION);
        deal.remarks
            .push("Effective annual rate: compounded, not simply multiplied.".to_owned());
        return Some((
            deal,
            if effective && !annualise {
                "effective_rate"
            } else {
                "annual_rate"
            },
        ));
    }
    if !effective {
        return None;
    }
    deal.set(Variable::NominalRate, value, QUESTION);
    let frequencies: Vec<f64> = tokens
        .iter()
        .filter_map(|token| match token.word() {
            "daily" => Some(365.0),
            "monthly" => Some(12.0),
            "quarterly" => Some(4.0),
            "semiannually" | "semiannual" | "biannually" => Some(2.0),
            "continuously" | "weekly" | "biweekly" => Some(0.0),
            _ => None,
        })
        .collect();
    let half = tokens
        .windows(2)
        .any(|pair| matches!(pair, [a, b] if a.word() == "semi" && b.word().starts_with("annual")))
        || tokens
            .windows(3)
            .any(|three| matches!(three, [a, _, b] if a.word() == "semi" && b.word().starts_with("annual")));
    match frequencies.as_slice() {
        [] if half => deal.set(Variable::Compounding, 2.0, QUESTION),
        [count] if *count > 0.0 && !half => {
            deal.set(Variable::Compounding, *count, QUESTION);
            if *count > 12.0 {
                deal.values
                    .entry(Variable::Compounding)
                    .and_modify(|given| given.origin = CONVENTION.to_owned());
            }
        }
        [] => deal.missing.push(Variable::Compounding),
        _ => deal.doubts.push("How often is the rate compounded?".to_owned()),
    }
    Some((deal, "effective_rate"))
}

fn lacking(numbers: &[(usize, &crate::analysis::engines::offline::scan::Number)]) -> Deal {
    let mut deal = Deal::default();
    if numbers.is_empty() {
        deal.missing = vec![Variable::NominalRate, Variable::Compounding];
    } else {
        deal.doubts
            .push("Please give one nominal annual rate and how often it is compounded.".to_owned());
    }
    deal
}
