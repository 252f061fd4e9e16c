//! The shortest path from a key to an answer.

use corbel::keys::model::Environment;
use serde_json::json;

use crate::harness::app::on_each;

#[tokio::test]
async fn a_question_is_admitted_and_completes() {
    on_each("a_question_is_admitted_and_completes", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Marlow Ridge").await;
        let api = app.api(&app.key(&org.mara, Environment::Development).await).await;
        let me = api.get("/users/sdk/me").await.expect(200);
        assert_eq!(
            (&me["environment"], &me["role"]),
            (&json!("development"), &json!("member"))
        );
        let question = "What is the DSCR with NOI of 1,200,000 and debt service of 900,000?";
        let admitted = api
            .post("/users/run-models", &json!({ "question": question }))
            .await
            .expect(202);
        app.settle().await;
        let message = admitted["messageId"].as_str().expect("an id");
        let read = api.get(&format!("/users/me/chat-messages/{message}")).await;
        assert_eq!(read.expect(200)["status"], "completed");
        app.stop().await;
    })
    .await;
}
