//! What tenants pay back: common area costs, gross-up, expense stops and base years.
//!
//! Areas are told apart by their size: the tenant's is the smallest, the building's the largest.

use crate::analysis::engines::offline::forms::form::{Form, Sheet};
use crate::analysis::engines::offline::forms::words::Words;
use crate::analysis::engines::offline::words::scan::Shape;
use crate::finance::variable::Variable::*;

/// The areas that nothing names, smallest first, with their tokens.
fn areas(words: &Words, sheet: &Sheet) -> Vec<(usize, f64)> {
    let mut found: Vec<(usize, f64)> = sheet
        .left
        .iter()
        .filter_map(|at| {
            let number = words.number(*at)?;
            let plain =
                number.shape == Shape::Plain && number.value >= 500.0 && !number.dollars && !number.scaled;
            (number.shape == Shape::Area || plain).then_some((*at, number.value))
        })
        .collect();
    found.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    found
}

/// Places tenant's and building's area; with `outs`, a third one that is left out of the building's.
fn place_areas(words: &Words, sheet: &mut Sheet, outs: bool) {
    let found = areas(words, sheet);
    let left_out = words.has(&[
        "carved",
        "excluded",
        "excluding",
        "excludes",
        "exclude",
        "ex",
        "less",
        "without",
        "removed",
        "out",
    ]);
    match found.as_slice() {
        [] => {}
        [(at, area)] => {
            sheet.put(TenantArea, *area);
            sheet.take(*at);
        }
        [(one, own), (two, all)] if !(outs && left_out) => {
            sheet.put(TenantArea, *own);
            sheet.put(PoolArea, *all);
            sheet.take(*one);
            sheet.take(*two);
        }
        [(one, a), (two, b), (three, all)] if outs && left_out => {
            // The area nearest to the words that leave it out.
            let near = |at: usize| {
                (0..words.tokens.len())
                    .filter(|place| {
                        matches!(
                            words.word(*place),
                            "carved"
                                | "excluded"
                                | "excluding"
                                | "excludes"
                                | "less"
                                | "anchor"
                                | "grocer"
                                | "supermarket"
                                | "removed"
                                | "ex"
                        )
                    })
                    .map(|place| place.abs_diff(at))
                    .min()
                    .unwrap_or(usize::MAX)
            };
            let (own, out) = if near(*one) < near(*two) {
                (*b, *a)
            } else {
                (*a, *b)
            };
            sheet.put(TenantArea, own);
            sheet.put(ExcludedArea, out);
            sheet.put(PoolArea, *all);
            for at in [one, two, three] {
                sheet.take(*at);
            }
        }
        _ => sheet.doubt("Which of the areas is the tenant's, and which counts in the denominator?"),
    }
}

#[rustfmt::skip]
pub(crate) static COMMON_AREA: Form = Form {
    name: "common_area",
    is: |words| {
        words.says(&["cam", "common area maintenance", "common area costs", "common area charges", "pro rata share", "prorata share", "service charge", "service charges", "cam charges", "tenant's share", "pro rata"])
            && !words.has(&["noi", "egi", "gpr", "sales", "effective", "distribution", "lp", "gp", "equity", "walt", "loan", "salesperson"])
    },
    goals: &[
        (CamShare, &["owe", "owes", "share in dollars", "cam", "cam charge", "cam charges", "cam bill", "tenant pay", "pay", "contribution", "share", "tenant's share", "bill", "charge"]),
        (ProRata, &["pro rata share", "prorata share", "percentage share", "share percentage", "pro rata percentage", "pro rata"]),
        (CamBalance, &["balance due", "year end balance", "true up", "reconciliation", "still owe", "balance", "refund", "still due"]),
    ],
    inputs: &[
        (CostPool, &["cam", "cam pool", "cam costs", "cam expenses", "cam budget", "pool", "cost pool", "costs", "expenses", "common area maintenance", "common area costs", "common area charges", "service charge", "service charges", "service charge budget", "budget", "cam total", "recoverable expenses", "recoverable costs", "maintenance"]),
        (AdminShare, &["admin fee", "administration fee", "administrative fee", "admin", "mark up", "markup", "admin charge", "management fee"]),
        (ProRata, &["share", "pro rata share", "prorata share", "of the centre", "of the center", "of the building", "of the mall", "of the scheme", "of the space", "of the total", "occupies", "pro rata"]),
        (Estimates, &["estimates", "in estimates", "estimated payments", "paid", "already paid", "paid in", "prepaid", "on account", "paid on account", "advance payments"]),
    ],
    leads: &[(ProRata, &["occupies", "leases", "occupying", "share of", "share is"]), (CostPool, &["cam of", "cam is", "costs are", "costs of"]), (Estimates, &["paid", "already paid"])],
    bare: &[],
    sums: &[],
    settle: settle_common,
};

