//! What a run may call: name, description, schema. Depends on what the run has and, for writing, on what it asks.

use calls::catalog::entries;
use calls::result::Refusal;
use calls::words::nearest;
use finance::portfolio::metric::Metric;
use finance::portfolio::query::Split;
use serde_json::{Value, json};

use crate::analysis::engine::Brief;
use crate::analysis::tools::kit::Tools;
use crate::analysis::tools::typed::notes;
use crate::portfolio::semantic::registry::MODELS;

/// One call, as a model is shown it.
#[derive(Clone, Debug)]
pub struct Spec {
    pub name: &'static str,
    pub description: String,
    /// JSON schema of the arguments.
    pub schema: Value,
}

impl Spec {
    fn new(name: &'static str, description: &str, example: &Value, schema: Value) -> Self {
        Self {
            name,
            description: format!("{description} Example: {example}"),
            schema,
        }
    }
}

/// Metrics that need more than a period and buildings: `portfolio_query` has them.
const OTHERWISE: [Metric; 3] = [Metric::Account, Metric::AccountVsBudget, Metric::AccountBudget];

/// The metrics that a call can name.
pub(super) fn metrics() -> impl Iterator<Item = Metric> {
    Metric::ALL
        .iter()
        .copied()
        .filter(|metric| !OTHERWISE.contains(metric))
}

/// The calls of a run.
pub(super) fn of(brief: &Brief, tools: &Tools) -> Vec<Spec> {
    let mut specs: Vec<Spec> = entries()
        .iter()
        .map(|entry| {
            Spec::new(
                entry.name,
                entry.description,
                &entry.example,
                entry.schema.clone(),
            )
        })
        .collect();
    if tools.portfolio.is_some() {
        specs.extend(portfolio());
    }
    if tools.notes.is_some() {
        specs.push(search_notes());
    }
    if !brief.files.is_empty() {
        specs.extend(files());
    }
    if tools
        .notes
        .as_ref()
        .is_some_and(|_| notes::asks_to_keep(&brief.question))
    {
        specs.push(save_note());
    }
    specs
}

/// The error for a name that is no call of this run.
pub(super) fn unknown(name: &str, allowed: &[Spec]) -> Refusal {
    let mut near = nearest(
        name,
        allowed.iter().map(|spec| (spec.name, spec.description.as_str())),
    );
    if near.is_empty() {
        near = allowed.iter().map(|spec| spec.name.to_owned()).collect();
    }
    Refusal::near("unknown_call", format!("There is no call \"{name}\" here."), near)
}

fn object(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
    })
}

fn portfolio() -> [Spec; 3] {
    let metrics: Vec<&str> = metrics().map(Metric::word).collect();
    let splits: Vec<&str> = Split::ALL.iter().map(|split| split.word()).collect();
    let models: Vec<&str> = MODELS.iter().map(|model| model.name).collect();
    [
        Spec::new(
            "portfolio_metric",
            "One metric of the organization's own buildings.",
            &json!({"metric": "noi", "buildings": ["Harbor Court"], "period": "2025", "split": "month"}),
            object(
                json!({
                    "metric": {"enum": metrics},
                    "buildings": {
                        "type": "array", "items": {"type": "string"},
                        "description": "Names; absent: all buildings",
                    },
                    "period": {
                        "type": "string",
                        "description": "\"2025\", \"2025-03\", \"2025-01 to 2025-06\", \"last 12 months\", \
                                        \"this year\"; absent: the latest 12 months, or the latest day",
                    },
                    "split": {"enum": splits},
                }),
                &["metric"],
            ),
        ),
        Spec::new(
            "portfolio_models",
            "The data models for portfolio_query; with a model its measures and dimensions.",
            &json!({"model": "leases"}),
            object(json!({"model": {"enum": models}}), &[]),
        ),
        Spec::new(
            "portfolio_query",
            "Rows of a data model: a Cube query. Take names from portfolio_models.",
            &json!({"query": {"measures": ["rent_roll.monthly_rent"], "dimensions": ["buildings.name"]}}),
            object(
                json!({"query": {
                    "type": "object",
                    "description": "measures, dimensions, filters, segments, timeDimensions, order, limit",
                }}),
                &["query"],
            ),
        ),
    ]
}

fn search_notes() -> Spec {
    Spec::new(
        "search_notes",
        "Notes of the asker and the organization.",
        &json!({"query": "renewal policy"}),
        object(
            json!({"query": {"type": "string"}, "limit": {"type": "integer"}}),
            &["query"],
        ),
    )
}

fn files() -> [Spec; 2] {
    [
        Spec::new(
            "list_files",
            "The files that were given, with their tables.",
            &json!({}),
            object(json!({}), &[]),
        ),
        Spec::new(
            "read_file",
            "The text of a file. For tables use query_table with the table's name.",
            &json!({"file": "f1"}),
            object(
                json!({
                    "file": {"type": "string", "description": "Ref or name"},
                    "part": {"type": "integer", "description": "From 1"},
                }),
                &["file"],
            ),
        ),
    ]
}

fn save_note() -> Spec {
    Spec::new(
        "save_note",
        "Keeps a note, only if the person asks for it.",
        &json!({"scope": "personal", "title": "Cap rate", "body": "We underwrite at 6 %.",
                "userRequest": "remember that we underwrite at 6 %"}),
        object(
            json!({
                "scope": {"enum": ["personal", "organisation"]},
                "title": {"type": "string"},
                "body": {"type": "string"},
                "userRequest": {"type": "string", "description": "The person's own words of this turn"},
            }),
            &["scope", "title", "body", "userRequest"],
        ),
    )
}
