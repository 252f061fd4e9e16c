//! What must be asked before or after computing: interest-only ambiguities, facts that end the question,
//! implausible results.
//!
//! Knows no phrasing of answers.

use crate::plan::deal::Deal;
use crate::plan::outcome::{Ask, Computed};
use crate::read::fitting;
use crate::read::given::QUESTION;
use crate::read::vocabulary;
use crate::say::format;
use crate::words::scan::{Per, Shape, Token};
use finance::fault::Fault;
use finance::variable::{Unit, Variable};

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
    ]) || (has(&[
        "step", "steps", "jump", "jumps", "reset", "resets", "convert", "converts",
    ]) && !has(&["before", "until", "first", "initial"]))
        || tokens
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if a.word().starts_with("amorti") && b.word() == "payment"));
    // "during the amortizing period" is after the other one.
    let repaying = (0..tokens.len()).any(|at| {
        let next = |ahead: usize| tokens.get(at + ahead).map_or("", Token::word);
        matches!(next(0), "during" | "while" | "in")
            && (1..=3).any(|ahead| {
                next(ahead).starts_with("amorti") && !matches!(next(ahead), "amortization" | "amortisation")
                    || matches!(
                        (next(ahead), next(ahead + 1)),
                        ("amortization" | "amortisation", "period" | "phase")
                    )
            })
    });
    let after = after || repaying;
    let during = has(&["during", "while"]) && !repaying;
    let both = has(&["later", "both", "each", "subsequent"]);
    if both
        && goals.contains(&IoPayment)
        && !goals.contains(&Payment)
        && !goals
            .iter()
            .any(|goal| matches!(goal, Variable::Dscr | Variable::DebtService))
    {
        goals.push(Payment);
        return Ok(goals);
    }
    let (after, during) = match labelled_year(tokens).zip(deal.known().get(&IoYears).copied()) {
        Some((year, io)) => (year > io, year <= io),
        None => (after, during),
    };
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
            // "The payment during the interest-only period and after it": both.
            (true, true) if goals.iter().all(|goal| matches!(goal, Payment | IoPayment)) => {
                goals = vec![Payment, IoPayment];
            }
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

