//! Custom analysts: make, list, change, select for a run, delete. Only their owner finds them.
//!
//! What an analyst is to remember becomes an Organization note that stands on its own: it follows the rules
//! of such notes, and survives the analyst.

use serde_json::json;
use uuid::Uuid;

use crate::analysts::model::{Analyst, DESCRIPTION, EMOJI, Memory, NAME, Profile, Selected, Written};
use crate::analysts::store;
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{AnalystId, ModelId};
use crate::base::principal::Principal;
use crate::base::text;
use crate::context::model::{NewNote, NoteChange, NoteKind, Warning};
use crate::context::service as context;
use crate::db::exec::Exec;
use crate::db::pool::Db;
use crate::db::tx::Tx;

#[derive(Clone)]
pub struct Analysts {
    db: Db,
}

impl Analysts {
    pub fn new(db: Db) -> Self {
        Self { db }
    }

    pub async fn create(&self, principal: &Principal, profile: Profile, memory: Memory) -> Result<Written> {
        let (profile, memory) = (profile.checked()?, memory.checked()?);
        let principal = *principal;
        let made = self.db.write(move |tx| {
            let (profile, memory) = (profile.clone(), memory.clone());
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
                let warnings = remember(tx, &principal, analyst.id, memory).await?;
                let analyst = with_notes(tx.exec(), &principal, analyst).await?;
                Ok(Written { analyst, warnings })
            })
        });
        made.await
    }

    /// Changes an analyst and what it remembers, or nothing.
    pub async fn update(
        &self,
        principal: &Principal,
        id: AnalystId,
        profile: Profile,
        memory: Memory,
    ) -> Result<Written> {
        let (profile, memory) = (profile.checked()?, memory.checked()?);
        let principal = *principal;
        let changed = self.db.write(move |tx| {
            let (profile, memory) = (profile.clone(), memory.clone());
            Box::pin(async move {
                let found = store::owned(tx.exec(), principal.org, principal.user, id.uuid()).await?;
                // A model id selects it for runs, not for changes.
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
                let warnings = remember(tx, &principal, id, memory).await?;
                let analyst = with_notes(tx.exec(), &principal, analyst).await?;
                Ok(Written { analyst, warnings })
            })
        });
        changed.await
    }

    /// The person's analyst of this id or model id, as a run uses it.
    pub async fn select(&self, principal: &Principal, id: Uuid) -> Result<Selected> {
        let found = store::owned(self.db.read(), principal.org, principal.user, id).await?;
        let analyst = found.ok_or(Error::NotFound("analyst"))?;
        with_notes(self.db.read(), principal, analyst).await
    }

    /// The person's analysts, newest first, before the one given.
    pub async fn list(
        &self,
        principal: &Principal,
        before: Option<AnalystId>,
        most: i64,
    ) -> Result<Vec<Selected>> {
        let (org, user) = (principal.org, principal.user);
        let analysts = store::list(self.db.read(), org, user, before, most).await?;
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

    /// Deletes an analyst for good. Its notes stay.
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

/// Writes or changes the analyst's Organization note, and makes it the analyst's.
async fn remember(
    tx: &mut Tx,
    principal: &Principal,
    analyst: AnalystId,
    memory: Memory,
) -> Result<Vec<Warning>> {
    let note = match memory {
        Memory {
            note: Some(id),
            title,
            body,
        } => {
            let kind = Some(NoteKind::Organization);
            let found = context::changeable_in(tx, principal, id, kind, None).await;
            // Whether somebody else's note exists is nothing an analyst's owner learns here.
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
            id
        }
        Memory {
            title: Some(title),
            body: Some(body),
            ..
        } => {
            let new = NewNote {
                kind: NoteKind::Organization,
                model: None,
                folder: None,
                title,
                body,
            };
            context::add_in(tx, principal.into(), principal.org, principal.user, new)
                .await?
                .id
        }
        Memory {
            title: None,
            body: None,
            ..
        } => return Ok(Vec::new()),
        Memory { title, .. } => {
            let (given, missing) = if title.is_some() {
                ("noteTitle", "noteContext")
            } else {
                ("noteContext", "noteTitle")
            };
            return Ok(vec![Warning {
                code: "organisation_memory_incomplete",
                detail: format!(
                    "No note was written: organisationMemory has {given} but not {missing}. Send both, or the \
                     noteId of the note to change."
                ),
            }]);
        }
    };
    let at = tx.now().await?;
    store::add_note(tx, principal.org, analyst, note, at).await?;
    Ok(Vec::new())
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
    /// As it is kept, or what does not fit.
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
    /// As it is kept, or what does not fit. A new note's blank title or body counts as absent.
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
        })
    }
}
