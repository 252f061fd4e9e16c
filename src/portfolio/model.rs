//! Properties and who may use which. Knows no table.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// A building under the organization's own identifier.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Building {
    pub id: String,
    pub name: String,
}

/// Which buildings something may use. What is not in it does not exist for whoever has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Buildings {
    /// Every building of the organization, also those to come.
    All,
    /// These. Empty: none, never all.
    Only(BTreeSet<String>),
}

impl Default for Buildings {
    fn default() -> Self {
        Self::Only(BTreeSet::new())
    }
}

impl Buildings {
    /// What both allow.
    #[must_use]
    pub fn and(self, other: &Self) -> Self {
        match (self, other) {
            (Self::All, other) => other.clone(),
            (own, Self::All) => own,
            (Self::Only(own), Self::Only(other)) => Self::Only(own.intersection(other).cloned().collect()),
        }
    }

    pub fn has(&self, id: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(own) => own.contains(id),
        }
    }
}
