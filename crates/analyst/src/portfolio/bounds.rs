//! The other part of [`reading`](super::reading): bounds, each with the quantity that it bounds. "Below 95 %", "between
//! 500k and 800k", "1.25x or higher".

use crate::portfolio::lexicon::{self, Meaning, Topic, Turn};
use crate::portfolio::pieces::Kind;
use crate::portfolio::quantities::{Bound, Quantity};
use crate::portfolio::reading::Scan;

/// A number that a bound may name, with how many pieces it is.
#[derive(Clone, Copy)]
struct Edge {
    value: f64,
    percent: bool,
    used: usize,
    /// Nothing but digits: its unit may stand at the other end.
    plain: bool,
    scale: f64,
}

impl Scan<'_> {
    /// "below 95 %", "at least 1.25x"; without a number "over" is a preposition.
    pub(super) fn bound(&mut self, at: usize, used: usize, above: bool) -> usize {
        let skip = usize::from(matches!(self.word(at + used), "a" | "an" | "the"));
        // "under budget".
        if matches!(self.word(at + used + skip), "budget" | "plan") {
            self.reading.turns.insert(Turn::Versus);
            self.side(above);
            return used + skip;
        }
        // "over their opex budget".
        let within = (at + used + skip..at + used + skip + 4)
            .take_while(|at| lexicon::look_up(self.pieces, *at).is_some())
            .any(|at| matches!(self.word(at), "budget" | "plan"));
        if within
            && !matches!(
                self.pieces.get(at + used + skip).map(|piece| &piece.kind),
                Some(Kind::Number(_))
            )
        {
            self.reading.turns.insert(Turn::Versus);
            self.side(above);
            return used + skip;
        }
        // "NOI over 2024": in that year. "2025 over 2024": the one against the other.
        if self.word(at) == "over" && used == 1 && self.is_year(at + 1) {
            if at.checked_sub(1).is_some_and(|before| self.is_year(before)) {
                self.reading.turns.insert(Turn::Growth);
            }
            return used;
        }
        // "NOI over purchase price": the one divided by the other.
        if self.word(at) == "over" && used == 1 && self.quantity_ended.is_some() {
            self.over(at, used);
        }
        // "higher than a year ago", "more than Denver": a comparison, no bound.
        let than = (at..at + used).any(|at| self.word(at) == "than");
        let Some(edge) = self.edge(at + used + skip) else {
            if than {
                self.than_at = Some(at);
                return used;
            }
            // "By what percentage did 2026 exceed 2025".
            if matches!(self.word(at), "exceed" | "exceeding") {
                self.than_at = Some(at);
                return used;
            }
            let preposition = matches!(self.word(at), "over" | "under" | "above" | "below");
            if !preposition || !above {
                self.reading.unknown.push(at);
            }
            return used;
        };
        let inclusive = matches!(self.word(at), "at" | "no" | "not" | "minimum" | "maximum");
        let end = at + used + skip + edge.used;
        self.hold(&[(above, edge)], inclusive, end);
        end - at
    }

    /// "2024", and no amount of anything.
    fn is_year(&self, at: usize) -> bool {
        const UNITS: [&str; 10] = [
            "sqft", "sf", "square", "sq", "foot", "feet", "unit", "dollar", "psf", "usd",
        ];
        let Some(piece) = self.pieces.get(at) else {
            return false;
        };
        let plain = piece.end - piece.start == 4;
        let year = piece
            .number()
            .is_some_and(|year| (1990.0..=2100.0).contains(&year));
        plain && year && !UNITS.contains(&self.word(at + 1))
    }

    /// "which buildings are over budget": those on one side.
    fn side(&mut self, above: bool) {
        let turn = if above {
            Turn::OverBudget
        } else {
            Turn::UnderBudget
        };
        self.reading.turns.insert(turn);
    }

    fn edge(&self, at: usize) -> Option<Edge> {
        let (value, percent, plain) = match &self.pieces.get(at)?.kind {
            Kind::Percent(value) => (*value, true, false),
            Kind::Number(value) => (*value, false, true),
            Kind::Multiple(value) | Kind::Amount(value) => (*value, false, false),
            _ => return None,
        };
        let spelled = matches!(self.word(at + 1), "percent" | "pct");
        let sign = self.pieces.get(at + 1).is_some_and(|piece| piece.is_mark('%'));
        if plain && (spelled || sign) {
            return Some(Edge {
                value: value / 100.0,
                percent: true,
                used: 2,
                plain: false,
                scale: 1.0,
            });
        }
        let scale = match self.word(at + 1) {
            "million" | "mil" | "mm" => 1e6,
            "thousand" | "grand" => 1e3,
            "billion" => 1e9,
            _ => 1.0,
        };
        let scaled = !percent && scale > 1.0;
        Some(Edge {
            value: if scaled { value * scale } else { value },
            percent,
            used: 1 + usize::from(scaled),
            plain: plain && !scaled,
            scale: if scaled { scale } else { 1.0 },
        })
    }

    /// Keeps the bounds of one phrase, which ended before `end`.
    fn hold(&mut self, edges: &[(bool, Edge)], inclusive: bool, end: usize) {
        let first = self.reading.bounds.len();
        for (above, edge) in edges {
            self.reading.bounds.push(Bound {
                above: Some(*above),
                value: edge.value,
                percent: edge.percent,
                inclusive,
                of: self.last_quantity.clone(),
            });
        }
        self.bounded = Some((end, first));
    }

    /// "between 500k and 800k", "between 90 and 95%".
    pub(super) fn between(&mut self, at: usize) -> Option<usize> {
        if self.word(at) != "between" {
            return None;
        }
        let low = self.edge(at + 1)?;
        let join = at + 1 + low.used;
        if self.word(join) != "and" {
            return None;
        }
        let high = self.edge(join + 1)?;
        let is_year = |edge: &Edge| edge.plain && (1990.0..=2100.0).contains(&edge.value);
        if is_year(&low) || is_year(&high) {
            return None;
        }
        let end = join + 1 + high.used;
        // The unit stands once: "90 and 95 %", "5 and 8 million".
        let low = match (low.plain, high.percent) {
            (true, true) => Edge {
                value: low.value / 100.0,
                percent: true,
                ..low
            },
            (true, false) => Edge {
                value: low.value * self.scale_of(join + 1, high),
                ..low
            },
            _ => low,
        };
        self.hold(&[(true, low), (false, high)], true, end);
        Some(end - at)
    }

    /// The thousands or millions that a number is written in: "800k".
    fn scale_of(&self, at: usize, edge: Edge) -> f64 {
        let written = self
            .pieces
            .get(at)
            .and_then(|piece| self.text.get(piece.start..piece.end))
            .unwrap_or("")
            .to_lowercase();
        match written.trim_start_matches(|c: char| !c.is_alphabetic()) {
            "k" => 1e3,
            "m" | "mm" => 1e6,
            "b" | "bn" => 1e9,
            _ => edge.scale,
        }
    }

    /// "95 % or higher", "500k or less".
    pub(super) fn or_more(&mut self, at: usize) -> Option<usize> {
        let edge = self.edge(at)?;
        let join = at + edge.used;
        if !matches!(self.word(join), "or" | "and") {
            return None;
        }
        let above = match self.word(join + 1) {
            "more" | "higher" | "above" | "greater" | "over" | "larger" | "up" => true,
            "less" | "lower" | "below" | "under" | "fewer" | "smaller" => false,
            _ => return None,
        };
        // "2026 or below 95 %" is none.
        let next = matches!(
            self.pieces.get(join + 2).map(|piece| &piece.kind),
            Some(Kind::Number(_) | Kind::Percent(_) | Kind::Amount(_) | Kind::Multiple(_))
        );
        let before = at.checked_sub(1).map_or("", |at| self.word(at));
        if next || matches!(before, "top" | "bottom") {
            return None;
        }
        let end = join + 2;
        self.hold(&[(above, edge)], true, end);
        Some(end - at)
    }

    /// "Which buildings are 100 % occupied", "how many properties are fully leased": those with nothing vacant.
    pub(super) fn wholly(&mut self, at: usize) -> Option<usize> {
        let edge = match self.word(at) {
            "fully" | "completely" | "entirely" => Edge {
                value: 1.0,
                percent: true,
                used: 1,
                plain: false,
                scale: 1.0,
            },
            _ => self.edge(at).filter(|edge| edge.percent && edge.value == 1.0)?,
        };
        let end = at + edge.used;
        let of_space = matches!(
            lexicon::look_up(self.pieces, end),
            Some((Meaning::Topic(Topic::Occupancy | Topic::Leased), _))
        );
        let among = |words: &[&str]| self.pieces.iter().any(|piece| words.contains(&piece.word()));
        let several = among(&["which", "what", "many", "list", "number"])
            && among(&["building", "property", "asset", "community"]);
        if !of_space || !several {
            return None;
        }
        self.hold(&[(true, edge)], true, end);
        Some(edge.used)
    }

    /// A quantity was named: bounds that stand directly before it may be its own.
    pub(super) fn bounds_of(&mut self, quantity: &Quantity, end: usize) {
        if !is_figure(quantity) {
            return;
        }
        let start = self.at;
        if let Some((ended, first)) = self.bounded {
            let between = start.checked_sub(ended);
            let joined = |at: usize| matches!(self.word(at), "of" | "in" | "the" | "physical" | "total");
            let close = between.is_some_and(|between| between <= 2 && (ended..start).all(joined));
            let next = matches!(
                lexicon::look_up(self.pieces, end),
                Some((Meaning::Above | Meaning::Below, _))
            );
            let fits = self
                .reading
                .bounds
                .get(first)
                .is_some_and(|bound| fits(quantity, bound));
            if close && fits && !next {
                for bound in self.reading.bounds.iter_mut().skip(first) {
                    bound.of = Some(quantity.clone());
                }
            }
            self.bounded = None;
        }
        for bound in &mut self.reading.bounds {
            bound.of.get_or_insert_with(|| quantity.clone());
        }
        self.last_quantity = Some(quantity.clone());
    }
}

