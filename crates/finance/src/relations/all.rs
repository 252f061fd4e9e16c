//! All relations of the graph, in order of preference: the first one that yields a variable is its usual
//! definition.

use crate::relations::composed::COMPOSED;
use crate::relations::cost::COST;
use crate::relations::debt::DEBT;
use crate::relations::development::DEVELOPMENT;
use crate::relations::income::INCOME;
use crate::relations::investment::INVESTMENT;
use crate::relations::leasing::LEASING;
use crate::relations::lending::LENDING;
use crate::relations::owning::OWNING;
use crate::relations::partnership::PARTNERSHIP;
use crate::relations::property::PROPERTY;
use crate::relations::relation::Relation;
use crate::relations::tenancy::TENANCY;
use crate::relations::time_value::TIME_VALUE;

const GROUPS: &[&[Relation]] = &[
    PROPERTY,
    INCOME,
    DEBT,
    TIME_VALUE,
    LEASING,
    INVESTMENT,
    COST,
    PARTNERSHIP,
    TENANCY,
    DEVELOPMENT,
    LENDING,
    OWNING,
];

/// Which relations are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The definitions.
    Usual,
    /// Also `composed`, which takes precedence.
    Composed,
}

/// The relations of a scope, in the order in which they are applied.
pub fn relations(scope: Scope) -> impl Iterator<Item = &'static Relation> {
    composed(scope).iter().chain(GROUPS.iter().copied().flatten())
}

/// The relations of a scope, in the order in which they are asked about: the definitions first.
pub(crate) fn usual_first(scope: Scope) -> impl Iterator<Item = &'static Relation> {
    GROUPS.iter().copied().flatten().chain(composed(scope))
}

fn composed(scope: Scope) -> &'static [Relation] {
    match scope {
        Scope::Usual => &[],
        Scope::Composed => COMPOSED,
    }
}
