//! What operators name on the command line, found: they name assistants by id alone.

use crate::assistants::model::{Installation, PlatformKind};
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::ids::{AssistantId, OrgId};
use crate::services::Services;

/// Every act of a command is the operator's.
pub const ME: Actor = Actor::OPERATOR;

pub async fn assistant_of(services: &Services, id: &str) -> Result<(OrgId, AssistantId)> {
    let id: AssistantId = id.parse().map_err(|_| Error::NotFound("assistant"))?;
    Ok((services.assistants.org_of(id).await?, id))
}

/// The installation on a team platform: the preview is not what an operator means.
pub async fn team_installation(services: &Services, org: OrgId, id: AssistantId) -> Result<Installation> {
    let all = services.assistants.installations(org, id).await?;
    all.into_iter()
        .find(|at| at.kind() != PlatformKind::Web)
        .ok_or(Error::NotFound("installation"))
}
