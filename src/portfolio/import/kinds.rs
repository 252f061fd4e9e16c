//! The kinds of import files: their fields, which of them are required, the allowed values, and alternative
//! headers. Independent of the file formats.

use crate::portfolio::import::export_fields::{RENT_ROLL, STATEMENT};
use crate::portfolio::import::fields::Field;
use crate::portfolio::import::native_fields::{
    ACCOUNTS, BUILDINGS, LEASE_RENT_STEPS, LEASE_UNITS, LEASES, LOAN_BUILDINGS, LOAN_PAYMENTS, LOANS,
    MONTHLY_FINANCIALS, TENANTS, UNIT_MARKET_RENTS, UNITS, VALUATIONS,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Buildings,
    Accounts,
    Units,
    UnitMarketRents,
    Tenants,
    Leases,
    LeaseUnits,
    LeaseRentSteps,
    MonthlyFinancials,
    Loans,
    LoanBuildings,
    LoanPayments,
    Valuations,
    /// Units and their tenants on one day.
    RentRoll,
    /// Accounts as rows, months as columns.
    Statement,
}

/// All kinds in reading order: rows that others refer to come first.
pub const KINDS: [Kind; 15] = [
    Kind::Buildings,
    Kind::Accounts,
    Kind::Units,
    Kind::UnitMarketRents,
    Kind::Tenants,
    Kind::Leases,
    Kind::LeaseUnits,
    Kind::LeaseRentSteps,
    Kind::MonthlyFinancials,
    Kind::Loans,
    Kind::LoanBuildings,
    Kind::LoanPayments,
    Kind::Valuations,
    Kind::RentRoll,
    Kind::Statement,
];

impl Kind {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Buildings => "buildings",
            Self::Accounts => "accounts",
            Self::Units => "units",
            Self::UnitMarketRents => "unit_market_rents",
            Self::Tenants => "tenants",
            Self::Leases => "leases",
            Self::LeaseUnits => "lease_units",
            Self::LeaseRentSteps => "lease_rent_steps",
            Self::MonthlyFinancials => "monthly_financials",
            Self::Loans => "loans",
            Self::LoanBuildings => "loan_buildings",
            Self::LoanPayments => "loan_payments",
            Self::Valuations => "valuations",
            Self::RentRoll => "rent_roll",
            Self::Statement => "statement",
        }
    }

    /// The name used in sentences.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Buildings => "buildings",
            Self::Accounts => "chart of accounts",
            Self::Units => "units",
            Self::UnitMarketRents => "market rents",
            Self::Tenants => "tenants",
            Self::Leases => "leases",
            Self::LeaseUnits => "units of leases",
            Self::LeaseRentSteps => "rent steps",
            Self::MonthlyFinancials => "monthly financials",
            Self::Loans => "loans",
            Self::LoanBuildings => "buildings of loans",
            Self::LoanPayments => "loan payments",
            Self::Valuations => "valuations",
            Self::RentRoll => "rent roll",
            Self::Statement => "income statement by month",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        KINDS.into_iter().find(|kind| kind.as_str() == word)
    }

    pub fn field(self, name: &str) -> Option<&'static Field> {
        self.fields().iter().find(|field| field.name == name)
    }

    /// The fields that form the key of a row. Findings name the last one.
    pub const fn key(self) -> &'static [&'static str] {
        match self {
            Self::Buildings => &["building_id"],
            Self::Accounts => &["account_code"],
            Self::Units => &["unit_id"],
            Self::UnitMarketRents => &["unit_id", "effective_date"],
            Self::Tenants => &["tenant_id"],
            Self::Leases => &["lease_id"],
            Self::LeaseUnits => &["lease_id", "unit_id"],
            Self::LeaseRentSteps => &["lease_id", "effective_date"],
            Self::MonthlyFinancials => &["building_id", "month", "account_code"],
            Self::Loans => &["loan_id"],
            Self::LoanBuildings => &["loan_id", "building_id"],
            Self::LoanPayments => &["loan_id", "payment_date"],
            Self::Valuations => &["building_id", "valuation_date"],
            Self::RentRoll | Self::Statement => &[],
        }
    }

    pub const fn fields(self) -> &'static [Field] {
        match self {
            Self::Buildings => BUILDINGS,
            Self::Accounts => ACCOUNTS,
            Self::Units => UNITS,
            Self::UnitMarketRents => UNIT_MARKET_RENTS,
            Self::Tenants => TENANTS,
            Self::Leases => LEASES,
            Self::LeaseUnits => LEASE_UNITS,
            Self::LeaseRentSteps => LEASE_RENT_STEPS,
            Self::MonthlyFinancials => MONTHLY_FINANCIALS,
            Self::Loans => LOANS,
            Self::LoanBuildings => LOAN_BUILDINGS,
            Self::LoanPayments => LOAN_PAYMENTS,
            Self::Valuations => VALUATIONS,
            Self::RentRoll => RENT_ROLL,
            Self::Statement => STATEMENT,
        }
    }
}
