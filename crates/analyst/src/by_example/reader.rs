//! Reads a question by the examples: which intent it has, and which of its numbers fills which slot.
//!
//! What it says is a question in known words, with how sure it is; whether that has an answer, the calculations decide.

use crate::by_example::features::{Signs, after, ordinal, period};
use crate::by_example::model::{IDLE, Intent, Kind, Model, Part};
use crate::by_example::telling::{self, Filled};
use crate::words::numbers;
use crate::words::scan::{Number, Shape, Sign, Token};

/// How many readings of the numbers are followed at once.
const BEAM: usize = 12;
/// How many intents are looked at.
const INTENTS: usize = 6;
/// How many readings are told.
const READINGS: usize = 4;
/// A question with more numbers is none of these.
const MOST_NUMBERS: usize = 24;

/// A question in known words.
#[derive(Clone, Debug)]
pub struct Read {
    pub question: String,
    /// The figure that its answer has to begin with.
    pub figure: String,
    /// Between nothing and one.
    pub sure: f32,
    /// How likely the least likely role is.
    pub least: f32,
    /// Share of the words that the examples have.
    pub known: f32,
    /// Numbers that are no input.
    pub idle: usize,
    /// Words that no example of the intent has, each with its stem.
    pub strange: Vec<(String, String)>,
}

/// A question as it is looked at.
struct Looked<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    signs: Signs,
    /// Of each number the features that some example has, and the name of what stands before it.
    amounts: Vec<(Vec<u32>, Vec<String>)>,
    /// For each number the shares of the roles that it may have anywhere.
    anywhere: Vec<Vec<(usize, f32)>>,
}

struct Path {
    roles: Vec<usize>,
    likely: f32,
    least: f32,
}

struct Reading {
    question: String,
    intent: usize,
    joint: f32,
    least: f32,
    idle: usize,
}

/// The likeliest readings of a question, the best first.
pub fn read(model: &Model, text: &str) -> Vec<Read> {
    let Some(looked) = look(model, text) else {
        return Vec::new();
    };
    let classes: Vec<&'static str> = (0..looked.signs.amounts.len())
        .map(|amount| looked.signs.class(amount))
        .collect();
    let features = model.known(&looked.signs.of_question());
    let mut ranked = ranked(model, &features, &model.fitting(&classes));
    ranked.sort_by(|one, two| two.1.total_cmp(&one.1));
    let parts_of_year = looked.signs.parts_of_year(&looked.tokens);
    let mut readings: Vec<Reading> = Vec::new();
    let mut whole = 0.0;
    for (at, share) in ranked.into_iter().take(INTENTS) {
        let Some(intent) = model.intents.get(at) else {
            whole += share;
            continue;
        };
        // "NOI of 1.2m" is none of a month where each example says that it is.
        let spoken = |part: &String| parts_of_year.contains(&part.as_str());
        if !intent.parts_of_year.iter().all(spoken) {
            continue;
        }
        let share = share * room(intent, &looked);
        for path in fillings(model, at, intent, &looked) {
            let joint = share * path.likely;
            whole += joint;
            let Some(question) = telling::told(&intent.tell, &filled(model, &path, &looked), &model.slots)
            else {
                continue;
            };
            match readings.iter_mut().find(|own| own.question == question) {
                Some(own) => {
                    own.joint += joint;
                    own.least = own.least.max(path.least);
                }
                None => readings.push(Reading {
                    question,
                    intent: at,
                    joint,
                    least: path.least,
                    idle: path.roles.iter().filter(|role| **role == IDLE).count(),
                }),
            }
        }
    }
    readings.sort_by(|one, two| two.joint.total_cmp(&one.joint));
    readings.truncate(READINGS);
    let words: Vec<&str> = looked.signs.words().collect();
    let spoken = words.iter().filter(|word| model.spoken.contains(**word)).count();
    let known = if words.is_empty() {
        1.0
    } else {
        spoken as f32 / words.len() as f32
    };
    readings
        .into_iter()
        .filter_map(|own| {
            let strange = looked
                .signs
                .placed_words()
                .filter(|(_, stem)| !model.words.contains(&(own.intent, (*stem).to_owned())))
                .filter_map(|(at, stem)| Some((looked.tokens.get(at)?.word().to_owned(), stem.to_owned())));
            Some(Read {
                figure: model.intents.get(own.intent)?.figure.clone(),
                question: own.question,
                sure: own.joint / whole.max(f32::MIN_POSITIVE),
                least: own.least,
                idle: own.idle,
                known,
                strange: strange.collect(),
            })
        })
        .collect()
}

