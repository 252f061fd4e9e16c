//! Gross rent multiplier from a price and the rents of several units.

use serde_json::json;

use crate::forms::words::Words;
use crate::plan::outcome::Ask;
use crate::say::format;
use crate::say::written::{Read, Written, figure, input};
use crate::words::scan::{Base, Number, Per, Shape, Sign};

pub(crate) fn read(words: &Words) -> Read {
    let asked = words.says(&[
        "grm",
        "gross rent multiplier",
        "gross rental multiplier",
        "gross rent multiple",
        "rent multiplier",
        "price over annual gross rent",
        "price to annual rent",
        "price over gross rent",
        "price to gross rent",
        "times gross rent",
        "price over annual rent",
        "price to rent",
    ]);
    let other = words.has(&[
        "noi", "egi", "vacancy", "vacant", "empty", "laundry", "parking", "expenses", "opex", "cap",
        "attached", "file", "csv", "weekly", "market", "average", "implied", "sold",
    ]);
    if !asked || other {
        return None;
    }
    let (price, mut groups) = groups(words)?;
    let told = words.numbers().any(|at| {
        words
            .number(at)
            .is_some_and(|number| counts(number) && number.value < 100.0)
    });
    if let [(count, _)] = groups.as_mut_slice() {
        // "each side rents for 2,500": so many times as there are homes.
        let each = words.has(&["each", "apiece", "every", "both"])
            || words.says(&["per side", "per unit", "a side", "a unit", "per door"]);
        match homes(words) {
            Some(homes) if each && (*count == 1.0 || *count == homes) => *count = homes,
            None if each && *count == 1.0 && words.has(&["side", "sides", "half", "halves"]) => {
                return Some(Err(Ask::because("How many units pay that rent?")));
            }
            // "pulls in 10,000 a month": the rent of the whole.
            None if !each && !told && !words.counts_units() && !words.has(UNITS) => {}
            _ => return None,
        }
    } else if groups.is_empty() {
        return None;
    }
    let month: f64 = groups.iter().map(|(count, rent)| count * rent).sum();
    let monthly = words.says(&[
        "monthly grm",
        "monthly gross rent multiplier",
        "monthly multiplier",
        "monthly rent multiplier",
        "gross monthly rent multiplier",
        "grm on monthly",
        "grm on the monthly",
        "grm by the month",
        "grm per month",
        "grm monthly",
        "multiplier on monthly",
        "multiplier on the monthly",
    ]);
    let rent = if monthly { month } else { month * 12.0 };
    let value = price / rent;
    let definition = if monthly {
        "Monthly GRM = price ÷ gross rent of one month, twelve times the GRM on the annual rent."
    } else {
        "GRM = price ÷ annual gross rent; the rents are those of a month."
    };
    let mut inputs = vec![input("price", price, "USD")];
    inputs.extend(
        groups
            .iter()
            .enumerate()
            .map(|(at, (_, rent))| input(format!("monthly_rent_{}", at + 1), *rent, "USD")),
    );
    Some(Ok(Written {
        figures: vec![figure(
            if monthly { "monthly_grm" } else { "grm" },
            json!(value),
            "multiple",
            definition,
            inputs,
        )],
        said: format!("The gross rent multiplier is {}x", format::plain(value, 2)),
        definition: definition.to_owned(),
        head: vec!["Units", "Monthly rent"],
        rows: groups
            .iter()
            .map(|(count, rent)| vec![format::plain(*count, 0), format::money(*rent)])
            .collect(),
        steps: vec![format!(
            "{}; {} ÷ {} = {}.",
            if monthly {
                format!("{} a month", format::money(month))
            } else {
                format!(
                    "{} a month × 12 = {} a year",
                    format::money(month),
                    format::money(rent)
                )
            },
            format::money(price),
            format::money(rent),
            format::plain(value, 4)
        )],
        remarks: Vec::new(),
    }))
}

const UNITS: &[&str] = &[
    "unit",
    "units",
    "apartment",
    "apartments",
    "flat",
    "flats",
    "home",
    "homes",
    "door",
    "doors",
];

