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
pub const PACE: TimeDelta = TimeDelta::seconds(1);
/// but so many at once.
pub const BURST: i32 = 3;
/// So many waiting channels of a method, refused without a call taken between, mean that all of it has to.
const FULL: usize = 3;
/// Channels and methods that are remembered.
const MOST: usize = 10_000;
/// The furthest turn that is given out. Whoever comes back too early is given another.
const FURTHEST: TimeDelta = TimeDelta::minutes(5);

/// A method of an installation.
type Method = (InstallationId, &'static str);

#[derive(Debug)]
pub struct RateLimits {
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

impl Default for RateLimits {
    fn default() -> Self {
        Self {
            state: Mutex::new(State {
                closed: HashMap::new(),
                posts: HashMap::new(),
                spread: RandomState::new().hash_one("spread"),
            }),
        }
    }
}

impl RateLimits {
    /// Lets a call pass, or says after which time to come again.
    pub fn pass(&self, method: Method, channel: &str, now: DateTime<Utc>) -> Result<(), Duration> {
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
    pub fn take_turn(&self, at: InstallationId, channel: &str, now: DateTime<Utc>) -> Result<(), Duration> {
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
    pub fn give_back(&self, at: InstallationId, channel: &str) {
        if let Some(pace) = self.lock().posts.get_mut(&(at, channel.to_owned())) {
            pace.ahead -= PACE;
        }
    }

    /// Slack asks to wait. Answers when to come again.
    pub fn close(&self, method: Method, channel: &str, wait: Duration, now: DateTime<Utc>) -> Duration {
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
    pub fn taken(&self, method: Method) {
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
