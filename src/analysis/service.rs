//! The analysis core: admits a run, runs it and ends it. Admission and end are one transaction each.
//!
//! Does not depend on chat, HTTP or MCP: what follows a run is an opaque job.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::analysis::admission::{Admission, NewRun, Work, audience_of, lane};
use crate::analysis::answer::Answer;
use crate::analysis::completed::Completed;
use crate::analysis::engine::{Draft, KeptNote, Outcome};
use crate::analysis::engine_choice::Engines;
use crate::analysis::from_draft::{answer, keep_note};
use crate::analysis::gather::{Gathering, scope_of};
use crate::analysis::intake::Intake;
use crate::analysis::reading::LargeFiles;
use crate::analysis::request::{Admitted, OnFinish, RunRequest};
use crate::analysis::selection::SelectionResolver;
use crate::analysis::tools::progress::Progress;
use crate::analysis::tools::toolbox::Toolbox;
use crate::analysis::waiting::Waiting;
use crate::analysts::service::Analysts;
use crate::base::error::{Error, Result};
use crate::base::ids::{JobId, MessageId, OrgId, SessionId};
use crate::base::model::Model;
use crate::base::money::MicroUsd;
use crate::base::principal::Principal;
use crate::context::service::Context;
use crate::db::pool::Db;
use crate::db::tx::Tx;
use crate::files::model::{Accepted, File, Part};
use crate::files::service::{Arrival, Files};
use crate::files::spool::Content;
use crate::portfolio::service::Portfolio;
use crate::queue::job::{Asker, Claim, Done, GaveUp, Pool};
use crate::queue::service::Queue;
use crate::sessions::model::{Message, Status, StoredResponse};
use crate::sessions::service::Sessions;
use crate::usage::model_days::ModelRun;
use crate::usage::service::Usage;
use crate::usage::spending::Held;

#[derive(Clone)]
pub struct Analysis {
    db: Db,
    queue: Queue,
    usage: Usage,
    sessions: Sessions,
    context: Context,
    pub(super) files: Files,
    pub(super) selections: SelectionResolver,
    engines: Engines,
    toolbox: Toolbox,
    waiting: Waiting,
    large_files: LargeFiles,
    admission: Admission,
    intake: Intake,
    /// How many runs this process does at once.
    slots: usize,
}

/// The services that the core is built on.
pub struct Dependencies {
    pub db: Db,
    pub queue: Queue,
    pub usage: Usage,
    pub sessions: Sessions,
    pub context: Context,
    pub files: Files,
    pub analysts: Analysts,
    pub portfolio: Portfolio,
}

impl Analysis {
    pub fn new(on: Dependencies, engines: Engines) -> Self {
        let admission = Admission {
            queue: on.queue.clone(),
            usage: on.usage.clone(),
            sessions: on.sessions.clone(),
            files: on.files.clone(),
            engines: engines.clone(),
        };
        let selections = SelectionResolver {
            analysts: on.analysts,
            context: on.context.clone(),
            files: on.files.clone(),
            portfolio: on.portfolio,
        };
        Self {
            intake: Intake::start(on.db.clone(), admission.clone()),
            admission,
            toolbox: Toolbox::new(on.db.clone(), on.context.clone()),
            db: on.db,
            queue: on.queue,
            usage: on.usage,
            sessions: on.sessions,
            context: on.context,
            files: on.files,
            selections,
            engines,
            waiting: Waiting::default(),
            large_files: LargeFiles::default(),
            slots: 1,
        }
    }

    /// Sets how many runs this process does at once.
    #[must_use]
    pub fn with_slots(self, slots: usize) -> Self {
        Self { slots, ..self }
    }

    /// Admits a run. When this returns, the run is on disk and will end.
    pub async fn admit(
        &self,
        principal: &Principal,
        request: RunRequest,
        then: OnFinish,
    ) -> Result<Admitted> {
        let Admitted { run, message, .. } = Admitted::draft();
        let new_run = NewRun::new(*principal, request, run, message, then)?;
        self.intake.admit(new_run).await
    }

