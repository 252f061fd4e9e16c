//! One question tried on one table: what of it the table has, and whether all of the question was understood.
//!
//! The border between reading the question and computing over the table.

use chrono::NaiveDate;

use crate::sheets::asked::{self, Measure, Weight};
use crate::sheets::begun;
use crate::sheets::belonging::Belonging;
use crate::sheets::choosing;
use crate::sheets::columned::column;
use crate::sheets::compared::sold;
use crate::sheets::finding::{Open, Outcome, Tried, merged};
use crate::sheets::goals;
use crate::sheets::ledger;
use crate::sheets::meaning::{clarified, nouns, shares, subject, titled};
use crate::sheets::mixes;
use crate::sheets::narrowing::unexplained;
use crate::sheets::orders;
use crate::sheets::parties;
use crate::sheets::periods::on_statement;
use crate::sheets::query::answer as query;
use crate::sheets::query::cues;
use crate::sheets::roles;
use crate::sheets::rolls;
use crate::sheets::sources::Sheet;
use crate::sheets::spaces::Roll;
use crate::sheets::streams::flows;
use crate::sheets::time;
use crate::sheets::units;
use crate::sheets::words::{Kind as WordKind, Word, Words};
use tables::headers::Field;
use tables::kind::Kind;
use tables::statement;
use tables::tenancy::{State, Tenancy};

pub(crate) enum Attempt {
    /// The question is about something else.
    NotAsked,
    Answer(Outcome),
    Open(Open),
}

/// Tries a question on a table: as a measure that its kind of table has, and as a query over its columns. What asks for
/// several things is not answered by one.
pub(crate) fn of(sheet: &Sheet, question: &str, today: NaiveDate) -> Attempt {
    if let Some(told) = orders::told(sheet, question) {
        return of(&told, question, today);
    }
    if let Some(Ok(outcome)) = mixes::answer(sheet, question) {
        return Attempt::Answer(outcome);
    }
    if sheet.kind == Kind::Statement
        && let Some(result) = ledger::answer(sheet, question)
    {
        match result {
            Ok(outcome) => return Attempt::Answer(outcome),
            Err(open) if !open.unclear => return Attempt::Open(open),
            Err(_) => {}
        }
    }
    let (known, plain) = by_kind(sheet, question, today);
    let read = query::read(sheet, &[question], today);
    let wishes = cues::clauses(&Words::of(question))
        .into_iter()
        // "..., weighted by rent" says how, and wishes for nothing more.
        .filter(|clause| {
            let how = matches!(clause.stem_at(0), "weight" | "weighted")
                && matches!(clause.stem_at(1), "by" | "on");
            !how && !cues::wishes(&mut clause.clone()).is_empty()
        })
        .count();
    // "Total rent and occupancy": a measure and something beside it.
    let wishes = if plain {
        wishes
    } else {
        wishes.max(joined(question))
    };
    match (known, read) {
        (Attempt::Answer(own), Some(read)) => match read.result {
            // The stricter reading accounts for every word: where the two differ, it is the one that is meant.
            Ok(outcome) if read.several || (plain && differ(&own, &outcome)) => Attempt::Answer(outcome),
            other => {
                // A column is easily found; what else the question says must be understood too.
                let narrower = plain && read.left > 0 && read.named;
                if wishes > said(&own) || narrower {
                    return Attempt::Open(match other {
                        Err(open) => open,
                        Ok(_) => Open::because(SEVERAL),
                    });
                }
                Attempt::Answer(own)
            }
        },
        (Attempt::Answer(own), None) if wishes > said(&own) => Attempt::Open(Open::because(SEVERAL)),
        (Attempt::Answer(own), None) => Attempt::Answer(own),
        (Attempt::Open(own), Some(read)) => match read.result {
            // What a measure of the kind of table lacks, it says itself.
            Ok(_) if !plain && !own.unclear && !own.vague => Attempt::Open(own),
            // What no sum of a column is, a query over the columns cannot tell.
            Ok(_) if !plain && beyond(sheet, question) => Attempt::Open(own),
            Ok(outcome) => Attempt::Answer(outcome),
            Err(open) if plain && read.named && (own.unclear || own.vague) => Attempt::Open(open),
            Err(_) => Attempt::Open(own),
        },
        (Attempt::NotAsked, Some(read)) => match read.result {
            Ok(outcome) => Attempt::Answer(outcome),
            Err(open) if read.named && read.left <= 2 => Attempt::Open(Open {
                unclear: true,
                ..open
            }),
            Err(_) => Attempt::NotAsked,
        },
        (other, None) => other,
    }
}

