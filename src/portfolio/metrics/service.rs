//! Computes portfolio metrics for the buildings that a caller may see.
//!
//! Every read is limited to the organization and the visible buildings; an empty set sees nothing. A view
//! reads from a single snapshot, so a concurrent import does not affect it. Amounts in different currencies
//! are never added up: each currency gets its own part.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::base::error::Result;
use crate::base::ids::OrgId;
use crate::db::pool::Db;
use crate::db::snapshot::Snapshot;
use crate::portfolio::metrics::buckets::{bucket_key, bucket_label, buckets};
use crate::portfolio::metrics::chart::{self, Role};
use crate::portfolio::metrics::facts::{Facts, Params, as_f64, in_units_of};
use crate::portfolio::metrics::letting;
use crate::portfolio::metrics::loading;
use crate::portfolio::metrics::scope::Scope;
use crate::portfolio::metrics::store;
use crate::portfolio::metrics::within::{Reach, UnitFilter, reach};
use crate::portfolio::model::Buildings;
use crate::portfolio::semantic::model::Model;
use crate::portfolio::semantic::models::{
    buildings, debt_service, financials, leases, loans, occupancy, rent_roll, valuations,
};
use finance::portfolio::calendar::{Month, Span, day_words};
use finance::portfolio::metric::{Metric, Needs, Tense};
use finance::portfolio::query::{
    Account, Catalog, Coverage, DataModel, Measure, Part, Point, Query, Split, Term, Time,
};

/// Statement timeout.
const PATIENCE: Duration = Duration::from_secs(15);

/// The read-only metrics service.
#[derive(Clone)]
pub struct Metrics {
    db: Db,
}

impl Metrics {
    pub fn new(db: Db) -> Self {
        Self { db }
    }

    /// Opens a view of the current data. End it soon, because it holds a database connection.
    pub async fn view(&self, org: OrgId, visible: Buildings) -> Result<View> {
        Ok(View {
            snapshot: self.db.begin_snapshot(PATIENCE).await?,
            org,
            visible,
            used: BTreeMap::new(),
        })
    }
}

/// A snapshot of the portfolio, limited to the visible buildings.
pub struct View {
    pub(super) snapshot: Snapshot,
    pub(super) org: OrgId,
    pub(super) visible: Buildings,
    /// Titles of the data models read so far, by name.
    used: BTreeMap<&'static str, &'static str>,
}

impl View {
    /// Releases the connection.
    pub async fn end(self) -> Result<()> {
        Ok(self.snapshot.end().await?)
    }

    /// The visible buildings, the accounts, and the period that the data covers.
    pub async fn catalog(&mut self) -> Result<Catalog> {
        let at = Reach {
            org: self.org,
            buildings: &self.visible,
        };
        Ok(Catalog {
            buildings: store::buildings(&mut self.snapshot, at).await?,
            accounts: store::accounts(&mut self.snapshot, self.org).await?,
            kinds: letting::kinds(&mut self.snapshot, at).await?,
            coverage: store::coverage(&mut self.snapshot, self.org).await?,
        })
    }

    /// The data models that figures have been taken from so far.
    pub fn used(&self) -> Vec<DataModel> {
        let models = self.used.iter();
        models.map(|(name, title)| DataModel { name, title }).collect()
    }

