//! Rows and measures that a question names and that its answer does not show: several of the rows by their names, years from
//! one on, kinds of units, an adjusted price.
//!
//! Computes nothing.

use crate::sheets::finding::{Finding, Outcome};
use crate::sheets::query::vocabulary::row_noun;
use crate::sheets::sources::Sheet;
use crate::sheets::words::{Kind as WordKind, Words, stem, year};
use tables::accounts::Line;
use tables::kind::Kind;
use tables::statement;

/// Why the answer may be of other rows, or of another measure, than those asked about.
pub(crate) fn missed(sheet: &Sheet, words: &Words, outcome: &Outcome, first: &Finding) -> Option<String> {
    both_ways(first)
        .or_else(|| several(sheet, words, outcome))
        .or_else(|| parts_of_names(sheet, words, outcome))
        .or_else(|| rolling(words, first))
        .or_else(|| bedrooms(words, outcome, first))
        .or_else(|| supposed(words))
        .or_else(|| measured(words, first))
}

/// "Except Aspen and Birch", taken as "not Aspen" and "Birch": one column cannot be both.
fn both_ways(first: &Finding) -> Option<String> {
    let columns = |sign: &str| -> Vec<String> {
        first
            .label
            .match_indices(sign)
            .filter_map(|(at, _)| {
                let before = first.label.get(..at)?;
                Some(before.rsplit('“').next()?.to_owned())
            })
            .collect()
    };
    let out = columns("” is not ");
    let all = columns("” is ");
    let count = |list: &[String], column: &String| list.iter().filter(|other| *other == column).count();
    let both = all
        .iter()
        .any(|column| out.contains(column) && count(&all, column) > count(&out, column));
    both.then(|| {
        "Several rows are to be left out, and I leave out one at a time. Please attach the table without those rows.".to_owned()
    })
}

