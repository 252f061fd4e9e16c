//! Determines the sign of a statement's amounts, and the meaning of a line that is only called "expenses".
//!
//! Independent of tables and questions.

use crate::accounts::{Line, Printed};
use crate::headers;
use crate::income::{Item, Statement, Sum, agree};

/// "Operating expenses" alone is a printed sum if it equals the other expenses, otherwise a line of its own.
pub(crate) fn lump(statement: &mut Statement) {
    let generic = |item: &Item| {
        item.line == Line::Unknown
            && matches!(
                headers::normalized(&item.label).as_str(),
                "operatingexpenses"
                    | "operatingexpense"
                    | "opex"
                    | "expenses"
                    | "operatingcosts"
                    | "otheroperatingexpenses"
            )
    };
    let Some(at) = statement.items.iter().position(generic) else {
        return;
    };
    let mut others = vec![0.0; statement.months.len().max(1)];
    let mut parts = 0;
    for item in statement.items.iter().filter(|item| item.line == Line::Expense) {
        parts += 1;
        for (sum, amount) in others.iter_mut().zip(&item.amounts) {
            *sum += amount;
        }
    }
    let own = statement
        .items
        .get(at)
        .map(|item| item.amounts.clone())
        .unwrap_or_default();
    let made = parts > 0
        && own
            .iter()
            .zip(&others)
            .all(|(one, other)| agree(one.abs(), other.abs(), parts));
    if made {
        let item = statement.items.remove(at);
        statement.sums.push(Sum {
            label: item.label,
            of: Printed::Expenses,
            amounts: item.amounts,
        });
    } else if let Some(item) = statement.items.get_mut(at) {
        item.line = Line::Expense;
        if parts > 0 {
            statement.remarks.push(format!(
                "“{}” is counted beside the other lines of expenses.",
                item.label
            ));
        }
    }
}

/// A line that equals the printed income less the printed expenses is the printed net operating income, whatever its
/// name.
pub(crate) fn difference(statement: &mut Statement) {
    let printed = |of: Printed| {
        statement
            .sums
            .iter()
            .find(|sum| sum.of == of)
            .map(|sum| sum.amounts.clone())
    };
    let income = printed(Printed::EffectiveGrossIncome).zip(printed(Printed::Expenses));
    let Some((income, expenses)) = income else { return };
    let is_difference = |item: &Item| {
        let mut rows = item.amounts.iter().zip(&income).zip(&expenses);
        matches!(item.line, Line::Unknown | Line::Other | Line::Rent)
            && item.amounts.iter().any(|amount| *amount != 0.0)
            && rows.all(|((own, income), expenses)| agree(*own, income - expenses.abs(), 2))
    };
    let of = Printed::NetOperatingIncome;
    for item in statement.items.extract_if(.., |item| is_difference(item)) {
        let Item { label, amounts, .. } = item;
        statement.sums.push(Sum { label, of, amounts });
    }
}

/// A statement that starts with effective gross income uses it as its income.
pub(crate) fn given_income(statement: &mut Statement) {
    let earns = statement
        .items
        .iter()
        .any(|item| matches!(item.line, Line::Potential | Line::Rent | Line::Other));
    let at = statement
        .sums
        .iter()
        .position(|sum| sum.of == Printed::EffectiveGrossIncome);
    if let Some(at) = at.filter(|_| !earns) {
        let sum = statement.sums.remove(at);
        statement.items.insert(
            0,
            Item {
                label: sum.label,
                line: Line::Other,
                amounts: sum.amounts,
            },
        );
    }
}

/// In a ledger that prints credits as negative amounts, income is below zero and costs are above it: all amounts are
/// turned round.
pub(crate) fn credits(statement: &mut Statement) {
    let of = |is: &dyn Fn(Line) -> bool| -> Vec<f64> {
        let items = statement.items.iter().filter(|item| is(item.line));
        items.map(|item| item.amounts.iter().sum()).collect()
    };
    let income = of(&|line| matches!(line, Line::Potential | Line::Rent | Line::Other));
    let costs: f64 = of(&|line| line == Line::Expense).iter().sum();
    let rents: f64 = of(&|line| matches!(line, Line::Potential | Line::Rent))
        .iter()
        .sum();
    if !(rents < 0.0 && costs > 0.0 && income.iter().sum::<f64>() < 0.0) {
        return;
    }
    let items = statement
        .items
        .iter_mut()
        .chain(&mut statement.groups)
        .map(|item| &mut item.amounts);
    for amount in items
        .chain(statement.sums.iter_mut().map(|sum| &mut sum.amounts))
        .flatten()
    {
        *amount = -*amount;
    }
    let remark = "Income is printed as negative amounts and costs as positive ones; I turn them round.";
    statement.remarks.push(remark.to_owned());
}

/// Determines the direction in which costs and deductions are printed.
pub(crate) fn directions(statement: &mut Statement) {
    let sum = |of: &dyn Fn(Line) -> bool| {
        statement
            .items
            .iter()
            .filter(|item| of(item.line))
            .flat_map(|item| item.amounts.iter())
            .sum::<f64>()
    };
    let costs = sum(&|line| line == Line::Expense);
    let below = sum(&|line| matches!(line, Line::Below(_)));
    let deducted = sum(&|line| {
        matches!(
            line,
            Line::Vacancy | Line::NonRevenue | Line::Concessions | Line::BadDebt
        )
    });
    let lease = sum(&|line| line == Line::LossToLease);
    statement.costs_negative = costs < 0.0 || (costs == 0.0 && below < 0.0);
    statement.deductions_positive = deducted > 0.0 || (deducted == 0.0 && lease > 0.0);
}
