//! Requests as Slack sends them: signed, with unique event ids, redelivered where Slack would. Does not depend on the
//! fake's state.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use corbel::net::client::Outbound;
use corbel::net::guard::Guard;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

use super::workspace::{APP, BOT, BOT_ID, Message, TEAM};

static EVENTS: AtomicU64 = AtomicU64::new(1);

/// A message by a person, from which events are built. Each call builds a new event.
#[derive(Clone, Debug)]
pub struct Said {
    pub channel: String,
    pub user: String,
    pub text: String,
    pub ts: String,
    pub thread: Option<String>,
    pub files: Vec<Value>,
    pub team: String,
    pub ext_shared: bool,
}

impl Said {
    /// The thread in which the answer belongs.
    pub fn thread(&self) -> &str {
        self.thread.as_deref().unwrap_or(&self.ts)
    }

    /// `app_mention`.
    pub fn mention(&self) -> Value {
        self.callback(self.event("app_mention"))
    }

    /// `message`: the event of a direct message, and the second event of a mention in a channel.
    pub fn message(&self) -> Value {
        let mut event = self.event("message");
        let direct = self.channel.starts_with('D');
        event["channel_type"] = json!(if direct { "im" } else { "channel" });
        if !self.files.is_empty() {
            event["subtype"] = json!("file_share");
        }
        self.callback(event)
    }

    /// The mention again, after its author edited it.
    pub fn edited(&self) -> Value {
        let mut event = self.event("app_mention");
        event["edited"] = json!({ "user": self.user, "ts": "1795099999.000000" });
        self.callback(event)
    }

    /// `message_changed`, as an unfurled link causes it.
    pub fn changed(&self) -> Value {
        self.callback(json!({
            "type": "message", "subtype": "message_changed", "hidden": true, "channel": self.channel,
            "ts": "1795099999.000001", "message": self.event("message"), "previous_message": self.event("message"),
        }))
    }

    pub fn deleted(&self) -> Value {
        self.callback(json!({
            "type": "message", "subtype": "message_deleted", "hidden": true, "channel": self.channel,
            "ts": "1795099999.000002", "deleted_ts": self.ts, "previous_message": self.event("message"),
        }))
    }

    /// The same text, posted by a bot.
    pub fn by_bot(&self) -> Value {
        let mut event = self.event("message");
        event["bot_id"] = json!(BOT_ID);
        event["channel_type"] = json!("im");
        self.callback(event)
    }

    fn event(&self, kind: &str) -> Value {
        let mut event = json!({
            "type": kind, "user": self.user, "text": self.text, "ts": self.ts, "event_ts": self.ts,
            "channel": self.channel, "team": self.team, "client_msg_id": "11111111-2222-3333-4444-555555555555",
        });
        if self.team != TEAM {
            event["user_team"] = json!(self.team);
            event["source_team"] = json!(self.team);
        }
        if let Some(thread) = &self.thread {
            event["thread_ts"] = json!(thread);
        }
        if !self.files.is_empty() {
            event["files"] = json!(self.files);
        }
        event
    }

    fn callback(&self, event: Value) -> Value {
        let mut callback = callback(event);
        callback["is_ext_shared_channel"] = json!(self.ext_shared);
        callback
    }
}

/// Wraps an event in the envelope of the fake's workspace, with a unique id.
pub fn callback(event: Value) -> Value {
    let number = EVENTS.fetch_add(1, Ordering::Relaxed);
    json!({
        "token": "legacy-ignored", "type": "event_callback", "team_id": TEAM, "context_team_id": TEAM,
        "context_enterprise_id": null, "api_app_id": APP, "event": event, "event_id": format!("Ev{number:09}"),
        "event_time": 1_795_000_000, "is_ext_shared_channel": false, "event_context": "4-ctx",
        "authorizations": [{
            "enterprise_id": null, "team_id": TEAM, "user_id": BOT, "is_bot": true, "is_enterprise_install": false,
        }],
    })
}

/// `agent_session_stopped`: a person used Slack's own Stop.
pub fn session_stopped(channel: &str, thread: &str, user: &str) -> Value {
    callback(json!({
        "type": "agent_session_stopped", "channel": channel, "thread_ts": thread, "user": user,
        "event_ts": "1795000020.000100", "streaming_message_ts": [],
    }))
}

/// `app_home_opened`.
pub fn home_opened(channel: &str, user: &str, tab: &str) -> Value {
    callback(json!({
        "type": "app_home_opened", "channel": channel, "user": user, "tab": tab,
        "event_ts": "1795000020.000200",
    }))
}

static INTERACTIONS: AtomicU64 = AtomicU64::new(1);

