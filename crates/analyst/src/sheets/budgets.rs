//! A statement with a budget beside what happened: figures of both, the lines that differ most.
//!
//! Every word must be understood.

use crate::say::format;
use crate::sheets::asked;
use crate::sheets::finding::{Finding, Open, Outcome, inert, percent};
use crate::sheets::lines;
use crate::sheets::meaning::shares;
use crate::sheets::query::vocabulary;
use crate::sheets::sources::Sheet;
use crate::sheets::subject::{Subject, ranking, shown_amount};
use crate::sheets::words::{Kind as WordKind, Words};
use tables::accounts::Line;
use tables::income::Item;
use tables::statement;

pub(crate) const OVERRUN: &[&str] = &[
    "overrun",
    "over budget",
    "under budget",
    "variance",
    "versus budget",
    "vs budget",
    "against budget",
    "over spent",
    "overspent",
    "underspent",
    "overspend",
    "off budget",
    "from budget",
    "to budget",
    "exceed budget",
    "exceeded budget",
    "below budget",
    "above budget",
    "missed budget",
    "beat budget",
    "budget variance",
];

/// Actual and budget beside one another: figures of both, or the lines that differ most.
pub(crate) fn against_budget(sheet: &Sheet, mut words: Words) -> Option<Result<Outcome, Open>> {
    // A supposition is no figure of the file.
    if words.says(&["if", "unless", "assuming", "suppose", "had been"]) {
        return None;
    }
    let actual = statement::read(&sheet.table, &["actual".to_owned()]);
    let budget = statement::read(&sheet.table, &["budget".to_owned()]);
    if let Some(doubt) = actual.doubts.first().or_else(|| budget.doubts.first()) {
        return Some(Err(Open::because(doubt.clone())));
    }
    let which = ranking(&mut words);
    let relative = shares(&mut words) || words.take(&["in percent", "%"]);
    let over = words.says(&[
        "overrun",
        "over budget",
        "overspent",
        "overspend",
        "exceed",
        "exceeded",
        "above budget",
    ]);
    let under = words.says(&["under budget", "underspent", "below budget", "missed"]);
    words.take(OVERRUN);
    words.take(&[
        "budgeted",
        "budget",
        "actual",
        "actually",
        "planned",
        "plan",
        "dollar",
        "in dollar",
        "usd",
        "compared to",
        "versus",
        "vs",
        "difference",
        "between",
        "miss",
        "missed",
    ]);
    let kinds = words.take(&["expense", "cost", "expense line", "opex line"]);
    let income_lines = words.take(&["income line", "revenue line"]);
    words.take(&["line", "item", "category", "account"]);
    let measures = if which.is_some() {
        Vec::new()
    } else {
        asked::measures(&mut words, sheet.kind)
    };
    let items = if which.is_some() {
        Vec::new()
    } else {
        lines::lines(&mut words, &actual)
    };
    words.take(&["total", "how much", "by"]);
    if words.all.iter().any(|word| {
        !word.used
            && (word.kind != WordKind::Plain || (!vocabulary::filler(&word.stem) && word.text.len() > 1))
    }) {
        return None;
    }
    let pair = |item: &Item| -> Option<(f64, f64)> {
        let other = budget.items.iter().find(|own| own.label == item.label)?;
        Some((
            shown_amount(&actual, item, &[]),
            shown_amount(&budget, other, &[]),
        ))
    };
    let mut outcome = Outcome::default();
    let mut both = |label: &str, name: &str, one: f64, other: f64| {
        outcome.findings.push(Finding::money(
            &format!("actual_{name}"),
            &format!("actual {label}"),
            one,
            "From the column of actual amounts.",
        ));
        outcome.findings.push(Finding::money(
            &format!("budget_{name}"),
            &format!("budgeted {label}"),
            other,
            "From the column of the budget.",
        ));
        let variance = Finding::money(
            &format!("variance_{name}"),
            &format!("{label}, actual less budget"),
            one - other,
            "Variance = actual − budget.",
        );
        outcome.findings.push(variance);
        if other != 0.0 {
            outcome.findings.push(
                Finding::percent(
                    &format!("variance_{name}_pct"),
                    &format!("{label}, variance as a share of the budget"),
                    (one - other) / other,
                    "Variance in percent = (actual − budget) ÷ budget.",
                )
                .aside(),
            );
        }
    };
    if !measures.is_empty() {
        for measure in measures {
            let subject = Subject::Measure(measure);
            both(
                &subject.label(),
                "amount",
                subject.amount(&actual, &[]),
                subject.amount(&budget, &[]),
            );
        }
        for (place, finding) in outcome.findings.iter_mut().enumerate() {
            finding.name = format!("{}_{}", finding.name, place / 4);
        }
        return Some(Ok(outcome));
    }
    if !items.is_empty() {
        for item in items {
            let (one, other) = pair(item)?;
            both(
                &format!("“{}”", item.label),
                &tables::headers::words(&item.label).join("_"),
                one,
                other,
            );
        }
        return Some(Ok(outcome));
    }
    let mut all: Vec<(&Item, f64, f64)> = actual
        .items
        .iter()
        .filter(|item| match (kinds || over && !income_lines, income_lines) {
            (true, false) => item.line == Line::Expense,
            (false, true) => matches!(item.line, Line::Potential | Line::Rent | Line::Other),
            _ => true,
        })
        .filter_map(|item| pair(item).map(|(one, other)| (item, one, other)))
        .collect();
    let size = |one: f64, other: f64| {
        if relative && other != 0.0 {
            (one - other) / other
        } else {
            one - other
        }
    };
    all.sort_by(|one, other| size(other.1, other.2).total_cmp(&size(one.1, one.2)));
    if under {
        all.reverse();
    }
    let count = which.map_or(usize::MAX, |(_, count)| count);
    let fits = |(_, one, other): &&(&Item, f64, f64)| {
        if over {
            one > other
        } else if under {
            one < other
        } else {
            true
        }
    };
    let mut table = "| Line | Actual | Budget | Variance | % |\n|---|---:|---:|---:|---:|\n".to_owned();
    for (item, one, other) in &all {
        let share = if *other == 0.0 {
            String::new()
        } else {
            percent((one - other) / other)
        };
        table.push_str(&format!(
            "| {} | {} | {} | {} | {share} |\n",
            inert(&item.label),
            format::money(*one),
            format::money(*other),
            format::money(one - other)
        ));
    }
    if which.is_some() && !over && !under {
        // The largest variance may lie on either side.
        all.sort_by(|one, other| size(other.1, other.2).abs().total_cmp(&size(one.1, one.2).abs()));
    }
    let chosen: Vec<&(&Item, f64, f64)> = all.iter().filter(fits).take(count).collect();
    let said: Vec<String> = chosen
        .iter()
        .map(|(item, one, other)| {
            format!(
                "{} ({}{})",
                item.label,
                format::money(one - other),
                if *other == 0.0 {
                    String::new()
                } else {
                    format!(", {}", percent((one - other) / other))
                }
            )
        })
        .collect();
    if said.is_empty() {
        return Some(Err(Open::because("No line differs from its budget that way.")));
    }
    outcome.sentence = Some(format!("Actual less budget: {}", said.join(", ")));
    for (item, one, other) in chosen {
        let finding = if relative && *other != 0.0 {
            Finding::percent(
                "variance_pct",
                &format!("variance of “{}”", item.label),
                (one - other) / other,
                "Variance in percent = (actual − budget) ÷ budget.",
            )
        } else {
            Finding::money(
                "variance",
                &format!("variance of “{}”", item.label),
                one - other,
                "Variance = actual − budget.",
            )
        };
        outcome.findings.push(finding.of(item.label.clone()));
    }
    outcome.tables.push(table);
    Some(Ok(outcome))
}
