//! Finds assistants and installations for the command line, where operators name assistants by id only.

use crate::assistants::model::{Installation, PlatformKind};
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::ids::{AssistantId, OrgId};
use crate::services::Services;

/// The actor of all commands in the audit log.
pub const ME: Actor = Actor::OPERATOR;

pub async fn assistant_of(services: &Services, id: &str) -> Result<(OrgId, AssistantId)> {
    let id: AssistantId = id.parse().map_err(|_| Error::NotFound("assistant"))?;
    Ok((services.assistants.org_of(id).await?, id))
}

/// The installation on a team platform; not the browser preview.
pub async fn team_installation(services: &Services, org: OrgId, id: AssistantId) -> Result<Installation> {
    let all = services.installations.of_assistant(org, id).await?;
    all.into_iter()
        .find(|at| at.kind() != PlatformKind::Web)
        .ok_or(Error::NotFound("installation"))
}
