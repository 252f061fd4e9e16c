//! The inbox: turns are stored once, before they are acknowledged to the platform, and decided once.

use serde_json::json;

use crate::assistants::inbox::intake::{self, Intake};
use crate::assistants::inbox::store::{self, Arrival};
use crate::assistants::jobs::{TURN_JOB, lane};
use crate::assistants::model::{Installation, Turn};
use crate::base::error::{Error, Result};
use crate::base::ids::{InboxId, InstallationId, MessageId, OrgId};
use crate::db::pool::Db;
use crate::db::tx::Tx;
use crate::queue::job::{NewJob, Patience, Pool};
use crate::queue::service::Queue;

/// Incoming turns and interactions.
#[derive(Clone)]
pub struct Inbox {
    pub(super) db: Db,
    pub(super) queue: Queue,
    intake: Intake,
}

/// A turn as stored in the inbox.
#[derive(Clone, Debug)]
pub struct StoredTurn {
    pub installation: InstallationId,
    /// Identifies the message. All events about the message have the same key.
    pub message_key: String,
    pub turn: Turn,
    /// True if it was decided by an earlier attempt.
    pub decided: bool,
}

impl Inbox {
    /// A service on this database. Starts the task that writes incoming turns.
    pub fn new(db: Db, queue: Queue) -> Self {
        let intake = Intake::start(db.clone(), queue.clone());
        Self { db, queue, intake }
    }

    /// Stores a turn with the job that decides it. False for a duplicate.
    pub async fn store_turn(
        &self,
        at: &Installation,
        event_key: &str,
        message_key: &str,
        turn: &Turn,
    ) -> Result<bool> {
        let (arrival, job) = arrival_and_job(at, event_key, message_key, turn);
        self.intake.submit(arrival, job).await
    }

    /// As [`store_turn`](Self::store_turn), in the caller's transaction.
    pub async fn store_turn_in(
        &self,
        tx: &mut Tx,
        at: &Installation,
        event_key: &str,
        message_key: &str,
        turn: &Turn,
    ) -> Result<bool> {
        let event = arrival_and_job(at, event_key, message_key, turn);
        let new = intake::add(tx, &self.queue, &[event]).await?;
        Ok(!new.is_empty())
    }

    /// A stored turn.
    pub async fn turn(&self, org: OrgId, id: InboxId) -> Result<StoredTurn> {
        let found = store::find(self.db.read(), org, id).await?;
        let (installation, message_key, turn, decided) = found.ok_or(Error::NotFound("chat event"))?;
        Ok(StoredTurn {
            installation,
            message_key,
            turn,
            decided,
        })
    }

    /// The session message that was created for a turn, by the turn's message key.
    pub async fn message_of_turn(
        &self,
        org: OrgId,
        at: InstallationId,
        message_key: &str,
    ) -> Result<Option<MessageId>> {
        store::find_message(self.db.read(), org, at, message_key).await
    }

    /// Marks a turn as decided in the caller's transaction, with the session message that was created for it, if any.
    /// Fails with `Stale` if another attempt did so.
    pub async fn decide(
        &self,
        tx: &mut Tx,
        org: OrgId,
        id: InboxId,
        message: Option<MessageId>,
    ) -> Result<()> {
        if store::decide(tx, org, id, message).await? {
            Ok(())
        } else {
            Err(Error::Stale)
        }
    }
}

/// The row to store for a turn, and the job that decides it.
fn arrival_and_job(at: &Installation, event_key: &str, message_key: &str, turn: &Turn) -> (Arrival, NewJob) {
    // PostgreSQL cannot store NUL, and keys contain text from the platform, too.
    let key = |key: &str| key.replace('\0', " ");
    let turn = turn.clone().without_nul();
    let id = InboxId::new();
    let job = NewJob {
        pool: Pool::Chat,
        kind: TURN_JOB.into(),
        lane: lane("turn", at.id, &turn.place.thread, &turn.place.conversation),
        payload: json!({ "inbox": id }),
        patience: Patience::Usual,
        asker: None,
    };
    let arrival = Arrival {
        org: at.org,
        id,
        installation: at.id,
        event_key: key(event_key),
        message_key: key(message_key),
        turn,
    };
    (arrival, job)
}
