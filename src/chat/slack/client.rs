//! Slack as a chat platform: the neutral calls of the chat core as Web API methods.
//!
//! Decides no rule. Answers about people and conversations are kept for a short while; failures
//! never are, so that what could not be checked is checked again.

use chrono::TimeDelta;
use futures_core::future::BoxFuture;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::analysis::engine::Remark;
use crate::assistants::model::{
    Assistant, FileStub, Installation, Place, PlaceKind, PlatformKind, Prompt, Say, Sender, Target,
};
use crate::base::clock::Clock;
use crate::base::ids::{DeliveryId, InstallationId};
use crate::chat::core::effect::{Effect, lost};
use crate::chat::core::platform::{
    Audience, Failure, FetchedFile, Identity, LookupResult, OutgoingFile, Package, Pages, Platform, Post,
    Result, SenderStatus,
};
use crate::chat::core::ttl_cache::TtlCache;
use crate::chat::slack::api::{Api, Call};
use crate::chat::slack::blocks::{SlackMessage, message, text_only};
use crate::chat::slack::hosts::Hosts;
use crate::chat::slack::manifest;
use crate::chat::slack::people::{Channel, ChannelAnswer, User, UserAnswer};
use crate::chat::slack::rotation::Rotation;
use crate::chat::slack::split;
use crate::net::client::{Outbound, retry_read};
use crate::services::Site;

/// By which we recognize our own posts.
pub(super) const EVENT_TYPE: &str = "corbel_delivery";

/// How long a person's status is believed. Somebody who leaves may ask for this much longer.
const PERSON: TimeDelta = TimeDelta::minutes(10);
/// How long it is believed who is in a conversation.
const CONVERSATION: TimeDelta = TimeDelta::seconds(60);
/// What a conversation is called, which is only shown.
const NAME: TimeDelta = TimeDelta::hours(24);
const PEOPLE: usize = 20_000;
const CONVERSATIONS: usize = 10_000;
const TEAMS: usize = 1_000;

/// Slack, for every installation.
#[derive(Debug)]
pub struct SlackPlatform {
    pub(super) api: Api,
    pub(super) outbound: Outbound,
    pub(super) hosts: Hosts,
    clock: Clock,
    people: TtlCache<(InstallationId, String), User>,
    audiences: TtlCache<(InstallationId, String), Audience>,
    channel_names: TtlCache<(InstallationId, String), String>,
    team_names: TtlCache<InstallationId, String>,
}

/// The answer of a call whose answer does not matter.
#[derive(Deserialize)]
pub(super) struct Ignored {}

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

impl SlackPlatform {
    /// `api_base` ends in `/api/`.
    pub fn new(outbound: Outbound, clock: Clock, api_base: String) -> Self {
        Self {
            api: Api::new(outbound.clone(), clock.clone(), api_base),
            outbound,
            hosts: Hosts::default(),
            clock,
            people: TtlCache::new(PEOPLE),
            audiences: TtlCache::new(CONVERSATIONS),
            channel_names: TtlCache::new(CONVERSATIONS),
            team_names: TtlCache::new(TEAMS),
        }
    }

    /// Lets it replace tokens that end.
    #[must_use]
    pub fn with_rotation(mut self, rotation: Rotation) -> Self {
        self.api.rotation = Some(rotation);
        self
    }

    /// Trusts the operator's hosts as Slack's own.
    #[must_use]
    pub fn with_hosts(mut self, hosts: Hosts) -> Self {
        self.hosts = hosts;
        self
    }

    async fn look_up_sender(&self, at: &Installation, sender: &Sender) -> Result<Identity> {
        let Some(home) = at.home() else {
            return Err(Failure::Rejected("the installation has no workspace".to_owned()));
        };
        let found = match self.user(at, &sender.user).await {
            Ok(user) => (user.status(sender, at), user.shown().to_owned()),
            // People whom this workspace cannot see.
            Err(Failure::NoRecipient(_)) => (SenderStatus::Outsider, sender.user.clone()),
            Err(failure) => return Err(failure),
        };
        let (status, name) = found;
        Ok(Identity {
            status,
            name,
            team_name: self.team_name(at, home).await,
        })
    }

