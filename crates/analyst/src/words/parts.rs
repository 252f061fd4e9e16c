//! Parts and articles as numbers: "half a month", "a month and a half", "a year free", "a dollar", "a fifth".
//!
//! A part that is said in words is a number like any other: it has to find a place, or it is asked about.

use crate::words::scan::{Kind, Number, Shape, Token};
use crate::words::spelling::hyphen;

/// Turns them into numbers; the unit's own word stays for the reader of units.
pub(crate) fn parts(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let numbered = out.last().is_some_and(|last: &Token| last.number().is_some());
        let found = half_of(&tokens, at)
            .or_else(|| and_a_half(&tokens, at))
            .or_else(|| free_period(&tokens, at, numbered))
            .or_else(|| one_dollar(&tokens, at, numbered))
            .or_else(|| share(&tokens, at, numbered));
        let Some(Part { number, unit, used }) = found else {
            out.push(token.clone());
            at += 1;
            continue;
        };
        let end = tokens.get(at + used - 1).map_or(token.end, |last| last.end);
        out.push(Token {
            kind: Kind::Number(number),
            start: token.start,
            end,
        });
        if let Some(unit) = unit {
            out.push(Token {
                kind: Kind::Word(unit.to_owned()),
                start: end,
                end,
            });
        }
        at += used;
    }
    out
}

struct Part {
    number: Number,
    unit: Option<&'static str>,
    used: usize,
}

fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", Token::word)
}

fn article(word: &str) -> bool {
    matches!(word, "a" | "an")
}

fn time(word: &str) -> Option<(f64, &'static str)> {
    Some(match word {
        "month" => (1.0, "months"),
        "year" | "yr" => (1.0, "years"),
        "week" => (1.0, "weeks"),
        "quarter" => (3.0, "months"),
        _ => return None,
    })
}

fn number(value: f64, shape: Shape) -> Number {
    Number {
        value,
        shape,
        dollars: shape == Shape::Money,
        spelled: true,
        ..Number::default()
    }
}

/// "half a month", "half a year", "half a dollar", "half a percent".
fn half_of(tokens: &[Token], at: usize) -> Option<Part> {
    if word(tokens, at) != "half" || !article(word(tokens, at + 1)) {
        return None;
    }
    let noun = word(tokens, at + 2);
    if let Some((count, unit)) = time(noun) {
        return Some(Part {
            number: number(0.5 * count, Shape::Plain),
            unit: Some(unit),
            used: 3,
        });
    }
    match noun {
        "dollar" | "buck" => Some(Part {
            number: number(0.5, Shape::Money),
            unit: None,
            used: 3,
        }),
        "percent" => Some(Part {
            number: number(0.5, Shape::Percent),
            unit: None,
            used: 3,
        }),
        _ => None,
    }
}

/// "a month and a half", "1 month and a half", "a dollar and a half".
fn and_a_half(tokens: &[Token], at: usize) -> Option<Part> {
    let (one, noun) = match tokens.get(at)? {
        token if article(token.word()) => (1.0, at + 1),
        token => (
            token
                .number()
                .filter(|number| number.shape == Shape::Plain)?
                .value,
            at + 1,
        ),
    };
    let half = word(tokens, noun + 1) == "and"
        && article(word(tokens, noun + 2))
        && word(tokens, noun + 3) == "half";
    if !half {
        return None;
    }
    let name = word(tokens, noun);
    let singular = name.strip_suffix('s').unwrap_or(name);
    if let Some((count, unit)) = time(singular) {
        return Some(Part {
            number: number((one + 0.5) * count, Shape::Plain),
            unit: Some(unit),
            used: noun + 4 - at,
        });
    }
    matches!(singular, "dollar" | "buck").then(|| Part {
        number: number(one + 0.5, Shape::Money),
        unit: None,
        used: noun + 4 - at,
    })
}