/// Whether a measure is asked for that is no sum or average of a column.
fn beyond(sheet: &Sheet, question: &str) -> bool {
    let mut words = Words::of(question);
    nouns(&mut words);
    goals::measures(&mut words, sheet.kind)
        .iter()
        .any(|measure| matches!(measure, Measure::LossToLease | Measure::EconomicOccupancy))
}

const SEVERAL: &str = "You ask for several figures at once and I could read only one of them. Please ask for one after the other.";

/// How many figures a question joins by "and" around a measure of its kind: "total rent and occupancy".
fn joined(question: &str) -> usize {
    let words = Words::of(question);
    let Some(at) = words.position(&["and"]).filter(|_| !words.says(&["between"])) else {
        return 1;
    };
    let plain = |word: &Word| word.kind == WordKind::Plain;
    if !words.all.get(at + 1).is_some_and(plain) {
        return 1;
    }
    let before = words.all.get(..at).unwrap_or_default().to_vec();
    let summed = !cues::wishes(&mut Words { all: before }).is_empty();
    let short = words.all.len() <= at + 3;
    if summed && short { 2 } else { 1 }
}

/// Whether two outcomes begin with different values.
fn differ(one: &Outcome, other: &Outcome) -> bool {
    let first = |outcome: &Outcome| {
        outcome
            .findings
            .first()
            .and_then(|finding| finding.value.as_f64())
    };
    match (first(one), first(other)) {
        (Some(one), Some(other)) => (one - other).abs() > 1e-6 * one.abs().max(1.0),
        _ => false,
    }
}

/// Figures that answer, without those that only belong to them.
fn said(outcome: &Outcome) -> usize {
    outcome.findings.iter().filter(|finding| !finding.aside).count()
}

/// A follow-up tried together with the questions before it.
pub(crate) fn following(sheet: &Sheet, questions: &[&str], today: NaiveDate) -> Option<Outcome> {
    query::read(sheet, questions, today).and_then(|read| read.result.ok())
}

/// Tries the measures that a kind of table has, and then one column; and says whether it was the column.
fn by_kind(sheet: &Sheet, question: &str, today: NaiveDate) -> (Attempt, bool) {
    let mut words = Words::of(question);
    nouns(&mut words);
    named(sheet, &mut words);
    orders::take(&mut words);
    // A statement of several properties is that of the one that is named.
    let own = match (sheet.kind, parties::several(&sheet.table)) {
        (Kind::Statement, true) => match parties::of(&mut words, &sheet.table) {
            Ok(own) => own.map(|table| sheet.with(table)),
            Err(open) => return (Attempt::Open(open), false),
        },
        _ => None,
    };
    let sheet = own.as_ref().unwrap_or(sheet);
    let mut measures = goals::measures(&mut words.clone(), sheet.kind);
    // "Our 13,300 sf" beside sales is to be valued by them.
    if sheet.kind == Kind::Comps && measures.is_empty() && subject(&mut words.clone()).0.is_some() {
        measures.push(Measure::PricePerArea);
    }
    let tried = match sheet.kind {
        Kind::RentRoll | Kind::Leases => roll(sheet, &mut words, today),
        Kind::Statement => on_statement(sheet, &mut words),
        Kind::DatedFlows | Kind::Flows => flows(sheet, &mut words),
        Kind::Comps => sold(sheet, &mut words),
        Kind::Loans | Kind::Other => Tried::No,
    };
    let plain = matches!(tried, Tried::No);
    let tried = match tried {
        Tried::No if sheet.kind == Kind::Statement => Tried::No,
        Tried::No => column(sheet, &mut words, today),
        other => other,
    };
    let attempt = match tried {
        Tried::No => Attempt::NotAsked,
        Tried::Asked(result) => {
            let unclear = if measures.is_empty() {
                words.not_understood()
            } else {
                roles::settle(&mut words, &measures, &sheet.table);
                unexplained(&words, &measures, &belonging(sheet, &measures))
            };
            match result {
                Ok(_) if !unclear.is_empty() => Attempt::Open(Open {
                    unclear: true,
                    ..Open::because(format!(
                        "I am not sure what “{}” means for {}. Please ask without it, or name it as the table does.",
                        unclear.join("”, “"),
                        sheet.name
                    ))
                }),
                Ok(outcome) => Attempt::Answer(units::in_own(outcome, &sheet.table)),
                Err(open) => Attempt::Open(open),
            }
        }
    };
    (attempt, plain)
}

