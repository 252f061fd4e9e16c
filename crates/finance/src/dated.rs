//! Flows with calendar dates: XNPV and every XIRR, actual/365 fixed, measured from the earliest date.
//!
//! The flows may be in any order, and several may fall on one day. Does not parse text.

use chrono::NaiveDate;

use crate::days::DayCount;
use crate::fault::{Fault, finite};
use crate::flows::signs;
use crate::roots;

/// A flow and its day: negative when money goes out.
pub type Dated = (NaiveDate, f64);

/// The largest net present value at a root, as a share of all flows.
const RESIDUAL: f64 = 1e-9;

/// Value on the earliest date at `rate` per year (a fraction above -1).
///
/// # Errors
/// No flow, a rate of -100% or less, or a result that is not finite.
pub fn xnpv(rate: f64, flows: &[Dated]) -> Result<f64, Fault> {
    if rate <= -1.0 || !rate.is_finite() {
        return Err(Fault::OutOfRange {
            what: "rate",
            rule: "above -100%",
        });
    }
    let series = timed(flows)?;
    finite(at(rate.ln_1p(), &series))
}

/// Every real annual rate above -100% at which the flows have a present value of zero, ascending.
///
/// # Errors
/// Flows of one sign, flows of one day only, or flows without a real rate.
pub fn xirr_roots(flows: &[Dated]) -> Result<Vec<f64>, Fault> {
    let amounts: Vec<f64> = flows.iter().map(|(_, amount)| *amount).collect();
    let largest = signs(&amounts)?;
    let series: Vec<(f64, f64)> = timed(flows)?
        .into_iter()
        .map(|(years, amount)| (years, amount / largest))
        .filter(|(_, amount)| *amount != 0.0)
        .collect();
    let span = series.iter().fold(0.0_f64, |most, (years, _)| most.max(*years));
    let start = series
        .iter()
        .fold(f64::INFINITY, |least, (years, _)| least.min(*years));
    if span <= start {
        return Err(Fault::OneDay);
    }
    let total: f64 = series.iter().map(|(_, amount)| amount.abs()).sum();
    // Below 0%, use the future value: it has the same sign and does not overflow.
    let value = |log: f64| {
        let base = if log < 0.0 { span } else { start };
        series
            .iter()
            .map(|(years, amount)| amount * (-(years - base) * log).exp())
            .sum::<f64>()
    };
    // 1 + r ranges from 1e-9 to 1e6, because short spans have very large rates.
    let grid: Vec<f64> = (-900..=600)
        .map(|step| f64::from(step) * std::f64::consts::LN_10 / 100.0)
        .collect();
    let found: Vec<f64> = roots::all(value, &grid, 1e-12 * total)
        .into_iter()
        .filter(|log| value(*log).abs() < RESIDUAL * total)
        .map(f64::exp_m1)
        .collect();
    if found.is_empty() {
        Err(Fault::NoRoot)
    } else {
        Ok(found)
    }
}

/// Years since the earliest date, with the amounts.
fn timed(flows: &[Dated]) -> Result<Vec<(f64, f64)>, Fault> {
    let base = flows.iter().map(|(date, _)| *date).min().ok_or(Fault::NoFlows)?;
    let mut series: Vec<(f64, f64)> = flows
        .iter()
        .map(|(date, amount)| (DayCount::Actual365.years(base, *date), *amount))
        .collect();
    // Sort, so that the sums do not depend on the order of the list.
    series.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    Ok(series)
}

fn at(log: f64, series: &[(f64, f64)]) -> f64 {
    series
        .iter()
        .map(|(years, amount)| amount * (-years * log).exp())
        .sum()
}
