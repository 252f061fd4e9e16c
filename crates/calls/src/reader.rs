//! Reads the values of one call: resolves refs to earlier results, converts periods and bases, and keeps a step for
//! everything that was converted or assumed.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use finance::variable::Unit;
use tables::dates::{self, Order};

use crate::aggregates::{self, Cell};
use crate::amount::{self, Amount, Basis, Fitted, Measure, Note, Period};
use crate::result::{Refusal, Step, Table};
use crate::written::Written;

/// A figure of an earlier result. `value` is `None` if it is no single number.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    pub value: Option<f64>,
    pub unit: String,
    pub period: Option<&'static str>,
    /// A total of plain numbers, which may count anything.
    pub plain: bool,
}

/// What earlier calls gave and which tables there are, by name.
#[derive(Clone, Debug, Default)]
pub struct Results {
    pub figures: BTreeMap<String, Stored>,
    pub tables: BTreeMap<String, Table>,
}

/// Reads the values of one call.
#[derive(Debug)]
pub struct Reader<'a> {
    results: &'a Results,
    /// Conversions and assumptions so far.
    pub steps: Vec<Step>,
    currency: Option<&'static str>,
    /// The number of units and the area, for amounts written for each of them.
    pub units: Option<f64>,
    pub area: Option<f64>,
}

impl<'a> Reader<'a> {
    #[must_use]
    pub fn new(results: &'a Results) -> Self {
        Self {
            results,
            steps: Vec::new(),
            currency: None,
            units: None,
            area: None,
        }
    }

