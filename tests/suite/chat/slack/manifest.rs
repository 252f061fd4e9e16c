//! The app manifest: its template, the scopes it requests, and which colours it accepts.

use corbel::chat::slack::manifest::{SlackAddresses, asked_scopes, manifest, needed_scopes};
use serde_json::Value;

use crate::chat::slack_wire::assistant;

const TEMPLATE: &str = include_str!("../../../../manifests/slack.json");

#[test]
fn the_template_is_json_and_only_two_colour_formats_are_accepted() {
    assert!(serde_json::from_str::<Value>(TEMPLATE).is_ok());
    assert!(needed_scopes().has("chat:write") && !needed_scopes().has("channels:history"));
    assert!(asked_scopes().has("channels:history"));
    let addresses = SlackAddresses::of("https://corbel.example", "tOkEn");
    let colour = |given: &str| {
        let made = manifest(&assistant("Deal Desk", given, ""), &addresses, "Corbel");
        let information = made["display_information"].as_object().expect("an object");
        information.get("background_color").cloned()
    };
    for right in ["#1F2A44", "#abc"] {
        assert_eq!(colour(right), Some(Value::from(right)));
    }
    for wrong in ["1F2A44", "#12", "#12345", "#12345g", "#1234567", "", "red", "#äb"] {
        assert_eq!(colour(wrong), None, "{wrong}");
    }
}
