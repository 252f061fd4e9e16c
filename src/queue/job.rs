//! What a job is: durable work of one organization, in a lane, under a lease.

use std::borrow::Cow;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::base::ids::{JobId, OrgId};

/// Jobs of a pool share workers, so that long runs never keep a chat turn waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pool {
    /// Deciding turns and delivering answers: short.
    Chat,
    /// Analyses: as long as they take.
    Run,
}

crate::text_enum!(Pool { Chat => "chat", Run => "run" });

/// A job to be added. Serialized where one job says what is to follow it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewJob {
    pub pool: Pool,
    /// Names the handler.
    pub kind: Cow<'static, str>,
    /// One job of a lane runs at a time, in order.
    pub lane: String,
    /// A JSON object.
    pub payload: Value,
    #[serde(default)]
    pub patience: Patience,
}

/// How long a job may take in all before it is given up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Patience {
    /// Somebody waits for it.
    #[default]
    Usual,
    /// It is done but for the telling.
    Long,
}

/// A claimed job. Its `attempt` is the fence: what an older attempt writes is refused.
#[derive(Clone, Debug)]
pub struct Claim {
    pub org: OrgId,
    pub id: JobId,
    pub kind: String,
    pub lane: String,
    pub payload: Value,
    pub attempt: i64,
    /// Attempts that came to something, this one included: not those that only learned that it was not
    /// their time. What waits longer with every failure, or gives up after some, counts these.
    pub tries: i64,
    /// Leases that ran out before this attempt: the process died, or hung.
    pub crashes: i64,
    /// Attempts that answered an error.
    pub errors: i64,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    /// The database's time: what the age is measured against.
    pub claimed_at: DateTime<Utc>,
}

/// What a handler answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// The handler ended the job in its own transaction.
    Finished,
    /// Nothing is left to write: the worker ends the job.
    Nothing,
    /// It is not its time: again after this time. Neither an error nor a try.
    Later(Duration),
    /// Tried in vain: again after this time. Not counted as an error.
    Again(Duration),
}

/// How an attempt that puts its job back is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    /// Not at all.
    Untried,
    /// As a try.
    Tried,
    /// As a try that answered an error.
    Failed,
}

/// Why a job is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GaveUp {
    /// It took its process down too often.
    Poisoned,
    /// It is older than the age limit.
    Expired,
    /// Every attempt answered an error.
    Failed,
}

impl GaveUp {
    /// The stable word kept as the failure of a run or delivery.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Poisoned => "run_poisoned",
            Self::Expired => "run_expired",
            Self::Failed => "run_failed",
        }
    }
}

/// Times of the queue. The defaults are the promises; tests shorten them.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// How long a claim holds without a sign of life.
    pub lease: Duration,
    /// How often idle workers look; a signal only makes it sooner.
    pub poll: Duration,
    /// Total age of a job, and of one with long patience.
    pub age_limit: Duration,
    pub long_age_limit: Duration,
    /// How long a stopping process waits for its jobs.
    pub drain: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(30),
            poll: Duration::from_secs(1),
            age_limit: Duration::from_secs(30 * 60),
            long_age_limit: Duration::from_secs(72 * 60 * 60),
            drain: Duration::from_secs(25),
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

    /// Signs of life and sweeps: three in a lease.
    pub fn beat(&self) -> Duration {
        self.lease / 3
    }
}
