//! Links platform identities to accounts by one-time connection links.

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

/// How long a connection link is valid after the last attempt to send it. Asking again creates a new link and does not
/// extend this one.
pub const OFFER_LIFETIME: Duration = Duration::from_secs(15 * 60);

/// The links between platform identities and accounts.
#[derive(Clone)]
pub struct AccountLinks {
    pub(super) db: Db,
    signer: Signer,
    deliveries: Deliveries,
}

impl AccountLinks {
    /// A service on this database. `signer` derives the tokens of connection links.
    pub fn new(db: Db, signer: Signer, deliveries: Deliveries) -> Self {
        Self {
            db,
            signer,
            deliveries,
        }
    }

    /// The link of a person at an installation.
    pub async fn find(&self, org: OrgId, at: InstallationId, who: &Sender) -> Result<Option<Link>> {
        store::find(self.db.read(), org, at, who).await
    }

    /// Links a platform identity to an account without an offer. For the command line and tests.
    pub async fn create(
        &self,
        actor: Actor,
        org: OrgId,
        at: InstallationId,
        who: Sender,
        user: UserId,
    ) -> Result<LinkId> {
        let created = self.db.write(move |tx| {
            let who = who.clone();
            Box::pin(async move {
                let id = store::put(tx, org, at, &who, user).await?;
                let details = json!({ "platformUser": who.user, "platformTeam": who.team, "user": user });
                audit::add(tx, org, actor, "link.created", &id.to_string(), details).await?;
                Ok(id)
            })
        });
        created.await
    }

    /// Creates the one-time connection link for a person and returns its token. The token is derived from the delivery
    /// that sends it, so each attempt sends the same one; a used one remains used. Only its digest is stored.
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
        let created = self.db.write(move |tx| {
            let (digest, mut offer) = (digest.clone(), offer.clone());
            Box::pin(async move {
                offer.expires_at = tx.now().await? + OFFER_LIFETIME;
                store::put_offer(tx, &digest, &offer).await
            })
        });
        created.await?;
        Ok(token)
    }

    /// The offer behind a connection link. Does not use it up.
    pub async fn find_offer(&self, token: &Secret) -> Result<LinkOffer> {
        let now = self.db.clock().now();
        let found = store::find_offer(self.db.read(), &token.digest(), now).await?;
        found.ok_or(Error::NotFound("connection link"))
    }

    /// Accepts an offer: links the identity to the signed-in account, uses the offer up, and sends a confirmation in
    /// the chat, so that the use of a forwarded link does not go unnoticed. The person has to be a member of the
    /// offer's organization, but may be signed in to another one.
    pub async fn accept_offer(&self, principal: &Principal, token: &Secret) -> Result<LinkOffer> {
        let (principal, digest, links) = (*principal, token.digest(), self.clone());
        let accepted = self.db.write(move |tx| {
            let (digest, links) = (digest.clone(), links.clone());
            Box::pin(async move {
                let now = tx.now().await?;
                let offer = store::find_offer(tx.exec(), &digest, now)
                    .await?
                    .ok_or(Error::NotFound("connection link"))?;
                // A member of several organizations is signed in to one of them. The offer's organization counts.
                let member = Accounts::membership_in(tx, offer.org, principal.user)
                    .await
                    .map_err(refuse_non_member)?;
                member.check_chat()?;
                if !store::consume(tx, &digest, now).await? {
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
                let say = confirmation(&offer, &member.name, &member.email);
                links
                    .deliveries
                    .send_direct(tx, offer.org, offer.installation, &who, say)
                    .await?;
                Ok(offer)
            })
        });
        accepted.await
    }

    /// The linked identities of the organization's admins at an installation, in the caller's transaction.
    pub async fn admins(&self, tx: &mut Tx, org: OrgId, at: InstallationId) -> Result<Vec<Sender>> {
        let admins = Accounts::admins_in(tx, org).await?;
        store::of_users(tx, org, at, admins).await
    }

    /// Removes a link in the caller's transaction. True if there was one.
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

/// Turns a missing membership into an error that explains it.
fn refuse_non_member(error: Error) -> Error {
    match error {
        Error::NotFound(_) => Error::forbidden(
            "other_organization",
            "This link belongs to another organization. Sign in with an account of that organization.",
        ),
        error => error,
    }
}

/// The message that confirms a new link.
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
