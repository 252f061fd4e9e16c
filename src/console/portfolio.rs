//! The portfolio pages: occupancy, income and debt of the buildings, with charts over time. One page for all buildings
//! and one for each.
//!
//! Members see only the buildings that were granted to them. Does not depend on SQL.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use chrono::{Datelike as _, NaiveDate};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::base::error::Error;
use crate::console::chart::{Bar, Chart};
use crate::console::import;
use crate::edge::view::{Fault, Frame, page};
use crate::edge::visitor::Visitor;
use crate::portfolio::metrics::overview::{CurrentFigures, MonthFigures, Overview};
use crate::portfolio::model::Buildings;
use crate::services::Services;
use finance::portfolio::calendar::Month;
use finance::portfolio::query::{Property, Rollover};

pub fn router() -> Router<Services> {
    Router::new()
        .route("/console/portfolio", get(all))
        .route("/console/portfolio/buildings/{id}", get(one))
        .merge(import::router())
}

/// Size of the wide and of the narrow chart.
const WIDE: (f64, f64) = (920.0, 240.0);
const NARROW: (f64, f64) = (360.0, 200.0);
/// Most months in a narrow chart.
const RECENT: usize = 12;
/// Units of the bars: basis points and cents per unit.
const POINTS: f64 = 10_000.0;
const CENTS: f64 = 100.0;

#[derive(Template)]
#[template(path = "portfolio.html")]
struct PortfolioPage {
    frame: Frame,
    org_name: String,
    admin: bool,
    /// Set on the page of one building.
    building: Option<Head>,
    /// Nothing was imported, or no building was granted.
    empty: bool,
    as_of: String,
    sums: Vec<Sum>,
    warnings: Vec<String>,
    charts: Vec<ChartView>,
    rows: Vec<Row>,
}

struct Head {
    name: String,
    place: String,
}

struct Sum {
    number: String,
    unit: &'static str,
    what: String,
}

/// A chart in both widths, with a text alternative.
struct ChartView {
    title: &'static str,
    id: &'static str,
    summary: String,
    wide: Chart,
    narrow: Chart,
    note: String,
}

struct Row {
    id: String,
    name: String,
    href: String,
    place: String,
    kind: String,
    units: String,
    occupancy: String,
    rent: String,
    noi: String,
    ltv: String,
}

async fn all(State(services): State<Services>, visitor: Visitor) -> Result<Response, Fault> {
    let scope = services.portfolio.granted(&visitor.principal).await?;
    show(&services, &visitor, scope, None).await
}

async fn one(
    State(services): State<Services>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    let granted = services.portfolio.granted(&visitor.principal).await?;
    let scope = granted.and(&Buildings::Only(BTreeSet::from([id.clone()])));
    show(&services, &visitor, scope, Some(id)).await
}

async fn show(
    services: &Services,
    visitor: &Visitor,
    scope: Buildings,
    building_id: Option<String>,
) -> Result<Response, Fault> {
    let mut view = services.metrics.view(visitor.principal.org, scope).await?;
    let overview = view.overview().await?;
    let day = overview.coverage.map(|coverage| coverage.roll.to.last_day());
    let rollover = match day {
        Some(day) => view.rollover(None, None, day).await?,
        None => Vec::new(),
    };
    view.end().await?;
    let building = match &building_id {
        None => None,
        Some(id) => {
            let found = overview.buildings.iter().find(|(one, _)| one.id == *id);
            Some(&found.ok_or(Error::NotFound("building"))?.0)
        }
    };
    let title = building.map_or("Portfolio", |building| building.name.as_str());
    let mut template = PortfolioPage {
        frame: visitor.frame(&services.site, title).at("portfolio"),
        org_name: visitor.org_name.clone(),
        admin: visitor.principal.role.is_admin(),
        building: building.map(|building| Head {
            name: building.name.clone(),
            place: place(building),
        }),
        empty: true,
        as_of: String::new(),
        sums: Vec::new(),
        warnings: Vec::new(),
        charts: Vec::new(),
        rows: Vec::new(),
    };
    let Some(coverage) = overview.coverage.filter(|_| !overview.buildings.is_empty()) else {
        return Ok(page(StatusCode::OK, &template));
    };
    let currency = one_currency(&overview);
    template.empty = false;
    template.as_of = coverage.as_of.format("%-d %B %Y").to_string();
    template.sums = sums(&overview.all, currency);
    template.charts.push(occupancy(&overview.months));
    // Sums over several currencies would be meaningless.
    if let Some(currency) = currency {
        template.charts.push(income(&overview.months, currency));
        template.charts.extend(expiries(&rollover, currency));
    }
    if building_id.is_none() {
        let buildings = overview.buildings.iter();
        template.rows = buildings.map(|(one, figures)| row(one, figures)).collect();
    }
    template.warnings = overview.warnings;
    Ok(page(StatusCode::OK, &template))
}

