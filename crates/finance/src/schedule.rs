//! The payment schedule of a loan, exact or with every amount rounded to cents, with optional interest-only
//! months at the start, in equal months or by actual days.
//!
//! Independent of covenants and text. The closed forms are in `loan`.

use chrono::NaiveDate;

use crate::days::{DayCount, months_later};
use crate::fault::{Fault, finite};
use crate::loan;

/// The terms of repayment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    pub loan: f64,
    /// Nominal per year.
    pub rate: f64,
    /// Months with interest-only payments, before the first amortizing payment.
    pub interest_only: u32,
    /// Months of amortization, counted after the interest-only months.
    pub amortization: u32,
    pub rounding: Rounding,
    pub interest: Accrual,
}

/// Whether payments and interest are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    Exact,
    /// As lenders do: payment and interest are rounded to cents, and the last payment settles the remainder.
    Cents,
}

/// How the interest of a month is computed. The level payment always assumes equal months.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accrual {
    EqualMonths,
    /// By actual days from the start of the first period.
    Days(DayCount, NaiveDate),
}

/// One payment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// From 1.
    pub number: u32,
    pub payment: f64,
    pub interest: f64,
    pub principal: f64,
    /// The balance right after the payment.
    pub balance: f64,
}

/// Maximum number of rows in a schedule.
const MOST: u32 = 1200;

/// The first `payments` rows. The schedule ends early once nothing is owed.
///
/// # Errors
/// Terms that `loan::payment` rejects, or more payments than there are in a hundred years.
pub fn rows(terms: &Terms, payments: u32) -> Result<Vec<Row>, Fault> {
    if payments > MOST || terms.amortization > MOST {
        return Err(Fault::OutOfRange {
            what: "number of payments",
            rule: "at most 1,200",
        });
    }
    let level = round(
        loan::payment(terms.loan, terms.rate, f64::from(terms.amortization))?,
        terms.rounding,
    );
    let mut owed = round(terms.loan, terms.rounding);
    let end = terms.interest_only.saturating_add(terms.amortization);
    let mut found = Vec::new();
    for number in 1..=payments {
        if owed <= 0.0 {
            break;
        }
        let interest = round(accrued(terms, owed, number)?, terms.rounding);
        let payment = if number <= terms.interest_only {
            interest
        } else if level >= owed + interest || (number == end && terms.interest == Accrual::EqualMonths) {
            owed + interest
        } else {
            level
        };
        let principal = payment - interest;
        owed = round(owed - principal, terms.rounding);
        found.push(Row {
            number,
            payment,
            interest,
            principal,
            balance: finite(owed)?,
        });
    }
    Ok(found)
}

/// The balance right after payment number `paid`.
///
/// # Errors
/// As for `rows`.
pub fn balance(terms: &Terms, paid: u32) -> Result<f64, Fault> {
    Ok(rows(terms, paid)?.last().map_or(terms.loan, |row| row.balance))
}

/// Interest of payments `first` to `last` (inclusive, from 1).
///
/// # Errors
/// As for `rows`, or a window that ends before it starts.
pub fn interest_paid(terms: &Terms, first: u32, last: u32) -> Result<f64, Fault> {
    if first < 1 || last < first {
        return Err(Fault::OutOfRange {
            what: "window of payments",
            rule: "in order and start at payment 1 or later",
        });
    }
    let all = rows(terms, last)?;
    finite(
        all.iter()
            .filter(|row| row.number >= first)
            .map(|row| row.interest)
            .sum(),
    )
}

fn accrued(terms: &Terms, owed: f64, number: u32) -> Result<f64, Fault> {
    match terms.interest {
        Accrual::EqualMonths => Ok(owed * terms.rate / 12.0),
        Accrual::Days(count, start) => {
            let from = months_later(start, number - 1);
            let to = months_later(start, number);
            let (Some(from), Some(to)) = (from, to) else {
                return Err(Fault::NotFinite);
            };
            loan::interest_for_days(owed, terms.rate, count.days(from, to), count)
        }
    }
}

/// Rounds to cents, half away from zero.
fn round(amount: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::Exact => amount,
        Rounding::Cents => {
            let cents = amount * 100.0;
            (cents + cents.signum() * cents.abs() * f64::EPSILON * 4.0).round() / 100.0
        }
    }
}
