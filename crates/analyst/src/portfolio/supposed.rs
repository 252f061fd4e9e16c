//! A figure of the portfolio with one number of the asker's own: "DSCR if NOI falls 10 %", "worth at a 5.25 % cap".
//!
//! Only what follows from the data and that one number by a single rule; every other supposition is left to others.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use serde_json::json;

use crate::contract::portfolio::Portfolio;
use crate::contract::portfolio::Result;
use crate::portfolio::lexicon::{Topic, Turn};
use crate::portfolio::moments::stands;
use crate::portfolio::pieces::{Kind, Piece};
use crate::portfolio::reading::Reading;
use crate::portfolio::say::{Label, Saying};
use crate::portfolio::shown;
use finance::portfolio::calendar::{Month, Span};
use finance::portfolio::metric::{Metric, Tense};
use finance::portfolio::query::{Point, Query, Time};

/// The number that the asker brought.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Own {
    /// As a fraction: −0.1 for "falls 10 %".
    Change(f64),
    Amount(f64),
    Rate(f64),
}

/// What is asked for, and what is supposed of what.
#[derive(Clone, Debug)]
pub(crate) struct Supposed {
    goal: Topic,
    of: Topic,
    own: Own,
    label: String,
    /// Absent: everything that may be seen.
    buildings: Option<BTreeSet<String>>,
}

/// Cap rates that people speak of.
const CAPS: std::ops::RangeInclusive<f64> = 0.01..=0.25;

/// The supposition of a question; none where it is not one of these, or where anything else narrows it.
pub(super) fn of(reading: &Reading, pieces: &[Piece]) -> Option<Supposed> {
    let plain = reading.unknown.is_empty()
        && reading.stranger.is_none()
        && reading.several.is_none()
        && !reading.except
        && reading.without.is_empty()
        && reading.bounds.is_empty()
        && reading.rank.is_none()
        && reading.splits.is_empty()
        && reading.accounts.is_empty()
        && reading.groups.is_empty()
        && reading.times.is_empty()
        && reading.only_words.is_empty()
        && !reading.against;
    let ([at], [first, second]) = (reading.values.as_slice(), reading.topics.as_slice()) else {
        return None;
    };
    let (label, buildings) = match reading.places.as_slice() {
        [place] => (place.label.clone(), Some(place.buildings.clone())),
        [] if reading.portfolio => ("the whole portfolio".to_owned(), None),
        _ => return None,
    };
    if !plain {
        return None;
    }
    let fell = reading.turns.contains(&Turn::Loss);
    let rose = reading.turns.contains(&Turn::Growth) || reading.turns.contains(&Turn::Gain);
    let known = [Turn::Loss, Turn::Growth, Turn::Gain];
    if reading.turns.iter().any(|turn| !known.contains(turn)) || (fell && rose) {
        return None;
    }
    let to = at
        .checked_sub(1)
        .and_then(|before| pieces.get(before))
        .is_some_and(|piece| piece.word() == "to");
    let own = match pieces.get(*at).map(|piece| &piece.kind)? {
        Kind::Percent(share) if fell && !to => Own::Change(-share),
        Kind::Percent(share) if rose && !to => Own::Change(*share),
        Kind::Percent(share) if !fell && !rose && CAPS.contains(share) => Own::Rate(*share),
        Kind::Amount(amount) if (!fell && !rose) || to => Own::Amount(*amount),
        _ => return None,
    };
    let found = [(*first, *second), (*second, *first)];
    let (goal, of) = found
        .into_iter()
        .find(|(goal, of)| rule(*goal, *of, own).is_some())?;
    // A change or an amount has to be supposed: "DSCR at Ybor, NOI 500k" may be anything.
    let supposes = reading.other || matches!(own, Own::Rate(_));
    supposes.then_some(Supposed {
        goal,
        of,
        own,
        label,
        buildings,
    })
}

/// How the goal follows.
enum Rule {
    /// The figure as it stands, times this.
    Scaled(Metric, f64),
    /// A figure of the data over the own number.
    Over(Metric),
    /// The own number over a figure of the data.
    Under(Metric),
}

