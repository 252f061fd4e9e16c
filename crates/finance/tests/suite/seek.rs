//! Goals that are inputs of a relation, against values computed forwards.

use finance::graph::{Known, Plan, compose};
use finance::seek::seek;
use finance::variable::Variable;

#[track_caller]
fn finds(known: &[(Variable, f64)], goal: Variable, want: f64) {
    let known: Known = known.iter().copied().collect();
    let found = seek(&known, goal).unwrap_or_else(|| panic!("{goal:?} is not found"));
    assert!(
        (found.value - want).abs() <= 1e-6 * want.abs(),
        "{goal:?}: {} is not {want}",
        found.value
    );
    let mut back = known.clone();
    back.remove(&found.matched);
    back.insert(goal, found.value);
    let Plan::Solved { value, .. } = compose(&back, found.matched) else {
        panic!("{:?} does not follow", found.matched);
    };
    assert!((value - found.given).abs() <= 1e-6 * found.given.abs());
}

#[test]
fn inputs_are_found_from_what_follows_from_them() {
    use Variable::*;
    finds(
        &[(NetSale, 9.9e6), (SaleCostShare, 0.02), (ExitNoi, 655e3)],
        ExitCap,
        655e3 * 0.98 / 9.9e6,
    );
    finds(&[(Equity, 300e3), (EquityMultiple, 2.5)], Distributions, 750e3);
    finds(
        &[
            (AccruedPref, 198e3),
            (Capital, 880e3),
            (PrefYears, 2.5),
            (SimplePref, 1.0),
        ],
        PrefRate,
        0.09,
    );
    finds(
        &[(Interest, 7_750.0), (Days, 31.0), (DayYear, 360.0), (Loan, 1.5e6)],
        Rate,
        0.06,
    );
    finds(
        &[
            (ReplacementCost, 24.6e6),
            (HardCost, 15e6),
            (SoftShare, 0.2),
            (ProfitShare, 0.1),
        ],
        LandCost,
        24.6e6 / 1.1 - 18e6,
    );
}

#[test]
fn nothing_is_found_without_a_link_or_with_two_answers() {
    use Variable::*;
    assert!(seek(&Known::from([(Noi, 50e3)]), CapRate).is_none());
    assert!(seek(&Known::from([(Noi, 50e3), (Area, 5e3)]), Price).is_none());
    // No cap rate makes a value negative.
    assert!(
        seek(
            &Known::from([(Noi, 50e3), (GrossSale, -1e6), (ExitNoi, 50e3)]),
            ExitCap
        )
        .is_none()
    );
}
