//! Which amounts of a question go out and which come in: by their signs, by their words, or as the amount they
//! are joined to.
//!
//! A side that nothing says is a doubt where both are possible.

use crate::flows::parts::Part;
use crate::flows::sides::Side;
use crate::words::scan::Sign;

/// Which amounts go out.
pub(crate) fn outs(parts: &[Part], recurs: &[bool], timeless: bool, doubts: &mut Vec<String>) -> Vec<bool> {
    let mut outs = Vec::new();
    let minus = |part: &Part| matches!(part.sign, Sign::Minus | Sign::Brackets);
    let written = parts.iter().any(minus);
    let own: Vec<Option<bool>> = parts.iter().map(|part| own_side(part, doubts)).collect();
    let receipts = own
        .iter()
        .zip(parts)
        .any(|(side, part)| *side == Some(false) && !part.sides.contains(&Side::Sale));
    // "Buy an annuity of 20k a year for 180k": what is bought recurs, and the single sum may be its price.
    let stream = parts
        .iter()
        .zip(recurs)
        .any(|(part, recurs)| *recurs && part.sides == [Side::Acquire]);
    let single = own
        .iter()
        .zip(recurs)
        .any(|(side, recurs)| side.is_none() && !recurs);
    if stream && single && !written {
        doubts.push("Which of the amounts go out and which come in?".to_owned());
    }
    let mut before: Option<(bool, bool)> = None;
    // "60k, 70k and 140k come in": what is said of the last of a list is said of all of it.
    let of_list = |index: usize| {
        let mut last = index;
        while parts.get(last + 1).is_some_and(|next| next.joint.list) {
            last += 1;
        }
        let none_between = own
            .get(index..last)
            .is_some_and(|own| own.iter().all(Option::is_none));
        own.get(last)
            .copied()
            .flatten()
            .filter(|_| last > index && none_between)
    };
    for (index, part) in parts.iter().enumerate() {
        let said = own.get(index).copied().flatten().or_else(|| of_list(index));
        let recurs = recurs.get(index).copied().unwrap_or(false);
        let out = if minus(part) {
            true
        } else if part.sign == Sign::Plus {
            false
        } else if let Some(said) = said {
            said
        } else if written {
            false
        } else {
            match before {
                None => false,
                Some((false, _)) => false,
                // "Equity in: 3.2m plus 0.4m".
                Some((true, _)) if part.joint.plus && !recurs && receipts => true,
                // "we pay 500k now and 500k in a year".
                Some((true, verb))
                    if part.joint.more || (verb && part.joint.and && !part.joint.then && !recurs) =>
                {
                    true
                }
                Some((true, verb)) => {
                    let open = verb && receipts && !part.joint.then && !(part.joint.stop && recurs);
                    if open && !timeless {
                        doubts.push("Which of the amounts go out and which come in?".to_owned());
                    }
                    // A multiple needs to know as well, unless the list goes on.
                    if open && timeless && !part.joint.list {
                        doubts.push("Which of the amounts go out and which come in?".to_owned());
                    }
                    open
                }
            }
        };
        outs.push(out);
        let verb =
            part.sides.contains(&Side::Pay) || (said.is_none() && before.is_some_and(|(_, verb)| verb));
        before = Some((out, out && verb && !minus(part)));
    }
    outs
}

/// The side an amount's own words give it.
fn own_side(part: &Part, doubts: &mut Vec<String>) -> Option<bool> {
    let strong: Vec<bool> = part
        .sides
        .iter()
        .filter(|side| side.strong())
        .map(|side| side.out())
        .collect();
    let weak: Vec<bool> = part.sides.iter().map(|side| side.out()).collect();
    let chosen = if strong.is_empty() { &weak } else { &strong };
    let first = chosen.first().copied()?;
    // What is bought and got at once is one of both: only what comes back is clear.
    let torn =
        !first && part.sides.contains(&Side::Acquire) && !part.back && !part.sides.contains(&Side::Sale);
    if torn || chosen.iter().any(|side| *side != first) {
        doubts.push("Which of the amounts go out and which come in?".to_owned());
        return None;
    }
    // A purchase may be spoken of with a noun of income beside it, never with a verb of getting.
    Some(first)
}
