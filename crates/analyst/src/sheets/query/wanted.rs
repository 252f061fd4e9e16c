//! One wish over the rows it is about: its values, and the figures they make.
//!
//! Knows no words.

use crate::sheets::asked::Pace;
use crate::sheets::finding::{Finding, Open, Outcome};
use crate::sheets::query::amounts::Amounts;
use crate::sheets::query::cells::folded;
use crate::sheets::query::cues::Wish;
use crate::sheets::query::filters::Filter;
use crate::sheets::query::part::{Group, Measure};
use crate::sheets::query::view::View;
use tables::headers::Field;

/// One thing to compute.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) wish: Wish,
    pub(crate) measure: Option<Measure>,
    pub(crate) filters: Vec<Filter>,
    pub(crate) weight: Option<usize>,
    pub(crate) share: bool,
    pub(crate) group: Option<Group>,
    /// The group or row with the most or the least is wanted.
    pub(crate) extreme: Option<Wish>,
    pub(crate) rank: Option<usize>,
    /// Which of an order: the second highest.
    pub(crate) nth: Option<usize>,
    /// Of the rows that the wish before it chose.
    pub(crate) that: bool,
    pub(crate) pace: Option<Pace>,
    /// A column whose different values are counted.
    pub(crate) counts: Option<usize>,
}

/// Rows that were chosen by a wish, for one that points back to it.
#[derive(Default)]
pub(crate) struct Chosen {
    pub(crate) rows: Vec<usize>,
    pub(crate) label: String,
    /// Fewer than all.
    pub(crate) some: bool,
}

pub(crate) struct Asked<'a> {
    pub(crate) ask: &'a Ask,
    pub(crate) view: &'a View<'a>,
    pub(crate) amounts: Option<Amounts<'a>>,
    pub(crate) rows: Vec<usize>,
    /// What a share is of.
    pub(crate) base: Vec<usize>,
    /// The conditions in words.
    pub(crate) of: String,
}

pub(crate) type Picked = Option<(Vec<usize>, String)>;

