//! Suggestions of known names for an unknown one.

use corbel::portfolio::semantic::names::{closest, distance};

#[test]
fn a_name_with_one_typo_is_first() {
    let known = [
        "financials.noi",
        "financials.capex",
        "financials.month",
        "buildings.city",
    ];
    for (wrong, first) in [
        ("financials.noii", "financials.noi"),
        ("financials.nio", "financials.noi"),
        ("Financials.Capx", "financials.capex"),
        ("building.city", "buildings.city"),
    ] {
        assert_eq!(closest(wrong, known.into_iter()).first(), Some(&first), "{wrong}");
    }
}

#[test]
fn a_dissimilar_name_gets_no_suggestion() {
    let known = || ["financials.noi", "buildings.city"].into_iter();
    assert!(closest("xyzzy", known()).is_empty());
    assert!(closest(&"n".repeat(100_000), known()).is_empty());
    assert!(closest("", known()).is_empty());
}

#[test]
fn the_distance_counts_typos() {
    for (one, other, far) in [
        ("noi", "noi", 0),
        ("nio", "noi", 1),
        ("", "noi", 3),
        ("kitten", "sitting", 3),
        ("ca", "abc", 3),
    ] {
        let one: Vec<char> = one.chars().collect();
        assert_eq!(distance(&one, other), far, "{one:?} {other}");
    }
}
