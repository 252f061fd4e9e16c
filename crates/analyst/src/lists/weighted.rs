//! What groups of units, areas and rents come to together: averages weighted by units or area, potential rent, loss to
//! lease.
//!
//! The groups are read by [`groups`](super::groups).

use serde_json::json;

use crate::forms::words::Words;
use crate::lists::counted::{Item, Kind};
use crate::say::format;
use crate::say::written::{Written, figure, input};
use crate::words::scan::Per;

fn of(group: &[Item], kind: Kind) -> f64 {
    group
        .iter()
        .find(|item| item.kind == kind)
        .map_or(0.0, |item| item.value)
}

/// Σ weight × value and Σ weight over the groups, with the steps.
fn weighed(groups: &[Vec<Item>], weight: Kind, value: Kind) -> (f64, f64, String) {
    let sum = groups
        .iter()
        .map(|group| of(group, weight) * of(group, value))
        .sum();
    let all = groups.iter().map(|group| of(group, weight)).sum();
    let shown = |kind: Kind, value: f64| match kind {
        Kind::Share => format!("{}%", format::plain(value * 100.0, 2)),
        _ => format::plain(value, 2),
    };
    let steps: Vec<String> = groups
        .iter()
        .map(|group| {
            format!(
                "{} × {}",
                shown(weight, of(group, weight)),
                shown(value, of(group, value))
            )
        })
        .collect();
    (sum, all, steps.join(" + "))
}

/// One figure of these groups.
fn told(
    name: &str,
    value: f64,
    unit: &str,
    said: String,
    definition: &str,
    groups: &[Vec<Item>],
    step: String,
) -> Written {
    let inputs = groups
        .iter()
        .enumerate()
        .flat_map(|(at, group)| {
            group.iter().map(move |item| {
                let (name, unit) = match item.kind {
                    Kind::Units => ("units", "count"),
                    Kind::Area => ("area", "sqft"),
                    Kind::Share => ("share", "percent"),
                    Kind::Money => ("amount", "USD"),
                };
                input(format!("{name}_{}", at + 1), item.value, unit)
            })
        })
        .collect();
    Written {
        figures: vec![figure(name, json!(value), unit, definition, inputs)],
        said,
        definition: definition.to_owned(),
        steps: vec![step],
        ..Written::default()
    }
}

fn percent(value: f64) -> String {
    format!("{}%", format::plain(value * 100.0, 2))
}

pub(crate) fn occupancy(words: &Words, groups: &[Vec<Item>]) -> Option<Written> {
    let vacancy = words.has(&["vacancy", "vacant", "empty"]);
    let full = words.has(&["occupancy", "occupied", "leased", "let"]);
    let all = words.has(&[
        "overall",
        "total",
        "weighted",
        "average",
        "blended",
        "portfolio",
        "combined",
        "together",
        "altogether",
        "aggregate",
        "occupancy",
        "vacancy",
    ]);
    if !(vacancy || full) || !all || words.has(&["rent", "rents", "income", "noi", "expenses", "economic"]) {
        return None;
    }
    // Shares that are partly vacant and partly let are of two kinds.
    if vacancy && words.has(&["occupied", "leased", "let"]) {
        return None;
    }
    let weight = if groups.first()?.iter().any(|item| item.kind == Kind::Area) {
        Kind::Area
    } else {
        Kind::Units
    };
    let (sum, total, steps) = weighed(groups, weight, Kind::Share);
    if total <= 0.0 {
        return None;
    }
    let share = sum / total;
    let (name, label) = if vacancy {
        ("vacancy", "vacancy")
    } else {
        ("physical_occupancy", "occupancy")
    };
    let by = if weight == Kind::Area { "area" } else { "units" };
    let mut written = told(
        name,
        share,
        "percent",
        format!("The {label} of all together is {}", percent(share)),
        &format!("The shares, weighted by {by}."),
        groups,
        format!("({steps}) ÷ {} = {}.", format::plain(total, 0), percent(share)),
    );
    if words.says(&["simple average"]) {
        written
            .remarks
            .push("Not the simple average: the larger ones count for more.".to_owned());
    }
    Some(written)
}

