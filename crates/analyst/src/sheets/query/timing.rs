//! Times in a clause: months and years as groups, the time that rows are chosen by, the day that steps are in force.
//!
//! Computes nothing.

use std::collections::HashSet;

use chrono::NaiveDate;

use crate::sheets::meaning::titled;
use crate::sheets::query::cells::folded;
use crate::sheets::query::filters::Filter;
use crate::sheets::query::naming::{Found, Piece};
use crate::sheets::query::nouns;
use crate::sheets::query::part::{Group, Part};
use crate::sheets::query::pieces;
use crate::sheets::query::view::View;
use crate::sheets::time;
use crate::sheets::words::Words;
use tables::headers::Field;

/// "Before the sale": a row of the table that has a date stands for it.
pub(crate) fn since_row(words: &mut Words, view: &View<'_>) -> Option<(Option<usize>, time::Span)> {
    let [column] = view.dated.as_slice() else {
        return None;
    };
    let at = words.position(&["before", "after", "until", "since"])?;
    let mut rest = Words {
        all: words.all.get(at + 1..)?.iter().take(3).cloned().collect(),
    };
    let found = pieces::find(&mut rest, view);
    let value = found.iter().find_map(|own| match &own.piece {
        Piece::Value { column, values } if own.at <= 1 => {
            let values: HashSet<&str> = values.iter().map(String::as_str).collect();
            Some((*column, values, own.at + own.length))
        }
        _ => None,
    })?;
    let rows: Vec<usize> = view
        .rows()
        .filter(|row| {
            let row = view.row(*row);
            row.is_some_and(|row| value.1.contains(folded(view.table.text(row, value.0)).as_str()))
        })
        .collect();
    let [row] = rows.as_slice() else { return None };
    let day = view.date(*row, *column)?;
    let before = matches!(words.stem_at(at), "before" | "until");
    words.mark(at, 1 + value.2);
    let label = format!(
        "{} {} ({day})",
        if before { "before" } else { "after" },
        view.row(*row).map_or("", |row| view.table.text(row, value.0))
    );
    Some((
        Some(*column),
        time::Span {
            from: if before { None } else { day.succ_opt() },
            to: if before { day.pred_opt() } else { None },
            label,
        },
    ))
}

/// "By month", "per quarter", "each year", where a column of dates is there to divide by.
pub(crate) fn grouped_by_time(words: &mut Words, view: &View<'_>, part: &mut Part) {
    let Some(column) = nouns::sole_date(view, words) else {
        return;
    };
    if view.table.has(Field::Rent) || view.table.has(Field::AnnualRent) {
        // Of a rent "per month" says what it is of.
        let by = words.says(&[
            "by year",
            "by month",
            "by quarter",
            "by expiration year",
            "by expiry year",
        ]);
        if !by {
            return;
        }
    }
    let lists: [(&[&str], Group); 3] = [
        (
            &[
                "by month",
                "per month",
                "each month",
                "every month",
                "month by month",
                "which month",
                "what month",
            ],
            Group::Month(column),
        ),
        (
            &[
                "by quarter",
                "per quarter",
                "each quarter",
                "which quarter",
                "what quarter",
            ],
            Group::Quarter(column),
        ),
        (
            &[
                "by year",
                "per year",
                "each year",
                "by calendar year",
                "year by year",
                "which year",
                "what year",
                "by expiration year",
                "by expiry year",
                "by maturity year",
            ],
            Group::Year(column),
        ),
    ];
    for (phrases, group) in lists {
        let asks = phrases
            .iter()
            .any(|phrase| phrase.starts_with("wh") && words.says(&[phrase]));
        if words.take(phrases) {
            part.group = Some(group);
            part.pace = None;
            part.names |= asks;
        }
    }
}

/// The time that rows are chosen by, on the column that the words speak of.
pub(crate) fn dated(
    words: &mut Words,
    view: &View<'_>,
    part: &mut Part,
    column: Option<usize>,
    span: time::Span,
    found: &[Found],
) {
    let named = found.iter().find_map(|own| match &own.piece {
        Piece::Column(columns) => columns.iter().copied().find(|column| view.is_dated(*column)),
        _ => None,
    });
    let column = column.or(named).or_else(|| nouns::date_by_verb(words, view));
    let column = match (column, view.dated.as_slice()) {
        (Some(column), _) => column,
        (None, [only]) => *only,
        (None, several) => {
            let names: Vec<String> = several
                .iter()
                .map(|at| format!("“{}”", view.header(*at)))
                .collect();
            part.unsure = Some(format!("Which date do you mean: {}?", names.join(", ")));
            return;
        }
    };
    if view.table.columns.get(column).is_some_and(|own| own.ambiguous) {
        part.unsure = Some(format!(
            "The dates under “{}” can be read with the month or the day first. Which is it?",
            view.header(column)
        ));
    }
    nouns::date_by_verb(words, view);
    part.filters.push(Filter::Dated { column, span });
}

/// "As of" a day in a table of steps: the last row that has begun.
pub(crate) fn in_force(view: &View<'_>, part: &mut Part, day: NaiveDate) {
    let starts = view
        .first(&[Field::StartDate, Field::Date])
        .or(match view.dated.as_slice() {
            [only] => Some(*only),
            _ => None,
        });
    let steps = view.numeric.len() == 1 && view.dated.len() == 1;
    let Some(column) = starts.filter(|_| steps) else {
        if titled(view.sheet) != Some(day) {
            part.left.push(format!("as of {day}"));
        }
        return;
    };
    let begun = view
        .rows()
        .filter_map(|at| view.date(at, column))
        .filter(|date| *date <= day)
        .max();
    match begun {
        Some(date) => part.filters.push(Filter::Dated {
            column,
            span: time::Span {
                from: Some(date),
                to: Some(date),
                label: format!("on {date}, the last one by {day}"),
            },
        }),
        None => part.unsure = Some(format!("The table begins after {day}.")),
    }
}
