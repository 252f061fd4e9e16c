//! `portfolio_metric`: one metric of the visible buildings, over a period, split or not.

use std::collections::BTreeSet;

use calls::result::{Computed, Figure, Refusal, Step, Table};
use calls::words::nearest;
use chrono::NaiveDate;
use finance::portfolio::calendar::{Month, Span, day_words};
use finance::portfolio::metric::{Metric, Tense};
use finance::portfolio::query::{Catalog, Coverage, Measure, Query, Split, Time, Window};
use serde::Deserialize;
use serde_json::{Value, json};
use tables::letters::name_key;

use crate::analysis::engine::UsedModel;
use crate::analysis::tools::portfolio::{PortfolioTool, View};
use crate::analysis::tools::typed::catalog::metrics;
use crate::analysis::tools::typed::figures::arguments_of;
use crate::analysis::tools::typed::given::{About, Found, Given};
use crate::base::error::Result;
use crate::portfolio::semantic::dates::{self, Anchor, Days};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    metric: String,
    #[serde(default)]
    buildings: Vec<String>,
    period: Option<String>,
    split: Option<Split>,
}

/// Computes the metric. The connection is given back before this returns.
pub(super) async fn run(tool: &PortfolioTool, today: NaiveDate, arguments: &Value) -> Result<Found> {
    let asked: Asked = match arguments_of("portfolio_metric", arguments) {
        Ok(asked) => asked,
        Err(refusal) => return Ok(Found::refused(refusal)),
    };
    let mut view = tool.view().await?;
    let found = computed(&mut view, today, asked).await;
    view.end().await?;
    found
}

async fn computed(view: &mut View, today: NaiveDate, asked: Asked) -> Result<Found> {
    let catalog = view.catalog().await?;
    let query = match query(&asked, &catalog, today) {
        Ok(query) => query,
        Err(refusal) => return Ok(Found::refused(refusal)),
    };
    let measure = view.measure(&query).await?;
    let as_of = catalog.coverage.map_or(today, |coverage| coverage.as_of);
    let models = view.used().into_iter().map(|model| UsedModel {
        name: model.name,
        title: model.title,
        as_of,
    });
    Ok(Found {
        models: models.collect(),
        given: given(&query, measure),
    })
}

fn query(asked: &Asked, catalog: &Catalog, today: NaiveDate) -> Result<Query, Refusal> {
    let metric = Metric::from_word(asked.metric.trim())
        .filter(|metric| metrics().any(|known| known == *metric))
        .ok_or_else(|| {
            let near = nearest(
                &asked.metric,
                metrics().map(|metric| (metric.word(), metric.label())),
            );
            let what = format!("\"{}\" is no metric of the portfolio.", asked.metric);
            Refusal::near("unknown_word", what, near)
        })?;
    let coverage = catalog
        .coverage
        .ok_or_else(|| Refusal::failure("no_result", "No portfolio data was imported yet."))?;
    let range = match asked
        .period
        .as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty())
    {
        Some(text) => Some(range(text, coverage, today)?),
        None => None,
    };
    let mut query = Query::of(metric, time(metric, range, coverage));
    if metric.needs().ends
        && let Some(Days { first, last }) = range
    {
        query.window = Some(Window {
            from: first,
            to: last,
        });
        query.time = Time::Day(coverage.as_of);
    }
    if !asked.buildings.is_empty() {
        query.buildings = Some(buildings(&asked.buildings, catalog)?);
    }
    query.split = asked.split;
    Ok(query)
}

/// A day or a range of days in the words of a date range of `portfolio_query`.
fn range(text: &str, coverage: Coverage, today: NaiveDate) -> Result<Days, Refusal> {
    let anchor = Anchor::data(coverage.as_of);
    let written = text.split_once(" to ");
    let range = written
        .and_then(|(first, last)| dates::between(first, last))
        .or_else(|| dates::one(text, anchor))
        .or_else(|| dates::one(text, Anchor::today(today)));
    range.ok_or_else(|| {
        let what = format!(
            "\"{text}\" is no period. Write \"2025\", \"2025-03\", \"2025-01 to 2025-06\", \"last 12 months\" or \
             \"this year\"; the data ends on {}.",
            coverage.as_of
        );
        Refusal::failure("bad_value", what)
    })
}

/// The time of the query: the range, else the latest day, or the latest twelve months.
fn time(metric: Metric, range: Option<Days>, coverage: Coverage) -> Time {
    match (metric.tense(), range) {
        (Tense::Day, Some(days)) => Time::Day(days.last.min(coverage.as_of)),
        (Tense::Day, None) => Time::Day(coverage.as_of),
        (Tense::Span | Tense::Both, Some(days)) => {
            Time::Span(Span::new(Month::of(days.first), Month::of(days.last)))
        }
        (Tense::Span | Tense::Both, None) => Time::Span(Span::ending(Month::of(coverage.as_of), 12)),
    }
}

/// The identifiers of buildings by name or identifier, whole and without case.
fn buildings(names: &[String], catalog: &Catalog) -> Result<BTreeSet<String>, Refusal> {
    let same = |a: &str, b: &str| name_key(a.trim()) == name_key(b.trim());
    let known = &catalog.buildings;
    names
        .iter()
        .map(|name| {
            let found = known
                .iter()
                .find(|building| same(&building.name, name) || building.id == *name);
            found.map(|building| building.id.clone()).ok_or_else(|| {
                let mut near = nearest(
                    name,
                    known
                        .iter()
                        .map(|building| (building.name.as_str(), building.name.as_str())),
                );
                if near.is_empty() {
                    near = known
                        .iter()
                        .take(20)
                        .map(|building| building.name.clone())
                        .collect();
                }
                Refusal::near("unknown_word", format!("There is no building \"{name}\"."), near)
            })
        })
        .collect()
}

fn given(query: &Query, measure: Measure) -> Given {
    let metric = query.metric;
    let (period, as_of) = match (query.window, query.time) {
        (Some(window), _) => (Some(format!("{} to {}", window.from, window.to)), None),
        (None, Time::Day(day)) => (None, Some(day)),
        (None, Time::Span(span)) => (Some(span.words()), None),
    };
    if let Some(why) = measure.undefined.filter(|_| measure.parts.is_empty()) {
        let what = format!("{}: {why}.", metric.label());
        return Given::Error(Refusal::failure("no_result", what));
    }
    let mut computed = Computed::default();
    if let Some(point) = measure.whole {
        let figure = Figure::new(metric.word(), metric.label(), json!(point.value), &point.unit);
        computed.figures.push(figure.meaning(&metric.definition()));
        let inputs: Vec<(&str, f64)> = point.inputs.iter().map(|term| (term.name, term.value)).collect();
        if !inputs.is_empty() {
            let step = Step::new(metric.word(), metric.info().definition, point.value, &inputs);
            computed.steps.push(step);
        }
    }
    if !measure.parts.is_empty() {
        let split = query.split.map_or("part", Split::word);
        let mut table = Table::new(&[split, metric.word(), "unit"]);
        for part in measure.parts {
            table.rows.push(vec![
                json!(part.label),
                json!(part.point.value),
                json!(part.point.unit),
            ]);
        }
        computed.table = Some(table);
    }
    let mut warnings = measure.warnings;
    if let (Some(day), true) = (as_of, query.split.is_none()) {
        warnings.push(format!("As of {}.", day_words(day)));
    }
    Given::Outcome(
        Ok(computed),
        About {
            period,
            as_of,
            warnings,
        },
    )
}
