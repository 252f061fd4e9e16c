//! The other part of [`reading`](super::reading): what homes pay. "What do the occupied two-bedrooms pay on average?"
//! asks for their average rent.

use crate::analysis::engines::offline::portfolio::lexicon::{Group, Topic, Turn};
use crate::analysis::engines::offline::portfolio::reading::Scan;

impl Scan<'_> {
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
        // "The typical 1-bed".
        let typical = self
            .reading
            .unknown
            .iter()
            .position(|at| self.word(*at) == "typical");
        if let Some(at) = typical {
            self.reading.unknown.remove(at);
            self.reading.turns.insert(Turn::Average);
        }
        if self.reading.turns.contains(&Turn::Average) {
            self.reading.topics = vec![T::AverageRent];
        }
    }
}
