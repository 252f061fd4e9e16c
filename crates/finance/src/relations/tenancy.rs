//! Relations of a tenancy: recoveries, percentage rent, space, holdover, and allowances repaid as rent.

use crate::annuity::{self, Timing};
use crate::fault::{finite, ratio};
use crate::relations::relation::{Form, Relation, form, four, one, three, two};
use crate::variable::Variable::*;

pub(crate) static TENANCY: &[Relation] = &[
    Relation {
        definition: "Pro rata share = tenant's area ÷ area that shares the costs.",
        assumption: false,
        forms: &[form!(ProRata = "tenant's area ÷ (building area − area left out)";
                TenantArea, PoolArea, ExcludedArea;
                |v| three(v, |own, all, out| ratio(own, all - out, "area that shares the costs")))],
    },
    Relation {
        definition: "Tenant's share of the costs = costs × (1 + administration fee) × pro rata share.",
        assumption: false,
        forms: &[
            form!(CamShare = "costs × (1 + administration fee) × pro rata share";
                CostPool, AdminShare, ProRata;
                |v| three(v, |pool, fee, share| finite(pool * (1.0 + fee) * share))),
        ],
    },
    Relation {
        definition: "Balance due = tenant's share of the costs − estimates already paid.",
        assumption: false,
        forms: &[
            form!(CamBalance = "share of the costs − estimates paid"; CamShare, Estimates;
                |v| two(v, |share, paid| finite(share - paid))),
        ],
    },
    Relation {
        definition: "Gross-up: variable expenses × target occupancy ÷ actual occupancy; fixed expenses stay.",
        assumption: false,
        forms: &[
            form!(GrossedUp = "variable × target occupancy ÷ actual occupancy + fixed";
                VariableCost, GrossUpOccupancy, ActualOccupancy, FixedCost;
                |v| four(v, |variable, target, actual, fixed|
                    finite(ratio(variable * target, actual, "occupancy")? + fixed))),
        ],
    },
    Relation {
        definition: "Reimbursement over an expense stop = max(0, actual expenses per square foot − stop) × \
                     tenant's area.",
        assumption: false,
        forms: &[
            form!(ActualPsf = "actual expenses ÷ building area"; ActualTotal, PoolArea;
                |v| two(v, |cost, area| ratio(cost, area, "building area"))),
            form!(Reimbursement = "max(0, actual − stop) × tenant's area"; ActualPsf, StopPsf, TenantArea;
                |v| three(v, |actual, stop, area| finite((actual - stop).max(0.0) * area))),
        ],
    },
    Relation {
        definition: "Reimbursement over a base year = max(0, actual − base-year expenses) × pro rata share.",
        assumption: false,
        forms: &[
            form!(Reimbursement = "max(0, actual − base year) × pro rata share";
                ActualTotal, StopTotal, ProRata;
                |v| three(v, |actual, base, share| finite((actual - base).max(0.0) * share))),
        ],
    },
    Relation {
        definition: "Natural breakpoint = base rent ÷ percentage of sales.",
        assumption: false,
        forms: &[
            form!(Breakpoint = "base rent ÷ percentage"; RetailRent, SalesShare;
                |v| two(v, |rent, share| ratio(rent, share, "percentage of sales"))),
        ],
    },
    Relation {
        definition: "Percentage rent = percentage × sales above the agreed breakpoint, at least zero.",
        assumption: false,
        forms: &[
            form!(PercentageRent = "percentage × max(0, sales − agreed breakpoint)";
                SalesShare, Sales, AgreedBreakpoint;
                |v| three(v, |share, sales, from| finite(share * (sales - from).max(0.0)))),
        ],
    },
    Relation {
        definition: "Percentage rent = percentage × sales above the natural breakpoint, at least zero.",
        assumption: false,
        forms: &[
            form!(PercentageRent = "percentage × max(0, sales − natural breakpoint)";
                SalesShare, Sales, Breakpoint;
                |v| three(v, |share, sales, from| finite(share * (sales - from).max(0.0)))),
        ],
    },
    Relation {
        definition: "Base and percentage rent together.",
        assumption: false,
        forms: &[
            form!(RetailTotal = "base rent + percentage rent"; RetailRent, PercentageRent;
                |v| two(v, |base, share| finite(base + share))),
        ],
    },
    Relation {
        definition: "Occupancy cost ratio = rent and all other charges ÷ sales.",
        assumption: false,
        forms: &[form!(OccupancyCost = "occupancy costs ÷ sales"; Occupancy, Sales;
                |v| two(v, |cost, sales| ratio(cost, sales, "sales")))],
    },
    Relation {
        definition: "Load factor = rentable area ÷ usable area − 1.",
        assumption: false,
        forms: &[
            form!(LoadFactor = "rentable ÷ usable − 1"; RentableArea, UsableArea;
                |v| two(v, |rentable, usable| finite(ratio(rentable, usable, "usable area")? - 1.0))),
            form!(RentableArea = "usable × (1 + load factor)"; UsableArea, LoadFactor;
                |v| two(v, |usable, load| finite(usable * (1.0 + load)))),
            form!(UsableArea = "rentable ÷ (1 + load factor)"; RentableArea, LoadFactor;
                |v| two(v, |rentable, load| ratio(rentable, 1.0 + load, "1 + load factor"))),
        ],
    },
    Relation {
        definition: "Recovery ratio = recoveries ÷ recoverable expenses.",
        assumption: false,
        forms: &[
            form!(RecoveryRatio = "recoveries ÷ recoverable expenses"; Recoveries, CostPool;
                |v| two(v, |recovered, costs| ratio(recovered, costs, "recoverable expenses"))),
        ],
    },
    Relation {
        definition: "Loss factor = 1 − usable area ÷ rentable area.",
        assumption: false,
        forms: &[
            form!(LossFactor = "1 − usable ÷ rentable"; UsableArea, RentableArea;
                |v| two(v, |usable, rentable| finite(1.0 - ratio(usable, rentable, "rentable area")?))),
            form!(UsableArea = "rentable × (1 − loss factor)"; RentableArea, LossFactor;
                |v| two(v, |rentable, loss| finite(rentable * (1.0 - loss)))),
        ],
    },
    Relation {
        definition: "Net absorption = occupied area at the end − occupied area at the start.",
        assumption: false,
        forms: &[
            form!(Absorption = "occupied at the end − occupied at the start"; EndArea, StartArea;
                |v| two(v, |end, start| finite(end - start))),
        ],
    },
    Relation {
        definition: "Turnover = move-outs of the year ÷ units.",
        assumption: false,
        forms: &[form!(Turnover = "move-outs ÷ units"; MoveOuts, TotalUnits;
                |v| two(v, |out, all| ratio(out, all, "number of units")))],
    },
    Relation {
        definition: "Lease trade-out = new rent ÷ old rent − 1.",
        assumption: false,
        forms: &[form!(TradeOut = "new rent ÷ old rent − 1"; NewRent, OldRent;
                |v| two(v, |new, old| finite(ratio(new, old, "old rent")? - 1.0)))],
    },
    Relation {
        definition: "Rent per square foot and year × area = rent per year = 12 monthly rents.",
        assumption: false,
        forms: &[
            form!(PassingAnnual = "rent per square foot × area"; PassingPsf, PoolArea;
                |v| two(v, |rent, area| finite(rent * area))),
            form!(PassingAnnual = "12 × rent per month"; PassingMonthly; |v| one(v, |rent| finite(12.0 * rent))),
            form!(PassingMonthly = "rent per year ÷ 12"; PassingAnnual; |v| one(v, |rent| finite(rent / 12.0))),
            form!(PassingPsf = "rent per year ÷ area"; PassingAnnual, PoolArea;
                |v| two(v, |rent, area| ratio(rent, area, "area"))),
            form!(PassingPsf = "12 × rent per square foot and month"; PassingPsfMonth;
                |v| one(v, |rent| finite(12.0 * rent))),
            form!(PassingPsfMonth = "rent per square foot and year ÷ 12"; PassingPsf;
                |v| one(v, |rent| finite(rent / 12.0))),
        ],
    },
    Relation {
        definition: "Holdover rent = monthly rent × holdover percentage × months held over.",
        assumption: false,
        forms: &[form!(HoldoverRent = "monthly rent × holdover share × months";
                PassingMonthly, HoldoverShare, HoldoverMonths;
                |v| three(v, |rent, share, months| finite(rent * share * months)))],
    },
    Relation {
        definition: "Value of free rent = monthly rent × free months, undiscounted.",
        assumption: false,
        forms: &[
            form!(FreeRentValue = "monthly rent × free months"; PassingMonthly, FreeMonths;
                |v| two(v, |rent, months| finite(rent * months))),
        ],
    },
    Relation {
        definition: "Allowance repaid in level monthly payments: amount × i ÷ (1 − (1+i)^−n), i = annual rate ÷ 12.",
        assumption: false,
        forms: &[
            form!(Allowance = "amount per square foot × area"; AllowancePsf, PoolArea;
                |v| two(v, |amount, area| finite(amount * area))),
            form!(AllowancePayment = "amount × i ÷ (1 − (1+i)^−n)"; Allowance, Rate, AllowanceMonths;
                |v| three(v, |sum, rate, n|
                    ratio(sum, annuity::present_factor(rate / 12.0, n, Timing::End)?, "number of payments"))),
        ],
    },
    Relation {
        definition: "Additional rent of a year = 12 monthly payments, spread over the area.",
        assumption: false,
        forms: &[
            form!(AllowanceAnnual = "12 × additional rent per month"; AllowancePayment;
                |v| one(v, |pay| finite(12.0 * pay))),
            form!(AllowanceRent = "additional rent per year ÷ area"; AllowanceAnnual, PoolArea;
                |v| two(v, |rent, area| ratio(rent, area, "area"))),
        ],
    },
    Relation {
        definition: "Unamortized balance, straight line = amount × (term − months elapsed) ÷ term.",
        assumption: false,
        forms: &[
            form!(Unamortized = "amount × (term − elapsed) ÷ term"; Allowance, AllowanceMonths, ElapsedMonths;
                |v| three(v, |sum, term, done| ratio(sum * (term - done).max(0.0), term, "term"))),
        ],
    },
    Relation {
        definition: "Occupied and vacant share add up to the whole.",
        assumption: false,
        forms: &[
            form!(PhysicalOccupancy = "1 − vacant share"; VacantShare; |v| one(v, |vacant| finite(1.0 - vacant))),
            form!(Vacancy = "1 − occupied share"; OccupiedShare; |v| one(v, |occupied| finite(1.0 - occupied))),
            form!(Vacancy = "1 − occupied area ÷ rentable area"; OccupiedArea, TotalArea;
                |v| two(v, |occupied, all| finite(1.0 - ratio(occupied, all, "rentable area")?))),
            form!(VacantUnits = "units × (1 − occupied share)"; TotalUnits, OccupiedShare;
                |v| two(v, |all, occupied| finite(all * (1.0 - occupied)))),
            form!(VacantUnits = "units × vacant share"; TotalUnits, VacantShare;
                |v| two(v, |all, vacant| finite(all * vacant))),
            form!(OccupiedUnits = "units × occupied share"; TotalUnits, OccupiedShare;
                |v| two(v, |all, occupied| finite(all * occupied))),
            form!(OccupiedUnits = "units × (1 − vacant share)"; TotalUnits, VacantShare;
                |v| two(v, |all, vacant| finite(all * (1.0 - vacant)))),
        ],
    },
    Relation {
        definition: "Monthly GRM = price ÷ gross rent of one month, twelve times the GRM on the annual rent.",
        assumption: false,
        forms: &[form!(MonthlyGrm = "price ÷ monthly rent"; Price, PassingMonthly;
                |v| two(v, |price, rent| ratio(price, rent, "monthly rent")))],
    },
    Relation {
        definition: "Share of the rent = rent of the tenant ÷ rent of the whole, over the same period.",
        assumption: false,
        forms: &[
            form!(RentShare = "rent of the tenant ÷ rent of the whole"; PartRent, WholeRent;
                |v| two(v, |part, whole| ratio(part, whole, "rent of the whole"))),
        ],
    },
    Relation {
        definition: "Leasing commission in percent is taken of all rent of the term that it is agreed on.",
        assumption: false,
        forms: &[
            form!(LeaseCommission = "share × rent"; CommissionShare, WholeRent;
                |v| two(v, |share, rent| finite(share * rent))),
        ],
    },
    Relation {
        definition: "Loss to lease of units let alike = rent below market × units.",
        assumption: false,
        forms: &[
            form!(LossToLease = "rent below market × units"; RentGap, OccupiedUnits;
                |v| two(v, |gap, units| finite(gap * units))),
        ],
    },
    Relation {
        definition: "Gross rent of a year = 12 monthly rents of the whole property.",
        assumption: false,
        forms: &[
            form!(GrossRent = "12 × monthly rent"; PassingMonthly; |v| one(v, |rent| finite(12.0 * rent))),
        ],
    },
];
