//! The other part of [`reading`](super::reading): words that were not understood. Some can hardly change a figure; some
//! are written or placed like a name; all others are asked about.

use crate::portfolio::accounts;
use crate::portfolio::lexicon;
use crate::portfolio::reading::Scan;

/// Behind these a strange word says which part of the figure is meant.
const LEADS: &str = "of for at in on from with by per to under over above below between against into via through than as \
     only just like";

/// These change a figure, or leave something out of it.
const WEIGHING: &str = "excluded ignored omitted removed waived abated stripped subtracted deducted added adjusted \
     normalized normalised stabilized stabilised annualized trended inflated discounted doubled halved tripled raised reduced \
     cut projected forecasted expected estimated assumed restated audited unaudited weighted prorated capped limited \
     excluding including ignoring removing subtracting deducting adding adjusting assuming discounting weighting \
     renting subletting subleased sublet furnished unfurnished renovated unrenovated affordable subsidized regulated \
     managed leased licensed reserved disputed collected uncollected billed unbilled accrued prepaid refunded only solely \
     merely partly mostly exclusively separately jointly quarterly weekly daily hourly";

impl Scan<'_> {
    /// Passes over strange words that can hardly change a figure: where the places are named, a word in lower case that
    /// neither describes a figure ("garage income") nor stands behind a preposition ("income of the garage").
    pub(super) fn passes_over(&mut self) {
        let scoped = !self.named.is_empty() || !self.reading.groups.is_empty() || self.reading.portfolio;
        if !scoped || self.reading.except {
            return;
        }
        let describes = |at: usize| {
            lexicon::look_up(self.pieces, at + 1).is_some_and(|(meaning, _)| {
                !matches!(meaning, lexicon::Meaning::Filler | lexicon::Meaning::Own)
            }) || accounts::find(self.pieces, self.accounts, at + 1).is_some()
                || self.reading.unknown.contains(&(at + 1))
        };
        let led = |at: usize| {
            let before = at.checked_sub(1).map_or("", |at| self.word(at));
            let before = if matches!(
                before,
                "the" | "a" | "an" | "our" | "its" | "their" | "this" | "that" | "of"
            ) {
                at.checked_sub(2).map_or("", |at| self.word(at))
            } else {
                before
            };
            LEADS.split_whitespace().any(|own| own == before)
        };
        let weighs = |at: usize| {
            let word = self.word(at);
            word.len() < 4
                || WEIGHING.split_whitespace().any(|own| own == word)
                || word.ends_with("er")
                || word.ends_with("est")
        };
        let passed: Vec<usize> = self
            .reading
            .unknown
            .iter()
            .copied()
            .filter(|at| {
                let capital = self.pieces.get(*at).is_some_and(|piece| piece.capital);
                let verb = self.word(*at).ends_with("ed")
                    || self.word(*at).ends_with("ing")
                    || self.word(*at).ends_with("ly");
                verb && !capital && !weighs(*at) && !describes(*at) && !led(*at)
            })
            .collect();
        for at in &passed {
            let word = self.written(*at, *at).to_owned();
            self.reading.remarks.push(format!("I passed over “{word}”."));
        }
        self.reading.unknown.retain(|at| !passed.contains(at));
    }

    /// "Down units" alone: what is kept counts them together with the models.
    pub(super) fn part_of_idle(&mut self) {
        use lexicon::Topic;
        let said = |words: &[&str]| self.pieces.iter().any(|piece| words.contains(&piece.word()));
        let one = said(&["down"]) != said(&["model"]);
        let wide = said(&["non", "nonrevenue", "offline", "unrentable", "rentable"]);
        if self.reading.topics.contains(&Topic::NonRevenue)
            && self
                .reading
                .topics
                .iter()
                .all(|own| matches!(own, Topic::NonRevenue | Topic::Units))
            && one
            && !wide
        {
            self.reading.ask = Some(
                "I count down units and models together, as non-revenue units. Ask for those if that is what you need."
                    .to_owned(),
            );
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
