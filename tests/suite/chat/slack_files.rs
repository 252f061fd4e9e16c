//! Files attached to a question: fetched from Slack's hosts only, within limits, each with a verdict in the answer.
//! The question is answered in any case.

use std::sync::Arc;
use std::time::Duration;

use corbel::files::limits::{CHAT_MAX_FILE_BYTES, CHAT_MAX_TOTAL_BYTES};
use corbel::files::model::{Audience, File, Refusal, Verdict};

use crate::chat::slack_flow::Stage;
use crate::harness::app::{Place, on_each};
use crate::harness::slack::{ALICE, CHANNEL, DM, Download, FakeSlack, StoredFile};

pub const QUESTION: &str = "NOI 1.285m, annual debt service 968k. DSCR?";
const PDF: &[u8] = b"%PDF-1.7\nrent-roll-canary\n%%EOF\n";

pub fn pdf(name: &str) -> StoredFile {
    StoredFile::new(name, "application/pdf", PDF)
}

fn file_of_size(name: &str, bytes: u64) -> StoredFile {
    let mut content = PDF.to_vec();
    content.resize(usize::try_from(bytes).expect("a size"), b' ');
    StoredFile::new(name, "application/pdf", &content)
}

async fn set(place: &Arc<Place>) -> Stage {
    let stage = Stage::set(place).await;
    stage.link(ALICE, stage.org.mara.user).await;
    stage
}

impl Stage {
    /// Asks with files; returns the posted answer and the recorded files.
    async fn asks_with(&self, channel: &str, text: &str, files: Vec<StoredFile>) -> (Vec<String>, Vec<File>) {
        let said = self.slack.shares_files(channel, ALICE, text, files);
        assert_eq!(self.post(&said.message()).await, 200);
        self.running.settle().await;
        (self.said(said.thread()), self.recorded().await)
    }

    /// The files of the latest turn that had any.
    async fn recorded(&self) -> Vec<File> {
        let db = &self.running.services().db;
        let origin: String = db
            .read()
            .query("SELECT origin FROM files ORDER BY id DESC LIMIT 1")
            .scalar()
            .await
            .expect("a file");
        let files = &self.running.services().files;
        files.of_origin(self.org.id, &origin).await.expect("files")
    }
}

#[tokio::test]
async fn files_are_stored_and_listed_and_the_question_is_answered() {
    on_each("files kept", |place| async move {
        let stage = set(&place).await;
        let files = vec![
            pdf("lease.pdf"),
            StoredFile::new("rent roll.csv", "text/csv", b"unit,rent\n1,2400\n"),
            StoredFile::new("setup.pdf", "application/pdf", b"MZ\x90\0\x03\0\0\0"),
            pdf("`<!channel>` *x*.pdf"),
        ];
        let (said, recorded) = stage.asks_with(DM, QUESTION, files).await;
        assert_eq!(said.len(), 1);
        assert!(said[0].contains("1.33"), "{said:?}");
        for words in [
            "`lease.pdf` (PDF): received, but I cannot read this type yet",
            "`rent roll.csv` (CSV table): read",
            "`setup.pdf`: not taken: I take PDF",
            "`'&lt;!channel&gt;' *x*.pdf` (PDF)",
        ] {
            assert!(said[0].contains(words), "{words}: {}", said[0]);
        }
        let verdicts: Vec<Verdict> = recorded.iter().map(|file| file.verdict).collect();
        let (yet, refused) = (Verdict::NotYetReadable, Verdict::Refused);
        assert_eq!(verdicts, [yet, Verdict::Read, refused, yet]);
        let services = stage.running.services();
        let lease = recorded[0].blob.as_ref().expect("kept");
        let kept = services.blobs.get(stage.org.id, lease, CHAT_MAX_FILE_BYTES).await;
        assert_eq!(kept.expect("bytes"), PDF);
        assert_eq!(recorded[0].bytes, Some(PDF.len() as i64));
        assert!(recorded[2].blob.is_none(), "a refused file is not stored");
        assert!(recorded.iter().all(|file| file.audience == Audience::Private));
        let message: corbel::base::ids::MessageId = services
            .db
            .read()
            .query("SELECT id FROM messages")
            .scalar()
            .await
            .expect("a message");
        let attached = services.files.of_message(stage.org.id, message).await;
        assert_eq!(attached.expect("attached").len(), 4, "linked with the question");
        assert!(stage.slack.downloads().iter().all(|(_, borne)| *borne));
    })
    .await;
}

