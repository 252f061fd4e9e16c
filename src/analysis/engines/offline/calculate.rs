//! From a settled deal to computed values, or to what has to be asked.
//!
//! Guards the answer: contradictions, mixed periods, interest-only ambiguities and implausible results
//! are questions, not numbers. Knows no phrasing of answers.

use crate::analysis::engines::offline::deal::{Deal, EARLIER, SIZING};
use crate::analysis::engines::offline::format;
use crate::analysis::engines::offline::reading::QUESTION;
use crate::analysis::engines::offline::roles;
use crate::analysis::engines::offline::scan::{Per, Token};
use crate::finance::fault::Fault;
use crate::finance::graph::{Plan, Step, contradiction, solve};
use crate::finance::variable::{Unit, Variable};

/// One computed answer.
#[derive(Clone, Debug)]
pub(crate) struct Headline {
    pub(crate) variable: Variable,
    /// The metric's word in the figure; mostly the variable's.
    pub(crate) name: &'static str,
    pub(crate) value: f64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Computed {
    pub(crate) headlines: Vec<Headline>,
    pub(crate) steps: Vec<Step>,
    pub(crate) remarks: Vec<String>,
}

/// What to ask, or the fact that stands in the way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ask {
    pub(crate) reasons: Vec<String>,
    pub(crate) missing: Vec<Variable>,
}

impl Ask {
    pub(crate) fn because(reason: impl Into<String>) -> Self {
        Self {
            reasons: vec![reason.into()],
            missing: Vec::new(),
        }
    }
}

/// Computes all goals, or none.
pub(crate) fn calculate(tokens: &[Token], goals: &[Variable], deal: &mut Deal) -> Result<Computed, Ask> {
    if !deal.missing.is_empty() {
        return Err(Ask {
            reasons: deal.doubts.clone(),
            missing: deal.missing.clone(),
        });
    }
    if !deal.doubts.is_empty() {
        return Err(Ask {
            reasons: deal.doubts.clone(),
            missing: Vec::new(),
        });
    }
    let goals = interest_only(tokens, goals, deal)?;
    facts(tokens, &goals, deal)?;
    if !goals.contains(&Variable::MaxLoan)
        && let Some(found) = contradiction(&deal.known())
    {
        let named = found.variable.label();
        return Err(Ask::because(format!(
            "The figures given do not agree: the {named} is {}, but {} gives another value. Which of them should I \
             use?",
            format::input(found.variable, found.given),
            found.formula,
        )));
    }
    if goals.contains(&Variable::EconomicOccupancy) {
        same_period(deal);
    }
    let mut computed = Computed::default();
    let mut ask = Ask::default();
    for goal in &goals {
        let sized = *goal == Variable::MaxLoan || (*goal == Variable::Loan && limits(deal).len() > 1);
        let outcome = if sized {
            size(deal, &mut computed)
        } else {
            single(*goal, deal, &mut computed)
        };
        if let Err(reason) = outcome {
            ask.reasons.extend(reason.reasons);
            ask.missing.extend(reason.missing);
        }
    }
    ask.missing.dedup();
    if ask.missing.contains(&Variable::WindowFirst) {
        ask.missing.retain(|variable| *variable != Variable::WindowLast);
    }
    if !ask.reasons.is_empty() || !ask.missing.is_empty() {
        return Err(ask);
    }
    periods(deal, &computed)?;
    computed.remarks.extend(deal.remarks.clone());
    carried(deal, &mut computed);
    Ok(computed)
}

fn single(goal: Variable, deal: &Deal, computed: &mut Computed) -> Result<(), Ask> {
    let (target, name) = match goal {
        Variable::Price => (Variable::Value, Variable::Value.word()),
        Variable::Payment if deal.values.contains_key(&Variable::InterestOnly) => {
            (Variable::IoPayment, Variable::Payment.word())
        }
        other => (other, other.word()),
    };
    match solve(&deal.known(), target) {
        Plan::Solved { value, steps } if steps.is_empty() => Err(Ask::because(format!(
            "The {} is given as {}. What should I compute from it?",
            target.label(),
            format::input(target, value)
        ))),
        Plan::Solved { value, steps } => {
            plausible(target, value)?;
            computed.headlines.push(Headline {
                variable: target,
                name,
                value,
            });
            if goal == Variable::Price {
                computed.headlines.push(Headline {
                    variable: target,
                    name: Variable::Price.word(),
                    value,
                });
            }
            for step in steps {
                if !computed.steps.iter().any(|known| known.output == step.output) {
                    computed.steps.push(step);
                }
            }
            Ok(())
        }
        Plan::Missing(missing) if missing.is_empty() => Err(Ask::because(format!(
            "I cannot compute the {} from what is given.",
            target.label()
        ))),
        Plan::Missing(missing) => Err(Ask {
            reasons: Vec::new(),
            missing,
        }),
        Plan::Fault(fault) => Err(Ask::because(fault.sentence())),
    }
}

