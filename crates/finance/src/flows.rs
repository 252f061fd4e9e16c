//! Cash-flow mathematics: net present value, all internal rates of return, MIRR, equity multiple.
//!
//! Flows are one per period and negative when money goes out. The first is at t = 0 unless a function says
//! otherwise. Independent of dates, text and loans.

use crate::fault::{Fault, finite, ratio};
use crate::roots;

/// The largest net present value at a root, as a share of all flows.
const RESIDUAL: f64 = 1e-9;

/// When the first flow of a series occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstFlow {
    /// At t = 0, without discounting. The convention of investment texts.
    Now,
    /// One period from now, as in the spreadsheet function `NPV`.
    EndOfFirstPeriod,
}

/// Net present value at `rate` per period (a fraction above -1).
///
/// # Errors
/// A rate of -100% or less, or a result that is not finite.
pub fn npv(rate: f64, flows: &[f64], first: FirstFlow) -> Result<f64, Fault> {
    let growth = growth(rate)?;
    let now = flows.iter().rev().fold(0.0, |sum, flow| sum / growth + flow);
    finite(match first {
        FirstFlow::Now => now,
        FirstFlow::EndOfFirstPeriod => now / growth,
    })
}

/// Every real internal rate of return per period above -100%, ascending.
///
/// Uses the variable x = 1 + r and, below 1, the future value instead of the present value: it has the same
/// sign and does not overflow.
///
/// # Errors
/// Flows of one sign only, or flows without a real rate.
pub fn irr_roots(flows: &[f64]) -> Result<Vec<f64>, Fault> {
    let largest = signs(flows)?;
    let scaled: Vec<f64> = flows.iter().map(|flow| flow / largest).collect();
    let first = scaled.iter().position(|flow| *flow != 0.0).unwrap_or(0);
    let last = scaled.iter().rposition(|flow| *flow != 0.0).unwrap_or(0);
    let series = scaled.get(first..=last).unwrap_or_default();
    let total: f64 = series.iter().map(|flow| flow.abs()).sum();
    let value = |log: f64| {
        let x = log.exp();
        if x < 1.0 {
            series.iter().fold(0.0, |sum, flow| sum * x + flow)
        } else {
            series.iter().rev().fold(0.0, |sum, flow| sum / x + flow)
        }
    };
    // 1 + r from 1e-9 to 1e3, in even steps of the logarithm. One step is exactly r = 0.
    let grid: Vec<f64> = (-900..=300)
        .map(|step| f64::from(step) * std::f64::consts::LN_10 / 100.0)
        .collect();
    // Accept a root only if the value there is practically zero. This includes double roots.
    let roots: Vec<f64> = roots::all(value, &grid, 1e-12 * total)
        .into_iter()
        .filter(|log| value(*log).abs() < RESIDUAL * total)
        .map(f64::exp_m1)
        .collect();
    if roots.is_empty() {
        Err(Fault::NoRoot)
    } else {
        Ok(roots)
    }
}

/// Modified internal rate of return: inflows grow at `reinvest`, outflows are discounted at `finance`.
///
/// # Errors
/// Flows of one sign only, fewer than two flows, or rates of -100% or less.
pub fn mirr(flows: &[f64], finance: f64, reinvest: f64) -> Result<f64, Fault> {
    if !(flows.iter().any(|flow| *flow > 0.0) && flows.iter().any(|flow| *flow < 0.0)) {
        return Err(Fault::OneSign);
    }
    let periods = flows.len().saturating_sub(1) as f64;
    let growth = growth(reinvest)?;
    let future = flows.iter().fold(0.0, |sum, flow| sum * growth + flow.max(0.0));
    let outflows: Vec<f64> = flows.iter().map(|flow| flow.min(0.0)).collect();
    let present = npv(finance, &outflows, FirstFlow::Now)?;
    finite(ratio(future, -present, "present value of the outflows")?.powf(1.0 / periods) - 1.0)
}

/// Distributions divided by contributions, from signed flows.
///
/// # Errors
/// No contribution.
pub fn equity_multiple(flows: &[f64]) -> Result<f64, Fault> {
    let paid_in: f64 = flows.iter().map(|flow| (-flow).max(0.0)).sum();
    let paid_out: f64 = flows.iter().map(|flow| flow.max(0.0)).sum();
    ratio(paid_out, paid_in, "total of the contributions")
}

/// Present value of `count` equal payments at the end of each period.
///
/// # Errors
/// A rate of -100% or less.
pub fn level_present_value(payment: f64, rate: f64, count: f64) -> Result<f64, Fault> {
    growth(rate)?;
    finite(if rate == 0.0 {
        payment * count
    } else {
        payment * (1.0 - (1.0 + rate).powf(-count)) / rate
    })
}

/// The largest amount, if the flows have both signs.
pub(crate) fn signs(flows: &[f64]) -> Result<f64, Fault> {
    if !flows.iter().all(|flow| flow.is_finite()) {
        return Err(Fault::NotFinite);
    }
    if !(flows.iter().any(|flow| *flow > 0.0) && flows.iter().any(|flow| *flow < 0.0)) {
        return Err(Fault::OneSign);
    }
    Ok(flows.iter().fold(0.0_f64, |most, flow| most.max(flow.abs())))
}

/// One plus the rate, which must be positive.
pub(crate) fn growth(rate: f64) -> Result<f64, Fault> {
    if rate > -1.0 && rate.is_finite() {
        Ok(1.0 + rate)
    } else {
        Err(Fault::OutOfRange {
            what: "rate",
            rule: "above -100%",
        })
    }
}
