//! Measures that are near the one a question asks for and are not it: a rate for an amount, a whole rent for one of each
//! foot, the income with its taxes for that without.
//!
//! Computes nothing.

use crate::sheets::columned::of_stated;
use crate::sheets::finding::{Finding, Outcome};
use crate::sheets::sources::Sheet;
use crate::sheets::words::{Kind as WordKind, Words};
use tables::accounts::{Below, Line};
use tables::headers;
use tables::kind::Kind;
use tables::statement;

/// Why the measure may be another than the one asked for.
pub(crate) fn measure(sheet: &Sheet, words: &Words, outcome: &Outcome, said: &[&Finding]) -> Option<String> {
    let first = *said.first()?;
    after_debt(words, first)
        .or_else(|| without_taxes(sheet, words, first))
        .or_else(|| of_vacancy(words, first))
        .or_else(|| each_foot(sheet, words, outcome, said))
        .or_else(|| share(words, outcome, said))
        .or_else(|| bounded(words, said))
}

const TAKEN_OUT: &[&str] = &[
    "before",
    "excluding",
    "exclude",
    "without",
    "ignoring",
    "not",
    "except",
    "leaving",
    "omitting",
];

/// "After debt service and capex": the second is not subtracted.
fn after_debt(words: &Words, first: &Finding) -> Option<String> {
    let further = words.says(&[
        "capex",
        "capital",
        "reserve",
        "ti",
        "tis",
        "tenant improvement",
        "improvement",
        "leasing commission",
        "commission",
        "lc",
        "lcs",
        "income tax",
        "depreciation",
        "distribution",
        "preferred return",
    ]);
    (first.name == "cash_flow_after_debt" && further && !words.says(TAKEN_OUT)).then(|| {
        "I subtract debt service from the NOI and nothing else. Please ask for the cash flow after debt service, and for \
         each further deduction by the name of its line."
            .to_owned()
    })
}

/// "Excluding taxes" where taxes are one of the operating expenses: no income tax, which is left out anyway.
fn without_taxes(sheet: &Sheet, words: &Words, first: &Finding) -> Option<String> {
    let whole = matches!(first.name.as_str(), "noi" | "opex" | "opex_ratio" | "noi_margin");
    if sheet.kind != Kind::Statement || !whole {
        return None;
    }
    let out = (0..words.all.len()).any(|at| {
        let back = |n: usize| at.checked_sub(n).map_or("", |place| words.stem_at(place));
        let bare = words.stem_at(at) == "tax"
            && !matches!(
                back(1),
                "income" | "corporate" | "corporation" | "after" | "transfer"
            );
        let led = |n: usize| {
            matches!(
                back(n),
                "excluding"
                    | "exclude"
                    | "excl"
                    | "without"
                    | "except"
                    | "ex"
                    | "ignoring"
                    | "omitting"
                    | "minus"
                    | "besides"
            )
        };
        bare && (1..=4).any(led)
    });
    if !out || first.label.contains("without") || first.label.contains("excluding") {
        return None;
    }
    // Only where no tax is an operating expense it is the income tax that is left out.
    let read = statement::read(&sheet.table, &[]);
    let below = read
        .items
        .iter()
        .any(|item| item.line == Line::Below(Below::IncomeTax));
    let operating = read.items.iter().any(|item| {
        item.line == Line::Expense
            && headers::words(&item.label)
                .iter()
                .any(|word| matches!(word.as_str(), "tax" | "taxes"))
    });
    (operating || !below).then(|| {
        "Which taxes should I leave out? Income tax is no operating expense and never counts; property taxes are one. Please \
         name the line that should not count."
            .to_owned()
    })
}

/// The exposure with units on notice, the income lost to empty units: no rate of vacancy, no potential rent of all.
fn of_vacancy(words: &Words, first: &Finding) -> Option<String> {
    let vacancy = first.name.starts_with("vacancy_rate");
    let notice = words.position(&["notice"]).is_some_and(|at| {
        !(1..=3).any(|back| {
            at.checked_sub(back)
                .is_some_and(|place| TAKEN_OUT.contains(&words.stem_at(place)))
        })
    });
    if vacancy && (words.says(&["exposure"]) || notice) {
        return Some(
            "I count the vacant units, and units on notice as occupied. Should both be counted, and of which units as a \
             share?"
                .to_owned(),
        );
    }
    // "What share of the occupied units is 2BR" is not how many of the 2BR are occupied.
    let let_out = vacancy || first.name.starts_with("physical_occupancy");
    let share = words.says(&[
        "share",
        "percent",
        "percentage",
        "proportion",
        "fraction",
        "portion",
        "how much",
    ]);
    if let_out && share && of_stated(words) {
        return Some(
            "Should I give how much is let of all, or which part of what is let fits your condition? Please ask for one of the \
             two."
                .to_owned(),
        );
    }
    let lost = words.says(&[
        "lose",
        "losing",
        "lost",
        "vacancy loss",
        "vacancy cost",
        "forgone",
        "foregone",
    ]);
    let money = lost || words.says(&["in dollar", "how much rent", "how much income"]);
    if vacancy && money {
        return Some(
            "I can give the vacancy as a rate. For the rent that is lost, please ask for the market rent of the vacant units, \
             a month or a year."
                .to_owned(),
        );
    }
    let empty = words.says(&["vacant", "vacancy", "empty", "void", "unlet"]);
    (first.name.starts_with("gpr") && lost && empty).then(|| {
        "Please ask for the total market rent of the vacant units: the gross potential rent is that of all units.".to_owned()
    })
}

