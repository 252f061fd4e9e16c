//! The figures of a table in the currency and the measure of area that its headers name.
//!
//! Nothing is converted: only what is written changes.

use crate::sheets::finding::{Finding, Outcome};
use crate::sheets::measured::{self, Column};
use tables::headers::Field;
use tables::table::Table;

pub(crate) fn in_own(mut outcome: Outcome, table: &Table) -> Outcome {
    let mut currencies: Vec<(&'static str, &'static str)> = (0..table.columns.len())
        .filter_map(|at| measured::currency(table, at))
        .collect();
    currencies.dedup();
    let currency = match currencies.as_slice() {
        [only] => Some(*only),
        _ => None,
    };
    let metric = table
        .column(Field::Area)
        .is_some_and(|at| measured::is_metric(table, at));
    if currency.is_none() && !metric {
        return outcome;
    }
    let written = |text: &str| {
        let mut text = text.to_owned();
        if let Some((_, sign)) = currency {
            text = text.replace('$', sign);
        }
        if metric {
            text = text
                .replace(" per sf", " per m²")
                .replace(" sf", " m²")
                .replace("square feet", "square metres");
        }
        text
    };
    let unit = |unit: &str| {
        let (of, per) = unit.split_once('/').map_or((unit, ""), |(of, per)| (of, per));
        let of = match currency {
            Some((word, _)) if of == DOLLAR => word,
            _ => measured(of, metric),
        };
        join(of, measured(per, metric))
    };
    for finding in &mut outcome.findings {
        recast(finding, &written, &unit, metric);
    }
    for text in outcome
        .remarks
        .iter_mut()
        .chain(&mut outcome.warnings)
        .chain(&mut outcome.tables)
        .chain(&mut outcome.sentence)
    {
        *text = written(text);
    }
    outcome
}

const DOLLAR: &str = "USD";
const FEET: &str = "sqft";
const METRES: &str = "sqm";

/// The units that tables may have in place of dollars and square feet.
const UNITS: [&str; 14] = [
    "EUR", "GBP", "CHF", "EUR/sqft", "GBP/sqft", "CHF/sqft", "EUR/sqm", "GBP/sqm", "CHF/sqm", "USD/sqm",
    "EUR/unit", "GBP/unit", "CHF/unit", METRES,
];

fn known(unit: &str) -> Option<&'static str> {
    UNITS.into_iter().find(|known| *known == unit)
}

fn measured(unit: &str, metric: bool) -> &str {
    if metric && unit == FEET { METRES } else { unit }
}

fn join(of: &str, per: &str) -> String {
    if per.is_empty() {
        of.to_owned()
    } else {
        format!("{of}/{per}")
    }
}

/// The unit of amounts for each of something, such as a square metre.
pub(crate) fn per(unit: &'static str, amount: &Column<'_>, of: &Column<'_>) -> &'static str {
    let own = unit.split_once('/').map_or(unit, |(_, per)| per);
    let metric = of.unit() == METRES;
    known(&join(amount.unit(), measured(own, metric))).unwrap_or(unit)
}

fn recast(
    finding: &mut Finding,
    written: &dyn Fn(&str) -> String,
    unit: &dyn Fn(&str) -> String,
    metric: bool,
) {
    finding.unit = known(&unit(finding.unit)).unwrap_or(finding.unit);
    if metric {
        finding.name = finding.name.replace("_psf", "_psm");
    }
    finding.shown = written(&finding.shown);
    finding.label = written(&finding.label);
    finding.definition = written(&finding.definition);
    for step in &mut finding.steps {
        *step = written(step);
    }
    for input in &mut finding.inputs {
        input.unit = unit(&input.unit);
        if metric {
            input.name = input.name.replace("_psf", "_psm");
        }
    }
}
