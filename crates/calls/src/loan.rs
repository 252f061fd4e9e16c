//! `loan`: payments, balances, interest and the schedule of one loan with level payments; interest between two dates.

use finance::days::DayCount;
use finance::loan::interest_for_days;
use finance::schedule::{Accrual, Rounding, Row};
use finance::variable::{Unit, Variable};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tables::dates::{self, Order};

use crate::amount::{Measure, Period, read};
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
    /// Monthly if absent.
    pub payments_per_year: Option<Written>,
    /// Duration, or number of payments made.
    pub paid: Option<Written>,
    /// Payment number, "year 3" of the loan, or a date for interest on the amount.
    pub from: Option<Written>,
    pub to: Option<Written>,
    pub payment: Option<Written>,
    /// With each payment.
    pub extra_payment: Option<Written>,
    pub day_count: Option<Days>,
    /// Start of the first period; needed for actual days.
    pub start: Option<Written>,
    pub rounding: Option<Rounded>,
}

impl Call for Loan {
    const NAME: &'static str = "loan";
    const DESCRIPTION: &'static str = "Payment, balance, interest or schedule of a loan with level payments.";
    const EXAMPLE: &'static str =
        r#"{"want":"balance","amount":"$3.3m","rate":"5.9%","amortization":"25 yr","paid":"7 years"}"#;

    fn run(self, reader: &mut Reader<'_>) -> Outcome {
        if self.want == Want::InterestPaid && [&self.from, &self.to].into_iter().flatten().any(is_date) {
            return self.between(reader);
        }
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
        let every = self.every(reader)?;
        let mut payments = |name: &str, written: &Option<Written>, unit| match written {
            Some(written) => duration(reader, name, written, unit, every).map(Some),
            None => Ok(None),
        };
        let amortization = payments("amortization", &self.amortization, Unit::Years)?;
        let term = payments("term", &self.term, Unit::Years)?;
        let paid = payments("paid", &self.paid, Unit::Months)?;
        let only = match &self.interest_only {
            Some(only) => only.truth().map(|truth| if truth { MOST } else { 0 }),
            None => Some(0),
        };
        let interest_only = match (only, &self.interest_only) {
            (Some(payments), _) => payments,
            (None, written) => payments("interest_only", written, Unit::Years)?.unwrap_or(0),
        };
        let payment = match &self.payment {
            Some(payment) => Some(reader.flow("payment", payment, every)?),
            None => None,
        };
        let extra = match &self.extra_payment {
            Some(extra) => reader.flow("extra_payment", extra, every)?,
            None => 0.0,
        };
        let accrual = match (self.day_count, &self.start) {
            (None | Some(Days::Thirty360), _) => Accrual::EqualMonths,
            (Some(_), _) if every != Period::Month => {
                let what = "Actual days go with monthly payments: leave out day_count or payments_per_year.";
                return Err(Refusal::failure("bad_arguments", what));
            }
            (Some(_), None) => {
                return Err(Refusal::missing(&[("start", "start of the first period", false)]));
            }
            (Some(days), Some(start)) => Accrual::Days(days.count(), reader.date("start", start)?),
        };
        let rate = reader.maybe("rate", self.rate.as_ref(), Unit::Percent)?;
        let amount = reader.maybe("amount", self.amount.as_ref(), Unit::Money)?;
        let mut facts = Facts {
            amount,
            rate,
            every,
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
        };
        if self.want != Want::LoanAmount
            && let Some(repaid) = facts.repaid()?
        {
            reader.steps.push(repaid);
        }
        Ok(facts)
    }

    /// The time from one payment to the next.
    fn every(&self, reader: &mut Reader<'_>) -> Result<Period, Refusal> {
        let Some(written) = &self.payments_per_year else {
            return Ok(Period::Month);
        };
        let count = reader.value("payments_per_year", written, Unit::Count)?;
        Period::of(count)
            .filter(|period| !matches!(period, Period::Day | Period::Week))
            .ok_or_else(|| {
                let what = format!(
                    "payments_per_year: \"{}\" must be monthly, quarterly, semiannual or annual.",
                    written.text()
                );
                Refusal::failure("bad_value", what)
            })
    }

