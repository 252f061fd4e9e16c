//! Growth: terminal values by Gordon's formula, compound annual growth, real rates.

use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use crate::words::scan::Shape;
use finance::variable::Variable::*;

#[rustfmt::skip]
pub(crate) static GORDON: Form = Form {
    name: "gordon",
    is: |words| words.says(&["gordon", "gordon growth", "perpetuity growth", "growing perpetuity"]) || (words.says(&["terminal value", "reversion value"]) && words.has(&["forever", "perpetuity"])),
    goals: &[(TerminalValue, &["terminal value", "gordon growth", "value", "worth", "present value", "reversion value"])],
    inputs: &[
        (NextFlow, &["cash flow", "noi", "flow", "income", "ncf", "dividend", "net income"]),
        (DiscountRate, &["discount rate", "discount", "required return", "rate", "return", "wacc"]),
        (GrowthRate, &["growth", "growth rate", "grows", "growing", "forever"]),
    ],
    leads: &[(GrowthRate, &["growing at", "grows at", "growing", "grows", "growing by", "grows by"]), (DiscountRate, &["discounted at", "discount at", "at"])],
    bare: &[NextFlow],
    sums: &[],
    settle: |words, sheet| {
        let next = words.says(&["next year", "next year's", "next cash flow", "following year", "forward", "first year", "year 11", "coming year"]);
        let years: Vec<f64> = words.numbers().filter_map(|at| words.number(at)).filter(|number| number.shape == Shape::YearLabel).map(|number| number.value).collect();
        let same = matches!(years.as_slice(), [one, other] if (one - other).abs() < 1e-9);
        let after = matches!(years.as_slice(), [one, other] if (one - other - 1.0).abs() < 1e-9);
        let last = words.says(&["last year", "final year", "today's", "current", "this year", "just paid", "trailing"]);
        let found: Vec<usize> = sheet.left.iter().copied().filter(|at| words.number(*at).is_some_and(|number| number.shape == Shape::YearLabel)).collect();
        for at in found {
            sheet.take(at);
        }
        match (next || after, same || last) {
            (true, false) => {}
            (false, true) => {
                sheet.rename(NextFlow, LastFlow);
                sheet.remark("The cash flow named is that of the last year; the next one is grown from it.");
            }
            _ => sheet.doubt("Is the cash flow that of the next year, or the last one, from which the next one grows?"),
        }
    },
};

#[rustfmt::skip]
pub(crate) static REAL_RATE: Form = Form {
    name: "real_rate",
    is: |words| words.says(&["real return", "real rate", "real yield", "real rate of return", "inflation adjusted return", "return after inflation"]) && words.has(&["inflation", "cpi"]),
    goals: &[(RealRate, &["real return", "real rate", "real yield", "real rate of return", "inflation adjusted return", "return after inflation"])],
    inputs: &[
        (DiscountRate, &["nominal", "nominal return", "nominal rate", "return", "rate", "yield", "nominal yield"]),
        (InflationRate, &["inflation", "cpi", "inflation rate"]),
    ],
    leads: &[],
    bare: &[],
    sums: &[],
    settle: |_, _| {},
};

#[rustfmt::skip]
pub(crate) static COMPOUND_GROWTH: Form = Form {
    name: "compound_growth",
    is: |words| {
        let asked = words.says(&["cagr", "compound annual growth", "compound growth", "compounded annual growth", "annual appreciation", "appreciation per year", "average annual growth", "annualized growth", "annualised growth", "annual growth rate", "compound annual appreciation", "yearly appreciation", "annualized appreciation", "annualised appreciation", "growth per year", "growth a year", "annual growth", "yearly growth", "growth rate", "annual rate of growth", "growth is that"]);
        let other = words.has(&["irr", "npv", "flows", "exit", "discount", "distributions", "cash", "cap", "hold", "rate's"]);
        asked && !other && amounts(words).len() == 2
    },
    goals: &[(Cagr, &["cagr", "growth", "appreciation", "growth rate"])],
    inputs: &[],
    leads: &[],
    bare: &[],
    sums: &[],
    settle: settle_growth,
};

/// What can be a value of then or now.
fn amounts(words: &Words) -> Vec<usize> {
    words
        .numbers()
        .filter(|at| {
            words.number(*at).is_some_and(|number| {
                matches!(number.shape, Shape::Money | Shape::Plain)
                    && (number.value >= 100.0 || number.dollars)
            })
        })
        .collect()
}

