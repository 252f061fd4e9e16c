//! Development: profit on cost and on value, residual land value.

use crate::forms::form::Form;
use crate::words::scan::Shape;
use finance::variable::Variable::*;

#[rustfmt::skip]
const VALUE: &[&str] = &["gdv", "gross development value", "completed value", "value on completion", "end value", "value", "valued at", "completion value", "as completed value", "stabilized value", "stabilised value", "sells for", "worth", "value at completion", "exit value", "sale value", "as complete value"];
#[rustfmt::skip]
const NOI: &[&str] = &["noi", "net operating income", "stabilized noi", "stabilised noi", "forward noi"];
#[rustfmt::skip]
const CAP: &[&str] = &["cap", "cap rate", "exit cap", "yield", "market cap", "market cap rate", "exit yield"];
#[rustfmt::skip]
const COST: &[&str] = &["total cost", "total costs", "cost", "costs", "total development cost", "total development costs", "development cost", "development costs", "all in cost", "all in", "all in costs", "project cost", "cost to build", "build cost", "budget", "total project cost", "costs incl finance", "costs including finance", "tdc", "total cost including land", "costs in total"];

#[rustfmt::skip]
pub(crate) static PROFIT: Form = Form {
    name: "development_profit",
    is: |words| {
        let named = words.says(&["profit on cost", "profit on gdv", "profit on value", "development profit", "margin on cost", "margin on gdv", "margin on value", "developer's profit on", "developer profit on", "profit margin on cost", "return on cost profit"]);
        let asked = words.says(&["profit", "margin", "developer's margin"]) && words.says(COST) && (words.says(VALUE) || (words.has(&["noi"]) && words.has(&["cap", "caps", "yield"])));
        (named || asked) && !words.says(&["replacement cost", "hard", "soft", "residual", "pay for the site", "pay for the land", "land value", "noi margin", "operating margin", "loan", "opex", "expenses", "egi", "rent", "per sf", "psf"])
    },
    goals: &[
        (DevelopmentProfit, &["development profit", "profit", "developer's profit", "developer profit", "margin", "profit in dollars", "gain"]),
        (ProfitOnCost, &["profit on cost", "margin on cost", "profit margin on cost", "on cost", "developer's profit on cost", "developer profit on cost"]),
        (ProfitOnValue, &["profit on gdv", "profit on value", "margin on gdv", "margin on value", "on gdv", "developer's profit on gdv", "developer profit on gdv"]),
    ],
    inputs: &[(CompletedValue, VALUE), (CompletedNoi, NOI), (CompletedCap, CAP), (BuildCost, COST)],
    leads: &[(BuildCost, &["costing", "costs", "spend", "cost of", "built for", "build for"]), (CompletedValue, &["worth", "valued at", "sells for", "sell for"]), (CompletedCap, &["valued at a", "at a", "at"])],
    bare: &[],
    sums: &[],
    settle: |words, sheet| {
        // "NOI 1.5m / 5.5%": the one share beside an NOI is its cap rate; any other share is not left out in silence.
        let share = sheet.left.iter().copied().find(|at| words.number(*at).is_some_and(|number| number.shape == Shape::Percent));
        if let Some(at) = share
            && let Some(number) = words.number(at)
            && sheet.has(CompletedNoi)
            && !sheet.has(CompletedCap)
            && !sheet.has(CompletedValue)
            && at.checked_sub(1).is_some_and(|before| words.mark(before, '/') || matches!(words.word(before), "at" | "a"))
        {
            sheet.put(CompletedCap, number.value / 100.0);
            sheet.take(at);
        }
        if sheet.has(CompletedCap) && !sheet.has(CompletedNoi) {
            sheet.doubt("Of which NOI is that the cap rate?");
        }
        let own = |goal| if words.says(&["on cost", "on costs"]) { ProfitOnCost } else if words.says(&["on gdv", "on value"]) { ProfitOnValue } else { goal };
        if sheet.wants(DevelopmentProfit) {
            let share = words.says(&["percent", "percentage", "as a %", "as a percentage", "in percent"]);
            sheet.replace_goal(DevelopmentProfit, own(DevelopmentProfit));
            if share && sheet.wants(DevelopmentProfit) {
                sheet.doubt("Should the profit be in percent of cost or of the value?");
            }
        }
    },
};

