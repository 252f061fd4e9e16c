//! What Slack shows around messages: the status, members, the home page, and suggested prompts.
//!
//! Callers continue where a call fails.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::assistants::model::{Installation, Part, Place, PlaceKind, Prompt, Say, Sender, Target};
use crate::base::text::shortened;
use crate::chat::core::effect::Effect;
use crate::chat::core::find_post::{Page, Scan, scan};
use crate::chat::core::platform::{Failure, Result};
use crate::chat::slack::api::Call;
use crate::chat::slack::buttons;
use crate::chat::slack::client::{Ignored, SlackPlatform};
use crate::chat::slack::history::{self, NextPage, from_cursor};

/// A status must never delay an answer.
const TIMEOUT: Duration = Duration::from_secs(3);
const STATUS: usize = 100;
/// Shown in turn while it takes long; Slack accepts ten of fifty characters.
const LOADING: &str = "[\"Reading the question…\",\"Looking at what your organization keeps…\",\
    \"Calculating…\",\"Checking the numbers…\"]";

/// Members on one page, and the most pages that are read.
const PAGE_SIZE: &str = "1000";
const MEMBER_PAGES: usize = 50;
/// Slack's limits for a home page.
const BLOCKS: usize = 100;
const SECTION: usize = 3_000;
const HEADING: usize = 150;
const PROMPTS: usize = 4;

/// `conversations.members`.
#[derive(Deserialize)]
struct Members {
    members: Vec<String>,
    #[serde(default)]
    response_metadata: Option<NextPage>,
}

impl SlackPlatform {
    /// Whether the sender is listed; a person after the last page that is read counts as absent.
    pub(super) async fn is_channel_member(
        &self,
        at: &Installation,
        place: &Place,
        sender: &Sender,
    ) -> Result<bool> {
        let channel = place.conversation.as_str();
        let read = |cursor: String| async move {
            let call = || {
                let call = Call::new("conversations.members", Effect::Repeatable, channel)
                    .with("channel", channel)
                    .with("limit", PAGE_SIZE);
                from_cursor(call, &cursor)
            };
            let members: Members = self.read(at, call).await?;
            Ok(Page {
                items: members.members,
                next: history::cursor(members.response_metadata),
            })
        };
        let matching = |member: String| (member == sender.user).then_some(());
        let found = scan(MEMBER_PAGES, read, matching).await?;
        Ok(found == Scan::Found(()))
    }

    pub(super) async fn publish_home(&self, at: &Installation, sender: &Sender, page: &Say) -> Result<()> {
        let view = json!({ "type": "home", "blocks": page_blocks(page) }).to_string();
        let mut call = Call::new("views.publish", Effect::Repeatable, &sender.user)
            .with("user_id", sender.user.as_str())
            .with("view", view);
        call.timeout = TIMEOUT;
        self.api.call::<Ignored>(at, call).await.map(drop)
    }

    pub(super) async fn set_prompts(
        &self,
        at: &Installation,
        place: &Place,
        prompts: &[Prompt],
    ) -> Result<()> {
        let prompts: Vec<Value> = prompts
            .iter()
            .take(PROMPTS)
            .map(|prompt| json!({ "title": prompt.title, "message": prompt.message }))
            .collect();
        let mut call = Call::new(
            "assistant.threads.setSuggestedPrompts",
            Effect::Repeatable,
            &place.conversation,
        )
        .with("channel_id", place.conversation.as_str())
        .with("prompts", Value::Array(prompts).to_string());
        call.timeout = TIMEOUT;
        self.api.call::<Ignored>(at, call).await.map(drop)
    }

    /// Slack has two methods for the same status. In a direct conversation the session's is used, for which Slack
    /// itself shows a Stop button; where that is refused, and in other conversations, the thread's.
    pub(super) async fn set_status(
        &self,
        at: &Installation,
        target: &Target,
        status: Option<&str>,
    ) -> Result<()> {
        let place = &target.place;
        if place.thread.is_empty() {
            return Ok(());
        }
        if place.kind == PlaceKind::Direct {
            match self.set_session_status(at, target, status).await {
                Err(Failure::Rejected(_) | Failure::NotHere(..) | Failure::Forbidden(_)) => {}
                outcome => return outcome,
            }
        }
        let mut call = Call::new(
            "assistant.threads.setStatus",
            Effect::Repeatable,
            &place.conversation,
        )
        .with("channel_id", place.conversation.as_str())
        .with("thread_ts", place.thread.as_str())
        .with("status", shortened(status.unwrap_or_default(), STATUS));
        if status.is_some() {
            call = call.with("loading_messages", LOADING);
        }
        call.timeout = TIMEOUT;
        self.api.call::<Ignored>(at, call).await.map(drop)
    }

    async fn set_session_status(
        &self,
        at: &Installation,
        target: &Target,
        status: Option<&str>,
    ) -> Result<()> {
        let place = &target.place;
        let status = if status.is_some() { "processing" } else { "active" };
        let mut call = Call::new(
            "agents.sessions.setStatus",
            Effect::Repeatable,
            &place.conversation,
        )
        .with("channel_id", place.conversation.as_str())
        .with("thread_ts", place.thread.as_str())
        .with("status", status)
        .with("initiator_user_id", target.sender.user.as_str());
        call.timeout = TIMEOUT;
        self.api.call::<Ignored>(at, call).await.map(drop)
    }
}

/// Blocks of plain text and buttons: a home page accepts no Markdown block, and nothing foreign becomes a link or a
/// mention.
fn page_blocks(page: &Say) -> Vec<Value> {
    let plain = |text: &str, most| {
        let text = shortened(text.trim(), most);
        json!({ "type": "plain_text", "text": text, "emoji": false })
    };
    let mut blocks = Vec::new();
    for part in &page.parts {
        match part {
            Part::Markdown(text) | Part::Note(text) if text.trim().is_empty() => {}
            Part::Markdown(text) => blocks.push(match text.strip_prefix("## ") {
                Some(heading) => json!({ "type": "header", "text": plain(heading, HEADING) }),
                None => json!({ "type": "section", "text": plain(text, SECTION) }),
            }),
            Part::Note(text) => {
                blocks.push(json!({ "type": "context", "elements": [plain(text, SECTION / 2)] }));
            }
            Part::Buttons(row) => blocks.extend(buttons::actions(row)),
            Part::Link { .. } | Part::Feedback(_) => {}
        }
    }
    blocks.truncate(BLOCKS);
    blocks
}
