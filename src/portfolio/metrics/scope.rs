//! The buildings that a measure reads, and the part of a split that each belongs to. Pure.

use std::collections::{BTreeMap, BTreeSet};

use crate::portfolio::metrics::within::Reach;
use finance::portfolio::query::{Account, Property, Split};

/// The buildings and split of a measure.
pub(super) struct Scope<'a> {
    pub(super) at: Reach<'a>,
    pub(super) properties: &'a [Property],
    pub(super) accounts: &'a [Account],
    by_id: BTreeMap<&'a str, &'a Property>,
}

/// A part of a split: its key and label, and its currency if the split has several.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) key: String,
    pub(super) label: String,
    pub(super) currency: Option<String>,
}

impl<'a> Scope<'a> {
    pub(super) fn new(at: Reach<'a>, properties: &'a [Property], accounts: &'a [Account]) -> Self {
        Self {
            at,
            properties,
            accounts,
            by_id: properties.iter().map(|one| (one.id.as_str(), one)).collect(),
        }
    }

    pub(super) fn currencies(&self) -> BTreeSet<String> {
        self.properties
            .iter()
            .filter_map(|building| building.currency.clone())
            .collect()
    }

    pub(super) fn part(&self, building: &str, split: Option<Split>, mixed: bool) -> Option<Place> {
        let property = self.by_id.get(building)?;
        let unknown = || "not stated".to_owned();
        let (key, label) = match split {
            Some(Split::Building) => (property.id.clone(), property.name.clone()),
            Some(Split::City) => {
                let city = property.city.clone().unwrap_or_else(unknown);
                (city.clone(), city)
            }
            Some(Split::State) => {
                let state = property.state.clone().unwrap_or_else(unknown);
                (state.clone(), state)
            }
            Some(Split::PropertyType) => {
                let kind = property.property_type.clone().unwrap_or_else(unknown);
                (kind.clone(), kind)
            }
            _ => (String::new(), String::new()),
        };
        let currency = property.currency.clone()?;
        if !mixed {
            return Some(Place {
                key,
                label,
                currency: None,
            });
        }
        let join = |text: String| match (split, text.is_empty()) {
            (Some(Split::Building), _) => text,
            (_, true) => currency.clone(),
            (_, false) => format!("{text} ({currency})"),
        };
        Some(Place {
            key: join(key),
            label: join(label),
            currency: Some(currency.clone()),
        })
    }
}
