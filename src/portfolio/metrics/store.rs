//! Reads the sums that metrics are computed from, one statement each, by building and optionally by month.
//!
//! Only sums leave the database, so the cost does not grow with the number of units. Money is in minor units,
//! areas are in hundredths of a square foot, other decimals are in millionths. Independent of the metrics.

use chrono::NaiveDate;

use crate::base::error::Result;
use crate::base::ids::OrgId;
use crate::db::exec::Builder;
use crate::db::snapshot::Snapshot;
use crate::portfolio::metrics::within::{Reach, UnitFilter, all, within};
use crate::portfolio::model::Buildings;
use finance::portfolio::calendar::{Month, Span};
use finance::portfolio::query::{Account, Coverage, Property, Space};

/// The units of one building and one kind of space at one month's end.
#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct Roll {
    pub(super) building_id: String,
    pub(super) month: NaiveDate,
    pub(super) units: i64,
    pub(super) rentable: i64,
    pub(super) occupied: i64,
    pub(super) area: i64,
    pub(super) rentable_area: i64,
    pub(super) leased_area: i64,
    /// Monthly rent of occupied units.
    pub(super) rent: i64,
    /// Market rent of the occupied units that have one.
    pub(super) market_of_occupied: i64,
    /// Actual rent of those same units.
    pub(super) rent_with_market: i64,
    /// Market rent of rentable units.
    pub(super) market: i64,
    pub(super) rentable_with_market: i64,
}

/// The leases in force in one building that end on one day.
#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct End {
    pub(super) building_id: String,
    pub(super) month: NaiveDate,
    pub(super) end_date: NaiveDate,
    pub(super) leases: i64,
    pub(super) area: i64,
    pub(super) rent: i64,
}

/// An account of one building, for the span or for one month.
#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct Entry {
    pub(super) building_id: String,
    pub(super) month: NaiveDate,
    pub(super) account_code: String,
    pub(super) amount: i64,
    pub(super) budget: i64,
    /// The number of months with a budget, and the number of months.
    pub(super) budgeted: i64,
    pub(super) months: i64,
}

/// The months within a span for which a building has a ledger.
#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct LedgerMonths {
    pub(super) building_id: String,
    pub(super) months: i64,
    pub(super) first: NaiveDate,
    pub(super) last: NaiveDate,
}

/// The part of a loan that is allocated to one building.
#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct LoanPart {
    pub(super) id: String,
    pub(super) building_id: String,
    pub(super) share: i64,
    pub(super) lender: String,
    pub(super) loan_kind: String,
    pub(super) original_principal: i64,
    pub(super) origination_date: NaiveDate,
    pub(super) maturity_date: NaiveDate,
    pub(super) interest_rate: i64,
    pub(super) rate_kind: Option<String>,
    pub(super) io_months: Option<i64>,
    pub(super) day_count: Option<String>,
    pub(super) current_balance: i64,
    pub(super) balance_date: NaiveDate,
    pub(super) prepayment: Option<String>,
    pub(super) min_dscr_covenant: Option<i64>,
    pub(super) max_ltv_covenant: Option<i64>,
    pub(super) currency: String,
}

/// Payments made on a loan within one month.
#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct Paid {
    pub(super) loan_id: String,
    pub(super) interest: i64,
    pub(super) principal: i64,
    pub(super) ending_balance: i64,
}

#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct Valued {
    pub(super) building_id: String,
    pub(super) market_value: i64,
}

/// A count for a building.
#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct Counted {
    pub(super) building_id: String,
    pub(super) part: i64,
    pub(super) of: i64,
}

#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct TenantRent {
    pub(super) tenant_id: String,
    pub(super) name: String,
    pub(super) currency: String,
    pub(super) leases: i64,
    pub(super) area: i64,
    pub(super) rent: i64,
}

#[derive(sqlx::FromRow)]
struct BuildingRow {
    id: String,
    name: String,
    property_type: Option<String>,
    city: Option<String>,
    state: Option<String>,
    currency: Option<String>,
    year_built: Option<i64>,
    acquired_date: Option<NaiveDate>,
    purchase_price: Option<i64>,
}

impl From<BuildingRow> for Property {
    fn from(row: BuildingRow) -> Self {
        Self {
            id: row.id,
            name: row.name,
            property_type: row.property_type,
            city: row.city,
            state: row.state,
            currency: row.currency,
            year_built: row.year_built,
            acquired_date: row.acquired_date,
            purchase_price: row.purchase_price,
        }
    }
}

