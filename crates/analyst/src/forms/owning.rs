//! Plain sums of an owner: payback, multiples from a profit or a rate, works that raise the rent.

use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use crate::words::scan::{Per, Shape};
use finance::variable::Variable::*;

/// Positions of what can be an amount of money.
fn amounts(words: &Words) -> Vec<usize> {
    words
        .numbers()
        .filter(|at| {
            words.number(*at).is_some_and(|number| {
                number.shape == Shape::Money || (number.shape == Shape::Plain && number.value >= 100.0)
            })
        })
        .collect()
}

fn shaped(words: &Words, shape: Shape) -> usize {
    words
        .numbers()
        .filter(|at| words.number(*at).is_some_and(|number| number.shape == shape))
        .count()
}

#[rustfmt::skip]
pub(crate) static PAYBACK: Form = Form {
    name: "payback",
    is: |words| {
        let asked = words.says(&["payback", "pay for itself", "pays for itself", "paid for itself", "pay itself back", "pays itself back", "recoup the cost", "recoup our cost", "earn back", "earns back", "simple payback"]);
        asked && amounts(words).len() == 2 && !words.has(&["irr", "npv", "lp", "gp", "loan", "discounted", "growing", "tenant's"])
    },
    goals: &[(PaybackYears, &["payback", "payback period", "pay for itself", "pays for itself", "how long"])],
    inputs: &[],
    leads: &[],
    bare: &[],
    sums: &[],
    settle: settle_payback,
};

/// What comes each period is the saving; the other amount is what it costs.
fn settle_payback(words: &Words, sheet: &mut Sheet) {
    const EARNS: &[&str] = &[
        "sav", "add", "generat", "earn", "yield", "bring", "return", "produc", "cut", "reduc", "rais",
        "increas", "gain", "lift",
    ];
    let found = amounts(words);
    let [one, other] = found.as_slice() else { return };
    let period = |at: usize| -> Option<f64> {
        let number = words.number(at)?;
        if let Some(per) = number.per {
            return match per {
                Per::Year => Some(1.0),
                Per::Quarter => Some(4.0),
                Per::Month => Some(12.0),
                Per::Other => None,
            };
        }
        (1..=4).find_map(
            |ahead| match (words.word(at + ahead), words.word(at + ahead + 1)) {
                ("annually" | "yearly", _) | ("per" | "a" | "each" | "every", "year") => Some(1.0),
                ("monthly", _) | ("per" | "a" | "each" | "every", "month") => Some(12.0),
                _ => None,
            },
        )
    };
    let earned = |at: usize| {
        (1..=3)
            .filter_map(|back| at.checked_sub(back))
            .any(|before| EARNS.iter().any(|stem| words.word(before).starts_with(stem)))
    };
    let (cost, saving) = match (period(*one), period(*other)) {
        (None, Some(_)) => (*one, *other),
        (Some(_), None) => (*other, *one),
        (None, None) if earned(*other) && !earned(*one) => (*one, *other),
        (None, None) if earned(*one) && !earned(*other) => (*other, *one),
        _ => return,
    };
    let often = period(saving).unwrap_or_else(|| {
        sheet.remark("The saving is taken as that of a year.");
        1.0
    });
    let value = |at: usize| words.number(at).map_or(0.0, |number| number.value);
    sheet.put(WorksCost, value(cost));
    sheet.put(YearlySaving, value(saving) * often);
    sheet.take(cost);
    sheet.take(saving);
}

