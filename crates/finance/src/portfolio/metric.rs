//! The portfolio metrics: identifier, label, unit, input data and definition of each. Contains no data.

use serde::{Deserialize, Serialize};

/// A portfolio metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    Occupancy,
    OccupancyByArea,
    OccupancyOfAllUnits,
    Vacancy,
    VacancyByArea,
    Buildings,
    Units,
    RentableUnits,
    OccupiedUnits,
    VacantUnits,
    NonRevenueUnits,
    RentableArea,
    /// Includes model and down units.
    TotalArea,
    LeasedArea,
    VacantArea,
    Leases,
    MonthToMonth,
    FutureLeases,
    OverlappingUnits,
    Expirations,
    WaltByRent,
    WaltByArea,
    RolloverShareOfRent,
    RolloverShareOfArea,
    RolloverRent,
    RolloverArea,
    RenewalRate,
    MonthlyRent,
    AnnualRent,
    AverageRent,
    RentPerArea,
    AnnualRentPerArea,
    MarketRent,
    VacantMarketRent,
    AverageMarketRent,
    LossToLease,
    AnnualLossToLease,
    LossToLeaseShare,
    TopTenantShare,
    Noi,
    Egi,
    Opex,
    OpexRatio,
    NoiMargin,
    OpexPerUnit,
    OpexPerArea,
    NoiPerUnit,
    NoiPerArea,
    GrossPotentialRent,
    EconomicOccupancy,
    EconomicVacancy,
    BadDebt,
    BadDebtShare,
    Concessions,
    ConcessionShare,
    Capex,
    DebtService,
    CashFlowBeforeDebt,
    CashFlowAfterDebt,
    BreakevenOccupancy,
    NoiBudget,
    EgiBudget,
    OpexBudget,
    AccountBudget,
    NoiVsBudget,
    NoiVsBudgetShare,
    EgiVsBudget,
    OpexVsBudget,
    /// One account of the ledger, selected by its code.
    Account,
    AccountVsBudget,
    Dscr,
    SeniorDscr,
    Ltv,
    SeniorLtv,
    DebtYield,
    TotalDebt,
    AverageRate,
    Loans,
    Value,
    ImpliedCapRate,
    PurchasePrice,
    /// Value less debt.
    Equity,
    Deposits,
    /// Average time to maturity.
    DebtTerm,
}

// A metric that is missing in the list does not compile.
const _: () = assert!(Metric::ALL.len() == Metric::DebtTerm as usize + 1);

/// The unit of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A fraction: 0.95 is 95 %.
    Percent,
    /// A multiple such as 1.25x.
    Ratio,
    Years,
    Count,
    Area,
    Money,
    MoneyPerUnit,
    MoneyPerArea,
}

impl Unit {
    pub const fn is_money(self) -> bool {
        matches!(self, Self::Money | Self::MoneyPerUnit | Self::MoneyPerArea)
    }

    /// The name of the unit; for money, the currency.
    pub fn word(self, currency: &str) -> String {
        match self {
            Self::Percent => "percent".to_owned(),
            Self::Ratio => "ratio".to_owned(),
            Self::Years => "years".to_owned(),
            Self::Count => "count".to_owned(),
            Self::Area => "sqft".to_owned(),
            Self::Money => currency.to_owned(),
            Self::MoneyPerUnit => format!("{currency}/unit"),
            Self::MoneyPerArea => format!("{currency}/sqft"),
        }
    }
}

/// Whether a metric refers to a day or to a span of months.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tense {
    /// The rent roll or the debt on a day.
    Day,
    /// The ledger over months.
    Span,
    /// The ledger over months, relative to the state on the last day.
    Both,
}

/// The data that a metric is computed from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Needs {
    pub roll: bool,
    pub ends: bool,
    pub ledger: bool,
    pub loans: bool,
    pub payments: bool,
    pub values: bool,
    pub counts: bool,
    pub prices: bool,
}

/// The fixed properties of a metric.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// The stable identifier.
    pub word: &'static str,
    /// The name to use inside a sentence.
    pub label: &'static str,
    pub unit: Unit,
    pub tense: Tense,
    pub definition: &'static str,
}

