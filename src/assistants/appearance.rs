//! Changes the brand of an assistant. `brand` defines what is valid. Does not depend on a form or page.

use serde_json::json;

use crate::assistants::assistant_store;
use crate::assistants::brand::Brand;
use crate::assistants::model::Assistant;
use crate::assistants::service::Assistants;
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{AssistantId, OrgId};

impl Assistants {
    /// Replaces the brand of an assistant. What a platform shows of it changes with the next reinstall.
    pub async fn update_assistant(
        &self,
        actor: Actor,
        org: OrgId,
        id: AssistantId,
        brand: Brand,
    ) -> Result<Assistant> {
        let mut assistant = self.assistant(org, id).await?;
        let before = Brand::from(&assistant);
        let brand = brand.validate()?;
        if brand == before {
            return Ok(assistant);
        }
        let changed = changes(&before, &brand);
        brand.clone().apply_to(&mut assistant);
        let new = assistant.clone();
        let written = self.db.write(move |tx| {
            let (assistant, changed) = (new.clone(), changed.clone());
            Box::pin(async move {
                if !assistant_store::update(tx, &assistant).await? {
                    return Err(Error::NotFound("assistant"));
                }
                let details = json!({ "name": assistant.name, "changed": changed });
                audit::add(tx, org, actor, "assistant.updated", &id.to_string(), details).await
            })
        });
        written.await?;
        // Cached installations contain the assistant's name.
        self.installations.cache.clear();
        Ok(assistant)
    }
}

/// The names of the fields that differ.
fn changes(before: &Brand, after: &Brand) -> Vec<&'static str> {
    let all = [
        ("name", before.name != after.name),
        ("description", before.description != after.description),
        ("colour", before.colour != after.colour),
        ("tone", before.tone != after.tone),
        ("greeting", before.greeting != after.greeting),
        ("about", before.about != after.about),
        ("prompts", before.prompts != after.prompts),
    ];
    all.iter()
        .filter(|(_, changed)| *changed)
        .map(|(field, _)| *field)
        .collect()
}
