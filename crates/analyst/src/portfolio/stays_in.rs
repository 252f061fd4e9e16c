//! What a question says stays in a count: "the model and the down unit stay in the denominator", "vacant ones
//! included", "rented or not". The first is said as all the units there are, the second counts them anyway. It goes
//! before the question is read. Pure.

use crate::portfolio::pieces::{Kind, Piece};
use crate::words::among::among;

/// Units of which a question says that they count.
const UNITS: &str = "unit apartment one home door bay suite space";
/// States that a unit is in.
const LET: &str = "occupied rented leased let filled tenanted full";
const EMPTY: &str = "vacant empty unoccupied unrented unleased available void";
/// Said in front of what stays, and behind it.
const FRONT: &str = "the both all any our even with counting count counted including include included incl keep keeping \
     kept leave leaving left if when where we you i one do don't doesn't not never strip stripping exclude excluding take \
     taking carve carving drop dropping remove removing out";
const BEHIND: &str = "include included counted kept left stay staying stayed remain remaining remained being be too also still \
     both in stripped excluded taken carved dropped removed out";
/// What stays, goes, or is denied.
const IN: &str = "include incl included including counting counted count keep keeping kept stay staying stayed remain \
     remaining remained denominator even too also in";
const OUT: &str = "out exclude excluding excluded strip stripping stripped carve carving drop dropping dropped remove \
     removing removed without aside";
const NOT: &str = "not never don't doesn't without";
/// That of which they are a part.
const WHOLE: &str = "denominator count base total calculation mix number pool tally figure";

/// Longer ones say more than what stays.
const LONGEST: usize = 7;

/// Writes what stays in as all units, and takes out what says that the state of a unit does not matter.
pub(super) fn take(pieces: &mut Vec<Piece>) {
    let has = |words: &str| pieces.iter().any(|piece| among(words, piece.word()));
    let counts = has("many number count total")
        && (has("unit apartment door home studio bedroom bed br suite flat")
            || pieces
                .iter()
                .any(|piece| piece.word().starts_with(|first: char| first.is_ascii_digit())));
    let full = has("occupancy occupied occ full fullness vacancy");
    if !(counts || full) {
        return;
    }
    // "How many occupied units, models included": those of a state are counted, and that is another question.
    let of_state = pieces.iter().enumerate().any(|(at, piece)| {
        among("many number count", piece.word())
            && (at + 1..at + 5)
                .take_while(|at| among("of the all our rentable", word(pieces, *at)) || state(pieces, *at))
                .any(|at| state(pieces, at) && !among("or and", word(pieces, at + 1)))
    });
    let mut at = 0;
    while at < pieces.len() {
        if counts && let Some(end) = whatever(pieces, at) {
            pieces.drain(at..end);
            continue;
        }
        let found = nothing_out(pieces, at).or_else(|| stays(pieces, at, counts && !full));
        if let Some((from, to)) = found.filter(|_| !of_state) {
            let (start, end) = (
                pieces.get(from).map_or(0, |piece| piece.start),
                pieces.get(to - 1).map_or(0, |piece| piece.end),
            );
            let said = ["all", "unit"].map(|word| Piece {
                kind: Kind::Word(word.to_owned()),
                start,
                end,
                capital: false,
            });
            pieces.splice(from..to, said);
            at = from + 2;
            continue;
        }
        at += 1;
    }
}

fn word(pieces: &[Piece], at: usize) -> &str {
    pieces.get(at).map_or("", Piece::word)
}

fn state(pieces: &[Piece], at: usize) -> bool {
    among(LET, word(pieces, at)) || among(EMPTY, word(pieces, at))
}

/// "Nothing excluded", "with nothing taken out".
fn nothing_out(pieces: &[Piece], at: usize) -> Option<(usize, usize)> {
    let from = at;
    let mut next = at + usize::from(is_mark(pieces, at, ','));
    next += usize::from(word(pieces, next) == "with");
    if !among("nothing none", word(pieces, next)) {
        return None;
    }
    next += 1;
    next += usize::from(among("is being", word(pieces, next)));
    match (word(pieces, next), word(pieces, next + 1)) {
        ("taken" | "left" | "stripped" | "carved" | "backed", "out") => Some((from, next + 2)),
        ("excluded" | "removed", _) => Some((from, next + 1)),
        _ => None,
    }
}

fn is_mark(pieces: &[Piece], at: usize, sign: char) -> bool {
    pieces.get(at).is_some_and(|piece| piece.is_mark(sign))
}

/// "Rented or not", "regardless of whether they're let", ", occupied and vacant alike": where it ends.
fn whatever(pieces: &[Piece], at: usize) -> Option<usize> {
    let mark = is_mark(pieces, at, ',') || is_mark(pieces, at, '(') || is_mark(pieces, at, '-');
    let bracket = is_mark(pieces, at, '(');
    let mut next = at + usize::from(mark);
    let mut leads = false;
    for lead in [
        "regardless of whether",
        "irrespective of whether",
        "no matter whether",
        "no matter if",
        "regardless of if",
        "whether or not",
        "whether",
        "both",
        "be they",
    ] {
        let words: Vec<&str> = lead.split(' ').collect();
        if words
            .iter()
            .enumerate()
            .all(|(n, own)| word(pieces, next + n) == *own)
        {
            next += words.len();
            leads = true;
            break;
        }
    }
    next += usize::from(among("they it", word(pieces, next)));
    next += usize::from(among("are is", word(pieces, next)));
    if !state(pieces, next) {
        return None;
    }
    let first = next;
    next += 1;
    let joined = among("or and", word(pieces, next)) || is_mark(pieces, next, '/');
    let opposite = among(LET, word(pieces, first)) != among(LET, word(pieces, next + 1));
    let mut both = false;
    let mut either = false;
    // "Vacant and not leased yet" is a state of its own.
    if word(pieces, next) == "or" && word(pieces, next + 1) == "not" {
        either = true;
        next += 2;
    } else if joined && state(pieces, next + 1) && opposite {
        both = true;
        next += 2;
    }
    // "Rented or not rentable": another state follows.
    let more = either
        && among(
            "rentable lettable leasable available occupied leased rented let vacant",
            word(pieces, next),
        );
    let alike = among("alike both", word(pieces, next));
    next += usize::from(alike);
    let said = (either && !more) || (both && (leads || alike || mark)) || leads;
    // "How many are occupied, vacant and down": each of them is asked for.
    let goes_on = among("and or", word(pieces, next)) || (mark && is_mark(pieces, next, ','));
    let listed = both && goes_on && !alike && !leads;
    (said && !listed && !more).then(|| next + usize::from(bracket && is_mark(pieces, next, ')')))
}

