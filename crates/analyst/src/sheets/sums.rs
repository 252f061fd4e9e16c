//! Sums, averages, extremes, counts and single values of a column, over the rows that a question chooses.
//!
//! Knows no kind of table but its fields.

use serde_json::json;

use crate::sheets::columns::Mention;
use crate::sheets::finding::{Finding, Open, Outcome, inert};
use crate::sheets::measured::{Column, Unit};
use crate::sheets::words::{Words, stem};
use tables::headers::{self, Field};
use tables::table::{Row, Table};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aggregate {
    Sum,
    Mean,
    Median,
    Highest,
    Lowest,
    Count,
    /// Of a single row.
    Value,
}

/// What is done with the values, taken from the words; and how many of the first are listed.
pub(crate) fn aggregate(words: &mut Words) -> (Option<Aggregate>, Option<usize>) {
    let top = top(words);
    let count = words.take(&["how many", "number of", "count of", "count"]);
    let median = words.take(&["median"]);
    let mean = words.take(&["simple average", "arithmetic mean", "average", "mean", "avg"]);
    let highest = words.take(&[
        "highest",
        "largest",
        "biggest",
        "maximum",
        "max",
        "most expensive",
        "greatest",
        "latest",
        "longest",
        "last to",
        "most",
        "priciest",
        "top",
    ]);
    let lowest = words.take(&[
        "lowest", "smallest", "minimum", "min", "cheapest", "least", "earliest", "shortest", "soonest",
        "first to", "next to",
    ]);
    let sum = words.take(&[
        "add up",
        "sum of",
        "sum",
        "combined",
        "altogether",
        "in total",
        "aggregate",
        "total",
        "how much",
        "totals",
    ]);
    let chosen = match (count, median, mean, highest, lowest, sum) {
        (true, false, false, false, false, _) => Some(Aggregate::Count),
        (_, true, false, false, false, _) => Some(Aggregate::Median),
        (_, false, true, false, false, _) => Some(Aggregate::Mean),
        (_, false, false, true, false, _) => Some(Aggregate::Highest),
        (_, false, false, false, true, _) => Some(Aggregate::Lowest),
        (false, false, false, false, false, true) => Some(Aggregate::Sum),
        _ => None,
    };
    (chosen, top)
}

/// "top 3", "three largest".
fn top(words: &mut Words) -> Option<usize> {
    let spelled = |word: &str| match word {
        "two" => Some(2),
        "three" => Some(3),
        "four" => Some(4),
        "five" => Some(5),
        "ten" => Some(10),
        _ => None,
    };
    for at in 0..words.all.len() {
        let number = words
            .numbers()
            .into_iter()
            .find(|(place, _)| *place == at)
            .and_then(|(_, number)| usize::try_from(number.scaled(0)?).ok())
            .or_else(|| spelled(words.stem_at(at)));
        let Some(count) = number.filter(|count| (1..=100).contains(count)) else {
            continue;
        };
        let before = at.checked_sub(1).map_or("", |at| words.stem_at(at));
        let superlative = [
            "largest", "biggest", "highest", "smallest", "lowest", "cheapest", "most",
        ];
        if before == "top" || superlative.contains(&before) || superlative.contains(&words.stem_at(at + 1)) {
            words.mark(at, 1);
            return Some(count);
        }
    }
    None
}

/// What is asked of the rows.
pub(crate) struct Wanted<'a> {
    pub(crate) table: &'a Table,
    pub(crate) rows: Vec<&'a Row>,
    /// All rows, for shares.
    pub(crate) all: Vec<&'a Row>,
    pub(crate) column: Option<usize>,
    pub(crate) by: Option<usize>,
    pub(crate) aggregate: Aggregate,
    pub(crate) top: Option<usize>,
    pub(crate) share: bool,
    /// The conditions in words.
    pub(crate) label: String,
    pub(crate) source: &'a str,
    /// What a row is called.
    pub(crate) noun: &'static str,
}

