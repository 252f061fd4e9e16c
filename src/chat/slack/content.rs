//! Reads what a person wrote in a message. Does not depend on events: the messages of a thread are read in the same way.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::chat::slack::unmarked::unmarked;
use crate::chat::slack::wire::{items, kind};
use crate::chat::slack::{mrkdwn, rich_text};

/// What the person wrote, without emoji, struck-out text and the mention of `bot`.
pub fn read(text: &str, blocks: Option<&RawValue>, bot: Option<&str>) -> String {
    // What is nested too deep cannot be read.
    let blocks = blocks.and_then(|blocks| serde_json::from_str(blocks.get()).ok());
    own_text(text, &blocks.unwrap_or(Value::Null), bot)
}

/// What the person wrote: the rich text, in which Slack has read the markup, or else `text`.
fn own_text(text: &str, blocks: &Value, bot: Option<&str>) -> String {
    let blocks = items(blocks).iter().filter(|block| kind(block) == "rich_text");
    let (mut rich, mut whole) = (Vec::new(), true);
    for read in blocks.map(|block| rich_text::read(block, bot)) {
        whole &= read.whole;
        rich.extend(Some(read.text).filter(|text| !text.is_empty()));
    }
    if !rich.is_empty() && (whole || text.is_empty()) {
        return rich.join("\n");
    }
    mrkdwn::plain(&unmarked(text), bot)
}
