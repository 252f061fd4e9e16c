//! Reads operating statements: the kind of each line, its direction, and whether the printed sums agree.
//!
//! Reserves, capital works, debt, depreciation and income tax are below the line wherever they appear. A line
//! of unknown kind is a doubt. Independent of questions.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::iter::zip;

use chrono::NaiveDate;

use crate::accounts::{self, Line, Printed};
use crate::below::Bottom;
use crate::columns::numeric_columns;
use crate::grid::CELLS;
use crate::groups::{Group, Groups, Place};
use crate::headers::{self, Field};
use crate::headings::{Heading, Headings, kinds, under};
use crate::income::{Item, Statement, Sum, agree};
use crate::levels;
use crate::periods;
use crate::signs::{credits, difference, directions, given_income, lump};
use crate::table::{Role, Row, Table};
use crate::totals::{Named, is_summary, named};

/// The number of known accounts in the column of names. Many of them make a table a statement.
#[must_use]
pub fn lines_known(table: &Table) -> usize {
    let Some(labels) = labels(table) else { return 0 };
    lines(table, labels).filter(|line| *line != Line::Unknown).count()
}

/// Whether there is income as well as expenses, and most lines are known. A list of costs alone is not a
/// statement.
#[must_use]
pub fn has_both_sides(table: &Table) -> bool {
    let Some(labels) = labels(table) else { return false };
    let all: Vec<Line> = lines(table, labels).collect();
    let costs = all.contains(&Line::Expense);
    let income = all
        .iter()
        .any(|line| matches!(line, Line::Potential | Line::Rent | Line::Other));
    let known = all.iter().filter(|line| **line != Line::Unknown).count();
    costs && income && known * 2 > all.len()
}

fn lines(table: &Table, labels: usize) -> impl Iterator<Item = Line> {
    table
        .rows
        .iter()
        .map(move |row| accounts::line(table.text(row, labels)))
}

/// Reads a statement. `named` are words of the question, to choose among several columns of amounts.
#[must_use]
pub fn read(table: &Table, named: &[String]) -> Statement {
    let mut statement = Statement::default();
    let Some(labels) = labels(table) else {
        statement.doubts.push("I found no names of accounts.".to_owned());
        return statement;
    };
    let mut months = table.months();
    months.sort_by_key(|(_, month)| *month);
    let columns: Vec<usize> = if months.len() >= 2 {
        run(table, &mut statement);
        statement.months = months.iter().map(|(_, month)| *month).collect();
        months.iter().map(|(at, _)| *at).collect()
    } else {
        match amounts_column(table, labels, named) {
            Ok(column) => vec![column],
            Err(doubt) => match four_quarters(table).filter(|_| !of_quarter(named)) {
                Some(quarters) => quarters,
                None => {
                    statement.doubts.push(doubt);
                    return statement;
                }
            },
        }
    };
    let long = table
        .column(Field::Date)
        .filter(|at| months.is_empty() && table.data().all(|row| table.date(row, *at).is_some()));
    lines_of(table, labels, &columns, long, &mut statement);
    check_total_column(table, labels, &columns, &mut statement);
    let unknown: Vec<String> = statement
        .items
        .iter()
        .filter(|item| item.line == Line::Unknown && item.amounts.iter().any(|amount| *amount != 0.0))
        .map(|item| format!("“{}”", item.label))
        .collect();
    if !unknown.is_empty() {
        statement.doubts.push(format!(
            "I cannot tell whether {} {} income, an operating expense or below the line.",
            unknown.join(", "),
            if unknown.len() == 1 { "is" } else { "are" }
        ));
    }
    statement
}

/// Reads the lines of these columns, with their directions.
fn lines_of(table: &Table, labels: usize, columns: &[usize], long: Option<usize>, statement: &mut Statement) {
    collect(table, labels, columns, long, statement);
    credits(statement);
    lump(statement);
    difference(statement);
    given_income(statement);
    directions(statement);
}

