//! Stores interactions, such as button presses, once and before they are acknowledged, each with the job that handles
//! it.
//!
//! Does not depend on a platform's wire format or on permissions.

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
    /// Stores an interaction with the job that handles it. False for a duplicate.
    pub async fn store_interaction(
        &self,
        at: &Installation,
        key: &str,
        interaction: &Interaction,
    ) -> Result<bool> {
        let (org, installation, queue) = (at.org, at.id, self.queue.clone());
        let (key, interaction) = (key.replace('\0', " "), interaction.clone());
        let stored = self.db.write(move |tx| {
            let (queue, key, interaction) = (queue.clone(), key.clone(), interaction.clone());
            Box::pin(async move {
                let id = InteractionId::new();
                let new = interaction_store::add(tx, org, installation, id, &key, &interaction).await?;
                if let Interaction::Stopped {
                    target,
                    before: Some(before),
                } = &interaction
                {
                    interaction_store::add_stop(tx, org, installation, target, before).await?;
                }
                if new {
                    let place = interaction.place();
                    let lane = match (&interaction, interaction.page_visitor()) {
                        // Outside of a thread, so it does not wait for the jobs of one.
                        (_, Some(who)) => lane("page", installation, &who.user, &who.team),
                        // The answer that a button refers to exists already. So a button press waits only for
                        // earlier ones on the same message, and not for a question that is being processed.
                        (Interaction::Press(_), None) => {
                            lane("press", installation, &place.message, &place.conversation)
                        }
                        // A stop or a deletion applies to earlier messages, which have to be processed first.
                        _ => lane("turn", installation, &place.thread, &place.conversation),
                    };
                    let job = NewJob {
                        pool: Pool::Chat,
                        kind: INTERACTION_JOB.into(),
                        lane,
                        payload: json!({ "heard": id }),
                        patience: Patience::Usual,
                        asker: None,
                    };
                    queue.add(tx, org, JobId::new(), &job).await?;
                }
                Ok(new)
            })
        });
        stored.await
    }

    /// A stored interaction.
    pub async fn interaction(&self, org: OrgId, id: InteractionId) -> Result<StoredInteraction> {
        let found = interaction_store::find(self.db.read(), org, id).await?;
        found.ok_or(Error::NotFound("interaction"))
    }

    /// Whether a message was deleted. `message_key` is the key of its turn. The platform may report the deletion before
    /// the message.
    pub async fn is_deleted(&self, org: OrgId, at: InstallationId, message_key: &str) -> Result<bool> {
        interaction_store::exists(self.db.read(), org, at, &deletion_key(message_key)).await
    }

    /// Whether the sender of a question stopped it before it was received.
    pub async fn is_stopped(&self, org: OrgId, at: InstallationId, turn: &Turn) -> Result<bool> {
        let before = interaction_store::stopped_before(self.db.read(), org, at, turn).await?;
        Ok(before.is_some_and(|before| turn.place.message < before))
    }

    /// Records that the reply is being posted, or that posting it failed for certain. Refused if the claim is no longer
    /// valid.
    pub async fn record_posting(&self, claim: &Claim, id: InteractionId, posting: bool) -> Result<()> {
        let (claim, queue) = (claim.clone(), self.queue.clone());
        let recorded = self.db.write(move |tx| {
            let (claim, queue) = (claim.clone(), queue.clone());
            Box::pin(async move {
                queue.holds(tx, &claim).await?;
                interaction_store::set_posting(tx, claim.org, id, posting).await
            })
        });
        recorded.await
    }

    /// Marks an interaction as done in the caller's transaction. Fails with `Stale` if another attempt did so.
    pub async fn finish_interaction(&self, tx: &mut Tx, org: OrgId, id: InteractionId) -> Result<()> {
        if interaction_store::mark_done(tx, org, id).await? {
            Ok(())
        } else {
            Err(Error::Stale)
        }
    }
}
