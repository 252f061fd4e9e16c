//! Space: load factor, net absorption, turnover.

use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use crate::words::scan::Shape;
use finance::variable::Variable::*;

#[rustfmt::skip]
pub(crate) static LOAD_FACTOR: Form = Form {
    name: "load_factor",
    is: |words| words.says(&["load factor", "add on factor", "loading factor", "core factor", "common area factor", "load"]) && words.says(&["usable", "usf", "rentable", "rsf"]) && !words.says(&["loss factor"]),
    goals: &[
        (LoadFactor, &["load factor", "add on factor", "loading factor", "core factor", "common area factor", "load"]),
        (RentableArea, &["rentable", "rentable area", "rentable square feet", "rsf", "rentable sf"]),
        (UsableArea, &["usable", "usable area", "usable square feet", "usf", "usable sf"]),
    ],
    inputs: &[
        (UsableArea, &["usable", "usable area", "usable sf", "usable square feet", "usf"]),
        (RentableArea, &["rentable", "rentable area", "rentable sf", "rentable square feet", "rsf"]),
        (LoadFactor, &["load factor", "load", "add on factor", "loading factor", "core factor"]),
    ],
    leads: &[],
    bare: &[],
    sums: &[],
    settle: measured,
};

#[rustfmt::skip]
pub(crate) static LOSS_FACTOR: Form = Form {
    name: "loss_factor",
    is: |words| words.says(&["loss factor"]) && words.says(&["usable", "usf", "rentable", "rsf"]),
    goals: &[
        (LossFactor, &["loss factor"]),
        (UsableArea, &["usable", "usable area", "usable square feet", "usf", "usable sf"]),
    ],
    inputs: &[
        (UsableArea, &["usable", "usable area", "usable sf", "usable square feet", "usf"]),
        (RentableArea, &["rentable", "rentable area", "rentable sf", "rentable square feet", "rsf"]),
        (LossFactor, &["loss factor"]),
    ],
    leads: &[],
    bare: &[],
    sums: &[],
    settle: measured,
};

/// "14,000 rsf" says itself which area it is.
fn measured(words: &Words, sheet: &mut Sheet) {
    for at in words.numbers() {
        let Some(number) = words.number(at).filter(|number| number.shape == Shape::Area) else {
            continue;
        };
        let said = words.said(at).to_lowercase();
        let own = if said.contains("rsf") || said.contains("rentable") {
            RentableArea
        } else if said.contains("usf") || said.contains("usable") {
            UsableArea
        } else {
            continue;
        };
        let other = if own == RentableArea {
            UsableArea
        } else {
            RentableArea
        };
        if sheet.value(other) == Some(number.value) {
            sheet.deal.values.remove(&other);
        }
        sheet.put(own, number.value);
        sheet.take(at);
    }
    let areas = [UsableArea, RentableArea];
    let known: Vec<_> = areas.into_iter().filter(|area| sheet.has(*area)).collect();
    match known.as_slice() {
        [UsableArea] if sheet.wants(UsableArea) => sheet.goals = vec![RentableArea],
        [RentableArea] if !sheet.wants(UsableArea) || sheet.wants(RentableArea) => {
            sheet.goals = vec![UsableArea];
        }
        _ => sheet.goals.retain(|goal| !known.contains(goal)),
    }
}

/// Whether an area was newly let or given up, by the words right before it or right behind it.
fn comes(words: &Words, at: usize) -> Option<bool> {
    let told = |at: usize| match words.word(at) {
        "new" | "leased" | "leases" | "leasing" | "signed" | "expansion" | "expansions" | "expanded"
        | "ins" => Some(true),
        "outs" | "out" | "vacated" | "contraction" | "contractions" | "terminations" | "closures"
        | "gave" | "shrank" | "downsizing" | "downsized" | "lost" => Some(false),
        _ => None,
    };
    let own = |at: &usize| words.number(*at).is_none() && !words.mark(*at, ',') && !words.mark(*at, ';');
    let before = (1..=4)
        .map_while(|back| at.checked_sub(back))
        .take_while(own)
        .find_map(told);
    before.or_else(|| (at + 1..at + 4).take_while(own).find_map(told))
}

