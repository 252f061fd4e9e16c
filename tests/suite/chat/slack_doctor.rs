//! The doctor page of one assistant: all green when healthy, and each failure with its fix.

use std::collections::BTreeMap;
use std::time::Duration;

use corbel::accounts::model::Plan;
use corbel::assistants::model::ConversationState;
use corbel::audit::store::Actor;
use corbel::base::principal::Role;
use corbel::chat::core::doctor::{Check, State};
use corbel::chat::slack::doctor::examine;

use crate::chat::slack_flow::Stage;
use crate::chat::slack_install::Setup;
use crate::harness::app::on_each;
use crate::harness::browser::Browser;
use crate::harness::slack::{ALICE, CHANNEL, Fault, SECRET, TOKEN};
use crate::pages::admin_brand::csrf;

impl Stage {
    async fn run_checks(&self) -> BTreeMap<&'static str, Check> {
        let app = &self.running.app;
        let report = examine(&app.services, &app.slack, self.org.id, self.at.assistant).await;
        let report = report.expect("a report");
        report
            .checks
            .into_iter()
            .map(|check| (check.name, check))
            .collect()
    }
}

fn states(checks: &BTreeMap<&'static str, Check>) -> Vec<(&'static str, State)> {
    let not_good = checks.values().filter(|check| check.state != State::Good);
    not_good.map(|check| (check.name, check.state)).collect()
}

