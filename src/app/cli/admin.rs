//! `corbel admin`: commands for operators. The audit log records each change as the operator's.

use std::io::Read as _;

use serde_json::{Value, json};

use crate::accounts::model::Plan;
use crate::accounts::service::NewPerson;
use crate::analysts::model::Bound;
use crate::app::cli::args::{
    Admin, AdminPortfolio, Assistant, CreateAssistant, Credit, Link, Note, Org, Shared, SlackArgs, User,
};
use crate::app::cli::audit;
use crate::app::cli::buildings;
use crate::app::cli::import;
use crate::app::cli::keys;
use crate::app::cli::lookup::{ME, assistant_of, team_installation};
use crate::app::cli::report::Report;
use crate::app::cli::{conversations, deliveries};
use crate::assistants::model::{Installation, PlatformKind, Sender};
use crate::assistants::service::{NewAssistant, PlatformFields};
use crate::assistants::slack::grants::SlackFields;
use crate::base::error::{Error, Result};
use crate::base::ids::{AnalystId, AssistantId, OrgId};
use crate::base::money::MicroUsd;
use crate::base::principal::Role;
use crate::base::secret::Secret;
use crate::chat::core::chat::Chat;
use crate::chat::core::platform::Package;
use crate::chat::slack::fields as slack;
use crate::chat::slack::manifest::SlackAddresses;
use crate::context::model::NoteKind;
use crate::services::Services;

pub async fn run(services: &Services, chat: &Chat, command: Admin) -> Result<Report> {
    match command {
        Admin::Org(Org::Create {
            name,
            plan,
            included_usd,
        }) => {
            let plan: Plan = parse("plan", &plan)?;
            let included = included_usd.map(|amount| amount.parse::<MicroUsd>()).transpose();
            let included = included.map_err(|why| Error::invalid("included-usd", why))?;
            let org = services.accounts.create_org(ME, &name, plan, included).await?;
            Ok(Report::new(
                json!({ "orgId": org.id, "name": org.name, "plan": org.plan.as_str() }),
                format!("Organization {} ({}) created: {}", org.name, org.plan, org.id),
            ))
        }
        Admin::User(User::Create {
            org,
            email,
            name,
            role,
            password_stdin,
        }) => {
            let org = services.accounts.org(&org).await?;
            let role: Role = parse("role", &role)?;
            let password = if password_stdin {
                Some(password_from_stdin()?)
            } else {
                None
            };
            let new = NewPerson {
                email: email.clone(),
                name,
                role,
                password,
            };
            let id = services.accounts.create_member(ME, org.id, new).await?;
            Ok(Report::new(
                json!({ "userId": id }),
                format!("{email} is {role} of {}: {id}", org.name),
            ))
        }
        Admin::Key(command) => keys::run(services, command).await,
        Admin::Buildings(command) => buildings::run(services, command).await,
        Admin::Portfolio(AdminPortfolio::Import(import)) => import::run(services, import).await,
        Admin::Credit(Credit::Add { org, usd }) => {
            let org = services.accounts.org(&org).await?;
            let amount: MicroUsd = usd.parse().map_err(|why: String| Error::invalid("usd", why))?;
            services.usage.add_credit(ME, org.id, amount).await?;
            Ok(Report::new(
                json!({ "orgId": org.id, "addedMicroUsd": amount }),
                format!("Added USD {amount} of credit to {}.", org.name),
            ))
        }
        Admin::Audit(command) => audit::run(services, command).await,
        Admin::Ledger { org } => ledger(services, &org).await,
        Admin::Note(Note::Create {
            org,
            owner,
            kind,
            title,
            body,
        }) => {
            let org = services.accounts.org(&org).await?;
            let kind: NoteKind = parse("type", &kind)?;
            let owner = services.accounts.member_by_email(org.id, &owner).await?;
            let id = services
                .context
                .create(ME, org.id, owner.user_id, kind, &title, &body)
                .await?;
            Ok(Report::new(
                json!({ "memoryId": id }),
                format!("Note created: {id}"),
            ))
        }
        Admin::Assistant(Assistant::Create(fields)) => create_assistant(services, *fields).await,
        Admin::Assistant(Assistant::Update {
            assistant,
            analyst,
            fields,
        }) => update_assistant(services, &assistant, analyst.as_deref(), fields).await,
        Admin::Assistant(Assistant::Manifest { assistant, out }) => {
            let (org, id) = assistant_of(services, &assistant).await?;
            warn_of_loopback(services);
            let package = package(services, chat, org, id).await?;
            let link = package.create_url.unwrap_or_default();
            if let Some(file) = out {
                let written = std::fs::write(&file, &package.bytes);
                written.map_err(|error| Error::invalid("out", format!("{}: {error}", file.display())))?;
                let text = format!(
                    "Wrote the manifest to {}.\nCreate the app: {link}",
                    file.display()
                );
                return Ok(Report::new(json!({ "file": file, "createLink": link }), text));
            }
            let manifest: Value = serde_json::from_slice(&package.bytes).map_err(Error::internal)?;
            let pretty = String::from_utf8_lossy(&package.bytes);
            let text = format!("{pretty}\nCreate the app: {link}");
            Ok(Report::new(
                json!({ "manifest": manifest, "createLink": link }),
                text,
            ))
        }
        Admin::Shared(Shared::Enable {
            assistant,
            on,
            off: _,
        }) => {
            let (org, id) = assistant_of(services, &assistant).await?;
            services.assistants.set_shared(ME, org, id, on).await?;
            let text = if on {
                "Shared replies are on, in approved conversations."
            } else {
                "Shared replies are off."
            };
            Ok(Report::new(
                json!({ "assistantId": id, "sharedEnabled": on }),
                text,
            ))
        }
        Admin::Conversation(command) => conversations::conversation(services, command).await,
        Admin::Delivery(command) => deliveries::delivery(services, command).await,
        Admin::Link(Link::Create {
            assistant,
            platform_user,
            platform_team,
            user,
        }) => {
            let (org, id) = assistant_of(services, &assistant).await?;
            let at = team_installation(services, org, id).await?;
            let team = platform_team.or_else(|| at.slack().team_id.clone());
            let team = team.ok_or_else(|| {
                Error::invalid("platform-team", "is required: the installation has no team yet")
            })?;
            let member = services.accounts.member_by_email(org, &user).await?;
            let who = Sender {
                team,
                user: platform_user,
                account: None,
            };
            let link = services.links.create(ME, org, at.id, who, member.user_id).await?;
            Ok(Report::new(
                json!({ "linkId": link }),
                format!("{user} is linked: {link}"),
            ))
        }
    }
}

