//! The table `slack_installations`. Secrets are sealed, bound to row and column.

use chrono::{DateTime, Utc};

use crate::assistants::slack::app::{Scopes, SlackApp};
use crate::assistants::slack::previous_secrets::PreviousSecrets;
use crate::base::error::Result;
use crate::base::ids::{InstallationId, OrgId};
use crate::base::secret::Secret;
use crate::crypto::seal::Sealer;
use crate::db::tx::Tx;

/// Slack's columns of an installation that is read with [`COLUMNS`] and [`JOIN`]; all are null for another platform.
#[derive(Debug, sqlx::FromRow)]
pub(in crate::assistants) struct Row {
    #[sqlx(rename = "slack_app_id")]
    app_id: Option<String>,
    #[sqlx(rename = "slack_client_id")]
    client_id: Option<String>,
    #[sqlx(rename = "slack_client_secret")]
    client_secret: Option<Vec<u8>>,
    #[sqlx(rename = "slack_signing_secret")]
    signing_secret: Option<Vec<u8>>,
    #[sqlx(rename = "slack_previous_signing_secret")]
    previous_signing_secret: Option<Vec<u8>>,
    #[sqlx(rename = "slack_previous_secret_until")]
    previous_secret_until: Option<DateTime<Utc>>,
    #[sqlx(rename = "slack_bot_token")]
    bot_token: Option<Vec<u8>>,
    #[sqlx(rename = "slack_bot_user_id")]
    bot_user_id: Option<String>,
    #[sqlx(rename = "slack_team_id")]
    team_id: Option<String>,
    #[sqlx(rename = "slack_team_name")]
    team_name: Option<String>,
    #[sqlx(rename = "slack_is_enterprise")]
    is_enterprise: Option<bool>,
    #[sqlx(rename = "slack_enterprise_id")]
    enterprise_id: Option<String>,
    #[sqlx(rename = "slack_scopes")]
    scopes: Option<String>,
    #[sqlx(rename = "slack_missing_scope")]
    missing_scope: Option<String>,
    #[sqlx(rename = "slack_refresh_token")]
    refresh_token: Option<Vec<u8>>,
    #[sqlx(rename = "slack_token_expires_at")]
    token_expires_at: Option<DateTime<Utc>>,
}

/// The columns have aliases, so that they cannot collide with those of another platform.
pub(in crate::assistants) const COLUMNS: &str = ",
        s.app_id AS slack_app_id, s.client_id AS slack_client_id, s.client_secret AS slack_client_secret,
        s.signing_secret AS slack_signing_secret, s.previous_signing_secret AS slack_previous_signing_secret,
        s.previous_secret_until AS slack_previous_secret_until, s.bot_token AS slack_bot_token,
        s.bot_user_id AS slack_bot_user_id, s.team_id AS slack_team_id, s.team_name AS slack_team_name,
        s.is_enterprise AS slack_is_enterprise, s.enterprise_id AS slack_enterprise_id, s.scopes AS slack_scopes,
        s.missing_scope AS slack_missing_scope, s.refresh_token AS slack_refresh_token,
        s.token_expires_at AS slack_token_expires_at";

pub(in crate::assistants) const JOIN: &str =
    " LEFT JOIN slack_installations s ON s.org_id = i.org_id AND s.installation_id = i.id";

impl Row {
    pub(in crate::assistants) fn open(self, sealer: &Sealer, id: InstallationId) -> Result<SlackApp> {
        let open = |sealed: Option<Vec<u8>>, column: &str| {
            sealed
                .map(|sealed| sealer.open(&sealed, &bound_to(id, column)))
                .transpose()
        };
        Ok(SlackApp {
            app_id: self.app_id,
            client_id: self.client_id,
            client_secret: open(self.client_secret, "client_secret")?,
            signing_secret: open(self.signing_secret, "signing_secret")?,
            previous_secrets: PreviousSecrets::read(
                open(self.previous_signing_secret, "previous_signing_secret")?,
                self.previous_secret_until,
            ),
            bot_token: open(self.bot_token, "bot_token")?,
            bot_user_id: self.bot_user_id,
            team_id: self.team_id,
            team_name: self.team_name,
            is_enterprise: self.is_enterprise.unwrap_or_default(),
            enterprise_id: self.enterprise_id,
            scopes: self.scopes.as_deref().map(Scopes::parse),
            missing_scope: self.missing_scope,
            refresh_token: open(self.refresh_token, "refresh_token")?,
            token_expires_at: self.token_expires_at,
        })
    }
}

/// What a sealed secret is bound to. The text names the table that first contained the secrets.
fn bound_to(id: InstallationId, column: &str) -> String {
    format!("installations/{id}/{column}")
}