#[rustfmt::skip]
pub(crate) static MULTIPLE_RATE: Form = Form {
    name: "multiple_rate",
    is: |words| {
        let fold = words.has(&["double", "doubles", "doubled", "triple", "triples", "tripled"]);
        let multiple = shaped(words, Shape::Multiple) == 1 || (fold && shaped(words, Shape::Multiple) == 0);
        let asked = words.says(&["irr", "internal rate of return", "annual return", "annualized return", "annualised return"]);
        let other = words.has(&["noi", "cap", "dscr", "coupon", "coupons", "yield", "pref", "promote", "lp", "gp", "hurdle", "rent"]) || words.says(&["a year", "per year", "annual distributions", "cash on cash"]);
        multiple && asked && !other && shaped(words, Shape::Percent) == 0 && amounts(words).is_empty() && (shaped(words, Shape::Years) + shaped(words, Shape::YearLabel) + shaped(words, Shape::Months)) == 1
    },
    goals: &[(ImpliedIrr, &["irr", "internal rate of return", "annual return", "annualized return", "annualised return"])],
    inputs: &[(ReturnedMultiple, &["multiple", "moic", "equity multiple", "em"])],
    leads: &[],
    bare: &[ReturnedMultiple, HoldYears],
    sums: &[],
    settle: |words, sheet| {
        if !sheet.has(ReturnedMultiple) {
            if words.has(&["double", "doubles", "doubled"]) {
                sheet.put(ReturnedMultiple, 2.0);
            } else if words.has(&["triple", "triples", "tripled"]) {
                sheet.put(ReturnedMultiple, 3.0);
            }
        }
        for at in sheet.left.clone() {
            if let Some(number) = words.number(at).filter(|number| number.shape == Shape::YearLabel) {
                sheet.put(HoldYears, number.value);
                sheet.take(at);
            }
        }
        sheet.names.push((ImpliedIrr, Irr.word()));
        let whole = words.has(&["entirely", "single", "lump", "once"]) || words.says(&["at the end", "all at"]);
        if !whole && (words.has(&["even", "evenly", "level", "equally"]) || words.says(&["equal distributions", "equal annual", "equal amounts", "equal payments", "equal installments", "equal instalments", "same amount each year"])) {
            sheet.put(EvenReturns, 1.0);
            sheet.remark("It is taken to come back in equal amounts at the end of each year.");
            return;
        }
        if words.says(&["distributions", "dividends", "cash flows", "along the way", "over time", "gradually"]) {
            sheet.doubt("When does it come back: in equal amounts each year, or all at the end?");
        }
        sheet.remark("All of it is taken to come back at the end, with nothing in between.");
    },
};

/// "8% of the equity a year for five years, then 6.2m": what comes back in all, over what was put in.
#[rustfmt::skip]
pub(crate) static PAYOUT_MULTIPLE: Form = Form {
    name: "payout_multiple",
    is: |words| {
        let asked = words.says(&["multiple", "moic", "equity multiple"]);
        let yearly = words.says(&["a year", "per year", "each year", "every year", "annually", "per annum", "yearly", "annual"]);
        let sold = words.has(&["sale", "sell", "sold", "exit", "selling"]);
        asked && yearly && sold && amounts(words).len() == 2 && shaped(words, Shape::Percent) == 1 && shaped(words, Shape::Years) == 1 && words.numbers().count() == 4
            && !words.has(&["irr", "lp", "gp", "promote", "pref", "preferred", "noi", "cap", "growing", "grows", "growth", "rising", "loan", "ltv", "gpr", "rent"])
    },
    goals: &[(ProfitMultiple, &["multiple", "equity multiple", "moic"])],
    inputs: &[
        (Equity, &["equity", "invest", "invested", "investment", "capital", "equity of"]),
        (PayoutShare, &["payout", "distribution", "cash distribution", "of the equity", "of it", "of equity", "pays out", "yield", "dividend", "cash on cash", "return"]),
        (EquityProceeds, &["sale proceeds", "proceeds", "at the sale", "at sale", "sale proceeds to equity", "from the sale", "sale", "exit proceeds", "returns", "at exit"]),
    ],
    leads: &[(Equity, &["invest", "put in", "on"]), (PayoutShare, &["receive", "receives", "pays", "paying", "pays out"])],
    bare: &[HoldYears, PayoutShare],
    sums: &[],
    settle: |_, sheet| {
        sheet.goals = vec![ProfitMultiple];
        sheet.names.push((ProfitMultiple, EquityMultiple.word()));
    },
};

/// Profit from what was put in and what came back, in all.
#[rustfmt::skip]
pub(crate) static TOTAL_PROFIT: Form = Form {
    name: "total_profit",
    is: |words| {
        let asked = words.says(&["profit", "net profit", "total profit"]);
        let both = words.says(IN) && words.says(BACK);
        asked && both && amounts(words).len() == 2 && words.numbers().count() == 2 && !words.has(&["irr", "multiple", "moic", "lp", "gp", "promote", "noi", "cost", "costs", "value", "margin", "tax", "per", "percent", "percentage", "share", "year", "month", "annual"])
    },
    goals: &[(ProfitSum, &["profit", "net profit", "total profit"])],
    inputs: &[(Equity, IN), (Distributions, BACK)],
    leads: &[(Equity, IN), (Distributions, BACK)],
    bare: &[],
    sums: &[],
    settle: |_, sheet| sheet.goals = vec![ProfitSum],
};

