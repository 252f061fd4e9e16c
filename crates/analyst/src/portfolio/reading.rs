//! A question about the portfolio, word by word: what is asked, of which properties, when, split and ranked how.
//!
//! Every word has to be understood or to be harmless: what is left over is kept, and then nothing is answered. Knows what the asker may
//! see by name, no figures.

use std::collections::BTreeSet;

use crate::portfolio::accounts;
use crate::portfolio::lexicon::{self, Group, Meaning, Topic, Turn};
use crate::portfolio::pieces::Piece;
use crate::portfolio::places::{Match, Names, Place, Side};
use crate::portfolio::quantities::{Bound, Quantity, Rank};
use crate::portfolio::times::{self, Named, When};
use crate::portfolio::without::Without;
use finance::portfolio::calendar::Month;
use finance::portfolio::query::{Account, Kinds, Only, Split};

#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    /// In the order in which they were named, each once.
    pub(crate) topics: Vec<Topic>,
    pub(crate) accounts: Vec<Account>,
    pub(crate) turns: BTreeSet<Turn>,
    pub(crate) groups: Vec<Group>,
    pub(crate) places: Vec<Place>,
    pub(crate) splits: Vec<Split>,
    pub(crate) times: Vec<Named>,
    pub(crate) rank: Option<Rank>,
    pub(crate) bounds: Vec<Bound>,
    /// Units, tenants or loans that were named, with the words for them.
    pub(crate) only: Only,
    pub(crate) only_words: Vec<String>,
    /// Things of a kind that were spoken of: "cities", "months".
    pub(crate) nouns: Vec<Split>,
    /// The quantity of which a share is asked: "percent of EGI".
    pub(crate) base: Option<Quantity>,
    /// Things are to be named, not counted: "which", "list".
    pub(crate) lists: bool,
    /// "pay": rent, where tenants are named.
    pub(crate) pays: bool,
    /// The verb: "leases that end".
    pub(crate) ends: bool,
    /// Against an earlier time: "than it was in 2024". The time follows.
    pub(crate) than: bool,
    /// The two ends of a range, and the one that a "since" names.
    pub(crate) edges: Option<(When, When)>,
    /// Begins with "versus": a follow-up that is put beside the turn before.
    pub(crate) besides: bool,
    pub(crate) own: bool,
    pub(crate) whole: bool,
    pub(crate) against: bool,
    /// The portfolio is named as such, not only "in total".
    pub(crate) portfolio: bool,
    /// "rent roll": the rents, where an amount is asked for.
    pub(crate) rent_roll: bool,
    /// What a word names beside an order or a change: "emptiest" is about occupancy.
    pub(crate) implied: Option<Topic>,
    /// "our": everything that is the asker's own.
    pub(crate) our: bool,
    /// How long the question is, and whether it points at a place: "there".
    pub(crate) words: usize,
    pub(crate) there: bool,
    /// Asks whether something is so.
    pub(crate) polar: bool,
    /// "why?", "how is that calculated?"
    pub(crate) whys: bool,
    /// "they", "it" with nothing before.
    pub(crate) pronoun: bool,
    /// "its debt": of one that was spoken of.
    pub(crate) its: bool,
    /// "only", "just".
    pub(crate) just: bool,
    /// Begins as a follow-up does: "and", "what about", "same".
    pub(crate) leans: bool,
    /// "the": a bare "what is NOI" asks what it is, "what is the NOI" how much.
    pub(crate) article: bool,
    /// Things are named side by side: "and", "versus".
    pub(crate) joined: bool,
    /// Nothing but names of figures: no "what is".
    pub(crate) bare: bool,
    /// It is another kind of question: a supposition, a definition, a file.
    pub(crate) other: bool,
    /// Something is to be left out, which is not read.
    pub(crate) except: bool,
    /// What is left out of the figure.
    pub(crate) without: Without,
    /// "this rent roll": it points at something.
    pub(crate) points: bool,
    /// "will": it is about what is to come.
    pub(crate) will: bool,
    /// Values that the person brought along.
    pub(crate) values: Vec<usize>,
    /// Pieces that were not understood.
    pub(crate) unknown: Vec<usize>,
    /// A name that is none of those that may be seen.
    pub(crate) stranger: Option<String>,
    /// Words that name several buildings.
    pub(crate) several: Option<Vec<String>>,
    /// What was read otherwise than written, and other things to be said.
    pub(crate) remarks: Vec<String>,
    /// What is put side by side, where a kind or a place belongs to one side alone.
    pub(crate) sides: Vec<Side>,
    /// The one is taken from the other: "A minus B".
    pub(crate) minus: bool,
    /// The figures are added up: "taxes plus insurance".
    pub(crate) plus: bool,
    /// The one is divided by the other: "the ratio of A to B".
    pub(crate) quotient: bool,
    /// "their", "those": several that were spoken of.
    pub(crate) plural: bool,
    /// "combined": the sum of what is spoken of, not of everything there is.
    pub(crate) summed: bool,
    /// "how much".
    pub(crate) amount: bool,
    /// "how many dollars": an amount, no percentage.
    pub(crate) dollars: bool,
    /// "in percent", "percent?": how a change is told.
    pub(crate) in_percent: bool,
    /// "monthly rent": a rate, no course over months.
    pub(crate) monthly_rent: bool,
    /// Things are named one after another: "and", commas.
    pub(crate) enumerated: bool,
    /// The list of the turn before that is pointed at.
    pub(crate) listed: Option<Place>,
    /// "the three buildings": how many they have to be.
    pub(crate) counted: Option<usize>,
    /// Its figures are asked for one by one.
    pub(crate) each_of_list: bool,
    /// "which one": one of those that were listed.
    pub(crate) one_of: bool,
    /// Several are pointed at that the turn before did not keep.
    pub(crate) astray: bool,
    /// Loans of the turn before that are pointed at, by their ids.
    pub(crate) loans: Vec<String>,
    /// What has to be asked before anything is looked up.
    pub(crate) ask: Option<String>,
}

