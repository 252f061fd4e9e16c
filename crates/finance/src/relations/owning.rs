//! Relations of an owner's simple calculations: payback, multiples, works, property and income taxes, growing
//! payments.

use crate::fault::{Fault, finite, ratio};
use crate::loan;
use crate::relations::relation::{Form, Relation, form, four, three, two};
use crate::variable::Variable::*;

pub(crate) static OWNING: &[Relation] = &[
    Relation {
        definition: "Present value of payments that grow: first ÷ (r − g) × (1 − ((1+g) ÷ (1+r))^n), the \
                     first after one year.",
        assumption: false,
        forms: &[form!(GrowingValue = "first ÷ (r − g) × (1 − ((1+g) ÷ (1+r))^n)";
                NextFlow, GrowthRate, DiscountRate, PeriodCount; |v| four(v, growing))],
    },
    Relation {
        definition: "Simple payback = cost ÷ saving or income of a year, not discounted.",
        assumption: false,
        forms: &[
            form!(PaybackYears = "cost ÷ saving of a year"; WorksCost, YearlySaving;
                |v| two(v, |cost, saving| ratio(cost, saving, "saving of a year"))),
        ],
    },
    Relation {
        definition: "One receipt after n years: IRR = multiple^(1/n) − 1.",
        assumption: false,
        forms: &[
            form!(ImpliedIrr = "multiple^(1/years) − 1"; ReturnedMultiple, HoldYears;
                |v| two(v, |multiple, years| finite(multiple.powf(1.0 / years) - 1.0))),
        ],
    },
    Relation {
        definition: "Equal receipts at the end of each of n years: IRR = the rate at which n receipts of \
                     multiple ÷ n are worth 1.",
        assumption: false,
        forms: &[
            form!(ImpliedIrr = "rate at which n receipts of multiple ÷ n are worth 1";
                ReturnedMultiple, HoldYears, EvenReturns;
                |v| three(v, |multiple, years, _|
                    finite(loan::annual_rate(1.0, ratio(multiple, years, "number of years")?, years)? / 12.0))),
        ],
    },
    Relation {
        definition: "Equity multiple of a level payout = payout share × years + proceeds ÷ equity.",
        assumption: false,
        forms: &[form!(ProfitMultiple = "payout share × years + proceeds ÷ equity";
                PayoutShare, HoldYears, EquityProceeds, Equity;
                |v| four(v, |share, years, proceeds, equity|
                    finite(share * years + ratio(proceeds, equity, "equity invested")?)))],
    },
    Relation {
        definition: "Profit = total distributions − total contributions.",
        assumption: false,
        forms: &[form!(ProfitSum = "distributions − equity"; Distributions, Equity;
                |v| two(v, |out, paid| finite(out - paid)))],
    },
    Relation {
        definition: "Equity multiple = (equity + profit) ÷ equity.",
        assumption: false,
        forms: &[form!(ProfitMultiple = "1 + profit ÷ equity"; ProfitSum, Equity;
                |v| two(v, |profit, equity| finite(1.0 + ratio(profit, equity, "equity invested")?)))],
    },
    Relation {
        definition: "Promote = sponsor's share × the profit that is left to share.",
        assumption: false,
        forms: &[form!(Promote = "profit × promote"; ProfitSum, PromoteShare;
                |v| two(v, |profit, share| finite(profit * share)))],
    },
    Relation {
        definition: "Property tax of a year = assessed value × tax rate.",
        assumption: false,
        forms: &[
            form!(PropertyTaxBill = "assessed value × tax rate"; AssessedValue, LevyRate;
                |v| two(v, |value, rate| finite(value * rate))),
        ],
    },
    Relation {
        definition: "Tax on depreciation = depreciation × tax rate.",
        assumption: false,
        forms: &[
            form!(DepreciationTax = "depreciation × tax rate"; WrittenOff, LevyRate;
                |v| two(v, |amount, rate| finite(amount * rate))),
        ],
    },
    Relation {
        definition: "Taxable income = NOI − interest − depreciation.",
        assumption: false,
        forms: &[
            form!(TaxableIncome = "NOI − interest − depreciation"; Noi, YearInterestPaid, WrittenOff;
                |v| three(v, |noi, interest, written| finite(noi - interest - written))),
        ],
    },
    Relation {
        definition: "Income tax = taxable income × tax rate.",
        assumption: false,
        forms: &[
            form!(IncomeTax = "taxable income × tax rate"; TaxableIncome, LevyRate;
                |v| two(v, |income, rate| finite(income * rate))),
        ],
    },
    Relation {
        definition: "Cash flow after tax = NOI − interest − principal − income tax.",
        assumption: false,
        forms: &[form!(AfterTaxCash = "NOI − interest − principal − income tax";
                Noi, YearInterestPaid, YearPrincipal, IncomeTax;
                |v| four(v, |noi, interest, principal, tax| finite(noi - interest - principal - tax)))],
    },
    Relation {
        definition: "Adjusted basis = price + improvements − depreciation taken.",
        assumption: false,
        forms: &[
            form!(AdjustedBasis = "price + improvements − depreciation"; Price, CapitalWorks, WrittenOff;
                |v| three(v, |price, works, written| finite(price + works - written))),
        ],
    },
    Relation {
        definition: "Value created net of the cost = value created − cost of the works.",
        assumption: false,
        forms: &[
            form!(NetValueCreated = "value created − cost of the works"; ValueCreated, WorksCost;
                |v| two(v, |value, cost| finite(value - cost))),
        ],
    },
    Relation {
        definition: "Return on the cost = 12 × rent increase ÷ cost per unit.",
        assumption: false,
        forms: &[
            form!(RenovationReturn = "12 × rent increase of a month ÷ cost per unit"; MonthlyUplift, UnitCost;
                |v| two(v, |rent, cost| ratio(12.0 * rent, cost, "cost per unit"))),
        ],
    },
];

fn growing(first: f64, rise: f64, rate: f64, count: f64) -> Result<f64, Fault> {
    let steps = (1.0 + rise) / (1.0 + rate);
    // If the rates are equal, every payment has the same present value.
    if (rate - rise).abs() < 1e-9 {
        return finite(first * count / (1.0 + rate));
    }
    finite(first / (rate - rise) * (1.0 - steps.powf(count)))
}
