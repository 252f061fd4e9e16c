//! Numbers without a name that can be only one of the inputs still missing.
//!
//! A number beside an unknown noun is never taken: it is something else.

use crate::plan::deal::Deal;
use crate::read::fitting;
use crate::read::given::{self, QUESTION, Reading, said};
use crate::read::linking::neutral;
use crate::read::vocabulary::Mention;
use crate::words::scan::{Shape, Token};
use finance::graph::{Known, Plan, solve};
use finance::variable::{Unit, Variable};

/// A number without a name that can be only one of the inputs still missing.
pub(crate) fn eliminate(
    text: &str,
    tokens: &[Token],
    reading: &Reading,
    goals: &[Variable],
    left: &mut Vec<usize>,
    deal: &mut Deal,
) {
    if left.is_empty() || !deal.doubts.is_empty() {
        return;
    }
    let mut missing: Vec<Variable> = Vec::new();
    for goal in goals {
        if let Plan::Missing(inputs) = wanted(&deal.known(), *goal) {
            missing.extend(
                inputs
                    .into_iter()
                    .filter(|input| !missing.contains(input))
                    .collect::<Vec<_>>(),
            );
        }
    }
    // Who asks for a payment or for a loan gives no payment without saying so.
    let paid = |variable: Variable| {
        matches!(
            variable,
            Variable::Payment | Variable::DebtService | Variable::IoPayment
        )
    };
    let asks_payment = goals.iter().any(|goal| {
        paid(*goal) || matches!(goal, Variable::Loan | Variable::MaxLoan | Variable::LtvProceeds)
    });
    if asks_payment {
        let known = deal.known();
        if missing.iter().any(|variable| paid(*variable))
            && !known.contains_key(&Variable::Loan)
            && goals.iter().all(|goal| paid(*goal))
            && !missing.contains(&Variable::Loan)
        {
            missing.push(Variable::Loan);
        }
        missing.retain(|variable| !paid(*variable));
    }
    let mut pairs: Vec<(usize, Variable)> = Vec::new();
    for &at in left.iter() {
        let Some(number) = tokens.get(at).and_then(Token::number) else {
            return;
        };
        let fitting: Vec<Variable> = missing
            .iter()
            .copied()
            .filter(|variable| !matches!(variable, Variable::Noi | Variable::ExitNoi) || !earns(tokens, at))
            // "cost 10m" is no appraisal.
            .filter(|variable| {
                *variable != Variable::Value || !beside(tokens, at, &["cost", "costs", "budget"])
            })
            // No unit's rent is that large.
            .filter(|variable| {
                *variable != Variable::AverageRent || (number.value <= 20_000.0 && !number.scaled)
            })
            // Interest alone is no debt service.
            .filter(|variable| *variable != Variable::DebtService || !beside(tokens, at, &["interest"]))
            .filter(|variable| match variable.unit() {
                Unit::Years => matches!(number.shape, Shape::Years | Shape::Months | Shape::Payments),
                Unit::Money | Unit::Percent => fitting::fits(*variable, number),
                _ => false,
            })
            .collect();
        match fitting.as_slice() {
            [only]
                if stands_alone(tokens, &reading.mentions, at)
                    && !pairs.iter().any(|(_, taken)| taken == only) =>
            {
                pairs.push((at, *only));
            }
            _ => return,
        }
    }
    for (at, variable) in pairs {
        let Some(number) = tokens.get(at).and_then(Token::number) else {
            continue;
        };
        let words = said(text, tokens, at);
        let value = match (variable.unit(), number.shape) {
            (Unit::Years, Shape::Years) => Some(number.value),
            (Unit::Years, _) => Some(number.value / 12.0),
            _ => None,
        };
        if let Some(value) = value {
            // "7-yr" may be the term of a balloon loan; "over 7 years" is how it is repaid.
            let repaid = beside(tokens, at, &["over", "for", "of", "in"]);
            if variable == Variable::AmortizationYears && value < 15.0 && !repaid {
                deal.doubts.push(format!(
                    "Is {words} the amortization period, or only the loan's term?"
                ));
            }
            deal.set(variable, value, QUESTION);
        } else {
            match given::convert(variable, number, number.per, words) {
                Ok((variable, given)) => {
                    deal.values.insert(variable, given);
                }
                Err(doubt) => deal.doubts.push(doubt),
            }
        }
        deal.remarks
            .push(format!("I read {words} as the {}.", variable.label()));
    }
    left.clear();
}

