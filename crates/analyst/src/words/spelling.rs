//! Numbers written in words, and fractions: "two million four hundred thousand", "six and three eighths".
//!
//! Knows the number words; units and periods are read elsewhere.

use crate::words::scan::{Kind, Number, Token};

fn cardinal(word: &str) -> Option<f64> {
    Some(match word {
        "zero" => 0.0,
        "one" => 1.0,
        "two" => 2.0,
        "three" => 3.0,
        "four" => 4.0,
        "five" => 5.0,
        "six" => 6.0,
        "seven" => 7.0,
        "eight" => 8.0,
        "nine" => 9.0,
        "ten" => 10.0,
        "eleven" => 11.0,
        "twelve" => 12.0,
        "thirteen" => 13.0,
        "fourteen" => 14.0,
        "fifteen" => 15.0,
        "sixteen" => 16.0,
        "seventeen" => 17.0,
        "eighteen" => 18.0,
        "nineteen" => 19.0,
        "twenty" => 20.0,
        "thirty" => 30.0,
        "forty" => 40.0,
        "fifty" => 50.0,
        "sixty" => 60.0,
        "seventy" => 70.0,
        "eighty" => 80.0,
        "ninety" => 90.0,
        _ => return None,
    })
}

pub(crate) fn scale(word: &str) -> Option<f64> {
    Some(match word {
        "k" | "thousand" | "grand" => 1e3,
        "m" | "mm" | "mn" | "mil" | "mln" | "mio" | "million" | "millions" => 1e6,
        "b" | "bn" | "billion" => 1e9,
        "lakh" | "lakhs" => 1e5,
        "crore" | "crores" => 1e7,
        _ => return None,
    })
}

fn part(word: &str) -> Option<f64> {
    Some(match word {
        "half" | "halves" => 2.0,
        "third" | "thirds" => 3.0,
        "quarter" | "quarters" => 4.0,
        "eighth" | "eighths" => 8.0,
        "sixteenth" | "sixteenths" => 16.0,
        _ => return None,
    })
}

/// "two million four hundred thousand", "six point two five", "half a million" as numbers.
pub(crate) fn spelled(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let Some((value, used)) = spelled_at(&tokens, at) {
            let end = tokens.get(at + used - 1).map_or(token.end, |last| last.end);
            let number = Number {
                value,
                short: value < 1e4,
                scaled: value >= 1e3,
                spelled: true,
                ..Number::default()
            };
            out.push(Token {
                kind: Kind::Number(number),
                start: token.start,
                end,
            });
            at += used;
        } else {
            out.push(token.clone());
            at += 1;
        }
    }
    out
}

fn spelled_at(tokens: &[Token], from: usize) -> Option<(f64, usize)> {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    if word(from) == "half" && word(from + 1) == "a" && scale(word(from + 2)).is_some() {
        return scale(word(from + 2)).map(|factor| (factor / 2.0, 3));
    }
    if word(from) == "a" && matches!(word(from + 1), "million" | "billion") {
        return scale(word(from + 1)).map(|factor| (factor, 2));
    }
    let (mut total, mut current, mut at, mut last) = (0.0, 0.0, from, f64::INFINITY);
    loop {
        if hyphen(tokens, at)
            && at > from
            && cardinal(word(at + 1)).is_some_and(|unit| unit < 10.0)
            && last >= 20.0
        {
            at += 1;
        }
        if let Some(value) = cardinal(word(at)) {
            // "twenty five" adds up, "five five" does not.
            let fits =
                at == from || last == 100.0 || last >= 1e3 || ((20.0..100.0).contains(&last) && value < 10.0);
            if !fits {
                break;
            }
            current += value;
            last = value;
        } else if word(at) == "hundred" && at > from && current > 0.0 && current < 10.0 {
            current *= 100.0;
            last = 100.0;
        } else if matches!(word(at), "thousand" | "million" | "billion") && at > from && current > 0.0 {
            let factor = scale(word(at))?;
            total += current * factor;
            current = 0.0;
            last = factor;
        } else if word(at) == "and" && at > from && last >= 100.0 && cardinal(word(at + 1)).is_some() {
            // "and" joins digits only inside one number: "one hundred and five".
        } else {
            break;
        }
        at += 1;
    }
    if at == from {
        return None;
    }
    let mut value = total + current;
    if word(at) == "point" && cardinal(word(at + 1)).is_some() {
        let mut place = 0.1;
        at += 1;
        while let Some(digit) = cardinal(word(at)).filter(|digit| *digit < 10.0) {
            value += digit * place;
            place /= 10.0;
            at += 1;
        }
    }
    let next = word(at + usize::from(hyphen(tokens, at)));
    // A lone "one" is mostly a pronoun.
    if at == from + 1 && word(from) == "one" {
        let counts = [
            "year", "years", "month", "months", "percent", "million", "hundred", "thousand", "and",
        ];
        let labelled = from > 0 && matches!(word(from - 1), "year" | "yr" | "years");
        if !counts.contains(&next) && !labelled {
            return None;
        }
        if next == "and" && part(word(at + 1)).is_none() && part(word(at + 2)).is_none() {
            return None;
        }
    }
    Some((value, at - from))
}

