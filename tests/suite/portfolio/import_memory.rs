//! Small workbooks that would fill the memory when read: each is refused or read in a process of its own, whose peak
//! memory and time are limited.

use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::harness::command::Dir;
use crate::portfolio::workbook_builder::of_parts;

/// Peak memory of an import, in KiB. The program itself takes about a quarter of it.
const MOST: u64 = 250 * 1024;
/// Many times what any of them takes on an idle machine.
const LIMIT: Duration = Duration::from_secs(60);

const TEXTS: &str = "<sst></sst>";

#[test]
fn workbooks_that_would_fill_the_memory_are_refused_or_read_within_limits() {
    let dir = Dir::new();
    dir.json(&["admin", "org", "create", "--name", "Hall"]);
    let rows = |row: &str, times: usize| sheet(&row.repeat(times));
    let wide: String = (1..=60_000)
        .map(|row| format!("<row><c r=\"ALL{row}\"><v>1</v></c></row>"))
        .collect();
    let many_texts = format!("<sst>{}</sst>", "<si><t/></si>".repeat(1_400_000));
    let parts = |texts: &str, sheet: &str| of_parts(1, texts, STYLES, sheet);
    let roll =
        "<row><c t=\"inlineStr\"><is><t>Unit</t></is></c><c t=\"inlineStr\"><is><t>Rent</t></is></c></row>";
    let claimed =
        format!("<worksheet><dimension ref=\"A1:XFD1048576\"/><sheetData>{roll}</sheetData></worksheet>");
    let many_styles = format!(
        "<styleSheet><cellXfs>{}</cellXfs></styleSheet>",
        "<xf/>".repeat(300_000)
    );
    let hostile: [(&str, Vec<u8>, &str); 10] = [
        (
            "unpacks.xlsx",
            parts(TEXTS, &rows("<c/>", 18 << 20)),
            "file_too_large",
        ),
        (
            "stated.xlsx",
            parts("<sst uniqueCount=\"99999999999999\"></sst>", &rows(roll, 1)),
            "encoding",
        ),
        ("texts.xlsx", parts(&many_texts, &rows(roll, 1)), "encoding"),
        (
            "styles.xlsx",
            of_parts(1, TEXTS, &many_styles, &rows(roll, 1)),
            "encoding",
        ),
        ("deep.xlsx", parts(TEXTS, &rows("<a>", 3_000_000)), "encoding"),
        (
            "long.xlsx",
            parts(
                TEXTS,
                &sheet(&format!("<row><c><v>{}</v></c></row>", "7".repeat(8 << 20))),
            ),
            "encoding",
        ),
        ("wide.xlsx", parts(TEXTS, &sheet(&wide)), "file_too_large"),
        (
            "sheets.xlsx",
            of_parts(1_000, TEXTS, STYLES, &rows("<row><c/></row>", 50_000)),
            "file_too_large",
        ),
        // Read, but without the columns of any table.
        (
            "empty.xlsx",
            parts(TEXTS, &rows("<row><c/><c/><c/></row>", 200_000)),
            "",
        ),
        ("claimed.xlsx", parts(TEXTS, &claimed), "missing_column"),
    ];
    for (name, bytes, code) in hostile {
        let path = dir.0.join(name);
        fs::write(&path, bytes).expect(name);
        let started = Instant::now();
        let (peak, said) = measured(&dir, path.to_str().expect("a path"));
        let took = started.elapsed();
        let errors = said["errors"].as_array().expect("errors");
        let codes: Vec<&str> = errors.iter().filter_map(|error| error["code"].as_str()).collect();
        assert!(code.is_empty() || codes.contains(&code), "{name}: {said}");
        assert!(peak < MOST, "{name}: {} MiB", peak / 1024);
        assert!(took < LIMIT, "{name}: {took:?}");
    }
}

const STYLES: &str = "<styleSheet></styleSheet>";

fn sheet(rows: &str) -> String {
    format!("<worksheet><sheetData>{rows}</sheetData></worksheet>")
}

/// The peak memory of a dry run, in KiB, and what it printed.
fn measured(dir: &Dir, path: &str) -> (u64, Value) {
    let arguments = [
        "--json",
        "admin",
        "portfolio",
        "import",
        "--org",
        "Hall",
        "--dry-run",
        path,
    ];
    let mut command = dir.command(&arguments);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut peak = 0;
    while child.try_wait().expect("a child").is_none() {
        peak = peak.max(peak_of(&child).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(3));
    }
    let output = child.wait_with_output().expect("its output");
    let text = String::from_utf8_lossy(&output.stdout);
    let said = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{path}: {}, {text:?}", output.status));
    (peak, said)
}

fn peak_of(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    peak.trim().trim_end_matches(" kB").parse().ok()
}
