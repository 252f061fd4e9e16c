//! The fake's Web API methods: they check token, arguments, scopes and membership, and then have their effect. Faults
//! are handled by the caller.

use axum::http::{HeaderMap, header};
use serde_json::{Value, json};

use super::Logged;
use super::workspace::{
    APP, BOT, BOT_ID, Channel, Ephemeral, Message, ROBOT, Status, TEAM_NAME, TOKEN, Workspace,
};
use super::{app_home, arguments, files, message_limits, oauth};

pub(super) type Outcome = Result<Value, Refused>;

/// `ok: false`, and the missing scope where there is one.
pub struct Refused(pub(super) &'static str, pub(super) Option<&'static str>);

impl From<&'static str> for Refused {
    fn from(word: &'static str) -> Self {
        Self(word, None)
    }
}

/// The JSON of Slack's response.
pub fn perform(workspace: &mut Workspace, headers: &HeaderMap, call: &Logged) -> Value {
    if let Some(answer) = oauth::perform_without_token(workspace, headers, call) {
        return answer;
    }
    match dispatch(workspace, headers, call) {
        Ok(mut answer) => {
            answer["ok"] = json!(true);
            answer
        }
        Err(Refused(word, None)) => json!({ "ok": false, "error": word }),
        Err(Refused(word, Some(scope))) => {
            json!({ "ok": false, "error": word, "needed": scope, "provided": "" })
        }
    }
}

fn dispatch(workspace: &mut Workspace, headers: &HeaderMap, call: &Logged) -> Outcome {
    let text = |name| {
        headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    };
    let token = text(header::AUTHORIZATION)
        .strip_prefix("Bearer ")
        .ok_or("not_authed")?;
    match token {
        _ if workspace.revoked => return Err("token_revoked".into()),
        TOKEN => {}
        given => workspace.access.check(given)?,
    }
    let (app, app_name) = workspace.access.app_of(token);
    if !arguments::is_accepted(headers) {
        return Err("invalid_post_type".into());
    }
    match call.method.as_str() {
        "auth.test" if workspace.access.for_organization => Ok(json!({
            "team": "Acme Group", "team_id": workspace.access.enterprise, "user": "corbel", "user_id": BOT,
            "bot_id": BOT_ID, "enterprise_id": workspace.access.enterprise, "is_enterprise_install": true,
        })),
        "auth.test" => Ok(json!({
            "team": TEAM_NAME, "team_id": workspace.access.team, "user": "corbel", "user_id": BOT, "bot_id": BOT_ID,
            "enterprise_id": workspace.access.enterprise, "is_enterprise_install": false,
        })),
        "bots.info" if call.arg("bot") == Some(BOT_ID) => {
            scope(workspace, "users:read")?;
            Ok(
                json!({ "bot": { "id": BOT_ID, "app_id": app, "user_id": BOT, "name": app_name, "deleted": false } }),
            )
        }
        "bots.info" => Err("bot_not_found".into()),
        "users.info" => {
            scope(workspace, "users:read")?;
            Ok(json!({ "user": workspace.profile(required(call, "user")?).ok_or("user_not_found")? }))
        }
        "conversations.info" => info(workspace, call),
        "conversations.open" => open(workspace, call),
        "conversations.replies" => replies(workspace, call),
        "conversations.history" => history(workspace, call),
        "chat.postMessage" => post(workspace, call),
        "chat.postEphemeral" => post_ephemeral(workspace, call),
        "chat.update" => update(workspace, call),
        "chat.delete" => delete(workspace, call),
        "assistant.threads.setStatus" => status(workspace, call),
        "files.info" => files::info(workspace, call),
        "files.getUploadURLExternal" => files::upload_url(workspace, call),
        "files.completeUploadExternal" => files::complete(workspace, call),
        "conversations.members" => app_home::members(workspace, call),
        "views.publish" => app_home::publish(workspace, call),
        "assistant.threads.setSuggestedPrompts" => app_home::prompts(workspace, call),
        "agents.sessions.setStatus" => app_home::session(workspace, call),
        _ => Err("unknown_method".into()),
    }
}

pub(super) fn required<'a>(call: &'a Logged, name: &str) -> Result<&'a str, Refused> {
    call.arg(name)
        .filter(|value| !value.is_empty())
        .ok_or(Refused("invalid_arguments", None))
}

pub(super) fn scope(workspace: &Workspace, needed: &'static str) -> Result<(), Refused> {
    if workspace.scopes.contains(&needed) {
        Ok(())
    } else {
        Err(Refused("missing_scope", Some(needed)))
    }
}

