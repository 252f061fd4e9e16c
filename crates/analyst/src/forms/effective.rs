//! Net effective rent: what a lease pays after free rent, cash concessions, improvements and commissions.
//!
//! A concession that is named and not understood is asked about.

use crate::forms::form::{Form, Sheet};
use crate::forms::leases::{ANNUAL, BASE, BASE_LEADS, MONTHLY, RISE, RISE_LEADS, spacing};
use crate::forms::words::Words;
use crate::lists::around::{before, behind};
use crate::words::scan::{Per, Shape};
use finance::variable::Variable::{self, *};

#[rustfmt::skip]
pub(crate) const IMPROVEMENT: &[&str] = &["ti", "tis", "ti allowance", "tenant improvement", "tenant improvements", "tenant improvement allowance", "improvement allowance", "tenant allowance", "allowance", "build out", "buildout", "fit out", "improvements", "work letter", "of ti", "landlord contribution", "landlord's contribution", "contribution", "capital contribution", "fitout contribution", "incentive payment", "tenant's improvements", "for the tenant's improvements", "for improvements", "landlord pays", "the landlord pays", "landlord contributes", "landlord gives", "landlord funds"];
#[rustfmt::skip]
const COMMISSION: &[&str] = &["commission", "commissions", "leasing commission", "leasing commissions", "lc", "lcs", "brokerage", "broker", "broker fee", "broker fees", "leasing fee", "leasing fees", "agent fee", "agent fees", "agent's fee", "agency fee", "letting fee", "letting fees", "agents", "agents cost", "to the brokers", "brokers", "to brokers", "agents' fees", "letting agents"];
#[rustfmt::skip]
const NER: &[&str] = &["net effective rent", "net effective", "ner", "effective rent", "net effective rental rate", "effective rate", "net effective annual rent", "net effective monthly rent", "effective monthly rent", "effective annual rent"];
#[rustfmt::skip]
const FREE: &[&str] = &["free", "free rent", "of free rent", "rent free", "abatement", "abated", "abated rent", "rent abatement", "months free", "free months", "concession", "abate", "rent holiday", "rent free period", "free period", "free upfront", "free up front", "gratis"];
#[rustfmt::skip]
const CASH: &[&str] = &["credit", "move in credit", "rent credit", "gift card", "gift", "gift card concession", "off", "off the first month", "rebate", "cash back", "cashback", "move in special", "cash concession", "bonus", "signing bonus", "look and lease", "one time concession", "upfront concession", "concession"];

#[rustfmt::skip]
pub(crate) static NET_EFFECTIVE: Form = Form {
    name: "net_effective_rent",
    is: |words| words.says(&["net effective", "effective rent", "ner", "effective monthly rent", "effective annual rent"]),
    goals: &[(NetEffectiveRent, NER)],
    inputs: &[
        (BaseRentPsf, BASE),
        (BaseAnnualRent, BASE),
        (BaseAnnualRent, ANNUAL),
        (BaseMonthlyRent, BASE),
        (BaseMonthlyRent, MONTHLY),
        (RentGrowth, RISE),
        (StepPsf, RISE),
        (LeaseYears, &["lease", "term", "lease term", "deal"]),
        (FreeMonths, FREE),
        (CashConcession, CASH),
        (Improvement, IMPROVEMENT),
        (ImprovementPsf, IMPROVEMENT),
        (Commission, COMMISSION),
        (CommissionPsf, COMMISSION),
        (CommissionShare, COMMISSION),
        (DiscountRate, &["discount rate", "discount"]),
    ],
    leads: &[
        (BaseRentPsf, BASE_LEADS),
        (BaseAnnualRent, BASE_LEADS),
        (BaseMonthlyRent, BASE_LEADS),
        (RentGrowth, RISE_LEADS),
        (StepYears, &["every"]),
        (DiscountRate, &["discounted at", "discount at", "discounting at", "discounted monthly at", "monthly discounting at", "discount monthly at", "discount rate of"]),
    ],
    bare: &[LeaseYears, Area, BaseRentPsf, BaseMonthlyRent],
    sums: &[CashConcession],
    settle,
};

