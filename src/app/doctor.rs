//! `corbel doctor`: checks settings, database, ledger, audit log and queue, or the set-up of one assistant. Each
//! failure says how to fix it.

use serde_json::json;

use crate::accounts::model::Organization;
use crate::app::build::{App, build};
use crate::app::cli::report::Report;
use crate::app::config::Config;
use crate::app::model_doctor;
use crate::assistants::model::{InstallationState, PlatformKind};
use crate::audit::store as audit;
use crate::base::clock::Clock;
use crate::base::error::{Error, Result};
use crate::base::ids::AssistantId;
use crate::chat::core::doctor::State;
use crate::chat::slack::doctor as slack;
use crate::net::guard::Guard;
use crate::services::Services;

/// The result of one check.
struct Check {
    name: String,
    /// What is wrong and how to fix it; none if all is well.
    fault: Option<String>,
    found: String,
}

/// Runs all checks, and continues after failures as far as possible.
pub async fn examine(config: &Config) -> Result<Report> {
    let mut checks = vec![Check {
        name: "settings".to_owned(),
        fault: None,
        found: format!("data directory {}", config.data_dir.display()),
    }];
    match build(config, Clock::system(), config.public_url(config.listen)).await {
        Ok(app) => {
            examine_services(&app.services, &mut checks).await;
            examine_models(config, &mut checks).await;
            app.services.db.close().await;
        }
        Err(error) => checks.push(Check {
            name: match &error {
                Error::Invalid { .. } => "settings",
                _ => "database",
            }
            .to_owned(),
            fault: Some(match &error {
                Error::Busy { .. } => format!(
                    "{}. Check CORBEL_DATABASE_URL, and that its server is running.",
                    error.chain()
                ),
                _ => error.chain(),
            }),
            found: String::new(),
        }),
    }
    let ok = checks.iter().all(|check| check.fault.is_none());
    let lines: Vec<String> = checks
        .iter()
        .map(|check| match &check.fault {
            None => format!("ok    {}: {}", check.name, check.found),
            Some(fault) => format!("FAIL  {}: {fault}", check.name),
        })
        .collect();
    let listed: Vec<_> = checks
        .iter()
        .map(|check| {
            let detail = check.fault.as_deref().unwrap_or(&check.found);
            json!({ "name": check.name, "ok": check.fault.is_none(), "detail": detail })
        })
        .collect();
    let mut report = Report::new(json!({ "ok": ok, "checks": listed }), lines.join("\n"));
    report.success = ok;
    Ok(report)
}

/// Checks the set-up of one assistant. The command fails if a check is bad.
pub async fn examine_assistant(app: &App, id: &str) -> Result<Report> {
    let id: AssistantId = id.parse().map_err(|_| Error::NotFound("assistant"))?;
    let org = app.services.assistants.org_of(id).await?;
    let found = slack::examine(&app.services, &app.slack, org, id).await?;
    let mut lines = Vec::new();
    for check in &found.checks {
        let mark = match check.state {
            State::Good => "ok   ",
            State::Waiting => "todo ",
            State::Bad => "FAIL ",
            State::Unknown => "?    ",
        };
        lines.push(format!("{mark} {}: {}", check.name, check.found));
        if !check.fix.is_empty() {
            lines.push(format!("      {}", check.fix));
        }
    }
    let ok = found.is_fine();
    let mut report = Report::new(
        json!({ "ok": ok, "assistantId": id, "checks": found }),
        lines.join("\n"),
    );
    report.success = ok;
    Ok(report)
}

async fn examine_models(config: &Config, checks: &mut Vec<Check>) {
    let Some(models) = &config.models else {
        let found = "none; the built-in analyst answers".to_owned();
        push(checks, "language model", Ok(Ok(found)));
        return;
    };
    let guard = Guard {
        allow_loopback: config.allow_loopback,
    };
    match model_doctor::examine(models, guard).await {
        Ok(checked) => {
            for (name, outcome) in checked {
                push(checks, &name, Ok(outcome));
            }
        }
        Err(error) => push(checks, "language model", Err(error)),
    }
}

