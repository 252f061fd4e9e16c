//! Answers about cash flows of a table: every rate of return, net present value, multiple.
//!
//! Knows no file; a discount rate comes from the question alone.

use serde_json::json;

use crate::say::format;
use crate::sheets::asked::Measure;
use crate::sheets::finding::{Finding, Open, Outcome, percent, plain};
use finance::dated;
use finance::fault::Fault;
use finance::flows::{self, FirstFlow};
use tables::cashflows::{Flows, Read, Step};

/// The figures of one measure.
pub(crate) fn compute(
    measure: Measure,
    read: &Read,
    rate: Option<f64>,
    source: &str,
) -> Result<Outcome, Open> {
    let amounts: Vec<f64> = match &read.flows {
        Flows::Dated(flows) => flows.iter().map(|(_, amount)| *amount).collect(),
        Flows::Periodic { flows, .. } => flows.clone(),
    };
    let doubtful = read
        .doubts
        .first()
        .filter(|_| matches!(measure, Measure::Irr | Measure::Npv));
    let mut outcome = Outcome {
        remarks: read.remarks.clone(),
        ..Outcome::default()
    };
    if let Some(doubt) = doubtful {
        // A date that can be read in two ways changes the result: it is said, and asked for.
        return Err(Open::because(doubt.clone()));
    }
    let series = |finding: Finding| Finding {
        inputs: vec![crate::contract::draft::Input {
            name: "flows".to_owned(),
            value: json!(amounts),
            unit: "USD".to_owned(),
            origin: source.to_owned(),
        }],
        ..finding
    };
    let fault = |fault: Fault| Open::because(fault.sentence());
    let mut aside = None;
    let finding = match measure {
        Measure::Irr => {
            let (roots, word, label, definition) = match &read.flows {
                Flows::Dated(flows) => (
                    dated::xirr_roots(flows).map_err(fault)?,
                    "xirr",
                    "XIRR",
                    "XIRR = the annual rate at which the dated flows are worth nothing, actual/365, measured from the earliest date.",
                ),
                Flows::Periodic { flows, step, .. } => {
                    let roots = flows::irr_roots(flows).map_err(fault)?;
                    let yearly = roots.iter().map(|root| annual(*root, *step)).collect();
                    (
                        yearly,
                        "irr",
                        "IRR",
                        match step {
                            Step::Year => {
                                "IRR = the annual rate at which the net present value of the flows is zero."
                            }
                            Step::Quarter => {
                                "IRR = the quarterly rate at which the flows are worth nothing, as an effective annual rate: (1 + r)^4 − 1."
                            }
                            Step::Month => {
                                "IRR = the monthly rate at which the flows are worth nothing, as an effective annual rate: (1 + r)^12 − 1."
                            }
                        },
                    )
                }
            };
            // The rate of one month or quarter beside that of a year.
            if let (Flows::Periodic { flows, step, .. }, [_]) = (&read.flows, roots.as_slice())
                && *step != Step::Year
                && let Ok([own]) = flows::irr_roots(flows).as_deref()
            {
                let (name, label) = if *step == Step::Month {
                    ("monthly_irr", "monthly IRR")
                } else {
                    ("quarterly_irr", "quarterly IRR")
                };
                aside = Some(Finding::percent(
                    name,
                    label,
                    *own,
                    "The rate of one period at which the flows are worth nothing.",
                ));
            }
            if let [only] = roots.as_slice() {
                Finding::percent(word, label, *only, definition).step(format!(
                    "All real roots of the present value were searched: one, {}.",
                    percent(*only)
                ))
            } else {
                let shown: Vec<String> = roots.iter().map(|root| percent(*root)).collect();
                outcome.sentence = Some(format!(
                    "These flows have {} rates of return: {}. No single one is “the” IRR; compare by NPV at your discount rate",
                    roots.len(),
                    shown.join(" and ")
                ));
                Finding {
                    value: json!(roots),
                    unit: "list",
                    shown: shown.join(", "),
                    ..Finding::percent(&format!("{word}_roots"), label, 0.0, definition)
                }
            }
        }
        Measure::Npv => {
            let Some(rate) = rate else {
                return Err(Open::asks(
                    "At which discount rate? Please give it per year.",
                    "discount_rate",
                    "discount rate",
                ));
            };
            let (value, word, label, definition) = match &read.flows {
                Flows::Dated(flows) => (
                    dated::xnpv(rate, flows).map_err(fault)?,
                    "xnpv",
                    "net present value on the earliest date",
                    "XNPV = Σ flow ÷ (1 + rate)^(days ÷ 365), days from the earliest date.".to_owned(),
                ),
                Flows::Periodic { flows, step, first } => {
                    let periods: f64 = match step {
                        Step::Year => 1.0,
                        Step::Quarter => 4.0,
                        Step::Month => 12.0,
                    };
                    let per = (1.0 + rate).powf(1.0 / periods) - 1.0;
                    let when = if *first == 0 {
                        FirstFlow::Now
                    } else {
                        FirstFlow::EndOfFirstPeriod
                    };
                    let timing = if *first == 0 {
                        "now (not discounted)"
                    } else {
                        "after one period"
                    };
                    (
                        flows::npv(per, flows, when).map_err(fault)?,
                        "npv",
                        "net present value",
                        format!(
                            "NPV = Σ flow ÷ (1 + rate)^t, the first flow {timing}; the rate is effective per year."
                        ),
                    )
                }
            };
            let own = series(Finding::money(word, label, value, &definition)).input(
                "discount_rate",
                rate,
                "percent",
                "question",
            );
            outcome
                .findings
                .push(own.step(format!("{} flows at {}.", amounts.len(), percent(rate))));
            return Ok(outcome);
        }
        Measure::Multiple => {
            // What was paid in and out in one period are two amounts, not their difference.
            let multiple = match read.paid {
                Some((paid_in, paid_out)) if paid_in > 0.0 => paid_out / paid_in,
                _ => flows::equity_multiple(&amounts).map_err(fault)?,
            };
            Finding::new(
                "equity_multiple",
                "equity multiple",
                multiple,
                "multiple",
                format!("{}x", plain(multiple, 3)),
                "Equity multiple = total distributions ÷ total contributions.",
            )
        }
        Measure::Profit => {
            let profit: f64 = amounts.iter().sum();
            Finding::money(
                "net_profit",
                "net profit",
                profit,
                "Net profit = sum of all flows.",
            )
            .step(format!(
                "{} flows add up to {}.",
                amounts.len(),
                format::money(profit)
            ))
        }
        _ => return Err(Open::because("That is nothing cash flows can tell.")),
    };
    outcome.findings.push(series(finding));
    outcome.findings.extend(aside);
    Ok(outcome)
}

fn annual(rate: f64, step: Step) -> f64 {
    match step {
        Step::Year => rate,
        Step::Quarter => (1.0 + rate).powi(4) - 1.0,
        Step::Month => (1.0 + rate).powi(12) - 1.0,
    }
}
