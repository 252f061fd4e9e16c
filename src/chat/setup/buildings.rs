//! The page that selects the buildings which answers in one shared conversation may use.
//!
//! Access grants are not checked here: they limit the answers to each person further.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use axum::extract::Query;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::base::error::{Error, Result};
use crate::chat::setup::conversations::{back, display_name, installed};
use crate::chat::setup::nav::{Nav, OpenAssistant};
use crate::chat::setup::opening::{FormRequest, PageRequest};
use crate::edge::view::{Fault, Frame, page};
use crate::edge::visitor::Visitor;
use crate::services::Services;

/// Prefix of a building's checkbox name, so that it cannot collide with other form fields.
const BUILDING_PREFIX: &str = "building:";

#[derive(Template)]
#[template(path = "assistant_buildings.html")]
struct BuildingsPage {
    frame: Frame,
    nav: Nav,
    csrf: String,
    org_name: String,
    conversation: String,
    title: String,
    /// Cursor of the list page to return to.
    after: String,
    all: bool,
    choices: Vec<Choice>,
    wrong: Option<String>,
}

struct Choice {
    id: String,
    /// `None` if the building is selected but no longer exists in the organization.
    name: Option<String>,
    chosen: bool,
}

#[derive(Deserialize)]
pub struct PageQuery {
    #[serde(default)]
    conversation: String,
    #[serde(default)]
    after: String,
}

pub async fn show(request: PageRequest, Query(query): Query<PageQuery>) -> Result<Response, Fault> {
    let PageRequest {
        services,
        visitor,
        opened,
    } = request;
    Ok(render(&services, &visitor, opened, query, None).await?)
}

#[derive(Deserialize)]
pub struct Form {
    #[serde(default)]
    conversation: String,
    after: Option<String>,
    /// `all` or `some`.
    #[serde(default)]
    which: String,
    /// The ticked checkboxes.
    #[serde(flatten)]
    checkboxes: BTreeMap<String, String>,
}

impl Form {
    fn ticked(&self) -> BTreeSet<String> {
        let ids = self
            .checkboxes
            .keys()
            .filter_map(|name| name.strip_prefix(BUILDING_PREFIX));
        ids.map(str::to_owned).collect()
    }
}

/// A selection that was refused, and why.
struct Refused {
    ticked: BTreeSet<String>,
    why: String,
}

pub async fn save(request: FormRequest<Form>) -> Result<Response, Fault> {
    let (at, form) = (installed(&request.opened)?, &request.form);
    let ticked = form.ticked();
    let buildings = (form.which == "some").then(|| ticked.iter().cloned().collect());
    let conversations = &request.services.conversations;
    let set = conversations.set_buildings(
        request.actor(),
        request.org(),
        at.id,
        &form.conversation,
        buildings,
    );
    match set.await {
        Ok(()) => Ok(back(&request, "buildings", form.after.as_deref())),
        Err(Error::Invalid { why, .. }) => {
            let query = PageQuery {
                conversation: request.form.conversation,
                after: request.form.after.unwrap_or_default(),
            };
            let refused = Some(Refused { ticked, why });
            Ok(render(
                &request.services,
                &request.visitor,
                request.opened,
                query,
                refused,
            )
            .await?)
        }
        Err(error) => Err(error.into()),
    }
}

async fn render(
    services: &Services,
    visitor: &Visitor,
    opened: OpenAssistant,
    query: PageQuery,
    refused: Option<Refused>,
) -> Result<Response> {
    let (org, at) = (visitor.principal.org, installed(&opened)?);
    let found = services.conversations.find(org, at.id, &query.conversation);
    let conversation = found.await?.ok_or(Error::NotFound("conversation"))?;
    let title = display_name(&conversation);
    let saved = conversation.buildings.map(|set| set.0);
    let all = saved.is_none() && refused.is_none();
    let (chosen, wrong) = match refused {
        Some(Refused { ticked, why }) => (ticked, Some(why)),
        None => (saved.unwrap_or_default().into_iter().collect(), None),
    };
    let mut choices: Vec<Choice> = services
        .portfolio
        .buildings(org)
        .await?
        .into_iter()
        .map(|building| Choice {
            chosen: chosen.contains(&building.id),
            id: building.id,
            name: Some(building.name),
        })
        .collect();
    let gone = chosen
        .iter()
        .filter(|id| choices.iter().all(|choice| choice.id != **id));
    let gone: Vec<Choice> = gone
        .map(|id| Choice {
            id: id.clone(),
            name: None,
            chosen: true,
        })
        .collect();
    choices.extend(gone);
    let status = if wrong.is_some() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    let template = BuildingsPage {
        frame: opened.frame,
        nav: opened.nav,
        csrf: visitor.csrf(),
        org_name: visitor.org_name.clone(),
        conversation: query.conversation,
        title,
        after: query.after,
        all,
        choices,
        wrong,
    };
    Ok(page(status, &template))
}
