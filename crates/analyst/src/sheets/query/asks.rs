//! The clauses of a question as things to compute: each takes from its neighbours what it does not say itself.
//!
//! Where two readings differ, it is asked. Computes nothing.

use crate::sheets::asked::Pace;
use crate::sheets::finding::Open;
use crate::sheets::measured::Unit;
use crate::sheets::query::cues::Wish;
use crate::sheets::query::filters::{Filter, Key};
use crate::sheets::query::part::{Group, Measure, Part};
use crate::sheets::query::view::View;
use crate::sheets::query::wanted::Ask;
use tables::headers::Field;

/// Filters with others in place of those about the same.
pub(crate) fn with(old: &[Filter], new: &[Filter]) -> Vec<Filter> {
    let keys: Vec<Key> = new.iter().map(Filter::key).collect();
    old.iter()
        .filter(|filter| !keys.contains(&filter.key()))
        .chain(new)
        .cloned()
        .collect()
}

/// The parts of a question as things to compute.
pub(crate) fn asks(parts: &[Part], view: &View<'_>) -> Result<Vec<Ask>, Open> {
    let general: Vec<Filter> = parts
        .iter()
        .filter(|part| !part.asks)
        .flat_map(|part| part.filters.iter().cloned())
        .collect();
    let asking: Vec<&Part> = parts.iter().filter(|part| part.asks).collect();
    let group = parts.iter().find_map(|part| part.group);
    let pace = parts.iter().find_map(|part| part.pace);
    let mut asks: Vec<Ask> = Vec::new();
    let mut before: Option<Vec<Filter>> = None;
    for (n, part) in asking.iter().enumerate() {
        let own = &part.filters;
        let filters = match &before {
            None if own.is_empty() && part.measures.is_empty() && asking.len() > 1 && !counts(part) => {
                // "Total and average cost at Elm": the rest is said with the next.
                let next = asking.get(n + 1).map_or(&general, |next| &next.filters);
                with(&general, next)
            }
            None => with(&general, own),
            Some(before) if own.is_empty() => before.clone(),
            Some(before) if part.that => with(before, own),
            Some(before) => {
                let keys: Vec<Key> = before.iter().map(Filter::key).collect();
                if before.iter().all(|filter| general.contains(filter))
                    || own.iter().all(|filter| keys.contains(&filter.key()))
                {
                    let earlier = asking.get(n - 1).is_some_and(|earlier| {
                        earlier.filters.is_empty() && (!earlier.measures.is_empty() || !counts(earlier))
                    });
                    if earlier
                        && !counts(part)
                        && before.len() == general.len()
                        && !asks.is_empty()
                        && asks.last().is_some_and(|last| last.filters != with(before, own))
                        && !(asking
                            .get(n - 1)
                            .is_some_and(|earlier| earlier.measures.is_empty()))
                    {
                        return Err(Open::because(
                            "Does your condition hold for everything you ask, or only for the last? Please ask for one figure at a time.",
                        ));
                    }
                    with(before, own)
                } else {
                    return Err(Open::because(
                        "Do all of your conditions hold for every figure you ask for? Please ask for one figure at a time.",
                    ));
                }
            }
        };
        before = Some(filters.clone());
        // "Who owes the most, and what is owed by month?": the one of all months.
        let extreme = part
            .wishes
            .iter()
            .any(|wish| matches!(wish, Wish::Highest | Wish::Lowest));
        let own = part.names && extreme && !part.measures.is_empty() && asking.len() > 1;
        let group = if own { part.group } else { group };
        asks.extend(of_part(part, &asking, n, view, filters, group, pace)?);
    }
    Ok(asks)
}

fn counts(part: &Part) -> bool {
    part.wishes
        .iter()
        .any(|wish| matches!(wish, Wish::Count | Wish::Distinct))
}