/// Notes what keeps the months from being whole.
fn run(table: &Table, statement: &mut Statement) {
    let faults = periods::faults(table);
    if !faults.repeated.is_empty() {
        let months: Vec<String> = faults
            .repeated
            .iter()
            .map(|month| periods::label(*month))
            .collect();
        statement.run_is_open = true;
        statement.doubts.push(format!(
            "The file has more than one column for {}: which of them counts?",
            months.join(", ")
        ));
    }
    if !faults.unread.is_empty() {
        statement.run_is_open = true;
        statement.doubts.push(format!(
            "I cannot tell which month the column “{}” is.",
            faults.unread.join("”, “")
        ));
    }
    statement.missing = faults.missing;
}

/// The column of names: the one with the most different account names. A column of kinds, "Income" and
/// "Expense", repeats its values.
fn labels(table: &Table) -> Option<usize> {
    let mut names: Vec<BTreeSet<&str>> = vec![BTreeSet::new(); table.columns.len()];
    for row in &table.rows {
        for (names, cell) in zip(&mut names, row.cells.iter()) {
            if accounts::line(cell) != Line::Unknown {
                names.insert(cell);
            }
        }
    }
    names
        .iter()
        .enumerate()
        .map(|(at, names)| (names.len(), at))
        .max_by_key(|(known, at)| (*known, usize::MAX - at))
        .filter(|(known, _)| *known > 0)
        .map(|(_, at)| at)
}

fn amounts_column(table: &Table, labels: usize, named: &[String]) -> Result<usize, String> {
    let budgeted = |words: &[String]| words.iter().any(|word| word.starts_with("budget"));
    let budget = budgeted(named);
    let numeric = numeric_columns(table);
    let named: HashSet<&str> = named.iter().map(String::as_str).collect();
    let columns: Vec<usize> = numeric
        .iter()
        .copied()
        .filter(|at| *at != labels)
        .filter(|at| {
            let header = table.header(*at);
            let field = headers::field(header);
            let name = header.to_lowercase();
            let share = [
                "%", "percent", "pct", "/unit", "per unit", "psf", "/sf", "per sf", "variance", "var",
            ]
            .iter()
            .any(|word| name.contains(word));
            !share
                && !matches!(field, Some(Field::AccountCode | Field::Units))
                && (field == Some(Field::Budget) || budgeted(&headers::words(header))) == budget
                && !is_code(table, *at, &numeric)
                && !levels::is_level(header)
        })
        .collect();
    let said: Vec<usize> = columns
        .iter()
        .copied()
        .filter(|at| {
            let words = headers::words(table.header(*at));
            let said = |word: &String| {
                let parts = spelled_out(word);
                parts.iter().all(|part| named.contains(part))
                    || word == "budget" && named.contains("budgeted")
            };
            !words.is_empty() && words.iter().all(said)
        })
        .collect();
    if let [only] = said.as_slice() {
        return Ok(*only);
    }
    if let [only] = columns.as_slice() {
        return Ok(*only);
    }
    let clear = |field: Field| table.column(field).filter(|at| columns.contains(at));
    if let Some(only) = clear(Field::Total).or_else(|| clear(Field::Amount)) {
        let rivals = columns
            .iter()
            .filter(|at| {
                matches!(
                    headers::field(table.header(**at)),
                    Some(Field::Total | Field::Amount)
                )
            })
            .count();
        if rivals == 1
            && columns
                .iter()
                .all(|at| *at == only || !is_period(table.header(*at)))
        {
            return Ok(only);
        }
    }
    let names: Vec<String> = columns
        .iter()
        .map(|at| format!("“{}”", table.header(*at)))
        .collect();
    Err(if names.is_empty() {
        "I found no column of amounts.".to_owned()
    } else {
        format!("Which column should I use: {}?", names.join(", "))
    })
}

/// The words that an abbreviation of a period stands for.
fn spelled_out(word: &str) -> Vec<&str> {
    match word {
        "ytd" => vec!["year", "to", "date"],
        "mtd" => vec!["month", "to", "date"],
        "ptd" => vec!["period", "to", "date"],
        _ => vec![word],
    }
}

