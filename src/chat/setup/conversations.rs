//! Shared conversations of an assistant: shared replies on or off, and approve, suspend, revoke, with
//! the buildings that are kept for portfolio data.

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::assistants::model::{ConversationState, Installation, PlatformKind, Sender};
use crate::assistants::records::Conversation;
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::ids::{OrgId, UserId};
use crate::chat::setup::nav::{ConfirmPage, Moment, Nav, Opened, open, platform};
use crate::chat::slack::fields;
use crate::edge::form::AdminPosted;
use crate::edge::view::{Fault, Frame, page, see_other};
use crate::edge::visitor::{OrgAdmin, Visitor};
use crate::services::Services;

/// Why an administrator's suspension happened.
const BY_HAND: &str = "an administrator suspended it";

#[derive(Template)]
#[template(path = "assistant_conversations.html")]
struct ConversationsPage {
    frame: Frame,
    nav: Nav,
    csrf: String,
    org_name: String,
    platform: &'static str,
    shared: bool,
    conversations: Vec<Line>,
    /// What was typed to approve by id, and what is wrong with it.
    typed: String,
    wrong: Option<String>,
}

struct Line {
    id: String,
    title: String,
    state: &'static str,
    mark: &'static str,
    reason: String,
    requested: Option<(String, Option<Moment>)>,
    decided: Option<(String, Moment)>,
    may_approve: bool,
    may_suspend: bool,
    may_revoke: bool,
    is_request: bool,
    /// How many; nothing: all.
    buildings: Option<usize>,
    /// One a line, as typed.
    building_lines: String,
    wrong: Option<String>,
}

/// A building form that was refused: for which conversation, what was typed, why.
struct Refused {
    conversation: String,
    lines: String,
    why: String,
}

#[derive(Deserialize)]
pub struct Asked {
    done: Option<String>,
    conversation: Option<String>,
}

