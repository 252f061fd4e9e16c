//! Values as people read them, tables in Markdown and as CSV. Knows units, not what a value means.

use std::fmt::Write as _;

/// "95.98%", "1.67x", "$9,411,214", "3.10 years", "16".
pub(crate) fn value(value: f64, unit: &str) -> String {
    match unit {
        "percent" => format!("{}%", grouped(value * 100.0, 2)),
        "ratio" => format!("{}x", grouped(value, 2)),
        "years" => format!("{} years", grouped(value, 2)),
        "count" => grouped(value, 0),
        "sqft" => format!("{} sqft", grouped(value, 0)),
        _ => match unit.split_once('/') {
            Some((currency, per)) => format!("{} per {per}", money(value, currency)),
            None => money(value, unit),
        },
    }
}

/// Cents where they matter to a reader.
pub(crate) fn money(value: f64, currency: &str) -> String {
    let places = if value.abs() < 10_000.0 { 2 } else { 0 };
    let digits = grouped(value.abs(), places);
    let sign = if value < 0.0 && digits.chars().any(|c| c.is_ascii_digit() && c != '0') {
        "-"
    } else {
        ""
    };
    if currency == "USD" {
        format!("{sign}${digits}")
    } else {
        format!("{sign}{currency} {digits}")
    }
}

fn grouped(value: f64, places: usize) -> String {
    // A hair more, so that halves go up as people round them.
    let nudge = value.abs() * 1e-12;
    let text = format!("{:.places$}", value.abs() + nudge);
    let (whole, tail) = text.split_once('.').unwrap_or((&text, ""));
    let mut out = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    if !tail.is_empty() {
        out.push('.');
        out.push_str(tail);
    }
    let nought = out.chars().all(|c| matches!(c, '0' | '.' | ','));
    if value < 0.0 && !nought {
        format!("-{out}")
    } else {
        out
    }
}

/// Text for Markdown, so that names cannot format.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(
            c,
            '*' | '_' | '`' | '[' | ']' | '<' | '>' | '#' | '|' | '\\' | '~'
        ) {
            out.push('\\');
        }
        out.push(if c.is_control() { ' ' } else { c });
    }
    out
}

/// Rows under headers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) headers: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// Rows that are shown in place; more are in a file.
pub(crate) const SHOWN: usize = 40;

impl Table {
    pub(crate) fn new(headers: &[&str]) -> Self {
        Self {
            headers: headers.iter().map(|header| (*header).to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    pub(crate) fn markdown(&self) -> String {
        let mut out = String::new();
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| plain(cell)).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        out.push_str(&line(&self.headers));
        let rule: Vec<&str> = (0..self.headers.len())
            .map(|at| if at == 0 { "---" } else { "---:" })
            .collect();
        let _ = writeln!(out, "| {} |", rule.join(" | "));
        for row in self.rows.iter().take(SHOWN) {
            out.push_str(&line(row));
        }
        if self.rows.len() > SHOWN {
            let _ = writeln!(
                out,
                "\nThe first {SHOWN} of {} rows; the file has them all.",
                self.rows.len()
            );
        }
        out
    }

    /// As a file; cells that a spreadsheet would take for a formula are kept from it.
    pub(crate) fn csv(&self) -> Vec<u8> {
        let mut out = String::new();
        for row in std::iter::once(&self.headers).chain(&self.rows) {
            let cells: Vec<String> = row.iter().map(|text| cell(text)).collect();
            out.push_str(&cells.join(","));
            out.push_str("\r\n");
        }
        out.into_bytes()
    }
}

fn cell(text: &str) -> String {
    let is_number = text
        .trim_start_matches('-')
        .starts_with(|c: char| c.is_ascii_digit());
    let risky = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number;
    let text = if risky {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}
