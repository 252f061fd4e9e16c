//! What of a statement is asked for: a figure over its months, or lines of it; and the highest or the lowest of some.
//!
//! Knows no file.

use crate::sheets::asked::Measure;
use crate::sheets::query::cues;
use crate::sheets::words::Words;
use tables::accounts::Line;
use tables::income::{Item, Statement};

/// A figure over months.
pub(crate) enum Subject<'a> {
    Measure(Measure),
    Lines(Vec<&'a Item>),
}

impl Subject<'_> {
    pub(crate) fn amount(&self, statement: &Statement, places: &[usize]) -> f64 {
        let totals = statement.totals(places);
        match self {
            Self::Measure(Measure::EffectiveGrossIncome) => totals.effective_gross_income(),
            Self::Measure(Measure::Expenses) => totals.expenses,
            Self::Measure(Measure::OtherIncome) => totals.other,
            Self::Measure(Measure::NetRentalIncome) => totals.net_rental_income(),
            Self::Measure(Measure::GrossPotentialRent) => totals.potential.unwrap_or(0.0),
            Self::Measure(Measure::CashAfterDebt) => totals.net_operating_income() - totals.debt,
            Self::Measure(_) => totals.net_operating_income(),
            Self::Lines(items) => items
                .iter()
                .map(|item| shown_amount(statement, item, places))
                .sum(),
        }
    }

    pub(crate) fn label(&self) -> String {
        match self {
            Self::Measure(Measure::EffectiveGrossIncome) => "effective gross income".to_owned(),
            Self::Measure(Measure::Expenses) => "operating expenses".to_owned(),
            Self::Measure(Measure::OtherIncome) => "other income".to_owned(),
            Self::Measure(Measure::NetRentalIncome) => "net rental income".to_owned(),
            Self::Measure(Measure::GrossPotentialRent) => "gross potential rent".to_owned(),
            Self::Measure(Measure::CashAfterDebt) => "cash flow after debt service".to_owned(),
            Self::Measure(_) => "net operating income".to_owned(),
            Self::Lines(items) => items
                .iter()
                .map(|item| format!("“{}”", item.label))
                .collect::<Vec<_>>()
                .join(" + "),
        }
    }
}

/// As the statement has it, deductions as positive amounts.
pub(crate) fn shown_amount(statement: &Statement, item: &Item, places: &[usize]) -> f64 {
    let amount = statement.amount(item, places);
    match item.line {
        Line::LossToLease | Line::Vacancy | Line::NonRevenue | Line::Concessions | Line::BadDebt => -amount,
        _ => amount,
    }
}

/// The highest or the lowest, and how many of them.
pub(crate) fn ranking(words: &mut Words) -> Option<(bool, usize)> {
    let count = cues::ranked(words).unwrap_or(1);
    let high = words.take(&[
        "highest",
        "largest",
        "biggest",
        "most expensive",
        "most",
        "peak",
        "peaked",
        "best",
        "strongest",
        "top",
        "greatest",
        "max",
        "maximum",
    ]);
    let low = words.take(&[
        "lowest", "smallest", "least", "worst", "weakest", "cheapest", "bottom", "min", "minimum",
    ]);
    match (high, low) {
        (true, false) => Some((false, count)),
        (false, true) => Some((true, count)),
        _ => None,
    }
}
