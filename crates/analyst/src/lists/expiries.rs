//! Which part of the rent or the area ends in a year, from leases listed in the question.
//!
//! A list that does not follow one pattern throughout, or that holds space without an end, is left to others.

use chrono::Datelike;
use serde_json::json;

use crate::forms::words::Words;
use crate::lists::around::{before, counts_list, ends_sentence};
use crate::lists::calendar;
use crate::say::format;
use crate::say::written::{Read, Written, figure, input};
use crate::words::scan::{Base, Number, Shape, Sign};

const ENDS: &[&str] = &[
    "expire",
    "expires",
    "expiring",
    "expiry",
    "expiries",
    "expirations",
    "roll",
    "rolls",
    "rolling",
    "rollover",
    "mature",
    "matures",
    "maturing",
    "lapse",
    "lapses",
    "end",
    "ends",
    "ending",
    "exp",
    "renewal",
    "due",
    "runs",
];
const SHARES: &[&str] = &[
    "share",
    "percent",
    "percentage",
    "pct",
    "proportion",
    "fraction",
    "portion",
    "part",
    "much",
];
/// Words that lead to an end: a year behind them is no amount.
#[rustfmt::skip]
const LEADS: &[&str] = &[
    "in", "exp", "expires", "expire", "expiring", "expiry", "expiration", "until", "till", "til", "through", "thru", "to", "ends", "ending",
    "end", "by", "of", "during", "rolls", "rolling", "roll", "out", "matures", "for", "year", "fy", "calendar", "up", "lapses", "late", "mid", "early",
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Item {
    Rent(f64),
    RentPerArea(f64),
    Area(f64),
    End(i32),
}

pub(crate) fn read(words: &Words) -> Read {
    let open = words.has(&[
        "attached",
        "attachment",
        "file",
        "csv",
        "holdover",
        "mtm",
        "vacant",
        "vacancy",
        "renewed",
        "renews",
        "if",
        "retention",
        "option",
        "options",
        "break",
        "breaks",
        "loans",
        "debt",
        "noi",
        "walt",
        "wale",
        "wault",
        "weighted",
    ]) || words.says(&["month to month"]);
    // "For the loan memo": what the figure is for.
    let lent = (0..words.tokens.len()).any(|at| {
        words.word(at) == "loan"
            && !matches!(
                words.word(at + 1),
                "memo"
                    | "memorandum"
                    | "committee"
                    | "package"
                    | "file"
                    | "submission"
                    | "application"
                    | "request"
                    | "write"
            )
    });
    if open || lent {
        return None;
    }
    let (asked, year, through) = asked(words)?;
    let items = items(words, asked)?;
    let size = [2, 3].into_iter().find(|size| alike(&items, *size))?;
    let leases: Vec<&[Item]> = items.chunks(size).collect();
    if leases.len() < 2 {
        return None;
    }
    let by_area = by_area(words, &leases)?;
    let weights: Option<Vec<(f64, i32)>> = leases.iter().map(|lease| weight(lease, by_area)).collect();
    let weights = weights?;
    Some(Ok(written(&weights, year, through, by_area)))
}

/// For each token, the first one from there on that passes a test.
fn next(words: &Words, test: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut last = words.tokens.len();
    let backwards = (0..last).rev();
    let mut found: Vec<usize> = backwards
        .map(|at| {
            if test(at) {
                last = at;
            }
            last
        })
        .collect();
    found.reverse();
    found
}

/// The token of the year that is asked about, in the sentence that asks for a share of what ends then.
fn asked(words: &Words) -> Option<(usize, i32, bool)> {
    let shares: Vec<usize> = (0..words.tokens.len())
        .filter(|at| SHARES.contains(&words.word(*at)) || words.mark(*at, '%'))
        .collect();
    // "2027 rollover as a percent of rent".
    let ahead = words
        .numbers()
        .find(|at| matches!(words.word(at + 1), "rollover" | "expiries" | "expirations"));
    if let Some(at) = ahead
        && !shares.is_empty()
        && let Some(year) = words.number(at).and_then(year)
    {
        return Some((at, year, false));
    }
    let of_year = |at: usize| words.number(at).and_then(year);
    let stops = next(words, |at| ends_sentence(words, at));
    let ends = next(words, |at| ENDS.contains(&words.word(at)));
    let years = next(words, |at| of_year(at).is_some());
    let following = |places: &[usize], at: usize| places.get(at).copied().unwrap_or(words.tokens.len());
    for share in shares {
        // "Alder pays 14,000 to 2027, what share …?": the question begins at the share.
        let from = (share.saturating_sub(4)..share)
            .rev()
            .find(|at| ends_sentence(words, *at))
            .map_or(share.saturating_sub(4), |at| at + 1);
        let (to, at) = (following(&stops, share), following(&years, share));
        let (true, Some(year)) = (following(&ends, from) < to && at < to, of_year(at)) else {
            continue;
        };
        let near = at.checked_sub(1).map_or("", |at| words.word(at));
        let plain = matches!(
            near,
            "in" | "during" | "for" | "calendar" | "year" | "fy" | "over"
        );
        let more = matches!(
            words.word(at + 1),
            "and" | "or" | "to" | "through" | "onwards" | "onward"
        ) || words.mark(at + 1, '-')
            || words.mark(at + 1, '/');
        // "Through the end of 2027": all that end until then.
        let back = before(words, at, 5);
        let until = back.starts_with(&["through"])
            || ["end", "year-end", "yearend"].iter().any(|end| {
                let rest: Vec<&str> = back
                    .iter()
                    .copied()
                    .filter(|word| !matches!(*word, "of" | "the" | "year" | "calendar"))
                    .collect();
                rest.first() == Some(end)
                    && matches!(
                        rest.get(1),
                        Some(&("through" | "by" | "until" | "before" | "thru"))
                    )
            });
        return ((plain || until) && !more).then_some((at, year, until));
    }
    None
}

fn year(number: &Number) -> Option<i32> {
    let whole = number.value.fract() == 0.0 && (2000.0..=2100.0).contains(&number.value);
    (whole
        && matches!(number.shape, Shape::Calendar | Shape::Plain | Shape::YearLabel)
        && number.short
        && !number.dollars
        && matches!(number.sign, Sign::None | Sign::Brackets))
    .then_some(number.value as i32)
}

fn items(words: &Words, asked: usize) -> Option<Vec<Item>> {
    let dates = calendar::dates(words);
    let mut found: Vec<(usize, Item)> = Vec::new();
    for (at, date) in &dates {
        found.push((*at, Item::End((*date)?.year())));
    }
    // "8,400 sf in 2027, 15,600 in 2028": the unit is told once, and nothing is told of rents.
    let shaped = |shape: Shape| {
        words
            .numbers()
            .any(|at| words.number(at).is_some_and(|number| number.shape == shape))
    };
    let areas = shaped(Shape::Area)
        && !shaped(Shape::Money)
        && !words.has(&["rent", "rents", "income", "revenue", "pays", "paying"]);
    let mut counts = Vec::new();
    let mut total: Option<f64> = None;
    for at in words.numbers().filter(|at| *at != asked) {
        let number = words.number(at)?;
        if number.doubtful || number.foreign || number.sign == Sign::Minus {
            return None;
        }
        let led = number.shape == Shape::Calendar
            || number.sign == Sign::Brackets
            || before(words, at, 1)
                .iter()
                .any(|word| LEADS.contains(word) || month(word))
            || words.mark(at.saturating_sub(1), '(');
        let item = match number.shape {
            Shape::Calendar | Shape::Plain | Shape::YearLabel if led && year(number).is_some() => {
                Item::End(year(number)?)
            }
            // "106,000 sf total": the sum of the list, once more.
            Shape::Area
                if total.is_none()
                    && (matches!(words.word(at + 1), "total" | "altogether")
                        || words.word(at + 1) == "in" && words.word(at + 2) == "total"
                        || at
                            .checked_sub(1)
                            .is_some_and(|at| matches!(words.word(at), "total" | "totals"))) =>
            {
                total = Some(number.value);
                continue;
            }
            Shape::Area => Item::Area(number.value),
            Shape::Money if number.base == Some(Base::Area) => Item::RentPerArea(number.value),
            Shape::Money if number.base.is_none() => Item::Rent(number.value),
            Shape::Plain if number.value >= 500.0 && areas => Item::Area(number.value),
            Shape::Plain if number.value >= 500.0 => Item::Rent(number.value),
            Shape::Plain | Shape::Units if number.value <= 20.0 => {
                counts.push(at);
                continue;
            }
            _ => return None,
        };
        found.push((at, item));
    }
    found.sort_by_key(|(at, _)| *at);
    let leases = found
        .iter()
        .filter(|(_, item)| matches!(item, Item::End(_)))
        .count();
    if !counts.iter().all(|at| counts_list(words, *at, leases)) {
        return None;
    }
    let listed: f64 = found
        .iter()
        .filter_map(|(_, item)| match item {
            Item::Area(area) => Some(*area),
            _ => None,
        })
        .sum();
    if total.is_some_and(|total| (total - listed).abs() > 0.5) {
        return None;
    }
    let per = |at: usize| words.number(at).and_then(|number| number.per);
    let mut periods: Vec<_> = found
        .iter()
        .filter(|(_, item)| matches!(item, Item::Rent(_)))
        .filter_map(|(at, _)| per(*at))
        .collect();
    periods.dedup();
    // Rents of a month beside rents of a year do not add up.
    (periods.len() <= 1).then(|| found.into_iter().map(|(_, item)| item).collect())
}

fn month(word: &str) -> bool {
    const NAMES: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    NAMES.iter().any(|name| word.starts_with(name))
}

fn alike(items: &[Item], size: usize) -> bool {
    let Some(model) = items.get(..size) else {
        return false;
    };
    let one = model.iter().filter(|item| matches!(item, Item::End(_))).count() == 1;
    one && items.len().is_multiple_of(size)
        && items.chunks(size).all(|chunk| {
            chunk
                .iter()
                .zip(model)
                .all(|(item, model)| std::mem::discriminant(item) == std::mem::discriminant(model))
        })
}

fn by_area(words: &Words, leases: &[&[Item]]) -> Option<bool> {
    let model = leases.first()?;
    let area = model.iter().any(|item| matches!(item, Item::Area(_)));
    let rent = model
        .iter()
        .any(|item| matches!(item, Item::Rent(_) | Item::RentPerArea(_)));
    let of_rent = words.has(&["rent", "rents", "income", "rental", "revenue"]);
    let of_area = words.says(&[
        "by area",
        "leased sf",
        "leased area",
        "by sf",
        "by square feet",
        "by square foot",
        "by square footage",
        "of area",
        "of the area",
        "space",
        "nla",
        "gla",
        "of the building",
        "square footage",
        "of total area",
        "footage",
    ]);
    match (area, rent) {
        (true, false) if !of_rent => Some(true),
        (false, true) if !of_area => Some(false),
        (true, true) if of_area && !of_rent => Some(true),
        (true, true) if of_rent && !of_area => Some(false),
        _ => None,
    }
}

fn weight(lease: &[Item], by_area: bool) -> Option<(f64, i32)> {
    let (mut area, mut rent, mut per_area, mut end) = (None, None, None, None);
    for item in lease {
        match item {
            Item::Area(value) => area = Some(*value),
            Item::Rent(value) => rent = Some(*value),
            Item::RentPerArea(value) => per_area = Some(*value),
            Item::End(year) => end = Some(*year),
        }
    }
    let weight = if by_area {
        area
    } else {
        rent.or_else(|| Some(per_area? * area?))
    };
    Some((weight.filter(|weight| *weight > 0.0)?, end?))
}

fn written(weights: &[(f64, i32)], year: i32, through: bool, by_area: bool) -> Written {
    let all: f64 = weights.iter().map(|(weight, _)| weight).sum();
    let ending: f64 = weights
        .iter()
        .filter(|(_, end)| *end == year || through && *end < year)
        .map(|(weight, _)| weight)
        .sum();
    let share = ending / all;
    let (noun, unit) = if by_area {
        ("area", "sqft")
    } else {
        ("rent", "USD")
    };
    let when = if through { "until the end of" } else { "in" };
    let definition =
        format!("Rollover = the {noun} of the leases that end {when} the year ÷ the {noun} of all of them.");
    let inputs = weights
        .iter()
        .enumerate()
        .map(|(at, (weight, _))| input(format!("{noun}_{}", at + 1), *weight, unit))
        .collect();
    let shown = format!("{}%", format::plain(share * 100.0, 2));
    Written {
        figures: vec![figure(
            "rollover_pct",
            json!(share),
            "percent",
            &definition,
            inputs,
        )],
        said: format!("{shown} of the {noun} ends {when} {year}"),
        definition,
        head: vec!["Lease", "Weight", "Ends in"],
        rows: weights
            .iter()
            .enumerate()
            .map(|(at, (weight, end))| vec![(at + 1).to_string(), format::plain(*weight, 2), end.to_string()])
            .collect(),
        steps: vec![format!(
            "{} ÷ {} = {shown}.",
            format::plain(ending, 2),
            format::plain(all, 2)
        )],
        remarks: Vec::new(),
    }
}