/// "a month free", "a year's free rent", "a month of free rent", "a month rent-free".
fn free_period(tokens: &[Token], at: usize, numbered: bool) -> Option<Part> {
    if numbered || !article(word(tokens, at)) {
        return None;
    }
    let (count, unit) = time(word(tokens, at + 1))?;
    let free = |at: usize| matches!(word(tokens, at), "free" | "abated" | "abatement" | "gratis");
    let next = match word(tokens, at + 2) {
        "of" => free(at + 3) || (word(tokens, at + 3) == "rent" && free(at + 4)),
        "rent" => free(at + 3 + usize::from(hyphen(tokens, at + 3))),
        _ => free(at + 2),
    };
    next.then(|| Part {
        number: number(count, Shape::Plain),
        unit: Some(unit),
        used: 2,
    })
}

/// "a dollar a year"; not "a dollar amount".
fn one_dollar(tokens: &[Token], at: usize, numbered: bool) -> Option<Part> {
    let noun = matches!(word(tokens, at + 1), "dollar" | "buck");
    let other = matches!(
        word(tokens, at + 2),
        "amount" | "figure" | "value" | "terms" | "number" | "sum" | "of" | "price"
    );
    (!numbered && article(word(tokens, at)) && noun && !other).then(|| Part {
        number: number(1.0, Shape::Money),
        unit: None,
        used: 2,
    })
}

fn nth(word: &str) -> Option<f64> {
    Some(match word.strip_suffix('s').unwrap_or(word) {
        "half" | "halve" => 2.0,
        "third" => 3.0,
        "quarter" | "fourth" => 4.0,
        "fifth" => 5.0,
        "sixth" => 6.0,
        "seventh" => 7.0,
        "eighth" => 8.0,
        "tenth" => 10.0,
        _ => return None,
    })
}

/// "by a fifth", "a third of it", "two thirds of the price", "half waived".
fn share(tokens: &[Token], at: usize, numbered: bool) -> Option<Part> {
    let before = at.checked_sub(1).map_or("", |at| word(tokens, at));
    let part = |share: f64, used: usize| Part {
        number: number(share * 100.0, Shape::Percent),
        unit: None,
        used,
    };
    let stops = |at: usize| {
        tokens
            .get(at)
            .is_none_or(|next| matches!(next.kind, Kind::Mark(mark) if mark != '-' && mark != '/'))
    };
    // "two thirds of".
    if let Some(count) = tokens
        .get(at)
        .and_then(Token::number)
        .filter(|number| number.spelled && number.shape == Shape::Plain)
    {
        let dash = usize::from(hyphen(tokens, at + 1));
        let noun = at + 1 + dash;
        let under = nth(word(tokens, noun)).filter(|under| count.value >= 1.0 && count.value < *under)?;
        let time = word(tokens, noun).starts_with("quarter") && word(tokens, noun + 1) != "of";
        return (!time).then(|| part(count.value / under, 2 + dash));
    }
    if article(word(tokens, at)) {
        let under = nth(word(tokens, at + 1)).filter(|under| *under > 2.0)?;
        let after = matches!(
            word(tokens, at + 2),
            "of" | "less" | "more" | "lower" | "higher" | "off" | "vacant" | "empty" | "waived" | "forgiven"
        );
        let by = before == "by";
        return (!numbered && (after || by || (stops(at + 2) && before != "per")))
            .then(|| part(1.0 / under, 2));
    }
    if word(tokens, at) != "half" {
        return None;
    }
    let rank = matches!(
        before,
        "first"
            | "second"
            | "last"
            | "other"
            | "latter"
            | "this"
            | "next"
            | "and"
            | "per"
            | "every"
            | "better"
            | "back"
            | "front"
    );
    let next = word(tokens, at + 1);
    let after = matches!(
        next,
        "of" | "the"
            | "is"
            | "was"
            | "waived"
            | "forgiven"
            | "price"
            | "rent"
            | "off"
            | "paid"
            | "vacant"
            | "empty"
            | "that"
            | "its"
    );
    (!rank && !numbered && (after || stops(at + 1))).then(|| part(0.5, 1))
}
