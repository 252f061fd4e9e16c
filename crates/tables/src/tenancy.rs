//! Reads rent rolls and lists of leases: the spaces, their tenants, rents and lease ends.
//!
//! Down, model and office units are not for rent, and people who have not moved in do not occupy a space.
//! Unclear data becomes a doubt and is never guessed. Independent of questions.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::headers::{self, Field};
use crate::rents;
use crate::space_keys;
pub use crate::spaces::{About, Doubt, Space, State, Tenancy, asking};
use crate::statuses::{Status, by_status};
use crate::table::{Indexed, Row, Table};
use crate::vacant::is_vacant;

/// Reads a rent roll or a list of leases.
#[must_use]
pub fn read(table: &Table) -> Tenancy {
    let table = &Indexed::new(table);
    let mut tenancy = Tenancy {
        commercial: table.column(Field::Unit).is_some_and(|at| {
            let header = headers::normalized(table.header(at));
            ["suite", "space", "premises", "bay", "einheit"]
                .iter()
                .any(|word| header.contains(word))
        }),
        ..Tenancy::default()
    };
    let in_place = rents::in_place(table);
    tenancy.yearly = in_place.yearly;
    let doubts = in_place
        .doubts
        .into_iter()
        .map(|doubt| Doubt::new(About::Rents, doubt));
    tenancy.doubts.extend(doubts);
    tenancy.remarks.extend(in_place.remarks);
    let market = rents::market(table);
    let mut aside: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut to_come: Vec<Space> = Vec::new();
    let mut spaces: Vec<Space> = Vec::with_capacity(table.rows.len());
    let mut seen: HashSet<String> = HashSet::new();
    let mut statuses = Statuses::default();
    let charges = table.column(Field::ChargeCode).zip(table.column(Field::Amount));
    for (at, row) in table.rows.iter().enumerate() {
        if row.role == crate::table::Role::Total {
            continue;
        }
        let of_unit = table.column(Field::Unit);
        let unit = of_unit.and_then(|at| row.cells.get(at)).unwrap_or_default();
        if let Some((code, amount)) = charges
            && continues(table, row, unit)
        {
            add_charge(table, row, code, amount, spaces.last_mut());
            continue;
        }
        let state = match state(table, row, &mut statuses) {
            Found::State(state) => state,
            Found::NotYet => {
                *aside
                    .entry("of people who have not moved in or have left")
                    .or_default() += 1;
                to_come.push(Space {
                    row: at,
                    names: row.cells.two(of_unit, None),
                    state: State::Vacant,
                    area: positive(table, row, Field::Area).into(),
                    market: market.of(table, row).into(),
                    rent: None.into(),
                    end: None,
                    remaining_years: None.into(),
                    month_to_month: false,
                    not_current: true,
                });
                continue;
            }
            Found::Unknown(word) => {
                if seen.insert(word.clone()) {
                    tenancy.unknown.push(word);
                }
                State::Unknown
            }
        };
        if state == State::NonRevenue {
            tenancy
                .aside
                .push(row.cells.iter().collect::<Vec<_>>().join(" ").to_lowercase());
        }
        let mut space = Space {
            row: at,
            names: row.cells.two(of_unit, tenant(table, row)),
            state,
            area: positive(table, row, Field::Area).into(),
            market: market.of(table, row).into(),
            rent: if charges.is_some() {
                None.into()
            } else {
                in_place.rents.of(table, row).into()
            },
            end: table
                .column(Field::EndDate)
                .and_then(|at| table.date(row, at))
                .map(crate::dates::Dated::last_day),
            remaining_years: remaining(table, row).into(),
            month_to_month: month_to_month(table, row),
            not_current: false,
        };
        if let Some((code, amount)) = charges {
            add_charge(table, row, code, amount, Some(&mut space));
        }
        spaces.push(space);
    }
    tenancy.spaces = Arc::new(spaces);
    for (what, count) in aside {
        let rows = if count == 1 { "row" } else { "rows" };
        tenancy.remarks.push(format!("{count} {rows} {what} left out."));
    }
    if !tenancy.unknown.is_empty() {
        let words = tenancy.unknown.join("”, “");
        let sentence =
            format!("I do not know what the status “{words}” means: is such a unit occupied or vacant?");
        tenancy.doubts.push(Doubt::new(About::Status, sentence));
    }
    space_keys::once_each(table, &mut tenancy, to_come);
    compared(&mut tenancy);
    tenancy
}

