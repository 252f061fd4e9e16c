//! What the analyst answers: prose, exact figures with their steps, what was used and what was missing.

use chrono::NaiveDate;

use crate::contract::brief::{FileId, NoteId};

/// An answer, or a question back (`success` is false then). Sources name what was used, not all that was given.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// One or two sentences.
    pub quick_reply: String,
    /// A short paragraph: the answer with its main inputs.
    pub summary: String,
    /// The whole answer in Markdown.
    pub result: String,
    /// The steps in Markdown: formula, inputs and value of each.
    pub reasoning: String,
    pub success: bool,
    /// The one asked for first. Empty where nothing was computed.
    pub figures: Vec<Figure>,
    pub used_notes: Vec<NoteId>,
    pub used_files: Vec<FileId>,
    pub used_models: Vec<UsedModel>,
    pub warnings: Vec<String>,
    /// The inputs asked for.
    pub missing: Vec<Missing>,
    /// Goal, values with their origins and what was missing: where a follow-up starts.
    pub frame: Option<serde_json::Value>,
    /// Files that the answer made, in order.
    pub files: Vec<MadeFile>,
}

/// One computed number. Rates and shares are fractions with unit `percent`; money is in major units with the
/// currency as unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The metric's word, for instance `going_in_cap_rate`.
    pub name: String,
    /// A number; a list of numbers (`irr_roots`); an ISO date; a word (`binding_constraint`).
    pub value: serde_json::Value,
    pub unit: String,
    pub period: Option<String>,
    pub as_of: Option<NaiveDate>,
    pub definition: String,
    pub inputs: Vec<Input>,
    /// Set when the figure is about one thing of several.
    pub subject: Option<String>,
}

impl Figure {
    /// The value of an input, by its name.
    #[must_use]
    pub fn input(&self, name: &str) -> Option<&serde_json::Value> {
        let found = self.inputs.iter().find(|input| input.name == name);
        found.map(|input| &input.value)
    }
}

/// A value a figure was computed from, and where it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    pub name: String,
    pub value: serde_json::Value,
    pub unit: String,
    /// `question`, `earlier turn`, `computed`, `convention`, the title of a note, or the name of a file.
    pub origin: String,
}

/// An input that the analyst asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The variable's word, for instance `noi`.
    pub name: String,
    /// How a person calls it, for instance "net operating income".
    pub label: String,
}

/// A data model that figures were taken from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedModel {
    /// By which it is queried.
    pub name: &'static str,
    pub title: &'static str,
    /// The day the data stands at.
    pub as_of: NaiveDate,
}

/// A file that an answer made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeFile {
    pub filename: String,
    pub content_type: String,
    pub bytes: Vec<u8>,
}
