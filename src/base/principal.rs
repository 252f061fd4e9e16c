//! The authenticated caller: who, for which organization, through which face. Domain calls take one.

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

/// A person's role in an organization, from least to most privileged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Member,
    Admin,
    Owner,
}

crate::text_enum!(Role { Member => "member", Admin => "admin", Owner => "owner" });

impl Role {
    /// Admins and owners may set up assistants and approve conversations.
    pub fn is_admin(self) -> bool {
        self >= Self::Admin
    }
}

/// The interface a request came through, as recorded in the audit log.
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
