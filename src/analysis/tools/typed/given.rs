//! What a tool of a run gave, before the run numbers it.

use calls::result::{Outcome, Refusal};
use chrono::NaiveDate;
use serde_json::Value;

use crate::analysis::engine::UsedModel;

/// What a tool gave, before it is numbered.
pub(super) enum Given {
    /// Figures, which are numbered with those of the other calls.
    Outcome(Outcome, About),
    /// Texts with refs of their own.
    Json(Value),
    Error(Refusal),
}

/// What holds for all figures of a result.
#[derive(Clone, Debug, Default)]
pub(super) struct About {
    pub(super) period: Option<String>,
    pub(super) as_of: Option<NaiveDate>,
    pub(super) warnings: Vec<String>,
}

/// What a call on the portfolio gave, and the data models it used.
pub(super) struct Found {
    pub(super) given: Given,
    pub(super) models: Vec<UsedModel>,
}

impl Found {
    pub(super) fn refused(refusal: Refusal) -> Self {
        Self {
            given: Given::Error(refusal),
            models: Vec::new(),
        }
    }
}
