//! Words for units, leases and rents as the metrics they ask for. Pure; knows no places and no times.

use crate::portfolio::ask::{Resolving, Unclear, What, ask};
use crate::portfolio::lexicon::{Topic, Turn};
use finance::portfolio::metric::Metric;
use finance::portfolio::query::Listed;

impl Resolving<'_> {
    pub(super) fn lease_count(&self) -> Metric {
        if self.has(Topic::MonthToMonth) {
            Metric::MonthToMonth
        } else if self.has(Topic::NotStarted) {
            Metric::FutureLeases
        } else if self.has(Topic::Overlapping) {
            Metric::OverlappingUnits
        } else {
            Metric::Leases
        }
    }

    pub(super) fn occupancy(&mut self) -> Result<(), Unclear> {
        use Topic as T;
        // "units with overlapping leases", "units on holdover".
        // "Market rent of the vacant units" is a rent.
        if self.has(T::Empty) && self.has(T::MarketRent) {
            self.rent();
            return Ok(());
        }
        if self.has(T::Overlapping) || self.has(T::MonthToMonth) || self.has(T::NotStarted) {
            return Ok(());
        }
        let others = [
            T::Opex,
            T::Noi,
            T::Rent,
            T::AverageRent,
            T::MarketRent,
            T::LossToLease,
        ];
        if !self.has(T::Occupancy)
            && !self.has(T::Empty)
            && !self.has(T::Vacancy)
            && others.iter().any(|topic| self.has(*topic))
        {
            self.drop(&[T::Units, T::Leased, T::Rentable]);
            return Ok(());
        }
        let (share, count) = (self.turn(Turn::Share), self.turn(Turn::Count));
        let by_area = self.turn(Turn::ByArea) || self.has(T::Area);
        let all = self.turn(Turn::AllUnits);
        self.turn(Turn::ByUnits);
        self.turn(Turn::Average);
        let full = self.has(T::Occupancy) || self.has(T::Leased);
        let empty = self.has(T::Vacancy) || self.has(T::Empty);
        let away = self.has(T::NonRevenue);
        let rate = self.has(T::Vacancy);
        let (units, rentable) = (self.has(T::Units), self.has(T::Rentable));
        let leased_alone = self.has(T::Leased) && !self.has(T::Occupancy);
        // Vacancy is one of rentable units; what is down is neither let nor vacant.
        if (empty && (all || away)) || (full && (away || all) && count && !share) {
            return Err(ask(
                "Vacant and occupied units are counted among the rentable ones. Ask for those, for all units, or for the non-revenue units.",
            ));
        }
        if (away || empty) && !full && self.words.turns.contains(&Turn::Including) {
            return Err(ask(
                "Ask for the number of units, which has all of them, or for the non-revenue units alone.",
            ));
        }
        let metric = match (full, empty, by_area) {
            (true, true, _) => return Err(ask("Do you mean what is occupied, or what is vacant?")),
            (true, _, true) if all => return Err(ask("By area, or by all units?")),
            (true, _, _) if all || (away && !count) => Metric::OccupancyOfAllUnits,
            (true, _, true) if leased_alone && !share && !self.has(T::Occupancy) => Metric::LeasedArea,
            (true, _, true) => Metric::OccupancyByArea,
            (true, _, false) if count && !share => Metric::OccupiedUnits,
            (true, ..) => Metric::Occupancy,
            // "Vacancy by area" is the rate, "vacancy in square feet" the area.
            (_, true, true) if share || (rate && !self.has(T::Area)) => Metric::VacancyByArea,
            (_, true, true) => Metric::VacantArea,
            (_, true, false) if (rate && !count && (!units || self.words.of_unit_kind)) || share => {
                Metric::Vacancy
            }
            (_, true, false) => Metric::VacantUnits,
            _ if away => Metric::NonRevenueUnits,
            _ if rentable && by_area => Metric::RentableArea,
            _ if rentable => Metric::RentableUnits,
            _ if count || all => Metric::Units,
            _ => return Err(Unclear::Other),
        };
        self.add(
            metric,
            &[
                T::Occupancy,
                T::Leased,
                T::Vacancy,
                T::Empty,
                T::NonRevenue,
                T::Units,
                T::Rentable,
                T::Area,
                T::Leases,
            ],
        );
        Ok(())
    }

    pub(super) fn area(&mut self) {
        // With others it says how they are counted; alone it is asked for.
        // "How much space does a tenant lease?"
        if self.words.of_units && self.has(Topic::Area) {
            self.drop(&[Topic::Leases, Topic::Leased, Topic::Tenants]);
        }
        let alone = self.left.len() == 1;
        if alone {
            self.turn(Turn::Count);
            // A tenant's space is what it leases.
            let metric = if self.words.of_units {
                Metric::LeasedArea
            } else {
                Metric::RentableArea
            };
            self.add(metric, &[Topic::Area]);
        } else if [Topic::Rentable, Topic::Empty, Topic::Leased, Topic::Occupancy]
            .iter()
            .any(|topic| self.has(*topic))
        {
            // Left to these.
        } else {
            self.drop(&[Topic::Area]);
        }
    }

    pub(super) fn rent(&mut self) {
        use Topic as T;
        let per_area = self.turn(Turn::PerArea);
        let yearly = self.turn(Turn::PerYear) || self.words.turns.contains(&Turn::Annualized);
        let monthly = self.turn(Turn::PerMonth);
        let of_one = self.words.of_unit_kind && !yearly && !monthly && !per_area;
        let mean = self.turn(Turn::Average)
            || self.has(T::AverageRent)
            || self.words.turns.contains(&Turn::Median)
            || of_one;
        let per_unit = self.turn(Turn::PerUnit);
        let commercial = self.words.commercial;
        let takes = [
            T::Rent,
            T::AverageRent,
            T::Leases,
            T::Units,
            T::Leased,
            T::Occupancy,
        ];
        // "Market rent of the vacant units".
        if self.has(T::MarketRent) && self.has(T::Empty) && !mean && !per_area {
            self.add(Metric::VacantMarketRent, &[T::MarketRent, T::Empty, T::Units]);
            return;
        }
        // "Rent in place against market rent": the loss to lease with both of them.
        if self.has(T::MarketRent) && self.has(T::Rent) && !mean && !per_area && !per_unit {
            let metric = if yearly {
                Metric::AnnualLossToLease
            } else {
                Metric::LossToLease
            };
            self.add(metric, &[T::Rent, T::MarketRent]);
            return;
        }
        if self.has(T::MarketRent) && !self.has(T::Rent) && !self.has(T::AverageRent) {
            if per_area {
                // Left unused, so that it is asked about.
                self.used.remove(&Turn::PerArea);
            }
            let metric = if mean || per_unit {
                Metric::AverageMarketRent
            } else {
                Metric::MarketRent
            };
            self.add(metric, &[T::MarketRent, T::Units]);
            return;
        }
        // Rent in place is that of the occupied units anyway.
        self.turn(Turn::OccupiedOnly);
        if per_area {
            let metric = if yearly || (commercial && !monthly) {
                Metric::AnnualRentPerArea
            } else {
                Metric::RentPerArea
            };
            self.add(metric, &takes);
        } else if mean || per_unit {
            if yearly {
                // Left unused, so that it is asked about.
                self.used.remove(&Turn::PerYear);
            }
            self.add(Metric::AverageRent, &takes);
        } else if monthly || (self.words.of_units && !yearly) {
            self.add(Metric::MonthlyRent, &takes);
        } else {
            self.add(Metric::AnnualRent, &takes);
        }
    }

    /// One figure said in two words: "rent given away as concessions", "the occupancy needed to break even".
    pub(super) fn one_figure(&mut self) {
        use Topic as T;
        if self.words.enumerated {
            return;
        }
        if self.has(T::Concessions) || self.has(T::BadDebt) {
            self.drop(&[T::Rent]);
        }
        if self.has(T::Breakeven) {
            self.drop(&[T::Occupancy]);
        }
    }

    /// "Rent of the month-to-month leases": of those alone.
    pub(super) fn held_over(&mut self) -> Result<Option<What>, Unclear> {
        use Topic as T;
        let of_rent = |topic: &T| {
            matches!(
                topic,
                T::Rent | T::AverageRent | T::MonthToMonth | T::Leases | T::Tenants | T::Units
            )
        };
        let rent = self.has(T::Rent) || self.has(T::AverageRent);
        if !self.has(T::MonthToMonth) || !rent || self.words.enumerated {
            return Ok(None);
        }
        if !self.left.iter().all(of_rent) || !self.accounts.is_empty() {
            return Err(ask(
                "I have the rent of the month-to-month leases, and how many they are. Which one do you want?",
            ));
        }
        self.turn(Turn::PerMonth);
        self.turn(Turn::PerYear);
        self.turn(Turn::Average);
        self.left.clear();
        Ok(Some(What::Units(Listed::Holdover)))
    }

    /// A word that narrows and a figure that it cannot narrow: "the rent of the renewals".
    pub(super) fn narrowing(&self) -> Result<(), Unclear> {
        let narrows = |metric: Metric| {
            matches!(
                metric,
                Metric::MonthToMonth
                    | Metric::VacantUnits
                    | Metric::FutureLeases
                    | Metric::RenewalRate
                    | Metric::OverlappingUnits
                    | Metric::NonRevenueUnits
            )
        };
        let [(first, _), (second, _)] = self.found.as_slice() else {
            return Ok(());
        };
        if self.words.enumerated || narrows(*first) == narrows(*second) {
            return Ok(());
        }
        let (narrow, other) = if narrows(*first) {
            (first, second)
        } else {
            (second, first)
        };
        Err(Unclear::Ask(format!(
            "I have the {} and the {}, but not the one for the other alone. Which one do you want?",
            other.label(),
            narrow.label()
        )))
    }
}
