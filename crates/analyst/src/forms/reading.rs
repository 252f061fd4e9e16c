//! Reads a question by a form: which number is which input, and what is asked.
//!
//! Takes the pairing that costs least, if nothing else costs about as little; a number that finds no place
//! stays over and is asked about.

use crate::forms::fit::fit;
use crate::forms::form::{Form, Sheet, given};
use crate::forms::words::Words;
use crate::read::goals::{asked_before, ends_question};
use crate::read::roles;
use crate::read::vocabulary::{Mention, OTHERS};
use crate::words::scan::{Number, Shape};
use finance::variable::Variable;

const UNPLACED: f64 = 4.0;
/// What a number costs as something that nothing names.
const BARE: f64 = 2.1;
/// Readings closer than this are both plausible.
const MARGIN: f64 = 0.3;
const MOST_NUMBERS: usize = 16;
const MOST_VISITS: usize = 60_000;

/// A phrase of the form in the question.
#[derive(Clone, Debug)]
struct Named {
    from: usize,
    to: usize,
    phrase: &'static str,
    inputs: Vec<Variable>,
    goals: Vec<Variable>,
    lead: bool,
    /// A quantity that this form does not calculate with.
    foreign: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Edge {
    /// The phrase, or none for a bare number.
    slot: Option<usize>,
    variable: Variable,
    value: f64,
    cost: f64,
}

/// The numbers in their places and the goals, before conventions.
pub(crate) fn read(form: &Form, words: &Words) -> Sheet {
    let named = names(form, words);
    let mut sheet = Sheet::default();
    let free = free_numbers(words, &mut sheet);
    let edges: Vec<Vec<Edge>> = free.iter().map(|at| edges(form, words, &named, *at)).collect();
    let mut search = Search {
        edges: &edges,
        sums: form.sums,
        found: Vec::new(),
        best: f64::INFINITY,
        visits: 0,
    };
    if free.len() > MOST_NUMBERS {
        sheet.doubt("There are more numbers here than I can place with certainty.");
    } else {
        search.step(0, 0.0, &mut Vec::new());
    }
    if search.visits > MOST_VISITS {
        sheet.doubt("There are more numbers here than I can place with certainty.");
    }
    let best = search.best;
    search.found.retain(|(cost, _)| *cost <= best + MARGIN);
    search.found.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let mut taken: Vec<usize> = Vec::new();
    if let Some((_, first)) = search.found.first().cloned() {
        for (at, choice) in free.iter().zip(&first) {
            let other = search.found.iter().find_map(|(_, other)| {
                if same_values(&first, other) {
                    return None;
                }
                let own = free.iter().position(|free| free == at)?;
                other
                    .get(own)
                    .copied()
                    .filter(|other| meaning(other.as_ref()) != meaning(choice.as_ref()))
            });
            match (choice, other) {
                (None, None) => sheet.left.push(*at),
                (_, Some(other)) => {
                    let names: Vec<&str> = [choice.as_ref(), other.as_ref()]
                        .into_iter()
                        .flatten()
                        .map(|edge| edge.variable.label())
                        .collect();
                    sheet.doubt(format!(
                        "Is “{}” the {}?",
                        words.said(*at),
                        names.join(" or the ")
                    ));
                }
                (Some(edge), None) => {
                    taken.extend(edge.slot);
                    let before = sheet
                        .value(edge.variable)
                        .filter(|_| form.sums.contains(&edge.variable));
                    let value = before.unwrap_or(0.0) + edge.value;
                    sheet.deal.values.insert(edge.variable, given(value));
                }
            }
        }
    }
    sheet.goals = goals(form, words, &named, &taken, &sheet);
    sheet
}

/// Two readings that give every quantity the same value: two equal numbers have changed places.
fn same_values(one: &[Option<Edge>], other: &[Option<Edge>]) -> bool {
    let values = |reading: &[Option<Edge>]| {
        let mut values: Vec<(String, u64)> = reading
            .iter()
            .flatten()
            .map(|edge| (format!("{:?}", edge.variable), edge.value.to_bits()))
            .collect();
        values.sort();
        values
    };
    values(one) == values(other)
}

/// Whether any phrase of the form stands in the question.
pub(crate) fn names_anything(form: &Form, words: &Words) -> bool {
    names(form, words).iter().any(|name| !name.foreign)
}

fn meaning(edge: Option<&Edge>) -> Option<Variable> {
    edge.map(|edge| edge.variable)
}

/// All phrases, longest first at each place, without overlap.
fn names(form: &Form, words: &Words) -> Vec<Named> {
    let groups = [(form.inputs, 0), (form.leads, 1), (form.goals, 2)];
    let mut found: Vec<Named> = Vec::new();
    let mut at = 0;
    while at < words.tokens.len() {
        let mut best: Option<Named> = None;
        for (list, kind) in groups {
            for (variable, phrases) in list {
                for phrase in *phrases {
                    let parts: Vec<&str> = phrase.split(' ').collect();
                    let Some(to) = words.at(at, &parts) else { continue };
                    let longer = best.as_ref().is_none_or(|known| to > known.to);
                    let same = best.as_ref().is_some_and(|known| to == known.to);
                    if longer {
                        best = Some(Named {
                            from: at,
                            to,
                            phrase,
                            inputs: Vec::new(),
                            goals: Vec::new(),
                            lead: kind == 1,
                            foreign: false,
                        });
                    }
                    if (longer || same)
                        && let Some(known) = &mut best
                    {
                        match kind {
                            2 => known.goals.push(*variable),
                            _ => known.inputs.push(*variable),
                        }
                    }
                }
            }
        }
        let own = best.as_ref().map_or(at, |named| named.to);
        if let Some(to) = foreign(words, at).filter(|to| *to > own) {
            best = Some(Named {
                from: at,
                to,
                phrase: "",
                inputs: Vec::new(),
                goals: Vec::new(),
                lead: false,
                foreign: true,
            });
        }
        match best {
            Some(named) => {
                at = named.to;
                found.push(named);
            }
            None => at += 1,
        }
    }
    found
}

/// The end of a noun that names some other quantity ("closing costs" is no cost of the property).
fn foreign(words: &Words, at: usize) -> Option<usize> {
    if words.word(at).is_empty() {
        return None;
    }
    OTHERS
        .iter()
        .chain(NOT_HERE)
        .filter_map(|phrase| {
            let parts: Vec<&str> = phrase.split(' ').collect();
            words.at(at, &parts)
        })
        .max()
}

/// Quantities beside which a number is never an input of a form that does not name them.
const NOT_HERE: &[&str] = &[
    "closing costs",
    "closing cost",
    "legal fees",
    "security deposit",
    "asset management fee",
    "acquisition fee",
    "tax rate",
    "capital call",
    "renovation",
    "rehab",
    "capex",
    "inflation",
    "market rent",
    "holdback",
    "escrow",
    "occupancy",
];

/// Numbers that want a place. "year 1" beside another year names the start; a year of construction nothing.
fn free_numbers(words: &Words, sheet: &mut Sheet) -> Vec<usize> {
    let all: Vec<usize> = words.numbers().collect();
    let labels = all
        .iter()
        .filter_map(|at| words.number(*at))
        .filter(|number| number.shape == Shape::YearLabel)
        .count();
    let mut free = Vec::new();
    for at in all {
        let Some(number) = words.number(at) else { continue };
        if number.doubtful {
            sheet.doubt(format!("I am not sure how to read “{}”.", words.said(at)));
        } else if number.foreign {
            sheet.doubt("I cannot tell the currency.");
        } else if !harmless(words, number, labels) {
            free.push(at);
        }
    }
    free
}

/// A year of construction, or "year 1" where it only names the start.
fn harmless(words: &Words, number: &Number, labels: usize) -> bool {
    let first = number.shape == Shape::YearLabel && number.value <= 1.0;
    let start = labels > 1 || !words.has(&["depreciation", "depreciate"]);
    number.shape == Shape::Calendar || (first && start)
}

fn edges(form: &Form, words: &Words, named: &[Named], at: usize) -> Vec<Edge> {
    let Some(number) = words.number(at) else {
        return Vec::new();
    };
    let mut found: Vec<Edge> = Vec::new();
    for (slot, name) in named.iter().enumerate() {
        // "laundry 9k: EGI?" ends with the number; what follows the colon is asked.
        let colon = at < name.from && (at..name.from).any(|place| words.mark(place, ':'));
        if name.inputs.is_empty() || colon {
            continue;
        }
        let mention = Mention {
            variable: name.inputs.first().copied(),
            verb: name.lead,
            from: name.from,
            to: name.to,
            period: None,
        };
        let Some(cost) = roles::distance(words.tokens, &mention, at, false) else {
            continue;
        };
        for variable in &name.inputs {
            if let Some(value) = fit(*variable, number, Some(name.phrase)) {
                found.push(Edge {
                    slot: Some(slot),
                    variable: *variable,
                    value,
                    cost,
                });
            }
        }
    }
    for variable in form.bare {
        if let Some(value) = fit(*variable, number, None) {
            found.push(Edge {
                slot: None,
                variable: *variable,
                value,
                cost: BARE,
            });
        }
    }
    // Nearer to the name of something else, it is something else.
    let other = named
        .iter()
        .filter(|name| name.foreign)
        .filter_map(|name| {
            let mention = Mention {
                variable: None,
                verb: false,
                from: name.from,
                to: name.to,
                period: None,
            };
            roles::distance(words.tokens, &mention, at, false)
        })
        .fold(f64::INFINITY, f64::min);
    found.retain(|edge| edge.cost < UNPLACED && edge.cost <= other);
    found
}

struct Search<'a> {
    edges: &'a [Vec<Edge>],
    sums: &'static [Variable],
    found: Vec<(f64, Vec<Option<Edge>>)>,
    best: f64,
    visits: usize,
}

