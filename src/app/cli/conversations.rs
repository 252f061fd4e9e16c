//! `corbel admin conversation`: lists, approves, revokes and suspends shared conversations for operators.

use serde_json::{Value, json};

use crate::app::cli::args::Conversation;
use crate::app::cli::lookup::{ME, assistant_of, team_installation};
use crate::app::cli::report::Report;
use crate::assistants::model::{ConversationState, PlatformKind};
use crate::assistants::records;
use crate::base::error::{Error, Result};
use crate::chat::slack::fields;
use crate::services::Services;

pub async fn conversation(services: &Services, command: Conversation) -> Result<Report> {
    match command {
        Conversation::List { assistant, after } => list(services, &assistant, after.as_deref()).await,
        Conversation::Approve {
            assistant,
            conversation,
        } => decide(services, &assistant, &conversation, ConversationState::Approved).await,
        Conversation::Revoke {
            assistant,
            conversation,
        } => decide(services, &assistant, &conversation, ConversationState::Revoked).await,
        Conversation::Suspend {
            assistant,
            conversation,
            reason,
        } => {
            let (org, id) = assistant_of(services, &assistant).await?;
            let at = team_installation(services, org, id).await?;
            let suspended = services
                .conversations
                .suspend(ME, org, at.id, &conversation, &reason)
                .await?;
            if !suspended {
                return Err(Error::Conflict(
                    "this conversation is not approved, so there is nothing to suspend",
                ));
            }
            let state = ConversationState::Suspended;
            Ok(Report::new(
                json!({ "assistantId": id, "conversation": conversation, "state": state.as_str() }),
                format!("{conversation} is {state} for {}.", at.assistant_name),
            ))
        }
    }
}

async fn decide(
    services: &Services,
    assistant: &str,
    conversation: &str,
    state: ConversationState,
) -> Result<Report> {
    let (org, id) = assistant_of(services, assistant).await?;
    let at = team_installation(services, org, id).await?;
    if state == ConversationState::Approved && at.kind() == PlatformKind::Slack {
        fields::conversation(conversation)?;
    }
    services
        .conversations
        .decide(ME, org, at.id, conversation, state)
        .await?;
    Ok(Report::new(
        json!({ "assistantId": id, "conversation": conversation, "state": state.as_str() }),
        format!("{conversation} is {state} for {}.", at.assistant_name),
    ))
}

async fn list(services: &Services, assistant: &str, after: Option<&str>) -> Result<Report> {
    let (org, id) = assistant_of(services, assistant).await?;
    let at = team_installation(services, org, id).await?;
    let page = services.conversations.list(org, at.id, after).await?;
    let mut lines: Vec<String> = page
        .items
        .iter()
        .map(|one| {
            let reason = one.reason.as_deref().unwrap_or_default();
            format!(
                "{:<10} {:<24} {}  {reason}",
                one.state.as_str(),
                one.conversation,
                one.title
            )
            .trim_end()
            .to_owned()
        })
        .collect();
    if lines.is_empty() && after.is_none() {
        lines.push("No shared conversation has been requested or approved yet.".to_owned());
    }
    if let Some(next) = &page.next {
        lines.push(format!("More: --after {next}"));
    }
    let body: Vec<Value> = page.items.iter().map(conversation_json).collect();
    Ok(Report::new(
        json!({ "assistantId": id, "conversations": body, "next": page.next }),
        lines.join("\n"),
    ))
}

fn conversation_json(one: &records::Conversation) -> Value {
    json!({
        "conversation": one.conversation,
        "state": one.state.as_str(),
        "title": one.title,
        "reason": one.reason,
        "requestedBy": one.requested_by,
        "requestedAt": one.requested_at,
        "buildings": one.buildings,
        "decidedBy": one.decided_by,
        "decidedAt": one.decided_at,
    })
}
