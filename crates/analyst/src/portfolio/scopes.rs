//! Which buildings a figure is of: places, kinds, what is left out, sides of a comparison. Pure.

use std::collections::BTreeSet;

use crate::portfolio::ask::{Unclear, What};
use crate::portfolio::lexicon::Group;
use crate::portfolio::places::{Place, Side};
use crate::portfolio::reading::Reading;
use crate::portfolio::without::{Without, group_word, is_of};
use finance::portfolio::metric::Metric;
use finance::portfolio::query::{Catalog, Property, Space};

/// Buildings with the words for them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scope {
    /// "Congress Tower Offices", "the apartments in Tampa", "the whole portfolio (12 properties)".
    pub(crate) label: String,
    /// Absent: everything that may be seen.
    pub(crate) buildings: Option<BTreeSet<String>>,
    /// Buildings by the kind of property that was named, for what is kept by building alone.
    pub(crate) of_group: Option<BTreeSet<String>>,
    pub(crate) space: Option<Space>,
    pub(crate) is_building: bool,
}

impl Scope {
    /// "the 2-bedroom units of …".
    pub(super) fn narrow(&mut self, words: &[String]) {
        if !words.is_empty() {
            self.label = format!("{} in {}", words.join(", "), self.label);
            self.is_building = false;
        }
    }
}

/// All buildings of the kinds as one.
pub(super) fn scopes_of_all(
    groups: &[Group],
    without: &Without,
    catalog: &Catalog,
) -> Result<Scope, Unclear> {
    let kinds: &[Group] = if groups.len() == 1 { groups } else { &[] };
    let all = scopes(&[], false, kinds, without, catalog)?;
    all.into_iter().next().ok_or(Unclear::Other)
}

/// The kinds of space that are meant. Terms and tenants are asked of commercial leases, loss to lease and average
/// rents of apartments, where nothing else is said and both are there.
pub(super) fn groups(reading: &Reading, what: &What, catalog: &Catalog) -> (Vec<Group>, Option<String>) {
    // Named units and tenants are of one kind anyway.
    if !reading.groups.is_empty() || reading.only.is_of_units() {
        return (reading.groups.clone(), None);
    }
    let chosen: Vec<&Property> = catalog
        .buildings
        .iter()
        .filter(|property| {
            reading.places.is_empty()
                || reading
                    .places
                    .iter()
                    .any(|place| place.buildings.contains(&property.id))
        })
        .collect();
    let kind = |property: &&Property, kind: &str| property.property_type.as_deref() == Some(kind);
    let homes = chosen.iter().any(|property| kind(property, "multifamily"));
    let others = chosen.iter().any(|property| !kind(property, "multifamily"));
    let default = match what {
        What::Tenants | What::Rollover => Some(Group::Commercial),
        What::Metrics(metrics) => metrics.first().and_then(|(metric, _)| match metric {
            Metric::WaltByRent
            | Metric::WaltByArea
            | Metric::TopTenantShare
            | Metric::RolloverShareOfRent
            | Metric::RolloverShareOfArea
            | Metric::RolloverRent
            | Metric::RolloverArea => Some(Group::Commercial),
            Metric::LossToLease
            | Metric::AnnualLossToLease
            | Metric::LossToLeaseShare
            | Metric::AverageRent
            | Metric::RentPerArea
            | Metric::AverageMarketRent
            | Metric::RenewalRate => Some(Group::Residential),
            _ => None,
        }),
        _ => None,
    };
    match default {
        Some(group) if homes && others => {
            let told = if group == Group::Commercial {
                "Commercial leases only, as is usual for this figure; ask for apartments to have theirs."
            } else {
                "Apartments only, as is usual for this figure; ask for commercial space to have its own."
            };
            (vec![group], Some(told.to_owned()))
        }
        _ => (Vec::new(), None),
    }
}

