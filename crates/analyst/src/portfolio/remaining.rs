//! The other part of [`reading`](super::reading): how long a loan or a lease still runs. "How many months are left on the
//! Congress Tower loan?" is answered by the day on which it ends; nothing is counted.

use crate::portfolio::lexicon::{Topic, Turn};
use crate::portfolio::quantities::Quantity;
use crate::portfolio::reading::Scan;
use finance::portfolio::query::Split;

impl Scan<'_> {
    pub(super) fn remaining(&mut self) {
        let span = ["month", "year", "day", "time", "long"];
        let runs = self.says_any(&["left", "remain", "remaining", "until", "to maturity", "to run"]);
        let asked = self.says_pair(&["many", "much", "how"], &span);
        let lease = self.asks(&[Topic::Leases, Topic::Expire]) && !self.asks(&[Topic::Walt]);
        let loan =
            self.asks(&[Topic::Loan, Topic::Debt, Topic::Mature]) || (!lease && self.asks(&[Topic::Owe]));
        if !(runs && asked && (loan || lease)) || self.says_any(&["average", "weighted", "wait"]) {
            return;
        }
        let reading = &mut self.reading;
        let own = |topic: &Topic| {
            matches!(
                topic,
                Topic::Loan | Topic::Debt | Topic::Owe | Topic::Mature | Topic::Leases | Topic::Expire
            )
        };
        if !reading.topics.iter().all(own) || !reading.times.is_empty() {
            return;
        }
        reading.topics = if loan {
            vec![Topic::Loan, Topic::Mature]
        } else {
            vec![Topic::Leases, Topic::Expire]
        };
        reading.turns.remove(&Turn::Count);
        let time = |split: &Split| split.is_time();
        reading.nouns.retain(|noun| !time(noun));
        reading.splits.retain(|split| !time(split));
    }

    /// "How much has it gained since we bought it?": the value less the price that was paid.
    pub(super) fn since_bought(&mut self) {
        let bought = self.says_any(&[
            "purchase price",
            "we paid",
            "we bought",
            "we acquired",
            "since purchase",
            "since acquisition",
        ]);
        let against = self.says_any(&[
            "since", "versus", "vs", "over", "above", "than", "against", "from",
        ]);
        let moved = |turn: &Turn| matches!(turn, Turn::Growth | Turn::Gain | Turn::Loss);
        let grows = self.reading.turns.iter().any(moved)
            || self.says_any(&[
                "appreciation",
                "appreciate",
                "appreciated",
                "more",
                "difference",
                "increase in value",
            ]);
        let own = |topic: &Topic| matches!(topic, Topic::Value | Topic::PurchasePrice | Topic::Acquired);
        let percent = self.says_any(&["percent", "percentage", "%", "in percent"]);
        let listed = self.says_any(&["which", "less than", "below"]) || self.reading.rank.is_some();
        if !(bought && against && grows)
            || percent
            || listed
            || !self.reading.topics.iter().all(own)
            || self.reading.except
        {
            return;
        }
        let pieces = self.pieces;
        let reading = &mut self.reading;
        let link = |at: &usize| {
            pieces
                .get(*at)
                .is_some_and(|piece| matches!(piece.word(), "since" | "it" | "than"))
        };
        reading.unknown.retain(|at| !link(at));
        reading.topics = vec![Topic::Value, Topic::PurchasePrice];
        reading.base = Some(Quantity::Topic(Topic::PurchasePrice));
        reading.turns.retain(|turn| !moved(turn));
        reading.bounds.clear();
        reading.minus = true;
        reading.against = false;
        reading.than = false;
        reading.implied = None;
        self.than_at = None;
    }
}
