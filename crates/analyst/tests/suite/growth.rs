//! The CPU time of an answer grows with the length of what is read for it, and not with its square: the question,
//! notes, files, what was said before.

use std::fmt::Write as _;

use analyst::answer::{draft, prepare};
use analyst::contract::brief::{Brief, FileFrom, NoteExcerpt, NoteId, Remark, Speaker};
use analyst::contract::draft::Draft;
use chrono::DateTime;
use serde_json::{Value, json};
use tables::dates::{self, Order};

use super::asking::brief;
use super::sheets::file;
use crate::measured::{Times, steep, timed};
use crate::shapes::{self, OPENINGS, REPEATED, name};

/// Checks all repeated texts with an opening, between a length and four times that length.
fn all(opening: &str, bytes: usize, ask: impl Fn(&str) -> Draft) {
    let texts = REPEATED.iter().map(|repeated| {
        let text = |bytes| shapes::text(opening, repeated, bytes);
        (format!("{repeated:?}"), text(bytes), text(bytes * 4))
    });
    check(texts, ask);
}

/// Checks texts, each with its name and at two lengths.
fn check(texts: impl Iterator<Item = (String, String, String)>, ask: impl Fn(&str) -> Draft) {
    prepare();
    let read = |text: &str| {
        let mut times = Times::new();
        timed(&mut times, "the analyst", || ask(text));
        times
    };
    let faults: Vec<String> = texts
        .flat_map(|(shape, short, long)| steep(&shape, &short, &long, read))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn of_file(question: &str, name: &str, text: &str) -> Draft {
    draft(&Brief {
        files: vec![file(name, text, FileFrom::Question)],
        ..brief(question)
    })
}

#[test]
fn questions() {
    all("", 1_500, |text| draft(&brief(text)));
}

#[test]
fn questions_with_numbers() {
    all(OPENINGS[2], 1_500, |text| draft(&brief(text)));
}

#[test]
fn questions_with_a_table() {
    all(OPENINGS[3], 1_500, |text| draft(&brief(text)));
}

#[test]
fn long_questions() {
    all("", 4_000, |text| draft(&brief(text)));
}

#[test]
fn notes() {
    all("", 8_000, |text| {
        let note = NoteExcerpt {
            id: NoteId(uuid::Uuid::nil()),
            title: "Cap rates".to_owned(),
            body: text.to_owned(),
            updated_at: DateTime::default(),
        };
        draft(&Brief {
            notes: vec![note],
            ..brief("What is our cap rate if the NOI is $500,000?")
        })
    });
}

#[test]
fn what_was_said_before() {
    all("", 1_000, |text| {
        let by = Speaker::Person;
        let earlier = json!({
            "version": 1, "goals": ["going_in_cap_rate"], "values": [],
            "sheet": {"asked": text, "chain": [text], "open": true},
        });
        draft(&Brief {
            thread: vec![Remark {
                by,
                text: text.to_owned(),
            }],
            earlier: Some(earlier),
            ..brief("And by tenant?\n\nUnit,Tenant,Rent\n1,Acme,1200\n2,Beta,1300\n")
        })
    });
}

#[test]
fn delimited_files() {
    all(OPENINGS[3], 2_000, |text| {
        of_file("What is the total rent?", "a.csv", text)
    });
}

#[test]
fn text_files() {
    all(OPENINGS[1], 2_000, |text| {
        of_file("What is the NOI?", "a.txt", text)
    });
}

/// One item of a list, by its number.
type Item = fn(usize) -> Value;

#[test]
fn json_files() {
    let shapes: [(&str, Item); 8] = [
        (
            "the same fields",
            |at| json!({"unit": at, "tenant": name(at), "rent": 12}),
        ),
        (
            "different fields",
            |at| json!({format!("c {}", name(at)): at, "rent": 12}),
        ),
        ("one value", |_| json!({"tenant": "A", "rent": 12})),
        ("nested", |at| json!({"unit": {"number": at}, "rent": [1, 2]})),
        ("empty", |_| json!({})),
        ("numbers", |at| json!(at)),
        ("lists", |at| json!([at, name(at)])),
        ("nothing", |_| Value::Null),
    ];
    let texts = shapes.into_iter().map(|(shape, one)| {
        let text = |count: usize| Value::from((0..count).map(one).collect::<Vec<_>>()).to_string();
        (shape.to_owned(), text(200), text(800))
    });
    check(texts, |text| of_file("What is the total rent?", "a.json", text));
    let deep = |count| format!("{}{}", "[".repeat(count), "]".repeat(count));
    let one = std::iter::once(("deep".to_owned(), deep(2_000), deep(8_000)));
    check(one, |text| of_file("What is the total rent?", "a.json", text));
}

/// The rows of a table again and again, each time with other names.
fn grown(table: &str, bytes: usize) -> String {
    let cells = |line: &str| line.matches(',').count();
    let most = table.lines().map(cells).max().unwrap();
    let head = table.lines().position(|line| cells(line) == most).unwrap() + 1;
    let mut text: String = table
        .lines()
        .take(head)
        .fold(String::new(), |text, line| text + line + "\n");
    let rows: Vec<&str> = table.lines().skip(head).collect();
    let mut at = 0;
    while text.len() < bytes && !rows.is_empty() {
        for row in &rows {
            let named = row.split(',').map(|cell| {
                let plain = !cell.contains(char::is_alphabetic) || cell.contains('"');
                match plain || dates::date(cell, Order::MonthFirst).is_some() {
                    true => cell.to_owned(),
                    false => format!("{cell} {}", name(at)),
                }
            });
            writeln!(text, "{}", named.collect::<Vec<_>>().join(",")).unwrap();
        }
        at += 1;
    }
    text
}

#[test]
fn tables_with_more_rows() {
    let set: Value = serde_json::from_str(include_str!("sheets.json")).unwrap();
    let cases = set["cases"].as_array().unwrap().iter();
    // Each file with the first question about it.
    let mut asked = std::collections::BTreeMap::new();
    for case in cases {
        let name = case["files"][0].as_str().unwrap_or_default();
        if name.ends_with(".csv") {
            asked.entry(name).or_insert(case["question"].as_str().unwrap());
        }
    }
    assert!(asked.len() > 50, "only {} files", asked.len());
    let texts = asked.iter().map(|(name, question)| {
        let table = set["files"][name].as_str().unwrap();
        let text = |bytes| format!("{question}\u{0}{}", grown(table, bytes));
        ((*name).to_owned(), text(2_000), text(8_000))
    });
    check(texts, |text| {
        let (question, table) = text.split_once('\u{0}').unwrap();
        of_file(question, "a.csv", table)
    });
}

/// Words of a question that name very many values: the question and the table grow together.
#[test]
fn questions_about_many_values() {
    let text = |count: usize| {
        let question: String = (0..count / 4)
            .map(|at| format!("and {} {at} ", name(at)))
            .collect();
        let rows: String = (0..count)
            .map(|at| format!("{at},{} Trust,12\n", name(at)))
            .collect();
        format!("Total rent of {question}\u{0}Unit,Tenant,Rent\n{rows}")
    };
    let texts = std::iter::once(("names".to_owned(), text(80), text(320)));
    check(texts, |text| {
        let (question, table) = text.split_once('\u{0}').unwrap();
        of_file(question, "a.csv", table)
    });
}
