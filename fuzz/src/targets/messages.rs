//! Markdown as Slack messages: within Slack's limits, and without anything that is live.

use corbel::assistants::model::{Act, Button, Part, Say, Style};
use corbel::base::ids::DeliveryId;
use corbel::chat::slack::blocks::{SlackMessage, message, text_only};
use corbel::chat::slack::mrkdwn::{cost, escaped, fitted, has_links, mentions, plain, within, without_links};
use corbel::chat::slack::split::pages;
use corbel::chat::slack::unmarked::unmarked;
use serde_json::Value;

use super::super::message_limits;

const DELIVERY: &str = "0190a000-0000-7000-8000-000000000000";
/// How often the text of an input may be repeated: answers are longer than what a fuzzer makes.
const REPEATED: usize = 24;
/// Slack's limit for text without blocks, as `text_only` keeps it.
const TEXT: usize = 4_000;

pub fn check(input: &[u8]) {
    let Some((times, text)) = input.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    escapes(text, usize::from(*times));
    let say = say(text, usize::from(*times) % REPEATED + 1);
    let pages = pages(&say);
    assert!(!pages.messages.is_empty());
    let fallbacks = pages.files.iter().map(|file| &file.fallback);
    for page in pages.messages.iter().chain(fallbacks).chain([&say]) {
        assert_accepted(&message(page), page);
        let plain = text_only(page);
        assert!(
            plain.blocks.is_empty() && plain.text.chars().count() <= TEXT,
            "{page:?}"
        );
        assert_accepted(&plain, page);
    }
    // Each part but Markdown is in one message.
    let of = |say: &Say| {
        say.parts
            .iter()
            .filter(|part| !matches!(part, Part::Markdown(_)))
            .count()
    };
    assert_eq!(pages.messages.iter().map(of).sum::<usize>(), of(&say));
}

/// The parts of an input, each behind a character that says what it is.
fn say(text: &str, times: usize) -> Say {
    let delivery: DeliveryId = DELIVERY.parse().expect("an id");
    let part = |text: &str| {
        let (label, rest) = text
            .get(1..)
            .unwrap_or_default()
            .split_once('\n')
            .unwrap_or_default();
        match text.chars().next() {
            Some('\u{1}') => Part::Note(text.to_owned()),
            Some('\u{2}') => Part::Link {
                label: label.to_owned(),
                url: rest.to_owned(),
            },
            Some('\u{3}') => Part::Buttons(vec![
                Button {
                    label: label.to_owned(),
                    act: Act::Approve {
                        conversation: rest.to_owned(),
                    },
                    style: Style::Primary,
                };
                times
            ]),
            Some('\u{4}') => Part::Feedback(delivery),
            _ => Part::Markdown(text.repeat(times)),
        }
    };
    Say {
        text: text.to_owned(),
        parts: text.split('\u{1e}').map(part).collect(),
    }
}

/// Slack takes the message, and nothing in it is a mention or a link.
fn assert_accepted(message: &SlackMessage, page: &Say) {
    message_limits::check(&message.text, &message.blocks).unwrap_or_else(|code| panic!("{code}: {page:?}"));
    assert_inert(&message.text, page);
    for block in &message.blocks {
        let text = block.get("text").and_then(Value::as_str).unwrap_or_default();
        if block.get("type").and_then(Value::as_str) == Some("markdown") {
            assert!(!has_links(text), "a link: {text:?} of {page:?}");
        }
        texts(block, page);
    }
}

/// Every text that Slack would read for mentions.
fn texts(value: &Value, page: &Say) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| match value {
            Value::String(text) if key == "text" => assert_inert(text, page),
            nested => texts(nested, page),
        }),
        Value::Array(list) => list.iter().for_each(|value| texts(value, page)),
        _ => {}
    }
}

fn assert_inert(text: &str, page: &Say) {
    assert!(
        !text.contains('<') && !text.contains('\0'),
        "{text:?} of {page:?}"
    );
}

/// Escaping, shortening, and reading the result back.
fn escapes(text: &str, budget: usize) {
    let safe = escaped(text);
    let visible = |sign: &char| !sign.is_control() || matches!(sign, '\n' | '\t');
    let shown: String = text.chars().filter(visible).collect();
    assert_eq!(plain(&safe, Some("U0BOT")), shown.trim(), "{text:?}");
    assert!(!mentions(&safe, "U0BOT"), "{text:?}");
    assert!(!has_links(&without_links(text)), "{text:?}");
    let kept = within(text, budget);
    assert!(
        text.starts_with(kept) && kept.chars().map(cost).sum::<usize>() <= budget,
        "{text:?}"
    );
    if budget > 0 {
        assert!(
            fitted(text, budget).chars().count() <= budget,
            "{text:?} within {budget}"
        );
    }
    // What a person writes may be anything.
    let read = plain(text, Some("U0BOT"));
    assert!(read.trim() == read && read.len() <= 4 * text.len(), "{text:?}");
    assert!(unmarked(text).len() <= text.len(), "{text:?}");
}