/// "pays $200,000 in commissions": a cost is named right behind its amount, whatever the verb says.
fn costs_named(words: &Words, sheet: &mut Sheet) {
    for at in words.numbers() {
        let said = format!("“{}”", words.said(at));
        let near = behind(words, at, 3);
        let is = |nouns: &[&str]| near.iter().any(|word| nouns.contains(word));
        let own = match (is(COMMISSION), is(IMPROVEMENT)) {
            (true, false) => Commission,
            (false, true) => Improvement,
            _ => continue,
        };
        // "$28 psf … $52,000 total in commissions": no second rent.
        let rent = words.number(at).zip(sheet.value(BaseAnnualRent));
        if sheet.has(BaseRentPsf) && rent.is_some_and(|(number, rent)| (number.value - rent).abs() < 0.5) {
            sheet.deal.values.remove(&BaseAnnualRent);
            if let Some(number) = words.number(at) {
                sheet.put(own, number.value);
            }
            continue;
        }
        let torn = sheet
            .deal
            .doubts
            .iter()
            .position(|doubt| doubt.contains(&said) && doubt.contains(own.label()));
        if let (Some(torn), Some(number)) = (torn, words.number(at)) {
            sheet.deal.doubts.remove(torn);
            sheet.put(own, number.value);
            sheet.take(at);
        }
    }
}

/// "A 12 month lease … spread over the 12 months": the term, once more.
fn said_again(words: &Words, sheet: &mut Sheet) {
    let Some(term) = sheet.value(LeaseYears) else {
        return;
    };
    for at in sheet.left.clone() {
        let again = words.number(at).is_some_and(|number| match number.shape {
            Shape::Years => (number.value - term).abs() < 1e-9,
            Shape::Months => (number.value / 12.0 - term).abs() < 1e-9,
            _ => false,
        });
        let over = before(words, at, 3).iter().any(|word| {
            matches!(
                *word,
                "over"
                    | "across"
                    | "through"
                    | "throughout"
                    | "those"
                    | "these"
                    | "full"
                    | "whole"
                    | "entire"
                    | "all"
            )
        });
        if again && over {
            sheet.take(at);
        }
    }
}

/// "no free rent", "without TI".
fn denied(words: &Words, nouns: &[&str]) -> bool {
    ["no", "without", "zero", "or"].iter().any(|no| {
        nouns
            .iter()
            .any(|noun| words.find(&format!("{no} {noun}")).is_some())
    })
}

/// "4,800 sf, 29.50 w/ 3% bumps": beside costs by the foot, the one number without a place is the rent by the foot.
fn lone_rent(words: &Words, sheet: &mut Sheet) {
    if [BaseRentPsf, BaseAnnualRent, BaseMonthlyRent]
        .iter()
        .any(|own| sheet.has(*own))
    {
        return;
    }
    let feet = sheet.has(ImprovementPsf) || sheet.has(CommissionPsf) || sheet.has(Area);
    let left: Vec<usize> = sheet
        .left
        .iter()
        .copied()
        .filter(|at| {
            words.number(*at).is_some_and(|number| {
                matches!(number.shape, Shape::Plain | Shape::Money)
                    && !number.spelled
                    && number.base.is_none()
            })
        })
        .collect();
    if let [at] = left.as_slice()
        && feet
        && let Some(number) = words
            .number(*at)
            .filter(|number| (5.0..400.0).contains(&number.value) && !number.scaled)
    {
        sheet.put(BaseRentPsf, number.value);
        sheet.take(*at);
    }
}

