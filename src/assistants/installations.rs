//! Tables of assistants and their installations. Secrets pass sealed, bound to row and column.

use chrono::{DateTime, Utc};

use crate::assistants::model::{Assistant, Installation, InstallationState, PlatformKind, Renewed, Scopes};
use crate::assistants::secrets::PreviousSecrets;
use crate::base::error::Result;
use crate::base::ids::{AssistantId, InstallationId, OrgId};
use crate::base::secret::Secret;
use crate::crypto::seal::Sealer;
use crate::db::exec::Exec;
use crate::db::tx::Tx;

/// An installation as it lies in the table.
#[derive(Debug, sqlx::FromRow)]
struct Row {
    org_id: OrgId,
    id: InstallationId,
    assistant_id: AssistantId,
    assistant_name: String,
    platform: PlatformKind,
    state: InstallationState,
    disabled_because: Option<String>,
    address: Vec<u8>,
    app_id: Option<String>,
    client_id: Option<String>,
    client_secret: Option<Vec<u8>>,
    signing_secret: Option<Vec<u8>>,
    previous_signing_secret: Option<Vec<u8>>,
    previous_secret_until: Option<DateTime<Utc>>,
    bot_token: Option<Vec<u8>>,
    team_id: Option<String>,
    bot_user_id: Option<String>,
    team_name: Option<String>,
    is_enterprise: bool,
    enterprise_id: Option<String>,
    scopes: Option<String>,
    missing_scope: Option<String>,
    installed_at: Option<DateTime<Utc>>,
    refresh_token: Option<Vec<u8>>,
    token_expires_at: Option<DateTime<Utc>>,
    registered_name: Option<String>,
    heard_at: Option<DateTime<Utc>>,
    refused_at: Option<DateTime<Utc>>,
}

const COLUMNS: &str = "SELECT i.org_id, i.id, i.assistant_id, a.name AS assistant_name, i.platform, i.state,
        i.disabled_because, i.address, i.app_id, i.client_id, i.client_secret, i.signing_secret,
        i.previous_signing_secret, i.previous_secret_until, i.bot_token, i.team_id, i.bot_user_id, i.team_name,
        i.is_enterprise, i.enterprise_id, i.scopes, i.missing_scope, i.installed_at, i.refresh_token,
        i.token_expires_at, i.registered_name, i.heard_at, i.refused_at
 FROM installations i JOIN assistants a ON a.org_id = i.org_id AND a.id = i.assistant_id
 WHERE ";

impl Row {
    fn open(self, sealer: &Sealer) -> Result<Installation> {
        let id = self.id;
        let open = |sealed: Option<Vec<u8>>, column: &str| {
            sealed
                .map(|sealed| sealer.open(&sealed, &bound_to(id, column)))
                .transpose()
        };
        Ok(Installation {
            org: self.org_id,
            id,
            assistant: self.assistant_id,
            assistant_name: self.assistant_name,
            platform: self.platform,
            state: self.state,
            disabled_because: self.disabled_because,
            address: sealer.open(&self.address, &bound_to(id, "address"))?,
            app_id: self.app_id,
            client_id: self.client_id,
            client_secret: open(self.client_secret, "client_secret")?,
            signing_secret: open(self.signing_secret, "signing_secret")?,
            previous_secrets: PreviousSecrets::read(
                open(self.previous_signing_secret, "previous_signing_secret")?,
                self.previous_secret_until,
            ),
            bot_token: open(self.bot_token, "bot_token")?,
            team_id: self.team_id,
            bot_user_id: self.bot_user_id,
            team_name: self.team_name,
            is_enterprise: self.is_enterprise,
            enterprise_id: self.enterprise_id,
            scopes: self.scopes.as_deref().map(Scopes::parse),
            missing_scope: self.missing_scope,
            installed_at: self.installed_at,
            refresh_token: open(self.refresh_token, "refresh_token")?,
            token_expires_at: self.token_expires_at,
            registered_name: self.registered_name,
            heard_at: self.heard_at,
            refused_at: self.refused_at,
        })
    }
}

fn bound_to(id: InstallationId, column: &str) -> String {
    format!("installations/{id}/{column}")
}

