//! Reads what a message has next to its `text`: pasted tables, forwarded messages, attachments.
//!
//! Such content is data. What cannot be read is listed like a file, so that the answer names it. Does not depend on
//! events: the messages of a thread are read in the same way.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::assistants::model::{FileStub, with_enclosed};
use crate::base::text::on_one_line;
use crate::chat::slack::file_stub::{File, unreadable};
use crate::chat::slack::rich_text::{self, quoted};
use crate::chat::slack::unmarked::{Pieces, unmarked};
use crate::chat::slack::wire::{items, kind, text_of};
use crate::chat::slack::{mrkdwn, pasted_table};

/// What Slack writes where an attachment has no text of its own.
const NO_PREVIEW: &str = "[no preview available]";
/// Blocks that have nothing to read.
const WITHOUT_CONTENT: &[&str] = &["divider", "actions", "context_actions", "input", "button"];
/// Most pieces of unreadable content that are listed.
const MOST_UNREAD: usize = 10;

/// A message as the analysis reads it, without emoji and struck-out text.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// What the person wrote.
    pub text: String,
    /// What came with it: tables as delimited text, other text as quotations.
    pub enclosed: String,
    /// Files of forwarded messages, and what cannot be read.
    pub files: Vec<FileStub>,
}

impl Content {
    /// Everything that can be read.
    pub(super) fn question(&self) -> String {
        with_enclosed(&self.text, &self.enclosed)
    }
}

/// Reads a message by its fields. The mention of `bot` is left out.
pub fn read(
    text: &str,
    blocks: Option<&RawValue>,
    attachments: Option<&RawValue>,
    bot: Option<&str>,
) -> Content {
    let mut reader = Reader {
        bot,
        ..Reader::default()
    };
    let (blocks, attachments) = (reader.parsed(blocks), reader.parsed(attachments));
    let text = own_text(text, &blocks, bot);
    reader.known.insert(on_one_line(&text));
    let with_text = items(&blocks).iter().filter(|block| kind(block) != "rich_text");
    with_text.for_each(|block| reader.block(block));
    reader.attachments(&attachments);
    Content {
        text,
        enclosed: reader.parts.join("\n\n"),
        files: reader.files,
    }
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

#[derive(Default)]
struct Reader<'a> {
    bot: Option<&'a str>,
    parts: Vec<String>,
    files: Vec<FileStub>,
    /// Texts and tables that are in the message already: Slack repeats content in several fields.
    known: HashSet<String>,
    /// The names of what cannot be read.
    unread: HashSet<String>,
    /// The number of pieces of content that were found, and of those that are text.
    found: usize,
    said: usize,
}

