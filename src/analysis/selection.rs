//! What a run is asked to use beside its question, authorized before it is admitted: model, custom analyst,
//! buildings, Context notes. What is not the asker's is absent, like what exists nowhere.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::analysis::engine::Engine;
use crate::analysts::model::Selected;
use crate::analysts::service::Analysts;
use crate::base::error::{Error, Result};
use crate::base::ids::{AnalystId, FileId, NoteId};
use crate::base::model::Model;
use crate::base::principal::Principal;
use crate::base::tone::Tone;
use crate::context::model::{NoteKind, Scope};
use crate::context::service::Context;
use crate::files::model::File;
use crate::files::service::Files;
use crate::portfolio::model::Buildings;
use crate::portfolio::service::Portfolio;

/// Most notes, files of notes, and buildings that one request may name.
const NOTES: usize = 100;
const ATTACHMENTS: usize = 100;
const BUILDINGS: usize = 1000;

/// What is asked for, as it came.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    pub tone: Option<Tone>,
    pub model: Option<Model>,
    /// A custom analyst by its id or its model id.
    pub analyst: Option<String>,
    /// The tone that came along with the analyst.
    pub analyst_tone: Option<Tone>,
    /// A custom analyst by its model id, or its id.
    pub model_id: Option<String>,
    /// Empty: all that is granted.
    pub buildings: BTreeSet<String>,
    /// Context notes by their ids.
    pub notes: Vec<String>,
    /// Files of Context notes by their ids.
    pub attachments: Vec<String>,
}

/// What the run uses, authorized. Kept with the run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Selection {
    /// Absent: whichever answers.
    pub model: Option<Model>,
    pub analyst: Option<AnalystId>,
    /// What the analyst's owner wrote on how it works, as it was when the run was admitted.
    #[serde(default)]
    pub instructions: Option<String>,
    /// What was granted and asked for when the run was admitted. Absent: what is granted when it runs.
    pub buildings: Option<Buildings>,
    /// Notes that go to the engine whatever the search finds.
    pub notes: Vec<Tagged>,
}

/// A note that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tagged {
    pub id: NoteId,
    /// Left out, and named as left out, where the run turns out organisation-safe.
    pub personal: bool,
}

impl Selection {
    /// What an analyst brings along wherever it answers: its model, its instructions and its Organization notes,
    /// and nothing of its owner's.
    pub fn of_analyst(selected: &Selected) -> Self {
        let instructions = selected.analyst.description.trim();
        Self {
            model: Some(selected.analyst.base),
            analyst: Some(selected.analyst.id),
            instructions: (!instructions.is_empty()).then(|| instructions.to_owned()),
            buildings: None,
            notes: selected
                .notes
                .iter()
                .map(|id| Tagged::organization(*id))
                .collect(),
        }
    }

    /// The model whose notes the run sees: the selected one, else the one that answers.
    pub(super) fn partition(&self, engine: &dyn Engine) -> Option<Model> {
        self.model.or_else(|| answering(engine))
    }
}

impl Tagged {
    const fn organization(id: NoteId) -> Self {
        Self { id, personal: false }
    }
}

/// The model that answers where none is selected.
pub fn answering(engine: &dyn Engine) -> Option<Model> {
    engine.model().parse().ok()
}

/// Everything that was asked for, found.
#[derive(Clone, Debug)]
pub struct Resolved {
    pub tone: Tone,
    pub selection: Selection,
    /// Files of notes, each once.
    pub attachments: Vec<File>,
}

#[derive(Clone)]
pub struct Selections {
    analysts: Analysts,
    context: Context,
    files: Files,
    portfolio: Portfolio,
    /// The model that answers where none is asked for.
    usual: Option<Model>,
}

impl Selections {
    pub fn new(
        analysts: Analysts,
        context: Context,
        files: Files,
        portfolio: Portfolio,
        usual: Option<Model>,
    ) -> Self {
        Self {
            analysts,
            context,
            files,
            portfolio,
            usual,
        }
    }