fn rule(goal: Topic, of: Topic, own: Own) -> Option<Rule> {
    use Topic as T;
    Some(match (goal, of, own) {
        (T::Dscr, T::Noi, Own::Change(by)) => Rule::Scaled(Metric::Dscr, 1.0 + by),
        (T::Dscr, T::DebtService, Own::Change(by)) => Rule::Scaled(Metric::Dscr, 1.0 / (1.0 + by)),
        (T::Ltv, T::Value, Own::Change(by)) => Rule::Scaled(Metric::Ltv, 1.0 / (1.0 + by)),
        (T::Ltv, T::Debt, Own::Change(by)) => Rule::Scaled(Metric::Ltv, 1.0 + by),
        (T::DebtYield, T::Noi, Own::Change(by)) => Rule::Scaled(Metric::DebtYield, 1.0 + by),
        (T::Ltv, T::Value, Own::Amount(_)) => Rule::Over(Metric::TotalDebt),
        (T::Dscr, T::Noi, Own::Amount(_)) => Rule::Under(Metric::DebtService),
        (T::DebtYield, T::Noi, Own::Amount(_)) => Rule::Under(Metric::TotalDebt),
        (T::Cap | T::ImpliedCap, T::Value, Own::Amount(_)) | (T::Value, T::Cap, Own::Rate(_)) => {
            Rule::Over(Metric::Noi)
        }
        _ => return None,
    })
}

/// The goal with the own number in it; a reason where the data has nothing to go with it.
pub(super) async fn look(
    supposed: &Supposed,
    as_of: NaiveDate,
    view: &mut dyn Portfolio,
) -> Result<std::result::Result<Saying, String>> {
    let Some(rule) = rule(supposed.goal, supposed.of, supposed.own) else {
        return Ok(Err("I do not work that out.".to_owned()));
    };
    let metric = match rule {
        Rule::Scaled(metric, _) | Rule::Over(metric) | Rule::Under(metric) => metric,
    };
    let last = Month::of(as_of);
    let time = match metric.tense() {
        Tense::Day => stands(Time::Day(last.last_day()), as_of),
        Tense::Span | Tense::Both => Time::Span(Span::ending(last, 12)),
    };
    let found = view
        .measure(&Query {
            buildings: supposed.buildings.clone(),
            ..Query::of(metric, time)
        })
        .await?;
    let Some(point) = found.whole.filter(|point| point.value != 0.0) else {
        return Ok(Err(format!(
            "I have no {} for {}: {}.",
            metric.label(),
            supposed.label,
            found.undefined.as_deref().unwrap_or("nothing is known of it")
        )));
    };
    let own = match supposed.own {
        Own::Change(value) | Own::Amount(value) | Own::Rate(value) => value,
    };
    let value = match rule {
        Rule::Scaled(_, factor) => point.value * factor,
        Rule::Over(_) => point.value / own,
        Rule::Under(_) => own / point.value,
    };
    Ok(Ok(said(supposed, metric, time, &point, value)))
}

fn said(supposed: &Supposed, metric: Metric, time: Time, point: &Point, value: f64) -> Saying {
    let (name, called, unit) = match supposed.goal {
        Topic::Dscr => ("dscr", "DSCR", "ratio".to_owned()),
        Topic::Ltv => ("ltv", "Loan to value", "percent".to_owned()),
        Topic::DebtYield => ("debt_yield", "Debt yield", "percent".to_owned()),
        Topic::Value => ("value", "Value", point.unit.clone()),
        _ => ("cap_rate", "Cap rate", "percent".to_owned()),
    };
    let what = match supposed.of {
        Topic::Noi => "NOI",
        Topic::DebtService => "debt service",
        Topic::Debt => "debt",
        Topic::Cap => "cap rate",
        _ => "value",
    };
    let by = match supposed.own {
        Own::Change(change) => format!(
            "with {what} {} {}",
            shown::value(change.abs(), "percent"),
            if change < 0.0 { "lower" } else { "higher" }
        ),
        Own::Amount(amount) => format!("at a {what} of {}", shown::money(amount, &point.unit)),
        Own::Rate(rate) => format!("at a {what} of {}", shown::value(rate, "percent")),
    };
    let mut saying = Saying::default();
    saying.sentence(format!(
        "{called} of {} {by}: {} ({} as it stands: {}).",
        supposed.label,
        shown::value(value, &unit),
        metric.label(),
        shown::value(point.value, &point.unit)
    ));
    saying.remark("Your own number is in it; the rest is from the data, NOI and debt service of the last twelve months.");
    let head = Label {
        name: name.to_owned(),
        definition: format!(
            "{called} with a number of yours in place of the data's. {}",
            metric.definition()
        ),
        time: Some(time),
        subject: None,
    };
    saying.value(head, json!(value), &unit);
    saying
}
