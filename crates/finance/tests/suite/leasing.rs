//! Rents, lease terms, income statements, valuation by comparison and by cost, and tax basics.

use chrono::NaiveDate;
use finance::annuity::{self, Timing};
use finance::fault::Fault;
use finance::income::{Statement, break_even};
use finance::lease::{
    self, Deal, indexed, loss_to_lease, net_effective, net_effective_present, stepped, weighted_term,
};
use finance::tax::{
    Use, annual_depreciation, boot, depreciation_in_year, exchange_deadlines, recognized_gain,
};
use finance::valuation::{Debt, Holding, Sale, compare, grid, replacement_cost};
use proptest::prelude::*;

fn near(got: f64, want: f64) -> bool {
    (got - want).abs() <= 1e-6 * want.abs().max(1.0)
}

#[test]
fn known_figures_of_leases() {
    assert!(near(stepped(31.0, 0.03, 8, 1).unwrap(), 38.126_089_75));
    assert!(near(stepped(20.0, 0.10, 10, 5).unwrap(), 22.0));
    assert!(stepped(20.0, 0.1, 0, 1).is_err());
    let rents = indexed(42_000.0, &[0.065, 0.034, 0.012, 0.028], Some(0.02), Some(0.04)).unwrap();
    assert!(near(rents[3], 47_358.338_227));
    assert!(indexed(1.0, &[0.0], Some(0.05), Some(0.02)).is_err());
    let deal = Deal {
        rent: 34.0,
        rise: 0.025,
        years: 7.0,
        free_months: 6.0,
        improvements: 45.0,
        commission: 12.0,
    };
    assert!(near(net_effective(&deal).unwrap(), 26.087_518));
    assert!(near(
        weighted_term(&[(1000.0, 12.0), (5000.0, 36.0), (4000.0, 48.0)]).unwrap(),
        38.4
    ));
    assert_eq!(
        weighted_term(&[]),
        Err(Fault::ZeroDenominator { what: "total weight" })
    );
    let (loss, share) = loss_to_lease(&[(1500.0, 1450.0), (2300.0, 2350.0), (1900.0, 1780.0)]).unwrap();
    assert!(near(loss, 120.0) && near(share, 120.0 / 5700.0));
}

#[test]
fn items_below_the_line_are_not_in_noi() {
    let statement = Statement {
        potential_rent: 1_450_000.0,
        vacancy: 87_000.0,
        concessions: 14_500.0,
        bad_debt: 8_200.0,
        other_income: 46_300.0,
        operating_expenses: 568_300.0,
        reserves: 30_000.0,
        ..Statement::default()
    };
    assert!(near(statement.net_operating_income(), 818_300.0));
    assert!(near(statement.net_cash_flow(), 788_300.0));
    assert!(near(statement.expense_ratio().unwrap(), 0.409_851));
    assert!(near(
        statement.margin().unwrap() + statement.expense_ratio().unwrap(),
        1.0
    ));
    assert!(near(
        statement.economic_occupancy().unwrap(),
        1_340_300.0 / 1_450_000.0
    ));
    assert!(Statement::default().margin().is_err());
    assert!(near(
        break_even(512_000.0, 688_000.0, 1_460_000.0).unwrap(),
        0.821_918
    ));
}

#[test]
fn comparables_cost_and_tax() {
    let sale = |price, size, adjustment| Sale {
        price,
        size,
        adjustment,
    };
    let found = compare(&[
        sale(4_200_000.0, 21_000.0, 0.03),
        sale(3_890_000.0, 19_800.0, -0.02),
        sale(5_125_000.0, 24_100.0, 0.0),
        sale(4_460_000.0, 22_650.0, 0.05),
    ])
    .unwrap();
    assert!(near(found.mean * 20_500.0, 4_191_972.850_673));
    assert!(found.median != found.mean && found.weighted != found.mean);
    assert!(compare(&[]).is_err() && compare(&[sale(1.0, 0.0, 0.0)]).is_err());
    assert!(near(
        replacement_cost(85_000.0 * 240.0, 0.22, 3_200_000.0, 0.10).unwrap(),
        30_896_800.0
    ));
    assert!(near(
        annual_depreciation(2_880_000.0, Use::Residential.years()).unwrap(),
        104_727.272_727
    ));
    assert!(near(
        depreciation_in_year(1_950_000.0, Use::Nonresidential.years(), 7, 1).unwrap(),
        22_916.666_667
    ));
    assert!(near(
        recognized_gain(800_000.0, boot(150_000.0, 0.0, 0.0, 0.0)),
        150_000.0
    ));
    assert_eq!(boot(50_000.0, 900_000.0, 700_000.0, 0.0), 250_000.0);
    // Cash paid in offsets debt relief, but not cash taken out.
    assert_eq!(boot(50_000.0, 900_000.0, 700_000.0, 300_000.0), 50_000.0);
    assert_eq!(recognized_gain(-10.0, 50_000.0), 0.0);
}

#[test]
fn a_holding_is_sold_on_the_next_years_income() {
    let holding = Holding::growing(900_000.0, 0.03, 5, 0.0625, 0.015).unwrap();
    assert!(near(holding.present_value(0.08).unwrap(), 14_989_242.948_952));
    let debt = Debt {
        amount: 9e6,
        annual_service: 600_000.0,
        payoff: 8e6,
    };
    let (plain, levered) = (holding.unlevered().unwrap(), holding.levered(&debt).unwrap());
    assert!(near(plain[0] - levered[0], 600_000.0) && near(plain[4] - levered[4], 8_600_000.0));
    assert!(Holding::growing(1.0, 0.0, 0, 0.06, 0.0).is_err());
    let cells = grid(
        &[0.055, 0.06, 0.065],
        &[800_000.0, 840_000.0, 880_000.0],
        |cap, noi| Ok(noi / cap),
    )
    .unwrap();
    assert!(near(cells[1][1], 14_000_000.0) && near(cells[0][2] - cells[2][0], 3_692_307.692_3));
}