fn look<'a>(model: &Model, text: &'a str) -> Option<Looked<'a>> {
    let tokens = numbers::read(text);
    let signs = Signs::of(&tokens);
    let count = signs.amounts.len();
    if count > MOST_NUMBERS {
        return None;
    }
    let amounts: Vec<(Vec<u32>, Vec<String>)> = (0..count)
        .map(|amount| {
            let mut names = signs.of_amount(amount, &tokens);
            let known = model.known(&names);
            names.retain(|name| name.starts_with("l1:"));
            (known, names)
        })
        .collect();
    let anywhere = amounts
        .iter()
        .enumerate()
        .map(|(amount, (known, _))| {
            let all = model.seen.get(signs.class(amount)).cloned().unwrap_or_default();
            let shares = model.anywhere.of(known, &all);
            all.into_iter().zip(shares).collect()
        })
        .collect();
    Some(Looked {
        text,
        tokens,
        signs,
        amounts,
        anywhere,
    })
}

/// The share of each intent: that of its figure, and its own among those of the figure.
fn ranked(model: &Model, features: &[u32], candidates: &[usize]) -> Vec<(usize, f32)> {
    let figures = model.figures_of(candidates);
    let shares = model.figures.of(features, &figures);
    let mut out = Vec::with_capacity(candidates.len());
    for (figure, share) in figures.into_iter().zip(shares) {
        let alike: Vec<usize> = candidates
            .iter()
            .copied()
            .filter(|intent| model.asked(*intent) == figure)
            .collect();
        let own = model.among.of(features, &alike);
        out.extend(
            alike
                .into_iter()
                .zip(own)
                .map(|(intent, own)| (intent, own * share)),
        );
    }
    out
}

/// How well the numbers, wherever they may belong, find room in the intent.
fn room(intent: &Intent, looked: &Looked<'_>) -> f32 {
    looked
        .anywhere
        .iter()
        .map(|roles| {
            roles
                .iter()
                .filter(|(role, _)| intent.roles.contains(role))
                .map(|(_, share)| share)
                .sum::<f32>()
        })
        .product()
}

/// The ways in which the numbers fill the slots of an intent, with how likely each is.
fn fillings(model: &Model, at: usize, intent: &Intent, looked: &Looked<'_>) -> Vec<Path> {
    let mut beam = vec![Path {
        roles: Vec::new(),
        likely: 1.0,
        least: 1.0,
    }];
    for (amount, (known, beside)) in looked.amounts.iter().enumerate() {
        let fitting: Vec<usize> = intent
            .roles
            .iter()
            .copied()
            .filter(|role| *role == IDLE || may_be(model, (at, intent), *role, looked, amount))
            .collect();
        let idle = looked
            .anywhere
            .get(amount)
            .and_then(|roles| roles.iter().find(|(role, _)| *role == IDLE))
            .map_or(1.0, |(_, share)| *share);
        // "0 loan" says something, whatever it is: it is not passed over.
        let zero = looked
            .signs
            .amounts
            .get(amount)
            .and_then(|at| looked.tokens.get(*at))
            .and_then(Token::number)
            .is_some_and(|number| number.value == 0.0 && number.shape != Shape::YearLabel);
        // "At month 84" says when.
        let dated = matches!(looked.signs.class(amount), "J" | "K");
        let idle = if zero || dated { 0.0 } else { idle };
        let mut next: Vec<Path> = Vec::new();
        // Paths that end alike go on alike.
        let mut by_last: Vec<(usize, Vec<f32>)> = Vec::new();
        for path in &beam {
            let last = path.roles.last().copied().unwrap_or(IDLE);
            if !by_last.iter().any(|(role, _)| *role == last) {
                let mut names = beside.clone();
                after(&mut names, last);
                let mut features = known.clone();
                features.extend(model.known(names.get(beside.len()..).unwrap_or_default()));
                by_last.push((last, model.within.of(&features, &fitting)));
            }
            let shares = by_last
                .iter()
                .find(|(role, _)| *role == last)
                .map_or(&[][..], |(_, shares)| shares.as_slice());
            for (role, share) in fitting.iter().zip(shares.iter().copied()) {
                if *role != IDLE && !repeats(model, intent, *role) && path.roles.contains(role) {
                    continue;
                }
                let mut roles = path.roles.clone();
                roles.push(*role);
                // What is left out has to be of no use anywhere.
                let own = if *role == IDLE { share.min(idle) } else { share };
                next.push(Path {
                    roles,
                    likely: path.likely * share,
                    least: path.least.min(own),
                });
            }
        }
        next.sort_by(|one, two| two.likely.total_cmp(&one.likely));
        next.truncate(BEAM);
        beam = next;
    }
    beam.retain(|path| {
        let filled = |slot: &usize| path.roles.iter().any(|role| model.slot(*role) == Some(*slot));
        intent.required.iter().all(filled)
    });
    beam
}