pub(super) fn scopes(
    places: &[Place],
    beside: bool,
    groups: &[Group],
    without: &Without,
    catalog: &Catalog,
) -> Result<Vec<Scope>, Unclear> {
    let count = |buildings: usize| {
        if buildings == 1 {
            "1 property".to_owned()
        } else {
            format!("{buildings} properties")
        }
    };
    let out = without.buildings(catalog);
    let left_out = without.words();
    let kept =
        |buildings: &BTreeSet<String>| buildings.difference(&out).cloned().collect::<BTreeSet<String>>();
    let every: BTreeSet<String> = catalog.buildings.iter().map(|one| one.id.clone()).collect();
    let every = kept(&every);
    let sets: Vec<(Option<&Place>, BTreeSet<String>)> = if places.is_empty() {
        vec![(None, every)]
    } else {
        let named = places.iter().map(|place| (Some(place), kept(&place.buildings)));
        named.chain(beside.then_some((None, every))).collect()
    };
    // Several kinds are compared, as places are.
    let kinds: Vec<Option<Group>> = if groups.is_empty() {
        vec![None]
    } else {
        groups.iter().copied().map(Some).collect()
    };
    let mut scopes = Vec::new();
    for (place, buildings) in &sets {
        for group in &kinds {
            let of_group: Option<BTreeSet<String>> = group.map(|group| {
                catalog
                    .buildings
                    .iter()
                    .filter(|one| buildings.contains(&one.id) && is_of(one, group))
                    .map(|one| one.id.clone())
                    .collect()
            });
            let space = match group {
                Some(Group::Residential) => Some(Space::Residential),
                Some(Group::Commercial) => Some(Space::Commercial),
                _ => None,
            };
            // Space of a kind may be in any building; a kind of building is just these.
            let chosen = match (&of_group, space) {
                (Some(of_group), None) => of_group.clone(),
                _ => buildings.clone(),
            };
            if chosen.is_empty() {
                let what = group.map_or("properties", group_word);
                let at = place.map_or("those you can see".to_owned(), |place| place.label.clone());
                return Err(Unclear::Ask(format!("There are no {what} among {at}{left_out}.")));
            }
            let label = match (place, group) {
                (None, None) => format!("the whole portfolio{left_out} ({})", count(chosen.len())),
                (None, Some(group)) => format!("the {}", group_word(*group)),
                (Some(place), None) => place.label.clone(),
                (Some(place), Some(_)) if place.is_building => place.label.clone(),
                (Some(place), Some(group)) => format!("the {} in {}", group_word(*group), place.label),
            };
            let label = if place.is_none() && group.is_none() {
                label
            } else {
                format!("{label}{left_out}")
            };
            scopes.push(Scope {
                label,
                buildings: (place.is_some() || !out.is_empty() || (group.is_some() && space.is_none()))
                    .then_some(chosen),
                of_group,
                space,
                is_building: place.is_some_and(|place| place.is_building),
            });
        }
    }
    Ok(scopes)
}

/// One scope for each side of a comparison.
pub(super) fn opposed(sides: &[Side], without: &Without, catalog: &Catalog) -> Result<Vec<Scope>, Unclear> {
    let mut all = Vec::new();
    for side in sides {
        let places: Vec<Place> = side.place.iter().cloned().collect();
        let groups: Vec<Group> = side.group.iter().copied().collect();
        all.extend(scopes(&places, false, &groups, without, catalog)?);
    }
    Ok(all)
}

/// Each building of a list by itself.
pub(super) fn one_by_one(list: &Place, catalog: &Catalog) -> Vec<Place> {
    let own = catalog
        .buildings
        .iter()
        .filter(|property| list.buildings.contains(&property.id));
    own.map(|property| Place {
        label: property.name.clone(),
        buildings: BTreeSet::from([property.id.clone()]),
        is_building: true,
    })
    .collect()
}

/// "The three Tampa buildings" have to be three.
pub(super) fn counted(scopes: &[Scope], count: usize, all: usize) -> Result<(), Unclear> {
    let [only] = scopes else { return Ok(()) };
    let own = only.of_group.as_ref().or(only.buildings.as_ref());
    match own {
        Some(own) if own.len() == count => Ok(()),
        Some(own) => Err(Unclear::Ask(format!(
            "I know of {} there, not of {count}. Which ones do you mean?",
            own.len()
        ))),
        // "All twelve buildings".
        None if count == all => Ok(()),
        None => Err(Unclear::Ask(format!(
            "Which {count} do you mean? Please name them."
        ))),
    }
}
