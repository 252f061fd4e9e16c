//! What is left after debt service and further lines below it: capital works, tenant improvements, commissions, reserves.
//!
//! Computes with the lines that are named, and with no others.

use crate::say::format;
use crate::sheets::finding::{Finding, Open, Outcome};
use crate::sheets::statements::Months;
use crate::sheets::words::Words;
use tables::accounts::{Below, Line};
use tables::headers;
use tables::income::Statement;

/// A deduction: how it is said, and the words of the lines it may have.
struct Further {
    said: &'static [&'static str],
    label: &'static str,
    below: Below,
    /// Any of these in the line's name; none for all lines of the kind.
    lines: &'static [&'static str],
}

const FURTHER: &[Further] = &[
    Further {
        said: &["reserve"],
        label: "reserves",
        below: Below::Reserves,
        lines: &[],
    },
    Further {
        said: &["capex", "capital", "capital expenditure", "capital work"],
        label: "capital works",
        below: Below::Capital,
        lines: &["capex", "capital", "cap"],
    },
    Further {
        said: &["ti", "tis", "tenant improvement"],
        label: "tenant improvements",
        below: Below::Capital,
        lines: &["ti", "tis", "tenant"],
    },
    Further {
        said: &["lc", "lcs", "leasing commission", "commission"],
        label: "leasing commissions",
        below: Below::Capital,
        lines: &["lc", "lcs", "leasing", "commission", "commissions"],
    },
];

/// The cash flow after debt service less what else the question names behind "after".
pub(crate) fn further(
    outcome: Outcome,
    words: &mut Words,
    statement: &Statement,
    months: &Months,
) -> Result<Outcome, Open> {
    let kept = words.says(&["before", "excluding", "without", "ignoring", "not", "except"]);
    // "Capital reserve" is a reserve.
    let reserve = words.says(&["capital reserve"]);
    let named: Vec<&Further> = FURTHER
        .iter()
        .filter(|own| words.says(own.said) && !(reserve && own.label == "capital works"))
        .collect();
    let Some(first) = outcome.findings.first().filter(|_| !named.is_empty() && !kept) else {
        return Ok(outcome);
    };
    let Some(flow) = first.value.as_f64() else {
        return Ok(outcome);
    };
    let mut left = flow;
    let mut labels = Vec::new();
    let mut shown = Vec::new();
    for own in named {
        words.take(own.said);
        let lines: Vec<_> = statement
            .items
            .iter()
            .filter(|item| item.line == Line::Below(own.below))
            .filter(|item| {
                let parts = headers::words(&item.label);
                own.lines.is_empty() || parts.iter().any(|part| own.lines.contains(&part.as_str()))
            })
            .collect();
        if lines.is_empty() {
            return Err(Open::because(format!(
                "I found no line of {} in the statement to subtract.",
                own.label
            )));
        }
        for item in lines {
            let amount = statement.amount(item, &months.places) * months.factor;
            left -= amount;
            shown.push(format!("{} {}", item.label, format::money(amount)));
        }
        labels.push(own.label);
    }
    let mut finding = Finding::money(
        "cash_flow_after_debt_and_other_lines",
        &format!("cash flow after debt service and {}", labels.join(" and ")),
        left,
        &format!(
            "NOI − debt service − {}; no other line is subtracted.",
            labels.join(" − ")
        ),
    )
    .step(format!(
        "Cash flow after debt service {}, less {}.",
        format::money(flow),
        shown.join(", ")
    ));
    finding.inputs = first.inputs.clone();
    finding.period = first.period.clone();
    let mut findings = vec![finding, first.clone().aside()];
    findings.extend(outcome.findings.iter().skip(1).cloned());
    Ok(Outcome { findings, ..outcome })
}
