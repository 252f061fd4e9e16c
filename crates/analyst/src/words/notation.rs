//! Other ways to write amounts: currencies, groups of digits, decimal commas, square metres. A text is brought
//! into the one notation that the reader knows; what it was is kept for the answer.
//!
//! Amounts are computed without regard to the currency. Two currencies in one question are never mixed.

/// A currency: its code and what stands before an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Currency {
    pub(crate) code: &'static str,
    pub(crate) sign: &'static str,
    words: &'static [&'static str],
}

const fn currency(code: &'static str, sign: &'static str, words: &'static [&'static str]) -> Currency {
    Currency { code, sign, words }
}

const CURRENCIES: &[Currency] = &[
    currency("EUR", "€", &["eur", "euro", "euros"]),
    currency("GBP", "£", &["gbp", "pound", "pounds", "sterling", "quid"]),
    currency("CHF", "CHF ", &["chf", "franc", "francs", "sfr"]),
    currency("AED", "AED ", &["aed", "dirham", "dirhams"]),
    currency("CAD", "C$", &["cad"]),
    currency("AUD", "A$", &["aud"]),
    currency("NZD", "NZ$", &["nzd"]),
    currency("HKD", "HK$", &["hkd"]),
    currency("SGD", "S$", &["sgd"]),
    currency("MXN", "MXN ", &["mxn", "peso", "pesos"]),
    currency("JPY", "¥", &["jpy", "yen"]),
    currency("CNY", "CNY ", &["cny", "yuan", "rmb", "renminbi"]),
    currency("INR", "₹", &["inr", "rupee", "rupees"]),
    currency("SEK", "SEK ", &["sek", "krona", "kronor"]),
    currency("NOK", "NOK ", &["nok"]),
    currency("DKK", "DKK ", &["dkk"]),
    currency("PLN", "PLN ", &["pln", "zloty"]),
    currency("CZK", "CZK ", &["czk"]),
    currency("KRW", "KRW ", &["krw"]),
    currency("ZAR", "ZAR ", &["zar", "rand"]),
    currency("ILS", "ILS ", &["ils", "shekel", "shekels"]),
    currency("SAR", "SAR ", &["sar", "riyal", "riyals"]),
    currency("BRL", "R$", &["brl", "reais"]),
];

/// What a question's amounts and areas are written in.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Notation {
    /// The text in the reader's own notation.
    pub(crate) text: String,
    /// A currency other than the dollar.
    pub(crate) currency: Option<Currency>,
    /// The dollar is named.
    pub(crate) dollars: bool,
    /// More than one currency.
    pub(crate) mixed: bool,
    /// Areas are in square metres.
    pub(crate) metric: bool,
}

/// The currency with this code.
fn coded(code: &str) -> Option<Currency> {
    CURRENCIES.iter().copied().find(|known| known.code == code)
}

/// The notation of a question; without a currency of its own it goes on in that of the turn before.
pub(crate) fn continued(text: &str, earlier: Option<&serde_json::Value>) -> Notation {
    let mut notation = read(text);
    if notation.currency.is_none() && !notation.dollars {
        let held = earlier
            .and_then(|frame| frame.get("currency"))
            .and_then(serde_json::Value::as_str);
        notation.currency = held.and_then(coded);
    }
    notation
}

/// Brings a text into the reader's notation.
fn read(text: &str) -> Notation {
    let mut notation = Notation::default();
    let text = signs(text, &mut notation);
    let text = groups(&text);
    let text = commas(&text);
    notation.metric = metric(&text);
    notation.text = if notation.metric { as_feet(&text) } else { text };
    notation
}

fn meet(notation: &mut Notation, met: Currency) {
    if notation.currency.is_some_and(|known| known != met) {
        notation.mixed = true;
    }
    notation.currency = Some(met);
}

fn signed(c: char) -> Option<&'static str> {
    Some(match c {
        '€' => "EUR",
        '£' => "GBP",
        '¥' => "JPY",
        '₹' => "INR",
        _ => return None,
    })
}

