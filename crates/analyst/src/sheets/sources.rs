//! The tables that a question may be about: pasted into it, in its files, in files of earlier turns or of notes.
//!
//! A file's text is data: it is measured, never obeyed. Computes nothing.

use std::collections::HashSet;
use std::sync::OnceLock;

use crate::contract::brief::FileId;
use crate::contract::brief::{Brief, FileContent, FileExcerpt, FileFrom};
use tables::columns::numeric_columns;
use tables::grid::{self, Grid, Records, Unread};
use tables::headers::{self, Field};
use tables::kind::{Kind, kind};
use tables::table::Table;
use tables::tenancy::{self, Tenancy};
use tables::{layout, pasted, rents, scales};

const TOO_LARGE: &str = "it has more cells than I read at once";

/// How near a table is to the question: the nearest that answers is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Pasted,
    Attached,
    Note,
    Earlier,
}

/// A table and where it came from.
pub(crate) struct Sheet {
    pub(crate) place: Place,
    /// The file's name, or "your question".
    pub(crate) name: String,
    pub(crate) file: Option<FileId>,
    pub(crate) table: Table,
    pub(crate) kind: Kind,
    /// Read when it is first asked for.
    pub(crate) tenancy: OnceLock<Tenancy>,
    /// Found when they are first asked for.
    pub(crate) numeric: OnceLock<Vec<usize>>,
}

impl Sheet {
    /// The spaces and leases of the table.
    pub(crate) fn tenancy(&self) -> &Tenancy {
        self.tenancy.get_or_init(|| tenancy::read(&self.table))
    }

    /// The columns of numbers.
    pub(crate) fn numeric(&self) -> &[usize] {
        self.numeric.get_or_init(|| numeric_columns(&self.table))
    }

    /// The same file with another reading of its table.
    pub(crate) fn with(&self, table: Table) -> Self {
        Self {
            place: self.place,
            name: self.name.clone(),
            file: self.file,
            kind: self.kind,
            table,
            tenancy: OnceLock::new(),
            numeric: OnceLock::new(),
        }
    }
}

/// All tables of a brief, the nearest first, and the question without those that were pasted into it.
pub(crate) struct Sheets {
    pub(crate) sheets: Vec<Sheet>,
    pub(crate) question: String,
    /// Files of this question in which nothing was found, with the reason, as sentences.
    pub(crate) unread: Vec<String>,
}

/// The question is tried on each table of a text.
const MOST_TABLES: usize = 40;

pub(crate) fn find(brief: &Brief) -> Sheets {
    let mut sheets = Vec::new();
    let mut question = String::new();
    let mut from = 0;
    let pasted = pasted::find(&brief.question);
    // So many are no tables to ask about: the text is read as it stands.
    let few = pasted.len() <= MOST_TABLES;
    for found in pasted.into_iter().filter(|_| few) {
        let delimiter = found.grid.delimiter;
        let Some(table) = layout::table(found.grid)
            .map(scales::written_out)
            .map(rents::with_charges)
            .map(rents::with_annual)
        else {
            continue;
        };
        let of = kind(&table);
        // Numbers under one another without any name are a list, which others read.
        let named = table.columns.iter().any(|column| !column.header.is_empty());
        // Names with a number each are values for a calculation, unless they are the lines of a statement.
        let values = delimiter == pasted::TRAILING && of != Kind::Statement;
        if table.data().count() < 2 || values || (!named && of == Kind::Other) {
            continue;
        }
        question.push_str(brief.question.get(from..found.span.start).unwrap_or(""));
        question.push_str(". ");
        from = found.span.end;
        sheets.push(Sheet {
            place: Place::Pasted,
            name: "the table in your question".to_owned(),
            file: None,
            kind: of,
            table,
            tenancy: OnceLock::new(),
            numeric: OnceLock::new(),
        });
    }
    question.push_str(brief.question.get(from..).unwrap_or(""));
    let mut unread = Vec::new();
    let mut left = grid::CELLS;
    for file in &brief.files {
        let place = match file.from {
            FileFrom::Question => Place::Attached,
            FileFrom::Note(_) => Place::Note,
            FileFrom::Earlier => Place::Earlier,
        };
        match tables(file, &mut left) {
            Ok(tables) => sheets.extend(tables.into_iter().map(|table| Sheet {
                place,
                name: file.name.clone(),
                file: Some(file.id),
                kind: kind(&table),
                table,
                tenancy: OnceLock::new(),
                numeric: OnceLock::new(),
            })),
            Err(why) if place == Place::Attached => unread.push(format!("{}: {why}.", file.name)),
            Err(_) => {}
        }
    }
    sheets.sort_by_key(|sheet| sheet.place);
    Sheets {
        sheets,
        question: without_names(&question, brief),
        unread,
    }
}

/// Names of files are no words of the question.
fn without_names(question: &str, brief: &Brief) -> String {
    let mut question = question.to_owned();
    for file in &brief.files {
        if file.name.contains('.') && file.name.len() > 4 {
            question = question.replace(&file.name, "the file");
        }
    }
    // "Per leased foot" is per foot of what is leased.
    for area in ["sf", "sqft", "square foot", "foot", "rsf"] {
        for state in ["leased", "occupied", "let"] {
            question = question.replace(
                &format!("per {state} {area}"),
                &format!("per {area} of the leased space"),
            );
        }
    }
    question
}

