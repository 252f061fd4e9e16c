//! Weighted average lease terms from leases listed in the question: weight and what is left of each.

use chrono::NaiveDate;
use serde_json::json;

use crate::forms::words::Words;
use crate::lists::around::before;
use crate::lists::basis::{Lease, basis};
use crate::lists::calendar;
use crate::lists::paired::{Item, side_by_side};
use crate::plan::outcome::Ask;
use crate::say::format;
use crate::say::written::{Read, Written, figure, input};
use crate::words::scan::{Base, Shape};
use finance::days::DayCount;
use finance::lease::weighted_term;

pub(crate) fn read(words: &Words, today: NaiveDate) -> Read {
    let asked = words.says(&[
        "wale",
        "walt",
        "wault",
        "weighted average lease",
        "weighted average remaining",
        "weighted average unexpired",
        "weighted lease term",
        "weighted lease expiry",
        "weighted average expiry",
        "weighted expiry",
        "weighted remaining",
        "unexpired term",
        "unexpired lease term",
        "average unexpired",
        "average remaining lease",
        "wtd avg lease",
        "wtd avg remaining",
        "wtd average lease",
        "wtd average remaining",
        "weighted avg lease",
        "weighted avg remaining",
        "weighted avg unexpired",
        "weighted average term",
        "weighted avg term",
        "weighted average time",
        "weighted average years",
        "weighted term",
        "average lease term",
    ]);
    let listed = words.numbers().count() + calendar::dates(words).len() >= 3;
    if !asked || !listed || words.has(&["attached", "attachment", "file", "csv"]) {
        return None;
    }
    Some(weigh(words, today))
}

fn weigh(words: &Words, today: NaiveDate) -> Result<Written, Ask> {
    let (items, dated) = items(words, today)?;
    let in_years = words
        .numbers()
        .find_map(|at| match words.number(at)?.shape {
            Shape::Years => Some(true),
            Shape::Months => Some(false),
            _ => None,
        })
        .unwrap_or(false);
    let leases = leases(&items, in_years)?;
    let by = basis(words, &leases)?;
    let pairs: Vec<(f64, f64)> = leases
        .iter()
        .map(|lease| (by.weight(lease), lease.months))
        .collect();
    if pairs.iter().any(|(weight, _)| *weight <= 0.0) {
        return Err(Ask::because(
            "Every lease needs a weight above zero: its area or its rent.",
        ));
    }
    let months = weighted_term(&pairs).map_err(|fault| Ask::because(fault.sentence()))?;
    let in_months = words.says(&[
        "in months",
        "how many months",
        "months weighted",
        "number of months",
    ]);
    let (value, unit, shown) = if in_months {
        (months, "months", format!("{} months", format::plain(months, 2)))
    } else {
        (
            months / 12.0,
            "years",
            format!("{} years", format::plain(months / 12.0, 2)),
        )
    };
    let definition = "WALT = Σ(weight × remaining term) ÷ Σ weight; vacant space is left out, a lease past its end counts as zero.";
    let inputs = pairs
        .iter()
        .enumerate()
        .flat_map(|(at, (weight, left))| {
            let input = |name: &str, value: f64, unit: &str| input(format!("{name}_{}", at + 1), value, unit);
            [
                input("weight", *weight, by.unit()),
                input("remaining", *left, "months"),
            ]
        })
        .collect();
    let mut figure = figure(by.name(), json!(value), unit, definition, inputs);
    if dated.is_some() {
        figure.as_of = dated;
    }
    let mut remarks = vec![by.remark().to_owned()];
    remarks.extend(calendar::order(words).map(str::to_owned));
    if let Some(day) = dated {
        remarks.push(format!("Remaining terms are counted from {day}, in days ÷ 365."));
    }
    Ok(Written {
        figures: vec![figure],
        said: format!("The weighted average lease term is {shown}"),
        definition: definition.to_owned(),
        head: vec!["Lease", "Weight", "Months left"],
        rows: pairs
            .iter()
            .enumerate()
            .map(|(at, (weight, left))| {
                vec![
                    (at + 1).to_string(),
                    format::plain(*weight, 4),
                    format::plain(*left, 2),
                ]
            })
            .collect(),
        steps: vec![format!(
            "Σ(weight × months left) ÷ Σ weight = {} months.",
            format::plain(months, 4)
        )],
        remarks,
    })
}

