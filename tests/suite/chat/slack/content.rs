//! What a message has next to its text: each shape that Slack sends, and any other JSON.

use corbel::assistants::model::FileAvailability;
use corbel::chat::slack::content::{Content, read};
use proptest::prelude::*;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

/// The table that Slack sent for a pasted range of cells.
const PASTED: &str = include_str!("../../../data/slack/pasted_table.json");

fn raw(value: &Value) -> Box<RawValue> {
    to_raw_value(value).expect("JSON")
}

/// Reads a message of these fields; `null` is as good as none.
fn content(text: &str, blocks: &Value, attachments: &Value) -> Content {
    let (blocks, attachments) = (raw(blocks), raw(attachments));
    read(text, Some(&blocks), Some(&attachments), Some("U0BOT"))
}

fn enclosed(attachments: &Value) -> String {
    let content = content("What is it?", &Value::Null, attachments);
    assert_eq!(content.text, "What is it?");
    assert_eq!(content.files, [], "all is read");
    content.enclosed
}

/// A rich text of one section.
fn rich(elements: &Value) -> Value {
    json!({ "type": "rich_text", "elements": [{ "type": "rich_text_section", "elements": elements }] })
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn cell(text: &str) -> Value {
    json!({ "type": "raw_text", "text": text })
}

fn unread(content: &Content) -> Vec<&str> {
    let unreadable =
        |file: &&corbel::assistants::model::FileStub| file.availability == FileAvailability::Unreadable;
    let unread = content.files.iter().filter(unreadable);
    unread.map(|file| file.name.as_str()).collect()
}

#[test]
fn a_pasted_table_is_delimited_text() {
    let message: Value = serde_json::from_str(PASTED).expect("JSON");
    let lines = "Unit\tTenant\tSq Ft\tMonthly Rent\tStatus\n101\tAna Bell\t700\t1450\tOccupied\n\
                 102\tBen Cole\t700\t1475\tOccupied\n103\t\t700\t0\tVacant\n104\tDia Eng\t900\t1825\tOccupied";
    assert_eq!(enclosed(&message["attachments"]), lines);
    // In the blocks of the message itself, and repeated.
    let blocks = json!([
        rich(&json!([text("Total?")])),
        message["attachments"][0]["blocks"][0]
    ]);
    let content = content("Total?", &blocks, &message["attachments"]);
    assert_eq!(
        (content.text.as_str(), content.enclosed.as_str()),
        ("Total?", lines)
    );
    let found = tables::pasted::find(&content.enclosed);
    assert_eq!((found.len(), found[0].grid.records.len()), (1, 5));
}

#[test]
fn cells_of_every_kind_keep_their_place() {
    let strike = json!({ "type": "text", "text": "900", "style": { "strike": true } });
    let block = json!({ "type": "data_table", "caption": "Rent roll :one:", "rows": [
        [cell(""), cell("Rent"), cell("A \"b\"\tc\nd"), cell("Last")],
        [cell("1"), { "type": "raw_number", "value": 1450.5, "text": "1,450.50" }, rich(&json!([text("x")])), cell("")],
        [cell("2"), { "type": "raw_number", "value": 1475 }, { "type": "emoji", "name": "100" }, null],
        [cell("3"), rich(&json!([strike, text(" 850"), { "type": "emoji", "name": "one" }])), "plain", 7],
        [cell(""), cell(""), cell(""), cell("")],
    ]});
    let read = enclosed(&json!([{ "blocks": [block] }]));
    let (caption, table) = read.split_once("\n\n").expect("two parts");
    assert_eq!(caption, "> Rent roll");
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(
        lines,
        [
            "\"\"\tRent\t\"A \"\"b\"\" c d\"\tLast",
            "1\t1,450.50\tx\t\"\"",
            "2\t1475\t\t\"\"",
            "3\t850\tplain\t7"
        ]
    );
    let found = tables::pasted::find(&format!("{table}\n\nWhat is it?"));
    let rows: Vec<Vec<&str>> = found[0]
        .grid
        .records
        .iter()
        .map(|row| row.cells.iter().collect())
        .collect();
    assert_eq!(rows[0], ["", "Rent", "A \"b\" c d", "Last"]);
    assert_eq!(rows[1], ["1", "1,450.50", "x", ""]);
    assert_eq!(rows.len(), 4);
    // One row or one column is no table.
    let line = json!([{ "type": "table", "rows": [[cell("NOI"), cell("5")]] }]);
    assert_eq!(enclosed(&json!([{ "blocks": line }])), "> NOI, 5");
}

#[test]
fn a_forwarded_message_is_quoted_once() {
    let blocks = json!([rich(
        &json!([text("NOI is 1.285m,\n"), { "type": "emoji", "name": "100" }, text(" debt 968k")])
    )]);
    let forwarded = json!([{
        "is_share": true, "is_msg_unfurl": true, "author_name": "Ana 5 Bell", "channel_name": "c", "ts": "1795000000.1",
        "from_url": "https://acme.slack.example/archives/C1/p1", "footer": "Slack 7", "mrkdwn_in": ["text"],
        "text": "NOI is 1.285m,\n:100: debt 968k", "fallback": "[May 1st, 2026 9:14 AM] ana: NOI is 1.285m",
        "message_blocks": [{ "team": "T", "channel": "C1", "ts": "1", "message": { "blocks": blocks } }],
    }]);
    let quoted = "> NOI is 1.285m,\n> debt 968k";
    assert_eq!(enclosed(&forwarded), quoted);
    for absent in ["message_blocks", "text"] {
        let mut fewer = forwarded.clone();
        fewer[0].as_object_mut().expect("an object").remove(absent);
        assert_eq!(enclosed(&fewer), quoted, "without {absent}");
    }
    let fallback = json!([{ "is_share": true, "fallback": "[May 1st, 2026 9:14 AM] ana: NOI &gt; ~4~ 5m" }]);
    assert_eq!(enclosed(&fallback), "> ana: NOI > 5m");
    // A forwarded message with a table, and one with another inside.
    let message: Value = serde_json::from_str(PASTED).expect("JSON");
    let inner = json!({ "blocks": blocks, "attachments": message["attachments"] });
    let nested = json!([{ "is_share": true, "text": "see", "attachments": [
        { "is_share": true, "message_blocks": [{ "message": inner }] }
    ]}]);
    let read = enclosed(&nested);
    assert!(
        read.starts_with(&format!("> see\n\n{quoted}\n\nUnit\tTenant\t")),
        "{read}"
    );
    assert_eq!(tables::pasted::find(&read).len(), 1, "{read}");
}

#[test]
fn files_of_a_forwarded_message_are_files_of_the_question() {
    let file =
        json!({ "id": "F1", "name": "roll.csv", "url_private": "https://files.slack.com/f", "size": 9 });
    let forwarded =
        json!([{ "is_share": true, "text": "the roll", "files": [file], "image_url": "https://x.example" }]);
    let content = content("Total?", &Value::Null, &forwarded);
    assert_eq!(content.enclosed, "> the roll");
    let files: Vec<(&str, FileAvailability)> = content
        .files
        .iter()
        .map(|file| (file.name.as_str(), file.availability))
        .collect();
    assert_eq!(files, [("roll.csv", FileAvailability::Available)]);
}

#[test]
fn other_attachments_and_blocks_are_quoted() {
    let classic = json!([{
        "pretext": "Deal *A*", "title": "Terms", "text": "NOI &amp; <https://x.example|price>",
        "fields": [{ "title": "NOI", "value": "~4m~ 5m", "short": true }], "fallback": "NOI 9",
    }]);
    assert_eq!(
        enclosed(&classic),
        "> Deal *A*\n\n> Terms\n\n> NOI & price\n\n> NOI: 5m"
    );
    let blocks = json!([
        { "type": "header", "text": { "type": "plain_text", "text": "Deal :100:" } },
        { "type": "section", "text": { "type": "mrkdwn", "text": "NOI *5m*" }, "fields": [
            { "type": "mrkdwn", "text": "Price ~80m~ 90m" }], "accessory": { "type": "image", "alt_text": "x" } },
        { "type": "context", "elements": [
            { "type": "image", "alt_text": "y" }, { "type": "plain_text", "text": "by A" }] },
        { "type": "markdown", "text": "# Head\n~~1~~ 2" },
        { "type": "divider" }, { "type": "actions", "elements": [{ "type": "button", "text": "7" }] },
        { "type": "card", "body": { "type": "mrkdwn", "text": "in a card" } },
    ]);
    let read = enclosed(&json!([{ "blocks": blocks }]));
    let expected = "> Deal\n\n> NOI *5m*\n\n> Price 90m\n\n> by A\n\n> # Head\n> 2\n\n> in a card";
    assert_eq!(read, expected);
    // A message whose text repeats its blocks.
    let own = content("NOI *5m*", &blocks, &Value::Null);
    assert!(
        !own.enclosed.contains("NOI") && own.enclosed.contains("Price"),
        "{}",
        own.enclosed
    );
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
    let own = content("something else", &blocks, &Value::Null);
    assert_eq!(
        own.text,
        "NOI is 12:30:45 ~7~ :one:1 2 a < b &amp;https://x.example/3 t\n• one\n• two\n\n> said\n\
         > 5 @someone\n```\na,b\n1,2\n```\n#channel @group @here 1 May a date #ffffff"
    );
    assert_eq!((own.enclosed.as_str(), own.files.len()), ("", 0));
    // An element of a type that is not known, and nothing but struck-out text: the text says more.
    for element in [json!({ "type": "hologram", "text": "9" }), styled("9", "strike")] {
        let own = content(
            "<@U0BOT> NOI ~9~ 5 :one:",
            &json!([rich(&json!([element]))]),
            &Value::Null,
        );
        assert_eq!(own.text, "NOI 5");
    }
    let own = content(
        "",
        &json!([rich(&json!([text("a"), { "type": "hologram" }]))]),
        &Value::Null,
    );
    assert_eq!(own.text, "a");
}

#[test]
fn what_cannot_be_read_is_listed() {
    let blocks = json!([
        { "type": "image", "image_url": "https://x.example/1.png",
          "title": { "type": "plain_text", "text": "Site  plan" } },
        { "type": "image", "alt_text": "Roof" }, { "type": "image" },
        { "type": "data_visualization", "title": "NOI by month", "series": [1, 2] },
        { "type": "video", "alt_text": "Tour" },
        { "type": "hologram", "size": 5 }, { "type": "hologram", "size": 6 }, {}, 7,
    ]);
    let own = content(
        "See?",
        &blocks,
        &json!([{ "fallback": "[no preview available]" }, { "image_url": "https://x" }]),
    );
    let names = [
        "picture “Site plan”",
        "picture “Roof”",
        "picture",
        "chart “NOI by month”",
        "video “Tour”",
        "content of the type “hologram”",
        "content of an unknown type",
        "attachment",
    ];
    assert_eq!(unread(&own), names);
    assert_eq!(own.enclosed, "");
    // The preview of a link: nobody wrote its numbers.
    let preview =
        json!([{ "original_url": "https://x.example", "from_url": "https://x.example", "text": "only $5m" }]);
    let own = content("See https://x.example", &Value::Null, &preview);
    assert_eq!((own.files.len(), own.enclosed.as_str()), (0, ""));
    // Nested too deep, and too many.
    let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
    let deep = RawValue::from_string(deep).expect("JSON");
    let own = read("See?", Some(&deep), Some(&deep), None);
    assert_eq!(
        (own.text.as_str(), unread(&own)),
        ("See?", vec!["a part of the message"])
    );
    let many: Vec<Value> = (0..100).map(|n| json!({ "type": format!("kind {n}") })).collect();
    assert_eq!(unread(&content("", &json!(many), &Value::Null)).len(), 10);
}

/// JSON with the names and types that are read, in any place.
fn json() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(vec![
        "rich_text",
        "rich_text_section",
        "rich_text_list",
        "rich_text_quote",
        "rich_text_preformatted",
        "text",
        "emoji",
        "table",
        "data_table",
        "raw_text",
        "raw_number",
        "mrkdwn",
        "section",
        "image",
        "divider",
        "x",
        "~12~ :one:",
        "",
        "[no preview available]",
        "<@U0BOT>",
        "5",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        words.prop_map(Value::from),
    ];
    let names = prop::sample::select(vec![
        "type",
        "text",
        "elements",
        "rows",
        "blocks",
        "attachments",
        "message_blocks",
        "message",
        "style",
        "strike",
        "title",
        "fields",
        "value",
        "files",
        "is_share",
        "fallback",
        "original_url",
        "image_url",
        "name",
        "user_id",
    ]);
    leaf.prop_recursive(8, 128, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((names.clone(), inner), 0..6).prop_map(|fields| fields
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_json_is_read_or_listed(text in "[~:a1 <>\\n]{0,12}", blocks in json(), attachments in json()) {
        let own = content(&text, &blocks, &attachments);
        prop_assert_eq!(own.text.trim(), &own.text);
        prop_assert!(own.files.iter().all(|file| !file.name.is_empty()));
        prop_assert!(own.enclosed.len() <= 4 * (blocks.to_string().len() + attachments.to_string().len()));
    }

    #[test]
    fn no_digit_of_an_emoji_or_of_struck_text_survives(
        parts in prop::collection::vec((0..6_usize, 0..2_000_u32), 0..12)
    ) {
        let elements: Vec<Value> = parts.iter().map(|(kind, number)| match kind {
            0 => json!({ "type": "emoji", "name": number.to_string(), "unicode": format!("{number:x}") }),
            1 => json!({ "type": "text", "text": number.to_string(), "style": { "strike": true, "bold": true } }),
            2 => json!({ "type": "link", "url": format!("https://x.example/{number}"), "style": { "strike": true } }),
            3 => json!({ "type": "text", "text": format!(" :{number}: ~{number}~ ") }),
            4 => json!({ "type": "user", "user_id": format!("U{number}") }),
            _ => text(" rent\n"),
        }).collect();
        let section = |kind: &str| json!({ "type": kind, "elements": elements });
        let item = json!({ "type": "rich_text_list", "elements": [section("rich_text_section")] });
        let parts = [section("rich_text_section"), section("rich_text_quote"), item];
        let own = json!({ "type": "rich_text", "elements": parts });
        let table = json!({ "type": "table", "rows": [[own, own], [own, cell("x")], [cell("y"), cell(" :5: ~6~")]] });
        let forwarded = json!([{ "is_share": true, "message_blocks": [{ "message": { "blocks": [own] } }] }]);
        let read = content(":7: ~8~", &json!([own, table]), &forwarded);
        for text in [&read.text, &read.enclosed] {
            prop_assert!(!text.contains(|sign: char| sign.is_ascii_digit()), "{text:?}");
        }
    }
}
