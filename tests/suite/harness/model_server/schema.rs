//! What both providers ask of the schema and the name of a tool.

use serde_json::Value;

/// What is wrong with the schema of a tool's input.
pub(super) fn problem(schema: &Value) -> Option<String> {
    if schema["type"] != "object" {
        let kind = schema["type"].as_str().unwrap_or("None");
        return Some(format!(
            "schema must be a JSON Schema of 'type: \"object\"', got 'type: \"{kind}\"'."
        ));
    }
    for word in ["oneOf", "anyOf", "allOf", "enum", "not"] {
        if schema.get(word).is_some() {
            return Some(format!("schema must not have '{word}' at the top level."));
        }
    }
    if let Err(error) = jsonschema::meta::validate(schema) {
        let place = error.instance_path();
        return Some(format!("In context=({place}), {error}"));
    }
    None
}

/// OpenAI takes no list of unknown things. In strict mode every object is closed and requires all it has.
pub(super) fn openai_problem(schema: &Value, strict: bool, place: &str) -> Option<String> {
    let is = |kind: &str| match &schema["type"] {
        Value::String(one) => one == kind,
        Value::Array(several) => several.iter().any(|one| one == kind),
        _ => false,
    };
    if is("array") && schema.get("items").is_none() {
        return Some(format!("In context=({place}), array schema missing items."));
    }
    if strict && is("object") {
        if schema["additionalProperties"] != false {
            return Some(format!(
                "In context=({place}), 'additionalProperties' is required to be supplied and to be false."
            ));
        }
        let required = schema["required"].as_array();
        let all = schema["properties"].as_object().into_iter().flatten();
        for (name, _) in all {
            if !required.is_some_and(|required| required.iter().any(|one| one == name)) {
                return Some(format!(
                    "In context=({place}), 'required' is required to be supplied and to be an array including \
                     every key in properties. Missing '{name}'."
                ));
            }
        }
    }
    let inside = |word: &str, name: &str| format!("{place}'{word}', '{name}', ");
    for word in ["properties", "$defs"] {
        for (name, below) in schema[word].as_object().into_iter().flatten() {
            if let Some(problem) = openai_problem(below, strict, &inside(word, name)) {
                return Some(problem);
            }
        }
    }
    for word in ["anyOf", "oneOf", "allOf"] {
        for (n, below) in schema[word].as_array().into_iter().flatten().enumerate() {
            if let Some(problem) = openai_problem(below, strict, &inside(word, &n.to_string())) {
                return Some(problem);
            }
        }
    }
    let items = schema.get("items").filter(|items| items.is_object())?;
    openai_problem(items, strict, &format!("{place}'items', "))
}

/// Letters, digits, `_` and `-`; at least one and at most this many.
pub(super) fn is_name(name: &str, longest: usize) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    !name.is_empty() && name.len() <= longest && name.chars().all(fits)
}

/// The second of two equal names.
pub(super) fn repeated<'a>(names: &[&'a str]) -> Option<&'a str> {
    let twice = |(n, name): (usize, &&'a str)| names[..n].contains(name).then_some(*name);
    names.iter().enumerate().find_map(twice)
}
