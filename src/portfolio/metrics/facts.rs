//! The sums of a scope, grouped by the parts of a split, and the values that metrics derive from them.
//!
//! Pure; does not use the database. The formulas are in `leasing`, `income` and `debt`.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use crate::portfolio::import::cells::minor_digits;
use crate::portfolio::metrics::chart::Role;
use crate::portfolio::metrics::scope::Place;
use crate::portfolio::metrics::store::{Counted, End, Roll};
use finance::portfolio::calendar::Month;
use finance::portfolio::metric::{Metric, Unit};
use finance::portfolio::query::{Point, Term, Window};

/// All data read for one part of a split.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    pub(super) buildings: BTreeSet<String>,
    pub(super) rolls: Vec<Roll>,
    pub(super) ends: Vec<End>,
    pub(super) ledger: Vec<Posted>,
    pub(super) loans: Vec<LoanBalance>,
    pub(super) values: Vec<BuildingValue>,
    pub(super) counts: Vec<Counted>,
    pub(super) prices: Vec<BuildingValue>,
}

/// The amount of one account, in cents.
#[derive(Clone, Debug)]
pub(super) struct Posted {
    pub(super) building: String,
    /// The month, or the first month of the span.
    pub(super) month: NaiveDate,
    pub(super) role: Role,
    pub(super) code: String,
    pub(super) amount: i64,
    pub(super) budget: i64,
    pub(super) is_budgeted: bool,
}

/// The part of a loan that is allocated to one building, on the given day and in cents.
#[derive(Clone, Debug)]
pub(super) struct LoanBalance {
    pub(super) loan: String,
    pub(super) lender: String,
    pub(super) matures: NaiveDate,
    pub(super) building: String,
    pub(super) senior: bool,
    pub(super) balance: f64,
    /// Interest rate as a fraction.
    pub(super) rate: f64,
    /// Interest and principal paid within the span.
    pub(super) paid: f64,
}

/// The latest valuation of a building, in cents.
#[derive(Clone, Debug)]
pub(super) struct BuildingValue {
    pub(super) building: String,
    pub(super) value: i64,
}

/// The parameters of a computation, in addition to the facts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Params<'a> {
    pub(super) metric: Metric,
    pub(super) day: NaiveDate,
    pub(super) window: Option<Window>,
    pub(super) account: Option<&'a str>,
    pub(super) levered: bool,
    /// The factor for ledger sums: 12 ÷ months if the metric is annualized.
    pub(super) factor: f64,
    pub(super) currency: &'a str,
}

/// The reason why a metric has no value.
pub(super) type Undefined = &'static str;

pub(super) const NO_DEBT: Undefined = "there is no debt, so that it is not defined";
pub(super) const NO_UNITS: Undefined = "there are no units of that kind";
pub(super) const NO_LEASES: Undefined = "no lease is in force";
pub(super) const NO_LEDGER: Undefined = "the ledger holds nothing for that period";
pub(super) const NO_VALUE: Undefined = "no valuation is known";
pub(super) const NO_BUDGET: Undefined = "the ledger has no budget for that period";

impl Facts {
    /// Groups all rows into parts by the key that `key` derives from building and month. Rows without a key
    /// are dropped.
    pub(super) fn sorted<K: Ord>(
        &self,
        key: impl Fn(&str, Option<NaiveDate>) -> Option<K>,
    ) -> BTreeMap<K, Self> {
        let mut parts: BTreeMap<K, Self> = BTreeMap::new();
        macro_rules! sort {
            ($field:ident, |$row:ident| $at:expr) => {
                for $row in &self.$field {
                    let (building, month) = $at;
                    if let Some(key) = key(building, month) {
                        let part = parts.entry(key).or_default();
                        part.$field.push($row.clone());
                    }
                }
            };
        }
        for building in &self.buildings {
            if let Some(key) = key(building, None) {
                parts.entry(key).or_default().buildings.insert(building.clone());
            }
        }
        sort!(rolls, |row| (&row.building_id, Some(row.month)));
        sort!(ends, |row| (&row.building_id, Some(row.month)));
        sort!(ledger, |row| (&row.building, Some(row.month)));
        sort!(loans, |row| (&row.building, None));
        sort!(values, |row| (&row.building, None));
        sort!(counts, |row| (&row.building_id, None));
        sort!(prices, |row| (&row.building, None));
        parts
    }

    /// Groups the loans by lender.
    pub(super) fn by_lender(&self) -> BTreeMap<Place, Self> {
        let mut parts: BTreeMap<Place, Self> = BTreeMap::new();
        for loan in &self.loans {
            let lender = Place {
                key: loan.lender.clone(),
                label: loan.lender.clone(),
                currency: None,
            };
            parts.entry(lender).or_default().loans.push(loan.clone());
        }
        parts
    }

    pub(super) fn roll(&self, of: impl Fn(&Roll) -> i64) -> f64 {
        as_f64(self.rolls.iter().map(of).sum())
    }

    pub(super) fn end(&self, which: impl Fn(&End) -> bool, of: impl Fn(&End) -> i64) -> f64 {
        as_f64(self.ends.iter().filter(|end| which(end)).map(of).sum())
    }

