//! The words beside a number of a list: what it is called, and which of several things it belongs to.
//!
//! Knows no finance.

use crate::forms::words::Words;
use crate::words::scan::Base;

/// The words before the number, nearest first, back to the number before it or the end of a sentence.
pub(crate) fn before<'a>(words: &Words<'a>, at: usize, most: usize) -> Vec<&'a str> {
    (1..=most)
        .map_while(|back| at.checked_sub(back))
        .take_while(|at| words.number(*at).is_none() && !stops(words, *at))
        .map(|at| words.word(at))
        .collect()
}

/// The words behind the number, nearest first, up to the next number or the end of its clause.
pub(crate) fn behind<'a>(words: &Words<'a>, at: usize, most: usize) -> Vec<&'a str> {
    (1..=most)
        .map(|ahead| at + ahead)
        .take_while(|at| {
            *at < words.tokens.len()
                && words.number(*at).is_none()
                && !stops(words, *at)
                && !words.mark(*at, ',')
        })
        .map(|at| words.word(at))
        .collect()
}

/// The end of a sentence, or of a clause that stands for itself.
fn stops(words: &Words, at: usize) -> bool {
    ['.', ';', '?', '!'].iter().any(|mark| words.mark(at, *mark))
}

/// The end of a sentence.
pub(crate) fn ends_sentence(words: &Words, at: usize) -> bool {
    ['.', '?', '!'].iter().any(|mark| words.mark(at, *mark))
}

/// "four tenants", "the six shops": a small whole number in words or digits that counts what is listed.
pub(crate) fn counts_list(words: &Words, at: usize, listed: usize) -> bool {
    words.number(at).is_some_and(|number| {
        number.value == listed as f64
            && !number.dollars
            && !number.scaled
            && number.per.is_none()
            && number.base.is_none()
    })
}

/// "$200, $220 and $240 per square foot": what the amounts of a row are for each of, as its last one says.
pub(crate) fn row_base(words: &Words, at: usize) -> Option<Base> {
    let mut place = at;
    loop {
        if let Some(base) = words.number(place)?.base {
            return Some(base);
        }
        place += 1;
        while words.mark(place, ',') || words.mark(place, '/') || matches!(words.word(place), "and" | "then")
        {
            place += 1;
        }
    }
}
