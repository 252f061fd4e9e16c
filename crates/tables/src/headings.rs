//! The headings of a statement: which lines are income, which are costs, and which are below the line.
//!
//! Independent of amounts.

use crate::accounts::{Below, Line, Printed};
use crate::headers::{self, Field};
use crate::table::{Row, Table};

/// The kind that a heading or category gives to the lines below it.
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) enum Heading {
    Income,
    Expense,
    Below,
    #[default]
    Silent,
}

/// The heading that the rows are under. One that says nothing, such as "Marketing", is inside the one before it, until
/// a printed sum ends that.
#[derive(Default)]
pub(crate) struct Headings {
    next: usize,
    pub(crate) said: Heading,
}

impl Headings {
    pub(crate) fn reach(&mut self, table: &Table, row: &Row) {
        let Some(section) = row.section() else { return };
        for text in table.sections.get(self.next..=section).into_iter().flatten() {
            match heading(text) {
                Heading::Silent => {}
                said => self.said = said,
            }
        }
        self.next = self.next.max(section + 1);
    }

    pub(crate) fn end(&mut self, of: Printed) {
        if !matches!(of, Printed::Other | Printed::NetRentalIncome) {
            self.said = Heading::Silent;
        }
    }
}

fn heading(text: &str) -> Heading {
    let name = headers::normalized(text);
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    let costs = has(&["expense", "opex", "cost"]);
    if costs && has(&["income", "revenue"]) {
        // Of both sides.
        Heading::Silent
    } else if has(&[
        "belowtheline",
        "nonoperating",
        "capital",
        "debt",
        "financing",
        "ownership",
        "depreciation",
    ]) {
        Heading::Below
    } else if costs {
        Heading::Expense
    } else if has(&["income", "revenue", "rent", "receipts", "vacancy", "deduction"])
        && !has(&["netoperating"])
    {
        Heading::Income
    } else {
        Heading::Silent
    }
}

/// The column with the kind of each line, by its header or because it contains nothing else.
pub(crate) fn kinds(table: &Table, labels: usize) -> Option<usize> {
    table
        .column(Field::Category)
        .filter(|at| *at != labels)
        .or_else(|| {
            let filled = table.filled();
            let says = |row: &&Row, at: usize| heading(table.text(row, at)) != Heading::Silent;
            (0..)
                .zip(&filled)
                .filter(|(at, _)| *at != labels)
                .find_map(|(at, rows)| {
                    (!rows.is_empty() && rows.iter().all(|row| says(row, at))).then_some(at)
                })
        })
}

/// The kind of a line under its heading. Names of costs below the line override any heading, and a heading
/// overrides ambiguous names.
pub(crate) fn under(table: &Table, row: &Row, kinds: Option<usize>, section: Heading, known: Line) -> Line {
    let said = kinds
        .map(|at| heading(table.text(row, at)))
        .filter(|heading| *heading != Heading::Silent)
        .unwrap_or(section);
    match (known, said) {
        (Line::Below(_), Heading::Silent | Heading::Expense | Heading::Below) => known,
        (Line::Below(_), Heading::Income) => Line::Other,
        (Line::Unknown | Line::Other | Line::Expense, Heading::Income) => Line::Other,
        (Line::Unknown | Line::Other | Line::Expense, Heading::Expense) => Line::Expense,
        (Line::Unknown | Line::Expense, Heading::Below) => Line::Below(Below::Capital),
        (known, _) => known,
    }
}
