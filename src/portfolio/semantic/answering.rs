//! Answers a valid query: runs its statements on one snapshot of the data and adds notes on what the numbers
//! are based on.

use std::collections::BTreeSet;

use chrono::{Datelike as _, NaiveDate};
use futures_core::future::BoxFuture;
use serde_json::{Map, Value as Json, json};

use crate::base::error::Result as BaseResult;
use crate::base::ids::OrgId;
use crate::db::cells::{Cell, Cells};
use crate::db::snapshot::Snapshot;
use crate::portfolio::model::Buildings;
use crate::portfolio::semantic::answer::{self, Answer, Column, Shape};
use crate::portfolio::semantic::closing::{self, Closing, Covered};
use crate::portfolio::semantic::compile::Plan;
use crate::portfolio::semantic::dates::{Anchor, Granularity};
use crate::portfolio::semantic::model::{Kind, OverTime};
use crate::portfolio::semantic::query::{Group, MAX_BUCKETS, Query, Range, TimeSettings};
use crate::portfolio::semantic::reader;
use crate::portfolio::semantic::refusal::Refusal;
use crate::portfolio::semantic::statement::{Frame, Statement, Value};

/// The organization and the buildings that a query may read.
#[derive(Clone, Debug)]
pub struct Scope {
    pub org: OrgId,
    pub buildings: Buildings,
}

impl Scope {
    /// Whether no building is visible, so that no statement is needed.
    pub fn is_empty(&self) -> bool {
        matches!(&self.buildings, Buildings::Only(ids) if ids.is_empty())
    }

    pub fn frame(self, as_of: NaiveDate) -> Frame {
        Frame {
            org: self.org,
            buildings: self.buildings,
            as_of,
        }
    }
}

/// What an organization's data covers, or `None` if nothing has been imported.
pub async fn covered(snapshot: &mut Snapshot, org: OrgId) -> BaseResult<Option<Covered>> {
    let found: Option<(NaiveDate, NaiveDate, NaiveDate)> = snapshot
        .exec()
        .query("SELECT as_of, first_month, last_month FROM portfolio_state WHERE org_id = $1")
        .bind(org)
        .optional()
        .await?;
    Ok(found.map(|(as_of, first_month, last_month)| Covered {
        as_of,
        first_month,
        last_month,
    }))
}

/// The last day of the data. Without data, the last day of the last full month.
pub fn data_date(covered: Option<Covered>, today: NaiveDate) -> NaiveDate {
    let month = Granularity::Month.start(today);
    covered.map_or_else(|| month.pred_opt().unwrap_or(month), |covered| covered.as_of)
}

pub fn anchor(time_settings: TimeSettings, covered: Option<Covered>, today: NaiveDate) -> Anchor {
    if time_settings.from_today {
        Anchor::today(today)
    } else {
        Anchor::data(data_date(covered, today))
    }
}

/// Currencies of the visible buildings, sorted.
pub fn currencies_of(snapshot: &mut Snapshot, scope: Scope) -> BoxFuture<'_, BaseResult<Vec<String>>> {
    Box::pin(async move {
        if scope.is_empty() {
            return Ok(Vec::new());
        }
        // Any date will do, because the rows of buildings are not dated.
        let frame = scope.frame(NaiveDate::MIN);
        let mut statement = Statement::new(&frame, snapshot.is_sqlite());
        statement
            .push("SELECT DISTINCT currency FROM buildings WHERE org_id = ")
            .bind_org();
        statement
            .push_buildings(" AND ", "id")
            .push(" AND currency IS NOT NULL ORDER BY currency LIMIT ")
            .bind(Value::Whole(100));
        let rows = statement.run(snapshot).await?;
        let texts = rows
            .into_iter()
            .filter_map(|Cells(cells)| match cells.into_iter().next() {
                Some(Cell::Text(text)) => Some(text),
                _ => None,
            });
        Ok(texts.collect())
    })
}

