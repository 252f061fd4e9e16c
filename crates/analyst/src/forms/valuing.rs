//! What a property sells for, what of it reaches the equity, and how a move of the cap rate changes its value.

use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use crate::words::scan::{Per, Shape};
use finance::variable::Variable::*;

#[rustfmt::skip]
const COSTS: &[&str] = &["selling costs", "sale costs", "cost of sale", "costs of sale", "selling cost", "sales costs", "selling expenses", "closing costs", "disposition costs", "transaction costs", "cost to sell", "sale cost", "costs", "broker", "brokerage", "broker fee", "commission", "sales commission", "disposition fee", "costs to sell", "of costs", "disposal costs", "in disposal costs", "disposal cost", "in selling costs", "brokers and closing", "brokers", "agents and legal", "fees of sale", "sale fees"];
#[rustfmt::skip]
pub(crate) const TO_EQUITY: &[&str] = &["net to equity", "cash to equity", "to equity", "to the equity", "reaches the equity", "reach the equity", "equity proceeds", "net equity", "net equity proceeds", "proceeds after debt", "proceeds after the loan", "net after debt", "net after the loan", "net after payoff", "after the payoff", "after payoff", "after paying off the loan", "after paying off the mortgage", "after repaying the loan", "walk away with", "pocket", "left for equity", "left for the equity", "left for us", "cash out at closing", "net cash", "after loan payoff", "seller's net", "take home", "cash at closing", "equity at sale", "equity back", "goes to equity", "hits our account", "hit our account", "hits my account", "hits the account", "do we clear", "do i clear", "we clear", "left over", "do we keep", "do i keep", "cash in hand", "lands with the equity", "land with the equity", "lands in our account", "lands in my account", "lands in the account", "land in our account", "land in my account", "back to equity", "back to the equity", "ends up with the equity", "end up with", "comes to the equity", "comes back to us"];

