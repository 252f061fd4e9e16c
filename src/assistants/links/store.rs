//! The tables `links` and `link_offers`. An offer is found by the digest of its token, without an organization.

use chrono::{DateTime, Utc};

use crate::assistants::model::{Link, PlatformKind, Sender};
use crate::assistants::paging::FETCH_LIMIT;
use crate::assistants::records::{LinkOffer, LinkedIdentity, UnlinkedIdentity};
use crate::base::error::Result;
use crate::base::ids::{AssistantId, InstallationId, LinkId, OrgId, UserId};
use crate::db::exec::Exec;
use crate::db::tx::Tx;

pub(super) async fn find(db: Exec<'_>, org: OrgId, at: InstallationId, who: &Sender) -> Result<Option<Link>> {
    Ok(db
        .query(
            "SELECT id, user_id, created_at FROM links
             WHERE org_id = $1 AND installation_id = $2 AND platform_team = $3 AND platform_user = $4",
        )
        .bind(org)
        .bind(at)
        .bind(&who.team)
        .bind(&who.user)
        .optional()
        .await?)
}

/// Links a platform identity to an account. Replaces an earlier link of the identity.
pub(super) async fn put(
    tx: &mut Tx,
    org: OrgId,
    at: InstallationId,
    who: &Sender,
    user: UserId,
) -> Result<LinkId> {
    let now = tx.now().await?;
    let (id,): (LinkId,) = tx
        .query(
            "INSERT INTO links (org_id, id, installation_id, platform_team, platform_user, user_id, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (org_id, installation_id, platform_team, platform_user)
             DO UPDATE SET user_id = excluded.user_id, created_at = excluded.created_at
             RETURNING id",
        )
        .bind(org)
        .bind(LinkId::new())
        .bind(at)
        .bind(&who.team)
        .bind(&who.user)
        .bind(user)
        .bind(now)
        .one()
        .await?;
    Ok(id)
}

/// Removes the link and the offers of an identity. Returns the number of links removed.
pub(super) async fn remove(tx: &mut Tx, org: OrgId, at: InstallationId, who: &Sender) -> Result<u64> {
    tx.query(
        "DELETE FROM link_offers
         WHERE org_id = $1 AND installation_id = $2 AND platform_team = $3 AND platform_user = $4",
    )
    .bind(org)
    .bind(at)
    .bind(&who.team)
    .bind(&who.user)
    .execute()
    .await?;
    Ok(tx
        .query(
            "DELETE FROM links
             WHERE org_id = $1 AND installation_id = $2 AND platform_team = $3 AND platform_user = $4",
        )
        .bind(org)
        .bind(at)
        .bind(&who.team)
        .bind(&who.user)
        .execute()
        .await?)
}

