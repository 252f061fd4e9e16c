//! Turns what a call gave into figures of an answer, with inputs and their origins.

use calls::reader::is_ref;
use calls::result::{self, Computed, Refusal};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::analysis::answer::{Figure, Input};
use crate::analysis::tools::typed::given::About;

/// Reads the arguments of a call.
pub(super) fn arguments_of<T: DeserializeOwned>(name: &str, arguments: &Value) -> Result<T, Refusal> {
    serde_json::from_value(arguments.clone())
        .map_err(|error| Refusal::failure("bad_arguments", format!("{name}: {error}.")))
}

/// A figure of an answer.
pub(super) fn of(figure: &result::Figure, about: &About, inputs: Vec<Input>) -> Figure {
    Figure {
        name: figure.name.clone(),
        value: figure.value.clone(),
        unit: figure.unit.clone(),
        period: about
            .period
            .clone()
            .or_else(|| figure.period.map(|period| format!("each {period}"))),
        as_of: about.as_of,
        definition: figure.definition.clone(),
        inputs,
        subject: None,
    }
}

/// The values that a result was computed from. `origin` names where a value of the call comes from.
pub(super) fn inputs(computed: &Computed, arguments: &Value, origin: impl Fn(&str) -> String) -> Vec<Input> {
    let mut inputs: Vec<Input> = Vec::new();
    for step in &computed.steps {
        for (name, value) in &step.inputs {
            let known = inputs.iter().any(|input| input.name == *name);
            let made = computed.steps.iter().any(|other| other.name == *name);
            if known || made {
                continue;
            }
            inputs.push(Input {
                name: name.clone(),
                value: json!(value),
                unit: unit_of(name).to_owned(),
                origin: match written(arguments, name) {
                    Some(text) if is_ref(&text) => "computed".to_owned(),
                    Some(text) => origin(&text),
                    None => "question".to_owned(),
                },
            });
        }
        if step.assumption && inputs.iter().all(|input| input.name != step.name) {
            inputs.push(Input {
                name: step.name.clone(),
                value: json!(step.value),
                unit: unit_of(&step.name).to_owned(),
                origin: "convention".to_owned(),
            });
        }
    }
    inputs
}

fn unit_of(name: &str) -> &'static str {
    finance::variable::Variable::from_word(name).map_or("", |variable| variable.unit().word())
}

/// The text of an argument, at any depth.
fn written(arguments: &Value, name: &str) -> Option<String> {
    match arguments {
        Value::Object(map) => map
            .get(name)
            .and_then(|value| value.as_str().map(str::to_owned))
            .or_else(|| map.values().find_map(|value| written(value, name))),
        Value::Array(list) => list.iter().find_map(|value| written(value, name)),
        _ => None,
    }
}

/// One line for each step, for people.
pub(super) fn steps(computed: &Computed) -> Vec<String> {
    let line = |step: &result::Step| {
        if step.assumption {
            return format!("Assumed: {}", step.formula);
        }
        let inputs: Vec<String> = step
            .inputs
            .iter()
            .map(|(name, value)| format!("{} {}", name.replace('_', " "), short(*value)))
            .collect();
        format!(
            "{} = {} = {} ({})",
            step.name.replace('_', " "),
            step.formula,
            short(step.value),
            inputs.join(", ")
        )
    };
    computed.steps.iter().map(line).collect()
}

/// A number with six significant digits at least, without zeros at the end.
fn short(value: f64) -> String {
    let decimals = if value.abs() >= 1000.0 { 2 } else { 6 };
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}
