//! What a call gives back: figures with steps and a table, inputs that are missing, or a failure; and their JSON.

use finance::fault::Fault;
use finance::variable::Variable;
use serde_json::{Value, json};

/// A computed value. Rates are fractions; money is in major units.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The metric's word, for instance `dscr`.
    pub name: String,
    pub label: String,
    /// A number; a list of numbers (`irr_roots`); a word (`binding_constraint`).
    pub value: Value,
    /// As in `finance::variable::Unit::word`, or `choice` for a word; money has its currency.
    pub unit: String,
    /// The time that a flow of money is for, as in `amount::Period::word`.
    pub period: Option<&'static str>,
    /// The convention in one sentence.
    pub definition: String,
}

/// One calculation on the way, or something assumed.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub name: String,
    pub formula: String,
    pub value: f64,
    pub inputs: Vec<(String, f64)>,
    pub assumption: bool,
}

/// A table of periods, or rows of a query. Amounts are rounded to cents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Value>>,
}

/// A result with figures. The figure that was asked for is the first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Computed {
    pub figures: Vec<Figure>,
    pub steps: Vec<Step>,
    pub table: Option<Table>,
    /// Values that were given and not needed.
    pub unused: Vec<String>,
}

/// Why a call has no figures.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// Inputs that are needed: name and label.
    Missing(Vec<(String, String)>),
    Failure(Failure),
}

/// An error for the reader: what happened and what to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// Stable: `unknown_call`, `unknown_word`, `bad_arguments`, `bad_value`, `unknown_ref`, `not_given`,
    /// `mixed_currencies`, `contradiction`, `too_many`, `no_result`.
    pub code: &'static str,
    pub detail: String,
    /// Names that may have been meant.
    pub near: Vec<String>,
}

/// What a call gave.
pub type Outcome = Result<Computed, Refusal>;

impl Figure {
    /// A figure for a variable of the graph.
    #[must_use]
    pub fn of(variable: Variable, value: f64, definition: &str) -> Self {
        Self::new(variable.word(), variable.label(), value, variable.unit().word()).meaning(definition)
    }

    /// A figure without period and definition.
    #[must_use]
    pub fn new(name: &str, label: &str, value: impl Into<Value>, unit: &str) -> Self {
        Self {
            name: name.to_owned(),
            label: label.to_owned(),
            value: value.into(),
            unit: unit.to_owned(),
            period: None,
            definition: String::new(),
        }
    }

    #[must_use]
    pub fn meaning(mut self, definition: &str) -> Self {
        definition.clone_into(&mut self.definition);
        self
    }

    #[must_use]
    pub fn each(mut self, period: &'static str) -> Self {
        self.period = Some(period);
        self
    }
}

impl Step {
    #[must_use]
    pub fn new(name: &str, formula: &str, value: f64, inputs: &[(&str, f64)]) -> Self {
        Self {
            name: name.to_owned(),
            formula: formula.to_owned(),
            value,
            inputs: inputs
                .iter()
                .map(|(name, value)| ((*name).to_owned(), *value))
                .collect(),
            assumption: false,
        }
    }

    /// Something taken as given without being said.
    #[must_use]
    pub fn assumed(name: &str, sentence: &str, value: f64) -> Self {
        Self {
            assumption: true,
            ..Self::new(name, sentence, value, &[])
        }
    }
}

impl Table {
    #[must_use]
    pub fn new(columns: &[&str]) -> Self {
        Self {
            columns: columns.iter().map(|column| (*column).to_owned()).collect(),
            rows: Vec::new(),
        }
    }
}

impl Refusal {
    #[must_use]
    pub fn failure(code: &'static str, detail: impl Into<String>) -> Self {
        Self::near(code, detail, Vec::new())
    }

    #[must_use]
    pub fn near(code: &'static str, detail: impl Into<String>, near: Vec<String>) -> Self {
        Self::Failure(Failure {
            code,
            detail: detail.into(),
            near,
        })
    }

    /// The inputs of a list that are not there.
    #[must_use]
    pub fn missing(inputs: &[(&str, &str, bool)]) -> Self {
        let lacking = inputs.iter().filter(|(_, _, given)| !given);
        Self::Missing(
            lacking
                .map(|(name, label, _)| ((*name).to_owned(), (*label).to_owned()))
                .collect(),
        )
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self::failure("no_result", fault.sentence())
    }
}

/// An amount rounded to cents for a table. Exact values are in the figures.
#[must_use]
pub fn cents(amount: f64) -> Value {
    json!((amount * 100.0).round() / 100.0)
}

/// The JSON of a result; `reference` is its name, such as `r3`.
#[must_use]
pub fn json_of(outcome: &Outcome, reference: &str) -> Value {
    match outcome {
        Ok(computed) => computed_json(computed, reference),
        Err(Refusal::Missing(inputs)) => {
            let list: Vec<Value> = inputs
                .iter()
                .map(|(name, label)| json!({"name": name, "label": label}))
                .collect();
            json!({"ref": reference, "missing": list})
        }
        Err(Refusal::Failure(failure)) => json!({
            "ref": reference,
            "error": {"code": failure.code, "detail": failure.detail, "near": failure.near},
        }),
    }
}

fn computed_json(computed: &Computed, reference: &str) -> Value {
    let figures: Vec<Value> = computed
        .figures
        .iter()
        .enumerate()
        .map(|(at, figure)| {
            let mut json = json!({
                "ref": format!("{reference}.{}", at + 1),
                "name": figure.name,
                "label": figure.label,
                "value": figure.value,
                "unit": figure.unit,
            });
            if let Some(period) = figure.period {
                put(&mut json, "period", json!(period));
            }
            if !figure.definition.is_empty() {
                put(&mut json, "definition", json!(figure.definition));
            }
            json
        })
        .collect();
    let steps: Vec<Value> = computed.steps.iter().map(step_json).collect();
    let mut json = json!({"ref": reference, "figures": figures, "steps": steps});
    if let Some(table) = &computed.table {
        put(
            &mut json,
            "table",
            json!({"columns": table.columns, "rows": table.rows}),
        );
    }
    if !computed.unused.is_empty() {
        put(&mut json, "unused", json!(computed.unused));
    }
    json
}

fn step_json(step: &Step) -> Value {
    let inputs: Vec<Value> = step
        .inputs
        .iter()
        .map(|(name, value)| json!({"name": name, "value": value}))
        .collect();
    json!({
        "name": step.name,
        "formula": step.formula,
        "value": step.value,
        "inputs": inputs,
        "assumption": step.assumption,
    })
}

fn put(json: &mut Value, key: &str, value: Value) {
    if let Some(map) = json.as_object_mut() {
        map.insert(key.to_owned(), value);
    }
}
