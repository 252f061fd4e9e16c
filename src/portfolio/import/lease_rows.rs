//! Reads rows of leases, of their additional units and of their rent steps.

use chrono::NaiveDate;

use crate::portfolio::import::cells::Row;
use crate::portfolio::import::finding::Code;
use crate::portfolio::import::kinds::Kind;
use crate::portfolio::import::reading::{ReadResult, Reading, Unusable, required};
use crate::portfolio::import::rows::{FOREVER, LeaseRow, LeaseUnitRow, StepRow};

/// Status words that mean that the lease is not signed.
const DRAFTS: [&str; 6] = [
    "draft",
    "pending",
    "proposed",
    "unsigned",
    "prospect",
    "applicant",
];

pub fn lease(row: &Row<'_>, reading: &mut Reading<'_>) -> ReadResult<()> {
    let building = reading.building(row)?;
    let unit = reading.unit(row)?;
    let tenant = required(row.text("tenant_id"))?;
    let state = &reading.state;
    let resolved = state.resolve(&tenant, |id| state.tenants.get(id).is_some());
    let Some(tenant) = resolved else {
        return reading.missing(row, "tenant_id", Kind::Tenants, &tenant);
    };
    if unit.building_id != building.id {
        let why = format!("unit belongs to {}, row says {}", unit.building_id, building.id);
        reading.found.add(row.at("unit_id", Code::ReferenceMismatch, why));
        return Err(Unusable);
    }
    let currency = reading.currency(row, &building)?;
    let (start, end) = (required(row.date("start_date"))?, required(row.date("end_date"))?);
    let after = |field: &str, end: Option<NaiveDate>, reading: &mut Reading<'_>| match end {
        Some(end) if end < start => {
            let why = format!("is before the start date, {start}");
            reading.found.add(row.at(field, Code::EndBeforeStart, why));
            Err(Unusable)
        }
        _ => Ok(()),
    };
    after("end_date", Some(end), reading)?;
    let move_out = row.date("move_out_date");
    after("move_out_date", move_out, reading)?;
    let id = reading.state.own(&required(row.text("lease_id"))?);
    let renewal = row.text("renewal_of_lease_id").map(|of| {
        let state = &reading.state;
        state
            .resolve(&of, |id| state.leases.get(id).is_some())
            .unwrap_or_else(|| state.own(&of))
    });
    let status = row.text("status").unwrap_or_default().to_lowercase();
    let month_to_month = row.truth("month_to_month").unwrap_or(false);
    let money = |field: &str| row.money(field, &currency);
    let rate = row.share("escalation_pct").unwrap_or_default();
    let escalation = row.text("escalation_type");
    let usual = if rate == 0 { "none" } else { "fixed_pct" };
    let parsed = LeaseRow {
        building_id: building.id.clone(),
        area: row.area("area_sqft").unwrap_or(unit.area),
        unit_id: unit.id,
        tenant_id: tenant,
        lease_type: row.text("lease_type"),
        signed_date: row.date("signed_date"),
        start_date: start,
        end_date: end,
        move_out_date: move_out,
        month_to_month,
        effective_end: move_out.unwrap_or(if month_to_month { FOREVER } else { end }),
        monthly_rent: required(money("monthly_rent"))?,
        escalation_type: escalation.unwrap_or_else(|| usual.to_owned()),
        escalation_rate: rate,
        escalation_floor: row.share("escalation_floor_pct"),
        escalation_cap: row.share("escalation_cap_pct"),
        free_rent_months: row.number("free_rent_months").unwrap_or_default(),
        ti_allowance: money("ti_allowance").unwrap_or_default(),
        security_deposit: money("security_deposit").unwrap_or_default(),
        renewal_of_lease_id: renewal,
        first_break_date: row.date("first_break_date"),
        is_draft: row.truth("is_draft").unwrap_or(DRAFTS.contains(&status.as_str())),
        source: reading.state.source.clone(),
        currency,
        id,
    };
    reading.state.leases.put(parsed);
    Ok(())
}

pub fn lease_unit(row: &Row<'_>, reading: &mut Reading<'_>) -> ReadResult<()> {
    let (lease, unit) = (reading.lease(row)?, reading.unit(row)?);
    if unit.building_id != lease.building_id {
        let why = format!(
            "unit belongs to {}, but its lease to {}",
            unit.building_id, lease.building_id
        );
        reading.found.add(row.at("unit_id", Code::ReferenceMismatch, why));
        return Err(Unusable);
    }
    reading.state.lease_units.put(LeaseUnitRow {
        lease_id: lease.id,
        area: row.area("area_sqft").unwrap_or(unit.area),
        unit_id: unit.id,
        building_id: lease.building_id,
        rent_share: required(row.share("rent_share_pct"))?,
        source: reading.state.source.clone(),
    });
    Ok(())
}

pub fn step(row: &Row<'_>, reading: &mut Reading<'_>) -> ReadResult<()> {
    let lease = reading.lease(row)?;
    reading.state.steps.put(StepRow {
        effective_date: required(row.date("effective_date"))?,
        monthly_rent: required(row.money("monthly_rent", &lease.currency))?,
        lease_id: lease.id,
        building_id: lease.building_id,
        currency: lease.currency,
        source: reading.state.source.clone(),
    });
    Ok(())
}
