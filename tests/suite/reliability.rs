//! The page of promises has each of them once, and names only tests and drills that exist.

use std::fs;
use std::path::Path;

const PAGE: &str = include_str!("../../docs/reliability.md");

#[test]
fn every_promise_has_one_row() {
    let rows: Vec<&str> = PAGE.lines().filter(|line| line.starts_with("| R")).collect();
    for (n, row) in (1..=36).zip(&rows) {
        assert!(row.starts_with(&format!("| R{n} |")), "{row}");
    }
    assert_eq!(rows.len(), 36);
}

#[test]
fn every_proof_exists() {
    let drills = include_str!("../../benches/crash_loop.rs");
    let mut proofs = 0;
    for row in PAGE.lines().filter(|line| line.starts_with("| R")) {
        let names = row.split('`').skip(1).step_by(2);
        for (name, before) in names.zip(row.split('`').step_by(2)) {
            if let Some((module, test)) = name.rsplit_once("::") {
                let file = format!("tests/suite/{}.rs", module.replace("::", "/"));
                let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&file));
                let text = text.unwrap_or_else(|error| panic!("{name}: {file}: {error}"));
                assert!(text.contains(&format!("fn {test}(")), "{name} is not in {file}");
            } else if before.ends_with("drill ") {
                assert!(drills.contains(&format!("\"{name}\" => ")), "no drill {name}");
            } else if before.ends_with("bench ") {
                assert!(
                    Path::new(env!("CARGO_MANIFEST_DIR"))
                        .join(format!("benches/{name}.rs"))
                        .exists(),
                    "{name}"
                );
            } else {
                continue;
            }
            proofs += 1;
        }
    }
    assert!(proofs > 50, "{proofs} proofs were found");
}