pub(crate) fn hyphen(tokens: &[Token], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| token.is_mark('-'))
}

/// "6 3/8", "6-3/8", "6 and three eighths", "two and a half".
pub(crate) fn fractions(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let whole = token
            .number()
            .filter(|number| number.value.fract() == 0.0 && number.value < 1e3);
        // "3/4 of a point", "7/8%": a fraction without a whole, where it can be nothing else.
        if let Some((value, next)) = whole
            .and_then(|_| digit_fraction(&tokens, at))
            .filter(|(_, next)| {
                let word = |at: usize| tokens.get(at).map_or("", Token::word);
                let point = |at: usize| matches!(word(at), "point" | "points" | "percent");
                let percent = tokens.get(*next).is_some_and(|token| token.is_mark('%'));
                percent || point(*next) || (word(*next) == "of" && (point(next + 1) || point(next + 2)))
            })
            && let Some(number) = whole
        {
            let number = Number {
                value,
                short: false,
                ..number.clone()
            };
            let end = tokens.get(next - 1).map_or(token.end, |last| last.end);
            out.push(Token {
                kind: Kind::Number(number),
                start: token.start,
                end,
            });
            at = next;
            continue;
        }
        let found =
            whole.and_then(|_| digit_fraction(&tokens, at + 1).or_else(|| word_fraction(&tokens, at + 1)));
        if let (Some(number), Some((extra, next))) = (whole, found) {
            let number = Number {
                value: number.value + extra,
                short: false,
                ..number.clone()
            };
            let end = tokens.get(next - 1).map_or(token.end, |last| last.end);
            out.push(Token {
                kind: Kind::Number(number),
                start: token.start,
                end,
            });
            at = next;
        } else {
            out.push(token.clone());
            at += 1;
        }
    }
    out
}

fn digit_fraction(tokens: &[Token], from: usize) -> Option<(f64, usize)> {
    // "6¼".
    let glyph = tokens.get(from).and_then(|token| match token.kind {
        Kind::Mark('¼') => Some(0.25),
        Kind::Mark('½') => Some(0.5),
        Kind::Mark('¾') => Some(0.75),
        Kind::Mark('⅛') => Some(0.125),
        Kind::Mark('⅜') => Some(0.375),
        Kind::Mark('⅝') => Some(0.625),
        Kind::Mark('⅞') => Some(0.875),
        _ => None,
    });
    if let Some(part) = glyph {
        return Some((part, from + 1));
    }
    let joined = hyphen(tokens, from) || tokens.get(from).is_some_and(|token| token.word() == "and");
    let at = if joined { from + 1 } else { from };
    let (over, slash, under) = (tokens.get(at)?, tokens.get(at + 1)?, tokens.get(at + 2)?);
    // Only a tight slash makes a fraction; " / " separates a list.
    let tight = slash.is_mark('/') && over.end == slash.start && slash.end == under.start;
    let (over, under) = (over.number()?, under.number()?);
    let known = matches!(under.value as u32, 2 | 3 | 4 | 8 | 16 | 32) && under.short && over.short;
    (tight && known && over.value > 0.0 && over.value < under.value)
        .then_some((over.value / under.value, at + 3))
}

fn word_fraction(tokens: &[Token], from: usize) -> Option<(f64, usize)> {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    if word(from) != "and" {
        return None;
    }
    let top = match tokens.get(from + 1).map(|token| &token.kind)? {
        Kind::Number(number) => number.value,
        Kind::Word(word) if word == "a" || word == "an" || word == "one" => 1.0,
        _ => return None,
    };
    let at = if hyphen(tokens, from + 2) {
        from + 3
    } else {
        from + 2
    };
    let under = part(word(at))?;
    (top > 0.0 && top < under).then_some((top / under, at + 1))
}

/// "2nd" as `ord2`.
pub(crate) fn ordinal(token: &Token, next: Option<&Token>) -> Option<String> {
    let (number, next) = (token.number()?, next?);
    let tail = matches!(next.word(), "st" | "nd" | "rd" | "th") && next.start == token.end;
    (tail && number.short && number.value <= 100.0).then(|| format!("ord{}", number.value))
}
