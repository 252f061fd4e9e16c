//! Answers questions that have a form: reads, settles, computes over the graph, and phrases; or asks for
//! exactly what is missing.
//!
//! A follow-up keeps the form and the values of the turn before and changes what it names.

use crate::contract::brief::Brief;
use crate::contract::draft::Draft;
use crate::forms::catalogue::FORMS;
use crate::forms::exclusions;
use crate::forms::fit::fit;
use crate::forms::form::{Form, Sheet, given};
use crate::forms::reading;
use crate::forms::words::Words;
use crate::plan::calculate::{carried, single};
use crate::plan::conditions;
use crate::plan::deal::EARLIER;
use crate::plan::frame::Frame;
use crate::plan::guards;
use crate::plan::outcome::{Ask, Computed};
use crate::read::given::QUESTION;
use crate::read::given::Reading;
use crate::say::compose;
use crate::words::asides::counts_only;
use crate::words::scan::{Shape, Token};
use finance::graph::contradiction;
use finance::variable::Variable;

/// The answer, if the question has a form or continues one.
pub(crate) fn answer(
    brief: &Brief,
    tokens: &[Token],
    reading: &Reading,
    earlier: Option<&Frame>,
) -> Option<Draft> {
    let words = Words {
        text: &brief.question,
        tokens,
    };
    if words.has(FILES) || tokens.len() > MOST_TOKENS {
        return None;
    }
    let held = earlier.filter(|frame| frame.form.is_some());
    // Without a number the question is about something else: a property, a note, a meaning.
    let numbers = words.numbers().any(|at| {
        words
            .number(at)
            .is_some_and(|number| number.shape != Shape::Calendar)
    });
    let own = FORMS.iter().find(|form| numbers && (form.is)(&words));
    let (form, before) = match (own, held) {
        (Some(form), Some(frame)) => (
            form,
            Some(frame).filter(|_| frame.form.as_deref() == Some(form.name)),
        ),
        (Some(form), None) => (form, None),
        (None, Some(frame)) => {
            let form = FORMS
                .iter()
                .find(|form| frame.form.as_deref() == Some(form.name))?;
            let fills = !frame.missing.is_empty() && tokens.len() <= 10 && reading.goals.is_empty();
            if !fills && !continues(form, &words, reading) {
                return None;
            }
            (form, Some(frame))
        }
        (None, None) => return None,
    };
    // A whole question of its own owes nothing to the turn before.
    let alone = solve(form, &words, None);
    let (sheet, outcome) = match (alone, before) {
        ((_, Err(_)), Some(frame)) => solve(form, &words, Some(frame)),
        ((_, Ok(_)), Some(frame)) if own.is_none() => solve(form, &words, Some(frame)),
        (alone, _) => alone,
    };
    let missing = outcome.as_ref().err().map(|ask| ask.missing.clone());
    let mut draft = match (&sheet.fact, &outcome) {
        (Some(fact), _) => compose::plain_text(fact),
        (None, Ok(computed)) => compose::answer(computed, &sheet.deal, brief.tone),
        (None, Err(ask)) => compose::ask(ask, &sheet.goals, &[]),
    };
    draft.frame = Frame {
        version: Frame::VERSION,
        goals: sheet.goals.clone(),
        values: sheet.deal.held(),
        missing: missing.unwrap_or_default(),
        form: Some(form.name.to_owned()),
        ..Frame::default()
    }
    .json();
    Some(draft)
}

/// Questions of these families are a few sentences long.
const MOST_TOKENS: usize = 250;

/// Whoever speaks of a file means its numbers.
const FILES: &[&str] = &[
    "attached",
    "attachment",
    "attachments",
    "file",
    "files",
    "csv",
    "xlsx",
    "pdf",
    "upload",
    "uploaded",
    "spreadsheet",
];

/// "and at 7%?", "what if the hold is ten years", "and the depreciation of year 2".
fn continues(form: &Form, words: &Words, reading: &Reading) -> bool {
    if words.tokens.len() > 18 || words.has(&["building", "property"]) {
        return false;
    }
    let numbers = words.numbers().next().is_some();
    let foreign = reading
        .goals
        .iter()
        .any(|goal| !form.goals.iter().chain(form.inputs).any(|(own, _)| own == goal));
    let named = reading::names_anything(form, words);
    let leans = matches!(
        words.word(0),
        "and"
            | "at"
            | "with"
            | "what"
            | "how"
            | "now"
            | "then"
            | "but"
            | "make"
            | "if"
            | "use"
            | "same"
            | "instead"
            | "over"
            | "for"
            | "using"
            | "ok"
            | "okay"
            | "so"
    );
    !foreign && ((numbers && (leans || words.tokens.len() <= 6)) || (named && leans))
}

fn solve(form: &Form, words: &Words, before: Option<&Frame>) -> (Sheet, Result<Computed, Ask>) {
    let left_out = exclusions::read(form, words);
    let words = &Words {
        text: words.text,
        tokens: &left_out.tokens,
    };
    let mut sheet = reading::read(form, words);
    if let Some(frame) = before {
        take_over(form, words, frame, &mut sheet);
    }
    exclusions::apply(&left_out.variables, &mut sheet);
    (form.settle)(words, &mut sheet);
    let outcome = compute(words, &mut sheet);
    (sheet, outcome)
}

