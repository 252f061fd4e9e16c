//! A question tried on cash flows: which column or party is meant, how far apart the flows are, at which rate.
//!
//! The border between reading the question and [`returns`](super::returns).

use crate::sheets::asked::{self, Measure};
use crate::sheets::finding::{Open, Tried, merged};
use crate::sheets::goals;
use crate::sheets::meaning::{clarified, rate};
use crate::sheets::parties;
use crate::sheets::returns;
use crate::sheets::sources::Sheet;
use crate::sheets::words::Words;
use tables::cashflows::{self, Flows, Read};
use tables::table::Table;

/// How far apart undated flows are, as the question says.
fn told_step(words: &mut Words) -> Option<cashflows::Step> {
    let month = words.take(&[
        "monthly cash flow",
        "monthly flow",
        "monthly net flow",
        "monthly irr",
        "irr per month",
        "monthly period",
    ]);
    let quarter = words.take(&[
        "quarterly cash flow",
        "quarterly flow",
        "quarterly irr",
        "irr per quarter",
        "per quarter",
        "quarterly period",
    ]);
    match (month, quarter) {
        (true, false) => Some(cashflows::Step::Month),
        (false, true) => Some(cashflows::Step::Quarter),
        _ => None,
    }
}

pub(crate) fn flows(sheet: &Sheet, words: &mut Words) -> Tried {
    let mut named = words.texts();
    // "The LP's IRR" names the column "LP".
    named.extend(words.all.iter().map(|word| word.stem.clone()));
    let step = told_step(&mut words.clone());
    words.take(&[
        "per quarter",
        "per month",
        "effective annual figure",
        "effective annual rate",
        "compounded up",
    ]);
    let measures = goals::measures(words, sheet.kind);
    if measures.is_empty() {
        return Tried::No;
    }
    clarified(words, &measures);
    let own = match parties::of(words, &sheet.table) {
        Ok(own) => own,
        Err(open) => return Tried::Asked(Err(open)),
    };
    let table = own.as_ref().unwrap_or(&sheet.table);
    said_again(words, table, &named);
    let rate = match rate(words, measures.contains(&Measure::Npv)) {
        Ok(rate) => rate,
        Err(open) => return Tried::Asked(Err(open)),
    };
    asked::pace(words);
    words.take(&[
        "net cash flow",
        "cash flow",
        "flow",
        "discounted",
        "discount rate",
        "rate",
        "hurdle",
        "compounded",
        "total",
    ]);
    for header in sheet.table.columns.iter().map(|column| column.header.clone()) {
        let name = tables::headers::words(&header).join(" ");
        if !name.is_empty() {
            words.take(&[name.as_str()]);
        }
        for word in cashflows::telling(&header) {
            words.take(&[word.as_str()]);
        }
    }
    words.take(&["column", "cf", "series", "i mean"]);
    let mut read = match cashflows::read(table, &named) {
        Ok(read) => read,
        Err(doubt) => return Tried::Asked(Err(Open::because(doubt))),
    };
    // "Period 0, 1, 2" of what the question calls months.
    let years = table.columns.iter().any(|column| {
        let words = tables::headers::words(&column.header);
        words
            .iter()
            .any(|word| matches!(word.as_str(), "year" | "yr" | "years"))
    });
    if let (cashflows::Flows::Periodic { step: own, .. }, Some(step), false) = (&mut read.flows, step, years)
    {
        *own = step;
    }
    Tried::Asked(merged(
        measures
            .iter()
            .map(|measure| returns::compute(*measure, &read, rate, &sheet.name)),
    ))
}

/// "Year 0 is closing, not discounted", "the 7-yr hold": what the periods of the table say anyway.
fn said_again(words: &mut Words, table: &Table, named: &[String]) {
    let Ok(Read {
        flows: Flows::Periodic { flows, first, step },
        ..
    }) = cashflows::read(table, named)
    else {
        return;
    };
    if first != 0 || step != cashflows::Step::Year {
        return;
    }
    const NOW: [&str; 7] = [
        "closing",
        "today",
        "now",
        "acquisition",
        "the closing",
        "the purchase",
        "time zero",
    ];
    for year in ["year", "yr", "period", "t"] {
        for start in NOW {
            words.take(&[
                &format!("{year} 0 is {start}"),
                &format!("{year} 0 being {start}"),
                &format!("{year} 0 {start}"),
            ]);
        }
    }
    // The flow of now is worth what it is.
    words.take(&["not discounted", "undiscounted first flow"]);
    let last = flows.len().saturating_sub(1);
    for year in ["year", "yr"] {
        words.take(&[
            &format!("{last} {year} hold"),
            &format!("{last} {year} holding period"),
        ]);
    }
}