/// The name of a row for people.
pub(crate) fn name<'a>(table: &'a Table, row: &'a Row) -> &'a str {
    let named = [
        Field::Tenant,
        Field::Name,
        Field::Loan,
        Field::Building,
        Field::Unit,
        Field::Lender,
        Field::Account,
    ]
    .iter()
    .map(|field| table.text_of(row, *field))
    .find(|name| !name.is_empty());
    named.unwrap_or_else(|| {
        row.cells
            .iter()
            .find(|cell| cell.contains(char::is_alphabetic))
            .unwrap_or("")
    })
}

pub(crate) fn compute(wanted: &Wanted<'_>) -> Result<Outcome, Open> {
    let of = if wanted.label.is_empty() {
        String::new()
    } else {
        format!(" where {}", wanted.label)
    };
    if wanted.aggregate == Aggregate::Count {
        return Ok(counted(wanted, &of));
    }
    let Some(at) = wanted.column else {
        return Err(Open::because("Which column of the table do you mean?"));
    };
    if let Some(outcome) = dates(wanted, at)? {
        return Ok(outcome);
    }
    let column = Column::of(wanted.table, at);
    let header = wanted.table.header(at).to_owned();
    let values: Vec<(&Row, f64)> = wanted
        .rows
        .iter()
        .filter_map(|row| column.value(row).map(|value| (*row, value)))
        .collect();
    if values.is_empty() {
        return Err(Open::because(format!("I found no number under “{header}”{of}.")));
    }
    let blank = wanted.rows.len() - values.len();
    let sum: f64 = values.iter().map(|(_, value)| value).sum();
    let mut outcome = Outcome::default();
    if blank > 0 && wanted.aggregate != Aggregate::Sum {
        outcome.remarks.push(format!(
            "{blank} rows without a number under “{header}” are left out."
        ));
    }
    let step = format!("{} rows{of} under “{header}”.", values.len());
    if let Some(count) = wanted.top {
        return Ok(listed(wanted, &column, values, count, &header));
    }
    let figure = |prefix: &str, label: &str, value: f64, definition: &str| {
        Finding::new(
            &format!("{prefix}_{}", column.word()),
            &format!("{label} of “{header}”{of}"),
            value,
            column.unit(),
            column.shown(value),
            definition,
        )
        .input("rows", values.len() as f64, "count", wanted.source)
        .step(step.clone())
        .counted(
            (values.len(), wanted.rows.len()),
            at,
            wanted.label.is_empty() && wanted.aggregate == Aggregate::Sum,
        )
    };
    if wanted.share {
        let all: f64 = wanted.all.iter().filter_map(|row| column.value(row)).sum();
        // "What share comes from the largest?": of that one row, not of all rows.
        let extreme = match wanted.aggregate {
            Aggregate::Highest => values.iter().max_by(|one, other| one.1.total_cmp(&other.1)),
            Aggregate::Lowest => values.iter().min_by(|one, other| one.1.total_cmp(&other.1)),
            _ => None,
        };
        let (sum, of) = match extreme {
            Some((row, value)) => (*value, format!(" of {}", name(wanted.table, row))),
            None => (sum, of.clone()),
        };
        if all == 0.0 {
            return Err(Open::because(format!(
                "All of “{header}” adds up to zero, so there is no share."
            )));
        }
        outcome.findings.push(
            Finding::percent(
                &format!("share_{}", column.word()),
                &format!("share of “{header}”{of}"),
                sum / all,
                "Share = sum over the rows asked about ÷ sum over all rows.",
            )
            .input("part", sum, column.unit(), wanted.source)
            .input("total", all, column.unit(), wanted.source)
            .step(format!("{} of {}.", column.shown(sum), column.shown(all))),
        );
        return Ok(outcome);
    }
    let finding = match wanted.aggregate {
        Aggregate::Sum => {
            let means = headers::words(&header)
                .iter()
                .any(|word| matches!(word.as_str(), "avg" | "average" | "mean" | "median"));
            if column.of == Unit::Percent || means {
                return Err(Open::because(format!(
                    "“{header}” holds rates or averages, which have no sum. Should I average them?"
                )));
            }
            figure(
                "total",
                "total",
                sum,
                "Sum over the rows of the table; printed totals are not counted.",
            )
        }
        Aggregate::Mean => match wanted.by {
            Some(by) => {
                let weights = Column::of(wanted.table, by);
                let pairs: Vec<(f64, f64)> = values
                    .iter()
                    .filter_map(|(row, value)| weights.value(row).map(|weight| (*value, weight)))
                    .collect();
                let all: f64 = pairs.iter().map(|(_, weight)| weight).sum();
                if pairs.len() < values.len() || all <= 0.0 {
                    return Err(Open::because(format!(
                        "Not every row has a number under “{}” to weight with.",
                        wanted.table.header(by)
                    )));
                }
                let mean = pairs.iter().map(|(value, weight)| value * weight).sum::<f64>() / all;
                figure(
                    "weighted_avg",
                    &format!("average, weighted by “{}”,", wanted.table.header(by)),
                    mean,
                    "Weighted average = Σ(value × weight) ÷ Σ weight.",
                )
            }
            None => figure(
                "avg",
                "average",
                sum / values.len() as f64,
                "Average over the rows with a number.",
            ),
        },
        Aggregate::Median => {
            let mut sorted: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
            sorted.sort_by(f64::total_cmp);
            let half = sorted.len() / 2;
            let upper = sorted.get(half).copied().unwrap_or(0.0);
            let lower = if sorted.len() % 2 == 1 {
                upper
            } else {
                sorted.get(half.saturating_sub(1)).copied().unwrap_or(upper)
            };
            figure(
                "median",
                "median",
                (upper + lower) / 2.0,
                "Median over the rows with a number.",
            )
        }
        Aggregate::Highest | Aggregate::Lowest => {
            let highest = wanted.aggregate == Aggregate::Highest;
            let order = |one: &&(&Row, f64), other: &&(&Row, f64)| one.1.total_cmp(&other.1);
            let best = if highest {
                values.iter().max_by(order)
            } else {
                values.iter().min_by(order)
            };
            let Some((row, value)) = best else {
                return Err(Open::because("There is no row to choose from."));
            };
            let ties: Vec<&str> = values
                .iter()
                .filter(|(_, other)| other == value)
                .map(|(row, _)| name(wanted.table, row))
                .collect();
            if ties.len() > 1 {
                outcome.remarks.push(format!("The same: {}.", ties.join(", ")));
            }
            let (prefix, label) = if highest {
                ("max", "highest")
            } else {
                ("min", "lowest")
            };
            let own = name(wanted.table, row);
            outcome.sentence = Some(format!(
                "{own} has the {label} “{header}”{of}: {}",
                column.shown(*value)
            ));
            figure(prefix, label, *value, "One of the rows of the table.").of(own)
        }
        Aggregate::Value => {
            let [(row, value)] = values.as_slice() else {
                return Err(Open::because(format!(
                    "{} rows fit. Should I add up “{header}”, or average it?",
                    values.len()
                )));
            };
            figure("value", "value", *value, "As it stands in the table.").of(name(wanted.table, row))
        }
        Aggregate::Count => return Err(Open::because("What should I count?")),
    };
    outcome.findings.push(finding);
    Ok(outcome)
}

