//! The doctor of an assistant on Slack: checks each step of its setup and says how to fix a failed one. The page and
//! the command line show the report. Changes nothing.

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
pub const BARRED: &str = "Slack restrictions";

const TIME_FORMAT: &str = "%-d %b %Y, %H:%M UTC";

/// Largest accepted difference between the clocks. Slack's signatures are valid for five minutes.
const CLOCK_TOLERANCE: TimeDelta = TimeDelta::minutes(2);

/// Runs all checks, also after a failed one.
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
        public_url(&services.site.public_url, access),
        app(&at),
        state(&at),
        doctor::plan(services, org).await?,
    ];
    let inspected = match &at.slack().bot_token {
        Some(token) => Some(access.inspect_with_date(token).await),
        None => None,
    };
    checks.extend(token(&at, inspected.as_ref()));
    if let Some(Ok((grant, date))) = &inspected {
        checks.push(name(&assistant, grant));
        checks.push(clock(*date, now));
    }
    checks.push(events(&at, now));
    checks.push(secrets(&at, now));
    checks.push(doctor::shared_conversations(services, &assistant, &at).await?);
    checks.push(doctor::linked_people(services, org, id, "Slack").await?);
    checks.push(doctor::deliveries(services, &at, now).await?);
    checks.extend(refusals(services, &at, now).await?);
    Ok(Report { checks })
}

fn public_url(public_url: &str, access: &SlackAccess) -> Check {
    let name = "Public URL";
    let url = Url::parse(public_url).ok();
    let is_public = url
        .as_ref()
        .is_some_and(|url| url.scheme() == "https" && !is_loopback(url));
    if is_public {
        return Check::good(name, public_url);
    }
    if access.is_local() && url.as_ref().is_some_and(is_loopback) {
        return Check::good(name, format!("{public_url}, with Slack on this machine"));
    }
    Check::new(
        name,
        State::Bad,
        format!("Slack cannot reach {public_url}"),
        "Set CORBEL_PUBLIC_URL to the public https URL of this server and restart it. Then update the app with the \
         manifest of the Install page.",
    )
}

fn app(at: &Installation) -> Check {
    let name = "Slack app";
    let missing: Vec<&str> = [
        ("App ID", at.slack().app_id.is_none()),
        ("Signing Secret", at.slack().signing_secret.is_none()),
    ]
    .into_iter()
    .filter_map(|(name, missing)| missing.then_some(name))
    .collect();
    match (&at.slack().app_id, missing.is_empty()) {
        (Some(app), true) => {
            let may_consent = at.slack().client_id.is_some() && at.slack().client_secret.is_some();
            let note = if may_consent {
                ""
            } else {
                "; without Client ID and Client Secret, it can be installed only with a pasted token"
            };
            Check::good(name, format!("{app}{note}"))
        }
        _ => Check::new(
            name,
            State::Waiting,
            format!("not entered yet: {}", missing.join(", ")),
            "Create the app from the manifest, then copy its IDs and secrets from Basic Information to the \
             Install page.",
        ),
    }
}

fn state(at: &Installation) -> Check {
    let name = "Installation";
    match at.state {
        InstallationState::Active => {
            let place = at
                .slack()
                .team_name
                .as_deref()
                .or(at.home())
                .unwrap_or("a workspace");
            Check::good(name, format!("installed in {place}"))
        }
        InstallationState::Pending => Check::new(
            name,
            State::Waiting,
            "not installed yet",
            "Click Install to Slack, or paste the bot token.",
        ),
        InstallationState::Disabled => Check::new(
            name,
            State::Bad,
            format!(
                "Slack revoked its access ({})",
                at.disabled_because.as_deref().unwrap_or("no reason given")
            ),
            "Reinstall the app: click Install to Slack, or paste the new bot token.",
        ),
    }
}

/// Whether the token has expired and the next API call to Slack renews it.
fn will_be_renewed(word: &str, at: &Installation) -> bool {
    word == "token_expired" && at.slack().refresh_token.is_some() && at.state == InstallationState::Active
}

type Inspected = std::result::Result<(Grant, Option<DateTime<Utc>>), Problem>;

/// Checks that Slack accepts the token, that it belongs to this assistant's app, and its permissions.
fn token(at: &Installation, inspected: Option<&Inspected>) -> Vec<Check> {
    let name = "Bot token";
    let grant = match inspected {
        None => {
            let fix = "Click Install to Slack, or paste the bot token.";
            return vec![Check::new(name, State::Waiting, "none yet", fix)];
        }
        Some(Err(problem @ (Problem::Away(_) | Problem::Lost(_) | Problem::Wait(_)))) => {
            let fix =
                "Check again in a moment. If this persists, make sure that this server can reach slack.com.";
            return vec![Check::new(name, State::Unknown, problem.sentence(), fix)];
        }
        Some(Err(Problem::Refused { word, .. })) if will_be_renewed(word, at) => {
            let fix = "It is renewed when the assistant is used next: ask it a question, then check again.";
            return vec![Check::new(name, State::Waiting, "it has expired", fix)];
        }
        Some(Err(problem)) => {
            let fix = "Reinstall the app: click Install to Slack, or paste the new bot token.";
            return vec![Check::new(name, State::Bad, problem.sentence(), fix)];
        }
        Some(Ok((grant, _))) => grant,
    };
    let place = grant.team_name.as_deref().unwrap_or("the workspace");
    let mut checks = vec![Check::good(name, format!("accepted by Slack for {place}"))];
    let another_bot = at.slack().bot_user_id.is_some() && grant.bot_user_id != at.slack().bot_user_id;
    let matches = at.slack().app_id.as_deref() == Some(grant.app_id.as_str())
        && grant.home() == at.home()
        && !another_bot;
    checks.push(if matches {
        Check::good("Token and app", format!("both belong to {}", grant.app_id))
    } else {
        Check::new(
            "Token and app",
            State::Bad,
            format!(
                "the token is for another app, workspace or bot: it belongs to the app {}",
                grant.app_id
            ),
            "Reinstall this assistant's own app, or correct the App ID.",
        )
    });
    checks.push(scopes(at, grant));
    checks
}

