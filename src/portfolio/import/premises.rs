//! Finds the building that a file refers to by its code, its name, or its name and address in another system.
//! Creates the building if it is unknown.

use crate::portfolio::import::current_state::CurrentState;
use crate::portfolio::import::listing::Listing;
use crate::portfolio::import::rows::BuildingRow;
use tables::headers::normalized;

/// Maximum length of identifiers and names in characters, the same as in `portfolio::service`.
const ID: usize = 100;
const NAME: usize = 200;

/// The building named in a title block: the first line that is not a caption, if there is one.
pub fn titled(listing: &Listing) -> Option<&str> {
    const CAPTIONS: [&str; 14] = [
        "rent roll",
        "income statement",
        "as of",
        "month year",
        "period",
        "t-12",
        "t12",
        "trailing",
        "profit",
        "p&l",
        "cash flow",
        "report",
        "generated",
        "printed",
    ];
    let lines = listing.title.iter().map(|line| line.trim());
    lines.into_iter().find_map(|line| {
        let lower = line.to_lowercase();
        // "Property: Peachtree Commons" and "Properties = …" name it explicitly.
        let said = lower.starts_with("propert") || lower.starts_with("building");
        let after = line.split_once([':', '=']).map(|(_, after)| after.trim());
        match after {
            Some(name) if said && !name.is_empty() => Some(name),
            Some(_) => None,
            None if line.is_empty() || CAPTIONS.iter().any(|word| lower.contains(word)) => None,
            None => Some(line),
        }
    })
}

/// Finds a building by the name or code used in another system, or creates it.
pub fn building(state: &mut CurrentState, said: &str) -> BuildingRow {
    let said = said.trim();
    let (name, code) = named_with_code(said);
    let (name, address) = match name.split_once(" - ") {
        Some((name, address)) => (name.trim(), Some(address.trim())),
        None => (name, None),
    };
    if let Some(found) = known(state, said, name, code) {
        return found.clone();
    }
    let mut id: String = code.map_or_else(|| name.to_owned(), str::to_uppercase);
    id = id.chars().take(ID).collect();
    let name: String = name.chars().take(NAME).collect();
    let mut row = BuildingRow::named(&id, &name);
    row.source = Some(state.source.clone());
    row.currency = Some("USD".to_owned());
    if let Some(address) = address {
        locate(&mut row, address);
    }
    state.put_building(row.clone());
    row
}

fn known<'b>(state: &'b CurrentState, said: &str, name: &str, code: Option<&str>) -> Option<&'b BuildingRow> {
    let same = |left: &str, right: &str| normalized(left) == normalized(right);
    let by_id = |wanted: &str| state.buildings.values().find(|row| same(&row.id, wanted));
    let by_name = |wanted: &str| {
        let mut found = state.buildings.values().filter(|row| same(&row.name, wanted));
        // If several buildings share the name, it is ambiguous and matches none.
        found.next().filter(|_| found.next().is_none())
    };
    code.and_then(by_id)
        .or_else(|| by_id(said))
        .or_else(|| by_name(said))
        .or_else(|| by_name(name))
        .or_else(|| by_id(name))
}

/// Splits `Peachtree Commons (b07)` into name and code.
fn named_with_code(said: &str) -> (&str, Option<&str>) {
    let inner = said.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
    match inner {
        Some((name, code)) if !name.trim().is_empty() && !code.trim().is_empty() => {
            (name.trim(), Some(code.trim()))
        }
        _ => (said, None),
    }
}

/// In `3300 Heron Drive Tampa, FL 33629` nothing separates the street from the town, so only the part after
/// the comma is split.
fn locate(row: &mut BuildingRow, address: &str) {
    row.address = Some(address.to_owned());
    let Some((_, region)) = address.rsplit_once(", ") else {
        return;
    };
    let mut words = region.split_whitespace();
    if let (Some(state), Some(code), None) = (words.next(), words.next(), words.next())
        && state.len() == 2
    {
        row.state = Some(state.to_owned());
        row.postal_code = Some(code.to_owned());
        row.country = Some("US".to_owned());
    }
}
