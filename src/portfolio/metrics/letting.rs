//! Lists of single units with the lease in force at a month's end, and the filters that narrow a metric to
//! some units.
//!
//! Only lists read individual rows; metrics read sums. Independent of the metrics.

use chrono::{Months, NaiveDate};

use crate::base::error::Result;
use crate::db::snapshot::Snapshot;
use crate::portfolio::metrics::store::{Counted, LoanPart};
use crate::portfolio::metrics::within::{Reach, UnitFilter, all, within};
use crate::portfolio::model::Buildings;
use finance::portfolio::calendar::Month;
use finance::portfolio::query::{Kinds, Listed, Only};
use tables::letters::name_key;

/// Maximum number of rows in a list.
const MAX_ROWS: i64 = 2000;
/// Maximum number of names that are compared with one that is not in ASCII.
const MAX_NAMES: i64 = 100_000;

/// Whether a loan passes the filter on the given day.
pub(super) fn counts(only: &Only, loan: &LoanPart, day: NaiveDate) -> bool {
    // A loan with an unknown kind of rate matches no kind.
    let kind = loan.rate_kind.as_deref();
    let fits = |wanted: bool| kind.is_some_and(|kind| (kind == "fixed") == wanted);
    let lent = only.lender.as_ref().is_none_or(|lender| *lender == loan.lender);
    let of_kind = only.loan_kind.as_ref().is_none_or(|kind| *kind == loan.loan_kind);
    only.fixed.is_none_or(fits) && (!only.interest_only || day < amortizes(loan)) && lent && of_kind
}

/// The first day on which a loan repays principal.
pub(super) fn amortizes(loan: &LoanPart) -> NaiveDate {
    let months = u32::try_from(loan.io_months.unwrap_or(0)).unwrap_or(0);
    loan.origination_date
        .checked_add_months(Months::new(months))
        .unwrap_or(loan.origination_date)
}

#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct ListedUnit {
    pub(super) building_id: String,
    pub(super) unit_number: String,
    pub(super) unit_type: Option<String>,
    pub(super) area: i64,
    pub(super) tenant: Option<String>,
    pub(super) start_date: Option<NaiveDate>,
    pub(super) end_date: Option<NaiveDate>,
    pub(super) rent: Option<i64>,
    pub(super) market: Option<i64>,
    pub(super) deposit: Option<i64>,
    pub(super) currency: String,
}

/// Units at a month's end, ordered by the end of their lease.
pub(super) async fn lettings(
    snapshot: &mut Snapshot,
    reach: Reach<'_>,
    day: NaiveDate,
    which: UnitFilter<'_>,
    listed: Listed,
) -> Result<Vec<ListedUnit>> {
    let statement = snapshot
        .build(
            "SELECT m.building_id, u.unit_number, u.unit_type, m.area, t.name AS tenant, l.start_date, l.end_date,
                    m.rent_in_effect AS rent, m.market_rent AS market, l.security_deposit AS deposit, m.currency
             FROM unit_month m JOIN units u ON u.org_id = m.org_id AND u.id = m.unit_id
             LEFT JOIN leases l ON l.org_id = m.org_id AND l.id = m.lease_id
             LEFT JOIN tenants t ON t.org_id = m.org_id AND t.id = m.tenant_id
             WHERE m.org_id = ",
        )
        .bind(reach.org)
        .push(" AND m.month = ")
        .bind(Month::of(day).first_day());
    let statement = which.of(within!(statement, reach, "m.building_id"), reach);
    let statement = match listed {
        Listed::Vacant => statement.push(" AND m.rentable AND NOT m.occupied"),
        Listed::Leased => statement.push(" AND m.occupied"),
        Listed::Holdover => statement.push(" AND m.occupied AND l.end_date < ").bind(day),
        Listed::NonRevenue => statement.push(" AND NOT m.rentable"),
        Listed::Ending(window) => statement
            .push(" AND m.occupied AND l.end_date >= ")
            .bind(window.from)
            .push(" AND l.end_date <= ")
            .bind(window.to),
        Listed::All => statement,
    };
    all(statement
        .push(" ORDER BY l.end_date, m.building_id, u.unit_number")
        .limit(MAX_ROWS))
    .await
}

