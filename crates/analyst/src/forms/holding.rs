//! A property held and sold: discounted cash flow, exit value on grown income, unlevered and levered IRR.

use crate::forms::form::{Form, Names, Sheet};
use crate::forms::valuing::TO_EQUITY;
use crate::forms::words::Words;
use crate::words::scan::{Shape, Sign};
use finance::variable::Variable::*;

#[rustfmt::skip]
const RISE: &[&str] = &["growth", "noi growth", "annual growth", "increases", "annual increases", "bumps", "growth rate", "escalation", "a year growth"];
#[rustfmt::skip]
const RISE_LEADS: &[&str] = &["growing", "growing at", "growing by", "grows", "grows at", "grows by", "grow", "grow at", "growth of", "growth at", "rising", "rising by", "rises", "increasing", "increasing by", "increases by", "goes up", "escalating at", "trending at", "trended at", "compounding at", "inflating at", "inflated at", "climbs", "up"];

#[rustfmt::skip]
const GOALS: &[Names] = &[
    (PresentValue, &["present value", "pv", "worth", "worth today", "value", "dcf value", "dcf", "value today", "what should we pay", "what can we pay", "what should i pay", "what can i pay", "how much can we pay", "how much should we pay", "most we can pay", "could i pay", "could we pay", "can i pay", "can we pay", "should we pay today", "afford to pay", "maximum price", "max price", "highest price", "pv at", "present value at", "worth at", "dcf value at", "dcf at"]),
    (Npv, &["npv", "net present value", "npv at"]),
    (Irr, &["irr", "unlevered irr", "internal rate of return", "levered irr", "leveraged irr", "equity irr", "unleveraged irr"]),
    (NetSale, &["net sale proceeds", "net proceeds", "net sales proceeds", "net reversion", "net from the sale", "proceeds", "net sale price", "we net", "do we net", "sale proceeds", "net at sale"]),
    (GrossSale, &["exit value", "sale price", "gross sale price", "reversion", "reversion value", "terminal value", "exit price", "resale value", "sell for", "sale value", "residual value", "resale price", "future sale price"]),
    (EquityProceeds, TO_EQUITY),
    (LaterNoi, &["noi", "net operating income"]),
    (LeveredMultiple, &["equity multiple", "moic", "levered multiple", "multiple", "em"]),
];
#[rustfmt::skip]
const INPUTS: &[Names] = &[
    (FirstNoi, &["noi", "net operating income", "first year noi", "year one noi", "going in noi", "current noi", "initial noi", "forward noi", "operating income"]),
    (NoiGrowth, RISE),
    (HoldYears, &["hold", "holding period", "hold period", "horizon", "investment horizon"]),
    (ExitCap, &["exit cap", "exit cap rate", "terminal cap", "terminal cap rate", "reversion cap", "residual cap", "going out cap", "cap", "cap rate", "capitalization rate", "capitalisation rate", "exit capitalization rate", "terminal capitalization rate", "reversionary cap", "exit yield", "terminal cap of"]),
    (SaleCostShare, &["selling costs", "sale costs", "cost of sale", "costs of sale", "selling cost", "sales costs", "selling expenses", "closing costs", "disposition costs", "transaction costs", "cost to sell", "sale cost", "costs", "sales cost", "broker", "disposition cost"]),
    (DiscountRate, &["discount rate", "discount", "disc", "disc rate", "discounted", "required return", "hurdle", "hurdle rate", "target return", "unlevered discount rate", "required rate of return", "cost of capital", "unlevered return", "annual return", "yield requirement", "return requirement", "required yield", "target yield", "total return", "return", "unlevered"]),
    (Price, &["price", "purchase price", "asking price", "acquisition price", "acquisition cost", "purchase", "acquisition"]),
    (Loan, &["loan", "debt", "mortgage", "interest only loan", "io loan", "interest only debt"]),
    (Rate, &["interest", "interest rate", "loan rate"]),
    (AmortizationYears, &["amortization", "am", "amortizing", "amort"]),
    (Ltv, &["ltv", "loan to value", "leverage", "loan", "debt", "mortgage", "financed", "interest only loan", "io loan"]),
    (SalePrice, &["sale price", "resale price", "sale"]),
];
#[rustfmt::skip]
const STARTS: Names = (FirstNoi, &["from", "starting at", "starts at", "starting from", "begins at", "starting with"]);
#[rustfmt::skip]
const RISES: Names = (NoiGrowth, RISE_LEADS);
#[rustfmt::skip]
const DISCOUNTS: Names = (DiscountRate, &["to hit", "to earn", "to get", "to make", "to achieve", "to yield", "i want", "we want", "requires", "require", "return of", "discounted at", "discount at", "discounting at", "discount rate of", "need", "we need", "i need", "needs", "want", "pv at", "npv at", "present value at", "worth at", "dcf value at", "dcf at"]);
#[rustfmt::skip]
const SALE_COSTS: Names = (SaleCostShare, &["paying", "pay", "less", "net of", "minus"]);
#[rustfmt::skip]
const BUYS: Names = (Price, &["for", "buy for", "bought for", "pay", "paying", "purchase for", "acquire for", "buy it for", "buy at", "buying for", "buying at", "bought at", "purchased for", "acquired for", "costs", "buy"]);
#[rustfmt::skip]
const SELLS: Names = (SalePrice, &["sell for", "sells for", "sold for", "selling for", "sale for", "sale at", "sold at", "resale at", "sell it for"]);
#[rustfmt::skip]
const EXITS: Names = (ExitCap, &["exit at", "exit at a", "sell at", "sell at a", "sale at a", "sold at a", "selling at a", "capped at", "sale at", "sold at", "sell at", "selling at", "exiting at", "noi at", "noi at a", "income at a", "reversion at", "reversion at a"]);