/// A channel that is visible to the bot, given the scope for its kind.
pub fn visible<'a>(workspace: &'a Workspace, id: &str, right: &str) -> Result<&'a Channel, Refused> {
    let channel = workspace.channels.get(id).ok_or("channel_not_found")?;
    if (channel.private || channel.im) && !channel.members.contains(BOT) {
        return Err("channel_not_found".into());
    }
    scope(
        workspace,
        match (right, channel.im, channel.private) {
            ("read", true, _) => "im:read",
            ("read", _, true) => "groups:read",
            ("read", ..) => "channels:read",
            (_, true, _) => "im:history",
            (_, _, true) => "groups:history",
            _ => "channels:history",
        },
    )?;
    Ok(channel)
}

/// A channel in which the bot may post.
pub(super) fn writable<'a>(workspace: &'a Workspace, id: &str) -> Result<&'a Channel, Refused> {
    scope(workspace, "chat:write")?;
    let channel = workspace.channels.get(id).ok_or("channel_not_found")?;
    match channel.members.contains(BOT) {
        false if channel.private || channel.im => Err("channel_not_found".into()),
        false => Err("not_in_channel".into()),
        true if channel.archived => Err("is_archived".into()),
        true => channel.refuses.map_or(Ok(channel), |word| Err(word.into())),
    }
}

fn info(workspace: &Workspace, call: &Logged) -> Outcome {
    let id = required(call, "channel")?;
    let channel = visible(workspace, id, "read")?;
    if channel.im {
        return Ok(json!({ "channel": { "id": id, "is_im": true } }));
    }
    Ok(json!({ "channel": {
        "id": id, "name": channel.name, "is_im": false, "is_private": channel.private, "is_archived": channel.archived,
        "is_ext_shared": channel.ext_shared, "is_pending_ext_shared": channel.pending_ext_shared,
        "is_org_shared": channel.org_shared, "is_member": channel.members.contains(BOT),
    } }))
}

fn open(workspace: &mut Workspace, call: &Logged) -> Outcome {
    scope(workspace, "im:write")?;
    let user = required(call, "users")?;
    let known = workspace.users.get(user).ok_or("user_not_found")?;
    if known.deleted {
        return Err("user_disabled".into());
    }
    let id = workspace.dm_of(user).unwrap_or_else(|| format!("D{user}"));
    let members = [user, BOT].map(str::to_owned).into();
    workspace.channels.entry(id.clone()).or_insert(Channel {
        im: true,
        members,
        ..Channel::default()
    });
    Ok(json!({ "channel": { "id": id } }))
}

fn replies(workspace: &Workspace, call: &Logged) -> Outcome {
    let (channel, root) = (required(call, "channel")?, required(call, "ts")?);
    visible(workspace, channel, "history")?;
    let here = workspace
        .messages
        .iter()
        .filter(|message| message.channel == channel);
    if !here.clone().any(|message| message.ts == root) {
        return Err("thread_not_found".into());
    }
    let oldest = call.arg("oldest").unwrap_or_default();
    let latest = call.arg("latest").unwrap_or("9");
    let wanted = |message: &&Message| {
        let within = message.ts.as_str() > oldest && message.ts.as_str() < latest;
        message.ts == root || (message.thread.as_deref() == Some(root) && within)
    };
    page(call, here.filter(wanted))
}

fn history(workspace: &Workspace, call: &Logged) -> Outcome {
    let channel = required(call, "channel")?;
    visible(workspace, channel, "history")?;
    let oldest = call.arg("oldest").unwrap_or_default();
    let wanted = |message: &&Message| {
        message.channel == channel && message.thread.is_none() && message.ts.as_str() > oldest
    };
    page(call, workspace.messages.iter().rev().filter(wanted))
}

fn page<'a>(call: &Logged, messages: impl Iterator<Item = &'a Message>) -> Outcome {
    let limit: usize = call
        .arg("limit")
        .and_then(|limit| limit.parse().ok())
        .unwrap_or(100);
    let start: usize = call
        .arg("cursor")
        .and_then(|cursor| cursor.parse().ok())
        .unwrap_or(0);
    let with_metadata = call
        .arg("include_all_metadata")
        .is_some_and(|said| said == "true" || said == "1");
    let all: Vec<Value> = messages.map(|message| shown(message, with_metadata)).collect();
    let next = if start + limit < all.len() {
        (start + limit).to_string()
    } else {
        String::new()
    };
    let messages: Vec<Value> = all.into_iter().skip(start).take(limit).collect();
    Ok(
        json!({ "messages": messages, "has_more": !next.is_empty(), "response_metadata": { "next_cursor": next } }),
    )
}

fn shown(message: &Message, with_metadata: bool) -> Value {
    let mut shown = json!({
        "type": "message", "user": message.user, "text": message.text, "ts": message.ts, "blocks": message.blocks,
    });
    if message.user == ROBOT {
        shown["bot_id"] = json!("B0ROBOT");
    }
    if message.by_bot {
        shown["bot_id"] = json!(BOT_ID);
        shown["app_id"] = json!(APP);
    }
    if let Some(thread) = &message.thread {
        shown["thread_ts"] = json!(thread);
    }
    if !message.files.is_empty() {
        let files = message.files.iter().map(|id| json!({ "id": id }));
        shown["files"] = files.collect();
    }
    if let Some(metadata) = message.metadata.as_ref().filter(|_| with_metadata) {
        shown["metadata"] = metadata.clone();
    }
    shown
}

