//! The spaces of a rent roll or a list of leases, and what is doubtful about them.
//!
//! Plain data: `tenancy` reads it, `space_keys` keeps one row for each space.

use std::fmt;
use std::sync::Arc;

use chrono::NaiveDate;

use crate::cells::Two;

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

/// A number that may be missing, half as large as an [`Option`] of it. One that is missing is no number.
#[derive(Clone, Copy)]
pub(crate) struct Maybe(f64);

impl Maybe {
    fn get(self) -> Option<f64> {
        (!self.0.is_nan()).then_some(self.0)
    }
}

impl From<Option<f64>> for Maybe {
    fn from(number: Option<f64>) -> Self {
        Self(number.unwrap_or(f64::NAN))
    }
}

impl PartialEq for Maybe {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl fmt::Debug for Maybe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// A space or, in a list of leases, a lease. Rents are monthly. There is one for each row of a large table: it is kept
/// small.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// Its index in [`Table::rows`].
    pub row: usize,
    /// Its unit and its tenant.
    pub(crate) names: Two,
    pub state: State,
    pub(crate) area: Maybe,
    pub(crate) market: Maybe,
    pub(crate) rent: Maybe,
    pub end: Option<NaiveDate>,
    pub(crate) remaining_years: Maybe,
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
        match self.names.other() {
            "" => self.unit(),
            tenant => tenant,
        }
    }

    #[must_use]
    pub fn unit(&self) -> &str {
        self.names.one()
    }

    #[must_use]
    pub fn area(&self) -> Option<f64> {
        self.area.get()
    }

    #[must_use]
    pub fn market(&self) -> Option<f64> {
        self.market.get()
    }

    #[must_use]
    pub fn rent(&self) -> Option<f64> {
        self.rent.get()
    }

    #[must_use]
    pub fn remaining_years(&self) -> Option<f64> {
        self.remaining_years.get()
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