#[rustfmt::skip]
pub(crate) static SALE: Form = Form {
    name: "sale",
    is: |words| {
        let sale = words.has(&["sell", "sells", "selling", "sold", "sale", "exit", "disposition", "buyers", "buyer", "reversion"]) || words.says(&["gross sale price"]);
        let equity = words.says(TO_EQUITY) && (words.says(PAYOFF) || words.says(&["pay off", "paying off", "pays off", "repay", "repaying"]));
        let costs = words.says(COSTS);
        let capped = words.has(&["noi"]) && (words.has(&["cap", "caps", "capped", "capitalized", "capitalised", "buyers", "buyer", "yield"]));
        let other = words.has(&["growing", "grows", "growth", "rising", "irr", "npv", "discount", "discounted", "1031", "boot", "gain", "basis", "lp", "gp", "waterfall", "hold", "held", "comps", "invested", "tax", "taxes", "multiple", "moic", "unit", "units", "door", "years", "flat", "attached"]);
        // With other years named the reader of holdings and the graph know which NOI is meant.
        // "If buyers look for 4.8%, what value …": nothing is sold.
        let valued = words.says(&["what value", "worth", "value would"]) && !words.has(&["sell", "sells", "selling", "sold", "sale", "exit"]);
        let years = words.numbers().any(|at| words.number(at).is_some_and(|number| number.shape == Shape::YearLabel));
        sale && !other && !valued && (!years || forward_years(words).is_some()) && (equity || (capped && (costs || words.has(&["buyers", "buyer"]) || words.says(&["sell for", "gross sale price"]))))
    },
    goals: &[
        (EquityProceeds, TO_EQUITY),
        (NetSale, &["net sale proceeds", "net proceeds", "net sales proceeds", "net sale price", "net from the sale", "we net", "do we net", "proceeds before debt", "net of costs", "net reversion", "net us", "nets us", "net me"]),
        (GrossSale, &["gross sale price", "sale price", "sell for", "exit value", "sale value", "exit price", "reversion value", "sales price", "gross price", "resale price", "be sold for"]),
    ],
    inputs: &[
        (SalePrice, &["sale price", "sales price", "price", "gross sale price", "contract price", "sale", "gross price"]),
        (SaleCostShare, COSTS),
        (SellingCosts, COSTS),
        (Payoff, PAYOFF),
        (ExitNoi, &["forward noi at the time of sale", "forward noi at the time of the sale", "forward noi at sale", "forward noi at exit", "noi at the time of sale", "noi at the time of the sale", "noi at sale", "noi at exit", "noi on sale", "noi", "forward noi", "net operating income", "next year noi", "next year's noi", "stabilized noi", "following year noi", "noi for the year after the sale", "noi in the year after the sale", "noi of the year after the sale", "noi the year after the sale", "noi for the year following the sale", "noi in the year following the sale", "noi of the year following the sale", "noi for the year after sale", "noi in the year after sale", "noi for the year following sale", "noi in the year following sale", "net operating income in the year after the sale", "net operating income in the year following the sale", "net operating income for the year after the sale", "net operating income for the year following the sale", "noi after the sale"]),
        (ExitCap, &["cap", "cap rate", "exit cap", "exit cap rate", "terminal cap", "terminal cap rate", "exit yield", "going out cap", "yield"]),
    ],
    leads: &[
        (SalePrice, &["sell for", "sells for", "selling for", "sold for", "sell at", "sold at", "sells at", "selling at", "exit at", "sale at", "sale for", "sale of"]),
        (ExitCap, &["sell at a", "exit at a", "sale at a", "sold at a", "buyers want", "buyers pay", "buyers pay a", "buyers want a", "buyers require", "buyers demand", "buyers accept", "buyer wants", "buyer wants a", "capped at", "capped at a", "capitalized at", "capitalized at a", "capitalised at", "capitalised at a"]),
        (Payoff, &["owe", "owing", "still owe", "pay off", "paying off", "repay", "repaying"]),
    ],
    bare: &[],
    sums: &[],
    settle: settle_sale,
};

#[rustfmt::skip]
const PAYOFF: &[&str] = &["loan payoff", "mortgage payoff", "payoff", "debt payoff", "loan balance", "mortgage balance", "mortgage", "loan", "debt", "outstanding loan", "remaining loan", "outstanding debt", "balance", "loan outstanding", "owe", "owing", "outstanding mortgage"];

/// "Sold at the end of year 5; year 6 NOI 964,000": the NOI of the year after the sale, said in years.
fn forward_years(words: &Words) -> Option<Vec<usize>> {
    let labels: Vec<(usize, f64)> = words
        .numbers()
        .filter_map(|at| {
            words
                .number(at)
                .filter(|number| number.shape == Shape::YearLabel)
                .map(|number| (at, number.value))
        })
        .collect();
    let income = |at: usize| {
        let near = |place: usize| matches!(words.word(place), "noi" | "forward" | "income");
        (1..=3).any(|far| near(at + far) || at.checked_sub(far).is_some_and(near))
    };
    let sale = |at: usize| {
        at.checked_sub(3).is_some_and(|from| {
            (from..at).any(|place| {
                matches!(
                    words.word(place),
                    "end" | "after" | "close" | "exit" | "sell" | "sale" | "sold" | "selling"
                )
            })
        })
    };
    // "Year 6 NOI 668k, 7% cap": the one income is that which the price rests on.
    if let [(at, _)] = labels.as_slice()
        && !sale(*at)
        && income(*at)
    {
        return Some(vec![*at]);
    }
    let sold = labels.iter().find(|(at, _)| sale(*at)).map(|(_, year)| *year)?;
    labels
        .iter()
        .all(|(at, year)| {
            let later = (*year - sold - 1.0).abs() < 1e-9 && !sale(*at) && income(*at);
            later || (sale(*at) && (*year - sold).abs() < 1e-9)
        })
        .then(|| labels.iter().map(|(at, _)| *at).collect())
}

