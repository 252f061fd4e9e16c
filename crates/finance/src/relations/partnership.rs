//! Relations of prepayment and of partnerships with one distribution.

use crate::fault::{Fault, finite};
use crate::prepayment::{self, Prepaid};
use crate::relations::relation::{Form, Relation, form, four, three, two};
use crate::variable::Variable::*;
use crate::waterfall::{self, Accrual, CatchUp, Hurdle, Order, Period, Style, Terms, Tier};

pub(crate) static PARTNERSHIP: &[Relation] = &[
    Relation {
        definition: "Yield maintenance = the larger of: present value of the remaining payments and the \
                     balloon, discounted monthly at the stated yield, less the balance; and the minimum \
                     share of the balance. Wording differs from loan to loan.",
        assumption: false,
        forms: &[
            form!(YieldMaintenance = "max(PV of remaining payments and balloon − balance, minimum × balance)";
                Loan, Rate, Payments, TermMonths, Paid, Treasury, FloorShare; |v| maintenance(v, true)),
            form!(YieldMaintenance = "max(PV of remaining interest and the balance − balance, minimum × balance)";
                Loan, Rate, RemainingMonths, Treasury, FloorShare, InterestOnly; |v| maintenance(v, false)),
        ],
    },
    Relation {
        definition: "Payments made: those of the term less those left.",
        assumption: false,
        forms: &[
            form!(Paid = "term − months left"; TermMonths, RemainingMonths;
                |v| two(v, |term, left| finite(term - left))),
            form!(RemainingMonths = "term − payments made"; TermMonths, Paid;
                |v| two(v, |term, paid| finite(term - paid))),
        ],
    },
    Relation {
        definition: "Prepayment premium = its percentage × the balance repaid.",
        assumption: false,
        forms: &[
            form!(Premium = "percentage × balance"; PremiumShare, Loan; |v| two(v, |share, loan| finite(share * loan))),
        ],
    },
    Relation {
        definition: "Preferred return that compounds annually, nothing paid along the way: capital × ((1 + \
                     rate)^years − 1).",
        assumption: false,
        forms: &[
            form!(AccruedPref = "capital × ((1 + rate)^years − 1)"; Capital, PrefRate, PrefYears;
                |v| three(v, |capital, rate, years| waterfall::accrued(capital, rate, years, Accrual::Compounding))),
        ],
    },
    Relation {
        definition: "Simple preferred return, nothing paid along the way: capital × rate × years.",
        assumption: false,
        forms: &[
            form!(AccruedPref = "capital × rate × years"; Capital, PrefRate, PrefYears, SimplePref;
                |v| four(v, |capital, rate, years, _| waterfall::accrued(capital, rate, years, Accrual::Simple))),
        ],
    },
    Relation {
        definition: "Single distribution, European: capital and preferred return back first, pro rata; then \
                     the rest by the split.",
        assumption: false,
        forms: &[
            form!(PartnersDistribution =
                "capital and preferred return pro rata, then the limited partners' share of the rest";
                Capital, PartnersShare, PrefRate, PrefYears, Proceeds, ResidualShare;
                |v| split(v, Kind::Plain, false, Take::Partners)),
            form!(SponsorDistribution = "capital and preferred return pro rata, then the sponsor's share of the rest";
                Capital, PartnersShare, PrefRate, PrefYears, Proceeds, ResidualShare;
                |v| split(v, Kind::Plain, false, Take::Sponsor)),
            form!(Promote = "the sponsor's part of the rest beyond its capital share";
                Capital, PartnersShare, PrefRate, PrefYears, Proceeds, ResidualShare;
                |v| split(v, Kind::Plain, false, Take::Promote)),
            form!(PartnersDistribution =
                "capital and preferred return pro rata, then the limited partners' share of the rest";
                Capital, PartnersShare, PrefRate, PrefYears, Proceeds, ResidualShare, SimplePref;
                |v| split(v, Kind::Plain, true, Take::Partners)),
            form!(SponsorDistribution = "capital and preferred return pro rata, then the sponsor's share of the rest";
                Capital, PartnersShare, PrefRate, PrefYears, Proceeds, ResidualShare, SimplePref;
                |v| split(v, Kind::Plain, true, Take::Sponsor)),
            form!(Promote = "the sponsor's part of the rest beyond its capital share";
                Capital, PartnersShare, PrefRate, PrefYears, Proceeds, ResidualShare, SimplePref;
                |v| split(v, Kind::Plain, true, Take::Promote)),
        ],
    },
    Relation {
        definition: "Single distribution, European: capital and preferred return back first, pro rata; a \
                     catch-up to the sponsor, then the rest by the split.",
        assumption: false,
        forms: &[
            form!(PartnersDistribution =
                "capital and preferred return pro rata, then the limited partners' share of the rest";
                Capital, PartnersShare, PrefRate, PrefYears, Proceeds, ResidualShare, CatchUpShare, PromoteShare;
                |v| split(v, Kind::CatchUp, false, Take::Partners)),
            form!(SponsorDistribution = "capital and preferred return pro rata, then the sponsor's share of the rest";
                Capital, PartnersShare, PrefRate, PrefYears, Proceeds, ResidualShare, CatchUpShare, PromoteShare;
                |v| split(v, Kind::CatchUp, false, Take::Sponsor)),
            form!(Promote = "the sponsor's part of the rest beyond its capital share";
                Capital, PartnersShare, PrefRate, PrefYears, Proceeds, ResidualShare, CatchUpShare, PromoteShare;
                |v| split(v, Kind::CatchUp, false, Take::Promote)),
            form!(PartnersDistribution =
                "capital and preferred return pro rata, then the limited partners' share of the rest";
                Capital, PartnersShare, PrefRate, PrefYears, Proceeds, ResidualShare, CatchUpShare,
                PromoteShare, SimplePref;
                |v| split(v, Kind::CatchUp, true, Take::Partners)),
            form!(SponsorDistribution = "capital and preferred return pro rata, then the sponsor's share of the rest";
                Capital, PartnersShare, PrefRate, PrefYears, Proceeds, ResidualShare, CatchUpShare,
                PromoteShare, SimplePref;
                |v| split(v, Kind::CatchUp, true, Take::Sponsor)),
            form!(Promote = "the sponsor's part of the rest beyond its capital share";
                Capital, PartnersShare, PrefRate, PrefYears, Proceeds, ResidualShare, CatchUpShare,
                PromoteShare, SimplePref;
                |v| split(v, Kind::CatchUp, true, Take::Promote)),
        ],
    },
    Relation {
        definition: "Single distribution, European: capital and preferred return back first, pro rata; the \
                     first split up to the second hurdle, then the rest by the split.",
        assumption: false,
        forms: &[
            form!(PartnersDistribution =
                "capital and preferred return pro rata, then the limited partners' share of the rest";
                Capital, PartnersShare, PrefRate, PrefYears, Proceeds, ResidualShare, HurdleRate, SecondShare;
                |v| split(v, Kind::Hurdle, false, Take::Partners)),
            form!(SponsorDistribution = "capital and preferred return pro rata, then the sponsor's share of the rest";
                Capital, PartnersShare, PrefRate, PrefYears, Proceeds, ResidualShare, HurdleRate, SecondShare;
                |v| split(v, Kind::Hurdle, false, Take::Sponsor)),
            form!(Promote = "the sponsor's part of the rest beyond its capital share";
                Capital, PartnersShare, PrefRate, PrefYears, Proceeds, ResidualShare, HurdleRate, SecondShare;
                |v| split(v, Kind::Hurdle, false, Take::Promote)),
            form!(PartnersDistribution =
                "capital and preferred return pro rata, then the limited partners' share of the rest";
                Capital, PartnersShare, PrefRate, PrefYears, Proceeds, ResidualShare, HurdleRate, SecondShare,
                SimplePref;
                |v| split(v, Kind::Hurdle, true, Take::Partners)),
            form!(SponsorDistribution = "capital and preferred return pro rata, then the sponsor's share of the rest";
                Capital, PartnersShare, PrefRate, PrefYears, Proceeds, ResidualShare, HurdleRate, SecondShare,
                SimplePref;
                |v| split(v, Kind::Hurdle, true, Take::Sponsor)),
            form!(Promote = "the sponsor's part of the rest beyond its capital share";
                Capital, PartnersShare, PrefRate, PrefYears, Proceeds, ResidualShare, HurdleRate, SecondShare,
                SimplePref;
                |v| split(v, Kind::Hurdle, true, Take::Promote)),
        ],
    },
];

