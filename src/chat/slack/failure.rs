//! Slack's error codes and what to do next about each, in one table. Does not depend on any call.

use crate::chat::core::effect::{DEFAULT_WAIT, Effect, lost};
use crate::chat::core::platform::{Failure, Obstacle};

/// What several of Slack's error codes have in common. [`refused`] decides what to do about each class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Rate limited.
    Slow,
    /// A fault at Slack; the call may have had its effect.
    Broken,
    /// The token is no longer valid.
    Revoked,
    /// The token has expired.
    Expired,
    /// A permission was not granted.
    Scope,
    /// The content is too long or malformed.
    Layout,
    /// The bot is not in the conversation, or cannot see it.
    Absent,
    /// The conversation is archived.
    Archived,
    /// The conversation's rules do not let the bot post.
    Restricted,
    /// The thread or message does not exist.
    Missing,
    /// The message exists and cannot be changed.
    Uneditable,
    /// The person is not in the conversation.
    NotThere,
    /// A rule of the workspace or organization, or a setting of the app: an administrator has to change it.
    Forbidden,
    /// The person is gone or cannot be seen.
    NoRecipient,
    /// A problem with a file.
    File,
    /// Setup of the app: codes, secrets, manifests.
    Setup,
    /// A fault in our request, or a feature that this workspace does not have.
    Ours,
    /// Not in the table.
    Unknown,
}

