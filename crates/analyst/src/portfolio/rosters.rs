//! Answers that name units one by one: the vacant ones, those whose lease ends, one suite, a tenant's, the next to expire.

use chrono::NaiveDate;
use serde_json::json;

use crate::contract::portfolio::Portfolio;
use crate::contract::portfolio::Result;
use crate::portfolio::fixed::Asked;
use crate::portfolio::lexicon::{Topic, Turn};
use crate::portfolio::lists::only;
use crate::portfolio::moments::{time_for, window};
use crate::portfolio::plan::Plan;
use crate::portfolio::say::{Label, Saying};
use crate::portfolio::scopes::Scope;
use crate::portfolio::shown::{self, Table};
use crate::portfolio::times::When;
use finance::portfolio::calendar::{Month, day_words};
use finance::portfolio::metric::Metric;
use finance::portfolio::query::{Letting, Listed, Time};

type Failed = Option<String>;

/// Units that are read at most.
const READ: usize = 2000;
/// Units that are told in sentences of their own.
const TOLD: usize = 5;

/// The units behind a count, where they are asked for by name.
pub(super) async fn beside(
    plan: &Plan,
    asked: &Asked<'_>,
    scope: &Scope,
    view: &mut dyn Portfolio,
    saying: &mut Saying,
) -> Result<()> {
    let named = plan.only.unit.is_some() || !plan.only.tenants.is_empty();
    let listed = match (asked.metric, asked.window) {
        (
            Metric::Expirations
            | Metric::RolloverRent
            | Metric::RolloverArea
            | Metric::RolloverShareOfRent
            | Metric::RolloverShareOfArea,
            Some(window),
        ) => Listed::Ending(window),
        (Metric::VacantUnits | Metric::VacantArea | Metric::Vacancy | Metric::VacancyByArea, _) => {
            Listed::Vacant
        }
        (Metric::MonthToMonth, _) => Listed::Holdover,
        (Metric::NonRevenueUnits, _) => Listed::NonRevenue,
        (metric, _) if named && metric.is_of_leases() => Listed::Leased,
        _ => return Ok(()),
    };
    // "Leases expiring in 2027", not counted: which they are.
    let which = asked.metric == Metric::Expirations && !plan.turns.contains(&Turn::Count);
    if !(plan.lists || named || which) {
        return Ok(());
    }
    let rows = rows(plan, scope, asked.time.day(), listed, view).await?;
    if !rows.is_empty() {
        saying.table("units", table(plan, &rows));
    }
    Ok(())
}

async fn rows(
    plan: &Plan,
    scope: &Scope,
    day: NaiveDate,
    listed: Listed,
    view: &mut dyn Portfolio,
) -> Result<Vec<Letting>> {
    view.lettings(scope.buildings.as_ref(), (scope.space, &plan.only), day, listed)
        .await
}

pub(super) fn building<'a>(plan: &'a Plan, id: &'a str) -> &'a str {
    let found = plan.properties.iter().find(|property| property.id == id);
    found.map_or(id, |property| property.name.as_str())
}

fn table(plan: &Plan, rows: &[Letting]) -> Table {
    let mut table = Table::new(&[
        "Building",
        "Unit",
        "Type",
        "Area (sqft)",
        "Tenant",
        "Until",
        "Rent per month",
    ]);
    let dash = || "–".to_owned();
    for row in rows {
        table.rows.push(vec![
            building(plan, &row.building_id).to_owned(),
            row.unit.clone(),
            row.unit_type.clone().unwrap_or_else(dash),
            shown::value(row.area, "sqft")
                .trim_end_matches(" sqft")
                .to_owned(),
            row.tenant.clone().unwrap_or_else(|| "vacant".to_owned()),
            row.end.map_or_else(dash, day_words),
            match (row.rent, row.market) {
                (Some(rent), _) if row.tenant.is_some() => shown::money(rent, &row.currency),
                (_, Some(market)) => format!("market {}", shown::money(market, &row.currency)),
                _ => dash(),
            },
        ]);
    }
    table
}

