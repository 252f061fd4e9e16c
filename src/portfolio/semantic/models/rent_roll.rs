//! `rent_roll`: every unit and its lease on one day.

use crate::portfolio::semantic::model::{
    Dimension, Formula, Kind, Model, OverTime, Piece, Segment, Unit, base, dimension, of_no_building,
    segment, snapshot, sql,
};
use crate::portfolio::semantic::models::in_force::{IN_FORCE, RENT};
use crate::portfolio::semantic::models::shared::{
    IS_MONTH_TO_MONTH, IS_RENTABLE, LEASE_ID, LEASE_START, LEASE_TYPE, RESIDENTIAL, TENANT, TENANT_INDUSTRY,
    UNIT_ID, UNIT_NUMBER, UNIT_TYPE, UNIT_USE,
};
use crate::portfolio::semantic::models::units::MARKET_RENT;

const OCCUPIED: &str = "CASE WHEN t.lease_id IS NOT NULL THEN 1 ELSE 0 END";
const RENTABLE: &str = "CASE WHEN t.is_rentable THEN 1 ELSE 0 END";

pub static MODEL: Model = Model {
    name: "rent_roll",
    title: "Rent roll",
    description: "Every unit with its tenant, term and rent on one day: the end of the range given for \
                  rent_roll.as_of, else the last closed day of the data.",
    grain: "one unit on one day",
    rows: &[
        sql("("),
        Piece::Group(IN_FORCE),
        sql(
            "SELECT u.id AS unit_id, u.building_id, u.unit_number, u.unit_use, u.unit_type, u.area AS unit_area, \
             u.is_rentable, u.non_revenue_reason, u.currency, f.lease_id, f.lease_type, f.start_date, f.end_date, \
             f.month_to_month, f.area AS leased_area, f.security_deposit, n.name AS tenant, n.industry, ",
        ),
        sql(RENT),
        sql(" AS rent, "),
        Piece::Group(MARKET_RENT),
        sql(" AS market_rent FROM "),
        base("units", "u"),
        sql(" LEFT JOIN "),
        sql("f"),
        sql(" ON f.unit_id = u.id AND u.is_rentable LEFT JOIN "),
        of_no_building("tenants", "n"),
        sql(" ON n.id = f.tenant_id) AS t"),
    ],
    joins_buildings: true,
    over_time: OverTime::AsOf,
    default_time: Some("as_of"),
    currency: "t.currency",
    measures: &[
        snapshot(
            "unit_count",
            "Units",
            Unit::Count,
            Formula::Count,
            "Units of every kind.",
        ),
        snapshot(
            "rentable_units",
            "Rentable units",
            Unit::Count,
            Formula::Sum(RENTABLE),
            "Units that can be rented.",
        ),
        snapshot(
            "occupied_units",
            "Occupied units",
            Unit::Count,
            Formula::Sum(OCCUPIED),
            "Rentable units with a lease in force on the day.",
        ),
        snapshot(
            "vacant_units",
            "Vacant units",
            Unit::Count,
            Formula::Sum("CASE WHEN t.is_rentable AND t.lease_id IS NULL THEN 1 ELSE 0 END"),
            "Rentable units without a lease in force on the day.",
        ),
        snapshot(
            "physical_occupancy",
            "Physical occupancy",
            Unit::Share,
            Formula::Ratio(OCCUPIED, RENTABLE),
            "Occupied rentable units / rentable units on the day.",
        ),
        snapshot(
            "monthly_rent",
            "Monthly rent",
            Unit::Money,
            Formula::Sum("t.rent"),
            "Monthly contract rent in effect on the day, by the rent steps.",
        ),
        snapshot(
            "annual_rent",
            "Annual rent",
            Unit::Money,
            Formula::Sum("t.rent * 12"),
            "Monthly contract rent in effect on the day x 12.",
        ),
        snapshot(
            "average_rent",
            "Average rent",
            Unit::MoneyPer("unit"),
            Formula::Ratio("t.rent", OCCUPIED),
            "Monthly rent / occupied units.",
        ),
        snapshot(
            "leased_area",
            "Leased area",
            Unit::Area,
            Formula::Sum("t.leased_area"),
            "Area as the leases state it.",
        ),
        snapshot(
            "rent_per_sqft",
            "Rent per square foot",
            Unit::MoneyPer("sqft"),
            Formula::Ratio("t.rent * 100", "t.leased_area"),
            "Monthly rent / leased area, for a month.",
        ),
        snapshot(
            "market_rent",
            "Market rent of occupied units",
            Unit::Money,
            Formula::Sum("CASE WHEN t.lease_id IS NOT NULL THEN t.market_rent END"),
            "Monthly market rent over occupied units.",
        ),
        snapshot(
            "loss_to_lease",
            "Loss to lease",
            Unit::Money,
            Formula::Sum("t.market_rent - t.rent"),
            "Market rent - contract rent over occupied units, for a month, net of gains.",
        ),
    ],
    dimensions: &DIMENSIONS,
    segments: &SEGMENTS,
};

static DIMENSIONS: [Dimension; 14] = [
    dimension(
        "as_of",
        "As of",
        Kind::AsOf,
        "",
        "The day of the rent roll: the end of the range given; else the last closed day of the data.",
    ),
    UNIT_ID,
    UNIT_NUMBER,
    UNIT_USE,
    UNIT_TYPE,
    dimension(
        "status",
        "Status",
        Kind::Text,
        "CASE WHEN t.lease_id IS NOT NULL THEN 'occupied' WHEN t.is_rentable THEN 'vacant' \
         ELSE COALESCE(t.non_revenue_reason, 'non_revenue') END",
        "occupied, vacant, or why it is not rentable: model, down, office, employee.",
    ),
    LEASE_ID,
    TENANT,
    TENANT_INDUSTRY,
    LEASE_TYPE,
    LEASE_START,
    dimension(
        "lease_end",
        "Lease end",
        Kind::Day,
        "t.end_date",
        "Last day of the lease's term.",
    ),
    IS_MONTH_TO_MONTH,
    IS_RENTABLE,
];

static SEGMENTS: [Segment; 3] = [
    segment(
        "occupied",
        "Occupied",
        "t.lease_id IS NOT NULL",
        "Units with a lease in force on the day.",
    ),
    segment(
        "vacant",
        "Vacant",
        "t.is_rentable AND t.lease_id IS NULL",
        "Rentable units without a lease in force on the day.",
    ),
    RESIDENTIAL,
];