/// The tables of a file, or why there is none. `left`: how many cells all files may still have, because all are in
/// memory at once.
fn tables(file: &FileExcerpt, left: &mut usize) -> Result<Vec<Table>, String> {
    let (media, text) = match &file.content {
        FileContent::Text { media, text } => (media.as_str(), text),
        FileContent::Unreadable(why) => return Err(why.clone()),
    };
    let delimiter = match media {
        "text/tab-separated-values" => Some(b'\t'),
        _ => None,
    };
    let grids: Vec<Grid> = match media {
        "application/json" => records(text).into_iter().collect(),
        "text/csv" | "text/tab-separated-values" => match grid::shared(text, delimiter) {
            Ok(grid) => vec![grid],
            Err(Unread::Empty) => return Err("it is empty".to_owned()),
            Err(Unread::TooLarge) => return Err(TOO_LARGE.to_owned()),
            Err(Unread::Malformed) => return Err("a quotation mark in it never closes".to_owned()),
        },
        _ => pasted::find(text).into_iter().map(|found| found.grid).collect(),
    };
    if grids.iter().any(Grid::is_sparse) {
        return Err("most of its rows are much shorter than its longest one".to_owned());
    }
    if grids.iter().any(|grid| grid.width() > grid::COLUMNS) {
        return Err(TOO_LARGE.to_owned());
    }
    let records = grids.iter().flat_map(|grid| &grid.records);
    let cells = records.map(|record| record.cells.len()).sum();
    *left = left.checked_sub(cells).ok_or(TOO_LARGE)?;
    let tables: Vec<Table> = grids
        .into_iter()
        .filter_map(layout::table)
        .map(scales::written_out)
        .map(rents::with_charges)
        .map(rents::with_annual)
        .collect();
    if tables.is_empty() {
        return Err("I found no table in it".to_owned());
    }
    if tables.len() > MOST_TABLES {
        return Err("it has more tables than I read at once".to_owned());
    }
    Ok(tables)
}

/// A list of flat objects as a grid.
fn records(text: &str) -> Option<Grid> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    let list = match &value {
        serde_json::Value::Array(list) => list,
        serde_json::Value::Object(fields) => fields.values().find_map(serde_json::Value::as_array)?,
        _ => return None,
    };
    let objects = || list.iter().filter_map(serde_json::Value::as_object);
    let mut names: Vec<String> = Vec::new();
    let mut known: HashSet<&str> = HashSet::new();
    for name in objects().flat_map(|fields| fields.keys()) {
        if known.insert(name) {
            names.push(name.clone());
        }
    }
    let cells = objects().map(serde_json::Map::len).sum();
    let count = objects().count();
    if count == 0 || names.len() * (count + 1) > grid::CELLS || grid::is_sparse(names.len(), count, cells) {
        return None;
    }
    let cell = |value: Option<&serde_json::Value>| match value {
        Some(serde_json::Value::String(text)) => text.trim().to_owned(),
        None | Some(serde_json::Value::Null) => String::new(),
        Some(other) => other.to_string(),
    };
    let mut records = Records::default();
    records.push(1, &names);
    for (line, fields) in (2..).zip(objects()) {
        records.push(line, names.iter().map(|name| cell(fields.get(name))));
    }
    if let serde_json::Value::Object(fields) = &value {
        let totals = printed_totals(fields, &names, list);
        let label = (0..names.len()).find(|at| totals.iter().all(|(column, _)| column != at));
        if let Some(label) = label.filter(|_| !totals.is_empty()) {
            let mut cells = vec![String::new(); names.len()];
            let all = totals.into_iter().chain([(label, TOTAL.to_owned())]);
            for (column, total) in all {
                if let Some(own) = cells.get_mut(column) {
                    *own = total;
                }
            }
            records.push(count + 2, cells);
        }
    }
    Some(Grid {
        records: records.done(),
        delimiter: b',',
    })
}

const TOTAL: &str = "total";

/// The totals next to a list, by the column that they are of: "total_rent", or "total" where the list has one
/// amount.
fn printed_totals(
    fields: &serde_json::Map<String, serde_json::Value>,
    names: &[String],
    list: &[serde_json::Value],
) -> Vec<(usize, String)> {
    let is_number = |name: &String| {
        list.iter()
            .all(|own| own.get(name).is_none_or(serde_json::Value::is_number))
    };
    let numeric: Vec<usize> = (0..)
        .zip(names)
        .filter(|(_, name)| is_number(name))
        .map(|(at, _)| at)
        .collect();
    let is_amount = |at: &usize| {
        let field = names.get(*at).and_then(|name| headers::field(name));
        matches!(
            field,
            Some(Field::Rent | Field::Amount | Field::Balance | Field::LoanBalance | Field::Price)
        )
    };
    let single = |columns: &[usize]| columns.first().copied().filter(|_| columns.len() == 1);
    let amounts: Vec<usize> = numeric.iter().copied().filter(is_amount).collect();
    let column = |name: &str| match name {
        "" => single(&amounts).or_else(|| single(&numeric)),
        of => numeric
            .iter()
            .copied()
            .find(|at| names.get(*at).is_some_and(|own| headers::normalized(own) == of)),
    };
    let total = |(name, value): (&String, &serde_json::Value)| {
        let name = headers::normalized(name);
        let of = name.strip_prefix(TOTAL).or_else(|| name.strip_suffix(TOTAL))?;
        let (column, total) = (column(of)?, value.as_f64()?);
        // The number of entries is no sum of them.
        let values = list
            .iter()
            .filter_map(|own| own.get(names.get(column)?)?.as_f64());
        let reaches = total >= values.fold(0.0, f64::max) && total != list.len() as f64;
        reaches.then(|| (column, value.to_string()))
    };
    fields.iter().filter_map(total).collect()
}
