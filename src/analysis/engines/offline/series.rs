//! Answers about cash flows: IRR (all of them), NPV, modified IRR, equity multiple.
//!
//! Asks where a sign, a year or a rate is not said. Knows no graph.

use serde_json::json;

use crate::analysis::answer::{Figure, Input};
use crate::analysis::engine::{Brief, Draft};
use crate::analysis::engines::offline::compose;
use crate::analysis::engines::offline::deal::EARLIER;
use crate::analysis::engines::offline::format;
use crate::analysis::engines::offline::frame::{Frame, Held, Series};
use crate::analysis::engines::offline::given::{QUESTION, Reading};
use crate::analysis::engines::offline::goals;
use crate::analysis::engines::offline::memory;
use crate::analysis::engines::offline::outcome::Ask;
use crate::analysis::engines::offline::scan::{Per, Shape, Token};
use crate::analysis::engines::offline::schedule;
use crate::analysis::engines::offline::scope;
use crate::finance::fault::Fault;
use crate::finance::flows::{self, FirstFlow};
use crate::finance::variable::Variable;

/// Rates by their role, with origins.
type Rates = Vec<Held>;

/// One computed answer about the series.
struct Result_ {
    variable: Variable,
    value: serde_json::Value,
    shown: String,
    definition: String,
    formula: String,
}

/// The answer, if the question is about cash flows.
pub(crate) fn answer(
    brief: &Brief,
    tokens: &[Token],
    reading: &Reading,
    earlier: Option<&Frame>,
) -> Option<Draft> {
    let mut goals: Vec<Variable> = reading
        .goals
        .iter()
        .copied()
        .filter(|goal| of_series(*goal))
        .collect();
    let held = earlier.filter(|frame| frame.series.is_some());
    if goals.is_empty() {
        if !reading.goals.is_empty() {
            return None;
        }
        goals = held?.goals.clone();
        let numbers = tokens.iter().any(|token| token.number().is_some());
        let open = held.is_some_and(|frame| {
            !frame.missing.is_empty() || frame.series.as_ref().is_some_and(|series| series.unsigned)
        });
        if !numbers && !open {
            return None;
        }
        // A new question about something else altogether.
        let bare = reading.values.keys().all(|variable| {
            matches!(
                variable,
                Variable::DiscountRate | Variable::Rate | Variable::FinanceRate | Variable::ReinvestRate
            )
        });
        if !bare {
            return None;
        }
    } else if goals.len() < reading.goals.len() {
        return Some(compose::ask(
            &Ask::because("Please ask for the other figure separately."),
            &goals,
            &[],
        ));
    }
    if goals::change(tokens) {
        return Some(compose::ask(&Ask::because(scope::NEW_VALUE), &goals, &[]));
    }
    Some(settle(brief, tokens, reading, goals, held))
}

