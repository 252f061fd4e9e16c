//! The demo's portfolio: imported once, by the first command, and not changed afterwards.

use serde_json::Value;

use crate::harness::command::Dir;

/// The name of the demo organization.
const ORG: &str = "Halyard & Finch (demo)";

fn imports(dir: &Dir) -> Vec<Value> {
    let audit = dir.json(&["admin", "audit", "list", "--org", ORG]);
    let lines = audit["entries"].as_array().or(audit["lines"].as_array());
    let all = lines.expect("lines").iter();
    all.filter(|line| line["action"] == "portfolio.imported")
        .cloned()
        .collect()
}

#[test]
fn the_demo_has_a_portfolio_and_keeps_changes() {
    let dir = Dir::new();
    dir.json(&["ask", "NOI 1.285m, annual debt service 968k. DSCR?"]);
    let buildings = dir.json(&["admin", "buildings", "list", "--org", ORG]);
    assert_eq!(buildings["buildings"].as_array().expect("buildings").len(), 12);
    assert_eq!(imports(&dir).len(), 1);
    // An administrator restricts the member's buildings; the next command does not undo it.
    let mina = "mina@demo.example";
    dir.json(&[
        "admin",
        "buildings",
        "grant",
        "--org",
        ORG,
        "--user",
        mina,
        "--buildings",
        "B01",
    ]);
    dir.json(&["ask", "NOI 1.285m, annual debt service 968k. DSCR?"]);
    assert_eq!(imports(&dir).len(), 1);
    let audit = dir.json(&["admin", "audit", "list", "--org", ORG]);
    let text = audit.to_string();
    let last = text.rfind("buildings.granted").expect("a grant");
    assert_eq!(text.matches("buildings.granted").count(), 2);
    assert!(last > 0);
}