/// One of the words within two tokens before the number.
fn beside(tokens: &[Token], at: usize, words: &[&str]) -> bool {
    (1..=2)
        .filter_map(|back| at.checked_sub(back).and_then(|at| tokens.get(at)))
        .any(|token| words.contains(&token.word()))
}

/// "generating 50,000": income of some kind, and nobody said that it is net.
fn earns(tokens: &[Token], at: usize) -> bool {
    const STEMS: &[&str] = &[
        "generat", "produc", "throw", "earn", "mak", "gross", "bring", "collect", "yield", "return", "pays",
        "rent",
    ];
    (1..=4)
        .filter_map(|back| at.checked_sub(back).and_then(|at| tokens.get(at)))
        .any(|token| STEMS.iter().any(|stem| token.word().starts_with(stem)))
}

/// What the goal lacks. Loan sizing lacks what its limits lack.
fn wanted(known: &Known, goal: Variable) -> Plan {
    if goal != Variable::MaxLoan {
        return solve(known, goal);
    }
    let mut missing = Vec::new();
    for (limit, proceeds) in SIZING {
        if known.contains_key(limit)
            && let Plan::Missing(inputs) = solve(&apart(known, *limit), *proceeds)
        {
            missing.extend(inputs);
        }
    }
    Plan::Missing(missing)
}

/// What is known beside the other limits.
pub(crate) fn apart(known: &Known, limit: Variable) -> Known {
    let mut own = known.clone();
    own.retain(|variable, _| *variable == limit || !SIZING.iter().any(|(other, _)| other == variable));
    own
}

/// Each limit of loan sizing and the loan it allows.
pub(crate) const SIZING: &[(Variable, Variable)] = &[
    (Variable::Ltv, Variable::LtvProceeds),
    (Variable::Ltc, Variable::LtcProceeds),
    (Variable::Dscr, Variable::DscrProceeds),
    (Variable::DebtYield, Variable::DebtYieldProceeds),
];

/// Nouns that name a quantity of their own, and that no goal here takes in.
fn names_other(word: &str) -> bool {
    const OWN: &[&str] = &[
        "budget",
        "reserve",
        "reserves",
        "escrow",
        "grant",
        "kicker",
        "bonus",
        "holdback",
        "penalty",
        "premium",
        "fine",
        "charge",
        "charges",
        "guarantee",
        "guaranty",
        "collateral",
        "insured",
        "assessed",
        "area",
        "rent",
        "rents",
        "sales",
        "wages",
        "payroll",
        "salary",
        "revenue",
        "turnover",
        "collected",
        "earn",
        "earns",
        "earned",
        "earning",
        "income",
        "gross",
        "brings",
        "makes",
        "made",
        "profit",
        "loss",
        "gain",
        "margin",
        "inflation",
        "index",
        "growth",
        "share",
        "stake",
        "cost",
        "costs",
        "expense",
        "expenses",
        "spend",
        "spent",
        "capex",
        "works",
        "commission",
        "tax",
        "rebate",
    ];
    OWN.contains(&word)
}

/// No unknown noun names the number ("a 500k TI budget" is no price).
fn stands_alone(tokens: &[Token], mentions: &[Mention], at: usize) -> bool {
    // A variable that the pairing did not give this number to is a boundary, not its name.
    let named = |at: usize| {
        mentions
            .iter()
            .find(|mention| (mention.from..mention.to).contains(&at))
    };
    if let Some(next) = tokens.get(at + 1)
        && !next.word().is_empty()
        && !neutral(next.word())
        && named(at + 1).is_none_or(|mention| mention.variable.is_none())
    {
        return false;
    }
    // "918k of gross income": what follows "of" is the number's name.
    if tokens
        .get(at + 1)
        .is_some_and(|next| matches!(next.word(), "of" | "in" | "as"))
    {
        let name = (at + 2..at + 5).filter_map(|at| tokens.get(at)).find(|token| {
            !matches!(
                token.word(),
                "a" | "an" | "the" | "our" | "its" | "annual" | "monthly"
            )
        });
        if name.is_some_and(|token| !token.word().is_empty() && !neutral(token.word())) {
            return false;
        }
    }
    for back in 1..=5 {
        let Some(token) = at.checked_sub(back).and_then(|at| tokens.get(at)) else {
            return true;
        };
        let word = token.word();
        if word.is_empty() && !token.is_mark('-') {
            return true;
        }
        if let Some(mention) = named(at - back) {
            return mention.variable.is_some();
        }
        // Whatever else stands before it tells who pays or asks; only another quantity's name takes the number.
        if !word.is_empty() && !neutral(word) && names_other(word) {
            return false;
        }
    }
    true
}
