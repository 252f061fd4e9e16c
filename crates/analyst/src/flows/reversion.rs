//! "NOIs 500k, 520k, 540k; exit at 6.5% on year 3 NOI; 9% discount": listed incomes with a sale at a cap rate, told
//! again as plain flows.
//!
//! Takes only questions in which every number has its place; what the exit rests on has to be said.

use crate::flows::cues::{mark, number, word};
use crate::say::format;
use crate::words::scan::{Number, Per, Shape, Token};
use finance::variable::Variable;

/// The flows as a question of their own, and how the sale was computed.
pub(crate) fn told(tokens: &[Token], goals: &[Variable]) -> Option<(String, String)> {
    let goal = match goals {
        [Variable::PresentValue | Variable::Value | Variable::Price] => Variable::PresentValue,
        [Variable::Npv] => Variable::Npv,
        [Variable::Irr] => Variable::Irr,
        [] if pays(tokens) => Variable::PresentValue,
        [] | [Variable::Noi | Variable::CashFlow] if tokens.iter().any(|token| token.word() == "pv") => {
            Variable::PresentValue
        }
        _ => return None,
    };
    let mut incomes = incomes(tokens)?;
    let next = following(tokens, &incomes);
    if next.is_some() {
        incomes.pop();
    }
    let last = *incomes.last()?;
    let mut shares: Vec<usize> = places(tokens, |number| number.shape == Shape::Percent);
    let cap = take(&mut shares, |at| capped(tokens, at))?;
    let cost = take(&mut shares, |at| {
        near(
            tokens,
            at,
            &["selling", "sale", "sales", "cost", "costs", "closing"],
            3,
        )
    });
    let rate = match shares.as_slice() {
        [] => None,
        [only] if grows(tokens, *only) => return None,
        [only] => Some(value(tokens, *only) / 100.0),
        _ => return None,
    };
    let mut amounts = places(tokens, |number| {
        matches!(number.shape, Shape::Money | Shape::Plain)
    });
    amounts.retain(|at| !incomes.contains(at) && Some(*at) != next);
    let paid = take(&mut amounts, |at| {
        near(
            tokens,
            at,
            &[
                "buy", "buying", "bought", "pay", "paying", "paid", "price", "purchase", "cost",
            ],
            3,
        )
    });
    let held = incomes.len() as f64;
    let later = next.or_else(|| {
        take(&mut amounts, |at| {
            near(tokens, at, &["forward", "noi", "following", "next"], 4)
                || (at + 1..at + 4).any(|at| year(tokens, at) == Some(held + 1.0))
                // "Year 6 is 712k".
                || (1..=3)
                    .map_while(|back| at.checked_sub(back))
                    .take_while(|at| !mark(tokens, *at, '.'))
                    .any(|at| year(tokens, at) == Some(held + 1.0))
        })
    });
    // A value has no price beside it; a return has one.
    if !amounts.is_empty() || (goal == Variable::PresentValue) == paid.is_some() {
        return None;
    }
    let years = tokens
        .iter()
        .filter_map(Token::number)
        .all(|number| match number.shape {
            Shape::Years => number.value == held,
            Shape::YearLabel => number.value <= held || (later.is_some() && number.value == held + 1.0),
            Shape::Percent | Shape::Money | Shape::Plain => number.per.is_none_or(|per| per == Per::Year),
            _ => false,
        });
    let basis = match later {
        Some(at) => value(tokens, at),
        None if rests_on_last(tokens, held) => value(tokens, last),
        None => return None,
    };
    let cap = value(tokens, cap) / 100.0;
    let share = cost.map_or(0.0, |at| value(tokens, at) / 100.0);
    if !years || cap <= 0.0 || (goal == Variable::Irr) == rate.is_some() {
        return None;
    }
    let sale = basis / cap * (1.0 - share);
    let mut question = match (goal, rate) {
        (Variable::Irr, _) => "IRR: ".to_owned(),
        (Variable::Npv, Some(rate)) => format!("NPV at {}%: ", format::plain(rate * 100.0, 6)),
        (_, Some(rate)) => format!("Present value at {}%: ", format::plain(rate * 100.0, 6)),
        _ => return None,
    };
    if let Some(at) = paid {
        question.push_str(&format!("pay {} now, ", money(value(tokens, at))));
    }
    let flows: Vec<String> = incomes
        .iter()
        .enumerate()
        .map(|(year, at)| {
            let more = if *at == last { sale } else { 0.0 };
            format!(
                "receive {} in year {}",
                money(value(tokens, *at) + more),
                year + 1
            )
        })
        .collect();
    question.push_str(&flows.join(", "));
    let working = format!(
        "The sale in year {held}: {} ÷ {}%{} = {}.",
        money(basis),
        format::plain(cap * 100.0, 6),
        if share > 0.0 {
            format!(" less {}% costs", format::plain(share * 100.0, 4))
        } else {
            String::new()
        },
        money(sale)
    );
    Some((question, working))
}

