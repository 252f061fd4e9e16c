//! Old debt beside new: cash out of a refinancing, one rate for several loans, the room a covenant leaves.

use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use crate::say::format;
use crate::words::scan::{Number, Shape};
use finance::variable::Variable::*;

#[rustfmt::skip]
const CASH: &[&str] = &["cash out", "how much cash", "cash do we", "cash do i", "cash to us", "pull out", "net cash", "cash back", "equity out", "cash at closing", "cash in hand", "do we take out", "left over", "net proceeds", "walk away with", "do we pull out", "cash out proceeds", "cash we get", "take home", "taken out", "net refinance proceeds", "net refinancing proceeds", "net refi proceeds", "refinance proceeds", "refinancing proceeds", "refi proceeds"];

#[rustfmt::skip]
pub(crate) static CASH_OUT: Form = Form {
    name: "cash_out",
    is: |words| {
        let again = words.has(&["refi", "refinance", "refinancing", "refinanced", "refis"]) || (words.says(&["new loan", "new mortgage", "new debt"]) && (words.says(REPAID) || words.says(OLD)));
        again && words.says(CASH) && (!words.has(&["noi"]) || words.has(&["cap"])) && !words.has(&["dscr", "irr", "1031", "boot", "exchange", "depreciation", "sell", "sale", "sold", "savings"])
    },
    goals: &[(CashOut, CASH)],
    inputs: &[
        (RefinancedLoan, &["new loan", "new mortgage", "new debt", "refi", "refinance", "loan", "refinance for", "refi for", "refinance at", "refi at", "refinancing at", "refinancing"]),
        (Ltv, &["ltv", "loan to value", "refi at", "refinance at", "refinancing at", "of value", "of the value", "of a", "leverage"]),
        (Value, &["value", "valued at", "appraisal", "appraised at", "worth", "appraised value", "valuation", "appraises at", "property value", "new value"]),
        (Noi, &["noi", "net operating income"]),
        (CapRate, &["cap rate", "cap", "capitalization rate", "market cap"]),
        (Payoff, OLD),
        (RefinancingPenalty, &["prepay penalty", "prepayment penalty", "penalty", "prepayment fee", "prepay fee", "exit fee", "prepayment premium"]),
        (RefinancingCosts, &["costs", "closing costs", "closing", "fees", "legal", "legal fees", "title", "refinancing costs", "refi costs", "financing costs", "closing cost", "transaction costs", "penalty", "prepay penalty", "prepayment penalty", "exit fee", "in costs", "loan costs", "origination fee"]),
    ],
    leads: &[(Payoff, REPAID), (RefinancedLoan, &["borrow", "borrowing"])],
    bare: &[Payoff, Value],
    sums: &[RefinancingCosts],
    settle: |words, sheet| {
        share_of_loan(words, sheet);
        sheet.assume(RefinancingCosts, 0.0, "No costs are given, so none are counted.");
        sheet.assume(RefinancingPenalty, 0.0, "");
        if !sheet.has(Payoff) {
            sheet.deal.missing.push(Payoff);
        }
    },
};

/// "Costs run 2% of the new loan", "1.5 points": a share of what is borrowed, beside costs in dollars.
fn share_of_loan(words: &Words, sheet: &mut Sheet) {
    let worth = || {
        let (noi, cap) = (sheet.value(Noi)?, sheet.value(CapRate)?);
        (cap > 0.0).then(|| noi / cap)
    };
    let loan = sheet.value(RefinancedLoan).or_else(|| {
        let (value, share) = (sheet.value(Value).or_else(worth)?, sheet.value(Ltv)?);
        Some(value * share)
    });
    let point = |at: usize| (1..=2).any(|ahead| matches!(words.word(at + ahead), "point" | "points"));
    let shares: Vec<usize> = sheet
        .left
        .iter()
        .copied()
        .filter(|at| {
            let near = (1..=5)
                .any(|ahead| matches!(words.word(at + ahead), "loan" | "mortgage" | "proceeds"))
                || (1..=2).any(|ahead| matches!(words.word(at + ahead), "origination" | "fee" | "fees"))
                || (1..=4).any(|back| {
                    at.checked_sub(back).is_some_and(|at| {
                        matches!(words.word(at), "cost" | "costs" | "fee" | "fees" | "origination")
                    })
                });
            words.number(*at).is_some_and(|number| {
                number.value <= 10.0
                    && (number.shape == Shape::Percent && near || number.shape == Shape::Plain && point(*at))
            })
        })
        .collect();
    let ([at], Some(loan)) = (shares.as_slice(), loan) else {
        if words.has(&["points", "point"]) {
            sheet.doubt("Please give the points of the new loan as an amount.");
        }
        return;
    };
    let Some(share) = words.number(*at).map(|number| number.value / 100.0) else {
        return;
    };
    let other = sheet.value(RefinancingCosts).unwrap_or(0.0);
    sheet.put(RefinancingCosts, other + share * loan);
    sheet.take(*at);
    sheet.remark("The costs that are a share count on the new loan.");
}

#[rustfmt::skip]
const OLD: &[&str] = &["existing balance", "existing loan", "existing debt", "existing mortgage", "old loan", "old balance", "old mortgage", "old debt", "current balance", "current loan", "current mortgage", "current debt", "balance", "payoff", "loan payoff", "outstanding balance", "remaining balance", "existing first", "payoff balance", "loan balance", "mortgage balance"];
#[rustfmt::skip]
const REPAID: &[&str] = &["pays off", "pay off", "paying off", "pays off a", "pay off a", "repay", "repays", "repaying", "retire", "retires", "retiring", "owe", "owes", "owing", "still owe", "we owe", "take out"];

