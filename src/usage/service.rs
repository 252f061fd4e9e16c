//! The usage service. Reserves credit when a run is admitted, settles the cost when it completes, and releases the
//! reservation when it fails. Included credit is used before funded credit; a balance is never negative.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde_json::json;

use crate::accounts::service::Accounts;
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{JobId, KeyId, OrgId};
use crate::base::money::MicroUsd;
use crate::base::principal::{Face, Principal};
use crate::db::pool::Db;
use crate::db::tx::Tx;
use crate::usage::model::{Balances, Bucket, Day, Entry, EntryKind, Ledger, Prices};
use crate::usage::month;
use crate::usage::period::period_of;
use crate::usage::reserving::{self, Reservation};
use crate::usage::{days, quotas, store};

/// The usage service. Cheap to clone.
#[derive(Clone)]
pub struct Usage {
    db: Db,
    prices: Prices,
}

impl Usage {
    pub fn new(db: Db, prices: Prices) -> Self {
        Self { db, prices }
    }

    pub fn prices(&self) -> &Prices {
        &self.prices
    }

    pub(super) fn db(&self) -> &Db {
        &self.db
    }

    /// Reserves the price of each run and returns the results in order, each as if the run were alone. A run is
    /// `Exhausted` if the included and funded credit do not cover its price. Runs of a sandbox key cost no credit and
    /// are counted as trial runs of the month instead. A refused run reserves nothing.
    pub async fn reserve_all(&self, tx: &mut Tx, runs: &[Reservation]) -> Result<Vec<Result<()>>> {
        reserving::reserve(tx, &self.prices, runs).await
    }

    /// Ends a completed run: charges `cost`, at most the amount reserved.
    pub async fn settle(&self, tx: &mut Tx, org: OrgId, run: JobId, cost: MicroUsd) -> Result<()> {
        self.end(tx, org, run, EntryKind::Settle, cost).await
    }

    /// Ends a failed run: returns the whole reservation, including the trial run of a sandbox key.
    pub async fn release(&self, tx: &mut Tx, org: OrgId, run: JobId) -> Result<()> {
        self.end(tx, org, run, EntryKind::Release, MicroUsd::ZERO).await
    }

    /// What was reserved for a run in addition to the price of a run.
    pub async fn reserved_extra(&self, org: OrgId, run: JobId) -> Result<MicroUsd> {
        let reserved = store::reserved(self.db.read(), org, run).await?;
        Ok(MicroUsd(
            reserved.0.saturating_sub(self.prices.offline_run.0).max(0),
        ))
    }

    /// What an ended run was charged.
    pub async fn charged(&self, org: OrgId, run: JobId) -> Result<MicroUsd> {
        store::charged_of_run(self.db.read(), org, run).await
    }

    async fn end(&self, tx: &mut Tx, org: OrgId, run: JobId, kind: EntryKind, cost: MicroUsd) -> Result<()> {
        let at = tx.now().await?;
        let balances = store::locked(tx, org).await?;
        let (mut left, mut spent) = (cost.0, 0);
        let entries = store::entries_of_run(tx, org, run).await?;
        let reserve = entries.iter().find(|entry| entry.kind == EntryKind::Reserve);
        if let Some(Entry {
            key_id: Some(key),
            created_at,
            ..
        }) = reserve
            && kind == EntryKind::Release
        {
            quotas::give_back(tx, org, *key, &period_of(*created_at)).await?;
        }
        for bucket in [Bucket::Included, Bucket::Funded] {
            let reserved = entries
                .iter()
                .find(|entry| entry.kind == EntryKind::Reserve && entry.bucket == bucket);
            let Some(reserved) = reserved else { continue };
            let (reserved, reserved_at) = (-reserved.amount.0, reserved.created_at);
            let charged = left.min(reserved);
            left -= charged;
            spent += charged;
            let returned = MicroUsd(reserved - charged);
            let mut entry = store::entry(Some(run), kind, bucket, returned, at);
            entry.charged = MicroUsd(charged);
            store::enter(tx, org, &entry).await?;
            // If the month has ended meanwhile, returned included credit expires at once.
            let month_ended = balances
                .as_ref()
                .is_some_and(|balances| period_of(reserved_at) < balances.period);
            if month_ended && bucket == Bucket::Included && returned > MicroUsd::ZERO {
                let entry = store::entry(None, EntryKind::Expire, bucket, returned.negated(), at);
                store::enter(tx, org, &entry).await?;
            }
        }
        let Some(reserve) = reserve else { return Ok(()) };
        let ended = days::Ended {
            // Runs from versions that did not store the face.
            face: reserve.face.unwrap_or(Face::System),
            key: reserve.key_id,
            completed: kind == EntryKind::Settle,
            charged: MicroUsd(spent),
        };
        days::add(tx, org, at, &ended).await
    }

