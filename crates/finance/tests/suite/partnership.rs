//! Waterfalls: worked examples, and properties that hold for every agreement.

use finance::flows::irr_roots;
use finance::waterfall::{Accrual, CatchUp, Hurdle, Order, Period, Style, Terms, Tier, accrued, run};
use proptest::prelude::*;

fn terms(tiers: Vec<Tier>) -> Terms {
    Terms {
        partners_share: 0.9,
        preferred: 0.08,
        accrual: Accrual::Compounding,
        order: Order::PreferredFirst,
        style: Style::European,
        catch_up: None,
        tiers,
    }
}

fn last(to_partners: f64) -> Tier {
    Tier {
        until: None,
        to_partners,
    }
}

fn single(capital: f64, years: usize, cash: f64) -> Vec<Period> {
    let mut periods = vec![Period::default(); years + 1];
    periods[0].contribution = capital;
    periods[years].distribution = cash;
    periods
}

#[test]
fn a_promote_above_the_preferred_return() {
    // 20% promote, the rest pro rata: the limited partners get 90% of 80%.
    let shares = run(&terms(vec![last(0.72)]), &single(10e6, 5, 18e6)).unwrap();
    assert!((shares.partners - 15_604_790.538_24).abs() < 1e-3);
    assert!((shares.partners + shares.sponsor - 18e6).abs() < 1e-6);
    assert!((shares.promote - 0.2 * shares.tiers[0]).abs() < 1e-6);
    assert!((shares.preferred_paid - 4_693_280.768).abs() < 1e-3 && shares.capital_returned == 10e6);
}

#[test]
fn accrued_preferred_return() {
    assert!((accrued(2.5e6, 0.09, 3.0, Accrual::Compounding).unwrap() - 737_572.5).abs() < 1e-6);
    assert!((accrued(2.5e6, 0.09, 3.0, Accrual::Simple).unwrap() - 675_000.0).abs() < 1e-6);
}

#[test]
fn a_full_catch_up_makes_the_profit_shares_even() {
    let mut agreement = terms(vec![last(0.9 * 0.8)]);
    agreement.partners_share = 1.0;
    agreement.tiers = vec![last(0.8)];
    agreement.catch_up = Some(CatchUp {
        to_sponsor: 1.0,
        target: 0.2,
    });
    let shares = run(&agreement, &single(10e6, 5, 18e6)).unwrap();
    // With enough cash, the sponsor ends with exactly a fifth of the total profit of 8m.
    assert!((shares.promote - 1.6e6).abs() < 1e-3, "{shares:?}");
    assert!((shares.partners - 16.4e6).abs() < 1e-3);
    // With little cash above the preferred return, all of it is catch-up.
    let little = run(&agreement, &single(10e6, 5, 14_793_280.768)).unwrap();
    assert!((little.catch_up - 100_000.0).abs() < 1e-3 && little.tiers[0] == 0.0);
    agreement.catch_up = Some(CatchUp {
        to_sponsor: 0.2,
        target: 0.2,
    });
    assert!(run(&agreement, &single(1.0, 1, 2.0)).is_err());
}

#[test]
fn tiers_end_where_their_hurdle_is_met() {
    let agreement = terms(vec![
        Tier {
            until: Some(Hurdle::Rate(0.12)),
            to_partners: 0.72,
        },
        last(0.63),
    ]);
    let shares = run(&agreement, &single(10e6, 5, 25e6)).unwrap();
    let at_twelve = 9e6 * 1.12_f64.powi(5);
    let above = shares.tiers[1] * 0.63;
    assert!((shares.partners - above - at_twelve).abs() < 1e-3, "{shares:?}");
    let multiple = terms(vec![
        Tier {
            until: Some(Hurdle::Multiple(2.0)),
            to_partners: 0.72,
        },
        last(0.5),
    ]);
    let shares = run(&multiple, &single(10e6, 5, 25e6)).unwrap();
    assert!((shares.partners - 0.5 * shares.tiers[1] - 18e6).abs() < 1e-3);
}

#[test]
fn the_style_determines_when_the_sponsor_participates() {
    let periods: Vec<Period> = [(10e6, 0.0), (0.0, 1.2e6), (0.0, 1.2e6), (0.0, 14e6)]
        .iter()
        .map(|(contribution, distribution)| Period {
            contribution: *contribution,
            distribution: *distribution,
        })
        .collect();
    let european = run(&terms(vec![last(0.72)]), &periods).unwrap();
    let mut agreement = terms(vec![last(0.72)]);
    agreement.style = Style::American;
    let american = run(&agreement, &periods).unwrap();
    // The 0.4m above each year's preferred return is split at once.
    assert!((american.sponsor_by_period[1] - (0.1 * 0.8e6 + 0.28 * 0.4e6)).abs() < 1e-6);
    assert!((european.sponsor_by_period[1] - 0.1 * 1.2e6).abs() < 1e-6);
    // Cash that is split early does not return capital, so more preferred return accrues.
    assert!(american.preferred_paid > european.preferred_paid);
}

