//! Words of a question about a table that mean the same whatever the table: names of files, shares, states, rates, sizes;
//! and those that only say again how a measure is defined.
//!
//! What is taken counts as understood. Computes nothing.

use chrono::NaiveDate;

use crate::sheets::asked::Measure;
use crate::sheets::finding::Open;
use crate::sheets::sources::Sheet;
use crate::sheets::words::Words;
use tables::dates::{self, Order};
use tables::kind::Kind;
use tables::tenancy::State;

/// Names of kinds of tables and of files are no words of what is asked.
pub(crate) fn nouns(words: &mut Words) {
    words.take(&[
        "trailing twelve month",
        "trailing twelve",
        "trailing 12 month",
        "trailing 12",
        "t12 statement",
        "t12",
        "ttm",
        "operating statement",
        "income statement",
        "profit and loss",
        "p and l",
        "lease list",
        "list of lease",
        "lease schedule",
        "sales comparable",
        "comparable sale",
        "sales comp",
        "loan tape",
        "cash flow file",
        "csv file",
        "in the file",
        "from the file",
        "in this file",
        "in the attached",
        "attached file",
        "in the table",
        "in the spreadsheet",
        "of the file",
        "table above",
        "table below",
        "above table",
        "below table",
        "see below",
        "pasted below",
    ]);
    // "rent roll" is a file; in "rent rolls in 2027" it is a verb.
    let mut at = 0;
    while at + 1 < words.all.len() {
        let file = words.stem_at(at) == "rent"
            && words.all.get(at + 1).is_some_and(|word| {
                word.text == "roll" || (word.text == "rolls" && !verbal(words.stem_at(at + 2)))
            });
        if file {
            words.mark(at, 2);
        }
        at += 1;
    }
}

/// What stands behind "rolls" where it is a verb.
fn verbal(word: &str) -> bool {
    matches!(
        word,
        "in" | "over"
            | "off"
            | "during"
            | "before"
            | "by"
            | "after"
            | "within"
            | "between"
            | "through"
            | "next"
            | "this"
    )
}

/// The date in the title block.
pub(crate) fn titled(sheet: &Sheet) -> Option<NaiveDate> {
    sheet.table.titles.iter().find_map(|title| {
        let lower = title.to_lowercase();
        if !(lower.contains("as of")
            || lower.contains("as at")
            || lower.starts_with("date")
            || lower.contains("asof"))
        {
            return None;
        }
        let parts: Vec<&str> = title.split_whitespace().collect();
        (0..parts.len()).find_map(|at| {
            (1..=3).rev().find_map(|length| {
                let text = parts.get(at..at + length)?.join(" ");
                dates::date(text.trim_matches([':', '=', ',', '(', ')']), Order::MonthFirst)
                    .map(dates::Dated::last_day)
            })
        })
    })
}

pub(crate) fn shares(words: &mut Words) -> bool {
    words.take(&[
        "what percent of",
        "what percentage of",
        "percent of",
        "percentage of",
        "share of",
        "what share of",
        "proportion of",
        "what proportion of",
        "fraction of",
        "what fraction of",
        "what part of",
        "which part of",
        "part of",
        "portion of",
        "as a percent",
        "as a percentage",
        "in percent",
        "percent",
        "percentage",
        "pct",
    ])
}

