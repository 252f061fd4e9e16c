//! What set-up preserves: an app's own settings, the secrets of a new app, the valid signing secret and the
//! workspace of an installation. The name and scopes are shown as Slack reports them.

use std::future::Future;
use std::time::Duration;

use corbel::assistants::model::{Installation, InstallationState, PlatformKind};
use corbel::base::clock::Clock;
use corbel::db::args::Sql;
use corbel::db::pool::Db;
use serde_json::{Value, json};

use crate::chat::slack_install::Setup;
use crate::harness::app::{Place, on_each};
use crate::harness::browser::Page;
use crate::harness::command::Dir;
use crate::harness::slack::oauth::{CLIENT_SECRET, ENTERPRISE};
use crate::harness::slack::requests::{callback, deliver};
use crate::harness::slack::{ALICE, APP, CHANNEL, Fault, SECRET, TEAM, TOKEN};

const CONFIGURATION: &str = "xoxe.xoxp-configuration";

impl Setup {
    /// Goes to the consent page and follows the redirect.
    async fn consent(&mut self) -> Page {
        let consent = self.click_install().await;
        let back = self.slack.consent(&consent);
        self.browser.get(&self.own(&back)).await
    }

    async fn install(&mut self) -> Installation {
        self.enter_app_credentials().await;
        let page = self.consent().await;
        assert!(page.path.ends_with("?done=installed"), "{}", page.text);
        self.at().await
    }

    /// The response status for an event signed with this secret.
    async fn signed_with(&self, secret: &str) -> u16 {
        let at = self.at().await;
        let events = format!("{}/chat/slack/{}/events", self.running.url, at.address.expose());
        let now = self.running.services().clock.now().timestamp();
        let event = self.slack.says(CHANNEL, ALICE, "nothing").message();
        deliver(&events, secret, now, &event).await.status
    }

    /// The manifest shown on the page.
    async fn manifest(&mut self) -> Value {
        let page = self.browser.get(&self.path("install")).await;
        let text = page.text.split_once("id=\"manifest\"").expect("the manifest").1;
        let text = text.split_once('>').expect("its tag").1;
        let text = text.split_once("</textarea>").expect("its end").0;
        serde_json::from_str(&text.replace("&#34;", "\"").replace("&#39;", "'")).expect("JSON")
    }
}

/// Whether the manifest has token rotation, organization-wide deployment, and a subscription to one optional event.
fn settings(manifest: &Value) -> (bool, bool, bool) {
    let settings = &manifest["settings"];
    let events = settings["event_subscriptions"]["bot_events"].as_array();
    let events = events.expect("events");
    let access = ["team_access_granted", "team_access_revoked"].map(|event| events.contains(&json!(event)));
    assert_eq!(access[0], access[1]);
    let is_on = |name: &str| settings[name].as_bool().expect(name);
    (
        is_on("token_rotation_enabled"),
        is_on("org_deploy_enabled"),
        access[0],
    )
}

