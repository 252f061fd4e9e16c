//! What an assistant answers with: the custom analyst that an administrator bound to it, or, where there is none or
//! it was deleted, the service's own model. Only an analyst's Organization Context is used.

use std::time::Duration;

use crate::analysis::engine::Tone;
use crate::analysis::selection::Selection;
use crate::analysts::model::{Bound, Selected};
use crate::assistants::model::{Assistant, Installation, Place, Say};
use crate::base::error::{Error, Result};
use crate::base::ids::OrgId;
use crate::base::principal::Principal;
use crate::chat::core::buildings::usable_buildings;
use crate::chat::core::notices::notify_admins;
use crate::services::Services;

/// Time until administrators are notified again of the same deleted analyst; the console always shows it.
const MONTH: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The analyst bound to an assistant.
pub enum BoundAnalyst {
    None,
    Bound(Box<Selected>),
    /// It was deleted; with its name.
    Deleted(String),
}

/// The analyst bound to an assistant now.
pub async fn bound_analyst(services: &Services, org: OrgId, assistant: &Assistant) -> Result<BoundAnalyst> {
    let Some(id) = assistant.analyst_id else {
        return Ok(BoundAnalyst::None);
    };
    match services.analysts.bound(org, id).await {
        Ok(Bound::Here(selected)) => Ok(BoundAnalyst::Bound(selected)),
        Ok(Bound::Deleted(name)) => Ok(BoundAnalyst::Deleted(name)),
        Err(Error::NotFound(_)) => Ok(BoundAnalyst::None),
        Err(error) => Err(error),
    }
}

/// Tone and selection of a question to the assistant in a place. A deleted analyst does not keep the question from
/// being answered, but administrators are notified.
pub(super) async fn tone_and_selection(
    services: &Services,
    principal: &Principal,
    at: &Installation,
    assistant: &Assistant,
    place: &Place,
) -> Result<(Tone, Selection)> {
    let (tone, selection) = match bound_analyst(services, at.org, assistant).await? {
        BoundAnalyst::Bound(selected) => (selected.analyst.tone, Selection::of_analyst(&selected)),
        unbound => {
            if let BoundAnalyst::Deleted(name) = unbound {
                notify_of_deletion(services, at, assistant, &name).await?;
            }
            (assistant.tone.parse().unwrap_or_default(), Selection::default())
        }
    };
    let buildings = usable_buildings(services, principal, at, place).await?;
    Ok((
        tone,
        Selection {
            buildings,
            ..selection
        },
    ))
}

async fn notify_of_deletion(
    services: &Services,
    at: &Installation,
    assistant: &Assistant,
    analyst: &str,
) -> Result<()> {
    let Some(id) = assistant.analyst_id else {
        return Ok(());
    };
    let notice = Say::plain(analyst_deleted(&assistant.name, analyst));
    let (in_tx, at) = (services.clone(), at.clone());
    let notified = services.db.write(move |tx| {
        let (services, at, notice) = (in_tx.clone(), at.clone(), notice.clone());
        Box::pin(async move {
            let subject = format!("analyst/{id}");
            notify_admins(&services, tx, &at, &subject, MONTH, &notice).await
        })
    });
    notified.await
}

/// The message to administrators.
pub fn analyst_deleted(assistant: &str, analyst: &str) -> String {
    format!(
        "The custom analyst “{analyst}” that {assistant} answered with was deleted. {assistant} answers with the \
         service’s own model until you choose another one on its page."
    )
}
