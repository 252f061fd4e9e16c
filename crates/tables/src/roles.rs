//! Tells data rows from headings, from totals, and from what is printed below or next to a table.
//!
//! Totals are recognized by arithmetic, and by their label only where arithmetic cannot tell.

use std::iter::zip;

use crate::columns::{is_name, numbers_of};
use crate::dates::{self, Order};
use crate::grid::Record;
use crate::headers::{self, Field};
use crate::numbers;
use crate::summaries;
use crate::sums::{Sums, counts};
use crate::table::{Aside, Role, Row, Table, What};
use crate::totals::{Named, named};

/// What the columns of a table hold in most of its rows.
struct Shape {
    /// The number of filled cells in a typical row.
    typical: usize,
    /// Columns behind this one have no header.
    headed: usize,
    /// Whether a column without a header is filled in most rows.
    filled: Vec<bool>,
    numeric: Vec<bool>,
    dated: Vec<bool>,
}

impl Shape {
    fn of(table: &Table, records: &[Record]) -> Self {
        let width = table.columns.len();
        let (mut filled, mut numeric, mut dated) =
            (vec![0_usize; width], vec![0_usize; width], vec![0_usize; width]);
        let mut counts: Vec<usize> = Vec::new();
        for record in records {
            let count = record.cells.iter().filter(|cell| !cell.is_empty()).count();
            if count < 2 {
                continue;
            }
            counts.push(count);
            for (at, cell) in record
                .cells
                .iter()
                .enumerate()
                .filter(|(_, cell)| !cell.is_empty())
            {
                let add = |counts: &mut Vec<usize>| {
                    if let Some(count) = counts.get_mut(at) {
                        *count += 1;
                    }
                };
                add(&mut filled);
                if numbers::number(cell, table.decimal).is_some() {
                    add(&mut numeric);
                } else if dates::date(cell, Order::MonthFirst).is_some()
                    || dates::date(cell, Order::DayFirst).is_some()
                {
                    add(&mut dated);
                }
            }
        }
        let rows = counts.len();
        counts.sort_unstable();
        let most = |part: &[usize], of: &[usize]| {
            zip(part, of)
                .map(|(part, of)| *part > 0 && part * 2 > *of)
                .collect()
        };
        let headed = table.columns.iter().rposition(|column| !column.header.is_empty());
        Self {
            typical: counts.get(counts.len() / 2).copied().unwrap_or(0),
            headed: headed.map_or(width, |last| last + 1),
            numeric: most(&numeric, &filled),
            dated: most(&dated, &filled),
            filled: filled.into_iter().map(|count| count * 2 > rows).collect(),
        }
    }

    /// Whether nothing of a record stands where the table has values: a page number, the time of printing.
    fn is_outside(&self, table: &Table, record: &Record) -> bool {
        let mut cells = record
            .cells
            .iter()
            .enumerate()
            .filter(|(_, cell)| !cell.is_empty());
        let behind = |at: usize| at >= self.headed && !self.filled.get(at).copied().unwrap_or(false);
        if cells.clone().all(|(at, _)| behind(at)) {
            return true;
        }
        let count = cells.clone().count();
        if count * 2 <= self.typical.max(2) && cells.clone().any(|(_, cell)| is_page(cell)) {
            return true;
        }
        let Some((first, cell)) = cells.next() else {
            return true;
        };
        if count > 2 || self.typical < 4 || is_identity(table, first, cell) {
            return false;
        }
        // A date where no dates are, or words where numbers are, in a row that has little else.
        let is_date = |cell: &str| {
            let orders = [Order::MonthFirst, Order::DayFirst];
            orders.into_iter().any(|order| dates::date(cell, order).is_some())
        };
        let is_number = |cell: &str| numbers::number(cell, table.decimal).is_some();
        let is = |all: &[bool], at: usize| all.get(at).copied().unwrap_or(false);
        let dated = |at: usize, cell: &str| is_date(cell) && !is_number(cell) && !is(&self.dated, at);
        let worded = |at: usize, cell: &str| is(&self.numeric, at) && !is_number(cell) && is_name(cell);
        dated(first, cell) || count == 2 && cells.all(|(at, cell)| dated(at, cell) || worded(at, cell))
    }

