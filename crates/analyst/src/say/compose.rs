//! Answers in words: quick reply, summary, Markdown result, numbered steps and figures.
//!
//! Writes only numbers that were given or computed. Knows no calculation.

use serde_json::json;

use crate::contract::brief::Tone;
use crate::contract::draft::Draft;
use crate::contract::draft::{Figure, Input, Missing};
use crate::plan::deal::{CONVENTION, Deal, EARLIER};
use crate::plan::outcome::{Ask, Computed, Headline};
use crate::read::given::{Given, QUESTION};
use crate::say::format;
use finance::graph::Step;
use finance::variable::{Unit, Variable};

/// The answer to computed goals.
pub(crate) fn answer(computed: &Computed, deal: &Deal, tone: Tone) -> Draft {
    let mut draft = Draft {
        success: true,
        ..Draft::default()
    };
    let inputs = given_inputs(computed, deal);
    for headline in &computed.headlines {
        push(&mut draft.figures, figure(headline, computed, deal));
    }
    for step in &computed.steps {
        let shown = !matches!(step.output, Variable::Payments | Variable::Paid);
        if shown
            && !computed
                .headlines
                .iter()
                .any(|headline| headline.variable == step.output)
        {
            let headline = Headline {
                variable: step.output,
                name: step.output.word(),
                value: step.value,
            };
            push(&mut draft.figures, figure(&headline, computed, deal));
        }
    }
    for (name, word, definition) in &computed.words {
        push(
            &mut draft.figures,
            Figure {
                name: (*name).to_owned(),
                value: json!(word),
                unit: "word".to_owned(),
                period: None,
                as_of: None,
                definition: (*definition).to_owned(),
                inputs: Vec::new(),
                subject: None,
            },
        );
    }
    let mut sentences: Vec<String> = Vec::new();
    let mut seen: Vec<Variable> = Vec::new();
    for headline in &computed.headlines {
        if !seen.contains(&headline.variable) {
            seen.push(headline.variable);
            sentences.push(format!(
                "The {} is {}",
                plain(headline),
                format::result(headline.variable, headline.value)
            ));
        }
    }
    let definition = definition(computed, computed.headlines.first());
    let said = sentences.join(". ");
    draft.quick_reply = match computed.remarks.first() {
        Some(remark) => format!("{}{said}. {remark}", opening(tone)),
        None => format!("{}{said}. {definition}", opening(tone)),
    };
    let from: Vec<String> = inputs
        .iter()
        .map(|(variable, value, _)| format!("{} {}", variable.label(), format::input(*variable, *value)))
        .collect();
    draft.summary = format!("{said}, from {}. {definition}", from.join(", "));
    let mut result = String::new();
    for variable in &seen {
        if let Some(headline) = computed
            .headlines
            .iter()
            .find(|headline| headline.variable == *variable)
        {
            result.push_str(&format!(
                "**{}** {}\n\n",
                format::result(*variable, headline.value),
                plain(headline)
            ));
        }
    }
    result.push_str("| Input | Value | From |\n|---|---|---|\n");
    for (variable, value, origin) in &inputs {
        let shown = format::input(*variable, *value);
        result.push_str(&format!(
            "| {} | {shown} | {} |\n",
            variable.label(),
            format::cell(place(origin))
        ));
    }
    result.push_str(&format!("\n{definition}\n"));
    for remark in &computed.remarks {
        result.push_str(&format!("\n{remark}\n"));
    }
    draft.result = result;
    draft.reasoning = reasoning(computed, deal);
    draft
}

fn push(figures: &mut Vec<Figure>, figure: Figure) {
    if !figures.iter().any(|known| known.name == figure.name) {
        figures.push(figure);
    }
}

fn plain(headline: &Headline) -> &'static str {
    if headline.name == Variable::CapRate.word() {
        "going-in cap rate"
    } else {
        headline.variable.label()
    }
}

pub(crate) fn opening(tone: Tone) -> &'static str {
    match tone {
        Tone::Friendly => "Sure! ",
        Tone::Funny => "Easy one: ",
        Tone::Professional | Tone::Authoritative | Tone::Consultative => "",
    }
}

fn definition(computed: &Computed, headline: Option<&Headline>) -> String {
    headline
        .and_then(|headline| {
            computed
                .steps
                .iter()
                .find(|step| step.output == headline.variable)
        })
        .map_or_else(String::new, |step| step.definition.to_owned())
}

/// Inputs that were given, in the order in which the steps use them.
fn given_inputs(computed: &Computed, deal: &Deal) -> Vec<(Variable, f64, String)> {
    let mut inputs: Vec<(Variable, f64, String)> = Vec::new();
    for (variable, value) in computed.steps.iter().flat_map(|step| step.inputs.iter()) {
        if variable.unit() == Unit::Mark || inputs.iter().any(|(known, ..)| known == variable) {
            continue;
        }
        // What nobody gave and counts for nothing says nothing.
        let nothing = |given: &Given| given.origin == CONVENTION && *value == 0.0;
        if let Some(given) = deal.values.get(variable).filter(|given| !nothing(given)) {
            inputs.push((*variable, *value, given.origin.clone()));
        }
    }
    inputs
}