impl Class {
    /// The class of an error code.
    #[rustfmt::skip]
    pub fn of(word: &str) -> Self {
        match word {
            "ratelimited" | "rate_limited" | "message_limit_exceeded" => Self::Slow,

            "internal_error" | "fatal_error" | "service_unavailable" | "request_timeout" | "update_failed"
            | "team_added_to_org" | "external_channel_migrating" | "org_login_required" | "unknown_error"
            | "messaging_processing_failed" | "fetch_members_failed" | "file_update_failed"
            | "list_record_comment_fetch_failed" | "failed_datastore_operation" => Self::Broken,

            "invalid_auth" | "not_authed" | "token_revoked" | "account_inactive" => Self::Revoked,

            "token_expired" => Self::Expired,

            "missing_scope" => Self::Scope,

            "msg_too_long" | "msg_blocks_too_long" | "msg_blocks_too_many" | "invalid_blocks"
            | "invalid_blocks_format" | "invalid_attachments" | "attachment_payload_limit_exceeded"
            | "too_many_attachments" | "too_many_contact_cards" | "block_mismatch" | "no_text"
            | "view_too_large" => Self::Layout,

            "not_in_channel" | "channel_not_found" | "channel_is_limited_access" => Self::Absent,

            "is_archived" | "is_inactive" => Self::Archived,

            "restricted_action" | "restricted_action_non_threadable_channel"
            | "restricted_action_read_only_channel" | "restricted_action_thread_locked"
            | "restricted_action_thread_only_channel" | "posting_to_channel_denied" | "thread_locked"
            | "method_not_supported_for_channel_type" | "channel_type_not_supported" => Self::Restricted,

            "thread_not_found" | "message_not_found" | "cannot_reply_to_message" | "invalid_thread_ts"
            | "thread_ts_not_allowed" | "thread_ts_required" | "session_not_found" => Self::Missing,

            "cant_update_message" | "edit_window_closed" | "streaming_state_conflict"
            | "message_not_in_streaming_state" | "message_not_owned_by_app" | "stopped_by_user"
            | "cant_delete_message" | "cant_broadcast_message" | "no_dual_broadcast_content_update" => Self::Uneditable,

            "user_not_in_channel" => Self::NotThere,

            "messages_tab_disabled" | "ekm_access_denied" | "accesslimited" | "enterprise_is_restricted"
            | "app_access_restricted" | "no_permission" | "not_authorized" | "two_factor_setup_required"
            | "slack_connect_canvas_sharing_blocked" | "slack_connect_file_link_sharing_blocked"
            | "slack_connect_lists_sharing_blocked" | "slack_connect_clip_sharing_blocked"
            | "slack_connect_blocked_file_type" | "slack_connect_file_upload_sharing_blocked"
            | "send_on_behalf_not_allowed"
            // In one workspace: an installation for an organization keeps its access to the others.
            | "team_access_not_granted" | "user_removed_from_team" => Self::Forbidden,

            "user_disabled" | "user_not_visible" | "user_not_found" | "users_not_found" | "missing_user"
            => Self::NoRecipient,

            "file_not_found" | "file_deleted" | "file_is_deleted" | "not_visible" | "access_denied"
            | "file_type_not_allowed" | "file_upload_size_restricted" | "file_uploads_disabled"
            | "file_uploads_except_images_disabled" | "storage_limit_reached" | "snippet_too_large"
            | "unknown_snippet_type" | "unknown_subtype" | "alt_txt_too_large" | "blocked_file_type"
            | "file_share_limit_reached" | "max_file_sharing_exceeded" | "unable_to_share_files"
            | "missing_file_data" | "canvas_disabled_file_team" | "canvas_disabled_user_team"
            | "canvas_globally_disabled" | "template_not_visible" => Self::File,

            "bad_client_secret" | "bad_redirect_uri" | "cannot_install_an_org_installed_app"
            | "invalid_client_id" | "invalid_code" | "invalid_code_verifier" | "invalid_grant_type"
            | "invalid_refresh_token" | "no_scopes" | "oauth_authorization_url_mismatch" | "pkce_not_allowed"
            | "preview_feature_not_available" | "user_email_unverified" | "client_id_token_mismatch"
            | "authorization_not_found" | "invalid_token" | "token_already_exchanged" | "token_rotation_not_enabled"
            | "invalid_manifest" | "invalid_app" | "invalid_app_id" | "app_not_found" | "app_not_eligible"
            | "app_not_owned_by_manager_app" | "failed_adding_collaborator" | "failed_creating_app"
            | "failed_export" | "failed_generating_app_token" | "feature_not_enabled" | "invalid_manager_app"
            | "invalid_team_id" | "managed_app_limit_reached" | "not_in_team" | "oauth_metadata_not_found"
            | "socket_mode_not_enabled" | "published_app_only" | "error_bad_format" | "icon_not_accessible"
            | "invalid_icon_size" | "invalid_parameters" | "unable_to_open_file" | "not_bearer_token"
            | "dynamic_client_registration_failed" | "dynamic_client_registration_invalid_redirect_uri"
            | "dynamic_client_registration_invalid_response" | "dynamic_client_registration_missing_oauth_endpoints"
            | "dynamic_client_registration_not_supported" | "dynamic_client_registration_rejected"
            | "enterprise_not_found" | "org_not_found" | "team_not_on_enterprise"
            | "fail_to_get_teams_for_restricted_user" | "bot_not_found" | "bots_not_found" | "team_not_found"
            => Self::Setup,

            "invalid_arguments" | "invalid_arg_name" | "invalid_array_arg" | "invalid_charset"
            | "invalid_form_data" | "invalid_post_type" | "missing_post_type" | "missing_argument"
            | "missing_arguments" | "unknown_method" | "method_deprecated" | "deprecated_endpoint"
            | "insecure_request" | "not_allowed_token_type" | "as_user_not_supported" | "markdown_text_conflict"
            | "draft_already_deleted" | "draft_already_sent" | "draft_has_conflict" | "draft_not_found"
            | "duplicate_channel_not_found" | "duplicate_message_not_found" | "invalid_metadata_format"
            | "invalid_metadata_schema" | "metadata_must_be_sent_from_app" | "metadata_too_large"
            | "reserved_username" | "not_agent_app" | "feature_disabled" | "invalid_status" | "invalid_name"
            | "name_taken" | "invalid_cursor" | "invalid_limit" | "invalid_types" | "invalid_metadata_filter_keys"
            | "invalid_ts_latest" | "invalid_ts_oldest" | "invalid_user_combination" | "not_enough_users"
            | "too_many_users" | "users_list_not_supplied" | "invalid_channel" | "channels_limit_exceeded"
            | "duplicate_external_id" | "exchanged_trigger_id" | "expired_trigger_id" | "invalid_trigger_id"
            | "hash_conflict" | "missing_profile_id" | "not_enabled" | "not_implemented" | "invalid_event_context"
            | "auth_mismatch" | "invalid_chunks" | "missing_recipient_team_id" | "missing_recipient_user_id"
            | "not_subscribed_to_message_stream_stopped" | "too_many_members" | "invalid_message" | "invalid_view"
            => Self::Ours,

            _ => Self::Unknown,
        }
    }
}

