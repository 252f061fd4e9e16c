//! Ownership of turns and sessions: those of others are absent, and a shared session can be read by its participants.

use std::collections::BTreeSet;

use corbel::analysis::request::RunRequest;
use corbel::sessions::model::Audience;
use corbel::sessions::model::Which;
use serde_json::{Value, json};

use crate::api::history::{admit, all, api, ids};
use crate::harness::app::on_each;
use crate::queue::ask;

const DSCR: &str = "What is the DSCR with NOI of 1,200,000 and debt service of 900,000?";

#[tokio::test]
async fn data_of_others_is_absent() {
    on_each("data_of_others_is_absent", async |place| {
        let app = place.start(&[]).await;
        let (org, other) = (
            app.organization("Marlow Ridge").await,
            app.organization("Tern Quay").await,
        );
        let mara = api(&app, &org.mara).await;
        let own = admit(&mara, DSCR, None).await;
        app.settle().await;
        let (message, session) = (
            own["messageId"].as_str().expect("an id"),
            own["sessionId"].as_str().expect("an id"),
        );
        let random = "0198b7a2-6a52-7c3e-9d51-2f0c8f6f8a11";
        for stranger in [&org.noel, &other.mara] {
            let stranger = api(&app, stranger).await;
            let mut problems = BTreeSet::new();
            for (message, session) in [(message, session), (random, random)] {
                let mut answers = vec![
                    stranger.get(&format!("/users/me/chat-messages/{message}")).await,
                    stranger.get(&format!("/users/me/chat-sessions/{session}")).await,
                    stranger
                        .get(&format!("/users/me/chat-sessions/{session}/messages"))
                        .await,
                ];
                for body in [
                    json!({ "sessionId": session }),
                    json!({ "messageId": message }),
                    json!({ "sessionId": session, "messageId": message }),
                ] {
                    answers.push(
                        stranger
                            .post("/users/me/chat-sessions/message-responses", &body)
                            .await,
                    );
                }
                let follow_up = json!({ "question": "And then?", "sessionId": session });
                answers.push(stranger.post("/users/run-models", &follow_up).await);
                let bodies: Vec<Value> = answers
                    .into_iter()
                    .map(|answer| {
                        let mut body = answer.refused(404, "not_found");
                        body["requestId"] = Value::Null;
                        body
                    })
                    .collect();
                problems.insert(serde_json::to_string(&bodies).expect("text"));
                let list = format!("/users/me/chat-messages?sessionId={session}");
                assert_eq!(all(&stranger, &list, "messages", 5).await.len(), 0);
            }
            assert_eq!(
                problems.len(),
                1,
                "another user's id has the same response as a random one: {problems:?}"
            );
        }
        for wrong in ["no-id", "%00", "0198b7a2"] {
            for path in [
                "chat-messages/{}",
                "chat-sessions/{}",
                "chat-sessions/{}/messages",
            ] {
                let path = format!("/users/me/{}", path.replace("{}", wrong));
                mara.get(&path).await.refused(404, "not_found");
            }
        }
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_shared_session_can_be_read_by_its_participants() {
    on_each("shared session", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Marlow Ridge").await;
        let silent = app
            .member(&org, "Odile", corbel::base::principal::Role::Owner)
            .await;
        let shared = RunRequest {
            session: Which::Origin {
                origin: "conversation/1".into(),
                audience: Audience::Shared,
            },
            ..ask(DSCR)
        };
        let analysis = &app.services().analysis;
        let first = analysis
            .admit(&org.mara.principal(), shared.clone(), None)
            .await
            .expect("admitted");
        let second = analysis
            .admit(&org.noel.principal(), shared, None)
            .await
            .expect("admitted");
        assert_eq!(first.session, second.session);
        app.settle().await;
        let path = format!("/users/me/chat-sessions/{}", first.session);
        for person in [&org.mara, &org.noel] {
            let api = api(&app, person).await;
            let read = api.get(&path).await.expect(200);
            assert_eq!(
                (
                    &read["audience"],
                    read["participants"].as_array().expect("people").len()
                ),
                (&json!("shared"), 2)
            );
            let turns = all(&api, &format!("{path}/messages"), "messages", 1).await;
            assert_eq!(
                ids(&turns),
                [first.message.to_string(), second.message.to_string()]
            );
            // Each user sees only their own messages, even in a shared session.
            let own = all(
                &api,
                &format!("/users/me/chat-messages?sessionId={}", first.session),
                "messages",
                5,
            )
            .await;
            assert_eq!(own.len(), 1);
        }
        // An owner of the organization who did not take part cannot read it either, nor join by asking.
        let silent = api(&app, &silent).await;
        silent.get(&path).await.refused(404, "not_found");
        silent
            .get(&format!("{path}/messages"))
            .await
            .refused(404, "not_found");
        let question = json!({ "question": DSCR, "sessionId": first.session });
        silent
            .post("/users/run-models", &question)
            .await
            .refused(404, "not_found");
        app.stop().await;
    })
    .await;
}
