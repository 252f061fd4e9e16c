//! What OpenAI checks in a request in addition to its messages: parameters, the form of the answer, tools.

use serde_json::Value;

use super::openai_rules::{Checked, bad, empty, given, known, name, text, wrong_type};
use super::schema;

const PARAMETERS: [&str; 32] = [
    "audio",
    "frequency_penalty",
    "logit_bias",
    "logprobs",
    "max_completion_tokens",
    "max_tokens",
    "messages",
    "metadata",
    "modalities",
    "model",
    "n",
    "parallel_tool_calls",
    "prediction",
    "presence_penalty",
    "prompt_cache_key",
    "prompt_cache_retention",
    "reasoning_effort",
    "response_format",
    "safety_identifier",
    "seed",
    "service_tier",
    "stop",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "user",
    "verbosity",
];

/// All of it but the messages.
pub(super) fn check(body: &Value) -> Checked {
    known(body, &PARAMETERS, "")?;
    numbers(body)?;
    stream(body)?;
    response_format(body)?;
    tools(body)
}

fn numbers(body: &Value) -> Checked {
    let ranges = [
        ("temperature", 0.0, 2.0),
        ("top_p", 0.0, 1.0),
        ("presence_penalty", -2.0, 2.0),
        ("frequency_penalty", -2.0, 2.0),
    ];
    for (name, low, high) in ranges {
        let Some(value) = given(body, name) else { continue };
        let Some(number) = value.as_f64() else {
            return wrong_type(name, "a decimal", value);
        };
        if !(low..=high).contains(&number) {
            let message = format!("Invalid '{name}': {number} is not between {low} and {high}.");
            return bad(name, "decimal_out_of_range", message);
        }
    }
    for name in ["max_tokens", "max_completion_tokens", "n"] {
        if let Some(value) = given(body, name)
            && value.as_u64().is_none_or(|number| number == 0)
        {
            let message = format!("Invalid '{name}': integer below minimum value. Expected a value >= 1.");
            return bad(name, "integer_below_min_value", message);
        }
    }
    if given(body, "n").is_some_and(|n| n != 1) {
        return bad("n", "", "This server makes one choice.");
    }
    if given(body, "max_tokens").is_some() && given(body, "max_completion_tokens").is_some() {
        let message = "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.";
        return bad("max_tokens", "invalid_parameter_combination", message);
    }
    let model = body["model"].as_str().unwrap_or_default();
    if ["gpt-5", "o1", "o3", "o4"]
        .iter()
        .any(|family| model.starts_with(family))
    {
        if given(body, "max_tokens").is_some() {
            let message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use \
                           'max_completion_tokens' instead.";
            return bad("max_tokens", "unsupported_parameter", message);
        }
        if let Some(value) = given(body, "temperature").filter(|value| value.as_f64() != Some(1.0)) {
            let message = format!(
                "Unsupported value: 'temperature' does not support {value} with this model. Only the default (1) \
                 value is supported."
            );
            return bad("temperature", "unsupported_value", message);
        }
    }
    Ok(())
}

fn stream(body: &Value) -> Checked {
    let streamed = match given(body, "stream") {
        None => false,
        Some(Value::Bool(streamed)) => *streamed,
        Some(other) => return wrong_type("stream", "a boolean", other),
    };
    if let Some(options) = given(body, "stream_options") {
        if !streamed {
            let message = "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
            return bad("stream_options", "", message);
        }
        known(
            options,
            &["include_usage", "include_obfuscation"],
            "stream_options",
        )?;
        if given(options, "include_usage").is_some_and(|asked| !asked.is_boolean()) {
            return wrong_type(
                "stream_options.include_usage",
                "a boolean",
                &options["include_usage"],
            );
        }
    }
    Ok(())
}

fn response_format(body: &Value) -> Checked {
    let Some(format) = given(body, "response_format") else {
        return Ok(());
    };
    match format["type"].as_str() {
        Some("text" | "json_object") => Ok(()),
        Some("json_schema") => {
            let at = "response_format.json_schema";
            let schema = &format["json_schema"];
            let name = text(schema, "name", at)?;
            if !schema::is_name(name, 64) {
                return bad(
                    at,
                    "invalid_value",
                    format!("Invalid '{at}.name': string does not match pattern."),
                );
            }
            let strict = schema["strict"] == true;
            let problem = schema::problem(&schema["schema"])
                .or_else(|| schema::openai_problem(&schema["schema"], strict, ""));
            problem.map_or(Ok(()), |problem| {
                bad(
                    "response_format",
                    "",
                    format!("Invalid schema for response_format '{name}': {problem}"),
                )
            })
        }
        _ => bad(
            "response_format.type",
            "invalid_value",
            "Invalid value. Supported values are: 'json_object', 'json_schema', and 'text'.",
        ),
    }
}

fn tools(body: &Value) -> Checked {
    let Some(tools) = given(body, "tools") else {
        for name in ["tool_choice", "parallel_tool_calls"] {
            if given(body, name).is_some() {
                let message = format!(
                    "Invalid value for '{name}': '{name}' is only allowed when 'tools' are specified."
                );
                return bad(name, "", message);
            }
        }
        return Ok(());
    };
    let Some(tools) = tools.as_array() else {
        return wrong_type("tools", "an array of objects", tools);
    };
    if tools.is_empty() {
        return empty("tools");
    }
    if tools.len() > 128 {
        let message = "Invalid 'tools': array too long. Expected an array with maximum length 128.";
        return bad("tools", "array_above_max_length", message);
    }
    let mut names = Vec::new();
    for (n, tool) in tools.iter().enumerate() {
        let at = format!("tools[{n}]");
        known(tool, &["type", "function"], &at)?;
        if text(tool, "type", &at)? != "function" {
            return bad(
                &format!("{at}.type"),
                "invalid_value",
                "Invalid value. Expected 'function'.",
            );
        }
        let at = format!("{at}.function");
        let function = &tool["function"];
        known(function, &["name", "description", "parameters", "strict"], &at)?;
        let own = text(function, "name", &at)?;
        name(own, &at)?;
        if given(function, "description").is_some() {
            text(function, "description", &at)?;
        }
        let parameters = &function["parameters"];
        let strict = function["strict"] == true;
        let problem = schema::problem(parameters).or_else(|| schema::openai_problem(parameters, strict, ""));
        if let Some(problem) = problem {
            let message = format!("Invalid schema for function '{own}': {problem}");
            return bad(
                &format!("{at}.parameters"),
                "invalid_function_parameters",
                message,
            );
        }
        names.push(own);
    }
    if let Some(name) = schema::repeated(&names) {
        return bad(
            "tools",
            "invalid_value",
            format!("Tool names must be unique: '{name}'."),
        );
    }
    choice(given(body, "tool_choice"), &names)
}

fn choice(choice: Option<&Value>, names: &[&str]) -> Checked {
    match choice {
        None => Ok(()),
        Some(Value::String(word)) if ["none", "auto", "required"].contains(&word.as_str()) => Ok(()),
        Some(Value::String(word)) => {
            let message =
                format!("Invalid value: '{word}'. Supported values are: 'none', 'auto', and 'required'.");
            bad("tool_choice", "invalid_value", message)
        }
        Some(choice) => {
            let name = text(&choice["function"], "name", "tool_choice.function")?;
            if choice["type"] == "function" && names.contains(&name) {
                return Ok(());
            }
            let message = format!("Invalid value for 'tool_choice': no tool '{name}' in 'tools'.");
            bad("tool_choice", "", message)
        }
    }
}
