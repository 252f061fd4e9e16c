//! What people do in a chat beside saying something: taken in once, before it is acknowledged, with the
//! job that does what follows.
//!
//! Knows no platform's wire format, and no rule of who may.

use serde_json::json;

use crate::assistants::inbox::interaction::{Interaction, StoredInteraction, deletion_key};
use crate::assistants::inbox::interaction_store;
use crate::assistants::inbox::service::Inbox;
use crate::assistants::jobs::{INTERACTION_JOB, lane};
use crate::assistants::model::{Installation, Turn};
use crate::base::error::{Error, Result};
use crate::base::ids::{InstallationId, InteractionId, JobId, OrgId};
use crate::db::tx::Tx;
use crate::queue::job::{Claim, NewJob, Patience, Pool};

impl Inbox {
    /// Takes something in: on disk, once, with the job that does what follows. False for a duplicate.
    pub async fn take_interaction(&self, at: &Installation, key: &str, heard: &Interaction) -> Result<bool> {
        let (org, installation, queue) = (at.org, at.id, self.queue.clone());
        let (key, heard) = (key.replace('\0', " "), heard.clone());
        let taken = self.db.write(move |tx| {
            let (queue, key, heard) = (queue.clone(), key.clone(), heard.clone());
            Box::pin(async move {
                let id = InteractionId::new();
                let new = interaction_store::add(tx, org, installation, id, &key, &heard).await?;
                if let Interaction::Stopped {
                    target,
                    before: Some(before),
                } = &heard
                {
                    interaction_store::add_stop(tx, org, installation, target, before).await?;
                }
                if new {
                    let place = heard.place();
                    let lane = match (&heard, heard.of_page()) {
                        // What belongs to no thread waits for nothing said in one.
                        (_, Some(who)) => lane("page", installation, &who.team, &who.user),
                        // What a button names stands already: a press need not wait for a later question,
                        // only for an earlier press of the same message.
                        (Interaction::Press(_), None) => {
                            lane("press", installation, &place.conversation, &place.message)
                        }
                        // A stop or a deletion means what was said before it, which must be decided first.
                        _ => lane("turn", installation, &place.conversation, &place.thread),
                    };
                    let job = NewJob {
                        pool: Pool::Chat,
                        kind: INTERACTION_JOB.into(),
                        lane,
                        payload: json!({ "heard": id }),
                        patience: Patience::Usual,
                    };
                    queue.add(tx, org, JobId::new(), &job).await?;
                }
                Ok(new)
            })
        });
        taken.await
    }

    pub async fn interaction(&self, org: OrgId, id: InteractionId) -> Result<StoredInteraction> {
        let found = interaction_store::find(self.db.read(), org, id).await?;
        found.ok_or(Error::NotFound("press"))
    }

    /// Whether a message was deleted, by the key that a turn is taken in under: the platform may tell of it
    /// before it tells of the message.
    pub async fn is_deleted(&self, org: OrgId, at: InstallationId, message_key: &str) -> Result<bool> {
        interaction_store::is_kept(self.db.read(), org, at, &deletion_key(message_key)).await
    }

    /// Whether a question was stopped by whoever asked it, before it was heard.
    pub async fn is_stopped(&self, org: OrgId, at: InstallationId, turn: &Turn) -> Result<bool> {
        let until = interaction_store::stopped_until(self.db.read(), org, at, turn).await?;
        Ok(until.is_some_and(|until| turn.place.message < until))
    }

    /// Takes note that a post of what follows is begun, or that it certainly failed. Fenced by the job's
    /// attempt.
    pub async fn record_posting(&self, claim: &Claim, id: InteractionId, posting: bool) -> Result<()> {
        let (claim, queue) = (claim.clone(), self.queue.clone());
        let noted = self.db.write(move |tx| {
            let (claim, queue) = (claim.clone(), queue.clone());
            Box::pin(async move {
                queue.holds(tx, &claim).await?;
                interaction_store::posting(tx, claim.org, id, posting).await
            })
        });
        noted.await
    }

    /// Takes note in the caller's transaction that it was done; `Stale` if another attempt did.
    pub async fn finish_interaction(&self, tx: &mut Tx, org: OrgId, id: InteractionId) -> Result<()> {
        if interaction_store::done(tx, org, id).await? {
            Ok(())
        } else {
            Err(Error::Stale)
        }
    }
}
