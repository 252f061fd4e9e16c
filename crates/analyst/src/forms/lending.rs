//! What a loan costs beside its payments: points and fees, floating rates, extra payments, interest of days,
//! refinancing.

use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use crate::words::scan::{Shape, Sign};
use finance::variable::Variable::*;

#[rustfmt::skip]
const LOAN: &[&str] = &["loan", "mortgage", "note", "balance", "principal", "debt", "loan amount", "loan balance", "bridge loan", "senior loan", "loan of", "fixed"];
#[rustfmt::skip]
const RATE: &[&str] = &["rate", "interest rate", "coupon", "interest", "note rate", "fixed rate", "annual rate"];
#[rustfmt::skip]
const REPAID: &[&str] = &["am", "amortization", "amortisation", "amortizing", "amort", "schedule", "mortgage", "fixed", "loan", "note", "am schedule"];
#[rustfmt::skip]
const FEES: &[&str] = &["points", "point", "origination fee", "origination", "upfront fee", "loan fee", "lender fee", "arrangement fee", "financing fee", "discount points", "fee", "upfront points", "orig fee"];
#[rustfmt::skip]
const TRUE_COST: &[&str] = &["apr", "effective rate", "effective interest rate", "effective cost", "true cost", "effective borrowing cost", "lender yield", "lender's yield", "yield to the lender", "yield to lender", "all in rate", "all in cost", "effective annual cost", "cost of borrowing", "effective cost of borrowing", "true rate", "annual cost", "all in annual cost", "cost of that money", "cost of the money", "cost of this money", "cost of funds", "cost of the loan", "annual cost of the loan", "effective annual rate", "real cost", "yearly cost"];
#[rustfmt::skip]
const NET_FUNDING: &[&str] = &["net proceeds", "net loan proceeds", "net funding", "we actually receive", "actually receive", "net amount", "funded at closing", "funds at closing", "proceeds", "do we receive", "do i receive", "wired", "net of fees", "do we get", "do i get"];

#[rustfmt::skip]
pub(crate) static LOAN_FEES: Form = Form {
    name: "loan_fees",
    is: |words| {
        let fee = words.says(FEES) && !words.says(&["basis point", "percentage point"]);
        let points = words.has(&["points", "point"]);
        let origination = words.has(&["origination", "orig", "arrangement"]) || words.says(&["loan fee", "lender fee", "upfront fee", "financing fee"]);
        let asks = points || words.says(TRUE_COST) || words.says(NET_FUNDING) || words.says(&["in dollars", "cost", "how much", "fee on", "fee be", "the fee"]);
        let other = words.has(&["noi", "dscr", "ltv", "irr", "npv", "refi", "refinance", "waterfall", "lp", "gp", "value", "cap", "sofr", "libor", "extra", "sell", "sale", "hard", "soft", "acquisition", "price", "compounded", "compounding", "flows", "equity"]);
        fee && (points || origination || words.says(TRUE_COST)) && asks && !other
    },
    goals: &[
        (LoanFee, &["cost", "in dollars", "dollars", "fee", "points cost", "origination fee", "loan fee", "upfront fee", "arrangement fee", "points"]),
        (NetFunding, NET_FUNDING),
        (TrueRate, TRUE_COST),
    ],
    inputs: &[
        (FeePoints, FEES),
        (LoanFee, &["origination fee", "upfront fee", "loan fee", "lender fee", "arrangement fee", "fee"]),
        (FeeOther, &["legal", "lender legal", "legal fees", "closing costs", "title", "other costs", "third party costs", "appraisal", "costs", "lender's legal", "escrow", "escrows", "reserve", "holdback"]),
        (Loan, LOAN),
        (Rate, RATE),
        (AmortizationYears, REPAID),
        (Paid, &["term", "hold", "held", "prepaid", "maturity", "repaid", "paid off", "pay off"]),
    ],
    leads: &[(Loan, &["on", "borrow", "borrowing", "on a"]), (Rate, &["at"]), (Paid, &["held for", "hold for", "repaid after", "paid off after", "prepaid after"])],
    bare: &[Loan, Rate, AmortizationYears],
    sums: &[FeeOther],
    settle: settle_fees,
};

