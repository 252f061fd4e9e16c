//! Shared conversations of an assistant: shared replies on or off, and approve, suspend, revoke. Which
//! buildings their answers may use is chosen on a page of its own.

use askama::Template;
use axum::extract::{Extension, Query};
use axum::http::StatusCode;
use axum::response::Response;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use crate::assistants::model::{ConversationState, Installation, PlatformKind, Sender};
use crate::assistants::records::Conversation;
use crate::base::error::{Error, Result};
use crate::base::ids::{OrgId, UserId};
use crate::chat::core::chat::Chat;
use crate::chat::core::platform::Audience;
use crate::chat::setup::nav::{ConfirmPage, Nav, Opened, platform};
use crate::chat::setup::opening::{Looked, Sent};
use crate::chat::slack::fields;
use crate::edge::view::{Fault, Frame, Moment, page};
use crate::edge::visitor::Visitor;
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
    next: Option<String>,
    further: bool,
    /// The page of the list, for its forms.
    after: String,
    /// Why a conversation was not approved.
    refusal: Option<String>,
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
}

/// What was typed or refused, and on which page of the list.
#[derive(Default)]
struct Beside {
    after: Option<String>,
    typed: String,
    wrong: Option<String>,
    refusal: Option<String>,
}

#[derive(Deserialize)]
pub struct Asked {
    after: Option<String>,
    conversation: Option<String>,
}

pub async fn show(looked: Looked, Query(asked): Query<Asked>) -> Result<Response, Fault> {
    let Looked {
        services,
        visitor,
        opened,
    } = looked;
    let beside = Beside {
        after: asked.after,
        ..Beside::default()
    };
    Ok(list_page(&services, &visitor, opened, beside).await?)
}

#[derive(Deserialize)]
pub struct Shared {
    #[serde(default)]
    on: String,
}

pub async fn set_shared(sent: Sent<Shared>) -> Result<Response, Fault> {
    let on = sent.form.on == "true";
    let assistants = &sent.services.assistants;
    assistants
        .set_shared(sent.actor(), sent.org(), sent.opened.assistant.id, on)
        .await?;
    Ok(sent.back("conversations", if on { "shared-on" } else { "shared-off" }))
}

#[derive(Clone, Deserialize)]
pub struct Decision {
    #[serde(default)]
    conversation: String,
    #[serde(default)]
    act: String,
    /// The page of the list that the form stands on.
    after: Option<String>,
}

pub async fn decide(Extension(chat): Extension<Chat>, sent: Sent<Decision>) -> Result<Response, Fault> {
    let outcome = decided(&chat, &sent).await;
    let Decision {
        conversation, after, ..
    } = sent.form.clone();
    let mut beside = Beside {
        after,
        typed: conversation,
        ..Beside::default()
    };
    match outcome {
        Ok(Decided::Done(word)) => return Ok(back(&sent, word, beside.after.as_deref())),
        Ok(Decided::Crowded(audience)) => {
            let (org, conversation) = (&sent.visitor.org_name, beside.typed.trim());
            beside.refusal = Some(match audience {
                Audience::Workspaces => format!(
                    "Not approved: {conversation} is shared with other workspaces of {org}. An assistant answers only \
                     where a conversation is of one workspace."
                ),
                Audience::Own | Audience::Outside => format!(
                    "Not approved: people from outside {org} are in {conversation}, or are asked to be. Everyone there \
                     would read the answers."
                ),
            });
        }
        Err(Error::Invalid {
            field: "conversation",
            why,
        }) => beside.wrong = Some(why),
        Err(error) => return Err(error.into()),
    }
    Ok(list_page(&sent.services, &sent.visitor, sent.opened, beside).await?)
}

