//! Which of the named variables the question wants, once the numbers have their places.
//!
//! Knows the reading so far, no values of earlier turns.

use crate::read::given::Reading;
use crate::read::goals;
use crate::read::terms::{self, Role};
use crate::read::vocabulary::Mention;
use crate::words::scan::{Per, Shape, Token};
use finance::variable::Variable;

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
    // "What would a buyer who insists on 7.15 percent pay for …".
    let offered = !reading.values.contains_key(&Variable::Price)
        && !reading.values.contains_key(&Variable::Payment)
        && mentions.iter().any(|mention| {
            mention.verb
                && tokens
                    .get(mention.from)
                    .is_some_and(|token| matches!(token.word(), "pay" | "offer"))
                && tokens.get(mention.to).is_none_or(|next| next.number().is_none())
                && (1..=14)
                    .map_while(|back| mention.from.checked_sub(back))
                    .take_while(|at| {
                        !tokens
                            .get(*at)
                            .is_some_and(|token| token.is_mark('.') || token.is_mark('?'))
                    })
                    .any(|at| {
                        let next = |ahead: usize| tokens.get(at + ahead).map_or("", Token::word);
                        next(0) == "what"
                            && matches!(next(1), "would" | "should" | "could" | "can" | "might" | "will")
                    })
        });
    let pays = pays || (offered && reading.values.contains_key(&Variable::CapRate));
    // "What will we pay each month?" asks for the payment of a loan.
    let monthly = tokens.windows(3).any(|three| {
        matches!(three, [a, b, c] if a.word() == "pay" && matches!(b.word(), "each" | "every" | "per" | "a") && c.word() == "month")
    });
    if pays && !goals.iter().any(|(weight, _)| *weight == 3) {
        goals.push((
            3,
            if monthly {
                Variable::Payment
            } else {
                Variable::Price
            },
        ));
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
    // The occupancy that covers expenses and debt service is the break-even one.
    let given = |variable: Variable| reading.values.contains_key(&variable);
    if given(Variable::Opex)
        && given(Variable::DebtService)
        && (given(Variable::Pgi) || given(Variable::Gpr) || given(Variable::GrossRent))
    {
        for goal in &mut goals {
            if goal.1 == Variable::PhysicalOccupancy {
                goal.1 = Variable::Breakeven;
            }
        }
    }
    // Loan sizing names the limits; a loan that is asked for beside it is the same thing.
    if goals.iter().any(|(_, goal)| *goal == Variable::MaxLoan) {
        return vec![Variable::MaxLoan];
    }
    if let Some(goal) = duration_goal(tokens, reading) {
        return vec![goal];
    }
    if principal_goal(tokens, reading) {
        goals.retain(|(_, known)| {
            !matches!(
                known,
                Variable::Loan | Variable::Payment | Variable::Balance | Variable::PrincipalPaid
            )
        });
        goals.push((3, Variable::PrincipalPaid));
    }
    // "How much of our payments in year 3 is interest?": a part of them is asked for.
    let part = goals
        .iter()
        .any(|(_, goal)| matches!(goal, Variable::InterestPaid | Variable::PrincipalPaid));
    if part && of_payments(tokens) {
        goals.retain(|(_, goal)| !matches!(goal, Variable::Payment | Variable::DebtService));
    }
    // "How much is the monthly on …": the payment of a month, without its noun.
    if the_monthly(tokens) && !reading.values.contains_key(&Variable::Payment) {
        goals.push((3, Variable::Payment));
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

/// "How many months to pay off …", "how long does it take to repay": the number of payments, where the
/// loan and what is paid on it are given.
fn duration_goal(tokens: &[Token], reading: &Reading) -> Option<Variable> {
    let given = |variable: Variable| reading.values.contains_key(&variable);
    let paid = given(Variable::Payment) || given(Variable::DebtService);
    if !(paid && given(Variable::Loan) && given(Variable::Rate)) {
        return None;
    }
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let ends = tokens.iter().enumerate().any(|(at, token)| {
        matches!(
            token.word(),
            "repay"
                | "repaid"
                | "amortize"
                | "retire"
                | "retired"
                | "clear"
                | "cleared"
                | "payoff"
                | "extinguish"
        ) || (matches!(token.word(), "pay" | "paid" | "paying")
            && (1..=3).any(|ahead| matches!(word(at + ahead), "off" | "down")))
    });
    let how = tokens.iter().enumerate().find_map(|(at, token)| {
        (token.word() == "how").then(|| match (word(at + 1), word(at + 2)) {
            ("many", "years") => Some(Variable::AmortizationYears),
            ("many", "months" | "payments" | "installments") | ("long", _) => Some(Variable::Payments),
            ("many", "monthly" | "level" | "more") if matches!(word(at + 3), "payments" | "installments") => {
                Some(Variable::Payments)
            }
            _ => None,
        })?
    });
    how.filter(|_| ends)
}

/// "How much principal is in payment 13", "what principal is repaid in year 5": of a window of payments.
fn principal_goal(tokens: &[Token], reading: &Reading) -> bool {
    let at = tokens.iter().position(|token| token.word() == "principal");
    // "How much of the first 12 payments is principal?"
    let part = at.is_some_and(|at| {
        at.checked_sub(1)
            .and_then(|at| tokens.get(at))
            .is_some_and(|before| matches!(before.word(), "is" | "are" | "to" | "toward" | "towards"))
            && tokens.windows(2).any(|pair| {
                matches!(pair, [a, b] if matches!((a.word(), b.word()), ("how", "much") | ("what" | "which", "part" | "portion" | "amount")))
            })
    });
    if part {
        return terms::window(tokens, &reading.durations).is_some();
    }
    let Some(at) = at.filter(|at| goals::asked_before(tokens, *at)) else {
        return false;
    };
    let next = tokens.get(at + 1).map_or("", Token::word);
    let other = matches!(
        next,
        "balance" | "left" | "remaining" | "remains" | "outstanding" | "amount" | "owed" | "and"
    );
    !other && terms::window(tokens, &reading.durations).is_some()
}

/// "How much of our payments", "the portion of the monthly payments".
fn of_payments(tokens: &[Token]) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    (0..tokens.len()).any(|at| {
        matches!(
            word(at),
            "payments" | "installments" | "instalments" | "repayments"
        ) && (1..=4).filter_map(|back| at.checked_sub(back)).any(|of| {
            word(of) == "of"
                && of.checked_sub(1).is_some_and(|before| {
                    matches!(
                        word(before),
                        "much" | "part" | "portion" | "share" | "amount" | "bit" | "chunk"
                    )
                })
        })
    })
}

fn the_monthly(tokens: &[Token]) -> bool {
    tokens.iter().enumerate().any(|(at, token)| {
        let before = at
            .checked_sub(1)
            .and_then(|at| tokens.get(at))
            .map_or("", Token::word);
        let next = tokens.get(at + 1);
        let alone = next.is_none_or(|next| {
            next.is_mark('?')
                || next.is_mark('.')
                || matches!(next.word(), "on" | "be" | "for" | "if" | "at" | "with" | "come")
        });
        token.word() == "monthly"
            && matches!(before, "the" | "my" | "our")
            && alone
            && goals::asked_before(tokens, at)
    })
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
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let none = before.is_some_and(|before| {
            matches!(before.word(), "no" | "zero" | "without")
                || before.number().is_some_and(|number| number.value == 0.0)
        }) || before.is_some_and(|dash| dash.is_mark('-'))
            && at
                .checked_sub(2)
                .and_then(|at| tokens.get(at))
                .and_then(Token::number)
                .is_some_and(|number| number.value == 0.0);
        let repaid = next(1) == "and" && matches!(next(2), "capital" | "principal");
        let alone = at
            .checked_sub(2)
            .is_some_and(|before| terms::nothing_but(tokens, before))
            || at
                .checked_sub(1)
                .is_some_and(|before| terms::nothing_but(tokens, before))
            || terms::nothing_but(tokens, at);
        matches!(token.word(), "interest")
            && !none
            && !alone
            && !repaid
            && !matches!(
                next(1),
                "rate" | "only" | "rates" | "reserve" | "carry" | "at" | "coverage"
            )
            // "interest is 5%" gives a rate, "interest is paid" asks for an amount.
            && (next(1) != "is" || matches!(next(2), "paid" | "due" | "owed" | "charged" | "accrued"))
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
    let dated = tokens
        .iter()
        .filter(|token| token.word() == crate::words::asides::DATE)
        .count()
        == 2;
    let days = days || dated;
    let month = terms::month_days(tokens).is_some() && terms::window(tokens, &reading.durations).is_none();
    Some(if days || month || reading.day_count.is_some() {
        Variable::Interest
    } else {
        Variable::InterestPaid
    })
}
