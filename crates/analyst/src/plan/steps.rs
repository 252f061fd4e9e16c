//! "What if the rate is 50 bps higher?", "and with NOI down 10%?": a change of a value of the turn before, told
//! again as the new value.
//!
//! Takes only questions that say nothing else; a change without a clear value stays for others to ask about.

use crate::plan::frame::{Frame, Held};
use crate::read::linking::neutral;
use crate::read::vocabulary::mentions;
use crate::say::format;
use crate::words::scan::{Number, Shape, Sign, Token};
use finance::variable::{Unit, Variable};

/// The question with the new value in place of the change.
pub(crate) fn restated(text: &str, tokens: &[Token], earlier: Option<&Frame>) -> Option<String> {
    let frame = earlier?;
    let mut numbers = tokens
        .iter()
        .enumerate()
        .filter_map(|(at, token)| token.number().map(|number| (at, number)));
    let (Some((at, number)), None) = (numbers.next(), numbers.next()) else {
        return None;
    };
    // "drops to 10m" gives the value itself.
    let to = at
        .checked_sub(1)
        .and_then(|before| tokens.get(before))
        .is_some_and(|token| matches!(token.word(), "to" | "at"));
    if to || number.doubtful || number.per.is_some() || tokens.len() > 16 {
        return None;
    }
    let up = direction(tokens, number)?;
    let named = mentions(tokens);
    let says = |at: usize| {
        named
            .iter()
            .any(|mention| (mention.from..mention.to).contains(&at))
    };
    let only = tokens.iter().enumerate().all(|(at, token)| {
        token.word().is_empty()
            || says(at)
            || neutral(token.word())
            || moves(token.word()).is_some()
            || matches!(
                token.word(),
                "if" | "about" | "same" | "exit" | "growth" | "points" | "point" | "we" | "were"
            )
    });
    if !only {
        return None;
    }
    let wanted: Vec<Variable> = named.iter().filter_map(|mention| mention.variable).collect();
    let held = chosen(&wanted, number, frame)?;
    let value = stepped(held, number, up)?;
    let words = match named.iter().find(|mention| mention.variable.is_some()) {
        Some(mention) => {
            let (from, to) = (tokens.get(mention.from)?.start, tokens.get(mention.to - 1)?.end);
            text.get(from..to)?.to_owned()
        }
        None => held.variable.label().to_owned(),
    };
    let shown = match held.variable.unit() {
        Unit::Percent => format!("{}%", format::plain(value * 100.0, 6)),
        _ => format!("${}", format::plain(value, 2).replace(',', "")),
    };
    Some(format!("and with {words} of {shown}?"))
}

/// Whether a word says that something rises or falls.
pub(crate) fn moves(word: &str) -> Option<bool> {
    match word {
        "higher" | "up" | "rise" | "rises" | "rose" | "increase" | "increases" | "increased" | "more"
        | "above" | "wider" | "widens" | "plus" | "jumps" | "jump" | "grows" | "climbs" | "goes" => {
            Some(true)
        }
        "lower" | "down" | "drop" | "drops" | "dropped" | "fall" | "falls" | "fell" | "decrease"
        | "decreases" | "decreased" | "cut" | "less" | "reduced" | "tighter" | "tightens" | "minus"
        | "cheaper" | "below" | "declines" | "slips" | "shrinks" => Some(false),
        _ => None,
    }
}

fn direction(tokens: &[Token], number: &Number) -> Option<bool> {
    let mut said: Vec<bool> = tokens
        .iter()
        .filter(|token| token.word() != "goes")
        .filter_map(|token| moves(token.word()))
        .collect();
    match number.sign {
        Sign::Plus => said.push(true),
        Sign::Minus => said.push(false),
        _ => {}
    }
    let first = *said.first()?;
    said.iter().all(|other| *other == first).then_some(first)
}

/// The held value that changes: the one that is named, or the only one such a change can be of.
fn chosen<'a>(wanted: &[Variable], number: &Number, frame: &'a Frame) -> Option<&'a Held> {
    let kin = |named: Variable| -> &'static [Variable] {
        match named {
            Variable::Noi => &[Variable::Noi, Variable::FirstNoi, Variable::ExitNoi],
            Variable::CapRate => &[Variable::CapRate, Variable::ExitCap],
            Variable::ExitCap => &[Variable::ExitCap, Variable::CapRate],
            Variable::Rate => &[Variable::Rate, Variable::DiscountRate],
            Variable::Value => &[Variable::Value],
            Variable::Price => &[Variable::Price],
            Variable::Loan => &[Variable::Loan],
            Variable::DebtService => &[Variable::DebtService],
            Variable::Equity => &[Variable::Equity],
            Variable::Opex => &[Variable::Opex],
            Variable::DiscountRate => &[Variable::DiscountRate],
            Variable::TotalCost => &[Variable::TotalCost],
            Variable::Ltv => &[Variable::Ltv],
            _ => &[],
        }
    };
    let fits = |held: &&Held| match number.shape {
        Shape::BasisPoints => held.variable.unit() == Unit::Percent,
        Shape::Percent => held.variable.unit() == Unit::Money,
        Shape::Money => held.variable.unit() == Unit::Money,
        Shape::Plain if number.value >= 1000.0 => held.variable.unit() == Unit::Money,
        _ => false,
    };
    let found: Vec<&Held> = match wanted {
        // "+5%" of nothing named could be of anything.
        [] if number.shape != Shape::BasisPoints => return None,
        [] => frame.values.iter().filter(fits).collect(),
        [named] => kin(*named)
            .iter()
            .find_map(|variable| frame.values.iter().find(|held| held.variable == *variable))
            .into_iter()
            .filter(fits)
            .collect(),
        _ => return None,
    };
    match found.as_slice() {
        [only] => Some(only),
        _ => None,
    }
}

fn stepped(held: &Held, number: &Number, up: bool) -> Option<f64> {
    let sign = if up { 1.0 } else { -1.0 };
    let value = match number.shape {
        Shape::BasisPoints => held.value + sign * number.value / 10_000.0,
        Shape::Percent => held.value * (1.0 + sign * number.value / 100.0),
        _ => held.value + sign * number.value,
    };
    (value > 0.0).then_some(value)
}