fn settle_sale(words: &Words, sheet: &mut Sheet) {
    for at in forward_years(words).into_iter().flatten() {
        sheet.take(at);
    }
    let undrawn = words.says(&[
        "before paying",
        "before the lender",
        "before lender",
        "before repaying",
        "before the loan",
        "before the bank",
        "before debt",
        "before payoff",
        "before the mortgage",
    ]);
    if undrawn && sheet.wants(EquityProceeds) && !sheet.has(Payoff) {
        sheet.replace_goal(EquityProceeds, NetSale);
    }
    if sheet.wants(EquityProceeds) && !words.says(TO_EQUITY) && !sheet.has(Payoff) {
        sheet.doubt("Do you want the gross price, or what is left of it after the sale costs?");
        sheet.goals.clear();
    }
    if sheet.has(ExitNoi) {
        sheet.remark("The NOI is taken as that of the year after the sale.");
    }
    if words.says(&[
        "no selling costs",
        "no costs",
        "no closing costs",
        "no sale costs",
    ]) {
        sheet.put(SaleCostShare, 0.0);
    }
    let costs = sheet.has(SaleCostShare) || sheet.has(SellingCosts);
    if !costs && !sheet.wants(GrossSale) {
        sheet.assume(
            SaleCostShare,
            0.0,
            "No sale costs are given, so none are counted.",
        );
    }
    if sheet.has(Payoff)
        && sheet.wants(NetSale)
        && !words.says(&["before debt", "before the loan", "before payoff"])
    {
        sheet.replace_goal(NetSale, EquityProceeds);
    }
}

#[rustfmt::skip]
pub(crate) static CAP_MOVE: Form = Form {
    name: "cap_rate_move",
    is: |words| {
        // "from 5.25 to 6": rates beside a cap rate need no sign.
        let rates = words.numbers().filter(|at| words.number(*at).is_some_and(|number| number.shape == Shape::Percent || (number.shape == Shape::Plain && !number.dollars && !number.scaled && (2.0..=15.0).contains(&number.value)))).count();
        let cap = words.has(&["cap", "caps"]) || words.says(&["cap rate", "cap rates"]);
        let moves = words.has(&["to"]) && words.has(&["from", "move", "moves", "go", "goes", "rise", "rises", "expand", "expands", "fall", "falls", "widen", "widens", "compress", "compresses", "drift", "drifts", "shift", "shifts", "increase", "increases", "drop", "drops", "decompress", "jump", "jumps"]);
        let change = words.has(&["lose", "loses", "lost", "losing", "loss", "drop", "drops", "decline", "declines", "fall", "falls", "gain", "gains", "gained", "created", "change", "changes", "less", "more", "destroyed", "wiped", "impact", "effect", "erased", "difference", "evaporate", "evaporates", "disappear", "disappears", "vanish", "vanishes", "knocks", "knock", "comes", "come", "shed", "sheds"]);
        let value = words.has(&["value", "valuation", "worth"]);
        rates == 2 && cap && moves && change && value && words.has(&["noi"]) && !words.has(&["exit", "hold", "irr", "discount", "growth", "loan", "ltv", "dscr"])
    },
    goals: &[(ValueLoss, &["lose", "lost", "loss", "drop", "decline", "fall"]), (ValueGain, &["gain", "gained", "change", "created"])],
    inputs: &[(Noi, &["noi", "net operating income"])],
    leads: &[(StartCap, &["from"]), (EndCap, &["to"]), (Noi, &["noi at", "noi of", "holds at", "hold at", "stays at", "steady at", "flat at", "constant at", "unchanged at", "remains at"])],
    bare: &[],
    sums: &[],
    settle: |_, sheet| {
        // A fall is said as a loss, a rise as a gain, whatever word asked for it.
        let (start, end) = (sheet.value(StartCap), sheet.value(EndCap));
        sheet.goals = vec![if start < end { ValueLoss } else { ValueGain }];
        sheet.remark("The NOI stays the same.");
    },
};