impl Search<'_> {
    fn step(&mut self, index: usize, cost: f64, chosen: &mut Vec<Option<Edge>>) {
        self.visits += 1;
        if self.visits > MOST_VISITS || cost > self.best + MARGIN {
            return;
        }
        let edges = self.edges;
        let Some(own) = edges.get(index) else {
            self.best = self.best.min(cost);
            self.found.push((cost, chosen.clone()));
            return;
        };
        for edge in own {
            let clashes = chosen.iter().flatten().any(|taken| {
                (edge.slot.is_some() && taken.slot == edge.slot)
                    || (taken.variable == edge.variable
                        && (taken.value - edge.value).abs() > 1e-12
                        && !self.sums.contains(&edge.variable))
            });
            if clashes {
                continue;
            }
            chosen.push(Some(*edge));
            self.step(index + 1, cost + edge.cost, chosen);
            chosen.pop();
        }
        chosen.push(None);
        self.step(index + 1, cost + UNPLACED, chosen);
        chosen.pop();
    }
}

/// What is asked: the phrase that a question word leads to or a question mark follows; else the one in
/// the sentence with the question mark; else what the form is mostly asked.
fn goals(form: &Form, words: &Words, named: &[Named], taken: &[usize], sheet: &Sheet) -> Vec<Variable> {
    let mut weighed: Vec<(u8, Variable)> = Vec::new();
    for (slot, name) in named.iter().enumerate() {
        if taken.contains(&slot) {
            continue;
        }
        // "Total base rent …, no free rent?" ends with what there is none of.
        let none = name.from.checked_sub(1).is_some_and(|before| {
            matches!(words.word(before), "no" | "without" | "zero")
                || words.word(before) == "free"
                    && before
                        .checked_sub(1)
                        .is_some_and(|at| matches!(words.word(at), "no" | "without" | "zero"))
        });
        if none || numerator(words, named, slot) {
            continue;
        }
        for goal in &name.goals {
            if sheet.has(*goal) {
                continue;
            }
            let joined = joins(words, named, slot);
            let weight =
                if asked_before(words.tokens, name.from) || ends_question(words.tokens, name.to) || joined {
                    3
                } else if in_question(words, name.from) {
                    2
                } else {
                    1
                };
            match weighed.iter_mut().find(|(_, known)| known == goal) {
                Some(known) => known.0 = known.0.max(weight),
                None => weighed.push((weight, *goal)),
            }
        }
    }
    let top = weighed.iter().map(|(weight, _)| *weight).max().unwrap_or(0);
    let chosen: Vec<Variable> = weighed
        .iter()
        .filter(|(weight, _)| *weight == top)
        .map(|(_, goal)| *goal)
        .collect();
    if chosen.is_empty() {
        form.goals
            .iter()
            .map(|(goal, _)| *goal)
            .find(|goal| !sheet.has(*goal))
            .into_iter()
            .collect()
    } else {
        chosen
    }
}

