//! Rents over time: fixed steps, indexation with floor and cap, net effective rent, weighted lease terms, and
//! loss to lease.
//!
//! Rents are per year, in any base that the caller uses (total or per area). Independent of tenants.

use crate::fault::{Fault, finite, ratio};
use crate::flows::growth;

/// The rent of lease year `year` (from 1) with a step of `rise` after every `every` years.
///
/// # Errors
/// A year before the first, or a step length of zero.
pub fn stepped(base: f64, rise: f64, year: u32, every: u32) -> Result<f64, Fault> {
    let (Some(past), true) = (year.checked_sub(1), every > 0) else {
        return Err(Fault::OutOfRange {
            what: "lease year",
            rule: "1 or later",
        });
    };
    finite(base * growth(rise)?.powf(f64::from(past / every)))
}

/// The rent after each of the index readings, with every change limited to the range from floor to cap.
///
/// # Errors
/// A floor above the cap.
pub fn indexed(base: f64, readings: &[f64], floor: Option<f64>, cap: Option<f64>) -> Result<Vec<f64>, Fault> {
    if let (Some(floor), Some(cap)) = (floor, cap)
        && floor > cap
    {
        return Err(Fault::OutOfRange {
            what: "floor",
            rule: "at most the cap",
        });
    }
    let mut rent = base;
    readings
        .iter()
        .map(|reading| {
            let least = reading.max(floor.unwrap_or(f64::NEG_INFINITY));
            rent *= growth(least.min(cap.unwrap_or(f64::INFINITY)))?;
            finite(rent)
        })
        .collect()
}

/// The terms of a lease that determine its net effective rent. All amounts have the same base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deal {
    /// Annual rent of the first year.
    pub rent: f64,
    /// Fixed step each year.
    pub rise: f64,
    pub years: f64,
    /// Months without rent at the start of the lease.
    pub free_months: f64,
    pub improvements: f64,
    pub commission: f64,
}

impl Deal {
    /// Rent of each month, with zero for free months and a step after every `every` years.
    fn months(&self, every: u32) -> Result<Vec<f64>, Fault> {
        let months = self.years * 12.0;
        if !(1.0..=1200.0).contains(&months) || (months - months.round()).abs() > 1e-6 {
            return Err(Fault::OutOfRange {
                what: "lease term",
                rule: "a whole number of months up to 100 years",
            });
        }
        if !(0.0..=months).contains(&self.free_months) {
            return Err(Fault::OutOfRange {
                what: "free rent",
                rule: "at most the term",
            });
        }
        let count = months.round() as u32;
        (0..count)
            .map(|month| {
                let rent = stepped(self.rent, self.rise, month / 12 + 1, every)? / 12.0;
                // Half a free month halves the rent of that month.
                let free = (self.free_months - f64::from(month)).clamp(0.0, 1.0);
                finite(rent * (1.0 - free))
            })
            .collect()
    }
}

/// Net effective rent without discounting: (rents − improvements − commission) ÷ years.
///
/// # Errors
/// A term that is not a whole number of months, or more free months than months.
pub fn net_effective(deal: &Deal) -> Result<f64, Fault> {
    net_effective_stepped(deal, 1)
}

/// Like `net_effective`, for a rent that steps after every `every` years.
///
/// # Errors
/// As for `net_effective`.
pub fn net_effective_stepped(deal: &Deal, every: u32) -> Result<f64, Fault> {
    let rents: f64 = deal.months(every)?.iter().sum();
    ratio(
        rents - deal.improvements - deal.commission,
        deal.years,
        "lease term",
    )
}

/// Net effective rent with discounting: the level monthly payment in arrears with the same present value,
/// times twelve. Improvements and commission are paid at the start; `rate` is nominal per year.
///
/// # Errors
/// As for `net_effective`, or a rate of -100% or less.
pub fn net_effective_present(deal: &Deal, rate: f64) -> Result<f64, Fault> {
    let step = growth(rate / 12.0)?;
    let months = deal.months(1)?;
    let (mut value, mut factor, mut all) = (0.0, 1.0, 0.0);
    for rent in &months {
        factor /= step;
        value += rent * factor;
        all += factor;
    }
    ratio(
        12.0 * (value - deal.improvements - deal.commission),
        all,
        "sum of the discount factors",
    )
}

/// Like `net_effective_present`, for rent paid once a year at its end: the level annual payment.
///
/// # Errors
/// As for `net_effective_present`, or a term that is not a whole number of years.
pub fn net_effective_yearly(deal: &Deal, rate: f64) -> Result<f64, Fault> {
    let step = growth(rate)?;
    if (deal.years - deal.years.round()).abs() > 1e-6 {
        return Err(Fault::OutOfRange {
            what: "lease term",
            rule: "whole years where the rent is paid once a year",
        });
    }
    let months = deal.months(1)?;
    let (mut value, mut factor, mut all) = (0.0, 1.0, 0.0);
    for year in months.chunks(12) {
        factor /= step;
        value += year.iter().sum::<f64>() * factor;
        all += factor;
    }
    ratio(
        value - deal.improvements - deal.commission,
        all,
        "sum of the discount factors",
    )
}

/// Weighted average remaining term: Σ(weight × remaining) ÷ Σ weight. An expired term counts as zero.
///
/// # Errors
/// No weight.
pub fn weighted_term(leases: &[(f64, f64)]) -> Result<f64, Fault> {
    let weights: f64 = leases.iter().map(|(weight, _)| weight).sum();
    let product: f64 = leases
        .iter()
        .map(|(weight, remaining)| weight * remaining.max(0.0))
        .sum();
    ratio(product, weights, "total weight")
}

/// Market rent minus contract rent over occupied units, net of gains, and its share of the market rent.
///
/// # Errors
/// No market rent.
pub fn loss_to_lease(units: &[(f64, f64)]) -> Result<(f64, f64), Fault> {
    let market: f64 = units.iter().map(|(market, _)| market).sum();
    let loss: f64 = units.iter().map(|(market, contract)| market - contract).sum();
    Ok((finite(loss)?, ratio(loss, market, "market rent")?))
}
