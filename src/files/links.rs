//! Download links: signed URLs of files that expire after five minutes and need no sign-in. A link says why its user
//! has access to the file; this is checked again when it is used. Does not depend on routes other than its own.

use std::sync::Arc;

use chrono::DateTime;
use serde::{Deserialize, Serialize};

use crate::base::clock::Clock;
use crate::base::error::{Error, Result};
use crate::base::ids::{FileId, NoteId, OrgId, SessionId, UserId};
use crate::base::model::Model;
use crate::base::principal::Principal;
use crate::crypto::sign::Signer;

/// How long a link is valid, in seconds, inclusive.
pub const LIFETIME_S: i64 = 300;
/// The path of a link before its token.
pub const PATH: &str = "/files/";

/// What gives a person access to a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Through {
    /// A session that the person takes part in, where the file was sent or created.
    #[serde(rename = "s")]
    Session(SessionId),
    /// A note that the person may read with this model.
    #[serde(rename = "n")]
    Note {
        #[serde(rename = "i")]
        note: NoteId,
        #[serde(rename = "m")]
        model: Option<Model>,
    },
}

/// The content of a link. Field names are short to keep URLs short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    #[serde(rename = "o")]
    pub org: OrgId,
    #[serde(rename = "u")]
    pub user: UserId,
    #[serde(rename = "f")]
    pub file: FileId,
    #[serde(rename = "t")]
    pub through: Through,
    /// The last second at which the link is valid.
    #[serde(rename = "e")]
    until: i64,
}

/// Creates and verifies download links. Cheap to clone.
#[derive(Clone)]
pub struct Links {
    signer: Signer,
    clock: Clock,
    base: Arc<str>,
}

impl Links {
    /// `public_url` is the base URL of all links, without a trailing slash.
    pub fn new(signer: Signer, clock: Clock, public_url: &str) -> Self {
        Self {
            signer,
            clock,
            base: Arc::from(public_url),
        }
    }

    /// Creates a link to a file. The caller has checked that the person has access to it.
    pub fn to(&self, principal: &Principal, file: FileId, through: Through) -> Result<String> {
        let grant = Grant {
            org: principal.org,
            user: principal.user,
            file,
            through,
            until: self.clock.now().timestamp() + LIFETIME_S,
        };
        let json = serde_json::to_vec(&grant).map_err(Error::internal)?;
        Ok(format!("{}{PATH}{}", self.base, self.signer.sign(&json)))
    }

    /// The content of a token, if its signature is valid and it has not expired.
    pub fn open(&self, token: &str) -> Option<Grant> {
        let grant: Grant = serde_json::from_slice(&self.signer.open(token)?).ok()?;
        let is_valid = self.clock.now().timestamp() <= grant.until;
        (is_valid && DateTime::from_timestamp(grant.until, 0).is_some()).then_some(grant)
    }
}