#[rustfmt::skip]
fn holds(words: &Words) -> bool {
    let rises = words.says(RISE) || words.says(RISE_LEADS) || words.has(&["flat"]);
    let income = words.has(&["noi"]) || words.says(&["net operating income", "operating income"]);
    let later = words.has(&["exit", "sale", "sell", "selling", "sold", "hold", "holding", "held", "discount", "discounted", "reversion", "terminal", "residual", "irr", "dcf", "resale", "year", "years"]);
    let other = words.has(&["budget", "t12", "month", "quarterly", "lp", "gp", "waterfall", "attached"]);
    // "with monthly payments" is how the loan is repaid.
    let monthly = words.has(&["monthly"]) && !words.says(&["monthly payments", "am monthly", "amortization monthly"]);
    let plus = words.tokens.iter().any(|token| token.number().is_some_and(|number| number.sign == Sign::Plus && number.shape == Shape::Percent));
    (rises || plus) && income && later && !other && !monthly
}

/// A loan is spoken of, so that a rate behind "at" may be its own.
fn lends(words: &Words) -> bool {
    (0..words.tokens.len()).any(|at| {
        // "No debt": there is none.
        let none = at
            .checked_sub(1)
            .is_some_and(|before| matches!(words.word(before), "no" | "without" | "zero"));
        !none
            && matches!(
                words.word(at),
                "loan" | "mortgage" | "debt" | "ltv" | "financed" | "borrow" | "leverage"
            )
    })
}

pub(crate) static LEVERED: Form = Form {
    name: "levered_holding",
    is: |words| holds(words) && lends(words),
    goals: GOALS,
    inputs: INPUTS,
    leads: &[
        STARTS,
        RISES,
        DISCOUNTS,
        SALE_COSTS,
        BUYS,
        SELLS,
        EXITS,
        (Rate, &["at"]),
    ],
    bare: &[HoldYears, Rate],
    sums: &[],
    settle,
};

pub(crate) static HOLDING: Form = Form {
    name: "holding",
    is: |words| holds(words) && !lends(words),
    goals: GOALS,
    inputs: INPUTS,
    leads: &[STARTS, RISES, DISCOUNTS, SALE_COSTS, BUYS, SELLS, EXITS],
    bare: &[HoldYears],
    sums: &[],
    settle,
};

