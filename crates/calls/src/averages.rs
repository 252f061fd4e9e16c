//! Average remaining terms of several leases, weighted by area or by rent, and the term that leads to an average.

use chrono::NaiveDate;
use finance::lease::weighted_term;
use finance::targets::lease_term;
use finance::variable::Unit;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::amount::{Measure, Period, read};
use crate::reader::Reader;
use crate::result::{Computed, Figure, Outcome, Refusal, Step};
use crate::written::Written;

/// Most leases.
const MOST: usize = 600;

/// A lease of an average.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tenancy {
    pub rent: Option<Written>,
    /// Area or share.
    pub area: Option<Written>,
    pub remaining: Option<Written>,
    /// With as_of, instead of remaining.
    #[serde(alias = "end")]
    pub end_date: Option<Written>,
}

/// The averages in years or months that the leases have the weights for; by area first. With a `target`, the term of
/// the one lease that has none, so that the average comes to it.
///
/// # Errors
/// Leases without a remaining term or without a weight that all of them have; with a target, more than one without a
/// term or none, or a term that would be negative.
pub fn averages(
    leases: &[Tenancy],
    as_of: Option<&Written>,
    target: Option<&Written>,
    reader: &mut Reader<'_>,
) -> Outcome {
    if leases.is_empty() {
        return Err(Refusal::missing(&[(
            "leases",
            "leases with area or rent and remaining term",
            false,
        )]));
    }
    if leases.len() > MOST {
        return Err(Refusal::failure("too_many", "There are more than 600 leases."));
    }
    let today = as_of.map(|as_of| reader.date("as_of", as_of)).transpose()?;
    // "18 months, 30 and 60": a bare number is in the unit of the others, and so is the average of months.
    let measures = || {
        leases
            .iter()
            .filter_map(|lease| lease.remaining.as_ref())
            .filter_map(period)
    };
    let months = measures().next() == Some(Period::Month) && measures().all(|period| period == Period::Month);
    let (unit, times) = if months { ("months", 12.0) } else { ("years", 1.0) };
    let bare = |written: &Written| if period(written).is_none() { times } else { 1.0 };
    let wanted = match target {
        Some(target) => Some(reader.value("target_average", target, Unit::Years)? / bare(target)),
        None => None,
    };
    let (mut areas, mut rents) = (Vec::new(), Vec::new());
    for lease in leases {
        let open = wanted.is_some() && lease.remaining.is_none() && lease.end_date.is_none();
        let left = match &lease.remaining {
            _ if open => None,
            remaining => Some(lease.remaining(today, reader)? / remaining.as_ref().map_or(1.0, bare)),
        };
        if let Some(area) = &lease.area {
            areas.push((weight(reader, area)?, left));
        }
        if let Some(rent) = &lease.rent {
            let weight = match reader.flow("rent", rent, Period::Year) {
                Err(Refusal::Failure(_)) => reader.value("rent", rent, Unit::Percent)?,
                other => other?,
            };
            rents.push((weight, left));
        }
    }
    let mut computed = Computed::default();
    for (name, label, weights) in [
        ("wale_by_area", "average remaining term by area", areas),
        ("wale_by_rent", "average remaining term by rent", rents),
    ] {
        if weights.len() != leases.len() {
            continue;
        }
        if let Some(wanted) = wanted {
            let term = lacking(wanted, &weights)? * times;
            let inputs = [
                ("target_average", wanted * times),
                ("leases", weights.len() as f64),
            ];
            let formula = "(target × Σ weight − Σ(weight × remaining) of the others) ÷ its weight";
            let step = Step::new("lease_term", formula, term, &inputs);
            let figure = Figure::new("lease_term", "term of the lease without one", term, unit)
                .meaning("Expired terms count as zero.");
            return Ok(Computed {
                figures: vec![figure],
                steps: vec![step],
                ..Computed::default()
            });
        }
        let known = known(&weights);
        let value = weighted_term(&known)? * times;
        let total: f64 = known.iter().map(|(weight, _)| weight).sum();
        let inputs = [("leases", weights.len() as f64), ("Σ weight", total)];
        computed.steps.push(Step::new(
            name,
            "Σ(weight × remaining) ÷ Σ weight",
            value,
            &inputs,
        ));
        computed
            .figures
            .push(Figure::new(name, label, value, unit).meaning("Expired terms count as zero."));
    }
    if computed.figures.is_empty() {
        return Err(Refusal::missing(&[("area", "area or rent of each lease", false)]));
    }
    Ok(computed)
}

/// The leases with a remaining term.
fn known(weights: &[(f64, Option<f64>)]) -> Vec<(f64, f64)> {
    let both = |(weight, left): &(f64, Option<f64>)| Some((*weight, (*left)?));
    weights.iter().filter_map(both).collect()
}

/// The years of the one lease without a term at which the average is `wanted` years.
fn lacking(wanted: f64, weights: &[(f64, Option<f64>)]) -> Result<f64, Refusal> {
    let mut open = weights.iter().filter(|(_, left)| left.is_none());
    let (Some((weight, _)), None) = (open.next(), open.next()) else {
        let what = "target_average: exactly one lease must have no remaining term.";
        return Err(Refusal::failure("bad_arguments", what));
    };
    let known = known(weights);
    let others: f64 = known.iter().map(|(weight, _)| weight).sum();
    Ok(lease_term(wanted, others, weighted_term(&known)?, *weight)?)
}

impl Tenancy {
    /// Years left; never negative.
    fn remaining(&self, today: Option<NaiveDate>, reader: &mut Reader<'_>) -> Result<f64, Refusal> {
        match (&self.remaining, &self.end_date, today) {
            (Some(remaining), ..) => Ok(reader.value("remaining", remaining, Unit::Years)?.max(0.0)),
            (None, Some(end), Some(today)) => {
                let end = reader.date("end_date", end)?;
                Ok(((end - today).num_days() as f64 / 365.0).max(0.0))
            }
            (None, end, _) => Err(Refusal::missing(&[
                ("remaining", "remaining term, or end_date", end.is_some()),
                ("as_of", "date of the average", end.is_none()),
            ])),
        }
    }
}

/// The unit in which a term is written.
fn period(remaining: &Written) -> Option<Period> {
    match read(&remaining.text(), Unit::Years)?.measure {
        Some(Measure::Time(period)) => Some(period),
        _ => None,
    }
}

/// An area, or a share of one.
fn weight(reader: &mut Reader<'_>, area: &Written) -> Result<f64, Refusal> {
    if read(&area.text(), Unit::Percent).is_some_and(|amount| amount.measure == Some(Measure::Percent)) {
        return reader.value("area", area, Unit::Percent);
    }
    reader.value("area", area, Unit::Area)
}
