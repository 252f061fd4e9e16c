//! One building as ten property systems export it: every file gives the same figures.
//!
//! The files are in `tests/ten_systems`: other headers, sections, words for states, charges line by line, market rents,
//! decimal commas, and dates in all usual forms.

use std::path::Path;

use analyst::answer::draft;
use analyst::contract::brief::{Brief, FileFrom};

use super::asking::brief;
use super::sheets::file;

/// Questions that may be asked back: "Under offer" does not say who is in.
const MOST_ASKED: usize = 2;

const FILES: [&str; 10] = [
    "unit_details.csv",
    "lease_charges.csv",
    "tags_and_past_due.csv",
    "roll_detail.csv",
    "building_and_unit.csv",
    "letters_for_states.csv",
    "small_landlord.csv",
    "decimal_comma.csv",
    "tenancy_schedule.tsv",
    "yearly_rents.csv",
];

const QUESTIONS: [(&str, f64); 5] = [
    ("How many units are there?", 10.0),
    ("How many units are occupied?", 8.0),
    ("What is the physical occupancy?", 0.8),
    ("What is the total monthly rent?", 11_930.75),
    ("What is the total area?", 7_540.0),
];

/// It lists suites, of which the occupancy is a share of the area unless the question says otherwise.
const OF_SUITES: &str = "yearly_rents.csv";

/// It lists no areas.
const WITHOUT_AREA: &str = "small_landlord.csv";

#[test]
fn ten_exports_of_one_building_give_the_same_figures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ten_systems");
    let (mut wrong, mut asked) = (Vec::new(), Vec::new());
    for name in FILES {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        for (question, value) in QUESTIONS {
            let by_units = name == OF_SUITES && question.contains("occupancy");
            let question = if by_units {
                "What is the physical occupancy by units?"
            } else {
                question
            };
            let draft = draft(&Brief {
                files: vec![file(name, &text, FileFrom::Question)],
                ..brief(question)
            });
            let got = draft.figures.first().and_then(|figure| figure.value.as_f64());
            let absent = name == WITHOUT_AREA && question.contains("area");
            let line = format!("{name}: {question} {got:?} not {value} -> {}", draft.quick_reply);
            match got {
                None if absent => {}
                None => asked.push(line),
                Some(got) if !absent && (got - value).abs() < 0.005 => {}
                Some(_) => wrong.push(line),
            }
        }
    }
    println!("wrong:\n{}\nasked back:\n{}", wrong.join("\n"), asked.join("\n"));
    assert!(wrong.is_empty(), "{} wrong", wrong.len());
    assert!(asked.len() <= MOST_ASKED, "{} asked back", asked.len());
}
