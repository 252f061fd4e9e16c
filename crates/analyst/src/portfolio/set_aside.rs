//! What somebody sets aside before asking, "Never mind the mezz.", "Take Denver out of it.": said as what is left out of
//! the question that follows. And what is supposed before it: "Say vacancy doubles." Pure.

use crate::portfolio::pieces::{Kind, Piece, clause_end, stem};

/// Set aside by one phrase in front.
const IN_FRONT: [&str; 22] = [
    "forget about",
    "forget",
    "ignore",
    "disregard",
    "skip",
    "drop",
    "never mind",
    "nevermind",
    "set aside",
    "leave aside",
    "put aside",
    "leave out",
    "take out",
    "strip out",
    "exclude",
    "remove",
    "i don't care about",
    "we don't care about",
    "don't care about",
    "don't worry about",
    "don't count",
    "don't include",
];

/// Set aside by a verb in front and a word behind: "take Denver out".
const AROUND: [(&str, &str); 7] = [
    ("take", "out"),
    ("leave", "out"),
    ("leave", "aside"),
    ("set", "aside"),
    ("put", "aside"),
    ("strip", "out"),
    ("count", "out"),
];

/// What is supposed.
const SUPPOSED: [&str; 6] = ["let's say", "lets say", "say", "picture", "pretend", "imagine"];

/// Longer sentences set more aside than a name.
const LONGEST: usize = 12;

/// Writes what is set aside as left out, and what is supposed as such.
pub(super) fn take(pieces: &mut Vec<Piece>) {
    let mut at = 0;
    while at < pieces.len() {
        if begins(pieces, at) {
            one(pieces, at);
        }
        not_only(pieces, at);
        left_out(pieces, at);
        at += 1;
    }
}

/// Whether a sentence begins at `at`. "Please" and the like may stand before.
fn begins(pieces: &[Piece], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| pieces.get(at));
    before.is_none_or(|piece| {
        matches!(piece.kind, Kind::Mark('.' | '?' | '!' | ';' | ':'))
            || matches!(piece.word(), "please" | "just" | "now" | "ok" | "okay")
    })
}

fn one(pieces: &mut Vec<Piece>, at: usize) {
    let word = |pieces: &[Piece], at: usize| {
        pieces
            .get(at)
            .map_or(String::new(), |piece| piece.word().to_owned())
    };
    let length = |phrase: &str| {
        let words: Vec<&str> = phrase.split(' ').collect();
        let all = words
            .iter()
            .enumerate()
            .all(|(n, own)| word(pieces, at + n) == stem(own));
        all.then_some(words.len())
    };
    if let Some(used) = SUPPOSED.iter().find_map(|phrase| length(phrase)) {
        // "Say, what is …", "say what it is": tell me.
        let next = word(pieces, at + used);
        let told =
            next.is_empty() || matches!(next.as_str(), "what" | "how" | "who" | "which" | "when" | "where");
        if !told {
            rewrite(pieces, at, used, "suppose");
        }
        return;
    }
    if matches!(
        word(pieces, at).as_str(),
        "drop" | "remove" | "exclude" | "strip" | "subtract"
    ) {
        let from = (at + 2..at + 8).find(|next| word(pieces, *next) == "from");
        if let Some(from) =
            from.filter(|from| matches!(word(pieces, from + 1).as_str(), "the" | "our" | "it" | "that"))
        {
            comma(pieces, from);
            rewrite(pieces, at, 1, "excluding");
            return;
        }
    }
    let end = (at..pieces.len().min(at + LONGEST)).find(|end| {
        pieces
            .get(*end)
            .is_some_and(|piece| matches!(piece.kind, Kind::Mark('.' | '!' | ';' | ',')))
    });
    let Some(end) = end else { return };
    let around = AROUND.iter().find_map(|(front, behind)| {
        let behind = (at + 2..end).find(|next| word(pieces, *next) == *behind)?;
        let rest = (behind + 1..end).all(|next| {
            matches!(
                word(pieces, next).as_str(),
                "of" | "it" | "that" | "this" | "the" | "total" | "portfolio" | "number" | "figure" | "mix"
            )
        });
        (word(pieces, at) == *front && rest).then_some(behind)
    });
    let front = IN_FRONT.iter().find_map(|phrase| length(phrase));
    // "Forget it": nothing is named.
    let named = |from: usize, to: usize| {
        (from..to).any(|at| {
            !matches!(
                word(pieces, at).as_str(),
                "" | "it" | "that" | "this" | "them" | "the" | "all"
            )
        })
    };
    match (around, front) {
        (Some(behind), _) if named(at + 1, behind) => {
            comma(pieces, end);
            pieces.drain(behind..end);
            rewrite(pieces, at, 1, "excluding");
        }
        (None, Some(used)) if named(at + used, end) => {
            comma(pieces, end);
            rewrite(pieces, at, used, "excluding");
        }
        _ => {}
    }
}

/// "Everything, not just Tampa": Tampa is no bound. "Not just Tampa but Austin": both.
fn not_only(pieces: &mut Vec<Piece>, at: usize) {
    let word = |pieces: &[Piece], at: usize| {
        pieces
            .get(at)
            .map_or(String::new(), |piece| piece.word().to_owned())
    };
    if word(pieces, at) != "not"
        || !matches!(
            word(pieces, at + 1).as_str(),
            "just" | "only" | "merely" | "simply"
        )
    {
        return;
    }
    let end = clause_end(pieces, at);
    let but = (at..end).find(|next| word(pieces, *next) == "but");
    match but {
        Some(but) => {
            let also = usize::from(word(pieces, but + 1) == "also");
            rewrite(pieces, but, 1 + also, "and");
            pieces.drain(at..at + 2);
        }
        None => {
            pieces.drain(at..end);
        }
    }
}

/// "With Westside Foundry left out", "with taxes excluded".
fn left_out(pieces: &mut Vec<Piece>, at: usize) {
    let word = |at: usize| pieces.get(at).map_or("", Piece::word);
    if word(at) != "with" {
        return;
    }
    let out = |at: usize| match (word(at), word(at + 1)) {
        ("left" | "taken" | "stripped" | "carved" | "pulled", "out") | ("left" | "put" | "set", "aside") => {
            Some(2)
        }
        ("excluded" | "removed" | "ignored", _) => Some(1),
        _ => None,
    };
    let found = (at + 2..at + 8)
        .take_while(|next| {
            pieces
                .get(*next)
                .is_some_and(|piece| !matches!(piece.kind, Kind::Mark(_)))
        })
        .find_map(|next| out(next).map(|used| (next, used)));
    if let Some((from, used)) = found {
        pieces.drain(from..from + used);
        rewrite(pieces, at, 1, "excluding");
    }
}

/// What is set aside belongs to the sentence behind it.
fn comma(pieces: &mut [Piece], at: usize) {
    if let Some(piece) = pieces.get_mut(at) {
        piece.kind = Kind::Mark(',');
    }
}

/// Puts one word in the place of `used` pieces.
fn rewrite(pieces: &mut Vec<Piece>, at: usize, used: usize, word: &str) {
    let last = (at + used).saturating_sub(1);
    if let Some(end) = pieces.get(last).map(|piece| piece.end)
        && let Some(piece) = pieces.get_mut(at)
    {
        piece.kind = Kind::Word(word.to_owned());
        piece.end = end;
        piece.capital = false;
    }
    pieces.drain(at + 1..=last);
}
