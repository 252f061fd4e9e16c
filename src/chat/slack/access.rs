//! Slack's side of setup: exchanging codes and tokens, inspecting tokens, and creating apps from a manifest.
//!
//! Does not depend on installations and stores nothing. Of requests, tokens above all, only the method and Slack's
//! error code are logged.

use std::time::Duration;

use chrono::{DateTime, Utc};
use reqwest::multipart::{Form, Part};
use reqwest::{RequestBuilder, StatusCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use url::Url;

use crate::assistants::icon::Icon;
use crate::assistants::slack::app::{Grant, Renewed, Scopes};
use crate::base::secret::Secret;
use crate::net::client::{NoReply, Outbound, Reply, send};

const MAX_RESPONSE: usize = 1 << 20;
const TIMEOUT: Duration = Duration::from_secs(10);
/// The scopes of a token, in a header of every response.
const SCOPES: &str = "x-oauth-scopes";
/// The lifetime of a token where Slack says that it expires but not when.
const DEFAULT_LIFETIME: Duration = Duration::from_secs(12 * 60 * 60);
const DOMAINS: [&str; 2] = ["slack.com", "slack-gov.com"];

/// Slack's API for setup. Cheap to clone.
#[derive(Clone, Debug)]
pub struct SlackAccess {
    outbound: Outbound,
    /// Ends in `/api/`.
    api: String,
    /// Slack's consent page.
    authorize: String,
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("Slack could not be reached: {0}")]
    Away(String),
    /// It may have happened.
    #[error("Slack's answer did not arrive: {0}")]
    Lost(String),
    #[error("Slack asks to wait {} seconds", .0.as_secs())]
    Wait(Duration),
    /// Slack's error code, and its notes on parts of the request.
    #[error("Slack refuses: {word}")]
    Refused { word: String, notes: Vec<Note> },
    #[error("Slack's answer lacks {0}")]
    Lacking(&'static str),
}

/// What is wrong with a part of a manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Note {
    pub message: String,
    /// Which part, as a JSON pointer.
    pub pointer: String,
}

/// The credentials of an app.
#[derive(Clone, Copy, Debug)]
pub struct Client<'a> {
    pub id: &'a str,
    pub secret: &'a Secret,
}

/// An app that Slack created from a manifest.
#[derive(Clone, Debug)]
pub struct NewApp {
    pub app_id: String,
    pub client_id: String,
    pub client_secret: Secret,
    pub signing_secret: Secret,
}

#[derive(Deserialize)]
struct Head {
    ok: bool,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    errors: Vec<Note>,
}

/// `oauth.v2.access`, for a code and for a refresh token.
#[derive(Deserialize)]
struct Exchanged {
    access_token: Option<Secret>,
    token_type: Option<String>,
    scope: Option<String>,
    bot_user_id: Option<String>,
    app_id: Option<String>,
    team: Option<Named>,
    enterprise: Option<Named>,
    #[serde(default)]
    is_enterprise_install: Option<bool>,
    refresh_token: Option<Secret>,
    expires_in: Option<u64>,
}

#[derive(Deserialize)]
struct Named {
    id: Option<String>,
    name: Option<String>,
}

/// `auth.test`.
#[derive(Deserialize)]
struct Whoami {
    team: Option<String>,
    team_id: Option<String>,
    user_id: Option<String>,
    bot_id: Option<String>,
    enterprise_id: Option<String>,
    #[serde(default)]
    is_enterprise_install: Option<bool>,
}

/// `bots.info`.
#[derive(Deserialize)]
struct BotAnswer {
    bot: Bot,
}

#[derive(Deserialize)]
struct Bot {
    app_id: Option<String>,
    name: Option<String>,
}

#[derive(Deserialize)]
struct Created {
    app_id: Option<String>,
    credentials: Option<Credentials>,
}

#[derive(Deserialize)]
struct Credentials {
    client_id: Option<String>,
    client_secret: Option<Secret>,
    signing_secret: Option<Secret>,
}

