//! What a turn about the portfolio leaves for the next one. Stored as JSON beside the answer and comes back unchanged;
//! one that cannot be read is ignored.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::portfolio::lexicon::{Group, Topic, Turn};
use crate::portfolio::places::{Place, Side};
use crate::portfolio::quantities::{Bound, Rank};
use crate::portfolio::times::When;
use crate::portfolio::without::Without;
use finance::portfolio::query::{Only, Split};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Held {
    pub(crate) topics: Vec<Topic>,
    /// Codes of accounts.
    pub(crate) accounts: Vec<String>,
    pub(crate) turns: BTreeSet<Turn>,
    pub(crate) groups: Vec<Group>,
    pub(crate) places: Vec<Place>,
    pub(crate) splits: Vec<Split>,
    pub(crate) times: Vec<When>,
    #[serde(default)]
    pub(crate) only: Only,
    #[serde(default)]
    pub(crate) only_words: Vec<String>,
    /// Things were put side by side.
    #[serde(default)]
    pub(crate) against: bool,
    /// How many of an order were asked for.
    #[serde(default)]
    pub(crate) count: Option<usize>,
    /// Codes of accounts that were left out of the figure.
    #[serde(default)]
    pub(crate) left_out: Vec<String>,
    #[serde(default)]
    pub(crate) without: Without,
    /// The place that an order put first: "its" debt.
    #[serde(default)]
    pub(crate) leader: Option<Place>,
    /// The buildings that an answer listed: "their" debt.
    #[serde(default)]
    pub(crate) listed: Option<Place>,
    /// The loans that it listed, by their ids.
    #[serde(default)]
    pub(crate) loans: Vec<String>,
    /// Bounds and an order: "and in Tampa?" asks for them again.
    #[serde(default)]
    pub(crate) bounds: Vec<Bound>,
    #[serde(default)]
    pub(crate) rank: Option<Rank>,
    #[serde(default)]
    pub(crate) sides: Vec<Side>,
}

#[derive(Serialize, Deserialize)]
struct Envelope {
    #[serde(rename = "portfolioVersion")]
    version: u8,
    portfolio: Held,
}

const VERSION: u8 = 1;

impl Held {
    /// A unit or a tenant was named.
    pub(crate) fn names_units(&self) -> bool {
        self.only.unit.is_some() || !self.only.tenants.is_empty()
    }
}

impl Held {
    pub(crate) fn read(stored: Option<&serde_json::Value>) -> Option<Self> {
        let found: Envelope = serde_json::from_value(stored?.clone()).ok()?;
        (found.version == VERSION).then_some(found.portfolio)
    }

    /// With the building that an order put first, and what was listed.
    pub(crate) fn led_by(
        &self,
        leader: Option<(String, String)>,
        listed: &[(String, String)],
        loans: &[String],
    ) -> Self {
        let leader = leader.map(|(id, label)| Place {
            label,
            buildings: BTreeSet::from([id]),
            is_building: true,
        });
        // A list that was asked about stays until another one is made.
        let listed = match listed {
            [] => self.listed.clone(),
            listed => Some(together(listed)),
        };
        Self {
            leader,
            listed,
            loans: if loans.is_empty() {
                self.loans.clone()
            } else {
                loans.to_vec()
            },
            ..self.clone()
        }
    }

    pub(crate) fn json(&self) -> Option<serde_json::Value> {
        serde_json::to_value(Envelope {
            version: VERSION,
            portfolio: self.clone(),
        })
        .ok()
    }
}

/// Listed buildings as one place.
fn together(listed: &[(String, String)]) -> Place {
    let names: Vec<&str> = listed.iter().map(|(_, name)| name.as_str()).collect();
    let label = match names.as_slice() {
        [only] => (*only).to_owned(),
        [first, second] => format!("{first} and {second}"),
        [first, second, third] => format!("{first}, {second} and {third}"),
        more => format!("these {} properties", more.len()),
    };
    Place {
        label,
        buildings: listed.iter().map(|(id, _)| id.clone()).collect(),
        is_building: listed.len() == 1,
    }
}
