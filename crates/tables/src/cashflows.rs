//! Reads cash flows from a table: amounts by date or by period, from one column or from separate columns for
//! money in and out.
//!
//! Independent of rates and questions.

use std::collections::HashSet;

use chrono::NaiveDate;

use crate::columns::{date_column, numeric_columns};
use crate::headers::{self, Field};
use crate::table::Table;

/// The interval between flows without dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Year,
    Quarter,
    Month,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Flows {
    Dated(Vec<(NaiveDate, f64)>),
    /// Flows in order; `first` is the period of the first one, where 0 is now.
    Periodic {
        flows: Vec<f64>,
        step: Step,
        first: i64,
    },
}

/// The flows of a table and the columns they were read from.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    pub flows: Flows,
    pub doubts: Vec<String>,
    pub remarks: Vec<String>,
    /// Total amounts paid in and out, if they have columns of their own.
    pub paid: Option<(f64, f64)>,
}

/// Reads the flows from the column that the question means. `named` are words of the question.
///
/// # Errors
/// A sentence that asks which column is meant.
pub fn read(table: &Table, named: &[String]) -> Result<Read, String> {
    if let Some(across) = across(table) {
        return read_across(table, &across, named);
    }
    let mut remarks = Vec::new();
    let mut doubts = Vec::new();
    let dates = date_column(table);
    let amounts = amounts(table, dates, named, &mut remarks)?;
    let mut rows = Vec::new();
    let paid = match amounts.as_slice() {
        [(inward, sign), (outward, _)]
            if *inward != *outward && remarks.iter().any(|own| own.starts_with("Flow = “")) =>
        {
            let sum = |column: usize| -> f64 {
                table
                    .data()
                    .filter(|row| dates.is_none_or(|dates| !table.text(row, dates).is_empty()))
                    .filter_map(|row| table.number(row, column))
                    .map(super::numbers::Number::written)
                    .sum()
            };
            Some((-sum(*inward) * sign, sum(*outward)))
        }
        _ => None,
    };
    for row in table.data() {
        let sum: Option<f64> = amounts.iter().fold(None, |sum: Option<f64>, (column, sign)| {
            let own = table.number(row, *column).map(|number| number.written() * sign);
            own.map(|own| sum.unwrap_or(0.0) + own).or(sum)
        });
        if let Some(sum) = sum {
            rows.push((row, sum));
        }
    }
    if let Some(column) = dates {
        if table.columns.get(column).is_some_and(|column| column.ambiguous) {
            doubts.push(format!(
                "The dates under “{}” can be read with the month or the day first; I read the month first.",
                table.header(column)
            ));
        }
        // A total below the flows has no date.
        let all: f64 = rows
            .iter()
            .filter(|(row, _)| !table.text(row, column).is_empty())
            .map(|(_, amount)| amount)
            .sum();
        rows.retain(|(row, amount)| !table.text(row, column).is_empty() || (amount - all).abs() > 0.005);
        let mut flows = Vec::with_capacity(rows.len());
        for (row, amount) in &rows {
            let Some(dated) = table.date(row, column) else {
                return Err(format!(
                    "Line {} has an amount, but “{}” is no date I can read.",
                    row.line(),
                    table.text(row, column)
                ));
            };
            flows.push((dated.last_day(), *amount));
        }
        return Ok(Read {
            flows: Flows::Dated(flows),
            doubts,
            remarks,
            paid,
        });
    }
    let period = table.column(Field::Period).or_else(|| table.column(Field::Date));
    let step = match period.map(|at| headers::normalized(table.header(at))) {
        Some(name) if name.contains("month") => Step::Month,
        Some(name) if name.contains("quarter") => Step::Quarter,
        _ => Step::Year,
    };
    let mut first = 0;
    if let Some(at) = period {
        let numbers: Vec<Option<f64>> = rows
            .iter()
            .map(|(row, _)| {
                let text = table.text(row, at);
                let digits = text.trim_start_matches(|sign: char| !sign.is_ascii_digit());
                crate::numbers::number(digits, table.decimal).map(super::numbers::Number::value)
            })
            .collect();
        // In "Close, Q1, Q2", the first one is now.
        let mut numbers = numbers;
        if let [start @ None, Some(next), ..] = numbers.as_mut_slice()
            && (*next - 1.0).abs() < 1e-9
        {
            *start = Some(0.0);
        }
        let steps = numbers
            .windows(2)
            .all(|pair| matches!(pair, [Some(one), Some(other)] if (other - one - 1.0).abs() < 1e-9));
        match numbers.first() {
            Some(Some(start)) if steps => {
                // If the periods are calendar years, the first one is now.
                first = if *start >= 1900.0 { 0 } else { *start as i64 };
            }
            _ => doubts.push(format!(
                "The periods under “{}” do not follow one another.",
                table.header(at)
            )),
        }
    }
    if !(0..=1).contains(&first) {
        doubts.push("The first period is neither 0 nor 1.".to_owned());
    }
    Ok(Read {
        flows: Flows::Periodic {
            flows: rows.into_iter().map(|(_, amount)| amount).collect(),
            step,
            first,
        },
        doubts,
        remarks,
        paid,
    })
}

