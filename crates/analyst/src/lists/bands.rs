//! Percentage rent with several bands of sales, and the rent that is the greater of two.
//!
//! A number that is no bound, no percentage and not the sales leaves the question to others.

use serde_json::json;

use crate::forms::words::Words;
use crate::plan::outcome::Ask;
use crate::say::format;
use crate::say::written::{Read, Written, figure, input};
use crate::words::scan::{Per, Shape};

/// A share of the sales from one amount up to another.
#[derive(Clone, Copy, Debug)]
struct Band {
    share: f64,
    from: f64,
    to: f64,
}

/// Words that begin a band at the amount behind them.
const FROM: &[&str] = &[
    "above",
    "over",
    "exceeding",
    "beyond",
    "past",
    "from",
    "between",
    "excess",
    "after",
    "than",
];
/// Words that end a band at the amount behind them.
const TO: &[&str] = &["to", "until", "through", "till", "under", "below", "and"];
const REST: &[&str] = &[
    "above",
    "thereafter",
    "rest",
    "balance",
    "remainder",
    "beyond",
    "over",
    "excess",
    "after",
];
const SALES: &[&str] = &[
    "sales", "turnover", "sold", "sells", "revenue", "receipts", "volume", "does", "grossed", "gross",
];

pub(crate) fn read(words: &Words) -> Read {
    let about = words.says(&[
        "percentage rent",
        "percent rent",
        "pct rent",
        "overage",
        "overage rent",
        "turnover rent",
        "of sales",
        "on sales",
        "of gross sales",
        "sales",
        "turnover",
    ]) && words.says(&["rent", "overage", "percentage rent", "bands", "breakpoint"]);
    if !about
        || words.has(&[
            "attached",
            "attachment",
            "file",
            "csv",
            "cap",
            "noi",
            "price",
            "occupancy",
        ])
    {
        return None;
    }
    greater(words).or_else(|| banded(words))
}

fn shares(words: &Words) -> Vec<usize> {
    words
        .numbers()
        .filter(|at| {
            words
                .number(*at)
                .is_some_and(|number| number.shape == Shape::Percent)
        })
        .collect()
}

fn amounts(words: &Words) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    for at in words.numbers() {
        let number = words.number(at)?;
        match number.shape {
            Shape::Percent => {}
            Shape::Money if number.base.is_none() => found.push(at),
            Shape::Plain if number.value >= 1000.0 => found.push(at),
            _ => return None,
        }
        if number.doubtful || number.foreign {
            return None;
        }
    }
    Some(found)
}

fn value(words: &Words, at: usize) -> f64 {
    words.number(at).map_or(0.0, |number| number.value)
}

/// The amount that is the sales: one of the words for them stands before it, or behind it.
fn is_sales(words: &Words, at: usize) -> bool {
    let before = (1..=5)
        .map_while(|back| at.checked_sub(back))
        .take_while(|at| words.number(*at).is_none() && !words.mark(*at, ';') && !words.mark(*at, '.'))
        .any(|at| SALES.contains(&words.word(at)));
    let behind = (1..=3)
        .map(|ahead| at + ahead)
        .take_while(|at| words.number(*at).is_none() && !words.mark(*at, ',') && !words.mark(*at, ';'))
        .any(|at| matches!(words.word(at), "sales" | "turnover"));
    before || behind
}

/// "The greater of $120,000 or 7% of gross sales".
fn greater(words: &Words) -> Read {
    let said = words.says(&[
        "greater of",
        "higher of",
        "larger of",
        "whichever is greater",
        "whichever is higher",
    ]);
    let shares = shares(words);
    let amounts = amounts(words)?;
    let ([share], [one, two], true) = (shares.as_slice(), amounts.as_slice(), said) else {
        return None;
    };
    let (floor, sales) = match (is_sales(words, *one), is_sales(words, *two)) {
        (true, false) => (*two, *one),
        (false, true) => (*one, *two),
        // "… or 7% of sales. Sales were 1.95m": the last one told is the sales.
        _ if value(words, *two) > value(words, *one) => (*one, *two),
        _ => return None,
    };
    if words
        .number(floor)
        .is_some_and(|number| matches!(number.per, Some(Per::Month | Per::Quarter)))
    {
        return None;
    }
    let of_sales = value(words, *share) / 100.0 * value(words, sales);
    let rent = of_sales.max(value(words, floor));
    let definition = "Rent = the greater of the minimum rent and the percentage of sales.";
    Some(Ok(Written::one(
        figure(
            "base_and_percentage_rent",
            json!(rent),
            "USD",
            definition,
            vec![
                input("minimum_rent", value(words, floor), "USD"),
                input("sales", value(words, sales), "USD"),
                input("percentage", value(words, *share) / 100.0, "percent"),
            ],
        ),
        format!("The rent is {}", format::money(rent)),
        format!(
            "{} of sales is {}; the minimum is {}.",
            words.said(*share),
            format::money(of_sales),
            format::money(value(words, floor))
        ),
    )))
}

