//! A balance that is told by a payment: "after the December 2025 payment" is the end of that month, "before" it the
//! end of the one before. It goes before the question is read. Pure.

use chrono::Datelike as _;
use tables::dates::month_named;

use crate::portfolio::pieces::{Kind, Piece};
use crate::words::among::among;
use finance::portfolio::calendar::Month;

const BALANCES: &str = "balance owe owed owing outstanding";
/// May stand between what the payment follows and the payment.
const BETWEEN: &str =
    "the that this its our their making make made paying s scheduled monthly loan mortgage debt regular";
/// Told of a payment, and says nothing of the balance.
const DONE: &str = "was is has had been being made posted post posting cleared clear went go through hit";

/// Writes a month's payment as that month's end. `last` is the last closed month.
pub(super) fn take(pieces: &mut Vec<Piece>, last: Month) {
    let has = |words: &str| pieces.iter().any(|piece| among(words, piece.word()));
    // "What did the loan stand at after its December installment?"
    if !(has(BALANCES)
        || (has("loan mortgage debt note") && has("stand stood remained remaining remain left")))
    {
        return;
    }
    let found = (0..pieces.len()).find_map(|at| told(pieces, at, last));
    let Some((from, to, month)) = found else { return };
    let (start, end) = (
        pieces.get(from).map_or(0, |piece| piece.start),
        pieces.get(to - 1).map_or(0, |piece| piece.end),
    );
    let kinds = [
        Kind::Word("as".to_owned()),
        Kind::Word("of".to_owned()),
        Kind::Date(month.last_day()),
    ];
    let said = kinds.map(|kind| Piece {
        kind,
        start,
        end,
        capital: false,
    });
    pieces.splice(from..to, said);
}

fn word(pieces: &[Piece], at: usize) -> &str {
    pieces.get(at).map_or("", Piece::word)
}

/// The words at `at` that tell of a payment, and the month by whose end it stands.
fn told(pieces: &[Piece], at: usize, last: Month) -> Option<(usize, usize, Month)> {
    let before = match word(pieces, at) {
        "after" | "following" | "once" | "post" | "past" => false,
        "before" => true,
        "prior" if word(pieces, at + 1) == "to" => true,
        "ahead" if word(pieces, at + 1) == "of" => true,
        _ => return None,
    };
    let mut next = at + 1 + usize::from(among("prior ahead", word(pieces, at)));
    next += usize::from(word(pieces, at) == "once" && among("we i they", word(pieces, next)));
    let mut paid = None;
    while !among("payment installment instalment", word(pieces, next)) {
        if let Some((own, used)) = month_at(pieces, next, last) {
            if paid.is_some() {
                return None;
            }
            paid = Some(own);
            next += used;
        } else if among(BETWEEN, word(pieces, next))
            || pieces.get(next).is_some_and(|piece| piece.is_mark('\''))
        {
            next += 1;
        } else {
            return None;
        }
    }
    next += 1;
    // "After the payment of September 2025".
    if paid.is_none() && among("of in for on from", word(pieces, next)) {
        let skip = usize::from(word(pieces, next + 1) == "the");
        let (own, used) = month_at(pieces, next + 1 + skip, last)?;
        paid = Some(own);
        next += 1 + skip + used;
    }
    let month = paid?;
    while among(DONE, word(pieces, next)) {
        next += 1;
    }
    Some((at, next, if before { month.plus(-1) } else { month }))
}

/// "December 2025", "12/1/2025", "October": the month, and how many pieces it takes.
fn month_at(pieces: &[Piece], at: usize, last: Month) -> Option<(Month, usize)> {
    match pieces.get(at).map(|piece| &piece.kind) {
        Some(Kind::Date(day)) => Month::new(day.year(), day.month()).map(|month| (month, 1)),
        Some(Kind::Month(month)) => Some((*month, 1)),
        Some(Kind::Word(name)) => {
            let number = month_named(name)?;
            let year = |at: usize| {
                let year = pieces.get(at).and_then(Piece::number)?;
                (1990.0..=2100.0)
                    .contains(&year)
                    .then(|| pieces.get(at).and_then(Piece::count))
                    .flatten()
            };
            // "December 1, 2025": the day of the payment.
            let day = pieces
                .get(at + 1)
                .and_then(Piece::count)
                .is_some_and(|day| (1..=31).contains(&day));
            let comma = usize::from(day && pieces.get(at + 2).is_some_and(|piece| piece.is_mark(',')));
            if let Some(year) = year(at + 1) {
                return Month::new(year, number).map(|month| (month, 2));
            }
            if day && let Some(year) = year(at + 2 + comma) {
                return Month::new(year, number).map(|month| (month, 3 + comma));
            }
            let own = Month::new(last.year(), number)?;
            // A month that has not closed may be the one to come, or the one a year ago.
            (own <= last).then_some((own, 1 + usize::from(day)))
        }
        _ => None,
    }
}