/// What the measures of a question leave out and count anyway, in this table.
fn belonging(sheet: &Sheet, measures: &[Measure]) -> Belonging {
    let statement = (sheet.kind == Kind::Statement).then(|| statement::read(&sheet.table, &[]));
    let rows = matches!(sheet.kind, Kind::RentRoll | Kind::Leases | Kind::Comps)
        || (matches!(sheet.kind, Kind::DatedFlows | Kind::Flows) && parties::column(&sheet.table).is_some());
    Belonging::of(measures, statement.as_ref(), rows)
        .of_several(parties::several(&sheet.table))
        .headed(sheet.table.columns.iter().map(|column| column.header.as_str()))
}

/// The table's own title is no condition on it.
fn named(sheet: &Sheet, words: &mut Words) {
    for title in &sheet.table.titles {
        let name = tables::headers::words(title).join(" ");
        if !name.is_empty() && !name.contains(|sign: char| sign.is_ascii_digit()) {
            words.take(&[name.as_str()]);
        }
    }
}

fn roll(sheet: &Sheet, words: &mut Words, today: NaiveDate) -> Tried {
    // A date is asked for, and no sum.
    if words.says(&["when"]) {
        return Tried::No;
    }
    let measures = goals::measures(words, sheet.kind);
    if measures.is_empty() {
        return Tried::No;
    }
    Tried::Asked(rolled(sheet, words, today, &measures))
}

