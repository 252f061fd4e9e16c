//! What Slack reports about an installation itself: it was revoked, a conversation was shared with outsiders, or a
//! workspace of an organization gained or lost access.
//!
//! Reads verified events only. They arrive in any order and more than once; the domain decides by their time which
//! still apply.

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::json;

use crate::assistants::model::Installation;
use crate::base::error::Result;
use crate::chat::slack::wire::{Count, Flag, List, Word};
use crate::services::Services;

/// Shown to administrators with the suspended conversation.
const SHARED: &str = "people from another workspace were let in";
const UNSHARED: &str =
    "it was shared with another workspace; it no longer is, and waits to be approved again";

/// An event, and when it happened, to the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub when: DateTime<Utc>,
    pub what: Happening,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// The app was removed, or its bot token was revoked; with Slack's code for it.
    RightsLost(&'static str),
    /// A conversation was shared with outsiders.
    Shared { channel: String },
    /// It is no longer shared with one workspace; it may still be with others.
    Unshared { channel: String, still_shared: bool },
    /// Workspaces of an organization gained or lost access.
    Access { granted: bool, teams: Vec<String> },
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(default)]
    event_time: Count,
    #[serde(borrow)]
    event: Event<'a>,
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Word<'a>,
    #[serde(borrow, default)]
    channel: Word<'a>,
    #[serde(default)]
    is_ext_shared: Flag,
    #[serde(borrow, default)]
    tokens: Option<Tokens<'a>>,
    #[serde(borrow, default)]
    team_ids: List<Word<'a>>,
}

#[derive(Deserialize)]
struct Tokens<'a> {
    /// Ids of the bots whose tokens were revoked. Those of people do not concern us.
    #[serde(borrow, default)]
    bot: List<Word<'a>>,
}

/// Whether an event of this kind is about the installation.
pub(super) fn is_lifecycle(kind: Option<&str>) -> bool {
    matches!(
        kind,
        Some(
            "app_uninstalled"
                | "tokens_revoked"
                | "channel_shared"
                | "channel_unshared"
                | "team_access_granted"
                | "team_access_revoked"
        )
    )
}

/// What a verified event of such a kind reports; nothing if it is not about our bot or has no time.
pub(super) fn read(body: &[u8], at: &Installation) -> Option<Report> {
    let Envelope { event_time, event } = serde_json::from_slice(body).ok()?;
    let when = DateTime::from_timestamp(i64::try_from(event_time.0?).ok()?, 0)?;
    let channel = || event.channel.get().map(str::to_owned);
    let access = |granted| {
        let teams = event.team_ids.0.iter().filter_map(Word::get);
        Happening::Access {
            granted,
            teams: teams.map(str::to_owned).collect(),
        }
    };
    let what = match event.kind.get()? {
        "app_uninstalled" => Happening::RightsLost("app_uninstalled"),
        "tokens_revoked" => {
            let bots = event.tokens?.bot.0;
            let ours = match at.slack().bot_user_id.as_deref() {
                Some(bot) => bots.iter().any(|one| one.is(bot)),
                None => !bots.is_empty(),
            };
            ours.then_some(Happening::RightsLost("tokens_revoked"))?
        }
        "channel_shared" => Happening::Shared { channel: channel()? },
        "channel_unshared" => Happening::Unshared {
            channel: channel()?,
            still_shared: event.is_ext_shared.is_set(),
        },
        "team_access_granted" => access(true),
        "team_access_revoked" => access(false),
        _ => return None,
    };
    Some(Report { when, what })
}

/// Stores what a report changes.
pub(super) async fn apply(services: &Services, at: &Installation, report: &Report) -> Result<()> {
    match &report.what {
        Happening::RightsLost(why) => {
            let lost = services.installations.revoke_access(at, why, report.when).await?;
            tracing::info!(installation = %at.id, why, news = lost, "Slack revoked the installation");
        }
        Happening::Shared { channel } => {
            let suspended = services
                .conversations
                .outsiders_joined(at, channel, SHARED, report.when)
                .await?;
            tracing::info!(installation = %at.id, suspended, "a conversation was shared with outsiders");
        }
        Happening::Unshared {
            still_shared: true, ..
        } => {}
        Happening::Unshared { channel, .. } => {
            services
                .conversations
                .outsiders_left(at, channel, UNSHARED)
                .await?;
        }
        Happening::Access { granted, teams } => {
            let action = if *granted {
                "installation.access_granted"
            } else {
                "installation.access_revoked"
            };
            services
                .installations
                .record_report(at, action, json!({ "teams": teams }))
                .await?;
        }
    }
    Ok(())
}
