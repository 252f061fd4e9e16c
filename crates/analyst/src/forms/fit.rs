//! What a number is worth as a given variable, if its shape allows that variable at all.
//!
//! Knows units and sizes, no places in a question.

use crate::words::scan::{Base, Number, Per, Shape, Sign};
use finance::variable::{Unit, Variable};

/// The number as the variable. `name` is the phrase it stands beside, if any.
pub(crate) fn fit(variable: Variable, number: &Number, name: Option<&str>) -> Option<f64> {
    if number.doubtful || number.foreign {
        return None;
    }
    let named = name.is_some();
    let plain = number.shape == Shape::Plain;
    let value = number.value;
    match variable.unit() {
        Unit::Money => money(variable, number, name),
        Unit::MoneyPerArea => {
            let step = variable == Variable::StepPsf && number.per == Some(Per::Year) && value < 10.0;
            let small = value <= 1000.0 && !number.scaled && (number.per.is_none() || step);
            let base = number.base == Some(Base::Area) && number.every != Some(Per::Month);
            let monthly = number.base == Some(Base::Area) && number.every == Some(Per::Month);
            if !matches!(number.shape, Shape::Money | Shape::Plain) || number.sign == Sign::Minus {
                None
            } else if monthly {
                Some(value * 12.0)
            } else {
                (base || (small && (named || number.dollars))).then_some(value)
            }
        }
        Unit::Percent => {
            let sign = if number.sign == Sign::Minus { -1.0 } else { 1.0 };
            if sign < 0.0 && !grows(variable) {
                return None;
            }
            let yearly = number.per.is_none_or(|per| per == Per::Year);
            match number.shape {
                Shape::Percent if yearly => Some(sign * value / 100.0),
                Shape::BasisPoints => Some(sign * value / 10_000.0),
                Shape::Plain if named && (1.0..=40.0).contains(&value) && !number.short => {
                    Some(sign * value / 100.0)
                }
                Shape::Plain if named && (1.0..=20.0).contains(&value) => Some(sign * value / 100.0),
                Shape::Plain if named && value > 0.0 && value < 0.3 => Some(sign * value),
                _ => None,
            }
        }
        Unit::BasisPoints => match number.shape {
            Shape::BasisPoints => Some(value),
            Shape::Percent => Some(value * 100.0),
            _ => None,
        },
        Unit::Years => match number.shape {
            Shape::Years => Some(value),
            Shape::Months => Some(value / 12.0),
            Shape::Plain if named && number.short && (1.0..=60.0).contains(&value) => Some(value),
            _ => None,
        },
        Unit::Months => match number.shape {
            Shape::Months | Shape::Payments => Some(value),
            Shape::PaymentLabel | Shape::MonthLabel
                if matches!(variable, Variable::Paid | Variable::ElapsedMonths) =>
            {
                Some(value)
            }
            Shape::YearLabel if variable == Variable::Paid => Some(value * 12.0),
            Shape::Years => Some(value * 12.0),
            Shape::Plain if named && number.short && (0.0..=600.0).contains(&value) => Some(value),
            _ => None,
        },
        Unit::Days => (number.shape == Shape::Days).then_some(value),
        Unit::Area => (number.shape == Shape::Area || (plain && named && value >= 100.0 && !number.dollars))
            .then_some(value),
        Unit::Count => match number.shape {
            Shape::YearLabel => ordinal(variable).then_some(value),
            Shape::Units => (!ordinal(variable)).then_some(value),
            Shape::Payments => (variable == Variable::PeriodCount).then_some(value),
            // No lease has a hundred years of steps.
            Shape::Plain if ordinal(variable) && value > 100.0 => None,
            Shape::Plain if named && value.fract() == 0.0 && !number.dollars && !number.scaled => Some(value),
            _ => None,
        },
        Unit::Ratio | Unit::Multiple => {
            (number.shape == Shape::Multiple || (plain && named && value <= 100.0)).then_some(value)
        }
        Unit::Mark => None,
    }
}

