//! `leases`: every lease ever imported, with its status on a day.

use crate::db::args::Sql;
use crate::portfolio::semantic::model::{
    Dimension, Formula, Kind, Model, OverTime, Piece, Segment, Unit, base, dimension, dimension_each, each,
    measure, of_no_building, segment, sql,
};
use crate::portfolio::semantic::models::shared::{
    COMMERCIAL, IS_MONTH_TO_MONTH, LEASE_TYPE, TENANT, TENANT_INDUSTRY, UNIT_TYPE, UNIT_USE,
};

pub static MODEL: Model = Model {
    name: "leases",
    title: "Leases",
    description: "All leases: past, in force, signed for later, drafts. For rents in effect use rent_roll; here rents \
                  are those at the start.",
    grain: "one lease",
    rows: &[
        sql(
            "(SELECT l.id, l.building_id, l.lease_type, l.signed_date, l.start_date, l.end_date, l.move_out_date, \
             l.month_to_month, l.monthly_rent, l.escalation_type, l.free_rent_months, l.ti_allowance, \
             l.security_deposit, l.area, l.renewal_of_lease_id, l.is_draft, l.currency, u.unit_number, u.unit_use, \
             u.unit_type, n.name AS tenant, n.industry, ",
        ),
        each(
            "CAST(julianday(l.end_date) - julianday(l.start_date) AS BIGINT) + 1",
            "CAST(l.end_date - l.start_date AS BIGINT) + 1",
        ),
        sql(" AS term_days, CASE WHEN l.is_draft THEN 'draft' WHEN l.start_date > "),
        Piece::AsOf,
        sql(" THEN 'future' WHEN l.effective_end < "),
        Piece::AsOf,
        // Once a renewal has started, it replaces the lease before it. The current leases are found once for all rows.
        sql(
            " THEN 'expired' WHEN l.id IN (SELECT id FROM (SELECT o.id, ROW_NUMBER() OVER (PARTITION BY o.unit_id \
             ORDER BY o.start_date DESC, ",
        ),
        each("o.id", "o.id COLLATE \"C\""),
        sql(" DESC) AS nth FROM "),
        base("leases", "o"),
        sql(" WHERE NOT o.is_draft AND o.start_date <= "),
        Piece::AsOf,
        sql(" AND o.effective_end >= "),
        Piece::AsOf,
        sql(") AS every WHERE nth = 1) THEN 'in_force' ELSE 'superseded' END AS status FROM "),
        base("leases", "l"),
        sql(" LEFT JOIN "),
        base("units", "u"),
        sql(" ON u.id = l.unit_id LEFT JOIN "),
        of_no_building("tenants", "n"),
        sql(" ON n.id = l.tenant_id) AS t"),
    ],
    joins_buildings: true,
    over_time: OverTime::AsOf,
    default_time: Some("as_of"),
    currency: "t.currency",
    measures: &[
        measure(
            "count",
            "Leases",
            Unit::Count,
            Formula::Count,
            "Number of leases.",
        ),
        measure(
            "monthly_rent",
            "Monthly rent at the start",
            Unit::Money,
            Formula::Sum("t.monthly_rent"),
            "Monthly rent at the lease's start. For rents in effect use rent_roll.",
        ),
        measure(
            "average_rent",
            "Average rent at the start",
            Unit::MoneyPer("lease"),
            Formula::Ratio("t.monthly_rent", "1"),
            "Monthly rent at the start / number of leases.",
        ),
        measure("area", "Area", Unit::Area, Formula::Sum("t.area"), "Leased area."),
        measure(
            "ti_allowance",
            "Tenant improvements",
            Unit::Money,
            Formula::Sum("t.ti_allowance"),
            "Tenant improvement allowances.",
        ),
        measure(
            "security_deposit",
            "Deposits",
            Unit::Money,
            Formula::Sum("t.security_deposit"),
            "Security deposits.",
        ),
        measure(
            "average_free_rent",
            "Average free rent",
            Unit::Months,
            // Stored in millionths of a month.
            Formula::Ratio("t.free_rent_months", "1000000"),
            "Free months / number of leases.",
        ),
        measure(
            "average_term",
            "Average term",
            Unit::Years,
            Formula::Ratio("t.term_days", "365"),
            "Days from start to end / 365, each lease alike.",
        ),
    ],
    dimensions: &DIMENSIONS,
    segments: &SEGMENTS,
};

static DIMENSIONS: [Dimension; 17] = [
    dimension(
        "as_of",
        "As of",
        Kind::AsOf,
        "",
        "The day of the status: the end of the range given; else the last closed day of the data.",
    ),
    dimension("id", "Lease id", Kind::Text, "t.id", "The source's identifier."),
    dimension(
        "status",
        "Status",
        Kind::Text,
        "t.status",
        "in_force, future, expired, superseded (its renewal has begun) or draft, on the day.",
    ),
    TENANT,
    TENANT_INDUSTRY,
    LEASE_TYPE,
    dimension(
        "unit_number",
        "Unit",
        Kind::Text,
        "t.unit_number",
        "As on the door; of several, the first.",
    ),
    UNIT_USE,
    UNIT_TYPE,
    dimension(
        "signed_date",
        "Signed",
        Kind::Day,
        "t.signed_date",
        "Day of signing.",
    ),
    dimension(
        "start_date",
        "Start",
        Kind::Day,
        "t.start_date",
        "First day of the lease.",
    ),
    dimension(
        "end_date",
        "End",
        Kind::Day,
        "t.end_date",
        "Last day of the lease's term.",
    ),
    dimension_each(
        "end_year",
        "End year",
        Kind::Number(0),
        Sql::each(
            "CAST(substr(t.end_date, 1, 4) AS BIGINT)",
            "CAST(EXTRACT(YEAR FROM t.end_date) AS BIGINT)",
        ),
        "Calendar year of the end of the term.",
    ),
    dimension(
        "move_out_date",
        "Moved out",
        Kind::Day,
        "t.move_out_date",
        "Day the tenant left early.",
    ),
    IS_MONTH_TO_MONTH,
    dimension(
        "is_renewal",
        "Renewal",
        Kind::Boolean,
        "(t.renewal_of_lease_id IS NOT NULL)",
        "Whether it renews an earlier lease.",
    ),
    dimension(
        "escalation_type",
        "Escalation",
        Kind::Text,
        "t.escalation_type",
        "none, fixed_pct or cpi.",
    ),
];

static SEGMENTS: [Segment; 3] = [
    segment(
        "in_force",
        "In force",
        "t.status = 'in_force'",
        "Leases in force on the day, one for each unit.",
    ),
    segment(
        "signed",
        "Signed",
        "NOT t.is_draft",
        "Leases that are not drafts.",
    ),
    COMMERCIAL,
];
