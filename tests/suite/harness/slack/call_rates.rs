//! Records call rates: calls made before `Retry-After` has passed, the post rate of each channel, and when each post
//! got its final text. Depends on no method other than those that post and update.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::Logged;

/// A call that was in flight when Slack responded with `Retry-After` is not counted as early.
const IN_FLIGHT: Duration = Duration::from_millis(250);

#[derive(Default)]
pub struct CallRates {
    /// When each method and channel was rate limited, and until when.
    limited: HashMap<(String, String), (Instant, Instant)>,
    pub limited_count: usize,
    /// Calls that were sent too early.
    pub early: Vec<String>,
    posts: HashMap<String, Vec<Instant>>,
    /// By the post's `ts`.
    final_texts: HashMap<String, Instant>,
}

impl CallRates {
    pub fn called(&mut self, call: &Logged) {
        let now = Instant::now();
        if let Some((since, until)) = self.limited.get(&key(call))
            && now > *since + IN_FLIGHT
            && now < *until
        {
            self.early.push(format!("{} in {}", call.method, key(call).1));
        }
    }

    pub fn rate_limited(&mut self, call: &Logged, seconds: u64) {
        self.limited_count += 1;
        let now = Instant::now();
        self.limited
            .insert(key(call), (now, now + Duration::from_secs(seconds)));
    }

    pub fn posted(&mut self, channel: &str) {
        self.posts
            .entry(channel.to_owned())
            .or_default()
            .push(Instant::now());
    }

    pub fn updated(&mut self, ts: &str) {
        self.final_texts.entry(ts.to_owned()).or_insert_with(Instant::now);
    }

    pub fn updated_at(&self, ts: &str) -> Option<Instant> {
        self.final_texts.get(ts).copied()
    }

    /// The highest number of posts in any channel within this time.
    pub fn most_posts_within(&self, time: Duration) -> usize {
        let most = |posts: &Vec<Instant>| {
            let from = |first: &Instant| {
                posts
                    .iter()
                    .filter(|post| *post >= first && **post < *first + time)
                    .count()
            };
            posts.iter().map(from).max().unwrap_or_default()
        };
        self.posts.values().map(most).max().unwrap_or_default()
    }
}

fn key(call: &Logged) -> (String, String) {
    let channel = call.arg("channel").or_else(|| call.arg("channel_id"));
    (call.method.clone(), channel.unwrap_or_default().to_owned())
}