/// One unit, a tenant's units, or the leases that end next.
pub(super) async fn units(
    plan: &Plan,
    listed: Listed,
    view: &mut dyn Portfolio,
    saying: &mut Saying,
) -> Result<Failed> {
    let scope = match only(plan) {
        Ok(scope) => scope,
        Err(why) => return Ok(Some(why)),
    };
    let last = Month::of(plan.coverage.as_of);
    let next = plan.turns.contains(&Turn::Next);
    let ahead = plan.times.first().and_then(|when| window(*when, last));
    let stands = plan.times.first().copied().filter(|_| !next);
    let day = match time_for(Metric::Leases, stands.filter(|when| !is_ahead(*when)), None, last) {
        Ok((time, _)) => time.day().min(plan.coverage.as_of),
        Err(why) => return Ok(Some(why)),
    };
    let roll = plan.coverage.roll;
    let month = Month::of(day);
    if (day != month.last_day() && day != plan.coverage.as_of) || month < roll.from || month > roll.to {
        return Ok(Some(format!(
            "The rent roll is kept at the ends of months from {} to {}.",
            roll.from.words(),
            roll.to.words()
        )));
    }
    let listed = if plan.only.unit.is_some() {
        Listed::All
    } else {
        listed
    };
    let mut rows = rows(plan, scope, day, listed, view).await?;
    // Of more units than are read at once no order and no sum would be whole.
    if rows.len() >= READ && !next {
        return Ok(Some(
            "These are more units than I list at once. Please ask for one property.".to_owned(),
        ));
    }
    if next {
        rows.retain(|row| row.end.is_some_and(|end| end >= day));
        if let Some(window) = ahead {
            rows.retain(|row| row.end.is_some_and(|end| window.from <= end && end <= window.to));
        }
        let count = plan.rank.and_then(|rank| rank.count).unwrap_or(1);
        // Those that end on the same day stand together.
        let until = count
            .checked_sub(1)
            .and_then(|at| rows.get(at))
            .and_then(|row| row.end);
        if until.is_some() {
            rows.retain(|row| row.end <= until);
        }
    }
    if let Some(rank) = plan.rank.filter(|_| !next) {
        let of_rent = plan.held.topics.contains(&Topic::Rent);
        let key = |row: &Letting| {
            if of_rent {
                row.rent.unwrap_or(0.0)
            } else {
                row.area
            }
        };
        rows.sort_by(|a, b| {
            let order = key(a).total_cmp(&key(b));
            if rank.most { order.reverse() } else { order }
        });
        let count = rank.count.unwrap_or(1);
        let last = count.checked_sub(1).and_then(|at| rows.get(at)).map(&key);
        // Equal ones stand together.
        let same = |row: &Letting| {
            last.is_some_and(|last| {
                if rank.most {
                    key(row) >= last
                } else {
                    key(row) <= last
                }
            })
        };
        rows.retain(same);
    }
    if rows.is_empty() {
        return Ok(Some(match &plan.only.unit {
            Some(_) => format!("I know of no {}.", scope.label),
            None => format!("No lease is in force for {} on {}.", scope.label, day_words(day)),
        }));
    }
    let monthly: f64 = rows.iter().filter_map(|row| row.rent).sum();
    let currency = rows.first().map_or(String::new(), |row| row.currency.clone());
    let head = |name: &str, definition: &str, subject: Option<String>| Label {
        name: name.to_owned(),
        definition: definition.to_owned(),
        time: Some(Time::Day(day)),
        subject,
    };
    if next {
        saying.sentence(format!("Next to expire of {}:", scope.label));
    } else if let Some(rank) = plan.rank {
        let what = if plan.held.topics.contains(&Topic::Rent) {
            if rank.most {
                "Highest rents"
            } else {
                "Lowest rents"
            }
        } else if rank.most {
            "Largest units"
        } else {
            "Smallest units"
        };
        saying.sentence(format!("{what} of {} as of {}:", scope.label, day_words(day)));
    } else if rows.len() > 1 {
        saying.sentence(format!(
            "{}: {} units as of {}, {} a month together.",
            scope.label,
            rows.len(),
            day_words(day),
            shown::money(monthly, &currency)
        ));
    }
    if listed == Listed::Holdover {
        held_over(plan, &rows, (monthly, &currency), &head, saying);
    }
    for row in rows.iter().take(TOLD) {
        // Doors are numbered, or named: "204", "Suite 204".
        let numbered = row.unit.starts_with(|c: char| c.is_ascii_digit());
        let at = format!(
            "{}{}, {}",
            if numbered { "Unit " } else { "" },
            row.unit,
            building(plan, &row.building_id)
        );
        match (&row.tenant, row.end, row.rent) {
            (Some(tenant), Some(end), Some(rent)) => saying.sentence(format!(
                "{at}: {tenant}, {} a month, lease until {}.",
                shown::money(rent, &row.currency),
                day_words(end)
            )),
            _ => saying.sentence(format!(
                "{at}, {}: vacant as of {}.",
                shown::value(row.area, "sqft"),
                day_words(day)
            )),
        }
        let subject = Some(at);
        let who = |saying: &mut Saying| {
            if let Some(tenant) = &row.tenant {
                let told = "Who has the lease in force.";
                saying.value(head("tenant", told, subject.clone()), json!(tenant), "text");
            }
        };
        // "When does their lease end": that first.
        let ends = plan.held.topics.contains(&Topic::Expire) && !plan.held.topics.contains(&Topic::Tenants);
        if !ends {
            who(saying);
        }
        if let Some(end) = row.end {
            let told = "The end date of the lease in force.";
            saying.value(
                head("lease_end_date", told, subject.clone()),
                json!(end.to_string()),
                "date",
            );
        }
        if ends {
            who(saying);
        }
        if let Some(rent) = row.rent.filter(|_| row.tenant.is_some()) {
            let told = "Monthly rent in effect.";
            saying.value(
                head("monthly_inplace_rent", told, subject),
                json!(rent),
                &row.currency,
            );
        }
    }
    if rows.iter().all(|row| row.tenant.is_none()) {
        saying.value(
            head("vacant_rentable_units", "Units without a lease in force.", None),
            json!(rows.len()),
            "count",
        );
    }
    saying.table("units", table(plan, &rows));
    Ok(None)
}

