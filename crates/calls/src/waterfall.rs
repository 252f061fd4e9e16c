//! `waterfall`: how distributions are shared between limited partners and sponsor, period by period.

use finance::fault::ratio;
use finance::flows::irr_roots;
use finance::variable::{Unit, Variable};
use finance::waterfall::{self, CatchUp, Hurdle, Period, Shares, Terms, Tier};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::call::Call;
use crate::reader::Reader;
use crate::result::{Computed, Figure, Outcome, Refusal, Step, Table, cents};
use crate::written::Written;

/// Most periods and most tiers.
const MOST: usize = 600;
const TIERS: usize = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Want {
    LpDistribution,
    GpDistribution,
    GpPromote,
    PreferredPaid,
    CapitalReturned,
    LpIrr,
    GpIrr,
    LpMultiple,
    Table,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Accrual {
    Simple,
    Compounding,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    PreferredFirst,
    CapitalFirst,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    European,
    American,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Waterfall {
    pub want: Want,
    /// Of the capital.
    pub lp_share: Option<Written>,
    pub preferred_return: Option<Written>,
    pub accrual: Option<Accrual>,
    pub order: Option<Order>,
    pub style: Option<Style>,
    pub catch_up: Option<Catch>,
    /// Splits above the preferred return; the last one has no until.
    pub tiers: Option<Vec<Split>>,
    /// The first is now.
    pub periods: Vec<Entry>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Catch {
    pub to_sponsor: Written,
    /// Sponsor's share of the profit.
    pub target: Written,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Split {
    pub until_irr: Option<Written>,
    pub until_multiple: Option<Written>,
    pub lp_share: Option<Written>,
    /// Instead of lp_share: to the sponsor, the rest pro rata.
    pub promote: Option<Written>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub contribution: Option<Written>,
    pub distribution: Option<Written>,
    /// Periods in a row.
    pub times: Option<Written>,
}

impl Call for Waterfall {
    const NAME: &'static str = "waterfall";
    const DESCRIPTION: &'static str =
        "Distributions to partners and sponsor: capital, preferred return, catch-up, tiers.";
    const EXAMPLE: &'static str = r#"{"want":"lp_distribution","lp_share":"85%","preferred_return":"9%",
        "tiers":[{"until_irr":"14%",
        "promote":"15%"},{"promote":"35%"}],"periods":[{"contribution":"$4m"},{"times":"3"},
        {"distribution":"$7m"}]}"#;

    fn run(self, reader: &mut Reader<'_>) -> Outcome {
        let terms = self.terms(reader)?;
        let periods = self.periods(reader)?;
        let shares = waterfall::run(&terms, &periods)?;
        let first = figure(self.want, &terms, &periods, &shares)?;
        let mut figures = vec![first];
        for (variable, value) in [
            (Variable::PartnersDistribution, shares.partners),
            (Variable::SponsorDistribution, shares.sponsor),
            (Variable::Promote, shares.promote),
        ] {
            if figures.iter().all(|figure| figure.name != variable.word()) {
                figures.push(Figure::of(variable, value, ""));
            }
        }
        let contributed: f64 = periods.iter().map(|period| period.contribution).sum();
        let distributed: f64 = periods.iter().map(|period| period.distribution).sum();
        let steps = vec![
            Step::new(
                "preferred_paid",
                "preferred return paid",
                shares.preferred_paid,
                &[("rate", terms.preferred)],
            ),
            Step::new(
                "capital_returned",
                "capital returned",
                shares.capital_returned,
                &[("contributions", contributed)],
            ),
            Step::new("catch_up", "to both in the catch-up", shares.catch_up, &[]),
            Step::new(
                "above",
                "distributions − preferred return − capital − catch-up, split by the tiers",
                shares.tiers.iter().sum(),
                &[("distributions", distributed)],
            ),
        ];
        Ok(Computed {
            figures,
            steps,
            table: Some(table(&periods, &shares)),
            unused: Vec::new(),
        })
    }
}

impl Waterfall {
    fn terms(&self, reader: &mut Reader<'_>) -> Result<Terms, Refusal> {
        let partners_share = match &self.lp_share {
            Some(share) => reader.value("lp_share", share, Unit::Percent)?,
            None => {
                reader.steps.push(Step::assumed(
                    "lp_share",
                    "the limited partners pay in all capital",
                    1.0,
                ));
                1.0
            }
        };
        let preferred = reader.maybe("preferred_return", self.preferred_return.as_ref(), Unit::Percent)?;
        let chosen = |given: bool, name: &str, sentence: &str| {
            (!given && preferred.is_some()).then(|| Step::assumed(name, sentence, 0.0))
        };
        let assumed = [
            chosen(
                self.accrual.is_some(),
                "accrual",
                "the preferred return compounds each period",
            ),
            chosen(
                self.order.is_some(),
                "order",
                "the preferred return is paid before capital",
            ),
            chosen(
                self.style.is_some(),
                "style",
                "European: the sponsor shares after all capital and preferred return",
            ),
        ];
        reader.steps.extend(assumed.into_iter().flatten());
        let catch_up = match &self.catch_up {
            Some(catch) => Some(CatchUp {
                to_sponsor: reader.value("to_sponsor", &catch.to_sponsor, Unit::Percent)?,
                target: reader.value("target", &catch.target, Unit::Percent)?,
            }),
            None => None,
        };
        let given = self.tiers.as_deref().unwrap_or_default();
        if given.len() > TIERS {
            return Err(Refusal::failure("too_many", "There are more than 20 tiers."));
        }
        let mut tiers = Vec::new();
        for split in given {
            tiers.push(split.read(reader, partners_share)?);
        }
        if tiers.is_empty() {
            reader.steps.push(Step::assumed(
                "tiers",
                "without tiers, the rest is shared as the capital",
                partners_share,
            ));
            tiers.push(Tier {
                until: None,
                to_partners: partners_share,
            });
        }
        Ok(Terms {
            partners_share,
            preferred: preferred.unwrap_or(0.0),
            accrual: match self.accrual {
                Some(Accrual::Simple) => waterfall::Accrual::Simple,
                _ => waterfall::Accrual::Compounding,
            },
            order: match self.order {
                Some(Order::CapitalFirst) => waterfall::Order::CapitalFirst,
                _ => waterfall::Order::PreferredFirst,
            },
            style: match self.style {
                Some(Style::American) => waterfall::Style::American,
                _ => waterfall::Style::European,
            },
            catch_up,
            tiers,
        })
    }

    fn periods(&self, reader: &mut Reader<'_>) -> Result<Vec<Period>, Refusal> {
        let mut periods = Vec::new();
        for entry in &self.periods {
            let period = Period {
                contribution: reader
                    .maybe("contribution", entry.contribution.as_ref(), Unit::Money)?
                    .unwrap_or(0.0),
                distribution: reader
                    .maybe("distribution", entry.distribution.as_ref(), Unit::Money)?
                    .unwrap_or(0.0),
            };
            let times = match &entry.times {
                Some(times) => reader.whole_number("times", times, Unit::Count, 600)?,
                None => 1,
            };
            periods.extend((0..times).map(|_| period));
            if periods.len() > MOST {
                return Err(Refusal::failure("too_many", "There are more than 600 periods."));
            }
        }
        if periods.is_empty() {
            return Err(Refusal::missing(&[(
                "periods",
                "contributions and distributions",
                false,
            )]));
        }
        Ok(periods)
    }
}

impl Split {
    fn read(&self, reader: &mut Reader<'_>, partners_share: f64) -> Result<Tier, Refusal> {
        let rate = reader.maybe("until_irr", self.until_irr.as_ref(), Unit::Percent)?;
        let multiple = reader.maybe("until_multiple", self.until_multiple.as_ref(), Unit::Multiple)?;
        let share = reader.maybe("lp_share", self.lp_share.as_ref(), Unit::Percent)?;
        let promote = reader.maybe("promote", self.promote.as_ref(), Unit::Percent)?;
        let to_partners = match (share, promote) {
            (Some(share), None) => share,
            (None, Some(promote)) => (1.0 - promote) * partners_share,
            (None, None) => {
                return Err(Refusal::missing(&[(
                    "lp_share",
                    "share of the tier, or promote",
                    false,
                )]));
            }
            (Some(_), Some(_)) => {
                let what = "A tier has either lp_share or promote, not both.";
                return Err(Refusal::failure("bad_arguments", what));
            }
        };
        Ok(Tier {
            until: rate.map(Hurdle::Rate).or(multiple.map(Hurdle::Multiple)),
            to_partners,
        })
    }
}

fn figure(want: Want, terms: &Terms, periods: &[Period], shares: &Shares) -> Result<Figure, Refusal> {
    let paid: f64 = periods.iter().map(|period| period.contribution).sum();
    let returns = |received: &[f64], share: f64, name: &str, label: &str| -> Result<Figure, Refusal> {
        let flows: Vec<f64> = periods
            .iter()
            .zip(received)
            .map(|(period, received)| received - share * period.contribution)
            .collect();
        match irr_roots(&flows)?.as_slice() {
            [only] => Ok(Figure::new(name, label, *only, "percent").meaning("Rate of a period.")),
            several => Ok(Figure::new(name, label, json!(several), "list").meaning("Several rates fit.")),
        }
    };
    Ok(match want {
        Want::LpDistribution | Want::Table => Figure::of(
            Variable::PartnersDistribution,
            shares.partners,
            "All that the limited partners receive.",
        ),
        Want::GpDistribution => Figure::of(
            Variable::SponsorDistribution,
            shares.sponsor,
            "All that the sponsor receives, also on its capital.",
        ),
        Want::GpPromote => Figure::of(
            Variable::Promote,
            shares.promote,
            "What the sponsor receives beyond its share of the capital.",
        ),
        Want::PreferredPaid => Figure::new(
            "preferred_paid",
            "preferred return paid",
            shares.preferred_paid,
            "USD",
        ),
        Want::CapitalReturned => Figure::new(
            "capital_returned",
            "capital returned",
            shares.capital_returned,
            "USD",
        ),
        Want::LpIrr => returns(
            &shares.partners_by_period,
            terms.partners_share,
            "lp_irr",
            "IRR of the limited partners",
        )?,
        Want::GpIrr => returns(
            &shares.sponsor_by_period,
            1.0 - terms.partners_share,
            "gp_irr",
            "IRR of the sponsor",
        )?,
        Want::LpMultiple => {
            let value = ratio(
                shares.partners,
                terms.partners_share * paid,
                "capital of the limited partners",
            )?;
            Figure::new(
                "lp_multiple",
                "equity multiple of the limited partners",
                value,
                "multiple",
            )
        }
    })
}

fn table(periods: &[Period], shares: &Shares) -> Table {
    let mut table = Table::new(&[
        "period",
        "contribution",
        "distribution",
        "to partners",
        "to sponsor",
    ]);
    let received = shares.partners_by_period.iter().zip(&shares.sponsor_by_period);
    table.rows = periods
        .iter()
        .zip(received)
        .enumerate()
        .map(|(at, (period, (partners, sponsor)))| {
            vec![
                json!(at),
                cents(period.contribution),
                cents(period.distribution),
                cents(*partners),
                cents(*sponsor),
            ]
        })
        .collect();
    table
}