/// Where a list of models, down units and the like that begins at `at` ends. Of units that are only counted, the vacant
/// ones may stand alone.
fn named(pieces: &[Piece], at: usize, vacant: bool) -> Option<usize> {
    let mut next = at;
    let mut found = false;
    loop {
        next += usize::from(among("the any both our", word(pieces, next)));
        let own = match word(pieces, next) {
            "model" | "offline" | "nonrevenue" | "unrentable" => 1,
            "non" if among("revenue rentable", word(pieces, next + 1)) => 2,
            // "Going down" is no unit.
            "down" if found || among(UNITS, word(pieces, next + 1)) || joins(pieces, next + 1) => 1,
            state if among(EMPTY, state) && (vacant || (!found && joins_model(pieces, next))) => 1,
            _ => return None,
        };
        found |= vacant || !among(EMPTY, word(pieces, next));
        next += own;
        next += usize::from(among(UNITS, word(pieces, next)));
        let comma = usize::from(is_mark(pieces, next, ','));
        let link = comma
            + usize::from(
                among("and or plus", word(pieces, next + comma))
                    || is_mark(pieces, next + comma, '/')
                    || is_mark(pieces, next + comma, '&'),
            );
        if link == 0 || named(pieces, next + link, vacant).is_none() {
            return found.then_some(next);
        }
        next += link;
    }
}

/// "Down and model": another kind follows.
fn joins(pieces: &[Piece], at: usize) -> bool {
    (among("and or plus", word(pieces, at)) || is_mark(pieces, at, '/') || is_mark(pieces, at, '&'))
        && (word(pieces, at + 1) == "model" || word(pieces, at + 2) == "model")
}

/// "Vacant ones and the model".
fn joins_model(pieces: &[Piece], at: usize) -> bool {
    let next = at + 1 + usize::from(among(UNITS, word(pieces, at + 1)));
    word(pieces, next) == "and"
        && (1..3).any(|step| among("model down non nonrevenue", word(pieces, next + step)))
}

/// What stays in around the names at `at`: from where to where it is said.
fn stays(pieces: &[Piece], at: usize, vacant: bool) -> Option<(usize, usize)> {
    if among("the any both our", word(pieces, at)) {
        return None;
    }
    let end = named(pieces, at, vacant)?;
    let mut from = at;
    while from > 0 && at - from < LONGEST && among(FRONT, word(pieces, from - 1)) {
        from -= 1;
    }
    let before = from.checked_sub(1);
    // "How many models", "a count of the models": they are what is counted.
    if before.is_some_and(|before| among("many of number which", word(pieces, before))) {
        return None;
    }
    let mark = before.filter(|at| is_mark(pieces, *at, ',') || is_mark(pieces, *at, '('));
    let mut to = end;
    while to - end < LONGEST {
        let next = word(pieces, to);
        let whole = |at: usize| among(WHOLE, word(pieces, at));
        let the = |at: usize| at + usize::from(among("the our", word(pieces, at)));
        let verb = |at: usize| among(BEHIND, word(pieces, at)) && !among("in out", word(pieces, at));
        if next == "in" && whole(the(to + 1)) {
            to = the(to + 1) + 1;
        } else if among("in out", next) {
            // "In Austin" is a place.
            let ends = pieces
                .get(to + 1)
                .is_none_or(|piece| matches!(piece.kind, Kind::Mark(_)));
            if !ends {
                break;
            }
            to += 1;
        } else if among("not never", next) && among(OUT, word(pieces, to + 1)) {
            to += 2;
        } else if next == "as"
            && among("a an", word(pieces, to + 1))
            && among("unit available rentable", word(pieces, to + 2))
        {
            // "Counting the model as an available unit".
            to += 3 + usize::from(word(pieces, to + 3) == "unit");
        } else if among(BEHIND, next)
            || (among("is are", next) && verb(to + 1))
            || (next == "and" && word(pieces, to + 1) == "all")
            || (next == "as" && word(pieces, to + 1) == "well")
        {
            to += if among("and as", next) { 2 } else { 1 };
        } else {
            break;
        }
    }
    let said: Vec<&str> = (from..at).chain(end..to).map(|at| word(pieces, at)).collect();
    let any = |list: &str| said.iter().any(|own| among(list, own));
    let tail = (end..to).any(|at| among("all well", word(pieces, at)));
    // "Count the models": that is the question.
    let bare = said == ["count"] || said == ["count", "the"];
    let kept = if any(OUT) {
        any("not never don't doesn't") && !any("without")
    } else {
        (any(IN) || tail) && !any(NOT) && !bare
    };
    let from = mark.unwrap_or(from);
    let to = to + usize::from(mark.is_some_and(|at| is_mark(pieces, at, '(')) && is_mark(pieces, to, ')'));
    kept.then_some((from, to))
}