fn limits(deal: &Deal) -> Vec<(Variable, Variable)> {
    SIZING
        .iter()
        .copied()
        .filter(|(limit, _)| deal.values.contains_key(limit))
        .collect()
}

/// The smallest of the loans that the limits allow, and which limit it is.
fn size(deal: &Deal, computed: &mut Computed) -> Result<(), Ask> {
    let limits = limits(deal);
    if limits.is_empty() {
        return Err(Ask {
            reasons: vec!["A loan is sized by at least one limit.".to_owned()],
            missing: vec![Variable::Ltv, Variable::Dscr, Variable::DebtYield],
        });
    }
    if deal.values.contains_key(&Variable::Loan) {
        return Err(Ask::because(
            "A loan amount is given already. Should I test it or size a new one?",
        ));
    }
    let mut found = Vec::new();
    let mut ask = Ask::default();
    for (limit, proceeds) in limits {
        match solve(&deal.known(), proceeds) {
            Plan::Solved { value, steps } => {
                found.push((limit, proceeds, value));
                for step in steps {
                    if !computed.steps.iter().any(|known| known.output == step.output) {
                        computed.steps.push(step);
                    }
                }
            }
            Plan::Missing(missing) => ask.missing.extend(missing),
            Plan::Fault(fault) => ask.reasons.push(fault.sentence()),
        }
    }
    ask.missing.dedup();
    if !ask.reasons.is_empty() || !ask.missing.is_empty() {
        return Err(ask);
    }
    let Some((limit, _, least)) = found
        .iter()
        .copied()
        .min_by(|(_, _, a), (_, _, b)| a.total_cmp(b))
    else {
        return Err(Ask::because("No limit could be computed."));
    };
    if least <= 0.0 {
        return Err(Ask::because(
            "The limits leave no room for a loan: please check the NOI and the limits.",
        ));
    }
    computed.headlines.push(Headline {
        variable: Variable::MaxLoan,
        name: Variable::MaxLoan.word(),
        value: least,
    });
    let inputs = found
        .iter()
        .map(|(_, proceeds, value)| (*proceeds, *value))
        .collect();
    computed.steps.push(Step {
        output: Variable::MaxLoan,
        value: least,
        formula: "the smallest of the loans the limits allow",
        definition: "Largest loan = the smallest of the amounts that the limits allow.",
        assumption: false,
        inputs,
    });
    let binds = if found.len() > 1 {
        "The limit that binds is the "
    } else {
        "The only limit is the "
    };
    computed.remarks.push(format!("{binds}{}.", limit.label()));
    Ok(())
}

