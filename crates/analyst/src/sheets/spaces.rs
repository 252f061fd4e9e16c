//! The spaces of a rent roll that a question chooses, and in which way it asks of them.
//!
//! Computes nothing.

use chrono::NaiveDate;

use crate::sheets::asked::{Pace, Weight};
use crate::sheets::finding::Open;
use crate::sheets::time::Span;
use tables::tenancy::{Space, State, Tenancy};

/// What is asked of the spaces that were chosen.
pub(crate) struct Roll<'a> {
    pub(crate) tenancy: &'a Tenancy,
    /// Those that fit the conditions of the question.
    pub(crate) spaces: Vec<&'a Space>,
    pub(crate) pace: Pace,
    pub(crate) weight: Weight,
    pub(crate) as_of: Option<NaiveDate>,
    pub(crate) span: Option<Span>,
    /// A share is asked for, and no amount.
    pub(crate) share: bool,
    pub(crate) count: bool,
    pub(crate) months: bool,
    pub(crate) source: &'a str,
}

impl Roll<'_> {
    pub(crate) fn rentable(&self) -> Vec<&Space> {
        self.spaces
            .iter()
            .copied()
            .filter(|space| space.state != State::NonRevenue)
            .collect()
    }

    pub(crate) fn occupied(&self) -> Vec<&Space> {
        self.spaces
            .iter()
            .copied()
            .filter(|space| space.state == State::Occupied)
            .collect()
    }

    /// Rents cannot be computed with while their meaning is in doubt.
    pub(crate) fn sure(&self) -> Result<(), Open> {
        match self.tenancy.doubts.first() {
            Some(doubt) => Err(Open::because(doubt.sentence.clone())),
            None => Ok(()),
        }
    }
}