fn settle_fees(words: &Words, sheet: &mut Sheet) {
    // "3/4 of a point": less than one percent.
    for at in sheet.left.clone() {
        let Some(number) = words.number(at) else { continue };
        let next = words.word(at + 1);
        let point = matches!(next, "point" | "points")
            || (next == "of" && matches!(words.word(at + 3), "point" | "points"));
        if point && number.shape == Shape::Plain && number.value < 1.0 && !sheet.has(FeePoints) {
            sheet.put(FeePoints, number.value / 100.0);
            sheet.take(at);
        }
    }
    if !sheet.has(FeePoints) && !sheet.has(LoanFee) {
        if words.says(&["half point", "half a point"]) {
            sheet.put(FeePoints, 0.005);
        } else if words.says(&["quarter point", "quarter of a point", "quarter of one point"]) {
            sheet.put(FeePoints, 0.0025);
        }
    }
    let cost = sheet.wants(TrueRate);
    if words.has(&["monthly"]) && !cost {
        sheet.doubt("Is the fee paid once, or every month?");
    }
    if sheet.wants(NetFunding) {
        sheet.assume(FeeOther, 0.0, "No other costs are given, so none are counted.");
    }
    if !cost {
        // "1 point on a 5m, 30-year loan at 6%": its terms do not change the fee.
        for term in [Rate, AmortizationYears, Paid] {
            sheet.deal.values.remove(&term);
        }
        return;
    }
    if sheet.has(FeeOther) && sheet.has(FeePoints) {
        sheet.doubt("Should the other costs enter the effective rate as well?");
    }
    if words.says(&["interest only", "io"]) {
        return interest_and_fee(words, sheet);
    }
    // "5m, 10 years, 30-year am": the other time is how long the loan runs.
    for at in sheet.left.clone() {
        let Some(number) = words.number(at).filter(|number| number.shape == Shape::Years) else {
            continue;
        };
        if !sheet.has(Paid)
            && sheet
                .value(AmortizationYears)
                .is_some_and(|years| number.value <= years)
        {
            sheet.put(Paid, number.value * 12.0);
            sheet.take(at);
        }
    }
    if let (false, Some(years)) = (sheet.has(Paid), sheet.value(AmortizationYears)) {
        sheet.assume(
            Paid,
            years * 12.0,
            "The loan is taken to be repaid over the whole schedule.",
        );
    }
    if !sheet.has(AmortizationYears) {
        sheet.deal.missing.push(AmortizationYears);
    }
    sheet.remark("Nominal annual rate with monthly payments, the fee counted as interest.");
}

/// Only interest, and the loan at the end: how often it is paid, and for how long, has to be told.
fn interest_and_fee(words: &Words, sheet: &mut Sheet) {
    if words.says(&[
        "then",
        "after that",
        "amortization",
        "amortizing",
        "amortizes",
        "extension",
        "exit fee",
        "floating",
    ]) {
        return sheet.doubt("I work out the effective rate of loans that only pay interest to their end, or amortize from their beginning.");
    }
    let every = [
        (
            1.0,
            &[
                "paid annually",
                "annual payments",
                "paid once a year",
                "annual interest",
                "paid yearly",
                "interest annually",
                "annually",
                "yearly",
                "once a year",
                "annual pay",
            ][..],
        ),
        (12.0, &["monthly", "each month", "every month", "a month"][..]),
        (4.0, &["quarterly", "each quarter", "every quarter"][..]),
    ];
    let told: Vec<f64> = every
        .iter()
        .filter(|(_, says)| words.says(says))
        .map(|(every, _)| *every)
        .collect();
    let years = sheet
        .value(Paid)
        .map(|months| months / 12.0)
        .or(sheet.value(AmortizationYears))
        .or_else(|| {
            let at = sheet.left.iter().copied().find(|at| {
                words
                    .number(*at)
                    .is_some_and(|number| number.shape == Shape::Years)
            })?;
            sheet.take(at);
            words.number(at).map(|number| number.value)
        });
    for other in [Paid, AmortizationYears] {
        sheet.deal.values.remove(&other);
    }
    match years {
        Some(years) => sheet.put(HoldYears, years),
        None => sheet.deal.missing.push(HoldYears),
    }
    match told.as_slice() {
        [every] => sheet.put(Compounding, *every),
        _ => sheet.doubt("How often is the interest paid: monthly, quarterly or once a year?"),
    }
    // Paid once a year, the rate of a period is the one of a year; in months it is a nominal rate.
    if told.as_slice() == [1.0] {
        sheet.names.push((TrueRate, Rate.word()));
        sheet.remark("Annual rate with interest paid once a year, the fee counted as interest.");
    } else {
        sheet.remark(
            "Nominal annual rate, compounded as often as the interest is paid, the fee counted as interest.",
        );
    }
}

