//! What a word says of the units that its number counts: let, empty, or out of use.
//!
//! Knows no question; a denied word says the contrary, and what is said of the rest has no number of its own.

use crate::forms::words::Words;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Occupied,
    Vacant,
    /// Not for rent: leaves both sides.
    Down,
}

pub(super) fn state(words: &Words, at: usize) -> Option<State> {
    if of_the_rest(words, at) {
        return None;
    }
    let before = at.checked_sub(1).map_or("", |at| words.word(at));
    let state = match words.word(at) {
        "occupied" | "leased" | "rented" | "tenanted" | "filled" | "inhabited" | "taken" | "somebody"
        | "someone" => State::Occupied,
        // "let me know" lets nothing.
        "let" if !matches!(words.word(at + 1), "me" | "us" | "s" | "it" | "them") => State::Occupied,
        "vacant" | "empty" | "unoccupied" | "unleased" | "unlet" | "unrented" | "idle" | "untenanted"
        | "vacancies" | "empties" | "void" | "voids" | "dark" => State::Vacant,
        "down" | "offline" | "uninhabitable" => State::Down,
        // A building that is renovated has no number of its own.
        "renovation" | "renovated" | "refurbishment" | "refurbished" | "decommissioned" | "service"
            if (words.word(at) != "service" || before == "of") && numbered(words, at) =>
        {
            State::Down
        }
        // "9 off-line": a hyphen is a token of its own.
        "line" if at >= 2 && (before == "off" || words.mark(at - 1, '-') && words.word(at - 2) == "off") => {
            State::Down
        }
        "occupy" | "occupies" => State::Occupied,
        "lived" if words.word(at + 1) == "in" => State::Occupied,
        "living" | "live" | "lives" if matches!(words.word(at + 1), "in" | "there") => State::Occupied,
        "model" | "models" => State::Down,
        // "34 are rented, 2 are not".
        "not" | "aren't" | "isn't"
            if ['.', ',', ';', '?'].iter().any(|mark| words.mark(at + 1, *mark)) && numbered(words, at) =>
        {
            State::Vacant
        }
        "leases" | "tenancies"
            if at.checked_sub(1).is_some_and(|at| words.number(at).is_some())
                && !words.word(at + 1).starts_with("expir") =>
        {
            State::Occupied
        }
        "residents" | "households" | "occupants"
            if matches!(before, "paying" | "with" | "have" | "has")
                || at.checked_sub(1).is_some_and(|at| words.number(at).is_some()) =>
        {
            State::Occupied
        }
        _ => return None,
    };
    // "not leased", "yet to be let".
    // "nothing down" has no number to belong to.
    let denied_before = matches!(before, "nothing" | "none" | "no" | "zero") || of_none(words, at);
    if state == State::Down && denied_before {
        return None;
    }
    let denied = matches!(before, "not" | "isn't" | "aren't" | "un" | "without");
    Some(match (state, denied) {
        (State::Occupied, true) => State::Vacant,
        (State::Vacant, true) => State::Occupied,
        (state, _) => state,
    })
}

/// "No models or down units": the no is said of both.
fn of_none(words: &Words, at: usize) -> bool {
    (1..=8)
        .map_while(|back| at.checked_sub(back))
        .take_while(|at| {
            let hyphen = words.mark(*at, '-');
            hyphen
                || matches!(
                    words.word(*at),
                    "model"
                        | "models"
                        | "down"
                        | "offline"
                        | "units"
                        | "unit"
                        | "or"
                        | "and"
                        | "any"
                        | "no"
                        | "without"
                        | "zero"
                        | "none"
                        | "neither"
                        | "of"
                        | "them"
                        | "these"
                        | "those"
                        | "nothing"
                        | "held"
                        | "kept"
                        | "taken"
                        | "sitting"
                        | "marked"
                        | "being"
                        | "currently"
                        | "is"
                        | "are"
                        | "nor"
                        | "off"
                        | "out"
                        | "line"
                )
        })
        .any(|at| {
            matches!(
                words.word(at),
                "no" | "without" | "zero" | "none" | "neither" | "nothing"
            )
        })
}

/// A number stands a few words before, in the same clause.
fn numbered(words: &Words, at: usize) -> bool {
    (1..=5)
        .map_while(|back| at.checked_sub(back))
        .take_while(|at| !words.mark(*at, ',') && !words.mark(*at, '.'))
        .any(|at| words.number(at).is_some())
}

/// "Everything else is leased": what is left over has no number of its own.
fn of_the_rest(words: &Words, at: usize) -> bool {
    (1..=6)
        .map_while(|back| at.checked_sub(back))
        .take_while(|at| {
            words.number(*at).is_none() && ![',', ';', '.', ':'].iter().any(|mark| words.mark(*at, *mark))
        })
        .any(|at| {
            // "281 of the rest are leased": some of them, by their own number.
            let some = at.checked_sub(3).is_some_and(|number| {
                words.number(number).is_some()
                    && words.word(number + 1) == "of"
                    && words.word(number + 2) == "the"
            });
            !some && matches!(words.word(at), "else" | "rest" | "remainder" | "others")
                || (words.word(at) == "balance"
                    && at.checked_sub(1).is_some_and(|at| words.word(at) == "the"))
        })
}
