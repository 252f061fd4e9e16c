//! `corbel admin key`: project keys of the HTTP API.

use serde_json::json;

use crate::app::cli::args::Key;
use crate::app::cli::lookup::ME;
use crate::app::cli::report::Report;
use crate::base::error::{Error, Result};
use crate::base::ids::KeyId;
use crate::keys::model::{Environment, NewKey};
use crate::services::Services;

pub async fn run(services: &Services, command: Key) -> Result<Report> {
    match command {
        Key::Create {
            org,
            owner,
            environment,
            name,
        } => {
            let org = services.accounts.org(&org).await?;
            let environment: Environment = environment
                .parse()
                .map_err(|why: String| Error::invalid("environment", why))?;
            let owner = services.accounts.member_by_email(org.id, &owner).await?;
            let new = NewKey {
                org: org.id,
                owner: owner.user_id,
                name,
                environment,
                expires_at: None,
            };
            let (id, secret) = services.keys.create(ME, new).await?;
            Ok(Report::new(
                json!({ "keyId": id, "secret": secret.expose() }),
                format!(
                    "The {environment} key {id} of {} is shown this once:\n{}",
                    owner.email,
                    secret.expose()
                ),
            ))
        }
        Key::Revoke { org, key } => {
            let org = services.accounts.org(&org).await?;
            let id: KeyId = key.parse().map_err(|_| Error::NotFound("key"))?;
            services.keys.revoke(ME, org.id, id).await?;
            Ok(Report::new(
                json!({ "keyId": id, "revoked": true }),
                format!("The key {id} is revoked."),
            ))
        }
    }
}