/// Reads the pieces of `text`.
pub(crate) fn read(
    text: &str,
    pieces: &[Piece],
    names: &Names<'_>,
    accounts: &[Account],
    kinds: &Kinds,
    last: Month,
) -> Reading {
    let mut scan = Scan {
        text,
        pieces,
        names,
        accounts,
        kinds,
        last,
        reading: Reading::default(),
        named: Vec::new(),
        expects: Expects::Nothing,
        quantity_ended: None,
        than_at: None,
        ranked_at: None,
        in_place: false,
        excepting: false,
        left_out: None,
        would: false,
        at: 0,
        mentions: Vec::new(),
        minus_at: None,
        last_quantity: None,
        bounded: None,
        quantities: Vec::new(),
    };
    while scan.at < pieces.len() {
        let used = scan.take(scan.at).max(1);
        scan.at += used;
    }
    scan.counts();
    scan.counted();
    let spoken: Vec<&str> = pieces
        .iter()
        .map(Piece::word)
        .filter(|word| !word.is_empty())
        .collect();
    scan.reading.words = spoken.len();
    scan.reading.there = match spoken.as_slice() {
        [.., "are" | "is" | "was" | "were", "there"] => false,
        other => other.last() == Some(&"there"),
    };
    scan.reading.polar = pieces.first().is_some_and(|first| {
        matches!(
            first.word(),
            "is" | "are" | "was" | "were" | "does" | "do" | "did" | "has" | "have" | "am"
        )
    });
    scan.leaning();
    scan.reading.bare = pieces
        .iter()
        .all(|piece| !matches!(piece.word(), "what" | "who" | "define" | "is"));
    scan.passes_over();
    // "The most highly levered": by its loan to value.
    if scan.reading.rank.is_some()
        && scan.reading.topics.is_empty()
        && scan.reading.turns.remove(&Turn::Levered)
    {
        scan.reading.implied = Some(Topic::Ltv);
    }
    scan.strangers();
    scan.part_of_idle();
    scan.ends();
    scan.both_rents();
    scan.variance();
    scan.remaining();
    scan.since_bought();
    scan.opposed();
    scan.sums();
    scan.homes();
    scan.paying();
    scan.rent_of_all();
    scan.bought_for();
    scan.doubts();
    // "What would it be without Congress Tower": only that is supposed.
    scan.reading.other |= scan.would && !scan.reading.without.is_of_places();
    let joined = pieces.iter().any(|piece| matches!(piece.word(), "and" | "or"));
    scan.reading.joined = joined || scan.reading.against || scan.reading.than;
    scan.reading.enumerated = scan.enumerates();
    scan.reading
}

/// Whether the next quantity is the one of which a share is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expects {
    Nothing,
    /// "percent of …": whatever stands between.
    Base,
    /// "NOI over …": the quantity follows at once.
    BaseNow,
}

pub(super) struct Scan<'a> {
    pub(super) text: &'a str,
    pub(super) pieces: &'a [Piece],
    pub(super) names: &'a Names<'a>,
    pub(super) accounts: &'a [Account],
    pub(super) kinds: &'a Kinds,
    pub(super) last: Month,
    pub(super) reading: Reading,
    /// Places by the pieces they took, and whether they are a whole name.
    pub(super) named: Vec<(usize, usize, bool)>,
    pub(super) expects: Expects,
    /// Where the last quantity ended.
    pub(super) quantity_ended: Option<usize>,
    /// Where "than" stands.
    pub(super) than_at: Option<usize>,
    /// Which pieces named an order.
    pub(super) ranked_at: Option<(usize, usize)>,
    /// "in place" without a rent: beside the market it is the rent in place.
    pub(super) in_place: bool,
    /// What is named now is left out.
    pub(super) excepting: bool,
    /// Where the last thing that is left out ended.
    pub(super) left_out: Option<usize>,
    /// "would": a supposition, unless it only leaves something out.
    pub(super) would: bool,
    /// The piece that is being read.
    pub(super) at: usize,
    /// Places and kinds by where they stand.
    pub(super) mentions: Vec<(usize, Mention)>,
    /// Where "minus" stands.
    pub(super) minus_at: Option<usize>,
    pub(super) last_quantity: Option<Quantity>,
    /// Where the last bound ended, and from which bound on they are its own.
    pub(super) bounded: Option<(usize, usize)>,
    /// Quantities by where they stand.
    pub(super) quantities: Vec<(usize, Quantity)>,
}

