//! The layers of `src`: a file may import only the layers that `allowed_imports` lists for its own, imports are
//! acyclic, and every `crate::` path resolves to a file. The crates below the service must be acyclic too, and pure
//! crates must not depend on I/O.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates below the service. Cargo checks the dependencies between crates; the tests here check the files of each.
pub const CRATES: &[&str] = &["finance", "tables", "calls", "analyst", "analyst-learn"];

/// Runtimes and I/O that pure crates must not use in their manifest or code.
const IO: &[&str] = &[
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

/// The layers that each layer may import. A layer is a module path with everything below it. The layer of a file is the
/// longest path that matches (`chat::slack` before `chat`). A file without a layer fails.
fn allowed_imports() -> BTreeMap<&'static str, Vec<&'static str>> {
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
        // The analysis does not depend on chat, and so not on assistants either.
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
        // An engine gets its input as arguments, without access to the database or to domains.
        ("analysis::engines", vec!["base", "analysis", "net"]),
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
        // The set-up pages depend on every platform that they set up.
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

/// Macros exported at the crate root: their paths have no file.
const ROOT_MACROS: &[&str] = &["text_enum"];

#[test]
fn imports_follow_the_layers_and_are_acyclic() {
    let allowed_imports = allowed_imports();
    let modules = modules();
    let mut graph: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (name, file) in &modules {
        let text = fs::read_to_string(file).expect("source");
        for path in imports(&text, name) {
            let Some(known) = resolve(&path, &modules) else {
                let first = path.split("::").next().unwrap_or_default();
                let reaches_folder = modules
                    .keys()
                    .any(|module| module.starts_with(&format!("{path}::")));
                if !ROOT_MACROS.contains(&first) && !reaches_folder {
                    wrong.push(format!("{name}: crate::{path} has no file"));
                }
                continue;
            };
            let (from, to) = (layer(name, &allowed_imports), layer(known, &allowed_imports));
            if from != to && !allowed_imports[from].contains(&to) {
                wrong.push(format!("{name} imports {path}: {from} must not import {to}"));
            }
            if known != name {
                graph.entry(name).or_default().insert(known);
            }
        }
    }
    wrong.extend(cycles(&graph));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn imports_inside_each_crate_are_acyclic() {
    let mut wrong = Vec::new();
    for own in CRATES {
        let modules = modules_of(&format!("crates/{own}/src"));
        let mut graph: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (name, file) in &modules {
            let text = fs::read_to_string(file).expect("source");
            for path in imports(&text, name) {
                match resolve(&path, &modules) {
                    Some(known) if known != name => {
                        graph.entry(name).or_default().insert(known);
                    }
                    Some(_) => {}
                    // A macro of the crate or the name of a folder.
                    None if modules
                        .keys()
                        .any(|module| module.starts_with(&format!("{path}::"))) => {}
                    None => wrong.push(format!("{own}: {name}: crate::{path} has no file")),
                }
            }
        }
        wrong.extend(cycles(&graph).into_iter().map(|cycle| format!("{own}: {cycle}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pure_crates_do_no_io() {
    for own in ["finance", "tables", "calls", "analyst"] {
        let manifest = fs::read_to_string(format!("crates/{own}/Cargo.toml")).expect("a manifest");
        let manifest = manifest
            .split("[dev-dependencies]")
            .next()
            .unwrap_or_default()
            .to_owned();
        for file in modules_of(&format!("crates/{own}/src")).values() {
            let text = fs::read_to_string(file).expect("source");
            for io in IO {
                let named = text.contains(&format!("{io}::")) || manifest.contains(&format!("\n{io}"));
                assert!(!named, "{} or its crate names {io}", file.display());
            }
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

/// Tests the checks themselves on invented sources.
#[test]
fn imports_and_cycles_are_found() {
    let text =
        "use crate::{a::{b, c::D}, e};\nuse super::f;\nfn x() { crate::g::h(); }\n// use crate::not::this\n";
    let found: BTreeSet<String> = imports(text, "m::n").into_iter().collect();
    for path in ["a::b", "a::c::D", "e", "m::f", "g::h"] {
        assert!(found.contains(path), "{path} not in {found:?}");
    }
    assert!(!found.iter().any(|path| path.contains("not")));
    let graph = BTreeMap::from([("a", BTreeSet::from(["b"])), ("b", BTreeSet::from(["a"]))]);
    assert_eq!(cycles(&graph).len(), 2);
}

pub fn modules() -> BTreeMap<String, PathBuf> {
    modules_of("src")
}

/// The files below a source folder by module path.
pub fn modules_of(folder: &str) -> BTreeMap<String, PathBuf> {
    let mut files = Vec::new();
    walk(Path::new(folder), &mut files);
    let own = |file: &PathBuf| !["lib.rs", "main.rs"].iter().any(|name| file.ends_with(name));
    files
        .into_iter()
        .filter(own)
        .map(|file| (module(&file, folder), file))
        .collect()
}

fn cycles(graph: &BTreeMap<&str, BTreeSet<&str>>) -> Vec<String> {
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

pub fn walk(dir: &Path, files: &mut Vec<PathBuf>) {
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

/// The module path of a file: `src/db/exec.rs` is `db::exec`.
fn module(file: &Path, folder: &str) -> String {
    let path = file.strip_prefix(folder).expect("under it").with_extension("");
    let parts: Vec<_> = path.iter().filter_map(|part| part.to_str()).collect();
    parts.join("::")
}

fn layer<'a>(module: &str, allowed_imports: &BTreeMap<&'a str, Vec<&'a str>>) -> &'a str {
    let holds = |layer: &str| {
        module
            .strip_prefix(layer)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    let found = allowed_imports
        .keys()
        .filter(|layer| holds(layer))
        .max_by_key(|layer| layer.len());
    found.unwrap_or_else(|| panic!("{module} belongs to no layer"))
}

/// Every `crate::…` and `super::…` path: those in `use` statements, with brace groups expanded, and those in
/// expressions.
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
            Some((_, path)) if !path.contains('=') => expand("", path.trim(), &mut found),
            _ => found.extend(inline_paths(statement)),
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

fn inline_paths(statement: &str) -> impl Iterator<Item = String> + '_ {
    let word = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == ':';
    statement
        .split(move |sign| !word(sign))
        .map(|path| path.trim_end_matches(':').trim_start_matches("::").to_owned())
}

fn expand(head: &str, path: &str, found: &mut Vec<String>) {
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
                    expand(&format!("{head}{before}"), inner[from..at].trim(), found);
                }
                from = at + 1;
            }
            _ => {}
        }
    }
}

fn resolve<'m>(path: &str, modules: &'m BTreeMap<String, PathBuf>) -> Option<&'m String> {
    let mut path = path;
    loop {
        if let Some((name, _)) = modules.get_key_value(path) {
            return Some(name);
        }
        path = path.rsplit_once("::")?.0;
    }
}

/// The sweep would delete the blobs of a module that it does not ask, as orphans after a day.
#[test]
fn the_sweep_asks_every_module_that_stores_blobs() {
    let sweep = fs::read_to_string("src/app/sweep.rs").expect("the sweep");
    let mut storing = BTreeSet::new();
    for file in modules().into_values() {
        let text = fs::read_to_string(&file).expect("a file");
        if text.contains("blobs.put(") || text.contains("blobs.put_from(") {
            let folder = file.components().nth(1).expect("a folder").as_os_str();
            storing.insert(folder.to_string_lossy().into_owned());
        }
    }
    assert!(storing.contains("files"), "{storing:?}");
    for folder in storing {
        let asked = format!("services.{folder}.used_keys(");
        assert!(sweep.contains(&asked), "src/app/sweep.rs does not ask {folder}");
    }
}
