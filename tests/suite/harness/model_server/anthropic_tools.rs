//! What Anthropic checks in the tools of a request, and in how the model is to use them.

use serde_json::Value;

use super::anthropic_rules::{Checked, bad, known, text};
use super::reply::Failure;
use super::schema;

/// The tools of a request; returns their names.
pub(super) fn tools(body: &Value) -> Result<Vec<&str>, Failure> {
    let tools = match body.get("tools") {
        None => return Ok(Vec::new()),
        Some(Value::Array(tools)) => tools,
        Some(_) => return bad("tools: Input should be a valid list"),
    };
    let fields = [
        "type",
        "name",
        "description",
        "input_schema",
        "cache_control",
        "strict",
        "input_examples",
        "eager_input_streaming",
    ];
    let mut names = Vec::new();
    for (n, tool) in tools.iter().enumerate() {
        let at = format!("tools.{n}.custom.");
        if tool.get("type").is_some_and(|kind| kind != "custom") {
            return bad(format!(
                "tools.{n}.type: this server knows tools of the type 'custom' only"
            ));
        }
        known(tool, &fields, &at)?;
        let name = text(tool, "name", &at)?;
        if !schema::is_name(name, 128) {
            return bad(format!(
                "{at}name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"
            ));
        }
        if tool.get("description").is_some() {
            text(tool, "description", &at)?;
        }
        let Some(input) = tool.get("input_schema") else {
            return bad(format!("{at}input_schema: Field required"));
        };
        if input.get("type").is_none() {
            return bad(format!("{at}input_schema.type: Field required"));
        }
        if let Some(problem) = schema::problem(input) {
            return bad(format!("{at}input_schema: {problem}"));
        }
        names.push(name);
    }
    match schema::repeated(&names) {
        None => Ok(names),
        Some(_) => bad("tools: Tool names must be unique."),
    }
}

/// Without tools, `auto` and `none` are accepted.
pub(super) fn choice(body: &Value, tools: &[&str]) -> Checked {
    let Some(choice) = body.get("tool_choice") else {
        return Ok(());
    };
    if !choice.is_object() {
        return bad("tool_choice: Input should be a valid dictionary or object to extract fields from");
    }
    match text(choice, "type", "tool_choice.")? {
        "any" if tools.is_empty() => bad("tool_choice.any may only be specified while providing tools"),
        "any" | "auto" | "none" => Ok(()),
        "tool" => {
            let name = text(choice, "name", "tool_choice.tool.")?;
            if tools.contains(&name) {
                return Ok(());
            }
            bad(format!("Tool '{name}' not found in provided tools"))
        }
        _ => bad("tool_choice.type: Input should be 'auto', 'any', 'tool' or 'none'"),
    }
}
