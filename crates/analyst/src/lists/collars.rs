//! The floor and the cap of an indexation, as their names, a comparison or a range tell them.
//!
//! Knows no rent; a percentage is read here for both.

use crate::forms::words::Words;
use crate::plan::outcome::Ask;
use crate::words::scan::{Shape, Sign};

pub(super) const INDEX: &[&str] = &[
    "cpi",
    "rpi",
    "hicp",
    "indexed",
    "indexation",
    "index",
    "inflation",
];

/// What holds a change between two bounds.
const COLLARS: &[&str] = &["collar", "collars", "collared", "corridor"];

/// The floor and the cap, as far as they are told; their numbers are used.
pub(super) fn read(words: &Words, used: &mut Vec<usize>) -> Result<(Option<f64>, Option<f64>), Ask> {
    let unclear = || Ask::because("What are the floor and the cap of the indexation?");
    if let Some((floor, cap)) = range(words, used).or_else(|| written(words, used)) {
        return if floor <= cap {
            Ok((Some(floor), Some(cap)))
        } else {
            Err(unclear())
        };
    }
    // Whichever stands right before its name has it; the others follow theirs.
    let floor = bound(words, &["floor", "floored", "minimum", "min", "collar"], used)
        .or_else(|| compared(words, true, used));
    let cap = bound(words, &["cap", "ceiling", "maximum", "max", "capped"], used)
        .or_else(|| compared(words, false, used));
    let (floor, cap) = match alternative(words).filter(|(at, _)| !used.contains(at)) {
        Some((at, least)) => {
            used.push(at);
            let bound = percent(words, at);
            if least { (bound, cap) } else { (floor, bound) }
        }
        None => (floor, cap),
    };
    let no_floor = words.says(&["no floor", "without a floor", "without floor"]);
    let no_cap = words.says(&["no cap", "uncapped", "without a cap", "without cap"]);
    // A collar has two sides.
    let collar = words.has(COLLARS) && !words.says(&["no collar", "without a collar", "without collar"]);
    if (words.has(&["floor", "floored", "minimum"]) && !no_floor && floor.is_none())
        || (words.has(&["cap", "capped", "ceiling", "maximum"]) && !no_cap && cap.is_none())
        || (collar && (floor.is_none() || cap.is_none()))
    {
        return Err(unclear());
    }
    Ok((floor, cap))
}

/// "Between 1% and 4%", "a collar of 1% to 4%".
fn range(words: &Words, used: &mut Vec<usize>) -> Option<(f64, f64)> {
    let at = (0..words.tokens.len())
        .find(|at| words.word(*at) == "between" || COLLARS.contains(&words.word(*at)))?;
    let numbers: Vec<usize> = words
        .numbers()
        .filter(|place| *place > at && *place < at + 8)
        .take(2)
        .collect();
    let (&first, &second) = (numbers.first()?, numbers.get(1)?);
    let joined = (first + 1..second).any(|at| matches!(words.word(at), "and" | "to"));
    let pair = near(words, first).zip(near(words, second))?;
    let apart = (at..second).any(|at| ['.', ';', '?'].iter().any(|mark| words.mark(at, *mark)));
    (joined && !apart).then(|| {
        used.extend([first, second]);
        pair
    })
}

/// "A 1.5%-3.5% collar", "collar: 1.5/3.5%", "held in a band of 1.5-3.5%": two bounds side by side at the word for both.
fn written(words: &Words, used: &mut Vec<usize>) -> Option<(f64, f64)> {
    let places: Vec<usize> = words.numbers().collect();
    let named = |at: usize| {
        COLLARS.contains(&words.word(at))
            || matches!(words.word(at), "band" | "range")
            || matches!(
                (words.word(at), words.word(at + 2)),
                ("floor" | "min" | "minimum", "cap" | "ceiling" | "max" | "maximum")
            ) && (words.mark(at + 1, '/') || words.word(at + 1) == "and")
    };
    places.windows(2).find_map(|pair| {
        let [first, second] = pair else { return None };
        let between = first + 1..*second;
        let joined = between.clone().all(|at| {
            ['-', '–', '/'].iter().any(|mark| words.mark(at, *mark)) || matches!(words.word(at), "to" | "and")
        });
        let beside = (second + 1..second + 3).any(named)
            || (1..=5)
                .map_while(|back| first.checked_sub(back))
                .take_while(|at| {
                    words.number(*at).is_none() && ![',', '.', ';'].iter().any(|mark| words.mark(*at, *mark))
                })
                .any(named);
        let dashed = words.number(*second).is_some_and(|number| number.value > 0.0)
            && (between.clone().next().is_none() || between.clone().any(|at| words.mark(at, '-')));
        let cap = near(words, *second).map(|cap| if dashed { cap.abs() } else { cap });
        let bounds = near(words, *first).zip(cap).filter(|_| joined && beside)?;
        used.extend([*first, *second]);
        Some(bounds)
    })
}

