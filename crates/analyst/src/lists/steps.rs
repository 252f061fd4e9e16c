//! Rents that step by year as the question lists them, increases that begin later, and commissions by year: what is due
//! in a year, over the term, on average.
//!
//! Every number must have its place, or the question is left to others.

use crate::forms::words::Words;
use crate::lists::commissions::commission;
use crate::lists::schedule::{RISES, Schedule, grows};
use crate::lists::spans::{self, Item, Rate};
use crate::say::format;
use crate::say::written::{Read, Written};

#[derive(Clone, Copy, PartialEq)]
enum Goal {
    Year(usize),
    Total,
    Average,
    Commission,
}

const COMMISSION: &[&str] = &[
    "commission",
    "commissions",
    "leasing commission",
    "leasing fee",
    "lc",
    "lcs",
    "brokerage",
    "broker",
    "letting fee",
    "agent's fee",
    "agency fee",
];

pub(crate) fn read(words: &Words) -> Read {
    if !words.has(&[
        "rent",
        "rents",
        "lease",
        "pays",
        "psf",
        "rate",
        "commission",
        "commissions",
        "lc",
        "lcs",
        "fee",
    ]) && !words.says(&["years"])
    {
        return None;
    }
    let other = words.has(&[
        "noi",
        "cap",
        "irr",
        "npv",
        "discount",
        "loan",
        "mortgage",
        "cpi",
        "index",
        "indexed",
        "effective",
        "value",
        "worth",
        "ti",
        "opex",
        "expenses",
        "attached",
        "file",
        "csv",
        "walt",
        "wale",
        "wault",
        "interest",
        "vacancy",
        "gpr",
        "budget",
        "split",
        "half",
        "instalments",
        "installments",
        "tranches",
    ]);
    if other {
        return None;
    }
    let items = spans::items(words)?;
    let goal = goal(words, &items)?;
    let schedule = schedule(words, &items, goal)?;
    let written = match goal {
        Goal::Commission => commission(words, &items, &schedule)?,
        Goal::Year(year) => due(&schedule, year)?,
        Goal::Total | Goal::Average => sum(&schedule, goal)?,
    };
    Some(Ok(written))
}

fn goal(words: &Words, items: &[Item]) -> Option<Goal> {
    if words.says(COMMISSION) {
        return Some(Goal::Commission);
    }
    if words.says(&[
        "straight line",
        "average annual rent",
        "average rent",
        "average yearly rent",
        "on average",
    ]) {
        return Some(Goal::Average);
    }
    if words.says(&[
        "total",
        "collect",
        "over the term",
        "over the lease",
        "altogether",
        "in all",
        "aggregate",
        "cumulative",
        "whole term",
    ]) {
        return Some(Goal::Total);
    }
    items.iter().find_map(|item| match item {
        Item::Asked(year) => Some(Goal::Year(*year)),
        _ => None,
    })
}

/// The rents of each year, from steps that are listed or from one rent that grows.
fn schedule(words: &Words, items: &[Item], goal: Goal) -> Option<Schedule> {
    let rents: Vec<(f64, Rate)> = items
        .iter()
        .filter_map(|item| match item {
            Item::Rent(value, rate) => Some((*value, *rate)),
            _ => None,
        })
        .collect();
    let rate = rents.first()?.1;
    if rents.iter().any(|(_, other)| *other != rate) {
        return None;
    }
    let area = items.iter().find_map(|item| match item {
        Item::Area(area) => Some(*area),
        _ => None,
    });
    let free = items
        .iter()
        .map(|item| {
            if let Item::Free(months) = item {
                *months
            } else {
                0.0
            }
        })
        .sum();
    let term = items.iter().find_map(|item| match item {
        Item::Term(years) => Some(*years),
        _ => None,
    });
    let shares: Vec<(f64, bool)> = items
        .iter()
        .filter_map(|item| match item {
            Item::Share(share, at) => Some((*share, grows(words, *at))),
            _ => None,
        })
        .collect();
    // The only share beside a rent that rises is its increase.
    let shares: Vec<(f64, bool)> = match shares.as_slice() {
        [(share, _)] if goal != Goal::Commission && words.has(RISES) => vec![(*share, true)],
        _ => shares,
    };
    let growth: Vec<f64> = shares
        .iter()
        .filter(|(_, grows)| *grows)
        .map(|(share, _)| *share)
        .collect();
    // A share that is neither an increase nor a commission has no place here.
    if goal != Goal::Commission && growth.len() != shares.len() {
        return None;
    }
    if rents.len() >= 2 {
        let steps = steps(items)?;
        let listed = !growth.is_empty() || steps.len() != rents.len();
        if listed || goal == Goal::Commission {
            return None;
        }
        let mut yearly = Vec::new();
        for ((rent, _), (from, to)) in rents.iter().zip(steps) {
            if from != yearly.len() + 1 || to < from || to > 99 {
                return None;
            }
            yearly.resize(to, *rent);
        }
        if term.is_some_and(|term| (term - yearly.len() as f64).abs() > 1e-9) || free > 0.0 {
            return None;
        }
        return Some(Schedule {
            rents: yearly,
            rate,
            area,
            free,
        });
    }
    let [(rent, _)] = rents.as_slice() else {
        return None;
    };
    let growth = match growth.as_slice() {
        [] => 0.0,
        [only] => *only,
        _ => return None,
    };
    let steps = spans_of(items);
    let flat = match (goal, steps.as_slice()) {
        (Goal::Commission, _) | (_, []) => 1,
        (_, [(1, flat)] | [(1, flat), (_, spans::OPEN)]) => *flat,
        _ => return None,
    };
    let begins = items.iter().find_map(|item| match item {
        Item::Start(year) => Some(*year),
        _ => None,
    });
    let flat = match begins {
        Some(year) if flat > 1 && year != flat + 1 => return None,
        Some(year) => year.checked_sub(1)?,
        None => flat,
    };
    let last = match goal {
        Goal::Year(year) => year,
        _ => whole(term.or_else(|| steps_end(items))?)?,
    };
    // Without a later beginning a single year is the escalation form's, and so is a total.
    let level = growth == 0.0 && (free > 0.0 || (goal == Goal::Total && term.is_some()));
    if goal != Goal::Commission && flat <= 1 && !level {
        return None;
    }
    let rents = (1..=last)
        .map(|year| rent * (1.0 + growth).powi(i32::try_from(year.saturating_sub(flat)).unwrap_or(0)))
        .collect();
    Some(Schedule {
        rents,
        rate,
        area,
        free,
    })
}

