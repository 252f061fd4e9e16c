//! Gives a run its tools, bound to what its asker may see. The only place where rights become tools.

use crate::accounts::service::Accounts;
use crate::analysis::selection::Selection;
use crate::analysis::tools::kit::Tools;
use crate::analysis::tools::portfolio::PortfolioTool;
use crate::base::error::Result;
use crate::base::ids::{OrgId, UserId};
use crate::base::principal::{Face, Principal};
use crate::db::pool::Db;
use crate::portfolio::metrics::service::Metrics;
use crate::portfolio::model::Buildings;
use crate::portfolio::service::Portfolio;

#[derive(Clone)]
pub struct Toolbox {
    accounts: Accounts,
    portfolio: Portfolio,
    metrics: Metrics,
}

impl Toolbox {
    pub fn new(db: Db) -> Self {
        Self {
            accounts: Accounts::new(db.clone()),
            portfolio: Portfolio::new(db.clone()),
            metrics: Metrics::new(db),
        }
    }

    /// The tools of a run. Grants are read when the run starts, so grants removed since admission do not count. The
    /// selection, which also has the limits of the conversation, only narrows them.
    pub async fn bind(&self, org: OrgId, asker: UserId, selection: &Selection) -> Result<Tools> {
        let member = self.accounts.membership(org, asker).await?;
        let principal = Principal {
            org,
            user: asker,
            role: member.role,
            face: Face::System,
        };
        let granted = if member.active {
            self.portfolio.granted(&principal).await?
        } else {
            Buildings::default()
        };
        let visible = match &selection.buildings {
            Some(chosen) => granted.and(chosen),
            None => granted,
        };
        Ok(Tools {
            portfolio: Some(PortfolioTool::new(self.metrics.clone(), org, visible)),
        })
    }
}