/// The content of a message, within Slack's limits. No blocks if none were given.
fn content(call: &Logged) -> Result<(String, Option<Vec<Value>>), Refused> {
    let text = call.arg("text").unwrap_or_default().to_owned();
    let blocks: Option<Vec<Value>> = match call.arg("blocks") {
        None => None,
        Some(blocks) => Some(serde_json::from_str(blocks).map_err(|_| "invalid_blocks_format")?),
    };
    message_limits::check(&text, blocks.as_deref().unwrap_or_default())?;
    Ok((text, blocks))
}

pub(super) fn thread(workspace: &Workspace, call: &Logged, channel: &str) -> Result<Option<String>, Refused> {
    let Some(thread) = call.arg("thread_ts") else {
        return Ok(None);
    };
    if workspace
        .messages
        .iter()
        .any(|message| message.channel == channel && message.ts == thread)
    {
        Ok(Some(thread.to_owned()))
    } else {
        Err("thread_not_found".into())
    }
}

fn post(workspace: &mut Workspace, call: &Logged) -> Outcome {
    let channel = required(call, "channel")?.to_owned();
    writable(workspace, &channel)?;
    let thread = thread(workspace, call, &channel)?;
    let (text, blocks) = content(call)?;
    let metadata = match call.arg("metadata").map(serde_json::from_str::<Value>) {
        None => None,
        Some(Ok(data)) if data["event_type"].is_string() && data["event_payload"].is_object() => Some(data),
        Some(_) => return Err("invalid_metadata_format".into()),
    };
    let ts = workspace.next_ts();
    workspace.call_rates.posted(&channel);
    workspace.messages.push(Message {
        channel: channel.clone(),
        user: BOT.to_owned(),
        by_bot: true,
        ts: ts.clone(),
        thread,
        text,
        blocks: blocks.unwrap_or_default(),
        metadata,
        updates: 0,
        files: Vec::new(),
    });
    let posted = workspace.messages.last().expect("a message");
    Ok(json!({ "channel": channel, "ts": ts, "message": shown(posted, true) }))
}

fn post_ephemeral(workspace: &mut Workspace, call: &Logged) -> Outcome {
    let (channel, user) = (
        required(call, "channel")?.to_owned(),
        required(call, "user")?.to_owned(),
    );
    if !writable(workspace, &channel)?.members.contains(&user) {
        return Err("user_not_in_channel".into());
    }
    let (text, blocks) = content(call)?;
    let thread = thread(workspace, call, &channel)?;
    let blocks = blocks.unwrap_or_default();
    workspace.ephemerals.push(Ephemeral {
        channel,
        user,
        thread,
        text,
        blocks,
    });
    let ts = workspace.next_ts();
    Ok(json!({ "message_ts": ts }))
}

fn update(workspace: &mut Workspace, call: &Logged) -> Outcome {
    let (channel, ts) = (required(call, "channel")?, required(call, "ts")?);
    writable(workspace, channel)?;
    let (text, blocks) = content(call)?;
    let message = workspace.find(channel, ts).ok_or("message_not_found")?;
    if !message.by_bot {
        return Err("cant_update_message".into());
    }
    message.text = text;
    // Blocks and metadata that are not given are kept.
    if let Some(blocks) = blocks {
        message.blocks = blocks;
    }
    message.updates += 1;
    workspace.call_rates.updated(ts);
    Ok(json!({ "channel": channel, "ts": ts }))
}

fn delete(workspace: &mut Workspace, call: &Logged) -> Outcome {
    let (channel, ts) = (required(call, "channel")?, required(call, "ts")?);
    writable(workspace, channel)?;
    let message = workspace.find(channel, ts).ok_or("message_not_found")?;
    if !message.by_bot {
        return Err("cant_delete_message".into());
    }
    workspace
        .messages
        .retain(|message| message.channel != channel || message.ts != ts);
    Ok(json!({ "channel": channel, "ts": ts }))
}

fn status(workspace: &mut Workspace, call: &Logged) -> Outcome {
    let (channel, thread) = (required(call, "channel_id")?, required(call, "thread_ts")?);
    let status = call.arg("status").ok_or("invalid_arguments")?.to_owned();
    app_home::check_loading(call)?;
    writable(workspace, channel)?;
    workspace.find(channel, thread).ok_or("invalid_thread_ts")?;
    workspace.statuses.push(Status {
        channel: channel.to_owned(),
        thread: thread.to_owned(),
        status,
    });
    Ok(json!({}))
}