/// Decides which payment an interest-only loan is asked about.
fn interest_only(tokens: &[Token], goals: &[Variable], deal: &mut Deal) -> Result<Vec<Variable>, Ask> {
    use Variable::{AmortizationYears, Balance, InterestOnly, IoPayment, IoYears, Payment};
    let mut goals = goals.to_vec();
    let years = deal.values.contains_key(&IoYears);
    if !years && !deal.values.contains_key(&InterestOnly) {
        return Ok(goals);
    }
    if !deal.values.contains_key(&AmortizationYears) {
        if years && goals.iter().all(|goal| *goal != Balance) {
            let given = deal
                .values
                .get(&IoYears)
                .map_or(QUESTION.to_owned(), |given| given.origin.clone());
            deal.set(InterestOnly, 1.0, &given);
        }
        return Ok(goals);
    }
    let has = |words: &[&str]| tokens.iter().any(|token| words.contains(&token.word()));
    let after = has(&[
        "once",
        "after",
        "starts",
        "begins",
        "thereafter",
        "kicks",
        "burns",
        "ends",
        "expires",
        "start",
        "begin",
        "afterwards",
        "following",
        "post",
    ]) || tokens
        .windows(2)
        .any(|pair| matches!(pair, [a, b] if a.word().starts_with("amorti") && b.word() == "payment"));
    let during = has(&["during", "while"]);
    let coverage = goals.iter().any(|goal| {
        matches!(
            goal,
            Payment
                | Variable::DebtService
                | Variable::Dscr
                | Variable::CashOnCash
                | Variable::CashFlow
                | Variable::Breakeven
        )
    });
    if coverage {
        deal.values.remove(&InterestOnly);
        match (after, during) {
            (true, false) => {
                if let Some(at) = goals.iter().position(|goal| *goal == Payment) {
                    goals.insert(at + 1, IoPayment);
                }
            }
            (false, true) => deal.set(InterestOnly, 1.0, QUESTION),
            _ => {
                return Err(Ask::because(
                    "The payment changes when the interest-only period ends. Do you mean during that period or \
                     after it?",
                ));
            }
        }
        return Ok(goals);
    }
    if goals
        .iter()
        .all(|goal| matches!(goal, Balance | IoPayment | Variable::Ltv | Variable::DebtYield))
    {
        return Ok(goals);
    }
    Err(Ask::because(
        "I cannot do that yet for a loan with an interest-only period.",
    ))
}

/// Facts that end the question: no debt, a payment that never repays, reserves in a coverage ratio.
fn facts(tokens: &[Token], goals: &[Variable], deal: &Deal) -> Result<(), Ask> {
    let known = deal.known();
    let pairs = tokens.windows(2).any(|pair| {
        matches!(pair, [a, b] if matches!((a.word(), b.word()), ("no", "debt" | "loan" | "mortgage") | ("without", "debt" | "leverage") | ("all", "cash") | ("debt", "free") | ("zero", "debt")))
    });
    let unlevered = pairs
        || tokens
            .iter()
            .any(|token| matches!(token.word(), "unlevered" | "unleveraged" | "unencumbered"));
    let no_loan = known.get(&Variable::Loan) == Some(&0.0);
    if goals.contains(&Variable::Dscr) && (unlevered || no_loan) {
        return Err(Ask::because(Fault::NoDebt.sentence()));
    }
    let rests_on_schedule = goals.iter().any(|goal| {
        matches!(
            goal,
            Variable::AmortizationYears
                | Variable::Payments
                | Variable::Balance
                | Variable::InterestPaid
                | Variable::PrincipalPaid
        )
    });
    if rests_on_schedule
        && let (Some(loan), Some(rate), Some(payment)) = (
            known.get(&Variable::Loan),
            known.get(&Variable::Rate),
            known.get(&Variable::Payment),
        )
        && *payment <= loan * rate / 12.0
    {
        let fault = Fault::NeverAmortizes {
            payment: *payment,
            interest: loan * rate / 12.0,
        };
        return Err(Ask::because(fault.sentence()));
    }
    let bases = known.contains_key(&Variable::Price) && known.contains_key(&Variable::Value);
    if bases
        && goals
            .iter()
            .any(|goal| matches!(goal, Variable::Ltv | Variable::MaxLoan | Variable::Loan))
    {
        return Err(Ask::because(
            "A price and a value are given: should the loan to value be measured against the price or the value?",
        ));
    }
    let reserves = known.contains_key(&Variable::Reserves);
    if reserves
        && goals.iter().any(|goal| {
            matches!(
                goal,
                Variable::Dscr
                    | Variable::CapRate
                    | Variable::Value
                    | Variable::DebtYield
                    | Variable::Breakeven
                    | Variable::MaxLoan
            )
        })
    {
        return Err(Ask::because(
            "Reserves are given: should I deduct them from NOI first (the lender's view), or leave them below the \
             line?",
        ));
    }
    let after_reserves = tokens.windows(2).any(|pair| {
        matches!(pair, [a, b] if matches!(a.word(), "after" | "of") && b.word().starts_with("reserve"))
    });
    if after_reserves && !reserves && goals.contains(&Variable::CashOnCash) {
        return Err(Ask {
            reasons: Vec::new(),
            missing: vec![Variable::Reserves],
        });
    }
    Ok(())
}

