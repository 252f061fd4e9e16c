//! Income capitalized where it is told in parts: an income for each square foot with the area, or a rent with the costs
//! that the owner bears.

use serde_json::json;

use crate::forms::words::Words;
use crate::lists::around::{before, behind};
use crate::say::format;
use crate::say::written::{Read, Written, figure, input};
use crate::words::scan::{Base, Per, Shape, Sign};

/// Words of a question that needs more than these amounts.
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "vacancy", "vacant", "growth", "grows", "growing", "exit", "sell", "sold", "irr", "npv", "loan", "mortgage", "debt", "attached", "file", "csv", "year", "years", "reversion",
    "reserves", "reserve", "if", "hold", "equivalent", "reversionary", "egi", "gpr", "average", "blended", "plus", "stamp",
];

pub(crate) fn read(words: &Words) -> Read {
    let usable = words.numbers().all(|at| {
        words
            .number(at)
            .is_some_and(|number| !number.doubtful && !number.foreign && number.sign == Sign::None)
    });
    if !usable {
        return None;
    }
    by_area(words).or_else(|| net_yield(words))
}

/// "46,000 sf at $14.20 psf of NOI, 6.1% cap": what the whole is worth.
fn by_area(words: &Words) -> Read {
    let asked = words.has(&["value", "worth", "valuation", "valued", "price"]);
    let capped = words.has(&[
        "cap",
        "caps",
        "capitalize",
        "capitalizes",
        "capitalized",
        "capitalise",
        "capitalises",
        "capitalised",
        "capped",
        "yield",
    ]);
    let income = words.says(&[
        "noi",
        "net operating income",
        "net income",
        "net rent",
        "nnn rent",
        "triple net rent",
        "net rental income",
    ]);
    // "per year" beside the income is its period, and no time.
    if !asked
        || !capped
        || !income
        || OTHERS
            .iter()
            .any(|word| !matches!(*word, "year" | "if") && words.has(&[word]))
        || words.says(&["expenses", "opex", "costs"])
    {
        return None;
    }
    let (mut area, mut rate, mut each) = (None, None, None);
    for at in words.numbers() {
        let number = words.number(at)?;
        let slot = match number.shape {
            Shape::Area => &mut area,
            Shape::Percent => &mut rate,
            Shape::Money if number.base == Some(Base::Area) => &mut each,
            _ => return None,
        };
        let months = if number.every == Some(Per::Month) {
            12.0
        } else {
            1.0
        };
        if slot.replace(number.value * months).is_some() {
            return None;
        }
    }
    let (area, rate, each) = (area?, rate? / 100.0, each?);
    if !(0.02..=0.2).contains(&rate) || each > 1000.0 {
        return None;
    }
    let noi = area * each;
    let value = noi / rate;
    let definition = "Value = NOI ÷ cap rate; the NOI is that of each square foot × the area.";
    Some(Ok(Written::one(
        figure(
            "value",
            json!(value),
            "USD",
            definition,
            vec![
                input("area", area, "sqft"),
                input("noi_psf", each, "USD/sqft"),
                input("going_in_cap_rate", rate, "percent"),
            ],
        ),
        format!("The value is {}", format::money(value)),
        format!(
            "{} sf × ${} = {} a year; ÷ {}% = {}.",
            format::plain(area, 0),
            format::plain(each, 2),
            format::money(noi),
            format::plain(rate * 100.0, 3),
            format::money(value)
        ),
    )))
}

const COSTS: &[&str] = &[
    "costs",
    "cost",
    "outgoings",
    "irrecoverables",
    "irrecoverable",
    "shortfall",
    "shortfalls",
    "expenses",
    "leakage",
    "recoverable",
];
const RENTS: &[&str] = &[
    "rent", "rents", "tenant", "tenants", "pays", "paying", "passing", "rental", "let", "lease", "income",
];

/// "£2.3m, the tenant pays £185,000 pa, costs of £12,500 pa": the yield on what is left of the rent.
fn net_yield(words: &Words) -> Read {
    let asked = words.says(&[
        "net initial yield",
        "niy",
        "initial yield",
        "net yield",
        "going in yield",
    ]);
    let others = OTHERS
        .iter()
        .any(|word| !matches!(*word, "year" | "years") && words.has(&[word]));
    let bought = words.says(&[
        "purchaser's costs",
        "purchasers costs",
        "purchasers' costs",
        "acquisition costs",
        "buyer's costs",
        "closing costs",
        "transaction costs",
        "purchase costs",
    ]);
    let aside = words.has(&[
        "ignoring",
        "ignore",
        "before",
        "excluding",
        "disregarding",
        "disregard",
        "without",
        "no",
    ]);
    if !asked || others || (bought && !aside) {
        return None;
    }
    let (mut price, mut rent, mut costs) = (None, None, None);
    for at in words.numbers() {
        let number = words.number(at)?;
        if !matches!(number.shape, Shape::Money | Shape::Plain)
            || number.base.is_some()
            || number.value < 100.0
        {
            return None;
        }
        let near = |list: &[&str]| before(words, at, 6).iter().position(|word| list.contains(word));
        let after = |list: &[&str]| behind(words, at, 4).iter().position(|word| list.contains(word));
        let cost = near(COSTS).or_else(|| after(COSTS));
        let lease = near(RENTS).or_else(|| after(RENTS));
        let months = if number.per == Some(Per::Month) { 12.0 } else { 1.0 };
        let slot = match (cost, lease, number.per) {
            (Some(cost), Some(lease), _) if cost < lease => &mut costs,
            (Some(_), None, _) => &mut costs,
            (_, Some(_), _) | (None, None, Some(Per::Year | Per::Month)) => &mut rent,
            (None, None, None) if number.value >= 50_000.0 => &mut price,
            _ => return None,
        };
        if slot.replace(number.value * months).is_some() {
            return None;
        }
    }
    let (price, rent): (f64, f64) = (price?, rent?);
    // Without costs, plain wording is read elsewhere.
    let costs: f64 = costs?;
    let value = (rent - costs) / price;
    if !(0.01..=0.25).contains(&value) || costs >= rent {
        return None;
    }
    let definition =
        "Net initial yield = (rent − costs that are not recovered) ÷ price, before purchaser's costs.";
    let shown = format!("{}%", format::plain(value * 100.0, 2));
    Some(Ok(Written::one(
        figure(
            "going_in_cap_rate",
            json!(value),
            "percent",
            definition,
            vec![
                input("annual_rent", rent, "USD"),
                input("opex", costs, "USD"),
                input("price", price, "USD"),
            ],
        ),
        format!("The net initial yield is {shown}"),
        format!(
            "({} − {}) ÷ {} = {shown}.",
            format::money(rent),
            format::money(costs),
            format::money(price)
        ),
    )))
}
