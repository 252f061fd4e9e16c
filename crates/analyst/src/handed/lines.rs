//! Lines of a file that name a value each: the terms of a loan, the key figures of a deal.
//!
//! A line that cannot be said with its unit leaves all of them untold.

use crate::handed::amounts::Told;
use crate::sheets::finding::plain;
use crate::sheets::periods::yearly;
use crate::sheets::sources::Sheet;
use tables::totals;

/// Names of lines that no calculation needs.
const ASIDE: &[&str] = &[
    "lender",
    "borrower",
    "property",
    "address",
    "name",
    "asset",
    "market",
    "city",
    "prepared",
    "broker",
    "sponsor",
    "loan type",
    "rate type",
];

/// Each line as it stands: "Loan amount $5,400,000. Interest rate 6.20%."
pub(crate) fn lines(sheet: &Sheet, question: &str) -> Option<Told> {
    let lower = question.to_lowercase();
    let of_cash = ["cash-on-cash", "cash on cash", "coc", "cash flow"]
        .iter()
        .any(|word| lower.contains(word));
    let table = &sheet.table;
    let rows: Vec<_> = table.data().collect();
    if table.columns.len() != 2
        || rows.is_empty()
        || rows.len() > 16
        || rows.len() != table.rows.len()
        || !yearly(sheet)
    {
        return None;
    }
    let mut told = Told::default();
    let mut labels: Vec<String> = Vec::new();
    for row in rows {
        let label = table.text(row, 0).trim().trim_end_matches(':').to_owned();
        let cell = table.text(row, 1).trim();
        let name = label.to_lowercase();
        if label.is_empty() || cell.is_empty() || table.number(row, 0).is_some() || labels.contains(&name) {
            return None;
        }
        // Before or after reserves: the question has to say.
        if name.contains("reserve") && of_cash && !lower.contains("reserve") {
            return None;
        }
        labels.push(name.clone());
        if totals::is_summary(&label) {
            return None;
        }
        if let Some(length) = length(cell) {
            told.text.push_str(&format!("{} {length}. ", spelled(&name)));
            continue;
        }
        let Some(number) = table.number(row, 1) else {
            // "Lender, First State": text that is no term.
            let apart = ASIDE.iter().any(|word| name.contains(word));
            let level = name.contains("payment")
                && matches!(cell.to_lowercase().as_str(), "monthly" | "level")
                || cell.to_lowercase() == "fixed";
            if apart || level {
                continue;
            }
            return None;
        };
        let value = number.written();
        let digits = plain(value.abs(), 6);
        let (before, unit) = match name.split_once('(') {
            Some((before, rest)) => (
                before.trim().to_owned(),
                rest.trim_end_matches(')').trim().to_owned(),
            ),
            None => (name.clone(), String::new()),
        };
        if before.contains("per year") && before.contains("payment") {
            // Loans are paid by the month.
            if value == 12.0 {
                continue;
            }
            return None;
        }
        let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        let share = has(&[
            "rate",
            "%",
            "percent",
            "ltv",
            "ltc",
            "cap",
            "vacancy",
            "growth",
            "yield",
            "cost of sale",
        ]) && !has(&["cap ex", "capex", "capital", "$"]);
        let time = has(&[
            "amort",
            "term",
            "period",
            "hold",
            "interest-only",
            "interest only",
            "i/o",
            "io_",
        ]);
        // A cost may be printed as what goes out; an income below zero is not told.
        let cost = has(&[
            "debt",
            "expense",
            "opex",
            "reserve",
            "payment",
            "tax",
            "insurance",
            "cost",
        ]);
        if value < 0.0 && !cost && !number.percent {
            return None;
        }
        let shown = match () {
            () if number.percent => cell.to_owned(),
            () if share && value > 0.0 && value < 0.3 => format!("{}%", plain(value * 100.0, 6)),
            () if share && (1.0..=100.0).contains(&value) => format!("{digits}%"),
            () if share && value < 1000.0 => return None,
            () if time && value < 1000.0 => match () {
                () if has(&["month", "mos"]) => format!("{digits} months"),
                () if has(&["year", "yr"]) => format!("{digits} years"),
                () if has(&["amort"]) && value >= 120.0 => format!("{digits} months"),
                () if has(&["amort"]) && (5.0..=40.0).contains(&value) => format!("{digits} years"),
                () => return None,
            },
            () if number.money || value.abs() >= 10_000.0 => {
                let area = has(&["sf", "sq ft", "square f", "area"]);
                if area {
                    format!("{digits} sf")
                } else {
                    format!("${digits}")
                }
            }
            () if has(&["units", "doors"]) => {
                told.text.push_str(&format!("{digits} units. "));
                told.values.push(value);
                continue;
            }
            () => digits,
        };
        // "Amortization (years)", "NOI (annual)".
        let every = match unit.as_str() {
            "annual" | "per year" | "yearly" => "annual ",
            "monthly" | "per month" => "monthly ",
            "" | "years" | "yrs" | "year" | "months" | "mos" | "%" | "$" | "usd" | "sf" | "units" => "",
            _ => return None,
        };
        told.text
            .push_str(&format!("{every}{} {shown}. ", spelled(&before)));
        told.values.push(value);
    }
    (!told.values.is_empty()).then_some(told)
}

/// "30 years", "120 mos": a length of time with its unit.
fn length(cell: &str) -> Option<String> {
    let lower = cell.to_lowercase();
    let (count, unit) = lower.split_once([' ', '-'])?;
    let unit = match unit.trim() {
        "years" | "year" | "yrs" | "yr" => "years",
        "months" | "month" | "mos" | "mo" => "months",
        _ => return None,
    };
    count
        .parse::<f64>()
        .ok()
        .map(|count| format!("{} {unit}", plain(count, 2)))
}

/// The name of a line as people say it: "io_months" is the interest-only period.
fn spelled(name: &str) -> String {
    let words = name
        .split(|sign: char| !sign.is_alphanumeric() && !matches!(sign, '-' | '&' | '\''))
        .filter(|word| !word.is_empty());
    let mut all: Vec<&str> = words.collect();
    if all.len() > 1
        && all
            .last()
            .is_some_and(|last| matches!(*last, "years" | "yrs" | "months" | "mos" | "pct" | "usd"))
    {
        all.pop();
    }
    let name = all.join(" ");
    match name.as_str() {
        "io" | "i o" | "io period" | "interest only" | "interest-only" => "interest-only period".to_owned(),
        "amort" => "amortization".to_owned(),
        "rate" => "interest rate".to_owned(),
        _ => name,
    }
}
