//! The other part of [`reading`](super::reading): how many homes there are, what they pay, and what
//! was paid for them. "What do the occupied two-bedrooms pay on average?"
//! asks for their average rent.

use crate::portfolio::lexicon::{Group, Topic, Turn};
use crate::portfolio::pieces::Piece;
use crate::portfolio::reading::Scan;

impl Scan<'_> {
    /// "How many apartments does Peachtree Commons have": units, where nothing else is asked of them.
    pub(super) fn homes(&mut self) {
        let bare = self.reading.topics.is_empty() && self.reading.accounts.is_empty();
        // "Unit count at Decatur Gardens".
        if bare
            && self.reading.turns.contains(&Turn::ByUnits)
            && self.reading.base.is_none()
            && self.says("unit count")
        {
            self.topic(Topic::Units);
            self.reading.turns.insert(Turn::Count);
            return;
        }
        let total = self.says_pair(&["total"], &["apartment", "flat", "apt"]);
        let counted = total || self.says_pair(&["many", "of"], &["apartment", "flat", "apt"]);
        if total && bare {
            self.reading.turns.insert(Turn::Count);
        }
        let more = self.says_pair(
            &["apartment", "flat", "apt"],
            &["building", "property", "asset", "complex", "community", "scheme"],
        );
        if bare && counted && !more && self.reading.turns.contains(&Turn::Count) {
            self.topic(Topic::Units);
        }
    }

    /// "How much rent do we get per month from the Congress Tower tenants": all of it, no list of them.
    pub(super) fn rent_of_all(&mut self) {
        use Topic as T;
        let about = self.reading.topics.contains(&T::Rent)
            && self
                .reading
                .topics
                .iter()
                .all(|topic| matches!(topic, T::Rent | T::Tenants | T::Leases));
        if self.reading.amount
            && about
            && self.reading.accounts.is_empty()
            && self.reading.rank.is_none()
            && !self.reading.lists
            && self.reading.turns.contains(&Turn::PerMonth)
        {
            self.reading.topics.retain(|topic| *topic == T::Rent);
        }
    }

    /// "What did we buy Peachtree Commons for": its price, not the day.
    pub(super) fn bought_for(&mut self) {
        let last = self
            .pieces
            .iter()
            .rev()
            .map(Piece::word)
            .find(|word| !word.is_empty());
        let asks = self.word(0) == "what" || self.reading.amount;
        if self.reading.topics == [Topic::Acquired] && asks && last == Some("for") {
            self.reading.topics = vec![Topic::PurchasePrice];
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
