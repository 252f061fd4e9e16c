//! `corbel portfolio models` and `corbel portfolio query`: the semantic layer on the command line.

use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};

use crate::app::cli::report::Report;
use crate::base::error::{Error, Result};
use crate::base::ids::OrgId;
use crate::base::principal::{Face, Principal};
use crate::portfolio::model::Buildings;
use crate::portfolio::semantic::answer::Answer;
use crate::portfolio::semantic::refusal::{Path, Refusal};
use crate::portfolio::semantic::service::Failure;
use crate::services::Services;

#[derive(Debug, Subcommand)]
pub enum Portfolio {
    /// List the data models, or describe one with its measures and dimensions
    Models {
        /// Describe this model
        #[arg(long, value_name = "NAME")]
        model: Option<String>,
        #[command(flatten)]
        who: Who,
    },
    /// Answer a query: a bounded subset of Cube's JSON
    Query {
        #[command(flatten)]
        who: Who,
        /// For instance '{"measures": ["financials.noi"], "dimensions": ["buildings.city"]}'
        #[arg(value_name = "JSON")]
        query: String,
    },
}

/// A member; the query sees the buildings that are granted to them.
#[derive(Debug, Args)]
pub struct Who {
    /// Organization, by id or exact name
    #[arg(long)]
    pub org: String,
    /// The person who asks
    #[arg(long = "as", value_name = "EMAIL")]
    pub email: String,
}

pub async fn run(services: &Services, command: Portfolio) -> Result<Report> {
    match command {
        Portfolio::Models { model: None, who } => {
            asker(services, &who).await?;
            let models = services.semantic.models();
            let lines: Vec<String> = models
                .iter()
                .map(|model| {
                    format!(
                        "{:<14} {} (one row: {})",
                        model.name, model.description, model.grain
                    )
                })
                .collect();
            Ok(Report::new(json!({ "models": models }), lines.join("\n")))
        }
        Portfolio::Models {
            model: Some(model),
            who,
        } => {
            let (org, within) = asker(services, &who).await?;
            match services.semantic.describe(org, &within, &model).await {
                Ok(about) => {
                    let text = described(&about);
                    Ok(Report::new(about, text))
                }
                Err(failure) => refused(failure),
            }
        }
        Portfolio::Query { who, query } => {
            let (org, within) = asker(services, &who).await?;
            let query: Value = match serde_json::from_str(&query) {
                Ok(query) => query,
                Err(error) => {
                    return refused(Failure::Refused(Refusal::value(
                        &Path::root(),
                        format!("the query is not JSON ({error})"),
                        "give one JSON object, in single quotes for the shell",
                    )));
                }
            };
            match services.semantic.query(org, &within, &query).await {
                Ok(answer) => {
                    let text = table(&answer);
                    Ok(Report::new(
                        serde_json::to_value(answer).map_err(Error::internal)?,
                        text,
                    ))
                }
                Err(failure) => refused(failure),
            }
        }
    }
}

/// The organization, and the buildings that are granted to the member.
async fn asker(services: &Services, who: &Who) -> Result<(OrgId, Buildings)> {
    let org = services.accounts.org(&who.org).await?;
    let member = services.accounts.member_by_email(org.id, &who.email).await?;
    let principal = Principal {
        org: member.org_id,
        user: member.user_id,
        role: member.role,
        face: Face::Cli,
    };
    let within = services.portfolio.granted(&principal).await?;
    Ok((principal.org, within))
}

fn refused(failure: Failure) -> Result<Report> {
    match failure {
        Failure::Refused(refusal) => {
            let line = format!("{refusal} [{}]", refusal.code.as_str());
            Ok(Report::refused(
                serde_json::to_value(refusal).map_err(Error::internal)?,
                line,
            ))
        }
        Failure::Failed(error) => Err(error),
    }
}

/// The description of a model as text.
fn described(about: &Value) -> String {
    let text = |value: &Value, key: &str| {
        value
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let mut lines = vec![
        format!("{} ({})", text(about, "title"), text(about, "name")),
        text(about, "description"),
        format!("One row: {}.", text(about, "grain")),
    ];
    let part = |key: &str| about.get(key).and_then(Value::as_array).into_iter().flatten();
    lines.push("\nMeasures".to_owned());
    lines.extend(part("measures").map(|one| {
        let (name, unit) = (text(one, "name"), text(one, "unit"));
        format!(
            "  {name:<38} {} [{unit}, {}]",
            text(one, "definition"),
            text(one, "additivity")
        )
    }));
    lines.push("\nDimensions".to_owned());
    lines.extend(part("dimensions").map(|one| {
        let samples: Vec<String> = one
            .get("sampleValues")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .take(5)
            .map(plain)
            .collect();
        let samples = if samples.is_empty() {
            String::new()
        } else {
            format!(" For instance {}.", samples.join(", "))
        };
        let (name, kind) = (text(one, "name"), text(one, "type"));
        format!("  {name:<38} {} [{kind}]{samples}", text(one, "description"))
    }));
    if part("segments").next().is_some() {
        lines.push("\nSegments".to_owned());
        lines.extend(
            part("segments").map(|one| format!("  {:<38} {}", text(one, "name"), text(one, "description"))),
        );
    }
    lines.join("\n")
}

/// The answer as a table, with notes below.
fn table(answer: &Answer) -> String {
    let empty = Map::new();
    let part = |name: &str| {
        let parts = ["timeDimensions", "dimensions", "measures"];
        let found =
            |(at, part): (usize, &&str)| Some((at, answer.annotation.get(part)?.get(name)?.as_object()?));
        parts.iter().enumerate().find_map(found)
    };
    let about = |name: &str| part(name).map_or(&empty, |(_, about)| about);
    // Time first, numbers last.
    let (names, rows) = columns_and_rows(&answer.data, |name| part(name).map_or(1, |(at, _)| at));
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let pairs = names.iter().zip(row);
            pairs.map(|(name, value)| cell(value, about(name))).collect()
        })
        .collect();
    let widths: Vec<usize> = names
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let longest = cells
                .iter()
                .filter_map(|row| row.get(at))
                .map(|text| text.chars().count())
                .max();
            longest.unwrap_or(0).max(name.chars().count())
        })
        .collect();
    let is_number: Vec<bool> = (0..names.len())
        .map(|at| rows.iter().filter_map(|row| row.get(at)).any(Value::is_number))
        .collect();
    let line = |texts: &[String]| {
        let aligned: Vec<String> = texts
            .iter()
            .zip(widths.iter().zip(&is_number))
            .map(|(text, (width, number))| {
                if *number {
                    format!("{text:>width$}")
                } else {
                    format!("{text:<width$}")
                }
            })
            .collect();
        aligned.join("  ").trim_end().to_owned()
    };
    let mut lines = Vec::new();
    if rows.is_empty() {
        lines.push("No rows.".to_owned());
    } else {
        lines.push(line(&names));
        lines.push(
            widths
                .iter()
                .map(|width| "-".repeat(*width))
                .collect::<Vec<_>>()
                .join("  "),
        );
        lines.extend(cells.iter().map(|row| line(row)));
    }
    lines.push(String::new());
    lines.extend(notes(answer));
    lines.join("\n").trim_end().to_owned()
}

