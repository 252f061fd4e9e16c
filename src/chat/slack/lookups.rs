//! Lookups of people and conversations at Slack, cached for a short time. Failures are never cached, so that they are
//! looked up again.

use chrono::TimeDelta;
use serde::Deserialize;

use crate::assistants::model::{Installation, Place, Sender};
use crate::chat::core::effect::Effect;
use crate::chat::core::platform::{Audience, Failure, Identity, Result, SenderStatus};
use crate::chat::slack::api::Call;
use crate::chat::slack::client::SlackPlatform;
use crate::chat::slack::people::{Channel, ChannelAnswer, User, UserAnswer};

/// How long a person's status is cached. Someone who leaves may ask that much longer.
const PERSON_TTL: TimeDelta = TimeDelta::minutes(10);
/// How long the audience of a conversation is cached.
const AUDIENCE_TTL: TimeDelta = TimeDelta::seconds(60);
/// How long a conversation's name is cached; it is only shown.
const NAME_TTL: TimeDelta = TimeDelta::hours(24);

/// `auth.test`.
#[derive(Deserialize)]
struct Whoami {
    team: String,
}

impl SlackPlatform {
    pub(super) async fn look_up_sender(&self, at: &Installation, sender: &Sender) -> Result<Identity> {
        let Some(home) = at.home() else {
            return Err(Failure::Rejected("the installation has no workspace".to_owned()));
        };
        let found = match self.user(at, &sender.user).await {
            Ok(user) => (user.status(sender, at), user.display_name().to_owned()),
            // The workspace cannot see this person.
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

    /// The cached name of a person; makes no call.
    pub(super) fn known_name(&self, at: &Installation, user: &str) -> Option<String> {
        let key = (at.id, user.to_owned());
        let (_, known) = self.people.get(&key, self.clock.now())?;
        Some(known.display_name().to_owned())
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
        self.people.put(key, answer.user.clone(), now + PERSON_TTL, now);
        Ok(answer.user)
    }

    /// Only shown, so the workspace's id is enough where the lookup fails.
    async fn team_name(&self, at: &Installation, team: &str) -> String {
        if let Some((_, name)) = self.team_names.get(&at.id, self.clock.now()) {
            return name;
        }
        let call = Call::new("auth.test", Effect::Repeatable, "");
        match self.api.call::<Whoami>(at, call).await {
            Ok(answer) => {
                let now = self.clock.now();
                self.team_names
                    .put(at.id, answer.team.clone(), now + PERSON_TTL, now);
                answer.team
            }
            Err(_) => team.to_owned(),
        }
    }

    pub(super) async fn fetch_audience(&self, at: &Installation, place: &Place) -> Result<Audience> {
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
        self.audiences.put(key, audience, now + AUDIENCE_TTL, now);
        Ok(audience)
    }

    pub(super) async fn channel(&self, at: &Installation, channel: &str) -> Result<Channel> {
        let call = || Call::new("conversations.info", Effect::Repeatable, channel).with("channel", channel);
        let found = self.read::<ChannelAnswer, _>(at, call).await?.channel;
        if let Some(name) = found.display_name() {
            let now = self.clock.now();
            self.channel_names
                .put((at.id, channel.to_owned()), name, now + NAME_TTL, now);
        }
        Ok(found)
    }

    /// The last known `#name`, also where the channel cannot be seen any more.
    pub(super) async fn name_of(&self, at: &Installation, place: &Place) -> Option<String> {
        let known = || {
            let key = (at.id, place.conversation.clone());
            self.channel_names
                .get(&key, self.clock.now())
                .map(|(_, name)| name)
        };
        if let Some(name) = known() {
            return Some(name);
        }
        self.channel(at, &place.conversation).await.ok()?.display_name()
    }
}
