//! Answers that are lists of leases: rollover by year, the largest tenants.

use serde_json::{Map, Value, json};

use crate::contract::portfolio::Portfolio;
use crate::contract::portfolio::Result;
use crate::portfolio::lexicon::{Topic, Turn};
use crate::portfolio::moments::{stands_told, time_for};
use crate::portfolio::plan::Plan;
use crate::portfolio::say::{Label, Saying};
use crate::portfolio::scopes::Scope;
use crate::portfolio::shown::{self, Table};
use finance::portfolio::calendar::{Month, day_words};
use finance::portfolio::metric::Metric;
use finance::portfolio::query::{Rollover, Tenant, Time};

type Failed = Option<String>;

/// Tenants that are listed where no order is asked for.
const ALL_TENANTS: usize = 100;
/// Tenants that are listed where the largest are asked for and no number was named.
const TENANTS: usize = 5;

pub(super) fn only(plan: &Plan) -> std::result::Result<&Scope, String> {
    match plan.scopes.as_slice() {
        [only] => Ok(only),
        _ => Err("Please ask for that list for one place at a time.".to_owned()),
    }
}

/// The day a rent roll is read for.
fn day_of(plan: &Plan, metric: Metric) -> std::result::Result<(chrono::NaiveDate, Option<String>), String> {
    let last = Month::of(plan.coverage.as_of);
    let (time, told) = time_for(metric, plan.times.first().copied(), None, last)?;
    let as_of = plan.coverage.as_of;
    let (time, told) = stands_told(time, told, as_of);
    let day = time.day();
    let roll = plan.coverage.roll;
    let month = Month::of(day);
    if day != month.last_day() && day != as_of || month < roll.from || month > roll.to {
        return Err(format!(
            "The rent roll is kept at the ends of months from {} to {}.",
            roll.from.words(),
            roll.to.words()
        ));
    }
    Ok((day, told))
}

pub(super) async fn rollover(plan: &Plan, view: &mut dyn Portfolio, saying: &mut Saying) -> Result<Failed> {
    let (scope, (day, told)) = match (only(plan), day_of(plan, Metric::WaltByRent)) {
        (Ok(scope), Ok(day)) => (scope, day),
        (Err(why), _) | (_, Err(why)) => return Ok(Some(why)),
    };
    if let Some(told) = told {
        saying.remark(&told);
    }
    let rows = view.rollover(scope.buildings.as_ref(), scope.space, day).await?;
    if rows.is_empty() {
        return Ok(Some(format!(
            "No lease is in force for {} on {}.",
            scope.label,
            day_words(day)
        )));
    }
    let many = rows
        .iter()
        .any(|row| Some(&row.currency) != rows.first().map(|first| &first.currency));
    let key = |row: &Rollover| {
        let year = row
            .year
            .map_or_else(|| "holdover".to_owned(), |year| year.to_string());
        if many {
            format!("{year} {}", row.currency)
        } else {
            year
        }
    };
    let leases: i64 = rows.iter().map(|row| row.leases).sum();
    let most = rows
        .iter()
        .max_by(|a, b| a.annual_rent.total_cmp(&b.annual_rent))
        .map_or_else(String::new, |row| {
            format!(
                ", most of it in {} ({} of rent)",
                key(row),
                shown::value(row.share_of_rent, "percent")
            )
        });
    saying.sentence(format!(
        "Lease rollover of {} as of {}: {leases} leases in force{most}.",
        scope.label,
        day_words(day)
    ));
    let mut values = Map::new();
    let mut table = Table::new(&[
        "Year",
        "Leases",
        "Area (sqft)",
        "Annual rent",
        "Share of rent",
        "Share of area",
    ]);
    for row in &rows {
        values.insert(
            key(row),
            json!({
                "leases": row.leases,
                "area_sqft": row.area,
                "annual_rent": row.annual_rent,
                "pct_of_rent": row.share_of_rent,
                "pct_of_area": row.share_of_area,
            }),
        );
        table.rows.push(vec![
            key(row),
            row.leases.to_string(),
            shown::value(row.area, "sqft")
                .trim_end_matches(" sqft")
                .to_owned(),
            shown::money(row.annual_rent, &row.currency),
            shown::value(row.share_of_rent, "percent"),
            shown::value(row.share_of_area, "percent"),
        ]);
    }
    let time = Some(Time::Day(day));
    let head = Label {
        name: "rollover_by_year".to_owned(),
        definition: "Leases in force by the calendar year of their end date; annual rent = monthly rent in effect × 12; \
                     leases past their end (holdover) in a line of their own."
            .to_owned(),
        time,
        subject: None,
    };
    saying.value(head, Value::Object(values), "table");
    for row in &rows {
        let one = Label {
            name: Metric::RolloverShareOfRent.word().to_owned(),
            definition: Metric::RolloverShareOfRent.definition(),
            time,
            subject: Some(key(row)),
        };
        saying.value(one, json!(row.share_of_rent), "percent");
    }
    saying.table("rollover_by_year", table);
    Ok(None)
}

