//! Slack's limits for the content of a message. Does not depend on any channel.

use serde_json::Value;

/// Refuses text and blocks with Slack's error code.
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
    // Only one table per message.
    let tables = blocks.iter().filter(|block| word(block, "type") == "table");
    if tables.count() > 1 {
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
        "actions" => all(block, 25, |element| button(element) || chooser(element)) && distinct(block),
        "context_actions" => all(block, 5, thumbs),
        "divider" => true,
        "table" => table(block),
        _ => false,
    }
}

/// At most 100 rows of 20 cells, none empty, and 10,000 characters in total.
fn table(block: &Value) -> bool {
    let rows = block
        .get("rows")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let mut signs = 0;
    let mut cell = |cell: &Value| {
        let length = length(cell, "text");
        signs += length;
        word(cell, "type") == "raw_text" && length > 0
    };
    let widths = rows.iter().map(|row| row.as_array().map_or(0, Vec::len));
    let fits = (1..=100).contains(&rows.len())
        && widths.clone().all(|width| (1..=20).contains(&width))
        && widths.clone().min() == widths.max()
        && rows.iter().filter_map(Value::as_array).flatten().all(&mut cell);
    let sides = block.get("column_settings").and_then(Value::as_array);
    let sides_fit = sides.is_none_or(|sides| {
        sides.len() <= 20
            && sides
                .iter()
                .all(|side| ["left", "center", "right"].contains(&word(side, "align")))
    });
    fits && sides_fit && signs <= 10_000
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
        && confirms(element)
        && ["", "primary", "danger"].contains(&word(element, "style"))
        && (1..=255).contains(&length(element, "action_id"))
}

/// A conversation select menu.
fn chooser(element: &Value) -> bool {
    let kinds = ["public", "private", "im", "mpim"];
    let include = element.pointer("/filter/include").and_then(Value::as_array);
    word(element, "type") == "conversations_select"
        && element
            .get("placeholder")
            .is_none_or(|text| texts(text, &["plain_text"], 150))
        && confirms(element)
        && include.is_none_or(|list| {
            !list.is_empty()
                && list
                    .iter()
                    .all(|kind| kind.as_str().is_some_and(|kind| kinds.contains(&kind)))
        })
        && (1..=255).contains(&length(element, "action_id"))
}

/// The confirmation dialog of an action, where there is one.
fn confirms(element: &Value) -> bool {
    let Some(confirm) = element.get("confirm") else {
        return true;
    };
    let bears =
        |key: &str, kinds: &[&str], most| confirm.get(key).is_some_and(|text| texts(text, kinds, most));
    bears("title", &["plain_text"], 100)
        && bears("text", &["plain_text", "mrkdwn"], 300)
        && bears("confirm", &["plain_text"], 30)
        && bears("deny", &["plain_text"], 30)
}

fn thumbs(element: &Value) -> bool {
    let thumb = |key| {
        element.get(key).is_some_and(|thumb| {
            thumb
                .get("text")
                .is_some_and(|text| texts(text, &["plain_text"], 75))
                && (1..=2_000).contains(&length(thumb, "value"))
        })
    };
    word(element, "type") == "feedback_buttons"
        && thumb("positive_button")
        && thumb("negative_button")
        && (1..=255).contains(&length(element, "action_id"))
}

/// The action ids of one block are distinct.
fn distinct(block: &Value) -> bool {
    let ids: Vec<&str> = block["elements"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|element| word(element, "action_id"))
        .collect();
    let unique: std::collections::HashSet<&str> = ids.iter().copied().collect();
    unique.len() == ids.len()
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
