//! What follows from the terms of a loan: payments, the amount or rate that fits one, payoff, the rows of a schedule.

use finance::fault::ratio;
use finance::loan;
use finance::schedule::{Accrual, Rounding, Row, Terms, rows};
use finance::variable::Variable;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::amount::Period;
use crate::result::{Computed, Figure, Outcome, Refusal, Step};

/// Most payments: fifty years of monthly ones.
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

/// The loan as read; durations in payments.
pub struct Facts {
    pub amount: Option<f64>,
    /// Nominal per year.
    pub rate: Option<f64>,
    /// The time from one payment to the next.
    pub every: Period,
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
    /// The rate of twelve payments: `finance` takes a twelfth of it for each of them.
    fn twelvefold(&self, rate: f64) -> f64 {
        rate * 12.0 / self.every.per_year()
    }

    /// A formula with the payments of a year in it.
    pub(crate) fn formula(&self, text: &str) -> String {
        text.replace("{}", &self.every.per_year().to_string())
    }

    /// Amount, rate of twelve payments and amortization, or what is missing of them.
    fn terms(&self) -> Result<(f64, f64, u32), Refusal> {
        let amortization = self.amortization.or(self.only.then_some(MOST));
        match (self.amount, self.rate, amortization) {
            (Some(amount), Some(rate), Some(payments)) if payments > 0 => {
                Ok((amount, self.twelvefold(rate), payments))
            }
            _ => Err(Refusal::missing(&[
                ("amount", "loan amount", self.amount.is_some()),
                ("rate", "annual interest rate", self.rate.is_some()),
                (
                    "amortization",
                    "amortization period",
                    amortization.is_some_and(|payments| payments > 0),
                ),
            ])),
        }
    }

    /// Sets the amount that the payments repay, if only they are known. The step that leads to it.
    ///
    /// # Errors
    /// As for `loan::loan_from_payment`.
    pub(crate) fn repaid(&mut self) -> Result<Option<Step>, Refusal> {
        let (None, Some(rate), Some(payment), Some(payments)) =
            (self.amount, self.rate, self.payment, self.amortization)
        else {
            return Ok(None);
        };
        let repaid = loan::loan_from_payment(payment, self.twelvefold(rate), f64::from(payments))?;
        let inputs = [
            ("payment", payment),
            ("rate", rate),
            ("payments", f64::from(payments)),
        ];
        let formula = self.formula("payment × (1 − (1+i)^−n) ÷ i, i = rate ÷ {}");
        self.amount = Some(repaid);
        Ok(Some(Step::new("amount", &formula, repaid, &inputs)))
    }

    pub(crate) fn assumed(&self) -> Vec<Step> {
        let both = self.interest_only > 0 && !self.only;
        let after = "the whole amortization follows the interest-only payments";
        let payments = f64::from(self.interest_only);
        both.then(|| Step::assumed("interest_only", after, payments))
            .into_iter()
            .collect()
    }

    /// The level payment, and the interest-only payment where there is one.
    pub(crate) fn service(&self, want: Want) -> Outcome {
        let (amount, rate, payments) = self.terms()?;
        let (each, per_year) = (self.every.word(), self.every.per_year());
        let interest = amount * rate / 12.0;
        let level = if self.only {
            interest
        } else {
            loan::payment(amount, rate, f64::from(payments))?
        };
        let level = if self.rounding == Rounding::Cents {
            (level * 100.0).round() / 100.0
        } else {
            level
        };
        let meaning = if self.only {
            "Interest only."
        } else {
            "Level payment of the amortizing periods."
        };
        let payment = self.paid(Variable::Payment, level, meaning);
        let sum = format!("{per_year} payments, one each {each}.");
        let service = Figure::of(Variable::DebtService, per_year * level, &sum).each("year");
        let mut figures = if want == Want::Payment {
            vec![payment, service]
        } else {
            vec![service, payment]
        };
        if self.interest_only > 0 && !self.only {
            figures.push(self.paid(Variable::IoPayment, interest, "While interest-only."));
        }
        let formula = self.formula(if self.only {
            "amount × rate ÷ {}"
        } else {
            "amount × i ÷ (1 − (1+i)^−n), i = rate ÷ {}"
        });
        let inputs = [
            ("amount", amount),
            ("rate", self.rate.unwrap_or(0.0)),
            ("payments", f64::from(payments)),
        ];
        Ok(Computed {
            figures,
            steps: self
                .assumed()
                .into_iter()
                .chain([Step::new("payment", &formula, level, &inputs)])
                .collect(),
            ..Computed::default()
        })
    }

    /// A payment, with the time that it is for. A month goes by another label.
    pub(crate) fn paid(&self, variable: Variable, value: f64, meaning: &str) -> Figure {
        let mut figure = Figure::of(variable, value, meaning).each(self.every.word());
        if self.every != Period::Month {
            figure.label = figure.label.replace("monthly ", "");
        }
        figure
    }