    /// Whether a record is the header of another table: it has names where this table has numbers.
    fn begins_another(&self, table: &Table, record: &Record) -> bool {
        let filled = record
            .cells
            .iter()
            .enumerate()
            .filter(|(_, cell)| !cell.is_empty());
        let (mut names, mut over_numbers) = (0, 0);
        let mut fields: Vec<Field> = Vec::new();
        for (at, cell) in filled {
            if !is_name(cell) || numbers::number(cell, table.decimal).is_some() {
                return false;
            }
            names += 1;
            let numeric = self.numeric.get(at).copied().unwrap_or(false);
            over_numbers += usize::from(numeric && !numbers::is_nothing(cell));
            if let Some(field) = headers::field(cell).filter(|field| !fields.contains(field)) {
                fields.push(field);
            }
        }
        over_numbers >= 3 || over_numbers > 0 && fields.len() >= 2 && fields.len() * 2 >= names
    }
}

/// "Page 3 of 7", also in German and French.
fn is_page(cell: &str) -> bool {
    let words = headers::words(cell);
    matches!(
        words.first().map(String::as_str),
        Some("page" | "seite" | "pagina" | "página")
    ) && words.get(1).is_some_and(|word| word.parse::<u32>().is_ok())
}

/// Adds the records to a table as rows and headings.
pub(crate) fn fill(table: &mut Table, records: Vec<Record>) {
    let shape = Shape::of(table, &records);
    table.rows.reserve_exact(records.len());
    let mut section = (!table.sections.is_empty()).then_some(0);
    let mut sums = Sums::default();
    let mut another = false;
    for record in records {
        another |=
            !table.rows.is_empty() && shape.begins_another(table, &record) && !repeats_names(table, &record);
        let aside = is_of_total(table, &record) || summaries::is_subject(table, &record);
        if another || aside || shape.is_outside(table, &record) {
            table.aside.push(Aside {
                line: record.line,
                what: if another { What::AnotherTable } else { What::Print },
            });
            continue;
        }
        let filled = record.cells.iter().filter(|cell| !cell.is_empty()).count();
        if let Some(heading) = heading(table, &record, filled) {
            section = Some(table.sections.len());
            table.sections.push(heading);
            sums.begin_section();
            continue;
        }
        let mut row = Row::new(record.line, record.cells, section);
        let numbers = numbers_of(table, &row);
        row.role = role(table, &row, &numbers, &sums, filled < shape.typical);
        if row.role == Role::Data {
            sums.add(&numbers);
        } else {
            sums.begin_section();
        }
        table.rows.push(row);
    }
    let mut all = sums.into_all();
    for at in unidentified(table) {
        if let Some(row) = table.rows.get_mut(at) {
            row.role = Role::Total;
        }
        without(&mut all, table, at);
    }
    last_totals(table, shape.typical, all);
    summaries::take(table);
}

/// A row with nothing but a name, or with a name before the names of the columns.
fn heading(table: &Table, record: &Record, filled: usize) -> Option<String> {
    let at = record.cells.iter().position(|cell| !cell.is_empty())?;
    let cell = record.cell(at);
    if repeats_names(table, record) {
        return Some(cell.to_owned());
    }
    (filled == 1 && table.columns.len() > 1 && is_name(cell) && !is_identity(table, at, cell))
        .then(|| cell.to_owned())
}

/// Whether all cells but the first repeat the header.
fn repeats_names(table: &Table, record: &Record) -> bool {
    let mut cells = record
        .cells
        .iter()
        .enumerate()
        .filter(|(_, cell)| !cell.is_empty());
    let first = cells.next().is_some_and(|(_, cell)| is_name(cell));
    let mut rest = cells.peekable();
    first && rest.peek().is_some() && rest.all(|(at, cell)| table.header(at).eq_ignore_ascii_case(cell))
}

