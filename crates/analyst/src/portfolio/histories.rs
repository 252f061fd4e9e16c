//! Answers about the buildings themselves: when they were built and bought, for how much, and which carry no debt.

use std::collections::BTreeSet;

use chrono::Datelike as _;
use serde_json::json;

use crate::contract::portfolio::Portfolio;
use crate::contract::portfolio::Result;
use crate::portfolio::fixed::union;
use crate::portfolio::lexicon::Topic;
use crate::portfolio::plan::Plan;
use crate::portfolio::say::{Label, Saying};
use crate::portfolio::shown::{self, Table};
use crate::portfolio::times::When;
use finance::portfolio::calendar::{Month, Span, day_words};
use finance::portfolio::metric::Metric;
use finance::portfolio::query::{Property, Query, Split, Time};

type Failed = Option<String>;

fn chosen(plan: &Plan) -> Vec<&Property> {
    let scope = union(plan);
    let within = scope.of_group.as_ref().or(scope.buildings.as_ref());
    let all = plan.properties.iter();
    all.filter(|property| within.is_none_or(|ids| ids.contains(&property.id)))
        .collect()
}

fn span_of(when: When) -> Option<Span> {
    match when {
        When::Span(span) => Some(span),
        When::End(month) => Some(Span::new(month, month)),
        When::Trailing { months, to } => Some(Span::ending(to, months)),
        _ => None,
    }
}

/// When buildings were built or bought.
pub(super) async fn facts(
    plan: &Plan,
    asked: &[Topic],
    view: &mut dyn Portfolio,
    saying: &mut Saying,
) -> Result<Failed> {
    if !plan.only.is_of_units() && !plan.turns.is_empty() && plan.over.is_some() {
        return Ok(Some(
            "I know when buildings were built and bought, no more than that.".to_owned(),
        ));
    }
    let built = asked.contains(&Topic::Built);
    let date = |property: &Property| {
        if built {
            i32::try_from(property.year_built?)
                .ok()
                .and_then(|year| Month::new(year, 1))
        } else {
            property.acquired_date.map(Month::of)
        }
    };
    let mut rows = chosen(plan);
    let all = rows.len();
    if let Some(when) = plan.times.first() {
        let Some(span) = span_of(*when) else {
            return Ok(Some(
                "Since when, or until when? For instance “after 2020”.".to_owned(),
            ));
        };
        rows.retain(|property| date(property).is_some_and(|month| span.from <= month && month <= span.to));
    }
    if let [bound, ..] = plan.bounds.as_slice() {
        rows.retain(|property| {
            let year = date(property).map(|month| f64::from(month.year()));
            year.is_some_and(|year| {
                if bound.above == Some(true) {
                    year > bound.value
                } else {
                    year < bound.value
                }
            })
        });
    }
    // Building prices are of the same data.
    let price = prices(plan, view).await?;
    if let Some(rank) = plan.rank {
        rows.sort_by_key(|property| date(property));
        if rank.most {
            rows.reverse();
        }
        rows.truncate(rank.count.unwrap_or(1));
    } else if rows.len() > 1 {
        rows.sort_by_key(|property| date(property));
    }
    let verb = if built { "built" } else { "bought" };
    let label = |name: &str, definition: &str, subject: &str| Label {
        name: name.to_owned(),
        definition: definition.to_owned(),
        time: None,
        subject: Some(subject.to_owned()),
    };
    let named: Vec<&str> = rows.iter().map(|property| property.name.as_str()).collect();
    if rows.is_empty() {
        saying.sentence(format!("None of the {all} properties was {verb} then."));
        let head = label("buildings", "Properties of which that is true.", "all");
        saying.value(head, json!(0), "count");
        return Ok(None);
    }
    if rows.len() > 1 || !plan.times.is_empty() {
        saying.sentence(format!(
            "{} of {all} properties: {}.",
            rows.len(),
            named.join(", ")
        ));
    }
    let mut table = Table::new(&["Building", "Built", "Bought", "Price"]);
    let dash = || "–".to_owned();
    for property in &rows {
        let paid = price.iter().find(|(id, ..)| *id == property.id);
        if rows.len() == 1 {
            match (built, property.year_built, property.acquired_date) {
                (true, Some(year), _) => saying.sentence(format!("{} was built in {year}.", property.name)),
                (false, _, Some(day)) => saying.sentence(format!(
                    "{} was bought on {}{}.",
                    property.name,
                    day_words(day),
                    paid.map_or_else(String::new, |(_, value, currency)| format!(
                        " for {}",
                        shown::money(*value, currency)
                    ))
                )),
                _ => return Ok(Some(format!("I do not know when {} was {verb}.", property.name))),
            }
        }
        if built && let Some(year) = property.year_built {
            saying.value(
                label("year_built", "The year the building was built.", &property.name),
                json!(year),
                "year",
            );
        }
        if let Some(day) = property.acquired_date.filter(|_| !built) {
            let told = "The day the building was bought.";
            saying.value(
                label("acquired_date", told, &property.name),
                json!(day.to_string()),
                "date",
            );
        }
        if let Some((_, value, currency)) = paid.filter(|_| !built) {
            let head = label(
                Metric::PurchasePrice.word(),
                &Metric::PurchasePrice.definition(),
                &property.name,
            );
            saying.value(head, json!(value), currency);
        }
        table.rows.push(vec![
            property.name.clone(),
            property.year_built.map_or_else(dash, |year| year.to_string()),
            property
                .acquired_date
                .map_or_else(dash, |day| format!("{} ({})", day_words(day), day.year())),
            paid.map_or_else(dash, |(_, value, currency)| shown::money(*value, currency)),
        ]);
    }
    if rows.len() > 1 {
        saying.table("properties", table);
    }
    Ok(None)
}

