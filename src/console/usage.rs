//! The usage page of an organization: runs of the last thirty days as a chart, this month by interface and key, and the
//! cost for administrators.
//!
//! Members see counts, the share that is left, and the names of their own keys. Amounts of money and other people's
//! keys are for administrators.

use std::collections::BTreeMap;

use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use chrono::{Datelike as _, Days, NaiveDate};
use serde::Deserialize;

use crate::base::ids::{KeyId, UserId};
use crate::base::money::MicroUsd;
use crate::base::principal::Face;
use crate::console::chart::{Bar, Chart, SERIES};
use crate::edge::view::{Fault, Frame, page};
use crate::edge::visitor::Visitor;
use crate::services::Services;
use crate::usage::model::Day;

/// Days of the chart, and of the one for narrow screens.
const DAYS: u64 = 30;
const NARROW: usize = 14;

pub fn router() -> Router<Services> {
    Router::new().route("/console/usage", get(show))
}

#[derive(Template)]
#[template(path = "usage.html")]
struct UsagePage {
    frame: Frame,
    org_name: String,
    admin: bool,
    left: Option<u8>,
    money: Option<Money>,
    by_key: bool,
    credit: bool,
    series: Vec<String>,
    wide: Chart,
    narrow: Chart,
    /// The text alternative of the chart.
    summary: String,
    empty: bool,
    rows: Vec<Row>,
    total: Row,
    month: String,
}

/// Amounts for administrators.
struct Money {
    charged: MicroUsd,
    included: MicroUsd,
    /// What is left of the included credit this month.
    left: MicroUsd,
    funded: MicroUsd,
}

/// Runs of this month through one interface, with one key or without a key.
#[derive(Default)]
struct Row {
    interface: String,
    key: String,
    answered: i64,
    failed: i64,
    charged: MicroUsd,
}

#[derive(Deserialize)]
struct Params {
    #[serde(default)]
    by: String,
    #[serde(default)]
    show: String,
}

async fn show(
    State(services): State<Services>,
    visitor: Visitor,
    Query(params): Query<Params>,
) -> Result<Response, Fault> {
    let principal = &visitor.principal;
    let admin = principal.role.is_admin();
    let today = services.clock.now().date_naive();
    let month = today.with_day(1).unwrap_or(today);
    let first = today.checked_sub_days(Days::new(DAYS - 1)).unwrap_or(today);
    let days = services.usage.days(principal, first.min(month)).await?;
    let names = Names::of(&services, &visitor, &days).await?;
    let (by_key, credit) = (params.by == "key", admin && params.show == "credit");
    let (series, bars) = stacked(&days, first, &names, by_key, credit);
    let shown = |value: i64| match credit {
        true => MicroUsd(value).to_string(),
        false => value.to_string(),
    };
    let title = |bar: &Bar| tooltip(bar, &series, shown);
    let day = |day: NaiveDate| day.format("%-d %b").to_string();
    let sum: i64 = bars.iter().flat_map(|bar| &bar.parts).sum();
    let what = if credit { "USD of credit" } else { "runs" };
    let summary = format!("{} {what} in the last {DAYS} days, by day.", shown(sum));
    let last = bars.get(bars.len().saturating_sub(NARROW)..).unwrap_or_default();
    let rows = rows(&days, month, &names);
    let total = rows.iter().fold(Row::default(), |sum, row| Row {
        answered: sum.answered + row.answered,
        failed: sum.failed + row.failed,
        charged: MicroUsd(sum.charged.0 + row.charged.0),
        ..sum
    });
    let money = if admin {
        Some(money(&services, &visitor, total.charged).await?)
    } else {
        None
    };
    let template = UsagePage {
        frame: visitor.frame(&services.site, "Usage").at("usage"),
        org_name: visitor.org_name.clone(),
        admin,
        left: services.usage.percent_left(principal).await?,
        money,
        by_key,
        credit,
        wide: Chart::of(&bars, (920.0, 260.0), (day, 7), shown, title),
        narrow: Chart::of(last, (360.0, 220.0), (day, 7), shown, title),
        empty: sum == 0,
        summary,
        rows,
        total,
        month: today.format("%B %Y").to_string(),
        series,
    };
    Ok(page(StatusCode::OK, &template))
}

async fn money(services: &Services, visitor: &Visitor, charged: MicroUsd) -> Result<Money, Fault> {
    let principal = &visitor.principal;
    let included = services.usage.included(principal).await?;
    let balances = services.usage.balances(principal).await?;
    let period = services.clock.now().format("%Y-%m").to_string();
    let left = balances
        .as_ref()
        .filter(|balances| balances.period >= period)
        .map_or(included, |balances| balances.included);
    Ok(Money {
        charged,
        included,
        left,
        funded: balances.map_or(MicroUsd::ZERO, |balances| balances.funded),
    })
}

