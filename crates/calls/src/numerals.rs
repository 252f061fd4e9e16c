//! Numbers written as words: "ten", "twenty-five", "third", "September", "monthly".

use tables::dates::month_named;

const CARDINALS: &[(&str, f64)] = &[
    ("zero", 0.0),
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("eleven", 11.0),
    ("twelve", 12.0),
    ("thirteen", 13.0),
    ("fourteen", 14.0),
    ("fifteen", 15.0),
    ("sixteen", 16.0),
    ("seventeen", 17.0),
    ("eighteen", 18.0),
    ("nineteen", 19.0),
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("seventy", 70.0),
    ("eighty", 80.0),
    ("ninety", 90.0),
    ("half", 0.5),
];

const ORDINALS: [&str; 12] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
];

/// How often a year.
const FREQUENCIES: &[(&str, f64)] = &[
    ("annually", 1.0),
    ("yearly", 1.0),
    ("annual", 1.0),
    ("semiannually", 2.0),
    ("semiannual", 2.0),
    ("quarterly", 4.0),
    ("monthly", 12.0),
    ("weekly", 52.0),
    ("daily", 365.0),
];

/// The value of one word in lower case: a number, an ordinal, a month, a frequency.
#[must_use]
pub fn word(word: &str) -> Option<f64> {
    cardinal(word).or_else(|| count(word))
}

/// Like `word`, without cardinals; also "3rd".
#[must_use]
pub fn count(word: &str) -> Option<f64> {
    let word = word.trim_end_matches('.');
    let ordinal = ORDINALS.iter().position(|name| *name == word);
    let ordinal = ordinal.and_then(|at| u32::try_from(at + 1).ok());
    let digits = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending))
        .and_then(|digits| digits.parse().ok());
    ordinal
        .or(digits)
        .or_else(|| month_named(word))
        .map(f64::from)
        .or_else(|| frequency(word))
}

/// How often a year: 12 for "monthly", 2 for "semi-annually".
#[must_use]
pub fn frequency(word: &str) -> Option<f64> {
    let word = word.replace('-', "");
    FREQUENCIES
        .iter()
        .find(|(name, _)| *name == word)
        .map(|(_, times)| *times)
}

fn cardinal(word: &str) -> Option<f64> {
    CARDINALS
        .iter()
        .find(|(name, _)| *name == word)
        .map(|(_, value)| *value)
}

/// A text whose fractions behind whole numbers are decimals: "6.25%" for "6 1/4%" and "6¼%".
#[must_use]
pub fn without_fractions(text: &str) -> String {
    let mut plain = text.to_owned();
    for (sign, fraction) in [
        ('½', " 1/2"),
        ('¼', " 1/4"),
        ('¾', " 3/4"),
        ('⅛', " 1/8"),
        ('⅜', " 3/8"),
        ('⅝', " 5/8"),
        ('⅞', " 7/8"),
    ] {
        if plain.contains(sign) {
            plain = plain.replace(sign, fraction);
        }
    }
    let mut done = String::new();
    let mut rest = plain.as_str();
    while let Some(at) = rest.find('/') {
        let (before, after) = (rest.get(..at).unwrap_or(""), rest.get(at + 1..).unwrap_or(""));
        match decimals(before, after) {
            Some((kept, number, length)) => {
                done.push_str(kept);
                done.push_str(&number.to_string());
                rest = after.get(length..).unwrap_or("");
            }
            None => {
                done.push_str(before);
                done.push('/');
                rest = after;
            }
        }
    }
    done.push_str(rest);
    done
}

/// For "… 6 1" and "4%": the text before the number, 6.25, and the length of the denominator.
fn decimals<'a>(before: &'a str, after: &str) -> Option<(&'a str, f64, usize)> {
    let length = after
        .find(|sign: char| !sign.is_ascii_digit())
        .unwrap_or(after.len());
    let under: f64 = after.get(..length)?.parse().ok()?;
    // "1/2%" has no whole number in front.
    if let Ok(over) = before.trim().parse::<u32>()
        && after.get(length..)?.trim_start().starts_with(['%', 'p'])
    {
        return Some(("", f64::from(over) / under, length));
    }
    let (whole, over) = before.rsplit_once([' ', '-'])?;
    let over: f64 = over.parse().ok()?;
    let start = whole
        .rfind(|sign: char| !sign.is_ascii_digit())
        .map_or(0, |at| at + 1);
    let number: f64 = whole.get(start..)?.parse().ok()?;
    let part = [2.0, 3.0, 4.0, 8.0, 16.0, 32.0].contains(&under) && over > 0.0 && over < under;
    let inside = whole.get(..start)?.ends_with(['.', ',', '/']);
    (part && !inside).then(|| (whole.get(..start).unwrap_or(""), number + over / under, length))
}

/// A text that starts with a number in words, with digits instead: "25-year" for "twenty-five-year".
#[must_use]
pub fn with_digits(lower: &str) -> Option<String> {
    if let Some(positive) = lower.strip_prefix(['-', '−']) {
        return with_digits(positive).map(|digits| format!("-{digits}"));
    }
    let split = |text: &str| -> Option<(f64, usize)> {
        let end = text
            .find(|sign: char| !sign.is_ascii_alphabetic())
            .unwrap_or(text.len());
        Some((cardinal(text.get(..end)?)?, end))
    };
    let (first, end) = split(lower)?;
    let rest = lower.get(end..)?;
    if first >= 20.0
        && let Some((more, length)) = rest.get(1..).and_then(split)
        && more < 10.0
    {
        return Some(format!("{}{}", first + more, rest.get(1 + length..)?));
    }
    match rest.strip_prefix(" and a half") {
        Some(rest) => Some(format!("{}{rest}", first + 0.5)),
        None => Some(format!("{first}{rest}")),
    }
}
