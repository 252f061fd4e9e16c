//! Everyday turns of speech for the figures of a table, by the parts that they are made of: "whoever pays the most",
//! "the gap between market and what's being paid", "leaving on the table", "at what occupancy do we break even".
//!
//! Only the turn itself is put otherwise: what stands beside it is read as ever. Computes nothing.

use crate::sheets::retold::tokens::{self, Token};
use crate::sheets::sources::Sheet;
use crate::words::among::among;
use tables::dates::month_named;
use tables::kind::Kind;

/// Puts them in the words that the readings know.
pub(crate) fn told(all: &mut Vec<Token>, sheet: &Sheet) {
    match sheet.kind {
        Kind::RentRoll | Kind::Leases => {
            pays_most(all);
            between_rents(all);
            left_on_the_table(all);
            quarter_day(all);
        }
        Kind::Statement => breaks_even(all),
        Kind::Flows | Kind::DatedFlows => {
            anything_left(all);
            whole_span(all);
        }
        Kind::Other => pays_most(all),
        Kind::Comps | Kind::Loans => {}
    }
}

/// "Whichever tenant pays the most", "our top payer": the largest tenant. Beside an area it could be the highest rent
/// for each square foot.
fn pays_most(all: &mut Vec<Token>) {
    if tokens::says(
        all,
        "area space floor foot feet sf psf sqft sqm m² gla nla nia $/sf",
    ) {
        return;
    }
    for who in [
        "whichever tenant",
        "whoever",
        "the tenant who",
        "the tenant that",
        "the tenant",
        "the occupier who",
        "the occupier that",
        "the occupier",
    ] {
        for pays in ["pays", "is paying", "paying"] {
            tokens::replace(all, &format!("{who} {pays} the most"), "the largest tenant");
        }
    }
    for most in ["biggest", "largest", "highest", "top"] {
        for payer in [" payer", " rent payer", "-paying tenant", " paying tenant"] {
            tokens::replace(all, &format!("{most}{payer}"), "largest tenant");
        }
    }
}

/// "The gap between market and what's being paid", "the difference between passing rents and ERV": the loss to lease.
fn between_rents(all: &mut Vec<Token>) {
    const MARKET: &str = "the market erv ervs estimated rental value asking rent rents";
    const PAID: &str = "the what what's is are being paid pay paying they we tenants residents occupiers contract \
         contracted in-place in place passing current rent rents";
    // Of each side one word tells which it is.
    let told = |all: &[Token], from: usize, list: &str, by: &str| {
        let mut end = tokens::run(all, from, list);
        // "In Paris" behind it is no part of it.
        while end > from && among("the in what what's is are being", tokens::word_at(all, end - 1)) {
            end -= 1;
        }
        let named = tokens::words(all, from, end).iter().any(|word| among(by, word));
        named.then_some(end)
    };
    let market = |all: &[Token], from| told(all, from, MARKET, "market erv ervs estimated");
    let paid = |all: &[Token], from| {
        told(
            all,
            from,
            PAID,
            "paid pay paying contract contracted in-place place passing",
        )
    };
    for lead in ["the gap between", "the difference between", "the spread between"] {
        let Some((start, length)) = tokens::find(all, lead, 0) else {
            continue;
        };
        let behind = |end: usize| (tokens::word_at(all, end) == "and").then_some(end + 1);
        let from = start + length;
        let end = market(all, from)
            .and_then(behind)
            .and_then(|from| paid(all, from))
            .or_else(|| {
                paid(all, from)
                    .and_then(behind)
                    .and_then(|from| market(all, from))
            });
        if let Some(end) = end {
            tokens::put(all, start, end - start, "the loss to lease");
        }
    }
}

/// "At the September quarter day 2026", "as at the March quarter day, 25 March 2026": the day that it is.
fn quarter_day(all: &mut Vec<Token>) {
    let Some((quarter, _)) = tokens::find(all, "quarter day", 2) else {
        return;
    };
    let day = match month_named(tokens::word_at(all, quarter - 1)) {
        Some(3) => "25 March",
        Some(6) => "24 June",
        Some(9) => "29 September",
        Some(12) => "25 December",
        _ => return,
    };
    let mut start = quarter - 1;
    for list in ["the", "at on of", "as"] {
        if start > 0 && among(list, tokens::word_at(all, start - 1)) {
            start -= 1;
        }
    }
    let behind = quarter + 2;
    let next = tokens::word_at(all, behind);
    let year = next.len() == 4 && next.starts_with("20") && next.bytes().all(|byte| byte.is_ascii_digit());
    if year {
        let told = format!("as at {day} {next}");
        tokens::put(all, start, behind + 1 - start, &told);
    } else if next.starts_with(|sign: char| sign.is_ascii_digit()) || month_named(next).is_some() {
        tokens::put(all, start, behind - start, "as at");
    }
}

