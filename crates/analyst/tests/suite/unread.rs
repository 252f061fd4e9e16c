//! Files whose shape is beyond what is read: the answer names the file and the reason, and gives no figure.

use analyst::answer::draft;
use analyst::contract::brief::{Brief, FileFrom};

use super::asking::brief;
use super::sheets::file;

fn header(columns: usize) -> String {
    let names: Vec<String> = (1..=columns).map(|at| format!("c{at}")).collect();
    names.join(",")
}

fn dense(columns: usize) -> String {
    format!("{}\n{}\n", header(columns), vec!["1200"; columns].join(","))
}

#[test]
fn the_reason_is_named() {
    let sparse = format!("{}\n{}", header(2_000), "1,2\n".repeat(2_000));
    let many = "Unit,Rent\n1,1200\n2,1300\n\n".repeat(41);
    for (name, text, reason) in [
        ("wide.csv", dense(16_385), "more cells than I read"),
        ("widest.csv", dense(400_000), "more cells than I read"),
        ("sparse.csv", sparse, "much shorter than its longest one"),
        ("many.txt", many, "more tables than I read"),
    ] {
        let answer = draft(&Brief {
            files: vec![file(name, &text, FileFrom::Question)],
            ..brief("What is the total rent in the file?")
        });
        assert!(answer.figures.is_empty(), "{name}: {}", answer.quick_reply);
        let said = format!("{} {}", answer.quick_reply, answer.warnings.join(" "));
        assert!(said.contains(name) && said.contains(reason), "{name}: {said}");
    }
}
