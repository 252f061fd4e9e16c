//! The cost of a large portfolio: imports ten thousand leases, then a hundred thousand units, and then
//! computes metrics and the overview page, on SQLite and, if `CORBEL_BENCH_POSTGRES_URL` is set, on a
//! temporary database of that PostgreSQL server. Questions start immediately after the import.
//!
//! Run with `cargo bench --bench portfolio`. Invented data: buildings of 500 units, in the large portfolio
//! one lease for every tenth unit, and a ledger of 16 accounts. CORBEL_BENCH_UNITS, CORBEL_BENCH_MONTHS and
//! CORBEL_BENCH_REQUESTS set the size.

#[expect(dead_code, reason = "the benches that compare contenders use more of it")]
mod support;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use chrono::{Months, NaiveDate};
use corbel::accounts::model::Plan;
use corbel::app::build::build;
use corbel::app::config::Config;
use corbel::audit::store::Actor;
use corbel::base::clock::Clock;
use corbel::base::ids::OrgId;
use corbel::portfolio::import::run::ImportOptions;
use corbel::portfolio::import::sheet::InputFile;
use corbel::portfolio::model::Buildings;
use corbel::services::Services;
use finance::portfolio::calendar::{Month, Span};
use finance::portfolio::metric::Metric;
use finance::portfolio::query::{Query, Split, Time};

use crate::support::{Outcome, Scratch, env_var, machine, ms, number, quantile, say};

const PER_BUILDING: usize = 500;

fn main() -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(measure())
}

async fn measure() -> Outcome {
    say(machine())?;
    one(None).await?;
    let Some(server) = env_var("CORBEL_BENCH_POSTGRES_URL") else {
        return say("PostgreSQL is absent: CORBEL_BENCH_POSTGRES_URL is not set");
    };
    let own = format!("corbel_bench_{}", OrgId::new().uuid().simple());
    on_server(&server, &format!("CREATE DATABASE {own}")).await?;
    let mut url = url::Url::parse(&server)?;
    url.set_path(&own);
    let measured = one(Some(url.as_str())).await;
    on_server(&server, &format!("DROP DATABASE {own} WITH (FORCE)")).await?;
    measured
}

async fn on_server(server: &str, statement: &str) -> Outcome {
    use sqlx::{Connection as _, Executor as _};
    let mut connection = sqlx::PgConnection::connect(server).await?;
    connection
        .execute(sqlx::AssertSqlSafe(statement.to_owned()))
        .await?;
    Ok(connection.close().await?)
}

async fn one(url: Option<&str>) -> Outcome {
    let name = if url.is_some() { "PostgreSQL" } else { "SQLite" };
    let scratch = Scratch::new(&format!("portfolio-{name}"))?;
    let data = scratch.path().display().to_string();
    let mut values = BTreeMap::from([("CORBEL_DATA_DIR".to_owned(), data)]);
    values.extend(url.map(|url| ("CORBEL_DATABASE_URL".to_owned(), url.to_owned())));
    let config = Config::from_values(values, Vec::new())?;
    let app = build(&config, Clock::system(), "http://127.0.0.1".to_owned()).await?;
    let services = &app.services;
    let months = u32::try_from(number("CORBEL_BENCH_MONTHS", 12)?)?;
    let small = organization(services, "Ten thousand leases").await?;
    bring(services, name, small, &files(10_000, 1, 12)?).await?;
    bring(services, name, small, &files(10_000, 1, 12)?).await?;
    let units = number("CORBEL_BENCH_UNITS", 100_000)?;
    let large = organization(services, "A hundred thousand units").await?;
    bring(services, name, large, &files(units, 10, months)?).await?;
    ask(services, name, large).await?;
    services.db.close().await;
    Ok(())
}

async fn organization(services: &Services, name: &str) -> Outcome<OrgId> {
    let accounts = &services.accounts;
    Ok(accounts
        .create_org(Actor::SYSTEM, name, Plan::Pro, None)
        .await?
        .id)
}

async fn bring(services: &Services, name: &str, org: OrgId, files: &[InputFile]) -> Outcome {
    let since = Instant::now();
    let imports = &services.imports;
    let done = imports
        .import(Actor::SYSTEM, org, files.to_vec(), ImportOptions::default())
        .await?;
    let took = since.elapsed();
    if done.number.is_none() {
        return Err(format!("{:?}", done.findings.first()).into());
    }
    let counts: Vec<String> = done
        .counts
        .iter()
        .map(|(table, count)| format!("{} {table} ({} new)", count.rows, count.added))
        .collect();
    say(format!(
        "{name}: imported in {:.2} s: {}",
        took.as_secs_f64(),
        counts.join(", ")
    ))
}