#[rustfmt::skip]
pub(crate) static RESIDUAL_LAND: Form = Form {
    name: "residual_land",
    is: |words| words.says(&["residual land", "residual land value", "residual value of the land", "residual site value", "pay for the site", "pay for the land", "land residual", "afford for the land", "afford for the site", "pay for land", "bid for the land", "bid for the site", "land bid"]),
    goals: &[(ResidualLand, &["residual land value", "residual land", "pay for the site", "pay for the land", "land residual", "land value", "pay for land", "residual site value", "site", "land"])],
    inputs: &[
        (CompletedValue, VALUE),
        (CompletedNoi, NOI),
        (CompletedCap, CAP),
        (HardCost, &["construction", "construction cost", "construction costs", "build cost", "build costs", "hard costs", "hard cost", "hard", "building cost", "works"]),
        (FeeShare, &["professional fees", "fees", "fees of", "design fees"]),
        (FeeCost, &["professional fees", "fees", "design fees"]),
        (FinancingCost, &["finance", "finance costs", "finance cost", "financing", "financing costs", "interest", "funding costs"]),
        (SoftCost, &["soft costs", "soft cost", "soft", "contingency", "marketing", "marketing costs", "sales costs", "planning costs", "other costs", "selling costs", "cil", "section 106"]),
        (ProfitOfValue, &["of gdv", "profit", "of value", "profit on gdv", "of gdv as profit", "margin", "profit margin", "of the gdv", "developer profit", "developer's profit", "margin on gdv"]),
        (ProfitOfCost, &["profit on cost", "of cost", "of costs", "margin on cost", "profit on costs"]),
        (YieldOnCost, &["yield on cost", "required yield on cost", "target yield on cost", "yoc", "return on cost", "required yield", "development yield"]),
        (BuildCost, &["other development costs", "all other costs", "all other development costs", "development costs", "costs excluding land", "costs without land", "total cost excluding land", "costs other than land", "other costs", "all in costs before land", "costs before land", "total costs excluding land"]),
    ],
    leads: &[(ProfitOfValue, &["developer wants", "wants"])],
    bare: &[],
    sums: &[SoftCost],
    settle: |words, sheet| {
        if sheet.has(YieldOnCost) {
            if !sheet.has(BuildCost) {
                sheet.rename(SoftCost, BuildCost);
            }
            if sheet.has(CompletedCap) {
                sheet.doubt("Should the land be what a yield on cost leaves, or what a value by the cap rate leaves?");
            }
            return;
        }
        sheet.rename(BuildCost, HardCost);
        if words.says(&["profit on cost", "of cost", "on cost", "of costs", "of total cost"]) {
            sheet.rename(ProfitOfValue, ProfitOfCost);
        } else if sheet.has(ProfitOfValue) && !words.says(&["of gdv", "on gdv", "of value", "of the gdv", "on value"]) {
            sheet.doubt("Is the profit a share of the value or of the cost?");
        }
        if !sheet.has(FeeShare) {
            sheet.assume(FeeCost, 0.0, "");
        }
        sheet.assume(FinancingCost, 0.0, "");
        sheet.assume(SoftCost, 0.0, "");
        if !sheet.has(ProfitOfCost) && !sheet.has(ProfitOfValue) {
            sheet.assume(ProfitOfValue, 0.0, "No profit is given, so none is counted.");
        }
        if sheet.has(ProfitOfCost) {
            sheet.remark("The profit is a share of all costs with the land.");
        }
    },
};
