//! The portfolio tool: bound to an organization and to the buildings of the run, so that no call can reach beyond
//! them. Does not depend on an engine or on the question.

use std::fmt;

use crate::base::error::Result;
use crate::base::ids::OrgId;
use crate::portfolio::metrics::service::Metrics;
pub use crate::portfolio::metrics::service::View;
use crate::portfolio::model::Buildings;

/// A handle on the part of the portfolio that the run may see.
#[derive(Clone)]
pub struct PortfolioTool {
    metrics: Metrics,
    org: OrgId,
    visible: Buildings,
}

impl fmt::Debug for PortfolioTool {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("PortfolioTool")
            .field("org", &self.org)
            .field("visible", &self.visible)
            .finish_non_exhaustive()
    }
}

impl PortfolioTool {
    pub fn new(metrics: Metrics, org: OrgId, visible: Buildings) -> Self {
        Self {
            metrics,
            org,
            visible,
        }
    }

    /// A snapshot of it. One answer takes everything from one view.
    pub async fn view(&self) -> Result<View> {
        self.metrics.view(self.org, self.visible.clone()).await
    }
}
