//! What a person says that status words mean.

use analyst::answer::draft;
use analyst::contract::brief::{Brief, FileFrom};

use super::asking::brief;
use super::sheets::file;

const ROLL: &str =
    "Unit,Tenant,Status,Rent\n1,Ann,Occupied,1000\n2,Ben,NU,1100\n3,,Vacant,\n4,,Vacant,\n5,Cy,NU,900\n";

/// The first figure of the answer.
fn answer(question: &str) -> Option<f64> {
    let answer = draft(&Brief {
        files: vec![file("roll.csv", ROLL, FileFrom::Question)],
        ..brief(question)
    });
    answer.figures.first().and_then(|figure| figure.value.as_f64())
}

#[test]
fn meanings_are_read_in_any_place_and_order() {
    for question in [
        "What is the physical occupancy? NU means occupied.",
        "NU means occupied. What is the physical occupancy?",
        "What is the physical occupancy? NU is occupied, Vacant means vacant.",
        "What is the physical occupancy? NU = leased",
    ] {
        assert_eq!(answer(question), Some(0.6), "{question}");
    }
    assert_eq!(
        answer("What is the physical occupancy? NU means vacant."),
        Some(0.2)
    );
    assert_eq!(answer("What is the physical occupancy?"), None);
}

#[test]
fn a_word_of_the_question_is_not_defined_with_the_next_sentence() {
    for question in [
        "How many units are vacant? NU means occupied.",
        "How many units are vacant; NU means occupied",
    ] {
        assert_eq!(answer(question), Some(2.0), "{question}");
    }
}
