//! A metric by building, city, kind or time: its table, its extremes, those beyond a bound; and tests of debt.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::contract::portfolio::Portfolio;
use crate::contract::portfolio::Result;
use crate::portfolio::computing::measured;
use crate::portfolio::fixed::{
    Asked, called, capital, definition, label, made_of, query, union, when_words, why_not, word,
};
use crate::portfolio::lexicon::Turn;
use crate::portfolio::moments::{stands, time_for};
use crate::portfolio::naming;
use crate::portfolio::plan::Plan;
use crate::portfolio::quantities::{Bound, Rank};
use crate::portfolio::say::{Label, Saying, time_words};
use crate::portfolio::shown::{self, Table};
use finance::portfolio::calendar::Month;
use finance::portfolio::metric::{Metric, Tense};
use finance::portfolio::query::{Part, Split, Time};

type Failed = Option<String>;

/// A split: its table, its extremes, those beyond a bound.
pub(super) async fn splitted(
    plan: &Plan,
    asked: &Asked<'_>,
    split: Split,
    view: &mut dyn Portfolio,
    saying: &mut Saying,
) -> Result<Failed> {
    let scope = union(plan);
    let found = measured(plan, asked, &scope, Some(split), view).await?;
    saying.warn(&found.warnings);
    let mut parts = found.parts;
    if parts.is_empty() {
        return Ok(Some(why_not(asked, &scope, found.undefined.as_deref())));
    }
    let mut bounds = plan.bounds.clone();
    bounds.extend(side(plan, asked, split));
    for bound in &bounds {
        let unit = parts.first().map_or("", |part| part.point.unit.as_str());
        let Some(value) = bound.value_in(unit) else {
            return Ok(Some(format!(
                "The {} is not measured that way. Please give the bound in its own unit.",
                asked.metric.label()
            )));
        };
        parts.retain(|part| bound.holds(part.point.value, value));
    }
    let by = split.word().replace('_', " ");
    let name = format!("{}_by_{}", word(plan, asked), split.word());
    if let Some(mut rank) = plan.rank {
        rank.most = towards_most(plan, asked, rank);
        let order = |a: &Part, b: &Part| {
            let order = a.point.value.total_cmp(&b.point.value);
            if rank.most { order.reverse() } else { order }
        };
        parts.sort_by(order);
        if let Some(nth) = rank.nth {
            let Some(own) = parts.get(nth - 1).cloned() else {
                return Ok(Some(format!("There are only {} of them.", parts.len())));
            };
            parts = vec![own];
        }
        if let Some(first) = parts.first() {
            let same = parts
                .iter()
                .filter(|part| part.point.value.total_cmp(&first.point.value).is_eq())
                .count();
            if same > 1 {
                saying.remark(&format!("{same} of them have the same value."));
            }
            if split == Split::Building && same == 1 {
                saying.leader = Some((first.key.clone(), first.label.clone()));
            }
            let key = if split == Split::Building {
                ("building_id".to_owned(), first.key.clone())
            } else {
                (split.word().to_owned(), first.label.clone())
            };
            let end = match (rank.nth, rank.most) {
                (Some(nth), most) => format!(
                    "Number {nth} from the {}:",
                    if most { "highest" } else { "lowest" }
                ),
                (None, true) => "Highest".to_owned(),
                (None, false) => "Lowest".to_owned(),
            };
            saying.sentence(format!(
                "{end} {} by {by}{}, {}: {}, {}{}.",
                uncapital(&called(plan, asked)),
                within(plan, &scope.label),
                when_words(asked),
                first.label,
                shown::value(first.point.value, &first.point.unit),
                made_of(&first.point)
            ));
            let head = Label {
                name: match rank.nth {
                    Some(nth) => format!(
                        "{}_{nth}",
                        naming::ranked(asked.metric, asked.account, rank.most, split)
                    ),
                    None => naming::ranked(asked.metric, asked.account, rank.most, split),
                },
                definition: definition(plan, asked),
                time: Some(asked.time),
                subject: None,
            };
            saying.value(head, json!(key.1), &key.0);
        }
        if let Some(count) = rank.count {
            parts.truncate(count);
            if split == Split::Building && count > 1 {
                saying.listed = listed(&parts);
            }
        }
    } else if !bounds.is_empty() {
        let names: Vec<&str> = parts.iter().map(|part| part.label.as_str()).collect();
        saying.sentence(if names.is_empty() {
            format!(
                "None: no {by}{} is beyond that bound in {}, {}.",
                within(plan, &scope.label),
                asked.metric.label(),
                when_words(asked)
            )
        } else {
            format!(
                "{} of them{}, {}: {}.",
                names.len(),
                within(plan, &scope.label),
                when_words(asked),
                names.join(", ")
            )
        });
        if split == Split::Building {
            saying.listed = listed(&parts);
        }
        if plan.turns.contains(&Turn::HowMany) {
            counted(parts.len(), asked.time, saying);
        }
        let keys: Vec<&str> = parts.iter().map(|part| part.key.as_str()).collect();
        let head = Label {
            name: format!("{}_beyond_bound", word(plan, asked)),
            definition: definition(plan, asked),
            time: Some(asked.time),
            subject: None,
        };
        let unit = format!("{}_ids", split.word());
        saying.value(head, json!(keys), &unit);
    } else {
        let whole = found.whole.as_ref().map_or_else(String::new, |point| {
            let last = if asked.window.is_some() && split.is_time() {
                ", together"
            } else if split.is_time() && asked.metric.tense() == Tense::Day {
                ", at its end"
            } else {
                ""
            };
            format!(
                "; {}{last}: {}",
                scope.label,
                shown::value(point.value, &point.unit)
            )
        });
        let during = match asked.time {
            Time::Span(span) if split.is_time() => span.words(),
            _ => when_words(asked),
        };
        saying.sentence(format!("{} by {by}, {during}{whole}.", called(plan, asked)));
        if split == Split::Building {
            saying.listed = listed(&parts);
        }
        let mut values = Map::new();
        for part in &parts {
            values.insert(part.key.clone(), json!(part.point.value));
        }
        let unit = parts
            .first()
            .map_or(String::new(), |part| part.point.unit.clone());
        let head = Label {
            name: name.clone(),
            definition: definition(plan, asked),
            time: Some(asked.time),
            subject: None,
        };
        saying.value(head, Value::Object(values), &unit);
    }
    let mut table = Table::new(&[&capital(&by), &called(plan, asked)]);
    for part in &parts {
        table.rows.push(vec![
            part.label.clone(),
            shown::value(part.point.value, &part.point.unit),
        ]);
        let time = if split.is_time() { None } else { Some(asked.time) };
        let one = Label {
            name: word(plan, asked),
            definition: definition(plan, asked),
            time,
            subject: Some(part.label.clone()),
        };
        saying.point(one, &part.point);
    }
    if !split.is_time()
        && plan.rank.is_none()
        && bounds.is_empty()
        && let Some(whole) = &found.whole
    {
        saying.point(label(plan, asked, Some(scope.label.clone())), whole);
    }
    if !table.rows.is_empty() {
        saying.table(&name, table);
    }
    Ok(None)
}

