//! Metrics of the rent roll: occupancy, rents, lease terms and expirations. Pure. Ratios divide sums and
//! never average other ratios.

use crate::portfolio::metrics::facts::{
    Facts, NO_LEASES, NO_UNITS, Params, Undefined, Workings, as_f64, ratio,
};
use crate::portfolio::metrics::store::{End, Roll};
use finance::portfolio::metric::Metric;

impl Facts {
    pub(super) fn of_roll(&self, asked: &Params<'_>, workings: &mut Workings) -> Result<f64, Undefined> {
        let metric = asked.metric;
        if metric == Metric::Buildings {
            return Ok(as_f64(i64::try_from(self.buildings.len()).unwrap_or(0)));
        }
        let units = self.roll(|row| row.units);
        if units == 0.0 {
            return Err(NO_UNITS);
        }
        let (rentable, occupied) = (self.roll(|row| row.rentable), self.roll(|row| row.occupied));
        let area = |of: fn(&Roll) -> i64| self.roll(of) / 100.0;
        let (rentable_area, leased) = (area(|row| row.rentable_area), area(|row| row.leased_area));
        let rent = self.roll(|row| row.rent) / 100.0;
        let market = self.roll(|row| row.market_of_occupied) / 100.0;
        let compared = self.roll(|row| row.rent_with_market) / 100.0;
        Ok(match metric {
            Metric::Occupancy | Metric::Vacancy => {
                let share = workings.over(
                    ("occupied_units", "count", occupied),
                    ("rentable_units", "count", rentable),
                    NO_UNITS,
                )?;
                if metric == Metric::Vacancy {
                    1.0 - share
                } else {
                    share
                }
            }
            Metric::OccupancyByArea | Metric::VacancyByArea => {
                let share = workings.over(
                    ("leased_area", "sqft", leased),
                    ("rentable_area", "sqft", rentable_area),
                    NO_UNITS,
                )?;
                if metric == Metric::VacancyByArea {
                    1.0 - share
                } else {
                    share
                }
            }
            Metric::OccupancyOfAllUnits => workings.over(
                ("occupied_units", "count", occupied),
                ("units", "count", units),
                NO_UNITS,
            )?,
            Metric::Units => units,
            Metric::RentableUnits => rentable,
            Metric::OccupiedUnits => occupied,
            Metric::VacantUnits => {
                workings.add("rentable_units", "count", rentable);
                workings.add("occupied_units", "count", occupied);
                rentable - occupied
            }
            Metric::NonRevenueUnits => {
                workings.add("units", "count", units);
                workings.add("rentable_units", "count", rentable);
                units - rentable
            }
            Metric::RentableArea => rentable_area,
            Metric::TotalArea => area(|row| row.area),
            Metric::LeasedArea => leased,
            Metric::VacantArea => {
                workings.add("rentable_area", "sqft", rentable_area);
                workings.add("leased_area", "sqft", leased);
                // Both areas are exact hundredths, so rounding removes only floating-point noise.
                ((rentable_area - leased) * 100.0).round() / 100.0
            }
            Metric::MonthlyRent => rent,
            Metric::AnnualRent => {
                workings.money("monthly_inplace_rent", rent);
                rent * 12.0
            }
            Metric::AverageRent => {
                workings.money("monthly_inplace_rent", rent);
                workings.add("occupied_units", "count", occupied);
                ratio(rent, occupied, NO_LEASES)?
            }
            Metric::RentPerArea | Metric::AnnualRentPerArea => {
                workings.money("monthly_inplace_rent", rent);
                workings.add("leased_area", "sqft", leased);
                let monthly = ratio(rent, leased, NO_LEASES)?;
                if metric == Metric::RentPerArea {
                    monthly
                } else {
                    monthly * 12.0
                }
            }
            Metric::MarketRent => self.roll(|row| row.market) / 100.0,
            Metric::VacantMarketRent => self.roll(|row| row.market - row.market_of_occupied) / 100.0,
            Metric::AverageMarketRent => {
                let (market, counted) = (
                    self.roll(|row| row.market) / 100.0,
                    self.roll(|row| row.rentable_with_market),
                );
                workings.money("market_rent", market);
                workings.add("rentable_units", "count", counted);
                ratio(market, counted, "no market rent is known")?
            }
            Metric::LossToLease | Metric::AnnualLossToLease | Metric::LossToLeaseShare => {
                workings.money("market_rent_of_occupied", market);
                workings.money("monthly_inplace_rent", compared);
                let share = ratio(
                    market - compared,
                    market,
                    "no market rent is known for occupied units",
                )?;
                match metric {
                    Metric::LossToLease => ((market - compared) * 100.0).round() / 100.0,
                    Metric::AnnualLossToLease => ((market - compared) * 1200.0).round() / 100.0,
                    _ => share,
                }
            }
            _ => return Err("it is not computed from the rent roll"),
        })
    }

