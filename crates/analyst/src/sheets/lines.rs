//! Single lines of an operating statement that a question names.
//!
//! All telling words of a line, or words that only one line has. Sums nothing but the months.

use crate::sheets::asked::Measure;
use crate::sheets::finding::{Finding, Open, plain};
use crate::sheets::statements::{Asked, Months};
use crate::sheets::words::{Words, stem};
use tables::accounts::{self, Line, Printed};
use tables::headers;
use tables::income::{Item, Statement};

/// Lines that the unused words name, taken from them: "property taxes", "payroll". All of a line's telling words, or
/// words that only one line has.
pub(crate) fn lines<'a>(words: &mut Words, statement: &'a Statement) -> Vec<&'a Item> {
    // A coverage names the lines it is made of, and asks for none of them.
    if words.all.iter().any(|word| word.stem == "dscr") {
        return Vec::new();
    }
    let telling = |label: &str| -> Vec<String> {
        headers::words(label)
            .iter()
            .map(|word| stem(word))
            .filter(|word| {
                !joins(word)
                    && !matches!(
                        word.as_str(),
                        "expense" | "income" | "$" | "&" | "total" | "less" | "capital"
                    )
            })
            .collect()
    };
    // Single lines come first, then the groups of lines.
    let all = || statement.items.iter().chain(&statement.groups);
    let labels: Vec<(usize, Vec<String>)> = all()
        .enumerate()
        .map(|(at, item)| (at, telling(&item.label)))
        .filter(|(_, words)| !words.is_empty())
        .collect();
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while at < words.all.len() {
        // The longest run of words that some label has all of.
        let mut best: Option<(usize, Vec<usize>)> = None;
        for length in (1..=4).rev() {
            let run: Vec<String> = words
                .all
                .iter()
                .skip(at)
                .take(length)
                .filter(|word| !word.used)
                .map(|word| word.stem.clone())
                .filter(|word| !joins(word) && !matches!(word.as_str(), "expense" | "income" | "cost"))
                .collect();
            let first = words
                .all
                .get(at)
                .is_some_and(|word| run.first() == Some(&word.stem));
            if run.is_empty() || !first {
                continue;
            }
            let whole = words.all.iter().skip(at).take(length).all(|word| !word.used);
            let fits: Vec<usize> = labels
                .iter()
                .filter(|(_, label)| run.iter().all(|word| label.contains(word)))
                .map(|(item, _)| *item)
                .collect();
            if whole && !fits.is_empty() {
                best = Some((length, fits));
                break;
            }
        }
        if let Some((length, fits)) = best {
            let run: Vec<String> = words
                .all
                .iter()
                .skip(at)
                .take(length)
                .map(|word| word.stem.clone())
                .collect();
            // The exact label wins over longer ones; one may leave out its number.
            let fitting = || labels.iter().filter(|(item, _)| fits.contains(item));
            let mut numbered =
                fitting().filter(|(_, label)| label.iter().all(|word| run.contains(word) || is_number(word)));
            let exact = fitting()
                .find(|(_, label)| label.iter().all(|word| run.contains(word)))
                .or_else(|| numbered.next().filter(|_| numbered.next().is_none()))
                .map(|(item, _)| *item);
            // "This property" is no part of "Property taxes".
            let telling = run.iter().any(|word| !general(word));
            if let Some(item) = exact.or(match fits.as_slice() {
                [only] if telling => Some(*only),
                _ => None,
            }) {
                words.mark(at, length);
                found.push((at, item));
                at += length;
                continue;
            }
        }
        at += 1;
    }
    let mut items: Vec<&Item> = Vec::new();
    for (_, at) in found {
        // A line that occurs several times is all of them together.
        let named = all().nth(at);
        let twin = |item: &&Item| named.is_some_and(|own| (&own.label, own.line) == (&item.label, item.line));
        for item in named.into_iter().chain(statement.items.iter().filter(twin)) {
            if !items.iter().any(|known| std::ptr::eq(*known, item)) {
                items.push(item);
            }
        }
    }
    items
}