pub async fn show(
    State(services): State<Services>,
    OrgAdmin(visitor): OrgAdmin,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Fault> {
    let opened = open_here(&services, &visitor, &id, asked.done.as_deref()).await?;
    Ok(list_page(&services, &visitor, opened, (String::new(), None), None).await?)
}

#[derive(Deserialize)]
pub struct Shared {
    #[serde(default)]
    on: String,
}

pub async fn set_shared(
    State(services): State<Services>,
    Path(id): Path<String>,
    posted: AdminPosted<Shared>,
) -> Result<Response, Fault> {
    let opened = open_here(&services, &posted.visitor, &id, None).await?;
    let principal = &posted.visitor.principal;
    let on = posted.form.on == "true";
    services
        .assistants
        .set_shared(Actor::from(principal), principal.org, opened.assistant.id, on)
        .await?;
    let word = if on { "shared-on" } else { "shared-off" };
    Ok(see_other(&format!(
        "{}/conversations?done={word}",
        opened.nav.base
    )))
}

#[derive(Deserialize)]
pub struct Decision {
    #[serde(default)]
    conversation: String,
    #[serde(default)]
    act: String,
}

pub async fn decide(
    State(services): State<Services>,
    Path(id): Path<String>,
    posted: AdminPosted<Decision>,
) -> Result<Response, Fault> {
    let visitor = posted.visitor;
    let opened = open_here(&services, &visitor, &id, None).await?;
    let at = installed(&opened)?;
    let (org, actor) = (visitor.principal.org, Actor::from(&visitor.principal));
    let (assistants, conversation) = (&services.assistants, posted.form.conversation.trim());
    let outcome = match posted.form.act.as_str() {
        "approve" => match approvable(at, conversation) {
            Ok(conversation) => {
                let approved = ConversationState::Approved;
                let decided = assistants.decide_conversation(actor, org, at.id, &conversation, approved);
                decided.await.map(|()| "approved")
            }
            Err(error) => Err(error),
        },
        "suspend" => {
            let suspended = assistants.suspend_conversation(actor, org, at.id, conversation, BY_HAND);
            match suspended.await {
                Ok(true) => Ok("suspended"),
                Ok(false) => Err(Error::Conflict("this conversation is not approved any more")),
                Err(error) => Err(error),
            }
        }
        "revoke" => {
            let revoked = ConversationState::Revoked;
            let decided = assistants.decide_conversation(actor, org, at.id, conversation, revoked);
            decided.await.map(|()| "revoked")
        }
        _ => Err(Error::invalid("act", "must be approve, suspend or revoke")),
    };
    match outcome {
        Ok(word) => Ok(see_other(&format!(
            "{}/conversations?done={word}",
            opened.nav.base
        ))),
        Err(Error::Invalid {
            field: "conversation",
            why,
        }) => {
            let typed = (posted.form.conversation, Some(why));
            Ok(list_page(&services, &visitor, opened, typed, None).await?)
        }
        Err(error) => Err(error.into()),
    }
}

/// The id of a conversation, as the platform forms it.
fn approvable(at: &Installation, text: &str) -> Result<String> {
    match at.platform {
        PlatformKind::Slack => fields::conversation(text),
        PlatformKind::Teams | PlatformKind::Web => Ok(text.to_owned()),
    }
}

pub async fn confirm_revoke(
    State(services): State<Services>,
    OrgAdmin(visitor): OrgAdmin,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Fault> {
    let opened = open_here(&services, &visitor, &id, None).await?;
    let at = installed(&opened)?;
    let wanted = asked.conversation.unwrap_or_default();
    let found = services
        .assistants
        .conversation_of(visitor.principal.org, at.id, &wanted)
        .await?;
    let conversation = found.ok_or(Error::NotFound("conversation"))?;
    let name = shown(&conversation);
    let template = ConfirmPage {
        frame: opened.frame,
        csrf: visitor.csrf(),
        heading: format!("Revoke {name}?"),
        what: format!(
            "{} stops answering in {name}: whoever mentions it there is told so privately. You can approve the \
             conversation again later.",
            opened.assistant.name
        ),
        action: format!("{}/conversations", opened.nav.base),
        fields: vec![
            ("conversation", conversation.conversation.clone()),
            ("act", "revoke".to_owned()),
        ],
        button: "Revoke".to_owned(),
        back: format!("{}/conversations", opened.nav.base),
        nav: opened.nav,
    };
    Ok(page(StatusCode::OK, &template))
}

#[derive(Deserialize)]
pub struct Buildings {
    #[serde(default)]
    conversation: String,
    /// `all` or `some`.
    #[serde(default)]
    which: String,
    /// One a line.
    #[serde(default)]
    ids: String,
}

pub async fn set_buildings(
    State(services): State<Services>,
    Path(id): Path<String>,
    posted: AdminPosted<Buildings>,
) -> Result<Response, Fault> {
    let visitor = posted.visitor;
    let opened = open_here(&services, &visitor, &id, None).await?;
    let at = installed(&opened)?;
    let form = posted.form;
    let lines = form.ids.lines().map(str::trim).filter(|line| !line.is_empty());
    let buildings = (form.which == "some").then(|| lines.map(str::to_owned).collect());
    let (org, actor) = (visitor.principal.org, Actor::from(&visitor.principal));
    let set = services
        .assistants
        .set_buildings(actor, org, at.id, &form.conversation, buildings);
    match set.await {
        Ok(()) => Ok(see_other(&format!(
            "{}/conversations?done=buildings",
            opened.nav.base
        ))),
        Err(Error::Invalid { why, .. }) => {
            let refused = Refused {
                conversation: form.conversation,
                lines: form.ids,
                why,
            };
            Ok(list_page(&services, &visitor, opened, (String::new(), None), Some(refused)).await?)
        }
        Err(error) => Err(error.into()),
    }
}

async fn open_here(services: &Services, visitor: &Visitor, id: &str, done: Option<&str>) -> Result<Opened> {
    open(services, visitor, id, "Conversations", done).await
}

fn installed(opened: &Opened) -> Result<&Installation> {
    opened.at.as_ref().ok_or(Error::NotFound("installation"))
}

async fn list_page(
    services: &Services,
    visitor: &Visitor,
    opened: Opened,
    (typed, wrong): (String, Option<String>),
    mut refused: Option<Refused>,
) -> Result<Response> {
    let org = visitor.principal.org;
    let mut conversations = Vec::new();
    if let Some(at) = &opened.at {
        let found = services.assistants.conversations(org, at.id).await?;
        let deciders: Vec<UserId> = found.iter().filter_map(|one| one.decided_by).collect();
        let names = services.accounts.names(org, &deciders).await?;
        for one in found {
            let asker = asker(services, org, at, &one).await?;
            let decider = one.decided_by.map_or("Corbel".to_owned(), |user| {
                let name = names.get(&user).map(|(name, _)| name.clone());
                name.unwrap_or_else(|| "a former member".to_owned())
            });
            let about = refused.take_if(|refused| refused.conversation == one.conversation);
            conversations.push(line(one, asker, decider, about));
        }
    }
    let status = if wrong.is_some() || conversations.iter().any(|line| line.wrong.is_some()) {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    let template = ConversationsPage {
        frame: opened.frame,
        csrf: visitor.csrf(),
        org_name: visitor.org_name.clone(),
        platform: opened.at.as_ref().map_or("", |at| platform(at.platform)),
        shared: opened.assistant.shared_enabled,
        nav: opened.nav,
        conversations,
        typed,
        wrong,
    };
    Ok(page(status, &template))
}

/// Who asked in a conversation first: the linked account's name, or the platform's id.
async fn asker(
    services: &Services,
    org: OrgId,
    at: &Installation,
    one: &Conversation,
) -> Result<Option<String>> {
    let Some(user) = &one.requested_by else {
        return Ok(None);
    };
    let who = Sender {
        team: at.home().unwrap_or_default().to_owned(),
        user: user.clone(),
        account: None,
    };
    let Some(link) = services.assistants.link(org, at.id, &who).await? else {
        return Ok(Some(user.clone()));
    };
    let names = services.accounts.names(org, &[link.user_id]).await?;
    let name = names.get(&link.user_id).map(|(name, _)| name.clone());
    Ok(Some(name.unwrap_or_else(|| user.clone())))
}

fn line(one: Conversation, asker: Option<String>, decider: String, refused: Option<Refused>) -> Line {
    use ConversationState::{Approved, Requested, Revoked, Suspended};
    let (state, mark) = match one.state {
        Requested => ("Waits for you", "waiting"),
        Approved => ("Approved", "good"),
        Suspended => ("Suspended", "bad"),
        Revoked => ("Revoked", "off"),
    };
    let set = one.buildings.map(|buildings| buildings.0);
    Line {
        state,
        mark,
        title: one.title,
        reason: one.reason.unwrap_or_default(),
        requested: asker.map(|who| (who, one.requested_at.map(Moment::of))),
        decided: one.decided_at.map(|at| (decider, Moment::of(at))),
        may_approve: one.state != Approved,
        may_suspend: one.state == Approved,
        may_revoke: matches!(one.state, Approved | Suspended),
        is_request: one.state == Requested,
        buildings: set.as_ref().map(Vec::len),
        building_lines: match &refused {
            Some(refused) => refused.lines.clone(),
            None => set.unwrap_or_default().join("\n"),
        },
        wrong: refused.map(|refused| refused.why),
        id: one.conversation,
    }
}

fn shown(conversation: &Conversation) -> String {
    if conversation.title.is_empty() {
        conversation.conversation.clone()
    } else {
        conversation.title.clone()
    }
}
