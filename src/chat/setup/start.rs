//! An assistant that talks in the preview alone: the first step into Slack.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::assistants::model::PlatformKind;
use crate::audit::store::Actor;
use crate::chat::setup::nav::{Nav, Opened, open};
use crate::edge::form::AdminPosted;
use crate::edge::view::{Fault, Frame, page, see_other};
use crate::edge::visitor::Visitor;
use crate::services::Services;

#[derive(Template)]
#[template(path = "assistant_start.html")]
struct StartPage {
    frame: Frame,
    nav: Nav,
    csrf: String,
}

#[derive(Deserialize)]
pub struct Nothing {}

pub fn page_for(opened: Opened, visitor: &Visitor) -> Response {
    let template = StartPage {
        frame: opened.frame,
        nav: opened.nav,
        csrf: visitor.csrf(),
    };
    page(StatusCode::OK, &template)
}

/// Gives it addresses for Slack to call.
pub async fn start(
    State(services): State<Services>,
    Path(id): Path<String>,
    posted: AdminPosted<Nothing>,
) -> Result<Response, Fault> {
    let opened = open(&services, &posted.visitor, &id, "Install", None).await?;
    let (assistant, actor) = (&opened.assistant, Actor::from(&posted.visitor.principal));
    services
        .assistants
        .add_platform(actor, assistant.org_id, assistant.id, PlatformKind::Slack)
        .await?;
    Ok(see_other(&format!("{}/install", opened.nav.base)))
}
