//! What may be spent on language models: the operator's limits, and those that an organization's administrators set.
//! The lower one counts.

use crate::base::error::{Error, Result};
use crate::base::ids::OrgId;
use crate::base::money::MicroUsd;
use crate::db::exec::Exec;
use crate::db::tx::Tx;
use crate::usage::spending::{Cap, Payer, Span};

/// Limits of one run, and of a person and the organization in a day and a month. Absent: no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct ModelLimits {
    pub run: Option<MicroUsd>,
    pub person_day: Option<MicroUsd>,
    pub person_month: Option<MicroUsd>,
    pub org_day: Option<MicroUsd>,
    pub org_month: Option<MicroUsd>,
}

impl ModelLimits {
    /// The lower of two limits, each.
    #[must_use]
    pub fn lower(self, other: Self) -> Self {
        let lower = |one: Option<MicroUsd>, other: Option<MicroUsd>| match (one, other) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Self {
            run: lower(self.run, other.run),
            person_day: lower(self.person_day, other.person_day),
            person_month: lower(self.person_month, other.person_month),
            org_day: lower(self.org_day, other.org_day),
            org_month: lower(self.org_month, other.org_month),
        }
    }

    /// Where a person's runs count, each with its limit.
    pub fn caps(self, person: Payer) -> Vec<Cap> {
        let all = [
            (person, Span::Day, self.person_day),
            (person, Span::Month, self.person_month),
            (Payer::Organization, Span::Day, self.org_day),
            (Payer::Organization, Span::Month, self.org_month),
        ];
        all.into_iter()
            .map(|(payer, span, most)| Cap { payer, span, most })
            .collect()
    }

    /// Refuses a limit of a day above that of the month: it would promise more than holds.
    pub fn checked(self) -> Result<Self> {
        for (field, day, month) in [
            ("personDay", self.person_day, self.person_month),
            ("orgDay", self.org_day, self.org_month),
        ] {
            if let (Some(day), Some(month)) = (day, month)
                && day > month
            {
                let why = "must not be more than the limit of the month";
                return Err(Error::invalid(field, why));
            }
        }
        Ok(self)
    }
}

/// The limits that the administrators of an organization set.
pub(super) async fn of(db: Exec<'_>, org: OrgId) -> Result<ModelLimits> {
    let found = db
        .query("SELECT run, person_day, person_month, org_day, org_month FROM model_limits WHERE org_id = $1")
        .bind(org)
        .optional()
        .await?;
    Ok(found.unwrap_or_default())
}

/// Replaces them.
pub(super) async fn set(tx: &mut Tx, org: OrgId, limits: ModelLimits) -> Result<()> {
    tx.query(
        "INSERT INTO model_limits (org_id, run, person_day, person_month, org_day, org_month)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (org_id) DO UPDATE SET
             run = excluded.run, person_day = excluded.person_day, person_month = excluded.person_month,
             org_day = excluded.org_day, org_month = excluded.org_month",
    )
    .bind(org)
    .bind(limits.run)
    .bind(limits.person_day)
    .bind(limits.person_month)
    .bind(limits.org_day)
    .bind(limits.org_month)
    .execute()
    .await?;
    Ok(())
}
