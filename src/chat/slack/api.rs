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

use crate::assistants::model::Installation;
use crate::base::clock::Clock;
use crate::base::ids::InstallationId;
use crate::chat::core::platform::{Failure, Result};
use crate::chat::slack::failure::{Effect, WAIT, lost, refused};
use crate::chat::slack::recent::Recent;
use crate::net::client::{NoReply, Outbound, Reply, send};

/// Largest answer that is read.
const ANSWER: usize = 4 << 20;
/// Longest that a call may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// Longest wait that is believed.
const LONGEST_WAIT: Duration = Duration::from_secs(3_600);
/// Methods and channels that wait at one time.
const GATES: usize = 10_000;

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

/// A method of an installation, in a channel.
type Gate = (InstallationId, &'static str, String);

#[derive(Debug)]
pub(super) struct Api {
    outbound: Outbound,
    clock: Clock,
    /// Ends in `/api/`.
    base: String,
    /// Until when Slack asked not to be called.
    gates: Recent<Gate, ()>,
}

#[derive(Deserialize)]
struct Head<'a> {
    ok: bool,
    #[serde(borrow, default)]
    error: Option<Cow<'a, str>>,
    /// The scopes that are missing.
    #[serde(borrow, default)]
    needed: Option<Cow<'a, str>>,
}

impl Api {
    pub(super) fn new(outbound: Outbound, clock: Clock, base: String) -> Self {
        Self {
            outbound,
            clock,
            base,
            gates: Recent::new(GATES),
        }
    }

    /// Calls, and reads the answer of an `ok` as `T`.
    pub(super) async fn call<T: DeserializeOwned>(&self, at: &Installation, call: Call<'_>) -> Result<T> {
        let gate = (at.id, call.method, call.channel.to_owned());
        if let Some((until, ())) = self.gates.get(&gate, self.clock.now()) {
            let rest = (until - self.clock.now()).to_std().unwrap_or_default();
            return Err(Failure::Wait(rest.max(Duration::from_secs(1))));
        }
        let outcome = self.answered(at, &call).await;
        match &outcome {
            Ok(_) => {}
            Err(Failure::Wait(wait)) => {
                let now = self.clock.now();
                let until = now + TimeDelta::from_std(*wait).unwrap_or_default();
                self.gates.put(gate, (), until, now);
                tracing::info!(method = call.method, installation = %at.id, wait_s = wait.as_secs(), "Slack asks to wait");
            }
            Err(failure) => {
                tracing::warn!(method = call.method, installation = %at.id, %failure, "Slack call failed");
            }
        }
        outcome
    }

    async fn answered<T: DeserializeOwned>(&self, at: &Installation, call: &Call<'_>) -> Result<T> {
        let Some(token) = at.bot_token.as_ref() else {
            return Err(Failure::Disabled("there is no bot token".to_owned()));
        };
        let request = self
            .outbound
            .post(&format!("{}{}", self.base, call.method))
            .map_err(|error| Failure::Away(error.to_string()))?
            .bearer_auth(token.expose())
            .timeout(call.patience)
            .form(&call.form);
        let reply = send(request, ANSWER).await.map_err(|error| match error {
            NoReply::NotSent(why) => Failure::Away(why),
            NoReply::Unknown(why) => lost(call.effect, why),
        })?;
        read(call.effect, &reply)
    }
}

fn read<T: DeserializeOwned>(effect: Effect, reply: &Reply) -> Result<T> {
    let status = reply.status;
    let wait = reply
        .retry_after
        .unwrap_or(WAIT)
        .clamp(Duration::from_secs(1), LONGEST_WAIT);
    if status == StatusCode::TOO_MANY_REQUESTS {
        return Err(Failure::Wait(wait));
    }
    if status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT {
        return Err(lost(effect, format!("HTTP {}", status.as_u16())));
    }
    if !status.is_success() {
        return Err(Failure::Refused(format!("HTTP {}", status.as_u16())));
    }
    // Not JSON, or not what an `ok` brings: it may have happened, but we cannot tell.
    let unreadable = |_| lost(effect, "an unreadable answer");
    let head: Head<'_> = serde_json::from_slice(&reply.body).map_err(unreadable)?;
    if head.ok {
        return serde_json::from_slice(&reply.body).map_err(unreadable);
    }
    let word = head.error.as_deref().unwrap_or("no_error_given");
    Err(match (refused(effect, word), head.needed) {
        (Failure::Wait(_), _) => Failure::Wait(wait),
        (Failure::Refused(word), Some(scope)) => Failure::Refused(format!("{word}: {scope}")),
        (failure, _) => failure,
    })
}
