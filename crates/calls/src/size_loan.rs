//! `size_loan`: the largest loan that a lender's tests allow, and the test that binds.

use finance::fault::ratio;
use finance::loan;
use finance::sizing::{Test, by_coverage, size};
use finance::variable::{Unit, Variable};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::amount::Period;
use crate::call::Call;
use crate::reader::Reader;
use crate::result::{Computed, Figure, Outcome, Refusal, Step};
use crate::written::Written;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Want {
    MaxLoan,
    BindingConstraint,
    LtvProceeds,
    LtcProceeds,
    DscrProceeds,
    DebtYieldProceeds,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SizeLoan {
    pub want: Want,
    pub noi: Option<Written>,
    /// Deducted from the NOI.
    pub reserves: Option<Written>,
    /// Instead of value: NOI ÷ cap rate.
    pub cap_rate: Option<Written>,
    pub value: Option<Written>,
    pub cost: Option<Written>,
    pub max_ltv: Option<Written>,
    pub max_ltc: Option<Written>,
    pub min_dscr: Option<Written>,
    pub min_debt_yield: Option<Written>,
    pub rate: Option<Written>,
    pub amortization: Option<Written>,
    /// "true" if the DSCR is tested on interest only.
    pub interest_only: Option<Written>,
    /// Mortgage constant instead of rate and amortization.
    pub constant: Option<Written>,
}

impl Call for SizeLoan {
    const NAME: &'static str = "size_loan";
    const DESCRIPTION: &'static str =
        "Largest loan by LTV, LTC, DSCR and debt yield, and which of them binds.";
    const EXAMPLE: &'static str = r#"{"want":"max_loan","noi":"$900k",
        "value":"$13m","max_ltv":"65%","min_dscr":"1.20x","rate":"5.75%",
        "amortization":"25 yr"}"#;

    fn run(self, reader: &mut Reader<'_>) -> Outcome {
        let mut steps = Vec::new();
        let amounts = self.amounts(reader, &mut steps)?;
        if amounts.is_empty() {
            return Err(Refusal::missing(&[(
                "max_ltv",
                "a test: max_ltv, max_ltc, min_dscr or min_debt_yield",
                false,
            )]));
        }
        let sized = size(&amounts)?;
        let word = sized.binding.word();
        let largest = Figure::of(
            Variable::MaxLoan,
            sized.loan,
            "The smallest of the loans that the tests allow.",
        );
        let binding = Figure::new("binding_constraint", "binding constraint", word, "choice")
            .meaning("The test that allows the smallest loan.");
        let inputs: Vec<(&str, f64)> = amounts
            .iter()
            .map(|(test, amount)| (proceeds(*test).word(), *amount))
            .collect();
        steps.push(Step::new(
            "max_loan",
            "smallest loan that the tests allow",
            sized.loan,
            &inputs,
        ));
        let mut figures = vec![largest, binding];
        figures.extend(
            amounts
                .iter()
                .map(|(test, amount)| Figure::of(proceeds(*test), *amount, "")),
        );
        let asked = self.want.word();
        // The figure asked for comes first.
        if let Some(at) = figures.iter().position(|figure| figure.name == asked) {
            let first = figures.remove(at);
            figures.insert(0, first);
        } else {
            let lacking = match self.want {
                Want::LtvProceeds => ("max_ltv", "largest LTV"),
                Want::LtcProceeds => ("max_ltc", "largest LTC"),
                Want::DscrProceeds => ("min_dscr", "smallest DSCR"),
                _ => ("min_debt_yield", "smallest debt yield"),
            };
            return Err(Refusal::missing(&[(lacking.0, lacking.1, false)]));
        }
        Ok(Computed {
            figures,
            steps,
            ..Computed::default()
        })
    }
}

impl Want {
    fn word(self) -> &'static str {
        match self {
            Self::MaxLoan => "max_loan",
            Self::BindingConstraint => "binding_constraint",
            Self::LtvProceeds => "ltv_proceeds",
            Self::LtcProceeds => "ltc_proceeds",
            Self::DscrProceeds => "dscr_proceeds",
            Self::DebtYieldProceeds => "debt_yield_proceeds",
        }
    }
}

fn proceeds(test: Test) -> Variable {
    match test {
        Test::LoanToValue => Variable::LtvProceeds,
        Test::LoanToCost => Variable::LtcProceeds,
        Test::Coverage => Variable::DscrProceeds,
        Test::DebtYield => Variable::DebtYieldProceeds,
    }
}

