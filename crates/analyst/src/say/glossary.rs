//! What the metrics mean: one definition each, with the convention that is used here.
//!
//! Fixed texts without any value. Knows how people ask for a meaning, and no calculation.

use crate::contract::brief::Brief;
use crate::contract::draft::Draft;
use crate::forms::words::Words;
use crate::words::scan::Token;

/// The definition asked for, if the question asks for nothing but a meaning.
pub(crate) fn answer(brief: &Brief, tokens: &[Token]) -> Option<Draft> {
    let words = Words {
        text: &brief.question,
        tokens,
    };
    if words.numbers().next().is_some() || tokens.len() > 24 {
        return None;
    }
    let (from, to) = subject(&words, brief.earlier.is_none())?;
    let mut found: Option<(usize, &str, &str)> = None;
    for (names, text) in MEANINGS {
        for name in *names {
            let parts: Vec<&str> = name.split(' ').collect();
            for at in from..to {
                let Some(end) = words.at(at, &parts).filter(|end| *end <= to) else {
                    continue;
                };
                if found.is_none_or(|(length, ..)| end - at > length) {
                    found = Some((end - at, names.first().copied().unwrap_or(name), *text));
                }
            }
        }
    }
    let (_, name, text) = found?;
    let said = format!("{}: {text}", capital(name));
    Some(Draft {
        quick_reply: said.clone(),
        summary: said.clone(),
        result: format!("**{}**\n\n{text}\n", capital(name)),
        success: true,
        ..Draft::default()
    })
}

