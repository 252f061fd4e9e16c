//! Types of custom analysts: a built-in model with its own name, tone, instructions and Organization notes.

use chrono::{DateTime, Utc};

use crate::base::ids::{AnalystId, ModelId, NoteId, UserId};
use crate::base::model::Model;
use crate::base::tone::Tone;
use crate::context::model::Warning;
use crate::files::spool::Upload;

/// Longest name, in characters.
pub const NAME: usize = 80;
/// Longest emoji, in characters.
pub const EMOJI: usize = 16;
/// Longest description, in characters.
pub const DESCRIPTION: usize = 4000;

/// A custom analyst. It belongs to the person who created it.
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
    /// Its purpose and behaviour: the owner's instructions to the engine.
    pub description: String,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// The properties set by the owner. Fields that are `None` stay unchanged.
#[derive(Clone, Debug)]
pub struct Profile {
    pub name: String,
    pub base: Model,
    pub tone: Tone,
    /// An empty text removes the emoji.
    pub emoji: Option<String>,
    pub description: Option<String>,
}

/// An analyst with everything that a run of it needs.
#[derive(Clone, Debug)]
pub struct Selected {
    pub analyst: Analyst,
    /// Its Organization notes, oldest first. Every run of the analyst gets them.
    pub notes: Vec<NoteId>,
}

/// An analyst that an assistant is bound to. It may have been deleted since.
#[derive(Clone, Debug)]
pub enum Bound {
    Here(Box<Selected>),
    /// Deleted; contains its last name.
    Deleted(String),
}

/// What the owner wants to store as an Organization note of the analyst.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The Organization note to change. If `None`, a new one is created from title and body.
    pub note: Option<NoteId>,
    pub title: Option<String>,
    pub body: Option<String>,
    /// Files of the note.
    pub files: Vec<Upload>,
}

/// An analyst after a change, and warnings about parts of the change that were not applied.
#[derive(Clone, Debug)]
pub struct Written {
    pub analyst: Selected,
    pub warnings: Vec<Warning>,
}