async fn examine_services(services: &Services, checks: &mut Vec<Check>) {
    let kind = if services.db.is_sqlite() {
        "SQLite"
    } else {
        "PostgreSQL"
    };
    push(
        checks,
        "database",
        services
            .db
            .pending_migrations()
            .await
            .map(|pending| match pending {
                0 => Ok(format!("{kind}, all migrations done")),
                pending => Err(format!("{pending} migrations are pending. Run: corbel migrate")),
            }),
    );
    let stored = services.blobs.check().await;
    push(
        checks,
        "storage",
        Ok(stored
            .map(|()| "files can be written, read and removed".to_owned())
            .map_err(|error| {
                format!(
                    "{}. Check CORBEL_STORAGE_URL with the AWS_* settings, or the folder `files` in the data \
                     directory.",
                    error.chain()
                )
            })),
    );
    push(
        checks,
        "queue",
        services
            .queue
            .open(&services.db)
            .await
            .map(|open| Ok(format!("{open} jobs waiting or running"))),
    );
    let orgs = match services.accounts.orgs().await {
        Ok(orgs) => orgs,
        Err(error) => return push(checks, "organizations", Err(error)),
    };
    for org in orgs {
        push(
            checks,
            &format!("ledger of {}", org.name),
            services.usage.check(org.id).await.map(|(_, faults)| {
                if faults.is_empty() {
                    Ok("entries and balances agree".to_owned())
                } else {
                    Err(format!(
                        "{}. Do not change the database; see: corbel admin ledger --org {}",
                        faults.join("; "),
                        org.id
                    ))
                }
            }),
        );
        push(
            checks,
            &format!("audit log of {}", org.name),
            audit::verify(&services.db, org.id)
                .await
                .map(|verdict| match verdict.fault {
                    None => Ok("intact".to_owned()),
                    Some(fault) => Err(format!(
                        "entry {} is {}. Compare with a backup; see: corbel admin audit verify --org {}",
                        fault.seq,
                        fault.kind.as_str(),
                        org.id
                    )),
                }),
        );
        installations(services, &org, checks).await;
        push(
            checks,
            &format!("deliveries of {}", org.name),
            services
                .deliveries
                .count_failed(org.id)
                .await
                .map(|failed| Ok(format!("{failed} answers could not be delivered"))),
        );
    }
}

/// Checks the installations of all assistants: one that was disabled by its platform answers nobody.
async fn installations(services: &Services, org: &Organization, checks: &mut Vec<Check>) {
    let all = match services.installations.of_org(org.id).await {
        Ok(all) => all,
        Err(error) => return push(checks, &format!("assistants of {}", org.name), Err(error)),
    };
    for at in all.iter().filter(|at| at.kind() != PlatformKind::Web) {
        let name = format!("{} of {} on {}", at.assistant_name, org.name, at.kind());
        let update = format!("corbel admin assistant update --assistant {}", at.assistant);
        let found = match at.state {
            InstallationState::Active => Ok("active".to_owned()),
            InstallationState::Pending => Ok(format!("set-up is not complete; continue with: {update} …")),
            InstallationState::Disabled => Err(format!(
                "the platform revoked its access ({}). Reinstall it on its Install page, or run: \
                 {update} --bot-token …",
                at.disabled_because.as_deref().unwrap_or("no reason known")
            )),
        };
        push(checks, &name, Ok(found));
    }
}

fn push(checks: &mut Vec<Check>, name: &str, outcome: Result<Result<String, String>>) {
    let (found, fault) = match outcome {
        Ok(Ok(found)) => (found, None),
        Ok(Err(fault)) => (String::new(), Some(fault)),
        Err(error) => (String::new(), Some(error.chain())),
    };
    checks.push(Check {
        name: name.to_owned(),
        fault,
        found,
    });
}