proptest! {
    #[test]
    fn total_depreciation_equals_the_basis(basis in 1.0_f64..1e9, month in 1_u32..13, home in any::<bool>()) {
        let years = if home { Use::Residential } else { Use::Nonresidential }.years();
        let total: f64 = (1..=41).map(|year| depreciation_in_year(basis, years, month, year).unwrap()).sum();
        prop_assert!((total - basis).abs() < 1e-6 * basis);
    }

    #[test]
    fn concessions_only_lower_the_effective_rent(
        rent in 1.0_f64..100.0, rise in 0.0_f64..0.05, years in 1_u32..16, free in 0_u32..12, ti in 0.0_f64..80.0,
    ) {
        let plain = Deal { rent, rise, years: f64::from(years), free_months: 0.0, improvements: 0.0, commission: 0.0 };
        let given = Deal { free_months: f64::from(free), improvements: ti, ..plain };
        prop_assert!(net_effective(&given).unwrap() <= net_effective(&plain).unwrap() + 1e-9);
        let discounted = |deal| net_effective_present(deal, 0.08).unwrap();
        prop_assert!(discounted(&given) <= discounted(&plain) + 1e-9);
        // Without discounting, the level payment is the average.
        let level = net_effective_present(&given, 0.0).unwrap();
        prop_assert!((level - net_effective(&given).unwrap()).abs() < 1e-6);
        // A flat rent without concessions equals its effective rent.
        let flat = Deal { rise: 0.0, ..plain };
        prop_assert!((net_effective_present(&flat, 0.07).unwrap() - rent).abs() < 1e-6 * rent);
    }

    #[test]
    fn an_index_stays_between_floor_and_cap(readings in prop::collection::vec(-0.1_f64..0.2, 1..12)) {
        let rents = indexed(100.0, &readings, Some(0.01), Some(0.04)).unwrap();
        let mut before = 100.0;
        for rent in rents {
            prop_assert!(rent >= before * 1.01 - 1e-9 && rent <= before * 1.04 + 1e-9);
            before = rent;
        }
    }

    #[test]
    fn a_weighted_term_is_between_its_terms(leases in prop::collection::vec((0.1_f64..1e6, 0.0_f64..20.0), 1..30)) {
        let found = weighted_term(&leases).unwrap();
        let least = leases.iter().map(|(_, term)| *term).fold(f64::INFINITY, f64::min);
        let most = leases.iter().map(|(_, term)| *term).fold(0.0, f64::max);
        prop_assert!(found >= least - 1e-9 && found <= most + 1e-9);
    }

    #[test]
    fn present_and_future_factors_differ_by_growth(rate in -0.05_f64..0.3, periods in 1_u32..400) {
        let n = f64::from(periods);
        let present = annuity::present_factor(rate, n, Timing::End).unwrap();
        let future = annuity::future_factor(rate, n, Timing::End).unwrap();
        prop_assert!((future - present * (1.0 + rate).powf(n)).abs() <= 1e-9 * future.abs());
        let summed: f64 = (1..=periods).map(|k| (1.0 + rate).powf(-f64::from(k))).sum();
        prop_assert!((present - summed).abs() < 1e-8 * summed.abs());
        let growing = annuity::growing_present(1.0, 0.0, rate, n).unwrap();
        prop_assert!(rate.abs() < 1e-9 || (growing - present).abs() < 1e-7 * present.abs());
    }

    #[test]
    fn nominal_inverts_effective(nominal in 0.0_f64..0.5, m in 1_u32..365) {
        let effective = annuity::effective(nominal, f64::from(m)).unwrap();
        prop_assert!(effective >= nominal - 1e-12);
        prop_assert!((annuity::nominal(effective, f64::from(m)).unwrap() - nominal).abs() < 1e-9);
    }

    #[test]
    fn a_mean_is_between_the_sales(sales in prop::collection::vec((1e5_f64..1e7, 1e3_f64..1e5), 1..12)) {
        let unadjusted = |&(price, size): &(f64, f64)| Sale { price, size, adjustment: 0.0 };
        let list: Vec<Sale> = sales.iter().map(unadjusted).collect();
        let found = compare(&list).unwrap();
        let each: Vec<f64> = sales.iter().map(|(price, size)| price / size).collect();
        let least = each.iter().copied().fold(f64::INFINITY, f64::min);
        let most = each.iter().copied().fold(0.0, f64::max);
        for value in [found.mean, found.median, found.weighted] {
            prop_assert!(value >= least * (1.0 - 1e-9) && value <= most * (1.0 + 1e-9));
        }
    }
}

#[test]
fn a_perpetuity_requires_a_rate_above_growth() {
    assert!(near(
        annuity::perpetuity(50_000.0, 0.02, 0.07).unwrap(),
        1_000_000.0
    ));
    assert!(annuity::perpetuity(1.0, 0.05, 0.05).is_err());
    assert!(near(lease::stepped(100.0, 0.0, 50, 1).unwrap(), 100.0));
}

#[test]
fn the_days_of_an_exchange_cross_years_and_leap_days() {
    let day = |year, month, day| NaiveDate::from_ymd_opt(year, month, day).unwrap();
    let days = exchange_deadlines(day(2027, 11, 30)).unwrap();
    assert_eq!(days, (day(2028, 1, 14), day(2028, 5, 28)));
    assert!(exchange_deadlines(NaiveDate::MAX).is_err());
}
