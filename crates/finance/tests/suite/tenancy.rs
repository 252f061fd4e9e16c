//! Results of the graph for tenancies, developments and yields, each compared with plain arithmetic.

use finance::graph::{Known, Plan, solve};
use finance::variable::Variable::{self, *};

fn value(goal: Variable, given: &[(Variable, f64)]) -> f64 {
    let known: Known = given.iter().copied().collect();
    match solve(&known, goal) {
        Plan::Solved { value, .. } => value,
        other => panic!("{goal:?}: {other:?}"),
    }
}

fn near(goal: Variable, given: &[(Variable, f64)], want: f64) {
    let got = value(goal, given);
    assert!(
        (got - want).abs() <= 1e-6 * want.abs().max(1.0),
        "{goal:?}: {got}, not {want}"
    );
}

#[test]
fn recoveries_and_retail_rents() {
    let areas = [
        (TenantArea, 2_600.0),
        (PoolArea, 92_000.0),
        (ExcludedArea, 40_000.0),
    ];
    near(ProRata, &areas, 0.05);
    let shared = [(CostPool, 418_000.0), (AdminShare, 0.1), (ProRata, 0.0825)];
    near(CamShare, &shared, 37_933.5);
    let due = [shared.as_slice(), &[(Estimates, 36_000.0)]].concat();
    near(CamBalance, &due, 1_933.5);
    near(
        GrossedUp,
        &[
            (VariableCost, 420_000.0),
            (FixedCost, 310_000.0),
            (ActualOccupancy, 0.78),
            (GrossUpOccupancy, 0.95),
        ],
        821_538.461_538_461_5,
    );
    near(
        Reimbursement,
        &[(ActualPsf, 11.15), (StopPsf, 9.4), (TenantArea, 7_800.0)],
        13_650.0,
    );
    near(
        Reimbursement,
        &[(ActualPsf, 9.0), (StopPsf, 9.4), (TenantArea, 7_800.0)],
        0.0,
    );
    near(
        Reimbursement,
        &[(ActualTotal, 531_000.0), (StopTotal, 480_000.0), (ProRata, 0.11)],
        5_610.0,
    );
    let shop = [(RetailRent, 84_000.0), (SalesShare, 0.05), (Sales, 2_310_000.0)];
    near(Breakpoint, &shop, 1_680_000.0);
    near(PercentageRent, &shop, 31_500.0);
    let agreed = [
        (RetailRent, 90_000.0),
        (SalesShare, 0.07),
        (Sales, 1_620_000.0),
        (AgreedBreakpoint, 1_250_000.0),
    ];
    near(PercentageRent, &agreed, 25_900.0);
    near(RetailTotal, &agreed, 115_900.0);
    near(
        OccupancyCost,
        &[(Occupancy, 114_000.0), (Sales, 1_200_000.0)],
        0.095,
    );
}

#[test]
fn space_and_rents() {
    near(
        LoadFactor,
        &[(RentableArea, 10_488.0), (UsableArea, 9_120.0)],
        0.15,
    );
    near(
        Absorption,
        &[(StartArea, 1_842_000.0), (EndArea, 1_915_500.0)],
        73_500.0,
    );
    near(Turnover, &[(MoveOuts, 97.0), (TotalUnits, 220.0)], 97.0 / 220.0);
    near(
        TradeOut,
        &[(OldRent, 1_540.0), (NewRent, 1_632.0)],
        92.0 / 1_540.0,
    );
    near(
        PassingMonthly,
        &[(PassingPsf, 22.4), (PoolArea, 5_250.0)],
        9_800.0,
    );
    near(
        PassingPsf,
        &[(PassingMonthly, 14_875.0), (PoolArea, 6_800.0)],
        26.25,
    );
    near(
        HoldoverRent,
        &[
            (PassingMonthly, 11_200.0),
            (HoldoverShare, 1.5),
            (HoldoverMonths, 3.0),
        ],
        50_400.0,
    );
    near(
        FreeRentValue,
        &[(PassingPsf, 33.0), (PoolArea, 10_500.0), (FreeMonths, 5.0)],
        144_375.0,
    );
    let allowance = [
        (AllowancePsf, 38.0),
        (PoolArea, 6_400.0),
        (AllowanceMonths, 84.0),
        (Rate, 0.08),
    ];
    near(AllowancePayment, &allowance, 3_790.567_343);
    near(
        Unamortized,
        &[
            (Allowance, 245_000.0),
            (AllowanceMonths, 84.0),
            (ElapsedMonths, 50.0),
        ],
        99_166.666_667,
    );
    let lease = [
        (BaseMonthlyRent, 1_900.0),
        (RentGrowth, 0.0),
        (LeaseYears, 1.0),
        (FreeMonths, 1.0),
        (Improvement, 0.0),
        (Commission, 0.0),
        (CashConcession, 1_000.0),
    ];
    near(NetEffectiveMonthly, &lease, 1_658.333_333);
}

