//! One call to Slack's Web API: form-encoded, with a bearer token, within the rate limits.
//!
//! Does not depend on what a method does. Of forms, tokens and responses only the method and Slack's error code are
//! logged.

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

/// Largest response that is read.
const MAX_RESPONSE: usize = 4 << 20;
/// Longest that a call may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Longest part of Slack's notes that is logged.
const MAX_NOTES: usize = 300;
/// The one method that Slack limits by channel.
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
    /// The channel that Slack counts the call for; empty for a call without one.
    pub(super) channel: &'a str,
    pub(super) form: Vec<(&'static str, Cow<'a, str>)>,
    pub(super) timeout: Duration,
}

impl<'a> Call<'a> {
    pub(super) fn new(method: &'static str, effect: Effect, channel: &'a str) -> Self {
        Self {
            method,
            effect,
            channel,
            form: Vec::new(),
            timeout: TIMEOUT,
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
    /// Renews tokens that expire.
    pub(super) rotation: Option<Rotation>,
}

#[derive(Deserialize)]
struct Head<'a> {
    ok: bool,
    #[serde(borrow, default)]
    error: Option<Cow<'a, str>>,
    /// The missing scopes.
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

    /// Makes the call and reads a successful response as `T`.
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
        let mut outcome = self.with_valid_token(at, &call).await;
        if posts && !matches!(outcome, Ok(_) | Err(Failure::Ambiguous(_) | Failure::Late(_))) {
            self.limits.release_post(at.id, call.channel);
        }
        match &mut outcome {
            Ok(_) => self.limits.record_success(method),
            Err(Failure::Wait(wait)) => {
                tracing::info!(
                    method = call.method, installation = %at.id, wait_s = wait.as_secs(), "Slack asks to wait"
                );
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

    /// The installation with a token that does not expire soon, for requests that are not API methods.
    pub(super) async fn with_lasting_token<'a>(&self, at: &'a Installation) -> Result<Cow<'a, Installation>> {
        match &self.rotation {
            Some(rotation) => rotation.with_lasting_token(at).await,
            None => Ok(Cow::Borrowed(at)),
        }
    }

    /// With a token that does not expire soon, and once more with the next one if Slack says that it has expired.
    async fn with_valid_token<T: DeserializeOwned>(&self, at: &Installation, call: &Call<'_>) -> Result<T> {
        let Some(rotation) = &self.rotation else {
            return self.request(at, call).await;
        };
        let at = rotation.with_lasting_token(at).await?;
        match self.request(&at, call).await {
            Err(Failure::TokenExpired(_)) => {
                let renewed = rotation.after_expiry(&at).await?;
                self.request(&renewed, call).await
            }
            outcome => outcome,
        }
    }

    async fn request<T: DeserializeOwned>(&self, at: &Installation, call: &Call<'_>) -> Result<T> {
        let Some(token) = at.slack().bot_token.as_ref() else {
            return Err(Failure::Disabled("there is no bot token".to_owned()));
        };
        let request = self
            .outbound
            .post(&format!("{}{}", self.base, call.method))
            .map_err(|error| Failure::Unavailable(error.to_string()))?
            .bearer_auth(token.expose())
            .timeout(call.timeout)
            .form(&call.form);
        let reply = send(request, MAX_RESPONSE).await.map_err(|error| match error {
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
    // Not JSON, or not the expected fields: the call may have had its effect.
    let unreadable = |_| lost(effect, "an unreadable response");
    let head: Head<'_> = serde_json::from_slice(&reply.body).map_err(unreadable)?;
    if head.ok {
        return serde_json::from_slice(&reply.body).map_err(unreadable);
    }
    let word = head.error.as_deref().unwrap_or("no_error_given");
    if let Some(Value::Array(notes)) = head.response_metadata.get("messages") {
        // They name fields of the request and quote no content.
        let notes: Vec<&str> = notes.iter().filter_map(Value::as_str).collect();
        tracing::warn!(
            word,
            notes = shortened(&notes.join("; "), MAX_NOTES),
            "Slack's notes on its refusal"
        );
    }
    Err(match refused(effect, word, head.needed.as_deref()) {
        Failure::Wait(_) => Failure::Wait(wait),
        failure => failure,
    })
}