/// Where the thing stands whose meaning is asked for.
fn subject(words: &Words, alone: bool) -> Option<(usize, usize)> {
    let end = words.tokens.len();
    let after = |phrases: &[&str]| {
        phrases
            .iter()
            .find_map(|phrase| words.find(phrase))
            .map(|(_, to)| to)
    };
    if let Some(from) = after(&[
        "what is meant by",
        "what do you mean by",
        "meaning of",
        "definition of",
        "define",
        "formula for",
        "how do you define",
        "how do you calculate",
        "how do i calculate",
        "how do we calculate",
        "how do you compute",
        "how to calculate",
        "how do you measure",
        "what counts as",
        "explain",
        "how does one calculate",
    ]) {
        return Some((from, end));
    }
    let means = [
        "mean",
        "means",
        "stand for",
        "stands for",
        "measure",
        "tell me",
        "tell you",
    ]
    .iter()
    .find_map(|phrase| words.find(phrase))
    .map(|(at, _)| at);
    if let (Some(from), Some(to)) = (after(&["what does", "what do", "whats", "what"]), means)
        && from < to
    {
        return Some((from, to));
    }
    if let Some(from) = after(&["how is", "how are", "how's"])
        && words.has(&[
            "calculated",
            "computed",
            "defined",
            "measured",
            "worked",
            "determined",
            "figured",
        ])
    {
        return Some((from, end));
    }
    // "what is a cap rate?", "what is DSCR?": nothing else, and no deal before it.
    let from = after(&["what is", "what's", "whats", "what are"])?;
    let article = matches!(words.word(from), "a" | "an");
    let rest = words.tokens.get(from..).unwrap_or_default();
    let short = rest.iter().filter(|token| !token.word().is_empty()).count() <= 5;
    let definite = rest.iter().any(|token| {
        matches!(
            token.word(),
            "the"
                | "our"
                | "my"
                | "your"
                | "this"
                | "that"
                | "its"
                | "for"
                | "at"
                | "on"
                | "of"
                | "if"
                | "his"
                | "their"
                | "good"
        )
    });
    (short && !definite && (article || alone)).then_some((from, end))
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[rustfmt::skip]
const MEANINGS: &[(&[&str], &str)] = &[
    (&["net operating income (NOI)", "noi", "net operating income"], "effective gross income less operating expenses. Debt service, depreciation, income tax, capital works, tenant improvements and commissions are never in it; reserves stay below the line unless a lender's view is asked for."),
    (&["net cash flow (NCF)", "ncf", "net cash flow"], "NOI less replacement reserves, as lenders see it; tenant improvements and commissions are deducted too where they are given."),
    (&["effective gross income (EGI)", "egi", "effective gross income"], "gross potential rent less loss to lease, vacancy, non-revenue units, concessions and bad debt, plus recoveries and other income."),
    (&["gross potential rent (GPR)", "gpr", "gross potential rent", "potential rent"], "the market rent of all units as if every one were let."),
    (&["potential gross income (PGI)", "pgi", "potential gross income", "gpi"], "gross potential rent plus other income, before any vacancy."),
    (&["cap rate", "capitalization rate", "cap", "going in cap", "going in cap rate"], "annual NOI divided by the price or value. The going-in cap rate uses the first year's NOI; market shorthand also uses the trailing twelve months."),
    (&["exit cap rate", "exit cap", "terminal cap rate", "terminal cap", "reversion cap"], "the cap rate at which the property is assumed to be sold, applied to the NOI of the year after the sale."),
    (&["debt service coverage ratio (DSCR)", "dscr", "debt service coverage", "debt service coverage ratio", "debt coverage", "dcr", "coverage ratio"], "NOI divided by debt service (interest and principal) of the same period. Without debt it is not defined."),
    (&["debt service"], "the interest and principal paid on a loan in a period, usually a year."),
    (&["debt yield"], "annual NOI divided by the loan amount: the lender's return if it had to take the property over."),
    (&["loan to value (LTV)", "ltv", "loan to value"], "the loan balance divided by the property's value."),
    (&["loan to cost (LTC)", "ltc", "loan to cost"], "the loan divided by the total project cost (land, hard, soft and financing costs)."),
    (&["mortgage constant", "loan constant", "debt constant"], "twelve monthly payments divided by the loan amount."),
    (&["interest coverage ratio (ICR)", "interest coverage", "interest coverage ratio", "interest cover", "icr"], "NOI (or EBIT) divided by the interest of the same year; repaid principal does not count."),
    (&["loan per unit", "debt per unit", "loan per door"], "the loan divided by the number of units."),
    (&["loan per square foot", "debt per square foot", "loan psf"], "the loan divided by the rentable area."),
    (&["down payment"], "the price less the loan; in percent it is divided by the price."),
    (&["monthly gross rent multiplier", "monthly grm"], "the price divided by the gross rent of one month: twelve times the multiplier on the annual rent."),
    (&["vacancy loss"], "the vacancy rate times the gross potential rent."),
    (&["sinking fund"], "equal deposits that grow, with interest, to a sum that is needed later."),
    (&["share of rent", "rent share"], "one tenant's rent divided by the rent of the whole, over the same period."),
    (&["amortization", "amortisation"], "repaying a loan by level payments that cover the month's interest and some principal, until nothing is owed."),
    (&["interest only", "interest only loan", "io loan"], "a loan or period in which only interest is paid, so that the balance does not change."),
    (&["balloon", "balloon payment"], "the balance that is due when a loan matures before it is fully amortized."),
    (&["yield maintenance"], "a prepayment premium: the present value of the remaining payments and the balloon at a Treasury yield, less the balance, and at least a minimum share of the balance. The wording differs from loan to loan."),
    (&["defeasance"], "replacing a loan's collateral by a portfolio of Treasury securities that makes all its remaining payments."),
    (&["step down prepayment", "step down", "stepdown"], "a prepayment premium that is a percentage of the balance and falls each loan year, such as 5-4-3-2-1."),
    (&["internal rate of return (IRR)", "irr", "internal rate of return"], "the rate at which the net present value of all cash flows is zero. It needs money out and money in; flows that change sign more than once can have several."),
    (&["XIRR", "xirr"], "the internal rate of return of flows on calendar dates, with days divided by 365, counted from the earliest date."),
    (&["XNPV", "xnpv"], "the net present value of flows on calendar dates, with days divided by 365, on the earliest date."),
    (&["net present value (NPV)", "npv", "net present value"], "the sum of all cash flows, each discounted to today; the first flow falls today unless it is said to fall a year from now."),
    (&["present value", "pv"], "what later payments are worth today at a given rate."),
    (&["modified internal rate of return (MIRR)", "mirr", "modified irr", "modified internal rate of return"], "the rate that links the present value of the outflows at a finance rate with the future value of the inflows at a reinvestment rate."),
    (&["discount rate"], "the annual rate at which later cash flows are brought back to today; it stands for the return that is required."),
    (&["hurdle rate", "hurdle"], "the return that must be reached before a project is accepted, or before the next tier of a waterfall begins."),
    (&["cash-on-cash return", "cash on cash"], "annual cash flow after debt service divided by the equity invested."),
    (&["equity multiple", "moic"], "total distributions divided by total contributions; it does not depend on when they come."),
    (&["gross rent multiplier (GRM)", "grm", "gross rent multiplier"], "price divided by annual gross rent."),
    (&["break-even occupancy", "break even occupancy", "breakeven occupancy", "breakeven"], "operating expenses plus debt service, divided by potential gross income."),
    (&["operating expense ratio", "opex ratio", "expense ratio", "oer"], "operating expenses divided by effective gross income."),
    (&["NOI margin", "noi margin", "operating margin"], "NOI divided by effective gross income."),
    (&["operating expenses", "opex"], "the running costs of a property: taxes, insurance, utilities, repairs, payroll, management and the like; neither debt service nor capital works."),
    (&["physical occupancy", "occupancy", "occupancy rate"], "occupied rentable units divided by rentable units; down and model units leave both sides. Commercial space is counted by area."),
    (&["economic occupancy"], "net rental income divided by gross potential rent; others divide total collections by it, so the version is always named."),
    (&["vacancy rate", "vacancy"], "one minus occupancy, on the same base."),
    (&["loss to lease"], "market rent less contract rent over the occupied units, gains netted."),
    (&["gain to lease"], "the opposite of a loss to lease: contract rents above market."),
    (&["concessions", "concession"], "rent given up to win a tenant, such as free months."),
    (&["weighted average lease term (WALT)", "walt", "wale", "wault", "weighted average lease term", "weighted average lease expiry"], "the remaining terms of the leases in force, weighted by rent or by area; vacant space is left out, a lease past its end counts as zero."),
    (&["lease rollover", "rollover"], "the share of leases, area or rent that expires in each year."),
    (&["retention", "retention rate", "renewal rate"], "leases renewed divided by leases that ended in the period."),
    (&["escalation", "escalator", "rent escalation", "rent bump"], "a rise of the rent that the lease fixes, by a percentage or by an index with floor and cap."),
    (&["net effective rent", "effective rent", "ner"], "all rents of the term less free rent, tenant improvements and commission, spread evenly over the years; in the discounted form the level payment with the same present value."),
    (&["tenant improvements (TI)", "tenant improvement", "ti allowance"], "what a landlord pays to fit out a tenant's space."),
    (&["triple net (NNN)", "nnn", "triple net", "net lease"], "a lease in which the tenant also pays property taxes, insurance and maintenance."),
    (&["yield on cost", "return on cost"], "stabilized NOI divided by total project cost."),
    (&["development spread"], "yield on cost less the market cap rate, in basis points."),
    (&["replacement cost"], "what building the same today would cost: hard and soft costs, land, and a developer's profit."),
    (&["waterfall", "distribution waterfall"], "the order in which cash is shared between limited partners and sponsor: capital and preferred return first, then splits that favour the sponsor more as hurdles are met."),
    (&["preferred return", "pref"], "the return on their capital that investors get before the sponsor takes part in the profit; simple, or compounding on what is unpaid."),
    (&["promote", "carried interest"], "the sponsor's share of the profit beyond its share of the capital."),
    (&["catch-up", "catch up"], "after the preferred return, cash that goes to the sponsor until it has its agreed share of the whole profit."),
    (&["clawback"], "the sponsor's duty to pay back promote that later results do not bear out."),
    (&["1031 exchange", "1031", "like kind exchange"], "selling a property and buying another while the gain is deferred: 45 days to identify, 180 days to close. Not tax advice."),
    (&["boot"], "cash or net debt relief received in an exchange; gain is recognized up to it. Not tax advice."),
    (&["depreciation", "straight line depreciation"], "writing a building off over its recovery period, 27.5 years for residential rental and 39 for other property; land is never depreciated. Not tax advice."),
    (&["mid-month convention", "mid month convention", "mid month"], "a building counts as placed in service in the middle of its month. Not tax advice."),
    (&["effective annual rate", "effective rate", "ear", "apy"], "the yearly rate with compounding counted: (1 + nominal rate ÷ m)^m − 1."),
    (&["nominal rate", "apr"], "the yearly rate as quoted, without compounding within the year."),
    (&["basis point", "basis points", "bps"], "a hundredth of a percentage point."),
    (&["actual/360", "day count"], "how days become a fraction of a year: 30/360 takes equal months, actual/360 and actual/365 count the days."),
    (&["reserves", "replacement reserves"], "money set aside for later capital works; below the line, though lenders deduct it for net cash flow."),
    (&["T-12", "t12", "trailing twelve"], "the income statement of the twelve full months that end with the last closed one."),
    (&["leverage"], "using debt beside equity; it raises the return on equity when the property earns more than the debt costs, and lowers it otherwise."),
    (&["sales comparables", "comps", "sales comps", "comparable sales"], "recent sales of similar properties, adjusted for differences, whose price per square foot or unit is applied to the subject."),
    (&["direct capitalization", "direct cap"], "value = one year's NOI divided by a cap rate."),
    (&["discounted cash flow (DCF)", "dcf", "discounted cash flow"], "value = the cash flows of the holding years and of the sale, each discounted to today."),
    (&["sensitivity table", "sensitivity", "sensitivity analysis", "data table"], "the same calculation done anew for every pair of two inputs, such as NOI and cap rate."),
];
