//! The figures of a table in the currency and the measure of area that its headers name.
//!
//! Nothing is converted: only what is written changes.

use crate::sheets::finding::{Finding, Outcome};
use crate::sheets::measured::Column;
use tables::headers::Field;
use tables::table::Table;

pub(crate) fn in_own(mut outcome: Outcome, table: &Table) -> Outcome {
    let mut currencies: Vec<(&'static str, &'static str)> = (0..table.columns.len())
        .filter_map(|at| Column::of(table, at).currency())
        .collect();
    currencies.dedup();
    let currency = match currencies.as_slice() {
        [only] => Some(*only),
        _ => None,
    };
    let metric = table
        .column(Field::Area)
        .is_some_and(|at| Column::of(table, at).size() != "sf");
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
    let unit = |unit: &str| match (unit, currency, metric) {
        ("USD", Some((word, _)), _) => word.to_owned(),
        ("USD/unit", Some((word, _)), _) => format!("{word}/unit"),
        ("USD/sqft", _, _) => format!(
            "{}/{}",
            currency.map_or("USD", |(word, _)| word),
            if metric { "sqm" } else { "sqft" }
        ),
        ("sqft", _, true) => "sqm".to_owned(),
        (other, _, _) => other.to_owned(),
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

fn recast(
    finding: &mut Finding,
    written: &dyn Fn(&str) -> String,
    unit: &dyn Fn(&str) -> String,
    metric: bool,
) {
    finding.unit = match unit(finding.unit).as_str() {
        "EUR" => "EUR",
        "GBP" => "GBP",
        "CHF" => "CHF",
        "EUR/sqft" => "EUR/sqft",
        "GBP/sqft" => "GBP/sqft",
        "CHF/sqft" => "CHF/sqft",
        "EUR/sqm" => "EUR/sqm",
        "GBP/sqm" => "GBP/sqm",
        "CHF/sqm" => "CHF/sqm",
        "USD/sqm" => "USD/sqm",
        "EUR/unit" => "EUR/unit",
        "GBP/unit" => "GBP/unit",
        "CHF/unit" => "CHF/unit",
        "sqm" => "sqm",
        _ => finding.unit,
    };
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
