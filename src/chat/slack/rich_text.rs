//! Reads a `rich_text` block as the text that a person sees, without emoji and struck-out parts.

use serde_json::Value;

use crate::chat::slack::unmarked::Pieces;
use crate::chat::slack::wire::{items, kind, text_of};

pub(super) struct RichText {
    pub(super) text: String,
    /// Every element is of a known type.
    pub(super) whole: bool,
}

/// Reads a block. The mention of `bot` is left out.
pub(super) fn read(block: &Value, bot: Option<&str>) -> RichText {
    let mut writer = Writer {
        bot,
        pieces: Pieces::default(),
        whole: true,
    };
    writer.parts(block, "");
    RichText {
        text: writer.pieces.text.trim().to_owned(),
        whole: writer.whole,
    }
}

struct Writer<'a> {
    bot: Option<&'a str>,
    pieces: Pieces,
    whole: bool,
}

impl Writer<'_> {
    /// Each part starts a line with `bullet`.
    fn parts(&mut self, value: &Value, bullet: &str) {
        for part in elements(value) {
            self.pieces.start_line();
            match kind(part) {
                "rich_text_section" => {
                    self.pieces.push(bullet);
                    self.inline(part, false);
                }
                "rich_text_list" => self.parts(part, "• "),
                "rich_text_quote" => self.quote(part),
                "rich_text_preformatted" => {
                    self.pieces.push("```\n");
                    self.inline(part, true);
                    self.pieces.start_line();
                    self.pieces.push("```");
                }
                _ => self.whole = false,
            }
        }
    }

    fn quote(&mut self, part: &Value) {
        let mut inner = Writer {
            bot: self.bot,
            pieces: Pieces::default(),
            whole: true,
        };
        inner.inline(part, false);
        self.whole &= inner.whole;
        // A passage of its own: a table in it is read without the marks.
        if !self.pieces.text.is_empty() {
            self.pieces.push("\n");
        }
        self.pieces.push(&quoted(inner.pieces.text.trim()));
    }

    fn inline(&mut self, part: &Value, code: bool) {
        for element in elements(part) {
            self.element(element, code);
        }
    }

    fn element(&mut self, element: &Value, code: bool) {
        let style = |name: &str| {
            let style = element.get("style").and_then(|style| style.get(name));
            style.and_then(Value::as_bool) == Some(true)
        };
        let text = |name: &str| text_of(element, name);
        if style("strike") {
            return self.pieces.leave_out();
        }
        match kind(element) {
            "text" if code || style("code") => self.pieces.push(text("text")),
            "text" => self.pieces.push_plain(text("text")),
            "link" if text("text").is_empty() => self.pieces.push(text("url")),
            "link" => self.pieces.push_plain(text("text")),
            "emoji" => self.pieces.leave_out(),
            "user" if self.bot.is_some_and(|bot| text("user_id") == bot) => self.pieces.leave_out(),
            "user" | "team" => self.pieces.push("@someone"),
            "usergroup" => self.pieces.push("@group"),
            "channel" => self.pieces.push("#channel"),
            "broadcast" => self.pieces.push(&format!("@{}", text("range"))),
            "date" if text("fallback").is_empty() => self.pieces.push("a date"),
            "date" => self.pieces.push(text("fallback")),
            "color" => self.pieces.push(text("value")),
            _ => self.whole = false,
        }
    }
}

/// A text as a quotation.
pub(super) fn quoted(text: &str) -> String {
    let lines: Vec<String> = text
        .lines()
        .map(|line| format!("> {line}").trim_end().to_owned())
        .collect();
    lines.join("\n")
}

fn elements(value: &Value) -> &[Value] {
    value.get("elements").map(items).unwrap_or_default()
}