async fn create_assistant(services: &Services, args: CreateAssistant) -> Result<Report> {
    let org = services.accounts.org(&args.org).await?;
    let platform: PlatformKind = parse("platform", &args.platform)?;
    if platform != PlatformKind::Slack {
        return Err(Error::invalid(
            "platform",
            "must be slack, the only team platform of this version",
        ));
    }
    let new = NewAssistant {
        name: args.name,
        colour: args.colour,
        greeting: args.greeting,
        about: args.about,
    };
    let fields = slack_fields(args.fields)?;
    let (assistant, installations) = services
        .assistants
        .create(ME, org.id, new, Some(PlatformFields::Slack(fields)))
        .await?;
    let at = installations.iter().find(|at| at.kind() == platform);
    let at = at.ok_or(Error::NotFound("installation"))?;
    installation_report(
        services,
        at,
        format!("{} created: {}", assistant.name, assistant.id),
    )
}

async fn update_assistant(
    services: &Services,
    id: &str,
    analyst: Option<&str>,
    fields: SlackArgs,
) -> Result<Report> {
    let (org, id) = assistant_of(services, id).await?;
    if let Some(analyst) = analyst {
        bind_analyst(services, org, id, analyst).await?;
    }
    let at = services.installations.get(org, id, PlatformKind::Slack).await?;
    let at = services
        .installations
        .update(ME, at, slack_fields(fields)?)
        .await?;
    installation_report(services, &at, format!("{} updated.", at.assistant_name))
}

/// Binds an analyst of any owner, or none.
async fn bind_analyst(services: &Services, org: OrgId, id: AssistantId, analyst: &str) -> Result<()> {
    let analyst = match analyst {
        "none" => None,
        text => {
            let id: AnalystId = text.parse().map_err(|_| Error::NotFound("analyst"))?;
            match services.analysts.bound(org, id).await? {
                Bound::Here(_) => Some(id),
                Bound::Deleted(_) => return Err(Error::NotFound("analyst")),
            }
        }
    };
    services.assistants.bind_analyst(ME, org, id, analyst).await
}