/// The columns "Q1" to "Q4" of one year, which add up to the year.
#[must_use]
pub fn four_quarters(table: &Table) -> Option<Vec<usize>> {
    let of = |quarter: usize| {
        let mut found = (0..table.columns.len())
            .filter(|at| headers::normalized(table.header(*at)) == format!("q{quarter}"));
        found.next().filter(|_| found.next().is_none())
    };
    let columns: Vec<usize> = (1..=4).filter_map(of).collect();
    (columns.len() == 4).then_some(columns)
}

fn of_quarter(named: &[String]) -> bool {
    let quarter = ["q1", "q2", "q3", "q4", "quarter", "quarters"];
    named.iter().any(|word| quarter.contains(&word.as_str()))
}

/// "2024", "FY24", "YTD".
fn is_period(header: &str) -> bool {
    let name = headers::normalized(header);
    name.contains("20") || name.starts_with("fy") || name.contains("ytd") || name.contains("prior")
}

/// Whether the column contains account numbers: positive integers without duplicates.
fn is_code(table: &Table, at: usize, numeric: &[usize]) -> bool {
    let behind = numeric.last().is_some_and(|last| *last > at);
    (table.header(at).is_empty() && behind)
        || ["code", "gl", "acct", "no"]
            .iter()
            .any(|word| headers::words(table.header(at)).iter().any(|own| own == word))
}

fn collect(table: &Table, labels: usize, columns: &[usize], long: Option<usize>, statement: &mut Statement) {
    if let Some(at) = long {
        let mut months: Vec<NaiveDate> = table.data().filter_map(|row| month_of(table, row, at)).collect();
        months.sort_unstable();
        months.dedup();
        if months.len() > 1 {
            statement.months = months;
        }
    }
    let kinds = kinds(table, labels);
    let inside = levels::inside(table, labels, columns);
    // In the long form, a row has the amount of one month, and the same account has a row for each.
    let of_month = long.filter(|_| statement.months.len() > 1);
    // The number of amounts so far: accounts times months.
    let mut held = 0;
    let mut known: HashMap<(String, Line), usize> = HashMap::new();
    let mut groups = Groups::default();
    let mut headings = Headings::default();
    let mut bottom = Bottom::default();
    for (at, row) in table.rows.iter().enumerate() {
        let label = table.text(row, labels).to_owned();
        if label.is_empty() {
            continue;
        }
        if inside.contains(&at) {
            statement.remarks.push(format!(
                "“{label}” is part of another line and is not counted twice."
            ));
            continue;
        }
        let read: Vec<f64> = columns
            .iter()
            .map(|at| {
                table
                    .number(row, *at)
                    .map_or(0.0, super::numbers::Number::written)
            })
            .collect();
        if columns.iter().all(|at| table.number(row, *at).is_none()) {
            continue;
        }
        let place = of_month.map(|at| {
            let month = month_of(table, row, at)?;
            statement.months.binary_search(&month).ok()
        });
        headings.reach(table, row);
        let (line, printed) = match accounts::line(&label) {
            Line::Printed(of) => (Line::Printed(of), Some(of)),
            own if row.role == Role::Total => (own, Some(Printed::Other)),
            own => (under(table, row, kinds, headings.said, own), None),
        };
        // In the long form, the lines of a month may follow the sums of another.
        let (line, printed) = if long.is_some() {
            (line, printed)
        } else {
            bottom.next(line, printed, &read, headings.said == Heading::Income)
        };
        if long.is_some() && printed.is_none() {
            let at = *known
                .entry((label.clone(), line))
                .or_insert(statement.items.len());
            if let Some(item) = statement.items.get_mut(at) {
                match place {
                    Some(place) => add(&mut item.amounts, place, &read),
                    None => zip(&mut item.amounts, &read).for_each(|(own, more)| *own += more),
                }
                continue;
            }
        }
        let amounts = match place {
            Some(place) => {
                let mut amounts = vec![0.0; statement.months.len()];
                add(&mut amounts, place, &read);
                amounts
            }
            None => read,
        };
        held += amounts.len();
        if held > CELLS {
            statement
                .doubts
                .push("It has more accounts and months than I read at once.".to_owned());
            return;
        }
        match printed {
            Some(of) => {
                headings.end(of);
                let line = under(
                    table,
                    row,
                    kinds,
                    headings.said,
                    accounts::line(&unsummed(&label)),
                );
                let place = Place::of(row.section(), line);
                // In the long form, a sum does not follow its lines.
                let groups = of_month.is_none().then_some(&mut groups);
                add_sum(statement, groups, Item { label, line, amounts }, of, place);
            }
            None => {
                if of_month.is_none() {
                    groups.line(&label, &amounts, Place::of(row.section(), line));
                }
                statement.items.push(Item { label, line, amounts });
            }
        }
    }
    for own in groups.differing() {
        let (label, printed, made) = (&own.item.label, own.item.amounts.iter().sum::<f64>(), own.made);
        if own.is_line {
            let is_own = |sum: &Sum| sum.label == *label && sum.amounts == own.item.amounts;
            statement.sums.retain(|sum| !is_own(sum));
            add_as_line(statement, own.item);
        } else {
            statement.warnings.push(format!(
                "The file prints “{label}” as {printed:.2}, but its lines make {made:.2}; I use the lines."
            ));
        }
    }
}

