//! Context notes: personal and organization. The identifiers of the kinds are the contract's.

use chrono::{DateTime, Utc};

use crate::base::ids::{NoteId, OrgId, UserId};

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
    pub owner_id: UserId,
    pub title: String,
    pub body: String,
    pub updated_at: DateTime<Utc>,
}

/// Whose notes a search may see.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    pub org: OrgId,
    /// The person whose personal notes are included; none in an organisation-safe run.
    pub person: Option<UserId>,
}
