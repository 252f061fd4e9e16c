//! Buildings and sets of buildings. Independent of the database tables.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// A building, identified by the organization's own identifier.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Building {
    pub id: String,
    pub name: String,
}

/// A set of buildings that a caller may use. For that caller, other buildings do not exist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Buildings {
    /// Every building of the organization, including future ones.
    All,
    /// Only these buildings. An empty set means none, never all.
    Only(BTreeSet<String>),
}

impl Default for Buildings {
    fn default() -> Self {
        Self::Only(BTreeSet::new())
    }
}

impl Buildings {
    /// The intersection of both sets.
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
