//! `GET /users/sdk/me`: the owner and the environment of a key.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::caller::Caller;
use crate::api::failure::Failure;
use crate::keys::model::Environment;
use crate::services::Services;

/// The key's owner, sanitized: no email address and no secret.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    pub user_id: Uuid,
    pub name: String,
    pub organization_id: Uuid,
    pub organization_name: String,
    /// `owner`, `admin` or `member`.
    #[schema(example = "member")]
    pub role: String,
    pub key_id: Uuid,
    pub environment: Environment,
}

/// Verify a project key.
#[utoipa::path(get, path = "/users/sdk/me", tag = "Account", responses((status = 200, body = Me)))]
pub async fn read(State(services): State<Services>, caller: Caller) -> Result<Json<Me>, Failure> {
    let principal = caller.principal();
    let member = services
        .accounts
        .membership(principal.org, principal.user)
        .await?;
    Ok(Json(Me {
        user_id: principal.user.uuid(),
        name: member.name,
        organization_id: principal.org.uuid(),
        organization_name: member.org_name,
        role: member.role.to_string(),
        key_id: caller.0.key.uuid(),
        environment: caller.0.environment,
    }))
}
