//! Units at month ends, from leases: an independent implementation of the rule for leases in force.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use chrono::{Datelike as _, NaiveDate};

use super::fixture::{Cell, Row, Table, day, effective_end, end_of, flag, number, read, scaled, text};

/// Each unit at each month's end.
pub(super) fn snapshots(folder: &Path, money: &impl Fn(&Row, &str) -> Cell) -> Table {
    let units = read(folder, "units.csv");
    let leases = read(folder, "leases.csv");
    let steps = read(folder, "lease_rent_steps.csv");
    let markets = read(folder, "unit_market_rents.csv");
    let months: BTreeSet<NaiveDate> = read(folder, "monthly_financials.csv")
        .iter()
        .filter_map(|row| day(row, "month"))
        .collect();
    let group = |rows: &[Row], key: &str| {
        let mut by: BTreeMap<String, Vec<Row>> = BTreeMap::new();
        for row in rows {
            by.entry(row[key].clone()).or_default().push(row.clone());
        }
        by
    };
    let (leases, steps, markets) = (
        group(&leases, "unit_id"),
        group(&steps, "lease_id"),
        group(&markets, "unit_id"),
    );
    let latest = |rows: Option<&Vec<Row>>, on: NaiveDate, column: &str| {
        rows.into_iter()
            .flatten()
            .filter(|row| day(row, "effective_date").is_some_and(|from| from <= on))
            .max_by_key(|row| day(row, "effective_date"))
            .and_then(|row| scaled(row, column, 2))
    };
    let mut rows = Vec::new();
    for month in months {
        let on = end_of(month);
        assert_eq!(on.month(), month.month());
        for unit in &units {
            let rentable = flag(unit, "is_rentable");
            let lease = leases
                .get(&unit["unit_id"])
                .into_iter()
                .flatten()
                .filter(|lease| {
                    rentable
                        && lease["status"] != "draft"
                        && day(lease, "start_date").is_some_and(|start| start <= on)
                        && effective_end(lease) >= on
                })
                .max_by_key(|lease| (day(lease, "start_date"), lease["lease_id"].clone()));
            let rent = lease.and_then(|lease| latest(steps.get(&lease["lease_id"]), on, "monthly_rent"));
            rows.push(vec![
                text(unit, "building_id"),
                Cell::Day(Some(month)),
                text(unit, "unit_id"),
                Cell::Day(Some(on)),
                text(unit, "unit_use"),
                number(unit, "area_sqft", 2),
                Cell::Flag(rentable),
                Cell::Flag(lease.is_some()),
                lease.map_or(Cell::Text(None), |lease| text(lease, "lease_id")),
                lease.map_or(Cell::Text(None), |lease| text(lease, "tenant_id")),
                Cell::Whole(rent),
                Cell::Whole(latest(markets.get(&unit["unit_id"]), on, "market_rent_monthly")),
                money(unit, &unit["building_id"]),
            ]);
        }
    }
    Table {
        name: "unit_month_versions",
        columns: vec![
            "building_id",
            "month",
            "unit_id",
            "month_end",
            "unit_use",
            "area",
            "rentable",
            "occupied",
            "lease_id",
            "tenant_id",
            "rent_in_effect",
            "market_rent",
            "currency",
        ],
        rows,
    }
}
