//! Usage of language models: limits, budgets and costs.

use chrono::{Datelike as _, NaiveDate};
use serde_json::json;

use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{JobId, OrgId, UserId};
use crate::base::money::MicroUsd;
use crate::base::principal::{Face, Principal};
use crate::db::tx::Tx;
use crate::usage::model_days::{self, ModelCost, ModelRun};
use crate::usage::model_limits::{self, ModelLimits};
use crate::usage::service::Usage;
use crate::usage::spending::{self, Held, Payer, Span};
use crate::usage::store;

/// What is spent of a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The person; none for the organization.
    pub user: Option<UserId>,
    pub span: Span,
    pub spent: MicroUsd,
    /// Absent: no limit.
    pub most: Option<MicroUsd>,
}

impl Budget {
    /// The part of the limit that is spent, in per cent.
    pub fn percent(&self) -> Option<i64> {
        let most = self.most?.0.max(1);
        Some(self.spent.0.saturating_mul(100) / most)
    }

    /// Whether most of it is spent.
    pub fn is_near(&self) -> bool {
        self.percent()
            .is_some_and(|percent| percent >= spending::WARNED_AT)
    }
}

impl Usage {
    /// The limits that hold in an organization: the lower ones of the operator's and of its administrators'.
    pub async fn model_limits_in(&self, tx: &mut Tx, org: OrgId) -> Result<ModelLimits> {
        let own = model_limits::of(tx.exec(), org).await?;
        Ok(own.lower(self.prices().model_limits))
    }

    /// The limits that the administrators of an organization set.
    pub async fn model_limits(&self, principal: &Principal) -> Result<ModelLimits> {
        model_limits::of(self.db().read(), principal.org).await
    }

    /// Sets them.
    pub async fn set_model_limits(&self, principal: &Principal, limits: ModelLimits) -> Result<()> {
        if !principal.role.is_admin() {
            return Err(Error::forbidden(
                "forbidden",
                "Only owners and administrators set limits.",
            ));
        }
        let limits = limits.checked()?;
        let (org, actor) = (principal.org, Actor::from(principal));
        let written = self.db().write(move |tx| {
            Box::pin(async move {
                model_limits::set(tx, org, limits).await?;
                let shown = |limit: Option<MicroUsd>| limit.map(|limit| limit.to_string());
                let details = json!({
                    "run": shown(limits.run),
                    "personDay": shown(limits.person_day), "personMonth": shown(limits.person_month),
                    "orgDay": shown(limits.org_day), "orgMonth": shown(limits.org_month),
                });
                audit::add(tx, org, actor, "model.limits_set", &org.to_string(), details).await
            })
        });
        written.await
    }

    /// Counts a run that a language model answered, by person, model and interface.
    pub async fn count_model(&self, tx: &mut Tx, org: OrgId, run: JobId, answered: ModelRun) -> Result<()> {
        let at = tx.now().await?;
        let entries = store::entries_of_run(tx, org, run).await?;
        let face = entries
            .iter()
            .find_map(|entry| entry.face)
            .unwrap_or(Face::System);
        model_days::add(tx, org, at, face, answered).await
    }

    /// Counts what a run spent in the budgets where money was held for it, and returns the rest.
    pub async fn spend_held(&self, tx: &mut Tx, org: OrgId, held: &Held, spent: MicroUsd) -> Result<()> {
        for near in held.spend(tx, org, spent).await? {
            let details = json!({
                "period": near.period, "spent": near.spent.to_string(), "limit": near.most.to_string(),
            });
            audit::add(tx, org, Actor::SYSTEM, "model.budget_near", &near.payer, details).await?;
            tx.count(metrics::counter!("corbel_model_budget_warnings_total"));
        }
        Ok(())
    }

    /// Deletes what was spent in periods long ago, of all organizations. The costs by day stay.
    pub async fn delete_old_spending(&self) -> Result<()> {
        let written = self
            .db()
            .write(|tx| Box::pin(async move { spending::delete_old(tx).await }));
        written.await.map(|_| ())
    }

    /// The costs of this month, the highest first. For administrators.
    pub async fn model_costs(&self, principal: &Principal) -> Result<Vec<ModelCost>> {
        let today = self.db().clock().now().date_naive();
        let first: NaiveDate = today.with_day(1).unwrap_or(today);
        model_days::since(self.db().read(), principal.org, first).await
    }

    /// What is spent of the organization's limits, and of those of people that have spent most of theirs.
    pub async fn model_budgets(&self, principal: &Principal) -> Result<Vec<Budget>> {
        let (org, now) = (principal.org, self.db().clock().now());
        let limits = self
            .model_limits(principal)
            .await?
            .lower(self.prices().model_limits);
        let mut budgets = Vec::new();
        for (span, most) in [(Span::Day, limits.org_day), (Span::Month, limits.org_month)] {
            let payer = Payer::Organization.word();
            let spent = spending::spent_in(self.db().read(), org, &payer, &span.period(now)).await?;
            budgets.push(Budget {
                user: None,
                span,
                spent,
                most,
            });
        }
        for (span, most) in [(Span::Day, limits.person_day), (Span::Month, limits.person_month)] {
            let people = spending::spent_by_person(self.db().read(), org, &span.period(now)).await?;
            let of_people = people.into_iter().map(|(user, spent)| Budget {
                user: Some(user),
                span,
                spent,
                most,
            });
            budgets.extend(of_people.filter(Budget::is_near));
        }
        Ok(budgets)
    }
}
