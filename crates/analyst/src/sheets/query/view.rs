//! A table as a question sees it: the rows that count, what is in each column, which of them are numbers, dates, groups.
//!
//! Of a rent roll one row for each unit; rows of charges carry the names of the unit they belong to. Knows no question.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::iter::zip;

use chrono::NaiveDate;

use crate::sheets::measured::{Column, Notation, Unit};
use crate::sheets::query::cells::{self, Values, folded};
use crate::sheets::sources::Sheet;
use crate::sheets::sums;
use tables::accounts::{self, Line};
use tables::columns::{numeric_columns, some_filled};
use tables::headers::{self, Field};
use tables::kind::Kind;
use tables::table::{Role, Row, Table};
use tables::tally::Across;
use tables::tenancy::{Doubt, Space, State};

/// A column of days past due, with its first and last day.
type Bucket = (usize, f64, Option<f64>);

pub(crate) struct View<'a> {
    pub(crate) sheet: &'a Sheet,
    pub(crate) table: Cow<'a, Table>,
    /// Of a rent roll, in the order of their rows.
    pub(crate) spaces: &'a [Space],
    /// The rows that count, where they are not those of spaces.
    listed: Vec<usize>,
    /// Of rows of charges: the state of the unit they belong to.
    carried: HashMap<usize, State>,
    /// Why states or rents cannot be told.
    pub(crate) doubts: Vec<Doubt>,
    /// Rows of people who have not moved in or have left, which do not count.
    pub(crate) left_out: Vec<String>,
    pub(crate) numeric: Vec<usize>,
    pub(crate) dated: Vec<usize>,
    pub(crate) buckets: Vec<Bucket>,
    pub(crate) charges: bool,
    /// Spaces are let by their areas.
    pub(crate) commercial: bool,
    /// By column, found when it is asked for.
    notations: Vec<OnceCell<Notation>>,
    values: Vec<OnceCell<Values>>,
    /// By the number in a cell, found when it is asked for.
    columns_of_cells: RefCell<HashMap<String, BTreeSet<usize>>>,
    /// The columns of `dated`, and those of `numeric` that are not among them.
    dates: HashSet<usize>,
    numbers: HashSet<usize>,
}

impl<'a> View<'a> {
    pub(crate) fn of(sheet: &'a Sheet) -> Self {
        let mut table = Cow::Borrowed(&sheet.table);
        let buckets = buckets(&table);
        let rolled = matches!(sheet.kind, Kind::RentRoll | Kind::Leases);
        let charges = rolled && table.has(Field::ChargeCode) && table.has(Field::Amount);
        let mut spaces: &[Space] = &[];
        let mut carried = HashMap::new();
        let mut doubts = Vec::new();
        let mut left_out = Vec::new();
        let mut commercial = false;
        if rolled {
            let tenancy = sheet.tenancy();
            spaces = &tenancy.spaces;
            for space in spaces.iter().filter(|space| space.not_current) {
                blank(table.to_mut(), space.row, &buckets);
            }
            doubts.clone_from(&tenancy.doubts);
            commercial = tenancy.commercial;
            left_out.clone_from(&tenancy.remarks);
            left_out.retain(|remark| remark.ends_with("left out."));
        }
        let mut listed = if !rolled || charges {
            data(&table)
        } else {
            Vec::new()
        };
        if sheet.kind == Kind::Statement {
            // Sums of other lines are no lines.
            listed.retain(|at| {
                table.rows.get(*at).is_some_and(|row| {
                    row.role == Role::Data
                        && !row
                            .cells
                            .iter()
                            .any(|cell| matches!(accounts::line(cell), Line::Printed(_)))
                })
            });
        }
        if charges {
            carried = carry(table.to_mut(), &listed, spaces);
        }
        let numeric: Vec<usize> = numeric_columns(&table)
            .into_iter()
            .filter(|at| {
                !matches!(
                    table.columns.get(*at).and_then(|column| column.field),
                    Some(
                        Field::Unit
                            | Field::Tenant
                            | Field::TenantId
                            | Field::Loan
                            | Field::Building
                            | Field::Period
                            | Field::AccountCode
                            | Field::Floor
                    )
                )
            })
            .collect();
        let dated = (0..table.columns.len())
            .filter(|at| {
                let filled = || some_filled(&table, *at);
                let named = table.columns.get(*at).is_some_and(|column| {
                    matches!(
                        column.field,
                        Some(
                            Field::EndDate
                                | Field::StartDate
                                | Field::Date
                                | Field::Maturity
                                | Field::MoveIn
                                | Field::MoveOut
                        )
                    )
                });
                let dates = filled()
                    .filter(|row| {
                        table.date(row, *at).is_some() && (named || !is_plain_number(&table, row, *at))
                    })
                    .count();
                dates > 0 && dates * 2 > filled().count()
            })
            .collect::<Vec<usize>>();
        let columns = table.columns.len();
        let dates: HashSet<usize> = dated.iter().copied().collect();
        let numbers = numeric
            .iter()
            .copied()
            .filter(|column| !dates.contains(column))
            .collect();
        Self {
            sheet,
            table,
            spaces,
            listed,
            carried,
            doubts,
            left_out,
            numeric,
            dated,
            buckets,
            charges,
            commercial,
            notations: vec![OnceCell::new(); columns],
            values: (0..columns).map(|_| OnceCell::new()).collect(),
            columns_of_cells: RefCell::default(),
            dates,
            numbers,
        }
    }

