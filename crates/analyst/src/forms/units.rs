//! Units and their leases: loss to lease, retention, vacancy.

use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use finance::variable::Variable::*;

#[rustfmt::skip]
pub(crate) static LOSS_TO_LEASE: Form = Form {
    name: "loss_to_lease",
    is: |words| words.says(&["loss to lease", "gain to lease", "ltl"]) && !words.has(&["noi", "egi", "economic"]),
    goals: &[
        (LossToLease, &["loss to lease", "gain to lease", "ltl"]),
        (LossToLeaseShare, &["loss to lease percentage", "loss to lease percent", "loss to lease pct", "percent loss to lease", "percentage loss to lease", "percentage", "percent", "ltl percentage", "ltl percent", "ltl pct"]),
    ],
    inputs: &[
        (MarketRent, &["market rent", "market rents", "market", "asking rent", "asking rents", "street rent", "street rents", "market rate"]),
        (ContractRent, &["contract rent", "contract rents", "contract", "in place", "in place rent", "in place rents", "actual rent", "actual rents", "current rent", "current rents", "lease rent", "leased rent", "lease rents", "leases", "existing rent", "existing rents", "lease", "average lease", "avg lease", "average leases", "leases average"]),
        (OccupiedUnits, &["occupied units", "occupied", "units", "leased units", "apartments"]),
    ],
    leads: &[
        (MarketRent, &["market is", "market at"]),
        (ContractRent, &["paying", "pay", "leased at", "rented at", "signed at"]),
    ],
    bare: &[OccupiedUnits],
    sums: &[],
    settle: settle_loss,
};

/// "40 units are rented 150 a month below market": the one amount is what each of them lacks.
fn below_market(words: &Words, sheet: &mut Sheet) {
    use crate::words::scan::{Per, Shape};
    let says = words.says(&[
        "below market",
        "under market",
        "beneath market",
        "below the market",
        "under the market",
        "less than market",
        "below market rent",
        "short of market",
    ]);
    let amounts: Vec<usize> = words
        .numbers()
        .filter(|at| {
            words.number(*at).is_some_and(|number| {
                number.shape == Shape::Money
                    || number.shape == Shape::Plain && number.value >= 10.0 && number.dollars
            })
        })
        .collect();
    let [at] = amounts.as_slice() else { return };
    let Some(number) = words.number(*at).filter(|_| says && words.numbers().count() == 2) else {
        return;
    };
    if matches!(number.per, Some(Per::Year | Per::Quarter | Per::Other)) || number.scaled {
        return;
    }
    for rent in [MarketRent, ContractRent] {
        sheet.deal.values.remove(&rent);
    }
    sheet.deal.doubts.clear();
    sheet.take(*at);
    sheet.put(RentGap, number.value);
}

fn settle_loss(words: &Words, sheet: &mut Sheet) {
    below_market(words, sheet);
    let share = sheet.wants(LossToLeaseShare)
        || words.has(&["percent", "percentage", "pct"])
        || words.says(&["as a share", "of market"])
        || words.tokens.iter().any(|token| token.is_mark('%'));
    if share {
        sheet.goals = vec![LossToLeaseShare];
        return;
    }
    // The units that are not occupied lose nothing to leases.
    let more = sheet.left.iter().copied().find(|at| {
        words.number(*at).is_some_and(|number| {
            number.shape == crate::words::scan::Shape::Units
                && sheet
                    .value(OccupiedUnits)
                    .is_some_and(|occupied| number.value >= occupied)
        })
    });
    if let Some(at) = more {
        sheet.take(at);
        sheet.remark("Only the occupied units count.");
    }
    let total = words.has(&["total", "totals", "roll", "altogether"]);
    let large = sheet.value(MarketRent).is_some_and(|rent| rent > 20_000.0);
    if !sheet.has(OccupiedUnits) && (total || large) {
        sheet.assume(
            OccupiedUnits,
            1.0,
            "Both rents are taken as totals of all occupied units.",
        );
    }
    if words.has(&["annual", "annually", "yearly"]) || words.says(&["a year", "per year"]) {
        sheet.replace_goal(LossToLease, AnnualLossToLease);
        sheet.names.push((AnnualLossToLease, LossToLease.word()));
    } else {
        sheet.remark("Per month.");
    }
}