fn counted(wanted: &Wanted<'_>, of: &str) -> Outcome {
    let finding = if wanted.share {
        Finding::percent(
            &format!("share_of_{}", wanted.noun.replace(' ', "_")),
            &format!("share of {}{of}", wanted.noun),
            wanted.rows.len() as f64 / wanted.all.len().max(1) as f64,
            "Share = rows asked about ÷ all rows.",
        )
        .step(format!(
            "{} of {} {}.",
            wanted.rows.len(),
            wanted.all.len(),
            wanted.noun
        ))
    } else {
        Finding::count(
            &format!("number_of_{}", wanted.noun.replace(' ', "_")),
            &format!("number of {}{of}", wanted.noun),
            wanted.rows.len(),
            "Rows of the table; printed totals are not counted.",
        )
        .step(format!(
            "{} of {} {} fit.",
            wanted.rows.len(),
            wanted.all.len(),
            wanted.noun
        ))
    };
    Outcome::figures(vec![finding])
}

/// The first rows by a column.
fn listed(
    wanted: &Wanted<'_>,
    column: &Column<'_>,
    mut values: Vec<(&Row, f64)>,
    count: usize,
    header: &str,
) -> Outcome {
    let lowest = wanted.aggregate == Aggregate::Lowest;
    values.sort_by(|one, other| {
        if lowest {
            one.1.total_cmp(&other.1)
        } else {
            other.1.total_cmp(&one.1)
        }
    });
    let mut outcome = Outcome::default();
    let mut table = format!("| | {} |\n|---|---:|\n", inert(header));
    let mut said = Vec::new();
    for (row, value) in values.iter().take(count) {
        let own = name(wanted.table, row);
        said.push(format!("{own} ({})", column.shown(*value)));
        table.push_str(&format!("| {} | {} |\n", inert(own), column.shown(*value)));
        outcome.findings.push(
            Finding::new(
                &column.word(),
                &format!("“{header}”"),
                *value,
                column.unit(),
                column.shown(*value),
                "As it stands in the table.",
            )
            .of(own),
        );
    }
    let which = if lowest { "lowest" } else { "highest" };
    outcome.sentence = Some(format!(
        "The {} with the {which} “{header}”: {}",
        said.len(),
        said.join(", ")
    ));
    outcome.tables.push(table);
    outcome
}