/// Things that are counted or named are no figures with a bound of their own.
fn is_figure(quantity: &Quantity) -> bool {
    use Topic as T;
    !matches!(
        quantity,
        Quantity::Topic(
            T::Properties
                | T::Units
                | T::Leases
                | T::Tenants
                | T::Loan
                | T::Lender
                | T::Leased
                | T::Rentable
                | T::Budget
                | T::Budgeted
                | T::Breach
                | T::Covenant
        )
    )
}

/// Whether a bound may be one of the quantity: a percentage of a ratio, an amount of money.
fn fits(quantity: &Quantity, bound: &Bound) -> bool {
    use Topic as T;
    let ratio = matches!(
        quantity,
        Quantity::Topic(
            T::Occupancy
                | T::Vacancy
                | T::EconomicOccupancy
                | T::EconomicVacancy
                | T::Ltv
                | T::DebtYield
                | T::Margin
                | T::ExpenseRatio
                | T::Rate
                | T::CostOfDebt
                | T::ImpliedCap
                | T::Cap
                | T::Breakeven
                | T::Renewal
        )
    );
    let times = matches!(quantity, Quantity::Topic(T::Dscr));
    if bound.percent {
        ratio
    } else if bound.value >= 1000.0 {
        !ratio && !times
    } else {
        true
    }
}
