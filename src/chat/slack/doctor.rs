//! The doctor of an assistant on Slack: checks each step of its setup, and says what to do about a failure. The page
//! and the command line show the report. Changes nothing.

use chrono::{DateTime, TimeDelta, Utc};
use url::Url;

use crate::assistants::model::{Assistant, Installation, InstallationState, PlatformKind};
use crate::assistants::slack::app::Grant;
use crate::base::error::Result;
use crate::base::ids::{AssistantId, OrgId};
use crate::chat::core::doctor::{self, Check, RECENT, Report, State};
use crate::chat::slack::access::{Problem, SlackAccess, is_loopback};
use crate::chat::slack::failure::fix;
use crate::chat::slack::manifest::missing_scopes;
use crate::services::Services;

/// Name of the check that an administrator can mark as fixed.
pub const BARRED: &str = "What Slack allows";

/// A time for people.
const TIME_FORMAT: &str = "%-d %b %Y, %H:%M UTC";

/// Largest difference of clocks that is fine. Slack's signatures are valid for five minutes.
const CLOCK_TOLERANCE: TimeDelta = TimeDelta::minutes(2);

/// Runs every check, also after a failure.
pub async fn examine(
    services: &Services,
    access: &SlackAccess,
    org: OrgId,
    id: AssistantId,
) -> Result<Report> {
    let assistants = &services.assistants;
    let installations = &services.installations;
    let assistant = assistants.assistant(org, id).await?;
    let at = installations.get(org, id, PlatformKind::Slack).await?;
    let now = services.clock.now();
    let mut checks = vec![
        public_address(&services.site.public_url, access),
        app(&at),
        state(&at),
        doctor::plan(services, org).await?,
    ];
    let inspected = match &at.slack().bot_token {
        Some(token) => Some(access.inspect_with_date(token).await),
        None => None,
    };
    checks.extend(rights(&at, inspected.as_ref()));
    if let Some(Ok((grant, date))) = &inspected {
        checks.push(name(&assistant, grant));
        checks.push(clock(*date, now));
    }
    checks.push(calls(&at, now));
    checks.push(secrets(&at, now));
    checks.push(doctor::shared_conversations(services, &assistant, &at).await?);
    checks.push(doctor::linked_people(services, org, id, "Slack").await?);
    checks.push(doctor::deliveries(services, &at, now).await?);
    checks.extend(refusals(services, &at, now).await?);
    Ok(Report { checks })
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
    Check::new(
        called,
        State::Bad,
        format!("{public_url} cannot be reached by Slack"),
        "Set CORBEL_PUBLIC_URL to the https address under which the internet reaches this server, restart it, and \
         take over the manifest again.",
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
        _ => Check::new(
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
        InstallationState::Pending => Check::new(
            called,
            State::Waiting,
            "not installed yet",
            "Press Install to Slack, or paste the bot token.",
        ),
        InstallationState::Disabled => Check::new(
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

/// Whether the next call will renew an expired token.
fn will_be_renewed(word: &str, at: &Installation) -> bool {
    word == "token_expired" && at.slack().refresh_token.is_some() && at.state == InstallationState::Active
}

type Inspected = std::result::Result<(Grant, Option<DateTime<Utc>>), Problem>;

/// Whether Slack accepts the token, which app it belongs to, and what it may do.
fn rights(at: &Installation, inspected: Option<&Inspected>) -> Vec<Check> {
    let called = "Bot token";
    let grant = match inspected {
        None => {
            let mend = "Press Install to Slack, or paste the bot token.";
            return vec![Check::new(called, State::Waiting, "none yet", mend)];
        }
        Some(Err(problem @ (Problem::Away(_) | Problem::Lost(_) | Problem::Wait(_)))) => {
            let mend = "Look again in a moment. If it stays so, let this server reach slack.com.";
            return vec![Check::new(called, State::Unknown, problem.sentence(), mend)];
        }
        Some(Err(Problem::Refused { word, .. })) if will_be_renewed(word, at) => {
            let mend = "The next call replaces it; look again after somebody asked something.";
            return vec![Check::new(called, State::Waiting, "it ended", mend)];
        }
        Some(Err(problem)) => {
            let mend = "Install it again: press Install to Slack, or paste the new bot token.";
            return vec![Check::new(called, State::Bad, problem.sentence(), mend)];
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
        Check::new(
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
        return Check::new(
            called,
            State::Unknown,
            "Slack does not say which were granted",
            "",
        );
    };
    let missing = missing_scopes(granted);
    if !missing.is_empty() {
        let found = format!("not granted: {}", missing.join(", "));
        return Check::new(called, State::Bad, found, reinstall);
    }
    match &at.slack().missing_scope {
        Some(scope) if !granted.has(scope) => {
            let found = format!("a call was refused for want of {scope}");
            Check::new(called, State::Bad, found, reinstall)
        }
        _ => Check::good(called, "all that is needed was granted"),
    }
}

fn name(assistant: &Assistant, grant: &Grant) -> Check {
    let called = "Name in Slack";
    match grant.name.as_deref() {
        None => Check::new(called, State::Unknown, "Slack does not say", ""),
        Some(shown) if shown == assistant.name => Check::good(called, shown),
        Some(shown) => Check::new(
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
        return Check::new(called, State::Unknown, "Slack's answer bears no time", "");
    };
    let apart = (now - slack).abs();
    let found = format!("{} seconds from Slack's", apart.num_seconds());
    if apart < CLOCK_TOLERANCE {
        Check::good(called, found)
    } else {
        Check::new(
            called,
            State::Bad,
            found,
            "Set the server's clock, for instance by NTP: requests more than five minutes apart are refused.",
        )
    }
}

fn calls(at: &Installation, now: DateTime<Utc>) -> Check {
    let called = "Events from Slack";
    let last = |when: DateTime<Utc>| format!("last at {}", when.format(TIME_FORMAT));
    if let Some(refused) = at.last_refused_at
        && at.last_call_at.is_none_or(|last_call| last_call < refused)
    {
        return Check::new(
            called,
            State::Bad,
            format!(
                "a call was refused at {}, and none was accepted since: its signature or its time is wrong",
                refused.format(TIME_FORMAT)
            ),
            "Copy the Signing Secret from the app's Basic Information again into the Install page, and check this \
             server's clock. Then write to the assistant in Slack.",
        );
    }
    match (at.last_call_at, at.installed_at) {
        (None, _) => Check::new(
            called,
            State::Waiting,
            "none yet",
            "In the app's Event Subscriptions, check that the request URL is verified (press Retry if not), then \
             write to the assistant in Slack.",
        ),
        (Some(last_call), Some(installed)) if last_call < installed => Check::new(
            called,
            State::Waiting,
            format!("none since it was installed, {}", last(last_call)),
            "Write to the assistant in Slack. If nothing comes, check that the request URL under Event Subscriptions \
             is verified.",
        ),
        (Some(last_call), _) if last_call < now - RECENT => Check::new(
            called,
            State::Waiting,
            format!("{}, none for a week", last(last_call)),
            "Write to the assistant in Slack and look again. If nothing comes, check in the app's Event \
             Subscriptions that events are on and the request URL is verified.",
        ),
        (Some(last_call), _) => Check::good(called, last(last_call)),
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
                until.format(TIME_FORMAT)
            ),
        ),
    }
}

/// Recent refusals that only an administrator of Slack or of the app can fix; no check where there were none.
async fn refusals(services: &Services, at: &Installation, now: DateTime<Utc>) -> Result<Option<Check>> {
    let alerts = services.installations.alerts(at.org, at.id, now).await?;
    let Some(latest) = alerts.first() else {
        return Ok(None);
    };
    let words: Vec<&str> = alerts.iter().map(|alert| alert.word.as_str()).collect();
    let found = format!(
        "Slack refused to let it speak ({}), last on {}",
        words.join(", "),
        latest.last_at.format(TIME_FORMAT)
    );
    Ok(Some(Check::new(BARRED, State::Bad, found, fix(&latest.word))))
}