fn settle(
    brief: &Brief,
    tokens: &[Token],
    reading: &Reading,
    goals: Vec<Variable>,
    held: Option<&Frame>,
) -> Draft {
    let mut ask = Ask::default();
    let (mut rates, used) = rates(tokens, reading, &goals, &mut ask);
    let mut schedule = schedule::read(tokens, &used);
    let mut origin = QUESTION;
    if schedule.amounts == 0
        && let Some(frame) = held
        && let Some(series) = &frame.series
    {
        schedule.series = series.clone();
        schedule.doubts.clear();
        origin = EARLIER;
        for old in &frame.values {
            if !rates.iter().any(|rate| rate.variable == old.variable) {
                rates.push(Held {
                    origin: EARLIER.to_owned(),
                    ..old.clone()
                });
            }
        }
        confirm_sign(tokens, &mut schedule.series);
    }
    if schedule.amounts == 1
        && let Some(frame) = held.filter(|frame| frame.missing.contains(&Variable::Initial))
        && let Some(series) = &frame.series
        && let [paid] = schedule.series.flows.as_slice()
        && !series.late
        && *paid != 0.0
    {
        let mut flows = vec![-paid.abs()];
        flows.extend(series.flows.iter().copied());
        schedule.series = Series {
            flows,
            late: false,
            unsigned: false,
        };
        schedule.remarks.push(
            "The investment is taken at t = 0, one year before the first of the flows given before."
                .to_owned(),
        );
    }
    if schedule.amounts == 0 && schedule.series.flows.is_empty() {
        ask.missing.push(Variable::Flows);
    }
    // A multiple does not depend on when the money comes.
    if goals == [Variable::EquityMultiple] {
        schedule.doubts.retain(|doubt| !doubt.starts_with("You speak of"));
    }
    ask.reasons.extend(schedule.doubts.iter().cloned());
    let needed: &[Variable] = if goals.contains(&Variable::Mirr) {
        &[Variable::FinanceRate, Variable::ReinvestRate]
    } else if goals
        .iter()
        .any(|goal| matches!(goal, Variable::Npv | Variable::PresentValue))
    {
        &[Variable::DiscountRate]
    } else {
        &[]
    };
    let house = memory::house_values(brief, tokens, reading, &goals);
    for value in &house.values {
        if needed.contains(&value.variable) && !rates.iter().any(|known| known.variable == value.variable) {
            rates.push(Held {
                variable: value.variable,
                value: value.given.value,
                origin: value.given.origin.clone(),
            });
        }
    }
    ask.reasons.extend(house.doubts.iter().cloned());
    for rate in needed {
        if !rates.iter().any(|known| known.variable == *rate) {
            ask.missing.push(*rate);
        }
    }
    let inflows = schedule.series.flows.iter().all(|flow| *flow >= 0.0);
    if goals.contains(&Variable::Npv) && inflows && !schedule.series.late && !schedule.series.flows.is_empty()
    {
        schedule.series.unsigned = true;
    }
    if schedule.series.unsigned {
        ask.reasons
            .push("Is the first amount money you pay (an outflow)?".to_owned());
    }
    let mut results = Vec::new();
    if ask.reasons.is_empty() && ask.missing.is_empty() {
        for goal in &goals {
            match compute(*goal, &schedule.series, &rates) {
                Ok(result) => results.push(result),
                Err(fault) => {
                    ask.reasons.push(fault.sentence());
                    if fault == Fault::OneSign || matches!(fault, Fault::ZeroDenominator { .. }) {
                        ask.missing.push(Variable::Initial);
                    }
                }
            }
        }
    }
    ask.missing.dedup();
    let complete = ask.reasons.is_empty() && ask.missing.is_empty();
    let mut draft = if complete {
        write(&results, &schedule.series, &rates, origin, &schedule.remarks)
    } else {
        memory::ask_with_notes(brief, tokens, &ask, &goals, memory::SEND_IT).0
    };
    if draft.success {
        memory::credit(&house, &mut draft);
    }
    let series = (!schedule.series.flows.is_empty()).then_some(schedule.series);
    draft.frame = Frame {
        version: Frame::VERSION,
        goals,
        values: rates,
        series,
        offers: Vec::new(),
        missing: ask.missing,
    }
    .json();
    draft
}

/// "yes, an outflow" after the sign was asked for.
fn confirm_sign(tokens: &[Token], series: &mut Series) {
    let says = |words: &[&str]| tokens.iter().any(|token| words.contains(&token.word()));
    if series.unsigned
        && says(&[
            "yes",
            "outflow",
            "investment",
            "invested",
            "pay",
            "paid",
            "cost",
            "correct",
            "right",
        ])
        && !says(&["no", "not"])
    {
        if let Some(first) = series.flows.first_mut() {
            *first = -first.abs();
        }
        series.unsigned = false;
    }
}

