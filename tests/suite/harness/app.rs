//! The real app, listening on loopback, with its own database, clock and worker.

use std::collections::BTreeMap;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use corbel::accounts::model::Plan;
use corbel::accounts::service::NewPerson;
use corbel::analysis::engine::Engine;
use corbel::analysis::engines::offline::OfflineAnalyst;
use corbel::app::build::{App, build_with};
use corbel::app::config::Config;
use corbel::app::serve;
use corbel::assistants::model::{Installation, PlatformKind};
use corbel::assistants::service::NewAssistant;
use corbel::assistants::service::PlatformFields;
use corbel::assistants::slack::grants::SlackFields;
use corbel::audit::store::Actor;
use corbel::base::clock::Clock;
use corbel::base::ids::{AssistantId, JobId, OrgId, UserId};
use corbel::base::principal::{Face, Principal, Role};
use corbel::base::secret::Secret;
use corbel::keys::model::{Environment, NewKey};
use corbel::services::Services;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::harness::{external, slack};

pub const PASSWORD: &str = "correct-horse-9";

/// The data directory and database of one test run, removed on drop.
pub struct Place {
    dir: PathBuf,
    database_url: Option<String>,
}

/// Runs a check on SQLite and, where a server is configured, on PostgreSQL, each with a database of its own.
pub async fn on_each<F, Fut>(name: &str, check: F)
where
    F: Fn(Arc<Place>) -> Fut,
    Fut: Future<Output = ()>,
{
    let dir = |kind: &str| {
        std::env::temp_dir().join(format!("corbel-test-{kind}-{}", JobId::new().uuid().simple()))
    };
    let place = Arc::new(Place {
        dir: dir("sqlite"),
        database_url: None,
    });
    check(Arc::clone(&place)).await;
    let skipped = format!("{name} is not run on PostgreSQL");
    let Some(server) = external::named("CORBEL_TEST_POSTGRES_URL", &skipped) else {
        return;
    };
    let own = format!("corbel_test_{}", JobId::new().uuid().simple());
    postgres(&server, &format!("CREATE DATABASE {own}")).await;
    let mut url = url::Url::parse(&server).expect("CORBEL_TEST_POSTGRES_URL is an address");
    url.set_path(&own);
    let place = Place {
        dir: dir("postgres"),
        database_url: Some(url.to_string()),
    };
    check(Arc::new(place)).await;
    postgres(&server, &format!("DROP DATABASE {own} WITH (FORCE)")).await;
}