/// Reads the rows of a query, one more than its limit, and returns how they were closed over time.
async fn rows_of(
    snapshot: &mut Snapshot,
    scope: Scope,
    query: &Query,
    covered: Option<Covered>,
    today: NaiveDate,
) -> BaseResult<(Vec<Cells>, Closing)> {
    let closing = closing::of(query, covered);
    if scope.is_empty() {
        return Ok((Vec::new(), closing));
    }
    let frame = scope.frame(query.as_of.unwrap_or_else(|| data_date(covered, today)));
    let plan = Plan { query, closing };
    let rows = plan.rows(&frame, snapshot.is_sqlite()).run(snapshot).await?;
    Ok((rows, plan.closing))
}

pub async fn answered(
    snapshot: &mut Snapshot,
    scope: Scope,
    query: &Query,
    covered: Option<Covered>,
    today: NaiveDate,
) -> BaseResult<Result<Answer, Refusal>> {
    let (mut rows, closing) = rows_of(snapshot, scope.clone(), query, covered, today).await?;
    let plan = Plan { query, closing };
    let limit = usize::try_from(query.limit).unwrap_or(usize::MAX);
    let more = rows.len() > limit;
    rows.truncate(limit);
    let mut columns = answer::columns(query, plan.by_currency());
    if too_many_buckets(query, &rows) {
        return Ok(Err(reader::too_many_buckets()));
    }
    let mut currency = None;
    let mut warnings = Vec::new();
    if let Some(at) = columns
        .iter()
        .position(|column| matches!(column.shape, Shape::Currency))
    {
        let of_buildings = currencies_of(snapshot, scope.clone()).await?;
        let money = Money::of(&rows, at, of_buildings);
        if let Money::Mixed = money {
            warnings.push(
                "The money is of several currencies: there is a row for each, and nothing is summed over them."
                    .to_owned(),
            );
        } else {
            columns.remove(at);
            for Cells(cells) in &mut rows {
                cells.remove(at);
            }
        }
        currency = money.single();
    }
    let total = if !query.total {
        None
    } else if scope.is_empty() {
        Some(0)
    } else {
        let frame = scope.frame(query.as_of.unwrap_or_else(|| data_date(covered, today)));
        let found = plan.total(&frame, snapshot.is_sqlite()).run(snapshot).await?;
        match found.first().and_then(|Cells(cells)| cells.first()) {
            Some(Cell::Int(total)) => Some(*total),
            _ => None,
        }
    };
    let as_of = as_of(&plan, covered);
    warnings.extend(notes(&plan, covered));
    let mut answer = Answer {
        data: Json::Null,
        annotation: answer::annotation(query, currency.as_deref()),
        row_count: 0,
        limit: query.limit,
        offset: query.offset,
        truncated: more,
        total,
        as_of: as_of.map(|day| day.to_string()),
        date_ranges: ranges(query),
        currency,
        warnings,
    };
    let mixed = columns
        .iter()
        .position(|column| matches!(column.shape, Shape::Currency));
    let values: Vec<Vec<Json>> = rows
        .iter()
        .map(|Cells(cells)| {
            let own = mixed.and_then(|at| cells.get(at)).and_then(|cell| match cell {
                Cell::Text(text) => Some(text.as_str()),
                _ => None,
            });
            let currency = own.or(answer.currency.as_deref());
            let pairs = cells.iter().zip(columns.iter());
            pairs
                .map(|(cell, column): (&Cell, &Column)| answer::shown(cell, column.shape, currency))
                .collect()
        })
        .collect();
    answer.fill(query.format, &columns, &values);
    if answer.row_count < values.len() {
        answer.truncated = true;
        answer.warnings.push(format!(
            "The answer is bounded to {} KiB: {} of {} rows are here; go on with offset {}.",
            answer::MAX_BYTES / 1024,
            answer.row_count,
            values.len(),
            query.offset + i64::try_from(answer.row_count).unwrap_or(0),
        ));
    }
    Ok(Ok(answer))
}

/// The currencies that occur in the visible rows.
enum Money {
    None,
    One(String),
    Mixed,
}

impl Money {
    fn of(rows: &[Cells], at: usize, of_buildings: Vec<String>) -> Self {
        let mut all = of_buildings;
        for Cells(cells) in rows {
            match cells.get(at) {
                Some(Cell::Text(text)) if !all.contains(text) => all.push(text.clone()),
                _ => {}
            }
        }
        match <[String; 1]>::try_from(all) {
            Ok([one]) => Self::One(one),
            Err(all) if all.is_empty() => Self::None,
            Err(_) => Self::Mixed,
        }
    }