/// The columns of a table with periods as columns, "Year 0" to "Year 5", with the number of each.
#[must_use]
pub fn across(table: &Table) -> Option<Vec<(usize, i64)>> {
    let period = |header: &str| -> Option<i64> {
        let words = headers::words(header);
        match words.as_slice() {
            [name, number] if matches!(name.as_str(), "year" | "yr" | "period" | "y" | "t") => {
                number.parse().ok()
            }
            [one] => one
                .strip_prefix("year")
                .or_else(|| one.strip_prefix("yr"))
                .or_else(|| one.strip_prefix('y'))?
                .parse()
                .ok(),
            _ => None,
        }
    };
    let found: Vec<(usize, i64)> = (0..table.columns.len())
        .filter_map(|at| Some((at, period(table.header(at))?)))
        .collect();
    let follow = found
        .windows(2)
        .all(|pair| matches!(pair, [(_, one), (_, other)] if other - one == 1));
    (found.len() >= 3 && follow && found.len() + 2 >= table.columns.len()).then_some(found)
}

/// Reads the flows from one row: the one that is named, the only one, or the one called a cash flow.
fn read_across(table: &Table, across: &[(usize, i64)], named: &[String]) -> Result<Read, String> {
    let periods: HashSet<usize> = across.iter().map(|(column, _)| *column).collect();
    let named: HashSet<&str> = named.iter().map(String::as_str).collect();
    let label = |row: &crate::table::Row| -> Vec<String> {
        row.cells
            .iter()
            .enumerate()
            .filter(|(at, _)| !periods.contains(at))
            .flat_map(|(_, cell)| headers::words(cell))
            .collect()
    };
    let rows: Vec<_> = table
        .rows
        .iter()
        .filter(|row| across.iter().all(|(at, _)| table.number(row, *at).is_some()))
        .collect();
    let matching_words = |row: &crate::table::Row| {
        let words = label(row);
        words
            .iter()
            .filter(|word| word.len() > 2)
            .filter(|word| named.contains(word.as_str()))
            .count()
    };
    let most = rows.iter().map(|row| matching_words(row)).max().unwrap_or(0);
    let named_rows: Vec<_> = rows
        .iter()
        .filter(|row| most > 0 && matching_words(row) == most)
        .collect();
    let flowing: Vec<_> = rows
        .iter()
        .filter(|row| {
            let words = label(row);
            words
                .iter()
                .any(|word| word.starts_with("flow") || word == "cashflow")
        })
        .collect();
    let row = match (named_rows.as_slice(), rows.as_slice(), flowing.as_slice()) {
        ([only], ..) => **only,
        (_, [only], _) => *only,
        (_, _, [only]) => **only,
        _ => {
            let names: Vec<String> = rows
                .iter()
                .map(|row| format!("“{}”", label(row).join(" ")))
                .collect();
            return Err(format!("Which row holds the flows: {}?", names.join(", ")));
        }
    };
    let flows: Vec<f64> = across
        .iter()
        .filter_map(|(at, _)| table.number(row, *at))
        .map(super::numbers::Number::written)
        .collect();
    let first = across.first().map_or(0, |(_, first)| *first);
    let mut doubts = Vec::new();
    if !(0..=1).contains(&first) {
        doubts.push("The first period is neither 0 nor 1.".to_owned());
    }
    Ok(Read {
        flows: Flows::Periodic {
            flows,
            step: Step::Year,
            first,
        },
        doubts,
        remarks: vec![format!("The flows are those of “{}”.", label(row).join(" "))],
        paid: None,
    })
}

/// The words of a header that distinguish its flows from others.
#[must_use]
pub fn telling(header: &str) -> Vec<String> {
    headers::words(header)
        .into_iter()
        .filter(|word| {
            !matches!(
                word.as_str(),
                "cash"
                    | "flow"
                    | "flows"
                    | "cashflow"
                    | "cashflows"
                    | "cf"
                    | "cfs"
                    | "amount"
                    | "net"
                    | "usd"
                    | "$"
            )
        })
        .collect()
}