#[tokio::test]
async fn what_slack_s_administrators_forbid_is_shown_with_its_fix() {
    on_each("doctor, barred", |place| async move {
        let stage = Stage::set(&place).await;
        assert!(!stage.run_checks().await.contains_key("Slack restrictions"));
        let (org, at) = (stage.org.id, stage.at.slack.id);
        let installations = &stage.running.services().installations;
        installations
            .add_alert(org, at, "messages_tab_disabled")
            .await
            .expect("noted");
        let check = stage.run_checks().await.remove("Slack restrictions");
        let check = check.expect("a check");
        assert_eq!(check.state, State::Bad);
        assert!(check.found.contains("messages_tab_disabled"), "{}", check.found);
        assert!(check.fix.contains("Messages Tab"), "{}", check.fix);

        // Shown on every page too, until an administrator marks it as fixed.
        let ada = stage.running.member(&stage.org, "Ada", Role::Admin).await;
        let mut ada = Browser::of(&stage.running, &ada).await;
        let base = format!("/console/assistants/{}", stage.at.assistant);
        let page = ada.get(&format!("{base}/people")).await;
        assert!(page.text.contains("See the doctor") && page.text.contains("Messages Tab"));
        let page = ada.get(&format!("{base}/doctor")).await;
        let form = [csrf(&page)];
        let fixed = ada.post(&format!("{base}/doctor/fixed"), &form).await;
        assert!(fixed.path.ends_with("?done=fixed"), "{}", fixed.text);
        assert!(!fixed.text.contains("messages_tab_disabled"));
        let page = ada.get(&format!("{base}/people")).await;
        assert!(!page.text.contains("See the doctor"));

        // An alert that has not recurred for a week expires.
        installations
            .add_alert(org, at, "ekm_access_denied")
            .await
            .expect("noted");
        assert!(stage.run_checks().await.contains_key("Slack restrictions"));
        let services = stage.running.services();
        services.clock.advance(Duration::from_secs(8 * 86_400));
        assert!(!stage.run_checks().await.contains_key("Slack restrictions"));
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_wrong_secret_and_missing_events_are_detected() {
    on_each("doctor, events", |place| async move {
        let stage = Stage::set(&place).await;
        let services = stage.running.services();
        let event = stage.slack.says(CHANNEL, "U0EXT", "nothing").message();
        let noted = async |refused: bool| {
            stage
                .running
                .until("the call is recorded", async || {
                    let id = stage.at.slack.id;
                    let at = services.installations.by_id(stage.org.id, id).await;
                    let at = at.expect("installation");
                    at.last_call_at.is_some() && (at.last_refused_at > at.last_call_at) == refused
                })
                .await;
            stage.run_checks().await["Events from Slack"].clone()
        };
        assert_eq!(stage.post(&event).await, 200);
        assert_eq!(noted(false).await.state, State::Good);
        let now = stage.now();
        let wrong = stage
            .post_at(&stage.at.events, "another-secret", now, &event)
            .await;
        assert_eq!(wrong, 401);
        let check = noted(true).await;
        assert_eq!(check.state, State::Bad);
        assert!(check.fix.contains("Signing Secret") && check.fix.contains("clock"));
        // A success within the same minute is noticed too.
        assert_eq!(stage.post(&event).await, 200);
        assert_eq!(noted(false).await.state, State::Good);
        // A refusal after a successful call counts at once, also within the minute.
        let late = async || stage.post_at(&stage.at.events, SECRET, now - 400, &event).await;
        assert_eq!(late().await, 401);
        assert_eq!(noted(true).await.state, State::Bad);
        // Requests by strangers do not add writes: refusals after the first are not stored.
        let refused_at = async || {
            let id = stage.at.slack.id;
            let at = services.installations.by_id(stage.org.id, id).await;
            at.expect("installation").last_refused_at
        };
        let first = refused_at().await;
        for _ in 0..3 {
            assert_eq!(late().await, 401);
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(refused_at().await, first);
        assert_eq!(stage.post(&event).await, 200);
        assert_eq!(noted(false).await.state, State::Good);

        services.clock.advance(Duration::from_secs(8 * 86_400));
        let check = stage.run_checks().await["Events from Slack"].clone();
        assert_eq!(check.state, State::Waiting, "{check:?}");
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_plan_without_chat_is_bad() {
    on_each("doctor, plan", |place| async move {
        let stage = Stage::set(&place).await;
        let accounts = &stage.running.services().accounts;
        assert_eq!(stage.run_checks().await["Plan"].state, State::Good);
        accounts
            .set_plan(Actor::OPERATOR, stage.org.id, Plan::Trial)
            .await
            .expect("set");
        let check = stage.run_checks().await["Plan"].clone();
        assert_eq!(check.state, State::Bad);
        assert!(!check.fix.is_empty());
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_new_assistant_lists_each_step_and_a_finished_one_is_healthy() {
    on_each("doctor", |place| async move {
        let mut setup = Setup::begin(&place).await;
        let page = setup.browser.get(&setup.path("doctor")).await;
        assert_eq!(page.status, 200);
        for text in [
            "No problems found",
            "not entered yet: App ID, Signing Secret",
            "paste the bot token",
        ] {
            assert!(page.text.contains(text), "{text} in {}", page.text);
        }
        setup.enter_app_credentials().await;
        setup.send("install/token", &[("bot_token", TOKEN)]).await;
        let page = setup.browser.get(&setup.path("doctor")).await;
        for text in [
            "installed in Acme Estates",
            "all required permissions are granted",
            "“Corbel” in Slack, “Abacus” here",
        ] {
            assert!(page.text.contains(text), "{text} in {}", page.text);
        }
        assert!(!page.text.contains(TOKEN));
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_failed_check_is_bad_and_names_its_fix() {
    on_each("bad", |place| async move {
        let stage = Stage::set(&place).await;
        let assistants = &stage.running.services().assistants;
        let conversations = &stage.running.services().conversations;
        let installations = &stage.running.services().installations;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        let event = stage.slack.says(CHANNEL, "U0EXT", "nothing").message();
        assert_eq!(stage.post(&event).await, 200);
        stage
            .running
            .until("the call is recorded", async || {
                let at = installations.by_id(stage.org.id, stage.at.slack.id).await;
                at.expect("installation").last_call_at.is_some()
            })
            .await;
        let checks = stage.run_checks().await;
        // The fake's app has another name; everything else is good.
        assert_eq!(
            states(&checks),
            [("Name in Slack", State::Waiting)],
            "{checks:#?}"
        );

        stage.slack.fail_next("auth.test", Fault::ServerError, 1);
        assert_eq!(stage.run_checks().await["Bot token"].state, State::Unknown);

        stage.slack.drop_scope("files:write");
        let permissions = stage.run_checks().await["Permissions"].clone();
        assert_eq!(permissions.state, State::Bad);
        assert!(permissions.found.contains("files:write") && permissions.fix.contains("Reinstall"));

        let at = stage.at.slack.id;
        let revoked = ConversationState::Revoked;
        conversations
            .decide(Actor::OPERATOR, stage.org.id, at, CHANNEL, revoked)
            .await
            .expect("decided");
        assert_eq!(
            stage.run_checks().await["Shared conversations"].state,
            State::Waiting
        );
        assistants
            .set_shared(Actor::OPERATOR, stage.org.id, stage.at.assistant, false)
            .await
            .expect("set");
        assert_eq!(
            stage.run_checks().await["Shared conversations"].state,
            State::Good
        );

        stage.running.services().clock.advance(Duration::from_secs(600));
        assert_eq!(stage.run_checks().await["Clock"].state, State::Bad);

        stage.slack.revoke();
        let checks = stage.run_checks().await;
        assert_eq!(checks["Bot token"].state, State::Bad);
        let mut bad = checks.values().filter(|check| check.state == State::Bad);
        assert!(bad.all(|check| !check.fix.is_empty()));
        stage.running.stop().await;
    })
    .await;
}
