//! Amounts of different periods in one question: taken for the same one, or asked about.

use crate::plan::deal::Deal;
use crate::plan::outcome::{Ask, Computed};
use crate::read::fitting;
use crate::read::given::QUESTION;
use crate::words::scan::Per;
use finance::variable::Variable;

/// Rent collected without a period is for the period of the potential rent, and the other way round.
pub(crate) fn same_period(deal: &mut Deal) {
    let pair = (
        deal.values.get(&Variable::Gpr).cloned(),
        deal.values.get(&Variable::Collections).cloned(),
    );
    let (Some(rent), Some(collected)) = pair else {
        return;
    };
    let factor = |per: Option<Per>| match per {
        Some(Per::Month) => 12.0,
        Some(Per::Quarter) => 4.0,
        _ => 1.0,
    };
    let (variable, given, per) = match (rent.period, collected.period) {
        (Some(per), None) => (Variable::Collections, collected, per),
        (None, Some(per)) => (Variable::Gpr, rent, per),
        _ => return,
    };
    if factor(Some(per)) > 1.0 {
        deal.set(variable, given.value * factor(Some(per)), &given.origin);
        deal.remarks
            .push("Both amounts are taken for the same period.".to_owned());
    }
}

/// One amount per month beside another whose period was not said: the latter may be monthly too.
pub(crate) fn mixed(deal: &mut Deal, computed: &Computed) -> Result<(), Ask> {
    let used: Vec<Variable> = computed
        .steps
        .iter()
        .flat_map(|step| step.inputs.iter().map(|(input, _)| *input))
        .collect();
    let occupancy = used.contains(&Variable::Collections);
    let flows: Vec<(Variable, f64, Option<Per>)> = deal
        .values
        .iter()
        .filter(|(variable, given)| {
            used.contains(variable)
                && fitting::flow(**variable)
                && given.origin == QUESTION
                && **variable != Variable::Payment
        })
        .map(|(variable, given)| (*variable, given.value, given.period))
        .collect();
    let monthly: Vec<&(Variable, f64, Option<Per>)> = flows
        .iter()
        .filter(|(_, _, per)| matches!(per, Some(Per::Month | Per::Quarter)))
        .collect();
    // A payment is one of a month: an income of a few of them is hardly that of a year.
    let payment = deal
        .values
        .get(&Variable::Payment)
        .filter(|given| used.contains(&Variable::Payment) && given.origin == QUESTION)
        .map(|given| given.value);
    for (variable, value, per) in &flows {
        let few = payment.is_some_and(|payment| value.abs() <= 5.0 * payment.abs());
        if few && per.is_none() && *variable == Variable::Noi {
            return Err(Ask::because(
                "The payment is one of a month. Is the net operating income that of a year, a quarter or a month?",
            ));
        }
        if per.is_some() {
            continue;
        }
        for (other, annual, _) in &monthly {
            // As large as several months of the other one, it can only be an annual amount.
            if !occupancy && value.abs() <= 5.0 * (annual / 12.0).abs() {
                return Err(Ask::because(format!(
                    "The {} is given per month. Is the {} per month too, or per year?",
                    other
                        .label()
                        .trim_end_matches(" (annual)")
                        .trim_start_matches("annual "),
                    variable
                        .label()
                        .trim_end_matches(" (annual)")
                        .trim_start_matches("annual "),
                )));
            }
        }
    }
    Ok(())
}
