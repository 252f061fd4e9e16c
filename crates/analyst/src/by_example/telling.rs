//! A canonical question with slots: the words in which an intent is asked of the calculations.
//!
//! `{noi}` is a number, `{flow*}` all numbers of a slot, `{-outlay}` an amount that goes out, `[ … ]` a part that is left
//! out where one of its slots is not told.

use crate::by_example::model::{Kind, Part, Role};
use crate::words::scan::{Number, Shape, Sign};

/// A slot as a telling names it.
pub struct Named<'a> {
    pub name: &'a str,
    /// Takes several numbers.
    pub list: bool,
    negative: bool,
}

pub enum Piece<'a> {
    Words(&'a str),
    Slot(Named<'a>),
}

/// A number of a question in its role.
#[derive(Clone, Debug)]
pub struct Filled {
    pub role: Role,
    pub number: Option<Number>,
    /// As it stands in the question: dates are told as they are.
    pub text: String,
}

/// The question with its numbers; none where one that it needs is not there.
pub fn told(tell: &str, filled: &[Filled], slots: &[(String, Kind)]) -> Option<String> {
    let mut told = String::new();
    for (pieces, optional) in stretches(tell)? {
        let mut own = String::new();
        let mut whole = true;
        for piece in pieces {
            match piece {
                Piece::Words(words) => own.push_str(words),
                Piece::Slot(named) => {
                    let slot = slots.iter().position(|(name, _)| name == named.name)?;
                    let (_, kind) = slots.get(slot)?;
                    match amounts(slot, &named, filled, *kind) {
                        Some(text) => own.push_str(&text),
                        None => whole = false,
                    }
                }
            }
        }
        if whole {
            told.push_str(&own);
        } else if !optional {
            return None;
        }
    }
    Some(told)
}

/// Stretches of a telling, and whether each may be left out; none where a bracket does not close.
pub fn stretches(tell: &str) -> Option<Vec<(Vec<Piece<'_>>, bool)>> {
    let mut out = Vec::new();
    let mut rest = tell;
    while let Some((before, after)) = rest.split_once('[') {
        let (inside, behind) = after.split_once(']')?;
        out.push((pieces(before)?, false));
        out.push((pieces(inside)?, true));
        rest = behind;
    }
    out.push((pieces(rest)?, false));
    Some(out)
}

fn pieces(text: &str) -> Option<Vec<Piece<'_>>> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (inside, behind) = after.split_once('}')?;
        out.push(Piece::Words(before));
        out.push(Piece::Slot(Named {
            name: inside.trim_matches(['-', '*']),
            list: inside.ends_with('*'),
            negative: inside.starts_with('-'),
        }));
        rest = behind;
    }
    out.push(Piece::Words(rest));
    Some(out)
}

/// The numbers of a slot, what belongs together added up.
fn amounts(slot: usize, named: &Named<'_>, filled: &[Filled], kind: Kind) -> Option<String> {
    let mut told: Vec<(f64, Option<&Number>, &str)> = Vec::new();
    // An amount may be added before the one it belongs to is told.
    let mut ahead = 0.0;
    for own in filled.iter().filter(|own| own.role.slot == slot) {
        let value = own.number.as_ref().map_or(0.0, signed);
        match own.role.part {
            Part::Whole => told.push((value + std::mem::take(&mut ahead), own.number.as_ref(), &own.text)),
            Part::Outflow => told.push((-value.abs(), own.number.as_ref(), &own.text)),
            Part::Added => match told.last_mut() {
                Some(last) => last.0 += value,
                None => ahead += value,
            },
        }
    }
    if told.is_empty() || ahead != 0.0 || (told.len() > 1 && !named.list) {
        return None;
    }
    let parts = told.into_iter().map(|(value, number, text)| match number {
        Some(number) => written(if named.negative { -value.abs() } else { value }, number, kind),
        None => text.to_owned(),
    });
    Some(parts.collect::<Vec<_>>().join(", "))
}

fn signed(number: &Number) -> f64 {
    match number.sign {
        Sign::Minus | Sign::Brackets if number.value > 0.0 => -number.value,
        _ => number.value,
    }
}

/// A number with the unit that its slot has, in digits.
fn written(value: f64, number: &Number, kind: Kind) -> String {
    let digits = digits(value);
    match (kind, number.shape) {
        (_, Shape::BasisPoints) => format!("{digits} bps"),
        (_, Shape::Months) | (Kind::Years | Kind::Months, Shape::Payments) => format!("{digits} months"),
        (_, Shape::Years) | (Kind::Years, _) => format!("{digits} years"),
        (Kind::Months, _) => format!("{digits} months"),
        (Kind::Percent, _) => format!("{digits}%"),
        (Kind::Times, _) => format!("{digits}x"),
        (Kind::Area, _) => format!("{digits} sf"),
        (Kind::Money | Kind::Psf, _) if value < 0.0 => format!("-${}", digits.trim_start_matches('-')),
        (Kind::Money | Kind::Psf, _) => format!("${digits}"),
        _ => digits,
    }
}

/// Without a power of ten, with as many places as the number has.
fn digits(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
