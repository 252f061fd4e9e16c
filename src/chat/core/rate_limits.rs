//! When a platform may be called again: the waits it asked for, and our own limit on posts. One for the process,
//! shared by all calls to a platform. Does not depend on what a call does.
//!
//! Platforms count posts by conversation, and everything by method and installation, but do not say which limit
//! was exceeded. A wait is therefore kept by method and conversation. Where one conversation after another is
//! refused and no call succeeds in between, the limit of the whole method is exceeded, and the whole method waits.
//! That several conversations wait at the same time means nothing while others succeed: each may have exceeded its
//! own limit.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use crate::base::ids::InstallationId;

/// So many conversations refused without a success in between mean that the whole method has to wait.
const CONSECUTIVE_REFUSALS: usize = 3;
/// Conversations and methods that are remembered.
const MAX_ENTRIES: usize = 10_000;
/// Longest wait for a post. A caller that comes back too early gets another one.
const MAX_WAIT: TimeDelta = TimeDelta::minutes(5);

/// A method of a platform's API, called for an installation.
pub type Method = (InstallationId, &'static str);

/// How often a platform lets an app post in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostRate {
    /// One post in this time on average,
    pub interval: TimeDelta,
    /// but so many at once.
    pub burst: i32,
}

#[derive(Debug)]
pub struct RateLimits {
    rate: PostRate,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    blocked: HashMap<Method, Blocked>,
    posts: HashMap<(InstallationId, String), PostClock>,
    /// Moves evenly around a circle, so that waiting callers come back at different times.
    jitter: u64,
}

/// The waits of one method.
#[derive(Debug, Default)]
struct Blocked {
    /// Until when each conversation waits; the empty conversation is the whole method.
    until: HashMap<String, DateTime<Utc>>,
    /// The conversations that were refused since a call last succeeded.
    consecutive: HashSet<String>,
}

/// The posts of a conversation, as a virtual clock that each post moves on by the interval.
#[derive(Clone, Copy, Debug)]
struct PostClock {
    ahead: DateTime<Utc>,
    /// The last slot that was promised to a waiting caller.
    promised: DateTime<Utc>,
}

impl RateLimits {
    pub fn new(rate: PostRate) -> Self {
        Self {
            rate,
            state: Mutex::new(State {
                blocked: HashMap::new(),
                posts: HashMap::new(),
                jitter: RandomState::new().hash_one("jitter"),
            }),
        }
    }

    /// Whether a call may be made now; else how long to wait.
    pub fn check(&self, method: Method, conversation: &str, now: DateTime<Utc>) -> Result<(), Duration> {
        let mut state = self.lock();
        let until = state.blocked.get(&method).and_then(|blocked| {
            let of = |conversation: &str| {
                let until = blocked.until.get(conversation).copied();
                until.filter(|until| *until > now)
            };
            of("").max(of(conversation))
        });
        match until {
            Some(until) => Err(state.with_jitter(until - now)),
            None => Ok(()),
        }
    }

    /// Reserves a post, or says how long to wait for one.
    pub fn reserve_post(
        &self,
        at: InstallationId,
        conversation: &str,
        now: DateTime<Utc>,
    ) -> Result<(), Duration> {
        let PostRate { interval, burst } = self.rate;
        let mut state = self.lock();
        if state.posts.len() >= MAX_ENTRIES {
            state.posts.retain(|_, clock| clock.ahead > now);
        }
        let clock = state
            .posts
            .entry((at, conversation.to_owned()))
            .or_insert(PostClock {
                ahead: now,
                promised: now,
            });
        let free = clock.ahead - interval * (burst - 1);
        if free <= now {
            clock.ahead = clock.ahead.max(now) + interval;
            return Ok(());
        }
        clock.promised = free.max(clock.promised + interval).min(now + MAX_WAIT);
        Err((clock.promised - now).to_std().unwrap_or_default())
    }

    /// Returns a reserved post that was not made.
    pub fn release_post(&self, at: InstallationId, conversation: &str) {
        if let Some(clock) = self.lock().posts.get_mut(&(at, conversation.to_owned())) {
            clock.ahead -= self.rate.interval;
        }
    }

    /// The platform asked to wait. Returns how long the caller should wait.
    pub fn block(&self, method: Method, conversation: &str, wait: Duration, now: DateTime<Utc>) -> Duration {
        let mut state = self.lock();
        let wait = TimeDelta::from_std(wait).unwrap_or(MAX_WAIT);
        let until = now + wait;
        if state.blocked.len() >= MAX_ENTRIES {
            state
                .blocked
                .retain(|_, blocked| blocked.until.values().any(|until| *until > now));
        }
        state
            .blocked
            .entry(method)
            .or_default()
            .add(conversation, until, now);
        state.with_jitter(wait)
    }

    /// A call succeeded: the limit of the whole method is not exceeded.
    pub fn record_success(&self, method: Method) {
        if let Some(blocked) = self.lock().blocked.get_mut(&method) {
            blocked.consecutive.clear();
        }
    }

    /// The state is consistent even after a panic in another thread.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Blocked {
    fn add(&mut self, conversation: &str, until: DateTime<Utc>, now: DateTime<Utc>) {
        self.until.retain(|_, until| *until > now);
        let longest = self.until.entry(conversation.to_owned()).or_insert(until);
        *longest = until.max(*longest);
        self.consecutive
            .retain(|conversation| self.until.contains_key(conversation));
        self.consecutive.insert(conversation.to_owned());
        if self.consecutive.len() < CONSECUTIVE_REFUSALS {
            return;
        }
        let waits = self.consecutive.iter();
        let waits = waits.filter_map(|conversation| self.until.get(conversation));
        if let Some(longest) = waits.max().copied() {
            let all = self.until.entry(String::new()).or_insert(longest);
            *all = longest.max(*all);
        }
    }
}

impl State {
    /// A little more than `wait`: at most a quarter, or two seconds.
    fn with_jitter(&mut self, wait: TimeDelta) -> Duration {
        // Steps of the golden ratio keep each value far from the last ones.
        self.jitter = self.jitter.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let wait = wait.to_std().unwrap_or_default();
        let most = (wait / 4).clamp(Duration::from_millis(100), Duration::from_secs(2));
        let part = u32::try_from(self.jitter >> 48).unwrap_or_default();
        wait + most * part / 65_536
    }
}
