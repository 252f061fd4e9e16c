//! Reads one value as it is written ("$1.2m", "1,340/mo", "6.25%", "25-year", "150 bps") and converts it to the unit
//! that is wanted. The number itself is read by `tables`; here are only the words behind it.

use finance::variable::Unit;
use tables::numbers::{Decimal, number};

use crate::numerals;

/// The time that an amount is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Period {
    Day,
    Week,
    Month,
    Quarter,
    HalfYear,
    Year,
}

impl Period {
    const ALL: [Self; 6] = [
        Self::Day,
        Self::Week,
        Self::Month,
        Self::Quarter,
        Self::HalfYear,
        Self::Year,
    ];

    /// The period of which a year has so many.
    #[must_use]
    pub fn of(per_year: f64) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|period| (period.per_year() - per_year).abs() < 1e-9)
    }

    /// The period with this name in results.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|period| period.word() == word)
    }

    /// How many there are in a year.
    #[must_use]
    pub fn per_year(self) -> f64 {
        match self {
            Self::Day => 365.0,
            Self::Week => 52.0,
            Self::Month => 12.0,
            Self::Quarter => 4.0,
            Self::HalfYear => 2.0,
            Self::Year => 1.0,
        }
    }

    /// The name in results.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::HalfYear => "half year",
            Self::Year => "year",
        }
    }
}

/// What an amount is for, if not for the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    Unit,
    Area,
}

/// What is counted or measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    Time(Period),
    SquareFeet,
    SquareMetres,
    Units,
    Times,
    BasisPoints,
    Percent,
}

/// A value as written, without conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Amount {
    /// As written, with its multiple: 1,200,000 for "$1.2m", 6.25 for "6.25%".
    pub number: f64,
    pub measure: Option<Measure>,
    /// ISO code, if a currency is written.
    pub currency: Option<&'static str>,
    pub period: Option<Period>,
    pub basis: Option<Basis>,
    /// Written with a decimal point and below one ("0.0625"), so that it may be a fraction.
    pub fraction: bool,
}

/// A value in the wanted unit. Its period and basis are still those of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    pub value: f64,
    pub period: Option<Period>,
    pub basis: Option<Basis>,
    /// What was assumed or converted to read it.
    pub note: Option<Note>,
}

/// How a value was read where there was a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// "0.65" was taken as 65 %.
    Fraction,
    /// Square metres were converted to square feet.
    Metres,
}

/// Words behind a number, the longer ones first, and whether they mean "for each" without a word such as "per".
const WORDS: &[(&str, Measure, bool)] = {
    use Measure::{BasisPoints, Percent, SquareFeet, SquareMetres, Time, Times, Units};
    use Period::{Day, HalfYear, Month, Quarter, Week, Year};
    &[
        ("basis points", BasisPoints, false),
        ("semiannually", Time(HalfYear), true),
        ("semiannual", Time(HalfYear), true),
        ("half year", Time(HalfYear), false),
        ("equal monthly payments", Time(Month), false),
        ("month-end payments", Time(Month), false),
        ("monthly payments", Time(Month), false),
        ("payments", Time(Month), false),
        ("tax years", Time(Year), false),
        ("square metres", SquareMetres, false),
        ("square meters", SquareMetres, false),
        ("square feet", SquareFeet, false),
        ("square foot", SquareFeet, false),
        ("percent", Percent, false),
        ("apartments", Units, false),
        ("annually", Time(Year), true),
        ("quarterly", Time(Quarter), true),
        ("quarters", Time(Quarter), false),
        ("quarter", Time(Quarter), false),
        ("monthly", Time(Month), true),
        ("months", Time(Month), false),
        ("sq. ft.", SquareFeet, false),
        ("sq ft", SquareFeet, false),
        ("annual", Time(Year), true),
        ("times", Times, false),
        ("points", Percent, false),
        ("point", Percent, false),
        ("yearly", Time(Year), true),
        ("weekly", Time(Week), true),
        ("month", Time(Month), false),
        ("years", Time(Year), false),
        ("weeks", Time(Week), false),
        ("units", Units, false),
        ("doors", Units, false),
        ("daily", Time(Day), true),
        ("days", Time(Day), false),
        ("sqft", SquareFeet, false),
        ("foot", SquareFeet, false),
        ("p.a.", Time(Year), true),
        ("year", Time(Year), false),
        ("week", Time(Week), false),
        ("unit", Units, false),
        ("door", Units, false),
        ("keys", Units, false),
        ("key", Units, false),
        ("sqm", SquareMetres, false),
        ("day", Time(Day), false),
        ("bps", BasisPoints, false),
        ("bp", BasisPoints, false),
        ("pct", Percent, false),
        ("psf", SquareFeet, true),
        ("rsf", SquareFeet, false),
        ("yrs", Time(Year), false),
        ("mos", Time(Month), false),
        ("yr", Time(Year), false),
        ("mo", Time(Month), false),
        ("pa", Time(Year), true),
        ("sf", SquareFeet, false),
        ("m²", SquareMetres, false),
        ("ft", SquareFeet, false),
        ("%", Percent, false),
        ("x", Times, false),
        (":1", Times, false),
    ]
};

