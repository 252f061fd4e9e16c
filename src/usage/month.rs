//! The monthly period of included credit. The first access to the balances in a new month starts it: unused credit of
//! the previous month expires, and the plan grants new credit.

use chrono::{DateTime, Utc};

use crate::accounts::service::Accounts;
use crate::base::error::{Error, Result};
use crate::base::ids::OrgId;
use crate::base::money::MicroUsd;
use crate::db::tx::Tx;
use crate::usage::model::{Balances, Bucket, EntryKind, Prices};
use crate::usage::period::period_of;
use crate::usage::store;

/// Locks and returns the balances, starting a new month if necessary.
pub(super) async fn balances(
    tx: &mut Tx,
    prices: &Prices,
    org: OrgId,
    at: DateTime<Utc>,
) -> Result<Balances> {
    let period = period_of(at);
    let found = store::locked(tx, org).await?;
    // A clock that is set back into the previous month must not grant a month twice.
    if let Some(balances) = found.as_ref().filter(|balances| balances.period >= period) {
        return Ok(balances.clone());
    }
    let (plan, own) = Accounts::credit_in(tx, org).await?;
    if found.is_none() {
        store::open_balances(tx, org, "").await?;
    }
    // Another node may have started the month while this one waited for the lock.
    let mut balances = store::locked(tx, org)
        .await?
        .ok_or(Error::NotFound("organization"))?;
    if balances.period >= period {
        return Ok(balances);
    }
    if balances.included > MicroUsd::ZERO {
        let entry = store::entry(
            None,
            EntryKind::Expire,
            Bucket::Included,
            balances.included.negated(),
            at,
        );
        store::enter(tx, org, &entry).await?;
    }
    let granted = prices.included(plan, own);
    if granted > MicroUsd::ZERO {
        store::enter(
            tx,
            org,
            &store::entry(None, EntryKind::Grant, Bucket::Included, granted, at),
        )
        .await?;
    }
    store::set_period(tx, org, &period).await?;
    balances.included = granted;
    balances.period = period;
    Ok(balances)
}