#[test]
fn developments_and_yields() {
    let built = [
        (CompletedNoi, 3_300_000.0),
        (CompletedCap, 0.055),
        (BuildCost, 51_000_000.0),
    ];
    near(DevelopmentProfit, &built, 9_000_000.0);
    near(ProfitOnCost, &built, 9.0 / 51.0);
    near(ProfitOnValue, &built, 0.15);
    let site = [
        (CompletedValue, 24e6),
        (ProfitOfValue, 0.18),
        (HardCost, 12.6e6),
        (FeeShare, 0.1),
        (FinancingCost, 1.1e6),
        (SoftCost, 0.0),
    ];
    near(ResidualLand, &site, 4_720_000.0);
    near(
        ResidualLand,
        &[
            (CompletedNoi, 1_350_000.0),
            (YieldOnCost, 0.0675),
            (BuildCost, 16_400_000.0),
        ],
        3_600_000.0,
    );
    near(
        BandCap,
        &[(Ltv, 0.7), (Constant, 0.072), (EquityRate, 0.095)],
        0.0789,
    );
    near(
        NetInitialYield,
        &[
            (PassingAnnual, 410_000.0),
            (Price, 6_800_000.0),
            (PurchaserShare, 0.068),
        ],
        0.056_455_166,
    );
    near(
        LoadedValue,
        &[(UntaxedNoi, 880_000.0), (CompletedCap, 0.065), (TaxLoad, 0.015)],
        11_000_000.0,
    );
    near(
        ValueCreated,
        &[(MonthlyUplift, 125.0), (TotalUnits, 96.0), (CompletedCap, 0.058)],
        2_482_758.620_690,
    );
    near(
        TerminalValue,
        &[(LastFlow, 2_050_000.0), (GrowthRate, 0.02), (DiscountRate, 0.075)],
        38_018_181.818_182,
    );
    near(
        RequiredRent,
        &[
            (YieldOnCost, 0.07),
            (BuildCost, 9.6e6),
            (Opex, 310_000.0),
            (VacancyShare, 0.05),
        ],
        1_033_684.210_526,
    );
    near(
        Cagr,
        &[(FirstValue, 5.4), (SecondValue, 7.9), (SpreadYears, 8.0)],
        0.048_707_171,
    );
    near(ValueChange, &[(StartCap, 0.05), (EndCap, 0.055)], -0.090_909_091);
    near(
        ReplacementPsf,
        &[(ReplacementCost, 37_600_000.0), (Area, 100_000.0)],
        376.0,
    );
}

#[test]
fn depreciation_of_several_years() {
    let house = [
        (DepreciableBasis, 1_100_000.0),
        (RecoveryYears, 27.5),
        (ServiceMonth, 7.0),
        (TaxYears, 3.0),
    ];
    near(AccumulatedDepreciation, &house, 98_333.333_333);
    let hotel = [
        (Price, 14e6),
        (LandShare, 0.15),
        (RecoveryYears, 39.0),
        (ServiceMonth, 3.0),
        (TaxYears, 1.0),
    ];
    near(RemainingBasis, &hotel, 13_758_440.170_940);
}
