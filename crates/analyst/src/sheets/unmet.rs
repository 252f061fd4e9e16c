//! What a question says and its answer does not show: a condition on what is counted, the letter of a building, another
//! measure than the one that was computed. Then it is asked, whichever reading the answer came from.
//!
//! Computes nothing.

use crate::sheets::finding::{Finding, Open, Outcome};
use crate::sheets::kinds_of_rows;
use crate::sheets::mistaken;
use crate::sheets::query::counting;
use crate::sheets::query::naming::naming;
use crate::sheets::query::vocabulary::row_noun;
use crate::sheets::sources::Sheet;
use crate::sheets::unshown;
use crate::sheets::words::{self, Kind as WordKind, Words};
use tables::kind::Kind;
use tables::table::Role;

/// Why the answer may not be that to the question.
pub(crate) fn missed(sheet: &Sheet, question: &str, outcome: &Outcome) -> Option<Open> {
    let words = Words::of(question);
    let said: Vec<&Finding> = outcome.findings.iter().filter(|finding| !finding.aside).collect();
    let first = *said.first()?;
    counting::missed(sheet, &words, first)
        .or_else(|| lettered(&words, outcome).map(unknown))
        .or_else(|| mistaken::measure(sheet, &words, outcome, &said))
        .or_else(|| kinds_of_rows::missed(sheet, &words, outcome, first))
        .or_else(|| unshown::missed(sheet, &words, outcome, first))
        .or_else(|| added(&words, first))
        .or_else(|| bare(&words, first))
        .or_else(|| behind(&words, first))
        .or_else(|| not_counted(&words, first))
        .or_else(|| another(&words, first))
        .or_else(|| scaled(sheet, &words))
        .or_else(|| portion(sheet, &words))
        .or_else(|| other_period(question, first))
        .or_else(|| at_contract(question, first))
        .map(Open::because)
}

/// "In-place rent on the occupied units and market rent on the vacant ones": another gross potential rent.
fn at_contract(question: &str, first: &Finding) -> Option<String> {
    let lower = question.to_lowercase();
    let says = |list: &[&str]| list.iter().any(|said| lower.contains(said));
    let both = says(&["in-place", "in place", "contract", "actual rent", "lease rent"])
        && lower.contains("market")
        && says(&["vacant", "vacanc", "empty", "unoccupied"]);
    (first.name == "gpr" && both && !first.definition.contains("contract rent of what is let")).then(|| {
        "Gross potential rent with the contract rent of what is let and the market rent of what is vacant, or at market for all units: which do you mean?".to_owned()
    })
}

/// "Gross potential rent for one month?", and the figure is that of a year; or the reverse.
fn other_period(question: &str, first: &Finding) -> Option<String> {
    const YEAR: [&str; 9] = [
        "annual",
        "a year",
        "per year",
        "yearly",
        "full year",
        "whole year",
        "for the year",
        "twelve months",
        "12 months",
    ];
    const MONTH: [&str; 6] = [
        "monthly",
        "a month",
        "per month",
        "one month",
        "each month",
        "every month",
    ];
    let lower = question.to_lowercase();
    let asked = lower
        .split_inclusive(['.', '?', '!', ';'])
        .find(|sentence| sentence.ends_with('?'))
        .unwrap_or(&lower);
    let says = |list: &[&str]| list.iter().any(|said| asked.contains(said));
    let (yearly, monthly) = (says(&YEAR), says(&MONTH));
    let of_month = first.period.as_deref() == Some("month") || first.label.contains("per month");
    let of_year = first.period.as_deref() == Some("year") || first.label.starts_with("annual");
    if yearly && !monthly && of_month {
        return Some("You ask for a year, and I would give the amount of a month: twelve times that, or what a year brings another way?".to_owned());
    }
    if monthly && !yearly && of_year {
        return Some(
            "You ask for a month, and I would give the amount of a year. Should I give the year's?"
                .to_owned(),
        );
    }
    None
}

/// "All amounts are in thousands", where the table does not say so.
fn scaled(sheet: &Sheet, words: &Words) -> Option<String> {
    const OF: [&str; 4] = ["thousand", "million", "000", "000s"];
    let said = OF.iter().any(|scale| {
        words.says(&[
            &format!("are in {scale}"),
            &format!("is in {scale}"),
            &format!("stated in {scale}"),
            &format!("shown in {scale}"),
            &format!("expressed in {scale}"),
        ])
    });
    let own = |text: &str| {
        let lower = text.to_lowercase();
        OF.iter().any(|scale| lower.contains(scale)) || lower.contains("$k") || lower.contains("$m")
    };
    let told = sheet.table.titles.iter().any(|title| own(title))
        || sheet.table.columns.iter().any(|column| own(&column.header));
    (said && !told)
        .then(|| "The table itself does not say that its amounts are scaled. Please send it with that in its headers.".to_owned())
}

