//! Slack's limits on what a message may hold. Knows no channel.

use serde_json::Value;

/// Refuses text and blocks with Slack's own word.
pub fn check(text: &str, blocks: &[Value]) -> Result<(), &'static str> {
    if text.is_empty() && blocks.is_empty() {
        return Err("no_text");
    }
    if text.chars().count() > 40_000 {
        return Err("msg_too_long");
    }
    if blocks.len() > 50 || !blocks.iter().all(fits) {
        return Err("invalid_blocks");
    }
    let markdown: usize = blocks
        .iter()
        .filter(|block| word(block, "type") == "markdown")
        .map(|block| length(block, "text"))
        .sum();
    let payload: usize = blocks.iter().map(|block| block.to_string().chars().count()).sum();
    if markdown > 12_000 || payload > 13_000 {
        return Err("msg_blocks_too_long");
    }
    Ok(())
}

fn fits(block: &Value) -> bool {
    let id = length(block, "block_id") <= 255;
    id && match word(block, "type") {
        "markdown" => (1..=12_000).contains(&length(block, "text")),
        "section" => block
            .get("text")
            .is_some_and(|text| texts(text, &["mrkdwn", "plain_text"], 3_000)),
        "header" => block
            .get("text")
            .is_some_and(|text| texts(text, &["plain_text"], 150)),
        "context" => all(block, 10, |element| {
            texts(element, &["mrkdwn", "plain_text"], 2_000)
        }),
        "actions" => all(block, 25, button),
        "divider" => true,
        _ => false,
    }
}

fn button(element: &Value) -> bool {
    let url = word(element, "url");
    let url_fits = url.is_empty()
        || (url.len() <= 3_000 && url::Url::parse(url).is_ok_and(|url| url.scheme().starts_with("http")));
    word(element, "type") == "button"
        && element
            .get("text")
            .is_some_and(|text| texts(text, &["plain_text"], 75))
        && url_fits
        && length(element, "value") <= 2_000
        && (1..=255).contains(&length(element, "action_id"))
}

fn all(block: &Value, most: usize, fits: impl Fn(&Value) -> bool) -> bool {
    block
        .get("elements")
        .and_then(Value::as_array)
        .is_some_and(|list| (1..=most).contains(&list.len()) && list.iter().all(fits))
}

fn texts(text: &Value, kinds: &[&str], most: usize) -> bool {
    kinds.contains(&word(text, "type")) && (1..=most).contains(&length(text, "text"))
}

fn word<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn length(value: &Value, key: &str) -> usize {
    word(value, key).chars().count()
}
