//! `corbel admin key`: creates, lists, rotates and revokes project keys of the HTTP API.

use chrono::SecondsFormat;
use serde_json::{Value, json};

use crate::app::cli::args::Key;
use crate::app::cli::lookup::ME;
use crate::app::cli::report::Report;
use crate::base::error::{Error, Result};
use crate::base::ids::{KeyId, UserId};
use crate::keys::model::{Environment, NewKey, Overlap, ProjectKey, Which};
use crate::keys::service::in_days;
use crate::services::Services;

pub async fn run(services: &Services, command: Key) -> Result<Report> {
    match command {
        Key::Create {
            org,
            owner,
            environment,
            name,
            expires_in_days,
        } => {
            let org = services.accounts.org(&org).await?;
            let environment: Environment = environment
                .parse()
                .map_err(|why: String| Error::invalid("environment", why))?;
            let owner = services.accounts.member_by_email(org.id, &owner).await?;
            let now = services.clock.now();
            let expires_at = expires_in_days.map(|days| in_days(now, days)).transpose()?;
            let new = NewKey {
                org: org.id,
                owner: owner.user_id,
                name,
                environment,
                expires_at,
            };
            let (id, secret) = services.keys.create(ME, new).await?;
            Ok(Report::new(
                json!({ "keyId": id, "secret": secret.expose(), "expiresAt": expires_at }),
                format!(
                    "The secret of the {environment} key {id} of {} is shown only once:\n{}",
                    owner.email,
                    secret.expose()
                ),
            ))
        }
        Key::List { org, owner, all } => {
            let org = services.accounts.org(&org).await?;
            let owner: Option<UserId> = match owner {
                Some(email) => Some(services.accounts.member_by_email(org.id, &email).await?.user_id),
                None => None,
            };
            let which = if all { Which::All } else { Which::Live };
            let mut keys: Vec<ProjectKey> = Vec::new();
            let mut after = None;
            loop {
                let page = services.keys.list(org.id, owner, which, after).await?;
                keys.extend(page.keys);
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            let users: Vec<UserId> = keys.iter().map(|key| key.owner_id).collect();
            let mut listed = Vec::new();
            let mut text = String::new();
            // Names are read in batches of a hundred: an organization may have many members.
            for (keys, users) in keys.chunks(100).zip(users.chunks(100)) {
                let names = services.accounts.names(org.id, users).await?;
                for key in keys {
                    let email = names.get(&key.owner_id).map_or("", |(_, email)| email);
                    listed.push(entry(key, email));
                    text.push_str(&line(key, email));
                }
            }
            text.push_str(&format!("{} keys of {}", listed.len(), org.name));
            Ok(Report::new(json!({ "keys": listed }), text))
        }
        Key::Rotate { org, key, overlap } => {
            let org = services.accounts.org(&org).await?;
            let id = key_id(&key)?;
            let overlap: Overlap = overlap
                .parse()
                .map_err(|why: String| Error::invalid("overlap", why))?;
            let secret = services.keys.rotate(ME, org.id, None, id, overlap).await?;
            let key = services.keys.get(org.id, None, id).await?;
            let previous = match overlap {
                Overlap::None => "The previous secret is no longer accepted.".to_owned(),
                _ => format!("The previous secret is accepted for another {overlap}."),
            };
            Ok(Report::new(
                json!({ "keyId": id, "secret": secret.expose(), "previousUntil": key.previous_until }),
                format!(
                    "The new secret of the key {id} is shown only once:\n{}\n{previous}",
                    secret.expose()
                ),
            ))
        }
        Key::Revoke { org, key } => {
            let org = services.accounts.org(&org).await?;
            let id = key_id(&key)?;
            services.keys.revoke(ME, org.id, None, id).await?;
            Ok(Report::new(
                json!({ "keyId": id, "revoked": true }),
                format!("Revoked the key {id}."),
            ))
        }
    }
}

fn key_id(text: &str) -> Result<KeyId> {
    text.parse().map_err(|_| Error::NotFound("key"))
}

fn entry(key: &ProjectKey, email: &str) -> Value {
    json!({
        "keyId": key.id, "owner": email, "name": key.name, "environment": key.environment.as_str(),
        "createdAt": key.created_at, "expiresAt": key.expires_at, "revokedAt": key.revoked_at,
        "lastUsedAt": key.last_used_at, "previousUntil": key.previous_until,
    })
}

fn line(key: &ProjectKey, email: &str) -> String {
    let last = key.last_used_at.map_or_else(
        || "never used".to_owned(),
        |at| format!("used {}", at.to_rfc3339_opts(SecondsFormat::Secs, true)),
    );
    let state = match (key.revoked_at, key.expires_at) {
        (Some(_), _) => "  revoked".to_owned(),
        (None, Some(end)) => format!("  until {}", end.format("%Y-%m-%d")),
        (None, None) => String::new(),
    };
    format!(
        "{}  {:<11}  {}  {}  {last}{state}\n",
        key.id,
        key.environment.as_str(),
        email,
        key.name
    )
}
