//! Relations of development and yields: profit, residual land, band of investment, loaded cap rates, Gordon growth.

use crate::annuity;
use crate::fault::{Fault, finite, ratio};
use crate::relations::relation::{Form, Relation, form, four, one, three, two};
use crate::variable::Variable::*;

pub(crate) static DEVELOPMENT: &[Relation] = &[
    Relation {
        definition: "Value on completion = stabilized NOI ÷ cap rate.",
        assumption: false,
        forms: &[
            form!(CompletedValue = "NOI ÷ cap rate"; CompletedNoi, CompletedCap;
                |v| two(v, |noi, cap| ratio(noi, cap, "cap rate"))),
        ],
    },
    Relation {
        definition: "Development profit = value on completion − total development cost.",
        assumption: false,
        forms: &[
            form!(DevelopmentProfit = "value − cost"; CompletedValue, BuildCost;
                |v| two(v, |value, cost| finite(value - cost))),
        ],
    },
    Relation {
        definition: "Profit on cost = (value on completion − total cost) ÷ total cost.",
        assumption: false,
        forms: &[
            form!(ProfitOnCost = "profit ÷ cost"; DevelopmentProfit, BuildCost;
                |v| two(v, |profit, cost| ratio(profit, cost, "cost"))),
        ],
    },
    Relation {
        definition: "Profit on value = (value on completion − total cost) ÷ value on completion.",
        assumption: false,
        forms: &[
            form!(ProfitOnValue = "profit ÷ value"; DevelopmentProfit, CompletedValue;
                |v| two(v, |profit, value| ratio(profit, value, "value"))),
        ],
    },
    Relation {
        definition: "Professional fees as a share of construction.",
        assumption: false,
        forms: &[
            form!(FeeCost = "share × construction"; FeeShare, HardCost; |v| two(v, |share, hard| finite(share * hard))),
        ],
    },
    Relation {
        definition: "Residual land value = value on completion × (1 − profit) − construction − fees − \
                     finance − other costs.",
        assumption: false,
        forms: &[
            form!(ResidualLand = "value × (1 − profit) − construction − fees − finance − other costs";
                CompletedValue, ProfitOfValue, HardCost, FeeCost, FinancingCost, SoftCost; residual_of_value),
        ],
    },
    Relation {
        definition: "Residual land value = value on completion ÷ (1 + profit on cost) − construction − fees \
                     − finance − other costs.",
        assumption: false,
        forms: &[
            form!(ResidualLand = "value ÷ (1 + profit) − construction − fees − finance − other costs";
                CompletedValue, ProfitOfCost, HardCost, FeeCost, FinancingCost, SoftCost; residual_of_cost),
        ],
    },
    Relation {
        definition: "Residual land value = stabilized NOI ÷ required yield on cost − all other costs.",
        assumption: false,
        forms: &[
            form!(ResidualLand = "NOI ÷ required yield − other costs"; CompletedNoi, YieldOnCost, BuildCost;
                |v| three(v, |noi, wanted, cost| finite(ratio(noi, wanted, "yield on cost")? - cost))),
        ],
    },
    Relation {
        definition: "Band of investment: cap rate = LTV × mortgage constant + (1 − LTV) × equity rate.",
        assumption: false,
        forms: &[
            form!(BandCap = "LTV × constant + (1 − LTV) × equity rate"; Ltv, Constant, EquityRate;
                |v| three(v, |ltv, constant, equity| finite(ltv * constant + (1.0 - ltv) * equity))),
        ],
    },
    Relation {
        definition: "Net initial yield = passing rent ÷ (price × (1 + purchaser's costs)).",
        assumption: false,
        forms: &[
            form!(NetInitialYield = "rent ÷ (price × (1 + costs))"; PassingAnnual, Price, PurchaserShare;
                |v| three(v, |rent, price, costs| ratio(rent, price * (1.0 + costs), "price"))),
        ],
    },
    Relation {
        definition: "Gross yield = annual rent ÷ price.",
        assumption: false,
        forms: &[form!(GrossYield = "annual rent ÷ price"; PassingAnnual, Price;
                |v| two(v, |rent, price| ratio(rent, price, "price")))],
    },
    Relation {
        definition: "Loaded cap rate: value = NOI before property tax ÷ (cap rate + effective tax rate).",
        assumption: false,
        forms: &[
            form!(LoadedValue = "NOI before tax ÷ (cap rate + tax rate)"; UntaxedNoi, CompletedCap, TaxLoad;
                |v| three(v, |noi, cap, tax| ratio(noi, cap + tax, "loaded cap rate"))),
        ],
    },
    Relation {
        definition: "Increase of NOI = rent increase per unit and month × units × 12.",
        assumption: false,
        forms: &[
            form!(AnnualUplift = "rent increase × units × 12"; MonthlyUplift, TotalUnits;
                |v| two(v, |rise, units| finite(rise * units * 12.0))),
        ],
    },
    Relation {
        definition: "Value created = increase of NOI ÷ cap rate.",
        assumption: false,
        forms: &[
            form!(ValueCreated = "increase of NOI ÷ cap rate"; AnnualUplift, CompletedCap;
                |v| two(v, |rise, cap| ratio(rise, cap, "cap rate"))),
        ],
    },
    Relation {
        definition: "Terminal value by Gordon growth = cash flow of the next year ÷ (discount rate − growth).",
        assumption: false,
        forms: &[
            form!(NextFlow = "last cash flow × (1 + growth)"; LastFlow, GrowthRate;
                |v| two(v, |flow, rise| finite(flow * (1.0 + rise)))),
            form!(TerminalValue = "next cash flow ÷ (discount rate − growth)";
                NextFlow, DiscountRate, GrowthRate;
                |v| three(v, |flow, rate, rise| annuity::perpetuity(flow, rise, rate))),
        ],
    },
    Relation {
        definition: "Gross potential rent needed = (yield × cost + operating expenses) ÷ (1 − vacancy).",
        assumption: false,
        forms: &[form!(RequiredRent = "(yield × cost + opex) ÷ (1 − vacancy)";
                YieldOnCost, BuildCost, Opex, VacancyShare;
                |v| four(v, |wanted, cost, opex, vacant| ratio(wanted * cost + opex, 1.0 - vacant, "occupancy")))],
    },
    Relation {
        definition: "Real rate = (1 + nominal rate) ÷ (1 + inflation) − 1.",
        assumption: false,
        forms: &[
            form!(RealRate = "(1 + nominal) ÷ (1 + inflation) − 1"; DiscountRate, InflationRate;
                |v| two(v, |nominal, inflation| finite(ratio(1.0 + nominal, 1.0 + inflation, "inflation")? - 1.0))),
        ],
    },
    Relation {
        definition: "Rent lost = gross potential rent × (1 − economic occupancy).",
        assumption: false,
        forms: &[
            form!(EconomicLoss = "GPR × (1 − economic occupancy)"; Gpr, GivenOccupancy;
                |v| two(v, |rent, kept| finite(rent * (1.0 - kept)))),
        ],
    },
    Relation {
        definition: "Compound annual growth rate = (second ÷ first)^(1/years) − 1.",
        assumption: false,
        forms: &[
            form!(Cagr = "(second ÷ first)^(1/years) − 1"; FirstValue, SecondValue, SpreadYears;
                |v| three(v, annuity::growth_rate)),
        ],
    },
    Relation {
        definition: "Change in value at the same NOI = first cap rate ÷ second cap rate − 1.",
        assumption: false,
        forms: &[
            form!(ValueChange = "first cap rate ÷ second cap rate − 1"; StartCap, EndCap;
                |v| two(v, |start, end| finite(ratio(start, end, "cap rate")? - 1.0))),
        ],
    },
    Relation {
        definition: "Annualized T-3 = NOI of the last three months × 4.",
        assumption: false,
        forms: &[
            form!(AnnualizedNoi = "NOI of three months × 4"; QuarterNoi; |v| one(v, |noi| finite(4.0 * noi))),
        ],
    },
];

fn residual_of_value(v: &[f64]) -> Result<f64, Fault> {
    let &[value, profit, hard, fees, finance, other] = v else {
        return Err(Fault::NotFinite);
    };
    finite(value * (1.0 - profit) - hard - fees - finance - other)
}

fn residual_of_cost(v: &[f64]) -> Result<f64, Fault> {
    let &[value, profit, hard, fees, finance, other] = v else {
        return Err(Fault::NotFinite);
    };
    finite(ratio(value, 1.0 + profit, "profit")? - hard - fees - finance - other)
}
