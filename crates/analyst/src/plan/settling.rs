//! Joins a reading with earlier turns into a deal: durations get their role, gaps are filled, and what
//! stays unclear becomes a doubt.
//!
//! Nothing is taken over silently: every value keeps its origin.

use crate::forms::words::Words;
use crate::lists::calendar;
use crate::plan::asides;
use crate::plan::completing;
use crate::plan::deal::{CONVENTION, Deal, EARLIER};
use crate::plan::elimination::eliminate;
use crate::plan::frame::Frame;
use crate::read::fitting;
use crate::read::given::{self, QUESTION, Reading, said};
use crate::read::terms::{self, Role};
use crate::words::asides::counts_only;
use crate::words::scan::{Shape, Token};
use finance::days::DayCount;
use finance::variable::{Unit, Variable};

/// Joins a reading with what the session knows. `goals` are the final goals.
pub(crate) fn settle(
    text: &str,
    tokens: &[Token],
    reading: &Reading,
    goals: &[Variable],
    earlier: Option<&Frame>,
) -> Deal {
    let mut deal = Deal {
        values: reading.values.clone(),
        doubts: reading.doubts.clone(),
        ..Deal::default()
    };
    let mut left: Vec<usize> = reading.left.clone();
    if let Some(frame) = earlier {
        replace_one(text, tokens, frame, &mut left, &mut deal);
    }
    if goals
        .iter()
        .any(|goal| matches!(goal, Variable::NetSale | Variable::GrossSale))
    {
        as_exit(tokens, reading, &mut deal);
    }
    let unclear = place_durations(text, tokens, reading, goals, &mut deal);
    if let Some(frame) = earlier {
        take_over(frame, goals, &mut deal);
    }
    left.extend(unclear);
    if let Some(frame) = earlier {
        replace_duration(text, tokens, frame, goals, &mut left, &mut deal);
    }
    eliminate(text, tokens, reading, goals, &mut left, &mut deal);
    asides::counts(text, tokens, goals, &mut left, &mut deal);
    left.retain(|at| !counts_only(tokens, *at));
    life(tokens, goals, &mut deal);
    completing::potential(goals, &mut deal);
    completing::costs(&mut deal);
    let unplaced: Vec<String> = left
        .iter()
        .map(|at| format!("“{}”", said(text, tokens, *at)))
        .collect();
    if !unplaced.is_empty() {
        let names: Vec<&str> = unplaced.iter().map(String::as_str).collect();
        deal.doubts.push(format!(
            "I could not tell what {} {} for. Please name each number, for instance “price 12.4m”.",
            names.join(" and "),
            if unplaced.len() == 1 { "stands" } else { "stand" },
        ));
    }
    for at in &reading.foreign {
        deal.doubts.push(format!(
            "I do not know how {} should enter the calculation.",
            said(text, tokens, *at)
        ));
    }
    deal
}

/// A bare value in a follow-up fills the one gap or replaces the one value of its kind.
fn replace_one(text: &str, tokens: &[Token], frame: &Frame, left: &mut Vec<usize>, deal: &mut Deal) {
    let [only] = left.as_slice() else { return };
    let Some(number) = tokens.get(*only).and_then(Token::number) else {
        return;
    };
    let fits = |variable: &Variable| fitting::fits(*variable, number) && !deal.values.contains_key(variable);
    let gaps: Vec<Variable> = frame
        .missing
        .iter()
        .copied()
        .filter(|variable| fits(variable))
        .collect();
    let kinds: Vec<Variable> = frame
        .values
        .iter()
        .map(|held| held.variable)
        .filter(|variable| fits(variable))
        .collect();
    // "What value gets me to 60%?" after an LTV: a wish for the figure that was asked for before.
    let wishes: Vec<Variable> = frame
        .goals
        .iter()
        .copied()
        .filter(|goal| goal.askable() && fits(goal) && !matches!(goal.unit(), Unit::Money))
        .collect();
    let kinds = match wishes.as_slice() {
        [_] if kinds.is_empty() => wishes,
        _ => kinds,
    };
    let target = match (gaps.as_slice(), kinds.as_slice()) {
        ([gap], _) => Some(*gap),
        ([], [kind]) => Some(*kind),
        _ => None,
    };
    let Some(variable) = target else {
        let among = if gaps.is_empty() { kinds } else { gaps };
        if among.len() > 1 {
            let names: Vec<&str> = among.iter().map(|variable| variable.label()).collect();
            deal.doubts.push(format!(
                "Is {} the {}?",
                said(text, tokens, *only),
                names.join(" or the ")
            ));
            left.clear();
        }
        return;
    };
    match given::convert(variable, number, number.per, said(text, tokens, *only)) {
        Ok((variable, given)) => {
            deal.values.insert(variable, given);
        }
        Err(doubt) => deal.doubts.push(doubt),
    }
    left.clear();
}