/// Each percentage with the bounds behind it.
fn banded(words: &Words) -> Read {
    let shares = shares(words);
    let amounts = amounts(words)?;
    if shares.is_empty() || amounts.len() < 2 {
        return None;
    }
    let mut taken: Vec<usize> = Vec::new();
    let mut bands: Vec<Band> = Vec::new();
    // "Nothing on the first 2m": the bands begin there.
    let free = amounts.iter().copied().find(|at| {
        Some(at) < shares.first()
            && (1..=2).any(|back| at.checked_sub(back).is_some_and(|at| words.word(at) == "first"))
    });
    taken.extend(free);
    for (place, share) in shares.iter().enumerate() {
        let end = shares.get(place + 1).copied().unwrap_or(words.tokens.len());
        let start = free.map_or(0.0, |at| value(words, at));
        let known = bands.last().map_or(start, |band| band.to);
        let mut band = Band {
            share: value(words, *share) / 100.0,
            from: known,
            to: f64::INFINITY,
        };
        let mut bounded = false;
        let own: Vec<usize> = amounts
            .iter()
            .copied()
            .filter(|at| at > share && *at < end)
            .collect();
        for at in own {
            let before = (1..=3)
                .map_while(|back| at.checked_sub(back))
                .take_while(|at| {
                    words.number(*at).is_none() && !words.mark(*at, '.') && !words.mark(*at, ';')
                })
                .map(|at| {
                    if words.mark(at, '-') || words.mark(at, '\u{2014}') {
                        "to"
                    } else {
                        words.word(at)
                    }
                })
                .find(|word| {
                    !matches!(
                        *word,
                        "a" | "an" | "the" | "of" | "sales" | "gross" | "annual" | "in" | "say" | ""
                    )
                });
            match before {
                Some("next") => {
                    band.to = band.from + value(words, at);
                    bounded = true;
                }
                Some("first") => {
                    band.from = 0.0;
                    band.to = value(words, at);
                    bounded = true;
                }
                Some(word) if TO.contains(&word) && (word != "and" || (bounded && !is_named(words, at))) => {
                    band.to = value(words, at);
                    bounded = true;
                }
                Some(word) if FROM.contains(&word) && !bounded => {
                    band.from = value(words, at);
                    bounded = true;
                }
                _ => continue,
            }
            taken.push(at);
        }
        let rest = (share + 1..end).any(|at| REST.contains(&words.word(at)));
        if !(bounded || (rest && !bands.is_empty() && known.is_finite()))
            || band.from >= band.to
            || band.from < known - 0.5 && known.is_finite()
        {
            return None;
        }
        // "6% above 1m and 5% above 2m": the next band ends this one.
        if let Some(last) = bands.last_mut()
            && last.to.is_infinite()
        {
            if band.from <= last.from {
                return None;
            }
            last.to = band.from;
        }
        bands.push(band);
    }
    // One band over a stated amount, and nothing else but the sales.
    let lone = bands.len() == 1 && amounts.len() == 2 && taken.len() == 1;
    if bands.len() < 2 && !lone && bands.first().is_none_or(|band| band.to.is_infinite()) {
        return None;
    }
    let left: Vec<usize> = amounts.into_iter().filter(|at| !taken.contains(at)).collect();
    let [sales] = left.as_slice() else {
        return None;
    };
    if !is_sales(words, *sales) {
        return Some(Err(Ask::because(format!(
            "Is “{}” the sales?",
            words.said(*sales)
        ))));
    }
    Some(Ok(write(value(words, *sales), &bands)))
}

/// "and sales of 2.6m": the amount has a name of its own.
fn is_named(words: &Words, at: usize) -> bool {
    at.checked_sub(1)
        .is_some_and(|at| SALES.contains(&words.word(at)))
        || at
            .checked_sub(2)
            .is_some_and(|at| SALES.contains(&words.word(at)))
}

fn write(sales: f64, bands: &[Band]) -> Written {
    let part = |band: &Band| (sales.min(band.to) - band.from).max(0.0);
    let rent: f64 = bands.iter().map(|band| band.share * part(band)).sum();
    let definition = "Percentage rent = Σ percentage × sales within its band.";
    let percent = |share: f64| format!("{}%", format::plain(share * 100.0, 3));
    let mut inputs = vec![input("sales", sales, "USD")];
    inputs.extend(bands.iter().enumerate().flat_map(|(at, band)| {
        [
            input(format!("percentage_{}", at + 1), band.share, "percent"),
            input(format!("breakpoint_{}", at + 1), band.from, "USD"),
        ]
    }));
    Written {
        figures: vec![figure("percentage_rent", json!(rent), "USD", definition, inputs)],
        said: format!("The percentage rent is {}", format::money(rent)),
        definition: definition.to_owned(),
        head: vec!["From", "To", "Percentage", "Sales within", "Rent"],
        rows: bands
            .iter()
            .map(|band| {
                vec![
                    format::money(band.from),
                    if band.to.is_finite() {
                        format::money(band.to)
                    } else {
                        "—".to_owned()
                    },
                    percent(band.share),
                    format::money(part(band)),
                    format::money(band.share * part(band)),
                ]
            })
            .collect(),
        steps: vec![format!(
            "Sales of {} through {} bands.",
            format::money(sales),
            bands.len()
        )],
        remarks: Vec::new(),
    }
}
