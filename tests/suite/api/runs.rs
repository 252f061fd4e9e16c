//! Runs over HTTP: the request, the immediate response, and what the engine then gets.

use std::sync::Arc;
use std::time::{Duration, Instant};

use corbel::analysts::model::{Memory, Profile};
use corbel::audit::store::Actor;
use corbel::base::model::Model;
use corbel::base::principal::Role;
use corbel::base::tone::Tone;
use corbel::context::model::NoteKind;
use corbel::keys::model::Environment;
use corbel::portfolio::model::Buildings;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::harness::api::Api;
use crate::harness::app::{Org, Person, Running, on_each};
use crate::harness::engine::{Act, Scripted};

const DSCR: &str = "What is the DSCR with NOI of 1,200,000 and debt service of 900,000?";
const RANDOM: &str = "0198b7a2-6a52-7c3e-9d51-2f0c8f6f8a11";

pub async fn api(app: &Running, person: &Person) -> Api {
    let key = app.key(person, Environment::Production).await;
    app.api(&key).await
}

pub async fn run(api: &Api, body: Value) -> crate::harness::api::Answer {
    api.post("/users/run-models", &body).await
}

/// The selection stored in a run's job.
async fn selection(app: &Running, admitted: &Value) -> Value {
    let run: uuid::Uuid = admitted["runId"].as_str().expect("an id").parse().expect("an id");
    let row: (sqlx::types::Json<Value>,) = app
        .services()
        .db
        .query("SELECT payload FROM jobs WHERE id = $1")
        .bind(run)
        .one()
        .await
        .expect("the job");
    row.0.0["selection"].clone()
}

fn check_accepted(body: &Value) {
    assert_eq!(
        (
            &body["accepted"],
            &body["status"],
            &body["responseDeadlineReached"]
        ),
        (&json!(true), &json!("processing"), &json!(true))
    );
    let ids: Vec<&str> = ["runId", "messageId", "sessionId"]
        .iter()
        .map(|id| body[*id].as_str().expect("an id"))
        .collect();
    assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
    assert!(body["hint"].as_str().expect("a hint").contains(ids[1]));
    assert!(body["pollAfterSeconds"].is_u64());
}