#[rustfmt::skip]
pub(crate) static BLENDED: Form = Form {
    name: "blended_rate",
    is: |words| {
        let asked = words.says(&["blended rate", "blended interest rate", "blended interest", "blended cost", "blended coupon", "blended cost of debt", "weighted average rate", "weighted average interest", "weighted average interest rate", "weighted average cost", "weighted average coupon", "weighted rate", "weighted coupon", "average rate", "average interest rate", "average cost of debt", "wacc", "weighted cost", "blended all in", "blended debt cost", "weighted avg rate", "weighted average debt cost"]);
        let other = words.has(&["noi", "cap", "rent", "rents", "lease", "irr", "sofr", "libor", "spread", "tax", "beta", "premium", "leases", "sf"]);
        asked && !other && pairs(words).is_some()
    },
    goals: &[(BlendedRate, &["blended rate", "rate", "wacc"])],
    inputs: &[],
    leads: &[],
    bare: &[],
    sums: &[],
    settle: settle_blend,
};

/// Amounts or shares with the rate beside each, in order: every number belongs to a pair.
fn pairs(words: &Words) -> Option<Vec<(usize, usize)>> {
    let found: Vec<(usize, &Number)> = words
        .numbers()
        .filter(|at| !counts(words, *at))
        .filter_map(|at| words.number(at).map(|number| (at, number)))
        .collect();
    let rate = |number: &Number| {
        number.shape == Shape::Percent && number.per.is_none_or(|per| per == crate::words::scan::Per::Year)
    };
    let amount = |number: &Number| {
        matches!(number.shape, Shape::Money | Shape::Plain)
            && number.value > 100.0
            && number.per.is_none()
            && !number.doubtful
    };
    if found.len() < 4 || !found.len().is_multiple_of(2) {
        return None;
    }
    let mut made = Vec::new();
    for pair in found.chunks(2) {
        let [(one, first), (other, second)] = pair else {
            return None;
        };
        match () {
            () if amount(first) && rate(second) => made.push((*one, *other)),
            () if rate(first) && amount(second) => made.push((*other, *one)),
            () if rate(first) && rate(second) => made.push((*one, *other)),
            () => return None,
        }
    }
    let forward = made.iter().filter(|(weight, rate)| weight < rate).count();
    let shares = made
        .iter()
        .filter(|(weight, _)| words.number(*weight).is_some_and(&rate))
        .count();
    let whole: f64 = made
        .iter()
        .filter_map(|(weight, _)| words.number(*weight))
        .map(|number| number.value)
        .sum();
    let alike = forward == 0 || forward == made.len();
    let shared = shares == 0 || (shares == made.len() && (whole - 100.0).abs() < 1e-6);
    (alike && shared).then_some(made)
}

/// "three loans": how many there are.
fn counts(words: &Words, at: usize) -> bool {
    let few = words
        .number(at)
        .is_some_and(|number| number.shape == Shape::Plain && number.value <= 10.0 && !number.dollars);
    few && matches!(
        words.word(at + 1),
        "loans" | "tranches" | "notes" | "lenders" | "pieces" | "mortgages"
    )
}

fn settle_blend(words: &Words, sheet: &mut Sheet) {
    let Some(made) = pairs(words) else { return };
    sheet.left.retain(|at| !counts(words, *at));
    let (mut sum, mut interest) = (0.0, 0.0);
    let mut said = Vec::new();
    for (weight, rate) in made {
        let (Some(amount), Some(share)) = (words.number(weight), words.number(rate)) else {
            continue;
        };
        sum += amount.value;
        interest += amount.value * share.value / 100.0;
        said.push(format!(
            "{} at {}%",
            words.said(weight),
            format::plain(share.value, 4)
        ));
        sheet.take(weight);
        sheet.take(rate);
    }
    sheet.put(BlendedDebt, sum);
    sheet.put(BlendedInterest, interest);
    sheet.remark(&format!("Weighted: {}.", said.join("; ")));
    if words.has(&["wacc"]) {
        sheet.remark("Before tax.");
    }
}

#[rustfmt::skip]
pub(crate) static CUSHION: Form = Form {
    name: "noi_cushion",
    is: |words| {
        let asked = words.says(&["how far can", "how much can", "by how much can", "how much could", "how far could", "how much room", "cushion", "headroom", "how much would noi have to", "how far would"]);
        let falls = words.has(&["fall", "drop", "decline", "decrease", "cushion", "headroom", "room", "slip", "shrink", "lose"]);
        asked && falls && words.has(&["noi"]) && words.says(&["debt service", "ads"]) && !words.has(&["loan", "vacancy", "occupancy", "value", "ltv"])
            && !words.says(&["dscr and", "the dscr", "what dscr", "coverage and"])
    },
    goals: &[(NoiCushion, &["how far", "how much", "cushion", "headroom", "drop", "fall", "decline"]), (NoiCushionShare, &["percent", "percentage", "pct"])],
    inputs: &[
        (Noi, &["noi", "net operating income"]),
        (DebtService, &["debt service", "annual debt service", "ads"]),
        (DebtServiceLimit, &["dscr", "coverage", "covenant", "minimum", "breached", "breach", "minimum dscr", "dscr covenant", "dscr of", "below", "before"]),
    ],
    leads: &[],
    bare: &[DebtServiceLimit],
    sums: &[],
    settle: |_, sheet| {
        if sheet.goals == [NoiCushion] {
            sheet.goals.push(NoiCushionShare);
        }
        for needed in [Noi, DebtService, DebtServiceLimit] {
            if !sheet.has(needed) {
                sheet.deal.missing.push(needed);
            }
        }
    },
};
