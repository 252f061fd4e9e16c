//! Looking through a thread or conversation: for a post of ours, and for what was said before a question.
//!
//! Knows no delivery but by its id, and no rule of what may be used.

use std::borrow::Cow;
use std::collections::VecDeque;

use serde::Deserialize;
use serde_json::Value;

use crate::analysis::engine::{Remark, Speaker};
use crate::assistants::model::{Installation, Place, Target};
use crate::assistants::slack::app::Scopes;
use crate::base::ids::DeliveryId;
use crate::chat::core::platform::{Failure, LookupResult, PostState, Result};
use crate::chat::core::say::placeholder;
use crate::chat::slack::api::Call;
use crate::chat::slack::client::{EVENT_TYPE, SlackPlatform};
use crate::chat::slack::failure::Effect;
use crate::chat::slack::mrkdwn;

/// Posts and pages that are looked through for one of ours.
const PAGE: &str = "200";
const PAGES: usize = 10;

/// A page of `conversations.replies` or `conversations.history`.
#[derive(Deserialize)]
struct Page {
    #[serde(default)]
    messages: Vec<Message>,
    #[serde(default)]
    response_metadata: Option<Next>,
}

#[derive(Deserialize)]
struct Next {
    #[serde(default)]
    next_cursor: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Message {
    ts: String,
    user: Option<String>,
    text: Option<String>,
    subtype: Option<String>,
    bot_id: Option<String>,
    app_id: Option<String>,
    metadata: Option<Value>,
}

impl SlackPlatform {
    pub(super) async fn found(
        &self,
        at: &Installation,
        target: &Target,
        id: DeliveryId,
    ) -> Result<LookupResult> {
        let place = &target.place;
        let mut cursor = String::new();
        for _ in 0..PAGES {
            let page: Page = match self.read(at, || listing(place, &cursor)).await {
                Ok(page) => page,
                // Reading a conversation is an optional right.
                Err(Failure::MissingRight(_)) => return Ok(LookupResult::Unreadable),
                Err(failure) => return Err(failure),
            };
            if let Some(ours) = page.messages.into_iter().find(|message| message.bears(id, at)) {
                return Ok(LookupResult::Found(ours.ts));
            }
            cursor = page
                .response_metadata
                .map(|next| next.next_cursor)
                .unwrap_or_default();
            if cursor.is_empty() {
                return Ok(LookupResult::Absent);
            }
        }
        // So much was said since that nobody looks further.
        Ok(LookupResult::Unreadable)
    }

    /// Every post of ours that bears an identifier, in the order of time.
    pub(super) async fn all_of_ours(&self, at: &Installation, target: &Target) -> Result<Vec<PostState>> {
        let mut ours = Vec::new();
        let mut cursor = String::new();
        for _ in 0..PAGES {
            let page: Page = match self.read(at, || listing(&target.place, &cursor)).await {
                Ok(page) => page,
                Err(Failure::MissingRight(_)) => return Ok(Vec::new()),
                Err(failure) => return Err(failure),
            };
            ours.extend(page.messages.into_iter().filter_map(|message| {
                let id = message.delivery(at)?;
                let receipt = message.ts;
                Some(PostState { id, receipt })
            }));
            cursor = page
                .response_metadata
                .map(|next| next.next_cursor)
                .unwrap_or_default();
            if cursor.is_empty() {
                break;
            }
        }
        ours.sort_by(|one, other| one.receipt.cmp(&other.receipt));
        Ok(ours)
    }

