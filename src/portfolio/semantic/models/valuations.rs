//! `valuations`: appraised values of buildings, by date.

use crate::portfolio::semantic::model::{
    Dimension, Formula, Kind, Model, OverTime, Unit, base, dimension, measure, snapshot, sql,
};

pub static MODEL: Model = Model {
    name: "valuations",
    title: "Valuations",
    description: "Market values of buildings by date. Values are snapshots: of each building the latest in the range \
                  counts.",
    grain: "one valuation of one building",
    rows: &[
        sql(
            "(SELECT v.building_id, v.valuation_date, v.market_value, v.cap_rate, v.method, v.appraiser, \
             v.currency FROM ",
        ),
        base("valuations", "v"),
        sql(") AS t"),
    ],
    joins_buildings: true,
    over_time: OverTime::Latest {
        of: "t.building_id",
        day: "t.valuation_date",
    },
    default_time: Some("date"),
    currency: "t.currency",
    measures: &[
        snapshot(
            "market_value",
            "Market value",
            Unit::Money,
            Formula::Sum("t.market_value"),
            "Each building's latest value in the range, or in each bucket.",
        ),
        snapshot(
            "cap_rate",
            "Cap rate",
            Unit::Rate,
            Formula::Ratio(
                "CAST(t.market_value AS DOUBLE PRECISION) * t.cap_rate",
                "CASE WHEN t.cap_rate IS NOT NULL THEN t.market_value END",
            ),
            "Cap rates of the latest valuations, weighted by value.",
        ),
        measure(
            "count",
            "Valuations",
            Unit::Count,
            Formula::Count,
            "Number of valuations, also those that later ones replaced.",
        ),
    ],
    dimensions: &DIMENSIONS,
    segments: &[],
};

static DIMENSIONS: [Dimension; 3] = [
    dimension(
        "date",
        "Date",
        Kind::Day,
        "t.valuation_date",
        "Day of the valuation.",
    ),
    dimension(
        "method",
        "Method",
        Kind::Text,
        "t.method",
        "For instance direct_capitalization.",
    ),
    dimension(
        "appraiser",
        "Appraiser",
        Kind::Text,
        "t.appraiser",
        "Who valued it.",
    ),
];