impl SizeLoan {
    /// The loan that each given test allows.
    fn amounts(&self, reader: &mut Reader<'_>, steps: &mut Vec<Step>) -> Result<Vec<(Test, f64)>, Refusal> {
        let noi = match &self.noi {
            Some(noi) => Some(reader.flow("noi", noi, Period::Year)?),
            None => None,
        };
        let mut value = reader.maybe("value", self.value.as_ref(), Unit::Money)?;
        if let (None, Some(noi), Some(cap)) = (
            value,
            noi,
            reader.maybe("cap_rate", self.cap_rate.as_ref(), Unit::Percent)?,
        ) {
            let capped = ratio(noi, cap, "cap rate")?;
            steps.push(Step::new(
                "value",
                "noi ÷ cap rate",
                capped,
                &[("noi", noi), ("cap_rate", cap)],
            ));
            value = Some(capped);
        }
        let noi = self.after_reserves(reader, steps, noi)?;
        let cost = reader.maybe("cost", self.cost.as_ref(), Unit::Money)?;
        let mut amounts = Vec::new();
        for (test, name, limit, base, base_name) in [
            (Test::LoanToValue, "max_ltv", &self.max_ltv, value, "value"),
            (Test::LoanToCost, "max_ltc", &self.max_ltc, cost, "cost"),
        ] {
            let Some(share) = reader.maybe(name, limit.as_ref(), Unit::Percent)? else {
                continue;
            };
            let base = base.ok_or_else(|| Refusal::missing(&[(base_name, base_name, false)]))?;
            let formula = format!("{name} × {base_name}");
            steps.push(Step::new(
                proceeds(test).word(),
                &formula,
                share * base,
                &[(name, share), (base_name, base)],
            ));
            amounts.push((test, share * base));
        }
        let lacking = || Refusal::missing(&[("noi", "net operating income (annual)", false)]);
        if let Some(least) = reader.maybe("min_dscr", self.min_dscr.as_ref(), Unit::Ratio)? {
            let noi = noi.ok_or_else(lacking)?;
            let constant = self.constant(reader)?;
            let amount = by_coverage(noi, least, constant)?;
            let inputs = [("noi", noi), ("min_dscr", least), ("constant", constant)];
            steps.push(Step::new(
                "dscr_proceeds",
                "noi ÷ (min_dscr × constant)",
                amount,
                &inputs,
            ));
            amounts.push((Test::Coverage, amount));
        }
        if let Some(least) = reader.maybe("min_debt_yield", self.min_debt_yield.as_ref(), Unit::Percent)? {
            let noi = noi.ok_or_else(lacking)?;
            let amount = ratio(noi, least, "debt yield")?;
            let inputs = [("noi", noi), ("min_debt_yield", least)];
            steps.push(Step::new(
                "debt_yield_proceeds",
                "noi ÷ min_debt_yield",
                amount,
                &inputs,
            ));
            amounts.push((Test::DebtYield, amount));
        }
        Ok(amounts)
    }

    /// The NOI that the lender counts.
    fn after_reserves(
        &self,
        reader: &mut Reader<'_>,
        steps: &mut Vec<Step>,
        noi: Option<f64>,
    ) -> Result<Option<f64>, Refusal> {
        let (Some(noi), Some(reserves)) = (noi, &self.reserves) else {
            return Ok(noi);
        };
        let reserves = reader.flow("reserves", reserves, Period::Year)?;
        let inputs = [("noi", noi), ("reserves", reserves)];
        steps.push(Step::new(
            "net_cash_flow",
            "noi − reserves",
            noi - reserves,
            &inputs,
        ));
        Ok(Some(noi - reserves))
    }

    /// Annual debt service of one dollar of loan.
    fn constant(&self, reader: &mut Reader<'_>) -> Result<f64, Refusal> {
        if let Some(constant) = reader.maybe("constant", self.constant.as_ref(), Unit::Percent)? {
            return Ok(constant);
        }
        let rate = reader.maybe("rate", self.rate.as_ref(), Unit::Percent)?;
        let only = self
            .interest_only
            .as_ref()
            .is_some_and(|only| only.truth() != Some(false));
        let months = reader.maybe("amortization", self.amortization.as_ref(), Unit::Years)?;
        match (rate, months) {
            (Some(rate), _) if only => Ok(rate),
            (Some(rate), Some(years)) => {
                let constant = 12.0 * loan::payment(1.0, rate, 12.0 * years)?;
                let inputs = [("rate", rate), ("amortization", years)];
                let formula = "12 × i ÷ (1 − (1+i)^−n), i = rate ÷ 12";
                reader
                    .steps
                    .push(Step::new("constant", formula, constant, &inputs));
                Ok(constant)
            }
            _ => Err(Refusal::missing(&[
                ("rate", "annual interest rate", rate.is_some()),
                ("amortization", "amortization period", months.is_some() || only),
            ])),
        }
    }
}
