//! A figure looked up and set over what it is set over: units, area, months, another quantity, the whole. Every
//! answer takes its figures from here, so that any of them can be split, ranked and compared.

use std::collections::BTreeMap;

use crate::contract::portfolio::Portfolio;
use crate::contract::portfolio::Result;
use crate::portfolio::adding;
use crate::portfolio::fixed::{Asked, of_occupied, query};
use crate::portfolio::moments::stands;
use crate::portfolio::over::Over;
use crate::portfolio::plan::Plan;
use crate::portfolio::scopes::Scope;
use finance::portfolio::calendar::{Month, Span};
use finance::portfolio::metric::{Metric, Tense};
use finance::portfolio::query::{
    Account, Listed, Measure, Only, Part, Point, Query, Split, Term, Time, Window,
};

/// Leases that are read at most.
const READ: usize = 2000;
/// Months of a window that are looked at one by one.
const MONTHS: i32 = 36;

pub(super) async fn measured(
    plan: &Plan,
    asked: &Asked<'_>,
    scope: &Scope,
    split: Option<Split>,
    view: &mut dyn Portfolio,
) -> Result<Measure> {
    let base = query(plan, asked, scope, split);
    if let Some(window) = asked.window
        && let Some(by) = split.filter(|split| split.is_time())
    {
        return windows(&base, window, by, view).await;
    }
    let Some(over) = asked.over else {
        return view.measure(&base).await;
    };
    match over {
        Over::MonthEnds => month_ends(&base, view).await,
        Over::Less(accounts) => less(plan, asked, scope, accounts, &base, view).await,
        Over::Median => median(plan, asked, scope, &base, view).await,
        Over::Buildings => {
            let below = Query {
                metric: Metric::Buildings,
                account: None,
                annualized: false,
                time: Time::Day(base.time.day()),
                ..base.clone()
            };
            let below = view.measure(&below).await?;
            let found = view.measure(&base).await?;
            Ok(quotients(found, &below, |point, below| {
                let unit = format!("{}/property", point.unit);
                divided(point, ("buildings", below.value, &below.unit), unit)
            }))
        }
        Over::Months => {
            let Time::Span(span) = base.time else {
                return view.measure(&base).await;
            };
            let found = view.measure(&base).await?;
            let months = f64::from(span.months());
            Ok(each(found, |_, point| {
                let unit = format!("{}/month", point.unit);
                Some(divided(point, ("months", months, "count"), unit))
            }))
        }
        Over::Units | Over::Area => {
            let (metric, name, word) = match (over, of_occupied(asked.metric)) {
                (Over::Units, false) => (Metric::Units, "units", "unit"),
                (Over::Units, true) => (Metric::OccupiedUnits, "occupied_units", "unit"),
                (_, false) => (Metric::TotalArea, "area", "sqft"),
                (_, true) => (Metric::LeasedArea, "leased_area", "sqft"),
            };
            let below = Query {
                metric,
                account: None,
                annualized: false,
                time: over_time(plan, &base),
                ..base.clone()
            };
            let below = view.measure(&below).await?;
            let found = view.measure(&base).await?;
            Ok(quotients(found, &below, |point, below| {
                let unit = format!("{}/{word}", point.unit);
                divided(point, (name, below.value, &below.unit), unit)
            }))
        }
        Over::Whole => {
            let by = split.filter(|split| split.is_time());
            // Of units and tenants: of all those of the same place.
            let of_units = plan.only.is_of_units();
            let whole = if of_units { scope } else { &plan.whole };
            let mut below = query(plan, asked, whole, by);
            below.only = Only::default();
            let below = view.measure(&below).await?;
            let found = view.measure(&base).await?;
            let Some(all) = below.whole.clone().filter(|_| by.is_none()) else {
                return Ok(quotients(found, &below, share));
            };
            Ok(each(found, |_, point| Some(share(point, &all))))
        }
        Over::Twelfth => {
            let found = view.measure(&base).await?;
            Ok(each(found, |_, mut point| {
                point.value /= 12.0;
                Some(point)
            }))
        }
        Over::Minus(metric, account) => {
            let below = beside(plan, asked, scope, (*metric, account.as_ref()), &base, view).await?;
            let found = view.measure(&base).await?;
            match below {
                Ok(below) => Ok(quotients(found, &below, taken_off)),
                Err(why) => Ok(undefined(why)),
            }
        }
        Over::Plus(parts) => adding::all(plan, asked, scope, parts, &base, view).await,
        Over::Of(metric, account) => of(plan, asked, scope, (*metric, account.as_ref()), &base, view).await,
    }
}