    fn single(self) -> Option<String> {
        match self {
            Self::One(one) => Some(one),
            Self::None | Self::Mixed => None,
        }
    }
}

/// Without a range, the data determines the number of buckets.
fn too_many_buckets(query: &Query, rows: &[Cells]) -> bool {
    let Some(at) = query.groups.iter().position(Group::bucketed) else {
        return false;
    };
    let mut seen: Vec<&Cell> = rows.iter().filter_map(|Cells(cells)| cells.get(at)).collect();
    seen.dedup();
    if seen.len() <= MAX_BUCKETS {
        return false;
    }
    let different: BTreeSet<&str> = seen
        .into_iter()
        .filter_map(|cell| match cell {
            Cell::Text(day) => Some(day.as_str()),
            _ => None,
        })
        .collect();
    different.len() > MAX_BUCKETS
}

fn ranges(query: &Query) -> Map<String, Json> {
    let mut ranges = Map::new();
    for range in &query.ranges {
        let days = [range.days.first.to_string(), range.days.last.to_string()];
        ranges.insert(range.dimension.name.to_owned(), json!(days));
    }
    ranges
}

/// The date that the numbers are as of.
fn as_of(plan: &Plan<'_>, covered: Option<Covered>) -> Option<NaiveDate> {
    if let Some(day) = plan.query.as_of {
        return Some(day);
    }
    if let Closing::Months(months) = &plan.closing {
        return months.last().map(|month| month_end(*month));
    }
    let stands = covered?.as_of;
    Some(closing::range(plan.query).map_or(stands, |days| days.last.min(stands)))
}

fn month_end(month: NaiveDate) -> NaiveDate {
    let next = Granularity::Month.next(month);
    next.and_then(|next| next.pred_opt()).unwrap_or(month)
}

/// Notes for the reader of the numbers.
fn notes(plan: &Plan<'_>, covered: Option<Covered>) -> Vec<String> {
    let query = plan.query;
    let mut notes = Vec::new();
    for range in query.ranges.iter().filter(|range| range.widened) {
        notes.push(format!(
            "{} is kept by month: the range was widened to whole months.",
            range.dimension.name
        ));
    }
    let model = query.model;
    match (&plan.closing, model.over_time) {
        (Closing::Months(months), _) => notes.push(match months.as_slice() {
            [] => format!("There is no month with {} data in the range.", model.name),
            [one] => format!(
                "{} is a snapshot and does not add up over time: the numbers are those of the last month in the range, \
                 {:04}-{:02}.",
                model.title,
                one.year(),
                one.month(),
            ),
            _ => format!(
                "{} is a snapshot and does not add up over time: the numbers are those of the last month in each \
                 bucket.",
                model.title
            ),
        }),
        (Closing::Ranked, OverTime::Latest { .. }) => {
            let names: Vec<&str> = query
                .measures
                .iter()
                .filter(|one| one.of.snapshot)
                .map(|one| one.name)
                .collect();
            let within = closing::bucket(query).map_or("the range", |_| "each bucket");
            notes.push(format!(
                "Snapshots do not add up over time: {} counts the latest in {within}.",
                names.join(", ")
            ));
        }
        (Closing::Ranked, _) => notes.push(format!(
            "{} is a snapshot and does not add up over time: the numbers are those of the last month that the filters \
             leave.",
            model.title
        )),
        (Closing::Every, _) => {}
    }
    let Some(covered) = covered else {
        notes.push("Nothing was imported yet.".to_owned());
        return notes;
    };
    let by_month = |range: &&Range| range.dimension.of.kind == Kind::Month;
    for range in query.ranges.iter().filter(by_month) {
        if range.days.first > covered.as_of {
            notes.push(format!(
                "The data ends on {}, before the range begins.",
                covered.as_of
            ));
        } else if range.days.last > covered.as_of {
            notes.push(format!(
                "The data ends on {}, before the range does.",
                covered.as_of
            ));
        }
    }
    notes
}
