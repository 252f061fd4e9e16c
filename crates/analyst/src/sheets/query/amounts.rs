//! The value of a measure for one row and for many, in its unit and as it is shown.
//!
//! Knows no question.

use std::collections::{BTreeMap, HashMap};

use crate::sheets::asked::Pace;
use crate::sheets::columned::each_foot;
use crate::sheets::finding::{percent, plain};
use crate::sheets::measured::Unit;
use crate::sheets::query::cells::folded;
use crate::sheets::query::naming::naming;
use crate::sheets::query::part::{Let, Measure};
use crate::sheets::query::view::View;
use crate::sheets::units;
use tables::headers::{self, Field};
use tables::kind::Kind;
use tables::tenancy::State;

/// A number with the order of the amounts.
fn rank(amount: f64) -> u64 {
    let bits = amount.to_bits();
    if amount.is_sign_negative() {
        !bits
    } else {
        bits | 1 << 63
    }
}

/// A measure over a view, with the factor that turns it into the period asked for.
pub(crate) struct Amounts<'a> {
    pub(crate) view: &'a View<'a>,
    pub(crate) measure: Measure,
    pub(crate) factor: f64,
    /// "month" or "year", where it was turned or the column says.
    pub(crate) period: Option<&'static str>,
}

impl<'a> Amounts<'a> {
    pub(crate) fn of(view: &'a View<'a>, measure: Measure, pace: Option<Pace>) -> Result<Self, String> {
        let first = match &measure {
            Measure::Column(column) | Measure::Less(column, _) | Measure::Growth(column, _) => Some(*column),
            Measure::All(columns) | Measure::Per(columns, _) => columns.first().copied(),
            Measure::LoanToValue | Measure::Let { .. } => None,
        };
        let own = first.and_then(|column| paced(view, column));
        let money = first.is_some_and(|column| view.column(column).of == Unit::Money);
        let (factor, period) = match (pace, own) {
            (Some(Pace::Annual), Some(Pace::Monthly)) => (12.0, Some("year")),
            (Some(Pace::Monthly), Some(Pace::Annual)) => (1.0 / 12.0, Some("month")),
            (Some(wanted @ (Pace::Annual | Pace::Monthly)), None) if money => {
                return Err(format!(
                    "“{}” does not say whether its amounts are of a month or a year, so I cannot give them a {}.",
                    first.map_or("", |column| view.header(column)),
                    if wanted == Pace::Annual { "year" } else { "month" }
                ));
            }
            (_, Some(Pace::Monthly)) => (1.0, Some("month")),
            (_, Some(Pace::Annual)) => (1.0, Some("year")),
            _ => (1.0, None),
        };
        Ok(Self {
            view,
            measure,
            factor,
            period: period.filter(|_| money),
        })
    }

    fn cell(&self, row: usize, column: usize) -> Option<f64> {
        self.view.column(column).value(self.view.row(row)?)
    }

    fn sum_of(&self, row: usize, columns: &[usize]) -> Option<f64> {
        columns.iter().fold(None, |sum: Option<f64>, column| {
            self.cell(row, *column)
                .map(|value| sum.unwrap_or(0.0) + value)
                .or(sum)
        })
    }

    /// Of one row.
    pub(crate) fn value(&self, row: usize) -> Option<f64> {
        let value = match &self.measure {
            Measure::Column(column) => self.cell(row, *column),
            Measure::All(columns) => self.sum_of(row, columns),
            Measure::Less(one, other) => Some(self.cell(row, *one)? - self.cell(row, *other)?),
            Measure::Per(top, bottom) => {
                let under = self.cell(row, *bottom).filter(|under| *under != 0.0)?;
                Some(self.sum_of(row, top)? / under)
            }
            Measure::Growth(from, to) => {
                let from = self.cell(row, *from).filter(|from| *from != 0.0)?;
                Some(self.cell(row, *to)? / from - 1.0)
            }
            Measure::LoanToValue => return self.loan_to_value(&[row]),
            Measure::Let { .. } => return self.together(&[row]),
        };
        value.map(|value| value * self.factor)
    }