/// The listed incomes: amounts one after the other, behind the word for them.
fn incomes(tokens: &[Token]) -> Option<Vec<usize>> {
    let start = (0..tokens.len()).find(|at| {
        matches!(word(tokens, *at), "noi" | "nois" | "income" | "incomes" | "cash")
            // "NOI for years 1-4: …": the years stand before the amounts.
            && (1..=8)
                .filter_map(|ahead| number(tokens, at + ahead))
                .find(|number| number.shape != Shape::YearLabel)
                .is_some_and(amount)
    })?;
    let first = (start + 1..start + 9).find(|at| number(tokens, *at).is_some_and(amount))?;
    let mut list = vec![first];
    let mut at = first + 1;
    while at < tokens.len() {
        if number(tokens, at).is_some_and(amount) {
            list.push(at);
        } else if !(mark(tokens, at, ',') || mark(tokens, at, '/') || word(tokens, at) == "and") {
            break;
        }
        at += 1;
    }
    (list.len() >= 2).then_some(list)
}

/// "…, 731k, and 752k in year 6. Sale at the end of year 5 …": the income of the year after the sale.
fn following(tokens: &[Token], incomes: &[usize]) -> Option<usize> {
    let last = *incomes.last()?;
    let held = incomes.len() as f64 - 1.0;
    let own = (last + 1..last + 5)
        .take_while(|at| number(tokens, *at).is_none_or(|number| number.shape == Shape::YearLabel))
        .any(|at| year(tokens, at) == Some(held + 1.0));
    let sold = (0..tokens.len()).any(|at| {
        year(tokens, at) == Some(held)
            || number(tokens, at).is_some_and(|number| number.shape == Shape::Years && number.value == held)
    });
    (own && sold && held >= 2.0).then_some(last)
}

fn year(tokens: &[Token], at: usize) -> Option<f64> {
    number(tokens, at)
        .filter(|number| number.shape == Shape::YearLabel)
        .map(|number| number.value)
}

/// "At 9%, what can we pay?": the value at that rate.
fn pays(tokens: &[Token]) -> bool {
    (0..tokens.len()).any(|at| {
        matches!(word(tokens, at), "what" | "much" | "most")
            && (1..=4).any(|ahead| word(tokens, at + ahead) == "pay")
    })
}

fn amount(number: &Number) -> bool {
    matches!(number.shape, Shape::Money | Shape::Plain) && number.value >= 1000.0 && !number.doubtful
}

fn places(tokens: &[Token], wanted: impl Fn(&Number) -> bool) -> Vec<usize> {
    (0..tokens.len())
        .filter(|at| number(tokens, *at).is_some_and(&wanted))
        .collect()
}

fn take(found: &mut Vec<usize>, wanted: impl Fn(usize) -> bool) -> Option<usize> {
    let place = found.iter().position(|at| wanted(*at))?;
    Some(found.remove(place))
}

/// "6.5% cap", "exit cap 6.5%", "capped at 6%".
fn capped(tokens: &[Token], at: usize) -> bool {
    matches!(word(tokens, at + 1), "cap" | "caps" | "exit" | "terminal")
        || (1..=4)
            .map_while(|step| at.checked_sub(step))
            .take_while(|at| number(tokens, *at).is_none())
            .any(|at| matches!(word(tokens, at), "cap" | "capped" | "capitalized" | "capitalised"))
}

fn grows(tokens: &[Token], at: usize) -> bool {
    near(
        tokens,
        at,
        &["growth", "growing", "grows", "rising", "up", "increasing"],
        3,
    )
}

/// One of the words stands within `most` tokens, without another number between.
fn near(tokens: &[Token], at: usize, words: &[&str], most: usize) -> bool {
    let before = (1..=most)
        .map_while(|step| at.checked_sub(step))
        .take_while(|at| number(tokens, *at).is_none())
        .any(|at| words.contains(&word(tokens, at)));
    let after = (1..=2)
        .map(|step| at + step)
        .take_while(|at| number(tokens, *at).is_none() && !mark(tokens, *at, ',') && !mark(tokens, *at, ';'))
        .any(|at| words.contains(&word(tokens, at)));
    before || after
}

/// "on year 5 NOI", "on the last NOI", "trailing": the income of the last year held.
fn rests_on_last(tokens: &[Token], held: f64) -> bool {
    (0..tokens.len()).any(|at| {
        let labelled = number(tokens, at).is_some_and(|n| n.shape == Shape::YearLabel && n.value == held);
        let said = matches!(word(tokens, at), "last" | "final" | "trailing" | "terminal");
        (labelled || said) && (1..=5).any(|ahead| matches!(word(tokens, at + ahead), "noi" | "income"))
    })
}

fn value(tokens: &[Token], at: usize) -> f64 {
    number(tokens, at).map_or(0.0, |number| number.value)
}

fn money(value: f64) -> String {
    format!("${}", format::plain(value, 2).replace(',', ""))
}
