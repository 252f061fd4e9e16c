//! Expiring tokens: refreshed before they expire or when Slack reports it, by one process at a time.

use std::time::Duration;

use corbel::assistants::model::{Installation, InstallationState, Platform, Sender};
use corbel::assistants::slack::app::SlackApp;
use corbel::audit::store::Actor;
use corbel::chat::core::platform::{Failure, Platform as _};
use corbel::chat::slack::access::SlackAccess;
use corbel::chat::slack::client::SlackPlatform;
use corbel::chat::slack::rotation::Rotation;
use corbel::net::client::Outbound;
use corbel::net::guard::Guard;

use crate::chat::slack_install::Setup;
use crate::harness::app::on_each;
use crate::harness::slack::{ALICE, BOB, Fault, TEAM};

/// The platform as a separate node has it, with caches of its own.
fn node(setup: &Setup) -> SlackPlatform {
    let outbound = Outbound::new(Guard { allow_loopback: true }).expect("a client");
    let services = setup.running.services();
    let (api, authorize) = (setup.slack.api_base(), setup.slack.authorize_url());
    let access = SlackAccess::new(outbound.clone(), api.clone(), authorize);
    let rotation = Rotation::new(access, services.installations.clone(), services.clock.clone());
    SlackPlatform::new(outbound, services.clock.clone(), api).with_rotation(rotation)
}

async fn installed(setup: &mut Setup) -> Installation {
    setup.slack.rotate();
    setup.enter_app_credentials().await;
    let consent = setup.click_install().await;
    let back = setup.slack.consent(&consent);
    let path = back.trim_start_matches(&setup.running.url).to_owned();
    setup.browser.get(&path).await;
    let at = setup.at().await;
    assert!(at.state == InstallationState::Active && at.slack().refresh_token.is_some());
    at
}

fn sender(user: &str) -> Sender {
    Sender {
        team: TEAM.to_owned(),
        user: user.to_owned(),
        account: None,
    }
}

fn refreshes(setup: &Setup) -> usize {
    let calls = setup.slack.calls("oauth.v2.access");
    calls
        .iter()
        .filter(|call| call.arg("grant_type") == Some("refresh_token"))
        .count()
}

