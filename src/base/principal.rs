//! Who asks, for which organization, through which face. Every domain call takes one.

use serde::{Deserialize, Serialize};

use crate::base::ids::{OrgId, UserId};

/// A person acting for one organization, already authenticated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Principal {
    pub org: OrgId,
    pub user: UserId,
    pub role: Role,
    pub face: Face,
}

/// What a membership allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Member,
    Admin,
    Owner,
}

crate::text_enum!(Role { Member => "member", Admin => "admin", Owner => "owner" });

impl Role {
    /// Owners and admins set assistants up and approve conversations.
    pub fn is_admin(self) -> bool {
        self >= Self::Admin
    }
}

/// The door a request came through; kept in the audit log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Face {
    Api,
    Cli,
    Web,
    Slack,
    System,
}

crate::text_enum!(Face { Api => "api", Cli => "cli", Web => "web", Slack => "slack", System => "system" });
