//! Distributions of one asset between the limited partners and the sponsor: return of capital, preferred
//! return, catch-up, and any number of tiers by rate of return or multiple.
//!
//! There is one entry per period; contributions are made at its end, after distributions. Does not cover
//! funds with several assets or clawback.

use crate::fault::{Fault, finite, ratio};

/// How the preferred return accrues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accrual {
    /// On unreturned capital only.
    Simple,
    /// On unreturned capital and unpaid preferred return, compounded each period.
    Compounding,
}

/// The order in which a distribution meets the claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    PreferredFirst,
    CapitalFirst,
}

/// When the sponsor participates in the profit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Only after all capital and preferred return have been paid.
    European,
    /// From each period's cash above its preferred return; capital is returned with the last distribution.
    American,
}

/// What the limited partners must have received before a tier ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hurdle {
    /// Rate of return per period.
    Rate(f64),
    /// Receipts ÷ contributions.
    Multiple(f64),
}

/// Cash above the previous hurdle is split this way until this tier's hurdle is met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tier {
    /// `None` in the last tier.
    pub until: Option<Hurdle>,
    /// Share of each dollar that goes to the limited partners.
    pub to_partners: f64,
}

/// After the preferred return, the sponsor gets `to_sponsor` of each dollar until it has `target` of the
/// profit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CatchUp {
    pub to_sponsor: f64,
    pub target: f64,
}

/// The terms of the agreement.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// Share of the capital that the limited partners contribute; capital and preferred return are pari
    /// passu.
    pub partners_share: f64,
    /// Preferred return per period.
    pub preferred: f64,
    pub accrual: Accrual,
    pub order: Order,
    pub style: Style,
    pub catch_up: Option<CatchUp>,
    pub tiers: Vec<Tier>,
}

/// Capital called and cash distributed at the end of one period; the first entry is t = 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Period {
    pub contribution: f64,
    pub distribution: f64,
}

/// The total distributions to each party.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shares {
    pub partners: f64,
    /// Everything the sponsor gets, on its capital and beyond.
    pub sponsor: f64,
    /// The part of it that exceeds the sponsor's pro rata share of capital and preferred return.
    pub promote: f64,
    pub capital_returned: f64,
    pub preferred_paid: f64,
    pub catch_up: f64,
    /// Cash split in each tier.
    pub tiers: Vec<f64>,
    /// Preferred return still owed at the end.
    pub preferred_owed: f64,
    /// Unreturned capital at the end.
    pub capital_owed: f64,
    /// Distributions to the limited partners in each period.
    pub partners_by_period: Vec<f64>,
    pub sponsor_by_period: Vec<f64>,
}

/// The preferred return accrued on `capital` after `periods` without any payment.
///
/// # Errors
/// A rate of -100% or less.
pub fn accrued(capital: f64, rate: f64, periods: f64, accrual: Accrual) -> Result<f64, Fault> {
    match accrual {
        Accrual::Simple => finite(capital * rate * periods),
        Accrual::Compounding => finite(capital * (crate::flows::growth(rate)?.powf(periods) - 1.0)),
    }
}

/// Runs the periods through the agreement.
///
/// # Errors
/// Shares outside 0 to 1, a catch-up that can never catch up, negative amounts.
pub fn run(terms: &Terms, periods: &[Period]) -> Result<Shares, Fault> {
    check(terms, periods)?;
    let mut books = Books::new(terms);
    let last = periods.iter().rposition(|period| period.distribution > 0.0);
    for (at, period) in periods.iter().enumerate() {
        if at > 0 {
            books.accrue();
        }
        books.distribute(period.distribution, Some(at) == last)?;
        books.contribute(period.contribution);
    }
    books.close()
}

fn check(terms: &Terms, periods: &[Period]) -> Result<(), Fault> {
    let share = |value: f64| (0.0..=1.0).contains(&value);
    let shares = share(terms.partners_share) && terms.tiers.iter().all(|tier| share(tier.to_partners));
    if !shares {
        return Err(Fault::OutOfRange {
            what: "share",
            rule: "between 0% and 100%",
        });
    }
    if let Some(up) = terms.catch_up
        && !(share(up.to_sponsor) && share(up.target) && up.to_sponsor > up.target)
    {
        return Err(Fault::OutOfRange {
            what: "sponsor's share in the catch-up",
            rule: "above the share it catches up to",
        });
    }
    if periods
        .iter()
        .any(|period| period.contribution < 0.0 || period.distribution < 0.0)
    {
        return Err(Fault::OutOfRange {
            what: "contribution or distribution",
            rule: "zero or more",
        });
    }
    Ok(())
}

/// The claims during the run.
struct Books<'a> {
    terms: &'a Terms,
    capital: f64,
    owed: f64,
    contributed: f64,
    partners_received: f64,
    /// What the limited partners still need to reach each tier's rate.
    rates: Vec<f64>,
    shares: Shares,
    promote: f64,
}

impl<'a> Books<'a> {
    fn new(terms: &'a Terms) -> Self {
        Self {
            terms,
            capital: 0.0,
            owed: 0.0,
            contributed: 0.0,
            partners_received: 0.0,
            rates: vec![0.0; terms.tiers.len()],
            shares: Shares {
                tiers: vec![0.0; terms.tiers.len()],
                ..Shares::default()
            },
            promote: 0.0,
        }
    }

