//! What a calculation ends in: computed answers with their steps, or what has to be asked.
//!
//! Plain data; knows neither how it is computed nor how it is phrased.

use finance::graph::Step;
use finance::variable::Variable;

/// One computed answer.
#[derive(Clone, Debug)]
pub(crate) struct Headline {
    pub(crate) variable: Variable,
    /// The metric's word in the figure; mostly the variable's.
    pub(crate) name: &'static str,
    pub(crate) value: f64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Computed {
    pub(crate) headlines: Vec<Headline>,
    pub(crate) steps: Vec<Step>,
    pub(crate) remarks: Vec<String>,
    /// Answers that are a word: the metric's name, the word, what it means.
    pub(crate) words: Vec<(&'static str, &'static str, &'static str)>,
}

/// What to ask, or the fact that stands in the way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ask {
    pub(crate) reasons: Vec<String>,
    pub(crate) missing: Vec<Variable>,
}

impl Ask {
    pub(crate) fn because(reason: impl Into<String>) -> Self {
        Self {
            reasons: vec![reason.into()],
            missing: Vec::new(),
        }
    }
}
