//! The Install page of an assistant that is only in the browser preview: the first step of setting it up in Slack.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

use crate::assistants::model::PlatformKind;
use crate::chat::setup::nav::{Nav, OpenAssistant};
use crate::chat::setup::opening::{FormRequest, NoFields};
use crate::edge::view::{Fault, Frame, page, see_other};
use crate::edge::visitor::Visitor;

#[derive(Template)]
#[template(path = "assistant_start.html")]
struct StartPage {
    frame: Frame,
    nav: Nav,
    csrf: String,
}

pub fn page_for(opened: OpenAssistant, visitor: &Visitor) -> Response {
    let template = StartPage {
        frame: opened.frame,
        nav: opened.nav,
        csrf: visitor.csrf(),
    };
    page(StatusCode::OK, &template)
}

/// Creates the Slack installation, with the URLs that Slack calls.
pub async fn start(request: FormRequest<NoFields>) -> Result<Response, Fault> {
    let installations = &request.services.installations;
    installations
        .add(
            request.actor(),
            request.org(),
            request.opened.assistant.id,
            PlatformKind::Slack,
        )
        .await?;
    Ok(see_other(&format!("{}/install", request.opened.nav.base)))
}