fn notes(answer: &Answer) -> Vec<String> {
    let mut notes = Vec::new();
    let total = answer
        .total
        .map_or_else(String::new, |total| format!(" of {total}"));
    let more = if answer.truncated { "; there are more" } else { "" };
    notes.push(format!("{}{total} rows{more}.", answer.row_count));
    notes.extend(answer.as_of.iter().map(|day| format!("As of {day}.")));
    notes.extend(
        answer
            .currency
            .iter()
            .map(|currency| format!("Money in {currency}.")),
    );
    notes.extend(answer.date_ranges.iter().map(|(name, days)| {
        let day = |at| days.get(at).and_then(Value::as_str).unwrap_or_default();
        format!("{name} from {} to {}.", day(0), day(1))
    }));
    notes.extend(answer.warnings.iter().cloned());
    notes
}

/// Column names and rows, from any of the three result formats.
fn columns_and_rows(data: &Value, place: impl Fn(&str) -> usize) -> (Vec<String>, Vec<Vec<Value>>) {
    let names = |value: Option<&Value>| -> Vec<String> {
        let all = value.and_then(Value::as_array).into_iter().flatten();
        all.filter_map(|name| name.as_str().map(ToOwned::to_owned))
            .collect()
    };
    if let Some(rows) = data.as_array() {
        // Every row has the same keys.
        let mut names: Vec<String> = rows
            .first()
            .and_then(Value::as_object)
            .map(|row| row.keys().cloned().collect())
            .unwrap_or_default();
        names.sort_by_key(|name| place(name));
        let rows = rows
            .iter()
            .map(|row| {
                names
                    .iter()
                    .map(|name| row.get(name).cloned().unwrap_or_default())
                    .collect()
            })
            .collect();
        return (names, rows);
    }
    let lists = |key: &str| -> Vec<Vec<Value>> {
        let all = data.get(key).and_then(Value::as_array).into_iter().flatten();
        all.filter_map(|list| list.as_array().cloned()).collect()
    };
    let names = names(data.get("members"));
    let dataset = lists("dataset");
    if !dataset.is_empty() {
        return (names, dataset);
    }
    let columns = lists("columns");
    let height = columns.first().map_or(0, Vec::len);
    let rows = (0..height)
        .map(|at| {
            columns
                .iter()
                .map(|column| column.get(at).cloned().unwrap_or_default())
                .collect()
        })
        .collect();
    (names, rows)
}

/// Formats a value for people: money and counts with separators, shares in percent, days without a time.
fn cell(value: &Value, about: &Map<String, Value>) -> String {
    let word = |key: &str| about.get(key).and_then(Value::as_str).unwrap_or_default();
    match value {
        Value::Number(number) => match (word("format"), word("unit"), number.as_f64()) {
            ("currency", _, Some(amount)) => separated(&format!("{amount:.2}")),
            ("percent", _, Some(share)) => format!("{:.2} %", share * 100.0),
            (_, "count" | "sqft", _) => separated(&number.to_string()),
            _ => number.to_string(),
        },
        Value::String(text) if word("type") == "time" => {
            let length = match word("granularity") {
                "month" | "quarter" => 7,
                "year" => 4,
                _ => 10,
            };
            text.chars().take(length).collect()
        }
        other => plain(other),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        // Keeps a row on one line, and control characters of the data out of the terminal.
        Value::String(text) => text
            .chars()
            .map(|sign| if sign.is_control() { ' ' } else { sign })
            .collect(),
        other => other.to_string(),
    }
}

/// Separates thousands by commas.
fn separated(number: &str) -> String {
    let (whole, fraction) = number
        .split_once('.')
        .map_or((number, None), |(whole, rest)| (whole, Some(rest)));
    let (sign, digits) = whole
        .strip_prefix('-')
        .map_or(("", whole), |digits| ("-", digits));
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    let fraction = fraction.map_or_else(String::new, |fraction| format!(".{fraction}"));
    format!("{sign}{text}{fraction}")
}
