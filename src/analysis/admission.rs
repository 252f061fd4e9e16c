//! Admits a group of runs in a few statements: checks memberships, opens sessions, reserves usage, and writes messages,
//! files and jobs. Each run is admitted or refused as if it had come alone; a refused run writes nothing.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::accounts::model::Plan;
use crate::accounts::service::Accounts;
use crate::analysis::engine::Remark;
use crate::analysis::engine_choice::Engines;
use crate::analysis::request::{Admitted, OnFinish, QuestionFiles, RunRequest};
use crate::analysis::selection::Selection;
use crate::base::error::{Error, Result};
use crate::base::ids::{JobId, KeyId, MessageId, OrgId, SessionId};
use crate::base::model::Model;
use crate::base::money::MicroUsd;
use crate::base::principal::Principal;
use crate::db::tx::Tx;
use crate::files::model::{Audience as FileAudience, File, Part};
use crate::files::service::Files;
use crate::keys::model::Environment;
use crate::queue::job::{Asker, NewJob, Patience, Pool};
use crate::queue::service::Queue;
use crate::sessions::model::{Audience as SessionAudience, Message, Status, Which};
use crate::sessions::opening::Entry;
use crate::sessions::service::Sessions;
use crate::usage::reserving::Reservation;
use crate::usage::service::Usage;
use crate::usage::spending::{Cap, Held, Payer, Span, hold};

/// The job kind of a run; `app` registers `Analysis::run` for it.
pub const RUN_JOB: &str = "analysis.run";

/// The payload of a run's job.
#[derive(Serialize, Deserialize)]
pub(super) struct Work {
    pub(super) then: OnFinish,
    pub(super) thread: Vec<Remark>,
    #[serde(default)]
    pub(super) selection: Selection,
    /// Warnings that are known at admission: a sentence for each file of the question that the run may not see, and
    /// why a language model does not answer.
    #[serde(default, rename = "leftOut")]
    pub(super) left_out: Vec<String>,
    /// Who answers. Absent in runs from before there was a choice.
    #[serde(default = "offline")]
    pub(super) answers: Model,
    /// What is reserved for the model in the budgets of those who pay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) held: Option<Held>,
    /// Whether the run costs no credit: a trial.
    #[serde(default)]
    pub(super) free: bool,
}

const fn offline() -> Model {
    Model::Local
}

/// A run to be admitted, with its identifiers.
#[derive(Clone, Debug)]
pub(super) struct NewRun {
    principal: Principal,
    request: RunRequest,
    /// As it is stored.
    question: String,
    run: JobId,
    message: MessageId,
    then: OnFinish,
}

impl NewRun {
    /// Refuses an empty or overlong question.
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

    fn asked(&self) -> Model {
        self.request.selection.asked(self.request.fast)
    }

    fn asker(&self) -> Asker {
        Asker::new(&self.principal, self.request.key.map(|key| key.id))
    }
}

/// Writes admissions. Cheap to clone.
#[derive(Clone)]
pub(super) struct Admission {
    pub(super) queue: Queue,
    pub(super) usage: Usage,
    pub(super) sessions: Sessions,
    pub(super) files: Files,
    pub(super) engines: Engines,
}

/// Money for a language model.
enum Money {
    Held(Held),
    /// With a sentence for the person, if there would be money at another time.
    None(Option<String>),
}

/// A run that was not refused yet, and who will answer it.
#[derive(Clone, Copy)]
struct Passed<'a> {
    run: &'a NewRun,
    answers: Model,
    plan: Plan,
}

impl Passed<'_> {
    /// Who pays for a model, if this is a trial: the owner of the sandbox key, or the organization.
    fn trial(&self) -> Option<Payer> {
        let key = self.run.request.key;
        if self.plan == Plan::Trial {
            Some(Payer::Organization)
        } else if key.is_some_and(|key| key.environment == Environment::Sandbox) {
            Some(Payer::Sandbox(self.run.principal.user))
        } else {
            None
        }
    }
}

