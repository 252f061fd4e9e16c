//! What an engine gets to see: everything the asker may use under the run's policy, and nothing else.

use chrono::NaiveDate;

use crate::analysis::answer::SourceKind;
use crate::analysis::engine::{Brief, Engine, NoteExcerpt, Tone};
use crate::analysis::reading::Reading;
use crate::analysis::selection::{Selection, Tagged};
use crate::base::error::{Error, Result};
use crate::base::ids::OrgId;
use crate::context::model::{Note, NoteKind, Scope};
use crate::context::service::Context;
use crate::files::service::Files;
use crate::sessions::model::Message;
use crate::sessions::service::Sessions;

/// Notes given to an engine beside those that were asked for.
const NOTES: usize = 6;

/// Where the parts of a brief come from.
pub(super) struct Gathering<'a> {
    pub(super) context: &'a Context,
    pub(super) sessions: &'a Sessions,
    pub(super) files: &'a Files,
    pub(super) engine: &'a dyn Engine,
    /// In UTC.
    pub(super) today: NaiveDate,
}

impl Gathering<'_> {
    /// What the asker may see, and what of the selection had to be left out. In an organisation-safe run
    /// personal notes are not loaded at all.
    pub(super) async fn brief(
        &self,
        org: OrgId,
        message: &Message,
        selection: &Selection,
    ) -> Result<(Brief, Vec<String>)> {
        let scope = Scope {
            person: (!message.organisation_safe).then_some(message.user_id),
            ..Scope::organization(org)
        }
        .of_model(selection.partition(self.engine));
        let (mut notes, left_out) = self.tagged(scope, &selection.notes).await?;
        let reading = Reading::new(self.context, self.files, scope, message);
        let files = reading.all(&notes).await?;
        for note in self.context.relevant(scope, &message.question, NOTES).await? {
            if notes.iter().all(|own| own.id != note.id) {
                notes.push(note);
            }
        }
        let earlier = self.sessions.earlier_frame(org, message).await?;
        for id in earlier.iter().flat_map(|earlier| self.engine.leans_on(earlier)) {
            match self.context.get(scope, id).await {
                Ok(note) if notes.iter().all(|own| own.id != note.id) => notes.push(note),
                Ok(_) | Err(Error::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let excerpt = |note: Note| NoteExcerpt {
            id: note.id,
            kind: match note.kind {
                NoteKind::Personal => SourceKind::PersonalNote,
                NoteKind::Organization => SourceKind::OrganizationNote,
            },
            title: note.title,
            body: note.body,
            updated_at: note.updated_at,
        };
        let brief = Brief {
            question: message.question.clone(),
            tone: message.tone.parse::<Tone>().unwrap_or_default(),
            instructions: selection.instructions.clone(),
            today: self.today,
            earlier,
            notes: notes.into_iter().map(excerpt).collect(),
            files,
            thread: Vec::new(),
        };
        Ok((brief, left_out))
    }

    /// The notes that were asked for, and a sentence for each that had to be left out. Titles of personal
    /// notes are as personal as their text: they are named by their ids.
    async fn tagged(&self, scope: Scope, tagged: &[Tagged]) -> Result<(Vec<Note>, Vec<String>)> {
        let (mut notes, mut left_out) = (Vec::new(), Vec::new());
        for Tagged { id, personal } in tagged {
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
