//! How the amounts of an income statement are put right before it is settled: amounts per unit, shares of income,
//! expenses that hold what does not belong to them, periods that do not agree.

use crate::forms::form::{Names, Sheet};
use crate::forms::words::Words;
use crate::plan::conditions;
use crate::words::scan::{Base, Per, Shape};
use finance::variable::Variable::{self, *};

/// The lines of the operating expenses that have a name of their own.
pub(crate) const EXPENSE_LINES: [Variable; 9] = [
    PropertyTaxes,
    Insurance,
    Utilities,
    Repairs,
    Payroll,
    Management,
    ManagementShare,
    Administration,
    Marketing,
];

/// "opex 500k excluding property taxes": what is not in the expenses and not told apart is missing.
pub(crate) fn incomplete(words: &Words, sheet: &mut Sheet, inputs: &[Names]) {
    for at in words.numbers() {
        if !matches!(
            words.word(at + 1),
            "excluding" | "excl" | "without" | "before" | "exclusive" | "ex"
        ) {
            continue;
        }
        let start = at + 2 + usize::from(matches!(words.word(at + 2), "of" | "any" | "the"));
        let named = |variable: &Variable, phrases: &[&str]| {
            EXPENSE_LINES.contains(variable)
                && phrases.iter().any(|phrase| {
                    let parts: Vec<&str> = phrase.split(' ').collect();
                    words.at(start, &parts).is_some()
                })
        };
        let left: Vec<Variable> = inputs
            .iter()
            .filter(|(variable, phrases)| named(variable, phrases))
            .map(|(variable, _)| *variable)
            .collect();
        if let Some(first) = left.first()
            && !left.iter().any(|variable| sheet.has(*variable))
        {
            sheet.doubt(format!(
                "The {} are not in that amount. How much are they?",
                first.label()
            ));
        }
    }
}

/// "It collects 1.1m of rent": what came in is the rent that NOI starts from.
pub(crate) fn collected_rent(words: &Words, sheet: &mut Sheet) {
    let either = [Collections.label(), Gpr.label()];
    if sheet.wants(EconomicOccupancy) || sheet.has(Gpr) || sheet.has(Egi) {
        return;
    }
    let torn = words.numbers().find(|at| {
        let said = format!("“{}”", words.said(*at));
        sheet
            .deal
            .doubts
            .iter()
            .any(|doubt| doubt.contains(&said) && either.iter().all(|label| doubt.contains(label)))
    });
    // "Rents collected 148,200": the word behind the rents says that they came in.
    let came_in = words.says(&[
        "rents collected",
        "rent collected",
        "collected rents",
        "collected rent",
    ]);
    if came_in && torn.is_none() && (sheet.wants(Noi) || sheet.wants(Egi)) {
        return sheet.rename(Collections, Gpr);
    }
    if let Some(number) = torn.and_then(|at| words.number(at)) {
        sheet
            .deal
            .doubts
            .retain(|doubt| !either.iter().all(|label| doubt.contains(label)));
        sheet.put(Gpr, number.value);
    }
}

/// "$300/unit reserves", "opex $5,000 per door": the amount of each, times the units.
pub(crate) fn each_unit(words: &Words, sheet: &mut Sheet) {
    let Some(units) = sheet.value(TotalUnits) else {
        return;
    };
    for at in sheet.left.clone() {
        let Some(number) = words.number(at).filter(|number| number.base == Some(Base::Unit)) else {
            continue;
        };
        let near = (1..=4)
            .flat_map(|away| [Some(at + away), at.checked_sub(away)])
            .flatten()
            .find_map(|at| match words.word(at) {
                "reserve" | "reserves" => Some(Reserves),
                "opex" | "expenses" | "costs" => Some(Opex),
                _ => None,
            });
        let Some(variable) = near.filter(|variable| !sheet.has(*variable)) else {
            continue;
        };
        let months = if number.every == Some(Per::Month) {
            12.0
        } else {
            1.0
        };
        sheet.put(variable, number.value * units * months);
        sheet.take(at);
        sheet.remark("Amounts per unit are multiplied by the units.");
        // A unit that costs more than all of the rent: the rent is that of one unit.
        let rent = sheet.value(Gpr).map(|rent| rent / units);
        if variable == Opex && rent.is_some_and(|rent| rent < number.value * months) {
            sheet.doubt("Is the rent that of one unit, or of all of them?");
        }
        if sheet.has(Noi) || sheet.has(Gpr) {
            sheet.deal.values.remove(&TotalUnits);
        }
    }
}

