//! How many files and bytes one request may contain.

use corbel::files::limits::{Allowance, MOST_BYTES, MOST_FILES, MOST_TOTAL_BYTES};
use corbel::files::model::Refusal;

#[test]
fn excess_files_are_refused_and_the_rest_accepted() {
    let mut allowance = Allowance::default();
    for _ in 0..MOST_FILES {
        assert!(allowance.next(Some(1)).is_ok());
    }
    assert_eq!(allowance.next(Some(1)), Err(Refusal::TooMany { most: 10 }));

    let mut allowance = Allowance::default();
    assert_eq!(
        allowance.next(Some(MOST_BYTES + 1)),
        Err(Refusal::TooLarge { most: MOST_BYTES })
    );
    assert_eq!(allowance.next(Some(MOST_BYTES)), Ok(MOST_BYTES));
    assert_eq!(
        allowance.exceeded(MOST_BYTES),
        Refusal::TooLarge { most: MOST_BYTES }
    );
}

#[test]
fn files_are_accepted_in_order_until_the_total_is_used_up() {
    let mut allowance = Allowance::default();
    for _ in 0..2 {
        assert_eq!(allowance.next(Some(9 << 20)), Ok(MOST_BYTES));
        allowance.took(9 << 20);
    }
    assert_eq!(allowance.next(None), Ok(7 << 20), "what is left of 25 MiB");
    let no_room = Refusal::NoRoom {
        most: MOST_TOTAL_BYTES,
    };
    assert_eq!(allowance.next(Some(8 << 20)), Err(no_room.clone()));
    assert_eq!(
        allowance.next(Some(1)),
        Err(no_room),
        "files are accepted in order"
    );
}

#[test]
fn a_file_with_a_false_size_ends_the_request() {
    let mut allowance = Allowance::default();
    for _ in 0..2 {
        allowance.took(10 << 20);
    }
    let allowed = allowance.next(Some(1));
    assert_eq!(allowed, Ok(5 << 20));
    assert_eq!(
        allowance.exceeded(5 << 20),
        Refusal::NoRoom {
            most: MOST_TOTAL_BYTES
        }
    );
    assert!(allowance.next(Some(1)).is_err());
}
