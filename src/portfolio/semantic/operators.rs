//! The operators that a member accepts, and the test that each one makes of its values. Independent of the
//! query around them.

use crate::portfolio::semantic::dates::{Anchor, Days, between, one};
use crate::portfolio::semantic::model::{Kind, Unit};
use crate::portfolio::semantic::query::{Comparison, Form, LONGEST_VALUE, MAX_VALUES, Test, Value};
use crate::portfolio::semantic::refusal::{Code, Path, Refusal, shown};
use tables::letters;

const TEXTS: &[&str] = &[
    "equals",
    "notEquals",
    "in",
    "notIn",
    "contains",
    "notContains",
    "startsWith",
    "notStartsWith",
    "endsWith",
    "notEndsWith",
    "set",
    "notSet",
];
const NUMBERS: &[&str] = &[
    "equals",
    "notEquals",
    "in",
    "notIn",
    "gt",
    "gte",
    "lt",
    "lte",
    "set",
    "notSet",
];
const BOOLEANS: &[&str] = &["equals", "notEquals", "in", "notIn", "set", "notSet"];
const TIMES: &[&str] = &[
    "equals",
    "notEquals",
    "in",
    "notIn",
    "inDateRange",
    "notInDateRange",
    "onTheDate",
    "beforeDate",
    "beforeOrOnDate",
    "afterDate",
    "afterOrOnDate",
    "set",
    "notSet",
];

/// The operators of a dimension.
pub const fn of_kind(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Text => TEXTS,
        Kind::Number(_) => NUMBERS,
        Kind::Boolean => BOOLEANS,
        Kind::Day | Kind::Month => TIMES,
        Kind::AsOf => &[],
    }
}

/// The operators of a measure.
pub const OF_MEASURES: &[&str] = NUMBERS;

/// How the values of a member are parsed.
#[derive(Clone, Copy, Debug)]
pub enum Reading {
    Text,
    /// A number, stored as an integer with this many decimals.
    Number(u32),
    Boolean,
    /// A time. If it is stored by month, a day means its month.
    Time {
        by_month: bool,
    },
}

impl Reading {
    pub const fn of(kind: Kind) -> Self {
        match kind {
            Kind::Text => Self::Text,
            Kind::Number(scale) => Self::Number(scale),
            Kind::Boolean => Self::Boolean,
            Kind::Day | Kind::AsOf => Self::Time { by_month: false },
            Kind::Month => Self::Time { by_month: true },
        }
    }

    pub const fn of_measure(unit: Unit) -> Self {
        Self::Number(scale(unit))
    }
}

/// The number of decimals with which a measure's value is stored.
pub const fn scale(unit: Unit) -> u32 {
    match unit {
        Unit::Money | Unit::MoneyPer(_) | Unit::Area | Unit::AreaPer(_) => 2,
        Unit::Rate => 6,
        Unit::Count | Unit::Share | Unit::Multiple | Unit::Years | Unit::Months => 0,
    }
}

/// A filter's operator and values, for a member that accepts the operators in `allowed`.
pub struct Given<'a> {
    pub operator: &'a str,
    pub operator_path: Path,
    pub values: Vec<String>,
    pub values_path: Path,
}

