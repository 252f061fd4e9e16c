//! The portfolio as engines may use it: bound to an organization and to the buildings of the run, so that no call
//! can reach beyond them. The same for every engine; knows no question.

use std::fmt;

use crate::base::error::Result;
use crate::base::ids::OrgId;
use crate::portfolio::metrics::service::Metrics;
pub use crate::portfolio::metrics::service::View;
use crate::portfolio::model::Buildings;

/// A handle on what the run may see.
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

    /// What may be seen as it stands now. All that one answer says comes from one view.
    pub async fn view(&self) -> Result<View> {
        self.metrics.view(self.org, self.visible.clone()).await
    }
}
