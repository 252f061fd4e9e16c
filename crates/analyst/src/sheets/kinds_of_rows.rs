//! Rows of a kind that the question speaks of, or that change its answer, where the answer does not show that kind: "sold
//! comps" among others that are not sold, payments in and out told apart by a column of their own, units of employees.
//!
//! Computes nothing.

use std::collections::{BTreeSet, HashSet};

use crate::sheets::finding::{Finding, Outcome};
use crate::sheets::sources::Sheet;
use crate::sheets::words::Words;
use crate::words::among::among;
use tables::cashflows;

/// What a sale, a lease or a payment may be; beside each other they are kinds of rows.
const STATUSES: &str =
    "sold closed pending listed active withdrawn leased notice current expired signed executed";
const PAID_IN: &str =
    "contribution call equity investment invested purchase acquisition funding drawdown capital outflow";
const PAID_OUT: &str = "distribution sale proceeds dividend cash reversion refinancing repayment inflow exit";

/// Why the answer may be of other rows than those asked about.
pub(crate) fn missed(sheet: &Sheet, words: &Words, outcome: &Outcome, first: &Finding) -> Option<String> {
    filtered(sheet, words, outcome, first)
        .or_else(|| one_sided(sheet, words, first))
        .or_else(|| of_employees(sheet, words, first))
        .or_else(|| by_area(words, first))
}

/// The different texts of each column that holds words.
fn texts(sheet: &Sheet) -> Vec<Vec<String>> {
    (0..sheet.table.columns.len())
        .map(|column| {
            let cells: HashSet<&str> = sheet
                .table
                .data()
                .map(|row| sheet.table.text(row, column))
                .filter(|text| text.contains(char::is_alphabetic))
                .collect();
            let all: BTreeSet<String> = cells.into_iter().map(str::to_lowercase).collect();
            all.into_iter().collect()
        })
        .collect()
}

/// "The sold comps": a status that some rows have and others have not, and that the answer does not name.
fn filtered(sheet: &Sheet, words: &Words, outcome: &Outcome, first: &Finding) -> Option<String> {
    let words: Vec<String> = words.texts().iter().map(|word| word.to_lowercase()).collect();
    if !words.iter().any(|word| among(STATUSES, word)) {
        return None;
    }
    let asked = |text: &String| words.contains(text);
    let status = texts(sheet)
        .into_iter()
        .filter(|all| all.len() > 1 && all.len() <= 6)
        .flatten()
        .find(|text| among(STATUSES, text) && asked(text))
        // "How much is leased?" asks for the occupancy itself.
        .filter(|text| !(first.name.starts_with("physical_occupancy") && text == "leased"))?;
    let told = |text: &str| text.to_lowercase().contains(&status);
    let shown = outcome.sentence.as_deref().is_some_and(told)
        || outcome.remarks.iter().any(|remark| told(remark))
        || outcome
            .findings
            .iter()
            .filter(|finding| !finding.aside)
            .any(|finding| {
                told(&finding.label)
                    || told(&finding.definition)
                    || finding.subject.as_deref().is_some_and(told)
                    || finding.steps.iter().any(|step| told(step))
            });
    (!shown).then(|| {
        format!("I could not narrow that to the rows whose status is “{status}”. Please attach those rows alone, or ask for each.")
    })
}

/// Contributions and distributions in one column, all without a sign: what is paid in would count as received.
fn one_sided(sheet: &Sheet, words: &Words, first: &Finding) -> Option<String> {
    let flows = matches!(
        first.name.as_str(),
        "npv" | "xnpv" | "irr" | "xirr" | "present_value" | "equity_multiple"
    ) || words.says(&["profit"]);
    if !flows {
        return None;
    }
    let sided = texts(sheet).into_iter().any(|all| {
        let any = |list: &str| {
            all.iter().any(|text| {
                text.split_whitespace()
                    .any(|word| among(list, word.trim_end_matches('s')))
            })
        };
        all.len() > 1 && any(PAID_IN) && any(PAID_OUT)
    });
    let negative = sheet.table.data().any(|row| {
        (0..sheet.table.columns.len()).any(|column| {
            sheet
                .table
                .number(row, column)
                .is_some_and(|number| number.value() < 0.0)
        })
    });
    // What is paid in and out in columns of their own has its sides.
    let apart = || cashflows::read(&sheet.table, &words.texts()).is_ok_and(|read| read.paid.is_some());
    (sided && !negative && !apart()).then(|| {
        "The amounts have no sign, and a column tells what is paid in from what is paid out. Please write what is paid in as negative amounts."
            .to_owned()
    })
}

/// A unit let to an employee: counted by some, left out by others.
fn of_employees(sheet: &Sheet, words: &Words, first: &Finding) -> Option<String> {
    let mut cells = sheet.table.data().flat_map(|row| row.cells.iter());
    let mut there = || cells.any(|cell| cell.eq_ignore_ascii_case("employee"));
    let counted = matches!(
        first.unit,
        "count" | "USD" | "sqft" | "USD/unit" | "USD/month" | "percent" | "USD/sqft"
    );
    (counted && !words.says(&["employee"]) && there()).then(|| {
        "A row of the table is marked “Employee”. Mark it as current or as a model, or take the row out, and I can count the units."
            .to_owned()
    })
}

/// "What percent of the rent expires": no share of the area.
fn by_area(words: &Words, first: &Finding) -> Option<String> {
    let of_rent = words.says(&["rent", "annual rent", "income"])
        && !words.says(&["area", "square foot", "sf", "sqft", "space"]);
    let of_area = first.label.to_lowercase().contains("of area")
        || first.definition.to_lowercase().contains("share of area");
    (first.unit == "percent" && of_rent && of_area).then(|| {
        "A lease has no rent in the table, so I cannot give a share of the rent. Please fill it in, or ask for the share of the area."
            .to_owned()
    })
}