impl Given<'_> {
    /// Converts the operator and values to a test.
    pub fn test(self, allowed: &[&str], reading: Reading, anchor: Anchor) -> Result<Test, Refusal> {
        if !allowed.contains(&self.operator) {
            let fix = match allowed {
                [] => "name the day by a dateRange under timeDimensions".to_owned(),
                some => format!("use one of {}", some.join(", ")),
            };
            return Err(Refusal::new(
                Code::InvalidOperator,
                &self.operator_path,
                format!("{:?} is no operator of this member", shown(self.operator)),
                fix,
            ));
        }
        if matches!(self.operator, "set" | "notSet") {
            if self.values.is_empty() {
                return Ok(Test::Set(self.operator == "set"));
            }
            return Err(Refusal::value(
                &self.values_path,
                "set and notSet take no values",
                "leave values out",
            ));
        }
        if self.values.is_empty() {
            return Err(Refusal::value(
                &self.values_path,
                "there are no values",
                "give at least one, or use set or notSet",
            ));
        }
        if self.values.len() > MAX_VALUES {
            return Err(Refusal::complex(
                &self.values_path,
                format!("{} values are too many", self.values.len()),
                format!("give at most {MAX_VALUES}"),
            ));
        }
        match reading {
            Reading::Time { by_month } => self.times(by_month, anchor),
            Reading::Text => self.texts(),
            Reading::Number(scale) => self.plain(|text, path| number(text, scale, path)),
            Reading::Boolean => self.plain(boolean),
        }
    }

    fn texts(self) -> Result<Test, Refusal> {
        let form = match self.operator {
            "contains" | "notContains" => Form::Contains,
            "startsWith" | "notStartsWith" => Form::Starts,
            "endsWith" | "notEndsWith" => Form::Ends,
            _ => return Ok(in_any_form(self.plain(text)?)),
        };
        let mut texts = Vec::with_capacity(self.values.len());
        for (place, value) in self.values.iter().enumerate() {
            let path = self.values_path.at(place);
            bounded(value, &path)?;
            if value.is_empty() {
                return Err(Refusal::value(
                    &path,
                    "every text contains an empty one",
                    "give at least one character",
                ));
            }
            texts.extend(letters::forms(value).iter().map(|form| form.to_ascii_lowercase()));
        }
        Ok(Test::Like {
            form,
            texts,
            negated: self.operator.starts_with("not"),
        })
    }

    fn plain(self, read: impl Fn(&str, &Path) -> Result<Value, Refusal>) -> Result<Test, Refusal> {
        let mut values = Vec::with_capacity(self.values.len());
        for (place, value) in self.values.iter().enumerate() {
            let path = self.values_path.at(place);
            bounded(value, &path)?;
            values.push(read(value, &path)?);
        }
        let comparison = match self.operator {
            "gt" => Comparison::More,
            "gte" => Comparison::MoreOrEqual,
            "lt" => Comparison::Less,
            "lte" => Comparison::LessOrEqual,
            other => {
                return Ok(Test::In {
                    values,
                    negated: other.starts_with("not"),
                });
            }
        };
        let single = <[Value; 1]>::try_from(values).map_err(|_| self.one_value())?;
        let [value] = single;
        Ok(Test::Compare(comparison, value))
    }

    fn times(self, by_month: bool, anchor: Anchor) -> Result<Test, Refusal> {
        let days = |text: &str, place: usize| {
            one(text, anchor).ok_or_else(|| invalid_range(&self.values_path.at(place), text))
        };
        let widened = |days: Days| if by_month { days.whole_months() } else { days };
        let comparison = match self.operator {
            "inDateRange" | "notInDateRange" => {
                let range = match self.values.as_slice() {
                    [words] => days(words, 0)?,
                    [first, last] => {
                        between(first, last).ok_or_else(|| invalid_range(&self.values_path, first))?
                    }
                    _ => {
                        return Err(Refusal::new(
                            Code::InvalidDateRange,
                            &self.values_path,
                            "a range has a first and a last day",
                            "give two dates, or words such as \"last 12 months\"",
                        ));
                    }
                };
                return Ok(Test::Within {
                    days: vec![widened(range)],
                    negated: self.operator == "notInDateRange",
                });
            }
            "beforeDate" => Comparison::Less,
            "beforeOrOnDate" => Comparison::LessOrEqual,
            "afterDate" => Comparison::More,
            "afterOrOnDate" => Comparison::MoreOrEqual,
            other => {
                let mut all = Vec::with_capacity(self.values.len());
                for (place, value) in self.values.iter().enumerate() {
                    all.push(widened(days(value, place)?));
                }
                return Ok(Test::Within {
                    days: all,
                    negated: other.starts_with("not"),
                });
            }
        };
        let [value] = self.values.as_slice() else {
            return Err(self.one_value());
        };
        let named = days(value, 0)?;
        // "Before" compares with the first day of the range, "after" with its last.
        let day = match comparison {
            Comparison::Less | Comparison::MoreOrEqual => named.first,
            Comparison::LessOrEqual | Comparison::More => named.last,
        };
        Ok(Test::Compare(comparison, Value::Day(day)))
    }

    fn one_value(&self) -> Refusal {
        Refusal::value(
            &self.values_path,
            format!("{} takes one value", self.operator),
            "give a single value",
        )
    }
}

/// The refusal of an invalid range.
pub fn invalid_range(path: &Path, text: &str) -> Refusal {
    Refusal::new(
        Code::InvalidDateRange,
        path,
        format!("{:?} is no range of dates", shown(text)),
        "give two dates as YYYY-MM-DD, the first not after the last, or words such as \"last 12 months\"",
    )
}

fn bounded(value: &str, path: &Path) -> Result<(), Refusal> {
    // PostgreSQL texts cannot contain NUL.
    if value.contains('\0') {
        return Err(Refusal::value(
            path,
            "the value contains a NUL character",
            "leave it out",
        ));
    }
    if value.len() > LONGEST_VALUE && value.chars().count() > LONGEST_VALUE {
        return Err(Refusal::value(
            path,
            "the value is too long",
            format!("give at most {LONGEST_VALUE} characters"),
        ));
    }
    Ok(())
}

/// A text is equal in any form of its letters: what was imported by an earlier version has the form of its file.
fn in_any_form(test: Test) -> Test {
    let forms = |value: Value| match value {
        Value::Text(text) => letters::forms(&text).into_iter().map(Value::Text).collect(),
        other => vec![other],
    };
    match test {
        Test::In { values, negated } => Test::In {
            values: values.into_iter().flat_map(forms).collect(),
            negated,
        },
        other => other,
    }
}

fn text(value: &str, _: &Path) -> Result<Value, Refusal> {
    Ok(Value::Text(value.to_owned()))
}

fn boolean(value: &str, path: &Path) -> Result<Value, Refusal> {
    match value {
        "true" => Ok(Value::Boolean(true)),
        "false" => Ok(Value::Boolean(false)),
        other => Err(Refusal::value(
            path,
            format!("{:?} is neither true nor false", shown(other)),
            "give true or false",
        )),
    }
}

/// Parses a plain decimal number and shifts it by `scale` decimals.
fn number(value: &str, scale: u32, path: &Path) -> Result<Value, Refusal> {
    let digits = value.trim().trim_start_matches(['-', '+']);
    let plain = digits.starts_with(|sign: char| sign.is_ascii_digit())
        && digits.bytes().all(|sign| sign.is_ascii_digit() || sign == b'.');
    // The exponent shifts the decimal exactly: 0.29 becomes 29 cents and not 28.999….
    let kept = format!("{}e{scale}", value.trim()).parse::<f64>();
    match kept {
        Ok(kept) if plain && kept.is_finite() => Ok(Value::Number(kept)),
        _ => Err(Refusal::value(
            path,
            format!("{:?} is no number", shown(value)),
            "give a plain decimal number such as 1250.5, without separators or units",
        )),
    }
}
