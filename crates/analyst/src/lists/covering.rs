//! Break-even occupancy from a potential income, operating expenses and what the debt takes, each with its own period.
//!
//! Amounts without a period are those of a year, where a month's would make no sense beside the others.

use serde_json::json;

use crate::forms::words::Words;
use crate::lists::around::{before, behind};
use crate::say::format;
use crate::say::written::{Read, Written, figure, input};
use crate::words::scan::{Per, Shape, Sign};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Income,
    Expenses,
    Debt,
}

const INCOME: &[&str] = &["pgi", "gpi", "gpr", "potential", "scheduled"];
const EXPENSES: &[&str] = &["opex", "expenses", "expense", "operating", "costs"];
const DEBT: &[&str] = &[
    "debt",
    "mortgage",
    "loan",
    "lender",
    "bank",
    "financing",
    "installments",
    "instalments",
];

pub(crate) fn read(words: &Words) -> Read {
    let asked = words.says(&["break even", "breakeven", "breaks even", "breaking even"])
        || (words.says(&[
            "how full",
            "what occupancy",
            "which occupancy",
            "occupancy do we need",
            "occupancy we need",
            "occupancy needed",
            "occupancy required",
        ]) && words.has(&["cover", "covers", "covering", "need", "must", "needs"]));
    let other = words.has(&[
        "rate",
        "amortization",
        "amortizing",
        "interest",
        "vacancy",
        "noi",
        "reserves",
        "reserve",
        "capex",
        "psf",
        "unit",
        "units",
        "rent",
        "rents",
        "attached",
        "file",
        "csv",
        "ratio",
        "years",
        "sales",
        "if",
        "other",
        "parking",
        "laundry",
        "taxes",
        "insurance",
        "egi",
        "excluding",
        "ignoring",
        "without",
    ]);
    if !asked || other {
        return None;
    }
    let parts = parts(words)?;
    let yearly = |part: Part| {
        parts
            .iter()
            .find(|(own, _, _)| *own == part)
            .map(|(_, value, per)| value * factor(*per))
    };
    let (income, expenses, debt) = (
        yearly(Part::Income)?,
        yearly(Part::Expenses)?,
        yearly(Part::Debt)?,
    );
    let share = (expenses + debt) / income;
    let open = parts.iter().any(|(_, _, per)| per.is_none());
    let monthly = parts.iter().any(|(_, _, per)| *per == Some(Per::Month));
    if !(0.2..=1.3).contains(&share) || (open && monthly && plausible_by_month(&parts)) {
        return None;
    }
    let definition = "Break-even occupancy = (operating expenses + debt service) ÷ potential gross income.";
    let inputs = vec![
        input("opex", expenses, "USD"),
        input("debt_service", debt, "USD"),
        input("potential_gross_income", income, "USD"),
    ];
    let shown = format!("{}%", format::plain(share * 100.0, 2));
    Some(Ok(Written::one(
        figure("breakeven_occupancy", json!(share), "percent", definition, inputs),
        format!("The break-even occupancy is {shown}"),
        format!(
            "({} + {}) ÷ {} = {shown}, all for a year.",
            format::money(expenses),
            format::money(debt),
            format::money(income)
        ),
    )))
}

fn factor(per: Option<Per>) -> f64 {
    match per {
        Some(Per::Month) => 12.0,
        Some(Per::Quarter) => 4.0,
        _ => 1.0,
    }
}

/// Whether the amounts without a period would make sense as those of a month too.
fn plausible_by_month(parts: &[(Part, f64, Option<Per>)]) -> bool {
    let sum = |part: Part| -> f64 {
        parts
            .iter()
            .filter(|(own, _, _)| *own == part)
            .map(|(_, value, per)| value * factor(per.or(Some(Per::Month))))
            .sum()
    };
    let share = (sum(Part::Expenses) + sum(Part::Debt)) / sum(Part::Income);
    (0.35..=1.2).contains(&share)
}

/// The three amounts, each by the words beside it.
fn parts(words: &Words) -> Option<Vec<(Part, f64, Option<Per>)>> {
    let mut found: Vec<(Part, f64, Option<Per>)> = Vec::new();
    for at in words.numbers() {
        let number = words.number(at)?;
        let plain = matches!(number.shape, Shape::Money | Shape::Plain)
            && number.value >= 1000.0
            && number.sign == Sign::None
            && number.base.is_none()
            && !number.doubtful
            && !number.foreign
            && number.per != Some(Per::Other);
        if !plain {
            return None;
        }
        // "410k of expenses" names it behind; else what stands before counts.
        let of = matches!(words.word(at + 1), "of" | "in");
        let (ahead, after) = (named(&before(words, at, 8)), named(&behind(words, at, 5)));
        let part = if of { after.or(ahead) } else { ahead.or(after) }?;
        if found.iter().any(|(own, _, _)| *own == part) {
            return None;
        }
        found.push((part, number.value, number.per));
    }
    (found.len() == 3).then_some(found)
}

/// The part that the nearest of the words names.
fn named(near: &[&str]) -> Option<Part> {
    near.iter().find_map(|word| {
        if INCOME.contains(word) {
            Some(Part::Income)
        } else if EXPENSES.contains(word) {
            Some(Part::Expenses)
        } else if DEBT.contains(word) {
            Some(Part::Debt)
        } else {
            None
        }
    })
}