/// What was paid for each building.
async fn prices(plan: &Plan, view: &mut dyn Portfolio) -> Result<Vec<(String, f64, String)>> {
    let query = Query {
        split: Some(Split::Building),
        ..Query::of(Metric::PurchasePrice, Time::Day(plan.coverage.as_of))
    };
    let found = view.measure(&query).await?;
    Ok(found
        .parts
        .into_iter()
        .map(|part| (part.key, part.point.value, part.point.unit))
        .collect())
}

/// Buildings without a loan.
pub(super) async fn unlevered(plan: &Plan, view: &mut dyn Portfolio, saying: &mut Saying) -> Result<Failed> {
    let rows = chosen(plan);
    let scope = union(plan);
    let within = scope.of_group.as_ref().or(scope.buildings.as_ref());
    let loans = view.loans(within, plan.coverage.as_of).await?;
    let owing: BTreeSet<&str> = loans.iter().map(|loan| loan.building_id.as_str()).collect();
    let free: Vec<&&Property> = rows
        .iter()
        .filter(|property| !owing.contains(property.id.as_str()))
        .collect();
    saying.listed = free
        .iter()
        .map(|property| (property.id.clone(), property.name.clone()))
        .collect();
    let names: Vec<&str> = free.iter().map(|property| property.name.as_str()).collect();
    saying.sentence(if names.is_empty() {
        format!("All of {} carry debt.", scope.label)
    } else {
        format!(
            "{} of {} carry no debt as of {}: {}.",
            names.len(),
            scope.label,
            day_words(plan.coverage.as_of),
            names.join(", ")
        )
    });
    let ids: Vec<&str> = free.iter().map(|property| property.id.as_str()).collect();
    let head = Label {
        name: "buildings_without_debt".to_owned(),
        definition: "Properties on which no loan rests.".to_owned(),
        time: Some(Time::Day(plan.coverage.as_of)),
        subject: None,
    };
    saying.value(head, json!(ids), "building_ids");
    Ok(None)
}