fn settle(words: &Words, sheet: &mut Sheet) {
    for at in sheet.left.clone() {
        // "600k +3% a year": the sign says that it grows.
        let Some(number) = words.number(at).filter(|number| number.sign == Sign::Plus) else {
            continue;
        };
        if number.shape == Shape::Percent && !sheet.has(NoiGrowth) {
            sheet.put(NoiGrowth, number.value / 100.0);
            sheet.take(at);
        }
    }
    if words.has(&["flat"]) {
        sheet.assume(NoiGrowth, 0.0, "The NOI stays level.");
    }
    // "… and retire a 3.85m loan balance. Cash back to equity at sale?": what the sale leaves, and no return.
    let proceeds =
        words.says(TO_EQUITY) && !words.says(&["irr", "multiple", "moic", "npv", "internal rate of return"]);
    if proceeds && sheet.has(Loan) && sheet.has(ExitCap) && !sheet.has(Price) && !sheet.has(Rate) {
        sheet.rename(Loan, Payoff);
        sheet.goals = vec![EquityProceeds];
        sheet.assume(
            SaleCostShare,
            0.0,
            "No sale costs are given, so none are counted.",
        );
    }
    // "Levered irr pls: … 6% cap on year 8 NOI": what the exit rests on is not what is asked.
    if sheet.wants(LaterNoi) && sheet.has(ExitCap) && words.says(&["irr"]) {
        sheet.goals = vec![Irr];
    }
    // "NOI year 7 if year 1 is 310k and it grows": nothing to discount or to sell.
    let sold = [ExitCap, DiscountRate, Price, SalePrice]
        .into_iter()
        .any(|input| sheet.has(input));
    if sheet.goals == [PresentValue]
        && !sold
        && !words.says(&["value", "worth", "pv", "dcf", "pay", "exit", "sale"])
    {
        sheet.replace_goal(PresentValue, LaterNoi);
    }
    years(words, sheet);
    let model = [PresentValue, Npv, Irr, NetSale, LeveredMultiple]
        .into_iter()
        .any(|goal| sheet.wants(goal));
    if model {
        sheet.assume(
            SaleCostShare,
            0.0,
            "No sale costs are given, so none are counted.",
        );
    }
    // "What is it worth?" with a price and without a rate asks for the return.
    if sheet.wants(LaterNoi) && sheet.has(DiscountRate) && sheet.has(ExitCap) {
        sheet.replace_goal(LaterNoi, PresentValue);
        sheet.assume(
            SaleCostShare,
            0.0,
            "No sale costs are given, so none are counted.",
        );
    }
    // "… 6.5% on year 8 NOI?" names what the exit rests on, not what is asked.
    if sheet.wants(LaterNoi) && sheet.has(ExitCap) {
        if words.says(&[
            "sale price",
            "exit value",
            "sell for",
            "resale price",
            "exit price",
            "reversion",
            "sale value",
        ]) {
            sheet.replace_goal(LaterNoi, GrossSale);
        } else {
            sheet.doubt("Do you want the NOI of that year, or the price at the exit cap rate?");
        }
    }
    // The whole model is asked for at once, whatever other ways lead to a present value.
    if sheet.wants(PresentValue) {
        let sold = sheet.has(SalePrice) && !sheet.has(ExitCap);
        for input in [FirstNoi, NoiGrowth, HoldYears, ExitCap, DiscountRate] {
            let spared = sold && input == ExitCap;
            if !(sheet.has(input) || spared) {
                sheet.deal.missing.push(input);
            }
        }
    }
    borrowed(words, sheet);
    priced(words, sheet);
    if sheet.wants(LaterNoi) {
        sheet.names.push((LaterNoi, Noi.word()));
        if !sheet.has(LeaseYear)
            && let Some(held) = sheet.value(HoldYears)
        {
            sheet.deal.values.remove(&HoldYears);
            sheet.put(LeaseYear, held + 1.0);
            sheet.remark("That is after as many annual increases as years have passed.");
        }
    } else {
        sheet.deal.values.remove(&LeaseYear);
    }
}

/// "We sell for 8.6m net of costs": a price that is named is as good as a cap rate on the NOI of the year after.
fn priced(words: &Words, sheet: &mut Sheet) {
    let given = |input| sheet.value(input);
    let (Some(price), Some(noi), Some(growth), Some(held)) = (
        given(SalePrice),
        given(FirstNoi),
        given(NoiGrowth),
        given(HoldYears),
    ) else {
        return;
    };
    if !(sheet.wants(LeveredIrr) || sheet.wants(LeveredMultiple)) || sheet.has(ExitCap) || price <= 0.0 {
        return;
    }
    if words.says(&[
        "net of costs",
        "net of selling costs",
        "net of sale costs",
        "net of all costs",
        "after costs",
        "after selling costs",
        "after all costs",
        "net",
    ]) && sheet.value(SaleCostShare).is_some_and(|share| share > 0.0)
    {
        sheet.doubt("Is the sale price before or after the selling costs?");
    }
    sheet.put(ExitCap, noi * (1.0_f64 + growth).powf(held) / price);
    sheet.deal.values.remove(&SalePrice);
    sheet
        .remark("The price at the sale is the one given; its cap rate is that on the NOI of the year after.");
}

