//! Who talks to an assistant: people whose platform identity is linked to an account, and those who
//! were offered a link and have not taken it.

use chrono::{DateTime, Utc};

use crate::assistants::links::service::AccountLinks;
use crate::assistants::links::store;
use crate::assistants::model::Sender;
use crate::assistants::paging::{Page, id_cursor, wrong_cursor};
use crate::assistants::records::{Linked, Unlinked};
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::ids::{AssistantId, LinkId, OrgId};

impl AccountLinks {
    /// The linked people of an assistant, the newest link first.
    pub async fn list(
        &self,
        org: OrgId,
        assistant: AssistantId,
        cursor: Option<&str>,
    ) -> Result<Page<Linked>> {
        let before = id_cursor(cursor)?;
        let rows = store::list(self.db.read(), org, assistant, before).await?;
        Ok(Page::of(rows, |last| last.id.to_string()))
    }

    /// Those who asked and are not linked, the last seen first.
    pub async fn list_unlinked(
        &self,
        org: OrgId,
        assistant: AssistantId,
        cursor: Option<&str>,
    ) -> Result<Page<Unlinked>> {
        let before = cursor.map(seen_cursor).transpose()?;
        let rows = store::list_unlinked(self.db.read(), org, assistant, before).await?;
        Ok(Page::of(rows, |last| {
            format!("{}~{}", last.expires_at.timestamp_micros(), last.platform_user)
        }))
    }

    /// One link of an assistant.
    pub async fn get(&self, org: OrgId, assistant: AssistantId, id: LinkId) -> Result<Linked> {
        let found = store::by_id(self.db.read(), org, assistant, id).await?;
        found.ok_or(Error::NotFound("link"))
    }

    /// Ends the link of an assistant's platform by its id.
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

fn seen_cursor(text: &str) -> Result<(DateTime<Utc>, String)> {
    let (micros, user) = text.split_once('~').ok_or_else(wrong_cursor)?;
    let micros = micros.parse().map_err(|_| wrong_cursor())?;
    let at = DateTime::from_timestamp_micros(micros).ok_or_else(wrong_cursor)?;
    Ok((at, user.to_owned()))
}
