//! Leasing commissions: percentages of the rents of certain years.
//!
//! The rents of the years are those of [`steps`](super::steps).

use serde_json::json;

use crate::forms::words::Words;
use crate::lists::schedule::{Schedule, grows};
use crate::lists::spans::Item;
use crate::say::format;
use crate::say::written::{Written, figure};

/// A commission: one share of all rents, or shares of the rents of certain years.
pub(crate) fn commission(words: &Words, items: &[Item], schedule: &Schedule) -> Option<Written> {
    let mut shares: Vec<(f64, Option<(usize, usize)>)> = Vec::new();
    for item in items {
        match item {
            Item::Share(_, at) if grows(words, *at) => {}
            Item::Share(share, _) => shares.push((*share, None)),
            Item::Span(from, to) => {
                let last = shares.last_mut()?;
                last.1 = Some(
                    last.1
                        .map_or((*from, *to), |(start, end)| (start.min(*from), end.max(*to))),
                );
            }
            _ => {}
        }
    }
    let years = schedule.rents.len();
    if schedule.free > 0.0
        || !schedule
            .rents
            .first()
            .is_some_and(|rent| schedule.yearly(*rent).1)
    {
        return None;
    }
    let mut covered = 0;
    let mut total = 0.0;
    let mut rows = Vec::new();
    for (share, span) in &shares {
        let (from, to) = match span {
            Some((from, to)) => (*from, (*to).min(years)),
            None if shares.len() == 1 => (1, years),
            None => return None,
        };
        if from != covered + 1 || to < from {
            return None;
        }
        covered = to;
        let rent: f64 = schedule
            .rents
            .iter()
            .skip(from - 1)
            .take(to + 1 - from)
            .map(|rent| schedule.yearly(*rent).0)
            .sum();
        total += share * rent;
        rows.push(vec![
            if from == to {
                from.to_string()
            } else {
                format!("{from}–{to}")
            },
            format::money(rent),
            format!("{}%", format::plain(share * 100.0, 3)),
            format::money(share * rent),
        ]);
    }
    if covered != years || shares.is_empty() {
        return None;
    }
    let definition = "Commission = Σ percentage × rents of its years.";
    Some(Written {
        figures: vec![figure(
            "commission",
            json!(total),
            "USD",
            definition,
            schedule.inputs(),
        )],
        said: format!("The leasing commission is {}", format::money(total)),
        definition: definition.to_owned(),
        head: vec!["Years", "Rents", "Percentage", "Commission"],
        rows,
        steps: vec![definition.to_owned()],
        remarks: Vec::new(),
    })
}