#[rustfmt::skip]
pub(crate) static COMPLEMENT: Form = Form {
    name: "occupied_share",
    is: |words| {
        use crate::words::scan::Shape;
        let shares = words.numbers().filter(|at| words.number(*at).is_some_and(|number| number.shape == Shape::Percent)).count();
        let units = words.numbers().filter(|at| words.number(*at).is_some_and(|number| number.shape == Shape::Units)).count();
        let all = words.numbers().count();
        let named = words.says(&["occupancy", "occupied", "vacancy", "vacant", "leased", "let", "empty", "full"]);
        shares == 1 && all == shares + units && units <= 1 && named && words.tokens.len() <= 25
            && !words.has(&["our", "we", "portfolio", "noi", "egi", "gpr", "rent", "rents", "income", "economic", "opex", "expenses", "break", "breakeven", "my", "properties", "which", "below", "above", "than", "under", "over", "gross", "buildings", "least"])
    },
    goals: &[
        (PhysicalOccupancy, &["occupancy", "physical occupancy", "occupancy rate", "occ", "physical occ", "occ rate"]),
        (Vacancy, &["vacancy", "vacancy rate", "physical vacancy"]),
        (VacantUnits, &["vacant", "empty", "are vacant", "vacant units", "unoccupied"]),
        (OccupiedUnits, &["occupied", "leased", "let", "are occupied", "occupied units"]),
    ],
    inputs: &[
        (VacantShare, &["vacancy", "vacant", "empty", "vacancy rate", "physical vacancy", "vacancy is"]),
        (OccupiedShare, &["occupied", "occupancy", "leased", "let", "full", "physical occupancy", "occupancy rate"]),
    ],
    leads: &[],
    bare: &[TotalUnits],
    sums: &[],
    settle: |_, sheet| {
        // Units are counted where there are any.
        if sheet.has(TotalUnits) && sheet.goals.iter().any(|goal| matches!(goal, PhysicalOccupancy | Vacancy)) {
            let wanted = if sheet.wants(Vacancy) { VacantUnits } else { OccupiedUnits };
            sheet.goals = vec![wanted];
        } else if !sheet.has(TotalUnits) && sheet.goals.iter().any(|goal| matches!(goal, VacantUnits | OccupiedUnits)) {
            sheet.deal.missing.push(TotalUnits);
        }
        // 93% of 240 units is no count of units.
        let share = sheet.value(OccupiedShare).or(sheet.value(VacantShare));
        if let (Some(share), Some(units)) = (share, sheet.value(TotalUnits))
            && (share * units - (share * units).round()).abs() > 1e-6
            && sheet.goals.iter().any(|goal| matches!(goal, VacantUnits | OccupiedUnits))
        {
            sheet.doubt("That share of the units is no whole number of them. Do you ask how many units it takes, rounded up?");
        }
    },
};

#[rustfmt::skip]
pub(crate) static RETENTION: Form = Form {
    name: "retention",
    is: |words| {
        words.says(&["retention", "retention rate", "renewal rate", "renewal ratio", "renewal percentage"])
    },
    goals: &[(Retention, &["retention", "retention rate", "tenant retention", "resident retention", "renewal rate", "renewal ratio", "renewal percentage"])],
    inputs: &[
        (ExpiringLeases, &["expired", "expiring", "ended", "expirations", "came up", "come up", "up for renewal", "leases expired", "expiring leases", "leases ended", "leases", "expire", "matured", "due"]),
        (RenewedLeases, &["renewed", "renewals", "renewing", "renew", "stayed", "were renewed", "extended"]),
        (DepartedLeases, &["moved out", "left", "did not renew", "vacated", "move outs"]),
    ],
    leads: &[],
    bare: &[],
    sums: &[],
    settle: |words, sheet| {
        if let Some((part, whole)) = part_of(words)
            && let (Some(part_value), Some(whole_value)) = (words.number(part), words.number(whole))
            && !sheet.has(DepartedLeases)
        {
            sheet.put(RenewedLeases, part_value.value);
            sheet.put(ExpiringLeases, whole_value.value);
            sheet.take(part);
            sheet.take(whole);
        }
        implausible(sheet, RenewedLeases, ExpiringLeases);
    },
};

