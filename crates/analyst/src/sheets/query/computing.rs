//! One wish computed over the rows it is about: counts, sums, averages, extremes, shares, lists.
//!
//! Groups are [`grouping`](super::grouping)'s. Knows no words.

use crate::sheets::finding::{Finding, Open, Outcome, plain};
use crate::sheets::query::amounts::Amounts;
use crate::sheets::query::cues::Wish;
use crate::sheets::query::filters::{Filter, Key};
use crate::sheets::query::grouping;
use crate::sheets::query::part::{Let, Measure};
use crate::sheets::query::view::View;
use crate::sheets::query::wanted::{Ask, Asked, Chosen, Picked};
use tables::headers::Field;
use tables::kind::Kind;
use tables::tenancy::{self, About, Doubt, State};

pub(crate) fn compute(ask: &Ask, view: &View<'_>, chosen: &mut Chosen) -> Result<Outcome, Open> {
    let amounts = match &ask.measure {
        Some(measure) => Some(Amounts::of(view, measure.clone(), ask.pace).map_err(Open::because)?),
        None => None,
    };
    let stated = ask
        .filters
        .iter()
        .any(|filter| matches!(filter, Filter::State { .. }));
    let rent = amounts.as_ref().is_some_and(Amounts::is_rent);
    let sums = matches!(ask.wish, Wish::Sum | Wish::Amount);
    // A sum of rents has those of all spaces that are not vacant, also of those whose state is unknown.
    let stated = stated
        || matches!(
            ask.measure,
            Some(Measure::Let {
                of: Let::Spaces { .. },
                ..
            })
        );
    let matters = |doubt: &&Doubt| stated || rent && !(sums && doubt.about == About::Status);
    if let Some(doubt) = view.doubts.iter().find(matters) {
        return Err(Open::because(doubt.sentence.clone()));
    }
    let back = ask.that && chosen.some;
    let mut rows: Vec<usize> = if back {
        chosen.rows.clone()
    } else {
        view.rows().collect()
    };
    let owed = !back && matches!(ask.measure, Some(Measure::Column(column)) if view.is_owed(column));
    if owed {
        rows = view.all();
    }
    rows.retain(|at| ask.filters.iter().all(|filter| filter.holds(view, *at)));
    let mut base: Vec<usize> = view.rows().collect();
    if view.charges {
        // Of charges the rows count that have one; of units, one row for each.
        let coded = view.table.column(Field::ChargeCode);
        let charged = ask
            .filters
            .iter()
            .any(|filter| Some(filter.key()) == coded.map(Key::Column));
        let of_charges = charged
            || matches!(ask.measure, Some(Measure::Column(column)) if Some(column) == view.table.column(Field::Amount));
        let kept = |at: &usize| match (of_charges, coded) {
            (true, Some(code)) => view
                .row(*at)
                .is_some_and(|row| !view.table.text(row, code).is_empty()),
            _ => view.is_head(*at),
        };
        rows.retain(kept);
        base.retain(kept);
    }
    let mut asking = 0;
    if lets(ask, view, amounts.as_ref()) && !stated {
        let occupied = |at: &usize| view.state(*at) == Some(State::Occupied);
        rows.retain(occupied);
        base.retain(occupied);
    } else if let Some(amounts) = amounts.as_ref().filter(|_| rent && !stated) {
        let pays = |at: &usize| view.state(*at).is_none_or(State::pays);
        let asked = |at: &&usize| !pays(at) && amounts.value(**at).is_some_and(|amount| amount > 0.0);
        asking = rows.iter().filter(asked).count();
        rows.retain(pays);
        base.retain(pays);
    }
    let mut labels: Vec<String> = ask.filters.iter().map(|filter| filter.label(view)).collect();
    if back && ask.filters.is_empty() && !chosen.label.is_empty() {
        labels.push(chosen.label.clone());
    }
    let of = if labels.is_empty() {
        String::new()
    } else {
        format!(" where {}", labels.join(" and "))
    };
    if rows.is_empty() && ask.wish != Wish::Count {
        return Err(Open::because(format!("I found no row{of}.")));
    }
    let own = Asked {
        ask,
        view,
        amounts,
        rows,
        base,
        of,
    };
    let (mut outcome, picked) = if let Some(group) = ask.group {
        grouping::compute(&own, group)?
    } else {
        own.single(back)?
    };
    outcome.remarks.extend(tenancy::asking(asking));
    if !back {
        let some = picked.is_some() || !ask.filters.is_empty();
        chosen.some = some;
        chosen.label = labels.join(" and ");
        if let Some((rows, label)) = picked {
            chosen.rows = rows;
            chosen.label = label;
        } else {
            chosen.rows = own.rows;
        }
    }
    Ok(outcome)
}

