//! The lease in force in each unit on a day and the rent due, shared by `rent_roll` and `rollover`.
//!
//! A lease is in force if it is signed, has started and has not ended. If a unit has several (an early
//! renewal overlaps the lease it renews), the latest start counts, then the highest identifier.

use crate::portfolio::semantic::model::{Piece, base, each, sql};

/// One row for each unit with a lease in force, named `f` in the following pieces. It is materialized,
/// because a planner that expects few rows would compute it again for every unit it is joined to.
pub static IN_FORCE: &[Piece] = &[
    sql(
        "WITH f AS MATERIALIZED (SELECT * FROM (SELECT l.id AS lease_id, l.tenant_id, l.lease_type, \
         l.start_date, l.end_date, l.month_to_month, l.first_break_date, l.security_deposit, \
         COALESCE(p.building_id, l.building_id) AS building_id, COALESCE(p.unit_id, l.unit_id) AS unit_id, \
         COALESCE(p.area, l.area) AS area, COALESCE(p.rent_share, 1000000) AS rent_share, l.currency, \
         CASE WHEN l.month_to_month THEN 0 ELSE ",
    ),
    each(
        "CAST(julianday(l.end_date) - julianday(",
        "CAST(l.end_date - CAST(",
    ),
    Piece::AsOf,
    each(") AS BIGINT)", " AS DATE) AS BIGINT)"),
    sql(" END AS remaining_days, (SELECT s.monthly_rent FROM "),
    base("lease_rent_steps", "s"),
    sql(" WHERE s.lease_id = l.id AND s.effective_date <= "),
    Piece::AsOf,
    sql(" ORDER BY s.effective_date DESC LIMIT 1) AS lease_rent, \
         ROW_NUMBER() OVER (PARTITION BY COALESCE(p.unit_id, l.unit_id) ORDER BY l.start_date DESC, "),
    each("l.id", "l.id COLLATE \"C\""),
    sql(" DESC) AS nth FROM "),
    base("leases", "l"),
    sql(" LEFT JOIN "),
    base("lease_units", "p"),
    sql(" ON p.lease_id = l.id WHERE NOT l.is_draft AND l.start_date <= "),
    Piece::AsOf,
    sql(" AND l.effective_end >= "),
    Piece::AsOf,
    sql(") AS every WHERE nth = 1) "),
];

/// The unit's share of its lease's rent; the full rent if the lease covers one unit.
pub const RENT: &str = "CASE WHEN f.rent_share = 1000000 THEN f.lease_rent \
                        ELSE (f.lease_rent * f.rent_share + 500000) / 1000000 END";
