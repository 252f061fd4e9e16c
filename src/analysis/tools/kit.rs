//! The tools that an engine may call in addition to reading its brief. Each is already bound to the run's rights.

use crate::analysis::tools::portfolio::PortfolioTool;

/// The tools of one run.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    /// Absent if the run has no portfolio.
    pub portfolio: Option<PortfolioTool>,
}
