//! Reserves credit for a group of runs when they are admitted. The balances of an organization change once for all of
//! its runs in the group, and each run gets the same result as if it were admitted alone.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use crate::base::error::{Error, Result};
use crate::base::ids::{JobId, KeyId, OrgId};
use crate::base::money::MicroUsd;
use crate::base::principal::Principal;
use crate::db::tx::Tx;
use crate::keys::model::{Environment, KeyUse};
use crate::usage::model::{Balances, Bucket, Entry, EntryKind, Prices};
use crate::usage::month;
use crate::usage::period::{self, period_of};
use crate::usage::{quotas, store};

/// A run to reserve credit for.
#[derive(Clone, Copy, Debug)]
pub struct Reservation {
    pub principal: Principal,
    /// The project key the run was requested with. Determines how it is billed.
    pub key: Option<KeyUse>,
    pub run: JobId,
    /// What is reserved in addition to the price of a run, or what is left if that is less.
    pub extra: MicroUsd,
}

impl Reservation {
    /// The sandbox key, if this is a trial run.
    fn trial(&self) -> Option<KeyId> {
        let trial = self.key.filter(|key| key.environment == Environment::Sandbox);
        trial.map(|key| key.id)
    }

    /// The ledger line of the reservation, with its face and key.
    fn line(&self, bucket: Bucket, amount: MicroUsd, at: DateTime<Utc>) -> Entry {
        Entry {
            face: Some(self.principal.face),
            key_id: self.key.map(|key| key.id),
            ..store::entry(Some(self.run), EntryKind::Reserve, bucket, amount.negated(), at)
        }
    }
}

/// Reserves credit for each run and returns the results in the same order.
pub(super) async fn reserve(tx: &mut Tx, prices: &Prices, runs: &[Reservation]) -> Result<Vec<Result<()>>> {
    let at = tx.now().await?;
    // Sorted by organization, so that concurrent groups lock balances in the same order.
    let mut by_org: BTreeMap<OrgId, Vec<usize>> = BTreeMap::new();
    for (n, run) in runs.iter().enumerate() {
        by_org.entry(run.principal.org).or_default().push(n);
    }
    let mut outcomes: Vec<Result<()>> = runs.iter().map(|_| Ok(())).collect();
    let mut lines = Vec::with_capacity(runs.len());
    for (org, positions) in by_org {
        let of_org: Vec<Reservation> = positions.iter().filter_map(|n| runs.get(*n).copied()).collect();
        let parts = parts(tx, prices, org, &of_org, at).await?;
        for ((n, run), parts) in positions.into_iter().zip(&of_org).zip(parts) {
            match parts {
                Ok(parts) => lines.extend(parts.lines(run, at).map(|line| (org, line))),
                Err(error) => {
                    if let Some(outcome) = outcomes.get_mut(n) {
                        *outcome = Err(error);
                    }
                }
            }
        }
    }
    store::add_lines(tx, &lines).await?;
    Ok(outcomes)
}

/// What a run takes from each bucket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Parts {
    included: MicroUsd,
    funded: MicroUsd,
}

impl Parts {
    /// The ledger lines of the reservation. A free run gets one too, so that every run has a reservation and an end.
    fn lines(self, run: &Reservation, at: DateTime<Utc>) -> impl Iterator<Item = Entry> {
        let is_free = self == Self::default();
        let parts = [(Bucket::Included, self.included), (Bucket::Funded, self.funded)];
        let lines = parts
            .into_iter()
            .filter(move |(bucket, part)| *part > MicroUsd::ZERO || (is_free && *bucket == Bucket::Included));
        lines.map(move |(bucket, part)| run.line(bucket, part, at))
    }
}

/// Takes the price of each run of one organization from the balances; returns what each takes, or why it is refused.
/// The caller adds the ledger lines.
async fn parts(
    tx: &mut Tx,
    prices: &Prices,
    org: OrgId,
    runs: &[Reservation],
    at: DateTime<Utc>,
) -> Result<Vec<Result<Parts>>> {
    let (price, period) = (prices.offline_run, period_of(at));
    let most = |run: &Reservation| MicroUsd(price.0.saturating_add(run.extra.0));
    let is_trial = |run: &Reservation| run.trial().is_some();
    // The month's included credit nearly always covers all runs; then one statement is enough.
    if price > MicroUsd::ZERO && !runs.iter().any(is_trial) {
        let sum = runs
            .iter()
            .fold(0_i64, |sum, run| sum.saturating_add(most(run).0));
        if store::take_included(tx, org, &period, MicroUsd(sum)).await? {
            let included = |run: &Reservation| Parts {
                included: most(run),
                ..Parts::default()
            };
            return Ok(runs.iter().map(|run| Ok(included(run))).collect());
        }
    }
    // From here on the balances are locked and cannot change until the transaction ends.
    let mut left = month::balances(tx, prices, org, at).await?;
    let before = left.clone();
    let mut trials = trials(tx, prices, org, runs, &period).await?;
    let mut parts = Vec::with_capacity(runs.len());
    for run in runs {
        parts.push(match run.trial() {
            None => take(&mut left, price, most(run)).ok_or(Error::Exhausted),
            Some(key) => match trials.get_mut(&key) {
                Some(granted) if *granted > 0 => {
                    *granted -= 1;
                    Ok(Parts::default())
                }
                _ => {
                    let retry_after = (period::next(at) - at).to_std().unwrap_or_default();
                    Err(Error::QuotaExhausted { retry_after })
                }
            },
        });
    }
    let taken = Parts {
        included: MicroUsd(before.included.0 - left.included.0),
        funded: MicroUsd(before.funded.0 - left.funded.0),
    };
    if taken != Parts::default() {
        store::take(tx, org, taken.included, taken.funded).await?;
    }
    Ok(parts)
}

/// Takes at most `most` from the included credit first, then from the funded credit; `None` if they do not cover the
/// price.
fn take(left: &mut Balances, price: MicroUsd, most: MicroUsd) -> Option<Parts> {
    let amount = most.0.min(left.included.0.saturating_add(left.funded.0));
    if amount < price.0 {
        return None;
    }
    let included = MicroUsd(amount.min(left.included.0));
    let funded = MicroUsd(amount - included.0);
    left.included.0 -= included.0;
    left.funded.0 -= funded.0;
    Some(Parts { included, funded })
}

/// Takes trial runs for the sandbox keys among `runs`, and returns how many each key was granted.
async fn trials(
    tx: &mut Tx,
    prices: &Prices,
    org: OrgId,
    runs: &[Reservation],
    period: &str,
) -> Result<BTreeMap<KeyId, i64>> {
    let mut wanted: BTreeMap<KeyId, i64> = BTreeMap::new();
    for key in runs.iter().filter_map(Reservation::trial) {
        *wanted.entry(key).or_default() += 1;
    }
    for (key, count) in &mut wanted {
        let limit = prices.sandbox_runs;
        if !quotas::take(tx, org, *key, period, *count, limit).await? {
            let requested = std::mem::take(count);
            while *count < requested && quotas::take(tx, org, *key, period, 1, limit).await? {
                *count += 1;
            }
        }
    }
    Ok(wanted)
}
