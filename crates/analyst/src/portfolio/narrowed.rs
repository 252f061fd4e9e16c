//! The other part of [`reading`](super::reading): single units, kinds of unit, what was paid for a building, leases that
//! end.

use crate::portfolio::lexicon::{Group, Topic, Turn};
use crate::portfolio::pieces::{Kind, Piece};
use crate::portfolio::reading::Scan;
use crate::portfolio::times::{self, Named, When};
use finance::portfolio::calendar::Span;
use finance::portfolio::query::Split;

impl Scan<'_> {
    /// "2-bedroom", "studios", "Suite 106": units of a kind, or one of them.
    pub(super) fn narrowing(&mut self, at: usize) -> Option<usize> {
        if let Some((bedrooms, used)) = self.bedrooms(at) {
            // Two kinds at once would be a split.
            if self.reading.only.bedrooms.is_some_and(|known| known != bedrooms) {
                self.reading.unknown.push(at);
                return Some(used);
            }
            self.reading.only.bedrooms = Some(bedrooms);
            let words = if bedrooms == 0 {
                "studios".to_owned()
            } else {
                format!("{bedrooms}-bedroom units")
            };
            self.reading.only_words.push(words);
            // "studio apartments" are of homes anyway.
            let more = usize::from(matches!(
                self.word(at + used),
                "unit" | "apartment" | "home" | "flat"
            ));
            // "The number of studios" counts units.
            let before = at.checked_sub(1).map_or("", |at| self.word(at));
            let counted = matches!(before, "many" | "of") && self.reading.turns.contains(&Turn::Count);
            if more == 1 || counted {
                self.topic(Topic::Units);
            }
            return Some(used + more);
        }
        let (unit, used) = self.unit(at)?;
        let written = self.written(at, at + used - 1).to_owned();
        // "Suite 106", "Bay 105": no apartment of that number.
        let lead = self.word(at).to_owned();
        let lead = if lead == "ste" { "suite".to_owned() } else { lead };
        self.reading.only.unit = Some(if matches!(lead.as_str(), "suite" | "bay" | "shop") {
            if self.reading.groups.is_empty() {
                self.group(Group::Commercial);
            }
            format!("{lead} {unit}")
        } else {
            unit
        });
        self.reading.only_words.push(written);
        Some(used)
    }

    pub(super) fn bedrooms(&self, at: usize) -> Option<(i64, usize)> {
        let word = self.word(at);
        if word == "studio" {
            return Some((0, 1));
        }
        let is_room = |word: &str| matches!(word, "bedroom" | "bed" | "br" | "bdrm" | "bd" | "bedder");
        if let Some(count) = self.pieces.get(at).and_then(Piece::count)
            && is_room(self.word(at + 1))
            && count <= 9
        {
            return Some((i64::from(count), 2));
        }
        let digit = word.chars().next().and_then(|c| c.to_digit(10))?;
        is_room(word.get(1..)?).then_some((i64::from(digit), 1))
    }

    /// "Suite 106", "unit 12B", "apt #4".
    fn unit(&self, at: usize) -> Option<(String, usize)> {
        let lead = self.pieces.get(at)?;
        let written = self.text.get(lead.start..lead.end)?.to_lowercase();
        if !matches!(
            written.as_str(),
            "suite" | "unit" | "apt" | "apartment" | "ste" | "bay" | "space" | "flat" | "shop"
        ) {
            return None;
        }
        let sign = usize::from(self.pieces.get(at + 1).is_some_and(|piece| piece.is_mark('#')));
        let piece = self.pieces.get(at + 1 + sign)?;
        let number = self.text.get(piece.start..piece.end)?;
        let fits = match &piece.kind {
            // A year is no unit: "NOI per unit 2025".
            Kind::Number(value) => sign == 1 || !(1990.0..=2100.0).contains(value),
            Kind::Word(word) => word.chars().any(|c| c.is_ascii_digit()),
            _ => false,
        };
        // "unit 5 bedroom" is none.
        let counted = matches!(self.word(at + 2 + sign), "bedroom" | "month" | "year" | "day");
        (fits && !counted).then(|| (number.to_lowercase(), 2 + sign))
    }

    /// "the building Congress Tower": the name follows.
    pub(super) fn is_named(&self, at: usize) -> bool {
        let skip = usize::from(matches!(self.word(at), "at" | "of" | "in" | "called"));
        self.names.find(self.text, self.pieces, at + skip).is_some()
    }

    /// Whether "rolls" is the verb: a time follows.
    pub(super) fn rolls(&self, at: usize) -> bool {
        let skip = usize::from(matches!(
            self.word(at),
            "in" | "during" | "within" | "over" | "by" | "before" | "through"
        ));
        self.word(at) == "off" || times::read(self.pieces, at + skip, self.last).is_some()
    }

    /// "What did we pay for Ybor Market Hall": its price.
    pub(super) fn paid_for(&mut self, at: usize, used: usize) -> Option<usize> {
        let pays = (at..at + used).any(|at| matches!(self.word(at), "pay" | "paid" | "spend" | "spent"));
        // "R&M spend for Highlands Corner" is of the repairs.
        if !pays || self.word(at + used) != "for" || !self.quantities.is_empty() {
            return None;
        }
        let mut next = at + used + 1;
        while matches!(self.word(next), "the" | "all" | "our" | "of") {
            next += 1;
        }
        self.names.find(self.text, self.pieces, next)?;
        self.topic(Topic::PurchasePrice);
        Some(used + 1)
    }

    /// "in each of the next three months": one by one.
    pub(super) fn each_of(&mut self, at: usize, used: usize) {
        let before = |back: usize| at.checked_sub(back).map_or("", |at| self.word(at));
        let each = before(1) == "each" || (before(1) == "of" && matches!(before(2), "each" | "every"));
        let split = match (at..at + used)
            .map(|at| self.word(at))
            .find(|word| matches!(*word, "month" | "quarter" | "year"))
        {
            Some("month") => Split::Month,
            Some("quarter") => Split::Quarter,
            Some("year") => Split::Year,
            _ => return,
        };
        if each && !self.reading.splits.contains(&split) {
            self.reading.splits.push(split);
        }
    }

    /// A topic that stands in another word: "emptiest", "oldest", "appreciated".
    pub(super) fn implied(&mut self, phrase: &[String]) {
        // Residents live in apartments.
        if phrase
            .iter()
            .any(|word| matches!(word.as_str(), "resident" | "renter"))
        {
            self.group(Group::Residential);
        }
        // "When is it due?" points back.
        if phrase.iter().any(|word| word == "due") {
            let it = phrase.iter().any(|word| word == "it");
            let they = phrase.iter().any(|word| word == "they");
            self.reading.its |= it;
            self.reading.plural |= they;
            self.reading.pronoun |= (it || they) && self.named.is_empty() && self.reading.topics.is_empty();
        }
        if phrase.iter().any(|word| word == "dollar") && phrase.iter().any(|word| word == "many") {
            self.reading.amount = true;
            self.reading.dollars = true;
        }
        if phrase == ["in", "dollar"] || phrase == ["in", "dollar", "term"] || phrase == ["in", "usd"] {
            self.reading.dollars = true;
        }
        if phrase.iter().any(|word| word == "monthly") && phrase.iter().any(|word| word == "rent") {
            self.reading.turns.insert(Turn::PerMonth);
            self.reading.monthly_rent = true;
        }
        // "Occupied units by city" are counted, a "vacancy rate" is a share.
        if phrase == ["occupied", "unit"] && self.reading.topics.is_empty() {
            // "Occupied units divided by all units" is the rate.
            let of_all = self.says_any(&[
                "divided by all unit",
                "over all unit",
                "divided by total unit",
                "over total unit",
                "out of all unit",
            ]);
            self.reading
                .turns
                .insert(if of_all { Turn::Share } else { Turn::Count });
        }
        if phrase.iter().any(|word| word == "rate")
            && phrase
                .iter()
                .any(|word| matches!(word.as_str(), "vacancy" | "vac"))
        {
            self.reading.turns.insert(Turn::Share);
        }
        for word in phrase {
            let topic = match word.as_str() {
                "emptiest" | "fullest" => Topic::Occupancy,
                "oldest" | "newest" | "youngest" => Topic::Built,
                "appreciate" | "appreciated" | "appreciation" | "depreciate" | "depreciated" => Topic::Value,
                _ => continue,
            };
            self.reading.implied = Some(topic);
        }
    }

    /// Whether "mean" is an average here.
    pub(super) fn averages(&self, at: usize) -> bool {
        let asks = (0..at).any(|before| matches!(self.word(before), "does" | "doe" | "do" | "did" | "you"));
        !asks && !self.word(at + 1).is_empty()
    }

    /// "leases ending December 2026": the verb, and a month in which they do.
    pub(super) fn of_ends(&mut self, at: usize, time: Named) -> Named {
        let verb = matches!(self.word(at), "ending" | "ended")
            && (self.reading.topics.contains(&Topic::Leases)
                || self.reading.topics.contains(&Topic::Tenants));
        let by = at.checked_sub(1).is_some_and(|before| self.word(before) == "by");
        match time.when {
            // "By 2028": up to its end.
            When::Span(span) if by && span.to > self.last => Named {
                when: When::End(span.to),
                remark: Some(format!("I took that as by the end of {}.", span.to.words())),
                ..time
            },
            When::End(month) if verb => {
                self.reading.ends = true;
                Named {
                    when: When::Span(Span::new(month, month)),
                    ..time
                }
            }
            _ => time,
        }
    }
}
