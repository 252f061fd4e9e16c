//! The deal behind a question: values of the question joined with those of earlier turns, durations
//! given their role, and numbers that can be only one thing.
//!
//! Nothing is taken over silently: every value keeps its origin.

use std::collections::BTreeMap;

use crate::plan::frame::Held;
use crate::read::given::Given;
use finance::graph::Known;
use finance::variable::Variable;

pub(crate) const EARLIER: &str = "earlier turn";

pub(crate) const CONVENTION: &str = "convention";

/// Values by variable and what could not be settled.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deal {
    pub(crate) values: BTreeMap<Variable, Given>,
    pub(crate) doubts: Vec<String>,
    /// Readings and conventions to be stated with the answer.
    pub(crate) remarks: Vec<String>,
    pub(crate) missing: Vec<Variable>,
}

impl Deal {
    pub(crate) fn known(&self) -> Known {
        self.values
            .iter()
            .map(|(variable, given)| (*variable, given.value))
            .collect()
    }

    pub(crate) fn set(&mut self, variable: Variable, value: f64, origin: &str) {
        self.values.insert(
            variable,
            Given {
                value,
                origin: origin.to_owned(),
                conversion: None,
                period: None,
            },
        );
    }

    /// A value asked for "at an exit cap" is capitalized at it.
    pub(crate) fn exit_as_cap(&mut self, goals: &[Variable]) {
        let value = goals
            .iter()
            .any(|goal| matches!(goal, Variable::Value | Variable::Price));
        if value
            && !self.values.contains_key(&Variable::CapRate)
            && self.values.contains_key(&Variable::Noi)
            && let Some(given) = self.values.remove(&Variable::ExitCap)
        {
            self.values.insert(Variable::CapRate, given);
            self.remarks
                .push("The NOI is capitalized at the exit cap rate.".to_owned());
        }
    }

    pub(crate) fn held(&self) -> Vec<Held> {
        self.values
            .iter()
            .filter(|(_, given)| given.origin != CONVENTION)
            .map(|(variable, given)| Held {
                variable: *variable,
                value: given.value,
                origin: given.origin.clone(),
            })
            .collect()
    }
}