/// Signs and codes of currencies as the dollar's; which they are goes into `notation`.
fn signs(text: &str, notation: &mut Notation) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        if let Some(met) = signed(c).and_then(coded) {
            meet(notation, met);
            // "12.4m €" behind its amount.
            let trails = out.trim_end().ends_with(|c: char| c.is_ascii_digit())
                && !chars.get(at + 1).is_some_and(char::is_ascii_digit);
            out.push_str(if trails { " dollars" } else { "$" });
            at += 1;
            continue;
        }
        let begins = c.is_alphabetic()
            && !at
                .checked_sub(1)
                .and_then(|at| chars.get(at))
                .is_some_and(|c| c.is_alphabetic());
        if !begins {
            notation.dollars = notation.dollars || c == '$';
            out.push(c);
            at += 1;
            continue;
        }
        let length = chars.iter().skip(at).take_while(|c| c.is_alphabetic()).count();
        let written: String = chars.iter().skip(at).take(length).collect();
        let word = written.to_lowercase();
        let end = at + length;
        let next = |ahead: usize| chars.get(end + ahead).copied().unwrap_or(' ');
        // "C$1.2m".
        let prefixed = match (word.as_str(), next(0)) {
            ("c" | "ca" | "cad", '$') => coded("CAD"),
            ("a" | "au" | "aud", '$') => coded("AUD"),
            ("nz", '$') => coded("NZD"),
            ("hk", '$') => coded("HKD"),
            ("s", '$') => coded("SGD"),
            ("r", '$') => coded("BRL"),
            _ => None,
        };
        if let Some(met) = prefixed {
            meet(notation, met);
            out.push('$');
            at = end + 1;
            continue;
        }
        if matches!(word.as_str(), "usd" | "dollar" | "dollars" | "bucks") {
            notation.dollars = true;
        }
        // "2.5 crore" counts rupees.
        if matches!(word.as_str(), "lakh" | "lakhs" | "crore" | "crores")
            && let Some(met) = coded("INR")
        {
            meet(notation, met);
        }
        let known = CURRENCIES
            .iter()
            .copied()
            .find(|known| known.words.contains(&word.as_str()));
        let before = out.trim_end();
        let behind = before.ends_with(|c: char| c.is_ascii_digit()) || ends_scaled(before);
        let ahead = next(0).is_ascii_digit() || (next(0) == ' ' && next(1).is_ascii_digit());
        let named = before
            .len()
            .checked_sub(3)
            .and_then(|from| before.get(from..))
            .is_some_and(|tail| tail.eq_ignore_ascii_case(" in"));
        match known {
            Some(met) if ahead => {
                meet(notation, met);
                out.push('$');
                at = end + usize::from(next(0) == ' ');
            }
            Some(met) if behind || named => {
                meet(notation, met);
                out.push_str("dollars");
                at = end;
            }
            _ => {
                out.push_str(&written);
                at = end;
            }
        }
    }
    notation.mixed = notation.mixed || (notation.dollars && notation.currency.is_some());
    out
}

/// "12.4m", "3 million", "5bn" at the end.
fn ends_scaled(before: &str) -> bool {
    let tail: String = before.chars().rev().take_while(|c| c.is_alphabetic()).collect();
    let word: String = tail.chars().rev().collect::<String>().to_lowercase();
    let rest = before.get(..before.len() - tail.len()).unwrap_or("").trim_end();
    matches!(
        word.as_str(),
        "k" | "m" | "mm" | "mn" | "mio" | "million" | "thousand" | "bn" | "billion" | "lakh" | "crore"
    ) && rest.ends_with(|c: char| c.is_ascii_digit())
}

/// Groups of three digits after an apostrophe, a space or a point as groups after commas.
fn groups(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let before = at
            .checked_sub(1)
            .and_then(|at| chars.get(at))
            .copied()
            .unwrap_or(' ');
        let starts =
            c.is_ascii_digit() && !before.is_ascii_digit() && !matches!(before, '.' | ',' | '\'' | '’');
        if let Some((digits, used)) = starts.then(|| grouped(&chars, at)).flatten() {
            out.push_str(&digits);
            at += used;
        } else {
            out.push(c);
            at += 1;
        }
    }
    out
}

