//! The service for custom analysts: create, list, change, select for a run, delete. Only the owner can find an analyst.
//!
//! The memory of an analyst is stored as an independent Organization note: it follows the rules of such notes and
//! remains when the analyst is deleted.

use serde_json::json;
use uuid::Uuid;

use crate::analysts::model::{Analyst, Bound, DESCRIPTION, EMOJI, Memory, NAME, Profile, Selected, Written};
use crate::analysts::store;
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{AnalystId, ModelId, NoteId, OrgId};
use crate::base::principal::Principal;
use crate::base::text;
use crate::context::files::StoredFiles;
use crate::context::model::{NewNote, NoteChange, NoteKind, Warning};
use crate::context::service::{self as context, Context};
use crate::db::exec::Exec;
use crate::db::pool::Db;
use crate::db::tx::Tx;

/// The service for custom analysts. Cheap to clone.
#[derive(Clone)]
pub struct Analysts {
    db: Db,
    context: Context,
}

impl Analysts {
    pub fn new(db: Db, context: Context) -> Self {
        Self { db, context }
    }

    pub async fn create(&self, principal: &Principal, profile: Profile, memory: Memory) -> Result<Written> {
        let (profile, memory) = (profile.checked()?, memory.checked()?);
        let stored = self.store_files(principal, &memory).await?;
        let (analysts, principal) = (self.clone(), *principal);
        let created = self.db.write(move |tx| {
            let (analysts, profile) = (analysts.clone(), profile.clone());
            let (memory, stored) = (memory.clone(), stored.clone());
            Box::pin(async move {
                let at = tx.now().await?;
                let analyst = Analyst {
                    id: AnalystId::new(),
                    model_id: ModelId::new(),
                    owner_id: principal.user,
                    name: profile.name,
                    base: profile.base,
                    tone: profile.tone,
                    emoji: profile.emoji.filter(|emoji| !emoji.is_empty()),
                    description: profile.description.unwrap_or_default(),
                    created_at: at,
                    updated_at: at,
                };
                store::add(tx, principal.org, &analyst).await?;
                log(tx, &principal, "analyst.created", &analyst).await?;
                let warnings = analysts
                    .remember(tx, &principal, analyst.id, memory, stored)
                    .await?;
                let analyst = with_notes(tx.exec(), &principal, analyst).await?;
                Ok(Written { analyst, warnings })
            })
        });
        created.await
    }

    /// Changes an analyst and its memory, all or nothing.
    pub async fn update(
        &self,
        principal: &Principal,
        id: AnalystId,
        profile: Profile,
        memory: Memory,
    ) -> Result<Written> {
        let (profile, memory) = (profile.checked()?, memory.checked()?);
        // Checked before storing any bytes; the transaction checks again.
        let found = store::owned(self.db.read(), principal.org, principal.user, id.uuid()).await?;
        found
            .filter(|analyst| analyst.id == id)
            .ok_or(Error::NotFound("analyst"))?;
        let stored = self.store_files(principal, &memory).await?;
        let (analysts, principal) = (self.clone(), *principal);
        let changed = self.db.write(move |tx| {
            let (analysts, profile) = (analysts.clone(), profile.clone());
            let (memory, stored) = (memory.clone(), stored.clone());
            Box::pin(async move {
                let found = store::owned(tx.exec(), principal.org, principal.user, id.uuid()).await?;
                // A model id selects an analyst for runs but not for changes.
                let found = found.filter(|analyst| analyst.id == id);
                let mut analyst = found.ok_or(Error::NotFound("analyst"))?;
                analyst.name = profile.name;
                analyst.base = profile.base;
                analyst.tone = profile.tone;
                if let Some(emoji) = profile.emoji {
                    analyst.emoji = Some(emoji).filter(|emoji| !emoji.is_empty());
                }
                analyst.description = profile.description.unwrap_or(analyst.description);
                analyst.updated_at = tx.now().await?;
                store::change(tx, principal.org, &analyst).await?;
                log(tx, &principal, "analyst.changed", &analyst).await?;
                let warnings = analysts.remember(tx, &principal, id, memory, stored).await?;
                let analyst = with_notes(tx.exec(), &principal, analyst).await?;
                Ok(Written { analyst, warnings })
            })
        });
        changed.await
    }

    /// The person's analyst with this id or model id, for a run.
    pub async fn select(&self, principal: &Principal, id: Uuid) -> Result<Selected> {
        let found = store::owned(self.db.read(), principal.org, principal.user, id).await?;
        let analyst = found.ok_or(Error::NotFound("analyst"))?;
        with_notes(self.db.read(), principal, analyst).await
    }

    /// Any analyst of the organization, also a deleted one. For assistants that an administrator bound to it.
    pub async fn bound(&self, org: OrgId, id: AnalystId) -> Result<Bound> {
        let found = store::of_org(self.db.read(), org, id).await?;
        let (analyst, is_deleted) = found.ok_or(Error::NotFound("analyst"))?;
        if is_deleted {
            return Ok(Bound::Deleted(analyst.name));
        }
        let notes = store::notes(self.db.read(), org, &[id]).await?;
        Ok(Bound::Here(Box::new(Selected {
            analyst,
            notes: notes.into_iter().map(|(_, note)| note).collect(),
        })))
    }

