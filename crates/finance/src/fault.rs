//! Why a calculation has no answer: a fact about the numbers, phrased for people.
//!
//! Independent of questions and of the graph, where a missing input is not a fault.

/// A reason why no number exists. Money is in major units.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// The named denominator is zero.
    ZeroDenominator { what: &'static str },
    /// Coverage without debt service is undefined, neither 0 nor infinite.
    NoDebt,
    /// The payment does not exceed the first month's interest.
    NeverAmortizes { payment: f64, interest: f64 },
    /// The payments add up to less than the loan, so only a negative rate would fit.
    PaymentsBelowLoan,
    /// All flows have one sign.
    OneSign,
    /// Flows of a single day have no yearly rate.
    OneDay,
    /// Several rates fit, but one is needed.
    SeveralRates,
    /// There is nothing to calculate with.
    NoFlows,
    /// The flows change sign, but no real rate makes their present value zero.
    NoRoot,
    /// A value outside the range in which the formula is meaningful.
    OutOfRange { what: &'static str, rule: &'static str },
    /// The result is too large or not a number.
    NotFinite,
}

impl Fault {
    /// One sentence that states the reason.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::ZeroDenominator { what } => {
                format!("The {what} is zero, so the ratio is not defined: dividing by zero has no result.")
            }
            Self::NoDebt => "Without debt service the coverage ratio is not defined (it is neither zero nor \
                             infinite)."
                .to_owned(),
            Self::NeverAmortizes { .. } => "The payment does not exceed the monthly interest, so the loan \
                                            never amortizes: the balance would never reach zero."
                .to_owned(),
            Self::PaymentsBelowLoan => {
                "All payments together are less than the loan, so no interest rate of \
                                        zero or more fits."
                    .to_owned()
            }
            Self::OneSign => {
                "An IRR needs at least one outflow (money in, negative) and at least one inflow \
                              (money back, positive); these flows all have one sign."
                    .to_owned()
            }
            Self::OneDay => "All flows fall on one day, so no yearly rate of return is defined.".to_owned(),
            Self::SeveralRates => {
                "More than one rate of return fits these flows, so no single one is the answer.".to_owned()
            }
            Self::NoFlows => "There are no amounts to calculate with.".to_owned(),
            Self::NoRoot => {
                "These flows have no real IRR: no rate makes their net present value zero.".to_owned()
            }
            Self::OutOfRange { what, rule } => format!("The {what} must be {rule}."),
            Self::NotFinite => "The result is not a finite number, so there is nothing to report.".to_owned(),
        }
    }
}

/// Rejects values that are not finite.
pub(crate) fn finite(value: f64) -> Result<f64, Fault> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Fault::NotFinite)
    }
}

/// `numerator / denominator`, with the denominator named when it is zero.
///
/// # Errors
///
/// The denominator is zero.
pub fn ratio(numerator: f64, denominator: f64, what: &'static str) -> Result<f64, Fault> {
    if denominator == 0.0 {
        return Err(Fault::ZeroDenominator { what });
    }
    finite(numerator / denominator)
}
