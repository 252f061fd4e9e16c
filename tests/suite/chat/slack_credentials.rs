//! Credentials that an admin pastes: tokens, ids, secrets and configuration tokens; who may do so, and how long a
//! signing secret is accepted after it was replaced.

use std::time::Duration;

use corbel::accounts::model::Plan;
use corbel::assistants::model::InstallationState;
use corbel::audit::store::Actor;
use corbel::base::principal::Role;

use crate::chat::slack_install::{Setup, assistant, member};
use crate::harness::app::on_each;
use crate::harness::browser::Browser;
use crate::harness::slack::requests::{deliver, url_verification};
use crate::harness::slack::{ALICE, APP, CHANNEL, Fault, SECRET, TOKEN};
use crate::pages::admin_brand::png;

#[tokio::test]
async fn a_pasted_token_is_checked_with_slack() {
    on_each("pasted", |place| async move {
        let mut setup = Setup::begin(&place).await;
        for (token, hint) in [
            ("", "xoxb-"),
            ("xoxp-1-2-3", "person"),
            ("xoxe.xoxb-1-2", "Install to Slack"),
            ("xoxb-no-such", "does not know this token"),
        ] {
            let page = setup.send("install/token", &[("bot_token", token)]).await;
            assert!(
                page.status == 422 && page.text.contains(hint),
                "{token}: {}",
                page.text
            );
            assert!(
                token.is_empty() || !page.text.contains(token),
                "it is not shown again"
            );
        }
        setup.slack.fail_next("auth.test", Fault::ServerError, 1);
        let page = setup.send("install/token", &[("bot_token", TOKEN)]).await;
        assert!(
            page.status == 422 && page.text.contains("did not answer"),
            "{}",
            page.text
        );
        // The app id is not known yet: it is filled in from the token.
        let page = setup.send("install/token", &[("bot_token", TOKEN)]).await;
        assert_eq!(page.path, format!("{}?done=token", setup.path("install")));
        let at = setup.at().await;
        assert_eq!(
            (at.slack().app_id.as_deref(), at.state),
            (Some(APP), InstallationState::Pending)
        );
        assert!(at.slack().scopes.as_ref().expect("scopes").has("chat:write"));
        let page = setup
            .send(
                "install/app",
                &[("app_id", ""), ("client_id", ""), ("signing_secret", SECRET)],
            )
            .await;
        assert_eq!(page.status, 200, "{}", page.text);
        assert_eq!(setup.at().await.state, InstallationState::Active);
        let foreign = setup.slack.another_app("A0OTHER");
        let page = setup.send("install/token", &[("bot_token", &foreign)]).await;
        assert!(
            page.status == 422 && page.text.contains("A0OTHER"),
            "{}",
            page.text
        );
        assert_eq!(
            setup.at().await.slack().bot_token.clone().expect("kept").expose(),
            TOKEN
        );
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn wrong_ids_and_secrets_are_named_and_not_stored() {
    on_each("fields", |place| async move {
        let mut setup = Setup::begin(&place).await;
        for (field, value, hint) in [
            ("app_id", "T0TEAM", "App ID"),
            ("client_id", "12", "Client ID"),
            ("client_secret", "short", "Client Secret"),
            ("signing_secret", "gIkuvaNzQIHg97ATvDxqgjtO", "Verification Token"),
        ] {
            let page = setup.send("install/app", &[(field, value)]).await;
            assert!(
                page.status == 422 && page.text.contains(hint),
                "{field}: {}",
                page.text
            );
        }
        let at = setup.at().await;
        assert!(at.slack().app_id.is_none() && at.slack().signing_secret.is_none());
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_configuration_token_creates_the_app_and_is_not_stored() {
    on_each("configuration", |place| async move {
        let mut setup = Setup::begin(&place).await;
        let used = "xoxe.xoxp-canary-of-configuration";
        for (token, hint) in [
            ("xoxb-1-2", "xoxe.xoxp-"),
            ("xoxe-1-2", "refresh token"),
            ("xoxe.xoxp-expired", "has expired"),
        ] {
            let page = setup
                .send("install/create", &[("configuration_token", token)])
                .await;
            assert!(
                page.status == 422 && page.text.contains(hint),
                "{token}: {}",
                page.text
            );
        }
        setup.slack.fail_next("apps.manifest.create", Fault::LostReply, 1);
        let page = setup
            .send("install/create", &[("configuration_token", used)])
            .await;
        assert!(
            page.status == 422 && page.text.contains("may have been created"),
            "{}",
            page.text
        );
        assert!(setup.at().await.slack().app_id.is_none());
        let page = setup
            .send("install/create", &[("configuration_token", used)])
            .await;
        assert_eq!(page.path, format!("{}?done=created", setup.path("install")));
        assert!(!page.text.contains(used));
        let made = setup.slack.apps().last().cloned().expect("an app");
        assert_eq!(made.name, "Abacus");
        let at = setup.at().await;
        assert_eq!(at.slack().app_id.as_deref(), Some(made.id.as_str()));
        assert_eq!(at.registered_name.as_deref(), Some("Abacus"));
        assert_eq!(
            at.slack().signing_secret.as_ref().expect("secret").expose(),
            made.signing_secret
        );
        let callback = &made.manifest.expect("manifest")["oauth_config"]["redirect_urls"][0];
        assert!(callback.as_str().expect("address").ends_with("/oauth/callback"));
        let consent = setup.click_install().await;
        let back = setup.slack.consent(&consent);
        setup.browser.get(&setup.own(&back)).await;
        assert_eq!(setup.at().await.state, InstallationState::Active);
        // A second app would orphan the installations of the first.
        let page = setup.browser.get(&setup.path("install")).await;
        assert!(!page.text.contains("install/create\""));
        // An icon chosen later is sent with the next update; if Slack refuses it, the update is kept.
        assert_eq!(made.icon, 0);
        let services = setup.running.services();
        let icon = png(512, 512);
        let (org, id) = (setup.org.id, setup.assistant);
        let set = services
            .assistants
            .set_icon(&services.blobs, Actor::OPERATOR, org, id, icon.clone());
        set.await.expect("an icon");
        setup
            .slack
            .fail_next("apps.icon.set", Fault::Error("no_permission"), 1);
        let page = setup
            .send("install/update", &[("configuration_token", used)])
            .await;
        assert!(page.text.contains("did not accept the icon"), "{}", page.text);
        let page = setup
            .send("install/update", &[("configuration_token", used)])
            .await;
        assert_eq!(page.path, format!("{}?done=updated", setup.path("install")));
        assert_eq!(setup.slack.apps().last().expect("the app").icon, icon.len());
        assert_eq!(
            setup.slack.calls("apps.manifest.update")[0].arg("app_id"),
            Some(made.id.as_str())
        );
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn manifest_errors_reported_by_slack_are_shown() {
    on_each("manifest", |place| async move {
        let mut setup = Setup::begin(&place).await;
        setup.assistant = assistant(&setup.running, &setup.org, "Slackbot Two").await;
        let page = setup
            .send("install/create", &[("configuration_token", "xoxe.xoxp-1-2")])
            .await;
        assert!(
            page.status == 422 && page.text.contains("uses a reserved word"),
            "{}",
            page.text
        );
        assert!(page.text.contains("/display_information/name"));
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn only_admins_of_the_organization_on_a_paid_plan_can_set_it_up() {
    on_each("rights", |place| async move {
        let mut setup = Setup::begin(&place).await;
        setup.enter_app_credentials().await;
        let pages = ["install", "doctor"].map(|end| setup.path(end));
        let forms = ["app", "token", "create", "update", "begin", "retire"];
        let forms = forms.map(|end| setup.path(&format!("install/{end}")));
        let elsewhere = setup.running.organization("Elsewhere").await;
        let stranger = member(&setup.running, &elsewhere, "stranger", Role::Owner).await;
        for (person, status) in [(setup.org.mara.clone(), 403), (stranger, 404)] {
            let mut browser = Browser::of(&setup.running, &person).await;
            for path in &pages {
                assert_eq!(browser.get(path).await.status, status, "{path}");
            }
            let csrf = browser.get("/preview").await.form("name=\"csrf\"");
            let csrf: Vec<_> = csrf.into_iter().filter(|(name, _)| name == "csrf").collect();
            for path in &forms {
                assert_eq!(browser.post(path, &csrf).await.status, status, "{path}");
            }
        }
        let consent = setup.click_install().await;
        let back = setup.own(&setup.slack.consent(&consent));
        let accounts = &setup.running.services().accounts;
        accounts
            .set_plan(Actor::OPERATOR, setup.org.id, Plan::Trial)
            .await
            .expect("plan");
        for path in &pages {
            let page = setup.browser.get(path).await;
            assert!(
                page.status == 403 && page.text.contains("plan_not_eligible"),
                "{}",
                page.text
            );
        }
        assert_eq!(setup.browser.get(&back).await.status, 403);
        assert!(setup.slack.calls("oauth.v2.access").is_empty());
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn the_url_verification_needs_a_signature_once_there_is_a_secret() {
    on_each("pending", |place| async move {
        let mut setup = Setup::begin(&place).await;
        let events = format!(
            "{}/chat/slack/{}/events",
            setup.running.url,
            setup.at().await.address.expose()
        );
        let now = setup.running.services().clock.now().timestamp();
        let check = url_verification("tell");
        let unsigned = deliver(&events, "anything", now, &check).await;
        assert_eq!(
            unsigned.status, 200,
            "Slack checks before anyone can know the secret"
        );
        setup.enter_app_credentials().await;
        assert_eq!(deliver(&events, "anything", now, &check).await.status, 401);
        assert_eq!(deliver(&events, SECRET, now, &check).await.status, 200);
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn the_previous_signing_secret_is_accepted_until_it_is_retired_or_a_day_old() {
    on_each("secrets", |place| async move {
        let mut setup = Setup::begin(&place).await;
        setup.enter_app_credentials().await;
        setup.send("install/token", &[("bot_token", TOKEN)]).await;
        let events = format!(
            "{}/chat/slack/{}/events",
            setup.running.url,
            setup.at().await.address.expose()
        );
        let clock = setup.running.services().clock.clone();
        let event = setup.slack.says(CHANNEL, ALICE, "nothing").message();
        let status = async |secret: &str| {
            deliver(&events, secret, clock.now().timestamp(), &event)
                .await
                .status
        };
        let [second, third] = ["2".repeat(32), "3".repeat(32)];
        setup.send("install/app", &[("signing_secret", &second)]).await;
        assert_eq!((status(SECRET).await, status(&second).await), (200, 200));
        // The same secret again is not a rotation.
        setup.send("install/app", &[("signing_secret", &second)]).await;
        assert_eq!((status(SECRET).await, status(&second).await), (200, 200));
        let page = setup.send("install/retire", &[]).await;
        assert!(page.text.contains("Retired"), "{}", page.text);
        assert_eq!((status(SECRET).await, status(&second).await), (401, 200));
        setup.send("install/app", &[("signing_secret", &third)]).await;
        assert_eq!((status(&second).await, status(&third).await), (200, 200));
        clock.advance(Duration::from_secs(24 * 60 * 60));
        assert_eq!((status(&second).await, status(&third).await), (401, 200));
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn missing_scopes_are_shown() {
    on_each("scopes", |place| async move {
        let mut setup = Setup::begin(&place).await;
        setup.enter_app_credentials().await;
        setup.slack.drop_scope("files:write");
        setup.slack.drop_scope("channels:history");
        let consent = setup.click_install().await;
        let page = setup
            .browser
            .get(&setup.own(&setup.slack.consent(&consent)))
            .await;
        assert!(
            page.text.contains("did not grant files:write."),
            "the optional scope is not reported as missing: {}",
            page.text
        );
        setup.running.stop().await;
    })
    .await;
}
