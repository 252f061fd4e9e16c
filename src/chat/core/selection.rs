//! What an answer in a place may use of the portfolio: what was granted to whoever asks, and in a shared
//! conversation only those buildings that it was approved for.

use crate::assistants::model::{Installation, Place, PlaceKind};
use crate::base::error::Result;
use crate::base::principal::Principal;
use crate::chat::core::chat::Chat;
use crate::portfolio::model::Buildings;

impl Chat {
    /// Where nothing is said, what is granted when the run begins counts.
    pub(super) async fn buildings(
        &self,
        principal: &Principal,
        at: &Installation,
        place: &Place,
    ) -> Result<Option<Buildings>> {
        if place.kind == PlaceKind::Direct {
            return Ok(None);
        }
        let assistants = &self.services.assistants;
        let known = assistants
            .conversation_of(at.org, at.id, &place.conversation)
            .await?;
        let Some(set) = known.and_then(|known| known.buildings) else {
            return Ok(None);
        };
        let approved = Buildings::Only(set.0.into_iter().collect());
        let granted = self.services.portfolio.granted(principal).await?;
        Ok(Some(granted.and(&approved)))
    }
}
