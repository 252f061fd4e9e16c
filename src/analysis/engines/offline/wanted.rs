//! Which of the named variables the question wants, once the numbers have their places.
//!
//! Knows the reading so far, no values of earlier turns.

use crate::analysis::engines::offline::given::Reading;
use crate::analysis::engines::offline::goals;
use crate::analysis::engines::offline::scan::{Per, Shape, Token};
use crate::analysis::engines::offline::terms::{self, Role};
use crate::analysis::engines::offline::vocabulary::Mention;
use crate::finance::variable::Variable;

/// What can be asked for by name.
fn can_be_goal(variable: Variable) -> bool {
    !matches!(
        variable,
        Variable::Reserves
            | Variable::HeldYears
            | Variable::IoYears
            | Variable::LandCost
            | Variable::HardCost
            | Variable::SoftCost
            | Variable::FinancingCost
            | Variable::OccupiedUnits
            | Variable::TotalUnits
            | Variable::SaleCostShare
            | Variable::ReinvestRate
            | Variable::FinanceRate
            | Variable::Collections
    )
}

pub(crate) fn wanted(
    tokens: &[Token],
    mentions: &[Mention],
    weights: &[u8],
    reading: &Reading,
    taken: &[usize],
) -> Vec<Variable> {
    let mut goals: Vec<(u8, Variable)> = Vec::new();
    let amortized = reading
        .durations
        .iter()
        .any(|item| matches!(item.role, Role::Amortization | Role::Term));
    for (mention, weight) in mentions.iter().zip(weights) {
        let Some(variable) = mention.variable.filter(|variable| can_be_goal(*variable)) else {
            continue;
        };
        // "monthly debt service" is a payment, "annual payment" a debt service.
        let variable = match (variable, mention.period) {
            (Variable::DebtService, Some(Per::Month)) => Variable::Payment,
            (Variable::Payment, Some(Per::Year)) => Variable::DebtService,
            (other, _) => other,
        };
        let has_value = reading.values.contains_key(&variable)
            || (variable == Variable::AmortizationYears && amortized)
            || mention.verb
            || tokens.get(mention.to).and_then(Token::number).is_some_and(|number| number.shape == Shape::PaymentLabel)
            // "the loan at 65% LTV" names what a computed value is of.
            || taken.iter().any(|token| mention.to == *token && *weight < 2);
        if !has_value && !goals.iter().any(|(_, known)| *known == variable) {
            goals.push((*weight, variable));
        }
    }
    // "What do we owe after …" asks for a balance; "we owe 6m" gives the loan.
    let owes = mentions.iter().any(|mention| {
        mention.verb
            && tokens
                .get(mention.from)
                .is_some_and(|token| token.word().starts_with("owe"))
            && !taken
                .iter()
                .any(|token| *token > mention.from && *token <= mention.to + 3)
            && goals::asked_before(tokens, mention.from)
    });
    if owes {
        goals.push((3, Variable::Balance));
    }
    let pays = !reading.values.contains_key(&Variable::Price)
        && !reading.values.contains_key(&Variable::Payment)
        && mentions.iter().any(|mention| {
            mention.verb
                && tokens
                    .get(mention.from)
                    .is_some_and(|token| matches!(token.word(), "pay" | "buy" | "offer"))
                && goals::asked_before(tokens, mention.from)
        });
    if pays && !goals.iter().any(|(weight, _)| *weight == 3) {
        goals.push((3, Variable::Price));
    }
    if let Some(goal) = interest_goal(tokens, reading) {
        goals.retain(|(_, known)| {
            !matches!(
                known,
                Variable::InterestPaid | Variable::Rate | Variable::Loan | Variable::Price
            )
        });
        goals.push((3, goal));
    }
    // Loan sizing names the limits; a loan that is asked for beside it is the same thing.
    if goals.iter().any(|(_, goal)| *goal == Variable::MaxLoan) {
        return vec![Variable::MaxLoan];
    }
    let top = goals.iter().map(|(weight, _)| *weight).max().unwrap_or(0);
    if top >= 2 {
        let mut chosen: Vec<Variable> = goals
            .iter()
            .filter(|(weight, _)| *weight == top)
            .map(|(_, goal)| *goal)
            .collect();
        drop_shadows(&mut chosen);
        chosen
    } else {
        let named: Vec<Variable> = goals.iter().map(|(_, goal)| *goal).collect();
        let monthly = tokens
            .iter()
            .any(|token| matches!(token.word(), "monthly" | "month"));
        let loan =
            reading.values.contains_key(&Variable::Loan) && reading.values.contains_key(&Variable::Rate);
        if named.is_empty() && monthly && loan && !reading.values.contains_key(&Variable::Payment) {
            return vec![Variable::Payment];
        }
        if let [only] = named.as_slice() {
            vec![*only]
        } else {
            Vec::new()
        }
    }
}

/// "the value of the loan balance": words that stand beside the real goal.
fn drop_shadows(goals: &mut Vec<Variable>) {
    let specific = goals.iter().any(|goal| {
        !matches!(
            goal,
            Variable::Loan | Variable::AmortizationYears | Variable::Rate
        )
    });
    if specific && goals.len() > 1 {
        goals.retain(|goal| {
            !matches!(
                goal,
                Variable::Loan | Variable::AmortizationYears | Variable::Rate
            )
        });
    }
    if goals.contains(&Variable::Mirr) {
        goals.retain(|goal| *goal != Variable::Irr);
    }
}

/// "interest 5.4%", "interest of 30k": a given value, not a question.
fn own_value(tokens: &[Token], at: usize) -> bool {
    let number = |n: usize| tokens.get(at + n).and_then(Token::number);
    let of = tokens.get(at + 1).is_some_and(|token| token.word() == "of");
    number(1).is_some_and(|number| number.shape == Shape::Percent) || (of && number(2).is_some())
}

/// "How much interest …": for a window of payments or a number of days.
fn interest_goal(tokens: &[Token], reading: &Reading) -> Option<Variable> {
    let at = tokens.iter().enumerate().position(|(at, token)| {
        let next = |n: usize| tokens.get(at + n).map_or("", Token::word);
        let dash = tokens.get(at + 1).is_some_and(|token| token.is_mark('-'));
        let own_rate = at
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .and_then(Token::number)
            .is_some_and(|number| number.shape == Shape::Percent);
        matches!(token.word(), "interest")
            && !matches!(
                next(1),
                "rate" | "only" | "rates" | "reserve" | "carry" | "at" | "is" | "coverage"
            )
            && !own_rate
            && !own_value(tokens, at)
            && (!dash || next(2) != "only")
    })?;
    let principal = at > 0
        && tokens
            .get(at - 1)
            .is_some_and(|token| token.word() == "and" || token.word() == "principal");
    if principal {
        return None;
    }
    let days = reading.durations.iter().any(|item| item.role == Role::Days);
    let month = terms::month_days(tokens).is_some() && terms::window(tokens, &reading.durations).is_none();
    Some(if days || month || reading.day_count.is_some() {
        Variable::Interest
    } else {
        Variable::InterestPaid
    })
}
