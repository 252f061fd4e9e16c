//! Recognizes a sheet: the position of its header, the kind of file, and the field of each column. Handles
//! title blocks above the header, headers of two lines, and alternative header names.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use crate::portfolio::import::fields::{CellType, Field};
use crate::portfolio::import::finding::{Code, Finding};
use crate::portfolio::import::kinds::{KINDS, Kind};
use crate::portfolio::import::sheet::Sheet;
use tables::dates::{self, Order, Told};
use tables::grid::Record;
use tables::headers::normalized;
use tables::numbers::{self, Decimal};
use tables::periods;

/// Number of lines in which to look for a header.
const HEADER_SEARCH_LINES: usize = 25;
/// Minimum number of month columns in a statement.
const MIN_MONTHS: usize = 2;

/// A column that was matched to a field, and how to read its cells.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    pub field: &'static Field,
    pub at: usize,
    pub order: Order,
    /// Whether the order of day and month is certain, because the caller gave it or another cell shows it.
    pub order_known: bool,
    /// Whether areas are in square metres.
    pub metric: bool,
}

#[derive(Clone, Debug)]
pub struct Listing {
    pub name: String,
    pub kind: Kind,
    /// The lines above the header.
    pub title: Vec<String>,
    pub headers: Vec<String>,
    /// The line number of the header.
    pub line: usize,
    pub columns: Vec<Column>,
    /// The month columns of a statement.
    pub months: Vec<(usize, NaiveDate)>,
    /// The rows below the header.
    pub records: Vec<Record>,
    /// Whether the sheet is from a workbook, where rows may omit empty cells at the end.
    pub workbook: bool,
}

/// The header names that an organization's files use: normalized header to field, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mapping {
    pub fields: BTreeMap<(Kind, String), String>,
}

/// A sheet that was not recognized, and what is missing.
#[derive(Clone, Debug)]
pub struct UnrecognizedSheet {
    pub name: String,
    pub line: usize,
    pub headers: Vec<String>,
    /// The most likely kind.
    pub kind: Kind,
    pub missing: Vec<&'static str>,
}

impl UnrecognizedSheet {
    pub fn findings(&self) -> Vec<Finding> {
        let finding = |field: &&'static str| {
            let why = format!(
                "no column for {field}, which is required for {}; choose the column that contains it",
                self.kind.title()
            );
            Finding::new(&self.name, Some(self.line), Code::MissingColumn, why).column(field)
        };
        self.missing.iter().map(finding).collect()
    }
}

impl Listing {
    pub fn column(&self, field: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.field.name == field)
    }

    /// Creates a finding for the cell of a field.
    pub fn at(&self, record: &Record, field: &str, code: Code, why: impl Into<String>) -> Finding {
        let finding = Finding::new(&self.name, Some(record.line), code, why);
        match self.column(field) {
            Some(column) => {
                let header = self.headers.get(column.at).map_or(field, String::as_str);
                finding.at(header, record.cell(column.at))
            }
            None => finding.column(field),
        }
    }

    /// All cells of a column.
    pub fn cells(&self, at: usize) -> impl Iterator<Item = &str> {
        self.records.iter().map(move |record| record.cell(at))
    }
}

