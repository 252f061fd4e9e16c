//! The locked dependencies: their licences, and which packages occur in several versions.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// Licences that require only attribution.
const LICENCES: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "LLVM-exception",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Packages that dependencies also need in an older version. Entries that are no longer needed are removed.
const SEVERAL: &[&str] = &[
    "base64",
    "block-buffer",
    "cpufeatures",
    "crypto-common",
    "digest",
    "embedded-io",
    "getrandom",
    "hashbrown",
    "itertools",
    "quick-xml",
    "rand",
    "rand_core",
    "sha2",
    "spin",
    "strum",
    "strum_macros",
    "syn",
];

/// The packages that are compiled, without our own.
fn locked_packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--format-version", "1"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .output()
        .expect("cargo");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let built: BTreeSet<&str> = metadata["resolve"]["nodes"]
        .as_array()
        .expect("nodes")
        .iter()
        .filter_map(|node| node["id"].as_str())
        .collect();
    metadata["packages"]
        .as_array()
        .expect("packages")
        .iter()
        .filter(|package| {
            !package["source"].is_null() && built.contains(package["id"].as_str().expect("an id"))
        })
        .cloned()
        .collect()
}

#[test]
fn every_licence_is_permitted() {
    let mut wrong = Vec::new();
    for package in locked_packages() {
        let licence = package["license"].as_str().unwrap_or("none");
        let names = licence.split(|sign: char| !(sign.is_alphanumeric() || sign == '-' || sign == '.'));
        let other = names
            .filter(|name| !matches!(*name, "" | "AND" | "OR" | "WITH"))
            .any(|name| !LICENCES.contains(&name));
        if other {
            wrong.push(format!("{}: {licence}", package["name"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_other_package_occurs_in_several_versions() {
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in locked_packages() {
        let name = package["name"].as_str().expect("a name").to_owned();
        let version = package["version"].as_str().expect("a version").to_owned();
        versions.entry(name).or_default().insert(version);
    }
    versions.retain(|_, versions| versions.len() > 1);
    let several: Vec<&str> = versions.keys().map(String::as_str).collect();
    assert_eq!(several, SEVERAL, "{versions:#?}");
}

/// Packages of the fuzz targets only, which are in no program that is given to anyone: the fuzzer is under the licence
/// of LLVM (NCSA), MIT and Apache-2.0.
const OF_FUZZ_TARGETS: [&str; 3] = ["arbitrary", "corbel-fuzz", "libfuzzer-sys"];

#[test]
fn the_fuzz_targets_need_only_the_fuzzer_in_addition() {
    let names = |lock: &str| -> BTreeSet<String> {
        let lock: toml::Table = std::fs::read_to_string(lock)
            .expect("a lock file")
            .parse()
            .expect("TOML");
        let packages = lock["package"].as_array().expect("packages").iter();
        packages
            .map(|package| package["name"].as_str().expect("a name").to_owned())
            .collect()
    };
    let (fuzz, own) = (names("fuzz/Cargo.lock"), names("Cargo.lock"));
    let other: Vec<&str> = fuzz.difference(&own).map(String::as_str).collect();
    assert_eq!(
        other, OF_FUZZ_TARGETS,
        "if a dependency was removed, `cargo +nightly metadata --manifest-path fuzz/Cargo.toml` updates the lock file"
    );
}