/// "How many tenants do we have?"
fn counted(plan: &Plan, scope: &Scope, count: usize, day: chrono::NaiveDate, saying: &mut Saying) -> Failed {
    if plan.rank.is_some() {
        return Some("Do you want the number of tenants, or the largest of them?".to_owned());
    }
    saying.sentence(format!(
        "{count} tenants have a lease in force in {} on {}.",
        scope.label,
        day_words(day)
    ));
    let head = Label {
        name: "tenants".to_owned(),
        definition: "Tenants with a lease in force, each once however many leases it has.".to_owned(),
        time: Some(Time::Day(day)),
        subject: None,
    };
    saying.value(head, json!(count), "count");
    None
}

/// "What share do our top five pay?": all of them as one.
fn together(plan: &Plan, rows: &[Tenant], time: Option<Time>, saying: &mut Saying) {
    let currency = rows.first().map_or("", |row| row.currency.as_str());
    let asked = plan.turns.contains(&Turn::Share) || plan.held.topics.contains(&Topic::Concentration);
    if !asked || rows.len() < 2 || rows.iter().any(|row| row.currency != currency) {
        return;
    }
    let (share, rent): (f64, f64) = (
        rows.iter().map(|row| row.share).sum(),
        rows.iter().map(|row| row.annual_rent).sum(),
    );
    saying.sentence(format!(
        "These {} together pay {} a year, {} of the rent.",
        rows.len(),
        shown::money(rent, currency),
        shown::value(share, "percent")
    ));
    let head = |name: &str, definition: &str| Label {
        name: name.to_owned(),
        definition: definition.to_owned(),
        time,
        subject: None,
    };
    let of_rent = "Rent in effect of these tenants ÷ rent in effect of all leases counted.";
    saying.value(head("top_tenants_share", of_rent), json!(share), "percent");
    let of_year = "Monthly rent in effect of these tenants × 12.";
    saying.value(head("top_tenants_annual_rent", of_year), json!(rent), currency);
}

pub(super) async fn tenants(plan: &Plan, view: &mut dyn Portfolio, saying: &mut Saying) -> Result<Failed> {
    let (scope, (day, told)) = match (only(plan), day_of(plan, Metric::AnnualRent)) {
        (Ok(scope), Ok(day)) => (scope, day),
        (Err(why), _) | (_, Err(why)) => return Ok(Some(why)),
    };
    if let Some(told) = told {
        saying.remark(&told);
    }
    let smallest = plan.rank.is_some_and(|rank| !rank.most);
    let mut rows = view
        .tenants(scope.buildings.as_ref(), (scope.space, &plan.only), day)
        .await?;
    if plan.turns.contains(&Turn::Count) {
        return Ok(counted(plan, scope, rows.len(), day, saying));
    }
    let by_area = plan.turns.contains(&Turn::ByArea);
    if by_area {
        rows.sort_by(|a, b| b.area.total_cmp(&a.area));
    }
    if smallest {
        rows.reverse();
    }
    // "Our tenants": all of them; "the largest tenants" some.
    rows.truncate(match plan.rank {
        Some(rank) => rank.count.unwrap_or(TENANTS),
        None => ALL_TENANTS,
    });
    let Some(first) = rows.first() else {
        return Ok(Some(format!(
            "No lease is in force for {} on {}.",
            scope.label,
            day_words(day)
        )));
    };
    saying.sentence(format!(
        "The {} tenants of {} by {} as of {}: {}, with {}{} a year ({} of rent){}.",
        if smallest { "smallest" } else { "largest" },
        scope.label,
        if by_area { "leased area" } else { "rent in effect" },
        day_words(day),
        first.name,
        if by_area {
            format!("{} and ", shown::value(first.area, "sqft"))
        } else {
            String::new()
        },
        shown::money(first.annual_rent, &first.currency),
        shown::value(first.share, "percent"),
        if rows.len() > 1 {
            ", before the others below"
        } else {
            ""
        }
    ));
    let time = Some(Time::Day(day));
    together(plan, &rows, time, saying);
    let value =
        |row: &Tenant| json!({ "tenant": row.name, "annual_rent": row.annual_rent, "share": row.share });
    let head = Label {
        name: "top_tenants".to_owned(),
        definition: "Leases in force by tenant; annual rent = monthly rent in effect × 12; share of the rent in effect of \
                     all leases counted."
            .to_owned(),
        time,
        subject: None,
    };
    saying.value(head, Value::Array(rows.iter().map(value).collect()), "table");
    let mut table = Table::new(&["Tenant", "Leases", "Area (sqft)", "Annual rent", "Share of rent"]);
    for row in &rows {
        table.rows.push(vec![
            row.name.clone(),
            row.leases.to_string(),
            shown::value(row.area, "sqft")
                .trim_end_matches(" sqft")
                .to_owned(),
            shown::money(row.annual_rent, &row.currency),
            shown::value(row.share, "percent"),
        ]);
        let one = Label {
            name: "tenant_annual_rent".to_owned(),
            definition: "Monthly rent in effect of the tenant's leases × 12.".to_owned(),
            time,
            subject: Some(row.name.clone()),
        };
        saying.value(one, json!(row.annual_rent), &row.currency);
    }
    saying.table("top_tenants", table);
    Ok(None)
}