/// "and at 25 years?" replaces the one duration of the earlier turn.
fn replace_duration(
    text: &str,
    tokens: &[Token],
    frame: &Frame,
    goals: &[Variable],
    left: &mut Vec<usize>,
    deal: &mut Deal,
) {
    let [only] = left.as_slice() else { return };
    let Some(number) = tokens.get(*only).and_then(Token::number) else {
        return;
    };
    let years = match number.shape {
        Shape::Years => number.value,
        Shape::Months | Shape::Payments => number.value / 12.0,
        _ => return,
    };
    let kinds: Vec<Variable> = [
        Variable::AmortizationYears,
        Variable::HeldYears,
        Variable::IoYears,
    ]
    .into_iter()
    .filter(|kind| frame.missing.contains(kind) || frame.values.iter().any(|held| held.variable == *kind))
    .filter(|kind| *kind != Variable::HeldYears || goals.contains(&Variable::Balance))
    .collect();
    match kinds.as_slice() {
        [kind] => deal.set(*kind, years, QUESTION),
        [] => return,
        _ => {
            let names: Vec<&str> = kinds.iter().map(|kind| kind.label()).collect();
            deal.doubts.push(format!(
                "Is {} the {}?",
                said(text, tokens, *only),
                names.join(" or the ")
            ));
        }
    }
    left.clear();
}

/// Values of the earlier turn where this question gives none. A value that follows from the
/// replaced one must not come back: only given values are in a frame.
fn take_over(frame: &Frame, goals: &[Variable], deal: &mut Deal) {
    let mut window = deal.values.contains_key(&Variable::WindowFirst);
    for held in &frame.values {
        let of_window = matches!(held.variable, Variable::WindowFirst | Variable::WindowLast);
        // What this question asks for is computed, whatever it was before.
        if deal.values.contains_key(&held.variable) || (of_window && window) || goals.contains(&held.variable)
        {
            continue;
        }
        // A new debt service replaces the payment, and the other way round.
        let rival = match held.variable {
            Variable::DebtService => Some(Variable::Payment),
            Variable::Payment => Some(Variable::DebtService),
            Variable::AmortizationYears => Some(Variable::InterestOnly),
            Variable::InterestOnly => Some(Variable::AmortizationYears),
            _ => None,
        };
        if rival.is_some_and(|rival| {
            deal.values
                .get(&rival)
                .is_some_and(|given| given.origin == QUESTION)
        }) {
            continue;
        }
        let origin = if held.origin == QUESTION {
            EARLIER
        } else {
            &held.origin
        };
        deal.set(held.variable, held.value, origin);
        window = window && !of_window;
    }
}

/// In a question about a sale, the NOI and the cap rate are those of the exit.
fn as_exit(tokens: &[Token], reading: &Reading, deal: &mut Deal) {
    for (from, to) in [
        (Variable::Noi, Variable::ExitNoi),
        (Variable::CapRate, Variable::ExitCap),
    ] {
        if !deal.values.contains_key(&to)
            && let Some(given) = deal.values.remove(&from)
        {
            deal.values.insert(to, given);
        }
    }
    let years = |labelled: bool| {
        reading.durations.iter().find_map(|item| {
            let noi = (1..=2).any(|ahead| {
                tokens
                    .get(item.token + ahead)
                    .is_some_and(|token| matches!(token.word(), "noi" | "net" | "income"))
            });
            (noi == labelled).then_some(item.months / 12.0)
        })
    };
    match (years(true), years(false)) {
        (Some(noi), Some(sale)) if (noi - sale - 1.0).abs() > 1e-9 => deal.doubts.push(
            "The exit value rests on the NOI of the year after the sale; the years named do not fit that."
                .to_owned(),
        ),
        (Some(_), None) => {}
        (None, _) => {
            deal.remarks
                .push("The NOI is taken as that of the year after the sale.".to_owned());
        }
        _ => {}
    }
}