/// Values of the turn before where this one gives none. A number without a name replaces the one value
/// of its kind.
fn take_over(form: &Form, words: &Words, frame: &Frame, sheet: &mut Sheet) {
    if let [only] = sheet.left.as_slice()
        && let Some(number) = words.number(*only)
    {
        let only = *only;
        let known = frame.values.iter().map(|held| held.variable);
        let kinds: Vec<_> = frame
            .missing
            .iter()
            .copied()
            .chain(known)
            .filter(|variable| !sheet.has(*variable))
            .filter_map(|variable| fit(variable, number, Some("")).map(|value| (variable, value)))
            .collect();
        let gaps: Vec<_> = kinds
            .iter()
            .filter(|(variable, _)| frame.missing.contains(variable))
            .collect();
        match (gaps.as_slice(), kinds.as_slice()) {
            ([(variable, value)], _) | ([], [(variable, value)]) => {
                sheet.deal.values.insert(*variable, given(*value));
                sheet.take(only);
            }
            ([], []) => {}
            _ => {
                let mut names: Vec<&str> = kinds.iter().map(|(variable, _)| variable.label()).collect();
                names.dedup();
                sheet.doubt(format!(
                    "Is “{}” the {}?",
                    words.said(only),
                    names.join(" or the ")
                ));
                sheet.take(only);
            }
        }
    }
    let asked = form.goals.iter().any(|(goal, phrases)| {
        sheet.goals.contains(goal) && phrases.iter().any(|phrase| words.find(phrase).is_some())
    });
    if !asked {
        sheet.goals.clone_from(&frame.goals);
    }
    for old in &frame.values {
        let replaced = sheet.has(old.variable) || sheet.goals.contains(&old.variable);
        // Two ways to say the same quantity: the new one counts.
        let rival = form.inputs.iter().any(|(variable, phrases)| {
            *variable != old.variable
                && sheet
                    .deal
                    .values
                    .get(variable)
                    .is_some_and(|given| given.origin == QUESTION)
                && form.inputs.iter().any(|(own, same)| {
                    *own == old.variable && same.iter().any(|phrase| phrases.contains(phrase))
                })
        });
        if !replaced && !rival {
            let origin = if old.origin == QUESTION {
                EARLIER
            } else {
                &old.origin
            };
            sheet.deal.set(old.variable, old.value, origin);
        }
    }
}

fn compute(words: &Words, sheet: &mut Sheet) -> Result<Computed, Ask> {
    // Exchanges read these words themselves.
    let reads = sheet.wants(Variable::RecognizedGain) || sheet.wants(Variable::DeferredGain);
    if let Some(phrase) = conditions::part_of_amount(words.tokens)
        .filter(|phrase| !reads && matches!(*phrase, "waived" | "offset"))
    {
        sheet.doubt(conditions::ask(phrase));
    }
    let left: Vec<String> = sheet
        .left
        .iter()
        .filter(|at| !counts_only(words.tokens, **at))
        // "zero distributions so far": there are none.
        .filter(|at| {
            let none = words
                .number(**at)
                .is_some_and(|number| number.value == 0.0 && number.spelled);
            !none || words.word(**at + 1).is_empty()
        })
        .map(|at| format!("“{}”", words.said(*at)))
        .collect();
    match left.as_slice() {
        [] => {}
        [only] => sheet.doubt(format!(
            "I could not tell what {only} stands for here. Please name each number."
        )),
        [rest @ .., last] => sheet.doubt(format!(
            "I could not tell what {} and {last} stand for here. Please name each number.",
            rest.join(", ")
        )),
    }
    let mut ask = Ask {
        reasons: sheet.deal.doubts.clone(),
        missing: sheet.deal.missing.clone(),
    };
    if !ask.reasons.is_empty() || !ask.missing.is_empty() {
        return Err(ask);
    }
    if let Some(found) = contradiction(&sheet.deal.known()) {
        return Err(Ask::because(format!(
            "The figures given do not agree: the {} follows from the others with another value ({}). Which of them \
             should I use?",
            found.variable.label(),
            found.formula,
        )));
    }
    let mut computed = Computed::default();
    for goal in &sheet.goals {
        if let Err(reason) = single(*goal, &sheet.deal, &mut computed) {
            ask.reasons.extend(reason.reasons);
            for variable in reason.missing {
                if !ask.missing.contains(&variable) {
                    ask.missing.push(variable);
                }
            }
        }
    }
    if !ask.reasons.is_empty() || !ask.missing.is_empty() {
        return Err(ask);
    }
    guards::unused(&sheet.deal, &mut computed, false)?;
    for headline in &mut computed.headlines {
        if let Some((_, name)) = sheet
            .names
            .iter()
            .find(|(variable, _)| *variable == headline.variable)
        {
            headline.name = name;
        }
    }
    computed.remarks.extend(sheet.deal.remarks.clone());
    carried(&sheet.deal, &mut computed);
    Ok(computed)
}