/// The numbers of the list with the day that dates are counted from.
fn items(words: &Words, today: NaiveDate) -> Result<(Vec<Item>, Option<NaiveDate>), Ask> {
    let dates = calendar::dates(words);
    let mut start = None;
    let mut ends = Vec::new();
    for (at, date) in &dates {
        let date =
            date.ok_or_else(|| Ask::because(format!("I cannot read the date “{}”.", words.said(*at))))?;
        let of = (1..=2).any(|back| {
            at.checked_sub(back)
                .is_some_and(|at| matches!(words.word(at), "of" | "at" | "on" | "per" | "today"))
        });
        let as_of = of && at.checked_sub(2).is_some_and(|at| words.word(at) == "as")
            || at
                .checked_sub(1)
                .is_some_and(|at| matches!(words.word(at), "from" | "today"))
            || reference(words, *at);
        if as_of {
            start = Some(date);
        } else {
            ends.push((*at, date));
        }
    }
    let months = calendar::month_ends(words);
    ends.extend(months.iter().copied());
    let day = start.unwrap_or(today);
    let mut items: Vec<(usize, Item)> = Vec::new();
    for (at, date) in &ends {
        items.push((
            *at,
            Item::Left(DayCount::Actual365.years(day, *date).max(0.0) * 12.0),
        ));
    }
    for at in words
        .numbers()
        .filter(|at| !months.iter().any(|(end, _)| end == at))
    {
        let Some(number) = words.number(at) else { continue };
        if number.doubtful || number.foreign {
            return Err(Ask::because(format!(
                "I am not sure how to read “{}”.",
                words.said(at)
            )));
        }
        let item = match number.shape {
            Shape::Plain if further(words, at).is_some() => {
                Item::Left(number.value * further(words, at).unwrap_or(1.0))
            }
            Shape::Area => Item::Area(number.value),
            Shape::Percent => Item::Share(number.value),
            Shape::Years => Item::Left(number.value * 12.0),
            Shape::Months => Item::Left(number.value),
            Shape::Money if number.base == Some(Base::Area) => Item::RentPerArea(number.value),
            Shape::Money if number.base.is_none() => Item::Rent(number.value),
            Shape::Plain if number.value >= 1000.0 && weighted(words, RENT) => Item::Rent(number.value),
            Shape::Plain if number.value >= 1000.0 && weighted(words, AREA) => Item::Area(number.value),
            Shape::Plain => Item::Bare(number.value),
            // "three leases", "5 units": how many there are.
            Shape::Units => continue,
            _ => {
                return Err(Ask::because(format!(
                    "I could not tell what “{}” stands for.",
                    words.said(at)
                )));
            }
        };
        // "tenant 1", "lease 2": names of the list's own.
        let label = number.shape == Shape::Plain
            && number.value <= 20.0
            && before(words, at, 1)
                .iter()
                .any(|word| matches!(*word, "tenant" | "lease" | "shop" | "store" | "lessee" | "no"));
        if label {
            continue;
        }
        // "Three leases: …" counts the list.
        let counts = item == Item::Bare(number.value)
            && matches!(words.word(at + 1), "leases" | "tenants" | "lease" | "suites");
        if !counts {
            items.push((at, item));
        }
    }
    items.extend(remainder(words, &items));
    items.sort_by_key(|(at, _)| *at);
    let items = over(words, vacant(words, items));
    Ok((breaks(words, items)?, (!ends.is_empty()).then_some(day)))
}

const RENT: &[&str] = &["rent", "income", "revenue"];
const AREA: &[&str] = &["area", "sf", "nla", "gla", "size", "space"];

/// "weighted by annual rent": what the weights are, where their numbers have no unit.
fn weighted(words: &Words, nouns: &[&str]) -> bool {
    (0..words.tokens.len()).any(|at| {
        matches!(words.word(at), "by" | "on") && (1..=3).any(|ahead| nouns.contains(&words.word(at + ahead)))
    })
}

/// "for 6 more years", "3 further months": the months in one of them.
fn further(words: &Words, at: usize) -> Option<f64> {
    let more = matches!(
        words.word(at + 1),
        "more" | "further" | "additional" | "remaining" | "full" | "clear"
    );
    match words.word(at + 2) {
        "year" | "years" | "yrs" | "yr" if more => Some(12.0),
        "month" | "months" | "mos" if more => Some(1.0),
        _ => None,
    }
}

