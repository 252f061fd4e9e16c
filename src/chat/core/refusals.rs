//! Texts about shared conversations that are not answered, and about decisions on them.
//!
//! Sentences for people; the rules are in `rules`, and decisions in `approve`.

use crate::assistants::model::{ConversationState, Say};
use crate::chat::core::platform::Audience;

pub fn shared_off(assistant: &str) -> Say {
    Say::plain(format!(
        "{assistant} does not answer in shared conversations here: an administrator has not enabled it. \
         Send me a direct message instead."
    ))
}

pub fn not_approved(assistant: &str, conversation: &str) -> Say {
    Say::plain(format!(
        "{assistant} is not approved for this conversation yet. An administrator can approve it (conversation id \
         {conversation}). Until then, send me a direct message instead."
    ))
}

pub fn revoked(assistant: &str) -> Say {
    Say::plain(format!(
        "An administrator decided that {assistant} does not answer in this conversation. Send me a direct message \
         instead."
    ))
}

/// Without a stored reason it is the one that cannot be ruled out.
pub fn suspended(assistant: &str, reason: Option<&str>) -> Say {
    let why = match reason {
        Some(reason) => format!("its approval is suspended ({reason})"),
        None => "people from outside the organization are, or may be, in this conversation".to_owned(),
    };
    Say::plain(format!(
        "{assistant} does not answer here any more: {why}. Send me a direct message instead."
    ))
}

/// Why a conversation is suspended because of who is in it, to follow a colon.
pub const fn outsiders_reason(audience: Audience) -> &'static str {
    match audience {
        Audience::Own => "people of the workspace are in it",
        Audience::Workspaces => "it is shared with other workspaces of the organization",
        Audience::Outside => "people from outside the organization are in it",
    }
}

pub fn not_approvable(assistant: &str, audience: Audience) -> Say {
    let why = match audience {
        Audience::Workspaces => "this conversation is shared with other workspaces of the organization",
        Audience::Own | Audience::Outside => {
            "people from outside the organization are, or are asked to be, in this conversation"
        }
    };
    Say::plain(format!(
        "{assistant} does not answer here, and cannot be approved for it: {why}. Send me a direct message instead."
    ))
}

pub fn outsiders_there(conversation: &str, audience: Audience) -> Say {
    let why = match audience {
        Audience::Workspaces => {
            "it is shared with other workspaces of the organization, and I answer only where a conversation is of one \
             workspace"
        }
        Audience::Own | Audience::Outside => "people from outside the organization are, or may be, in it",
    };
    Say::plain(format!("{conversation} cannot be approved: {why}."))
}

fn decision(state: ConversationState) -> &'static str {
    match state {
        ConversationState::Approved => "approved",
        ConversationState::Revoked => "declined",
        ConversationState::Suspended => "suspended",
        ConversationState::Requested => "asked for",
    }
}

pub fn decided(
    assistant: &str,
    conversation: &str,
    state: ConversationState,
    by: &str,
    shared_enabled: bool,
) -> Say {
    let mut text = format!("{by} {} {assistant} for {conversation}.", decision(state));
    if state == ConversationState::Approved && !shared_enabled {
        text.push_str(
            " It still stays silent there: answers in shared conversations are switched off for this assistant. Switch \
             them on in the console.",
        );
    }
    Say::plain(text)
}

/// `kept` is the decision that the button press did not change.
pub fn decided_already(
    conversation: &str,
    kept: ConversationState,
    by: &str,
    wanted: ConversationState,
) -> Say {
    let mut text = format!("{conversation} was already {} by {by}.", decision(kept));
    if kept != wanted {
        text.push_str(" It stays so; the console is where to change it.");
    }
    Say::plain(text)
}

/// For the people who asked in the conversation.
pub fn asked_and_decided(assistant: &str, conversation: &str, state: ConversationState) -> Say {
    Say::plain(match state {
        ConversationState::Approved => {
            format!(
                "{assistant} is now approved for {conversation}. Mention it there again to get your answer."
            )
        }
        _ => format!(
            "An administrator decided that {assistant} does not answer in {conversation}. Ask me here instead."
        ),
    })
}