/// An amount without some of its accounts. NOI without an expense is the higher by it.
async fn less(
    plan: &Plan,
    asked: &Asked<'_>,
    scope: &Scope,
    accounts: &[Account],
    base: &Query,
    view: &mut dyn Portfolio,
) -> Result<Measure> {
    let sign = if asked.metric == Metric::Noi { 1.0 } else { -1.0 };
    let mut found = view.measure(base).await?;
    for account in accounts {
        let one = Asked {
            metric: Metric::Account,
            account: Some(account),
            over: None,
            ..*asked
        };
        let part = view.measure(&query(plan, &one, scope, base.split)).await?;
        let parts: BTreeMap<&str, &Point> = part
            .parts
            .iter()
            .map(|part| (part.key.as_str(), &part.point))
            .collect();
        found = each(found, |key, mut point| {
            let own = match key {
                None => part.whole.as_ref(),
                Some(key) => parts.get(key).copied(),
            };
            let own = own.map_or(0.0, |own| own.value);
            point.inputs.push(Term {
                name: "left_out",
                value: own,
                unit: point.unit.clone(),
            });
            point.value += sign * own;
            Some(point)
        });
    }
    Ok(found)
}

/// The middle value of the leases of a scope, or of its buildings.
async fn median(
    plan: &Plan,
    asked: &Asked<'_>,
    scope: &Scope,
    base: &Query,
    view: &mut dyn Portfolio,
) -> Result<Measure> {
    let (values, unit): (Vec<f64>, String) = if asked.metric == Metric::AverageRent {
        let day = base.time.day();
        let narrowed = (scope.space, &plan.only);
        let rows = view
            .lettings(scope.buildings.as_ref(), narrowed, day, Listed::Leased)
            .await?;
        let currency = rows.first().map_or(String::new(), |row| row.currency.clone());
        if rows.len() >= READ || rows.iter().any(|row| row.currency != currency) {
            return Ok(undefined(
                "these are more leases, or more currencies, than I put in order at once",
            ));
        }
        (
            rows.iter().filter_map(|row| row.rent).collect(),
            format!("{currency}/unit"),
        )
    } else {
        let by_building = Query {
            split: Some(Split::Building),
            ..base.clone()
        };
        let found = view.measure(&by_building).await?;
        let unit = found
            .parts
            .first()
            .map_or(String::new(), |part| part.point.unit.clone());
        if found.parts.iter().any(|part| part.point.unit != unit) {
            return Ok(undefined("these are in different currencies"));
        }
        (found.parts.iter().map(|part| part.point.value).collect(), unit)
    };
    let count = f64::from(u32::try_from(values.len()).unwrap_or(u32::MAX));
    let Some(value) = middle(values) else {
        return Ok(undefined("there is nothing to take the middle of"));
    };
    let inputs = vec![Term {
        name: "values",
        value: count,
        unit: "count".to_owned(),
    }];
    Ok(Measure {
        whole: Some(Point { value, unit, inputs }),
        ..Measure::default()
    })
}

/// Of an even number of values the mean of the two in the middle.
fn middle(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    let upper = values.get(half).copied()?;
    if values.len() % 2 == 1 {
        return Some(upper);
    }
    let lower = values.get(half.checked_sub(1)?).copied()?;
    Some(f64::midpoint(lower, upper))
}

/// One quantity over another.
async fn of(
    plan: &Plan,
    asked: &Asked<'_>,
    scope: &Scope,
    other: (Metric, Option<&Account>),
    base: &Query,
    view: &mut dyn Portfolio,
) -> Result<Measure> {
    let below = match beside(plan, asked, scope, other, base, view).await? {
        Ok(below) => below,
        Err(why) => return Ok(undefined(why)),
    };
    let found = view.measure(base).await?;
    if let (None, Some(why)) = (&below.whole, &below.undefined) {
        return Ok(undefined(why));
    }
    Ok(quotients(found, &below, share))
}

/// Another quantity of the same place and time.
async fn beside(
    plan: &Plan,
    asked: &Asked<'_>,
    scope: &Scope,
    (metric, account): (Metric, Option<&Account>),
    base: &Query,
    view: &mut dyn Portfolio,
) -> Result<std::result::Result<Measure, &'static str>> {
    let yearly = matches!(base.time, Time::Span(span) if span.months() == 12);
    let time = match (asked.metric.tense(), metric.tense()) {
        (Tense::Day, Tense::Day) => base.time,
        (Tense::Day, _) => return Ok(Err("what stands on a day is no share of what a period brought")),
        // A part of a year over what stands would be no yearly rate.
        (_, Tense::Day) if !yearly || base.split.is_some_and(Split::is_time) => {
            return Ok(Err(
                "twelve months are needed to set it over what stands on a day",
            ));
        }
        (_, Tense::Day) => over_time(plan, base),
        _ => base.time,
    };
    let other = Asked {
        metric,
        account,
        time,
        window: None,
        over: None,
    };
    Ok(Ok(view.measure(&query(plan, &other, scope, base.split)).await?))
}

/// What is left of an amount without another one.
fn taken_off(point: Point, below: &Point) -> Point {
    let inputs = vec![
        Term {
            name: "amount",
            value: point.value,
            unit: point.unit.clone(),
        },
        Term {
            name: "less",
            value: below.value,
            unit: below.unit.clone(),
        },
    ];
    Point {
        value: point.value - below.value,
        unit: point.unit,
        inputs,
    }
}

fn undefined(why: &str) -> Measure {
    Measure {
        undefined: Some(why.to_owned()),
        ..Measure::default()
    }
}

