//! A drill about work: one organization sends the most expensive questions, another asks a simple one meanwhile, and
//! the process is stopped in the middle of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::drill::cluster::Node;
use crate::drill::scene::Scene;
use crate::drill::stage::MEMBER;
use crate::support::{Outcome, ms, number, quantile, say};

/// The slowest percent of the other organization's questions may take this long.
const OTHERS: Duration = Duration::from_secs(2);
/// From SIGTERM to the end of the process.
const ENDS: Duration = Duration::from_secs(25);
/// Length of a question in bytes, and of a file.
const QUESTION: usize = 39_000;
const FILE: usize = 4_000_000;
const SIMPLE: &str = "NOI 1.285m, annual debt service 968k. DSCR?";
const OTHER: &str = "otto@other.example";

/// A question that is sent with a key.
#[derive(Clone)]
struct Sender {
    client: reqwest::Client,
    url: String,
    key: String,
}

impl Sender {
    async fn send(&self, body: &Value) -> Outcome<Value> {
        let sent = self
            .client
            .post(&self.url)
            .bearer_auth(&self.key)
            .json(body)
            .send()
            .await?;
        let status = sent.status();
        let text = sent.text().await?;
        if status.is_success() {
            Ok(serde_json::from_str(&text)?)
        } else {
            Err(format!("a question was answered {status}: {text}").into())
        }
    }

    /// Asks the simple question, and returns the time until its answer.
    async fn simple(&self) -> Outcome<Duration> {
        let since = Instant::now();
        let answer = self.send(&json!({ "question": SIMPLE, "wait": true })).await?;
        if answer
            .pointer("/figures/0/value")
            .and_then(Value::as_f64)
            .is_none()
        {
            return Err(format!("no figure in time: {answer}").into());
        }
        Ok(since.elapsed())
    }
}

impl Scene {
    /// `CORBEL_BENCH_ROUNDS`: how often the ten questions are sent, 2.
    pub async fn worst(&mut self) -> Outcome<Vec<String>> {
        let other = self.setting.run(&["admin", "org", "create", "--name", "Other"])?;
        let other = other
            .get("orgId")
            .and_then(Value::as_str)
            .ok_or("no organization")?;
        self.setting.run(&[
            "admin", "user", "create", "--org", other, "--email", OTHER, "--name", "Otto",
        ])?;
        self.setting
            .run(&["admin", "credit", "add", "--org", other, "--usd", "1000"])?;
        let node = self.nodes.first_mut().ok_or("a process")?;
        node.start()?;
        node.listening().await?;
        let listen = node.listen.clone();
        let (attacker, asker) = (
            self.sender(&listen, &self.stage.org, MEMBER)?,
            self.sender(&listen, other, OTHER)?,
        );
        let mut alone = Vec::new();
        for _ in 0..20 {
            alone.push(asker.simple().await?);
        }
        alone.sort_unstable();
        let before = self.resident()?;
        let (mut times, mut peak, mut refused) = (Vec::new(), before, 0);
        for _ in 0..number("CORBEL_BENCH_ROUNDS", 2)? {
            let done = Arc::new(AtomicBool::new(false));
            let attacking = tokio::spawn({
                let (attacker, done) = (attacker.clone(), Arc::clone(&done));
                async move {
                    let refused = attack(&attacker).await;
                    done.store(true, Ordering::Relaxed);
                    refused
                }
            });
            let since = Instant::now();
            while !done.load(Ordering::Relaxed) || since.elapsed() < Duration::from_secs(30) {
                times.push(asker.simple().await?);
                peak = peak.max(self.resident()?);
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            refused += attacking.await?;
        }
        times.sort_unstable();
        let slow = quantile(&times, 0.99);
        say(format!(
            "  alone: p50 {:.0} ms; during the ten worst questions: {} asked, p50 {:.0} ms, p99 {:.0} ms, slowest \
             {:.0} ms; {refused} of the worst were refused",
            ms(quantile(&alone, 0.5)),
            times.len(),
            ms(quantile(&times, 0.5)),
            ms(slow),
            ms(quantile(&times, 1.0)),
        ))?;
        let mut violations = Vec::new();
        if slow > OTHERS {
            violations.push(format!("the other organization waited {slow:.1?}"));
        }
        tokio::spawn(async move { attack(&attacker).await });
        tokio::time::sleep(Duration::from_secs(5)).await;
        peak = peak.max(self.resident()?);
        let node = self.nodes.first_mut().ok_or("a process")?;
        let (status, took) = node.terminate().await?;
        say(format!(
            "  resident: {} MiB before, {} MiB at most; SIGTERM to the end {:.1} s, {status}",
            before >> 10,
            peak >> 10,
            took.as_secs_f64()
        ))?;
        if took > ENDS {
            violations.push(format!("the process ended {took:.1?} after SIGTERM"));
        }
        Ok(violations)
    }

    fn resident(&self) -> Outcome<u64> {
        let resident = self.nodes.first().and_then(Node::resident);
        Ok(resident.ok_or("its memory is unknown")?)
    }

    fn sender(&self, listen: &str, org: &str, owner: &str) -> Outcome<Sender> {
        let made = self.setting.run(&[
            "admin",
            "key",
            "create",
            "--org",
            org,
            "--owner",
            owner,
            "--environment",
            "production",
            "--name",
            "Worst",
        ])?;
        let key = made.get("secret").and_then(Value::as_str).ok_or("no key")?;
        #[expect(
            clippy::disallowed_methods,
            reason = "drills speak to the program from outside"
        )]
        let client = reqwest::Client::builder().no_proxy().build()?;
        Ok(Sender {
            client,
            url: format!("http://{listen}/users/run-models"),
            key: key.to_owned(),
        })
    }
}

