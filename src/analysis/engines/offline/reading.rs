//! The question as a deal: goals, values by variable, and every number that found no place.
//!
//! Reads one question alone; what earlier turns or notes add is decided elsewhere.

use std::collections::BTreeMap;

use crate::analysis::engines::offline::goals;
use crate::analysis::engines::offline::roles::{self, Assigned, Pairing};
use crate::analysis::engines::offline::scan::{Number, Per, Shape, Sign, Token};
use crate::analysis::engines::offline::terms::{self, Duration, Role};
use crate::analysis::engines::offline::vocabulary::{self, Mention};
use crate::finance::loan::DayCount;
use crate::finance::variable::{Unit, Variable};

/// A value with the words it came from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Given {
    pub(crate) value: f64,
    pub(crate) origin: String,
    /// The conversion that was made, as a sentence.
    pub(crate) conversion: Option<String>,
    /// The period was said and not assumed.
    pub(crate) period: Option<Per>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) goals: Vec<Variable>,
    pub(crate) values: BTreeMap<Variable, Given>,
    /// Tokens of numbers without a meaning yet.
    pub(crate) left: Vec<usize>,
    pub(crate) durations: Vec<Duration>,
    pub(crate) mentions: Vec<Mention>,
    pub(crate) day_count: Option<DayCount>,
    pub(crate) interest_only: bool,
    /// Amounts for quantities that are known by name but not computed with.
    pub(crate) foreign: Vec<usize>,
    /// Reasons to ask back, in words.
    pub(crate) doubts: Vec<String>,
}

pub(crate) const QUESTION: &str = "question";

/// Reads the tokens of `text`.
pub(crate) fn read(text: &str, tokens: &[Token]) -> Reading {
    let mentions = vocabulary::mentions(tokens);
    let mut reading = Reading {
        durations: terms::durations(tokens),
        ..Reading::default()
    };
    reading.interest_only = terms::interest_only(tokens);
    reading.day_count = tokens.iter().find_map(|token| match token.word() {
        "actual/360" => Some(DayCount::Actual360),
        "actual/365" => Some(DayCount::Actual365),
        "30/360" => Some(DayCount::Thirty360),
        _ => None,
    });
    let weights: Vec<u8> = mentions
        .iter()
        .map(|mention| goals::weight(tokens, mention))
        .collect();
    let asked: Vec<usize> = weights
        .iter()
        .enumerate()
        .filter(|(_, weight)| **weight >= 2)
        .map(|(at, _)| at)
        .collect();
    let free: Vec<usize> = (0..tokens.len())
        .filter(|at| tokens.get(*at).is_some_and(is_free))
        .collect();
    let loan_context = loan_context(tokens, &mentions, &reading.durations);
    let assigned = match roles::pair(tokens, &mentions, &asked, &free, loan_context) {
        Pairing::Found { assigned, left } => {
            reading.left = left;
            assigned
        }
        Pairing::Ambiguous(which) => {
            let said: Vec<&str> = which.iter().map(|at| said(text, tokens, *at)).collect();
            reading
                .doubts
                .push(format!("I can read {} in more than one way.", said.join(" and ")));
            Vec::new()
        }
        Pairing::TooMany => {
            reading
                .doubts
                .push("There are more numbers here than I can place with certainty.".to_owned());
            Vec::new()
        }
    };
    for token in tokens
        .iter()
        .filter(|token| token.number().is_some_and(|number| number.doubtful))
    {
        reading.doubts.push(format!(
            "I am not sure how to read “{}”.",
            text.get(token.start..token.end).unwrap_or("")
        ));
    }
    for item in &assigned {
        place(text, tokens, &mentions, item, &mut reading);
    }
    counts(tokens, &mut reading);
    if reading.interest_only && reading.mentions.is_empty() {
        reading.mentions.clone_from(&mentions);
    }
    let taken: Vec<usize> = assigned.iter().map(|item| item.token).collect();
    reading.goals = wanted(tokens, &mentions, &weights, &reading, &taken);
    reading.mentions = mentions;
    reading
}

/// The text of a token, for quoting back.
pub(crate) fn said<'a>(text: &'a str, tokens: &[Token], at: usize) -> &'a str {
    tokens
        .get(at)
        .and_then(|token| text.get(token.start..token.end))
        .unwrap_or("")
}

