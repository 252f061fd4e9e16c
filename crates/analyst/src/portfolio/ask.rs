//! Topics and what turns them, as the metrics that are asked for. Pure; knows no places and no times.

use std::collections::BTreeSet;

use crate::portfolio::lexicon::{Topic, Turn};
use crate::portfolio::quantities::Quantity;
use crate::portfolio::unsure::turned;
use finance::portfolio::metric::Metric;
use finance::portfolio::query::{Account, Listed};

/// What is to be answered.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    /// Metrics, the first named first; with the account of those that are about one.
    Metrics(Vec<(Metric, Option<Account>)>),
    /// Leases by the year of their end.
    Rollover,
    /// The largest tenants.
    Tenants,
    /// Debt by the year of its maturity.
    Maturities,
    /// What loans there are, with what is asked of them.
    Loans(Vec<Topic>),
    /// Buildings that fail a test of their debt.
    Breaches,
    /// When buildings were built and bought.
    Facts(Vec<Topic>),
    /// Buildings without debt.
    Unlevered,
    /// Units one by one.
    Units(Listed),
}

/// Why nothing is answered.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Unclear {
    /// It is no question about the portfolio.
    Other,
    /// It is, and this has to be said.
    Ask(String),
}

pub(super) fn ask(text: &str) -> Unclear {
    Unclear::Ask(text.to_owned())
}

/// What is about days to come by its nature: ends of leases and loans.
pub(crate) fn looks_ahead(what: &What) -> bool {
    match what {
        What::Rollover | What::Maturities | What::Loans(_) => true,
        What::Metrics(metrics) => metrics.iter().all(|(metric, _)| is_windowed(*metric)),
        What::Units(_) => true,
        What::Tenants | What::Breaches | What::Facts(_) | What::Unlevered => false,
    }
}

pub(crate) fn is_windowed(metric: Metric) -> bool {
    matches!(
        metric,
        Metric::Expirations
            | Metric::RolloverShareOfRent
            | Metric::RolloverShareOfArea
            | Metric::RolloverRent
            | Metric::RolloverArea
    )
}

/// What the words name.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    pub(crate) topics: &'a [Topic],
    pub(crate) accounts: &'a [Account],
    pub(crate) turns: &'a BTreeSet<Turn>,
    pub(crate) has_window: bool,
    pub(crate) by_year: bool,
    pub(crate) by_month: bool,
    /// Split by places or kinds of property.
    pub(crate) by_place: bool,
    /// Buildings are spoken of: "per property", "the buildings".
    pub(crate) by_building: bool,
    pub(crate) by_lender: bool,
    pub(crate) ranked: bool,
    /// The quantity of which a share is asked.
    pub(crate) base: Option<&'a Quantity>,
    /// A place, a kind or a split is named: a part of the whole.
    pub(crate) narrowed: bool,
    /// A period of several months is named.
    pub(crate) spans: bool,
    /// A split or things of a kind are named, which an order goes over.
    pub(crate) ordered: bool,
    /// "The rent of two-bedrooms", no amount of all of them.
    pub(crate) of_unit_kind: bool,
    /// Single units or tenants are named.
    pub(crate) of_units: bool,
    /// A kind of lease or of tenant is named.
    pub(crate) of_companies: bool,
    /// Space of companies alone: its rents are told by the year.
    pub(crate) commercial: bool,
    /// How many are asked for, and whether things are named one after another.
    pub(crate) count: Option<usize>,
    pub(crate) enumerated: bool,
    /// The figure less another one, which is the base.
    pub(crate) minus: bool,
    /// The figures are added up.
    pub(crate) plus: bool,
}

/// Resolves the words to figures as they stand.
pub(crate) fn plain(words: Words<'_>) -> Result<What, Unclear> {
    let (what, unused) = resolved(words)?;
    checked(what, &unused)
}

pub(super) fn checked(what: What, unused: &[Turn]) -> Result<What, Unclear> {
    match unused.first() {
        None => Ok(what),
        Some(turn) => Err(Unclear::Ask(format!(
            "I do not have {} {}. Please ask for it in another way.",
            named(&what),
            turned(*turn)
        ))),
    }
}

