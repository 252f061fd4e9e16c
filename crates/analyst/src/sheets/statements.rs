//! Answers about operating statements: income, expenses, NOI and their ratios, of all months or of some; single lines
//! by their names.
//!
//! What is below the line is named, so that nobody wonders. Knows no file.

use chrono::{Datelike, NaiveDate};

use crate::say::format;
use crate::sheets::asked::{Measure, Pace};
use crate::sheets::finding::{Finding, Open, Outcome};
use crate::sheets::time::Span;
use tables::accounts::{Below, Line, Printed};
use tables::income::{Statement, Totals};
use tables::periods;

pub(crate) struct Asked<'a> {
    pub(crate) statement: &'a Statement,
    pub(crate) pace: Pace,
    /// The last three months, times four.
    pub(crate) quarter: bool,
    /// The last three months as they are.
    pub(crate) last_three: bool,
    /// "T-12": twelve months are expected.
    pub(crate) twelve: bool,
    pub(crate) source: &'a str,
}

/// Which months are summed, and how the sum is called.
pub(crate) struct Months {
    /// Places in [`Statement::months`]; empty for a statement without months.
    pub(crate) places: Vec<usize>,
    pub(crate) label: Option<String>,
    pub(crate) factor: f64,
    remarks: Vec<String>,
}

fn named(first: NaiveDate, last: NaiveDate) -> String {
    if (first.year(), first.month()) == (last.year(), last.month()) {
        periods::label(first)
    } else {
        format!("{} to {}", periods::label(first), periods::label(last))
    }
}

/// Months from `first` to `last`, and which of them the file lacks.
fn ranged(statement: &Statement, first: NaiveDate, last: NaiveDate) -> String {
    let missing = statement
        .missing
        .iter()
        .filter(|month| (first..=last).contains(*month));
    let missing: Vec<String> = missing.map(|month| periods::label(*month)).collect();
    let range = named(first, last);
    if missing.is_empty() {
        range
    } else {
        format!("{range} without {}", missing.join(", "))
    }
}

/// The months that a question means.
pub(crate) fn months(asked: &Asked<'_>, span: Option<&Span>) -> Result<Months, Open> {
    let all = &asked.statement.months;
    let mut remarks = Vec::new();
    if all.is_empty() {
        if let Some(span) = span {
            return Err(Open::because(format!(
                "The file has one amount for each line and does not say of which months, so I cannot give the part {}.",
                span.label
            )));
        }
        if asked.quarter || asked.last_three {
            return Err(Open::because(
                "The file has no single months, so I cannot annualize the last three.",
            ));
        }
        let factor = if asked.pace == Pace::Monthly {
            1.0 / 12.0
        } else {
            1.0
        };
        if asked.pace == Pace::Monthly {
            remarks.push("A month is a twelfth of the statement's amounts.".to_owned());
        }
        return Ok(Months {
            places: Vec::new(),
            label: None,
            factor,
            remarks,
        });
    }
    let mut places: Vec<usize> = match span {
        Some(span) => (0..all.len())
            .filter(|at| all.get(*at).is_some_and(|month| span.holds(*month)))
            .collect(),
        None => (0..all.len()).collect(),
    };
    if let Some(span) = span {
        let wanted = match (span.from, span.to) {
            (Some(from), Some(to)) => {
                (to.year() - from.year()) * 12 + to.month() as i32 - from.month() as i32 + 1
            }
            _ => i32::try_from(places.len()).unwrap_or(0),
        };
        if places.is_empty() || i32::try_from(places.len()).unwrap_or(0) < wanted {
            return Err(Open::because(format!(
                "The statement runs from {} and does not hold all months {}.",
                all.first()
                    .zip(all.last())
                    .map_or(String::new(), |(first, last)| named(*first, *last)),
                span.label
            )));
        }
    }
    let mut factor = 1.0;
    if asked.quarter || asked.last_three {
        let skip = places
            .len()
            .checked_sub(3)
            .ok_or_else(|| Open::because("The statement has fewer than three months."))?;
        places.drain(..skip);
        if asked.quarter {
            factor = 4.0;
            remarks.push("Annualized: the last three months times four.".to_owned());
        }
    } else if span.is_none() && places.len() > 12 {
        let skip = places.len() - 12;
        places.drain(..skip);
        remarks.push(format!("The last twelve of {} months.", all.len()));
    } else if span.is_none() && places.len() < 12 {
        if asked.twelve {
            return Err(Open::because(format!(
                "The statement has {} months, so it is no trailing twelve. Should I sum or annualize them?",
                places.len()
            )));
        }
        if asked.pace == Pace::Annual {
            factor = 12.0 / places.len() as f64;
            remarks.push(format!(
                "Annualized: {} months × 12 ÷ {}.",
                places.len(),
                places.len()
            ));
        } else {
            remarks.push(format!("The sum of the {} months in the file.", places.len()));
        }
    }
    if asked.pace == Pace::Monthly && places.len() > 1 {
        factor = 1.0 / places.len() as f64;
        remarks.push(format!("The average of {} months.", places.len()));
    }
    let label = places
        .first()
        .zip(places.last())
        .and_then(|(first, last)| Some(ranged(asked.statement, *all.get(*first)?, *all.get(*last)?)));
    Ok(Months {
        places,
        label,
        factor,
        remarks,
    })
}