/// Whether the rents are those of a month: said so, or of a size that only a month's can have.
fn monthly(words: &Words, groups: &[Vec<Item>]) -> bool {
    let yearly = groups.iter().flatten().any(|item| {
        item.kind == Kind::Money
            && (item.value > 20_000.0
                || words
                    .number(item.at)
                    .is_some_and(|number| matches!(number.per, Some(Per::Year))))
    });
    !yearly
}

pub(crate) fn rents(words: &Words, groups: &[Vec<Item>]) -> Option<Written> {
    let average = words.has(&["average", "avg", "blended", "mean", "weighted"]);
    let potential = words.says(&[
        "gpr",
        "potential rent",
        "gross potential",
        "scheduled rent",
        "potential gross rent",
        "rent roll",
        "total rent",
        "annual rent",
        "rent per year",
        "rent a year",
        "rental income",
    ]);
    let other = words.has(&[
        "collected",
        "noi",
        "egi",
        "vacancy",
        "vacant",
        "expenses",
        "opex",
        "economic",
        "price",
        "sold",
        "sales",
        "sale",
        "market",
        "break",
        "breakeven",
        "occupancy",
        "cap",
        "premium",
        "loss",
        "ltl",
        "bought",
        "paid",
        "cost",
    ]);
    if !words.has(&["rent", "rents", "gpr", "rental", "renting", "rented"])
        || other
        || !monthly(words, groups)
    {
        return None;
    }
    let (sum, units, steps) = weighed(groups, Kind::Units, Kind::Money);
    if units <= 0.0 || (average && words.has(&["sf", "foot", "psf"])) {
        return None;
    }
    let yearly =
        words.has(&["annual", "annually", "yearly"]) || words.says(&["a year", "per year", "per annum"]);
    if average {
        let factor = if yearly { 12.0 } else { 1.0 };
        let value = sum / units * factor;
        let period = if yearly { "year" } else { "month" };
        return Some(told(
            "average_rent",
            value,
            "USD",
            format!(
                "The average rent per unit and {period} is {}",
                format::money(value)
            ),
            "Average rent = Σ(units × rent) ÷ units, the rents taken as those of a month.",
            groups,
            format!(
                "({steps}) ÷ {} = {}.",
                format::plain(units, 0),
                format::money(sum / units)
            ),
        ));
    }
    if !potential {
        return None;
    }
    let month = !yearly && (words.has(&["monthly"]) || words.says(&["per month", "a month"]));
    let value = if month { sum } else { sum * 12.0 };
    let period = if month { "month" } else { "year" };
    Some(told(
        "gpr",
        value,
        "USD",
        format!("The gross potential rent is {} a {period}", format::money(value)),
        "Gross potential rent = Σ(units × monthly rent); times 12 for a year.",
        groups,
        format!("{steps} = {} a month.", format::money(sum)),
    ))
}

pub(crate) fn blended(words: &Words, groups: &[Vec<Item>]) -> Option<Written> {
    let (sum, share, steps) = weighed(groups, Kind::Share, Kind::Money);
    let asked =
        words.has(&["average", "avg", "blended", "weighted"]) && words.has(&["rent", "rents", "rate"]);
    (asked && (share - 1.0).abs() < 1e-6 && !words.has(&["vacancy", "noi", "cap", "price"])).then(|| {
        told(
            "average_rent",
            sum,
            "USD",
            format!("The blended rent is {}", format::money(sum)),
            "Blended rent = Σ(share × rent); the shares add up to 100%.",
            groups,
            format!("{steps} = {}.", format::money(sum)),
        )
    })
}

pub(crate) fn sizes(words: &Words, groups: &[Vec<Item>]) -> Option<Written> {
    let average = words.has(&["average", "avg", "mean", "weighted"]);
    let total = words.has(&["total", "altogether", "overall"]);
    if !words.has(&["size", "sf", "area", "sqft", "footage", "feet"]) || !(average || total) {
        return None;
    }
    let (sum, units, steps) = weighed(groups, Kind::Units, Kind::Area);
    if units <= 0.0 {
        return None;
    }
    let (name, value, label) = if average {
        ("average_unit_size", sum / units, "average unit size")
    } else {
        ("area", sum, "total area")
    };
    Some(told(
        name,
        value,
        "sqft",
        format!("The {label} is {} sf", format::plain(value, 2)),
        "Sizes are multiplied by the number of units.",
        groups,
        format!(
            "{steps} = {} sf in {} units.",
            format::plain(sum, 2),
            format::plain(units, 0)
        ),
    ))
}