impl Asked<'_> {
    pub(crate) fn source(&self) -> &str {
        &self.view.sheet.name
    }

    pub(crate) fn measured(&self) -> Result<&Amounts<'_>, Open> {
        self.amounts
            .as_ref()
            .ok_or_else(|| Open::because("Which column of the table do you mean?"))
    }

    /// Rows that have no number where one is needed.
    pub(crate) fn blanks(&self) -> Vec<String> {
        let Some(amounts) = &self.amounts else {
            return Vec::new();
        };
        let blank = self
            .rows
            .iter()
            .filter(|row| amounts.value(**row).is_none())
            .count();
        if blank == 0 || amounts.adds() && matches!(self.ask.wish, Wish::Sum | Wish::Amount) {
            return Vec::new();
        }
        vec![format!("{blank} rows without a number for it are left out.")]
    }

    pub(crate) fn values(&self, rows: &[usize]) -> Result<Vec<(usize, f64)>, Open> {
        let amounts = self.measured()?;
        let mut values: Vec<(usize, f64)> = Vec::with_capacity(rows.len());
        values.extend(rows.iter().filter_map(|row| Some((*row, amounts.value(*row)?))));
        if values.is_empty() {
            return Err(Open::because(format!(
                "I found no number for {}{}.",
                amounts.label(),
                self.of
            )));
        }
        Ok(values)
    }

    /// A figure over rows: what groups show too.
    pub(crate) fn figure(&self, wish: Wish, rows: &[usize]) -> Result<Vec<Finding>, Open> {
        let amounts = self.measured()?;
        let values = self.values(rows)?;
        let make = |prefix: &str, label: &str, value: f64, definition: &str| {
            let name = if prefix.is_empty() {
                amounts.word()
            } else {
                format!("{prefix}_{}", amounts.word())
            };
            let finding = Finding::new(
                &name,
                &format!("{label}{}{}", amounts.label(), self.of),
                value,
                amounts.unit(),
                amounts.shown(value),
                definition,
            )
            .input("rows", values.len() as f64, "count", self.source())
            .step(format!("{} rows{}.", values.len(), self.of));
            let whole =
                self.of.is_empty() && self.ask.group.is_none() && prefix == "total" && amounts.factor == 1.0;
            let finding = match amounts.measure {
                Measure::Column(column) => finding.counted((values.len(), rows.len()), column, whole),
                _ => finding,
            };
            match amounts.period {
                Some(period) => finding.during(period),
                _ => finding,
            }
        };
        let nothing = || Open::because("There is nothing to divide by.");
        if amounts.ratio() {
            let whole = amounts.together(rows).ok_or_else(nothing)?;
            let mean = values.iter().map(|(_, value)| value).sum::<f64>() / values.len() as f64;
            return Ok(match wish {
                Wish::Simple => vec![make(
                    "avg",
                    "simple average of ",
                    mean,
                    "The mean of the rows' own ratios.",
                )],
                Wish::Median => vec![make(
                    "median",
                    "median of ",
                    middle(&values),
                    "The middle one of the rows' own ratios.",
                )],
                Wish::Mean if values.len() > 1 => vec![
                    make("", "", whole, amounts.definition()),
                    make(
                        "avg",
                        "simple average of ",
                        mean,
                        "The mean of the rows' own ratios.",
                    )
                    .aside(),
                ],
                _ => vec![make("", "", whole, amounts.definition())],
            });
        }
        let sum: f64 = values.iter().map(|(_, value)| value).sum();
        let mean = sum / values.len() as f64;
        Ok(vec![match wish {
            Wish::Mean if amounts.averages() => {
                return Err(Open::because(format!(
                    "{} holds averages already. Should I weight them, and by which column, or take their simple average?",
                    amounts.label()
                )));
            }
            Wish::Mean | Wish::Simple => {
                make("avg", "average of ", mean, "Average over the rows with a number.")
            }
            Wish::Median => make(
                "median",
                "median of ",
                middle(&values),
                "Median over the rows with a number.",
            ),
            Wish::Weighted => self.weighted(&values)?,
            Wish::Range => {
                let high = values.iter().map(|(_, value)| *value).fold(f64::MIN, f64::max);
                let low = values.iter().map(|(_, value)| *value).fold(f64::MAX, f64::min);
                make(
                    "range",
                    "highest less lowest of ",
                    high - low,
                    "The highest value less the lowest.",
                )
                .step(format!("{} − {}.", amounts.shown(high), amounts.shown(low)))
            }
            Wish::Highest => make(
                "max",
                "highest ",
                values.iter().map(|(_, value)| *value).fold(f64::MIN, f64::max),
                "One of the rows of the table.",
            ),
            Wish::Lowest => make(
                "min",
                "lowest ",
                values.iter().map(|(_, value)| *value).fold(f64::MAX, f64::min),
                "One of the rows of the table.",
            ),
            _ => match values.as_slice() {
                [(row, value)] if wish != Wish::Sum => {
                    make("value", "", *value, "As it stands in the table.").of(self.view.name(*row))
                }
                _ if !amounts.adds() => {
                    return Err(Open::because(format!(
                        "{} holds values that have no sum. Should I average them?",
                        amounts.label()
                    )));
                }
                _ => make("total", "total of ", sum, amounts.definition()),
            },
        }])
    }

    fn weighted(&self, values: &[(usize, f64)]) -> Result<Finding, Open> {
        let amounts = self.measured()?;
        let Some(weight) = self.ask.weight.or_else(|| amounts.natural_weight()) else {
            return Err(Open::because(format!(
                "By which column should I weight {}?",
                amounts.label()
            )));
        };
        let weights = self.view.column(weight);
        let pairs: Vec<(f64, f64)> = values
            .iter()
            .filter_map(|(row, value)| Some((*value, weights.value(self.view.row(*row)?)?)))
            .collect();
        let all: f64 = pairs.iter().map(|(_, weight)| weight).sum();
        if pairs.len() < values.len() || all <= 0.0 {
            return Err(Open::because(format!(
                "Not every row has a number under “{}” to weight with.",
                self.view.header(weight)
            )));
        }
        let mean = pairs.iter().map(|(value, weight)| value * weight).sum::<f64>() / all;
        Ok(Finding::new(
            &format!("weighted_avg_{}", amounts.word()),
            &format!(
                "average, weighted by “{}”, of {}{}",
                self.view.header(weight),
                amounts.label(),
                self.of
            ),
            mean,
            amounts.unit(),
            amounts.shown(mean),
            "Weighted average = Σ(value × weight) ÷ Σ weight.",
        )
        .input("rows", pairs.len() as f64, "count", self.source())
        .step(format!("Weights add up to {}.", weights.shown(all))))
    }

    pub(crate) fn count(&self) -> Outcome {
        let finding = match self
            .ask
            .counts
            .filter(|column| self.ask.wish == Wish::Distinct || self.view.groups(*column))
            // Units of several buildings may have the same number: each row is a unit.
            .filter(|column| self.view.spaces.is_empty() || self.view.field(*column) != Some(Field::Unit))
        {
            Some(column) => {
                let mut own: Vec<String> = self
                    .rows
                    .iter()
                    .filter_map(|at| self.view.row(*at))
                    .map(|row| folded(self.view.table.text(row, column)))
                    .filter(|value| !value.is_empty())
                    .collect();
                own.sort_unstable();
                own.dedup();
                Finding::count(
                    "number_of_values",
                    &format!("different values under “{}”{}", self.view.header(column), self.of),
                    own.len(),
                    "Different values of the column.",
                )
            }
            None => Finding::count(
                "number_of_rows",
                &format!("number of rows{}", self.of),
                self.rows.len(),
                "Rows of the table; printed totals are not counted.",
            ),
        };
        let mut finding = finding;
        for remark in &self.view.left_out {
            finding.definition = format!("{} {remark}", finding.definition);
        }
        Outcome::figures(vec![finding.step(format!(
            "{} of {} rows fit.",
            self.rows.len(),
            self.view.rows().count()
        ))])
    }
}

fn middle(values: &[(usize, f64)]) -> f64 {
    let mut sorted: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    let upper = sorted.get(half).copied().unwrap_or(0.0);
    if sorted.len() % 2 == 1 {
        upper
    } else {
        (upper + sorted.get(half.saturating_sub(1)).copied().unwrap_or(upper)) / 2.0
    }
}