/// The price, and each rent of a month with the number of units that pay it.
fn groups(words: &Words) -> Option<(f64, Vec<(f64, f64)>)> {
    let mut price = None;
    let mut groups: Vec<(f64, f64)> = Vec::new();
    let mut count: Option<f64> = None;
    let mut total: Option<f64> = None;
    let monthly = words.has(&["monthly", "month", "mo", "pcm", "pm"])
        || words.numbers().any(|at| {
            words
                .number(at)
                .is_some_and(|number| number.per == Some(Per::Month))
        });
    for at in words.numbers() {
        let number = words.number(at)?;
        if number.doubtful
            || number.foreign
            || number.sign != Sign::None
            || matches!(number.base, Some(Base::Area | Base::Other))
        {
            return None;
        }
        match number.shape {
            _ if counts_all(words, at) => total = Some(number.value),
            _ if bedrooms(words, at) => {}
            Shape::Units | Shape::Plain if counts(number) && number.value <= 200.0 => {
                if count.replace(number.value).is_some() {
                    return None;
                }
            }
            Shape::Money | Shape::Plain if number.value >= 50_000.0 && number.per.is_none() => {
                if price.replace(number.value).is_some() || count.is_some() {
                    return None;
                }
            }
            Shape::Money | Shape::Plain
                if ((100.0..20_000.0).contains(&number.value)
                    || (number.value < 500_000.0 && number.per == Some(Per::Month)))
                    && matches!(number.per, None | Some(Per::Month | Per::Other))
                    && number.every != Some(Per::Year) =>
            {
                groups.push((count.take().unwrap_or(0.0), number.value));
            }
            _ => return None,
        }
    }
    let counted = groups.iter().filter(|(count, _)| *count > 0.0).count();
    if count.is_some() || !monthly || (counted != 0 && counted != groups.len()) {
        return None;
    }
    if counted == 0 {
        for group in &mut groups {
            group.0 = 1.0;
        }
    }
    let units: f64 = groups.iter().map(|(count, _)| count).sum();
    (total.is_none_or(|total| total == units)).then_some((price?, groups))
}

fn counts(number: &Number) -> bool {
    number.value.fract() == 0.0 && !number.dollars && !number.scaled && number.per.is_none()
}

/// A building by the number of its homes.
fn homes(words: &Words) -> Option<f64> {
    let named = words.tokens.iter().find_map(|token| match token.word() {
        "duplex" => Some(2.0),
        "triplex" => Some(3.0),
        "fourplex" | "quadplex" | "quadruplex" | "quad" => Some(4.0),
        "fiveplex" => Some(5.0),
        "sixplex" => Some(6.0),
        "eightplex" => Some(8.0),
        _ => None,
    });
    named.or_else(|| {
        let at = words.numbers().find(|at| counts_all(words, *at))?;
        words.number(at).map(|number| number.value)
    })
}

/// "six-plex", "a 6-unit building": how many there are in all.
fn counts_all(words: &Words, at: usize) -> bool {
    let Some(number) = words.number(at).filter(|number| counts(number)) else {
        return false;
    };
    let dash = usize::from(words.mark(at + 1, '-'));
    let noun = words.word(at + 1 + dash);
    matches!(noun, "plex" | "family" | "unit")
        || (number.shape == Shape::Units
            && matches!(
                noun,
                "building" | "property" | "block" | "walkup" | "walk" | "asset" | "apartment" | "complex"
            ))
}

/// "2-bed", "one bedrooms": what kind of unit.
fn bedrooms(words: &Words, at: usize) -> bool {
    let dash = usize::from(words.mark(at + 1, '-'));
    words
        .number(at)
        .is_some_and(|number| counts(number) && number.value <= 5.0)
        && matches!(
            words.word(at + 1 + dash),
            "bed" | "beds" | "bedroom" | "bedrooms" | "br" | "brs" | "bd" | "bds" | "bedder" | "bedders"
        )
}
