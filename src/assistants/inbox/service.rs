//! The inbox: chat events stored once, before they are acknowledged, and decided once.

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

#[derive(Clone)]
pub struct Inbox {
    pub(super) db: Db,
    pub(super) queue: Queue,
    intake: Intake,
}

/// One turn with the lane in which everything of its thread happens.
#[derive(Clone, Debug)]
pub struct Inboxed {
    pub installation: InstallationId,
    /// The same for every event about its message.
    pub message_key: String,
    pub turn: Turn,
    /// Decided by an earlier attempt.
    pub decided: bool,
}

impl Inbox {
    pub fn new(db: Db, queue: Queue) -> Self {
        let intake = Intake::start(db.clone(), queue.clone());
        Self { db, queue, intake }
    }

    /// Takes a turn in: on disk, once, with the job that decides it. False for a duplicate.
    pub async fn take_turn(
        &self,
        at: &Installation,
        event_key: &str,
        message_key: &str,
        turn: &Turn,
    ) -> Result<bool> {
        let (arrival, job) = arriving(at, event_key, message_key, turn);
        self.intake.take_in(arrival, job).await
    }

    /// As [`take_turn`](Self::take_turn), in the caller's transaction: for a caller who writes more with it.
    pub async fn take_turn_in(
        &self,
        tx: &mut Tx,
        at: &Installation,
        event_key: &str,
        message_key: &str,
        turn: &Turn,
    ) -> Result<bool> {
        let one = arriving(at, event_key, message_key, turn);
        let new = intake::add(tx, &self.queue, &[one]).await?;
        Ok(!new.is_empty())
    }

    pub async fn turn(&self, org: OrgId, id: InboxId) -> Result<Inboxed> {
        let found = store::find(self.db.read(), org, id).await?;
        let (installation, message_key, turn, decided) = found.ok_or(Error::NotFound("chat event"))?;
        Ok(Inboxed {
            installation,
            message_key,
            turn,
            decided,
        })
    }

    /// The analysis that a message led to, by the key it was taken in under.
    pub async fn message_of_turn(
        &self,
        org: OrgId,
        at: InstallationId,
        message_key: &str,
    ) -> Result<Option<MessageId>> {
        store::message_of(self.db.read(), org, at, message_key).await
    }

    /// Decides a turn in the caller's transaction; `Stale` if another attempt did.
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

/// A turn as it is taken in, and the job that decides it.
fn arriving(at: &Installation, event_key: &str, message_key: &str, turn: &Turn) -> (Arrival, NewJob) {
    // Keys come from outside too.
    let key = |key: &str| key.replace('\0', " ");
    let turn = turn.clone().storable();
    let id = InboxId::new();
    let job = NewJob {
        pool: Pool::Chat,
        kind: TURN_JOB.into(),
        lane: lane("turn", at.id, &turn.place.conversation, &turn.place.thread),
        payload: json!({ "inbox": id }),
        patience: Patience::Usual,
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
