//! A name in what stands around a question, "I'm meeting the Denver lender": whether the question is of it. Pure.
//!
//! It is where the question points back at it, and where nothing speaks against it. It is not where the question names
//! places of its own, or all of them. "Our NOI" may mean either, and is asked.

use crate::portfolio::lexicon::{self, Meaning};
use crate::portfolio::parts::{Known, Part};
use crate::portfolio::pieces::Piece;
use crate::words::among::among;

#[derive(Debug, PartialEq)]
pub(super) enum Beside {
    /// The question is of the name, or there is none.
    Stays,
    Goes,
    Asks(String),
}

/// Words that point back at what was named.
const POINTS: &str = "it its their them they this that";

/// Words of everything as well as of one place: "our NOI", "the total debt".
const OPEN: &str = "our ours my mine total altogether all every";

/// `framed` marks what stands around the question.
pub(super) fn judge(pieces: &[Piece], parts: &[Part], framed: &[bool], known: &Known<'_>) -> Beside {
    let is_framed = |at: usize| framed.get(at) == Some(&true);
    let is_kept = |at: usize| parts.get(at) == Some(&Part::Kept);
    let names: Vec<usize> = (0..pieces.len())
        .filter(|at| is_framed(*at) && is_kept(*at))
        .collect();
    let (Some(first), Some(last)) = (names.first(), names.last()) else {
        return Beside::Stays;
    };
    let asking = || (0..pieces.len()).filter(|at| !is_framed(*at));
    let word = |at: usize| pieces.get(at).map_or("", Piece::word);
    let is_in = |list: &str, at: usize| among(list, word(at));
    let points = asking().find(|at| is_in(POINTS, *at) || is_there(pieces, *at));
    let own = asking().find(|at| is_kept(*at));
    let of_all = |at: usize| matches!(lexicon::look_up(pieces, at), Some((Meaning::Whole, _)));
    let whole = asking().find(|at| of_all(*at));
    let before = |at: Option<usize>| points.is_none_or(|points| at.is_some_and(|at| at < points));
    let is_place = |at: usize| known.names.find(known.text, pieces, at).is_some();
    if (whole.is_some() && before(whole)) || (own.is_some_and(is_place) && before(own)) {
        return Beside::Goes;
    }
    if points.is_some() {
        return Beside::Stays;
    }
    let behind = asking()
        .filter(|at| parts.get(*at) == Some(&Part::Figure))
        .all(|at| at < *first);
    if own.is_some() || behind || asking().any(|at| is_in(OPEN, at)) {
        let written = pieces
            .get(*first)
            .zip(pieces.get(*last))
            .and_then(|(first, last)| known.text.get(first.start..last.end))
            .filter(|_| {
                names
                    .windows(2)
                    .all(|pair| matches!(pair, [one, next] if *next == one + 1))
            })
            .unwrap_or("what you name beside it");
        return Beside::Asks(format!(
            "Do you mean {written} only, or all your properties? Please name in the question itself what it is of."
        ));
    }
    Beside::Stays
}

/// "How full is it there", not "how many are there".
fn is_there(pieces: &[Piece], at: usize) -> bool {
    let word = |at: usize| pieces.get(at).map_or("", Piece::word);
    let before = at.checked_sub(1).map_or("", word);
    word(at) == "there" && !matches!(before, "is" | "are" | "was" | "were")
}
