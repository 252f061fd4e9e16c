//! Solving for a goal where the question does not name everything: quantities that are zero unless named, and goals
//! that are the input of a relation.

use std::collections::BTreeSet;

use finance::graph::{self, Known, Plan, compose, derive};
use finance::relations::all::{Scope, relations};
use finance::seek::{Sought, seek};
use finance::variable::{Unit, Variable};

use crate::result::{Refusal, Step};
use crate::words::nearest;

/// The variables that some relation connects, without conditions.
pub fn words() -> impl Iterator<Item = Variable> {
    let connected = connected();
    Variable::ALL
        .iter()
        .copied()
        .filter(move |variable| connected.contains(variable) && variable.unit() != Unit::Mark)
}

fn connected() -> BTreeSet<Variable> {
    relations(Scope::Composed)
        .flat_map(|relation| relation.forms)
        .flat_map(|form| form.inputs.iter().copied().chain([form.output]))
        .collect()
}

/// A solved plan.
pub(crate) struct Solved {
    pub value: f64,
    pub steps: Vec<graph::Step>,
    /// Set if the goal was found from a quantity that follows from it.
    pub searched: Option<Step>,
}

impl Solved {
    fn backwards(found: Sought, goal: Variable) -> Self {
        let formula = format!(
            "the value at which {} comes to the one given",
            found.matched.label()
        );
        let inputs = [(found.matched.word(), found.given)];
        Self {
            value: found.value,
            searched: Some(Step::new(goal.word(), &formula, found.value, &inputs)),
            steps: found.steps,
        }
    }

    /// How many of the known values it uses; one for the goal is not needed.
    fn uses(&self, known: &Known, goal: Variable) -> usize {
        let used = |variable: &Variable| {
            self.steps
                .iter()
                .any(|step| step.inputs.iter().any(|(input, _)| input == variable))
        };
        known
            .keys()
            .filter(|variable| **variable == goal || used(variable))
            .count()
    }
}

/// Quantities of which there is none where the question names none, and their value then.
const OPTIONAL: &[(Variable, f64)] = {
    use Variable::*;
    &[
        (LeaseLoss, 0.0),
        (NonRevenue, 0.0),
        (Concessions, 0.0),
        (BadDebt, 0.0),
        (Recoveries, 0.0),
        (OtherIncome, 0.0),
        (AdminShare, 0.0),
        (ExcludedArea, 0.0),
        (FloorShare, 0.0),
        (RefinancingPenalty, 0.0),
        (RefinancingCosts, 0.0),
        (FeeOther, 0.0),
        (CapitalWorks, 0.0),
        (FeeCost, 0.0),
        (FinancingCost, 0.0),
        (SoftCost, 0.0),
        (ClosingCosts, 0.0),
        (SaleCostShare, 0.0),
        (SellingCosts, 0.0),
        (Reserves, 0.0),
        (CashAdded, 0.0),
        (CashBoot, 0.0),
        (DebtRelief, 0.0),
        (FreeMonths, 0.0),
        (Improvement, 0.0),
        (ImprovementPsf, 0.0),
        (Commission, 0.0),
        (CommissionPsf, 0.0),
        (RentGrowth, 0.0),
    ]
};

/// Rents over time step every year where nothing else is said.
const STEPPED: &[Variable] = &[
    Variable::RentGrowth,
    Variable::RentPsf,
    Variable::AnnualRent,
    Variable::MonthlyRent,
    Variable::TotalRent,
    Variable::WholeRent,
    Variable::LeaseCommission,
];

/// Operating lines of which there is none if others are given.
const LINES: &[Variable] = {
    use Variable::*;
    &[
        PropertyTaxes,
        Insurance,
        Utilities,
        Repairs,
        Payroll,
        Management,
        Administration,
        Marketing,
        OtherExpenses,
    ]
};

/// What the known values and the goal imply for quantities that are not named.
fn implied(known: &Known, goal: Variable) -> Vec<(Variable, f64)> {
    let mut found = Vec::new();
    if STEPPED.contains(&goal) {
        found.push((Variable::StepYears, 1.0));
    }
    if known.contains_key(&Variable::Perpetual) {
        found.push((Variable::GrowthRate, 0.0));
    }
    if known.get(&Variable::PrefRate) == Some(&0.0) {
        found.push((Variable::PrefYears, 1.0));
    }
    let lines = LINES.iter().filter(|line| known.contains_key(line)).count();
    if lines > 1 || known.contains_key(&Variable::OtherExpenses) {
        found.extend(LINES.iter().map(|line| (*line, 0.0)));
    }
    found
}

/// Solves for the goal. Optional quantities are filled in where it fails without them, or leaves out values that are
/// given.
pub(crate) fn solved(known: &Known, goal: Variable) -> Result<(Solved, Vec<(Variable, f64)>), Refusal> {
    let mut given = known.clone();
    let mut filled: Vec<(Variable, f64)> = Vec::new();
    let mut asked = Vec::new();
    let mut plain: Option<Solved> = None;
    // Each round fills in at least one quantity.
    for round in 0..=OPTIONAL.len() {
        let missing = match compose(&given, goal) {
            Plan::Solved { value, steps } => {
                let found = Solved {
                    value,
                    steps,
                    searched: None,
                };
                match plain {
                    None if round == 0 && found.uses(known, goal) < known.len() => plain = Some(found),
                    Some(plain) if found.uses(known, goal) <= plain.uses(known, goal) => {
                        return Ok((plain, Vec::new()));
                    }
                    _ => return Ok((found, filled)),
                }
                Vec::new()
            }
            Plan::Fault(fault) if plain.is_none() => return Err(fault.into()),
            Plan::Fault(_) => break,
            Plan::Missing(missing) => missing,
        };
        let fills: Vec<(Variable, f64)> = OPTIONAL
            .iter()
            .copied()
            // Some cannot be asked for, so they are never among the missing.
            .filter(|(variable, _)| {
                if round == 0 {
                    !variable.askable()
                } else {
                    missing.contains(variable)
                }
            })
            .chain(implied(known, goal).into_iter().filter(|_| round == 0))
            // What follows from the given values is not filled in.
            .filter(|(variable, _)| derive(&given, *variable).is_none())
            .collect();
        asked = missing;
        if fills.is_empty() && round > 0 {
            break;
        }
        given.extend(fills.iter().copied());
        filled.extend(fills);
    }
    if let Some(plain) = plain {
        return Ok((plain, Vec::new()));
    }
    let optional = OPTIONAL
        .iter()
        .copied()
        .filter(|(variable, _)| !given.contains_key(variable) && *variable != goal);
    let optional: Vec<(Variable, f64)> = optional.collect();
    let whole = || {
        let mut whole = given.clone();
        whole.extend(optional.iter().copied());
        seek(&whole, goal)
    };
    if let Some(found) = seek(known, goal).or_else(|| seek(&given, goal)).or_else(whole) {
        filled.extend(optional);
        return Ok((Solved::backwards(found, goal), filled));
    }
    if asked.is_empty() {
        let near = nearest(
            goal.word(),
            words().map(|variable| (variable.word(), variable.label())),
        );
        let what = format!("No relation leads from these values to {}.", goal.word());
        return Err(Refusal::near("no_result", what, near));
    }
    let named = |variable: &Variable| (variable.word().to_owned(), variable.label().to_owned());
    asked.dedup();
    Err(Refusal::Missing(asked.iter().map(named).collect()))
}
