//! The list of the organization's assistants: their state, problems to fix and conversations to review.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::assistants::model::{ConversationState, Installation, InstallationState, PlatformKind};
use crate::chat::setup::nav::{banners, base, platform};
use crate::edge::avatar::Avatar;
use crate::edge::view::{Fault, Frame, page};
use crate::edge::visitor::OrgAdmin;
use crate::services::Services;

#[derive(Template)]
#[template(path = "assistants.html")]
struct ListPage {
    frame: Frame,
    org_name: String,
    assistants: Vec<Line>,
}

struct Line {
    base: String,
    name: String,
    description: String,
    avatar: Avatar,
    shared: bool,
    platform: &'static str,
    state: &'static str,
    /// CSS class of the state.
    mark: &'static str,
    banners: Vec<String>,
    /// Number of conversations awaiting review.
    waiting: usize,
}

pub async fn show(State(services): State<Services>, OrgAdmin(visitor): OrgAdmin) -> Result<Response, Fault> {
    let org = visitor.principal.org;
    let mut assistants = Vec::new();
    for assistant in services.assistants.list(&visitor.principal).await? {
        let all = services.installations.of_assistant(org, assistant.id).await?;
        let at = all.iter().find(|at| at.kind() != PlatformKind::Web);
        let (state, mark) = at.map_or(("Preview only", "waiting"), state);
        let waiting = match at {
            Some(at) => {
                let requested = ConversationState::Requested;
                let conversations = &services.conversations;
                conversations.count(org, at.id, requested).await?
            }
            None => 0,
        };
        assistants.push(Line {
            base: base(assistant.id),
            avatar: Avatar::of(&assistant),
            shared: assistant.shared_enabled,
            platform: at.map_or("", |at| platform(at.kind())),
            state,
            mark,
            banners: at.map(banners).unwrap_or_default(),
            waiting,
            description: assistant.description,
            name: assistant.name,
        });
    }
    let template = ListPage {
        frame: visitor.frame(&services.site, "Assistants").at("assistants"),
        org_name: visitor.org_name,
        assistants,
    };
    Ok(page(StatusCode::OK, &template))
}

fn state(at: &Installation) -> (&'static str, &'static str) {
    match at.state {
        InstallationState::Pending => ("Not installed yet", "waiting"),
        InstallationState::Active => ("Active", "good"),
        InstallationState::Disabled => ("Disabled", "bad"),
    }
}
