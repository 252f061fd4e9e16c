//! The spaces of a rent roll or a list of leases, and what is doubtful about them.
//!
//! Plain data: `tenancy` reads it, `space_keys` keeps one row for each space.

use std::sync::Arc;

use chrono::NaiveDate;

use crate::cells::Text;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Occupied,
    Vacant,
    /// Model, down, office: not for rent.
    NonRevenue,
    /// The word for it is unknown. Such a space counts in sums, and a question about states is asked back.
    Unknown,
}

/// Something of a table that has to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    pub about: About,
    pub sentence: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Whether some spaces are occupied.
    Status,
    /// Which of several tenants of a space counts.
    Tenants,
    /// The period of the rents.
    Rents,
}

impl Doubt {
    pub(crate) fn new(about: About, sentence: impl Into<String>) -> Self {
        Self {
            about,
            sentence: sentence.into(),
        }
    }
}

/// A space or, in a list of leases, a lease. Rents are monthly.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// Its index in [`Table::rows`].
    pub row: usize,
    pub unit: Text,
    pub tenant: Text,
    pub state: State,
    pub area: Option<f64>,
    pub market: Option<f64>,
    pub rent: Option<f64>,
    pub end: Option<NaiveDate>,
    pub remaining_years: Option<f64>,
    pub month_to_month: bool,
    /// The row is of a past or future tenant. The space is vacant.
    pub not_current: bool,
}

impl State {
    /// Whether somebody pays the rent next to such a space. That of a vacant one is asked for.
    #[must_use]
    pub fn pays(self) -> bool {
        matches!(self, Self::Occupied | Self::Unknown)
    }
}

/// A sentence about spaces without a tenant whose rents are left out of a sum; none if there are none.
#[must_use]
pub fn asking(count: usize) -> Option<String> {
    match count {
        0 => None,
        1 => Some(
            "1 unit without a tenant has a rent next to it, which nobody pays: it is left out.".to_owned(),
        ),
        _ => Some(format!(
            "{count} units without a tenant have a rent next to them, which nobody pays: they are left out."
        )),
    }
}

impl Space {
    /// Whether somebody has it, as far as the table tells.
    pub(crate) fn is_let(&self) -> bool {
        self.state.pays()
    }

    /// The name that people would use.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.tenant.is_empty() {
            &self.unit
        } else {
            &self.tenant
        }
    }
}

/// All spaces of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tenancy {
    pub spaces: Arc<Vec<Space>>,
    pub doubts: Vec<Doubt>,
    /// The words for the states of spaces that are unknown.
    pub unknown: Vec<String>,
    /// Assumptions made during reading, as sentences.
    pub remarks: Vec<String>,
    /// Whether the rents were given per year.
    pub yearly: bool,
    /// The words that mark spaces as not for rent.
    pub aside: Vec<String>,
    /// Whether spaces are let by area (suites), and not by unit.
    pub commercial: bool,
}
