//! The progress of a delivery that consists of several messages and files, part by part. The progress of the first
//! message is in the delivery's own row.

use std::collections::BTreeMap;

use crate::assistants::deliveries::service::Deliveries;
use crate::base::error::Result;
use crate::base::ids::{DeliveryId, OrgId};
use crate::queue::job::Claim;

/// How far a part has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartState {
    /// It may be posted already. Look for it before posting it again.
    Started,
    Done,
}

crate::text_enum!(PartState { Started => "begun", Done => "done" });

/// One part of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub state: PartState,
    /// The platform's id of the post, or of the file.
    pub receipt: Option<String>,
}

impl Deliveries {
    /// The parts of a delivery that were started or are done, by number.
    pub async fn parts(&self, org: OrgId, delivery: DeliveryId) -> Result<BTreeMap<i64, Part>> {
        let rows: Vec<(i64, PartState, Option<String>)> = self
            .db
            .read()
            .query("SELECT part, state, receipt FROM delivery_parts WHERE org_id = $1 AND delivery_id = $2")
            .bind(org)
            .bind(delivery)
            .all()
            .await?;
        let part = |(number, state, receipt)| (number, Part { state, receipt });
        Ok(rows.into_iter().map(part).collect())
    }

    /// Records how far a part has come. Refused if the claim is no longer valid.
    pub async fn record_part(
        &self,
        claim: &Claim,
        delivery: DeliveryId,
        number: i64,
        state: PartState,
        receipt: Option<String>,
    ) -> Result<()> {
        let (claim, queue) = (claim.clone(), self.queue.clone());
        let recorded = self.db.write(move |tx| {
            let (claim, queue, receipt) = (claim.clone(), queue.clone(), receipt.clone());
            Box::pin(async move {
                queue.holds(tx, &claim).await?;
                let now = tx.now().await?;
                tx.query(
                    "INSERT INTO delivery_parts (org_id, delivery_id, part, state, receipt, created_at)
                     VALUES ($1, $2, $3, $4, $5, $6)
                     ON CONFLICT (org_id, delivery_id, part)
                     DO UPDATE SET state = excluded.state,
                                   receipt = COALESCE(excluded.receipt, delivery_parts.receipt)",
                )
                .bind(claim.org)
                .bind(delivery)
                .bind(number)
                .bind(state)
                .bind(receipt)
                .bind(now)
                .execute()
                .await?;
                Ok(())
            })
        });
        recorded.await
    }
}
