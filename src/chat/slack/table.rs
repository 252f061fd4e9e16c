//! Tables: read from Markdown, and written as Slack's table block where they fit, else as CSV. Does not depend on
//! messages.

use pulldown_cmark::{Alignment, Event, Options, Parser, Tag, TagEnd};
use serde_json::{Value, json};

use crate::chat::slack::mrkdwn::{escaped, without_links};

/// Slack's limits for a table, counting the header as a row.
const MAX_ROWS: usize = 100;
const MAX_COLUMNS: usize = 20;
const MAX_CHARACTERS: usize = 10_000;
/// Longest table block as JSON: all blocks of a message may have about 13,000 characters.
const MAX_BLOCK: usize = 9_000;

/// A section of Markdown.
#[derive(Clone, Debug, PartialEq)]
pub enum Section<'a> {
    Text(&'a str),
    /// A top-level table: its source and its content.
    Table(&'a str, Table),
}

/// Rows of plain cells, the header first, all of the same length.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub rows: Vec<Vec<String>>,
    sides: Vec<Alignment>,
}

/// The text split at its tables. Tables in lists and quotes stay in the text.
pub fn sections(markdown: &str) -> Vec<Section<'_>> {
    let (mut found, mut done) = (Vec::new(), 0);
    let (mut depth, mut begins) = (0_usize, None);
    for (event, range) in parser(markdown).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                if depth == 0 && matches!(tag, Tag::Table(_)) {
                    begins = Some(range.start);
                }
                depth += 1;
            }
            Event::End(end) => {
                depth = depth.saturating_sub(1);
                if depth > 0 || end != TagEnd::Table {
                    continue;
                }
                let source = begins
                    .take()
                    .and_then(|begin| Some((begin, markdown.get(begin..range.end)?)));
                let Some((begin, source)) = source else { continue };
                // Links in the table are removed first, so that each cell is what a reader sees.
                if let Some(table) = read(&without_links(source)) {
                    found.push(Section::Text(markdown.get(done..begin).unwrap_or_default()));
                    found.push(Section::Table(source, table));
                    done = range.end;
                }
            }
            _ => {}
        }
    }
    found.push(Section::Text(markdown.get(done..).unwrap_or_default()));
    found.retain(|section| !matches!(section, Section::Text(text) if text.trim().is_empty()));
    found
}

/// The table, if the Markdown is one table and nothing else.
pub fn alone(markdown: &str) -> Option<Table> {
    if !markdown.contains('|') {
        return None;
    }
    match sections(markdown).pop() {
        Some(Section::Table(source, table)) if source.trim() == markdown.trim() => Some(table),
        _ => None,
    }
}

fn parser(markdown: &str) -> Parser<'_> {
    Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH)
}

/// Reads the first table of the text.
fn read(markdown: &str) -> Option<Table> {
    let (mut rows, mut sides) = (Vec::new(), None);
    let (mut row, mut cell) = (Vec::new(), String::new());
    for event in parser(markdown) {
        match event {
            Event::Start(Tag::Table(given)) => sides = Some(given),
            Event::Start(Tag::TableCell) => cell.clear(),
            Event::Text(text) | Event::Code(text) | Event::InlineHtml(text) | Event::Html(text) => {
                cell.push_str(&text);
            }
            Event::SoftBreak | Event::HardBreak => cell.push(' '),
            Event::End(TagEnd::TableCell) => row.push(cell.trim().to_owned()),
            Event::End(TagEnd::TableHead | TagEnd::TableRow) => rows.push(std::mem::take(&mut row)),
            Event::End(TagEnd::Table) => break,
            _ => {}
        }
    }
    let sides = sides.filter(|_| !rows.is_empty())?;
    Some(Table { rows, sides })
}

impl Table {
    pub fn columns(&self) -> usize {
        self.sides.len()
    }

    /// The table block, unless Slack would not accept it. A cell must not be empty.
    pub fn block(&self) -> Option<Value> {
        let characters: usize = self.rows.iter().flatten().map(|cell| cell.chars().count()).sum();
        if self.rows.len() > MAX_ROWS || self.columns() > MAX_COLUMNS || characters > MAX_CHARACTERS {
            return None;
        }
        let cell = |text: &String| {
            let text = if text.is_empty() { "–" } else { text };
            json!({ "type": "raw_text", "text": escaped(text) })
        };
        let side = |side: &Alignment| {
            let side = match side {
                Alignment::Right => "right",
                Alignment::Center => "center",
                Alignment::Left | Alignment::None => "left",
            };
            json!({ "align": side, "is_wrapped": true })
        };
        let row = |row: &Vec<String>| Value::Array(row.iter().map(cell).collect());
        let block = json!({
            "type": "table",
            "column_settings": self.sides.iter().map(side).collect::<Vec<_>>(),
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
        });
        (block.to_string().chars().count() <= MAX_BLOCK).then_some(block)
    }

    /// With CRLF, as spreadsheets expect, and without cells that a spreadsheet would run as a formula.
    pub fn csv(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|cell| csv_cell(cell)).collect();
            text.push_str(&cells.join(","));
            text.push_str("\r\n");
        }
        text
    }
}

fn csv_cell(cell: &str) -> String {
    let is_number = cell
        .trim_start_matches(['-', '+'])
        .chars()
        .all(|sign| sign.is_ascii_digit() || matches!(sign, '.' | ',' | '%' | ' ' | '$' | '€' | '£'));
    let cell = if cell.starts_with(['=', '+', '-', '@', '\t']) && !is_number {
        format!("'{cell}")
    } else {
        cell.to_owned()
    };
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell
    }
}
