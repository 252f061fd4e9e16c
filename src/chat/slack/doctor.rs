//! The doctor of one assistant on Slack: each step of its set-up looked at, each failure with its mend.
//!
//! Data only: the command line and the page show it. Changes nothing.

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use url::Url;

use crate::assistants::model::{Assistant, ConversationState, Installation, InstallationState, PlatformKind};
use crate::assistants::slack::app::Grant;
use crate::base::error::Result;
use crate::base::ids::{AssistantId, OrgId};
use crate::chat::slack::access::{Problem, SlackAccess, is_loopback};
use crate::chat::slack::failure::mend;
use crate::chat::slack::manifest::missing_scopes;
use crate::services::Services;

/// Name of the check that an administrator can say to have mended.
pub const BARRED: &str = "What Slack allows";

/// A time as the pages show it.
const SHOWN: &str = "%-d %b %Y, %H:%M UTC";

/// From where Slack's signatures would soon be refused: they hold for five minutes.
const CLOCK: TimeDelta = TimeDelta::minutes(2);

/// After this long without a call nobody can tell whether calls still come. Failures before it are past.
const LATELY: TimeDelta = TimeDelta::days(7);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Good,
    /// Something is still to be done.
    Waiting,
    /// It keeps the assistant from answering, or from answering all.
    Bad,
    /// It could not be looked at.
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

/// One thing that was looked at.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    pub name: &'static str,
    pub state: State,
    pub found: String,
    /// What to do; empty where all is well.
    pub mend: String,
}

impl Check {
    fn good(name: &'static str, found: impl Into<String>) -> Self {
        Self::of(name, State::Good, found, "")
    }

    fn of(name: &'static str, state: State, found: impl Into<String>, mend: impl Into<String>) -> Self {
        Self {
            name,
            state,
            found: found.into(),
            mend: mend.into(),
        }
    }
}

/// Looks at everything, also after a failure.
pub async fn examine(
    services: &Services,
    access: &SlackAccess,
    org: OrgId,
    id: AssistantId,
) -> Result<Vec<Check>> {
    let assistants = &services.assistants;
    let installations = &services.installations;
    let assistant = assistants.assistant(org, id).await?;
    let at = installations.get(org, id, PlatformKind::Slack).await?;
    let now = services.clock.now();
    let mut checks = vec![
        public_address(&services.site.public_url, access),
        app(&at),
        state(&at),
        plan(services, org).await?,
    ];
    let looked = match &at.slack().bot_token {
        Some(token) => Some(access.looked_at(token).await),
        None => None,
    };
    checks.extend(rights(&at, looked.as_ref()));
    if let Some(Ok((grant, date))) = &looked {
        checks.push(name(&assistant, grant));
        checks.push(clock(*date, now));
    }
    checks.push(heard(&at, now));
    checks.push(secrets(&at, now));
    checks.push(shared(services, &assistant, &at).await?);
    checks.push(people(services, org, id).await?);
    checks.push(deliveries(services, &at, now).await?);
    checks.extend(barred(services, &at, now).await?);
    Ok(checks)
}

fn public_address(public_url: &str, access: &SlackAccess) -> Check {
    let called = "Public address";
    let url = Url::parse(public_url).ok();
    let reached = url
        .as_ref()
        .is_some_and(|url| url.scheme() == "https" && !is_loopback(url));
    if reached {
        return Check::good(called, public_url);
    }
    if access.is_local() && url.as_ref().is_some_and(is_loopback) {
        return Check::good(called, format!("{public_url}, with a Slack on this machine"));
    }
    Check::of(
        called,
        State::Bad,
        format!("{public_url} cannot be reached by Slack"),
        "Set CORBEL_PUBLIC_URL to the https address under which the internet reaches this server, restart it, and take over the manifest again.",
    )
}

fn app(at: &Installation) -> Check {
    let called = "Slack app";
    let missing: Vec<&str> = [
        ("app id", at.slack().app_id.is_none()),
        ("signing secret", at.slack().signing_secret.is_none()),
    ]
    .into_iter()
    .filter_map(|(name, missing)| missing.then_some(name))
    .collect();
    match (&at.slack().app_id, missing.is_empty()) {
        (Some(app), true) => {
            let button = at.slack().client_id.is_some() && at.slack().client_secret.is_some();
            let rest = if button {
                ""
            } else {
                "; without client id and secret it is installed by a pasted token"
            };
            Check::good(called, format!("{app}{rest}"))
        }
        _ => Check::of(
            called,
            State::Waiting,
            format!("not known yet: {}", missing.join(", ")),
            "Create the app with the manifest, then paste its ids and secrets from Basic Information.",
        ),
    }
}