/// "Valuation date is 31 December 2026": the day that the others are counted from.
fn reference(words: &Words, at: usize) -> bool {
    let near = before(words, at, 4);
    let named = near.iter().any(|word| {
        matches!(
            *word,
            "valuation" | "measurement" | "reference" | "valued" | "measured" | "reporting" | "dated"
        )
    });
    let lease = near.iter().any(|word| {
        matches!(
            *word,
            "until" | "through" | "expires" | "expiring" | "ends" | "ending" | "to" | "expiry"
        )
    });
    let taken =
        matches!(near.as_slice(), ["at", "as", ..]) || matches!(near.as_slice(), ["is" | "of", "date", ..]);
    (named || taken) && !lease
}

/// "5,000 sf standing vacant" has no term and no weight.
fn vacant(words: &Words, items: Vec<(usize, Item)>) -> Vec<(usize, Item)> {
    items
        .into_iter()
        .filter(|(at, item)| {
            let empty = (1..=4)
                .take_while(|ahead| words.number(at + ahead).is_none() && !words.mark(at + ahead, ','))
                .any(|ahead| matches!(words.word(at + ahead), "vacant" | "empty" | "unlet" | "unleased"));
            !(empty && matches!(item, Item::Area(_) | Item::Bare(_)))
        })
        .collect()
}

/// "80k expired (holdover)": a lease past its end has no time left.
fn over(words: &Words, mut items: Vec<(usize, Item)>) -> Vec<(usize, Item)> {
    let found: Vec<usize> = items
        .iter()
        .filter(|(_, item)| !matches!(item, Item::Left(_) | Item::Break(_)))
        .filter_map(|(at, _)| {
            (1..=4)
                .take_while(|ahead| words.number(at + ahead).is_none() && !words.mark(at + ahead, ','))
                .map(|ahead| at + ahead)
                .find(|at| matches!(words.word(*at), "expired" | "holdover" | "lapsed"))
        })
        .collect();
    items.extend(found.into_iter().map(|at| (at, Item::Left(0.0))));
    items.sort_by_key(|(at, _)| *at);
    items
}

/// Terms to the first break, where it is asked for; the breaks are left out otherwise.
fn breaks(words: &Words, items: Vec<(usize, Item)>) -> Result<Vec<Item>, Ask> {
    let months = items
        .iter()
        .any(|(_, item)| matches!(item, Item::Left(left) if left % 12.0 != 0.0));
    let marked: Vec<Item> = items
        .into_iter()
        .map(|(at, item)| {
            let word = |back: usize| at.checked_sub(back).map_or("", |at| words.word(at));
            let of_break = word(1) == "break"
                || (word(2) == "break" && matches!(word(1), "in" | "after" | "at" | "option"));
            match item {
                Item::Left(left) if of_break => Item::Break(left),
                Item::Bare(left) if of_break => Item::Break(if months { left } else { left * 12.0 }),
                item => item,
            }
        })
        .collect();
    if !marked.iter().any(|item| matches!(item, Item::Break(_))) {
        return Ok(marked);
    }
    let to_break = words.says(&[
        "to break",
        "to first break",
        "to the first break",
        "first break",
        "to earliest break",
    ]);
    let to_end = words.says(&["to expiry", "to expiration", "to end", "to lease end"]) && !to_break;
    if !to_break && !to_end && !words.says(&["unexpired"]) {
        return Err(Ask::because(
            "Should the terms run to expiry or to the first break?",
        ));
    }
    let mut out: Vec<Item> = Vec::new();
    for item in marked {
        match (item, out.last_mut()) {
            (Item::Break(left), Some(Item::Left(last))) => {
                if to_break {
                    *last = left.min(*last);
                }
            }
            (Item::Break(_), _) => {
                return Err(Ask::because("Please give each lease's end before its break."));
            }
            (item, _) => out.push(item),
        }
    }
    Ok(out)
}

