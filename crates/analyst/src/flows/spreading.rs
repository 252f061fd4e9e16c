//! Years that are said of a whole list: "50k, 60k and 700k in years 1-3", "in years 1-3: 50k, 60k and 700k", "over four
//! years".
//!
//! Gives each member its year where members and years are as many; lays nothing out.

use crate::flows::placed::Placed;

/// "50k, 60k and 700k in years 1-3": the years of a list are of all its members.
pub(super) fn spread(placed: &mut [Placed]) {
    let mut from = 0;
    while from < placed.len() {
        let group = placed.get(from).map_or(0, |item| item.group);
        let size = placed
            .iter()
            .skip(from)
            .take_while(|item| item.group == group)
            .count();
        led(placed, from, size);
        let last = placed.get(from + size - 1);
        let years = last
            .and_then(|item| item.at.clone())
            .filter(|years| size > 1 && years.len() == size);
        let sides = placed
            .iter()
            .skip(from)
            .take(size.saturating_sub(1))
            .zip(years.iter().flatten())
            // A member with a year of its own is none of the list.
            .all(|(item, year)| item.at.as_ref().is_none_or(|own| own == &[*year]));
        if let Some(years) = years.filter(|_| sides) {
            for (item, year) in placed.iter_mut().skip(from).zip(years) {
                item.at = Some(vec![year]);
                item.recurs = false;
            }
        }
        // "40k, 50k and 60k over three years": as many years as members.
        let tail: Vec<bool> = placed.iter().skip(from).take(size).map(|item| item.out).collect();
        if let Some(item) = placed.get_mut(from + size - 1)
            && item
                .span
                .is_some_and(|span| span == tail.iter().filter(|out| !**out).count())
            && size > 1
        {
            item.span = None;
            item.over = false;
            item.recurs = item.growth != 0.0;
        }
        from += size.max(1);
    }
    spread_on(placed);
}

/// "41k, 43k and then 420k over the next three years": the years are those of all receipts in a row.
fn spread_on(placed: &mut [Placed]) {
    for index in 1..placed.len() {
        let row = placed
            .get(..index)
            .unwrap_or_default()
            .iter()
            .rev()
            .take_while(|item| {
                !item.out && !item.recurs && item.at.is_none() && item.last.is_none() && item.span.is_none()
            })
            .count();
        if let Some(item) = placed.get_mut(index)
            && item.over
            && !item.out
            && !item.recurs
            && item.span == Some(row + 1)
        {
            item.span = None;
            item.over = false;
        }
    }
}

/// "in years 1-3: 50k, 60k and 700k": the years before a list are of all its members too.
fn led(placed: &mut [Placed], from: usize, size: usize) {
    let Some(first) = placed.get(from).filter(|first| size > 1 && !first.each) else {
        return;
    };
    // "The three year-ends after that bring in 15k, 18k and 21k": as many years as members, one after the other.
    if first.span == Some(size) && first.growth == 0.0 && !first.counted {
        if let Some(first) = placed.get_mut(from) {
            first.span = None;
            first.over = false;
            first.recurs = false;
        }
        return;
    }
    let years = first.at.clone().filter(|years| years.len() == size);
    let free = placed
        .iter()
        .skip(from + 1)
        .take(size - 1)
        .all(|item| item.at.is_none() && item.last.is_none() && !item.each);
    if let Some(years) = years.filter(|_| free) {
        for (item, year) in placed.iter_mut().skip(from).zip(years) {
            item.at = Some(vec![year]);
            item.span = None;
            item.recurs = false;
        }
    }
}

/// Years named before a list of another length: which of them each amount is of, nobody can tell.
pub(super) fn uneven(placed: &[Placed]) -> bool {
    placed.iter().enumerate().any(|(index, item)| {
        let several = item.at.as_ref().is_some_and(|years| years.len() > 1)
            || (item.span.is_some() && item.at.is_none() && item.growth == 0.0 && !item.counted);
        let goes_on = placed.get(index + 1).is_some_and(|next| {
            next.group == item.group && next.at.is_none() && next.last.is_none() && !next.each
        });
        let begins = index == 0
            || placed
                .get(index - 1)
                .is_some_and(|before| before.group != item.group);
        several && begins && goes_on && !item.each
    })
}
