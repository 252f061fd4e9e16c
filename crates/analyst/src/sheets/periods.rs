//! A question tried on an operating statement: its measures or its lines, over the months that are meant.
//!
//! The border between reading the question and [`statements`](super::statements).

use crate::sheets::asked::{self, Measure, Pace};
use crate::sheets::deducted;
use crate::sheets::finding::{Finding, Open, Outcome, Tried, merged};
use crate::sheets::goals;
use crate::sheets::lines;
use crate::sheets::meaning::{clarified, shares};
use crate::sheets::sources::Sheet;
use crate::sheets::statements;
use crate::sheets::time::{self, Span};
use crate::sheets::words::Words;
use tables::accounts::Line;
use tables::dates;
use tables::income::Statement;
use tables::kind::Kind;
use tables::statement;

/// What a question says about the months of a statement.
pub(crate) fn statement(words: &Words) -> StatementAsked {
    StatementAsked {
        pace: Pace::Unsaid,
        quarter: words.says(&["t3", "trailing three", "trailing 3"]),
        last_three: words.says(&["last three month", "last 3 month"]),
        twelve: words.says(&["t12", "ttm", "trailing twelve", "trailing 12"]),
        span: None,
    }
}

pub(crate) struct StatementAsked {
    pace: Pace,
    quarter: bool,
    last_three: bool,
    pub(crate) twelve: bool,
    span: Option<Span>,
}

impl StatementAsked {
    fn of<'a>(&self, read: &'a Statement, source: &'a str) -> statements::Asked<'a> {
        statements::Asked {
            statement: read,
            pace: self.pace,
            quarter: self.quarter,
            last_three: self.last_three,
            twelve: self.twelve,
            source,
        }
    }
}

pub(crate) fn statement_measure(
    measure: Measure,
    read: &Statement,
    own: &StatementAsked,
    source: &str,
) -> Result<Outcome, Open> {
    let asked = own.of(read, source);
    let months = statements::months(&asked, own.span.as_ref())?;
    statements::compute(measure, &asked, &months)
}

pub(crate) fn on_statement(sheet: &Sheet, words: &mut Words) -> Tried {
    let named = words.texts();
    let months: Vec<chrono::NaiveDate> = sheet.table.months().iter().map(|(_, month)| *month).collect();
    time::dated(words, &months);
    let mut own = statement(words);
    let mut measures = goals::measures(words, Kind::Statement);
    let read = statement::read(&sheet.table, &named);
    clarified(words, &measures);
    words.take(&[
        "t3",
        "trailing three month",
        "trailing three",
        "trailing 3 month",
        "trailing 3",
        "last three month",
        "last 3 month",
        "last twelve month",
        "last 12 month",
        "past twelve month",
    ]);
    let lines = if measures.is_empty() {
        lines::lines(words, &read)
    } else {
        Vec::new()
    };
    if measures.is_empty() && lines.is_empty() {
        measures.extend(lines::printed_sum(words));
    }
    if measures.is_empty() && lines.is_empty() {
        return Tried::No;
    }
    own.span = time::span(words, None);
    own.pace = asked::pace(words);
    let share = shares(words);
    words.take(&[
        "total", "how much", "spend", "spent", "pay", "paid", "cost", "sum", "we",
    ]);
    let both = measures.contains(&Measure::Expenses) && measures.contains(&Measure::EffectiveGrossIncome);
    let ratio = words.says(&["ratio", "share", "portion", "divided", "relative"]) || share;
    if both && ratio {
        measures = vec![Measure::ExpenseRatio];
    }
    let fractions = [
        Measure::ExpenseRatio,
        Measure::NoiMargin,
        Measure::EconomicOccupancy,
        Measure::BreakEven,
    ];
    if share && !measures.iter().any(|measure| fractions.contains(measure)) {
        return Tried::Asked(Err(Open::because(
            "A share of what should I give? I know the operating expense ratio and the NOI margin.",
        )));
    }
    // "The average monthly NOI" is that of a month.
    let averaged =
        own.pace == Pace::Monthly && words.says(&["average monthly", "monthly average", "average per month"]);
    words.take(&["average"]);
    if (words.says(&["average"]) && !averaged)
        || words.says(&[
            "highest", "largest", "lowest", "biggest", "smallest", "growth", "change", "trend", "increase",
            "compare", "versus", "budget",
        ])
    {
        return Tried::Asked(Err(Open::because(
            "I sum a statement over its months. Please ask for one figure, with the months you mean.",
        )));
    }
    if !measures.is_empty() {
        let outcome = merged(
            measures
                .iter()
                .map(|measure| statement_measure(*measure, &read, &own, &sheet.name)),
        );
        if measures != [Measure::CashAfterDebt] {
            return Tried::Asked(outcome);
        }
        let asked = own.of(&read, &sheet.name);
        let months = statements::months(&asked, own.span.as_ref());
        return Tried::Asked(outcome.and_then(|outcome| deducted::further(outcome, words, &read, &months?)));
    }
    let asked = own.of(&read, &sheet.name);
    let months = match statements::months(&asked, own.span.as_ref()) {
        Ok(months) => months,
        Err(open) => return Tried::Asked(Err(open)),
    };
    let unsure = lines.iter().any(|item| item.line == Line::Unknown);
    if unsure || read.run_is_open || read.doubts.iter().any(|doubt| doubt.starts_with("Which column")) {
        return Tried::Asked(Err(Open::because(
            read.doubts
                .first()
                .cloned()
                .unwrap_or_else(|| "I cannot tell what this line is.".to_owned()),
        )));
    }
    if let Some(open) = lines::ambiguous(&lines, &asked, &months) {
        return Tried::Asked(Err(open));
    }
    let findings: Vec<Finding> = lines
        .iter()
        .map(|item| lines::line(item, &asked, &months))
        .collect();
    Tried::Asked(Ok(Outcome::figures(findings)))
}

/// Words that say that amounts are of a part of a year.
const PARTS: &[&str] = &[
    "month",
    "monthly",
    "mo",
    "mtd",
    "ytd",
    "qtd",
    "quarter",
    "quarterly",
    "q1",
    "q2",
    "q3",
    "q4",
    "h1",
    "h2",
    "t3",
    "t6",
    "weekly",
    "unit",
    "psf",
    "sf",
    "half",
];
const YEARS: &[&str] = &[
    "t12",
    "12",
    "twelve",
    "ttm",
    "annual",
    "annualized",
    "year",
    "yearly",
    "yr",
    "fy",
    "trailing",
];

/// Whether the amounts of a single column are those of a year, as far as its header, the titles and the name tell.
pub(crate) fn yearly(sheet: &Sheet) -> bool {
    let of_part = |text: &str| {
        let words: Vec<String> = text
            .split(|sign: char| !sign.is_alphanumeric())
            .map(str::to_lowercase)
            .collect();
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        let of_month = words.iter().any(|word| dates::month_named(word).is_some());
        (has(PARTS) || of_month) && !has(YEARS)
    };
    if statement::four_quarters(&sheet.table).is_some() {
        return true;
    }
    let headers = sheet.table.columns.iter().map(|column| column.header.as_str());
    let titles = sheet.table.titles.iter().map(String::as_str);
    !headers.chain(titles).chain([sheet.name.as_str()]).any(of_part)
}
