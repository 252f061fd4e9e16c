//! Installation through the consent page: the OAuth state and who it belongs to, failures, and organization-wide
//! installs.

use std::sync::Arc;
use std::time::Duration;

use corbel::accounts::service::NewPerson;
use corbel::assistants::model::{Installation, InstallationState, PlatformKind};
use corbel::assistants::service::NewAssistant;
use corbel::assistants::service::PlatformFields;
use corbel::assistants::slack::grants::SlackFields;
use corbel::audit::store::Actor;
use corbel::base::ids::AssistantId;
use corbel::base::principal::Role;

use crate::harness::app::{Org, Person, Place, Running, on_each};
use crate::harness::browser::{Browser, Page};
use crate::harness::slack::oauth::{CLIENT_ID, CLIENT_SECRET, ENTERPRISE};
use crate::harness::slack::requests::deliver;
use crate::harness::slack::{ALICE, APP, BOT, DM, FakeSlack, Fault, SECRET, TEAM};

/// The app, a fake Slack, an organization whose admin is signed in, and an assistant that is not installed.
pub struct Setup {
    pub running: Running,
    pub slack: FakeSlack,
    pub org: Org,
    pub admin: Person,
    pub browser: Browser,
    pub assistant: AssistantId,
}

impl Setup {
    pub async fn begin(place: &Arc<Place>) -> Self {
        let slack = FakeSlack::start().await;
        let consent = slack.authorize_url();
        Self::begin_at(place, slack, &consent).await
    }

    /// With Slack's consent page at this URL.
    pub async fn begin_at(place: &Arc<Place>, slack: FakeSlack, consent: &str) -> Self {
        let settings = [
            ("CORBEL_SLACK_API_URL", slack.api_base()),
            ("CORBEL_SLACK_OAUTH_URL", consent.to_owned()),
        ];
        let running = place
            .start(&settings.each_ref().map(|(name, value)| (*name, value.as_str())))
            .await;
        let org = running.organization("Acme").await;
        let admin = member(&running, &org, "ada", Role::Admin).await;
        let browser = Browser::of(&running, &admin).await;
        let assistant = assistant(&running, &org, "Abacus").await;
        Self {
            running,
            slack,
            org,
            admin,
            browser,
            assistant,
        }
    }

    pub async fn at(&self) -> Installation {
        let installations = &self.running.services().installations;
        installations
            .get(self.org.id, self.assistant, PlatformKind::Slack)
            .await
            .expect("installation")
    }

    pub fn path(&self, end: &str) -> String {
        format!("/console/assistants/{}/{end}", self.assistant)
    }

    /// Submits a form of the install page.
    pub async fn send(&mut self, end: &str, fields: &[(&str, &str)]) -> Page {
        let (page, path) = (self.path("install"), self.path(end));
        send(&mut self.browser, &page, &path, fields).await
    }

    pub async fn enter_app_credentials(&mut self) {
        let page = self
            .send(
                "install/app",
                &[
                    ("app_id", APP),
                    ("client_id", CLIENT_ID),
                    ("client_secret", CLIENT_SECRET),
                    ("signing_secret", SECRET),
                ],
            )
            .await;
        assert_eq!(
            (page.status, page.path),
            (200, format!("{}?done=app", self.path("install")))
        );
    }

    /// Clicks the install button and returns the redirect's target.
    pub async fn click_install(&mut self) -> String {
        let page = self.send("install/begin", &[]).await;
        assert_eq!(page.status, 303, "{}", page.text);
        page.path
    }

    /// The path of one of the app's own URLs.
    pub fn own(&self, url: &str) -> String {
        url.trim_start_matches(&self.running.url).to_owned()
    }
}

async fn send(browser: &mut Browser, page: &str, path: &str, fields: &[(&str, &str)]) -> Page {
    let mut form = browser.get(page).await.form(&format!("action=\"{path}\""));
    form.retain(|(name, _)| fields.iter().all(|(field, _)| field != name));
    form.extend(
        fields
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
    );
    browser.post(path, &form).await
}

pub async fn member(running: &Running, org: &Org, name: &str, role: Role) -> Person {
    let new = NewPerson {
        email: format!("{name}@example.com"),
        name: name.to_owned(),
        role,
        password: None,
    };
    let accounts = &running.services().accounts;
    let made = accounts.create_member(Actor::OPERATOR, org.id, new.clone()).await;
    Person {
        org: org.id,
        user: made.expect("member"),
        email: new.email,
        role,
    }
}

pub async fn assistant(running: &Running, org: &Org, name: &str) -> AssistantId {
    let new = NewAssistant {
        name: name.to_owned(),
        colour: None,
        greeting: None,
        about: None,
    };
    let platform = Some(PlatformFields::Slack(SlackFields::default()));
    let made = running
        .services()
        .assistants
        .create(Actor::OPERATOR, org.id, new, platform)
        .await;
    made.expect("assistant").0.id
}

