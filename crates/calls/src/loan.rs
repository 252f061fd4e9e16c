//! `loan`: payments, balances, interest and the schedule of one loan with level payments.

use finance::days::DayCount;
use finance::loan::loan_from_payment;
use finance::schedule::{Accrual, Rounding, Row};
use finance::variable::{Unit, Variable};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::amount::Period;
use crate::call::Call;
use crate::numerals;
use crate::reader::Reader;
use crate::repayment::{Facts, MOST, Want};
use crate::result::{Computed, Figure, Outcome, Refusal, Step, Table, cents};
use crate::written::Written;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum Days {
    #[serde(rename = "30/360")]
    Thirty360,
    #[serde(rename = "actual/360")]
    Actual360,
    #[serde(rename = "actual/365")]
    Actual365,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rounded {
    Exact,
    Cents,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Loan {
    pub want: Want,
    pub amount: Option<Written>,
    pub rate: Option<Written>,
    pub amortization: Option<Written>,
    /// Duration before amortization starts, or "true" for the whole term.
    pub interest_only: Option<Written>,
    pub term: Option<Written>,
    /// Duration, or number of payments made.
    pub paid: Option<Written>,
    /// Payment number, or "year 3" of the loan.
    pub from: Option<Written>,
    pub to: Option<Written>,
    /// Each month.
    pub payment: Option<Written>,
    /// Each month.
    pub extra_payment: Option<Written>,
    pub day_count: Option<Days>,
    /// Start of the first period; needed for actual days.
    pub start: Option<Written>,
    pub rounding: Option<Rounded>,
}

impl Call for Loan {
    const NAME: &'static str = "loan";
    const DESCRIPTION: &'static str =
        "Payment, balance, interest or schedule of a loan with monthly payments.";
    const EXAMPLE: &'static str =
        r#"{"want":"balance","amount":"$3.3m","rate":"5.9%","amortization":"25 yr","paid":"7 years"}"#;

    fn run(self, reader: &mut Reader<'_>) -> Outcome {
        let facts = self.facts(reader)?;
        match self.want {
            Want::LoanAmount | Want::AnnualRate => facts.solved(self.want),
            Want::MonthsToPayoff => facts.payoff(),
            Want::Payment | Want::AnnualDebtService => facts.service(self.want),
            _ => self.scheduled(reader, &facts),
        }
    }
}

impl Loan {
    fn facts(&self, reader: &mut Reader<'_>) -> Result<Facts, Refusal> {
        let mut months = |name: &str, written: &Option<Written>, unit| match written {
            Some(written) => duration(reader, name, written, unit).map(Some),
            None => Ok(None),
        };
        let amortization = months("amortization", &self.amortization, Unit::Years)?;
        let term = months("term", &self.term, Unit::Years)?;
        let paid = months("paid", &self.paid, Unit::Months)?;
        let only = match &self.interest_only {
            Some(only) => only.truth().map(|truth| if truth { MOST } else { 0 }),
            None => Some(0),
        };
        let interest_only = match (only, &self.interest_only) {
            (Some(months), _) => months,
            (None, written) => months("interest_only", written, Unit::Years)?.unwrap_or(0),
        };
        let payment = match &self.payment {
            Some(payment) => Some(reader.flow("payment", payment, Period::Month)?),
            None => None,
        };
        let extra = match &self.extra_payment {
            Some(extra) => reader.flow("extra_payment", extra, Period::Month)?,
            None => 0.0,
        };
        let accrual = match (self.day_count, &self.start) {
            (None | Some(Days::Thirty360), _) => Accrual::EqualMonths,
            (Some(_), None) => {
                return Err(Refusal::missing(&[("start", "start of the first period", false)]));
            }
            (Some(days), Some(start)) => {
                let count = if days == Days::Actual360 {
                    DayCount::Actual360
                } else {
                    DayCount::Actual365
                };
                Accrual::Days(count, reader.date("start", start)?)
            }
        };
        let rate = reader.maybe("rate", self.rate.as_ref(), Unit::Percent)?;
        let mut amount = reader.maybe("amount", self.amount.as_ref(), Unit::Money)?;
        if let (None, Some(rate), Some(payment), Some(months), false) =
            (amount, rate, payment, amortization, self.want == Want::LoanAmount)
        {
            let repaid = loan_from_payment(payment, rate, f64::from(months))?;
            let inputs = [
                ("payment", payment),
                ("rate", rate),
                ("payments", f64::from(months)),
            ];
            reader.steps.push(Step::new(
                "amount",
                "payment × (1 − (1+i)^−n) ÷ i, i = rate ÷ 12",
                repaid,
                &inputs,
            ));
            amount = Some(repaid);
        }
        Ok(Facts {
            amount,
            rate,
            amortization,
            only: interest_only > 0 && amortization.is_none() || interest_only == MOST,
            interest_only,
            term,
            paid,
            payment,
            extra,
            rounding: if self.rounding == Some(Rounded::Cents) {
                Rounding::Cents
            } else {
                Rounding::Exact
            },
            accrual,
        })
    }

    /// Results that go payment by payment.
    fn scheduled(&self, reader: &mut Reader<'_>, facts: &Facts) -> Outcome {
        let (first, last) = self.window(reader, facts)?;
        let all = facts.rows(last)?;
        let inside = || all.iter().filter(|row| row.number >= first);
        let interest: f64 = inside().map(|row| row.interest).sum();
        let principal: f64 = inside().map(|row| row.principal).sum();
        let amount = facts.amount.unwrap_or(0.0);
        let balance = all.last().map_or(amount, |row| row.balance);
        let window = format!("Payments {first} to {last}.");
        let owed = format!("Owed right after payment {last}.");
        let paid = Figure::of(Variable::InterestPaid, interest, &window);
        let repaid = Figure::of(Variable::PrincipalPaid, principal, &window);
        let left = Figure::of(Variable::Balance, balance, &owed);
        let total = Figure::new("total_interest", "total interest", interest, "USD").meaning(&window);
        let figures = match self.want {
            Want::InterestPaid => vec![paid, repaid, left],
            Want::PrincipalPaid => vec![repaid, paid, left],
            Want::TotalInterest => vec![total, left],
            Want::Schedule => {
                let payment = all.iter().map(|row| row.payment).fold(0.0, f64::max);
                vec![
                    Figure::of(Variable::Payment, payment, "The largest payment of the schedule.")
                        .each("month"),
                    total,
                    left,
                ]
            }
            _ => vec![left, repaid, paid],
        };
        let name = figures
            .first()
            .map(|figure| figure.name.clone())
            .unwrap_or_default();
        let value = figures
            .first()
            .and_then(|figure| figure.value.as_f64())
            .unwrap_or(0.0);
        let inputs = [
            ("amount", amount),
            ("rate", facts.rate.unwrap_or(0.0)),
            ("payments", f64::from(last)),
        ];
        Ok(Computed {
            figures,
            steps: facts
                .assumed()
                .into_iter()
                .chain([Step::new(
                    &name,
                    "payment by payment: interest = balance × rate ÷ 12 or by days, the rest repays",
                    value,
                    &inputs,
                )])
                .collect(),
            table: (self.want == Want::Schedule).then(|| table(&all)),
            unused: Vec::new(),
        })
    }

    /// The first and last payment that count.
    fn window(&self, reader: &mut Reader<'_>, facts: &Facts) -> Result<(u32, u32), Refusal> {
        let from = self
            .from
            .as_ref()
            .map(|from| point(reader, "from", from))
            .transpose()?;
        let to = self.to.as_ref().map(|to| point(reader, "to", to)).transpose()?;
        let all = facts
            .term
            .or(facts.amortization.map(|months| months + facts.interest_only));
        let last = match (from, to, self.want) {
            (_, Some((_, last)), _) => Some(last),
            (Some((_, last)), None, Want::InterestPaid | Want::PrincipalPaid) => Some(last),
            (_, None, Want::TotalInterest | Want::Schedule) => facts.paid.or(all),
            _ => facts.paid.or(facts.term),
        };
        let last = last.ok_or_else(|| Refusal::missing(&[("paid", "payments made, or to", false)]))?;
        let first = from.map_or(1, |(first, _)| first);
        if first < 1 || last > MOST || (last < first && last > 0) {
            let what = format!("Payments {first} to {last} must be in order and within {MOST}.");
            return Err(Refusal::failure("bad_value", what));
        }
        Ok((first, last))
    }
}

/// A duration in whole months.
fn duration(reader: &mut Reader<'_>, name: &str, written: &Written, unit: Unit) -> Result<u32, Refusal> {
    let months = reader.value(name, written, unit)? * if unit == Unit::Years { 12.0 } else { 1.0 };
    if (months - months.round()).abs() > 1e-6 || !(0.0..=f64::from(MOST)).contains(&months) {
        let what = format!(
            "{name}: \"{}\" must be whole months, at most {MOST}.",
            written.text()
        );
        return Err(Refusal::failure("bad_value", what));
    }
    Ok(months.round() as u32)
}

/// The first and last payment of "year 3", "second year", "payment 30" or "10 years".
fn point(reader: &mut Reader<'_>, name: &str, written: &Written) -> Result<(u32, u32), Refusal> {
    let lower = written.text().to_lowercase();
    let year = match (lower.strip_prefix("year "), lower.strip_suffix(" year")) {
        (Some(number), _) => number
            .trim()
            .parse::<u32>()
            .ok()
            .map(f64::from)
            .or_else(|| numerals::word(number.trim())),
        (None, Some(ordinal)) => numerals::count(ordinal.trim()),
        _ => None,
    };
    if let Some(year) = year.filter(|year| (1.0..=50.0).contains(year)) {
        let year = year as u32;
        return Ok((12 * year - 11, 12 * year));
    }
    let month = duration(reader, name, written, Unit::Months)?;
    Ok((month, month))
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(&["payment", "amount", "interest", "principal", "balance"]);
    table.rows = rows
        .iter()
        .map(|row| {
            vec![
                json!(row.number),
                cents(row.payment),
                cents(row.interest),
                cents(row.principal),
                cents(row.balance),
            ]
        })
        .collect();
    table
}
