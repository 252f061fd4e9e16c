//! `prepayment`: the premium for repaying a loan early.

use finance::fault::ratio;
use finance::loan;
use finance::prepayment::{Prepaid, step_down, yield_maintenance};
use finance::variable::{Unit, Variable};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::call::Call;
use crate::reader::Reader;
use crate::result::{Computed, Figure, Outcome, Refusal, Step};
use crate::written::Written;

/// Most loan years of a step-down table.
const MOST: usize = 50;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Want {
    Premium,
    PremiumShare,
    Balance,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    StepDown,
    YieldMaintenance,
    Share,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Prepayment {
    pub want: Want,
    pub kind: Kind,
    /// What is owed now, or the loan with what was paid.
    pub balance: Option<Written>,
    pub amount: Option<Written>,
    pub rate: Option<Written>,
    pub amortization: Option<Written>,
    /// "true" if nothing amortizes.
    pub interest_only: Option<Written>,
    pub term: Option<Written>,
    /// Payments made, or a duration.
    pub paid: Option<Written>,
    /// Percents by loan year.
    pub steps: Option<Vec<Written>>,
    pub year: Option<Written>,
    /// Treasury yield, to which spread is added.
    pub discount_yield: Option<Written>,
    pub spread: Option<Written>,
    /// Least premium as a share of the balance.
    pub minimum: Option<Written>,
    pub share: Option<Written>,
}

/// The loan as read; durations in months.
struct Terms {
    amount: Option<f64>,
    rate: Option<f64>,
    amortization: Option<f64>,
    only: bool,
    term: Option<f64>,
    paid: Option<f64>,
}

impl Call for Prepayment {
    const NAME: &'static str = "prepayment";
    const DESCRIPTION: &'static str =
        "Premium for repaying a loan early: step-down table, yield maintenance, share.";
    const EXAMPLE: &'static str =
        r#"{"want":"premium","kind":"step_down","balance":"$4.1m","steps":["4%","3%","2%","1%"],"year":"2"}"#;

    fn run(self, reader: &mut Reader<'_>) -> Outcome {
        let terms = Terms {
            amount: reader.maybe("amount", self.amount.as_ref(), Unit::Money)?,
            rate: reader.maybe("rate", self.rate.as_ref(), Unit::Percent)?,
            amortization: reader
                .maybe("amortization", self.amortization.as_ref(), Unit::Years)?
                .map(|years| 12.0 * years),
            only: self
                .interest_only
                .as_ref()
                .is_some_and(|only| only.truth() != Some(false)),
            term: reader
                .maybe("term", self.term.as_ref(), Unit::Years)?
                .map(|years| 12.0 * years),
            paid: reader.maybe("paid", self.paid.as_ref(), Unit::Months)?,
        };
        let given = reader.maybe("balance", self.balance.as_ref(), Unit::Money)?;
        let (balance, premium, formula, inputs) = match self.kind {
            Kind::StepDown => self.stepped(reader, &terms, given)?,
            Kind::Share => {
                let balance = terms.balance(given)?;
                let share = reader.maybe("share", self.share.as_ref(), Unit::Percent)?;
                let share = share.ok_or_else(|| {
                    Refusal::missing(&[("share", "premium as a share of the balance", false)])
                })?;
                let inputs = vec![("balance", balance), ("share", share)];
                (balance, share * balance, "share × balance", inputs)
            }
            Kind::YieldMaintenance => self.maintained(reader, &terms, given)?,
        };
        let meaning = "Contracts word premiums differently: check the note.";
        let mut figures = vec![
            Figure::of(Variable::Premium, premium, meaning),
            Figure::of(
                Variable::PremiumShare,
                ratio(premium, balance, "balance")?,
                "Premium ÷ balance.",
            ),
            Figure::new("balance", "loan balance", balance, "USD"),
        ];
        match self.want {
            Want::Premium => {}
            Want::PremiumShare => figures.swap(0, 1),
            Want::Balance => figures.swap(0, 2),
        }
        Ok(Computed {
            figures,
            steps: vec![Step::new("prepayment_premium", formula, premium, &inputs)],
            ..Computed::default()
        })
    }
}

/// Balance, premium, formula and inputs.
type Parts = (f64, f64, &'static str, Vec<(&'static str, f64)>);

