//! Context notes as the API shows them, and the routes that create and change them.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::failure::Failure;
use crate::base::ids::{FileId, NoteId};
use crate::base::model::Model;
use crate::context::files::FileChange;
use crate::context::model::{NewNote, Note, NoteChange, NoteKind, Warning};
use crate::services::Services;

/// The kind of Context. The words are old, and clients rely on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryType {
    /// Personal Context when writing, both kinds when reading.
    Memory,
    /// Personal Context: its owner's alone.
    UserMemory,
    /// Organization Context.
    OrganisationMemory,
}

impl MemoryType {
    fn kind_to_write(self) -> NoteKind {
        match self {
            Self::Memory | Self::UserMemory => NoteKind::Personal,
            Self::OrganisationMemory => NoteKind::Organization,
        }
    }

    /// The kind to read; none for both.
    pub fn read(self) -> Option<NoteKind> {
        match self {
            Self::Memory => None,
            Self::UserMemory => Some(NoteKind::Personal),
            Self::OrganisationMemory => Some(NoteKind::Organization),
        }
    }
}

impl From<NoteKind> for MemoryType {
    fn from(kind: NoteKind) -> Self {
        match kind {
            NoteKind::Personal => Self::UserMemory,
            NoteKind::Organization => Self::OrganisationMemory,
        }
    }
}

/// A Context note.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Memory {
    pub memory_id: Uuid,
    /// `user_memory` or `organisation_memory`.
    pub memory_type: MemoryType,
    /// The only model whose runs use the note; null: every model.
    pub model_type: Option<Model>,
    pub folder: Option<String>,
    pub note_title: String,
    pub note_context: String,
    /// Whether it was written by the key's owner.
    pub owned: bool,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl Memory {
    pub fn of(note: Note, caller: &Caller) -> Self {
        Self {
            memory_id: note.id.uuid(),
            memory_type: note.kind.into(),
            model_type: note.model,
            folder: note.folder,
            note_title: note.title,
            note_context: note.body,
            owned: note.owner_id == caller.principal().user,
            created_at: note.created_at,
            updated_at: note.updated_at,
        }
    }
}

/// A note to write.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "memoryType": "user_memory",
    "noteTitle": "House standards",
    "noteContext": "Senior loans need a DSCR of at least 1.25x.",
    "folder": "Underwriting",
}))]
pub struct AddMemory {
    /// Left out, or the old word `memory`: Personal Context.
    pub memory_type: Option<MemoryType>,
    /// Only runs of this model use the note. Left out: runs of every model.
    pub model_type: Option<Model>,
    /// One line, at most 200 characters.
    #[schema(min_length = 1, max_length = 200)]
    pub note_title: String,
    /// At most 100,000 characters.
    #[schema(min_length = 1, max_length = 100_000)]
    pub note_context: String,
    /// The folder to put it into, by name, at most 100 characters. A folder is there as long as a note is in it.
    #[schema(max_length = 100)]
    pub folder: Option<String>,
}

/// What to change. Fields that are left out stay as they are.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "memoryId": "0198b7a2-6a52-7c3e-9d51-2f0c8f6f8a11",
    "noteContext": "Senior loans need a DSCR of at least 1.30x.",
}))]
pub struct UpdateMemory {
    /// The note. `noteId` is another name for it; one of the two is needed.
    pub memory_id: Option<Uuid>,
    pub note_id: Option<Uuid>,
    /// The kind the note is known to have. A note of another kind answers as absent.
    pub memory_type: Option<MemoryType>,
    /// The partition the caller works in. A note of another one answers as absent.
    pub model_type: Option<Model>,
    #[schema(max_length = 200)]
    pub note_title: Option<String>,
    #[schema(max_length = 100_000)]
    pub note_context: Option<String>,
    /// The folder to move it to; an empty text takes it out of its folder.
    #[schema(max_length = 100)]
    pub folder: Option<String>,
    /// Files to take off the note, by their `attachmentId`. Unless all of them are the note's, nothing is changed.
    pub remove_attachment_ids: Option<Vec<Uuid>>,
    /// `updatedAt` of the note as the caller knows it. If it has changed since, nothing is changed and 409 is
    /// answered.
    pub expected_updated_at: Option<DateTime<Utc>>,
}

