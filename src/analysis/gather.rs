//! Gathers the brief of a run: everything the asker may use under the run's policy, and nothing else.

use chrono::NaiveDate;
use serde_json::Value;

use crate::analysis::engine::{Brief, EarlierTurn, Engine, NoteExcerpt, Tone};
use crate::analysis::reading::{LargeFiles, Reading};
use crate::analysis::selection::{Selection, TaggedNote};
use crate::base::error::{Error, Result};
use crate::base::ids::OrgId;
use crate::base::money::MicroUsd;
use crate::context::model::{Note, Scope};
use crate::context::service::Context;
use crate::files::service::Files;
use crate::sessions::model::Message;
use crate::sessions::service::Sessions;

/// Most notes from the search, in addition to those that the request names.
const NOTES: usize = 6;

/// Most earlier turns of the session, for an engine that reads them.
const TURNS: i64 = 8;

/// The sources of a brief.
pub(super) struct Gathering<'a> {
    pub(super) context: &'a Context,
    pub(super) sessions: &'a Sessions,
    pub(super) files: &'a Files,
    pub(super) large_files: &'a LargeFiles,
    pub(super) engine: &'a dyn Engine,
    /// In UTC.
    pub(super) today: NaiveDate,
}

impl Gathering<'_> {
    /// The brief, and a sentence for each selected note that was left out. An organisation-safe run does not load
    /// personal notes at all.
    pub(super) async fn brief(
        &self,
        org: OrgId,
        message: &Message,
        selection: &Selection,
    ) -> Result<(Brief, Vec<String>)> {
        let scope = scope_of(org, message, selection);
        let (mut notes, left_out) = self.tagged(scope, &selection.notes).await?;
        let reading = Reading::new(self.context, (self.files, self.large_files), scope, message);
        let (files, refused, permit) = reading.all(&notes).await?;
        for note in self.context.relevant(scope, &message.question, NOTES).await? {
            if notes.iter().all(|own| own.id != note.id) {
                notes.push(note);
            }
        }
        let earlier = self.sessions.earlier_frame(org, message).await?;
        for id in earlier
            .iter()
            .flat_map(|earlier| self.engine.notes_of_frame(earlier))
        {
            match self.context.get(scope, id).await {
                Ok(note) if notes.iter().all(|own| own.id != note.id) => notes.push(note),
                Ok(_) | Err(Error::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let brief = Brief {
            question: message.question.clone(),
            tone: message.tone.parse::<Tone>().unwrap_or_default(),
            instructions: selection.instructions.clone(),
            today: self.today,
            earlier,
            turns: self.turns(org, message).await?,
            model: selection.asked(message.fast),
            organisation_safe: message.organisation_safe,
            budget: MicroUsd::ZERO,
            notes: notes.into_iter().map(NoteExcerpt::from).collect(),
            files,
            permit,
            refused,
            thread: Vec::new(),
        };
        Ok((brief, left_out))
    }

    /// Earlier turns, oldest first. The offline analyst has no use for them.
    async fn turns(&self, org: OrgId, message: &Message) -> Result<Vec<EarlierTurn>> {
        if !self.engine.reads_turns() {
            return Ok(Vec::new());
        }
        let found = self.sessions.earlier_turns(org, message, TURNS).await?;
        let turns = found.into_iter().rev().map(|(question, answer)| EarlierTurn {
            question,
            answer: answer
                .get("result")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
        });
        Ok(turns.filter(|turn| !turn.answer.is_empty()).collect())
    }

    /// The notes that the request names, and a sentence for each that was left out. The sentence has the note's id:
    /// the title of a personal note is as personal as its text.
    async fn tagged(&self, scope: Scope, tagged: &[TaggedNote]) -> Result<(Vec<Note>, Vec<String>)> {
        let (mut notes, mut left_out) = (Vec::new(), Vec::new());
        for TaggedNote { id, personal } in tagged {
            if *personal && scope.person.is_none() {
                left_out.push(format!(
                    "Note {id} is personal and was left out: this run is organisation-safe."
                ));
                continue;
            }
            match self.context.get(scope, *id).await {
                Ok(note) => notes.push(note),
                Err(Error::NotFound(_)) => {
                    left_out.push(format!(
                        "Note {id} is not available to this run any more and was left out."
                    ));
                }
                Err(error) => return Err(error),
            }
        }
        Ok((notes, left_out))
    }
}

/// The notes that a run may see.
pub(super) fn scope_of(org: OrgId, message: &Message, selection: &Selection) -> Scope {
    Scope {
        person: (!message.organisation_safe).then_some(message.user_id),
        ..Scope::organization(org)
    }
    .of_model(Some(selection.asked(message.fast)))
}
