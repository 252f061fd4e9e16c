//! Links to files, good for five minutes and for whoever bears them. A link says through what its bearer may
//! have the file; whether that still holds is asked when it is used. Knows no route but the links' own.

use std::sync::Arc;

use chrono::DateTime;
use serde::{Deserialize, Serialize};

use crate::base::clock::Clock;
use crate::base::error::{Error, Result};
use crate::base::ids::{FileId, NoteId, OrgId, SessionId, UserId};
use crate::base::model::Model;
use crate::base::principal::Principal;
use crate::crypto::sign::Signer;

/// How long a link holds, in seconds: through this one, not beyond.
pub const LIFETIME_S: i64 = 300;
/// What is before the token in an address.
pub const PATH: &str = "/files/";

/// Through what somebody may have a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Through {
    /// It came in, or was made in, a session that the person takes part in.
    #[serde(rename = "s")]
    Session(SessionId),
    /// It belongs to a note that the person may read with this model.
    #[serde(rename = "n")]
    Note {
        #[serde(rename = "i")]
        note: NoteId,
        #[serde(rename = "m")]
        model: Option<Model>,
    },
}

/// What a link says, in few signs.
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
    /// The last second at which it holds.
    #[serde(rename = "e")]
    until: i64,
}

/// Cheap to clone.
#[derive(Clone)]
pub struct Links {
    signer: Signer,
    clock: Clock,
    base: Arc<str>,
}

impl Links {
    /// `public_url`: base of all links, without a slash at the end.
    pub fn new(signer: Signer, clock: Clock, public_url: &str) -> Self {
        Self {
            signer,
            clock,
            base: Arc::from(public_url),
        }
    }

    /// The address of a file for somebody who may have it now.
    pub fn to(&self, principal: &Principal, file: FileId, through: Through) -> Result<String> {
        let grant = Grant {
            org: principal.org,
            user: principal.user,
            file,
            through,
            until: self.clock.now().timestamp() + LIFETIME_S,
        };
        let word = serde_json::to_vec(&grant).map_err(Error::internal)?;
        Ok(format!("{}{PATH}{}", self.base, self.signer.sign(&word)))
    }

    /// What a token grants, if it is ours and its time is not over.
    pub fn open(&self, token: &str) -> Option<Grant> {
        let grant: Grant = serde_json::from_slice(&self.signer.open(token)?).ok()?;
        let holds = self.clock.now().timestamp() <= grant.until;
        (holds && DateTime::from_timestamp(grant.until, 0).is_some()).then_some(grant)
    }
}