fn scopes(at: &Installation, grant: &Grant) -> Check {
    let name = "Permissions";
    let reinstall = "Reinstall the app with the permissions of the manifest.";
    let Some(granted) = grant.scopes.as_ref().or(at.slack().scopes.as_ref()) else {
        return Check::new(
            name,
            State::Unknown,
            "Slack does not report which were granted",
            "",
        );
    };
    let missing = missing_scopes(granted);
    if !missing.is_empty() {
        let found = format!("not granted: {}", missing.join(", "));
        return Check::new(name, State::Bad, found, reinstall);
    }
    match &at.slack().missing_scope {
        Some(scope) if !granted.has(scope) => {
            let found = format!("Slack refused a call because the permission {scope} is missing");
            Check::new(name, State::Bad, found, reinstall)
        }
        _ => Check::good(name, "all required permissions are granted"),
    }
}

fn name(assistant: &Assistant, grant: &Grant) -> Check {
    let name = "Name in Slack";
    match grant.name.as_deref() {
        None => Check::new(name, State::Unknown, "Slack does not report it", ""),
        Some(shown) if shown == assistant.name => Check::good(name, shown),
        Some(shown) => Check::new(
            name,
            State::Waiting,
            format!("“{shown}” in Slack, “{}” here", assistant.name),
            "Update the app with the manifest, or rename it under App Home, then reinstall it.",
        ),
    }
}

fn clock(slack: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Check {
    let name = "Clock";
    let Some(slack) = slack else {
        return Check::new(name, State::Unknown, "Slack's response has no time", "");
    };
    let difference = (now - slack).abs();
    let found = format!("differs from Slack's by {} seconds", difference.num_seconds());
    if difference < CLOCK_TOLERANCE {
        Check::good(name, found)
    } else {
        Check::new(
            name,
            State::Bad,
            found,
            "Set the server's clock, for example with NTP: requests are refused if it is more than five minutes off.",
        )
    }
}

fn events(at: &Installation, now: DateTime<Utc>) -> Check {
    let name = "Events from Slack";
    let last = |when: DateTime<Utc>| format!("last received on {}", when.format(TIME_FORMAT));
    if let Some(refused) = at.last_refused_at
        && at.last_call_at.is_none_or(|last_call| last_call < refused)
    {
        return Check::new(
            name,
            State::Bad,
            format!(
                "a request was refused on {} and none has been accepted since: its signature or time was wrong",
                refused.format(TIME_FORMAT)
            ),
            "Copy the Signing Secret from the app's Basic Information to the Install page again, and check this \
             server's clock. Then send the assistant a message in Slack.",
        );
    }
    match (at.last_call_at, at.installed_at) {
        (None, _) => Check::new(
            name,
            State::Waiting,
            "none received yet",
            "Check under the app's Event Subscriptions that the request URL is verified (click Retry if not). Then \
             send the assistant a message in Slack.",
        ),
        (Some(last_call), Some(installed)) if last_call < installed => Check::new(
            name,
            State::Waiting,
            format!("none since the installation, {}", last(last_call)),
            "Send the assistant a message in Slack. If no event arrives, check under the app's Event Subscriptions \
             that the request URL is verified.",
        ),
        (Some(last_call), _) if last_call < now - RECENT => Check::new(
            name,
            State::Waiting,
            format!("none in the last seven days, {}", last(last_call)),
            "Send the assistant a message in Slack and check again. If no event arrives, check under the app's Event \
             Subscriptions that events are enabled and the request URL is verified.",
        ),
        (Some(last_call), _) => Check::good(name, last(last_call)),
    }
}

fn secrets(at: &Installation, now: DateTime<Utc>) -> Check {
    let name = "Previous signing secret";
    match at.slack().previous_until(now) {
        None => Check::good(name, "none is accepted"),
        Some(until) => Check::good(
            name,
            format!(
                "still accepted until {}; retire it once the new one works",
                until.format(TIME_FORMAT)
            ),
        ),
    }
}

/// Recent refusals that only an administrator of Slack or of the app can fix. No check if there were none.
async fn refusals(services: &Services, at: &Installation, now: DateTime<Utc>) -> Result<Option<Check>> {
    let alerts = services.installations.alerts(at.org, at.id, now).await?;
    let Some(latest) = alerts.first() else {
        return Ok(None);
    };
    let words: Vec<&str> = alerts.iter().map(|alert| alert.code.as_str()).collect();
    let found = format!(
        "Slack does not let it post everywhere ({}); last refused on {}",
        words.join(", "),
        latest.last_at.format(TIME_FORMAT)
    );
    Ok(Some(Check::new(BARRED, State::Bad, found, fix(&latest.code))))
}
