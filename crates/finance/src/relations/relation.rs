//! What a relation is: variables, what their connection means, and how it computes in each direction.
//!
//! A relation marked as an assumption is used only where nothing else leads on, and is named in the steps.

use crate::fault::{Fault, finite};
use crate::variable::Variable;

/// One direction of a relation.
#[derive(Debug)]
pub struct Form {
    pub output: Variable,
    pub inputs: &'static [Variable],
    /// The right-hand side as people write it.
    pub formula: &'static str,
    /// Gets the inputs in their order.
    pub compute: fn(&[f64]) -> Result<f64, Fault>,
}

/// What connects some variables.
#[derive(Debug)]
pub struct Relation {
    /// One sentence: definition and convention.
    pub definition: &'static str,
    /// True when this is a choice and not a definition.
    pub assumption: bool,
    pub forms: &'static [Form],
}

pub(crate) type Computed = Result<f64, Fault>;

pub(crate) fn one(v: &[f64], f: impl Fn(f64) -> Computed) -> Computed {
    if let &[a] = v { f(a) } else { Err(Fault::NotFinite) }
}
pub(crate) fn two(v: &[f64], f: impl Fn(f64, f64) -> Computed) -> Computed {
    if let &[a, b] = v {
        f(a, b)
    } else {
        Err(Fault::NotFinite)
    }
}
pub(crate) fn three(v: &[f64], f: impl Fn(f64, f64, f64) -> Computed) -> Computed {
    if let &[a, b, c] = v {
        f(a, b, c)
    } else {
        Err(Fault::NotFinite)
    }
}
pub(crate) fn four(v: &[f64], f: impl Fn(f64, f64, f64, f64) -> Computed) -> Computed {
    if let &[a, b, c, d] = v {
        f(a, b, c, d)
    } else {
        Err(Fault::NotFinite)
    }
}
pub(crate) fn sum(v: &[f64]) -> Computed {
    finite(v.iter().sum())
}

macro_rules! form {
    ($output:ident = $formula:literal; $($input:ident),+; $compute:expr) => {
        Form { output: $output, inputs: &[$($input),+], formula: $formula, compute: $compute }
    };
}
pub(crate) use form;