/// Letters that mean a duration only where one is wanted.
const SHORT: &[(&str, Measure, bool)] = &[
    ("y", Measure::Time(Period::Year), false),
    ("m", Measure::Time(Period::Month), false),
];

/// Words that people put behind a value and that change nothing.
const IDLE: &[&str] = &[
    "dollars",
    "multiple",
    "cap rate",
    "cap",
    "amortization",
    "am",
    "io",
    "ltv",
    "ltc",
    "dscr",
    "each",
];
/// Words in front of a value that change nothing.
const AHEAD: &[&str] = &["about", "around", "approx.", "~", "year", "month", "payment", "#"];
/// Square feet of a square metre.
const METRE: f64 = 10.763_910_416_7;
/// Longer texts are no values.
const LONGEST: usize = 64;

/// Reads a value. `None` if the text is no number with known words behind it.
#[must_use]
pub fn read(text: &str, unit: Unit) -> Option<Amount> {
    let lower = text.trim().to_lowercase();
    if lower.is_empty() || lower.len() > LONGEST {
        return None;
    }
    if unit == Unit::Count
        && let Some(count) = numerals::count(&lower)
    {
        return Some(Amount {
            number: count,
            ..Amount::default()
        });
    }
    let mut found = Amount::default();
    let lower = numerals::without_fractions(&lower);
    let digits = numerals::with_digits(&lower).unwrap_or(lower);
    let mut rest = digits.as_str();
    while let Some(after) = AHEAD.iter().find_map(|word| rest.strip_prefix(word)) {
        rest = after.trim_start();
    }
    loop {
        rest = rest.trim_end();
        if let Some(before) = IDLE.iter().find_map(|word| ended(rest, word)) {
            rest = before;
            continue;
        }
        let short = if matches!(unit, Unit::Years | Unit::Months) {
            SHORT
        } else {
            &[]
        };
        let hit = WORDS
            .iter()
            .chain(short)
            .find_map(|(word, measure, each)| Some((ended(rest, word)?, *measure, *each)));
        let Some((before, measure, each)) = hit else { break };
        let (before, joined) = connector(before.trim_end());
        found.put(measure, each || joined)?;
        rest = before;
    }
    let cents = ["cents", "cent", "¢"].iter().find_map(|word| ended(rest, word));
    rest = cents.unwrap_or(rest).trim_end();
    let million = ended(rest, "mil").map(|before| format!("{}m", before.trim_end()));
    rest = million.as_deref().unwrap_or(rest);
    found.currency = currency(rest).or(cents.map(|_| "USD"));
    let coded = upper_currency(rest);
    let plain = number(&coded, Decimal::Point)
        // A small "m" is a multiple only behind money, and here nothing else is left that it could mean.
        .or_else(|| number(&format!("${rest}"), Decimal::Point))
        .or_else(|| number(&coded, Decimal::Comma))
        .or_else(|| number(&format!("${rest}"), Decimal::Comma))?;
    found.number = plain.written() / if cents.is_some() { 100.0 } else { 1.0 };
    found.fraction = found.number.abs() < 1.0 && rest.contains('.');
    if found.basis.is_none() && found.currency.is_some() && found.measure == Some(Measure::SquareFeet) {
        found.measure = None;
        found.basis = Some(Basis::Area);
    }
    Some(found)
}

impl Amount {
    fn put(&mut self, measure: Measure, each: bool) -> Option<()> {
        match (measure, each) {
            (Measure::Time(period), true) if self.period.is_none() => self.period = Some(period),
            (Measure::SquareFeet, true) if self.basis.is_none() => self.basis = Some(Basis::Area),
            (Measure::Units, true) if self.basis.is_none() => self.basis = Some(Basis::Unit),
            _ if self.measure.is_none() => self.measure = Some(measure),
            _ => return None,
        }
        Some(())
    }

