//! One metric with everything fixed: the query for it, its word, and how it is called in a sentence.

use std::collections::BTreeSet;

use chrono::{Datelike as _, NaiveDate};

use crate::portfolio::ask::{What, is_windowed};
use crate::portfolio::lexicon::{Group, Turn};
use crate::portfolio::moments::{stands, stands_told, time_for, window};
use crate::portfolio::naming;
use crate::portfolio::over::Over;
use crate::portfolio::plan::Plan;
use crate::portfolio::say::{Label, time_words};
use crate::portfolio::scopes::Scope;
use crate::portfolio::shown;
use crate::portfolio::times::When;
use finance::portfolio::calendar::{Month, Span, day_words};
use finance::portfolio::metric::{Metric, Tense};
use finance::portfolio::query::{Account, Point, Query, Space, Split, Time, Window};

/// One metric with everything fixed but the place.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) metric: Metric,
    pub(super) account: Option<&'a Account>,
    pub(super) time: Time,
    pub(super) window: Option<Window>,
    /// What it is divided by.
    pub(super) over: Option<&'a Over>,
}

/// A ranking or a bound is one of buildings where nothing else is said.
pub(super) fn split_of(plan: &Plan) -> Option<Split> {
    // "Is our LTV below 50 %?" asks of one value.
    let ranked =
        plan.rank.is_some() || (!plan.polar && plan.bounds.iter().any(|bound| bound.above.is_some()));
    // Of two that are named, the higher one is seen side by side.
    // Of kinds that are only named, and not compared, the buildings are ordered.
    let bounded = !plan.polar && plan.of_buildings && plan.bounds.iter().any(|bound| bound.above.is_some());
    let kinds = plan.groups.len() > 1 && !plan.against && plan.rank.is_some() && plan.times.len() < 2;
    let side_by_side =
        (plan.scopes.len() > 1 || plan.times.len() > 1) && !kinds && !(bounded && plan.times.len() < 2);
    let alone = plan.scopes.first().is_some_and(|scope| scope.is_building);
    let largest = matches!(&plan.what, What::Metrics(metrics) if metrics.iter().any(|(metric, _)| *metric == Metric::TopTenantShare));
    // One month is no split.
    let one_month = matches!(plan.times.as_slice(), [When::Span(span)] if span.months() == 1)
        || matches!(plan.times.as_slice(), [When::End(_) | When::Day(_)]);
    plan.split
        .filter(|split| !(*split == Split::Month && one_month))
        .or((ranked && !side_by_side && !alone && !largest).then_some(Split::Building))
}

pub(super) fn fix<'a>(
    metric: Metric,
    account: Option<&'a Account>,
    when: Option<When>,
    split: Option<Split>,
    as_of: NaiveDate,
) -> std::result::Result<(Asked<'a>, Option<String>), String> {
    let last = Month::of(as_of);
    if is_windowed(metric) {
        let Some(when) = when else {
            return Err("For which period? For instance “in the next 90 days” or “in 2027”.".to_owned());
        };
        let ahead = window(when, last).filter(|window| window.to > last.last_day());
        let Some(window) = ahead else {
            return Err(
                "I look at leases in force, so that I can say which end after the data does, not which ended before."
                    .to_owned(),
            );
        };
        let asked = Asked {
            metric,
            account,
            time: stands(Time::Day(last.last_day()), as_of),
            window: Some(window),
            over: None,
        };
        let told = format!("Leases in force on {}.", day_words(asked.time.day()));
        return Ok((asked, Some(told)));
    }
    let (time, told) = time_for(metric, when, split, last)?;
    // A course over time goes as far as the data does.
    let (time, told) = match time {
        Time::Span(span) if split.is_some_and(Split::is_time) && span.from <= last && last < span.to => {
            let told = format!("The data ends with {}.", last.words());
            (Time::Span(Span::new(span.from, last)), Some(told))
        }
        _ => (time, told),
    };
    let (time, told) = stands_told(time, told, as_of);
    let asked = Asked {
        metric,
        account,
        time,
        window: None,
        over: None,
    };
    Ok((asked, told))
}