/// "The greater of 2% or CPI": the percentage beside the index is its floor; of "the lesser of", its cap.
fn alternative(words: &Words) -> Option<(usize, bool)> {
    let (at, least) = (0..words.tokens.len()).find_map(|at| match words.word(at) {
        "greater" | "higher" | "larger" if words.word(at + 1) == "of" => Some((at, true)),
        "lesser" | "lower" | "smaller" if words.word(at + 1) == "of" => Some((at, false)),
        _ => None,
    })?;
    let to = (at..at + 8).find(|at| matches!(words.word(*at), "or" | "and"))?;
    let index = (at..to + 3).any(|at| INDEX.contains(&words.word(at)));
    let bound = (at..to + 3).find(|at| percent(words, *at).is_some())?;
    index.then_some((bound, least))
}

/// The percentage that one of the words names.
fn bound(words: &Words, names: &[&str], used: &mut Vec<usize>) -> Option<f64> {
    for at in 0..words.tokens.len() {
        if !names.contains(&words.word(at)) {
            continue;
        }
        let ahead = (at + 1..at + 4).find(|next| {
            percent(words, *next).is_some()
                && (at + 1..*next).all(|at| {
                    matches!(
                        words.word(at),
                        "of" | "is"
                            | "at"
                            | "a"
                            | ""
                            | "increase"
                            | "rise"
                            | "uplift"
                            | "adjustment"
                            | "annual"
                            | "yearly"
                    ) && words.number(at).is_none()
                        && !words.mark(at, ',')
                })
        });
        let back = at.checked_sub(1).filter(|back| percent(words, *back).is_some());
        if let Some(place) = back
            .filter(|place| !used.contains(place))
            .or(ahead.filter(|place| !used.contains(place)))
        {
            used.push(place);
            return percent(words, place);
        }
    }
    None
}

/// "At least 1.5% and at most 4.5%", "never by less than 1.5% or more than 4.5%": a bound that its comparison names.
fn compared(words: &Words, least: bool, used: &mut Vec<usize>) -> Option<f64> {
    let place = (1..words.tokens.len()).find(|at| {
        if percent(words, *at).is_none() || used.contains(at) {
            return false;
        }
        let back = |by: usize| at.checked_sub(by).map_or("", |at| words.word(at));
        if back(2) == "at" {
            return back(1) == if least { "least" } else { "most" };
        }
        let (compares, from) = match back(1) {
            "than" => (back(2), 3),
            word => (word, 2),
        };
        let fits = if least {
            matches!(
                compares,
                "less" | "lower" | "smaller" | "below" | "under" | "fewer"
            )
        } else {
            matches!(
                compares,
                "more"
                    | "higher"
                    | "greater"
                    | "larger"
                    | "above"
                    | "over"
                    | "exceed"
                    | "exceeds"
                    | "exceeding"
            )
        };
        let denied = (from..from + 8)
            .any(|by| matches!(back(by), "never" | "not" | "no" | "nor" | "cannot" | "neither"));
        fits && denied
    })?;
    used.push(place);
    percent(words, place)
}

fn near(words: &Words, at: usize) -> Option<f64> {
    percent(words, at).or_else(|| {
        words
            .number(at)
            .filter(|number| number.shape == Shape::Plain && number.value < 20.0)
            .map(|number| number.value / 100.0)
    })
}

/// A percentage, or a small number that stands in a list with one.
pub(super) fn percent(words: &Words, at: usize) -> Option<f64> {
    let number = words.number(at)?;
    let sign = if number.sign == Sign::Minus { -1.0 } else { 1.0 };
    match number.shape {
        Shape::Percent => Some(sign * number.value / 100.0),
        Shape::Plain if !number.dollars && number.value < 20.0 && !number.scaled && listed(words, at) => {
            Some(sign * number.value / 100.0)
        }
        _ => None,
    }
}

/// Numbers that share one unit at most; a longer list would be searched to its end for each of them.
const SHARED: usize = 60;

/// "6.5, 3.4 and 2.8%": the unit stands at the end.
fn listed(words: &Words, mut at: usize) -> bool {
    for _ in 0..SHARED {
        let Some(next) = (at + 1..words.tokens.len()).find(|next| words.number(*next).is_some()) else {
            return false;
        };
        let between = (at + 1..next).all(|at| {
            words.mark(at, ',') || words.mark(at, '/') || matches!(words.word(at), "and" | "then" | "to")
        });
        if !between {
            return false;
        }
        if words
            .number(next)
            .is_some_and(|number| number.shape == Shape::Percent)
        {
            return true;
        }
        at = next;
    }
    false
}
