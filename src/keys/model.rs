//! Types of project keys, and the format of a key. Does not depend on the database or on HTTP.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::base::error::Result;
use crate::base::ids::{KeyId, OrgId, UserId};
use crate::base::principal::Principal;
use crate::base::secret::{Secret, digest_of, random_bytes};

/// What a key is for: decides rate, quota and billing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Environment {
    /// For trying out: few requests, a monthly quota of runs, no credit spent.
    Sandbox,
    Development,
    Production,
}

crate::text_enum!(Environment {
    Sandbox => "sandbox", Development => "development", Production => "production",
});

impl Environment {
    /// The word for this environment in a key.
    const fn word(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
            Self::Development => "dev",
            Self::Production => "live",
        }
    }
}

/// A key as its owner sees it. Its secret is not stored.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct ProjectKey {
    pub id: KeyId,
    pub owner_id: UserId,
    pub name: String,
    pub environment: Environment,
    pub created_at: DateTime<Utc>,
    pub expires_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
    pub last_used_at: Option<DateTime<Utc>>,
    /// Until when the key from before the last rotation is still accepted.
    pub previous_until: Option<DateTime<Utc>>,
}

/// The caller identified by a key.
#[derive(Clone, Copy, Debug)]
pub struct Bearer {
    pub principal: Principal,
    pub key: KeyId,
    pub environment: Environment,
}

/// The key that a run was requested with. Determines how its usage is attributed and billed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyUse {
    pub id: KeyId,
    pub environment: Environment,
}

impl Bearer {
    pub const fn key_use(&self) -> KeyUse {
        KeyUse {
            id: self.key,
            environment: self.environment,
        }
    }
}

/// The prefix of all keys. Secret scanners and the check of query strings look for it.
pub const PREFIX: &str = "corbel_";

/// A key: `corbel_{sandbox|dev|live}_{id}_{secret}{checksum}`, with id, secret and checksum in hexadecimal. The
/// checksum detects mistyped or truncated keys without a database query; it adds no security.
#[derive(Debug)]
pub struct Token {
    pub id: KeyId,
    pub environment: Environment,
    pub text: Secret,
}

/// Characters of the secret.
const SECRET: usize = 64;
/// Characters of the checksum.
const CHECKSUM: usize = 8;

impl Token {
    /// Generates a key with a random secret.
    pub fn generate(id: KeyId, environment: Environment) -> Result<Self> {
        let word = environment.word();
        let secret = hex::encode(random_bytes::<{ SECRET / 2 }>()?);
        let body = format!("{PREFIX}{word}_{}_{secret}", id.uuid().simple());
        let text = format!("{body}{}", checksum(&body));
        Ok(Self {
            id,
            environment,
            text: Secret::new(text),
        })
    }

    /// Parses a key. Checks its format and checksum, not whether it exists.
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix(PREFIX)?;
        let (word, rest) = rest.split_once('_')?;
        let (id, secret) = rest.split_once('_')?;
        let all = [
            Environment::Sandbox,
            Environment::Development,
            Environment::Production,
        ];
        let environment = all.into_iter().find(|environment| environment.word() == word)?;
        let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let well_formed = id.len() == 32
            && secret.len() == SECRET + CHECKSUM
            && id.bytes().chain(secret.bytes()).all(is_hex);
        let (body, sum) = text.split_at_checked(text.len().checked_sub(CHECKSUM)?)?;
        if !well_formed || sum != checksum(body) {
            return None;
        }
        Some(Self {
            id: id.parse().ok()?,
            environment,
            text: Secret::new(text),
        })
    }
}

fn checksum(body: &str) -> String {
    let mut sum = hex::encode(digest_of(body));
    sum.truncate(CHECKSUM);
    sum
}

/// The properties of a key to be created.
#[derive(Clone, Debug)]
pub struct NewKey {
    pub org: OrgId,
    pub owner: UserId,
    pub name: String,
    pub environment: Environment,
    pub expires_at: Option<DateTime<Utc>>,
}

/// Requests allowed for one key in a minute, by environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    pub sandbox: i64,
    pub development: i64,
    pub production: i64,
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            sandbox: 5,
            development: 60,
            production: 120,
        }
    }
}

impl Rates {
    pub const fn of(&self, environment: Environment) -> i64 {
        match environment {
            Environment::Sandbox => self.sandbox,
            Environment::Development => self.development,
            Environment::Production => self.production,
        }
    }
}

/// How long the previous key is still accepted after a rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    None,
    Hour,
    Day,
    Week,
}

crate::text_enum!(Overlap { None => "none", Hour => "1h", Day => "24h", Week => "7d" });

impl Overlap {
    pub const fn length(self) -> Duration {
        Duration::from_secs(match self {
            Self::None => 0,
            Self::Hour => 60 * 60,
            Self::Day => 24 * 60 * 60,
            Self::Week => 7 * 24 * 60 * 60,
        })
    }
}

/// Which keys to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Keys that are neither revoked nor expired.
    Live,
    /// Revoked or expired keys.
    Ended,
    All,
}

/// A page of keys, and the id after which the next page starts.
#[derive(Clone, Debug)]
pub struct Page {
    pub keys: Vec<ProjectKey>,
    pub next: Option<KeyId>,
}