const EACH_FOOT: &[&str] = &[
    "psf",
    "per sf",
    "per sqft",
    "per sq ft",
    "per square foot",
    "per square feet",
    "per foot",
    "per rsf",
    "a foot",
    "a square foot",
    "a sq ft",
    "psm",
    "per sqm",
    "per square metre",
    "per square meter",
];

fn of_foot(text: &str) -> bool {
    let words = headers::words(text);
    let size = |word: &str| {
        matches!(
            word,
            "sf" | "sqft"
                | "sq"
                | "ft"
                | "foot"
                | "feet"
                | "rsf"
                | "sqm"
                | "square"
                | "m2"
                | "psf"
                | "psm"
                | "area"
        )
    };
    text.contains("m²")
        || words.iter().any(|word| matches!(word.as_str(), "psf" | "psm"))
        || (words.iter().any(|word| size(word))
            && (text.contains('/') || text.to_lowercase().contains("per")))
}

/// A rent for each square foot is asked for, and the whole rent was given.
fn each_foot(sheet: &Sheet, words: &Words, outcome: &Outcome, said: &[&Finding]) -> Option<String> {
    if !words.says(EACH_FOOT) || !matches!(sheet.kind, Kind::RentRoll | Kind::Leases) {
        return None;
    }
    let first = *said.first()?;
    let own = of_foot(&first.label)
        || of_foot(&first.shown)
        || outcome.sentence.as_deref().is_some_and(of_foot)
        || first.name.contains("per_");
    let money = matches!(first.unit, "USD" | "EUR" | "GBP" | "CHF");
    (money && !own).then(|| {
        "Do you ask for an amount per square foot? Please name its column, or ask for the rent divided by the area.".to_owned()
    })
}

/// A share is asked for and an amount was given; or a share of everything in itself.
fn share(words: &Words, outcome: &Outcome, said: &[&Finding]) -> Option<String> {
    let first = *said.first()?;
    if first.name.starts_with("share_")
        && outcome.sentence.is_none()
        && first
            .value
            .as_f64()
            .is_some_and(|value| (value - 1.0).abs() < 1e-12)
        && !first.label.contains(" where ")
        && first.label.ends_with('”')
    {
        return whole();
    }
    // "Percentage rent" is rent on the sales of a shop.
    let overage = words.says(&["percentage rent", "percent rent", "overage rent", "overage"]);
    if overage && first.name.starts_with("share_") {
        return Some(
            "Percentage rent is a share of a tenant's sales above a breakpoint, which I do not compute from a table. Please give \
             me the sales, the breakpoint and the percentage."
                .to_owned(),
        );
    }
    let wanted = (0..words.all.len()).any(|at| {
        let number = at
            .checked_sub(1)
            .and_then(|before| words.all.get(before))
            .is_some_and(|before| matches!(before.kind, WordKind::Number(_)));
        matches!(
            words.stem_at(at),
            "percent" | "percentage" | "ratio" | "proportion"
        ) && !number
    });
    let amount = |finding: &&Finding| matches!(finding.unit, "USD" | "EUR" | "GBP" | "CHF");
    let amounts = said.iter().all(amount);
    let told = outcome.findings.iter().any(|finding| finding.unit == "percent");
    // "Percent of the budget spent" is no budget for each dollar spent.
    let turned = first.label.contains("” per “");
    if wanted && (amounts || turned) && !told && outcome.sentence.is_none() && !overage {
        return Some(
            "You ask for a share or a ratio, and I found only an amount. Please say of what it should be the share."
                .to_owned(),
        );
    }
    let economic = words.says(&["economic vacancy", "vacancy rate", "vacancy percentage"]) && amounts;
    economic.then(|| {
        "Do you ask for the economic vacancy as a share of the potential rent? I can give the economic occupancy, which is \
         the rest of it."
            .to_owned()
    })
}

fn whole() -> Option<String> {
    Some("Of what should I give a share? That column is the whole of itself.".to_owned())
}

/// A bound of so much a foot, kept to a column of whole amounts.
fn bounded(words: &Words, said: &[&Finding]) -> Option<String> {
    let each = (1..words.all.len()).any(|at| {
        let number = words
            .all
            .get(at)
            .is_some_and(|word| matches!(word.kind, WordKind::Number(_)));
        let bound = (1..=3).any(|back| {
            at.checked_sub(back).is_some_and(|place| {
                matches!(
                    words.stem_at(place),
                    "over" | "under" | "above" | "below" | "than" | "exceed" | "exceeding" | "least" | "most"
                )
            })
        });
        let foot = words.stem_at(at + 1) == "psf"
            || matches!(words.stem_at(at + 1), "a" | "per")
                && matches!(
                    words.stem_at(at + 2),
                    "sf" | "sqft" | "rsf" | "foot" | "square" | "sq" | "sqm"
                );
        number && bound && foot
    });
    if !each {
        return None;
    }
    let whole = said.iter().any(|finding| {
        [" is above ", " is below ", " is at least ", " is at most "]
            .iter()
            .filter_map(|own| finding.label.split_once(own))
            .any(|(before, _)| !of_foot(before.rsplit('“').next().unwrap_or("")))
    });
    whole.then(|| {
        "Your bound is an amount per square foot. Under which column should I look for it?".to_owned()
    })
}