    /// The amount or the rate that fits a payment.
    pub(crate) fn solved(&self, want: Want) -> Outcome {
        let payments = self.amortization.map(f64::from);
        let per_year = self.every.per_year();
        let (figure, formula, inputs) = match (want, self.amount, self.rate, self.payment, payments) {
            (Want::LoanAmount, _, Some(rate), Some(payment), _) if self.only => {
                let amount = ratio(per_year * payment, rate, "interest rate")?;
                (
                    Figure::of(Variable::Loan, amount, "Interest only."),
                    "{} × payment ÷ rate",
                    vec![("payment", payment), ("rate", rate)],
                )
            }
            (Want::LoanAmount, _, Some(rate), Some(payment), Some(payments)) => {
                let amount = loan::loan_from_payment(payment, self.twelvefold(rate), payments)?;
                let inputs = vec![("payment", payment), ("rate", rate), ("payments", payments)];
                (
                    Figure::of(Variable::Loan, amount, "The loan that the payment repays."),
                    "payment × (1 − (1+i)^−n) ÷ i, i = rate ÷ {}",
                    inputs,
                )
            }
            (Want::AnnualRate, Some(amount), _, Some(payment), Some(payments)) => {
                let rate = loan::annual_rate(amount, payment, payments)? * per_year / 12.0;
                let inputs = vec![("amount", amount), ("payment", payment), ("payments", payments)];
                let meaning = self.formula("{} × the rate from one payment to the next.");
                (
                    Figure::of(Variable::Rate, rate, &meaning),
                    "{} × the rate of a period at which n payments repay the loan",
                    inputs,
                )
            }
            _ => {
                let solves_rate = want == Want::AnnualRate;
                return Err(Refusal::missing(&[
                    ("amount", "loan amount", !solves_rate || self.amount.is_some()),
                    ("rate", "annual interest rate", solves_rate || self.rate.is_some()),
                    ("payment", "level payment", self.payment.is_some()),
                    ("amortization", "amortization period", payments.is_some()),
                ]));
            }
        };
        let value = figure.value.as_f64().unwrap_or(0.0);
        let step = Step::new(&figure.name, &self.formula(formula), value, &inputs);
        Ok(Computed {
            figures: vec![figure],
            steps: vec![step],
            ..Computed::default()
        })
    }

    /// Months until a loan is repaid, with the payment given or the level one, and any extra amount.
    pub(crate) fn payoff(&self) -> Outcome {
        let (Some(amount), Some(nominal)) = (self.amount, self.rate) else {
            return Err(Refusal::missing(&[
                ("amount", "loan amount", self.amount.is_some()),
                ("rate", "annual interest rate", self.rate.is_some()),
            ]));
        };
        let rate = self.twelvefold(nominal);
        let times = 12.0 / self.every.per_year();
        let planned = self.amortization.map(f64::from);
        let level = match (self.payment, planned) {
            (Some(payment), _) => payment,
            (None, Some(months)) => loan::payment(amount, rate, months)?,
            (None, None) => {
                return Err(Refusal::missing(&[(
                    "payment",
                    "level payment, or amortization",
                    false,
                )]));
            }
        };
        let payments = loan::payments_needed(amount, rate, level + self.extra)?;
        let months = payments * times;
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
            let saved = (usual - 1e-9).ceil() - (payments - 1e-9).ceil();
            figures.push(Figure::of(
                Variable::MonthsSaved,
                saved * times,
                "Months of the payments saved, the last ones counted whole.",
            ));
            let interest = |payments: f64, payment: f64| -> Result<f64, Refusal> {
                let whole = payments.floor();
                let left = loan::balance(amount, rate, payments.max(1.0), whole.min(payments))?;
                Ok(payment * whole + left * (1.0 + rate / 12.0) - amount)
            };
            let value = interest(usual, level)? - interest(payments, level + self.extra)?;
            figures.push(Figure::of(
                Variable::InterestSaved,
                value,
                "Interest as planned − interest with the extra payment.",
            ));
        }
        let formula = if self.every == Period::Month {
            "−ln(1 − amount × i ÷ (payment + extra)) ÷ ln(1+i), i = rate ÷ 12".to_owned()
        } else {
            self.formula("−12 ÷ {} × ln(1 − amount × i ÷ (payment + extra)) ÷ ln(1+i), i = rate ÷ {}")
        };
        let inputs = [
            ("amount", amount),
            ("rate", nominal),
            ("payment", level),
            ("extra_payment", self.extra),
        ];
        Ok(Computed {
            figures,
            steps: vec![Step::new("months_to_payoff", &formula, months, &inputs)],
            ..Computed::default()
        })
    }

    pub(crate) fn rows(&self, last: u32) -> Result<Vec<Row>, Refusal> {
        if let (Some(amount), Some(rate), None, Some(payment)) =
            (self.amount, self.rate, self.amortization, self.payment)
        {
            return self.hastened(amount, self.twelvefold(rate), payment, last);
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

    /// The schedule with a payment of one's own, or an extra amount each time. `rate` is that of twelve payments.
    fn hastened(&self, amount: f64, rate: f64, level: f64, last: u32) -> Result<Vec<Row>, Refusal> {
        if self.accrual != Accrual::EqualMonths || self.rounding != Rounding::Exact {
            let what = "A payment of your own goes with equal periods: leave out day_count and rounding.";
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
