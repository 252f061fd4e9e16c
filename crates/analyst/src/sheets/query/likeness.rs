//! When a word of a question and a word of a table are alike: the same word, the same root, or one slip of the pen apart.
//!
//! Knows no table and no question.

use crate::sheets::words::stem;

/// How alike, the better the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Likeness {
    Root,
    Same,
}

const ENDINGS: &[&str] = &[
    "ations", "ation", "ments", "ment", "ings", "ing", "ities", "ity", "ances", "ance", "ions", "ion",
    "ives", "ive", "ers", "er", "ors", "or", "ed", "al", "ly", "es", "s", "e", "y",
];

/// The part of a word that its forms share: "distributed" and "distribution" are both "distribut".
pub(crate) fn root(word: &str) -> String {
    let bare = stem(word);
    for ending in ENDINGS {
        if let Some(front) = bare.strip_suffix(ending)
            && front.chars().count() >= 4
        {
            return front.to_owned();
        }
    }
    bare
}

/// The same word, or another form of it.
pub(crate) fn related(said: &str, own: &str) -> Option<Likeness> {
    if said == own {
        return Some(Likeness::Same);
    }
    let long = said.chars().count() >= 4 && own.chars().count() >= 4;
    (long && said.chars().all(char::is_alphabetic) && root(said) == root(own)).then_some(Likeness::Root)
}

/// One letter more, less, other, or two changed about; the first letter is right.
pub(crate) fn slip(said: &str, own: &str) -> bool {
    if said.chars().next() != own.chars().next() {
        return false;
    }
    let (one, other): (Vec<char>, Vec<char>) = (said.chars().collect(), own.chars().collect());
    let letters = |word: &[char]| word.len() >= 5 && word.iter().all(|sign| sign.is_alphabetic());
    if !letters(&one) || !letters(&other) || one.first() != other.first() || one == other {
        return false;
    }
    let same_front = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let same_back = one
        .iter()
        .rev()
        .zip(other.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let (short, long) = (one.len().min(other.len()), one.len().max(other.len()));
    if long - short == 1 {
        return same_front + same_back >= short;
    }
    if long != short {
        return false;
    }
    if same_front + same_back + 1 >= long {
        return true;
    }
    // Two letters changed about.
    same_front + same_back + 2 == long
        && one.get(same_front) == other.get(same_front + 1)
        && one.get(same_front + 1) == other.get(same_front)
}
