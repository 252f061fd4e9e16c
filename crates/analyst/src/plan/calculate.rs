//! From a settled deal to computed values, or to what has to be asked.
//!
//! Guards the answer: contradictions, mixed periods, interest-only ambiguities and implausible results
//! are questions, not numbers. Knows no phrasing of answers.

use crate::plan::deal::{Deal, EARLIER};
use crate::plan::elimination::{self, SIZING};
use crate::plan::guards;
use crate::plan::outcome::{Ask, Computed, Headline};
use crate::plan::periods;
use crate::plan::reserves;

use crate::say::format;
use crate::words::scan::Token;
use finance::graph::{Known, Plan, Step, contradiction, solve};
use finance::variable::{Unit, Variable};

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
    reserves::before_reserves(tokens, deal);
    reserves::after_reserves(tokens, goals, deal);
    guards::wanted_period(tokens, goals)?;
    let goals = guards::interest_only(tokens, goals, deal)?;
    guards::facts(tokens, &goals, deal)?;
    let sized =
        |goal: &Variable| *goal == Variable::MaxLoan || (*goal == Variable::Loan && limits(deal).len() > 1);
    if !goals.iter().any(sized)
        && let Some(found) = contradiction(&apart(deal.known()))
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
        periods::same_period(deal);
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
    periods::mixed(deal, &computed)?;
    guards::unused(deal, &mut computed, true)?;
    let actual = tokens
        .iter()
        .any(|token| matches!(token.word(), "actual/360" | "actual/365"));
    if actual && computed.steps.iter().any(|step| step.output == Variable::Payment) {
        computed
            .remarks
            .push("The level payment is fixed on equal months (30/360), as is usual.".to_owned());
    }
    computed.remarks.extend(deal.remarks.clone());
    carried(deal, &mut computed);
    Ok(computed)
}

/// While only interest is paid, the amortization to come does not contradict the payment.
fn apart(mut known: Known) -> Known {
    if known.contains_key(&Variable::InterestOnly) {
        known.remove(&Variable::AmortizationYears);
    }
    known
}

/// One goal over the graph, added to what is computed.
pub(crate) fn single(goal: Variable, deal: &Deal, computed: &mut Computed) -> Result<(), Ask> {
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
            guards::plausible(target, value)?;
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
        // A price is not asked for with a price.
        Plan::Missing(missing) if target == Variable::Value && missing == [Variable::Price] => Err(Ask {
            reasons: Vec::new(),
            missing: [Variable::Noi, Variable::CapRate]
                .into_iter()
                .filter(|input| !deal.values.contains_key(input))
                .collect(),
        }),
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
    // "How much can I borrow if I can afford 18,000 a month?": the payment is the limit.
    let paid = [Variable::Payment, Variable::DebtService];
    if limits.is_empty() && paid.iter().any(|paid| deal.values.contains_key(paid)) {
        return single(Variable::Loan, deal, computed);
    }
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
        // Each limit is tested by its own inputs: the loan that another one allows is none of them.
        match solve(&elimination::apart(&deal.known(), limit), proceeds) {
            Plan::Solved { value, steps } => {
                found.push((limit, proceeds, value));
                for step in steps {
                    if !computed.steps.iter().any(|known| known.output == step.output) {
                        computed.steps.push(step);
                    }
                }
            }
            // A loan is what is looked for: coverage needs its rate and amortization.
            Plan::Missing(missing) if missing.contains(&Variable::Loan) => {
                let terms = [Variable::Rate, Variable::AmortizationYears];
                ask.missing
                    .extend(terms.into_iter().filter(|term| !deal.values.contains_key(term)));
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
    computed.words.push((
        "binding_constraint",
        limit.word(),
        "The limit that allows the smallest loan.",
    ));
    Ok(())
}

/// Says which values come from the turn before.
pub(crate) fn carried(deal: &Deal, computed: &mut Computed) {
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
        computed.remarks.insert(
            0,
            format!("Taken from earlier in this thread: {}.", names.join(", ")),
        );
    }
}
