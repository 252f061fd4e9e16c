//! Types of context notes, personal and organization-wide. The stored words of the kinds are those of the public API.

use chrono::{DateTime, Utc};

use crate::base::ids::{NoteId, OrgId, UserId};
use crate::base::model::Model;

/// Longest title, in characters.
pub const MAX_TITLE_CHARS: usize = 200;
/// Longest folder name, in characters.
pub const MAX_FOLDER_CHARS: usize = 100;
/// Longest body, in characters.
pub const MAX_BODY_CHARS: usize = 100_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// Personal Context: visible only to its owner, and never used in an organisation-safe run.
    Personal,
    /// Organization Context: visible to all members.
    Organization,
}

crate::text_enum!(NoteKind { Personal => "user_memory", Organization => "organisation_memory" });

#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Note {
    pub id: NoteId,
    pub kind: NoteKind,
    /// The person of a personal note, or the author of an Organization note.
    pub owner_id: UserId,
    /// The model partition: only runs of this model use the note. `None` means every model.
    pub model: Option<Model>,
    pub folder: Option<String>,
    pub title: String,
    pub body: String,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    /// Who last changed it, if it was changed.
    pub updated_by: Option<UserId>,
}

/// A note to be created.
#[derive(Clone, Debug)]
pub struct NewNote {
    pub kind: NoteKind,
    pub model: Option<Model>,
    pub folder: Option<String>,
    pub title: String,
    pub body: String,
}

/// A change of a note. Fields that are `None` stay unchanged.
#[derive(Clone, Debug, Default)]
pub struct NoteChange {
    pub title: Option<String>,
    pub body: Option<String>,
    /// An empty name removes the note from its folder.
    pub folder: Option<String>,
    /// When the note the caller knows was last updated. The change is refused if it has changed since.
    pub as_of: Option<DateTime<Utc>>,
}

/// A part of a request that was not done although the rest was: a stable code and a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    pub code: &'static str,
    pub detail: String,
}

/// Which notes are visible: whose, and for which model.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    pub org: OrgId,
    /// The person whose personal notes are included; `None` in an organisation-safe run.
    pub person: Option<UserId>,
    /// Whether the organization's notes are included.
    pub organization: bool,
    /// The model whose notes are included, in addition to notes for every model. `None` includes all notes.
    pub model: Option<Model>,
}

impl Scope {
    /// The organization's notes only, for an organisation-safe run.
    pub const fn organization(org: OrgId) -> Self {
        Self {
            org,
            person: None,
            organization: true,
            model: None,
        }
    }

    /// A person's notes and the organization's.
    pub const fn person(org: OrgId, person: UserId) -> Self {
        Self {
            org,
            person: Some(person),
            organization: true,
            model: None,
        }
    }

    /// Restricts the scope to one kind, if given.
    #[must_use]
    pub fn only(self, kind: Option<NoteKind>) -> Self {
        Self {
            person: self.person.filter(|_| kind != Some(NoteKind::Organization)),
            organization: self.organization && kind != Some(NoteKind::Personal),
            ..self
        }
    }

    /// The same scope for this model.
    #[must_use]
    pub fn of_model(self, model: Option<Model>) -> Self {
        Self { model, ..self }
    }

    pub fn sees(&self, note: &Note) -> bool {
        let kind = match note.kind {
            NoteKind::Personal => self.person == Some(note.owner_id),
            NoteKind::Organization => self.organization,
        };
        kind && (self.model.is_none() || note.model.is_none() || note.model == self.model)
    }
}

/// A folder: a name within a kind.
#[derive(Clone, Debug)]
pub struct Folder {
    pub kind: NoteKind,
    pub name: String,
    /// Newest first. May be cut off; `total` is the full number.
    pub notes: Vec<NoteId>,
    pub total: usize,
}