    pub(super) fn uses(&mut self, models: &[&'static Model]) {
        self.used
            .extend(models.iter().map(|model| (model.name, model.title)));
    }

    /// Computes a metric. If that is impossible, `undefined` gives the reason.
    pub async fn measure(&mut self, query: &Query) -> Result<Measure> {
        let measure = self.computed(query).await?;
        if measure.whole.is_some() || !measure.parts.is_empty() {
            self.uses(&models(query.metric));
        }
        Ok(measure)
    }

    async fn computed(&mut self, query: &Query) -> Result<Measure> {
        let buildings = reach(&self.visible, query.buildings.as_ref());
        let at = Reach {
            org: self.org,
            buildings: &buildings,
        };
        let Some(coverage) = store::coverage(&mut self.snapshot, self.org).await? else {
            return Ok(undefined("no portfolio data was imported yet"));
        };
        let properties = store::buildings(&mut self.snapshot, at).await?;
        if properties.is_empty() {
            return Ok(undefined("there is no property among those you can see"));
        }
        if let Some(why) = outside_data(query, coverage) {
            return Ok(undefined(why));
        }
        if let Some(why) = unsupported(query) {
            return Ok(undefined(why));
        }
        if query.metric == Metric::TopTenantShare {
            return self.largest_tenant(at, query).await;
        }
        let accounts = if query.metric.needs().ledger {
            store::accounts(&mut self.snapshot, self.org).await?
        } else {
            Vec::new()
        };
        let scope = Scope::new(at, &properties, &accounts);
        // Point-in-time figures are read once per day; other splits by time take one statement.
        let needs = query.metric.needs();
        match query.split {
            Some(Split::UnitType | Split::Industry | Split::LeaseType) => {
                self.kind_by_kind(&scope, query).await
            }
            Some(split)
                if split.is_time()
                    && (query.metric.tense() == Tense::Both
                        || needs.loans
                        || needs.values
                        || needs.counts) =>
            {
                self.day_by_day(&scope, query, split).await
            }
            _ => self.at_once(&scope, query).await,
        }
    }

    async fn at_once(&mut self, scope: &Scope<'_>, query: &Query) -> Result<Measure> {
        let mut measure = Measure::default();
        if query.metric.needs().ledger {
            let Time::Span(span) = query.time else {
                return Ok(undefined("it needs a period of months"));
            };
            match loading::ledger_gaps(&mut self.snapshot, scope, span).await? {
                Ok(warnings) => measure.warnings = warnings,
                Err(why) => return Ok(undefined(why)),
            }
        }
        let facts = loading::load(&mut self.snapshot, scope, query).await?;
        let currencies = scope.currencies();
        let account = query.account.as_deref();
        let factor = match query.time {
            Time::Span(span) if query.annualized => 12.0 / f64::from(span.months()),
            _ => 1.0,
        };
        let mixed = currencies.len() > 1 && touches_money(query.metric);
        let asked = Params {
            metric: query.metric,
            day: query.time.day(),
            window: query.window,
            account,
            levered: query.levered,
            factor,
            currency: currencies.iter().next().map_or("", String::as_str),
        };
        let over_time = query.split.is_some_and(Split::is_time);
        if over_time {
            measure.parts = if mixed {
                Vec::new()
            } else {
                by_time(query, &facts, &asked)
            };
        } else if query.split.is_some() || mixed {
            let parts = match query.split {
                Some(Split::Account | Split::Lender) if mixed => BTreeMap::new(),
                Some(Split::Account) => {
                    measure.parts = by_account(scope, &facts, &asked);
                    BTreeMap::new()
                }
                Some(Split::Lender) => facts.by_lender(),
                split => facts.sorted(|building, _| scope.part(building, split, mixed)),
            };
            for (place, facts) in parts {
                let currency = place.currency.as_deref().unwrap_or(asked.currency);
                if let Ok(point) = facts.measure(&Params { currency, ..asked }) {
                    measure.parts.push(Part {
                        key: place.key,
                        label: place.label,
                        point,
                    });
                }
            }
        }
        if mixed {
            let list = currencies
                .iter()
                .map(String::as_str)
                .collect::<Vec<_>>()
                .join(" and ");
            measure.warnings.push(format!(
                "These properties are kept in {list}: amounts of different currencies are not added up."
            ));
            return Ok(measure);
        }
        let last = if over_time && query.metric.tense() == Tense::Day {
            facts.of_month(Month::of(query.time.day()))
        } else {
            facts
        };
        match last.measure(&asked) {
            Ok(point) => measure.whole = Some(point),
            Err(why) => measure.undefined = Some(why.to_owned()),
        }
        Ok(measure)
    }

    async fn kind_by_kind(&mut self, scope: &Scope<'_>, query: &Query) -> Result<Measure> {
        let all = Query {
            split: None,
            ..query.clone()
        };
        let mut measure = self.at_once(scope, &all).await?;
        let kinds = match query.split {
            Some(Split::Industry) => letting::kinds(&mut self.snapshot, scope.at).await?.industries,
            Some(Split::LeaseType) => letting::kinds(&mut self.snapshot, scope.at).await?.lease_types,
            _ => letting::unit_types(&mut self.snapshot, scope.at).await?,
        };
        for kind in kinds {
            let mut one = all.clone();
            let own = match query.split {
                Some(Split::Industry) => &mut one.only.industry,
                Some(Split::LeaseType) => &mut one.only.lease_type,
                _ => &mut one.only.unit_type,
            };
            // A filter for another kind excludes this one.
            if own.as_ref().is_some_and(|known| *known != kind) {
                continue;
            }
            *own = Some(kind.clone());
            if let Some(point) = self.at_once(scope, &one).await?.whole {
                measure.parts.push(Part {
                    label: kind.replace('_', " "),
                    key: kind,
                    point,
                });
            }
        }
        Ok(measure)
    }

    async fn day_by_day(&mut self, scope: &Scope<'_>, query: &Query, split: Split) -> Result<Measure> {
        let Time::Span(span) = query.time else {
            return Ok(undefined("it needs a period of months"));
        };
        let all = Query {
            split: None,
            ..query.clone()
        };
        let mut measure = self.at_once(scope, &all).await?;
        for bucket in buckets(span, split) {
            let one = Query {
                split: None,
                time: match query.metric.tense() {
                    Tense::Day => Time::Day(bucket.to.last_day()),
                    Tense::Span | Tense::Both => Time::Span(bucket),
                },
                ..query.clone()
            };
            let found = self.at_once(scope, &one).await?;
            if let Some(point) = found.whole {
                measure.parts.push(Part {
                    key: bucket_key(bucket, split),
                    label: bucket_label(bucket, split),
                    point,
                });
            }
        }
        Ok(measure)
    }

    async fn largest_tenant(&mut self, at: Reach<'_>, query: &Query) -> Result<Measure> {
        let which = UnitFilter {
            space: query.space,
            only: &query.only,
        };
        let rows = store::tenants(&mut self.snapshot, at, Month::of(query.time.day()), which).await?;
        let currencies: BTreeSet<&str> = rows.iter().map(|row| row.currency.as_str()).collect();
        if currencies.len() > 1 {
            return Ok(undefined("these rents are in different currencies"));
        }
        let total = as_f64(rows.iter().map(|row| row.rent).sum()) * 12.0 / 100.0;
        let Some(largest) = rows.first().filter(|_| total > 0.0) else {
            return Ok(undefined("no lease is in force"));
        };
        let rent = as_f64(largest.rent) * 12.0 / 100.0;
        let term = |name, value| Term {
            name,
            value,
            unit: largest.currency.clone(),
        };
        let point = Point {
            value: rent / total,
            unit: "percent".to_owned(),
            inputs: vec![
                term("annual_rent_of_tenant", rent),
                term("annual_inplace_rent", total),
            ],
        };
        Ok(Measure {
            whole: Some(in_units_of(point, query.metric.unit(), &largest.currency)),
            ..Measure::default()
        })
    }
}

/// One part for each account that the metric adds up.
fn by_account(scope: &Scope<'_>, facts: &Facts, asked: &Params<'_>) -> Vec<Part> {
    let against = matches!(
        asked.metric,
        Metric::NoiVsBudget | Metric::EgiVsBudget | Metric::OpexVsBudget
    );
    let part = |account: &Account| {
        let role = chart::role(account);
        let counts = match asked.metric {
            Metric::Egi | Metric::EgiVsBudget => role.is_revenue(),
            Metric::Opex | Metric::OpexVsBudget => role == Role::Expense,
            Metric::Capex => role == Role::Capital,
            Metric::DebtService => role == Role::DebtService,
            Metric::Noi | Metric::NoiVsBudget => role.is_revenue() || role == Role::Expense,
            _ => false,
        };
        if !counts || !facts.ledger.iter().any(|row| row.code == account.code) {
            return None;
        }
        let one = Params {
            metric: if against {
                Metric::AccountVsBudget
            } else {
                Metric::Account
            },
            account: Some(&account.code),
            ..*asked
        };
        Some(Part {
            key: account.code.clone(),
            label: account.name.clone(),
            point: facts.measure(&one).ok()?,
        })
    };
    scope.accounts.iter().filter_map(part).collect()
}

/// The reason why a metric cannot be filtered or split as requested, if any.
fn unsupported(query: &Query) -> Option<&'static str> {
    let needs = query.metric.needs();
    let of_roll = (needs.roll && !needs.ledger || needs.ends || query.metric == Metric::Deposits)
        && query.metric != Metric::TopTenantShare;
    let of_loans = needs.loans && !needs.ledger && !needs.values;
    let of_ledger = needs.ledger && !needs.roll && !needs.loans && !needs.values;
    let by_company =
        query.only.is_of_companies() || matches!(query.split, Some(Split::Industry | Split::LeaseType));
    if by_company && of_roll && !query.metric.is_of_lets() {
        return Some("empty space has no tenant and no lease");
    }
    if query.only.is_of_units() && !of_roll {
        Some("it is not kept for single units or tenants")
    } else if query.only.is_of_loans() && !of_loans {
        Some("it is not kept for some of the loans alone")
    } else {
        match query.split {
            Some(Split::UnitType) if !of_roll => Some("it is not kept by unit type"),
            Some(Split::Industry | Split::LeaseType) if !of_roll => {
                Some("it is not kept by kinds of lease or tenant")
            }
            Some(Split::Account) if !of_ledger => Some("it is not made of accounts"),
            Some(Split::Lender) if !of_loans => Some("it is not kept by lender"),
            _ => None,
        }
    }
}

