//! What an engine may call beside what was gathered for it. Each tool is bound to the run's rights beforehand.

use crate::analysis::tools::portfolio::PortfolioTool;

/// The tools of one run.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    /// Absent where the run has no portfolio: nothing is said of it then.
    pub portfolio: Option<PortfolioTool>,
}
