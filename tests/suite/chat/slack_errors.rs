//! Slack's error codes: how each is handled, and that each documented one is handled explicitly.

use std::collections::BTreeSet;
use std::path::Path;

use corbel::chat::core::effect::Effect;
use corbel::chat::core::platform::{Failure, Obstacle};
use corbel::chat::slack::failure::{Class, refused};
use serde_json::Value;

use crate::chat::slack_wire::shared;

/// The kind of a failure in one word.
fn kind(failure: &Failure) -> &'static str {
    match failure {
        Failure::Wait(_) => "wait",
        Failure::Unavailable(_) => "away",
        Failure::Ambiguous(_) => "ambiguous",
        Failure::Late(_) => "late",
        Failure::NotHere(obstacle, _) => obstacle.as_str(),
        Failure::ContentRejected(_) => "content",
        Failure::Gone(_) => "gone",
        Failure::NotEditable(_) => "fixed",
        Failure::Disabled(_) => "disabled",
        Failure::TokenExpired(_) => "expired",
        Failure::MissingPermission(_) => "right",
        Failure::Forbidden(_) => "barred",
        Failure::NoRecipient(_) => "nobody",
        Failure::Rejected(_) => "refused",
    }
}

#[test]
fn the_error_table_is_applied_row_by_row() {
    for (words, post, edit, read) in [
        ("ratelimited rate_limited message_limit_exceeded", "wait", "wait", "wait"),
        (
            "internal_error fatal_error service_unavailable request_timeout",
            "ambiguous",
            "away",
            "away",
        ),
        (
            "invalid_auth token_revoked account_inactive not_authed",
            "disabled",
            "disabled",
            "disabled",
        ),
        ("token_expired", "expired", "expired", "expired"),
        ("missing_scope", "right", "right", "right"),
        (
            "not_in_channel channel_not_found",
            "not_member",
            "not_member",
            "not_member",
        ),
        ("is_archived", "archived", "archived", "archived"),
        (
            "restricted_action restricted_action_read_only_channel restricted_action_thread_locked
             restricted_action_thread_only_channel restricted_action_non_threadable_channel",
            "restricted",
            "restricted",
            "restricted",
        ),
        ("message_not_found", "thread_gone", "gone", "thread_gone"),
        (
            "thread_not_found cannot_reply_to_message",
            "thread_gone",
            "thread_gone",
            "thread_gone",
        ),
        (
            "cant_update_message edit_window_closed streaming_state_conflict message_not_in_streaming_state",
            "refused",
            "fixed",
            "refused",
        ),
        (
            "msg_too_long msg_blocks_too_long invalid_blocks invalid_blocks_format",
            "content",
            "content",
            "content",
        ),
        ("user_not_in_channel", "sender_left", "sender_left", "sender_left"),
        (
            "ekm_access_denied accesslimited enterprise_is_restricted app_access_restricted messages_tab_disabled
             team_access_not_granted user_removed_from_team
             slack_connect_canvas_sharing_blocked slack_connect_file_link_sharing_blocked
             slack_connect_lists_sharing_blocked",
            "barred",
            "barred",
            "barred",
        ),
        ("user_disabled user_not_visible user_not_found", "nobody", "nobody", "nobody"),
        ("a_word_that_nobody_knows invalid_arguments", "refused", "refused", "refused"),
    ] {
        for word in words.split_whitespace() {
            let kinds = [Effect::Post, Effect::Edit, Effect::Repeatable]
                .map(|effect| kind(&refused(effect, word, None)));
            assert_eq!(kinds, [post, edit, read], "{word}");
        }
    }
    assert_eq!(Class::of("a_word_that_nobody_knows"), Class::Unknown);
    assert_eq!(
        refused(Effect::Post, "missing_scope", Some("im:write")),
        Failure::MissingPermission("im:write".to_owned())
    );
    assert_eq!(
        refused(Effect::Post, "is_archived", None).obstacle(),
        Some(Obstacle::Archived)
    );
}

/// Every text between double quotes in a file.
fn collect_quoted(file: &Path, found: &mut BTreeSet<String>) {
    let text = std::fs::read_to_string(file).expect("a source file");
    found.extend(text.split('"').skip(1).step_by(2).map(str::to_owned));
}

fn collect_sources(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect_sources(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            collect_quoted(&path, found);
        }
    }
}

#[test]
fn every_documented_error_of_every_called_method_is_in_the_table() {
    let Some(file) = shared("data/slack/methods-errors.json") else {
        return;
    };
    let mut texts = BTreeSet::new();
    collect_sources(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src/chat"),
        &mut texts,
    );
    let methods = file["methods"].as_object().expect("methods");
    let called: Vec<(&String, &Value)> = methods.iter().filter(|(name, _)| texts.contains(*name)).collect();
    for expected in [
        "chat.postMessage",
        "chat.update",
        "conversations.open",
        "users.info",
    ] {
        assert!(
            called.iter().any(|(name, _)| *name == expected),
            "{expected} is called"
        );
    }
    let mut unlisted = Vec::new();
    for (method, described) in called {
        for word in described["errors"].as_array().expect("errors") {
            let word = word.as_str().expect("a word");
            if Class::of(word) == Class::Unknown {
                unlisted.push(format!("{method}: {word}"));
            }
        }
    }
    assert!(unlisted.is_empty(), "not in the table: {unlisted:#?}");
}