fn money(variable: Variable, number: &Number, name: Option<&str>) -> Option<f64> {
    if !matches!(number.shape, Shape::Money | Shape::Plain) || number.sign == Sign::Minus {
        return None;
    }
    if number.base == Some(Base::Area) || (number.base.is_some() && !each_unit(variable)) {
        return None;
    }
    // Without a name an amount is the price of each only where it says so.
    if variable == Variable::PricePerUnit && name.is_none() && number.base != Some(Base::Unit) {
        return None;
    }
    // "21,000" is money beside a name; a small bare number is a count or a percentage.
    let small = number.shape == Shape::Plain && number.value < 100.0 && number.value != 0.0;
    // A total does not step up by cents, and no home is let for a million.
    if (variable == Variable::StepAmount && number.value < 10.0)
        || (variable == Variable::AverageRent && (number.scaled || number.value > 20_000.0))
    {
        return None;
    }
    // "$45" of improvements is per square foot.
    let each = by_area(variable) && !number.scaled && number.value < 1500.0 && number.value != 0.0;
    if small || each {
        return None;
    }
    // Without a name, a small amount is no price.
    if variable == Variable::Price && name.is_none() && number.value < 10_000.0 {
        return None;
    }
    let period = number.every.or(number.per.filter(|per| *per != Per::Other));
    if variable == Variable::BaseAnnualRent && name.is_none() && period != Some(Per::Year) {
        return None;
    }
    // "$300/unit reserves" is no rent.
    if variable == Variable::AverageRent && name.is_none() && period != Some(Per::Month) {
        return None;
    }
    if monthly(variable) {
        let said = name.is_some_and(|name| name.contains("month"))
            || each_unit(variable)
            || variable == Variable::ExtraPayment;
        return match period {
            Some(Per::Month) => Some(number.value),
            None if said => Some(number.value),
            _ => None,
        };
    }
    match period {
        None => Some(number.value),
        Some(Per::Year) => Some(number.value),
        // The rent of a month has a variable of its own.
        Some(Per::Month)
            if !matches!(variable, Variable::BaseAnnualRent | Variable::PassingAnnual)
                && annual(variable) =>
        {
            Some(number.value * 12.0)
        }
        // "$250 a month every year": a step of the month's rent.
        Some(Per::Month) if variable == Variable::StepAmount => Some(number.value),
        Some(Per::Quarter) if annual(variable) => Some(number.value * 4.0),
        _ => (variable == Variable::LevelAmount).then_some(number.value),
    }
}

/// Amounts of a year, of which a month's is a twelfth.
fn annual(variable: Variable) -> bool {
    matches!(
        variable,
        Variable::Noi
            | Variable::FirstNoi
            | Variable::ExitNoi
            | Variable::DebtService
            | Variable::Reserves
            | Variable::BaseAnnualRent
            | Variable::Gpr
            | Variable::Egi
            | Variable::Opex
            | Variable::VacancyLoss
            | Variable::LeaseLoss
            | Variable::NonRevenue
            | Variable::Concessions
            | Variable::BadDebt
            | Variable::Recoveries
            | Variable::OtherIncome
            | Variable::PropertyTaxes
            | Variable::Insurance
            | Variable::Utilities
            | Variable::Repairs
            | Variable::Payroll
            | Variable::Management
            | Variable::Administration
            | Variable::Marketing
            | Variable::OtherExpenses
            | Variable::BelowTheLine
            | Variable::RetailRent
            | Variable::Occupancy
            | Variable::CompletedNoi
            | Variable::UntaxedNoi
            | Variable::Sales
            | Variable::YearlySaving
            | Variable::YearInterestPaid
            | Variable::YearPrincipal
    )
}

fn monthly(variable: Variable) -> bool {
    matches!(
        variable,
        Variable::BaseMonthlyRent
            | Variable::MarketRent
            | Variable::ContractRent
            | Variable::AverageRent
            | Variable::PassingMonthly
            | Variable::MonthlyUplift
            | Variable::ExtraPayment
    )
}

fn each_unit(variable: Variable) -> bool {
    matches!(
        variable,
        Variable::MarketRent
            | Variable::ContractRent
            | Variable::AverageRent
            | Variable::PricePerUnit
            | Variable::UnitCost
            | Variable::MonthlyUplift
    )
}

/// Totals that are mostly given per square foot.
fn by_area(variable: Variable) -> bool {
    matches!(
        variable,
        Variable::HardCost
            | Variable::BaseAnnualRent
            | Variable::Improvement
            | Variable::Commission
            | Variable::Allowance
            | Variable::StopTotal
            | Variable::ActualTotal
    )
}

/// Which one, not how many.
fn ordinal(variable: Variable) -> bool {
    matches!(variable, Variable::LeaseYear | Variable::TaxYear)
}

/// A rate that may fall below zero.
fn grows(variable: Variable) -> bool {
    matches!(variable, Variable::NoiGrowth | Variable::RentGrowth)
}
