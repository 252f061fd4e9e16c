//! Relations of developments and holdings: yield on cost, price metrics, discounted cash flow with an exit.

use crate::fault::{Fault, finite, ratio};
use crate::flows::{self, FirstFlow, growth};
use crate::relations::relation::{Form, Relation, form, one, three, two};
use crate::valuation::{Debt, Holding};
use crate::variable::Variable::*;

pub(crate) static INVESTMENT: &[Relation] = &[
    Relation {
        definition: "Yield on cost = stabilized NOI ÷ total project cost.",
        assumption: false,
        forms: &[
            form!(YieldOnCost = "NOI ÷ total cost"; Noi, TotalCost;
                |v| two(v, |noi, cost| ratio(noi, cost, "total project cost"))),
            form!(Noi = "yield on cost × total cost"; YieldOnCost, TotalCost;
                |v| two(v, |own, cost| finite(own * cost))),
        ],
    },
    Relation {
        definition: "Development spread = yield on cost − market cap rate, in basis points.",
        assumption: false,
        forms: &[
            form!(DevelopmentSpread = "(yield on cost − market cap rate) × 10,000"; YieldOnCost, MarketCap;
                |v| two(v, |own, market| finite((own - market) * 10_000.0))),
        ],
    },
    Relation {
        definition: "Price per unit = price ÷ units.",
        assumption: false,
        forms: &[
            form!(PricePerUnit = "price ÷ units"; Price, TotalUnits;
                |v| two(v, |price, units| ratio(price, units, "number of units"))),
            form!(Price = "price per unit × units"; PricePerUnit, TotalUnits;
                |v| two(v, |each, units| finite(each * units))),
        ],
    },
    Relation {
        definition: "Price per square foot = price ÷ area.",
        assumption: false,
        forms: &[
            form!(PricePsf = "price ÷ area"; Price, Area; |v| two(v, |price, area| ratio(price, area, "area"))),
            form!(Price = "price per square foot × area"; PricePsf, Area; |v| two(v, |each, area| finite(each * area))),
        ],
    },
    Relation {
        definition: "NOI grows by the same rate each year: NOI of year k = first-year NOI × (1 + growth)^(k − 1).",
        assumption: false,
        forms: &[
            form!(LaterNoi = "first-year NOI × (1 + growth)^(year − 1)"; FirstNoi, NoiGrowth, LeaseYear;
                |v| three(v, |noi, rise, year| finite(noi * growth(rise)?.powf(year - 1.0)))),
            form!(ExitNoi = "first-year NOI × (1 + growth)^years held"; FirstNoi, NoiGrowth, HoldYears;
                |v| three(v, |noi, rise, years| finite(noi * growth(rise)?.powf(years)))),
        ],
    },
    Relation {
        definition: "Discounted cash flow: NOI of each year held at year ends and the net sale in the last \
                     year (NOI of the year after ÷ exit cap × (1 − sale costs)), discounted annually; no \
                     debt.",
        assumption: false,
        forms: &[
            form!(PresentValue = "Σ NOI of year t ÷ (1 + rate)^t + net sale ÷ (1 + rate)^years held";
                FirstNoi, NoiGrowth, HoldYears, ExitCap, SaleCostShare, DiscountRate; present),
        ],
    },
    Relation {
        definition: "Discounted cash flow with a sale at a given price: NOI of each year held at year ends \
                     and the sale less its costs in the last year, discounted annually; no debt.",
        assumption: false,
        forms: &[
            form!(PresentValue = "Σ NOI of year t ÷ (1 + rate)^t + sale × (1 − costs) ÷ (1 + rate)^years held";
                FirstNoi, NoiGrowth, HoldYears, SalePrice, SaleCostShare, DiscountRate; present_with_sale),
        ],
    },
    Relation {
        definition: "NPV = present value of the NOI and the net sale − price; no debt.",
        assumption: false,
        forms: &[form!(Npv = "present value − price";
                FirstNoi, NoiGrowth, HoldYears, ExitCap, SaleCostShare, DiscountRate, Price; net_present)],
    },
    Relation {
        definition: "Unlevered IRR = the annual rate at which the present value of NOI and net sale equals the price.",
        assumption: false,
        forms: &[
            form!(Irr = "NPV(rate) = 0 for the price, the NOI of each year and the net sale";
                FirstNoi, NoiGrowth, HoldYears, ExitCap, SaleCostShare, Price; unlevered),
        ],
    },
    Relation {
        definition: "Levered IRR = the annual rate at which equity (price − loan) equals the present value \
                     of NOI − debt service and of the net sale − payoff.",
        assumption: false,
        forms: &[
            form!(LeveredIrr = "NPV(rate) = 0 for the equity, NOI − debt service, and net sale − payoff";
                FirstNoi, NoiGrowth, HoldYears, ExitCap, SaleCostShare, Price, Loan, DebtService, Balance;
                levered),
        ],
    },
    Relation {
        definition: "Equity multiple = all that comes back to the equity ÷ all that is paid in (price − \
                     loan, and years in which the debt service exceeds the NOI).",
        assumption: false,
        forms: &[
            form!(LeveredMultiple = "Σ(NOI − debt service, net sale − payoff) ÷ equity";
                FirstNoi, NoiGrowth, HoldYears, ExitCap, SaleCostShare, Price, Loan, DebtService, Balance;
                multiple),
        ],
    },
    Relation {
        definition: "The loan is repaid at the sale, after 12 payments for each year held.",
        assumption: true,
        forms: &[form!(HeldYears = "holding period"; HoldYears; |v| one(v, finite))],
    },
];

