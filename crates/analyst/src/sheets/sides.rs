//! One side of a comparison between columns of a statement, and what it gives.

use crate::sheets::asked::Measure;
use crate::sheets::query::vocabulary;
use crate::sheets::slots::Slot;
use crate::sheets::subject::{Subject, shown_amount};
use crate::sheets::words::{Kind as WordKind, Words};
use tables::accounts::Printed;
use tables::income::Statement;

/// Figures that a column gives as an amount.
pub(crate) const AMOUNTS: &[Measure] = &[
    Measure::NetOperatingIncome,
    Measure::EffectiveGrossIncome,
    Measure::Expenses,
    Measure::OtherIncome,
    Measure::NetRentalIncome,
    Measure::GrossPotentialRent,
    Measure::CashAfterDebt,
];

/// One side of a comparison.
pub(crate) struct Side {
    pub(crate) name: String,
    pub(crate) slot: Slot,
    pub(crate) statement: Statement,
}

impl Side {
    /// What the file prints for a measure, if its lines make another amount.
    pub(crate) fn printed(&self, measure: Measure) -> Option<f64> {
        let of = match measure {
            Measure::NetOperatingIncome => Printed::NetOperatingIncome,
            Measure::EffectiveGrossIncome => Printed::EffectiveGrossIncome,
            Measure::Expenses => Printed::Expenses,
            _ => return None,
        };
        self.statement.printed_otherwise(of, &[])
    }
}

pub(crate) fn amount(side: &Side, measure: Option<Measure>, labels: &[String]) -> Option<f64> {
    if let Some(measure) = measure {
        return Some(Subject::Measure(measure).amount(&side.statement, &[]));
    }
    labels
        .iter()
        .map(|label| {
            let item = side.statement.items.iter().find(|item| item.label == *label)?;
            Some(shown_amount(&side.statement, item, &[]))
        })
        .sum()
}

pub(crate) fn label(statement: &Statement, measure: Option<Measure>, labels: &[String]) -> String {
    measure.map_or_else(
        || {
            let items = statement
                .items
                .iter()
                .filter(|item| labels.contains(&item.label))
                .collect();
            Subject::Lines(items).label()
        },
        |measure| Subject::Measure(measure).label(),
    )
}

/// Whether every word was understood.
pub(crate) fn finished(words: &Words) -> bool {
    words.all.iter().all(|word| {
        word.used
            || (word.kind == WordKind::Plain
                && (vocabulary::filler(&word.stem) || vocabulary::filler(&word.text) || word.text.len() < 2))
    })
}
