//! `corbel admin buildings`: adds and lists buildings, and grants them to members.

use std::collections::BTreeSet;

use serde_json::json;

use crate::app::cli::args::Buildings;
use crate::app::cli::lookup::ME;
use crate::app::cli::report::Report;
use crate::base::error::Result;
use crate::portfolio::model::Buildings as Scope;
use crate::services::Services;

pub async fn run(services: &Services, command: Buildings) -> Result<Report> {
    match command {
        Buildings::Add { org, id, name } => {
            let org = services.accounts.org(&org).await?;
            services.portfolio.put_building(ME, org.id, &id, &name).await?;
            Ok(Report::new(
                json!({ "buildingId": id, "name": name }),
                format!("{name} is building {id} of {}.", org.name),
            ))
        }
        Buildings::List { org } => {
            let org = services.accounts.org(&org).await?;
            let found = services.portfolio.buildings(org.id).await?;
            let mut text: Vec<String> = found
                .iter()
                .map(|one| format!("{}  {}", one.id, one.name))
                .collect();
            if text.is_empty() {
                text.push("There are no buildings yet.".to_owned());
            }
            let found: Vec<_> = found
                .into_iter()
                .map(|one| json!({ "buildingId": one.id, "name": one.name }))
                .collect();
            Ok(Report::new(json!({ "buildings": found }), text.join("\n")))
        }
        Buildings::Grant {
            org,
            user,
            all,
            buildings,
        } => {
            let org = services.accounts.org(&org).await?;
            let member = services.accounts.member_by_email(org.id, &user).await?;
            let ids: BTreeSet<String> = buildings.into_iter().collect();
            let granted = if all { Scope::All } else { Scope::Only(ids) };
            services
                .portfolio
                .grant(ME, org.id, member.user_id, granted.clone())
                .await?;
            let text = match &granted {
                Scope::All => format!("{user} may use every building."),
                Scope::Only(ids) if ids.is_empty() => format!("{user} may use no building."),
                Scope::Only(ids) => format!(
                    "{user} may use {}.",
                    ids.iter().cloned().collect::<Vec<_>>().join(", ")
                ),
            };
            Ok(Report::new(
                json!({ "userId": member.user_id, "buildings": granted }),
                text,
            ))
        }
    }
}