/// When what a figure is divided by stands: at the end of its period, or month by month.
fn over_time(plan: &Plan, base: &Query) -> Time {
    if base.split.is_some_and(Split::is_time) {
        return base.time;
    }
    stands(Time::Day(base.time.day()), plan.coverage.as_of)
}

fn share(point: Point, below: &Point) -> Point {
    divided(point, ("of", below.value, &below.unit), "percent".to_owned())
}

fn divided(point: Point, (name, below, unit): (&'static str, f64, &str), own: String) -> Point {
    let inputs = vec![
        Term {
            name: "amount",
            value: point.value,
            unit: point.unit,
        },
        Term {
            name,
            value: below,
            unit: unit.to_owned(),
        },
    ];
    Point {
        value: point.value / below,
        unit: own,
        inputs,
    }
}

/// Every value of a measure made another one; those that become none are left out.
fn each(found: Measure, make: impl Fn(Option<&str>, Point) -> Option<Point>) -> Measure {
    let part = |part: Part| {
        let point = make(Some(&part.key), part.point)?;
        Some(Part { point, ..part })
    };
    Measure {
        whole: found.whole.and_then(|point| make(None, point)),
        parts: found.parts.into_iter().filter_map(part).collect(),
        ..found
    }
}

/// Values over those of the same part.
fn quotients(found: Measure, below: &Measure, make: impl Fn(Point, &Point) -> Point) -> Measure {
    let parts: BTreeMap<&str, &Point> = below
        .parts
        .iter()
        .map(|part| (part.key.as_str(), &part.point))
        .collect();
    let mut made = each(found, |key, point| {
        let below = match key {
            None => below.whole.as_ref(),
            Some(key) => parts.get(key).copied(),
        }?;
        (below.value != 0.0).then(|| make(point, below))
    });
    if made.whole.is_none() && made.undefined.is_none() {
        made.undefined = Some("there is nothing to divide it by".to_owned());
    }
    made
}

/// What stands on a day, averaged over the ends of months.
async fn month_ends(base: &Query, view: &mut dyn Portfolio) -> Result<Measure> {
    let Time::Span(span) = base.time else {
        return view.measure(base).await;
    };
    if base.split.is_none() {
        let by_month = Query {
            split: Some(Split::Month),
            ..base.clone()
        };
        let found = view.measure(&by_month).await?;
        let points: Vec<&Point> = found.parts.iter().map(|part| &part.point).collect();
        return Ok(Measure {
            whole: mean(&points),
            parts: Vec::new(),
            ..found
        });
    }
    let mut sums: BTreeMap<String, (String, Vec<Point>)> = BTreeMap::new();
    let mut all = Vec::new();
    for month in span.each() {
        let one = Query {
            time: Time::Day(month.last_day()),
            ..base.clone()
        };
        let found = view.measure(&one).await?;
        if found.undefined.is_some() && found.parts.is_empty() {
            return Ok(found);
        }
        all.extend(found.whole);
        for part in found.parts {
            let known = sums.entry(part.key).or_insert((part.label, Vec::new()));
            known.1.push(part.point);
        }
    }
    let parts = sums.into_iter().filter_map(|(key, (label, points))| {
        let point = mean(&points.iter().collect::<Vec<_>>())?;
        Some(Part { key, label, point })
    });
    Ok(Measure {
        parts: parts.collect(),
        whole: mean(&all.iter().collect::<Vec<_>>()),
        ..Measure::default()
    })
}

fn mean(points: &[&Point]) -> Option<Point> {
    let count = f64::from(u32::try_from(points.len()).ok()?);
    let first = points.first()?;
    Some(Point {
        value: points.iter().map(|point| point.value).sum::<f64>() / count,
        unit: first.unit.clone(),
        inputs: vec![Term {
            name: "month_ends",
            value: count,
            unit: "count".to_owned(),
        }],
    })
}

/// What ends in each month, quarter or year of a window.
async fn windows(base: &Query, window: Window, by: Split, view: &mut dyn Portfolio) -> Result<Measure> {
    let whole = Query {
        split: None,
        ..base.clone()
    };
    let mut measure = view.measure(&whole).await?;
    let (from, to) = (Month::of(window.from), Month::of(window.to));
    if Span::new(from, to).months() > MONTHS {
        return Ok(undefined("that is more months than I look at one by one"));
    }
    let mut at = from;
    while at <= to {
        let end = match by {
            Split::Year => Month::new(at.year(), 12),
            Split::Quarter => Month::new(at.year(), at.quarter() * 3),
            _ => Some(at),
        }
        .unwrap_or(at);
        let part = Window {
            from: window.from.max(at.first_day()),
            to: window.to.min(end.last_day()),
        };
        let one = Query {
            window: Some(part),
            ..whole.clone()
        };
        if let Some(point) = view.measure(&one).await?.whole {
            measure.parts.push(Part {
                key: at.to_string(),
                label: Span::new(at, end.min(to)).words(),
                point,
            });
        }
        at = end.plus(1);
    }
    Ok(measure)
}
