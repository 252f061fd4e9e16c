//! Project keys: what they are, and how a key is written. Knows no table and no header.

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
    /// As it stands in a key.
    const fn word(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
            Self::Development => "dev",
            Self::Production => "live",
        }
    }
}

/// A key as its owner sees it. Its secret is kept nowhere.
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
    /// Until when the secret before a rotation is still accepted.
    pub previous_until: Option<DateTime<Utc>>,
}

/// Who bears a key.
#[derive(Clone, Copy, Debug)]
pub struct Bearer {
    pub principal: Principal,
    pub key: KeyId,
    pub environment: Environment,
}

/// The key that a run was asked with: whose usage it is, and how that is billed.
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

/// What all keys begin with; secret scanners and the check of query strings look for it.
pub const PREFIX: &str = "corbel_";

/// `corbel_{sandbox|dev|live}_{id}_{secret}{checksum}`: id, secret and checksum in hexadecimal. The
/// checksum tells a mistyped or cut key without asking the database; it keeps no secret.
#[derive(Debug)]
pub struct Token {
    pub id: KeyId,
    pub environment: Environment,
    pub text: Secret,
}

/// Characters of the secret and of the checksum.
const SECRET: usize = 64;
const CHECKSUM: usize = 8;

impl Token {
    pub fn make(id: KeyId, environment: Environment) -> Result<Self> {
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

    /// A text that is written like a key of ours, whether there is such a key or not.
    pub fn read(text: &str) -> Option<Self> {
        let rest = text.strip_prefix(PREFIX)?;
        let (word, rest) = rest.split_once('_')?;
        let (id, secret) = rest.split_once('_')?;
        let all = [
            Environment::Sandbox,
            Environment::Development,
            Environment::Production,
        ];
        let environment = all.into_iter().find(|one| one.word() == word)?;
        let digits = |sign: u8| sign.is_ascii_digit() || (b'a'..=b'f').contains(&sign);
        let plain = id.len() == 32
            && secret.len() == SECRET + CHECKSUM
            && id.bytes().chain(secret.bytes()).all(digits);
        let (body, sum) = text.split_at_checked(text.len().checked_sub(CHECKSUM)?)?;
        if !plain || sum != checksum(body) {
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

/// What a new key is made of.
#[derive(Clone, Debug)]
pub struct NewKey {
    pub org: OrgId,
    pub owner: UserId,
    pub name: String,
    pub environment: Environment,
    pub expires_at: Option<DateTime<Utc>>,
}

/// How many requests of a key are taken in a minute.
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

/// How long the text before a rotation is still accepted.
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
    /// Those that hold.
    Live,
    /// Those revoked or expired.
    Ended,
    All,
}

/// Some keys, and after which one there are more.
#[derive(Clone, Debug)]
pub struct Page {
    pub keys: Vec<ProjectKey>,
    pub next: Option<KeyId>,
}
