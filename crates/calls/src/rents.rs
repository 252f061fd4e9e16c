//! What follows from the rents of a lease year by year: the rent of a year, totals, effective rents, a schedule.

use finance::annuity::present_value;
use finance::variable::Variable;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::result::{Computed, Figure, Outcome, Refusal, Step, Table, cents};

/// The figure that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Want {
    Rent,
    TotalRent,
    NetEffectiveRent,
    NetEffectiveAnnualRent,
    NetEffectiveMonthlyRent,
    PresentValue,
    Schedule,
    WeightedAverageTerm,
}

/// What the rent is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Per {
    Year,
    Month,
    AreaYear,
    AreaMonth,
}

impl Per {
    pub(crate) fn by_area(self) -> bool {
        matches!(self, Self::AreaYear | Self::AreaMonth)
    }

    pub(crate) fn by_month(self) -> bool {
        matches!(self, Self::Month | Self::AreaMonth)
    }
}

/// The lease as read. Rents are per year, for the whole or for each square foot.
pub struct Deal {
    pub per: Per,
    pub area: Option<f64>,
    /// Rent of each lease year.
    pub yearly: Vec<f64>,
    /// Months of the term; 0 if no term is given.
    pub months: u32,
    pub free: f64,
}

impl Deal {
    /// The rent of one year, in the notation of the call, then for the whole where the area is known.
    pub(crate) fn rent_of(&self, year: u32) -> Outcome {
        let Some(&rent) = (year as usize).checked_sub(1).and_then(|at| self.yearly.get(at)) else {
            return Err(Refusal::failure("bad_value", "year: the first lease year is 1."));
        };
        let meaning = format!("Rent of lease year {year}.");
        let value = if self.per.by_month() { rent / 12.0 } else { rent };
        let variable = match self.per {
            Per::Year => Variable::AnnualRent,
            Per::Month => Variable::MonthlyRent,
            Per::AreaYear | Per::AreaMonth => Variable::RentPsf,
        };
        let period = if self.per.by_month() { "month" } else { "year" };
        let mut figures = vec![Figure::of(variable, value, &meaning).each(period)];
        let whole = if self.per.by_area() {
            self.area.map(|area| rent * area)
        } else {
            Some(rent)
        };
        if let Some(whole) = whole {
            for (variable, value, period) in [
                (Variable::AnnualRent, whole, "year"),
                (Variable::MonthlyRent, whole / 12.0, "month"),
            ] {
                if figures.iter().all(|figure| figure.name != variable.word()) {
                    figures.push(Figure::of(variable, value, &meaning).each(period));
                }
            }
        }
        let first = self.yearly.first().copied().unwrap_or(rent);
        let inputs = [("first year's rent", first), ("year", f64::from(year))];
        Ok(Computed {
            figures,
            steps: vec![Step::new(
                "rent of the year",
                "rent of the first year with its steps",
                rent,
                &inputs,
            )],
            ..Computed::default()
        })
    }

    /// The rent of each month of the term; the free months are the first.
    pub(crate) fn months(&self) -> Result<Vec<f64>, Refusal> {
        if self.months == 0 {
            return Err(Refusal::missing(&[("term", "lease term", false)]));
        }
        if !(0.0..=f64::from(self.months)).contains(&self.free) {
            return Err(Refusal::failure(
                "bad_value",
                "free_months: must be within the term.",
            ));
        }
        let rent = |month: u32| {
            let year = self.yearly.get((month / 12) as usize).copied().unwrap_or(0.0);
            year / 12.0 * (1.0 - (self.free - f64::from(month)).clamp(0.0, 1.0))
        };
        Ok((0..self.months).map(rent).collect())
    }

    pub(crate) fn valued(&self, want: Want, months: &[f64], costs: f64, rate: Option<f64>) -> Outcome {
        let total: f64 = months.iter().sum();
        let years = f64::from(self.months) / 12.0;
        let monthly = rate.unwrap_or(0.0) / 12.0;
        let (mut present, mut even) = (0.0, 0.0);
        for (month, rent) in months.iter().enumerate() {
            let factor = present_value(1.0, monthly, month as f64 + 1.0)?;
            present += rent * factor;
            even += factor;
        }
        let effective = if rate.is_some() {
            12.0 * (present - costs) / even
        } else {
            (total - costs) / years
        };
        let how = if rate.is_some() {
            "Level rent with the same present value after improvements and commission; monthly in arrears."
        } else {
            "(Rents − improvements − commission) ÷ years, not discounted."
        };
        let figure = match want {
            Want::TotalRent => self.base(
                "total_rent",
                "total rent over the term",
                total,
                "Rents paid over the term, free months left out.",
            ),
            Want::Schedule => self.base(
                "total_rent",
                "total rent over the term",
                total,
                "Sum of the schedule.",
            ),
            Want::PresentValue => {
                rate.ok_or_else(|| Refusal::missing(&[("discount_rate", "discount rate", false)]))?;
                self.base(
                    "present_value",
                    "present value of the rents",
                    present,
                    "Monthly in arrears at rate ÷ 12.",
                )
            }
            Want::NetEffectiveAnnualRent => {
                Figure::of(Variable::NetEffectiveAnnual, effective * self.times()?, how).each("year")
            }
            Want::NetEffectiveMonthlyRent => Figure::of(
                Variable::NetEffectiveMonthly,
                effective * self.times()? / 12.0,
                how,
            )
            .each("month"),
            _ => match (self.per.by_area(), self.area) {
                (true, _) => Figure::of(Variable::NetEffectiveRent, effective, how).each("year"),
                (false, Some(area)) => {
                    Figure::of(Variable::NetEffectiveRent, effective / area, how).each("year")
                }
                (false, None) => Figure::of(Variable::NetEffectiveAnnual, effective, how).each("year"),
            },
        };
        let value = figure.value.as_f64().unwrap_or(0.0);
        let inputs = [
            ("rents", total),
            ("improvements and commission", costs),
            ("years", years),
            ("free months", self.free),
            ("discount rate", rate.unwrap_or(0.0)),
        ];
        let step = Step::new(&figure.name, &figure.definition, value, &inputs);
        Ok(Computed {
            figures: vec![figure],
            steps: vec![step],
            table: (want == Want::Schedule).then(|| self.table(months)),
            unused: Vec::new(),
        })
    }

    /// The factor from the base of the rent to the whole.
    fn times(&self) -> Result<f64, Refusal> {
        if !self.per.by_area() {
            return Ok(1.0);
        }
        self.area
            .ok_or_else(|| Refusal::missing(&[("area", "area in square feet", false)]))
    }

    /// A figure for the whole, or for a square foot if the area is not known.
    fn base(&self, name: &str, label: &str, value: f64, meaning: &str) -> Figure {
        match (self.per.by_area(), self.area) {
            (true, None) => Figure::new(name, label, value, "USD/sqft").meaning(meaning),
            (true, Some(area)) => Figure::new(name, label, value * area, "USD").meaning(meaning),
            (false, _) => Figure::new(name, label, value, "USD").meaning(meaning),
        }
    }

    fn table(&self, months: &[f64]) -> Table {
        let mut table = Table::new(&["year", "rent per year", "rent paid"]);
        let paid = months.chunks(12).map(|year| year.iter().sum::<f64>());
        let rows = self.yearly.iter().zip(paid).enumerate();
        table.rows = rows
            .map(|(at, (rent, paid))| vec![json!(at + 1), cents(*rent), cents(paid)])
            .collect();
        table
    }
}
