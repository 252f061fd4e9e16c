//! Corrects the field of a column where its cells contradict the header: a column of list prices is not the rent, and a
//! list price is not the price of a sale. A column of numbers of units may have any header.

use std::collections::BTreeMap;

use crate::columns::numeric_columns;
use crate::fields;
use crate::headers::{self, Field};
use crate::table::{Indexed, Table};
use crate::tally::Tally;
use crate::tenancy;

/// What a column of rents has in the rows of vacant and of other spaces.
#[derive(Clone, Copy, Default)]
struct Filled {
    vacant: usize,
    others: usize,
}

/// Corrects the fields of a table.
pub(crate) fn correct(table: &mut Table) {
    number_of_units(table);
    listed_price(table);
    paid_rent(table);
    numbered(table);
}

/// Columns of numbers with one header and different contents get numbers: "Rent 1" and "Rent 2".
fn numbered(table: &mut Table) {
    let mut columns: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, column) in table.columns.iter().enumerate() {
        if !column.header.is_empty() && column.month.is_none() {
            columns.entry(&column.header).or_default().push(at);
        }
    }
    let mut twins: Vec<Vec<usize>> = columns
        .into_values()
        .filter(|columns| columns.len() > 1)
        .collect();
    if twins.is_empty() {
        return;
    }
    let numeric = numeric_columns(table);
    let differ = |one: usize, other: usize| {
        table
            .data()
            .any(|row| table.text(row, one) != table.text(row, other))
    };
    twins.retain(|columns| {
        let first = columns.first().copied().unwrap_or_default();
        columns.iter().all(|at| numeric.contains(at)) && columns.iter().any(|at| differ(first, *at))
    });
    for columns in twins {
        for (number, at) in (1..).zip(columns) {
            if let Some(column) = table.columns.get_mut(at) {
                column.header = format!("{} {number}", column.header);
            }
        }
    }
}

/// The column with how many units there are of each type: by its header, or as the only one of whole numbers without a
/// meaning that add up to a printed total.
fn number_of_units(table: &mut Table) {
    let has = |field: &Field| table.has(*field);
    let rents = [Field::Rent, Field::MarketRent, Field::AnnualRent]
        .iter()
        .any(has);
    let single = [Field::Unit, Field::Tenant, Field::Units].iter().any(has);
    if single || !rents || !has(&Field::UnitType) {
        return;
    }
    let whole: Vec<usize> = numeric_columns(table)
        .into_iter()
        .filter(|at| headers::field(table.header(*at)).is_none() && counts(table, *at))
        .collect();
    let by_name = whole
        .iter()
        .find(|at| fields::is_count(&headers::normalized(table.header(**at))));
    let summed = |at: usize| {
        Tally::of(table)
            .printed
            .iter()
            .any(|own| own.column == at && own.agrees())
    };
    let only = match whole.as_slice() {
        [only] => Some(only).filter(|at| summed(**at)),
        _ => None,
    };
    if let Some(at) = by_name.or(only).copied()
        && let Some(column) = table.columns.get_mut(at)
    {
        column.field = Some(Field::Units);
    }
}

/// Whether a column has nothing but numbers of things.
fn counts(table: &Table, at: usize) -> bool {
    table.data().all(|row| {
        let text = table.text(row, at);
        let number = table.number(row, at);
        number.is_some_and(|number| {
            !number.money && !number.percent && number.value() >= 0.0 && !text.contains(['.', ',', '-'])
        })
    })
}

/// A price next to the rents of types of units is one of a price list, and no price of a sale.
fn listed_price(table: &mut Table) {
    let rents = [Field::Rent, Field::MarketRent]
        .iter()
        .any(|field| table.has(*field));
    if !(rents && table.has(Field::UnitType) && table.has(Field::Units)) {
        return;
    }
    for column in &mut table.columns {
        column.field = column.field.filter(|field| *field != Field::Price);
    }
}

/// Gives the field of the rent to the column that is empty where a space is vacant, if the column that has it now is
/// filled there as everywhere else.
fn paid_rent(table: &mut Table) {
    let Some(rent) = table.column(Field::Rent) else {
        return;
    };
    let Some((columns, all)) = filled(table) else {
        return;
    };
    let of = |at: usize| {
        columns
            .iter()
            .find(|(own, _)| *own == at)
            .map(|(_, filled)| *filled)
    };
    let lists = |own: Filled| own.vacant * 2 > all.vacant && own.others * 2 > all.others;
    let is_paid = |own: Filled| own.vacant == 0 && own.others * 2 > all.others;
    if !of(rent).is_some_and(lists) {
        return;
    }
    let mut paid = columns
        .iter()
        .filter(|(_, filled)| is_paid(*filled))
        .map(|(at, _)| *at);
    let Some(paid) = paid.next().filter(|_| paid.next().is_none()) else {
        return;
    };
    let market = (!table.has(Field::MarketRent)).then_some(Field::MarketRent);
    for (at, field) in [(rent, market), (paid, Some(Field::Rent))] {
        if let Some(column) = table.columns.get_mut(at) {
            column.field = field;
        }
    }
}

/// The columns of rents with what they have, and the numbers of rows; none if no space is vacant.
fn filled(table: &Table) -> Option<(Vec<(usize, Filled)>, Filled)> {
    let indexed = Indexed::new(table);
    let mut columns: Vec<(usize, Filled)> = (0..table.columns.len())
        .filter(|at| is_rent(table, *at))
        .map(|at| (at, Filled::default()))
        .collect();
    let mut all = Filled::default();
    for row in table.data() {
        let vacant = tenancy::is_empty(&indexed, row);
        all.vacant += usize::from(vacant);
        all.others += usize::from(!vacant);
        for (at, filled) in &mut columns {
            if table
                .number(row, *at)
                .is_some_and(|amount| amount.written() > 0.0)
            {
                filled.vacant += usize::from(vacant);
                filled.others += usize::from(!vacant);
            }
        }
    }
    (all.vacant > 0 && all.others > 0 && columns.len() > 1).then_some((columns, all))
}

/// Whether a column may hold rents of a month.
fn is_rent(table: &Table, at: usize) -> bool {
    let field = table.columns.get(at).and_then(|column| column.field);
    let words = headers::words(table.header(at));
    matches!(field, Some(Field::Rent))
        || field.is_none()
            && words
                .iter()
                .any(|word| matches!(word.as_str(), "rent" | "rents" | "rate" | "charges"))
            && headers::field(table.header(at)).is_none_or(|field| field == Field::Rent)
}
