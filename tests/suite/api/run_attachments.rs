//! Files of Context notes in runs: named by their attachment ids, authorized like their notes.

use serde_json::{Value, json};

use crate::api::runs::{api, run};
use crate::harness::app::on_each;

const DSCR: &str = "What is the DSCR with NOI of 1,200,000 and debt service of 900,000?";

#[tokio::test]
async fn files_of_notes_are_included_by_their_attachment_ids() {
    on_each("files_of_notes_go_along", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Marlow Ridge").await;
        let (mara, noel) = (api(&app, &org.mara).await, api(&app, &org.noel).await);
        let mut ids = Vec::new();
        for kind in ["user_memory", "organisation_memory"] {
            let body = json!({
                "memoryType": kind, "noteTitle": kind, "noteContext": "Rents.",
                "files": [{ "filename": format!("{kind}.csv"), "contentBase64": "dW5pdHMscmVudAoxLDIK" }],
            });
            let note = mara.post("/users/add-to-memory", &body).await.expect(201);
            let id = note["memoryId"].as_str().expect("an id").to_owned();
            let listed = mara
                .post(&format!("/users/memory/{id}/files"), &json!({}))
                .await
                .expect(200);
            ids.push((id, listed["files"][0]["attachmentId"].clone()));
        }
        let [(note, own), (_, house)] = ids.try_into().expect("two notes");
        let body = |safe: bool| {
            let mut body = json!({
                "question": DSCR, "wait": true, "orgMemoryAttachmentsIds": [house],
                "userMemoryAttachmentsIds": [own], "taggedMemoryIds": [{ "id": note, "attachmentIds": [own] }],
            });
            if safe {
                body["contextPolicy"] = json!("organisation-safe");
            }
            body
        };
        for (safe, expected) in [
            (false, vec!["organisation_memory.csv", "user_memory.csv"]),
            (true, vec!["organisation_memory.csv"]),
        ] {
            let done = run(&mara, body(safe)).await.expect(200);
            let files = mara
                .post("/users/me/chat-sessions/attachments", &json!({ "messageId": done["messageId"] }))
                .await
                .expect(200);
            let mut names: Vec<&str> = files["files"]
                .as_array()
                .unwrap_or_else(|| panic!("{files}"))
                .iter()
                .map(|file| file["filename"].as_str().expect("a name"))
                .collect();
            names.sort_unstable();
            assert_eq!(names, expected);
            let warned = done["warnings"].to_string();
            assert_eq!(warned.contains(own.as_str().expect("an id")), safe, "{warned}");
            assert!(!warned.contains(".csv"), "{warned}");
        }
        // The organization's files are available to the colleague, the personal ones are not.
        let house = json!({ "question": DSCR, "orgMemoryAttachmentsIds": [house] });
        run(&noel, house).await.expect(202);
        for field in ["userMemoryAttachmentsIds", "orgMemoryAttachmentsIds"] {
            let mut body = json!({ "question": DSCR });
            body[field] = json!([own]);
            run(&noel, body).await.refused(404, "not_found");
        }
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_file_removed_from_its_note_is_removed_from_turns_that_used_it() {
    on_each("a_file_taken_off_its_note", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Marlow Ridge").await;
        let (mara, noel) = (api(&app, &org.mara).await, api(&app, &org.noel).await);
        // "Unit,SF,Status,Market Rent,Actual Rent" with two units, one of them vacant.
        let roll = "VW5pdCxTRixTdGF0dXMsTWFya2V0IFJlbnQsQWN0dWFsIFJlbnQKMSw3MDAsT2NjdXBpZWQsMTAwMCw5MDAKMiw3MDAs\
                    VmFjYW50LDEwMDAsMAo=";
        let body = json!({
            "memoryType": "organisation_memory", "noteTitle": "Roll", "noteContext": "The house's roll.",
            "files": [{ "filename": "roll.csv", "contentBase64": roll }],
        });
        let note = mara.post("/users/add-to-memory", &body).await.expect(201)["memoryId"].clone();
        let path = format!("/users/memory/{}/files", note.as_str().expect("an id"));
        let file = noel.post(&path, &json!({})).await.expect(200)["files"][0]["attachmentId"].clone();
        let body = json!({ "question": "What is the occupancy?", "wait": true, "orgMemoryAttachmentsIds": [file] });
        let done = run(&noel, body).await.expect(200);
        assert_eq!(done["success"], true, "{done}");
        let turn = json!({ "messageId": done["messageId"] });
        let held = async || -> Value {
            let files = noel.post("/users/me/chat-sessions/attachments", &turn).await;
            files.expect(200)["files"].clone()
        };
        let link = held().await[0]["downloadUrl"].as_str().expect("a link").to_owned();
        let download_status = async || {
            let response = crate::harness::app::http().get(&link).send().await;
            response.expect("an answer").status().as_u16()
        };
        assert_eq!(download_status().await, 200);

        let change = json!({ "memoryId": note, "removeAttachmentIds": [file] });
        mara.post("/users/update-memory", &change).await.expect(200);
        assert_eq!((held().await, download_status().await), (json!([]), 404));
        let read = json!({ "sessionId": done["sessionId"], "messageId": done["messageId"] });
        let read = noel.post("/users/me/chat-sessions/message-responses", &read).await.expect(200);
        assert_eq!(read["responses"][0]["files"], json!([]), "{read}");
        // A later turn of the session does not read it either.
        let next = json!({
            "question": "How many units are vacant in the rent roll?",
            "wait": true,
            "sessionId": done["sessionId"],
        });
        let next = run(&noel, next).await.expect(200);
        assert_eq!(next["sources"], json!([]), "{next}");
        app.stop().await;
    })
    .await;
}