/// The figure by its name.
fn named(what: &What) -> String {
    match what {
        What::Metrics(metrics) => match metrics.as_slice() {
            [(_, Some(account))] => account.name.clone(),
            [(metric, None)] => metric.label().to_owned(),
            _ => "these figures".to_owned(),
        },
        _ => "that list".to_owned(),
    }
}

pub(super) fn resolved(words: Words<'_>) -> Result<(What, Vec<Turn>), Unclear> {
    let mut resolving = Resolving {
        words,
        left: words.topics.to_vec(),
        accounts: words.accounts.to_vec(),
        used: BTreeSet::from([
            Turn::Each,
            Turn::Growth,
            Turn::Gain,
            Turn::Loss,
            Turn::MonthOnMonth,
            Turn::QuarterOnQuarter,
            Turn::Annualized,
            Turn::Fixed,
            Turn::Floating,
            Turn::InterestOnly,
            Turn::HowMany,
            Turn::OverBudget,
            Turn::UnderBudget,
        ]),
        found: Vec::new(),
    };
    if words.topics.is_empty() && words.accounts.is_empty() {
        return Err(Unclear::Other);
    }
    let what = resolving.resolve()?;
    if !resolving.left.is_empty() {
        return Err(ask(
            "I could not tell which figure is meant. Please ask for one figure at a time.",
        ));
    }
    let unused = words.turns.difference(&resolving.used).copied().collect();
    Ok((what, unused))
}

pub(super) struct Resolving<'a> {
    pub(super) words: Words<'a>,
    /// Topics that nothing has taken yet.
    pub(super) left: Vec<Topic>,
    pub(super) accounts: Vec<Account>,
    /// Turns that a figure has taken.
    pub(super) used: BTreeSet<Turn>,
    pub(super) found: Vec<(Metric, Option<Account>)>,
}

