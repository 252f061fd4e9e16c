//! Formatting of amounts and shares on the portfolio page.

use corbel::console::portfolio::{compact, share, whole_units};

#[test]
fn amounts_are_formatted_for_people() {
    assert_eq!(whole_units(130_520_634, "USD"), "1,305,206");
    assert_eq!(whole_units(-99_950, "USD"), "-1,000");
    assert_eq!(whole_units(0, "USD"), "0");
    assert_eq!(whole_units(1_234, "JPY"), "1,234");
    assert_eq!(compact(130_520_634, "USD"), "1.31m");
    assert_eq!(compact(8_700_000, "USD"), "87k");
    assert_eq!(compact(100_000_000, "USD"), "1m");
    assert_eq!(compact(4_200, "USD"), "42");
    assert_eq!(share(0.943), "94.3 %");
    assert_eq!(share(0.5), "50.0 %");
}
