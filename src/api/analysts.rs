//! Routes for the custom analysts of the key's owner.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::analysts::model::{Memory, Profile, Selected, Written};
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::cursor::{self, Limit};
use crate::api::failure::Failure;
use crate::api::notes::Shortfall;
use crate::api::path::PathId;
use crate::api::query::Query;
use crate::base::error::Error;
use crate::base::ids::{AnalystId, NoteId};
use crate::base::model::Model;
use crate::base::tone::Tone;
use crate::files::spool::{Purpose, Upload};
use crate::services::Services;

/// What an analyst is to remember, as an Organization note.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganisationMemory {
    /// The Organization note to change and to make the analyst's. Left out: a new note, if there are both title
    /// and context.
    pub note_id: Option<Uuid>,
    #[schema(max_length = 200)]
    pub note_title: Option<String>,
    #[schema(max_length = 100_000)]
    pub note_context: Option<String>,
}

/// A custom analyst as its owner wants it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "name": "Lease abstractor",
    "base": "svc-local",
    "tone": "consultative",
    "emoji": "📄",
    "organisationMemory": {
        "noteTitle": "Lease terms we accept", "noteContext": "Break options need six months' notice."
    },
}))]
pub struct AnalystFields {
    /// One line.
    #[schema(min_length = 1, max_length = 80)]
    pub name: String,
    /// The built-in model that answers.
    pub base: Model,
    pub tone: Tone,
    /// An empty text takes it away. Left out in an update: as it is.
    #[schema(max_length = 16)]
    pub emoji: Option<String>,
    /// What the analyst is for and how it works. Left out in an update: as it is.
    #[schema(max_length = 4000)]
    pub description: Option<String>,
    pub organisation_memory: Option<OrganisationMemory>,
}

/// A custom analyst.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomAnalyst {
    /// For updates, and for `customAnalyst.id` of a run.
    pub id: Uuid,
    /// For runs: `user.modelId`.
    pub model_id: Uuid,
    pub name: String,
    pub base: Model,
    pub tone: Tone,
    pub emoji: Option<String>,
    pub description: String,
    pub organisation_memory: AnalystNotes,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// The Organization notes that every run of the analyst gets.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnalystNotes {
    /// Oldest first.
    pub note_ids: Vec<Uuid>,
}

/// An analyst that was made or changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct WrittenAnalyst {
    #[serde(flatten)]
    pub analyst: CustomAnalyst,
    /// The analyst stands, but not all of its organization memory was kept: `warnings` says what.
    pub partial: bool,
    pub warnings: Vec<Shortfall>,
}

impl From<Selected> for CustomAnalyst {
    fn from(selected: Selected) -> Self {
        let Selected { analyst, notes } = selected;
        Self {
            id: analyst.id.uuid(),
            model_id: analyst.model_id.uuid(),
            name: analyst.name,
            base: analyst.base,
            tone: analyst.tone,
            emoji: analyst.emoji,
            description: analyst.description,
            organisation_memory: AnalystNotes {
                note_ids: notes.into_iter().map(NoteId::uuid).collect(),
            },
            created_at: analyst.created_at,
            updated_at: analyst.updated_at,
        }
    }
}

impl From<Written> for WrittenAnalyst {
    fn from(written: Written) -> Self {
        Self {
            partial: !written.warnings.is_empty(),
            warnings: written.warnings.into_iter().map(Shortfall::from).collect(),
            analyst: written.analyst.into(),
        }
    }
}

impl AnalystFields {
    fn parts(self, files: Vec<Upload>) -> Result<(Profile, Memory), Failure> {
        if files.iter().any(|file| file.part != Purpose::OrganisationMemory) {
            let why =
                "an analyst keeps files with its organization memory: send them as organisationMemoryFiles";
            return Err(Failure::field("files", "unexpected", why));
        }
        let memory = self.organisation_memory.unwrap_or_default();
        let profile = Profile {
            name: self.name,
            base: self.base,
            tone: self.tone,
            emoji: self.emoji,
            description: self.description,
        };
        let memory = Memory {
            note: memory.note_id.map(NoteId::from_uuid),
            title: memory.note_title,
            body: memory.note_context,
            files,
        };
        Ok((profile, memory))
    }
}