impl Prepayment {
    fn stepped(&self, reader: &mut Reader<'_>, terms: &Terms, given: Option<f64>) -> Result<Parts, Refusal> {
        let balance = terms.balance(given)?;
        let steps = self.steps.as_deref().unwrap_or_default();
        if steps.len() > MOST {
            return Err(Refusal::failure(
                "too_many",
                "The table has more than 50 loan years.",
            ));
        }
        let mut table = Vec::new();
        for step in steps {
            table.push(reader.value("steps", step, Unit::Percent)?);
        }
        let year = match (&self.year, terms.paid) {
            (Some(year), _) if year.text().to_lowercase().starts_with("month") => {
                Some(reader.whole_number("year", year, Unit::Months, 600)?.div_ceil(12))
            }
            (Some(year), _) => Some(reader.whole_number("year", year, Unit::Count, 100)?),
            (None, Some(paid)) => Some((paid / 12.0).floor() as u32 + 1),
            (None, None) => None,
        };
        let (Some(year), false) = (year, table.is_empty()) else {
            return Err(Refusal::missing(&[
                ("steps", "percents by loan year", !table.is_empty()),
                ("year", "loan year", year.is_some()),
            ]));
        };
        let premium = step_down(balance, &table, year as usize)?;
        let inputs = vec![("balance", balance), ("year", f64::from(year))];
        Ok((balance, premium, "percent of the loan year × balance", inputs))
    }

    fn maintained(
        &self,
        reader: &mut Reader<'_>,
        terms: &Terms,
        given: Option<f64>,
    ) -> Result<Parts, Refusal> {
        let spread = reader
            .maybe("spread", self.spread.as_ref(), Unit::Percent)?
            .unwrap_or(0.0);
        let discount = reader.maybe("discount_yield", self.discount_yield.as_ref(), Unit::Percent)?;
        let discount = discount.map(|discount| discount + spread);
        let floor = reader
            .maybe("minimum", self.minimum.as_ref(), Unit::Percent)?
            .unwrap_or(0.0);
        // An interest-only loan owes its amount throughout.
        let amount = terms
            .amount
            .or(given.filter(|_| terms.only || terms.amortization.is_none()));
        let (Some(loan), Some(rate), Some(term), Some(paid), Some(discount), true) = (
            amount,
            terms.rate,
            terms.term,
            terms.paid,
            discount,
            terms.only || terms.amortization.is_some(),
        ) else {
            return Err(Refusal::missing(&[
                ("amount", "loan amount", amount.is_some()),
                ("rate", "annual interest rate", terms.rate.is_some()),
                ("term", "loan term", terms.term.is_some()),
                ("paid", "payments made", terms.paid.is_some()),
                (
                    "discount_yield",
                    "Treasury yield with any spread",
                    discount.is_some(),
                ),
                (
                    "amortization",
                    "amortization period, or interest_only",
                    terms.only || terms.amortization.is_some(),
                ),
            ]));
        };
        let found = yield_maintenance(&Prepaid {
            loan,
            rate,
            amortization: terms.amortization.filter(|_| !terms.only),
            term,
            paid,
            discount,
            floor,
        })?;
        let inputs = vec![
            ("balance", found.balance),
            ("payment", found.payment),
            ("balloon", found.balloon),
            ("present value", found.present),
            ("minimum", found.minimum),
        ];
        Ok((
            found.balance,
            found.premium,
            "max(present value of payments and balloon − balance, minimum)",
            inputs,
        ))
    }
}

impl Terms {
    fn balance(&self, given: Option<f64>) -> Result<f64, Refusal> {
        if let Some(balance) = given {
            return Ok(balance);
        }
        match (self.amount, self.rate, self.amortization, self.paid) {
            (Some(amount), ..) if self.only => Ok(amount),
            (Some(amount), Some(rate), Some(months), Some(paid)) => {
                Ok(loan::balance(amount, rate, months, paid)?)
            }
            _ => Err(Refusal::missing(&[("balance", "loan balance", false)])),
        }
    }
}