pub(crate) fn mix(words: &Words, groups: &[Vec<Item>]) -> Option<Written> {
    if !words.has(&["rent", "rents", "gpr", "size"])
        || !monthly(words, groups)
        || words.has(&["noi", "vacancy", "loss"])
    {
        return None;
    }
    let average = words.has(&["average", "avg", "blended", "weighted"]);
    let each = words.says(&[
        "per sf",
        "psf",
        "per square foot",
        "per foot",
        "a foot",
        "per sqft",
        "per sq ft",
        "a square foot",
    ]);
    let (rent, units, steps) = weighed(groups, Kind::Units, Kind::Money);
    let (area, _, _) = weighed(groups, Kind::Units, Kind::Area);
    if units <= 0.0 || area <= 0.0 {
        return None;
    }
    let yearly =
        words.has(&["annual", "annually", "yearly"]) || words.says(&["a year", "per year", "per annum"]);
    let factor = if yearly { 12.0 } else { 1.0 };
    let period = if yearly { "year" } else { "month" };
    if each {
        let value = rent / area * factor;
        return Some(told(
            "rent_psf",
            value,
            "USD/sqft",
            format!(
                "The average rent per square foot and {period} is ${}/sf",
                format::plain(value, 2)
            ),
            "Average rent per square foot = Σ(units × rent) ÷ Σ(units × size), the rents taken as those of a month.",
            groups,
            format!("({steps}) ÷ {} sf.", format::plain(area, 0)),
        ));
    }
    if average && words.has(&["rent", "rents"]) {
        return rents(words, groups);
    }
    if average && words.has(&["size"]) {
        return sizes(words, groups);
    }
    rents(words, groups)
}

/// Units with two rents: in place and of the market.
pub(crate) fn lease_loss(words: &Words, groups: &[Vec<Item>]) -> Option<Written> {
    if !words.says(&["loss to lease", "ltl", "gain to lease"]) || !monthly(words, groups) {
        return None;
    }
    let role = |item: &Item| -> Option<bool> {
        (1..=4).find_map(|back| {
            let at = item.at.checked_sub(back)?;
            match words.word(at) {
                "market" | "asking" | "street" => Some(true),
                "place" | "contract" | "paying" | "pay" | "current" | "leased" | "actual" => Some(false),
                _ => None,
            }
        })
    };
    let mut loss = 0.0;
    let mut market = 0.0;
    let mut steps = Vec::new();
    for group in groups {
        let [units, one, two] = group.as_slice() else {
            return None;
        };
        let (top, own) = match (role(one), role(two)) {
            (Some(true), Some(false)) => (one.value, two.value),
            (Some(false), Some(true)) => (two.value, one.value),
            _ => return None,
        };
        loss += units.value * (top - own);
        market += units.value * top;
        steps.push(format!(
            "{} × ({} − {})",
            format::plain(units.value, 0),
            format::money(top),
            format::money(own)
        ));
    }
    let yearly = words.has(&["annual", "annually", "yearly"]) || words.says(&["a year", "per year"]);
    let share =
        words.has(&["percent", "percentage", "pct"]) || words.tokens.iter().any(|token| token.is_mark('%'));
    let definition = "Loss to lease = Σ units × (market rent − rent in place).";
    if share {
        return (market > 0.0).then(|| {
            told(
                "loss_to_lease_pct",
                loss / market,
                "percent",
                format!(
                    "The loss to lease is {} of the market rent",
                    percent(loss / market)
                ),
                definition,
                groups,
                format!("({}) ÷ {}.", steps.join(" + "), format::money(market)),
            )
        });
    }
    let (value, period) = if yearly {
        (loss * 12.0, "year")
    } else {
        (loss, "month")
    };
    Some(told(
        "loss_to_lease",
        value,
        "USD",
        format!("The loss to lease is {} a {period}", format::money(value)),
        definition,
        groups,
        format!("{} = {} a month.", steps.join(" + "), format::money(loss)),
    ))
}
