//! Words of a question and cells of a table match in any form of their letters and in any case.

use analyst::answer::draft;
use analyst::contract::brief::{Brief, FileFrom};

use super::asking::brief;
use super::sheets::file;

const TOGETHER: &str = "Unit,Tenant,Rent\n1,Café Zoë,1000\n2,Søren Übel,1200\n3,Plain Deli,900\n";
const APART: &str =
    "Unit,Tenant,Rent\n1,Cafe\u{301} Zoe\u{308},1000\n2,Søren U\u{308}bel,1200\n3,Plain Deli,900\n";

#[test]
fn names_in_tables_are_found_in_any_form() {
    for table in [TOGETHER, APART] {
        for (name, rent) in [
            ("Café Zoë", 1_000.0),
            ("Cafe\u{301} Zoe\u{308}", 1_000.0),
            ("CAFÉ ZOË", 1_000.0),
            ("Søren Übel", 1_200.0),
            ("søren u\u{308}bel", 1_200.0),
            ("Plain Deli", 900.0),
        ] {
            let question = format!("What rent does {name} pay?");
            let attached = Brief {
                files: vec![file("rents.csv", table, FileFrom::Question)],
                ..brief(&question)
            };
            let pasted = brief(&format!("{question}\n\n{table}"));
            for brief in [attached, pasted] {
                let draft = draft(&brief);
                let first = draft.figures.first().and_then(|figure| figure.value.as_f64());
                assert_eq!(first, Some(rent), "{question}: {}", draft.quick_reply);
            }
        }
    }
}
