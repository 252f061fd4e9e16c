//! Durations of a loan as people say them: amortization, term, interest-only years, time elapsed, a
//! window of payments, a number of days.
//!
//! Knows the words around a duration; it does not know what is asked for.

use crate::words::scan::{Shape, Token};

/// What one number with a time unit stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Role {
    Amortization,
    /// "30-year loan": amortization where nothing else is said about it.
    Term,
    InterestOnly,
    Elapsed,
    /// Which year or payment: part of a window or a label on an amount.
    Label,
    Days,
    Unclear,
}

/// One duration found, in months (days for `Role::Days`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Duration {
    pub(crate) token: usize,
    pub(crate) role: Role,
    pub(crate) months: f64,
}

/// All numbers with a unit of time, in order.
pub(crate) fn durations(tokens: &[Token]) -> Vec<Duration> {
    tokens
        .iter()
        .enumerate()
        .filter_map(|(at, token)| {
            let number = token.number()?;
            let months = match number.shape {
                Shape::Years | Shape::YearLabel => number.value * 12.0,
                Shape::Months | Shape::Payments | Shape::MonthLabel | Shape::PaymentLabel => number.value,
                Shape::Days => number.value,
                // "…, but the term is only five".
                Shape::Plain if bare_term(tokens, at) => number.value * 12.0,
                _ => return None,
            };
            Some(Duration {
                token: at,
                role: role(tokens, at, number.shape),
                months,
            })
        })
        .collect()
}

/// A small number right behind "the term is", with nothing that makes it another quantity.
fn bare_term(tokens: &[Token], at: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let small = tokens.get(at).and_then(Token::number).is_some_and(|number| {
        number.per.is_none()
            && !number.dollars
            && !number.scaled
            && number.value.fract() == 0.0
            && (1.0..=40.0).contains(&number.value)
    });
    let ends = tokens.get(at + 1).is_none_or(|next| {
        matches!(next.word(), "and" | "but") || [',', '.', '?', ';'].iter().any(|mark| next.is_mark(*mark))
    });
    let named = (1..=3)
        .map_while(|back| at.checked_sub(back))
        .find(|at| !matches!(word(*at), "is" | "only" | "just" | "of" | "are"))
        .is_some_and(|at| matches!(word(at), "term" | "maturity"));
    small && ends && named
}

fn role(tokens: &[Token], at: usize, shape: Shape) -> Role {
    match shape {
        Shape::Plain => return Role::Term,
        Shape::Days => return Role::Days,
        Shape::YearLabel | Shape::MonthLabel | Shape::PaymentLabel => {
            return if before(tokens, at, &["after", "end", "following"]) {
                Role::Elapsed
            } else {
                Role::Label
            };
        }
        _ => {}
    }
    if shape == Shape::Payments {
        // "60 payments in": how many were made.
        let made = following(tokens, at);
        if matches!(made.as_slice(), ["in" | "into" | "made" | "down" | "later"])
            || matches!(made.as_slice(), ["into" | "made", ..])
        {
            return Role::Elapsed;
        }
        let repaid = near_before(
            tokens,
            at,
            &[
                "paid",
                "repaid",
                "pay",
                "repay",
                "repayable",
                "amortized",
                "amortizing",
                "over",
                "in",
            ],
        ) && !before(tokens, at, &["after", "following"]);
        if repaid {
            return Role::Amortization;
        }
        if before(tokens, at, &["after", "following"]) {
            return Role::Elapsed;
        }
    }
    // "For the first three years nothing but interest is paid".
    if matches!(shape, Shape::Years | Shape::Months)
        && at
            .checked_sub(1)
            .and_then(|at| tokens.get(at))
            .is_some_and(|token| token.word() == "first")
        && interest_only(tokens)
    {
        return Role::InterestOnly;
    }
    let next = following(tokens, at);
    let word = |n: usize| next.get(n).copied().unwrap_or("");
    if matches!((word(0), word(1)), ("interest", "only") | ("io", _) | ("i", "o")) || word(0) == "io" {
        return Role::InterestOnly;
    }
    if matches!(
        (word(0), word(1), word(2)),
        ("of", "interest", "only") | ("of", "io", _)
    ) {
        return Role::InterestOnly;
    }
    if before(tokens, at, &["only", "io"]) {
        return Role::InterestOnly;
    }
    if word(0) == "of" && (word(1).starts_with("amorti") || word(1) == "am" || word(1) == "amort") {
        return Role::Amortization;
    }
    if matches!(
        word(0),
        "am" | "amort"
            | "amortization"
            | "amortisation"
            | "amortizing"
            | "amortising"
            | "amortized"
            | "schedule"
    ) || (word(0) == "fully" && word(1).starts_with("amorti"))
        || (word(0) == "self" && word(1).starts_with("amorti"))
    {
        return Role::Amortization;
    }
    if before(
        tokens,
        at,
        &[
            "amortization",
            "amortisation",
            "amortizing",
            "amortized",
            "amortizes",
            "amortize",
            "am",
            "amort",
            "amortised",
            "amortising",
            "schedule",
        ],
    ) || (before(tokens, at, &["over"])
        && near_before(
            tokens,
            at,
            &[
                "paid",
                "repaid",
                "pay",
                "repay",
                "amortized",
                "amortizes",
                "amortizing",
                "amortize",
                "payments",
                "instalments",
                "installments",
            ],
        ))
    {
        return Role::Amortization;
    }
    if word(0) == "ago" {
        return Role::Elapsed;
    }
    if matches!(word(0), "in" | "later" | "hold" | "into" | "elapsed" | "on")
        && matches!(word(0), "in" | "later" | "hold" | "into" | "elapsed")
        || before(tokens, at, &["after", "following", "elapsed"])
    {
        // "10 years in" is elapsed; "30 years in total" is not.
        if word(0) == "in" && !word(1).is_empty() {
            return if before(tokens, at, &["after", "following"]) {
                Role::Elapsed
            } else {
                Role::Unclear
            };
        }
        return Role::Elapsed;
    }
    if matches!(
        word(0),
        "term" | "loan" | "mortgage" | "note" | "fixed" | "debt" | "maturity" | "balloon"
    ) {
        return Role::Term;
    }
    if before(tokens, at, &["term", "maturity", "matures"]) {
        return Role::Term;
    }
    Role::Unclear
}

