//! The rules of the analyst are frozen: its string literals and its examples stay under a ceiling.

use std::fs;
use std::path::{Path, PathBuf};

/// String literals of the analyst's sources: those that were there when it was frozen, and 150 more for sentences that
/// ask back.
const MOST_LITERALS: usize = 32_717 + 150;
/// Annotated questions, below which no new one is added.
const MOST_EXAMPLES: usize = 19_454;

#[test]
fn nothing_is_added_to_what_is_frozen() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut literals = 0;
    for file in files(&own.join("src"), "rs") {
        literals += literals_in(&fs::read_to_string(file).unwrap());
    }
    let mut examples = 0;
    for file in files(&own.join("../analyst-learn/examples"), "txt") {
        let text = fs::read_to_string(file).unwrap();
        examples += text.lines().filter(|line| line.starts_with("- ")).count();
    }
    println!("{literals} string literals, {examples} examples");
    assert!(
        literals <= MOST_LITERALS,
        "{literals} string literals, at most {MOST_LITERALS}"
    );
    assert!(
        examples <= MOST_EXAMPLES,
        "{examples} examples, at most {MOST_EXAMPLES}"
    );
}

#[test]
fn literals_are_counted_as_rust_reads_them() {
    let text = r##"// "no" 'x'
        const A: &str = "one \" quoted"; const B: char = '"'; const C: &str = r#"two "#; fn d<'a>(x: &'a str) {} // "no"
        const E: &[&str] = &["three", "four"];"##;
    assert_eq!(literals_in(text), 4);
}

fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, end));
        } else if path.extension().is_some_and(|own| own == end) {
            found.push(path);
        }
    }
    found
}

/// How many string literals a source has, comments left out.
fn literals_in(text: &str) -> usize {
    let (mut count, mut rest) = (0, text);
    while let Some(at) = rest.find(['"', '/', '\'', 'r']) {
        let here = &rest[at..];
        let raw = here.strip_prefix('r').map(|tail| tail.trim_start_matches('#'));
        let hashes = raw.map_or(0, |tail| here.len() - 1 - tail.len());
        let skipped = if here.starts_with("//") {
            here.find('\n').unwrap_or(here.len())
        } else if raw.is_some_and(|tail| tail.starts_with('"')) {
            count += 1;
            let end = format!("\"{}", "#".repeat(hashes));
            let begun = hashes + 2;
            begun + here[begun..].find(&end).unwrap() + end.len()
        } else if here.starts_with('"') {
            count += 1;
            end_of_string(here)
        } else if let Some(tail) = here.strip_prefix('\'') {
            // A character, or a lifetime.
            match tail.char_indices().nth(1) {
                _ if tail.starts_with('\\') => {
                    2 + tail[1..].find('\'').unwrap() + 1 + usize::from(tail.starts_with("\\'"))
                }
                Some((next, '\'')) => next + 2,
                _ => 1,
            }
        } else {
            1
        };
        rest = &here[skipped..];
    }
    count
}

/// The length of the literal at the beginning of a text.
fn end_of_string(text: &str) -> usize {
    let mut escaped = false;
    for (at, sign) in text.char_indices().skip(1) {
        match sign {
            '\\' => escaped = !escaped,
            '"' if !escaped => return at + 1,
            _ => escaped = false,
        }
    }
    text.len()
}
