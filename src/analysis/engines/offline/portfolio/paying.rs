//! The other part of [`reading`](super::reading): how many homes there are, and what they pay. "What do the occupied two-bedrooms pay on average?"
//! asks for their average rent.

use crate::analysis::engines::offline::portfolio::lexicon::{Group, Topic, Turn};
use crate::analysis::engines::offline::portfolio::reading::Scan;

impl Scan<'_> {
    /// "How many apartments does Peachtree Commons have": units, where nothing else is asked of them.
    pub(super) fn homes(&mut self) {
        let bare = self.reading.topics.is_empty() && self.reading.accounts.is_empty();
        let counted = self.says_pair(&["many", "of"], &["apartment", "flat", "apt"]);
        let more = self.says_pair(
            &["apartment", "flat", "apt"],
            &["building", "property", "asset", "complex", "community", "scheme"],
        );
        if bare && counted && !more && self.reading.turns.contains(&Turn::Count) {
            self.topic(Topic::Units);
        }
    }

    /// Homes that pay so much on average: their rent.
    pub(super) fn paying(&mut self) {
        use Topic as T;
        let homes = self.reading.only.bedrooms.is_some() || self.reading.groups == [Group::Residential];
        let who = [T::Occupancy, T::Units, T::Leased, T::Tenants, T::Leases];
        let whole = self.reading.accounts.is_empty()
            && self.reading.base.is_none()
            && self.reading.only.tenants.is_empty()
            && self.reading.topics.iter().all(|topic| who.contains(topic));
        let other = [Turn::Count, Turn::Share, Turn::PerArea, Turn::PerYear]
            .iter()
            .any(|turn| self.reading.turns.contains(turn));
        if !(self.reading.pays && homes && whole) || other || self.reading.rank.is_some() {
            return;
        }
        if self.reading.turns.contains(&Turn::Average) {
            self.reading.topics = vec![T::AverageRent];
        }
    }
}