/// What `ok: false` with this error code means. `needed` is the permission that Slack names with it.
pub fn refused(effect: Effect, word: &str, needed: Option<&str>) -> Failure {
    let said = word.to_owned();
    let here = |obstacle| Failure::NotHere(obstacle, word.to_owned());
    match Class::of(word) {
        Class::Slow => Failure::Wait(DEFAULT_WAIT),
        Class::Broken => lost(effect, said),
        Class::Revoked => Failure::Disabled(said),
        Class::Expired => Failure::TokenExpired(said),
        Class::Scope => {
            Failure::MissingPermission(needed.unwrap_or("a scope that Slack does not name").to_owned())
        }
        Class::Layout => Failure::ContentRejected(said),
        Class::Absent => here(Obstacle::NotMember),
        Class::Archived => here(Obstacle::Archived),
        Class::Restricted => here(Obstacle::Restricted),
        Class::Missing if effect == Effect::Edit && word == "message_not_found" => Failure::Gone(said),
        Class::Missing => here(Obstacle::ThreadGone),
        Class::Uneditable if effect == Effect::Edit => Failure::NotEditable(said),
        Class::NotThere => here(Obstacle::SenderLeft),
        Class::Forbidden => Failure::Forbidden(said),
        Class::NoRecipient => Failure::NoRecipient(said),
        // A retry would not change it.
        Class::Uneditable | Class::File | Class::Setup | Class::Ours | Class::Unknown => {
            Failure::Rejected(said)
        }
    }
}

/// What a refused token renewal means. The installation counts as revoked only where a retry cannot help.
pub fn no_next_token(word: &str) -> Failure {
    let said = word.to_owned();
    match Class::of(word) {
        Class::Slow => Failure::Wait(DEFAULT_WAIT),
        Class::Revoked | Class::Expired | Class::Setup => Failure::Disabled(said),
        Class::Broken
        | Class::Scope
        | Class::Layout
        | Class::Absent
        | Class::Archived
        | Class::Restricted
        | Class::Missing
        | Class::Uneditable
        | Class::NotThere
        | Class::Forbidden
        | Class::NoRecipient
        | Class::File
        | Class::Ours
        | Class::Unknown => Failure::Unavailable(said),
    }
}

/// What an administrator can do about an error of [`Class::Forbidden`].
pub fn fix(word: &str) -> &'static str {
    match word {
        "messages_tab_disabled" => {
            "Turn on the Messages Tab under App Home in the app's settings, or update the app with the manifest."
        }
        "ekm_access_denied" => {
            "Ask the owner of your organization's encryption keys to give this app access."
        }
        "accesslimited"
        | "app_access_restricted"
        | "enterprise_is_restricted"
        | "no_permission"
        | "not_authorized" => {
            "Ask a Slack administrator to allow this app in the workspace, then reinstall it."
        }
        "team_access_not_granted" | "user_removed_from_team" => {
            "The app has no access to this workspace. Ask a Slack administrator to add it."
        }
        "two_factor_setup_required" => "Set up two-factor sign-in for the account that installed the app.",
        _ if word.starts_with("slack_connect_") => {
            "An administrator of the other organization does not allow this in shared channels; ask in a channel of \
             your own."
        }
        _ => "Ask a Slack administrator which rule of the workspace or organization forbids it.",
    }
}
