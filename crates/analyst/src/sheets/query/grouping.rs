//! A wish computed for each group of rows: a table as the answer, or the group with the most or the least.
//!
//! Groups are values of a column, months, quarters or years of a date, or the rows themselves.

use std::collections::HashMap;

use chrono::Datelike;

use crate::sheets::finding::{Finding, Open, Outcome, inert, percent, plain};
use crate::sheets::query::cells::folded;
use crate::sheets::query::cues::Wish;
use crate::sheets::query::part::Group;
use crate::sheets::query::wanted::Asked;

/// Groups that an answer still holds.
const MOST: usize = 60;

type Picked = Option<(Vec<usize>, String)>;

struct Part {
    name: String,
    rows: Vec<usize>,
    value: f64,
    shown: String,
}

pub(crate) fn compute(asked: &Asked<'_>, group: Group) -> Result<(Outcome, Picked), Open> {
    if asked.ask.nth.is_some() {
        return Err(Open::because(
            "I can name the first of the groups, or put all of them in order. Which do you want?",
        ));
    }
    let (heading, divided) = divide(asked, group);
    if divided.len() > MOST {
        return Err(Open::because(format!(
            "“{heading}” makes {} groups, more than I show at once. Please name some of them.",
            divided.len()
        )));
    }
    let count = asked.amounts.is_none();
    let mut parts = Vec::new();
    let mut label = String::new();
    let mut empty = 0;
    for (name, rows) in divided {
        if count {
            label = format!("number of rows{}", asked.of);
            parts.push(Part {
                value: rows.len() as f64,
                shown: plain(rows.len() as f64, 0),
                name,
                rows,
            });
            continue;
        }
        let amounts = asked.measured()?;
        if rows.iter().all(|row| amounts.value(*row).is_none()) {
            empty += 1;
            continue;
        }
        let finding = asked.figure(asked.ask.wish, &rows)?.into_iter().next();
        let Some(finding) = finding else { continue };
        label.clone_from(&finding.label);
        parts.push(Part {
            value: finding.value.as_f64().unwrap_or(0.0),
            shown: finding.shown,
            name,
            rows,
        });
    }
    if parts.is_empty() {
        return Err(Open::because(format!(
            "I found no number for any group{}.",
            asked.of
        )));
    }
    let mut outcome = Outcome::default();
    if empty > 0 {
        outcome
            .remarks
            .push(format!("{empty} groups without a number are left out."));
    }
    let adds = count
        || asked.amounts.as_ref().is_some_and(super::amounts::Amounts::adds)
            && matches!(asked.ask.wish, Wish::Sum | Wish::Amount | Wish::Count);
    let whole: f64 = parts.iter().map(|part| part.value).sum();
    let (unit, word) = match &asked.amounts {
        Some(amounts) => (amounts.unit(), amounts.word()),
        None => ("count", "number_of_rows".to_owned()),
    };
    let shown = |value: f64| match &asked.amounts {
        Some(amounts) => amounts.shown(value),
        None => plain(value, 0),
    };
    if let Some(wish) = asked.ask.extreme.or(asked.ask.rank.map(|_| asked.ask.wish)) {
        let lowest = wish == Wish::Lowest;
        parts.sort_by(|one, other| {
            let order = other.value.total_cmp(&one.value);
            if lowest { order.reverse() } else { order }
        });
    }
    let mut table = format!("| {} | {} |\n|---|---:|\n", inert(&heading), inert(&label));
    for part in &parts {
        table.push_str(&format!("| {} | {} |\n", inert(&part.name), part.shown));
    }
    if adds && parts.len() > 1 {
        table.push_str(&format!("| Total | {} |\n", shown(whole)));
    }
    let finding = |part: &Part| {
        let value = if asked.ask.share && adds && whole != 0.0 {
            part.value / whole
        } else {
            part.value
        };
        let (unit, shown) = if asked.ask.share && adds {
            ("percent", percent(value))
        } else {
            (unit, part.shown.clone())
        };
        Finding::new(&word, &label, value, unit, shown, definition(asked)).of(part.name.clone())
    };
    if asked.ask.share && adds {
        table = format!(
            "| {} | {} | Share |\n|---|---:|---:|\n",
            inert(&heading),
            inert(&label)
        );
        for part in &parts {
            table.push_str(&format!(
                "| {} | {} | {} |\n",
                inert(&part.name),
                part.shown,
                percent(part.value / whole)
            ));
        }
    }
    if let Some(extreme) = asked.ask.extreme {
        let best = parts.first().map_or(0.0, |part| part.value);
        let ties: Vec<&Part> = parts
            .iter()
            .filter(|part| (part.value - best).abs() < 1e-9)
            .collect();
        let names = ties
            .iter()
            .map(|part| part.name.as_str())
            .collect::<Vec<_>>()
            .join(", ");
        let which = if extreme == Wish::Lowest {
            "lowest"
        } else {
            "highest"
        };
        outcome.sentence = Some(format!(
            "{names}: {which} {label} by “{heading}”, {}",
            shown(best)
        ));
        outcome
            .findings
            .extend(ties.iter().take(1).map(|part| finding(part)));
        outcome
            .findings
            .extend((adds && whole != 0.0 && asked.ask.share).then(|| {
                Finding::percent(
                    "share",
                    &format!("share of {label}"),
                    best / whole,
                    "Share = group ÷ all groups.",
                )
                .of(names.clone())
            }));
        let rows = ties.iter().flat_map(|part| part.rows.iter().copied()).collect();
        outcome.tables.push(table);
        return Ok((outcome, Some((rows, format!("“{heading}” is {names}")))));
    }
    let kept = asked.ask.rank.unwrap_or(parts.len());
    let said: Vec<String> = parts
        .iter()
        .take(kept)
        .map(|part| format!("{} {}", part.name, part.shown))
        .collect();
    let intro = if asked.ask.rank.is_some() {
        format!("The first {}", said.len())
    } else {
        label.clone()
    };
    outcome.sentence = Some(format!("{intro} by “{heading}”: {}", said.join(", ")));
    outcome.findings.extend(parts.iter().take(kept).map(finding));
    if adds && !asked.ask.share && parts.len() > 1 {
        outcome.findings.push(
            Finding::new(
                &format!("total_{word}"),
                &format!("{label}, all groups"),
                whole,
                unit,
                shown(whole),
                definition(asked),
            )
            .aside(),
        );
    }
    outcome.tables.push(table);
    Ok((outcome, None))
}

