//! People who write in a chat, and Slack's events about it: signed, some sent several times and to several
//! processes, and repeated until acknowledged. Does not judge the results.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use corbel::base::clock::Clock;
use corbel::chat::core::say;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, JoinSet};

use crate::drill::chance::Chance;
use crate::harness::slack::requests::{Said, signed};
use crate::harness::slack::{ALICE, BOB, CHANNEL, DM, FakeSlack, Message, SECRET};
use crate::support::Outcome;

const QUESTION: &str = "NOI 1.285m, annual debt service 968k. DSCR?";
const MENTION: &str = "<@U0BOT> NOI 1.285m, annual debt service 968k. DSCR?";
const VALUE: &str = "What is a building with $918,000 of NOI worth at a 6.25% cap?";
const FOLLOW_UP: &str = "and at 6%?";
/// Maximum number of concurrent events.
const MAX_CONCURRENT: usize = 24;

/// A message and its outcome.
#[derive(Clone, Debug)]
pub struct Sent {
    /// Its conversation and time.
    pub key: String,
    pub thread: String,
    /// Whether it starts a thread.
    pub opens: bool,
    pub acknowledged: Option<Instant>,
    /// For a message that starts a thread: when the fake workspace first showed its answer.
    pub answered: Option<Instant>,
}

/// Counters of the requests.
#[derive(Debug, Default)]
pub struct Counts {
    pub requests: AtomicUsize,
    pub acknowledgements: AtomicUsize,
    pub unreachable: AtomicUsize,
    pub busy: AtomicUsize,
}

impl Counts {
    pub fn busy(&self) -> usize {
        self.busy.load(Ordering::Relaxed)
    }
}

struct Shared {
    slack: FakeSlack,
    client: reqwest::Client,
    path: String,
    sent: Mutex<Vec<Sent>>,
    counts: Counts,
    unexpected: Mutex<Vec<String>>,
    stop: AtomicBool,
    give_up: AtomicBool,
}

/// Cheap to clone.
#[derive(Clone)]
pub struct Load {
    shared: Arc<Shared>,
    pub targets: Arc<[String]>,
}

