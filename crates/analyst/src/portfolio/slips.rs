//! Slips of spelling in words that the lexicon knows: "occupany" is occupancy. Only words that are nothing else, and only
//! where one word alone is near; what was read is said.

use crate::portfolio::lexicon;
use crate::portfolio::pieces::{Kind, Piece, stem};
use crate::portfolio::places::{Names, distance};
use crate::words::everyday;
use finance::portfolio::query::Account;
use tables::dates::month_named;

/// Words of times and numbers, which are read without the lexicon.
const OTHERS: &str = "since through until trailing rolling previous preceding quarter month coming following within \
     before second fourth third eleven twelve hundred thousand million billion studio bedroom suite ending ended ago \
     first calendar fiscal summer winter spring autumn season holiday starting today tomorrow yesterday";

/// Words shorter than this have too many neighbours.
const SHORTEST: usize = 6;

/// Mends the pieces; what was read otherwise than written.
pub(super) fn mend(text: &str, pieces: &mut [Piece], names: &Names<'_>, accounts: &[Account]) -> Vec<String> {
    let mut told = Vec::new();
    let of_accounts: Vec<String> = accounts
        .iter()
        .flat_map(|account| account.name.split(|c: char| !c.is_alphanumeric()))
        .filter(|word| word.len() >= SHORTEST)
        .map(|word| stem(&word.to_lowercase()))
        .collect();
    for piece in pieces.iter_mut() {
        let Kind::Word(word) = &piece.kind else { continue };
        let long = word.chars().count();
        let plain = word.chars().all(char::is_alphabetic);
        let known = lexicon::words().contains(word)
            || of_accounts.contains(word)
            || names.holds(word)
            || everyday::is(word)
            || month_named(word).is_some()
            || OTHERS.split_whitespace().any(|other| stem(other) == *word);
        // "Expensed" is no slip of "expense": a verb says something else than the noun.
        let inflected = ["d", "ed", "ing"].into_iter().any(|tail| {
            word.strip_suffix(tail).is_some_and(|body| {
                lexicon::words().contains(body) || lexicon::words().contains(&format!("{body}e"))
            })
        });
        if long < SHORTEST || !plain || known || inflected || piece.capital {
            continue;
        }
        let most = if long >= 10 { 2 } else { 1 };
        let near: Vec<&String> = lexicon::words()
            .iter()
            .chain(&of_accounts)
            .filter(|other| other.chars().count() >= SHORTEST && other.chars().next() == word.chars().next())
            .filter(|other| distance(word, other, most).is_some())
            .collect();
        let mut one = near.clone();
        one.sort();
        one.dedup();
        // Of several the one that ends alike: "occupany" is no occupant.
        if one.len() > 1 {
            one.retain(|other| other.chars().last() == word.chars().last());
        }
        if let [only] = one.as_slice() {
            let written = text.get(piece.start..piece.end).unwrap_or("");
            told.push(format!("I read “{written}” as “{only}”."));
            piece.kind = Kind::Word((*only).clone());
        }
    }
    told
}
