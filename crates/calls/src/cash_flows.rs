//! `cash_flows`: rates of return, present values and multiples of a series of flows.

use chrono::NaiveDate;
use finance::dated::{xirr_roots, xnpv};
use finance::fault::Fault;
use finance::flows::{self, FirstFlow};
use finance::variable::{Unit, Variable};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{Deserializer, Error};
use serde_json::{Value, json};

use crate::amount::{Measure, Period, read};
use crate::call::Call;
use crate::reader::Reader;
use crate::result::{Computed, Figure, Outcome, Refusal, Step};
use crate::written::Written;

/// Most flows, repeated ones counted.
const MOST: usize = 2_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Want {
    Irr,
    IrrRoots,
    Xirr,
    Npv,
    Xnpv,
    Mirr,
    PresentValue,
    FutureValue,
    EquityMultiple,
    Profit,
    PaybackPeriod,
    Total,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum First {
    #[default]
    Now,
    EndOfFirstPeriod,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CashFlows {
    pub want: Want,
    /// One per period in order, outlays negative: "-6.4m".
    pub flows: Vec<Flow>,
    /// When the first flow is; now if absent. A future_value is at the last flow; with "now", one period later.
    pub first: Option<First>,
    /// Annual discount rate.
    pub rate: Option<Written>,
    pub finance_rate: Option<Written>,
    pub reinvestment_rate: Option<Written>,
    /// 1 if absent.
    pub periods_per_year: Option<Written>,
}

/// An amount, or one that repeats, grows or has a date.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(untagged)]
pub enum Flow {
    Amount(Written),
    Entry(Entry),
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub amount: Written,
    /// Periods in a row.
    pub times: Option<Written>,
    /// From each of them to the next.
    pub growth: Option<Written>,
    /// Added to the last of them, such as a sale.
    pub plus_at_end: Option<Written>,
    pub date: Option<Written>,
}

impl<'de> Deserialize<'de> for Flow {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(source)?;
        if value.is_object() {
            serde_json::from_value(value)
                .map(Self::Entry)
                .map_err(D::Error::custom)
        } else {
            serde_json::from_value(value)
                .map(Self::Amount)
                .map_err(D::Error::custom)
        }
    }
}

/// The flows of a call with their dates, if they have some.
struct Series {
    flows: Vec<f64>,
    dates: Vec<NaiveDate>,
    per_year: f64,
    unit: Unit,
    first: FirstFlow,
    /// The call says that the first flow is now: each one is at the start of its period.
    in_advance: bool,
}

impl Call for CashFlows {
    const NAME: &'static str = "cash_flows";
    const DESCRIPTION: &'static str =
        "IRR, NPV, multiple and the like of a series of flows, dated or one per period.";
    const EXAMPLE: &'static str =
        r#"{"want":"irr","flows":["-$1.1m",{"amount":"$64k","times":"4","growth":"2%"},"$1.4m"]}"#;

    fn run(self, reader: &mut Reader<'_>) -> Outcome {
        let series = self.series(reader)?;
        let rate = reader.maybe("rate", self.rate.as_ref(), Unit::Percent)?;
        let want = self.want;
        let figures = match want {
            Want::Irr | Want::IrrRoots => returns(&series, want)?,
            Want::Xirr => vec![roots_figure("xirr", "XIRR", &xirr_roots(&series.dated()?)?, XIRR)],
            Want::Xnpv => {
                let value = xnpv(needed(rate)?, &series.dated()?)?;
                vec![Figure::new("xnpv", "dated net present value", value, "USD").meaning(XNPV)]
            }
            Want::Npv | Want::PresentValue | Want::FutureValue => vec![series.valued(want, needed(rate)?)?],
            Want::Mirr => {
                let finance = reader.maybe("finance_rate", self.finance_rate.as_ref(), Unit::Percent)?;
                let again = reader.maybe(
                    "reinvestment_rate",
                    self.reinvestment_rate.as_ref(),
                    Unit::Percent,
                )?;
                vec![series.modified(finance.or(rate), again.or(rate))?]
            }
            Want::EquityMultiple => {
                let value = flows::equity_multiple(&series.flows)?;
                vec![Figure::of(
                    Variable::EquityMultiple,
                    value,
                    "Distributions ÷ contributions.",
                )]
            }
            Want::Profit => {
                let value = series.flows.iter().sum::<f64>();
                vec![Figure::of(
                    Variable::ProfitSum,
                    value,
                    "Distributions − contributions.",
                )]
            }
            Want::Total => {
                let value = series.flows.iter().sum::<f64>();
                vec![Figure::new("total", "total", value, series.unit.word()).meaning("Sum of the amounts.")]
            }
            Want::PaybackPeriod => vec![series.payback()?],
        };
        let value = figures.first().and_then(|figure| figure.value.as_f64());
        let name = figures
            .first()
            .map(|figure| figure.name.clone())
            .unwrap_or_default();
        let mut inputs = vec![("flows", series.flows.len() as f64)];
        inputs.extend(rate.map(|rate| ("rate", rate)));
        let steps = value.map(|value| Step::new(&name, want.formula(), value, &inputs));
        Ok(Computed {
            figures,
            steps: steps.into_iter().collect(),
            ..Computed::default()
        })
    }
}

const XIRR: &str = "Annual rate at which the flows are worth zero on the first day; actual days ÷ 365.";
const XNPV: &str = "Value on the earliest date; actual days ÷ 365.";

impl Want {
    fn formula(self) -> &'static str {
        match self {
            Self::Irr | Self::IrrRoots => "rate at which Σ flow of period t ÷ (1 + rate)^t = 0",
            Self::Xirr => "rate at which Σ flow ÷ (1 + rate)^(days ÷ 365) = 0",
            Self::Npv | Self::PresentValue => "Σ flow of period t ÷ (1 + rate)^t",
            Self::Xnpv => "Σ flow ÷ (1 + rate)^(days ÷ 365)",
            Self::Mirr => "(future value of inflows ÷ present value of outflows)^(1 ÷ n) − 1",
            Self::FutureValue => "Σ flow of period t × (1 + rate)^(last − t)",
            Self::EquityMultiple => "Σ inflows ÷ Σ outflows",
            Self::Profit | Self::Total => "Σ flows",
            Self::PaybackPeriod => "time until the running total reaches zero",
        }
    }
}

