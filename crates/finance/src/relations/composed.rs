//! Relations that join the others into what people ask for in one go, and readings of one quantity as another.
//!
//! Only `graph::compose` uses them. A reading is an assumption, so the steps name it.

use crate::fault::{finite, ratio};
use crate::flows::growth;
use crate::loan;
use crate::relations::relation::{Form, Relation, form, four, one, three, two};
use crate::variable::Variable::*;

/// A relation that takes one quantity for another.
macro_rules! reading {
    ($definition:literal; $($output:ident = $formula:literal; $input:ident),+) => {
        Relation {
            definition: $definition,
            assumption: true,
            forms: &[$(form!($output = $formula; $input; |v| one(v, finite))),+],
        }
    };
}

pub(crate) static COMPOSED: &[Relation] = &[
    Relation {
        definition: "Gross potential rent = units × market rent × 12.",
        assumption: true,
        forms: &[form!(Gpr = "units × market rent × 12"; TotalUnits, MarketRent;
                |v| two(v, |units, rent| finite(units * rent * 12.0)))],
    },
    Relation {
        definition: "Other income in percent is taken of gross potential rent.",
        assumption: false,
        forms: &[
            form!(OtherIncome = "share × gross potential rent"; OtherIncomeShare, Gpr;
                |v| two(v, |share, rent| finite(share * rent))),
        ],
    },
    Relation {
        definition: "Preferred return compounded m times a year: capital × ((1 + rate ÷ m)^(m × years) − 1).",
        assumption: false,
        forms: &[form!(AccruedPref = "capital × ((1 + rate ÷ m)^(m × years) − 1)";
                Capital, PrefRate, PrefYears, Compounding;
                |v| four(v, |capital, rate, years, m|
                    finite(capital * (growth(ratio(rate, m, "number of periods")?)?.powf(m * years) - 1.0))))],
    },
    Relation {
        definition: "Penalty as a share = prepayment premium ÷ old balance.",
        assumption: false,
        forms: &[
            form!(RefinancingPenalty = "premium ÷ old balance"; Premium, Payoff;
                |v| two(v, |premium, balance| ratio(premium, balance, "loan payoff"))),
        ],
    },
    Relation {
        definition: "Costs of refinancing in percent are taken of the new loan.",
        assumption: false,
        forms: &[
            form!(RefinancingCosts = "share × new loan"; FeePoints, RefinancedLoan;
                |v| two(v, |share, loan| finite(share * loan))),
        ],
    },
    Relation {
        definition: "Economic occupancy = net rental income ÷ gross potential rent.",
        assumption: false,
        forms: &[
            form!(EconomicOccupancy = "net rental income ÷ gross potential rent"; NetRentalIncome, Gpr;
                |v| two(v, |income, rent| ratio(income, rent, "gross potential rent"))),
            form!(NetRentalIncome = "economic occupancy × gross potential rent"; EconomicOccupancy, Gpr;
                |v| two(v, |occupancy, rent| finite(occupancy * rent))),
        ],
    },
    Relation {
        definition: "Second value = first value × (1 + change).",
        assumption: false,
        forms: &[
            form!(SecondValue = "first value × (1 + change)"; FirstValue, ValueChange;
                |v| two(v, |first, change| finite(first * (1.0 + change)))),
        ],
    },
    Relation {
        definition: "EGI = potential gross income − vacancy.",
        assumption: true,
        forms: &[form!(Egi = "potential gross income − vacancy"; Pgi, VacancyLoss;
                |v| two(v, |income, loss| finite(income - loss)))],
    },
    Relation {
        definition: "EGI = NOI ÷ (1 − operating expenses as a share of EGI).",
        assumption: false,
        forms: &[form!(Egi = "NOI ÷ (1 − expense share)"; Noi, OpexShare;
                |v| two(v, |noi, share| ratio(noi, 1.0 - share, "share of EGI that is left")))],
    },
    Relation {
        definition: "Gross potential rent needed = EGI ÷ (1 − vacancy), EGI = NOI ÷ (1 − expense share) or NOI + \
                     operating expenses.",
        assumption: false,
        forms: &[
            form!(RequiredRent = "NOI ÷ (1 − expense share) ÷ (1 − vacancy)"; Noi, OpexShare, VacancyShare;
                |v| three(v, |noi, share, vacancy|
                    ratio(noi, (1.0 - share) * (1.0 - vacancy), "share of the rent that is left"))),
            form!(RequiredRent = "(NOI + operating expenses) ÷ (1 − vacancy)"; Noi, Opex, VacancyShare;
                |v| three(v, |noi, opex, vacancy| ratio(noi + opex, 1.0 - vacancy, "share of the rent that is left"))),
        ],
    },
    Relation {
        definition: "Down payment = share × price; loan = price − down payment.",
        assumption: false,
        forms: &[
            form!(DownPayment = "share × price"; DownShare, Price; |v| two(v, |share, price| finite(share * price))),
            form!(Loan = "price − down payment"; Price, DownPayment; |v| two(v, |price, down| finite(price - down))),
        ],
    },
    Relation {
        definition: "Equity = price + closing costs + works − loan.",
        assumption: false,
        forms: &[
            form!(Equity = "price + closing costs + works − loan"; Price, ClosingCosts, WorksCost, Loan;
                |v| four(v, |price, costs, works, loan| finite(price + costs + works - loan))),
        ],
    },
    Relation {
        definition: "Equity = price + works − loan: no closing costs are given.",
        assumption: true,
        forms: &[form!(Equity = "price + works − loan"; Price, WorksCost, Loan;
                |v| three(v, |price, works, loan| finite(price + works - loan)))],
    },
    Relation {
        definition: "Total project cost of a purchase = price + closing costs + works.",
        assumption: false,
        forms: &[
            form!(TotalCost = "price + closing costs + works"; Price, ClosingCosts, WorksCost;
                |v| three(v, |price, costs, works| finite(price + costs + works))),
        ],
    },
    Relation {
        definition: "Total project cost of a purchase, as far as its parts are given.",
        assumption: true,
        forms: &[
            form!(TotalCost = "price + works"; Price, WorksCost; |v| two(v, |price, works| finite(price + works))),
            form!(TotalCost = "price + closing costs"; Price, ClosingCosts;
                |v| two(v, |price, costs| finite(price + costs))),
        ],
    },
    Relation {
        definition: "Cost of works = cost per unit × units.",
        assumption: false,
        forms: &[
            form!(WorksCost = "cost per unit × units"; UnitCost, TotalUnits;
                |v| two(v, |cost, units| finite(cost * units))),
            form!(UnitCost = "cost of the works ÷ units"; WorksCost, TotalUnits;
                |v| two(v, |cost, units| ratio(cost, units, "number of units"))),
        ],
    },
    Relation {
        definition: "New rent = old rent × (1 + increase).",
        assumption: false,
        forms: &[form!(NewRent = "old rent × (1 + increase)"; OldRent, TradeOut;
                |v| two(v, |rent, rise| finite(rent * (1.0 + rise))))],
    },
    Relation {
        definition: "The sale price is the purchase price grown by the rate for the years held.",
        assumption: true,
        forms: &[
            form!(SalePrice = "price × (1 + growth)^years held"; Price, GrowthRate, HoldYears;
                |v| three(v, |price, rise, years| finite(price * growth(rise)?.powf(years)))),
        ],
    },
    Relation {
        definition: "Selling costs = share × gross sale price.",
        assumption: false,
        forms: &[
            form!(SellingCosts = "share × sale price"; SaleCostShare, SalePrice;
                |v| two(v, |share, price| finite(share * price))),
        ],
    },
    Relation {
        definition: "The loan is repaid at the sale with its balance.",
        assumption: true,
        forms: &[
            form!(Payoff = "loan balance"; Balance; |v| one(v, finite)),
            form!(HeldYears = "holding period"; HoldYears; |v| one(v, finite)),
        ],
    },
    Relation {
        definition: "The shares of the capital add up to the whole.",
        assumption: false,
        forms: &[
            form!(PartnersShare = "1 − sponsor's share"; SponsorShare; |v| one(v, |share| finite(1.0 - share))),
            form!(PartnersShare = "limited partners' capital ÷ both capitals"; PartnersCapital, SponsorCapital;
                |v| two(v, |partners, sponsor| ratio(partners, partners + sponsor, "capital"))),
            form!(Capital = "limited partners' capital + sponsor's capital"; PartnersCapital, SponsorCapital;
                |v| two(v, |partners, sponsor| finite(partners + sponsor))),
        ],
    },
    Relation {
        definition: "Above the preferred return the sponsor gets its promote, the rest goes pro rata.",
        assumption: true,
        forms: &[
            form!(ResidualShare = "(1 − promote) × limited partners' share of the capital";
                PromoteShare, PartnersShare; |v| two(v, |promote, share| finite((1.0 - promote) * share))),
        ],
    },
    Relation {
        definition: "Allowance repaid in level monthly payments, per square foot and year: 12 × amount × i ÷ (1 − \
                     (1+i)^−n), i = annual rate ÷ 12.",
        assumption: false,
        forms: &[
            form!(AllowanceRent = "12 × amount × i ÷ (1 − (1+i)^−n)"; AllowancePsf, Rate, AllowanceMonths;
                |v| three(v, |amount, rate, months| finite(12.0 * loan::payment(amount, rate, months)?))),
        ],
    },
    reading!("The price is taken to be the value."; Price = "value"; Value),
    reading!("The NOI is taken to be that of the first year.";
        FirstNoi = "NOI"; Noi, Noi = "NOI of the first year"; FirstNoi),
    reading!("The stabilized NOI is taken as the NOI.";
        Noi = "stabilized NOI"; CompletedNoi, CompletedNoi = "NOI"; Noi),
    reading!("The cap rate given is taken for the valuation.";
        CompletedCap = "cap rate"; CapRate, CompletedCap = "market cap rate"; MarketCap,
        CapRate = "market cap rate"; MarketCap, CapRate = "cap rate of the valuation"; CompletedCap),
    reading!("Total project cost and development cost are taken as the same.";
        BuildCost = "total project cost"; TotalCost, TotalCost = "development cost"; BuildCost),
    reading!("The value is taken as the value on completion."; CompletedValue = "value"; Value),
    reading!("The growth given is taken for the NOI."; NoiGrowth = "annual growth"; GrowthRate),
    reading!("The increase given is taken for each step of the rent."; RentGrowth = "annual growth"; GrowthRate),
    reading!("The gross rent is taken as the gross potential rent.";
        Gpr = "gross rent"; GrossRent, GrossRent = "gross potential rent"; Gpr),
    reading!("Vacancy is taken as the share of the rent.";
        VacancyShare = "vacancy rate"; Vacancy, VacancyShare = "vacant share"; VacantShare,
        VacantShare = "vacancy"; Vacancy, VacantShare = "vacancy"; VacancyShare),
    reading!("The occupancy is taken as the occupied share.";
        OccupiedShare = "physical occupancy"; PhysicalOccupancy, PhysicalOccupancy = "occupied share"; OccupiedShare),
    reading!("The expense ratio is taken as the share of EGI."; OpexShare = "operating expense ratio"; OpexRatio),
    reading!("The rent of the term is taken as the rent that the share is of."; WholeRent = "total rent"; TotalRent),
    reading!("The area given is taken as the area of the premises.";
        PoolArea = "area"; Area, TenantArea = "area"; Area, Area = "tenant's area"; TenantArea,
        Area = "area that shares the costs"; PoolArea, Area = "rentable area"; TotalArea,
        TotalArea = "area"; Area, Area = "rentable area of the premises"; RentableArea),
    reading!("The rent given is taken as the rent of the lease.";
        PassingMonthly = "starting monthly rent"; BaseMonthlyRent, BaseMonthlyRent = "rent per month"; PassingMonthly,
        PassingPsf = "starting rent per square foot"; BaseRentPsf,
        PassingAnnual = "starting annual rent"; BaseAnnualRent),
    reading!("The rate given is taken for each period, and a period as a year.";
        PeriodicRate = "discount rate"; DiscountRate, PeriodicRate = "annual interest rate"; Rate,
        PeriodicRate = "growth rate"; GrowthRate, DiscountRate = "annual interest rate"; Rate,
        PeriodCount = "years held"; HoldYears, PeriodCount = "years between"; SpreadYears),
    reading!("The later sum is taken as the future value."; LaterSum = "second value"; SecondValue,
        SumToday = "first value"; FirstValue, SumToday = "value"; Value, SumToday = "present value"; PresentValue,
        SumToday = "loan"; Loan, SumToday = "initial investment"; Initial),
    reading!("The investment is taken as the cost."; WorksCost = "initial investment"; Initial),
    reading!("The rate given is the all-in rate."; AllInRate = "annual interest rate"; Rate,
        Rate = "all-in rate"; AllInRate),
    reading!("The rent collected is taken as the net rental income."; NetRentalIncome = "rent collected"; Collections),
    reading!("The economic occupancy is the one given."; GivenOccupancy = "economic occupancy"; EconomicOccupancy,
        EconomicOccupancy = "economic occupancy"; GivenOccupancy),
    reading!("The sale price is taken as the exit value."; SalePrice = "exit value"; GrossSale),
    reading!("The NOI after the sale is taken as the NOI."; ExitNoi = "NOI of that year"; LaterNoi),
    Relation {
        definition: "Without a holding period the NOI grows once: NOI of the next year = NOI × (1 + growth).",
        assumption: true,
        forms: &[form!(ExitNoi = "NOI × (1 + growth)"; Noi, NoiGrowth;
                |v| two(v, |noi, rise| finite(noi * (1.0 + rise))))],
    },
    Relation {
        definition: "The rents given are taken as those of all units together.",
        assumption: true,
        forms: &[
            form!(LossToLease = "market rent − contract rent"; MarketRent, ContractRent;
                |v| two(v, |market, contract| finite(market - contract))),
        ],
    },
];
