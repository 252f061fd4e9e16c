//! What follows from the terms of a loan: payments, the amount or rate that fits one, payoff, the rows of a schedule.

use finance::fault::ratio;
use finance::loan;
use finance::schedule::{Accrual, Rounding, Row, Terms, rows};
use finance::variable::Variable;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::result::{Computed, Figure, Outcome, Refusal, Step};

/// Most payments: fifty years.
pub(crate) const MOST: u32 = 600;

/// The figure that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Want {
    Payment,
    Balance,
    InterestPaid,
    PrincipalPaid,
    TotalInterest,
    AnnualDebtService,
    Schedule,
    LoanAmount,
    AnnualRate,
    MonthsToPayoff,
}

/// The loan as read; durations in months.
pub struct Facts {
    pub amount: Option<f64>,
    pub rate: Option<f64>,
    pub amortization: Option<u32>,
    /// Nothing amortizes.
    pub only: bool,
    pub interest_only: u32,
    pub term: Option<u32>,
    pub paid: Option<u32>,
    pub payment: Option<f64>,
    pub extra: f64,
    pub rounding: Rounding,
    pub accrual: Accrual,
}

impl Facts {
    /// Amount, rate and amortization, or what is missing of them.
    fn terms(&self) -> Result<(f64, f64, u32), Refusal> {
        let amortization = self.amortization.or(self.only.then_some(MOST));
        match (self.amount, self.rate, amortization) {
            (Some(amount), Some(rate), Some(months)) if months > 0 => Ok((amount, rate, months)),
            _ => Err(Refusal::missing(&[
                ("amount", "loan amount", self.amount.is_some()),
                ("rate", "annual interest rate", self.rate.is_some()),
                (
                    "amortization",
                    "amortization period",
                    amortization.is_some_and(|months| months > 0),
                ),
            ])),
        }
    }

    pub(crate) fn assumed(&self) -> Vec<Step> {
        let both = self.interest_only > 0 && !self.only;
        let after = "the whole amortization follows the interest-only months";
        let months = f64::from(self.interest_only);
        both.then(|| Step::assumed("interest_only", after, months))
            .into_iter()
            .collect()
    }

    /// The level payment of the amortizing months, and the interest-only payment where there is one.
    pub(crate) fn service(&self, want: Want) -> Outcome {
        let (amount, rate, months) = self.terms()?;
        let interest = amount * rate / 12.0;
        let level = if self.only {
            interest
        } else {
            loan::payment(amount, rate, f64::from(months))?
        };
        let level = if self.rounding == Rounding::Cents {
            (level * 100.0).round() / 100.0
        } else {
            level
        };
        let meaning = if self.only {
            "Interest only."
        } else {
            "Level payment of the amortizing months."
        };
        let payment = Figure::of(Variable::Payment, level, meaning).each("month");
        let service = Figure::of(Variable::DebtService, 12.0 * level, "12 monthly payments.").each("year");
        let mut figures = if want == Want::Payment {
            vec![payment, service]
        } else {
            vec![service, payment]
        };
        if self.interest_only > 0 && !self.only {
            figures.push(Figure::of(Variable::IoPayment, interest, "While interest-only.").each("month"));
        }
        let formula = if self.only {
            "amount × rate ÷ 12"
        } else {
            "amount × i ÷ (1 − (1+i)^−n), i = rate ÷ 12"
        };
        let inputs = [
            ("amount", amount),
            ("rate", rate),
            ("payments", f64::from(months)),
        ];
        Ok(Computed {
            figures,
            steps: self
                .assumed()
                .into_iter()
                .chain([Step::new("payment", formula, level, &inputs)])
                .collect(),
            ..Computed::default()
        })
    }

    /// The amount or the rate that fits a payment.
    pub(crate) fn solved(&self, want: Want) -> Outcome {
        let months = self.amortization.map(f64::from);
        let (figure, formula, inputs) = match (want, self.amount, self.rate, self.payment, months) {
            (Want::LoanAmount, _, Some(rate), Some(payment), _) if self.only => {
                let amount = ratio(12.0 * payment, rate, "interest rate")?;
                (
                    Figure::of(Variable::Loan, amount, "Interest only."),
                    "12 × payment ÷ rate",
                    vec![("payment", payment), ("rate", rate)],
                )
            }
            (Want::LoanAmount, _, Some(rate), Some(payment), Some(months)) => {
                let amount = loan::loan_from_payment(payment, rate, months)?;
                let inputs = vec![("payment", payment), ("rate", rate), ("payments", months)];
                (
                    Figure::of(Variable::Loan, amount, "The loan that the payment repays."),
                    "payment × (1 − (1+i)^−n) ÷ i",
                    inputs,
                )
            }
            (Want::AnnualRate, Some(amount), _, Some(payment), Some(months)) => {
                let rate = loan::annual_rate(amount, payment, months)?;
                let inputs = vec![("amount", amount), ("payment", payment), ("payments", months)];
                (
                    Figure::of(Variable::Rate, rate, "12 × the monthly rate."),
                    "12 × the monthly rate at which n payments repay the loan",
                    inputs,
                )
            }
            _ => {
                let solves_rate = want == Want::AnnualRate;
                return Err(Refusal::missing(&[
                    ("amount", "loan amount", !solves_rate || self.amount.is_some()),
                    ("rate", "annual interest rate", solves_rate || self.rate.is_some()),
                    ("payment", "monthly payment", self.payment.is_some()),
                    ("amortization", "amortization period", months.is_some()),
                ]));
            }
        };
        let value = figure.value.as_f64().unwrap_or(0.0);
        let step = Step::new(&figure.name, formula, value, &inputs);
        Ok(Computed {
            figures: vec![figure],
            steps: vec![step],
            ..Computed::default()
        })
    }