/// What is of leases is spread over what is leased.
pub(super) fn of_occupied(metric: Metric) -> bool {
    matches!(
        metric,
        Metric::MonthlyRent
            | Metric::AnnualRent
            | Metric::LossToLease
            | Metric::AnnualLossToLease
            | Metric::Deposits
    )
}

pub(super) fn query(plan: &Plan, asked: &Asked<'_>, scope: &Scope, split: Option<Split>) -> Query {
    // What is kept by building alone has no kinds of space, only kinds of building.
    let by_space = asked.metric.is_of_leases();
    Query {
        buildings: if by_space {
            scope.buildings.clone()
        } else {
            scope.of_group.clone().or_else(|| scope.buildings.clone())
        },
        space: scope.space.filter(|_| by_space),
        split,
        account: asked.account.map(|account| account.code.clone()),
        window: asked.window,
        only: plan.only.clone(),
        levered: plan.turns.contains(&Turn::Levered),
        annualized: is_annualized(plan, asked),
        ..Query::of(asked.metric, asked.time)
    }
}

fn is_annualized(plan: &Plan, asked: &Asked<'_>) -> bool {
    let shorter = matches!(asked.time, Time::Span(span) if span.months() != 12);
    plan.turns.contains(&Turn::Annualized)
        && shorter
        && asked.metric.tense() != Tense::Day
        && asked.metric.unit().is_money()
}

/// The figure's word.
pub(super) fn word(plan: &Plan, asked: &Asked<'_>) -> String {
    let own = own_word(plan, asked);
    match asked.over {
        None => own,
        Some(Over::Units) => format!("{own}_per_unit"),
        Some(Over::Area) => format!("{own}_per_sqft"),
        Some(Over::Months) => format!("{own}_per_month"),
        Some(Over::MonthEnds) => format!("{own}_average"),
        Some(Over::Less(accounts)) => {
            let names: Vec<String> = accounts
                .iter()
                .map(|account| naming::slug(&account.name))
                .collect();
            format!("{own}_without_{}", names.join("_"))
        }
        Some(Over::Median) => format!("{own}_median"),
        Some(Over::Buildings) => format!("{own}_per_building"),
        Some(Over::Whole) => format!("{own}_share"),
        Some(Over::Twelfth) => "rollover_monthly_rent".to_owned(),
        Some(Over::Minus(metric, account)) => format!(
            "{own}_less_{}",
            account
                .as_ref()
                .map_or_else(|| metric.word().to_owned(), |account| naming::slug(&account.name))
        ),
        Some(Over::Plus(parts)) => {
            let names: Vec<String> = parts.iter().map(|part| naming::slug(part_name(part))).collect();
            format!("{own}_plus_{}", names.join("_plus_"))
        }
        Some(Over::Of(metric, account)) => format!(
            "{own}_pct_of_{}",
            account
                .as_ref()
                .map_or_else(|| metric.word().to_owned(), |account| naming::slug(&account.name))
        ),
    }
}

/// A part of a sum by its name.
fn part_name(part: &(Metric, Option<Account>)) -> &str {
    match part {
        (_, Some(account)) => account.name.as_str(),
        (metric, None) => metric.label(),
    }
}

fn own_word(plan: &Plan, asked: &Asked<'_>) -> String {
    let last = Span::ending(Month::of(plan.coverage.as_of), 12);
    let own = naming::word(
        asked.metric,
        asked.account,
        asked.time,
        last,
        is_annualized(plan, asked),
    );
    match (asked.metric, asked.window) {
        (Metric::Expirations, Some(_)) => {
            let kind = match plan.groups.as_slice() {
                [Group::Residential] => "residential_expirations",
                [Group::Commercial] => "commercial_expirations",
                _ => "lease_expirations",
            };
            match plan.times.first() {
                Some(When::NextDays(days)) => format!("{kind}_{days}d"),
                Some(When::NextMonths(months)) => format!("{kind}_{months}m"),
                _ => kind.to_owned(),
            }
        }
        (Metric::Value, _) if plan.scopes.first().is_some_and(|scope| scope.buildings.is_some()) => {
            "market_value".to_owned()
        }
        _ => own,
    }
}

