//! Compositions that only `compose` uses, against plain arithmetic.

use finance::graph::{Known, Plan, compose, solve};
use finance::variable::Variable;

fn composed(known: &[(Variable, f64)], goal: Variable) -> f64 {
    match compose(&known.iter().copied().collect::<Known>(), goal) {
        Plan::Solved { value, .. } => value,
        other => panic!("{goal:?}: {other:?}"),
    }
}

#[track_caller]
fn agrees(known: &[(Variable, f64)], goal: Variable, want: f64) {
    let got = composed(known, goal);
    assert!(
        (got - want).abs() <= 1e-9 * want.abs(),
        "{goal:?}: {got} is not {want}"
    );
}

#[test]
fn income_is_built_up_from_units() {
    use Variable::{AverageRent, Gpr, Noi, OpexShare, Pgi, RequiredRent, TotalUnits, VacancyShare};
    agrees(&[(TotalUnits, 48.0), (AverageRent, 1_450.0)], Gpr, 835_200.0);
    // 835,200 × 0.95 × 0.62.
    let known = [
        (TotalUnits, 48.0),
        (AverageRent, 1_450.0),
        (VacancyShare, 0.05),
        (OpexShare, 0.38),
    ];
    agrees(&known, Noi, 491_932.8);
    agrees(&[(Pgi, 100.0), (VacancyShare, 0.05), (OpexShare, 0.4)], Noi, 57.0);
    agrees(
        &[(Noi, 775_200.0), (OpexShare, 0.38), (VacancyShare, 0.05)],
        RequiredRent,
        775_200.0 / 0.62 / 0.95,
    );
}

#[test]
fn a_purchase_with_works_and_a_loan() {
    use Variable::{ClosingShare, DownShare, Equity, Loan, Ltc, Price, WorksCost};
    let known = [
        (Price, 9.6e6),
        (ClosingShare, 0.015),
        (WorksCost, 1.1e6),
        (Loan, 6.2e6),
    ];
    agrees(&known, Equity, 4_644_000.0);
    agrees(&known, Ltc, 6.2 / 10.844);
    agrees(&[(Price, 385e3), (DownShare, 0.25)], Loan, 288_750.0);
}

#[test]
fn coverage_and_cash_on_cash_from_price_and_leverage() {
    use Variable::{AmortizationYears, CashOnCash, Dscr, Ltv, Noi, Price, Rate};
    let known = [
        (Price, 7.2e6),
        (Ltv, 0.65),
        (Rate, 0.061),
        (AmortizationYears, 30.0),
        (Noi, 505e3),
    ];
    let service = 12.0 * finance::loan::payment(4.68e6, 0.061, 360.0).unwrap();
    agrees(&known, Dscr, 505e3 / service);
    agrees(&known, CashOnCash, (505e3 - service) / 2.52e6);
}

#[test]
fn growth_before_another_step() {
    use Variable::{ExitCap, GrossSale, GrowthRate, HoldYears, NetSale, Noi, Price, SaleCostShare};
    let grown = 500e3 * 1.03_f64.powi(5);
    let known = [
        (Noi, 500e3),
        (GrowthRate, 0.03),
        (HoldYears, 5.0),
        (ExitCap, 0.06),
    ];
    agrees(&known, GrossSale, grown / 0.06);
    let known = [
        (Price, 2e6),
        (GrowthRate, 0.03),
        (HoldYears, 5.0),
        (SaleCostShare, 0.05),
    ];
    agrees(&known, NetSale, 2e6 * 1.03_f64.powi(5) * 0.95);
}

#[test]
fn partnerships_and_refinancing() {
    use Variable::*;
    let known = [
        (Capital, 500e3),
        (PrefRate, 0.08),
        (PrefYears, 2.0),
        (Compounding, 4.0),
    ];
    agrees(&known, AccruedPref, 500e3 * (1.02_f64.powi(8) - 1.0));
    let known = [
        (RefinancedLoan, 13e6),
        (Payoff, 9.2e6),
        (FeePoints, 0.02),
        (RefinancingPenalty, 0.0),
    ];
    agrees(&known, CashOut, 3.54e6);
    let known = [
        (Capital, 10e6),
        (SponsorShare, 0.1),
        (PrefRate, 0.08),
        (PrefYears, 5.0),
        (PromoteShare, 0.2),
        (Proceeds, 18e6),
    ];
    agrees(&known, PartnersDistribution, 15_604_790.538_24);
    agrees(
        &[(AllowancePsf, 25.0), (Rate, 0.08), (AllowanceMonths, 84.0)],
        AllowanceRent,
        4.675_864_320_756_8,
    );
}

#[test]
fn the_usual_relations_stay_as_they_are() {
    let known = Known::from([(Variable::Price, 385e3), (Variable::DownShare, 0.25)]);
    assert!(matches!(solve(&known, Variable::Loan), Plan::Missing(_)));
}
