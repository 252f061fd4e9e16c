//! Reads the table of a message as delimited text, which readers of tables understand.

use serde_json::Value;

use crate::base::text::on_one_line;
use crate::chat::slack::rich_text;
use crate::chat::slack::unmarked::Pieces;
use crate::chat::slack::wire::{items, kind};

/// The cells of a `table` or `data_table` block, each on one line.
pub(super) fn rows(block: &Value) -> Vec<Vec<String>> {
    let rows = block.get("rows").map(items).unwrap_or_default();
    rows.iter()
        .map(|row| items(row).iter().map(cell).collect::<Vec<String>>())
        .filter(|row| row.iter().any(|cell| !cell.is_empty()))
        .collect()
}

/// Lines of cells between tabs. `None` if there are not two rows or two columns.
pub(super) fn delimited(rows: &[Vec<String>]) -> Option<String> {
    if rows.len() < 2 || rows.iter().all(|row| row.len() < 2) {
        return None;
    }
    let lines: Vec<String> = rows.iter().map(|row| line(row)).collect();
    Some(lines.join("\n"))
}

fn line(row: &[String]) -> String {
    let last = row.len().saturating_sub(1);
    let cells = row.iter().enumerate().map(|(at, cell)| {
        // Blanks at the ends of a text are removed, and empty cells with them.
        let at_end = cell.is_empty() && (at == 0 || at == last);
        if at_end || cell.contains('"') {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.clone()
        }
    });
    cells.collect::<Vec<String>>().join("\t")
}

fn cell(value: &Value) -> String {
    let written = value.get("text").and_then(Value::as_str);
    let text = match (kind(value), written) {
        ("rich_text", _) => rich_text::read(value, None).text,
        (_, Some(text)) => text.to_owned(),
        // A number without the text that shows it.
        _ => match value.get("value").unwrap_or(value) {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => String::new(),
        },
    };
    let mut pieces = Pieces::default();
    pieces.push_plain(&text);
    on_one_line(&pieces.text)
}
