//! Solves a relation for one of its inputs: the value of the goal at which another quantity has its given value.
//!
//! Only where no relation leads to the goal directly. The answer is taken only if it is the only one in range.

use crate::graph::{Known, Step, derive};
use crate::roots::brent;
use crate::variable::{Unit, Variable};

/// A value of the goal, and how the given quantity follows from it.
#[derive(Clone, Debug)]
pub struct Sought {
    pub value: f64,
    /// The given quantity that it makes come out.
    pub matched: Variable,
    pub given: f64,
    /// The steps from the goal to that quantity.
    pub steps: Vec<Step>,
}

/// How near the quantity comes to its given value.
const RESIDUAL: f64 = 1e-7;

/// The value of the goal that fits the known values, through the relation that uses most of them.
#[must_use]
pub fn seek(known: &Known, goal: Variable) -> Option<Sought> {
    let grid = grid(goal);
    let sample = *grid.get(grid.len() * 2 / 3)?;
    let mut best: Option<(usize, Variable, f64)> = None;
    for (&matched, &given) in known {
        if matched == goal || matched.unit() == Unit::Mark {
            continue;
        }
        let Some(steps) = forward(known, goal, matched, sample).map(|(_, steps)| steps) else {
            continue;
        };
        let uses = |variable: &Variable| {
            steps
                .iter()
                .any(|step| step.inputs.iter().any(|(input, _)| input == variable))
        };
        if !uses(&goal) {
            continue;
        }
        // A reading of one quantity as another is a worse reason than a definition.
        let assumed = steps.iter().filter(|step| step.assumption).count();
        let score = (100 * known.keys().filter(|variable| uses(variable)).count()).saturating_sub(assumed);
        if best.is_none_or(|(most, ..)| score > most) {
            best = Some((score, matched, given));
        }
    }
    let (_, matched, given) = best?;
    let gap = |value: f64| forward(known, goal, matched, value).map_or(f64::NAN, |(found, _)| found - given);
    let scale = given.abs().max(1e-9);
    let mut found: Vec<f64> = Vec::new();
    let gaps: Vec<(f64, f64)> = grid.iter().map(|value| (*value, gap(*value))).collect();
    for pair in gaps.windows(2) {
        let &[(low, below), (high, above)] = pair else {
            continue;
        };
        if below == 0.0 {
            found.push(low);
        } else if below * above < 0.0
            && let Some(root) = brent(gap, low, high)
            // A sign also changes at a pole.
            && gap(root).abs() <= RESIDUAL * scale
        {
            found.push(root);
        }
    }
    let &[value] = found.as_slice() else { return None };
    let (_, steps) = forward(known, goal, matched, value)?;
    Some(Sought {
        value,
        matched,
        given,
        steps,
    })
}

/// The quantity that follows from the known values without its own, and from a value of the goal.
fn forward(known: &Known, goal: Variable, matched: Variable, value: f64) -> Option<(f64, Vec<Step>)> {
    let mut trial = known.clone();
    trial.remove(&matched);
    trial.insert(goal, value);
    derive(&trial, matched).filter(|(value, _)| value.is_finite())
}

/// Rates that may be below zero.
const CHANGES: &[Variable] = &[
    Variable::GrowthRate,
    Variable::InflationRate,
    Variable::NoiGrowth,
    Variable::RentGrowth,
    Variable::TradeOut,
    Variable::ValueChange,
];

/// Values to look between, in order.
fn grid(goal: Variable) -> Vec<f64> {
    let steps = |from: f64, to: f64, count: i32| -> Vec<f64> {
        let ratio = (to / from).ln() / f64::from(count);
        (0..=count)
            .map(|at| from * (ratio * f64::from(at)).exp())
            .collect()
    };
    match goal.unit() {
        Unit::Money => steps(0.01, 1e12, 56),
        Unit::MoneyPerArea => steps(1e-3, 1e5, 40),
        Unit::Percent if CHANGES.contains(&goal) => {
            let below = steps(1e-4, 0.9, 12).into_iter().rev().map(|value| -value);
            below.chain([0.0]).chain(steps(1e-5, 10.0, 36)).collect()
        }
        Unit::Percent => steps(1e-5, 10.0, 36),
        Unit::Ratio | Unit::Multiple => steps(1e-3, 1e3, 30),
        Unit::Years => steps(0.01, 200.0, 30),
        Unit::Months | Unit::Days => steps(0.1, 2_400.0, 30),
        Unit::Area | Unit::Count => steps(0.1, 1e8, 40),
        Unit::BasisPoints => steps(0.01, 1e4, 30),
        Unit::Mark => Vec::new(),
    }
}
