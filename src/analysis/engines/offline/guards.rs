//! What must be asked before or after computing: interest-only ambiguities, facts that end the question,
//! implausible results, mixed periods.
//!
//! Knows no phrasing of answers.

use crate::analysis::engines::offline::deal::Deal;
use crate::analysis::engines::offline::fitting;
use crate::analysis::engines::offline::given::QUESTION;
use crate::analysis::engines::offline::outcome::{Ask, Computed};
use crate::analysis::engines::offline::scan::{Per, Token};
use crate::finance::fault::Fault;
use crate::finance::variable::Variable;

/// Decides which payment an interest-only loan is asked about.
pub(crate) fn interest_only(
    tokens: &[Token],
    goals: &[Variable],
    deal: &mut Deal,
) -> Result<Vec<Variable>, Ask> {
    use Variable::{AmortizationYears, Balance, InterestOnly, IoPayment, IoYears, Payment};
    let mut goals = goals.to_vec();
    let years = deal.values.contains_key(&IoYears);
    if !years && tokens.iter().any(|token| token.word() == "partial") {
        return Err(Ask::because("For how many years is the loan interest-only?"));
    }
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
pub(crate) fn facts(tokens: &[Token], goals: &[Variable], deal: &Deal) -> Result<(), Ask> {
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
    let schedule = goals.iter().any(|goal| {
        matches!(
            goal,
            Variable::Payment
                | Variable::Balance
                | Variable::InterestPaid
                | Variable::PrincipalPaid
                | Variable::Constant
        )
    });
    if schedule
        && tokens
            .iter()
            .any(|token| matches!(token.word(), "quarterly" | "yearly" | "weekly" | "quarter"))
    {
        return Err(Ask::because(
            "I compute loans with monthly payments only. Should I do so?",
        ));
    }
    day_count(tokens, goals, deal)?;
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

/// With actual days a month's interest is not a twelfth of the year's: a schedule would be another one.
fn day_count(tokens: &[Token], goals: &[Variable], deal: &Deal) -> Result<(), Ask> {
    let actual = tokens
        .iter()
        .any(|token| matches!(token.word(), "actual/360" | "actual/365"));
    let schedule = goals.iter().any(|goal| {
        matches!(
            goal,
            Variable::Balance
                | Variable::InterestPaid
                | Variable::PrincipalPaid
                | Variable::IoPayment
                | Variable::AmortizationYears
                | Variable::Payments
                | Variable::Rate
        )
    });
    let interest_only =
        deal.values.contains_key(&Variable::InterestOnly) && !goals.contains(&Variable::Interest);
    if actual && (schedule || interest_only) {
        return Err(Ask::because(
            "With an actual-day count each month has its own interest, and I do not work out such a schedule yet. \
             Please ask again with equal months (30/360) if that will do.",
        ));
    }
    Ok(())
}

/// A ratio far outside what occurs is a sign of mixed units: ask rather than answer.
pub(crate) fn plausible(variable: Variable, value: f64) -> Result<(), Ask> {
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

/// Rent collected without a period is for the period of the potential rent, and the other way round.
pub(crate) fn same_period(deal: &mut Deal) {
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
pub(crate) fn periods(deal: &mut Deal, computed: &Computed) -> Result<(), Ask> {
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
                && fitting::flow(**variable)
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