#[tokio::test]
async fn an_expired_token_is_refreshed_once_by_concurrent_callers() {
    on_each("expired", |place| async move {
        let mut setup = Setup::begin(&place).await;
        let at = installed(&mut setup).await;
        setup.slack.expire_tokens();
        // Slow, so that all callers overlap.
        setup
            .slack
            .fail_next("oauth.v2.access", Fault::Slow(Duration::from_millis(400)), 1);
        let nodes = [node(&setup), node(&setup), node(&setup)];
        let senders = [sender(ALICE), sender(BOB), sender(ALICE)];
        let asked = nodes
            .iter()
            .zip(&senders)
            .map(|(node, sender)| node.identify(&at, sender));
        for identity in futures_util::future::join_all(asked).await {
            identity.expect("known");
        }
        assert_eq!(refreshes(&setup), 1);
        let after = setup.at().await;
        assert!(
            after.slack().bot_token != at.slack().bot_token
                && after.slack().refresh_token != at.slack().refresh_token
        );
        assert_eq!(after.installed_at, at.installed_at, "no new installation");
        // A caller that still has the old token finds the new one.
        node(&setup).identify(&at, &sender(ALICE)).await.expect("known");
        assert_eq!(refreshes(&setup), 1);
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_token_is_refreshed_shortly_before_it_expires() {
    on_each("before", |place| async move {
        let mut setup = Setup::begin(&place).await;
        let at = installed(&mut setup).await;
        let lasts = Duration::from_secs(43_200);
        let clock = setup.running.services().clock.clone();
        clock.advance(lasts - Duration::from_secs(400));
        node(&setup).identify(&at, &sender(ALICE)).await.expect("known");
        assert_eq!(refreshes(&setup), 0);
        clock.advance(Duration::from_secs(200));
        // Slack is unavailable for both calls: the token is still valid.
        setup.slack.fail_next("oauth.v2.access", Fault::ServerError, 2);
        node(&setup).identify(&at, &sender(ALICE)).await.expect("known");
        assert_eq!(setup.at().await.slack().bot_token, at.slack().bot_token);
        node(&setup).identify(&at, &sender(ALICE)).await.expect("known");
        assert_eq!(refreshes(&setup), 3);
        assert_ne!(setup.at().await.slack().bot_token, at.slack().bot_token);
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn an_abandoned_claim_expires() {
    on_each("claim", |place| async move {
        let mut setup = Setup::begin(&place).await;
        let at = installed(&mut setup).await;
        let services = setup.running.services();
        let held = services.installations.claim_refresh(&at).await.expect("a claim");
        assert!(held.is_some(), "free");
        assert!(
            services
                .installations
                .claim_refresh(&at)
                .await
                .expect("no error")
                .is_none()
        );
        services.clock.advance(Duration::from_secs(31));
        setup.slack.expire_tokens();
        node(&setup).identify(&at, &sender(ALICE)).await.expect("known");
        let now = setup.at().await;
        // The owner of the expired claim writes nothing.
        let late = corbel::assistants::slack::app::Renewed {
            bot_token: corbel::base::secret::Secret::new("xoxb-late"),
            refresh_token: corbel::base::secret::Secret::new("xoxe-late"),
            expires_in: Duration::from_secs(60),
        };
        assert!(!services.installations.renew(&at, late).await.expect("no error"));
        assert_eq!(setup.at().await.slack().bot_token, now.slack().bot_token);
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn without_a_refresh_token_the_installation_is_disabled() {
    on_each("refused", |place| async move {
        let mut setup = Setup::begin(&place).await;
        let at = installed(&mut setup).await;
        setup.slack.expire_tokens();
        setup
            .slack
            .fail_next("oauth.v2.access", Fault::Error("invalid_refresh_token"), 1);
        let refused = node(&setup).identify(&at, &sender(ALICE)).await;
        assert!(matches!(refused, Err(Failure::Disabled(_))), "{refused:?}");
        // An expired token without a refresh token cannot be replaced either.
        let plain = Installation {
            platform: Platform::Slack(Box::new(SlackApp {
                token_expires_at: None,
                ..at.slack().clone()
            })),
            ..at.clone()
        };
        setup.slack.fail_next("oauth.v2.access", Fault::RateLimited(3), 1);
        let waits = node(&setup).identify(&plain, &sender(ALICE)).await;
        assert!(matches!(waits, Err(Failure::Wait(_))), "{waits:?}");
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_temporary_fault_of_slack_does_not_disable_the_installation() {
    on_each("passing", |place| async move {
        let mut setup = Setup::begin(&place).await;
        let at = installed(&mut setup).await;
        setup.slack.expire_tokens();
        for word in [
            "internal_error",
            "service_unavailable",
            "a_word_that_nobody_knows",
        ] {
            // A call has three attempts.
            setup.slack.fail_next("oauth.v2.access", Fault::Error(word), 3);
            let failed = node(&setup).identify(&at, &sender(ALICE)).await;
            assert!(
                matches!(failed, Err(Failure::Unavailable(_))),
                "{word}: {failed:?}"
            );
        }
        for word in ["invalid_refresh_token", "bad_client_secret", "invalid_client_id"] {
            setup.slack.fail_next("oauth.v2.access", Fault::Error(word), 1);
            let refused = node(&setup).identify(&at, &sender(ALICE)).await;
            assert!(
                matches!(refused, Err(Failure::Disabled(_))),
                "{word}: {refused:?}"
            );
        }
        node(&setup).identify(&at, &sender(ALICE)).await.expect("known");
        setup.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn changes_by_admins_during_a_refresh_lose_no_token() {
    on_each("meanwhile", |place| async move {
        let mut setup = Setup::begin(&place).await;
        let at = installed(&mut setup).await;
        setup.slack.expire_tokens();
        let slow = Fault::Slow(Duration::from_millis(2000));
        setup.slack.fail_next("oauth.v2.access", slow, 1);
        let (one, other, sender) = (node(&setup), node(&setup), sender(ALICE));
        let saved = async {
            while refreshes(&setup) == 0 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            let installations = &setup.running.services().installations;
            let retired = installations.retire_secret(Actor::OPERATOR, at.org, at.id).await;
            assert_eq!(
                retired.expect("retired").slack().bot_token,
                at.slack().bot_token,
                "not fetched yet"
            );
            other.identify(&at, &sender).await
        };
        let (first, second) = tokio::join!(one.identify(&at, &sender), saved);
        first.expect("known");
        second.expect("known");
        assert_eq!(refreshes(&setup), 1, "the other waits for the one that fetches");
        assert_ne!(setup.at().await.slack().bot_token, at.slack().bot_token);
        setup.running.stop().await;
    })
    .await;
}