/// How many properties keep to a bound, where that is asked.
pub(super) fn counted(count: usize, time: Time, saying: &mut Saying) {
    let head = Label {
        name: "buildings".to_owned(),
        definition: "Properties that keep to the bound.".to_owned(),
        time: Some(time),
        subject: None,
    };
    saying.value(head, json!(count), "count");
}

/// The buildings that are listed, for what is asked of them next.
pub(super) fn listed(parts: &[Part]) -> Vec<(String, String)> {
    parts
        .iter()
        .map(|part| (part.key.clone(), part.label.clone()))
        .collect()
}

/// Which side of the budget is asked for: "missed", "over budget".
fn side(plan: &Plan, asked: &Asked<'_>, split: Split) -> Option<Bound> {
    if plan.rank.is_some() || !plan.bounds.is_empty() || split.is_time() {
        return None;
    }
    let has = |turn: Turn| plan.turns.contains(&turn);
    // More of it is better: income and what comes of it.
    let better = match (asked.metric, asked.account) {
        (Metric::NoiVsBudget | Metric::NoiVsBudgetShare | Metric::EgiVsBudget, _) => true,
        (Metric::OpexVsBudget, _) => false,
        (Metric::AccountVsBudget, Some(account)) => account.category == "revenue",
        _ => return None,
    };
    let above = match (
        has(Turn::Missed),
        has(Turn::Beat),
        has(Turn::OverBudget),
        has(Turn::UnderBudget),
    ) {
        (true, false, ..) => !better,
        (false, true, ..) => better,
        (false, false, true, false) => true,
        (false, false, false, true) => false,
        _ => return None,
    };
    Some(Bound {
        above: Some(above),
        value: 0.0,
        percent: false,
        inclusive: false,
        of: None,
    })
}

/// Whether the highest comes first: of a burden the best is the lowest.
fn towards_most(plan: &Plan, asked: &Asked<'_>, rank: Rank) -> bool {
    let costs = asked.account.is_some_and(|account| account.category != "revenue");
    let burden = asked.metric.is_burden() || costs;
    let under = plan.turns.contains(&Turn::UnderBudget) || plan.turns.contains(&Turn::Missed);
    if under
        && matches!(
            asked.metric,
            Metric::NoiVsBudget | Metric::NoiVsBudgetShare | Metric::EgiVsBudget
        )
    {
        return !rank.most;
    }
    if plan.turns.contains(&Turn::UnderBudget) {
        return !rank.most;
    }
    if rank.judged && burden {
        !rank.most
    } else {
        rank.most
    }
}

/// " of Denver", where not everything is meant.
fn within(plan: &Plan, label: &str) -> String {
    let narrowed = plan
        .scopes
        .iter()
        .any(|scope| scope.buildings.is_some() || scope.of_group.is_some() || scope.space.is_some());
    if narrowed {
        format!(" of {label}")
    } else {
        String::new()
    }
}

