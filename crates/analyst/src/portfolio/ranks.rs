//! The other part of [`reading`](super::reading): orders, bounds, counts, and the quantity that another is divided by.

use crate::portfolio::lexicon::{self, Group, Meaning, Topic, Turn};
use crate::portfolio::pieces::{Kind, Piece};
use crate::portfolio::quantities::{Quantity, Rank};
use crate::portfolio::reading::{Expects, Scan};
use finance::portfolio::query::Split;

impl Scan<'_> {
    pub(super) fn topic(&mut self, topic: Topic) {
        if !self.reading.topics.contains(&topic) {
            self.reading.topics.push(topic);
        }
    }

    pub(super) fn group(&mut self, group: Group) {
        if !self.reading.groups.contains(&group) {
            self.reading.groups.push(group);
        }
    }

    /// "top five", "five biggest", "lowest".
    pub(super) fn rank(&mut self, at: usize, used: usize, most: bool) -> usize {
        let count = |at: usize| {
            self.pieces
                .get(at)
                .and_then(Piece::count)
                .filter(|count| *count <= 100)
                .and_then(|count| usize::try_from(count).ok())
        };
        // "Cheapest 2-bedroom": one of a kind, not two.
        let after = count(at + used).filter(|_| self.bedrooms(at + used).is_none());
        let nth = at.checked_sub(1).and_then(|before| self.ordinal(before));
        let before = at.checked_sub(1).and_then(count).filter(|_| nth.is_none());
        if nth.is_some() {
            self.reading.unknown.retain(|own| own + 1 != at);
            self.reading.values.retain(|own| own + 1 != at);
        }
        if before.is_some() {
            self.reading.unknown.retain(|own| own + 1 != at);
            self.reading.values.retain(|own| own + 1 != at);
        }
        let found = after.or(before);
        let earlier = self.reading.rank.and_then(|rank| rank.count);
        let judged = matches!(
            self.word(at),
            "best"
                | "worst"
                | "strongest"
                | "weakest"
                | "poorest"
                | "better"
                | "worse"
                | "healthiest"
                | "riskiest"
        );
        self.ranked_at = Some((at, at + used));
        self.reading.rank = Some(Rank {
            most,
            count: found.or(earlier),
            judged,
            nth,
        });
        used + usize::from(after.is_some())
    }

    /// "second", "3rd".
    fn ordinal(&self, at: usize) -> Option<usize> {
        const ORDINALS: [&str; 9] = [
            "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
        ];
        if let Some(found) = ORDINALS.iter().position(|own| *own == self.word(at)) {
            return Some(found + 2);
        }
        let piece = self.pieces.get(at)?;
        let written = self.text.get(piece.start..piece.end)?.to_lowercase();
        let ends = ["nd", "rd", "th"].iter().any(|end| written.ends_with(end));
        let count = piece.count().filter(|count| ends && (2..=100).contains(count))?;
        usize::try_from(count).ok()
    }

    /// A quantity was named; it may be the one of which a share is asked.
    pub(super) fn quantity(&mut self, quantity: Quantity, end: usize) {
        if self.expects != Expects::Nothing {
            self.expects = Expects::Nothing;
            self.reading.base.get_or_insert(quantity.clone());
        }
        self.bounds_of(&quantity, end);
        self.quantities.push((self.at, quantity));
        self.quantity_ended = Some(end);
    }

    /// Whether a quantity follows at once, which the one before is divided by.
    pub(super) fn over(&mut self, at: usize, used: usize) {
        let mut next = at + used;
        while matches!(self.word(next), "the" | "our" | "its" | "their" | "total") {
            next += 1;
        }
        let topic = matches!(lexicon::look_up(self.pieces, next), Some((Meaning::Topic(_), _)));
        if topic {
            self.expects = Expects::BaseNow;
            self.reading.turns.insert(Turn::Share);
        }
    }

    /// Things of a kind that are spoken of.
    pub(super) fn noun(&mut self, at: usize, used: usize, phrase: &[String]) {
        for word in phrase {
            let split = match word.as_str() {
                "property" | "building" | "asset" | "community" => Split::Building,
                "city" | "market" => Split::City,
                "state" => Split::State,
                "type" | "class" | "sector" => Split::PropertyType,
                "lender" | "bank" => Split::Lender,
                "month" => Split::Month,
                "quarter" => Split::Quarter,
                "year" => Split::Year,
                _ => continue,
            };
            // "market rent", "rent per month" are no cities and months.
            if used == 1 && !self.reading.nouns.contains(&split) {
                self.reading.nouns.push(split);
            }
        }
        // "our biggest expense": a kind of expense.
        let alone = matches!(phrase.last().map(String::as_str), Some("expense" | "cost"));
        let after = self
            .ranked_at
            .is_some_and(|(from, to)| at == to || (at == to + 1 && from < at));
        if alone && after && !self.reading.nouns.contains(&Split::Account) {
            self.reading.nouns.insert(0, Split::Account);
        }
    }

    /// "which two buildings": how many are asked for.
    pub(super) fn counts(&mut self) {
        let Some(rank) = self.reading.rank.filter(|rank| rank.count.is_none()) else {
            return;
        };
        let found = self.reading.values.iter().copied().find_map(|at| {
            let count = self
                .pieces
                .get(at)
                .and_then(Piece::count)
                .filter(|count| *count <= 100)?;
            let of_things = (at + 1..at + 4).any(|next| {
                let named = matches!(
                    self.word(next),
                    "property"
                        | "building"
                        | "asset"
                        | "city"
                        | "market"
                        | "month"
                        | "quarter"
                        | "tenant"
                        | "loan"
                        | "lease"
                        | "state"
                        | "lender"
                        | "expense"
                        | "line"
                        | "account"
                        | "unit"
                        | "year"
                );
                named
                    && self.pieces.get(at + 1..next).is_none_or(|between| {
                        between.iter().all(|piece| !matches!(piece.kind, Kind::Mark(_)))
                    })
            });
            of_things.then_some((at, usize::try_from(count).ok()?))
        });
        if let Some((at, count)) = found {
            self.reading.values.retain(|own| *own != at);
            self.reading.rank = Some(Rank {
                count: Some(count),
                ..rank
            });
        }
    }
}
