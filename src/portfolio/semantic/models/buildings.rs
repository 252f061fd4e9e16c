//! `buildings`: one row for each building. Its dimensions are part of every other model.

use crate::portfolio::semantic::model::{
    Base, Dimension, Formula, Kind, Model, OverTime, Piece, Segment, Unit, dimension, measure, segment,
};

pub static MODEL: Model = Model {
    name: "buildings",
    title: "Buildings",
    description: "The properties themselves: where they are, what they are, what was paid for them.",
    grain: "one building",
    rows: &[Piece::Base(Base {
        table: "buildings",
        alias: "b",
        building: Some("id"),
    })],
    joins_buildings: false,
    over_time: OverTime::Adds,
    default_time: None,
    currency: "b.currency",
    measures: &[
        measure(
            "count",
            "Buildings",
            Unit::Count,
            Formula::Count,
            "Number of buildings.",
        ),
        measure(
            "unit_count",
            "Units",
            Unit::Count,
            Formula::Sum("b.unit_count"),
            "Units as recorded for the building, of every kind.",
        ),
        measure(
            "rentable_area",
            "Rentable area",
            Unit::Area,
            Formula::Sum("b.rentable_area"),
            "Rentable area as recorded for the building.",
        ),
        measure(
            "purchase_price",
            "Purchase price",
            Unit::Money,
            Formula::Sum("b.purchase_price"),
            "Price paid, without closing costs.",
        ),
        measure(
            "closing_costs",
            "Closing costs",
            Unit::Money,
            Formula::Sum("b.closing_costs"),
            "Costs of the purchase beside the price.",
        ),
        measure(
            "price_per_unit",
            "Price per unit",
            Unit::MoneyPer("unit"),
            Formula::Ratio(
                "b.purchase_price",
                "CASE WHEN b.purchase_price IS NOT NULL THEN b.unit_count END",
            ),
            "Sum of purchase prices / sum of units, over buildings whose price is known.",
        ),
        measure(
            "price_per_sqft",
            "Price per square foot",
            Unit::MoneyPer("sqft"),
            // Areas are in hundredths of a square foot.
            Formula::Ratio(
                "b.purchase_price * 100",
                "CASE WHEN b.purchase_price IS NOT NULL THEN b.rentable_area END",
            ),
            "Sum of purchase prices / sum of rentable area, over buildings whose price is known.",
        ),
    ],
    dimensions: &DIMENSIONS,
    segments: &SEGMENTS,
};

static DIMENSIONS: [Dimension; 13] = [
    dimension(
        "id",
        "Building id",
        Kind::Text,
        "b.id",
        "The organization's own identifier.",
    ),
    dimension("name", "Building", Kind::Text, "b.name", "Name of the building."),
    dimension(
        "property_type",
        "Property type",
        Kind::Text,
        "b.property_type",
        "multifamily, office, retail, industrial, mixed or land.",
    ),
    dimension("address", "Address", Kind::Text, "b.address", "Street address."),
    dimension("city", "City", Kind::Text, "b.city", "City."),
    dimension("state", "State", Kind::Text, "b.state", "State or province."),
    dimension(
        "postal_code",
        "Postal code",
        Kind::Text,
        "b.postal_code",
        "Postal code.",
    ),
    dimension("country", "Country", Kind::Text, "b.country", "Country code."),
    dimension(
        "year_built",
        "Year built",
        Kind::Number(0),
        "b.year_built",
        "Year of construction.",
    ),
    dimension(
        "acquired_date",
        "Acquired",
        Kind::Day,
        "b.acquired_date",
        "Day of the purchase.",
    ),
    dimension(
        "ownership_share",
        "Ownership share",
        Kind::Number(6),
        "b.ownership_share",
        "The part that is owned, as a fraction.",
    ),
    dimension(
        "currency",
        "Currency",
        Kind::Text,
        "b.currency",
        "Currency of the building's money.",
    ),
    dimension(
        "timezone",
        "Time zone",
        Kind::Text,
        "b.timezone",
        "Time zone of the building.",
    ),
];

static SEGMENTS: [Segment; 2] = [
    segment(
        "multifamily",
        "Apartments",
        "b.property_type = 'multifamily'",
        "Multifamily buildings.",
    ),
    segment(
        "commercial",
        "Commercial",
        "b.property_type NOT IN ('multifamily', 'land')",
        "Office, retail, industrial and mixed buildings.",
    ),
];
