//! The figures of the portfolio overview pages: each building, the total, and the development by month.
//!
//! The sums are read once, and every figure uses the formula of its metric.

use std::collections::BTreeMap;

use crate::base::error::Result;
use crate::portfolio::metrics::facts::{Facts, Params};
use crate::portfolio::metrics::loading;
use crate::portfolio::metrics::scope::Scope;
use crate::portfolio::metrics::service::View;
use crate::portfolio::metrics::store;
use crate::portfolio::metrics::within::{Reach, UnitFilter};
use finance::portfolio::calendar::{Month, Span};
use finance::portfolio::metric::Metric;
use finance::portfolio::query::{Coverage, Only, Property};

/// Number of months in the income figures.
const YEAR: i32 = 12;

/// The portfolio overview.
#[derive(Clone, Debug)]
pub struct Overview {
    /// Absent if nothing has been imported.
    pub coverage: Option<Coverage>,
    pub buildings: Vec<(Property, CurrentFigures)>,
    /// The total of all buildings. Amounts are meaningful only if all use one currency.
    pub all: CurrentFigures,
    /// Every month that the data covers.
    pub months: BTreeMap<Month, MonthFigures>,
    /// Warnings about gaps in the data.
    pub warnings: Vec<String>,
}

/// Figures as of the end of the last month with units. A figure that is undefined is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CurrentFigures {
    pub units: f64,
    pub rentable: f64,
    pub occupied: f64,
    pub occupancy: Option<f64>,
    /// Monthly rent.
    pub rent: Option<f64>,
    /// NOI of the twelve months up to that date.
    pub noi: Option<f64>,
    pub debt: f64,
    pub ltv: Option<f64>,
}

/// The figures of one month.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MonthFigures {
    pub occupancy: Option<f64>,
    pub noi: Option<f64>,
}

impl View {
    pub async fn overview(&mut self) -> Result<Overview> {
        let visible = self.visible.clone();
        let at = Reach {
            org: self.org,
            buildings: &visible,
        };
        let properties = store::buildings(&mut self.snapshot, at).await?;
        let coverage = store::coverage(&mut self.snapshot, self.org).await?;
        let Some(roll) = coverage
            .map(|coverage| coverage.roll)
            .filter(|_| !properties.is_empty())
        else {
            let buildings = properties.into_iter().map(|one| (one, CurrentFigures::default()));
            return Ok(Overview {
                coverage,
                buildings: buildings.collect(),
                all: CurrentFigures::default(),
                months: BTreeMap::new(),
                warnings: Vec::new(),
            });
        };
        let accounts = store::accounts(&mut self.snapshot, self.org).await?;
        let scope = Scope::new(at, &properties, &accounts);
        let year = Span::ending(roll.to, YEAR);
        let day = roll.to.last_day();
        let only = Only::default();
        let which = UnitFilter {
            space: None,
            only: &only,
        };
        let snapshot = &mut self.snapshot;
        let course = Facts {
            rolls: store::rolls(snapshot, at, roll, which).await?,
            ledger: loading::posted(snapshot, &scope, roll, true).await?,
            ..Facts::default()
        };
        let total = Facts {
            buildings: properties.iter().map(|one| one.id.clone()).collect(),
            rolls: course.of_month(roll.to).rolls,
            ledger: loading::posted(snapshot, &scope, year, false).await?,
            loans: loading::owed(snapshot, at, day, None, &only).await?,
            values: loading::worth(snapshot, at, day).await?,
            ..Facts::default()
        };
        let (is_covered, warnings) = match loading::ledger_gaps(snapshot, &scope, year).await? {
            Ok(warnings) => (true, warnings),
            Err(_) if total.ledger.is_empty() => (false, Vec::new()),
            Err(why) => (
                false,
                vec![format!("No net operating income of twelve months: {why}.")],
            ),
        };
        let asked = |metric| Params {
            metric,
            day,
            window: None,
            account: None,
            levered: false,
            factor: 1.0,
            // The currency is only needed for the names of units.
            currency: "",
        };
        let glance = |facts: &Facts| {
            let value = |metric| facts.measure(&asked(metric)).ok().map(|point| point.value);
            CurrentFigures {
                units: value(Metric::Units).unwrap_or_default(),
                rentable: value(Metric::RentableUnits).unwrap_or_default(),
                occupied: value(Metric::OccupiedUnits).unwrap_or_default(),
                occupancy: value(Metric::Occupancy),
                rent: value(Metric::MonthlyRent),
                noi: value(Metric::Noi).filter(|_| is_covered),
                debt: value(Metric::TotalDebt).unwrap_or_default(),
                ltv: value(Metric::Ltv),
            }
        };
        let mut by_building = total.sorted(|building, _| Some(building.to_owned()));
        let months = course
            .sorted(|_, month| month.map(Month::of))
            .into_iter()
            .map(|(month, facts)| {
                let value = |metric| facts.measure(&asked(metric)).ok().map(|point| point.value);
                let course = MonthFigures {
                    occupancy: value(Metric::Occupancy),
                    noi: value(Metric::Noi),
                };
                (month, course)
            })
            .collect();
        let all = glance(&total);
        let buildings = properties
            .iter()
            .map(|one| {
                let facts = by_building.remove(&one.id).unwrap_or_default();
                (one.clone(), glance(&facts))
            })
            .collect();
        Ok(Overview {
            coverage,
            buildings,
            all,
            months,
            warnings,
        })
    }
}
