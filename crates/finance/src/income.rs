//! An income statement from potential rent to net operating income, and the items below the line.
//!
//! Amounts are for one period and positive; a gain to lease is a negative loss. Independent of the chart of
//! accounts.

use crate::fault::{Fault, finite, ratio};

/// The lines of an income statement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statement {
    pub potential_rent: f64,
    pub loss_to_lease: f64,
    pub vacancy: f64,
    pub non_revenue: f64,
    pub concessions: f64,
    pub bad_debt: f64,
    pub recoveries: f64,
    pub other_income: f64,
    pub operating_expenses: f64,
    /// Below the line; lenders deduct them for net cash flow.
    pub reserves: f64,
}

impl Statement {
    /// Potential rent less every loss.
    #[must_use]
    pub fn net_rental_income(&self) -> f64 {
        self.potential_rent
            - self.loss_to_lease
            - self.vacancy
            - self.non_revenue
            - self.concessions
            - self.bad_debt
    }

    /// Net rental income plus recoveries and other income.
    #[must_use]
    pub fn effective_gross_income(&self) -> f64 {
        self.net_rental_income() + self.recoveries + self.other_income
    }

    /// Income before reserves, debt, depreciation, income tax and capital works.
    #[must_use]
    pub fn net_operating_income(&self) -> f64 {
        self.effective_gross_income() - self.operating_expenses
    }

    /// The lender's view: net operating income less reserves.
    #[must_use]
    pub fn net_cash_flow(&self) -> f64 {
        self.net_operating_income() - self.reserves
    }

    /// Net rental income ÷ potential rent.
    ///
    /// # Errors
    /// No potential rent.
    pub fn economic_occupancy(&self) -> Result<f64, Fault> {
        ratio(
            self.net_rental_income(),
            self.potential_rent,
            "gross potential rent",
        )
    }

    /// Operating expenses ÷ effective gross income.
    ///
    /// # Errors
    /// No income.
    pub fn expense_ratio(&self) -> Result<f64, Fault> {
        ratio(
            self.operating_expenses,
            self.effective_gross_income(),
            "effective gross income",
        )
    }

    /// Net operating income ÷ effective gross income.
    ///
    /// # Errors
    /// No income.
    pub fn margin(&self) -> Result<f64, Fault> {
        ratio(
            self.net_operating_income(),
            self.effective_gross_income(),
            "effective gross income",
        )
    }
}

/// (operating expenses + debt service) ÷ potential gross income.
///
/// # Errors
/// No potential income.
pub fn break_even(expenses: f64, debt_service: f64, potential: f64) -> Result<f64, Fault> {
    ratio(expenses + debt_service, potential, "potential gross income")
}

/// Annualizes the amount of a quarter by multiplying it by four.
///
/// # Errors
/// An amount that is not finite.
pub fn annualized_quarter(amount: f64) -> Result<f64, Fault> {
    finite(amount * 4.0)
}
