//! `sale_tax`: depreciation, gain, exchange and tax of a sale in the United States. A calculator, no tax advice.

use chrono::NaiveDate;
use finance::tax::{
    Use, annual_depreciation, boot, depreciation_in_year, exchange_deadlines, recognized_gain,
};
use finance::variable::{Unit, Variable};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::call::Call;
use crate::reader::Reader;
use crate::result::{Computed, Figure, Outcome, Refusal, Step};
use crate::written::Written;

const ADVICE: &str = "Straight line, mid-month convention where a month is given; not tax advice.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Want {
    RealizedGain,
    RecognizedGain,
    DeferredGain,
    Boot,
    Depreciation,
    DepreciationInYear,
    AccumulatedDepreciation,
    Tax,
    AfterTaxProceeds,
    IdentificationDeadline,
    ExchangeDeadline,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Building {
    Residential,
    Nonresidential,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaleTax {
    pub want: Want,
    /// Sale price; for depreciation the purchase price.
    pub price: Option<Written>,
    /// Share or amount.
    pub selling_costs: Option<Written>,
    /// Adjusted basis, or the cost if depreciation_taken is given; for depreciation that of the building.
    pub basis: Option<Written>,
    /// Share or amount.
    pub land: Option<Written>,
    pub improvements: Option<Written>,
    #[serde(rename = "use")]
    pub building: Option<Building>,
    /// Full years, or tax years if month_in_service is given.
    pub years: Option<Written>,
    pub month_in_service: Option<Written>,
    /// 1 is the first.
    pub tax_year: Option<Written>,
    pub depreciation_taken: Option<Written>,
    /// If known; else from price, costs and basis.
    pub realized_gain: Option<Written>,
    pub recapture_rate: Option<Written>,
    pub gain_rate: Option<Written>,
    pub cash_received: Option<Written>,
    pub old_debt: Option<Written>,
    pub new_debt: Option<Written>,
    pub cash_added: Option<Written>,
    /// Of the property given up.
    pub closing_date: Option<Written>,
}

impl Call for SaleTax {
    const NAME: &'static str = "sale_tax";
    const DESCRIPTION: &'static str = "Depreciation, gain, 1031 exchange and tax of a sale (US).";
    const EXAMPLE: &'static str = r#"{"want":"depreciation_in_year","price":"$2.2m","land":"15%","use":"residential",
        "month_in_service":"May","tax_year":"1"}"#;

    fn run(self, reader: &mut Reader<'_>) -> Outcome {
        let mut steps = Vec::new();
        let figures = match self.want {
            Want::Depreciation | Want::DepreciationInYear | Want::AccumulatedDepreciation => {
                self.written_off(reader, &mut steps)?
            }
            Want::RealizedGain => vec![Figure::of(
                Variable::RealizedGain,
                self.gain(reader, &mut steps)?,
                "Sale price − selling costs − adjusted basis.",
            )],
            Want::Boot | Want::RecognizedGain | Want::DeferredGain => self.exchanged(reader, &mut steps)?,
            Want::Tax | Want::AfterTaxProceeds => self.taxed(reader, &mut steps)?,
            Want::IdentificationDeadline | Want::ExchangeDeadline => self.deadlines(reader)?,
        };
        Ok(Computed {
            figures,
            steps,
            ..Computed::default()
        })
    }
}

impl SaleTax {
    /// A share of `whole`, or an amount.
    fn part(
        reader: &mut Reader<'_>,
        name: &str,
        written: &Written,
        whole: Option<f64>,
    ) -> Result<f64, Refusal> {
        let share = reader.is_share(written);
        if !share {
            return reader.value(name, written, Unit::Money);
        }
        let share = reader.value(name, written, Unit::Percent)?;
        let whole = whole.ok_or_else(|| Refusal::missing(&[("price", "price", false)]))?;
        Ok(share * whole)
    }

    fn money(&self, reader: &mut Reader<'_>, name: &str, written: &Option<Written>) -> Result<f64, Refusal> {
        Ok(reader.maybe(name, written.as_ref(), Unit::Money)?.unwrap_or(0.0))
    }

    /// The basis that is depreciated, without land.
    fn depreciable(&self, reader: &mut Reader<'_>, steps: &mut Vec<Step>) -> Result<f64, Refusal> {
        let price = reader.maybe("price", self.price.as_ref(), Unit::Money)?;
        let basis = reader.maybe("basis", self.basis.as_ref(), Unit::Money)?;
        let works = self.money(reader, "improvements", &self.improvements)?;
        let whole = basis.or(price);
        let land = match &self.land {
            Some(land) => Some(Self::part(reader, "land", land, whole)?),
            None => basis.map(|_| 0.0),
        };
        let (Some(whole), Some(land)) = (whole, land) else {
            return Err(Refusal::missing(&[
                (
                    "price",
                    "purchase price, or basis of the building",
                    whole.is_some(),
                ),
                ("land", "land as a share or an amount", land.is_some()),
            ]));
        };
        let value = whole - land + works;
        let inputs = [("cost", whole), ("land", land), ("improvements", works)];
        steps.push(Step::new(
            "depreciable_basis",
            "cost − land + improvements",
            value,
            &inputs,
        ));
        Ok(value)
    }