    /// Months until a loan is repaid, with the payment given or the level one, and any extra amount.
    pub(crate) fn payoff(&self) -> Outcome {
        let (Some(amount), Some(rate)) = (self.amount, self.rate) else {
            return Err(Refusal::missing(&[
                ("amount", "loan amount", self.amount.is_some()),
                ("rate", "annual interest rate", self.rate.is_some()),
            ]));
        };
        let planned = self.amortization.map(f64::from);
        let level = match (self.payment, planned) {
            (Some(payment), _) => payment,
            (None, Some(months)) => loan::payment(amount, rate, months)?,
            (None, None) => {
                return Err(Refusal::missing(&[(
                    "payment",
                    "monthly payment, or amortization",
                    false,
                )]));
            }
        };
        let months = loan::payments_needed(amount, rate, level + self.extra)?;
        let mut figures = vec![
            Figure::new(
                "months_to_payoff",
                "months until the loan is repaid",
                months,
                "months",
            )
            .meaning("The last payment is smaller."),
        ];
        if self.extra > 0.0 {
            let usual = loan::payments_needed(amount, rate, level)?;
            let saved = (usual - 1e-9).ceil() - (months - 1e-9).ceil();
            figures.push(Figure::of(
                Variable::MonthsSaved,
                saved,
                "Payments saved, the last ones counted whole.",
            ));
            let interest = |months: f64, payment: f64| -> Result<f64, Refusal> {
                let whole = months.floor();
                let left = loan::balance(amount, rate, months.max(1.0), whole.min(months))?;
                Ok(payment * whole + left * (1.0 + rate / 12.0) - amount)
            };
            let value = interest(usual, level)? - interest(months, level + self.extra)?;
            figures.push(Figure::of(
                Variable::InterestSaved,
                value,
                "Interest as planned − interest with the extra payment.",
            ));
        }
        let formula = "−ln(1 − amount × i ÷ (payment + extra)) ÷ ln(1+i), i = rate ÷ 12";
        let inputs = [
            ("amount", amount),
            ("rate", rate),
            ("payment", level),
            ("extra_payment", self.extra),
        ];
        Ok(Computed {
            figures,
            steps: vec![Step::new("months_to_payoff", formula, months, &inputs)],
            ..Computed::default()
        })
    }

    pub(crate) fn rows(&self, last: u32) -> Result<Vec<Row>, Refusal> {
        if let (Some(amount), Some(rate), None, Some(payment)) =
            (self.amount, self.rate, self.amortization, self.payment)
        {
            return self.hastened(amount, rate, payment, last);
        }
        let (loan, rate, amortization) = self.terms()?;
        if self.extra != 0.0 {
            return self.hastened(
                loan,
                rate,
                loan::payment(loan, rate, f64::from(amortization))?,
                last,
            );
        }
        let terms = Terms {
            loan,
            rate,
            interest_only: if self.only { MOST } else { self.interest_only },
            amortization,
            rounding: self.rounding,
            interest: self.accrual,
        };
        Ok(rows(&terms, last)?)
    }

    /// The schedule with a payment of one's own, or an extra amount each month.
    fn hastened(&self, amount: f64, rate: f64, level: f64, last: u32) -> Result<Vec<Row>, Refusal> {
        if self.accrual != Accrual::EqualMonths || self.rounding != Rounding::Exact {
            let what = "A payment of your own goes with equal months: leave out day_count and rounding.";
            return Err(Refusal::failure("bad_arguments", what));
        }
        let level = level + self.extra;
        let mut balance = amount;
        let mut found = Vec::new();
        for number in 1..=last {
            if balance <= 0.0 {
                break;
            }
            let interest = balance * rate / 12.0;
            let payment = if number <= self.interest_only {
                interest + self.extra
            } else {
                level
            };
            let payment = payment.min(balance + interest);
            balance = (balance + interest - payment).max(0.0);
            found.push(Row {
                number,
                payment,
                interest,
                principal: payment - interest,
                balance,
            });
        }
        Ok(found)
    }
}
