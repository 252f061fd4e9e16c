//! The full names of all members: each is unique, and each model's time dimension is one of them.

use corbel::portfolio::semantic::refusal::Path;
use corbel::portfolio::semantic::registry::{MODELS, member, members};

#[test]
fn no_name_is_used_twice() {
    let written: usize = MODELS
        .iter()
        .map(|model| model.measures.len() + model.dimensions.len() + model.segments.len())
        .sum();
    assert_eq!(members().count(), written);
    for model in MODELS {
        let time = model.default_time.map(|time| format!("{}.{time}", model.name));
        let found = time.as_deref().map(|time| member(time, &Path::root()));
        assert!(found.is_none_or(|found| found.is_ok()), "{}", model.name);
    }
}
