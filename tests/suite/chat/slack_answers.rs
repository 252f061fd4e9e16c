//! Long answers and large tables posted to a thread: in order and each part once, whatever fault Slack has in
//! between.

use std::sync::Arc;
use std::time::Duration;

use crate::chat::slack_flow::Stage;
use crate::harness::app::{Place, on_each};
use crate::harness::engine::{Act, Scripted};
use crate::harness::slack::{ALICE, DM, FakeSlack, Fault, Message};

/// About this many paragraphs fill one message.
const PAGE: usize = 75;

fn long(pages: usize) -> String {
    let filling = "lorem ipsum dolor sit amet ".repeat(4);
    let paragraph = |number: usize| format!("p{number}q {filling}\n\n");
    (0..pages * PAGE).map(paragraph).collect()
}

pub fn large_table() -> String {
    let rows: String = (0..150).map(|row| format!("| r{row}q | 2,400 |\n")).collect();
    format!("All units:\n\n| Unit | Rent |\n|---|--:|\n{rows}")
}

impl Stage {
    /// A stage whose engine gives these answers one after another.
    pub async fn saying(place: &Arc<Place>, texts: Vec<String>) -> Self {
        let slack = FakeSlack::start().await;
        let config = place.config(&[
            ("CORBEL_SLACK_API_URL", &slack.api_base()),
            ("CORBEL_SLACK_HOSTS", &slack.host()),
        ]);
        let engine = Scripted::new(texts.into_iter().map(|text| Act::Answer(text.leak())));
        let running = place.start_with(config, Arc::new(engine)).await;
        let org = running.organization("Acme").await;
        let at = running.slack_assistant(&org).await;
        let stage = Self {
            running,
            slack,
            org,
            at,
        };
        stage.link(ALICE, stage.org.mara.user).await;
        stage
    }

    /// Asks a question and returns the messages posted to its thread.
    async fn ask(&self) -> Vec<Message> {
        let asked = self.slack.says(DM, ALICE, "Tell me all");
        assert_eq!(self.post(&asked.message()).await, 200);
        self.running.settle().await;
        self.slack.answers(asked.thread())
    }
}

/// The numbers of the paragraphs or rows in these messages, in order.
fn numbers(messages: &[Message]) -> Vec<usize> {
    let text: Vec<String> = messages.iter().map(Message::shown).collect();
    let text = text.join(" ");
    let words = text.split(|sign: char| !sign.is_ascii_alphanumeric());
    words
        .filter_map(|word| word.strip_prefix(['p', 'r'])?.strip_suffix('q')?.parse().ok())
        .collect()
}

#[tokio::test]
async fn a_long_answer_is_posted_in_order_with_its_footer_last() {
    on_each("long answer", |place| async move {
        let stage = Stage::saying(&place, vec![long(4)]).await;
        let said = stage.ask().await;
        assert!((4..=6).contains(&said.len()), "{} messages", said.len());
        assert_eq!(numbers(&said), (0..4 * PAGE).collect::<Vec<_>>());
        assert!(said[0].updates > 0, "the placeholder became the first part");
        let (last, before) = said.split_last().expect("messages");
        assert!(last.shown().contains("Used 0 organization"));
        assert!(
            !before
                .iter()
                .any(|part| part.shown().contains("Used 0 organization"))
        );
        assert!(said.iter().all(|part| !part.shown().contains("was cut here")));
        for part in stage.slack.calls("chat.postMessage") {
            assert_eq!(part.arg("unfurl_links"), Some("false"));
        }
    })
    .await;
}

#[tokio::test]
async fn a_lost_reply_at_any_part_neither_duplicates_nor_drops_it() {
    on_each("lost at parts", |place| async move {
        let whole: Vec<usize> = (0..3 * PAGE).collect();
        // The first call posts the placeholder, the later ones the parts.
        let cases = [
            (1, Fault::LostReply),
            (2, Fault::LostReply),
            (3, Fault::LostReply),
            (2, Fault::ServerError),
            (3, Fault::Cut),
            (2, Fault::RateLimited(1)),
        ];
        let stage = Stage::saying(&place, vec![long(3); cases.len()]).await;
        for (nth, fault) in cases {
            let fine = Fault::Slow(Duration::ZERO);
            stage.slack.fail_next("chat.postMessage", fine, nth - 1);
            stage.slack.fail_next("chat.postMessage", fault, 1);
            let said = stage.ask().await;
            assert_eq!(numbers(&said), whole, "{fault:?} at call {nth}");
            stage.slack.behave();
        }
    })
    .await;
}

