//! The sliding window of a limit: it never exceeds the limit, and its stored form stays small.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use corbel::limits::sliding_window::{STEPS, SlidingWindow};
use proptest::prelude::*;

const PER: Duration = Duration::from_secs(60);

fn at(ms: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).unwrap_or_default() + TimeDelta::milliseconds(ms)
}

/// How many of `granted` are in the minute that ends with `now`.
fn within(granted: &[i64], now: i64) -> i64 {
    last(granted, now, 60_000)
}

fn last(granted: &[i64], now: i64, ms: i64) -> i64 {
    let count = granted.iter().filter(|at| now - **at < ms).count();
    i64::try_from(count).unwrap_or(i64::MAX)
}

proptest! {
    #[test]
    fn no_minute_exceeds_the_limit_and_no_request_is_refused_needlessly(
        gaps in prop::collection::vec(prop_oneof![0_i64..5, 0_i64..3_000, 0_i64..70_000], 1..400),
        most in 1_i64..=STEPS,
    ) {
        let (mut record, mut granted, mut now) = (SlidingWindow::default(), Vec::new(), 0);
        for gap in gaps {
            now += gap;
            let before = within(&granted, now);
            let place = record.take(at(now), PER, most);
            prop_assert_eq!(place.granted, before < most);
            if place.granted {
                granted.push(now);
            } else {
                // The announced wait is exact: a moment earlier is too early.
                let frees = i64::try_from(place.resets_in.as_millis()).unwrap_or_default();
                prop_assert!(within(&granted, now + frees) < most);
                prop_assert_eq!(within(&granted, now + frees - 1), most);
            }
            prop_assert_eq!(place.left, most - within(&granted, now));
            prop_assert_eq!(SlidingWindow::decode(&record.encode()), Some(record.clone()));
        }
    }

    #[test]
    fn a_high_limit_has_a_small_record(
        gaps in prop::collection::vec(0_i64..40, 4_000),
        most in STEPS + 1..2_000,
    ) {
        let (mut record, mut granted, mut now) = (SlidingWindow::default(), Vec::new(), 0);
        for gap in gaps {
            now += gap;
            if record.take(at(now), PER, most).granted {
                granted.push(now);
            } else {
                // Free again at most one step late.
                let step = 60_000 / STEPS + 1;
                prop_assert!(last(&granted, now, 60_000 + step) >= most);
            }
            prop_assert!(within(&granted, now) <= most);
            prop_assert!(record.encode().len() < 1_000, "{}", record.encode().len());
        }
    }
}

#[test]
fn invalid_records_are_refused() {
    for bytes in [&[0x80][..], &[1], &[0xFF; 12]] {
        assert_eq!(SlidingWindow::decode(bytes), None, "{bytes:?}");
    }
    assert_eq!(SlidingWindow::decode(&[]), Some(SlidingWindow::default()));
}

#[test]
fn a_clock_that_is_behind_releases_nothing() {
    let mut record = SlidingWindow::default();
    assert!(record.take(at(1_000), PER, 2).granted);
    assert!(record.take(at(0), PER, 2).granted);
    let refused = record.take(at(60_500), PER, 2);
    assert_eq!(
        (refused.granted, refused.resets_in),
        (false, Duration::from_millis(500))
    );
    assert!(record.take(at(61_000), PER, 2).granted);
}