/// "in year 4": the one year that is named, if only one is.
fn labelled_year(tokens: &[Token]) -> Option<f64> {
    let years: Vec<f64> = tokens
        .iter()
        .filter_map(Token::number)
        .filter_map(|number| match number.shape {
            Shape::YearLabel => Some(number.value),
            Shape::MonthLabel => Some(number.value / 12.0),
            _ => None,
        })
        .collect();
    match years.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

/// An annual figure that is wanted for a month or a quarter is another figure: nothing is answered for the year.
pub(crate) fn wanted_period(tokens: &[Token], goals: &[Variable]) -> Result<(), Ask> {
    let annual = goals
        .iter()
        .find(|goal| fitting::flow(**goal) && !matches!(goal, Variable::Payment | Variable::IoPayment));
    let Some(goal) = annual else { return Ok(()) };
    let shorter = vocabulary::mentions(tokens).iter().any(|mention| {
        let own = mention.variable == Some(*goal) && !mention.verb;
        let next = |ahead: usize| tokens.get(mention.to + ahead).map_or("", Token::word);
        let trails = matches!((next(0), next(1)), ("per" | "a" | "each" | "every", "month" | "quarter"));
        let valued = tokens.get(mention.to).is_some_and(|token| token.number().is_some());
        own && !valued && (trails || matches!(mention.period, Some(Per::Month | Per::Quarter)))
    }) || tokens.windows(3).any(|three| {
        matches!(three, [a, b, c] if a.word() == "for" && matches!(b.word(), "a" | "one" | "the") && matches!(c.word(), "quarter" | "month"))
    });
    if shorter {
        return Err(Ask::because(format!(
            "I work out the {} for a year. Should I give it for the year?",
            goal.label()
        )));
    }
    Ok(())
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
    let ahead = tokens.iter().any(|token| token.word() == "advance")
        || tokens.windows(2).any(
            |pair| matches!(pair, [a, b] if matches!(a.word(), "beginning" | "start") && b.word() == "of"),
        );
    if schedule && ahead {
        return Err(Ask::because(
            "I compute loans with payments at the end of each month only. Should I do so?",
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

/// Inputs that only ever change another figure: who gives one wants it counted.
pub(crate) fn modifies(variable: Variable) -> bool {
    use Variable::{
        BadDebt, BadDebtShare, CashConcession, CatchUpShare, ClosingCosts, ClosingShare, Commission,
        CommissionPsf, CommissionShare, Concessions, FloorShare, FreeMonths, GrowthRate, HurdleRate,
        Improvement, ImprovementPsf, LeaseLoss, NoiGrowth, OtherIncome, Payoff, PromoteShare, Recoveries,
        RentGrowth, Reserves, SaleCostShare, SellingCosts, SpreadOver, StepAmount, StepPsf, VacancyLoss,
        VacancyShare,
    };
    matches!(
        variable,
        BadDebt
            | BadDebtShare
            | CashConcession
            | CatchUpShare
            | ClosingCosts
            | ClosingShare
            | Commission
            | CommissionPsf
            | CommissionShare
            | Concessions
            | FloorShare
            | FreeMonths
            | GrowthRate
            | HurdleRate
            | Improvement
            | ImprovementPsf
            | LeaseLoss
            | NoiGrowth
            | OtherIncome
            | Payoff
            | PromoteShare
            | Recoveries
            | RentGrowth
            | Reserves
            | SaleCostShare
            | SellingCosts
            | SpreadOver
            | StepAmount
            | StepPsf
            | VacancyLoss
            | VacancyShare
    )
}

/// What the question gives and no step uses is never dropped in silence: an input that could only change the
/// answer is asked about, any other one is named beside it.
///
/// `name`: the others are named; a form, which turns inputs into others itself, does not.
pub(crate) fn unused(deal: &Deal, computed: &mut Computed, name: bool) -> Result<(), Ask> {
    let used = |variable: &Variable| {
        computed
            .headlines
            .iter()
            .any(|headline| headline.variable == *variable)
            || computed.steps.iter().any(|step| {
                step.output == *variable || step.inputs.iter().any(|(input, _)| input == variable)
            })
    };
    let left: Vec<(Variable, f64)> = deal
        .values
        .iter()
        .filter(|(variable, given)| {
            given.origin == QUESTION
                && given.value != 0.0
                && variable.unit() != Unit::Mark
                && (variable.askable() || modifies(**variable))
                && !used(variable)
        })
        .map(|(variable, given)| (*variable, given.value))
        .collect();
    // A form has a place for every amount that it takes: one without is another reading of the question.
    let stray = |variable: Variable| !name && matches!(variable.unit(), Unit::Money | Unit::MoneyPerArea);
    if let Some((variable, value)) = left
        .iter()
        .find(|(variable, _)| modifies(*variable) || stray(*variable))
    {
        let asked: Vec<&str> = computed
            .headlines
            .iter()
            .map(|headline| headline.variable.label())
            .collect();
        return Err(Ask::because(format!(
            "You give the {} ({}), but the {} as I would compute it does not use it. Should it enter, and how?",
            variable.label(),
            format::input(*variable, *value),
            asked.join(" and the "),
        )));
    }
    if name && !left.is_empty() {
        let names: Vec<String> = left
            .iter()
            .map(|(variable, value)| format!("{} ({})", variable.label(), format::input(*variable, *value)))
            .collect();
        computed
            .remarks
            .push(format!("Given, but not needed for this: {}.", names.join("; ")));
    }
    Ok(())
}

/// A ratio far outside what occurs is a sign of mixed units: ask rather than answer.
pub(crate) fn plausible(variable: Variable, value: f64) -> Result<(), Ask> {
    let worth = matches!(variable, Variable::Value | Variable::Price | Variable::GrossSale);
    if worth && value < 0.0 {
        return Err(Ask::because(
            "A property that loses money has no value by its income: a negative NOI cannot be capitalized. Please \
             give the stabilized NOI, or another way to value it.",
        ));
    }
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