/// "Economic occupancy, i.e. net rental income over GPR?": what a ratio that is asked for is made of is not asked itself.
fn numerator(words: &Words, named: &[Named], slot: usize) -> bool {
    let (Some(own), Some(next)) = (named.get(slot), named.get(slot + 1)) else {
        return false;
    };
    let ratio = named.iter().take(slot).any(|name| {
        name.goals
            .iter()
            .any(|goal| goal.unit().word() == "percent" && !own.goals.contains(goal))
    });
    let sum = own.goals.iter().all(|goal| goal.unit().word() == "USD");
    let between = words.tokens.get(own.to..next.from).unwrap_or_default();
    let divides = between.iter().any(|token| {
        matches!(
            token.word(),
            "over" | "divided" | "by" | "share" | "percentage" | "percent" | "fraction"
        ) || token.is_mark('/')
            || token.is_mark('÷')
    });
    let joins = between.iter().all(|token| {
        matches!(
            token.word(),
            "over"
                | "divided"
                | "by"
                | "as"
                | "a"
                | "share"
                | "percentage"
                | "percent"
                | "fraction"
                | "of"
                | "the"
        ) || token.is_mark('/')
            || token.is_mark('÷')
    });
    ratio && sum && divides && joins
}

/// "gain recognized and gain deferred?": what is joined to a goal at the end of the question is asked for too.
fn joins(words: &Words, named: &[Named], slot: usize) -> bool {
    let (Some(own), Some(next)) = (named.get(slot), named.get(slot + 1)) else {
        return false;
    };
    let between = words.tokens.get(own.to..next.from).unwrap_or_default();
    !between.is_empty()
        && !next.goals.is_empty()
        && between
            .iter()
            .all(|token| matches!(token.word(), "and" | "the" | "its") || token.is_mark(','))
        && ends_question(words.tokens, next.to)
}

/// The sentence around the token ends with a question mark.
fn in_question(words: &Words, from: usize) -> bool {
    words
        .tokens
        .iter()
        .skip(from)
        .find(|token| token.is_mark('?') || token.is_mark('.') || token.is_mark('!'))
        .is_some_and(|token| token.is_mark('?'))
}