#[rustfmt::skip]
const IN: &[&str] = &["contributions", "total contributions", "contributed", "put in", "invested", "paid in", "equity in", "equity", "total equity"];
#[rustfmt::skip]
const BACK: &[&str] = &["distributions", "total distributions", "got back", "received", "came back", "get back", "got", "receive", "returned", "total received", "distributed"];

#[rustfmt::skip]
pub(crate) static PROFIT_MULTIPLE: Form = Form {
    name: "profit_multiple",
    is: |words| words.has(&["profit", "profits"]) && words.says(&["multiple", "moic", "equity multiple"]) && words.says(&["equity", "invested", "investment", "capital"]) && amounts(words).len() == 2 && words.numbers().count() == 2 && !words.has(&["irr", "lp", "gp", "promote"]),
    goals: &[(ProfitMultiple, &["multiple", "equity multiple", "moic"])],
    inputs: &[
        (ProfitSum, &["profit", "total profit", "profits", "of profit", "profit of"]),
        (Equity, &["equity", "invested", "investment", "capital", "equity invested"]),
    ],
    leads: &[(Equity, &["on", "invested", "put in", "investing"])],
    bare: &[],
    sums: &[],
    settle: |_, sheet| {
        sheet.names.push((ProfitMultiple, EquityMultiple.word()));
    },
};

#[rustfmt::skip]
pub(crate) static PROMOTE_OF_PROFIT: Form = Form {
    name: "promote_of_profit",
    is: |words| words.has(&["promote", "carry"]) && words.has(&["profit", "profits"]) && amounts(words).len() == 1 && shaped(words, Shape::Percent) == 1 && words.numbers().count() == 2 && (words.has(&["remaining", "excess", "residual"]) || words.says(&["after pref", "after the pref", "above the pref", "over the pref", "after preferred", "after the preferred", "after capital and pref", "after return of capital", "above the hurdle", "after the hurdle", "over the hurdle"])),
    goals: &[(Promote, &["promote", "carry", "gp promote"])],
    inputs: &[
        (ProfitSum, &["profit", "profits", "of profit", "of profits"]),
        (PromoteShare, &["promote", "carry"]),
    ],
    leads: &[],
    bare: &[ProfitSum, PromoteShare],
    sums: &[],
    settle: |_, _| {},
};

#[rustfmt::skip]
pub(crate) static RENOVATION: Form = Form {
    name: "renovation_return",
    is: |words| {
        let asked = words.says(&["return on cost", "roi", "yield on cost", "return on investment", "return on the cost", "return on the renovation", "return on renovation"]);
        let rise = words.says(&["premium", "rent increase", "rent bump", "more rent", "rent lift", "more a month", "more per month", "rents up"]);
        let works = words.has(&["upgrade", "upgrades", "renovation", "renovate", "reno", "rehab", "renovating", "refurb", "interior"]);
        asked && rise && works && amounts(words).len() + shaped(words, Shape::Units) == 2 && words.numbers().count() == 2 && !words.has(&["cap", "noi"])
    },
    goals: &[(RenovationReturn, &["return on cost", "roi", "yield on cost", "return on investment"])],
    inputs: &[
        (UnitCost, &["upgrade", "renovation", "per unit", "per unit cost", "reno", "rehab", "cost", "a unit", "interior"]),
        (MonthlyUplift, &["premium", "rent premium", "rent increase", "rent bump", "bump", "more", "rent lift"]),
    ],
    leads: &[(UnitCost, &["spend", "spending", "costs", "costing"])],
    bare: &[MonthlyUplift, UnitCost],
    sums: &[],
    settle: |words, sheet| {
        // "a 12,500 unit upgrade": the noun after the number counts nothing.
        for at in sheet.left.clone() {
            let works = matches!(words.word(at + 1), "upgrade" | "renovation" | "reno" | "rehab" | "refurb" | "interior");
            if let Some(number) = words.number(at).filter(|number| number.shape == Shape::Units && number.value >= 1000.0 && works) {
                sheet.put(UnitCost, number.value);
                sheet.take(at);
            }
        }
        for needed in [UnitCost, MonthlyUplift] {
            if !sheet.has(needed) {
                sheet.deal.missing.push(needed);
            }
        }
    },
};