#[tokio::test]
async fn a_part_that_slack_rejects_is_posted_as_text() {
    on_each("refused part", |place| async move {
        let stage = Stage::saying(&place, vec![long(3)]).await;
        let fine = Fault::Slow(Duration::ZERO);
        stage.slack.fail_next("chat.postMessage", fine, 1);
        stage
            .slack
            .fail_next("chat.postMessage", Fault::Error("invalid_blocks"), 1);
        let said = stage.ask().await;
        assert!(
            said[1].blocks.is_empty() && said[1].text.contains("lorem ipsum"),
            "{:?}",
            said[1].text
        );
        assert!(said.len() >= 3, "the rest is posted too");
    })
    .await;
}

#[tokio::test]
async fn a_small_table_is_a_block_and_a_large_one_a_file_in_the_thread() {
    on_each("tables", |place| async move {
        let small = "| Unit | Rent |\n|---|--:|\n| r0q | 2,400 |\n".to_owned();
        let stage = Stage::saying(&place, vec![small, large_table()]).await;
        let said = stage.ask().await;
        assert_eq!(said[0].blocks[0]["type"], "table");

        let said = stage.ask().await;
        let uploaded = stage.slack.uploaded();
        assert_eq!(uploaded.len(), 1);
        assert_eq!(uploaded[0].name, "table-1.csv");
        assert_eq!(uploaded[0].thread.as_deref(), said[0].thread.as_deref());
        let csv = String::from_utf8(uploaded[0].bytes.clone()).expect("text");
        assert!(csv.starts_with("Unit,Rent\r\n") && csv.lines().count() == 151);
        assert!(said[0].shown().contains("150 rows"));
        assert_eq!(
            said.last().expect("a message").files,
            [uploaded[0].id.clone()],
            "after the answer"
        );
    })
    .await;
}

#[tokio::test]
async fn a_file_is_posted_once_despite_faults_and_as_a_preview_without_the_scope() {
    on_each("uploads", |place| async move {
        let stage = Stage::saying(&place, vec![large_table(); 9]).await;
        let mut shown = 0;
        for (method, fault) in [
            ("files.getUploadURLExternal", Fault::ServerError),
            ("files.getUploadURLExternal", Fault::LostReply),
            ("upload", Fault::ServerError),
            ("upload", Fault::LostReply),
            ("files.completeUploadExternal", Fault::LostReply),
            ("files.completeUploadExternal", Fault::Cut),
            ("files.completeUploadExternal", Fault::ServerError),
            ("files.completeUploadExternal", Fault::RateLimited(1)),
        ] {
            stage.slack.fail_next(method, fault, 1);
            let said = stage.ask().await;
            shown += 1;
            assert_eq!(stage.slack.uploaded().len(), shown, "{method} {fault:?}");
            assert_eq!(said.len(), 2, "{method} {fault:?}: the answer and the file");
            stage.slack.behave();
        }
        stage.slack.drop_scope("files:write");
        let said = stage.ask().await;
        assert_eq!(stage.slack.uploaded().len(), shown);
        assert_eq!(said.len(), 2);
        let excerpt = said[1].shown();
        assert!(
            excerpt.contains("could not attach") && excerpt.contains("r0q,\"2,400\""),
            "{excerpt}"
        );
    })
    .await;
}

#[tokio::test]
async fn vanishing_placeholders_are_not_recreated_forever() {
    on_each("vanishing", |place| async move {
        let faults = [Fault::Slow(Duration::ZERO), Fault::LostReply, Fault::ServerError];
        let stage = Stage::saying(&place, vec!["It is 1.33x.".to_owned(); faults.len()]).await;
        for fault in faults {
            stage.running.services().clock.advance(Duration::from_secs(10));
            let gone = Fault::Error("message_not_found");
            stage.slack.fail_next("chat.update", gone, 12);
            let before = stage.slack.calls("chat.postMessage").len();
            let fine = Fault::Slow(Duration::ZERO);
            stage.slack.fail_next("chat.postMessage", fine, 2);
            stage.slack.fail_next("chat.postMessage", fault, 1);
            let said = stage.ask().await;
            let answers = said.iter().filter(|one| one.shown().contains("1.33x")).count();
            assert_eq!(answers, 1, "{fault:?}");
            let posts = stage.slack.calls("chat.postMessage").len() - before;
            let expected = if fault == Fault::ServerError { 4 } else { 3 };
            assert_eq!(posts, expected, "two placeholders and the answer: {fault:?}");
            stage.slack.behave();
        }
    })
    .await;
}

#[tokio::test]
async fn a_file_that_slack_shows_late_is_shared_once() {
    on_each("slow sharing", |place| async move {
        let stage = Stage::saying(&place, vec![large_table()]).await;
        let complete = "files.completeUploadExternal";
        stage.slack.fail_next(complete, Fault::LostReply, 1);
        stage.slack.hide_shares(1);
        let said = stage.ask().await;
        assert_eq!(stage.slack.calls(complete).len(), 1);
        assert_eq!((stage.slack.uploaded().len(), said.len()), (1, 2));
    })
    .await;
}
