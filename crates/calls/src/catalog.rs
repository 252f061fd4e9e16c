//! The list of all calls, as a model gets it: name, description, schema, example.

use std::sync::OnceLock;

use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::calculate::Calculate;
use crate::call::Call;
use crate::cash_flows::CashFlows;
use crate::lease::Lease;
use crate::loan::Loan;
use crate::prepayment::Prepayment;
use crate::query_table::QueryTable;
use crate::reader::Reader;
use crate::result::{Outcome, Refusal};
use crate::sale_tax::SaleTax;
use crate::size_loan::SizeLoan;
use crate::waterfall::Waterfall;
use crate::words::nearest;

/// What holds for the values of all calls, for the instructions of a model.
pub const VALUES: &str = "Every amount, rate, date, count and duration in a call is a text exactly as written in \
                          the question, a note or a file (\"$1.2m\", \"6.25%\", \"1,340/mo\", \"30 yr\"), or the \
                          ref of an earlier figure (\"r2.1\"). A list of values means their sum. Never compute or \
                          convert a value yourself and never make one up: leave it out, and the result names what \
                          is missing.";

/// One call of the catalog.
#[derive(Debug)]
pub struct Entry {
    pub name: &'static str,
    pub description: &'static str,
    /// JSON schema of the arguments.
    pub schema: Value,
    /// Arguments of one call.
    pub example: Value,
    pub run: fn(&Value, &mut Reader<'_>) -> Outcome,
}

/// All calls; made once.
#[must_use]
pub fn entries() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    ENTRIES.get_or_init(all)
}

fn all() -> Vec<Entry> {
    vec![
        entry::<Calculate>(),
        entry::<CashFlows>(),
        entry::<Loan>(),
        entry::<Lease>(),
        entry::<Waterfall>(),
        entry::<SizeLoan>(),
        entry::<SaleTax>(),
        entry::<Prepayment>(),
        entry::<QueryTable>(),
    ]
}

fn entry<C: Call>() -> Entry {
    Entry {
        name: C::NAME,
        description: C::DESCRIPTION,
        schema: schema::<C>(),
        example: serde_json::from_str(C::EXAMPLE).unwrap_or(Value::Null),
        run: run::<C>,
    }
}

fn run<C: Call>(arguments: &Value, reader: &mut Reader<'_>) -> Outcome {
    let read: C = serde_json::from_value(arguments.clone())
        .map_err(|error| Refusal::failure("bad_arguments", format!("{}: {error}.", C::NAME)))?;
    read.run(reader)
}

fn schema<C: Call>() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    settings.inline_subschemas = true;
    let mut schema = settings.into_generator().into_root_schema_for::<C>().to_value();
    shorten(&mut schema);
    schema
}

/// Leaves out what a model does not need: titles, "or null" of optional fields, formats, defaults, the type next to an
/// enumeration, and that other keys are refused, which a call says itself.
fn shorten(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if map.get("type").is_none_or(|kind| !kind.is_object()) {
                for key in ["title", "format", "default", "minimum"] {
                    // A property may have such a name: its value is a schema, not a text or number.
                    if map.get(key).is_some_and(|value| !value.is_object()) {
                        map.remove(key);
                    }
                }
            }
            if let Some(Value::Array(kinds)) = map.get_mut("type") {
                kinds.retain(|kind| kind != "null");
                if let [only] = kinds.as_slice() {
                    let only = only.clone();
                    map.insert("type".to_owned(), only);
                }
            }
            if let Some(Value::Array(choices)) = map.get_mut("enum") {
                choices.retain(|choice| !choice.is_null());
                map.remove("type");
            }
            if map.get("additionalProperties") == Some(&Value::Bool(false)) {
                map.remove("additionalProperties");
            }
            if let Some(Value::Array(kinds)) = map.get_mut("anyOf") {
                kinds.retain(|kind| kind.get("type").is_none_or(|kind| kind != "null"));
                if let [Value::Object(only)] = kinds.as_slice() {
                    let only = only.clone();
                    map.remove("anyOf");
                    map.extend(only);
                }
            }
            map.values_mut().for_each(shorten);
        }
        Value::Array(list) => list.iter_mut().for_each(shorten),
        _ => {}
    }
}

impl Entry {
    /// Names unknown keys and those that may have been meant.
    ///
    /// # Errors
    /// Arguments that are no object, or have a key that the schema does not know.
    pub fn check_keys(&self, arguments: &Value) -> Result<(), Refusal> {
        let Some(given) = arguments.as_object() else {
            return Err(Refusal::failure(
                "bad_arguments",
                "The arguments must be one JSON object.",
            ));
        };
        let known: Vec<&str> = self
            .schema
            .get("properties")
            .and_then(Value::as_object)
            .map(|map| map.keys().map(String::as_str).collect())
            .unwrap_or_default();
        let Some(unknown) = given.keys().find(|key| !known.contains(&key.as_str())) else {
            return Ok(());
        };
        let mut near = nearest(unknown, known.iter().map(|key| (*key, *key)));
        if near.is_empty() {
            near = known.iter().map(|key| (*key).to_owned()).collect();
        }
        let what = format!("{} has no argument \"{unknown}\".", self.name);
        Err(Refusal::near("bad_arguments", what, near))
    }
}