/// A note that was written or changed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WrittenMemory {
    #[serde(flatten)]
    pub memory: Memory,
    /// The note stands, but not all that came with it: `warnings` says what.
    pub partial: bool,
    pub warnings: Vec<Shortfall>,
}

/// Something that was asked for and not done, while the rest was.
#[derive(Debug, Serialize, ToSchema)]
pub struct Shortfall {
    /// A stable word.
    #[schema(example = "organisation_memory_incomplete")]
    pub code: &'static str,
    /// What happened and what to do.
    pub detail: String,
}

impl From<Warning> for Shortfall {
    fn from(warning: Warning) -> Self {
        Self {
            code: warning.code,
            detail: warning.detail,
        }
    }
}

/// Create a Context note.
///
/// With files in base64 (`files` or `filesBase64`), or as parts of a form named `files`. Personal Context is seen
/// by the key's owner alone. Organization Context is seen by every member of the
/// organization; its author and administrators may change it.
#[utoipa::path(
    post, path = "/users/add-to-memory", tag = "Context", request_body = AddMemory,
    responses((status = 201, description = "The note is written", body = WrittenMemory))
)]
pub async fn add(
    State(services): State<Services>,
    caller: Caller,
    Body { fields, files }: Body<AddMemory>,
) -> Result<(StatusCode, Json<WrittenMemory>), Failure> {
    let new = NewNote {
        kind: fields.memory_type.unwrap_or(MemoryType::Memory).kind_to_write(),
        model: fields.model_type,
        folder: fields.folder,
        title: fields.note_title,
        body: fields.note_context,
    };
    let (note, warnings) = services
        .context
        .write_with(caller.principal(), new, &files)
        .await?;
    Ok((StatusCode::CREATED, Json(written_memory(note, warnings, &caller))))
}

/// Change a Context note.
///
/// A Personal note of somebody else answers as absent; an Organization note is changed by its author or an
/// administrator. All of the change is made, or nothing.
#[utoipa::path(
    post, path = "/users/update-memory", tag = "Context", request_body = UpdateMemory,
    responses(
        (status = 200, description = "The note as it is now", body = WrittenMemory),
        (status = 403, description = "An Organization note of another author"),
        (status = 404, description = "Absent, somebody else's, or of another kind or partition"),
        (status = 409, description = "The note has changed since `expectedUpdatedAt`"),
    )
)]
pub async fn update(
    State(services): State<Services>,
    caller: Caller,
    Body { fields, files }: Body<UpdateMemory>,
) -> Result<Json<WrittenMemory>, Failure> {
    let id = fields.id()?;
    let removed = fields.remove_attachment_ids.unwrap_or_default();
    let files = FileChange {
        added: files,
        removed: removed.into_iter().map(FileId::from_uuid).collect(),
    };
    let change = NoteChange {
        title: fields.note_title,
        body: fields.note_context,
        folder: fields.folder,
        as_of: fields.expected_updated_at,
    };
    if change.is_empty() && files.is_empty() {
        let why = "nothing is to be changed: give noteTitle, noteContext, folder or files";
        return Err(Failure::field("body", "nothing_to_change", why));
    }
    let kind = fields.memory_type.and_then(MemoryType::read);
    let (note, warnings) = services
        .context
        .change_with(caller.principal(), id, kind, fields.model_type, change, files)
        .await?;
    Ok(Json(written_memory(note, warnings, &caller)))
}

fn written_memory(note: Note, warnings: Vec<Warning>, caller: &Caller) -> WrittenMemory {
    WrittenMemory {
        memory: Memory::of(note, caller),
        partial: !warnings.is_empty(),
        warnings: warnings.into_iter().map(Shortfall::from).collect(),
    }
}

impl UpdateMemory {
    fn id(&self) -> Result<NoteId, Failure> {
        match (self.memory_id, self.note_id) {
            (Some(one), Some(other)) if one != other => Err(Failure::field(
                "noteId",
                "conflicting_aliases",
                "is another note than memoryId; give one of the two",
            )),
            (Some(id), _) | (None, Some(id)) => Ok(NoteId::from_uuid(id)),
            (None, None) => Err(Failure::field("memoryId", "missing", "names no note")),
        }
    }
}
