//! Whether a question says in which order the days and months of its table stand: "dates are dd/mm/yyyy".
//!
//! Knows no kind of table.

use crate::sheets::sources::Sheet;
use crate::sheets::words::Words;
use tables::dates::Order;

const DAY: &[&str] = &[
    "day month order",
    "day month year",
    "dd mm yyyy",
    "dd mm yy",
    "dd mm",
    "day first",
    "day before month",
    "day month",
    "european date",
    "european format",
    "british date",
    "british format",
    "uk date",
    "uk format",
    "german date",
    "european order",
    "uk order",
    "british order",
];
const MONTH: &[&str] = &[
    "month day order",
    "month day year",
    "mm dd yyyy",
    "mm dd yy",
    "mm dd",
    "month first",
    "month before day",
    "month day",
    "american date",
    "american format",
    "us date",
    "us format",
    "us order",
    "american order",
];

/// The sheet with its dates in the order that the question gives, if it gives one and they need it.
pub(crate) fn told(sheet: &Sheet, question: &str) -> Option<Sheet> {
    let words = Words::of(question);
    let order = match (words.says(DAY), words.says(MONTH)) {
        (true, false) => Order::DayFirst,
        (false, true) => Order::MonthFirst,
        _ => return None,
    };
    if !sheet.table.columns.iter().any(|column| column.ambiguous) {
        return None;
    }
    let mut table = sheet.table.clone();
    for column in table.columns.iter_mut().filter(|column| column.ambiguous) {
        column.order = order;
        column.ambiguous = false;
    }
    Some(sheet.with(table))
}

/// Takes what is said of the order.
pub(crate) fn take(words: &mut Words) {
    words.take(DAY);
    words.take(MONTH);
}