    pub(crate) fn row(&self, at: usize) -> Option<&Row> {
        self.table.rows.get(at)
    }

    /// The rows that count, as places in [`Table::rows`].
    pub(crate) fn rows(&self) -> impl Iterator<Item = usize> {
        let spaces = if self.charges { &[] } else { self.spaces };
        let rows = spaces.iter().map(|space| space.row);
        rows.chain(self.listed.iter().copied())
    }

    /// The rows that count, with those of people who have not moved in or have left.
    pub(crate) fn all(&self) -> Vec<usize> {
        data(&self.table)
    }

    /// Whether a unit begins in this row.
    pub(crate) fn is_head(&self, at: usize) -> bool {
        space(self.spaces, at).is_some()
    }

    /// Of a row of a rent roll.
    pub(crate) fn state(&self, at: usize) -> Option<State> {
        let own = || space(self.spaces, at).map(|space| space.state);
        self.carried.get(&at).copied().or_else(own)
    }

    pub(crate) fn header(&self, column: usize) -> &str {
        self.table.header(column)
    }

    pub(crate) fn field(&self, column: usize) -> Option<Field> {
        self.table
            .columns
            .get(column)
            .and_then(|own| own.field.or_else(|| headers::field(&own.header)))
    }

    pub(crate) fn column(&self, column: usize) -> Column<'_> {
        match self.notations.get(column) {
            Some(own) => Column::with(
                &self.table,
                column,
                *own.get_or_init(|| Notation::of(&self.table, column)),
            ),
            None => Column::of(&self.table, column),
        }
    }

    /// The values of a column that words can name.
    pub(crate) fn values(&self, column: usize) -> Option<&Values> {
        let own = self.values.get(column)?;
        let rows = || self.rows().filter_map(|at| self.row(at));
        Some(own.get_or_init(|| Values::of(rows().map(|row| self.table.text(row, column)))))
    }

    /// The columns that have a cell of just this number, for each of some numbers. All are found in one pass.
    pub(crate) fn columns_of(&self, numbers: &[String]) -> Vec<BTreeSet<usize>> {
        let mut known = self.columns_of_cells.borrow_mut();
        let numbers: Vec<String> = numbers.iter().map(|number| number.to_ascii_lowercase()).collect();
        let new: HashMap<String, BTreeSet<usize>> = numbers
            .iter()
            .filter(|number| !known.contains_key(*number))
            .map(|number| (number.clone(), BTreeSet::new()))
            .collect();
        if !new.is_empty() {
            let rows = self.rows().filter_map(|at| self.row(at));
            known.extend(cells::columns_of(rows.map(|row| &row.cells), new));
        }
        let columns = |number| known.get(number).cloned().unwrap_or_default();
        numbers.iter().map(columns).collect()
    }

    pub(crate) fn name(&self, at: usize) -> String {
        self.row(at)
            .map_or_else(String::new, |row| sums::name(&self.table, row).to_owned())
    }

    pub(crate) fn date(&self, at: usize, column: usize) -> Option<NaiveDate> {
        self.table
            .date(self.row(at)?, column)
            .map(tables::dates::Dated::last_day)
    }

    pub(crate) fn is_numeric(&self, column: usize) -> bool {
        self.numbers.contains(&column)
    }

    /// Whether a column of a rent roll has amounts that people owe or have deposited, also those who left.
    pub(crate) fn is_owed(&self, column: usize) -> bool {
        !self.spaces.is_empty()
            && !self.charges
            && (matches!(
                self.field(column),
                Some(Field::Balance | Field::LoanBalance | Field::Deposit)
            ) || self.buckets.iter().any(|(bucket, ..)| *bucket == column))
    }

    pub(crate) fn is_dated(&self, column: usize) -> bool {
        self.dates.contains(&column)
    }

    /// Whether rows share values of it, so that it makes groups.
    pub(crate) fn groups(&self, column: usize) -> bool {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for row in self.rows().filter_map(|at| self.row(at)) {
            *counts.entry(self.table.text(row, column)).or_default() += 1;
        }
        let mut seen = HashSet::new();
        counts.into_iter().any(|(cell, count)| {
            let value = folded(cell);
            !value.is_empty() && (count > 1 || !seen.insert(value))
        })
    }

    /// The one column that amounts are asked of where none is named.
    pub(crate) fn usual(&self) -> Option<usize> {
        if let Some(total) = self
            .table
            .column(Field::Total)
            .filter(|_| !self.buckets.is_empty())
        {
            return Some(total);
        }
        if self.charges {
            return self.table.column(Field::Amount);
        }
        match self.sheet.kind {
            Kind::Loans => return self.first(&[Field::LoanBalance, Field::LoanAmount]),
            Kind::Comps => return self.first(&[Field::Price]),
            _ => {}
        }
        let money: Vec<usize> = self
            .numeric
            .iter()
            .copied()
            .filter(|at| self.is_numeric(*at) && self.is_amount(*at))
            .collect();
        match money.as_slice() {
            // Next to a sum of it and others, it is not the only amount.
            [only] => Some(*only).filter(|at| !Across::of(&self.table).is_some_and(|sum| sum.holds(*at))),
            [] => match self.numeric.as_slice() {
                [only] if self.is_numeric(*only) => Some(*only),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a column has amounts of money: of a statement, all that are no shares.
    fn is_amount(&self, column: usize) -> bool {
        match self.column(column).of {
            Unit::Money => true,
            Unit::Plain => self.sheet.kind == Kind::Statement,
            _ => false,
        }
    }

    /// The first column of one of these fields.
    pub(crate) fn first(&self, fields: &[Field]) -> Option<usize> {
        fields.iter().find_map(|field| self.table.column(*field))
    }
}

/// The places of rows that are no totals.
fn data(table: &Table) -> Vec<usize> {
    let rows = (0..).zip(&table.rows);
    rows.filter(|(_, row)| row.role != Role::Total)
        .map(|(at, _)| at)
        .collect()
}

/// The space of a row.
fn space(spaces: &[Space], row: usize) -> Option<&Space> {
    let at = spaces.binary_search_by_key(&row, |space| space.row).ok()?;
    spaces.get(at)
}

/// Takes what is of a tenant out of the row of a space, and leaves what is of the space or still owed.
fn blank(table: &mut Table, row: usize, buckets: &[Bucket]) {
    let of_space = [
        Field::Building,
        Field::Unit,
        Field::UnitType,
        Field::Bedrooms,
        Field::Floor,
        Field::Area,
        Field::Status,
        Field::MarketRent,
        Field::Balance,
        Field::LoanBalance,
        Field::Deposit,
    ];
    let kept: Vec<bool> = table
        .columns
        .iter()
        .enumerate()
        .map(|(at, column)| {
            column.field.is_some_and(|field| of_space.contains(&field))
                || buckets.iter().any(|(bucket, ..)| *bucket == at)
        })
        .collect();
    if let Some(row) = table.rows.get_mut(row) {
        row.cells = zip(row.cells.iter(), kept)
            .map(|(cell, kept)| if kept { cell } else { "" })
            .collect();
    }
}

fn is_plain_number(table: &Table, row: &Row, at: usize) -> bool {
    table.number(row, at).is_some()
}

/// Rows of charges have their unit's names and dates; its numbers stay where they are, so that sums count them once.
/// Returns their unit's states.
fn carry(table: &mut Table, rows: &[usize], spaces: &[Space]) -> HashMap<usize, State> {
    let mut carried = HashMap::new();
    let code = table.column(Field::ChargeCode);
    let amount = table.column(Field::Amount);
    let numeric: HashSet<usize> = numeric_columns(table).into_iter().collect();
    let unit = table.column(Field::Unit);
    let tenant = table.column(Field::Tenant);
    let mut last: Option<(Row, Option<State>)> = None;
    for at in rows {
        let Some(row) = table.rows.get(*at).cloned() else {
            continue;
        };
        let empty = |column: Option<usize>| column.is_none_or(|column| table.text(&row, column).is_empty());
        if !(empty(unit) && empty(tenant)) {
            last = Some((row, space(spaces, *at).map(|space| space.state)));
            continue;
        }
        let Some((above, state)) = &last else { continue };
        if let Some(own) = table.rows.get_mut(*at) {
            let cells = own.cells.iter().enumerate().map(|(column, cell)| {
                let kept = Some(column) == code
                    || Some(column) == amount
                    || (numeric.contains(&column) && Some(column) != unit);
                if kept || !cell.is_empty() {
                    cell
                } else {
                    above.cells.get(column).unwrap_or_default()
                }
            });
            own.cells = cells.collect();
        }
        if let Some(state) = state {
            carried.insert(*at, *state);
        }
    }
    carried
}

/// "0-30", "31 - 60 days", "90+", "Over 90", "Current" over columns of numbers, if there are at least two of them.
fn buckets(table: &Table) -> Vec<Bucket> {
    let mut found = Vec::new();
    let mut current = None;
    for at in 0..table.columns.len() {
        let words = headers::words(table.header(at));
        let numbers: Vec<f64> = words.iter().filter_map(|word| word.parse::<f64>().ok()).collect();
        let plain = words.iter().all(|word| {
            word.parse::<f64>().is_ok()
                || [
                    "day", "days", "over", "to", "plus", "past", "due", "late", "above", "more", "than",
                ]
                .contains(&word.as_str())
        });
        match numbers.as_slice() {
            [low, high] if plain && low < high && *high <= 400.0 => found.push((at, *low, Some(*high))),
            [low] if plain && *low <= 400.0 && *low >= 20.0 => {
                let open = table.header(at).contains(['+', '>'])
                    || words
                        .iter()
                        .any(|word| matches!(word.as_str(), "over" | "plus" | "above" | "more"));
                if open {
                    found.push((at, *low, None));
                }
            }
            [] if words.first().is_some_and(|word| word == "current") && words.len() == 1 => {
                current = Some(at);
            }
            _ => {}
        }
    }
    if found.len() < 2 {
        return Vec::new();
    }
    if let Some(at) = current {
        found.insert(0, (at, 0.0, Some(0.0)));
    }
    found
}