    /// ISO code of the currency that the values carry; dollars if they carry none.
    #[must_use]
    pub fn currency(&self) -> &'static str {
        self.currency.unwrap_or("USD")
    }

    /// A table by its name or by the ref of the result that has it.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&'a Table> {
        self.results.tables.get(name.trim())
    }

    /// The names of all tables.
    pub fn tables(&self) -> impl Iterator<Item = &'a str> {
        self.results.tables.keys().map(String::as_str)
    }

    /// A value in `unit`, with the period and basis of its text. A sum has those of its first amount.
    ///
    /// # Errors
    /// A text that is no such value, an unknown ref, a second currency, or a sum of amounts on different bases.
    pub fn fitted(&mut self, name: &str, written: &Written, unit: Unit) -> Result<Fitted, Refusal> {
        let mut sum: Option<Fitted> = None;
        let mut parts = Vec::new();
        for text in written.parts() {
            let next = self.part(name, text, unit)?;
            parts.push(next.value);
            sum = Some(match sum {
                None => next,
                Some(sum) if sum.basis == next.basis && sum.period.is_some() == next.period.is_some() => {
                    Fitted {
                        value: sum.value
                            + sum
                                .period
                                .map_or(next.value, |to| self.per(name, next.value, next.period, to)),
                        ..sum
                    }
                }
                Some(_) => {
                    let what = format!(
                        "{name}: the amounts of {} are for different things.",
                        written.text()
                    );
                    return Err(Refusal::failure("bad_value", what));
                }
            });
        }
        let sum = sum.ok_or_else(|| unfit(name, "", unit))?;
        if parts.len() > 1 {
            let inputs: Vec<(&str, f64)> = parts.iter().map(|part| (name, *part)).collect();
            self.steps
                .push(Step::new(name, "sum of the amounts", sum.value, &inputs));
        }
        Ok(sum)
    }

    /// Whether a text is a value of the unit.
    #[must_use]
    pub fn fits(&self, text: &str, unit: Unit) -> bool {
        let amount = self
            .resolved("", text)
            .ok()
            .flatten()
            .or_else(|| amount::read(text, unit));
        amount.is_some_and(|amount| amount.fit(unit).is_some())
    }

    /// Whether a value that may be a share or an amount is a share.
    #[must_use]
    pub fn is_share(&self, written: &Written) -> bool {
        written
            .parts()
            .all(|text| self.fits(text, Unit::Percent) && !self.fits(text, Unit::Money))
    }

    fn part(&mut self, name: &str, text: &str, unit: Unit) -> Result<Fitted, Refusal> {
        let amount = match self.resolved(name, text)? {
            Some(stored) => Some(stored),
            None => amount::read(text, unit),
        };
        let fitted = amount
            .and_then(|amount| amount.fit(unit).map(|fitted| (amount, fitted)))
            .ok_or_else(|| unfit(name, text, unit))?;
        let (amount, fitted) = fitted;
        self.same_currency(name, amount.currency)?;
        match fitted.note {
            Some(Note::Fraction) => self.steps.push(Step::assumed(
                name,
                &format!("\"{text}\" is taken as a fraction: {} %", percent(fitted.value)),
                fitted.value,
            )),
            Some(Note::Metres) => self.steps.push(Step::new(
                name,
                "square metres × 10.7639",
                fitted.value,
                &[(name, amount.number)],
            )),
            None => {}
        }
        Ok(fitted)
    }

    /// A value in `unit`; money for the whole and once, any other period or basis is an error.
    ///
    /// # Errors
    /// As for `fitted`.
    pub fn value(&mut self, name: &str, written: &Written, unit: Unit) -> Result<f64, Refusal> {
        let fitted = self.fitted(name, written, unit)?;
        if let Some(period) = fitted.period {
            let what = format!(
                "{name}: \"{}\" is an amount for each {}, but {name} is one amount. Give the amount itself.",
                written.text(),
                period.word()
            );
            return Err(Refusal::failure("bad_value", what));
        }
        self.whole(name, fitted.value, fitted.basis)
    }

    /// Money for each `period`; an amount for another period is converted, one without a period is taken as it is.
    ///
    /// # Errors
    /// As for `fitted`.
    pub fn flow(&mut self, name: &str, written: &Written, period: Period) -> Result<f64, Refusal> {
        let fitted = self.fitted(name, written, Unit::Money)?;
        let value = self.per(name, fitted.value, fitted.period, period);
        self.whole(name, value, fitted.basis)
    }

    /// An optional value in `unit`.
    ///
    /// # Errors
    /// As for `value`.
    pub fn maybe(
        &mut self,
        name: &str,
        written: Option<&Written>,
        unit: Unit,
    ) -> Result<Option<f64>, Refusal> {
        written.map(|written| self.value(name, written, unit)).transpose()
    }

    /// A whole number from 0 to `most`.
    ///
    /// # Errors
    /// As for `value`, or a number that is not whole or too large.
    pub fn whole_number(
        &mut self,
        name: &str,
        written: &Written,
        unit: Unit,
        most: u32,
    ) -> Result<u32, Refusal> {
        let value = self.value(name, written, unit)?;
        let near = value.round();
        if (value - near).abs() > 1e-6 || !(0.0..=f64::from(most)).contains(&near) {
            let what = format!(
                "{name}: \"{}\" must be a whole number from 0 to {most}.",
                written.text()
            );
            return Err(Refusal::failure("bad_value", what));
        }
        Ok(near as u32)
    }

    /// A date.
    ///
    /// # Errors
    /// A text that is no day.
    pub fn date(&mut self, name: &str, written: &Written) -> Result<NaiveDate, Refusal> {
        let text = written.text();
        let dated = dates::date(&text, Order::MonthFirst).ok_or_else(|| {
            let what =
                format!("{name}: \"{text}\" is no date. Write it as in the question, or as 2026-05-01.");
            Refusal::failure("bad_value", what)
        })?;
        if dated.ambiguous {
            let sentence = format!("\"{text}\" is read month first: {}", dated.date);
            self.steps.push(Step::assumed(name, &sentence, 0.0));
        }
        Ok(dated.date)
    }

    /// Converts an amount for each `from` into one for each `to`.
    pub fn per(&mut self, name: &str, value: f64, from: Option<Period>, to: Period) -> f64 {
        let Some(from) = from.filter(|from| *from != to) else {
            return value;
        };
        let times = from.per_year() / to.per_year();
        let formula = if times >= 1.0 {
            format!("amount for each {} × {}", from.word(), percent(times / 100.0))
        } else {
            format!("amount for each {} ÷ {}", from.word(), percent(0.01 / times))
        };
        let converted = value * times;
        self.steps
            .push(Step::new(name, &formula, converted, &[(name, value)]));
        converted
    }

    /// The whole of an amount that is written for each unit or square foot.
    ///
    /// # Errors
    /// The number of units or the area is needed and not known.
    pub fn whole(&mut self, name: &str, value: f64, basis: Option<Basis>) -> Result<f64, Refusal> {
        let (word, label, count) = match basis {
            None => return Ok(value),
            Some(Basis::Unit) => ("total_units", "total units", self.units),
            Some(Basis::Area) => ("area", "area in square feet", self.area),
        };
        let Some(count) = count else {
            return Err(Refusal::missing(&[(word, label, false)]));
        };
        let total = value * count;
        let formula = format!("{name} for each × {label}");
        self.steps
            .push(Step::new(name, &formula, total, &[(name, value), (word, count)]));
        Ok(total)
    }

    /// A cell of a table that is written into a call: a text, or the ref of an earlier figure.
    ///
    /// # Errors
    /// An unknown ref.
    pub fn cell(&self, written: &Written) -> Result<Cell, Refusal> {
        let text = written.text();
        Ok(match self.resolved("table", &text)? {
            Some(amount) => aggregates::of_amount(&text, &amount),
            None => aggregates::cell(&text),
        })
    }

    /// The value of a ref such as `r3.1`, `-r3.1` or `r3` (its first figure); `None` if the text is no ref.
    fn resolved(&self, name: &str, text: &str) -> Result<Option<Amount>, Refusal> {
        let (sign, bare) = match text.strip_prefix(['-', '−']) {
            Some(rest) => (-1.0, rest.trim()),
            None => (1.0, text),
        };
        if !is_ref(bare) && !self.results.figures.contains_key(bare) {
            return Ok(None);
        }
        let key = if bare.contains('.') {
            bare.to_owned()
        } else {
            format!("{bare}.1")
        };
        let Some(stored) = self.results.figures.get(&key) else {
            let known: Vec<String> = self.results.figures.keys().take(10).cloned().collect();
            let what =
                format!("{name}: there is no figure {bare}. Use the ref of a result that has figures.");
            return Err(Refusal::near("unknown_ref", what, known));
        };
        let Some(value) = stored.value else {
            let what = format!("{name}: {bare} is no single number.");
            return Err(Refusal::failure("bad_value", what));
        };
        Ok(Some(as_amount(sign * value, stored)))
    }

    fn same_currency(&mut self, name: &str, found: Option<&'static str>) -> Result<(), Refusal> {
        match (self.currency, found) {
            (Some(own), Some(other)) if own != other => Err(Refusal::failure(
                "mixed_currencies",
                format!("{name} is in {other}, other values are in {own}. Convert one of them first."),
            )),
            (None, Some(_)) => {
                self.currency = found;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Whether a text has the form of a ref: `r3` or `r3.1`.
#[must_use]
pub fn is_ref(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('r') else {
        return false;
    };
    let digits =
        |part: &str| !part.is_empty() && part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    match rest.split_once('.') {
        Some((call, figure)) => digits(call) && digits(figure),
        None => digits(rest),
    }
}

fn as_amount(value: f64, stored: &Stored) -> Amount {
    let (number, measure) = match stored.unit.as_str() {
        "percent" => (value * 100.0, Some(Measure::Percent)),
        "bps" => (value, Some(Measure::BasisPoints)),
        "ratio" | "multiple" => (value, Some(Measure::Times)),
        "years" => (value, Some(Measure::Time(Period::Year))),
        "months" => (value, Some(Measure::Time(Period::Month))),
        "days" => (value, Some(Measure::Time(Period::Day))),
        "sqft" => (value, Some(Measure::SquareFeet)),
        _ => (value, None),
    };
    let currency = ["USD", "EUR", "GBP", "CHF", "CAD", "AUD", "JPY"]
        .into_iter()
        .find(|code| stored.unit.starts_with(code));
    Amount {
        number,
        measure,
        currency: currency.filter(|_| !stored.plain),
        period: stored.period.and_then(Period::named),
        basis: stored.unit.ends_with("/sqft").then_some(Basis::Area),
        fraction: false,
    }
}

fn unfit(name: &str, text: &str, unit: Unit) -> Refusal {
    let what = format!(
        "{name}: \"{text}\" does not fit; expected is {}.",
        amount::expected(unit)
    );
    Refusal::failure("bad_value", what)
}

/// A fraction as a short number of percent.
fn percent(fraction: f64) -> String {
    let rounded = (fraction * 1e8).round() / 1e6;
    format!("{rounded}")
}