    /// Of many rows together: sums, and ratios of sums.
    pub(crate) fn together(&self, rows: &[usize]) -> Option<f64> {
        let pairs = |top: &dyn Fn(usize) -> Option<f64>, bottom: usize| {
            let mut sums = (0.0, 0.0);
            for row in rows {
                if let (Some(top), Some(under)) = (top(*row), self.cell(*row, bottom)) {
                    sums = (sums.0 + top, sums.1 + under);
                }
            }
            (sums.1 != 0.0).then_some(sums)
        };
        match &self.measure {
            Measure::Per(top, bottom) => {
                pairs(&|row| self.sum_of(row, top), *bottom).map(|(top, under)| top / under * self.factor)
            }
            Measure::Growth(from, to) => {
                pairs(&|row| self.cell(row, *to), *from).map(|(to, from)| to / from - 1.0)
            }
            Measure::LoanToValue => self.loan_to_value(rows),
            Measure::Let { of, vacant } => {
                let share = self.let_share(*of, rows)?;
                Some(if *vacant { 1.0 - share } else { share })
            }
            _ => {
                let values: Vec<f64> = rows.iter().filter_map(|row| self.value(*row)).collect();
                (!values.is_empty()).then(|| values.iter().sum())
            }
        }
    }

    /// The share that is let.
    fn let_share(&self, of: Let, rows: &[usize]) -> Option<f64> {
        let (mut occupied, mut all) = (0.0, 0.0);
        for row in rows {
            let (part, whole) = match of {
                Let::Units { part, all } => match (self.cell(*row, part), self.cell(*row, all)) {
                    (Some(part), Some(all)) => (part, all),
                    _ => continue,
                },
                Let::Spaces { area } => {
                    let Some(state) = self.view.state(*row).filter(|state| *state != State::NonRevenue)
                    else {
                        continue;
                    };
                    let size = area.map_or(Some(1.0), |area| self.cell(*row, area))?;
                    (if state == State::Occupied { size } else { 0.0 }, size)
                }
            };
            occupied += part;
            all += whole;
        }
        (all > 0.0).then_some(occupied / all)
    }

    /// Loans on one collateral share its value.
    fn loan_to_value(&self, rows: &[usize]) -> Option<f64> {
        let balance = self.view.first(&[Field::LoanBalance, Field::LoanAmount])?;
        let worth = self.view.table.column(Field::Value)?;
        let collateral = (0..self.view.table.columns.len()).find(|at| {
            matches!(self.view.field(*at), Some(Field::Building | Field::Name))
                || naming(self.view.header(*at))
                    .iter()
                    .any(|word| matches!(word.as_str(), "collateral" | "property" | "asset" | "security"))
        });
        // Of each collateral, its values in order.
        let mut seen: HashMap<String, BTreeMap<u64, f64>> = HashMap::new();
        let (mut debt, mut value) = (0.0, 0.0);
        for at in rows {
            let row = self.view.row(*at)?;
            debt += self.cell(*at, balance)?;
            let own = self.cell(*at, worth)?;
            let name = collateral.map_or_else(
                || at.to_string(),
                |column| folded(self.view.table.text(row, column)),
            );
            let known = seen.entry(name).or_default();
            let mut near = known.range(rank(own - 0.005)..=rank(own + 0.005));
            if !near.any(|(_, of)| (of - own).abs() < 0.005) {
                value += own;
                known.insert(rank(own), own);
            }
        }
        (value > 0.0).then_some(debt / value)
    }

    /// Whether values of it can be added up.
    pub(crate) fn adds(&self) -> bool {
        match &self.measure {
            Measure::Column(column) | Measure::Less(column, _) => {
                !matches!(self.view.column(*column).of, Unit::Percent | Unit::Multiple)
                    && !each_foot(&self.view.table, *column)
                    && !averaged(self.view.header(*column))
                    && !matches!(
                        self.view.field(*column),
                        Some(
                            Field::RentPerArea
                                | Field::PricePerArea
                                | Field::PricePerUnit
                                | Field::AdjustedPerArea
                                | Field::RemainingYears
                                | Field::RemainingMonths
                                | Field::TermMonths
                                | Field::YearBuilt
                        )
                    )
            }
            Measure::All(_) => true,
            _ => false,
        }
    }

