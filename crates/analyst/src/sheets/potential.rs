//! Gross potential rent as some build it: what is let at its contract rent, what is vacant at market.
//!
//! Every word must be understood.

use crate::say::format;
use crate::sheets::finding::{Finding, Outcome};
use crate::sheets::query::vocabulary;
use crate::sheets::sources::Sheet;
use crate::sheets::words::Words;
use tables::headers::Field;
use tables::kind::Kind;
use tables::table::Table;
use tables::tenancy::State;

const WORDS: &str = "our appraiser valuer lender bank builds build built takes take uses use gross potential rent rents gpr \
     income contract contracts market where leased let occupied rented empty vacant void units unit suites spaces basis \
     all-market all not number figure yearly annual annually year month monthly in-place passing actual from plus with \
     asking combined mixed we they he she rental scheduled for rest others other at";

/// Potential rent is that of every unit anyway.
pub(crate) const EVERY_UNIT: &[&str] = &[
    "vacant included",
    "vacant unit included",
    "vacancy included",
    "including vacant unit",
    "including vacant",
    "including the vacant",
    "include vacant unit",
    "include the vacant",
    "occupied or not",
    "occupied or vacant",
    "vacant or occupied",
    "vacant or not",
    "let or not",
    "as if fully occupied",
    "as if fully leased",
    "as if all unit were leased",
];

/// "vacant: 1, 3, 2, 0" beside the units of each row: how many there are, and no state of a single one.
pub(crate) fn counted(table: &Table, units: usize) -> bool {
    let Some(column) = table.column(Field::Status) else {
        return false;
    };
    let mut several = false;
    let all = table.data().all(|row| {
        let all = table.number(row, units).map(tables::numbers::Number::written);
        let some = table.number(row, column).map(tables::numbers::Number::written);
        several |= all.is_some_and(|all| all > 1.0);
        match (all, some) {
            (Some(all), Some(some)) => some.fract() == 0.0 && (0.0..=all).contains(&some),
            (_, None) => table.text(row, column).trim().is_empty(),
            (None, Some(_)) => false,
        }
    });
    all && several
}

/// Whether the question speaks of both rents.
pub(crate) fn mixed(question: &str) -> bool {
    let words = Words::of(question);
    words.says(&["gross potential", "gpr", "potential rent"])
        && words.says(&[
            "contract",
            "contract rent",
            "in place rent",
            "passing rent",
            "actual rent",
            "in place",
        ])
        && words.says(&["market", "asking", "erv"])
        && words.says(&["vacant", "empty", "void", "unlet", "vacancy"])
        && !words.says(&["loss to lease", "below", "under", "percent", "less"])
}

/// The answer, if that is what is asked and nothing else.
pub(crate) fn answer(sheet: &Sheet, question: &str) -> Option<Outcome> {
    if sheet.kind != Kind::RentRoll || !mixed(question) {
        return None;
    }
    let words = Words::of(question);
    let known = vocabulary::accounted(&words, WORDS, false);
    if !known {
        return None;
    }
    let read = sheet.tenancy();
    if !read.doubts.is_empty() {
        return None;
    }
    let mut sum = 0.0;
    for space in read.spaces.iter() {
        sum += match space.state {
            State::Occupied => space.rent()?,
            State::Vacant => space.market()?,
            // Of a model or down unit it is not said which.
            State::NonRevenue | State::Unknown => return None,
        };
    }
    let monthly = words.says(&["per month", "monthly", "a month"]);
    let yearly = words.says(&["per year", "yearly", "annual", "annually", "a year"]);
    let definition = "Gross potential rent = contract rent of what is let + market rent of what is vacant.";
    let year = Finding::money(
        if monthly && !yearly { "gpr_annual" } else { "gpr" },
        "annual gross potential rent, contract where let and market where vacant",
        sum * 12.0,
        definition,
    )
    .step(format!("{} a month × 12.", format::money(sum)));
    let month = Finding::money(
        if monthly && !yearly { "gpr" } else { "gpr_monthly" },
        "monthly gross potential rent, contract where let and market where vacant",
        sum,
        definition,
    );
    let findings = if monthly && !yearly {
        vec![month, year.aside()]
    } else {
        vec![year, month.aside()]
    };
    Some(Outcome::figures(findings))
}
