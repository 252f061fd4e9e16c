//! Checks the results once all work has ended: the database, the command line and the fake workspace agree
//! that each event was answered once and each run was charged once.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant};

use corbel::assistants::model::{DeliveryKind, DeliveryState};
use corbel::base::clock::Clock;
use corbel::base::ids::{DeliveryId, InboxId, JobId, MessageId};
use corbel::db::pool::Db;
use corbel::sessions::model::Status;
use serde_json::Value;
use sqlx::types::Json;

use crate::drill::cluster::Setting;
use crate::drill::load::{Sent, is_final};
use crate::drill::stage::Stage;
use crate::harness::slack::{CHANNEL, DM, FakeSlack};
use crate::support::Outcome;

/// The price of an offline run in micro-dollars.
const PRICE: i64 = 1_000;

type InboxRow = (InboxId, String, bool, Option<MessageId>);
type DeliveryRow = (
    DeliveryId,
    Option<InboxId>,
    DeliveryKind,
    DeliveryState,
    Option<String>,
);
type TurnRow = (MessageId, JobId, Status, Option<String>);
type JobRow = (JobId, String, String, i64, i64, i64, Json<Value>);

/// The relevant contents of the database.
#[derive(Clone, PartialEq)]
pub struct Facts {
    inbox: Vec<InboxRow>,
    deliveries: Vec<DeliveryRow>,
    turns: Vec<TurnRow>,
    jobs: Vec<JobRow>,
}

impl Facts {
    pub async fn read(db: &Db) -> Outcome<Self> {
        let inbox: Vec<(InboxId, Json<Value>, bool, Option<MessageId>)> = db
            .query("SELECT id, turn, decided_at IS NOT NULL, message_id FROM inbox ORDER BY id")
            .all()
            .await?;
        Ok(Self {
            inbox: inbox
                .into_iter()
                .map(|(id, Json(turn), decided, message)| (id, key_of(&turn), decided, message))
                .collect(),
            deliveries: db
                .query("SELECT id, inbox_id, kind, state, failure FROM deliveries ORDER BY id")
                .all()
                .await?,
            turns: db
                .query("SELECT id, run_id, status, failure FROM messages ORDER BY id")
                .all()
                .await?,
            jobs: db
                .query("SELECT id, kind, state, attempt, crashes, errors, payload FROM jobs ORDER BY id")
                .all()
                .await?,
        })
    }

    /// The number of jobs by how often their process died.
    pub fn crashes(&self) -> BTreeMap<i64, usize> {
        let mut by = BTreeMap::new();
        self.jobs
            .iter()
            .for_each(|job| *by.entry(job.4).or_default() += 1);
        by
    }

    /// Results that differ or are missing in `later`, or were charged again.
    pub fn lost_in(&self, later: &Self) -> Vec<String> {
        let mut found = Vec::new();
        let mut missing =
            |what: &str, id: String| found.push(format!("{what} {id} was changed by a stale attempt"));
        let rows = self
            .inbox
            .iter()
            .filter(|row| row.2 && !later.inbox.contains(row));
        rows.for_each(|row| missing("inbox row", row.0.to_string()));
        let rows = self
            .deliveries
            .iter()
            .filter(|row| row.3 == DeliveryState::Delivered && !later.deliveries.contains(row));
        rows.for_each(|row| missing("delivery", row.0.to_string()));
        let rows = self
            .turns
            .iter()
            .filter(|row| row.2 != Status::Processing && !later.turns.contains(row));
        rows.for_each(|row| missing("message", row.0.to_string()));
        let rows = self
            .jobs
            .iter()
            .filter(|row| row.2 == "done" && !later.jobs.contains(row));
        rows.for_each(|row| missing("job", row.0.to_string()));
        found
    }

    pub fn errors(&self) -> i64 {
        self.jobs.iter().map(|job| job.5).sum()
    }
}

/// The conversation and time of the message that an inbox row refers to.
pub fn key_of(turn: &Value) -> String {
    let of = |field: &str| turn.pointer(field).and_then(Value::as_str).unwrap_or_default();
    format!("{}/{}", of("/place/conversation"), of("/place/message"))
}

/// Opens the database, during or after the servers' run.
pub async fn open(setting: &Setting) -> Outcome<Db> {
    Ok(Db::open(&setting.database(), Clock::system()).await?)
}

