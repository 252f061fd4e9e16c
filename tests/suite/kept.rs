//! Databases that an earlier version made: they open, and what is in them works. `tests/data/kept/make.py` made them.

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use corbel::analysis::engines::offline::OfflineAnalyst;
use corbel::app::config::Config;
use serde_json::{Value, json};
use sqlx::Connection as _;

use crate::harness::app::{Place, http, on_each};
use crate::harness::slack::requests::signed;
use crate::harness::slack::{ALICE, CHANNEL, FakeSlack, SECRET};

/// Puts the kept database where the app will look for it; answers what is known of its rows.
async fn restore(place: &Place, config: &Config) -> Value {
    let name = if place.is_sqlite() { "sqlite" } else { "postgres" };
    let kept = Path::new("tests/data/kept");
    let file = std::fs::File::open(kept.join(format!("{name}.zip"))).expect("a kept database");
    let mut archive = zip::ZipArchive::new(file).expect("an archive");
    let mut bytes = Vec::new();
    let mut entry = archive.by_index(0).expect("one file");
    entry.read_to_end(&mut bytes).expect("its bytes");
    std::fs::create_dir_all(&config.data_dir).expect("a folder");
    std::fs::copy(
        kept.join(format!("{name}.key")),
        config.data_dir.join("master.key"),
    )
    .expect("the key");
    if place.is_sqlite() {
        std::fs::write(config.data_dir.join("corbel.db"), bytes).expect("the file");
    } else {
        let dump = String::from_utf8(bytes).expect("SQL");
        let mut connection = sqlx::PgConnection::connect(&config.database())
            .await
            .expect("the server");
        sqlx::raw_sql(sqlx::AssertSqlSafe(dump))
            .execute(&mut connection)
            .await
            .expect("restored");
        connection.close().await.expect("closed");
    }
    let told = std::fs::read_to_string(kept.join(format!("{name}.json"))).expect("what is in it");
    serde_json::from_str(&told).expect("JSON")
}

#[tokio::test]
async fn a_kept_database_opens_and_works() {
    on_each("kept databases", |place: Arc<Place>| async move {
        let slack = FakeSlack::start().await;
        let config = place.config(&[
            ("CORBEL_SLACK_API_URL", &slack.api_base()),
            ("CORBEL_SLACK_HOSTS", &slack.host()),
        ]);
        let told = restore(&place, &config).await;
        let app = place.start_with(config, Arc::new(OfflineAnalyst)).await;
        assert_eq!(app.services().db.pending_migrations().await.expect("known"), 0);

        // Its key signs in, its answer is there, and a follow-up starts from what that answer kept.
        let api = app.api(told["key"].as_str().expect("a key")).await;
        let answered = told["answered"]["messageId"].as_str().expect("an id");
        let message = api
            .get(&format!("/users/me/chat-messages/{answered}"))
            .await
            .expect(200);
        assert_eq!(message["status"], "completed");
        let ask = async |question: &str, session: Option<&Value>| {
            let mut body = json!({ "question": question });
            if let Some(session) = session {
                body["sessionId"] = session.clone();
            }
            let admitted = api.post("/users/run-models", &body).await;
            let admitted = admitted.body;
            let id = admitted["messageId"].as_str().expect("an id").to_owned();
            app.settle().await;
            let found = api
                .post(
                    "/users/me/chat-sessions/message-responses",
                    &json!({ "messageId": id }),
                )
                .await
                .expect(200);
            found.to_string()
        };
        let followed = ask("And with NOI of 1,161,600?", Some(&told["answered"]["sessionId"])).await;
        assert!(followed.contains("1.20x"), "{followed}");

        // What was admitted long ago and never ran is failed, visibly, and costs nothing.
        let pending = told["pending"].as_str().expect("an id");
        let message = api
            .get(&format!("/users/me/chat-messages/{pending}"))
            .await
            .expect(200);
        assert_eq!(message["status"], "failed", "{message}");

        // Its notes are found, and its portfolio is read.
        let note = ask("What does the underwriting policy say?", None).await;
        assert!(note.contains("1.30x"), "{note}");
        let units = ask("How many units do we own?", None).await;
        assert!(units.contains("72"), "{units}");

        // Its sealed secrets open: the signing secret takes the event, the bot token posts the answer.
        let said = slack.says(
            CHANNEL,
            ALICE,
            "<@U0BOT> What is a building with $918,000 of NOI worth at a 6.25% cap?",
        );
        let body = said.mention().to_string();
        let now = app.services().clock.now().timestamp();
        let events = format!("{}{}", app.url, told["events"].as_str().expect("a path"));
        let reply = http()
            .post(events)
            .headers(signed(SECRET, now, body.as_bytes()))
            .body(body);
        assert_eq!(reply.send().await.expect("a reply").status(), 200);
        app.settle().await;
        let answers = slack.final_answers(said.thread());
        assert_eq!(answers.len(), 1, "one answer in the approved channel");
        assert!(
            answers[0].shown().contains("14,688,000"),
            "{}",
            answers[0].shown()
        );

        // Its books and its audit log hold.
        let org = app
            .services()
            .accounts
            .org("Kept")
            .await
            .expect("the organization")
            .id;
        let ledger = app.services().usage.ledger(org).await.expect("a ledger");
        assert!(ledger.consistent, "{:?}", ledger.faults);
        let verdict = corbel::audit::store::verify(&app.services().db, org)
            .await
            .expect("verified");
        assert!(verdict.fault.is_none(), "{verdict:?}");
        app.stop().await;
    })
    .await;
}
