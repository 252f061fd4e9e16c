//! The planner over the relations: derives a wanted value from known ones and records each step, or finds the
//! smallest set of missing inputs.
//!
//! Independent of the wording of questions and of the source of values.

use std::collections::BTreeMap;

use crate::fault::Fault;
use crate::relations::all::{Scope, relations, usual_first};
use crate::relations::relation::{Form, Relation};
use crate::variable::Variable;

/// Values by variable, each in the variable's unit.
pub type Known = BTreeMap<Variable, f64>;

/// One computed value.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub output: Variable,
    pub value: f64,
    pub formula: &'static str,
    pub definition: &'static str,
    pub assumption: bool,
    pub inputs: Vec<(Variable, f64)>,
}

/// The result of the planner.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// The value and the steps that compute it, in order. There is no step if the value was given.
    Solved { value: f64, steps: Vec<Step> },
    /// The inputs to ask for, the most usual way first. Empty if no way is known.
    Missing(Vec<Variable>),
    /// The inputs are known, but the calculation has no result.
    Fault(Fault),
}

/// A given value that contradicts the other given values.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradiction {
    pub variable: Variable,
    pub given: f64,
    pub implied: f64,
    pub formula: &'static str,
}

/// Values may differ by rounding. Above this relative difference they contradict each other.
const TOLERANCE: f64 = 0.01;

/// Computes the wanted variable from the known ones.
#[must_use]
pub fn solve(known: &Known, goal: Variable) -> Plan {
    plan(known, goal, Scope::Usual)
}

/// Like `solve`, also over the composed relations: steps that several definitions share, and readings of one
/// quantity as another, which the steps name as assumptions. For callers that name each value exactly.
#[must_use]
pub fn compose(known: &Known, goal: Variable) -> Plan {
    plan(known, goal, Scope::Composed)
}

/// Like `compose`, without a search for what is missing: the value and its steps, if they follow.
#[must_use]
pub fn derive(known: &Known, goal: Variable) -> Option<(f64, Vec<Step>)> {
    let closure = Closure::of(known, Some(goal), Scope::Composed);
    let value = closure.values.get(&goal).copied()?;
    Some((value, closure.steps_to(goal)))
}

fn plan(known: &Known, goal: Variable, scope: Scope) -> Plan {
    let closure = Closure::of(known, Some(goal), scope);
    if let Some(&value) = closure.values.get(&goal) {
        return Plan::Solved {
            value,
            steps: closure.steps_to(goal),
        };
    }
    if let Some((_, fault)) = closure.faults.iter().find(|(output, _)| *output == goal) {
        return Plan::Fault(fault.clone());
    }
    let search = Search {
        known: &closure.values,
        scope,
    };
    let found = search.best(goal, &[], 4);
    if let Some(way) = &found
        && way.missing.is_empty()
    {
        // All inputs are known, but a step on the way failed.
        if let Some((_, fault)) = closure.faults.first() {
            return Plan::Fault(fault.clone());
        }
    }
    Plan::Missing(found.map(|way| way.missing).unwrap_or_default())
}

/// The first given value that contradicts the others, if any.
#[must_use]
pub fn contradiction(known: &Known) -> Option<Contradiction> {
    let closure = Closure::of(known, None, Scope::Usual);
    for relation in relations(Scope::Usual).filter(|relation| !relation.assumption) {
        for form in relation.forms {
            // If price and value are both given, there are two valid cap rates.
            let two_bases = known.contains_key(&Variable::Price) && known.contains_key(&Variable::Value);
            let capital = form.inputs.contains(&Variable::CapRate) || form.output == Variable::CapRate;
            if two_bases && capital || shadowed(form, &closure.values) {
                continue;
            }
            let Some(&given) = closure.values.get(&form.output) else {
                continue;
            };
            let Some(inputs) = closure.inputs(form) else {
                continue;
            };
            let values: Vec<f64> = inputs.iter().map(|(_, value)| *value).collect();
            let Ok(implied) = (form.compute)(&values) else {
                continue;
            };
            if (implied - given).abs() > TOLERANCE * implied.abs().max(given.abs()) {
                return Some(Contradiction {
                    variable: form.output,
                    given,
                    implied,
                    formula: form.formula,
                });
            }
        }
    }
    None
}

