//! Which buildings an answer may use: those granted to the person who asks, and in a shared conversation only those
//! that it was approved for.

use crate::assistants::model::{Installation, Place, PlaceKind};
use crate::base::error::Result;
use crate::base::principal::Principal;
use crate::portfolio::model::Buildings;
use crate::services::Services;

/// None leaves it to the grants at the time of the run.
pub(super) async fn usable_buildings(
    services: &Services,
    principal: &Principal,
    at: &Installation,
    place: &Place,
) -> Result<Option<Buildings>> {
    if place.kind == PlaceKind::Direct {
        return Ok(None);
    }
    let conversations = &services.conversations;
    let known = conversations.find(at.org, at.id, &place.conversation).await?;
    let Some(set) = known.and_then(|known| known.buildings) else {
        return Ok(None);
    };
    let approved = Buildings::Only(set.0.into_iter().collect());
    let granted = services.portfolio.granted(principal).await?;
    Ok(Some(granted.and(&approved)))
}