#[tokio::test]
async fn consent_installs_the_assistant_and_it_answers() {
    on_each("consent", |place| async move {
        let mut setup = Setup::begin(&place).await;
        let early = setup.path("install/begin");
        assert!(
            !setup
                .browser
                .get(&setup.path("install"))
                .await
                .text
                .contains(&early),
            "no install button yet"
        );
        setup.enter_app_credentials().await;
        assert_eq!(setup.at().await.state, InstallationState::Pending);
        let consent = setup.click_install().await;
        assert!(consent.contains("scope=app_mentions%3Aread%2C"), "{consent}");
        let back = setup.slack.consent(&consent);
        let page = setup.browser.get(&setup.own(&back)).await;
        assert_eq!(page.path, format!("{}?done=installed", setup.path("install")));
        let at = setup.at().await;
        assert_eq!(at.state, InstallationState::Active);
        assert_eq!(
            (at.slack().team_id.as_deref(), at.slack().bot_user_id.as_deref()),
            (Some(TEAM), Some(BOT))
        );
        assert!(at.slack().scopes.as_ref().expect("scopes").has("chat:write") && at.installed_at.is_some());
        let said = setup.slack.says(DM, ALICE, "hello");
        let events = format!("{}/chat/slack/{}/events", setup.running.url, at.address.expose());
        let now = setup.running.services().clock.now().timestamp();
        assert_eq!(deliver(&events, SECRET, now, &said.message()).await.status, 200);
        setup.running.settle().await;
        assert!(
            !setup.slack.direct_messages_to(ALICE).is_empty(),
            "it uses the granted token"
        );
        // The state and the code are used up: opening the URL again has no effect.
        let page = setup.browser.get(&setup.own(&back)).await;
        assert!(
            page.status == 400 && page.text.contains("install_state_invalid"),
            "{}",
            page.text
        );
        assert_eq!(setup.slack.calls("oauth.v2.access").len(), 1);
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_state_is_bound_to_its_admin_session_and_assistant() {
    on_each("states", |place| async move {
        let mut setup = Setup::begin(&place).await;
        setup.enter_app_credentials().await;
        let consent = setup.click_install().await;
        let back = setup.own(&setup.slack.consent(&consent));
        let refused = |page: Page| {
            assert!(
                page.status == 400 && page.text.contains("install_state_invalid"),
                "{}",
                page.text
            );
        };
        let eve = member(&setup.running, &setup.org, "eve", Role::Owner).await;
        refused(Browser::of(&setup.running, &eve).await.get(&back).await);
        // The same person in another session.
        refused(Browser::of(&setup.running, &setup.admin).await.get(&back).await);
        assert_eq!(Browser::new(&setup.running).get(&back).await.status, 401);
        // The URL of another assistant.
        let other = assistant(&setup.running, &setup.org, "Other").await;
        let installations = &setup.running.services().installations;
        let other = installations
            .get(setup.org.id, other, PlatformKind::Slack)
            .await
            .expect("other");
        let own = setup.at().await.address;
        refused(
            setup
                .browser
                .get(&back.replace(own.expose(), other.address.expose()))
                .await,
        );
        for changed in [
            back.replace("state=", "state=x"),
            back.replace("state=", "other="),
            "?code=1".to_owned(),
        ] {
            let path = if changed.starts_with('?') {
                format!("{}{changed}", back.split('?').next().unwrap())
            } else {
                changed
            };
            refused(setup.browser.get(&path).await);
        }
        assert!(
            setup.slack.calls("oauth.v2.access").is_empty(),
            "no code was sent"
        );
        setup.running.services().clock.advance(Duration::from_secs(601));
        refused(setup.browser.get(&back).await);
        assert_eq!(setup.at().await.state, InstallationState::Pending);
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_failed_consent_explains_what_to_do_and_can_be_retried() {
    on_each("failures", |place| async move {
        let mut setup = Setup::begin(&place).await;
        setup.enter_app_credentials().await;
        let consent = setup.click_install().await;
        let page = setup
            .browser
            .get(&setup.own(&setup.slack.decline(&consent)))
            .await;
        assert!(
            page.status == 400 && page.text.contains("access_denied") && page.text.contains("/install\"")
        );
        for fault in [
            Fault::ServerError,
            Fault::LostReply,
            Fault::Cut,
            Fault::RateLimited(7),
        ] {
            let consent = setup.click_install().await;
            let back = setup.own(&setup.slack.consent(&consent));
            setup.slack.fail_next("oauth.v2.access", fault, 1);
            let page = setup.browser.get(&back).await;
            assert!(
                page.status == 400 && page.text.contains("click Install to Slack again"),
                "{fault:?}: {}",
                page.text
            );
            let again = setup.browser.get(&back).await;
            assert!(
                again.text.contains("install_state_invalid"),
                "used before the exchange"
            );
        }
        assert_eq!(setup.slack.calls("oauth.v2.access").len(), 4);
        let consent = setup.click_install().await;
        let back = setup.own(&setup.slack.consent(&consent));
        setup.slack.confuse_apps("A0ELSE");
        let page = setup.browser.get(&back).await;
        assert!(
            page.status == 400 && page.text.contains("wrong_app"),
            "{}",
            page.text
        );
        let at = setup.at().await;
        assert!(at.state == InstallationState::Pending && at.slack().bot_token.is_none());
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn an_enterprise_organization_is_installed_as_a_whole() {
    on_each("organization", |place| async move {
        let mut setup = Setup::begin(&place).await;
        setup.slack.install_for_organization();
        setup.enter_app_credentials().await;
        let consent = setup.click_install().await;
        let page = setup
            .browser
            .get(&setup.own(&setup.slack.consent(&consent)))
            .await;
        assert_eq!(page.status, 200);
        let at = setup.at().await;
        assert!(
            at.state == InstallationState::Active && at.slack().is_enterprise && at.slack().team_id.is_none()
        );
        assert_eq!(at.home(), Some(ENTERPRISE));
        setup.running.stop().await;
    })
    .await;
}