#[tokio::test]
async fn waiting_returns_the_answer_or_that_it_is_in_progress() {
    on_each("waiting for an answer", async |place| {
        let gate = Arc::new(Notify::new());
        let acts = [Act::Answer("at once"), Act::When(Arc::clone(&gate), "late")];
        let app = place
            .start_with(place.config(&[]), Arc::new(Scripted::new(acts)))
            .await;
        let org = app.organization("Marlow Ridge").await;
        let mara = api(&app, &org.mara).await;
        let started = Instant::now();
        let done = run(&mara, json!({ "question": "1", "wait": "true" }))
            .await
            .expect(200);
        assert_eq!(
            (&done["status"], &done["quickReply"], &done["success"]),
            (&json!("completed"), &json!("at once"), &json!(true))
        );
        assert!(
            started.elapsed() < Duration::from_secs(4),
            "the request waited until its deadline"
        );
        assert!(done.get("accepted").is_none());

        let started = Instant::now();
        let late = run(&mara, json!({ "question": "2", "wait": true }))
            .await
            .expect(200);
        assert!(
            started.elapsed() >= Duration::from_secs(5),
            "{:?}",
            started.elapsed()
        );
        check_accepted(&late);
        assert_eq!(late["pollAfterSeconds"], 2);
        gate.notify_one();
        app.settle().await;
        let read = json!({ "messageId": late["messageId"], "sessionId": late["sessionId"] });
        let read = mara
            .post("/users/me/chat-sessions/message-responses", &read)
            .await
            .expect(200);
        assert_eq!(read["responses"][0]["quickReply"], "late");
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_run_that_fails_during_a_wait_is_reported_as_failed() {
    on_each("a run that fails during a wait", async |place| {
        let gate = Arc::new(Notify::new());
        let acts = [Act::When(Arc::clone(&gate), "never")];
        let app = place
            .start_with(place.config(&[]), Arc::new(Scripted::new(acts)))
            .await;
        let org = app.organization("Marlow Ridge").await;
        let mara = api(&app, &org.mara).await;
        let (waiting, ()) = tokio::join!(run(&mara, json!({ "question": "1", "wait": true })), async {
            let list = "/users/me/chat-messages?status=processing";
            app.until("the run is in progress", async || {
                mara.get(list).await.expect(200)["messages"][0].is_object()
            })
            .await;
            let turn = mara.get(list).await.expect(200)["messages"][0].clone();
            super::history::stop(&app, &org.mara, &turn).await;
        });
        let failed = waiting.expect(200);
        assert_eq!(
            (&failed["status"], &failed["success"], &failed["failure"]),
            (&json!("failed"), &json!(false), &json!("run_stopped"))
        );
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn no_request_waits_while_there_is_a_backlog() {
    on_each("no_request_waits_while_there_is_a_backlog", async |place| {
        let gate = Arc::new(Notify::new());
        let acts = [
            Act::When(Arc::clone(&gate), "first"),
            Act::Answer("second"),
            Act::Answer("third"),
        ];
        let config = place.config(&[("CORBEL_WORKERS", "1")]);
        let app = place.start_with(config, Arc::new(Scripted::new(acts))).await;
        let org = app.organization("Marlow Ridge").await;
        let mara = api(&app, &org.mara).await;
        let first = run(&mara, json!({ "question": "1" })).await.expect(202);
        check_accepted(&first);
        // A second run of the session waits in its lane, and so does each run after it.
        let second = json!({ "question": "2", "wait": true, "sessionId": first["sessionId"] });
        let second = run(&mara, second).await.expect(202);
        check_accepted(&second);
        app.until("the first run is in progress", async || {
            let one = app
                .services()
                .queue
                .has_at_least_waiting(&app.services().db, corbel::queue::job::Pool::Run, 2)
                .await;
            !one.expect("jobs")
        })
        .await;
        check_accepted(
            &run(&mara, json!({ "question": "3", "wait": true }))
                .await
                .expect(202),
        );
        gate.notify_one();
        app.settle().await;
        let path = format!(
            "/users/me/chat-sessions/{}/messages",
            first["sessionId"].as_str().expect("an id")
        );
        let turns = mara.get(&path).await.expect(200);
        let said: Vec<&Value> = (0..2)
            .map(|n| &turns["messages"][n]["response"]["quickReply"])
            .collect();
        assert_eq!(said, [&json!("first"), &json!("second")]);
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_sandbox_key_has_a_long_poll_interval_and_two_requests_are_two_runs() {
    on_each("a_sandbox_key_is_told_to_poll_slowly", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Marlow Ridge").await;
        let key = app.key(&org.mara, Environment::Sandbox).await;
        let sandbox = app.api(&key).await;
        let body = json!({ "question": DSCR });
        let mut runs = Vec::new();
        for _ in 0..2 {
            let call = sandbox.call(reqwest::Method::POST, "/users/run-models");
            let answer = call
                .header("Idempotency-Key", "the same")
                .json(&body)
                .send()
                .await;
            runs.push(answer.expect(202));
        }
        assert_eq!(runs[0]["pollAfterSeconds"], 15);
        assert_ne!(runs[0]["runId"], runs[1]["runId"]);
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn invalid_requests_are_refused_and_start_no_run() {
    on_each("invalid_requests_are_refused_and_start_no_run", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Marlow Ridge").await;
        let mara = api(&app, &org.mara).await;
        for policy in [
            json!(null),
            json!("organization-safe"),
            json!(""),
            json!(true),
            json!(["organisation-safe"]),
        ] {
            let body = json!({ "question": DSCR, "contextPolicy": policy });
            run(&mara, body).await.refused(400, "invalid_context_policy");
        }
        for (field, value) in [
            ("question", json!("  ")),
            ("question", json!(7)),
            ("question", json!("x".repeat(40_001))),
            ("sessionId", json!("no id")),
            ("tone", json!("rude")),
            ("wait", json!("yes")),
            ("wait", json!(1)),
            ("fastMode", json!("TRUE")),
            ("user", json!({ "modelType": "svc-huge" })),
            ("user", json!({ "buildingIds": "B1" })),
            ("customAnalyst", json!({ "name": "without an id" })),
            ("customAnalyst", json!({ "id": RANDOM, "tone": "rude" })),
            ("taggedMemoryIds", json!([{ "name": "no id" }])),
            (
                "taggedMemoryIds",
                json!([{ "id": RANDOM, "memoryId": "another" }]),
            ),
        ] {
            let mut body = json!({ "question": DSCR });
            body[field] = value;
            run(&mara, body.clone()).await.refused(400, "invalid_request");
        }
        for (field, value) in [
            ("sessionId", json!(RANDOM)),
            ("user", json!({ "modelId": RANDOM })),
            ("user", json!({ "modelId": "svc-pro" })),
            ("customAnalyst", json!({ "id": RANDOM })),
            ("taggedMemoryIds", json!([RANDOM])),
            ("taggedMemoryIds", json!(["a note"])),
            ("userMemoryAttachmentsIds", json!([RANDOM])),
            ("orgMemoryAttachmentsIds", json!([RANDOM])),
        ] {
            let mut body = json!({ "question": DSCR });
            body[field] = value;
            run(&mara, body.clone()).await.refused(404, "not_found");
        }
        let list = mara.get("/users/me/chat-messages").await.expect(200);
        assert_eq!(list["messages"], json!([]));
        // Null means absent; unknown fields are ignored, including user identities.
        let body = json!({
            "question": DSCR, "sessionId": null, "tone": null, "wait": null, "user": { "id": org.noel.user },
            "customAnalyst": null, "taggedMemoryIds": null, "userId": org.noel.user, "organizationId": RANDOM,
            "surprise": 1,
        });
        run(&mara, body).await.expect(202);
        let list = mara.get("/users/me/chat-messages").await.expect(200);
        assert_eq!(list["messages"].as_array().expect("messages").len(), 1);
        app.stop().await;
    })
    .await;
}

async fn note(app: &Running, org: &Org, owner: &Person, kind: NoteKind, title: &str) -> Value {
    let context = &app.services().context;
    let made = context
        .create(
            Actor::OPERATOR,
            org.id,
            owner.user,
            kind,
            title,
            "The house view.",
        )
        .await;
    json!(made.expect("a note"))
}

#[tokio::test]
async fn tagged_notes_are_included_but_personal_ones_not_in_safe_runs() {
    on_each("tagged_notes_go_along", async |place| {
        let engine = Scripted::new([]);
        let app = place
            .start_with(place.config(&[]), Arc::new(engine.clone()))
            .await;
        let org = app.organization("Marlow Ridge").await;
        let mara = api(&app, &org.mara).await;
        let own = note(&app, &org, &org.mara, NoteKind::Personal, "mara's secret title").await;
        let house = note(&app, &org, &org.noel, NoteKind::Organization, "house").await;
        let foreign = note(&app, &org, &org.noel, NoteKind::Personal, "noel's").await;
        let tags = json!([own, { "memoryId": house, "attachmentIds": [] }, { "id": own }]);
        let body = |safe: bool| {
            let mut body = json!({ "question": "unrelated", "wait": true, "taggedMemoryIds": tags });
            if safe {
                body["contextPolicy"] = json!("organisation-safe");
            }
            body
        };
        let private = run(&mara, body(false)).await.expect(200);
        assert_eq!(private["warnings"], json!([]));
        let safe = run(&mara, body(true)).await.expect(200);
        let warning = safe["warnings"][0].as_str().expect("a warning");
        assert!(warning.contains(own.as_str().expect("an id")), "{warning}");
        assert!(!safe.to_string().contains("secret"), "{safe}");
        assert_eq!(safe["audience"]["organisationSafe"], true);
        let seen: Vec<Vec<String>> = engine
            .briefs()
            .iter()
            .map(|brief| brief.notes.iter().map(|note| note.id.to_string()).collect())
            .collect();
        let text = |id: &Value| id.as_str().expect("an id").to_owned();
        assert_eq!(seen, [vec![text(&own), text(&house)], vec![text(&house)]]);
        let body =
            json!({ "question": "1", "taggedMemoryIds": [foreign], "contextPolicy": "organisation-safe" });
        run(&mara, body).await.refused(404, "not_found");
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn an_analyst_sets_its_tone_and_is_private_to_its_owner() {
    on_each("an_analyst_brings_its_tone", async |place| {
        let engine = Scripted::new([]);
        let app = place.start_with(place.config(&[]), Arc::new(engine.clone())).await;
        let org = app.organization("Marlow Ridge").await;
        let (mara, noel) = (api(&app, &org.mara).await, api(&app, &org.noel).await);
        let profile = Profile {
            name: "Underwriter".into(),
            base: Model::Fast,
            tone: Tone::Consultative,
            emoji: None,
            description: None,
        };
        let analysts = &app.services().analysts;
        let made = analysts.create(&org.mara.principal(), profile, Memory::default()).await;
        let analyst = made.expect("an analyst").analyst.analyst;
        let id = json!(analyst.id);
        let tones = [
            (json!({ "customAnalyst": { "id": id, "tone": "funny" }, "tone": "friendly" }), Tone::Friendly),
            (
                json!({ "customAnalyst": { "id": id, "tone": "funny", "modelType": "svc-pro", "name": "x" } }),
                Tone::Funny,
            ),
            (json!({ "customAnalyst": { "id": id } }), Tone::Consultative),
            (json!({ "user": { "modelId": analyst.model_id } }), Tone::Consultative),
            (json!({}), Tone::Professional),
        ];
        for (mut body, tone) in tones {
            body["question"] = json!("1");
            body["wait"] = json!(true);
            run(&mara, body.clone()).await.expect(200);
            let briefs = engine.briefs();
            assert_eq!(briefs.last().expect("a brief").tone, tone, "{body}");
            if !body["customAnalyst"].is_null() || !body["user"].is_null() {
                run(&noel, body).await.refused(404, "not_found");
            }
        }
        let admitted = run(&mara, json!({ "question": "1", "customAnalyst": { "id": id } })).await.expect(202);
        let kept = selection(&app, &admitted).await;
        assert_eq!((&kept["model"], &kept["analyst"]), (&json!("svc-fast"), &id));
        let body = json!({ "question": "1", "customAnalyst": { "id": id }, "user": { "modelType": "svc-pro" } });
        let admitted = run(&mara, body).await.expect(202);
        assert_eq!(selection(&app, &admitted).await["model"], "svc-pro");
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn the_buildings_granted_on_the_server_override_the_request() {
    on_each("the_servers_buildings_win", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Marlow Ridge").await;
        let admin = app.member(&org, "Odile", Role::Admin).await;
        let portfolio = &app.services().portfolio;
        for id in ["B1", "B2", "B3"] {
            portfolio
                .put_building(Actor::OPERATOR, org.id, id, id)
                .await
                .expect("a building");
        }
        let other = app.organization("Tern Quay").await;
        portfolio
            .put_building(Actor::OPERATOR, other.id, "B9", "B9")
            .await
            .expect("a building");
        let only = |ids: &[&str]| json!({ "only": ids });
        let (mara, boss) = (api(&app, &org.mara).await, api(&app, &admin).await);
        let check = async |who: &Api, asked: Value, expected: Value| {
            let admitted = run(who, json!({ "question": "1", "user": { "buildingIds": asked } }))
                .await
                .expect(202);
            assert_eq!(selection(&app, &admitted).await["buildings"], expected, "{asked}");
        };
        // A new member has no buildings, whatever the request names.
        check(&mara, json!(["B1"]), only(&[])).await;
        check(&mara, json!(null), only(&[])).await;
        let granted = Buildings::Only(["B1".to_owned(), "B2".to_owned()].into());
        portfolio
            .grant(Actor::OPERATOR, org.id, org.mara.user, granted)
            .await
            .expect("granted");
        check(&mara, json!(["B2", "B3"]), only(&["B2"])).await;
        check(&mara, json!(["B3", "B9", "no such", "\u{0}"]), only(&[])).await;
        check(&mara, json!([]), only(&["B1", "B2"])).await;
        check(&mara, json!(null), only(&["B1", "B2"])).await;
        check(&boss, json!(null), json!("all")).await;
        check(&boss, json!(["B3", "B9"]), only(&["B3"])).await;
        portfolio
            .grant(Actor::OPERATOR, org.id, org.mara.user, Buildings::All)
            .await
            .expect("granted");
        check(&mara, json!(null), json!("all")).await;
        portfolio
            .grant(Actor::OPERATOR, org.id, org.mara.user, Buildings::default())
            .await
            .expect("granted");
        check(&mara, json!(["B1"]), only(&[])).await;
        let unknown = Buildings::Only(["B9".to_owned()].into());
        assert!(
            portfolio
                .grant(Actor::OPERATOR, org.id, org.mara.user, unknown)
                .await
                .is_err()
        );
        app.stop().await;
    })
    .await;
}
