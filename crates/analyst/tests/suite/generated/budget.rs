//! Comparisons of actual and budgeted amounts as different systems print them.

use super::ledger::{Book, Side, ledger};
use super::random::Random;
use super::statement::{Amounts, LAYOUTS, Lines};
use super::style::Style;
use super::tables::{Mutation, Page, Question, Scale, footer};

#[derive(Clone, Copy)]
enum Column {
    /// The last month, or the year so far.
    Amount(Book, Span),
    /// Actual less budget.
    Variance(Span),
    Percent(Span),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Span {
    Month,
    Year,
}

use Book::{Actual, Budget};
use Column::{Amount, Percent, Variance};
use Span::{Month, Year};

/// Columns with their headers; a line break begins the second line.
const MAKERS: &[(&str, &[(Column, &str)])] = &[
    (
        "period and year",
        &[
            (Amount(Actual, Month), "PTD Actual"),
            (Amount(Budget, Month), "PTD Budget"),
            (Variance(Month), "Variance"),
            (Percent(Month), "% Var"),
            (Amount(Actual, Year), "YTD Actual"),
            (Amount(Budget, Year), "YTD Budget"),
            (Variance(Year), "Variance"),
            (Percent(Year), "% Var"),
        ],
    ),
    (
        "month and year in two lines",
        &[
            (Amount(Actual, Month), "Month to Date\nActual"),
            (Amount(Budget, Month), "\nBudget"),
            (Variance(Month), "\nVariance"),
            (Amount(Actual, Year), "Year to Date\nActual"),
            (Amount(Budget, Year), "\nBudget"),
            (Variance(Year), "\nVariance"),
        ],
    ),
    (
        "names of a database",
        &[
            (Amount(Actual, Month), "ptd_actual"),
            (Amount(Budget, Month), "ptd_budget"),
            (Amount(Actual, Year), "ytd_actual"),
            (Amount(Budget, Year), "ytd_budget"),
        ],
    ),
    (
        "month and year",
        &[
            (Amount(Actual, Month), "MTD Actual"),
            (Amount(Budget, Month), "MTD Budget"),
            (Variance(Month), "MTD $ Var."),
            (Percent(Month), "MTD % Var."),
            (Amount(Actual, Year), "Year To Date Actual"),
            (Amount(Budget, Year), "Year To Date Budget"),
            (Variance(Year), "YTD $ Var."),
            (Percent(Year), "YTD % Var."),
        ],
    ),
    (
        "year so far",
        &[
            (Amount(Actual, Year), "YTD Actual"),
            (Amount(Budget, Year), "YTD Budget"),
            (Variance(Year), "$ Variance"),
            (Percent(Year), "% Variance"),
        ],
    ),
    (
        "two columns",
        &[
            (Amount(Actual, Year), "Actual"),
            (Amount(Budget, Year), "Budget"),
            (Variance(Year), "Over/(Under)"),
        ],
    ),
];

pub fn page(random: &mut Random, mutation: Mutation) -> Page {
    let ledger = ledger(random);
    let layout = &LAYOUTS[random.below(LAYOUTS.len())];
    let (maker, columns) = MAKERS[random.below(MAKERS.len())];
    let mut style = Style::any(random, true);
    style.numbers.cents = true;
    let style = mutation.styled(style, random);
    // January to October, and October.
    let so_far: Vec<usize> = (0..10).collect();
    let months = |span: Span| if span == Month { &so_far[9..] } else { &so_far[..] };
    let amounts: Amounts = &|sum| {
        let cells = columns.iter().map(|(column, _)| match column {
            Amount(book, span) => style.money(sum(*book, months(*span))),
            Variance(span) => style.money(sum(Actual, months(*span)) - sum(Budget, months(*span))),
            Percent(span) => {
                let budget = sum(Budget, months(*span));
                let change = (sum(Actual, months(*span)) - budget) as f64 / budget as f64;
                format!("{:.2}%", change * 100.0).replace('.', if style.numbers.comma { "," } else { "." })
            }
        });
        cells.collect()
    };
    let lines = Lines::of(layout, &ledger, mutation, random, amounts);
    let name = random.pick(&["Lantern Court", "Quarry Lofts", "Alder Row", "Tanner Yard"]);
    let mut rows = Vec::new();
    if !layout.titles.is_empty() {
        rows.push(vec![name.to_owned()]);
        rows.push(vec!["Budget Comparison".to_owned()]);
        rows.push(vec!["January 2026 to October 2026".to_owned()]);
    }
    let two = columns.iter().any(|(_, header)| header.contains('\n'));
    let head = |line: usize| -> Vec<String> {
        let labels = layout
            .labels
            .iter()
            .map(|label| if line == 0 && two { "" } else { label });
        let headers = columns
            .iter()
            .map(|(_, header)| header.split('\n').nth(line).unwrap_or(""));
        labels.chain(headers).map(str::to_owned).collect()
    };
    let width = head(0).len();
    rows.push(head(0));
    if two {
        rows.push(head(1));
    }
    rows.extend(lines.rows());
    if mutation == Mutation::Footer {
        rows.extend(footer(random, name, width));
    }
    let noi = |book: Book, span: Span| ledger.noi(book, months(span));
    let against = |text: &str| Question {
        instead: Some((
            noi(Actual, Year) as f64 / noi(Budget, Year) as f64 - 1.0,
            Scale::Share,
        )),
        ..Question::money(text, noi(Actual, Year) - noi(Budget, Year))
    };
    let spent = |book: Book| ledger.side(Side::Expense, book, &so_far) as f64;
    let questions = if maker == "two columns" {
        vec![
            against("What is the NOI against budget?"),
            Question::money("What is the actual NOI?", noi(Actual, Year)),
            Question::money("What is the budgeted NOI?", noi(Budget, Year)),
            Question::new(
                "By what % did total operating expenses run over budget?",
                spent(Actual) / spent(Budget) - 1.0,
                Scale::Share,
            ),
        ]
    } else {
        vec![
            against("Year-to-date NOI against budget?"),
            Question::money("What is the year-to-date actual NOI?", noi(Actual, Year)),
            Question::money("What is the budgeted NOI, year to date?", noi(Budget, Year)),
        ]
    };
    Page {
        maker,
        rows,
        style,
        questions,
        period: None,
    }
}