/// "1'150'000", "1 250 000", "1.250.000" at `at`: with commas, and how many signs it takes.
fn grouped(chars: &[char], at: usize) -> Option<(String, usize)> {
    let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let lead = (0..4).take_while(|ahead| digit(at + ahead)).count();
    let mark = *chars.get(at + lead)?;
    let spaced = matches!(mark, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}');
    if !(1..=3).contains(&lead) || !(spaced || matches!(mark, '\'' | '’' | '.')) {
        return None;
    }
    let mut digits: String = chars.iter().skip(at).take(lead).collect();
    let mut end = at + lead;
    let mut count = 0;
    let mut last = String::new();
    while chars.get(end) == Some(&mark) && (1..=3).all(|ahead| digit(end + ahead)) && !digit(end + 4) {
        last = chars.iter().skip(end + 1).take(3).collect();
        digits.push(',');
        digits.push_str(&last);
        end += 4;
        count += 1;
    }
    let money = at
        .checked_sub(1)
        .and_then(|at| chars.get(at))
        .is_some_and(|c| *c == '$');
    // Digits between spaces may be a list; a point may be a decimal point.
    let sure = match mark {
        '\'' | '’' => count >= 1,
        '.' => count >= 2,
        ' ' => last == "000" && (money || count >= 2),
        _ => count >= 1,
    };
    sure.then_some((digits, end - at))
}

/// "1,05m", "17,5 million", "3,5 %": a comma before one or two digits and a scale is a decimal comma.
fn commas(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let mut out = String::with_capacity(text.len());
    for (at, &c) in chars.iter().enumerate() {
        if c != ',' || !at.checked_sub(1).is_some_and(digit) || !digit(at + 1) {
            out.push(c);
            continue;
        }
        let run = (1..5).take_while(|ahead| digit(at + ahead)).count();
        let lead = (1..=at).take_while(|back| digit(at - back)).count();
        let first = at
            .checked_sub(lead + 1)
            .and_then(|at| chars.get(at))
            .is_none_or(|c| !matches!(c, ',' | '.') && !c.is_ascii_digit());
        let tail: String = chars.iter().skip(at + 1 + run).take(9).collect();
        let rest = tail.trim_start();
        let word: String = rest.chars().take_while(|c| c.is_alphabetic()).collect();
        let scaled = rest.starts_with('%')
            || matches!(
                word.to_lowercase().as_str(),
                "m" | "mm" | "mn" | "mio" | "million" | "k" | "bn" | "billion" | "mln" | "pct" | "percent"
            );
        out.push(if run <= 2 && first && lead <= 3 && scaled {
            '.'
        } else {
            c
        });
    }
    out
}

const METRIC: &[&str] = &["sqm", "m2", "m²", "sq m", "sq. m", "square metre", "square meter"];
const FEET: &[&str] = &[
    "sf", "sqft", "sq ft", "sq. ft", "psf", "foot", "feet", "ft", "acre", "acres", "hectare", "hectares",
    "rsf", "gsf",
];

/// Square metres, and no other measure of area.
fn metric(text: &str) -> bool {
    let lower = text.to_lowercase();
    let word = |wanted: &str| {
        lower.match_indices(wanted).any(|(at, found)| {
            let before = lower.get(..at).and_then(|text| text.chars().next_back());
            let after = lower.get(at + found.len()..).and_then(|text| text.chars().next());
            let open = before.is_none_or(|c| !c.is_alphabetic());
            let plural = |c: char| c == 's' && (wanted.ends_with('e') || wanted.ends_with('r'));
            open && after.is_none_or(|c| !c.is_alphanumeric() || plural(c))
        })
    };
    METRIC.iter().any(|unit| word(unit)) && !FEET.iter().any(|unit| word(unit))
}

/// Square metres as if they were feet: ratios and prices of each stay what they are.
fn as_feet(text: &str) -> String {
    let mut out = text.to_owned();
    for unit in [
        "square metres",
        "square meters",
        "square metre",
        "square meter",
        "sq. m",
        "sq m",
        "sqm",
        "m²",
        "m2",
    ] {
        let lower = out.to_lowercase();
        if lower.len() != out.len() {
            continue;
        }
        let mut written = String::with_capacity(out.len());
        let mut from = 0;
        for (at, _) in lower.match_indices(unit) {
            written.push_str(out.get(from..at).unwrap_or(""));
            written.push_str("sf");
            from = at + unit.len();
        }
        written.push_str(out.get(from..).unwrap_or(""));
        out = written;
    }
    out
}
