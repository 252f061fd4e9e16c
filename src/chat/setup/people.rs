//! The page of people who use an assistant: linked people, whom an administrator can unlink, and people who wrote
//! to it without connecting their account.

use askama::Template;
use axum::extract::Query;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::assistants::links::service::OFFER_LIFETIME;
use crate::assistants::records::{LinkedIdentity, UnlinkedIdentity};
use crate::base::error::Error;
use crate::base::ids::{LinkId, UserId};
use crate::chat::setup::nav::{ConfirmPage, Nav, platform};
use crate::chat::setup::opening::{FormRequest, PageRequest};
use crate::edge::view::{Fault, Frame, Moment, page};

#[derive(Template)]
#[template(path = "assistant_people.html")]
struct PeoplePage {
    frame: Frame,
    nav: Nav,
    linked: Vec<LinkedPerson>,
    more_linked: Option<String>,
    unlinked: Vec<UnlinkedPerson>,
    more_unlinked: Option<String>,
    /// At least one list is not on its first page.
    further: bool,
}

struct LinkedPerson {
    link: LinkId,
    name: String,
    email: String,
    platform: &'static str,
    shown: String,
    id: String,
    since: Moment,
}

struct UnlinkedPerson {
    shown: String,
    team: String,
    platform: &'static str,
    id: String,
    seen: Moment,
}

#[derive(Deserialize)]
pub struct PeopleQuery {
    linked: Option<String>,
    unlinked: Option<String>,
    link: Option<String>,
}

pub async fn show(request: PageRequest, Query(query): Query<PeopleQuery>) -> Result<Response, Fault> {
    let (org, assistant) = (request.org(), request.opened.assistant.id);
    let PageRequest { services, opened, .. } = request;
    let linked = services
        .links
        .list(org, assistant, query.linked.as_deref())
        .await?;
    let unlinked = services
        .links
        .list_unlinked(org, assistant, query.unlinked.as_deref())
        .await?;
    let users: Vec<UserId> = linked.items.iter().map(|one| one.user_id).collect();
    let names = services.accounts.names(org, &users).await?;
    let template = PeoplePage {
        frame: opened.frame,
        nav: opened.nav,
        more_linked: linked.next,
        linked: linked
            .items
            .into_iter()
            .map(|one| linked_person(names.get(&one.user_id).cloned(), one))
            .collect(),
        more_unlinked: unlinked.next,
        unlinked: unlinked.items.into_iter().map(unlinked_person).collect(),
        further: query.linked.is_some() || query.unlinked.is_some(),
    };
    Ok(page(StatusCode::OK, &template))
}

fn linked_person(member: Option<(String, String)>, one: LinkedIdentity) -> LinkedPerson {
    let (name, email) = member.unwrap_or_else(|| ("A former member".to_owned(), String::new()));
    LinkedPerson {
        link: one.id,
        name,
        email,
        platform: platform(one.platform),
        shown: one.shown_user.unwrap_or_default(),
        id: one.platform_user,
        since: Moment::of(one.created_at),
    }
}

fn unlinked_person(one: UnlinkedIdentity) -> UnlinkedPerson {
    UnlinkedPerson {
        shown: one.shown_user,
        team: one.shown_team,
        platform: platform(one.platform),
        id: one.platform_user,
        seen: Moment::of(one.expires_at - OFFER_LIFETIME),
    }
}

pub async fn confirm(request: PageRequest, Query(query): Query<PeopleQuery>) -> Result<Response, Fault> {
    let (org, assistant) = (request.org(), request.opened.assistant.id);
    let PageRequest {
        services,
        visitor,
        opened,
    } = request;
    let link = link_id(&query.link.unwrap_or_default())?;
    let linked = services.links.get(org, assistant, link).await?;
    let names = services.accounts.names(org, &[linked.user_id]).await?;
    let name = names
        .get(&linked.user_id)
        .map_or("this person".to_owned(), |(name, _)| name.clone());
    let back = format!("{}/people", opened.nav.base);
    let template = ConfirmPage {
        frame: opened.frame,
        csrf: visitor.csrf(),
        heading: format!("Unlink {name}?"),
        what: format!(
            "{} will not answer {name} in {} until they connect again with a new link. Their account and earlier \
             conversations are kept.",
            opened.assistant.name,
            platform(linked.platform)
        ),
        action: format!("{back}/unlink"),
        fields: vec![("link", link.to_string())],
        button: "Unlink".to_owned(),
        back,
        nav: opened.nav,
    };
    Ok(page(StatusCode::OK, &template))
}

#[derive(Deserialize)]
pub struct UnlinkForm {
    #[serde(default)]
    link: String,
}

pub async fn unlink(request: FormRequest<UnlinkForm>) -> Result<Response, Fault> {
    let link = link_id(&request.form.link)?;
    let links = &request.services.links;
    links
        .end(request.actor(), request.org(), request.opened.assistant.id, link)
        .await?;
    Ok(request.back("people", "unlinked"))
}

fn link_id(text: &str) -> Result<LinkId, Error> {
    text.parse().map_err(|_| Error::NotFound("link"))
}
