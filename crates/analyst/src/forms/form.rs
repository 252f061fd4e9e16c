//! A form: a family of questions by the words that mark it, what it can be asked, what it can be given,
//! and the conventions that fill the rest.
//!
//! Knows no question. A number takes a meaning only by a name of its form, or as the one thing its shape
//! allows there.

use crate::forms::words::Words;
use crate::plan::deal::{CONVENTION, Deal};
use crate::read::given::{Given, QUESTION};
use finance::variable::Variable;

/// Names of one variable.
pub(crate) type Names = (Variable, &'static [&'static str]);

/// A family of questions.
pub(crate) struct Form {
    /// Kept in the frame for follow-ups.
    pub(crate) name: &'static str,
    /// Whether a question is of this family.
    pub(crate) is: fn(&Words) -> bool,
    /// What can be asked; the first is meant where nothing else is named.
    pub(crate) goals: &'static [Names],
    /// What can be given. A phrase may name several variables; the number's shape decides.
    pub(crate) inputs: &'static [Names],
    /// Verbs and prepositions that take the number after them.
    pub(crate) leads: &'static [Names],
    /// What a number without a name may be.
    pub(crate) bare: &'static [Variable],
    /// What may be named several times and adds up: "laundry 6k, late fees 4k".
    pub(crate) sums: &'static [Variable],
    /// Conventions, doubts and facts of the family, once the numbers have their places.
    pub(crate) settle: fn(&Words, &mut Sheet),
}

/// What a form holds of one question.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sheet {
    pub(crate) goals: Vec<Variable>,
    pub(crate) deal: Deal,
    /// Numbers without a meaning yet.
    pub(crate) left: Vec<usize>,
    /// The metric's word, where it is not the variable's.
    pub(crate) names: Vec<(Variable, &'static str)>,
    /// A text instead of a number, where the facts allow none.
    pub(crate) fact: Option<String>,
    /// What the question names to leave out.
    pub(crate) excluded: Vec<Variable>,
}

impl Sheet {
    pub(crate) fn has(&self, variable: Variable) -> bool {
        self.deal.values.contains_key(&variable)
    }

    pub(crate) fn value(&self, variable: Variable) -> Option<f64> {
        self.deal.values.get(&variable).map(|given| given.value)
    }

    /// Sets what follows from the question's words.
    pub(crate) fn put(&mut self, variable: Variable, value: f64) {
        self.deal.set(variable, value, QUESTION);
    }

    /// A convention, where the question says nothing else; the remark goes with the answer.
    pub(crate) fn assume(&mut self, variable: Variable, value: f64, remark: &str) {
        if !self.has(variable) {
            self.deal.set(variable, value, CONVENTION);
            if !remark.is_empty() {
                self.deal.remarks.push(remark.to_owned());
            }
        }
    }

    pub(crate) fn remark(&mut self, text: &str) {
        self.deal.remarks.push(text.to_owned());
    }

    pub(crate) fn doubt(&mut self, text: impl Into<String>) {
        self.deal.doubts.push(text.into());
    }

    /// The value under another variable.
    pub(crate) fn rename(&mut self, from: Variable, to: Variable) {
        if !self.has(to)
            && let Some(given) = self.deal.values.remove(&from)
        {
            self.deal.values.insert(to, given);
        }
    }

    /// Takes a number that had no place.
    pub(crate) fn take(&mut self, at: usize) {
        self.left.retain(|left| *left != at);
    }

    pub(crate) fn wants(&self, variable: Variable) -> bool {
        self.goals.contains(&variable)
    }

    pub(crate) fn replace_goal(&mut self, from: Variable, to: Variable) {
        for goal in &mut self.goals {
            if *goal == from {
                *goal = to;
            }
        }
        let mut seen = Vec::new();
        self.goals.retain(|goal| {
            let new = !seen.contains(goal);
            seen.push(*goal);
            new
        });
    }
}

/// A value as the question gives it.
pub(crate) fn given(value: f64) -> Given {
    Given {
        value,
        origin: QUESTION.to_owned(),
        conversion: None,
        period: None,
    }
}
