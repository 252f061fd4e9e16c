//! The calls from outside: values as people write them, each family against independent numbers, bad input.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that finds something missing fails"
)]

mod amounts;
mod audit;
mod audit_properties;
mod calculate;
mod catalog;
mod hostile;
mod investments;
mod leases;
mod loans;
mod provenance;
mod translations;

use calls::session::Session;
use serde_json::{Value, json};

/// The result of one call in a session of its own.
fn call(name: &str, arguments: &Value) -> Value {
    Session::unchecked().call(name, arguments)
}

/// The first figure of a call.
#[track_caller]
fn first(name: &str, arguments: &Value) -> f64 {
    let result = call(name, arguments);
    result["figures"][0]["value"]
        .as_f64()
        .unwrap_or_else(|| panic!("{name} {arguments}: {result}"))
}

#[track_caller]
fn near(got: f64, want: f64) {
    assert!(
        (got - want).abs() <= 1e-6 * want.abs().max(1e-3),
        "{got} is not {want}"
    );
}

/// The code of the error of a call.
#[track_caller]
fn code(name: &str, arguments: &Value) -> String {
    let result = call(name, arguments);
    result["error"]["code"]
        .as_str()
        .unwrap_or_else(|| panic!("{name} {arguments}: {result}"))
        .to_owned()
}

/// The names of the missing inputs of a call.
fn missing(name: &str, arguments: &Value) -> Vec<String> {
    let result = call(name, arguments);
    let list = result["missing"].as_array().unwrap_or_else(|| panic!("{result}"));
    list.iter()
        .map(|input| input["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn an_unknown_call_names_its_neighbours() {
    let result = call("calculator", &json!({}));
    assert_eq!(result["error"]["code"], "unknown_call");
    assert_eq!(result["error"]["near"][0], "calculate");
}