fn uncapital(text: &str) -> String {
    let mut chars = text.chars();
    let second = chars.clone().nth(1);
    // "NOI" stays.
    match chars.next() {
        Some(first) if second.is_some_and(char::is_lowercase) => first.to_lowercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

/// Buildings that fail a test of coverage or leverage: the bounds that were named, else those of their own loans.
pub(super) async fn breaches(plan: &Plan, view: &mut dyn Portfolio, saying: &mut Saying) -> Result<Failed> {
    let scope = union(plan);
    let last = Month::of(plan.coverage.as_of);
    let (time, told) = match time_for(Metric::Dscr, plan.times.first().copied(), None, last) {
        Ok(found) => found,
        Err(why) => return Ok(Some(why)),
    };
    if let Some(told) = told {
        saying.remark(&told);
    }
    let least = plan
        .bounds
        .iter()
        .find(|bound| !bound.percent)
        .map(|bound| bound.value);
    let most = plan
        .bounds
        .iter()
        .find(|bound| bound.percent)
        .map(|bound| bound.value);
    let mut covenants: BTreeMap<String, (Option<f64>, Option<f64>)> = BTreeMap::new();
    let named = least.is_some() || most.is_some();
    if !named {
        for loan in view.loans(scope.buildings.as_ref(), time.day()).await? {
            let own = covenants.entry(loan.building_id).or_default();
            let tighter = |a: Option<f64>, b: Option<f64>, pick: fn(f64, f64) -> f64| match (a, b) {
                (Some(a), Some(b)) => Some(pick(a, b)),
                (one, other) => one.or(other),
            };
            own.0 = tighter(own.0, loan.min_dscr, f64::max);
            own.1 = tighter(own.1, loan.max_ltv, f64::min);
        }
        saying.remark("Tested against the covenants of each building's own loans, the tightest of them.");
    }
    let mut rows: BTreeMap<String, (String, Option<f64>, Option<f64>)> = BTreeMap::new();
    for metric in [Metric::Dscr, Metric::Ltv] {
        let asked = Asked {
            metric,
            account: None,
            time: if metric == Metric::Ltv {
                stands(Time::Day(time.day()), plan.coverage.as_of)
            } else {
                time
            },
            window: None,
            over: None,
        };
        let found = view
            .measure(&query(plan, &asked, &scope, Some(Split::Building)))
            .await?;
        saying.warn(&found.warnings);
        for part in found.parts {
            let row = rows.entry(part.key).or_insert((part.label, None, None));
            if metric == Metric::Dscr {
                row.1 = Some(part.point.value);
            } else {
                row.2 = Some(part.point.value);
            }
        }
    }
    if rows.is_empty() {
        return Ok(Some(format!("There is no debt on {}.", scope.label)));
    }
    rows.retain(|id, (_, dscr, ltv)| {
        let (low, high) = if named {
            (least, most)
        } else {
            covenants.get(id).copied().unwrap_or_default()
        };
        let below = matches!((*dscr, low), (Some(value), Some(bound)) if value < bound);
        let above = matches!((*ltv, high), (Some(value), Some(bound)) if value > bound);
        below || above
    });
    saying.listed = rows
        .iter()
        .map(|(id, (name, ..))| (id.clone(), name.clone()))
        .collect();
    let ids: Vec<&str> = rows.keys().map(String::as_str).collect();
    let names: Vec<&str> = rows.values().map(|(name, ..)| name.as_str()).collect();
    saying.sentence(if names.is_empty() {
        format!("None of {} fails the test, {}.", scope.label, time_words(time))
    } else {
        format!(
            "{} of {} fail the test, {}: {}.",
            names.len(),
            scope.label,
            time_words(time),
            names.join(", ")
        )
    });
    let head = Label {
        name: "covenant_watchlist".to_owned(),
        definition: "Buildings whose DSCR (all loans) is below, or whose loan to value (all loans) is above the bound."
            .to_owned(),
        time: Some(time),
        subject: None,
    };
    saying.value(head, json!(ids), "building_ids");
    let mut table = Table::new(&["Building", "DSCR", "LTV"]);
    for (name, dscr, ltv) in rows.values() {
        let shown =
            |value: &Option<f64>, unit| value.map_or("–".to_owned(), |value| shown::value(value, unit));
        table
            .rows
            .push(vec![name.clone(), shown(dscr, "ratio"), shown(ltv, "percent")]);
        for (metric, value, unit) in [(Metric::Dscr, dscr, "ratio"), (Metric::Ltv, ltv, "percent")] {
            if let Some(value) = value {
                let one = Label {
                    name: metric.word().to_owned(),
                    definition: metric.definition(),
                    time: Some(time),
                    subject: Some(name.clone()),
                };
                saying.value(one, json!(value), unit);
            }
        }
    }
    if !table.rows.is_empty() {
        saying.table("covenant_watchlist", table);
    }
    Ok(None)
}
