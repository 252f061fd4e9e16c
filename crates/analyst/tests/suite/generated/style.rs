//! How a maker writes numbers, dates, months and lines.

use chrono::{Datelike, NaiveDate};

use super::building::Money;
use super::random::Random;

#[derive(Clone, Copy)]
pub struct Numbers {
    pub cents: bool,
    pub grouped: bool,
    pub dollar: bool,
    pub parentheses: bool,
    /// A comma before the cents, points between thousands.
    pub comma: bool,
}

#[derive(Clone, Copy)]
pub enum Dates {
    /// 12/31/2026
    American,
    /// 12/31/26
    Short,
    /// 31/12/2026
    British,
    /// 2026-12-31
    Iso,
    /// 31-Dec-2026
    Named,
    /// 31.12.2026
    Dotted,
}

#[derive(Clone, Copy)]
pub struct Style {
    pub numbers: Numbers,
    pub dates: Dates,
    pub delimiter: char,
}

impl Style {
    /// As an American system writes: with cents or without, grouped or not.
    pub fn any(random: &mut Random, cents: bool) -> Self {
        Self {
            numbers: Numbers {
                cents: cents || random.chance(50),
                grouped: random.chance(60),
                dollar: random.chance(20),
                parentheses: random.chance(40),
                comma: false,
            },
            dates: random.one(&[
                Dates::American,
                Dates::American,
                Dates::Short,
                Dates::Iso,
                Dates::Named,
            ]),
            delimiter: if random.chance(12) { '\t' } else { ',' },
        }
    }

    pub fn with_decimal_comma(self, random: &mut Random) -> Self {
        Self {
            numbers: Numbers {
                cents: true,
                comma: true,
                dollar: false,
                ..self.numbers
            },
            dates: random.one(&[Dates::Dotted, Dates::British, Dates::Iso]),
            delimiter: if random.chance(80) { ';' } else { '\t' },
        }
    }

    pub fn money(&self, amount: Money) -> String {
        let own = self.numbers;
        let size = amount.unsigned_abs();
        let mut text = if own.grouped {
            grouped(size / 100, if own.comma { '.' } else { ',' })
        } else {
            (size / 100).to_string()
        };
        if own.cents || !size.is_multiple_of(100) {
            text.push_str(&format!("{}{:02}", if own.comma { ',' } else { '.' }, size % 100));
        }
        if own.dollar {
            text.insert(0, '$');
        }
        match (amount < 0, own.parentheses) {
            (false, _) => text,
            (true, true) => format!("({text})"),
            (true, false) => format!("-{text}"),
        }
    }

    pub fn date(&self, date: NaiveDate) -> String {
        let form = match self.dates {
            Dates::American => "%m/%d/%Y",
            Dates::Short => "%m/%d/%y",
            Dates::British => "%d/%m/%Y",
            Dates::Iso => "%Y-%m-%d",
            Dates::Named => "%d-%b-%Y",
            Dates::Dotted => "%d.%m.%Y",
        };
        date.format(form).to_string()
    }

    /// The rows as a file, with the line ends of its maker.
    pub fn file(&self, rows: &[Vec<String>]) -> String {
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut text = String::new();
        for row in rows {
            let mut cells: Vec<String> = row.iter().map(|cell| self.cell(cell)).collect();
            cells.resize(width, String::new());
            text.push_str(&cells.join(&self.delimiter.to_string()));
            text.push('\n');
        }
        text
    }

    fn cell(&self, cell: &str) -> String {
        if cell.contains([self.delimiter, '"', '\n']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.to_owned()
        }
    }

    pub fn ending(&self) -> &'static str {
        if self.delimiter == '\t' { "tsv" } else { "csv" }
    }
}

pub fn grouped(number: u64, sign: char) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(sign);
        }
        text.push(digit);
    }
    text
}

/// The names of months as a maker writes them in headings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Months {
    /// Nov 2025
    Short,
    /// Nov-25
    Dashed,
    /// Nov 25
    Bare,
    /// November 2025
    Long,
    /// NOV 2025
    Capitals,
    /// 11/2025
    Slashed,
    /// 2025-11
    Iso,
    /// 11/30/2025
    End,
    /// 2025-11-01
    IsoDay,
    /// Actual Nov 2025
    Actual,
}

pub const MONTHS: [Months; 10] = [
    Months::Short,
    Months::Dashed,
    Months::Bare,
    Months::Long,
    Months::Capitals,
    Months::Slashed,
    Months::Iso,
    Months::End,
    Months::IsoDay,
    Months::Actual,
];

impl Months {
    /// `month` is its first day.
    pub fn heading(self, month: NaiveDate) -> String {
        let form = match self {
            Self::Short => "%b %Y",
            Self::Dashed => "%b-%y",
            Self::Bare => "%b %y",
            Self::Long => "%B %Y",
            Self::Capitals => return month.format("%b %Y").to_string().to_uppercase(),
            Self::Slashed => "%m/%Y",
            Self::Iso => "%Y-%m",
            Self::End => return last_day(month).format("%m/%d/%Y").to_string(),
            Self::IsoDay => "%Y-%m-%d",
            Self::Actual => "Actual %b %Y",
        };
        month.format(form).to_string()
    }

    pub fn named(self) -> bool {
        !matches!(self, Self::Slashed | Self::Iso | Self::End | Self::IsoDay)
    }
}

fn last_day(month: NaiveDate) -> NaiveDate {
    let next = month.checked_add_months(chrono::Months::new(1)).unwrap();
    next.pred_opt().unwrap()
}

/// Short and long names of months in other languages.
const FOREIGN: [[&str; 12]; 5] = [
    [
        "Jan", "Feb", "Mrz", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez",
    ],
    [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    [
        "janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc.",
    ],
    [
        "ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic",
    ],
    [
        "gennaio",
        "febbraio",
        "marzo",
        "aprile",
        "maggio",
        "giugno",
        "luglio",
        "agosto",
        "settembre",
        "ottobre",
        "novembre",
        "dicembre",
    ],
];

/// The name of a month in one of the other languages.
pub fn foreign(language: usize, month: NaiveDate) -> String {
    let at = usize::try_from(month.month0()).unwrap();
    format!("{} {}", FOREIGN[language % FOREIGN.len()][at], month.year())
}