/// Words that only say again how a measure is defined.
pub(crate) fn clarified(words: &mut Words, measures: &[Measure]) {
    for measure in measures {
        match measure {
            Measure::LossToLease => {
                words.take(&[
                    "net of any unit above market",
                    "net of unit above market",
                    "net of the unit above market",
                    "net of any gain",
                    "net of gain",
                    "netting unit above market",
                    "netting gain",
                    "on the occupied unit",
                    "on occupied unit",
                    "across the occupied unit",
                    "across occupied unit",
                    "for the occupied unit",
                    "for occupied unit",
                    "over the occupied unit",
                    "of the occupied unit",
                    "of occupied unit",
                    "occupied unit",
                    "versus market",
                    "against market",
                    "to market",
                    "below market",
                    "market less contract",
                    "market minus contract",
                    "net of gains",
                    "net",
                    "as a percent of market rent",
                    "percent of market rent",
                    "as a share of market rent",
                    "of market rent",
                    "in place",
                ]);
            }
            Measure::GrossPotentialRent => {
                words.take(&[
                    "at full market rent",
                    "at market rent",
                    "at market",
                    "if fully leased",
                    "fully leased at market",
                    "if every unit were let at market",
                    "for all unit",
                    "all unit",
                    "including vacant unit",
                ]);
            }
            Measure::NetOperatingIncome | Measure::Expenses | Measure::ExpenseRatio | Measure::NoiMargin => {
                words.take(&[
                    "keep reserve and debt below the line",
                    "keeping reserve and debt below the line",
                    "reserve and debt below the line",
                    "reserve and debt service below the line",
                    "with reserve and debt below the line",
                    "keep reserve below the line",
                    "below the line",
                    "before reserve and debt service",
                    "before reserve and debt",
                    "before reserve",
                    "before debt service",
                    "before debt",
                    "excluding reserve and debt service",
                    "excluding reserve and debt",
                    "excluding reserve",
                    "excluding debt service",
                    "excluding debt",
                    "without reserve and debt",
                    "without reserve",
                    "without debt service",
                    "without debt",
                    "not counting reserve",
                    "exclude reserve and debt service",
                    "exclude reserve and debt",
                    "exclude reserve",
                    "exclude debt service",
                    "no reserve",
                    "no debt service",
                    "ex reserve",
                    "before capital",
                    "before capex",
                    "excluding capital item",
                    "excluding capex",
                    "leave out debt and reserve",
                    "leave debt and reserve out",
                    "leave reserve and debt out",
                    "capital and debt below the line",
                    "reserve and mortgage below the line",
                    "debt below the line",
                    "opex over egi",
                    "operating expense over egi",
                    "over egi",
                    "over effective gross income",
                    "divided by egi",
                    "as a share of egi",
                    "of egi",
                    "to egi",
                    "reserve",
                    "debt service",
                ]);
            }
            Measure::EconomicOccupancy => {
                words.take(&[
                    "net rental income over gpr",
                    "over gpr",
                    "over gross potential rent",
                    "net rental income over gross potential rent",
                ]);
            }
            Measure::LeaseTerm => {
                words.take(&[
                    "to expiry",
                    "to lease end",
                    "remaining",
                    "for the tenant",
                    "for the lease",
                    "weighted",
                ]);
            }
            Measure::Irr | Measure::Npv => {
                words.take(&[
                    "actual 365",
                    "act 365",
                    "on actual 365",
                    "365 day",
                    "day count",
                    "as of the first date",
                    "as of first date",
                    "at the first date",
                    "as of the earliest date",
                    "to the first date",
                    "as of day one",
                    "from the first date",
                    "first date",
                    "earliest date",
                    "for the dated flow",
                    "of the dated flow",
                    "dated",
                    "irregular",
                    "not sorted",
                    "unsorted",
                    "not in order",
                    "out of order",
                    "in any order",
                    "levered",
                    "unlevered",
                ]);
            }
            Measure::Occupancy | Measure::Vacancy => {
                apart(words);
                words.take(&[
                    "physical",
                    "physically",
                    "excluding model and down unit",
                    "excluding down and model unit",
                    "excluding model unit",
                    "excluding down unit",
                    "of rentable unit",
                    "rentable unit",
                ]);
            }
            _ => {}
        }
    }
}

/// "Leaving out the model unit", "(occupied over rentable, down units excluded)": what physical occupancy is anyway.
fn apart(words: &mut Words) {
    words.take(&[
        "occupied over rentable",
        "occupied divided by rentable",
        "occupied unit over rentable unit",
        "occupied to rentable",
        "of rentable",
        "rentable",
    ]);
    let out = [
        "excluding",
        "exclude",
        "excluded",
        "excl",
        "without",
        "leaving",
        "leave",
        "left",
        "ignoring",
        "ignore",
        "omitting",
        "not",
        "except",
        "minus",
        "aside",
        "apart",
        "net",
    ];
    let aside = [
        "model",
        "down",
        "office",
        "offline",
        "admin",
        "employee",
        "nonrevenue",
    ];
    if !words.says(&out) || !words.says(&aside) {
        return;
    }
    let harmless = [
        "unit",
        "apartment",
        "out",
        "counting",
        "counted",
        "the",
        "and",
        "or",
        "any",
        "from",
        "of",
        "revenue",
        "non",
    ];
    let all: Vec<usize> = (0..words.all.len())
        .filter(|at| {
            let stem = words.stem_at(*at);
            out.contains(&stem) || aside.contains(&stem) || harmless.contains(&stem)
        })
        .collect();
    for at in all {
        words.mark(at, 1);
    }
}

