//! What the sponsor of a partnership gets of each dollar, where it stands beside other shares: a promote with the rest told
//! as well, a catch-up with the part of profit that it ends at.
//!
//! Corrects the places of numbers; computes nothing.

use crate::forms::form::Sheet;
use crate::forms::words::Words;
use crate::words::scan::Shape;
use finance::variable::Variable::*;

/// "25% goes to the GP as promote and the remaining 75% is shared pro rata": the rest is told, and nothing new.
pub(super) fn remaining(words: &Words, sheet: &mut Sheet) {
    if sheet.has(PromoteShare) || !words.says(&["pro rata", "pari passu"]) {
        return;
    }
    let percent = |at: usize| words.number(at).filter(|number| number.shape == Shape::Percent);
    let led = |at: usize| {
        at.checked_sub(1)
            .is_some_and(|at| matches!(words.word(at), "remaining" | "other" | "residual"))
    };
    let Some(rest) = words.numbers().find(|at| led(*at) && percent(*at).is_some()) else {
        return;
    };
    let share = percent(rest).map_or(0.0, |number| number.value);
    let Some(promote) = words.numbers().find(|at| {
        *at < rest && percent(*at).is_some_and(|number| (number.value + share - 100.0).abs() < 1e-9)
    }) else {
        return;
    };
    let quoted = |at: usize| format!("“{}”", words.said(at));
    let label = PromoteShare.label();
    let torn = sheet
        .deal
        .doubts
        .iter()
        .any(|doubt| doubt.contains(label) && doubt.contains(&quoted(promote)));
    if torn {
        sheet.deal.doubts.retain(|doubt| {
            !(doubt.contains(label) && (doubt.contains(&quoted(promote)) || doubt.contains(&quoted(rest))))
        });
        sheet.put(PromoteShare, (100.0 - share) / 100.0);
        sheet.take(promote);
        sheet.take(rest);
    }
}

/// "A catch-up until the GP holds 20% of all profit": what the sponsor catches up to is no share of the capital.
pub(super) fn caught_up(words: &Words, sheet: &mut Sheet) {
    if !words.says(&["catch up", "catchup"]) {
        return;
    }
    let of_profit = words.numbers().find(|at| {
        let share = words.number(*at).filter(|number| number.shape == Shape::Percent);
        let profit = words.word(at + 1) == "of"
            && (2..=5).any(|ahead| matches!(words.word(at + ahead), "profit" | "profits"));
        let reached = (1..=2).filter_map(|back| at.checked_sub(back)).any(|at| {
            matches!(
                words.word(at),
                "holds"
                    | "has"
                    | "reaches"
                    | "gets"
                    | "got"
                    | "owns"
                    | "receives"
                    | "received"
                    | "hold"
                    | "have"
            )
        }) && (3..=6)
            .filter_map(|back| at.checked_sub(back))
            .any(|at| matches!(words.word(at), "until" | "till"));
        share.is_some() && (profit || reached)
    });
    let Some(at) = of_profit else { return };
    let target = words.number(at).map_or(0.0, |number| number.value / 100.0);
    for (variable, share) in [(SponsorShare, target), (PartnersShare, target)] {
        if sheet
            .value(variable)
            .is_some_and(|value| (value - share).abs() < 1e-9)
        {
            sheet.deal.values.remove(&variable);
        }
    }
    sheet.take(at);
    if !sheet.has(PromoteShare) {
        sheet.put(PromoteShare, target);
    }
}
