//! Published examples of spreadsheet and Python libraries, with their sources.

use chrono::NaiveDate;
use finance::annuity::{self, Timing};
use finance::dated::{xirr_roots, xnpv};
use finance::flows::{FirstFlow, irr_roots, mirr, npv};
use finance::loan;
use serde_json::Value;

fn samples() -> Value {
    serde_json::from_str(include_str!("published.json")).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn list(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn each(set: &Value, name: &str, check: impl Fn(&Value) -> (f64, f64)) {
    for sample in set[name].as_array().unwrap() {
        let (got, want) = check(sample);
        assert!(
            (got - want).abs() <= 1e-6 * want.abs().max(1.0),
            "{sample}: {got}"
        );
    }
}

#[test]
fn dated_series_agree() {
    let set = samples();
    for sample in set["dated"].as_array().unwrap() {
        let flows: Vec<(NaiveDate, f64)> = sample["flows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|flow| (flow[0].as_str().unwrap().parse().unwrap(), number(&flow[1])))
            .collect();
        let value = number(&sample["xnpv_at_9_percent"]);
        assert!(
            (xnpv(0.09, &flows).unwrap() - value).abs() < 1e-6 * value.abs(),
            "{sample}"
        );
        let mut turned = flows.clone();
        turned.reverse();
        assert_eq!(xirr_roots(&turned), xirr_roots(&flows));
        match sample["xirr"].as_f64() {
            Some(rate) => {
                let roots = xirr_roots(&flows).unwrap();
                assert!(
                    roots
                        .iter()
                        .any(|root| (root - rate).abs() < 1e-6 * rate.abs().max(1.0)),
                    "{}: {rate} is not among {roots:?}",
                    sample["source"]
                );
            }
            // If we find a rate where the library finds none, it must be valid.
            None => {
                for root in xirr_roots(&flows).unwrap_or_default() {
                    let total: f64 = flows.iter().map(|(_, amount)| amount.abs()).sum();
                    let scale = if root < 0.0 { (1.0 + root).powf(-20.0) } else { 1.0 };
                    assert!(xnpv(root, &flows).unwrap().abs() < 1e-6 * total * scale, "{root}");
                }
            }
        }
    }
}

#[test]
fn periodic_series_agree() {
    let set = samples();
    for sample in set["periodic"].as_array().unwrap() {
        let rate = number(&sample["irr"]);
        let roots = irr_roots(&list(&sample["flows"])).unwrap();
        assert!(
            roots.iter().any(|root| (root - rate).abs() < 1e-8),
            "{sample}: {roots:?}"
        );
    }
    each(&set, "npv", |s| {
        (
            npv(number(&s["rate"]), &list(&s["flows"]), FirstFlow::Now).unwrap(),
            number(&s["npv"]),
        )
    });
    each(&set, "mirr", |s| {
        (
            mirr(&list(&s["flows"]), number(&s["finance"]), number(&s["reinvest"])).unwrap(),
            number(&s["mirr"]),
        )
    });
}

#[test]
fn single_formulas_agree() {
    let set = samples();
    let timing = |s: &Value| {
        if s["start"] == true {
            Timing::Start
        } else {
            Timing::End
        }
    };
    each(&set, "payment", |s| {
        let got = loan::payment(number(&s["loan"]), number(&s["rate"]), number(&s["months"])).unwrap();
        (got, number(&s["payment"]))
    });
    each(&set, "present_value", |s| {
        let factor = annuity::present_factor(number(&s["rate"]), number(&s["periods"]), timing(s)).unwrap();
        (number(&s["payment"]) * factor, number(&s["value"]))
    });
    each(&set, "future_value", |s| {
        let factor = annuity::future_factor(number(&s["rate"]), number(&s["periods"]), timing(s)).unwrap();
        (number(&s["payment"]) * factor, number(&s["value"]))
    });
    each(&set, "principal_of_payment", |s| {
        let at = number(&s["number"]);
        let got = loan::principal_paid(
            number(&s["loan"]),
            number(&s["rate"]),
            number(&s["months"]),
            at,
            at,
        );
        (got.unwrap(), number(&s["principal"]))
    });
    each(&set, "payments_needed", |s| {
        let got = loan::payments_needed(number(&s["loan"]), number(&s["rate"]), number(&s["payment"]));
        (got.unwrap(), number(&s["months"]))
    });
    each(&set, "growth_rate", |s| {
        let got = annuity::growth_rate(number(&s["from"]), number(&s["to"]), number(&s["periods"])).unwrap();
        (got, number(&s["rate"]))
    });
    each(&set, "effective", |s| {
        (
            annuity::effective(number(&s["nominal"]), number(&s["periods"])).unwrap(),
            number(&s["effective"]),
        )
    });
    each(&set, "effective", |s| {
        (
            annuity::nominal(number(&s["effective"]), number(&s["periods"])).unwrap(),
            number(&s["nominal"]),
        )
    });
    each(&set, "interest_paid", |s| {
        let got = loan::interest_paid(
            number(&s["loan"]),
            number(&s["rate"]),
            number(&s["months"]),
            number(&s["first"]),
            number(&s["last"]),
        );
        (got.unwrap(), number(&s["interest"]))
    });
}
