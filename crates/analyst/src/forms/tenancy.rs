//! A tenancy's rent: conversion between its units, allowances repaid as rent, holdover, free rent, trade-out.

use crate::forms::effective::IMPROVEMENT;
use crate::forms::form::{Form, Sheet};
use crate::forms::leases::{RISE, RISE_LEADS};
use crate::forms::words::Words;
use crate::words::scan::{Base, Per, Shape};
use finance::variable::Variable::*;

#[rustfmt::skip]
pub(crate) static ALLOWANCE: Form = Form {
    name: "allowance",
    is: |words| {
        let repaid = words.says(&["repaid", "repay", "repays", "amortize", "amortise", "amortized", "amortised", "amortizing", "amortising", "pay back", "paid back", "finances", "financed", "unamortized", "unamortised", "additional rent"]);
        repaid && (words.says(IMPROVEMENT) || words.says(&["commissions", "leasing costs", "fit out"])) && !words.says(&["net effective", "ner", "noi", "effective rent", "price", "mortgage"])
    },
    goals: &[
        (AllowancePayment, &["monthly payment", "payment", "per month", "monthly", "additional rent per month", "monthly rent", "a month"]),
        (AllowanceAnnual, &["annual payment", "additional rent per year", "per year", "a year", "annual additional rent"]),
        (AllowanceRent, &["per sf per year", "additional rent per sf", "per sf", "psf", "per square foot", "per foot", "additional rent psf", "sf year", "sf yr"]),
        (Unamortized, &["unamortised balance", "unamortized balance", "unamortised", "unamortized", "unrecovered", "balance left"]),
    ],
    inputs: &[
        (Allowance, IMPROVEMENT),
        (Allowance, &["commissions", "commission", "leasing costs", "legal fees", "legal", "of commissions"]),
        (AllowancePsf, IMPROVEMENT),
        (Rate, &["interest", "rate", "interest rate", "annual interest"]),
        (AllowanceMonths, &["term", "lease", "lease term", "months", "over"]),
        (ElapsedMonths, &["after month", "after", "elapsed", "at month", "leaves after month", "terminates after month", "in month"]),
    ],
    leads: &[(Rate, &["at", "bearing"]), (AllowancePsf, &["extra", "additional"]), (Allowance, &["extra", "additional"])],
    bare: &[Rate, AllowanceMonths, PoolArea],
    sums: &[Allowance],
    settle: |words, sheet| {
        let plain = words.says(&["straight line", "without interest", "no interest", "interest free", "straightline"]);
        if sheet.wants(Unamortized) && (sheet.has(Rate) || !plain) {
            sheet.doubt("I work out the unamortized balance of improvements in a straight line, without interest. Should I do so here?");
        }
        if !sheet.wants(Unamortized) && plain {
            sheet.doubt("Without interest the amount is spread evenly. Is that what you want, and over how many months?");
        }
    },
};

#[rustfmt::skip]
pub(crate) static HOLDOVER: Form = Form {
    name: "holdover",
    is: |words| (words.has(&["holdover", "holdovers"]) || words.says(&["holds over", "holding over", "hold over", "held over"])) && words.numbers().any(|at| words.number(at).is_some_and(|number| number.shape == Shape::Percent)) && !words.has(&["walt", "wale", "wault", "leases", "weighted"]),
    goals: &[(HoldoverRent, &["holdover rent", "holdover", "rent", "total", "owe", "holdover charge"])],
    inputs: &[
        (HoldoverShare, &["holdover", "holdover rate", "holdover at", "of rent", "of the rent", "of base rent", "of the last rent", "of current rent"]),
        (PassingMonthly, &["monthly rent", "rent per month", "rent"]),
        (PassingAnnual, &["annual rent", "yearly rent"]),
        (HoldoverMonths, &["months", "stay", "past expiry", "stays", "past expiration", "after expiry"]),
    ],
    leads: &[(HoldoverShare, &["at", "holdover at"]), (PassingMonthly, &["pays", "pay", "paying", "rent of"])],
    bare: &[HoldoverShare, PassingMonthly, HoldoverMonths],
    sums: &[],
    settle: |words, sheet| {
        if !sheet.has(HoldoverMonths) && (words.has(&["monthly"]) || words.says(&["per month", "a month"])) && !words.has(&["total"]) {
            sheet.put(HoldoverMonths, 1.0);
            sheet.remark("Per month.");
        }
    },
};

