//! Learns the model of the examples.
//!
//! Goes through the examples in a fixed order, so that the same files always lead to the same weights.

use std::collections::{BTreeMap, HashSet};

use crate::corpus::{Corpus, Example};
use analyst::by_example::features::{Signs, after, period};
use analyst::by_example::model::{IDLE, Model, SCALE, Shares, hash, shares};
use analyst::words::numbers;

const ROUNDS: usize = 5;
const STEP: f32 = 0.4;
/// A class with a smaller share learns nothing from an example.
const TOUCHED: f32 = 0.05;
/// A smaller weight is not kept.
const KEPT: f32 = 0.08;

/// The model, and the lines that could not be used.
pub fn learn(files: &[String]) -> (Model, Vec<String>) {
    let corpus = Corpus::read(files);
    let mut learner = Learner::default();
    learner.model.slots = corpus.slots;
    learner.model.intents = corpus.intents;
    learner.faults = corpus.faults;
    learner.lay_out(&corpus.examples);
    learner.keep_parts_of_year(&corpus.examples);
    let mut prepared: Vec<Prepared> = corpus
        .examples
        .iter()
        .filter_map(|example| learner.prepare(example))
        .collect();
    learner.forget_rare(&mut prepared);
    for round in 0..ROUNDS {
        for step in 0..prepared.len() {
            // Neighbours of a file do not follow one another.
            let at = (step * 7919 + round * 31) % prepared.len();
            if let Some(own) = prepared.get(at) {
                learner.take_in(own);
            }
        }
    }
    learner.finish()
}

#[derive(Default)]
struct Learner {
    model: Model,
    figures: Weights,
    among: Weights,
    within: Weights,
    anywhere: Weights,
    faults: Vec<String>,
}

/// An example as features.
struct Prepared {
    intent: usize,
    candidates: Vec<usize>,
    features: Vec<u32>,
    amounts: Vec<Amount>,
}

struct Amount {
    features: Vec<u32>,
    class: &'static str,
    role: usize,
}

impl Learner {
    /// What all examples of an intent speak of.
    fn keep_parts_of_year(&mut self, examples: &[Example]) {
        let mut common: BTreeMap<usize, Vec<&'static str>> = BTreeMap::new();
        for example in examples {
            let Some(intent) = example.intent else { continue };
            let tokens = numbers::read(&example.text);
            let said = Signs::of(&tokens).parts_of_year(&tokens);
            match common.get_mut(&intent) {
                Some(own) => own.retain(|part| said.contains(part)),
                None => {
                    common.insert(intent, said);
                }
            }
        }
        for (intent, parts) in common {
            if let Some(intent) = self.model.intents.get_mut(intent) {
                intent.parts_of_year = parts.into_iter().map(str::to_owned).collect();
            }
        }
    }

    /// The roles of each intent, and where they were seen.
    fn lay_out(&mut self, examples: &[Example]) {
        let model = &mut self.model;
        model.roles.push(None);
        for intent in &mut model.intents {
            intent.roles.push(IDLE);
        }
        for example in examples {
            let Some(intent) = example.intent.and_then(|intent| model.intents.get_mut(intent)) else {
                continue;
            };
            for mark in &example.marks {
                let known = model.roles.iter().position(|role| *role == Some(mark.role));
                let role = known.unwrap_or_else(|| {
                    model.roles.push(Some(mark.role));
                    model.roles.len() - 1
                });
                if !intent.roles.contains(&role) {
                    intent.roles.push(role);
                }
            }
        }
        let mut seen: BTreeMap<&'static str, Vec<usize>> = BTreeMap::new();
        for example in examples {
            let Some(read) = self.roles(example) else { continue };
            for (role, class) in read {
                let roles = seen.entry(class).or_insert_with(|| vec![IDLE]);
                if !roles.contains(&role) {
                    roles.push(role);
                }
            }
        }
        self.model.seen = seen
            .into_iter()
            .map(|(class, roles)| (class.to_owned(), roles))
            .collect();
    }

    /// The roles of the numbers of an example; none where a mark stands at no number.
    fn roles(&self, example: &Example) -> Option<Vec<(usize, &'static str)>> {
        let tokens = numbers::read(&example.text);
        let signs = Signs::of(&tokens);
        let mut found = HashSet::new();
        let mut out = Vec::new();
        for (amount, at) in signs.amounts.iter().enumerate() {
            let token = tokens.get(*at)?;
            let mark = example
                .marks
                .iter()
                .position(|mark| mark.start < token.end && token.start < mark.end);
            let role = mark
                .and_then(|mark| example.marks.get(mark))
                .and_then(|mark| self.model.roles.iter().position(|role| *role == Some(mark.role)))
                .unwrap_or(IDLE);
            found.extend(mark);
            out.push((role, signs.class(amount)));
        }
        (found.len() == example.marks.len()).then_some(out)
    }

