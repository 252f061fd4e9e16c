//! The share of the largest tenant in rent or in area, and who it is.
//!
//! Every word must be understood.

use crate::sheets::finding::{Finding, Outcome, plain};
use crate::sheets::query::vocabulary;
use crate::sheets::sources::Sheet;
use crate::sheets::words::Words;
use tables::kind::Kind;
use tables::tenancy::State;

const WORDS: &str = "share percent percentage portion proportion fraction rent rental income revenue roll annual annualized \
     monthly base contract passing total comes come from our largest biggest tenant tenants lessee occupier building \
     building's property ride rides on rely relies depends pay pays paying paid take takes taken up space area floor \
     measured occupy occupies has hold holds account accounts for represent represents concentration exposure top leased \
     let sf square feet foot gla nla nia sqm single name leases makes contribute contributes generate generates";

/// The answer, if that is what is asked and nothing else.
pub(crate) fn answer(sheet: &Sheet, question: &str) -> Option<Outcome> {
    if !matches!(sheet.kind, Kind::RentRoll | Kind::Leases) {
        return None;
    }
    let words = Words::of(question);
    let says = |list: &[&str]| words.says(list);
    let asked = says(&[
        "share",
        "percent",
        "percentage",
        "portion",
        "proportion",
        "fraction",
        "%",
    ]) && says(&["largest", "biggest", "top"])
        && says(&["tenant", "lessee", "occupier"]);
    let known = vocabulary::accounted(&words, WORDS, false);
    if !asked || !known {
        return None;
    }
    let rent = says(&["rent", "rental", "income", "revenue"]);
    let area = says(&[
        "area",
        "space",
        "sf",
        "square feet",
        "square foot",
        "gla",
        "nla",
        "nia",
        "sqm",
        "floor",
    ]);
    // "Pays" and "takes up" say of themselves of what.
    if rent == area {
        return None;
    }
    let read = sheet.tenancy();
    if rent && !read.doubts.is_empty() {
        return None;
    }
    let whole = area && says(&["building", "property"]) && !says(&["leased", "let"]);
    let mut sums: Vec<(String, f64)> = Vec::new();
    let mut total = 0.0;
    for space in read.spaces.iter() {
        let amount = if rent { space.rent() } else { space.area() };
        if space.state != State::Occupied {
            // Of a building with vacant space the share could be that of all of it or of what is let.
            if area && !whole && !says(&["leased", "let"]) {
                return None;
            }
            if whole {
                total += amount.unwrap_or(0.0);
            }
            continue;
        }
        let amount = amount?;
        total += amount;
        match sums.iter_mut().find(|(name, _)| *name == space.name()) {
            Some((_, sum)) => *sum += amount,
            None => sums.push((space.name().to_owned(), amount)),
        }
    }
    sums.sort_by(|one, other| other.1.total_cmp(&one.1));
    let (name, most) = sums.first()?.clone();
    if sums.get(1).is_some_and(|(_, next)| (most - next).abs() < 1e-9) || total <= 0.0 || sums.len() < 2 {
        return None;
    }
    let what = if rent { "rent" } else { "area" };
    let share = Finding::percent(
        if rent {
            "top_tenant_share"
        } else {
            "top_tenant_share_of_area"
        },
        &format!("share of the {what}"),
        most / total,
        &format!("Share = {what} of the largest tenant ÷ {what} of all tenants."),
    )
    .of(name.clone())
    .step(format!("{name}: {} of {}.", plain(most, 2), plain(total, 2)));
    let tenant = Finding {
        value: serde_json::json!(name),
        ..Finding::new(
            "top_tenant",
            "largest tenant",
            0.0,
            "text",
            name.clone(),
            &format!("The tenant with the most {what}."),
        )
    };
    let mut outcome = Outcome::figures(vec![share]);
    if says(&["who", "which tenant", "name"]) {
        outcome.findings.push(tenant.aside());
    }
    Some(outcome)
}

/// Whether the question also asks for the name: then it is no sum of several.
pub(crate) fn names_too(question: &str) -> bool {
    Words::of(question).says(&["who is it", "who is that", "who it is", "and who"])
}