#[rustfmt::skip]
pub(crate) static FREE_RENT: Form = Form {
    name: "free_rent",
    is: |words| {
        // "Total base rent, no free rent?" asks for the rent.
        let denied = words.says(&["no free rent", "no free months", "without free rent", "zero free rent", "no abatement", "no rent abatement", "no concessions"]) && words.says(&["total rent", "total base rent", "total rents", "rent over the term", "cumulative rent", "aggregate rent"]);
        let free = !denied && words.says(&["free", "free rent", "rent free", "abated", "abatement", "abate", "concession", "rent holiday"]);
        let asks = words.says(&["worth", "value of", "cost", "costs", "how much", "in dollars", "total concession", "concession value", "dollar value", "value"]);
        free && asks && !words.says(&["effective", "ner", "noi", "egi", "gpr", "price", "cap", "discount", "irr", "npv", "debt free", "ti", "commission", "broker", "loan", "interest free", "property"]) && !words.says(RISE) && !words.says(RISE_LEADS)
            && words.numbers().any(|at| words.number(at).is_some_and(|number| matches!(number.shape, Shape::Months | Shape::Years)))
    },
    goals: &[(FreeRentValue, &["abatement", "free rent", "worth", "value", "concession", "cost"])],
    inputs: &[
        (FreeMonths, &["free", "free rent", "abated", "rent free", "abatement", "of free rent", "months free", "of abatement", "rent holiday"]),
        (PassingMonthly, &["monthly rent", "rent per month", "rent"]),
        (PassingAnnual, &["annual rent", "yearly rent"]),
    ],
    leads: &[],
    bare: &[PassingPsf, PassingMonthly, PoolArea],
    sums: &[],
    settle: one_period,
};

/// A rent without a period is not computed with.
fn one_period(words: &Words, sheet: &mut Sheet) {
    if words.says(&["quarterly rent", "rent per quarter", "per quarter", "a quarter"]) {
        // Four quarters make the year's rent, by whichever name the amount was taken.
        let given = [PassingAnnual, PassingMonthly]
            .into_iter()
            .find(|own| sheet.has(*own));
        let left = sheet.left.iter().copied().find(|at| {
            words
                .number(*at)
                .is_some_and(|number| number.shape == Shape::Money)
        });
        let rent = given
            .and_then(|own| sheet.deal.values.remove(&own).map(|given| given.value))
            .or_else(|| left.and_then(|at| words.number(at)).map(|number| number.value));
        if let Some(rent) = rent {
            sheet.put(PassingAnnual, rent * 4.0);
            if let Some(at) = left {
                sheet.take(at);
            }
            sheet.remark("The rent of a quarter, times four for a year.");
            return;
        }
    }
    let open = words
        .numbers()
        .filter_map(|at| words.number(at))
        .any(|number| number.shape == Shape::Money && number.per.is_none() && number.base.is_none());
    let monthly = words.says(&[
        "monthly rent",
        "rent per month",
        "monthly base rent",
        "base rent per month",
        "monthly rental",
    ]);
    let yearly = words.says(&[
        "annual rent",
        "yearly rent",
        "rent per year",
        "annual base rent",
        "base rent per year",
    ]);
    if open && !monthly && !yearly && (sheet.has(PassingAnnual) || sheet.has(PassingMonthly)) {
        sheet.doubt("Is the rent per month or per year?");
    }
    let each = words
        .numbers()
        .filter_map(|at| words.number(at))
        .any(|number| number.base == Some(Base::Area) && number.every.is_none());
    if each && sheet.has(PassingPsf) {
        sheet.remark("The rent per square foot is taken as that of a year.");
    }
}

#[rustfmt::skip]
pub(crate) static TRADE_OUT: Form = Form {
    name: "trade_out",
    is: |words| words.says(&["trade out", "tradeout", "lease trade", "trade outs", "tradeouts"]),
    goals: &[(TradeOut, &["trade out", "lease trade out", "tradeout", "lease tradeout", "trade outs"])],
    inputs: &[
        (OldRent, &["old", "old lease", "old rent", "prior", "prior lease", "prior rent", "previous", "previous lease", "previous rent", "expiring", "expiring lease", "expiring rent", "former", "outgoing", "outgoing rent", "was"]),
        (NewRent, &["new", "new lease", "new rent", "new one", "signed at", "signed", "incoming", "now", "renewal", "replacement"]),
    ],
    leads: &[(OldRent, &["from", "paid", "was"]), (NewRent, &["to", "pays", "now pays", "signed at", "at"])],
    bare: &[],
    sums: &[],
    settle: |_, _| {},
};