impl Problem {
    /// What happened and what to do, for an administrator.
    pub fn sentence(&self) -> String {
        match self {
            Self::Away(_) => {
                "Slack could not be reached. Nothing was changed; try again in a moment.".to_owned()
            }
            Self::Lost(_) => "Slack did not answer in time. Try again in a moment.".to_owned(),
            Self::Wait(wait) => format!(
                "Slack asks to wait. Try again in {} seconds.",
                wait.as_secs().max(1)
            ),
            Self::Lacking(what) => {
                format!("Slack's reply has no {what}. Check that you copied the bot token of this app.")
            }
            Self::Refused { word, .. } => match advice(word) {
                Some(advice) => advice.to_owned(),
                None => format!("Slack refused this ({word})."),
            },
        }
    }
}

/// What an administrator can do about a refusal.
fn advice(word: &str) -> Option<&'static str> {
    Some(match word {
        "invalid_auth" | "not_authed" | "token_revoked" | "account_inactive" => {
            "Slack does not know this token or has revoked it. Copy it again: a configuration token from Your App \
             Configuration Tokens, a bot token from OAuth & Permissions."
        }
        "token_expired" => "The token has expired. Generate a new one and paste it.",
        "not_allowed_token_type" => {
            "This is the wrong kind of token. A configuration token begins with xoxe.xoxp-, a bot token with xoxb-."
        }
        "invalid_code" | "code_already_used" | "code_expired" => {
            "The authorization has been used or has expired. Click Install to Slack again."
        }
        "bad_redirect_uri" | "oauth_authorization_url_mismatch" => {
            "The app in Slack has a different redirect URL. Update the app with the manifest, then click Install to \
             Slack."
        }
        "invalid_client_id" | "bad_client_secret" => {
            "The Client ID and Client Secret do not match. Copy both again from Basic Information."
        }
        "invalid_manifest" | "failed_validation" => "Slack rejected the manifest.",
        "missing_scope" | "no_permission" | "access_denied" => {
            "The token lacks a permission for this. Reinstall the app with the permissions of the manifest, or ask \
             an owner of the workspace."
        }
        "app_not_found" | "app_not_eligible" => {
            "Slack finds no app for this token. Use a token of the workspace that owns the app."
        }
        "bot_not_found" => "Slack finds no bot for this token. Copy the Bot User OAuth Token of this app.",
        "invalid_refresh_token" => "The installation's tokens have expired. Reinstall the app.",
        "too_many_apps" | "apps_limit_reached" => {
            "The workspace has too many apps. Delete one at api.slack.com/apps."
        }
        _ => return None,
    })
}

impl SlackAccess {
    /// `api` ends in `/api/`; `authorize` is the address of Slack's consent page.
    pub fn new(outbound: Outbound, api: String, authorize: String) -> Self {
        Self {
            outbound,
            api,
            authorize,
        }
    }

    /// The consent page, which redirects to `redirect_uri` with a code and the state.
    pub fn consent_url(
        &self,
        client_id: &str,
        scopes: &Scopes,
        redirect_uri: &str,
        state: &Secret,
    ) -> Option<String> {
        let mut url = Url::parse(&self.authorize).ok()?;
        url.query_pairs_mut()
            .append_pair("client_id", client_id)
            .append_pair("scope", &scopes.list())
            .append_pair("redirect_uri", redirect_uri)
            .append_pair("state", state.expose());
        Some(url.into())
    }

    /// The sources that the consent form may lead to, for the content security policy. Slack redirects people to the
    /// address of their own workspace, and browsers check each redirect.
    pub fn consent_sources(&self) -> String {
        let Ok(url) = Url::parse(&self.authorize) else {
            return String::new();
        };
        let origin = url.origin().ascii_serialization();
        let host = url.host_str().unwrap_or_default();
        let within = |domain: &&str| host == *domain || host.ends_with(&format!(".{domain}"));
        match DOMAINS.into_iter().find(within) {
            Some(domain) => format!("{origin} https://*.{domain}"),
            None => origin,
        }
    }

