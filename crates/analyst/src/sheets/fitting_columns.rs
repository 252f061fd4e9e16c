//! Columns that fit a question as well as the one that was taken: the same figure of another year, or two columns of one
//! name. Which is meant is asked, unless the question says it.
//!
//! Computes nothing.

use std::collections::BTreeSet;

use crate::sheets::query::vocabulary;
use crate::sheets::slots::{Slot, through};
use crate::sheets::sources::Sheet;
use crate::sheets::words::Words;
use tables::dates;
use tables::headers::{self, Field};
use tables::kind::Kind;
use tables::mixed::only_currency;
use tables::table::Table;

/// The columns that may be meant, if `taken` is one of several and the question names none of them.
pub(crate) fn of(table: &Table, numeric: &[usize], taken: &[usize], question: &str) -> Option<Vec<usize>> {
    let said = said(question);
    taken.iter().filter(|at| numeric.contains(at)).find_map(|column| {
        let own = Name::of(table.header(*column));
        let mut fitting: Vec<usize> = numeric
            .iter()
            .copied()
            .filter(|at| own.varies(table.header(*at)))
            .collect();
        let named = own.telling.is_empty() || own.telling.iter().any(|word| said.contains(word));
        let used = fitting.iter().filter(|at| taken.contains(at)).count() > 1;
        fitting.truncate(MOST);
        (fitting.len() > 1 && !named && !used).then_some(fitting)
    })
}

/// The tables with nothing but the column that a reply names where several fit, and whether it says nothing else; none
/// if it names no single one.
pub(crate) fn settled(sheets: &[Sheet], reply: &str) -> Option<(Vec<Sheet>, bool)> {
    let (said, words) = (said(reply), headers::words(reply));
    let named = |whole: bool| {
        let fits = |header: &str| {
            let own = headers::words(header);
            let telling = Name::of(header).telling;
            let named = !own.is_empty() && own.iter().all(|word| words.contains(word));
            let told = !telling.is_empty() && telling.is_subset(&said);
            (if whole { named } else { told }) && words.len() <= own.len() + 3
        };
        let columns = sheets.iter().enumerate().flat_map(|(n, sheet)| {
            let numeric = sheet.numeric().iter().copied();
            numeric.map(move |at| (n, at, sheet.table.header(at)))
        });
        columns.filter(|(_, _, header)| fits(header)).collect::<Vec<_>>()
    };
    let mut named = [named(true), named(false)]
        .into_iter()
        .find(|named| !named.is_empty())?;
    let longest = named.iter().map(|(_, _, own)| own.len()).max()?;
    named.retain(|(_, _, own)| own.len() == longest);
    let [(chosen, column, header)] = named.as_slice() else {
        return None;
    };
    let several = sheets.get(*chosen).is_some_and(|sheet| {
        let (own, table) = (Name::of(header), &sheet.table);
        let fits = |at: &usize| own.varies(table.header(*at));
        sheet.kind == Kind::Statement || sheet.numeric().iter().filter(|at| fits(at)).count() > 1
    });
    if !several {
        return None;
    }
    let bare = words.iter().all(|word| headers::words(header).contains(word));
    let only = |(n, sheet): (usize, &Sheet)| match n == *chosen {
        true => only(sheet, *column),
        false => sheet.with(sheet.table.clone()),
    };
    Some((sheets.iter().enumerate().map(only).collect(), bare))
}

/// The table without the columns that fit as well as this one.
fn only(sheet: &Sheet, column: usize) -> Sheet {
    let header = sheet.table.header(column).to_owned();
    if sheet.kind == Kind::Statement {
        let mut seen = through(sheet, &[(column, Slot::default())], 1.0);
        if let Some(last) = seen.table.columns.last_mut() {
            last.header = header;
        }
        return seen;
    }
    let own = Name::of(&header);
    let mut table = sheet.table.clone();
    let mut field = None;
    for (at, other) in table.columns.iter_mut().enumerate() {
        if own.varies(&other.header) {
            field = field.or(other.field.take());
            if at != column {
                other.header.clear();
            }
        }
    }
    if let Some(own) = table.columns.get_mut(column) {
        own.field = own.field.or(field);
    }
    sheet.with(table)
}

/// Columns that a question back names.
const MOST: usize = 12;

/// A header: what it is of, and which of several.
struct Name {
    of: Vec<String>,
    field: Option<Field>,
    telling: BTreeSet<String>,
}

impl Name {
    fn of(header: &str) -> Self {
        let (front, inside) = header.split_once(['(', '[']).unwrap_or((header, ""));
        let (telling, of): (Vec<String>, Vec<String>) = headers::words(front)
            .into_iter()
            .partition(|word| moment(word).is_some());
        let telling = telling.iter().filter_map(|word| moment(word));
        let inside = headers::words(inside)
            .into_iter()
            .map(|word| moment(&word).unwrap_or(word));
        Self {
            of,
            field: headers::field(header),
            telling: telling.chain(inside).collect(),
        }
    }

    /// Whether another header is of the same, and tells which of several it is.
    fn varies(&self, header: &str) -> bool {
        let other = Self::of(header);
        let same = self.of == other.of && self.field == other.field;
        same && !self.of.is_empty() && !other.telling.is_empty()
    }
}

/// A year, a month, a number or a currency, in one form: "FY25" is 2025.
fn moment(word: &str) -> Option<String> {
    if let Some(code) = only_currency(word) {
        return Some(code.to_owned());
    }
    if let Some(month) = dates::month_named(word) {
        return Some(format!("m{month}"));
    }
    let digits = word.trim_start_matches(char::is_alphabetic);
    let number: u32 = digits.parse().ok()?;
    let short = word.len() - digits.len() <= 2;
    match number {
        1900..2200 => Some(number.to_string()),
        20..100 if digits.len() == 2 && word.len() > 2 && short => Some((2000 + number).to_string()),
        1..10 if word.len() == 1 => Some(number.to_string()),
        _ => None,
    }
}

fn said(question: &str) -> BTreeSet<String> {
    let words = Words::of(question);
    let own = headers::words(question).into_iter();
    let mut said: BTreeSet<String> = own.map(|word| moment(&word).unwrap_or(word)).collect();
    // In "the second one", "one" is no number.
    let ranks = words.all.iter().filter(|word| word.text != "one");
    said.extend(ranks.filter_map(|word| vocabulary::ordinal(&word.text)));
    said
}