pub(in crate::assistants) async fn add(
    tx: &mut Tx,
    sealer: &Sealer,
    org: OrgId,
    id: InstallationId,
    app: &SlackApp,
) -> Result<()> {
    tx.query("INSERT INTO slack_installations (org_id, installation_id, is_enterprise) VALUES ($1, $2, $3)")
        .bind(org)
        .bind(id)
        .bind(app.is_enterprise)
        .execute()
        .await?;
    update(tx, sealer, org, id, app).await
}

/// Writes the columns that can change. A claim to refresh the token remains only if the token is still the same.
pub(in crate::assistants) async fn update(
    tx: &mut Tx,
    sealer: &Sealer,
    org: OrgId,
    id: InstallationId,
    app: &SlackApp,
) -> Result<()> {
    let seal = |secret: &Option<Secret>, column: &str| {
        secret
            .as_ref()
            .map(|secret| sealer.seal(secret, &bound_to(id, column)))
            .transpose()
    };
    tx.query(
        "UPDATE slack_installations SET app_id = $1, client_id = $2, client_secret = $3, signing_secret = $4,
                previous_signing_secret = $5, previous_secret_until = $6, bot_token = $7, bot_user_id = $8,
                team_id = $9, team_name = $10, is_enterprise = $11, enterprise_id = $12, scopes = $13,
                missing_scope = $14, refresh_token = $15, token_expires_at = $16,
                refreshing_until = CASE WHEN token_expires_at = $16 AND $17 THEN refreshing_until END
         WHERE org_id = $18 AND installation_id = $19",
    )
    .bind(&app.app_id)
    .bind(&app.client_id)
    .bind(seal(&app.client_secret, "client_secret")?)
    .bind(seal(&app.signing_secret, "signing_secret")?)
    .bind(seal(&app.previous_secrets.text()?, "previous_signing_secret")?)
    .bind(app.previous_secrets.until())
    .bind(seal(&app.bot_token, "bot_token")?)
    .bind(&app.bot_user_id)
    .bind(&app.team_id)
    .bind(&app.team_name)
    .bind(app.is_enterprise)
    .bind(&app.enterprise_id)
    .bind(app.scopes.as_ref().map(Scopes::list))
    .bind(&app.missing_scope)
    .bind(seal(&app.refresh_token, "refresh_token")?)
    .bind(app.token_expires_at)
    .bind(app.refresh_token.is_some())
    .bind(org)
    .bind(id)
    .execute()
    .await?;
    Ok(())
}

/// Stores a scope that the app lacks. Returns the number of rows changed: 0 if this scope is stored already.
pub(in crate::assistants) async fn set_missing_scope(
    tx: &mut Tx,
    org: OrgId,
    id: InstallationId,
    scope: &str,
) -> Result<u64> {
    Ok(tx
        .query(
            "UPDATE slack_installations SET missing_scope = $1
             WHERE org_id = $2 AND installation_id = $3 AND (missing_scope IS NULL OR missing_scope <> $1)",
        )
        .bind(scope)
        .bind(org)
        .bind(id)
        .execute()
        .await?)
}

/// Claims the token refresh until `until`. Returns the number of rows changed: 0 if another node has the claim, or if
/// the current token is not the one that expires at `expires_at`.
pub(in crate::assistants) async fn claim_refresh(
    tx: &mut Tx,
    org: OrgId,
    id: InstallationId,
    expires_at: Option<DateTime<Utc>>,
    until: DateTime<Utc>,
) -> Result<u64> {
    let now = tx.now().await?;
    Ok(tx
        .query(
            "UPDATE slack_installations SET refreshing_until = $1
             WHERE org_id = $2 AND installation_id = $3 AND token_expires_at = $4 AND refresh_token IS NOT NULL
               AND (refreshing_until IS NULL OR refreshing_until <= $5)",
        )
        .bind(until)
        .bind(org)
        .bind(id)
        .bind(expires_at)
        .bind(now)
        .execute()
        .await?)
}

/// Releases a claim to refresh the token, if it is still the one that ends at `until`.
pub(in crate::assistants) async fn release_refresh(
    tx: &mut Tx,
    org: OrgId,
    id: InstallationId,
    until: DateTime<Utc>,
) -> Result<()> {
    tx.query(
        "UPDATE slack_installations SET refreshing_until = NULL
         WHERE org_id = $1 AND installation_id = $2 AND refreshing_until = $3",
    )
    .bind(org)
    .bind(id)
    .bind(until)
    .execute()
    .await?;
    Ok(())
}
