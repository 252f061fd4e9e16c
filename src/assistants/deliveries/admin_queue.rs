//! What admins look after: deliveries that failed, and what people think of answers.

use chrono::{DateTime, Utc};
use serde_json::json;

use crate::assistants::deliveries::service::{Deliveries, deliver_again_job};
use crate::assistants::deliveries::{feedback_store, store};
use crate::assistants::installations::store as installation_store;
use crate::assistants::model::{DeliveryKind, DeliveryState, InstallationState, Sender};
use crate::assistants::paging::{Page, id_cursor};
use crate::assistants::records::{Feedback, Undelivered};
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{AssistantId, DeliveryId, InstallationId, JobId, OrgId, UserId};

impl Deliveries {
    /// How many deliveries of an organization failed and were not dismissed.
    pub async fn count_failed(&self, org: OrgId) -> Result<i64> {
        store::failed(self.db.read(), org).await
    }

    /// How many failed at one installation after a time, and were not dismissed.
    pub async fn count_failed_since(
        &self,
        org: OrgId,
        at: InstallationId,
        since: DateTime<Utc>,
    ) -> Result<i64> {
        store::failed_since(self.db.read(), org, at, since).await
    }

    /// The failed deliveries of an assistant that were not dismissed, the newest first.
    pub async fn failed(
        &self,
        org: OrgId,
        assistant: AssistantId,
        cursor: Option<&str>,
    ) -> Result<Page<Undelivered>> {
        let before = id_cursor(cursor)?;
        let rows = store::list_failed(self.db.read(), org, assistant, before).await?;
        Ok(Page::of(rows, |last| last.id.to_string()))
    }

    /// Delivers again what failed. True if this call set it going; false where it is under way or
    /// delivered already, so that pressing twice sends once.
    pub async fn resend(&self, actor: Actor, org: OrgId, id: DeliveryId) -> Result<bool> {
        let delivery = self.get(org, id).await?;
        if delivery.state != DeliveryState::Failed {
            return Ok(false);
        }
        let state = installation_store::state(self.db.read(), org, delivery.installation).await?;
        if state != Some(InstallationState::Active) {
            return Err(Error::Conflict(
                "the assistant is not installed there at the moment; install it again, then resend",
            ));
        }
        let (job, queue) = (deliver_again_job(&delivery), self.queue.clone());
        let revived = self.db.write(move |tx| {
            let (job, queue) = (job.clone(), queue.clone());
            Box::pin(async move {
                if !store::revive(tx, org, id).await? {
                    return Ok(false);
                }
                queue.add(tx, org, JobId::new(), &job).await?;
                audit::add(tx, org, actor, "delivery.resent", &id.to_string(), json!({})).await?;
                Ok(true)
            })
        });
        revived.await
    }

    /// Takes a failed delivery off the lists: nobody needs it any more. False where it is not on them.
    pub async fn dismiss(&self, actor: Actor, org: OrgId, id: DeliveryId) -> Result<bool> {
        let dismissed = self.db.write(move |tx| {
            Box::pin(async move {
                let was_there = store::dismiss(tx, org, id).await?;
                if was_there {
                    audit::add(tx, org, actor, "delivery.dismissed", &id.to_string(), json!({})).await?;
                }
                Ok(was_there)
            })
        });
        dismissed.await
    }

    /// Keeps whether an answer helped; a person's later word replaces the earlier. `user` is the
    /// account that the person is linked to.
    pub async fn add_feedback(
        &self,
        org: OrgId,
        at: InstallationId,
        delivery: DeliveryId,
        who: &Sender,
        user: Option<UserId>,
        helpful: bool,
    ) -> Result<()> {
        let of = self.get(org, delivery).await?;
        if of.installation != at || of.kind != DeliveryKind::Answer {
            return Err(Error::NotFound("answer"));
        }
        let who = who.clone();
        let kept = self.db.write(move |tx| {
            let who = who.clone();
            Box::pin(async move {
                let now = tx.now().await?;
                feedback_store::put(tx, org, at, delivery, &who, user, helpful, now).await
            })
        });
        kept.await
    }

    /// The feedback on an assistant's answers, the newest first.
    pub async fn feedback(
        &self,
        org: OrgId,
        assistant: AssistantId,
        cursor: Option<&str>,
    ) -> Result<Page<Feedback>> {
        let before = id_cursor(cursor)?;
        let rows = feedback_store::list(self.db.read(), org, assistant, before).await?;
        Ok(Page::of(rows, |last| last.id.to_string()))
    }

    /// How many found answers helpful, and how many did not.
    pub async fn feedback_sums(&self, org: OrgId, assistant: AssistantId) -> Result<(i64, i64)> {
        feedback_store::sums(self.db.read(), org, assistant).await
    }
}