const IN_FORCE: &str = "A lease counts on a day if it is signed, has started, and has not ended: the end is the \
     move-out date if there is one, none if month-to-month, else the end date, that day included. Of several on \
     one unit the latest start counts. Only rentable units count.";

impl Metric {
    /// Every metric.
    pub const ALL: &[Self] = &[
        Self::Occupancy,
        Self::OccupancyByArea,
        Self::OccupancyOfAllUnits,
        Self::Vacancy,
        Self::VacancyByArea,
        Self::Buildings,
        Self::Units,
        Self::RentableUnits,
        Self::OccupiedUnits,
        Self::VacantUnits,
        Self::NonRevenueUnits,
        Self::RentableArea,
        Self::TotalArea,
        Self::LeasedArea,
        Self::VacantArea,
        Self::Leases,
        Self::MonthToMonth,
        Self::FutureLeases,
        Self::OverlappingUnits,
        Self::Expirations,
        Self::WaltByRent,
        Self::WaltByArea,
        Self::RolloverShareOfRent,
        Self::RolloverShareOfArea,
        Self::RolloverRent,
        Self::RolloverArea,
        Self::RenewalRate,
        Self::MonthlyRent,
        Self::AnnualRent,
        Self::AverageRent,
        Self::RentPerArea,
        Self::AnnualRentPerArea,
        Self::MarketRent,
        Self::VacantMarketRent,
        Self::AverageMarketRent,
        Self::LossToLease,
        Self::AnnualLossToLease,
        Self::LossToLeaseShare,
        Self::TopTenantShare,
        Self::Noi,
        Self::Egi,
        Self::Opex,
        Self::OpexRatio,
        Self::NoiMargin,
        Self::OpexPerUnit,
        Self::OpexPerArea,
        Self::NoiPerUnit,
        Self::NoiPerArea,
        Self::GrossPotentialRent,
        Self::EconomicOccupancy,
        Self::EconomicVacancy,
        Self::BadDebt,
        Self::BadDebtShare,
        Self::Concessions,
        Self::ConcessionShare,
        Self::Capex,
        Self::DebtService,
        Self::CashFlowBeforeDebt,
        Self::CashFlowAfterDebt,
        Self::BreakevenOccupancy,
        Self::NoiBudget,
        Self::EgiBudget,
        Self::OpexBudget,
        Self::AccountBudget,
        Self::NoiVsBudget,
        Self::NoiVsBudgetShare,
        Self::EgiVsBudget,
        Self::OpexVsBudget,
        Self::Account,
        Self::AccountVsBudget,
        Self::Dscr,
        Self::SeniorDscr,
        Self::Ltv,
        Self::SeniorLtv,
        Self::DebtYield,
        Self::TotalDebt,
        Self::AverageRate,
        Self::Loans,
        Self::Value,
        Self::ImpliedCapRate,
        Self::PurchasePrice,
        Self::Equity,
        Self::Deposits,
        Self::DebtTerm,
    ];

