//! Buildings held against bounds of several figures, and what is asked of those that keep to them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use crate::contract::portfolio::Portfolio;
use crate::contract::portfolio::Result;
use crate::portfolio::ask::What;
use crate::portfolio::bounded::Condition;
use crate::portfolio::computing::measured;
use crate::portfolio::fixed::{Asked, called, capital, definition, fix, label, union, when_words, word};
use crate::portfolio::lexicon::Turn;
use crate::portfolio::plan::Plan;
use crate::portfolio::say::{Label, Saying};
use crate::portfolio::scopes::Scope;
use crate::portfolio::shown::{self, Table};
use crate::portfolio::splits::counted;
use finance::portfolio::query::{Point, Split};

/// What became of the bounds.
pub(super) enum Held {
    /// They were all that was asked for.
    Said,
    /// The rest of the question is asked of those that keep to them.
    Narrowed(Box<Plan>),
    Failed(String),
}

/// Parts by their key: what they are called, and the figure of each condition.
type Rows = BTreeMap<String, (String, Vec<Point>)>;

pub(super) async fn hold(plan: &Plan, view: &mut dyn Portfolio, saying: &mut Saying) -> Result<Held> {
    let split = plan.split.unwrap_or(Split::Building);
    if plan.times.len() > 1 || plan.rank.is_some() || split.is_time() {
        return Ok(Held::Failed(
            "I hold places against several bounds at one time only. Please ask for one bound, or for one period."
                .to_owned(),
        ));
    }
    let scope = union(plan);
    let mut rows = Rows::new();
    let mut fixed = Vec::new();
    for (at, condition) in plan.conditions.iter().enumerate() {
        let asked = match asked_of(plan, condition, split, saying) {
            Ok(asked) => asked,
            Err(why) => return Ok(Held::Failed(why)),
        };
        let found = measured(plan, &asked, &scope, Some(split), view).await?;
        saying.warn(&found.warnings);
        let mut kept = Rows::new();
        for part in found.parts {
            for bound in &condition.bounds {
                if bound.value_in(&part.point.unit).is_none() {
                    return Ok(Held::Failed(format!(
                        "The {} is not measured that way. Please give the bound in its own unit.",
                        asked.metric.label()
                    )));
                }
            }
            let keeps = condition.bounds.iter().all(|bound| {
                let value = bound.value_in(&part.point.unit);
                value.is_some_and(|value| bound.holds(part.point.value, value))
            });
            let before = if at == 0 {
                Some((part.label.clone(), Vec::new()))
            } else {
                rows.remove(&part.key)
            };
            if let (true, Some((name, mut points))) = (keeps, before) {
                points.push(part.point);
                kept.insert(part.key, (name, points));
            }
        }
        rows = kept;
        fixed.push(asked);
    }
    if split == Split::Building {
        saying.listed = rows
            .iter()
            .map(|(id, (name, _))| (id.clone(), name.clone()))
            .collect();
    }
    told(plan, &fixed, &rows, split, saying);
    let shown = plan.conditions.iter().map(|one| one.metric).collect::<Vec<_>>();
    let asks_more = !matches!(&plan.what, What::Metrics(metrics)
        if metrics.iter().map(|(metric, _)| *metric).collect::<Vec<_>>() == shown);
    if !asks_more || rows.is_empty() {
        figures(plan, &fixed, &rows, split, saying);
        return Ok(Held::Said);
    }
    if split != Split::Building {
        return Ok(Held::Failed(
            "I narrow a figure to buildings beyond a bound, not to other parts. Please ask for it by building.".to_owned(),
        ));
    }
    Ok(Held::Narrowed(Box::new(narrowed(plan, &rows))))
}

fn asked_of<'a>(
    plan: &'a Plan,
    condition: &'a Condition,
    split: Split,
    saying: &mut Saying,
) -> std::result::Result<Asked<'a>, String> {
    let when = plan.times.first().copied();
    let (asked, told) = fix(
        condition.metric,
        condition.account.as_ref(),
        when,
        Some(split),
        plan.coverage.as_of,
    )?;
    if let Some(told) = told {
        saying.remark(&told);
    }
    Ok(asked)
}

