//! The built-in models and their public names. Does not depend on the engines behind them.

use serde::{Deserialize, Serialize};

/// A built-in model: selected for a run, the base of a custom analyst, and the partition of a note.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema,
)]
pub enum Model {
    #[serde(rename = "svc-pro")]
    Pro,
    #[serde(rename = "svc-fast")]
    Fast,
    /// The offline analyst.
    #[serde(rename = "svc-local")]
    Local,
}

crate::text_enum!(Model { Pro => "svc-pro", Fast => "svc-fast", Local => "svc-local" });
