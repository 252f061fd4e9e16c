//! `lease`: rents over time, net effective rents, and average remaining terms.

use finance::lease::{indexed, stepped};
use finance::variable::Unit;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::amount::{Basis, Measure, Period, read};
use crate::averages::{Tenancy, averages};
use crate::call::Call;
use crate::reader::Reader;
use crate::rents::{Deal, Per, Want};
use crate::result::{Outcome, Refusal, Step};
use crate::written::Written;

/// The longest term in years.
const MOST: u32 = 50;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lease {
    /// rent: of `year`, per `per`.
    pub want: Want,
    /// Of the first year.
    pub rent: Option<Written>,
    pub per: Option<Per>,
    pub area: Option<Written>,
    pub term: Option<Written>,
    /// Percent or amount of each step.
    pub increase: Option<Written>,
    /// Years between steps; 1 if absent.
    pub every: Option<Written>,
    /// Rents from a lease year on.
    pub steps: Option<Vec<Stage>>,
    /// Index changes by year, from the second.
    pub index: Option<Vec<Written>>,
    /// Part of each change that counts.
    pub index_share: Option<Written>,
    pub floor: Option<Written>,
    pub cap: Option<Written>,
    pub free_months: Option<Written>,
    pub improvements: Option<Written>,
    /// Amount, or percent of the rent of the term.
    pub commission: Option<Written>,
    /// Rents are then discounted monthly in arrears.
    pub discount_rate: Option<Written>,
    pub year: Option<Written>,
    /// For weighted_average_term.
    pub leases: Option<Vec<Tenancy>>,
    pub as_of: Option<Written>,
    /// Solves for the one lease without remaining.
    pub target_average: Option<Written>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    #[serde(alias = "from", alias = "from_year")]
    pub year: Written,
    pub rent: Written,
}

impl Call for Lease {
    const NAME: &'static str = "lease";
    const DESCRIPTION: &'static str =
        "Rent of a year, total and net effective rent of a lease; average term of several.";
    const EXAMPLE: &'static str = r#"{"want":"net_effective_rent","rent":"$27",
        "per":"area_year","term":"6 yr","increase":"2%",
        "free_months":"4 months","improvements":"$35/sf"}"#;

    fn run(self, reader: &mut Reader<'_>) -> Outcome {
        if self.want == Want::WeightedAverageTerm {
            return averages(
                self.leases.as_deref().unwrap_or_default(),
                self.as_of.as_ref(),
                self.target_average.as_ref(),
                reader,
            );
        }
        let deal = self.deal(reader)?;
        if self.want == Want::Rent {
            return deal.rent_of(self.asked_year(reader)?);
        }
        let months = deal.months()?;
        let costs = self.costs(reader, &deal, months.iter().sum())?;
        let rate = reader.maybe("discount_rate", self.discount_rate.as_ref(), Unit::Percent)?;
        deal.valued(self.want, &months, costs, rate)
    }
}

impl Lease {
    fn deal(&self, reader: &mut Reader<'_>) -> Result<Deal, Refusal> {
        let rent = self
            .rent
            .as_ref()
            .ok_or_else(|| Refusal::missing(&[("rent", "rent of the first year", false)]))?;
        let area = reader.maybe("area", self.area.as_ref(), Unit::Area)?;
        reader.area = area;
        let months = match &self.term {
            Some(term) => self.whole_months(reader, term)?,
            None => 0,
        };
        let per = self.base(reader, rent)?;
        let first = yearly(reader, "rent", rent, per)?;
        let asked = match &self.year {
            Some(year) => reader.whole_number("year", year, Unit::Count, MOST)?,
            None if self.want == Want::Rent => self.asked_year(reader).unwrap_or(0),
            None => 0,
        };
        let prints = self.index.as_ref().map_or(0, Vec::len);
        if prints > MOST as usize
            || self
                .steps
                .as_ref()
                .is_some_and(|steps| steps.len() > MOST as usize)
        {
            return Err(Refusal::failure("too_many", "A lease has at most 50 years."));
        }
        let count = months.div_ceil(12).max(asked).max(prints as u32 + 1);
        Ok(Deal {
            per,
            area,
            yearly: self.rents(reader, first, per, count)?,
            months,
            free: reader
                .maybe("free_months", self.free_months.as_ref(), Unit::Months)?
                .unwrap_or(0.0),
        })
    }

