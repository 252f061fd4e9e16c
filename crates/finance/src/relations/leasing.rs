//! Relations of leases and units: steps, net effective rent, loss to lease, vacancy, retention.

use crate::fault::{Fault, finite, ratio};
use crate::lease::{self, Deal};
use crate::relations::relation::{Form, Relation, form, four, one, three, two};
use crate::variable::Variable::*;

pub(crate) static LEASING: &[Relation] = &[
    Relation {
        definition: "Fixed steps: the starting rent × (1 + step)^(steps before that lease year); lease year \
                     1 pays the starting rent.",
        assumption: false,
        forms: &[
            form!(RentPsf = "starting rent × (1 + step)^((lease year − 1) ÷ years between steps, whole steps)";
                BaseRentPsf, RentGrowth, LeaseYear, StepYears; |v| four(v, stepped)),
        ],
    },
    Relation {
        definition: "Fixed steps: the starting rent × (1 + step)^(steps before that lease year); lease year \
                     1 pays the starting rent.",
        assumption: false,
        forms: &[
            form!(AnnualRent = "starting rent × (1 + step)^((lease year − 1) ÷ years between steps, whole steps)";
                BaseAnnualRent, RentGrowth, LeaseYear, StepYears; |v| four(v, stepped)),
        ],
    },
    Relation {
        definition: "Fixed steps: the starting rent × (1 + step)^(steps before that lease year); lease year \
                     1 pays the starting rent.",
        assumption: false,
        forms: &[
            form!(MonthlyRent = "starting rent × (1 + step)^((lease year − 1) ÷ years between steps, whole steps)";
                BaseMonthlyRent, RentGrowth, LeaseYear, StepYears; |v| four(v, stepped)),
        ],
    },
    Relation {
        definition: "Fixed steps in dollars: the starting rent + step × steps before that lease year; lease \
                     year 1 pays the starting rent.",
        assumption: false,
        forms: &[
            form!(AnnualRent = "starting rent + step × steps before that lease year";
                BaseAnnualRent, StepAmount, LeaseYear, StepYears; |v| four(v, raised)),
        ],
    },
    Relation {
        definition: "Fixed steps in dollars: the starting rent + step × steps before that lease year; lease \
                     year 1 pays the starting rent.",
        assumption: false,
        forms: &[
            form!(MonthlyRent = "starting rent + step × steps before that lease year";
                BaseMonthlyRent, StepAmount, LeaseYear, StepYears; |v| four(v, raised)),
        ],
    },
    Relation {
        definition: "Fixed steps in dollars: the starting rent + step × steps before that lease year; lease \
                     year 1 pays the starting rent.",
        assumption: false,
        forms: &[
            form!(RentPsf = "starting rent + step × steps before that lease year";
                BaseRentPsf, StepPsf, LeaseYear, StepYears; |v| four(v, raised)),
        ],
    },
    Relation {
        definition: "Total rent of the term = the sum of the annual rents, each year's stepped from the first.",
        assumption: false,
        forms: &[
            form!(TotalRent = "Σ annual rent of each lease year";
                BaseAnnualRent, RentGrowth, LeaseYears, StepYears;
                |v| four(v, |base, rise, years, every| total(years, |year| stepped(base, rise, year, every)))),
            form!(TotalRent = "12 × Σ monthly rent of each lease year";
                BaseMonthlyRent, StepAmount, LeaseYears, StepYears;
                |v| four(v, |base, step, years, every|
                    total(years, |year| raised(12.0 * base, 12.0 * step, year, every)))),
            form!(TotalRent = "Σ annual rent of each lease year";
                BaseAnnualRent, StepAmount, LeaseYears, StepYears;
                |v| four(v, |base, step, years, every| total(years, |year| raised(base, step, year, every)))),
        ],
    },
    Relation {
        definition: "Annual rent = rent per square foot × area.",
        assumption: false,
        forms: &[
            form!(AnnualRent = "rent per square foot × area"; RentPsf, Area;
                |v| two(v, |rent, area| finite(rent * area))),
            form!(BaseAnnualRent = "starting rent per square foot × area"; BaseRentPsf, Area;
                |v| two(v, |rent, area| finite(rent * area))),
        ],
    },
    Relation {
        definition: "Annual rent = 12 monthly rents.",
        assumption: false,
        forms: &[
            form!(AnnualRent = "12 × monthly rent"; MonthlyRent; |v| one(v, |rent| finite(12.0 * rent))),
            form!(MonthlyRent = "annual rent ÷ 12"; AnnualRent; |v| one(v, |rent| finite(rent / 12.0))),
            form!(BaseAnnualRent = "12 × starting monthly rent"; BaseMonthlyRent;
                |v| one(v, |rent| finite(12.0 * rent))),
        ],
    },
    Relation {
        definition: "Improvements and commissions are spread over the area.",
        assumption: false,
        forms: &[
            form!(ImprovementPsf = "tenant improvements ÷ area"; Improvement, Area;
                |v| two(v, |sum, area| ratio(sum, area, "area"))),
            form!(Improvement = "improvements per square foot × area"; ImprovementPsf, Area;
                |v| two(v, |rent, area| finite(rent * area))),
            form!(CommissionPsf = "commission ÷ area"; Commission, Area;
                |v| two(v, |sum, area| ratio(sum, area, "area"))),
            form!(Commission = "commission per square foot × area"; CommissionPsf, Area;
                |v| two(v, |rent, area| finite(rent * area))),
        ],
    },
    Relation {
        definition: "A commission in percent is taken of all rents of the term after free rent.",
        assumption: false,
        forms: &[
            form!(CommissionPsf = "share × rents of the term";
                CommissionShare, BaseRentPsf, RentGrowth, LeaseYears, FreeMonths; commission),
            form!(Commission = "share × rents of the term";
                CommissionShare, BaseAnnualRent, RentGrowth, LeaseYears, FreeMonths; commission),
        ],
    },
    Relation {
        definition: "Net effective rent, undiscounted = (all rents − free rent − tenant improvements − \
                     commission) ÷ years of the term; free months come first.",
        assumption: false,
        forms: &[
            form!(NetEffectiveRent = "(sum of rents − free rent − improvements − commission) ÷ years";
                BaseRentPsf, RentGrowth, LeaseYears, FreeMonths, ImprovementPsf, CommissionPsf;
                |v| effective(v, None)),
            form!(NetEffectiveAnnual = "(sum of rents − free rent − improvements − commission) ÷ years";
                BaseAnnualRent, RentGrowth, LeaseYears, FreeMonths, Improvement, Commission;
                |v| effective(v, None)),
            form!(NetEffectiveRent = "(sum of rents − free rent − improvements − commission) ÷ years";
                BaseRentPsf, RentGrowth, LeaseYears, FreeMonths, ImprovementPsf, CommissionPsf, StepYears;
                spaced),
            form!(NetEffectiveAnnual = "(sum of rents − free rent − improvements − commission) ÷ years";
                BaseAnnualRent, RentGrowth, LeaseYears, FreeMonths, Improvement, Commission, StepYears; spaced),
            form!(NetEffectiveAnnual =
                "(sum of rents − free rent − improvements − commission − cash concessions) ÷ years";
                BaseAnnualRent, RentGrowth, LeaseYears, FreeMonths, Improvement, Commission, CashConcession;
                conceded),
        ],
    },
    Relation {
        definition: "Net effective rent, discounted = the level monthly payment in arrears with the same \
                     present value as the lease, times twelve; improvements and commission fall at the \
                     start, the rate is nominal per year.",
        assumption: false,
        forms: &[
            form!(NetEffectiveRent = "12 × the level monthly payment in arrears with the same present value";
                BaseRentPsf, RentGrowth, LeaseYears, FreeMonths, ImprovementPsf, CommissionPsf, DiscountRate;
                discounted),
            form!(NetEffectiveAnnual = "12 × the level monthly payment in arrears with the same present value";
                BaseAnnualRent, RentGrowth, LeaseYears, FreeMonths, Improvement, Commission, DiscountRate;
                discounted),
        ],
    },
    Relation {
        definition: "Net effective rent, discounted, of rent that is paid once a year = the level payment at \
                     each year end with the same present value as the lease; improvements and commission \
                     fall at the start.",
        assumption: false,
        forms: &[
            form!(NetEffectiveRent = "the level payment at each year end with the same present value";
                BaseRentPsf, RentGrowth, LeaseYears, FreeMonths, ImprovementPsf, CommissionPsf, DiscountRate,
                YearEndRent;
                discounted_yearly),
            form!(NetEffectiveAnnual = "the level payment at each year end with the same present value";
                BaseAnnualRent, RentGrowth, LeaseYears, FreeMonths, Improvement, Commission, DiscountRate, YearEndRent;
                discounted_yearly),
        ],
    },
    Relation {
        definition: "Loss to lease = market rent − contract rent over the occupied units, per month.",
        assumption: false,
        forms: &[
            form!(LossToLease = "(market rent − contract rent) × occupied units";
                MarketRent, ContractRent, OccupiedUnits;
                |v| three(v, |market, contract, units| finite((market - contract) * units))),
        ],
    },
    Relation {
        definition: "Net effective rent per month = a twelfth of that per year.",
        assumption: false,
        forms: &[
            form!(NetEffectiveMonthly = "net effective rent per year ÷ 12"; NetEffectiveAnnual;
                |v| one(v, |rent| finite(rent / 12.0))),
        ],
    },
    Relation {
        definition: "Annual loss to lease = (market rent − contract rent) over the occupied units, times 12.",
        assumption: false,
        forms: &[
            form!(AnnualLossToLease = "12 × loss to lease per month"; LossToLease;
                |v| one(v, |loss| finite(12.0 * loss))),
        ],
    },
    Relation {
        definition: "Leases renewed = leases that ended − leases not renewed.",
        assumption: false,
        forms: &[
            form!(RenewedLeases = "ended − not renewed"; ExpiringLeases, DepartedLeases;
                |v| two(v, |ended, left| finite(ended - left))),
        ],
    },
    Relation {
        definition: "Loss to lease in percent = (market rent − contract rent) ÷ market rent.",
        assumption: false,
        forms: &[
            form!(LossToLeaseShare = "(market rent − contract rent) ÷ market rent"; MarketRent, ContractRent;
                |v| two(v, |market, contract| ratio(market - contract, market, "market rent"))),
        ],
    },
    Relation {
        definition: "Gross potential rent = units × average monthly rent × 12.",
        assumption: false,
        forms: &[
            form!(Gpr = "units × average monthly rent × 12"; TotalUnits, AverageRent;
                |v| two(v, |units, rent| finite(units * rent * 12.0))),
        ],
    },
    Relation {
        definition: "Vacancy = vacant units ÷ rentable units = 1 − physical occupancy.",
        assumption: false,
        forms: &[
            form!(Vacancy = "vacant units ÷ total units"; VacantUnits, TotalUnits;
                |v| two(v, |vacant, all| ratio(vacant, all, "number of units"))),
            form!(OccupiedUnits = "total units − vacant units"; TotalUnits, VacantUnits;
                |v| two(v, |all, vacant| finite(all - vacant))),
            form!(VacantUnits = "total units − occupied units"; TotalUnits, OccupiedUnits;
                |v| two(v, |all, occupied| finite(all - occupied))),
        ],
    },
    Relation {
        definition: "Retention = leases renewed ÷ leases that ended in the period.",
        assumption: false,
        forms: &[
            form!(Retention = "renewed ÷ ended"; RenewedLeases, ExpiringLeases;
                |v| two(v, |renewed, ended| ratio(renewed, ended, "number of leases that ended"))),
        ],
    },
];

