//! The other part of [`reading`](super::reading): what only the whole question shows.

use crate::portfolio::lexicon::{self, Topic, Turn};
use crate::portfolio::pieces::{Kind, Piece};
use crate::portfolio::quantities::{Bound, Rank};
use crate::portfolio::reading::{Expects, Scan};
use crate::portfolio::times::{Named, When};
use crate::portfolio::twice;
use crate::words::everyday;
use finance::portfolio::calendar::{Month, Span};

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
            // "Opex/EGI", "$/sf".
            Kind::Mark('/') if self.quantity_ended == Some(at) && self.divides(at) => self.over(at, 1),
            Kind::Mark('/') if matches!(self.word(at + 1), "sf" | "sqft" | "foot") => {
                self.reading.turns.insert(Turn::PerArea);
                return 2;
            }
            // "By how many $".
            Kind::Mark('$') if self.word(at.wrapping_sub(1)) == "many" => {
                self.reading.turns.remove(&Turn::Count);
                self.reading.dollars = true;
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
            // "Net" says again how a loss to lease is added up; "the tower" is the one that was named.
            Kind::Word(word)
                if word == "net"
                    && (self.reading.topics.contains(&Topic::LossToLease) || self.restates_noi(at)) => {}
            // "Against budget, where did NOI land".
            Kind::Word(word) if word == "land" && self.pieces.iter().any(|piece| piece.word() == "where") => {}
            Kind::Word(word)
                if matches!(word.as_str(), "tower" | "center" | "centre" | "park" | "complex" | "scheme")
                    && !(self.named.is_empty() && self.reading.groups.is_empty()) => {}
            // "Economic occupancy, not physical".
            Kind::Word(word)
                if self.excepting
                    && word == "physical"
                    && self.reading.topics.contains(&Topic::EconomicOccupancy) =>
            {
                self.leave_out(at + 1);
            }
            Kind::Word(word) if everyday::is(word) && (!piece.capital || self.shouted(at)) => {}
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

    /// "What did it net (NOI)": the word that follows in brackets says what.
    fn restates_noi(&self, at: usize) -> bool {
        self.pieces.get(at + 1).is_some_and(|piece| piece.is_mark('('))
            && matches!(
                lexicon::look_up(self.pieces, at + 2),
                Some((lexicon::Meaning::Topic(Topic::Noi), _))
            )
    }

    /// All in capitals: "LP", no name.
    fn shouted(&self, at: usize) -> bool {
        let written = self.written(at, at);
        written.len() <= 4 && written.chars().all(char::is_uppercase)
    }

    /// Something was left out of the figure, up to `end`.
    pub(super) fn leave_out(&mut self, end: usize) {
        self.reading.except = false;
        self.left_out = Some(end);
    }

    /// Whether what has been asked for so far never holds `topic`: leaving it out changes nothing.
    pub(super) fn apart(&self, topic: Topic) -> bool {
        use Topic as T;
        let asked = &self.reading.topics;
        let ledger = |own: &T| {
            matches!(
                own,
                T::Noi
                    | T::Egi
                    | T::Opex
                    | T::ExpenseRatio
                    | T::Margin
                    | T::Gpr
                    | T::BadDebt
                    | T::Concessions
            )
        };
        let all = |holds: &dyn Fn(&T) -> bool| !asked.is_empty() && asked.iter().all(holds);
        // "Tenant improvements, excluding other capex": an account holds nothing but its own.
        if asked.is_empty() && !self.reading.accounts.is_empty() {
            return matches!(topic, T::Capex | T::DebtService | T::Debt | T::Loan | T::Opex);
        }
        match topic {
            T::NonRevenue => {
                all(&|own| {
                    matches!(
                        own,
                        T::Empty | T::Rentable | T::Occupancy | T::Vacancy | T::Leases | T::Units
                    )
                }) && asked
                    .iter()
                    .any(|own| matches!(own, T::Empty | T::Rentable | T::Occupancy | T::Vacancy))
            }
            T::Capex | T::DebtService | T::Debt | T::Loan | T::Owe | T::CashFlow => all(&ledger),
            T::Occupancy | T::Vacancy => all(&|own| matches!(own, T::EconomicOccupancy | T::EconomicVacancy)),
            T::EconomicOccupancy => all(&|own| matches!(own, T::Occupancy | T::Vacancy)),
            T::Area => all(&|own| matches!(own, T::Occupancy | T::Vacancy | T::Units)) && !self.by_area(),
            T::MonthToMonth => asked.contains(&T::Renewal),
            _ => false,
        }
    }

    /// A stroke between two figures of which the one is divided by the other: "opex/EGI", not "holdover / MTM".
    fn divides(&self, at: usize) -> bool {
        let ledger = |topic: &Topic| {
            use Topic as T;
            matches!(
                topic,
                T::Noi | T::Egi | T::Opex | T::Gpr | T::DebtService | T::Value | T::Owe | T::Debt
            )
        };
        let next = match lexicon::look_up(self.pieces, at + 1) {
            Some((lexicon::Meaning::Topic(topic), _)) => topic,
            _ => return false,
        };
        self.reading
            .topics
            .last()
            .is_some_and(|last| ledger(last) && *last != next)
            && ledger(&next)
    }

    /// Whether any place is named, before or behind.
    pub(super) fn names_any(&self) -> bool {
        (0..self.pieces.len()).any(|at| self.names.find(self.text, self.pieces, at).is_some())
    }

    fn by_area(&self) -> bool {
        self.reading.turns.contains(&Turn::ByArea)
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
        // "Cherry Creek …, how full is that building": the one that was named.
        let noun = matches!(
            self.word(at + 1),
            "property" | "building" | "asset" | "community" | "site"
        );
        if noun && self.named.len() == 1 && self.word(at) == "that" {
            return true;
        }
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
                    "property" | "building" | "asset" | "center" | "centre" | "community" | "scheme"
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

    /// "Opex variance by building", "the gap between actual and budgeted NOI": against the budget, where no other time is
    /// named.
    pub(super) fn variance(&mut self) {
        let between = ["difference", "gap", "minus", "less", "versus", "vs", "against"];
        let budget = |topic: &Topic| matches!(topic, Topic::Budget | Topic::Budgeted);
        if self.says("actual") && self.says_any(&between) && self.reading.topics.iter().any(budget) {
            self.reading.topics.retain(|topic| *topic != Topic::Budgeted);
            self.topic(Topic::Budget);
            self.reading.turns.insert(Turn::Versus);
            self.reading.turns.remove(&Turn::Growth);
            self.reading.minus = false;
            self.reading.against = false;
            self.reading.except = false;
        }
        let of = |topic: &Topic| matches!(topic, Topic::Noi | Topic::Egi | Topic::Opex);
        let reading = &self.reading;
        if self.says("variance")
            && reading.topics.iter().all(of)
            && reading.topics.len() + reading.accounts.len() == 1
            && reading.times.len() < 2
            && !(reading.against || reading.than || reading.turns.contains(&Turn::Growth))
        {
            self.topic(Topic::Budget);
            let end = |rank: Rank| !rank.judged && rank.nth.is_none();
            if self.reading.rank.is_some_and(end) {
                self.reading.ask.get_or_insert(
                    "The furthest over its budget, or the furthest under it? Ask for the variance by building, and you see both."
                        .to_owned(),
                );
            }
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
        // "How it moved from the year-end 2025 valuations to the latest ones."
        let word = |list: &[&str]| self.pieces.iter().position(|piece| list.contains(&piece.word()));
        if self.reading.turns.contains(&Turn::Growth)
            && let [only] = self.reading.times.as_slice()
            && only.edges.is_none()
            && let (Some(from), Some(to)) = (
                word(&["from"]),
                word(&["latest", "newest", "current", "today", "now"]),
            )
            && from < to
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
        // "What did NOI do from 2024 to 2025": how it changed.
        let did = self.pieces.iter().position(|piece| piece.word() == "did");
        let does = |did: usize| self.pieces.iter().skip(did).any(|piece| piece.word() == "do");
        if self.reading.edges.is_some() && did.is_some_and(does) {
            self.reading.turns.insert(Turn::Growth);
        }
        self.said_now();
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

    /// "Expiring in 2029, at today's rents", "leased today (10/31/2026)": the day that the data end on says nothing more.
    fn said_now(&mut self) {
        let apart = self.reading.against
            || self.minus_at.is_some()
            || self.reading.turns.contains(&Turn::Growth)
            || self
                .pieces
                .iter()
                .any(|piece| matches!(piece.word(), "and" | "or"));
        if apart || self.reading.times.len() < 2 {
            return;
        }
        twice::spelled_out(&mut self.reading.times);
        let last = self.last;
        let is_last = |when: &When| matches!(when, When::Day(day) if *day == last.last_day());
        let is_now = |when: &When| *when == When::Now || is_last(when);
        if self.reading.times.iter().any(|time| !is_now(&time.when)) {
            self.reading.times.retain(|time| !is_now(&time.when));
        } else {
            self.reading.times.truncate(1);
        }
    }
}