    /// The person's analysts, newest first, starting after `before`.
    pub async fn list(
        &self,
        principal: &Principal,
        before: Option<AnalystId>,
        limit: i64,
    ) -> Result<Vec<Selected>> {
        let (org, user) = (principal.org, principal.user);
        let analysts = store::list(self.db.read(), org, user, before, limit).await?;
        let ids: Vec<AnalystId> = analysts.iter().map(|analyst| analyst.id).collect();
        let notes = store::notes(self.db.read(), org, &ids).await?;
        let with_notes = |analyst: Analyst| Selected {
            notes: notes
                .iter()
                .filter(|(of, _)| *of == analyst.id)
                .map(|(_, note)| *note)
                .collect(),
            analyst,
        };
        Ok(analysts.into_iter().map(with_notes).collect())
    }

    /// Deletes an analyst permanently. Its notes remain.
    pub async fn delete(&self, principal: &Principal, id: AnalystId) -> Result<()> {
        let principal = *principal;
        let deleted = self.db.write(move |tx| {
            Box::pin(async move {
                let at = tx.now().await?;
                if !store::remove(tx, principal.org, principal.user, id, at).await? {
                    return Err(Error::NotFound("analyst"));
                }
                let (actor, subject) = (Actor::from(&principal), id.to_string());
                audit::add(tx, principal.org, actor, "analyst.deleted", &subject, json!({})).await
            })
        });
        deleted.await
    }
}

impl Analysts {
    /// Stores the bytes of the files of a memory, if it has a note for them.
    async fn store_files(&self, principal: &Principal, memory: &Memory) -> Result<StoredFiles> {
        if memory.note.is_none() && (memory.title.is_none() || memory.body.is_none()) {
            return Ok(StoredFiles::default());
        }
        let kind = NoteKind::Organization;
        self.context.store_files(principal, kind, &memory.files).await
    }

    /// Creates or changes an Organization note and attaches it to the analyst.
    async fn remember(
        &self,
        tx: &mut Tx,
        principal: &Principal,
        analyst: AnalystId,
        memory: Memory,
        stored: StoredFiles,
    ) -> Result<Vec<Warning>> {
        let note = match (memory.note, memory.title, memory.body) {
            (Some(id), title, body) => change_note(tx, principal, id, title, body).await?,
            (None, Some(title), Some(body)) => {
                let new = NewNote {
                    kind: NoteKind::Organization,
                    model: None,
                    folder: None,
                    title,
                    body,
                };
                let (org, user) = (principal.org, principal.user);
                context::add_in(tx, principal.into(), org, user, new).await?.id
            }
            (None, title, body) => return Ok(no_note(title.is_some(), body.is_some(), memory.files.len())),
        };
        self.context
            .attach_in(tx, principal.org, note, &stored.files)
            .await?;
        let at = tx.now().await?;
        store::add_note(tx, principal.org, analyst, note, at).await?;
        Ok(stored.warnings)
    }
}

async fn change_note(
    tx: &mut Tx,
    principal: &Principal,
    id: NoteId,
    title: Option<String>,
    body: Option<String>,
) -> Result<NoteId> {
    let kind = Some(NoteKind::Organization);
    let found = context::changeable_in(tx, principal, id, kind, None).await;
    // Does not reveal whether a note exists that the caller may not change.
    let note = found.map_err(|error| match error {
        Error::Forbidden { .. } => Error::NotFound("note"),
        error => error,
    })?;
    let change = NoteChange {
        title,
        body,
        ..NoteChange::default()
    };
    if !change.is_empty() {
        context::change_in(tx, principal, note, change).await?;
    }
    Ok(id)
}

/// A warning if content for a note was given but is incomplete.
fn no_note(title: bool, body: bool, files: usize) -> Vec<Warning> {
    let missing = match (title, body, files) {
        (false, false, 0) => return Vec::new(),
        (true, _, _) => "noteContext is missing",
        (_, true, _) => "noteTitle is missing",
        _ => "its files need a note",
    };
    vec![Warning {
        code: "organisation_memory_incomplete",
        detail: format!(
            "Nothing was kept of organisationMemory: {missing}. Send noteTitle and noteContext, or the noteId of \
             the note to change."
        ),
    }]
}

async fn with_notes(db: Exec<'_>, principal: &Principal, analyst: Analyst) -> Result<Selected> {
    let notes = store::notes(db, principal.org, &[analyst.id]).await?;
    Ok(Selected {
        analyst,
        notes: notes.into_iter().map(|(_, note)| note).collect(),
    })
}

async fn log(tx: &mut Tx, principal: &Principal, act: &str, analyst: &Analyst) -> Result<()> {
    let details = json!({ "name": analyst.name, "base": analyst.base.as_str() });
    let (actor, subject) = (Actor::from(principal), analyst.id.to_string());
    audit::add(tx, principal.org, actor, act, &subject, details).await
}

impl Profile {
    /// Validates and normalizes the profile.
    fn checked(self) -> Result<Self> {
        let emoji = |given: String| {
            let empty = given.trim().is_empty();
            if empty {
                Ok(String::new())
            } else {
                text::name("emoji", &given, EMOJI)
            }
        };
        Ok(Self {
            name: text::name("name", &self.name, NAME)?,
            emoji: self.emoji.map(emoji).transpose()?,
            description: self
                .description
                .map(|given| text::optional("description", &given, DESCRIPTION))
                .transpose()?,
            ..self
        })
    }
}

impl Memory {
    /// Validates and normalizes the memory. A blank title or body of a new note counts as missing.
    fn checked(self) -> Result<Self> {
        let new = self.note.is_none();
        let given = |text: Option<String>| text.filter(|text| !(new && text.trim().is_empty()));
        let change = NoteChange {
            title: given(self.title),
            body: given(self.body),
            ..NoteChange::default()
        };
        let change = change.checked()?;
        Ok(Self {
            note: self.note,
            title: change.title,
            body: change.body,
            files: self.files,
        })
    }
}
