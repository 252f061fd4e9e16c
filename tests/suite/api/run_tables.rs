//! Files with tables in runs: calculated over, cited, counted and available later in the session, but never personal
//! ones in an organisation-safe run.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::api::runs::{api, run};
use crate::harness::app::on_each;

const ROLL: &str = "unit,status,sqft,market_rent,contract_rent\n1,occupied,700,1500,1450\n2,vacant,700,1500,\n\
                    3,occupied,900,1900,1850\n4,occupied,900,1900,1900\n";

fn file(name: &str) -> Value {
    json!({ "filename": name, "contentType": "text/csv", "contentBase64": STANDARD.encode(ROLL) })
}

#[tokio::test]
async fn a_table_is_calculated_over_cited_and_available_to_the_next_question() {
    on_each("run tables", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Marlow Ridge").await;
        let mara = api(&app, &org.mara).await;
        let ask = async |body: Value| {
            let admitted = run(&mara, body).await.expect(202);
            app.settle().await;
            let found = mara
                .post("/users/me/chat-sessions/message-responses", &json!({ "messageId": admitted["messageId"] }))
                .await
                .expect(200);
            (admitted["sessionId"].clone(), found["responses"][0].clone())
        };
        let (session, first) = ask(json!({
            "question": "How full is the building in the attached rent roll?", "files": [file("roll.csv")],
        }))
        .await;
        assert_eq!(first["figures"][0]["name"], "physical_occupancy", "{first}");
        assert_eq!(first["figures"][0]["value"], 0.75);
        assert_eq!(first["sources"][0]["kind"], "personal_file");
        assert_eq!(first["sources"][0]["title"], "roll.csv");
        assert_eq!(first["audience"]["personalFiles"], 1);

        let next = json!({
            "question": "And the monthly loss to lease on that rent roll?", "sessionId": session,
        });
        let (_, next) = ask(next).await;
        assert_eq!(next["figures"][0]["value"], 100.0, "{next}");
        assert_eq!(next["sources"][0]["title"], "roll.csv");

        // Organisation-safe: privately sent files are not loaded.
        let safe = json!({
            "question": "What is the occupancy in that rent roll?", "sessionId": session,
            "contextPolicy": "organisation-safe",
        });
        let (_, safe) = ask(safe).await;
        assert_eq!(safe["figures"], json!([]), "{safe}");
        assert_eq!(safe["audience"]["personalFiles"], 0);
        let (_, sent) = ask(json!({
            "question": "What is the occupancy?", "files": [file("shared.csv")], "contextPolicy": "organisation-safe",
        }))
        .await;
        assert_eq!(sent["figures"][0]["value"], 0.75, "{sent}");
        assert_eq!(sent["sources"][0]["kind"], "organization_file");
        assert_eq!(sent["audience"]["organizationFiles"], 1);
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn files_of_named_notes_are_read_and_missing_ones_are_reported() {
    on_each("note tables", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Marlow Ridge").await;
        let mara = api(&app, &org.mara).await;
        let body = json!({
            "memoryType": "organisation_memory", "noteTitle": "Rents", "noteContext": "The roll of this month.",
            "files": [file("house roll.csv")],
        });
        let note = mara.post("/users/add-to-memory", &body).await.expect(201);
        let question = "What is the total contract rent per month in the file?";
        let named = json!({ "question": question, "taggedMemoryIds": [note["memoryId"]], "wait": true });
        let done = run(&mara, named).await.expect(200);
        assert_eq!(done["figures"][0]["value"], 5200.0, "{done}");
        assert_eq!(done["sources"][0]["kind"], "organization_file");

        let nothing = json!({ "question": "Please check the attached T-12 and give me NOI.", "wait": true });
        let nothing = run(&mara, nothing).await.expect(200);
        assert_eq!(nothing["figures"], json!([]));
        let said = nothing["quickReply"].as_str().expect("text");
        assert!(said.contains("No file came"), "{said}");

        let scan = STANDARD.encode("%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n");
        let scan = json!({ "filename": "scan.pdf", "contentBase64": scan });
        let body = json!({ "question": "What is the occupancy in the attached rent roll?", "files": [scan] });
        let unread = run(&mara, body).await.expect(202);
        app.settle().await;
        let found = mara
            .post("/users/me/chat-sessions/message-responses", &json!({ "messageId": unread["messageId"] }))
            .await
            .expect(200);
        let said = found["responses"][0]["quickReply"].as_str().expect("text").to_owned();
        assert!(said.contains("scan.pdf") && said.contains("cannot read"), "{said}");
        app.stop().await;
    })
    .await;
}
