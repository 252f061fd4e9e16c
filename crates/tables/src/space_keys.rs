//! What tells the spaces of a rent roll apart: the unit, within a building and a section, and its bed. Each space
//! counts once.
//!
//! Independent of questions.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use crate::headers::{self, Field};
use crate::spaces::{About, Doubt, Space, Tenancy};
use crate::statuses::by_status;
use crate::table::{Indexed, Row};

/// What tells a space from others with its unit.
struct Key<'t> {
    table: &'t Indexed<'t>,
    /// The column of beds or rooms, in a table that repeats an apartment for each of them.
    bed: Option<usize>,
    /// Whether each section starts the numbers of its units again.
    sections: bool,
}

impl<'t> Key<'t> {
    fn of(table: &'t Indexed<'t>, spaces: &[Space]) -> Self {
        let mut key = Self {
            table,
            bed: None,
            sections: are_places(&table.sections),
        };
        let sorted = key.sorted(spaces);
        let twice: Vec<&[&Space]> = sorted
            .chunk_by(|one, other| key.compare(one, other).is_eq())
            .filter(|rows| rows.len() > 1)
            .collect();
        let unit = table.column(Field::Unit);
        let apart = |at: &usize| {
            let differ = |rows: &&[&Space]| {
                let texts: BTreeSet<String> = rows
                    .iter()
                    .map(|space| key.text(space, Some(*at)).to_lowercase())
                    .collect();
                texts.len() == rows.len() && !texts.contains("")
            };
            twice.iter().all(differ)
        };
        let bed = (0..table.columns.len())
            .filter(|at| Some(*at) != unit && is_part(table.header(*at)))
            .find(apart);
        key.bed = bed.filter(|_| !twice.is_empty());
        key
    }

    fn row(&self, space: &Space) -> Option<&'t Row> {
        self.table.rows.get(space.row)
    }

    fn text(&self, space: &Space, column: Option<usize>) -> &'t str {
        let of = |row: &'t Row| column.and_then(|at| row.cells.get(at));
        self.row(space).and_then(of).unwrap_or_default()
    }

    fn compare(&self, one: &Space, other: &Space) -> Ordering {
        let building = self.table.column(Field::Building);
        let texts = |at: Option<usize>| folded(self.text(one, at)).cmp(folded(self.text(other, at)));
        let section = |space: &Space| self.row(space).and_then(Row::section).filter(|_| self.sections);
        folded(one.unit())
            .cmp(folded(other.unit()))
            .then_with(|| texts(building))
            .then_with(|| texts(self.bed))
            .then_with(|| section(one).cmp(&section(other)))
    }

    /// The spaces that have a unit, equal ones next to each other in the order of their rows.
    fn sorted<'s>(&self, spaces: &'s [Space]) -> Vec<&'s Space> {
        let mut order: Vec<&Space> = spaces.iter().filter(|space| !space.unit().is_empty()).collect();
        order.sort_by(|one, other| self.compare(one, other));
        order
    }
}

/// Whether a header names a part of an apartment, or another column of spaces. "Beds" are how many there are.
fn is_part(header: &str) -> bool {
    let name = headers::normalized(header);
    match headers::field(header) {
        Some(Field::Unit) => true,
        Some(Field::Bedrooms) => matches!(name.as_str(), "bed" | "bedroom"),
        _ => false,
    }
}

/// Whether sections are of buildings or parts of them, and not of the states of tenants.
fn are_places(sections: &[String]) -> bool {
    sections.len() > 1
        && sections.iter().all(|section| {
            headers::words(section).iter().all(|word| {
                let people = matches!(
                    word.trim_end_matches('s'),
                    "resident" | "tenant" | "lease" | "applicant"
                );
                !people && by_status(word, "").is_none()
            })
        })
}

/// Keeps one space of each name: for an occupied unit, a second row that is vacant is its past. Those to come are the
/// spaces whose only listed tenants have not moved in or have left: they are vacant now.
pub(crate) fn once_each(table: &Indexed<'_>, tenancy: &mut Tenancy, to_come: Vec<Space>) {
    let key = Key::of(table, &tenancy.spaces);
    let mut twice: Vec<String> = Vec::new();
    let mut dropped: HashSet<usize> = HashSet::new();
    let order = key.sorted(&tenancy.spaces);
    for unit in order.chunk_by(|one, other| key.compare(one, other).is_eq()) {
        let mut rows = unit.iter();
        let Some(mut kept) = rows.next() else { continue };
        for space in rows {
            let gone = match (kept.is_let(), space.is_let()) {
                (false, true) => std::mem::replace(&mut kept, space),
                (own, other) => {
                    if own && other {
                        twice.push(space.unit().to_owned());
                    }
                    space
                }
            };
            dropped.insert(gone.row);
        }
    }
    Arc::make_mut(&mut tenancy.spaces).retain(|space| !dropped.contains(&space.row));
    twice.sort_unstable();
    twice.dedup();
    if !twice.is_empty() {
        let more = twice.len().saturating_sub(NAMED);
        let others = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        twice.truncate(NAMED);
        let sentence = format!(
            "The file lists more than one tenant in {}{others}: which of the rows counts?",
            twice.join(", ")
        );
        tenancy.doubts.push(Doubt::new(About::Tenants, sentence));
    }
    empty_so_far(&key, tenancy, to_come);
}

fn empty_so_far(key: &Key<'_>, tenancy: &mut Tenancy, mut to_come: Vec<Space>) {
    if to_come.is_empty() {
        return;
    }
    let known = key.sorted(&tenancy.spaces);
    let has = |space: &Space| known.binary_search_by(|own| key.compare(own, space)).is_ok();
    to_come.retain(|space| !space.unit().is_empty() && !has(space));
    to_come.sort_by(|one, other| key.compare(one, other));
    to_come.dedup_by(|one, other| key.compare(one, other).is_eq());
    if to_come.is_empty() {
        return;
    }
    to_come.sort_by_key(|space| space.row);
    let units: Vec<&str> = to_come.iter().take(NAMED).map(Space::unit).collect();
    tenancy.remarks.push(format!(
        "Let from later on or let before, and vacant now: {}.",
        units.join(", ")
    ));
    let spaces = Arc::make_mut(&mut tenancy.spaces);
    spaces.extend(to_come);
    spaces.sort_by_key(|space| space.row);
}

/// How many units a sentence names.
const NAMED: usize = 20;

/// A text without case.
fn folded(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase)
}
