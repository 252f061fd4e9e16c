//! Lines and months of a statement beside one another: the largest, the lowest, and what part of a sum they are.
//!
//! Knows no file.

use crate::say::format;
use crate::sheets::asked::Measure;
use crate::sheets::finding::{Finding, Open, Outcome, inert, percent};
use crate::sheets::statements::{Asked, Months};
use crate::sheets::subject::Subject;
use crate::sheets::words::Words;
use tables::accounts::Line;
use tables::income::Item;

/// The lines of one side, the largest first.
pub(crate) fn largest(
    words: &mut Words,
    asked: &Asked<'_>,
    months: &Months,
    which: Option<(bool, usize)>,
    share: bool,
) -> Result<Outcome, Open> {
    let incomes = words.take(&[
        "income line",
        "income item",
        "source of income",
        "income source",
        "revenue line",
        "revenue item",
    ]);
    let costs = words.take(&[
        "operating expense",
        "expense line",
        "expense item",
        "expense categorie",
        "expense category",
        "cost line",
        "cost item",
        "expense",
        "total opex",
        "opex",
        "cost",
        "expenditure",
    ]);
    if incomes == costs {
        return Err(Open::because(
            "The lines of the income, or those of the expenses?",
        ));
    }
    words.take(&["item", "category", "line", "total"]);
    let (lowest, count) = which.unwrap_or((false, 1));
    let mut all: Vec<(&Item, f64)> = asked
        .statement
        .items
        .iter()
        .filter(|item| {
            if costs {
                item.line == Line::Expense
            } else {
                matches!(item.line, Line::Potential | Line::Rent | Line::Other)
            }
        })
        .map(|item| (item, asked.statement.amount(item, &months.places) * months.factor))
        .collect();
    all.sort_by(|one, other| {
        let order = other.1.total_cmp(&one.1);
        if lowest { order.reverse() } else { order }
    });
    let whole: f64 = all.iter().map(|(_, amount)| amount).sum();
    let side = if costs {
        "operating expenses"
    } else {
        "income lines"
    };
    let mut outcome = Outcome::default();
    let mut table = "| Line | Amount | Share |\n|---|---:|---:|\n".to_owned();
    for (item, amount) in all.iter().take(count.max(5)) {
        table.push_str(&format!(
            "| {} | {} | {} |\n",
            inert(&item.label),
            format::money(*amount),
            percent(amount / whole)
        ));
    }
    let mut said = Vec::new();
    for (item, amount) in all.iter().take(count) {
        said.push(format!(
            "{} ({}, {} of {side})",
            item.label,
            format::money(*amount),
            percent(amount / whole)
        ));
        outcome.findings.push(
            Finding::money(
                "line_amount",
                &format!("amount of “{}”", item.label),
                *amount,
                "As the statement has it.",
            )
            .of(item.label.clone()),
        );
        let part = Finding::percent(
            "share_of_lines",
            &format!("share of {side}"),
            amount / whole,
            "Share = line ÷ sum of the lines of its side.",
        )
        .of(item.label.clone());
        outcome.findings.push(if share { part } else { part.aside() });
    }
    if said.is_empty() {
        return Err(Open::because(format!("I found no {side} in the statement.")));
    }
    if count > 1 {
        let sum: f64 = all.iter().take(count).map(|(_, amount)| amount).sum();
        outcome.findings.push(
            Finding::money(
                "total_lines",
                &format!("these {count} together"),
                sum,
                "Sum of the lines named.",
            )
            .aside(),
        );
        outcome.findings.push(
            Finding::percent(
                "share_of_lines",
                &format!("share of {side} that these {count} make"),
                sum / whole,
                "Share = lines ÷ sum of the lines of their side.",
            )
            .aside(),
        );
    }
    let word = if lowest { "Smallest" } else { "Largest" };
    outcome.sentence = Some(format!("{word}: {}", said.join(", ")));
    outcome.tables.push(table);
    Ok(outcome)
}

pub(crate) fn by_month(
    asked: &Asked<'_>,
    months: &Months,
    subject: &Subject<'_>,
    which: Option<(bool, usize)>,
) -> Result<Outcome, Open> {
    let statement = asked.statement;
    if statement.months.is_empty() {
        return Err(Open::because(
            "The file has one amount for each line and no single months.",
        ));
    }
    let label = subject.label();
    let mut all: Vec<(String, f64)> = months
        .places
        .iter()
        .filter_map(|place| {
            let month = statement.months.get(*place)?;
            Some((
                month.format("%B %Y").to_string(),
                subject.amount(statement, &[*place]),
            ))
        })
        .collect();
    let mut table = format!("| Month | {} |\n|---|---:|\n", inert(&label));
    for (month, amount) in &all {
        table.push_str(&format!("| {month} | {} |\n", format::money(*amount)));
    }
    let mut outcome = Outcome::default();
    outcome.tables.push(table);
    if let Some((lowest, count)) = which {
        all.sort_by(|one, other| {
            let order = other.1.total_cmp(&one.1);
            if lowest { order.reverse() } else { order }
        });
        let said: Vec<String> = all
            .iter()
            .take(count)
            .map(|(month, amount)| format!("{month} ({})", format::money(*amount)))
            .collect();
        outcome.sentence = Some(format!(
            "{} {label}: {}",
            if lowest { "Lowest" } else { "Highest" },
            said.join(", ")
        ));
        all.truncate(count);
    }
    outcome.findings = all
        .into_iter()
        .map(|(month, amount)| {
            Finding::money("amount", &label, amount, "The amount of a single month.")
                .of(month.clone())
                .during(month)
        })
        .collect();
    Ok(outcome)
}

/// A line's share of the expenses or of the income.
pub(crate) fn portion(
    words: &mut Words,
    asked: &Asked<'_>,
    months: &Months,
    items: &[&Item],
    measures: &[Measure],
) -> Result<Outcome, Open> {
    let totals = asked.statement.totals(&months.places);
    let cost = items.iter().all(|item| item.line == Line::Expense);
    let income = measures.contains(&Measure::EffectiveGrossIncome)
        || words.take(&["income", "total income", "revenue", "egi"])
            && !measures.contains(&Measure::Expenses);
    let potential = measures.contains(&Measure::GrossPotentialRent);
    let expenses = measures.contains(&Measure::Expenses)
        || words.take(&["expense", "total expense", "opex", "total cost", "cost"]);
    let (whole, name) = match (income, potential, expenses) {
        (true, false, false) => (totals.effective_gross_income(), "effective gross income"),
        (false, true, false) => (totals.potential.unwrap_or(0.0), "gross potential rent"),
        (false, false, true) if cost => (totals.expenses, "operating expenses"),
        _ => {
            return Err(Open::because(
                "A share of what: of the operating expenses, or of the income?",
            ));
        }
    };
    if whole == 0.0 {
        return Err(Open::because(format!("The {name} is zero.")));
    }
    let subject = Subject::Lines(items.to_vec());
    let part = subject.amount(asked.statement, &months.places);
    Ok(Outcome::figures(vec![
        Finding::percent(
            "share_of_lines",
            &format!("share of {} in the {name}", subject.label()),
            part / whole,
            "Share = amount of the line ÷ the sum it is a part of.",
        )
        .input("part", part, "USD", asked.source)
        .input("whole", whole, "USD", asked.source)
        .step(format!("{} of {}.", format::money(part), format::money(whole))),
    ]))
}
