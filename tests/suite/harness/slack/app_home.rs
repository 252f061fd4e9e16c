//! Agent sessions, channel members, App Home and suggested prompts of the fake. Does not depend on messages.

use serde_json::{Value, json};

use super::Logged;
use super::message_limits;
use super::methods::{Outcome, Refused, required, scope, visible, writable};
use super::workspace::{Status, Workspace};

/// `agents.sessions.setStatus`.
pub fn session(workspace: &mut Workspace, call: &Logged) -> Outcome {
    let (channel, status) = (required(call, "channel_id")?, required(call, "status")?);
    if !["processing", "active", "suspended", "closed"].contains(&status) {
        return Err("invalid_status".into());
    }
    let thread = call.arg("thread_ts").filter(|thread| !thread.is_empty());
    let thread = thread.ok_or("thread_ts_required")?;
    writable(workspace, channel)?;
    if !workspace.agent_view {
        return Err("feature_disabled".into());
    }
    if call
        .arg("initiator_user_id")
        .is_some_and(|user| !workspace.users.contains_key(user))
    {
        return Err("user_not_found".into());
    }
    workspace.statuses.push(Status {
        channel: channel.to_owned(),
        thread: thread.to_owned(),
        // As the other method reports it: empty where nothing is in progress.
        status: if status == "active" {
            String::new()
        } else {
            status.to_owned()
        },
    });
    Ok(json!({}))
}

/// `conversations.members`, a hundred at a time.
pub fn members(workspace: &Workspace, call: &Logged) -> Outcome {
    let channel = visible(workspace, required(call, "channel")?, "read")?;
    let mut all: Vec<&String> = channel.members.iter().collect();
    all.sort();
    let limit: usize = call
        .arg("limit")
        .and_then(|limit| limit.parse().ok())
        .unwrap_or(100);
    if !(1..=1_000).contains(&limit) {
        return Err("invalid_limit".into());
    }
    // Pages are shorter than requested, as at Slack.
    let limit = limit.min(5);
    let start: usize = call
        .arg("cursor")
        .and_then(|cursor| cursor.parse().ok())
        .unwrap_or(0);
    let next = if start + limit < all.len() {
        (start + limit).to_string()
    } else {
        String::new()
    };
    let page: Vec<&String> = all.into_iter().skip(start).take(limit).collect();
    Ok(json!({ "members": page, "response_metadata": { "next_cursor": next } }))
}

/// `views.publish`.
pub fn publish(workspace: &mut Workspace, call: &Logged) -> Outcome {
    let user = required(call, "user_id")?.to_owned();
    if !workspace.users.contains_key(&user) {
        return Err("invalid_arguments".into());
    }
    if !workspace.agent_view {
        return Err("not_enabled".into());
    }
    let view: Value = serde_json::from_str(required(call, "view")?).map_err(|_| "invalid_arguments")?;
    let blocks = view["blocks"].as_array().ok_or("invalid_arguments")?;
    let messages_only = |block: &Value| {
        ["markdown", "context_actions", "table"].contains(&block["type"].as_str().unwrap_or_default())
    };
    if view["type"] != "home" || blocks.len() > 100 || blocks.iter().any(messages_only) {
        return Err("invalid_arguments".into());
    }
    for few in blocks.chunks(40) {
        message_limits::check("page", few).map_err(|_| "invalid_arguments")?;
    }
    workspace.homes.insert(user, blocks.clone());
    Ok(json!({ "view": { "id": "V0HOME", "type": "home" } }))
}

/// `assistant.threads.setSuggestedPrompts`.
pub fn prompts(workspace: &mut Workspace, call: &Logged) -> Outcome {
    scope(workspace, "assistant:write")?;
    let channel = required(call, "channel_id")?.to_owned();
    if !workspace.channels.get(&channel).is_some_and(|channel| channel.im) {
        return Err("channel_not_found".into());
    }
    if !workspace.agent_view {
        return Err("not_agent_app".into());
    }
    let prompts: Vec<Value> =
        serde_json::from_str(required(call, "prompts")?).map_err(|_| "invalid_arguments")?;
    let fits = |prompt: &Value| prompt["title"].is_string() && prompt["message"].is_string();
    if prompts.is_empty() || prompts.len() > 4 || !prompts.iter().all(fits) {
        return Err("invalid_arguments".into());
    }
    workspace.prompts.push((channel, prompts));
    Ok(json!({}))
}

/// At most ten messages of fifty characters.
pub fn check_loading(call: &Logged) -> Result<(), Refused> {
    let Some(list) = call.arg("loading_messages") else {
        return Ok(());
    };
    let list: Vec<Value> = serde_json::from_str(list).map_err(|_| "invalid_arguments")?;
    let fits = |text: &Value| {
        text.as_str()
            .is_some_and(|text| (1..=50).contains(&text.chars().count()))
    };
    if (1..=10).contains(&list.len()) && list.iter().all(fits) {
        Ok(())
    } else {
        Err("invalid_arguments".into())
    }
}
