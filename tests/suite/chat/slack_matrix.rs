//! Each row of Slack's errors provoked, method by method: what whoever asked hears, and what an
//! administrator sees. Nobody who asked hears nothing where any way to them is left.

use std::time::Duration;

use corbel::assistants::model::Installation;
use corbel::assistants::slack::grants::SlackFields;
use corbel::audit::store::Actor;
use corbel::base::secret::Secret;

use crate::chat::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::slack::{ALICE, BOB, CHANNEL, DM, Ephemeral, Fault, Message, PRIVATE, TOKEN};

const WORDS: &str = "NOI 1.285m, annual debt service 968k. DSCR?";
/// What only the answer has.
const ANSWER: &str = "1.33";

/// Where the question is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Where {
    /// In an approved channel.
    Channel,
    /// In one that is not.
    Closed,
    Direct,
    /// In an approved channel, by somebody who is not connected.
    Unlinked,
}

/// What whoever asked hears.
#[derive(Clone, Copy, Debug)]
enum Interaction {
    /// The answer, once, where it was asked.
    Answer,
    /// The answer, once, as a direct message with this reason.
    Directly(&'static str),
    /// The answer, once, so that only they see it.
    Whispered,
    /// These words, privately.
    Told(&'static str),
    /// A link to connect.
    Link,
    /// Nothing is possible: the delivery has failed with this word.
    Failed(&'static str),
}

/// What an administrator sees.
#[derive(Clone, Copy, Debug)]
pub enum Seen {
    Nothing,
    /// Something to mend at Slack.
    Alert(&'static str),
    /// A right that asks for a reinstall.
    Scope(&'static str),
    /// The installation without rights; a reinstall brings the answer.
    Disabled(&'static str),
}

struct Row {
    place: Where,
    faults: Vec<(&'static str, Fault)>,
    heard: Interaction,
    seen: Seen,
}

fn row(
    place: Where,
    method: &'static str,
    fault: Fault,
    times: usize,
    heard: Interaction,
    seen: Seen,
) -> Row {
    Row {
        place,
        faults: std::iter::repeat_n((method, fault), times).collect(),
        heard,
        seen,
    }
}

/// The same for each of some words.
fn each(
    place: Where,
    method: &'static str,
    words: &'static str,
    heard: Interaction,
    seen: fn(&'static str) -> Seen,
) -> Vec<Row> {
    words
        .split_whitespace()
        .map(|word| row(place, method, Fault::Word(word), 1, heard, seen(word)))
        .collect()
}

const fn nothing(_: &'static str) -> Seen {
    Seen::Nothing
}

const RULE: &str = "A rule of your organization";
const NO_POST: &str = "I could not post there";
const LIMITED: &str = "Not everyone may post there";
const THREAD_GONE: &str = "not there any more";
/// More calls than are made for one question.
const EVERY: usize = 12;
const BROKEN: [Fault; 7] = [
    Fault::Before,
    Fault::LostReply,
    Fault::Cut,
    Fault::Page,
    Fault::Status(408),
    Fault::Status(503),
    Fault::Limited(1),
];

fn posts() -> Vec<Row> {
    let post = "chat.postMessage";
    let channel = |words, heard, seen| each(Where::Channel, post, words, heard, seen);
    let mut rows = Vec::new();
    for fault in BROKEN {
        rows.push(row(
            Where::Channel,
            post,
            fault,
            1,
            Interaction::Answer,
            Seen::Nothing,
        ));
        rows.push(row(
            Where::Direct,
            post,
            fault,
            1,
            Interaction::Answer,
            Seen::Nothing,
        ));
    }
    rows.extend(channel(
        "internal_error fatal_error service_unavailable request_timeout invalid_blocks invalid_blocks_format
         msg_too_long msg_blocks_too_long",
        Interaction::Answer,
        nothing,
    ));
    rows.extend(channel(
        "not_in_channel channel_not_found",
        Interaction::Directly("Invite me"),
        nothing,
    ));
    rows.extend(channel(
        "is_archived",
        Interaction::Directly("is archived"),
        nothing,
    ));
    rows.extend(channel(
        "restricted_action restricted_action_read_only_channel restricted_action_thread_locked
         restricted_action_thread_only_channel restricted_action_non_threadable_channel",
        Interaction::Directly(LIMITED),
        nothing,
    ));
    rows.extend(channel(
        "thread_not_found message_not_found cannot_reply_to_message",
        Interaction::Directly(THREAD_GONE),
        nothing,
    ));
    rows.extend(channel(
        "ekm_access_denied accesslimited enterprise_is_restricted app_access_restricted messages_tab_disabled
         slack_connect_canvas_sharing_blocked slack_connect_file_link_sharing_blocked
         slack_connect_lists_sharing_blocked",
        Interaction::Directly(RULE),
        Seen::Alert,
    ));
    rows.extend(channel(
        "a_word_of_tomorrow invalid_arguments",
        Interaction::Directly(NO_POST),
        nothing,
    ));
    // Directly neither: the last way is a whisper, and in a direct conversation there is none.
    let barred = Fault::Word("ekm_access_denied");
    let seen = Seen::Alert("ekm_access_denied");
    rows.push(row(
        Where::Channel,
        post,
        barred,
        EVERY,
        Interaction::Whispered,
        seen,
    ));
    let off = "messages_tab_disabled";
    let (fault, heard) = (Fault::Word(off), Interaction::Failed(off));
    rows.push(row(Where::Direct, post, fault, EVERY, heard, Seen::Alert(off)));
    let heard = Interaction::Failed("missing_scope: chat:write");
    let (fault, seen) = (Fault::Right("chat:write"), Seen::Scope("chat:write"));
    rows.push(row(Where::Direct, post, fault, EVERY, heard, seen));
    // The thread is gone, but not the conversation.
    let gone = Interaction::Directly(THREAD_GONE);
    rows.extend(each(Where::Direct, post, "thread_not_found", gone, nothing));
    rows.extend(each(
        Where::Direct,
        post,
        "invalid_auth token_revoked account_inactive not_authed",
        Interaction::Answer,
        Seen::Disabled,
    ));
    rows
}

fn updates() -> Vec<Row> {
    let update = "chat.update";
    let channel = |words, heard, seen| each(Where::Channel, update, words, heard, seen);
    let mut rows = Vec::new();
    for fault in BROKEN {
        rows.push(row(
            Where::Channel,
            update,
            fault,
            1,
            Interaction::Answer,
            Seen::Nothing,
        ));
    }
    rows.extend(channel(
        "internal_error update_failed external_channel_migrating cant_update_message edit_window_closed
         streaming_state_conflict message_not_found invalid_blocks msg_too_long as_user_not_supported
         a_word_of_tomorrow",
        Interaction::Answer,
        nothing,
    ));
    // Neither its layout nor its text is taken; its short form is.
    let long = Fault::Word("msg_too_long");
    rows.push(row(
        Where::Channel,
        update,
        long,
        2,
        Interaction::Answer,
        Seen::Nothing,
    ));
    rows.extend(channel(
        "channel_not_found",
        Interaction::Directly("Invite me"),
        nothing,
    ));
    rows.extend(channel(
        "is_inactive",
        Interaction::Directly("is archived"),
        nothing,
    ));
    rows.extend(channel(
        "posting_to_channel_denied",
        Interaction::Directly(LIMITED),
        nothing,
    ));
    rows.extend(channel(
        "ekm_access_denied",
        Interaction::Directly(RULE),
        Seen::Alert,
    ));
    rows.extend(channel("token_revoked", Interaction::Answer, Seen::Disabled));
    rows
}

fn whispers() -> Vec<Row> {
    let whisper = "chat.postEphemeral";
    let told = Interaction::Told("not approved");
    let mut rows = Vec::new();
    for fault in BROKEN {
        rows.push(row(Where::Closed, whisper, fault, 1, told, Seen::Nothing));
    }
    rows.extend(each(
        Where::Closed,
        whisper,
        "user_not_in_channel not_in_channel channel_not_found is_archived restricted_action internal_error
         invalid_blocks msg_too_long cannot_reply_to_message a_word_of_tomorrow",
        told,
        nothing,
    ));
    rows.extend(each(
        Where::Closed,
        whisper,
        "messages_tab_disabled",
        told,
        Seen::Alert,
    ));
    rows
}

fn look_ups() -> Vec<Row> {
    let (open, who, info) = ("conversations.open", "users.info", "conversations.info");
    let mut rows = each(
        Where::Unlinked,
        open,
        "user_disabled user_not_visible user_not_found method_not_supported_for_channel_type",
        Interaction::Link,
        nothing,
    );
    for fault in [
        Fault::Before,
        Fault::Status(408),
        Fault::Limited(1),
        Fault::Word("internal_error"),
    ] {
        rows.push(row(
            Where::Unlinked,
            open,
            fault,
            1,
            Interaction::Link,
            Seen::Nothing,
        ));
        rows.push(row(
            Where::Direct,
            who,
            fault,
            1,
            Interaction::Answer,
            Seen::Nothing,
        ));
        rows.push(row(
            Where::Channel,
            info,
            fault,
            1,
            Interaction::Answer,
            Seen::Nothing,
        ));
    }
    let (fault, seen) = (Fault::Right("im:write"), Seen::Scope("im:write"));
    rows.push(row(Where::Unlinked, open, fault, 1, Interaction::Link, seen));

    let direct = |words, heard, seen| each(Where::Direct, who, words, heard, seen);
    let stranger = Interaction::Told("members of the organization");
    rows.extend(direct("user_not_found user_not_visible", stranger, nothing));
    let unknown = Interaction::Told("could not check who you are");
    rows.extend(direct("too_many_users a_word_of_tomorrow", unknown, nothing));
    rows.extend(direct("ekm_access_denied", unknown, Seen::Alert));
    rows.extend(direct("account_inactive", Interaction::Answer, Seen::Disabled));
    let right = Interaction::Told("install me again");
    let (fault, seen) = (Fault::Right("users:read"), Seen::Scope("users:read"));
    rows.push(row(Where::Direct, who, fault, 1, right, seen));

    let channel = |words, heard, seen| each(Where::Channel, info, words, heard, seen);
    rows.extend(channel(
        "channel_not_found",
        Interaction::Told("Invite me"),
        nothing,
    ));
    let closed = Interaction::Told("does not answer here any more");
    rows.extend(channel("a_word_of_tomorrow", closed, nothing));
    rows.extend(channel("ekm_access_denied", closed, Seen::Alert));
    rows.extend(channel("token_revoked", Interaction::Answer, Seen::Disabled));
    let (fault, seen) = (Fault::Right("channels:read"), Seen::Scope("channels:read"));
    rows.push(row(Where::Channel, info, fault, 1, right, seen));

    // Looking for a post whose answer was lost.
    for (fault, heard) in [
        (Fault::Before, Interaction::Answer),
        (Fault::Limited(1), Interaction::Answer),
        // Reading is an optional right: a second placeholder, but one answer.
        (Fault::Right("channels:history"), Interaction::Answer),
        (
            Fault::Word("thread_not_found"),
            Interaction::Directly(THREAD_GONE),
        ),
        (Fault::Word("not_in_channel"), Interaction::Directly("Invite me")),
    ] {
        rows.push(Row {
            place: Where::Channel,
            faults: vec![("chat.postMessage", Fault::Cut), ("conversations.replies", fault)],
            heard,
            seen: Seen::Nothing,
        });
    }
    rows
}

fn has_answer(heard: &[String]) -> usize {
    heard.iter().filter(|text| text.contains(ANSWER)).count()
}

impl Stage {
    async fn provoke(&self, row: &Row) {
        // Longer than people and conversations are remembered.
        self.running.services().clock.advance(Duration::from_secs(700));
        let what = format!("{:?} {:?}", row.place, row.faults);
        let (asker, channel) = match row.place {
            Where::Channel => (ALICE, CHANNEL),
            Where::Closed => (ALICE, PRIVATE),
            Where::Direct => (ALICE, DM),
            Where::Unlinked => (BOB, CHANNEL),
        };
        let dms = self.slack.direct_messages_to(asker).len();
        let whispers = self.slack.ephemerals_for(asker).len();
        let failures = self.failures().await.len();
        for (method, fault) in &row.faults {
            self.slack.fail_next(method, *fault, 1);
        }
        let (said, event) = if channel == DM {
            let said = self.slack.says(channel, asker, WORDS);
            let event = said.message();
            (said, event)
        } else {
            let said = self.slack.says(channel, asker, &format!("<@U0BOT> {WORDS}"));
            let event = said.mention();
            (said, event)
        };
        assert_eq!(self.post(&event).await, 200, "{what}");
        self.brought_back(row.seen).await;
        self.running.settle().await;
        self.slack.behave();

        let in_thread = self.said(said.thread());
        let direct = self.slack.direct_messages_to(asker).split_off(dms);
        let links = direct.iter().filter_map(Message::link).count();
        let direct: Vec<String> = direct
            .iter()
            .filter(|message| message.thread.as_deref() != Some(said.thread()))
            .map(Message::shown)
            .collect();
        let whispers = self.slack.ephemerals_for(asker).split_off(whispers);
        let links = links + whispers.iter().filter_map(Ephemeral::link).count();
        let whispers: Vec<String> = whispers.iter().map(Ephemeral::shown).collect();
        let counted = (has_answer(&in_thread), has_answer(&direct), has_answer(&whispers));
        let heard = format!("{what}: {in_thread:#?} {direct:#?} {whispers:#?}");
        let mut failed_with = None;
        match row.heard {
            Interaction::Answer => assert_eq!(counted, (1, 0, 0), "{heard}"),
            Interaction::Whispered => assert_eq!(counted, (0, 0, 1), "{heard}"),
            Interaction::Directly(why) => {
                assert_eq!(counted, (0, 1, 0), "{heard}");
                let answer = direct.iter().find(|text| text.contains(ANSWER));
                let answer = answer.expect("an answer");
                assert!(answer.contains(why) && answer.contains(WORDS), "{heard}");
                assert!(channel == DM || answer.contains("You asked me in #"), "{heard}");
            }
            Interaction::Told(words) => {
                assert_eq!(counted, (0, 0, 0), "{heard}");
                let private = if channel == DM { &in_thread } else { &whispers };
                let told = private.iter().chain(&direct);
                assert!(told.filter(|text| text.contains(words)).count() >= 1, "{heard}");
                assert!(
                    channel == DM || in_thread.is_empty(),
                    "nothing in public: {heard}"
                );
            }
            Interaction::Link => assert!(links >= 1 && in_thread.is_empty(), "{heard}"),
            Interaction::Failed(word) => {
                assert_eq!(counted, (0, 0, 0), "{heard}");
                failed_with = Some(word.to_owned());
            }
        }
        let failed = self.failures().await.split_off(failures);
        assert_eq!(failed, Vec::from_iter(failed_with), "{what}");
        self.check_seen(row.seen, &what).await;
    }

    /// Installed again, once it has lost its rights.
    pub async fn brought_back(&self, seen: Seen) {
        if let Seen::Disabled(word) = seen {
            self.running
                .until("it is disabled", async || {
                    self.here().await.disabled_because.as_deref() == Some(word)
                })
                .await;
            self.install_again().await;
        }
    }

    /// The words of the deliveries that failed, the oldest first.
    async fn failures(&self) -> Vec<String> {
        let assistants = &self.running.services().assistants;
        let page = assistants
            .undelivered(self.org.id, self.at.assistant, None)
            .await
            .expect("a list");
        let mut words: Vec<String> = page.items.into_iter().map(|one| one.failure).collect();
        words.reverse();
        words
    }

    async fn here(&self) -> Installation {
        let assistants = &self.running.services().assistants;
        let found = assistants.installation_by_id(self.org.id, self.at.slack.id).await;
        found.expect("installation")
    }

    pub async fn check_seen(&self, seen: Seen, what: &str) {
        let assistants = &self.running.services().assistants;
        let alerts = async || {
            let now = self.running.services().clock.now();
            let found = assistants.alerts(self.org.id, self.at.slack.id, now).await;
            found.expect("alerts")
        };
        let at = self.here().await;
        assert_eq!(at.state.as_str(), "active", "{what}");
        match seen {
            Seen::Nothing | Seen::Disabled(_) => {}
            Seen::Alert(word) => {
                let found = alerts().await;
                assert_eq!(found.first().expect("an alert").word, word, "{what}");
                self.install_again().await;
            }
            Seen::Scope(right) => {
                assert_eq!(at.slack().missing_scope.as_deref(), Some(right), "{what}");
                self.install_again().await;
            }
        }
        // A reinstall forgets both.
        assert!(alerts().await.is_empty(), "{what}: {:?}", alerts().await);
        assert_eq!(self.here().await.slack().missing_scope, None, "{what}");
    }

    async fn install_again(&self) {
        // What was refused in the very moment of the installation would still be told.
        tokio::time::sleep(Duration::from_millis(5)).await;
        let fields = SlackFields {
            bot_token: Some(Secret::new(TOKEN)),
            ..SlackFields::default()
        };
        let assistants = &self.running.services().assistants;
        assistants
            .update_installation(Actor::OPERATOR, self.here().await, fields)
            .await
            .expect("installed again");
    }
}

async fn provoke_all(name: &str, rows: fn() -> Vec<Row>) {
    on_each(name, |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        for row in rows() {
            stage.provoke(&row).await;
        }
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn errors_of_posting() {
    provoke_all("errors of posting", posts).await;
}

#[tokio::test]
async fn errors_of_replacing() {
    provoke_all("errors of replacing", updates).await;
}

#[tokio::test]
async fn errors_of_whispering() {
    provoke_all("errors of whispering", whispers).await;
}

#[tokio::test]
async fn errors_of_looking_up() {
    provoke_all("errors of looking up", look_ups).await;
}
