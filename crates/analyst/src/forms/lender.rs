//! The net cash flow as a lender underwrites it: EGI less expenses, a management fee, reserves and leasing costs by area.

use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use crate::words::scan::{Base, Shape};
use finance::variable::Variable::*;

/// Amounts for each square foot, and the token each stands at.
fn each_foot(words: &Words) -> Vec<(usize, f64)> {
    words
        .numbers()
        .filter_map(|at| words.number(at).map(|number| (at, number)))
        .filter(|(_, number)| number.base == Some(Base::Area) && number.every.is_none())
        .map(|(at, number)| (at, number.value))
        .collect()
}

#[rustfmt::skip]
pub(crate) static LENDER_CASH: Form = Form {
    name: "lender_cash_flow",
    is: |words| {
        let asks = words.says(&["ncf", "net cash flow", "underwritten cash flow", "underwritten ncf"]);
        let areas = words.numbers().filter(|at| words.number(*at).is_some_and(|number| number.shape == Shape::Area)).count();
        asks && words.says(&["egi", "effective gross income"]) && areas == 1 && !each_foot(words).is_empty()
            && !words.has(&["gpr", "vacancy", "month", "monthly", "dscr", "growing", "growth", "units", "value", "cap"])
    },
    goals: &[(NetCashFlow, &["ncf", "net cash flow"])],
    inputs: &[
        (Egi, &["egi", "effective gross income"]),
        (Opex, &["opex", "operating expenses", "expenses", "operating costs"]),
        (ManagementShare, &["management fee", "management", "mgmt fee", "property management", "mgmt"]),
        (Management, &["management fee", "management", "mgmt fee", "property management"]),
    ],
    leads: &[],
    bare: &[Area],
    sums: &[],
    settle: |words, sheet: &mut Sheet| {
        sheet.goals = vec![NetCashFlow];
        let Some(area) = sheet.value(Area) else {
            return sheet.deal.missing.push(Area);
        };
        // Reserves and leasing costs are named for each foot; any other amount of a foot is not read here.
        let mut reserves = 0.0;
        for (at, each) in each_foot(words) {
            let named = (1..=6)
                .map_while(|back| at.checked_sub(back))
                .take_while(|at| words.number(*at).is_none() && !words.mark(*at, ','))
                .chain((1..=4).map(|ahead| at + ahead).take_while(|at| words.number(*at).is_none() && !words.mark(*at, ',') && words.word(*at) != "and"))
                .any(|at| matches!(words.word(at), "reserve" | "reserves" | "ti" | "lc" | "ti/lc" | "tilc" | "leasing" | "tenant" | "commissions" | "capex"));
            if !named {
                return sheet.doubt("What does each amount per square foot stand for: reserves, or leasing costs?");
            }
            reserves += each * area;
            sheet.take(at);
        }
        sheet.deal.values.remove(&Area);
        sheet.deal.set(Reserves, reserves, "computed");
        sheet.remark("Reserves and leasing costs are the amounts per square foot, times the area.");
        let fee = sheet.value(ManagementShare).zip(sheet.value(Egi)).map(|(share, egi)| share * egi).or(sheet.value(Management));
        if let (Some(fee), Some(opex)) = (fee, sheet.value(Opex)) {
            sheet.deal.values.remove(&ManagementShare);
            sheet.deal.values.remove(&Management);
            sheet.deal.set(Opex, opex + fee, "computed");
            sheet.remark("The operating expenses include the management fee, which is named beside them.");
        }
    },
};
