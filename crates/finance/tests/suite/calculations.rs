//! Loans, cash flows and the graph: known values, inverse relations, roots.

use finance::days::DayCount;
use finance::fault::Fault;
use finance::flows::{FirstFlow, equity_multiple, irr_roots, level_present_value, mirr, npv};
use finance::graph::{Known, Plan, contradiction, solve};
use finance::loan;
use finance::relations::all::{Scope, relations};
use finance::variable::{Unit, Variable};
use proptest::prelude::*;

fn near(got: f64, want: f64) -> bool {
    (got - want).abs() <= 1e-8 * want.abs().max(1.0)
}

#[test]
fn spreadsheet_examples_agree() {
    assert!((loan::payment(10_000.0, 0.08, 10.0).unwrap() - 1_037.032_089).abs() < 1e-6);
    assert!((loan::interest_paid(125_000.0, 0.09, 360.0, 13.0, 24.0).unwrap() - 11_135.232_131).abs() < 1e-5);
    assert!((level_present_value(500.0, 0.08 / 12.0, 240.0).unwrap() - 59_777.145_851).abs() < 1e-5);
    let flows = [-120_000.0, 39_000.0, 30_000.0, 21_000.0, 37_000.0, 46_000.0];
    assert!((mirr(&flows, 0.10, 0.12).unwrap() - 0.126_094).abs() < 1e-6);
    let series = [-10_000.0, 3_000.0, 4_200.0, 6_800.0];
    assert!((npv(0.10, &series, FirstFlow::EndOfFirstPeriod).unwrap() - 1_188.443_412).abs() < 1e-5);
    assert!(near(equity_multiple(&[-4.0, 1.5, 6.0]).unwrap(), 1.875));
    assert!(near(
        loan::interest_for_days(7_200_000.0, 0.054, 31.0, DayCount::Actual360).unwrap(),
        33_480.0
    ));
}

#[test]
fn all_roots_are_found() {
    let roots = irr_roots(&[-1000.0, 2500.0, -1540.0]).unwrap();
    assert_eq!(roots.len(), 2);
    assert!(near(roots[0], 0.1) && near(roots[1], 0.4));
    // A double root at 20%: the value touches zero without a sign change.
    let double = irr_roots(&[-100.0, 240.0, -144.0]).unwrap();
    assert_eq!(double.len(), 1);
    assert!((double[0] - 0.2).abs() < 1e-4);
    assert_eq!(irr_roots(&[100.0, 200.0]), Err(Fault::OneSign));
    assert_eq!(irr_roots(&[]), Err(Fault::OneSign));
    assert_eq!(irr_roots(&[-100.0, 230.0, -140.0]), Err(Fault::NoRoot));
    assert!(near(
        irr_roots(&[-100.0, 0.0, 0.0, 0.01]).unwrap()[0],
        0.0001_f64.powf(1.0 / 3.0) - 1.0
    ));
    assert!(near(irr_roots(&[0.0, 0.0, -100.0, 110.0, 0.0]).unwrap()[0], 0.1));
    assert!(irr_roots(&[f64::NAN, 1.0, -1.0]).is_err());
}

#[test]
fn impossible_loans_are_faults() {
    assert!(matches!(
        loan::payments_needed(800_000.0, 0.065, 4_000.0),
        Err(Fault::NeverAmortizes { .. })
    ));
    assert_eq!(loan::annual_rate(100.0, 1.0, 50.0), Err(Fault::PaymentsBelowLoan));
    assert!(near(loan::annual_rate(1200.0, 100.0, 12.0).unwrap(), 0.0));
    assert!(near(loan::payment(1200.0, 0.0, 12.0).unwrap(), 100.0));
    assert!(loan::balance(1200.0, 0.05, 12.0, 13.0).is_err());
    assert!(loan::payment(-1.0, 0.05, 12.0).is_err() && loan::payment(1.0, f64::NAN, 12.0).is_err());
}

#[test]
fn the_graph_solves_or_reports_missing_inputs() {
    let known = Known::from([
        (Variable::Noi, 800_000.0),
        (Variable::Loan, 8.5e6),
        (Variable::Rate, 0.0585),
    ]);
    assert_eq!(
        solve(&known, Variable::Dscr),
        Plan::Missing(vec![Variable::AmortizationYears])
    );
    let mut complete = known;
    complete.insert(Variable::AmortizationYears, 30.0);
    let Plan::Solved { value, steps } = solve(&complete, Variable::Dscr) else {
        panic!("no way found")
    };
    assert!((value - 1.329_478).abs() < 1e-6);
    let path: Vec<Variable> = steps.iter().map(|step| step.output).collect();
    assert_eq!(
        path,
        [
            Variable::Payments,
            Variable::Payment,
            Variable::DebtService,
            Variable::Dscr
        ]
    );
    let none = Known::from([(Variable::Noi, 1.0), (Variable::DebtService, 0.0)]);
    assert_eq!(solve(&none, Variable::Dscr), Plan::Fault(Fault::NoDebt));
    assert_eq!(
        solve(&Known::new(), Variable::CapRate),
        Plan::Missing(vec![Variable::Noi, Variable::Price])
    );
}

