//! Which buildings the answers of one shared conversation may use. Knows no grants: those narrow each
//! asker's answers further.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use axum::extract::Query;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::base::error::{Error, Result};
use crate::chat::setup::conversations::{back, installed, shown};
use crate::chat::setup::nav::{Nav, Opened};
use crate::chat::setup::opening::{Looked, Sent};
use crate::edge::view::{Fault, Frame, page};
use crate::edge::visitor::Visitor;
use crate::services::Services;

/// Before the id of a building in the name of its box: other fields of a form cannot be taken for one.
const BOX: &str = "building:";

#[derive(Template)]
#[template(path = "assistant_buildings.html")]
struct BuildingsPage {
    frame: Frame,
    nav: Nav,
    csrf: String,
    org_name: String,
    conversation: String,
    title: String,
    /// The page of the list of conversations to go back to.
    after: String,
    all: bool,
    choices: Vec<Choice>,
    wrong: Option<String>,
}

struct Choice {
    id: String,
    /// Nothing: the conversation names it, and the organization has it no more.
    name: Option<String>,
    chosen: bool,
}

#[derive(Deserialize)]
pub struct Asked {
    #[serde(default)]
    conversation: String,
    #[serde(default)]
    after: String,
}

pub async fn show(looked: Looked, Query(asked): Query<Asked>) -> Result<Response, Fault> {
    let Looked {
        services,
        visitor,
        opened,
    } = looked;
    Ok(choose(&services, &visitor, opened, asked, None).await?)
}

#[derive(Deserialize)]
pub struct Form {
    #[serde(default)]
    conversation: String,
    after: Option<String>,
    /// `all` or `some`.
    #[serde(default)]
    which: String,
    /// The boxes that are ticked.
    #[serde(flatten)]
    boxes: BTreeMap<String, String>,
}

impl Form {
    fn ticked(&self) -> BTreeSet<String> {
        let ids = self.boxes.keys().filter_map(|name| name.strip_prefix(BOX));
        ids.map(str::to_owned).collect()
    }
}

/// What was ticked in vain, and why.
struct Refused {
    ticked: BTreeSet<String>,
    why: String,
}

pub async fn save(sent: Sent<Form>) -> Result<Response, Fault> {
    let (at, form) = (installed(&sent.opened)?, &sent.form);
    let ticked = form.ticked();
    let buildings = (form.which == "some").then(|| ticked.iter().cloned().collect());
    let assistants = &sent.services.assistants;
    let set = assistants.set_buildings(sent.actor(), sent.org(), at.id, &form.conversation, buildings);
    match set.await {
        Ok(()) => Ok(back(&sent, "buildings", form.after.as_deref())),
        Err(Error::Invalid { why, .. }) => {
            let asked = Asked {
                conversation: sent.form.conversation,
                after: sent.form.after.unwrap_or_default(),
            };
            let refused = Some(Refused { ticked, why });
            Ok(choose(&sent.services, &sent.visitor, sent.opened, asked, refused).await?)
        }
        Err(error) => Err(error.into()),
    }
}

async fn choose(
    services: &Services,
    visitor: &Visitor,
    opened: Opened,
    asked: Asked,
    refused: Option<Refused>,
) -> Result<Response> {
    let (org, at) = (visitor.principal.org, installed(&opened)?);
    let known = services
        .assistants
        .conversation_of(org, at.id, &asked.conversation);
    let known = known.await?.ok_or(Error::NotFound("conversation"))?;
    let title = shown(&known);
    let kept = known.buildings.map(|set| set.0);
    let all = kept.is_none() && refused.is_none();
    let (chosen, wrong) = match refused {
        Some(Refused { ticked, why }) => (ticked, Some(why)),
        None => (kept.unwrap_or_default().into_iter().collect(), None),
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
        conversation: asked.conversation,
        title,
        after: asked.after,
        all,
        choices,
        wrong,
    };
    Ok(page(status, &template))
}