#[test]
fn simple_and_compounding_differ_only_by_interest_on_interest() {
    let mut simple = terms(vec![last(0.72)]);
    simple.accrual = Accrual::Simple;
    let shares = run(&simple, &single(10e6, 5, 13e6)).unwrap();
    assert!((shares.preferred_paid - 4e6).abs() < 1e-6 && (shares.capital_returned - 9e6).abs() < 1e-6);
    assert!(shares.preferred_owed.abs() < 1e-6 && (shares.capital_owed - 1e6).abs() < 1e-6);
    // If capital is paid first, a part of the preferred return remains owed.
    simple.order = Order::CapitalFirst;
    let shares = run(&simple, &single(10e6, 5, 13e6)).unwrap();
    assert!((shares.capital_returned - 10e6).abs() < 1e-6 && (shares.preferred_owed - 1e6).abs() < 1e-6);
}

proptest! {
    #[test]
    fn every_dollar_is_distributed_once(
        share in 0.05_f64..1.0, preferred in 0.0_f64..0.15,
        simple in any::<bool>(), american in any::<bool>(), first in any::<bool>(),
        cash in prop::collection::vec(0.0_f64..4e6, 1..12), calls in prop::collection::vec(0.0_f64..2e6, 1..4),
    ) {
        let agreement = Terms {
            partners_share: share, preferred,
            accrual: if simple { Accrual::Simple } else { Accrual::Compounding },
            order: if first { Order::PreferredFirst } else { Order::CapitalFirst },
            style: if american { Style::American } else { Style::European },
            catch_up: Some(CatchUp { to_sponsor: 0.5, target: 0.2 }),
            tiers: vec![
                Tier { until: Some(Hurdle::Rate(0.2)), to_partners: share * 0.8 },
                Tier { until: Some(Hurdle::Multiple(3.0)), to_partners: share * 0.7 },
                last(share * 0.6),
            ],
        };
        let called = calls.iter().map(|call| Period { contribution: *call, distribution: 0.0 });
        let mut periods: Vec<Period> = called.collect();
        periods.extend(cash.iter().map(|paid| Period { contribution: 0.0, distribution: *paid }));
        let shares = run(&agreement, &periods).unwrap();
        let total: f64 = cash.iter().sum();
        prop_assert!((shares.partners + shares.sponsor - total).abs() < 1e-4);
        prop_assert!((shares.partners_by_period.iter().sum::<f64>() - shares.partners).abs() < 1e-4);
        let tiers: f64 = shares.tiers.iter().sum();
        let parts = shares.capital_returned + shares.preferred_paid + shares.catch_up + tiers;
        prop_assert!((parts - total).abs() < 1e-4);
        prop_assert!(shares.preferred_owed > -1e-6 && shares.capital_owed > -1e-6);
        prop_assert!(shares.promote > -1e-6 && shares.promote <= shares.sponsor + 1e-6);
    }

    #[test]
    fn no_promote_below_the_preferred_return(cash in 1e5_f64..14.6e6) {
        let shares = run(&terms(vec![last(0.72)]), &single(10e6, 5, cash)).unwrap();
        prop_assert!(shares.promote.abs() < 1e-6 && (shares.partners - 0.9 * cash).abs() < 1e-4);
    }

    #[test]
    fn a_paid_preferred_return_equals_the_rate_of_return(
        rate in 0.01_f64..0.2, cash in prop::collection::vec(0.0_f64..1e6, 0..6),
    ) {
        // Regardless of payments in between, the IRR equals the rate when capital and preferred return have just
        // been paid.
        let mut agreement = terms(vec![last(0.72)]);
        agreement.preferred = rate;
        let mut periods = vec![Period { contribution: 1e7, distribution: 0.0 }];
        periods.extend(cash.iter().map(|paid| Period { contribution: 0.0, distribution: *paid }));
        periods.push(Period { contribution: 0.0, distribution: 1e9 });
        let shares = run(&agreement, &periods).unwrap();
        let end = periods.len() - 1;
        let mut flows: Vec<f64> = shares.partners_by_period.clone();
        flows[0] -= 9e6;
        flows[end] -= 0.72 * shares.tiers[0];
        let roots = irr_roots(&flows).unwrap();
        prop_assert!(roots.iter().any(|root| (root - rate).abs() < 1e-6), "{roots:?}");
    }
}