fn state(at: &Installation) -> Check {
    let called = "Installation";
    match at.state {
        InstallationState::Active => {
            let place = at
                .slack()
                .team_name
                .as_deref()
                .or(at.home())
                .unwrap_or("a workspace");
            Check::good(called, format!("installed in {place}"))
        }
        InstallationState::Pending => Check::of(
            called,
            State::Waiting,
            "not installed yet",
            "Press Install to Slack, or paste the bot token.",
        ),
        InstallationState::Disabled => Check::of(
            called,
            State::Bad,
            format!(
                "Slack took its rights away ({})",
                at.disabled_because.as_deref().unwrap_or("no reason known")
            ),
            "Install it again: press Install to Slack, or paste the new bot token.",
        ),
    }
}

/// Chat is for paid plans: otherwise everybody is refused, whatever else is well.
async fn plan(services: &Services, org: OrgId) -> Result<Check> {
    let called = "Plan";
    let plan = services.accounts.org(&org.to_string()).await?.plan;
    Ok(if plan.may_chat() {
        Check::good(called, format!("{plan}, with chat assistants"))
    } else {
        Check::of(
            called,
            State::Bad,
            format!("{plan}, without chat assistants: everybody is refused"),
            "Have whoever runs this server change your organization's plan.",
        )
    })
}

/// A token that the next call replaces, because the installation may still call.
fn ends_alone(word: &str, at: &Installation) -> bool {
    word == "token_expired" && at.slack().refresh_token.is_some() && at.state == InstallationState::Active
}

type Looked = std::result::Result<(Grant, Option<DateTime<Utc>>), Problem>;

/// The token as Slack sees it now, whose it is, and what it may do.
fn rights(at: &Installation, looked: Option<&Looked>) -> Vec<Check> {
    let called = "Bot token";
    let grant = match looked {
        None => {
            let mend = "Press Install to Slack, or paste the bot token.";
            return vec![Check::of(called, State::Waiting, "none yet", mend)];
        }
        Some(Err(problem @ (Problem::Away(_) | Problem::Lost(_) | Problem::Wait(_)))) => {
            let mend = "Look again in a moment. If it stays so, let this server reach slack.com.";
            return vec![Check::of(called, State::Unknown, problem.sentence(), mend)];
        }
        // It will be replaced with the next call.
        Some(Err(Problem::Refused { word, .. })) if ends_alone(word, at) => {
            let mend = "The next call replaces it; look again after somebody asked something.";
            return vec![Check::of(called, State::Waiting, "it ended", mend)];
        }
        Some(Err(problem)) => {
            let mend = "Install it again: press Install to Slack, or paste the new bot token.";
            return vec![Check::of(called, State::Bad, problem.sentence(), mend)];
        }
        Some(Ok((grant, _))) => grant,
    };
    let place = grant.team_name.as_deref().unwrap_or("the workspace");
    let mut checks = vec![Check::good(called, format!("Slack accepts it, for {place}"))];
    let another_bot = at.slack().bot_user_id.is_some() && grant.bot_user_id != at.slack().bot_user_id;
    let fits = at.slack().app_id.as_deref() == Some(grant.app_id.as_str())
        && grant.home() == at.home()
        && !another_bot;
    checks.push(if fits {
        Check::good("Token and app", format!("both are of {}", grant.app_id))
    } else {
        Check::of(
            "Token and app",
            State::Bad,
            format!(
                "the token is of app {}, installed elsewhere or as another bot",
                grant.app_id
            ),
            "Install this assistant's own app again, or correct the app id.",
        )
    });
    checks.push(scopes(at, grant));
    checks
}

fn scopes(at: &Installation, grant: &Grant) -> Check {
    let called = "Rights";
    let reinstall = "Reinstall the app with the rights of the manifest.";
    let Some(granted) = grant.scopes.as_ref().or(at.slack().scopes.as_ref()) else {
        return Check::of(
            called,
            State::Unknown,
            "Slack does not say which were granted",
            "",
        );
    };
    let missing = missing_scopes(granted);
    if !missing.is_empty() {
        let found = format!("not granted: {}", missing.join(", "));
        return Check::of(called, State::Bad, found, reinstall);
    }
    match &at.slack().missing_scope {
        Some(scope) if !granted.has(scope) => {
            let found = format!("a call was refused for want of {scope}");
            Check::of(called, State::Bad, found, reinstall)
        }
        _ => Check::good(called, "all that is needed was granted"),
    }
}

fn name(assistant: &Assistant, grant: &Grant) -> Check {
    let called = "Name in Slack";
    match grant.name.as_deref() {
        None => Check::of(called, State::Unknown, "Slack does not say", ""),
        Some(shown) if shown == assistant.name => Check::good(called, shown),
        Some(shown) => Check::of(
            called,
            State::Waiting,
            format!("“{shown}” there, “{}” here", assistant.name),
            "Take the manifest over into the app again, or rename it under App Home, then reinstall it.",
        ),
    }
}

