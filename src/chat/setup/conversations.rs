//! The page of shared conversations: turn shared replies on or off; approve, suspend or revoke a conversation.
//!
//! The buildings that answers may use are selected on the page in `buildings`.

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
use crate::chat::core::rules::Rules;
use crate::chat::setup::nav::{ConfirmPage, Nav, OpenAssistant, platform};
use crate::chat::setup::opening::{FormRequest, PageRequest};
use crate::chat::slack::fields;
use crate::edge::view::{Fault, Frame, Moment, page};
use crate::edge::visitor::Visitor;
use crate::services::Services;

/// The stored reason when an administrator suspends a conversation.
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
    /// Cursor of this list page, sent back by its forms.
    after: String,
    /// Why an approval was refused.
    refusal: Option<String>,
    /// The submitted conversation ID, and the error to show at its field.
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
    /// Number of selected buildings; `None` for all.
    buildings: Option<usize>,
}

/// The state of the list page: its cursor, and the outcome of a refused form.
#[derive(Default)]
struct ListState {
    after: Option<String>,
    typed: String,
    wrong: Option<String>,
    refusal: Option<String>,
}

#[derive(Deserialize)]
pub struct ListQuery {
    after: Option<String>,
    conversation: Option<String>,
}

pub async fn show(request: PageRequest, Query(query): Query<ListQuery>) -> Result<Response, Fault> {
    let PageRequest {
        services,
        visitor,
        opened,
    } = request;
    let state = ListState {
        after: query.after,
        ..ListState::default()
    };
    Ok(list_page(&services, &visitor, opened, state).await?)
}

#[derive(Deserialize)]
pub struct Shared {
    #[serde(default)]
    on: String,
}

pub async fn set_shared(request: FormRequest<Shared>) -> Result<Response, Fault> {
    let on = request.form.on == "true";
    let assistants = &request.services.assistants;
    assistants
        .set_shared(request.actor(), request.org(), request.opened.assistant.id, on)
        .await?;
    Ok(request.back("conversations", if on { "shared-on" } else { "shared-off" }))
}

#[derive(Clone, Deserialize)]
pub struct Decision {
    #[serde(default)]
    conversation: String,
    #[serde(default)]
    act: String,
    /// Cursor of the list page with the form.
    after: Option<String>,
}

pub async fn decide(
    Extension(chat): Extension<Chat>,
    request: FormRequest<Decision>,
) -> Result<Response, Fault> {
    let outcome = try_decide(&chat, &request).await;
    let Decision {
        conversation, after, ..
    } = request.form.clone();
    let mut state = ListState {
        after,
        typed: conversation,
        ..ListState::default()
    };
    match outcome {
        Ok(Decided::Done(word)) => return Ok(back(&request, word, state.after.as_deref())),
        Ok(Decided::Refused(audience)) => {
            let (org, conversation) = (&request.visitor.org_name, state.typed.trim());
            state.refusal = Some(match audience {
                Audience::Workspaces => format!(
                    "Not approved: {conversation} is shared with other workspaces of {org}. An assistant answers only \
                     in conversations of a single workspace."
                ),
                Audience::Own | Audience::Outside => format!(
                    "Not approved: people from outside {org} are in {conversation} or invited to it. Everyone in it \
                     could read the answers."
                ),
            });
        }
        Err(Error::Invalid {
            field: "conversation",
            why,
        }) => state.wrong = Some(why),
        Err(error) => return Err(error.into()),
    }
    Ok(list_page(&request.services, &request.visitor, request.opened, state).await?)
}

