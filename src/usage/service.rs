//! Usage: reserve at admission, settle by what a run cost, release when it failed. Included credit
//! goes first, then funded credit; a balance never goes below zero.

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
use crate::usage::month::{self, period_of};
use crate::usage::reserving::{self, Reservation};
use crate::usage::{days, quotas, store};

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

    /// Sets the price of a run aside for each of `runs`, in their order: each is answered as it would be alone.
    /// `Exhausted` when neither bucket nor both together have it. A sandbox key spends no credit: its run is
    /// counted in the month's trial runs instead. What is refused leaves nothing behind.
    pub async fn reserve_all(&self, tx: &mut Tx, runs: &[Reservation]) -> Result<Vec<Result<()>>> {
        reserving::reserve(tx, &self.prices, runs).await
    }

    /// Ends a run that was answered: charges `cost`, at most what was set aside.
    pub async fn settle(&self, tx: &mut Tx, org: OrgId, run: JobId, cost: MicroUsd) -> Result<()> {
        self.end(tx, org, run, EntryKind::Settle, cost).await
    }

    /// Ends a run that failed: everything set aside comes back, also a sandbox key's trial run.
    pub async fn release(&self, tx: &mut Tx, org: OrgId, run: JobId) -> Result<()> {
        self.end(tx, org, run, EntryKind::Release, MicroUsd::ZERO).await
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
            let back = MicroUsd(reserved - charged);
            let mut entry = store::entry(Some(run), kind, bucket, back, at);
            entry.charged = MicroUsd(charged);
            store::enter(tx, org, &entry).await?;
            // Included credit of a month that has ended meanwhile is not carried into the next.
            let outlived = balances
                .as_ref()
                .is_some_and(|balances| period_of(reserved_at) < balances.period);
            if outlived && bucket == Bucket::Included && back > MicroUsd::ZERO {
                let entry = store::entry(None, EntryKind::Expire, bucket, back.negated(), at);
                store::enter(tx, org, &entry).await?;
            }
        }
        let Some(reserve) = reserve else { return Ok(()) };
        let ended = days::Ended {
            // Runs from before faces were kept.
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

    /// Credit that the organization's plan, or its own agreement, includes in a month.
    pub async fn included(&self, principal: &Principal) -> Result<MicroUsd> {
        let accounts = Accounts::new(self.db.clone());
        let org = accounts.org(&principal.org.to_string()).await?;
        Ok(self.prices.included(org.plan, org.included_micro_usd))
    }

    /// Percent of this month's included credit that is left; none where the plan includes none.
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

    /// Ended runs of the organization by day, face and key: from the day `first` on, oldest first.
    pub async fn days(&self, principal: &Principal, first: NaiveDate) -> Result<Vec<Day>> {
        days::since(self.db.read(), principal.org, first).await
    }

    /// Trial runs that each sandbox key has used this month.
    pub async fn trial_runs(&self, principal: &Principal) -> Result<BTreeMap<KeyId, i64>> {
        let period = period_of(self.db.clock().now());
        let used = quotas::used(self.db.read(), principal.org, &period).await?;
        Ok(used.into_iter().collect())
    }

    /// What an organization has, as it stood after its last run; none before the first.
    pub async fn balances(&self, principal: &Principal) -> Result<Option<Balances>> {
        store::balances(self.db.read(), principal.org).await
    }

    /// The whole ledger of an organization with the verdict on its sums.
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

    /// What does not add up, in words; nothing when all is well.
    pub async fn check(&self, org: OrgId) -> Result<(Option<Balances>, Vec<String>)> {
        // One transaction: sums and balances of the same moment.
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
        let (kept_included, kept_funded) = balances
            .as_ref()
            .map_or((0, 0), |balances| (balances.included.0, balances.funded.0));
        if kept_included != included {
            faults.push(format!(
                "included: entries sum to {included}, the balance is {kept_included}"
            ));
        }
        if kept_funded != funded {
            faults.push(format!(
                "funded: entries sum to {funded}, the balance is {kept_funded}"
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
