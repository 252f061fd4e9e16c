//! The rows of the error matrix: where a question is asked, which call fails, and what each person then sees.

use super::Seen;
use crate::harness::slack::Fault;

/// Where the question is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// In an approved channel.
    Channel,
    /// In a channel that is not approved.
    Closed,
    Direct,
    /// In an approved channel, by a user who is not connected.
    Unlinked,
}

/// What the asker gets.
#[derive(Clone, Copy, Debug)]
pub enum Outcome {
    /// The answer, once, where the question was asked.
    Answer,
    /// The answer, once, as a direct message with this reason.
    DirectMessage(&'static str),
    /// The answer, once, as an ephemeral message.
    Ephemeral,
    /// This text, privately.
    PrivateReply(&'static str),
    /// A link to connect.
    Link,
    /// Nothing is possible: the delivery failed with this error.
    Failed(&'static str),
}

pub struct Row {
    pub place: Where,
    pub faults: Vec<(&'static str, Fault)>,
    pub outcome: Outcome,
    pub seen: Seen,
}

fn row(place: Where, method: &'static str, fault: Fault, times: usize, outcome: Outcome, seen: Seen) -> Row {
    Row {
        place,
        faults: std::iter::repeat_n((method, fault), times).collect(),
        outcome,
        seen,
    }
}

/// The same row for each of these error codes.
fn each(
    place: Where,
    method: &'static str,
    words: &'static str,
    outcome: Outcome,
    seen: fn(&'static str) -> Seen,
) -> Vec<Row> {
    words
        .split_whitespace()
        .map(|word| row(place, method, Fault::Error(word), 1, outcome, seen(word)))
        .collect()
}

const fn nothing(_: &'static str) -> Seen {
    Seen::Nothing
}

const RULE: &str = "A rule of your organization";
const NO_POST: &str = "I could not post there";
const LIMITED: &str = "Not everyone may post there";
const THREAD_GONE: &str = "not there any more";
/// More calls than are needed for one question.
const EVERY: usize = 12;
const BROKEN: [Fault; 7] = [
    Fault::ServerError,
    Fault::LostReply,
    Fault::Cut,
    Fault::Page,
    Fault::Status(408),
    Fault::Status(503),
    Fault::RateLimited(1),
];

pub fn posts() -> Vec<Row> {
    let post = "chat.postMessage";
    let channel = |words, outcome, seen| each(Where::Channel, post, words, outcome, seen);
    let mut rows = Vec::new();
    for fault in BROKEN {
        rows.push(row(
            Where::Channel,
            post,
            fault,
            1,
            Outcome::Answer,
            Seen::Nothing,
        ));
        rows.push(row(Where::Direct, post, fault, 1, Outcome::Answer, Seen::Nothing));
    }
    rows.extend(channel(
        "internal_error fatal_error service_unavailable request_timeout invalid_blocks invalid_blocks_format
         msg_too_long msg_blocks_too_long",
        Outcome::Answer,
        nothing,
    ));
    rows.extend(channel(
        "not_in_channel channel_not_found",
        Outcome::DirectMessage("Invite me"),
        nothing,
    ));
    rows.extend(channel(
        "is_archived",
        Outcome::DirectMessage("is archived"),
        nothing,
    ));
    rows.extend(channel(
        "restricted_action restricted_action_read_only_channel restricted_action_thread_locked
         restricted_action_thread_only_channel restricted_action_non_threadable_channel",
        Outcome::DirectMessage(LIMITED),
        nothing,
    ));
    rows.extend(channel(
        "thread_not_found message_not_found cannot_reply_to_message",
        Outcome::DirectMessage(THREAD_GONE),
        nothing,
    ));
    rows.extend(channel(
        "ekm_access_denied accesslimited enterprise_is_restricted app_access_restricted messages_tab_disabled
         slack_connect_canvas_sharing_blocked slack_connect_file_link_sharing_blocked
         slack_connect_lists_sharing_blocked",
        Outcome::DirectMessage(RULE),
        Seen::Alert,
    ));
    rows.extend(channel(
        "a_word_of_tomorrow invalid_arguments",
        Outcome::DirectMessage(NO_POST),
        nothing,
    ));
    // A direct message fails too. The last resort is an ephemeral message, which a direct conversation does not have.
    let barred = Fault::Error("ekm_access_denied");
    let seen = Seen::Alert("ekm_access_denied");
    rows.push(row(Where::Channel, post, barred, EVERY, Outcome::Ephemeral, seen));
    let off = "messages_tab_disabled";
    let (fault, outcome) = (Fault::Error(off), Outcome::Failed(off));
    rows.push(row(Where::Direct, post, fault, EVERY, outcome, Seen::Alert(off)));
    let outcome = Outcome::Failed("missing_scope: chat:write");
    let (fault, seen) = (Fault::MissingScope("chat:write"), Seen::Scope("chat:write"));
    rows.push(row(Where::Direct, post, fault, EVERY, outcome, seen));
    // The thread is gone, but the conversation is not.
    let gone = Outcome::DirectMessage(THREAD_GONE);
    rows.extend(each(Where::Direct, post, "thread_not_found", gone, nothing));
    rows.extend(each(
        Where::Direct,
        post,
        "invalid_auth token_revoked account_inactive not_authed",
        Outcome::Answer,
        Seen::Disabled,
    ));
    rows
}

pub fn updates() -> Vec<Row> {
    let update = "chat.update";
    let channel = |words, outcome, seen| each(Where::Channel, update, words, outcome, seen);
    let mut rows = Vec::new();
    for fault in BROKEN {
        rows.push(row(
            Where::Channel,
            update,
            fault,
            1,
            Outcome::Answer,
            Seen::Nothing,
        ));
    }
    rows.extend(channel(
        "internal_error update_failed external_channel_migrating cant_update_message edit_window_closed
         streaming_state_conflict message_not_found invalid_blocks msg_too_long as_user_not_supported
         a_word_of_tomorrow",
        Outcome::Answer,
        nothing,
    ));
    // Neither the blocks nor the full text are accepted; the short form is.
    let long = Fault::Error("msg_too_long");
    rows.push(row(
        Where::Channel,
        update,
        long,
        2,
        Outcome::Answer,
        Seen::Nothing,
    ));
    rows.extend(channel(
        "channel_not_found",
        Outcome::DirectMessage("Invite me"),
        nothing,
    ));
    rows.extend(channel(
        "is_inactive",
        Outcome::DirectMessage("is archived"),
        nothing,
    ));
    rows.extend(channel(
        "posting_to_channel_denied",
        Outcome::DirectMessage(LIMITED),
        nothing,
    ));
    rows.extend(channel(
        "ekm_access_denied",
        Outcome::DirectMessage(RULE),
        Seen::Alert,
    ));
    rows.extend(channel("token_revoked", Outcome::Answer, Seen::Disabled));
    rows
}

pub fn ephemerals() -> Vec<Row> {
    let ephemeral = "chat.postEphemeral";
    let private = Outcome::PrivateReply("not approved");
    let mut rows = Vec::new();
    for fault in BROKEN {
        rows.push(row(Where::Closed, ephemeral, fault, 1, private, Seen::Nothing));
    }
    rows.extend(each(
        Where::Closed,
        ephemeral,
        "user_not_in_channel not_in_channel channel_not_found is_archived restricted_action internal_error
         invalid_blocks msg_too_long cannot_reply_to_message a_word_of_tomorrow",
        private,
        nothing,
    ));
    rows.extend(each(
        Where::Closed,
        ephemeral,
        "messages_tab_disabled",
        private,
        Seen::Alert,
    ));
    rows
}

pub fn look_ups() -> Vec<Row> {
    let (open, who, info) = ("conversations.open", "users.info", "conversations.info");
    let mut rows = each(
        Where::Unlinked,
        open,
        "user_disabled user_not_visible user_not_found method_not_supported_for_channel_type",
        Outcome::Link,
        nothing,
    );
    for fault in [
        Fault::ServerError,
        Fault::Status(408),
        Fault::RateLimited(1),
        Fault::Error("internal_error"),
    ] {
        rows.push(row(Where::Unlinked, open, fault, 1, Outcome::Link, Seen::Nothing));
        rows.push(row(Where::Direct, who, fault, 1, Outcome::Answer, Seen::Nothing));
        rows.push(row(
            Where::Channel,
            info,
            fault,
            1,
            Outcome::Answer,
            Seen::Nothing,
        ));
    }
    let (fault, seen) = (Fault::MissingScope("im:write"), Seen::Scope("im:write"));
    rows.push(row(Where::Unlinked, open, fault, 1, Outcome::Link, seen));

    let direct = |words, outcome, seen| each(Where::Direct, who, words, outcome, seen);
    let stranger = Outcome::PrivateReply("members of the organization");
    rows.extend(direct("user_not_found user_not_visible", stranger, nothing));
    let unknown = Outcome::PrivateReply("could not check who you are");
    rows.extend(direct("too_many_users a_word_of_tomorrow", unknown, nothing));
    rows.extend(direct("ekm_access_denied", unknown, Seen::Alert));
    rows.extend(direct("account_inactive", Outcome::Answer, Seen::Disabled));
    let right = Outcome::PrivateReply("install me again");
    let (fault, seen) = (Fault::MissingScope("users:read"), Seen::Scope("users:read"));
    rows.push(row(Where::Direct, who, fault, 1, right, seen));

    let channel = |words, outcome, seen| each(Where::Channel, info, words, outcome, seen);
    rows.extend(channel(
        "channel_not_found",
        Outcome::PrivateReply("Invite me"),
        nothing,
    ));
    let closed = Outcome::PrivateReply("does not answer here any more");
    rows.extend(channel("a_word_of_tomorrow", closed, nothing));
    rows.extend(channel("ekm_access_denied", closed, Seen::Alert));
    rows.extend(channel("token_revoked", Outcome::Answer, Seen::Disabled));
    let (fault, seen) = (Fault::MissingScope("channels:read"), Seen::Scope("channels:read"));
    rows.push(row(Where::Channel, info, fault, 1, right, seen));

    // The look-up of a post whose reply was lost.
    for (fault, outcome) in [
        (Fault::ServerError, Outcome::Answer),
        (Fault::RateLimited(1), Outcome::Answer),
        // Reading is an optional scope: without it there is a second placeholder, but one answer.
        (Fault::MissingScope("channels:history"), Outcome::Answer),
        (
            Fault::Error("thread_not_found"),
            Outcome::DirectMessage(THREAD_GONE),
        ),
        (
            Fault::Error("not_in_channel"),
            Outcome::DirectMessage("Invite me"),
        ),
    ] {
        rows.push(Row {
            place: Where::Channel,
            faults: vec![("chat.postMessage", Fault::Cut), ("conversations.replies", fault)],
            outcome,
            seen: Seen::Nothing,
        });
    }
    rows
}