impl Resolving<'_> {
    pub(super) fn has(&self, topic: Topic) -> bool {
        self.left.contains(&topic)
    }

    /// True where the turn was said; it is used then.
    pub(super) fn turn(&mut self, turn: Turn) -> bool {
        let said = self.words.turns.contains(&turn);
        if said {
            self.used.insert(turn);
        }
        said
    }

    /// Takes topics that say nothing beside the one they stand with.
    pub(super) fn drop(&mut self, topics: &[Topic]) {
        self.left.retain(|topic| !topics.contains(topic));
    }

    fn resolve(&mut self) -> Result<What, Unclear> {
        use Topic::{
            Breach, Concentration, Covenant, Debt, Dscr, Expire, Lender, Loan, Ltv, Mature, Maturities, Owe,
            Rate, Rollover, Tenants,
        };
        if self.has(Breach) {
            self.drop(&[Breach, Dscr, Ltv, Covenant, Debt, Loan]);
            self.turn(Turn::AllLoans);
            return Ok(What::Breaches);
        }
        if self.has(Topic::DebtFree) {
            self.drop(&[Topic::DebtFree, Topic::Properties, Debt, Loan]);
            self.turn(Turn::Count);
            return Ok(What::Unlevered);
        }
        let facts = [Topic::Built, Topic::Acquired];
        if facts.iter().any(|topic| self.has(*topic)) {
            self.turn(Turn::Count);
            let asked = facts.into_iter().filter(|topic| self.has(*topic)).collect();
            self.drop(&[
                Topic::Built,
                Topic::Acquired,
                Topic::PurchasePrice,
                Topic::Properties,
            ]);
            return Ok(What::Facts(asked));
        }
        if self.words.by_lender && (self.has(Owe) || self.has(Loan) || self.has(Debt) || self.has(Lender)) {
            let metric = if self.turn(Turn::Count) {
                Metric::Loans
            } else {
                Metric::TotalDebt
            };
            self.turn(Turn::AllLoans);
            self.drop(&[Owe, Loan, Debt, Lender]);
            if self.left.is_empty() {
                return Ok(What::Metrics(vec![(metric, None)]));
            }
        }
        if let Some(what) = self.units() {
            return Ok(what);
        }
        if self.has(Maturities) || (self.has(Mature) && self.has(Debt)) {
            self.drop(&[Maturities, Mature, Debt, Loan]);
            self.turn(Turn::Share);
            return Ok(if self.turn(Turn::Next) {
                What::Loans(vec![Mature])
            } else {
                What::Maturities
            });
        }
        // "What debt yield does the bank have": the bank asks nothing of its own.
        let figures = [Topic::DebtYield, Dscr, Ltv, Topic::Occupancy, Topic::Noi];
        if self.has(Lender)
            && !self.words.enumerated
            && figures.iter().any(|topic| self.has(*topic))
            && ![Loan, Mature, Owe, Rate, Covenant]
                .iter()
                .any(|topic| self.has(*topic))
        {
            self.drop(&[Lender]);
        }
        let is_loan = [Loan, Lender, Mature, Owe, Rate, Covenant]
            .iter()
            .any(|topic| self.has(*topic));
        let others = self.left.iter().any(|topic| {
            !matches!(
                topic,
                Loan | Lender | Mature | Owe | Rate | Covenant | Debt | Dscr | Ltv | Topic::Expire
            )
        });
        // "Principal paid on the loan": the account is asked for.
        if is_loan && !self.accounts.is_empty() {
            self.drop(&[Loan]);
        } else if is_loan && !others && !(self.has(Topic::Expire)) {
            if self.has(Covenant) && (self.has(Dscr) || self.has(Ltv)) {
                self.drop(&[Dscr, Ltv]);
            }
            if !self.has(Dscr) && !self.has(Ltv) {
                return self.loans();
            }
            self.drop(&[Loan]);
        }
        if (self.has(Tenants) || self.has(Concentration))
            && let Some(what) = self.tenants()?
        {
            return Ok(what);
        }
        // "expiring leases that renewed" asks what became of them.
        if self.has(Topic::Renewal) {
            self.drop(&[Expire, Topic::Leases, Tenants]);
        }
        if self.has(Rollover) || self.has(Expire) {
            return self.expirations();
        }
        self.one_figure();
        if let Some(what) = self.held_over()? {
            return Ok(what);
        }
        self.metrics()?;
        self.narrowing()?;
        // Whether a part is in a figure is only said of one figure.
        if self.found.len() == 1 {
            self.turn(Turn::Including);
        }
        if self.found.is_empty() {
            return Err(Unclear::Other);
        }
        Ok(What::Metrics(std::mem::take(&mut self.found)))
    }

    pub(super) fn add(&mut self, metric: Metric, takes: &[Topic]) {
        self.drop(takes);
        if !self.found.iter().any(|(known, _)| *known == metric) {
            self.found.push((metric, None));
        }
    }

    fn metrics(&mut self) -> Result<(), Unclear> {
        let order = self.left.clone();
        for topic in order {
            if self.has(topic) {
                self.topic(topic)?;
            }
        }
        // What remains of accounts is asked for by itself.
        let versus = self.has(Topic::Budget) && self.found.is_empty();
        let itself =
            self.has(Topic::Budgeted) && !versus && self.found.is_empty() && !self.turn(Turn::Versus);
        for account in std::mem::take(&mut self.accounts) {
            let metric = if versus {
                if !self.turn(Turn::Versus) {
                    return Err(ask(
                        "Do you mean the account's budget, or the account against its budget?",
                    ));
                }
                self.turn(Turn::Missed);
                self.turn(Turn::Beat);
                Metric::AccountVsBudget
            } else if itself {
                Metric::AccountBudget
            } else {
                Metric::Account
            };
            self.turn(Turn::PerYear);
            self.found.push((metric, Some(account)));
        }
        if versus || itself {
            self.drop(&[Topic::Budget, Topic::Budgeted]);
        }
        Ok(())
    }

    fn topic(&mut self, topic: Topic) -> Result<(), Unclear> {
        use Topic as T;
        match topic {
            T::Occupancy | T::Leased | T::Vacancy | T::Empty | T::NonRevenue | T::Units | T::Rentable => {
                self.occupancy()?;
            }
            T::Area => self.area(),
            T::EconomicOccupancy => {
                self.turn(Turn::Share);
                self.add(Metric::EconomicOccupancy, &[topic]);
            }
            T::EconomicVacancy => {
                self.turn(Turn::Share);
                self.add(Metric::EconomicVacancy, &[topic]);
            }
            T::InterestCover => {
                return Err(ask(
                    "I have the coverage of the whole debt service (DSCR), and interest expense by itself. Which one do you want?",
                ));
            }
            T::UnitSize => self.add(Metric::TotalArea, &[topic, T::Area, T::Units]),
            T::CashFlowBefore => self.add(Metric::CashFlowBeforeDebt, &[topic, T::Capex, T::DebtService]),
            T::Properties => {
                self.turn(Turn::Count);
                self.add(Metric::Buildings, &[topic]);
            }
            // "NNN leases: annual rent".
            T::Leases
                if [T::Rent, T::AverageRent, T::MarketRent, T::Walt]
                    .iter()
                    .any(|other| self.has(*other)) =>
            {
                self.drop(&[T::Leases]);
            }
            T::Leases => {
                // "Signed leases yet to start at Mueller Yards": so many.
                let states = [T::NotStarted, T::MonthToMonth, T::Overlapping];
                if !self.turn(Turn::Count) && !states.iter().any(|topic| self.has(*topic)) {
                    return Err(Unclear::Other);
                }
                let metric = self.lease_count();
                let takes: &[Topic] = if metric == Metric::FutureLeases {
                    &[T::Leases, T::NotStarted, T::Signed]
                } else {
                    &[T::Leases, T::MonthToMonth, T::Overlapping]
                };
                self.add(metric, takes);
            }
            // "How many signed leases have not started": the lease decides.
            T::Signed if self.has(T::NotStarted) => {}
            T::MonthToMonth | T::NotStarted | T::Overlapping => {
                let metric = self.lease_count();
                self.turn(Turn::Count);
                self.add(
                    metric,
                    &[
                        T::Leases,
                        T::Units,
                        T::Tenants,
                        T::Signed,
                        T::MonthToMonth,
                        T::NotStarted,
                        T::Overlapping,
                    ],
                );
            }
            T::Walt => {
                let by_area = self.turn(Turn::ByArea);
                let by_rent = self.turn(Turn::ByRent);
                self.drop(&[T::Leases]);
                match (by_area, by_rent) {
                    (true, true) => {
                        self.add(Metric::WaltByRent, &[T::Rent, T::Area]);
                        self.add(Metric::WaltByArea, &[T::Walt]);
                    }
                    (true, false) => self.add(Metric::WaltByArea, &[T::Walt, T::Area]),
                    _ => self.add(Metric::WaltByRent, &[T::Walt, T::Rent]),
                }
            }
            T::Renewal => {
                self.turn(Turn::Share);
                self.turn(Turn::Count);
                self.add(
                    Metric::RenewalRate,
                    &[T::Renewal, T::Leases, T::Expire, T::Tenants],
                );
            }
            T::Rent | T::AverageRent | T::MarketRent => self.rent(),
            T::LossToLease => {
                // It is one of the occupied units anyway.
                self.turn(Turn::OccupiedOnly);
                self.turn(Turn::PerMonth);
                let share = self.turn(Turn::Share);
                let yearly = self.turn(Turn::PerYear) || self.words.turns.contains(&Turn::Annualized);
                let metric = match (share, yearly) {
                    (true, _) => Metric::LossToLeaseShare,
                    (_, true) => Metric::AnnualLossToLease,
                    _ => Metric::LossToLease,
                };
                self.add(metric, &[T::LossToLease, T::Rent, T::MarketRent]);
            }
            T::Value if self.has(T::Equity) => {}
            T::Equity => {
                self.turn(Turn::AllLoans);
                self.add(Metric::Equity, &[T::Equity, T::Value, T::Debt, T::Loan]);
            }
            T::PurchasePrice => self.add(Metric::PurchasePrice, &[T::PurchasePrice]),
            T::Deposits => {
                self.turn(Turn::PerYear);
                self.add(Metric::Deposits, &[T::Deposits, T::Tenants, T::Leases, T::Leased]);
            }
            T::DebtTerm => {
                self.turn(Turn::AllLoans);
                self.turn(Turn::Average);
                self.turn(Turn::PerYear);
                self.add(
                    Metric::DebtTerm,
                    &[T::DebtTerm, T::Debt, T::Loan, T::Mature, T::Maturities],
                );
            }
            T::Value | T::ImpliedCap | T::Cap => self.value()?,
            T::Dscr | T::Ltv | T::DebtYield | T::Debt | T::Owe | T::CostOfDebt => self.debt(topic),
            _ => self.income(topic)?,
        }
        Ok(())
    }
}