/// The rates of the question, and the tokens they stand in.
fn rates(tokens: &[Token], reading: &Reading, goals: &[Variable], ask: &mut Ask) -> (Rates, Vec<usize>) {
    let mut found: Rates = Vec::new();
    let mut used = Vec::new();
    let modified = goals.contains(&Variable::Mirr);
    let discounts = goals
        .iter()
        .any(|goal| matches!(goal, Variable::Npv | Variable::PresentValue));
    for (at, token) in tokens.iter().enumerate() {
        let Some(number) = token.number() else { continue };
        let plain_rate = number.shape == Shape::Plain
            && reading.values.get(&Variable::DiscountRate).is_some_and(|given| {
                (given.value * 100.0 - number.value).abs() < 1e-9
                    || (given.value - number.value).abs() < 1e-12
            })
            && !tokens
                .iter()
                .any(|token| token.number().is_some_and(|other| other.shape == Shape::Percent));
        if number.shape != Shape::Percent && !plain_rate {
            continue;
        }
        used.push(at);
        if matches!(number.per, Some(Per::Month | Per::Quarter | Per::Other)) {
            ask.reasons.push("Please give the rate per year.".to_owned());
        }
        let variable = if modified {
            modified_role(tokens, at)
        } else {
            Some(Variable::DiscountRate).filter(|_| discounts)
        };
        let Some(variable) = variable else {
            ask.reasons
                .push("I could not tell what one of the percentages stands for.".to_owned());
            continue;
        };
        let sign = if number.sign == crate::analysis::engines::offline::scan::Sign::Minus {
            -1.0
        } else {
            1.0
        };
        let value = if number.shape == Shape::Percent || number.value >= 1.0 {
            number.value / 100.0
        } else {
            number.value
        };
        if found.iter().any(|known| known.variable == variable) {
            ask.reasons
                .push(format!("Two values are given for the {}.", variable.label()));
        }
        found.push(Held {
            variable,
            value: sign * value,
            origin: QUESTION.to_owned(),
        });
    }
    (found, used)
}

/// Which of the two rates of a modified IRR: by the words before both numbers or after both.
fn modified_role(tokens: &[Token], at: usize) -> Option<Variable> {
    let role = |word: &str| match word {
        _ if word.starts_with("reinvest") => Some(Variable::ReinvestRate),
        _ if word.starts_with("borrow") || word.starts_with("financ") => Some(Variable::FinanceRate),
        _ => None,
    };
    let stops = |token: &Token| token.number().is_some();
    let before = |at: usize| {
        (1..=6)
            .map_while(|back| at.checked_sub(back).and_then(|at| tokens.get(at)))
            .take_while(|token| !stops(token))
            .find_map(|token| role(token.word()))
    };
    let after = |at: usize| {
        (1..=3)
            .map_while(|ahead| tokens.get(at + ahead))
            .take_while(|token| !stops(token))
            .find_map(|token| role(token.word()))
    };
    let rates: Vec<usize> = (0..tokens.len())
        .filter(|at| {
            tokens
                .get(*at)
                .and_then(Token::number)
                .is_some_and(|number| number.shape == Shape::Percent)
        })
        .collect();
    let both = |roles: Vec<Option<Variable>>| match roles.as_slice() {
        [Some(one), Some(other)] => one != other,
        _ => false,
    };
    let all_before = both(rates.iter().map(|at| before(*at)).collect());
    let all_after = both(rates.iter().map(|at| after(*at)).collect());
    match (all_before, all_after) {
        (true, false) => before(at),
        (false, true) => after(at),
        // Both ways are complete: only if they agree.
        (true, true) => before(at).filter(|one| after(at) == Some(*one)),
        (false, false) => before(at).or_else(|| after(at)),
    }
}

fn compute(goal: Variable, series: &Series, rates: &Rates) -> Result<Result_, Fault> {
    let rate = |variable: Variable| {
        rates
            .iter()
            .find(|held| held.variable == variable)
            .map_or(0.0, |held| held.value)
    };
    let first = if series.late {
        FirstFlow::EndOfFirstPeriod
    } else {
        FirstFlow::Now
    };
    let timing = if series.late {
        "the first flow at the end of the first year (as Excel's NPV does)"
    } else {
        "the first flow at t = 0 (not discounted)"
    };
    let (variable, value, definition, formula) = match goal {
        Variable::Irr => {
            let roots = flows::irr_roots(&series.flows)?;
            if let [only] = roots.as_slice() {
                (Variable::Irr, *only, "IRR = the annual rate at which the net present value of the flows is zero.".to_owned(), "NPV(rate) = 0, all real roots searched: one found")
            } else {
                let shown: Vec<String> = roots.iter().map(|root| format::result(Variable::Irr, *root)).collect();
                let names: Vec<&str> = shown.iter().map(String::as_str).collect();
                return Ok(Result_ {
                    variable: Variable::IrrRoots,
                    value: json!(roots),
                    shown: compose::list(&names).replace(" and the ", " and ").replace(", the ", ", "),
                    definition: format!(
                        "The flows change sign more than once, so there are {} IRRs: each makes the net present value zero, and no single one is “the” IRR. Compare by NPV at your discount rate instead.",
                        roots.len()
                    ),
                    formula: "NPV(rate) = 0, all real roots".to_owned(),
                });
            }
        }
        Variable::Mirr => (
            Variable::Mirr,
            flows::mirr(&series.flows, rate(Variable::FinanceRate), rate(Variable::ReinvestRate))?,
            "MIRR = (future value of the inflows at the reinvestment rate ÷ present value of the outflows at the finance rate)^(1/n) − 1.".to_owned(),
            "(FV of inflows ÷ PV of outflows)^(1/n) − 1",
        ),
        Variable::EquityMultiple => (
            Variable::EquityMultiple,
            flows::equity_multiple(&series.flows)?,
            "Equity multiple = total distributions ÷ total contributions.".to_owned(),
            "sum of inflows ÷ sum of outflows",
        ),
        other => (
            other,
            flows::npv(rate(Variable::DiscountRate), &series.flows, first)?,
            format!("{} = sum of the flows, each divided by (1 + rate)^year, with {timing}.",
                if other == Variable::Npv { "NPV" } else { "Present value" }
            ),
            "Σ flow ÷ (1 + rate)^t",
        ),
    };
    Ok(Result_ {
        variable,
        value: json!(value),
        shown: format::result(variable, value),
        definition,
        formula: formula.to_owned(),
    })
}

