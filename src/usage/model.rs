//! Types of the usage ledger. Amounts are micro-dollars.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;

use crate::accounts::model::Plan;
use crate::base::ids::{EntryId, JobId, KeyId};
use crate::base::money::MicroUsd;
use crate::base::principal::Face;
use crate::usage::model_limits::ModelLimits;

/// Why a balance changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// Grants a month's included credit.
    Grant,
    /// Removes what was left of last month's included credit.
    Expire,
    /// Adds funded credit.
    Credit,
    /// Reserves the price of a run when it is admitted.
    Reserve,
    /// A run completed: returns the part of the reservation that was not charged.
    Settle,
    /// A run failed: returns the whole reservation.
    Release,
}

crate::text_enum!(EntryKind {
    Grant => "grant", Expire => "expire", Credit => "credit",
    Reserve => "reserve", Settle => "settle", Release => "release",
});

/// The kind of credit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bucket {
    Included,
    Funded,
}

crate::text_enum!(Bucket { Included => "included", Funded => "funded" });

/// One line of the ledger.
#[derive(Clone, Debug, Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    pub id: EntryId,
    pub run_id: Option<JobId>,
    pub kind: EntryKind,
    pub bucket: Bucket,
    /// The change of the balance.
    pub amount: MicroUsd,
    /// The charge of the run; on `settle` only.
    pub charged: MicroUsd,
    /// The face the run was requested through; on `reserve` only.
    pub face: Option<Face>,
    /// The project key the run was requested with; on `reserve` only.
    pub key_id: Option<KeyId>,
    pub created_at: DateTime<Utc>,
}

/// Totals of the runs of one day, one face and one key (or none).
#[derive(Clone, Copy, Debug)]
pub struct Day {
    pub day: NaiveDate,
    pub face: Face,
    pub key: Option<KeyId>,
    pub completed: i64,
    pub failed: i64,
    pub charged: MicroUsd,
}

/// The balances of an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Balances {
    /// The month of the included credit.
    pub period: String,
    pub included: MicroUsd,
    pub funded: MicroUsd,
}

/// The ledger with the result of its consistency check.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ledger {
    pub entries: Vec<Entry>,
    pub balances: Option<Balances>,
    /// The entries sum to the balances, and every ended run is settled or released exactly once.
    pub consistent: bool,
    /// Descriptions of the inconsistencies.
    pub faults: Vec<String>,
}

/// Prices and included credit, as configured.
#[derive(Clone, Debug)]
pub struct Prices {
    pub pro_included: MicroUsd,
    pub enterprise_included: MicroUsd,
    /// Price of a run of the offline analyst.
    pub offline_run: MicroUsd,
    /// Free runs of a sandbox key in a month.
    pub sandbox_runs: i64,
    /// What may be spent on language models.
    pub model_limits: ModelLimits,
}

impl Default for Prices {
    fn default() -> Self {
        Self {
            pro_included: MicroUsd::usd(50),
            enterprise_included: MicroUsd::usd(500),
            offline_run: MicroUsd(1_000),
            sandbox_runs: 100,
            model_limits: ModelLimits::default(),
        }
    }
}

impl Prices {
    /// The monthly included credit: the organization's own, or that of its plan.
    pub fn included(&self, plan: Plan, own: Option<MicroUsd>) -> MicroUsd {
        own.unwrap_or(match plan {
            Plan::Trial => MicroUsd::ZERO,
            Plan::Pro => self.pro_included,
            Plan::Enterprise => self.enterprise_included,
        })
    }
}
