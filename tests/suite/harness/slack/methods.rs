//! The Web API methods of the fake: token, form, arguments, rights and membership, then the effect.
//! Knows no fault; those happen around it.

use axum::http::{HeaderMap, header};
use serde_json::{Value, json};

use super::Logged;
use super::world::{APP, BOT, BOT_ID, Channel, Ephemeral, Message, ROBOT, Status, TEAM_NAME, TOKEN, World};
use super::{access, arguments, files, limits, surface};

pub(super) type Outcome = Result<Value, Refused>;

/// `ok: false`, and the scope that would have been needed.
pub struct Refused(pub(super) &'static str, pub(super) Option<&'static str>);

impl From<&'static str> for Refused {
    fn from(word: &'static str) -> Self {
        Self(word, None)
    }
}

/// The JSON that Slack would answer.
pub fn perform(world: &mut World, headers: &HeaderMap, call: &Logged) -> Value {
    if let Some(answer) = access::performed(world, headers, call) {
        return answer;
    }
    match performed(world, headers, call) {
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

fn performed(world: &mut World, headers: &HeaderMap, call: &Logged) -> Outcome {
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
        _ if world.revoked => return Err("token_revoked".into()),
        TOKEN => {}
        given => world.access.check(given)?,
    }
    let (app, app_name) = world.access.app_of(token);
    if !arguments::is_taken(headers) {
        return Err("invalid_post_type".into());
    }
    match call.method.as_str() {
        "auth.test" if world.access.for_organization => Ok(json!({
            "team": "Acme Group", "team_id": world.access.enterprise, "user": "corbel", "user_id": BOT,
            "bot_id": BOT_ID, "enterprise_id": world.access.enterprise, "is_enterprise_install": true,
        })),
        "auth.test" => Ok(json!({
            "team": TEAM_NAME, "team_id": world.access.team, "user": "corbel", "user_id": BOT, "bot_id": BOT_ID,
            "enterprise_id": world.access.enterprise, "is_enterprise_install": false,
        })),
        "bots.info" if call.arg("bot") == Some(BOT_ID) => {
            scope(world, "users:read")?;
            Ok(
                json!({ "bot": { "id": BOT_ID, "app_id": app, "user_id": BOT, "name": app_name, "deleted": false } }),
            )
        }
        "bots.info" => Err("bot_not_found".into()),
        "users.info" => {
            scope(world, "users:read")?;
            Ok(json!({ "user": world.profile(required(call, "user")?).ok_or("user_not_found")? }))
        }
        "conversations.info" => info(world, call),
        "conversations.open" => open(world, call),
        "conversations.replies" => replies(world, call),
        "conversations.history" => history(world, call),
        "chat.postMessage" => post(world, call),
        "chat.postEphemeral" => whisper(world, call),
        "chat.update" => update(world, call),
        "chat.delete" => delete(world, call),
        "assistant.threads.setStatus" => status(world, call),
        "files.info" => files::info(world, call),
        "files.getUploadURLExternal" => files::upload_url(world, call),
        "files.completeUploadExternal" => files::complete(world, call),
        "conversations.members" => surface::members(world, call),
        "views.publish" => surface::publish(world, call),
        "assistant.threads.setSuggestedPrompts" => surface::prompts(world, call),
        "agents.sessions.setStatus" => surface::session(world, call),
        _ => Err("unknown_method".into()),
    }
}

pub(super) fn required<'a>(call: &'a Logged, name: &str) -> Result<&'a str, Refused> {
    call.arg(name)
        .filter(|value| !value.is_empty())
        .ok_or(Refused("invalid_arguments", None))
}

pub(super) fn scope(world: &World, needed: &'static str) -> Result<(), Refused> {
    if world.scopes.contains(&needed) {
        Ok(())
    } else {
        Err(Refused("missing_scope", Some(needed)))
    }
}

/// A channel that the bot can see, under the right of its kind.
pub fn seen<'a>(world: &'a World, id: &str, right: &str) -> Result<&'a Channel, Refused> {
    let channel = world.channels.get(id).ok_or("channel_not_found")?;
    if (channel.private || channel.im) && !channel.members.contains(BOT) {
        return Err("channel_not_found".into());
    }
    scope(
        world,
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

/// A channel in which the bot may speak.
pub(super) fn spoken_in<'a>(world: &'a World, id: &str) -> Result<&'a Channel, Refused> {
    scope(world, "chat:write")?;
    let channel = world.channels.get(id).ok_or("channel_not_found")?;
    match channel.members.contains(BOT) {
        false if channel.private || channel.im => Err("channel_not_found".into()),
        false => Err("not_in_channel".into()),
        true if channel.archived => Err("is_archived".into()),
        true => channel.refuses.map_or(Ok(channel), |word| Err(word.into())),
    }
}

fn info(world: &World, call: &Logged) -> Outcome {
    let id = required(call, "channel")?;
    let channel = seen(world, id, "read")?;
    if channel.im {
        return Ok(json!({ "channel": { "id": id, "is_im": true } }));
    }
    Ok(json!({ "channel": {
        "id": id, "name": channel.name, "is_im": false, "is_private": channel.private, "is_archived": channel.archived,
        "is_ext_shared": channel.ext_shared, "is_pending_ext_shared": channel.pending_ext_shared,
        "is_org_shared": channel.org_shared, "is_member": channel.members.contains(BOT),
    } }))
}

