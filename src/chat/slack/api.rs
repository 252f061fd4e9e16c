//! Slack's Web API as one call: form-encoded, bearer token, waiting where Slack asked to wait.
//!
//! Knows no method's meaning and no message. Nothing of a form, a token or an answer is logged but
//! the method and Slack's error word.

use std::borrow::Cow;
use std::time::Duration;

use chrono::TimeDelta;
use reqwest::StatusCode;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::assistants::model::Installation;
use crate::base::clock::Clock;
use crate::base::text::shortened;
use crate::chat::core::effect::{Effect, late, lost, wait_after};
use crate::chat::core::platform::{Failure, Result};
use crate::chat::core::rate_limits::{PostRate, RateLimits};
use crate::chat::slack::failure::refused;
use crate::chat::slack::rotation::Rotation;
use crate::net::client::{NoReply, Outbound, Reply, send};

/// Largest answer that is read.
const ANSWER: usize = 4 << 20;
/// Longest that a call may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// Longest of Slack's notes that is logged.
const NOTES: usize = 300;
/// The one method whose calls Slack counts by channel.
const POST: &str = "chat.postMessage";
/// Slack allows about one post a second in a channel, with short bursts.
const POST_RATE: PostRate = PostRate {
    interval: TimeDelta::seconds(1),
    burst: 3,
};

/// One call.
#[derive(Clone, Debug)]
pub(super) struct Call<'a> {
    pub(super) method: &'static str,
    pub(super) effect: Effect,
    /// The channel by which Slack counts, or nothing for a call without one.
    pub(super) channel: &'a str,
    pub(super) form: Vec<(&'static str, Cow<'a, str>)>,
    pub(super) patience: Duration,
}

impl<'a> Call<'a> {
    pub(super) fn new(method: &'static str, effect: Effect, channel: &'a str) -> Self {
        Self {
            method,
            effect,
            channel,
            form: Vec::new(),
            patience: PATIENCE,
        }
    }

    #[must_use]
    pub(super) fn with(mut self, name: &'static str, value: impl Into<Cow<'a, str>>) -> Self {
        self.form.push((name, value.into()));
        self
    }
}

#[derive(Debug)]
pub(super) struct Api {
    outbound: Outbound,
    clock: Clock,
    /// Ends in `/api/`.
    base: String,
    limits: RateLimits,
    /// Replaces tokens that end.
    pub(super) rotation: Option<Rotation>,
}

#[derive(Deserialize)]
struct Head<'a> {
    ok: bool,
    #[serde(borrow, default)]
    error: Option<Cow<'a, str>>,
    /// The scopes that are missing.
    #[serde(borrow, default)]
    needed: Option<Cow<'a, str>>,
    /// What is wrong with the request, where Slack says so.
    #[serde(default)]
    response_metadata: Value,
}

impl Api {
    pub(super) fn new(outbound: Outbound, clock: Clock, base: String) -> Self {
        Self {
            outbound,
            clock,
            base,
            limits: RateLimits::new(POST_RATE),
            rotation: None,
        }
    }

    /// Calls, and reads the answer of an `ok` as `T`.
    pub(super) async fn call<T: DeserializeOwned>(&self, at: &Installation, call: Call<'_>) -> Result<T> {
        let (method, now) = ((at.id, call.method), self.clock.now());
        let posts = call.method == POST && call.effect == Effect::Post;
        self.limits
            .check(method, call.channel, now)
            .map_err(Failure::Wait)?;
        if posts {
            self.limits
                .reserve_post(at.id, call.channel, now)
                .map_err(Failure::Wait)?;
        }
        let mut outcome = self.answered(at, &call).await;
        if posts && !matches!(outcome, Ok(_) | Err(Failure::Ambiguous(_) | Failure::Late(_))) {
            self.limits.release_post(at.id, call.channel);
        }
        match &mut outcome {
            Ok(_) => self.limits.record_success(method),
            Err(Failure::Wait(wait)) => {
                tracing::info!(method = call.method, installation = %at.id, wait_s = wait.as_secs(), "Slack asks to wait");
                *wait = self.limits.block(method, call.channel, *wait, self.clock.now());
            }
            Err(failure) => {
                tracing::warn!(method = call.method, installation = %at.id, %failure, "Slack call failed");
                if let (Failure::MissingPermission(needed), Some(rotation)) = (&*failure, &self.rotation) {
                    rotation.note_refusal(at, needed).await;
                }
            }
        }
        outcome
    }

    /// The installation with a token that lasts a while: for what is asked for beside the methods.
    pub(super) async fn lasting<'a>(&self, at: &'a Installation) -> Result<Cow<'a, Installation>> {
        match &self.rotation {
            Some(rotation) => rotation.lasting(at).await,
            None => Ok(Cow::Borrowed(at)),
        }
    }

    /// With a token that lasts; once more with the next one if Slack calls it expired.
    async fn answered<T: DeserializeOwned>(&self, at: &Installation, call: &Call<'_>) -> Result<T> {
        let Some(rotation) = &self.rotation else {
            return self.asked(at, call).await;
        };
        let at = rotation.lasting(at).await?;
        match self.asked(&at, call).await {
            Err(Failure::TokenExpired(_)) => {
                let renewed = rotation.after_expiry(&at).await?;
                self.asked(&renewed, call).await
            }
            outcome => outcome,
        }
    }

    async fn asked<T: DeserializeOwned>(&self, at: &Installation, call: &Call<'_>) -> Result<T> {
        let Some(token) = at.slack().bot_token.as_ref() else {
            return Err(Failure::Disabled("there is no bot token".to_owned()));
        };
        let request = self
            .outbound
            .post(&format!("{}{}", self.base, call.method))
            .map_err(|error| Failure::Unavailable(error.to_string()))?
            .bearer_auth(token.expose())
            .timeout(call.patience)
            .form(&call.form);
        let reply = send(request, ANSWER).await.map_err(|error| match error {
            NoReply::NotSent(why) => Failure::Unavailable(why),
            NoReply::Unknown(why) => lost(call.effect, why),
            NoReply::TimedOut(why) => late(call.effect, why),
        })?;
        read(call.effect, &reply)
    }
}

fn read<T: DeserializeOwned>(effect: Effect, reply: &Reply) -> Result<T> {
    let status = reply.status;
    let wait = wait_after(reply.retry_after);
    if status == StatusCode::TOO_MANY_REQUESTS {
        return Err(Failure::Wait(wait));
    }
    if status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT {
        return Err(lost(effect, format!("HTTP {}", status.as_u16())));
    }
    if !status.is_success() {
        return Err(Failure::Rejected(format!("HTTP {}", status.as_u16())));
    }
    // Not JSON, or not what an `ok` brings: it may have happened, but we cannot tell.
    let unreadable = |_| lost(effect, "an unreadable answer");
    let head: Head<'_> = serde_json::from_slice(&reply.body).map_err(unreadable)?;
    if head.ok {
        return serde_json::from_slice(&reply.body).map_err(unreadable);
    }
    let word = head.error.as_deref().unwrap_or("no_error_given");
    if let Some(Value::Array(notes)) = head.response_metadata.get("messages") {
        // They point into what was sent and quote nothing of it.
        let notes: Vec<&str> = notes.iter().filter_map(Value::as_str).collect();
        tracing::warn!(
            word,
            notes = shortened(&notes.join("; "), NOTES),
            "what Slack says of its refusal"
        );
    }
    Err(match refused(effect, word, head.needed.as_deref()) {
        Failure::Wait(_) => Failure::Wait(wait),
        failure => failure,
    })
}
