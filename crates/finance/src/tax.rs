//! United States income tax basics: straight-line depreciation and the gain recognized in an exchange.
//!
//! A calculator, not tax advice: no bonus depreciation, cost segregation, recapture or state tax.

use chrono::{Days, NaiveDate};

use crate::fault::{Fault, finite, ratio};

/// The use of a building, which determines its recovery period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    Residential,
    Nonresidential,
}

impl Use {
    /// The recovery period in years (IRS Publication 946).
    #[must_use]
    pub fn years(self) -> f64 {
        match self {
            Self::Residential => 27.5,
            Self::Nonresidential => 39.0,
        }
    }
}

/// Depreciation of a full year.
///
/// # Errors
/// A basis below zero.
pub fn annual_depreciation(basis: f64, years: f64) -> Result<f64, Fault> {
    if basis < 0.0 {
        return Err(Fault::OutOfRange {
            what: "depreciable basis",
            rule: "zero or more",
        });
    }
    ratio(basis, years, "recovery period")
}

/// Depreciation of tax year `year` (from 1) for a building placed in service in `month` (1 to 12), with the
/// mid-month convention. The last year takes the remainder.
///
/// # Errors
/// A month outside the year, a year before the first, or a basis below zero.
pub fn depreciation_in_year(basis: f64, years: f64, month: u32, year: u32) -> Result<f64, Fault> {
    if !(1..=12).contains(&month) || year < 1 {
        return Err(Fault::OutOfRange {
            what: "month placed in service",
            rule: "between January and December",
        });
    }
    let annual = annual_depreciation(basis, years)?;
    let first = annual * (12.5 - f64::from(month)) / 12.0;
    if year == 1 {
        return finite(first.min(basis));
    }
    let before = first + annual * f64::from(year - 2);
    finite(annual.min(basis - before).max(0.0))
}

/// Boot of an exchange: cash taken out plus net debt relief. Cash paid in offsets debt relief.
#[must_use]
pub fn boot(cash_received: f64, old_debt: f64, new_debt: f64, cash_added: f64) -> f64 {
    cash_received.max(0.0) + (old_debt - new_debt - cash_added.max(0.0)).max(0.0)
}

/// The last days to identify and to receive the replacement in an exchange: 45 and 180 days after the transfer of the
/// property given up (26 U.S.C. § 1031(a)(3)). The due date of the tax return may come before the second one.
///
/// # Errors
/// A day at the end of the calendar.
pub fn exchange_deadlines(transfer: NaiveDate) -> Result<(NaiveDate, NaiveDate), Fault> {
    let after = |days| transfer.checked_add_days(Days::new(days));
    after(45).zip(after(180)).ok_or(Fault::NotFinite)
}

/// Gain recognized now: the lesser of realized gain and boot, but not below zero.
#[must_use]
pub fn recognized_gain(realized: f64, boot: f64) -> f64 {
    realized.min(boot).max(0.0)
}
