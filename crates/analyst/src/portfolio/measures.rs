//! Metrics looked up and said: one value, several side by side, a change over time.
//!
//! Knows the tool and how an answer grows; which words asked for it, the plan knows.

use crate::contract::portfolio::Portfolio;
use crate::contract::portfolio::Result;
use crate::portfolio::changes;
use crate::portfolio::computing::measured;
use crate::portfolio::fixed::{
    Asked, called, fix, label, made_of, query, split_of, union, when_words, why_not,
};
use crate::portfolio::lexicon::{Group, Turn};
use crate::portfolio::over::Over;
use crate::portfolio::plan::Plan;
use crate::portfolio::rosters;
use crate::portfolio::say::Saying;
use crate::portfolio::scopes::Scope;
use crate::portfolio::shown;
use crate::portfolio::splits::splitted;
use crate::portfolio::times::When;
use finance::portfolio::metric::Metric;
use finance::portfolio::query::{Account, Part, Point, Split};

/// Most values that one answer puts side by side.
const SIDE_BY_SIDE: usize = 24;

type Failed = Option<String>;

/// Looks all metrics up. A reason where one cannot be computed.
pub(super) async fn look(
    plan: &Plan,
    metrics: &[(Metric, Option<Account>)],
    view: &mut dyn Portfolio,
    saying: &mut Saying,
) -> Result<Failed> {
    let whens: Vec<Option<When>> = if plan.times.is_empty() {
        vec![None]
    } else {
        plan.times.iter().copied().map(Some).collect()
    };
    if metrics.len() * plan.scopes.len() * whens.len() > SIDE_BY_SIDE {
        return Ok(Some(
            "That is more at once than I put side by side. Please ask for fewer.".to_owned(),
        ));
    }
    let split = split_of(plan);
    let changed = plan.turns.contains(&Turn::Growth) || plan.turns.contains(&Turn::Gain);
    let mut failed = None;
    for (metric, account) in metrics {
        if changed {
            failed = changes::changes(plan, (*metric, account.as_ref()), split, view, saying)
                .await?
                .or(failed);
            continue;
        }
        let mut values: Vec<(usize, Asked<'_>, Point)> = Vec::new();
        for when in &whens {
            // An average over months is taken of a period.
            let by = match plan.over {
                Some(Over::MonthEnds) => Some(Split::Month),
                _ => split,
            };
            let asked = match fix(*metric, account.as_ref(), *when, by, plan.coverage.as_of) {
                Ok((asked, told)) => {
                    if let Some(told) = told {
                        saying.remark(&told);
                    }
                    Asked {
                        over: plan.over.as_ref(),
                        ..asked
                    }
                }
                Err(why) => return Ok(Some(why)),
            };
            if let Some(split) = split {
                failed = splitted(plan, &asked, split, view, saying).await?.or(failed);
                continue;
            }
            for (at, scope) in plan.scopes.iter().enumerate() {
                let found = measured(plan, &asked, scope, None, view).await?;
                saying.warn(&found.warnings);
                match found.whole {
                    Some(point) => values.push((at, Asked { ..asked }, point)),
                    // Each currency for itself.
                    None if !found.parts.is_empty() => by_currency(plan, &asked, scope, &found.parts, saying),
                    None => failed = Some(why_not(&asked, scope, found.undefined.as_deref())),
                }
            }
        }
        say_values(plan, &values, view, saying).await?;
        held_over(plan, &values, view, saying).await?;
        if let [(at, asked, _)] = values.as_slice()
            && let Some(scope) = plan.scopes.get(*at)
        {
            rosters::beside(plan, asked, scope, view, saying).await?;
        }
    }
    Ok(failed)
}

/// Leases past their end that are held over end by no day: they are named beside what ends by one.
async fn held_over(
    plan: &Plan,
    values: &[(usize, Asked<'_>, Point)],
    view: &mut dyn Portfolio,
    saying: &mut Saying,
) -> Result<()> {
    for (at, asked, _) in values {
        let by_a_day = matches!(plan.times.first(), Some(When::End(_) | When::Day(_)));
        let Some(scope) = plan
            .scopes
            .get(*at)
            .filter(|_| by_a_day && asked.window.is_some())
        else {
            continue;
        };
        let past = Asked {
            metric: Metric::MonthToMonth,
            window: None,
            over: None,
            ..*asked
        };
        let found = view.measure(&query(plan, &past, scope, None)).await?.whole;
        if let Some(point) = found.filter(|point| point.value > 0.0) {
            saying.sentence(format!(
                "Not among them: {} of {} past their end and held over month to month.",
                shown::value(point.value, &point.unit),
                scope.label
            ));
            saying.point(label(plan, &past, Some(scope.label.clone())), &point);
        }
    }
    Ok(())
}

fn by_currency(plan: &Plan, asked: &Asked<'_>, scope: &Scope, parts: &[Part], saying: &mut Saying) {
    for part in parts {
        saying.sentence(format!(
            "{} of {} in {}, {}: {}.",
            called(plan, asked),
            scope.label,
            part.label,
            when_words(asked),
            shown::value(part.point.value, &part.point.unit)
        ));
        saying.point(label(plan, asked, Some(part.label.clone())), &part.point);
    }
}

async fn say_values(
    plan: &Plan,
    values: &[(usize, Asked<'_>, Point)],
    view: &mut dyn Portfolio,
    saying: &mut Saying,
) -> Result<()> {
    let several_scopes = plan.scopes.len() > 1;
    let several_times = plan.times.len() > 1;
    let one_scope = |at: usize| plan.scopes.get(at);
    // "Austin and Denver" is also one: its total comes first.
    if several_scopes && !plan.against && !several_times && plan.rank.is_none() {
        together(plan, values, view, saying).await?;
    }
    // "A minus B", "the ratio of A to B": that comes first.
    if let [(_, first, a), (_, second, b)] = values {
        if plan.minus && a.unit == b.unit {
            let own = Point {
                value: a.value - b.value,
                unit: a.unit.clone(),
                inputs: Vec::new(),
            };
            let mut head = label(plan, first, None);
            head.name = format!("{}_difference", first.metric.word());
            head.definition = format!("{} The first less the second.", head.definition);
            saying.point(head, &own);
        }
        if plan.quotient && a.unit == b.unit && b.value != 0.0 {
            let own = Point {
                value: a.value / b.value,
                unit: "ratio".to_owned(),
                inputs: Vec::new(),
            };
            saying.sentence(format!(
                "{}: the first is {} of the second ({}).",
                called(plan, first),
                shown::value(own.value, "percent"),
                shown::value(own.value, "ratio")
            ));
            let mut head = label(plan, second, None);
            head.name = format!("{}_ratio", head.name);
            head.definition = format!("{} The first divided by the second.", head.definition);
            saying.point(head, &own);
        }
    }
    for (at, asked, point) in values {
        let Some(scope) = one_scope(*at) else { continue };
        let subject = match (several_scopes, several_times) {
            (false, false) => None,
            (true, false) => Some(scope.label.clone()),
            (false, true) => Some(when_words(asked)),
            (true, true) => Some(format!("{}, {}", scope.label, when_words(asked))),
        };
        saying.sentence(format!(
            "{} of {}, {}: {}{}.",
            called(plan, asked),
            scope.label,
            when_words(asked),
            shown::value(point.value, &point.unit),
            made_of(point)
        ));
        saying.point(label(plan, asked, subject), point);
    }
    if plan.polar && plan.split.is_none() {
        for (_, _, point) in values {
            answer_bounds(plan, point, saying);
        }
    }
    if let [(_, first, a), (_, second, b)] = values
        && a.unit == b.unit
    {
        difference(plan, (first, a), (second, b), saying);
    }
    // The area of a building is often taken with its model and down units.
    if let [(at, asked, point)] = values
        && asked.metric == Metric::RentableArea
        && let Some(scope) = one_scope(*at)
    {
        let all = Asked {
            metric: Metric::TotalArea,
            ..*asked
        };
        let all = (view.measure(&query(plan, &all, scope, None)).await?.whole).map(|all| {
            (
                label(
                    plan,
                    &Asked {
                        metric: Metric::TotalArea,
                        ..*asked
                    },
                    None,
                ),
                all,
            )
        });
        if let Some((head, all)) = all.filter(|(_, all)| all.value > point.value) {
            saying.sentence(format!(
                "With model and down units: {}.",
                shown::value(all.value, &all.unit)
            ));
            saying.point(head, &all);
        }
    }
    // Commercial space is usually counted by area: that is said along with the count of units.
    if let [(at, asked, _)] = values
        && asked.metric == Metric::Occupancy
        && asked.over.is_none()
        && let Some(scope) = one_scope(*at)
        && plan.groups.iter().any(|group| *group != Group::Residential)
    {
        let by_area = Asked {
            metric: Metric::OccupancyByArea,
            ..*asked
        };
        if let Some(point) = view.measure(&query(plan, &by_area, scope, None)).await?.whole {
            saying.sentence(format!("By area: {}.", shown::value(point.value, "percent")));
            saying.point(label(plan, &by_area, None), &point);
        }
    }
    Ok(())
}

/// "Yes: it is above 13 %."
fn answer_bounds(plan: &Plan, point: &Point, saying: &mut Saying) {
    for bound in &plan.bounds {
        let Some(above) = bound.above else { continue };
        let percent = point.unit == "percent";
        let value = if percent && !bound.percent && bound.value > 1.0 {
            bound.value / 100.0
        } else {
            bound.value
        };
        let is = bound.holds(point.value, value);
        saying.sentence(format!(
            "{}: it is {}{} {}.",
            if is { "Yes" } else { "No" },
            if is { "" } else { "not " },
            if above { "above" } else { "below" },
            shown::value(value, &point.unit)
        ));
    }
}

/// All named places as one.
async fn together(
    plan: &Plan,
    values: &[(usize, Asked<'_>, Point)],
    view: &mut dyn Portfolio,
    saying: &mut Saying,
) -> Result<()> {
    let Some((_, asked, _)) = values.first().filter(|_| values.len() > 1) else {
        return Ok(());
    };
    let all = union(plan);
    let found = measured(plan, asked, &all, None, view).await?;
    if let Some(point) = found.whole {
        saying.sentence(format!(
            "{} of {} together, {}: {}.",
            called(plan, asked),
            all.label,
            when_words(asked),
            shown::value(point.value, &point.unit)
        ));
        saying.point(label(plan, asked, None), &point);
    }
    Ok(())
}

fn difference(plan: &Plan, first: (&Asked<'_>, &Point), second: (&Asked<'_>, &Point), saying: &mut Saying) {
    let several_times = plan.times.len() > 1;
    let ((asked, a), (other, b)) = (first, second);
    // Of two times the later against the earlier, in whichever order they were named.
    let (from, to) = if several_times && asked.time.day() < other.time.day() {
        (a, b)
    } else {
        (b, a)
    };
    let by = to.value - from.value;
    let shown = if a.unit == "percent" {
        format!("{:+.2} percentage points", by * 100.0)
    } else {
        let sign = if by < 0.0 { "" } else { "+" };
        format!("{sign}{}", shown::value(by, &a.unit))
    };
    let grown = if several_times && asked.metric.unit().is_money() && from.value > 0.0 {
        format!(" ({:+.2}%)", (to.value / from.value - 1.0) * 100.0)
    } else {
        String::new()
    };
    saying.sentence(format!("Difference: {shown}{grown}."));
}