    fn accrue(&mut self) {
        let base = match self.terms.accrual {
            Accrual::Simple => self.capital,
            Accrual::Compounding => self.capital + self.owed,
        };
        self.owed += base * self.terms.preferred;
        for (open, tier) in self.rates.iter_mut().zip(&self.terms.tiers) {
            if let Some(Hurdle::Rate(rate)) = tier.until {
                *open *= 1.0 + rate;
            }
        }
    }

    fn contribute(&mut self, amount: f64) {
        self.capital += amount;
        self.contributed += amount;
        for open in &mut self.rates {
            *open += amount * self.terms.partners_share;
        }
    }

    fn distribute(&mut self, cash: f64, last: bool) -> Result<(), Fault> {
        let (before, sponsor) = (self.shares.partners, self.shares.sponsor);
        let mut left = cash;
        let returns = self.terms.style == Style::European || last;
        match self.terms.order {
            Order::PreferredFirst => {
                left = self.pay_preferred(left);
                if returns {
                    left = self.pay_capital(left);
                }
            }
            Order::CapitalFirst => {
                if returns {
                    left = self.pay_capital(left);
                }
                left = self.pay_preferred(left);
            }
        }
        left = self.pay_catch_up(left)?;
        self.pay_tiers(left)?;
        self.shares.partners_by_period.push(self.shares.partners - before);
        self.shares.sponsor_by_period.push(self.shares.sponsor - sponsor);
        Ok(())
    }

    /// Books an amount of which the limited partners get `share`.
    fn book(&mut self, amount: f64, share: f64) {
        let partners = amount * share;
        self.shares.partners += partners;
        self.shares.sponsor += amount - partners;
        self.partners_received += partners;
        for open in &mut self.rates {
            *open -= partners;
        }
    }

    fn pay_preferred(&mut self, cash: f64) -> f64 {
        let paid = cash.min(self.owed);
        self.owed -= paid;
        self.shares.preferred_paid += paid;
        self.book(paid, self.terms.partners_share);
        cash - paid
    }

    fn pay_capital(&mut self, cash: f64) -> f64 {
        let paid = cash.min(self.capital);
        self.capital -= paid;
        self.shares.capital_returned += paid;
        self.book(paid, self.terms.partners_share);
        cash - paid
    }

    fn pay_catch_up(&mut self, cash: f64) -> Result<f64, Fault> {
        let Some(up) = self.terms.catch_up else {
            return Ok(cash);
        };
        // promote + to_sponsor·x = target · (profit + x), solved for x.
        let profit =
            self.shares.preferred_paid + self.shares.catch_up + self.shares.tiers.iter().sum::<f64>();
        let need = ratio(
            up.target * profit - self.promote,
            up.to_sponsor - up.target,
            "catch-up beyond its target",
        )?;
        let paid = cash.min(need.max(0.0));
        self.promote += paid * up.to_sponsor;
        self.shares.catch_up += paid;
        self.book(paid, 1.0 - up.to_sponsor);
        Ok(cash - paid)
    }

    fn pay_tiers(&mut self, cash: f64) -> Result<(), Fault> {
        let mut left = cash;
        for (at, tier) in self.terms.tiers.iter().enumerate() {
            let open = match tier.until {
                None => f64::INFINITY,
                Some(Hurdle::Rate(_)) => self.rates.get(at).copied().unwrap_or(0.0),
                Some(Hurdle::Multiple(multiple)) => {
                    multiple * self.contributed * self.terms.partners_share - self.partners_received
                }
            };
            if open <= 0.0 {
                continue;
            }
            // The limited partners reach the hurdle through their share of the cash that is split.
            let room = if open.is_finite() && tier.to_partners > 0.0 {
                open / tier.to_partners
            } else {
                f64::INFINITY
            };
            let paid = left.min(room);
            if let Some(sum) = self.shares.tiers.get_mut(at) {
                *sum += paid;
            }
            self.promote += paid * promote_share(tier.to_partners, self.terms.partners_share);
            self.book(paid, tier.to_partners);
            left -= paid;
            if left <= 0.0 {
                return Ok(());
            }
        }
        if left > 1e-6 {
            return Err(Fault::OutOfRange {
                what: "last tier",
                rule: "without a hurdle, so that all cash finds a receiver",
            });
        }
        Ok(())
    }

    fn close(self) -> Result<Shares, Fault> {
        let mut shares = self.shares;
        shares.promote = self.promote;
        shares.preferred_owed = self.owed;
        shares.capital_owed = self.capital;
        finite(shares.partners)?;
        finite(shares.sponsor)?;
        Ok(shares)
    }
}

/// The share of a split dollar that is promote. The limited partners' part divided by their capital share is
/// the part that goes to capital.
fn promote_share(to_partners: f64, partners_share: f64) -> f64 {
    if partners_share > 0.0 {
        (1.0 - to_partners / partners_share).max(0.0)
    } else {
        0.0
    }
}
