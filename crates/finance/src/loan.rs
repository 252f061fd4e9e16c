//! Loan mathematics: level payments, balances, interest over a range of payments, day counts, and the rate
//! implied by a payment.
//!
//! Rates are nominal per year, as fractions. Payments are monthly in arrears, and nothing is rounded to
//! cents. Independent of covenants and properties.

use crate::days::DayCount;
use crate::fault::{Fault, finite};
use crate::roots;

/// The monthly payment that repays `loan` in `payments` months.
///
/// # Errors
/// A loan or rate below zero, or less than one payment.
pub fn payment(loan: f64, rate: f64, payments: f64) -> Result<f64, Fault> {
    check(loan, rate, payments)?;
    let monthly = rate / 12.0;
    if monthly == 0.0 {
        return finite(loan / payments);
    }
    finite(loan * monthly / -(-payments * monthly.ln_1p()).exp_m1())
}

/// The loan that a level payment can repay.
///
/// # Errors
/// As for `payment`.
pub fn loan_from_payment(payment_amount: f64, rate: f64, payments: f64) -> Result<f64, Fault> {
    check(payment_amount, rate, payments)?;
    finite(payment_amount / payment(1.0, rate, payments)?)
}

/// The balance right after payment number `paid`.
///
/// # Errors
/// As for `payment`, or more payments made than the schedule has.
pub fn balance(loan: f64, rate: f64, payments: f64, paid: f64) -> Result<f64, Fault> {
    check(loan, rate, payments)?;
    if !(0.0..=payments).contains(&paid) {
        return Err(Fault::OutOfRange {
            what: "number of payments made",
            rule: "within the amortization schedule",
        });
    }
    let monthly = rate / 12.0;
    if monthly == 0.0 {
        return finite(loan * (1.0 - paid / payments));
    }
    // Use the present value of the remaining payments, which avoids cancellation near the end.
    let due = -(-(payments - paid) * monthly.ln_1p()).exp_m1();
    finite(payment(loan, rate, payments)? * due / monthly)
}

/// Interest paid with payments `first` to `last` (inclusive, from 1).
///
/// # Errors
/// As for `balance`, or a window that ends before it starts.
pub fn interest_paid(loan: f64, rate: f64, payments: f64, first: f64, last: f64) -> Result<f64, Fault> {
    let repaid = principal_paid(loan, rate, payments, first, last)?;
    finite(payment(loan, rate, payments)? * (last - first + 1.0) - repaid)
}

/// Principal repaid with payments `first` to `last` (inclusive, from 1).
///
/// # Errors
/// As for `interest_paid`.
pub fn principal_paid(loan: f64, rate: f64, payments: f64, first: f64, last: f64) -> Result<f64, Fault> {
    if first < 1.0 || last < first {
        return Err(Fault::OutOfRange {
            what: "window of payments",
            rule: "in order and start at payment 1 or later",
        });
    }
    finite(balance(loan, rate, payments, first - 1.0)? - balance(loan, rate, payments, last)?)
}

/// Months until the loan is repaid.
///
/// # Errors
/// A payment that does not exceed the first month's interest.
pub fn payments_needed(loan: f64, rate: f64, payment_amount: f64) -> Result<f64, Fault> {
    check(loan, rate, 1.0)?;
    let monthly = rate / 12.0;
    let interest = loan * monthly;
    if payment_amount <= interest {
        return Err(Fault::NeverAmortizes {
            payment: payment_amount,
            interest,
        });
    }
    if monthly == 0.0 {
        return finite(loan / payment_amount);
    }
    finite(-(-interest / payment_amount).ln_1p() / monthly.ln_1p())
}

/// The nominal annual rate (twelve times the monthly one) at which the payment repays the loan.
///
/// # Errors
/// Payments that add up to less than the loan, or a rate above 1,200%.
pub fn annual_rate(loan: f64, payment_amount: f64, payments: f64) -> Result<f64, Fault> {
    check(loan, 0.0, payments)?;
    if loan == 0.0 {
        return Err(Fault::ZeroDenominator { what: "loan amount" });
    }
    let total = payment_amount * payments;
    if (total - loan).abs() <= 1e-12 * loan {
        return Ok(0.0);
    }
    if total < loan {
        return Err(Fault::PaymentsBelowLoan);
    }
    // The payment increases with the rate, so there is one root.
    let gap =
        |rate: f64| payment(loan, rate, payments).map_or(f64::NAN, |needed| needed / payment_amount - 1.0);
    roots::brent(gap, 0.0, 12.0).ok_or(Fault::OutOfRange {
        what: "interest rate that fits",
        rule: "below 1,200% a year",
    })
}

/// Simple interest on an unchanged balance for a number of days.
///
/// # Errors
/// A loan, rate or number of days below zero.
pub fn interest_for_days(loan: f64, rate: f64, days: f64, count: DayCount) -> Result<f64, Fault> {
    check(loan, rate, 1.0)?;
    if days < 0.0 {
        return Err(Fault::OutOfRange {
            what: "number of days",
            rule: "zero or more",
        });
    }
    finite(loan * rate * days / count.year())
}

fn check(loan: f64, rate: f64, payments: f64) -> Result<(), Fault> {
    if !(loan.is_finite() && rate.is_finite() && payments.is_finite()) {
        return Err(Fault::NotFinite);
    }
    if loan < 0.0 {
        return Err(Fault::OutOfRange {
            what: "loan amount or payment",
            rule: "zero or more",
        });
    }
    if rate < 0.0 {
        return Err(Fault::OutOfRange {
            what: "interest rate",
            rule: "zero or more",
        });
    }
    if payments < 1.0 {
        return Err(Fault::OutOfRange {
            what: "number of payments",
            rule: "at least one",
        });
    }
    Ok(())
}
