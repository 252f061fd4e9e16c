//! Amounts of the same place and time added up. Another part of [`computing`](super::computing).

use std::collections::BTreeMap;

use crate::contract::portfolio::Portfolio;
use crate::contract::portfolio::Result;
use crate::portfolio::fixed::{Asked, query};
use crate::portfolio::plan::Plan;
use crate::portfolio::scopes::Scope;
use finance::portfolio::metric::Metric;
use finance::portfolio::query::{Account, Measure, Part, Point, Query, Term};

/// The first amount with the others added to it; nothing where one of them is not known as a whole.
pub(super) async fn all(
    plan: &Plan,
    asked: &Asked<'_>,
    scope: &Scope,
    parts: &[(Metric, Option<Account>)],
    base: &Query,
    view: &mut dyn Portfolio,
) -> Result<Measure> {
    let mut sum = view.measure(base).await?;
    for (metric, account) in parts {
        let other = Asked {
            metric: *metric,
            account: account.as_ref(),
            over: None,
            ..*asked
        };
        let more = view.measure(&query(plan, &other, scope, base.split)).await?;
        sum = added(sum, more);
    }
    Ok(sum)
}

fn added(sum: Measure, more: Measure) -> Measure {
    let whole = match (sum.whole, more.whole) {
        (Some(a), Some(b)) if a.unit == b.unit => Some(one(a, &b)),
        _ => None,
    };
    // A building without a loan has no debt service, and still costs.
    let mut parts: BTreeMap<String, Part> = BTreeMap::new();
    for part in sum.parts.into_iter().chain(more.parts) {
        match parts.remove(&part.key) {
            Some(known) if known.point.unit == part.point.unit => {
                let point = one(known.point, &part.point);
                parts.insert(known.key.clone(), Part { point, ..known });
            }
            _ => {
                parts.insert(part.key.clone(), part);
            }
        }
    }
    let mut warnings = sum.warnings;
    for warning in more.warnings {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    let why = sum.undefined.or(more.undefined);
    Measure {
        undefined: whole
            .is_none()
            .then(|| why.unwrap_or_else(|| "one of them is not known".to_owned())),
        whole,
        parts: parts.into_values().collect(),
        warnings,
    }
}

fn one(a: Point, b: &Point) -> Point {
    let mut inputs = vec![Term {
        name: "amount",
        value: a.value,
        unit: a.unit.clone(),
    }];
    inputs.push(Term {
        name: "added",
        value: b.value,
        unit: b.unit.clone(),
    });
    Point {
        value: a.value + b.value,
        unit: a.unit,
        inputs,
    }
}
