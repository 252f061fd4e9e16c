//! What `users.info` and `conversations.info` say about people and conversations. What is unclear counts as not
//! allowed.
//!
//! Makes no call.

use serde::Deserialize;

use crate::assistants::model::{Installation, Place, Sender};
use crate::chat::core::platform::{Audience, SenderStatus};

/// `users.info`.
#[derive(Debug, Deserialize)]
pub(super) struct UserAnswer {
    pub(super) user: User,
}

/// A person. A missing field is unknown, not false: deactivated people have few fields.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct User {
    id: String,
    team_id: Option<String>,
    name: Option<String>,
    real_name: Option<String>,
    deleted: Option<bool>,
    is_bot: Option<bool>,
    is_workflow_bot: Option<bool>,
    is_restricted: Option<bool>,
    is_ultra_restricted: Option<bool>,
    /// Sent only for people of other organizations.
    is_stranger: Option<bool>,
    profile: Option<Profile>,
    enterprise_user: Option<EnterpriseUser>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Profile {
    display_name: Option<String>,
    real_name: Option<String>,
}

/// A person of an organization, who may be in several of its workspaces.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct EnterpriseUser {
    enterprise_id: Option<String>,
    teams: Vec<String>,
}

impl User {
    /// What `sender`, as an event named them, is where the assistant is installed.
    pub(super) fn status(&self, sender: &Sender, at: &Installation) -> SenderStatus {
        let Some(home) = at.home() else {
            return SenderStatus::Outsider;
        };
        if self.id != sender.user {
            return SenderStatus::Outsider;
        }
        if self.deleted == Some(true) {
            return SenderStatus::Deactivated;
        }
        if self.is_bot == Some(true) || self.is_workflow_bot == Some(true) || self.id == "USLACKBOT" {
            return SenderStatus::Bot;
        }
        if self.is_stranger == Some(true)
            || !self.belongs(at, home)
            || !self.came_from(&sender.team, at, home)
        {
            return SenderStatus::Outsider;
        }
        let denied = [
            self.deleted,
            self.is_bot,
            self.is_restricted,
            self.is_ultra_restricted,
        ];
        if denied.contains(&None) {
            SenderStatus::Outsider
        } else if denied.contains(&Some(true)) {
            SenderStatus::Guest
        } else {
            SenderStatus::Member
        }
    }

    /// Whether the person belongs to the workspace, or to the organization that it is installed for.
    fn belongs(&self, at: &Installation, home: &str) -> bool {
        if at.slack().is_enterprise {
            return self.organization() == Some(home);
        }
        self.team_id.as_deref() == Some(home) || self.is_in_team(home)
    }

    /// Whether the event says that the sender belongs to our workspace or organization.
    fn came_from(&self, said: &str, at: &Installation, home: &str) -> bool {
        let of_organization = !said.is_empty() && self.organization() == Some(said);
        let own = if at.slack().is_enterprise {
            self.team_id.as_deref() == Some(said) || self.is_in_team(said)
        } else {
            said == home
        };
        own || of_organization
    }

    fn organization(&self) -> Option<&str> {
        self.enterprise_user.as_ref()?.enterprise_id.as_deref()
    }

    fn is_in_team(&self, team: &str) -> bool {
        let user = self.enterprise_user.as_ref();
        user.is_some_and(|user| user.teams.iter().any(|name| name == team))
    }

    /// The name that Slack shows.
    pub(super) fn display_name(&self) -> &str {
        let profile = self.profile.as_ref();
        [
            profile.and_then(|profile| profile.display_name.as_deref()),
            profile.and_then(|profile| profile.real_name.as_deref()),
            self.real_name.as_deref(),
            self.name.as_deref(),
        ]
        .into_iter()
        .flatten()
        .find(|name| !name.trim().is_empty())
        .unwrap_or(&self.id)
    }
}

/// `conversations.info`.
#[derive(Debug, Deserialize)]
pub(super) struct ChannelAnswer {
    pub(super) channel: Channel,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Channel {
    id: String,
    name: Option<String>,
    is_im: Option<bool>,
    is_ext_shared: Option<bool>,
    is_pending_ext_shared: Option<bool>,
    is_org_shared: Option<bool>,
    is_member: Option<bool>,
}

impl Channel {
    /// The name that people see; group messages have one that nobody uses.
    pub(super) fn display_name(&self) -> Option<String> {
        let name = self.name.as_deref()?.trim();
        (!name.is_empty() && !name.starts_with("mpdm-")).then(|| format!("#{name}"))
    }

    /// Who is in it or invited; none if Slack does not say.
    pub(super) fn audience(&self, place: &Place) -> Option<Audience> {
        if self.id != place.conversation {
            return None;
        }
        if [self.is_ext_shared, self.is_pending_ext_shared].contains(&Some(true)) {
            return Some(Audience::Outside);
        }
        if self.is_org_shared == Some(true) {
            return Some(Audience::Workspaces);
        }
        (self.is_ext_shared.is_some() || self.is_im == Some(true)).then_some(Audience::Own)
    }

    /// False only if Slack says that the bot is not a member.
    pub(super) fn may_include_bot(&self) -> bool {
        self.is_member != Some(false)
    }
}