    fn whole_months(&self, reader: &mut Reader<'_>, term: &Written) -> Result<u32, Refusal> {
        let months = reader.value("term", term, Unit::Years)? * 12.0;
        if (months - months.round()).abs() > 1e-6 || !(1.0..=f64::from(12 * MOST)).contains(&months) {
            let what = format!(
                "term: \"{}\" must be whole months, at most 50 years.",
                term.text()
            );
            return Err(Refusal::failure("bad_value", what));
        }
        Ok(months.round() as u32)
    }

    /// What the rent is for, as said or as the text of the rent says.
    fn base(&self, reader: &mut Reader<'_>, rent: &Written) -> Result<Per, Refusal> {
        let fitted = reader.fitted("rent", rent, Unit::Money)?;
        let month = fitted.period == Some(Period::Month);
        match (self.per, fitted.basis) {
            (Some(Per::Year), Some(Basis::Area)) => Ok(Per::AreaYear),
            (Some(Per::Month), Some(Basis::Area)) => Ok(Per::AreaMonth),
            (Some(per), _) => Ok(per),
            (None, Some(Basis::Area)) => Ok(if month { Per::AreaMonth } else { Per::AreaYear }),
            (None, _) if fitted.period.is_some() => Ok(if month { Per::Month } else { Per::Year }),
            (None, _) => Err(Refusal::missing(&[(
                "per",
                "year, month, area_year or area_month",
                false,
            )])),
        }
    }

    /// The rent of each lease year.
    fn rents(&self, reader: &mut Reader<'_>, first: f64, per: Per, count: u32) -> Result<Vec<f64>, Refusal> {
        let every = match &self.every {
            Some(every) => reader.whole_number("every", every, Unit::Years, MOST)?.max(1),
            None => 1,
        };
        if let Some(index) = &self.index {
            let share = reader.maybe("index_share", self.index_share.as_ref(), Unit::Percent)?;
            if share.is_some_and(|share| share < 0.0) {
                let what = "index_share: must not be negative.";
                return Err(Refusal::failure("bad_value", what));
            }
            let mut readings = Vec::new();
            for print in index {
                readings.push(share.unwrap_or(1.0) * reader.value("index", print, Unit::Percent)?);
            }
            let floor = reader.maybe("floor", self.floor.as_ref(), Unit::Percent)?;
            let cap = reader.maybe("cap", self.cap.as_ref(), Unit::Percent)?;
            let later = indexed(first, &readings, floor, cap)?;
            let last = later.last().copied().unwrap_or(first);
            let known: Vec<f64> = std::iter::once(first).chain(later).collect();
            return Ok((0..count as usize)
                .map(|at| known.get(at).copied().unwrap_or(last))
                .collect());
        }
        if let Some(steps) = &self.steps {
            let mut stages = vec![(1, first)];
            for step in steps {
                let year = reader.whole_number("year", &step.year, Unit::Count, MOST)?;
                stages.push((year, yearly(reader, "rent", &step.rent, per)?));
            }
            let of = |year: u32| {
                stages
                    .iter()
                    .filter(|(from, _)| *from <= year)
                    .max_by_key(|(from, _)| *from)
            };
            return Ok((1..=count)
                .map(|year| of(year).map_or(first, |(_, rent)| *rent))
                .collect());
        }
        let Some(increase) = &self.increase else {
            return Ok(vec![first; count as usize]);
        };
        if self.in_percent(increase) {
            let rise = reader.value("increase", increase, Unit::Percent)?;
            return Ok((1..=count)
                .map(|year| stepped(first, rise, year, every))
                .collect::<Result<_, _>>()?);
        }
        let step = yearly(reader, "increase", increase, per)?;
        Ok((1..=count)
            .map(|year| first + step * f64::from((year - 1) / every))
            .collect())
    }