    /// The metric of a stable identifier.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|metric| metric.word() == word)
    }

    pub const fn word(self) -> &'static str {
        self.info().word
    }

    pub const fn label(self) -> &'static str {
        self.info().label
    }

    pub const fn unit(self) -> Unit {
        self.info().unit
    }

    pub const fn tense(self) -> Tense {
        self.info().tense
    }

    /// Whether amounts or counts can be added up, so that a part has a share of the total.
    pub const fn adds_up(self) -> bool {
        matches!(self.unit(), Unit::Money | Unit::Count | Unit::Area)
    }

    /// Whether higher values are worse, so that "the worst" is the highest.
    pub const fn is_burden(self) -> bool {
        matches!(
            self,
            Self::Vacancy
                | Self::EconomicVacancy
                | Self::VacancyByArea
                | Self::VacantUnits
                | Self::VacantArea
                | Self::NonRevenueUnits
                | Self::MonthToMonth
                | Self::OverlappingUnits
                | Self::Expirations
                | Self::RolloverShareOfRent
                | Self::RolloverShareOfArea
                | Self::RolloverRent
                | Self::RolloverArea
                | Self::LossToLease
                | Self::AnnualLossToLease
                | Self::LossToLeaseShare
                | Self::TopTenantShare
                | Self::Opex
                | Self::OpexRatio
                | Self::OpexPerUnit
                | Self::OpexPerArea
                | Self::BadDebt
                | Self::BadDebtShare
                | Self::Concessions
                | Self::ConcessionShare
                | Self::BreakevenOccupancy
                | Self::OpexVsBudget
                | Self::Ltv
                | Self::SeniorLtv
                | Self::TotalDebt
                | Self::AverageRate
        )
    }

    /// The definition, including the rule for leases in force if the metric uses it.
    pub fn definition(self) -> String {
        let own = self.info().definition;
        let rests = matches!(
            self,
            Self::Occupancy | Self::OccupancyByArea | Self::Vacancy | Self::VacancyByArea | Self::VacantUnits
        );
        if rests {
            format!("{own} {IN_FORCE}")
        } else {
            own.to_owned()
        }
    }

    pub const fn needs(self) -> Needs {
        let mut needs = Needs {
            roll: false,
            ends: false,
            ledger: false,
            loans: false,
            payments: false,
            values: false,
            counts: false,
            prices: false,
        };
        match self {
            Self::Buildings => {}
            Self::WaltByRent
            | Self::WaltByArea
            | Self::RolloverShareOfRent
            | Self::RolloverShareOfArea
            | Self::RolloverRent
            | Self::RolloverArea
            | Self::Leases
            | Self::MonthToMonth
            | Self::Expirations => needs.ends = true,
            Self::FutureLeases | Self::OverlappingUnits | Self::RenewalRate | Self::Deposits => {
                needs.counts = true;
            }
            Self::PurchasePrice => needs.prices = true,
            Self::OpexPerUnit | Self::OpexPerArea | Self::NoiPerUnit | Self::NoiPerArea => {
                needs.ledger = true;
                needs.roll = true;
            }
            Self::Ltv | Self::SeniorLtv | Self::Equity => {
                needs.loans = true;
                needs.values = true;
            }
            Self::SeniorDscr => {
                needs.ledger = true;
                needs.payments = true;
                needs.loans = true;
            }
            Self::DebtYield => {
                needs.ledger = true;
                needs.loans = true;
            }
            Self::TotalDebt | Self::AverageRate | Self::Loans | Self::DebtTerm => needs.loans = true,
            Self::Value => needs.values = true,
            Self::ImpliedCapRate => {
                needs.ledger = true;
                needs.values = true;
            }
            _ => match self.tense() {
                Tense::Day => needs.roll = true,
                Tense::Span | Tense::Both => needs.ledger = true,
            },
        }
        needs
    }

    /// Whether the identifier of the metric includes the period ("noi_t12").
    pub const fn names_its_period(self) -> bool {
        matches!(
            self,
            Self::Noi
                | Self::Egi
                | Self::Opex
                | Self::Concessions
                | Self::Capex
                | Self::CashFlowBeforeDebt
                | Self::CashFlowAfterDebt
                | Self::DebtService
                | Self::GrossPotentialRent
                | Self::BadDebt
        )
    }

    /// Whether the metric is about leases, and can be limited to residential or commercial space.
    pub const fn is_of_leases(self) -> bool {
        let needs = self.needs();
        (needs.roll || needs.ends || needs.counts) && !needs.ledger
    }

    /// Whether the metric only covers leases in force, and not vacant space.
    pub const fn is_of_lets(self) -> bool {
        matches!(
            self,
            Self::OccupiedUnits
                | Self::LeasedArea
                | Self::Leases
                | Self::MonthToMonth
                | Self::Expirations
                | Self::WaltByRent
                | Self::WaltByArea
                | Self::RolloverShareOfRent
                | Self::RolloverShareOfArea
                | Self::RolloverRent
                | Self::RolloverArea
                | Self::MonthlyRent
                | Self::AnnualRent
                | Self::AverageRent
                | Self::RentPerArea
                | Self::AnnualRentPerArea
                | Self::LossToLease
                | Self::AnnualLossToLease
                | Self::LossToLeaseShare
                | Self::Deposits
        )
    }
}
