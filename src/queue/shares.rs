//! Shares of run slots: how many slots of a process an organization, a person and a project key may hold, and who is
//! served first. Does not depend on the database.
//!
//! The shares are nested: an organization gets a share of the process, a person of the organization, a key of its
//! owner. At every level one slot is left to somebody who holds none, so that a new question starts at once.

use std::collections::HashMap;
use std::sync::Arc;

use crate::base::ids::OrgId;
use crate::queue::job::Pool;

/// The levels of a stored asker: the organization (empty), the person, the person with the key.
fn levels(asker: &str) -> impl Iterator<Item = &str> {
    let ends = asker.match_indices('/').map(|(end, _)| end).chain([asker.len()]);
    let below = ends.filter_map(|end| asker.get(..end));
    std::iter::once("").chain(below.filter(|level| !level.is_empty()))
}

type Holder = (OrgId, String);

/// When organizations and askers were last served by this process, as the number of the claim.
#[derive(Clone, Debug, Default)]
pub(super) struct Served {
    claims: u64,
    last: HashMap<Holder, u64>,
}

impl Served {
    pub(super) fn note(&mut self, org: OrgId, asker: &str) {
        self.claims += 1;
        for level in levels(asker) {
            self.last.insert((org, level.to_owned()), self.claims);
        }
        if self.last.len() > 10_000 {
            let oldest = self.claims.saturating_sub(2_000);
            self.last.retain(|_, claim| *claim > oldest);
        }
    }

    fn of(&self, org: OrgId, level: &str) -> u64 {
        let holder = (org, level.to_owned());
        self.last.get(&holder).copied().unwrap_or_default()
    }
}

/// What the running jobs of a pool hold of a process's slots.
#[derive(Clone, Debug)]
pub(super) struct Shares {
    slots: usize,
    /// Most slots of one organization.
    organization: usize,
    /// Most slots of one person, and of one key.
    person: usize,
    /// How many slots of the process are left to organizations that hold none.
    spare: usize,
    taken: usize,
    held: HashMap<Holder, usize>,
    served: Arc<Served>,
}

impl Shares {
    /// Nothing is taken yet. In the pool `chat`, whose jobs are short, one organization may hold every slot. So it may
    /// with one or two slots: then a reserve would let a person wait for a colleague.
    pub(super) fn new(pool: Pool, slots: usize, served: Arc<Served>) -> Self {
        let is_shared = pool != Pool::Chat && slots > 2;
        let organization = if is_shared { slots * 3 / 4 } else { slots };
        Self {
            slots,
            organization,
            person: organization.div_ceil(2),
            spare: usize::from(is_shared),
            taken: 0,
            held: HashMap::new(),
            served,
        }
    }

    pub(super) fn take(&mut self, org: OrgId, asker: &str, count: usize) {
        self.taken += count;
        for level in levels(asker) {
            *self.held.entry((org, level.to_owned())).or_default() += count;
        }
    }

    fn held(&self, org: OrgId, level: &str) -> usize {
        let holder = (org, level.to_owned());
        self.held.get(&holder).copied().unwrap_or_default()
    }

    /// How many more slots the asker may take now; with an empty asker, the organization. At every level, the last slot
    /// goes to somebody who holds none.
    pub(super) fn room(&self, org: OrgId, asker: &str) -> usize {
        let (mut free, mut spare, mut most) = (
            self.slots.saturating_sub(self.taken),
            self.spare,
            self.organization,
        );
        let mut room = usize::MAX;
        for level in levels(asker) {
            let held = self.held(org, level);
            let first = usize::from(held == 0 && free > 0);
            let own = most.saturating_sub(held);
            room = room.min(own.min(free.saturating_sub(spare).max(first)));
            (free, spare, most) = (own, 1, self.person);
        }
        room
    }

    /// The order of organizations with the same number of running jobs.
    pub(super) fn turn_of(&self, org: OrgId) -> u64 {
        self.served.of(org, "")
    }

    /// The order of the askers of an organization: for the person, then for the key, slots held and last claim.
    pub(super) fn turn(&self, org: OrgId, asker: &str) -> Vec<(usize, u64)> {
        let below = levels(asker).skip(1);
        below
            .map(|level| (self.held(org, level), self.served.of(org, level)))
            .collect()
    }
}
