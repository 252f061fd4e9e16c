//! The tools that an engine may call in addition to reading its brief. Each is already bound to the run's rights.

use crate::analysis::tools::notes::NotesTool;
use crate::analysis::tools::portfolio::PortfolioTool;
use crate::analysis::tools::progress::Progress;

/// The tools of one run.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    /// Absent if the run has no portfolio.
    pub portfolio: Option<PortfolioTool>,
    /// Absent if the run has no notes.
    pub notes: Option<NotesTool>,
    /// Tells the person who waits what the run is doing.
    pub progress: Progress,
}
