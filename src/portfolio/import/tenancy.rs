//! Leases and tenants as shown by a rent roll: on its date and without history.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Days, NaiveDate};

use crate::portfolio::import::cells::Row;
use crate::portfolio::import::current_state::CurrentState;
use crate::portfolio::import::finding::Code;
use crate::portfolio::import::reading::Reading;
use crate::portfolio::import::rows::{FOREVER, LeaseRow, StepRow, TenantRow, UnitRow, Versioned as _};

/// The leases of each unit, indexed because a large roll looks them up for every unit.
#[derive(Debug, Default)]
pub struct ByUnit(BTreeMap<String, BTreeSet<String>>);

impl ByUnit {
    pub fn of(state: &CurrentState) -> Self {
        let mut own = Self::default();
        for lease in state.leases.all() {
            own.add(lease);
        }
        own
    }

    fn add(&mut self, lease: &LeaseRow) {
        self.0
            .entry(lease.unit_id.clone())
            .or_default()
            .insert(lease.key());
    }

    /// The unit's signed leases.
    fn signed<'b>(&'b self, state: &'b CurrentState, unit: &UnitRow) -> impl Iterator<Item = &'b LeaseRow> {
        let keys = self.0.get(&unit.id).into_iter().flatten();
        let leases = keys.filter_map(|key| state.leases.get(key));
        leases.filter(|lease| !lease.is_draft)
    }
}

/// Adds the lease of a row: updates the known lease with the same unit and start, or creates one.
pub fn put(
    row: &Row<'_>,
    unit: &UnitRow,
    rent: i64,
    as_of: NaiveDate,
    known: &mut ByUnit,
    reading: &mut Reading<'_>,
) {
    let start = row.date("start_date").or(row.date("move_in")).unwrap_or(as_of);
    let end = row.date("end_date");
    if let Some(end) = end.filter(|end| *end < start) {
        let why = format!("{end} is before the start date, {start}");
        reading.found.add(row.at("end_date", Code::EndBeforeStart, why));
        return;
    }
    // A tenant present on the date of the roll after the end of the term, or without a term, is
    // month-to-month.
    let open = end.is_none_or(|end| end < as_of) && start <= as_of;
    let move_out = row.date("move_out").filter(|out| *out >= start && *out >= as_of);
    let end = end.unwrap_or(start.max(as_of));
    let state = &mut *reading.state;
    let same_start = known
        .signed(state, unit)
        .find(|lease| lease.start_date == start)
        .cloned();
    let money = |field: &str| row.money(field, &unit.currency);
    let deposit = money("deposit").unwrap_or_default() + money("other_deposit").unwrap_or_default();
    let effective_end = move_out.unwrap_or(if open { FOREVER } else { end });
    let lease = match same_start {
        Some(known) => LeaseRow {
            end_date: end,
            move_out_date: move_out.or(known.move_out_date.filter(|out| *out >= as_of)),
            month_to_month: open,
            effective_end,
            ..known
        },
        None => LeaseRow {
            id: state.own(&format!("{}/{}/{start}", unit.building_id, unit.unit_number)),
            building_id: unit.building_id.clone(),
            unit_id: unit.id.clone(),
            tenant_id: tenant(row, unit, state),
            lease_type: None,
            signed_date: None,
            start_date: start,
            end_date: end,
            move_out_date: move_out,
            month_to_month: open,
            effective_end,
            monthly_rent: rent,
            escalation_type: "none".to_owned(),
            escalation_rate: 0,
            escalation_floor: None,
            escalation_cap: None,
            free_rent_months: 0,
            ti_allowance: 0,
            security_deposit: deposit,
            area: unit.area,
            renewal_of_lease_id: None,
            first_break_date: None,
            is_draft: false,
            currency: unit.currency.clone(),
            source: state.source.clone(),
        },
    };
    put_rent(&lease, rent, as_of, state);
    // Other month-to-month tenants have left.
    let before: Vec<LeaseRow> = known
        .signed(state, unit)
        .filter(|other| other.id != lease.id && other.effective_end == FOREVER)
        .filter(|other| other.start_date < start)
        .cloned()
        .collect();
    for other in before {
        state.leases.put(left(other, start));
    }
    known.add(&lease);
    state.leases.put(lease);
}

/// Sets the rent in effect on the date of the roll. If the known steps differ, a new step starts on that
/// date.
fn put_rent(lease: &LeaseRow, rent: i64, as_of: NaiveDate, state: &mut CurrentState) {
    let current = state.steps.current_keys_under(&lease.id);
    let steps: Vec<StepRow> = current
        .iter()
        .filter_map(|key| state.steps.get(key))
        .cloned()
        .collect();
    let in_effect = steps.iter().rfind(|step| step.effective_date <= as_of);
    let Some(in_effect) = in_effect.or(steps.first()) else {
        return;
    };
    if in_effect.monthly_rent == rent {
        return;
    }
    // The steps of a lease form one list, so the remaining ones are added too.
    let from = as_of.max(lease.start_date);
    let new = StepRow {
        effective_date: from,
        monthly_rent: rent,
        ..in_effect.clone()
    };
    for step in steps.into_iter().filter(|step| step.effective_date != from) {
        state.steps.put(step);
    }
    state.steps.put(new);
}

/// The unit is empty on the date of the roll, so its tenants have left before.
pub fn moved_out(unit: &UnitRow, as_of: NaiveDate, known: &ByUnit, reading: &mut Reading<'_>) {
    let state = &mut *reading.state;
    let there: Vec<LeaseRow> = known
        .signed(state, unit)
        .filter(|lease| lease.start_date < as_of && lease.effective_end >= as_of)
        .cloned()
        .collect();
    for lease in there {
        state.leases.put(left(lease, as_of));
    }
}

/// The lease of a tenant who left before the given day.
fn left(lease: LeaseRow, before: NaiveDate) -> LeaseRow {
    let last = before.checked_sub_days(Days::new(1)).unwrap_or(before);
    LeaseRow {
        move_out_date: Some(last),
        effective_end: last,
        ..lease
    }
}

/// The tenant of a row: by its code, or else by its name within the building.
fn tenant(row: &Row<'_>, unit: &UnitRow, state: &mut CurrentState) -> String {
    let name = row.text("tenant").or(row.text("tenant_code"));
    let name = name.unwrap_or_else(|| format!("Tenant of {}", unit.unit_number));
    let external = row
        .text("tenant_code")
        .unwrap_or_else(|| format!("{}/{name}", unit.building_id));
    let id = state.own(&external);
    let known = state.tenants.get(&id).cloned();
    let parsed = TenantRow {
        id: id.clone(),
        name: name.clone(),
        kind: None,
        industry: None,
        credit_rating: None,
        parent_tenant_id: None,
        source: state.source.clone(),
    };
    state
        .tenants
        .put(known.map_or(parsed, |known| TenantRow { name, ..known }));
    id
}