/// "At what occupancy does this building break even", "what occupancy do we need to stop losing money": the break-even
/// occupancy.
fn breaks_even(all: &mut Vec<Token>) {
    const BETWEEN: &str = "do does did would will can must should have need needs to reach run at we i it they one you the this \
         that our property building asset place project scheme deal investment";
    for lead in ["at what occupancy", "at which occupancy", "what occupancy"] {
        let Some((start, length)) = tokens::find(all, lead, 0) else {
            continue;
        };
        let from = tokens::run(all, start + length, BETWEEN);
        let end = [
            "break even",
            "breaks even",
            "stop losing money",
            "stops losing money",
            "stop bleeding",
            "stops bleeding",
            "cover costs",
            "cover the costs",
            "covers the costs",
            "cover its costs",
            "covers its costs",
            "cover our costs",
            "covers our costs",
        ]
        .iter()
        .find_map(|turn| tokens::find(all, turn, from).filter(|(at, _)| *at == from));
        if let Some((at, count)) = end {
            tokens::put(all, start, at + count - start, "break-even occupancy");
        }
    }
}

/// "Is there any value left over?" beside a net present value: its sign tells.
fn anything_left(all: &mut Vec<Token>) {
    if !tokens::says(all, "npv xnpv") && tokens::find(all, "present value", 0).is_none() {
        return;
    }
    for any in ["", " any", " some"] {
        for what in ["value", "money", "profit", "upside"] {
            for left in ["left over", "left", "remaining", "created"] {
                tokens::replace(all, &format!("is there{any} {what} {left}"), "");
            }
        }
    }
}

/// "From first call to final payout", "from the initial investment through the last distribution": all of the flows.
fn whole_span(all: &mut Vec<Token>) {
    const FIRST: &str = "first initial opening";
    const LAST: &str = "last final closing";
    const FLOW: &str = "call contribution capital equity funding payment cheque check wire investment outlay drawdown draw cash \
         dollar flow payout distribution receipt proceeds exit sale day date row line entry";
    let mut start = 0;
    while start < all.len() {
        let from = start + 1;
        let end = |at: usize, list: &str| {
            let ranked = at + usize::from(tokens::word_at(all, at) == "the");
            let noun = tokens::run(all, ranked + 1, FLOW);
            (among(list, tokens::word_at(all, ranked)) && noun > ranked + 1).then_some(noun)
        };
        let found = (tokens::word_at(all, start) == "from")
            .then(|| end(from, FIRST))
            .flatten()
            .filter(|to| matches!(tokens::word_at(all, *to), "to" | "through" | "until"))
            .and_then(|to| end(to + 1, LAST));
        match found {
            Some(end) => tokens::remove(all, start, end - start),
            None => start += 1,
        }
    }
}

/// Before "leaving on the table".
const ASKS_LEFT: &str = "how much many what money rent dollars are is am do does being we they i the owner owners landlord \
     landlords a per each every month year monthly annually now currently";

/// "How much a month are we leaving on the table": between what is paid and the market, the loss to lease.
fn left_on_the_table(all: &mut Vec<Token>) {
    let market = tokens::says(all, "market erv asking") || tokens::find(all, "we'd ask", 0).is_some();
    if !market || !tokens::says(all, "pay paying pays rent rents") {
        return;
    }
    let Some((left, length)) = ["leaving on the table", "leave on the table"]
        .iter()
        .find_map(|phrase| tokens::find(all, phrase, 0))
    else {
        return;
    };
    let Some(start) = (0..left)
        .rev()
        .find(|at| among("how what", tokens::word_at(all, *at)))
    else {
        return;
    };
    if tokens::run(all, start, ASKS_LEFT) < left {
        return;
    }
    let mut end = left + length;
    if !all.get(end - 1).is_some_and(Token::pauses) {
        let period = tokens::run(all, end, "a per each every month year monthly annually");
        if among("month year monthly annually", tokens::word_at(all, period - 1)) {
            end = period;
        }
    }
    let asked = tokens::words(all, start, end);
    let has = |list: &str| asked.iter().any(|word| among(list, word));
    let by = match (has("month monthly"), has("year annually")) {
        (true, _) => "what is the monthly loss to lease",
        (false, true) => "what is the annual loss to lease",
        (false, false) => "what is the loss to lease",
    };
    tokens::put(all, start, end - start, by);
    // What it lies between says the same.
    let end = tokens::clause_end(all, 0);
    let told = all.get(..=end).unwrap_or_default();
    let known = told.iter().all(|token| {
        among(
            "between what the occupied apts units tenants residents pay paying are is and we'd we would could ask \
             asking get for them now our their today market rent rents in place apartments flats they",
            &token.word,
        )
    });
    if known && end + 1 < all.len() && told.first().is_some_and(|token| token.word == "between") {
        tokens::remove(all, 0, end + 1);
    }
}
