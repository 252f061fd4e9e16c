//! Tables: read from Markdown, written as Slack's own block where they fit it, else as CSV. Knows no
//! message.

use pulldown_cmark::{Alignment, Event, Options, Parser, Tag, TagEnd};
use serde_json::{Value, json};

use crate::chat::slack::mrkdwn::{escaped, without_links};

/// Slack's limits on a table, the head among the rows.
const ROWS: usize = 100;
const COLUMNS: usize = 20;
const SIGNS: usize = 10_000;
/// Of the block as JSON: all blocks of a message together have some 13,000 characters.
const BLOCK: usize = 9_000;

/// A stretch of Markdown.
#[derive(Clone, Debug, PartialEq)]
pub enum Stretch<'a> {
    Text(&'a str),
    /// A table that stands by itself, as it was written and as it was read.
    Table(&'a str, Table),
}

/// Rows of plain cells, the head first, all of one length.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub rows: Vec<Vec<String>>,
    sides: Vec<Alignment>,
}

/// The text with its tables apart. Tables within lists and quotations stay where they are.
pub fn stretches(markdown: &str) -> Vec<Stretch<'_>> {
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
                // Links within are made plain first, so that each cell is what a reader sees.
                if let Some(table) = read(&without_links(source)) {
                    found.push(Stretch::Text(markdown.get(done..begin).unwrap_or_default()));
                    found.push(Stretch::Table(source, table));
                    done = range.end;
                }
            }
            _ => {}
        }
    }
    found.push(Stretch::Text(markdown.get(done..).unwrap_or_default()));
    found.retain(|stretch| !matches!(stretch, Stretch::Text(text) if text.trim().is_empty()));
    found
}

/// The table, if the Markdown is one and nothing else.
pub fn alone(markdown: &str) -> Option<Table> {
    if !markdown.contains('|') {
        return None;
    }
    match stretches(markdown).pop() {
        Some(Stretch::Table(source, table)) if source.trim() == markdown.trim() => Some(table),
        _ => None,
    }
}

fn parser(markdown: &str) -> Parser<'_> {
    Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH)
}

/// Of the first table in the text.
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

    /// Nothing where Slack would not take it. A cell must not be empty.
    pub fn block(&self) -> Option<Value> {
        let signs: usize = self.rows.iter().flatten().map(|cell| cell.chars().count()).sum();
        if self.rows.len() > ROWS || self.columns() > COLUMNS || signs > SIGNS {
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
        (block.to_string().chars().count() <= BLOCK).then_some(block)
    }

    /// With CRLF, as spreadsheets expect it, and with nothing in it that one of them would compute.
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
