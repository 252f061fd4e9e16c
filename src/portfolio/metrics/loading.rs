//! Reads the data that a metric needs for a scope, and reports gaps in the ledger. Independent of the
//! formulas.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use crate::base::error::Result;
use crate::db::snapshot::Snapshot;
use crate::portfolio::metrics::chart;
use crate::portfolio::metrics::facts::{BuildingValue, Facts, LoanBalance, Posted, as_f64};
use crate::portfolio::metrics::letting;
use crate::portfolio::metrics::scope::Scope;
use crate::portfolio::metrics::store::{self, LoanPart};
use crate::portfolio::metrics::within::{Reach, UnitFilter};
use finance::portfolio::calendar::{Month, Span};
use finance::portfolio::metric::Metric;
use finance::portfolio::query::{Only, Property, Query, Split, Time};

/// Maximum number of buildings that a warning names.
const NAMED: usize = 5;

pub(super) async fn load(snapshot: &mut Snapshot, scope: &Scope<'_>, query: &Query) -> Result<Facts> {
    let at = scope.at;
    let needs = query.metric.needs();
    let day = query.time.day();
    let month = Month::of(day);
    let by_time = query.split.is_some_and(Split::is_time);
    let months = match query.time {
        Time::Span(span) if by_time => span,
        _ => Span::new(month, month),
    };
    let which = UnitFilter {
        space: query.space,
        only: &query.only,
    };
    let mut facts = Facts {
        buildings: scope
            .properties
            .iter()
            .map(|building| building.id.clone())
            .collect(),
        ..Facts::default()
    };
    if needs.roll {
        facts.rolls = store::rolls(snapshot, at, months, which).await?;
    }
    if needs.ends {
        facts.ends = store::ends(snapshot, at, months, which).await?;
    }
    if needs.ledger
        && let Time::Span(span) = query.time
    {
        facts.ledger = posted(snapshot, scope, span, by_time).await?;
    }
    if needs.loans {
        let span = match query.time {
            Time::Span(span) if needs.payments => Some(span),
            _ => None,
        };
        facts.loans = owed(snapshot, at, day, span, &query.only).await?;
    }
    if needs.values {
        facts.values = worth(snapshot, at, day).await?;
    }
    if needs.counts {
        facts.counts = match (query.metric, query.time) {
            (Metric::Deposits, _) => letting::deposits(snapshot, at, day, which).await?,
            (Metric::FutureLeases, _) => store::future(snapshot, at, day, query.space).await?,
            (Metric::RenewalRate, Time::Span(span)) => {
                let window = (span.from.first_day(), span.to.last_day());
                store::renewed(snapshot, at, window, query.space).await?
            }
            _ => store::overlapping(snapshot, at, day, query.space).await?,
        };
    }
    if needs.prices {
        let price = |building: &Property| {
            Some(BuildingValue {
                building: building.id.clone(),
                value: building.purchase_price?,
            })
        };
        facts.prices = scope.properties.iter().filter_map(price).collect();
    }
    Ok(facts)
}

pub(super) async fn posted(
    snapshot: &mut Snapshot,
    scope: &Scope<'_>,
    span: Span,
    by_month: bool,
) -> Result<Vec<Posted>> {
    let roles: BTreeMap<&str, chart::Role> = scope
        .accounts
        .iter()
        .map(|account| (account.code.as_str(), chart::role(account)))
        .collect();
    let rows = store::ledger(snapshot, scope.at, span, by_month).await?;
    let posted = rows.into_iter().filter_map(|row| {
        let role = *roles.get(row.account_code.as_str())?;
        Some(Posted {
            building: row.building_id,
            month: row.month,
            role,
            amount: row.amount,
            budget: row.budget,
            is_budgeted: row.budgeted == row.months,
            code: row.account_code,
        })
    });
    Ok(posted.collect())
}

/// The latest value of each building on the given day.
pub(super) async fn worth(
    snapshot: &mut Snapshot,
    at: Reach<'_>,
    day: NaiveDate,
) -> Result<Vec<BuildingValue>> {
    let mut latest: BTreeMap<String, i64> = BTreeMap::new();
    // Rows are ordered from oldest to newest, so the latest value wins.
    for row in store::valuations(snapshot, at, day).await? {
        latest.insert(row.building_id, row.market_value);
    }
    let worth = latest
        .into_iter()
        .map(|(building, value)| BuildingValue { building, value });
    Ok(worth.collect())
}