pub(super) fn label(plan: &Plan, asked: &Asked<'_>, subject: Option<String>) -> Label {
    Label {
        name: word(plan, asked),
        definition: definition(plan, asked),
        time: Some(asked.time),
        subject,
    }
}

pub(super) fn definition(plan: &Plan, asked: &Asked<'_>) -> String {
    let own = match asked.account {
        Some(account) => format!(
            "{} “{}” ({}).",
            asked.metric.definition().trim_end_matches('.'),
            account.name,
            account.code
        ),
        None => asked.metric.definition(),
    };
    let own = match asked.over {
        None => own,
        Some(Over::Units) if of_occupied(asked.metric) => format!("{own} Divided by the occupied units."),
        Some(Over::Area) if of_occupied(asked.metric) => format!("{own} Divided by the leased area."),
        Some(Over::Units) => format!("{own} Divided by all units, model and down units among them."),
        Some(Over::Area) => format!("{own} Divided by the area of all units."),
        Some(Over::Whole) if plan.only.is_of_units() => format!("{own} Divided by that of all units there."),
        Some(Over::Months) => format!("{own} Divided by the months of the period."),
        Some(Over::MonthEnds) => format!("{own} The average of the ends of these months."),
        Some(Over::Less(_)) => format!("{own} Without the accounts that are left out."),
        Some(Over::Median) if asked.metric == Metric::AverageRent => {
            "Monthly rent in effect of each lease in force; the middle one of them, or the mean of the two in the middle.".to_owned()
        }
        Some(Over::Median) => {
            format!("{own} Of each building; the middle value, or the mean of the two in the middle.")
        }
        Some(Over::Buildings) => format!("{own} Divided by the number of properties."),
        Some(Over::Whole) => format!("{own} Divided by that of {}.", plan.whole.label),
        Some(Over::Twelfth) => format!("{own} Divided by twelve."),
        Some(Over::Minus(metric, account)) => format!(
            "{own} Less {}: {}",
            account
                .as_ref()
                .map_or(metric.label(), |account| account.name.as_str()),
            metric.definition()
        ),
        Some(Over::Plus(parts)) => {
            let names: Vec<&str> = parts.iter().map(part_name).collect();
            format!("{own} Added to it: {}.", names.join(", "))
        }
        Some(Over::Of(metric, account)) => format!(
            "{own} Divided by {}: {}",
            account
                .as_ref()
                .map_or(metric.label(), |account| account.name.as_str()),
            metric.definition()
        ),
    };
    if is_annualized(plan, asked) {
        format!("{own} Annualized: × 12 ÷ months of the period.")
    } else {
        own
    }
}

/// "NOI", "property taxes", "number of leases that end by …".
pub(super) fn called(plan: &Plan, asked: &Asked<'_>) -> String {
    let name = match asked.account {
        Some(account) if asked.metric == Metric::AccountVsBudget => {
            format!("{} against budget", account.name)
        }
        Some(account) if asked.metric == Metric::AccountBudget => format!("budget of {}", account.name),
        Some(account) => account.name.clone(),
        None => asked.metric.label().to_owned(),
    };
    let name = match asked.over {
        None => name,
        Some(Over::Units) => format!("{name} per unit"),
        Some(Over::Area) => format!("{name} per square foot"),
        Some(Over::Months) => format!("average {name} per month"),
        Some(Over::MonthEnds) => format!("average {name} at month ends"),
        Some(Over::Less(accounts)) => {
            let names: Vec<&str> = accounts.iter().map(|account| account.name.as_str()).collect();
            format!("{name} without {}", names.join(" and "))
        }
        Some(Over::Median) if asked.metric == Metric::AverageRent => {
            "median in-place rent per occupied unit and month".to_owned()
        }
        Some(Over::Median) => format!("median {name} of the properties"),
        Some(Over::Buildings) => format!("average {name} per property"),
        Some(Over::Whole) => format!("share of all {name}"),
        Some(Over::Twelfth) => "monthly rent that expires".to_owned(),
        Some(Over::Minus(metric, account)) => format!(
            "{name} less {}",
            account
                .as_ref()
                .map_or(metric.label(), |account| account.name.as_str())
        ),
        Some(Over::Plus(parts)) => {
            let names: Vec<&str> = parts.iter().map(part_name).collect();
            format!("{name} plus {}", names.join(" plus "))
        }
        Some(Over::Of(metric, account)) => format!(
            "{name} as a share of {}",
            account
                .as_ref()
                .map_or(metric.label(), |account| account.name.as_str())
        ),
    };
    let name = capital(&name);
    if is_annualized(plan, asked) {
        format!("{name}, annualized")
    } else {
        name
    }
}

pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect::<String>()
    })
}

pub(super) fn when_words(asked: &Asked<'_>) -> String {
    match asked.window {
        // "After October 2026" has no end.
        // "Before 2027" has no begin.
        Some(window) if window.from.year() < 1950 => format!("up to {}", day_words(window.to)),
        Some(window) if window.to.year() > 2150 => format!("from {} on", day_words(window.from)),
        Some(window) => format!("{} to {}", day_words(window.from), day_words(window.to)),
        None => time_words(asked.time),
    }
}

pub(super) fn why_not(asked: &Asked<'_>, scope: &Scope, why: Option<&str>) -> String {
    format!(
        "I have no {} for {}: {}.",
        asked
            .account
            .map_or(asked.metric.label(), |account| account.name.as_str()),
        scope.label,
        why.unwrap_or("nothing is known of it")
    )
}

/// What the value is made of, where that is short: "382 of 398".
pub(super) fn made_of(point: &Point) -> String {
    match point.inputs.as_slice() {
        [part, of] if part.unit == "count" && of.unit == "count" && point.unit == "percent" => format!(
            " ({} of {} {})",
            shown::value(part.value, "count"),
            shown::value(of.value, "count"),
            of.name.replace('_', " ")
        ),
        // Against the budget: both sides of it.
        [actual, budget]
            if actual.name == "actual" && budget.name == "budget" && point.unit == actual.unit =>
        {
            format!(
                " (actual {}, budget {})",
                shown::value(actual.value, &actual.unit),
                shown::value(budget.value, &budget.unit)
            )
        }
        [market, rent] if market.name == "market_rent_of_occupied" => format!(
            " (market rent of the occupied units {} a month, rent in place {})",
            shown::value(market.value, &market.unit),
            shown::value(rent.value, &rent.unit)
        ),
        _ => String::new(),
    }
}

/// The scopes as one.
pub(super) fn union(plan: &Plan) -> Scope {
    if let [only] = plan.scopes.as_slice() {
        return only.clone();
    }
    let labels: Vec<&str> = plan.scopes.iter().map(|scope| scope.label.as_str()).collect();
    let all = |of: &dyn Fn(&Scope) -> Option<&BTreeSet<String>>| {
        let sets: Option<Vec<&BTreeSet<String>>> = plan.scopes.iter().map(of).collect();
        sets.map(|sets| sets.into_iter().flatten().cloned().collect::<BTreeSet<String>>())
    };
    let spaces: BTreeSet<Option<bool>> = plan
        .scopes
        .iter()
        .map(|scope| scope.space.map(|space| space == Space::Residential))
        .collect();
    Scope {
        label: labels.join(" and "),
        buildings: all(&|scope| scope.buildings.as_ref()),
        of_group: all(&|scope| scope.of_group.as_ref()),
        space: if spaces.len() == 1 {
            plan.scopes.first().and_then(|scope| scope.space)
        } else {
            None
        },
        is_building: false,
    }
}