/// Renames the fields of an invalid note to their path in this body.
fn of_memory(error: Error) -> Failure {
    match error {
        Error::Invalid {
            field: field @ ("noteTitle" | "noteContext"),
            why,
        } => Failure::field(&format!("organisationMemory.{field}"), "invalid", why),
        other => other.into(),
    }
}

/// Create a custom analyst.
///
/// It belongs to the key's owner. Its organization memory becomes an Organization note, which stays when the
/// analyst is deleted.
#[utoipa::path(
    post, path = "/users/custom-analysts", tag = "Custom analysts", request_body = AnalystFields,
    responses(
        (status = 201, description = "The analyst is made", body = WrittenAnalyst),
        (status = 404, description = "`organisationMemory.noteId` is absent or not the owner's to change"),
    )
)]
pub async fn create(
    State(services): State<Services>,
    caller: Caller,
    Body { fields, files }: Body<AnalystFields>,
) -> Result<(StatusCode, Json<WrittenAnalyst>), Failure> {
    let (profile, memory) = fields.parts(files)?;
    let written = services
        .analysts
        .create(caller.principal(), profile, memory)
        .await
        .map_err(of_memory)?;
    Ok((StatusCode::CREATED, Json(written.into())))
}

/// Where a page of analysts begins.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Listing {
    /// `nextCursor` of the page before.
    cursor: Option<String>,
    #[serde(default)]
    #[param(inline)]
    limit: Limit,
}

/// A page of analysts, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomAnalysts {
    pub analysts: Vec<CustomAnalyst>,
    /// Where the next page begins; null on the last.
    pub next_cursor: Option<String>,
}

/// List the owner's custom analysts.
#[utoipa::path(
    get, path = "/users/custom-analysts", tag = "Custom analysts", params(Listing),
    responses((status = 200, body = CustomAnalysts))
)]
pub async fn list(
    State(services): State<Services>,
    caller: Caller,
    Query(listing): Query<Listing>,
) -> Result<Json<CustomAnalysts>, Failure> {
    const LIST: &str = "custom-analysts";
    let before: Option<Uuid> = cursor::after(LIST, listing.cursor.as_deref())?;
    let before = before.map(AnalystId::from_uuid);
    let found = services
        .analysts
        .list(caller.principal(), before, listing.limit.rows())
        .await?;
    let (found, next_cursor) = cursor::page(found, listing.limit, LIST, |one| one.analyst.id.uuid());
    Ok(Json(CustomAnalysts {
        analysts: found.into_iter().map(CustomAnalyst::from).collect(),
        next_cursor,
    }))
}

/// Update an owned analyst.
///
/// All of it is changed, or nothing. With `organisationMemory.noteId` that note is changed; without it, a note is
/// written if there are both title and context.
#[utoipa::path(
    put, path = "/users/custom-analysts/{analystId}", tag = "Custom analysts",
    params(("analystId" = Uuid, Path)), request_body = AnalystFields,
    responses((status = 200, description = "The analyst as it is now", body = WrittenAnalyst))
)]
pub async fn update(
    State(services): State<Services>,
    caller: Caller,
    PathId(id): PathId,
    Body { fields, files }: Body<AnalystFields>,
) -> Result<Json<WrittenAnalyst>, Failure> {
    let id: AnalystId = id.parse().map_err(|_| Error::NotFound("analyst"))?;
    let (profile, memory) = fields.parts(files)?;
    let written = services
        .analysts
        .update(caller.principal(), id, profile, memory)
        .await
        .map_err(of_memory)?;
    Ok(Json(written.into()))
}

/// Delete an owned analyst. Its notes stay.
#[utoipa::path(
    delete, path = "/users/custom-analysts/{analystId}", tag = "Custom analysts",
    params(("analystId" = Uuid, Path)),
    responses((status = 204, description = "The analyst is deleted"))
)]
pub async fn delete(
    State(services): State<Services>,
    caller: Caller,
    PathId(id): PathId,
) -> Result<StatusCode, Failure> {
    let id: AnalystId = id.parse().map_err(|_| Error::NotFound("analyst"))?;
    services.analysts.delete(caller.principal(), id).await?;
    Ok(StatusCode::NO_CONTENT)
}
