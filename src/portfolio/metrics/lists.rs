//! Answers in the form of tables: lease rollover by year, tenants and loans.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Datelike as _, NaiveDate};

use crate::base::error::Result;
use crate::portfolio::metrics::facts::{as_f64, hundredths};
use crate::portfolio::metrics::letting;
use crate::portfolio::metrics::loading;
use crate::portfolio::metrics::service::View;
use crate::portfolio::metrics::store;
use crate::portfolio::metrics::within::{Reach, UnitFilter, reach};
use crate::portfolio::semantic::models::{loans, rent_roll, rollover};
use finance::portfolio::calendar::{Month, Span};
use finance::portfolio::query::{Letting, Listed, Loan, Only, Rollover, Space, Tenant};

impl View {
    /// Leases in force at a month's end, grouped by currency and by the year in which they end, with
    /// holdovers first.
    pub async fn rollover(
        &mut self,
        buildings: Option<&BTreeSet<String>>,
        space: Option<Space>,
        day: NaiveDate,
    ) -> Result<Vec<Rollover>> {
        let within = reach(&self.visible, buildings);
        let at = Reach {
            org: self.org,
            buildings: &within,
        };
        let month = Month::of(day);
        let which = UnitFilter {
            space,
            only: &Only::default(),
        };
        self.uses(&[&rollover::MODEL]);
        let currencies: BTreeMap<String, String> = store::buildings(&mut self.snapshot, at)
            .await?
            .into_iter()
            .filter_map(|building| Some((building.id, building.currency?)))
            .collect();
        let mut sums: BTreeMap<(String, Option<i32>), (i64, i64, i64)> = BTreeMap::new();
        let mut totals: BTreeMap<String, (i64, i64)> = BTreeMap::new();
        for end in store::ends(&mut self.snapshot, at, Span::new(month, month), which).await? {
            let Some(currency) = currencies.get(&end.building_id) else {
                continue;
            };
            let year = (end.end_date >= day).then(|| end.end_date.year());
            let sum = sums.entry((currency.clone(), year)).or_default();
            *sum = (sum.0 + end.leases, sum.1 + end.area, sum.2 + end.rent);
            let total = totals.entry(currency.clone()).or_default();
            *total = (total.0 + end.area, total.1 + end.rent);
        }
        let row = |((currency, year), (leases, area, rent)): ((String, Option<i32>), (i64, i64, i64))| {
            let (all_area, all_rent) = totals.get(&currency).copied().unwrap_or_default();
            let share = |part: i64, of: i64| if of == 0 { 0.0 } else { as_f64(part) / as_f64(of) };
            Rollover {
                year,
                leases,
                area: as_f64(area) / 100.0,
                annual_rent: as_f64(rent * 12) / 100.0 * hundredths(&currency),
                share_of_rent: share(rent, all_rent),
                share_of_area: share(area, all_area),
                currency,
            }
        };
        Ok(sums.into_iter().map(row).collect())
    }

    /// Tenants by current rent, largest first, each with its share of the total.
    pub async fn tenants(
        &mut self,
        buildings: Option<&BTreeSet<String>>,
        (space, only): (Option<Space>, &Only),
        day: NaiveDate,
    ) -> Result<Vec<Tenant>> {
        let within = reach(&self.visible, buildings);
        let at = Reach {
            org: self.org,
            buildings: &within,
        };
        self.uses(&[&rent_roll::MODEL]);
        let rows = store::tenants(&mut self.snapshot, at, Month::of(day), UnitFilter { space, only }).await?;
        let mut totals: BTreeMap<String, i64> = BTreeMap::new();
        for row in &rows {
            *totals.entry(row.currency.clone()).or_default() += row.rent;
        }
        let tenant = |row: store::TenantRent| Tenant {
            share: match totals.get(&row.currency) {
                Some(total) if *total != 0 => as_f64(row.rent) / as_f64(*total),
                _ => 0.0,
            },
            annual_rent: as_f64(row.rent * 12) / 100.0 * hundredths(&row.currency),
            area: as_f64(row.area) / 100.0,
            leases: row.leases,
            currency: row.currency,
            name: row.name,
            id: row.tenant_id,
        };
        Ok(rows.into_iter().map(tenant).collect())
    }

    /// Units at a month's end with their leases, ordered by the end of the lease.
    pub async fn lettings(
        &mut self,
        buildings: Option<&BTreeSet<String>>,
        (space, only): (Option<Space>, &Only),
        day: NaiveDate,
        listed: Listed,
    ) -> Result<Vec<Letting>> {
        let within = reach(&self.visible, buildings);
        let at = Reach {
            org: self.org,
            buildings: &within,
        };
        self.uses(&[&rent_roll::MODEL]);
        let rows = letting::lettings(&mut self.snapshot, at, day, UnitFilter { space, only }, listed).await?;
        let unit = |row: letting::ListedUnit| {
            let money = |minor: i64| as_f64(minor) / 100.0 * hundredths(&row.currency);
            Letting {
                rent: row.rent.map(money),
                market: row.market.map(money),
                deposit: row.deposit.map(money),
                area: as_f64(row.area) / 100.0,
                building_id: row.building_id,
                unit: row.unit_number,
                unit_type: row.unit_type,
                tenant: row.tenant,
                start: row.start_date,
                end: row.end_date,
                currency: row.currency,
            }
        };
        Ok(rows.into_iter().map(unit).collect())
    }

    /// Identifiers and names of the tenants whose name starts with `name`.
    pub async fn tenants_named(&mut self, name: &str) -> Result<Vec<(String, String)>> {
        let within = self.visible.clone();
        let at = Reach {
            org: self.org,
            buildings: &within,
        };
        letting::tenants_named(&mut self.snapshot, at, name).await
    }

    /// Loans on the given day by maturity, earliest first. Each is limited to the part that visible buildings
    /// secure.
    pub async fn loans(&mut self, buildings: Option<&BTreeSet<String>>, day: NaiveDate) -> Result<Vec<Loan>> {
        let within = reach(&self.visible, buildings);
        let at = Reach {
            org: self.org,
            buildings: &within,
        };
        self.uses(&[&loans::MODEL]);
        let parts = store::loans(&mut self.snapshot, at).await?;
        let balances = loading::balances(&mut self.snapshot, at, &parts, day).await?;
        let fraction = |value: i64| as_f64(value) / 1e6;
        let loan = |part: store::LoanPart| {
            let share = fraction(part.share);
            let cents = balances.get(&part.id)? * share;
            Some(Loan {
                balance: cents.round() / 100.0 * hundredths(&part.currency),
                rate: fraction(part.interest_rate),
                amortizes: letting::amortizes(&part),
                rate_kind: part.rate_kind,
                original_principal: (as_f64(part.original_principal) * share).round() / 100.0
                    * hundredths(&part.currency),
                originated: part.origination_date,
                matures: part.maturity_date,
                min_dscr: part.min_dscr_covenant.map(fraction),
                max_ltv: part.max_ltv_covenant.map(fraction),
                prepayment: part.prepayment,
                day_count: part.day_count,
                kind: part.loan_kind,
                lender: part.lender,
                currency: part.currency,
                building_id: part.building_id,
                id: part.id,
            })
        };
        Ok(parts.into_iter().filter_map(loan).collect())
    }
}
