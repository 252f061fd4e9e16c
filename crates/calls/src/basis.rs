//! What each variable of the graph is for: a month, a year or once; the whole, a unit or a square foot.

use finance::variable::{Unit, Variable};

use crate::amount::Period;

/// The time that the money of a variable is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    Each(Period),
    /// One amount, once.
    Once,
    /// Whatever the text says, as long as all amounts of the calculation agree.
    Open,
}

/// Money whose period and base only have to agree with its counterpart.
const OPEN: &[Variable] = &[
    Variable::OldRent,
    Variable::NewRent,
    Variable::PartRent,
    Variable::WholeRent,
    Variable::LevelAmount,
    Variable::FirstValue,
    Variable::SecondValue,
    Variable::SumToday,
    Variable::LaterSum,
    Variable::Occupancy,
    Variable::StepAmount,
];

/// Money of a month whose label does not say so.
const MONTHLY: &[Variable] = &[Variable::LossToLease, Variable::ExtraPayment];

/// Money of a year whose label does not say so.
const YEARLY: &[Variable] = {
    use Variable::*;
    &[
        ActualTotal,
        AnnualUplift,
        BadDebt,
        BelowTheLine,
        CamShare,
        CashFlow,
        Collections,
        CompletedNoi,
        Concessions,
        CostPool,
        Estimates,
        ExitNoi,
        FirstNoi,
        FixedCost,
        Gpr,
        GrossedUp,
        Insurance,
        LaterNoi,
        LastFlow,
        Management,
        Marketing,
        NetCashFlow,
        NetRentalIncome,
        NextFlow,
        NonRevenue,
        OtherExpenses,
        OtherIncome,
        Payroll,
        PercentageRent,
        PropertyTaxes,
        Recoveries,
        Repairs,
        RequiredRent,
        RetailTotal,
        Sales,
        StopTotal,
        UntaxedNoi,
        Utilities,
        VacancyLoss,
        VariableCost,
    ]
};

/// Money for each unit.
const EACH_UNIT: &[Variable] = &[
    Variable::PricePerUnit,
    Variable::AverageRent,
    Variable::MarketRent,
    Variable::ContractRent,
    Variable::MonthlyUplift,
    Variable::RentGap,
    Variable::UnitCost,
    Variable::LoanPerUnit,
];

/// The time that a variable's money is for.
#[must_use]
pub fn span(variable: Variable) -> Span {
    let label = variable.label();
    if !matches!(variable.unit(), Unit::Money | Unit::MoneyPerArea) {
        Span::Once
    } else if OPEN.contains(&variable) {
        Span::Open
    } else if variable == Variable::QuarterNoi {
        Span::Each(Period::Quarter)
    } else if MONTHLY.contains(&variable) || label.contains("month") && !label.contains("annual") {
        Span::Each(Period::Month)
    } else if YEARLY.contains(&variable)
        || ["annual", "year"].iter().any(|word| label.contains(word))
        || variable.unit() == Unit::MoneyPerArea && label.contains("rent")
    {
        Span::Each(Period::Year)
    } else {
        Span::Once
    }
}

/// Whether a variable's money is for each unit already.
#[must_use]
pub fn each_unit(variable: Variable) -> bool {
    EACH_UNIT.contains(&variable)
}

/// Whether any basis is right, because only the proportion counts.
#[must_use]
pub fn open(variable: Variable) -> bool {
    OPEN.contains(&variable)
}