#[rustfmt::skip]
pub(crate) static VACANCY: Form = Form {
    name: "vacancy",
    is: |words| {
        words.says(&["vacancy rate", "vacancy", "percent vacant", "vacant"])
            && (words.has(&["units", "unit", "apartments", "doors", "occupied", "leased", "empties", "homes"]) || words.counts_units())
            && !words.has(&["noi", "egi", "gpr", "income", "collected", "economic", "rent", "rents", "loss", "expenses"])
    },
    goals: &[
        (Vacancy, &["vacancy", "vacancy rate", "physical vacancy", "percent vacant", "vacant"]),
        (PhysicalOccupancy, &["occupancy", "physical occupancy", "occupancy rate", "occ", "physical occ", "occ rate"]),
    ],
    inputs: &[
        (VacantUnits, &["vacant", "vacant units", "empty", "unoccupied", "down", "are vacant", "vacancies"]),
        (OccupiedUnits, &["occupied", "leased", "rented", "occupied units", "are occupied"]),
        (TotalUnits, &["units", "total units", "total", "unit property", "unit building", "unit complex", "apartments", "doors"]),
    ],
    leads: &[],
    bare: &[TotalUnits],
    sums: &[],
    settle: |words, sheet| {
        if let Some((part, whole)) = part_of(words)
            && let (Some(some), Some(all)) = (words.number(part), words.number(whole))
        {
            sheet.deal.values.remove(&OccupiedUnits);
            sheet.deal.values.remove(&VacantUnits);
            sheet.deal.doubts.clear();
            let occupied = words.has(&["occupied", "leased", "rented"]);
            let vacant = words.says(&["are vacant", "vacant units", "is vacant", "empty", "units vacant", "sit vacant", "unoccupied", "empties"]);
            match (occupied, vacant) {
                (true, false) => sheet.put(OccupiedUnits, some.value),
                (false, true) => sheet.put(VacantUnits, some.value),
                _ => sheet.doubt("Is the first number the occupied or the vacant units?"),
            }
            sheet.put(TotalUnits, all.value);
            sheet.left.retain(|at| *at != part && *at != whole);
        }
        implausible(sheet, VacantUnits, TotalUnits);
        implausible(sheet, OccupiedUnits, TotalUnits);
    },
};

/// "12 of 150", "12 out of 150", "12/150": a part and its whole.
pub(crate) fn part_of(words: &Words) -> Option<(usize, usize)> {
    words.numbers().find_map(|part| {
        let noun = usize::from(matches!(words.word(part + 1), "of" | "out") || words.mark(part + 1, '/'));
        let from = if noun == 1 { part + 1 } else { part + 2 };
        let whole = match (words.word(from), words.word(from + 1)) {
            ("out", "of") => from + 2,
            ("of", "the" | "our" | "its") => from + 2,
            ("of", _) => from + 1,
            _ if words.mark(from, '/') => from + 1,
            _ => return None,
        };
        let (some, all) = (words.number(part)?, words.number(whole)?);
        let counts = |value: f64| value.fract() == 0.0 && value < 1e5;
        (counts(some.value) && counts(all.value) && some.value <= all.value && !some.dollars)
            .then_some((part, whole))
    })
}

fn implausible(sheet: &mut Sheet, part: finance::variable::Variable, whole: finance::variable::Variable) {
    if let (Some(some), Some(all)) = (sheet.value(part), sheet.value(whole))
        && some > all
    {
        sheet.doubt(format!(
            "The {} exceed the {}. Please check the numbers.",
            part.label(),
            whole.label()
        ));
    }
}