/// A row with only a unit number is a vacant unit and not a heading.
fn is_identity(table: &Table, at: usize, cell: &str) -> bool {
    let field = table.columns.get(at).and_then(|column| column.field);
    let floor = headers::words(cell).first().is_some_and(|word| {
        matches!(
            word.as_str(),
            "floor"
                | "level"
                | "building"
                | "bldg"
                | "wing"
                | "phase"
                | "tower"
                | "section"
                | "block"
                | "story"
                | "storey"
        )
    });
    field == Some(Field::Unit)
        && !floor
        && cell.len() <= 12
        && cell.contains(|sign: char| sign.is_ascii_digit())
        && dates::date(cell, Order::MonthFirst).is_none()
}

fn role(table: &Table, row: &Row, numbers: &[Option<f64>], sums: &Sums, sparse: bool) -> Role {
    let label = row.cells.iter().find(|cell| !cell.is_empty() && is_name(cell));
    let named = label.map_or(Named::No, named);
    if named == Named::Exactly {
        return Role::Total;
    }
    if sparse && named == Named::No && repeats_total(table, numbers) {
        return Role::Total;
    }
    let nobody = sparse && is_nobody(table, row);
    // A building may have only one row.
    let least = if nobody && repeats_name(table, row) { 1 } else { 2 };
    let compared = sums.compare(&row.cells, numbers, least);
    if nobody && compared.sums > 0 && compared.is_total() {
        return Role::Total;
    }
    match named {
        Named::Begins if sparse || compared.is_total() => Role::Total,
        Named::Begins => Role::NamedTotal,
        // Numbers without a name, where other rows have one; or a count of the rows above, with their sums.
        _ if sparse && (label.is_none() || compared.counts > 0) && compared.is_total() => Role::Total,
        _ if sparse && label.is_none() && compared.is_mostly_total() => Role::Total,
        _ => Role::Data,
    }
}

/// Whether a row lacks what tells apart the rows above it: it has no unit and no tenant, and no charge of its own.
fn is_nobody(table: &Table, row: &Row) -> bool {
    let text = |row: &Row, field: Field| {
        let at = table.column(field)?;
        row.cells.get(at).filter(|cell| !cell.is_empty()).map(str::len)
    };
    let named = |row: &Row| IDENTITIES.iter().any(|field| text(row, *field).is_some());
    let above = table
        .rows
        .last()
        .is_some_and(|above| above.role == Role::Data && named(above));
    above && !named(row) && text(row, Field::ChargeCode).is_none()
}

/// Whether the first cell is the same as in the row above.
fn repeats_name(table: &Table, row: &Row) -> bool {
    let at = row.cells.iter().position(|cell| !cell.is_empty());
    let text = |row: &Row| at.and_then(|at| row.cells.get(at)).map(str::to_lowercase);
    table.rows.last().is_some_and(|above| text(above) == text(row))
}

/// The fields that tell rows of a list apart. The name of a building is the same in many of them.
const IDENTITIES: [Field; 4] = [Field::Unit, Field::Tenant, Field::TenantId, Field::Name];

/// Whether the numbers of a record are the shares of the total above it, such as percentages of ages of debts.
fn is_of_total(table: &Table, record: &Record) -> bool {
    let Some(above) = table.rows.last().filter(|above| above.role == Role::Total) else {
        return false;
    };
    let above = numbers_of(table, above);
    let own = record
        .cells
        .iter()
        .map(|cell| numbers::number(cell, table.decimal));
    let pairs: Vec<(f64, f64)> = zip(own, &above)
        .filter_map(|(own, above)| Some((own?.written(), (*above)?)))
        .collect();
    let count = record
        .cells
        .iter()
        .filter(|cell| numbers::number(cell, table.decimal).is_some())
        .count();
    let whole = above.iter().copied().flatten().fold(0.0, f64::max);
    [1.0, 100.0].into_iter().any(|one| {
        let share = |(own, above): &(f64, f64)| (own - above / whole * one).abs() <= 0.006 * one;
        whole > one && count >= 3 && pairs.len() == count && pairs.iter().all(share)
    })
}

