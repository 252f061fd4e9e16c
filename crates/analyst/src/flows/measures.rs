//! What a series of flows is worth: IRR (all of them), NPV, modified IRR, equity multiple, with their words.
//!
//! Knows no question.

use serde_json::json;

use crate::flows::asked::Quoted;
use crate::flows::discounting::Rates;
use crate::plan::frame::Series;
use crate::say::compose;
use crate::say::format;
use finance::fault::Fault;
use finance::flows::{self, FirstFlow};
use finance::variable::Variable;

/// One computed answer about the series.
pub(crate) struct Result_ {
    pub(crate) variable: Variable,
    pub(crate) value: serde_json::Value,
    pub(crate) shown: String,
    pub(crate) definition: String,
    pub(crate) formula: String,
}

/// One figure of the series.
pub(crate) fn compute(
    goal: Variable,
    series: &Series,
    rates: &Rates,
    quoted: Quoted,
) -> Result<Result_, Fault> {
    let rate = |variable: Variable| {
        rates
            .iter()
            .find(|held| held.variable == variable)
            .map_or(0.0, |held| held.value)
    };
    let first = if series.late {
        FirstFlow::EndOfFirstPeriod
    } else {
        FirstFlow::Now
    };
    let timing = if series.late {
        "the first flow at the end of the first year (as Excel's NPV does)"
    } else {
        "the first flow at t = 0 (not discounted)"
    };
    let (variable, value, definition, formula) = match goal {
        Variable::Irr => {
            let count = series.per_year.max(1);
            let mut roots = flows::irr_roots(&series.flows)?;
            let periodic = quoted == Quoted::Periodic;
            let nominal = quoted == Quoted::Nominal && count > 1;
            if periodic {
                // The rate of one month or quarter is what is asked.
            } else if nominal {
                for root in &mut roots {
                    *root *= count as f64;
                }
            } else if count > 1 {
                for root in &mut roots {
                    *root = (1.0 + *root).powi(count as i32) - 1.0;
                }
            }
            if let [only] = roots.as_slice() {
                (Variable::Irr, *only, match count {
                    12 if periodic => "IRR per month = the rate of one month at which the net present value of the monthly flows is zero; it is not annualized.",
                    _ if periodic => "IRR per period = the rate of one period at which the net present value of the flows is zero; it is not annualized.",
                    12 if nominal => "IRR = 12 × the rate of a month at which the net present value of the monthly flows is zero: a nominal annual rate, without compounding.",
                    _ if nominal => "IRR = the rate of a period at which the net present value of the flows is zero × the periods of a year: a nominal annual rate, without compounding.",
                    1 => "IRR = the annual rate at which the net present value of the flows is zero.",
                    12 => "IRR = the rate at which the net present value of the monthly flows is zero, as an effective annual rate: (1 + monthly rate)^12 − 1.",
                    _ => "IRR = the rate at which the net present value of the quarterly flows is zero, as an effective annual rate: (1 + quarterly rate)^4 − 1.",
                }.to_owned(), "NPV(rate) = 0, all real roots searched: one found")
            } else {
                let shown: Vec<String> = roots.iter().map(|root| format::result(Variable::Irr, *root)).collect();
                let names: Vec<&str> = shown.iter().map(String::as_str).collect();
                return Ok(Result_ {
                    variable: Variable::IrrRoots,
                    value: json!(roots),
                    shown: compose::list(&names).replace(" and the ", " and ").replace(", the ", ", "),
                    definition: format!(
                        "The flows change sign more than once, so there are {} IRRs: each makes the net present value zero, and no single one is “the” IRR. Compare by NPV at your discount rate instead.",
                        roots.len()
                    ),
                    formula: "NPV(rate) = 0, all real roots".to_owned(),
                });
            }
        }
        Variable::Mirr => (
            Variable::Mirr,
            flows::mirr(&series.flows, rate(Variable::FinanceRate), rate(Variable::ReinvestRate))?,
            "MIRR = (future value of the inflows at the reinvestment rate ÷ present value of the outflows at the finance rate)^(1/n) − 1.".to_owned(),
            "(FV of inflows ÷ PV of outflows)^(1/n) − 1",
        ),
        Variable::EquityMultiple if series.flows.iter().all(|flow| *flow <= 0.0) => return Err(Fault::OneSign),
        Variable::EquityMultiple => (
            Variable::EquityMultiple,
            match series.gross {
                Some((paid, got)) => flows::equity_multiple(&[-paid, got])?,
                None => flows::equity_multiple(&series.flows)?,
            },
            "Equity multiple = total distributions ÷ total contributions.".to_owned(),
            "sum of inflows ÷ sum of outflows",
        ),
        other => (
            other,
            flows::npv(rate(Variable::DiscountRate), &series.flows, first)?,
            format!("{} = sum of the flows, each divided by (1 + rate)^year, with {timing}.",
                if other == Variable::Npv { "NPV" } else { "Present value" }
            ),
            "Σ flow ÷ (1 + rate)^t",
        ),
    };
    Ok(Result_ {
        variable,
        value: json!(value),
        shown: format::result(variable, value),
        definition,
        formula: formula.to_owned(),
    })
}