/// Adds a printed sum of this kind, or the line that it stands for.
fn add_sum(statement: &mut Statement, groups: Option<&mut Groups>, item: Item, of: Printed, place: Place) {
    let is_group = of == Printed::Other && is_summary(&item.label);
    match groups.map(|groups| (groups.sum(&item.label, &item.amounts, place), groups)) {
        Some((Group::Collapsed, _)) if is_group => return add_as_line(statement, item),
        Some((Group::Differs(made), groups)) if is_group => groups.differs(item.clone(), made),
        Some((Group::Sum, groups)) if is_group => {
            let parts = statement.parts.entry(item.label.clone()).or_default();
            parts.extend(groups.parts());
            let mut group = item.clone();
            if let (Line::Unknown, Some(last)) = (group.line, statement.items.last()) {
                group.line = last.line;
            }
            statement.groups.push(group);
        }
        _ => {}
    }
    let Item { label, amounts, .. } = item;
    statement.sums.push(Sum { label, of, amounts });
}

fn add_as_line(statement: &mut Statement, item: Item) {
    statement.remarks.push(format!(
        "“{}” is printed without its lines and counts as one.",
        item.label
    ));
    statement.items.push(item);
}

/// The name of a group without the words that make it a sum: "Total Taxes & Insurance".
fn unsummed(label: &str) -> String {
    let own = label.split_whitespace().filter(|word| named(word) == Named::No);
    own.collect::<Vec<_>>().join(" ")
}

/// Adds the amount of a row to that of its month, if it has one.
fn add(amounts: &mut [f64], month: Option<usize>, read: &[f64]) {
    if let (Some(own), Some(amount)) = (month.and_then(|at| amounts.get_mut(at)), read.first()) {
        *own += *amount;
    }
}

fn month_of(table: &Table, row: &Row, at: usize) -> Option<NaiveDate> {
    use chrono::Datelike;
    table.date(row, at)?.date.with_day(1)
}

/// Checks that a printed column "Total" is the sum of the months.
fn check_total_column(table: &Table, labels: usize, columns: &[usize], statement: &mut Statement) {
    let Some(total) = table.column(Field::Total).filter(|at| !columns.contains(at)) else {
        return;
    };
    let (mut same, mut differing) = (0, 0);
    for row in &table.rows {
        let Some(printed) = table.number(row, total) else {
            continue;
        };
        let sum: f64 = columns
            .iter()
            .filter_map(|at| table.number(row, *at))
            .map(super::numbers::Number::written)
            .sum();
        if agree(printed.written(), sum, columns.len()) {
            same += 1;
        } else {
            differing += 1;
            statement.remarks.push(format!(
                "Line {}: the printed total of “{}” is not the sum of its months; I use the months.",
                row.line(),
                table.text(row, labels)
            ));
        }
    }
    // A column that agrees with hardly any line is of something else.
    if differing > 0 && same >= differing {
        let mut column = Statement::default();
        lines_of(table, labels, &[total], None, &mut column);
        statement.totals_column = Some(Box::new(column));
    }
}
