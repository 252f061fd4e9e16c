//! Tables of assistants and their installations. Secrets pass sealed, bound to row and column.

use crate::assistants::model::{Assistant, Installation, InstallationState, PlatformKind};
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
    bot_token: Option<Vec<u8>>,
    team_id: Option<String>,
    bot_user_id: Option<String>,
}

const COLUMNS: &str = "SELECT i.org_id, i.id, i.assistant_id, a.name AS assistant_name, i.platform, i.state,
        i.disabled_because, i.address, i.app_id, i.client_id, i.client_secret, i.signing_secret,
        i.previous_signing_secret, i.bot_token, i.team_id, i.bot_user_id
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
            previous_signing_secret: open(self.previous_signing_secret, "previous_signing_secret")?,
            bot_token: open(self.bot_token, "bot_token")?,
            team_id: self.team_id,
            bot_user_id: self.bot_user_id,
        })
    }
}

fn bound_to(id: InstallationId, column: &str) -> String {
    format!("installations/{id}/{column}")
}

pub(super) async fn add_assistant(tx: &mut Tx, assistant: &Assistant) -> Result<()> {
    tx.query(
        "INSERT INTO assistants (org_id, id, name, colour, tone, greeting, about, shared_enabled, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
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
    .execute()
    .await?;
    Ok(())
}

pub(super) async fn add(tx: &mut Tx, sealer: &Sealer, at: &Installation) -> Result<()> {
    let now = tx.now().await?;
    let seal = |secret: &Option<Secret>, column: &str| {
        secret
            .as_ref()
            .map(|secret| sealer.seal(secret, &bound_to(at.id, column)))
            .transpose()
    };
    tx.query(
        "INSERT INTO installations (org_id, id, assistant_id, platform, state, address_digest, address, app_id,
                                    client_id, client_secret, signing_secret, bot_token, team_id, bot_user_id, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
    )
    .bind(at.org)
    .bind(at.id)
    .bind(at.assistant)
    .bind(at.platform)
    .bind(at.state)
    .bind(at.address.digest())
    .bind(sealer.seal(&at.address, &bound_to(at.id, "address"))?)
    .bind(&at.app_id)
    .bind(&at.client_id)
    .bind(seal(&at.client_secret, "client_secret")?)
    .bind(seal(&at.signing_secret, "signing_secret")?)
    .bind(seal(&at.bot_token, "bot_token")?)
    .bind(&at.team_id)
    .bind(&at.bot_user_id)
    .bind(now)
    .execute()
    .await?;
    Ok(())
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
            "SELECT org_id, id, name, colour, tone, greeting, about, shared_enabled, created_at
             FROM assistants WHERE org_id = $1 ORDER BY name, id",
        )
        .bind(org)
        .all()
        .await?)
}

pub(super) async fn assistant(db: Exec<'_>, org: OrgId, id: AssistantId) -> Result<Option<Assistant>> {
    Ok(db
        .query(
            "SELECT org_id, id, name, colour, tone, greeting, about, shared_enabled, created_at
             FROM assistants WHERE org_id = $1 AND id = $2",
        )
        .bind(org)
        .bind(id)
        .optional()
        .await?)
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

pub(super) async fn disable(tx: &mut Tx, org: OrgId, id: InstallationId, because: &str) -> Result<u64> {
    Ok(tx
        .query(
            "UPDATE installations SET state = 'disabled', disabled_because = $1
             WHERE org_id = $2 AND id = $3 AND state = 'active'",
        )
        .bind(because)
        .bind(org)
        .bind(id)
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

/// Writes what is given; the installation becomes active once it has all that it needs.
pub(super) async fn update(tx: &mut Tx, sealer: &Sealer, at: &Installation) -> Result<()> {
    let seal = |secret: &Option<Secret>, column: &str| {
        secret
            .as_ref()
            .map(|secret| sealer.seal(secret, &bound_to(at.id, column)))
            .transpose()
    };
    tx.query(
        "UPDATE installations SET state = $1, disabled_because = $2, app_id = $3, client_id = $4, client_secret = $5,
                signing_secret = $6, previous_signing_secret = $7, bot_token = $8, team_id = $9, bot_user_id = $10
         WHERE org_id = $11 AND id = $12",
    )
    .bind(at.state)
    .bind(&at.disabled_because)
    .bind(&at.app_id)
    .bind(&at.client_id)
    .bind(seal(&at.client_secret, "client_secret")?)
    .bind(seal(&at.signing_secret, "signing_secret")?)
    .bind(seal(&at.previous_signing_secret, "previous_signing_secret")?)
    .bind(seal(&at.bot_token, "bot_token")?)
    .bind(&at.team_id)
    .bind(&at.bot_user_id)
    .bind(at.org)
    .bind(at.id)
    .execute()
    .await?;
    Ok(())
}