fn whole(years: f64) -> Option<usize> {
    (years.fract() == 0.0 && (1.0..100.0).contains(&years)).then_some(years as usize)
}

fn spans_of(items: &[Item]) -> Vec<(usize, usize)> {
    items
        .iter()
        .filter_map(|item| match item {
            Item::Span(from, to) => Some((*from, *to)),
            _ => None,
        })
        .collect()
}

/// The years of each rent: they stand all before or all behind it.
fn steps(items: &[Item]) -> Option<Vec<(usize, usize)>> {
    let order: Vec<&Item> = items
        .iter()
        .filter(|item| matches!(item, Item::Span(..) | Item::Rent(..)))
        .collect();
    let mut found = Vec::new();
    let first = matches!(order.first(), Some(Item::Rent(..)));
    for pair in order.chunks(2) {
        match (pair, first) {
            ([Item::Rent(..), Item::Span(from, to)], true)
            | ([Item::Span(from, to), Item::Rent(..)], false) => found.push((*from, *to)),
            _ => return None,
        }
    }
    Some(found)
}

fn steps_end(items: &[Item]) -> Option<f64> {
    spans_of(items)
        .iter()
        .map(|(_, to)| *to)
        .filter(|to| *to < spans::OPEN)
        .max()
        .map(|to| to as f64)
}

fn due(schedule: &Schedule, year: usize) -> Option<Written> {
    let rent = *schedule.rents.get(year.checked_sub(1)?)?;
    let (name, unit, shown, per) = match schedule.rate {
        Rate::AreaYear => (
            "rent_psf",
            "USD/sqft",
            format!("${}/sf", format::plain(rent, 2)),
            "a year",
        ),
        Rate::AreaMonth => (
            "rent_psf",
            "USD/sqft",
            format!("${}/sf", format::plain(rent, 2)),
            "a month",
        ),
        Rate::Year => ("annual_rent", "USD", format::money(rent), "a year"),
        Rate::Month => ("monthly_rent", "USD", format::money(rent), "a month"),
    };
    Some(schedule.written(
        name,
        rent,
        unit,
        format!("The rent in year {year} is {shown} {per}"),
        "The rent of each year as it is agreed: steps and increases apply from the year they begin in.",
    ))
}

fn sum(schedule: &Schedule, goal: Goal) -> Option<Written> {
    let years = schedule.rents.len() as f64;
    let mut total: f64 = schedule.rents.iter().map(|rent| schedule.yearly(*rent).0).sum();
    let money = schedule
        .rents
        .first()
        .is_some_and(|rent| schedule.yearly(*rent).1);
    if schedule.free > 0.0 {
        // Free months are those of the first year.
        if schedule.free > 12.0 {
            let level = schedule
                .rents
                .windows(2)
                .all(|pair| matches!(pair, [one, two] if one == two));
            if !level {
                return None;
            }
        }
        total -= schedule.yearly(*schedule.rents.first()?).0 / 12.0 * schedule.free;
    }
    let monthly = matches!(schedule.rate, Rate::Month);
    let (name, value, label) = match (goal, money) {
        (Goal::Total, true) => ("total_rent", total, "total rent over the term"),
        (Goal::Total, false) => (
            "total_rent_psf",
            total,
            "total rent per square foot over the term",
        ),
        (_, true) if monthly => (
            "straight_line_rent",
            total / years / 12.0,
            "average rent per month",
        ),
        (_, true) => ("straight_line_rent", total / years, "average rent per year"),
        (_, false) => (
            "straight_line_rent_psf",
            total / years,
            "average rent per square foot and year",
        ),
    };
    let unit = if money { "USD" } else { "USD/sqft" };
    let mut written = schedule.written(
        name,
        value,
        unit,
        format!("The {label} is {}", format::money(value)),
        "The rents of all years, added up; an average divides them by the term.",
    );
    if schedule.free > 0.0 {
        written.remarks.push(format!(
            "{} free months are taken off at the first rent.",
            format::plain(schedule.free, 1)
        ));
    }
    Some(written)
}