    /// As Slack showed a person lately; nobody is asked.
    pub(super) fn known_name(&self, at: &Installation, user: &str) -> Option<String> {
        let key = (at.id, user.to_owned());
        let (_, known) = self.people.get(&key, self.clock.now())?;
        Some(known.shown().to_owned())
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

    async fn fetch_audience(&self, at: &Installation, place: &Place) -> Result<Audience> {
        if place.outsiders {
            return Ok(Audience::Outside);
        }
        let channel = place.conversation.as_str();
        let key = (at.id, channel.to_owned());
        if let Some((_, known)) = self.audiences.get(&key, self.clock.now()) {
            return Ok(known);
        }
        let answer = self.channel(at, channel).await?;
        let Some(audience) = answer.audience(place) else {
            return Err(Failure::Rejected(
                "Slack does not say who is in the conversation".to_owned(),
            ));
        };
        let now = self.clock.now();
        self.audiences.put(key, audience, now + CONVERSATION, now);
        Ok(audience)
    }

    async fn channel(&self, at: &Installation, channel: &str) -> Result<Channel> {
        let call = || Call::new("conversations.info", Effect::Repeatable, channel).with("channel", channel);
        let found = self.read::<ChannelAnswer, _>(at, call).await?.channel;
        if let Some(name) = found.shown() {
            let now = self.clock.now();
            self.channel_names
                .put((at.id, channel.to_owned()), name, now + NAME, now);
        }
        Ok(found)
    }

    /// `#name`, as it was called lately, also where it cannot be seen any more.
    async fn name_of(&self, at: &Installation, place: &Place) -> Option<String> {
        let known = || {
            let key = (at.id, place.conversation.clone());
            self.channel_names
                .get(&key, self.clock.now())
                .map(|(_, name)| name)
        };
        if let Some(name) = known() {
            return Some(name);
        }
        self.channel(at, &place.conversation).await.ok()?.shown()
    }

    /// Repeats a call without effect that found Slack away.
    pub(super) async fn read<'a, T, F>(&self, at: &Installation, call: F) -> Result<T>
    where
        T: serde::de::DeserializeOwned,
        F: Fn() -> Call<'a>,
    {
        retry_read(
            || self.api.call(at, call()),
            |failure| matches!(failure, Failure::Unavailable(_)),
        )
        .await
    }

    /// Sends a message, and once more as text alone if Slack does not take its blocks.
    async fn send<'a, T, F>(&self, at: &Installation, say: &'a Say, call: F) -> Result<T>
    where
        T: serde::de::DeserializeOwned,
        F: Fn() -> Call<'a>,
    {
        match self.api.call(at, with_content(call(), message(say))).await {
            Err(Failure::ContentRejected(_)) => self.api.call(at, with_content(call(), text_only(say))).await,
            outcome => outcome,
        }
    }

    async fn post_message(
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
        let posted: Posted = self.send(at, say, call).await?;
        if posted.ts.is_empty() {
            return Err(lost(Effect::Post, "an answer without the post's time"));
        }
        Ok(posted.ts)
    }

    /// Only the sender sees it. Where nobody else is, it is an ordinary post: Slack does not show
    /// ephemeral ones in an assistant's conversation.
    async fn post_for_sender(&self, at: &Installation, target: &Target, say: &Say) -> Result<()> {
        let place = &target.place;
        if place.kind == PlaceKind::Direct {
            return self.post_message(at, target, None, say).await.map(drop);
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
        self.send::<Ignored, _>(at, say, call).await.map(drop)
    }

    async fn open_conversation(&self, at: &Installation, target: &Target) -> Result<Target> {
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

    fn package(&self, at: &Installation, assistant: &Assistant, site: &Site) -> Option<Package> {
        Some(manifest::package(at, assistant, site))
    }

    fn identify<'a>(&'a self, at: &'a Installation, sender: &'a Sender) -> BoxFuture<'a, Result<Identity>> {
        Box::pin(self.look_up_sender(at, sender))
    }

