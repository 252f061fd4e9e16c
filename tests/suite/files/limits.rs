//! How many files and bytes one request may contain.

use corbel::files::limits::{Allowance, CHAT_MAX_FILE_BYTES, CHAT_MAX_FILES, CHAT_MAX_TOTAL_BYTES};
use corbel::files::model::Refusal;

#[test]
fn excess_files_are_refused_and_the_rest_accepted() {
    let mut allowance = Allowance::default();
    for _ in 0..CHAT_MAX_FILES {
        assert!(allowance.next(Some(1)).is_ok());
    }
    assert_eq!(allowance.next(Some(1)), Err(Refusal::TooMany { most: 10 }));

    let mut allowance = Allowance::default();
    assert_eq!(
        allowance.next(Some(CHAT_MAX_FILE_BYTES + 1)),
        Err(Refusal::TooLarge {
            most: CHAT_MAX_FILE_BYTES
        })
    );
    assert_eq!(allowance.next(Some(CHAT_MAX_FILE_BYTES)), Ok(CHAT_MAX_FILE_BYTES));
    assert_eq!(
        allowance.exceeded(CHAT_MAX_FILE_BYTES),
        Refusal::TooLarge {
            most: CHAT_MAX_FILE_BYTES
        }
    );
}

#[test]
fn files_are_accepted_in_order_until_the_total_is_used_up() {
    let mut allowance = Allowance::default();
    for _ in 0..2 {
        assert_eq!(allowance.next(Some(9 << 20)), Ok(CHAT_MAX_FILE_BYTES));
        allowance.took(9 << 20);
    }
    assert_eq!(allowance.next(None), Ok(7 << 20), "what is left of 25 MiB");
    let no_room = Refusal::NoRoom {
        most: CHAT_MAX_TOTAL_BYTES,
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
            most: CHAT_MAX_TOTAL_BYTES
        }
    );
    assert!(allowance.next(Some(1)).is_err());
}
