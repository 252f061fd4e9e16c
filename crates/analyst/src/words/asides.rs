//! Digits that are no quantities: street numbers, dates, telephone numbers, names of units and suites,
//! years of construction. They become words, so that no calculation takes them in.
//!
//! Knows shapes of text only; a number that may be a quantity is left alone.

use crate::words::scan::{Kind, Number, Shape, Sign, Token, scan};

/// The word a calendar date becomes.
pub(crate) const DATE: &str = "calendardate";
/// The word any other aside becomes.
pub(crate) const ASIDE: &str = "asidenumber";

/// Replaces asides in the tokens of `text`.
pub(crate) fn drop_asides(text: &str, tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let Some((word, used)) = aside(text, &tokens, at) {
            let end = tokens.get(at + used - 1).map_or(token.end, |last| last.end);
            out.push(Token {
                kind: Kind::Word(word.to_owned()),
                start: token.start,
                end,
            });
            at += used;
            continue;
        }
        // "US$600k", "USD 600,000", "600k USD": the dollar, said once more.
        let number_next = tokens.get(at + 1).and_then(Token::number);
        let dollar_word = token.word() == "usd"
            || (token.word() == "us"
                && number_next.is_some_and(|number| number.dollars)
                && tokens.get(at + 1).is_some_and(|next| next.start == token.end));
        if dollar_word {
            at += 1;
            continue;
        }
        // "negative 50k"; "minus 250k" where nothing stands before it that it could be taken from.
        let minus = token.word() == "minus"
            && out.last().is_none_or(|last| {
                last.number().is_none()
                    && (last.word().is_empty() && !last.is_mark(')') && !last.is_mark('%'))
            });
        if (token.word() == "negative" || minus)
            && let Some(number) = number_next.filter(|number| number.sign == Sign::None)
        {
            let (start, end) = (token.start, tokens.get(at + 1).map_or(token.end, |next| next.end));
            out.push(Token {
                kind: Kind::Number(Number {
                    sign: Sign::Minus,
                    ..number.clone()
                }),
                start,
                end,
            });
            at += 2;
            continue;
        }
        let mut token = token.clone();
        // "excl. land": the point ends the short word, not the sentence.
        if at > 0
            && token.is_mark('.')
            && out.last().is_some_and(|last| {
                last.end == token.start && matches!(last.word(), "excl" | "incl" | "approx" | "est")
            })
        {
            at += 1;
            continue;
        }
        if (built(&tokens, at) || day_of_month(&tokens, at) || of_year(&tokens, at))
            && let Kind::Number(number) = &mut token.kind
        {
            number.shape = Shape::Calendar;
        }
        out.push(token);
        at += 1;
    }
    out
}

fn aside(text: &str, tokens: &[Token], at: usize) -> Option<(&'static str, usize)> {
    date(tokens, at)
        .map(|used| (DATE, used))
        .or_else(|| telephone(tokens, at).map(|used| (ASIDE, used)))
        .or_else(|| street(text, tokens, at).map(|used| (ASIDE, used)))
        .or_else(|| named_unit(tokens, at).map(|used| (ASIDE, used)))
}

fn bare(tokens: &[Token], at: usize) -> Option<&Number> {
    tokens
        .get(at)
        .and_then(Token::number)
        .filter(|number| !number.dollars && !number.foreign && number.value.fract() == 0.0 && !number.scaled)
}

/// How many digits stand there, if the token is nothing but digits.
fn digits(tokens: &[Token], at: usize) -> usize {
    match (bare(tokens, at), tokens.get(at)) {
        (Some(number), Some(token)) if !number.spelled => token.end - token.start,
        _ => 0,
    }
}

fn tight(tokens: &[Token], from: usize, to: usize) -> bool {
    tokens
        .get(from..to)
        .unwrap_or_default()
        .windows(2)
        .all(|pair| matches!(pair, [a, b] if a.end == b.start))
}

fn year(tokens: &[Token], at: usize) -> bool {
    digits(tokens, at) == 4
        && bare(tokens, at).is_some_and(|number| (1900.0..=2100.0).contains(&number.value))
}

fn month_name(word: &str) -> bool {
    matches!(
        word,
        "january"
            | "february"
            | "march"
            | "april"
            | "june"
            | "july"
            | "august"
            | "september"
            | "october"
            | "november"
            | "december"
            | "jan"
            | "feb"
            | "apr"
            | "jun"
            | "jul"
            | "aug"
            | "sept"
            | "oct"
            | "nov"
            | "dec"
    )
}