/// Loans on the given day, with the payments made within the span.
pub(super) async fn owed(
    snapshot: &mut Snapshot,
    at: Reach<'_>,
    day: NaiveDate,
    span: Option<Span>,
    only: &Only,
) -> Result<Vec<LoanBalance>> {
    let mut parts = store::loans(snapshot, at).await?;
    parts.retain(|part| letting::counts(only, part, day));
    let balances = balances(snapshot, at, &parts, day).await?;
    let mut paid: BTreeMap<String, i64> = BTreeMap::new();
    if let Some(span) = span {
        let (from, to) = (span.from.first_day(), span.to.last_day());
        for row in store::payments(snapshot, at, from, to).await? {
            *paid.entry(row.loan_id).or_default() += row.interest + row.principal;
        }
    }
    let owed = parts.into_iter().filter_map(|part| {
        let share = as_f64(part.share) / 1e6;
        Some(LoanBalance {
            balance: balances.get(&part.id)? * share,
            senior: part.loan_kind == "senior",
            rate: as_f64(part.interest_rate) / 1e6,
            paid: paid.get(&part.id).map_or(0.0, |paid| as_f64(*paid)) * share,
            lender: part.lender,
            matures: part.maturity_date,
            loan: part.id,
            building: part.building_id,
        })
    });
    Ok(owed.collect())
}

/// Each loan's balance on the given day, in cents. Loans that start later are absent.
pub(super) async fn balances(
    snapshot: &mut Snapshot,
    at: Reach<'_>,
    parts: &[LoanPart],
    day: NaiveDate,
) -> Result<BTreeMap<String, f64>> {
    let mut last: BTreeMap<String, i64> = BTreeMap::new();
    if parts.iter().any(|part| part.balance_date > day) {
        let begin = parts
            .iter()
            .map(|part| part.origination_date)
            .min()
            .unwrap_or(day);
        for row in store::payments(snapshot, at, begin, day).await? {
            last.insert(row.loan_id, row.ending_balance);
        }
    }
    let balance = |part: &LoanPart| {
        if part.origination_date > day {
            None
        } else if part.balance_date <= day {
            Some(part.current_balance)
        } else {
            // Before the first known payment, only the original amount is certain.
            last.get(&part.id)
                .copied()
                .or((Month::of(part.origination_date) == Month::of(day)).then_some(part.original_principal))
        }
    };
    Ok(parts
        .iter()
        .filter_map(|part| Some((part.id.clone(), as_f64(balance(part)?))))
        .collect())
}

/// Finds the months that the ledger lacks. Returns a reason if the span has no ledger at all, and warnings
/// otherwise.
pub(super) async fn ledger_gaps(
    snapshot: &mut Snapshot,
    scope: &Scope<'_>,
    span: Span,
) -> Result<Result<Vec<String>, String>> {
    let kept = store::kept(snapshot, scope.at, span).await?;
    let first = kept.iter().map(|row| Month::of(row.first)).min();
    let last = kept.iter().map(|row| Month::of(row.last)).max();
    let (Some(first), Some(last)) = (first, last) else {
        return Ok(Err(format!("the ledger holds nothing for {}", span.words())));
    };
    if first > span.from || last < span.to {
        let there = Span::new(first, last).words();
        return Ok(Err(format!(
            "the ledger does not cover {}: of these months it holds {there} only",
            span.words()
        )));
    }
    let months: BTreeMap<&str, i64> = kept
        .iter()
        .map(|row| (row.building_id.as_str(), row.months))
        .collect();
    let lacking: Vec<&str> = scope
        .properties
        .iter()
        .filter(|building| building.currency.is_some())
        .filter(|building| {
            let there = months.get(building.id.as_str()).copied().unwrap_or(0);
            there < i64::from(span.months())
        })
        .map(|building| building.name.as_str())
        .collect();
    if lacking.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    let mut names = lacking.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    if lacking.len() > NAMED {
        names.push_str(&format!(" and {} more", lacking.len() - NAMED));
    }
    Ok(Ok(vec![format!(
        "The ledger lacks months of {} for: {names}.",
        span.words()
    )]))
}
