//! Changes of a figure between two times: of one place, or of each part of a split, ranked by it.

use std::collections::BTreeMap;

use serde_json::json;

use crate::contract::portfolio::Portfolio;
use crate::contract::portfolio::Result;
use crate::portfolio::computing::measured;
use crate::portfolio::fixed::{Asked, called, capital, fix, label, union, when_words, why_not, word};
use crate::portfolio::lexicon::Turn;
use crate::portfolio::naming;
use crate::portfolio::plan::Plan;
use crate::portfolio::say::{Label, Saying};
use crate::portfolio::shown::{self, Table};
use crate::portfolio::times::When;
use finance::portfolio::calendar::{Month, Span};
use finance::portfolio::metric::{Metric, Tense, Unit};
use finance::portfolio::query::{Account, Measure, Point, Split, Time};

type Failed = Option<String>;

/// The change of a metric: over two named times, else over the time before. T-12 is set against the twelve months
/// before it, shorter periods against the same months a year earlier; what stands on a day against its begin.
pub(super) async fn changes(
    plan: &Plan,
    (metric, account): (Metric, Option<&Account>),
    split: Option<Split>,
    view: &mut dyn Portfolio,
    saying: &mut Saying,
) -> Result<Failed> {
    if metric == Metric::PurchasePrice {
        return Ok(Some(
            "A purchase price does not change. Ask for the value today, or for the purchase price."
                .to_owned(),
        ));
    }
    let (now, then) = match pair(plan, metric, account, saying) {
        Ok(pair) => pair,
        Err(why) => return Ok(Some(why)),
    };
    if let Some(split) = split {
        if split.is_time() {
            return Ok(Some(
                "I show changes by place, not by time: ask for the figure by month or year to see its course.".to_owned(),
            ));
        }
        return parts(plan, &now, &then, split, view, saying).await;
    }
    let mut failed = None;
    for scope in &plan.scopes {
        let found = measured(plan, &now, scope, None, view).await?;
        let earlier = measured(plan, &then, scope, None, view).await?;
        saying.warn(&found.warnings);
        saying.warn(&earlier.warnings);
        let (point, before) = match (found.whole, earlier.whole) {
            (Some(point), Some(before)) => (point, before),
            (None, _) => {
                failed = Some(why_not(&now, scope, found.undefined.as_deref()));
                continue;
            }
            _ => {
                failed = Some(why_not(&then, scope, earlier.undefined.as_deref()));
                continue;
            }
        };
        let subject = (plan.scopes.len() > 1).then(|| scope.label.clone());
        let Some(change) = Change::of(&now, &point, &before) else {
            failed =
                Some("The earlier amount is not positive, so that a growth rate means nothing.".to_owned());
            continue;
        };
        saying.sentence(format!(
            "{} of {}, {} against {}: {} (from {} to {}).",
            called(plan, &now),
            scope.label,
            when_words(&now),
            when_words(&then),
            change.words(),
            shown::value(before.value, &before.unit),
            shown::value(point.value, &point.unit)
        ));
        change.say(plan, &now, subject.as_deref(), saying);
        saying.point(label(plan, &now, Some(with(&subject, &when_words(&now)))), &point);
        saying.point(
            label(plan, &then, Some(with(&subject, &when_words(&then)))),
            &before,
        );
    }
    Ok(failed)
}

