//! Comparable sales listed in the question: mean, median and weighted price per square foot or unit, and
//! what they make of the subject.

use serde_json::json;

use crate::contract::draft::Input;
use crate::forms::words::Words;
use crate::lists::around::row_base;
use crate::plan::outcome::Ask;
use crate::say::format;
use crate::say::written::{Read, Written, figure, input};
use crate::words::asides::counts_only;
use crate::words::scan::{Base, Shape, Sign};
use finance::valuation::{Sale, compare};

pub(crate) fn read(words: &Words) -> Read {
    let comps = words.has(&["comps", "comp", "comparables", "comparable"])
        || words.says(&[
            "recent sales",
            "sold comps",
            "sales comps",
            "price per foot",
            "price per unit",
            "price per door",
            "price per square foot",
            "price per sf",
            "price psf",
            "prices per unit",
            "per door pricing",
            "per unit pricing",
            "per foot pricing",
            "pricing per unit",
            "pricing per door",
            "pricing per foot",
        ]) && words.has(&["average", "median", "mean", "weighted"]);
    let averaged = words.has(&["average", "averages", "averaging", "averaged", "mean", "median"]);
    let most = words.numbers().count();
    // Cap rates of sales are read where all of them are told; an income beside one cap rate is no list.
    let capped = words.has(&["cap", "caps", "noi"]) && caps(words).is_none();
    (comps
        && !capped
        && (most >= 3 || (most == 2 && averaged))
        && !words.has(&["attached", "file", "attachment", "rents", "rent"]))
    .then(|| settle(words))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Item {
    Price(f64),
    Size(f64, bool),
    Adjustment(f64),
    PerSize(f64, bool),
}

/// Cap rates of sales, averaged, and what they make of an income.
fn caps(words: &Words) -> Option<Written> {
    if !words.has(&["cap", "caps"])
        || !words.has(&["average", "avg", "mean"])
        || words.has(&["weighted", "adjusted"])
    {
        return None;
    }
    let mut rates = Vec::new();
    let mut income = None;
    for at in words.numbers() {
        let number = words.number(at)?;
        let noi = (1..=3)
            .filter_map(|back| at.checked_sub(back))
            .chain([at + 1])
            .any(|at| matches!(words.word(at), "noi" | "income"));
        match number.shape {
            Shape::Percent if number.value > 0.0 => rates.push(number.value / 100.0),
            Shape::Money | Shape::Plain if noi && income.is_none() && number.value >= 1000.0 => {
                income = Some(number.value);
            }
            _ => return None,
        }
    }
    if rates.len() < 2 {
        return None;
    }
    let mean = rates.iter().sum::<f64>() / rates.len() as f64;
    let shown = format!("{}%", format::plain(mean * 100.0, 3));
    let definition = "The simple average of the cap rates; value = NOI ÷ cap rate.";
    let inputs: Vec<Input> = rates
        .iter()
        .enumerate()
        .map(|(at, rate)| input(format!("cap_rate_{}", at + 1), *rate, "percent"))
        .collect();
    let own = figure("avg_cap_rate", json!(mean), "percent", definition, inputs.clone());
    let (figures, said) = match income {
        Some(noi) => (
            vec![figure("value", json!(noi / mean), "USD", definition, inputs), own],
            format!(
                "The value at the average cap rate of {shown} is {}",
                format::money(noi / mean)
            ),
        ),
        None => (vec![own], format!("The average cap rate is {shown}")),
    };
    Some(Written {
        figures,
        said,
        definition: definition.to_owned(),
        steps: vec![definition.to_owned()],
        ..Written::default()
    })
}

fn settle(words: &Words) -> Result<Written, Ask> {
    if let Some(written) = caps(words) {
        return Ok(written);
    }
    let mut items: Vec<Item> = Vec::new();
    let mut subject: Option<(f64, bool)> = None;
    for at in words.numbers() {
        let Some(number) = words.number(at) else { continue };
        // "Three warehouses sold nearby" counts the sales.
        if counts_only(words.tokens, at) || counts_sales(words, at) || numbered(words, at) {
            continue;
        }
        let unclear = || Ask::because(format!("I could not tell what “{}” stands for.", words.said(at)));
        let sign = if number.sign == Sign::Minus { -1.0 } else { 1.0 };
        let own = (1..=5).any(|back| {
            at.checked_sub(back)
                .is_some_and(|at| matches!(words.word(at), "our" | "subject" | "my" | "applied"))
        }) || matches!(words.word(at + 1), "subject");
        let item = match number.shape {
            _ if number.doubtful || number.foreign => return Err(unclear()),
            Shape::Area | Shape::Units if (own || priced(&items).is_some()) && subject.is_none() => {
                subject = Some((number.value, number.shape == Shape::Area));
                continue;
            }
            Shape::Area => Item::Size(number.value, true),
            Shape::Units => Item::Size(number.value, false),
            Shape::Percent => Item::Adjustment(sign * number.value / 100.0),
            Shape::Money if number.base == Some(Base::Area) => Item::PerSize(number.value, true),
            Shape::Money if number.base == Some(Base::Unit) => Item::PerSize(number.value, false),
            Shape::Money if row_base(words, at) == Some(Base::Area) => Item::PerSize(number.value, true),
            Shape::Money if row_base(words, at) == Some(Base::Unit) => Item::PerSize(number.value, false),
            Shape::Money => Item::Price(number.value),
            Shape::Plain
                if matches!(
                    words.word(at + 1),
                    "comps" | "sales" | "comparables" | "comp" | "comparable" | "recent" | "trades"
                ) || at
                    .checked_sub(1)
                    .is_some_and(|at| matches!(words.word(at), "comp" | "sale" | "comparable")) =>
            {
                continue;
            }
            _ => return Err(unclear()),
        };
        items.push(item);
    }
    // Beside prices for a size, the one size is that of the subject.
    let sizes = items.iter().filter(|item| matches!(item, Item::Size(..))).count();
    if subject.is_none()
        && sizes == 1
        && items
            .iter()
            .all(|item| matches!(item, Item::Size(..) | Item::PerSize(..)))
    {
        subject = items.iter().find_map(|item| match item {
            Item::Size(size, area) => Some((*size, *area)),
            _ => None,
        });
        items.retain(|item| !matches!(item, Item::Size(..)));
    }
    let unclear =
        || Ask::because("Please give each sale as its price and its size, in the same order throughout.");
    let area = !items
        .iter()
        .any(|item| matches!(item, Item::Size(_, false) | Item::PerSize(_, false)));
    let each = items
        .iter()
        .all(|item| matches!(item, Item::PerSize(_, own) if *own == area));
    let moved = priced(&items);
    let each = each || moved.is_some();
    let sales: Vec<Sale> = if let Some(moved) = moved {
        moved
    } else if each {
        items
            .iter()
            .filter_map(|item| match item {
                Item::PerSize(price, _) => Some(Sale {
                    price: *price,
                    size: 1.0,
                    adjustment: 0.0,
                }),
                _ => None,
            })
            .collect()
    } else {
        grouped(&items, area).ok_or_else(unclear)?
    };
    // "Comps average $250 per foot; ours is 20,000 sf": the average itself is told.
    let told_average = each
        && subject.is_some()
        && words.has(&["average", "averaging", "averages", "averaged", "mean", "median"]);
    if sales.len() < 2 && !(told_average && sales.len() == 1) {
        return Err(unclear());
    }
    if subject.is_some_and(|(_, own)| own != area) {
        return Err(Ask::because(
            "The sales and the subject are measured differently.",
        ));
    }
    // "Comps after adjustments: …" are adjusted before they are told.
    let told = each
        && words.has(&["adjusted", "adjustments", "adjusting"])
        && !words.says(&[
            "no adjustments",
            "no adjustment",
            "not adjusted",
            "without adjustments",
            "before adjustments",
        ]);
    let adjusted = told || sales.iter().any(|sale| sale.adjustment != 0.0);
    let found = compare(&sales).map_err(|fault| Ask::because(fault.sentence()))?;
    let weighted = words.has(&["weighted"]);
    if weighted && each {
        return Err(Ask::because("A weighted average needs the size of each sale."));
    }
    let (how, rate) = if words.has(&["median"]) {
        ("median", found.median)
    } else if weighted {
        ("weighted average (total price ÷ total size)", found.weighted)
    } else {
        ("simple average", found.mean)
    };
    Ok(write(
        &sales,
        subject.map(|(size, _)| size),
        how,
        rate,
        area,
        adjusted,
    ))
}

/// "Comp 1: …", "Sale 3 - …": the number of the sale.
fn numbered(words: &Words, at: usize) -> bool {
    let named = at.checked_sub(1).is_some_and(|at| {
        matches!(words.word(at), "comp" | "sale" | "comparable" | "trade") || words.mark(at, '#')
    });
    named
        && words.number(at).is_some_and(|number| {
            number.value.fract() == 0.0
                && (1.0..=20.0).contains(&number.value)
                && !number.dollars
                && !number.scaled
        })
        && [':', '-', '|', '(', '.', ')']
            .iter()
            .any(|mark| words.mark(at + 1, *mark))
}

/// "Three warehouses": a small number in words before the noun of what was sold.
fn counts_sales(words: &Words, at: usize) -> bool {
    let noun = words.word(at + 1);
    let noun = if noun.ends_with('s') {
        noun
    } else {
        words.word(at + 2)
    };
    // "Five apartment trades": homes are what was sold, and the sales are counted.
    let sold = matches!(
        words.word(at + 1),
        "trades" | "sales" | "deals" | "comps" | "comparables" | "transactions"
    ) || matches!(
        words.word(at + 2),
        "trades" | "sales" | "deals" | "comps" | "comparables" | "transactions"
    );
    words.number(at).is_some_and(|number| {
        let counts = number.shape == Shape::Plain && number.spelled || number.shape == Shape::Units && sold;
        counts && number.value <= 12.0 && !number.dollars
    }) && noun.len() > 3
        && noun.ends_with('s')
}

/// "$212/sf adjusted by −5%": each price for a size with its adjustment behind it.
fn priced(items: &[Item]) -> Option<Vec<Sale>> {
    if items.is_empty() || !items.len().is_multiple_of(2) {
        return None;
    }
    items
        .chunks(2)
        .map(|pair| match pair {
            [Item::PerSize(price, _), Item::Adjustment(share)] => Some(Sale {
                price: *price,
                size: 1.0,
                adjustment: *share,
            }),
            _ => None,
        })
        .collect()
}

/// Price, size and perhaps an adjustment of each sale, always in the same order.
fn grouped(items: &[Item], area: bool) -> Option<Vec<Sale>> {
    let size = [2, 3].into_iter().find(|size| {
        let model = items.get(..*size);
        items.len().is_multiple_of(*size)
            && items.chunks(*size).all(|chunk| {
                model.is_some_and(|model| {
                    chunk
                        .iter()
                        .zip(model)
                        .all(|(item, model)| std::mem::discriminant(item) == std::mem::discriminant(model))
                })
            })
    })?;
    items
        .chunks(size)
        .map(|chunk| {
            let mut sale = Sale {
                price: 0.0,
                size: 0.0,
                adjustment: 0.0,
            };
            for item in chunk {
                match item {
                    Item::Price(price) => sale.price = *price,
                    Item::Size(size, own) if *own == area => sale.size = *size,
                    Item::Adjustment(share) => sale.adjustment = *share,
                    _ => return None,
                }
            }
            (sale.price > 0.0 && sale.size > 0.0).then_some(sale)
        })
        .collect()
}

fn write(sales: &[Sale], subject: Option<f64>, how: &str, rate: f64, area: bool, adjusted: bool) -> Written {
    let unit = if area { "USD/sqft" } else { "USD" };
    let each = if area { "per square foot" } else { "per unit" };
    let statistic = if how == "median" {
        "median"
    } else if how.starts_with("weighted") {
        "weighted"
    } else {
        "avg"
    };
    let name = format!(
        "{statistic}{}_{}",
        if adjusted { "_adjusted" } else { "" },
        if area { "psf" } else { "per_unit" }
    );
    let definition = format!(
        "Sales comparison: the {how} of the {}prices {each}{}.",
        if adjusted { "adjusted " } else { "" },
        if subject.is_some() {
            ", times the size of the subject"
        } else {
            ""
        }
    );
    let inputs: Vec<Input> = sales
        .iter()
        .enumerate()
        .map(|(at, sale)| {
            input(
                format!("sale_{}", at + 1),
                sale.price * (1.0 + sale.adjustment) / sale.size,
                unit,
            )
        })
        .collect();
    let own = figure(&name, json!(rate), unit, &definition, inputs.clone());
    let (figures, said) = match subject {
        Some(size) => (
            vec![
                figure("value", json!(rate * size), "USD", &definition, inputs),
                own,
            ],
            format!(
                "The value by the {how} of {} {each} is {}",
                format::money(rate),
                format::money(rate * size)
            ),
        ),
        None => (
            vec![own],
            format!("The {how} price {each} is {}", format::money(rate)),
        ),
    };
    Written {
        figures,
        said,
        definition: definition.clone(),
        head: vec!["Sale", "Price", "Size", "Adjusted price of each"],
        rows: sales
            .iter()
            .enumerate()
            .map(|(at, sale)| {
                vec![
                    (at + 1).to_string(),
                    format::money(sale.price),
                    format::plain(sale.size, 2),
                    format::money(sale.price * (1.0 + sale.adjustment) / sale.size),
                ]
            })
            .collect(),
        steps: vec![definition],
        remarks: Vec::new(),
    }
}
