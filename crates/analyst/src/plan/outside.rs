//! What stands beside a list of numbers and is no part of it: what somebody else asked or offered, what is left out, a
//! remark behind the question. And what a figure would have to start from otherwise: the NOI of the year before.
//!
//! Looks at the words of the question and at the inputs of the first figure.

use crate::contract::draft::Figure;
use crate::plan::spans::{RETURNS, stands};
use crate::say::format;
use crate::words::scan::{Shape, Token};

/// The question that what stands beside a list leads to.
pub(crate) fn counted(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    let first = figures.first()?;
    if let Some(asked) = other_start(tokens, first) {
        return Some(asked);
    }
    if unpaid(tokens, first) {
        return Some("Closing costs are named that I did not count. Please give them in percent of the price, or as an amount.".to_owned());
    }
    let listed = RETURNS.contains(&first.name.as_str()) || OF_LISTS.contains(&first.name.as_str());
    if !listed {
        return None;
    }
    if uncounted(tokens) {
        return Some(
            "Some of the money has no amount yet. Please give each amount with its year, or leave it out."
                .to_owned(),
        );
    }
    if delayed(tokens, &row(first)) {
        return Some(
            "Something comes later than the rest says. Please give each flow with its year as it falls then."
                .to_owned(),
        );
    }
    let amount = afterwards(tokens).or_else(|| beside(tokens, &row(first)))?;
    Some(format!(
        "Does {} belong to it? Please leave it out, or put it with the other numbers.",
        format::plain(amount, 2)
    ))
}

/// "Closing costs 2% of the loan": costs with a number beside an equity that was worked out without any.
fn unpaid(tokens: &[Token], first: &Figure) -> bool {
    let counted = first.input("closing_costs").is_some() || first.input("closing_costs_share").is_some();
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let number = |at: usize| tokens.get(at).is_some_and(|token| token.number().is_some());
    let named = (0..tokens.len()).any(|at| {
        matches!(word(at), "closing" | "acquisition")
            && matches!(word(at + 1), "cost" | "costs")
            && ((at + 2..at + 6).any(number) || at.checked_sub(1).is_some_and(number))
            && !at.checked_sub(1).is_some_and(|before| {
                matches!(
                    word(before),
                    "no" | "without" | "before" | "excluding" | "including"
                )
            })
    });
    // "Included in the price", "paid by the seller": counted on top of it they are too much.
    let borne = [
        "included in the price",
        "included in price",
        "paid by the seller",
        "seller pays",
        "borne by the seller",
        "covered by the seller",
    ]
    .iter()
    .any(|phrase| stands(tokens, phrase));
    let counted = counted && !borne;
    matches!(first.name.as_str(), "equity" | "cash_on_cash")
        && first.input("equity").is_none()
        && named
        && !counted
}

/// "Sold for 3.1m plus some income": money that comes or goes, and nobody says how much.
fn uncounted(tokens: &[Token]) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    (0..tokens.len()).any(|at| {
        let some = matches!(
            word(at),
            "some" | "several" | "various" | "unknown" | "certain" | "few" | "bit"
        );
        let amount = |at: usize| tokens.get(at).is_some_and(|token| token.number().is_some());
        let money = (at + 1..at + 5)
            .take_while(|at| {
                !amount(*at)
                    && !tokens
                        .get(*at)
                        .is_some_and(|token| token.is_mark('.') || token.is_mark(','))
            })
            .find(|at| {
                matches!(
                    word(*at),
                    "income"
                        | "rent"
                        | "rents"
                        | "cash"
                        | "distributions"
                        | "money"
                        | "dividends"
                        | "costs"
                        | "capex"
                        | "expenses"
                        | "fees"
                )
            });
        // "Some cash flows: …" names what follows.
        some && money.is_some_and(|to| {
            !(to + 1..to + 4).any(|at| amount(at) || tokens.get(at).is_some_and(|token| token.is_mark(':')))
        })
    })
}

/// "If the last flow slips by a year", "the sale is delayed": another time than the flows have.
fn delayed(tokens: &[Token], row: &[f64]) -> bool {
    // Where the delay was taken in, nothing falls in the year before the last.
    let taken = row.len() > 2 && row.iter().rev().nth(1) == Some(&0.0);
    slips(tokens) && !taken
}

pub(super) fn slips(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| {
        matches!(
            token.word(),
            "slips" | "slip" | "slipped" | "slipping" | "delayed" | "postponed"
        )
    })
}

/// The flows of a figure.
pub(super) fn row(figure: &Figure) -> Vec<f64> {
    let values = figure.input("cash_flows").and_then(serde_json::Value::as_array);
    values
        .into_iter()
        .flatten()
        .filter_map(serde_json::Value::as_f64)
        .collect()
}

