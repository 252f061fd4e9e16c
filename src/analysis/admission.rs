//! What admitting runs writes, for all of a group together in few statements: memberships, sessions, reservations,
//! messages, files, jobs. Each run is admitted or refused as if it had come alone; what is refused leaves nothing.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::accounts::service::Accounts;
use crate::analysis::engine::Remark;
use crate::analysis::request::{Admitted, Brought, OnFinish, RunRequest};
use crate::analysis::selection::Selection;
use crate::base::error::{Error, Result};
use crate::base::ids::{JobId, KeyId, MessageId, OrgId, SessionId};
use crate::base::principal::Principal;
use crate::db::tx::Tx;
use crate::files::model::{Audience as FileAudience, File, Part};
use crate::files::service::Files;
use crate::queue::job::{NewJob, Patience, Pool};
use crate::queue::service::Queue;
use crate::sessions::entering::Entry;
use crate::sessions::model::{Audience as SessionAudience, Message, Status, Which};
use crate::sessions::service::Sessions;
use crate::usage::reserving::Reservation;
use crate::usage::service::Usage;

/// The kind of job a run is; `app` registers `Analysis::run` for it.
pub const RUN_JOB: &str = "analysis.run";

/// What a run's job carries.
#[derive(Serialize, Deserialize)]
pub(super) struct Work {
    pub(super) then: OnFinish,
    pub(super) thread: Vec<Remark>,
    #[serde(default)]
    pub(super) selection: Selection,
    /// What the question brought along and the run may not see, in words.
    #[serde(default, rename = "leftOut")]
    pub(super) left_out: Vec<String>,
}

/// A run somebody asks for, under identifiers of its own.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    principal: Principal,
    request: RunRequest,
    /// As it is kept.
    question: String,
    run: JobId,
    message: MessageId,
    then: OnFinish,
}

impl Asked {
    /// Refuses a question that is none.
    pub(super) fn new(
        principal: Principal,
        request: RunRequest,
        run: JobId,
        message: MessageId,
        then: OnFinish,
    ) -> Result<Self> {
        Ok(Self {
            question: request.checked_question()?,
            principal,
            request,
            run,
            message,
            then,
        })
    }

    pub(super) fn org(&self) -> OrgId {
        self.principal.org
    }
}

/// Writes admissions. Cheap to clone.
#[derive(Clone)]
pub(super) struct Admission {
    pub(super) queue: Queue,
    pub(super) usage: Usage,
    pub(super) sessions: Sessions,
    pub(super) files: Files,
}

impl Admission {
    /// Admits what may be, and answers each, in their order. An error of the whole: nothing of it is to be
    /// committed, and each is to be tried alone.
    pub(super) async fn admit(&self, tx: &mut Tx, asked: &[Asked]) -> Result<Vec<Result<Admitted>>> {
        let mut standing = members(tx, asked).await?;
        let turns: Vec<(Principal, &Which)> = left(&standing)
            .map(|one| (one.principal, &one.request.session))
            .collect();
        let found = self.sessions.find_all(tx, &turns).await?;
        let entries = refuse(&mut standing, found);
        let runs: Vec<Reservation> = left(&standing).map(reservation).collect();
        // Before anything is written: from here on every run that stands is admitted.
        let reserved = self.usage.reserve_all(tx, &runs).await?;
        let reserved = entries.into_iter().zip(reserved);
        let reserved = reserved.map(|(entry, reserved)| reserved.map(|()| entry));
        let mut entries = refuse(&mut standing, reserved.collect());
        self.sessions.open_all(tx, &mut entries).await?;
        let admitted: Vec<&Asked> = left(&standing).collect();
        self.write(tx, &admitted, &entries).await?;
        let mut sessions = entries.iter().map(|entry| entry.session().id);
        let outcomes = standing.into_iter().map(|one| {
            let one = one?;
            Ok(Admitted {
                run: one.run,
                message: one.message,
                session: sessions.next().ok_or_else(unanswered)?,
            })
        });
        Ok(outcomes.collect())
    }