/// A state that the question names, taken from the words.
pub(crate) fn states(words: &mut Words) -> Option<State> {
    let vacant = words.take(&[
        "vacant",
        "unoccupied",
        "empty",
        "unleased",
        "not occupied",
        "not leased",
        "available",
    ]);
    let occupied = words.take(&[
        "currently occupied",
        "occupied",
        "leased",
        "rented",
        "tenanted",
        "in place",
    ]);
    let aside = words.take(&[
        "non revenue",
        "model or down",
        "model and down",
        "down and model",
        "model unit",
        "down unit",
        "offline",
    ]);
    match (vacant, occupied, aside) {
        (true, false, false) => Some(State::Vacant),
        (false, true, false) => Some(State::Occupied),
        (false, false, true) => Some(State::NonRevenue),
        _ => None,
    }
}

/// The one rate of the question: with a percent sign, or a bare number beside "rate" or "at".
pub(crate) fn rate(words: &mut Words, wanted: bool) -> Result<Option<f64>, Open> {
    let numbers = words.numbers();
    let mut rates: Vec<(usize, f64)> = numbers
        .iter()
        .filter(|(at, number)| number.percent || matches!(words.stem_at(at + 1), "percent" | "pct" | "per"))
        .map(|(at, number)| {
            (
                *at,
                if number.percent {
                    number.value()
                } else {
                    number.written() / 100.0
                },
            )
        })
        .collect();
    if rates.is_empty() {
        rates = numbers
            .iter()
            .filter(|(_, number)| !number.money && number.written().abs() < 1.0 && number.places > 0)
            .map(|(at, number)| (*at, number.written()))
            .collect();
    }
    match rates.as_slice() {
        [] => Ok(None),
        [(at, rate)] if wanted => {
            words.mark(*at, 1);
            words.take(&["percent", "pct"]);
            Ok(Some(*rate))
        }
        [_] => Ok(None),
        _ => Err(Open::because("Which of the rates should I discount with?")),
    }
}

/// Whether the size of the subject is given in square metres.
pub(crate) fn is_metric(words: &Words) -> bool {
    words.numbers().iter().any(|(at, _)| {
        matches!(words.stem_at(at + 1), "sqm" | "m2" | "m²" | "qm")
            || (matches!(words.stem_at(at + 1), "sq" | "square")
                && matches!(words.stem_at(at + 2), "m" | "metre" | "meter"))
    })
}

/// The size of the subject: a number of square feet or units.
pub(crate) fn subject(words: &mut Words) -> (Option<f64>, bool) {
    for (at, number) in words.numbers() {
        let next = words.stem_at(at + 1).to_owned();
        let text = words.all.get(at).map_or(String::new(), |word| word.text.clone());
        let area = matches!(
            next.as_str(),
            "sf" | "sqft" | "square" | "sq" | "rsf" | "foot" | "feet" | "sqm" | "m2" | "m²"
        ) || text.ends_with("sf")
            || text.ends_with("sqft");
        let units = matches!(next.as_str(), "unit" | "door" | "apartment" | "key");
        if area || units {
            let more = usize::from(matches!(words.stem_at(at + 2), "foot" | "feet" | "ft"));
            let length = if text.ends_with("sf") || text.ends_with("sqft") {
                1
            } else {
                2 + more
            };
            words.mark(at, length);
            return (Some(number.written()), units);
        }
    }
    (None, false)
}

/// What the rows are called, and whether the question names it.
pub(crate) fn counted(words: &mut Words, kind: Kind) -> (&'static str, bool) {
    let (noun, names): (&'static str, &[&str]) = match kind {
        Kind::RentRoll => ("units", &["unit", "apartment", "suite", "space"]),
        Kind::Leases => ("leases", &["lease", "tenant"]),
        Kind::Comps => ("sales", &["sale", "comp", "comparable"]),
        Kind::Loans => ("loans", &["loan", "note"]),
        _ => ("rows", &["row", "line", "entrie", "item", "record"]),
    };
    (noun, words.take(names))
}