#[tokio::test]
async fn files_without_a_question_get_verdicts_and_shared_files_are_recognized() {
    on_each("files alone", |place| async move {
        let stage = set(&place).await;
        let (said, recorded) = stage.asks_with(DM, "", vec![pdf("lease.pdf")]).await;
        assert_eq!(said.len(), 1);
        assert!(said[0].contains("`lease.pdf` (PDF): received"), "{said:?}");
        assert_eq!(recorded.len(), 1);
        let about = stage
            .asks_with(DM, "Who provides you?", vec![pdf("lease.pdf")])
            .await
            .0;
        assert!(about[0].contains("`lease.pdf` was not looked at"), "{about:?}");

        stage.approve(CHANNEL).await;
        let asked = format!("<@U0BOT> {QUESTION}");
        let (said, recorded) = stage.asks_with(CHANNEL, &asked, vec![pdf("lease.pdf")]).await;
        assert!(
            said[0].contains("1.33") && said[0].contains("`lease.pdf`"),
            "{said:?}"
        );
        assert_eq!(recorded[0].audience, Audience::Shared);
    })
    .await;
}

#[tokio::test]
async fn excess_files_are_refused_by_name_and_the_rest_is_accepted() {
    on_each("too much", |place| async move {
        let stage = set(&place).await;
        let names: Vec<String> = (1..=12).map(|number| format!("{number}.pdf")).collect();
        let many = names.iter().map(|name| pdf(name)).collect();
        let (said, recorded) = stage.asks_with(DM, QUESTION, many).await;
        let all: String = said.concat();
        assert!(all.contains("1.33") && names.iter().all(|name| all.contains(&format!("`{name}`"))));
        assert_eq!(recorded.len(), 12);
        assert!(
            recorded[..10]
                .iter()
                .all(|file| file.verdict == Verdict::NotYetReadable)
        );
        assert!(
            recorded[10..]
                .iter()
                .all(|file| file.refusal == Some(Refusal::TooMany { most: 10 }))
        );

        // A file over the size limit, by its declared size and by its actual size.
        let before = stage.slack.downloads().len();
        let mut liar = file_of_size("liar.pdf", CHAT_MAX_FILE_BYTES + 1);
        liar.declared = 100;
        let large = vec![
            file_of_size("large.pdf", CHAT_MAX_FILE_BYTES + 1),
            liar,
            pdf("small.pdf"),
        ];
        let (said, recorded) = stage.asks_with(DM, QUESTION, large).await;
        assert!(
            said[0].contains("1.33") && said[0].contains("larger than 10 MiB"),
            "{said:?}"
        );
        let large = Some(Refusal::TooLarge {
            most: CHAT_MAX_FILE_BYTES,
        });
        assert_eq!((&recorded[0].refusal, &recorded[1].refusal), (&large, &large));
        assert_eq!(recorded[2].verdict, Verdict::NotYetReadable);
        assert_eq!(
            stage.slack.downloads().len() - before,
            2,
            "what is declared too large is not fetched"
        );

        // The total size: accepted in order up to the limit.
        let nine = 9 << 20;
        let four = ["1.pdf", "2.pdf", "3.pdf", "4.pdf"].map(|name| file_of_size(name, nine));
        let (said, recorded) = stage.asks_with(DM, QUESTION, four.to_vec()).await;
        assert!(said[0].contains("together are larger than 25 MiB"), "{said:?}");
        let room = Some(Refusal::NoRoom {
            most: CHAT_MAX_TOTAL_BYTES,
        });
        let refusals: Vec<_> = recorded.iter().map(|file| file.refusal.clone()).collect();
        assert_eq!(refusals, [None, None, room.clone(), room]);
    })
    .await;
}

