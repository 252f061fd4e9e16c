//! Routes that read Context: lists, ranked search, folders. They have no effects and accept an empty body.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::cursor::{self, Limit};
use crate::api::failure::Failure;
use crate::api::notes::{Memory, MemoryType};
use crate::base::error::Error;
use crate::base::ids::NoteId;
use crate::base::model::Model;
use crate::context::model::{NoteKind, Scope};
use crate::context::service;
use crate::services::Services;

/// Longest search text, in characters.
const QUERY: usize = 10_000;

/// Which notes to list. What is left out does not narrow the list.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "memoryType": "organisation_memory", "folder": "Underwriting", "limit": 50 }))]
pub struct ListMemory {
    /// Left out, or the old word `memory`: both kinds.
    memory_type: Option<MemoryType>,
    /// Notes that runs of this model use: its own and those of no model. Left out: notes of all models.
    model_type: Option<Model>,
    /// This note alone, if the owner may see it.
    memory_id: Option<Uuid>,
    folder: Option<String>,
    /// Where this page begins: `nextCursor` of the page before.
    cursor: Option<String>,
    #[serde(default)]
    #[schema(inline)]
    limit: Limit,
}

/// A page of notes, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryList {
    pub memories: Vec<Memory>,
    /// Where the next page begins; null on the last.
    pub next_cursor: Option<String>,
}

/// List the Context available to the owner.
#[utoipa::path(
    post, path = "/users/get-user-memory", tag = "Context", request_body = Option<ListMemory>,
    responses((status = 200, body = MemoryList))
)]
pub async fn list(
    State(services): State<Services>,
    caller: Caller,
    Body { fields, .. }: Body<ListMemory>,
) -> Result<Json<MemoryList>, Failure> {
    let scope = scope(&caller, fields.memory_type, fields.model_type);
    let folder = fields.folder.as_deref().map(service::folder).transpose()?;
    let name = format!(
        "memory/{:?}/{:?}/{:?}/{folder:?}",
        fields.memory_type, fields.model_type, fields.memory_id
    );
    let before: Option<Uuid> = cursor::after(&name, fields.cursor.as_deref())?;
    let notes = match fields.memory_id {
        Some(id) => {
            let note = services.context.get(scope, NoteId::from_uuid(id)).await;
            let note = match note {
                Ok(note) => Some(note),
                Err(Error::NotFound(_)) => None,
                Err(error) => return Err(error.into()),
            };
            note.into_iter()
                .filter(|note| folder.is_none() || note.folder == folder)
                .collect()
        }
        None => {
            services
                .context
                .list(
                    scope,
                    folder.as_deref(),
                    before.map(NoteId::from_uuid),
                    fields.limit.rows(),
                )
                .await?
        }
    };
    let (notes, next_cursor) = cursor::page(notes, fields.limit, &name, |note| note.id.uuid());
    Ok(Json(MemoryList {
        memories: notes.into_iter().map(|note| Memory::of(note, &caller)).collect(),
        next_cursor,
    }))
}

/// What to search for.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "query": "minimum DSCR for senior loans", "limit": 10 }))]
pub struct SearchMemory {
    /// Words; signs between them have no meaning. Left out: nothing is found.
    #[serde(default)]
    #[schema(max_length = 10_000)]
    query: String,
    /// Left out, or the old word `memory`: both kinds.
    memory_type: Option<MemoryType>,
    /// Notes that runs of this model use: its own and those of no model. Left out: notes of all models.
    model_type: Option<Model>,
    #[serde(default)]
    #[schema(inline)]
    limit: Limit,
}

/// A note that was found.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundMemory {
    pub memory: Memory,
    /// How well it fits. Only for comparison with others of the same answer.
    pub score: f64,
}

/// The best notes, best first.
#[derive(Debug, Serialize, ToSchema)]
pub struct MemorySearch {
    pub results: Vec<FoundMemory>,
}