enum Decided {
    Done(&'static str),
    /// Not approved because of the people in the conversation.
    Refused(Audience),
}

async fn try_decide(chat: &Chat, request: &FormRequest<Decision>) -> Result<Decided> {
    let at = installed(&request.opened)?;
    let (org, actor) = (request.org(), request.actor());
    let (conversations, conversation) = (&request.services.conversations, request.form.conversation.trim());
    let word = match request.form.act.as_str() {
        "approve" => {
            let conversation = conversation_id(at, conversation)?;
            let word = match Rules::new(chat).audience_of(at, &conversation).await? {
                Some(audience @ (Audience::Outside | Audience::Workspaces)) => {
                    return Ok(Decided::Refused(audience));
                }
                Some(Audience::Own) => "approved",
                None => "approved-unseen",
            };
            let approved = ConversationState::Approved;
            conversations
                .decide(actor, org, at.id, &conversation, approved)
                .await?;
            word
        }
        "suspend" => {
            let suspended = conversations.suspend(actor, org, at.id, conversation, BY_HAND);
            if !suspended.await? {
                return Err(Error::Conflict("this conversation is no longer approved"));
            }
            "suspended"
        }
        "revoke" => {
            let revoked = ConversationState::Revoked;
            conversations
                .decide(actor, org, at.id, conversation, revoked)
                .await?;
            "revoked"
        }
        _ => return Err(Error::invalid("act", "must be approve, suspend or revoke")),
    };
    Ok(Decided::Done(word))
}

/// Redirects to the list page that the form was on.
pub(super) fn back<T>(request: &FormRequest<T>, word: &str, after: Option<&str>) -> Response {
    match after.filter(|after| !after.is_empty()) {
        None => request.back("conversations", word),
        Some(after) => {
            let after = utf8_percent_encode(after, NON_ALPHANUMERIC);
            request.back("conversations", &format!("{word}&after={after}"))
        }
    }
}

/// Validates a conversation ID in the platform's format.
fn conversation_id(at: &Installation, text: &str) -> Result<String> {
    match at.kind() {
        PlatformKind::Slack => fields::conversation(text),
        PlatformKind::Teams | PlatformKind::Web => Ok(text.to_owned()),
    }
}

pub async fn confirm_revoke(request: PageRequest, Query(query): Query<ListQuery>) -> Result<Response, Fault> {
    let PageRequest {
        services,
        visitor,
        opened,
    } = request;
    let at = installed(&opened)?;
    let wanted = query.conversation.unwrap_or_default();
    let found = services
        .conversations
        .find(visitor.principal.org, at.id, &wanted)
        .await?;
    let conversation = found.ok_or(Error::NotFound("conversation"))?;
    let name = display_name(&conversation);
    let template = ConfirmPage {
        frame: opened.frame,
        csrf: visitor.csrf(),
        heading: format!("Revoke {name}?"),
        what: format!(
            "{} stops answering in {name}. People who mention it there get a private reply that says so. You can \
             approve the conversation again later.",
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

pub(super) fn installed(opened: &OpenAssistant) -> Result<&Installation> {
    opened.at.as_ref().ok_or(Error::NotFound("installation"))
}

async fn list_page(
    services: &Services,
    visitor: &Visitor,
    opened: OpenAssistant,
    state: ListState,
) -> Result<Response> {
    let org = visitor.principal.org;
    let (mut conversations, mut next) = (Vec::new(), None);
    let after = state.after.filter(|after| !after.is_empty());
    if let Some(at) = &opened.at {
        let found = services.conversations.list(org, at.id, after.as_deref()).await?;
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
    let wrong = state.wrong.is_some() || state.refusal.is_some();
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
        typed: state.typed,
        wrong: state.wrong,
        refusal: state.refusal,
    };
    Ok(page(status, &template))
}

/// The person whose question created the request: the name of the linked account, or the platform's user ID.
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
    let Some(link) = services.links.find(org, at.id, &who).await? else {
        return Ok(Some(user.clone()));
    };
    let names = services.accounts.names(org, &[link.user_id]).await?;
    let name = names.get(&link.user_id).map(|(name, _)| name.clone());
    Ok(Some(name.unwrap_or_else(|| user.clone())))
}

fn line(one: Conversation, asker: Option<String>, decider: String) -> Line {
    use ConversationState::{Approved, Requested, Revoked, Suspended};
    let (state, mark) = match one.state {
        Requested => ("Awaiting review", "waiting"),
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

/// The title, or the ID where the platform gave no title.
pub(super) fn display_name(conversation: &Conversation) -> String {
    if conversation.title.is_empty() {
        conversation.conversation.clone()
    } else {
        conversation.title.clone()
    }
}
