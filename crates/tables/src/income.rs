//! An operating statement: its lines, its printed sums, and the totals computed from the lines.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use crate::accounts::{Below, Line, Printed};

/// A line with its amounts as printed: one for each of [`Statement::months`], or a single amount.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub label: String,
    pub line: Line,
    pub amounts: Vec<f64>,
}

/// A printed sum.
#[derive(Clone, Debug, PartialEq)]
pub struct Sum {
    pub label: String,
    pub of: Printed,
    pub amounts: Vec<f64>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statement {
    pub items: Vec<Item>,
    pub sums: Vec<Sum>,
    /// Groups of lines with a printed sum that agrees with them, such as all utilities.
    pub groups: Vec<Item>,
    /// The names of the lines and groups in each of these groups, by its name.
    pub parts: BTreeMap<String, Vec<String>>,
    /// Empty if the statement has one amount for each line.
    pub months: Vec<NaiveDate>,
    /// Months between the first and the last for which there is no column.
    pub missing: Vec<NaiveDate>,
    /// A month is given twice, or a column among the months names none.
    pub run_is_open: bool,
    pub doubts: Vec<String>,
    pub remarks: Vec<String>,
    /// The same lines as the printed column of totals has them, if it is not the sum of the months in some of them.
    pub totals_column: Option<Box<Statement>>,
    /// Sentences about printed sums of groups that differ from their lines.
    pub warnings: Vec<String>,
    /// Whether expenses are printed as negative numbers.
    pub costs_negative: bool,
    /// Whether deductions such as vacancy are printed as positive numbers.
    pub deductions_positive: bool,
}

/// Sums over selected months. Deductions are negative, costs are positive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Rent at market, if the statement has such a line.
    pub potential: Option<f64>,
    /// Rent as billed or collected, if the statement starts with it.
    pub rent: f64,
    pub deductions: f64,
    pub other: f64,
    pub expenses: f64,
    pub reserves: f64,
    pub capital: f64,
    pub debt: f64,
}

impl Totals {
    #[must_use]
    pub fn net_rental_income(&self) -> f64 {
        self.potential.unwrap_or(0.0) + self.rent + self.deductions
    }

    #[must_use]
    pub fn effective_gross_income(&self) -> f64 {
        self.net_rental_income() + self.other
    }

    #[must_use]
    pub fn net_operating_income(&self) -> f64 {
        self.effective_gross_income() - self.expenses
    }

    /// The total that a printed sum is of.
    fn of(&self, printed: Printed) -> Option<f64> {
        Some(match printed {
            Printed::NetRentalIncome => self.net_rental_income(),
            Printed::EffectiveGrossIncome => self.effective_gross_income(),
            Printed::Expenses => self.expenses,
            Printed::NetOperatingIncome => self.net_operating_income(),
            Printed::Other => return None,
        })
    }
}

/// Whether two sums are equal except for the rounding of their parts.
pub(crate) fn agree(one: f64, other: f64, parts: usize) -> bool {
    (one - other).abs() <= 0.02 * parts.max(1) as f64 + 0.5_f64.min(one.abs() * 1e-6)
}

impl Statement {
    /// A line's amount over some months (all, if the statement has no months). Deductions are negative, costs
    /// are positive.
    #[must_use]
    pub fn amount(&self, item: &Item, months: &[usize]) -> f64 {
        let sum = over(&item.amounts, months);
        match item.line {
            Line::Potential | Line::Rent | Line::Other | Line::Unknown | Line::Printed(_) => sum,
            Line::LossToLease | Line::Vacancy | Line::NonRevenue | Line::Concessions | Line::BadDebt => {
                if self.deductions_positive {
                    -sum
                } else {
                    sum
                }
            }
            Line::Expense | Line::Below(_) => {
                if self.costs_negative {
                    -sum
                } else {
                    sum
                }
            }
        }
    }

    /// A sentence that asks which of some lines is meant, if one of them is part of another.
    #[must_use]
    pub fn overlap(&self, items: &[&Item]) -> Option<String> {
        items.iter().find_map(|sum| {
            let parts = self.parts.get(&sum.label)?;
            let part = items
                .iter()
                .find(|item| item.label != sum.label && parts.contains(&item.label))?;
            Some(format!(
                "“{}” is part of “{}”: which of them do you mean?",
                part.label, sum.label
            ))
        })
    }

