//! The data of a measured Corbel server, and its callers: an organization with credit, a member, and the
//! member's project keys.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use corbel::accounts::model::Plan;
use corbel::accounts::service::NewPerson;
use corbel::app::build::{App, build};
use corbel::app::config::Config;
use corbel::audit::store::Actor;
use corbel::base::clock::Clock;
use corbel::base::ids::{OrgId, UserId};
use corbel::base::principal::Role;
use corbel::keys::model::{Environment, NewKey};
use corbel::services::Services;

use crate::load::server::{CORBEL, command};
use crate::support::Outcome;

/// A data folder, and the external database if there is one.
pub struct Place {
    pub data: PathBuf,
    pub database: Option<String>,
}

impl Place {
    pub const fn kind(&self) -> &'static str {
        if self.database.is_some() {
            "PostgreSQL"
        } else {
            "SQLite"
        }
    }

    fn settings(&self) -> BTreeMap<String, String> {
        let mut values = BTreeMap::from([("CORBEL_DATA_DIR".to_owned(), self.data.display().to_string())]);
        let url = self.database.clone();
        values.extend(url.map(|url| ("CORBEL_DATABASE_URL".to_owned(), url)));
        values
    }

    /// Opens the application in this process, without workers.
    pub async fn open(&self) -> Outcome<App> {
        std::fs::create_dir_all(&self.data)?;
        let config = Config::from_values(self.settings(), Vec::new())?;
        Ok(build(&config, Clock::system(), "http://127.0.0.1".to_owned()).await?)
    }

    /// `corbel serve` on a free port with `workers` workers. Rate limits are high enough to refuse no
    /// request, but are still counted.
    pub fn serve(&self, workers: usize, pinned: bool) -> Command {
        let mut command = command(CORBEL, pinned);
        command
            .envs(self.settings())
            .env("CORBEL_LISTEN", "127.0.0.1:0")
            .env("CORBEL_WORKERS", workers.to_string())
            .env("CORBEL_RATE_PRODUCTION", "1000000")
            .args(["--json", "serve"]);
        command
    }
}

pub struct Tenant {
    pub org: OrgId,
    pub user: UserId,
    pub keys: Vec<String>,
}

impl Tenant {
    pub async fn create(services: &Services, keys: usize) -> Outcome<Self> {
        let org = services
            .accounts
            .create_org(Actor::OPERATOR, "Bench", Plan::Enterprise, None)
            .await?
            .id;
        let credit = "1000000".parse()?;
        services.usage.add_credit(Actor::OPERATOR, org, credit).await?;
        let person = NewPerson {
            email: "bench@bench.example".into(),
            name: "Bench".into(),
            role: Role::Member,
            password: None,
        };
        let user = services
            .accounts
            .create_member(Actor::OPERATOR, org, person)
            .await?;
        let mut made = Vec::with_capacity(keys);
        for n in 0..keys {
            let new = NewKey {
                org,
                owner: user,
                name: format!("Bench {n}"),
                environment: Environment::Production,
                expires_at: None,
            };
            let (_, text) = services.keys.create(Actor::OPERATOR, new).await?;
            made.push(text.expose().to_owned());
        }
        Ok(Self {
            org,
            user,
            keys: made,
        })
    }
}