/// The figure at both times, the later one first.
fn pair<'a>(
    plan: &'a Plan,
    metric: Metric,
    account: Option<&'a Account>,
    saying: &mut Saying,
) -> std::result::Result<(Asked<'a>, Asked<'a>), String> {
    let as_of = plan.coverage.as_of;
    let last = Month::of(as_of);
    let mut fixed = |when: Option<When>| {
        let (asked, told) = fix(metric, account, when, None, as_of)?;
        if let Some(told) = told {
            saying.remark(&told);
        }
        Ok::<_, String>(Asked {
            over: plan.over.as_ref(),
            ..asked
        })
    };
    if let [first, second] = plan.times.as_slice() {
        let (a, b) = (fixed(Some(*first))?, fixed(Some(*second))?);
        let later_first = a.time.day() >= b.time.day();
        return Ok(if later_first { (a, b) } else { (b, a) });
    }
    // Over a period, what stands on a day changes from its begin to its end.
    if let (Tense::Day, Some(When::Span(span))) = (metric.tense(), plan.times.first())
        && !plan.turns.contains(&Turn::MonthOnMonth)
        && !plan.turns.contains(&Turn::QuarterOnQuarter)
    {
        let to = span.to.min(last);
        let from = span.from.plus(-1);
        if to > span.to || from >= to {
            return Err(format!("The data ends with {}.", last.words()));
        }
        return Ok((fixed(Some(When::End(to)))?, fixed(Some(When::End(from)))?));
    }
    let now = fixed(plan.times.first().copied())?;
    let steps = [Turn::MonthOnMonth, Turn::QuarterOnQuarter];
    let directly = steps.iter().any(|turn| plan.turns.contains(turn));
    let before = match now.time {
        Time::Span(span) if directly => Time::Span(span.before()),
        Time::Day(day) if plan.turns.contains(&Turn::MonthOnMonth) => {
            Time::Day(Month::of(day).plus(-1).last_day())
        }
        Time::Day(day) if directly => Time::Day(Month::of(day).plus(-3).last_day()),
        Time::Span(span) if span.months() < 12 => {
            Time::Span(Span::new(span.from.plus(-12), span.to.plus(-12)))
        }
        Time::Span(span) => Time::Span(span.before()),
        Time::Day(day) => Time::Day(Month::of(day).plus(-12).last_day()),
    };
    let then = Asked { time: before, ..now };
    Ok((now, then))
}

/// A change in the figure's own unit, and in percent where that means something.
struct Change {
    by: f64,
    unit: String,
    percent: Option<f64>,
}

impl Change {
    fn of(asked: &Asked<'_>, now: &Point, then: &Point) -> Option<Self> {
        let rate = now.unit == "percent" || matches!(asked.metric.unit(), Unit::Ratio | Unit::Years);
        let by = now.value - then.value;
        if !rate && then.value <= 0.0 {
            return None;
        }
        Some(Self {
            by: if rate { by } else { (by * 100.0).round() / 100.0 },
            unit: now.unit.clone(),
            percent: (!rate).then(|| now.value / then.value - 1.0),
        })
    }

    fn words(&self) -> String {
        let own = if self.unit == "percent" {
            format!("{:+.2} percentage points", self.by * 100.0)
        } else if self.percent.is_none() {
            format!("{:+.2}", self.by)
        } else {
            let sign = if self.by < 0.0 { "" } else { "+" };
            format!("{sign}{}", shown::value(self.by, &self.unit))
        };
        match self.percent {
            Some(percent) => format!("{:+.2}%, {own}", percent * 100.0),
            None => own,
        }
    }

    /// The figures of the change: in percent first, unless a gain is asked for.
    fn say(&self, plan: &Plan, asked: &Asked<'_>, subject: Option<&str>, saying: &mut Saying) {
        let own = match (asked.account, asked.over) {
            (Some(account), None) => naming::slug(&account.name),
            (None, None) => asked.metric.word().to_owned(),
            _ => word(plan, asked),
        };
        let head = |name: String, definition: &str| Label {
            name,
            definition: format!("{definition} {}", asked.metric.definition()),
            time: Some(asked.time),
            subject: subject.map(str::to_owned),
        };
        let point = |value: f64, unit: &str| Point {
            value,
            unit: unit.to_owned(),
            inputs: Vec::new(),
        };
        let amount = (
            head(format!("{own}_change"), "The value less the earlier one."),
            point(self.by, &self.unit),
        );
        let growth = self.percent.map(|percent| {
            (
                head(format!("{own}_growth"), "The value ÷ the earlier one − 1."),
                point(percent, "percent"),
            )
        });
        let gain = plan.turns.contains(&Turn::Gain);
        let both = match growth {
            Some(growth) if gain => vec![amount, growth],
            Some(growth) => vec![growth, amount],
            None => vec![amount],
        };
        for (label, point) in both {
            saying.point(label, &point);
        }
    }
}

