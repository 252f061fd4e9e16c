//! Provokes each row of Slack's file errors, step by step: for files attached to a question, and for tables
//! uploaded as a file. The question is always answered, and the answer says what became of the file.

use std::time::{Duration, Instant};

use crate::chat::slack_answers::large_table;
use crate::chat::slack_error_matrix::Seen;
use crate::chat::slack_files::{QUESTION, pdf};
use crate::chat::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::slack::{ALICE, DM, Download, FakeSlack, Fault, StoredFile};

/// A text that only the answer contains.
const ANSWER: &str = "1.33";
/// More calls than are needed for one file.
const EVERY: usize = 60;

const RECEIVED: &str = "received";
const GONE: &str = "it was deleted or is hidden";
const NO_ACCESS: &str = "I was not given access to it";
const RULE: &str = "a rule of your organization keeps it from me";
const FOREIGN: &str = "its address leads outside the platform";
const NOT_ARRIVED: &str = "it did not arrive; please send it again";

/// Temporary faults.
const PASSING: [Fault; 8] = [
    Fault::ServerError,
    Fault::LostReply,
    Fault::Cut,
    Fault::Page,
    Fault::Status(408),
    Fault::Status(503),
    Fault::RateLimited(1),
    Fault::Slow(Duration::from_millis(300)),
];

/// A file attached to a question.
struct Incoming {
    file: StoredFile,
    faults: Vec<Fault>,
    verdict: &'static str,
    seen: Seen,
}

/// A file of which the event has only the id.
fn stub() -> StoredFile {
    StoredFile {
        stub: true,
        ..pdf("lease.pdf")
    }
}

/// `files.info` fails this many times.
fn info_fails(fault: Fault, times: usize, verdict: &'static str, seen: Seen) -> Incoming {
    Incoming {
        file: stub(),
        faults: vec![fault; times],
        verdict,
        seen,
    }
}

/// The download fails.
fn download_fails(download: Download, verdict: &'static str) -> Incoming {
    Incoming {
        file: pdf("lease.pdf").served_as(download),
        faults: Vec::new(),
        verdict,
        seen: Seen::Nothing,
    }
}

fn incoming(foreign: &FakeSlack) -> Vec<Incoming> {
    let mut rows: Vec<Incoming> = PASSING
        .map(|fault| info_fails(fault, 1, RECEIVED, Seen::Nothing))
        .into();
    let each = |words: &'static str, verdict, seen: fn(&'static str) -> Seen| {
        let words = words.split_whitespace();
        words.map(move |word| info_fails(Fault::Error(word), 1, verdict, seen(word)))
    };
    rows.extend(each(
        "internal_error fatal_error service_unavailable",
        RECEIVED,
        |_| Seen::Nothing,
    ));
    rows.push(info_fails(Fault::ServerError, EVERY, NOT_ARRIVED, Seen::Nothing));
    rows.push(info_fails(Fault::RateLimited(600), 1, NOT_ARRIVED, Seen::Nothing));
    rows.extend(each("file_not_found file_deleted", GONE, |_| Seen::Nothing));
    rows.extend(each(
        "not_visible access_denied channel_not_found user_not_found invalid_arguments a_word_of_tomorrow",
        NO_ACCESS,
        |_| Seen::Nothing,
    ));
    rows.extend(each(
        "ekm_access_denied accesslimited slack_connect_file_upload_sharing_blocked",
        RULE,
        Seen::Alert,
    ));
    rows.extend(each(
        "invalid_auth token_revoked account_inactive not_authed token_expired",
        RECEIVED,
        Seen::Disabled,
    ));
    let right = Fault::MissingScope("files:read");
    rows.push(info_fails(right, 1, NO_ACCESS, Seen::Scope("files:read")));

    let elsewhere = Download::Elsewhere(format!("{}files/F1", foreign.api_base()));
    for (download, verdict) in [
        (Download::Open, RECEIVED),
        (Download::Page, NO_ACCESS),
        (Download::SignIn, NO_ACCESS),
        (Download::Hops(3), RECEIVED),
        (Download::Hops(4), NOT_ARRIVED),
        (Download::Nowhere, NOT_ARRIVED),
        (elsewhere, FOREIGN),
        (Download::Status(401), NO_ACCESS),
        (Download::Status(403), NO_ACCESS),
        (Download::Status(404), GONE),
        (Download::Status(410), GONE),
        (Download::Status(408), NOT_ARRIVED),
        (Download::Status(503), NOT_ARRIVED),
        (Download::Broken(2), RECEIVED),
        (Download::Broken(4), RECEIVED),
        (Download::Limited(1), RECEIVED),
        (Download::Slow(Duration::from_millis(300)), RECEIVED),
        (Download::Cut, NOT_ARRIVED),
    ] {
        rows.push(download_fails(download, verdict));
    }
    rows
}