/// The data models that describe the input of a metric.
fn models(metric: Metric) -> Vec<&'static Model> {
    let Needs {
        roll,
        ends,
        ledger,
        loans: owed,
        payments,
        values,
        counts,
        prices,
    } = metric.needs();
    let read: [(bool, &'static Model); 8] = [
        (metric == Metric::Buildings || prices, &buildings::MODEL),
        (roll, &occupancy::MODEL),
        (ends || metric == Metric::TopTenantShare, &rent_roll::MODEL),
        (counts, &leases::MODEL),
        (ledger, &financials::MODEL),
        (owed, &loans::MODEL),
        (payments, &debt_service::MODEL),
        (values, &valuations::MODEL),
    ];
    let read = read.into_iter().filter(|(is_read, _)| *is_read);
    read.map(|(_, model)| model).collect()
}

/// Groups months into buckets: point-in-time metrics use the last month of each bucket, sums use all of its
/// months.
fn by_time(query: &Query, facts: &Facts, asked: &Params<'_>) -> Vec<Part> {
    let (Time::Span(span), Some(split)) = (query.time, query.split) else {
        return Vec::new();
    };
    let part = |bucket: Span| {
        let of_bucket = if query.metric.tense() == Tense::Day {
            facts.of_month(bucket.to)
        } else {
            facts.of_months(|month| bucket.from <= month && month <= bucket.to)
        };
        let day = bucket.to.last_day();
        let point = of_bucket.measure(&Params { day, ..*asked }).ok()?;
        Some(Part {
            key: bucket_key(bucket, split),
            label: bucket_label(bucket, split),
            point,
        })
    };
    buckets(span, split).into_iter().filter_map(part).collect()
}