/// The payload of an interaction with an element of a message, with a unique time.
pub fn interaction(message: &Message, user: &str, action: &Value) -> Value {
    let number = INTERACTIONS.fetch_add(1, Ordering::Relaxed);
    let mut action = action.clone();
    action["action_ts"] = json!(format!("{}.{:06}", 1_795_000_100 + number / 1000, number % 1000));
    let mut container = json!({
        "type": "message", "message_ts": message.ts, "channel_id": message.channel, "is_ephemeral": false,
    });
    if let Some(thread) = &message.thread {
        container["thread_ts"] = json!(thread);
    }
    let name = if message.channel.starts_with('D') {
        "directmessage"
    } else {
        "deals"
    };
    json!({
        "type": "block_actions", "user": { "id": user, "username": user, "name": user, "team_id": TEAM },
        "api_app_id": APP, "token": "legacy-ignored", "container": container, "trigger_id": "1.2.abc",
        "team": { "id": TEAM, "domain": "acme" }, "enterprise": null, "is_enterprise_install": false,
        "channel": { "id": message.channel, "name": name },
        "message": { "type": "message", "ts": message.ts, "text": message.text, "bot_id": BOT_ID, "app_id": APP },
        "response_url": "https://hooks.slack.com/actions/T0HOME/1/x", "actions": [action],
        "state": { "values": {} },
    })
}

/// The payload of an interaction in App Home.
pub fn home_interaction(page: &Message, user: &str, action: &Value) -> Value {
    let mut payload = interaction(page, user, action);
    payload["container"] = json!({ "type": "view", "view_id": "V0HOME" });
    let fields = payload.as_object_mut().expect("an object");
    for absent in ["channel", "message", "response_url"] {
        fields.remove(absent);
    }
    payload
}

/// The body of an interactivity request.
pub fn form(payload: &Value) -> String {
    url::form_urlencoded::Serializer::new(String::new())
        .append_pair("payload", &payload.to_string())
        .finish()
}

/// Sends an interaction as Slack does, signed over the exact bytes.
pub async fn deliver_form(url: &str, secret: &str, at_s: i64, body: String) -> Answer {
    let mut headers = signed(secret, at_s, body.as_bytes());
    headers.insert(
        "content-type",
        HeaderValue::from_static("application/x-www-form-urlencoded"),
    );
    send(url, headers, body.into_bytes()).await
}

pub fn url_verification(challenge: &str) -> Value {
    json!({ "token": "legacy-ignored", "challenge": challenge, "type": "url_verification" })
}

/// The headers of a request signed at this time, in seconds since 1970.
pub fn signed(secret: &str, at_s: i64, body: &[u8]) -> HeaderMap {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any key fits");
    mac.update(format!("v0:{at_s}:").as_bytes());
    mac.update(body);
    let signature = format!("v0={}", hex::encode(mac.finalize().into_bytes()));
    let mut headers = HeaderMap::new();
    let mut put = |name: &'static str, value: &str| {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_str(value).expect("plain text"),
        );
    };
    put("content-type", "application/json");
    put("user-agent", "Slackbot 1.0 (+https://api.slack.com/robots)");
    put("x-slack-request-timestamp", &at_s.to_string());
    put("x-slack-signature", &signature);
    headers
}

/// The response to a request.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: String,
}

impl Answer {
    /// The `code` of problem details.
    pub fn code(&self) -> String {
        let body: Value = serde_json::from_str(&self.body).unwrap_or_default();
        body["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// Sends an event once.
pub async fn deliver(url: &str, secret: &str, at_s: i64, event: &Value) -> Answer {
    let body = event.to_string();
    let headers = signed(secret, at_s, body.as_bytes());
    send(url, headers, body.into_bytes()).await
}

/// Sends an event as Slack does: up to three retries until it is accepted or must not be retried. Returns the status of
/// each attempt. Slack's pauses in between are left out.
pub async fn deliver_with_retries(url: &str, secret: &str, at_s: i64, event: &Value) -> Vec<u16> {
    let body = event.to_string();
    let mut statuses = Vec::new();
    for attempt in 0..4 {
        let mut headers = signed(secret, at_s, body.as_bytes());
        if attempt > 0 {
            headers.insert("x-slack-retry-num", HeaderValue::from(attempt));
            headers.insert("x-slack-retry-reason", HeaderValue::from_static("http_error"));
        }
        let answer = send(url, headers, body.clone().into_bytes()).await;
        statuses.push(answer.status);
        if (200..300).contains(&answer.status) || answer.headers.contains_key("x-slack-no-retry") {
            break;
        }
    }
    statuses
}

/// Sends a request unchanged.
pub async fn send(url: &str, headers: HeaderMap, body: Vec<u8>) -> Answer {
    let outbound = Outbound::new(Guard { allow_loopback: true }).expect("a client");
    let request = outbound
        .post(url)
        .expect("a loopback address")
        .headers(headers)
        .body(body);
    let response = request.send().await.expect("an answer");
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Answer {
        status,
        headers,
        body: response.text().await.unwrap_or_default(),
    }
}
