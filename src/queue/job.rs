//! Types of the queue. A job is durable work of one organization, runs in a lane, and is claimed under a lease.

use std::borrow::Cow;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::base::ids::{JobId, KeyId, OrgId, UserId};
use crate::base::principal::Principal;

/// A group of jobs with its own worker slots, so that long runs never delay a chat turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pool {
    /// Short jobs: processing chat turns and delivering answers.
    Chat,
    /// Analyses, which may take long.
    Run,
    /// Analyses that mostly wait for a language model.
    Model,
}

crate::text_enum!(Pool { Chat => "chat", Run => "run", Model => "model" });

impl Pool {
    pub const ALL: [Self; 3] = [Self::Chat, Self::Run, Self::Model];
}

/// How many jobs of each pool run at once.
#[derive(Clone, Copy, Debug)]
pub struct Slots {
    pub chat: usize,
    pub run: usize,
    pub model: usize,
}

impl Slots {
    /// For a command that waits for its own runs.
    pub const fn for_runs(runs: usize) -> Self {
        Self {
            chat: 0,
            run: runs,
            model: runs,
        }
    }
}

/// A job to be added. Serializable, so that the payload of one job can contain its successor.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewJob {
    pub pool: Pool,
    /// Selects the handler.
    pub kind: Cow<'static, str>,
    /// Jobs of one lane run one at a time, in order.
    pub lane: String,
    /// A JSON object.
    pub payload: Value,
    #[serde(default)]
    pub patience: Patience,
    /// Whose share of the slots it uses. None for jobs that nobody in particular asked for: only the share of the
    /// organization limits them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asker: Option<Asker>,
}

/// Who asked for a job. Their running jobs count against their share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asker {
    pub person: UserId,
    /// The project key that the person asked with.
    pub key: Option<KeyId>,
}

impl Asker {
    pub fn new(principal: &Principal, key: Option<KeyId>) -> Self {
        Self {
            person: principal.user,
            key,
        }
    }

    /// As it is stored: `person` or `person/key`.
    pub(super) fn path(&self) -> String {
        match self.key {
            Some(key) => format!("{}/{key}", self.person),
            None => self.person.to_string(),
        }
    }
}

/// How old a job may become before it is given up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Patience {
    /// Someone is waiting for the result.
    #[default]
    Usual,
    /// The work is done and only its result has to be delivered.
    Long,
}

/// A claimed job. `attempt` is the fencing token: writes of an older attempt are refused.
#[derive(Clone, Debug)]
pub struct Claim {
    pub org: OrgId,
    pub id: JobId,
    pub kind: String,
    pub lane: String,
    /// The path of the asker, empty without one.
    pub(super) asker: String,
    pub payload: Value,
    pub attempt: i64,
    /// Attempts that did work, including this one but not those that only found it too early. Handlers use it for
    /// backoff and for giving up.
    pub tries: i64,
    /// Leases that expired before this attempt because a process died or hung.
    pub crashes: i64,
    /// Attempts that returned an error.
    pub errors: i64,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    /// The database's time of the claim, which the job's age is measured against.
    pub claimed_at: DateTime<Utc>,
}

/// The result of a handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// The handler finished the job in its own transaction.
    Finished,
    /// Nothing is left to write; the worker finishes the job.
    Nothing,
    /// Too early: run again after this time. Counts neither as an error nor as a try.
    Later(Duration),
    /// Tried without success: run again after this time. Does not count as an error.
    Again(Duration),
}

/// How an attempt that puts its job back is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    /// Not counted.
    Untried,
    /// Counted as a try.
    Tried,
    /// Counted as a try and as an error.
    Failed,
}

/// Why a job is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GaveUp {
    /// It crashed its process too often.
    Poisoned,
    /// It exceeded its age limit.
    Expired,
    /// Too many attempts returned an error.
    Failed,
}

impl GaveUp {
    /// The stable code stored as the failure of a run or delivery.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Poisoned => "run_poisoned",
            Self::Expired => "run_expired",
            Self::Failed => "run_failed",
        }
    }
}

/// Timing of the queue. Production uses the defaults; tests shorten them.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// How long a claim is valid without a heartbeat.
    pub lease: Duration,
    /// How often idle workers poll; signals wake them earlier.
    pub poll: Duration,
    /// Maximum age of a job.
    pub age_limit: Duration,
    /// Maximum age of a job with long patience.
    pub long_age_limit: Duration,
    /// How long a stopping process waits for its running jobs.
    pub drain: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(30),
            poll: Duration::from_secs(1),
            age_limit: Duration::from_secs(30 * 60),
            long_age_limit: Duration::from_secs(72 * 60 * 60),
            drain: Duration::from_secs(20),
        }
    }
}

impl Timing {
    pub fn age_limit_of(&self, patience: Patience) -> Duration {
        match patience {
            Patience::Usual => self.age_limit,
            Patience::Long => self.long_age_limit,
        }
    }

    /// The interval of heartbeats and sweeps: a third of a lease.
    pub fn heartbeat(&self) -> Duration {
        self.lease / 3
    }
}