    /// A bare number is a percentage unless it is too large for one.
    fn in_percent(&self, increase: &Written) -> bool {
        read(&increase.text(), Unit::Money).is_none_or(|amount| match amount.measure {
            Some(measure) => matches!(measure, Measure::Percent | Measure::BasisPoints),
            None => {
                amount.currency.is_none()
                    && amount.basis.is_none()
                    && amount.period.is_none()
                    && amount.number * if amount.fraction { 100.0 } else { 1.0 } <= 25.0
            }
        })
    }

    fn asked_year(&self, reader: &mut Reader<'_>) -> Result<u32, Refusal> {
        match (&self.year, &self.index) {
            (Some(year), _) => reader.whole_number("year", year, Unit::Count, MOST),
            (None, Some(index)) => Ok(index.len() as u32 + 1),
            (None, None) if self.increase.is_some() && self.term.is_none() => {
                let year = match &self.every {
                    Some(every) => reader.whole_number("every", every, Unit::Years, MOST - 1)? + 1,
                    None => 2,
                };
                let sentence = "the rent after one increase";
                reader
                    .steps
                    .push(Step::assumed("year", sentence, f64::from(year)));
                Ok(year)
            }
            (None, None) => Err(Refusal::missing(&[("year", "lease year", false)])),
        }
    }

    /// Improvements and commission on the base of the rent.
    fn costs(&self, reader: &mut Reader<'_>, deal: &Deal, rents: f64) -> Result<f64, Refusal> {
        let mut costs = 0.0;
        for (name, written) in [
            ("improvements", &self.improvements),
            ("commission", &self.commission),
        ] {
            let Some(written) = written else { continue };
            let share = reader.is_share(written);
            costs += if share {
                reader.value(name, written, Unit::Percent)? * rents
            } else {
                self.cost(reader, name, written, deal)?
            };
        }
        Ok(costs)
    }

    fn cost(
        &self,
        reader: &mut Reader<'_>,
        name: &str,
        written: &Written,
        deal: &Deal,
    ) -> Result<f64, Refusal> {
        let fitted = reader.fitted(name, written, Unit::Money)?;
        let by_area = deal.per.by_area();
        // Nobody pays a thousand dollars per square foot: a bare amount of that size is a total.
        let total = fitted.basis.is_none() && (!by_area || fitted.value.abs() >= 1_000.0);
        if by_area && fitted.basis.is_none() {
            let sentence = if total {
                "taken as a total"
            } else {
                "taken per square foot"
            };
            reader.steps.push(Step::assumed(
                name,
                &format!("\"{}\" is {sentence}", written.text()),
                fitted.value,
            ));
        }
        match (total, by_area, deal.area) {
            (true, false, _) | (false, true, _) => Ok(fitted.value),
            (_, _, None) => Err(Refusal::missing(&[("area", "area in square feet", false)])),
            (true, true, Some(area)) => Ok(fitted.value / area),
            (false, false, Some(area)) => Ok(fitted.value * area),
        }
    }
}

/// A rent for each year on the base of `per`.
fn yearly(reader: &mut Reader<'_>, name: &str, rent: &Written, per: Per) -> Result<f64, Refusal> {
    let fitted = reader.fitted(name, rent, Unit::Money)?;
    let period = if per.by_month() {
        Period::Month
    } else {
        Period::Year
    };
    let value = reader.per(name, fitted.value, fitted.period, period);
    let value = if per.by_area() {
        value
    } else {
        reader.whole(name, value, fitted.basis)?
    };
    Ok(value * if per.by_month() { 12.0 } else { 1.0 })
}
