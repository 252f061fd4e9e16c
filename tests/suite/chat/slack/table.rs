//! Tables in Markdown: parsed, and written as Slack's table block or as CSV.

use corbel::chat::slack::table::{Section, alone, sections};
use serde_json::Value;

const TABLE: &str = "| Unit | Rent |\n|---|--:|\n| 1 | **2,400** |\n| 2 | |\n";

#[test]
fn tables_are_separated_from_text() {
    let text = format!("Before\n\n{TABLE}\nAfter\n\n> | a |\n> |---|\n> | b |\n");
    let found = sections(&text);
    let [
        Section::Text(before),
        Section::Table(source, table),
        Section::Text(after),
    ] = found.as_slice()
    else {
        return assert_eq!(found, [], "a text, a table, a text");
    };
    assert_eq!((before.trim(), source.trim()), ("Before", TABLE.trim()));
    assert_eq!(table.rows, [["Unit", "Rent"], ["1", "2,400"], ["2", ""]]);
    assert!(after.contains("After") && after.contains("> | b |"));
    assert_eq!(alone(TABLE).as_ref(), Some(table));
    assert_eq!(alone(&text), None);
    assert_eq!(
        sections("```\n| a |\n|---|\n```\n").len(),
        1,
        "code is not a table"
    );
}

#[test]
fn a_table_is_a_block_where_it_fits() {
    let block = alone(TABLE).and_then(|table| table.block()).unwrap_or_default();
    let shown = |block: &Value, path: &str| block.pointer(path).and_then(Value::as_str).map(str::to_owned);
    assert_eq!(
        shown(&block, "/rows/2/1/text").as_deref(),
        Some("–"),
        "no cell is empty"
    );
    assert_eq!(
        shown(&block, "/column_settings/1/align").as_deref(),
        Some("right")
    );
    let rows = |count: usize| format!("| a |\n|---|\n{}", "| x |\n".repeat(count));
    let fits = |text: &str| alone(text).is_some_and(|table| table.block().is_some());
    assert!(fits(&rows(99)) && !fits(&rows(100)));
    let columns = |count: usize| format!("|{}\n|{}\n", "a|".repeat(count), "-|".repeat(count));
    assert!(fits(&columns(20)) && !fits(&columns(21)));
    assert!(!fits(&format!("| a |\n|---|\n| {} |\n", "x".repeat(10_000))));
    let live = alone("| a |\n|---|\n| <!channel> [x](https://evil.example) |\n");
    let live = live.and_then(|table| table.block()).unwrap_or_default();
    assert_eq!(
        shown(&live, "/rows/1/0/text").as_deref(),
        Some("&lt;!channel&gt; x (https://evil.example/)")
    );
}

#[test]
fn csv_is_quoted_and_contains_no_formulas() {
    let table = alone("| a | b |\n|---|---|\n| =1+1 | -2,400 |\n| say \"x\" | @cmd |\n");
    let csv = table.map(|table| table.csv()).unwrap_or_default();
    assert_eq!(csv, "a,b\r\n'=1+1,\"-2,400\"\r\n\"say \"\"x\"\"\",'@cmd\r\n");
}
