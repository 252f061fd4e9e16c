//! What a file tells for each year, in words: incomes, readings of an index, cash flows.
//!
//! Told only where the years of the question fit those of the file.

use crate::handed::amounts::Told;
use crate::sheets::finding::plain;
use crate::sheets::periods::yearly;
use crate::sheets::retold::tokens;
use crate::sheets::sources::Sheet;
use crate::words::numbers;
use crate::words::scan::Shape;
use tables::headers;
use tables::table::Table;

/// A column of amounts, one for each year, in order.
struct Yearly {
    /// Of the years: 1 to 6, or 2022 to 2025.
    years: Vec<i64>,
    amounts: Vec<f64>,
    percent: bool,
    /// Each with its percent sign.
    signed: bool,
    header: String,
}

/// The years and their amounts, where a table has nothing else and the years follow one another.
fn of(table: &Table) -> Option<Yearly> {
    if table.columns.len() != 2 || table.rows.len() != table.data().count() {
        return None;
    }
    let period = headers::normalized(table.header(0));
    if !["year", "yr", "period", "leaseyear", "calendaryear", "fiscalyear"].contains(&period.as_str()) {
        return None;
    }
    let years: Option<Vec<i64>> = table
        .data()
        .map(|row| {
            let text = table.text(row, 0).to_lowercase();
            let digits = text
                .trim_start_matches("year")
                .trim_start_matches("yr")
                .trim_start_matches(['y', ' ']);
            digits.parse().ok()
        })
        .collect();
    let years = years?;
    let follow = years
        .windows(2)
        .all(|pair| matches!(pair, [one, other] if other - one == 1));
    let numbers: Option<Vec<_>> = table.data().map(|row| table.number(row, 1)).collect();
    let numbers = numbers?;
    let shares = numbers.iter().filter(|number| number.percent).count();
    let all = shares == numbers.len();
    (follow && years.len() >= 2 && (all || shares == 0)).then(|| Yearly {
        amounts: numbers.iter().map(|number| number.written()).collect(),
        percent: all || table.header(1).contains('%'),
        signed: all,
        header: headers::normalized(table.header(1)),
        years,
    })
}

fn listed(amounts: &[f64], written: impl Fn(f64) -> String) -> String {
    let all: Vec<String> = amounts.iter().map(|amount| written(*amount)).collect();
    match all.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => all.join(", "),
    }
}

fn dollars(amount: f64) -> String {
    let digits = plain(amount.abs(), 2);
    if amount < 0.0 {
        format!("-${digits}")
    } else {
        format!("${digits}")
    }
}

/// Net operating incomes of the years 1 and on. That of the year behind the sale is told for itself: it is sold by.
pub(crate) fn incomes(sheet: &Sheet, question: &str) -> Option<Told> {
    let own = of(&sheet.table).filter(|_| yearly(sheet))?;
    let income = [
        "noi",
        "netoperatingincome",
        "noiforecast",
        "projectednoi",
        "annualnoi",
        "forecastnoi",
    ];
    let last = *own.years.last()?;
    if !income.contains(&own.header.as_str()) || own.years.first() != Some(&1) || last > 30 || own.percent {
        return None;
    }
    let said = years_said(question);
    let sold = [
        "sell",
        "sale",
        "exit",
        "reversion",
        "terminal",
        "residual",
        "hold",
    ]
    .iter()
    .any(|word| question.to_lowercase().contains(word));
    // Held for so many years, and sold by the income of the year behind them.
    let held = said.iter().min().copied().filter(|_| sold);
    if held.is_none() && (sold || !said.is_empty()) {
        return None;
    }
    let held = held.unwrap_or(last);
    if !(1..=last).contains(&held) || said.iter().any(|year| !(held..=held + 1).contains(year)) {
        return None;
    }
    let (head, tail) = own.amounts.split_at(usize::try_from(held).ok()?);
    let mut told = Told {
        text: format!("NOI is {} in years 1 to {held}. ", listed(head, dollars)),
        values: own.amounts.clone(),
        list: true,
        ..Told::default()
    };
    if let [next, ..] = tail {
        told.text
            .push_str(&format!("Year {} NOI is {}. ", held + 1, dollars(*next)));
    }
    Some(told)
}

/// Years that a question counts: "the end of year 5", "a 5-year hold".
fn years_said(question: &str) -> Vec<i64> {
    numbers::read(question)
        .iter()
        .filter_map(|token| token.number())
        .filter(|number| {
            matches!(number.shape, Shape::Years | Shape::YearLabel) && number.value.fract() == 0.0
        })
        .map(|number| number.value as i64)
        .collect()
}

/// Changes of an index, up to the year that the question names; and the question without that year.
pub(crate) fn index(sheet: &Sheet, question: &str) -> Option<(Told, String)> {
    let own = of(&sheet.table)?;
    let index = ["cpi", "inflation", "index", "rpi", "cpiu"]
        .iter()
        .any(|word| own.header.contains(word));
    let fractions = own.amounts.iter().all(|amount| amount.abs() < 0.3);
    if !index || !(own.percent || fractions) {
        return None;
    }
    let mut all = tokens::of(question);
    let mut count = own.years.len();
    for (place, year) in own.years.iter().enumerate() {
        for step in [
            "adjustment",
            "review",
            "increase",
            "change",
            "bump",
            "step",
            "reset",
        ] {
            if tokens::replace(&mut all, &format!("{year} {step}"), &format!("last {step}")) {
                count = place + 1;
            }
        }
    }
    // "0.034" under "CPI change" is 3.4%, "3.4" under "CPI %" too.
    let whole = own.signed || !fractions;
    let shown = |change: f64| format!("{}%", plain(if whole { change } else { change * 100.0 }, 4));
    let amounts = own.amounts.get(..count)?;
    let told = Told {
        text: format!("CPI was {}. ", listed(amounts, shown)),
        values: amounts.to_vec(),
        list: true,
        ..Told::default()
    };
    Some((told, tokens::text(&all)))
}

/// Yearly flows that begin now.
pub(crate) fn flows(sheet: &Sheet) -> Option<Told> {
    let own = of(&sheet.table).filter(|own| !own.percent && own.years.first() == Some(&0))?;
    let flow = ["flow", "cf"].iter().any(|word| own.header.contains(word)) || own.header == "amount";
    if !flow {
        return None;
    }
    Some(Told {
        text: format!(
            "Annual cash flows starting today are {}. ",
            own.amounts
                .iter()
                .map(|amount| dollars(*amount))
                .collect::<Vec<_>>()
                .join(", ")
        ),
        values: own.amounts,
        list: true,
        ..Told::default()
    })
}