/// "11/20/2026", "2026-11-20", "November 20, 2026", "20 November 2026".
fn date(tokens: &[Token], at: usize) -> Option<usize> {
    let mark = |at: usize, c: char| tokens.get(at).is_some_and(|token| token.is_mark(c));
    let small = |at: usize, most: f64| {
        (1..=2).contains(&digits(tokens, at))
            && bare(tokens, at).is_some_and(|number| (1.0..=most).contains(&number.value))
    };
    let slashes = mark(at + 1, '/') && mark(at + 3, '/') && tight(tokens, at, at + 5);
    if slashes
        && small(at, 31.0)
        && small(at + 2, 31.0)
        && (year(tokens, at + 4) || digits(tokens, at + 4) == 2)
    {
        return Some(5);
    }
    let dashes = mark(at + 1, '-') && mark(at + 3, '-') && tight(tokens, at, at + 5);
    if dashes && year(tokens, at) && small(at + 2, 12.0) && small(at + 4, 31.0) {
        return Some(5);
    }
    // With a day and a year beside it, "may" and "mar" are months as well.
    let named = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|token| month_name(token.word()) || matches!(token.word(), "may" | "mar" | "sep"))
    };
    let word = |at: usize, among: &[&str]| tokens.get(at).is_some_and(|token| among.contains(&token.word()));
    let nth = |at: usize| usize::from(word(at, &["st", "nd", "rd", "th"]));
    if named(at) {
        let point = usize::from(mark(at + 1, '.'));
        let day = at + 1 + point;
        if small(day, 31.0) {
            let after = day + 1 + nth(day + 1);
            let comma = usize::from(mark(after, ','));
            if year(tokens, after + comma) {
                return Some(after + comma + 1 - at);
            }
        }
    }
    if small(at, 31.0) {
        let mut next = at + 1 + nth(at + 1);
        next += usize::from(word(next, &["of"]));
        let dash = mark(next, '-');
        next += usize::from(dash);
        if named(next) {
            let joint = usize::from(mark(next + 1, '-') || mark(next + 1, '.') || mark(next + 1, ','));
            if year(tokens, next + 1 + joint) {
                return Some(next + 2 + joint - at);
            }
        }
    }
    None
}

/// "12 April", "April 12" without a year: the day counts nothing.
fn day_of_month(tokens: &[Token], at: usize) -> bool {
    let day = (1..=2).contains(&digits(tokens, at))
        && bare(tokens, at).is_some_and(|number| (1.0..=31.0).contains(&number.value));
    let word = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", Token::word);
    let may = |word: &str| matches!(word, "may" | "march" | "mar");
    let next = word(Some(at + 1));
    let before = word(at.checked_sub(1));
    let led = matches!(
        before,
        "on" | "of" | "the" | "service" | "by" | "from" | "until" | "closed" | "since" | ""
    );
    let ahead = led && (month_name(next) || may(next));
    let since = matches!(word(at.checked_sub(2)), "in" | "on" | "of" | "since");
    let back = (month_name(before) || (may(before) && since))
        && !tokens.get(at + 1).is_some_and(|next| next.is_mark('%'));
    day && (ahead || back)
}

/// "555-123-4567".
fn telephone(tokens: &[Token], at: usize) -> Option<usize> {
    let dash = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|token| token.is_mark('-') || token.is_mark('.'))
    };
    let groups = digits(tokens, at) == 3
        && dash(at + 1)
        && digits(tokens, at + 2) == 3
        && dash(at + 3)
        && digits(tokens, at + 4) == 4;
    (groups && tight(tokens, at, at + 5)).then_some(5)
}

/// "123 Main Street": a number, one to three capitalized words, a kind of street.
fn street(text: &str, tokens: &[Token], at: usize) -> Option<usize> {
    if !(1..=5).contains(&digits(tokens, at)) {
        return None;
    }
    for ahead in 1..=4 {
        let token = tokens.get(at + ahead)?;
        let written = text.get(token.start..token.end)?;
        if token.word().is_empty() || !written.starts_with(|c: char| c.is_uppercase()) {
            return None;
        }
        let kind = matches!(
            token.word(),
            "street"
                | "st"
                | "avenue"
                | "ave"
                | "road"
                | "rd"
                | "boulevard"
                | "blvd"
                | "drive"
                | "dr"
                | "lane"
                | "ln"
                | "way"
                | "parkway"
                | "pkwy"
                | "highway"
                | "hwy"
                | "court"
                | "ct"
                | "terrace"
                | "broadway"
        );
        if kind && (ahead > 1 || token.word() == "broadway") {
            return Some(ahead + 1);
        }
    }
    None
}

