//! Values as given: in the variable's unit, with the words they came from, and a question's reading.
//!
//! Converts units and periods; knows neither goals nor earlier turns.

use std::collections::BTreeMap;

use crate::read::fitting;
use crate::read::terms::Duration;
use crate::read::vocabulary::Mention;
use crate::words::scan::{Number, Per, Shape, Sign, Token};
use finance::days::DayCount;
use finance::variable::{Unit, Variable};

/// A value with the words it came from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Given {
    pub(crate) value: f64,
    pub(crate) origin: String,
    /// The conversion that was made, as a sentence.
    pub(crate) conversion: Option<String>,
    /// The period was said and not assumed.
    pub(crate) period: Option<Per>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) goals: Vec<Variable>,
    pub(crate) values: BTreeMap<Variable, Given>,
    /// Tokens of numbers without a meaning yet.
    pub(crate) left: Vec<usize>,
    pub(crate) durations: Vec<Duration>,
    pub(crate) mentions: Vec<Mention>,
    pub(crate) day_count: Option<DayCount>,
    pub(crate) interest_only: bool,
    /// Amounts for quantities that are known by name but not computed with.
    pub(crate) foreign: Vec<usize>,
    /// Reasons to ask back, in words.
    pub(crate) doubts: Vec<String>,
}

pub(crate) const QUESTION: &str = "question";

/// The text of a token, for quoting back.
pub(crate) fn said<'a>(text: &'a str, tokens: &[Token], at: usize) -> &'a str {
    tokens
        .get(at)
        .and_then(|token| text.get(token.start..token.end))
        .unwrap_or("")
}

/// Adds a value; a second, different one for the same variable is a doubt.
pub(crate) fn insert(reading: &mut Reading, variable: Variable, given: Given) {
    if let Some(other) = reading.values.get(&variable)
        && (other.value - given.value).abs() > 1e-9 * other.value.abs()
    {
        reading.doubts.push(format!(
            "Two different values are given for the {}.",
            variable.label()
        ));
        return;
    }
    reading.values.insert(variable, given);
}

/// The number in the variable's unit; the variable itself may change with the period.
pub(crate) fn convert(
    variable: Variable,
    number: &Number,
    period: Option<Per>,
    words: &str,
) -> Result<(Variable, Given), String> {
    let mut given = Given {
        value: number.value,
        origin: QUESTION.to_owned(),
        conversion: None,
        period,
    };
    if number.foreign {
        return Err("I compute in US dollars only so far.".to_owned());
    }
    let mut variable = variable;
    match variable.unit() {
        Unit::Percent => {
            let rate = !matches!(variable, Variable::Ltv | Variable::Ltc | Variable::SaleCostShare);
            if rate && matches!(period, Some(Per::Month | Per::Quarter | Per::Other)) && number.per.is_some()
            {
                return Err(format!(
                    "{words} is a rate per month or quarter; please give the annual rate."
                ));
            }
            given.value = fitting::share(variable, number)
                .ok_or_else(|| format!("I am not sure how to read {words} as the {}.", variable.label()))?;
            let low = if variable == Variable::Rate { 0.0005 } else { 0.005 };
            let narrow = matches!(
                variable,
                Variable::CapRate | Variable::ExitCap | Variable::Rate | Variable::DebtYield
            );
            if narrow && given.value != 0.0 && !(low..=0.5).contains(&given.value) {
                return Err(format!(
                    "{words} would be an unusual {}; please confirm it.",
                    variable.label()
                ));
            }
        }
        Unit::Ratio => {
            if number.shape == Shape::Percent {
                given.value /= 100.0;
            }
        }
        Unit::Money => {
            let keeps_sign = matches!(variable, Variable::Noi | Variable::CashFlow);
            match number.sign {
                Sign::Minus if keeps_sign => given.value = -given.value,
                Sign::Minus => {
                    return Err(format!(
                        "{words} is negative; is that meant as the {}?",
                        variable.label()
                    ));
                }
                Sign::Brackets if keeps_sign => {
                    return Err(format!("{words} stands in brackets; is it negative?"));
                }
                _ => {}
            }
            let factor = match period {
                Some(Per::Month) => 12.0,
                Some(Per::Quarter) => 4.0,
                _ => 1.0,
            };
            if matches!(variable, Variable::Payment | Variable::IoPayment) {
                match period {
                    Some(Per::Year) => variable = Variable::DebtService,
                    Some(Per::Quarter | Per::Other) => {
                        return Err(format!(
                            "{words} is not a monthly payment; I handle monthly payments only."
                        ));
                    }
                    _ => {}
                }
            } else if fitting::flow(variable) && factor > 1.0 {
                let every = if factor > 4.0 { "month" } else { "quarter" };
                given.value *= factor;
                // "60k a month" says its period itself.
                let said = if number.per.is_some() && !number.loose_per && words.contains(' ') {
                    words.to_owned()
                } else {
                    format!("{words} per {every}")
                };
                given.conversion = Some(format!("{said} × {factor} = annual {}", short(variable)));
            }
        }
        Unit::Years
        | Unit::Months
        | Unit::Days
        | Unit::Count
        | Unit::Multiple
        | Unit::Mark
        | Unit::MoneyPerArea
        | Unit::Area
        | Unit::BasisPoints => {}
    }
    Ok((variable, given))
}

fn short(variable: Variable) -> &'static str {
    variable
        .label()
        .trim_end_matches(" (annual)")
        .trim_start_matches("annual ")
}
