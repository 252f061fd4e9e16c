//! Lists the people who talk to an assistant: those with a link to an account, and those who were offered a link and
//! have none.

use chrono::{DateTime, Utc};

use crate::assistants::links::service::AccountLinks;
use crate::assistants::links::store;
use crate::assistants::model::Sender;
use crate::assistants::paging::{Page, id_cursor, invalid_cursor};
use crate::assistants::records::{LinkedIdentity, UnlinkedIdentity};
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::ids::{AssistantId, LinkId, OrgId};

impl AccountLinks {
    /// One page of an assistant's links, newest first.
    pub async fn list(
        &self,
        org: OrgId,
        assistant: AssistantId,
        cursor: Option<&str>,
    ) -> Result<Page<LinkedIdentity>> {
        let before = id_cursor(cursor)?;
        let rows = store::list(self.db.read(), org, assistant, before).await?;
        Ok(Page::from_rows(rows, |last| last.id.to_string()))
    }

    /// One page of the people who wrote to an assistant and have no link. The latest offer comes first.
    pub async fn list_unlinked(
        &self,
        org: OrgId,
        assistant: AssistantId,
        cursor: Option<&str>,
    ) -> Result<Page<UnlinkedIdentity>> {
        let before = cursor.map(offer_cursor).transpose()?;
        let rows = store::list_unlinked(self.db.read(), org, assistant, before).await?;
        Ok(Page::from_rows(rows, |last| {
            format!("{}~{}", last.expires_at.timestamp_micros(), last.platform_user)
        }))
    }

    /// One link of an assistant.
    pub async fn get(&self, org: OrgId, assistant: AssistantId, id: LinkId) -> Result<LinkedIdentity> {
        let found = store::by_id(self.db.read(), org, assistant, id).await?;
        found.ok_or(Error::NotFound("link"))
    }

    /// Removes a link of an assistant by the link's id.
    pub async fn end(&self, actor: Actor, org: OrgId, assistant: AssistantId, id: LinkId) -> Result<()> {
        let link = self.get(org, assistant, id).await?;
        let links = self.clone();
        let who = Sender {
            team: link.platform_team,
            user: link.platform_user,
            account: None,
        };
        let at = link.installation_id;
        let ended = self.db.write(move |tx| {
            let (links, who) = (links.clone(), who.clone());
            Box::pin(async move { links.remove(tx, actor, org, at, &who).await })
        });
        if ended.await? {
            Ok(())
        } else {
            Err(Error::NotFound("link"))
        }
    }
}

/// Reads a cursor of the list of people without a link.
fn offer_cursor(text: &str) -> Result<(DateTime<Utc>, String)> {
    let (micros, user) = text.split_once('~').ok_or_else(invalid_cursor)?;
    let micros = micros.parse().map_err(|_| invalid_cursor())?;
    let at = DateTime::from_timestamp_micros(micros).ok_or_else(invalid_cursor)?;
    Ok((at, user.to_owned()))
}
