//! Values by comparison, by cost, and by discounted cash flow with an exit; grids over two inputs.
//!
//! Knows no question; rates are fractions per year and flows fall at year ends.

use crate::fault::{Fault, finite, ratio};
use crate::flows::{FirstFlow, growth, npv};

/// One sale: price, area or units, and the adjustment as a fraction of the price.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sale {
    pub price: f64,
    pub size: f64,
    pub adjustment: f64,
}

/// Adjusted prices per unit of size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    pub mean: f64,
    pub median: f64,
    /// Sum of the adjusted prices ÷ sum of the sizes.
    pub weighted: f64,
}

/// What comparable sales say.
///
/// # Errors
/// No sale, or one without size.
pub fn compare(sales: &[Sale]) -> Result<Comparison, Fault> {
    let adjusted = |sale: &Sale| sale.price * (1.0 + sale.adjustment);
    let mut each: Vec<f64> = sales
        .iter()
        .map(|sale| ratio(adjusted(sale), sale.size, "size of a sale"))
        .collect::<Result<_, _>>()?;
    let mean = ratio(each.iter().sum(), each.len() as f64, "number of sales")?;
    each.sort_by(f64::total_cmp);
    let high = each.get(each.len() / 2).copied().unwrap_or(mean);
    let median = match each.len() % 2 {
        0 => each
            .get(each.len() / 2 - 1)
            .map_or(high, |low| f64::midpoint(*low, high)),
        _ => high,
    };
    let weighted = ratio(
        sales.iter().map(adjusted).sum(),
        sales.iter().map(|sale| sale.size).sum(),
        "total size",
    )?;
    Ok(Comparison {
        mean,
        median,
        weighted,
    })
}

/// (hard × (1 + soft) + land) × (1 + profit).
///
/// # Errors
/// A result that is not finite.
pub fn replacement_cost(hard: f64, soft_share: f64, land: f64, profit: f64) -> Result<f64, Fault> {
    finite((hard * (1.0 + soft_share) + land) * (1.0 + profit))
}

/// The loan behind a levered model: its annual debt service and what is owed at the sale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Debt {
    pub amount: f64,
    pub annual_service: f64,
    pub payoff: f64,
}

/// A holding with a sale at the end of the last year.
#[derive(Clone, Debug, PartialEq)]
pub struct Holding {
    /// NOI of each year held, then that of the year after, on which the buyer pays.
    pub noi: Vec<f64>,
    pub exit_cap: f64,
    /// Share of the sale price.
    pub sale_cost: f64,
}

impl Holding {
    /// NOI that grows by `rise` each year over `years` years of holding.
    ///
    /// # Errors
    /// No year, or growth of -100% or less.
    pub fn growing(first: f64, rise: f64, years: u32, exit_cap: f64, sale_cost: f64) -> Result<Self, Fault> {
        if !(1..=100).contains(&years) {
            return Err(Fault::OutOfRange {
                what: "holding period",
                rule: "between 1 and 100 years",
            });
        }
        let step = growth(rise)?;
        let noi = (0..=years)
            .map(|year| finite(first * step.powf(f64::from(year))))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            noi,
            exit_cap,
            sale_cost,
        })
    }

    /// Price at the sale: NOI of the year after ÷ exit cap.
    ///
    /// # Errors
    /// An exit cap of zero.
    pub fn exit_value(&self) -> Result<f64, Fault> {
        ratio(
            self.noi.last().copied().unwrap_or(0.0),
            self.exit_cap,
            "exit cap rate",
        )
    }

    /// What the sale brings after its costs, before debt.
    ///
    /// # Errors
    /// An exit cap of zero.
    pub fn net_sale(&self) -> Result<f64, Fault> {
        finite(self.exit_value()? * (1.0 - self.sale_cost))
    }

    /// Flows of the years held, the sale in the last, without debt.
    ///
    /// # Errors
    /// An exit cap of zero, or no year held.
    pub fn unlevered(&self) -> Result<Vec<f64>, Fault> {
        let held = self.noi.len().saturating_sub(1);
        let mut flows: Vec<f64> = self.noi.iter().take(held).copied().collect();
        match flows.last_mut() {
            Some(last) => *last += self.net_sale()?,
            None => return Err(Fault::NoFlows),
        }
        Ok(flows)
    }

    /// Flows to equity: debt service each year, the payoff out of the sale.
    ///
    /// # Errors
    /// As for `unlevered`.
    pub fn levered(&self, debt: &Debt) -> Result<Vec<f64>, Fault> {
        let mut flows = self.unlevered()?;
        for flow in &mut flows {
            *flow -= debt.annual_service;
        }
        if let Some(last) = flows.last_mut() {
            *last -= debt.payoff;
        }
        Ok(flows)
    }

    /// Present value of the unlevered flows.
    ///
    /// # Errors
    /// As for `unlevered`, or a rate of -100% or less.
    pub fn present_value(&self, rate: f64) -> Result<f64, Fault> {
        npv(rate, &self.unlevered()?, FirstFlow::EndOfFirstPeriod)
    }
}

/// The whole calculation for every pair of two inputs, `rows` down and `columns` across.
///
/// # Errors
/// The first cell that has no value.
pub fn grid(
    rows: &[f64],
    columns: &[f64],
    cell: impl Fn(f64, f64) -> Result<f64, Fault>,
) -> Result<Vec<Vec<f64>>, Fault> {
    rows.iter()
        .map(|row| columns.iter().map(|column| cell(*row, *column)).collect())
        .collect()
}
