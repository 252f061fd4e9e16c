//! The demo's portfolio: there after the first command, once, and left alone afterwards.

use serde_json::Value;

use crate::harness::command::Dir;

/// The demo organization, as it is named.
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
fn the_demo_has_its_portfolio_and_keeps_what_was_changed() {
    let dir = Dir::new();
    dir.json(&["ask", "NOI 1.285m, annual debt service 968k. DSCR?"]);
    let buildings = dir.json(&["admin", "buildings", "list", "--org", ORG]);
    assert_eq!(buildings["buildings"].as_array().expect("buildings").len(), 12);
    assert_eq!(imports(&dir).len(), 1);
    // An administrator narrows what the member may use; the next command does not widen it again.
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