    fn prepare(&mut self, example: &Example) -> Option<Prepared> {
        let intent = example.intent.unwrap_or_else(|| self.model.nothing());
        let Some(roles) = self.roles(example) else {
            self.faults.push(example.text.clone());
            return None;
        };
        let tokens = numbers::read(&example.text);
        let signs = Signs::of(&tokens);
        for word in signs.words() {
            self.model.words.insert((intent, word.to_owned()));
            self.model.spoken.insert(word.to_owned());
        }
        let classes: Vec<&'static str> = roles.iter().map(|(_, class)| *class).collect();
        let mut candidates = self.model.fitting(&classes);
        if !candidates.contains(&intent) {
            candidates.push(intent);
        }
        let features = self.learned(signs.of_question());
        let mut amounts = Vec::new();
        let mut last = IDLE;
        for (amount, (role, class)) in roles.into_iter().enumerate() {
            if example.intent.is_none() {
                break;
            }
            if let Some(number) = signs.amounts.get(amount).and_then(|at| tokens.get(*at)?.number()) {
                self.model
                    .periods
                    .insert((intent, role, period(number).to_owned()));
            }
            let mut names = signs.of_amount(amount, &tokens);
            after(&mut names, last);
            amounts.push(Amount {
                features: self.learned(names),
                class,
                role,
            });
            last = role;
        }
        Some(Prepared {
            intent,
            candidates,
            features,
            amounts,
        })
    }

    fn learned(&mut self, names: Vec<String>) -> Vec<u32> {
        let known = &mut self.model.features;
        names
            .iter()
            .map(|name| {
                let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
                *known.entry(hash(name)).or_insert(next)
            })
            .collect()
    }

    /// What only one example has tells nothing of others.
    fn forget_rare(&mut self, prepared: &mut [Prepared]) {
        let mut counts = vec![0_u32; self.model.features.len()];
        let mut count = |features: &[u32]| {
            for feature in features {
                if let Some(count) = counts.get_mut(*feature as usize) {
                    *count += 1;
                }
            }
        };
        for own in prepared.iter() {
            count(&own.features);
            for amount in &own.amounts {
                count(&amount.features);
            }
        }
        let mut next = 0;
        let numbers: Vec<Option<u32>> = counts
            .iter()
            .map(|count| {
                (*count > 1).then(|| {
                    next += 1;
                    next - 1
                })
            })
            .collect();
        let number = |feature: &u32| numbers.get(*feature as usize).copied().flatten();
        for own in prepared {
            own.features = own.features.iter().filter_map(number).collect();
            for amount in &mut own.amounts {
                amount.features = amount.features.iter().filter_map(number).collect();
            }
        }
        self.model.features = std::mem::take(&mut self.model.features)
            .into_iter()
            .filter_map(|(name, feature)| Some((name, number(&feature)?)))
            .collect();
    }

    fn take_in(&mut self, own: &Prepared) {
        let asked = self.model.asked(own.intent);
        self.figures
            .learn(&own.features, &self.model.figures_of(&own.candidates), asked);
        let alike: Vec<usize> = own
            .candidates
            .iter()
            .copied()
            .filter(|other| self.model.asked(*other) == asked)
            .collect();
        if alike.len() > 1 {
            self.among.learn(&own.features, &alike, own.intent);
        }
        let Some(intent) = self.model.intents.get(own.intent) else {
            return;
        };
        for amount in &own.amounts {
            self.within.learn(&amount.features, &intent.roles, amount.role);
            if let Some(all) = self.model.seen.get(amount.class) {
                self.anywhere.learn(&amount.features, all, amount.role);
            }
        }
    }

    fn finish(mut self) -> (Model, Vec<String>) {
        self.model.figures = self.figures.kept();
        self.model.among = self.among.kept();
        self.model.within = self.within.kept();
        self.model.anywhere = self.anywhere.kept();
        (self.model, self.faults)
    }
}

#[derive(Clone, Copy)]
struct Weight {
    class: usize,
    weight: f32,
    /// Sum of the squares of its steps: what often changed changes less.
    steps: f32,
}

/// For each feature the weights of the classes that it was seen with.
#[derive(Default)]
struct Weights(Vec<Vec<Weight>>);

impl Weights {
    fn learn(&mut self, features: &[u32], classes: &[usize], right: usize) {
        let most = classes.iter().max().map_or(0, |most| most + 1);
        let mut sums = vec![0.0_f32; most];
        for own in features
            .iter()
            .filter_map(|feature| self.0.get(*feature as usize))
            .flatten()
        {
            if let Some(sum) = sums.get_mut(own.class) {
                *sum += own.weight;
            }
        }
        let own = shares(
            classes
                .iter()
                .map(|class| sums.get(*class).copied().unwrap_or(0.0))
                .collect(),
        );
        let last = features.iter().max().map_or(0, |last| *last as usize + 1);
        if self.0.len() < last {
            self.0.resize(last, Vec::new());
        }
        for (class, share) in classes.iter().zip(own) {
            let step = if *class == right { 1.0 - share } else { -share };
            if step.abs() < TOUCHED {
                continue;
            }
            for feature in features {
                let Some(row) = self.0.get_mut(*feature as usize) else {
                    continue;
                };
                let at = row
                    .binary_search_by_key(class, |own| own.class)
                    .unwrap_or_else(|at| {
                        let new = Weight {
                            class: *class,
                            weight: 0.0,
                            steps: 0.0,
                        };
                        row.insert(at, new);
                        at
                    });
                if let Some(own) = row.get_mut(at) {
                    own.steps += step * step;
                    own.weight += STEP * step / (own.steps.sqrt() + 0.1);
                }
            }
        }
    }

    fn kept(&self) -> Shares {
        let row = |row: &Vec<Weight>| {
            row.iter()
                .filter(|own| own.weight.abs() >= KEPT)
                .filter_map(|own| Some((u16::try_from(own.class).ok()?, (own.weight * SCALE) as i16)))
                .collect()
        };
        Shares {
            rows: self.0.iter().map(row).collect(),
        }
    }
}