    /// Reads only.
    pub async fn resolve(&self, principal: &Principal, wanted: &Wanted) -> Result<Resolved> {
        if wanted.notes.len() > NOTES {
            let why = format!("name at most {NOTES} notes");
            return Err(Error::invalid("taggedMemoryIds", why));
        }
        if wanted.attachments.len() > ATTACHMENTS {
            let why = format!("name at most {ATTACHMENTS} attachments of notes");
            return Err(Error::invalid("taggedMemoryIds", why));
        }
        if wanted.buildings.len() > BUILDINGS {
            let why = format!("name at most {BUILDINGS} buildings");
            return Err(Error::invalid("user.buildingIds", why));
        }
        let analyst = self.analyst(principal, wanted).await?;
        let stored = analyst.as_ref().map(|selected| selected.analyst.tone);
        let tone = wanted
            .tone
            .or(wanted.analyst_tone.filter(|_| analyst.is_some()))
            .or(stored);
        let model = wanted
            .model
            .or(analyst.as_ref().map(|selected| selected.analyst.base));
        let partition = model.or(self.usual);
        let mut notes = self.tagged(principal, partition, &wanted.notes).await?;
        let brought = analyst.as_ref().map(Selection::of_analyst).unwrap_or_default();
        for note in brought.notes {
            if notes.iter().all(|known| known.id != note.id) {
                notes.push(note);
            }
        }
        let selection = Selection {
            model,
            buildings: Some(self.portfolio.scope(principal, &wanted.buildings).await?),
            notes,
            ..brought
        };
        let attachments = self.attachments(principal, partition, &wanted.attachments);
        Ok(Resolved {
            tone: tone.unwrap_or_default(),
            attachments: attachments.await?,
            selection,
        })
    }

    /// Files that the person sent earlier, or that belong to a note which a run with this selection sees; each
    /// once, in the order they are named.
    pub async fn earlier(
        &self,
        principal: &Principal,
        model: Option<Model>,
        ids: &[FileId],
    ) -> Result<Vec<File>> {
        let (mut own, mut found) = (self.files.choose(principal, ids).await?, Vec::new());
        let scope = Scope::person(principal.org, principal.user).of_model(model.or(self.usual));
        for id in ids {
            if found.iter().any(|known: &File| known.id == *id) {
                continue;
            }
            match own.iter().position(|file| file.id == *id) {
                Some(at) => found.push(own.swap_remove(at)),
                None => found.push(self.context.attachment(scope, *id).await?),
            }
        }
        Ok(found)
    }

    /// Files of notes that the asker may see, each once, in their order.
    async fn attachments(
        &self,
        principal: &Principal,
        model: Option<Model>,
        ids: &[String],
    ) -> Result<Vec<File>> {
        let scope = Scope::person(principal.org, principal.user).of_model(model);
        let mut found: Vec<File> = Vec::new();
        for id in ids {
            let id: FileId = id.parse().map_err(|_| Error::NotFound("attachment"))?;
            if found.iter().all(|known| known.id != id) {
                found.push(self.context.attachment(scope, id).await?);
            }
        }
        Ok(found)
    }

    async fn analyst(&self, principal: &Principal, wanted: &Wanted) -> Result<Option<Selected>> {
        let mut found: Option<Selected> = None;
        for id in [&wanted.analyst, &wanted.model_id].into_iter().flatten() {
            let id: Uuid = id.parse().map_err(|_| Error::NotFound("analyst"))?;
            let selected = self.analysts.select(principal, id).await?;
            if found
                .as_ref()
                .is_some_and(|other| other.analyst.id != selected.analyst.id)
            {
                let why = "names another analyst than customAnalyst.id; give one of the two";
                return Err(Error::invalid("user.modelId", why));
            }
            found = Some(selected);
        }
        Ok(found)
    }

    /// The asker's own notes and the organization's among these, each once, in their order. Those of another
    /// model's partition are absent.
    async fn tagged(
        &self,
        principal: &Principal,
        model: Option<Model>,
        ids: &[String],
    ) -> Result<Vec<Tagged>> {
        let scope = Scope::person(principal.org, principal.user).of_model(model);
        let mut found: Vec<Tagged> = Vec::new();
        for id in ids {
            let id: NoteId = id.parse().map_err(|_| Error::NotFound("note"))?;
            if found.iter().any(|known| known.id == id) {
                continue;
            }
            let note = self.context.get(scope, id).await?;
            found.push(Tagged {
                id,
                personal: note.kind == NoteKind::Personal,
            });
        }
        Ok(found)
    }
}