    pub(super) fn of_leases(&self, asked: &Params<'_>, workings: &mut Workings) -> Result<f64, Undefined> {
        let metric = asked.metric;
        let days = |end: &End| as_f64((end.end_date - asked.day).num_days().max(0)) / 365.0;
        let inside = |end: &End| {
            asked
                .window
                .is_some_and(|window| window.from <= end.end_date && end.end_date <= window.to)
        };
        let weighted = |of: fn(&End) -> i64| {
            let weights: f64 = self.ends.iter().map(|end| as_f64(of(end))).sum();
            let sum: f64 = self.ends.iter().map(|end| as_f64(of(end)) * days(end)).sum();
            ratio(sum, weights, NO_LEASES)
        };
        let part = || as_f64(self.counts.iter().map(|row| row.part).sum());
        let leases = self.end(|_| true, |end| end.leases);
        let (rent, area) = (
            self.end(|_| true, |end| end.rent) / 100.0,
            self.end(|_| true, |end| end.area) / 100.0,
        );
        Ok(match metric {
            Metric::WaltByRent | Metric::WaltByArea => {
                workings.add("leases_in_force", "count", leases);
                if metric == Metric::WaltByRent {
                    workings.money("monthly_inplace_rent", rent);
                    weighted(|end| end.rent)?
                } else {
                    workings.add("leased_area", "sqft", area);
                    weighted(|end| end.area)?
                }
            }
            Metric::Leases => leases,
            Metric::MonthToMonth => self.end(|end| end.end_date < asked.day, |end| end.leases),
            Metric::Expirations => {
                workings.add("leases_in_force", "count", leases);
                self.end(inside, |end| end.leases)
            }
            Metric::RolloverShareOfRent | Metric::RolloverRent => {
                let expiring = self.end(inside, |end| end.rent) / 100.0;
                workings.money("expiring_annual_rent", expiring * 12.0);
                workings.money("annual_inplace_rent", rent * 12.0);
                if metric == Metric::RolloverRent {
                    expiring * 12.0
                } else {
                    ratio(expiring, rent, NO_LEASES)?
                }
            }
            Metric::RolloverShareOfArea | Metric::RolloverArea => {
                let expiring = self.end(inside, |end| end.area) / 100.0;
                workings.add("expiring_area", "sqft", expiring);
                workings.add("leased_area", "sqft", area);
                if metric == Metric::RolloverArea {
                    expiring
                } else {
                    ratio(expiring, area, NO_LEASES)?
                }
            }
            Metric::RenewalRate => {
                let ended = as_f64(self.counts.iter().map(|row| row.of).sum());
                workings.over(
                    ("renewed_leases", "count", part()),
                    ("ended_leases", "count", ended),
                    "no lease ended in that period",
                )?
            }
            Metric::Deposits => part() / 100.0,
            _ => part(),
        })
    }
}
