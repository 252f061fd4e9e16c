//! Detection of total rows by label.

use tables::totals::{is_average, is_summary};

#[test]
fn total_rows_are_detected_by_label() {
    for label in [
        "Total",
        "Totals:",
        "Sub-Total",
        "Grand total",
        "Property Total",
        "Total Utilities",
        "Birch total",
    ] {
        assert!(is_summary(label) && !is_average(label), "{label}");
    }
    for label in ["Average", "Weighted average", "Avg. rent"] {
        assert!(is_average(label), "{label}");
    }
    for label in ["101", "Totally Toys", "VACANT", "Meaney, Ann"] {
        assert!(!is_summary(label), "{label}");
    }
}
