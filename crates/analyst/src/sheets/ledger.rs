//! What else a question may want of an operating statement: its best and worst months, its largest lines, shares, sums
//! of lines, coverage, a value at a rate, budget against actual.
//!
//! Every word must be understood. The plain figures are [`statements`](super::statements)'.

use crate::say::format;
use crate::sheets::asked;
use crate::sheets::budgets::{OVERRUN, against_budget};
use crate::sheets::finding::{Finding, Open, Outcome, percent, plain};
use crate::sheets::lines;
use crate::sheets::meaning::{clarified, nouns, rate, shares};
use crate::sheets::peaks::{by_month, largest, portion};
use crate::sheets::periods;
use crate::sheets::query::vocabulary;
use crate::sheets::sources::Sheet;
use crate::sheets::statements::{self, Asked, Months};
use crate::sheets::subject::{Subject, ranking};
use crate::sheets::time;
use crate::sheets::words::{Kind as WordKind, Words};
use tables::accounts::{Below, Line, Printed};
use tables::headers::Field;
use tables::income::Item;
use tables::statement;

pub(crate) fn answer(sheet: &Sheet, question: &str) -> Option<Result<Outcome, Open>> {
    let mut words = Words::of(question);
    let named = words.texts();
    nouns(&mut words);
    let budget = sheet.table.column(Field::Budget);
    let two = |words: &Words| {
        words.says(&["budget", "budgeted", "plan", "planned"]) && words.says(&["actual", "actually"])
    };
    if budget.is_some() && (two(&words) || words.says(OVERRUN)) {
        return against_budget(sheet, words);
    }
    let read = statement::read(&sheet.table, &named);
    time::dated(&mut words, &read.months);
    let which = ranking(&mut words);
    let monthly = months_asked(&mut words) || (which.is_some() && words.take(&["month"]));
    let coverage = words.take(&[
        "debt service coverage ratio",
        "debt service coverage",
        "debt coverage ratio",
        "debt coverage",
        "dscr",
        "dcr",
    ]);
    let valued = valuing(&mut words);
    let together = words.take(&[
        "plus",
        "combined",
        "together",
        "sum of",
        "sum",
        "add up",
        "in total",
        "altogether",
    ]);
    let kinds = which.is_some()
        && words.says(&[
            "expense",
            "cost",
            "opex",
            "expenditure",
            "income",
            "revenue",
            "line",
        ]);
    let measures = if kinds {
        Vec::new()
    } else {
        asked::measures(&mut words, sheet.kind)
    };
    let share = shares(&mut words);
    clarified(&mut words, &measures);
    let items = if kinds || coverage {
        Vec::new()
    } else {
        lines::lines(&mut words, &read)
    };
    if !(monthly || coverage || valued.is_some() || kinds || (share && !items.is_empty()) || items.len() > 1)
    {
        return None;
    }
    if let Some(doubt) = read.doubts.first() {
        return Some(Err(Open::because(doubt.clone())));
    }
    let span = time::span(&mut words, None);
    let pace = asked::pace(&mut words);
    let asked = Asked {
        statement: &read,
        pace,
        last_three: false,
        quarter: false,
        twelve: false,
        source: &sheet.name,
    };
    let months = match statements::months(&asked, span.as_ref()) {
        Ok(months) => months,
        Err(open) => return Some(Err(open)),
    };
    if let Some(open) = lines::ambiguous(&items, &asked, &months) {
        return Some(Err(open));
    }
    let subject = match (measures.as_slice(), items.is_empty()) {
        ([only], true) => Some(Subject::Measure(*only)),
        ([], false) => Some(Subject::Lines(items.clone())),
        _ => None,
    };
    let outcome = if coverage {
        words.take(&[
            "noi",
            "net operating income",
            "debt service",
            "over",
            "divided by",
            "mortgage",
            "loan",
        ]);
        cover(&asked, &months)
    } else if let Some(cap) = valued {
        words.take(&["noi", "net operating income", "t12", "trailing twelve"]);
        if asked.statement.months.is_empty() && !periods::yearly(sheet) {
            return Some(Err(Open::because(
                "A value needs the income of a year, and these amounts look like those of a part of one. Please give me the NOI of a year.",
            )));
        }
        value(&asked, &months, cap)
    } else if kinds {
        largest(&mut words, &asked, &months, which, share)
    } else if monthly {
        subject.map_or_else(
            || {
                Err(Open::because(
                    "Of which figure or line should I compare the months?",
                ))
            },
            |subject| by_month(&asked, &months, &subject, which),
        )
    } else if share {
        portion(&mut words, &asked, &months, &items, &measures)
    } else {
        let totalled = together || !words.says(&["each", "separately", "respectively"]);
        if !totalled || !measures.is_empty() {
            return None;
        }
        Ok(summed(&asked, &months, &items))
    };
    words.take(&[
        "t12",
        "trailing twelve month",
        "trailing twelve",
        "last twelve month",
        "twelve month",
        "12 month",
        "last 12 month",
        "month",
        "spend",
        "spent",
        "pay",
        "paid",
        "cost",
        "was",
        "income",
        "expense",
        "line",
        "bill",
        "total",
        "how much",
        "statement",
        "building",
        "property",
        "best",
        "worst",
        "over the year",
        "year",
        "full year",
    ]);
    let left: Vec<String> = words
        .all
        .iter()
        .filter(|word| !word.used)
        .filter(|word| match word.kind {
            WordKind::Plain => {
                !vocabulary::filler(&word.stem) && !vocabulary::filler(&word.text) && word.text.len() > 1
            }
            _ => true,
        })
        .map(|word| match &word.kind {
            WordKind::Date(dated) => dated.date.to_string(),
            _ => word.text.clone(),
        })
        .collect();
    if !left.is_empty() {
        return Some(Err(Open {
            unclear: true,
            ..Open::because(format!(
                "I am not sure what “{}” means for {}. Please ask without it, or name it as the statement does.",
                left.join(" "),
                sheet.name
            ))
        }));
    }
    Some(outcome.map(|mut outcome| {
        outcome.warnings = read.disagreements(&months.places);
        for finding in &mut outcome.findings {
            if finding.period.is_none() {
                finding.period.clone_from(&months.label);
            }
        }
        outcome
    }))
}

