//! `rollover`: leases in force on one day, by the date on which they end.

use crate::db::args::Sql;
use crate::portfolio::semantic::model::{
    Dimension, Formula, Kind, Model, OverTime, Piece, Segment, Unit, base, dimension, dimension_each,
    of_no_building, segment, snapshot, sql,
};
use crate::portfolio::semantic::models::in_force::{IN_FORCE, RENT};
use crate::portfolio::semantic::models::shared::{
    COMMERCIAL, IS_MONTH_TO_MONTH, LEASE_ID, LEASE_START, LEASE_TYPE, TENANT, TENANT_INDUSTRY, UNIT_NUMBER,
    UNIT_USE,
};

const REMAINING: &str = "CASE WHEN t.remaining_days > 0 THEN t.remaining_days ELSE 0 END";

pub static MODEL: Model = Model {
    name: "rollover",
    title: "Lease rollover",
    description: "Leases in force on one day by the year in which they end, with area and annual rent. Month-to-month \
                  leases have no expiration year: they are a line of their own.",
    grain: "one lease in force in one unit on one day",
    rows: &[
        sql("("),
        Piece::Group(IN_FORCE),
        sql(
            "SELECT f.lease_id, f.building_id, f.unit_id, f.lease_type, f.start_date, f.end_date, f.month_to_month, \
             f.first_break_date, f.area, f.remaining_days, f.currency, u.unit_number, u.unit_use, n.name AS tenant, \
             n.industry, ",
        ),
        sql(RENT),
        sql(" AS rent FROM "),
        sql("f"),
        sql(" JOIN "),
        base("units", "u"),
        sql(" ON u.id = f.unit_id AND u.is_rentable LEFT JOIN "),
        of_no_building("tenants", "n"),
        sql(" ON n.id = f.tenant_id) AS t"),
    ],
    joins_buildings: true,
    over_time: OverTime::AsOf,
    default_time: Some("as_of"),
    currency: "t.currency",
    measures: &[
        snapshot(
            "lease_count",
            "Leases",
            Unit::Count,
            Formula::Different("t.lease_id"),
            "Number of leases in force; one over several units counts once.",
        ),
        snapshot("area", "Area", Unit::Area, Formula::Sum("t.area"), "Leased area."),
        snapshot(
            "monthly_rent",
            "Monthly rent",
            Unit::Money,
            Formula::Sum("t.rent"),
            "Monthly contract rent in effect on the day.",
        ),
        snapshot(
            "annual_rent",
            "Annual rent",
            Unit::Money,
            Formula::Sum("t.rent * 12"),
            "Monthly contract rent in effect on the day x 12.",
        ),
        snapshot(
            "walt_by_rent",
            "WALT by rent",
            Unit::Years,
            // Computed as floats, because rents times days may exceed the range of integers.
            Formula::Ratio(
                "CAST(t.rent AS DOUBLE PRECISION) * (CASE WHEN t.remaining_days > 0 THEN t.remaining_days ELSE 0 END)",
                "CAST(t.rent AS DOUBLE PRECISION) * 365",
            ),
            "Weighted average lease term: sum of rent x remaining days / 365, over sum of rent; month to month is 0.",
        ),
        snapshot(
            "walt_by_area",
            "WALT by area",
            Unit::Years,
            Formula::Ratio(
                "CAST(t.area AS DOUBLE PRECISION) * (CASE WHEN t.remaining_days > 0 THEN t.remaining_days ELSE 0 END)",
                "CAST(t.area AS DOUBLE PRECISION) * 365",
            ),
            "Weighted average lease term: sum of area x remaining days / 365, over sum of area; month to month is 0.",
        ),
        snapshot(
            "average_remaining_term",
            "Average remaining term",
            Unit::Years,
            Formula::Ratio(REMAINING, "365"),
            "Remaining days / 365, each lease alike; month to month is 0.",
        ),
    ],
    dimensions: &DIMENSIONS,
    segments: &SEGMENTS,
};

static DIMENSIONS: [Dimension; 11] = [
    dimension(
        "as_of",
        "As of",
        Kind::AsOf,
        "",
        "The day on which the leases are in force: the end of the range given; else the last closed day of the data.",
    ),
    dimension_each(
        "expiration_year",
        "Expiration year",
        Kind::Number(0),
        Sql::each(
            "CASE WHEN NOT t.month_to_month THEN CAST(substr(t.end_date, 1, 4) AS BIGINT) END",
            "CASE WHEN NOT t.month_to_month THEN CAST(EXTRACT(YEAR FROM t.end_date) AS BIGINT) END",
        ),
        "Calendar year of the lease's end; absent for month-to-month leases.",
    ),
    dimension(
        "expiration_date",
        "Expiration date",
        Kind::Day,
        "CASE WHEN NOT t.month_to_month THEN t.end_date END",
        "Last day of the lease's term; absent for month-to-month leases.",
    ),
    IS_MONTH_TO_MONTH,
    LEASE_ID,
    LEASE_TYPE,
    TENANT,
    TENANT_INDUSTRY,
    UNIT_NUMBER,
    UNIT_USE,
    LEASE_START,
];

static SEGMENTS: [Segment; 2] = [
    segment(
        "residential",
        "Residential",
        "t.unit_use = 'residential'",
        "Leases of apartments.",
    ),
    COMMERCIAL,
];
