//! Answers whose inputs are lists: figures, a table of what was read, the steps.
//!
//! Writes only numbers that were given or computed. Knows no calculation.

use crate::contract::brief::Tone;
use crate::contract::draft::Draft;
use crate::contract::draft::{Figure, Input};
use crate::plan::outcome::Ask;
use crate::read::given::QUESTION;
use crate::say::compose;
use crate::say::format;

/// What a reader says of a question of its kind; nothing, if it is of another.
pub(crate) type Read = Option<Result<Written, Ask>>;

/// What a list reader found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Written {
    /// The figure asked for comes first.
    pub(crate) figures: Vec<Figure>,
    /// What is answered, without a full stop.
    pub(crate) said: String,
    pub(crate) definition: String,
    pub(crate) head: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<String>>,
    pub(crate) steps: Vec<String>,
    pub(crate) remarks: Vec<String>,
}

impl Written {
    /// One figure with what is said of it and the step that leads to it; the figure tells its definition.
    pub(crate) fn one(figure: Figure, said: String, step: String) -> Self {
        Self {
            definition: figure.definition.clone(),
            figures: vec![figure],
            said,
            steps: vec![step],
            ..Self::default()
        }
    }
}

/// One figure of an answer.
pub(crate) fn figure(
    name: &str,
    value: serde_json::Value,
    unit: &str,
    definition: &str,
    inputs: Vec<Input>,
) -> Figure {
    Figure {
        name: name.to_owned(),
        value,
        unit: unit.to_owned(),
        period: None,
        as_of: None,
        definition: definition.to_owned(),
        inputs,
        subject: None,
    }
}

/// An input of a figure as the question gives it.
pub(crate) fn input(name: impl Into<String>, value: impl Into<serde_json::Value>, unit: &str) -> Input {
    Input {
        name: name.into(),
        value: value.into(),
        unit: unit.to_owned(),
        origin: QUESTION.to_owned(),
    }
}

/// The draft of a list's answer.
pub(crate) fn draft(written: &Written, tone: Tone) -> Draft {
    let mut result = format!("**{}**\n\n", written.said);
    if !written.rows.is_empty() {
        result.push_str(&format!("| {} |\n", written.head.join(" | ")));
        result.push_str(&format!("|{}\n", "---|".repeat(written.head.len())));
        for row in &written.rows {
            let cells: Vec<String> = row.iter().map(|cell| format::cell(cell)).collect();
            result.push_str(&format!("| {} |\n", cells.join(" | ")));
        }
        result.push('\n');
    }
    result.push_str(&format!("{}\n", written.definition));
    for remark in &written.remarks {
        result.push_str(&format!("\n{remark}\n"));
    }
    let mut steps = written.steps.clone();
    steps.extend(written.remarks.iter().cloned());
    let first = written.remarks.first().unwrap_or(&written.definition);
    Draft {
        quick_reply: format!("{}{}. {first}", compose::opening(tone), written.said),
        summary: format!("{}. {}", written.said, written.definition),
        result,
        reasoning: compose::numbered(&steps),
        success: true,
        figures: written.figures.clone(),
        ..Draft::default()
    }
}
