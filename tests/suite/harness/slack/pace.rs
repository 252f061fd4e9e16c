//! Slack's pace: who called although they were told to wait, how fast was posted in a channel, and when
//! each post came to its last words. Knows no method but the two that post and replace.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::Logged;

/// What was on its way when Slack asked to wait is no fault of the caller's.
const UNDERWAY: Duration = Duration::from_millis(250);

#[derive(Default)]
pub struct Pace {
    /// When each method and channel was told to wait, and until when.
    told: HashMap<(String, String), (Instant, Instant)>,
    pub told_times: usize,
    /// Calls that came too early.
    pub early: Vec<String>,
    posts: HashMap<String, Vec<Instant>>,
    /// By the post's time.
    last_words: HashMap<String, Instant>,
}

impl Pace {
    pub fn called(&mut self, call: &Logged) {
        let now = Instant::now();
        if let Some((since, until)) = self.told.get(&key(call))
            && now > *since + UNDERWAY
            && now < *until
        {
            self.early.push(format!("{} in {}", call.method, key(call).1));
        }
    }

    pub fn told_to_wait(&mut self, call: &Logged, seconds: u64) {
        self.told_times += 1;
        let now = Instant::now();
        self.told
            .insert(key(call), (now, now + Duration::from_secs(seconds)));
    }

    pub fn posted(&mut self, channel: &str) {
        self.posts
            .entry(channel.to_owned())
            .or_default()
            .push(Instant::now());
    }

    pub fn said(&mut self, ts: &str) {
        self.last_words.entry(ts.to_owned()).or_insert_with(Instant::now);
    }

    pub fn said_at(&self, ts: &str) -> Option<Instant> {
        self.last_words.get(ts).copied()
    }

    /// The most posts of any channel within such a time.
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
