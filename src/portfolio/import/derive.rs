//! Derives rows from the rows that were read: rent steps of leases that have none, and the buildings of
//! loans. Also replaces lists that a file provides as a whole: the steps and the units of a lease.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Months, NaiveDate};

use crate::portfolio::import::cells::ONE;
use crate::portfolio::import::current_state::CurrentState;
use crate::portfolio::import::rows::{LeaseRow, LoanBuildingRow, StepRow};

pub fn derive(state: &mut CurrentState) {
    steps(state);
    loan_buildings(state);
    lease_units(state);
}

/// The steps of a lease form one list: those in the files replace the current ones. A lease without steps in
/// the files gets the steps that follow from its terms.
fn steps(state: &mut CurrentState) {
    let mut with: BTreeMap<String, NaiveDate> = BTreeMap::new();
    for step in state.steps.imported() {
        let first = with.entry(step.lease_id.clone()).or_insert(step.effective_date);
        *first = step.effective_date.min(*first);
    }
    for lease in with.keys() {
        for key in state.steps.current_keys_under(lease) {
            state.steps.end(&key);
        }
    }
    let leases: Vec<LeaseRow> = state.leases.imported().cloned().collect();
    for lease in &leases {
        if let Some(first) = with.get(&lease.id) {
            if *first > lease.start_date {
                state.steps.put(step(lease, lease.start_date, lease.monthly_rent));
            }
            continue;
        }
        let current = state.steps.current_keys_under(&lease.id);
        let same_terms = state
            .leases
            .current(&lease.id)
            .is_some_and(|before| terms(before) == terms(lease));
        if !current.is_empty() && same_terms {
            continue;
        }
        for step in by_terms(lease) {
            state.steps.put(step);
        }
        for key in current {
            state.steps.end(&key);
        }
    }
}

type Terms<'l> = (NaiveDate, NaiveDate, i64, &'l str, i64, &'l str);

fn terms(lease: &LeaseRow) -> Terms<'_> {
    (
        lease.start_date,
        lease.end_date,
        lease.monthly_rent,
        &lease.escalation_type,
        lease.escalation_rate,
        &lease.building_id,
    )
}

fn step(lease: &LeaseRow, from: NaiveDate, rent: i64) -> StepRow {
    StepRow {
        lease_id: lease.id.clone(),
        effective_date: from,
        building_id: lease.building_id.clone(),
        monthly_rent: rent,
        currency: lease.currency.clone(),
        source: lease.source.clone(),
    }
}

/// The initial rent, and one step per year for a fixed escalation. Steps that depend on an index are not
/// predictable.
fn by_terms(lease: &LeaseRow) -> Vec<StepRow> {
    let mut steps = vec![step(lease, lease.start_date, lease.monthly_rent)];
    if lease.escalation_type != "fixed_pct" {
        return steps;
    }
    let mut rent = i128::from(lease.monthly_rent);
    for year in 1..=200_u32 {
        let from = lease.start_date.checked_add_months(Months::new(12 * year));
        let Some(from) = from.filter(|from| *from <= lease.end_date) else {
            break;
        };
        let one = i128::from(ONE);
        rent = (rent * (one + i128::from(lease.escalation_rate)) + one / 2) / one;
        let Ok(minor) = i64::try_from(rent) else { break };
        steps.push(step(lease, from, minor));
    }
    steps
}

/// A loan secures one building unless a file says otherwise.
fn loan_buildings(state: &mut CurrentState) {
    let imported: BTreeSet<String> = state
        .loan_buildings
        .imported()
        .map(|row| row.loan_id.clone())
        .collect();
    for loan in &imported {
        for key in state.loan_buildings.current_keys_under(loan) {
            state.loan_buildings.end(&key);
        }
    }
    let loans: Vec<_> = state.loans.imported().cloned().collect();
    for loan in loans.into_iter().filter(|loan| !imported.contains(&loan.id)) {
        let current = state.loan_buildings.current_keys_under(&loan.id);
        if current.len() > 1 {
            continue;
        }
        state.loan_buildings.put(LoanBuildingRow {
            loan_id: loan.id,
            building_id: loan.building_id,
            share: ONE,
            source: loan.source,
        });
        for key in current {
            state.loan_buildings.end(&key);
        }
    }
}

/// The units of a lease form one list too. Their shares of the rent must add up to one.
fn lease_units(state: &mut CurrentState) {
    let mut sums: BTreeMap<String, i64> = BTreeMap::new();
    for row in state.lease_units.imported() {
        *sums.entry(row.lease_id.clone()).or_default() += row.rent_share;
    }
    for (lease, sum) in sums {
        for key in state.lease_units.current_keys_under(&lease) {
            state.lease_units.end(&key);
        }
        // Percentages are rounded, such as 33.33 % for each of three units, so the last share takes the
        // difference.
        let last = state
            .lease_units
            .imported()
            .filter(|row| row.lease_id == lease)
            .last()
            .cloned();
        if let Some(mut last) = last.filter(|_| sum != ONE) {
            last.rent_share += ONE - sum;
            state.lease_units.put(last);
        }
    }
}