/// "Monthly rent of 9,750": a plain amount right behind the name of a rent with its period.
fn named_rent(words: &Words, at: usize) -> bool {
    let plain = words
        .number(at)
        .is_some_and(|number| number.shape == Shape::Plain && number.value >= 100.0);
    let named = |to: usize| {
        [
            "monthly rent",
            "rent per month",
            "monthly base rent",
            "annual rent",
            "rent per year",
            "yearly rent",
            "annual base rent",
        ]
        .iter()
        .any(|phrase| {
            let parts: Vec<&str> = phrase.split(' ').collect();
            to.checked_sub(parts.len())
                .is_some_and(|from| words.at(from, &parts) == Some(to))
        })
    };
    let link =
        |at: usize| matches!(words.word(at), "of" | "is") || words.mark(at, ':') || words.mark(at, '=');
    plain
        && (named(at)
            || at
                .checked_sub(1)
                .is_some_and(|before| link(before) && named(before)))
}

#[rustfmt::skip]
pub(crate) static CONVERSION: Form = Form {
    name: "rent_conversion",
    is: |words| {
        let rents = words.numbers().filter(|at| words.number(*at).is_some_and(|number| number.shape == Shape::Money && (number.per.is_some() || number.dollars)) || named_rent(words, *at)).count();
        let areas = words.numbers().filter(|at| words.number(*at).is_some_and(|number| number.shape == Shape::Area)).count();
        let each = words.numbers().any(|at| words.number(at).is_some_and(|number| number.base == Some(Base::Area)));
        let asks = words.says(&["monthly rent", "rent per month", "annual rent", "yearly rent", "rent per year", "per month", "per year", "sf yr", "sf year", "sf mo", "sf month", "psf", "per sf", "per square foot", "a month", "a year", "rent", "monthly", "annually", "per annum", "per foot"]);
        let tenancy = words.has(&["rent", "rents", "tenant", "lease", "leases", "pays", "nnn", "rental"]) || each || (areas == 1 && words.says(&["per sf per year", "per sf", "psf", "per foot", "per square foot"]));
        let other = words.says(RISE) || words.says(RISE_LEADS) || words.has(&["price", "cost", "noi", "cap", "sold", "bought", "value", "worth", "ti", "free", "commission", "hard", "opex", "expenses", "loan", "market", "units", "average", "sales", "median", "mean", "building", "property", "properties", "our", "we", "portfolio"]);
        rents == 1 && words.numbers().count() == rents + areas && areas <= 1 && (areas == 1 || each) && asks && tenancy && !other
    },
    goals: &[
        (PassingMonthly, &["monthly rent", "rent per month", "per month", "a month", "monthly", "monthly payment", "each month"]),
        (PassingAnnual, &["annual rent", "yearly rent", "rent per year", "per year", "a year", "annually", "per annum", "rent a year", "annual"]),
        (PassingPsfMonth, &["sf month", "sf mo", "per sf per month", "psf per month", "per square foot per month", "per sf a month", "rent per sf per month", "rent per square foot per month", "rent psf per month", "monthly rent per sf", "monthly rent per square foot", "monthly rent psf"]),
        (PassingPsf, &["annual rent per sf", "annual rent per square foot", "annual rent psf", "yearly rent per sf", "yearly rent per square foot", "rent per sf", "rent per square foot", "rent psf", "rent per sf per year", "rent per square foot per year", "rent psf per year", "sf yr", "sf year", "sf per year", "sf a year", "psf", "per sf", "per square foot", "per sf per year", "psf per year", "per square foot per year", "psf pa", "per foot", "per sf and year", "rate per foot"]),
    ],
    inputs: &[
        (PassingMonthly, &["monthly rent", "rent per month", "monthly base rent", "base rent per month", "monthly rental"]),
        (PassingAnnual, &["annual rent", "yearly rent", "rent per year", "annual base rent", "base rent per year"]),
    ],
    leads: &[],
    bare: &[PassingMonthly, PassingAnnual, PassingPsf, PoolArea],
    sums: &[],
    settle: |words, sheet| {
        one_period(words, sheet);
        if sheet.goals.len() > 1 {
            sheet.doubt("Which do you want: the rent per month, per year, or per square foot?");
        }
        // "the rent": which one has to be said.
        let said = words.has(&["month", "monthly", "year", "annual", "annually", "yearly", "annum", "yr", "mo", "psf", "sf", "foot"]);
        if !said {
            sheet.doubt("Do you want the rent per month, per year, or per square foot?");
        }
        let monthly = words.numbers().filter_map(|at| words.number(at)).any(|number| number.base == Some(Base::Area) && number.every == Some(Per::Month));
        if monthly && sheet.wants(PassingPsf) && sheet.has(PassingPsf) {
            sheet.deal.set(PassingPsfMonth, sheet.value(PassingPsf).unwrap_or(0.0) / 12.0, crate::read::given::QUESTION);
            sheet.deal.values.remove(&PassingPsf);
        }
    },
};