#[tokio::test]
async fn only_slack_s_own_files_are_fetched_and_the_token_is_sent_to_no_other_host() {
    on_each("doors", |place| async move {
        let stage = set(&place).await;
        let foreign = FakeSlack::start().await;
        let elsewhere = Download::Elsewhere(format!("{}files/F1", foreign.api_base()));
        let mut external = pdf("external.pdf");
        external.external = true;
        let mut tombstone = pdf("tombstone.pdf");
        tombstone.mode = "tombstone";
        let mut hidden = pdf("hidden.pdf");
        hidden.mode = "hidden_by_limit";
        let stub = |name: &str, deleted| StoredFile {
            stub: true,
            deleted,
            ..pdf(name)
        };
        let cases = vec![
            (pdf("open.pdf"), None),
            (pdf("hops.pdf").served_as(Download::Hops(3)), None),
            (
                pdf("far.pdf").served_as(Download::Hops(4)),
                Some(Refusal::Unreachable),
            ),
            (pdf("page.pdf").served_as(Download::Page), Some(Refusal::NoAccess)),
            (
                pdf("signin.pdf").served_as(Download::SignIn),
                Some(Refusal::NoAccess),
            ),
            (
                pdf("foreign.pdf").served_as(elsewhere),
                Some(Refusal::ForeignHost),
            ),
            (external, Some(Refusal::External)),
            (tombstone, Some(Refusal::Gone)),
            (hidden, Some(Refusal::Gone)),
            (stub("connect.pdf", false), None),
        ];
        let (kept, expected): (Vec<StoredFile>, Vec<_>) = cases.into_iter().unzip();
        let (said, recorded) = stage.asks_with(DM, QUESTION, kept.clone()).await;
        assert!(said[0].contains("1.33"), "{said:?}");
        for ((kept, expected), file) in kept.iter().zip(expected).zip(&recorded) {
            assert_eq!(file.refusal, expected, "{}", kept.name);
            assert!(
                said[0].contains(&format!("`{}`", kept.name)),
                "{} is named: {}",
                kept.name,
                said[0]
            );
        }
        assert!(
            foreign.downloads().is_empty() && foreign.calls("F1").is_empty(),
            "never called"
        );
        assert!(
            stage.slack.downloads().iter().all(|(_, borne)| *borne),
            "on each hop with the token: {:?}",
            stage.slack.downloads()
        );
        let (said, recorded) = stage.asks_with(DM, QUESTION, vec![stub("gone.pdf", true)]).await;
        assert_eq!(recorded[0].refusal, Some(Refusal::Gone), "{said:?}");
        // Without the scope for files, Slack returns its sign-in page.
        stage.slack.drop_scope("files:read");
        let (said, recorded) = stage
            .asks_with(DM, QUESTION, vec![pdf("lease.pdf"), stub("connect.pdf", false)])
            .await;
        assert!(
            said[0].contains("1.33") && said[0].contains("not given access"),
            "{said:?}"
        );
        assert!(
            recorded
                .iter()
                .all(|file| file.refusal == Some(Refusal::NoAccess))
        );
    })
    .await;
}

#[tokio::test]
async fn a_late_file_is_awaited_and_one_that_never_arrives_is_named() {
    on_each("unsteady", |place| async move {
        let stage = set(&place).await;
        let files = vec![
            pdf("broken.pdf").served_as(Download::Broken(2)),
            pdf("limited.pdf").served_as(Download::Limited(1)),
            pdf("slow.pdf").served_as(Download::Slow(Duration::from_millis(300))),
        ];
        let (said, recorded) = stage.asks_with(DM, QUESTION, files).await;
        assert!(said[0].contains("1.33"), "{said:?}");
        assert!(
            recorded
                .iter()
                .all(|file| file.verdict == Verdict::NotYetReadable),
            "{recorded:?}"
        );
        let files = vec![pdf("cut.pdf").served_as(Download::Cut), pdf("fine.pdf")];
        let (said, recorded) = stage.asks_with(DM, QUESTION, files).await;
        assert!(said[0].contains("1.33") && said[0].contains("`cut.pdf`: not taken: it did not arrive"));
        assert_eq!(recorded[0].refusal, Some(Refusal::Unreachable));
        assert_eq!(recorded[1].verdict, Verdict::NotYetReadable);
        assert_eq!(recorded.len(), 2, "each once, regardless of retries");
    })
    .await;
}
