//! The rent of a year, where a table has it only for each square foot.
//!
//! Knows no question.

use crate::tables::dates::Order;
use crate::tables::headers::{self, Field};
use crate::tables::numbers::Decimal;
use crate::tables::table::{Column, Table};

/// The header of the column that is added.
pub const ADDED: &str = "Rent of a year";

/// Adds the rent of a year to each row: its area times its rent for each square foot.
#[must_use]
pub fn with_annual(mut table: Table) -> Table {
    let (Some(each), Some(area)) = (table.column(Field::RentPerArea), table.column(Field::Area)) else {
        return table;
    };
    if table.has(Field::Rent) || table.has(Field::AnnualRent) {
        return table;
    }
    let name = headers::normalized(table.header(each));
    let monthly = name.contains("mo") && !name.contains("model");
    let factor = if monthly { 12.0 } else { 1.0 };
    let sums: Vec<String> = table
        .rows
        .iter()
        .map(|row| {
            let (Some(area), Some(rent)) = (table.number(row, area), table.number(row, each)) else {
                return String::new();
            };
            let sum = format!("{:.2}", area.written() * rent.written() * factor);
            if table.decimal == Decimal::Comma {
                sum.replace('.', ",")
            } else {
                sum
            }
        })
        .collect();
    let width = table.columns.len();
    for (row, sum) in table.rows.iter_mut().zip(sums) {
        row.cells.resize(width, String::new());
        row.cells.push(sum);
    }
    table.columns.push(Column {
        header: ADDED.to_owned(),
        field: Some(Field::AnnualRent),
        month: None,
        order: Order::default(),
        ambiguous: false,
    });
    table
}