    /// Like [`admit`](Self::admit), in the caller's transaction and with the caller's identifiers.
    pub async fn admit_in(
        &self,
        tx: &mut Tx,
        principal: &Principal,
        request: &RunRequest,
        run: JobId,
        message: MessageId,
        then: OnFinish,
    ) -> Result<Admitted> {
        let new_run = NewRun::new(*principal, request.clone(), run, message, then)?;
        let outcomes = self.admission.admit(tx, &[new_run]).await?;
        let outcome = outcomes.into_iter().next();
        outcome.unwrap_or_else(|| Err(Error::internal("a run was not answered")))
    }

    /// Runs one attempt. Answer, settlement and the following job are written in one transaction, fenced by the
    /// attempt.
    pub async fn run(&self, claim: Claim) -> Result<Done> {
        let message = self.sessions.message_of_run(claim.org, claim.id).await?;
        if message.status != Status::Processing {
            return Ok(Done::Nothing);
        }
        let work: Work = serde_json::from_value(claim.payload.clone()).map_err(Error::internal)?;
        let engine = self.engines.of(work.answers);
        let gathering = Gathering {
            context: &self.context,
            sessions: &self.sessions,
            files: &self.files,
            large_files: &self.large_files,
            engine,
            today: self.db.clock().now().date_naive(),
        };
        let (mut brief, left_out) = gathering.brief(claim.org, &message, &work.selection).await?;
        brief.thread = work.thread;
        brief.budget = match &work.held {
            Some(held) if work.free => held.amount,
            Some(held) => held
                .amount
                .min(self.usage.reserved_extra(claim.org, claim.id).await?),
            // Admitted by an earlier version.
            None => self.usage.reserved_extra(claim.org, claim.id).await?,
        };
        let notes = scope_of(claim.org, &message, &work.selection);
        let progress = self.progress(claim.org, &message);
        let tools = self
            .toolbox
            .bind(message.user_id, &work.selection, notes, progress)
            .await?;
        let mut draft = match engine.answer(&brief, &tools).await? {
            Outcome::Answer(draft) => *draft,
            Outcome::Failed { code, wasted } => {
                self.fail(&claim, &message, code, wasted).await?;
                return Ok(Done::Finished);
            }
        };
        draft.warnings.extend(work.left_out);
        draft.warnings.extend(left_out);
        let generated = self.keep_generated(claim.org, &message, &mut draft).await?;
        let frame = draft.frame.clone();
        let answered = draft
            .model
            .filter(|model| *model != Model::Local)
            .map(|model| ModelRun {
                user: message.user_id,
                model,
                cost: draft.cost,
            });
        let model = draft
            .model
            .map_or(engine.model(), |model| model.as_str())
            .to_owned();
        let cost = MicroUsd(self.usage.prices().offline_run.0.saturating_add(draft.cost.0));
        let (held, spent) = (work.held, MicroUsd(draft.cost.0.saturating_add(draft.wasted.0)));
        let kept: Arc<[KeptNote]> = std::mem::take(&mut draft.kept_notes).into();
        let partition = work.selection.asked(message.fast);
        let answer = Answer {
            model: Some(model.clone()),
            ..answer(draft, &brief, message.organisation_safe, &generated)
        };
        drop(brief);
        let response = StoredResponse {
            answer: serde_json::to_value(&answer).map_err(Error::internal)?,
            frame,
            model,
        };
        let core = self.clone();
        let written = self.db.write(move |tx| {
            let (core, claim, response) = (core.clone(), claim.clone(), response.clone());
            let (generated, kept, held) = (generated.clone(), Arc::clone(&kept), held.clone());
            Box::pin(async move {
                // The fence comes first: an overtaken attempt must not write anything.
                core.queue.finish(tx, &claim).await?;
                if !core
                    .sessions
                    .complete(tx, claim.org, message.id, &response)
                    .await?
                {
                    return Err(Error::Stale);
                }
                let turn = Some((message.id, Part::Answer));
                core.files.add(tx, claim.org, &generated, turn).await?;
                core.waiting.signal(tx, message.id);
                for note in kept.iter() {
                    keep_note(tx, claim.org, message.user_id, partition, note).await?;
                }
                core.usage.settle(tx, claim.org, claim.id, cost).await?;
                // In the order of the admission: balances first.
                if let Some(held) = &held {
                    core.usage.spend_held(tx, claim.org, held, spent).await?;
                }
                if let Some(answered) = answered {
                    core.usage.count_model(tx, claim.org, claim.id, answered).await?;
                }
                tx.count(ended("completed", ""));
                core.follow(tx, claim.org, &claim.payload).await
            })
        });
        written.await?;
        Ok(Done::Finished)
    }