fn of_part(
    part: &Part,
    asking: &[&Part],
    n: usize,
    view: &View<'_>,
    filters: Vec<Filter>,
    group: Option<Group>,
    pace: Option<Pace>,
) -> Result<Vec<Ask>, Open> {
    let mut wishes = part.wishes.clone();
    let bound: Vec<usize> = part
        .filters
        .iter()
        .filter_map(|filter| match filter {
            Filter::Beyond { column, .. } | Filter::Dated { column, .. } => Some(*column),
            _ => None,
        })
        .collect();
    let counting = wishes.contains(&Wish::Count) || wishes.contains(&Wish::Distinct);
    // What a bound is on is measured only if nothing else is asked for.
    let mut measures: Vec<Measure> = part
        .measures
        .iter()
        .filter(|measure| {
            !matches!(measure, Measure::Column(column) if bound.contains(column)
                && (counting || part.names || part.measures.len() > 1 || view.is_dated(*column)))
        })
        .cloned()
        .collect();
    let borrowed = || {
        asking
            .iter()
            .take(n)
            .rev()
            .chain(asking.iter().skip(n + 1))
            .find(|other| !other.measures.is_empty())
            .map(|other| other.measures.clone())
            .unwrap_or_default()
    };
    let extreme = wishes
        .iter()
        .copied()
        .find(|wish| matches!(wish, Wish::Highest | Wish::Lowest));
    let base = Ask {
        wish: Wish::Amount,
        measure: None,
        filters,
        weight: part.weight.or(asking.iter().find_map(|other| other.weight)),
        share: part.share,
        group,
        extreme: None,
        rank: part.rank,
        nth: part.nth,
        that: n > 0 && (part.that || part.filters.is_empty()) && (part.that || part.share),
        pace,
        counts: part.counts,
    };
    // "Which category costs most": of groups, where rows share the category.
    let which = part.which.filter(|column| view.groups(*column));
    if let Some(extreme) = extreme.filter(|_| part.rank.is_none()) {
        let rest: Vec<Wish> = wishes.iter().copied().filter(|wish| *wish != extreme).collect();
        let own_group = which.map(Group::Column).or(part.group);
        if let Some(own_group) = own_group.filter(|_| which.is_some() || part.names || !rest.is_empty()) {
            let wish = match rest.as_slice() {
                [] if measures.is_empty() => Wish::Count,
                [] => Wish::Sum,
                [only] => *only,
                _ => return Err(Open::because("Please ask for one figure at a time.")),
            };
            let measure = if wish == Wish::Count {
                None
            } else {
                measures.into_iter().next()
            };
            if let Some(Measure::Column(column)) = &measure
                && rest.is_empty()
                && view.column(*column).of == Unit::Percent
            {
                return Err(Open::because(format!(
                    "Of each group under the rows, which figure of “{}” do you mean: the average, or a single row's?",
                    view.header(*column)
                )));
            }
            return Ok(vec![Ask {
                wish,
                measure,
                group: Some(own_group),
                extreme: Some(extreme),
                ..base
            }]);
        }
    }
    if counting {
        // "How many square feet" adds up; "how many leases, and their rent" is two things.
        let sizes: Vec<Measure> = measures
            .iter()
            .filter(|measure| {
                matches!(measure, Measure::Column(column)
                if matches!(view.field(*column), Some(Field::Area | Field::Units)))
            })
            .cloned()
            .collect();
        let wish = if wishes.contains(&Wish::Distinct) {
            Wish::Distinct
        } else {
            Wish::Count
        };
        // "Combined" says of it what adding up is.
        let adds = wishes.iter().all(|wish| matches!(wish, Wish::Count | Wish::Sum));
        if adds && part.sized && !sizes.is_empty() && sizes.len() == measures.len() {
            return Ok(sizes
                .into_iter()
                .map(|measure| Ask {
                    wish: Wish::Sum,
                    measure: Some(measure),
                    ..base.clone()
                })
                .collect());
        }
        let mut all = vec![Ask {
            wish,
            measure: None,
            rank: None,
            ..base.clone()
        }];
        wishes.retain(|own| !matches!(own, Wish::Count | Wish::Distinct));
        if measures.is_empty() && !wishes.is_empty() {
            measures = borrowed();
        }
        if !measures.is_empty() {
            let more = if wishes.is_empty() {
                vec![Wish::Sum]
            } else {
                wishes
            };
            all.extend(cross(&base, &more, &measures)?);
        }
        return Ok(all);
    }
    if part.rank.is_some() {
        if measures.is_empty() {
            measures = borrowed();
        }
        if measures.is_empty() {
            measures.extend(view.usual().map(Measure::Column));
        }
        let lowest = extreme == Some(Wish::Lowest);
        let [measure] = measures.as_slice() else {
            return Err(Open::because("By which column should I put them in order?"));
        };
        let group = which.map(Group::Column).or(base.group);
        return Ok(vec![Ask {
            wish: if lowest { Wish::Lowest } else { Wish::Highest },
            measure: Some(measure.clone()),
            group,
            ..base
        }]);
    }
    let named = part.names
        && measures.is_empty()
        && extreme.is_none()
        && !part.share
        && wishes.iter().all(|wish| *wish == Wish::Names);
    if named || (wishes == [Wish::Names]) {
        if part.filters.is_empty() && measures.is_empty() {
            return Ok(Vec::new());
        }
        return Ok(vec![Ask {
            wish: Wish::Names,
            measure: measures.into_iter().next(),
            group: None,
            ..base
        }]);
    }
    if part.names
        && extreme.is_none()
        && wishes.is_empty()
        && !part.share
        && !measures.is_empty()
        && !base.filters.is_empty()
    {
        return Ok(measures
            .into_iter()
            .map(|measure| Ask {
                wish: Wish::Names,
                measure: Some(measure),
                group: None,
                ..base.clone()
            })
            .collect());
    }
    if measures.is_empty() {
        measures = borrowed();
    }
    if measures.is_empty() && !part.share && (!wishes.is_empty() || group.is_some()) {
        measures.extend(view.usual().map(Measure::Column));
    }
    if wishes.is_empty() {
        wishes = if part.share {
            vec![Wish::Sum]
        } else {
            vec![Wish::Amount]
        };
    }
    if part.share && measures.is_empty() {
        if base.filters.is_empty() && !base.that && base.group.is_none() {
            return Ok(Vec::new());
        }
        return Ok(vec![base]);
    }
    if measures.is_empty() {
        return Ok(Vec::new());
    }
    // "Rents of 2027 by year" of plain measures need something to be done with them.
    cross(&base, &wishes, &measures)
}

/// Every wish for every measure, if only one of them is more than one.
fn cross(base: &Ask, wishes: &[Wish], measures: &[Measure]) -> Result<Vec<Ask>, Open> {
    if wishes.len() > 1 && measures.len() > 1 {
        return Err(Open::because(
            "Please ask for one column or one figure at a time.",
        ));
    }
    Ok(measures
        .iter()
        .flat_map(|measure| {
            wishes.iter().map(|wish| Ask {
                wish: *wish,
                measure: Some(measure.clone()),
                ..base.clone()
            })
        })
        .collect())
}
