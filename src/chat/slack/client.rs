//! Slack as a chat platform: the neutral calls of the chat core as Web API methods.
//!
//! Decides no rule. Answers about people and conversations are kept for a short while; failures
//! never are, so that what could not be checked is checked again.

use std::borrow::Cow;
use std::time::Duration;

use chrono::TimeDelta;
use futures_core::future::BoxFuture;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::assistants::model::{Installation, Place, PlaceKind, PlatformKind, Say, Sender, Target};
use crate::base::clock::Clock;
use crate::base::ids::{DeliveryId, InstallationId};
use crate::base::text::shortened;
use crate::chat::core::platform::{Failure, Identity, Platform, Result, Standing};
use crate::chat::slack::api::{Api, Call};
use crate::chat::slack::blocks::{SlackMessage, messages, text_only};
use crate::chat::slack::failure::{Effect, lost};
use crate::chat::slack::people::{ChannelAnswer, User, UserAnswer};
use crate::chat::slack::recent::Recent;
use crate::net::client::{Outbound, retry_read};

/// By which we recognize our own posts.
const EVENT_TYPE: &str = "corbel_delivery";

/// How long a person's standing is believed. Somebody who leaves may ask for this much longer.
const PERSON: TimeDelta = TimeDelta::minutes(10);
/// How long a conversation is believed to have no outsiders, or to have some.
const CONVERSATION: TimeDelta = TimeDelta::seconds(60);
const PEOPLE: usize = 20_000;
const CONVERSATIONS: usize = 10_000;
const TEAMS: usize = 1_000;

/// A status must never hold up an answer.
const PROGRESS_PATIENCE: Duration = Duration::from_secs(3);
const PROGRESS_LENGTH: usize = 100;
/// Posts and pages that are looked through for one of ours.
const PAGE: &str = "200";
const PAGES: usize = 10;

/// Slack, for every installation.
#[derive(Debug)]
pub struct SlackPlatform {
    api: Api,
    clock: Clock,
    people: Recent<(InstallationId, String), User>,
    outsiders: Recent<(InstallationId, String), bool>,
    team_names: Recent<InstallationId, String>,
}

/// The answer of a call whose answer does not matter.
#[derive(Deserialize)]
struct Nothing {}

#[derive(Deserialize)]
struct Posted {
    ts: String,
}

#[derive(Deserialize)]
struct Opened {
    channel: OpenedChannel,
}

#[derive(Deserialize)]
struct OpenedChannel {
    id: String,
}

/// `auth.test`.
#[derive(Deserialize)]
struct Whoami {
    team: String,
}

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
    app_id: Option<String>,
    metadata: Option<Value>,
}

impl SlackPlatform {
    /// `api_base` ends in `/api/`.
    pub fn new(outbound: Outbound, clock: Clock, api_base: String) -> Self {
        Self {
            api: Api::new(outbound, clock.clone(), api_base),
            clock,
            people: Recent::new(PEOPLE),
            outsiders: Recent::new(CONVERSATIONS),
            team_names: Recent::new(TEAMS),
        }
    }

    async fn identity(&self, at: &Installation, sender: &Sender) -> Result<Identity> {
        let Some(team) = at.team_id.as_deref() else {
            return Err(Failure::Refused("the installation has no workspace".to_owned()));
        };
        let standing_and_name = match self.user(at, &sender.user).await {
            Ok(user) => (user.standing(sender, team), user.shown().to_owned()),
            // People whom this workspace cannot see.
            Err(Failure::Refused(word)) if matches!(word.as_str(), "user_not_found" | "user_not_visible") => {
                (Standing::Stranger, sender.user.clone())
            }
            Err(failure) => return Err(failure),
        };
        let (standing, name) = standing_and_name;
        Ok(Identity {
            standing,
            name,
            team_name: self.team_name(at, team).await,
        })
    }

    async fn user(&self, at: &Installation, user: &str) -> Result<User> {
        let key = (at.id, user.to_owned());
        if let Some((_, known)) = self.people.get(&key, self.clock.now()) {
            return Ok(known);
        }
        let answer: UserAnswer = self
            .read(at, || {
                Call::new("users.info", Effect::Repeatable, "").with("user", user)
            })
            .await?;
        let now = self.clock.now();
        self.people.put(key, answer.user.clone(), now + PERSON, now);
        Ok(answer.user)
    }

