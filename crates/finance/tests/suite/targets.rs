//! Inverted relations: the computed amount reproduces the given ratio.

use finance::flows::{FirstFlow, npv};
use finance::lease::{Deal, net_effective, stepped};
use finance::targets::{
    basis, cap_by_unit_price, compounded_pref_rate, debt_service_for_breakeven, distributions,
    equity_for_cash_on_cash, escalation, exit_cap, face_rent, gross_price, income_for_breakeven,
    income_for_expense_ratio, land_for_replacement, lease_term, monthly_rent_for_multiplier,
    noi_for_cash_on_cash, noi_for_spread, potential_for_economic_occupancy, rate_of_interest,
    rent_for_economic_occupancy, sale_for_irr, simple_pref_rate,
};
use proptest::prelude::*;

fn near(got: f64, want: f64) -> bool {
    (got - want).abs() <= 1e-8 * want.abs().max(1.0)
}

#[test]
fn impossible_inputs_are_faults() {
    assert!(equity_for_cash_on_cash(0.0, 100_000.0).is_err());
    assert!(debt_service_for_breakeven(0.5, 1_000_000.0, 600_000.0).is_err());
    assert!(income_for_breakeven(0.0, 1.0, 1.0).is_err());
    assert!(potential_for_economic_occupancy(0.0, 1.0).is_err());
    assert!(rate_of_interest(1.0, 0.0, 1_000.0, 360.0).is_err());
    assert!(escalation(20.0, 3.0, 25.0, 3.0).is_err());
    assert!(land_for_replacement(10.0, 0.1, 20.0, 0.2).is_err());
    assert!(face_rent(20.0, 1.0, 12.0, 0.0, 0.0).is_err());
    assert!(sale_for_irr(0.1, 100.0, 10.0, 2.5).is_err());
    assert!(lease_term(1.0, 10_000.0, 5.0, 1_000.0).is_err());
    assert!(gross_price(100.0, 1.0).is_err());
}

proptest! {
    #[test]
    fn ratios_round_trip(share in 0.01_f64..0.99, amount in 1e4_f64..1e8, other in 1e3_f64..1e6) {
        prop_assert!(near(distributions(1.0 + share, amount).unwrap() / amount, 1.0 + share));
        let noi = noi_for_cash_on_cash(share, amount, other, other / 2.0).unwrap();
        prop_assert!(near((noi - other - other / 2.0) / amount, share));
        prop_assert!(near(other / equity_for_cash_on_cash(share, other).unwrap(), share));
        prop_assert!(near(rent_for_economic_occupancy(share, amount).unwrap() / amount, share));
        prop_assert!(near(amount / potential_for_economic_occupancy(share, amount).unwrap(), share));
        prop_assert!(near(amount / income_for_expense_ratio(share, amount).unwrap(), share));
        let income = income_for_breakeven(share, amount, other).unwrap();
        prop_assert!(near((amount + other) / income, share));
        prop_assert!(near(debt_service_for_breakeven(share, income, amount).unwrap(), other));
        prop_assert!(near(gross_price(amount, share).unwrap() * (1.0 - share), amount));
    }

    #[test]
    fn rates_round_trip(rate in 0.005_f64..0.2, amount in 1e4_f64..1e8, years in 1_u32..30, costs in 0.0_f64..0.06) {
        let span = f64::from(years);
        let interest = amount * rate * 31.0 / 360.0;
        prop_assert!(near(rate_of_interest(interest, 31.0, amount, 360.0).unwrap(), rate));
        prop_assert!(near(simple_pref_rate(amount * rate * span, amount, span).unwrap(), rate));
        let accrued = amount * ((1.0 + rate).powf(span) - 1.0);
        prop_assert!((compounded_pref_rate(accrued, amount, span).unwrap() - rate).abs() < 1e-9);
        let later = stepped(20.0, rate, years + 1, 1).unwrap();
        prop_assert!((escalation(20.0, 1.0, later, span + 1.0).unwrap() - rate).abs() < 1e-9);
        let net = amount / rate * (1.0 - costs);
        prop_assert!(near(exit_cap(net, costs, amount).unwrap(), rate));
        prop_assert!(near(cap_by_unit_price(amount / 100.0, 100.0, amount * rate).unwrap(), rate));
        prop_assert!(near(noi_for_spread(0.015, rate, amount).unwrap() / amount - 0.015, rate));
        prop_assert!(near(amount / (monthly_rent_for_multiplier(12.0, amount).unwrap() * 12.0), 12.0));
        prop_assert!(near(basis(amount / 39.0, 39.0).unwrap(), amount));
    }

    #[test]
    fn the_sale_price_yields_the_irr(
        rate in 0.01_f64..0.3, outlay in 1e5_f64..1e7, yearly in 1e3_f64..1e5, years in 1_u32..20,
    ) {
        let sale = sale_for_irr(rate, outlay, yearly, f64::from(years)).unwrap();
        let mut flows = vec![yearly; years as usize];
        flows.insert(0, -outlay);
        *flows.last_mut().unwrap() += sale;
        prop_assert!(npv(rate, &flows, FirstFlow::Now).unwrap().abs() < 1e-6 * outlay);
    }

    #[test]
    fn leases_round_trip(
        net in 10.0_f64..60.0, years in 2_u32..15, free in 0.0_f64..12.0, works in 0.0_f64..80.0, fees in 0.0_f64..20.0,
    ) {
        let rent = face_rent(net, f64::from(years), free, works, fees).unwrap();
        let deal = Deal {
            rent, rise: 0.0, years: f64::from(years), free_months: free, improvements: works, commission: fees,
        };
        prop_assert!(near(net_effective(&deal).unwrap(), net));
        let term = lease_term(net, 20_000.0, 2.0, 10_000.0).unwrap();
        prop_assert!(near((20_000.0 * 2.0 + 10_000.0 * term) / 30_000.0, net));
    }
}