fn filled(model: &Model, path: &Path, looked: &Looked<'_>) -> Vec<Filled> {
    path.roles
        .iter()
        .zip(&looked.signs.amounts)
        .filter_map(|(role, at)| {
            let role = model.roles.get(*role).copied().flatten()?;
            let token = looked.tokens.get(*at)?;
            Some(Filled {
                role,
                number: token.number().cloned().or_else(|| counted(token)),
                text: looked.text.get(token.start..token.end)?.to_owned(),
            })
        })
        .collect()
}

/// An ordinal as a number.
fn counted(token: &Token) -> Option<Number> {
    ordinal(token.word()).map(|value| Number {
        value,
        ..Number::default()
    })
}

fn repeats(model: &Model, intent: &Intent, role: usize) -> bool {
    let own = model.roles.get(role).copied().flatten();
    own.is_some_and(|own| own.part == Part::Added || intent.lists.contains(&own.slot))
}

fn may_be(
    model: &Model,
    (at, intent): (usize, &Intent),
    role: usize,
    looked: &Looked<'_>,
    amount: usize,
) -> bool {
    let Some(slot) = model.slot(role) else {
        return false;
    };
    if !model.was_seen(role, looked.signs.class(amount)) {
        return false;
    }
    let token = looked
        .signs
        .amounts
        .get(amount)
        .and_then(|at| looked.tokens.get(*at));
    let (Some(number), Some((_, kind))) = (token.and_then(Token::number), model.slots.get(slot)) else {
        return true;
    };
    let told = period(number);
    let value = number.value.abs();
    let outflow = model
        .roles
        .get(role)
        .copied()
        .flatten()
        .is_some_and(|role| role.part == Part::Outflow);
    if outflow && number.sign == Sign::Plus {
        return false;
    }
    // An amount without a period is none of a month where the examples always say so.
    // "5-4-3-2-1" is a list, "5-6%" is a range; a year may bring nothing, but no loan or rate is zero.
    ((!number.doubtful && value != 0.0) || intent.lists.contains(&slot))
        && model.periods.contains(&(at, role, told.to_owned()))
        && match kind {
            Kind::Percent => {
                matches!(number.shape, Shape::Percent | Shape::BasisPoints | Shape::Plain) && value <= 1000.0
            }
            Kind::Years => {
                matches!(
                    number.shape,
                    Shape::Years | Shape::Months | Shape::Payments | Shape::Plain | Shape::YearLabel
                ) && value <= if number.shape == Shape::Plain { 50.0 } else { 600.0 }
            }
            Kind::Count | Kind::Label => number.value.fract() == 0.0,
            Kind::Date => false,
            _ => true,
        }
}
