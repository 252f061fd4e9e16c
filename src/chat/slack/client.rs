//! Slack as a chat platform: implements the chat core's interface with Web API methods.
//!
//! Decides no rule of a chat.

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
    Result,
};
use crate::chat::core::ttl_cache::TtlCache;
use crate::chat::slack::api::{Api, Call};
use crate::chat::slack::blocks::{SlackMessage, message, text_only};
use crate::chat::slack::hosts::Hosts;
use crate::chat::slack::manifest;
use crate::chat::slack::people::User;
use crate::chat::slack::rotation::Rotation;
use crate::chat::slack::split;
use crate::net::client::{Outbound, retry_read};
use crate::services::Site;

/// Metadata type by which we recognize our own posts.
pub(super) const EVENT_TYPE: &str = "corbel_delivery";

const MAX_PEOPLE: usize = 20_000;
const MAX_CONVERSATIONS: usize = 10_000;
const MAX_TEAMS: usize = 1_000;

/// Slack, for all installations.
#[derive(Debug)]
pub struct SlackPlatform {
    pub(super) api: Api,
    pub(super) outbound: Outbound,
    pub(super) hosts: Hosts,
    pub(super) clock: Clock,
    pub(super) people: TtlCache<(InstallationId, String), User>,
    pub(super) audiences: TtlCache<(InstallationId, String), Audience>,
    pub(super) channel_names: TtlCache<(InstallationId, String), String>,
    pub(super) team_names: TtlCache<InstallationId, String>,
}

/// A response whose content does not matter.
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

impl SlackPlatform {
    /// `api_base` ends in `/api/`.
    pub fn new(outbound: Outbound, clock: Clock, api_base: String) -> Self {
        Self {
            api: Api::new(outbound.clone(), clock.clone(), api_base),
            outbound,
            hosts: Hosts::default(),
            clock,
            people: TtlCache::new(MAX_PEOPLE),
            audiences: TtlCache::new(MAX_CONVERSATIONS),
            channel_names: TtlCache::new(MAX_CONVERSATIONS),
            team_names: TtlCache::new(MAX_TEAMS),
        }
    }

    /// Renews tokens that expire.
    #[must_use]
    pub fn with_rotation(mut self, rotation: Rotation) -> Self {
        self.api.rotation = Some(rotation);
        self
    }

    /// Trusts the operator's hosts like Slack's own.
    #[must_use]
    pub fn with_hosts(mut self, hosts: Hosts) -> Self {
        self.hosts = hosts;
        self
    }

    /// Repeats a read that found Slack unavailable.
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

    /// Sends a message, and once more as plain text if Slack rejects its blocks.
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
            return Err(lost(Effect::Post, "a response without the post's timestamp"));
        }
        Ok(posted.ts)
    }

    /// Posts so that only the sender sees it. In a direct conversation that is an ordinary post: Slack does not show
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
            // In the thread of a message without replies it would be hidden.
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
            // The conversation is known, and its thread may be the problem, so post outside of it.
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
        Box::pin(async move { Ok(self.channel(at, &place.conversation).await?.may_include_bot()) })
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

/// An empty list removes the blocks that a message has; leaving the field out would keep them.
fn with_content<'a>(call: Call<'a>, message: SlackMessage) -> Call<'a> {
    call.with("text", message.text)
        .with("blocks", Value::Array(message.blocks).to_string())
}

fn metadata(id: DeliveryId) -> String {
    json!({ "event_type": EVENT_TYPE, "event_payload": { "delivery_id": id } }).to_string()
}
