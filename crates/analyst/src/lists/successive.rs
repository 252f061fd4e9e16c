//! Net effective rent where the rent of each year is told: "$24.00, $24.50 and $25.00 psf in the three years".
//!
//! Undiscounted. A concession that is named without its size leaves the question to others.

use serde_json::json;

use crate::contract::draft::Input;
use crate::forms::words::Words;
use crate::lists::around::{before, behind, row_base};
use crate::say::format;
use crate::say::written::{Read, Written, figure, input};
use crate::words::scan::{Base, Shape, Sign};

/// What one lease pays and costs, each for a square foot where it is not said otherwise.
#[derive(Clone, Debug, Default)]
struct Lease {
    rents: Vec<f64>,
    years: Option<f64>,
    area: Option<f64>,
    works: Option<f64>,
    works_psf: Option<f64>,
    commission: Option<f64>,
    commission_psf: Option<f64>,
    commission_share: Option<f64>,
    free: Option<f64>,
}

const WORKS: &[&str] = &[
    "ti",
    "tis",
    "improvements",
    "improvement",
    "allowance",
    "fitout",
    "fit",
    "buildout",
    "build",
    "works",
    "contribution",
];
const COMMISSION: &[&str] = &[
    "commission",
    "commissions",
    "lc",
    "lcs",
    "brokerage",
    "broker",
    "brokers",
    "agent",
    "agents",
    "leasing",
];
const FREE: &[&str] = &["free", "abated", "abatement", "holiday"];

pub(crate) fn read(words: &Words) -> Read {
    let asked = words.says(&["net effective", "ner", "effective rent"]);
    let other = words.has(&[
        "discounted",
        "discount",
        "pv",
        "attached",
        "file",
        "csv",
        "cpi",
        "index",
        "npv",
        "monthly",
        "month",
    ]) && !words.says(&["not discounted", "no discounting", "no discount"]);
    let other = other
        || words.has(&[
            "bumps",
            "bump",
            "steps",
            "escalation",
            "escalations",
            "escalating",
            "growing",
            "increases",
        ]);
    if !asked || other {
        return None;
    }
    let lease = lease(words)?;
    let years = lease.years.unwrap_or(lease.rents.len() as f64);
    if lease.rents.len() < 2 || years != lease.rents.len() as f64 {
        return None;
    }
    let total: f64 = lease.rents.iter().sum();
    let free = lease.free.unwrap_or(0.0);
    let first = *lease.rents.first()?;
    // A commission in percent beside free rent may be meant of either sum of rents.
    if free > 12.0 || (free > 0.0 && lease.commission_share.is_some()) {
        return None;
    }
    let named = |list: &[&str]| words.has(list);
    let none = words.has(&["no", "without", "zero", "nothing"]);
    let missing = (named(&["free", "abatement", "abated"]) && lease.free.is_none() && !none)
        || (named(WORKS) && lease.works.is_none() && lease.works_psf.is_none() && !none)
        || (named(COMMISSION)
            && lease.commission.is_none()
            && lease.commission_psf.is_none()
            && lease.commission_share.is_none()
            && !none);
    if missing {
        return None;
    }
    let spread = |amount: Option<f64>| -> Option<f64> {
        match amount {
            Some(amount) => Some(amount / lease.area.filter(|area| *area > 0.0)?),
            None => Some(0.0),
        }
    };
    let abated = first * free / 12.0;
    let works = spread(lease.works)? + lease.works_psf.unwrap_or(0.0);
    let commission = spread(lease.commission)?
        + lease.commission_psf.unwrap_or(0.0)
        + lease.commission_share.unwrap_or(0.0) * total;
    let value = (total - abated - works - commission) / years;
    let definition = "Net effective rent = (Σ rent − free rent − TI − commission) ÷ term, not discounted.";
    let mut inputs: Vec<Input> = lease
        .rents
        .iter()
        .enumerate()
        .map(|(at, rent)| each_foot(&format!("rent_psf_{}", at + 1), *rent))
        .collect();
    inputs.extend([
        each_foot("free_rent_psf", abated),
        each_foot("ti_psf", works),
        each_foot("commission_psf", commission),
    ]);
    Some(Ok(Written::one(
        figure("net_effective_rent", json!(value), "USD/sqft", definition, inputs),
        format!("The net effective rent is ${}/sf a year", format::plain(value, 4)),
        format!(
            "({} − {} − {} − {}) ÷ {} years, each per square foot.",
            format::plain(total, 4),
            format::plain(abated, 4),
            format::plain(works, 4),
            format::plain(commission, 4),
            format::plain(years, 0)
        ),
    )))
}

/// An amount for each square foot.
fn each_foot(name: &str, value: f64) -> Input {
    input(name, value, "USD/sqft")
}

fn lease(words: &Words) -> Option<Lease> {
    let mut lease = Lease::default();
    let set = |slot: &mut Option<f64>, value: f64| slot.replace(value).is_none().then_some(());
    for at in words.numbers() {
        let number = words.number(at)?;
        if number.doubtful || number.foreign || number.sign != Sign::None {
            return None;
        }
        let near = |list: &[&str]| {
            before(words, at, 4)
                .iter()
                .chain(&behind(words, at, 5))
                .any(|word| list.contains(word))
        };
        let (works, commission, free) = (near(WORKS), near(COMMISSION), near(FREE));
        let value = number.value;
        match number.shape {
            Shape::Years => set(&mut lease.years, value)?,
            Shape::YearLabel => {}
            Shape::Area => set(&mut lease.area, value)?,
            Shape::Months if free => set(&mut lease.free, value)?,
            // "162,000 on improvements and a 5% commission": the nearer word counts.
            Shape::Percent
                if commission
                    && behind(words, at, 2)
                        .iter()
                        .chain(&before(words, at, 2))
                        .any(|word| COMMISSION.contains(word)) =>
            {
                set(&mut lease.commission_share, value / 100.0)?;
            }
            Shape::Money | Shape::Plain if value < 500.0 => {
                let nearest = before(words, at, 3)
                    .iter()
                    .chain(&behind(words, at, 3))
                    .find_map(|word| {
                        if WORKS.contains(word) {
                            Some(true)
                        } else {
                            COMMISSION.contains(word).then_some(false)
                        }
                    });
                match nearest {
                    Some(true) => set(&mut lease.works_psf, value)?,
                    Some(false) => set(&mut lease.commission_psf, value)?,
                    None if works || commission => return None,
                    None if number.shape == Shape::Money
                        || number.base == Some(Base::Area)
                        || row_base(words, at) == Some(Base::Area) =>
                    {
                        lease.rents.push(value);
                    }
                    None => return None,
                }
            }
            Shape::Money | Shape::Plain if works && !commission => set(&mut lease.works, value)?,
            Shape::Money | Shape::Plain if commission && !works => set(&mut lease.commission, value)?,
            _ => return None,
        }
    }
    Some(lease)
}
