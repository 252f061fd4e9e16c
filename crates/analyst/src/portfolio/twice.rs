//! What a question says twice: the months of a period that is named, the number of things that are meant anyway, how
//! a figure counts that counts so. It goes before the question is read. Pure.

use crate::portfolio::pieces::{Kind, Piece, clause_end};
use crate::portfolio::times::{Named, When};
use finance::portfolio::calendar::Month;
use tables::dates::month_named;

/// What says a thing again: "2025 (Jan-Dec)", "YTD 2026 (January through October)", "negative = behind", "model/down".
/// `last` is the last closed month, `all` how many properties there are.
pub(super) fn drop(pieces: &mut Vec<Piece>, last: Month, all: f64) {
    let word = |pieces: &[Piece], at: usize| {
        pieces
            .get(at)
            .map_or(String::new(), |piece| piece.word().to_owned())
    };
    let mark =
        |pieces: &[Piece], at: usize, sign: char| pieces.get(at).is_some_and(|piece| piece.is_mark(sign));
    let mut at = 1;
    while at < pieces.len() {
        let before = word(pieces, at - 1);
        if mark(pieces, at, '/')
            && matches!(
                (before.as_str(), word(pieces, at + 1).as_str()),
                ("model", "down") | ("down", "model")
            )
        {
            pieces.remove(at);
            continue;
        }
        if mark(pieces, at, '=') && matches!(before.as_str(), "negative" | "positive" | "minus" | "plus") {
            pieces.drain(at - 1..(at + 2).min(pieces.len()));
            continue;
        }
        // "Acct 5300: repairs": the account is named too.
        let code = |at: usize| {
            pieces
                .get(at)
                .and_then(Piece::number)
                .is_some_and(|number| (1000.0..10_000.0).contains(&number) && number.fract() == 0.0)
        };
        if matches!(before.as_str(), "acct" | "account" | "gl") && code(at) {
            pieces.drain(at - 1..=at);
            at = at.saturating_sub(1).max(1);
            continue;
        }
        // "All 64 units in the denominator".
        let counted = pieces.get(at).and_then(Piece::number).is_some();
        if counted
            && matches!(before.as_str(), "all" | "the" | "its" | "our")
            && (matches!(word(pieces, at + 1).as_str(), "unit" | "door" | "apartment")
                || (matches!(word(pieces, at + 1).as_str(), "building" | "property" | "asset")
                    && pieces.get(at).and_then(Piece::number) == Some(all)))
        {
            pieces.remove(at);
            continue;
        }
        // "The two loans at Bayshore": what is asked of them is the same however many they are.
        if matches!(before.as_str(), "the" | "our" | "both" | "all" | "its")
            && matches!(word(pieces, at).as_str(), "two" | "three" | "four" | "five")
            && (at + 1..at + 5)
                .any(|next| matches!(word(pieces, next).as_str(), "loan" | "mortgage" | "note"))
        {
            pieces.remove(at);
            continue;
        }
        // "Next year, 2027": the year that is named.
        let coming = pieces.get(at + 1).and_then(Piece::number) == Some(f64::from(last.year() + 1));
        if (mark(pieces, at, ',') || mark(pieces, at, '('))
            && coming
            && before == "year"
            && at > 1
            && word(pieces, at - 2) == "next"
        {
            pieces.drain(at - 2..=at);
            at = at.saturating_sub(2).max(1);
            continue;
        }
        // "Last year (2025)".
        let prior = pieces.get(at + 1).and_then(Piece::number) == Some(f64::from(last.year() - 1));
        if mark(pieces, at, '(') && prior && before == "year" && at > 1 && word(pieces, at - 2) == "last" {
            pieces.remove(at + 1);
            continue;
        }
        // "Trailing twelve (Nov 2025 - Oct 2026)".
        let month = |at: usize| {
            let year = pieces.get(at + 1).and_then(Piece::count)?;
            let month = month_named(&word(pieces, at))?;
            Month::new(if year < 100 { 2000 + year } else { year }, month)
        };
        let joins =
            mark(pieces, at + 3, '-') || matches!(word(pieces, at + 3).as_str(), "to" | "through" | "thru");
        let trails = pieces
            .iter()
            .any(|piece| matches!(piece.word(), "trailing" | "ttm" | "t12"))
            || pieces.windows(3).any(
                |three| matches!(three, [t, _, count] if t.word() == "t" && count.number() == Some(12.0)),
            )
            || pieces.windows(3).any(|three| {
                matches!(three, [last, count, months] if matches!(last.word(), "last" | "past")
                    && count.count() == Some(12)
                    && months.word() == "month")
            });
        if mark(pieces, at, '(')
            && joins
            && trails
            && month(at + 1) == Some(last.plus(-11))
            && month(at + 4) == Some(last)
        {
            pieces.drain(at..=at + 5);
            continue;
        }
        // "Leaving Seminole Heights aside": without it.
        if before == "leaving"
            && let Some(aside) = (at..(at + 6).min(pieces.len())).find(|next| word(pieces, *next) == "aside")
        {
            pieces.remove(aside);
            if let Some(piece) = pieces.get_mut(at - 1) {
                piece.kind = Kind::Word("excluding".to_owned());
            }
            continue;
        }
        // "(minus if we're short)".
        if mark(pieces, at, '(') && matches!(word(pieces, at + 1).as_str(), "minus" | "negative" | "positive")
        {
            let end = (at..pieces.len()).find(|end| mark(pieces, *end, ')'));
            if let Some(end) = end {
                pieces.drain(at..=end);
                continue;
            }
        }
        // "Loss to lease, netted against those above market": so it is added up.
        let of_lease = pieces
            .iter()
            .any(|piece| matches!(piece.word(), "lease" | "gap" | "ltl" | "market"));
        if of_lease && matches!(word(pieces, at).as_str(), "net" | "netted" | "netting") {
            let end = clause_end(pieces, at);
            let above = (at..end).any(|at| matches!(word(pieces, at).as_str(), "above" | "over"));
            let market = (at..end).any(|at| word(pieces, at) == "market");
            if above && market {
                pieces.drain(at..end);
                continue;
            }
        }
        if (mark(pieces, at, '(') || mark(pieces, at, ','))
            && let (Some(first), Some(end)) = (
                month_named(&word(pieces, at + 1)),
                month_named(&word(pieces, at + 3)),
            )
            && said_before(pieces, at, last) == Some((first, end))
        {
            pieces.drain(at + 1..at + 4);
            continue;
        }
        at += 1;
    }
}

