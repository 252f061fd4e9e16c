//! The CPU time of the readers of the service grows with the length of the text, and not with its square: notes,
//! messages of a chat, Markdown of answers, tables to import, queries.

use corbel::assistants::model::{Part, Say};
use corbel::base::safe_markdown::clean as safe_markdown;
use corbel::base::safe_markdown::hosts::LinkHosts;
use corbel::base::text;
use corbel::chat::core::greeting;
use corbel::chat::slack::{blocks, content, events, mrkdwn, split, table, unmarked};
use corbel::chat::web::markdown;
use corbel::context::terms::{Terms, counts, wanted};
use corbel::portfolio::import::finding::Findings;
use corbel::portfolio::import::opening::sheets;
use corbel::portfolio::import::sheet::InputFile;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use crate::harness::growth::{Times, steep, timed};
use crate::harness::shapes::{self, OPENINGS, REPEATED};

/// Checks all repeated texts with an opening, between a length and four times that length.
fn all(opening: &str, bytes: usize, read: impl Fn(&str) -> Times) {
    let faults: Vec<String> = REPEATED
        .iter()
        .flat_map(|repeated| {
            let text = |bytes| shapes::text(opening, repeated, bytes);
            steep(&format!("{repeated:?}"), &text(bytes), &text(bytes * 4), &read)
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn words_and_terms() {
    all("", 8_000, |written| {
        let mut times = Times::new();
        let own = &mut times;
        timed(own, "required", || {
            text::required("body", written, 100_000).is_ok()
        });
        timed(own, "name", || text::name("body", written, 100_000).is_ok());
        timed(own, "email", || text::email("email", written).is_ok());
        timed(own, "shortened", || text::shortened(written, 1_000));
        let terms = timed(own, "terms", || Terms::of(written, written));
        let encoded = timed(own, "encoded", || terms.encode());
        let words = timed(own, "wanted", || wanted(written));
        timed(own, "counts", || counts(&encoded, &words));
        timed(own, "greeting", || greeting::is_greeting(written, "Corbel"));
        times
    });
}

#[test]
fn text_from_slack() {
    all("", 8_000, |written| {
        let mut times = Times::new();
        let own = &mut times;
        timed(own, "plain", || mrkdwn::plain(written, Some("UBOT")));
        timed(own, "mentions", || mrkdwn::mentions(written, "UBOT"));
        timed(own, "unmarked", || unmarked::unmarked(written));
        timed(own, "escaped", || mrkdwn::escaped(written));
        timed(own, "fitted", || mrkdwn::fitted(written, 3_000));
        let body = json!({"type": "url_verification", "challenge": written}).to_string();
        timed(own, "challenge", || events::challenge(body.as_bytes()));
        timed(own, "challenge", || events::challenge(written.as_bytes()));
        times
    });
}

/// A message of many parts, each of which has a piece of the text.
#[test]
fn content_from_slack() {
    let elements = |texts: &[&str]| -> Vec<Value> {
        let text = |text: &&str| json!({ "type": "text", "text": text });
        texts.iter().map(text).collect()
    };
    all("", 1_500, |written| {
        let mut times = Times::new();
        let own = &mut times;
        let texts: Vec<&str> = written.split_inclusive([' ', '\n', ',']).collect();
        let section = json!({ "type": "rich_text_section", "elements": elements(&texts) });
        let rich = json!({ "type": "rich_text", "elements": [section] });
        let said = |text: &&str| json!({ "type": "section", "text": { "type": "mrkdwn", "text": text } });
        let sections: Vec<Value> = texts.iter().map(said).collect();
        let cell = |text: &&str| json!({ "type": "raw_text", "text": text });
        let rows: Vec<Vec<Value>> = texts
            .chunks(4)
            .map(|row| row.iter().map(cell).collect())
            .collect();
        let table = json!({ "type": "table", "rows": rows });
        let classic: Vec<Value> = texts.iter().map(|text| json!({ "text": text })).collect();
        for (reader, blocks, attachments) in [
            ("rich text", json!([rich]), json!([])),
            ("sections", json!(sections), json!([])),
            ("table", json!([table]), json!([])),
            ("attachments", json!([]), json!(classic)),
        ] {
            let raw = [blocks, attachments].map(|part| to_raw_value(&part).expect("JSON"));
            let [blocks, attachments] = &raw;
            timed(own, reader, || {
                content::read(written, Some(blocks), Some(attachments), None)
            });
        }
        times
    });
}

#[test]
fn markdown_without_links() {
    all("", 2_000, |written| {
        let mut times = Times::new();
        let own = &mut times;
        timed(own, "links", || safe_markdown::has_links(written));
        timed(own, "without links", || mrkdwn::without_links(written));
        timed(own, "clean", || {
            safe_markdown::clean(written, &LinkHosts::default())
        });
        timed(own, "HTML", || markdown::to_html(written));
        timed(own, "address", || markdown::is_safe_address(written));
        times
    });
}

fn say(written: &str) -> Say {
    Say {
        text: written.to_owned(),
        parts: vec![Part::Markdown(written.to_owned())],
    }
}

#[test]
fn answers_for_slack() {
    all("", 16_000, |written| {
        let mut times = Times::new();
        let own = &mut times;
        timed(own, "sections", || table::sections(written).len());
        timed(own, "message", || blocks::message(&say(written)).text.len());
        times
    });
}

#[test]
fn answers_of_many_pages() {
    // The same lines, so that each page costs the same.
    for repeated in [
        "# @\n\n@ pays.\n\n",
        "@ pays $# a month, ",
        "a ",
        "[@](http://@.com) ",
        "| @ | # |\n",
        "* a\n",
    ] {
        let text = |bytes| shapes::text("", repeated, bytes);
        let faults = steep(repeated, &text(40_000), &text(160_000), |written| {
            let mut times = Times::new();
            timed(&mut times, "pages", || split::pages(&say(written)).messages.len());
            times
        });
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

#[test]
fn tables_to_import() {
    all(OPENINGS[3], 4_000, |written| {
        let mut times = Times::new();
        let file = InputFile {
            name: "a.csv".to_owned(),
            bytes: written.as_bytes().to_vec(),
        };
        timed(&mut times, "sheets", || {
            sheets(vec![file], &mut Findings::default()).len()
        });
        times
    });
}