    /// The value in `unit`. `None` if it means something else.
    #[must_use]
    pub fn fit(self, unit: Unit) -> Option<Fitted> {
        let mut note = None;
        let value = match (unit, self.measure) {
            (Unit::Money | Unit::MoneyPerArea, None) => self.number,
            (Unit::Percent, _) if self.currency.is_some() || self.basis.is_some() => return None,
            (Unit::Percent, Some(Measure::Percent)) => self.number / 100.0,
            (Unit::Percent, Some(Measure::BasisPoints)) => self.number / 10_000.0,
            (Unit::Percent, Some(Measure::Times)) => self.number,
            (Unit::Percent, None) if self.fraction => {
                note = Some(Note::Fraction);
                self.number
            }
            (Unit::Percent, None) => self.number / 100.0,
            _ if self.currency.is_some() => return None,
            (Unit::BasisPoints, Some(Measure::Percent)) => self.number * 100.0,
            (Unit::BasisPoints, Some(Measure::BasisPoints) | None) => self.number,
            (Unit::Ratio | Unit::Multiple, Some(Measure::Percent)) => self.number / 100.0,
            (Unit::Ratio | Unit::Multiple, Some(Measure::Times) | None) => self.number,
            (Unit::Years, Some(Measure::Time(period))) => self.number / period.per_year(),
            (Unit::Months, Some(Measure::Time(period))) => self.number * 12.0 / period.per_year(),
            (Unit::Days, Some(Measure::Time(Period::Week))) => self.number * 7.0,
            (Unit::Area, Some(Measure::SquareMetres)) => {
                note = Some(Note::Metres);
                self.number * METRE
            }
            (Unit::Days, Some(Measure::Time(Period::Day)))
            | (Unit::Area, Some(Measure::SquareFeet))
            | (Unit::Count, Some(Measure::Units | Measure::Time(_)))
            | (Unit::Years | Unit::Months | Unit::Days | Unit::Area | Unit::Count, None) => self.number,
            _ => return None,
        };
        let money = matches!(unit, Unit::Money | Unit::MoneyPerArea);
        // A yearly rate may say so; any other period belongs to money only.
        let misplaced = match unit {
            Unit::Percent => self.period.is_some_and(|period| period != Period::Year),
            _ => self.period.is_some() || self.basis.is_some(),
        };
        if !money && misplaced || !value.is_finite() {
            return None;
        }
        Some(Fitted {
            value,
            period: if money { self.period } else { None },
            basis: self.basis,
            note,
        })
    }
}

/// What a value of the unit looks like, for errors.
#[must_use]
pub fn expected(unit: Unit) -> &'static str {
    match unit {
        Unit::Money => "an amount such as \"$1.2m\" or \"1,340/mo\"",
        Unit::MoneyPerArea => "an amount per square foot such as \"$34\" or \"2.10/sf/mo\"",
        Unit::Percent => "a rate or share such as \"6.25%\" or \"150 bps\"",
        Unit::BasisPoints => "basis points such as \"150 bps\"",
        Unit::Ratio | Unit::Multiple => "a ratio such as \"1.25x\"",
        Unit::Years => "a duration such as \"30 yr\" or \"360 months\"",
        Unit::Months => "months such as \"6\", \"6 months\" or \"2 years\"",
        Unit::Days => "days such as \"31\"",
        Unit::Area => "an area such as \"12,000 sf\"",
        Unit::Count => "a number such as \"48\"",
        Unit::Mark => "\"yes\" or \"no\"",
    }
}

/// The text before its last word, unless the word is only the end of a longer one.
fn ended<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let before = text.strip_suffix(word)?;
    let letters = word.starts_with(char::is_alphabetic);
    let longer = letters && before.ends_with(char::is_alphabetic);
    (!longer && !before.is_empty()).then_some(before)
}

/// Removes "per", "/", "a" and the like, and says whether there was one. A hyphen only joins.
fn connector(text: &str) -> (&str, bool) {
    for word in ["/", " per", " a", " an", " each"] {
        if let Some(before) = text.strip_suffix(word) {
            return (before, true);
        }
    }
    (text.strip_suffix('-').unwrap_or(text), false)
}

const CURRENCIES: &[(&str, &str)] = &[
    ("c$", "CAD"),
    ("a$", "AUD"),
    ("$", "USD"),
    ("€", "EUR"),
    ("£", "GBP"),
    ("¥", "JPY"),
    ("usd", "USD"),
    ("eur", "EUR"),
    ("gbp", "GBP"),
    ("chf", "CHF"),
    ("cad", "CAD"),
    ("aud", "AUD"),
    ("jpy", "JPY"),
];

fn currency(lower: &str) -> Option<&'static str> {
    CURRENCIES
        .iter()
        .find(|(sign, _)| lower.contains(sign))
        .map(|(_, code)| *code)
}

/// The text with the letters of its currency as `tables` reads them.
fn upper_currency(lower: &str) -> String {
    ["us$", "c$", "a$", "usd", "eur", "gbp", "chf", "cad", "aud", "jpy"]
        .iter()
        .find(|sign| lower.contains(*sign))
        .map_or_else(
            || lower.to_owned(),
            |sign| lower.replacen(sign, &sign.to_uppercase(), 1),
        )
}
