//! Reading turns, sessions and responses: lists, filters, cursors, transcripts.

use std::sync::Arc;

use corbel::keys::model::Environment;
use corbel::sessions::model::digest;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::harness::api::Api;
use crate::harness::app::{Person, Running, on_each};
use crate::harness::engine::{Act, Scripted};

const DSCR: &str = "What is the DSCR with NOI of 1,200,000 and debt service of 900,000?";

pub async fn api(app: &Running, person: &Person) -> Api {
    let key = app.key(person, Environment::Production).await;
    app.api(&key).await
}

pub async fn admit(api: &Api, question: &str, session: Option<&Value>) -> Value {
    let mut body = json!({ "question": question });
    if let Some(session) = session {
        body["sessionId"] = session.clone();
    }
    api.post("/users/run-models", &body).await.expect(202)
}

/// Every item of a list, page by page. Checks that no page is larger than requested.
pub async fn all(api: &Api, path: &str, items: &str, limit: usize) -> Vec<Value> {
    let mut found = Vec::new();
    let mut cursor = String::new();
    loop {
        let sign = if path.contains('?') { '&' } else { '?' };
        let page = api
            .get(&format!("{path}{sign}limit={limit}&cursor={cursor}"))
            .await
            .expect(200);
        let own = page[items].as_array().expect("items");
        assert!(own.len() <= limit, "{page}");
        found.extend(own.iter().cloned());
        match page["nextCursor"].as_str() {
            Some(next) => cursor = next.to_owned(),
            None => return found,
        }
    }
}

pub fn ids(found: &[Value]) -> Vec<&str> {
    found
        .iter()
        .map(|one| one["messageId"].as_str().expect("an id"))
        .collect()
}

