//! Values by comparison, by cost, and by discounted cash flow with an exit; grids over two inputs.
//!
//! Independent of questions. Rates are fractions per year, and flows occur at year ends.

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

/// Compares sales by adjusted price per unit of size.
///
/// # Errors
/// No sale, or a sale without size.
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

/// The loan of a levered model: annual debt service, and the balance at the sale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Debt {
    pub amount: f64,
    pub annual_service: f64,
    pub payoff: f64,
}

/// A holding with a sale at the end of the last year.
#[derive(Clone, Debug, PartialEq)]
pub struct Holding {
    /// NOI of each year of the holding period, followed by that of the next year, which the buyer pays for.
    pub noi: Vec<f64>,
    pub exit_cap: f64,
    /// Share of the sale price.
    pub sale_cost: f64,
}

impl Holding {
    /// A holding with NOI that grows by `rise` each year over `years` years.
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

    /// Sale price: NOI of the year after the sale ÷ exit cap rate.
    ///
    /// # Errors
    /// An exit cap rate of zero.
    pub fn exit_value(&self) -> Result<f64, Fault> {
        ratio(
            self.noi.last().copied().unwrap_or(0.0),
            self.exit_cap,
            "exit cap rate",
        )
    }

    /// Sale proceeds after costs, before debt.
    ///
    /// # Errors
    /// An exit cap rate of zero.
    pub fn net_sale(&self) -> Result<f64, Fault> {
        finite(self.exit_value()? * (1.0 - self.sale_cost))
    }

    /// Flows of the holding period without debt, with the sale in the last year.
    ///
    /// # Errors
    /// An exit cap rate of zero, or no year held.
    pub fn unlevered(&self) -> Result<Vec<f64>, Fault> {
        let held = self.noi.len().saturating_sub(1);
        let mut flows: Vec<f64> = self.noi.iter().take(held).copied().collect();
        match flows.last_mut() {
            Some(last) => *last += self.net_sale()?,
            None => return Err(Fault::NoFlows),
        }
        Ok(flows)
    }

    /// Flows to equity: debt service each year, and the payoff out of the sale proceeds.
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

/// Repeats the calculation for every pair of two inputs, with `rows` as rows and `columns` as columns.
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
