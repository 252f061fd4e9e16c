//! An answer: prose, exact figures, steps, sources, and the inputs that are missing.
//!
//! The serialized form is the completed response of the interface specification plus additive
//! fields. Does not depend on an engine, the database or a face.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::base::ids::FileId;

/// A finished answer, ready to be stored and shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// One or two sentences that answer, or ask for what is missing.
    pub quick_reply: String,
    /// A short paragraph: the answer with its main inputs.
    pub summary: String,
    /// The whole answer in Markdown.
    pub result: String,
    /// The steps in Markdown: formula, inputs and value of each.
    pub reasoning: String,
    /// False when the analyst asked back or could not answer.
    pub success: bool,
    /// Generated files.
    pub attachments: Vec<Attachment>,
    /// Computed numbers, the one asked for first. Empty where nothing was computed.
    pub figures: Vec<Figure>,
    pub sources: Vec<Source>,
    pub warnings: Vec<String>,
    /// The inputs asked for. Empty when nothing is missing.
    pub missing: Vec<Missing>,
    pub audience: Audience,
    /// The model that answered, for instance `svc-local`. Absent in answers from before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "svc-local")]
    pub model: Option<String>,
}

/// One computed number. Rates and shares are fractions with unit `percent`; money is in major
/// units with the currency as unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Figure {
    /// The metric's word, for instance `going_in_cap_rate`.
    pub name: String,
    /// A JSON number; a list of numbers where the metric has several values (`irr_roots`); an ISO date;
    /// a word (`binding_constraint`).
    pub value: serde_json::Value,
    pub unit: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<NaiveDate>,
    pub definition: String,
    pub inputs: Vec<Input>,
    /// Set when the figure is about one thing of several.
    #[serde(skip_serializing_if = "Option::is_none")]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Input {
    pub name: String,
    pub value: serde_json::Value,
    pub unit: String,
    /// `question`, `earlier turn`, `computed`, `convention`, the title of a note, or the name of a file.
    pub origin: String,
}

/// An input that the analyst asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Missing {
    /// The variable's word, for instance `noi`.
    pub name: String,
    /// How a person calls it, for instance "net operating income".
    pub label: String,
}

/// Something the answer rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Source {
    pub kind: SourceKind,
    /// Of the note or the file; absent for a data model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// The name by which a data model is queried, for instance `financials`; absent for notes and files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A note's title, a file's name, a data model's title.
    pub title: String,
    /// When the note or the file was last changed; of a data model the beginning of the day that the data stands at.
    pub as_of: DateTime<Utc>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    PersonalNote,
    OrganizationNote,
    // A file of its owner's one-to-one conversation, or of a personal note.
    PersonalFile,
    // A file that was posted in a shared conversation, or that belongs to an organization note.
    OrganizationFile,
    // The organization's portfolio data as of the latest import.
    DataModel,
}

/// Generated file of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    /// Absent in answers from before files were kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<uuid::Uuid>)]
    pub id: Option<FileId>,
    pub filename: String,
    pub content_type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<i64>,
    /// Where whoever reads the answer has the file, good for `expiresInSeconds`. Made when it is read, never stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub download_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = 300)]
    pub expires_in_seconds: Option<i64>,
}

/// What the answer may have drawn on: shown beneath it, so that nobody wonders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Audience {
    /// True when the run could see organisation-safe context only.
    pub organisation_safe: bool,
    pub personal_notes: u32,
    pub organization_notes: u32,
    pub personal_files: u32,
    pub organization_files: u32,
}
