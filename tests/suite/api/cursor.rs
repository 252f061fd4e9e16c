//! Pagination: where the next page begins, which cursors are refused, how many items a page may have.

use corbel::api::cursor::{Limit, after, page};

#[test]
fn a_page_has_a_cursor_for_the_next() {
    let limit: Limit = serde_json::from_str("2").expect("a limit");
    let (items, next) = page(vec![5, 4, 3], limit, "numbers", |last| *last);
    assert_eq!(items, [5, 4]);
    let next = next.expect("another page");
    assert_eq!(after::<i32>("numbers", Some(&next)).expect("a place"), Some(4));
    assert_eq!(page(vec![3, 2], limit, "numbers", |last| *last).1, None);
    for first in [None, Some("")] {
        assert_eq!(after::<i32>("numbers", first).expect("the first page"), None);
    }
}

#[test]
fn a_cursor_is_valid_only_for_its_list_and_unaltered() {
    let next = page(
        vec![5, 4],
        serde_json::from_str("1").expect("a limit"),
        "numbers",
        |last| *last,
    )
    .1;
    let next = next.expect("another page");
    assert!(after::<i32>("letters", Some(&next)).is_err());
    for (at, sign) in next.char_indices() {
        let other = if sign == 'A' { "B" } else { "A" };
        let mut altered = next.clone();
        altered.replace_range(at..=at, other);
        assert!(after::<i32>("numbers", Some(&altered)).is_err(), "{altered}");
    }
    assert!(after::<i32>("numbers", Some("not a cursor")).is_err());
}

#[test]
fn a_limit_is_any_integer() {
    for (given, kept) in [
        ("1", 1),
        ("100", 100),
        ("101", 100),
        ("0", 1),
        ("-3", 1),
        ("99999999999999999999999", 100),
        ("\"7\"", 7),
        ("\"-7\"", 1),
        ("\"99999999999999999999999\"", 100),
        ("25.0", 25),
    ] {
        assert_eq!(
            serde_json::from_str::<Limit>(given).expect(given).items(),
            kept,
            "{given}"
        );
    }
    for wrong in ["\"\"", "\"a\"", "2.5", "true", "[]"] {
        assert!(serde_json::from_str::<Limit>(wrong).is_err(), "{wrong}");
    }
}