/// The words right after a number, hyphens and commas left out, up to three.
fn following(tokens: &[Token], at: usize) -> Vec<&str> {
    tokens
        .iter()
        .skip(at + 1)
        .take_while(|token| token.number().is_none())
        .filter(|token| !token.is_mark('-') && !token.is_mark('/'))
        .take(3)
        .map(Token::word)
        .take_while(|word| !word.is_empty())
        .collect()
}

/// One of the words directly before the number, across words that only link.
fn before(tokens: &[Token], at: usize, words: &[&str]) -> bool {
    for back in 1..=5 {
        let Some(token) = at.checked_sub(back).and_then(|at| tokens.get(at)) else {
            return false;
        };
        if words.contains(&token.word()) {
            return true;
        }
        let link = matches!(
            token.word(),
            "for"
                | "of"
                | "the"
                | "a"
                | "an"
                | "is"
                | "over"
                | "first"
                | "period"
                | "year"
                | "years"
                | "month"
                | "end"
                | "at"
                | "in"
                | "on"
                | "payment"
                | "to"
        ) || token.is_mark('-')
            || token.is_mark(':');
        if !link {
            return false;
        }
    }
    false
}

fn near_before(tokens: &[Token], at: usize, words: &[&str]) -> bool {
    (1..=4).any(|back| {
        at.checked_sub(back)
            .and_then(|at| tokens.get(at))
            .is_some_and(|t| words.contains(&t.word()))
    })
}

/// True when the question speaks of interest-only without (or besides) a number of years.
pub(crate) fn interest_only(tokens: &[Token]) -> bool {
    tokens.iter().enumerate().any(|(at, token)| {
        let next = following(tokens, at);
        token.word() == "io"
            || (token.word() == "interest" && next.first() == Some(&"only"))
            || (token.word() == "i" && next.first() == Some(&"o"))
            || nothing_but(tokens, at)
    })
}

/// "nothing but interest", "only interest", "interest alone".
pub(crate) fn nothing_but(tokens: &[Token], at: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    matches!(
        (word(at), word(at + 1), word(at + 2)),
        ("nothing", "but" | "except", "interest")
    ) || (matches!(word(at), "only" | "just")
        && word(at + 1) == "interest"
        && !matches!(word(at + 2), "rate" | "rates"))
        || (word(at) == "interest" && word(at + 1) == "alone")
}

