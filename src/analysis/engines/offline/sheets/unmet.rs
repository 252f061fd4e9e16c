//! What a question says and its answer does not show: a condition on what is counted, the letter of a building, another
//! measure than the one that was computed. Then it is asked, whichever reading the answer came from.
//!
//! Computes nothing.

use crate::analysis::engines::offline::sheets::finding::{Finding, Open, Outcome};
use crate::analysis::engines::offline::sheets::query::counting;
use crate::analysis::engines::offline::sheets::query::naming::naming;
use crate::analysis::engines::offline::sheets::query::vocabulary::row_noun;
use crate::analysis::engines::offline::sheets::sources::Sheet;
use crate::analysis::engines::offline::sheets::words::{Kind as WordKind, Words};
use crate::tables::accounts::{Below, Line};
use crate::tables::headers;
use crate::tables::kind::Kind;
use crate::tables::statement;

/// Why the answer may not be that to the question.
pub(crate) fn missed(sheet: &Sheet, question: &str, outcome: &Outcome) -> Option<Open> {
    let words = Words::of(question);
    let said: Vec<&Finding> = outcome.findings.iter().filter(|finding| !finding.aside).collect();
    let first = *said.first()?;
    counting::missed(sheet, &words, first)
        .or_else(|| lettered(&words, outcome).map(unknown))
        .or_else(|| after_debt(&words, first))
        .or_else(|| without_taxes(sheet, &words, first))
        .or_else(|| of_vacancy(&words, first))
        .or_else(|| each_foot(sheet, &words, outcome, &said))
        .or_else(|| share(&words, outcome, &said))
        .or_else(|| bounded(&words, &said))
        .or_else(|| added(&words, first))
        .or_else(|| bare(&words, first))
        .or_else(|| another(&words, first))
        .map(Open::because)
}

fn unknown(word: String) -> String {
    format!(
        "I am not sure what “{word}” means for this table. Please ask without it, or name it as the table does, with its column."
    )
}

/// Things that are told apart by letters.
const LETTERED: &[&str] = &[
    "building",
    "bldg",
    "block",
    "tower",
    "wing",
    "phase",
    "section",
    "property",
    "lot",
    "series",
    "tranche",
    "type",
    "plan",
    "floorplan",
    "class",
    "grade",
    "house",
    "entrance",
    "stair",
    "zone",
];

/// "B units", "building B", "of A": a letter that stands for some of the rows and that the answer does not show.
fn lettered(words: &Words, outcome: &Outcome) -> Option<String> {
    let shown: Vec<String> = outcome
        .findings
        .iter()
        .flat_map(|finding| {
            [
                Some(finding.label.as_str()),
                finding.subject.as_deref(),
                finding.period.as_deref(),
            ]
        })
        .flatten()
        .chain(outcome.sentence.as_deref())
        .flat_map(|text| text.split(|sign: char| !sign.is_alphanumeric()))
        .map(str::to_lowercase)
        .collect();
    let letter = |at: usize| {
        words.all.get(at).filter(|word| {
            word.kind == WordKind::Plain
                && word.text.chars().count() == 1
                && word.text.chars().all(char::is_alphabetic)
        })
    };
    for at in 0..words.all.len() {
        let Some(word) = letter(at) else { continue };
        let before = at.checked_sub(1).map_or("", |before| words.stem_at(before));
        let next = words.all.get(at + 1).filter(|next| !next.begins);
        let ends = next.is_none();
        let article = matches!(word.text.as_str(), "a" | "i") && !word.named;
        let behind = LETTERED.contains(&before) && !word.begins && (!article || ends);
        let plural = next.is_some_and(|next| {
            (row_noun(&next.stem) || LETTERED.contains(&next.stem.as_str())) && next.text != next.stem
        });
        let single = next.is_some_and(|next| LETTERED.contains(&next.stem.as_str()))
            && (word.text != "a" && word.text != "i" || before == "the" && word.named);
        let of = ends
            && word.named
            && word.text != "i"
            && matches!(
                before,
                "of" | "for" | "in" | "at" | "from" | "on" | "excluding" | "without" | "only"
            );
        if !(behind || (plural || single) && !article || of) || shown.contains(&word.text) {
            continue;
        }
        let other = if behind {
            Some(before.to_owned())
        } else {
            next.map(|next| next.text.clone())
        };
        let letter = word.text.to_uppercase();
        return Some(match other {
            Some(other) if behind => format!("{other} {letter}"),
            Some(other) => format!("{letter} {other}"),
            None => letter,
        });
    }
    None
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
    let read = statement::read(&sheet.table, &[]);
    let own: Vec<&str> = read
        .items
        .iter()
        .filter(|item| item.line == Line::Expense)
        .map(|item| item.label.as_str())
        .filter(|label| {
            headers::words(label)
                .iter()
                .any(|word| matches!(word.as_str(), "tax" | "taxes"))
        })
        .collect();
    let income = read
        .items
        .iter()
        .any(|item| item.line == Line::Below(Below::IncomeTax));
    (!own.is_empty() || !income).then(|| {
        format!(
            "Should I leave out the operating expense {}? Income tax is left out anyway. Please name the line that should not count.",
            own.iter().map(|label| format!("“{label}”")).collect::<Vec<_>>().join(", ")
        )
    })
}