/// "94% occupied" leaves 6% vacant; "concessions 2%" are of the potential rent.
pub(crate) fn shares(words: &Words, sheet: &mut Sheet) {
    for at in sheet.left.clone() {
        let Some(number) = words.number(at).filter(|number| number.shape == Shape::Percent) else {
            continue;
        };
        let share = number.value / 100.0;
        let before = at.checked_sub(1).map_or("", |at| words.word(at));
        let occupied = matches!(words.word(at + 1), "occupied" | "occupancy" | "let" | "leased");
        if occupied
            && !sheet.has(VacancyShare)
            && !sheet.has(VacancyLoss)
            && !words.says(&["on occupied", "of occupied"])
        {
            sheet.put(VacancyShare, 1.0 - share);
            sheet.take(at);
            sheet.remark("What is not occupied is counted as vacancy.");
        } else if matches!(before, "concessions" | "concession")
            && !sheet.has(Concessions)
            && let Some(rent) = sheet.value(Gpr)
        {
            sheet.put(Concessions, share * rent);
            sheet.take(at);
            sheet.remark("Concessions in percent are taken of the gross potential rent.");
        }
    }
}

/// "7% of both": of the rent and of what else comes in.
pub(crate) fn of_all_income(words: &Words, sheet: &mut Sheet) {
    let all = [
        "on both",
        "on the total",
        "of the total",
        "on total income",
        "on all income",
        "on everything",
        "of total revenue",
        "on total revenue",
        "of all revenue",
        "on all revenue",
        "of gross income",
        "on gross income",
        "on total gross income",
        "on the sum",
        "of the sum",
        "of both",
        "of total income",
        "of all income",
        "of everything",
        "of total gross income",
    ];
    let Some(share) = sheet.value(VacancyShare).filter(|_| words.says(&all)) else {
        return;
    };
    let Some(rent) = sheet.value(Gpr) else { return };
    let more = sheet.value(Recoveries).unwrap_or(0.0) + sheet.value(OtherIncome).unwrap_or(0.0);
    sheet.deal.values.remove(&VacancyShare);
    sheet.put(VacancyLoss, share * (rent + more));
    sheet.remark("The vacancy is taken of all income.");
}

/// "opex 400k of which 60k is depreciation": what never belongs to operating expenses comes off them.
pub(crate) fn included(words: &Words, sheet: &mut Sheet) {
    let Some(phrase) = conditions::part_of_amount(words.tokens) else {
        return;
    };
    let below = sheet.value(BelowTheLine).unwrap_or(0.0) + sheet.value(Reserves).unwrap_or(0.0);
    let after_opex = words.find(phrase).is_some_and(|(at, _)| {
        let back = at.saturating_sub(8);
        (back..at).any(|at| matches!(words.word(at), "opex" | "expenses" | "costs" | "expense"))
    });
    match sheet.value(Opex) {
        Some(opex) if after_opex && below > 0.0 && below < opex => {
            sheet.put(Opex, opex - below);
            sheet.remark("What is not an operating expense is taken off the expenses, as they include it.");
        }
        _ => sheet.doubt(conditions::ask(phrase)),
    }
}

/// "NOI after reserves", "reserves above the line": they come off as well, and the figure says so.
pub(crate) fn with_reserves(words: &Words, sheet: &mut Sheet) {
    let above = words.says(&[
        "above the line",
        "after reserves",
        "net of reserves",
        "after replacement reserves",
        "after capital reserves",
        "after deducting reserves",
        "after the reserves",
        "less reserves",
    ]);
    if above && sheet.wants(Noi) && sheet.has(Reserves) {
        sheet.replace_goal(Noi, NetCashFlow);
        sheet.names.push((NetCashFlow, "noi_after_reserves"));
    } else if above && sheet.wants(Noi) && !sheet.excluded.contains(&Reserves) {
        sheet.deal.missing.push(Reserves);
    }
}

/// Amounts of a month beside amounts without a period leave open what the latter are.
pub(crate) fn one_period(words: &Words, sheet: &mut Sheet) {
    let money: Vec<Option<Per>> = words
        .numbers()
        .filter_map(|at| words.number(at))
        .filter(|number| {
            number.shape == Shape::Money || (number.shape == Shape::Plain && number.value >= 1000.0)
        })
        .map(|number| number.per)
        .collect();
    let monthly = money.contains(&Some(Per::Month)) && !sheet.has(AverageRent);
    // A price has no period.
    let money: Vec<Option<Per>> = if sheet.has(Price) {
        let mut dropped = false;
        money
            .into_iter()
            .filter(|per| {
                let drop = per.is_none() && !dropped;
                dropped |= drop;
                !drop
            })
            .collect()
    } else {
        money
    };
    if monthly && money.iter().any(Option::is_none) {
        sheet.doubt("Some amounts are per month. Are the others per month too, or per year?");
    }
}