    /// Totals over some months, given by index in [`Statement::months`]. No index means all months.
    #[must_use]
    pub fn totals(&self, months: &[usize]) -> Totals {
        let mut totals = Totals::default();
        for item in &self.items {
            let amount = self.amount(item, months);
            match item.line {
                Line::Potential => totals.potential = Some(totals.potential.unwrap_or(0.0) + amount),
                Line::Rent => totals.rent += amount,
                Line::LossToLease | Line::Vacancy | Line::NonRevenue | Line::Concessions | Line::BadDebt => {
                    totals.deductions += amount;
                }
                Line::Other => totals.other += amount,
                Line::Expense => totals.expenses += amount,
                Line::Below(Below::Reserves) => totals.reserves += amount,
                Line::Below(Below::Debt) => totals.debt += amount,
                Line::Below(Below::Other) | Line::Unknown | Line::Printed(_) => {}
                Line::Below(_) => totals.capital += amount,
            }
        }
        // A statement that starts with net rental income has no lines that add up to it.
        let rents = self.items.iter().any(|item| {
            matches!(
                item.line,
                Line::Potential | Line::Rent | Line::LossToLease | Line::Vacancy
            )
        });
        if !rents {
            let net = self
                .sums
                .iter()
                .filter(|sum| matches!(sum.of, Printed::NetRentalIncome));
            totals.rent += net.map(|sum| over(&sum.amounts, months)).sum::<f64>();
        }
        totals
    }

    /// Sentences about printed sums that differ from the sum of their lines.
    #[must_use]
    pub fn disagreements(&self, months: &[usize]) -> Vec<String> {
        let totals = self.totals(months);
        let differing = self.sums.iter().filter_map(|sum| {
            let (printed, computed) = self.differs(sum, &totals, months)?;
            Some(format!(
                "The file prints “{}” as {printed:.2}, but its lines make {computed:.2}; I use the lines.",
                sum.label
            ))
        });
        differing.chain(self.warnings.iter().cloned()).collect()
    }

    /// The printed sum of a kind, if its lines make another.
    #[must_use]
    pub fn printed_otherwise(&self, of: Printed, months: &[usize]) -> Option<f64> {
        let totals = self.totals(months);
        let sums = self.sums.iter().filter(|sum| sum.of == of);
        let differing = sums.filter_map(|sum| self.differs(sum, &totals, months));
        let in_column = || {
            let printed = self.column_of(months)?.totals(&[]).of(of)?;
            let parts = self.items.len() * self.months.len().max(1);
            (!agree(printed, totals.of(of)?, parts)).then_some(printed)
        };
        differing.map(|(printed, _)| printed).next().or_else(in_column)
    }

    /// What the printed column of totals has for a line, if it is not the sum of its months.
    #[must_use]
    pub fn line_printed_otherwise(&self, item: &Item, months: &[usize]) -> Option<f64> {
        let column = self.column_of(months)?;
        let own = column
            .items
            .iter()
            .find(|own| own.label == item.label && own.line == item.line)?;
        let (printed, computed) = (column.amount(own, &[]), self.amount(item, months));
        (!agree(printed, computed, self.months.len())).then_some(printed)
    }

    /// The printed column of totals, for all months.
    fn column_of(&self, months: &[usize]) -> Option<&Self> {
        let all = (0..self.months.len()).all(|at| months.contains(&at));
        self.totals_column.as_deref().filter(|_| all || months.is_empty())
    }

    /// A printed sum and what its lines make, if they differ.
    fn differs(&self, sum: &Sum, totals: &Totals, months: &[usize]) -> Option<(f64, f64)> {
        let parts = self.items.len() * self.months.len().max(1);
        let printed = over(&sum.amounts, months);
        let computed = totals.of(sum.of)?;
        let same = agree(printed, computed, parts)
            || agree(-printed, computed, parts) && sum.of == Printed::Expenses;
        (!same).then_some((printed, computed))
    }
}

fn over(amounts: &[f64], months: &[usize]) -> f64 {
    if months.is_empty() {
        return amounts.iter().sum();
    }
    // Each month counts once, in the order of the amounts.
    let mut months = months.to_vec();
    months.sort_unstable();
    months.dedup();
    months.iter().filter_map(|at| amounts.get(*at)).sum()
}
