//! The doctor of an assistant: checks of its setup, each with what to do about a failure. The checks here are the
//! same on every platform; a platform adds its own and runs them all. Changes nothing.

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;

use crate::assistants::model::{Assistant, ConversationState, Installation};
use crate::base::error::Result;
use crate::base::ids::{AssistantId, OrgId};
use crate::services::Services;

/// How long an event or a failed delivery counts. Older ones do not show whether the assistant works now.
pub const RECENT: TimeDelta = TimeDelta::days(7);

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Good,
    /// A step of the setup is still open.
    Waiting,
    /// A problem that prevents some or all answers.
    Bad,
    /// It could not be checked.
    Unknown,
}

impl State {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Waiting => "waiting",
            Self::Bad => "bad",
            Self::Unknown => "unknown",
        }
    }
}

/// One check.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    pub name: &'static str,
    pub state: State,
    pub found: String,
    /// What to do; empty if nothing has to be done. Printed as `mend` by `corbel doctor --json`.
    #[serde(rename = "mend")]
    pub fix: String,
}

impl Check {
    pub fn good(name: &'static str, found: impl Into<String>) -> Self {
        Self::new(name, State::Good, found, "")
    }

    pub fn new(name: &'static str, state: State, found: impl Into<String>, fix: impl Into<String>) -> Self {
        Self {
            name,
            state,
            found: found.into(),
            fix: fix.into(),
        }
    }
}

/// All checks of an assistant, including those after a failed one.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Report {
    pub checks: Vec<Check>,
}

impl Report {
    pub fn count(&self, state: State) -> usize {
        self.checks.iter().filter(|check| check.state == state).count()
    }

    /// Whether nothing is broken.
    pub fn is_fine(&self) -> bool {
        self.count(State::Bad) == 0
    }
}

/// Checks that the organization's plan includes chat: otherwise every question is refused.
pub async fn plan(services: &Services, org: OrgId) -> Result<Check> {
    let name = "Plan";
    let plan = services.accounts.org(&org.to_string()).await?.plan;
    Ok(if plan.may_chat() {
        Check::good(name, format!("{plan}, with chat assistants"))
    } else {
        Check::new(
            name,
            State::Bad,
            format!("{plan}, without chat assistants: every question is refused"),
            "Ask the operator of this server to change your organization's plan.",
        )
    })
}

/// Checks that a conversation is approved, if shared replies are on.
pub async fn shared_conversations(
    services: &Services,
    assistant: &Assistant,
    at: &Installation,
) -> Result<Check> {
    let name = "Shared conversations";
    if !assistant.shared_enabled {
        let found = "shared replies are off: it answers in direct messages only";
        return Ok(Check::good(name, found));
    }
    let count = |state| services.conversations.count(at.org, at.id, state);
    let approved = count(ConversationState::Approved).await?;
    let suspended = count(ConversationState::Suspended).await?;
    let found = format!("{approved} approved, {suspended} suspended");
    Ok(if approved > 0 {
        Check::good(name, found)
    } else {
        Check::new(
            name,
            State::Waiting,
            found,
            "Invite it to a channel, mention it there and approve the conversation, or turn off shared replies.",
        )
    })
}

/// Checks that someone has connected an account. `platform` is the platform's name.
pub async fn linked_people(
    services: &Services,
    org: OrgId,
    id: AssistantId,
    platform: &str,
) -> Result<Check> {
    let name = "Linked people";
    let linked = services.links.list(org, id, None).await?;
    let more = if linked.next.is_some() { " or more" } else { "" };
    Ok(match linked.items.len() {
        0 => Check::new(
            name,
            State::Waiting,
            "nobody yet",
            format!(
                "Send it a message in {platform}: it replies with a private link to connect your account."
            ),
        ),
        some => Check::good(name, format!("{some}{more}")),
    })
}

/// Checks for recent failed deliveries. Failures before the last installation do not count, because it may have fixed
/// their cause.
pub async fn deliveries(services: &Services, at: &Installation, now: DateTime<Utc>) -> Result<Check> {
    let name = "Deliveries";
    let recent = now - RECENT;
    let since = at.installed_at.map_or(recent, |installed| installed.max(recent));
    let failed = services
        .deliveries
        .count_failed_since(at.org, at.id, since)
        .await?;
    Ok(match failed {
        0 => Check::good(name, "none failed in the last seven days"),
        some => Check::new(
            name,
            State::Bad,
            format!("{some} failed in the last seven days"),
            "Review them under Deliveries: each has its reason, and can be resent or dismissed.",
        ),
    })
}