impl Admission {
    /// Admits each run that may be admitted. The outcomes have the order of `new_runs`. An outer error concerns the
    /// whole group: the caller must not commit, and should try each run alone.
    pub(super) async fn admit(&self, tx: &mut Tx, new_runs: &[NewRun]) -> Result<Vec<Result<Admitted>>> {
        let mut remaining = self.members(tx, new_runs).await?;
        let turns: Vec<(Principal, &Which)> = left(&remaining)
            .map(|one| (one.run.principal, &one.run.request.session))
            .collect();
        let found = self.sessions.find_all(tx, &turns).await?;
        let entries = refuse(&mut remaining, found);
        let runs: Vec<Reservation> = left(&remaining).map(|one| self.reservation(one)).collect();
        // Before anything is written: every run that remains after this is admitted.
        let reserved = self.usage.reserve_all(tx, &runs).await?;
        let reserved = entries.into_iter().zip(reserved);
        let reserved = reserved.map(|(entry, reserved)| reserved.map(|()| entry));
        let mut entries = refuse(&mut remaining, reserved.collect());
        self.sessions.open_all(tx, &mut entries).await?;
        let admitted: Vec<Passed<'_>> = left(&remaining).collect();
        self.write(tx, &admitted, &entries).await?;
        let mut sessions = entries.iter().map(|entry| entry.session().id);
        let outcomes = remaining.into_iter().map(|one| {
            let one = one?.run;
            Ok(Admitted {
                run: one.run,
                message: one.message,
                session: sessions.next().ok_or_else(unanswered)?,
            })
        });
        Ok(outcomes.collect())
    }

    /// Writes the messages and jobs of runs whose sessions are open.
    async fn write(&self, tx: &mut Tx, admitted: &[Passed<'_>], entries: &[Entry]) -> Result<()> {
        let now = tx.now().await?;
        let mut messages: Vec<(OrgId, Message, Option<KeyId>)> = Vec::with_capacity(admitted.len());
        for (Passed { run: one, .. }, entry) in admitted.iter().zip(entries) {
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
        for (passed, (org, message, _)) in admitted.iter().zip(&messages) {
            let one = passed.run;
            let mut left_out = self.attach(tx, *org, message, &one.request.files).await?;
            let (answers, held) = match self.held(tx, passed).await? {
                Money::Held(held) => (passed.answers, Some(held)),
                Money::None(why) => {
                    left_out.extend(why);
                    (Model::Local, None)
                }
            };
            let work = Work {
                then: one.then.clone(),
                thread: one.request.thread.clone(),
                selection: one.request.selection.clone(),
                left_out,
                answers,
                held,
                free: passed.trial().is_some(),
            };
            let job = NewJob {
                pool: pool_of(answers),
                kind: RUN_JOB.into(),
                lane: lane(message.session_id),
                payload: serde_json::to_value(work).map_err(Error::internal)?,
                patience: Patience::Usual,
                asker: Some(one.asker()),
            };
            jobs.push((*org, one.run, job));
        }
        self.queue.add_all(tx, &jobs).await
    }

    /// Refuses each run whose person is not an active member, and decides who answers the others.
    async fn members<'a>(&self, tx: &mut Tx, new_runs: &'a [NewRun]) -> Result<Vec<Result<Passed<'a>>>> {
        let member_of = |one: &NewRun| (one.principal.org, one.principal.user);
        let people: BTreeSet<_> = new_runs.iter().map(member_of).collect();
        let members = Accounts::memberships_in(tx, &people).await?;
        let checked = new_runs.iter().map(|run| match members.get(&member_of(run)) {
            Some(member) if member.active => Ok(Passed {
                run,
                answers: self.engines.chosen(run.asked()),
                plan: member.plan,
            }),
            Some(_) => Err(Error::Unauthenticated),
            None => Err(Error::NotFound("member")),
        });
        Ok(checked.collect())
    }

