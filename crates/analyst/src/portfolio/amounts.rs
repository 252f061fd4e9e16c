//! Words for income, debt and value as the metrics they ask for. Pure; knows no places and no times.

use crate::portfolio::ask::{Resolving, Unclear, ask};
use crate::portfolio::lexicon::{Topic, Turn};
use finance::portfolio::metric::Metric;

impl Resolving<'_> {
    pub(super) fn value(&mut self) -> Result<(), Unclear> {
        use Topic as T;
        if self.has(T::Ltv) {
            self.drop(&[T::Value]);
            return Ok(());
        }
        if self.has(T::Cap) && self.has(T::Value) && !self.has(T::ImpliedCap) {
            return Err(ask(
                "I have the cap rate that the latest value implies (trailing NOI over it), not the one that a valuation \
                 used. Ask for the implied cap rate if you mean that.",
            ));
        }
        if self.has(T::ImpliedCap) || (self.has(T::Cap) && self.has(T::Value)) {
            self.add(Metric::ImpliedCapRate, &[T::ImpliedCap, T::Cap, T::Value, T::Noi]);
        } else if self.has(T::Cap) {
            return Err(ask(
                "Which cap rate: the implied one (trailing NOI over the latest market value)? Ask for the implied cap \
                 rate, or give me a price and an NOI.",
            ));
        } else {
            self.turn(Turn::Count);
            self.add(Metric::Value, &[T::Value]);
        }
        Ok(())
    }

    pub(super) fn debt(&mut self, topic: Topic) {
        use Topic as T;
        let senior = self.turn(Turn::Senior);
        self.turn(Turn::AllLoans);
        self.turn(Turn::Levered);
        self.turn(Turn::Share);
        let metric = match (topic, senior) {
            (T::Dscr, false) => Metric::Dscr,
            (T::Dscr, true) => Metric::SeniorDscr,
            (T::Ltv, false) => Metric::Ltv,
            (T::Ltv, true) => Metric::SeniorLtv,
            (T::DebtYield, _) => Metric::DebtYield,
            (T::CostOfDebt, _) => Metric::AverageRate,
            _ => Metric::TotalDebt,
        };
        if senior && !matches!(topic, T::Dscr | T::Ltv) {
            self.used.remove(&Turn::Senior);
        }
        if topic == T::Debt {
            // A share of debt is another figure.
            self.used.remove(&Turn::Share);
        }
        let with: &[Topic] = match topic {
            T::Dscr => &[T::Dscr, T::DebtService, T::Debt],
            T::Ltv => &[T::Ltv, T::Value, T::Debt],
            T::CostOfDebt => &[T::CostOfDebt, T::Debt, T::Loan],
            T::DebtYield => &[T::DebtYield, T::Debt, T::Loan],
            _ => &[T::Debt, T::Owe, T::Loan],
        };
        self.add(metric, with);
    }

    pub(super) fn income(&mut self, topic: Topic) -> Result<(), Unclear> {
        use Topic as T;
        self.turn(Turn::PerYear);
        if self.has(T::Budget) || self.has(T::Budgeted) {
            return self.budget(topic);
        }
        let share = self.words.turns.contains(&Turn::Share);
        let per_unit = self.turn(Turn::PerUnit);
        let per_area = self.turn(Turn::PerArea);
        let spread = |metric: Metric, by_unit: Metric, by_area: Metric| match (per_unit, per_area) {
            (true, false) => by_unit,
            (false, true) => by_area,
            _ => metric,
        };
        let (metric, takes): (Metric, &[Topic]) = match topic {
            T::Noi if share && self.has(T::Egi) => (Metric::NoiMargin, &[T::Noi, T::Egi]),
            T::Noi if self.has(T::ImpliedCap) => return self.value(),
            T::Noi => (
                spread(Metric::Noi, Metric::NoiPerUnit, Metric::NoiPerArea),
                &[T::Noi, T::Units],
            ),
            T::Egi if share && self.has(T::Opex) => (Metric::OpexRatio, &[T::Opex, T::Egi]),
            T::Egi if share && self.has(T::Noi) => (Metric::NoiMargin, &[T::Noi, T::Egi]),
            T::Egi => (Metric::Egi, &[T::Egi]),
            T::Opex if share && self.has(T::Egi) => (Metric::OpexRatio, &[T::Opex, T::Egi]),
            T::Opex => (
                spread(Metric::Opex, Metric::OpexPerUnit, Metric::OpexPerArea),
                &[T::Opex, T::Units],
            ),
            T::ExpenseRatio => (Metric::OpexRatio, &[T::ExpenseRatio, T::Opex, T::Egi]),
            T::Margin => (Metric::NoiMargin, &[T::Margin, T::Noi]),
            T::Gpr if self.has(T::BadDebt) => (Metric::BadDebtShare, &[T::Gpr, T::BadDebt]),
            T::Gpr if self.has(T::Concessions) => (Metric::ConcessionShare, &[T::Gpr, T::Concessions]),
            T::Gpr => (Metric::GrossPotentialRent, &[T::Gpr]),
            T::BadDebt if share || self.has(T::Gpr) => (Metric::BadDebtShare, &[T::Gpr, T::BadDebt]),
            T::BadDebt => (Metric::BadDebt, &[T::BadDebt]),
            T::Concessions if share || self.has(T::Gpr) => {
                (Metric::ConcessionShare, &[T::Gpr, T::Concessions])
            }
            T::Concessions => (Metric::Concessions, &[T::Concessions]),
            T::CashFlow => {
                self.accounts.clear();
                (
                    Metric::CashFlowAfterDebt,
                    &[T::CashFlow, T::Capex, T::DebtService, T::Debt],
                )
            }
            T::Capex if self.has(T::CashFlow) => return Ok(()),
            T::Capex => {
                self.accounts.retain(|account| account.category != "capital");
                (Metric::Capex, &[T::Capex])
            }
            T::DebtService if self.has(T::CashFlow) => return Ok(()),
            T::DebtService => (Metric::DebtService, &[T::DebtService]),
            T::Breakeven => (Metric::BreakevenOccupancy, &[T::Breakeven, T::Occupancy]),
            _ => return Err(Unclear::Other),
        };
        if matches!(
            metric,
            Metric::NoiMargin
                | Metric::OpexRatio
                | Metric::BadDebtShare
                | Metric::ConcessionShare
                | Metric::BreakevenOccupancy
        ) {
            self.turn(Turn::Share);
        }
        // They are spread over all units anyway.
        if matches!(metric, Metric::NoiPerUnit | Metric::OpexPerUnit) {
            self.turn(Turn::AllUnits);
        }
        if per_unit && !matches!(metric, Metric::NoiPerUnit | Metric::OpexPerUnit) {
            self.used.remove(&Turn::PerUnit);
        }
        if per_area && !matches!(metric, Metric::NoiPerArea | Metric::OpexPerArea) {
            self.used.remove(&Turn::PerArea);
        }
        self.add(metric, takes);
        Ok(())
    }

    /// Against the budget, or the budget itself.
    fn budget(&mut self, topic: Topic) -> Result<(), Unclear> {
        use Topic as T;
        let versus = self.turn(Turn::Versus);
        self.turn(Turn::Missed);
        self.turn(Turn::Beat);
        let share = self.turn(Turn::Share);
        let about = match topic {
            T::Budget | T::Budgeted => [T::Noi, T::Egi, T::Opex]
                .into_iter()
                .find(|topic| self.has(*topic)),
            other => Some(other),
        };
        if about.is_none() && !self.accounts.is_empty() {
            return Ok(());
        }
        let others = [
            T::Capex,
            T::DebtService,
            T::Gpr,
            T::BadDebt,
            T::Concessions,
            T::CashFlow,
        ];
        if about.is_none() && others.iter().any(|topic| self.has(*topic)) {
            return Err(ask(
                "I hold NOI, revenue, operating expenses and single accounts against their budgets. Ask for one of those.",
            ));
        }
        let itself = self.has(T::Budgeted) && !self.has(T::Budget) && !versus;
        let metric = match (about.unwrap_or(T::Noi), versus, share) {
            (T::Noi, _, false) if itself => Metric::NoiBudget,
            (T::Egi, _, false) if itself => Metric::EgiBudget,
            (T::Opex, _, false) if itself => Metric::OpexBudget,
            (T::Noi, true, true) => Metric::NoiVsBudgetShare,
            (T::Noi, true, false) => Metric::NoiVsBudget,
            (T::Egi, true, false) => Metric::EgiVsBudget,
            (T::Opex, true, false) => Metric::OpexVsBudget,
            (T::Noi | T::Egi | T::Opex, ..) => {
                return Err(ask(
                    "Do you mean the budget itself (“budgeted NOI”), or the result against the budget?",
                ));
            }
            _ => {
                return Err(ask(
                    "I compare NOI, income, operating expenses and single accounts with the budget.",
                ));
            }
        };
        self.add(metric, &[T::Budget, T::Budgeted, T::Noi, T::Egi, T::Opex]);
        Ok(())
    }
}
