//! Relations of the graph solved for another variable: the amount that a given ratio requires.
//!
//! Independent of questions. Shares and rates are fractions, money is in major units, terms are in years.

use crate::annuity::growth_rate;
use crate::fault::{Fault, finite, ratio};
use crate::flows::{FirstFlow, npv};

/// Total distributions = equity multiple × equity.
///
/// # Errors
/// A result that is not finite.
pub fn distributions(multiple: f64, equity: f64) -> Result<f64, Fault> {
    finite(multiple * equity)
}

/// NOI = cash-on-cash × equity + debt service + reserves.
///
/// # Errors
/// A result that is not finite.
pub fn noi_for_cash_on_cash(
    cash_on_cash: f64,
    equity: f64,
    debt_service: f64,
    reserves: f64,
) -> Result<f64, Fault> {
    finite(cash_on_cash * equity + debt_service + reserves)
}

/// Equity = cash flow after debt service ÷ cash-on-cash.
///
/// # Errors
/// A return of zero.
pub fn equity_for_cash_on_cash(cash_on_cash: f64, cash_flow: f64) -> Result<f64, Fault> {
    ratio(cash_flow, cash_on_cash, "cash-on-cash return")
}

/// Annual debt service = break-even occupancy × potential gross income − operating expenses.
///
/// # Errors
/// Operating expenses that leave no room for debt service.
pub fn debt_service_for_breakeven(occupancy: f64, income: f64, expenses: f64) -> Result<f64, Fault> {
    let left = finite(occupancy * income - expenses)?;
    if left < 0.0 {
        return Err(Fault::OutOfRange {
            what: "income at that occupancy",
            rule: "more than the operating expenses",
        });
    }
    Ok(left)
}

/// Potential gross income = (operating expenses + debt service) ÷ break-even occupancy.
///
/// # Errors
/// An occupancy of zero.
pub fn income_for_breakeven(occupancy: f64, expenses: f64, debt_service: f64) -> Result<f64, Fault> {
    ratio(expenses + debt_service, occupancy, "break-even occupancy")
}

/// Net rental income = economic occupancy × gross potential rent.
///
/// # Errors
/// A result that is not finite.
pub fn rent_for_economic_occupancy(occupancy: f64, potential: f64) -> Result<f64, Fault> {
    finite(occupancy * potential)
}

/// Gross potential rent = net rental income ÷ economic occupancy.
///
/// # Errors
/// An occupancy of zero.
pub fn potential_for_economic_occupancy(occupancy: f64, collected: f64) -> Result<f64, Fault> {
    ratio(collected, occupancy, "economic occupancy")
}

/// Depreciable basis = depreciation of a full year × recovery period.
///
/// # Errors
/// A result that is not finite.
pub fn basis(depreciation: f64, years: f64) -> Result<f64, Fault> {
    finite(depreciation * years)
}

/// Annual rate = interest × days of the year ÷ (principal × days).
///
/// # Errors
/// No principal or no days.
pub fn rate_of_interest(interest: f64, days: f64, principal: f64, days_of_year: f64) -> Result<f64, Fault> {
    ratio(
        interest * days_of_year,
        principal * days,
        "principal times the days",
    )
}

/// Annual escalation = (later rent ÷ earlier rent)^(1 ÷ years between) − 1.
///
/// # Errors
/// Years in the wrong order, or rents that are not positive.
pub fn escalation(from: f64, first_year: f64, to: f64, last_year: f64) -> Result<f64, Fault> {
    growth_rate(from, to, last_year - first_year)
}

/// Exit cap rate = NOI of the buyer's first year × (1 − selling costs) ÷ net sale proceeds.
///
/// # Errors
/// No proceeds.
pub fn exit_cap(net_proceeds: f64, selling_costs: f64, noi: f64) -> Result<f64, Fault> {
    ratio(noi * (1.0 - selling_costs), net_proceeds, "net sale proceeds")
}

/// Simple preferred return: rate = accrued ÷ (capital × years).
///
/// # Errors
/// Zero capital or time.
pub fn simple_pref_rate(accrued: f64, capital: f64, years: f64) -> Result<f64, Fault> {
    ratio(accrued, capital * years, "capital times the years")
}

