//! The fields of a run request, as the contract defines them.

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::analysis::selection::SelectionRequest;
use crate::api::failure::Failure;
use crate::api::files::Earlier;
use crate::api::flag::Flag;
use crate::base::ids::FileId;
use crate::base::model::Model;
use crate::base::tone::Tone;

/// What to analyse, and with what.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "question": "What is the DSCR with NOI of 1,200,000 and debt service of 900,000?",
    "tone": "professional", "wait": true, "user": { "modelType": "svc-pro" }
}))]
pub struct Run {
    /// Not empty, at most 40,000 characters.
    #[schema(min_length = 1)]
    pub question: String,
    /// The session of an earlier turn, for a follow-up that keeps its history.
    pub session_id: Option<Uuid>,
    /// Absent: the custom analyst's, else professional.
    pub tone: Option<Tone>,
    /// Prefer the faster path.
    #[serde(default)]
    #[schema(required = false)]
    pub fast_mode: Flag,
    /// `organisation-safe`, for a shared organization channel: personal Context and personal attachments are
    /// left out. Absent for a private conversation; no other value, not even null.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = ContextPolicy, required = false)]
    pub context_policy: Option<Value>,
    /// Wait up to five seconds for the completed response.
    #[serde(default)]
    #[schema(required = false)]
    pub wait: Flag,
    #[schema(inline)]
    pub user: Option<RunUser>,
    #[schema(inline)]
    pub custom_analyst: Option<CustomAnalyst>,
    /// Attachments of the owner's Personal Context to include, by their ids.
    pub user_memory_attachments_ids: Option<Vec<String>>,
    /// Attachments of Organization Context to include, by their ids.
    pub org_memory_attachments_ids: Option<Vec<String>>,
    /// Context notes to include, whatever the search finds.
    pub tagged_memory_ids: Option<Vec<TaggedMemory>>,
    /// Files of earlier requests, by their ids.
    #[serde(default)]
    pub uploaded_attachments: Option<Vec<Earlier>>,
}

#[derive(Debug, Deserialize, ToSchema)]
pub enum ContextPolicy {
    #[serde(rename = "organisation-safe")]
    OrganisationSafe,
}

/// Model and property scope. Who asks is the key's owner, whatever else stands here.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunUser {
    /// A built-in model.
    pub model_type: Option<Model>,
    /// The `modelId` of an owned custom analyst.
    pub model_id: Option<String>,
    /// Buildings to look at, of those granted to the owner. Absent or empty: all that are granted. None of
    /// them granted: no building, never all.
    pub building_ids: Option<Vec<String>>,
}

/// An owned custom analyst. Only its id decides which; the rest is for display.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomAnalyst {
    pub id: String,
    /// Unless `tone` is given beside the question.
    pub tone: Option<Tone>,
}

/// A Context note: its id, or an object with it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged, expecting = "must be the id of a note, or an object with it")]
pub enum TaggedMemory {
    Id(String),
    Entry(TaggedEntry),
}

/// `id` and `memoryId` are two names of the same.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaggedEntry {
    pub id: Option<String>,
    pub memory_id: Option<String>,
    /// Attachments of the note to include.
    pub attachment_ids: Option<Vec<String>>,
}

impl Run {
    pub fn organisation_safe(&self) -> Result<bool, Failure> {
        match &self.context_policy {
            None => Ok(false),
            Some(Value::String(policy)) if policy == "organisation-safe" => Ok(true),
            Some(_) => Err(Failure::ContextPolicy),
        }
    }

    /// Files of earlier requests, as the caller names them.
    pub fn earlier_files(&self) -> Vec<FileId> {
        let earlier = self.uploaded_attachments.iter().flatten();
        earlier.map(Earlier::id).collect()
    }

    /// Model, analyst, buildings and notes, as the caller names them.
    pub fn selection(&self) -> Result<SelectionRequest, Failure> {
        let user = self.user.as_ref();
        let analyst = self.custom_analyst.as_ref();
        let buildings = user.and_then(|user| user.building_ids.as_ref()).into_iter();
        let mut request = SelectionRequest {
            tone: self.tone,
            model: user.and_then(|user| user.model_type),
            fast: self.fast_mode.0,
            analyst: analyst.map(|analyst| analyst.id.clone()),
            analyst_tone: analyst.and_then(|analyst| analyst.tone),
            model_id: user.and_then(|user| user.model_id.clone()),
            buildings: buildings.flatten().cloned().collect(),
            notes: Vec::new(),
            attachments: Vec::new(),
        };
        for ids in [
            &self.user_memory_attachments_ids,
            &self.org_memory_attachments_ids,
        ] {
            request.attachments.extend(ids.iter().flatten().cloned());
        }
        for (n, tagged) in self.tagged_memory_ids.iter().flatten().enumerate() {
            let id = match tagged {
                TaggedMemory::Id(id) => id,
                TaggedMemory::Entry(entry) => {
                    let attachments = entry.attachment_ids.iter().flatten();
                    request.attachments.extend(attachments.cloned());
                    entry.note(n)?
                }
            };
            request.notes.push(id.clone());
        }
        Ok(request)
    }
}

impl TaggedEntry {
    fn note(&self, n: usize) -> Result<&String, Failure> {
        let wrong = |why| Failure::field(&format!("taggedMemoryIds[{n}]"), "invalid", why);
        match (&self.id, &self.memory_id) {
            (Some(id), Some(other)) if id != other => {
                Err(wrong("id and memoryId differ; give one of the two"))
            }
            (Some(id), _) | (None, Some(id)) => Ok(id),
            (None, None) => Err(wrong("needs id or memoryId")),
        }
    }
}

/// Keeps an explicit null apart from an absent field: null is not an allowed value.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