fn months_asked(words: &mut Words) -> bool {
    words.take(&[
        "in which month",
        "which month",
        "what month",
        "best month",
        "worst month",
        "month with the",
        "month by month",
        "by month",
        "each month",
        "for every month",
        "every month",
        "month had",
        "month has",
        "when was",
        "when did",
        "monthly trend",
        "month was",
    ])
}

/// "Worth at a 5.75% cap".
fn valuing(words: &mut Words) -> Option<f64> {
    if !words.says(&["worth", "value", "valued", "valuation", "price"])
        || !words.says(&["cap", "cap rate", "capitalization rate", "capped", "yield"])
    {
        return None;
    }
    let cap = rate(words, true).ok().flatten()?;
    words.take(&[
        "worth",
        "value",
        "valued",
        "valuation",
        "price",
        "implied",
        "imply",
        "implies",
        "indicated",
        "cap rate",
        "cap",
        "capitalization rate",
        "capitalized",
        "capped",
        "yield",
        "exit",
        "market",
        "going in",
    ]);
    Some(cap)
}

/// The income that the statement makes or, where it has no lines of it, prints.
fn income(asked: &Asked<'_>, months: &Months) -> Result<(f64, &'static str), Open> {
    let statement = asked.statement;
    let has = |cost: bool| {
        statement.items.iter().any(|item| match item.line {
            Line::Expense => cost,
            Line::Below(_) | Line::Unknown | Line::Printed(_) => false,
            _ => !cost,
        })
    };
    if has(true) && has(false) {
        return Ok((
            statement.totals(&months.places).net_operating_income() * months.factor,
            "of its lines",
        ));
    }
    let printed = statement
        .sums
        .iter()
        .find(|sum| sum.of == Printed::NetOperatingIncome);
    match printed {
        Some(sum) => {
            let places = |at: &usize| months.places.is_empty() || months.places.contains(at);
            let amount: f64 = (0..)
                .zip(&sum.amounts)
                .filter(|(at, _)| places(at))
                .map(|(_, amount)| amount)
                .sum();
            Ok((amount * months.factor, "as printed"))
        }
        None => Err(Open::because(
            "The statement does not give the net operating income.",
        )),
    }
}

