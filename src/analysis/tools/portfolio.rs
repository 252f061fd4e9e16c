//! The portfolio tool: bound to an organization and to the buildings of the run, so that no call can reach beyond
//! them. Does not depend on an engine or on the question.

use std::fmt;

use serde_json::Value as Json;

use crate::base::error::Result;
use crate::base::ids::OrgId;
use crate::portfolio::metrics::service::Metrics;
pub use crate::portfolio::metrics::service::View;
use crate::portfolio::model::Buildings;
use crate::portfolio::semantic::answer::Answer;
use crate::portfolio::semantic::describe::Listed;
use crate::portfolio::semantic::service::{Failure, Semantic};

/// A handle on the part of the portfolio that the run may see.
#[derive(Clone)]
pub struct PortfolioTool {
    metrics: Metrics,
    semantic: Semantic,
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
    pub fn new(metrics: Metrics, semantic: Semantic, org: OrgId, visible: Buildings) -> Self {
        Self {
            metrics,
            semantic,
            org,
            visible,
        }
    }

    /// A snapshot of it. One answer takes everything from one view.
    pub async fn view(&self) -> Result<View> {
        self.metrics.view(self.org, self.visible.clone()).await
    }

    /// The data models that a query can name.
    pub fn models(&self) -> Vec<Listed> {
        self.semantic.models()
    }

    /// One data model with its measures and dimensions.
    pub async fn describe(&self, model: &str) -> Result<Json, Failure> {
        self.semantic.describe(self.org, &self.visible, model).await
    }

    /// Answers a query over the visible buildings.
    pub async fn query(&self, query: &Json) -> Result<Answer, Failure> {
        self.semantic.query(self.org, &self.visible, query).await
    }
}
