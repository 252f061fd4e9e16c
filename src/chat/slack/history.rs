//! Reads the history of a Slack thread or conversation: our own posts in it, and what was said before a question.
//! Does not decide what may be used of it.

use std::borrow::Cow;
use std::collections::VecDeque;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::analysis::engine::{Remark, Speaker};
use crate::assistants::model::{Installation, Place, Target};
use crate::assistants::slack::app::Scopes;
use crate::base::ids::DeliveryId;
use crate::chat::core::effect::Effect;
use crate::chat::core::find_post::{self, HISTORY_PAGES, Page, scan};
use crate::chat::core::platform::{Failure, LookupResult, Post, Result};
use crate::chat::core::say::placeholder;
use crate::chat::slack::api::Call;
use crate::chat::slack::client::{EVENT_TYPE, SlackPlatform};
use crate::chat::slack::content;
use crate::chat::slack::mrkdwn;

const PAGE_SIZE: &str = "200";

/// `conversations.replies` or `conversations.history`.
#[derive(Deserialize)]
struct History {
    #[serde(default)]
    messages: Vec<Message>,
    #[serde(default)]
    response_metadata: Option<NextPage>,
}

/// Where the next page of a list begins.
#[derive(Deserialize)]
pub(super) struct NextPage {
    #[serde(default)]
    next_cursor: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Message {
    ts: String,
    user: Option<String>,
    text: Option<String>,
    blocks: Option<Box<RawValue>>,
    attachments: Option<Box<RawValue>>,
    subtype: Option<String>,
    bot_id: Option<String>,
    app_id: Option<String>,
    metadata: Option<Value>,
}

/// The cursor of the next page; empty on the last page.
pub(super) fn cursor(next: Option<NextPage>) -> String {
    next.map(|next| next.next_cursor).unwrap_or_default()
}

impl SlackPlatform {
    pub(super) async fn find_in_history(
        &self,
        at: &Installation,
        target: &Target,
        id: DeliveryId,
    ) -> Result<LookupResult> {
        find_post::find_post(|cursor| self.our_page(at, &target.place, cursor), id).await
    }

    pub(super) async fn posts_in_history(&self, at: &Installation, target: &Target) -> Result<Vec<Post>> {
        find_post::our_posts(|cursor| self.our_page(at, &target.place, cursor)).await
    }

    async fn our_page(&self, at: &Installation, place: &Place, cursor: String) -> Result<Page<Post>> {
        let page = self.page(at, || history(place, &cursor)).await?;
        Ok(page.filter_map(|message| message.our_post(at)))
    }

    async fn page<'a>(&self, at: &Installation, call: impl Fn() -> Call<'a>) -> Result<Page<Message>> {
        let history: History = self.read(at, call).await?;
        Ok(Page {
            items: history.messages,
            next: cursor(history.response_metadata),
        })
    }

    /// What was said in a thread before a message; nothing where the right to read it was not granted.
    pub(super) async fn read_thread_before(
        &self,
        at: &Installation,
        place: &Place,
        most: usize,
    ) -> Result<Vec<Remark>> {
        let may_read = |scopes: &Scopes| scopes.has("channels:history") || scopes.has("groups:history");
        if !at.slack().scopes.as_ref().is_none_or(may_read) {
            return Ok(Vec::new());
        }
        let mut remarks = VecDeque::with_capacity(most + 1);
        let keep_last = |message: Message| {
            if message.ts < place.message
                && let Some(remark) = self.remark(at, &message)
            {
                if remarks.len() == most {
                    remarks.pop_front();
                }
                remarks.push_back(remark);
            }
            None::<()>
        };
        let read = |cursor: String| async move { self.page(at, || thread_before(place, &cursor)).await };
        match scan(HISTORY_PAGES, read, keep_last).await {
            Ok(_) => Ok(remarks.into()),
            Err(Failure::MissingPermission(_)) => Ok(Vec::new()),
            Err(failure) => Err(failure),
        }
    }

    /// What a person or this assistant said; a placeholder is no remark.
    fn remark(&self, at: &Installation, message: &Message) -> Option<Remark> {
        let text = message.text.as_deref().unwrap_or_default();
        let ours = message.is_ours(at);
        let by = if ours {
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
        let bot = at.slack().bot_user_id.as_deref();
        let text = if ours {
            mrkdwn::plain(text, bot)
        } else {
            let (blocks, attachments) = (message.blocks.as_deref(), message.attachments.as_deref());
            content::read(text, blocks, attachments, bot).question()
        };
        (!text.is_empty()).then_some(Remark { by, text })
    }
}

/// A page of the thread, or of the conversation where the post is in no thread.
fn history<'a>(place: &'a Place, cursor: &'a str) -> Call<'a> {
    let channel = place.conversation.as_str();
    let mut call = if place.thread.is_empty() {
        Call::new("conversations.history", Effect::Repeatable, channel)
    } else {
        Call::new("conversations.replies", Effect::Repeatable, channel).with("ts", place.thread.as_str())
    };
    call = call
        .with("channel", channel)
        .with("limit", PAGE_SIZE)
        .with("include_all_metadata", "true");
    // Our replies to a message are newer than it.
    if !place.message.is_empty() {
        call = call.with("oldest", place.message.as_str());
    }
    from_cursor(call, cursor)
}

/// A page of what was said in the thread up to the place's message.
fn thread_before<'a>(place: &'a Place, cursor: &'a str) -> Call<'a> {
    let channel = place.conversation.as_str();
    let call = Call::new("conversations.replies", Effect::Repeatable, channel)
        .with("channel", channel)
        .with("ts", place.thread.as_str())
        .with("latest", place.message.as_str())
        .with("limit", PAGE_SIZE)
        .with("include_all_metadata", "true");
    from_cursor(call, cursor)
}

pub(super) fn from_cursor<'a>(call: Call<'a>, cursor: &'a str) -> Call<'a> {
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

    /// Another app may copy our metadata, but not our app id.
    fn our_post(self, at: &Installation) -> Option<Post> {
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
        let id = text("/event_payload/delivery_id")?.parse().ok()?;
        Some(Post { id, receipt: self.ts })
    }
}