/// What a side of a comparison may consist of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Mention {
    Place(Place),
    Kind(Group),
    Whole,
}

impl Scan<'_> {
    pub(super) fn word(&self, at: usize) -> &str {
        self.pieces.get(at).map_or("", Piece::word)
    }

    pub(super) fn written(&self, from: usize, to: usize) -> &str {
        let ends = self.pieces.get(from).zip(self.pieces.get(to));
        ends.and_then(|(first, last)| self.text.get(first.start..last.end))
            .unwrap_or("")
    }

    /// "NOI without taxes, Austin": behind the comma stands a place again, not another thing that is left out.
    fn closes(&mut self, at: usize) {
        let before = at.checked_sub(1);
        let comma = before.is_some_and(|at| self.pieces.get(at).is_some_and(|piece| piece.is_mark(',')));
        if comma && self.left_out == before && !self.reading.without.accounts.is_empty() {
            self.excepting &= accounts::find(self.pieces, self.accounts, at).is_some();
        }
    }

    /// Takes what begins at `at`; answers how many pieces that were.
    fn take(&mut self, at: usize) -> usize {
        self.closes(at);
        let own = self.narrowing(at).or_else(|| self.filtering(at));
        if let Some(used) = own
            .or_else(|| self.between(at))
            .or_else(|| self.or_more(at))
            .or_else(|| self.wholly(at))
        {
            return used;
        }
        let place = self.names.find(self.text, self.pieces, at);
        let time = times::read(self.pieces, at, self.last);
        let word = lexicon::look_up(self.pieces, at);
        let account = accounts::find(self.pieces, self.accounts, at);
        let length = |used: Option<usize>| used.unwrap_or(0);
        let (by_time, by_word) = (
            length(time.as_ref().map(|time| time.used)),
            length(word.map(|(_, used)| used)),
        );
        let by_account = length(account.as_ref().map(|(_, used)| *used));
        if let Some((found, used)) = place {
            let respelled = matches!(found, Match::One { respelled: true, .. });
            let part = !matches!(found, Match::One { whole: true, .. });
            // A slip or a part gives way to words that are understood as they stand.
            let loses = (respelled && (by_word > 0 || by_time > 0))
                || (part && (by_word > used || by_account > used))
                || by_time > used;
            if !loses {
                self.place(at, used, found);
                return used;
            }
        }
        if let Some(time) = time
            && by_time >= by_word
            && !self.begins(at, &time)
        {
            let used = time.used;
            if self.expects == Expects::BaseNow {
                self.expects = Expects::Nothing;
            }
            let time = self.of_ends(at, time);
            if let Some(edges) = time.edges {
                self.reading.edges = Some(edges);
            }
            self.each_of(at, used);
            let of_place = |than: usize| self.mentions.iter().any(|(own, _)| *own > than);
            if self.than_at.is_some_and(|than| !of_place(than)) {
                self.reading.than = true;
                self.reading.turns.insert(Turn::Growth);
            }
            // "current" before a topic says nothing of its own.
            if time.when != When::Now || self.reading.times.is_empty() {
                self.reading.times.push(time);
            }
            return used;
        }
        // "The capital expenditures account": that account, whatever else the words name.
        if let Some((account, used)) = &account
            && *used == by_account
            && used >= &by_word
            && matches!(self.word(at + used), "account" | "line")
        {
            let (account, used) = (account.clone(), used + 1);
            self.quantity(Quantity::Account(account.code.clone()), at + used);
            if !self.reading.accounts.contains(&account) {
                self.reading.accounts.push(account);
            }
            return used;
        }
        if let Some((account, used)) = &account
            && self.excepting
            && by_account >= by_word
        {
            self.leave_out(at + used);
            // "Tenant improvements, excluding commissions": an account holds nothing of another.
            if !self.reading.topics.is_empty() || self.reading.accounts.is_empty() {
                self.reading.without.accounts.push(account.clone());
            }
            return *used;
        }
        if let Some((account, used)) = account
            && (by_account > by_word
                || (by_account == by_word && !matches!(word, Some((Meaning::Topic(_), _)))))
        {
            if self
                .reading
                .accounts
                .iter()
                .all(|known| known.code != account.code)
            {
                self.reading.accounts.push(account.clone());
            }
            self.quantity(Quantity::Account(account.code), at + used);
            return used;
        }
        // "What expense recoveries": the account, not which expense.
        let asks = matches!(self.word(at), "what" | "which");
        let of_account = accounts::find(self.pieces, self.accounts, at + 1).map_or(0, |(_, used)| used);
        if asks && matches!(word, Some((Meaning::By(Split::Account), used)) if of_account >= used) {
            return 1;
        }
        if let Some((meaning, used)) = word {
            return self.meaning(at, used, meaning);
        }
        self.rest(at)
    }
}