fn maintenance(v: &[f64], amortizing: bool) -> Result<f64, Fault> {
    let terms = match *v {
        [loan, rate, months, term, paid, discount, floor] if amortizing => Prepaid {
            loan,
            rate,
            amortization: Some(months),
            term,
            paid,
            discount,
            floor,
        },
        [loan, rate, left, discount, floor, _] => Prepaid {
            loan,
            rate,
            amortization: None,
            term: left,
            paid: 0.0,
            discount,
            floor,
        },
        _ => return Err(Fault::NotFinite),
    };
    Ok(prepayment::yield_maintenance(&terms)?.premium)
}

/// What applies after the preferred return.
#[derive(Clone, Copy)]
enum Kind {
    Plain,
    CatchUp,
    Hurdle,
}

#[derive(Clone, Copy)]
enum Take {
    Partners,
    Sponsor,
    Promote,
}

fn split(v: &[f64], kind: Kind, simple: bool, take: Take) -> Result<f64, Fault> {
    let &[capital, partners_share, preferred, years, cash, residual, ..] = v else {
        return Err(Fault::NotFinite);
    };
    if years.fract() != 0.0 || !(1.0..=100.0).contains(&years) {
        return Err(Fault::OutOfRange {
            what: "number of years",
            rule: "a whole number from 1 to 100",
        });
    }
    let extra = |at: usize| v.get(at).copied().ok_or(Fault::NotFinite);
    let last = |to_partners| Tier {
        until: None,
        to_partners,
    };
    let (catch_up, tiers) = match kind {
        Kind::Plain => (None, vec![last(residual)]),
        Kind::CatchUp => (
            Some(CatchUp {
                to_sponsor: extra(6)?,
                target: extra(7)?,
            }),
            vec![last(residual)],
        ),
        Kind::Hurdle => (
            None,
            vec![
                Tier {
                    until: Some(Hurdle::Rate(extra(6)?)),
                    to_partners: residual,
                },
                last(extra(7)?),
            ],
        ),
    };
    let mut periods = vec![Period::default(); years as usize + 1];
    if let Some(first) = periods.first_mut() {
        first.contribution = capital;
    }
    if let Some(end) = periods.last_mut() {
        end.distribution = cash;
    }
    let shares = waterfall::run(
        &Terms {
            partners_share,
            preferred,
            accrual: if simple {
                Accrual::Simple
            } else {
                Accrual::Compounding
            },
            order: Order::PreferredFirst,
            style: Style::European,
            catch_up,
            tiers,
        },
        &periods,
    )?;
    Ok(match take {
        Take::Partners => shares.partners,
        Take::Sponsor => shares.sponsor,
        Take::Promote => shares.promote,
    })
}
