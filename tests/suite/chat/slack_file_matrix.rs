//! Each row of Slack's errors about files provoked, step by step: files that come along with a question, and
//! tables that go out as one. The question is answered in every row; what became of the file is said.

use std::time::{Duration, Instant};

use crate::chat::slack_answers::large_table;
use crate::chat::slack_files::{QUESTION, pdf};
use crate::chat::slack_flow::Stage;
use crate::chat::slack_matrix::Seen;
use crate::harness::app::on_each;
use crate::harness::slack::{ALICE, DM, Door, FakeSlack, Fault, Kept};

/// What only the answer has.
const ANSWER: &str = "1.33";
/// More calls than are made for one file.
const EVERY: usize = 60;

const RECEIVED: &str = "received";
const GONE: &str = "it was deleted or is hidden";
const NO_ACCESS: &str = "I was not given access to it";
const RULE: &str = "a rule of your organization keeps it from me";
const FOREIGN: &str = "its address leads outside the platform";
const NOT_ARRIVED: &str = "it did not arrive; please send it again";

/// What passes by itself.
const PASSING: [Fault; 8] = [
    Fault::Before,
    Fault::LostReply,
    Fault::Cut,
    Fault::Page,
    Fault::Status(408),
    Fault::Status(503),
    Fault::Limited(1),
    Fault::Slow(Duration::from_millis(300)),
];

/// A file that comes along.
struct Incoming {
    file: Kept,
    faults: Vec<Fault>,
    verdict: &'static str,
    seen: Seen,
}

/// Of which the event says no more than the id.
fn stub() -> Kept {
    Kept {
        stub: true,
        ..pdf("lease.pdf")
    }
}

/// `files.info` goes wrong so often.
fn asked(fault: Fault, times: usize, verdict: &'static str, seen: Seen) -> Incoming {
    Incoming {
        file: stub(),
        faults: vec![fault; times],
        verdict,
        seen,
    }
}

/// The download goes wrong.
fn behind(door: Door, verdict: &'static str) -> Incoming {
    Incoming {
        file: pdf("lease.pdf").behind(door),
        faults: Vec::new(),
        verdict,
        seen: Seen::Nothing,
    }
}

fn incoming(foreign: &FakeSlack) -> Vec<Incoming> {
    let mut rows: Vec<Incoming> = PASSING
        .map(|fault| asked(fault, 1, RECEIVED, Seen::Nothing))
        .into();
    let each = |words: &'static str, verdict, seen: fn(&'static str) -> Seen| {
        let words = words.split_whitespace();
        words.map(move |word| asked(Fault::Word(word), 1, verdict, seen(word)))
    };
    rows.extend(each(
        "internal_error fatal_error service_unavailable",
        RECEIVED,
        |_| Seen::Nothing,
    ));
    rows.push(asked(Fault::Before, EVERY, NOT_ARRIVED, Seen::Nothing));
    rows.push(asked(Fault::Limited(600), 1, NOT_ARRIVED, Seen::Nothing));
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
    let right = Fault::Right("files:read");
    rows.push(asked(right, 1, NO_ACCESS, Seen::Scope("files:read")));

    let elsewhere = Door::Elsewhere(format!("{}files/F1", foreign.api_base()));
    for (door, verdict) in [
        (Door::Open, RECEIVED),
        (Door::Page, NO_ACCESS),
        (Door::SignIn, NO_ACCESS),
        (Door::Hops(3), RECEIVED),
        (Door::Hops(4), NOT_ARRIVED),
        (Door::Nowhere, NOT_ARRIVED),
        (elsewhere, FOREIGN),
        (Door::Status(401), NO_ACCESS),
        (Door::Status(403), NO_ACCESS),
        (Door::Status(404), GONE),
        (Door::Status(410), GONE),
        (Door::Status(408), NOT_ARRIVED),
        (Door::Status(503), NOT_ARRIVED),
        (Door::Broken(2), RECEIVED),
        (Door::Broken(4), RECEIVED),
        (Door::Limited(1), RECEIVED),
        (Door::Slow(Duration::from_millis(300)), RECEIVED),
        (Door::Cut, NOT_ARRIVED),
    ] {
        rows.push(behind(door, verdict));
    }
    rows
}

