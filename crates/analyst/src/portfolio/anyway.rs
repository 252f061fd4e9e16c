//! What a question says of how a figure counts that counts so anyway: "the model left out", "annual rent (x 12)",
//! "positive means better", "not October". It goes before the question is read. Pure.

use crate::portfolio::accounts;
use crate::portfolio::lexicon::{self, Meaning, Topic};
use crate::portfolio::pieces::{Kind, Piece, clause_end};
use crate::portfolio::times;
use crate::words::among::among;
use finance::portfolio::calendar::Month;
use finance::portfolio::query::Account;
use tables::dates::month_named;

/// Takes out what changes nothing. `last` is the last closed month.
pub(super) fn drop(pieces: &mut Vec<Piece>, known: &[Account], last: Month) {
    this_year(pieces, last);
    prior_twelve(pieces);
    let mut at = 0;
    while at < pieces.len() {
        let used = [
            model_out(pieces, at),
            by_twelve(pieces, at),
            sign(pieces, at),
            formula(pieces, at),
            payment(pieces, at, last),
            other_time(pieces, at, last),
            other_account(pieces, at, known),
            mezzanine_out(pieces, at),
            leased(pieces, at),
        ];
        match used.into_iter().flatten().max() {
            Some(used) => {
                pieces.drain(at..(at + used).min(pieces.len()));
            }
            None => at += 1,
        }
    }
}

fn word(pieces: &[Piece], at: usize) -> &str {
    pieces.get(at).map_or("", Piece::word)
}

fn is_mark(pieces: &[Piece], at: usize, sign: char) -> bool {
    pieces.get(at).is_some_and(|piece| piece.is_mark(sign))
}

fn has(pieces: &[Piece], words: &str) -> bool {
    pieces.iter().any(|piece| among(words, piece.word()))
}

/// "July of this year": its number stands behind the month.
fn this_year(pieces: &mut Vec<Piece>, last: Month) {
    let found = (1..pieces.len()).find(|at| {
        word(pieces, *at) == "of"
            && month_named(word(pieces, at - 1)).is_some()
            && among("this last", word(pieces, at + 1))
            && word(pieces, at + 2) == "year"
    });
    let Some(at) = found else { return };
    let year = last.year() - i32::from(word(pieces, at + 1) == "last");
    if let Some(piece) = pieces.get_mut(at + 2) {
        piece.kind = Kind::Number(f64::from(year));
    }
    pieces.drain(at..at + 2);
}

/// "Over the prior T-12".
fn prior_twelve(pieces: &mut [Piece]) {
    let twelve = |at: usize| pieces.get(at).and_then(Piece::number) == Some(12.0);
    let prior = |at: &usize| among("prior previous preceding", word(pieces, *at));
    let found = (0..pieces.len())
        .filter(prior)
        .find(|at| word(pieces, at + 1) == "t" && twelve(at + 2));
    // "The last 12 months versus the prior 12".
    let bare = (0..pieces.len())
        .filter(prior)
        .find(|at| twelve(at + 1) && word(pieces, at + 2) != "month");
    if let Some(piece) = bare.and_then(|at| pieces.get_mut(at + 1)) {
        piece.kind = Kind::Word("year".to_owned());
    }
    let Some(at) = found else { return };
    for (next, said) in [(at, "prior"), (at + 1, "twelve"), (at + 2, "month")] {
        if let Some(piece) = pieces.get_mut(next) {
            piece.kind = Kind::Word(said.to_owned());
        }
    }
}

/// Occupancy is of rentable units: models and those that are down are in none, nor in a rent of rentable units.
fn model_out(pieces: &[Piece], at: usize) -> Option<usize> {
    if !has(
        pieces,
        "occupancy occupied occ full vacant vacancy rentable market",
    ) {
        return None;
    }
    // "By rentable unit count".
    let by = at.checked_sub(1).is_some_and(|at| word(pieces, at) == "by");
    if word(pieces, at) == "rentable"
        && by
        && word(pieces, at + 1) == "unit"
        && word(pieces, at + 2) == "count"
    {
        return Some(1);
    }
    let start = usize::from(is_mark(pieces, at, ','));
    let mut next = at + start;
    let before = among("leave leaving left", word(pieces, next));
    if before {
        next += 1;
        next += usize::from(word(pieces, next) == "out");
    }
    next += usize::from(word(pieces, next) == "the");
    if word(pieces, next) != "model" {
        return None;
    }
    next += 1;
    next += usize::from(word(pieces, next) == "unit");
    let left = word(pieces, next) == "left";
    next += usize::from(left);
    let out = word(pieces, next) == "out";
    next += usize::from(out);
    let said = (before && (out || word(pieces, at + start + 1) == "out")) || (left && out);
    said.then_some(next - at)
}

/// "Rent in effect x 12": rents of leases are told by the year.
fn by_twelve(pieces: &[Piece], at: usize) -> Option<usize> {
    let times = among("x times", word(pieces, at)) || is_mark(pieces, at, '*');
    let twelve = pieces.get(at + 1).and_then(Piece::count) == Some(12);
    let month = usize::from(word(pieces, at + 2) == "month");
    (times && twelve && has(pieces, "rent") && has(pieces, "annual annualized year yearly"))
        .then_some(2 + month)
}

