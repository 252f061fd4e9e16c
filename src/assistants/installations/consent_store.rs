//! The table `install_states`: admins who are on a platform's consent page, by the digest of the `state` parameter.

use chrono::{DateTime, Utc};

use crate::base::error::Result;
use crate::base::ids::InstallationId;
use crate::base::principal::Principal;
use crate::db::tx::Tx;

/// A pending consent. Only the same person in the same session may complete it.
#[derive(Clone, Debug)]
pub(super) struct Consent {
    pub(super) principal: Principal,
    pub(super) installation: InstallationId,
    pub(super) session_digest: Vec<u8>,
    pub(super) state_digest: Vec<u8>,
}

/// Stores a state. Deletes the organization's expired ones.
pub(super) async fn begin(tx: &mut Tx, consent: &Consent, until: DateTime<Utc>) -> Result<()> {
    let now = tx.now().await?;
    tx.query("DELETE FROM install_states WHERE org_id = $1 AND expires_at <= $2")
        .bind(consent.principal.org)
        .bind(now)
        .execute()
        .await?;
    tx.query(
        "INSERT INTO install_states (state_digest, org_id, installation_id, user_id, session_digest, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(&consent.state_digest)
    .bind(consent.principal.org)
    .bind(consent.installation)
    .bind(consent.principal.user)
    .bind(&consent.session_digest)
    .bind(until)
    .execute()
    .await?;
    Ok(())
}

/// Uses a state up. False if it does not match, is used or has expired.
pub(super) async fn consume(tx: &mut Tx, consent: &Consent) -> Result<bool> {
    let now = tx.now().await?;
    let used = tx
        .query(
            "UPDATE install_states SET used_at = $1
             WHERE state_digest = $2 AND org_id = $3 AND installation_id = $4 AND user_id = $5
               AND session_digest = $6 AND used_at IS NULL AND expires_at > $1",
        )
        .bind(now)
        .bind(&consent.state_digest)
        .bind(consent.principal.org)
        .bind(consent.installation)
        .bind(consent.principal.user)
        .bind(&consent.session_digest)
        .execute()
        .await?;
    Ok(used == 1)
}
