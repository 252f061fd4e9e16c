//! Binding a platform identity to an account: one-time offers, links, unlinking.

use std::time::Duration;

use serde_json::json;

use crate::accounts::service::Accounts;
use crate::assistants::deliveries::service::Deliveries;
use crate::assistants::links::store;
use crate::assistants::model::{Installation, Link, PlatformKind, Say, Sender};
use crate::assistants::records::LinkOffer;
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{DeliveryId, InstallationId, LinkId, OrgId, UserId};
use crate::base::principal::Principal;
use crate::base::secret::Secret;
use crate::base::text;
use crate::crypto::sign::Signer;
use crate::db::pool::Db;
use crate::db::tx::Tx;

/// How long a connection link works from the last attempt to send it. Asking again does not extend it: it
/// makes a new one.
pub const OFFERED: Duration = Duration::from_secs(15 * 60);

#[derive(Clone)]
pub struct AccountLinks {
    pub(super) db: Db,
    /// Derives the tokens of connection links.
    signer: Signer,
    deliveries: Deliveries,
}

impl AccountLinks {
    pub fn new(db: Db, signer: Signer, deliveries: Deliveries) -> Self {
        Self {
            db,
            signer,
            deliveries,
        }
    }

    pub async fn find(&self, org: OrgId, at: InstallationId, who: &Sender) -> Result<Option<Link>> {
        store::find(self.db.read(), org, at, who).await
    }

    /// Binds a platform identity to an account without a link: for migrations and tests.
    pub async fn create(
        &self,
        actor: Actor,
        org: OrgId,
        at: InstallationId,
        who: Sender,
        user: UserId,
    ) -> Result<LinkId> {
        let bound = self.db.write(move |tx| {
            let who = who.clone();
            Box::pin(async move {
                let id = store::put(tx, org, at, &who, user).await?;
                let details = json!({ "platformUser": who.user, "platformTeam": who.team, "user": user });
                audit::add(tx, org, actor, "link.created", &id.to_string(), details).await?;
                Ok(id)
            })
        });
        bound.await
    }

    /// Makes the one-time link of an identity, for the delivery that brings it: the same for each attempt,
    /// and what was used stays used. The token is not kept: only its digest is.
    pub async fn create_offer(
        &self,
        at: &Installation,
        delivery: DeliveryId,
        who: &Sender,
        shown_user: &str,
        shown_team: &str,
    ) -> Result<Secret> {
        let token = self.signer.token(delivery.uuid().as_bytes());
        let digest = token.digest();
        let offer = LinkOffer {
            org: at.org,
            installation: at.id,
            assistant_name: at.assistant_name.clone(),
            platform: at.kind(),
            platform_team: who.team.clone(),
            platform_user: who.user.clone(),
            shown_user: text::shortened(shown_user, 120),
            shown_team: text::shortened(shown_team, 120),
            expires_at: self.db.clock().now(),
        };
        let made = self.db.write(move |tx| {
            let (digest, mut offer) = (digest.clone(), offer.clone());
            Box::pin(async move {
                offer.expires_at = tx.now().await? + OFFERED;
                store::put_offer(tx, &digest, &offer).await
            })
        });
        made.await?;
        Ok(token)
    }

    /// What a connection link offers, without using it up.
    pub async fn offer(&self, token: &Secret) -> Result<LinkOffer> {
        let now = self.db.clock().now();
        let found = store::offer(self.db.read(), &token.digest(), now).await?;
        found.ok_or(Error::NotFound("connection link"))
    }

    /// Accepts an offer: the identity is bound to the signed-in account, the offer is used up, and
    /// the person is told in the chat, so that a forwarded link does not go unnoticed. What counts is
    /// the membership in the offer's organization, whichever one the person is signed in to.
    pub async fn accept_offer(&self, principal: &Principal, token: &Secret) -> Result<LinkOffer> {
        let (principal, digest, links) = (*principal, token.digest(), self.clone());
        let accepted = self.db.write(move |tx| {
            let (digest, links) = (digest.clone(), links.clone());
            Box::pin(async move {
                let now = tx.now().await?;
                let offer = store::offer(tx.exec(), &digest, now)
                    .await?
                    .ok_or(Error::NotFound("connection link"))?;
                // A person of several organizations is signed in to one of them; the offer says which counts.
                let member = Accounts::membership_in(tx, offer.org, principal.user)
                    .await
                    .map_err(strange)?;
                member.check_chat()?;
                if !store::use_up(tx, &digest, now).await? {
                    return Err(Error::NotFound("connection link"));
                }
                let who = Sender {
                    team: offer.platform_team.clone(),
                    user: offer.platform_user.clone(),
                    account: None,
                };
                let id = store::put(tx, offer.org, offer.installation, &who, principal.user).await?;
                let details =
                    json!({ "platformUser": who.user, "platformTeam": who.team, "user": principal.user });
                audit::add(
                    tx,
                    offer.org,
                    Actor::from(&principal),
                    "link.created",
                    &id.to_string(),
                    details,
                )
                .await?;
                let told = confirmation(&offer, &member.name, &member.email);
                links
                    .deliveries
                    .send_direct(tx, offer.org, offer.installation, &who, told)
                    .await?;
                Ok(offer)
            })
        });
        accepted.await
    }

    /// The identities of the organization's admins at an installation, in the caller's transaction.
    pub async fn admins(&self, tx: &mut Tx, org: OrgId, at: InstallationId) -> Result<Vec<Sender>> {
        let admins = Accounts::admins_in(tx, org).await?;
        store::of_users(tx, org, at, admins).await
    }

    /// Ends a link in the caller's transaction. True if there was one.
    pub async fn remove(
        &self,
        tx: &mut Tx,
        actor: Actor,
        org: OrgId,
        at: InstallationId,
        who: &Sender,
    ) -> Result<bool> {
        let removed = store::remove(tx, org, at, who).await? > 0;
        if removed {
            let details = json!({ "platformTeam": who.team });
            audit::add(tx, org, actor, "link.removed", &who.user, details).await?;
        }
        Ok(removed)
    }
}

/// Whoever is no member of the offer's organization is told so.
fn strange(error: Error) -> Error {
    match error {
        Error::NotFound(_) => Error::forbidden(
            "other_organization",
            "This link belongs to another organization. Sign in with an account of that organization.",
        ),
        error => error,
    }
}

fn confirmation(offer: &LinkOffer, name: &str, email: &str) -> Say {
    let platform = match offer.platform {
        PlatformKind::Slack => "Slack",
        PlatformKind::Teams => "Teams",
        PlatformKind::Web => "preview",
    };
    Say::plain(format!(
        "You are connected: your {platform} identity now belongs to the account of {name} ({email}). \
         If this was not you, write “disconnect” here at once. Otherwise just ask me something."
    ))
}
