//! How many files and bytes one request may bring along.

use corbel::files::limits::{Allowance, MOST_BYTES, MOST_FILES, MOST_TOTAL_BYTES};
use corbel::files::model::Refusal;

#[test]
fn the_excess_is_refused_and_the_rest_taken() {
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
fn files_are_taken_in_order_until_the_whole_is_used_up() {
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
        "in order: nothing jumps the queue"
    );
}

#[test]
fn what_lies_about_its_size_ends_the_whole() {
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