fn holding(v: &[f64]) -> Result<Holding, Fault> {
    let &[noi, rise, years, exit_cap, cost, ..] = v else {
        return Err(Fault::NotFinite);
    };
    Holding::growing(noi, rise, whole_years(years)?, exit_cap, cost)
}

fn whole_years(years: f64) -> Result<u32, Fault> {
    if years.fract() != 0.0 || !(1.0..=100.0).contains(&years) {
        return Err(Fault::OutOfRange {
            what: "holding period",
            rule: "a whole number of years from 1 to 100",
        });
    }
    Ok(years as u32)
}

fn present(v: &[f64]) -> Result<f64, Fault> {
    let rate = v.get(5).copied().ok_or(Fault::NotFinite)?;
    holding(v)?.present_value(rate)
}

fn present_with_sale(v: &[f64]) -> Result<f64, Fault> {
    let &[noi, rise, years, sale, cost, rate] = v else {
        return Err(Fault::NotFinite);
    };
    // The income alone; the sale is added in the last year.
    let income = Holding::growing(noi, rise, whole_years(years)?, 1.0, 1.0)?;
    finite(income.present_value(rate)? + sale * (1.0 - cost) / growth(rate)?.powf(years))
}

fn net_present(v: &[f64]) -> Result<f64, Fault> {
    let price = v.get(6).copied().ok_or(Fault::NotFinite)?;
    let rate = v.get(5).copied().ok_or(Fault::NotFinite)?;
    let mut flows = vec![-price];
    flows.extend(holding(v)?.unlevered()?);
    flows::npv(rate, &flows, FirstFlow::Now)
}

fn unlevered(v: &[f64]) -> Result<f64, Fault> {
    let price = v.get(5).copied().ok_or(Fault::NotFinite)?;
    only_root(-price, holding(v)?.unlevered()?)
}

fn levered(v: &[f64]) -> Result<f64, Fault> {
    let (paid, later) = to_equity(v)?;
    only_root(-paid, later)
}

fn multiple(v: &[f64]) -> Result<f64, Fault> {
    let (paid, later) = to_equity(v)?;
    let back: f64 = later.iter().map(|flow| flow.max(0.0)).sum();
    let more: f64 = later.iter().map(|flow| (-flow).max(0.0)).sum();
    ratio(back, paid + more, "equity invested")
}

/// The initial equity and the yearly flows to it.
fn to_equity(v: &[f64]) -> Result<(f64, Vec<f64>), Fault> {
    let &[_, _, _, _, _, price, amount, annual_service, payoff] = v else {
        return Err(Fault::NotFinite);
    };
    let debt = Debt {
        amount,
        annual_service,
        payoff,
    };
    Ok((price - amount, holding(v)?.levered(&debt)?))
}

/// The rate of return of a purchase followed by `later`. Several rates are an error here.
fn only_root(first: f64, later: Vec<f64>) -> Result<f64, Fault> {
    let mut flows = vec![first];
    flows.extend(later);
    match flows::irr_roots(&flows)?.as_slice() {
        [only] => Ok(*only),
        _ => Err(Fault::SeveralRates),
    }
}