fn is_free(token: &Token) -> bool {
    token.number().is_some_and(|number| {
        !matches!(
            number.shape,
            Shape::Years
                | Shape::Months
                | Shape::Days
                | Shape::Payments
                | Shape::YearLabel
                | Shape::MonthLabel
                | Shape::PaymentLabel
                | Shape::Calendar
        )
    })
}

/// True when a bare percentage can only be a loan's rate.
fn loan_context(tokens: &[Token], mentions: &[Mention], durations: &[Duration]) -> bool {
    use Variable::{
        AmortizationYears, Balance, Constant, Interest, InterestPaid, IoPayment, Loan, MaxLoan, Payment,
        PrincipalPaid,
    };
    let named = mentions.iter().any(|mention| {
        mention.variable.is_some_and(|variable| {
            matches!(
                variable,
                Loan | Payment
                    | Balance
                    | Constant
                    | AmortizationYears
                    | InterestPaid
                    | PrincipalPaid
                    | IoPayment
                    | Interest
                    | MaxLoan
            )
        })
    });
    let capital = mentions.iter().any(|mention| {
        matches!(
            mention.variable,
            Some(Variable::DiscountRate | Variable::EffectiveRate | Variable::Npv | Variable::Irr)
        )
    });
    let amortizing = durations.iter().any(|item| item.role == Role::Amortization);
    (named || amortizing || tokens.iter().any(|token| token.word() == "interest")) && !capital
}

/// Puts one assigned number into the deal, converted to the variable's unit and period.
fn place(text: &str, tokens: &[Token], mentions: &[Mention], item: &Assigned, reading: &mut Reading) {
    let Some(number) = tokens.get(item.token).and_then(Token::number) else {
        return;
    };
    let Some(variable) = item.variable else {
        reading.foreign.push(item.token);
        return;
    };
    let words = said(text, tokens, item.token);
    let mut per = number.per;
    // "60k monthly debt service": the adjective is the next noun's.
    if number.loose_per
        && mentions
            .iter()
            .any(|mention| mention.from > item.token && mention.from <= item.token + 2)
    {
        per = item.period;
    }
    if let (Some(own), Some(noun)) = (per, item.period)
        && own != noun
        && roles::flow(variable)
    {
        reading.doubts.push(format!("Two periods are named for {words}."));
    }
    let period = per.or(item.period);
    match convert(variable, number, period, words) {
        Ok((variable, given)) => insert(reading, variable, given),
        Err(doubt) => reading.doubts.push(doubt),
    }
}

/// Adds a value; a second, different one for the same variable is a doubt.
pub(crate) fn insert(reading: &mut Reading, variable: Variable, given: Given) {
    if let Some(other) = reading.values.get(&variable)
        && (other.value - given.value).abs() > 1e-9 * other.value.abs()
    {
        reading.doubts.push(format!(
            "Two different values are given for the {}.",
            variable.label()
        ));
        return;
    }
    reading.values.insert(variable, given);
}