fn slack_fields(fields: SlackArgs) -> Result<SlackFields> {
    let bot_token = fields.bot_token.as_deref().map(slack::bot_token).transpose()?;
    Ok(SlackFields {
        app_id: fields.app_id,
        client_id: fields.client_id,
        client_secret: fields.client_secret.map(Secret::new),
        signing_secret: fields.signing_secret.map(Secret::new),
        bot_token,
        team_id: fields.team_id,
        bot_user_id: fields.bot_user_id,
    })
}

/// State and URLs of an installation, and the fields that are missing.
fn installation_report(services: &Services, at: &Installation, headline: String) -> Result<Report> {
    let addresses = addresses(services, at);
    let fields = [
        ("--app-id", at.slack().app_id.is_none()),
        ("--signing-secret", at.slack().signing_secret.is_none()),
        ("--bot-token", at.slack().bot_token.is_none()),
        ("--team-id", at.slack().team_id.is_none()),
        ("--bot-user-id", at.slack().bot_user_id.is_none()),
    ];
    let missing: Vec<&str> = fields
        .iter()
        .filter(|(_, missing)| *missing)
        .map(|(name, _)| *name)
        .collect();
    let mut text = format!("{headline}\nState on {}: {}", at.kind(), at.state);
    if !missing.is_empty() {
        text.push_str(&format!(
            "\nStill required: {} (corbel admin assistant update --assistant {} …)",
            missing.join(", "),
            at.assistant
        ));
    }
    let shown = serde_json::to_string_pretty(&addresses).map_err(Error::internal)?;
    text.push_str(&format!("\nURLs:\n{shown}"));
    let body = json!({
        "assistantId": at.assistant, "state": at.state.as_str(), "missing": missing, "addresses": addresses,
    });
    Ok(Report::new(body, text))
}

fn addresses(services: &Services, at: &Installation) -> Value {
    let of = SlackAddresses::of(&services.site.public_url, at.address.expose());
    json!({
        "events": of.events,
        "interactivity": of.interactivity,
        "commands": of.commands,
        "oauthCallback": of.oauth_callback,
        "manifest": format!("corbel admin assistant manifest --assistant {}", at.assistant),
    })
}

/// What the assistant is installed with in Slack.
async fn package(services: &Services, chat: &Chat, org: OrgId, id: AssistantId) -> Result<Package> {
    let assistant = services.assistants.assistant(org, id).await?;
    let at = services.installations.get(org, id, PlatformKind::Slack).await?;
    chat.package(&at, &assistant)
}

/// Slack cannot reach a URL of this machine and would report it only much later.
fn warn_of_loopback(services: &Services) {
    let url = &services.site.public_url;
    if !url.starts_with("https://") {
        tracing::warn!(
            public_url = url,
            "Slack needs an https URL: set CORBEL_PUBLIC_URL before you create the manifest"
        );
    }
}

async fn ledger(services: &Services, org: &str) -> Result<Report> {
    let org = services.accounts.org(org).await?;
    let ledger = services.usage.ledger(org.id).await?;
    let mut text = String::new();
    for entry in &ledger.entries {
        let run = entry.run_id.map(|run| run.to_string()).unwrap_or_default();
        let at = entry.created_at.format("%Y-%m-%d %H:%M:%S");
        text.push_str(&format!(
            "{at}  {:<8} {:<8} {:>14}  charged {:>9}  {run}\n",
            entry.kind.as_str(),
            entry.bucket.as_str(),
            entry.amount.to_string(),
            entry.charged.to_string()
        ));
    }
    match &ledger.balances {
        Some(balances) => text.push_str(&format!(
            "Balances ({}): included USD {}, funded USD {}\n",
            balances.period, balances.included, balances.funded
        )),
        None => text.push_str("No usage yet.\n"),
    }
    text.push_str(if ledger.consistent {
        "The sums are consistent."
    } else {
        "NOT CONSISTENT: "
    });
    text.push_str(&ledger.faults.join("; "));
    let consistent = ledger.consistent;
    let mut report = Report::new(serde_json::to_value(&ledger).map_err(Error::internal)?, text);
    report.success = consistent;
    Ok(report)
}

fn parse<T: std::str::FromStr<Err = String>>(field: &'static str, text: &str) -> Result<T> {
    text.parse()
        .map_err(|why| Error::invalid(field, format!("{text:?}: {why}")))
}

/// The first line, without the line break.
fn password_from_stdin() -> Result<Secret> {
    let mut text = String::new();
    let read = std::io::stdin().take(4096).read_to_string(&mut text);
    read.map_err(|error| Error::invalid("password", format!("could not be read: {error}")))?;
    Ok(Secret::new(text.lines().next().unwrap_or_default()))
}
