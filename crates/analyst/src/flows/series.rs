//! Answers about cash flows: IRR (all of them), NPV, modified IRR, equity multiple.
//!
//! Asks where a sign, a year or a rate is not said. Knows no graph.

use serde_json::json;

use crate::contract::brief::Brief;
use crate::contract::draft::Draft;
use crate::contract::draft::{Figure, Input};
use crate::flows::amounts::Schedule;
use crate::flows::asked::{self, asked_phrase, beside_rates};
use crate::flows::course::{Course, course};
use crate::flows::cues::in_and_out;
use crate::flows::discounting::{Rates, growth, rates};
use crate::flows::followed::{changed, confirm_sign};
use crate::flows::measures::{Result_, compute};
use crate::flows::parts::parts;
use crate::flows::sides::Side;
use crate::flows::when::Moment;
use crate::flows::{denied, schedule, slipped};
use crate::notes::memory;
use crate::plan::deal::EARLIER;
use crate::plan::frame::{Frame, Held, Series};
use crate::plan::outcome::Ask;
use crate::read::changes;
use crate::read::given::{QUESTION, Reading};
use crate::say::compose;
use crate::say::format;
use crate::say::scope;
use crate::words::scan::{Sign, Token};
use finance::fault::Fault;
use finance::variable::Variable;

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
    let laid = lay(tokens, reading, &goals);
    if let Some(draft) = denied::refused(tokens, &goals) {
        return Some(draft);
    }
    if changes::told(tokens) && !stands(&laid) {
        return Some(compose::ask(&Ask::because(scope::NEW_VALUE), &goals, &[]));
    }
    Some(settle(brief, tokens, reading, goals, held, laid))
}

/// The flows of the question on their time line, and whether they are one plain list.
fn lay(tokens: &[Token], reading: &Reading, goals: &[Variable]) -> (Course, bool) {
    let (_, used) = rates(tokens, reading, goals, &mut Ask::default());
    // What is asked, and rates by name, say nothing of a payment.
    let masked: Vec<usize> = reading
        .mentions
        .iter()
        .filter(|mention| {
            mention.variable.is_some_and(|variable| {
                of_series(variable)
                    || matches!(
                        variable,
                        Variable::DiscountRate
                            | Variable::FinanceRate
                            | Variable::ReinvestRate
                            | Variable::Rate
                    )
            })
        })
        .flat_map(|mention| asked_phrase(tokens, mention))
        .chain(beside_rates(tokens, &used, goals))
        .chain(asked::multiplied(tokens))
        .chain(slipped::told(tokens).into_iter().flat_map(|(_, words)| words))
        .collect();
    let parts = parts(tokens, &used, &growth(tokens), &masked);
    let written = parts
        .parts
        .iter()
        .any(|part| matches!(part.sign, Sign::Minus | Sign::Brackets));
    let plain = parts.parts.iter().skip(1).all(|part| part.joint.list)
        && parts
            .parts
            .iter()
            .all(|part| (written || part.sides.iter().all(|side| !side.strong())) && part.moments.is_empty());
    let mut parts = parts;
    // "The NPV of a 60k project that saves 14k a year": what brings the receipts costs the amount before them.
    let brings = parts.parts.get(1).is_some_and(|next| {
        (next.per.is_some() || next.moments.iter().any(|(moment, _)| *moment == Moment::Each))
            && next.sides.contains(&Side::Receive)
    });
    if goals.contains(&Variable::Npv)
        && parts.parts.len() == 2
        && brings
        && let Some(first) = parts.parts.first_mut().filter(|first| {
            first.sides.is_empty() && first.moments.is_empty() && first.per.is_none() && first.times.is_none()
        })
    {
        first.sides.push(Side::Acquire);
    }
    let mut timed = course(&parts, false);
    // "the NPV of a 300k project that brings 48k a year": an amount that nothing is said of is hardly a receipt.
    let silent = parts.parts.first().is_some_and(|first| {
        first.sides.is_empty() && first.moments.is_empty() && first.per.is_none() && first.times.is_none()
    });
    let streams = parts
        .parts
        .iter()
        .skip(1)
        .any(|part| part.per.is_some() || part.times.is_some());
    let received = timed.series.flows.iter().all(|flow| *flow >= 0.0);
    if goals.contains(&Variable::Npv) && silent && streams && received && !plain {
        timed
            .doubts
            .push("Is the first amount money you pay (an outflow)?".to_owned());
    }
    // "First flow a year from now": the row begins at the end of the first year.
    let row = parts.parts.first().is_some_and(|first| first.moments.is_empty());
    timed.series.late |= row && tokens.iter().any(|token| token.word() == "excel");
    // A multiple needs no times; with them a later question can use the flows.
    if goals == [Variable::EquityMultiple] && !timed.doubts.is_empty() {
        return (course(&parts, true), plain);
    }
    (timed, plain)
}