/// "3 of them: …", with what each was held against.
fn told(plan: &Plan, fixed: &[Asked<'_>], rows: &Rows, split: Split, saying: &mut Saying) {
    let by = split.word().replace('_', " ");
    let bounds: Vec<String> = plan
        .conditions
        .iter()
        .zip(fixed)
        .map(|(condition, asked)| {
            let unit = rows
                .values()
                .next()
                .and_then(|(_, points)| {
                    points
                        .iter()
                        .zip(fixed)
                        .find(|(_, own)| own.metric == asked.metric)
                })
                .map_or("", |(point, _)| point.unit.as_str());
            let each: Vec<String> = condition
                .bounds
                .iter()
                .map(|bound| {
                    let side = match (bound.above, bound.inclusive) {
                        (Some(true), false) => "above",
                        (Some(true), true) => "at least",
                        (Some(false), false) => "below",
                        _ => "at most",
                    };
                    match bound.value_in(unit).filter(|_| !unit.is_empty()) {
                        Some(value) => format!("{side} {}", shown::value(value, unit)),
                        None => side.to_owned(),
                    }
                })
                .collect();
            format!(
                "{}, {}, {}",
                called(plan, asked),
                when_words(asked),
                each.join(" and ")
            )
        })
        .collect();
    let names: Vec<&str> = rows.values().map(|(name, _)| name.as_str()).collect();
    saying.sentence(if names.is_empty() {
        format!(
            "None: no {by} keeps to all of these bounds ({}).",
            bounds.join("; ")
        )
    } else {
        format!(
            "{} of them: {} ({}).",
            names.len(),
            names.join(", "),
            bounds.join("; ")
        )
    });
}

fn figures(plan: &Plan, fixed: &[Asked<'_>], rows: &Rows, split: Split, saying: &mut Saying) {
    let words: Vec<String> = fixed.iter().map(|asked| word(plan, asked)).collect();
    let head = Label {
        name: format!("{}_beyond_bound", words.join("_and_")),
        definition: fixed
            .iter()
            .map(|asked| definition(plan, asked))
            .collect::<Vec<_>>()
            .join(" "),
        time: fixed.first().map(|asked| asked.time),
        subject: None,
    };
    if plan.turns.contains(&Turn::HowMany)
        && let Some(first) = fixed.first()
    {
        counted(rows.len(), first.time, saying);
    }
    let keys: Vec<&str> = rows.keys().map(String::as_str).collect();
    saying.value(head, json!(keys), &format!("{}_ids", split.word()));
    let mut headers = vec![capital(&split.word().replace('_', " "))];
    headers.extend(fixed.iter().map(|asked| called(plan, asked)));
    let mut table = Table {
        headers,
        rows: Vec::new(),
    };
    for (name, points) in rows.values() {
        let mut cells = vec![name.clone()];
        for (asked, point) in fixed.iter().zip(points) {
            cells.push(shown::value(point.value, &point.unit));
            saying.point(label(plan, asked, Some(name.clone())), point);
        }
        table.rows.push(cells);
    }
    if !table.rows.is_empty() {
        saying.table(&words.join("_and_"), table);
    }
}

/// The plan for those that keep to the bounds: one by one where they are few, and together.
fn narrowed(plan: &Plan, rows: &Rows) -> Plan {
    let mut own = plan.clone();
    own.conditions.clear();
    own.of_buildings = false;
    let first = plan.scopes.first().cloned();
    let space = first.and_then(|scope| scope.space);
    let scope = |ids: BTreeSet<String>, label: String| Scope {
        label,
        is_building: ids.len() == 1,
        of_group: Some(ids.clone()),
        buildings: Some(ids),
        space,
    };
    let single = plan.split.is_none() && !plan.turns.contains(&Turn::Share) && plan.over.is_none();
    own.scopes = if single && rows.len() <= 12 {
        rows.iter()
            .map(|(id, (name, _))| scope(BTreeSet::from([id.clone()]), name.clone()))
            .collect()
    } else {
        let ids: BTreeSet<String> = rows.keys().cloned().collect();
        vec![scope(ids, format!("these {} properties", rows.len()))]
    };
    own
}