/// A ratio far outside what occurs is a sign of mixed units: ask rather than answer.
fn plausible(variable: Variable, value: f64) -> Result<(), Ask> {
    let range = match variable {
        Variable::CapRate | Variable::ExitCap => -0.5..=0.5,
        Variable::Dscr => -10.0..=20.0,
        Variable::DebtYield => -0.5..=1.0,
        Variable::Ltv | Variable::Ltc => 0.0..=2.0,
        Variable::Grm => 1.0..=60.0,
        Variable::Breakeven | Variable::OpexRatio => 0.0..=3.0,
        Variable::EconomicOccupancy => 0.0..=1.2,
        Variable::PhysicalOccupancy => 0.0..=1.0,
        Variable::CashOnCash => -2.0..=2.0,
        Variable::AmortizationYears => 0.0..=100.0,
        _ => f64::MIN..=f64::MAX,
    };
    if range.contains(&value) {
        return Ok(());
    }
    Err(Ask::because(format!(
        "With these figures the {} would be far outside what occurs. Please check the amounts, and whether each is per \
         month or per year.",
        variable.label()
    )))
}

/// Says which values come from the turn before.
fn carried(deal: &Deal, computed: &mut Computed) {
    let used: Vec<Variable> = computed
        .steps
        .iter()
        .flat_map(|step| step.inputs.iter().map(|(input, _)| *input))
        .collect();
    let names: Vec<&str> = deal
        .values
        .iter()
        .filter(|(variable, given)| {
            given.origin == EARLIER && used.contains(variable) && variable.unit() != Unit::Mark
        })
        .map(|(variable, _)| variable.label())
        .collect();
    if !names.is_empty() {
        computed
            .remarks
            .insert(0, format!("Taken from the earlier turn: {}.", names.join(", ")));
    }
}

/// Rent collected without a period is for the period of the potential rent, and the other way round.
fn same_period(deal: &mut Deal) {
    let pair = (
        deal.values.get(&Variable::Gpr).cloned(),
        deal.values.get(&Variable::Collections).cloned(),
    );
    let (Some(rent), Some(collected)) = pair else {
        return;
    };
    let factor = |per: Option<Per>| match per {
        Some(Per::Month) => 12.0,
        Some(Per::Quarter) => 4.0,
        _ => 1.0,
    };
    let (variable, given, per) = match (rent.period, collected.period) {
        (Some(per), None) => (Variable::Collections, collected, per),
        (None, Some(per)) => (Variable::Gpr, rent, per),
        _ => return,
    };
    if factor(Some(per)) > 1.0 {
        deal.set(variable, given.value * factor(Some(per)), &given.origin);
        deal.remarks
            .push("Both amounts are taken for the same period.".to_owned());
    }
}

/// One amount per month beside another whose period was not said: the latter may be monthly too.
fn periods(deal: &mut Deal, computed: &Computed) -> Result<(), Ask> {
    let used: Vec<Variable> = computed
        .steps
        .iter()
        .flat_map(|step| step.inputs.iter().map(|(input, _)| *input))
        .collect();
    let occupancy = used.contains(&Variable::Collections);
    let flows: Vec<(Variable, f64, Option<Per>)> = deal
        .values
        .iter()
        .filter(|(variable, given)| {
            used.contains(variable)
                && roles::flow(**variable)
                && given.origin == QUESTION
                && **variable != Variable::Payment
        })
        .map(|(variable, given)| (*variable, given.value, given.period))
        .collect();
    let monthly: Vec<&(Variable, f64, Option<Per>)> = flows
        .iter()
        .filter(|(_, _, per)| matches!(per, Some(Per::Month | Per::Quarter)))
        .collect();
    for (variable, value, per) in &flows {
        if per.is_some() {
            continue;
        }
        for (other, annual, _) in &monthly {
            // As large as several months of the other one, it can only be an annual amount.
            if !occupancy && value.abs() <= 5.0 * (annual / 12.0).abs() {
                return Err(Ask::because(format!(
                    "The {} is given per month. Is the {} per month too, or per year?",
                    other
                        .label()
                        .trim_end_matches(" (annual)")
                        .trim_start_matches("annual "),
                    variable
                        .label()
                        .trim_end_matches(" (annual)")
                        .trim_start_matches("annual "),
                )));
            }
        }
    }
    Ok(())
}
