//! Binds an assistant to a custom analyst, or removes the binding.
//!
//! Does not depend on runs: the analyst's settings are read when a question is asked.

use serde_json::json;

use crate::assistants::service::Assistants;
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{AnalystId, AssistantId, OrgId};

impl Assistants {
    /// Makes an assistant answer with a custom analyst, or with the service's own model if `analyst` is None. The
    /// caller has checked that the analyst exists and may be used.
    pub async fn bind_analyst(
        &self,
        actor: Actor,
        org: OrgId,
        id: AssistantId,
        analyst: Option<AnalystId>,
    ) -> Result<()> {
        if self.assistant(org, id).await?.analyst_id == analyst {
            return Ok(());
        }
        let bound = self.db.write(move |tx| {
            Box::pin(async move {
                let bound = tx
                    .query("UPDATE assistants SET analyst_id = $1 WHERE org_id = $2 AND id = $3")
                    .bind(analyst)
                    .bind(org)
                    .bind(id)
                    .execute()
                    .await?;
                if bound == 0 {
                    return Err(Error::NotFound("assistant"));
                }
                let action = match analyst {
                    Some(_) => "assistant.analyst_bound",
                    None => "assistant.analyst_loosed",
                };
                let details = json!({ "analyst": analyst });
                audit::add(tx, org, actor, action, &id.to_string(), details).await
            })
        });
        bound.await
    }
}
