//! The demo portfolio: twelve invented buildings with units, leases, ledger and loans. The files are in the binary and
//! are imported like an administrator's. Older demo databases get it as well.

use std::time::Duration;

use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::ids::{OrgId, UserId};
use crate::portfolio::import::run::ImportOptions;
use crate::portfolio::import::sheet::InputFile;
use crate::portfolio::model::Buildings;
use crate::services::Services;

macro_rules! embedded {
    ($($name:literal),+ $(,)?) => { [$(($name, include_bytes!(concat!("data/", $name)).as_slice())),+] };
}

static FILES: [(&str, &[u8]); 11] = embedded![
    "accounts.csv",
    "buildings.csv",
    "lease_rent_steps.csv",
    "leases.csv",
    "loan_payments.csv",
    "loans.csv",
    "monthly_financials.csv",
    "tenants.csv",
    "unit_market_rents.csv",
    "units.csv",
    "valuations.csv",
];

/// How long to wait for another process that imports at the same time.
const WAIT: Duration = Duration::from_millis(200);
const WAITS: u32 = 75;

/// Imports the portfolio if the organization has none, and grants all of it to the member. Does not change what an
/// administrator has imported or granted since.
pub async fn load(services: &Services, org: OrgId, member: UserId) -> Result<()> {
    if services.imports.coverage(org).await?.is_some() {
        return Ok(());
    }
    let granted = Buildings::All;
    services
        .portfolio
        .grant(Actor::SYSTEM, org, member, granted)
        .await?;
    let files = || {
        FILES.iter().map(|(name, bytes)| InputFile {
            name: (*name).to_owned(),
            bytes: bytes.to_vec(),
        })
    };
    let imported = services
        .imports
        .import(Actor::SYSTEM, org, files().collect(), ImportOptions::default())
        .await;
    match imported {
        Ok(outcome) if outcome.number.is_some() => Ok(()),
        Ok(_) => Err(Error::internal("the demo's own portfolio was refused")),
        // Two processes started at once: the other one's import is used.
        Err(Error::Conflict(_)) => {
            for _ in 0..WAITS {
                if services.imports.coverage(org).await?.is_some() {
                    return Ok(());
                }
                tokio::time::sleep(WAIT).await;
            }
            Err(Error::Conflict(
                "the demo's portfolio is being imported; try again in a moment",
            ))
        }
        Err(error) => Err(error),
    }
}