impl CashFlows {
    /// Money, except for a total of other things: the unit that all amounts fit.
    fn unit(&self, reader: &Reader<'_>) -> Unit {
        let texts = || {
            self.flows.iter().flat_map(|flow| match flow {
                Flow::Amount(amount) => amount.parts(),
                Flow::Entry(entry) => entry.amount.parts(),
            })
        };
        let units = [
            Unit::Money,
            Unit::Area,
            Unit::Percent,
            Unit::Years,
            Unit::Count,
            Unit::MoneyPerArea,
        ];
        let fit = |unit: &Unit| texts().all(|text| reader.fits(text, *unit));
        units
            .into_iter()
            .find(|unit| self.want == Want::Total && fit(unit))
            .unwrap_or(Unit::Money)
    }

    fn series(&self, reader: &mut Reader<'_>) -> Result<Series, Refusal> {
        if self.flows.is_empty() {
            return Err(Refusal::missing(&[("flows", "cash flows", false)]));
        }
        let given = match &self.periods_per_year {
            Some(written) => Some(
                reader
                    .whole_number("periods_per_year", written, Unit::Count, 366)?
                    .max(1),
            ),
            None => None,
        };
        let mut per_year = given.map(f64::from);
        let unit = self.unit(reader);
        let (mut flows, mut dates) = (Vec::new(), Vec::new());
        for flow in &self.flows {
            let (amount, entry) = match flow {
                Flow::Amount(amount) => (amount, None),
                Flow::Entry(entry) => (&entry.amount, Some(entry)),
            };
            let fitted = reader.fitted("flows", amount, unit)?;
            let mut value = reader.whole("flows", fitted.value, fitted.basis)?;
            if let Some(period) = fitted.period {
                // The first amount for a period says what a period is, if nothing else does.
                let own = *per_year.get_or_insert(period.per_year());
                if (own - period.per_year()).abs() > 1e-9 {
                    let to = Period::of(own).unwrap_or(period);
                    value = reader.per("flows", value, Some(period), to);
                }
            }
            let times = match entry.and_then(|entry| entry.times.as_ref()) {
                Some(times) => repeats(reader, times, per_year.unwrap_or(1.0))?,
                None => 1,
            };
            let growth = reader.maybe(
                "growth",
                entry.and_then(|entry| entry.growth.as_ref()),
                Unit::Percent,
            )?;
            let end = entry.and_then(|entry| entry.plus_at_end.as_ref());
            let end = reader.maybe("plus_at_end", end, unit)?;
            let date = match entry.and_then(|entry| entry.date.as_ref()) {
                Some(date) => Some(reader.date("date", date)?),
                None => None,
            };
            if flows.len() + times as usize > MOST {
                return Err(Refusal::failure(
                    "too_many",
                    "There are more than 2,000 flows. Send fewer.",
                ));
            }
            let rise = 1.0 + growth.unwrap_or(0.0);
            flows.extend((0..times).map(|at| value * rise.powf(f64::from(at))));
            if let Some(end) = end {
                let none =
                    || Refusal::failure("bad_value", "plus_at_end: times is 0, so there is no last flow.");
                let last = flows.last_mut().filter(|_| times > 0);
                *last.ok_or_else(none)? += end;
            }
            dates.extend((0..times).filter_map(|_| date));
        }
        Ok(Series {
            flows,
            dates,
            per_year: per_year.unwrap_or(1.0),
            unit,
            in_advance: self.first == Some(First::Now),
            first: match self.first.unwrap_or_default() {
                First::Now => FirstFlow::Now,
                First::EndOfFirstPeriod => FirstFlow::EndOfFirstPeriod,
            },
        })
    }
}

