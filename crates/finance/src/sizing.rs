//! The largest loan that passes several tests, and the test that limits it.
//!
//! Independent of the property; the caller computes the amount of each test.

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
    /// The metric identifier of the test.
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

/// The amount of each test, and the smallest one.
#[derive(Clone, Debug, PartialEq)]
pub struct Sized {
    pub amounts: Vec<(Test, f64)>,
    pub binding: Test,
    pub loan: f64,
}

/// The smallest of the amounts. In a tie, the first one wins.
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

/// The loan that coverage allows: NOI ÷ (DSCR × mortgage constant).
///
/// # Errors
/// A constant or ratio of zero.
pub fn by_coverage(noi: f64, dscr: f64, constant: f64) -> Result<f64, Fault> {
    ratio(noi, dscr * constant, "DSCR times the constant")
}
