//! What admins review: failed deliveries and feedback on answers.

use chrono::{DateTime, Utc};
use serde_json::json;

use crate::assistants::deliveries::service::{Deliveries, deliver_again_job};
use crate::assistants::deliveries::{feedback_store, store};
use crate::assistants::installations::store as installation_store;
use crate::assistants::model::{DeliveryKind, DeliveryState, InstallationState, Sender};
use crate::assistants::paging::{Page, id_cursor};
use crate::assistants::records::{FailedDelivery, Feedback};
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{AssistantId, DeliveryId, InstallationId, JobId, OrgId, UserId};

impl Deliveries {
    /// Counts an organization's failed deliveries that were not dismissed.
    pub async fn count_failed(&self, org: OrgId) -> Result<i64> {
        store::count_failed(self.db.read(), org).await
    }

    /// Counts an installation's deliveries that failed after `since` and were not dismissed.
    pub async fn count_failed_since(
        &self,
        org: OrgId,
        at: InstallationId,
        since: DateTime<Utc>,
    ) -> Result<i64> {
        store::count_failed_since(self.db.read(), org, at, since).await
    }

    /// One page of an assistant's failed deliveries that were not dismissed, newest first.
    pub async fn failed(
        &self,
        org: OrgId,
        assistant: AssistantId,
        cursor: Option<&str>,
    ) -> Result<Page<FailedDelivery>> {
        let before = id_cursor(cursor)?;
        let rows = store::list_failed(self.db.read(), org, assistant, before).await?;
        Ok(Page::from_rows(rows, |last| last.id.to_string()))
    }

    /// Starts a failed delivery again. False if it is under way or delivered, so that resending twice posts once.
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

    /// Removes a failed delivery from the lists. False if it is not on them.
    pub async fn dismiss(&self, actor: Actor, org: OrgId, id: DeliveryId) -> Result<bool> {
        let dismissed = self.db.write(move |tx| {
            Box::pin(async move {
                let removed = store::dismiss(tx, org, id).await?;
                if removed {
                    audit::add(tx, org, actor, "delivery.dismissed", &id.to_string(), json!({})).await?;
                }
                Ok(removed)
            })
        });
        dismissed.await
    }

    /// Stores whether a person found an answer helpful. Replaces the person's earlier feedback on the answer. `user` is
    /// the account that the person is linked to.
    pub async fn add_feedback(
        &self,
        org: OrgId,
        at: InstallationId,
        delivery: DeliveryId,
        who: &Sender,
        user: Option<UserId>,
        helpful: bool,
    ) -> Result<()> {
        let answer = self.get(org, delivery).await?;
        if answer.installation != at || answer.kind != DeliveryKind::Answer {
            return Err(Error::NotFound("answer"));
        }
        let who = who.clone();
        let stored = self.db.write(move |tx| {
            let who = who.clone();
            Box::pin(async move {
                let now = tx.now().await?;
                feedback_store::put(tx, org, at, delivery, &who, user, helpful, now).await
            })
        });
        stored.await
    }

    /// One page of the feedback on an assistant's answers, newest first.
    pub async fn feedback(
        &self,
        org: OrgId,
        assistant: AssistantId,
        cursor: Option<&str>,
    ) -> Result<Page<Feedback>> {
        let before = id_cursor(cursor)?;
        let rows = feedback_store::list(self.db.read(), org, assistant, before).await?;
        Ok(Page::from_rows(rows, |last| last.id.to_string()))
    }

    /// Counts helpful and unhelpful feedback on an assistant's answers.
    pub async fn feedback_counts(&self, org: OrgId, assistant: AssistantId) -> Result<(i64, i64)> {
        feedback_store::counts(self.db.read(), org, assistant).await
    }
}