const INDEX: &[&str] = &[
    "sofr",
    "term sofr",
    "libor",
    "euribor",
    "sonia",
    "index",
    "prime",
    "prime rate",
    "current sofr",
    "base rate",
    "bbsy",
];

#[rustfmt::skip]
pub(crate) static FLOATING: Form = Form {
    name: "floating_rate",
    is: |words| {
        let index = words.says(INDEX);
        let over = words.has(&["spread", "margin", "plus", "over", "bps", "bp", "basis", "cap", "floor"]) || words.tokens.iter().any(|token| token.is_mark('+') || token.number().is_some_and(|number| number.sign == Sign::Plus));
        let other = words.has(&["am", "amort", "amortization", "amortizing", "swap", "noi", "dscr", "irr", "npv", "cpi", "rent", "treasury", "hedge", "forward", "curve", "average", "blended", "year", "years"]) && !words.says(&["a year", "per year", "each year", "one year", "year of interest", "first year", "a year's", "one year's"]);
        index && over && !other
    },
    goals: &[
        (AllInRate, &["all in rate", "all in", "rate", "coupon", "interest rate", "note rate", "all in coupon", "current rate", "total rate"]),
        (YearInterest, &["annual interest", "interest", "yearly interest", "interest cost", "interest expense", "annual debt service", "debt service", "interest for a year", "interest per year", "interest a year", "a year of interest", "annual interest cost"]),
        (MonthInterest, &["monthly interest", "interest per month", "interest a month", "monthly payment", "monthly interest payment", "interest payment", "payment", "monthly interest cost", "monthly debt service", "interest each month", "monthly carry"]),
    ],
    inputs: &[
        (IndexRate, INDEX),
        (MarginRate, &["spread", "margin", "over", "spread of", "over sofr"]),
        (IndexFloor, &["floor", "index floor", "sofr floor"]),
        (IndexCeiling, &["cap", "strike", "cap strike", "rate cap", "sofr cap", "sofr cap strike", "strike rate", "capped at", "sofr capped at"]),
        (Loan, LOAN),
    ],
    leads: &[(MarginRate, &["plus"]), (Loan, &["on", "on a"])],
    bare: &[Loan],
    sums: &[],
    settle: settle_floating,
};

fn settle_floating(words: &Words, sheet: &mut Sheet) {
    // "1-month euribor" names the index.
    for at in sheet.left.clone() {
        let tenor = words
            .number(at)
            .is_some_and(|number| matches!(number.shape, Shape::Months | Shape::Days));
        if tenor && (1..=3).any(|ahead| INDEX.contains(&words.word(at + ahead))) {
            sheet.take(at);
        }
    }
    // "a spread of 290": no loan is that small.
    if let Some(points) = sheet
        .value(Loan)
        .filter(|points| *points < 1000.0 && !sheet.has(MarginRate))
    {
        sheet.deal.values.remove(&Loan);
        sheet.put(MarginRate, points / 10_000.0);
    }
    // "SOFR + 275": a spread in basis points.
    for at in sheet.left.clone() {
        let Some(number) = words.number(at) else { continue };
        let added = number.sign == Sign::Plus
            || at.checked_sub(1).is_some_and(|before| words.mark(before, '+'))
            || (1..=2).any(|back| {
                at.checked_sub(back)
                    .is_some_and(|at| matches!(words.word(at), "plus" | "over" | "spread" | "margin"))
            });
        let share = match number.shape {
            Shape::BasisPoints => Some(number.value / 10_000.0),
            Shape::Percent => Some(number.value / 100.0),
            Shape::Plain if number.value >= 20.0 && !number.scaled => Some(number.value / 10_000.0),
            _ => None,
        };
        if let (true, false, Some(share)) = (added, sheet.has(MarginRate), share) {
            sheet.put(MarginRate, share);
            sheet.take(at);
        }
    }
    if let Some(index) = sheet.value(IndexRate) {
        let floor = sheet.value(IndexFloor);
        let ceiling = sheet.value(IndexCeiling);
        if words.says(&[
            "all in floor",
            "rate floor",
            "note rate floor",
            "floor rate",
            "all in cap",
        ]) {
            sheet.doubt("Is the floor or cap one of the index, or of the all-in rate?");
        }
        let held = ceiling.map_or(index, |most| index.min(most));
        let held = floor.map_or(held, |least| held.max(least));
        sheet.deal.values.remove(&IndexFloor);
        sheet.deal.values.remove(&IndexCeiling);
        if (held - index).abs() > 1e-12 {
            sheet.put(IndexRate, held);
            sheet.remark("The index counts with the value that its cap or floor holds it at.");
        } else if floor.or(ceiling).is_some() {
            sheet.remark("The cap or floor does not bind at this index.");
        }
    }
    if sheet.wants(MonthInterest) && words.has(&["actual/360", "actual/365"]) {
        sheet.doubt("How many days has the month? With actual days each month has its own interest.");
    }
    if words.says(&["interest only", "io", "interest"]) {
        sheet.put(InterestOnly, 1.0);
    }
    if !sheet.wants(AllInRate) && !sheet.has(InterestOnly) {
        sheet.doubt("Is the loan interest-only? I work out floating rates for the interest alone.");
    }
    for needed in [IndexRate, MarginRate] {
        if !sheet.has(needed) {
            sheet.deal.missing.push(needed);
        }
    }
    if !sheet.wants(AllInRate) && !sheet.has(Loan) {
        sheet.deal.missing.push(Loan);
    }
    if sheet.wants(AllInRate) {
        sheet.deal.values.remove(&Loan);
    }
}

