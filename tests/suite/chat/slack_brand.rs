//! Every brand that the form accepts produces a manifest that Slack accepts: checked against the schema, and
//! against the one rule that the schema states under a keyword that no validator supports.

use corbel::assistants::brand::Brand;
use corbel::assistants::model::Prompt;
use corbel::chat::slack::manifest::{SlackAddresses, manifest};
use proptest::prelude::*;
use serde_json::json;

use crate::chat::slack_wire::{assistant, schema};

/// Input for the form: mostly valid, up to its limits and beyond.
fn brand() -> impl Strategy<Value = Brand> {
    let text = |most: usize| {
        prop_oneof![
            4 => proptest::collection::vec("\\PC", 0..=most).prop_map(|signs| signs.concat()),
            1 => proptest::collection::vec(any::<char>(), 0..=most).prop_map(String::from_iter),
        ]
    };
    let prompt = (text(80), text(400)).prop_map(|(title, message)| Prompt { title, message });
    let name = prop_oneof![3 => "[A-Za-z0-9 äöüßé漢字🏢-]{1,35}", 1 => "\\PC{1,36}"];
    let colour = prop_oneof![4 => "#[0-9a-fA-F]{6}", 1 => "(#[0-9a-fA-F]{0,7}|\\PC{0,8})"];
    let prompts = proptest::collection::vec(prompt, 0..=4);
    let given = (name, text(140), colour, text(200), text(200), prompts);
    given.prop_map(|(name, description, colour, greeting, about, prompts)| Brand {
        name,
        description,
        colour,
        greeting,
        about,
        prompts,
        ..Brand::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_brand_that_the_form_accepts_yields_a_manifest_that_slack_accepts(brand in brand()) {
        let Ok(brand) = brand.checked() else {
            return Ok(());
        };
        let mut branded = assistant(&brand.name, &brand.colour, &brand.greeting);
        branded.description.clone_from(&brand.description);
        branded.about.clone_from(&brand.about);
        branded.prompts.0.clone_from(&brand.prompts);
        let addresses = SlackAddresses::of("https://corbel.example/", "tOkEn");
        let made = manifest(&branded, &addresses, "Corbel");
        let colour = made["display_information"]["background_color"].as_str().unwrap_or_default();
        let digits = colour.strip_prefix('#').unwrap_or_default();
        let is_colour = matches!(digits.len(), 3 | 6) && digits.bytes().all(|sign| sign.is_ascii_hexdigit());
        prop_assert!(is_colour, "{}", colour);
        // Slack collapses consecutive spaces.
        let words: Vec<&str> = brand.name.split_whitespace().collect();
        prop_assert_eq!(&made["display_information"]["name"], &json!(words.join(" ")));
        if let Some(schema) = schema() {
            let errors: Vec<String> = schema.iter_errors(&made).map(|error| error.to_string()).collect();
            prop_assert!(errors.is_empty(), "{errors:?}");
        }
    }
}