pub async fn open_jobs(db: &Db) -> Outcome<i64> {
    Ok(db
        .query("SELECT CAST(COUNT(*) AS BIGINT) FROM jobs WHERE state <> 'done'")
        .scalar()
        .await?)
}

/// Counts, and violations.
#[derive(Debug, Default)]
pub struct Verdict {
    pub acknowledged: usize,
    pub answered: usize,
    pub failed_visibly: usize,
    pub leftovers: usize,
    pub runs: usize,
    pub runs_failed: usize,
    pub crashes: BTreeMap<i64, usize>,
    pub errors: i64,
    /// Times from a kill to the answer that it delayed, sorted.
    pub recovery: Vec<Duration>,
    pub violations: Vec<String>,
}

impl Verdict {
    fn no(&mut self, what: String) {
        self.violations.push(what);
    }
}

/// Judges the results after all work has ended and the servers have stopped.
pub async fn judge(
    setting: &Setting,
    stage: &Stage,
    slack: &FakeSlack,
    sent: &[Sent],
    kills: &[Instant],
) -> Outcome<Verdict> {
    let db = open(setting).await?;
    let facts = Facts::read(&db).await?;
    db.close().await;
    let mut verdict = Verdict {
        crashes: facts.crashes(),
        errors: facts.errors(),
        runs: facts.turns.len(),
        runs_failed: facts.turns.iter().filter(|turn| turn.2 == Status::Failed).count(),
        ..Verdict::default()
    };
    for (id, kind, state, attempt, ..) in facts.jobs.iter().filter(|job| job.2 != "done") {
        verdict.no(format!("job {id} ({kind}) is still {state}, attempt {attempt}"));
    }
    for (id, _, status, _) in facts.turns.iter().filter(|turn| turn.2 == Status::Processing) {
        verdict.no(format!("message {id} is still {status:?}"));
    }
    answers(&mut verdict, &facts, slack, sent);
    verdict.recovery = recovery(&facts, sent, kills);
    money(
        &mut verdict,
        &facts,
        &setting.run(&["admin", "ledger", "--org", &stage.org])?,
    );
    let doctor = setting.run(&["doctor"])?;
    if doctor.pointer("/ok").and_then(Value::as_bool) != Some(true) {
        verdict.no(format!("corbel doctor: {doctor}"));
    }
    Ok(verdict)
}

/// Checks that each event has one decided inbox row, one delivered delivery and one final post, and that
/// there are no others.
fn answers(verdict: &mut Verdict, facts: &Facts, slack: &FakeSlack, sent: &[Sent]) {
    let messages: Vec<_> = [DM, CHANNEL]
        .iter()
        .flat_map(|channel| slack.messages(channel))
        .collect();
    let mut finals: HashMap<String, usize> = HashMap::new();
    let mut in_thread: HashMap<String, usize> = HashMap::new();
    for message in messages.iter().filter(|message| message.by_bot) {
        if !is_final(message) {
            verdict.leftovers += 1;
            continue;
        }
        verdict.failed_visibly += usize::from(message.shown().contains("went wrong"));
        *finals
            .entry(message.delivery().unwrap_or_default().to_owned())
            .or_default() += 1;
        *in_thread
            .entry(message.thread.clone().unwrap_or_default())
            .or_default() += 1;
    }
    let mut expected: HashMap<&str, usize> = HashMap::new();
    for one in sent {
        if one.acknowledged.is_none() {
            verdict.no(format!("{} was never acknowledged", one.key));
            continue;
        }
        verdict.acknowledged += 1;
        *expected.entry(one.thread.as_str()).or_default() += 1;
        let rows: Vec<&InboxRow> = facts.inbox.iter().filter(|row| row.1 == one.key).collect();
        let [(inbox, _, true, _)] = rows.as_slice() else {
            verdict.no(format!(
                "{} was acknowledged and has {} inbox rows, decided or not",
                one.key,
                rows.len()
            ));
            continue;
        };
        let deliveries: Vec<&DeliveryRow> = facts
            .deliveries
            .iter()
            .filter(|row| row.1 == Some(*inbox))
            .collect();
        let [(delivery, _, kind, state, failure)] = deliveries.as_slice() else {
            verdict.no(format!("{} has {} deliveries", one.key, deliveries.len()));
            continue;
        };
        if *state != DeliveryState::Delivered {
            verdict.no(format!("{}: its {kind:?} is {state:?} {failure:?}", one.key));
        }
        match finals.get(&delivery.to_string()).copied().unwrap_or_default() {
            1 => verdict.answered += 1,
            // Visible only to its sender, so not missing in a thread.
            0 if *kind == DeliveryKind::Private => verdict.failed_visibly += 1,
            posts => verdict.no(format!("{} has {posts} final posts of one {kind:?}", one.key)),
        }
    }
    let threads: HashSet<&str> = in_thread
        .keys()
        .map(String::as_str)
        .chain(expected.keys().copied())
        .collect();
    for thread in threads {
        let (posted, due) = (
            in_thread.get(thread).copied().unwrap_or_default(),
            expected.get(thread).copied().unwrap_or_default(),
        );
        if posted > due {
            verdict.no(format!(
                "thread {thread} has {posted} final posts for {due} questions"
            ));
        }
    }
}