/// Inputs that select the more specific of several forms.
const SPECIAL: &[Variable] = &[
    Variable::SimplePref,
    Variable::InAdvance,
    Variable::Perpetual,
    Variable::CatchUpShare,
    Variable::HurdleRate,
];

/// Whether a more specific form replaces this one, because an optional input is known.
fn shadowed(form: &Form, known: &Known) -> bool {
    match form.output {
        Variable::Paid => known.contains_key(&Variable::IoYears) && !form.inputs.contains(&Variable::IoYears),
        Variable::CashFlow => {
            known.contains_key(&Variable::Reserves) && !form.inputs.contains(&Variable::Reserves)
        }
        Variable::Payment => {
            known.contains_key(&Variable::InterestOnly) && form.inputs.contains(&Variable::Payments)
        }
        // Simple interest, payment in advance, discounting, or another tier each have a more specific form.
        Variable::NetEffectiveRent | Variable::NetEffectiveAnnual => [
            Variable::DiscountRate,
            Variable::CashConcession,
            Variable::StepYears,
            Variable::YearEndRent,
        ]
        .iter()
        .any(|mark| known.contains_key(mark) && !form.inputs.contains(mark)),
        // A dollar step of a monthly rent is not a step of the annual rent.
        Variable::AnnualRent | Variable::TotalRent => {
            known.contains_key(&Variable::BaseMonthlyRent)
                && form.inputs.contains(&Variable::StepAmount)
                && !form.inputs.contains(&Variable::BaseMonthlyRent)
        }
        Variable::ImpliedIrr => {
            known.contains_key(&Variable::EvenReturns) && !form.inputs.contains(&Variable::EvenReturns)
        }
        Variable::PercentageRent => {
            known.contains_key(&Variable::AgreedBreakpoint)
                && !form.inputs.contains(&Variable::AgreedBreakpoint)
        }
        Variable::AccruedPref
        | Variable::PresentValue
        | Variable::LevelAmount
        | Variable::FutureValue
        | Variable::PartnersDistribution
        | Variable::SponsorDistribution
        | Variable::Promote => SPECIAL
            .iter()
            .any(|mark| known.contains_key(mark) && !form.inputs.contains(mark)),
        _ => false,
    }
}

/// Everything that can be derived from the known values.
struct Closure<'a> {
    scope: Scope,
    given: &'a Known,
    values: Known,
    steps: Vec<Step>,
    faults: Vec<(Variable, Fault)>,
}

impl<'a> Closure<'a> {
    fn of(known: &'a Known, goal: Option<Variable>, scope: Scope) -> Self {
        let mut closure = Self {
            scope,
            given: known,
            values: known.clone(),
            steps: Vec::new(),
            faults: Vec::new(),
        };
        // Compute the goal where possible, even if the question also gives a value for it.
        if let Some(goal) = goal {
            closure.values.remove(&goal);
        }
        while closure.layer(false) || closure.layer(true) {
            if goal.is_some_and(|goal| closure.values.contains_key(&goal)) {
                break;
            }
        }
        if let Some(goal) = goal
            && !closure.values.contains_key(&goal)
            && let Some(&given) = known.get(&goal)
        {
            closure.values.insert(goal, given);
        }
        closure
    }

    /// Derives values in one step. Assumptions are made one at a time.
    fn layer(&mut self, assumptions: bool) -> bool {
        let before = self.values.clone();
        for relation in relations(self.scope).filter(|relation| relation.assumption == assumptions) {
            for form in relation.forms {
                if self.values.contains_key(&form.output) || shadowed(form, &before) {
                    continue;
                }
                // A cap rate that was derived from the price would only lead back to the price.
                let circular = form.output == Variable::Value
                    && form.inputs.contains(&Variable::CapRate)
                    && before.contains_key(&Variable::Price)
                    && !self.given.contains_key(&Variable::CapRate);
                if !circular && form.inputs.iter().all(|input| before.contains_key(input)) {
                    self.apply(relation, form);
                    if assumptions && self.values.contains_key(&form.output) {
                        return true;
                    }
                }
            }
        }
        self.values.len() > before.len()
    }