    fn audience<'a>(&'a self, at: &'a Installation, place: &'a Place) -> BoxFuture<'a, Result<Audience>> {
        Box::pin(self.fetch_audience(at, place))
    }

    fn assistant_is_in<'a>(&'a self, at: &'a Installation, place: &'a Place) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move { Ok(self.channel(at, &place.conversation).await?.has_the_bot()) })
    }

    fn show_status<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        doing: Option<&'a str>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.set_status(at, target, doing))
    }

    fn sender_is_in<'a>(
        &'a self,
        at: &'a Installation,
        place: &'a Place,
        sender: &'a Sender,
    ) -> BoxFuture<'a, Result<bool>> {
        Box::pin(self.is_channel_member(at, place, sender))
    }

    fn thread_before<'a>(
        &'a self,
        at: &'a Installation,
        place: &'a Place,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<Remark>>> {
        Box::pin(self.read_thread_before(at, place, most))
    }

    fn show_home<'a>(
        &'a self,
        at: &'a Installation,
        sender: &'a Sender,
        page: &'a Say,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.publish_home(at, sender, page))
    }

    fn suggest_prompts<'a>(
        &'a self,
        at: &'a Installation,
        place: &'a Place,
        prompts: &'a [Prompt],
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.set_prompts(at, place, prompts))
    }

    fn post<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        id: DeliveryId,
        say: &'a Say,
    ) -> BoxFuture<'a, Result<String>> {
        Box::pin(self.post_message(at, target, Some(id), say))
    }

    fn find_post<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        id: DeliveryId,
    ) -> BoxFuture<'a, Result<LookupResult>> {
        Box::pin(self.find_in_history(at, target, id))
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
        Box::pin(async move { self.send::<Ignored, _>(at, say, call).await.map(drop) })
    }

    fn delete<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        receipt: &'a str,
    ) -> BoxFuture<'a, Result<()>> {
        let channel = target.place.conversation.as_str();
        let call = Call::new("chat.delete", Effect::Edit, channel)
            .with("channel", channel)
            .with("ts", receipt);
        Box::pin(async move { self.api.call::<Ignored>(at, call).await.map(drop) })
    }

    fn our_posts<'a>(&'a self, at: &'a Installation, target: &'a Target) -> BoxFuture<'a, Result<Vec<Post>>> {
        Box::pin(self.posts_in_history(at, target))
    }

    fn post_ephemeral<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        say: &'a Say,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.post_for_sender(at, target, say))
    }

    fn fetch_file<'a>(
        &'a self,
        at: &'a Installation,
        stub: &'a FileStub,
        most: u64,
    ) -> BoxFuture<'a, Result<FetchedFile>> {
        Box::pin(self.download_file(at, stub, most))
    }

    fn paginate(&self, say: &Say) -> Pages {
        split::pages(say)
    }

    fn supports_files(&self) -> bool {
        true
    }

    fn upload_file<'a>(
        &'a self,
        at: &'a Installation,
        file: &'a OutgoingFile,
    ) -> BoxFuture<'a, Result<String>> {
        Box::pin(self.upload(at, file))
    }

    fn share_file<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        id: &'a str,
        name: &'a str,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.share_upload(at, target, id, name))
    }

    fn is_file_shared<'a>(&'a self, at: &'a Installation, id: &'a str) -> BoxFuture<'a, Result<bool>> {
        Box::pin(self.is_upload_shared(at, id))
    }

    fn open_direct<'a>(&'a self, at: &'a Installation, target: &'a Target) -> BoxFuture<'a, Result<Target>> {
        Box::pin(self.open_conversation(at, target))
    }

    fn conversation_name<'a>(
        &'a self,
        at: &'a Installation,
        place: &'a Place,
    ) -> BoxFuture<'a, Option<String>> {
        Box::pin(self.name_of(at, place))
    }
}

/// An empty list of blocks takes away those that a message has; leaving it out would keep them.
fn with_content<'a>(call: Call<'a>, message: SlackMessage) -> Call<'a> {
    call.with("text", message.text)
        .with("blocks", Value::Array(message.blocks).to_string())
}

fn metadata(id: DeliveryId) -> String {
    json!({ "event_type": EVENT_TYPE, "event_payload": { "delivery_id": id } }).to_string()
}
