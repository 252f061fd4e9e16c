//! When Slack may be called again: what it asked for by `Retry-After`, and our own restraint in posting.
//! One for the process, shared by every call. Knows no call's meaning.
//!
//! Slack counts posts by channel, about one a second with short bursts, and by workspace, and everything
//! else by method and workspace, but does not say which measure is full. What it asks for is kept by
//! method and channel. Where it refuses one channel after the other and takes no call between, the
//! workspace's measure is full, and the whole method waits. That several wait at a time says nothing
//! where many are busy: each may have been refused by itself.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use crate::base::ids::InstallationId;

/// Posts in a channel: one in this time,
const PACE: TimeDelta = TimeDelta::seconds(1);
/// but so many at once.
const BURST: i32 = 3;
/// So many waiting channels of a method, refused without a call taken between, mean that all of it has to.
const FULL: usize = 3;
/// Channels and methods that are remembered.
const MOST: usize = 10_000;
/// The furthest turn that is given out. Whoever comes back too early is given another.
const FURTHEST: TimeDelta = TimeDelta::minutes(5);

/// A method of an installation.
type Method = (InstallationId, &'static str);

#[derive(Debug)]
pub(super) struct Gates {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    closed: HashMap<Method, Closed>,
    posts: HashMap<(InstallationId, String), Pace>,
    /// Steps evenly through a circle, so that those who wait come back spread out.
    spread: u64,
}

/// What waits of a method.
#[derive(Debug, Default)]
struct Closed {
    /// Until when each channel waits; the empty channel is the whole method.
    until: HashMap<String, DateTime<Utc>>,
    /// The channels that were refused since a call was last taken.
    in_a_row: HashSet<String>,
}

/// The posts of a channel, as a virtual clock that each one moves on by [`PACE`].
#[derive(Clone, Copy, Debug)]
struct Pace {
    ahead: DateTime<Utc>,
    /// The last turn that was given out.
    promised: DateTime<Utc>,
}

impl Gates {
    pub(super) fn new() -> Self {
        Self {
            state: Mutex::new(State {
                closed: HashMap::new(),
                posts: HashMap::new(),
                spread: RandomState::new().hash_one("spread"),
            }),
        }
    }

    /// Lets a call pass, or says after which time to come again.
    pub(super) fn pass(&self, method: Method, channel: &str, now: DateTime<Utc>) -> Result<(), Duration> {
        let mut state = self.lock();
        let until = state.closed.get(&method).and_then(|closed| {
            let of = |channel: &str| closed.until.get(channel).copied().filter(|until| *until > now);
            of("").max(of(channel))
        });
        match until {
            Some(until) => Err(state.spread(until - now)),
            None => Ok(()),
        }
    }

    /// Takes a turn to post, or says when there will be one.
    pub(super) fn take_turn(
        &self,
        at: InstallationId,
        channel: &str,
        now: DateTime<Utc>,
    ) -> Result<(), Duration> {
        let mut state = self.lock();
        if state.posts.len() >= MOST {
            state.posts.retain(|_, pace| pace.ahead > now);
        }
        let pace = state.posts.entry((at, channel.to_owned())).or_insert(Pace {
            ahead: now,
            promised: now,
        });
        let free = pace.ahead - PACE * (BURST - 1);
        if free <= now {
            pace.ahead = pace.ahead.max(now) + PACE;
            return Ok(());
        }
        pace.promised = free.max(pace.promised + PACE).min(now + FURTHEST);
        Err((pace.promised - now).to_std().unwrap_or_default())
    }

    /// Nothing was posted after all.
    pub(super) fn give_back(&self, at: InstallationId, channel: &str) {
        if let Some(pace) = self.lock().posts.get_mut(&(at, channel.to_owned())) {
            pace.ahead -= PACE;
        }
    }

    /// Slack asks to wait. Answers when to come again.
    pub(super) fn close(
        &self,
        method: Method,
        channel: &str,
        wait: Duration,
        now: DateTime<Utc>,
    ) -> Duration {
        let mut state = self.lock();
        let wait = TimeDelta::from_std(wait).unwrap_or(FURTHEST);
        let until = now + wait;
        if state.closed.len() >= MOST {
            state
                .closed
                .retain(|_, closed| closed.until.values().any(|until| *until > now));
        }
        state
            .closed
            .entry(method)
            .or_default()
            .refuse(channel, until, now);
        state.spread(wait)
    }

    /// Slack took a call: the workspace's measure is not full.
    pub(super) fn taken(&self, method: Method) {
        if let Some(closed) = self.lock().closed.get_mut(&method) {
            closed.in_a_row.clear();
        }
    }

    /// A panic elsewhere leaves nothing half-written here.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Closed {
    fn refuse(&mut self, channel: &str, until: DateTime<Utc>, now: DateTime<Utc>) {
        self.until.retain(|_, until| *until > now);
        let kept = self.until.entry(channel.to_owned()).or_insert(until);
        *kept = until.max(*kept);
        self.in_a_row.retain(|channel| self.until.contains_key(channel));
        self.in_a_row.insert(channel.to_owned());
        if self.in_a_row.len() < FULL {
            return;
        }
        let longest = self.in_a_row.iter().filter_map(|channel| self.until.get(channel));
        if let Some(longest) = longest.max().copied() {
            let whole = self.until.entry(String::new()).or_insert(longest);
            *whole = longest.max(*whole);
        }
    }
}

impl State {
    /// A little more than `wait`: at most a quarter, or two seconds.
    fn spread(&mut self, wait: TimeDelta) -> Duration {
        // The golden ratio of the circle: the next is always far from the last ones.
        self.spread = self.spread.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let wait = wait.to_std().unwrap_or_default();
        let most = (wait / 4).clamp(Duration::from_millis(100), Duration::from_secs(2));
        let part = u32::try_from(self.spread >> 48).unwrap_or_default();
        wait + most * part / 65_536
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POST: &str = "chat.postMessage";

    fn at(seconds: f64) -> DateTime<Utc> {
        DateTime::<Utc>::UNIX_EPOCH + TimeDelta::milliseconds((seconds * 1000.0) as i64)
    }

    #[test]
    fn a_channel_that_has_to_wait_holds_up_no_other() {
        let (gates, id) = (Gates::new(), InstallationId::new());
        let wait = gates.close((id, POST), "C1", Duration::from_secs(8), at(0.0));
        assert!((8.0..=10.0).contains(&wait.as_secs_f64()), "{wait:?}");
        assert!(gates.pass((id, POST), "C1", at(7.9)).is_err());
        assert_eq!(gates.pass((id, POST), "C1", at(8.0)), Ok(()));
        for (method, channel) in [
            ((id, POST), "C2"),
            ((id, "chat.update"), "C1"),
            ((InstallationId::new(), POST), "C1"),
        ] {
            assert_eq!(gates.pass(method, channel, at(1.0)), Ok(()), "{channel}");
        }
        // A shorter request does not end a longer one.
        gates.close((id, POST), "C1", Duration::from_secs(1), at(2.0));
        assert!(gates.pass((id, POST), "C1", at(7.0)).is_err());
    }

    #[test]
    fn a_method_refused_in_one_channel_after_the_other_waits_as_a_whole() {
        let (gates, id) = (Gates::new(), InstallationId::new());
        let other = InstallationId::new();
        for (channel, wait, second) in [("C1", 8, 0.0), ("C2", 5, 1.0), ("C2", 5, 1.5), ("C3", 5, 2.0)] {
            assert_eq!(gates.pass((id, POST), "C4", at(second)), Ok(()), "{channel}");
            gates.close((id, POST), channel, Duration::from_secs(wait), at(second));
        }
        assert!(
            gates.pass((id, POST), "C4", at(7.9)).is_err(),
            "as long as any was told"
        );
        assert_eq!(gates.pass((id, POST), "C4", at(8.0)), Ok(()));
        assert_eq!(gates.pass((other, POST), "C4", at(2.0)), Ok(()));
        // What was under way when the method was closed does not open it.
        gates.taken((id, POST));
        assert!(gates.pass((id, POST), "C4", at(7.9)).is_err());
        // Refusals whose wait is over are no longer in a row with later ones.
        gates.close((id, POST), "C1", Duration::from_secs(1), at(20.0));
        gates.close((id, POST), "C2", Duration::from_secs(1), at(22.0));
        gates.close((id, POST), "C3", Duration::from_secs(1), at(24.0));
        assert_eq!(gates.pass((id, POST), "C4", at(24.1)), Ok(()));
    }

    #[test]
    fn channels_that_wait_while_others_are_answered_hold_up_nobody_else() {
        let (gates, id) = (Gates::new(), InstallationId::new());
        for n in 0..50 {
            gates.close(
                (id, POST),
                &format!("C{n}"),
                Duration::from_secs(30),
                at(f64::from(n) / 10.0),
            );
            if n % 2 == 1 {
                gates.taken((id, POST));
            }
            assert_eq!(gates.pass((id, POST), "C99", at(5.0)), Ok(()), "{n}");
        }
        for n in 0..50 {
            assert!(gates.pass((id, POST), &format!("C{n}"), at(29.9)).is_err(), "{n}");
        }
    }

    #[test]
    fn those_who_wait_come_back_spread_out() {
        let (gates, id) = (Gates::new(), InstallationId::new());
        gates.close((id, POST), "C1", Duration::from_secs(4), at(0.0));
        let mut waits: Vec<_> = (0..20)
            .filter_map(|_| gates.pass((id, POST), "C1", at(0.0)).err())
            .collect();
        waits.sort_unstable();
        waits.dedup();
        assert_eq!(waits.len(), 20, "no two at once");
        assert!(waits.iter().all(|wait| (4.0..=5.0).contains(&wait.as_secs_f64())));
    }

    #[test]
    fn posts_of_a_channel_keep_their_pace_however_many_wait() {
        let (gates, id) = (Gates::new(), InstallationId::new());
        // Each comes when it is told to, until it is its turn.
        let mut coming: Vec<(DateTime<Utc>, usize)> = (0..30).map(|n| (at(0.0), n)).collect();
        let (mut posted, mut asked) = (Vec::new(), 0);
        while let Some(next) = coming.iter().copied().min() {
            coming.retain(|one| *one != next);
            asked += 1;
            match gates.take_turn(id, "C1", next.0) {
                Ok(()) => posted.push(next.0),
                Err(wait) => coming.push((
                    next.0 + TimeDelta::from_std(wait).unwrap_or(TimeDelta::MAX),
                    next.1,
                )),
            }
        }
        assert_eq!(posted.len(), 30);
        assert!(asked <= 60, "nobody asks over and over: {asked}");
        for (n, time) in posted.iter().enumerate() {
            let within = posted
                .iter()
                .filter(|other| **other >= *time && **other < *time + PACE);
            assert!(
                usize::try_from(BURST).is_ok_and(|burst| within.count() <= burst),
                "{n}"
            );
        }
        assert_eq!(posted.last(), Some(&at(27.0)), "no turn is lost either");
    }

    #[test]
    fn what_was_not_posted_takes_no_turn() {
        let (gates, id) = (Gates::new(), InstallationId::new());
        for _ in 0..10 {
            assert_eq!(gates.take_turn(id, "C1", at(0.0)), Ok(()));
            gates.give_back(id, "C1");
        }
        assert_eq!(gates.take_turn(InstallationId::new(), "C1", at(0.0)), Ok(()));
    }
}
