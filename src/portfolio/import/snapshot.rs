//! Builds the monthly snapshots of each unit: its tenant, its rent and its market rent.
//!
//! A lease is in force on a day if it is signed, has started, and its effective end has not passed. If a unit
//! has several, the latest start counts, then the highest identifier. Units that cannot be rented are never
//! occupied.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Months, NaiveDate};

use crate::portfolio::import::cells::ONE;
use crate::portfolio::import::current_state::{Coverage, CurrentState};
use crate::portfolio::import::listing::first_of;
use crate::portfolio::import::rows::{LeaseRow, UnitMonthRow, UnitRow};
use tables::dates::month_end;

/// Maximum number of months. Older history has no monthly snapshots.
const MAX_MONTHS: u32 = 240;
/// Number of months if there is no ledger to show how far back the data goes.
const WITHOUT_LEDGER: u32 = 36;

/// What the data covers: the months of the ledger or, without a ledger, the months up to the rent roll or
/// today.
pub fn coverage(state: &CurrentState, today: NaiveDate) -> Option<Coverage> {
    let nothing = state.buildings.is_empty() && state.units.all().next().is_none();
    if nothing && state.ledger_months.is_empty() {
        return None;
    }
    let ledger = (
        state.ledger_months.iter().map(|(_, month)| *month).min(),
        state.ledger_months.iter().map(|(_, month)| *month).max(),
    );
    let roll = state.rolls.last().copied();
    let before = state.coverage;
    if let (Some(first), Some(last)) = ledger {
        let closed = month_end(last);
        // A rent roll later than the ledger counts only if its date is the end of a month.
        let rolled = roll.filter(|day| month_end(*day) == *day);
        let current = before
            .map(|before| before.as_of)
            .filter(|day| month_end(*day) == *day);
        let as_of = [Some(closed), rolled, current]
            .into_iter()
            .flatten()
            .max()
            .unwrap_or(closed);
        return Some(within(first, as_of));
    }
    let as_of = match (roll, before) {
        (Some(roll), Some(before)) => roll.max(before.as_of),
        (Some(roll), None) => roll,
        (None, Some(before)) => before.as_of,
        (None, None) => today,
    };
    let first = state
        .leases
        .all()
        .filter(|lease| !lease.is_draft)
        .map(|lease| lease.start_date)
        .min();
    let earliest = as_of
        .checked_sub_months(Months::new(WITHOUT_LEDGER - 1))
        .unwrap_or(as_of);
    Some(within(first.unwrap_or(as_of).max(earliest), as_of))
}

fn within(first: NaiveDate, as_of: NaiveDate) -> Coverage {
    let last_month = first_of(as_of);
    let earliest = last_month
        .checked_sub_months(Months::new(MAX_MONTHS - 1))
        .unwrap_or(last_month);
    Coverage {
        as_of,
        first_month: first_of(first).clamp(earliest, last_month),
        last_month,
    }
}

/// Each month of the coverage and its last day, which is no later than the date of the data.
fn days(coverage: Coverage) -> Vec<(NaiveDate, NaiveDate)> {
    let mut days = Vec::new();
    let mut month = coverage.first_month;
    while month <= coverage.last_month {
        days.push((month, month_end(month).min(coverage.as_of)));
        match month.checked_add_months(Months::new(1)) {
            Some(next) => month = next,
            None => break,
        }
    }
    days
}

/// A lease from the point of view of one unit.
struct Stay<'b> {
    lease: &'b LeaseRow,
    /// The unit's slice of the lease's rent, as a range of millionths.
    from: i64,
    to: i64,
}

/// Maximum number of units per batch. A building with more is a batch of its own.
const UNITS: usize = 5_000;

/// Divides buildings into batches, so that memory use does not depend on the size of the portfolio.
pub fn parts(state: &CurrentState, buildings: &BTreeSet<String>) -> Vec<BTreeSet<String>> {
    let mut units: BTreeMap<&str, usize> = BTreeMap::new();
    for unit in state.units.all() {
        *units.entry(unit.building_id.as_str()).or_default() += 1;
    }
    let mut parts = Vec::new();
    let (mut part, mut size) = (BTreeSet::new(), 0);
    for building in buildings {
        // Count at least one, because a building without units takes space in the statement too.
        let own = units.get(building.as_str()).copied().unwrap_or(0).max(1);
        if size + own > UNITS && size > 0 {
            parts.push(std::mem::take(&mut part));
            size = 0;
        }
        part.insert(building.clone());
        size += own;
    }
    parts.extend((!part.is_empty()).then_some(part));
    parts
}

/// Rebuilds the snapshot rows of these buildings.
pub fn rebuild(state: &mut CurrentState, coverage: Coverage, buildings: &BTreeSet<String>) {
    let days = days(coverage);
    let rows = build_rows(state, &days, buildings);
    let gone: Vec<String> = state
        .unit_months
        .all()
        .filter(|row| buildings.contains(&row.building_id))
        .map(crate::portfolio::import::rows::Versioned::key)
        .collect();
    for row in rows {
        state.unit_months.put(row);
    }
    for key in gone {
        state.unit_months.end(&key);
    }
}