pub(super) async fn add_assistant(tx: &mut Tx, assistant: &Assistant) -> Result<()> {
    tx.query(
        "INSERT INTO assistants (org_id, id, name, colour, tone, greeting, about, shared_enabled, created_at,
                                 description, prompts)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(assistant.org_id)
    .bind(assistant.id)
    .bind(&assistant.name)
    .bind(&assistant.colour)
    .bind(&assistant.tone)
    .bind(&assistant.greeting)
    .bind(&assistant.about)
    .bind(assistant.shared_enabled)
    .bind(assistant.created_at)
    .bind(&assistant.description)
    .bind(&assistant.prompts)
    .execute()
    .await?;
    Ok(())
}

/// False if there is none.
pub(super) async fn update_assistant(tx: &mut Tx, assistant: &Assistant) -> Result<bool> {
    let updated = tx
        .query(
            "UPDATE assistants SET name = $1, description = $2, colour = $3, tone = $4, greeting = $5, about = $6,
                    prompts = $7
             WHERE org_id = $8 AND id = $9",
        )
        .bind(&assistant.name)
        .bind(&assistant.description)
        .bind(&assistant.colour)
        .bind(&assistant.tone)
        .bind(&assistant.greeting)
        .bind(&assistant.about)
        .bind(&assistant.prompts)
        .bind(assistant.org_id)
        .bind(assistant.id)
        .execute()
        .await?;
    Ok(updated == 1)
}