    /// Keeps what a run says about its progress where every node finds it. Only the latest words count.
    fn progress(&self, org: OrgId, message: &Message) -> Progress {
        let (sessions, message) = (self.sessions.clone(), message.id);
        let (tell, mut told) = watch::channel(String::new());
        tokio::spawn(async move {
            while told.changed().await.is_ok() {
                let words = told.borrow_and_update().clone();
                if let Err(error) = sessions.set_progress(org, message, &words).await {
                    tracing::debug!(error = error.chain(), "the progress of a run could not be kept");
                }
            }
        });
        Progress::new(move |words| {
            let _ = tell.send(words);
        })
    }

    /// Stores the bytes of generated files. Their rows are written with the answer; the sweep deletes bytes of attempts
    /// that do not get that far.
    async fn keep_generated(&self, org: OrgId, message: &Message, draft: &mut Draft) -> Result<Vec<File>> {
        let mut generated = Vec::with_capacity(draft.files.len());
        for (position, file) in std::mem::take(&mut draft.files).into_iter().enumerate() {
            let arrival = Arrival {
                origin: format!("answer/{}", message.id),
                position,
                owner: message.user_id,
                audience: audience_of(message),
                name: file.filename,
                declared_type: Some(file.content_type),
                content: Ok(Content::from(file.bytes)),
                taken: Accepted::All,
            };
            generated.push(self.files.receive(org, arrival).await?);
        }
        Ok(generated)
    }

    /// Ends a run that no attempt will answer.
    pub async fn give_up(&self, claim: Claim, why: GaveUp) -> Result<()> {
        let message = self.sessions.message_of_run(claim.org, claim.id).await?;
        self.fail(&claim, &message, why.code(), MicroUsd::ZERO).await
    }

    /// Fails a run with a stable code: its reservation is released, and its following job is enqueued.
    async fn fail(
        &self,
        claim: &Claim,
        message: &Message,
        code: &'static str,
        wasted: MicroUsd,
    ) -> Result<()> {
        let (core, claim, message) = (self.clone(), claim.clone(), message.id);
        let written = self.db.write(move |tx| {
            let (core, claim) = (core.clone(), claim.clone());
            Box::pin(async move {
                core.queue.finish(tx, &claim).await?;
                if core.sessions.fail(tx, claim.org, message, code).await? {
                    core.waiting.signal(tx, message);
                    core.usage.release(tx, claim.org, claim.id).await?;
                    core.give_back(tx, claim.org, &claim.payload, wasted).await?;
                    core.follow(tx, claim.org, &claim.payload).await?;
                    tx.count(ended("failed", code));
                }
                Ok(())
            })
        });
        written.await
    }

    /// Stops a run: it fails with `why`, its reservation is released, and its following job is enqueued. False if it
    /// had ended before. The first commit decides; a later result is dropped.
    pub async fn stop_in(&self, tx: &mut Tx, org: OrgId, message: &Message, why: Stop) -> Result<bool> {
        // The job first, as at the end of a run: two transactions that end one run then lock in the same order.
        let Some(payload) = self.queue.cancel(tx, org, message.run_id).await? else {
            return Ok(false);
        };
        if !self.sessions.fail(tx, org, message.id, why.code()).await? {
            return Ok(false);
        }
        self.waiting.signal(tx, message.id);
        self.usage.release(tx, org, message.run_id).await?;
        self.give_back(tx, org, &payload, MicroUsd::ZERO).await?;
        self.follow(tx, org, &payload).await?;
        tx.count(ended("failed", why.code()));
        Ok(true)
    }