enum Decided {
    Done(&'static str),
    /// Nothing was approved.
    Crowded(Audience),
}

async fn decided(chat: &Chat, sent: &Sent<Decision>) -> Result<Decided> {
    let at = installed(&sent.opened)?;
    let (org, actor) = (sent.org(), sent.actor());
    let (assistants, conversation) = (&sent.services.assistants, sent.form.conversation.trim());
    let word = match sent.form.act.as_str() {
        "approve" => {
            let conversation = approvable(at, conversation)?;
            let word = match chat.audience_of(at, &conversation).await? {
                Some(audience @ (Audience::Outside | Audience::Workspaces)) => {
                    return Ok(Decided::Crowded(audience));
                }
                Some(Audience::Own) => "approved",
                None => "approved-unseen",
            };
            let approved = ConversationState::Approved;
            assistants
                .decide_conversation(actor, org, at.id, &conversation, approved)
                .await?;
            word
        }
        "suspend" => {
            let suspended = assistants.suspend_conversation(actor, org, at.id, conversation, BY_HAND);
            if !suspended.await? {
                return Err(Error::Conflict("this conversation is not approved any more"));
            }
            "suspended"
        }
        "revoke" => {
            let revoked = ConversationState::Revoked;
            assistants
                .decide_conversation(actor, org, at.id, conversation, revoked)
                .await?;
            "revoked"
        }
        _ => return Err(Error::invalid("act", "must be approve, suspend or revoke")),
    };
    Ok(Decided::Done(word))
}

/// Back to the page of the list that a form stood on.
pub(super) fn back<T>(sent: &Sent<T>, word: &str, after: Option<&str>) -> Response {
    match after.filter(|after| !after.is_empty()) {
        None => sent.back("conversations", word),
        Some(after) => {
            let after = utf8_percent_encode(after, NON_ALPHANUMERIC);
            sent.back("conversations", &format!("{word}&after={after}"))
        }
    }
}

/// The id of a conversation, as the platform forms it.
fn approvable(at: &Installation, text: &str) -> Result<String> {
    match at.kind() {
        PlatformKind::Slack => fields::conversation(text),
        PlatformKind::Teams | PlatformKind::Web => Ok(text.to_owned()),
    }
}

pub async fn confirm_revoke(looked: Looked, Query(asked): Query<Asked>) -> Result<Response, Fault> {
    let Looked {
        services,
        visitor,
        opened,
    } = looked;
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

pub(super) fn installed(opened: &Opened) -> Result<&Installation> {
    opened.at.as_ref().ok_or(Error::NotFound("installation"))
}

async fn list_page(
    services: &Services,
    visitor: &Visitor,
    opened: Opened,
    beside: Beside,
) -> Result<Response> {
    let org = visitor.principal.org;
    let (mut conversations, mut next) = (Vec::new(), None);
    let after = beside.after.filter(|after| !after.is_empty());
    if let Some(at) = &opened.at {
        let found = services
            .assistants
            .conversations(org, at.id, after.as_deref())
            .await?;
        next = found.next;
        let deciders: Vec<UserId> = found.items.iter().filter_map(|one| one.decided_by).collect();
        let names = services.accounts.names(org, &deciders).await?;
        for one in found.items {
            let asker = asker(services, org, at, &one).await?;
            let decider = one.decided_by.map_or("Corbel".to_owned(), |user| {
                let name = names.get(&user).map(|(name, _)| name.clone());
                name.unwrap_or_else(|| "a former member".to_owned())
            });
            conversations.push(line(one, asker, decider));
        }
    }
    let wrong = beside.wrong.is_some() || beside.refusal.is_some();
    let status = if wrong {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    let template = ConversationsPage {
        frame: opened.frame,
        csrf: visitor.csrf(),
        org_name: visitor.org_name.clone(),
        platform: opened.at.as_ref().map_or("", |at| platform(at.kind())),
        shared: opened.assistant.shared_enabled,
        nav: opened.nav,
        conversations,
        next,
        further: after.is_some(),
        after: after.unwrap_or_default(),
        typed: beside.typed,
        wrong: beside.wrong,
        refusal: beside.refusal,
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

fn line(one: Conversation, asker: Option<String>, decider: String) -> Line {
    use ConversationState::{Approved, Requested, Revoked, Suspended};
    let (state, mark) = match one.state {
        Requested => ("Waits for you", "waiting"),
        Approved => ("Approved", "good"),
        Suspended => ("Suspended", "bad"),
        Revoked => ("Revoked", "off"),
    };
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
        buildings: one.buildings.map(|set| set.0.len()),
        id: one.conversation,
    }
}

pub(super) fn shown(conversation: &Conversation) -> String {
    if conversation.title.is_empty() {
        conversation.conversation.clone()
    } else {
        conversation.title.clone()
    }
}