async fn ask(services: &Services, name: &str, org: OrgId) -> Outcome {
    let day = NaiveDate::from_ymd_opt(2026, 10, 31).ok_or("a day")?;
    let last = Month::of(day);
    let year = Span::ending(last, 12);
    let months = Span::ending(last, i32::try_from(number("CORBEL_BENCH_MONTHS", 12)?)?);
    let split = |metric, time, split| Query {
        split,
        ..Query::of(metric, time)
    };
    let queries = [
        ("occupancy", split(Metric::Occupancy, Time::Day(day), None)),
        (
            "occupancy by building",
            split(Metric::Occupancy, Time::Day(day), Some(Split::Building)),
        ),
        (
            "occupancy by month",
            split(Metric::Occupancy, Time::Span(months), Some(Split::Month)),
        ),
        ("WALT", split(Metric::WaltByRent, Time::Day(day), None)),
        ("NOI of twelve months", split(Metric::Noi, Time::Span(year), None)),
        (
            "NOI by month",
            split(Metric::Noi, Time::Span(months), Some(Split::Month)),
        ),
        (
            "largest tenant",
            split(Metric::TopTenantShare, Time::Day(day), None),
        ),
        (
            "units with overlapping leases",
            split(Metric::OverlappingUnits, Time::Day(day), None),
        ),
    ];
    let requests = number("CORBEL_BENCH_REQUESTS", 20)?;
    for (what, query) in &queries {
        let mut times = Vec::new();
        for _ in 0..requests {
            let since = Instant::now();
            let mut view = services.metrics.view(org, Buildings::All).await?;
            let measured = view.measure(query).await?;
            view.end().await?;
            times.push(since.elapsed());
            if measured.whole.is_none() {
                return Err(format!("{what}: {:?}", measured.undefined).into());
            }
        }
        said(name, what, times)?;
    }
    let mut times = Vec::new();
    for _ in 0..requests {
        let since = Instant::now();
        let mut view = services.metrics.view(org, Buildings::All).await?;
        let overview = view.overview().await?;
        view.rollover(None, None, day).await?;
        view.end().await?;
        times.push(since.elapsed());
        if overview.all.occupancy.is_none() {
            return Err("no overview".into());
        }
    }
    said(name, "the portfolio page's reads", times)
}

fn said(name: &str, what: &str, mut times: Vec<Duration>) -> Outcome {
    times.sort_unstable();
    let at = |q| ms(quantile(&times, q));
    say(format!(
        "{name}: {what}: first to last of {}: p50 {:.1} ms, slowest {:.1} ms",
        times.len(),
        at(0.5),
        at(1.0)
    ))
}

const ACCOUNTS: usize = 16;

/// A portfolio of `units` units, of which every `apart`-th is leased.
fn files(units: usize, apart: usize, months: u32) -> Outcome<Vec<InputFile>> {
    let mut accounts = String::from("account_code,account_name,category,statement_sign,included_in_noi\n");
    for n in 0..ACCOUNTS {
        let (category, sign) = if n < 6 {
            ("revenue", "+")
        } else {
            ("operating_expense", "-")
        };
        writeln!(accounts, "{},Account {n},{category},{sign},true", 4000 + n * 100)?;
    }
    let mut buildings = String::from("building_id,building_name,property_type,city,state,currency\n");
    let mut of_units =
        String::from("unit_id,building_id,unit_number,unit_use,area_sqft,market_rent_monthly\n");
    let mut tenants = String::from("tenant_id,tenant_name\n");
    let mut leases =
        String::from("lease_id,building_id,unit_id,tenant_id,start_date,end_date,monthly_rent,area_sqft\n");
    let mut ledger = String::from("building_id,month,account_code,amount\n");
    let end = NaiveDate::from_ymd_opt(2026, 10, 1).ok_or("a day")?;
    for building in 0..units.div_ceil(PER_BUILDING) {
        writeln!(
            buildings,
            "B{building},House {building},multifamily,City {},TX,USD",
            building % 20
        )?;
        for back in 0..months {
            let month = end.checked_sub_months(Months::new(back)).ok_or("a month")?;
            for n in 0..ACCOUNTS {
                writeln!(
                    ledger,
                    "B{building},{month},{},{}",
                    4000 + n * 100,
                    1_000 + n * 7 + building
                )?;
            }
        }
    }
    for unit in 0..units {
        let building = unit / PER_BUILDING;
        writeln!(
            of_units,
            "U{unit},B{building},{unit},residential,{},{}",
            500 + unit % 700,
            1_200 + unit % 900
        )?;
        if unit % apart == 0 {
            writeln!(tenants, "T{unit},Tenant {unit}")?;
            writeln!(
                leases,
                "L{unit},B{building},U{unit},T{unit},2025-{:02}-01,2027-{:02}-28,{},{}",
                1 + unit % 12,
                1 + unit % 12,
                1_100 + unit % 800,
                500 + unit % 700
            )?;
        }
    }
    let named = [
        ("accounts.csv", accounts),
        ("buildings.csv", buildings),
        ("units.csv", of_units),
        ("tenants.csv", tenants),
        ("leases.csv", leases),
        ("monthly_financials.csv", ledger),
    ];
    let given = named.into_iter().map(|(name, text)| InputFile {
        name: name.to_owned(),
        bytes: text.into_bytes(),
    });
    Ok(given.collect())
}