/// What a list leaves out, what is next door, a lockout, all of the equity from one side, the NOI of the year before.
fn other_start(tokens: &[Token], first: &Figure) -> Option<String> {
    let name = first.name.as_str();
    let says = |phrase: &str| stands(tokens, phrase);
    let any = |phrases: &[&str]| phrases.iter().any(|phrase| stands(tokens, phrase));
    let listed = RETURNS.contains(&name) || OF_LISTS.contains(&name);
    if listed && any(&["exclude", "leave it out", "leave them out", "ignore", "next door"]) {
        return Some("Something of the list is not to count. Please give the list without it.".to_owned());
    }
    if name == "gpr" && any(&["less", "minus", "deduct"]) && any(&["down", "model", "models"]) {
        return Some(
            "Units are taken off. Please give the units that count, with the rent of each kind.".to_owned(),
        );
    }
    // "Is forecast to produce NOI of …" tells what the list is.
    let told = any(&[
        "is forecast to",
        "are forecast to",
        "was forecast to",
        "were forecast to",
    ]);
    if says("forecast") && !told && (OF_LISTS.contains(&name) || name == "annual_rent") {
        return Some("A forecast stands beside the list. Please give the list without it.".to_owned());
    }
    // A loan above all costs: some of them were not added up.
    if name == "ltc" && first.value.as_f64().is_some_and(|value| value > 1.0) {
        return Some("The loan exceeds the costs that I could read. Please give the total cost, or name each part of it.".to_owned());
    }
    if (name.contains("premium") || name.contains("prepayment")) && says("lockout") {
        return Some(
            "In which year after the lockout is it paid off, and from when do the steps count?".to_owned(),
        );
    }
    let partner = name.starts_with("lp_") || name.starts_with("gp_");
    if partner && (any(&["all lp", "all lp's", "is lp's", "entirely lp"])) {
        return Some("Who pays in what share of the equity, and how is what remains split? Please name both in percent.".to_owned());
    }
    let before = any(&[
        "current noi",
        "last year's noi",
        "trailing noi",
        "today's noi",
        "in-place noi",
        "in place noi",
        "noi today",
    ]) || (says("last year") && says("noi"));
    let grows = any(&["grow", "grows", "growing", "growth"]);
    let later = matches!(
        name,
        "present_value"
            | "exit_value"
            | "net_sale_proceeds"
            | "sale_price"
            | "value"
            | "noi"
            | "gross_sale_price"
            | "irr"
            | "npv"
    );
    (before && grows && later).then(|| {
        "Is that the NOI of year 1, or of the year before, which grows first? Please give the NOI of year 1.".to_owned()
    })
}

/// Figures of lists: one number more changes them.
const OF_LISTS: &[&str] = &[
    "xirr",
    "xnpv",
    "present_value",
    "walt_by_rent",
    "wale_by_area",
    "walt_by_area",
    "gpr",
    "net_profit",
];

/// "… NPV? Another buyer offered 520k.": an amount behind the question, where the list stands before it.
fn afterwards(tokens: &[Token]) -> Option<f64> {
    let asked = tokens.iter().rposition(|token| token.is_mark('?'))?;
    let (before, behind) = tokens.split_at_checked(asked)?;
    let numbers = |tokens: &[Token]| tokens.iter().filter(|token| token.number().is_some()).count();
    if numbers(before) < 3 {
        return None;
    }
    behind
        .iter()
        .filter_map(Token::number)
        .filter(|number| !matches!(number.shape, Shape::Percent | Shape::YearLabel | Shape::Calendar))
        .map(|number| number.value)
        .find(|value| value.abs() >= 1000.0 && !(1990.0..=2100.0).contains(value))
}

/// "The seller wanted 790k originally": an amount that somebody spoke of, and that nobody pays or gets.
fn beside(tokens: &[Token], row: &[f64]) -> Option<f64> {
    let spoken = |word: &str| {
        matches!(
            word,
            "wanted"
                | "originally"
                | "asked"
                | "offered"
                | "quoted"
                | "hoped"
                | "budgeted"
                | "listed"
                | "instead"
        )
    };
    tokens
        .split(|token| token.is_mark('.') || token.is_mark('?') || token.is_mark('!') || token.is_mark(';'))
        .filter(|sentence| sentence.iter().any(|token| spoken(token.word())))
        .flatten()
        .filter_map(Token::number)
        .map(|number| number.value)
        .find(|value| *value != 0.0 && row.iter().any(|flow| (flow.abs() - value.abs()).abs() < 0.5))
}