/// Stores the only valid offer of an identity: an earlier one stops working. If it is stored already and not used, its
/// lifetime starts again.
pub(super) async fn put_offer(tx: &mut Tx, digest: &[u8], offer: &LinkOffer) -> Result<()> {
    tx.query(
        "DELETE FROM link_offers
         WHERE org_id = $1 AND installation_id = $2 AND platform_team = $3 AND platform_user = $4
           AND token_digest <> $5",
    )
    .bind(offer.org)
    .bind(offer.installation)
    .bind(&offer.platform_team)
    .bind(&offer.platform_user)
    .bind(digest)
    .execute()
    .await?;
    let renewed = tx
        .query(
            "UPDATE link_offers SET expires_at = CASE WHEN used_at IS NULL THEN $1 ELSE expires_at END
             WHERE token_digest = $2",
        )
        .bind(offer.expires_at)
        .bind(digest)
        .execute()
        .await?;
    if renewed > 0 {
        return Ok(());
    }
    tx.query(
        "INSERT INTO link_offers (token_digest, org_id, installation_id, platform_team, platform_user,
                                  shown_user, shown_team, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(digest)
    .bind(offer.org)
    .bind(offer.installation)
    .bind(&offer.platform_team)
    .bind(&offer.platform_user)
    .bind(&offer.shown_user)
    .bind(&offer.shown_team)
    .bind(offer.expires_at)
    .execute()
    .await?;
    Ok(())
}

#[derive(sqlx::FromRow)]
struct OfferRow {
    org_id: OrgId,
    installation_id: InstallationId,
    assistant_name: String,
    platform: PlatformKind,
    platform_team: String,
    platform_user: String,
    shown_user: String,
    shown_team: String,
    expires_at: DateTime<Utc>,
}

/// An offer that is neither used nor expired.
pub(super) async fn find_offer(db: Exec<'_>, digest: &[u8], now: DateTime<Utc>) -> Result<Option<LinkOffer>> {
    let row: Option<OfferRow> = db
        .query(
            "SELECT o.org_id, o.installation_id, a.name AS assistant_name, i.platform, o.platform_team,
                    o.platform_user, o.shown_user, o.shown_team, o.expires_at
             FROM link_offers o
             JOIN installations i ON i.org_id = o.org_id AND i.id = o.installation_id
             JOIN assistants a ON a.org_id = i.org_id AND a.id = i.assistant_id
             WHERE o.token_digest = $1 AND o.used_at IS NULL AND o.expires_at > $2",
        )
        .bind(digest)
        .bind(now)
        .optional()
        .await?;
    Ok(row.map(|row| LinkOffer {
        org: row.org_id,
        installation: row.installation_id,
        assistant_name: row.assistant_name,
        platform: row.platform,
        platform_team: row.platform_team,
        platform_user: row.platform_user,
        shown_user: row.shown_user,
        shown_team: row.shown_team,
        expires_at: row.expires_at,
    }))
}

/// Uses an offer up. False if it was already used.
pub(super) async fn consume(tx: &mut Tx, digest: &[u8], now: DateTime<Utc>) -> Result<bool> {
    let used = tx
        .query("UPDATE link_offers SET used_at = $1 WHERE token_digest = $2 AND used_at IS NULL AND expires_at > $1")
        .bind(now)
        .bind(digest)
        .execute()
        .await?;
    Ok(used == 1)
}

/// The identities that are linked to these accounts at an installation.
pub(super) async fn of_users(
    tx: &mut Tx,
    org: OrgId,
    at: InstallationId,
    users: Vec<UserId>,
) -> Result<Vec<Sender>> {
    if users.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<(String, String)> = tx
        .build("SELECT platform_team, platform_user FROM links WHERE org_id = ")
        .bind(org)
        .push(" AND installation_id = ")
        .bind(at)
        .push(" AND user_id IN ")
        .list(users)
        .push(" ORDER BY created_at, id")
        .done()
        .all()
        .await?;
    let identity = |(team, user)| Sender {
        team,
        user,
        account: None,
    };
    Ok(rows.into_iter().map(identity).collect())
}

const LINKED: &str =
    "SELECT l.id, l.installation_id, i.platform, l.platform_team, l.platform_user, l.user_id, l.created_at,
        o.shown_user
 FROM links l
 JOIN installations i ON i.org_id = l.org_id AND i.id = l.installation_id
 LEFT JOIN link_offers o ON o.org_id = l.org_id AND o.installation_id = l.installation_id
      AND o.platform_team = l.platform_team AND o.platform_user = l.platform_user
 WHERE l.org_id = ";

pub(super) async fn list(
    db: Exec<'_>,
    org: OrgId,
    assistant: AssistantId,
    before: Option<LinkId>,
) -> Result<Vec<LinkedIdentity>> {
    let mut select = db
        .build(LINKED)
        .bind(org)
        .push(" AND i.assistant_id = ")
        .bind(assistant);
    if let Some(before) = before {
        select = select.push(" AND l.id < ").bind(before);
    }
    Ok(select
        .push(" ORDER BY l.id DESC")
        .limit(FETCH_LIMIT)
        .done()
        .all()
        .await?)
}

pub(super) async fn by_id(
    db: Exec<'_>,
    org: OrgId,
    assistant: AssistantId,
    id: LinkId,
) -> Result<Option<LinkedIdentity>> {
    Ok(db
        .build(LINKED)
        .bind(org)
        .push(" AND i.assistant_id = ")
        .bind(assistant)
        .push(" AND l.id = ")
        .bind(id)
        .done()
        .optional()
        .await?)
}

/// Offers whose identity has no link, newest first.
pub(super) async fn list_unlinked(
    db: Exec<'_>,
    org: OrgId,
    assistant: AssistantId,
    before: Option<(DateTime<Utc>, String)>,
) -> Result<Vec<UnlinkedIdentity>> {
    let mut select = db
        .build(
            "SELECT i.platform, o.platform_team, o.platform_user, o.shown_user, o.shown_team, o.expires_at
             FROM link_offers o
             JOIN installations i ON i.org_id = o.org_id AND i.id = o.installation_id
             WHERE NOT EXISTS (
                 SELECT 1 FROM links l
                 WHERE l.org_id = o.org_id AND l.installation_id = o.installation_id
                   AND l.platform_team = o.platform_team AND l.platform_user = o.platform_user)
               AND o.org_id = ",
        )
        .bind(org)
        .push(" AND i.assistant_id = ")
        .bind(assistant);
    if let Some((at, user)) = before {
        select = select
            .push(" AND (o.expires_at < ")
            .bind(at)
            .push(" OR (o.expires_at = ")
            .bind(at)
            .push(" AND o.platform_user < ")
            .bind(user)
            .push("))");
    }
    Ok(select
        .push(" ORDER BY o.expires_at DESC, o.platform_user DESC")
        .limit(FETCH_LIMIT)
        .done()
        .all()
        .await?)
}