    /// Exchanges a code, which is valid once, for what was granted.
    pub async fn exchange(
        &self,
        client: Client<'_>,
        code: &Secret,
        redirect_uri: &str,
    ) -> Result<Grant, Problem> {
        let form = [("code", code.expose()), ("redirect_uri", redirect_uri)];
        let (answer, _): (Exchanged, _) = self.call_as_app(client, &form).await?;
        if answer.token_type.as_deref().is_some_and(|kind| kind != "bot") {
            return Err(Problem::Lacking("a bot token"));
        }
        let enterprise = answer.is_enterprise_install == Some(true);
        let team = answer.team.filter(|_| !enterprise);
        let organization = answer.enterprise.and_then(|one| one.id.map(|id| (id, one.name)));
        let team_name = match (&team, &organization) {
            (Some(team), _) => team.name.clone(),
            (None, Some((_, name))) => name.clone(),
            (None, None) => None,
        };
        let team_id = team.and_then(|team| team.id);
        if team_id.is_none() && !(enterprise && organization.is_some()) {
            return Err(Problem::Lacking("the workspace"));
        }
        Ok(Grant {
            app_id: answer.app_id.ok_or(Problem::Lacking("the app id"))?,
            bot_token: answer.access_token.ok_or(Problem::Lacking("a bot token"))?,
            bot_user_id: answer.bot_user_id,
            team_id,
            team_name,
            enterprise_id: organization.map(|(id, _)| id),
            is_enterprise: enterprise,
            scopes: answer.scope.as_deref().map(Scopes::parse),
            expires_in: answer
                .refresh_token
                .is_some()
                .then(|| answer.expires_in.map_or(DEFAULT_LIFETIME, Duration::from_secs)),
            refresh_token: answer.refresh_token,
            name: None,
        })
    }

    /// Exchanges a refresh token, which is valid once, for the next pair of tokens.
    pub async fn refresh(&self, client: Client<'_>, refresh_token: &Secret) -> Result<Renewed, Problem> {
        let form = [
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh_token.expose()),
        ];
        let (answer, _): (Exchanged, _) = self.call_as_app(client, &form).await?;
        Ok(Renewed {
            bot_token: answer.access_token.ok_or(Problem::Lacking("a bot token"))?,
            refresh_token: answer
                .refresh_token
                .ok_or(Problem::Lacking("the next refresh token"))?,
            expires_in: answer.expires_in.map_or(DEFAULT_LIFETIME, Duration::from_secs),
        })
    }

    /// Whether Slack is a fake on this machine, which can reach addresses that the real one cannot.
    pub fn is_local(&self) -> bool {
        Url::parse(&self.api).is_ok_and(|url| is_loopback(&url))
    }

    /// What a bot token is for, and what it may do.
    pub async fn inspect(&self, token: &Secret) -> Result<Grant, Problem> {
        self.inspect_with_date(token).await.map(|(grant, _)| grant)
    }

    /// As [`inspect`](Self::inspect), with the time at Slack if it says.
    pub async fn inspect_with_date(&self, token: &Secret) -> Result<(Grant, Option<DateTime<Utc>>), Problem> {
        let (whoami, head): (Whoami, _) = self.call_with_token("auth.test", token, &[]).await?;
        let bot_id = whoami
            .bot_id
            .ok_or(Problem::Lacking("a bot: the token is a person's"))?;
        let (answer, _): (BotAnswer, _) = self
            .call_with_token("bots.info", token, &[("bot", &bot_id)])
            .await?;
        let enterprise = whoami.is_enterprise_install == Some(true);
        let grant = Grant {
            app_id: answer.bot.app_id.ok_or(Problem::Lacking("the app id"))?,
            bot_token: token.clone(),
            bot_user_id: whoami.user_id,
            team_id: whoami.team_id.filter(|_| !enterprise),
            team_name: whoami.team,
            enterprise_id: whoami.enterprise_id,
            is_enterprise: enterprise,
            scopes: head.scopes,
            refresh_token: None,
            expires_in: None,
            name: answer.bot.name,
        };
        Ok((grant, head.date))
    }

    /// Creates an app. The configuration token is used once and not stored.
    pub async fn create_app(&self, token: &Secret, manifest: &Value) -> Result<NewApp, Problem> {
        let form = [("manifest", manifest.to_string())];
        let form: Vec<(&str, &str)> = form.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let (made, _): (Created, _) = self.call_with_token("apps.manifest.create", token, &form).await?;
        let lacking = || Problem::Lacking("the app's credentials");
        let credentials = made.credentials.ok_or_else(lacking)?;
        Ok(NewApp {
            app_id: made.app_id.ok_or_else(lacking)?,
            client_id: credentials.client_id.ok_or_else(lacking)?,
            client_secret: credentials.client_secret.ok_or_else(lacking)?,
            signing_secret: credentials.signing_secret.ok_or_else(lacking)?,
        })
    }

    /// Updates the manifest of an app. Repeatable.
    pub async fn update_app(&self, token: &Secret, app_id: &str, manifest: &Value) -> Result<(), Problem> {
        let manifest = manifest.to_string();
        let form = [("app_id", app_id), ("manifest", manifest.as_str())];
        let (_, _): (Value, _) = self.call_with_token("apps.manifest.update", token, &form).await?;
        Ok(())
    }

    /// Sets the icon of an app, which a manifest does not contain. Repeatable.
    pub async fn set_icon(&self, token: &Secret, app_id: &str, icon: Icon) -> Result<(), Problem> {
        let method = "apps.icon.set";
        let name = if icon.kind == "image/png" {
            "icon.png"
        } else {
            "icon.jpg"
        };
        let file = Part::bytes(icon.bytes).file_name(name).mime_str(icon.kind);
        let file = file.map_err(|error| Problem::Away(error.to_string()))?;
        let form = Form::new().text("app_id", app_id.to_owned()).part("file", file);
        let request = self.request(method)?.bearer_auth(token.expose());
        let (_, _): (Value, _) = send_and_read(method, request.multipart(form)).await?;
        Ok(())
    }

    /// A call authenticated by the app's client id and secret.
    async fn call_as_app<T: DeserializeOwned>(
        &self,
        client: Client<'_>,
        form: &[(&str, &str)],
    ) -> Result<(T, ResponseHeaders), Problem> {
        let method = "oauth.v2.access";
        let request = self.request(method)?;
        let request = request.basic_auth(client.id, Some(client.secret.expose()));
        send_and_read(method, request.form(form)).await
    }

    async fn call_with_token<T: DeserializeOwned>(
        &self,
        method: &'static str,
        token: &Secret,
        form: &[(&str, &str)],
    ) -> Result<(T, ResponseHeaders), Problem> {
        let request = self.request(method)?.bearer_auth(token.expose());
        send_and_read(method, request.form(form)).await
    }

    fn request(&self, method: &str) -> Result<RequestBuilder, Problem> {
        let request = self.outbound.post(&format!("{}{method}", self.api));
        let request = request.map_err(|error| Problem::Away(error.to_string()))?;
        Ok(request.timeout(TIMEOUT))
    }
}