/// Earliest, latest or single dates of a column that holds dates.
fn dates(wanted: &Wanted<'_>, at: usize) -> Result<Option<Outcome>, Open> {
    let dated: Vec<(&Row, chrono::NaiveDate)> = wanted
        .rows
        .iter()
        .filter_map(|row| wanted.table.date(row, at).map(|dated| (*row, dated.last_day())))
        .collect();
    let numbers = wanted
        .rows
        .iter()
        .filter(|row| wanted.table.number(row, at).is_some())
        .count();
    if dated.is_empty() || numbers > 0 {
        return Ok(None);
    }
    let header = wanted.table.header(at);
    let chosen = match wanted.aggregate {
        Aggregate::Highest => dated.iter().max_by_key(|(_, date)| *date),
        Aggregate::Lowest => dated.iter().min_by_key(|(_, date)| *date),
        Aggregate::Value => match dated.as_slice() {
            [only] => Some(only),
            _ => None,
        },
        _ => None,
    };
    let Some((row, date)) = chosen else {
        return Err(Open::because(format!(
            "“{header}” holds dates: do you want the earliest or the latest?"
        )));
    };
    if wanted
        .table
        .columns
        .get(at)
        .is_some_and(|column| column.ambiguous)
    {
        return Err(Open::because(format!(
            "The dates under “{header}” can be read with the month or the day first. Which is it?"
        )));
    }
    let own = name(wanted.table, row);
    let finding = Finding {
        name: headers::words(header).join("_"),
        label: format!("“{header}”"),
        value: json!(date.to_string()),
        unit: "date",
        shown: date.to_string(),
        definition: "As it stands in the table.".to_owned(),
        ..Finding::default()
    };
    Ok(Some(Outcome {
        sentence: Some(format!("{own}: “{header}” {date}")),
        findings: vec![finding.of(own)],
        ..Outcome::default()
    }))
}

/// Which mentioned column is summed and which one it is grouped or weighted by.
pub(crate) fn roles(words: &mut Words, mentions: &[Mention]) -> (Vec<usize>, Option<usize>, bool) {
    let mut by = None;
    let mut summed = Vec::new();
    let weighted = words.take(&["weighted"]);
    for mention in mentions {
        let before = mention
            .at
            .checked_sub(1)
            .map_or("", |at| words.stem_at(at))
            .to_owned();
        words.mark(mention.at, mention.length);
        if before == "by" || before == stem("per") {
            words.mark(mention.at - 1, 1);
            by = Some(mention.column);
        } else if !summed.contains(&mention.column) {
            summed.push(mention.column);
        }
    }
    (summed, by, weighted)
}
