//! `debt_service`: loan payments, each allocated to the buildings that secure the loan.

use crate::portfolio::semantic::model::{
    Dimension, Formula, Kind, Model, OverTime, Segment, Unit, base, dimension, measure, of_no_building,
    segment, snapshot, sql,
};

pub static MODEL: Model = Model {
    name: "debt_service",
    title: "Debt service",
    description: "Payments on loans: interest, principal and the balance after each.",
    grain: "one payment's part in one building",
    rows: &[
        sql(
            "(SELECT y.loan_id, p.building_id, y.payment_date, l.lender, l.loan_kind, y.currency, \
             CASE WHEN p.share = 1000000 THEN y.interest \
             ELSE (y.interest * p.share + 500000) / 1000000 END AS interest, \
             CASE WHEN p.share = 1000000 THEN y.principal \
             ELSE (y.principal * p.share + 500000) / 1000000 END AS principal, \
             CASE WHEN p.share = 1000000 THEN y.ending_balance \
             ELSE (y.ending_balance * p.share + 500000) / 1000000 END AS ending_balance FROM ",
        ),
        base("loan_buildings", "p"),
        sql(" JOIN "),
        // Both are only reached from the part that belongs to a building.
        of_no_building("loans", "l"),
        sql(" ON l.id = p.loan_id JOIN "),
        of_no_building("loan_payments", "y"),
        sql(" ON y.loan_id = p.loan_id) AS t"),
    ],
    joins_buildings: true,
    over_time: OverTime::Latest {
        of: "t.loan_id, t.building_id",
        day: "t.payment_date",
    },
    default_time: Some("payment_date"),
    currency: "t.currency",
    measures: &[
        measure(
            "total",
            "Debt service",
            Unit::Money,
            Formula::Sum("t.interest + t.principal"),
            "Interest + principal as scheduled.",
        ),
        measure(
            "interest",
            "Interest",
            Unit::Money,
            Formula::Sum("t.interest"),
            "Interest paid.",
        ),
        measure(
            "principal",
            "Principal",
            Unit::Money,
            Formula::Sum("t.principal"),
            "Principal paid.",
        ),
        snapshot(
            "ending_balance",
            "Ending balance",
            Unit::Money,
            Formula::Sum("t.ending_balance"),
            "Balance after each loan's latest payment in the range, or in each bucket.",
        ),
    ],
    dimensions: &DIMENSIONS,
    segments: &SEGMENTS,
};

static DIMENSIONS: [Dimension; 4] = [
    dimension(
        "payment_date",
        "Payment date",
        Kind::Day,
        "t.payment_date",
        "Day of the payment.",
    ),
    dimension(
        "loan_id",
        "Loan id",
        Kind::Text,
        "t.loan_id",
        "The source's identifier.",
    ),
    dimension("lender", "Lender", Kind::Text, "t.lender", "Who lent."),
    dimension(
        "kind",
        "Kind",
        Kind::Text,
        "t.loan_kind",
        "senior, mezzanine and the like.",
    ),
];

static SEGMENTS: [Segment; 1] = [segment(
    "senior",
    "Senior",
    "t.loan_kind = 'senior'",
    "Payments on senior loans.",
)];
