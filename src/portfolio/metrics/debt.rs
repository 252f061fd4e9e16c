//! Metrics of debt and value: coverage, leverage and yields. Pure. Ratios divide sums and never average other
//! ratios.

use std::collections::BTreeSet;

use crate::portfolio::metrics::chart::Role;
use crate::portfolio::metrics::facts::{
    Facts, LoanBalance, NO_DEBT, NO_LEDGER, NO_VALUE, Params, Undefined, Workings, as_f64, ratio,
};
use finance::portfolio::metric::Metric;

impl Facts {
    pub(super) fn of_debt(&self, asked: &Params<'_>, workings: &mut Workings) -> Result<f64, Undefined> {
        let metric = asked.metric;
        let f = asked.factor;
        let owing: BTreeSet<&str> = self.loans.iter().map(|row| row.building.as_str()).collect();
        let valued: BTreeSet<&str> = self.values.iter().map(|row| row.building.as_str()).collect();
        let balance = self.balance(|_| true);
        Ok(match metric {
            Metric::Dscr => {
                if self.ledger.is_empty() {
                    return Err(NO_LEDGER);
                }
                let paying = self.paying();
                let service = self.ledger(|row| row.role == Role::DebtService);
                let noi = self.noi_of(|id| paying.contains(id));
                workings.money("noi", noi);
                workings.money("debt_service", service);
                ratio(noi, service, NO_DEBT)?
            }
            Metric::SeniorDscr => {
                let senior: BTreeSet<&str> = self
                    .loans
                    .iter()
                    .filter(|row| row.senior && row.paid != 0.0)
                    .map(|row| row.building.as_str())
                    .collect();
                let paid: f64 = self
                    .loans
                    .iter()
                    .filter(|row| row.senior)
                    .map(|row| row.paid)
                    .sum();
                let noi = self.noi_of(|id| senior.contains(id));
                workings.money("noi", noi);
                workings.money("senior_debt_service", paid / 100.0);
                ratio(noi, paid / 100.0, NO_DEBT)?
            }
            Metric::Ltv | Metric::SeniorLtv => {
                let senior = metric == Metric::SeniorLtv;
                let owed = self.balance(|row| !senior || row.senior);
                if owed == 0.0 {
                    return Err(NO_DEBT);
                }
                if owing.iter().any(|id| !valued.contains(id)) {
                    return Err("a building with debt has no valuation");
                }
                let value = self.value_of(|id| !asked.levered || owing.contains(id));
                workings.money(if senior { "senior_debt" } else { "total_debt" }, owed);
                workings.money("market_value", value);
                ratio(owed, value, NO_VALUE)?
            }
            Metric::DebtYield => {
                if self.ledger.is_empty() {
                    return Err(NO_LEDGER);
                }
                let noi = self.noi_of(|id| owing.contains(id)) * f;
                workings.money("noi", noi);
                workings.money("total_debt", balance);
                ratio(noi, balance, NO_DEBT)?
            }
            Metric::TotalDebt => balance,
            Metric::AverageRate => {
                let weighted: f64 = self.loans.iter().map(|row| row.balance * row.rate).sum();
                workings.money("total_debt", balance);
                ratio(weighted / 100.0, balance, NO_DEBT)?
            }
            Metric::Loans => {
                let loans: BTreeSet<&str> = self.loans.iter().map(|row| row.loan.as_str()).collect();
                as_f64(i64::try_from(loans.len()).unwrap_or(0))
            }
            Metric::Value => {
                if self.values.is_empty() {
                    return Err(NO_VALUE);
                }
                self.value_of(|_| true)
            }
            Metric::ImpliedCapRate => {
                if self.ledger.is_empty() {
                    return Err(NO_LEDGER);
                }
                let noi = self.noi_of(|id| valued.contains(id)) * f;
                let value = self.value_of(|_| true);
                workings.money("noi", noi);
                workings.money("market_value", value);
                ratio(noi, value, NO_VALUE)?
            }
            Metric::PurchasePrice => {
                if self.prices.is_empty() {
                    return Err("no purchase price is known");
                }
                as_f64(self.prices.iter().map(|row| row.value).sum()) / 100.0
            }
            Metric::Equity => {
                if owing.iter().any(|id| !valued.contains(id)) {
                    return Err("a building with debt has no valuation");
                }
                if self.values.is_empty() {
                    return Err(NO_VALUE);
                }
                let value = self.value_of(|_| true);
                workings.money("market_value", value);
                workings.money("total_debt", balance);
                ((value - balance) * 100.0).round() / 100.0
            }
            Metric::DebtTerm => {
                let years = |row: &LoanBalance| as_f64((row.matures - asked.day).num_days().max(0)) / 365.0;
                let weighted: f64 = self.loans.iter().map(|row| row.balance * years(row)).sum();
                workings.money("total_debt", balance);
                ratio(weighted / 100.0, balance, NO_DEBT)?
            }
            _ => return Err("it is not computed from the debt"),
        })
    }
}
