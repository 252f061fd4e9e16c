//! Download URLs for the files of a note. Storage keys are never shown.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use uuid::Uuid;

use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::failure::Failure;
use crate::api::integer::{self, Integer};
use crate::api::path::PathId;
use crate::base::error::Error;
use crate::base::ids::NoteId;
use crate::base::model::Model;
use crate::context::files::{Linked, PAGE};
use crate::services::Services;

/// Which files of the note.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "page": 1, "pageSize": 25 }))]
pub struct ListFiles {
    /// The partition the caller works in. A note of another one answers as absent.
    model_type: Option<Model>,
    #[schema(schema_with = page_documented, required = false)]
    page: Option<Integer>,
    #[schema(schema_with = size_documented, required = false)]
    page_size: Option<Integer>,
}

fn page_documented() -> RefOr<Schema> {
    integer::documented("Counted from 1. A page beyond the end is empty.")
}

fn size_documented() -> RefOr<Schema> {
    integer::documented("From 1 to 25; what is outside counts as the nearest of these.")
}

/// A file of a note.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoteFile {
    /// For `removeAttachmentIds` of an update, and for the attachment ids of a run.
    pub attachment_id: Uuid,
    pub filename: String,
    /// Valid for five minutes, for whoever has it. The note and the right to it are checked again when it is used.
    pub download_url: String,
    #[schema(example = 300)]
    pub expires_in_seconds: i64,
    pub bytes: Option<i64>,
}

/// A page of a note's files.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoteFiles {
    pub files: Vec<NoteFile>,
    pub total: i64,
    pub page: i64,
    pub page_size: i64,
    pub has_more: bool,
    /// Some files of this page cannot be had and were left out.
    pub partial: bool,
}

impl From<Linked> for NoteFile {
    fn from(linked: Linked) -> Self {
        Self {
            attachment_id: linked.file.id.uuid(),
            filename: linked.file.name,
            download_url: linked.url,
            expires_in_seconds: linked.seconds,
            bytes: linked.file.bytes,
        }
    }
}

/// List five-minute links for the files of an authorized note.
#[utoipa::path(
    post, path = "/users/memory/{memoryId}/files", tag = "Context",
    params(("memoryId" = Uuid, Path)), request_body = Option<ListFiles>,
    responses((status = 200, body = NoteFiles))
)]
pub async fn list(
    State(services): State<Services>,
    caller: Caller,
    PathId(id): PathId,
    Body { fields, .. }: Body<ListFiles>,
) -> Result<Json<NoteFiles>, Failure> {
    let id: NoteId = id.parse().map_err(|_| Error::NotFound("note"))?;
    let page = fields.page.map_or(1, |Integer(page)| page);
    let size = fields.page_size.map_or(PAGE, |Integer(size)| size);
    let listed = services
        .context
        .files_of(caller.principal(), id, fields.model_type, page, size)
        .await?;
    Ok(Json(NoteFiles {
        has_more: listed.page.saturating_mul(listed.size) < listed.total,
        total: listed.total,
        page: listed.page,
        page_size: listed.size,
        partial: listed.partial,
        files: listed.files.into_iter().map(NoteFile::from).collect(),
    }))
}