/// What an answer shows of its rows.
fn shown(outcome: &Outcome) -> String {
    outcome
        .findings
        .iter()
        .flat_map(|finding| {
            [
                Some(finding.label.as_str()),
                finding.subject.as_deref(),
                Some(finding.definition.as_str()),
            ]
            .into_iter()
            .chain(finding.steps.iter().map(|step| Some(step.as_str())))
        })
        .flatten()
        .chain(outcome.sentence.as_deref())
        .chain(outcome.remarks.iter().map(String::as_str))
        .chain(outcome.tables.iter().map(String::as_str))
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

/// The rows that an answer names; its tables and steps may list them all.
fn named(outcome: &Outcome) -> String {
    outcome
        .findings
        .iter()
        .flat_map(|finding| [Some(finding.label.as_str()), finding.subject.as_deref()])
        .flatten()
        .chain(outcome.sentence.as_deref())
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

/// "The legal and tech tenants": parts of names.
fn parts_of_names(sheet: &Sheet, words: &Words, outcome: &Outcome) -> Option<String> {
    let cells: Vec<String> = sheet
        .table
        .data()
        .flat_map(|row| {
            (0..sheet.table.columns.len()).map(|column| sheet.table.text(row, column).to_lowercase())
        })
        .filter(|text| text.chars().any(char::is_alphabetic) && text.contains(' '))
        .collect();
    let said = named(outcome);
    let part = |at: usize| {
        words.all.get(at).filter(|word| {
            let text = word.text.to_lowercase();
            text.chars().count() > 2
                && !said.contains(&text)
                && cells.iter().any(|cell| {
                    cell.split(|sign: char| !sign.is_alphanumeric())
                        .any(|own| own == text)
                })
        })
    };
    (0..words.all.len()).find_map(|at| {
        let joined = matches!(words.stem_at(at + 1), "and" | "or") && row_noun(words.stem_at(at + 3));
        let first = part(at).filter(|_| joined)?;
        let second = part(at + 2)?;
        Some(format!(
            "I am not sure which rows “{} and {}” chooses. Please name the column and its value.",
            first.text, second.text
        ))
    })
}

/// "Comps A, C and D", "without Oak Books, Ash Cafe and Pine Legal": rows by their names, of which the answer shows one.
fn several(sheet: &Sheet, words: &Words, outcome: &Outcome) -> Option<String> {
    let said = named(outcome);
    // "Strip out debt service and depreciation": lines that are below the line anyway are named to be left out.
    let noi = outcome.findings.first().is_some_and(|first| first.name == "noi");
    let out = words.says(&[
        "strip out",
        "leave out",
        "take out",
        "exclude",
        "excluding",
        "ignore",
        "ignoring",
        "doesn't belong",
        "don't belong",
        "do not belong",
        "below the line",
    ]);
    let below: Vec<String> = if noi && out && sheet.kind == Kind::Statement {
        statement::read(&sheet.table, &[])
            .items
            .iter()
            .filter(|item| matches!(item.line, Line::Below(_)))
            .map(|item| item.label.trim().to_lowercase())
            .collect()
    } else {
        Vec::new()
    };
    let turned_away = |name: &str| below.contains(&name.to_lowercase());
    for column in 0..sheet.table.columns.len() {
        let names: Vec<&str> = sheet
            .table
            .data()
            .map(|row| sheet.table.text(row, column).trim())
            .filter(|text| !text.is_empty() && text.chars().any(char::is_alphabetic))
            .collect();
        let mut distinct = names.clone();
        distinct.sort_unstable();
        distinct.dedup();
        // What several rows share is a kind, no name.
        if distinct.len() < 2 || distinct.len() < names.len() {
            continue;
        }
        let asked: Vec<&str> = distinct
            .into_iter()
            .filter(|name| stands(words, name, column == 0))
            .filter(|name| !turned_away(name))
            .collect();
        let missing = asked.iter().find(|name| !told(&said, name));
        if let (true, Some(missing)) = (asked.len() > 1, missing) {
            return Some(format!(
                "Several rows are named, and I could not take “{missing}” among them. Please ask for each of them, or attach \
                 those rows alone."
            ));
        }
    }
    None
}

/// A name as the question has it; a single letter counts where it is written as a capital in a list of them.
fn stands(words: &Words, name: &str, names_rows: bool) -> bool {
    let parts: Vec<String> = name
        .split(|sign: char| !sign.is_alphanumeric())
        .filter(|part| !part.is_empty())
        .map(str::to_lowercase)
        .collect();
    let short = parts.len() == 1 && name.chars().count() == 1;
    (0..words.all.len()).any(|at| {
        let here = parts.iter().enumerate().all(|(n, part)| {
            words
                .all
                .get(at + n)
                .is_some_and(|word| word.text.to_lowercase() == *part || word.stem == stem(part))
        });
        if !here {
            return false;
        }
        let article = name.eq_ignore_ascii_case("a") || name.eq_ignore_ascii_case("i");
        !short || (names_rows && words.all.get(at).is_some_and(|word| word.named || !article))
    })
}

fn told(said: &str, name: &str) -> bool {
    let name = name.to_lowercase();
    if name.chars().count() > 1 {
        return said.contains(&name);
    }
    said.split(|sign: char| !sign.is_alphanumeric())
        .any(|word| word == name)
}

/// "In 2030 or later", "annual rent rolls": the months of one year, the rent of a month.
fn rolling(words: &Words, first: &Finding) -> Option<String> {
    let ends = words.says(&[
        "roll",
        "rolls",
        "expire",
        "expires",
        "rolling",
        "expiring",
        "rolls over",
    ]);
    let counted = first.name.starts_with("share_of_rows") && ends;
    if !(first.name.starts_with("rollover") || first.name.starts_with("expiring") || counted) {
        return None;
    }
    let calendar = |at: usize| {
        words.all.get(at).is_some_and(|word| match &word.kind {
            WordKind::Number(number) => year(number).is_some(),
            _ => false,
        })
    };
    let part = (1..words.all.len()).any(|at| {
        calendar(at)
            && (matches!(
                words.stem_at(at - 1),
                "until" | "till" | "but" | "except" | "excluding"
            ) || (words.stem_at(at - 1) == "from" && words.stem_at(at + 1) == "on"))
    });
    if part {
        return Some(
            "From which day to which day? Please name both, for instance “from 2028-01-01 to 2035-12-31”."
                .to_owned(),
        );
    }
    let open = words.says(&[
        "or later",
        "or after",
        "and later",
        "and beyond",
        "or beyond",
        "onward",
        "and after",
        "or earlier",
        "or before",
    ]);
    if open
        && first
            .period
            .as_deref()
            .is_none_or(|period| !period.contains(" to "))
    {
        return Some(
            "From which day to which day? Please name both, for instance “from 2030-01-01 to 2035-12-31”."
                .to_owned(),
        );
    }
    let yearly = words.says(&[
        "annual rent",
        "yearly rent",
        "rent a year",
        "rent per year",
        "annualized rent",
    ]);
    let monthly =
        first.definition.to_lowercase().contains("month") || first.label.to_lowercase().contains("month");
    (yearly && first.name == "rollover_rent" && monthly && !first.label.to_lowercase().contains("annual")).then(|| {
        "The table has rents of a month. Should I give the monthly rent that expires, or twelve times that?".to_owned()
    })
}

/// "On the one-bedroom units": some of the units, which the answer has to show.
fn bedrooms(words: &Words, outcome: &Outcome, first: &Finding) -> Option<String> {
    const KINDS: &[&str] = &[
        "one bedroom",
        "two bedroom",
        "three bedroom",
        "four bedroom",
        "one bed",
        "two bed",
        "three bed",
        "1 bedroom",
        "2 bedroom",
        "3 bedroom",
        "1 bed",
        "2 bed",
        "3 bed",
        "studio",
    ];
    let asked = KINDS.iter().filter(|kind| words.says(&[kind])).count();
    let both = words.says(&[
        "one and two bedroom",
        "two and three bedroom",
        "one or two bedroom",
        "1 and 2 bedroom",
    ]);
    let said = shown(outcome);
    let narrowed = [
        "bed", "br", "type", "plan", "studio", "unit mix", "layout", "config",
    ]
    .iter()
    .any(|part| said.contains(part));
    let of_all = first.name.starts_with("loss_to_lease") || first.name.starts_with("physical_occupancy");
    ((asked > 0 && of_all && !narrowed) || (both && !said.contains("or"))).then(|| {
        "I could not narrow that to the kind of unit you name. Please attach those units alone, or ask for each kind."
            .to_owned()
    })
}

/// "Our largest tenant leaves. What is the rent then?": another roll than the one that is there.
fn supposed(words: &Words) -> Option<String> {
    let goes = (1..words.all.len()).any(|at| {
        matches!(words.stem_at(at), "leave" | "vacate" | "depart" | "go")
            && matches!(
                words.stem_at(at - 1),
                "tenant" | "rent" | "one" | "area" | "lessee" | "they"
            )
    });
    let after = words.says(&["then", "after that", "afterward", "once", "when"]);
    (goes && after && words.says(&["largest", "biggest", "first", "anchor", "smallest", "they"])).then(|| {
        "That is another table than the one I have. Please attach it without that row, or ask for both figures by themselves."
            .to_owned()
    })
}

/// Measures that are near the one that is named.
fn measured(words: &Words, first: &Finding) -> Option<String> {
    let name = first.name.as_str();
    let says = |phrases: &[&str]| words.says(phrases);
    let adjusted = says(&[
        "adjusted price",
        "adjusted value",
        "adjusted psf",
        "adjusted price per foot",
    ]);
    if adjusted && (name.contains("adjustment") || name.starts_with("value_price")) {
        return Some(
            "I adjust the prices of all sales together. Please ask for the average adjusted price, or attach the sales you mean alone."
                .to_owned(),
        );
    }
    if name == "noi_margin"
        && says(&[
            "margin on gross",
            "of gross potential",
            "on gpr",
            "of gpr",
            "to gpr",
        ])
    {
        return Some("I give the margin on effective gross income. Please ask for NOI and gross potential rent by themselves.".to_owned());
    }
    let deducted = says(&[
        "after capital",
        "after the capital",
        "after capex",
        "after the capex",
        "after reserve",
        "after the reserve",
        "less capex",
        "net of capex",
    ]);
    if deducted && name == "value" {
        return Some("I value the NOI before capital works. Please ask for the NOI after them first, and then for the value of that amount.".to_owned());
    }
    if says(&["loan to cost", "ltc"])
        && !name.contains("ltc")
        && !name.contains("loan")
        && first.unit != "percent"
    {
        return Some(
            "I could not find the loan and the cost that you mean. Please ask for the total of each."
                .to_owned(),
        );
    }
    let grew = says(&[
        "go up",
        "went up",
        "gone up",
        "rise",
        "rose",
        "increase",
        "increased",
        "grow",
        "grew",
        "go down",
        "went down",
        "fall",
        "fell",
    ]);
    if grew && name.starts_with("share_of_rows") {
        return Some(
            "From which column to which? Please name both, for instance “from 2024 to 2025”.".to_owned(),
        );
    }
    if says(&["gain to lease"]) && !says(&["loss to lease"]) && name.starts_with("loss_to_lease") {
        return Some("I give the loss to lease, net of units above market. Please ask for that.".to_owned());
    }
    if name.starts_with("walt")
        && says(&[
            "expiring after",
            "ending after",
            "expire after",
            "expiring before",
            "that end after",
            "ending before",
        ])
    {
        return Some(
            "I weigh all leases that run on that day. Please attach those you mean alone.".to_owned(),
        );
    }
    if name.starts_with("min_")
        && says(&[
            "next to expire",
            "expire next",
            "first to expire",
            "expires next",
            "next expiry",
        ])
    {
        return Some(
            "By what: the lease that ends next, or the lowest amount? Please ask which lease ends next."
                .to_owned(),
        );
    }
    if name == "npv"
        && says(&[
            "first cash flow is discounted",
            "first flow is discounted",
            "first one is discounted",
            "discounted too",
            "excel style",
        ])
    {
        return Some(
            "Does the first flow fall today, or a year from now? Please say it of the table’s first row."
                .to_owned(),
        );
    }
    let spans = words
        .all
        .iter()
        .filter(|word| matches!(word.stem.as_str(), "january" | "december" | "june" | "july"))
        .count()
        > 1;
    let monthly = name.starts_with("total_") && name.contains("monthly");
    (monthly && (spans || says(&["over the term", "over the whole term", "in total from", "paid in total"]))).then(|| {
        "The rows are rents of a month, and I do not add them over time. Please ask for the rent of each year.".to_owned()
    })
}