#[rustfmt::skip]
pub(crate) static EXTRA_PAYMENTS: Form = Form {
    name: "extra_payments",
    is: |words| {
        let more = words.has(&["extra", "additional", "overpay", "overpaying", "overpayment"]) || words.says(&["on top", "more a month", "more per month", "more each month"]) || (words.has(&["add", "adding"]) && words.has(&["payoff", "paid", "pay", "repaid"]));
        let monthly = words.has(&["month", "monthly", "mo"]) || words.numbers().any(|at| words.number(at).is_some_and(|number| number.per == Some(crate::words::scan::Per::Month)));
        let asks = words.says(QUICK) || words.says(SAVED) || words.says(SOONER) || words.has(&["months", "years"]);
        let other = words.has(&["noi", "rent", "rents", "irr", "npv", "deposit", "invest", "lump", "cap", "rate's", "annually", "yearly", "biweekly"]) || words.says(&["interest only", "additional noi", "present value", "future value", "a year"]);
        more && monthly && asks && !other
    },
    goals: &[(QuickYears, QUICK), (InterestSaved, SAVED), (MonthsSaved, SOONER)],
    inputs: &[
        (ExtraPayment, &["extra", "additional", "extra payment", "on top", "extra principal", "additional principal", "overpayment", "more", "extra a month", "extra per month", "overpay"]),
        (Loan, LOAN),
        (Rate, RATE),
        (AmortizationYears, REPAID),
        (AmortizationYears, &["term", "years", "over"]),
    ],
    leads: &[(Rate, &["at"]), (ExtraPayment, &["overpay by", "overpaying", "overpaying by", "adding", "add"]), (AmortizationYears, &["over", "for"]), (Loan, &["of", "on", "owe"])],
    bare: &[Loan, Rate, AmortizationYears, ExtraPayment],
    sums: &[],
    settle: |_, sheet| {
        if sheet.wants(QuickYears) && sheet.goals.len() == 1 {
            sheet.goals.push(MonthsSaved);
        }
        for needed in [Loan, Rate, AmortizationYears, ExtraPayment] {
            if !sheet.has(needed) {
                sheet.deal.missing.push(needed);
            }
        }
        sheet.remark("The extra amount is paid with every payment from the first.");
    },
};

#[rustfmt::skip]
const QUICK: &[&str] = &["how long", "paid off", "pay off", "pay it off", "payoff", "repaid", "is it paid off", "how many years", "how fast", "how quickly", "be done", "when is it paid off", "debt free"];
#[rustfmt::skip]
const SAVED: &[&str] = &["interest do i save", "interest saved", "interest savings", "save in interest", "interest do we save", "interest would i save", "interest will i save", "interest would we save", "save on interest", "save", "saved", "saves", "savings", "interest does that save", "interest is saved", "saving in interest"];
#[rustfmt::skip]
const SOONER: &[&str] = &["months saved", "sooner", "earlier", "faster", "months early", "quicker", "months earlier", "shave", "shaved off", "shorten", "cut off the term", "how much sooner", "how much earlier"];

