//! The table `model_days`: the cost of language models by day, person, model and interface.

use chrono::{DateTime, NaiveDate, Utc};

use crate::base::error::Result;
use crate::base::ids::{OrgId, UserId};
use crate::base::model::Model;
use crate::base::money::MicroUsd;
use crate::base::principal::Face;
use crate::db::exec::Exec;
use crate::db::tx::Tx;

/// What a completed run of a language model cost.
#[derive(Clone, Copy, Debug)]
pub struct ModelRun {
    pub user: UserId,
    pub model: Model,
    /// In addition to the price of a run.
    pub cost: MicroUsd,
}

/// The cost of one person's runs of a model through one interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelCost {
    pub user: UserId,
    /// For instance `svc-pro`.
    pub model: String,
    pub face: Face,
    pub runs: i64,
    pub cost: MicroUsd,
}

/// Counts a run on the day it ended.
pub(super) async fn add(tx: &mut Tx, org: OrgId, at: DateTime<Utc>, face: Face, run: ModelRun) -> Result<()> {
    tx.query(
        "INSERT INTO model_days (org_id, day, user_id, model, face, runs, micro_usd) VALUES ($1, $2, $3, $4, $5, 1, $6)
         ON CONFLICT (org_id, day, user_id, model, face) DO UPDATE SET
             runs = model_days.runs + 1, micro_usd = model_days.micro_usd + excluded.micro_usd",
    )
    .bind(org)
    .bind(at.date_naive().to_string())
    .bind(run.user)
    .bind(run.model.as_str())
    .bind(face)
    .bind(run.cost)
    .execute()
    .await?;
    Ok(())
}

/// The costs since a day, the highest first.
pub(super) async fn since(db: Exec<'_>, org: OrgId, first: NaiveDate) -> Result<Vec<ModelCost>> {
    let rows: Vec<(UserId, String, Face, i64, MicroUsd)> = db
        .query(
            "SELECT user_id, model, face, CAST(SUM(runs) AS BIGINT), CAST(SUM(micro_usd) AS BIGINT)
             FROM model_days WHERE org_id = $1 AND day >= $2
             GROUP BY user_id, model, face ORDER BY 5 DESC, user_id, model, face",
        )
        .bind(org)
        .bind(first.to_string())
        .all()
        .await?;
    let cost = |(user, model, face, runs, cost)| ModelCost {
        user,
        model,
        face,
        runs,
        cost,
    };
    Ok(rows.into_iter().map(cost).collect())
}