impl Stage {
    async fn take_file(&self, row: &Incoming) {
        let what = format!(
            "{:?} {} of {:?}",
            row.file.door,
            row.faults.len(),
            row.faults.first()
        );
        for fault in &row.faults {
            self.slack.fail_next("files.info", *fault, 1);
        }
        let asked = self
            .slack
            .shares_kept(DM, ALICE, QUESTION, vec![row.file.clone()]);
        assert_eq!(self.post(&asked.message()).await, 200, "{what}");
        self.brought_back(row.seen).await;
        self.running.settle().await;
        self.slack.behave();
        let said = self.said(asked.thread());
        assert_eq!(said.len(), 1, "{what}: {said:?}");
        // Where Slack does not say its name, it has none.
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
async fn errors_of_files_that_come_along() {
    on_each("errors of files that come along", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let foreign = FakeSlack::start().await;
        for row in incoming(&foreign) {
            stage.take_file(&row).await;
            // Longer than any gate is closed.
            stage.running.services().clock.advance(Duration::from_secs(700));
        }
        assert!(foreign.downloads().is_empty(), "the token went elsewhere");
        assert_eq!(foreign.all_calls(), 0);
        stage.running.stop().await;
    })
    .await;
}

/// What becomes of a table that is too large for a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    /// The file, once.
    Attached,
    /// Its beginning as text in the thread, with the reason.
    Beginning,
    /// The same as a direct message beside the thread.
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

fn sent(method: &'static str, fault: Fault, shown: Shown, seen: Seen) -> Outgoing {
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
            // What the page stands for was not taken, which sharing shows.
            let shown = if (method, fault) == (UPLOAD, Fault::Page) {
                Shown::Beginning
            } else {
                Shown::Attached
            };
            rows.push(sent(method, fault, shown, Seen::Nothing));
        }
        // Looking whether it was shared, after an answer that was lost.
        rows.push(Outgoing {
            faults: vec![(SHARE, Fault::Cut), (LOOK, fault)],
            shown: Shown::Attached,
            seen: Seen::Nothing,
        });
    }
    let mut each = |method, words: &'static str, shown, seen: fn(&'static str) -> Seen| {
        for word in words.split_whitespace() {
            rows.push(sent(method, Fault::Word(word), shown, seen(word)));
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
        let right = Fault::Right("files:write");
        rows.push(sent(method, right, Shown::Beginning, Seen::Scope("files:write")));
    }
    for status in [302, 400, 403, 404, 413] {
        let fault = Fault::Status(status);
        rows.push(sent(UPLOAD, fault, Shown::Beginning, Seen::Nothing));
    }
    // It was shared, and nobody may look: whatever comes, it is not tried for ever.
    let right = Fault::Right("files:read");
    rows.push(Outgoing {
        faults: vec![(SHARE, Fault::Before), (LOOK, right)],
        shown: Shown::Attached,
        seen: Seen::Scope("files:read"),
    });
    // Neither the file nor its beginning is taken in the thread.
    let fine = ("chat.postMessage", Fault::Slow(Duration::ZERO));
    let refused = ("chat.postMessage", Fault::Word("restricted_action"));
    rows.push(Outgoing {
        faults: vec![(SLOT, Fault::Word("file_uploads_disabled")), fine, refused],
        shown: Shown::Directly,
        seen: Seen::Nothing,
    });
    rows
}

impl Stage {
    async fn show_table(&self, row: &Outgoing) {
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
        self.brought_back(row.seen).await;
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

async fn show_all(name: &str, wanted: fn(&Outgoing) -> bool) {
    on_each(name, |place| async move {
        let rows: Vec<Outgoing> = outgoing().into_iter().filter(wanted).collect();
        assert!(!rows.is_empty());
        let stage = Stage::saying(&place, vec![large_table(); rows.len()]).await;
        for row in rows {
            stage.show_table(&row).await;
            stage.running.services().clock.advance(Duration::from_secs(700));
        }
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn errors_of_uploading() {
    show_all("errors of uploading", |row| row.faults[0].0 != SHARE).await;
}

#[tokio::test]
async fn errors_of_sharing_what_was_uploaded() {
    show_all("errors of sharing", |row| row.faults[0].0 == SHARE).await;
}

/// Slack's own storage says for how long it wants to be left alone.
#[tokio::test]
async fn an_upload_waits_as_long_as_it_is_asked_to() {
    on_each("an upload waits", |place| async move {
        let stage = Stage::saying(&place, vec![large_table()]).await;
        stage.slack.fail_next(UPLOAD, Fault::Limited(3), 1);
        let since = Instant::now();
        stage
            .show_table(&sent(
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

/// What is shared, and nobody may look: it is tried again, and where that cannot be told either, its
/// beginning is said.
#[tokio::test]
async fn a_file_that_nobody_may_look_for_is_not_shared_for_ever() {
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

/// The bytes of an answer go to Slack's hosts alone.
#[tokio::test]
async fn nothing_is_uploaded_to_another_host() {
    on_each("an upload elsewhere", |place| async move {
        let stage = Stage::saying(&place, vec![large_table()]).await;
        let foreign = FakeSlack::start().await;
        stage.slack.send_uploads_to(&foreign);
        let row = Outgoing {
            faults: Vec::new(),
            shown: Shown::Beginning,
            seen: Seen::Nothing,
        };
        stage.show_table(&row).await;
        assert_eq!(foreign.all_calls(), 0);
        stage.running.stop().await;
    })
    .await;
}