fn settle_common(words: &Words, sheet: &mut Sheet) {
    place_areas(words, sheet, true);
    let percent = words.says(&[
        "as a percentage",
        "as a %",
        "as a percent",
        "in percent",
        "percentage share",
    ]) || words.has(&["percentage"]);
    let goal = if !sheet.has(CostPool) || (percent && !words.has(&["dollars"])) {
        ProRata
    } else if sheet.has(Estimates) {
        CamBalance
    } else {
        CamShare
    };
    sheet.goals = vec![goal];
    if !sheet.has(ProRata) {
        sheet.assume(ExcludedArea, 0.0, "");
    }
    if goal != ProRata {
        sheet.assume(AdminShare, 0.0, "");
    }
    if goal == ProRata && sheet.has(CostPool) {
        sheet.deal.values.remove(&CostPool);
    }
    if words.has(&["cap", "capped", "ceiling"]) {
        sheet.doubt("Is there a cap on the tenant's share? Please give the amount that it allows.");
    }
}

#[rustfmt::skip]
pub(crate) static GROSS_UP: Form = Form {
    name: "gross_up",
    is: |words| words.says(&["gross up", "grossed up", "grossing up", "gross the variable", "gross it up", "gross them up", "gross variable", "gross the"]) && words.says(&["occupancy", "occupied", "leased", "let"]),
    goals: &[(GrossedUp, &["grossed up expenses", "grossed up", "grossed up opex", "gross up", "total", "gross up amount"])],
    inputs: &[
        (VariableCost, &["variable", "variable opex", "variable expenses", "variable costs", "variable operating expenses", "variable operating costs", "variable cost", "variable expense"]),
        (FixedCost, &["fixed", "fixed opex", "fixed expenses", "fixed costs", "fixed operating expenses", "fixed cost", "fixed expense", "non variable"]),
    ],
    leads: &[],
    bare: &[],
    sums: &[],
    settle: |words, sheet| {
        let mut shares: Vec<(usize, f64)> = sheet.left.iter().filter_map(|at| {
            let number = words.number(*at)?;
            (number.shape == Shape::Percent).then_some((*at, number.value / 100.0))
        }).collect();
        shares.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        if let [(one, actual), (two, target)] = shares.as_slice() {
            sheet.put(ActualOccupancy, *actual);
            sheet.put(GrossUpOccupancy, *target);
            sheet.take(*one);
            sheet.take(*two);
        }
        if words.says(&["fully occupied", "full occupancy", "fully leased", "fully let"]) && let [(one, actual)] = shares.as_slice() {
            sheet.put(ActualOccupancy, *actual);
            sheet.put(GrossUpOccupancy, 1.0);
            sheet.take(*one);
        }
        if !sheet.has(VariableCost) {
            sheet.deal.missing.push(VariableCost);
        }
        sheet.assume(FixedCost, 0.0, "");
        sheet.remark("Only the variable expenses are grossed up.");
    },
};

#[rustfmt::skip]
const ACTUAL: &[&str] = &["operating costs", "operating expenses", "actual", "actual expenses", "actual opex", "actual costs", "expenses", "opex", "costs", "this year", "current year", "current", "this year operating costs", "came to", "come to", "now", "came in at", "are now"];
#[rustfmt::skip]
const STOP: &[&str] = &["stop", "expense stop", "base year stop", "base year", "base year expenses", "base year costs", "base year opex", "base stop", "base"];

#[rustfmt::skip]
pub(crate) static EXPENSE_STOP: Form = Form {
    name: "expense_stop",
    is: |words| words.says(&["expense stop", "base year stop", "base year", "stop", "base stop"]) && words.says(&["expense", "expenses", "opex", "costs", "operating costs", "reimburse", "reimbursement", "recovery", "pass through", "stop"]) && !words.has(&["cpi", "index", "noi", "loan", "irr", "wrong"]),
    goals: &[(Reimbursement, &["reimburse", "reimbursement", "excess", "excess charge", "charge", "expense charge", "recovery", "owe", "pass through", "escalation charge", "pay", "bill"])],
    inputs: &[
        (StopPsf, STOP),
        (StopTotal, STOP),
        (ActualPsf, ACTUAL),
        (ActualTotal, ACTUAL),
        (ProRata, &["share", "pro rata share", "pro rata", "of the building"]),
    ],
    leads: &[(StopPsf, &["stop is", "stop of", "stop at"]), (StopTotal, &["stop is", "stop of"]), (ProRata, &["occupies", "leases"])],
    bare: &[],
    sums: &[],
    settle: |words, sheet| {
        place_areas(words, sheet, false);
        if !sheet.has(ProRata) && sheet.has(StopTotal) && sheet.has(TenantArea) && sheet.has(PoolArea) {
            sheet.assume(ExcludedArea, 0.0, "");
        }
        if !sheet.has(TenantArea) && !sheet.has(ProRata) {
            sheet.deal.missing.push(TenantArea);
        }
    },
};