/// "The retail portion": a part of the property that the table does not tell apart.
fn portion(sheet: &Sheet, words: &Words) -> Option<String> {
    let at = (1..words.all.len()).find(|at| matches!(words.stem_at(*at), "portion" | "component"))?;
    let of = words.all.get(at - 1)?;
    let kind = matches!(
        of.text.as_str(),
        "retail" | "office" | "residential" | "commercial" | "industrial" | "hotel" | "parking" | "storage"
    );
    let named = |text: &str| text.to_lowercase().contains(of.text.as_str());
    let told = sheet.table.columns.iter().any(|column| named(&column.header))
        || sheet.table.rows.iter().any(|row| row.cells.iter().any(named));
    (kind && !told).then(|| unknown(format!("{} {}", of.text, words.stem_at(at))))
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

/// "The 2025 NOI", "NOI for 2025": the income of a year, whose number is no amount.
pub(crate) fn of_year(words: &Words) -> bool {
    let year = |at: usize| {
        words.all.get(at).is_some_and(|word| match &word.kind {
            WordKind::Number(number) => words::year(number).is_some(),
            _ => false,
        })
    };
    (0..words.all.len()).any(|at| {
        let income = words.stem_at(at) == "noi"
            || words.stem_at(at) == "net"
                && words.stem_at(at + 1) == "operating"
                && words.stem_at(at + 2) == "income";
        let given = (1..=4).any(|ahead| {
            words
                .all
                .get(at + ahead)
                .is_some_and(|word| matches!(word.kind, WordKind::Number(_)) && !year(at + ahead))
                && matches!(
                    words.stem_at(at + ahead - 1),
                    "of" | "is" | "noi" | "income" | "being" | "was"
                )
        });
        income && !given && at.checked_sub(1).is_some_and(year)
    })
}

/// What is said where such an income is wanted for a figure that the table alone does not tell.
pub(crate) const OF_YEAR: &str = "I could not take the income of that year from the table for what you ask. Please ask for the NOI of \
     the year first, and then for the figure with that amount.";

/// "Delinquent tenants", "who is late": some of the rows, which the answer must show.
fn behind(words: &Words, first: &Finding) -> Option<String> {
    let late = (0..words.all.len()).find(|at| {
        let own = matches!(
            words.stem_at(*at),
            "delinquent" | "overdue" | "late" | "behind" | "arrear"
        );
        let people = matches!(
            words.stem_at(at + 1),
            "tenant" | "resident" | "lessee" | "occupier" | "unit" | "lease" | "people" | "household"
        );
        let told = at
            .checked_sub(1)
            .is_some_and(|before| matches!(words.stem_at(before), "are" | "is" | "were" | "in" | "running"))
            && words.says(&["which", "who", "name", "list"]);
        own && (people || told)
    })?;
    let shown = first.label.contains(" where “");
    (!shown && first.unit != "percent").then(|| {
        format!(
            "I am not sure which rows “{}” chooses. Please name the column and its value.",
            words.all.get(late).map_or("", |word| word.text.as_str())
        )
    })
}

/// How many units are below market, and not by how much.
fn not_counted(words: &Words, first: &Finding) -> Option<String> {
    let counts = words.says(&[
        "how many unit",
        "how many tenant",
        "how many lease",
        "how many apartment",
        "how many resident",
        "number of unit",
        "number of tenant",
        "number of lease",
        "count of unit",
        "count of tenant",
        "count of lease",
    ]);
    (counts && first.name.starts_with("loss_to_lease")).then(|| {
        "I can give the loss to lease as an amount, and not how many units are below market.".to_owned()
    })
}

/// Names that a sentence lists.
const LISTED: usize = 20;

/// That a file has nothing of what is asked, and what it has.
pub(crate) fn not_found(sheet: &Sheet) -> String {
    let table = &sheet.table;
    let (what, names): (&str, Vec<&str>) = if sheet.kind == Kind::Statement {
        let rows = table.rows.iter().filter(|row| row.role == Role::Data);
        let label = rows.filter_map(|row| row.cells.iter().find(|cell| cell.contains(char::is_alphabetic)));
        ("lines", label.collect())
    } else {
        let headers = table.columns.iter().map(|column| column.header.as_str());
        ("columns", headers.filter(|header| !header.is_empty()).collect())
    };
    let more = names.len().saturating_sub(LISTED);
    let others = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let names: Vec<String> = names
        .iter()
        .take(LISTED)
        .map(|name| format!("“{name}”"))
        .collect();
    format!(
        "I found nothing in {} that answers this. Its {what} are {}{others}. Please ask for one of them by its name.",
        sheet.name,
        names.join(", ")
    )
}