fn settle(words: &Words, sheet: &mut Sheet) {
    costs_named(words, sheet);
    said_again(words, sheet);
    lone_rent(words, sheet);
    discounting(words, sheet);
    own_period(words, sheet);
    gross_commission(words, sheet);
    stepping(words, sheet);
    weeks(words, sheet);
    concessions(words, sheet);
    when_free(words, sheet);
    let monthly = sheet.has(BaseMonthlyRent);
    let totals = monthly || sheet.has(BaseAnnualRent);
    // Two rents that do not agree: the one is something else.
    if let (Some(each), Some(all), Some(area)) = (
        sheet.value(BaseRentPsf),
        sheet.value(BaseAnnualRent),
        sheet.value(Area),
    ) && (each * area - all).abs() > 0.01 * all.abs()
    {
        sheet.doubt(
            "Two different rents are told, per square foot and in total. Which of the amounts is the rent?",
        );
    }
    sheet.assume(RentGrowth, 0.0, "");
    sheet.assume(FreeMonths, 0.0, "");
    let parts: [(&[Variable], Variable); 2] = [
        (
            &[Improvement, ImprovementPsf],
            if totals { Improvement } else { ImprovementPsf },
        ),
        (
            &[Commission, CommissionPsf, CommissionShare],
            if totals { Commission } else { CommissionPsf },
        ),
    ];
    let mut none: Vec<&str> = Vec::new();
    for ((any, own), (nouns, name)) in parts
        .into_iter()
        .zip([(IMPROVEMENT, "tenant improvements"), (COMMISSION, "commission")])
    {
        if !any.iter().any(|variable| sheet.has(*variable)) {
            sheet.assume(own, 0.0, "");
            let short = monthly && sheet.value(LeaseYears).is_some_and(|years| years <= 2.0);
            let left_out = any.iter().any(|variable| sheet.excluded.contains(variable));
            if !(short || left_out || denied(words, nouns)) {
                none.push(name);
            }
        }
    }
    if !none.is_empty() {
        sheet.remark(&format!("Not given, so counted as none: {}.", none.join(" and ")));
    }
    if totals && sheet.wants(NetEffectiveRent) {
        let each = words.has(&["psf", "sf", "foot"]) && sheet.has(Area);
        if each && !monthly {
            // Spread over the area, the rent of the year is that of each square foot.
            let area = sheet.value(Area).unwrap_or(1.0);
            if area > 0.0
                && let Some(rent) = sheet.value(BaseAnnualRent)
            {
                sheet.put(BaseRentPsf, rent / area);
                sheet.deal.values.remove(&BaseAnnualRent);
            }
            return;
        }
        if each {
            return sheet.doubt("Please give the rent per square foot and year.");
        }
        let own = if monthly {
            NetEffectiveMonthly
        } else {
            NetEffectiveAnnual
        };
        sheet.replace_goal(NetEffectiveRent, own);
        sheet.names.push((own, NetEffectiveRent.word()));
    }
}

/// Steps every so many years; an amount that steps, or a percentage of such rents, is not worked out.
fn stepping(words: &Words, sheet: &mut Sheet) {
    spacing(words, sheet);
    if sheet.value(StepYears) == Some(1.0) || sheet.value(RentGrowth).unwrap_or(0.0) == 0.0 {
        sheet.deal.values.remove(&StepYears);
    }
    let beside = [DiscountRate, CashConcession, CommissionShare];
    if sheet.has(StepYears) && beside.iter().any(|other| sheet.has(*other)) {
        sheet.doubt("With steps after several years I work out the plain net effective rent only: without a discount rate, cash concessions, or a commission in percent.");
    }
}

/// "six weeks free": 52 weeks are twelve months.
fn weeks(words: &Words, sheet: &mut Sheet) {
    for at in sheet.left.clone() {
        let Some(number) = words.number(at).filter(|number| number.shape == Shape::Days) else {
            continue;
        };
        let free = (1..=3).any(|ahead| {
            matches!(
                words.word(at + ahead),
                "free" | "gratis" | "abated" | "abatement" | "concession"
            )
        });
        let said = words.said(at).to_lowercase();
        if free && said.contains("week") && !sheet.has(FreeMonths) {
            sheet.put(FreeMonths, number.value / 7.0 * 12.0 / 52.0);
            sheet.take(at);
            sheet.remark("Weeks are counted as 12/52 of a month.");
        }
    }
}