    /// Whether its values are averages of something themselves.
    pub(crate) fn averages(&self) -> bool {
        matches!(&self.measure, Measure::Column(column) if averaged(self.view.header(*column)))
    }

    /// Whether the whole is not a sum of the parts.
    pub(crate) fn ratio(&self) -> bool {
        matches!(
            self.measure,
            Measure::Per(..) | Measure::Growth(..) | Measure::LoanToValue | Measure::Let { .. }
        )
    }

    pub(crate) fn shown(&self, value: f64) -> String {
        match &self.measure {
            Measure::Column(column) | Measure::Less(column, _) => self.view.column(*column).shown(value),
            Measure::All(columns) => columns.first().map_or_else(
                || plain(value, 2),
                |column| self.view.column(*column).shown(value),
            ),
            Measure::Per(top, bottom) => {
                let amount = top.first().map(|column| self.view.column(*column));
                match (
                    amount.filter(|amount| amount.of == Unit::Money),
                    self.view.column(*bottom).of,
                ) {
                    (Some(_), Unit::Money) => format!("{}x", plain(value, 4)),
                    (Some(amount), _) => format!("{} per {}", amount.shown(value), self.under(*bottom)),
                    (None, _) => plain(value, 4),
                }
            }
            Measure::Growth(..) | Measure::LoanToValue | Measure::Let { .. } => percent(value),
        }
    }

    fn under(&self, bottom: usize) -> String {
        match self.view.field(bottom) {
            Some(Field::Area) => self.view.column(bottom).size().to_owned(),
            Some(Field::Units) => "unit".to_owned(),
            _ => format!("“{}”", self.view.header(bottom)),
        }
    }

