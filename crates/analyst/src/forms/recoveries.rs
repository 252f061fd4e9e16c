//! What tenants pay back: common area costs, gross-up, expense stops and base years.
//!
//! Areas are told apart by their size: the tenant's is the smallest, the building's the largest.

use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use crate::words::scan::{Per, Shape};
use finance::variable::Variable::*;

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
        let tenant = words.has(&["tenant", "shop", "store"]) && words.says(&["recoverable expenses", "recoverable costs", "recoverable opex"]);
        (tenant || words.says(&["cam", "common area maintenance", "common area costs", "common area charges", "pro rata share", "prorata share", "service charge", "service charges", "cam charges", "tenant's share", "pro rata"]))
            && !words.says(&["recovery ratio"]) && !words.has(&["noi", "egi", "gpr", "sales", "effective", "distribution", "lp", "gp", "equity", "walt", "loan", "salesperson"])
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

/// "7,000 a quarter on account": paid over a year.
fn on_account(words: &Words, sheet: &mut Sheet) {
    for at in sheet.left.clone() {
        let Some(number) = words.number(at) else { continue };
        let times = match number.per {
            Some(Per::Quarter) => 4.0,
            Some(Per::Month) => 12.0,
            _ => continue,
        };
        let paid = (1..=4)
            .filter_map(|back| at.checked_sub(back))
            .chain(at + 1..at + 4)
            .any(|at| {
                matches!(
                    words.word(at),
                    "paid" | "account" | "estimates" | "estimated" | "advance"
                )
            });
        if paid && !sheet.has(Estimates) {
            sheet.put(Estimates, number.value * times);
            sheet.take(at);
            sheet.remark("The payments on account are those of a year.");
        }
    }
}

fn settle_common(words: &Words, sheet: &mut Sheet) {
    place_areas(words, sheet, true);
    on_account(words, sheet);
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

/// "40% are variable", "60% of it is fixed": how much of all expenses varies.
fn variable_share(words: &Words, at: usize) -> Option<f64> {
    let share = words
        .number(at)
        .filter(|number| number.shape == Shape::Percent)?
        .value
        / 100.0;
    let joins = |at: &usize| {
        matches!(
            words.word(*at),
            "of" | "it"
                | "them"
                | "is"
                | "are"
                | "the"
                | "expenses"
                | "opex"
                | "costs"
                | "being"
                | "which"
                | "variable"
                | "fixed"
        )
    };
    let behind = (at + 1..at + 5)
        .take_while(joins)
        .find_map(|at| match words.word(at) {
            "variable" => Some(true),
            "fixed" => Some(false),
            _ => None,
        });
    behind.map(|variable| if variable { share } else { 1.0 - share })
}

/// All expenses in one amount and a share of them that varies.
fn part_variable(words: &Words, sheet: &mut Sheet) {
    let shares: Vec<(usize, f64)> = sheet
        .left
        .iter()
        .filter_map(|at| Some((*at, variable_share(words, *at)?)))
        .collect();
    let amounts: Vec<(usize, f64)> = sheet
        .left
        .iter()
        .filter_map(|at| {
            let number = words.number(*at)?;
            let money =
                number.shape == Shape::Money || (number.shape == Shape::Plain && number.value >= 5000.0);
            (money && number.base.is_none()).then_some((*at, number.value))
        })
        .collect();
    if let ([(share_at, share)], [(at, amount)]) = (shares.as_slice(), amounts.as_slice())
        && !sheet.has(VariableCost)
        && !sheet.has(FixedCost)
    {
        sheet.put(VariableCost, amount * share);
        sheet.put(FixedCost, amount * (1.0 - share));
        sheet.take(*share_at);
        sheet.take(*at);
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
        shares.retain(|(at, _)| variable_share(words, *at).is_none());
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
        part_variable(words, sheet);
        if !sheet.has(VariableCost) {
            sheet.deal.missing.push(VariableCost);
        }
        sheet.assume(FixedCost, 0.0, "");
        sheet.remark("Only the variable expenses are grossed up.");
    },
};

#[rustfmt::skip]
pub(crate) static RECOVERY_RATIO: Form = Form {
    name: "recovery_ratio",
    is: |words| words.says(&["recovery ratio", "expense recovery ratio", "recovery rate"]) && !words.has(&["noi", "egi"]),
    goals: &[(RecoveryRatio, &["recovery ratio", "expense recovery ratio", "recovery rate"])],
    inputs: &[
        (Recoveries, &["recoveries", "recovered", "reimbursements", "tenant reimbursements", "expense recoveries", "billed back", "recovers"]),
        (CostPool, &["recoverable opex", "recoverable expenses", "recoverable costs", "expenses", "opex", "operating expenses", "costs", "operating costs"]),
    ],
    leads: &[(Recoveries, &["recover", "recovers"])],
    bare: &[],
    sums: &[],
    settle: |_, _| {},
};

#[rustfmt::skip]
const ACTUAL: &[&str] = &["operating costs", "operating expenses", "actual", "actual expenses", "actual opex", "actual costs", "expenses", "opex", "costs", "this year", "this yr", "current yr", "actuals", "current year", "current", "this year operating costs", "came to", "come to", "now", "came in at", "are now"];
#[rustfmt::skip]
const STOP: &[&str] = &["stop", "expense stop", "base year stop", "base year", "base year expenses", "base year costs", "base year opex", "base stop", "base"];

#[rustfmt::skip]
pub(crate) static EXPENSE_STOP: Form = Form {
    name: "expense_stop",
    is: |words| words.says(&["expense stop", "base year stop", "base year", "stop", "base stop"]) && words.says(&["expense", "expenses", "opex", "costs", "tax bill", "taxes", "property taxes", "real estate taxes", "operating costs", "reimburse", "reimbursement", "recovery", "pass through", "stop"]) && !words.has(&["cpi", "index", "noi", "loan", "irr", "wrong"]),
    goals: &[(Reimbursement, &["share of the increase", "increase", "reimburse", "reimbursement", "excess", "excess charge", "charge", "expense charge", "recovery", "owe", "pass through", "escalation charge", "pay", "bill"])],
    inputs: &[
        (StopPsf, STOP),
        (StopTotal, STOP),
        (ActualPsf, ACTUAL),
        (ActualTotal, ACTUAL),
        (ProRata, &["share", "pro rata share", "pro rata", "of the building"]),
    ],
    leads: &[(StopPsf, &["stop is", "stop of", "stop at", "went from", "from", "up from"]), (StopTotal, &["stop is", "stop of", "went from", "from", "up from"]), (ActualPsf, &["to"]), (ActualTotal, &["to"]), (ProRata, &["occupies", "leases"])],
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
