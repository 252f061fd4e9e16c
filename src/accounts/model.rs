//! Organizations with their plans, people, memberships.

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
    /// The organization's own monthly credit, where it differs from the plan's.
    pub included_micro_usd: Option<MicroUsd>,
    pub created_at: DateTime<Utc>,
}

/// What an organization has paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    Trial,
    Pro,
    Enterprise,
}

crate::text_enum!(Plan { Trial => "trial", Pro => "pro", Enterprise => "enterprise" });

impl Plan {
    /// Chat assistants are for paid plans.
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

/// A person in an organization, as every turn and call checks it anew.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Membership {
    pub org_id: OrgId,
    pub user_id: UserId,
    pub role: Role,
    /// Membership active and person not deactivated.
    pub active: bool,
    pub plan: Plan,
    pub name: String,
    pub email: String,
    pub org_name: String,
}

impl Membership {
    /// May this account use chat assistants now?
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

/// A new sign-in: the token goes into the cookie and is kept nowhere else.
#[derive(Debug)]
pub struct SignedIn {
    pub token: Secret,
    pub expires_at: DateTime<Utc>,
}

/// Who is signed in.
#[derive(Clone, Debug)]
pub struct VisitorAccount {
    pub principal: Principal,
    pub name: String,
    pub email: String,
    pub org_name: String,
}