    /// Simple interest on the amount from one date to another: amount × rate × days ÷ days of a year, in the currency
    /// of the amount. The first day counts, the last one does not.
    ///
    /// # Errors
    /// A value that is missing, one that only a repaid loan has, or dates that are no dates or not in order.
    fn between(&self, reader: &mut Reader<'_>) -> Outcome {
        let repaying = [
            ("amortization", self.amortization.is_some()),
            ("paid", self.paid.is_some()),
            ("payment", self.payment.is_some()),
            ("extra_payment", self.extra_payment.is_some()),
        ];
        if let Some((name, _)) = repaying.iter().find(|(_, given)| *given) {
            let what =
                format!("Interest between two dates is on an amount that does not change: leave out {name}.");
            return Err(Refusal::failure("bad_arguments", what));
        }
        let (Some(amount), Some(rate), Some(from), Some(to), Some(day_count)) =
            (&self.amount, &self.rate, &self.from, &self.to, self.day_count)
        else {
            return Err(Refusal::missing(&[
                (
                    "amount",
                    "amount on which interest is paid",
                    self.amount.is_some(),
                ),
                ("rate", "annual interest rate", self.rate.is_some()),
                ("from", "first day", self.from.is_some()),
                ("to", "day of payment", self.to.is_some()),
                (
                    "day_count",
                    "30/360, actual/360 or actual/365",
                    self.day_count.is_some(),
                ),
            ]));
        };
        let amount = reader.value("amount", amount, Unit::Money)?;
        let rate = reader.value("rate", rate, Unit::Percent)?;
        let (from, to) = (reader.date("from", from)?, reader.date("to", to)?);
        let count = day_count.count();
        let days = count.days(from, to);
        let interest = interest_for_days(amount, rate, days, count)?;
        let formula = format!("amount × rate × days ÷ {}", count.year());
        let meaning = format!(
            "{days} days by {} on an amount that does not change.",
            count.label()
        );
        let inputs = [("amount", amount), ("rate", rate), ("days", days)];
        let given = [
            ("interest_only", self.interest_only.is_some()),
            ("term", self.term.is_some()),
            ("payments_per_year", self.payments_per_year.is_some()),
            ("start", self.start.is_some()),
            ("rounding", self.rounding.is_some()),
        ];
        let unused = given.into_iter().filter(|(_, given)| *given);
        Ok(Computed {
            figures: vec![
                Figure::of(Variable::InterestPaid, interest, &meaning),
                Figure::new("days", "days", days, "days").meaning(count.label()),
            ],
            steps: vec![Step::new("interest_paid", &formula, interest, &inputs)],
            table: None,
            unused: unused.map(|(name, _)| name.to_owned()).collect(),
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
                    facts.paid(Variable::Payment, payment, "The largest payment of the schedule."),
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
                    &facts.formula(
                        "payment by payment: interest = balance × rate ÷ {} or by days, the rest repays",
                    ),
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
            .map(|from| point(reader, "from", from, facts.every))
            .transpose()?;
        let to = self
            .to
            .as_ref()
            .map(|to| point(reader, "to", to, facts.every))
            .transpose()?;
        let all = facts
            .term
            .or(facts.amortization.map(|payments| payments + facts.interest_only));
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

/// A duration in whole payments. A number without a time is one of payments where `unit` is months.
fn duration(
    reader: &mut Reader<'_>,
    name: &str,
    written: &Written,
    unit: Unit,
    every: Period,
) -> Result<u32, Refusal> {
    let payments = match counted(reader, written, unit, every) {
        Some(count) => reader.value(name, &count, Unit::Count)?,
        None if unit == Unit::Months => reader.value(name, written, unit)? * every.per_year() / 12.0,
        None => reader.value(name, written, unit)? * every.per_year(),
    };
    if (payments - payments.round()).abs() > 1e-6 || !(0.0..=f64::from(MOST)).contains(&payments) {
        let what = format!(
            "{name}: \"{}\" must be whole {}s, at most {MOST}.",
            written.text(),
            every.word()
        );
        return Err(Refusal::failure("bad_value", what));
    }
    Ok(payments.round() as u32)
}

/// The number in a text that counts payments, such as "20 payments", where they are not those of months.
fn counted(reader: &Reader<'_>, written: &Written, unit: Unit, every: Period) -> Option<Written> {
    let text = written.text().to_lowercase();
    if every == Period::Month {
        return None;
    }
    if let Some(count) = text.strip_suffix("payments") {
        return Some(Written::from(count));
    }
    let timed = read(&text, unit).is_some_and(|amount| matches!(amount.measure, Some(Measure::Time(_))));
    (unit == Unit::Months && !timed && reader.fits(&text, Unit::Ratio)).then(|| written.clone())
}

impl Days {
    fn count(self) -> DayCount {
        match self {
            Self::Thirty360 => DayCount::Thirty360,
            Self::Actual360 => DayCount::Actual360,
            Self::Actual365 => DayCount::Actual365,
        }
    }
}

fn is_date(written: &Written) -> bool {
    dates::date(&written.text(), Order::MonthFirst).is_some()
}

/// The first and last payment of "year 3", "second year", "payment 30" or "10 years".
fn point(
    reader: &mut Reader<'_>,
    name: &str,
    written: &Written,
    every: Period,
) -> Result<(u32, u32), Refusal> {
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
        let (year, per_year) = (year as u32, every.per_year() as u32);
        return Ok((per_year * (year - 1) + 1, per_year * year));
    }
    let payment = duration(reader, name, written, Unit::Months, every)?;
    Ok((payment, payment))
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
