//! Clients that start runs over HTTP at every process. A client without a reply looks for the turn by the
//! digest of its question before asking again, as the API contract requires. In the end, every acknowledged
//! turn must have ended.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use corbel::sessions::model::digest;
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, JoinSet};

use crate::drill::chance::Chance;
use crate::drill::cluster::Setting;
use crate::drill::stage::{MEMBER, Stage};
use crate::support::{Outcome, say};

/// Maximum number of concurrent requests.
const MAX_CONCURRENT: usize = 24;

#[derive(Clone)]
pub struct Asking {
    shared: Arc<Shared>,
}

struct Shared {
    client: reqwest::Client,
    key: String,
    targets: Vec<String>,
    /// Turns by the number of their question.
    acknowledged: Mutex<BTreeMap<usize, String>>,
    unexpected: Mutex<Vec<String>>,
    begun: AtomicUsize,
    posted: AtomicUsize,
    /// Requests without a reply, and how many of them had created a turn.
    unknown: AtomicUsize,
    found: AtomicUsize,
    stop: AtomicBool,
}

impl Asking {
    pub fn new(setting: &Setting, stage: &Stage, targets: Vec<String>) -> Outcome<Self> {
        let made = setting.run(&[
            "admin",
            "key",
            "create",
            "--org",
            &stage.org,
            "--owner",
            MEMBER,
            "--environment",
            "production",
            "--name",
            "Drill",
        ])?;
        let key = made.get("secret").and_then(Value::as_str).ok_or("no key")?;
        #[expect(
            clippy::disallowed_methods,
            reason = "drills speak to the program from outside"
        )]
        let client = reqwest::Client::builder()
            .no_proxy()
            .timeout(Duration::from_secs(5))
            .build()?;
        let shared = Shared {
            client,
            key: key.to_owned(),
            targets,
            acknowledged: Mutex::default(),
            unexpected: Mutex::default(),
            begun: AtomicUsize::new(0),
            posted: AtomicUsize::new(0),
            unknown: AtomicUsize::new(0),
            found: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
        };
        Ok(Self {
            shared: Arc::new(shared),
        })
    }

    /// Sends about `per_second` requests until stopped. Ends once all of them are acknowledged.
    pub fn start(&self, per_second: u64, mut chance: Chance) -> JoinHandle<()> {
        let asking = self.clone();
        tokio::spawn(async move {
            let places = Arc::new(Semaphore::new(MAX_CONCURRENT));
            let mut tasks = JoinSet::new();
            while !asking.is_stopped() {
                let pause = chance.within(0, 2_000_000 / per_second.max(1));
                tokio::time::sleep(Duration::from_micros(pause)).await;
                let Ok(place) = Arc::clone(&places).acquire_owned().await else {
                    return;
                };
                let n = asking.shared.begun.fetch_add(1, Ordering::Relaxed);
                let (asking, mut chance) = (asking.clone(), chance.branch());
                tasks.spawn(async move {
                    asking.until_acknowledged(n, &mut chance).await;
                    drop(place);
                });
                while tasks.try_join_next().is_some() {}
            }
            while tasks.join_next().await.is_some() {}
        })
    }

    /// Stops new questions; running requests continue.
    pub fn stop(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
    }

    async fn until_acknowledged(&self, n: usize, chance: &mut Chance) {
        let question = format!("What is the DSCR with NOI of {n} and annual debt service of 1000?");
        loop {
            let acknowledged = match self.post(&question, chance).await {
                Reply::Turn(id) => Some(id),
                Reply::Busy => None,
                Reply::Wrong => return,
                Reply::None => {
                    self.shared.unknown.fetch_add(1, Ordering::Relaxed);
                    let found = self.find(&question, chance).await;
                    self.shared
                        .found
                        .fetch_add(usize::from(found.is_some()), Ordering::Relaxed);
                    found
                }
            };
            if let Some(id) = acknowledged {
                lock(&self.shared.acknowledged).insert(n, id);
                return;
            }
            tokio::time::sleep(Duration::from_millis(chance.within(20, 150))).await;
        }
    }

    async fn post(&self, question: &str, chance: &mut Chance) -> Reply {
        self.shared.posted.fetch_add(1, Ordering::Relaxed);
        let url = format!("{}/users/run-models", self.any(chance));
        let request = self
            .shared
            .client
            .post(url)
            .json(&json!({ "question": question }));
        self.reply(request, StatusCode::ACCEPTED, "/messageId").await
    }

    /// Asks processes until one answers. `None` if it has no such turn.
    async fn find(&self, question: &str, chance: &mut Chance) -> Option<String> {
        let digest = hex::encode(digest(question));
        loop {
            let url = format!(
                "{}/users/me/chat-messages?questionDigest={digest}",
                self.any(chance)
            );
            match self
                .reply(
                    self.shared.client.get(url),
                    StatusCode::OK,
                    "/messages/0/messageId",
                )
                .await
            {
                Reply::Turn(id) => return Some(id).filter(|id| !id.is_empty()),
                Reply::Wrong => return None,
                Reply::Busy | Reply::None => {
                    tokio::time::sleep(Duration::from_millis(chance.within(20, 150))).await;
                }
            }
        }
    }

    fn any(&self, chance: &mut Chance) -> String {
        let targets = &self.shared.targets;
        let at = usize::try_from(chance.within(0, targets.len() as u64)).unwrap_or_default();
        format!("http://{}", targets.get(at).map_or("", String::as_str))
    }

    /// The text at `pointer` of a response with this status, or an empty text.
    async fn reply(&self, request: reqwest::RequestBuilder, status: StatusCode, pointer: &str) -> Reply {
        let Ok(answer) = request.bearer_auth(&self.shared.key).send().await else {
            return Reply::None;
        };
        let got = answer.status();
        // The process was killed between head and body.
        let Ok(text) = answer.text().await else {
            return Reply::None;
        };
        if got == StatusCode::SERVICE_UNAVAILABLE {
            return Reply::Busy;
        }
        if got != status {
            lock(&self.shared.unexpected).push(format!("a run was answered {got}: {text}"));
            return Reply::Wrong;
        }
        let body: Value = serde_json::from_str(&text).unwrap_or_default();
        let id = body.pointer(pointer).and_then(Value::as_str);
        Reply::Turn(id.unwrap_or_default().to_owned())
    }

    /// The time to read an acknowledged turn, if the response is right.
    pub async fn read_time(&self) -> Outcome<Option<Duration>> {
        let id = lock(&self.shared.acknowledged).values().next().cloned();
        let (id, target) = (
            id.ok_or("no run yet")?,
            self.shared.targets.first().ok_or("no process")?,
        );
        let since = Instant::now();
        let url = format!("http://{target}/users/me/chat-messages/{id}");
        let answer = self
            .shared
            .client
            .get(url)
            .bearer_auth(&self.shared.key)
            .send()
            .await;
        let read = answer.is_ok_and(|answer| answer.status() == StatusCode::OK);
        Ok(read.then(|| since.elapsed()))
    }

    /// Checks that every acknowledged turn exists and has ended, and that the servers are up and idle.
    pub async fn judge(&self) -> Outcome<Vec<String>> {
        let mut violations = lock(&self.shared.unexpected).clone();
        let acknowledged = lock(&self.shared.acknowledged).clone();
        let (mut completed, mut failed) = (0, 0);
        let target = self.shared.targets.first().ok_or("there is no process")?;
        for (n, id) in &acknowledged {
            let url = format!("http://{target}/users/me/chat-messages/{id}");
            let answer = self.shared.client.get(url).bearer_auth(&self.shared.key);
            let answer = answer.send().await?;
            let status = answer.status();
            let text = answer.text().await?;
            let turn: Value = serde_json::from_str(&text).unwrap_or_default();
            match turn.get("status").and_then(Value::as_str) {
                Some("completed") => completed += 1,
                Some("failed") => failed += 1,
                _ => violations.push(format!(
                    "run {n} was acknowledged; its turn {id}: {status} {text}"
                )),
            }
        }
        let of = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        let begun = of(&self.shared.begun);
        if acknowledged.len() != begun && violations.is_empty() {
            violations.push(format!(
                "{} of {begun} runs over HTTP were acknowledged",
                acknowledged.len()
            ));
        }
        say(format!(
            "  {begun} runs over HTTP in {} requests, {} without a reply, of which {} had left a turn: {completed} \
             completed, {failed} failed",
            of(&self.shared.posted),
            of(&self.shared.unknown),
            of(&self.shared.found),
        ))?;
        Ok(violations)
    }
}

enum Reply {
    Turn(String),
    Busy,
    /// A response that none of our requests should get.
    Wrong,
    None,
}

fn lock<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