/// What the headers of a response say.
struct ResponseHeaders {
    scopes: Option<Scopes>,
    date: Option<DateTime<Utc>>,
}

/// The response, and what its headers say.
async fn send_and_read<T: DeserializeOwned>(
    method: &'static str,
    request: RequestBuilder,
) -> Result<(T, ResponseHeaders), Problem> {
    let outcome = match send(request, MAX_RESPONSE).await {
        Ok(reply) => read(&reply),
        Err(NoReply::NotSent(why)) => Err(Problem::Away(why)),
        Err(NoReply::Unknown(why) | NoReply::TimedOut(why)) => Err(Problem::Lost(why)),
    };
    if let Err(problem) = &outcome {
        tracing::warn!(method, %problem, "Slack call failed");
    }
    outcome
}

fn read<T: DeserializeOwned>(reply: &Reply) -> Result<(T, ResponseHeaders), Problem> {
    if reply.status == StatusCode::TOO_MANY_REQUESTS {
        return Err(Problem::Wait(
            reply.retry_after.unwrap_or(Duration::from_secs(60)),
        ));
    }
    if !reply.status.is_success() {
        return Err(Problem::Lost(format!("HTTP {}", reply.status.as_u16())));
    }
    let unreadable = |_| Problem::Lost("an unreadable answer".to_owned());
    let head: Head = serde_json::from_slice(&reply.body).map_err(unreadable)?;
    if !head.ok {
        let word = head.error.unwrap_or_else(|| "no_error_given".to_owned());
        return Err(match word.as_str() {
            "ratelimited" | "rate_limited" => {
                Problem::Wait(reply.retry_after.unwrap_or(Duration::from_secs(60)))
            }
            _ => Problem::Refused {
                word,
                notes: head.errors,
            },
        });
    }
    let answer = serde_json::from_slice(&reply.body).map_err(unreadable)?;
    let text = |name: &str| reply.headers.get(name).and_then(|value| value.to_str().ok());
    let date = text("date").and_then(|date| DateTime::parse_from_rfc2822(date).ok());
    let top = ResponseHeaders {
        scopes: text(SCOPES).map(Scopes::parse),
        date: date.map(|date| date.to_utc()),
    };
    Ok((answer, top))
}

/// Whether a URL is on this machine.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