/// The multiplier on the rent of one month, where it is asked for as such.
#[rustfmt::skip]
pub(crate) static MONTHLY_MULTIPLE: Form = Form {
    name: "monthly_multiple",
    is: |words| {
        let asks = words.says(&["monthly grm", "monthly gross rent multiplier", "grm on monthly", "grm on the monthly", "grm by the month", "grm per month", "grm monthly", "gross rent multiplier on monthly", "gross rent multiplier on the monthly", "monthly rent multiplier", "gross monthly rent multiplier"]);
        asks && words.numbers().count() == 2 && !words.has(&["annual", "yearly", "year", "average", "each", "units"]) && !words.counts_units()
    },
    goals: &[(MonthlyGrm, &["monthly grm", "grm", "monthly gross rent multiplier", "gross rent multiplier", "monthly rent multiplier", "gross monthly rent multiplier", "grm on monthly rent"])],
    inputs: &[
        (Price, &["price", "purchase price", "asking price", "ask", "cost", "value"]),
        (PassingMonthly, &["monthly rent", "monthly rents", "rent per month", "rent", "rents", "gross rent", "monthly gross rent", "gross monthly rent", "rent a month"]),
    ],
    leads: &[(Price, &["at", "for", "costs", "asking", "priced at", "pay", "listed at"]), (PassingMonthly, &["rents for", "brings in", "collects", "grosses"])],
    bare: &[Price, PassingMonthly],
    sums: &[],
    settle: |_, sheet| sheet.goals = vec![MonthlyGrm],
};

#[rustfmt::skip]
pub(crate) static RENT_MULTIPLE: Form = Form {
    name: "rent_multiple",
    is: |words| {
        let named = words.says(&["grm", "gross rent multiplier", "rent multiplier", "gross rent multiple"]);
        let monthly = words.says(&["monthly rent", "rent per month", "rents per month", "monthly rents", "monthly gross", "gross monthly"]) || words.says(TOTAL_RENT);
        named && !words.says(&["monthly grm"]) && (monthly || words.counts_units()) && (monthly || words.numbers().any(|at| words.number(at).is_some_and(|number| number.per == Some(Per::Month))))
    },
    goals: &[(Grm, &["grm", "gross rent multiplier", "rent multiplier", "gross rent multiple"])],
    inputs: &[
        (Price, &["price", "purchase price", "asking price", "ask", "building", "cost"]),
        (TotalUnits, &["units", "apartments"]),
        (AverageRent, &["rent", "rents", "average rent"]),
        (PassingMonthly, &["monthly rent", "monthly rents", "rent per month", "rents per month", "rent", "rents", "gross rent", "gross rents", "monthly gross", "gross monthly"]),
    ],
    leads: &[(Price, &["at", "for", "costs", "asking", "priced at", "pay", "listed at", "offered at"]), (PassingMonthly, &["collects", "collecting", "brings in", "bringing in", "pulls in", "takes in", "grosses", "grossing"])],
    bare: &[TotalUnits, AverageRent, Price],
    sums: &[],
    settle: |words, sheet| {
        let either = format!("{} or the {}", AverageRent.label(), PassingMonthly.label());
        let other = format!("{} or the {}", PassingMonthly.label(), AverageRent.label());
        let torn = sheet.deal.doubts.iter().any(|doubt| doubt.contains(&either) || doubt.contains(&other));
        let month = words.numbers().filter_map(|at| words.number(at)).find(|number| number.per == Some(Per::Month)).map(|number| number.value);
        let rent = month.or(sheet.value(AverageRent)).or(sheet.value(PassingMonthly));
        // "17,250 monthly in total": the rent of the whole property.
        let said = words.says(TOTAL_RENT) || !sheet.has(TotalUnits);
        let whole = said || (!words.says(EACH_RENT) && rent.is_some_and(|rent| of_all(sheet, rent)));
        if torn && let Some(rent) = rent {
            sheet.deal.doubts.retain(|doubt| !doubt.contains(&either) && !doubt.contains(&other));
            sheet.put(if whole { PassingMonthly } else { AverageRent }, rent);
        } else if whole {
            sheet.rename(AverageRent, PassingMonthly);
        } else {
            sheet.rename(PassingMonthly, AverageRent);
        }
        if sheet.has(PassingMonthly) {
            sheet.deal.values.remove(&TotalUnits);
        }
        sheet.remark("GRM on the rent of a year.");
    },
};

