//! The table `model_trials`: what trials spend on language models in a month, up to a cap of the operator.

use serde::{Deserialize, Serialize};

use crate::base::error::Result;
use crate::base::ids::{OrgId, UserId};
use crate::base::money::MicroUsd;
use crate::db::tx::Tx;
use crate::usage::month::period_of;

/// The smallest amount with which a run is given to a model.
const LEAST: MicroUsd = MicroUsd(5_000);

/// Money of a trial that is reserved for one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TrialMoney {
    /// The owner of the sandbox key; none for an organization on trial.
    payer: Option<UserId>,
    period: String,
    pub reserved: MicroUsd,
}

impl TrialMoney {
    /// Reserves at most `most` of what the month's `cap` leaves. None if too little is left for a run.
    pub async fn reserve(
        tx: &mut Tx,
        org: OrgId,
        payer: Option<UserId>,
        most: MicroUsd,
        cap: MicroUsd,
    ) -> Result<Option<Self>> {
        let period = period_of(tx.now().await?);
        let word = word_of(payer);
        // Locks the row, so that two runs do not reserve the same money.
        tx.query(
            "INSERT INTO model_trials (org_id, payer, period, micro_usd) VALUES ($1, $2, $3, 0)
             ON CONFLICT (org_id, payer) DO UPDATE SET
                 micro_usd = CASE WHEN model_trials.period < excluded.period THEN 0 ELSE model_trials.micro_usd END,
                 period = CASE WHEN model_trials.period < excluded.period THEN excluded.period
                               ELSE model_trials.period END",
        )
        .bind(org)
        .bind(word.as_str())
        .bind(period.as_str())
        .execute()
        .await?;
        let spent: (String, MicroUsd) = tx
            .query("SELECT period, micro_usd FROM model_trials WHERE org_id = $1 AND payer = $2")
            .bind(org)
            .bind(word.as_str())
            .one()
            .await?;
        let reserved = MicroUsd(most.0.min(cap.0 - spent.1.0));
        if reserved < LEAST {
            return Ok(None);
        }
        let own = Self {
            payer,
            period: spent.0,
            reserved,
        };
        own.change(tx, org, reserved.0).await?;
        Ok(Some(own))
    }

    /// Returns what a run did not spend.
    pub async fn give_back(&self, tx: &mut Tx, org: OrgId, spent: MicroUsd) -> Result<()> {
        let unspent = (self.reserved.0 - spent.0).max(0);
        self.change(tx, org, -unspent).await
    }

    /// Changes the sum of its month. A later month has begun without it.
    async fn change(&self, tx: &mut Tx, org: OrgId, by: i64) -> Result<()> {
        tx.query(
            "UPDATE model_trials SET micro_usd = CASE WHEN micro_usd + $1 < 0 THEN 0 ELSE micro_usd + $1 END
             WHERE org_id = $2 AND payer = $3 AND period = $4",
        )
        .bind(by)
        .bind(org)
        .bind(word_of(self.payer).as_str())
        .bind(self.period.as_str())
        .execute()
        .await?;
        Ok(())
    }
}

fn word_of(payer: Option<UserId>) -> String {
    payer.map(|user| user.to_string()).unwrap_or_default()
}
