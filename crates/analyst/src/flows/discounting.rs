//! The rates beside a series of flows: what discounts them, what lets them grow, what they are reinvested at.
//!
//! Knows no amounts.

use crate::flows::cues::word;
use crate::plan::frame::Held;
use crate::plan::outcome::Ask;
use crate::read::given::{QUESTION, Reading};
use crate::words::scan::{Per, Shape, Sign, Token};
use finance::variable::Variable;

/// Rates by their role, with origins.
pub(crate) type Rates = Vec<Held>;

/// Percentages at which an amount grows: "growing 3% a year", "up 2% p.a.".
pub(crate) fn growth(tokens: &[Token]) -> Vec<(usize, f64)> {
    let says = |word: &str| {
        matches!(
            word,
            "growing"
                | "grows"
                | "grow"
                | "growth"
                | "rising"
                | "rises"
                | "increasing"
                | "increases"
                | "escalating"
                | "climbing"
                | "up"
                | "escalates"
        )
    };
    let grows = |at: usize| {
        let ahead = (1..=4)
            .map_while(|back| at.checked_sub(back))
            .take_while(|at| tokens.get(*at).is_some_and(|token| token.number().is_none()))
            .any(|at| says(word(tokens, at)));
        let behind = (1..=3).any(|next| word(tokens, at + next) == "growth");
        ahead || behind
    };
    tokens
        .iter()
        .enumerate()
        .filter_map(|(at, token)| {
            let number = token.number().filter(|number| number.shape == Shape::Percent)?;
            let sign = if number.sign == Sign::Minus { -1.0 } else { 1.0 };
            grows(at).then_some((at, sign * number.value / 100.0))
        })
        .collect()
}

/// The rates of the question, and the tokens they stand in.
pub(crate) fn rates(
    tokens: &[Token],
    reading: &Reading,
    goals: &[Variable],
    ask: &mut Ask,
) -> (Rates, Vec<usize>) {
    let mut found: Rates = Vec::new();
    let mut used = Vec::new();
    let growing = growth(tokens);
    let modified = goals.contains(&Variable::Mirr);
    let discounts = goals
        .iter()
        .any(|goal| matches!(goal, Variable::Npv | Variable::PresentValue));
    for (at, token) in tokens.iter().enumerate() {
        let Some(number) = token.number() else { continue };
        let plain_rate = number.shape == Shape::Plain
            && reading.values.get(&Variable::DiscountRate).is_some_and(|given| {
                (given.value * 100.0 - number.value).abs() < 1e-9
                    || (given.value - number.value).abs() < 1e-12
            })
            && !tokens
                .iter()
                .any(|token| token.number().is_some_and(|other| other.shape == Shape::Percent));
        if number.shape != Shape::Percent && !plain_rate {
            continue;
        }
        used.push(at);
        if growing.iter().any(|(place, _)| *place == at) {
            continue;
        }
        if matches!(number.per, Some(Per::Month | Per::Quarter | Per::Other)) {
            ask.reasons.push("Please give the rate per year.".to_owned());
        }
        // "10% for both rates".
        let both = modified
            && tokens.iter().any(|token| token.word() == "both")
            && tokens
                .iter()
                .filter_map(Token::number)
                .filter(|other| other.shape == Shape::Percent)
                .count()
                == 1;
        if both {
            for variable in [Variable::FinanceRate, Variable::ReinvestRate] {
                found.push(Held {
                    variable,
                    value: number.value / 100.0,
                    origin: QUESTION.to_owned(),
                });
            }
            continue;
        }
        let variable = if modified {
            modified_role(tokens, at)
        } else {
            Some(Variable::DiscountRate).filter(|_| discounts)
        };
        let Some(variable) = variable else {
            ask.reasons
                .push("I could not tell what one of the percentages stands for.".to_owned());
            continue;
        };
        let sign = if number.sign == Sign::Minus { -1.0 } else { 1.0 };
        let value = if number.shape == Shape::Percent || number.value >= 1.0 {
            number.value / 100.0
        } else {
            number.value
        };
        if found.iter().any(|known| known.variable == variable) {
            ask.reasons
                .push(format!("Two values are given for the {}.", variable.label()));
        }
        found.push(Held {
            variable,
            value: sign * value,
            origin: QUESTION.to_owned(),
        });
    }
    (found, used)
}

/// Which of the two rates of a modified IRR: by the words before both numbers or after both.
fn modified_role(tokens: &[Token], at: usize) -> Option<Variable> {
    let role = |word: &str| match word {
        _ if word.starts_with("reinvest") || word.starts_with("redeploy") => Some(Variable::ReinvestRate),
        _ if word.starts_with("borrow") || word.starts_with("financ") => Some(Variable::FinanceRate),
        "idle" | "spare" | "surplus" | "deposit" | "deposits" | "earns" | "earn" | "earning" | "again"
        | "fund" | "invested" | "parked" => Some(Variable::ReinvestRate),
        "overdraft" | "credit" | "costs" | "costing" | "loan" | "debt" | "funding" => {
            Some(Variable::FinanceRate)
        }
        _ => None,
    };
    let stops = |token: &Token| token.number().is_some();
    let before = |at: usize| {
        (1..=6)
            .map_while(|back| at.checked_sub(back).and_then(|at| tokens.get(at)))
            .take_while(|token| !stops(token))
            .find_map(|token| role(token.word()))
    };
    let after = |at: usize| {
        (1..=3)
            .map_while(|ahead| tokens.get(at + ahead))
            .take_while(|token| !stops(token))
            .find_map(|token| role(token.word()))
    };
    let rates: Vec<usize> = (0..tokens.len())
        .filter(|at| {
            tokens
                .get(*at)
                .and_then(Token::number)
                .is_some_and(|number| number.shape == Shape::Percent)
        })
        .collect();
    let both = |roles: Vec<Option<Variable>>| match roles.as_slice() {
        [Some(one), Some(other)] => one != other,
        _ => false,
    };
    let all_before = both(rates.iter().map(|at| before(*at)).collect());
    let all_after = both(rates.iter().map(|at| after(*at)).collect());
    match (all_before, all_after) {
        (true, false) => before(at),
        (false, true) => after(at),
        // Both ways are complete: only if they agree.
        (true, true) => before(at).filter(|one| after(at) == Some(*one)),
        (false, false) => before(at).or_else(|| after(at)),
    }
}