/// Rows behind all units that name none and nobody, such as "Max" or "Occupied", are summaries.
fn unidentified(table: &Table) -> Vec<usize> {
    let Some(unit) = table.column(Field::Unit) else {
        return Vec::new();
    };
    let people = [Field::Tenant, Field::TenantId, Field::Name].map(|field| table.column(field));
    let has_number = |cell: &str| cell.contains(|sign: char| sign.is_ascii_digit());
    let is_unit = |table: &Table, row: &Row| has_number(table.text(row, unit));
    let units = table.data().filter(|row| is_unit(table, row)).count();
    let last = table
        .rows
        .iter()
        .rposition(|row| row.role == Role::Data && is_unit(table, row));
    let Some(last) = last.filter(|_| units >= 2) else {
        return Vec::new();
    };
    // Units with names instead of numbers are units too.
    if table
        .rows
        .iter()
        .take(last)
        .any(|row| row.role == Role::Data && !table.text(row, unit).is_empty() && !is_unit(table, row))
    {
        return Vec::new();
    }
    (last + 1..table.rows.len())
        .filter(|at| {
            table.rows.get(*at).is_some_and(|row| {
                let named = people.iter().flatten().any(|at| !table.text(row, *at).is_empty());
                row.role == Role::Data && !named && !table.text(row, unit).is_empty()
            })
        })
        .collect()
}

/// Takes a row out of the sums of the columns.
fn without(all: &mut [f64], table: &Table, at: usize) {
    let row = table
        .rows
        .get(at)
        .map_or_else(Vec::new, |row| numbers_of(table, row));
    for (sum, own) in zip(all, row) {
        *sum -= own.unwrap_or(0.0);
    }
}

/// Whether the row has the numbers of the total above it.
fn repeats_total(table: &Table, own: &[Option<f64>]) -> bool {
    let Some(above) = table.rows.last().filter(|above| above.role == Role::Total) else {
        return false;
    };
    let above = numbers_of(table, above);
    let number = |all: &[Option<f64>], at: usize| all.get(at).copied().flatten();
    own.iter().any(Option::is_some)
        && (0..own.len().max(above.len())).all(|at| number(own, at) == number(&above, at))
}

/// The last rows that each add up all other rows are totals, whatever their label.
fn last_totals(table: &mut Table, typical: usize, mut all: Vec<f64>) {
    let data: Vec<usize> = (0..table.rows.len())
        .filter(|at| table.rows.get(*at).is_some_and(|row| row.role == Role::Data))
        .collect();
    for (count, at) in data.iter().enumerate().rev() {
        if count < 3 {
            return;
        }
        // Rows behind it that are no totals belong to the table.
        let behind = table.rows.iter().skip(at + 1).all(|row| row.role == Role::Total);
        let Some(row) = table.rows.get(*at).filter(|_| behind) else {
            return;
        };
        let named = row
            .cells
            .iter()
            .any(|cell| is_name(cell) || counts(cell) == Some(count));
        let filled = row.cells.iter().filter(|cell| !cell.is_empty()).count();
        let (mut equal, mut others) = (0, 0);
        for (sum, own) in zip(&all, numbers_of(table, row)) {
            let Some(own) = own else { continue };
            let rest = sum - own;
            if crate::sums::same(own, rest) {
                equal += usize::from(own != 0.0);
            } else if own != count as f64 {
                others += 1;
            }
        }
        if !named || others > 0 || !(equal >= 2 || equal == 1 && filled < typical) {
            return;
        }
        without(&mut all, table, *at);
        if let Some(row) = table.rows.get_mut(*at) {
            row.role = Role::Total;
        }
    }
}