fn definition(asked: &Asked<'_>) -> &'static str {
    match (&asked.amounts, asked.ask.wish) {
        (None, _) => "Rows of the table; printed totals are not counted.",
        (Some(_), Wish::Mean | Wish::Simple) => "Average over the rows with a number, for each group.",
        (Some(_), Wish::Weighted) => "Weighted average = Σ(value × weight) ÷ Σ weight, for each group.",
        (Some(amounts), _) => amounts.definition(),
    }
}

/// The groups in the order of the table, of times in their own.
fn divide(asked: &Asked<'_>, group: Group) -> (String, Vec<(String, Vec<usize>)>) {
    let view = asked.view;
    let mut groups: Vec<(String, String, Vec<usize>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for at in &asked.rows {
        let Some(row) = view.row(*at) else { continue };
        let dated = |column: usize| view.date(*at, column);
        let (key, name) = match group {
            Group::Column(column) => {
                let cell = view.table.text(row, column).to_owned();
                if cell.is_empty() {
                    ("~".to_owned(), "(blank)".to_owned())
                } else {
                    (folded(&cell), cell)
                }
            }
            Group::Rows => (format!("{at:08}"), view.name(*at)),
            Group::Month(column) | Group::Quarter(column) | Group::Year(column) => {
                match (dated(column), group) {
                    (None, _) => ("~".to_owned(), "(no date)".to_owned()),
                    (Some(date), Group::Month(_)) => {
                        (date.format("%Y-%m").to_string(), date.format("%B %Y").to_string())
                    }
                    (Some(date), Group::Quarter(_)) => {
                        let quarter = format!("Q{} {}", date.month0() / 3 + 1, date.year());
                        (date.format("%Y").to_string() + &quarter, quarter)
                    }
                    (Some(date), _) => (date.year().to_string(), date.year().to_string()),
                }
            }
        };
        let place = *places.entry(key.clone()).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((.., rows)) => rows.push(*at),
            None => groups.push((key, name, vec![*at])),
        }
    }
    let heading = match group {
        Group::Column(column) => view.header(column).to_owned(),
        Group::Month(column) => format!("{} (month)", view.header(column)),
        Group::Quarter(column) => format!("{} (quarter)", view.header(column)),
        Group::Year(column) => format!("{} (year)", view.header(column)),
        Group::Rows => "row".to_owned(),
    };
    if matches!(group, Group::Month(_) | Group::Quarter(_) | Group::Year(_)) {
        groups.sort_by(|one, other| one.0.cmp(&other.0));
    }
    (
        heading,
        groups.into_iter().map(|(_, name, rows)| (name, rows)).collect(),
    )
}
