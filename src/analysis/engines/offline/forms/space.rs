//! Space: load factor, net absorption, turnover.

use crate::analysis::engines::offline::forms::form::Form;
use crate::analysis::engines::offline::words::scan::Shape;
use crate::finance::variable::Variable::*;

#[rustfmt::skip]
pub(crate) static LOAD_FACTOR: Form = Form {
    name: "load_factor",
    is: |words| words.says(&["load factor", "add on factor", "loading factor", "core factor", "common area factor", "load"]) && words.says(&["usable", "usf", "rentable", "rsf"]) && !words.says(&["loss factor"]),
    goals: &[
        (LoadFactor, &["load factor", "add on factor", "loading factor", "core factor", "common area factor", "load"]),
        (RentableArea, &["rentable", "rentable area", "rentable square feet", "rsf", "rentable sf"]),
    ],
    inputs: &[
        (UsableArea, &["usable", "usable area", "usable sf", "usable square feet", "usf"]),
        (RentableArea, &["rentable", "rentable area", "rentable sf", "rentable square feet", "rsf"]),
        (LoadFactor, &["load factor", "load", "add on factor", "loading factor", "core factor"]),
    ],
    leads: &[],
    bare: &[],
    sums: &[],
    settle: |_, _| {},
};

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