    /// Writes turns and jobs of runs whose sessions are open.
    async fn write(&self, tx: &mut Tx, admitted: &[&Asked], entries: &[Entry]) -> Result<()> {
        let now = tx.now().await?;
        let mut messages: Vec<(OrgId, Message, Option<KeyId>)> = Vec::with_capacity(admitted.len());
        for (one, entry) in admitted.iter().zip(entries) {
            let (request, session) = (&one.request, entry.session());
            let message = Message {
                id: one.message,
                session_id: session.id,
                run_id: one.run,
                user_id: one.principal.user,
                question: one.question.clone(),
                tone: request.tone.as_str().to_owned(),
                fast: request.fast,
                organisation_safe: request.organisation_safe || session.audience == SessionAudience::Shared,
                status: Status::Processing,
                failure: None,
                created_at: now,
                finished_at: None,
            };
            let key = request.key.map(|key| key.id);
            messages.push((one.principal.org, message, key));
        }
        self.sessions.add_messages(tx, &messages).await?;
        let mut jobs = Vec::with_capacity(admitted.len());
        for (one, (org, message, _)) in admitted.iter().zip(&messages) {
            let work = Work {
                then: one.then.clone(),
                thread: one.request.thread.clone(),
                selection: one.request.selection.clone(),
                left_out: self.attach(tx, *org, message, &one.request.brought).await?,
            };
            let job = NewJob {
                pool: Pool::Run,
                kind: RUN_JOB.into(),
                lane: lane(message.session_id),
                payload: serde_json::to_value(work).map_err(Error::internal)?,
                patience: Patience::Usual,
            };
            jobs.push((*org, one.run, job));
        }
        self.queue.add_all(tx, &jobs).await
    }

    /// Writes the rows of a question's files. Of those it names, personal ones stay out of an organisation-safe
    /// run: what is answered says so of each.
    async fn attach(
        &self,
        tx: &mut Tx,
        org: OrgId,
        message: &Message,
        brought: &Brought,
    ) -> Result<Vec<String>> {
        let audience = audience_of(message);
        let mut files = brought.files.clone();
        for file in &mut files {
            file.audience = audience;
        }
        let turn = Some((message.id, Part::Question));
        self.files.add(tx, org, &files, turn).await?;
        let is_out = |file: &File| message.organisation_safe && file.audience == FileAudience::Private;
        let (out, chosen): (Vec<File>, Vec<File>) = brought.chosen.iter().cloned().partition(is_out);
        self.files
            .attach(tx, org, message.id, files.len(), &chosen)
            .await?;
        let told = |file: &File| {
            // Its name is as personal as its content.
            format!(
                "File {} is personal and was left out: this run is organisation-safe.",
                file.id
            )
        };
        Ok(out.iter().map(told).collect())
    }
}

/// Each of them, if its person is an active member.
async fn members<'a>(tx: &mut Tx, asked: &'a [Asked]) -> Result<Vec<Result<&'a Asked>>> {
    let whose = |one: &Asked| (one.principal.org, one.principal.user);
    let people: BTreeSet<_> = asked.iter().map(whose).collect();
    let members = Accounts::memberships_in(tx, &people).await?;
    let judged = asked.iter().map(|one| match members.get(&whose(one)) {
        Some(member) if member.active => Ok(one),
        Some(_) => Err(Error::Unauthenticated),
        None => Err(Error::NotFound("member")),
    });
    Ok(judged.collect())
}

/// Those that were not refused yet.
fn left<'s, 'a>(standing: &'s [Result<&'a Asked>]) -> impl Iterator<Item = &'a Asked> + use<'s, 'a> {
    standing.iter().filter_map(|one| one.as_ref().ok().copied())
}

/// Takes what became of each that stood, in their order: answers what those have that go on standing.
fn refuse<T>(standing: &mut [Result<&Asked>], outcomes: Vec<Result<T>>) -> Vec<T> {
    let mut kept = Vec::with_capacity(outcomes.len());
    let mut outcomes = outcomes.into_iter();
    for one in standing.iter_mut().filter(|one| one.is_ok()) {
        match outcomes.next().unwrap_or_else(|| Err(unanswered())) {
            Ok(outcome) => kept.push(outcome),
            Err(error) => *one = Err(error),
        }
    }
    kept
}

fn unanswered() -> Error {
    Error::internal("a run of a group was not answered")
}

fn reservation(asked: &Asked) -> Reservation {
    Reservation {
        principal: asked.principal,
        key: asked.request.key,
        run: asked.run,
    }
}

/// The lane of a session's runs: one at a time, in their order.
pub(super) fn lane(session: SessionId) -> String {
    format!("session/{session}")
}

/// Who may see the files of a turn.
pub(super) fn audience_of(message: &Message) -> FileAudience {
    if message.organisation_safe {
        FileAudience::Shared
    } else {
        FileAudience::Private
    }
}
