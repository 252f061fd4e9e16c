//! The other part of [`reading`](super::reading): what only the whole question shows.

use crate::analysis::engines::offline::portfolio::lexicon::{self, Topic, Turn};
use crate::analysis::engines::offline::portfolio::pieces::{Kind, Piece};
use crate::analysis::engines::offline::portfolio::quantities::Bound;
use crate::analysis::engines::offline::portfolio::reading::{Expects, Scan};
use crate::analysis::engines::offline::portfolio::times::{Named, When};
use crate::analysis::tools::portfolio::{Month, Span};

impl Scan<'_> {
    /// What nothing else has taken: marks, numbers, strange words.
    pub(super) fn rest(&mut self, at: usize) -> usize {
        let Some(piece) = self.pieces.get(at) else {
            return 1;
        };
        match &piece.kind {
            Kind::Mark('%') => {
                self.reading.turns.insert(Turn::Share);
                if self.word(at + 1) == "of" {
                    self.expects = Expects::Base;
                }
            }
            Kind::Mark(_) => {}
            Kind::Percent(value) | Kind::Multiple(value) => {
                let percent = matches!(piece.kind, Kind::Percent(_));
                // A test of covenants names its bounds without a direction.
                if self.is_test() {
                    self.reading.bounds.push(Bound {
                        above: None,
                        value: *value,
                        percent,
                        inclusive: false,
                        of: None,
                    });
                } else {
                    self.reading.values.push(at);
                }
            }
            Kind::Number(_) | Kind::Amount(_) | Kind::Date(_) | Kind::Month(_) => {
                self.reading.values.push(at);
            }
            // "All cities but Austin".
            Kind::Word(word) if word == "but" && at > 0 && self.leaves_out(at + 1) => {
                self.reading.except = true;
                self.excepting = true;
            }
            // "Which lease expires first?"
            Kind::Word(word) if word == "first" && self.of_ends_now() => {
                self.reading.turns.insert(Turn::Next);
            }
            // "Rents in place against market."
            Kind::Word(word)
                if word == "market"
                    && self.reading.topics.contains(&Topic::Rent)
                    && (self.in_place || self.reading.against)
                    && !self.named.iter().any(|(_, to, _)| *to == at) =>
            {
                self.topic(Topic::MarketRent);
            }
            Kind::Word(word) if word == "will" => self.reading.will = true,
            // "After debt service, what cash flow was left": the cash flow says it.
            Kind::Word(word)
                if word == "after"
                    && self.pieces.windows(2).any(|pair| {
                        matches!(pair, [first, second] if first.word() == "cash" && second.word() == "flow")
                    }) => {}
            // Counts in words are values too, if nothing takes them: "five biggest".
            Kind::Word(_) if piece.count().is_some() && self.excepting => {}
            Kind::Word(_) if piece.count().is_some() => self.reading.values.push(at),
            Kind::Word(_) => self.reading.unknown.push(at),
        }
        1
    }

    pub(super) fn is_test(&self) -> bool {
        self.pieces.iter().any(|piece| {
            matches!(
                piece.word(),
                "breach"
                    | "breache"
                    | "breaching"
                    | "fail"
                    | "failing"
                    | "test"
                    | "violate"
                    | "violating"
                    | "covenant"
                    | "trip"
            )
        })
    }

    /// What ends was spoken of last.
    fn of_ends_now(&self) -> bool {
        let last = self.reading.topics.last();
        matches!(last, Some(Topic::Expire | Topic::Rollover | Topic::Mature))
    }

    /// Something was left out of the figure, up to `end`.
    pub(super) fn leave_out(&mut self, end: usize) {
        self.reading.except = false;
        self.left_out = Some(end);
    }

    /// "the leases that expire": no pointing.
    pub(super) fn relates(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map_or("", |at| self.word(at));
        let placed = matches!(
            before,
            "" | "of"
                | "for"
                | "in"
                | "at"
                | "on"
                | "about"
                | "from"
                | "with"
                | "is"
                | "was"
                | "are"
                | "to"
                | "like"
        );
        let named = !self.reading.topics.is_empty() || !self.named.is_empty();
        // "with that of Tampa": the figure that was named.
        if named && self.word(at) == "that" && self.word(at + 1) == "of" {
            return true;
        }
        self.word(at) == "that" && named && !placed && !self.word(at + 1).is_empty()
    }

    /// "but Austin", "but the apartments": a place or a kind follows at once.
    fn leaves_out(&self, at: usize) -> bool {
        let at = at + usize::from(matches!(self.word(at), "the" | "for"));
        let kind = matches!(
            lexicon::look_up(self.pieces, at),
            Some((lexicon::Meaning::Kind(_), _))
        );
        kind || self.names.find(self.text, self.pieces, at).is_some()
    }

    /// "the three Tampa buildings": how many they are, which has to be so.
    pub(super) fn counted(&mut self) {
        if self.reading.rank.is_some() {
            return;
        }
        let found = self.reading.values.iter().copied().find_map(|at| {
            let count = self
                .pieces
                .get(at)
                .filter(|piece| !piece.word().is_empty())
                .and_then(Piece::count)?;
            let of_things = (at + 1..at + 4).any(|next| {
                matches!(
                    self.word(next),
                    "property" | "building" | "asset" | "center" | "community"
                )
            });
            let plain = (at + 1..at + 4).all(|next| {
                !matches!(
                    self.pieces.get(next).map(|piece| &piece.kind),
                    Some(Kind::Number(_))
                )
            });
            (of_things && plain).then_some((at, usize::try_from(count).ok()?))
        });
        if let Some((at, count)) = found {
            self.reading.values.retain(|own| *own != at);
            self.reading.counted = Some(count);
        }
    }

    pub(super) fn leaning(&mut self) {
        let first: Vec<&str> = (0..3).map(|at| self.word(at)).collect();
        let opens = self.reading.pronoun
            || self.reading.besides
            || matches!(
                first.first().copied().unwrap_or(""),
                "and" | "same" | "also" | "then" | "but" | "ok" | "okay" | "now" | "again"
            );
        let asks = matches!(
            first.as_slice(),
            ["what" | "how", "about", ..] | ["how", "is", "that"] | ["what", "was", "it" | "that"]
        );
        self.reading.leans = opens || asks;
        // These words lean, and say nothing else.
        self.reading.unknown.retain(|at| {
            let word = self.pieces.get(*at).map_or("", Piece::word);
            !matches!(
                word,
                "about" | "same" | "ok" | "okay" | "again" | "but" | "well" | "yeah" | "yes"
            )
        });
    }

    /// "Now show me …": no time.
    pub(super) fn begins(&self, at: usize, time: &Named) -> bool {
        let next = self.pieces.get(at + 1).map_or("", Piece::word);
        at == 0
            && time.used == 1
            && self.word(0) == "now"
            && !matches!(next, "" | "vs" | "versus" | "and" | "against" | "compared" | "or")
    }

    /// "In place against market rent": both rents.
    pub(super) fn both_rents(&mut self) {
        let market = self.reading.topics.contains(&Topic::MarketRent);
        if market && self.in_place && self.reading.against {
            self.topic(Topic::Rent);
        }
    }

    /// "T-12 NOI through June 2026": the end stands apart from the months that it ends.
    pub(super) fn ends(&mut self) {
        // "than in 2024": against the time before it, else against what is now.
        if self.reading.than
            && let [only] = self.reading.times.as_slice()
        {
            let now = Named {
                when: When::Now,
                remark: None,
                used: 0,
                edges: None,
                prior: false,
                same: None,
            };
            self.reading.times = vec![now, only.clone()];
            return;
        }
        // "more than Denver": put side by side.
        if self.than_at.is_some() && !self.reading.than {
            self.reading.against = true;
        }
        let [first, second] = self.reading.times.as_slice() else {
            return;
        };
        // "A year ago, at the end of October 2025", "2025 …, January to December": the same, or a part, said again.
        let apart =
            self.reading.against || self.minus_at.is_some() || self.reading.turns.contains(&Turn::Growth);
        let kept = match (first.when, second.when) {
            (a, b) if a == b => Some(second.clone()),
            (When::Span(a), When::Span(b)) if a.is_calendar_year() && a.from <= b.from && b.to <= a.to => {
                Some(second.clone())
            }
            (When::Span(a), When::Span(b)) if b.is_calendar_year() && b.from <= a.from && a.to <= b.to => {
                Some(first.clone())
            }
            _ => None,
        };
        if let Some(kept) = kept.filter(|_| !apart) {
            self.reading.times = vec![kept];
            return;
        }
        let last = self.last;
        let end = |when: When| match when {
            When::End(month) => Some(month),
            When::Day(day) if day == Month::of(day).last_day() => Some(Month::of(day)),
            _ => None,
        };
        let listed = self
            .pieces
            .iter()
            .any(|piece| matches!(piece.word(), "and" | "or"));
        let joined = match (first.when, second.when) {
            // "YTD NOI through August".
            (When::Span(span), other) | (other, When::Span(span))
                if span.from.number() == 1 && span.months() > 1 && !listed && !self.reading.against =>
            {
                end(other)
                    .filter(|to| to.year() == span.from.year())
                    .map(|to| When::Span(Span::new(span.from, to)))
            }
            (When::Trailing { months, to }, other) | (other, When::Trailing { months, to }) if to == last => {
                end(other).map(|to| When::Trailing { months, to })
            }
            _ => None,
        };
        if let Some(when) = joined {
            let kept = Named {
                when,
                ..first.clone()
            };
            self.reading.times = vec![kept];
        }
    }

    /// Runs of words that were not understood and are written or placed like a name.
    pub(super) fn strangers(&mut self) {
        let unknown = self.reading.unknown.clone();
        for at in &unknown {
            let at = *at;
            let Some(piece) = self.pieces.get(at) else {
                continue;
            };
            let placed = at.checked_sub(1).is_some_and(|before| {
                matches!(self.word(before), "at" | "for" | "of" | "in" | "on" | "about")
            });
            let beside = self
                .named
                .iter()
                .any(|(from, to, whole)| !whole && (*to == at || *from == at + 1));
            if !(piece.capital || beside || (placed && piece.word().len() > 2)) {
                continue;
            }
            let belongs = |at: usize| {
                let capital = self.pieces.get(at).is_some_and(|piece| piece.capital);
                unknown.contains(&at)
                    || (capital && !self.word(at).is_empty())
                    || self.named.iter().any(|(from, to, _)| (*from..*to).contains(&at))
            };
            let (mut from, mut to) = (at, at);
            while let Some(before) = from.checked_sub(1).filter(|before| belongs(*before)) {
                from = before;
            }
            while belongs(to + 1) {
                to += 1;
            }
            self.reading.stranger = Some(self.written(from, to).to_owned());
            return;
        }
    }
}