#[rustfmt::skip]
pub(crate) static INCOME_MULTIPLE: Form = Form {
    name: "income_multiple",
    is: |words| words.says(&["gim", "gross income multiplier", "gross income multiple", "egim"]) && !words.has(&["vacancy", "unit", "units", "month", "monthly"]),
    goals: &[(Grm, &["gim", "gross income multiplier", "gross income multiple", "egim"]), (Value, &["value", "worth", "price"])],
    inputs: &[
        (Price, &["price", "sale", "sale price", "purchase price", "asking price", "sold for", "sells for", "deal"]),
        (GrossRent, &["gross income", "gross annual income", "income", "annual gross income", "effective gross income", "egi", "gross scheduled income"]),
        (Grm, &["gim", "gross income multiplier", "gross income multiple", "egim"]),
    ],
    leads: &[(Price, &["at", "for", "on a", "asking", "paid"])],
    bare: &[],
    sums: &[],
    settle: |_, sheet| {
        sheet.names.push((Grm, "gim"));
        sheet.remark("Gross income multiplier = price ÷ gross income of a year.");
    },
};

/// Whether a rent can only be that of all units: as that of each the multiplier would be none that occurs.
fn of_all(sheet: &Sheet, rent: f64) -> bool {
    let (Some(price), Some(units)) = (sheet.value(Price), sheet.value(TotalUnits)) else {
        return false;
    };
    let occurs = |multiple: f64| (4.0..=40.0).contains(&multiple);
    let all = price / (rent * 12.0);
    occurs(all) && !occurs(all / units)
}

#[rustfmt::skip]
const EACH_RENT: &[&str] = &["each", "apiece", "every", "per unit", "a unit", "per door", "a door", "per apartment", "average rent", "average rents", "avg rent", "per side"];

#[rustfmt::skip]
const TOTAL_RENT: &[&str] = &["in total", "total rents", "total rent", "total monthly rent", "altogether", "rent roll", "whole building"];

#[rustfmt::skip]
pub(crate) static CAP_SHARE: Form = Form {
    name: "cap_rate_share",
    is: |words| {
        let rates = words.numbers().filter(|at| words.number(*at).is_some_and(|number| number.shape == Shape::Percent)).count();
        let share = words.has(&["percent", "percentage", "pct"]) || words.tokens.iter().any(|token| token.is_mark('%'));
        rates == 2 && words.numbers().count() == 2 && share && words.has(&["cap", "caps"]) && words.has(&["value", "values", "valuation"]) && words.has(&["from"]) && words.has(&["to"])
            && words.says(&["unchanged", "constant", "same noi", "flat", "noi stays", "noi is unchanged", "noi stays the same", "noi unchanged", "drop", "fall", "change", "lose", "rise", "gain"]) && !words.has(&["exit", "loan", "irr", "growth"])
    },
    goals: &[(ValueChange, &["drop", "fall", "change", "lose", "rise", "gain", "value", "decline"])],
    inputs: &[],
    leads: &[(StartCap, &["from"]), (EndCap, &["to"])],
    bare: &[],
    sums: &[],
    settle: |_, sheet| {
        sheet.remark("The NOI stays the same.");
    },
};