/// Free months that come each year, or last.
fn when_free(words: &Words, sheet: &mut Sheet) {
    let Some(free) = sheet.value(FreeMonths).filter(|free| *free > 0.0) else {
        return;
    };
    let level =
        sheet.value(RentGrowth).unwrap_or(0.0) == 0.0 && !sheet.has(StepPsf) && !sheet.has(DiscountRate);
    let near = |words_: &[&str]| {
        words.numbers().any(|at| {
            let month = words
                .number(at)
                .is_some_and(|number| number.shape == Shape::Months);
            month
                && (1..=7)
                    .map_while(|ahead| {
                        (!words.mark(at + ahead, ',') && !words.mark(at + ahead, '.')).then_some(at + ahead)
                    })
                    .chain((1..=2).filter_map(|back| at.checked_sub(back)))
                    .any(|at| words_.contains(&words.word(at)))
        })
    };
    if near(&["each", "every", "annually", "yearly"])
        || words.says(&[
            "free per year",
            "free a year",
            "free rent per year",
            "free rent a year",
        ])
    {
        match sheet.value(LeaseYears) {
            Some(years) if level => {
                sheet.put(FreeMonths, free * years);
                sheet.remark("The free months are counted in each year of the term.");
            }
            _ => sheet.doubt("I count free months at the start of the lease; here they come each year. How many are free in all?"),
        }
    } else if !level && near(&["last", "final", "end"]) {
        sheet.doubt(
            "I count free months at the start of the lease, at the rent then due. Should I do so here?",
        );
    }
}

fn discounting(words: &Words, sheet: &mut Sheet) {
    let undiscounted = words.has(&["undiscounted", "simple", "straight"])
        || words.says(&[
            "no discounting",
            "not discounted",
            "without discounting",
            "straight line",
        ])
        || (words.has(&["nominal"]) && !sheet.has(DiscountRate));
    if undiscounted && sheet.has(DiscountRate) {
        sheet.doubt("Should the net effective rent be discounted or not?");
    }
    if !undiscounted
        && !sheet.has(DiscountRate)
        && (words.has(&["discounted"]) || words.says(&["present value", "pv"]))
    {
        sheet.deal.missing.push(DiscountRate);
    }
    let yearly = words.says(&[
        "annually in arrears",
        "yearly in arrears",
        "level annual payment",
        "annual payments",
        "paid annually",
        "paid yearly",
        "annually in advance",
    ]);
    let year_end = words.says(&[
        "annually in arrears",
        "yearly in arrears",
        "once a year at year end",
        "once a year at the year end",
        "once a year at the end",
        "at each year end",
        "at every year end",
        "at the end of each year",
        "at the end of every year",
        "paid at year end",
        "paid at the end of the year",
        "year end payments",
    ]);
    if sheet.has(DiscountRate) && year_end && !words.says(&["in advance", "monthly"]) {
        sheet.put(YearEndRent, 1.0);
        sheet.remark("The rent of each year is paid once, at its end.");
    } else if sheet.has(DiscountRate) && (yearly || words.says(&["once a year", "once per year", "year end"]))
    {
        sheet.doubt("I discount rents that are paid monthly in arrears. Should I do so here?");
    } else if sheet.has(DiscountRate) && words.says(&["in advance"]) {
        sheet
            .doubt("I discount rents that are paid monthly in arrears, not in advance. Should I do so here?");
    } else if !sheet.has(DiscountRate) {
        sheet.remark("Not discounted.");
    }
}