    /// Only shown, so the workspace's id will do where Slack does not tell.
    async fn team_name(&self, at: &Installation, team: &str) -> String {
        if let Some((_, name)) = self.team_names.get(&at.id, self.clock.now()) {
            return name;
        }
        let call = Call::new("auth.test", Effect::Repeatable, "");
        match self.api.call::<Whoami>(at, call).await {
            Ok(answer) => {
                let now = self.clock.now();
                self.team_names.put(at.id, answer.team.clone(), now + PERSON, now);
                answer.team
            }
            Err(_) => team.to_owned(),
        }
    }

    async fn shared_with_outsiders(&self, at: &Installation, place: &Place) -> Result<bool> {
        if place.outsiders {
            return Ok(true);
        }
        let channel = place.conversation.as_str();
        let key = (at.id, channel.to_owned());
        if let Some((_, known)) = self.outsiders.get(&key, self.clock.now()) {
            return Ok(known);
        }
        let call = || Call::new("conversations.info", Effect::Repeatable, channel).with("channel", channel);
        let answer: ChannelAnswer = self.read(at, call).await?;
        let Some(outsiders) = answer.channel.outsiders(place) else {
            return Err(Failure::Refused(
                "Slack does not say who is in the conversation".to_owned(),
            ));
        };
        let now = self.clock.now();
        self.outsiders.put(key, outsiders, now + CONVERSATION, now);
        Ok(outsiders)
    }

    /// Repeats a call without effect that found Slack away.
    async fn read<'a, T, F>(&self, at: &Installation, call: F) -> Result<T>
    where
        T: serde::de::DeserializeOwned,
        F: Fn() -> Call<'a>,
    {
        retry_read(
            || self.api.call(at, call()),
            |failure| matches!(failure, Failure::Away(_)),
        )
        .await
    }

    /// Sends a message, and once more as text alone if Slack does not take its blocks.
    async fn say<'a, T, F>(&self, at: &Installation, say: &'a Say, call: F) -> Result<T>
    where
        T: serde::de::DeserializeOwned,
        F: Fn() -> Call<'a>,
    {
        let Some(message) = messages(say).into_iter().next() else {
            return Err(Failure::Content("there is nothing to say".to_owned()));
        };
        match self.api.call(at, worded(call(), message)).await {
            Err(Failure::Content(_)) => self.api.call(at, worded(call(), text_only(say))).await,
            outcome => outcome,
        }
    }

    async fn posted(
        &self,
        at: &Installation,
        target: &Target,
        id: Option<DeliveryId>,
        say: &Say,
    ) -> Result<String> {
        let place = &target.place;
        let call = || {
            let mut call = Call::new("chat.postMessage", Effect::Post, &place.conversation)
                .with("channel", place.conversation.as_str())
                .with("unfurl_links", "false")
                .with("unfurl_media", "false");
            if !place.thread.is_empty() {
                call = call.with("thread_ts", place.thread.as_str());
            }
            match id {
                Some(id) => call.with("metadata", metadata(id)),
                None => call,
            }
        };
        let posted: Posted = self.say(at, say, call).await?;
        if posted.ts.is_empty() {
            return Err(lost(Effect::Post, "an answer without the post's time"));
        }
        Ok(posted.ts)
    }

    /// Only the sender sees it. Where nobody else is, it is an ordinary post: Slack does not show
    /// ephemeral ones in an assistant's conversation.
    async fn whispered(&self, at: &Installation, target: &Target, say: &Say) -> Result<()> {
        let place = &target.place;
        if place.kind == PlaceKind::Direct {
            return self.posted(at, target, None, say).await.map(drop);
        }
        let call = || {
            let call = Call::new("chat.postEphemeral", Effect::Post, &place.conversation)
                .with("channel", place.conversation.as_str())
                .with("user", target.sender.user.as_str());
            // Beneath a message that opens no thread yet, it would be hidden.
            if place.thread.is_empty() || place.thread == place.message {
                call
            } else {
                call.with("thread_ts", place.thread.as_str())
            }
        };
        self.say::<Nothing, _>(at, say, call).await.map(drop)
    }

    async fn found(&self, at: &Installation, target: &Target, id: DeliveryId) -> Result<Option<String>> {
        let place = &target.place;
        let mut cursor = String::new();
        for _ in 0..PAGES {
            let page: Page = match self.read(at, || listing(place, &cursor)).await {
                Ok(page) => page,
                // Reading a conversation is an optional right.
                Err(Failure::Refused(word)) if word.starts_with("missing_scope") => return Ok(None),
                Err(failure) => return Err(failure),
            };
            if let Some(ours) = page.messages.into_iter().find(|message| message.bears(id, at)) {
                return Ok(Some(ours.ts));
            }
            cursor = page
                .response_metadata
                .map(|next| next.next_cursor)
                .unwrap_or_default();
            if cursor.is_empty() {
                break;
            }
        }
        Ok(None)
    }

    async fn opened(&self, at: &Installation, target: &Target) -> Result<Target> {
        if target.place.kind == PlaceKind::Direct && !target.place.conversation.is_empty() {
            // The conversation is known; what failed may be its thread, so this goes to the top.
            let mut top = target.clone();
            top.place.thread.clear();
            top.place.message.clear();
            return Ok(top);
        }
        let user = target.sender.user.as_str();
        let call = || Call::new("conversations.open", Effect::Repeatable, user).with("users", user);
        let opened: Opened = self.read(at, call).await?;
        let place = Place {
            kind: PlaceKind::Direct,
            conversation: opened.channel.id,
            thread: String::new(),
            message: String::new(),
            outsiders: false,
        };
        Ok(Target {
            sender: target.sender.clone(),
            place,
        })
    }
}

