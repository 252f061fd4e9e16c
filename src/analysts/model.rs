//! Custom analysts: a built-in model with a name, a tone, instructions and Organization notes of its own.

use chrono::{DateTime, Utc};

use crate::base::ids::{AnalystId, ModelId, NoteId, UserId};
use crate::base::model::Model;
use crate::base::tone::Tone;
use crate::context::model::Warning;
use crate::files::spool::Upload;

/// Longest name, emoji and description, in characters.
pub const NAME: usize = 80;
pub const EMOJI: usize = 16;
pub const DESCRIPTION: usize = 4000;

/// A custom analyst. It belongs to whoever made it.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Analyst {
    pub id: AnalystId,
    pub model_id: ModelId,
    pub owner_id: UserId,
    pub name: String,
    /// The built-in model that answers.
    pub base: Model,
    pub tone: Tone,
    pub emoji: Option<String>,
    /// What it is for and how it works: instructions of its owner to the engine.
    pub description: String,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// What its owner gives it. What is absent stays as it is.
#[derive(Clone, Debug)]
pub struct Profile {
    pub name: String,
    pub base: Model,
    pub tone: Tone,
    /// Empty: none.
    pub emoji: Option<String>,
    pub description: Option<String>,
}

/// An analyst as a run uses it.
#[derive(Clone, Debug)]
pub struct Selected {
    pub analyst: Analyst,
    /// Its Organization notes, oldest first: every run of it gets them.
    pub notes: Vec<NoteId>,
}

/// An analyst to which something was bound.
#[derive(Clone, Debug)]
pub enum Bound {
    Here(Box<Selected>),
    /// By the name it had.
    Deleted(String),
}

/// What its owner wants remembered in the organization, beside the analyst itself.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The Organization note to change; absent: a new one, if there are title and body.
    pub note: Option<NoteId>,
    pub title: Option<String>,
    pub body: Option<String>,
    /// Files of the note.
    pub files: Vec<Upload>,
}

/// An analyst after a change, and what of the change was left out.
#[derive(Clone, Debug)]
pub struct Written {
    pub analyst: Selected,
    pub warnings: Vec<Warning>,
}
