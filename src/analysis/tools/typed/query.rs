//! `portfolio_models` and `portfolio_query`: the semantic layer over the visible buildings.

use calls::result::{Computed, Figure, Refusal, Table};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::analysis::engine::UsedModel;
use crate::analysis::tools::portfolio::PortfolioTool;
use crate::analysis::tools::typed::figures::arguments_of;
use crate::analysis::tools::typed::given::{About, Found, Given};
use crate::base::error::Result;
use crate::portfolio::semantic::answer::Answer;
use crate::portfolio::semantic::registry;
use crate::portfolio::semantic::service::Failure;

/// Most rows that a result shows; a query that needs more is asked for totals.
const ROWS: usize = 200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Models {
    model: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Query {
    query: Map<String, Value>,
}

/// The list of models, or one of them with its members.
pub(super) async fn models(tool: &PortfolioTool, arguments: &Value) -> Result<Given> {
    let asked: Models = match arguments_of("portfolio_models", arguments) {
        Ok(asked) => asked,
        Err(refusal) => return Ok(Given::Error(refusal)),
    };
    let Some(model) = asked.model else {
        let listed = tool.models().into_iter().map(|model| {
            json!({"name": model.name, "title": model.title, "description": model.description, "grain": model.grain})
        });
        return Ok(Given::Json(json!({ "models": listed.collect::<Vec<_>>() })));
    };
    Ok(match failed(tool.describe(&model).await)? {
        Ok(described) => Given::Json(brief(&described)),
        Err(refusal) => Given::Error(refusal),
    })
}

/// Runs a query.
pub(super) async fn run(tool: &PortfolioTool, arguments: &Value) -> Result<Found> {
    let asked: Query = match arguments_of("portfolio_query", arguments) {
        Ok(asked) => asked,
        Err(refusal) => return Ok(Found::refused(refusal)),
    };
    let query = Value::Object(asked.query);
    Ok(match failed(tool.query(&query).await)? {
        Ok(answer) => {
            let as_of = answer.as_of.as_deref().and_then(|day| day.parse().ok());
            let models = match as_of {
                Some(as_of) => used(&query, as_of),
                None => Vec::new(),
            };
            Found {
                given: given(answer, as_of),
                models,
            }
        }
        Err(refusal) => Found::refused(refusal),
    })
}

/// A refusal of the semantic layer in the form of all calls. Faults of this service stay faults.
fn failed<T>(outcome: std::result::Result<T, Failure>) -> Result<std::result::Result<T, Refusal>> {
    match outcome {
        Ok(found) => Ok(Ok(found)),
        Err(Failure::Refused(refused)) => {
            let at = refused.path.as_str();
            let place = if at.is_empty() {
                String::new()
            } else {
                format!("{at}: ")
            };
            let detail = format!("{place}{}; {}", refused.detail, refused.fix);
            Ok(Err(Refusal::near("bad_arguments", detail, refused.suggestions)))
        }
        Err(Failure::Failed(error)) => Err(error),
    }
}

/// The names and meanings of a model's members, without samples and titles.
fn brief(described: &Value) -> Value {
    let member = |one: &Value| {
        let mut kept = Map::new();
        for key in ["name", "type", "definition", "description", "unit", "samples"] {
            if let Some(value) = one.get(key).filter(|value| !value.is_null()) {
                kept.insert(key.to_owned(), value.clone());
            }
        }
        Value::Object(kept)
    };
    let mut kept = Map::new();
    for key in ["name", "description", "grain", "defaultTimeDimension"] {
        if let Some(value) = described.get(key).filter(|value| !value.is_null()) {
            kept.insert(key.to_owned(), value.clone());
        }
    }
    for key in ["measures", "dimensions", "segments"] {
        if let Some(list) = described.get(key).and_then(Value::as_array) {
            kept.insert(key.to_owned(), list.iter().map(member).collect());
        }
    }
    Value::Object(kept)
}

/// The models that a query names.
fn used(query: &Value, as_of: chrono::NaiveDate) -> Vec<UsedModel> {
    let text = query.to_string();
    let named = registry::MODELS
        .into_iter()
        .filter(|model| text.contains(&format!("\"{}.", model.name)));
    named
        .map(|model| UsedModel {
            name: model.name,
            title: model.title,
            as_of,
        })
        .collect()
}

fn given(answer: Answer, as_of: Option<chrono::NaiveDate>) -> Given {
    let objects: Vec<Map<String, Value>> = match answer.data {
        Value::Array(rows) => rows
            .into_iter()
            .filter_map(|row| match row {
                Value::Object(row) => Some(row),
                _ => None,
            })
            .collect(),
        _ => {
            let what = "Leave responseFormat out: rows are given as a table here.";
            return Given::Error(Refusal::failure("bad_arguments", what));
        }
    };
    let mut columns: Vec<String> = Vec::new();
    for key in objects.iter().flat_map(Map::keys) {
        if !columns.contains(key) {
            columns.push(key.clone());
        }
    }
    let mut computed = Computed::default();
    if let [only] = objects.as_slice() {
        let measures = answer.annotation.get("measures").and_then(Value::as_object);
        for (name, about) in measures.into_iter().flatten() {
            let Some(value) = only.get(name).filter(|value| value.is_number()) else {
                continue;
            };
            let text = |key: &str| about.get(key).and_then(Value::as_str).unwrap_or_default();
            let figure = Figure::new(name, text("title"), value.clone(), text("unit"));
            computed.figures.push(figure.meaning(text("definition")));
        }
    }
    let rows = objects.iter().take(ROWS).map(|row| {
        let cell = |column: &String| row.get(column).cloned().unwrap_or(Value::Null);
        columns.iter().map(cell).collect()
    });
    computed.table = Some(Table {
        rows: rows.collect(),
        columns: columns.clone(),
    });
    let mut warnings = answer.warnings;
    if answer.truncated || objects.len() > ROWS {
        warnings.push(format!(
            "Only {} rows are shown. Ask for totals, or use limit and offset.",
            objects.len().min(ROWS)
        ));
    }
    let about = About {
        period: None,
        as_of,
        warnings,
    };
    Given::Outcome(Ok(computed), about)
}
