//! The other part of [`reading`](super::reading): places and kinds where they stand, and what is put on either side of a
//! comparison. "Austin offices against Denver", "Denver NOI minus Austin NOI", "the ratio of Denver to Austin".

use std::collections::BTreeSet;

use crate::portfolio::lexicon::{Group, Turn};
use crate::portfolio::pieces::Kind;
use crate::portfolio::places::{Match, Place, Side};
use crate::portfolio::quantities::Quantity;
use crate::portfolio::reading::{Mention, Scan};

/// Words that stand between two sides wherever they are; else "and" and its like.
const STRONG: &[&str] = &[
    "versus", "vs", "v", "against", "than", "compared", "relative", "minus", "less", "divided",
];
const WEAK: &[&str] = &["with", "to", "and", "or", "from", "by"];

/// Sums of what is spoken of, which need not be everything there is.
const SUMS: &[&str] = &[
    "combined",
    "in total",
    "altogether",
    "in all",
    "all told",
    "all in all",
    "all of them",
];

/// What one side names.
#[derive(Default)]
struct Named {
    places: Vec<(usize, Place)>,
    groups: Vec<(usize, Group)>,
    whole: bool,
}

impl Scan<'_> {
    pub(super) fn place(&mut self, at: usize, used: usize, found: Match) {
        match found {
            Match::One {
                place,
                whole,
                respelled,
            } => {
                if respelled {
                    let written = self.written(at, at + used - 1).to_owned();
                    self.reading
                        .remarks
                        .push(format!("I read “{written}” as {}.", place.label));
                }
                self.named.push((at, at + used, whole));
                if self.excepting {
                    self.leave_out(at + used);
                    self.mentions.push((at, Mention::Place(place.clone())));
                    self.reading.without.places.push(place);
                    return;
                }
                self.mentions.push((at, Mention::Place(place.clone())));
                if !self.reading.places.contains(&place) {
                    self.reading.places.push(place);
                }
            }
            Match::Several(names) => {
                self.named.push((at, at + used, false));
                self.reading.several = Some(names);
            }
        }
    }

    pub(super) fn whole(&mut self, at: usize, phrase: &[String]) {
        let said = phrase.join(" ");
        self.reading.summed |= SUMS.contains(&said.as_str());
        if !SUMS.contains(&said.as_str()) {
            self.mentions.push((at, Mention::Whole));
        }
        self.reading.whole = true;
        self.reading.portfolio |= said.contains("portfolio");
    }

    /// Whether figures are named one after another: "NOI and opex", "WALT, occupancy". Places may be, too.
    pub(super) fn enumerates(&self) -> bool {
        let named = |from: usize, to: usize| self.quantities.iter().any(|(at, _)| (from..to).contains(at));
        self.pieces.iter().enumerate().any(|(at, piece)| {
            let joins = matches!(piece.word(), "and" | "plus" | "versus" | "vs")
                || matches!(piece.kind, Kind::Mark(',' | '&' | '/' | '+'));
            joins && named(0, at) && named(at + 1, at + 5)
        })
    }

    /// Differences, quotients, and comparisons whose sides differ in kind.
    pub(super) fn opposed(&mut self) {
        if self.minus_at.is_some() {
            self.difference();
        } else {
            self.outside();
        }
        self.quotient();
        self.more_than();
        if self.reading.against || self.reading.minus || self.reading.quotient {
            self.sides();
        }
    }

    /// "Denver NOI minus Austin NOI", "NOI minus debt service", "NOI of 2025 minus that of 2024".
    fn difference(&mut self) {
        let Some(at) = self.minus_at else { return };
        let apart = {
            let of = |places: &[Place]| -> BTreeSet<String> {
                places
                    .iter()
                    .flat_map(|place| place.buildings.iter().cloned())
                    .collect()
            };
            let (kept, out) = (of(&self.reading.places), of(&self.reading.without.places));
            !kept.is_empty() && kept.is_disjoint(&out)
        };
        let mut quantities: Vec<&Quantity> = Vec::new();
        for (_, quantity) in &self.quantities {
            if !quantities.contains(&quantity) {
                quantities.push(quantity);
            }
        }
        let of_places = self.reading.places.len() == 1 && self.reading.without.places.len() == 1 && apart;
        let side_by_side = self.reading.except
            && self.reading.places.len() == 2
            && quantities.len() == 1
            && self.mentions.iter().any(|(own, _)| *own < at)
            && self.mentions.iter().any(|(own, _)| *own > at);
        let times = self.reading.except && self.reading.times.len() == 2 && quantities.len() == 1;
        if of_places && self.reading.without.groups.is_empty() {
            self.reading.places.append(&mut self.reading.without.places);
        } else if side_by_side || times {
            self.reading.except = false;
        } else if self.reading.except
            && let [_, second] = quantities.as_slice()
            && self.reading.places.len() < 2
        {
            // The one quantity less the other.
            self.reading.base = Some((*second).clone());
            self.reading.turns.remove(&Turn::Share);
            self.reading.except = false;
            self.reading.minus = true;
            return;
        } else {
            return;
        }
        self.reading.minus = true;
        self.reading.against = true;
    }

    /// "How much more NOI did Austin earn than Tampa": the difference comes first.
    fn more_than(&mut self) {
        let asks = self.pieces.windows(3).any(|three| {
            matches!(three, [how, much, more] if how.word() == "how"
                && much.word() == "much"
                && matches!(more.word(), "more" | "higher" | "bigger" | "larger" | "greater"))
        });
        if asks && self.reading.against && self.reading.places.len() == 2 && self.than_at.is_some() {
            self.reading.minus = true;
        }
    }

    /// What is left out has to be a part of what is asked for.
    fn outside(&mut self) {
        let at = |wanted: &Place| {
            self.mentions.iter().find_map(|(at, mention)| match mention {
                Mention::Place(place) if place == wanted => Some(*at),
                _ => None,
            })
        };
        // "Forget Denver, what about Austin": the one instead of the other.
        let kept = self.reading.places.first().and_then(&at);
        let instead = kept.is_some() && self.reading.without.places.iter().all(|out| at(out) < kept);
        let reading = &mut self.reading;
        let stray = reading.without.places.iter().find(|out| {
            !reading.places.is_empty()
                && reading
                    .places
                    .iter()
                    .all(|place| place.buildings.is_disjoint(&out.buildings))
        });
        if stray.is_some() && instead {
            reading.without.places.clear();
        } else if let Some(stray) = stray {
            let named: Vec<&str> = reading.places.iter().map(|place| place.label.as_str()).collect();
            reading.ask = Some(format!(
                "{} is no part of {}. Do you mean the one less the other, or {} alone?",
                stray.label,
                named.join(" and "),
                named.join(" and ")
            ));
        }
    }

    /// "The ratio of Denver NOI to Austin NOI", "Tampa NOI divided by Atlanta NOI", "as a share of Atlanta's".
    fn quotient(&mut self) {
        let said = |words: &[&str]| self.pieces.iter().any(|piece| words.contains(&piece.word()));
        let divided = said(&["ratio", "divided"]);
        let mut places = self.mentions.iter().filter_map(|(at, mention)| match mention {
            Mention::Place(_) => Some(*at),
            _ => None,
        });
        let (Some(first), Some(second), None) = (places.next(), places.next(), places.next()) else {
            return;
        };
        let as_share = self.pieces.get(first..second).is_some_and(|between| {
            between.iter().any(|piece| {
                matches!(
                    piece.word(),
                    "share" | "percent" | "percentage" | "proportion" | "fraction"
                )
            })
        });
        let share = self.reading.turns.contains(&Turn::Share) && as_share;
        let mut quantities: Vec<&Quantity> = self.quantities.iter().map(|(_, quantity)| quantity).collect();
        quantities.dedup();
        if !(divided || share) || quantities.len() != 1 || self.reading.places.len() != 2 {
            return;
        }
        self.reading.quotient = true;
        self.reading.against = true;
        self.reading.base = None;
        self.reading.turns.remove(&Turn::Share);
        self.reading.turns.remove(&Turn::Count);
        let words: Vec<usize> = self.reading.unknown.clone();
        self.reading.unknown = words
            .into_iter()
            .filter(|at| self.word(*at) != "divided")
            .collect();
    }

    /// A kind or a place that is said of one side alone stays on that side.
    fn sides(&mut self) {
        let Some((first, last)) = self
            .mentions
            .first()
            .zip(self.mentions.last())
            .map(|(a, b)| (a.0, b.0))
        else {
            return;
        };
        let between = |words: &[&str]| {
            (first + 1..last).find(|at| {
                let own = self.mentions.iter().any(|(mention, _)| mention == at);
                words.contains(&self.word(*at)) && !own
            })
        };
        let Some(boundary) = between(STRONG).or_else(|| between(WEAK)) else {
            return;
        };
        let (mut left, mut right) = (Named::default(), Named::default());
        for (at, mention) in &self.mentions {
            let side = if *at < boundary { &mut left } else { &mut right };
            match mention {
                Mention::Place(place) => side.places.push((*at, place.clone())),
                Mention::Kind(group) => side.groups.push((*at, *group)),
                Mention::Whole => side.whole = true,
            }
        }
        for side in [&mut left, &mut right] {
            side.groups.dedup_by_key(|(_, group)| *group);
            if side.places.len() > 1 || side.groups.len() > 1 {
                return;
            }
        }
        let kinds = left.groups.len() + right.groups.len();
        let others =
            left.places.len() + right.places.len() + usize::from(left.whole) + usize::from(right.whole);
        if kinds == 0 || others == 0 {
            return;
        }
        let shape = |side: &Named| (side.places.len(), side.groups.len(), side.whole);
        let is_building = |side: &Named| side.places.iter().any(|(_, place)| place.is_building);
        let apart = match (shape(&left), shape(&right)) {
            ((_, _, true), _) | (_, (_, _, true)) | ((0, 1, _), (1, 0, _)) | ((1, 0, _), (0, 1, _)) => true,
            ((1, 1, _), (1, 1, _)) => {
                left.groups.first().map(|own| own.1) != right.groups.first().map(|own| own.1)
            }
            // "Austin apartments against Denver": apartments there too, but a building is what it is.
            ((1, 1, _), (1, 0, _)) => is_building(&right),
            ((1, 0, _), (1, 1, _)) if is_building(&left) => true,
            ((1, 0, _), (1, 1, _)) => {
                self.reading.ask =
                    Some("Is that kind of property meant on both sides, or on one?".to_owned());
                return;
            }
            // "Offices against Denver retail", but "offices against retail in Denver": both in Denver.
            ((0, 1, _), (1, 1, _)) => right
                .places
                .first()
                .zip(right.groups.first())
                .is_some_and(|(place, group)| place.0 < group.0),
            _ => false,
        };
        if apart {
            self.reading.sides = [left, right]
                .into_iter()
                .map(|side| Side {
                    place: side.places.into_iter().next().map(|(_, place)| place),
                    group: side.groups.into_iter().next().map(|(_, group)| group),
                })
                .collect();
            self.reading.against = true;
        }
    }
}
