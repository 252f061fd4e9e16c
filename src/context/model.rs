//! Context notes: personal and organization. The identifiers of the kinds are the contract's.

use chrono::{DateTime, Utc};

use crate::base::ids::{NoteId, OrgId, UserId};
use crate::base::model::Model;

/// Longest title, folder name and body, in characters.
pub const TITLE: usize = 200;
pub const FOLDER: usize = 100;
pub const BODY: usize = 100_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// Personal Context: seen by its owner alone, and never in an organisation-safe run.
    Personal,
    /// Organization Context.
    Organization,
}

crate::text_enum!(NoteKind { Personal => "user_memory", Organization => "organisation_memory" });

#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Note {
    pub id: NoteId,
    pub kind: NoteKind,
    /// The person of a personal note, the author of an organization's.
    pub owner_id: UserId,
    /// The model partition: only runs of this model use the note. Absent: every model.
    pub model: Option<Model>,
    pub folder: Option<String>,
    pub title: String,
    pub body: String,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    /// Who changed it last, if anybody did.
    pub updated_by: Option<UserId>,
}

/// A note to be written.
#[derive(Clone, Debug)]
pub struct NewNote {
    pub kind: NoteKind,
    pub model: Option<Model>,
    pub folder: Option<String>,
    pub title: String,
    pub body: String,
}

/// What becomes of a note; what is absent stays as it is.
#[derive(Clone, Debug, Default)]
pub struct NoteChange {
    pub title: Option<String>,
    pub body: Option<String>,
    /// Empty: out of its folder.
    pub folder: Option<String>,
    /// The note as the caller knows it: refused if it has changed since.
    pub as_of: Option<DateTime<Utc>>,
}

/// Something that was asked for and not done, while the rest was: a stable word and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    pub code: &'static str,
    pub detail: String,
}

/// Whose notes may be seen, and for which model.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    pub org: OrgId,
    /// The person whose personal notes are included; none in an organisation-safe run.
    pub person: Option<UserId>,
    /// Whether the organization's notes are included.
    pub organization: bool,
    /// The model partition: its notes, and those of no partition. Absent: every partition.
    pub model: Option<Model>,
}

impl Scope {
    /// The organization's notes alone: an organisation-safe run.
    pub const fn organization(org: OrgId) -> Self {
        Self {
            org,
            person: None,
            organization: true,
            model: None,
        }
    }

    /// A person's own notes and the organization's.
    pub const fn person(org: OrgId, person: UserId) -> Self {
        Self {
            org,
            person: Some(person),
            organization: true,
            model: None,
        }
    }

    /// Without the kind that was not asked for.
    #[must_use]
    pub fn only(self, kind: Option<NoteKind>) -> Self {
        Self {
            person: self.person.filter(|_| kind != Some(NoteKind::Organization)),
            organization: self.organization && kind != Some(NoteKind::Personal),
            ..self
        }
    }

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
    /// Newest first; not all where `total` is more.
    pub notes: Vec<NoteId>,
    pub total: usize,
}