#[tokio::test]
async fn messages_are_listed_newest_first_and_filtered() {
    on_each("messages_are_listed_newest_first_and_filtered", async |place| {
        let gate = Arc::new(Notify::new());
        let engine = Scripted::new([
            Act::Answer("a"),
            Act::Answer("b"),
            Act::Answer("c"),
            Act::When(Arc::clone(&gate), "d"),
        ]);
        let app = place.start_with(place.config(&[]), Arc::new(engine)).await;
        let org = app.organization("Marlow Ridge").await;
        let (mara, noel) = (api(&app, &org.mara).await, api(&app, &org.noel).await);
        let first = admit(&mara, "  first?\n", None).await;
        app.settle().await;
        let second = admit(&mara, "second?", Some(&first["sessionId"])).await;
        app.settle().await;
        admit(&noel, "noel's", None).await;
        app.settle().await;
        let third = admit(&mara, "third?", None).await;

        let found = all(&mara, "/users/me/chat-messages", "messages", 2).await;
        let newest_first = [&third, &second, &first].map(|one| one["messageId"].as_str().expect("an id"));
        assert_eq!(ids(&found), newest_first);
        assert_eq!(found[0]["status"], "processing");
        assert_eq!(found[2]["question"], "first?");

        let session = first["sessionId"].as_str().expect("an id");
        let of_session = all(
            &mara,
            &format!("/users/me/chat-messages?sessionId={session}"),
            "messages",
            1,
        )
        .await;
        assert_eq!(ids(&of_session), newest_first[1..]);
        for (status, expected) in [
            ("processing", &newest_first[..1]),
            ("completed", &newest_first[1..]),
            ("failed", &[]),
        ] {
            let found = all(
                &mara,
                &format!("/users/me/chat-messages?status={status}"),
                "messages",
                1,
            )
            .await;
            assert_eq!(ids(&found), expected, "{status}");
        }
        // A client finds its turn after a lost response by a digest of the question, ignoring white space.
        let digest = hex::encode(digest("first?"));
        let path = format!("/users/me/chat-messages?questionDigest={digest}");
        assert_eq!(ids(&all(&mara, &path, "messages", 1).await), newest_first[2..]);
        let path = format!("{path}&sessionId={session}&status=completed");
        assert_eq!(ids(&all(&mara, &path, "messages", 1).await), newest_first[2..]);
        assert_eq!(all(&noel, &path, "messages", 1).await.len(), 0);

        let at = found[1]["createdAt"].as_str().expect("a time").to_owned();
        let from = all(
            &mara,
            &format!("/users/me/chat-messages?createdAfter={at}"),
            "messages",
            5,
        )
        .await;
        assert_eq!(ids(&from), newest_first[..2]);
        let before = all(
            &mara,
            &format!("/users/me/chat-messages?createdBefore={at}"),
            "messages",
            5,
        )
        .await;
        assert_eq!(ids(&before), newest_first[2..]);
        gate.notify_one();
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_page_of_long_answers_is_bounded_in_bytes() {
    on_each("a_page_of_long_answers_is_bounded_in_bytes", async |place| {
        const LONG: usize = 400_000;
        let long: &'static str = "long ".repeat(LONG / 5).leak();
        // Longer than a whole page may be.
        let longest: &'static str = "longest ".repeat(LONG / 2).leak();
        let acts = [long, long, longest, long, "short", long].map(Act::Answer);
        let app = place
            .start_with(place.config(&[]), Arc::new(Scripted::new(acts)))
            .await;
        let org = app.organization("Marlow Ridge").await;
        let mara = api(&app, &org.mara).await;
        let session = admit(&mara, "1", None).await["sessionId"].clone();
        for question in ["2", "3", "4", "5", "6"] {
            app.settle().await;
            admit(&mara, question, Some(&session)).await;
        }
        app.settle().await;

        let path = format!(
            "/users/me/chat-sessions/{}/messages",
            session.as_str().expect("an id")
        );
        let turns = all(&mara, &path, "messages", 100).await;
        let asked: Vec<_> = turns.iter().map(|turn| turn["question"].as_str()).collect();
        assert_eq!(asked, ["1", "2", "3", "4", "5", "6"].map(Some));

        let mut pages = Vec::new();
        let mut cursor = Value::Null;
        loop {
            let body = json!({ "sessionId": session, "limit": 100, "cursor": cursor });
            let page = mara
                .post("/users/me/chat-sessions/message-responses", &body)
                .await
                .expect(200);
            let responses = page["responses"].as_array().expect("responses");
            let bytes = page.to_string().len();
            assert!(responses.len() == 1 || bytes < 1 << 20, "{bytes} bytes");
            pages.push(responses.len());
            cursor = page["nextCursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        // The text is in an answer twice.
        assert_eq!(pages, [1, 1, 1, 2, 1]);
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_cursor_of_another_list_is_refused() {
    on_each("a_cursor_of_another_list_is_refused", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Marlow Ridge").await;
        let mara = api(&app, &org.mara).await;
        let first = admit(&mara, DSCR, None).await;
        admit(&mara, DSCR, Some(&first["sessionId"])).await;
        app.settle().await;
        let page = mara.get("/users/me/chat-messages?limit=1").await.expect(200);
        let cursor = page["nextCursor"].as_str().expect("another page");
        let session = first["sessionId"].as_str().expect("an id");
        let mut altered = cursor.to_owned();
        let last = altered.pop();
        altered.push(if last == Some('A') { 'Q' } else { 'A' });
        for path in [
            format!("/users/me/chat-messages?cursor={altered}"),
            format!("/users/me/chat-messages?cursor={cursor}&status=completed"),
            format!("/users/me/chat-sessions/{session}/messages?cursor={cursor}"),
            "/users/me/chat-messages?limit=some".to_owned(),
            "/users/me/chat-messages?status=done".to_owned(),
            "/users/me/chat-messages?createdAfter=yesterday".to_owned(),
            "/users/me/chat-messages?questionDigest=00".to_owned(),
            "/users/me/chat-messages?sessionId=1".to_owned(),
            "/users/me/chat-messages?limit=1&limit=2".to_owned(),
            // A filter left empty by mistake must not list everything.
            "/users/me/chat-messages?status=".to_owned(),
            "/users/me/chat-messages?sessionId=".to_owned(),
        ] {
            mara.get(&path).await.refused(400, "invalid_request");
        }
        // Values out of range are clamped; an empty cursor starts at the beginning; unknown parameters are ignored.
        for path in [
            "limit=0",
            "limit=-5",
            "limit=1000",
            "limit=99999999999999999999",
            "cursor=",
            "page=7",
        ] {
            mara.get(&format!("/users/me/chat-messages?{path}"))
                .await
                .expect(200);
        }
        for far in ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"] {
            mara.get(&format!(
                "/users/me/chat-messages?createdAfter={far}&createdBefore={far}"
            ))
            .await
            .expect(200);
        }
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_transcript_has_each_turn_with_its_answer() {
    on_each("a_transcript_has_each_turn_with_its_answer", async |place| {
        let gate = Arc::new(Notify::new());
        let acts = [
            Act::Answer("one"),
            Act::Answer("two"),
            Act::When(Arc::clone(&gate), "three"),
        ];
        let app = place
            .start_with(place.config(&[]), Arc::new(Scripted::new(acts)))
            .await;
        let org = app.organization("Marlow Ridge").await;
        let mara = api(&app, &org.mara).await;
        let first = admit(&mara, "1", None).await;
        let session = first["sessionId"].clone();
        for question in ["2", "3"] {
            admit(&mara, question, Some(&session)).await;
        }
        let path = format!("/users/me/chat-sessions/{}", session.as_str().expect("an id"));
        app.until("two have ended", async || {
            let turns = mara.get(&format!("{path}/messages")).await.expect(200);
            turns["messages"][1]["status"] == "completed"
        })
        .await;
        let turns = all(&mara, &format!("{path}/messages"), "messages", 2).await;
        let said: Vec<_> = turns
            .iter()
            .map(|turn| (&turn["question"], &turn["response"]["quickReply"]))
            .collect();
        assert_eq!(
            said,
            [
                (&json!("1"), &json!("one")),
                (&json!("2"), &json!("two")),
                (&json!("3"), &Value::Null)
            ]
        );
        let read = mara.get(&path).await.expect(200);
        assert_eq!(read["audience"], "private");
        assert_eq!(
            read["participants"],
            json!([{ "userId": org.mara.user, "name": "Mara of Marlow Ridge" }])
        );
        assert_eq!(read["lastMessage"]["status"], "processing");

        let responses = "/users/me/chat-sessions/message-responses";
        let page = mara
            .post(responses, &json!({ "sessionId": session, "limit": 1 }))
            .await
            .expect(200);
        assert_eq!(
            (&page["responses"][0]["quickReply"], &page["status"]),
            (&json!("one"), &json!("processing"))
        );
        let next = json!({ "sessionId": session, "limit": 1, "cursor": page["nextCursor"] });
        let page = mara.post(responses, &next).await.expect(200);
        assert_eq!(
            (&page["responses"][0]["quickReply"], &page["nextCursor"]),
            (&json!("two"), &Value::Null)
        );
        gate.notify_one();
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn responses_belong_to_their_message_only() {
    on_each("responses_belong_to_their_message_only", async |place| {
        let gate = Arc::new(Notify::new());
        let acts = [Act::Answer("older text"), Act::When(Arc::clone(&gate), "later")];
        let app = place
            .start_with(place.config(&[]), Arc::new(Scripted::new(acts)))
            .await;
        let org = app.organization("Marlow Ridge").await;
        let mara = api(&app, &org.mara).await;
        let path = "/users/me/chat-sessions/message-responses";
        let first = admit(&mara, "1", None).await;
        app.settle().await;
        let second = admit(&mara, "2", Some(&first["sessionId"])).await;

        let read = async |body: Value| mara.post(path, &body).await;
        let pair = json!({ "sessionId": first["sessionId"], "messageId": first["messageId"] });
        let done = read(pair.clone()).await.expect(200);
        assert_eq!(
            (&done["status"], &done["failure"]),
            (&json!("completed"), &Value::Null)
        );
        let response = &done["responses"][0];
        assert_eq!(
            (&response["result"], &response["success"]),
            (&json!("older text"), &json!(true))
        );
        for id in ["messageId", "sessionId", "runId"] {
            assert_eq!(response[id], first[id]);
        }
        assert_eq!(
            read(json!({ "messageId": first["messageId"] })).await.expect(200),
            done
        );
        let waiting = read(json!({ "messageId": second["messageId"] }))
            .await
            .expect(200);
        assert_eq!(
            (&waiting["status"], &waiting["responses"]),
            (&json!("processing"), &json!([]))
        );

        let other = admit(&mara, "3", None).await;
        let random = json!("0198b7a2-6a52-7c3e-9d51-2f0c8f6f8a11");
        for wrong in [
            json!({ "sessionId": other["sessionId"], "messageId": first["messageId"] }),
            json!({ "sessionId": random, "messageId": first["messageId"] }),
            json!({ "sessionId": first["sessionId"], "messageId": random }),
            json!({ "sessionId": random }),
        ] {
            read(wrong).await.refused(404, "not_found");
        }
        for nothing in [
            json!({}),
            json!({ "sessionId": null, "messageId": null }),
            json!({ "sessionId": "x" }),
        ] {
            read(nothing).await.refused(400, "invalid_request");
        }
        gate.notify_one();
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_failed_turn_has_its_failure_and_no_older_text() {
    on_each("a_failed_turn_has_its_failure_and_no_older_text", async |place| {
        let gate = Arc::new(Notify::new());
        let acts = [
            Act::Answer("older text"),
            Act::When(Arc::clone(&gate), "too late"),
        ];
        let app = place
            .start_with(place.config(&[]), Arc::new(Scripted::new(acts)))
            .await;
        let org = app.organization("Marlow Ridge").await;
        let mara = api(&app, &org.mara).await;
        let first = admit(&mara, "1", None).await;
        app.settle().await;
        let second = admit(&mara, "1", Some(&first["sessionId"])).await;
        stop(&app, &org.mara, &second).await;
        let pair = json!({ "sessionId": second["sessionId"], "messageId": second["messageId"] });
        let read = mara
            .post("/users/me/chat-sessions/message-responses", &pair)
            .await
            .expect(200);
        assert_eq!(
            (&read["status"], &read["failure"]),
            (&json!("failed"), &json!("run_stopped"))
        );
        let response = &read["responses"][0];
        assert_eq!(
            (&response["success"], &response["result"]),
            (&json!(false), &json!(""))
        );
        assert_eq!(
            (&response["status"], &response["failure"]),
            (&json!("failed"), &json!("run_stopped"))
        );
        assert!(!read.to_string().contains("older text"));
        gate.notify_one();
        app.stop().await;
    })
    .await;
}

/// Stops a run, as Stop in a chat does.
pub async fn stop(app: &Running, person: &Person, admitted: &Value) {
    let services = app.services().clone();
    let org = person.org;
    let id = admitted["messageId"]
        .as_str()
        .expect("an id")
        .parse()
        .expect("an id");
    let message = services.sessions.message(org, id).await.expect("a message");
    let (db, analysis) = (services.db.clone(), services.analysis.clone());
    let stopped = db
        .write(move |tx| {
            let (analysis, message) = (analysis.clone(), message.clone());
            Box::pin(async move {
                analysis
                    .stop_in(tx, org, &message, corbel::analysis::service::Stop::Asked)
                    .await
            })
        })
        .await;
    assert!(stopped.expect("stopped"));
}