#[rustfmt::skip]
pub(crate) static SIMPLE_INTEREST: Form = Form {
    name: "simple_interest",
    is: |words| {
        words.has(&["simple"]) && words.has(&["interest"]) && !words.has(&["pref", "preferred", "lp", "gp", "waterfall", "irr", "compounded", "compounding", "compound", "noi", "payback"]) && !words.says(&["in total", "total due", "total owed", "altogether", "pay back"])
    },
    goals: &[(SimpleInterest, &["interest", "simple interest", "accrued interest", "accrues", "accrued", "interest accrues", "interest owed", "interest due"])],
    inputs: &[
        (SumToday, &["note", "loan", "principal", "balance", "promissory note", "deposit", "arrears", "amount", "advance", "security deposit"]),
        (DiscountRate, &["rate", "interest", "simple", "simple interest", "late interest", "interest rate", "simple interest rate"]),
        (HoldYears, &["term", "years", "months"]),
    ],
    leads: &[(DiscountRate, &["at"]), (SumToday, &["on", "owes", "owe", "owed", "lent", "lend", "borrow", "borrowed", "on a", "of"]), (HoldYears, &["for", "over", "after"])],
    bare: &[SumToday, DiscountRate, HoldYears],
    sums: &[],
    settle: |words, sheet| {
        days(words, sheet);
        for needed in [SumToday, DiscountRate] {
            if !sheet.has(needed) {
                sheet.deal.missing.push(needed);
            }
        }
        sheet.names.push((SimpleInterest, Interest.word()));
    },
};

/// "45 days on a 365-day year": the time in years by the day count.
fn days(words: &Words, sheet: &mut Sheet) {
    let year = day_year(words, sheet);
    let counted = sheet.left.iter().copied().find_map(|at| {
        let number = words.number(at)?;
        (number.shape == Shape::Days).then_some((at, number.value))
    });
    match (counted, year) {
        (Some((at, days)), Some(year)) => {
            sheet.put(HoldYears, days / year);
            sheet.take(at);
            sheet.remark(&format!("{days} days of a year of {year} days."));
        }
        (Some((at, _)), None) => {
            sheet.take(at);
            sheet.deal.missing.push(DayYear);
        }
        (None, _) if !sheet.has(HoldYears) => sheet.deal.missing.push(HoldYears),
        (None, _) => {}
    }
}

/// The days of a year that the question counts with.
fn day_year(words: &Words, sheet: &mut Sheet) -> Option<f64> {
    let named = [("actual/360", 360.0), ("30/360", 360.0), ("actual/365", 365.0)]
        .into_iter()
        .find(|(word, _)| words.has(&[*word]))
        .map(|(_, days)| days);
    let said = sheet.left.iter().copied().find_map(|at| {
        let number = words.number(at)?;
        let year = (1..=3).any(|ahead| matches!(words.word(at + ahead), "year" | "basis" | "days"))
            || number.shape == Shape::Days;
        (year && (number.value == 360.0 || number.value == 365.0)).then_some((at, number.value))
    });
    if let Some((at, days)) = said {
        sheet.take(at);
        return Some(days);
    }
    named
}

#[rustfmt::skip]
pub(crate) static PER_DIEM: Form = Form {
    name: "per_diem",
    is: |words| words.says(&["per diem", "daily interest", "interest per day", "interest a day", "interest each day", "one day's interest", "one day of interest"]) && !words.has(&["noi", "irr", "hotel", "adr", "revpar", "compounded"]),
    goals: &[(Interest, &["per diem", "daily interest", "interest", "interest per day"])],
    inputs: &[(Loan, LOAN), (Rate, RATE)],
    leads: &[(Rate, &["at"]), (Loan, &["on", "on a", "of"])],
    bare: &[Loan, Rate],
    sums: &[],
    settle: |words, sheet| {
        sheet.put(Days, 1.0);
        match day_year(words, sheet) {
            Some(year) => sheet.put(DayYear, year),
            None => sheet.deal.missing.push(DayYear),
        }
    },
};