/// Checks that each run was settled at its price or released, once.
fn money(verdict: &mut Verdict, facts: &Facts, ledger: &Value) {
    if ledger.pointer("/consistent").and_then(Value::as_bool) != Some(true) {
        verdict.no(format!(
            "the ledger is not consistent: {}",
            ledger.pointer("/faults").unwrap_or(&Value::Null)
        ));
    }
    let mut runs: HashMap<&str, (usize, usize, i64)> = HashMap::new();
    for entry in ledger
        .pointer("/entries")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let word = |name: &str| entry.get(name).and_then(Value::as_str);
        let Some(run) = word("runId") else { continue };
        let (reserved, ended, charged) = runs.entry(run).or_default();
        match word("kind") {
            Some("reserve") => *reserved += 1,
            Some("settle" | "release") => *ended += 1,
            _ => {}
        }
        *charged += entry.get("charged").and_then(Value::as_i64).unwrap_or_default();
    }
    for (_, run, status, _) in &facts.turns {
        let price = if *status == Status::Completed { PRICE } else { 0 };
        match runs.remove(run.to_string().as_str()) {
            Some((1, 1, charged)) if charged == price => {}
            other => verdict.no(format!(
                "run {run} ({status:?}): reserved, ended, charged {other:?}"
            )),
        }
    }
    for run in runs.keys() {
        verdict.no(format!("the ledger knows run {run}, which has no message"));
    }
}

/// Times from the kill between acknowledgement and answer to the answer, for events with a job that lost its
/// lease.
fn recovery(facts: &Facts, sent: &[Sent], kills: &[Instant]) -> Vec<Duration> {
    let crashed: HashSet<String> = facts
        .jobs
        .iter()
        .filter(|job| job.4 > 0)
        .flat_map(|(id, _, _, _, _, _, Json(payload))| {
            let of = |key: &str| payload.get(key).and_then(Value::as_str).map(str::to_owned);
            [Some(id.to_string()), of("inbox"), of("delivery")]
        })
        .flatten()
        .collect();
    let runs: HashMap<MessageId, JobId> = facts.turns.iter().map(|turn| (turn.0, turn.1)).collect();
    let deliveries: HashMap<InboxId, DeliveryId> = facts
        .deliveries
        .iter()
        .filter_map(|row| Some((row.1?, row.0)))
        .collect();
    let inbox: HashMap<&str, &InboxRow> = facts.inbox.iter().map(|row| (row.1.as_str(), row)).collect();
    let mut times: Vec<Duration> = sent
        .iter()
        .filter_map(|one| {
            let (id, _, _, message) = inbox.get(one.key.as_str())?;
            let run = message
                .and_then(|message| runs.get(&message))
                .map(ToString::to_string);
            let delivery = deliveries.get(id).map(ToString::to_string);
            let hit = [Some(id.to_string()), run, delivery]
                .into_iter()
                .flatten()
                .any(|id| crashed.contains(&id));
            let (acknowledged, answered) = (one.acknowledged?, one.answered?);
            let kill = kills.iter().find(|at| **at > acknowledged && **at < answered)?;
            hit.then(|| answered - *kill)
        })
        .collect();
    times.sort_unstable();
    times
}