/// The first and last payment of the window that is asked about, with the tokens that name it.
pub(crate) fn window(tokens: &[Token], found: &[Duration]) -> Option<(f64, f64, Vec<usize>)> {
    let labels: Vec<&Duration> = found
        .iter()
        .filter(|item| matches!(item.role, Role::Label) && !is_amount_label(tokens, item.token))
        .collect();
    match labels.as_slice() {
        [one] => {
            let year = tokens
                .get(one.token)
                .and_then(Token::number)
                .is_some_and(|n| n.shape == Shape::YearLabel);
            let first = if year { one.months - 11.0 } else { one.months };
            return Some((first, one.months, vec![one.token]));
        }
        [from, to] if from.months < to.months => {
            let year = tokens
                .get(from.token)
                .and_then(Token::number)
                .is_some_and(|n| n.shape == Shape::YearLabel);
            let first = if year { from.months - 11.0 } else { from.months };
            return Some((first, to.months, vec![from.token, to.token]));
        }
        [] => {}
        _ => return None,
    }
    for (at, token) in tokens.iter().enumerate() {
        let Some(rank) = rank(token.word()) else { continue };
        let next = tokens.get(at + 1);
        if let Some(number) = next.and_then(Token::number)
            && rank == 1.0
            && let Some(item) = found.iter().find(|item| item.token == at + 1)
            && matches!(number.shape, Shape::Years | Shape::Months | Shape::Payments)
        {
            return Some((1.0, item.months, vec![at + 1]));
        }
        // "The fifth loan year".
        let skipped = usize::from(next.is_some_and(|next| {
            matches!(
                next.word(),
                "loan" | "mortgage" | "full" | "calendar" | "operating" | "monthly"
            )
        }));
        match tokens.get(at + 1 + skipped).map_or("", Token::word) {
            "year" => return Some((12.0 * rank - 11.0, 12.0 * rank, Vec::new())),
            "month" | "payment" => return Some((rank, rank, Vec::new())),
            _ => {}
        }
    }
    None
}

/// "year 1 NOI": the label belongs to an amount.
fn is_amount_label(tokens: &[Token], at: usize) -> bool {
    tokens
        .get(at + 1)
        .is_some_and(|token| matches!(token.word(), "noi" | "net" | "rent" | "income" | "cash"))
}

pub(crate) fn rank(word: &str) -> Option<f64> {
    const WORDS: [&str; 12] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
        "eleventh", "twelfth",
    ];
    if let Some(at) = WORDS.iter().position(|known| *known == word) {
        return Some(at as f64 + 1.0);
    }
    word.strip_prefix("ord")?
        .parse::<u16>()
        .ok()
        .filter(|n| (1..=100).contains(n))
        .map(f64::from)
}

/// The place of a month in the year, from 0.
pub(crate) fn month(word: &str) -> Option<usize> {
    const NAMES: [(&str, &str); 12] = [
        ("january", "jan"),
        ("february", "feb"),
        ("march", "mar"),
        ("april", "apr"),
        ("may", "may"),
        ("june", "jun"),
        ("july", "jul"),
        ("august", "aug"),
        ("september", "sep"),
        ("october", "oct"),
        ("november", "nov"),
        ("december", "dec"),
    ];
    NAMES
        .iter()
        .position(|(name, short)| word == *name || word == *short || (word == "sept" && *short == "sep"))
}

/// Days of the month that is named; those of February only where its year is named too.
pub(crate) fn month_days(tokens: &[Token]) -> Option<(usize, Option<f64>)> {
    tokens.iter().enumerate().find_map(|(at, token)| {
        let days = match token.word() {
            "january" | "jan" | "march" | "july" | "jul" | "august" | "aug" | "october" | "oct"
            | "december" | "dec" => Some(31.0),
            "april" | "apr" | "june" | "jun" | "september" | "sep" | "sept" | "november" | "nov" => {
                Some(30.0)
            }
            "february" | "feb" => tokens
                .get(at + 1)
                .or(tokens.get(at + 2))
                .and_then(Token::number)
                .filter(|year| (1900.0..=2100.0).contains(&year.value))
                .and_then(|year| {
                    chrono::NaiveDate::from_ymd_opt(year.value as i32, 2, 29)
                        .map_or(Some(28.0), |_| Some(29.0))
                }),
            _ => return None,
        };
        Some((at, days))
    })
}