/// The sum of income or of expenses that the question calls as statements print it: "total revenue".
pub(crate) fn printed_sum(words: &mut Words) -> Option<Measure> {
    let texts: Vec<String> = words.all.iter().map(|word| word.text.clone()).collect();
    let runs = (2..=4)
        .rev()
        .flat_map(|length| (0..texts.len()).map(move |at| (at, length)));
    runs.filter_map(|(at, length)| Some((at, texts.get(at..at + length)?)))
        .find_map(|(at, run)| {
            let measure = match accounts::line(&run.join(" ")) {
                Line::Printed(Printed::EffectiveGrossIncome) => Measure::EffectiveGrossIncome,
                Line::Printed(Printed::NetRentalIncome) => Measure::NetRentalIncome,
                Line::Printed(Printed::Expenses) => Measure::Expenses,
                _ => return None,
            };
            words.mark(at, run.len());
            Some(measure)
        })
}

/// A name that is a line of income and one of costs, or a sum and a line of it: which is meant is asked.
pub(crate) fn ambiguous(items: &[&Item], asked: &Asked<'_>, months: &Months) -> Option<Open> {
    if let Some(sentence) = asked.statement.overlap(items) {
        return Some(Open::because(sentence));
    }
    items.iter().find_map(|item| {
        let all = asked.statement.items.iter();
        let twin = all
            .clone()
            .find(|other| other.label == item.label && other.line != item.line)?;
        let [own, other] = [item, twin].map(|item| line(item, asked, months).shown);
        Some(Open::because(format!(
            "“{}” is the name of two lines that are not of one kind: {own} and {other}. Which do you mean?",
            item.label
        )))
    })
}

/// Words that only join others name no line: "on-site payroll" is not named by "on the attached".
fn joins(word: &str) -> bool {
    matches!(
        word,
        "and"
            | "the"
            | "of"
            | "on"
            | "in"
            | "at"
            | "for"
            | "to"
            | "by"
            | "off"
            | "up"
            | "out"
            | "from"
            | "with"
            | "or"
            | "a"
            | "an"
            | "as"
            | "per"
    )
}

/// The number of an account.
fn is_number(word: &str) -> bool {
    word.len() > 2 && word.bytes().all(|letter| letter.is_ascii_digit())
}

/// Words of many names, and of much else: alone they name no line.
fn general(word: &str) -> bool {
    matches!(
        word,
        "property"
            | "building"
            | "real"
            | "estate"
            | "gross"
            | "net"
            | "other"
            | "general"
            | "operating"
            | "service"
            | "potential"
            | "credit"
            | "loss"
            | "annual"
            | "unit"
            | "tenant"
            | "office"
            | "market"
            | "month"
            | "year"
            | "cash"
            | "flow"
            | "asset"
    )
}

/// The figure of a single line: what was paid is positive, what was earned too.
pub(crate) fn line(item: &Item, asked: &Asked<'_>, months: &Months) -> Finding {
    let factor = match item.line {
        Line::LossToLease | Line::Vacancy | Line::NonRevenue | Line::Concessions | Line::BadDebt => {
            -months.factor
        }
        _ => months.factor,
    };
    let shown = asked.statement.amount(item, &months.places) * factor;
    let name = headers::words(&item.label).join("_");
    let finding = Finding::money(
        &name,
        &format!("amount of “{}”", item.label),
        shown,
        "As the statement has it; costs and deductions are shown as positive amounts.",
    )
    .step(format!(
        "“{}”: {} months.",
        item.label,
        plain(months.places.len().max(1) as f64, 0)
    ));
    let printed = asked.statement.line_printed_otherwise(item, &months.places);
    let finding = Finding {
        printed: printed.map(|printed| printed * factor),
        ..finding
    };
    match &months.label {
        Some(label) => finding.during(label.clone()),
        None => finding,
    }
}