/// Names of keys, as far as this person may see them.
struct Names {
    keys: BTreeMap<KeyId, String>,
}

impl Names {
    async fn of(services: &Services, visitor: &Visitor, days: &[Day]) -> Result<Self, Fault> {
        let mut ids: Vec<KeyId> = days.iter().filter_map(|day| day.key).collect();
        ids.sort_unstable();
        ids.dedup();
        let principal = &visitor.principal;
        let found = services.keys.names(principal.org, &ids).await?;
        let users: Vec<UserId> = found.values().map(|(_, owner)| *owner).collect();
        let people = services.accounts.names(principal.org, &users).await?;
        let admin = principal.role.is_admin();
        let named = found.into_iter().map(|(id, (name, owner))| {
            let name = match people.get(&owner) {
                _ if owner == principal.user => name,
                Some((person, _)) if admin => format!("{name} ({person})"),
                _ if admin => name,
                _ => "Others' keys".to_owned(),
            };
            (id, name)
        });
        Ok(Self {
            keys: named.collect(),
        })
    }

    fn key(&self, day: &Day) -> String {
        match day.key {
            Some(key) => self.keys.get(&key).cloned().unwrap_or_else(|| "A key".to_owned()),
            None => String::new(),
        }
    }
}

pub(super) fn interface(face: Face) -> &'static str {
    match face {
        Face::Api => "HTTP API",
        Face::Cli => "Command line",
        Face::Web => "Browser preview",
        Face::Slack => "Slack",
        Face::System => "Other",
    }
}

/// The series, largest first, and the bar of each day.
fn stacked(
    days: &[Day],
    first: NaiveDate,
    names: &Names,
    by_key: bool,
    credit: bool,
) -> (Vec<String>, Vec<Bar>) {
    let value = |day: &Day| {
        if credit {
            day.charged.0
        } else {
            day.completed + day.failed
        }
    };
    let label = |day: &Day| match (by_key, day.key) {
        (true, Some(_)) => names.key(day),
        (true, None) => "Without a key".to_owned(),
        (false, _) => interface(day.face).to_owned(),
    };
    let shown = || days.iter().filter(|day| day.day >= first);
    let mut sums: BTreeMap<String, i64> = BTreeMap::new();
    for day in shown() {
        *sums.entry(label(day)).or_default() += value(day);
    }
    let mut ranked: Vec<(String, i64)> = sums.into_iter().filter(|(_, sum)| *sum > 0).collect();
    ranked.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
    let mut series: Vec<String> = ranked.into_iter().map(|(label, _)| label).collect();
    if series.len() > SERIES {
        series.truncate(SERIES - 1);
        series.push("All others".to_owned());
    }
    let mut bars: Vec<Bar> = first
        .iter_days()
        .take(usize::try_from(DAYS).unwrap_or_default())
        .map(|day| Bar {
            day,
            parts: vec![0; series.len()],
        })
        .collect();
    for day in shown() {
        let label = label(day);
        let place = series.iter().position(|one| *one == label);
        let place = place.unwrap_or_else(|| series.len().saturating_sub(1));
        let bar = bars.iter_mut().find(|bar| bar.day == day.day);
        if let Some(part) = bar.and_then(|bar| bar.parts.get_mut(place)) {
            *part += value(day);
        }
    }
    (series, bars)
}

/// The tooltip of a bar: `3 Nov: 14 (HTTP API 10, Slack 4)`.
fn tooltip(bar: &Bar, series: &[String], shown: impl Fn(i64) -> String) -> String {
    let day = bar.day.format("%-d %b");
    let parts: Vec<String> = series
        .iter()
        .zip(&bar.parts)
        .filter(|(_, part)| **part > 0)
        .map(|(name, part)| format!("{name} {}", shown(*part)))
        .collect();
    let sum = shown(bar.parts.iter().sum());
    match parts.len() {
        0 => format!("{day}: none"),
        1 => format!("{day}: {}", parts.concat()),
        _ => format!("{day}: {sum} ({})", parts.join(", ")),
    }
}

/// This month by interface and key, most runs first.
fn rows(days: &[Day], month: NaiveDate, names: &Names) -> Vec<Row> {
    let mut sums: BTreeMap<(&'static str, String), Row> = BTreeMap::new();
    for day in days.iter().filter(|day| day.day >= month) {
        let (interface, key) = (interface(day.face), names.key(day));
        let row = sums.entry((interface, key.clone())).or_insert_with(|| Row {
            interface: interface.to_owned(),
            key,
            ..Row::default()
        });
        row.answered += day.completed;
        row.failed += day.failed;
        row.charged.0 += day.charged.0;
    }
    let mut rows: Vec<Row> = sums.into_values().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.answered + row.failed));
    rows
}