impl Series {
    fn dated(&self) -> Result<Vec<(NaiveDate, f64)>, Refusal> {
        if self.dates.len() != self.flows.len() {
            return Err(Refusal::missing(&[("date", "a date for each flow", false)]));
        }
        Ok(self
            .dates
            .iter()
            .copied()
            .zip(self.flows.iter().copied())
            .collect())
    }

    fn valued(&self, want: Want, annual: f64) -> Result<Figure, Refusal> {
        let rate = annual / self.per_year;
        let present = flows::npv(rate, &self.flows, self.first)?;
        let start = if self.first == FirstFlow::Now {
            "The first flow is now."
        } else {
            "The first flow is at the end of the first period."
        };
        let last = self.flows.len() as f64 - f64::from(self.first == FirstFlow::Now);
        let figure = match want {
            Want::FutureValue if self.in_advance => {
                let value = present * (1.0 + rate).powf(last + 1.0);
                Figure::of(
                    Variable::FutureValue,
                    value,
                    "Flows at the start of each period; value at the end of the last.",
                )
            }
            Want::FutureValue => {
                let value = present * (1.0 + rate).powf(last);
                Figure::of(Variable::FutureValue, value, "Value right after the last flow.")
            }
            Want::PresentValue => Figure::of(Variable::PresentValue, present, start),
            _ => Figure::of(Variable::Npv, present, start),
        };
        if figure.value.is_null() {
            return Err(Fault::NotFinite.into());
        }
        let periods = if (self.per_year - 1.0).abs() < 1e-9 {
            String::new()
        } else {
            format!(" Rate of a period = annual rate ÷ {}.", self.per_year)
        };
        let meaning = format!("{}{periods}", figure.definition);
        Ok(figure.meaning(&meaning))
    }