/// Gives each duration its role in this deal. Returns the tokens that have none yet.
fn place_durations(
    text: &str,
    tokens: &[Token],
    reading: &Reading,
    goals: &[Variable],
    deal: &mut Deal,
) -> Vec<usize> {
    let found = &reading.durations;
    let balance = goals.contains(&Variable::Balance);
    let windowed = goals
        .iter()
        .any(|goal| matches!(goal, Variable::InterestPaid | Variable::PrincipalPaid));
    let amortized = found.iter().any(|item| item.role == Role::Amortization);
    let repaid = goals.iter().any(|goal| {
        matches!(
            goal,
            Variable::Payment | Variable::DebtService | Variable::Rate | Variable::Loan | Variable::MaxLoan
        )
    });
    let spans = found.iter().filter(|item| item.role != Role::Label).count();
    let mut unclear = Vec::new();
    let window = if windowed {
        terms::window(tokens, found)
    } else {
        None
    };
    if let Some((first, last, _)) = &window {
        deal.set(Variable::WindowFirst, *first, QUESTION);
        deal.set(Variable::WindowLast, *last, QUESTION);
    }
    for item in found {
        if window
            .as_ref()
            .is_some_and(|(_, _, used)| used.contains(&item.token))
        {
            continue;
        }
        if goals
            .iter()
            .any(|goal| matches!(goal, Variable::NetSale | Variable::GrossSale))
        {
            continue;
        }
        let years = item.months / 12.0;
        let next = tokens.get(item.token + 1).map_or("", Token::word);
        // "The first one month after closing" is when payments begin anyway; the twelve payments of a year are its window.
        let arrears = repaid && item.months == 1.0 && matches!(next, "after" | "from");
        let of_year =
            window.is_some() && item.months == 12.0 && said(text, tokens, item.token).contains("payment");
        if arrears || of_year {
            continue;
        }
        let (variable, value) = match item.role {
            Role::InterestOnly => (Variable::IoYears, years),
            // "2.2m over 20 years at 7.1%: what do we pay each month?"
            Role::Unclear
                if repaid
                    && spans == 1
                    && (years >= 15.0 || (over(tokens, item.token) && (years >= 5.0 || in_full(tokens)))) =>
            {
                (Variable::AmortizationYears, years)
            }
            Role::Amortization => (Variable::AmortizationYears, years),
            Role::Elapsed if balance => (Variable::HeldYears, years),
            Role::Term if amortized && balance && !has(found, Role::Elapsed) => (Variable::HeldYears, years),
            // A term beside an amortization changes neither payment nor ratio.
            Role::Term if amortized || deal.values.contains_key(&Variable::AmortizationYears) => continue,
            Role::Term => {
                let io = has(found, Role::InterestOnly) || reading.interest_only;
                if years < 15.0 || io {
                    deal.doubts.push(format!(
                        "Is {} the amortization period, or only the loan's term?",
                        said(text, tokens, item.token)
                    ));
                }
                deal.remarks.push(format!(
                    "The {} are taken as the amortization period.",
                    years_text(years)
                ));
                (Variable::AmortizationYears, years)
            }
            Role::Label if balance => (Variable::HeldYears, years),
            Role::Label => {
                // "the payment in year 4" of a loan whose interest-only years are given says which payment.
                let which = has(found, Role::InterestOnly)
                    && goals.iter().any(|goal| {
                        matches!(goal, Variable::Payment | Variable::DebtService | Variable::Dscr)
                    });
                if !which && !harmless_label(tokens, item.token) {
                    unclear.push(item.token);
                }
                continue;
            }
            Role::Days => (Variable::Days, item.months),
            // "…, but the term is only five years": the other time of a balance.
            Role::Unclear
                if balance
                    && amortized
                    && spans == 2
                    && found
                        .iter()
                        .any(|other| other.role == Role::Amortization && other.months > item.months) =>
            {
                (Variable::HeldYears, years)
            }
            Role::Elapsed | Role::Unclear => {
                unclear.push(item.token);
                continue;
            }
        };
        if deal
            .values
            .get(&variable)
            .is_some_and(|other| (other.value - value).abs() > 1e-9)
        {
            deal.doubts.push(format!(
                "Two different values are given for the {}.",
                variable.label()
            ));
        }
        deal.set(variable, value, QUESTION);
    }
    if let Some(count) = reading.day_count
        && goals.contains(&Variable::Interest)
    {
        deal.set(Variable::DayYear, count.year(), QUESTION);
        deal.remarks.push(format!("Day count: {}.", count.label()));
        between(text, tokens, count, deal);
        if !deal.values.contains_key(&Variable::Days)
            && let Some((_, days)) = terms::month_days(tokens)
        {
            if count == DayCount::Thirty360 {
                deal.set(Variable::Days, 30.0, CONVENTION);
            } else if let Some(days) = days {
                deal.set(Variable::Days, days, CONVENTION);
            }
        }
    }
    if reading.interest_only && !deal.values.contains_key(&Variable::IoYears) && !amortized {
        deal.set(Variable::InterestOnly, 1.0, QUESTION);
    }
    unclear
}

