//! The files of `src` form layers: each may know only what `may_know` lists, no chain of imports
//! comes back to its file, every `crate::` path leads to a file, and no file is too long. The crates below are held to
//! the same rules, and to having nothing outside.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The module map of the service, and of the one folder that has a map of its own.
const MAPS: &[&str] = &["src/lib.rs", "src/portfolio.rs"];

/// The crates below the service. Cargo holds them to the crates that they name; here they are held to the rules of the
/// service's own files.
const CRATES: &[&str] = &["finance", "tables", "analyst", "analyst-learn"];

/// What is pure names none of these, in its manifest or its code.
const OUTSIDE: &[&str] = &[
    "tokio", "sqlx", "reqwest", "axum", "hyper", "std::net", "std::fs", "std::env",
];

const PLATFORM: &[&str] = &["base", "db", "net", "crypto", "queue", "limits", "audit", "blobs"];
const DOMAINS: &[&str] = &[
    "accounts",
    "keys",
    "usage",
    "files",
    "context",
    "analysts",
    "portfolio",
    "sessions",
    "assistants",
];

/// Layer → the layers it may import. A layer is a module path with all below it; the longest path
/// that fits a file is its layer (`chat::slack` before `chat`). A file without one fails.
fn may_know() -> BTreeMap<&'static str, Vec<&'static str>> {
    let with = |parts: &[&[&'static str]]| parts.concat();
    BTreeMap::from([
        ("base", vec![]),
        ("db", vec!["base"]),
        ("net", vec!["base"]),
        ("crypto", vec!["base"]),
        ("queue", vec!["base", "db"]),
        ("limits", vec!["base", "db"]),
        ("audit", vec!["base", "db"]),
        ("blobs", vec!["base", "net"]),
        ("accounts", with(&[PLATFORM])),
        ("keys", with(&[PLATFORM, &["accounts"]])),
        ("usage", with(&[PLATFORM, &["accounts", "keys"]])),
        ("files", with(&[PLATFORM, &["accounts", "usage"]])),
        ("context", with(&[PLATFORM, &["accounts", "usage", "files"]])),
        (
            "analysts",
            with(&[PLATFORM, &["accounts", "usage", "files", "context"]]),
        ),
        ("portfolio", with(&[PLATFORM, &["accounts"]])),
        (
            "sessions",
            with(&[PLATFORM, &["accounts", "usage", "files", "context", "analysts"]]),
        ),
        (
            "assistants",
            with(&[
                PLATFORM,
                &["accounts", "usage", "files", "context", "analysts", "sessions"],
            ]),
        ),
        // The core knows no chat word, so it does not know assistants either.
        (
            "analysis",
            with(&[
                PLATFORM,
                &[
                    "accounts",
                    "keys",
                    "usage",
                    "files",
                    "context",
                    "analysts",
                    "portfolio",
                    "sessions",
                ],
            ]),
        ),
        // An engine sees what was gathered for it: no database and no domain.
        ("analysis::engines", vec!["base", "analysis"]),
        ("services", with(&[PLATFORM, DOMAINS, &["analysis"]])),
        ("edge", with(&[PLATFORM, DOMAINS, &["analysis", "services"]])),
        (
            "api",
            with(&[PLATFORM, DOMAINS, &["analysis", "services", "edge"]]),
        ),
        (
            "chat::core",
            with(&[PLATFORM, DOMAINS, &["analysis", "services"]]),
        ),
        (
            "chat::slack",
            with(&[PLATFORM, DOMAINS, &["analysis", "services", "edge", "chat::core"]]),
        ),
        // The pages of set-up know every platform they set up.
        (
            "chat::setup",
            with(&[
                PLATFORM,
                DOMAINS,
                &["analysis", "services", "edge", "chat::core", "chat::slack"],
            ]),
        ),
        (
            "chat::web",
            with(&[PLATFORM, DOMAINS, &["analysis", "services", "edge", "chat::core"]]),
        ),
        (
            "console",
            with(&[PLATFORM, DOMAINS, &["analysis", "services", "edge"]]),
        ),
        (
            "app",
            with(&[
                PLATFORM,
                DOMAINS,
                &[
                    "analysis",
                    "analysis::engines",
                    "services",
                    "edge",
                    "api",
                    "chat::core",
                    "chat::slack",
                    "chat::setup",
                    "chat::web",
                    "console",
                ],
            ]),
        ),
    ])
}

/// Macros exported at the crate's root: paths that lead to no file.
const ROOT_MACROS: &[&str] = &["text_enum"];

#[test]
fn imports_follow_the_layers_and_never_circle() {
    let may_know = may_know();
    let modules = modules();
    let mut graph: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (name, file) in &modules {
        let text = fs::read_to_string(file).expect("source");
        for path in imports(&text, name) {
            let Some(known) = longest(&path, &modules) else {
                let first = path.split("::").next().unwrap_or_default();
                let reaches_folder = modules
                    .keys()
                    .any(|module| module.starts_with(&format!("{path}::")));
                if !ROOT_MACROS.contains(&first) && !reaches_folder {
                    wrong.push(format!("{name}: crate::{path} leads to no file"));
                }
                continue;
            };
            let (from, to) = (layer(name, &may_know), layer(known, &may_know));
            if from != to && !may_know[from].contains(&to) {
                wrong.push(format!("{name} imports {path}: {from} must not know {to}"));
            }
            if known != name {
                graph.entry(name).or_default().insert(known);
            }
        }
    }
    wrong.extend(circles(&graph));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_chain_of_imports_inside_a_crate_circles() {
    let mut wrong = Vec::new();
    for own in CRATES {
        let modules = modules_of(&format!("crates/{own}/src"));
        let mut graph: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (name, file) in &modules {
            let text = fs::read_to_string(file).expect("source");
            for path in imports(&text, name) {
                match longest(&path, &modules) {
                    Some(known) if known != name => {
                        graph.entry(name).or_default().insert(known);
                    }
                    Some(_) => {}
                    // A macro of the crate, or a folder's name.
                    None if modules
                        .keys()
                        .any(|module| module.starts_with(&format!("{path}::"))) => {}
                    None => wrong.push(format!("{own}: {name}: crate::{path} leads to no file")),
                }
            }
        }
        wrong.extend(
            circles(&graph)
                .into_iter()
                .map(|circle| format!("{own}: {circle}")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_pure_reaches_nothing_outside() {
    for own in ["finance", "tables", "analyst"] {
        let manifest = fs::read_to_string(format!("crates/{own}/Cargo.toml")).expect("a manifest");
        let manifest = manifest
            .split("[dev-dependencies]")
            .next()
            .unwrap_or_default()
            .to_owned();
        for file in modules_of(&format!("crates/{own}/src")).values() {
            let text = fs::read_to_string(file).expect("source");
            for outside in OUTSIDE {
                let named =
                    text.contains(&format!("{outside}::")) || manifest.contains(&format!("\n{outside}"));
                assert!(!named, "{} or its crate names {outside}", file.display());
            }
        }
    }
}

#[test]
fn no_file_is_longer_than_500_lines() {
    for folder in ["src", "tests", "benches", "crates"] {
        let mut files = Vec::new();
        walk(Path::new(folder), &mut files);
        for file in files {
            let lines = fs::read_to_string(&file).expect("source").lines().count();
            assert!(lines <= 500, "{} has {lines} lines", file.display());
        }
    }
}

#[test]
fn no_source_holds_tests() {
    let mut files = Vec::new();
    walk(Path::new("src"), &mut files);
    for own in fs::read_dir("crates").expect("crates") {
        walk(&own.expect("a crate").path().join("src"), &mut files);
    }
    files.retain(|file| fs::read_to_string(file).expect("source").contains("#[cfg(test)]"));
    assert!(files.is_empty(), "tests belong in tests/suite, not in {files:?}");
}

#[test]
fn every_file_says_what_it_is_for() {
    let below = CRATES
        .iter()
        .flat_map(|own| modules_of(&format!("crates/{own}/src")));
    for (name, file) in modules().into_iter().chain(below) {
        let text = fs::read_to_string(&file).expect("source");
        assert!(text.starts_with("//!"), "{name} does not open with //!");
    }
}

#[test]
fn the_map_re_exports_nothing_and_names_every_file() {
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
fn only_db_names_a_driver() {
    for (name, file) in modules() {
        if name.starts_with("db::") {
            continue;
        }
        let text = fs::read_to_string(&file).expect("source");
        for driver in [
            "SqlitePool",
            "PgPool",
            "sqlx::query",
            "SqliteConnection",
            "PgConnection",
            "sqlx::Pool",
        ] {
            assert!(!text.contains(driver), "{name} names {driver}");
        }
    }
}

#[test]
fn drawers_are_not_allowed() {
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

/// The rule tells a wrong tree from a right one: checked on made-up sources.
#[test]
fn the_reader_of_imports_finds_what_is_there() {
    let text =
        "use crate::{a::{b, c::D}, e};\nuse super::f;\nfn x() { crate::g::h(); }\n// use crate::not::this\n";
    let found: BTreeSet<String> = imports(text, "m::n").into_iter().collect();
    for path in ["a::b", "a::c::D", "e", "m::f", "g::h"] {
        assert!(found.contains(path), "{path} not in {found:?}");
    }
    assert!(!found.iter().any(|path| path.contains("not")));
    let graph = BTreeMap::from([("a", BTreeSet::from(["b"])), ("b", BTreeSet::from(["a"]))]);
    assert_eq!(circles(&graph).len(), 2);
}

fn modules() -> BTreeMap<String, PathBuf> {
    modules_of("src")
}

/// The files below a folder of sources, by their module path.
fn modules_of(folder: &str) -> BTreeMap<String, PathBuf> {
    let mut files = Vec::new();
    walk(Path::new(folder), &mut files);
    let own = |file: &PathBuf| !["lib.rs", "main.rs"].iter().any(|name| file.ends_with(name));
    files
        .into_iter()
        .filter(own)
        .map(|file| (module(&file, folder), file))
        .collect()
}

fn circles(graph: &BTreeMap<&str, BTreeSet<&str>>) -> Vec<String> {
    let mut wrong = Vec::new();
    for start in graph.keys() {
        let mut seen = BTreeSet::new();
        let mut next: Vec<&str> = graph[start].iter().copied().collect();
        while let Some(at) = next.pop() {
            if at == *start {
                wrong.push(format!("{start} reaches itself"));
                break;
            }
            if seen.insert(at) {
                next.extend(graph.get(at).into_iter().flatten().copied());
            }
        }
    }
    wrong
}

fn walk(dir: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            walk(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
}

/// `src/db/exec.rs` is `db::exec`.
fn module(file: &Path, folder: &str) -> String {
    let path = file.strip_prefix(folder).expect("under it").with_extension("");
    let parts: Vec<_> = path.iter().filter_map(|part| part.to_str()).collect();
    parts.join("::")
}

fn layer<'a>(module: &str, may_know: &BTreeMap<&'a str, Vec<&'a str>>) -> &'a str {
    let holds = |layer: &str| {
        module
            .strip_prefix(layer)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    let found = may_know
        .keys()
        .filter(|layer| holds(layer))
        .max_by_key(|layer| layer.len());
    found.unwrap_or_else(|| panic!("{module} belongs to no layer"))
}

/// Every `crate::…` and `super::…` path: those of `use` with brace groups spread out, and those
/// written in place.
fn imports(text: &str, module: &str) -> Vec<String> {
    let code: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    let code = code.join(" ");
    let mut found = Vec::new();
    for statement in code.split(';') {
        let statement = statement.trim();
        let used = statement.rsplit_once("use ").filter(|(before, path)| {
            !path.contains('(')
                && before
                    .chars()
                    .all(|sign| sign.is_alphanumeric() || " _()]}#[".contains(sign) || sign == ':')
        });
        match used {
            Some((_, path)) if !path.contains('=') => spread("", path.trim(), &mut found),
            _ => found.extend(in_place(statement)),
        }
    }
    let parent = module
        .rsplit_once("::")
        .map_or(String::new(), |(parent, _)| format!("{parent}::"));
    found
        .into_iter()
        .filter_map(|path| {
            let own = path.strip_prefix("crate::").map(str::to_owned);
            own.or_else(|| path.strip_prefix("super::").map(|rest| format!("{parent}{rest}")))
        })
        .collect()
}

fn in_place(statement: &str) -> impl Iterator<Item = String> + '_ {
    let word = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == ':';
    statement
        .split(move |sign| !word(sign))
        .map(|path| path.trim_end_matches(':').trim_start_matches("::").to_owned())
}

fn spread(head: &str, path: &str, found: &mut Vec<String>) {
    let Some((before, rest)) = path.split_once('{') else {
        let plain = path.split(" as ").next().unwrap_or(path).trim();
        found.push(format!("{head}{plain}").trim_end_matches("::self").to_owned());
        return;
    };
    let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    let (mut depth, mut from) = (0, 0);
    for (at, sign) in inner.char_indices().chain([(inner.len(), ',')]) {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !inner[from..at].trim().is_empty() {
                    spread(&format!("{head}{before}"), inner[from..at].trim(), found);
                }
                from = at + 1;
            }
            _ => {}
        }
    }
}

fn longest<'m>(path: &str, modules: &'m BTreeMap<String, PathBuf>) -> Option<&'m String> {
    let mut path = path;
    loop {
        if let Some((name, _)) = modules.get_key_value(path) {
            return Some(name);
        }
        path = path.rsplit_once("::")?.0;
    }
}

/// Bytes of a folder that the sweep does not ask would be taken for nobody's after a day.
#[test]
fn every_folder_that_keeps_bytes_is_asked_before_they_are_swept_up() {
    let sweep = fs::read_to_string("src/app/sweep.rs").expect("the sweep");
    let mut keeping = BTreeSet::new();
    for file in modules().into_values() {
        let text = fs::read_to_string(&file).expect("a file");
        if text.contains("blobs.put(") || text.contains("blobs.put_from(") {
            let folder = file.components().nth(1).expect("a folder").as_os_str();
            keeping.insert(folder.to_string_lossy().into_owned());
        }
    }
    assert!(keeping.contains("files"), "{keeping:?}");
    for folder in keeping {
        let asked = format!("services.{folder}.keeps(");
        assert!(sweep.contains(&asked), "src/app/sweep.rs does not ask {folder}");
    }
}
