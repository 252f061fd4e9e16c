//! With what an assistant answers: the custom analyst that an administrator bound to it, or, where there is none
//! or it was deleted, the service's own model. Of an analyst only its Organization Context comes along.

use crate::analysis::engine::Tone;
use crate::analysis::selection::Selection;
use crate::analysts::model::{Bound, Selected};
use crate::assistants::model::{Assistant, Installation, Place, Say};
use crate::base::error::{Error, Result};
use crate::base::ids::OrgId;
use crate::base::principal::Principal;
use crate::chat::core::chat::Chat;
use crate::chat::core::notices::tell_admins;
use crate::services::Services;

/// Seconds in which admins are not told again of the same lost analyst: the console shows it all the time.
const MONTH: i64 = 30 * 86_400;

/// The analyst of an assistant, as far as there is one.
pub enum Standing {
    None,
    Bound(Box<Selected>),
    /// It was deleted; with the name it had.
    Lost(String),
}

/// What an assistant answers with at this moment.
pub async fn standing(services: &Services, org: OrgId, assistant: &Assistant) -> Result<Standing> {
    let Some(id) = assistant.analyst_id else {
        return Ok(Standing::None);
    };
    match services.analysts.bound(org, id).await {
        Ok(Bound::Here(selected)) => Ok(Standing::Bound(selected)),
        Ok(Bound::Deleted(name)) => Ok(Standing::Lost(name)),
        Err(Error::NotFound(_)) => Ok(Standing::None),
        Err(error) => Err(error),
    }
}

impl Chat {
    /// Tone and selection of a question to this assistant in a place. Admins hear of an analyst that is gone; the
    /// question is answered all the same.
    pub(super) async fn manner(
        &self,
        principal: &Principal,
        at: &Installation,
        assistant: &Assistant,
        place: &Place,
    ) -> Result<(Tone, Selection)> {
        let (tone, selection) = match standing(&self.services, at.org, assistant).await? {
            Standing::Bound(selected) => (selected.analyst.tone, Selection::of_analyst(&selected)),
            gone_or_none => {
                if let Standing::Lost(name) = gone_or_none {
                    self.notice_lost(at, assistant, &name).await?;
                }
                (assistant.tone.parse().unwrap_or_default(), Selection::default())
            }
        };
        let buildings = self.buildings(principal, at, place).await?;
        Ok((
            tone,
            Selection {
                buildings,
                ..selection
            },
        ))
    }

    async fn notice_lost(&self, at: &Installation, assistant: &Assistant, analyst: &str) -> Result<()> {
        let Some(id) = assistant.analyst_id else {
            return Ok(());
        };
        let notice = Say::plain(lost(&assistant.name, analyst));
        let (services, at) = (self.services.clone(), at.clone());
        let told = self.services.db.write(move |tx| {
            let (services, at, notice) = (services.clone(), at.clone(), notice.clone());
            Box::pin(async move {
                let subject = format!("analyst/{id}");
                tell_admins(&services, tx, &at, &subject, MONTH, &notice).await
            })
        });
        told.await
    }
}

/// What an administrator reads of it.
pub fn lost(assistant: &str, analyst: &str) -> String {
    format!(
        "The custom analyst “{analyst}” that {assistant} answered with was deleted. {assistant} answers with the \
         service’s own model until you choose another one on its page."
    )
}
