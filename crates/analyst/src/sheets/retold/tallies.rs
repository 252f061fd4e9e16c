//! Numbers that only repeat what the table holds: "the five comps", "ten-unit building", "seven-year model",
//! "over 2018-2025". They are left out where they agree with it.
//!
//! Computes nothing.

use crate::sheets::retold::tokens::{self, Token};
use crate::sheets::sources::Sheet;
use crate::sheets::words::stem;
use crate::words::among::among;
use tables::kind::Kind;

fn written(word: &str) -> Option<usize> {
    const SPELLED: [&str; 21] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    SPELLED
        .iter()
        .position(|own| *own == word)
        .or_else(|| word.parse().ok())
        .filter(|count| *count > 1)
}

/// What is counted in rows of a table.
const COUNTED: &str = "unit apartment flat door suite tenant tenancy occupier lease resident space comp comparable sale \
     trade building property mortgage loan coupon facility rental deal asset shop store bay row line flow house home \
     office entity borrower leases warehouse plex";

/// "The five comps", "ten-unit building", "seven-year model": a number of rows that agrees with the table.
pub(crate) fn counts(all: &mut Vec<Token>, sheet: &Sheet) {
    let rows = sheet.table.data().count();
    let flows = matches!(sheet.kind, Kind::Flows | Kind::DatedFlows | Kind::Other);
    range(all, sheet);
    // Years 0 to 5 are five.
    let from_zero = sheet
        .table
        .data()
        .next()
        .and_then(|row| row.cells.first())
        .is_some_and(|cell| cell.trim() == "0");
    let mut at = 0;
    while at < all.len() {
        let word = |n: usize| all.get(n).map_or("", |token| token.word.as_str());
        let before = at.checked_sub(1).map_or("", |at| word(at));
        // "The first five", "top two" choose some of them; "44-unit subject" is of another building.
        let chooses = matches!(
            before,
            "first"
                | "last"
                | "top"
                | "next"
                | "bottom"
                | "largest"
                | "biggest"
                | "smallest"
                | "other"
                | "of"
                | "only"
        ) || before.ends_with("est");
        if let Some((number, noun)) = word(at).split_once('-')
            && let Some(count) = written(number)
        {
            let years = flows && matches!(noun, "year" | "yr") && count + usize::from(from_zero) == rows;
            if !chooses && (years || (count == rows && among(COUNTED, &stem(noun)))) {
                tokens::remove(all, at, 1);
                continue;
            }
        } else if written(word(at)) == Some(rows)
            && matches!(before, "these" | "those")
            && !among(COUNTED, &stem(word(at + 1)))
            && (all.get(at).is_none_or(Token::pauses)
                || matches!(word(at + 1), "is" | "are" | "in" | "on" | "from"))
        {
            // "Of these three": all of them.
            tokens::remove(all, at, 1);
            continue;
        } else if let Some(count) = written(word(at)).filter(|count| *count == rows)
            && !all.get(at).is_none_or(Token::pauses)
            && !chooses
        {
            let near = (at + 1..at + 4).any(|n| among(COUNTED, &stem(word(n))));
            let plural = (at + 1..at + 4).any(|n| word(n).ends_with('s'));
            let years = flows && matches!(word(at + 1), "years" | "months" | "periods");
            if count > 1 && (near && plural || years) {
                tokens::remove(all, at, 1);
                continue;
            }
        }
        at += 1;
    }
}

/// "Over 2018-2025" of a table of these years.
fn range(all: &mut Vec<Token>, sheet: &Sheet) {
    let years: Vec<String> = sheet
        .table
        .data()
        .filter_map(|row| row.cells.first())
        .map(|cell| cell.trim().to_owned())
        .collect();
    let (Some(first), Some(last)) = (years.first(), years.last()) else {
        return;
    };
    let whole = [format!("{first}-{last}"), format!("{first}–{last}")];
    let at = (1..all.len()).find(|at| {
        all.get(*at).is_some_and(|token| whole.contains(&token.word))
            && all.get(at - 1).is_some_and(|token| {
                matches!(token.word.as_str(), "over" | "for" | "during" | "in" | "across")
            })
    });
    if let Some(at) = at.filter(|_| first.len() == 4 && last.len() == 4) {
        tokens::remove(all, at - 1, 2);
    }
}