pub(super) async fn buildings(snapshot: &mut Snapshot, reach: Reach<'_>) -> Result<Vec<Property>> {
    let statement = snapshot
        .build(
            "SELECT id, name, property_type, city, state, currency, year_built, acquired_date, purchase_price
             FROM buildings WHERE org_id = ",
        )
        .bind(reach.org);
    let statement = match reach.buildings {
        Buildings::All => statement,
        Buildings::Only(ids) => statement.push(" AND id IN ").list(ids.iter().map(String::as_str)),
    };
    let rows: Vec<BuildingRow> = all(statement.push(" ORDER BY id")).await?;
    Ok(rows.into_iter().map(Property::from).collect())
}

pub(super) async fn accounts(snapshot: &mut Snapshot, org: OrgId) -> Result<Vec<Account>> {
    let rows: Vec<(String, String, String, bool)> = snapshot
        .exec()
        .query("SELECT code, name, category, included_in_noi FROM accounts WHERE org_id = $1 ORDER BY code")
        .bind(org)
        .all()
        .await?;
    let account = |(code, name, category, included_in_noi)| Account {
        code,
        name,
        category,
        included_in_noi,
    };
    Ok(rows.into_iter().map(account).collect())
}

pub(super) async fn coverage(snapshot: &mut Snapshot, org: OrgId) -> Result<Option<Coverage>> {
    let found: Option<(NaiveDate, NaiveDate, NaiveDate)> = snapshot
        .exec()
        .query("SELECT as_of, first_month, last_month FROM portfolio_state WHERE org_id = $1")
        .bind(org)
        .optional()
        .await?;
    Ok(found.map(|(as_of, first, last)| Coverage {
        as_of,
        roll: Span::new(Month::of(first), Month::of(last)),
    }))
}

pub(super) async fn rolls(
    snapshot: &mut Snapshot,
    reach: Reach<'_>,
    span: Span,
    which: UnitFilter<'_>,
) -> Result<Vec<Roll>> {
    let statement = snapshot
        .build(
            "SELECT m.building_id, m.month, COUNT(*) AS units,
                    COUNT(CASE WHEN m.rentable THEN 1 END) AS rentable,
                    COUNT(CASE WHEN m.occupied THEN 1 END) AS occupied,
                    CAST(COALESCE(SUM(m.area), 0) AS BIGINT) AS area,
                    CAST(COALESCE(SUM(CASE WHEN m.rentable THEN m.area END), 0) AS BIGINT) AS rentable_area,
                    CAST(COALESCE(SUM(CASE WHEN m.occupied THEN m.area END), 0) AS BIGINT) AS leased_area,
                    CAST(COALESCE(SUM(m.rent_in_effect), 0) AS BIGINT) AS rent,
                    CAST(COALESCE(SUM(CASE WHEN m.occupied THEN m.market_rent END), 0) AS BIGINT)
                        AS market_of_occupied,
                    CAST(COALESCE(SUM(CASE WHEN m.market_rent IS NOT NULL THEN m.rent_in_effect END), 0) AS BIGINT)
                        AS rent_with_market,
                    CAST(COALESCE(SUM(CASE WHEN m.rentable THEN m.market_rent END), 0) AS BIGINT) AS market,
                    COUNT(CASE WHEN m.rentable AND m.market_rent IS NOT NULL THEN 1 END) AS rentable_with_market
             FROM unit_month m WHERE m.org_id = ",
        )
        .bind(reach.org)
        .push(" AND m.month >= ")
        .bind(span.from.first_day())
        .push(" AND m.month <= ")
        .bind(span.to.first_day());
    let statement = which.of(within!(statement, reach, "m.building_id"), reach);
    all(statement.push(" GROUP BY m.building_id, m.month ORDER BY m.building_id, m.month")).await
}

pub(super) async fn ends(
    snapshot: &mut Snapshot,
    reach: Reach<'_>,
    span: Span,
    which: UnitFilter<'_>,
) -> Result<Vec<End>> {
    let statement = snapshot
        .build(
            "SELECT m.building_id, m.month, l.end_date, COUNT(DISTINCT l.id) AS leases,
                    CAST(SUM(m.area) AS BIGINT) AS area,
                    CAST(COALESCE(SUM(m.rent_in_effect), 0) AS BIGINT) AS rent
             FROM unit_month m JOIN leases l ON l.org_id = m.org_id AND l.id = m.lease_id
             WHERE m.occupied AND m.org_id = ",
        )
        .bind(reach.org)
        .push(" AND m.month >= ")
        .bind(span.from.first_day())
        .push(" AND m.month <= ")
        .bind(span.to.first_day());
    let statement = which.of(within!(statement, reach, "m.building_id"), reach);
    all(statement.push(" GROUP BY m.building_id, m.month, l.end_date")).await
}