fn cover(asked: &Asked<'_>, months: &Months) -> Result<Outcome, Open> {
    let (noi, how) = income(asked, months)?;
    let debt = asked.statement.totals(&months.places).debt * months.factor;
    if debt == 0.0 {
        return Err(Open::asks(
            "The statement has no debt service. Please tell me the debt service of a year.",
            "debt_service",
            "annual debt service",
        ));
    }
    let labels: Vec<String> = asked
        .statement
        .items
        .iter()
        .filter(|item| item.line == Line::Below(Below::Debt))
        .map(|item| item.label.to_lowercase())
        .collect();
    let says = |word: &str| labels.iter().any(|label| label.contains(word));
    if labels.iter().all(|label| label.contains("interest")) && !says("principal") {
        return Err(Open::asks(
            "The statement has interest but no principal. Please tell me the debt service of a year.",
            "debt_service",
            "annual debt service",
        ));
    }
    let ratio = noi / debt.abs();
    let finding = Finding::new(
        "dscr",
        "debt service coverage ratio",
        ratio,
        "ratio",
        format!("{}x", plain(ratio, 2)),
        "DSCR = NOI ÷ debt service (interest and principal).",
    )
    .input("noi", noi, "USD", asked.source)
    .input("debt_service", debt.abs(), "USD", asked.source)
    .step(format!("NOI {how}: {}.", format::money(noi)))
    .step(format!("Debt service: {}.", format::money(debt.abs())));
    Ok(Outcome::figures(vec![
        finding,
        Finding::money("noi", "net operating income", noi, "").aside(),
        Finding::money("debt_service", "debt service", debt.abs(), "").aside(),
    ]))
}

fn value(asked: &Asked<'_>, months: &Months, cap: f64) -> Result<Outcome, Open> {
    let (noi, _) = income(asked, months)?;
    if cap <= 0.0 {
        return Err(Open::because("The cap rate must be above zero."));
    }
    let count = asked.statement.months.len();
    if count > 0 && months.places.len() != 12 {
        return Err(Open::because(format!(
            "A value needs the income of a year, and this is of {} months. Should I annualize it?",
            months.places.len()
        )));
    }
    Ok(Outcome::figures(vec![
        Finding::money("value", "indicated value", noi / cap, "Value = NOI ÷ cap rate.")
            .input("noi", noi, "USD", asked.source)
            .input("cap_rate", cap, "percent", "question")
            .step(format!("{} ÷ {}.", format::money(noi), percent(cap))),
        Finding::money("noi", "net operating income", noi, "").aside(),
    ]))
}

/// Lines added up, each of them beside it.
fn summed(asked: &Asked<'_>, months: &Months, items: &[&Item]) -> Outcome {
    let subject = Subject::Lines(items.to_vec());
    let sum = subject.amount(asked.statement, &months.places) * months.factor;
    let mut findings = vec![Finding::money(
        "total_lines",
        &format!("total of {}", subject.label()),
        sum,
        "Sum of the lines named; costs and deductions are shown as positive amounts.",
    )];
    findings.extend(items.iter().map(|item| lines::line(item, asked, months).aside()));
    Outcome::figures(findings)
}