/// "unit 12B", "suite 400": the name of a place.
fn named_unit(tokens: &[Token], at: usize) -> Option<usize> {
    let noun = matches!(
        tokens.get(at)?.word(),
        "unit" | "suite" | "ste" | "apt" | "apartment" | "room" | "lot"
    );
    let before = at
        .checked_sub(1)
        .and_then(|at| tokens.get(at))
        .map_or("", Token::word);
    if !noun || matches!(before, "per" | "a" | "an" | "each" | "every") {
        return None;
    }
    if !(1..=5).contains(&digits(tokens, at + 1)) {
        return None;
    }
    let letter = tokens.get(at + 2).is_some_and(|next| {
        next.word().chars().count() == 1
            && tokens.get(at + 1).is_some_and(|number| number.end == next.start)
            && matches!(next.word(), "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h")
    });
    // "unit 150k" is an amount; "unit 5%" a share.
    let unit = tokens.get(at + 2).is_some_and(|next| {
        next.is_mark('%')
            || matches!(
                next.word(),
                "k" | "m" | "mm" | "million" | "thousand" | "percent" | "x"
            )
    });
    if unit {
        return None;
    }
    Some(if letter { 3 } else { 2 })
}

/// "Those three resets", "six-plex", "between the two": a small number in words that counts what is told anyway.
pub(crate) fn counts_only(tokens: &[Token], at: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let small = tokens.get(at).and_then(Token::number).is_some_and(|number| {
        number.spelled
            && number.shape == Shape::Plain
            && number.value.fract() == 0.0
            && (2.0..=12.0).contains(&number.value)
            && number.per.is_none()
            && !number.dollars
    });
    let several = tokens
        .iter()
        .any(|token| matches!(token.word(), "each" | "apiece" | "both" | "per" | "every"));
    let dash = tokens.get(at + 1).is_some_and(|token| token.is_mark('-'));
    let noun = word(at + 1 + usize::from(dash));
    let plex = matches!(noun, "plex" | "family" | "story" | "storey");
    let pronoun = at
        .checked_sub(1)
        .is_some_and(|before| matches!(word(before), "the" | "these" | "those" | "all" | "between"))
        && (noun.is_empty() || matches!(noun, "of" | "which" | "together" | "is" | "are"));
    let things = noun.len() > 3
        && noun.ends_with('s')
        && !matches!(
            noun,
            "loans"
                | "mortgages"
                | "notes"
                | "buildings"
                | "properties"
                | "towers"
                | "times"
                | "points"
                | "units"
                | "months"
                | "years"
                | "weeks"
                | "days"
                | "payments"
        );
    small && (plex || pronoun || (things && !several))
}

/// "built in 1987", "1987 vintage".
fn built(tokens: &[Token], at: usize) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", Token::word);
    let made = |word: &str| {
        matches!(
            word,
            "built" | "constructed" | "renovated" | "completed" | "opened"
        )
    };
    let (one, two) = (word(at.checked_sub(1)), word(at.checked_sub(2)));
    year(tokens, at) && (made(one) || (one == "in" && made(two)) || word(Some(at + 1)) == "vintage")
}

/// "2025 NOI", "the 2019 loan", "2024's opex": a bare year right before the name of a figure says which one.
///
/// A round thousand may be an amount, and so may what stands before a rent.
fn of_year(tokens: &[Token], at: usize) -> bool {
    let lately = bare(tokens, at).is_some_and(|number| {
        number.sign == Sign::None && (1990.0..2050.0).contains(&number.value) && number.value != 2000.0
    });
    if !lately || !year(tokens, at) {
        return false;
    }
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let own = tokens.get(at + 1).is_some_and(|next| next.is_mark('\'')) && word(at + 2) == "s";
    let mut next = at + 1 + if own { 2 } else { 0 };
    while matches!(
        word(next),
        "actual"
            | "annual"
            | "budgeted"
            | "projected"
            | "forecast"
            | "forecasted"
            | "underwritten"
            | "stabilized"
            | "stabilised"
            | "expected"
            | "reported"
            | "trailing"
            | "total"
            | "net"
            | "operating"
            | "gross"
            | "effective"
            | "senior"
            | "purchase"
    ) {
        next += 1;
    }
    matches!(
        word(next),
        "noi"
            | "egi"
            | "gpi"
            | "pgi"
            | "gpr"
            | "ebitda"
            | "opex"
            | "income"
            | "revenue"
            | "revenues"
            | "expenses"
            | "loan"
            | "mortgage"
            | "debt"
            | "price"
            | "appraisal"
            | "valuation"
            | "value"
    )
}

/// Whether a figure is named with its year: which year's a statement has is not told with it.
pub(crate) fn of_a_year(text: &str) -> bool {
    let tokens = scan(text);
    (0..tokens.len()).any(|at| of_year(&tokens, at))
}
