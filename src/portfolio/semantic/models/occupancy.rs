//! `occupancy`: each unit at each month's end. Occupancy is a ratio of sums over it.

use crate::portfolio::semantic::model::{
    Dimension, Formula, Kind, Model, OverTime, Segment, Unit, base, dimension, segment, snapshot, sql,
};
use crate::portfolio::semantic::models::shared::{
    BEDROOMS, RESIDENTIAL, UNIT_ID, UNIT_NUMBER, UNIT_TYPE, UNIT_USE,
};

const OCCUPIED: &str = "CASE WHEN t.occupied THEN 1 ELSE 0 END";
const RENTABLE: &str = "CASE WHEN t.rentable THEN 1 ELSE 0 END";
const VACANT: &str = "CASE WHEN t.rentable AND NOT t.occupied THEN 1 ELSE 0 END";
const OCCUPIED_AREA: &str = "CASE WHEN t.occupied THEN t.area ELSE 0 END";
const RENTABLE_AREA: &str = "CASE WHEN t.rentable THEN t.area ELSE 0 END";
const LOSS_TO_LEASE: &str =
    "CASE WHEN t.occupied AND t.market_rent IS NOT NULL THEN t.market_rent - t.rent_in_effect END";
const MARKET_OF_OCCUPIED: &str = "CASE WHEN t.occupied THEN t.market_rent END";

pub static MODEL: Model = Model {
    name: "occupancy",
    title: "Occupancy by month",
    description: "Units at each month's end: rentable, occupied, rent in effect, market rent. Use it for occupancy, \
                  vacancy and loss to lease, now or over time.",
    grain: "one unit at the end of one month",
    rows: &[
        sql(
            "(SELECT m.building_id, m.unit_id, m.month, m.unit_use, m.area, m.rentable, m.occupied, \
             m.rent_in_effect, m.market_rent, m.currency, u.unit_number, u.unit_type, u.bedrooms FROM ",
        ),
        base("unit_month", "m"),
        sql(" LEFT JOIN "),
        base("units", "u"),
        sql(" ON u.id = m.unit_id) AS t"),
    ],
    joins_buildings: true,
    over_time: OverTime::ByMonth("t.month"),
    default_time: Some("month"),
    currency: "t.currency",
    measures: &[
        snapshot(
            "unit_count",
            "Units",
            Unit::Count,
            Formula::Count,
            "Units of every kind at the month's end.",
        ),
        snapshot(
            "rentable_units",
            "Rentable units",
            Unit::Count,
            Formula::Sum(RENTABLE),
            "Units that can be rented: without models, down and office units.",
        ),
        snapshot(
            "occupied_units",
            "Occupied units",
            Unit::Count,
            Formula::Sum(OCCUPIED),
            "Rentable units with a lease in force at the month's end.",
        ),
        snapshot(
            "vacant_units",
            "Vacant units",
            Unit::Count,
            Formula::Sum(VACANT),
            "Rentable units without a lease in force at the month's end.",
        ),
        snapshot(
            "physical_occupancy",
            "Physical occupancy",
            Unit::Share,
            Formula::Ratio(OCCUPIED, RENTABLE),
            "Occupied rentable units / rentable units at the month's end; models and down units on neither side.",
        ),
        snapshot(
            "vacancy_rate",
            "Vacancy rate",
            Unit::Share,
            Formula::Ratio(VACANT, RENTABLE),
            "1 - physical occupancy.",
        ),
        snapshot(
            "occupancy_of_all_units",
            "Occupancy of all units",
            Unit::Share,
            Formula::Ratio(OCCUPIED, "1"),
            "Occupied units / all units, models and down units among them.",
        ),
        snapshot(
            "occupancy_by_area",
            "Occupancy by area",
            Unit::Share,
            Formula::Ratio(OCCUPIED_AREA, RENTABLE_AREA),
            "Occupied area / rentable area at the month's end; usual for commercial buildings.",
        ),
        snapshot(
            "rentable_area",
            "Rentable area",
            Unit::Area,
            Formula::Sum(RENTABLE_AREA),
            "Area of rentable units.",
        ),
        snapshot(
            "occupied_area",
            "Occupied area",
            Unit::Area,
            Formula::Sum(OCCUPIED_AREA),
            "Area of occupied units.",
        ),
        snapshot(
            "monthly_rent",
            "Rent in effect",
            Unit::Money,
            Formula::Sum("t.rent_in_effect"),
            "Monthly contract rent in effect at the month's end over occupied units.",
        ),
        snapshot(
            "average_rent",
            "Average rent",
            Unit::MoneyPer("unit"),
            Formula::Ratio("t.rent_in_effect", OCCUPIED),
            "Monthly rent in effect / occupied units.",
        ),
        snapshot(
            "rent_per_sqft",
            "Rent per square foot",
            Unit::MoneyPer("sqft"),
            Formula::Ratio("t.rent_in_effect * 100", OCCUPIED_AREA),
            "Monthly rent in effect / occupied area, for a month.",
        ),
        snapshot(
            "market_rent",
            "Market rent of occupied units",
            Unit::Money,
            Formula::Sum(MARKET_OF_OCCUPIED),
            "Monthly market rent over occupied units.",
        ),
        snapshot(
            "loss_to_lease",
            "Loss to lease",
            Unit::Money,
            Formula::Sum(LOSS_TO_LEASE),
            "Market rent - rent in effect over occupied units, for a month, net of gains.",
        ),
        snapshot(
            "loss_to_lease_rate",
            "Loss to lease, share",
            Unit::Share,
            Formula::Ratio(LOSS_TO_LEASE, MARKET_OF_OCCUPIED),
            "Loss to lease / market rent of occupied units.",
        ),
    ],
    dimensions: &DIMENSIONS,
    segments: &SEGMENTS,
};

static DIMENSIONS: [Dimension; 8] = [
    dimension(
        "month",
        "Month",
        Kind::Month,
        "t.month",
        "The month at whose end the unit is looked at.",
    ),
    UNIT_ID,
    UNIT_NUMBER,
    UNIT_USE,
    UNIT_TYPE,
    BEDROOMS,
    dimension(
        "is_rentable",
        "Rentable",
        Kind::Boolean,
        "t.rentable",
        "Whether it can be rented.",
    ),
    dimension(
        "is_occupied",
        "Occupied",
        Kind::Boolean,
        "t.occupied",
        "Whether a lease was in force at the month's end.",
    ),
];

static SEGMENTS: [Segment; 2] = [
    RESIDENTIAL,
    segment(
        "vacant",
        "Vacant",
        "t.rentable AND NOT t.occupied",
        "Rentable units without a lease in force.",
    ),
];
