//! Types of accounts: organizations with their plans, people and memberships.

use chrono::{DateTime, Utc};

use crate::base::error::{Error, Result};
use crate::base::ids::{OrgId, UserId};
use crate::base::money::MicroUsd;
use crate::base::principal::{Principal, Role};
use crate::base::secret::Secret;

#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Organization {
    pub id: OrgId,
    pub name: String,
    pub plan: Plan,
    /// The organization's monthly credit, if it differs from the plan's.
    pub included_micro_usd: Option<MicroUsd>,
    pub created_at: DateTime<Utc>,
}

/// The plan of an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    Trial,
    Pro,
    Enterprise,
}

crate::text_enum!(Plan { Trial => "trial", Pro => "pro", Enterprise => "enterprise" });

impl Plan {
    /// Whether the plan includes chat assistants.
    pub fn may_chat(self) -> bool {
        self != Self::Trial
    }
}

#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Person {
    pub id: UserId,
    pub email: String,
    pub name: String,
    pub deactivated_at: Option<DateTime<Utc>>,
}

/// A person's membership in an organization. Read again for each turn and call, so that changes apply at once.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Membership {
    pub org_id: OrgId,
    pub user_id: UserId,
    pub role: Role,
    /// The membership is active and the person is not deactivated.
    pub active: bool,
    pub plan: Plan,
    pub name: String,
    pub email: String,
    pub org_name: String,
}

impl Membership {
    /// Checks that this member may use chat assistants.
    pub fn check_chat(&self) -> Result<()> {
        if !self.active {
            return Err(Error::forbidden(
                "account_inactive",
                "This account is not active any more. Ask an administrator of your organization.",
            ));
        }
        if !self.plan.may_chat() {
            return Err(Error::forbidden(
                "plan_not_eligible",
                "Your organization's plan does not include chat assistants. Ask an administrator to change the plan.",
            ));
        }
        Ok(())
    }
}

/// A new sign-in. The token is set as a cookie; only its digest is stored.
#[derive(Debug)]
pub struct SignedIn {
    pub token: Secret,
    pub expires_at: DateTime<Utc>,
}

/// The signed-in user of a browser.
#[derive(Clone, Debug)]
pub struct VisitorAccount {
    pub principal: Principal,
    pub name: String,
    pub email: String,
    pub org_name: String,
}
