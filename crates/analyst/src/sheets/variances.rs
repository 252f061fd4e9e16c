//! One figure of a statement against its budget: by how much the net operating income, the income or the expenses
//! differ, in money or in percent.
//!
//! Every word must be understood.

use crate::say::format;
use crate::sheets::finding::{Finding, Outcome};
use crate::sheets::query::vocabulary;
use crate::sheets::sources::Sheet;
use crate::sheets::words::Words;
use tables::accounts::Line;
use tables::columns::numeric_columns;
use tables::headers;
use tables::statement;

const WORDS: &str = "ytd year date actual actuals against budget budgeted plan planned versus vs compared how far off over \
     under above below ahead behind percent percentage share express expressed overshot overshoot overrun overran overspent \
     overspend exceed exceeded exceeds miss missed beat variance difference differ noi net operating income egi effective \
     gross opex expense expenses cost costs total spending spent spend dollars dollar amount less went run ran relative \
     money fiscal full year-end service charge account statement year's end come came are were";

/// The answer, if that is what is asked and nothing else.
pub(crate) fn answer(sheet: &Sheet, question: &str) -> Option<Outcome> {
    let table = &sheet.table;
    let headed = |names: &[&str]| -> Vec<usize> {
        numeric_columns(table)
            .into_iter()
            .filter(|at| {
                headers::words(table.header(*at))
                    .iter()
                    .any(|word| names.contains(&word.as_str()))
            })
            .collect()
    };
    let (actual, budget) = (
        headed(&["actual", "actuals"]),
        headed(&["budget", "budgeted", "plan", "planned"]),
    );
    let ([actual], [budget]) = (actual.as_slice(), budget.as_slice()) else {
        return None;
    };
    let words = Words::of(question);
    let says = |list: &[&str]| words.says(list);
    if !says(&["budget", "budgeted", "plan", "planned"]) {
        return None;
    }
    let known = vocabulary::accounted(&words, WORDS, false);
    let apart = says(&[
        "how far",
        "off",
        "over",
        "under",
        "above",
        "below",
        "ahead",
        "behind",
        "overshot",
        "overshoot",
        "overrun",
        "overran",
        "overspent",
        "overspend",
        "exceed",
        "exceeded",
        "miss",
        "missed",
        "beat",
        "variance",
        "difference",
        "less",
        "against",
        "versus",
        "vs",
    ]);
    if !known || !apart || says(&["which", "each", "every", "line", "list", "who"]) {
        return None;
    }
    let relative = says(&["percent", "percentage", "%"]);
    let noi = says(&["noi", "net operating income"]);
    let costs = says(&["expense", "opex", "cost", "spending", "spent", "spend"]);
    let income = says(&["egi", "effective gross income"]);
    let read = |at: usize| {
        let mut own = table.clone();
        // Seen through one column of amounts.
        let gone: Vec<usize> = numeric_columns(table)
            .into_iter()
            .filter(|other| *other != at)
            .collect();
        for row in &mut own.rows {
            let cells = row.cells.iter().enumerate();
            row.cells = cells
                .map(|(at, cell)| if gone.contains(&at) { "" } else { cell })
                .collect();
        }
        statement::read(&own, &headers::words(table.header(at)))
    };
    let both = statement::has_both_sides(table);
    let amount = |at: usize| -> Option<f64> {
        if both {
            let own = read(at);
            if !own.doubts.is_empty() {
                return None;
            }
            let totals = own.totals(&[]);
            return match (noi, costs, income) {
                (true, false, false) => Some(totals.net_operating_income()),
                (false, true, false) => Some(totals.expenses),
                (false, false, true) => Some(totals.effective_gross_income()),
                _ => None,
            };
        }
        // A list of costs alone.
        let own = read(at);
        let earns = own
            .items
            .iter()
            .any(|item| matches!(item.line, Line::Potential | Line::Rent | Line::Other));
        if earns || noi || income || !costs {
            return None;
        }
        let mut sum = 0.0;
        for row in table
            .rows
            .iter()
            .filter(|row| row.role == tables::table::Role::Data)
        {
            let text = table.text(row, at);
            match table.number(row, at) {
                Some(number) => sum += number.written(),
                None if text.is_empty() => {}
                None => return None,
            }
        }
        Some(sum)
    };
    let (one, other) = (amount(*actual)?, amount(*budget)?);
    let (word, label) = match (noi, costs) {
        (true, _) => ("noi", "net operating income"),
        (_, true) => ("opex", "expenses"),
        _ => ("egi", "effective gross income"),
    };
    let difference = Finding::money(
        &format!("{word}_vs_budget"),
        &format!("{label}, actual less budget"),
        one - other,
        "Variance = actual − budget.",
    )
    .input("actual", one, "USD", &sheet.name)
    .input("budget", other, "USD", &sheet.name)
    .step(format!("{} − {}.", format::money(one), format::money(other)));
    let share = (other != 0.0).then(|| {
        Finding::percent(
            &format!("{word}_vs_budget_pct"),
            &format!("{label}, variance as a share of the budget"),
            (one - other) / other.abs(),
            "Variance in percent = (actual − budget) ÷ budget.",
        )
    });
    let findings = match (relative, share) {
        (true, Some(share)) => vec![share, difference.aside()],
        (true, None) => return None,
        (false, share) => std::iter::once(difference)
            .chain(share.map(Finding::aside))
            .collect(),
    };
    Some(Outcome::figures(findings))
}
