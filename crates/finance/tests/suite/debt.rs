//! Schedules, day counts, sizing and prepayment: properties that hold for every loan, and published figures.

use chrono::NaiveDate;
use finance::days::{DayCount, months_later};
use finance::fault::Fault;
use finance::loan;
use finance::prepayment::{Prepaid, step_down, yield_maintenance};
use finance::schedule::{Accrual, Rounding, Terms, balance, interest_paid, rows};
use finance::sizing::{Test, by_coverage, size};
use proptest::prelude::*;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn terms(loan: f64, rate: f64, interest_only: u32, amortization: u32) -> Terms {
    Terms {
        loan,
        rate,
        interest_only,
        amortization,
        rounding: Rounding::Exact,
        interest: Accrual::EqualMonths,
    }
}

#[test]
fn days_are_counted_by_convention() {
    let (from, to) = (day("2026-01-31"), day("2026-03-31"));
    assert_eq!(DayCount::Actual360.days(from, to), 59.0);
    assert_eq!(DayCount::Thirty360.days(from, to), 60.0);
    assert_eq!(
        DayCount::Thirty360.days(day("2026-01-15"), day("2026-01-31")),
        16.0
    );
    assert_eq!(
        DayCount::Thirty360.days(day("2025-02-28"), day("2026-02-28")),
        360.0
    );
    assert!((DayCount::Actual365.years(day("2024-01-01"), day("2025-01-01")) - 366.0 / 365.0).abs() < 1e-12);
    assert_eq!(months_later(day("2026-01-31"), 1), Some(day("2026-02-28")));
}

#[test]
fn actual_days_leave_a_higher_balloon() {
    let equal = terms(10_000_000.0, 0.06, 0, 360);
    let conduit = Terms {
        interest: Accrual::Days(DayCount::Actual360, day("2026-01-01")),
        ..equal
    };
    let (plain, actual) = (balance(&equal, 120).unwrap(), balance(&conduit, 120).unwrap());
    assert!(
        actual > plain + 50_000.0 && actual < plain + 200_000.0,
        "{plain} {actual}"
    );
    let row = rows(&conduit, 1).unwrap()[0];
    assert!((row.interest - 10_000_000.0 * 0.06 * 31.0 / 360.0).abs() < 1e-6);
}

#[test]
fn rounding_to_cents_ends_at_zero() {
    let exact = terms(8_500_000.0, 0.0585, 0, 360);
    let rounded = Terms {
        rounding: Rounding::Cents,
        ..exact
    };
    let all = rows(&rounded, 360).unwrap();
    assert_eq!(all.len(), 360);
    assert_eq!(all.last().unwrap().balance, 0.0);
    for row in &all {
        for amount in [row.payment, row.interest, row.balance] {
            assert!((amount * 100.0 - (amount * 100.0).round()).abs() < 1e-4);
        }
    }
    assert!((balance(&rounded, 120).unwrap() - 7_084_580.84).abs() < 2.0);
    let repaid: f64 = all.iter().map(|row| row.principal).sum();
    assert!((repaid - 8_500_000.0).abs() < 1e-3);
}

#[test]
fn interest_only_months_come_first() {
    let loan = terms(6_000_000.0, 0.061, 24, 336);
    let all = rows(&loan, 360).unwrap();
    assert!((all[0].payment - 30_500.0).abs() < 1e-9 && (all[23].balance - 6_000_000.0).abs() < 1e-6);
    assert!((all[24].payment - 37_286.686_65).abs() < 1e-4);
    assert!(all.last().unwrap().balance.abs() < 1e-4);
    assert!((interest_paid(&loan, 1, 24).unwrap() - 24.0 * 30_500.0).abs() < 1e-6);
    assert!(interest_paid(&loan, 5, 4).is_err());
}

