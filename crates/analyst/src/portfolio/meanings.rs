//! The other part of [`reading`](super::reading): what a phrase of the lexicon says in a question.

use crate::portfolio::lexicon::{self, Group, Meaning, Topic, Turn};
use crate::portfolio::quantities::Quantity;
use crate::portfolio::reading::{Expects, Mention, Scan};
use finance::portfolio::query::Split;

const fn topic_of(meaning: Meaning) -> Option<Topic> {
    match meaning {
        Meaning::Topic(topic) => Some(topic),
        _ => None,
    }
}

impl Scan<'_> {
    pub(super) fn meaning(&mut self, at: usize, used: usize, meaning: Meaning) -> usize {
        let phrase: Vec<String> = (at..at + used).map(|at| self.word(at).to_owned()).collect();
        let has = |word: &str| phrase.iter().any(|own| own == word);
        // "rent rolls in 2027" is no rent roll.
        if phrase == ["rent", "roll"] && self.rolls(at + 2) && self.written(at + 1, at + 1).ends_with('s') {
            self.topic(Topic::Rent);
            self.topic(Topic::Rollover);
            return used;
        }
        if has("apartment") && !matches!(meaning, Meaning::Kind(_)) {
            self.group(Group::Residential);
        }
        // Names, kinds and accounts are left out; the next figure or time ends that.
        if let (true, Meaning::Kind(group)) = (self.excepting, meaning) {
            self.leave_out(at + used);
            self.mentions.push((at, Mention::Kind(group)));
            self.reading.without.groups.push(group);
            return used;
        }
        // "Not counting the model or the down unit": both are left out, none is set against the other.
        if self.excepting && phrase == ["or"] {
            return used;
        }
        // "Opex only, no capital, no debt": it has neither anyway.
        let taken_off =
            self.minus_at.is_some() && matches!(topic_of(meaning), Some(Topic::DebtService | Topic::Capex));
        if let (true, Meaning::Topic(topic)) = (self.excepting, meaning)
            && self.apart(topic)
            && !taken_off
        {
            self.leave_out(at + used);
            return used;
        }
        // "Weighted by area rather than by rent".
        let weighting = |own: Turn| matches!(own, Turn::ByArea | Turn::ByRent | Turn::ByUnits);
        if let (true, Meaning::Turn(turn)) = (self.excepting, meaning)
            && weighting(turn)
            && self
                .reading
                .turns
                .iter()
                .any(|own| weighting(*own) && *own != turn)
        {
            self.leave_out(at + used);
            return used;
        }
        // "Opex, no capital, no debt": said of the figure, not of buildings.
        let said_of_figure = at.checked_sub(1).is_some_and(|before| {
            self.pieces
                .get(before)
                .is_some_and(|piece| piece.is_mark(',') || piece.is_mark('('))
                || matches!(self.word(before), "and" | "or")
        });
        if meaning == Meaning::Topic(Topic::DebtFree)
            && matches!(phrase.first().map(String::as_str), Some("no" | "without"))
            && said_of_figure
            && self.apart(Topic::Debt)
        {
            return used;
        }
        // "Opex without taxes at Mueller Yards": there, not without it.
        let placed =
            self.left_out == Some(at) && ["at", "in", "for", "of", "across"].iter().any(|word| has(word));
        // "Leaving Decatur aside, which of our apartments …": the question begins, nothing more is left out.
        let asks = ["which", "what", "how", "who"].iter().any(|word| has(word));
        // "I don't want Tampa, give me Atlanta": only what is listed with the first thing is left out as well.
        let lists = self.left_out.is_none()
            || phrase.iter().all(|word| {
                matches!(
                    word.as_str(),
                    "the"
                        | "and"
                        | "a"
                        | "of"
                        | "in"
                        | "at"
                        | "our"
                        | "all"
                        | "any"
                        | "both"
                        | "also"
                        | "city"
                        | "building"
                        | "property"
                )
            });
        self.excepting &=
            lists && !placed && !asks && matches!(meaning, Meaning::Filler | Meaning::Own | Meaning::Whole);
        self.noun(at, used, &phrase);
        self.implied(&phrase);
        self.reading.rent_roll |= phrase == ["rent", "roll"];
        match meaning {
            Meaning::Topic(topic) => {
                let topic = self.budgeted(at, used, topic);
                self.topic(topic);
                self.quantity(Quantity::Topic(topic), at + used);
            }
            // "How many apartment buildings": buildings of a kind.
            Meaning::Turn(Turn::Count) if self.of_kind_of_building(at + used) => {
                self.topic(Topic::Properties);
                self.quantity(Quantity::Topic(Topic::Properties), at + used);
            }
            // "How much of our debt comes due in 2028": so much money.
            Meaning::Turn(Turn::Share)
                if phrase == ["how", "much", "of"]
                    && self
                        .pieces
                        .iter()
                        .any(|piece| matches!(piece.word(), "due" | "mature" | "maturing")) =>
            {
                self.reading.amount = true;
            }
            Meaning::Turn(turn) => {
                // "The ratio of NOI to opex": the one behind "to" is the base.
                let ratio = has("ratio") && (at + used..at + used + 6).any(|at| self.word(at) == "to");
                if turn == Turn::Share && !ratio && (has("of") || self.word(at + used) == "of") {
                    self.expects = Expects::Base;
                }
                self.reading.in_percent |=
                    turn == Turn::Share && has("percent") && self.expects == Expects::Nothing;
                self.reading.turns.insert(turn);
            }
            Meaning::By(split) => {
                if split == Split::Account && (has("expense") || has("cost")) {
                    self.topic(Topic::Opex);
                }
                if phrase == ["unit", "mix"] && self.reading.topics.is_empty() {
                    self.topic(Topic::Units);
                    self.reading.turns.insert(Turn::Count);
                }
                // "Units by type": kinds of unit.
                let of_units = self.reading.topics.contains(&Topic::Units) && phrase == ["by", "type"];
                let split = if of_units { Split::UnitType } else { split };
                if !self.reading.splits.contains(&split) {
                    self.reading.splits.push(split);
                }
            }
            // "NOI is flat": no kind of home.
            Meaning::Kind(_) if phrase == ["flat"] && !self.written(at, at).ends_with('s') => {
                self.reading.unknown.push(at);
            }
            Meaning::Kind(group) => {
                self.mentions.push((at, Mention::Kind(group)));
                self.group(group);
                // "How much office space": its area.
                if has("space") && self.reading.amount && !self.reading.topics.contains(&Topic::Area) {
                    self.topic(Topic::Area);
                }
            }
            Meaning::Whole => self.whole(at, &phrase),
            Meaning::Own => {
                self.reading.own = true;
                self.reading.our |= has("our") || has("my");
            }
            Meaning::Most => return self.rank(at, used, true),
            Meaning::Least => return self.rank(at, used, false),
            Meaning::Below => return self.bound(at, used, false),
            Meaning::Above => return self.bound(at, used, true),
            // "Which retail center made more": the one that made the most. Between two places it compares them.
            Meaning::Against
                if has("more") && (has("made") || has("earned") || has("earn")) && !self.names_any() =>
            {
                return self.rank(at, used, true);
            }
            Meaning::Against => {
                self.reading.besides |= at == 0;
                self.reading.against = true;
                if has("relative") {
                    self.over(at, used);
                }
            }
            Meaning::Than => self.than_at = Some(at),
            Meaning::List => {
                self.reading.lists = true;
                self.reading.one_of |= has("one") || has("of");
            }
            Meaning::Pronoun => {
                self.reading.its |= has("it") || has("its");
                self.reading.plural |=
                    !(has("it") || has("its")) && self.named.is_empty() && self.reading.nouns.is_empty();
                // Alone with nothing before it, it points back at another turn.
                let before = !self.reading.topics.is_empty()
                    || !self.reading.accounts.is_empty()
                    || !self.named.is_empty()
                    || self.than_at.is_some();
                if !before {
                    self.reading.pronoun = true;
                }
            }
            Meaning::Filler => {
                if let Some(used) = self.paid_for(at, used) {
                    return used;
                }
                self.reading.lists |= ["which", "who", "when", "show", "where", "name"]
                    .iter()
                    .any(|word| has(word));
                self.reading.just |= has("only") || has("just") || has("alone");
                self.reading.amount |= has("how") && has("much");
                self.in_place |= has("in") && has("place");
                self.reading.ends |= has("end") || has("ending") || has("ended");
                self.reading.pays |= has("pay") || has("paying");
                self.reading.will |= (has("will") && !matches!(self.word(at + used), "you" | "do"))
                    || (has("going") && self.word(at + used) == "be");
                if (has("to") && self.quantity_ended == Some(at)) || has("divided") {
                    self.expects = Expects::BaseNow;
                }
                self.reading.article |= has("the");
                // "the building" is one that was spoken of.
                let one = matches!(self.word(at + 1), "property" | "building" | "asset")
                    && self.pieces.get(at + 1).is_some_and(|piece| {
                        self.text
                            .get(piece.start..piece.end)
                            .is_some_and(|word| !word.ends_with('s'))
                    });
                self.reading.points |= has("the") && used == 1 && one && !self.is_named(at + 2);
            }
            Meaning::Except => {
                self.reading.except = true;
                self.excepting = true;
                if ["minus", "less", "net"].iter().any(|word| has(word)) {
                    self.minus_at = Some(at);
                }
            }
            // "… and how much is that": what was just named.
            Meaning::Points if self.relates(at) => {}
            Meaning::Points => {
                self.reading.plural |= has("these") || has("those");
                let before = at.checked_sub(1).map_or("", |at| self.word(at));
                let verb = matches!(before, "is" | "was" | "are" | "were");
                self.reading.points |= !verb || self.reading.topics.is_empty();
            }
            // "Mean occupancy" is an average, "what does it mean" asks what it is.
            Meaning::Other if phrase == ["mean"] && self.averages(at) => {
                self.reading.turns.insert(Turn::Average);
            }
            // "The typical 1-bed" is the average one.
            Meaning::Other if phrase == ["typical"] && self.bedrooms(at + 1).is_some() => {
                self.reading.turns.insert(Turn::Average);
            }
            Meaning::Other if phrase == ["would"] => self.would = true,
            Meaning::Other => {
                self.reading.whys |= [
                    "why",
                    "explain",
                    "calculate",
                    "calculated",
                    "calculation",
                    "come",
                    "work",
                    "math",
                ]
                .iter()
                .any(|word| has(word));
                self.reading.other = true;
            }
        }
        used
    }

    /// "apartment buildings", "retail centers": a kind, written as buildings.
    fn of_kind_of_building(&self, at: usize) -> bool {
        let Some((Meaning::Kind(_), used)) = lexicon::look_up(self.pieces, at) else {
            return false;
        };
        (at..at + used).any(|at| {
            matches!(
                self.word(at),
                "building" | "property" | "asset" | "center" | "community"
            )
        })
    }
}