fn write(results: &[Result_], series: &Series, rates: &Rates, origin: &str, remarks: &[String]) -> Draft {
    let mut draft = Draft {
        success: true,
        ..Draft::default()
    };
    let shown: Vec<String> = series.flows.iter().map(|flow| format::money(*flow)).collect();
    let listed = shown.join("; ");
    let mut inputs = vec![Input {
        name: Variable::Flows.word().to_owned(),
        value: json!(series.flows),
        unit: "USD".to_owned(),
        origin: origin.to_owned(),
    }];
    inputs.extend(rates.iter().map(|held| Input {
        name: held.variable.word().to_owned(),
        value: json!(held.value),
        unit: "percent".to_owned(),
        origin: held.origin.clone(),
    }));
    let mut said = Vec::new();
    let mut lines = vec![format!("Flows by year: {listed}.")];
    let mut result = String::new();
    for item in results {
        let several = item.variable == Variable::IrrRoots;
        said.push(if several {
            format!("There is more than one IRR: {}", item.shown)
        } else {
            format!("The {} is {}", item.variable.label(), item.shown)
        });
        lines.push(format!(
            "{} = {}: **{}**.",
            item.variable.label(),
            item.formula,
            item.shown
        ));
        result.push_str(&format!("**{}** {}\n\n", item.shown, item.variable.label()));
        draft.figures.push(Figure {
            name: item.variable.word().to_owned(),
            value: item.value.clone(),
            unit: if several {
                "list".to_owned()
            } else {
                item.variable.unit().word().to_owned()
            },
            period: None,
            as_of: None,
            definition: item.definition.clone(),
            inputs: inputs.clone(),
            subject: None,
        });
    }
    let definitions: Vec<&str> = results.iter().map(|item| item.definition.as_str()).collect();
    result.push_str("| Input | Value | From |\n|---|---|---|\n");
    let start = if series.late {
        "years 1, 2, …"
    } else {
        "years 0, 1, …"
    };
    result.push_str(&format!(
        "| cash flows ({start}) | {listed} | {} |\n",
        format::cell(compose::place(origin))
    ));
    for held in rates {
        let value = format::input(held.variable, held.value);
        result.push_str(&format!(
            "| {} | {value} | {} |\n",
            held.variable.label(),
            format::cell(compose::place(&held.origin))
        ));
    }
    result.push_str(&format!("\n{}\n", definitions.join(" ")));
    for remark in remarks {
        result.push_str(&format!("\n{remark}\n"));
        lines.push(remark.clone());
    }
    let said = said.join(". ");
    let first = definitions.first().copied().unwrap_or("");
    draft.quick_reply = format!("{said}. {first}");
    draft.summary = format!("{said}, from the flows {listed}. {}", definitions.join(" "));
    draft.result = result;
    draft.reasoning = compose::numbered(&lines);
    draft
}

/// Goals that the series reader owns.
fn of_series(goal: Variable) -> bool {
    matches!(
        goal,
        Variable::Irr | Variable::Npv | Variable::Mirr | Variable::EquityMultiple | Variable::PresentValue
    )
}
