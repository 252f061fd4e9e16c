//! Custom analysts: make, list, select for a run, delete. Only their owner finds them.

use serde_json::json;
use uuid::Uuid;

use crate::analysts::model::{Analyst, DESCRIPTION, EMOJI, NAME, Profile, Selected};
use crate::analysts::store;
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{AnalystId, ModelId};
use crate::base::principal::Principal;
use crate::base::text;
use crate::db::pool::Db;

#[derive(Clone)]
pub struct Analysts {
    db: Db,
}

impl Analysts {
    pub fn new(db: Db) -> Self {
        Self { db }
    }

    pub async fn create(&self, principal: &Principal, profile: Profile) -> Result<Analyst> {
        let profile = checked(profile)?;
        let principal = *principal;
        let made = self.db.write(move |tx| {
            let profile = profile.clone();
            Box::pin(async move {
                let at = tx.now().await?;
                let analyst = Analyst {
                    id: AnalystId::new(),
                    model_id: ModelId::new(),
                    owner_id: principal.user,
                    name: profile.name,
                    base: profile.base,
                    tone: profile.tone,
                    emoji: profile.emoji,
                    description: profile.description.unwrap_or_default(),
                    created_at: at,
                    updated_at: at,
                };
                store::add(tx, principal.org, &analyst).await?;
                let details = json!({ "name": analyst.name, "base": analyst.base.as_str() });
                let (actor, subject) = (Actor::from(&principal), analyst.id.to_string());
                audit::add(tx, principal.org, actor, "analyst.created", &subject, details).await?;
                Ok(analyst)
            })
        });
        made.await
    }

    /// The person's analyst of this id or model id, as a run uses it.
    pub async fn select(&self, principal: &Principal, id: Uuid) -> Result<Selected> {
        let found = store::owned(self.db.read(), principal.org, principal.user, id).await?;
        let analyst = found.ok_or(Error::NotFound("analyst"))?;
        let notes = store::notes(self.db.read(), principal.org, &[analyst.id]).await?;
        Ok(Selected {
            analyst,
            notes: notes.into_iter().map(|(_, note)| note).collect(),
        })
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
                let actor = Actor::from(&principal);
                audit::add(
                    tx,
                    principal.org,
                    actor,
                    "analyst.deleted",
                    &id.to_string(),
                    json!({}),
                )
                .await
            })
        });
        deleted.await
    }
}

fn checked(profile: Profile) -> Result<Profile> {
    let emoji = profile.emoji.filter(|emoji| !emoji.trim().is_empty());
    Ok(Profile {
        name: text::name("name", &profile.name, NAME)?,
        emoji: emoji
            .map(|emoji| text::name("emoji", &emoji, EMOJI))
            .transpose()?,
        description: profile
            .description
            .map(|given| text::optional("description", &given, DESCRIPTION))
            .transpose()?,
        ..profile
    })
}
