//! Determines the kind of a table: rent roll, statement, cash flows, leases, comparable sales or loans. The
//! headers decide or, if they are not conclusive, the cells below them.
//!
//! Independent of questions. Each kind has a module that reads its rows.

use crate::columns::{date_column, numeric_columns};
use crate::headers::Field;
use crate::statement;
use crate::table::Table;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Units with their rents, leased or not.
    RentRoll,
    /// Leases only; vacant space is not listed.
    Leases,
    /// Income and expenses by line, for twelve months or another period.
    Statement,
    /// Amounts by date.
    DatedFlows,
    /// Amounts by period.
    Flows,
    /// Comparable sales.
    Comps,
    Loans,
    /// Columns that can be summed and filtered; nothing else is known.
    Other,
}

impl Kind {
    /// The usual name.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::RentRoll => "rent roll",
            Self::Leases => "lease list",
            Self::Statement => "operating statement",
            Self::DatedFlows => "dated cash flows",
            Self::Flows => "cash flows",
            Self::Comps => "sales comparables",
            Self::Loans => "loan list",
            Self::Other => "table",
        }
    }
}

/// Amounts in and out by day, with a description: a list of transactions and not an income statement.
fn movements(table: &Table) -> bool {
    let Some(dates) = date_column(table) else {
        return false;
    };
    let days = table
        .data()
        .filter_map(|row| table.date(row, dates))
        .filter(|dated| dated.precision == crate::dates::Precision::Day)
        .count();
    let numeric = numeric_columns(table);
    let amounts: Vec<f64> = numeric
        .iter()
        .filter(|at| **at != dates)
        .take(1)
        .flat_map(|at| table.data().filter_map(|row| table.number(row, *at)))
        .map(super::numbers::Number::written)
        .collect();
    let both = amounts.iter().any(|amount| *amount < 0.0) && amounts.iter().any(|amount| *amount > 0.0);
    let one = numeric.iter().filter(|at| **at != dates).count() == 1;
    days >= 2 && both && one && !statement::has_both_sides(table)
}

/// Rows by period with a column of amounts that go out first and come back later, as for a return.
fn turns(table: &Table) -> bool {
    let Some(period) = table.column(Field::Period) else {
        return false;
    };
    let filled = table.filled();
    table.data().count() >= 3
        && numeric_columns(table)
            .into_iter()
            .filter(|at| *at != period)
            .any(|at| {
                let rows = filled.get(at).into_iter().flatten();
                let mut amounts = rows
                    .filter_map(|row| table.number(row, at))
                    .map(super::numbers::Number::written)
                    .filter(|amount| *amount != 0.0);
                amounts.next().is_some_and(|first| first < 0.0) && amounts.any(|amount| amount > 0.0)
            })
}

/// Names with one value each that are not lines of a statement, such as the terms of a loan or the key
/// figures of a deal.
fn terms(table: &Table) -> bool {
    const TERMS: [&str; 14] = [
        "loanamount",
        "loanbalance",
        "interestrate",
        "noterate",
        "amortization",
        "amort",
        "purchaseprice",
        "loanterm",
        "caprate",
        "ltv",
        "dscr",
        "holdperiod",
        "interestonly",
        "equityinvested",
    ];
    let told = table
        .data()
        .filter(|row| {
            let name = super::headers::normalized(table.text(row, 0));
            TERMS.iter().any(|term| name.starts_with(term))
                && !name.contains("expense")
                && !name.contains("fee")
        })
        .count();
    table.columns.len() == 2 && told >= 2
}

/// Determines the kind of a table.
#[must_use]
pub fn kind(table: &Table) -> Kind {
    let has = |fields: &[Field]| fields.iter().any(|field| table.has(*field));
    let rents = has(&[
        Field::Rent,
        Field::AnnualRent,
        Field::RentPerArea,
        Field::MarketRent,
    ]);
    // Types of units with their number: no single units, and no sales.
    let mix = table.has(Field::UnitType) && table.has(Field::Units) && rents;
    let charges = table.has(Field::ChargeCode) && table.has(Field::Amount);
    if table.months().len() >= 2 && statement::lines_known(table) >= 2 {
        return Kind::Statement;
    }
    // A list of what people owe has statuses too, and rows that are no spaces.
    let owed = has(&[Field::Balance, Field::LoanBalance]) && !table.has(Field::Area);
    if table.has(Field::Unit) && (rents || charges || table.has(Field::Status) && !owed) {
        return Kind::RentRoll;
    }
    if table.has(Field::Status) && rents && !mix {
        return Kind::RentRoll;
    }
    let ends = has(&[Field::EndDate, Field::RemainingMonths, Field::RemainingYears]);
    if ends && (rents || has(&[Field::Area, Field::Tenant])) {
        return Kind::Leases;
    }
    if !mix
        && has(&[Field::Price, Field::PricePerArea])
        && has(&[Field::Area, Field::PricePerArea, Field::Units, Field::CapRate])
    {
        return Kind::Comps;
    }
    if has(&[Field::LoanBalance, Field::LoanAmount])
        && has(&[Field::Rate, Field::Maturity, Field::Lender, Field::Loan])
    {
        return Kind::Loans;
    }
    if terms(table) {
        return Kind::Other;
    }
    let known = statement::lines_known(table);
    if movements(table) {
        return Kind::DatedFlows;
    }
    if crate::cashflows::across(table).is_some() && !rents {
        return Kind::Flows;
    }
    if (known >= 3 && statement::has_both_sides(table)) || (known >= 2 && table.has(Field::Account)) {
        return Kind::Statement;
    }
    if rents && has(&[Field::Tenant, Field::Area]) {
        return Kind::Leases;
    }
    let numeric = numeric_columns(table);
    let dated = date_column(table).is_some();
    if dated && !numeric.is_empty() && !rents {
        return Kind::DatedFlows;
    }
    if table.has(Field::Period) && !rents && known == 0 && turns(table) {
        return Kind::Flows;
    }
    if table.has(Field::Amount) && (table.has(Field::Period) || numeric.len() == 1) {
        return Kind::Flows;
    }
    if table.columns.iter().all(|column| column.header.is_empty())
        && numeric.len() == 1
        && table.columns.len() <= 2
    {
        return Kind::Flows;
    }
    Kind::Other
}
