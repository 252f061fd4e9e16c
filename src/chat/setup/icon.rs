//! Uploads, removes and serves the icon of an assistant. The assistants service validates the image.

use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};

use crate::assistants::model::Assistant;
use crate::audit::store::Actor;
use crate::base::error::Error;
use crate::base::ids::AssistantId;
use crate::base::secret::Secret;
use crate::chat::setup::brand::refused_icon;
use crate::chat::setup::nav::open;
use crate::chat::setup::opening::{FormRequest, NoFields};
use crate::chat::slack::access::SlackAccess;
use crate::edge::form::AdminUpload;
use crate::edge::view::{Fault, see_other};
use crate::edge::visitor::Visitor;
use crate::services::Services;

pub async fn upload(
    State(services): State<Services>,
    Path(id): Path<String>,
    posted: AdminUpload,
) -> Result<Response, Fault> {
    let visitor = posted.visitor;
    let opened = open(&services, &visitor, &id, "Brand", None).await?;
    let (org, actor) = (visitor.principal.org, Actor::from(&visitor.principal));
    let set = services
        .assistants
        .set_icon(&services.blobs, actor, org, opened.assistant.id, posted.file);
    match set.await {
        Ok(()) => Ok(see_other(&format!("{}?done=icon", opened.nav.base))),
        Err(Error::Invalid { why, .. }) => Ok(refused_icon(&visitor, opened, why)),
        Err(error) => Err(error.into()),
    }
}

pub async fn remove(request: FormRequest<NoFields>) -> Result<Response, Fault> {
    let services = &request.services;
    services
        .assistants
        .remove_icon(
            &services.blobs,
            request.actor(),
            request.org(),
            request.opened.assistant.id,
        )
        .await?;
    Ok(request.back("", "icon-removed"))
}

/// Serves the icon to every member of the organization, because the preview shows it too.
pub async fn show(
    State(services): State<Services>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    let id: AssistantId = id.parse().map_err(|_| Error::NotFound("assistant"))?;
    let found = services
        .assistants
        .icon(&services.blobs, visitor.principal.org, id)
        .await?;
    let icon = found.ok_or(Error::NotFound("icon"))?;
    let mut response = icon.bytes.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(icon.kind));
    // A new icon gets a new URL, so this one can be cached forever.
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("private, max-age=31536000, immutable"),
    );
    Ok(response)
}

/// Uploads the assistant's icon, if it has one, to the app in Slack. Returns false if that failed, which is no
/// error: the app works without an icon.
pub async fn upload_to_slack(
    services: &Services,
    slack: &SlackAccess,
    assistant: &Assistant,
    token: &Secret,
    app_id: &str,
) -> bool {
    let (org, id) = (assistant.org_id, assistant.id);
    match services.assistants.icon(&services.blobs, org, id).await {
        Ok(None) => true,
        // The Slack client logs the error.
        Ok(Some(icon)) => slack.set_icon(token, app_id, icon).await.is_ok(),
        Err(error) => {
            tracing::warn!(assistant = %id, error = error.chain(), "could not read the icon");
            false
        }
    }
}
