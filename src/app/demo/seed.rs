//! The demo organization: creates invented people, notes, an assistant and a portfolio once, and finds them again
//! later.

use serde::Deserialize;
use serde_json::json;

use crate::accounts::model::Plan;
use crate::accounts::service::NewPerson;
use crate::app::build::App;
use crate::app::cli::report::Report;
use crate::app::data_dir;
use crate::app::demo::portfolio;
use crate::assistants::service::NewAssistant;
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::ids::{OrgId, UserId};
use crate::base::principal::{Face, Principal, Role};
use crate::base::secret::Secret;
use crate::context::model::{NoteKind, Scope};
use crate::keys::model::{Environment, NewKey, Overlap, Which};
use crate::services::Services;

/// The organization is found again by this name.
pub const ORG: &str = "Halyard & Finch (demo)";
/// The password of all demo people. It protects only invented data.
pub const PASSWORD: &str = "demo-lantern-27";

/// A person of the demo.
#[derive(Debug)]
pub struct Invented {
    pub email: &'static str,
    pub name: &'static str,
    pub role: Role,
}

pub const OWNER: Invented = Invented {
    email: "odile@demo.example",
    name: "Odile Marrow",
    role: Role::Owner,
};
pub const ADMIN: Invented = Invented {
    email: "anders@demo.example",
    name: "Anders Quill",
    role: Role::Admin,
};
pub const MEMBER: Invented = Invented {
    email: "mina@demo.example",
    name: "Mina Tallow",
    role: Role::Member,
};

#[derive(Debug, Deserialize)]
struct Notes {
    note: Vec<InventedNote>,
}

#[derive(Debug, Deserialize)]
struct InventedNote {
    #[serde(rename = "type")]
    kind: String,
    title: String,
    body: String,
}

/// The demo organization, created or found.
#[derive(Clone, Copy, Debug)]
pub struct Seeded {
    pub org: OrgId,
}

/// Creates what is missing. Safe to repeat, even after an interrupted run: notes that exist are skipped by title, and
/// the assistant is created after them.
pub async fn seed(app: &App) -> Result<Seeded> {
    let _alone = data_dir::lock_demo(&app.data_dir).await?;
    let services = &app.services;
    let actor = Actor::SYSTEM;
    let org = match services.accounts.org(ORG).await {
        Err(Error::NotFound(_)) => match services.accounts.create_org(actor, ORG, Plan::Pro, None).await {
            // Two processes started at once: the other one's organization is used.
            Err(Error::Conflict(_)) => services.accounts.org(ORG).await?,
            created => created?,
        },
        found => found?,
    };
    let mut member = None;
    for person in [&OWNER, &ADMIN, &MEMBER] {
        member = Some(person_of(services, org.id, person).await?);
    }
    let Some(member) = member else {
        return Err(Error::NotFound("member"));
    };
    let principal = Principal {
        org: org.id,
        user: member,
        role: Role::Member,
        face: Face::System,
    };
    let found = services.assistants.list(&principal).await?.into_iter().next();
    let assistant = match found {
        Some(assistant) => assistant,
        None => {
            notes(services, org.id, member).await?;
            let new = NewAssistant {
                name: "Abacus".to_owned(),
                colour: Some("#0f766e".to_owned()),
                greeting: None,
                about: Some("Questions about your account? Ask Anders Quill.".to_owned()),
            };
            services.assistants.create(actor, org.id, new, None).await?.0
        }
    };
    if !assistant.shared_enabled {
        services
            .assistants
            .set_shared(actor, org.id, assistant.id, true)
            .await?;
    }
    portfolio::load(services, org.id, member).await?;
    Ok(Seeded { org: org.id })
}

/// Gives the demo people the published password. Only the demo server does this: on any other server it would let
/// anyone in.
pub async fn give_passwords(services: &Services, seeded: Seeded) -> Result<()> {
    for person in [&OWNER, &ADMIN, &MEMBER] {
        let member = services
            .accounts
            .member_by_email(seeded.org, person.email)
            .await?;
        if !services.accounts.has_password(member.user_id).await? {
            let password = Secret::new(PASSWORD);
            services
                .accounts
                .set_password(Actor::SYSTEM, seeded.org, member.user_id, password)
                .await?;
        }
    }
    Ok(())
}

/// The name of the demo's project key.
const KEY: &str = "Demo";

