//! Numbers that a question gives and that its figures leave out, for figures that need every number beside them: an
//! amount, a second rate, a count of payments that was taken for years.
//!
//! Looks at the numbers of the question and at the figures with their inputs, whoever worked them out.

use serde_json::Value;

use crate::contract::draft::Figure;
use crate::plan::phrases::{near, value, word};
use crate::words::among::among;
use crate::words::scan::{Number, Shape, Token};

/// Figures that hardly anybody asks for with an amount beside them that does not count.
const EXACT: &str = "payment going_in_cap_rate";

/// Figures that one rate leads to, beside that rate: a second one would have to enter as well.
const BY_RATE: &[(&str, &str)] = &[("loan_amount", "mortgage_constant"), ("noi", "yield_on_cost")];

/// The question that an unused number leads to.
pub(crate) fn missed(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    let first = figures.first()?;
    let mut used = Vec::new();
    for figure in figures {
        gather(&figure.value, &mut used);
        figure
            .inputs
            .iter()
            .for_each(|input| gather(&input.value, &mut used));
    }
    let numbers = || tokens.iter().filter_map(Token::number);
    let left = numbers().find(|number| match number.shape {
        Shape::Percent => {
            BY_RATE
                .iter()
                .any(|(name, input)| first.name == *name && value(first, input).is_some())
                && !used.iter().any(|own| near(*own, number.value / 100.0))
        }
        Shape::Money | Shape::Plain => {
            among(EXACT, &first.name) && number.value >= 100.0 && !enters(number, tokens, &used)
        }
        _ => false,
    });
    if left.is_some() {
        return Some(
            "One of the numbers that you give would not enter the figure. Please say what each of them is, and which \
             figure you want."
                .to_owned(),
        );
    }
    counted(tokens, first)
}

fn gather(value: &Value, into: &mut Vec<f64>) {
    match value {
        Value::Array(all) => all.iter().for_each(|own| gather(own, into)),
        own => into.extend(own.as_f64()),
    }
}

/// By itself, for another period, or added to another amount of the question.
fn enters(number: &Number, tokens: &[Token], used: &[f64]) -> bool {
    let is = |amount: f64| {
        [1.0, 12.0, 1.0 / 12.0, 4.0, 1000.0]
            .iter()
            .any(|scale| used.iter().any(|own| near(own.abs(), (amount * scale).abs())))
    };
    is(number.value)
        || tokens
            .iter()
            .filter_map(Token::number)
            .filter(|other| matches!(other.shape, Shape::Money | Shape::Plain) && other.value != 0.0)
            .any(|other| is(number.value + other.value) || is(number.value - other.value))
}

/// "48 equal installments", and the loan runs for 48 years.
fn counted(tokens: &[Token], first: &Figure) -> Option<String> {
    let made = value(first, "number_of_payments")?;
    let years = |own: &Number| near(own.value * 12.0, made);
    let told = tokens
        .iter()
        .filter_map(Token::number)
        .any(|own| own.shape == Shape::Years && years(own));
    let taken = (0..tokens.len()).any(|at| {
        tokens.get(at).and_then(Token::number).is_some_and(years)
            && (at + 1..at + 3).any(|next| among("payments installments instalments", word(tokens, next)))
    });
    (taken && !told).then(|| {
        "I would take the count of payments for years. Over how many years does the loan run, and how often is it paid?"
            .to_owned()
    })
}
