//! Leases that are signed and have not begun, in whatever words: "yet to begin", "haven't kicked in yet", "waiting to
//! start". Written as the lexicon knows it, before the question is read. Pure.

use crate::portfolio::pieces::{Kind, Piece};
use crate::words::among::among;

/// Stands in front of the verb. One of those that say "not yet" has to be among them.
const FRONT: &str = "that which but who are is have has be been to only still yet not haven't hasn't aren't isn't waiting due \
     set scheduled about going actually even and with don't doesn't won't didn't";
const NOT_YET: &str = "yet still not haven't hasn't aren't isn't waiting due set scheduled about \
     don't doesn't won't";
const VERBS: &str = "start started starting begin begun began commence commenced commencing";

pub(super) fn take(pieces: &mut Vec<Piece>) {
    let has = |words: &str| pieces.iter().any(|piece| among(words, piece.word()));
    if !(has("lease tenancy agreement") && has("signed executed inked")) {
        return;
    }
    let mut at = 0;
    while at < pieces.len() {
        if let Some((from, to)) = found(pieces, at) {
            let (start, end) = (
                pieces.get(from).map_or(0, |piece| piece.start),
                pieces.get(to - 1).map_or(0, |piece| piece.end),
            );
            let said = ["not", "started"].map(|word| Piece {
                kind: Kind::Word(word.to_owned()),
                start,
                end,
                capital: false,
            });
            pieces.splice(from..to, said);
            return;
        }
        at += 1;
    }
}

fn word(pieces: &[Piece], at: usize) -> &str {
    pieces.get(at).map_or("", Piece::word)
}

/// The verb at `at` with what stands around it.
fn found(pieces: &[Piece], at: usize) -> Option<(usize, usize)> {
    let verb = match (word(pieces, at), word(pieces, at + 1)) {
        ("kick" | "kicked" | "kicking", "in") | ("taken" | "take" | "taking", "effect") => 2,
        ("gone" | "go", "into") if word(pieces, at + 2) == "effect" => 3,
        ("in", "effect" | "force" | "place")
            if at > 0 && among("yet not aren't isn't haven't", word(pieces, at - 1)) =>
        {
            2
        }
        (own, _) if among(VERBS, own) => 1,
        _ => return None,
    };
    // "A start date still to come".
    if word(pieces, at) == "start" && word(pieces, at + 1) == "date" {
        return start_date(pieces, at);
    }
    let mut from = at;
    // "For a later start".
    let noun = word(pieces, at) == "start" && from > 0 && among("later future", word(pieces, from - 1));
    while from > 0
        && (among(FRONT, word(pieces, from - 1))
            || (noun && among("for a later future", word(pieces, from - 1))))
    {
        from -= 1;
    }
    let mut to = at + verb;
    if word(pieces, to) == "until" && among("later", word(pieces, to + 1)) {
        to += 1;
    }
    let behind = among("yet still later", word(pieces, to));
    to += usize::from(behind);
    let ahead = word(pieces, to) == "in" && word(pieces, to + 1) == "the" && word(pieces, to + 2) == "future";
    to += if ahead { 3 } else { 0 };
    let behind = behind || ahead || noun;
    let said = behind || (from..at).any(|at| among(NOT_YET, word(pieces, at)));
    (said && (from < at || behind)).then_some((from, to))
}

fn start_date(pieces: &[Piece], at: usize) -> Option<(usize, usize)> {
    let mut from = at;
    while from > 0 && among("with a whose their the future and", word(pieces, from - 1)) {
        from -= 1;
    }
    let future = (from..at).any(|at| word(pieces, at) == "future");
    let mut to = at + 2;
    while among("is are still yet that", word(pieces, to)) {
        to += 1;
    }
    let tail = [
        "to come",
        "in the future",
        "ahead",
        "ahead of us",
        "later than today",
    ]
    .into_iter()
    .filter_map(|phrase| {
        let words: Vec<&str> = phrase.split(' ').collect();
        let all = words
            .iter()
            .enumerate()
            .all(|(n, own)| word(pieces, to + n) == *own);
        all.then_some(words.len())
    })
    .max();
    (future || tail.is_some()).then(|| (from, to + tail.unwrap_or(0)))
}
