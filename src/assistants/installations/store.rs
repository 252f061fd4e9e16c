//! The table `installations`. Secrets are sealed, bound to row and column.

use chrono::{DateTime, Utc};

use crate::assistants::model::{Installation, InstallationState, Platform, PlatformKind};
use crate::assistants::slack::store as slack;
use crate::base::error::Result;
use crate::base::ids::{AssistantId, InstallationId, OrgId};
use crate::crypto::seal::Sealer;
use crate::db::exec::{Builder, Exec};
use crate::db::tx::Tx;

/// A row of `installations`, joined with the platform-specific columns.
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
    installed_at: Option<DateTime<Utc>>,
    registered_name: Option<String>,
    heard_at: Option<DateTime<Utc>>,
    refused_at: Option<DateTime<Utc>>,
    #[sqlx(flatten)]
    slack: slack::Row,
}

const COLUMNS: &str = "SELECT i.org_id, i.id, i.assistant_id, a.name AS assistant_name, i.platform, i.state,
        i.disabled_because, i.address, i.installed_at, i.registered_name, i.heard_at, i.refused_at";

const TABLES: &str =
    " FROM installations i JOIN assistants a ON a.org_id = i.org_id AND a.id = i.assistant_id";

impl Row {
    fn open(self, sealer: &Sealer) -> Result<Installation> {
        let id = self.id;
        Ok(Installation {
            org: self.org_id,
            id,
            assistant: self.assistant_id,
            assistant_name: self.assistant_name,
            platform: match self.platform {
                PlatformKind::Slack => Platform::Slack(Box::new(self.slack.open(sealer, id)?)),
                kind @ (PlatformKind::Teams | PlatformKind::Web) => Platform::new(kind)?,
            },
            state: self.state,
            disabled_because: self.disabled_because,
            address: sealer.open(&self.address, &bound_to(id, "address"))?,
            installed_at: self.installed_at,
            registered_name: self.registered_name,
            last_call_at: self.heard_at,
            last_refused_at: self.refused_at,
        })
    }
}

/// What a sealed secret is bound to.
fn bound_to(id: InstallationId, column: &str) -> String {
    format!("installations/{id}/{column}")
}

/// A query for installations, up to its conditions.
fn select(db: Exec<'_>) -> Builder<'_> {
    db.build(COLUMNS)
        .push(slack::COLUMNS)
        .push(TABLES)
        .push(slack::JOIN)
        .push(" WHERE ")
}

pub(in crate::assistants) async fn add(tx: &mut Tx, sealer: &Sealer, at: &Installation) -> Result<()> {
    let now = tx.now().await?;
    tx.query(
        "INSERT INTO installations (org_id, id, assistant_id, platform, state, address_digest, address, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(at.org)
    .bind(at.id)
    .bind(at.assistant)
    .bind(at.kind())
    .bind(at.state)
    .bind(at.address.digest())
    .bind(sealer.seal(&at.address, &bound_to(at.id, "address"))?)
    .bind(now)
    .execute()
    .await?;
    match &at.platform {
        Platform::Slack(app) => slack::add(tx, sealer, at.org, at.id, app).await?,
        Platform::Web => {}
    }
    update(tx, sealer, at).await
}

/// Found without an organization, because the secret address authenticates the caller.
pub(in crate::assistants) async fn by_address(
    db: Exec<'_>,
    sealer: &Sealer,
    platform: PlatformKind,
    address_digest: &[u8],
) -> Result<Option<Installation>> {
    let row: Option<Row> = select(db)
        .push("i.address_digest = ")
        .bind(address_digest)
        .push(" AND i.platform = ")
        .bind(platform)
        .done()
        .optional()
        .await?;
    row.map(|row| row.open(sealer)).transpose()
}

pub(in crate::assistants) async fn find(
    db: Exec<'_>,
    sealer: &Sealer,
    org: OrgId,
    id: InstallationId,
) -> Result<Option<Installation>> {
    let row: Option<Row> = select(db)
        .push("i.org_id = ")
        .bind(org)
        .push(" AND i.id = ")
        .bind(id)
        .done()
        .optional()
        .await?;
    row.map(|row| row.open(sealer)).transpose()
}

pub(in crate::assistants) async fn state(
    db: Exec<'_>,
    org: OrgId,
    id: InstallationId,
) -> Result<Option<InstallationState>> {
    let row: Option<(InstallationState,)> = db
        .query("SELECT state FROM installations WHERE org_id = $1 AND id = $2")
        .bind(org)
        .bind(id)
        .optional()
        .await?;
    Ok(row.map(|(state,)| state))
}

pub(in crate::assistants) async fn of_assistant(
    db: Exec<'_>,
    sealer: &Sealer,
    org: OrgId,
    assistant: AssistantId,
) -> Result<Vec<Installation>> {
    let rows: Vec<Row> = select(db)
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

/// Disables an active installation. Returns 0 if it was installed again since `at` was read.
pub(in crate::assistants) async fn disable(tx: &mut Tx, at: &Installation, because: &str) -> Result<u64> {
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

/// Reads an installation and locks its row until the transaction ends.
pub(in crate::assistants) async fn lock(
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

pub(in crate::assistants) async fn set_last_call(tx: &mut Tx, org: OrgId, id: InstallationId) -> Result<()> {
    let now = tx.now().await?;
    tx.query("UPDATE installations SET heard_at = $1 WHERE org_id = $2 AND id = $3")
        .bind(now)
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

pub(in crate::assistants) async fn set_last_refused(
    tx: &mut Tx,
    org: OrgId,
    id: InstallationId,
) -> Result<()> {
    let now = tx.now().await?;
    tx.query("UPDATE installations SET refused_at = $1 WHERE org_id = $2 AND id = $3")
        .bind(now)
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// Writes the columns that can change.
pub(in crate::assistants) async fn update(tx: &mut Tx, sealer: &Sealer, at: &Installation) -> Result<()> {
    tx.query(
        "UPDATE installations SET state = $1, disabled_because = $2, installed_at = $3, registered_name = $4
         WHERE org_id = $5 AND id = $6",
    )
    .bind(at.state)
    .bind(&at.disabled_because)
    .bind(at.installed_at)
    .bind(&at.registered_name)
    .bind(at.org)
    .bind(at.id)
    .execute()
    .await?;
    match &at.platform {
        Platform::Slack(app) => slack::update(tx, sealer, at.org, at.id, app).await,
        Platform::Web => Ok(()),
    }
}