async fn postgres(server: &str, statement: &str) {
    use sqlx::{Connection as _, Executor as _};
    let mut connection = sqlx::PgConnection::connect(server)
        .await
        .expect("the PostgreSQL server");
    connection
        .execute(sqlx::AssertSqlSafe(statement.to_owned()))
        .await
        .expect(statement);
    connection.close().await.expect("close");
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

impl Place {
    pub fn is_sqlite(&self) -> bool {
        self.database_url.is_none()
    }

    /// The settings as an operator would write them, plus those of the test.
    pub fn settings(&self, more: &[(&str, &str)]) -> BTreeMap<String, String> {
        let mut values = BTreeMap::from([
            ("CORBEL_DATA_DIR".to_owned(), self.dir.display().to_string()),
            ("CORBEL_ALLOW_LOOPBACK".to_owned(), "true".to_owned()),
            ("CORBEL_LISTEN".to_owned(), "127.0.0.1:0".to_owned()),
            ("CORBEL_WORKERS".to_owned(), "4".to_owned()),
        ]);
        // Rate limits are off; the tests of rate limits clear these settings to get the defaults.
        for environment in ["SANDBOX", "DEVELOPMENT", "PRODUCTION"] {
            values.insert(format!("CORBEL_RATE_{environment}"), "100000".to_owned());
        }
        if let Some(url) = &self.database_url {
            values.insert("CORBEL_DATABASE_URL".to_owned(), url.clone());
        }
        values.extend(
            more.iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
        );
        values
    }

    pub fn config(&self, more: &[(&str, &str)]) -> Config {
        Config::from_values(self.settings(more), Vec::new()).expect("settings")
    }

    /// Starts the app with the offline analyst, its listener and its worker.
    pub async fn start(&self, more: &[(&str, &str)]) -> Running {
        self.start_with(self.config(more), Arc::new(OfflineAnalyst::default()))
            .await
    }

    pub async fn start_with(&self, config: Config, engine: Arc<dyn Engine>) -> Running {
        self.start_later(config, engine, Duration::ZERO).await
    }

    /// Starts the app as if this much time had passed since the last start.
    pub async fn start_later(&self, config: Config, engine: Arc<dyn Engine>, passed: Duration) -> Running {
        let clock = Clock::system();
        clock.advance(passed);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let app = build_with(&config, clock, url.clone(), engine)
            .await
            .expect("the app");
        let (stop, stopping) = watch::channel(false);
        let serving = tokio::spawn(serve::run(app.clone(), listener, stopping));
        Running {
            app,
            url,
            stop,
            serving: Some(serving),
        }
    }
}

/// A running app.
pub struct Running {
    pub app: App,
    pub url: String,
    stop: watch::Sender<bool>,
    serving: Option<JoinHandle<corbel::base::error::Result<()>>>,
}

impl Running {
    pub fn services(&self) -> &Services {
        &self.app.services
    }

    /// Drains and closes, as on SIGTERM.
    pub async fn stop(mut self) {
        self.stop.send(true).expect("serving");
        let serving = self.serving.take().expect("serving");
        serving.await.expect("no panic").expect("a clean end");
    }

    /// Waits up to ten seconds until no job is left, including jobs that are scheduled for later.
    pub async fn settle(&self) {
        self.until("no job is left", async || {
            self.services()
                .queue
                .open(&self.services().db)
                .await
                .expect("jobs")
                == 0
        })
        .await;
    }

    /// Waits up to ten seconds for a condition.
    pub async fn until(&self, what: &str, mut holds: impl AsyncFnMut() -> bool) {
        let since = Instant::now();
        while !holds().await {
            assert!(since.elapsed() < Duration::from_secs(10), "timed out: {what}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// An organization with two members. They cannot sign in until they get a password.
    pub async fn organization(&self, name: &str) -> Org {
        let accounts = &self.services().accounts;
        let org = accounts
            .create_org(Actor::OPERATOR, name, Plan::Pro, None)
            .await
            .expect("organization")
            .id;
        let mut people = Vec::new();
        let host = name
            .to_lowercase()
            .replace(|sign: char| !sign.is_ascii_alphanumeric(), "-");
        for (person, role) in [("Mara", Role::Member), ("Noel", Role::Member)] {
            let new = NewPerson {
                email: format!("{}@{host}.example", person.to_lowercase()),
                name: format!("{person} of {name}"),
                role,
                password: None,
            };
            let user = accounts
                .create_member(Actor::OPERATOR, org, new.clone())
                .await
                .expect("member");
            people.push(Person {
                user,
                email: new.email,
                role,
                org,
            });
        }
        let [mara, noel] = people.try_into().expect("two people");
        Org { id: org, mara, noel }
    }

    /// Adds a member to an organization.
    pub async fn member(&self, org: &Org, name: &str, role: Role) -> Person {
        let email = format!("{}@{}.example", name.to_lowercase(), org.id);
        let new = NewPerson {
            email: email.clone(),
            name: name.to_owned(),
            role,
            password: None,
        };
        let accounts = &self.services().accounts;
        let user = accounts
            .create_member(Actor::OPERATOR, org.id, new)
            .await
            .expect("member");
        Person {
            org: org.id,
            user,
            email,
            role,
        }
    }

    /// A new project key of a user.
    pub async fn key(&self, person: &Person, environment: Environment) -> String {
        let new = NewKey {
            org: person.org,
            owner: person.user,
            name: "tests".to_owned(),
            environment,
            expires_at: None,
        };
        let made = self.services().keys.create(Actor::OPERATOR, new).await;
        made.expect("a key").1.expose().to_owned()
    }

    /// An assistant installed in the fake's workspace, with shared replies on and no conversation approved.
    pub async fn slack_assistant(&self, org: &Org) -> Installed {
        self.slack_assistant_of(org, slack::APP, slack::TEAM).await
    }

    pub async fn slack_assistant_of(&self, org: &Org, app_id: &str, team: &str) -> Installed {
        let fields = SlackFields {
            app_id: Some(app_id.to_owned()),
            client_id: Some("1.2".to_owned()),
            client_secret: Some(Secret::new("client-secret-canary")),
            signing_secret: Some(Secret::new(slack::SECRET)),
            bot_token: Some(Secret::new(slack::TOKEN)),
            team_id: Some(team.to_owned()),
            bot_user_id: Some(slack::BOT.to_owned()),
        };
        let new = NewAssistant {
            name: "Abacus".to_owned(),
            colour: None,
            greeting: None,
            about: None,
        };
        let assistants = &self.services().assistants;
        let (assistant, all) = assistants
            .create(Actor::OPERATOR, org.id, new, Some(PlatformFields::Slack(fields)))
            .await
            .expect("assistant");
        assistants
            .set_shared(Actor::OPERATOR, org.id, assistant.id, true)
            .await
            .expect("shared");
        let find = |platform| {
            all.iter()
                .find(|at| at.kind() == platform)
                .cloned()
                .expect("installation")
        };
        let slack = find(PlatformKind::Slack);
        let events = format!("{}/chat/slack/{}/events", self.url, slack.address.expose());
        Installed {
            assistant: assistant.id,
            slack,
            events,
        }
    }
}

pub struct Org {
    pub id: OrgId,
    pub mara: Person,
    pub noel: Person,
}

#[derive(Clone, Debug)]
pub struct Person {
    pub org: OrgId,
    pub user: UserId,
    pub email: String,
    pub role: Role,
}

impl Person {
    pub fn principal(&self) -> Principal {
        Principal {
            org: self.org,
            user: self.user,
            role: self.role,
            face: Face::System,
        }
    }
}

pub struct Installed {
    pub assistant: AssistantId,
    pub slack: Installation,
    /// The URL for events.
    pub events: String,
}

/// An HTTP client for tests. It does not follow redirects, so that tests can inspect them.
pub fn http() -> reqwest::Client {
    let client = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .build();
    client.expect("a client")
}