/// A project key of the demo member, for trying the HTTP API. After an earlier start only a digest of it is stored, so
/// the key is rotated; the previous secret stays valid for a week. Only the demo server creates a key.
pub async fn give_key(services: &Services, seeded: Seeded) -> Result<Secret> {
    let (actor, org) = (Actor::SYSTEM, seeded.org);
    let member = services.accounts.member_by_email(org, MEMBER.email).await?;
    let owner = member.user_id;
    let live = services.keys.list(org, Some(owner), Which::Live, None).await?;
    if let Some(key) = live.keys.iter().find(|key| key.name == KEY) {
        return services
            .keys
            .rotate(actor, org, Some(owner), key.id, Overlap::Week)
            .await;
    }
    let new = NewKey {
        org,
        owner,
        name: KEY.to_owned(),
        environment: Environment::Development,
        expires_at: None,
    };
    Ok(services.keys.create(actor, new).await?.1)
}

/// The demo organization, for a command without `--org`. It is created only in an empty database.
pub async fn find_or_seed(app: &App) -> Result<Seeded> {
    let services = &app.services;
    // In this order: another command may create the demo organization in between, and it must not count as another one.
    let others = !services.accounts.orgs().await?.is_empty();
    match services.accounts.org(ORG).await {
        Err(Error::NotFound(_)) if others => Err(Error::invalid(
            "org",
            "is required: this database already has organizations (--org ORG --as EMAIL)",
        )),
        Err(Error::NotFound(_)) | Ok(_) => seed(app).await,
        Err(error) => Err(error),
    }
}

async fn person_of(services: &Services, org: OrgId, person: &Invented) -> Result<UserId> {
    match services.accounts.member_by_email(org, person.email).await {
        Ok(member) => return Ok(member.user_id),
        Err(Error::NotFound(_)) => {}
        Err(error) => return Err(error),
    }
    let new = NewPerson {
        email: person.email.to_owned(),
        name: person.name.to_owned(),
        role: person.role,
        // Only the demo server sets passwords; people created by other commands cannot sign in.
        password: None,
    };
    match services.accounts.create_member(Actor::SYSTEM, org, new).await {
        Err(Error::Conflict(_)) => Ok(services
            .accounts
            .member_by_email(org, person.email)
            .await?
            .user_id),
        created => created,
    }
}

async fn notes(services: &Services, org: OrgId, member: UserId) -> Result<()> {
    let notes: Notes = toml::from_str(include_str!("notes.toml")).map_err(Error::internal)?;
    let scope = Scope::person(org, member);
    for note in notes.note {
        let kind: NoteKind = note.kind.parse().map_err(|why: String| Error::internal(why))?;
        let existing = services.context.relevant(scope, &note.title, 50).await?;
        if existing.iter().any(|own| own.title == note.title) {
            continue;
        }
        services
            .context
            .create(Actor::SYSTEM, org, member, kind, &note.title, &note.body)
            .await?;
    }
    Ok(())
}

/// What `corbel demo` prints.
pub fn welcome(url: &str, key: &Secret) -> Report {
    let people: Vec<_> = [&OWNER, &ADMIN, &MEMBER]
        .iter()
        .map(|person| json!({ "email": person.email, "name": person.name, "role": person.role.as_str() }))
        .collect();
    let json = json!({
        "url": url,
        "preview": format!("{url}/preview"),
        "signIn": format!("{url}/sign-in"),
        "organization": ORG,
        "people": people,
        "password": PASSWORD,
        "apiKey": key.expose(),
    });
    let mut text = format!(
        "\n  Corbel demo is running. All its data is invented.\n\n  \
         Talk to the assistant   {url}/preview\n  \
         Sign in as              "
    );
    let listed: Vec<String> = [&MEMBER, &ADMIN, &OWNER]
        .iter()
        .map(|person| format!("{} ({})", person.email, person.role))
        .collect();
    text.push_str(&listed.join("\n                          "));
    text.push_str(&format!(
        "\n  \
         Password                {PASSWORD}\n  \
         API key                 {}\n\n  \
         In another terminal:    corbel ask \"NOI 1.285m, annual debt service 968k. DSCR?\"\n\n  \
         Press Ctrl-C to stop. The data is kept for the next start.\n",
        key.expose()
    ));
    Report::new(json, text)
}