impl Reader<'_> {
    /// The value of a field. What is nested too deep cannot be read.
    fn parsed(&mut self, field: Option<&RawValue>) -> Value {
        let value = field.map(|field| serde_json::from_str(field.get()));
        value.unwrap_or(Ok(Value::Null)).unwrap_or_else(|_| {
            self.unread("a part of the message", "");
            Value::Null
        })
    }

    fn attachments(&mut self, list: &Value) {
        items(list).iter().for_each(|value| self.attachment(value));
    }

    fn attachment(&mut self, value: &Value) {
        let flag = |name: &str| value.get(name).and_then(Value::as_bool) == Some(true);
        let forwarded = flag("is_share") || flag("is_msg_unfurl");
        if !forwarded && !text_of(value, "original_url").is_empty() {
            // The preview of a link: nobody wrote it, and its numbers are those of a page.
            return;
        }
        let found = self.found;
        self.said_in(value, "pretext");
        self.said_in(value, "title");
        let said = self.said;
        // A forwarded message is in here, or its content is in the attachment itself.
        let inner = field(value, "message_blocks")
            .iter()
            .filter_map(|part| part.get("message"));
        let messages: Vec<&Value> = inner.chain([value]).collect();
        for block in messages.iter().flat_map(|message| field(message, "blocks")) {
            self.block(block);
        }
        // The same as in the blocks.
        if self.said == said {
            self.said_in(value, "text");
        }
        for field in field(value, "fields") {
            let line = format!("{}: {}", text_of(field, "title"), text_of(field, "value"));
            self.said(&self.markup(&line));
        }
        for own in messages.iter().flat_map(|message| field(message, "attachments")) {
            self.attachment(own);
        }
        let files = messages.iter().flat_map(|message| field(message, "files"));
        let files: Vec<FileStub> = files
            .filter_map(|file| Some(File::deserialize(file).ok()?.stub()))
            .collect();
        if files.is_empty() && !text_of(value, "image_url").is_empty() {
            self.unread("picture", text_of(value, "title"));
        }
        self.found += files.len();
        self.files.extend(files);
        if self.found == found {
            self.fallback(text_of(value, "fallback"));
        }
    }

    /// What an attachment shows where nothing of it can be shown. Of a forwarded message it starts with the time.
    fn fallback(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() || text == NO_PREVIEW {
            return self.unread("attachment", "");
        }
        let timed = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        self.said(&self.markup(timed.map_or(text, |(_, text)| text)));
    }

    fn block(&mut self, block: &Value) {
        let found = self.found;
        self.node(block, true);
        if self.found == found && !WITHOUT_CONTENT.contains(&kind(block)) {
            match kind(block) {
                "" => self.unread("content of an unknown type", ""),
                own => self.unread("content of the type", own),
            }
        }
    }

    /// Texts and tables, wherever a block has them.
    fn node(&mut self, value: &Value, pictures: bool) {
        match kind(value) {
            "rich_text" => self.said(&rich_text::read(value, self.bot).text),
            "mrkdwn" | "markdown" => self.said(&self.markup(text_of(value, "text"))),
            "plain_text" | "raw_text" => self.said(&plain(text_of(value, "text"))),
            "table" | "data_table" => self.table(value),
            "image" if !pictures => self.found += 1,
            "image" => self.unread("picture", title(value)),
            "video" => self.unread("video", title(value)),
            "data_visualization" => self.unread("chart", title(value)),
            silent if WITHOUT_CONTENT.contains(&silent) => {}
            own => {
                // In these, pictures only decorate the text.
                let pictures = pictures && !matches!(own, "context" | "section");
                items(value).iter().for_each(|child| self.node(child, pictures));
                let leads = |name: &str| matches!(name, "title" | "text");
                let fields = || value.as_object().into_iter().flatten();
                let first = fields().filter(|(name, _)| leads(name));
                let rest = fields().filter(|(name, _)| !leads(name));
                first
                    .chain(rest)
                    .for_each(|(_, child)| self.node(child, pictures));
            }
        }
    }

    fn table(&mut self, block: &Value) {
        self.said(&plain(text_of(block, "caption")));
        let rows = pasted_table::rows(block);
        match pasted_table::delimited(&rows) {
            Some(table) => {
                self.found += 1;
                self.add(&table, table.clone());
            }
            // Not a table for those who read tables.
            None => rows.iter().for_each(|row| self.said(&row.join(", "))),
        }
    }

    fn said_in(&mut self, value: &Value, name: &str) {
        let text = text_of(value, name);
        if !text.is_empty() {
            self.said(&self.markup(text));
        }
    }

    fn said(&mut self, text: &str) {
        self.found += 1;
        let text = text.trim();
        if !text.is_empty() {
            self.said += 1;
            self.add(text, quoted(text));
        }
    }

    /// Adds a part, unless it is known: the same words may be broken into lines in another way.
    fn add(&mut self, text: &str, part: String) {
        if self.known.insert(on_one_line(text)) {
            self.parts.push(part);
        }
    }

    /// Lists what cannot be read, each kind of it once.
    fn unread(&mut self, what: &str, title: &str) {
        self.found += 1;
        let title = on_one_line(title);
        let name = if title.is_empty() {
            what.to_owned()
        } else {
            format!("{what} “{title}”")
        };
        let stub = unreadable(&name);
        if self.unread.len() < MOST_UNREAD && self.unread.insert(stub.name.clone()) {
            self.files.push(stub);
        }
    }

    /// Text in Slack's markup.
    fn markup(&self, text: &str) -> String {
        mrkdwn::plain(&unmarked(text), self.bot)
    }
}

/// Text without markup.
fn plain(text: &str) -> String {
    let mut pieces = Pieces::default();
    pieces.push_plain(text);
    pieces.text
}

/// The title of a picture, video or chart: a text, or an object with one.
fn title(block: &Value) -> &str {
    let own = block.get("title").unwrap_or(&Value::Null);
    let titles = [
        own.as_str().unwrap_or_default(),
        text_of(own, "text"),
        text_of(block, "alt_text"),
    ];
    titles
        .into_iter()
        .find(|title| !title.is_empty())
        .unwrap_or_default()
}

fn field<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).map(items).unwrap_or_default()
}
