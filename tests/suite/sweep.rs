//! The sweep removes orphaned files and blobs, and nothing else.

use std::time::Duration;

use corbel::app::sweep::{Swept, sweep};
use corbel::assistants::service::NewAssistant;
use corbel::audit::store::Actor;
use corbel::base::ids::NoteId;
use corbel::base::principal::Role;
use corbel::blobs::store::BlobKey;
use serde_json::{Value, json};

use crate::api::runs::{api, run};
use crate::harness::app::{Running, http, on_each};
use crate::pages::admin_brand::png;

const FILES: &str = "SELECT CAST(COUNT(*) AS BIGINT) FROM files";

async fn files(app: &Running) -> i64 {
    app.services().db.query(FILES).scalar().await.expect("a count")
}

async fn status_of(url: &Value) -> u16 {
    let answer = http().get(url.as_str().expect("a link")).send().await;
    answer.expect("an answer").status().as_u16()
}

#[tokio::test]
async fn only_files_orphaned_for_a_day_are_swept() {
    on_each("sweep", async |place| {
        let app = place.start(&[]).await;
        let services = app.services();
        let org = app.organization("Marlow Ridge").await;
        let ada = app.member(&org, "Ada", Role::Admin).await;
        let mara = api(&app, &org.mara).await;
        let file = |name: &str| json!([{ "filename": name, "contentBase64": "dW5pdHMscmVudAoxLDIK" }]);
        // A note that keeps one file and loses one, a deleted note, and a deleted note whose file a run used.
        let mut notes = Vec::new();
        for name in ["kept.csv", "gone.csv", "taken.csv"] {
            let body = json!({
                "memoryType": "user_memory", "noteTitle": name, "noteContext": "Rents.", "files": file(name),
            });
            let note = mara.post("/users/add-to-memory", &body).await.expect(201);
            let id = note["memoryId"].as_str().expect("an id").to_owned();
            let listed = mara
                .post(&format!("/users/memory/{id}/files"), &json!({}))
                .await
                .expect(200);
            notes.push((id, listed["files"][0]["attachmentId"].clone()));
        }
        let more = json!({ "memoryId": notes[0].0, "files": file("removed.csv") });
        mara.post("/users/update-memory", &more).await.expect(200);
        let listed = mara
            .post(&format!("/users/memory/{}/files", notes[0].0), &json!({}))
            .await
            .expect(200);
        let removed =
            json!({ "memoryId": notes[0].0, "removeAttachmentIds": [listed["files"][1]["attachmentId"]] });
        mara.post("/users/update-memory", &removed).await.expect(200);
        let asked = run(
            &mara,
            json!({ "question": "x", "userMemoryAttachmentsIds": [notes[2].1], "files": file("sent.csv") }),
        )
        .await
        .expect(202);
        app.settle().await;
        for (id, _) in &notes[1..] {
            let id: NoteId = id.parse().expect("an id");
            services
                .context
                .delete(&org.mara.principal(), id, None)
                .await
                .expect("deleted");
        }
        // An icon, and a blob without a row.
        let new = NewAssistant {
            name: "Abacus".to_owned(),
            colour: None,
            greeting: None,
            about: None,
        };
        let (assistant, _) = services
            .assistants
            .create(Actor::OPERATOR, org.id, new, None)
            .await
            .expect("an assistant");
        let actor = Actor::from(&ada.principal());
        services
            .assistants
            .set_icon(&services.blobs, actor, org.id, assistant.id, png(512, 512))
            .await
            .expect("an icon");
        let lost = BlobKey::random().expect("a key");
        services
            .blobs
            .put(org.id, &lost, b"lost".to_vec())
            .await
            .expect("kept");
        assert_eq!(files(&app).await, 5);

        // Recent ones may still get a row.
        assert_eq!(sweep(services).await.expect("swept"), Swept::default());
        services.clock.advance(Duration::from_secs(25 * 3600));
        let swept = sweep(services).await.expect("swept");
        // The removed file and those of the deleted notes, including the one used by a run: without its note it is
        // orphaned. With the blob that has no row, four in the storage.
        assert_eq!((swept.files, swept.blobs), (3, 4));
        assert_eq!(files(&app).await, 2);
        assert!(services.blobs.get(org.id, &lost, 9).await.is_err());
        assert_eq!(sweep(services).await.expect("swept"), Swept::default());

        let listed = mara
            .post(&format!("/users/memory/{}/files", notes[0].0), &json!({}))
            .await
            .expect(200);
        assert_eq!(status_of(&listed["files"][0]["downloadUrl"]).await, 200);
        let turn = json!({ "messageId": asked["messageId"] });
        let turn = mara
            .post("/users/me/chat-sessions/attachments", &turn)
            .await
            .expect(200);
        let of_turn = turn["files"].as_array().expect("files");
        assert_eq!(of_turn.len(), 1);
        for file in of_turn {
            assert_eq!(status_of(&file["downloadUrl"]).await, 200, "{file}");
        }
        let icon = services
            .assistants
            .icon(&services.blobs, org.id, assistant.id)
            .await;
        assert!(icon.expect("read").is_some());
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn leftovers_of_a_broken_upload_in_a_folder_are_swept_too() {
    on_each("fragments", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Marlow Ridge").await;
        let corbel::blobs::store::Place::Folder(folder) = place.config(&[]).storage() else {
            panic!("tests keep files in a folder");
        };
        let folder = folder.join(org.id.to_string());
        std::fs::create_dir_all(&folder).expect("a folder");
        let piece = folder.join("abc#1");
        std::fs::write(&piece, b"half").expect("a piece");
        let services = app.services();
        assert_eq!(sweep(services).await.expect("swept").fragments, 0);
        services.clock.advance(Duration::from_secs(25 * 3600));
        assert_eq!(sweep(services).await.expect("swept").fragments, 1);
        assert!(!piece.exists());
        app.stop().await;
    })
    .await;
}
