//! What a model is shown of the calls.

use calls::catalog::{VALUES, entries};
use calls::session::Session;

#[test]
fn all_schemas_fit_into_six_thousand_tokens() {
    let sizes: Vec<(&str, usize)> = entries()
        .iter()
        .map(|entry| {
            (
                entry.name,
                entry.schema.to_string().len() + entry.description.len(),
            )
        })
        .collect();
    let total = VALUES.len() + sizes.iter().map(|(_, size)| size).sum::<usize>();
    assert!(total < 24_000, "{total} bytes: {sizes:?}");
}

#[test]
fn each_example_has_a_figure() {
    for entry in entries() {
        let result = Session::unchecked().call(entry.name, &entry.example);
        assert!(
            result["figures"][0]["value"].is_number(),
            "{}: {result}",
            entry.name
        );
        entry.check_keys(&entry.example).unwrap();
    }
}

#[test]
fn conditions_are_no_goals_and_each_word_is_known() {
    let entries = entries();
    let calculate = entries.iter().find(|entry| entry.name == "calculate").unwrap();
    let goals = calculate.schema["properties"]["goal"]["enum"].as_array().unwrap();
    assert!(goals.len() > 250, "{}", goals.len());
    for goal in goals {
        let variable = finance::variable::Variable::from_word(goal.as_str().unwrap()).unwrap();
        assert_ne!(variable.unit(), finance::variable::Unit::Mark);
    }
}
