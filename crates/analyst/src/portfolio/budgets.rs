//! The other part of [`reading`](super::reading): whether a budget is asked for itself, or compared with what became of
//! it.

use crate::portfolio::accounts;
use crate::portfolio::lexicon::{self, Meaning, Topic};
use crate::portfolio::reading::Scan;

/// Wherever these stand, something is held against the budget.
const COMPARED: &[&str] = &[
    "variance",
    "versus",
    "vs",
    "against",
    "compare",
    "compared",
    "ahead",
    "behind",
    "miss",
    "missed",
    "beat",
    "off",
    "difference",
    "gap",
    "track",
    "tracking",
    "exceed",
    "differ",
    "meet",
    "met",
    "hit",
    "actual",
    "actually",
    "relative",
    "short",
    "shortfall",
    "surplus",
];
/// These do where they stand before the budget, or are put together with "or".
const BEFORE: &[&str] = &["over", "under", "above", "below", "on", "to", "and", "with"];

impl Scan<'_> {
    /// "The NOI budget", "what did we budget for opex": the budget itself, where nothing says that it is compared.
    pub(super) fn budgeted(&self, at: usize, used: usize, topic: Topic) -> Topic {
        if topic != Topic::Budget || used != 1 || self.is_compared(at) {
            return topic;
        }
        let before = |back: usize| at.checked_sub(back).map_or("", |at| self.word(at));
        // "Did we budget", "what the owner planned to spend".
        let verb = matches!(before(1), "we" | "they" | "you" | "i" | "owner" | "ownership")
            && !matches!(before(2), "are" | "were");
        let figure = |at: usize| {
            let at = at + usize::from(matches!(self.word(at), "the" | "our" | "its" | "total"));
            accounts::find(self.pieces, self.accounts, at).is_some()
                || matches!(lexicon::look_up(self.pieces, at), Some((Meaning::Topic(_), _)))
        };
        // "The budget for repairs", "the budget called for so much NOI".
        let of_figure = matches!(self.word(at + 1), "for" | "of") && figure(at + 2);
        let says = matches!(
            self.word(at + 1),
            "call" | "called" | "have" | "had" | "show" | "showed" | "say" | "said" | "assume" | "assumed"
        );
        // "What NOI was in the budget".
        let within = (1..4).any(|back| {
            matches!(before(back), "in" | "per")
                && (1..back).all(|back| {
                    matches!(
                        before(back),
                        "the" | "our" | "its" | "this" | "year" | "date" | "to"
                    ) || self.piece_is_number(at - back)
                })
        });
        let itself = self.quantity_ended == Some(at) || verb || of_figure || says || within;
        if itself { Topic::Budgeted } else { topic }
    }

    fn piece_is_number(&self, at: usize) -> bool {
        self.pieces.get(at).is_some_and(|piece| piece.number().is_some())
    }

    fn is_compared(&self, at: usize) -> bool {
        let anywhere = self.pieces.iter().any(|piece| COMPARED.contains(&piece.word()));
        // "Over budget", "over the NOI budget", "close to plan"; "over the T-12" is a time.
        let near = (1..4).any(|back| {
            let own = at.checked_sub(back).map_or("", |at| self.word(at));
            BEFORE.contains(&own)
                && (1..back).all(|back| {
                    let between = at.checked_sub(back).map_or("", |at| self.word(at));
                    matches!(
                        between,
                        "the" | "our" | "its" | "their" | "noi" | "opex" | "revenue" | "a"
                    )
                })
        });
        let sided = (0..self.pieces.len()).any(|at| {
            matches!(self.word(at), "over" | "under" | "above" | "below")
                && (self.word(at + 1) == "or"
                    || at.checked_sub(1).is_some_and(|at| {
                        matches!(
                            self.word(at),
                            "are" | "is" | "was" | "were" | "we" | "go" | "went" | "run" | "ran" | "or"
                        )
                    }))
        });
        anywhere || near || sided
    }
}