/// The number in the variable's unit; the variable itself may change with the period.
pub(crate) fn convert(
    variable: Variable,
    number: &Number,
    period: Option<Per>,
    words: &str,
) -> Result<(Variable, Given), String> {
    let mut given = Given {
        value: number.value,
        origin: QUESTION.to_owned(),
        conversion: None,
        period,
    };
    if number.foreign {
        return Err("I compute in US dollars only so far.".to_owned());
    }
    let mut variable = variable;
    match variable.unit() {
        Unit::Percent => {
            let rate = !matches!(variable, Variable::Ltv | Variable::Ltc | Variable::SaleCostShare);
            if rate && matches!(period, Some(Per::Month | Per::Quarter | Per::Other)) && number.per.is_some()
            {
                return Err(format!(
                    "{words} is a rate per month or quarter; please give the annual rate."
                ));
            }
            given.value = roles::share(variable, number)
                .ok_or_else(|| format!("I am not sure how to read {words} as the {}.", variable.label()))?;
            let low = if variable == Variable::Rate { 0.0005 } else { 0.005 };
            let narrow = matches!(
                variable,
                Variable::CapRate | Variable::ExitCap | Variable::Rate | Variable::DebtYield
            );
            if narrow && given.value != 0.0 && !(low..=0.5).contains(&given.value) {
                return Err(format!(
                    "{words} would be an unusual {}; please confirm it.",
                    variable.label()
                ));
            }
        }
        Unit::Ratio => {
            if number.shape == Shape::Percent {
                given.value /= 100.0;
            }
        }
        Unit::Money => {
            let keeps_sign = matches!(variable, Variable::Noi | Variable::CashFlow);
            match number.sign {
                Sign::Minus if keeps_sign => given.value = -given.value,
                Sign::Minus => {
                    return Err(format!(
                        "{words} is negative; is that meant as the {}?",
                        variable.label()
                    ));
                }
                Sign::Brackets if keeps_sign => {
                    return Err(format!("{words} stands in brackets; is it negative?"));
                }
                _ => {}
            }
            let factor = match period {
                Some(Per::Month) => 12.0,
                Some(Per::Quarter) => 4.0,
                _ => 1.0,
            };
            if matches!(variable, Variable::Payment | Variable::IoPayment) {
                match period {
                    Some(Per::Year) => variable = Variable::DebtService,
                    Some(Per::Quarter | Per::Other) => {
                        return Err(format!(
                            "{words} is not a monthly payment; I handle monthly payments only."
                        ));
                    }
                    _ => {}
                }
            } else if roles::flow(variable) && factor > 1.0 {
                let every = if factor > 4.0 { "month" } else { "quarter" };
                given.value *= factor;
                given.conversion = Some(format!(
                    "{words} per {every} × {factor} = annual {}",
                    short(variable)
                ));
            }
        }
        Unit::Years | Unit::Months | Unit::Days | Unit::Count | Unit::Multiple | Unit::Mark => {}
    }
    Ok((variable, given))
}

fn short(variable: Variable) -> &'static str {
    variable
        .label()
        .trim_end_matches(" (annual)")
        .trim_start_matches("annual ")
}

/// "190 of 200 units": which part of which whole.
fn counts(tokens: &[Token], reading: &mut Reading) {
    let occupancy = tokens.iter().any(|token| {
        matches!(
            token.word(),
            "occupied" | "occupancy" | "leased" | "full" | "rented"
        )
    });
    if !occupancy {
        return;
    }
    let count = |at: usize| {
        tokens.get(at).and_then(Token::number).filter(|number| {
            matches!(number.shape, Shape::Units | Shape::Plain)
                && number.value.fract() == 0.0
                && !number.scaled
        })
    };
    let mut found: Vec<(Variable, usize)> = Vec::new();
    for at in 0..tokens.len() {
        // "190 occupied units out of 200", "190/200 units".
        let noun = (1..=2).take_while(|n| {
            tokens
                .get(at + n)
                .is_some_and(|token| matches!(token.word(), "occupied" | "units" | "leased" | "are"))
        });
        let next = at + 1 + noun.count();
        let of = match (
            tokens.get(next).map_or("", Token::word),
            tokens.get(next + 1).map_or("", Token::word),
        ) {
            ("of", "the" | "our") | ("out", "of") => next + 2,
            ("of", _) => next + 1,
            _ if tokens.get(next).is_some_and(|token| token.is_mark('/')) => next + 1,
            _ => continue,
        };
        if let (Some(part), Some(whole)) = (count(at), count(of))
            && part.value <= whole.value
        {
            found = vec![(Variable::OccupiedUnits, at), (Variable::TotalUnits, of)];
            break;
        }
    }
    let units: Vec<usize> = (0..tokens.len())
        .filter(|at| {
            tokens
                .get(*at)
                .and_then(Token::number)
                .is_some_and(|number| number.shape == Shape::Units)
        })
        .collect();
    if found.is_empty()
        && let [only] = units.as_slice()
    {
        found.push((Variable::TotalUnits, *only));
    }
    for (variable, at) in found {
        let Some(number) = count(at) else { continue };
        reading.left.retain(|left| *left != at);
        reading.values.insert(
            variable,
            Given {
                value: number.value,
                origin: QUESTION.to_owned(),
                conversion: None,
                period: None,
            },
        );
    }
}

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

fn wanted(
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
    let pays = mentions.iter().any(|mention| {
        mention.verb
            && tokens
                .get(mention.from)
                .is_some_and(|token| matches!(token.word(), "pay" | "buy" | "offer"))
            && !taken
                .iter()
                .any(|token| *token > mention.from && *token <= mention.to + 3)
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