    fn written_off(&self, reader: &mut Reader<'_>, steps: &mut Vec<Step>) -> Result<Vec<Figure>, Refusal> {
        let basis = self.depreciable(reader, steps)?;
        let life = match self.building {
            Some(Building::Residential) => Use::Residential.years(),
            Some(Building::Nonresidential) => Use::Nonresidential.years(),
            None => {
                return Err(Refusal::missing(&[(
                    "use",
                    "residential or nonresidential",
                    false,
                )]));
            }
        };
        let annual = annual_depreciation(basis, life)?;
        let yearly = Figure::of(Variable::Depreciation, annual, ADVICE).each("year");
        steps.push(Step::new(
            "depreciation",
            "basis ÷ recovery period",
            annual,
            &[("basis", basis), ("recovery period", life)],
        ));
        let month = match &self.month_in_service {
            Some(month) => Some(reader.whole_number("month_in_service", month, Unit::Count, 12)?),
            None => None,
        };
        let mut count = |name: &str, written: &Option<Written>| match written {
            Some(written) => reader.whole_number(name, written, Unit::Count, 100).map(Some),
            None => Ok(None),
        };
        let years = count("years", &self.years)?;
        let tax_year = count("tax_year", &self.tax_year)?;
        match self.want {
            Want::DepreciationInYear => {
                let (Some(month), Some(year)) = (month, tax_year) else {
                    return Err(Refusal::missing(&[
                        ("month_in_service", "month placed in service", month.is_some()),
                        ("tax_year", "tax year of ownership", tax_year.is_some()),
                    ]));
                };
                let value = depreciation_in_year(basis, life, month, year)?;
                let inputs = [("month", f64::from(month)), ("tax year", f64::from(year))];
                steps.push(Step::new(
                    "depreciation_in_year",
                    "mid-month convention",
                    value,
                    &inputs,
                ));
                Ok(vec![
                    Figure::of(Variable::YearDepreciation, value, ADVICE),
                    yearly,
                ])
            }
            Want::AccumulatedDepreciation => {
                let years = years
                    .or(tax_year)
                    .ok_or_else(|| Refusal::missing(&[("years", "years of depreciation", false)]))?;
                let value = match month {
                    Some(month) => (1..=years).try_fold(0.0, |sum, year| {
                        Ok::<f64, Refusal>(sum + depreciation_in_year(basis, life, month, year)?)
                    })?,
                    None => annual * f64::from(years).min(life),
                };
                steps.push(Step::new(
                    "accumulated_depreciation",
                    "sum over the years",
                    value,
                    &[("years", f64::from(years))],
                ));
                Ok(vec![
                    Figure::of(Variable::AccumulatedDepreciation, value, ADVICE),
                    yearly,
                ])
            }
            _ => Ok(vec![yearly]),
        }
    }

    fn gain(&self, reader: &mut Reader<'_>, steps: &mut Vec<Step>) -> Result<f64, Refusal> {
        if let Some(gain) = reader.maybe("realized_gain", self.realized_gain.as_ref(), Unit::Money)? {
            return Ok(gain);
        }
        let price = reader.maybe("price", self.price.as_ref(), Unit::Money)?;
        let basis = reader.maybe("basis", self.basis.as_ref(), Unit::Money)?;
        let (Some(price), Some(basis)) = (price, basis) else {
            return Err(Refusal::missing(&[
                ("price", "sale price", price.is_some()),
                ("basis", "adjusted basis", basis.is_some()),
            ]));
        };
        let costs = match &self.selling_costs {
            Some(costs) => Self::part(reader, "selling_costs", costs, Some(price))?,
            None => 0.0,
        };
        let works = self.money(reader, "improvements", &self.improvements)?;
        let taken = self.money(reader, "depreciation_taken", &self.depreciation_taken)?;
        let adjusted = basis + works - taken;
        let gain = price - costs - adjusted;
        let inputs = [
            ("basis", basis),
            ("improvements", works),
            ("depreciation_taken", taken),
        ];
        steps.push(Step::new(
            "adjusted_basis",
            "basis + improvements − depreciation taken",
            adjusted,
            &inputs,
        ));
        let inputs = [
            ("price", price),
            ("selling_costs", costs),
            ("adjusted_basis", adjusted),
        ];
        steps.push(Step::new(
            "realized_gain",
            "price − selling costs − adjusted basis",
            gain,
            &inputs,
        ));
        Ok(gain)
    }