    /// Adds funded credit.
    pub async fn add_credit(&self, actor: Actor, org: OrgId, amount: MicroUsd) -> Result<()> {
        if amount <= MicroUsd::ZERO {
            return Err(Error::invalid("usd", "must be more than zero"));
        }
        let usage = self.clone();
        let added = self.db.write(move |tx| {
            let usage = usage.clone();
            Box::pin(async move {
                let at = tx.now().await?;
                month::balances(tx, &usage.prices, org, at).await?;
                let entry = store::entry(None, EntryKind::Credit, Bucket::Funded, amount, at);
                store::enter(tx, org, &entry).await?;
                let details = json!({ "microUsd": amount.0 });
                audit::add(tx, org, actor, "credit.added", &entry.id.to_string(), details).await
            })
        });
        added.await
    }

    /// The monthly included credit of the organization.
    pub async fn included(&self, principal: &Principal) -> Result<MicroUsd> {
        let accounts = Accounts::new(self.db.clone());
        let org = accounts.org(&principal.org.to_string()).await?;
        Ok(self.prices.included(org.plan, org.included_micro_usd))
    }

    /// The percentage of this month's included credit that is left; `None` if the plan includes none.
    pub async fn percent_left(&self, principal: &Principal) -> Result<Option<u8>> {
        let now = self.db.clock().now();
        let included = self.included(principal).await?;
        if included <= MicroUsd::ZERO {
            return Ok(None);
        }
        let period = period_of(now);
        let balances = store::balances(self.db.read(), principal.org).await?;
        let left = balances
            .filter(|balances| balances.period >= period)
            .map_or(included, |balances| balances.included);
        let (left, all) = (i128::from(left.0.clamp(0, included.0)), i128::from(included.0));
        let percent = (left * 100 + all - 1) / all;
        Ok(u8::try_from(percent).ok())
    }

    /// Totals of the organization's ended runs by day, face and key, starting with `first`, oldest first.
    pub async fn days(&self, principal: &Principal, first: NaiveDate) -> Result<Vec<Day>> {
        days::since(self.db.read(), principal.org, first).await
    }

    /// The trial runs that each sandbox key has used this month.
    pub async fn trial_runs(&self, principal: &Principal) -> Result<BTreeMap<KeyId, i64>> {
        let period = period_of(self.db.clock().now());
        let used = quotas::used(self.db.read(), principal.org, &period).await?;
        Ok(used.into_iter().collect())
    }

    /// The balances as last written; `None` before the first run.
    pub async fn balances(&self, principal: &Principal) -> Result<Option<Balances>> {
        store::balances(self.db.read(), principal.org).await
    }

    /// The complete ledger of an organization with the result of its consistency check.
    pub async fn ledger(&self, org: OrgId) -> Result<Ledger> {
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            let after = entries.last().map(|entry| entry.id);
            let page = store::entries(self.db.read(), org, after, 1000).await?;
            if page.is_empty() {
                break;
            }
            entries.extend(page);
        }
        let (balances, faults) = self.check(org).await?;
        Ok(Ledger {
            entries,
            balances,
            consistent: faults.is_empty(),
            faults,
        })
    }

    /// Checks the ledger and returns the balances and descriptions of all inconsistencies.
    pub async fn check(&self, org: OrgId) -> Result<(Option<Balances>, Vec<String>)> {
        // One transaction, so that sums and balances are consistent.
        let read = self.db.write(move |tx| {
            Box::pin(async move {
                let balances = store::locked(tx, org).await?;
                let sums = store::sums(tx.exec(), org).await?;
                let mismatches = store::mismatches(tx.exec(), org).await?;
                let charged = store::charged(tx.exec(), org).await?;
                let by_day = days::charged(tx.exec(), org).await?;
                Ok((balances, sums, mismatches, (charged, by_day)))
            })
        });
        let (balances, (included, funded), (unended, early, strange), (charged, by_day)) = read.await?;
        let mut faults = Vec::new();
        let (stored_included, stored_funded) = balances
            .as_ref()
            .map_or((0, 0), |balances| (balances.included.0, balances.funded.0));
        if stored_included != included {
            faults.push(format!(
                "included: entries sum to {included}, the balance is {stored_included}"
            ));
        }
        if stored_funded != funded {
            faults.push(format!(
                "funded: entries sum to {funded}, the balance is {stored_funded}"
            ));
        }
        if unended > 0 {
            faults.push(format!("{unended} ended runs are neither settled nor released"));
        }
        if early > 0 {
            faults.push(format!(
                "{early} open runs are not reserved, or settled or released already"
            ));
        }
        if strange > 0 {
            faults.push(format!("{strange} runs are charged without a message"));
        }
        if charged != by_day {
            faults.push(format!("runs are charged {charged}, the days sum to {by_day}"));
        }
        Ok((balances, faults))
    }
}