    pub(crate) fn unit(&self) -> &'static str {
        match &self.measure {
            Measure::Column(column) | Measure::Less(column, _) => self.view.column(*column).unit(),
            Measure::All(columns) => columns
                .first()
                .map_or("count", |column| self.view.column(*column).unit()),
            Measure::Per(top, bottom) => {
                let amount = top.first().map(|column| self.view.column(*column));
                let under = self.view.column(*bottom);
                match (
                    amount.filter(|amount| amount.of == Unit::Money),
                    self.view.field(*bottom),
                ) {
                    (Some(amount), Some(Field::Area)) => units::per("USD/sqft", &amount, &under),
                    (Some(amount), Some(Field::Units)) => units::per("USD/unit", &amount, &under),
                    _ => "ratio",
                }
            }
            Measure::Growth(..) | Measure::LoanToValue | Measure::Let { .. } => "percent",
        }
    }

    /// As people would say it.
    pub(crate) fn label(&self) -> String {
        let name = |column: &usize| format!("“{}”", self.view.header(*column));
        let sum = |columns: &[usize]| columns.iter().map(name).collect::<Vec<_>>().join(" + ");
        match &self.measure {
            Measure::Column(column) => name(column),
            Measure::All(columns) => sum(columns),
            Measure::Less(one, other) => format!("{} less {}", name(one), name(other)),
            Measure::Per(top, bottom) => format!("{} per {}", sum(top), name(bottom)),
            Measure::Growth(from, to) => format!("change from {} to {}", name(from), name(to)),
            Measure::LoanToValue => "loan to value".to_owned(),
            Measure::Let { vacant: true, .. } => "vacancy".to_owned(),
            Measure::Let { .. } => "occupancy".to_owned(),
        }
    }

    pub(crate) fn word(&self) -> String {
        match &self.measure {
            Measure::Column(column) => self.view.column(*column).word(),
            Measure::All(_) => "sum".to_owned(),
            Measure::Less(..) => "difference".to_owned(),
            Measure::Per(top, bottom) => format!(
                "{}_per_{}",
                top.first()
                    .map_or(String::new(), |column| self.view.column(*column).word()),
                self.view.column(*bottom).word()
            ),
            Measure::Growth(..) => "change_pct".to_owned(),
            Measure::LoanToValue => "ltv".to_owned(),
            Measure::Let { vacant: true, .. } => "vacancy_rate".to_owned(),
            Measure::Let { .. } => "physical_occupancy".to_owned(),
        }
    }

    /// How the value of many rows comes about.
    pub(crate) fn definition(&self) -> &'static str {
        match &self.measure {
            Measure::Per(..) => "Sum of the one ÷ sum of the other, over the rows that have both.",
            Measure::Growth(..) => "Change = later ÷ earlier − 1.",
            Measure::LoanToValue => "LTV = balances ÷ values; the value of one collateral counts once.",
            Measure::Let { vacant: true, .. } => "Vacancy = 1 − occupied ÷ all for rent.",
            Measure::Let { .. } => "Occupancy = occupied ÷ all for rent.",
            Measure::Less(..) => "The first column less the second, over the rows that have both.",
            Measure::Column(_) | Measure::All(_) => {
                "Sum over the rows of the table; printed totals are not counted."
            }
        }
    }

    /// What such values are usually weighted with.
    pub(crate) fn natural_weight(&self) -> Option<usize> {
        let Measure::Column(column) = self.measure else {
            return None;
        };
        let fields: &[Field] = match (self.view.field(column), self.view.sheet.kind) {
            (Some(Field::Rate | Field::Ltv | Field::Dscr), _) | (_, Kind::Loans) => {
                &[Field::LoanBalance, Field::LoanAmount]
            }
            (Some(Field::CapRate), _) => &[Field::Price, Field::Value],
            (Some(Field::RentPerArea | Field::PricePerArea | Field::AdjustedPerArea), _) => &[Field::Area],
            (Some(Field::PricePerUnit), _) => &[Field::Units],
            _ => return None,
        };
        self.view.first(fields).filter(|weight| *weight != column)
    }

    pub(crate) fn is_rent(&self) -> bool {
        let rent = |column: &usize| {
            matches!(
                self.view.field(*column),
                Some(Field::Rent | Field::AnnualRent | Field::RentPerArea)
            )
        };
        match &self.measure {
            Measure::Column(column) => rent(column),
            Measure::Per(top, _) | Measure::All(top) => top.iter().any(rent),
            _ => false,
        }
    }
}

/// A column of averages, which do not add up.
pub(crate) fn averaged(header: &str) -> bool {
    headers::words(header)
        .iter()
        .any(|word| matches!(word.as_str(), "avg" | "average" | "mean" | "median"))
}

/// What period a column's amounts are of, by its header or by what it holds.
fn paced(view: &View<'_>, column: usize) -> Option<Pace> {
    let words = headers::words(view.header(column));
    let says = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
    if says(&[
        "monthly",
        "month",
        "mo",
        "mth",
        "pcm",
        "monatsmiete",
        "monatlich",
        "monat",
    ]) {
        return Some(Pace::Monthly);
    }
    if says(&[
        "annual",
        "annually",
        "yearly",
        "year",
        "yr",
        "annum",
        "pa",
        "jahresmiete",
    ]) {
        return Some(Pace::Annual);
    }
    match view.field(column) {
        Some(Field::Rent | Field::MarketRent) => Some(Pace::Monthly),
        Some(Field::AnnualRent) => Some(Pace::Annual),
        Some(Field::Amount) if view.charges => Some(Pace::Monthly),
        _ if matches!(view.sheet.kind, Kind::RentRoll | Kind::Leases) => {
            // Charges beside a rent are of the same period.
            let rent = view
                .first(&[Field::Rent, Field::AnnualRent])
                .filter(|rent| *rent != column)?;
            let charge = naming(view.header(column)).iter().any(|word| {
                matches!(
                    word.as_str(),
                    "cam"
                        | "tax"
                        | "insurance"
                        | "recovery"
                        | "reimbursement"
                        | "nnn"
                        | "utility"
                        | "parking"
                        | "charge"
                )
            });
            charge.then(|| paced(view, rent)).flatten()
        }
        _ => None,
    }
}