/// The columns that make up the flow, each with its sign.
fn amounts(
    table: &Table,
    dates: Option<usize>,
    named: &[String],
    remarks: &mut Vec<String>,
) -> Result<Vec<(usize, f64)>, String> {
    let columns: Vec<usize> = numeric_columns(table)
        .into_iter()
        .filter(|at| {
            Some(*at) != dates
                && table
                    .columns
                    .get(*at)
                    .is_some_and(|column| column.field != Some(Field::Period))
        })
        .filter(|at| !is_running(table.header(*at)))
        .collect();
    let words: HashSet<&str> = named.iter().map(String::as_str).collect();
    let mut chosen: Vec<usize> = columns
        .iter()
        .copied()
        .filter(|at| {
            let telling = telling(table.header(*at));
            !telling.is_empty() && telling.iter().all(|word| words.contains(word.as_str()))
        })
        .collect();
    if chosen.len() != 1 {
        chosen.clear();
    }
    if let [only] = chosen.as_slice() {
        remarks.push(format!("The flows are those under “{}”.", table.header(*only)));
        return Ok(vec![(*only, 1.0)]);
    }
    let like = |words: &[&str]| {
        columns.iter().copied().find(|at| {
            headers::words(table.header(*at))
                .iter()
                .any(|word| words.iter().any(|own| word.starts_with(own)))
        })
    };
    let whole = |names: &[&str]| {
        columns
            .iter()
            .copied()
            .find(|at| names.contains(&headers::normalized(table.header(*at)).as_str()))
    };
    // "Paid out" is not a payment into the investment.
    let outward = like(&["distribut", "inflow", "receiv", "proceeds"])
        .or_else(|| whole(&["paidout", "moneyout", "out", "payout", "payouts"]));
    let inward = whole(&["paidin", "in", "moneyin"]).or_else(|| {
        like(&["contribut", "invest", "paid", "outflow", "capital"]).filter(|at| Some(*at) != outward)
    });
    if let [only] = columns.as_slice() {
        return Ok(vec![(*only, 1.0)]);
    }
    if let (Some(inward), Some(outward), 2) = (inward, outward, columns.len())
        && inward != outward
    {
        let negative = table
            .data()
            .filter_map(|row| table.number(row, inward))
            .any(|number| number.value() < 0.0);
        remarks.push(format!(
            "Flow = “{}” less “{}”.",
            table.header(outward),
            table.header(inward)
        ));
        return Ok(vec![(inward, if negative { 1.0 } else { -1.0 }), (outward, 1.0)]);
    }
    if let Some(column) = table.column(Field::Amount).filter(|at| columns.contains(at)) {
        let others = columns
            .iter()
            .filter(|at| **at != column && headers::field(table.header(**at)) == Some(Field::Amount))
            .count();
        if others == 0 {
            remarks.push(format!("The flows are those under “{}”.", table.header(column)));
            return Ok(vec![(column, 1.0)]);
        }
    }
    // "Sum the columns" uses the signs as written, if some amounts are negative.
    let mentions = |words: &[&str]| named.iter().any(|word| words.contains(&word.as_str()));
    let filled = table.filled();
    let signs: Vec<bool> = columns
        .iter()
        .filter_map(|at| Some((*at, filled.get(*at)?)))
        .flat_map(|(at, rows)| rows.iter().filter_map(move |row| table.number(row, at)))
        .map(|number| number.written() < 0.0)
        .collect();
    let sums = |header: &str| {
        headers::words(header)
            .iter()
            .any(|word| matches!(word.as_str(), "total" | "sum" | "flow" | "cashflow"))
    };
    if mentions(&["columns"])
        && mentions(&[
            "sum", "add", "adding", "summing", "total", "across", "combine", "combined", "net",
        ])
        && signs.contains(&true)
        && columns.len() >= 2
        && !columns.iter().any(|at| sums(table.header(*at)))
    {
        remarks.push("Flow = the sum of the columns in each row.".to_owned());
        return Ok(columns.iter().map(|at| (*at, 1.0)).collect());
    }
    let names: Vec<String> = columns
        .iter()
        .map(|at| format!("“{}”", table.header(*at)))
        .collect();
    Err(if names.is_empty() {
        "I found no column of amounts.".to_owned()
    } else {
        format!("Which column holds the flows: {}?", names.join(", "))
    })
}

/// Running totals, and amounts that are already discounted.
fn is_running(header: &str) -> bool {
    let name = headers::normalized(header);
    ["cumul", "running", "balance", "discount", "present", "factor"]
        .iter()
        .any(|word| name.contains(word))
}
