//! What a model is shown of the calls.

use calls::catalog::entries;
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
    let total: usize = sizes.iter().map(|(_, size)| size).sum();
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