/// Whether only spaces that are let count: averages of rents, and leases that end.
fn lets(ask: &Ask, view: &View<'_>, amounts: Option<&Amounts<'_>>) -> bool {
    if view.sheet.kind != Kind::RentRoll {
        return false;
    }
    let rents = amounts.is_some_and(Amounts::is_rent) && !matches!(ask.wish, Wish::Sum | Wish::Amount);
    let ends = ask.filters.iter().any(|filter| {
        matches!(filter, Filter::Dated { column, .. } if view.field(*column) == Some(Field::EndDate))
    });
    rents || ends
}

impl Asked<'_> {
    fn single(&self, back: bool) -> Result<(Outcome, Picked), Open> {
        if self.ask.rank.is_some() {
            return self.ranked();
        }
        if let Some(column) = self.date_column() {
            return self.dated(column);
        }
        if self.ask.share {
            return self.share(back);
        }
        match self.ask.wish {
            Wish::Count | Wish::Distinct => Ok((self.count(), None)),
            Wish::Names => Ok((self.names(), None)),
            Wish::Highest | Wish::Lowest => self.extreme(),
            _ => {
                let finding = self.figure(self.ask.wish, &self.rows)?;
                Ok((
                    Outcome {
                        findings: finding,
                        remarks: self.blanks(),
                        ..Outcome::default()
                    },
                    None,
                ))
            }
        }
    }

    fn share(&self, back: bool) -> Result<(Outcome, Picked), Open> {
        let Some(amounts) = &self.amounts else {
            let (part, all) = (self.rows.len() as f64, self.base.len().max(1) as f64);
            let finding = Finding::percent(
                "share_of_rows",
                &format!("share of rows{}", self.of),
                part / all,
                "Share = rows asked about ÷ all rows.",
            )
            .step(format!("{} of {} rows.", plain(part, 0), plain(all, 0)));
            return Ok((Outcome::figures(vec![finding]), None));
        };
        if !amounts.adds() {
            return Err(Open::because(format!(
                "{} has no sum to take a share of.",
                amounts.label()
            )));
        }
        if self.ask.filters.len() > 1 && !back {
            return Err(Open::because(
                "A share of all rows, or of those that fit a part of your conditions? Please ask with one condition.",
            ));
        }
        let (rows, of) = match self.ask.wish {
            Wish::Highest | Wish::Lowest => {
                let (outcome, picked) = self.extreme()?;
                let name = outcome
                    .findings
                    .first()
                    .and_then(|finding| finding.subject.clone());
                (
                    picked.map(|(rows, _)| rows).unwrap_or_default(),
                    format!(" of {}", name.unwrap_or_default()),
                )
            }
            _ => (self.rows.clone(), self.of.clone()),
        };
        let sum = |rows: &[usize]| rows.iter().filter_map(|row| amounts.value(*row)).sum::<f64>();
        let (part, all) = (sum(&rows), sum(&self.base));
        if all == 0.0 {
            return Err(Open::because(format!(
                "All of {} adds up to zero, so there is no share.",
                amounts.label()
            )));
        }
        let finding = Finding::percent(
            &format!("share_{}", amounts.word()),
            &format!("share of {}{of}", amounts.label()),
            part / all,
            "Share = sum over the rows asked about ÷ sum over all rows.",
        )
        .input("part", part, amounts.unit(), self.source())
        .input("total", all, amounts.unit(), self.source())
        .step(format!("{} of {}.", amounts.shown(part), amounts.shown(all)));
        Ok((Outcome::figures(vec![finding]), None))
    }
}
