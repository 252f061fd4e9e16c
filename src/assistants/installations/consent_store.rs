//! Table of admins on their consent through a platform's consent page, by digest of the state they carry.

use chrono::{DateTime, Utc};

use crate::base::error::Result;
use crate::base::ids::InstallationId;
use crate::base::principal::Principal;
use crate::db::tx::Tx;

/// Whose consent it is: nobody else, in no other sign-in, may end it.
#[derive(Clone, Debug)]
pub(super) struct Consent {
    pub(super) principal: Principal,
    pub(super) installation: InstallationId,
    pub(super) session_digest: Vec<u8>,
    pub(super) state_digest: Vec<u8>,
}

/// Begins a consent; those that are over go, so that they do not pile up.
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

/// Uses a state up; false if it is none of this consent, used or over.
pub(super) async fn use_up(tx: &mut Tx, consent: &Consent) -> Result<bool> {
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
