//! What a person wrote in a message: each shape that Slack sends.

use corbel::chat::slack::content::read;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

/// Reads a message of these fields; `null` is as good as none.
fn content(text: &str, blocks: &Value) -> String {
    read(text, Some(&to_raw_value(blocks).expect("JSON")), Some("U0BOT"))
}

/// A rich text of one section.
fn rich(elements: &Value) -> Value {
    json!({ "type": "rich_text", "elements": [{ "type": "rich_text_section", "elements": elements }] })
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

#[test]
fn the_rich_text_is_the_text() {
    let part = |kind: &str, elements: &Value| json!({ "type": kind, "elements": elements });
    let section = |elements: &Value| part("rich_text_section", elements);
    let styled = |text: &str, style: &str| json!({ "type": "text", "text": text, "style": { style: true } });
    let blocks = json!([{ "type": "rich_text", "elements": [
        section(&json!([{ "type": "user", "user_id": "U0BOT" }, text(" NOI "), styled("500k", "strike"),
            text(" is 12:30:45 "), styled("~7~ :one:", "code"), text("1"), { "type": "emoji", "name": "two" },
            text("2 a < b &amp;"),
            { "type": "link", "url": "https://x.example/3" }, { "type": "link", "url": "u", "text": " t" },
            text("\n")])),
        part("rich_text_list", &json!([
            section(&json!([text("one")])), section(&json!([styled("4", "strike"), text("two")]))])),
        part("rich_text_quote", &json!([text("said\n5 "), { "type": "user", "user_id": "U0BOB" }])),
        part("rich_text_preformatted", &json!([text("a,b\n1,2")])),
        section(&json!([{ "type": "channel", "channel_id": "C1" }, text(" "), { "type": "usergroup" }, text(" "),
            { "type": "broadcast", "range": "here" }, text(" "), { "type": "date", "fallback": "1 May" }, text(" "),
            { "type": "date" }, text(" "), { "type": "color", "value": "#ffffff" }])),
    ]}]);
    let own = content("something else", &blocks);
    assert_eq!(
        own,
        "NOI is 12:30:45 ~7~ :one:1 2 a < b &amp;https://x.example/3 t\n• one\n• two\n\n> said\n\
         > 5 @someone\n```\na,b\n1,2\n```\n#channel @group @here 1 May a date #ffffff"
    );
    // An element of a type that is not known, and nothing but struck-out text: the text says more.
    for element in [json!({ "type": "hologram", "text": "9" }), styled("9", "strike")] {
        let own = content(
            "<@U0BOT> NOI ~9~ 5 :one:",
            &json!([rich(&json!([element]))]),
            &Value::Null,
        );
        assert_eq!(own, "NOI 5");
    }
    let own = content(
        "",
        &json!([rich(&json!([text("a"), { "type": "hologram" }]))]),
        &Value::Null,
    );
    assert_eq!(own, "a");
}
