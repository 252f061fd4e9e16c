//! When a platform may be called again: who has to wait, for how long, and who is not affected.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use corbel::base::ids::InstallationId;
use corbel::chat::core::rate_limits::{PostRate, RateLimits};

const POST: &str = "chat.postMessage";
const RATE: PostRate = PostRate {
    interval: TimeDelta::seconds(1),
    burst: 3,
};

fn at(seconds: f64) -> DateTime<Utc> {
    DateTime::<Utc>::UNIX_EPOCH + TimeDelta::milliseconds((seconds * 1000.0) as i64)
}

#[test]
fn a_rate_limited_channel_delays_no_other() {
    let (limits, id) = (RateLimits::new(RATE), InstallationId::new());
    let wait = limits.block((id, POST), "C1", Duration::from_secs(8), at(0.0));
    assert!((8.0..=10.0).contains(&wait.as_secs_f64()), "{wait:?}");
    assert!(limits.check((id, POST), "C1", at(7.9)).is_err());
    assert_eq!(limits.check((id, POST), "C1", at(8.0)), Ok(()));
    for (method, channel) in [
        ((id, POST), "C2"),
        ((id, "chat.update"), "C1"),
        ((InstallationId::new(), POST), "C1"),
    ] {
        assert_eq!(limits.check(method, channel, at(1.0)), Ok(()), "{channel}");
    }
    // A shorter request does not end a longer one.
    limits.block((id, POST), "C1", Duration::from_secs(1), at(2.0));
    assert!(limits.check((id, POST), "C1", at(7.0)).is_err());
}

#[test]
fn a_method_limited_in_several_channels_in_a_row_waits_in_all_channels() {
    let (limits, id) = (RateLimits::new(RATE), InstallationId::new());
    let other = InstallationId::new();
    for (channel, wait, second) in [("C1", 8, 0.0), ("C2", 5, 1.0), ("C2", 5, 1.5), ("C3", 5, 2.0)] {
        assert_eq!(limits.check((id, POST), "C4", at(second)), Ok(()), "{channel}");
        limits.block((id, POST), channel, Duration::from_secs(wait), at(second));
    }
    assert!(
        limits.check((id, POST), "C4", at(7.9)).is_err(),
        "as long as the longest wait"
    );
    assert_eq!(limits.check((id, POST), "C4", at(8.0)), Ok(()));
    assert_eq!(limits.check((other, POST), "C4", at(2.0)), Ok(()));
    // A call that was in flight when the method was blocked does not unblock it.
    limits.record_success((id, POST));
    assert!(limits.check((id, POST), "C4", at(7.9)).is_err());
    // Once their wait is over, earlier refusals do not count as consecutive with later ones.
    limits.block((id, POST), "C1", Duration::from_secs(1), at(20.0));
    limits.block((id, POST), "C2", Duration::from_secs(1), at(22.0));
    limits.block((id, POST), "C3", Duration::from_secs(1), at(24.0));
    assert_eq!(limits.check((id, POST), "C4", at(24.1)), Ok(()));
}

#[test]
fn limited_channels_delay_no_other_while_calls_succeed() {
    let (limits, id) = (RateLimits::new(RATE), InstallationId::new());
    for n in 0..50 {
        limits.block(
            (id, POST),
            &format!("C{n}"),
            Duration::from_secs(30),
            at(f64::from(n) / 10.0),
        );
        if n % 2 == 1 {
            limits.record_success((id, POST));
        }
        assert_eq!(limits.check((id, POST), "C99", at(5.0)), Ok(()), "{n}");
    }
    for n in 0..50 {
        assert!(
            limits.check((id, POST), &format!("C{n}"), at(29.9)).is_err(),
            "{n}"
        );
    }
}

#[test]
fn retries_are_spread_out() {
    let (limits, id) = (RateLimits::new(RATE), InstallationId::new());
    limits.block((id, POST), "C1", Duration::from_secs(4), at(0.0));
    let mut waits: Vec<_> = (0..20)
        .filter_map(|_| limits.check((id, POST), "C1", at(0.0)).err())
        .collect();
    waits.sort_unstable();
    waits.dedup();
    assert_eq!(waits.len(), 20, "no two at the same time");
    assert!(waits.iter().all(|wait| (4.0..=5.0).contains(&wait.as_secs_f64())));
}

#[test]
fn posts_in_a_channel_keep_their_rate_however_many_wait() {
    let (limits, id) = (RateLimits::new(RATE), InstallationId::new());
    // Each caller retries at the time it was given until it gets a permit.
    let mut coming: Vec<(DateTime<Utc>, usize)> = (0..30).map(|n| (at(0.0), n)).collect();
    let (mut posted, mut asked) = (Vec::new(), 0);
    while let Some(next) = coming.iter().copied().min() {
        coming.retain(|one| *one != next);
        asked += 1;
        match limits.reserve_post(id, "C1", next.0) {
            Ok(()) => posted.push(next.0),
            Err(wait) => coming.push((
                next.0 + TimeDelta::from_std(wait).unwrap_or(TimeDelta::MAX),
                next.1,
            )),
        }
    }
    assert_eq!(posted.len(), 30);
    assert!(asked <= 60, "callers do not poll: {asked}");
    for (n, time) in posted.iter().enumerate() {
        let within = posted
            .iter()
            .filter(|other| **other >= *time && **other < *time + RATE.interval);
        assert!(
            usize::try_from(RATE.burst).is_ok_and(|burst| within.count() <= burst),
            "{n}"
        );
    }
    assert_eq!(posted.last(), Some(&at(27.0)), "no permit is lost");
}

#[test]
fn a_refused_post_uses_no_permit() {
    let (limits, id) = (RateLimits::new(RATE), InstallationId::new());
    for _ in 0..10 {
        assert_eq!(limits.reserve_post(id, "C1", at(0.0)), Ok(()));
        limits.release_post(id, "C1");
    }
    assert_eq!(limits.reserve_post(InstallationId::new(), "C1", at(0.0)), Ok(()));
}
