//! The alarm for delayed jobs: the earliest counts, and the number of recorded times is limited.

use std::time::Duration;

use corbel::queue::alarm::{Alarm, MAX_DUE, STEP};

const MINUTE: Duration = Duration::from_secs(60);
const POLL: Duration = MINUTE;

#[test]
fn the_earliest_time_counts_until_it_is_acknowledged() {
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
    assert_eq!(alarm.next(POLL), Duration::ZERO, "not acknowledged yet");
    alarm.acknowledge();
    let next = alarm.next(POLL);
    assert!(next > Duration::ZERO && next <= MINUTE / 2 + STEP, "{next:?}");
}

#[test]
fn close_times_are_merged_and_their_number_is_limited() {
    let alarm = Alarm::default();
    assert_eq!(recorded(&alarm), MAX_DUE);

    let alarm = Alarm::default();
    for wait in 0..100_000 {
        alarm.set(MINUTE * 20_001 + Duration::from_micros(wait));
    }
    let kept = recorded(&alarm);
    assert!(kept < MAX_DUE, "{kept}: merged times are counted too");
    assert!(MAX_DUE - kept <= 100_000 / 20_000 + 1_000, "{kept}");
}

/// How many of 20,000 further times are recorded. Each is earlier than those before it: if recorded, it is next.
fn recorded(alarm: &Alarm) -> usize {
    let is_kept = |minutes: &u32| {
        let wait = MINUTE * *minutes;
        alarm.set(wait);
        alarm.next(Duration::MAX) <= wait + STEP
    };
    (1..=20_000).rev().filter(is_kept).count()
}
