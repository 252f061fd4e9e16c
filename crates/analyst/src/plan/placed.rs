//! Flows that lie in other years than the question says, or in fewer of them, or that go the other way.
//!
//! Looks at the words of the question and at the flows of the first figure.

use crate::contract::draft::Figure;
use crate::plan::outside::{row, slips};
use crate::plan::phrases::{near, says, word};
use crate::words::among::among;
use crate::words::scan::{Number, Shape, Token};

/// The question that such flows lead to.
pub(super) fn missed(tokens: &[Token], first: &Figure) -> Option<&'static str> {
    let row = row(first);
    // A multiple may rest on two sums, which have no years.
    let sums = first.name == "equity_multiple" && row.len() < 3;
    if sums || row.len() < 2 || !among("irr npv mirr equity_multiple", &first.name) {
        return None;
    }
    // Without a flow today, the first one is that of year 1.
    let today = first.name != "npv" || first.definition.contains("t = 0");
    let at_year = |year: f64| {
        row.get((year as usize).checked_sub(usize::from(!today))?)
            .copied()
    };
    if elsewhere(tokens, &at_year) || apart(tokens, &row) || spanned(tokens) >= row.len() as f64 + 0.5 {
        return Some(
            "I would put an amount into other years than you say. Please give each amount with its year or years.",
        );
    }
    if row.iter().all(|flow| *flow >= 0.0)
        && says(tokens, &["receive|receives|get|collect"])
        && says(tokens, &["pay", "#$"])
    {
        return Some(
            "Which amounts are paid, and which are received? Please write what is paid with a minus sign.",
        );
    }
    let opens = (0..tokens.len())
        .find_map(|at| amount(tokens, at))
        .zip(row.first())
        .is_some_and(|(told, flow)| near(told.value, flow.abs()));
    let later = says(tokens, &["including the first"]) || says(tokens, &["sheet|cell|excel|spreadsheet"]);
    if first.name == "npv" && today && opens && later {
        return Some(
            "Does the first amount fall today, or a year from now as a spreadsheet takes it? Please give each amount with \
             its year.",
        );
    }
    // "In $000s" is no amount.
    let unit = tokens.iter().any(|token| {
        token.end - token.start > 2 && token.number().is_some_and(|own| own.dollars && own.value == 0.0)
    });
    (unit && (row.first() == Some(&0.0) || row.last() == Some(&0.0)))
        .then_some("I would take the unit of your amounts for an amount. Please give them in dollars.")
}

fn number(tokens: &[Token], at: usize) -> Option<&Number> {
    tokens.get(at).and_then(Token::number)
}

fn amount(tokens: &[Token], at: usize) -> Option<&Number> {
    number(tokens, at).filter(|own| matches!(own.shape, Shape::Money | Shape::Plain) && own.value >= 100.0)
}

fn label(tokens: &[Token], at: usize) -> Option<f64> {
    number(tokens, at)
        .filter(|own| own.shape == Shape::YearLabel)
        .map(|own| own.value)
}

/// "100k a year from year 2 through year 6", "500k in year 3", and one of these years has no flow.
fn elsewhere(tokens: &[Token], flow: &dyn Fn(f64) -> Option<f64>) -> bool {
    const BETWEEN: &str =
        "a per each every in at by from starting beginning the end of year yr years through to until thru";
    (0..tokens.len()).any(|at| {
        if amount(tokens, at).is_none() {
            return false;
        }
        let years: Vec<f64> = (at + 1..tokens.len())
            .take_while(|next| {
                among(BETWEEN, word(tokens, *next))
                    || tokens.get(*next).is_some_and(|token| token.is_mark('-'))
                    || label(tokens, *next).is_some()
            })
            .filter_map(|next| label(tokens, next))
            .collect();
        years
            .iter()
            .any(|year| flow(*year).is_none_or(|flow| flow == 0.0))
    })
}

/// "95k, 125k, 240k in the three years after that", and there are empty years between two of them.
fn apart(tokens: &[Token], row: &[f64]) -> bool {
    let labelled = tokens
        .iter()
        .filter_map(Token::number)
        .any(|own| matches!(own.shape, Shape::YearLabel | Shape::MonthLabel | Shape::Calendar));
    let place = |amount: f64| row.iter().position(|flow| near(flow.abs(), amount));
    let gap = |(from, to): (usize, usize)| {
        from + 1 < to
            && row
                .get(from + 1..to)
                .is_some_and(|between| between.iter().all(|flow| *flow == 0.0))
    };
    !labelled
        && !slips(tokens)
        && (0..tokens.len()).any(|at| {
            let next = at + 1 + usize::from(tokens.get(at + 1).is_some_and(|token| token.is_mark(',')));
            let next = next + usize::from(word(tokens, next) == "and");
            amount(tokens, at)
                .zip(amount(tokens, next))
                .and_then(|(one, two)| place(one.value).zip(place(two.value)))
                .is_some_and(gap)
        })
}

/// "12k x 4 yrs, 15k x 3 yrs": seven years in all.
fn spanned(tokens: &[Token]) -> f64 {
    (0..tokens.len())
        .filter(|at| amount(tokens, *at).is_some() && among("x for over", word(tokens, at + 1)))
        .filter_map(|at| number(tokens, at + 2))
        .filter(|years| years.shape == Shape::Years)
        .map(|years| years.value)
        .sum()
}