    /// What was said in a thread before a message. Where the right to read is not granted, nothing.
    pub(super) async fn thread_before(
        &self,
        at: &Installation,
        place: &Place,
        most: usize,
    ) -> Result<Vec<Remark>> {
        let may_read = |scopes: &Scopes| scopes.has("channels:history") || scopes.has("groups:history");
        if !at.slack().scopes.as_ref().is_none_or(may_read) {
            return Ok(Vec::new());
        }
        let channel = place.conversation.as_str();
        let mut remarks = VecDeque::with_capacity(most + 1);
        let mut cursor = String::new();
        for _ in 0..PAGES {
            let call = || {
                let call = Call::new("conversations.replies", Effect::Repeatable, channel)
                    .with("channel", channel)
                    .with("ts", place.thread.as_str())
                    .with("latest", place.message.as_str())
                    .with("limit", PAGE)
                    .with("include_all_metadata", "true");
                if cursor.is_empty() {
                    call
                } else {
                    call.with("cursor", cursor.as_str())
                }
            };
            let page: Page = match self.read(at, call).await {
                Ok(page) => page,
                Err(Failure::MissingRight(_)) => return Ok(Vec::new()),
                Err(failure) => return Err(failure),
            };
            let before = page.messages.iter().filter(|message| message.ts < place.message);
            for remark in before.filter_map(|message| self.remark(at, message)) {
                if remarks.len() == most {
                    remarks.pop_front();
                }
                remarks.push_back(remark);
            }
            cursor = page
                .response_metadata
                .map(|next| next.next_cursor)
                .unwrap_or_default();
            if cursor.is_empty() {
                break;
            }
        }
        Ok(remarks.into())
    }

    /// Of people, and what this assistant answered; not its sign that an answer is coming.
    fn remark(&self, at: &Installation, message: &Message) -> Option<Remark> {
        let text = message.text.as_deref()?;
        let by = if message.is_ours(at) {
            if text == placeholder().text {
                return None;
            }
            Speaker::Assistant
        } else {
            let by_machine = message.bot_id.is_some() || message.app_id.is_some();
            let spoken = matches!(
                message.subtype.as_deref(),
                None | Some("file_share" | "thread_broadcast" | "me_message")
            );
            if by_machine || !spoken {
                return None;
            }
            Speaker::Person(self.known_name(at, message.user.as_deref()?))
        };
        let text = mrkdwn::plain(text, at.slack().bot_user_id.as_deref());
        let text = text.trim().to_owned();
        (!text.is_empty()).then_some(Remark { by, text })
    }
}

/// A page of the thread, or of the conversation where the post is in none.
fn listing<'a>(place: &'a Place, cursor: &'a str) -> Call<'a> {
    let channel = place.conversation.as_str();
    let mut call = if place.thread.is_empty() {
        Call::new("conversations.history", Effect::Repeatable, channel)
    } else {
        Call::new("conversations.replies", Effect::Repeatable, channel).with("ts", place.thread.as_str())
    };
    call = call
        .with("channel", channel)
        .with("limit", PAGE)
        .with("include_all_metadata", "true");
    // What we say about a message comes after it.
    if !place.message.is_empty() {
        call = call.with("oldest", place.message.as_str());
    }
    if cursor.is_empty() {
        call
    } else {
        call.with("cursor", Cow::Borrowed(cursor))
    }
}

impl Message {
    fn is_ours(&self, at: &Installation) -> bool {
        let word = self.metadata.as_ref().and_then(|data| data.get("event_type"));
        self.app_id.is_some()
            && self.app_id == at.slack().app_id
            && word.and_then(Value::as_str) == Some(EVENT_TYPE)
    }

    fn bears(&self, id: DeliveryId, at: &Installation) -> bool {
        self.delivery(at) == Some(id)
    }

    /// Another app may copy our words, but not our name.
    fn delivery(&self, at: &Installation) -> Option<DeliveryId> {
        let text = |path: &str| {
            self.metadata
                .as_ref()
                .and_then(|data| data.pointer(path))
                .and_then(Value::as_str)
        };
        let ours = self.app_id.is_none() || self.app_id == at.slack().app_id;
        if !ours || self.ts.is_empty() || text("/event_type") != Some(EVENT_TYPE) {
            return None;
        }
        text("/event_payload/delivery_id")?.parse().ok()
    }
}