impl Platform for SlackPlatform {
    fn kind(&self) -> PlatformKind {
        PlatformKind::Slack
    }

    fn identify<'a>(&'a self, at: &'a Installation, sender: &'a Sender) -> BoxFuture<'a, Result<Identity>> {
        Box::pin(self.identity(at, sender))
    }

    fn has_outsiders<'a>(&'a self, at: &'a Installation, place: &'a Place) -> BoxFuture<'a, Result<bool>> {
        Box::pin(self.shared_with_outsiders(at, place))
    }

    fn progress<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        doing: Option<&'a str>,
    ) -> BoxFuture<'a, Result<()>> {
        let place = &target.place;
        Box::pin(async move {
            if place.thread.is_empty() {
                return Ok(());
            }
            let mut call = Call::new(
                "assistant.threads.setStatus",
                Effect::Repeatable,
                &place.conversation,
            )
            .with("channel_id", place.conversation.as_str())
            .with("thread_ts", place.thread.as_str())
            .with("status", shortened(doing.unwrap_or_default(), PROGRESS_LENGTH));
            call.patience = PROGRESS_PATIENCE;
            self.api.call::<Nothing>(at, call).await.map(drop)
        })
    }

    fn post<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        id: DeliveryId,
        say: &'a Say,
    ) -> BoxFuture<'a, Result<String>> {
        Box::pin(self.posted(at, target, Some(id), say))
    }

    fn find<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        id: DeliveryId,
    ) -> BoxFuture<'a, Result<Option<String>>> {
        Box::pin(self.found(at, target, id))
    }

    fn update<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        receipt: &'a str,
        say: &'a Say,
    ) -> BoxFuture<'a, Result<()>> {
        let channel = target.place.conversation.as_str();
        let call = move || {
            Call::new("chat.update", Effect::Edit, channel)
                .with("channel", channel)
                .with("ts", receipt)
        };
        Box::pin(async move { self.say::<Nothing, _>(at, say, call).await.map(drop) })
    }

    fn whisper<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        say: &'a Say,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.whispered(at, target, say))
    }

    fn direct<'a>(&'a self, at: &'a Installation, target: &'a Target) -> BoxFuture<'a, Result<Target>> {
        Box::pin(self.opened(at, target))
    }
}

/// An empty list of blocks takes away those that a message has; leaving it out would keep them.
fn worded<'a>(call: Call<'a>, message: SlackMessage) -> Call<'a> {
    call.with("text", message.text)
        .with("blocks", Value::Array(message.blocks).to_string())
}

fn metadata(id: DeliveryId) -> String {
    json!({ "event_type": EVENT_TYPE, "event_payload": { "delivery_id": id } }).to_string()
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
    /// Another app may copy our words, but not our name.
    fn bears(&self, id: DeliveryId, at: &Installation) -> bool {
        let text = |path: &str| {
            self.metadata
                .as_ref()
                .and_then(|data| data.pointer(path))
                .and_then(Value::as_str)
        };
        let ours = self.app_id.is_none() || self.app_id == at.app_id;
        ours && !self.ts.is_empty()
            && text("/event_type") == Some(EVENT_TYPE)
            && text("/event_payload/delivery_id") == Some(id.to_string().as_str())
    }
}