/// Preferred return compounded annually: rate = (1 + accrued ÷ capital)^(1 ÷ years) − 1.
///
/// # Errors
/// Zero capital or time.
pub fn compounded_pref_rate(accrued: f64, capital: f64, years: f64) -> Result<f64, Fault> {
    growth_rate(capital, capital + accrued, years)
}

/// Land = all-in cost ÷ (1 + profit) − hard costs × (1 + soft costs).
///
/// # Errors
/// Costs above the total.
pub fn land_for_replacement(total: f64, profit: f64, hard: f64, soft_share: f64) -> Result<f64, Fault> {
    let land = finite(total / (1.0 + profit) - hard * (1.0 + soft_share))?;
    if land < 0.0 {
        return Err(Fault::OutOfRange {
            what: "cost without the land",
            rule: "no more than the total",
        });
    }
    Ok(land)
}

/// Flat face rent per area and year = (net effective rent × years + improvements + commissions) ÷ (years − free years).
///
/// # Errors
/// A term that consists of free months only.
pub fn face_rent(
    net_effective: f64,
    years: f64,
    free_months: f64,
    improvements: f64,
    commissions: f64,
) -> Result<f64, Fault> {
    let paid = years - free_months / 12.0;
    if paid <= 0.0 {
        return Err(Fault::OutOfRange {
            what: "free rent",
            rule: "shorter than the term",
        });
    }
    finite((net_effective * years + improvements + commissions) / paid)
}

/// The sale proceeds in the last year that give an investment its IRR, in addition to a level annual cash
/// flow.
///
/// # Errors
/// A rate of −100% or less.
pub fn sale_for_irr(rate: f64, investment: f64, yearly: f64, years: f64) -> Result<f64, Fault> {
    if !(1.0..=100.0).contains(&years) || years.fract() != 0.0 {
        return Err(Fault::OutOfRange {
            what: "holding period",
            rule: "a whole number of years, one to a hundred",
        });
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be whole and small"
    )]
    let mut flows = vec![yearly; years as usize];
    flows.insert(0, -investment);
    let lacking = -npv(rate, &flows, FirstFlow::Now)?;
    finite(lacking * (1.0 + rate).powf(years))
}

/// The term of a new lease that changes the average remaining term, weighted by area, to `average`.
///
/// # Errors
/// A new area of zero, or a negative term.
pub fn lease_term(average: f64, area: f64, term: f64, new_area: f64) -> Result<f64, Fault> {
    let years = ratio(average * (area + new_area) - area * term, new_area, "new area")?;
    if years < 0.0 {
        return Err(Fault::OutOfRange {
            what: "wanted average",
            rule: "more than what the lease in place reaches alone",
        });
    }
    Ok(years)
}

/// EGI = operating expenses ÷ operating expense ratio.
///
/// # Errors
/// A ratio of zero.
pub fn income_for_expense_ratio(share: f64, expenses: f64) -> Result<f64, Fault> {
    ratio(expenses, share, "operating expense ratio")
}

/// Gross sale price = net sale proceeds ÷ (1 − selling costs).
///
/// # Errors
/// Costs that consume the whole price.
pub fn gross_price(net: f64, costs: f64) -> Result<f64, Fault> {
    ratio(net, 1.0 - costs, "share that is left after the costs")
}

/// Going-in cap rate = NOI ÷ (price per unit × units).
///
/// # Errors
/// A price of zero.
pub fn cap_by_unit_price(each: f64, units: f64, noi: f64) -> Result<f64, Fault> {
    ratio(noi, each * units, "purchase price")
}

/// NOI = (market cap rate + development spread) × total cost.
///
/// # Errors
/// A result that is not finite.
pub fn noi_for_spread(spread: f64, market_cap: f64, cost: f64) -> Result<f64, Fault> {
    finite((market_cap + spread) * cost)
}

/// Monthly gross rent = price ÷ GRM ÷ 12.
///
/// # Errors
/// A multiplier of zero.
pub fn monthly_rent_for_multiplier(multiplier: f64, price: f64) -> Result<f64, Fault> {
    ratio(price, multiplier * 12.0, "gross rent multiplier")
}