fn stepped(base: f64, rise: f64, year: f64, every: f64) -> Result<f64, Fault> {
    lease::stepped(base, rise, whole_number(year)?, whole_number(every)?)
}

fn whole_number(value: f64) -> Result<u32, Fault> {
    if (1.0..=1000.0).contains(&value) && value.fract() == 0.0 {
        Ok(value as u32)
    } else {
        Err(Fault::OutOfRange {
            what: "lease year",
            rule: "a whole number from 1 on",
        })
    }
}

fn deal(v: &[f64]) -> Result<Deal, Fault> {
    if let &[rent, rise, years, free_months, improvements, commission, ..] = v {
        Ok(Deal {
            rent,
            rise,
            years,
            free_months,
            improvements,
            commission,
        })
    } else {
        Err(Fault::NotFinite)
    }
}

fn effective(v: &[f64], rate: Option<f64>) -> Result<f64, Fault> {
    let deal = deal(v)?;
    match rate {
        Some(rate) => lease::net_effective_present(&deal, rate),
        None => lease::net_effective(&deal),
    }
}

/// Cash concessions are spread over the years of the term.
fn conceded(v: &[f64]) -> Result<f64, Fault> {
    let concession = *v.last().ok_or(Fault::NotFinite)?;
    let years = *v.get(2).ok_or(Fault::NotFinite)?;
    finite(effective(v, None)? - ratio(concession, years, "lease term")?)
}