fn one_currency(overview: &Overview) -> Option<&str> {
    let mut currencies = overview
        .buildings
        .iter()
        .map(|(building, _)| currency_of(building));
    let first = currencies.next()?;
    currencies.all(|other| other == first).then_some(first)
}

fn currency_of(building: &Property) -> &str {
    building.currency.as_deref().unwrap_or("USD")
}

/// An amount in cents, for bars and texts.
fn cents(amount: f64) -> i64 {
    (amount * CENTS).round() as i64
}

fn place(building: &Property) -> String {
    let parts = [building.city.as_deref(), building.state.as_deref()];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn row(building: &Property, figures: &CurrentFigures) -> Row {
    let currency = currency_of(building);
    let money =
        |amount: Option<f64>| amount.map_or_else(unknown, |amount| whole_units(cents(amount), currency));
    Row {
        href: format!(
            "/console/portfolio/buildings/{}",
            utf8_percent_encode(&building.id, NON_ALPHANUMERIC)
        ),
        id: building.id.clone(),
        name: building.name.clone(),
        place: place(building),
        kind: building.property_type.clone().unwrap_or_else(unknown),
        units: format!("{:.0}", figures.units),
        occupancy: figures.occupancy.map_or_else(unknown, share),
        rent: money(figures.rent),
        noi: money(figures.noi),
        ltv: match figures.ltv {
            Some(ltv) => share(ltv),
            None if figures.debt == 0.0 => "no debt".to_owned(),
            None => unknown(),
        },
    }
}

fn unknown() -> String {
    "–".to_owned()
}

fn sums(all: &CurrentFigures, currency: Option<&str>) -> Vec<Sum> {
    let mut sums = vec![Sum {
        number: all.occupancy.map_or_else(unknown, share),
        unit: "",
        what: format!(
            "occupied: {:.0} of {:.0} rentable units",
            all.occupied, all.rentable
        ),
    }];
    let Some(currency) = currency else { return sums };
    sums.push(Sum {
        number: compact(cents(all.rent.unwrap_or_default()), currency),
        unit: "",
        what: format!("{currency} rent in effect, monthly"),
    });
    if let Some(noi) = all.noi {
        sums.push(Sum {
            number: compact(cents(noi), currency),
            unit: "",
            what: format!("{currency} net operating income, twelve months"),
        });
    }
    if let Some(ltv) = all.ltv {
        sums.push(Sum {
            number: share(ltv),
            unit: "",
            what: "loan-to-value on the latest valuations".to_owned(),
        });
    }
    sums
}

fn occupancy(months: &BTreeMap<Month, MonthFigures>) -> ChartView {
    let with_units = months
        .iter()
        .filter_map(|(month, course)| Some((month, course.occupancy?)));
    let bars = with_units.map(|(month, occupancy)| Bar {
        day: month.first_day(),
        parts: vec![(occupancy * POINTS) as i64],
    });
    let shown = |points: i64| format!("{} %", points / 100);
    let title = |bar: &Bar| {
        let points: i64 = bar.parts.iter().sum();
        format!(
            "{}: {}.{} %",
            bar.day.format("%b %Y"),
            points / 100,
            points % 100 / 10
        )
    };
    chart_view(
        "Occupancy by month",
        "occupancy",
        bars.collect(),
        shown,
        title,
        String::new(),
    )
}

fn income(months: &BTreeMap<Month, MonthFigures>, currency: &str) -> ChartView {
    let bars: Vec<Bar> = months
        .iter()
        .map(|(month, course)| Bar {
            day: month.first_day(),
            parts: vec![cents(course.noi.unwrap_or_default())],
        })
        .collect();
    let below = bars
        .iter()
        .filter(|bar| bar.parts.iter().any(|part| *part < 0))
        .count();
    let note = match below {
        0 => String::new(),
        below => format!("{below} months with a negative amount have no bar."),
    };
    let shown = |minor: i64| compact(minor, currency);
    let title = |bar: &Bar| {
        let sum = bar.parts.iter().sum();
        format!(
            "{}: {} {currency}",
            bar.day.format("%b %Y"),
            whole_units(sum, currency)
        )
    };
    chart_view(
        "Net operating income by month",
        "income",
        bars,
        shown,
        title,
        note,
    )
}

/// Annual rent of active leases by the year in which they end.
fn expiries(rollover: &[Rollover], currency: &str) -> Option<ChartView> {
    let bars: Vec<Bar> = rollover
        .iter()
        .filter_map(|row| {
            Some(Bar {
                day: NaiveDate::from_ymd_opt(row.year?, 1, 1)?,
                parts: vec![cents(row.annual_rent)],
            })
        })
        .collect();
    if bars.is_empty() {
        return None;
    }
    let note = match rollover.iter().find(|row| row.year.is_none()) {
        Some(holdover) => format!(
            "In addition, {} expired leases continue month to month, with {} {currency} of annual rent.",
            holdover.leases,
            whole_units(cents(holdover.annual_rent), currency)
        ),
        None => String::new(),
    };
    let shown = |minor: i64| compact(minor, currency);
    let title = |bar: &Bar| {
        let of_year = rollover.iter().find(|row| row.year == Some(bar.day.year()));
        let leases = of_year.map_or(0, |row| row.leases);
        let sum = bar.parts.iter().sum();
        format!(
            "{}: {} {currency} of annual rent, {leases} leases",
            bar.day.year(),
            whole_units(sum, currency)
        )
    };
    let year = |day: NaiveDate| day.format("%Y").to_string();
    let summary = summary(&bars, &title);
    Some(ChartView {
        title: "Annual rent by year of lease end",
        id: "rollover",
        wide: Chart::of(&bars, WIDE, (year, 1), shown, title),
        narrow: Chart::of(
            bars.get(..bars.len().min(RECENT)).unwrap_or_default(),
            NARROW,
            (year, 2),
            shown,
            title,
        ),
        summary,
        note,
    })
}

fn chart_view(
    name: &'static str,
    id: &'static str,
    bars: Vec<Bar>,
    shown: impl Fn(i64) -> String,
    title: impl Fn(&Bar) -> String,
    note: String,
) -> ChartView {
    // Short enough that the last label is not cut off.
    let month = |day: NaiveDate| day.format("%b %y").to_string();
    let recent = bars.get(bars.len().saturating_sub(RECENT)..).unwrap_or_default();
    ChartView {
        title: name,
        id,
        summary: summary(&bars, &title),
        wide: Chart::of(&bars, WIDE, (month, 5), &shown, &title),
        narrow: Chart::of(recent, NARROW, (month, 4), &shown, &title),
        note,
    }
}

/// The text alternative of a chart: its first and last bar.
fn summary(bars: &[Bar], title: &impl Fn(&Bar) -> String) -> String {
    match (bars.first(), bars.last()) {
        (Some(first), Some(last)) if bars.len() > 1 => {
            format!("{} bars, from {} to {}.", bars.len(), title(first), title(last))
        }
        (Some(only), _) => title(only),
        _ => "Nothing to show.".to_owned(),
    }
}

/// Formats a share: `94.3 %`.
pub fn share(fraction: f64) -> String {
    format!("{:.1} %", fraction * 100.0)
}

/// Formats an amount in whole units of the currency: `1,305,206`.
pub fn whole_units(minor: i64, currency: &str) -> String {
    let units = crate::portfolio::import::cells::major(minor, currency).round();
    let digits = format!("{:.0}", units.abs());
    let mut text = String::new();
    for (n, sign) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n) % 3 == 0 {
            text.push(',');
        }
        text.push(sign);
    }
    if units < 0.0 { format!("-{text}") } else { text }
}

/// Formats an amount in short: `1.31m`, `87k`.
pub fn compact(minor: i64, currency: &str) -> String {
    let units = crate::portfolio::import::cells::major(minor, currency);
    let (value, unit) = match units.abs() {
        size if size >= 1e9 => (units / 1e9, "bn"),
        size if size >= 1e6 => (units / 1e6, "m"),
        size if size >= 1e3 => (units / 1e3, "k"),
        _ => (units, ""),
    };
    let text = match value.abs() {
        size if size >= 100.0 || unit.is_empty() => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    };
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    };
    format!("{text}{unit}")
}