    /// Returns what was held for the language model of a run that failed, but for what was wasted.
    async fn give_back(&self, tx: &mut Tx, org: OrgId, payload: &Value, wasted: MicroUsd) -> Result<()> {
        let held = payload.get("held").cloned().map(serde_json::from_value::<Held>);
        match held.transpose().map_err(Error::internal)? {
            Some(held) => self.usage.spend_held(tx, org, &held, wasted).await,
            None => Ok(()),
        }
    }

    async fn follow(&self, tx: &mut Tx, org: OrgId, payload: &Value) -> Result<()> {
        let then: OnFinish = payload
            .get("then")
            .cloned()
            .map(serde_json::from_value)
            .transpose()
            .map_err(Error::internal)?
            .flatten();
        if let Some(job) = then {
            self.queue.add(tx, org, JobId::new(), &job).await?;
        }
        Ok(())
    }

    /// True if a new run would not start soon: an earlier turn of its session is running, or as many runs of the asker
    /// or as many askers wait as this process does runs at once.
    pub async fn has_backlog(&self, org: OrgId, asker: Asker, session: Option<SessionId>) -> Result<bool> {
        if let Some(session) = session
            && self.queue.is_busy(&self.db, org, &lane(session)).await?
        {
            return Ok(true);
        }
        // A process without run slots leaves runs to others and can only see whether one is waiting.
        let most = i64::try_from(self.slots.max(1)).unwrap_or(i64::MAX);
        self.queue
            .has_backlog(&self.db, Pool::Run, org, asker, most)
            .await
    }

    /// How long the calls of one run to a language model may take together. Zero without one.
    pub fn longest_answer(&self) -> Duration {
        self.engines.longest()
    }

    /// Waits until the turn has ended, at most `most`. None if it has not ended by then.
    pub async fn wait(&self, org: OrgId, message: MessageId, most: Duration) -> Result<Option<Message>> {
        let until = Instant::now() + most;
        let watch = self.waiting.watch(message);
        let mut pause = Duration::from_millis(50);
        loop {
            let is_last = Instant::now() >= until;
            let found = self.sessions.message(org, message).await?;
            if found.status != Status::Processing {
                return Ok(Some(found));
            }
            if is_last {
                return Ok(None);
            }
            // Another node may end it without a signal here.
            let _ = tokio::time::timeout_at(until.min(Instant::now() + pause), watch.ended()).await;
            pause = (pause * 2).min(Duration::from_millis(400));
        }
    }

    /// Whether a language model may answer.
    pub fn has_model(&self) -> bool {
        self.engines.longest() > Duration::ZERO
    }

    /// The response of an ended turn.
    pub async fn completed(&self, org: OrgId, message: &Message) -> Result<Completed> {
        let stored = self.sessions.response(org, message.id).await?;
        Completed::of(message, stored.map(|stored| stored.answer))
    }

    /// The stored answer of a completed turn.
    pub async fn answer_of(&self, org: OrgId, message: MessageId) -> Result<Option<Answer>> {
        let stored = self.sessions.response(org, message).await?;
        stored
            .map(|stored| serde_json::from_value(stored.answer).map_err(Error::internal))
            .transpose()
    }
}

/// Why a run is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// An authorized person stopped it.
    Asked,
    /// The question was deleted.
    Withdrawn,
}

impl Stop {
    /// The stable code that is stored as the failure of the run.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Asked => "run_stopped",
            Self::Withdrawn => "run_withdrawn",
        }
    }
}

fn ended(status: &'static str, failure: &'static str) -> metrics::Counter {
    metrics::counter!("corbel_runs_ended_total", "status" => status, "failure" => failure)
}
