//! Revoked rights and conversations shared with outsiders: events that are late, duplicated, or in any order.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use corbel::assistants::model::{ConversationState, Installation, InstallationState};
use corbel::assistants::slack::grants::SlackFields;
use corbel::audit::store::{self as audit, Actor};
use corbel::base::ids::JobId;
use corbel::queue::handlers::Handlers;
use corbel::queue::job::{Done, NewJob, Patience, Pool, Slots};
use corbel::queue::worker::Worker;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::chat::slack_flow::Stage;
use crate::harness::app::{http, on_each};
use crate::harness::slack::requests::{callback, deliver};
use crate::harness::slack::{ALICE, BOT, CHANNEL, SECRET};

fn at_time(event: Value, time: i64) -> Value {
    let mut callback = callback(event);
    callback["event_time"] = json!(time);
    callback
}

fn uninstalled(time: i64) -> Value {
    let mut event = at_time(json!({ "type": "app_uninstalled" }), time);
    // The token is no longer authorized.
    event["authorizations"] = json!([]);
    event
}

fn revoked(bots: &[&str], time: i64) -> Value {
    let tokens = json!({ "oauth": [ALICE], "bot": bots });
    at_time(json!({ "type": "tokens_revoked", "tokens": tokens }), time)
}

impl Stage {
    async fn installed(&self) -> Installation {
        let installations = &self.running.services().installations;
        installations
            .by_id(self.org.id, self.at.slack.id)
            .await
            .expect("installation")
    }

    pub async fn audited(&self, action: &str) -> usize {
        let db = &self.running.services().db;
        let lines = audit::list(db, self.org.id, 1000).await.expect("lines");
        lines.iter().filter(|line| line.action == action).count()
    }

    async fn state_of(&self, channel: &str) -> (ConversationState, Option<String>) {
        let conversations = &self.running.services().conversations;
        let found = conversations
            .find(self.org.id, self.at.slack.id, channel)
            .await
            .expect("conversation")
            .expect("known");
        (found.state, found.reason)
    }
}

#[tokio::test]
async fn an_uninstalled_app_loses_its_token_but_keeps_its_row() {
    for revoked_first in [false, true] {
        on_each("uninstalled", |place| async move {
            let stage = Stage::set(&place).await;
            let later = stage.now() + 2;
            let mut events = [uninstalled(later), revoked(&[BOT], later)];
            if revoked_first {
                events.reverse();
            }
            for event in events.iter().chain(&events) {
                assert_eq!(stage.post(event).await, 200);
                // Stored before the acknowledgement.
                let at = stage.installed().await;
                assert_eq!(at.state, InstallationState::Disabled);
                assert!(
                    at.slack().bot_token.is_none()
                        && at.slack().signing_secret.is_some()
                        && at.slack().team_id.is_some()
                );
            }
            let because = stage.installed().await.disabled_because;
            let first = if revoked_first {
                "tokens_revoked"
            } else {
                "app_uninstalled"
            };
            assert_eq!(because.as_deref(), Some(first));
            assert_eq!(stage.audited("installation.revoked").await, 1, "recorded once");
            let event = stage.slack.says(CHANNEL, ALICE, "<@U0BOT> hi").mention();
            assert_eq!(
                stage.post(&event).await,
                200,
                "Slack disables events after refusals"
            );
            // The question waits for a reinstall, and nothing is posted meanwhile.
            let services = stage.running.services();
            let open = services.queue.open(&services.db).await.expect("jobs");
            assert_eq!(open, 1, "it is kept");
            assert!(stage.said(event["event"]["ts"].as_str().unwrap()).is_empty());
            stage.running.stop().await;
        })
        .await;
    }
}