/// The exposure with units on notice, the income lost to empty units: no rate of vacancy, no potential rent of all.
fn of_vacancy(words: &Words, first: &Finding) -> Option<String> {
    let vacancy = first.name.starts_with("vacancy_rate");
    if vacancy
        && (words.says(&["exposure"])
            || words.says(&[
                "plus notice",
                "and notice",
                "or notice",
                "on notice",
                "with notice",
                "including notice",
            ]) && !words.says(TAKEN_OUT))
    {
        return Some(
            "I count the vacant units, and units on notice as occupied. Should both be counted, and of which units as a \
             share?"
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
    if !words.says(EACH_FOOT) || !matches!(sheet.kind, Kind::RentRoll | Kind::Leases | Kind::Comps) {
        return None;
    }
    let own = said
        .iter()
        .any(|finding| of_foot(&finding.label) || of_foot(&finding.shown))
        || outcome.sentence.as_deref().is_some_and(of_foot)
        || outcome
            .findings
            .iter()
            .any(|finding| finding.name.contains("per_"));
    let money = said
        .iter()
        .all(|finding| matches!(finding.unit, "USD" | "EUR" | "GBP" | "CHF"));
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
        && !first.label.contains(" of “")
    {
        return whole();
    }
    if first.name.starts_with("share_")
        && first
            .value
            .as_f64()
            .is_some_and(|value| (value - 1.0).abs() < 1e-12)
        && !first.label.contains(" where ")
        && first.label.ends_with('”')
        && outcome.sentence.is_none()
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
    let amounts = said
        .iter()
        .all(|finding| matches!(finding.unit, "USD" | "EUR" | "GBP" | "CHF"));
    if wanted && amounts && outcome.sentence.is_none() && !overage {
        return Some(
            "You ask for a share or a ratio, and I found only an amount. Please say of what it should be the share."
                .to_owned(),
        );
    }
    let economic = words.says(&["economic vacancy"]) && amounts;
    economic.then(|| {
        "Do you ask for the economic vacancy as a share of the potential rent? I can give the economic occupancy, which is \
         the rest of it."
            .to_owned()
    })
}

fn whole() -> Option<String> {
    Some("Of what should I give a share? That column is the whole of itself.".to_owned())
}

/// A cap rate or a debt yield "on the NOI" is asked for, and the NOI was given.
fn another(words: &Words, first: &Finding) -> Option<String> {
    if !matches!(first.name.as_str(), "noi" | "egi" | "opex") {
        return None;
    }
    let measures: &[(&str, &[&str])] = &[
        ("debt yield", &["debt yield"]),
        (
            "cap rate",
            &[
                "cap rate on",
                "cap rate of",
                "what cap rate",
                "which cap rate",
                "going in cap",
            ],
        ),
        (
            "debt service coverage ratio",
            &["dscr", "debt service coverage", "coverage ratio"],
        ),
        ("loan to value", &["ltv", "loan to value"]),
        (
            "value",
            &["cap on", "cap rate on", "worth at", "value at", "valued at"],
        ),
        ("yield", &["yield on cost", "cash on cash"]),
    ];
    let (name, _) = measures.iter().find(|(_, phrases)| words.says(phrases))?;
    Some(format!(
        "I read the net operating income of the table, and not what the {name} needs beside it. Please ask for the NOI first, and \
         then for the {name} with that amount."
    ))
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

/// "Total income including pet rent": something is to be added to it, and it was taken alone.
fn added(words: &Words, first: &Finding) -> Option<String> {
    let header = first.label.split_once('“')?.1.split_once('”')?.0;
    let parts = naming(header);
    let alone = !parts.is_empty()
        && (1..words.all.len()).any(|at| {
            matches!(words.stem_at(at - 1), "including" | "include" | "incl" | "plus")
                && parts
                    .iter()
                    .enumerate()
                    .all(|(n, part)| words.stem_at(at + n) == part.as_str())
        });
    (alone && first.name.starts_with("total_")).then(|| {
        format!("To what should I add “{header}”? I sum one column at a time; please name the columns one after the other.")
    })
}

/// "Units with rent over 2,000?": their number, their names or their sum?
fn bare(words: &Words, first: &Finding) -> Option<String> {
    let opens = words
        .all
        .first()
        .is_some_and(|word| row_noun(&word.stem) && word.text != word.stem);
    let bound = [" is above ", " is below ", " is at least ", " is at most "]
        .iter()
        .any(|own| first.label.contains(own));
    let wish = words.says(&[
        "total", "sum", "how much", "how many", "average", "combined", "together", "worth", "add up",
    ]);
    (opens && bound && !wish && first.name.starts_with("total_"))
        .then(|| "Should I count those rows, name them, or sum one of their columns?".to_owned())
}