#[test]
fn premiums_match_the_contract_terms() {
    let table = [0.05, 0.04, 0.03, 0.02, 0.01];
    assert!((step_down(8e6, &table, 3).unwrap() - 240_000.0).abs() < 1e-6);
    assert_eq!(step_down(8e6, &table, 6).unwrap(), 0.0);
    assert!(step_down(8e6, &table, 0).is_err());
    let loan = Prepaid {
        loan: 10_000_000.0,
        rate: 0.06,
        amortization: Some(360.0),
        term: 120.0,
        paid: 84.0,
        discount: 0.0425,
        floor: 0.01,
    };
    assert!((yield_maintenance(&loan).unwrap().premium - 427_614.344_064).abs() < 1e-3);
    // Above the loan's rate, only the floor applies.
    let above = yield_maintenance(&Prepaid {
        discount: 0.07,
        ..loan
    })
    .unwrap();
    assert!(above.difference < 0.0 && (above.premium - 0.01 * above.balance).abs() < 1e-9);
    // At the loan's own rate, nothing is lost.
    let same = yield_maintenance(&Prepaid {
        discount: 0.06,
        floor: 0.0,
        ..loan
    })
    .unwrap();
    assert!(same.premium.abs() < 1e-4);
    let only = yield_maintenance(&Prepaid {
        amortization: None,
        ..loan
    })
    .unwrap();
    assert!((only.payment - 50_000.0).abs() < 1e-9 && only.balance == 10_000_000.0);
    assert!(yield_maintenance(&Prepaid { paid: 121.0, ..loan }).is_err());
}

#[test]
fn the_smallest_test_binds() {
    let constant = 12.0 * loan::payment(1.0, 0.0625, 360.0).unwrap();
    let coverage = by_coverage(1_150_000.0, 1.25, constant).unwrap();
    let sized = size(&[
        (Test::LoanToValue, 13_000_000.0),
        (Test::Coverage, coverage),
        (Test::DebtYield, 1_150_000.0 / 0.09),
    ])
    .unwrap();
    assert_eq!(sized.binding, Test::Coverage);
    assert!((sized.loan - 12_451_603.855_402).abs() < 1e-3);
    assert_eq!(sized.amounts.len(), 3);
    assert_eq!(size(&[]), Err(Fault::NoFlows));
}

proptest! {
    #[test]
    fn the_exact_schedule_matches_the_closed_form(
        loan in 1e4_f64..1e8, rate in 0.0_f64..0.15, years in 1_u32..40, share in 0.0_f64..1.0,
    ) {
        let months = years * 12;
        let paid = (f64::from(months) * share) as u32;
        let looped = balance(&terms(loan, rate, 0, months), paid).unwrap();
        let closed = loan::balance(loan, rate, f64::from(months), f64::from(paid)).unwrap();
        prop_assert!((looped - closed).abs() < 1e-6 * loan, "{looped} {closed}");
    }

    #[test]
    fn every_payment_is_interest_plus_principal(
        loan in 1e4_f64..1e8, rate in 0.001_f64..0.15, only in 0_u32..60, years in 1_u32..40,
    ) {
        let all = rows(&terms(loan, rate, only, years * 12), only + years * 12).unwrap();
        let mut owed = loan;
        for row in &all {
            prop_assert!((row.interest + row.principal - row.payment).abs() < 1e-6);
            owed -= row.principal;
            prop_assert!((owed - row.balance).abs() < 1e-4);
        }
        prop_assert!(all.last().unwrap().balance.abs() < 1e-6 * loan + 1e-6);
    }

    #[test]
    fn lower_discount_rates_raise_the_premium(rate in 0.03_f64..0.09, spread in 0.001_f64..0.02, paid in 0_u32..119) {
        let loan = Prepaid {
            loan: 1e7, rate, amortization: Some(360.0), term: 120.0, paid: f64::from(paid),
            discount: rate - spread, floor: 0.0,
        };
        let low = yield_maintenance(&loan).unwrap().premium;
        let lower = yield_maintenance(&Prepaid { discount: rate - spread - 0.005, ..loan }).unwrap().premium;
        prop_assert!(low > 0.0 && lower > low);
    }
}
