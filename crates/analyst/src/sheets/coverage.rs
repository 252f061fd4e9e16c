//! How often the net operating income of a statement covers the debt service that stands in it.
//!
//! Every word must be understood.

use crate::sheets::finding::{Finding, Outcome};
use crate::sheets::query::vocabulary;
use crate::sheets::sources::Sheet;
use crate::sheets::words::Words;
use tables::accounts::{Below, Line};
use tables::income::Statement;
use tables::kind::Kind;
use tables::statement;

const WORDS: &str = "dscr debt service coverage cover covers covered times ratio noi net operating income mortgage loan \
     interest principal both statement t12 trailing twelve year annual payments payment property building over divided plus existing \
     current in-place debt of on before reserves against as shown by what is the from same borrower borrower's using compute calculate \
     attached operating file counting total";

/// The answer, if that is what is asked and nothing else.
pub(crate) fn answer(sheet: &Sheet, question: &str) -> Option<Outcome> {
    if sheet.kind != Kind::Statement || sheet.table.months().len() >= 2 {
        return None;
    }
    let mut words = Words::of(question);
    // Reserves are below the line: to leave them out changes nothing.
    words.take(UNRESERVED);
    words.all.retain(|word| !word.used);
    let asked = words.says(&[
        "dscr",
        "debt service coverage",
        "debt coverage",
        "coverage of the debt",
        "coverage of the existing debt",
        "cover of the existing debt",
        "coverage of existing debt",
        "coverage of debt service",
        "coverage of the debt service",
    ]) || words.says(&["how many times"]) && words.says(&["cover", "covers"]);
    let known = vocabulary::accounted(&words, WORDS, false);
    if !asked || !known {
        return None;
    }
    let read = statement::read(&sheet.table, &[]);
    if !read.doubts.is_empty() {
        return None;
    }
    let totals = read.totals(&[]);
    let earns = read
        .items
        .iter()
        .any(|item| matches!(item.line, Line::Potential | Line::Rent | Line::Other));
    let noi = totals.net_operating_income();
    if !repays(&read) || !earns || totals.debt <= 0.0 || totals.expenses <= 0.0 {
        return None;
    }
    let finding = Finding::times(
        "dscr",
        "debt service coverage ratio",
        "ratio",
        (noi, totals.debt),
        "DSCR = NOI ÷ (interest + principal); reserves are below the line.",
    )
    .input("noi", noi, "USD", &sheet.name)
    .input("debt_service", totals.debt, "USD", &sheet.name);
    Some(Outcome::figures(vec![finding]))
}

const UNRESERVED: &[&str] = &[
    "reserve not deducted",
    "reserve are not deducted",
    "reserve not taken out",
    "no reserve deducted",
    "reserve left out",
    "not deducting reserve",
    "without deducting reserve",
    "without deducting the reserve",
    "before replacement reserve",
    "before the reserve",
    "before reserve",
    "without reserve",
    "excluding reserve",
    "reserve excluded",
    "ignoring reserve",
    "ignore reserve",
    "ignore the reserve",
    "leaving reserve out",
    "reserve left out",
];

/// Whether a statement holds a debt service: interest alone is none.
fn repays(read: &Statement) -> bool {
    read.items.iter().any(|item| {
        let label = item.label.to_lowercase();
        item.line == Line::Below(Below::Debt) && (!label.contains("interest") || label.contains("principal"))
    })
}

const AFTER: &str = "uw underwriting case this take taking being is as ncf cash flow less minus after replacement reserve reserves ti \
     tis lc lcs leasing commissions tenant improvements what cover interest principal plus shown against on net";

/// Net cash flow, after reserves, tenant improvements and leasing commissions, over the debt service, where the question
/// says all three.
pub(crate) fn after_reserves(sheet: &Sheet, question: &str) -> Option<Outcome> {
    if sheet.kind != Kind::Statement || sheet.table.months().len() >= 2 {
        return None;
    }
    let words = Words::of(question);
    let whole = words.says(&["ncf", "net cash flow"])
        && words.says(&["dscr", "debt service coverage"])
        && words.says(&["reserve"])
        && words.says(&["ti", "tis", "tenant improvement"])
        && words.says(&["lc", "lcs", "leasing commission"]);
    if !whole || !vocabulary::accounted(&words, &format!("{WORDS} {AFTER}"), false) {
        return None;
    }
    let read = statement::read(&sheet.table, &[]);
    // Other capital works are in none of the three.
    let others = read.items.iter().any(|item| {
        let label = item.label.to_lowercase();
        item.line == Line::Below(Below::Capital)
            && !label.contains("improvement")
            && !label.contains("commission")
    });
    let totals = read.totals(&[]);
    let noi = totals.net_operating_income();
    if others
        || !repays(&read)
        || !read.doubts.is_empty()
        || totals.debt <= 0.0
        || totals.reserves <= 0.0
        || totals.capital <= 0.0
    {
        return None;
    }
    let flow = noi - totals.reserves - totals.capital;
    let finding = Finding::times(
        "dscr",
        "debt service coverage ratio of the net cash flow",
        "ratio",
        (flow, totals.debt),
        "NCF DSCR = (NOI − reserves − tenant improvements − leasing commissions) ÷ (interest + principal).",
    )
    .input("noi", noi, "USD", &sheet.name)
    .input("net_cash_flow", flow, "USD", &sheet.name)
    .input("debt_service", totals.debt, "USD", &sheet.name);
    Some(Outcome::figures(vec![finding]))
}
