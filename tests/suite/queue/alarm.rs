//! When the jobs that were put back are due: the earliest counts, and only so many are kept.

use std::time::Duration;

use corbel::queue::alarm::{Alarm, MAX_DUE, STEP};

const MINUTE: Duration = Duration::from_secs(60);
const POLL: Duration = MINUTE;

#[test]
fn the_earliest_moment_counts_and_stays_until_it_is_acknowledged() {
    let alarm = Alarm::default();
    assert_eq!(alarm.next(POLL), POLL);
    alarm.set(MINUTE * 60);
    assert_eq!(alarm.next(POLL), POLL);
    alarm.set(MINUTE / 2);
    alarm.set(Duration::ZERO);
    assert!(alarm.next(POLL) <= STEP);
    while alarm.next(POLL) > Duration::ZERO {
        std::hint::spin_loop();
    }
    assert_eq!(alarm.next(POLL), Duration::ZERO, "nobody has looked yet");
    alarm.acknowledge();
    let next = alarm.next(POLL);
    assert!(next > Duration::ZERO && next <= MINUTE / 2 + STEP, "{next:?}");
}

#[test]
fn moments_close_together_are_one_and_there_are_not_too_many() {
    let alarm = Alarm::default();
    assert_eq!(kept(&alarm), MAX_DUE);

    let alarm = Alarm::default();
    for wait in 0..100_000 {
        alarm.set(MINUTE * 20_001 + Duration::from_micros(wait));
    }
    let kept = kept(&alarm);
    assert!(kept < MAX_DUE, "{kept}: those close together take room too");
    assert!(MAX_DUE - kept <= 100_000 / 20_000 + 1_000, "{kept}");
}

/// How many of 20,000 more moments are kept. Each is earlier than those before it: where it is kept, it is next.
fn kept(alarm: &Alarm) -> usize {
    let is_kept = |minutes: &u32| {
        let wait = MINUTE * *minutes;
        alarm.set(wait);
        alarm.next(Duration::MAX) <= wait + STEP
    };
    (1..=20_000).rev().filter(is_kept).count()
}
