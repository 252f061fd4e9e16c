//! Every relation of the graph, in the order in which definitions are preferred: the first that yields a
//! variable is the usual one.

use crate::finance::relations::cost::COST;
use crate::finance::relations::debt::DEBT;
use crate::finance::relations::development::DEVELOPMENT;
use crate::finance::relations::income::INCOME;
use crate::finance::relations::investment::INVESTMENT;
use crate::finance::relations::leasing::LEASING;
use crate::finance::relations::lending::LENDING;
use crate::finance::relations::owning::OWNING;
use crate::finance::relations::partnership::PARTNERSHIP;
use crate::finance::relations::property::PROPERTY;
use crate::finance::relations::relation::Relation;
use crate::finance::relations::tenancy::TENANCY;
use crate::finance::relations::time_value::TIME_VALUE;

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

/// All relations.
pub fn relations() -> impl Iterator<Item = &'static Relation> {
    GROUPS.iter().copied().flatten()
}