    fn modified(&self, finance: Option<f64>, again: Option<f64>) -> Result<Figure, Refusal> {
        let (Some(finance), Some(again)) = (finance, again) else {
            return Err(Refusal::missing(&[
                ("finance_rate", "finance rate", finance.is_some()),
                ("reinvestment_rate", "reinvestment rate", again.is_some()),
            ]));
        };
        let each = flows::mirr(&self.flows, finance / self.per_year, again / self.per_year)?;
        let value = (1.0 + each).powf(self.per_year) - 1.0;
        Ok(Figure::of(
            Variable::Mirr,
            value,
            "Inflows grow at the reinvestment rate, outflows are discounted at the finance rate; effective per year.",
        ))
    }

    fn payback(&self) -> Result<Figure, Refusal> {
        let start = f64::from(self.first == FirstFlow::EndOfFirstPeriod);
        let mut total = 0.0;
        for (at, flow) in self.flows.iter().enumerate() {
            let before = total;
            total += flow;
            if before < 0.0 && total >= 0.0 {
                let periods = at as f64 + start - 1.0 + -before / flow;
                let meaning =
                    "Years until the running total reaches zero, evenly within a period; not discounted.";
                return Ok(Figure::of(
                    Variable::PaybackYears,
                    periods / self.per_year,
                    meaning,
                ));
            }
        }
        Err(Refusal::failure(
            "no_result",
            "The running total of the flows never gets back to zero.",
        ))
    }
}

/// How many periods in a row: a number, or a duration.
fn repeats(reader: &mut Reader<'_>, times: &Written, per_year: f64) -> Result<u32, Refusal> {
    let (unit, factor) = match read(&times.text(), Unit::Years).and_then(|amount| amount.measure) {
        Some(Measure::Time(_)) => (Unit::Years, per_year),
        _ => (Unit::Count, 1.0),
    };
    let count = reader.value("times", times, unit)? * factor;
    if (count - count.round()).abs() > 1e-6 || !(0.0..=MOST as f64).contains(&count) {
        let what = format!(
            "times: \"{}\" must be a whole number of periods up to 2,000.",
            times.text()
        );
        return Err(Refusal::failure("bad_value", what));
    }
    Ok(count.round() as u32)
}

fn needed(rate: Option<f64>) -> Result<f64, Refusal> {
    rate.ok_or_else(|| Refusal::missing(&[("rate", "discount rate", false)]))
}

/// The rate of return per year, and per period where a period is no year.
fn returns(series: &Series, want: Want) -> Result<Vec<Figure>, Refusal> {
    let each = flows::irr_roots(&series.flows)?;
    let yearly = |rate: &f64| (1.0 + rate).powf(series.per_year) - 1.0;
    let roots: Vec<f64> = each.iter().map(yearly).collect();
    let single = want == Want::Irr && roots.len() == 1;
    let name = if single { "irr" } else { "irr_roots" };
    let label = if single {
        "internal rate of return"
    } else {
        "internal rates of return"
    };
    let mut figures = if single {
        vec![roots_figure(
            name,
            label,
            &roots,
            "Effective annual rate at which the flows are worth zero.",
        )]
    } else {
        let meaning =
            "Every annual rate at which the flows are worth zero; no single one is the answer if several.";
        vec![Figure::new(name, label, json!(roots), "list").meaning(meaning)]
    };
    if let ([rate], true) = (each.as_slice(), (series.per_year - 1.0).abs() > 1e-9) {
        figures.push(Figure::of(Variable::PeriodicRate, *rate, "Rate of a period."));
        let nominal = rate * series.per_year;
        figures.push(Figure::of(
            Variable::NominalRate,
            nominal,
            "Rate of a period × periods of a year.",
        ));
    }
    Ok(figures)
}

fn roots_figure(name: &str, label: &str, roots: &[f64], meaning: &str) -> Figure {
    match roots {
        [only] => Figure::new(name, label, *only, "percent").meaning(meaning),
        several => Figure::new(&format!("{name}_roots"), label, json!(several), "list").meaning(meaning),
    }
}
