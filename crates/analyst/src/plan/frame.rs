//! What a turn leaves for the next one: what was asked, the values with their origins, the series of
//! flows, what was missing.
//!
//! The frame is stored by others as JSON and comes back unchanged; one that cannot be read is ignored.

use serde::{Deserialize, Serialize};

use crate::contract::brief::NoteId;
use finance::variable::Variable;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Frame {
    pub(crate) version: u8,
    pub(crate) goals: Vec<Variable>,
    pub(crate) values: Vec<Held>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) series: Option<Series>,
    #[serde(default)]
    pub(crate) missing: Vec<Variable>,
    /// The form that read the question, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) form: Option<String>,
    /// Values of notes that were offered for what was missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) offers: Vec<Offer>,
}

/// A note's value that the person may take; its origin is the note's title.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Offer {
    pub(crate) held: Held,
    pub(crate) note: NoteId,
}

/// A value that the person or a note gave; computed values are not kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Held {
    pub(crate) variable: Variable,
    pub(crate) value: f64,
    pub(crate) origin: String,
}

/// Cash flows by period.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Series {
    /// One per year, the first at t = 0 or, if `late`, at the end of the first year.
    pub(crate) flows: Vec<f64>,
    pub(crate) late: bool,
    /// The sign of the first flow was not said.
    #[serde(default)]
    pub(crate) unsigned: bool,
    /// How many flows a year has: 0 and 1 mean years.
    #[serde(default)]
    pub(crate) per_year: usize,
    /// All that goes out and all that comes in, where both fall in one year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) gross: Option<(f64, f64)>,
}

impl Frame {
    pub(crate) const VERSION: u8 = 1;

    pub(crate) fn read(stored: Option<&serde_json::Value>) -> Option<Self> {
        let frame: Self = serde_json::from_value(stored?.clone()).ok()?;
        let finite = frame.values.iter().all(|held| held.value.is_finite())
            && frame.offers.iter().all(|offer| offer.held.value.is_finite());
        (frame.version == Self::VERSION && finite).then_some(frame)
    }

    pub(crate) fn json(&self) -> Option<serde_json::Value> {
        serde_json::to_value(self).ok()
    }
}