#[tokio::test]
async fn a_manifest_keeps_the_app_s_own_settings() {
    on_each("manifest keeps", |place| async move {
        let mut setup = Setup::begin(&place).await;
        assert_eq!(settings(&setup.manifest().await), (false, false, false), "new");
        setup.slack.rotate();
        setup.install().await;
        assert_eq!(settings(&setup.manifest().await), (true, false, false));
        setup.slack.install_in(TEAM, Some(ENTERPRISE));
        setup.consent().await;
        setup.slack.install_for_organization();
        let page = setup.consent().await;
        assert_eq!(
            page.status, 200,
            "from one workspace to all of its organization: {}",
            page.text
        );
        let page = setup
            .send("install/update", &[("configuration_token", CONFIGURATION)])
            .await;
        assert!(page.path.ends_with("?done=updated"), "{}", page.text);
        let apps = setup.slack.apps();
        let sent = apps[0].manifest.as_ref().expect("the manifest that was sent");
        assert_eq!(settings(sent), (true, true, true));
        // Uninstalling does not change the app at Slack.
        let at = setup.at().await;
        let mut gone = callback(json!({ "type": "app_uninstalled" }));
        gone["event_time"] = json!(setup.running.services().clock.now().timestamp() + 2);
        gone["authorizations"] = json!([]);
        (gone["team_id"], gone["enterprise_id"]) = (Value::Null, json!(ENTERPRISE));
        let events = format!("{}/chat/slack/{}/events", setup.running.url, at.address.expose());
        let now = setup.running.services().clock.now().timestamp();
        assert_eq!(deliver(&events, SECRET, now, &gone).await.status, 200);
        let at = setup.at().await;
        assert!(at.state == InstallationState::Disabled && at.slack().bot_token.is_none());
        assert_eq!(settings(&setup.manifest().await), (true, true, true));
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn name_and_scopes_are_refreshed_from_slack_after_consent_and_on_demand() {
    on_each("looked at", |place| async move {
        let mut setup = Setup::begin(&place).await;
        setup.slack.drop_scope("files:write");
        setup.enter_app_credentials().await;
        let page = setup.consent().await;
        // The fake's app has a different name.
        assert!(
            page.text.contains("The app is still called “Corbel”"),
            "{}",
            page.text
        );
        assert!(page.text.contains("did not grant files:write"), "{}", page.text);
        // Renamed there, and the scope granted. The check needs a token that must be refreshed first.
        setup.slack.rename_app(APP, "Abacus");
        setup.slack.grant_scope("files:write");
        let installations = setup.running.services().installations.clone();
        let refused = installations
            .record_missing_scope(&setup.at().await, "files:read")
            .await;
        refused.expect("noted");
        setup.slack.fail_next("auth.test", Fault::ServerError, 1);
        let page = setup.send("install/look", &[]).await;
        assert!(
            page.status == 422 && page.text.contains("did not answer"),
            "{}",
            page.text
        );
        assert!(page.text.contains("The app is still called “Corbel”"));
        let page = setup.send("install/look", &[]).await;
        assert!(page.path.ends_with("?done=refreshed"), "{}", page.text);
        for banner in ["The app is still called", "did not grant", "is missing"] {
            assert!(!page.text.contains(banner), "{banner}: {}", page.text);
        }
        // Renamed again: another consent refreshes the name too, and counts even if Slack reports nothing else.
        setup.slack.rename_app(APP, "Counter");
        setup.slack.rotate();
        let page = setup.consent().await;
        assert!(
            page.text.contains("The app is still called “Counter”"),
            "{}",
            page.text
        );
        setup.slack.rename_app(APP, "Abacus");
        setup.slack.expire_tokens();
        let page = setup.send("install/look", &[]).await;
        assert!(
            page.path.ends_with("?done=refreshed") && !page.text.contains("The app is still called"),
            "{}",
            page.text
        );
        setup.slack.fail_next("auth.test", Fault::ServerError, 1);
        let page = setup.consent().await;
        assert!(page.path.ends_with("?done=installed"), "{}", page.text);
        assert_eq!(setup.at().await.state, InstallationState::Active);
        setup.running.stop().await;
    })
    .await;
}

const BLOCKED: Duration = Duration::from_millis(8500);

/// Another process holds a write lock on installations for longer than writers wait.
async fn block_writes(place: &Place, clock: Clock) {
    let db = Db::open(&place.config(&[]).database(), clock).await;
    let db = db.expect("the database");
    let is_sqlite = place.is_sqlite();
    let held = db.write(move |tx| {
        Box::pin(async move {
            let lock = Sql::each(
                "UPDATE installations SET state = state",
                "LOCK TABLE installations IN SHARE ROW EXCLUSIVE MODE",
            );
            tx.query(lock).execute().await?;
            // SQLite's writer has a thread of its own; PostgreSQL waits in the query.
            if is_sqlite {
                std::thread::sleep(BLOCKED);
            }
            let wait = Sql::each("SELECT 1", "SELECT pg_sleep(8.5)");
            tx.query(wait).execute().await?;
            Ok(())
        })
    });
    held.await.expect("held");
    db.close().await;
}

/// Runs `what` after Slack got the request to create an app and before its response.
async fn while_slack_creates_an_app(setup: &mut Setup, what: impl Future<Output = ()>) -> Page {
    let slow = Fault::Slow(Duration::from_millis(1500));
    setup.slack.fail_next("apps.manifest.create", slow, 1);
    let slack = setup.slack.clone();
    let making = setup.send("install/create", &[("configuration_token", CONFIGURATION)]);
    let meanwhile = async {
        while slack.calls("apps.manifest.create").is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        what.await;
    };
    let bounded = tokio::time::timeout(Duration::from_secs(40), async { tokio::join!(making, meanwhile) });
    bounded.await.expect("an answer").0
}

#[tokio::test]
async fn a_new_app_is_stored_after_a_short_database_outage() {
    on_each("app kept", |place| async move {
        let mut setup = Setup::begin(&place).await;
        let clock = setup.running.services().clock.clone();
        let page = while_slack_creates_an_app(&mut setup, block_writes(&place, clock)).await;
        assert!(
            page.path.ends_with("?done=created"),
            "{}: {}",
            page.status,
            page.text
        );
        let made = setup.slack.apps().last().cloned().expect("an app");
        let at = setup.at().await;
        assert_eq!(at.slack().app_id.as_deref(), Some(made.id.as_str()));
        assert_eq!(
            at.slack().signing_secret.as_ref().expect("secret").expose(),
            made.signing_secret
        );
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_new_app_that_cannot_be_stored_is_named_with_instructions() {
    on_each("app named", |place| async move {
        let mut setup = Setup::begin(&place).await;
        let db = setup.running.services().db.clone();
        let page = while_slack_creates_an_app(&mut setup, async move { db.close().await }).await;
        let made = setup.slack.apps().last().cloned().expect("an app");
        assert!(
            page.text.contains(&format!("api.slack.com/apps/{}", made.id)),
            "{}: {}",
            page.status,
            page.text
        );
        assert!(page.text.contains("Do not create another"));
        for secret in [&made.signing_secret, &made.client_secret] {
            assert!(!page.text.contains(secret.as_str()));
        }
    })
    .await;
}

#[tokio::test]
async fn a_new_app_is_stored_even_if_the_browser_disconnects() {
    on_each("browser gone", |place| async move {
        let mut setup = Setup::begin(&place).await;
        let slow = Fault::Slow(Duration::from_millis(800));
        setup.slack.fail_next("apps.manifest.create", slow, 1);
        let sent = setup.send("install/create", &[("configuration_token", CONFIGURATION)]);
        let gone = tokio::time::timeout(Duration::from_millis(400), sent).await;
        assert!(gone.is_err(), "the browser does not wait");
        let installations = setup.running.services().installations.clone();
        let (org, id) = (setup.org.id, setup.assistant);
        setup
            .running
            .until("the app is stored", async || {
                let at = installations.get(org, id, PlatformKind::Slack).await;
                at.expect("installation").slack().app_id.is_some()
            })
            .await;
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_grant_of_another_workspace_is_refused_and_changes_nothing() {
    on_each("elsewhere", |place| async move {
        let mut setup = Setup::begin(&place).await;
        let before = setup.install().await;
        let unchanged = async |setup: &Setup| {
            let at = setup.at().await;
            assert!(
                at.slack().bot_token == before.slack().bot_token
                    && at.home() == Some(TEAM)
                    && !at.slack().is_enterprise
            );
            assert_eq!(at.installed_at, before.installed_at);
        };
        // Another workspace, an organization that it does not belong to, and a pasted token of that workspace.
        setup.slack.install_in("T0ELSE", None);
        let page = setup.consent().await;
        let named = |page: &Page| page.text.contains("T0ELSE") && page.text.contains(TEAM);
        assert!(
            page.status == 400 && page.text.contains("wrong_workspace"),
            "{}",
            page.text
        );
        assert!(named(&page), "{}", page.text);
        unchanged(&setup).await;
        let page = setup.send("install/token", &[("bot_token", TOKEN)]).await;
        assert!(page.status == 422 && named(&page), "{}", page.text);
        unchanged(&setup).await;
        setup.slack.install_for_organization();
        let page = setup.consent().await;
        assert!(
            page.status == 400 && page.text.contains("wrong_workspace") && page.text.contains(ENTERPRISE),
            "{}",
            page.text
        );
        unchanged(&setup).await;
        // Its own workspace again.
        setup.slack.install_in(TEAM, None);
        let page = setup.consent().await;
        assert!(page.path.ends_with("?done=installed"), "{}", page.text);
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_wrong_signing_secret_does_not_displace_a_valid_one() {
    on_each("good secret", |place| async move {
        let mut setup = Setup::begin(&place).await;
        setup.install().await;
        let [wrong, right] = ["2".repeat(32), "3".repeat(32)];
        setup.send("install/app", &[("signing_secret", &wrong)]).await;
        let clock = setup.running.services().clock.clone();
        clock.advance(Duration::from_secs(3600));
        setup.send("install/app", &[("signing_secret", &right)]).await;
        for (secret, status) in [(SECRET, 200), (&wrong, 200), (&right, 200)] {
            assert_eq!(setup.signed_with(secret).await, status, "{secret}");
        }
        // Each secret has its own day.
        clock.advance(Duration::from_secs(23 * 3600));
        for (secret, status) in [(SECRET, 401), (&wrong, 200), (&right, 200)] {
            assert_eq!(setup.signed_with(secret).await, status, "{secret}");
        }
        clock.advance(Duration::from_secs(3600));
        assert_eq!(setup.signed_with(&wrong).await, 401);
        // However many secrets are set: never more than can be checked, and a valid one is never dropped.
        for n in 4..8 {
            let page = setup
                .send("install/app", &[("signing_secret", &n.to_string().repeat(32))])
                .await;
            assert_eq!(page.status, 200, "{n}: {}", page.text);
        }
        let page = setup
            .send("install/app", &[("signing_secret", &"8".repeat(32))])
            .await;
        assert!(
            page.status == 422 && page.text.contains("Retire"),
            "{}",
            page.text
        );
        assert_eq!(setup.signed_with(&right).await, 200);
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn the_client_secret_is_not_accepted_as_signing_secret() {
    on_each("same secret", |place| async move {
        let mut setup = Setup::begin(&place).await;
        setup.install().await;
        let page = setup
            .send("install/app", &[("signing_secret", CLIENT_SECRET)])
            .await;
        assert!(
            page.status == 422 && page.text.contains("same as the Client Secret"),
            "{}",
            page.text
        );
        assert_eq!(setup.signed_with(SECRET).await, 200);
        assert_eq!(setup.signed_with(CLIENT_SECRET).await, 401);
        setup.running.stop().await;
    })
    .await;
}

#[test]
fn the_command_line_validates_tokens_and_ids_like_the_pages() {
    let dir = Dir::new();
    dir.json(&["admin", "org", "create", "--name", "Acme", "--plan", "pro"]);
    let create = [
        "admin",
        "assistant",
        "create",
        "--org",
        "Acme",
        "--platform",
        "slack",
    ];
    let wrong = [
        "xoxp-person-token",
        "xoxe.xoxp-configuration",
        "xoxe.xoxb-that-ends",
        "xapp-app-level",
        "xoxb-a b c d",
    ];
    for token in wrong {
        let named = [&create[..], &["--name", "Abacus", "--bot-token", token]].concat();
        assert_eq!(dir.refused(&named), "invalid_request", "{token}");
    }
    let made = dir.json(&[&create[..], &["--name", "Abacus"]].concat());
    let id = made["assistantId"].as_str().expect("id");
    for token in wrong {
        let update = [
            "admin",
            "assistant",
            "update",
            "--assistant",
            id,
            "--bot-token",
            token,
        ];
        assert_eq!(dir.refused(&update), "invalid_request", "{token}");
    }
    let same = [
        "--client-secret",
        CLIENT_SECRET,
        "--signing-secret",
        CLIENT_SECRET,
    ];
    let update = [&["admin", "assistant", "update", "--assistant", id][..], &same].concat();
    assert_eq!(dir.refused(&update), "invalid_request");
    for wrong in [
        "#general",
        "general",
        "D0DIRECT1",
        "U0PERSON1",
        "c0lower",
        "C",
        "",
    ] {
        assert_eq!(
            dir.refused(&decide(id, "approve", wrong)),
            "invalid_request",
            "{wrong}"
        );
    }
    dir.json(&decide(id, "approve", "C0123ABCD"));
    // The list is paginated.
    for n in 10..36 {
        let conversation = format!("C0LIST{n}");
        dir.json(&decide(id, "approve", &conversation));
    }
    let list = ["admin", "conversation", "list", "--assistant", id];
    let first = dir.json(&list);
    let next = first["next"].as_str().expect("a second page");
    let second = dir.json(&[&list[..], &["--after", next]].concat());
    let count = |page: &Value| page["conversations"].as_array().map(Vec::len);
    assert_eq!((count(&first), count(&second)), (Some(25), Some(2)));
    assert!(second["next"].is_null());
}

fn decide<'a>(id: &'a str, act: &'a str, conversation: &'a str) -> [&'a str; 7] {
    [
        "admin",
        "conversation",
        act,
        "--assistant",
        id,
        "--conversation",
        conversation,
    ]
}