    fn reservation(&self, one: Passed<'_>) -> Reservation {
        Reservation {
            principal: one.run.principal,
            key: one.run.request.key,
            run: one.run.run,
            extra: match one.trial() {
                None => self.engines.most(one.answers),
                Some(_) => MicroUsd::ZERO,
            },
        }
    }

    /// Reserves what a language model may cost in the budgets of those who pay. Without money for it the offline
    /// analyst answers.
    async fn held(&self, tx: &mut Tx, one: &Passed<'_>) -> Result<Money> {
        if one.answers == Model::Local {
            return Ok(Money::None(None));
        }
        let (org, trial) = (one.run.org(), one.trial());
        let limits = self.usage.model_limits_in(tx, org).await?;
        let mut caps = limits.caps(Payer::Person(one.run.principal.user));
        if let Some(payer) = trial {
            let most = self.engines.trial_cap();
            if most <= MicroUsd::ZERO {
                return Ok(Money::None(None));
            }
            caps.push(Cap {
                payer,
                span: Span::Month,
                most: Some(most),
            });
        }
        let most = self.engines.most(one.answers);
        let most = limits.run.map_or(most, |run| run.min(most));
        Ok(match hold(tx, org, &caps, most).await? {
            Ok(held) => Money::Held(held),
            Err(reached) => Money::None(Some(reached.0)),
        })
    }

    /// Writes the rows of a question's files. Personal files of earlier requests are left out of an organisation-safe
    /// run; returns a sentence for each of them.
    async fn attach(
        &self,
        tx: &mut Tx,
        org: OrgId,
        message: &Message,
        question_files: &QuestionFiles,
    ) -> Result<Vec<String>> {
        let audience = audience_of(message);
        let mut files = question_files.new.clone();
        for file in &mut files {
            file.audience = audience;
        }
        let turn = Some((message.id, Part::Question));
        self.files.add(tx, org, &files, turn).await?;
        let is_out = |file: &File| message.organisation_safe && file.audience == FileAudience::Private;
        let (out, earlier): (Vec<File>, Vec<File>) = question_files.earlier.iter().cloned().partition(is_out);
        self.files
            .attach(tx, org, message.id, files.len(), &earlier)
            .await?;
        let sentence = |file: &File| {
            // By its id: the name is as personal as the content.
            format!(
                "File {} is personal and was left out: this run is organisation-safe.",
                file.id
            )
        };
        Ok(out.iter().map(sentence).collect())
    }
}

/// The pool of a run. Runs that wait for a language model hold no slot of those that compute.
pub(super) const fn pool_of(answers: Model) -> Pool {
    match answers {
        Model::Pro | Model::Fast => Pool::Model,
        Model::Local => Pool::Run,
    }
}

/// The runs that were not refused yet.
fn left<'s, 'a>(remaining: &'s [Result<Passed<'a>>]) -> impl Iterator<Item = Passed<'a>> + use<'s, 'a> {
    remaining.iter().filter_map(|one| one.as_ref().ok().copied())
}

/// Takes one outcome for each run that was not refused yet, in their order. Marks those that failed as refused and
/// returns the values of the others.
fn refuse<T>(remaining: &mut [Result<Passed<'_>>], outcomes: Vec<Result<T>>) -> Vec<T> {
    let mut kept = Vec::with_capacity(outcomes.len());
    let mut outcomes = outcomes.into_iter();
    for one in remaining.iter_mut().filter(|one| one.is_ok()) {
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

/// The queue lane of a session: its runs are done one at a time, in order.
pub(super) fn lane(session: SessionId) -> String {
    format!("session/{session}")
}

/// Who may see the files of a message.
pub(super) fn audience_of(message: &Message) -> FileAudience {
    if message.organisation_safe {
        FileAudience::Shared
    } else {
        FileAudience::Private
    }
}