/// Market rents that are many times the contract rents refer to another period.
fn compared(tenancy: &mut Tenancy) {
    let both = |space: &Space| {
        Some((
            space.market().filter(|own| *own > 0.0)?,
            space.rent().filter(|own| *own > 0.0)?,
        ))
    };
    let (market, rent) = tenancy
        .spaces
        .iter()
        .filter_map(both)
        .fold((0.0, 0.0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
    if rent > 0.0 && !(0.2..5.0).contains(&(market / rent)) {
        let sentence = "Are the market rents and the rents in place of the same period, a month or a year?";
        tenancy.doubts.push(Doubt::new(About::Rents, sentence));
    }
}

/// Whether a row is one of a vacant space: by its status, by a word in place of a name, or without a name and dates.
pub(crate) fn is_empty(table: &Indexed<'_>, row: &Row) -> bool {
    if let Some(at) = table.column(Field::Status) {
        let header = headers::normalized(table.header(at));
        let status = by_status(&headers::normalized(table.text(row, at)), &header);
        return status == Some(Status::Vacant);
    }
    let names = [Field::Tenant, Field::TenantId, Field::Name];
    let named = names.iter().any(|field| table.has(*field));
    let vacant = names.iter().any(|field| is_vacant(table.text_of(row, *field)));
    vacant || named && tenant(table, row).is_none()
}

/// The statuses that a table has, by the words for them.
#[derive(Default)]
struct Statuses<'t>(HashMap<&'t str, Option<Status>>);

impl<'t> Statuses<'t> {
    fn of(&mut self, header: &str, written: &'t str) -> Option<Status> {
        let read = || by_status(&headers::normalized(written), &headers::normalized(header));
        *self.0.entry(written).or_insert_with(read)
    }
}

/// What a row says of its space.
enum Found {
    State(State),
    /// A future or past tenancy.
    NotYet,
    Unknown(String),
}

fn state<'t>(table: &Indexed<'_>, row: &'t Row, statuses: &mut Statuses<'t>) -> Found {
    let section = table.section(row).map(str::to_lowercase).unwrap_or_default();
    if ["future", "applicant", "past resident", "former", "prospect"]
        .iter()
        .any(|word| section.contains(word))
    {
        return Found::NotYet;
    }
    // A word in place of a tenant's name takes precedence over the status.
    let names = [Field::Tenant, Field::TenantId, Field::Name].map(|field| table.text_of(row, field));
    if names.into_iter().any(|name| is_one_of(name, ASIDE)) {
        return Found::State(State::NonRevenue);
    }
    let named_vacant = [Field::Tenant, Field::TenantId, Field::Name]
        .iter()
        .any(|field| is_vacant(table.text_of(row, *field)));
    if let Some(at) = table.column(Field::Status) {
        let written = table.text(row, at);
        if !written.is_empty() {
            return match statuses.of(table.header(at), written) {
                Some(Status::Occupied) if named_vacant => Found::Unknown(written.to_owned()),
                Some(Status::Occupied) => Found::State(State::Occupied),
                Some(Status::Vacant) => Found::State(State::Vacant),
                Some(Status::NonRevenue) => Found::State(State::NonRevenue),
                Some(Status::NotYet) => Found::NotYet,
                None => Found::Unknown(written.to_owned()),
            };
        }
    }
    if named_vacant {
        return Found::State(State::Vacant);
    }
    let named = tenant(table, row).is_some();
    let paid = [Field::Rent, Field::AnnualRent, Field::RentPerArea]
        .iter()
        .any(|field| amount(table, row, *field).is_some_and(|amount| amount != 0.0));
    let charged =
        table.has(Field::ChargeCode) && amount(table, row, Field::Amount).is_some_and(|amount| amount != 0.0);
    let dated = table
        .column(Field::EndDate)
        .is_some_and(|at| table.date(row, at).is_some());
    // A list of lease terms without names: a space with a running term is leased.
    let runs = !table.has(Field::Tenant)
        && !table.has(Field::EndDate)
        && remaining(table, row).is_some_and(|years| years > 0.0);
    Found::State(if named || paid || charged || dated || runs {
        State::Occupied
    } else {
        State::Vacant
    })
}

/// The column that has the name of its tenant.
fn tenant(table: &Indexed<'_>, row: &Row) -> Option<usize> {
    // A code is not a name if there is a column with names.
    let columns = [Field::Tenant, Field::Name, Field::TenantId].map(|field| table.column(field));
    columns.into_iter().flatten().find(|at| {
        let name = table.text(row, *at);
        !crate::numbers::is_nothing(name) && !is_vacant(name)
    })
}

fn amount(table: &Indexed<'_>, row: &Row, field: Field) -> Option<f64> {
    table
        .number(row, table.column(field)?)
        .map(super::numbers::Number::written)
}

fn positive(table: &Indexed<'_>, row: &Row, field: Field) -> Option<f64> {
    amount(table, row, field).filter(|amount| *amount > 0.0)
}

fn remaining(table: &Indexed<'_>, row: &Row) -> Option<f64> {
    amount(table, row, Field::RemainingYears)
        .or_else(|| amount(table, row, Field::RemainingMonths).map(|months| months / 12.0))
}

fn month_to_month(table: &Indexed<'_>, row: &Row) -> bool {
    [Field::EndDate, Field::Status]
        .iter()
        .any(|field| is_one_of(table.text_of(row, *field), &["mtm", "monthtomonth", "m2m"]))
}

/// Names of spaces that are not for rent, without blanks.
const ASIDE: &[&str] = &[
    "model",
    "down",
    "admin",
    "office",
    "offline",
    "modelunit",
    "downunit",
    "leasingoffice",
    "employee",
];

fn is_one_of(text: &str, words: &[&str]) -> bool {
    headers::begins_like(text, words) && words.contains(&headers::normalized(text).as_str())
}

/// Whether a row is an additional charge of the unit above.
fn continues(table: &Indexed<'_>, row: &Row, unit: &str) -> bool {
    unit.is_empty() && table.text_of(row, Field::Tenant).is_empty()
}

/// Adds the charge to the rent, if the charge is rent.
fn add_charge(table: &Indexed<'_>, row: &Row, code: usize, amount: usize, space: Option<&mut Space>) {
    let rent = rents::is_rent_charge(table.text(row, code));
    if let (Some(space), Some(number), true) = (space, table.number(row, amount), rent) {
        space.rent = Some(space.rent().unwrap_or(0.0) + number.written()).into();
    }
}
