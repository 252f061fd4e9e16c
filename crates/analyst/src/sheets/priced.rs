//! One amount that the question gives, a price or a loan, against what a table earns in a year: the gross rent
//! multiplier of a rent roll, the debt yield of a statement.
//!
//! Every word must be understood.

use crate::say::format;
use crate::sheets::finding::{Finding, Outcome};
use crate::sheets::periods;
use crate::sheets::query::vocabulary;
use crate::sheets::sources::Sheet;
use crate::sheets::words::Words;
use tables::accounts::Line;
use tables::kind::Kind;
use tables::statement;
use tables::tenancy::{Space, State};

const MULTIPLIER: &str = "grm gross rent rents multiplier annual yearly price list listed asking ask purchase sale at of all \
     let occupied leased per building units unit property plex fully on it seller wants attached";
const YIELD: &str = "debt yield noi net operating income loan request requested amount borrower wants proceeds t-12 t12 \
     trailing twelve at on for of reserves reserve ti lc lcs below line before statement annual principal balance in \
     place";

/// The answer, if that is what is asked and nothing else.
pub(crate) fn answer(sheet: &Sheet, question: &str) -> Option<Outcome> {
    match sheet.kind {
        Kind::RentRoll => multiplier(sheet, question),
        Kind::Statement => debt_yield(sheet, question),
        _ => None,
    }
}

/// The one number of a question: an amount of money that could buy a property.
fn amount(words: &Words) -> Option<f64> {
    match words.numbers().as_slice() {
        [(_, number)] => Some(number.value()).filter(|amount| *amount >= 50_000.0),
        _ => None,
    }
}

pub(crate) fn multiplier(sheet: &Sheet, question: &str) -> Option<Outcome> {
    let words = Words::of(question);
    let asked = words.says(&["grm", "gross rent multiplier"]);
    if sheet.kind != Kind::RentRoll
        || !asked
        || words.says(&["monthly"])
        || !vocabulary::accounted(&words, MULTIPLIER, true)
    {
        return None;
    }
    let price = amount(&words)?;
    let read = sheet.tenancy();
    // Where something is empty it is not said whether its rent counts.
    if !read.doubts.is_empty()
        || read.spaces.is_empty()
        || read.spaces.iter().any(|space| space.state != State::Occupied)
    {
        return None;
    }
    let monthly = read.spaces.iter().map(Space::rent).sum::<Option<f64>>()?;
    let rent = monthly * 12.0;
    if rent <= 0.0 {
        return None;
    }
    let finding = Finding::times(
        "grm",
        "gross rent multiplier",
        "multiple",
        (price, rent),
        "GRM = price ÷ annual gross rent.",
    )
    .input("gross_rent", rent, "USD", &sheet.name);
    Some(Outcome::figures(vec![finding]))
}

fn debt_yield(sheet: &Sheet, question: &str) -> Option<Outcome> {
    let words = Words::of(question);
    let lends = words.says(&["loan", "request", "requested", "proceeds", "balance"]);
    if sheet.table.months().len() >= 2
        || !words.says(&["debt yield"])
        || !lends
        || !periods::yearly(sheet)
        || !vocabulary::accounted(&words, YIELD, true)
    {
        return None;
    }
    let loan = amount(&words)?;
    let read = statement::read(&sheet.table, &[]);
    let totals = read.totals(&[]);
    let earns = read
        .items
        .iter()
        .any(|item| matches!(item.line, Line::Potential | Line::Rent | Line::Other));
    let noi = totals.net_operating_income();
    if !read.doubts.is_empty() || !earns || totals.expenses <= 0.0 {
        return None;
    }
    let finding = Finding::percent(
        "debt_yield",
        "debt yield",
        noi / loan,
        "Debt yield = annual NOI ÷ loan; reserves and capital works are below the line.",
    )
    .input("noi", noi, "USD", &sheet.name)
    .step(format!("{} ÷ {}.", format::money(noi), format::money(loan)));
    Some(Outcome::figures(vec![finding]))
}