#[rustfmt::skip]
pub(crate) static ABSORPTION: Form = Form {
    name: "absorption",
    is: |words| words.says(&["net absorption", "absorption", "absorbed"]) && !words.has(&["rate", "months", "noi"]),
    goals: &[(Absorption, &["net absorption", "absorption", "absorbed"])],
    inputs: &[],
    leads: &[],
    bare: &[],
    sums: &[],
    settle: |words, sheet| {
        let areas: Vec<(usize, f64)> = sheet.left.iter().filter_map(|at| {
            let number = words.number(*at)?;
            let plain = number.shape == Shape::Plain && number.value >= 500.0 && !number.dollars;
            (number.shape == Shape::Area || (plain && words.has(&["sf", "sqft", "feet"])) || number.scaled).then_some((*at, number.value))
        }).collect();
        let named: Vec<Option<bool>> = areas.iter().map(|(at, _)| comes(words, *at)).collect();
        if areas.len() >= 2 && named.iter().all(Option::is_some) && named.contains(&Some(true)) {
            let sum = |came: bool| -> f64 {
                areas.iter().zip(&named).filter(|(_, own)| **own == Some(came)).map(|((_, area), _)| area).sum()
            };
            sheet.put(StartArea, sum(false));
            sheet.put(EndArea, sum(true));
            sheet.remark("Net absorption is what was newly let less what was given up.");
            for (at, _) in &areas {
                sheet.take(*at);
            }
            return;
        }
        let ordered = words.has(&["from", "start", "beginning", "began", "started"]);
        let moved = words.has(&["vacated", "moved", "gave", "given"]);
        match areas.as_slice() {
            [(one, start), (two, end)] if ordered && !moved => {
                // "ended at B, having started at A": the first word beside an area says which it is.
                let ended = (0..*two).rev().take(6).any(|at| matches!(words.word(at), "end" | "ended" | "now"));
                let reversed = (0..*one).rev().take(5).any(|at| matches!(words.word(at), "ended" | "end" | "now")) && !ended;
                let (start, end) = if reversed { (*end, *start) } else { (*start, *end) };
                sheet.put(StartArea, start);
                sheet.put(EndArea, end);
                sheet.take(*one);
                sheet.take(*two);
            }
            [(one, a), (two, b)] if moved => {
                let out_first = (0..*two).any(|at| at > *one && matches!(words.word(at), "vacated" | "out" | "gave" | "given"))
                    && !(*one..*two).any(|at| matches!(words.word(at), "leased" | "let" | "in"));
                let (gone, come) = if out_first { (*a, *b) } else { (*b, *a) };
                sheet.put(StartArea, gone);
                sheet.put(EndArea, come);
                sheet.doubt(format!("Is net absorption here the {come} that came less the {gone} that went?"));
                sheet.take(*one);
                sheet.take(*two);
            }
            _ => sheet.deal.missing.extend([StartArea, EndArea]),
        }
    },
};

#[rustfmt::skip]
pub(crate) static TURNOVER: Form = Form {
    name: "turnover",
    is: |words| words.says(&["turnover", "turnover rate", "turnover ratio", "churn"]) && words.says(&["move outs", "moved out", "move out", "moveouts", "left", "departed", "departures", "vacated", "moved on", "leavers"]) && !words.has(&["sales", "inventory"]),
    goals: &[(Turnover, &["turnover", "turnover rate", "annual turnover", "resident turnover", "turnover ratio", "churn", "tenant turnover"])],
    inputs: &[
        (MoveOuts, &["move outs", "moveouts", "moved out", "move out", "left", "departed", "departures", "vacated", "households", "residents", "tenants", "moved on", "leavers"]),
        (TotalUnits, &["units", "unit community", "unit property", "apartments", "homes", "doors", "unit building"]),
    ],
    leads: &[],
    bare: &[TotalUnits, MoveOuts],
    sums: &[],
    settle: |words, sheet| {
        if let (Some(out), Some(all)) = (sheet.value(MoveOuts), sheet.value(TotalUnits)) && out > all {
            sheet.remark("More homes turned over than there are: some more than once.");
        }
        if words.has(&["monthly", "quarter", "quarterly", "annualized", "annualised", "months"]) {
            sheet.doubt("Please give the move-outs of a whole year.");
        }
    },
};