fn open(world: &mut World, call: &Logged) -> Outcome {
    scope(world, "im:write")?;
    let user = required(call, "users")?;
    let known = world.users.get(user).ok_or("user_not_found")?;
    if known.deleted {
        return Err("user_disabled".into());
    }
    let id = world.dm_of(user).unwrap_or_else(|| format!("D{user}"));
    let members = [user, BOT].map(str::to_owned).into();
    world.channels.entry(id.clone()).or_insert(Channel {
        im: true,
        members,
        ..Channel::default()
    });
    Ok(json!({ "channel": { "id": id } }))
}

fn replies(world: &World, call: &Logged) -> Outcome {
    let (channel, root) = (required(call, "channel")?, required(call, "ts")?);
    seen(world, channel, "history")?;
    let here = world.messages.iter().filter(|message| message.channel == channel);
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

fn history(world: &World, call: &Logged) -> Outcome {
    let channel = required(call, "channel")?;
    seen(world, channel, "history")?;
    let oldest = call.arg("oldest").unwrap_or_default();
    let wanted = |message: &&Message| {
        message.channel == channel && message.thread.is_none() && message.ts.as_str() > oldest
    };
    page(call, world.messages.iter().rev().filter(wanted))
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

/// What a message is to say, within Slack's limits. Nothing for blocks that were not given.
fn worded(call: &Logged) -> Result<(String, Option<Vec<Value>>), Refused> {
    let text = call.arg("text").unwrap_or_default().to_owned();
    let blocks: Option<Vec<Value>> = match call.arg("blocks") {
        None => None,
        Some(blocks) => Some(serde_json::from_str(blocks).map_err(|_| "invalid_blocks_format")?),
    };
    limits::check(&text, blocks.as_deref().unwrap_or_default())?;
    Ok((text, blocks))
}

pub(super) fn thread(world: &World, call: &Logged, channel: &str) -> Result<Option<String>, Refused> {
    let Some(thread) = call.arg("thread_ts") else {
        return Ok(None);
    };
    if world
        .messages
        .iter()
        .any(|message| message.channel == channel && message.ts == thread)
    {
        Ok(Some(thread.to_owned()))
    } else {
        Err("thread_not_found".into())
    }
}

fn post(world: &mut World, call: &Logged) -> Outcome {
    let channel = required(call, "channel")?.to_owned();
    spoken_in(world, &channel)?;
    let thread = thread(world, call, &channel)?;
    let (text, blocks) = worded(call)?;
    let metadata = match call.arg("metadata").map(serde_json::from_str::<Value>) {
        None => None,
        Some(Ok(data)) if data["event_type"].is_string() && data["event_payload"].is_object() => Some(data),
        Some(_) => return Err("invalid_metadata_format".into()),
    };
    let ts = world.next_ts();
    world.pace.posted(&channel);
    world.messages.push(Message {
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
    let posted = world.messages.last().expect("a message");
    Ok(json!({ "channel": channel, "ts": ts, "message": shown(posted, true) }))
}

fn whisper(world: &mut World, call: &Logged) -> Outcome {
    let (channel, user) = (
        required(call, "channel")?.to_owned(),
        required(call, "user")?.to_owned(),
    );
    if !spoken_in(world, &channel)?.members.contains(&user) {
        return Err("user_not_in_channel".into());
    }
    let (text, blocks) = worded(call)?;
    let thread = thread(world, call, &channel)?;
    let blocks = blocks.unwrap_or_default();
    world.ephemerals.push(Ephemeral {
        channel,
        user,
        thread,
        text,
        blocks,
    });
    let ts = world.next_ts();
    Ok(json!({ "message_ts": ts }))
}

fn update(world: &mut World, call: &Logged) -> Outcome {
    let (channel, ts) = (required(call, "channel")?, required(call, "ts")?);
    spoken_in(world, channel)?;
    let (text, blocks) = worded(call)?;
    let message = world.find(channel, ts).ok_or("message_not_found")?;
    if !message.by_bot {
        return Err("cant_update_message".into());
    }
    message.text = text;
    // Blocks and metadata that are not given stay.
    if let Some(blocks) = blocks {
        message.blocks = blocks;
    }
    message.updates += 1;
    world.pace.said(ts);
    Ok(json!({ "channel": channel, "ts": ts }))
}

fn delete(world: &mut World, call: &Logged) -> Outcome {
    let (channel, ts) = (required(call, "channel")?, required(call, "ts")?);
    spoken_in(world, channel)?;
    let message = world.find(channel, ts).ok_or("message_not_found")?;
    if !message.by_bot {
        return Err("cant_delete_message".into());
    }
    world
        .messages
        .retain(|message| message.channel != channel || message.ts != ts);
    Ok(json!({ "channel": channel, "ts": ts }))
}

fn status(world: &mut World, call: &Logged) -> Outcome {
    let (channel, thread) = (required(call, "channel_id")?, required(call, "thread_ts")?);
    let status = call.arg("status").ok_or("invalid_arguments")?.to_owned();
    surface::check_loading(call)?;
    spoken_in(world, channel)?;
    world.find(channel, thread).ok_or("invalid_thread_ts")?;
    world.statuses.push(Status {
        channel: channel.to_owned(),
        thread: thread.to_owned(),
        status,
    });
    Ok(json!({}))
}