/// Sends the ten questions at once, and returns how many were refused.
async fn attack(attacker: &Sender) -> usize {
    let mut sending = JoinSet::new();
    for body in worst() {
        let attacker = attacker.clone();
        sending.spawn(async move { attacker.send(&body).await.is_err() });
    }
    let mut refused = 0;
    while let Some(sent) = sending.join_next().await {
        refused += usize::from(sent.unwrap_or(true));
    }
    refused
}

/// The ten questions: shapes of text and of tables that were expensive, at the largest size that is accepted.
fn worst() -> Vec<Value> {
    let asked = |head: &str, line: &str| json!({ "question": repeated(QUESTION, head, |_| line.to_owned()) });
    let filed = |question: &str, name: &str, text: String| {
        let file =
            json!({ "filename": name, "contentBase64": STANDARD.encode(text), "mimeType": "text/plain" });
        json!({ "question": question, "filesBase64": [file] })
    };
    vec![
        asked("NOI\n", ","),
        asked("NOI\n", "a|b"),
        asked("What is the NOI?\n", "7"),
        asked("", "NOI 1.2m, cap rate 6%, and debt service 900k"),
        asked("", "(cap rate ["),
        filed(
            "How full is it?",
            "roll.csv",
            repeated(FILE, "Unit,Tenant,Rent,Lease end,Status\n", |n| {
                format!("{n},Tenant {n},{},2027-01-31,Occupied", 1000 + n % 700)
            }),
        ),
        filed(
            "What is the NOI?",
            "levels.csv",
            repeated(FILE, "Level,Account,Total\n", |n| {
                format!("{},Repairs {n},12", n % 500)
            }),
        ),
        filed(
            "What does it say?",
            "prose.txt",
            repeated(FILE, "", |n| {
                format!("The tenant, number {n}, pays {n} dollars, due monthly")
            }),
        ),
        filed(
            "What is the NOI?",
            "ledger.csv",
            repeated(FILE, "Date,Account,Amount\n", |n| {
                format!("2025-{:02}-01,Repairs {},12", n % 12 + 1, n / 12)
            }),
        ),
        filed("What is the total rent?", "wide.csv", {
            let names = (0..200_000)
                .map(|n| format!("C{n}"))
                .collect::<Vec<_>>()
                .join(",");
            format!("Unit,{names}\n1,{0}\n2,{0}\n", "1,".repeat(200_000))
        }),
    ]
}

fn repeated(length: usize, head: &str, line: impl Fn(usize) -> String) -> String {
    let mut text = head.to_owned();
    for n in 0.. {
        let next = line(n);
        if text.len() + next.len() >= length {
            break;
        }
        text.push_str(&next);
        text.push('\n');
    }
    text
}