/// A possible interpretation of a sheet's header.
struct Candidate {
    score: i64,
    kind: Kind,
    header: usize,
    body: usize,
    headers: Vec<String>,
    columns: Vec<(&'static Field, usize)>,
    months: Vec<(usize, NaiveDate)>,
    missing: Vec<&'static str>,
}

/// Recognizes a sheet. `day_first` is the date order that the caller gave, if any.
pub fn recognize(
    sheet: Sheet,
    mapping: &Mapping,
    day_first: Option<bool>,
) -> Result<Listing, UnrecognizedSheet> {
    let mut best: Option<Candidate> = None;
    let stem = stem(&sheet.name);
    for header in 0..sheet.rows.len().min(HEADER_SEARCH_LINES) {
        for lines in [1, 2] {
            let Some(headers) = headers_at(&sheet, header, lines) else {
                continue;
            };
            for kind in KINDS {
                let own = candidate(kind, header, lines, &headers, mapping, &stem);
                if best.as_ref().is_none_or(|best| own.score > best.score) {
                    best = Some(own);
                }
            }
        }
    }
    let Some(best) = best else {
        return Err(UnrecognizedSheet {
            name: sheet.name,
            line: 1,
            headers: Vec::new(),
            kind: Kind::RentRoll,
            missing: vec!["unit_number"],
        });
    };
    let line = sheet.rows.get(best.header).map_or(1, |row| row.line);
    if !best.missing.is_empty() {
        return Err(UnrecognizedSheet {
            name: sheet.name,
            line,
            headers: best.headers,
            kind: best.kind,
            missing: best.missing,
        });
    }
    let mut rows = sheet.rows;
    let records = rows.split_off(best.body.min(rows.len()));
    let title = rows.iter().take(best.header).map(|row| {
        let cells = row.cells.iter().filter(|cell| !cell.is_empty());
        cells.collect::<Vec<_>>().join(" ")
    });
    let mut listing = Listing {
        name: sheet.name,
        kind: best.kind,
        title: title.collect(),
        headers: best.headers,
        line,
        columns: Vec::new(),
        months: best.months,
        records,
        workbook: sheet.workbook,
    };
    let (order, order_known) = order(&listing, &best.columns, day_first);
    listing.columns = best
        .columns
        .into_iter()
        .map(|(field, at)| Column {
            field,
            at,
            order,
            order_known,
            metric: listing.headers.get(at).is_some_and(|header| metric(header)),
        })
        .collect();
    Ok(listing)
}

/// The file's name without its extension, normalized like the names of kinds.
fn stem(name: &str) -> String {
    let name = name.rsplit(" · ").next().unwrap_or(name);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.to_ascii_lowercase().replace([' ', '-'], "_")
}

fn metric(header: &str) -> bool {
    let plain = normalized(header);
    ["sqm", "m2", "m²", "squaremet"]
        .iter()
        .any(|unit| plain.contains(unit))
}

/// The headers from one line, or from two lines combined. `None` if the line cannot be a header.
fn headers_at(sheet: &Sheet, at: usize, lines: usize) -> Option<Vec<String>> {
    let first = sheet.rows.get(at)?;
    let filled = first.cells.iter().filter(|cell| !cell.is_empty()).count();
    if filled < 2 {
        return None;
    }
    let mut headers: Vec<String> = first.cells.iter().map(str::to_owned).collect();
    if lines == 2 {
        let second = sheet.rows.get(at + 1)?;
        let words = second.cells.iter().filter(|cell| !cell.is_empty());
        let data = |cell: &str| {
            numbers::number(cell, Decimal::Point).is_some() || dates::date(cell, Order::MonthFirst).is_some()
        };
        if words.clone().count() == 0 || words.clone().any(data) || second.cells.len() > headers.len() {
            return None;
        }
        for (header, below) in headers.iter_mut().zip(second.cells.iter()) {
            if header.is_empty() {
                below.clone_into(header);
            } else if !below.is_empty() {
                header.push(' ');
                header.push_str(below);
            }
        }
        // A second line with only one filled cell is the heading of a group.
        if second.cells.iter().filter(|cell| !cell.is_empty()).count() < 2 {
            return None;
        }
    }
    Some(headers)
}

fn candidate(
    kind: Kind,
    header: usize,
    lines: usize,
    headers: &[String],
    mapping: &Mapping,
    stem: &str,
) -> Candidate {
    let plain: Vec<String> = headers.iter().map(|header| normalized(header)).collect();
    let mut columns: Vec<(&'static Field, usize)> = Vec::new();
    let mut taken = BTreeSet::new();
    let months = if kind == Kind::Statement {
        months(headers)
    } else {
        Vec::new()
    };
    taken.extend(months.iter().map(|(at, _)| *at));
    // The organization's mapping takes precedence, then our own names, then the usual aliases.
    for (at, header) in plain.iter().enumerate() {
        let mapped = mapping.fields.get(&(kind, header.clone()));
        let field = mapped.and_then(|name| kind.field(name));
        if let Some(field) = field.filter(|field| !columns.iter().any(|(own, _)| own.name == field.name)) {
            columns.push((field, at));
            taken.insert(at);
        }
    }
    let mut exact = columns.len();
    let mut by_name = |names: &dyn Fn(&Field) -> Vec<String>, columns: &mut Vec<(&'static Field, usize)>| {
        for field in kind.fields() {
            if columns.iter().any(|(own, _)| own.name == field.name) {
                continue;
            }
            let found = names(field).into_iter().find_map(|name| {
                let free = plain.iter().enumerate().filter(|(at, _)| !taken.contains(at));
                free.filter(|(_, header)| **header == name)
                    .map(|(at, _)| at)
                    .next()
            });
            if let Some(at) = found {
                taken.insert(at);
                columns.push((field, at));
            }
        }
    };
    by_name(&|field| vec![normalized(field.name)], &mut columns);
    exact = exact.max(columns.len());
    by_name(&|field| field.names().map(str::to_owned).collect(), &mut columns);
    let missing = missing(kind, &columns, &months);
    let required = kind.fields().iter().filter(|field| field.required).count();
    let named = stem == kind.as_str() && missing.len() * 2 <= required;
    let filled = plain.iter().filter(|header| !header.is_empty()).count();
    let known = columns.len() + months.len();
    let weigh = |count: usize, weight: i64| i64::try_from(count).unwrap_or(i64::MAX / 100) * weight;
    let score = i64::from(named) * 20_000
        + i64::from(missing.is_empty()) * 10_000
        + weigh(exact, 40)
        + weigh(known, 20)
        - weigh(filled.saturating_sub(known), 5)
        - weigh(missing.len(), 60)
        - weigh(header + lines, 1);
    Candidate {
        score,
        kind,
        header,
        body: header + lines,
        headers: headers.to_vec(),
        columns,
        months,
        missing,
    }
}

/// The required fields that a sheet of this kind lacks.
fn missing(
    kind: Kind,
    columns: &[(&'static Field, usize)],
    months: &[(usize, NaiveDate)],
) -> Vec<&'static str> {
    let has = |name: &str| columns.iter().any(|(field, _)| field.name == name);
    let required = kind.fields().iter().filter(|field| field.required);
    let mut missing: Vec<&'static str> = required
        .map(|field| field.name)
        .filter(|name| !has(name))
        .collect();
    match kind {
        Kind::RentRoll => {
            if !has("monthly_rent") && !has("charge_amount") {
                missing.push("monthly_rent");
            }
            if !has("tenant") && !has("tenant_code") && !has("status") {
                missing.push("tenant");
            }
        }
        Kind::Statement if months.len() < MIN_MONTHS => missing.push("months"),
        _ => {}
    }
    missing
}

fn months(headers: &[String]) -> Vec<(usize, NaiveDate)> {
    let run = periods::read(headers, &[]);
    let found = headers.iter().zip(run).enumerate();
    found
        .filter_map(|(at, (header, month))| {
            let whole = || dates::date(header, Order::MonthFirst).map(|dated| dated.date);
            let month = month.filter(|month| periods::has_year(*month)).or_else(whole)?;
            Some((at, first_of(month)))
        })
        .collect()
}

pub fn first_of(date: NaiveDate) -> NaiveDate {
    use chrono::Datelike as _;
    date.with_day(1).unwrap_or(date)
}

/// The order of day and month in a listing's dates, and whether it is certain.
fn order(listing: &Listing, columns: &[(&'static Field, usize)], day_first: Option<bool>) -> (Order, bool) {
    match day_first {
        Some(true) => return (Order::DayFirst, true),
        Some(false) => return (Order::MonthFirst, true),
        None => {}
    }
    let dates = columns
        .iter()
        .filter(|(field, _)| matches!(field.cell_type, CellType::Date | CellType::Month))
        .flat_map(|(_, at)| listing.cells(*at));
    match dates::order_of(dates) {
        Told::Order(order) => (order, true),
        Told::Nothing | Told::Both => (Order::MonthFirst, false),
    }
}