    pub(super) fn ledger(&self, which: impl Fn(&Posted) -> bool) -> f64 {
        as_f64(
            self.ledger
                .iter()
                .filter(|row| which(row))
                .map(|row| row.amount)
                .sum(),
        ) / 100.0
    }

    pub(super) fn budget(&self, which: impl Fn(&Posted) -> bool) -> f64 {
        as_f64(
            self.ledger
                .iter()
                .filter(|row| which(row))
                .map(|row| row.budget)
                .sum(),
        ) / 100.0
    }

    pub(super) fn noi_of(&self, buildings: impl Fn(&str) -> bool) -> f64 {
        self.ledger(|row| row.role.is_revenue() && buildings(&row.building))
            - self.ledger(|row| row.role == Role::Expense && buildings(&row.building))
    }

    pub(super) fn value_of(&self, buildings: impl Fn(&str) -> bool) -> f64 {
        as_f64(
            self.values
                .iter()
                .filter(|row| buildings(&row.building))
                .map(|row| row.value)
                .sum(),
        ) / 100.0
    }

    pub(super) fn balance(&self, which: impl Fn(&LoanBalance) -> bool) -> f64 {
        let cents: f64 = self
            .loans
            .iter()
            .filter(|row| which(row))
            .map(|row| row.balance)
            .sum();
        cents.round() / 100.0
    }

    /// The buildings that paid debt service.
    pub(super) fn paying(&self) -> BTreeSet<&str> {
        let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
        for row in self.ledger.iter().filter(|row| row.role == Role::DebtService) {
            *sums.entry(&row.building).or_default() += row.amount;
        }
        sums.into_iter()
            .filter(|(_, sum)| *sum != 0)
            .map(|(id, _)| id)
            .collect()
    }

    /// Computes the metric's value and the figures it is based on.
    pub(super) fn measure(&self, asked: &Params<'_>) -> Result<Point, Undefined> {
        let mut workings = Workings::new(asked.currency);
        let metric = asked.metric;
        let needs = metric.needs();
        let value = if needs.ends || needs.counts {
            self.of_leases(asked, &mut workings)
        } else if needs.loans || needs.values || needs.prices || matches!(metric, Metric::Dscr) {
            self.of_debt(asked, &mut workings)
        } else if needs.ledger {
            self.of_ledger(asked, &mut workings)
        } else {
            self.of_roll(asked, &mut workings)
        }?;
        let point = Point {
            value,
            unit: metric.unit().word(asked.currency),
            inputs: workings.terms,
        };
        Ok(in_units_of(point, metric.unit(), asked.currency))
    }

    pub(super) fn of_month(&self, month: Month) -> Self {
        self.of_months(|other| other == month)
    }

    pub(super) fn of_months(&self, which: impl Fn(Month) -> bool) -> Self {
        let wanted = |month: Option<NaiveDate>| month.is_none_or(|month| which(Month::of(month)));
        self.sorted(|_, month| wanted(month).then_some(()))
            .remove(&())
            .unwrap_or_default()
    }
}

/// Converts an amount in hundredths to units of the currency, which may have another minor unit.
pub(super) fn in_units_of(mut point: Point, unit: Unit, currency: &str) -> Point {
    let times = hundredths(currency);
    if unit.is_money() {
        point.value *= times;
    }
    for term in point.inputs.iter_mut().filter(|term| term.unit == currency) {
        term.value *= times;
    }
    point
}

/// The factor that turns minor units ÷ 100 into units of the currency: 1 for dollars, 100 for yen.
pub(super) fn hundredths(currency: &str) -> f64 {
    match minor_digits(currency) {
        0 => 100.0,
        1 => 10.0,
        2 => 1.0,
        _ => 0.1,
    }
}

/// Collects the figures behind a value during its computation.
pub(super) struct Workings {
    currency: String,
    terms: Vec<Term>,
}

impl Workings {
    pub(super) fn new(currency: &str) -> Self {
        Self {
            currency: currency.to_owned(),
            terms: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, name: &'static str, unit: &str, value: f64) {
        self.terms.push(Term {
            name,
            value,
            unit: unit.to_owned(),
        });
    }

    pub(super) fn money(&mut self, name: &'static str, value: f64) {
        let unit = self.currency.clone();
        self.add(name, &unit, (value * 100.0).round() / 100.0);
    }

    pub(super) fn over(
        &mut self,
        part: (&'static str, &str, f64),
        of: (&'static str, &str, f64),
        why: Undefined,
    ) -> Result<f64, Undefined> {
        for (name, unit, value) in [part, of] {
            self.add(name, unit, value);
        }
        ratio(part.2, of.2, why)
    }
}

pub(super) fn ratio(part: f64, of: f64, why: Undefined) -> Result<f64, Undefined> {
    if of == 0.0 { Err(why) } else { Ok(part / of) }
}

/// Sums of cents stay far below 2^53.
#[expect(
    clippy::cast_precision_loss,
    reason = "sums of cents and counts stay far below 2^53"
)]
pub(super) fn as_f64(value: i64) -> f64 {
    value as f64
}
