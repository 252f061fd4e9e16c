//! Rules for source files that the compiler does not check: length, width, header comment, names, tests, and the module
//! map.

use std::fs;
use std::path::Path;

use crate::layers::{CRATES, modules, modules_of, walk};

/// The source folders of the fuzz targets, next to which their programs are built.
const FUZZ: [&str; 2] = ["fuzz/src", "fuzz/fuzz_targets"];

/// The module map of the service, and of the folders that have their own.
const MAPS: &[&str] = &["src/lib.rs", "src/analysis.rs", "src/portfolio.rs"];

#[test]
fn no_file_is_longer_than_500_lines() {
    for folder in ["src", "tests", "benches", "crates"].into_iter().chain(FUZZ) {
        let mut files = Vec::new();
        walk(Path::new(folder), &mut files);
        for file in files {
            let lines = fs::read_to_string(&file).expect("source").lines().count();
            assert!(lines <= 500, "{} has {lines} lines", file.display());
        }
    }
}

#[test]
fn no_line_is_wider_than_120_characters() {
    let mut wide = Vec::new();
    // The other crates are frozen.
    let own = [
        "src",
        "tests",
        "benches",
        "crates/finance",
        "crates/tables",
        "crates/calls",
    ];
    for folder in own.into_iter().chain(FUZZ) {
        let mut files = Vec::new();
        walk(Path::new(folder), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).expect("source");
            for (n, line) in text.lines().enumerate() {
                let width = line.chars().count();
                if width > 120 {
                    wide.push(format!("{}:{} has {width} characters", file.display(), n + 1));
                }
            }
        }
    }
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}

#[test]
fn no_source_file_contains_tests() {
    let mut files = Vec::new();
    walk(Path::new("src"), &mut files);
    for own in fs::read_dir("crates").expect("crates") {
        walk(&own.expect("a crate").path().join("src"), &mut files);
    }
    files.retain(|file| fs::read_to_string(file).expect("source").contains("#[cfg(test)]"));
    assert!(files.is_empty(), "tests belong in tests/suite, not in {files:?}");
}

#[test]
fn every_file_has_a_header_comment() {
    let below = CRATES
        .iter()
        .map(|own| format!("crates/{own}/src"))
        .chain(FUZZ.map(str::to_owned))
        .flat_map(|folder| modules_of(&folder));
    for (name, file) in modules().into_iter().chain(below) {
        let text = fs::read_to_string(&file).expect("source");
        assert!(text.starts_with("//!"), "{name} does not start with //!");
    }
}

#[test]
fn the_map_has_every_file_and_re_exports_nothing() {
    let map: String = MAPS
        .iter()
        .map(|file| fs::read_to_string(file).expect("a map"))
        .collect();
    assert!(!map.contains("pub use"), "a map re-exports something");
    let named = |map: &str, name: &str| {
        let last = name.rsplit("::").next().unwrap_or(name);
        assert!(map.contains(&format!("mod {last};")), "no map names {name}");
    };
    for name in modules().keys() {
        named(&map, name);
    }
    for own in CRATES {
        let folder = format!("crates/{own}/src");
        let root = ["lib.rs", "main.rs"].map(|file| fs::read_to_string(format!("{folder}/{file}")));
        let map: String = root.into_iter().flatten().collect();
        assert!(!map.contains("pub use"), "the map of {own} re-exports something");
        for name in modules_of(&folder).keys() {
            named(&map, name);
        }
    }
}

#[test]
fn catch_all_names_are_not_allowed() {
    let below = CRATES
        .iter()
        .flat_map(|own| modules_of(&format!("crates/{own}/src")));
    for (name, _) in modules().into_iter().chain(below) {
        for part in name.split("::") {
            assert!(
                !["utils", "util", "helpers", "helper", "common", "manager", "misc"].contains(&part),
                "{name}"
            );
        }
    }
}
