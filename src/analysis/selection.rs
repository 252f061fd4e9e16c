//! Resolves what a request names in addition to its question (model, custom analyst, buildings, Context notes) and
//! checks that the asker may use it. What belongs to others is reported as not found.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

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

/// What a request names, not authorized yet.
#[derive(Clone, Debug, Default)]
pub struct SelectionRequest {
    pub tone: Option<Tone>,
    pub model: Option<Model>,
    /// Without a model: the fast one.
    pub fast: bool,
    /// A custom analyst by its id or its model id.
    pub analyst: Option<String>,
    /// The tone that the request gives with the analyst.
    pub analyst_tone: Option<Tone>,
    /// A custom analyst by its model id, or its id.
    pub model_id: Option<String>,
    /// Empty: all granted buildings.
    pub buildings: BTreeSet<String>,
    /// Context notes by their ids.
    pub notes: Vec<String>,
    /// Files of Context notes by their ids.
    pub attachments: Vec<String>,
}

/// What a run uses, authorized. Stored with the run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Selection {
    /// Absent: the usual one.
    pub model: Option<Model>,
    pub analyst: Option<AnalystId>,
    /// The analyst's description at the time of admission: what its owner wrote about how it works.
    #[serde(default)]
    pub instructions: Option<String>,
    /// The requested buildings that were granted at admission. Absent: those granted when the run starts.
    pub buildings: Option<Buildings>,
    /// Notes that the engine gets in addition to what the search finds.
    pub notes: Vec<TaggedNote>,
}

/// A note that the request names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaggedNote {
    pub id: NoteId,
    /// An organisation-safe run leaves personal notes out, and says so.
    pub personal: bool,
}

impl Selection {
    /// What a custom analyst uses everywhere: its model, instructions and Organization notes, but no personal context
    /// of its owner.
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
                .map(|id| TaggedNote::organization(*id))
                .collect(),
        }
    }

    /// The model that is asked for. The run sees its notes, also if another model answers.
    pub(super) fn asked(&self, fast: bool) -> Model {
        Model::asked(self.model, fast)
    }
}

impl TaggedNote {
    const fn organization(id: NoteId) -> Self {
        Self { id, personal: false }
    }
}

/// Everything that a request names, found and authorized.
#[derive(Clone, Debug)]
pub struct ResolvedSelection {
    pub tone: Tone,
    pub selection: Selection,
    /// Files of notes, each once.
    pub attachments: Vec<File>,
}

#[derive(Clone)]
pub struct SelectionResolver {
    pub(super) analysts: Analysts,
    pub(super) context: Context,
    pub(super) files: Files,
    pub(super) portfolio: Portfolio,
}

impl SelectionResolver {
    /// Finds and authorizes what the request names. Writes nothing.
    pub async fn resolve(
        &self,
        principal: &Principal,
        request: &SelectionRequest,
    ) -> Result<ResolvedSelection> {
        if request.notes.len() > NOTES {
            let why = format!("name at most {NOTES} notes");
            return Err(Error::invalid("taggedMemoryIds", why));
        }
        if request.attachments.len() > ATTACHMENTS {
            let why = format!("name at most {ATTACHMENTS} attachments of notes");
            return Err(Error::invalid("taggedMemoryIds", why));
        }
        if request.buildings.len() > BUILDINGS {
            let why = format!("name at most {BUILDINGS} buildings");
            return Err(Error::invalid("user.buildingIds", why));
        }
        let analyst = self.analyst(principal, request).await?;
        let stored = analyst.as_ref().map(|selected| selected.analyst.tone);
        let tone = request
            .tone
            .or(request.analyst_tone.filter(|_| analyst.is_some()))
            .or(stored);
        let model = request
            .model
            .or(analyst.as_ref().map(|selected| selected.analyst.base));
        // Runs of this model and their notes belong together, also where another answers.
        let partition = Some(Model::asked(model, request.fast));
        let mut notes = self.tagged(principal, partition, &request.notes).await?;
        let brought = analyst.as_ref().map(Selection::of_analyst).unwrap_or_default();
        for note in brought.notes {
            if notes.iter().all(|known| known.id != note.id) {
                notes.push(note);
            }
        }
        let selection = Selection {
            model: partition,
            buildings: Some(self.portfolio.scope(principal, &request.buildings).await?),
            notes,
            ..brought
        };
        let attachments = self.attachments(principal, partition, &request.attachments);
        Ok(ResolvedSelection {
            tone: tone.unwrap_or_default(),
            attachments: attachments.await?,
            selection,
        })
    }

    /// Files that the person sent earlier, or that belong to a note which a run with this model may see. Each is listed
    /// once, in the order of `ids`.
    pub async fn earlier(
        &self,
        principal: &Principal,
        model: Option<Model>,
        ids: &[FileId],
    ) -> Result<Vec<File>> {
        let (mut own, mut found) = (self.files.choose(principal, ids).await?, Vec::new());
        let scope = Scope::person(principal.org, principal.user).of_model(Some(model.unwrap_or_default()));
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

    /// Files of notes that the asker may see. Each is listed once, in the order of `ids`.
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

    async fn analyst(&self, principal: &Principal, request: &SelectionRequest) -> Result<Option<Selected>> {
        let mut found: Option<Selected> = None;
        for id in [&request.analyst, &request.model_id].into_iter().flatten() {
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

    /// The asker's own notes and the organization's. Each is listed once, in the order of `ids`. Notes of another
    /// model's partition are not found.
    async fn tagged(
        &self,
        principal: &Principal,
        model: Option<Model>,
        ids: &[String],
    ) -> Result<Vec<TaggedNote>> {
        let scope = Scope::person(principal.org, principal.user).of_model(model);
        let mut found: Vec<TaggedNote> = Vec::new();
        for id in ids {
            let id: NoteId = id.parse().map_err(|_| Error::NotFound("note"))?;
            if found.iter().any(|known| known.id == id) {
                continue;
            }
            let note = self.context.get(scope, id).await?;
            found.push(TaggedNote {
                id,
                personal: note.kind == NoteKind::Personal,
            });
        }
        Ok(found)
    }
}
