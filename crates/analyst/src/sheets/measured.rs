//! The numbers of a column in their unit: money, areas, rates as fractions; and how they are shown.
//!
//! Sums nothing.

use crate::say::format;
use crate::sheets::finding::{percent, plain};
use tables::headers::{self, Field};
use tables::table::{Row, Table};

/// What a column's numbers are.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Unit {
    Money,
    Area,
    Percent,
    Multiple,
    Plain,
}

/// The numbers of a column in their unit, and how they are shown.
pub(crate) struct Column<'a> {
    table: &'a Table,
    at: usize,
    pub(crate) of: Unit,
    notation: Notation,
}

/// How the numbers of a column are written.
#[derive(Clone, Copy)]
pub(crate) struct Notation {
    of: Unit,
    /// Percentages are written as points: 6.25 is six and a quarter percent.
    points: bool,
    /// The currency where it is not the dollar: its code, and its sign before an amount.
    currency: Option<(&'static str, &'static str)>,
    /// Areas are in square metres.
    metric: bool,
}

impl<'a> Column<'a> {
    pub(crate) fn of(table: &'a Table, at: usize) -> Self {
        Self::with(table, at, Notation::of(table, at))
    }

    /// The column with its notation, which takes a look at each row to find.
    pub(crate) fn with(table: &'a Table, at: usize, notation: Notation) -> Self {
        Self {
            table,
            at,
            of: notation.of,
            notation,
        }
    }

    /// The currency where it is not the dollar: its code, and its sign before an amount.
    pub(crate) fn currency(&self) -> Option<(&'static str, &'static str)> {
        self.notation.currency
    }

    /// What sizes are measured in.
    pub(crate) fn size(&self) -> &'static str {
        if self.notation.metric { "m²" } else { "sf" }
    }

    pub(crate) fn value(&self, row: &Row) -> Option<f64> {
        let number = self.table.number(row, self.at)?;
        Some(match self.of {
            Unit::Percent if number.percent => number.value(),
            Unit::Percent if self.notation.points => number.written() / 100.0,
            _ => number.written(),
        })
    }

    pub(crate) fn shown(&self, value: f64) -> String {
        match self.of {
            Unit::Money => match self.notation.currency {
                Some((_, sign)) => format::money(value).replace('$', sign),
                None => format::money(value),
            },
            Unit::Area => format!("{} {}", plain(value, 2), self.size()),
            Unit::Percent => percent(value),
            Unit::Multiple => format!("{}x", plain(value, 2)),
            Unit::Plain => plain(value, 4),
        }
    }

    pub(crate) fn unit(&self) -> &'static str {
        match self.of {
            Unit::Money => self.notation.currency.map_or("USD", |(word, _)| word),
            Unit::Area if self.notation.metric => "sqm",
            Unit::Area => "sqft",
            Unit::Percent => "percent",
            Unit::Multiple => "ratio",
            Unit::Plain => "count",
        }
    }

    pub(crate) fn word(&self) -> String {
        headers::words(self.table.header(self.at)).join("_")
    }
}

impl Notation {
    pub(crate) fn of(table: &Table, at: usize) -> Self {
        let header = table.header(at);
        let field = headers::field(header);
        let numbers = Numbers::of(table, at);
        let words = headers::words(header);
        let says = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
        let share = matches!(
            field,
            Some(Field::Rate | Field::CapRate | Field::Ltv | Field::Adjustment)
        ) || (says(&["%", "pct", "percent", "rate", "yield"])
            && field != Some(Field::RentPerArea)
            && !numbers.money)
            || numbers.percent;
        // Days past due, and years, over amounts.
        let bucket = !words.is_empty()
            && words.iter().all(|word| {
                word.parse::<u32>().is_ok() || matches!(word.as_str(), "days" | "day" | "over" | "plus")
            });
        let money = matches!(
            field,
            Some(
                Field::MarketRent
                    | Field::Rent
                    | Field::AnnualRent
                    | Field::RentPerArea
                    | Field::Deposit
                    | Field::Balance
                    | Field::Amount
                    | Field::Price
                    | Field::PricePerArea
                    | Field::PricePerUnit
                    | Field::AdjustedPrice
                    | Field::AdjustedPerArea
                    | Field::LoanAmount
                    | Field::LoanBalance
                    | Field::DebtService
                    | Field::Value
                    | Field::Noi
                    | Field::Budget
                    | Field::Total
            )
        ) || says(&[
            "$", "usd", "price", "rent", "cost", "amount", "income", "expense", "fee", "charge", "revenue",
            "payment", "spend", "budget", "tax", "taxes",
        ]) || says(&[
            "eur", "paid", "owed", "due", "debt", "balance", "value", "proceeds",
        ]) || (bucket
            && (table.has(Field::Total) || table.has(Field::Tenant) || table.has(Field::Account)))
            || numbers.money;
        let unit = if share {
            Unit::Percent
        } else if money {
            Unit::Money
        } else if field == Some(Field::Area) {
            Unit::Area
        } else if field == Some(Field::Dscr) {
            Unit::Multiple
        } else {
            Unit::Plain
        };
        let points = unit == Unit::Percent && numbers.above_one;
        Self {
            of: unit,
            points,
            currency: currency(table, at),
            metric: is_metric(table, at),
        }
    }
}

/// What some of the numbers of a column are.
#[derive(Default)]
struct Numbers {
    money: bool,
    percent: bool,
    /// Without a percent sign, and greater than one.
    above_one: bool,
}

impl Numbers {
    fn of(table: &Table, at: usize) -> Self {
        let mut all = Self::default();
        for number in table.data().filter_map(|row| table.number(row, at)) {
            all.money |= number.money;
            all.percent |= number.percent;
            all.above_one |= !number.percent && number.written().abs() > 1.0;
        }
        all
    }
}

/// Whether a cell of a column has one of these signs.
fn holds(table: &Table, at: usize, signs: &[&str]) -> bool {
    let is_plain = |cell: &str| {
        cell.bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b',' | b'-'))
    };
    let cells = table.data().map(|row| table.text(row, at));
    cells
        .filter(|cell| !is_plain(cell))
        .any(|cell| signs.iter().any(|sign| cell.contains(sign)))
}

/// Whether a header or its cells name square metres.
pub(crate) fn is_metric(table: &Table, at: usize) -> bool {
    let words = headers::words(table.header(at));
    let says = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
    words.windows(2).any(|pair| {
        matches!(pair, [one, other] if matches!(one.as_str(), "sq" | "square") && matches!(other.as_str(), "m" | "metres" | "meters"))
    }) || says(&["m²", "m2", "sqm", "qm", "meters", "metres"])
        || holds(table, at, &["m²", "sqm"])
}

/// Which other currency than the dollar a header or its cells name: its code, and its sign before an amount.
pub(crate) fn currency(table: &Table, at: usize) -> Option<(&'static str, &'static str)> {
    let header = table.header(at);
    let words = headers::words(header);
    [
        ("EUR", "€", &["€", "EUR"]),
        ("GBP", "£", &["£", "GBP"]),
        ("CHF", "CHF ", &["CHF", "SFr"]),
    ]
    .into_iter()
    .find(|(word, _, signs)| {
        words
            .iter()
            .any(|own| own.eq_ignore_ascii_case(word) || (own == "euro" && *word == "EUR"))
            || signs.iter().any(|sign| header.contains(sign))
            || holds(table, at, *signs)
    })
    .map(|(word, sign, _)| (word, sign))
}
