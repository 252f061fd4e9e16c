//! The largest loan that several tests allow, and which of them binds.
//!
//! Knows no property; every test brings its own amount.

use crate::fault::{Fault, ratio};

/// A lender's test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Test {
    LoanToValue,
    LoanToCost,
    Coverage,
    DebtYield,
}

impl Test {
    /// The metric's word of the test.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::LoanToValue => "ltv",
            Self::LoanToCost => "ltc",
            Self::Coverage => "dscr",
            Self::DebtYield => "debt_yield",
        }
    }
}

/// Every test's amount, and the smallest.
#[derive(Clone, Debug, PartialEq)]
pub struct Sized {
    pub amounts: Vec<(Test, f64)>,
    pub binding: Test,
    pub loan: f64,
}

/// The smallest of the amounts; the first named wins a tie.
///
/// # Errors
/// No test, or an amount that is not finite.
pub fn size(amounts: &[(Test, f64)]) -> Result<Sized, Fault> {
    if amounts.iter().any(|(_, amount)| !amount.is_finite()) {
        return Err(Fault::NotFinite);
    }
    let least = amounts
        .iter()
        .fold(None, |least: Option<(Test, f64)>, next| match least {
            Some(known) if known.1 <= next.1 => Some(known),
            _ => Some(*next),
        });
    let (binding, loan) = least.ok_or(Fault::NoFlows)?;
    Ok(Sized {
        amounts: amounts.to_vec(),
        binding,
        loan,
    })
}

/// What coverage allows: NOI ÷ (DSCR × mortgage constant).
///
/// # Errors
/// A constant or ratio of zero.
pub fn by_coverage(noi: f64, dscr: f64, constant: f64) -> Result<f64, Fault> {
    ratio(noi, dscr * constant, "DSCR times the constant")
}