fn settle_growth(words: &Words, sheet: &mut Sheet) {
    let found = amounts(words);
    let [one, other] = found.as_slice() else { return };
    let value = |at: &usize| words.number(*at).map_or(0.0, |number| number.value);
    // "worth 7.9m now, bought for 5.4m eight years ago": the words beside a value say when it was.
    let old = |at: usize| {
        let back = (1..=4)
            .filter_map(|back| at.checked_sub(back))
            .map(|at| words.word(at));
        let ahead = (1..=3).map(|ahead| words.word(at + ahead));
        back.chain(ahead).any(|word| {
            matches!(
                word,
                "ago" | "bought" | "paid" | "was" | "from" | "started" | "cost" | "originally"
            )
        })
    };
    let new = |at: usize| {
        let back = (1..=4)
            .filter_map(|back| at.checked_sub(back))
            .map(|at| words.word(at));
        let ahead = (1..=2).map(|ahead| words.word(at + ahead));
        back.chain(ahead)
            .any(|word| matches!(word, "now" | "today" | "worth" | "currently" | "to"))
    };
    let years: Vec<f64> = words
        .numbers()
        .filter_map(|at| words.number(at))
        .filter(|number| number.shape == Shape::Calendar)
        .map(|number| number.value)
        .collect();
    let backwards = matches!(years.as_slice(), [a, b] if a > b) || (new(*one) && old(*other) && !old(*one));
    let (first, second) = if backwards { (other, one) } else { (one, other) };
    sheet.put(FirstValue, value(first));
    sheet.put(SecondValue, value(second));
    sheet.take(*one);
    sheet.take(*other);
    let span = sheet.left.iter().copied().find_map(|at| {
        let number = words.number(at)?;
        match number.shape {
            Shape::Years => Some((at, number.value)),
            Shape::Months => Some((at, number.value / 12.0)),
            _ => None,
        }
    });
    match (years.as_slice(), span) {
        ([a, b], None) => sheet.put(SpreadYears, (a - b).abs()),
        (_, Some((at, years))) => {
            sheet.put(SpreadYears, years);
            sheet.take(at);
        }
        _ => sheet.deal.missing.push(SpreadYears),
    }
}

#[rustfmt::skip]
pub(crate) static ANNUALIZED: Form = Form {
    name: "annualized",
    is: |words| {
        let months = words.numbers().any(|at| words.number(at).is_some_and(|number| number.shape == Shape::Months && number.value == 3.0));
        let lower = words.text.to_lowercase();
        let three = months || lower.contains("t-3") || lower.contains("t3");
        three && words.has(&["noi"]) && amounts(words).len() == 3 && words.says(&["annualized", "annualised", "annualize", "annualise", "t3", "t12"])
    },
    goals: &[(AnnualizedNoi, &["annualized", "annualised", "annualized noi", "annualised noi"])],
    inputs: &[(QuarterNoi, &["noi"])],
    leads: &[],
    bare: &[QuarterNoi],
    sums: &[QuarterNoi],
    settle: |words, sheet| {
        let months = sheet.left.iter().copied().find(|at| words.number(*at).is_some_and(|number| number.shape == Shape::Months && number.value == 3.0));
        if let Some(at) = months {
            sheet.take(at);
        }
        sheet.remark("Annualized: three months × 4.");
    },
};

#[rustfmt::skip]
pub(crate) static GROWING_PAYMENTS: Form = Form {
    name: "growing_payments",
    is: |words| {
        let rises = words.says(&["growing", "grows", "growth", "rising", "rises", "increasing", "increases", "escalating", "growing annuity", "escalates"]);
        let asks = words.says(&["present value", "pv", "worth today", "worth now", "value today", "worth", "pay today"]);
        let long = words.numbers().any(|at| words.number(at).is_some_and(|number| matches!(number.shape, Shape::Years | Shape::Payments))) || words.has(&["payments", "instalments", "installments", "receipts"]);
        let other = words.has(&["noi", "cap", "exit", "irr", "npv", "sale", "sell", "sold", "price", "cagr", "invest", "outlay", "forever", "perpetuity", "monthly", "month", "quarterly", "per-month", "property", "building", "psf", "sf", "loan"]) || words.says(&["net present value", "future value"]);
        rises && asks && long && !other && amounts(words).len() == 1
    },
    goals: &[(GrowingValue, &["present value", "pv", "worth", "value today", "worth today", "pay today"])],
    inputs: &[
        (NextFlow, &["rent", "payment", "first payment", "income", "cash flow", "payments", "ground rent", "royalty", "fee", "annuity", "coupon", "starting payment", "first rent"]),
        (GrowthRate, &["growth", "growth rate", "annual growth", "annual increases", "increases"]),
        (DiscountRate, &["discount rate", "rate", "discount", "required return", "return", "yield", "discounting"]),
        (PeriodCount, &["payments", "annual payments", "yearly payments", "receipts", "instalments"]),
    ],
    leads: &[
        (GrowthRate, &["growing", "growing at", "growing by", "grows", "grows at", "grows by", "rising", "rising by", "rises", "rises by", "increasing", "increasing by", "increases by", "increasing at", "escalating", "escalating at", "escalates at"]),
        (DiscountRate, &["at", "discounted at", "discount at", "discounting at", "using"]),
        (NextFlow, &["pays", "paying", "receive", "of", "starting at", "starting from", "starting with"]),
    ],
    bare: &[NextFlow, HoldYears, PeriodCount, DiscountRate],
    sums: &[],
    settle: |words, sheet: &mut Sheet| {
        if let Some(years) = sheet.value(HoldYears) {
            sheet.put(PeriodCount, years);
        }
        if words.says(&["in advance", "beginning of", "start of", "today's", "currently", "current", "annuity due", "this year", "every two", "every three", "every five", "first paid today"]) {
            sheet.doubt("Does the first payment fall after one year, and is the amount given that one?");
        }
        for needed in [NextFlow, GrowthRate, DiscountRate] {
            if !sheet.has(needed) {
                sheet.deal.missing.push(needed);
            }
        }
        sheet.names.push((GrowingValue, PresentValue.word()));
        sheet.remark("The first payment is the amount given and falls after one year; each later one is grown once more.");
    },
};