impl Load {
    pub fn new(slack: FakeSlack, path: String, targets: Vec<String>) -> Outcome<Self> {
        #[expect(
            clippy::disallowed_methods,
            reason = "drills speak to the program from outside"
        )]
        let client = reqwest::Client::builder()
            .no_proxy()
            .timeout(Duration::from_secs(3))
            .build()?;
        let shared = Shared {
            slack,
            client,
            path,
            sent: Mutex::default(),
            counts: Counts::default(),
            unexpected: Mutex::default(),
            stop: AtomicBool::new(false),
            give_up: AtomicBool::new(false),
        };
        Ok(Self {
            shared: Arc::new(shared),
            targets: targets.into(),
        })
    }

    pub fn counts(&self) -> &Counts {
        &self.shared.counts
    }

    pub fn sent(&self) -> Vec<Sent> {
        lock(&self.shared.sent).clone()
    }

    /// Error responses that no event should get.
    pub fn unexpected(&self) -> Vec<String> {
        lock(&self.shared.unexpected).clone()
    }

    /// Sends about `per_second` messages until stopped. Ends once all of them are acknowledged.
    pub fn start(&self, per_second: u64, mut chance: Chance) -> JoinHandle<()> {
        let load = self.clone();
        tokio::spawn(async move {
            let places = Arc::new(Semaphore::new(MAX_CONCURRENT));
            let mut tasks = JoinSet::new();
            while !load.shared.stop.load(Ordering::Relaxed) {
                let pause = chance.within(0, 2_000_000 / per_second.max(1));
                tokio::time::sleep(Duration::from_micros(pause)).await;
                let Ok(place) = Arc::clone(&places).acquire_owned().await else {
                    return;
                };
                let (load, mut chance) = (load.clone(), chance.branch());
                tasks.spawn(async move {
                    load.speak(&mut chance).await;
                    drop(place);
                });
                while tasks.try_join_next().is_some() {}
            }
            while tasks.join_next().await.is_some() {}
        })
    }

    /// Sends `count` messages at once, all to one process.
    pub async fn burst(&self, count: usize, chance: &mut Chance) {
        let mut tasks = JoinSet::new();
        for _ in 0..count {
            let (load, mut chance) = (self.clone(), chance.branch());
            tasks.spawn(async move { load.speak(&mut chance).await });
        }
        while tasks.join_next().await.is_some() {}
    }

    /// The same load, with all events sent to `targets`.
    #[must_use]
    pub fn to(&self, targets: &[String]) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            targets: targets.into(),
        }
    }

    /// Stops new messages. Those already written are still sent until acknowledged.
    pub fn stop(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
    }

    /// Also stops sending the remaining messages.
    pub fn give_up(&self) {
        self.stop();
        self.shared.give_up.store(true, Ordering::Relaxed);
    }

    /// Records when answers appear, until aborted.
    pub fn watch(&self) -> JoinHandle<()> {
        let load = self.clone();
        tokio::spawn(async move {
            loop {
                load.record_answers();
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        })
    }

    fn record_answers(&self) {
        let now = Instant::now();
        let channels = [DM, CHANNEL].map(|channel| self.shared.slack.messages(channel));
        let finals = channels.iter().flatten().filter(|message| is_final(message));
        let answered: HashMap<&str, ()> = finals
            .filter_map(|message| Some((message.thread.as_deref()?, ())))
            .collect();
        for sent in lock(&self.shared.sent).iter_mut() {
            if sent.opens && sent.answered.is_none() && answered.contains_key(sent.thread.as_str()) {
                sent.answered = Some(now);
            }
        }
    }

    /// The number of thread-starting messages without an answer.
    pub fn unanswered(&self) -> usize {
        self.record_answers();
        lock(&self.shared.sent)
            .iter()
            .filter(|sent| sent.opens && sent.answered.is_none())
            .count()
    }

    async fn speak(&self, chance: &mut Chance) {
        let slack = &self.shared.slack;
        let person = if chance.one_in(2) { ALICE } else { BOB };
        let earlier = self.an_answered_thread(chance);
        let (said, event) = match (chance.within(0, 10), earlier) {
            (0..4, _) => {
                let said = slack.says(DM, ALICE, if chance.one_in(4) { VALUE } else { QUESTION });
                (said.clone(), said.message())
            }
            (4..6, Some(thread)) => {
                let said = slack.replies(DM, ALICE, &thread, FOLLOW_UP);
                (said.clone(), said.message())
            }
            _ => {
                let said = slack.says(CHANNEL, person, MENTION);
                (said.clone(), said.mention())
            }
        };
        let at = self.note(&said);
        // A mention may also arrive as an ordinary message, in either order.
        let twin = (said.channel == CHANNEL && chance.one_in(3)).then(|| said.message());
        let (mut first, mut second) = (chance.branch(), chance.branch());
        tokio::join!(self.until_acknowledged(at, &event, &mut first), async {
            if let Some(twin) = &twin {
                self.until_acknowledged(at, twin, &mut second).await;
            } else if chance.one_in(4) {
                self.until_acknowledged(at, &event, &mut second).await;
            }
        });
        let copies = if chance.one_in(4) { chance.within(1, 4) } else { 0 };
        for _ in 0..copies {
            tokio::time::sleep(Duration::from_millis(chance.within(0, 300))).await;
            self.post(&event, chance).await;
        }
    }

    fn note(&self, said: &Said) -> usize {
        let mut all = lock(&self.shared.sent);
        all.push(Sent {
            key: format!("{}/{}", said.channel, said.ts),
            thread: said.thread().to_owned(),
            opens: said.thread.is_none(),
            acknowledged: None,
            answered: None,
        });
        all.len() - 1
    }

    fn an_answered_thread(&self, chance: &mut Chance) -> Option<String> {
        let all = lock(&self.shared.sent);
        let of_alice = format!("{DM}/");
        let recent = all
            .iter()
            .rev()
            .take(40)
            .filter(|sent| sent.answered.is_some() && sent.key.starts_with(&of_alice));
        let threads: Vec<&str> = recent.map(|sent| sent.thread.as_str()).collect();
        let at = usize::try_from(chance.within(0, threads.len().max(1) as u64)).ok()?;
        threads.get(at).map(|thread| (*thread).to_owned())
    }

    /// Sends an event until it is acknowledged, with shorter pauses than Slack's.
    async fn until_acknowledged(&self, at: usize, event: &Value, chance: &mut Chance) {
        while !self.shared.give_up.load(Ordering::Relaxed) {
            if self.post(event, chance).await == Some(200) {
                if let Some(sent) = lock(&self.shared.sent).get_mut(at) {
                    sent.acknowledged.get_or_insert_with(Instant::now);
                }
                return;
            }
            tokio::time::sleep(Duration::from_millis(chance.within(20, 150))).await;
        }
    }

    async fn post(&self, event: &Value, chance: &mut Chance) -> Option<u16> {
        let counts = &self.shared.counts;
        let at = usize::try_from(chance.within(0, self.targets.len() as u64)).ok()?;
        let url = format!("http://{}{}", self.targets.get(at)?, self.shared.path);
        let body = event.to_string();
        let headers = signed(SECRET, Clock::system().now().timestamp(), body.as_bytes());
        counts.requests.fetch_add(1, Ordering::Relaxed);
        let Ok(reply) = self
            .shared
            .client
            .post(url)
            .headers(headers)
            .body(body)
            .send()
            .await
        else {
            counts.unreachable.fetch_add(1, Ordering::Relaxed);
            return None;
        };
        let status = reply.status().as_u16();
        match status {
            200 => counts.acknowledgements.fetch_add(1, Ordering::Relaxed),
            503 => counts.busy.fetch_add(1, Ordering::Relaxed),
            _ => {
                let text = reply.text().await.unwrap_or_default();
                lock(&self.shared.unexpected).push(format!("an event was answered {status}: {text}"));
                0
            }
        };
        Some(status)
    }
}

/// Whether the message is more than a placeholder.
pub fn is_final(message: &Message) -> bool {
    message.by_bot && message.shown() != say::placeholder().text
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