fn build_rows(
    state: &CurrentState,
    days: &[(NaiveDate, NaiveDate)],
    buildings: &BTreeSet<String>,
) -> Vec<UnitMonthRow> {
    let stays = stays(state, buildings);
    let mut steps: BTreeMap<&str, Vec<(NaiveDate, i64)>> = BTreeMap::new();
    for step in state
        .steps
        .all()
        .filter(|step| buildings.contains(&step.building_id))
    {
        let of_lease = steps.entry(step.lease_id.as_str()).or_default();
        of_lease.push((step.effective_date, step.monthly_rent));
    }
    let mut market: BTreeMap<&str, Vec<(NaiveDate, i64)>> = BTreeMap::new();
    for rent in state
        .market_rents
        .all()
        .filter(|rent| buildings.contains(&rent.building_id))
    {
        let of_unit = market.entry(rent.unit_id.as_str()).or_default();
        of_unit.push((rent.effective_date, rent.market_rent));
    }
    for dated in steps.values_mut().chain(market.values_mut()) {
        dated.sort_unstable();
    }
    let mut rows = Vec::new();
    for unit in state
        .units
        .all()
        .filter(|unit| buildings.contains(&unit.building_id))
    {
        let none = Vec::new();
        let stays = stays.get(unit.id.as_str()).unwrap_or(&none);
        let rents = market.get(unit.id.as_str());
        for (month, day) in days {
            let stay = if unit.is_rentable {
                in_force(stays, *day)
            } else {
                None
            };
            let rent = stay.and_then(|stay| {
                let steps = steps.get(stay.lease.id.as_str())?;
                Some(part(at(steps, *day)?, stay))
            });
            let market_rent = match rents {
                Some(rents) => at(rents, *day),
                None => unit.market_rent,
            };
            rows.push(row(unit, *month, *day, stay, rent, market_rent));
        }
    }
    rows
}

fn row(
    unit: &UnitRow,
    month: NaiveDate,
    day: NaiveDate,
    stay: Option<&Stay<'_>>,
    rent: Option<i64>,
    market_rent: Option<i64>,
) -> UnitMonthRow {
    UnitMonthRow {
        building_id: unit.building_id.clone(),
        month,
        unit_id: unit.id.clone(),
        month_end: day,
        unit_use: unit.unit_use.clone(),
        area: unit.area,
        rentable: unit.is_rentable,
        occupied: stay.is_some(),
        lease_id: stay.map(|stay| stay.lease.id.clone()),
        tenant_id: stay.map(|stay| stay.lease.tenant_id.clone()),
        rent_in_effect: stay.map(|stay| rent.unwrap_or_else(|| part(stay.lease.monthly_rent, stay))),
        market_rent,
        currency: unit.currency.clone(),
    }
}

/// Leases by unit. If a lease covers several units, each has a slice of the rent, and the slices add up
/// exactly.
fn stays<'b>(state: &'b CurrentState, buildings: &BTreeSet<String>) -> BTreeMap<&'b str, Vec<Stay<'b>>> {
    let mut several: BTreeMap<&str, Vec<(&str, i64)>> = BTreeMap::new();
    for row in state.lease_units.all() {
        let units = several.entry(row.lease_id.as_str()).or_default();
        units.push((row.unit_id.as_str(), row.rent_share));
    }
    let mut stays: BTreeMap<&str, Vec<Stay<'b>>> = BTreeMap::new();
    let signed = state.leases.all().filter(|lease| !lease.is_draft);
    for lease in signed.filter(|lease| buildings.contains(&lease.building_id)) {
        let Some(units) = several.get(lease.id.as_str()) else {
            let stay = Stay {
                lease,
                from: 0,
                to: ONE,
            };
            stays.entry(lease.unit_id.as_str()).or_default().push(stay);
            continue;
        };
        let mut from = 0;
        for (unit, share) in units {
            let to = from + share;
            stays.entry(*unit).or_default().push(Stay { lease, from, to });
            from = to;
        }
    }
    for of_unit in stays.values_mut() {
        of_unit.sort_by(|left, right| {
            (left.lease.start_date, &left.lease.id).cmp(&(right.lease.start_date, &right.lease.id))
        });
    }
    stays
}

fn in_force<'s, 'b>(stays: &'s [Stay<'b>], day: NaiveDate) -> Option<&'s Stay<'b>> {
    let on = |stay: &&Stay<'b>| stay.lease.start_date <= day && day <= stay.lease.effective_end;
    stays.iter().rev().find(on)
}

/// The latest of the dated amounts on a day.
fn at(dated: &[(NaiveDate, i64)], day: NaiveDate) -> Option<i64> {
    let until = dated.partition_point(|(from, _)| *from <= day);
    dated.get(until.checked_sub(1)?).map(|(_, amount)| *amount)
}

/// A unit's part of a rent.
fn part(rent: i64, stay: &Stay<'_>) -> i64 {
    let up_to = |share: i64| {
        let one = i128::from(ONE);
        let stay = (i128::from(rent) * i128::from(share) + one / 2) / one;
        i64::try_from(stay).unwrap_or(rent)
    };
    up_to(stay.to) - up_to(stay.from)
}