    fn apply(&mut self, relation: &Relation, form: &Form) {
        let Some(inputs) = self.inputs(form) else { return };
        let values: Vec<f64> = inputs.iter().map(|(_, value)| *value).collect();
        match (form.compute)(&values) {
            Ok(value) => {
                self.values.insert(form.output, value);
                self.steps.push(Step {
                    output: form.output,
                    value,
                    formula: form.formula,
                    definition: relation.definition,
                    assumption: relation.assumption,
                    inputs,
                });
            }
            Err(fault) => {
                let entry = (form.output, fault);
                if !self.faults.contains(&entry) {
                    self.faults.push(entry);
                }
            }
        }
    }

    fn inputs(&self, form: &Form) -> Option<Vec<(Variable, f64)>> {
        form.inputs
            .iter()
            .map(|input| self.values.get(input).map(|value| (*input, *value)))
            .collect()
    }

    /// The steps that the goal depends on, in the order in which they were computed.
    fn steps_to(&self, goal: Variable) -> Vec<Step> {
        let mut needed = vec![goal];
        let mut steps: Vec<Step> = Vec::new();
        for step in self.steps.iter().rev() {
            if needed.contains(&step.output) {
                needed.extend(step.inputs.iter().map(|(input, _)| *input));
                steps.push(step.clone());
            }
        }
        steps.reverse();
        steps
    }
}

/// A way to compute the goal: the inputs it lacks and those it uses.
#[derive(Clone)]
struct Way {
    missing: Vec<Variable>,
    used: Vec<Variable>,
    steps: usize,
}

/// Whether the way lacks one input, which is not a ratio, and uses a known value that the form does not.
fn completes(way: &Way, form: &Form) -> bool {
    let [only] = way.missing.as_slice() else {
        return false;
    };
    let ratio = matches!(
        only,
        Variable::DebtYield
            | Variable::Ltv
            | Variable::Ltc
            | Variable::Dscr
            | Variable::Grm
            | Variable::CapRate
    );
    !ratio && way.used.iter().any(|used| !form.inputs.contains(used))
}

/// Searches for the way that lacks the fewest inputs, and among those for the one that uses the most known
/// values.
struct Search<'a> {
    known: &'a Known,
    scope: Scope,
}

impl Search<'_> {
    fn best(&self, goal: Variable, path: &[Variable], depth: usize) -> Option<Way> {
        let mut best: Option<Way> = None;
        for form in usual_first(self.scope).flat_map(|relation| relation.forms) {
            if form.output != goal || shadowed(form, self.known) {
                continue;
            }
            let Some(way) = self.through(form, goal, path, depth) else {
                continue;
            };
            let better = best.as_ref().is_none_or(|known| {
                (way.missing.len(), known.used.len(), way.steps)
                    < (known.missing.len(), way.used.len(), known.steps)
            });
            if better {
                best = Some(way);
            }
        }
        best
    }

    fn through(&self, form: &Form, goal: Variable, path: &[Variable], depth: usize) -> Option<Way> {
        let mut way = Way {
            missing: Vec::new(),
            used: Vec::new(),
            steps: 1,
        };
        let mut path = path.to_vec();
        path.push(goal);
        if !self.known.contains_key(&Variable::Payment) && !self.known.contains_key(&Variable::DebtService) {
            // A question about payments means that they are unknown, so ask for loan, rate and amortization.
            let asks_payment = form.output == Variable::Payments && form.inputs.contains(&Variable::Payment);
            let asks_service =
                form.output == Variable::Payment && form.inputs.contains(&Variable::DebtService);
            if asks_payment || asks_service {
                return None;
            }
        }
        for &input in form.inputs {
            if self.known.contains_key(&input) {
                way.used.push(input);
                continue;
            }
            if path.contains(&input) {
                return None;
            }
            let derived = if depth > 0 {
                self.best(input, &path, depth - 1)
            } else {
                None
            };
            match derived {
                // Prefer to ask for the quantity itself, unless one other input completes given values for
                // it.
                Some(deeper) if !input.askable() || completes(&deeper, form) => {
                    way.used.extend(
                        deeper
                            .used
                            .iter()
                            .filter(|used| !way.used.contains(used))
                            .copied()
                            .collect::<Vec<_>>(),
                    );
                    way.steps += deeper.steps;
                    for variable in deeper.missing {
                        if !way.missing.contains(&variable) {
                            way.missing.push(variable);
                        }
                    }
                }
                _ if input.askable() => way.missing.push(input),
                _ => return None,
            }
        }
        Some(way)
    }
}