/// Search Personal and Organization Context.
///
/// Words are compared by their stems: `leases` finds `leased`.
#[utoipa::path(
    post, path = "/users/memory/search", tag = "Context", request_body = Option<SearchMemory>,
    responses((status = 200, body = MemorySearch))
)]
pub async fn search(
    State(services): State<Services>,
    caller: Caller,
    Body { fields, .. }: Body<SearchMemory>,
) -> Result<Json<MemorySearch>, Failure> {
    if fields.query.chars().count() > QUERY {
        let why = format!("has more than {QUERY} characters");
        return Err(Failure::field("query", "too_long", why));
    }
    let scope = scope(&caller, fields.memory_type, fields.model_type);
    let most = fields.limit.items();
    let found = services.context.search(scope, &fields.query, most).await?;
    let shown = found.into_iter().map(|found| FoundMemory {
        memory: Memory::of(found.note, &caller),
        score: found.score,
    });
    Ok(Json(MemorySearch {
        results: shown.collect(),
    }))
}

/// Which folders to list. What is left out does not narrow the list.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "memoryType": "organisation_memory" }))]
pub struct ListFolders {
    /// Left out, or the old word `memory`: both kinds.
    memory_type: Option<MemoryType>,
    /// Only notes that runs of this model use. Left out: notes of all models.
    model_type: Option<Model>,
    /// Where this page begins: `nextCursor` of the page before.
    cursor: Option<String>,
    #[serde(default)]
    #[schema(inline)]
    limit: Limit,
}

/// A folder. Personal and Organization notes never share one.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryFolder {
    pub folder: String,
    pub memory_type: MemoryType,
    /// Newest first, at most 1,000.
    pub memory_ids: Vec<Uuid>,
    /// Notes in the folder.
    pub total: usize,
    /// The folder has more notes than are named here: list them with `POST /users/get-user-memory`.
    pub partial: bool,
}

/// A page of folders, by kind and name.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryFolders {
    pub folders: Vec<MemoryFolder>,
    /// Where the next page begins; null on the last.
    pub next_cursor: Option<String>,
}

/// List the folders of the owner's Context and the notes in each.
#[utoipa::path(
    post, path = "/users/memory/folders", tag = "Context", request_body = Option<ListFolders>,
    responses((status = 200, body = MemoryFolders))
)]
pub async fn folders(
    State(services): State<Services>,
    caller: Caller,
    Body { fields, .. }: Body<ListFolders>,
) -> Result<Json<MemoryFolders>, Failure> {
    let scope = scope(&caller, fields.memory_type, fields.model_type);
    let name = format!("folders/{:?}/{:?}", fields.memory_type, fields.model_type);
    let after: Option<(String, String)> = cursor::after(&name, fields.cursor.as_deref())?;
    let after = after
        .as_ref()
        .and_then(|(kind, name)| Some((kind.parse::<NoteKind>().ok()?, name.as_str())));
    let folders = services
        .context
        .folders(scope, after, fields.limit.rows())
        .await?;
    let (folders, next_cursor) = cursor::page(folders, fields.limit, &name, |folder| {
        (folder.kind.as_str().to_owned(), folder.name.clone())
    });
    let shown = folders.into_iter().map(|folder| MemoryFolder {
        memory_type: folder.kind.into(),
        memory_ids: folder.notes.iter().map(|id| id.uuid()).collect(),
        partial: folder.total > folder.notes.len(),
        total: folder.total,
        folder: folder.name,
    });
    Ok(Json(MemoryFolders {
        folders: shown.collect(),
        next_cursor,
    }))
}

/// The notes that the owner may see, narrowed to the requested kind and model.
pub fn scope(caller: &Caller, kind: Option<MemoryType>, model: Option<Model>) -> Scope {
    let principal = caller.principal();
    Scope::person(principal.org, principal.user)
        .only(kind.and_then(MemoryType::read))
        .of_model(model)
}