/// A rent without a period is a month's in a short lease and in a question for the month.
fn own_period(words: &Words, sheet: &mut Sheet) {
    // "12 months at $1,950": no square foot costs that much.
    let area = sheet.has(Area) || words.says(&["per square foot", "psf", "per sf"]);
    let short = sheet.value(LeaseYears).is_some_and(|years| years <= 2.0);
    if short
        && !area
        && sheet.value(BaseRentPsf).is_some_and(|rent| rent >= 300.0)
        && !sheet.has(BaseMonthlyRent)
    {
        sheet.rename(BaseRentPsf, BaseMonthlyRent);
        sheet.remark("The rent is taken as that of a month.");
    }
    let Some(rent) = sheet.value(BaseAnnualRent) else {
        return;
    };
    let said = words
        .numbers()
        .filter_map(|at| words.number(at))
        .any(|number| (number.value - rent).abs() < 1e-9 && matches!(number.per, Some(Per::Year)));
    if said || words.says(ANNUAL) || words.says(&["annual rent", "a year", "per year", "per annum"]) {
        return;
    }
    let monthly = words.has(&["monthly"]) || words.says(&["per month", "a month", "each month"]);
    let short = sheet.value(LeaseYears).is_some_and(|years| years <= 2.0);
    if rent < 30_000.0 && (monthly || short) {
        sheet.rename(BaseAnnualRent, BaseMonthlyRent);
        sheet.remark("The rent is taken as that of a month.");
    } else if rent < 20_000.0 {
        sheet.doubt("Is the rent per month or per year?");
    }
}

/// "6% of total gross rent (before free rent)": of all rents, the free ones too.
fn gross_commission(words: &Words, sheet: &mut Sheet) {
    let gross = words.says(&[
        "before free rent",
        "gross rent",
        "total gross rent",
        "aggregate gross rent",
        "before abatement",
        "of gross",
    ]);
    let Some(share) = sheet.value(CommissionShare).filter(|_| gross) else {
        return;
    };
    let rise = sheet.value(RentGrowth).unwrap_or(0.0);
    let level = rise == 0.0;
    // Rents that rise once a year are summed year by year.
    let steps = !level && !sheet.has(StepPsf) && !sheet.has(StepYears);
    let summed = |years: f64| -> Option<f64> {
        if level && !sheet.has(StepPsf) {
            return Some(years);
        }
        (steps && years.fract() == 0.0 && (1.0..=100.0).contains(&years))
            .then(|| (0..years as i32).map(|year| (1.0 + rise).powi(year)).sum())
    };
    let years = sheet.value(LeaseYears).and_then(summed);
    let rent = [(BaseRentPsf, CommissionPsf), (BaseAnnualRent, Commission)]
        .into_iter()
        .find_map(|(own, commission)| sheet.value(own).map(|rent| (rent, commission)));
    match (rent, years) {
        (Some((rent, commission)), Some(years)) => {
            sheet.deal.values.remove(&CommissionShare);
            sheet.put(commission, share * rent * years);
            sheet.remark("The commission is taken of all rents of the term, before free rent.");
        }
        _ if sheet.has(FreeMonths) => {
            sheet.doubt(
                "I take a commission in percent of the rents after free rent; please give its amount.",
            );
        }
        _ => {}
    }
}

/// "$50 off each month"; and what is named and has no amount.
fn concessions(words: &Words, sheet: &mut Sheet) {
    let monthly = words
        .numbers()
        .filter_map(|at| words.number(at).map(|number| (at, number)))
        .find(|(at, number)| {
            number.shape == Shape::Money
                && words.word(at + 1) == "off"
                && (2..=4).any(|ahead| matches!(words.word(at + ahead), "each" | "every" | "monthly"))
        });
    if let (Some((_, number)), Some(years)) = (monthly, sheet.value(LeaseYears)) {
        sheet.put(CashConcession, number.value * (years * 12.0).round());
    }
    let named = words.has(&[
        "free",
        "abated",
        "abatement",
        "off",
        "half",
        "credit",
        "gift",
        "concession",
        "concessions",
        "rebate",
        "holiday",
        "special",
        "waived",
        "incentive",
        "gratis",
        "bonus",
    ]);
    let none = denied(words, FREE)
        || denied(words, CASH)
        || denied(words, &["concessions", "free", "abatement", "incentives"]);
    let left_out = sheet.excluded.contains(&FreeMonths) || sheet.excluded.contains(&CashConcession);
    if named && !none && !left_out && !sheet.has(FreeMonths) && !sheet.has(CashConcession) {
        sheet.doubt("A concession is named: how many months are free, or how much is it worth?");
    }
}