/// Ledger amounts by month, or as the sum of the span under its first month.
pub(super) async fn ledger(
    snapshot: &mut Snapshot,
    reach: Reach<'_>,
    span: Span,
    by_month: bool,
) -> Result<Vec<Entry>> {
    let statement = snapshot.build(if by_month {
        "SELECT f.building_id, f.month, f.account_code, CAST(SUM(f.amount) AS BIGINT) AS amount,
                CAST(COALESCE(SUM(f.budget_amount), 0) AS BIGINT) AS budget,
                COUNT(f.budget_amount) AS budgeted, COUNT(*) AS months
         FROM monthly_financials f WHERE f.org_id = "
    } else {
        "SELECT f.building_id, MIN(f.month) AS month, f.account_code, CAST(SUM(f.amount) AS BIGINT) AS amount,
                CAST(COALESCE(SUM(f.budget_amount), 0) AS BIGINT) AS budget,
                COUNT(f.budget_amount) AS budgeted, COUNT(*) AS months
         FROM monthly_financials f WHERE f.org_id = "
    });
    let statement = statement
        .bind(reach.org)
        .push(" AND f.month >= ")
        .bind(span.from.first_day())
        .push(" AND f.month <= ")
        .bind(span.to.first_day());
    let statement = within!(statement, reach, "f.building_id");
    all(statement.push(if by_month {
        " GROUP BY f.building_id, f.month, f.account_code"
    } else {
        " GROUP BY f.building_id, f.account_code"
    }))
    .await
}

pub(super) async fn kept(snapshot: &mut Snapshot, reach: Reach<'_>, span: Span) -> Result<Vec<LedgerMonths>> {
    let statement = snapshot
        .build(
            "SELECT f.building_id, COUNT(DISTINCT f.month) AS months, MIN(f.month) AS first, MAX(f.month) AS last
             FROM monthly_financials f WHERE f.org_id = ",
        )
        .bind(reach.org)
        .push(" AND f.month >= ")
        .bind(span.from.first_day())
        .push(" AND f.month <= ")
        .bind(span.to.first_day());
    let statement = within!(statement, reach, "f.building_id");
    all(statement.push(" GROUP BY f.building_id")).await
}

pub(super) async fn loans(snapshot: &mut Snapshot, reach: Reach<'_>) -> Result<Vec<LoanPart>> {
    let statement = snapshot
        .build(
            "SELECT l.id, b.building_id, b.share, l.lender, l.loan_kind, l.original_principal, l.origination_date,
                    l.maturity_date, l.interest_rate, l.rate_kind, l.io_months, l.day_count, l.current_balance,
                    l.balance_date, l.prepayment, l.min_dscr_covenant, l.max_ltv_covenant, l.currency
             FROM loan_buildings b JOIN loans l ON l.org_id = b.org_id AND l.id = b.loan_id
             WHERE b.org_id = ",
        )
        .bind(reach.org);
    let statement = within!(statement, reach, "b.building_id");
    all(statement.push(" ORDER BY l.maturity_date, l.id, b.building_id")).await
}

/// Payments on the loans that these buildings secure.
pub(super) async fn payments(
    snapshot: &mut Snapshot,
    reach: Reach<'_>,
    from: NaiveDate,
    to: NaiveDate,
) -> Result<Vec<Paid>> {
    let statement = snapshot
        .build(
            "SELECT p.loan_id, p.interest, p.principal, p.ending_balance
             FROM loan_payments p WHERE p.org_id = ",
        )
        .bind(reach.org)
        .push(" AND p.payment_date >= ")
        .bind(from)
        .push(" AND p.payment_date <= ")
        .bind(to)
        .push(" AND p.loan_id IN (SELECT b.loan_id FROM loan_buildings b WHERE b.org_id = ")
        .bind(reach.org);
    let statement = within!(statement, reach, "b.building_id");
    all(statement.push(") ORDER BY p.loan_id, p.payment_date")).await
}

/// Valuations up to a day, oldest first.
pub(super) async fn valuations(
    snapshot: &mut Snapshot,
    reach: Reach<'_>,
    day: NaiveDate,
) -> Result<Vec<Valued>> {
    let statement = snapshot
        .build("SELECT v.building_id, v.market_value FROM valuations v WHERE v.org_id = ")
        .bind(reach.org)
        .push(" AND v.valuation_date <= ")
        .bind(day);
    let statement = within!(statement, reach, "v.building_id");
    all(statement.push(" ORDER BY v.building_id, v.valuation_date")).await
}