    fn exchanged(&self, reader: &mut Reader<'_>, steps: &mut Vec<Step>) -> Result<Vec<Figure>, Refusal> {
        let cash = self.money(reader, "cash_received", &self.cash_received)?;
        let (old, new) = (
            self.money(reader, "old_debt", &self.old_debt)?,
            self.money(reader, "new_debt", &self.new_debt)?,
        );
        let added = self.money(reader, "cash_added", &self.cash_added)?;
        let taken = boot(cash, old, new, added);
        let inputs = [
            ("cash_received", cash),
            ("old_debt", old),
            ("new_debt", new),
            ("cash_added", added),
        ];
        steps.push(Step::new(
            "boot",
            "cash received + max(0, old debt − new debt − cash added)",
            taken,
            &inputs,
        ));
        let meaning = "Like-kind exchange; 45 days to identify, 180 days to close; not tax advice.";
        let given = Figure::of(Variable::Boot, taken, meaning);
        if self.want == Want::Boot {
            return Ok(vec![given]);
        }
        let gain = self.gain(reader, steps)?;
        let now = recognized_gain(gain, taken);
        steps.push(Step::new(
            "recognized_gain",
            "min(realized gain, boot)",
            now,
            &[("realized_gain", gain), ("boot", taken)],
        ));
        let recognized = Figure::of(Variable::RecognizedGain, now, meaning);
        let deferred = Figure::of(Variable::DeferredGain, gain - now, meaning);
        Ok(if self.want == Want::RecognizedGain {
            vec![recognized, deferred, given]
        } else {
            vec![deferred, recognized, given]
        })
    }

    /// The two days of an exchange as ISO 8601 dates; the one that is wanted is the first.
    ///
    /// # Errors
    /// No closing date, or a text that is no date.
    fn deadlines(&self, reader: &mut Reader<'_>) -> Result<Vec<Figure>, Refusal> {
        let Some(closing) = &self.closing_date else {
            return Err(Refusal::missing(&[(
                "closing_date",
                "closing date of the sale",
                false,
            )]));
        };
        let (identify, close) = exchange_deadlines(reader.date("closing_date", closing)?)?;
        let figure = |name: &str, label: &str, day: NaiveDate, meaning: &str| {
            Figure::new(name, label, day.to_string(), "date").meaning(meaning)
        };
        let mut figures = vec![
            figure(
                "identification_deadline",
                "last day to identify the replacement",
                identify,
                "45 days after the closing; not tax advice.",
            ),
            figure(
                "exchange_deadline",
                "last day to receive the replacement",
                close,
                "180 days after the closing, or the due date of the tax return if that is earlier; not tax advice.",
            ),
        ];
        if self.want == Want::ExchangeDeadline {
            figures.reverse();
        }
        Ok(figures)
    }

    fn taxed(&self, reader: &mut Reader<'_>, steps: &mut Vec<Step>) -> Result<Vec<Figure>, Refusal> {
        let gain = self.gain(reader, steps)?;
        let taken = self.money(reader, "depreciation_taken", &self.depreciation_taken)?;
        let rate = reader.maybe("gain_rate", self.gain_rate.as_ref(), Unit::Percent)?;
        let recapture = reader.maybe("recapture_rate", self.recapture_rate.as_ref(), Unit::Percent)?;
        let recaptured = taken.min(gain).max(0.0);
        let (Some(rate), true) = (rate, recapture.is_some() || recaptured == 0.0) else {
            return Err(Refusal::missing(&[
                ("gain_rate", "tax rate on the gain", rate.is_some()),
                (
                    "recapture_rate",
                    "tax rate on depreciation taken",
                    recapture.is_some() || recaptured == 0.0,
                ),
            ]));
        };
        let again = recapture.unwrap_or(0.0);
        let tax = recaptured * again + (gain - recaptured).max(0.0) * rate;
        let inputs = [
            ("recaptured", recaptured),
            ("recapture_rate", again),
            ("gain", gain),
            ("gain_rate", rate),
        ];
        steps.push(Step::new(
            "tax",
            "recaptured × recapture rate + (gain − recaptured) × gain rate",
            tax,
            &inputs,
        ));
        let owed = Figure::new("tax", "tax on the sale", tax, "USD").meaning("Not tax advice.");
        if self.want == Want::Tax {
            return Ok(vec![owed]);
        }
        let price = reader.maybe("price", self.price.as_ref(), Unit::Money)?;
        let price = price.ok_or_else(|| Refusal::missing(&[("price", "sale price", false)]))?;
        let costs = match &self.selling_costs {
            Some(costs) => Self::part(reader, "selling_costs", costs, Some(price))?,
            None => 0.0,
        };
        let debt = self.money(reader, "old_debt", &self.old_debt)?;
        let left = price - costs - debt - tax;
        let inputs = [
            ("price", price),
            ("selling_costs", costs),
            ("old_debt", debt),
            ("tax", tax),
        ];
        steps.push(Step::new(
            "after_tax_proceeds",
            "price − selling costs − debt − tax",
            left,
            &inputs,
        ));
        let figure =
            Figure::new("after_tax_proceeds", "proceeds after tax", left, "USD").meaning("Not tax advice.");
        Ok(vec![figure, owed])
    }
}
