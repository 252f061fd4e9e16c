//! The words that say whether money goes out or comes in.
//!
//! Knows no amounts.

use crate::words::scan::{Kind, Number, Per, Token};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cue {
    Out,
    In,
    None,
}

/// Verbs of paying, without their endings.
const PAYS: &[&str] = &[
    "spend",
    "lay",
    "sink",
    "contribut",
    "deploy",
    "acquir",
    "fund",
    "commit",
    "outlay",
    "invest",
    "shell",
    "wire",
    "wir",
    "inject",
    "purchas",
    "fork",
    "disburs",
    "cough",
    "lend",
    "call",
    "chip",
    "feed",
    "subsidiz",
    "subsidis",
    "plow",
    "plough",
];
/// Verbs of getting money, without their endings.
const GETS: &[&str] = &[
    "harvest",
    "recover",
    "recoup",
    "realiz",
    "realis",
    "pocket",
    "generat",
    "produc",
    "collect",
    "earn",
    "receiv",
    "return",
    "distribut",
    "yield",
    "throw",
    "reap",
    "repatriat",
    "repay",
    "refund",
    "redeem",
];

/// The direction a verb says, whatever its ending.
pub(super) fn verb(word: &str) -> Cue {
    const ENDINGS: &[&str] = &[
        "", "e", "s", "es", "ed", "d", "ing", "n", "ion", "ions", "ment", "ments",
    ];
    let among = |stems: &[&str]| {
        stems.iter().any(|stem| {
            word.strip_prefix(stem)
                .is_some_and(|ending| ENDINGS.contains(&ending))
        })
    };
    if among(PAYS) || matches!(word, "spent" | "laid" | "sunk" | "sank" | "fed") {
        Cue::Out
    } else if among(GETS) {
        Cue::In
    } else {
        Cue::None
    }
}

/// "Out: 2m. In: …", "500k goes out now", "80k come in": the direction in one small word, at a clause's end.
pub(crate) fn direction(tokens: &[Token], at: usize, closed: bool) -> Cue {
    let ends = match tokens.get(at + 1) {
        None => closed,
        Some(next) => {
            matches!(next.kind, Kind::Mark(':' | ',' | '.' | ';' | '?'))
                || matches!(
                    next.word(),
                    "now" | "today" | "at" | "again" | "first" | "upfront" | "afterwards" | "later"
                )
        }
    };
    // "100k out and 12k a month in for ten months".
    let counted = at
        .checked_sub(1)
        .and_then(|before| tokens.get(before))
        .is_some_and(|before| before.number().is_some() || unit(before.word()).is_some());
    let ends = ends || (counted && matches!(word(tokens, at + 1), "and" | "then" | "for"));
    let moves = at.checked_sub(1).is_some_and(|before| {
        matches!(
            word(tokens, before),
            "goes"
                | "go"
                | "going"
                | "went"
                | "comes"
                | "come"
                | "coming"
                | "came"
                | "flows"
                | "money"
                | "cash"
        )
    });
    match word(tokens, at) {
        "out" if ends || moves => Cue::Out,
        "in" if ends || moves => Cue::In,
        _ => Cue::None,
    }
}

fn brings_in(tokens: &[Token], at: usize) -> bool {
    matches!(
        word(tokens, at),
        "take"
            | "takes"
            | "took"
            | "taking"
            | "bring"
            | "brings"
            | "brought"
            | "pull"
            | "pulls"
            | "pulled"
            | "rake"
    ) && word(tokens, at + 1) == "in"
}

