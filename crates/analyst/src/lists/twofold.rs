//! Loss to lease from pairs of rents listed in the question: that of the market and that in place, unit by unit.
//!
//! The two are told apart by a word beside each, or by the order in which they are announced.

use serde_json::json;

use crate::contract::draft::Input;
use crate::forms::words::Words;
use crate::lists::around::{before, behind, counts_list};
use crate::say::format;
use crate::say::written::{Read, Written, figure, input};
use crate::words::scan::{Per, Shape, Sign};

const MARKET: &[&str] = &["market", "asking", "street", "erv"];
const OWN: &[&str] = &[
    "place",
    "contract",
    "contracted",
    "passing",
    "actual",
    "actuals",
    "current",
    "paying",
    "pays",
    "leased",
    "signed",
    "existing",
    "roll",
];

pub(crate) fn read(words: &Words) -> Read {
    let asked = words.says(&["loss to lease", "ltl", "gain to lease", "lost to lease"]);
    let other = words.has(&[
        "noi",
        "egi",
        "gpr",
        "economic",
        "vacancy",
        "vacant",
        "attached",
        "file",
        "csv",
        "psf",
        "sf",
        "ignore",
        "ignoring",
        "excluding",
        "exclude",
        "without",
        "disregard",
        "disregarding",
        "only",
        "average",
        "renewal",
        "weekly",
    ]);
    if !asked || other {
        return None;
    }
    let mut rents: Vec<usize> = Vec::new();
    let mut small: Vec<usize> = Vec::new();
    for at in words.numbers() {
        let number = words.number(at)?;
        if number.doubtful
            || number.foreign
            || matches!(number.sign, Sign::Minus | Sign::Plus)
            || number.base.is_some()
        {
            return None;
        }
        match number.shape {
            Shape::Money | Shape::Plain
                if (200.0..=20_000.0).contains(&number.value)
                    && matches!(number.per, None | Some(Per::Month)) =>
            {
                rents.push(at);
            }
            Shape::Plain | Shape::Units if number.value <= 20.0 => small.push(at),
            _ => return None,
        }
    }
    if rents.len() < 4 || !rents.len().is_multiple_of(2) {
        return None;
    }
    let pairs: Vec<(usize, usize)> = rents
        .chunks(2)
        .filter_map(|pair| Some((*pair.first()?, *pair.get(1)?)))
        .collect();
    // "the one above market" counts no unit of the list.
    let counted = |at: &usize| {
        counts_list(words, *at, pairs.len())
            || words
                .number(*at)
                .is_some_and(|number| number.spelled && number.value == 1.0)
    };
    if !small.iter().all(counted) {
        return None;
    }
    let pairs = two_rows(words, &rents).unwrap_or(pairs);
    let first_market = order(words, &pairs)?;
    let value = |at: usize| words.number(at).map_or(0.0, |number| number.value);
    let units: Vec<(f64, f64)> = pairs
        .iter()
        .map(|(one, two)| {
            if first_market {
                (value(*one), value(*two))
            } else {
                (value(*two), value(*one))
            }
        })
        .collect();
    Some(Ok(written(words, &units)))
}

/// "Paying 1,500, 1,550 and 1,450 against market rents of 1,600, 1,650 and 1,500": two rows, unit by unit.
fn two_rows(words: &Words, rents: &[usize]) -> Option<Vec<(usize, usize)>> {
    let (one, two) = rents.split_at(rents.len() / 2);
    let joined =
        |from: usize, to: usize| (from + 1..to).all(|at| words.mark(at, ',') || words.word(at) == "and");
    let row = |row: &[usize]| {
        row.windows(2)
            .all(|pair| matches!(pair, [a, b] if joined(*a, *b)))
    };
    let apart = joined(*one.last()?, *two.first()?);
    (row(one) && row(two) && !apart).then(|| one.iter().copied().zip(two.iter().copied()).collect())
}

