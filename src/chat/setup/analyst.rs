//! The page that binds a custom analyst to an assistant.
//!
//! Administrators choose among their own analysts. An analyst that the operator bound and someone else created is
//! listed by name, so that it can be kept or unbound.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::analysts::model::Selected;
use crate::base::error::Error;
use crate::base::ids::AnalystId;
use crate::chat::core::analyst::{BoundAnalyst, bound_analyst};
use crate::chat::setup::nav::Nav;
use crate::chat::setup::opening::{FormRequest, PageRequest};
use crate::edge::view::{Fault, Frame, page};

/// Maximum number of analysts listed.
const MAX_ANALYSTS: i64 = 100;

#[derive(Template)]
#[template(path = "assistant_analyst.html")]
struct AnalystPage {
    frame: Frame,
    nav: Nav,
    csrf: String,
    /// No custom analyst is bound: the service's own model answers.
    own_model: bool,
    choices: Vec<Choice>,
}

struct Choice {
    id: String,
    name: String,
    about: String,
    chosen: bool,
}

impl Choice {
    fn of(selected: &Selected, chosen: bool) -> Self {
        let Selected { analyst, notes } = selected;
        let emoji = analyst.emoji.as_deref().unwrap_or_default();
        Self {
            id: analyst.id.to_string(),
            name: format!("{emoji} {}", analyst.name).trim().to_owned(),
            about: format!(
                "{}, {}, {} Organization note{}",
                analyst.base,
                analyst.tone,
                notes.len(),
                if notes.len() == 1 { "" } else { "s" }
            ),
            chosen,
        }
    }
}

#[derive(Deserialize)]
pub struct Fields {
    /// Empty for the service's own model.
    #[serde(default)]
    analyst: String,
}

pub async fn show(request: PageRequest) -> Result<Response, Fault> {
    let (services, assistant) = (&request.services, &request.opened.assistant);
    let bound = match bound_analyst(services, request.org(), assistant).await? {
        BoundAnalyst::Bound(selected) => Some(*selected),
        BoundAnalyst::None | BoundAnalyst::Deleted(_) => None,
    };
    let own = services
        .analysts
        .list(&request.visitor.principal, None, MAX_ANALYSTS)
        .await?;
    let is_bound = |one: &Selected| {
        bound
            .as_ref()
            .is_some_and(|bound| bound.analyst.id == one.analyst.id)
    };
    let mut choices: Vec<Choice> = own.iter().map(|one| Choice::of(one, is_bound(one))).collect();
    if let Some(other) = bound.as_ref().filter(|_| choices.iter().all(|one| !one.chosen)) {
        choices.insert(0, Choice::of(other, true));
    }
    let template = AnalystPage {
        csrf: request.visitor.csrf(),
        frame: request.opened.frame,
        nav: request.opened.nav,
        own_model: bound.is_none(),
        choices,
    };
    Ok(page(StatusCode::OK, &template))
}

pub async fn save(request: FormRequest<Fields>) -> Result<Response, Fault> {
    let (services, assistant) = (&request.services, &request.opened.assistant);
    let given = request.form.analyst.trim();
    let analyst = if given.is_empty() {
        None
    } else {
        let id: AnalystId = given.parse().map_err(|_| Error::NotFound("analyst"))?;
        // The analyst that is already bound may stay, even if someone else created it.
        if assistant.analyst_id != Some(id) {
            let selected = services.analysts.select(&request.visitor.principal, id.uuid());
            selected.await?;
        }
        Some(id)
    };
    services
        .assistants
        .bind_analyst(request.actor(), request.org(), assistant.id, analyst)
        .await?;
    let done = if analyst.is_some() { "bound" } else { "unbound" };
    Ok(request.back("analyst", done))
}