/// "paid down fully", "in equal payments": nothing is left at the end.
fn in_full(tokens: &[Token]) -> bool {
    tokens
        .iter()
        .any(|token| matches!(token.word(), "fully" | "equal" | "level" | "repaid"))
}

/// "over 20 years".
fn over(tokens: &[Token], at: usize) -> bool {
    at.checked_sub(1)
        .and_then(|before| tokens.get(before))
        .is_some_and(|before| before.word() == "over")
}

/// "from 2/1/2026 to 3/1/2026": the days between two dates, in the day count.
fn between(text: &str, tokens: &[Token], count: DayCount, deal: &mut Deal) {
    let dates = calendar::dates(&Words { text, tokens });
    let [(_, from), (_, to)] = dates.as_slice() else {
        return;
    };
    let (Some(from), Some(to)) = (*from, *to) else {
        deal.doubts
            .push("I cannot read both dates. Please write them as 2026-02-01.".to_owned());
        return;
    };
    if to <= from || deal.values.contains_key(&Variable::Days) {
        deal.doubts
            .push("Please give the first day of the interest period and a later last one.".to_owned());
        return;
    }
    let days = count.days(from, to);
    deal.set(Variable::Days, days, QUESTION);
    deal.remarks
        .extend(calendar::order(&Words { text, tokens }).map(str::to_owned));
    deal.remarks.push(format!(
        "{days} days from {from} to {to}, the last day not counted."
    ));
}

/// Interest or principal "over the life of the loan": all payments of the amortization.
fn life(tokens: &[Token], goals: &[Variable], deal: &mut Deal) {
    let windowed = goals
        .iter()
        .any(|goal| matches!(goal, Variable::InterestPaid | Variable::PrincipalPaid));
    if windowed
        && !deal.values.contains_key(&Variable::WindowFirst)
        && whole_life(tokens)
        && let Some(years) = deal.known().get(&Variable::AmortizationYears).copied()
    {
        deal.set(Variable::WindowFirst, 1.0, CONVENTION);
        deal.set(Variable::WindowLast, (years * 12.0).round(), CONVENTION);
        deal.remarks.push("Over the whole amortization.".to_owned());
    }
}

/// "over the life of the loan".
fn whole_life(tokens: &[Token]) -> bool {
    tokens
        .windows(2)
        .any(|pair| matches!(pair, [a, b] if matches!((a.word(), b.word()), ("the" | "its" | "full" | "whole", "life") | ("entire", "term" | "loan" | "life") | ("whole" | "full", "term" | "schedule"))))
        || tokens.windows(3).any(|three| {
            matches!(three, [a, b, c] if a.word() == "over" && matches!(b.word(), "the" | "its") && c.word() == "term")
        })
        || tokens.iter().any(|token| token.word() == "lifetime")
}

fn has(found: &[terms::Duration], role: Role) -> bool {
    found.iter().any(|item| item.role == role)
}

fn years_text(years: f64) -> String {
    if years == 1.0 {
        "1 year".to_owned()
    } else {
        format!("{years} years")
    }
}

/// "year 1 NOI" labels an amount and changes nothing.
fn harmless_label(tokens: &[Token], at: usize) -> bool {
    let first = tokens
        .get(at)
        .and_then(Token::number)
        .is_some_and(|number| number.value <= 1.0);
    let exit = tokens
        .iter()
        .any(|token| matches!(token.word(), "exit" | "terminal" | "reversion"));
    first || exit
}