fn of_lease_space(statement: Builder<'_>, space: Option<Space>) -> Builder<'_> {
    match space {
        None => statement,
        Some(Space::Residential) => statement.push(" AND u.unit_use = 'residential'"),
        Some(Space::Commercial) => statement.push(" AND u.unit_use <> 'residential'"),
    }
}

/// Leases signed by the given day that start after it.
pub(super) async fn future(
    snapshot: &mut Snapshot,
    reach: Reach<'_>,
    day: NaiveDate,
    space: Option<Space>,
) -> Result<Vec<Counted>> {
    let statement = snapshot
        .build(
            "SELECT l.building_id, COUNT(*) AS part, COUNT(*) AS of
             FROM leases l JOIN units u ON u.org_id = l.org_id AND u.id = l.unit_id
             WHERE NOT l.is_draft AND l.org_id = ",
        )
        .bind(reach.org)
        .push(" AND l.start_date > ")
        .bind(day)
        .push(" AND (l.signed_date IS NULL OR l.signed_date <= ")
        .bind(day)
        .push(")");
    let statement = of_lease_space(within!(statement, reach, "l.building_id"), space);
    all(statement.push(" GROUP BY l.building_id")).await
}

/// Units with more than one signed lease on the given day.
pub(super) async fn overlapping(
    snapshot: &mut Snapshot,
    reach: Reach<'_>,
    day: NaiveDate,
    space: Option<Space>,
) -> Result<Vec<Counted>> {
    let statement = snapshot
        .build(
            "SELECT o.building_id, COUNT(*) AS part, COUNT(*) AS of FROM (
                 SELECT l.building_id, COALESCE(p.unit_id, l.unit_id) AS unit
                 FROM leases l JOIN units u ON u.org_id = l.org_id AND u.id = l.unit_id
                 LEFT JOIN lease_units p ON p.org_id = l.org_id AND p.lease_id = l.id
                 WHERE NOT l.is_draft AND l.org_id = ",
        )
        .bind(reach.org)
        .push(" AND l.start_date <= ")
        .bind(day)
        .push(" AND l.effective_end >= ")
        .bind(day);
    let statement = of_lease_space(within!(statement, reach, "l.building_id"), space);
    all(statement.push(
        " GROUP BY l.building_id, COALESCE(p.unit_id, l.unit_id) HAVING COUNT(*) > 1) o GROUP BY o.building_id",
    ))
    .await
}

/// Of the leases whose term ended within the window, those that another lease renews.
pub(super) async fn renewed(
    snapshot: &mut Snapshot,
    reach: Reach<'_>,
    (from, to): (NaiveDate, NaiveDate),
    space: Option<Space>,
) -> Result<Vec<Counted>> {
    let statement = snapshot
        .build(
            "SELECT l.building_id, COUNT(CASE WHEN r.renewed IS NOT NULL THEN 1 END) AS part, COUNT(*) AS of
             FROM leases l JOIN units u ON u.org_id = l.org_id AND u.id = l.unit_id
             LEFT JOIN (SELECT DISTINCT org_id, renewal_of_lease_id AS renewed FROM leases
                        WHERE NOT is_draft AND renewal_of_lease_id IS NOT NULL) r
                 ON r.org_id = l.org_id AND r.renewed = l.id
             WHERE NOT l.is_draft AND NOT l.month_to_month AND l.move_out_date IS NULL AND l.org_id = ",
        )
        .bind(reach.org)
        .push(" AND l.end_date >= ")
        .bind(from)
        .push(" AND l.end_date <= ")
        .bind(to);
    let statement = of_lease_space(within!(statement, reach, "l.building_id"), space);
    all(statement.push(" GROUP BY l.building_id")).await
}

/// Current rent by tenant at a month's end, largest first.
pub(super) async fn tenants(
    snapshot: &mut Snapshot,
    reach: Reach<'_>,
    month: Month,
    which: UnitFilter<'_>,
) -> Result<Vec<TenantRent>> {
    let statement = snapshot
        .build(
            "SELECT t.id AS tenant_id, t.name, m.currency, COUNT(DISTINCT m.lease_id) AS leases,
                    CAST(SUM(m.area) AS BIGINT) AS area, CAST(COALESCE(SUM(m.rent_in_effect), 0) AS BIGINT) AS rent
             FROM unit_month m JOIN tenants t ON t.org_id = m.org_id AND t.id = m.tenant_id
             WHERE m.occupied AND m.org_id = ",
        )
        .bind(reach.org)
        .push(" AND m.month = ")
        .bind(month.first_day());
    let statement = which.of(within!(statement, reach, "m.building_id"), reach);
    all(statement.push(" GROUP BY t.id, t.name, m.currency ORDER BY rent DESC, t.id")).await
}
