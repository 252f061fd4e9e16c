//! Files that an answer generates: shown in the thread where the platform shows files, and as download links in the
//! preview.

use std::sync::Arc;

use corbel::analysis::engine::GeneratedFile;

use super::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::browser::Browser;
use crate::harness::engine::{Act, Scripted};
use crate::harness::slack::{ALICE, CHANNEL, DM};

const BYTES: &[u8] = b"PK\x03\x04 an invented workbook";

fn generates(name: &str) -> Act {
    Act::Make(
        "Here it is.",
        vec![GeneratedFile {
            filename: name.to_owned(),
            content_type: "application/octet-stream".to_owned(),
            bytes: BYTES.to_vec(),
        }],
    )
}

#[tokio::test]
async fn a_generated_file_follows_the_answer_once() {
    on_each("made files", |place| async move {
        let engine = Scripted::new([generates("rents.xlsx"), generates("shared.xlsx")]);
        let stage = Stage::set_with(&place, Arc::new(engine)).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        for (place, name) in [(DM, "rents.xlsx"), (CHANNEL, "shared.xlsx")] {
            let said = stage
                .slack
                .says(place, ALICE, "<@U0BOT> the rents as a workbook, please");
            let event = if place == DM {
                said.message()
            } else {
                said.mention()
            };
            assert_eq!(stage.post(&event).await, 200);
            stage.running.settle().await;
            let shown = stage.slack.uploaded();
            let last = shown.last().expect("a file");
            assert_eq!((last.name.as_str(), last.bytes.as_slice()), (name, BYTES));
            assert_eq!(
                (last.channel.as_str(), last.thread.as_deref()),
                (place, Some(said.thread()))
            );
        }
        assert_eq!(stage.slack.uploaded().len(), 2, "each once");
    })
    .await;
}

#[tokio::test]
async fn the_preview_links_to_a_generated_file() {
    on_each("made files in the preview", |place| async move {
        let engine = Scripted::new([generates("rents <1>.xlsx")]);
        let stage = Stage::set_with(&place, Arc::new(engine)).await;
        let mut mara = Browser::of(&stage.running, &stage.org.mara).await;
        let mut form = mara.get("/preview").await.form("class=\"composer\"");
        form.push(("text".to_owned(), "The rents as a workbook, please".to_owned()));
        let posted = mara.post("/preview", &form).await;
        assert_eq!(posted.status, 200, "{}", posted.text);
        stage.running.settle().await;
        let page = mara.get(&posted.path).await;
        assert!(page.text.contains("rents &#60;1&#62;.xlsx"), "{}", page.text);
        let at = page.text.find("/preview/files/").expect("an address");
        let path: String = page.text[at..].chars().take_while(|sign| *sign != '"').collect();
        let response = mara.raw(&path).await;
        assert_eq!(response.status(), 303);
        let link = response.headers()["location"]
            .to_str()
            .expect("a link")
            .to_owned();
        let file = crate::harness::app::http()
            .get(link)
            .send()
            .await
            .expect("an answer");
        assert_eq!(file.bytes().await.expect("bytes"), BYTES);
        let noel = Browser::of(&stage.running, &stage.org.noel).await;
        assert_eq!(noel.raw(&path).await.status(), 404, "a colleague has no access");
    })
    .await;
}
