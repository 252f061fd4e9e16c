//! Level and growing payments, single sums, and rates between compounding periods.
//!
//! Rates are per period, as fractions. Independent of loans and of the calendar.

use crate::fault::{Fault, finite, ratio};
use crate::flows::growth;

/// When the payments of a period fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// In arrears, the usual case.
    End,
    /// In advance.
    Start,
}

/// Present value of one payment per period.
///
/// # Errors
/// A rate of -100% or less, or a negative number of periods.
pub fn present_factor(rate: f64, periods: f64, timing: Timing) -> Result<f64, Fault> {
    let step = growth(rate)?;
    check(periods)?;
    let factor = if rate == 0.0 {
        periods
    } else {
        -(-periods * rate.ln_1p()).exp_m1() / rate
    };
    finite(if timing == Timing::Start {
        factor * step
    } else {
        factor
    })
}

/// Future value of one payment per period, right after the last payment.
///
/// # Errors
/// As for `present_factor`.
pub fn future_factor(rate: f64, periods: f64, timing: Timing) -> Result<f64, Fault> {
    finite(present_factor(rate, periods, timing)? * growth(rate)?.powf(periods))
}

/// Present value of payments that start at `first` and grow by `rise` each period.
///
/// # Errors
/// As for `present_factor`.
pub fn growing_present(first: f64, rise: f64, rate: f64, periods: f64) -> Result<f64, Fault> {
    let (step, up) = (growth(rate)?, growth(rise)?);
    check(periods)?;
    if (step - up).abs() < 1e-12 {
        return finite(first * periods / step);
    }
    finite(first * (1.0 - (up / step).powf(periods)) / (rate - rise))
}

/// Present value of an endless series of payments that grow by `rise` each period.
///
/// # Errors
/// A rate that does not exceed the growth.
pub fn perpetuity(first: f64, rise: f64, rate: f64) -> Result<f64, Fault> {
    if rate <= rise {
        return Err(Fault::OutOfRange {
            what: "discount rate of payments without end",
            rule: "above their growth",
        });
    }
    finite(first / (rate - rise))
}

/// Future value of a sum.
///
/// # Errors
/// A rate of -100% or less.
pub fn future_value(sum: f64, rate: f64, periods: f64) -> Result<f64, Fault> {
    finite(sum * growth(rate)?.powf(periods))
}

/// Present value of a later sum.
///
/// # Errors
/// A rate of -100% or less.
pub fn present_value(sum: f64, rate: f64, periods: f64) -> Result<f64, Fault> {
    finite(sum / growth(rate)?.powf(periods))
}

/// The rate per period at which a sum grows to another.
///
/// # Errors
/// Sums that are not positive, or no period.
pub fn growth_rate(from: f64, to: f64, periods: f64) -> Result<f64, Fault> {
    if from <= 0.0 || to <= 0.0 {
        return Err(Fault::OutOfRange {
            what: "first and last amount",
            rule: "above zero",
        });
    }
    finite((to / from).powf(ratio(1.0, periods, "number of periods")?) - 1.0)
}

/// The effective annual rate of a nominal rate compounded `periods` times a year.
///
/// # Errors
/// No compounding period, or a rate per period of -100% or less.
pub fn effective(nominal: f64, periods: f64) -> Result<f64, Fault> {
    let each = ratio(nominal, periods, "number of compounding periods")?;
    finite(growth(each)?.powf(periods) - 1.0)
}

/// The nominal annual rate that compounds to an effective rate.
///
/// # Errors
/// No compounding period, or a rate of -100% or less.
pub fn nominal(effective: f64, periods: f64) -> Result<f64, Fault> {
    let each = growth(effective)?.powf(ratio(1.0, periods, "number of compounding periods")?) - 1.0;
    finite(each * periods)
}

fn check(periods: f64) -> Result<(), Fault> {
    if periods >= 0.0 && periods.is_finite() {
        Ok(())
    } else {
        Err(Fault::OutOfRange {
            what: "number of periods",
            rule: "zero or more",
        })
    }
}