/// The reading has both sides, or times that make it whole.
fn stands(laid: &(Course, bool)) -> bool {
    let (course, plain) = laid;
    let out = course.series.flows.iter().any(|flow| *flow < 0.0);
    course.doubts.is_empty() && !course.series.flows.is_empty() && (out || !plain)
}

/// Whether the question tells a whole series of flows, so that words of other fields in it do not matter.
pub(crate) fn tells(tokens: &[Token], reading: &Reading) -> bool {
    let goals: Vec<Variable> = reading
        .goals
        .iter()
        .copied()
        .filter(|goal| of_series(*goal))
        .collect();
    !goals.is_empty() && goals.len() == reading.goals.len() && stands(&lay(tokens, reading, &goals))
}

fn settle(
    brief: &Brief,
    tokens: &[Token],
    reading: &Reading,
    goals: Vec<Variable>,
    held: Option<&Frame>,
    laid: (Course, bool),
) -> Draft {
    let mut ask = Ask::default();
    let (mut rates, used) = rates(tokens, reading, &goals, &mut ask);
    let mut schedule = schedule::read(tokens, &used, goals == [Variable::EquityMultiple]);
    // One plain list has its own questions: whether it begins today, and which of it is paid.
    let sides = schedule
        .doubts
        .iter()
        .all(|doubt| doubt.starts_with("Which of the amounts"));
    // A plain list of months, or one whose last flow slips, is laid out with its times.
    let slip = slipped::told(tokens).map(|(years, _)| years);
    let own = (laid.0.series.per_year > 1 && asked::told(tokens)) || slip.is_some();
    let settled = laid.1 && (schedule.doubts.is_empty() || !sides) && !(own && stands(&laid));
    if !settled && (stands(&laid) || !(laid.1 || laid.0.doubts.is_empty())) {
        schedule = Schedule {
            series: laid.0.series,
            doubts: laid.0.doubts,
            remarks: laid.0.remarks,
            sums: laid.0.sums,
            ..schedule
        };
    }
    if let Some(years) = slip.filter(|_| schedule.doubts.is_empty()) {
        slipped::shift(&mut schedule, years);
    }
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
            per_year: series.per_year,
            gross: None,
        };
        schedule.remarks.push(
            "The investment is taken at t = 0, one year before the first of the flows given before."
                .to_owned(),
        );
    }
    if schedule.amounts == 1
        && reading.goals.is_empty()
        && let Some(frame) = held.filter(|frame| !frame.missing.contains(&Variable::Initial))
        && let Some(series) = frame
            .series
            .as_ref()
            .and_then(|series| changed(tokens, series, &schedule.series.flows))
    {
        schedule.series = series;
        schedule.doubts.clear();
        schedule.remarks.clear();
        ask.reasons.clear();
        for old in &frame.values {
            if !rates.iter().any(|rate| rate.variable == old.variable) {
                rates.push(Held {
                    origin: EARLIER.to_owned(),
                    ..old.clone()
                });
            }
        }
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
    let timed = goals
        .iter()
        .any(|goal| !matches!(goal, Variable::Irr | Variable::EquityMultiple));
    if schedule.series.per_year > 1 && timed {
        ask.reasons
            .push("I handle annual flows only for that; please give them per year.".to_owned());
    }
    if in_and_out(tokens) {
        ask.reasons
            .push("Is “in” what you put in, or what comes in to you?".to_owned());
    }
    if schedule.series.unsigned {
        ask.reasons
            .push("Is the first amount money you pay (an outflow)?".to_owned());
    }
    let mut results = Vec::new();
    if ask.reasons.is_empty() && ask.missing.is_empty() {
        for goal in &goals {
            match compute(*goal, &schedule.series, &rates, asked::quoted(tokens)) {
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
    // Sums without their years are no flows for a later question.
    let series = (!schedule.series.flows.is_empty() && !schedule.sums).then_some(schedule.series);
    draft.frame = Frame {
        version: Frame::VERSION,
        goals,
        values: rates,
        series,
        offers: Vec::new(),
        missing: ask.missing,
        form: None,
    }
    .json();
    draft
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