/// What the words say of the direction of the money.
pub(crate) fn cue_in(tokens: &[Token]) -> Cue {
    let mut cue = Cue::None;
    for (at, token) in tokens.iter().enumerate() {
        let to_us = (1..=2).any(|ahead| matches!(word(tokens, at + ahead), "us" | "me" | "back" | "out"));
        let said = match direction(tokens, at, false) {
            // "Take in 88,000".
            Cue::None if brings_in(tokens, at) => Cue::In,
            Cue::None => verb(token.word()),
            said => said,
        };
        // "Equity in: 4m" is money put in.
        let put_in = token.word() == "in" && cue == Cue::Out;
        if said != Cue::None {
            cue = if put_in { Cue::Out } else { said };
            continue;
        }
        match token.word() {
            "invest" | "invested" | "investing" | "investment" | "put" | "pay" | "paying" | "buy"
            | "bought" | "buying" | "purchase" | "purchased" | "cost" | "costs" | "outlay" | "spend"
            | "spent" | "initial" | "initially" | "contribute" | "contributed" | "contribution"
            | "contributions" | "equity" | "deploy" | "deployed" | "outflow" | "price" | "acquisition"
            | "acquire" | "acquired" | "upfront" | "outlays" | "sink" => {
                cue = if to_us && matches!(token.word(), "pay" | "paying") {
                    Cue::In
                } else {
                    Cue::Out
                };
            }
            "paid" => cue = if to_us { Cue::In } else { Cue::Out },
            "get" | "gets" | "got" | "receive" | "received" | "receives" | "return" | "returned"
            | "returns" | "threw" | "throw" | "throws" | "distributions" | "distribution" | "distributed"
            | "cash" | "income" | "inflow" | "inflows" | "proceeds" | "sell" | "sold" | "sale"
            | "reversion" | "generates" | "generate" | "generated" | "produces" | "produced" | "then"
            | "collect" | "collected" | "earn" | "earned" | "back" | "pays" | "returning" | "receiving"
            | "yielded" | "throwing" | "flows" | "cashflows" | "followed" | "selling" => cue = Cue::In,
            _ => {}
        }
    }
    cue
}

/// "and" and "then" alone say little: what follows the amount may say more.
pub(crate) fn weak(tokens: &[Token]) -> bool {
    tokens
        .iter()
        .all(|token| !matches!(cue_in(std::slice::from_ref(token)), Cue::Out))
        && tokens.iter().filter(|token| !token.word().is_empty()).count() <= 2
}

pub(crate) fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", Token::word)
}

/// The number at a token.
pub(crate) fn number(tokens: &[Token], at: usize) -> Option<&Number> {
    tokens.get(at).and_then(Token::number)
}

/// Whether the mark stands there.
pub(crate) fn mark(tokens: &[Token], at: usize, mark: char) -> bool {
    tokens.get(at).is_some_and(|token| token.is_mark(mark))
}

/// The period a noun names.
pub(crate) fn unit(word: &str) -> Option<Per> {
    match word {
        "year" | "years" | "yr" | "yrs" | "y" => Some(Per::Year),
        "quarter" | "quarters" => Some(Per::Quarter),
        "month" | "months" => Some(Per::Month),
        _ => None,
    }
}

/// The words before `at`, nearest first.
pub(crate) fn back<'a>(
    tokens: &'a [Token],
    at: usize,
    most: usize,
) -> impl Iterator<Item = &'a str> + use<'a> {
    (1..=most).map_while(move |n| at.checked_sub(n).map(|at| word(tokens, at)))
}

/// "In: 5m. Out: 400k, 7.2m", "5m in, out: 400k, 7.2m": seen from the deal or from the purse.
pub(crate) fn in_and_out(tokens: &[Token]) -> bool {
    let headed = |word: &str| {
        tokens
            .windows(2)
            .position(|pair| matches!(pair, [a, b] if a.word() == word && b.is_mark(':')))
    };
    let behind = || {
        tokens.windows(3).position(|three| {
            matches!(three, [amount, name, mark] if amount.number().is_some() && name.word() == "in"
                && matches!(mark.kind, Kind::Mark(',' | ';')))
        })
    };
    headed("in")
        .or_else(behind)
        .zip(headed("out"))
        .is_some_and(|(inside, outside)| inside < outside)
}

/// "After all selling costs", "net of the closing costs": deducted before.
pub(crate) fn gone_already(tokens: &[Token], at: usize) -> bool {
    let adjective = |word: &str| {
        matches!(
            word,
            "selling"
                | "sale"
                | "sales"
                | "closing"
                | "transaction"
                | "brokerage"
                | "exit"
                | "disposal"
                | "all"
                | "the"
                | "its"
                | "any"
                | "our"
                | "of"
        )
    };
    let costs = (at..at + 3)
        .take_while(|at| adjective(word(tokens, *at)) || word(tokens, *at).ends_with('s'))
        .any(|at| matches!(word(tokens, at), "cost" | "costs" | "expenses" | "fees"));
    let first = (0..at).rev().take(4).find(|at| !adjective(word(tokens, *at)));
    costs
        && at > 0
        && first.is_some_and(|at| matches!(word(tokens, at), "after" | "net"))
        && first != Some(at)
}
