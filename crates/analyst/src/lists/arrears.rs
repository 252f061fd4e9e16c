//! Preferred return that is still owed after payments of several years, each less than what had accrued.

use serde_json::json;

use crate::forms::words::Words;
use crate::plan::outcome::Ask;
use crate::say::format;
use crate::say::written::{Read, Written, figure, input};
use crate::words::scan::{Number, Shape, Sign};

/// What the question tells.
struct Told {
    capital: f64,
    rate: f64,
    /// What is paid at the end of each year, from the first on.
    paid: Vec<f64>,
}

pub(crate) fn read(words: &Words) -> Read {
    let pref = words.says(&["pref", "preferred return", "preferred"]);
    let owed = words.says(&[
        "unpaid",
        "accrued",
        "still owed",
        "owed",
        "outstanding",
        "shortfall",
        "arrears",
        "still due",
    ]);
    let other = words.has(&[
        "irr",
        "promote",
        "split",
        "catchup",
        "hurdle",
        "sale",
        "sold",
        "monthly",
        "quarterly",
        "returned",
        "months",
        "quarter",
        "noi",
    ]);
    if !pref || !owed || other {
        return None;
    }
    let told = told(words)?;
    let simple = words.has(&["simple", "noncompounding", "uncompounded"])
        || words.says(&[
            "non compounding",
            "not compounding",
            "not compounded",
            "without compounding",
            "no compounding",
        ]);
    let compound = words.has(&["compounding", "compounded", "compounds", "compound"]) && !simple;
    if !simple && !compound {
        return Some(Err(Ask::because(
            "Does the unpaid preferred return itself earn the preferred return (compounding), or not?",
        )));
    }
    let mut unpaid = 0.0;
    let mut rows = Vec::new();
    for (year, paid) in told.paid.iter().enumerate() {
        let base = told.capital + if compound { unpaid } else { 0.0 };
        let accrued = base * told.rate;
        unpaid += accrued - paid;
        if unpaid < -0.005 {
            return Some(Err(Ask::because(
                "One of the payments is more than what had accrued by then. Does the rest return capital?",
            )));
        }
        rows.push(vec![
            (year + 1).to_string(),
            format::money(accrued),
            format::money(*paid),
            format::money(unpaid),
        ]);
    }
    let definition = if compound {
        "Unpaid preferred return = what was unpaid before × (1 + rate) + capital × rate − what is paid, year by year; payments fall at year ends."
    } else {
        "Unpaid preferred return = Σ (capital × rate − what is paid), year by year, without return on what is unpaid; payments fall at year ends."
    };
    let inputs = vec![
        input("capital", told.capital, "USD"),
        input("preferred_return", told.rate, "percent"),
    ];
    Some(Ok(Written {
        figures: vec![figure("unpaid_pref", json!(unpaid), "USD", definition, inputs)],
        said: format!(
            "After year {} the unpaid preferred return is {}",
            told.paid.len(),
            format::money(unpaid)
        ),
        definition: definition.to_owned(),
        head: vec!["Year", "Accrued", "Paid", "Unpaid"],
        rows,
        steps: vec![format!(
            "{} at the end of year {}.",
            format::money(unpaid),
            told.paid.len()
        )],
        remarks: Vec::new(),
    }))
}

/// Every number in its place, or none of them.
fn told(words: &Words) -> Option<Told> {
    let places: Vec<usize> = words.numbers().collect();
    let label = |at: usize| words.number(at).filter(|number| number.shape == Shape::YearLabel);
    let money = |number: &Number| {
        matches!(number.shape, Shape::Money | Shape::Plain)
            && number.value >= 100.0
            && number.sign == Sign::None
            && number.per.is_none()
            && !number.foreign
            && !number.doubtful
    };
    let (mut capital, mut rate, mut asked) = (None, None, None);
    let mut paid: Vec<(f64, f64)> = Vec::new();
    let mut index = 0;
    while let Some(at) = places.get(index).copied() {
        let number = words.number(at)?;
        let next = places.get(index + 1).copied();
        // "50k in year 1": nothing but small words between the two.
        let own = next.and_then(label).filter(|_| {
            next.is_some_and(|next| {
                (at + 1..next).all(|at| {
                    matches!(
                        words.word(at),
                        "in" | "for"
                            | "at"
                            | "the"
                            | "end"
                            | "of"
                            | "during"
                            | "was"
                            | "paid"
                            | "year"
                            | "yr"
                    )
                })
            })
        });
        match number.shape {
            Shape::Percent if rate.is_none() => rate = Some(number.value / 100.0),
            Shape::YearLabel if asked.is_none() => asked = Some(number.value),
            _ if money(number) && own.is_some() => {
                paid.push((own?.value, number.value));
                index += 1;
            }
            _ if money(number) && capital.is_none() => capital = Some(number.value),
            _ => return None,
        }
        index += 1;
    }
    paid.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let in_turn = paid
        .iter()
        .enumerate()
        .all(|(at, (year, _))| *year == (at + 1) as f64);
    let whole = asked.is_none_or(|year| year == paid.len() as f64);
    (paid.len() >= 2 && in_turn && whole).then_some(Told {
        capital: capital?,
        rate: rate?,
        paid: paid.into_iter().map(|(_, amount)| amount).collect(),
    })
}