/// "45% in 2 years, 35% in 4 years, the rest in 8 years": what the other shares leave of the whole.
fn remainder(words: &Words, items: &[(usize, Item)]) -> Option<(usize, Item)> {
    let shares: f64 = items
        .iter()
        .filter_map(|(_, item)| match item {
            Item::Share(share) => Some(*share),
            _ => None,
        })
        .sum();
    // "The other quarter" is what is left, where that is a quarter.
    let left = 100.0 - shares;
    let part = |word: &str| match word {
        "half" => 50.0,
        "third" => 100.0 / 3.0,
        "quarter" => 25.0,
        "fifth" => 20.0,
        "tenth" => 10.0,
        _ => 0.0,
    };
    let other = (0..words.tokens.len()).find(|at| {
        matches!(words.word(*at), "other" | "last" | "final" | "remaining")
            && part(words.word(at + 1)) > 0.0
            && (part(words.word(at + 1)) - left).abs() < 0.5
    });
    if let Some(at) = other {
        return Some((at, Item::Share(left)));
    }
    let at = (0..words.tokens.len()).find(|at| {
        matches!(words.word(*at), "rest" | "remainder" | "balance" | "remaining")
            && at
                .checked_sub(1)
                .is_some_and(|before| words.word(before) == "the")
            && !matches!(words.word(at + 1), "term" | "lease" | "leases" | "years")
    })?;
    // "the remaining 20%" says it itself.
    let said = words.number(at + 1).is_some();
    (!said && shares > 0.0 && shares < 100.0).then_some((at, Item::Share(100.0 - shares)))
}

/// Cuts the list into leases of equal make: each has one term, at the same place.
fn leases(items: &[Item], in_years: bool) -> Result<Vec<Lease>, Ask> {
    let unclear = || {
        Ask::because(
            "Please give each lease as its area or rent and the time left, in the same order throughout.",
        )
    };
    let terms = items.iter().filter(|item| matches!(item, Item::Left(_))).count();
    let paired = side_by_side(items, in_years);
    let items = paired.as_deref().unwrap_or(items);
    let size = [2, 3]
        .into_iter()
        .find(|size| {
            items.len().is_multiple_of(*size) && items.chunks(*size).all(|chunk| fits(chunk, items, *size))
        })
        .ok_or_else(unclear)?;
    if terms == 0 {
        return Err(unclear());
    }
    let model = items.get(..size).ok_or_else(unclear)?;
    let place = model
        .iter()
        .position(|item| matches!(item, Item::Left(_)))
        .ok_or_else(unclear)?;
    // The unit of a bare term is that of the first; above 15 it can only be months.
    let long = |item: &Item| matches!(item, Item::Bare(value) if *value > 15.0 && *value < 600.0);
    let unit = if in_years && !items.iter().any(long) {
        12.0
    } else {
        1.0
    };
    items
        .chunks(size)
        .map(|chunk| {
            let mut lease = Lease::default();
            let mut per_area = None;
            for (at, (item, model)) in chunk.iter().zip(model).enumerate() {
                let item = match (item, model) {
                    (Item::Bare(value), Item::Left(_)) => Item::Left(value * unit),
                    (Item::Bare(value), Item::Area(_)) => Item::Area(*value),
                    (Item::Bare(value), Item::Share(_)) => Item::Share(*value),
                    (Item::Bare(value), Item::Rent(_)) => Item::Rent(*value),
                    (Item::Bare(value), Item::RentPerArea(_)) => Item::RentPerArea(*value),
                    (item, _) => *item,
                };
                match item {
                    Item::Left(months) if at == place => lease.months = months,
                    Item::Area(value) => lease.area = Some(value),
                    Item::Share(value) => lease.share = Some(value),
                    Item::Rent(value) => lease.rent = Some(value),
                    Item::RentPerArea(value) => per_area = Some(value),
                    _ => return Err(unclear()),
                }
            }
            if let (Some(rent), Some(area)) = (per_area, lease.area) {
                lease.rent = Some(rent * area);
            }
            Ok(lease)
        })
        .collect()
}

fn fits(chunk: &[Item], items: &[Item], size: usize) -> bool {
    let Some(model) = items.get(..size) else {
        return false;
    };
    let kinds = chunk.iter().zip(model).all(|(item, model)| {
        matches!(item, Item::Bare(_)) || std::mem::discriminant(item) == std::mem::discriminant(model)
    });
    let one = model.iter().filter(|item| matches!(item, Item::Left(_))).count() == 1;
    // Two rents in one lease are two leases, of which one lacks its term.
    let single = model.iter().enumerate().all(|(at, item)| {
        model
            .iter()
            .skip(at + 1)
            .all(|other| std::mem::discriminant(item) != std::mem::discriminant(other))
    });
    kinds && one && single && !model.iter().any(|item| matches!(item, Item::Bare(_)))
}
