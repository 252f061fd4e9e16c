//! Metrics of the ledger: NOI and its components, income ratios and budgets. Pure. Ratios divide sums and
//! never average other ratios.

use crate::portfolio::metrics::chart::Role;
use crate::portfolio::metrics::facts::{
    Facts, NO_BUDGET, NO_LEDGER, NO_UNITS, Params, Posted, Undefined, Workings, ratio,
};
use finance::portfolio::metric::Metric;

impl Facts {
    pub(super) fn of_ledger(&self, asked: &Params<'_>, workings: &mut Workings) -> Result<f64, Undefined> {
        let metric = asked.metric;
        if self.ledger.is_empty() {
            return Err(NO_LEDGER);
        }
        let f = asked.factor;
        let role = |role: Role| self.ledger(|row| row.role == role);
        let revenue = self.ledger(|row| row.role.is_revenue());
        let (opex, potential) = (role(Role::Expense), role(Role::GrossPotentialRent));
        let noi = revenue - opex;
        let (units, area) = (self.roll(|row| row.units), self.roll(|row| row.area) / 100.0);
        let account = |row: &Posted| Some(row.code.as_str()) == asked.account;
        let against = |workings: &mut Workings, actual: f64, which: &dyn Fn(&Posted) -> bool, sign: f64| {
            if !self.ledger.iter().any(|row| which(row) && row.is_budgeted) {
                return Err(NO_BUDGET);
            }
            let signed = |row: &Posted| which(row) && row.role == Role::Expense;
            let budget =
                self.budget(|row| which(row) && !signed(row)) + sign * self.budget(|row| signed(row));
            workings.money("actual", actual);
            workings.money("budget", budget);
            Ok((actual, budget))
        };
        // Adding zero turns a negative zero into a positive one.
        let cents = |value: f64| (value * 100.0).round() / 100.0 + 0.0;
        let operating = |row: &Posted| row.role.is_revenue() || row.role == Role::Expense;
        Ok(match metric {
            Metric::Noi => {
                workings.money("egi", revenue * f);
                workings.money("opex", opex * f);
                cents(noi * f)
            }
            Metric::Egi => cents(revenue * f),
            Metric::Opex => cents(opex * f),
            Metric::OpexRatio => {
                workings.money("opex", opex);
                workings.money("egi", revenue);
                ratio(opex, revenue, "there is no income in that period")?
            }
            Metric::NoiMargin => {
                workings.money("noi", noi);
                workings.money("egi", revenue);
                ratio(noi, revenue, "there is no income in that period")?
            }
            Metric::OpexPerUnit | Metric::NoiPerUnit => {
                let amount = if metric == Metric::NoiPerUnit { noi } else { opex } * f;
                workings.money(
                    if metric == Metric::NoiPerUnit {
                        "noi"
                    } else {
                        "opex"
                    },
                    amount,
                );
                workings.add("units", "count", units);
                ratio(amount, units, NO_UNITS)?
            }
            Metric::OpexPerArea | Metric::NoiPerArea => {
                let amount = if metric == Metric::NoiPerArea { noi } else { opex } * f;
                workings.money(
                    if metric == Metric::NoiPerArea {
                        "noi"
                    } else {
                        "opex"
                    },
                    amount,
                );
                workings.add("area", "sqft", area);
                ratio(amount, area, NO_UNITS)?
            }
            Metric::GrossPotentialRent => cents(potential * f),
            Metric::EconomicOccupancy | Metric::EconomicVacancy => {
                let net = self.ledger(|row| row.role.is_rent());
                workings.money("net_rental_income", net);
                workings.money("gross_potential_rent", potential);
                let full = ratio(net, potential, "there is no gross potential rent in that period")?;
                if metric == Metric::EconomicOccupancy {
                    full
                } else {
                    1.0 - full
                }
            }
            Metric::BadDebt => cents(-role(Role::BadDebt) * f),
            Metric::Concessions => cents(-role(Role::Concessions) * f),
            Metric::BadDebtShare | Metric::ConcessionShare => {
                let (name, reporting_sign) = if metric == Metric::BadDebtShare {
                    ("bad_debt", -role(Role::BadDebt))
                } else {
                    ("concessions", -role(Role::Concessions))
                };
                workings.money(name, reporting_sign);
                workings.money("gross_potential_rent", potential);
                ratio(
                    reporting_sign,
                    potential,
                    "there is no gross potential rent in that period",
                )?
            }
            Metric::Capex => cents(role(Role::Capital) * f),
            Metric::DebtService => cents(role(Role::DebtService) * f),
            Metric::CashFlowBeforeDebt => {
                let capital = role(Role::Capital);
                workings.money("noi", noi * f);
                workings.money("capex", capital * f);
                cents((noi - capital) * f)
            }
            Metric::CashFlowAfterDebt => {
                let (capital, service) = (role(Role::Capital), role(Role::DebtService));
                workings.money("noi", noi * f);
                workings.money("capex", capital * f);
                workings.money("debt_service", service * f);
                cents((noi - capital - service) * f)
            }
            Metric::BreakevenOccupancy => {
                let (service, gross) = (
                    role(Role::DebtService),
                    self.ledger(|row| row.role.is_potential()),
                );
                workings.money("opex", opex);
                workings.money("debt_service", service);
                workings.money("potential_gross_income", gross);
                ratio(
                    opex + service,
                    gross,
                    "there is no potential income in that period",
                )?
            }
            Metric::NoiBudget => cents(against(workings, noi, &operating, -1.0)?.1),
            Metric::EgiBudget => cents(against(workings, revenue, &|row| row.role.is_revenue(), 1.0)?.1),
            Metric::OpexBudget => cents(against(workings, opex, &|row| row.role == Role::Expense, 1.0)?.1),
            Metric::AccountBudget => {
                let budget = against(workings, self.ledger(account), &account, 1.0)?.1;
                cents(budget * reporting_sign(&self.ledger, account))
            }
            Metric::NoiVsBudget => {
                let (actual, budget) = against(workings, noi, &operating, -1.0)?;
                cents(actual - budget)
            }
            Metric::NoiVsBudgetShare => {
                let (actual, budget) = against(workings, noi, &operating, -1.0)?;
                ratio(actual - budget, budget, "the budget is nought")?
            }
            Metric::EgiVsBudget => {
                let (actual, budget) = against(workings, revenue, &|row| row.role.is_revenue(), 1.0)?;
                cents(actual - budget)
            }
            Metric::OpexVsBudget => {
                let (actual, budget) = against(workings, opex, &|row| row.role == Role::Expense, 1.0)?;
                cents(actual - budget)
            }
            Metric::Account => cents(self.ledger(account) * reporting_sign(&self.ledger, account) * f),
            Metric::AccountVsBudget => {
                let (actual, budget) = against(workings, self.ledger(account), &account, 1.0)?;
                cents(actual - budget)
            }
            _ => return Err("it is not computed from the ledger"),
        })
    }
}

/// The sign to report an account with: -1 for deductions from rent, which are booked as negative amounts and
/// reported as positive ones.
fn reporting_sign(ledger: &[Posted], account: impl Fn(&Posted) -> bool) -> f64 {
    let role = ledger.iter().find(|row| account(row)).map(|row| row.role);
    match role {
        Some(Role::Vacancy | Role::NonRevenue | Role::Concessions | Role::BadDebt) => -1.0,
        _ => 1.0,
    }
}