impl Stage {
    async fn check_incoming(&self, row: &Incoming) {
        let what = format!(
            "{:?} {} of {:?}",
            row.file.download,
            row.faults.len(),
            row.faults.first()
        );
        for fault in &row.faults {
            self.slack.fail_next("files.info", *fault, 1);
        }
        let asked = self
            .slack
            .shares_files(DM, ALICE, QUESTION, vec![row.file.clone()]);
        assert_eq!(self.post(&asked.message()).await, 200, "{what}");
        self.reinstall_if_disabled(row.seen).await;
        self.running.settle().await;
        self.slack.behave();
        let said = self.said(asked.thread());
        assert_eq!(said.len(), 1, "{what}: {said:?}");
        // Where Slack does not give its name, a generic one is shown.
        let named = |line: &&str| line.starts_with("- `lease.pdf`") || line.starts_with("- `file`");
        let verdict = said[0].lines().find(named);
        assert!(
            said[0].contains(ANSWER) && verdict.is_some_and(|line| line.contains(row.verdict)),
            "{what}: {}",
            said[0]
        );
        self.check_seen(row.seen, &what).await;
    }
}

#[tokio::test]
async fn errors_of_attached_files() {
    on_each("errors of files that come along", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let foreign = FakeSlack::start().await;
        for row in incoming(&foreign) {
            stage.check_incoming(&row).await;
            // Longer than any rate limit lasts.
            stage.running.services().clock.advance(Duration::from_secs(700));
        }
        assert!(
            foreign.downloads().is_empty(),
            "the token was sent to another host"
        );
        assert_eq!(foreign.all_calls(), 0);
        stage.running.stop().await;
    })
    .await;
}

/// What becomes of a table that is too large for a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    /// Posted as a file, once.
    Attached,
    /// Its first rows are posted as text in the thread, with the reason.
    Beginning,
    /// The same, as a direct message.
    Directly,
}

const SLOT: &str = "files.getUploadURLExternal";
const UPLOAD: &str = "upload";
const SHARE: &str = "files.completeUploadExternal";
const LOOK: &str = "files.info";

struct Outgoing {
    faults: Vec<(&'static str, Fault)>,
    shown: Shown,
    seen: Seen,
}

fn upload_fails(method: &'static str, fault: Fault, shown: Shown, seen: Seen) -> Outgoing {
    Outgoing {
        faults: vec![(method, fault)],
        shown,
        seen,
    }
}

fn outgoing() -> Vec<Outgoing> {
    let mut rows = Vec::new();
    for fault in PASSING {
        for method in [SLOT, UPLOAD, SHARE] {
            // The page was returned instead of storing the upload, which only sharing reveals.
            let shown = if (method, fault) == (UPLOAD, Fault::Page) {
                Shown::Beginning
            } else {
                Shown::Attached
            };
            rows.push(upload_fails(method, fault, shown, Seen::Nothing));
        }
        // The check whether it was shared, after a lost reply.
        rows.push(Outgoing {
            faults: vec![(SHARE, Fault::Cut), (LOOK, fault)],
            shown: Shown::Attached,
            seen: Seen::Nothing,
        });
    }
    let mut each = |method, words: &'static str, shown, seen: fn(&'static str) -> Seen| {
        for word in words.split_whitespace() {
            rows.push(upload_fails(method, Fault::Error(word), shown, seen(word)));
        }
    };
    for method in [SLOT, SHARE] {
        each(
            method,
            "internal_error fatal_error service_unavailable request_timeout",
            Shown::Attached,
            |_| Seen::Nothing,
        );
        each(
            method,
            "file_uploads_disabled storage_limit_reached invalid_arguments a_word_of_tomorrow",
            Shown::Beginning,
            |_| Seen::Nothing,
        );
        each(
            method,
            "ekm_access_denied accesslimited",
            Shown::Beginning,
            Seen::Alert,
        );
        each(
            method,
            "invalid_auth token_revoked account_inactive not_authed token_expired",
            Shown::Attached,
            Seen::Disabled,
        );
    }
    each(
        SHARE,
        "file_not_found not_in_channel channel_not_found is_archived restricted_action thread_not_found
         user_not_found msg_too_long",
        Shown::Beginning,
        |_| Seen::Nothing,
    );
    each(
        SHARE,
        "slack_connect_file_upload_sharing_blocked",
        Shown::Beginning,
        Seen::Alert,
    );
    for method in [SLOT, SHARE] {
        let right = Fault::MissingScope("files:write");
        rows.push(upload_fails(
            method,
            right,
            Shown::Beginning,
            Seen::Scope("files:write"),
        ));
    }
    for status in [302, 400, 403, 404, 413] {
        let fault = Fault::Status(status);
        rows.push(upload_fails(UPLOAD, fault, Shown::Beginning, Seen::Nothing));
    }
    // It was shared, but the check is not permitted: retries are bounded in every case.
    let right = Fault::MissingScope("files:read");
    rows.push(Outgoing {
        faults: vec![(SHARE, Fault::ServerError), (LOOK, right)],
        shown: Shown::Attached,
        seen: Seen::Scope("files:read"),
    });
    // Neither the file nor the preview is accepted in the thread.
    let fine = ("chat.postMessage", Fault::Slow(Duration::ZERO));
    let refused = ("chat.postMessage", Fault::Error("restricted_action"));
    rows.push(Outgoing {
        faults: vec![(SLOT, Fault::Error("file_uploads_disabled")), fine, refused],
        shown: Shown::Directly,
        seen: Seen::Nothing,
    });
    rows
}

