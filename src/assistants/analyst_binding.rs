//! The custom analyst that an assistant answers with: bound and loosed by administrators. What it brings along
//! is read when a question is asked; knows no run.

use serde_json::json;

use crate::assistants::service::Assistants;
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{AnalystId, AssistantId, OrgId};

impl Assistants {
    /// Lets an assistant answer with an analyst of its organization, or with none. Whether there is such an
    /// analyst, and whose it may be, the caller has looked.
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
