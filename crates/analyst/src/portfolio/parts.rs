//! What each piece is to a sentence that may only stand around a question: a place, a time, a figure, or none. Pure.

use crate::portfolio::accounts;
use crate::portfolio::lexicon::{self, Meaning, Topic, Turn};
use crate::portfolio::pieces::{Kind, Piece};
use crate::portfolio::places::Names;
use crate::portfolio::times;
use crate::words::among::among;
use crate::words::everyday;
use finance::portfolio::calendar::Month;
use finance::portfolio::query::{Account, Split};

/// What a name, a time and an account are read with.
pub(super) struct Known<'a> {
    pub(super) text: &'a str,
    pub(super) names: &'a Names<'a>,
    pub(super) accounts: &'a [Account],
    pub(super) last: Month,
    /// How many there are.
    pub(super) buildings: f64,
}

/// What a piece is to a sentence around a question.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Part {
    /// A place, a kind of property: it may belong to the question.
    Kept,
    /// A time may too.
    Time,
    /// Names a figure.
    Figure,
    /// Who lends, who rents: people before they are figures.
    Party,
    /// Could change a figure.
    Weighs,
    /// "Monthly": of a figure, or of a newsletter.
    Rhythm,
    /// Neither.
    Plain,
    /// Not understood.
    Strange,
}

/// What each piece is.
pub(super) fn parts(pieces: &[Piece], known: &Known<'_>) -> Vec<Part> {
    let mut out = vec![Part::Plain; pieces.len()];
    let mut at = 0;
    while at < pieces.len() {
        let (part, used) = part(pieces, at, known);
        let part = if part == Part::Strange && is_name(pieces, at, known) {
            Part::Kept
        } else {
            part
        };
        for own in out.iter_mut().skip(at).take(used) {
            *own = part;
        }
        at += used.max(1);
    }
    out
}

/// Written like a name: it may be a tenant's. At the beginning of a sentence only with another such word behind it.
fn is_name(pieces: &[Piece], at: usize, known: &Known<'_>) -> bool {
    let Some(piece) = pieces.get(at) else { return false };
    let written = known.text.get(piece.start..piece.end).unwrap_or("");
    if everyday::is(piece.word()) && written.chars().all(char::is_uppercase) {
        return false;
    }
    let capital = written.starts_with(char::is_uppercase);
    piece.capital || (capital && pieces.get(at + 1).is_some_and(|next| next.capital))
}

fn part(pieces: &[Piece], at: usize, known: &Known<'_>) -> (Part, usize) {
    let word = lexicon::look_up(pieces, at);
    let by_word = word.map_or(0, |(_, used)| used);
    if let Some((_, used)) = known.names.find(known.text, pieces, at)
        && used >= by_word
    {
        return (Part::Kept, used);
    }
    if let Some(time) = times::read(pieces, at, known.last)
        && time.used >= by_word
    {
        return (Part::Time, time.used);
    }
    if let Some((_, used)) = accounts::find(pieces, known.accounts, at)
        && used >= by_word
    {
        return (Part::Figure, used);
    }
    match word {
        Some((
            Meaning::Topic(Topic::Lender | Topic::Tenants | Topic::Leases | Topic::Loan | Topic::Leased),
            used,
        )) => (Part::Party, used),
        Some((Meaning::Topic(_), used)) => (Part::Figure, used),
        Some((Meaning::Kind(_), used)) => (Part::Kept, used),
        Some((
            Meaning::Filler | Meaning::Own | Meaning::Whole | Meaning::Pronoun | Meaning::Points,
            used,
        )) => (Part::Plain, used),
        Some((
            Meaning::Turn(Turn::PerMonth | Turn::PerYear)
            | Meaning::By(Split::Month | Split::Quarter | Split::Year),
            used,
        )) => (Part::Rhythm, used),
        Some((_, used)) => (Part::Weighs, used),
        None => match pieces.get(at).map(|piece| &piece.kind) {
            Some(Kind::Word(word)) if among(EVENTS, word) => (Part::Weighs, 1),
            Some(Kind::Word(_)) => (Part::Strange, 1),
            Some(Kind::Amount(_) | Kind::Percent(_) | Kind::Multiple(_)) => (Part::Weighs, 1),
            _ => (Part::Plain, 1),
        },
    }
}

/// What happens to a property, a lease or a loan: what is asked may be of the time after it.
const EVENTS: &str = "sold sell selling sale dispose disposed disposing bought buying divest divested exited exiting leave leaves leaving left \
     move moved moving vacate vacated vacating refinance refinanced refinancing paid repay repaid prepay prepaid close closed \
     closing double doubled raise raised cut renovate renovated default defaulted terminate terminated merge merged add added \
     drop dropped remove removed forget ignore imagine pretend treat count counted counts gone care mind disregard skip \
     happen happened";