fn undefined(why: impl Into<String>) -> Measure {
    Measure {
        undefined: Some(why.into()),
        ..Measure::default()
    }
}

/// Whether the metric would mix amounts of several currencies.
const fn touches_money(metric: Metric) -> bool {
    let needs = metric.needs();
    needs.ledger
        || needs.loans
        || needs.values
        || needs.prices
        || metric.unit().is_money()
        || matches!(
            metric,
            Metric::WaltByRent | Metric::RolloverShareOfRent | Metric::LossToLeaseShare
        )
}

/// The reason why the requested time is outside the data, if it is.
fn outside_data(query: &Query, coverage: Coverage) -> Option<String> {
    let day = query.time.day();
    // For a month that has not ended, the data is as of a day within it.
    if Month::of(day) > Month::of(coverage.as_of) {
        return Some(format!(
            "the data ends with {}",
            Month::of(coverage.as_of).words()
        ));
    }
    let needs = query.metric.needs();
    if !(needs.roll || needs.ends || matches!(query.metric, Metric::TopTenantShare | Metric::Deposits)) {
        return None;
    }
    let month = Month::of(day);
    if day != month.last_day() && day != coverage.as_of {
        return Some(format!(
            "the rent roll is kept at the ends of months, not for {}",
            day_words(day)
        ));
    }
    let first = match query.time {
        Time::Span(span) if query.split.is_some_and(Split::is_time) => span.from,
        _ => month,
    };
    (first < coverage.roll.from || month > coverage.roll.to).then(|| {
        format!(
            "the rent roll is known from {} to {}",
            coverage.roll.from.words(),
            coverage.roll.to.words()
        )
    })
}