/// The rent of leases that are held over: by the month, by the year, or on average, as it was asked for.
fn held_over(
    plan: &Plan,
    rows: &[Letting],
    (monthly, currency): (f64, &str),
    head: &dyn Fn(&str, &str, Option<String>) -> Label,
    saying: &mut Saying,
) {
    if rows.iter().any(|row| row.currency != currency) {
        return;
    }
    let count = f64::from(u32::try_from(rows.len()).unwrap_or(u32::MAX));
    let mean = plan.held.topics.contains(&Topic::AverageRent) || plan.turns.contains(&Turn::Average);
    let by_month = plan.turns.contains(&Turn::PerMonth);
    saying.sentence(format!(
        "Rent of the month-to-month leases of {}: {} a month, {} a year; {} on average.",
        plan.scopes.first().map_or("", |scope| scope.label.as_str()),
        shown::money(monthly, currency),
        shown::money(monthly * 12.0, currency),
        shown::money(monthly / count, currency)
    ));
    let told = "Rent in effect of the leases past their end that are held over.";
    let cents = |value: f64| json!((value * 100.0).round() / 100.0);
    let mut said = vec![
        (
            2,
            "avg_rent_per_unit",
            monthly / count,
            format!("{currency}/unit"),
        ),
        (1, "monthly_inplace_rent", monthly, currency.to_owned()),
        (0, "annual_inplace_rent", monthly * 12.0, currency.to_owned()),
    ];
    let first = match (mean, by_month) {
        (true, _) => 2,
        (_, true) => 1,
        _ => 0,
    };
    said.sort_by_key(|(at, ..)| (*at != first, *at));
    for (_, name, value, unit) in said {
        saying.value(head(name, told, None), cents(value), &unit);
    }
}

fn is_ahead(when: When) -> bool {
    matches!(when, When::NextDays(_) | When::NextMonths(_))
}
