//! `loans`: current loans, each allocated to the buildings that secure it.

use crate::db::args::Sql;
use crate::portfolio::semantic::model::{
    Dimension, Formula, Kind, Model, OverTime, Piece, Segment, Unit, base, dimension, dimension_each, each,
    of_no_building, segment, snapshot, sql,
};

pub static MODEL: Model = Model {
    name: "loans",
    title: "Loans",
    description: "Loans with balance, rate, maturity and covenants. A loan that several buildings secure is spread \
                  over them by their shares.",
    grain: "one loan's part in one building",
    rows: &[
        sql(
            "(SELECT l.id, p.building_id, l.lender, l.loan_kind, l.rate_kind, l.day_count, l.prepayment, \
             l.origination_date, l.maturity_date, l.interest_rate, l.io_months, l.balance_date, l.min_dscr_covenant, \
             l.max_ltv_covenant, l.currency, \
             CASE WHEN p.share = 1000000 THEN l.original_principal \
             ELSE (l.original_principal * p.share + 500000) / 1000000 END AS original_principal, \
             CASE WHEN p.share = 1000000 THEN l.current_balance \
             ELSE (l.current_balance * p.share + 500000) / 1000000 END AS current_balance, \
             CASE WHEN p.share = 1000000 THEN l.level_payment \
             ELSE (l.level_payment * p.share + 500000) / 1000000 END AS level_payment, ",
        ),
        each(
            "CAST(julianday(l.maturity_date) - julianday(",
            "CAST(l.maturity_date - CAST(",
        ),
        Piece::AsOf,
        each(") AS BIGINT)", " AS DATE) AS BIGINT)"),
        sql(" AS remaining_days FROM "),
        base("loan_buildings", "p"),
        sql(" JOIN "),
        // Only reached from the part that belongs to a building: the loan's first building may not be
        // granted.
        of_no_building("loans", "l"),
        sql(" ON l.id = p.loan_id) AS t"),
    ],
    joins_buildings: true,
    over_time: OverTime::Adds,
    default_time: Some("maturity_date"),
    currency: "t.currency",
    measures: &[
        snapshot(
            "count",
            "Loans",
            Unit::Count,
            Formula::Different("t.id"),
            "Number of loans; one over several buildings counts once.",
        ),
        snapshot(
            "current_balance",
            "Current balance",
            Unit::Money,
            Formula::Sum("t.current_balance"),
            "Balance on the loan's balance date.",
        ),
        snapshot(
            "original_principal",
            "Original principal",
            Unit::Money,
            Formula::Sum("t.original_principal"),
            "Amount lent at origination.",
        ),
        snapshot(
            "level_payment",
            "Level payment",
            Unit::Money,
            Formula::Sum("t.level_payment"),
            "Monthly payment of amortizing loans.",
        ),
        snapshot(
            "weighted_average_rate",
            "Weighted average rate",
            Unit::Rate,
            Formula::Ratio(
                "CAST(t.current_balance AS DOUBLE PRECISION) * t.interest_rate",
                "CASE WHEN t.interest_rate IS NOT NULL THEN t.current_balance END",
            ),
            "Annual interest rates weighted by current balance.",
        ),
        snapshot(
            "weighted_average_maturity",
            "Weighted average maturity",
            Unit::Years,
            Formula::Ratio(
                "CAST(t.current_balance AS DOUBLE PRECISION) * (CASE WHEN t.remaining_days > 0 THEN t.remaining_days \
                 ELSE 0 END)",
                "CAST(t.current_balance AS DOUBLE PRECISION) * 365",
            ),
            "Days to maturity / 365 from the last closed day of the data, weighted by current balance.",
        ),
    ],
    dimensions: &DIMENSIONS,
    segments: &SEGMENTS,
};

static DIMENSIONS: [Dimension; 14] = [
    dimension("id", "Loan id", Kind::Text, "t.id", "The source's identifier."),
    dimension("lender", "Lender", Kind::Text, "t.lender", "Who lent."),
    dimension(
        "kind",
        "Kind",
        Kind::Text,
        "t.loan_kind",
        "senior, mezzanine and the like.",
    ),
    dimension(
        "rate_kind",
        "Rate kind",
        Kind::Text,
        "t.rate_kind",
        "fixed, floating or swapped_floating.",
    ),
    dimension(
        "interest_rate",
        "Interest rate",
        Kind::Number(6),
        "t.interest_rate",
        "Annual, as a fraction.",
    ),
    dimension(
        "day_count",
        "Day count",
        Kind::Text,
        "t.day_count",
        "30/360, actual/360 or actual/365.",
    ),
    dimension(
        "io_months",
        "Interest-only months",
        Kind::Number(0),
        "t.io_months",
        "Months without principal.",
    ),
    dimension(
        "prepayment",
        "Prepayment",
        Kind::Text,
        "t.prepayment",
        "What early repayment costs.",
    ),
    dimension(
        "origination_date",
        "Originated",
        Kind::Day,
        "t.origination_date",
        "Day of the loan.",
    ),
    dimension(
        "maturity_date",
        "Maturity",
        Kind::Day,
        "t.maturity_date",
        "Day it is due.",
    ),
    dimension_each(
        "maturity_year",
        "Maturity year",
        Kind::Number(0),
        Sql::each(
            "CAST(substr(t.maturity_date, 1, 4) AS BIGINT)",
            "CAST(EXTRACT(YEAR FROM t.maturity_date) AS BIGINT)",
        ),
        "Calendar year in which it is due.",
    ),
    dimension(
        "balance_date",
        "Balance date",
        Kind::Day,
        "t.balance_date",
        "Day of the current balance.",
    ),
    dimension(
        "min_dscr_covenant",
        "Minimum DSCR",
        Kind::Number(6),
        "t.min_dscr_covenant",
        "Least debt service coverage that is allowed.",
    ),
    dimension(
        "max_ltv_covenant",
        "Maximum LTV",
        Kind::Number(6),
        "t.max_ltv_covenant",
        "Highest loan to value that is allowed, as a fraction.",
    ),
];

static SEGMENTS: [Segment; 2] = [
    segment("senior", "Senior", "t.loan_kind = 'senior'", "Senior loans."),
    segment(
        "fixed",
        "Fixed rate",
        "t.rate_kind = 'fixed'",
        "Loans with a fixed rate.",
    ),
];
