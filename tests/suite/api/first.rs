//! From a key to an answer.

use corbel::keys::model::Environment;
use serde_json::{Value, json};

use crate::harness::app::{http, on_each};

#[tokio::test]
async fn a_question_is_admitted_and_ends() {
    on_each("a_question_is_admitted_and_ends", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Marlow Ridge").await;
        let key = app.key(&org.mara, Environment::Development).await;
        let me = http()
            .get(format!("{}/users/sdk/me", app.url))
            .header("X-Api-Key", &key)
            .send()
            .await
            .expect("an answer");
        assert_eq!(me.status(), 200);
        let me: Value = me.json().await.expect("JSON");
        assert_eq!(
            (&me["environment"], &me["role"]),
            (&json!("development"), &json!("member"))
        );
        let admitted = http()
            .post(format!("{}/users/run-models", app.url))
            .bearer_auth(&key)
            .json(
                &json!({ "question": "What is the DSCR with NOI of 1,200,000 and debt service of 900,000?" }),
            )
            .send()
            .await
            .expect("an answer");
        assert_eq!(admitted.status(), 202);
        let admitted: Value = admitted.json().await.expect("JSON");
        app.settle().await;
        let read = http()
            .get(format!(
                "{}/users/me/chat-messages/{}",
                app.url,
                admitted["messageId"].as_str().expect("an id")
            ))
            .header("X-Api-Key", &key)
            .send()
            .await
            .expect("an answer");
        let read: Value = read.json().await.expect("JSON");
        assert_eq!(read["status"], "completed");
        app.stop().await;
    })
    .await;
}