/// "Positive means better than plan".
fn sign(pieces: &[Piece], at: usize) -> Option<usize> {
    (among("positive negative plus minus", word(pieces, at)) && among("mean is being", word(pieces, at + 1)))
        .then(|| clause_end(pieces, at) - at)
}

/// "(net rental income / gross potential rent)" behind the name of the ratio.
fn formula(pieces: &[Piece], at: usize) -> Option<usize> {
    if !is_mark(pieces, at, '(') {
        return None;
    }
    let close = (at..pieces.len()).find(|close| is_mark(pieces, *close, ')'))?;
    let inner = pieces.get(at + 1..close)?;
    // "The market (asking) rent".
    let market = at
        .checked_sub(1)
        .is_some_and(|before| word(pieces, before) == "market");
    if market && inner.len() == 1 && inner.iter().all(|piece| piece.word() == "asking") {
        return Some(3);
    }
    let words = inner.iter().all(|piece| {
        matches!(
            piece.kind,
            Kind::Word(_) | Kind::Mark('/' | '\u{f7}' | '+' | '-' | '&')
        )
    });
    let divides = inner
        .iter()
        .any(|piece| piece.is_mark('/') || piece.is_mark('\u{f7}') || among("over divided", piece.word()));
    let ratio = |at: usize| {
        matches!(
            lexicon::look_up(pieces, at),
            Some((
                Meaning::Topic(
                    Topic::EconomicOccupancy
                        | Topic::Dscr
                        | Topic::Ltv
                        | Topic::DebtYield
                        | Topic::ImpliedCap
                        | Topic::ExpenseRatio
                        | Topic::Occupancy
                ),
                _
            ))
        )
    };
    let named = (0..at).any(ratio);
    (words && divides && named).then_some(close + 1 - at)
}

/// "At 12/31/2025, after the December payment": a balance at a month's end is.
fn payment(pieces: &[Piece], at: usize, last: Month) -> Option<usize> {
    let start = usize::from(is_mark(pieces, at, ','));
    let mut next = at + start + 1;
    next += usize::from(among("the that this its", word(pieces, next)));
    next += usize::from(month_named(word(pieces, next)).is_some());
    next += usize::from(among("scheduled month", word(pieces, next)));
    // Without a day of its own the payment is the only time that is told.
    let named = |at: usize| times::read(pieces, at, last).is_some();
    (word(pieces, at + start) == "after"
        && word(pieces, next) == "payment"
        && has(pieces, "balance owe owed outstanding")
        && (0..at).any(named))
    .then_some(next + 1 - at)
}

/// "Through August 2026, not October".
fn other_time(pieces: &[Piece], at: usize, last: Month) -> Option<usize> {
    if !is_mark(pieces, at, ',') || word(pieces, at + 1) != "not" {
        return None;
    }
    let named = (0..at).any(|at| times::read(pieces, at, last).is_some());
    let skipped = usize::from(among("through thru to until the", word(pieces, at + 2)));
    let end = clause_end(pieces, at + 1);
    let used = match times::read(pieces, at + 2 + skipped, last) {
        Some(time) => time.used,
        None => usize::from(month_named(word(pieces, at + 2 + skipped)).is_some()),
    };
    (named && used > 0 && at + 2 + skipped + used == end).then_some(end - at)
}

/// "TI only, not commissions": the one account alone.
fn other_account(pieces: &[Piece], at: usize, known: &[Account]) -> Option<usize> {
    if !is_mark(pieces, at, ',') || word(pieces, at + 1) != "not" {
        return None;
    }
    let skipped = usize::from(word(pieces, at + 2) == "the");
    let (other, used) = accounts::find(pieces, known, at + 2 + skipped)?;
    let named = (0..at).find_map(|at| accounts::find(pieces, known, at))?.0;
    let end = clause_end(pieces, at + 1);
    (named.name != other.name && at + 2 + skipped + used == end).then_some(end - at)
}

/// "The senior loan only, leaving the mezz out".
fn mezzanine_out(pieces: &[Piece], at: usize) -> Option<usize> {
    let start = usize::from(is_mark(pieces, at, ','));
    let from = at + start;
    let one = among("excluding without ignoring not", word(pieces, from));
    let two = among("leave leaving", word(pieces, from));
    let mut next = from + 1;
    next += usize::from(two && word(pieces, next) == "out");
    next += usize::from(among("the any", word(pieces, next)));
    let mezzanine = among("mezz mezzanine", word(pieces, next));
    next += 1;
    next += usize::from(among("loan debt", word(pieces, next)));
    next += usize::from(two && word(pieces, next) == "out");
    let only = pieces
        .get(..at)?
        .windows(3)
        .any(|three| matches!(three, [first, second, third] if first.word() == "senior" && (second.word() == "only" || third.word() == "only")));
    (mezzanine && only && (one || two)).then_some(next - at)
}

/// "Office rent per leased square foot": rents are of what is let.
fn leased(pieces: &[Piece], at: usize) -> Option<usize> {
    let before = at.checked_sub(1).map_or("", |before| word(pieces, before));
    let area = among("square sq sf sqft foot", word(pieces, at + 1));
    let own = among("leased occupied", word(pieces, at)) && has(pieces, "rent");
    (among("per a", before) && area && own).then_some(1)
}