pub(super) async fn add(tx: &mut Tx, sealer: &Sealer, at: &Installation) -> Result<()> {
    let now = tx.now().await?;
    tx.query(
        "INSERT INTO installations (org_id, id, assistant_id, platform, state, address_digest, address, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(at.org)
    .bind(at.id)
    .bind(at.assistant)
    .bind(at.platform)
    .bind(at.state)
    .bind(at.address.digest())
    .bind(sealer.seal(&at.address, &bound_to(at.id, "address"))?)
    .bind(now)
    .execute()
    .await?;
    update(tx, sealer, at).await
}

/// Found without an organization: the address is what authenticates.
pub(super) async fn by_address(
    db: Exec<'_>,
    sealer: &Sealer,
    platform: PlatformKind,
    address_digest: &[u8],
) -> Result<Option<Installation>> {
    let row: Option<Row> = db
        .build(COLUMNS)
        .push("i.address_digest = ")
        .bind(address_digest)
        .push(" AND i.platform = ")
        .bind(platform)
        .done()
        .optional()
        .await?;
    row.map(|row| row.open(sealer)).transpose()
}

pub(super) async fn find(
    db: Exec<'_>,
    sealer: &Sealer,
    org: OrgId,
    id: InstallationId,
) -> Result<Option<Installation>> {
    let row: Option<Row> = db
        .build(COLUMNS)
        .push("i.org_id = ")
        .bind(org)
        .push(" AND i.id = ")
        .bind(id)
        .done()
        .optional()
        .await?;
    row.map(|row| row.open(sealer)).transpose()
}

pub(super) async fn of_assistant(
    db: Exec<'_>,
    sealer: &Sealer,
    org: OrgId,
    assistant: AssistantId,
) -> Result<Vec<Installation>> {
    let rows: Vec<Row> = db
        .build(COLUMNS)
        .push("i.org_id = ")
        .bind(org)
        .push(" AND i.assistant_id = ")
        .bind(assistant)
        .push(" ORDER BY i.platform")
        .done()
        .all()
        .await?;
    rows.into_iter().map(|row| row.open(sealer)).collect()
}

pub(super) async fn assistants(db: Exec<'_>, org: OrgId) -> Result<Vec<Assistant>> {
    Ok(db
        .query(
            "SELECT org_id, id, name, description, colour, tone, greeting, about, prompts, icon_key, icon_type,
                    shared_enabled, created_at, analyst_id
             FROM assistants WHERE org_id = $1 ORDER BY name, id",
        )
        .bind(org)
        .all()
        .await?)
}

pub(super) async fn assistant(db: Exec<'_>, org: OrgId, id: AssistantId) -> Result<Option<Assistant>> {
    Ok(db
        .query(
            "SELECT org_id, id, name, description, colour, tone, greeting, about, prompts, icon_key, icon_type,
                    shared_enabled, created_at, analyst_id
             FROM assistants WHERE org_id = $1 AND id = $2",
        )
        .bind(org)
        .bind(id)
        .optional()
        .await?)
}

/// False if there is no such assistant.
pub(super) async fn set_icon(
    tx: &mut Tx,
    org: OrgId,
    id: AssistantId,
    key: Option<&str>,
    kind: Option<&str>,
) -> Result<bool> {
    let set = tx
        .query("UPDATE assistants SET icon_key = $1, icon_type = $2 WHERE org_id = $3 AND id = $4")
        .bind(key)
        .bind(kind)
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(set == 1)
}

/// The organization of an assistant: for the operator, who names assistants by id alone.
pub(super) async fn org_of(db: Exec<'_>, id: AssistantId) -> Result<Option<OrgId>> {
    let row: Option<(OrgId,)> = db
        .query("SELECT org_id FROM assistants WHERE id = $1")
        .bind(id)
        .optional()
        .await?;
    Ok(row.map(|(org,)| org))
}

pub(super) async fn set_shared(tx: &mut Tx, org: OrgId, id: AssistantId, on: bool) -> Result<()> {
    tx.query("UPDATE assistants SET shared_enabled = $1 WHERE org_id = $2 AND id = $3")
        .bind(on)
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// Only while it is the installation that was refused: one made since has other rights.
pub(super) async fn disable(tx: &mut Tx, at: &Installation, because: &str) -> Result<u64> {
    Ok(tx
        .query(
            "UPDATE installations SET state = 'disabled', disabled_because = $1
             WHERE org_id = $2 AND id = $3 AND state = 'active' AND (installed_at IS NULL OR installed_at <= $4)",
        )
        .bind(because)
        .bind(at.org)
        .bind(at.id)
        .bind(at.installed_at)
        .execute()
        .await?)
}

/// Takes the tokens away that were granted before `when`.
pub(super) async fn wipe(
    tx: &mut Tx,
    org: OrgId,
    id: InstallationId,
    because: &str,
    when: DateTime<Utc>,
) -> Result<u64> {
    Ok(tx
        .query(
            "UPDATE installations SET state = CASE WHEN state = 'active' THEN 'disabled' ELSE state END,
                    disabled_because = CASE WHEN state = 'active' THEN $1 ELSE disabled_because END,
                    bot_token = NULL, refresh_token = NULL, refreshing_until = NULL
             WHERE org_id = $2 AND id = $3 AND (installed_at IS NULL OR installed_at < $4)
               AND (state = 'active' OR bot_token IS NOT NULL)",
        )
        .bind(because)
        .bind(org)
        .bind(id)
        .bind(when)
        .execute()
        .await?)
}

/// The row, held until the transaction ends: what is changed in it is what is there.
pub(super) async fn hold(
    tx: &mut Tx,
    sealer: &Sealer,
    org: OrgId,
    id: InstallationId,
) -> Result<Option<Installation>> {
    tx.query("UPDATE installations SET state = state WHERE org_id = $1 AND id = $2")
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    find(tx.exec(), sealer, org, id).await
}

pub(super) async fn missing_scope(tx: &mut Tx, org: OrgId, id: InstallationId, scope: &str) -> Result<u64> {
    Ok(tx
        .query(
            "UPDATE installations SET missing_scope = $1
             WHERE org_id = $2 AND id = $3 AND (missing_scope IS NULL OR missing_scope <> $1)",
        )
        .bind(scope)
        .bind(org)
        .bind(id)
        .execute()
        .await?)
}

pub(super) async fn heard(tx: &mut Tx, org: OrgId, id: InstallationId) -> Result<()> {
    let now = tx.now().await?;
    tx.query("UPDATE installations SET heard_at = $1 WHERE org_id = $2 AND id = $3")
        .bind(now)
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

pub(super) async fn refused(tx: &mut Tx, org: OrgId, id: InstallationId) -> Result<()> {
    let now = tx.now().await?;
    tx.query("UPDATE installations SET refused_at = $1 WHERE org_id = $2 AND id = $3")
        .bind(now)
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// Takes the right to fetch the next token until `until`, if nobody has it and the token is still the one
/// that ends at `ends`.
pub(super) async fn claim_refresh(tx: &mut Tx, at: &Installation, until: DateTime<Utc>) -> Result<u64> {
    let now = tx.now().await?;
    Ok(tx
        .query(
            "UPDATE installations SET refreshing_until = $1
             WHERE org_id = $2 AND id = $3 AND token_expires_at = $4 AND refresh_token IS NOT NULL
               AND (refreshing_until IS NULL OR refreshing_until <= $5)",
        )
        .bind(until)
        .bind(at.org)
        .bind(at.id)
        .bind(at.token_expires_at)
        .bind(now)
        .execute()
        .await?)
}

/// Gives the right back, if it is still held.
pub(super) async fn release_refresh(tx: &mut Tx, at: &Installation, held: DateTime<Utc>) -> Result<()> {
    tx.query(
        "UPDATE installations SET refreshing_until = NULL WHERE org_id = $1 AND id = $2 AND refreshing_until = $3",
    )
    .bind(at.org)
    .bind(at.id)
    .bind(held)
    .execute()
    .await?;
    Ok(())
}

/// Writes the next pair in the place of the one in `at`. Whoever held the right to fetch it may have lost
/// that meanwhile: the pair that it replaces is used up, so that only a newer one forbids it.
pub(super) async fn renew(tx: &mut Tx, sealer: &Sealer, at: &Installation, renewed: &Renewed) -> Result<u64> {
    let ends = tx.now().await? + renewed.expires_in;
    Ok(tx
        .query(
            "UPDATE installations SET bot_token = $1, refresh_token = $2, token_expires_at = $3, refreshing_until = NULL
             WHERE org_id = $4 AND id = $5 AND token_expires_at = $6 AND installed_at = $7
               AND refresh_token IS NOT NULL",
        )
        .bind(sealer.seal(&renewed.bot_token, &bound_to(at.id, "bot_token"))?)
        .bind(sealer.seal(&renewed.refresh_token, &bound_to(at.id, "refresh_token"))?)
        .bind(ends)
        .bind(at.org)
        .bind(at.id)
        .bind(at.token_expires_at)
        .bind(at.installed_at)
        .execute()
        .await?)
}

/// The value sealed by whichever node came first; made now if there is none.
pub(super) async fn seal_check(tx: &mut Tx, sealed: &[u8]) -> Result<Vec<u8>> {
    tx.query("INSERT INTO seal_check (id, sealed) VALUES (1, $1) ON CONFLICT (id) DO NOTHING")
        .bind(sealed)
        .execute()
        .await?;
    Ok(tx
        .query("SELECT sealed FROM seal_check WHERE id = 1")
        .scalar()
        .await?)
}

/// Writes what is given. Whoever is fetching the next token keeps the right to, unless it is another token.
pub(super) async fn update(tx: &mut Tx, sealer: &Sealer, at: &Installation) -> Result<()> {
    let seal = |secret: &Option<Secret>, column: &str| {
        secret
            .as_ref()
            .map(|secret| sealer.seal(secret, &bound_to(at.id, column)))
            .transpose()
    };
    tx.query(
        "UPDATE installations SET state = $1, disabled_because = $2, app_id = $3, client_id = $4, client_secret = $5,
                signing_secret = $6, previous_signing_secret = $7, bot_token = $8, team_id = $9, bot_user_id = $10,
                team_name = $11, is_enterprise = $12, enterprise_id = $13, scopes = $14, missing_scope = $15,
                installed_at = $16, refresh_token = $17, token_expires_at = $18, registered_name = $19,
                previous_secret_until = $20,
                refreshing_until = CASE WHEN token_expires_at = $18 THEN refreshing_until END
         WHERE org_id = $21 AND id = $22",
    )
    .bind(at.state)
    .bind(&at.disabled_because)
    .bind(&at.app_id)
    .bind(&at.client_id)
    .bind(seal(&at.client_secret, "client_secret")?)
    .bind(seal(&at.signing_secret, "signing_secret")?)
    .bind(seal(&at.previous_secrets.text()?, "previous_signing_secret")?)
    .bind(seal(&at.bot_token, "bot_token")?)
    .bind(&at.team_id)
    .bind(&at.bot_user_id)
    .bind(&at.team_name)
    .bind(at.is_enterprise)
    .bind(&at.enterprise_id)
    .bind(at.scopes.as_ref().map(Scopes::list))
    .bind(&at.missing_scope)
    .bind(at.installed_at)
    .bind(seal(&at.refresh_token, "refresh_token")?)
    .bind(at.token_expires_at)
    .bind(&at.registered_name)
    .bind(at.previous_secrets.until())
    .bind(at.org)
    .bind(at.id)
    .execute()
    .await?;
    Ok(())
}