/// The change of each part of a split.
async fn parts(
    plan: &Plan,
    now: &Asked<'_>,
    then: &Asked<'_>,
    split: Split,
    view: &mut dyn Portfolio,
    saying: &mut Saying,
) -> Result<Failed> {
    let scope = union(plan);
    let found: Measure = measured(plan, now, &scope, Some(split), view).await?;
    let earlier: Measure = measured(plan, then, &scope, Some(split), view).await?;
    saying.warn(&found.warnings);
    saying.warn(&earlier.warnings);
    let before: BTreeMap<&str, &Point> = earlier
        .parts
        .iter()
        .map(|part| (part.key.as_str(), &part.point))
        .collect();
    let mut rows: Vec<(&str, &str, &Point, &Point, Change)> = found
        .parts
        .iter()
        .filter_map(|part| {
            let then = before.get(part.key.as_str()).copied()?;
            let change = Change::of(now, &part.point, then)?;
            Some((part.key.as_str(), part.label.as_str(), &part.point, then, change))
        })
        .collect();
    let fell = plan.turns.contains(&Turn::Loss) && plan.rank.is_none() && !rows.is_empty();
    if fell {
        rows.retain(|(.., change)| change.by < 0.0);
        if rows.is_empty() {
            return Ok(Some(format!("None of {} fell.", scope.label)));
        }
    }
    if rows.is_empty() {
        let why = found.undefined.or(earlier.undefined);
        return Ok(Some(why_not(now, &scope, why.as_deref())));
    }
    let gain = plan.turns.contains(&Turn::Gain);
    let by_percent = |change: &Change| change.percent.unwrap_or(change.by);
    let key = |change: &Change| if gain { change.by } else { by_percent(change) };
    let by = split.word().replace('_', " ");
    let against = format!("{} against {}", when_words(now), when_words(then));
    if let Some(rank) = plan.rank {
        rows.sort_by(|a, b| {
            let order = key(&a.4).total_cmp(&key(&b.4));
            if rank.most { order.reverse() } else { order }
        });
        let other = |change: &Change| if gain { by_percent(change) } else { change.by };
        let leads = rows.iter().max_by(|a, b| {
            let order = other(&a.4).total_cmp(&other(&b.4));
            if rank.most { order } else { order.reverse() }
        });
        if let Some((id, name, point, then, change)) = rows.first() {
            let end = if rank.most { "Largest" } else { "Smallest" };
            saying.sentence(format!(
                "{end} change of {} by {by}, {against}: {name}, {} (from {} to {}).",
                now.account
                    .map_or(now.metric.label(), |account| account.name.as_str()),
                change.words(),
                shown::value(then.value, &then.unit),
                shown::value(point.value, &point.unit)
            ));
            let (value, unit) = if split == Split::Building {
                (json!(id), "building_id")
            } else {
                (json!(name), split.word())
            };
            let end = if rank.most { "largest" } else { "smallest" };
            let head = Label {
                name: format!("{end}_{}_change_{}", now.metric.word(), split.word()),
                definition: now.metric.definition(),
                time: Some(now.time),
                subject: None,
            };
            saying.value(head, value, unit);
            if let Some((_, leader, _, _, leading)) = leads.filter(|(_, leader, ..)| leader != name) {
                saying.remark(&format!(
                    "{} it is {leader}, with {}.",
                    if gain { "In percent" } else { "In amount" },
                    leading.words()
                ));
            }
        }
        if let Some(count) = rank.count {
            rows.truncate(count);
        }
    } else if fell {
        let names: Vec<&str> = rows.iter().map(|(_, name, ..)| *name).collect();
        saying.sentence(format!(
            "{} of {} fell in {}, {against}: {}.",
            names.len(),
            scope.label,
            now.account
                .map_or(now.metric.label(), |account| account.name.as_str()),
            names.join(", ")
        ));
    } else {
        saying.sentence(format!(
            "Change of {} by {by}, {against}.",
            now.account
                .map_or(now.metric.label(), |account| account.name.as_str())
        ));
    }
    let mut table = Table::new(&[&capital(&by), "From", "To", "Change"]);
    for (_, name, point, then, change) in &rows {
        change.say(plan, now, Some(name), saying);
        table.rows.push(vec![
            (*name).to_owned(),
            shown::value(then.value, &then.unit),
            shown::value(point.value, &point.unit),
            change.words(),
        ]);
    }
    saying.table(
        &format!("{}_change_by_{}", now.metric.word(), split.word()),
        table,
    );
    Ok(None)
}

fn with(subject: &Option<String>, more: &str) -> String {
    subject
        .as_ref()
        .map_or_else(|| more.to_owned(), |subject| format!("{subject}, {more}"))
}