/// Security deposits of the leases in force at a month's end, counting each lease once.
pub(super) async fn deposits(
    snapshot: &mut Snapshot,
    reach: Reach<'_>,
    day: NaiveDate,
    which: UnitFilter<'_>,
) -> Result<Vec<Counted>> {
    let statement = snapshot
        .build(
            "SELECT d.building_id, CAST(COALESCE(SUM(d.deposit), 0) AS BIGINT) AS part, COUNT(*) AS of FROM (
                 SELECT DISTINCT m.building_id, l.id, l.security_deposit AS deposit
                 FROM unit_month m JOIN leases l ON l.org_id = m.org_id AND l.id = m.lease_id
                 WHERE m.occupied AND m.org_id = ",
        )
        .bind(reach.org)
        .push(" AND m.month = ")
        .bind(Month::of(day).first_day());
    let statement = which.of(within!(statement, reach, "m.building_id"), reach);
    all(statement.push(") d GROUP BY d.building_id")).await
}

/// The unit types that occur.
pub(super) async fn unit_types(snapshot: &mut Snapshot, reach: Reach<'_>) -> Result<Vec<String>> {
    let statement = snapshot
        .build("SELECT DISTINCT u.unit_type FROM units u WHERE u.unit_type IS NOT NULL AND u.org_id = ")
        .bind(reach.org);
    let rows: Vec<(String,)> =
        all(within!(statement, reach, "u.building_id").push(" ORDER BY u.unit_type LIMIT 40")).await?;
    Ok(rows.into_iter().map(|(kind,)| kind).collect())
}

/// The kinds of lease, tenant industries and lenders that occur.
pub(super) async fn kinds(snapshot: &mut Snapshot, reach: Reach<'_>) -> Result<Kinds> {
    let words = |rows: Vec<(String,)>| rows.into_iter().map(|(word,)| word).collect();
    let statement = snapshot
        .build("SELECT DISTINCT l.lease_type FROM leases l WHERE l.lease_type IS NOT NULL AND l.org_id = ")
        .bind(reach.org);
    let lease_types = all(within!(statement, reach, "l.building_id").push(" ORDER BY 1 LIMIT 40")).await?;
    let statement = snapshot
        .build("SELECT DISTINCT t.industry FROM tenants t WHERE t.industry IS NOT NULL AND t.org_id = ")
        .bind(reach.org)
        .push(" AND t.id IN (SELECT l.tenant_id FROM leases l WHERE l.org_id = ")
        .bind(reach.org);
    let industries = all(within!(statement, reach, "l.building_id").push(") ORDER BY 1 LIMIT 100")).await?;
    let statement = snapshot
        .build(
            "SELECT DISTINCT n.lender FROM loans n
             JOIN loan_buildings b ON b.org_id = n.org_id AND b.loan_id = n.id WHERE n.org_id = ",
        )
        .bind(reach.org);
    let lenders = all(within!(statement, reach, "b.building_id").push(" ORDER BY 1 LIMIT 100")).await?;
    Ok(Kinds {
        lease_types: words(lease_types),
        industries: words(industries),
        lenders: words(lenders),
    })
}

/// Tenants of these buildings whose name is or starts with `name`. Case and the form of letters do not matter.
pub(super) async fn tenants_named(
    snapshot: &mut Snapshot,
    reach: Reach<'_>,
    name: &str,
) -> Result<Vec<(String, String)>> {
    let key = name_key(name);
    // SQLite folds ASCII letters only, and neither database composes letters. So a name is narrowed by what it begins
    // with in ASCII, and compared here. A letter may go on with an accent, which is no part of the key's beginning.
    let ascii: String = key.chars().take_while(char::is_ascii).collect();
    let others = ascii.len() < key.len();
    let begins = ascii.replace(['%', '_', '\\'], "") + "%";
    let mut statement = snapshot
        .build("SELECT t.id, t.name FROM tenants t WHERE t.org_id = ")
        .bind(reach.org)
        .push(" AND LOWER(t.name) LIKE ")
        .bind(begins);
    if others {
        statement = statement.push(" AND OCTET_LENGTH(t.name) <> LENGTH(t.name)");
    }
    let statement = statement
        .push(" AND t.id IN (SELECT l.tenant_id FROM leases l WHERE l.org_id = ")
        .bind(reach.org);
    let statement = within!(statement, reach, "l.building_id").push(") ORDER BY t.name, t.id");
    if !others {
        return all(statement.push(" LIMIT 20")).await;
    }
    let mut found: Vec<(String, String)> = all(statement.limit(MAX_NAMES)).await?;
    found.retain(|(_, name)| name_key(name).starts_with(&key));
    found.truncate(20);
    Ok(found)
}
