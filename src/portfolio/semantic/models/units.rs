//! `units`: one row for each unit, with its market rent as of a day.

use crate::portfolio::semantic::model::{
    Dimension, Formula, Kind, Model, OverTime, Piece, Segment, Unit, base, dimension, segment, snapshot, sql,
};
use crate::portfolio::semantic::models::shared::{
    BEDROOMS, IS_RENTABLE, RESIDENTIAL, UNIT_NUMBER, UNIT_TYPE, UNIT_USE,
};

/// The latest dated market rent of the unit `u`, else the market rent recorded with the unit.
pub static MARKET_RENT: &[Piece] = &[
    sql("COALESCE((SELECT r.market_rent FROM "),
    base("unit_market_rents", "r"),
    sql(" WHERE r.unit_id = u.id AND r.effective_date <= "),
    Piece::AsOf,
    sql(" ORDER BY r.effective_date DESC LIMIT 1), u.market_rent)"),
];

pub static MODEL: Model = Model {
    name: "units",
    title: "Units",
    description: "Apartments, suites and bays with their size and market rent. For who is in them, use rent_roll or \
                  occupancy.",
    grain: "one unit",
    rows: &[
        sql(
            "(SELECT u.id, u.building_id, u.unit_number, u.unit_use, u.unit_type, u.bedrooms, u.bathrooms, u.area, \
             u.is_rentable, u.non_revenue_reason, u.currency, ",
        ),
        Piece::Group(MARKET_RENT),
        sql(" AS market_rent FROM "),
        base("units", "u"),
        sql(") AS t"),
    ],
    joins_buildings: true,
    over_time: OverTime::AsOf,
    default_time: Some("as_of"),
    currency: "t.currency",
    measures: &[
        snapshot(
            "count",
            "Units",
            Unit::Count,
            Formula::Count,
            "Number of units of every kind.",
        ),
        snapshot(
            "rentable_units",
            "Rentable units",
            Unit::Count,
            Formula::Sum("CASE WHEN t.is_rentable THEN 1 ELSE 0 END"),
            "Units that can be rented: without models, down and office units.",
        ),
        snapshot(
            "non_revenue_units",
            "Non-revenue units",
            Unit::Count,
            Formula::Sum("CASE WHEN t.is_rentable THEN 0 ELSE 1 END"),
            "Models, down, office and employee units.",
        ),
        snapshot(
            "area",
            "Area",
            Unit::Area,
            Formula::Sum("t.area"),
            "Area of all units.",
        ),
        snapshot(
            "rentable_area",
            "Rentable area",
            Unit::Area,
            Formula::Sum("CASE WHEN t.is_rentable THEN t.area ELSE 0 END"),
            "Area of the units that can be rented.",
        ),
        snapshot(
            "average_area",
            "Average area",
            Unit::AreaPer("unit"),
            Formula::Ratio("t.area", "1"),
            "Sum of area / number of units.",
        ),
        snapshot(
            "market_rent",
            "Market rent",
            Unit::Money,
            Formula::Sum("t.market_rent"),
            "Monthly market rent as known on the day, over units of every kind.",
        ),
        snapshot(
            "average_market_rent",
            "Average market rent",
            Unit::MoneyPer("unit"),
            Formula::Ratio(
                "t.market_rent",
                "CASE WHEN t.market_rent IS NOT NULL THEN 1 ELSE 0 END",
            ),
            "Sum of monthly market rents / number of units with one.",
        ),
    ],
    dimensions: &DIMENSIONS,
    segments: &SEGMENTS,
};

static DIMENSIONS: [Dimension; 9] = [
    dimension(
        "as_of",
        "As of",
        Kind::AsOf,
        "",
        "The day of the market rents: the end of the range given; else the last closed day of the data.",
    ),
    dimension("id", "Unit id", Kind::Text, "t.id", "The source's identifier."),
    UNIT_NUMBER,
    UNIT_USE,
    UNIT_TYPE,
    BEDROOMS,
    dimension(
        "bathrooms",
        "Bathrooms",
        Kind::Number(6),
        "t.bathrooms",
        "Number of bathrooms.",
    ),
    IS_RENTABLE,
    dimension(
        "non_revenue_reason",
        "Why not rentable",
        Kind::Text,
        "t.non_revenue_reason",
        "model, down, office or employee.",
    ),
];

static SEGMENTS: [Segment; 2] = [
    segment(
        "rentable",
        "Rentable",
        "t.is_rentable",
        "Units that can be rented.",
    ),
    RESIDENTIAL,
];
