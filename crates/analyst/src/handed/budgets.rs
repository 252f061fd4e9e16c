//! The budget of a project that a file tells: the sum of its costs.
//!
//! Money that pays for it, a printed sum that the lines do not make or a line below zero leaves it untold.

use crate::handed::amounts::Told;
use crate::sheets::sources::Sheet;
use tables::columns::numeric_columns;
use tables::headers;
use tables::table::Table;
use tables::totals;

/// The columns of names and of amounts of a table that has one of each beside shares.
pub(crate) fn named_amounts(table: &Table) -> Option<(usize, usize)> {
    let share = |at: usize| {
        let name = table.header(at).to_lowercase();
        [
            "%", "percent", "pct", "per unit", "/unit", "psf", "/sf", "per sf", "share",
        ]
        .iter()
        .any(|word| name.contains(word))
    };
    let numeric: Vec<usize> = numeric_columns(table)
        .into_iter()
        .filter(|at| !share(*at))
        .collect();
    let [amounts] = numeric.as_slice() else {
        return None;
    };
    let names = (0..table.columns.len()).find(|at| {
        at != amounts
            && table
                .data()
                .all(|row| !table.text(row, *at).is_empty() && table.number(row, *at).is_none())
    })?;
    Some((names, *amounts))
}

/// Costs that only a project has.
const PROJECT: &[&str] = &[
    "land",
    "hard",
    "soft",
    "sitework",
    "site",
    "construction",
    "contingency",
    "developer",
    "architect",
    "architecture",
    "engineering",
    "permits",
    "permit",
    "impact",
    "acquisition",
    "purchase",
    "renovation",
    "rehab",
    "shell",
    "demolition",
    "ff&e",
    "carry",
    "closing",
    "building",
    "financing",
    "fees",
    "fee",
    "reserve",
    "design",
    "a&e",
    "ti",
    "leasing",
];

/// Money that a project is paid with.
const SOURCES: &[&str] = &[
    "loan",
    "debt",
    "equity",
    "mezz",
    "mezzanine",
    "mortgage",
    "grant",
    "credits",
    "bonds",
    "lender",
    "investor",
    "sponsor",
    "source",
    "sources",
    "gp",
    "lp",
];
/// What makes it a cost all the same: "loan fees".
const OF_COST: &[&str] = &[
    "fee",
    "fees",
    "cost",
    "costs",
    "interest",
    "closing",
    "reserve",
    "reserves",
    "carry",
    "placement",
    "points",
    "origination",
    "legal",
];
/// What no budget of costs has.
const EARNED: &[&str] = &[
    "income",
    "revenue",
    "noi",
    "rent",
    "rents",
    "sales",
    "sale",
    "proceeds",
    "value",
    "profit",
    "units",
    "sf",
    "area",
    "rate",
    "less",
    "credit",
    "vacancy",
    "payroll",
    "utilities",
];

/// The sum of the costs of a project.
pub(crate) fn budget(sheet: &Sheet) -> Option<Told> {
    let table = &sheet.table;
    let (names, amounts) = named_amounts(table)?;
    let mut sum = 0.0;
    let mut since = 0.0;
    let mut costs = 0;
    let mut project = 0;
    let mut lines = Vec::new();
    let header = headers::words(table.header(amounts));
    if header.iter().any(|word| {
        matches!(
            word.as_str(),
            "actual" | "spent" | "drawn" | "paid" | "remaining" | "month" | "variance"
        )
    }) {
        return None;
    }
    for row in &table.rows {
        let label = table.text(row, names);
        let words: Vec<String> = label
            .split(|sign: char| !sign.is_alphanumeric() && sign != '&')
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let amount = match table.number(row, amounts) {
            Some(number) if !number.percent => number.written(),
            Some(_) => return None,
            None if table.text(row, amounts).is_empty() => continue,
            None => return None,
        };
        let is = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        if totals::is_summary(label) {
            let agrees = |own: f64| (own - amount).abs() <= 0.5;
            if !agrees(sum) && !agrees(since) {
                return None;
            }
            since = 0.0;
            continue;
        }
        if amount < 0.0
            || is(EARNED)
            || (is(SOURCES) && !is(OF_COST))
            || words.first().is_some_and(|word| word == "of")
        {
            return None;
        }
        project += usize::from(is(PROJECT));
        costs += 1;
        sum += amount;
        since += amount;
        lines.extend(words);
    }
    if project < 2 || project * 2 < costs || sum <= 0.0 {
        return None;
    }
    let plain = [
        "loan",
        "construction",
        "interest",
        "cost",
        "costs",
        "fee",
        "fees",
        "financing",
        "development",
        "project",
        "and",
        "building",
        "budget",
        "of",
        "the",
        "reserve",
        "closing",
        "debt",
        "equity",
        "purchase",
        "property",
        "site",
    ];
    lines.retain(|word| !plain.contains(&word.as_str()) && word.len() > 2);
    let mut told = Told {
        lines,
        costs: true,
        ..Told::default()
    };
    told.say("Total project cost", sum);
    Some(told)
}
