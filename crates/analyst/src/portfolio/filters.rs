//! The other part of [`reading`](super::reading): words of the data itself that narrow a figure. Kinds of lease,
//! industries of tenants, lenders, kinds of loan.

use crate::portfolio::lexicon::{self, Topic, Turn};
use crate::portfolio::pieces::{Piece, pieces};
use crate::portfolio::reading::Scan;
use tables::letters;

/// What people call a kind of lease, with how data writes it.
const LEASES: &[(&str, &str)] = &[
    ("nnn", "nnn"),
    ("triple net", "nnn"),
    ("net leased", "nnn"),
    ("full service gross", "full_service"),
    ("full service", "full_service"),
    ("modified gross", "modified_gross"),
];

/// Other words for an industry.
const INDUSTRIES: &[(&str, &str)] = &[
    ("health care", "healthcare"),
    ("medical", "healthcare"),
    ("tech", "technology"),
    ("restaurant", "food_service"),
    ("food", "food_service"),
    ("food and beverage", "food_service"),
    ("bank", "banking"),
    ("law firm", "legal"),
];

/// Words that many lenders share.
const COMMON: &str = "bank first national commercial community saving life insurance credit union mortgage capital fund \
     agency company co lending finance financial partner group trust";

impl Scan<'_> {
    pub(super) fn filtering(&mut self, at: usize) -> Option<usize> {
        self.lease_type(at)
            .or_else(|| self.industry(at))
            .or_else(|| self.lender(at))
            .or_else(|| self.mezzanine(at))
    }

    /// Whether the words stand at `at`, with how many they are.
    fn stands(&self, at: usize, phrase: &str) -> Option<usize> {
        let own = words(phrase);
        let fits = own.iter().enumerate().all(|(n, word)| self.word(at + n) == word);
        (fits && !own.is_empty()).then_some(own.len())
    }

    fn lease_type(&mut self, at: usize) -> Option<usize> {
        let named = LEASES
            .iter()
            .filter(|(_, kind)| self.kinds.lease_types.iter().any(|own| own == kind));
        let (kind, used) = named
            .filter_map(|(phrase, kind)| Some((*kind, self.stands(at, phrase)?)))
            .max_by_key(|(_, used)| *used)?;
        if self.excepting
            || self
                .reading
                .only
                .lease_type
                .as_deref()
                .is_some_and(|own| own != kind)
        {
            return None;
        }
        let shown = self.written(at, at + used - 1).to_owned();
        self.reading.only.lease_type = Some(kind.to_owned());
        self.reading.only_words.push(format!("{shown} leases"));
        Some(used)
    }

    /// "healthcare tenants", "tenants in the logistics industry".
    fn industry(&mut self, at: usize) -> Option<usize> {
        let own = self.kinds.industries.iter();
        let names = own.map(|industry| (industry.replace('_', " "), industry.as_str()));
        let aliases = INDUSTRIES
            .iter()
            .filter(|(_, kind)| self.kinds.industries.iter().any(|own| own == kind));
        let (industry, used) = names
            .chain(aliases.map(|(phrase, kind)| ((*phrase).to_owned(), *kind)))
            .filter_map(|(phrase, kind)| Some((kind.to_owned(), self.stands(at, &phrase)?)))
            .max_by_key(|(_, used)| *used)?;
        let next = self.word(at + used);
        let sector = matches!(next, "industry" | "sector");
        // "Retail tenants" are those of retail buildings.
        let of_buildings = matches!(
            lexicon::look_up(self.pieces, at),
            Some((lexicon::Meaning::Kind(_), _))
        ) && !matches!(industry.as_str(), "logistics" | "distribution");
        let spoken = matches!(
            next,
            "tenant" | "company" | "lessee" | "occupier" | "user" | "operator"
        );
        let known = self
            .reading
            .only
            .industry
            .as_deref()
            .is_some_and(|own| own != industry);
        if !(sector || (spoken && !of_buildings)) || self.excepting || known {
            return None;
        }
        let more = usize::from(sector);
        if !sector {
            self.topic(Topic::Tenants);
        }
        self.reading.only.industry = Some(industry.clone());
        self.reading
            .only_words
            .push(format!("{} tenants", industry.replace('_', " ")));
        Some(used + more + usize::from(!sector))
    }

    /// A lender by its name, or by the part of it that is its own.
    fn lender(&mut self, at: usize) -> Option<usize> {
        let mut best: Option<(&String, usize)> = None;
        let mut several = false;
        for lender in &self.kinds.lenders {
            let own = words(lender);
            let run = own
                .iter()
                .enumerate()
                .take_while(|(n, word)| self.word(at + n) == *word)
                .count();
            let telling = own
                .get(..run)
                .is_some_and(|words| words.iter().any(|word| is_telling(word)));
            if run == 0 || !(run == own.len() || telling) {
                continue;
            }
            // "First Prairie Bank" is no First Prairie Life.
            let goes_on = self.pieces.get(at + run).is_some_and(|piece| {
                piece.capital && (!lexicon::is_known(piece.word()) || piece.word() == "bank")
            });
            if run < own.len() && goes_on && self.names.find(self.text, self.pieces, at + run).is_none() {
                continue;
            }
            // One common word alone is a word.
            let lone = run == 1 && own.len() > 1;
            if lone
                && !self.pieces.get(at).is_some_and(|piece| piece.capital)
                && lexicon::is_known(self.word(at))
            {
                continue;
            }
            match best {
                Some((_, used)) if used > run => {}
                Some((_, used)) if used == run => several = true,
                _ => (best, several) = (Some((lender, run)), false),
            }
        }
        let (lender, used) = best?;
        // A name of a property goes first.
        if several || self.excepting || self.names.find(self.text, self.pieces, at).is_some() {
            return None;
        }
        let lender = lender.clone();
        if self
            .reading
            .only
            .lender
            .as_ref()
            .is_some_and(|own| *own != lender)
        {
            return None;
        }
        self.reading.only_words.push(format!("loans of {lender}"));
        self.reading.only.lender = Some(lender);
        Some(used)
    }

    /// "the mezz loan": of its kind alone, unless it is only counted in.
    fn mezzanine(&mut self, at: usize) -> Option<usize> {
        if !matches!(self.word(at), "mezz" | "mezzanine") || lexicon::look_up(self.pieces, at).is_some() {
            return None;
        }
        let before = |back: usize| at.checked_sub(back).map_or("", |at| self.word(at));
        let counted = |word: &str| {
            matches!(
                word,
                "incl" | "including" | "include" | "with" | "plus" | "and" | "counting"
            )
        };
        if counted(before(1)) || (before(1) == "the" && counted(before(2))) {
            self.reading.turns.insert(Turn::AllLoans);
        } else if self.excepting {
            self.excepting = false;
            self.reading.except = false;
            self.reading.turns.insert(Turn::Senior);
        } else {
            self.reading.only.loan_kind = Some("mezzanine".to_owned());
            self.reading.only_words.push("mezzanine loans".to_owned());
        }
        Some(1)
    }
}

fn words(name: &str) -> Vec<String> {
    let read = pieces(&letters::composed(name), 40).unwrap_or_default();
    read.iter()
        .map(Piece::word)
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

fn is_telling(word: &str) -> bool {
    word.chars().count() >= 4 && !COMMON.split_whitespace().any(|common| common == word)
}