/// "Trailing twelve NOI, November 2025 through October 2026": the months are told as well.
pub(super) fn spelled_out(times: &mut Vec<Named>) {
    let spelled = times.iter().find_map(|time| match time.when {
        When::Span(span) if span.months() > 1 => Some(span),
        _ => None,
    });
    if let Some(span) = spelled {
        times.retain(|time| match time.when {
            When::Trailing { months, .. } => months != span.months(),
            _ => true,
        });
    }
}

/// The months of the period that ends right before `at`: a year, a half, a quarter, the year to date.
fn said_before(pieces: &[Piece], at: usize, last: Month) -> Option<(u32, u32)> {
    let word = |back: usize| {
        at.checked_sub(back)
            .and_then(|at| pieces.get(at))
            .map_or("", Piece::word)
    };
    let year = pieces
        .get(at.checked_sub(1)?)
        .and_then(Piece::number)
        .is_some_and(|number| (1990.0..=2100.0).contains(&number));
    let skip = usize::from(year);
    let near = |words: &[&str]| (1 + skip..=4).any(|back| words.contains(&word(back)));
    let part = |of: &[&str]| of.iter().position(|own| near(&[own]));
    let quarters = [
        part(&["q1", "q2", "q3", "q4"]),
        part(&["first", "second", "third", "fourth"]).filter(|_| near(&["quarter"])),
    ];
    let halves = [
        part(&["h1", "h2"]),
        part(&["first", "second"]).filter(|_| near(&["half"])),
    ];
    let number = |at: usize| u32::try_from(at).ok();
    if let Some(at) = quarters.into_iter().flatten().next() {
        let first = number(at)? * 3 + 1;
        return Some((first, first + 2));
    }
    if let Some(at) = halves.into_iter().flatten().next() {
        let first = number(at)? * 6 + 1;
        return Some((first, first + 5));
    }
    if near(&["ytd", "date"]) {
        return Some((1, last.number()));
    }
    year.then_some((1, 12))
}
