//! Relations of cost and tax: replacement cost, depreciation, exchanges.

use crate::fault::{Fault, finite, ratio};
use crate::relations::relation::{Form, Relation, form, four, three, two};
use crate::tax;
use crate::variable::Variable::*;

pub(crate) static COST: &[Relation] = &[
    Relation {
        definition: "Depreciable basis = price − land; land is never depreciated.",
        assumption: false,
        forms: &[
            form!(DepreciableBasis = "price × (1 − land share)"; Price, LandShare;
                |v| two(v, |price, land| finite(price * (1.0 - land)))),
            form!(DepreciableBasis = "price − land"; Price, LandCost; |v| two(v, |price, land| finite(price - land))),
        ],
    },
    Relation {
        definition: "Depreciable basis = the building's share of the price.",
        assumption: false,
        forms: &[
            form!(DepreciableBasis = "price × building share"; Price, BuildingShare;
                |v| two(v, |price, share| finite(price * share))),
        ],
    },
    Relation {
        definition: "Straight-line depreciation of a full year = depreciable basis ÷ recovery period: 27.5 \
                     years residential, 39 years nonresidential (IRS Publication 946). Not tax advice.",
        assumption: false,
        forms: &[
            form!(Depreciation = "basis ÷ recovery period"; DepreciableBasis, RecoveryYears;
                |v| two(v, tax::annual_depreciation)),
        ],
    },
    Relation {
        definition: "Mid-month convention: the first year counts the months left after the month of service \
                     plus half a month; straight line, 27.5 years residential, 39 years nonresidential (IRS \
                     Publication 946). Not tax advice.",
        assumption: false,
        forms: &[
            form!(YearDepreciation = "basis ÷ recovery period × months counted ÷ 12";
                DepreciableBasis, RecoveryYears, ServiceMonth, TaxYear; |v| four(v, in_year)),
        ],
    },
    Relation {
        definition: "Accumulated depreciation of full years, without the mid-month convention = basis ÷ \
                     recovery period × years. Not tax advice.",
        assumption: false,
        forms: &[
            form!(AccumulatedDepreciation = "basis ÷ recovery period × full years";
                DepreciableBasis, RecoveryYears, FullYears;
                |v| three(v, |basis, life, years| Ok(ratio(basis, life, "recovery period")? * years.min(life)))),
        ],
    },
    Relation {
        definition: "Accumulated depreciation = the sum of the tax years from the first, mid-month \
                     convention; straight line, 27.5 years residential, 39 years nonresidential (IRS \
                     Publication 946). Not tax advice.",
        assumption: false,
        forms: &[form!(AccumulatedDepreciation = "Σ depreciation of the tax years";
                DepreciableBasis, RecoveryYears, ServiceMonth, TaxYears; |v| four(v, accumulated))],
    },
    Relation {
        definition: "Adjusted basis with land = price − accumulated depreciation. Not tax advice.",
        assumption: false,
        forms: &[
            form!(RemainingBasis = "price − accumulated depreciation"; Price, AccumulatedDepreciation;
                |v| two(v, |price, taken| finite(price - taken))),
        ],
    },
    Relation {
        definition: "Realized gain = sale price − selling costs − adjusted basis.",
        assumption: false,
        forms: &[
            form!(RealizedGain = "sale price − selling costs − adjusted basis";
                SalePrice, SellingCosts, AdjustedBasis;
                |v| three(v, |price, costs, basis| finite(price - costs - basis))),
        ],
    },
    Relation {
        definition: "Net debt relief = debt paid off − debt on the replacement − cash added, at least zero.",
        assumption: false,
        forms: &[
            form!(DebtRelief = "debt paid off − new debt − cash added"; OldDebt, NewDebt, CashAdded;
                |v| three(v, |old, new, added| finite(tax::boot(0.0, old, new, added)))),
        ],
    },
    Relation {
        definition: "Boot = cash taken out + net debt relief.",
        assumption: false,
        forms: &[
            form!(Boot = "cash taken out + net debt relief"; CashBoot, DebtRelief;
                |v| two(v, |cash, relief| finite(cash + relief))),
        ],
    },
    Relation {
        definition: "Like-kind exchange: recognized gain = the lesser of the realized gain and the boot, \
                     never below zero. Not tax advice; 45 days to identify, 180 days to close.",
        assumption: false,
        forms: &[
            form!(RecognizedGain = "min(realized gain, boot)"; RealizedGain, Boot;
                |v| two(v, |gain, boot| finite(tax::recognized_gain(gain, boot)))),
        ],
    },
    Relation {
        definition: "Deferred gain = realized gain − recognized gain.",
        assumption: false,
        forms: &[
            form!(DeferredGain = "realized gain − recognized gain"; RealizedGain, RecognizedGain;
                |v| two(v, |gain, now| finite(gain - now))),
        ],
    },
    Relation {
        definition: "Hard cost = hard cost per square foot × area.",
        assumption: false,
        forms: &[
            form!(HardCost = "hard cost per square foot × area"; HardCostPsf, Area;
                |v| two(v, |cost, area| finite(cost * area))),
        ],
    },
    Relation {
        definition: "Soft costs as a share of hard costs.",
        assumption: false,
        forms: &[
            form!(SoftCost = "share × hard costs"; SoftShare, HardCost; |v| two(v, |share, hard| finite(share * hard))),
        ],
    },
    Relation {
        definition: "Replacement cost = (hard + soft + land) × (1 + developer's profit).",
        assumption: false,
        forms: &[form!(ReplacementCost = "(hard + soft + land) × (1 + profit)";
                HardCost, SoftCost, LandCost, ProfitShare;
                |v| four(v, |hard, soft, land, profit| finite((hard + soft + land) * (1.0 + profit))))],
    },
    Relation {
        definition: "Replacement cost per square foot = replacement cost ÷ area; replacement cost = (hard + \
                     soft + land) × (1 + developer's profit).",
        assumption: false,
        forms: &[
            form!(ReplacementPsf = "replacement cost ÷ area"; ReplacementCost, Area;
                |v| two(v, |cost, area| ratio(cost, area, "area"))),
        ],
    },
];

/// Accumulated depreciation from the first tax year to `years`.
fn accumulated(basis: f64, life: f64, month: f64, years: f64) -> Result<f64, Fault> {
    if !(1.0..=100.0).contains(&years) || years.fract() != 0.0 {
        return Err(Fault::OutOfRange {
            what: "number of tax years",
            rule: "a whole number from 1 on",
        });
    }
    (1..=years as u32)
        .map(|year| in_year(basis, life, month, f64::from(year)))
        .sum()
}

fn in_year(basis: f64, years: f64, month: f64, year: f64) -> Result<f64, Fault> {
    if !(1.0..=12.0).contains(&month) || !(1.0..=100.0).contains(&year) {
        return Err(Fault::OutOfRange {
            what: "month or year of service",
            rule: "a month of the year, and year 1 or later",
        });
    }
    tax::depreciation_in_year(basis, years, month as u32, year as u32)
}
