//! The cost of repaying a loan early: step-down tables and yield maintenance.
//!
//! Contracts differ, so every rate, spread and floor is an input. Does not cover yield curves or defeasance.

use crate::annuity::{Timing, present_factor};
use crate::fault::{Fault, finite};
use crate::loan;

/// The premium from a table of percentages by loan year, "5-4-3-2-1"; zero after its end.
///
/// # Errors
/// A loan year before the first, or a balance below zero.
pub fn step_down(balance: f64, table: &[f64], loan_year: usize) -> Result<f64, Fault> {
    let Some(at) = loan_year.checked_sub(1) else {
        return Err(Fault::OutOfRange {
            what: "loan year",
            rule: "1 or later",
        });
    };
    if balance < 0.0 {
        return Err(Fault::OutOfRange {
            what: "balance",
            rule: "zero or more",
        });
    }
    finite(balance * table.get(at).copied().unwrap_or(0.0))
}

/// A loan that is prepaid right after a payment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prepaid {
    pub loan: f64,
    /// Nominal per year.
    pub rate: f64,
    /// Months of the level payment's schedule; `None` when only interest is paid.
    pub amortization: Option<f64>,
    /// Months until the balloon is due.
    pub term: f64,
    /// Payments made so far.
    pub paid: f64,
    /// Treasury yield plus spread, nominal per year, compounded monthly.
    pub discount: f64,
    /// Minimum premium as a share of the balance.
    pub floor: f64,
}

/// The parts of a yield maintenance premium.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Premium {
    pub balance: f64,
    pub payment: f64,
    pub balloon: f64,
    /// Present value of the remaining payments and the balloon at the discount rate.
    pub present: f64,
    /// `present − balance`, before the floor.
    pub difference: f64,
    pub minimum: f64,
    /// The larger of the two.
    pub premium: f64,
}

/// Yield maintenance: max(PV of remaining payments and balloon − balance, floor × balance).
///
/// # Errors
/// More payments made than the term has, or terms that `loan` rejects.
pub fn yield_maintenance(terms: &Prepaid) -> Result<Premium, Fault> {
    let left = terms.term - terms.paid;
    if left < 0.0 || terms.paid < 0.0 {
        return Err(Fault::OutOfRange {
            what: "number of payments made",
            rule: "within the loan's term",
        });
    }
    let (payment, balance, balloon) = match terms.amortization {
        Some(months) => (
            loan::payment(terms.loan, terms.rate, months)?,
            loan::balance(terms.loan, terms.rate, months, terms.paid)?,
            loan::balance(terms.loan, terms.rate, months, terms.term)?,
        ),
        None => (terms.loan * terms.rate / 12.0, terms.loan, terms.loan),
    };
    let monthly = terms.discount / 12.0;
    let present = payment * present_factor(monthly, left, Timing::End)?
        + balloon / crate::flows::growth(monthly)?.powf(left);
    let minimum = terms.floor * balance;
    let difference = finite(present - balance)?;
    Ok(Premium {
        balance,
        payment,
        balloon,
        present,
        difference,
        minimum,
        premium: difference.max(minimum),
    })
}