impl Stage {
    async fn check_outgoing(&self, row: &Outgoing) {
        let what = format!("{:?}", row.faults);
        let (files, direct) = (
            self.slack.uploaded().len(),
            self.slack.direct_messages_to(ALICE).len(),
        );
        for (method, fault) in &row.faults {
            self.slack.fail_next(method, *fault, 1);
        }
        let asked = self.slack.says(DM, ALICE, "Tell me all");
        assert_eq!(self.post(&asked.message()).await, 200, "{what}");
        self.reinstall_if_disabled(row.seen).await;
        self.running.settle().await;
        self.slack.behave();
        let thread = self.slack.answers(asked.thread());
        let attached = self.slack.uploaded().len() - files;
        let beginning = |text: &str| text.contains("could not attach") && text.contains("r0q,\"2,400\"");
        let beside = self.slack.direct_messages_to(ALICE).split_off(direct);
        let beside = beside
            .iter()
            .filter(|one| one.thread.as_deref() != Some(asked.thread()));
        let beside = beside.filter(|one| beginning(&one.shown())).count();
        let shown: Vec<String> = thread.iter().map(crate::harness::slack::Message::shown).collect();
        let here = shown.iter().filter(|text| beginning(text)).count();
        let expected = match row.shown {
            Shown::Attached => (1, 0, 0),
            Shown::Beginning => (0, 1, 0),
            Shown::Directly => (0, 0, 1),
        };
        assert_eq!((attached, here, beside), expected, "{what}: {shown:#?}");
        let answers = shown
            .iter()
            .filter(|text| text.contains("150 rows, 2 columns"))
            .count();
        assert_eq!(answers, 1, "{what}: {shown:#?}");
        self.check_seen(row.seen, &what).await;
    }
}

async fn check_all_outgoing(name: &str, wanted: fn(&Outgoing) -> bool) {
    on_each(name, |place| async move {
        let rows: Vec<Outgoing> = outgoing().into_iter().filter(wanted).collect();
        assert!(!rows.is_empty());
        let stage = Stage::saying(&place, vec![large_table(); rows.len()]).await;
        for row in rows {
            stage.check_outgoing(&row).await;
            stage.running.services().clock.advance(Duration::from_secs(700));
        }
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn errors_of_uploading() {
    check_all_outgoing("errors of uploading", |row| row.faults[0].0 != SHARE).await;
}

#[tokio::test]
async fn errors_of_sharing_uploads() {
    check_all_outgoing("errors of sharing", |row| row.faults[0].0 == SHARE).await;
}

/// Slack's storage responds with `Retry-After`.
#[tokio::test]
async fn an_upload_respects_retry_after() {
    on_each("an upload waits", |place| async move {
        let stage = Stage::saying(&place, vec![large_table()]).await;
        stage.slack.fail_next(UPLOAD, Fault::RateLimited(3), 1);
        let since = Instant::now();
        stage
            .check_outgoing(&upload_fails(
                UPLOAD,
                Fault::Slow(Duration::ZERO),
                Shown::Attached,
                Seen::Nothing,
            ))
            .await;
        assert!(since.elapsed() >= Duration::from_secs(3), "{:?}", since.elapsed());
        stage.running.stop().await;
    })
    .await;
}

/// It was shared, but the check is not permitted: sharing is retried, and where that is ambiguous too, the preview
/// is posted.
#[tokio::test]
async fn a_file_that_cannot_be_checked_is_not_shared_forever() {
    on_each("an unseen file", |place| async move {
        let stage = Stage::saying(&place, vec![large_table()]).await;
        stage.slack.drop_scope("files:read");
        stage.slack.fail_next(SHARE, Fault::LostReply, 1);
        let asked = stage.slack.says(DM, ALICE, "Tell me all");
        assert_eq!(stage.post(&asked.message()).await, 200);
        stage.running.settle().await;
        let said = stage.said(asked.thread());
        assert_eq!(stage.slack.uploaded().len(), 1, "{said:?}");
        assert!(
            said.last().is_some_and(|text| text.contains("could not attach")),
            "{said:?}"
        );
        stage.running.stop().await;
    })
    .await;
}

/// Only Slack's hosts receive the bytes of an answer.
#[tokio::test]
async fn nothing_is_uploaded_to_other_hosts() {
    on_each("an upload elsewhere", |place| async move {
        let stage = Stage::saying(&place, vec![large_table()]).await;
        let foreign = FakeSlack::start().await;
        stage.slack.send_uploads_to(&foreign);
        let row = Outgoing {
            faults: Vec::new(),
            shown: Shown::Beginning,
            seen: Seen::Nothing,
        };
        stage.check_outgoing(&row).await;
        assert_eq!(foreign.all_calls(), 0);
        stage.running.stop().await;
    })
    .await;
}
