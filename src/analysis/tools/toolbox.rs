//! Gives a run its tools, bound to what its asker may see. The only place where rights become tools.

use crate::accounts::service::Accounts;
use crate::analysis::selection::Selection;
use crate::analysis::tools::kit::Tools;
use crate::analysis::tools::notes::NotesTool;
use crate::analysis::tools::portfolio::PortfolioTool;
use crate::analysis::tools::progress::Progress;
use crate::base::error::Result;
use crate::base::ids::UserId;
use crate::base::principal::{Face, Principal};
use crate::context::model::Scope;
use crate::context::service::Context;
use crate::db::pool::Db;
use crate::portfolio::metrics::service::Metrics;
use crate::portfolio::model::Buildings;
use crate::portfolio::semantic::service::Semantic;
use crate::portfolio::service::Portfolio;

#[derive(Clone)]
pub struct Toolbox {
    accounts: Accounts,
    portfolio: Portfolio,
    metrics: Metrics,
    semantic: Semantic,
    context: Context,
}

impl Toolbox {
    pub fn new(db: Db, context: Context) -> Self {
        Self {
            accounts: Accounts::new(db.clone()),
            portfolio: Portfolio::new(db.clone()),
            metrics: Metrics::new(db.clone()),
            semantic: Semantic::new(db),
            context,
        }
    }

    /// The tools of a run. Grants are read when the run starts, so grants removed since admission do not count. The
    /// selection, which also has the limits of the conversation, only narrows them.
    pub async fn bind(
        &self,
        asker: UserId,
        selection: &Selection,
        notes: Scope,
        progress: Progress,
    ) -> Result<Tools> {
        let org = notes.org;
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
        let (metrics, semantic) = (self.metrics.clone(), self.semantic.clone());
        Ok(Tools {
            portfolio: Some(PortfolioTool::new(metrics, semantic, org, visible)),
            notes: Some(NotesTool::new(self.context.clone(), notes)),
            progress,
        })
    }
}
