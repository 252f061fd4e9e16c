//! The schedule of a loan, payment by payment: exact or with every amount rounded to cents, with
//! interest-only months first, in equal months or by actual days.
//!
//! Knows no covenant and no text. The closed forms are in `loan`.

use chrono::NaiveDate;

use crate::days::{DayCount, months_later};
use crate::fault::{Fault, finite};
use crate::loan;

/// A loan as it is repaid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    pub loan: f64,
    /// Nominal per year.
    pub rate: f64,
    /// Months in which only interest is paid, before the first amortizing payment.
    pub interest_only: u32,
    /// Months over which it amortizes, counted after the interest-only months.
    pub amortization: u32,
    pub rounding: Rounding,
    pub interest: Accrual,
}

/// Whether payments and interest are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    Exact,
    /// As lenders do: payment and interest to cents, the last payment settles the rest.
    Cents,
}

/// How the interest of a month is counted. The level payment is that of equal months either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accrual {
    EqualMonths,
    /// By actual days from the date of the first period's start.
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
    /// What is owed right after it.
    pub balance: f64,
}

/// The longest schedule that is written out.
const MOST: u32 = 1200;

/// The first `payments` rows; the schedule ends early when nothing is owed.
///
/// # Errors
/// What `loan::payment` refuses, and more payments than a hundred years have.
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

/// What is owed right after payment number `paid`.
///
/// # Errors
/// As for `rows`.
pub fn balance(terms: &Terms, paid: u32) -> Result<f64, Fault> {
    Ok(rows(terms, paid)?.last().map_or(terms.loan, |row| row.balance))
}

/// Interest of payments `first` to `last`, both counted from 1.
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

/// To cents, half away from zero.
fn round(amount: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::Exact => amount,
        Rounding::Cents => {
            let cents = amount * 100.0;
            (cents + cents.signum() * cents.abs() * f64::EPSILON * 4.0).round() / 100.0
        }
    }
}