/// The figures of one measure.
pub(crate) fn compute(measure: Measure, asked: &Asked<'_>, months: &Months) -> Result<Outcome, Open> {
    let statement = asked.statement;
    if let Some(doubt) = statement.doubts.first() {
        return Err(Open::because(doubt.clone()));
    }
    let raw = statement.totals(&months.places);
    let totals = scaled(&raw, months.factor);
    let mut outcome = Outcome {
        remarks: months.remarks.clone(),
        warnings: statement.disagreements(&months.places),
        ..Outcome::default()
    };
    outcome.remarks.extend(statement.remarks.iter().cloned());
    outcome.account = account(statement, months);
    let period = |finding: Finding| match &months.label {
        Some(label) => finding.during(label.clone()),
        None => finding,
    };
    let source = asked.source;
    let egi = totals.effective_gross_income();
    let noi = totals.net_operating_income();
    let lines = |of: &dyn Fn(Line) -> bool| -> Vec<String> {
        statement
            .items
            .iter()
            .filter(|item| of(item.line))
            .map(|item| {
                let amount = statement.amount(item, &months.places) * months.factor;
                format!("{} {}", item.label, format::money(amount))
            })
            .collect()
    };
    let income = lines(&|line| {
        !matches!(
            line,
            Line::Expense | Line::Below(_) | Line::Printed(_) | Line::Unknown
        )
    });
    let costs = lines(&|line| line == Line::Expense);
    let egi_steps = format!("EGI = {} = {}.", income.join(" + "), format::money(egi));
    let cost_steps = format!(
        "Operating expenses = {} = {}.",
        costs.join(" + "),
        format::money(totals.expenses)
    );
    let noi_steps = format!(
        "NOI = {} − {} = {}.",
        format::money(egi),
        format::money(totals.expenses),
        format::money(noi)
    );
    let need_income = || match income.is_empty() {
        true => Err(Open::because("I found no income line in the statement.")),
        false => Ok(()),
    };
    let need_costs = || match costs.is_empty() {
        true => Err(Open::because("I found no operating expense in the statement.")),
        false => Ok(()),
    };
    let left_out = lines(&|line| matches!(line, Line::Below(_)));
    let below = |outcome: &mut Outcome| {
        if !left_out.is_empty() {
            outcome
                .remarks
                .push(format!("Below the line and left out: {}.", left_out.join(", ")));
        }
    };
    const EGI: &str = "EGI = gross potential rent less loss to lease, vacancy, non-revenue units, concessions and bad debt, plus recoveries and other income.";
    const NOI: &str = "NOI = effective gross income − operating expenses; reserves, capital works, debt, depreciation and income tax are below the line.";
    const OPEX: &str =
        "Operating expenses without reserves, capital works, debt, depreciation and income tax.";
    let egi_finding = || Finding::money("egi", "effective gross income", egi, EGI).step(egi_steps.clone());
    let opex_finding =
        || Finding::money("opex", "operating expenses", totals.expenses, OPEX).step(cost_steps.clone());
    let noi_finding = || {
        Finding::money("noi", "net operating income", noi, NOI)
            .input("egi", egi, "USD", source)
            .input("opex", totals.expenses, "USD", source)
            .step(egi_steps.clone())
            .step(cost_steps.clone())
            .step(noi_steps.clone())
    };
    let findings = match measure {
        Measure::NetOperatingIncome => {
            need_income()?;
            need_costs()?;
            below(&mut outcome);
            vec![noi_finding(), egi_finding().aside(), opex_finding().aside()]
        }
        Measure::EffectiveGrossIncome => {
            need_income()?;
            vec![egi_finding()]
        }
        Measure::Expenses => {
            need_costs()?;
            below(&mut outcome);
            vec![opex_finding()]
        }
        Measure::ExpenseRatio | Measure::NoiMargin => {
            need_income()?;
            need_costs()?;
            if egi == 0.0 {
                return Err(Open::because(
                    "The effective gross income is zero, so the ratio is not defined.",
                ));
            }
            below(&mut outcome);
            let ratio = if measure == Measure::ExpenseRatio {
                Finding::percent(
                    "opex_ratio",
                    "operating expense ratio",
                    totals.expenses / egi,
                    "Operating expense ratio = operating expenses ÷ effective gross income.",
                )
                .input("opex", totals.expenses, "USD", source)
            } else {
                Finding::percent(
                    "noi_margin",
                    "NOI margin",
                    noi / egi,
                    "NOI margin = NOI ÷ effective gross income.",
                )
                .input("noi", noi, "USD", source)
            };
            vec![
                ratio
                    .input("egi", egi, "USD", source)
                    .step(egi_steps.clone())
                    .step(cost_steps.clone()),
                opex_finding().aside(),
                egi_finding().aside(),
            ]
        }
        Measure::GrossPotentialRent => {
            let Some(potential) = totals.potential else {
                return Err(Open::because(
                    "The statement has no line of gross potential rent.",
                ));
            };
            vec![Finding::money(
                "gpr",
                "gross potential rent",
                potential,
                "Gross potential rent as the statement has it.",
            )]
        }
        Measure::LossToLease => {
            let sum: f64 = statement
                .items
                .iter()
                .filter(|item| item.line == Line::LossToLease)
                .map(|item| statement.amount(item, &months.places) * months.factor)
                .sum();
            if !statement.items.iter().any(|item| item.line == Line::LossToLease) {
                return Err(Open::because("The statement has no line of loss to lease."));
            }
            vec![Finding::money(
                "loss_to_lease",
                "loss to lease",
                -sum,
                "Loss to lease as the statement has it.",
            )]
        }
        Measure::NetRentalIncome => {
            need_income()?;
            vec![Finding::money(
                "net_rental_income",
                "net rental income",
                totals.net_rental_income(),
                "Net rental income = gross potential rent less loss to lease, vacancy, non-revenue units, concessions and bad debt.",
            )]
        }
        Measure::OtherIncome => vec![
            Finding::money(
                "other_income",
                "other income",
                totals.other,
                "Recoveries and other income, without rent.",
            )
            .step(format!("{}.", lines(&|line| line == Line::Other).join(" + "))),
        ],
        Measure::EconomicOccupancy => {
            let Some(potential) = totals.potential.filter(|potential| *potential > 0.0) else {
                return Err(Open::because(
                    "The statement has no line of gross potential rent, which economic occupancy is a share of.",
                ));
            };
            vec![
                Finding::percent(
                    "economic_occupancy",
                    "economic occupancy",
                    totals.net_rental_income() / potential,
                    "Economic occupancy = net rental income ÷ gross potential rent; other income is left out.",
                )
                .input("net_rental_income", totals.net_rental_income(), "USD", source)
                .input("gpr", potential, "USD", source)
                .step(format!("{} ÷ {}.", format::money(totals.net_rental_income()), format::money(potential))),
            ]
        }
        Measure::NetCashFlow => {
            need_income()?;
            need_costs()?;
            if !statement
                .items
                .iter()
                .any(|item| item.line == Line::Below(Below::Reserves))
            {
                return Err(Open::because("The statement has no line of reserves."));
            }
            vec![
                Finding::money(
                    "noi_after_reserves",
                    "NOI after reserves",
                    noi - totals.reserves,
                    "NOI after reserves = NOI − replacement reserves.",
                )
                .input("noi", noi, "USD", source)
                .input("reserves", totals.reserves, "USD", source),
                noi_finding().aside(),
            ]
        }
        Measure::CashAfterDebt => {
            need_income()?;
            need_costs()?;
            if totals.debt == 0.0 {
                return Err(Open::because("The statement has no debt service."));
            }
            outcome.remarks.push(format!(
                "Debt service: {}.",
                lines(&|line| line == Line::Below(Below::Debt)).join(" + ")
            ));
            vec![
                Finding::money("cash_flow_after_debt", "cash flow after debt service", noi - totals.debt, "Cash flow after debt service = NOI − debt service; reserves and capital works are not subtracted.")
                    .input("noi", noi, "USD", source)
                    .input("debt_service", totals.debt, "USD", source),
                noi_finding().aside(),
            ]
        }
        Measure::BreakEven => {
            let potential = totals
                .potential
                .map(|potential| potential + totals.other)
                .filter(|all| *all > 0.0);
            let Some(potential) = potential else {
                return Err(Open::because(
                    "The statement has no gross potential rent, which the break-even is a share of.",
                ));
            };
            need_costs()?;
            if totals.debt == 0.0 {
                outcome
                    .remarks
                    .push("The statement has no debt service; none is counted.".to_owned());
            }
            vec![
                Finding::percent(
                    "breakeven_occupancy",
                    "break-even occupancy",
                    (totals.expenses + totals.debt) / potential,
                    "Break-even occupancy = (operating expenses + debt service) ÷ potential gross income.",
                )
                .input("opex", totals.expenses, "USD", source)
                .input("debt_service", totals.debt, "USD", source)
                .input("potential_gross_income", potential, "USD", source),
            ]
        }
        _ => return Err(Open::because("That is nothing an operating statement can tell.")),
    };
    outcome.findings = findings.into_iter().map(period).collect();
    for finding in &mut outcome.findings {
        let of = match finding.name.as_str() {
            "noi" => Printed::NetOperatingIncome,
            "egi" => Printed::EffectiveGrossIncome,
            "opex" => Printed::Expenses,
            "net_rental_income" => Printed::NetRentalIncome,
            _ => continue,
        };
        let printed = statement.printed_otherwise(of, &months.places);
        finding.printed = printed.map(|printed| printed * months.factor);
    }
    Ok(outcome)
}

/// What of a statement was counted.
fn account(statement: &Statement, months: &Months) -> Vec<String> {
    let below = statement
        .items
        .iter()
        .filter(|item| matches!(item.line, Line::Below(_)))
        .count();
    let of = match months.places.len() {
        0 => String::new(),
        1 => " of 1 month".to_owned(),
        count => format!(" of {count} months"),
    };
    let sums = statement.sums.len();
    let differ = statement.disagreements(&months.places).len();
    vec![
        format!("Counted {} lines{of}.", statement.items.len() - below),
        format!("Left out: {below} below the line, {sums} printed sums."),
        match (sums, differ) {
            (0, _) => "The file prints no sums.".to_owned(),
            (_, 0) => "The printed sums agree with the lines.".to_owned(),
            (_, differ) => format!("{differ} printed sums do not agree with the lines."),
        },
    ]
}

fn scaled(totals: &Totals, factor: f64) -> Totals {
    Totals {
        potential: totals.potential.map(|amount| amount * factor),
        rent: totals.rent * factor,
        deductions: totals.deductions * factor,
        other: totals.other * factor,
        expenses: totals.expenses * factor,
        reserves: totals.reserves * factor,
        capital: totals.capital * factor,
        debt: totals.debt * factor,
    }
}