#[test]
fn contradictions_are_found() {
    let known = Known::from([
        (Variable::Price, 12.4e6),
        (Variable::Noi, 731_600.0),
        (Variable::CapRate, 0.065),
    ]);
    assert!(contradiction(&known).is_some());
    let agreeing = Known::from([
        (Variable::Price, 12.4e6),
        (Variable::Noi, 731_600.0),
        (Variable::CapRate, 0.059),
    ]);
    assert_eq!(contradiction(&agreeing), None);
}

#[test]
fn no_formula_panics_or_yields_nonsense() {
    for form in relations(Scope::Composed).flat_map(|relation| relation.forms) {
        for value in [0.0, -1.0, 1.0, 1e-300, 1e300, f64::NAN, f64::INFINITY] {
            let inputs = vec![value; form.inputs.len()];
            if let Ok(result) = (form.compute)(&inputs) {
                assert!(result.is_finite(), "{:?} of {value}", form.output);
            }
            assert!(
                (form.compute)(&[]).is_err() || form.inputs.is_empty() || form.output == Variable::TotalCost
            );
        }
        assert!(!form.inputs.contains(&form.output));
    }
}

fn sample(variable: Variable, seed: f64) -> f64 {
    match variable.unit() {
        Unit::Money => 100_000.0 + 900_000.0 * seed,
        Unit::Percent => 0.03 + 0.07 * seed,
        Unit::Ratio | Unit::Multiple => 1.1 + seed,
        Unit::Years => 10.0 + (20.0 * seed).floor(),
        Unit::Months => 120.0 + (240.0 * seed).floor(),
        Unit::Days => 30.0,
        Unit::Count | Unit::Mark => 12.0,
        Unit::MoneyPerArea => 10.0 + 90.0 * seed,
        Unit::BasisPoints => 10.0 + 200.0 * seed,
        Unit::Area => 1e3 + 1e5 * seed,
    }
}

proptest! {
    #[test]
    fn inverse_relations_round_trip(seed in 0.0_f64..1.0, other in 0.0_f64..1.0) {
        for relation in relations(Scope::Composed) {
            let Some(first) = relation.forms.first() else { continue };
            let mut values = Known::new();
            for (at, input) in first.inputs.iter().enumerate() {
                values.insert(*input, sample(*input, if at % 2 == 0 { seed } else { other }));
            }
            let inputs: Vec<f64> = first.inputs.iter().filter_map(|input| values.get(input).copied()).collect();
            let Ok(output) = (first.compute)(&inputs) else { continue };
            values.insert(first.output, output);
            for form in relation.forms.iter().skip(1) {
                let given: Option<Vec<f64>> = form.inputs.iter().map(|input| values.get(input).copied()).collect();
                let (Some(given), Some(want)) = (given, values.get(&form.output)) else { continue };
                let got = (form.compute)(&given).unwrap();
                prop_assert!((got - want).abs() <= 1e-6 * want.abs(), "{:?}: {got} is not {want}", form.output);
            }
        }
    }

    #[test]
    fn roots_make_the_value_zero(flows in prop::collection::vec(-1000.0_f64..1000.0, 2..12)) {
        if let Ok(roots) = irr_roots(&flows) {
            for pair in roots.windows(2) {
                prop_assert!(pair[0] < pair[1]);
            }
            for root in roots {
                let x = 1.0 + root;
                // Scaled, because a rate near -100% is judged by the future value.
                let terms: Vec<f64> = flows.iter().enumerate().map(|(at, flow)| {
                    if x < 1.0 { flow * x.powi((flows.len() - 1 - at) as i32) } else { flow / x.powi(at as i32) }
                }).collect();
                let size: f64 = terms.iter().map(|term| term.abs()).sum();
                prop_assert!(terms.iter().sum::<f64>().abs() <= 1e-9 * size.max(1e-9), "{root}");
            }
        }
    }

    #[test]
    fn one_sign_change_has_one_root(first in 1.0_f64..1000.0, later in prop::collection::vec(0.1_f64..500.0, 1..20)) {
        let mut flows = vec![-first];
        flows.extend(later);
        prop_assert_eq!(irr_roots(&flows).unwrap().len(), 1);
    }

    #[test]
    fn balances_match_a_month_by_month_loop(
        loan in 1e5_f64..1e7, rate in 0.0_f64..0.15, years in 1_u32..31, share in 0.0_f64..1.0,
    ) {
        let payments = f64::from(years * 12);
        let paid = (payments * share).floor();
        let payment = loan::payment(loan, rate, payments).unwrap();
        let mut balance = loan;
        let mut interest = 0.0;
        for _ in 0..paid as u32 {
            interest += balance * rate / 12.0;
            balance = balance * (1.0 + rate / 12.0) - payment;
        }
        prop_assert!((loan::balance(loan, rate, payments, paid).unwrap() - balance).abs() < 1e-6 * loan);
        if paid >= 1.0 {
            let closed = loan::interest_paid(loan, rate, payments, 1.0, paid).unwrap();
            prop_assert!((closed - interest).abs() < 1e-6 * loan);
        }
    }
}