fn figure(headline: &Headline, computed: &Computed, deal: &Deal) -> Figure {
    let step = computed
        .steps
        .iter()
        .find(|step| step.output == headline.variable);
    let inputs = step.map(|step| step_inputs(step, deal)).unwrap_or_default();
    Figure {
        name: headline.name.to_owned(),
        value: json!(headline.value),
        unit: headline.variable.unit().word().to_owned(),
        period: period(headline.variable).map(str::to_owned),
        as_of: None,
        definition: step.map_or_else(String::new, |step| step.definition.to_owned()),
        inputs,
        subject: None,
    }
}

fn period(variable: Variable) -> Option<&'static str> {
    match variable {
        Variable::Payment | Variable::IoPayment => Some("month"),
        Variable::DebtService | Variable::Noi | Variable::CashFlow | Variable::GrossRent | Variable::Opex => {
            Some("year")
        }
        _ => None,
    }
}

fn step_inputs(step: &Step, deal: &Deal) -> Vec<Input> {
    step.inputs
        .iter()
        .filter(|(variable, _)| variable.unit() != Unit::Mark)
        .map(|(variable, value)| Input {
            name: variable.word().to_owned(),
            value: json!(value),
            unit: variable.unit().word().to_owned(),
            origin: deal
                .values
                .get(variable)
                .map_or_else(|| "computed".to_owned(), |given| given.origin.clone()),
        })
        .collect()
}

fn reasoning(computed: &Computed, deal: &Deal) -> String {
    let mut lines: Vec<String> = Vec::new();
    let used: Vec<Variable> = computed
        .steps
        .iter()
        .flat_map(|step| step.inputs.iter().map(|(variable, _)| *variable))
        .collect();
    for (variable, given) in &deal.values {
        if used.contains(variable)
            && let Some(conversion) = &given.conversion
        {
            lines.push(format!(
                "{conversion} = {}.",
                format::input(*variable, given.value)
            ));
        }
    }
    for step in &computed.steps {
        let inputs: Vec<String> = step
            .inputs
            .iter()
            .filter(|(variable, _)| variable.unit() != Unit::Mark)
            .map(|(variable, value)| format!("{} = {}", variable.label(), format::input(*variable, *value)))
            .collect();
        let shown = format::input(step.output, step.value);
        lines.push(format!(
            "{} = {}, with {}: **{shown}**.",
            step.output.label(),
            step.formula,
            inputs.join(", ")
        ));
    }
    lines.extend(computed.remarks.iter().cloned());
    numbered(&lines)
}

pub(crate) fn numbered(lines: &[String]) -> String {
    lines
        .iter()
        .enumerate()
        .map(|(at, line)| format!("{}. {line}", at + 1))
        .collect::<Vec<_>>()
        .join("\n")
}

/// A draft that asks for what is missing, or says why there is no number.
pub(crate) fn ask(ask: &Ask, goals: &[Variable], suggestions: &[String]) -> Draft {
    let mut sentences: Vec<String> = Vec::new();
    for reason in &ask.reasons {
        if !sentences.contains(reason) {
            sentences.push(reason.clone());
        }
    }
    if !ask.missing.is_empty() {
        let names: Vec<&str> = ask.missing.iter().map(|variable| variable.label()).collect();
        let goal = goals
            .first()
            .map_or_else(|| "that".to_owned(), |goal| format!("the {}", goal.label()));
        sentences.push(format!("For {goal}, please tell me the {}.", list(&names)));
    }
    sentences.extend(suggestions.iter().cloned());
    let text = sentences.join(" ");
    Draft {
        quick_reply: text.clone(),
        summary: text.clone(),
        result: text,
        reasoning: String::new(),
        success: false,
        missing: ask
            .missing
            .iter()
            .map(|variable| Missing {
                name: variable.word().to_owned(),
                label: variable.label().to_owned(),
            })
            .collect(),
        ..Draft::default()
    }
}

/// Where a value comes from, in words for people; the figures keep the plain word.
pub(crate) fn place(origin: &str) -> &str {
    match origin {
        QUESTION => "your question",
        EARLIER => "earlier in this thread",
        other => other,
    }
}

/// "a", "a and b", "a, b and c".
pub(crate) fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [rest @ .., last] => format!("{} and the {last}", rest.join(", the ")),
    }
}

/// A draft with one text and no number of its own.
pub(crate) fn plain_text(text: &str) -> Draft {
    Draft {
        quick_reply: text.to_owned(),
        summary: text.to_owned(),
        result: text.to_owned(),
        ..Draft::default()
    }
}
