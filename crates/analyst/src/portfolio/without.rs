//! What a question leaves out: "excluding Congress Tower", "everything but Denver", "opex without taxes".
//!
//! Knows which buildings are of a kind or a place, no figures.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::portfolio::lexicon::Group;
use crate::portfolio::places::Place;
use finance::portfolio::query::{Account, Catalog, Property};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Without {
    pub(crate) places: Vec<Place>,
    pub(crate) groups: Vec<Group>,
    /// Accounts that are left out of the figure of this turn alone.
    #[serde(skip)]
    pub(crate) accounts: Vec<Account>,
}

impl Without {
    /// Buildings are left out.
    pub(crate) fn is_of_places(&self) -> bool {
        !self.places.is_empty() || !self.groups.is_empty()
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.is_of_places() && self.accounts.is_empty()
    }

    /// The buildings that do not count.
    pub(super) fn buildings(&self, catalog: &Catalog) -> BTreeSet<String> {
        let named = self
            .places
            .iter()
            .flat_map(|place| place.buildings.iter().cloned());
        let of_kind = catalog
            .buildings
            .iter()
            .filter(|property| self.groups.iter().any(|group| is_of(property, *group)));
        named.chain(of_kind.map(|property| property.id.clone())).collect()
    }

    /// " without Congress Tower Offices and the apartments".
    pub(super) fn words(&self) -> String {
        let places = self.places.iter().map(|place| place.label.clone());
        let kinds = self
            .groups
            .iter()
            .map(|group| format!("the {}", group_word(*group)));
        let all: Vec<String> = places.chain(kinds).collect();
        if all.is_empty() {
            String::new()
        } else {
            format!(" without {}", all.join(" and "))
        }
    }
}

pub(super) fn group_word(group: Group) -> &'static str {
    match group {
        Group::Residential => "apartments",
        Group::Commercial => "commercial properties",
        Group::Office => "office properties",
        Group::Retail => "retail properties",
        Group::Industrial => "industrial properties",
        Group::Mixed => "mixed-use properties",
        Group::Land => "land",
    }
}

pub(super) fn is_of(property: &Property, group: Group) -> bool {
    let kind = property.property_type.as_deref().unwrap_or("");
    match group {
        Group::Residential => kind == "multifamily",
        Group::Commercial => !matches!(kind, "multifamily" | "land" | ""),
        Group::Office => kind == "office",
        Group::Retail => kind == "retail",
        Group::Industrial => kind == "industrial",
        Group::Mixed => kind == "mixed",
        Group::Land => kind == "land",
    }
}
