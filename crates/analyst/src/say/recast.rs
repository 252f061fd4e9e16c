//! An answer in the asker's own currency and measure of area.
//!
//! The calculation is the same in every currency; only what is written changes.

use crate::contract::brief::Brief;
use crate::contract::draft::Draft;
use crate::say::compose;
use crate::words::notation::{self, Notation};

const MIXED: &str = "Your question names more than one currency, and I do not convert between them. Please \
     give all amounts in one.";

/// Reads the question in the one notation that the reader knows, and answers in the asker's own.
pub(crate) fn in_own_notation(brief: &Brief, calculate: impl Fn(&Brief) -> Draft) -> Draft {
    let notation = notation::continued(&brief.question, brief.earlier.as_ref());
    if notation.mixed {
        return compose::plain_text(MIXED);
    }
    let mut draft = if notation.text == brief.question {
        calculate(brief)
    } else {
        let mut plain = brief.clone();
        plain.question.clone_from(&notation.text);
        calculate(&plain)
    };
    recast(&mut draft, &notation);
    draft
}

/// Writes the draft in the notation of the question.
fn recast(draft: &mut Draft, notation: &Notation) {
    if notation.currency.is_none() && !notation.metric {
        return;
    }
    for text in [
        &mut draft.quick_reply,
        &mut draft.summary,
        &mut draft.result,
        &mut draft.reasoning,
    ] {
        *text = written(text, notation);
    }
    draft.warnings = draft
        .warnings
        .iter()
        .map(|text| written(text, notation))
        .collect();
    for figure in &mut draft.figures {
        figure.unit = unit(&figure.unit, notation);
        figure.definition = written(&figure.definition, notation);
        for input in &mut figure.inputs {
            input.unit = unit(&input.unit, notation);
        }
    }
    for missing in &mut draft.missing {
        missing.label = written(&missing.label, notation);
    }
    if let (Some(currency), Some(serde_json::Value::Object(frame))) = (notation.currency, &mut draft.frame) {
        frame.insert("currency".to_owned(), currency.code.into());
    }
}

fn unit(unit: &str, notation: &Notation) -> String {
    let unit = match notation.currency {
        Some(currency) => unit.replace("USD", currency.code),
        None => unit.to_owned(),
    };
    if notation.metric {
        unit.replace("sqft", "sqm")
    } else {
        unit
    }
}

fn written(text: &str, notation: &Notation) -> String {
    let mut text = text.to_owned();
    if let Some(currency) = notation.currency {
        text = text
            .replace("in dollars", &format!("in {}", currency.code))
            .replace('$', currency.sign);
    }
    if notation.metric {
        text = text
            .replace("square feet", "square metres")
            .replace("square foot", "square metre")
            .replace("/sf", "/sqm")
            .replace(" sf", " sqm");
    }
    text
}
