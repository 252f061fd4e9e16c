//! What a deal gives in parts or by another name: the costs of a project, the potential income of a building.
//!
//! Knows variables alone.

use crate::plan::deal::{CONVENTION, Deal};
use finance::variable::Variable;

/// The total cost is the sum of the components that are named, if there are several.
pub(crate) fn costs(deal: &mut Deal) {
    const PARTS: [Variable; 4] = [
        Variable::LandCost,
        Variable::HardCost,
        Variable::SoftCost,
        Variable::FinancingCost,
    ];
    let given = PARTS.iter().filter(|part| deal.values.contains_key(part)).count();
    if given < 2 || deal.values.contains_key(&Variable::TotalCost) {
        return;
    }
    for part in PARTS {
        if !deal.values.contains_key(&part) {
            deal.set(part, 0.0, CONVENTION);
            deal.remarks
                .push(format!("No {} were given, so none are counted.", part.label()));
        }
    }
}

/// "A full building would gross 545,000": beside costs that is the potential income.
pub(crate) fn potential(goals: &[Variable], deal: &mut Deal) {
    let known = [Variable::Pgi, Variable::Gpr]
        .iter()
        .any(|known| deal.values.contains_key(known));
    if goals.contains(&Variable::Breakeven)
        && !known
        && let Some(gross) = deal.values.remove(&Variable::GrossRent)
    {
        deal.values.insert(Variable::Pgi, gross);
    }
}
