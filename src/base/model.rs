//! The built-in models and their public names. Does not depend on the engines behind them.

use serde::{Deserialize, Serialize};

/// A built-in model: selected for a run, the base of a custom analyst, and the partition of a note.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
)]
pub enum Model {
    /// What answers a request that names none.
    #[default]
    #[serde(rename = "svc-pro")]
    Pro,
    #[serde(rename = "svc-fast")]
    Fast,
    /// The offline analyst.
    #[serde(rename = "svc-local")]
    Local,
}

impl Model {
    /// The model that a request asks for: the one it names, else the fast or the usual one.
    pub fn asked(named: Option<Self>, fast: bool) -> Self {
        named.unwrap_or(if fast { Self::Fast } else { Self::Pro })
    }
}

crate::text_enum!(Model { Pro => "svc-pro", Fast => "svc-fast", Local => "svc-local" });