/// Rent with a step after every so many years.
fn spaced(v: &[f64]) -> Result<f64, Fault> {
    lease::net_effective_stepped(&deal(v)?, whole_number(*v.last().ok_or(Fault::NotFinite)?)?)
}

fn discounted_yearly(v: &[f64]) -> Result<f64, Fault> {
    let &[rent, rise, years, free_months, improvements, commission, rate, _] = v else {
        return Err(Fault::NotFinite);
    };
    let deal = Deal {
        rent,
        rise,
        years,
        free_months,
        improvements,
        commission,
    };
    lease::net_effective_yearly(&deal, rate)
}

fn discounted(v: &[f64]) -> Result<f64, Fault> {
    effective(v, Some(*v.last().ok_or(Fault::NotFinite)?))
}

/// A share of the rents, without deducting improvements or commission.
fn commission(v: &[f64]) -> Result<f64, Fault> {
    let &[share, rent, rise, years, free_months] = v else {
        return Err(Fault::NotFinite);
    };
    let plain = Deal {
        rent,
        rise,
        years,
        free_months,
        improvements: 0.0,
        commission: 0.0,
    };
    finite(share * lease::net_effective(&plain)? * years)
}

/// Rent of a lease year after steps of a fixed amount.
fn raised(base: f64, step: f64, year: f64, every: f64) -> Result<f64, Fault> {
    let steps = ((year - 1.0) / every).floor();
    if steps < 0.0 || !steps.is_finite() {
        return Err(Fault::OutOfRange {
            what: "lease year",
            rule: "1 or later",
        });
    }
    finite(base + step * steps)
}

/// The sum over the whole years of a term.
fn total(years: f64, rent: impl Fn(f64) -> Result<f64, Fault>) -> Result<f64, Fault> {
    if years.fract() != 0.0 || !(1.0..=100.0).contains(&years) {
        return Err(Fault::OutOfRange {
            what: "lease term",
            rule: "a whole number of years from 1 to 100",
        });
    }
    (1..=years as u32).map(|year| rent(f64::from(year))).sum()
}