/// Whether the first rent of each pair is that of the market.
fn order(words: &Words, pairs: &[(usize, usize)]) -> Option<bool> {
    let role = |at: usize| -> Option<bool> {
        let ahead = before(words, at, 3);
        let after = behind(words, at, 2);
        let named = |list: &[&str]| {
            (
                list.iter().any(|word| MARKET.contains(word)),
                list.iter().any(|word| OWN.contains(word)),
            )
        };
        match (named(&ahead), named(&after)) {
            ((true, false), _) => Some(true),
            ((false, true), _) => Some(false),
            ((false, false), (true, false)) => Some(true),
            ((false, false), (false, true)) => Some(false),
            _ => None,
        }
    };
    // In rows, the words stand before the first of each.
    let ((one, two), rows) = (
        pairs.first()?,
        pairs
            .windows(2)
            .all(|pair| matches!(pair, [a, b] if a.1 > b.0 && pairs.len() > 1)),
    );
    if rows && let (Some(one), Some(two)) = (role(*one), role(*two)) {
        return (one != two).then_some(one);
    }
    let roles: Vec<(Option<bool>, Option<bool>)> =
        pairs.iter().map(|(one, two)| (role(*one), role(*two))).collect();
    if roles
        .iter()
        .all(|pair| matches!(pair, (Some(one), Some(two)) if one != two))
    {
        let first = roles.first()?.0?;
        return roles.iter().all(|(one, _)| *one == Some(first)).then_some(first);
    }
    // "Market / in-place: 1,650/1,580, …" announces the order; the pairs themselves say nothing.
    let first = pairs.first()?.0;
    let joined = pairs.iter().all(|(one, two)| {
        (one + 1..*two).all(|at| {
            ['/', '-', '|', '\u{2014}', '>']
                .iter()
                .any(|mark| words.mark(at, *mark))
                || matches!(
                    words.word(at),
                    "vs" | "versus" | "v" | "against" | "to" | "and" | "on" | "with" | "for"
                )
        }) && two - one <= 3
    });
    let place = |list: &[&str]| (0..first).rev().find(|at| list.contains(&words.word(*at)));
    let (market, own) = (place(MARKET)?, place(OWN)?);
    let close = market.abs_diff(own) <= 5;
    (joined && close).then_some(market < own)
}

fn written(words: &Words, units: &[(f64, f64)]) -> Written {
    let loss: f64 = units.iter().map(|(market, own)| market - own).sum();
    let market: f64 = units.iter().map(|(market, _)| market).sum();
    let inputs: Vec<Input> = units
        .iter()
        .enumerate()
        .flat_map(|(at, (market, own))| {
            [("market_rent", *market), ("contract_rent", *own)]
                .map(|(name, value)| input(format!("{name}_{}", at + 1), value, "USD"))
        })
        .collect();
    let share =
        words.has(&["percent", "percentage", "pct"]) || words.tokens.iter().any(|token| token.is_mark('%'));
    let yearly = words.has(&["annual", "annually", "yearly", "annualized", "annualised"])
        || words.says(&["a year", "per year", "per annum"]);
    let definition = "Loss to lease = Σ(market rent − rent in place) over the occupied units, net of those above the market.";
    let steps = vec![format!(
        "Σ(market − in place) = {} a month; the market rents come to {}.",
        format::money(loss),
        format::money(market)
    )];
    let (figures, said) = if share {
        (
            vec![figure(
                "loss_to_lease_pct",
                json!(loss / market),
                "percent",
                definition,
                inputs,
            )],
            format!(
                "The loss to lease is {}% of the market rent",
                format::plain(loss / market * 100.0, 2)
            ),
        )
    } else {
        let (value, period) = if yearly {
            (loss * 12.0, "year")
        } else {
            (loss, "month")
        };
        let mut own = figure("loss_to_lease", json!(value), "USD", definition, inputs);
        own.period = Some(period.to_owned());
        (
            vec![own],
            format!("The loss to lease is {} a {period}", format::money(value)),
        )
    };
    Written {
        figures,
        said,
        definition: definition.to_owned(),
        head: vec!["Unit", "Market", "In place", "Loss"],
        rows: units
            .iter()
            .enumerate()
            .map(|(at, (market, own))| {
                vec![
                    (at + 1).to_string(),
                    format::money(*market),
                    format::money(*own),
                    format::money(market - own),
                ]
            })
            .collect(),
        steps,
        remarks: Vec::new(),
    }
}