fn rolled(sheet: &Sheet, words: &mut Words, today: NaiveDate, measures: &[Measure]) -> Result<Outcome, Open> {
    let mut tenancy = sheet.tenancy().clone();
    if measures
        .iter()
        .all(|measure| matches!(measure, Measure::Occupancy | Measure::Vacancy))
    {
        choosing::count_aside(words, &mut tenancy);
    }
    let of_leases = words.says(&[
        "percent of the lease",
        "percent of lease",
        "percentage of the lease",
        "percentage of lease",
        "share of the lease",
        "share of lease",
        "percent of the tenant",
        "percent of tenant",
        "share of tenant",
        "share of the tenant",
        "percentage of tenant",
    ]);
    let of_units = begun::of_units(words);
    if measures.contains(&Measure::LossToLease)
        && words.says(&[
            "percent of market rent",
            "percentage of market rent",
            "share of market rent",
        ])
    {
        words.take(&["market rent"]);
    }
    let share = shares(words);
    if share
        && measures.contains(&Measure::LossToLease)
        && words.says(&[
            "of in place",
            "of the in place",
            "of contract",
            "of the contract",
            "of passing",
            "of the passing",
            "of current rent",
            "of the rent in place",
            "of actual rent",
        ])
    {
        return Err(Open::because(
            "I give the loss to lease as an amount or as a share of the market rent. Which do you want?",
        ));
    }
    let mut weight = asked::weight(words);
    // "How many square feet" is no number of leases.
    let measured = measures == [Measure::Expirations]
        && words.take(&[
            "how many square feet",
            "how many square foot",
            "how many sq ft",
            "how many sqft",
            "how many sf",
            "how many sqm",
            "how many sq m",
            "how many square metre",
            "how many square meter",
        ]);
    if measured && weight == Weight::Unsaid {
        weight = Weight::Area;
    }
    if weight == Weight::Unsaid && measures == [Measure::LeaseTerm] {
        weight = asked::before_the_average(words);
    }
    // "What share of the suites": it is the suites that are counted.
    if weight == Weight::Unsaid
        && measures
            .iter()
            .all(|own| matches!(own, Measure::Occupancy | Measure::Vacancy))
        && asked::of_rows(words)
    {
        weight = Weight::Count;
    }
    clarified(words, measures);
    let mut said = time::as_of(words, today);
    if said.is_none() && measures == [Measure::LeaseTerm] {
        said = roles::only_date(words);
    }
    let as_of = said.or_else(|| titled(sheet));
    let count = words.take(&[
        "how many lease",
        "how many tenant",
        "how many unit",
        "how many",
        "number of lease",
        "number of tenant",
        "number of",
        "count",
    ]);
    let expiring = measures.contains(&Measure::Expirations);
    let span = expiring.then(|| time::span(words, as_of)).flatten();
    if expiring {
        words.take(&["lease", "leases", "tenant"]);
        let rent = words.take(&[
            "in place rent",
            "monthly rent",
            "annual rent",
            "contract rent",
            "base rent",
            "rent",
            "income",
            "rental income",
        ]);
        let area = words.take(&[
            "leased area",
            "square footage",
            "square foot",
            "square feet",
            "sq ft",
            "sqft",
            "sf",
            "area",
            "space",
            "nla",
            "gla",
        ]);
        if weight == Weight::Unsaid {
            weight = match (rent, area) {
                (true, true) => return Err(Open::because("Should I take the rent or the area?")),
                (true, false) => Weight::Rent,
                (false, true) => Weight::Area,
                (false, false) if of_leases => Weight::Count,
                (false, false) => Weight::Unsaid,
            };
        }
        words.take(&["how much", "total", "which", "who"]);
    }
    if expiring && share && of_units {
        return Err(Open::because(
            "A share of all units, the empty ones with them, or of the leases? Please ask for one of the two.",
        ));
    }
    let later = begun::later(sheet, &mut tenancy, measures, as_of);
    if expiring && share && said.is_some() {
        begun::ended(&tenancy, &later, as_of)?;
    }
    let mut chosen = choosing::spaces(sheet, &tenancy, words, measures)?;
    chosen.retain(|space| !later.contains(&space.row));
    let pace = asked::pace(words);
    let months = words.take(&["in month", "month"]) && measures.contains(&Measure::LeaseTerm);
    words.take(&["in year", "year"]);
    let roll = Roll {
        tenancy: &tenancy,
        spaces: chosen,
        pace,
        weight,
        as_of,
        span,
        share,
        count,
        months,
        source: &sheet.name,
    };
    ambiguous(sheet, measures)?;
    if let Some(day) = said {
        in_force(sheet, &tenancy, measures, day)?;
    }
    merged(measures.iter().map(|measure| rolls::compute(*measure, &roll)))
}

/// Who is in is said of the day of the table: where a lease of it has not yet begun on the day asked about, the
/// table does not tell. (One that has ended may be held over.)
fn in_force(sheet: &Sheet, tenancy: &Tenancy, measures: &[Measure], day: NaiveDate) -> Result<(), Open> {
    let counts = measures
        .iter()
        .any(|measure| matches!(measure, Measure::Occupancy | Measure::Vacancy));
    let Some(starts) = sheet.table.column(Field::StartDate).filter(|_| counts) else {
        return Ok(());
    };
    let later = tenancy
        .spaces
        .iter()
        .filter(|space| space.state == State::Occupied)
        .filter_map(|space| sheet.table.date(sheet.table.rows.get(space.row)?, starts))
        .any(|start| start.date > day);
    if later {
        return Err(Open::because(format!(
            "On {day} some of these leases have not begun, and the table does not say who was in on that day. Please \
             ask without the date, or send the rent roll of that day."
        )));
    }
    Ok(())
}

/// Terms and expirations depend on dates: those that can be read in two ways have to be asked for.
fn ambiguous(sheet: &Sheet, measures: &[Measure]) -> Result<(), Open> {
    let dated = measures
        .iter()
        .any(|measure| matches!(measure, Measure::LeaseTerm | Measure::Expirations));
    let Some(at) = sheet.table.column(Field::EndDate).filter(|_| dated) else {
        return Ok(());
    };
    if sheet.table.columns.get(at).is_some_and(|column| column.ambiguous) {
        return Err(Open::because(format!(
            "The dates under “{}” can be read with the month or the day first. Which is it?",
            sheet.table.header(at)
        )));
    }
    Ok(())
}
