//! The start page and the overview: the signed-in person, the assistants and their state, and the included usage that
//! is left.
//!
//! Shows usage as a share, never as an amount of money. Does not depend on the set-up pages.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;

use crate::assistants::model::{Installation, InstallationState, PlatformKind};
use crate::base::principal::Role;
use crate::edge::avatar::Avatar;
use crate::edge::view::{Fault, Frame, page, see_other};
use crate::edge::visitor::{MaybeVisitor, Visitor};
use crate::services::Services;
use crate::usage::language_models::Budget;

pub fn router() -> Router<Services> {
    Router::new()
        .route("/", get(start))
        .route("/console", get(overview))
}

#[derive(Template)]
#[template(path = "console.html")]
struct Overview {
    frame: Frame,
    visitor: Visitor,
    role: &'static str,
    /// Per cent of the included usage that is left; none if the plan includes no usage.
    left: Option<u8>,
    /// Most of a budget for the language model is spent; for administrators.
    model_budget_near: bool,
    assistants: Vec<Card>,
    /// The plan includes chat assistants, and the person may set them up.
    may_set_up: bool,
}

struct Card {
    id: String,
    name: String,
    avatar: Avatar,
    tone: String,
    shared: bool,
    platforms: Vec<Row>,
    in_preview: bool,
}

struct Row {
    name: &'static str,
    state: &'static str,
    /// CSS class of the state.
    mark: &'static str,
    because: String,
}

async fn start(MaybeVisitor(visitor): MaybeVisitor) -> Response {
    see_other(if visitor.is_some() { "/preview" } else { "/sign-in" })
}

async fn overview(State(services): State<Services>, visitor: Visitor) -> Result<Response, Fault> {
    let mut assistants = Vec::new();
    for assistant in services.assistants.list(&visitor.principal).await? {
        let installations = services
            .installations
            .of_assistant(visitor.principal.org, assistant.id)
            .await?;
        assistants.push(Card {
            id: assistant.id.to_string(),
            avatar: Avatar::of(&assistant),
            name: assistant.name,
            tone: assistant.tone,
            shared: assistant.shared_enabled,
            in_preview: installations.iter().any(|at| at.kind() == PlatformKind::Web),
            platforms: installations.iter().map(row).collect(),
        });
    }
    let template = Overview {
        frame: visitor.frame(&services.site, "Overview").at("console"),
        role: match visitor.principal.role {
            Role::Owner => "Owner",
            Role::Admin => "Administrator",
            Role::Member => "Member",
        },
        left: services.usage.percent_left(&visitor.principal).await?,
        model_budget_near: visitor.principal.role.is_admin()
            && services
                .usage
                .model_budgets(&visitor.principal)
                .await?
                .iter()
                .any(Budget::is_near),
        assistants,
        may_set_up: services
            .installations
            .check_may_set_up(&visitor.principal)
            .await
            .is_ok(),
        visitor,
    };
    Ok(page(StatusCode::OK, &template))
}

fn row(at: &Installation) -> Row {
    let (state, mark) = match at.state {
        InstallationState::Pending => ("Not installed yet", "waiting"),
        InstallationState::Active => ("Active", "good"),
        InstallationState::Disabled => ("Disabled", "bad"),
    };
    Row {
        name: match at.kind() {
            PlatformKind::Slack => "Slack",
            PlatformKind::Teams => "Microsoft Teams",
            PlatformKind::Web => "Browser preview",
        },
        state,
        mark,
        because: at.disabled_because.clone().unwrap_or_default(),
    }
}
