//! What a name stands for by what stands around it: a balance with its amount is a loan, what is paid to the bank is debt
//! service.
//!
//! Knows single names, no pairing.

use crate::words::scan::{Shape, Token};
use finance::variable::Variable::{self, Balance, DebtService, Egi, Loan, Noi, Payment, Price};

/// Nouns that are income or debt service by what stands around them.
pub(crate) fn renamed(
    tokens: &[Token],
    (at, to): (usize, usize),
    words: &[&str],
    variable: Option<Variable>,
    verb: bool,
) -> Option<Variable> {
    // "We still owe the bank 2.86m", "11.3m outstanding": with its amount it is the loan as it stands.
    if variable == Some(Balance) && amount_beside(tokens, at, to) {
        return Some(Loan);
    }
    // "Five years of monthly payments on 3,150,000": what is paid on is the loan.
    let of_time = (1..=2)
        .filter_map(|back| at.checked_sub(back))
        .any(|at| tokens.get(at).is_some_and(|token| token.word() == "of"));
    let paid_on = of_time
        && words.last().is_some_and(|last| last.starts_with("payment"))
        && tokens.get(to).is_some_and(|token| token.word() == "on")
        && (to + 1..to + 4)
            .take_while(|at| {
                tokens
                    .get(*at)
                    .is_some_and(|token| !token.is_mark('?') && !token.is_mark('.'))
            })
            .find_map(|at| tokens.get(at).and_then(Token::number))
            .is_some_and(|number| {
                number.shape != Shape::Percent && number.value >= 50_000.0 && number.per.is_none()
            });
    if variable == Some(Payment) && paid_on {
        return Some(Loan);
    }
    let has = |words: &[&str]| tokens.iter().any(|token| words.contains(&token.word()));
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    // "We pay the bank 172,000", "pays 566,000 on its mortgage": what the loan costs, and no price.
    let bank = |at: usize| matches!(word(at), "bank" | "lender" | "mortgage" | "loan" | "debt");
    let owner = |at: usize| matches!(word(at), "the" | "our" | "its" | "my" | "their");
    let to_bank =
        (owner(to) && bank(to + 1)) && tokens.get(to + 2).is_some_and(|token| token.number().is_some());
    let on_loan = tokens.get(to).is_some_and(|token| token.number().is_some())
        && matches!(word(to + 1), "on" | "to")
        && (bank(to + 2) || owner(to + 2) && bank(to + 3));
    if verb && variable == Some(Price) && (to_bank || on_loan) {
        return Some(DebtService);
    }
    // "The mortgage took 261,500" beside an income: what was paid on it.
    let took = matches!(words.last(), Some(&("mortgage" | "loan" | "debt")))
        && matches!(
            word(to),
            "took" | "takes" | "eats" | "ate" | "absorbed" | "absorbs" | "consumed" | "consumes"
        )
        && tokens.get(to + 1).is_some_and(|token| token.number().is_some());
    if took && has(&["noi", "income", "equity"]) {
        return Some(DebtService);
    }
    match words {
        ["net", "income"] if unburdened(tokens) => Some(Noi),
        // "Gross income 910k, expenses 402k".
        ["gross", "income"]
            if has(&["expenses", "opex"]) && !has(&["vacancy", "multiplier", "lease", "tenant"]) =>
        {
            Some(Egi)
        }
        // "The loan costs 590k a year."
        ["loan", "costs"] => tokens
            .get(to)
            .and_then(Token::number)
            .and_then(|number| number.per)
            .map(|_| DebtService),
        _ => None,
    }
}

/// An amount stands right before the words, or behind them with nothing but its owner between.
fn amount_beside(tokens: &[Token], at: usize, to: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let money = |at: usize| {
        tokens.get(at).and_then(Token::number).is_some_and(|number| {
            matches!(number.shape, Shape::Money | Shape::Plain)
                && number.value >= 1000.0
                && number.per.is_none()
        })
    };
    let before = at.checked_sub(1).is_some_and(money)
        || (at >= 2 && matches!(word(at - 1), "is" | "are" | "was" | "remains") && money(at - 2));
    let behind = (to..to + 5)
        .take_while(|at| {
            matches!(
                word(*at),
                "the"
                    | "bank"
                    | "lender"
                    | "us"
                    | "them"
                    | "of"
                    | "is"
                    | "on"
                    | "it"
                    | "mortgage"
                    | "loan"
                    | "about"
                    | ""
            ) && !tokens
                .get(*at)
                .is_some_and(|token| token.is_mark('?') || token.is_mark('.') || token.is_mark(','))
        })
        .any(money);
    before
        || (behind
            && matches!(
                word(to.saturating_sub(1)),
                "owe" | "owed" | "owing" | "outstanding"
            ))
}

/// Where neither debt, tax nor depreciation is spoken of, net income is what the property earns.
fn unburdened(tokens: &[Token]) -> bool {
    !tokens.iter().any(|token| {
        matches!(
            token.word(),
            "debt"
                | "loan"
                | "mortgage"
                | "interest"
                | "tax"
                | "taxes"
                | "depreciation"
                | "lease"
                | "dscr"
                | "cash"
        )
    })
}