fn clock(slack: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Check {
    let called = "Clock";
    let Some(slack) = slack else {
        return Check::of(called, State::Unknown, "Slack's answer bears no time", "");
    };
    let apart = (now - slack).abs();
    let found = format!("{} seconds from Slack's", apart.num_seconds());
    if apart < CLOCK {
        Check::good(called, found)
    } else {
        Check::of(
            called,
            State::Bad,
            found,
            "Set the server's clock, for instance by NTP: requests more than five minutes apart are refused.",
        )
    }
}

fn heard(at: &Installation, now: DateTime<Utc>) -> Check {
    let called = "Events from Slack";
    let last = |when: DateTime<Utc>| format!("last at {}", when.format(SHOWN));
    if let Some(refused) = at.last_refused_at
        && at.last_call_at.is_none_or(|heard| heard < refused)
    {
        return Check::of(
            called,
            State::Bad,
            format!(
                "a call was refused at {}, and none was accepted since: its signature or its time is wrong",
                refused.format(SHOWN)
            ),
            "Copy the Signing Secret from the app's Basic Information again into the Install page, and check this server's clock. Then write to the assistant in Slack.",
        );
    }
    match (at.last_call_at, at.installed_at) {
        (None, _) => Check::of(
            called,
            State::Waiting,
            "none yet",
            "In the app's Event Subscriptions, check that the request URL is verified (press Retry if not), then write to the assistant in Slack.",
        ),
        (Some(heard), Some(installed)) if heard < installed => Check::of(
            called,
            State::Waiting,
            format!("none since it was installed, {}", last(heard)),
            "Write to the assistant in Slack. If nothing comes, check that the request URL under Event Subscriptions is verified.",
        ),
        (Some(heard), _) if heard < now - LATELY => Check::of(
            called,
            State::Waiting,
            format!("{}, none for a week", last(heard)),
            "Write to the assistant in Slack and look again. If nothing comes, check in the app's Event Subscriptions that events are on and the request URL is verified.",
        ),
        (Some(heard), _) => Check::good(called, last(heard)),
    }
}

fn secrets(at: &Installation, now: DateTime<Utc>) -> Check {
    let called = "Previous signing secret";
    match at.slack().previous_until(now) {
        None => Check::good(called, "none is accepted"),
        Some(until) => Check::good(
            called,
            format!(
                "still accepted until {}; retire it once the new one works",
                until.format(SHOWN)
            ),
        ),
    }
}

async fn shared(services: &Services, assistant: &Assistant, at: &Installation) -> Result<Check> {
    let called = "Shared conversations";
    if !assistant.shared_enabled {
        return Ok(Check::good(
            called,
            "shared replies are off: it answers in direct messages only",
        ));
    }
    let count = |state| services.conversations.count(at.org, at.id, state);
    let approved = count(ConversationState::Approved).await?;
    let suspended = count(ConversationState::Suspended).await?;
    let found = format!("{approved} approved, {suspended} suspended");
    Ok(if approved > 0 {
        Check::good(called, found)
    } else {
        Check::of(
            called,
            State::Waiting,
            found,
            "Invite it into a conversation and approve that one, or turn shared replies off.",
        )
    })
}

async fn people(services: &Services, org: OrgId, id: AssistantId) -> Result<Check> {
    let called = "Linked people";
    let linked = services.links.list(org, id, None).await?;
    let more = if linked.next.is_some() { " or more" } else { "" };
    Ok(match linked.items.len() {
        0 => Check::of(
            called,
            State::Waiting,
            "nobody yet",
            "Write to it in Slack: it answers with a link that connects your account.",
        ),
        some => Check::good(called, format!("{some}{more}")),
    })
}

/// Of late and since it was installed: what failed earlier may be mended long since.
async fn deliveries(services: &Services, at: &Installation, now: DateTime<Utc>) -> Result<Check> {
    let called = "Deliveries";
    let week = now - LATELY;
    let since = at.installed_at.map_or(week, |installed| installed.max(week));
    let failed = services
        .deliveries
        .count_failed_since(at.org, at.id, since)
        .await?;
    Ok(match failed {
        0 => Check::good(called, "none failed in the last seven days"),
        some => Check::of(
            called,
            State::Bad,
            format!("{some} failed in the last seven days"),
            "Look at them under Deliveries: each says why, and can be sent again or dismissed.",
        ),
    })
}

/// What only an administrator of Slack, or of the app, can mend. Nothing was refused: nothing to show.
async fn barred(services: &Services, at: &Installation, now: DateTime<Utc>) -> Result<Option<Check>> {
    let alerts = services.installations.alerts(at.org, at.id, now).await?;
    let Some(latest) = alerts.first() else {
        return Ok(None);
    };
    let words: Vec<&str> = alerts.iter().map(|alert| alert.word.as_str()).collect();
    let found = format!(
        "Slack refused to let it speak ({}), last on {}",
        words.join(", "),
        latest.last_at.format(SHOWN)
    );
    Ok(Some(Check::of(BARRED, State::Bad, found, mend(&latest.word))))
}
