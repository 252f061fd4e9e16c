//! The type of a relation: its variables, its definition, and how to compute it in each direction.
//!
//! A relation marked as an assumption is only used if no other relation applies, and the steps name it.

use crate::fault::{Fault, finite};
use crate::variable::Variable;

/// One direction of a relation.
#[derive(Debug)]
pub struct Form {
    pub output: Variable,
    pub inputs: &'static [Variable],
    /// The right-hand side in common notation.
    pub formula: &'static str,
    /// Receives the inputs in order.
    pub compute: fn(&[f64]) -> Result<f64, Fault>,
}

/// A relation between variables.
#[derive(Debug)]
pub struct Relation {
    /// Definition and convention in one sentence.
    pub definition: &'static str,
    /// Whether this is a choice and not a definition.
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