#[tokio::test]
async fn an_event_from_before_the_installation_revokes_nothing() {
    on_each("late", |place| async move {
        let stage = Stage::set(&place).await;
        let installed = stage.installed().await.installed_at.expect("a time").timestamp();
        for event in [
            uninstalled(installed - 3_600),
            uninstalled(installed),
            revoked(&[BOT], installed),
            // For users' tokens, and for another bot's.
            revoked(&[], installed + 5),
            revoked(&["U0OTHERBOT"], installed + 5),
            at_time(json!({ "type": "tokens_revoked" }), installed + 5),
        ] {
            assert_eq!(stage.post(&event).await, 200);
            let at = stage.installed().await;
            assert!(
                at.state == InstallationState::Active && at.slack().bot_token.is_some(),
                "{event}"
            );
        }
        assert_eq!(stage.post(&uninstalled(installed + 1)).await, 200);
        assert_eq!(stage.installed().await.state, InstallationState::Disabled);
        stage.running.stop().await;
    })
    .await;
}

/// A reinstall makes waiting jobs due, including a job that is only about to start waiting.
#[tokio::test]
async fn a_reinstall_while_a_job_is_being_rescheduled_is_noticed() {
    on_each("rights return", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = running.organization("Acme").await;
        let at = running.slack_assistant(&org).await.slack;
        let services = running.services().clone();
        let installations = services.installations.clone();
        installations
            .disable(&at, "token_revoked")
            .await
            .expect("disabled");
        let job = NewJob {
            pool: Pool::Chat,
            kind: "test".into(),
            lane: format!("deliver/{}/C/1", at.id),
            payload: json!({}),
            patience: Patience::Usual,
            asker: None,
        };
        let (queue, org) = (services.queue.clone(), org.id);
        let added = services.db.write(move |tx| {
            let (queue, job) = (queue.clone(), job.clone());
            Box::pin(async move { queue.add(tx, org, JobId::new(), &job).await })
        });
        added.await.expect("added");
        let attempts = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&attempts);
        let handlers = Handlers::default().with(
            "test",
            move |claim| {
                let (installations, at) = (installations.clone(), at.clone());
                let attempt = counted.fetch_add(1, Ordering::Relaxed);
                async move {
                    if attempt > 0 {
                        return Ok(Done::Nothing);
                    }
                    let fields = SlackFields {
                        bot_token: at.slack().bot_token.clone(),
                        ..SlackFields::default()
                    };
                    let now = installations.by_id(at.org, at.id).await?;
                    assert_eq!(now.state, InstallationState::Disabled);
                    installations.update(Actor::OPERATOR, now, fields).await?;
                    let (if_disabled, if_active) = (Duration::from_secs(3_600), Duration::ZERO);
                    installations
                        .wait_until_active(&claim, at.id, if_disabled, if_active)
                        .await?;
                    Ok(Done::Finished)
                }
            },
            |_, _| async { Ok(()) },
        );
        let worker = Worker::new(services.db.clone(), services.queue.clone(), handlers);
        let (stop, stopping) = watch::channel(false);
        let working = tokio::spawn(async move {
            worker
                .run(
                    Slots {
                        chat: 1,
                        ..Slots::for_runs(0)
                    },
                    stopping,
                )
                .await;
        });
        running.settle().await;
        assert_eq!(attempts.load(Ordering::Relaxed), 2);
        stop.send(true).expect("working");
        working.await.expect("no panic");
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_refusal_of_an_old_token_does_not_affect_a_new_installation() {
    on_each("earlier", |place| async move {
        let stage = Stage::set(&place).await;
        let installations = &stage.running.services().installations;
        let before = stage.installed().await;
        let fields = corbel::assistants::slack::grants::SlackFields {
            bot_token: before.slack().bot_token.clone(),
            ..Default::default()
        };
        let actor = corbel::audit::store::Actor::OPERATOR;
        let after = installations
            .update(actor, before.clone(), fields)
            .await
            .expect("reinstalled");
        assert!(after.installed_at > before.installed_at);
        installations
            .disable(&before, "token_revoked")
            .await
            .expect("no error");
        assert_eq!(stage.installed().await.state, InstallationState::Active);
        installations
            .disable(&after, "token_revoked")
            .await
            .expect("no error");
        assert_eq!(stage.installed().await.state, InstallationState::Disabled);
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn outsiders_suspend_an_approval_and_leaving_does_not_restore_it() {
    on_each("outsiders", |place| async move {
        let stage = Stage::set(&place).await;
        let shared = |time| {
            let event = json!({ "type": "channel_shared", "connected_team_id": "T0EXT", "channel": CHANNEL });
            at_time(event, time)
        };
        let unshared = |still: bool| {
            let event = json!({
                "type": "channel_unshared", "previously_connected_team_id": "T0EXT", "channel": CHANNEL,
                "is_ext_shared": still,
            });
            at_time(event, stage.now())
        };
        assert_eq!(
            stage.post(&shared(stage.now())).await,
            200,
            "not approved: nothing to suspend"
        );
        stage.approve(CHANNEL).await;
        assert_eq!(stage.post(&shared(stage.now() - 60)).await, 200);
        assert_eq!(
            stage.state_of(CHANNEL).await.0,
            ConversationState::Approved,
            "decided since"
        );
        for _ in 0..2 {
            assert_eq!(stage.post(&shared(stage.now() + 1)).await, 200);
            let (state, reason) = stage.state_of(CHANNEL).await;
            assert_eq!(state, ConversationState::Suspended);
            assert!(reason.expect("a reason").contains("another workspace"));
        }
        assert_eq!(stage.audited("conversation.suspended").await, 1);
        let with_outsiders = stage.state_of(CHANNEL).await;
        assert_eq!(stage.post(&unshared(true)).await, 200);
        assert_eq!(
            stage.state_of(CHANNEL).await,
            with_outsiders,
            "other outsiders are still members"
        );
        assert_eq!(stage.post(&unshared(false)).await, 200);
        let (state, reason) = stage.state_of(CHANNEL).await;
        assert_eq!(state, ConversationState::Suspended);
        assert!(reason.expect("a reason").contains("no longer"));
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn lifecycle_events_are_accepted_only_from_slack() {
    on_each("forged", |place| async move {
        let stage = Stage::set(&place).await;
        let event = uninstalled(stage.now() + 5);
        assert_eq!(
            deliver(&stage.at.events, "wrong", stage.now(), &event)
                .await
                .status,
            401
        );
        for (field, value) in [("api_app_id", "A0OTHER"), ("context_team_id", "T0OTHER")] {
            let mut other = event.clone();
            other[field] = json!(value);
            assert_eq!(
                deliver(&stage.at.events, SECRET, stage.now(), &other)
                    .await
                    .status,
                403
            );
        }
        assert_eq!(stage.installed().await.state, InstallationState::Active);
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn granted_and_revoked_workspaces_are_recorded() {
    on_each("access", |place| async move {
        let stage = Stage::set(&place).await;
        for (kind, action) in [
            ("team_access_granted", "installation.access_granted"),
            ("team_access_revoked", "installation.access_revoked"),
        ] {
            let event = at_time(json!({ "type": kind, "team_ids": ["T0NEW"] }), stage.now());
            assert_eq!(stage.post(&event).await, 200);
            assert_eq!(stage.audited(action).await, 1);
        }
        assert_eq!(stage.installed().await.state, InstallationState::Active);
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_certificate_check_gets_an_empty_response() {
    on_each("certificate", |place| async move {
        let stage = Stage::set(&place).await;
        let address = stage.at.events.trim_end_matches("/events").to_owned();
        for end in ["events", "interactivity", "commands"] {
            let url = format!("{address}/{end}");
            let form = http().post(&url).form(&[("ssl_check", "1"), ("token", "x")]);
            let query = http().get(format!("{url}?ssl_check=1&token=x"));
            for request in [form, query] {
                let reply = request.send().await.expect("a reply");
                assert_eq!(reply.status(), 200, "{end}");
                assert_eq!(reply.text().await.expect("text"), "");
            }
            assert_eq!(http().get(&url).send().await.expect("a reply").status(), 405);
        }
        let at = stage.installed().await;
        assert!(at.last_call_at.is_none(), "that was not signed");
        let event = callback(json!({ "type": "user_change" }));
        assert_eq!(stage.post(&event).await, 200);
        stage
            .running
            .until("the call is recorded", async || {
                stage.installed().await.last_call_at.is_some()
            })
            .await;
        stage.running.stop().await;
    })
    .await;
}