/// What the loan changes: whose return is asked, and how it is repaid.
fn borrowed(words: &Words, sheet: &mut Sheet) {
    let borrowed = sheet.has(Loan) || sheet.has(Ltv);
    let unlevered = words.has(&["unlevered", "unleveraged"]);
    if !borrowed && let Some(rate) = sheet.value(Rate) {
        // Without a loan "at 8%" can only discount.
        sheet.deal.values.remove(&Rate);
        if (sheet.wants(PresentValue) || sheet.wants(Npv)) && !sheet.has(DiscountRate) {
            sheet.put(DiscountRate, rate);
            sheet.deal.missing.retain(|missing| *missing != DiscountRate);
        } else {
            sheet.doubt("What is the rate without a name for: the loan, or discounting?");
        }
    }
    let multiple = sheet.wants(LeveredMultiple);
    if multiple && (!borrowed || unlevered) {
        sheet
            .doubt("I work out the equity multiple of such a plan with its loan. What are the loan's terms?");
    }
    if (multiple || sheet.wants(Irr)) && (borrowed || words.has(&["levered", "leveraged"])) && !unlevered {
        sheet.replace_goal(Irr, LeveredIrr);
        sheet.names.push((LeveredIrr, Irr.word()));
        sheet.names.push((LeveredMultiple, EquityMultiple.word()));
        if let (Some(share), Some(price), false) = (sheet.value(Ltv), sheet.value(Price), sheet.has(Loan)) {
            sheet.deal.values.remove(&Ltv);
            sheet.put(Loan, share * price);
            sheet.remark("The loan is its share × the price.");
        }
        if words.says(&["interest only", "io"]) {
            if sheet.has(AmortizationYears) {
                sheet.doubt("Is the loan interest-only for the whole hold, or does it amortize?");
            }
            sheet.put(InterestOnly, 1.0);
            sheet.remark("The loan is interest-only for the whole hold.");
        }
    } else if borrowed && !unlevered {
        sheet.doubt("Should the answer be before debt or after debt?");
    }
}

/// "sell at the end of year 5", "on year-6 NOI": labels that say how long it is held.
fn years(words: &Words, sheet: &mut Sheet) {
    let labels: Vec<(usize, f64)> = words
        .numbers()
        .filter_map(|at| words.number(at).map(|number| (at, number)))
        .filter(|(_, number)| number.shape == Shape::YearLabel && number.value > 1.0)
        .map(|(at, number)| (at, number.value))
        .collect();
    if sheet.wants(LaterNoi) && !sheet.has(ExitCap) {
        if let [(at, year)] = labels.as_slice() {
            sheet.put(LeaseYear, *year);
            sheet.take(*at);
        } else if labels.is_empty()
            && !sheet.has(HoldYears)
            && let Some(year) = words.ordinal_year().filter(|year| *year > 1.0)
        {
            sheet.put(LeaseYear, year);
        }
        return;
    }
    for (at, year) in labels {
        let next = words.word(at + 1);
        let noi = matches!(next, "noi" | "net" | "income") || words.mark(at + 1, '\'')
            // "on forward (year 8) NOI".
            || (words.mark(at + 1, ')') && matches!(words.word(at + 2), "noi" | "net" | "income"))
            // "applied to the NOI of year 8".
            || (1..=4).filter_map(|back| at.checked_sub(back)).take_while(|at| {
                matches!(words.word(*at), "year" | "yr" | "of" | "in" | "for" | "the" | "noi" | "income")
            }).any(|at| matches!(words.word(at), "noi" | "income"));
        let held = if noi { year - 1.0 } else { year };
        match sheet.value(HoldYears) {
            Some(known) if (known - held).abs() > 1e-9 => {
                sheet.doubt(format!(
                    "Is the property sold at the end of year {known} or of year {held}?"
                ));
            }
            Some(_) => {}
            None => sheet.put(HoldYears, held),
        }
        sheet.take(at);
    }
    sheet.deal.values.remove(&LeaseYear);
    if !sheet.has(HoldYears)
        && let Some(year) = words.ordinal_year().filter(|year| *year > 1.0)
    {
        sheet.put(HoldYears, year);
    }
}
