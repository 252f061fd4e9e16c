//! A question tried on the columns of a table: which one is summed, over which rows.
//!
//! The border between reading the question and [`sums`](super::sums).

use chrono::NaiveDate;

use std::collections::HashSet;

use crate::sheets::asked::{self, Pace};
use crate::sheets::columns;
use crate::sheets::finding::{self, Finding, Open, Outcome, Tried};
use crate::sheets::meaning::{counted, shares, states, titled};
use crate::sheets::sources::Sheet;
use crate::sheets::sums::{self, Aggregate, Wanted};
use crate::sheets::time::{self, Span};
use crate::sheets::words::Words;
use tables::headers::Field;
use tables::kind::Kind;
use tables::table::{Role, Row, Table};
use tables::tenancy::{self, About, State, Tenancy};

pub(crate) fn column(sheet: &Sheet, words: &mut Words, today: NaiveDate) -> Tried {
    let share = shares(words);
    let (aggregate, top) = sums::aggregate(words);
    // "How much of the rent comes from the biggest tenant?" asks for a part of the whole.
    let part = matches!(aggregate, Some(Aggregate::Highest | Aggregate::Lowest))
        && words.says(&[
            "how much of the",
            "how much of our",
            "how much of total",
            "how much of all",
        ]);
    let share = share || part;
    let as_of = time::as_of(words, today).or_else(|| titled(sheet));
    let verbs = words.take(&[
        "maturing",
        "mature",
        "maturitie",
        "expiring",
        "expire",
        "coming due",
        "come due",
        "due",
        "closed",
        "sold",
        "ending",
        "dated",
    ]);
    let aggregate = match (aggregate, share) {
        (None, true) => Some(Aggregate::Sum),
        (other, _) => other,
    };
    let looked_up = words.says(&[
        "when",
        "what is",
        "whats",
        "what",
        "how much",
        "which",
        "who",
        "how big",
        "how large",
    ]);
    if aggregate.is_none() && !looked_up && top.is_none() {
        return Tried::No;
    }
    let span = verbs.then(|| time::span(words, as_of)).flatten();
    let outcome = on_column(sheet, words, aggregate, top, span, Some(share));
    match (&outcome, aggregate) {
        // "What is …?" that names nothing of the table asks something else.
        (Err(open), None) if open.missing.is_empty() => Tried::No,
        _ => Tried::Asked(outcome),
    }
}

/// Charges that are far too small for the areas beside them: 5.75 for 6,200 sf is for each foot.
pub(crate) fn each_foot(table: &Table, at: usize) -> bool {
    let charge = tables::headers::words(table.header(at)).iter().any(|word| {
        [
            "recover",
            "reimburse",
            "cam",
            "nnn",
            "tax",
            "insurance",
            "charge",
            "opex",
            "expense",
        ]
        .iter()
        .any(|name| word.starts_with(name))
    });
    let Some(area) = table.column(Field::Area).filter(|_| charge) else {
        return false;
    };
    let mut any = false;
    let small = table.data().all(|row| {
        let (Some(amount), Some(area)) = (table.number(row, at), table.number(row, area)) else {
            return true;
        };
        any = true;
        amount.written().abs() < 60.0 && area.written() > 300.0
    });
    any && small
}

pub(crate) fn on_column(
    sheet: &Sheet,
    words: &mut Words,
    aggregate: Option<Aggregate>,
    top: Option<usize>,
    span: Option<Span>,
    share: Option<bool>,
) -> Result<Outcome, Open> {
    let table = &sheet.table;
    let tenancy = matches!(sheet.kind, Kind::RentRoll | Kind::Leases).then(|| sheet.tenancy());
    let state = tenancy.as_ref().and_then(|_| states(words));
    let skip = tenancy.as_ref().and_then(|_| table.column(Field::Status));
    let conditions = columns::conditions(words, table, skip);
    // The name of a column may take the word: "annual rent" is the rent, of a year.
    let yearly = words.says(&["annual", "annually", "yearly", "per year", "a year", "per annum"]);
    let mentions = columns::mentions(words, table);
    let (summed, by, weighted) = sums::roles(words, &mentions);
    if weighted && by.is_none() && mentions.len() < 2 {
        return Err(Open::because("By which column should I weight the average?"));
    }
    let share = share.unwrap_or(false);
    let owed = tenancy.is_some()
        && state.is_none()
        && !table.has(Field::ChargeCode)
        && summed.iter().any(|at| {
            let field = table.columns.get(*at).and_then(|column| column.field);
            matches!(field, Some(Field::Balance | Field::LoanBalance | Field::Deposit))
        });
    // Balances and deposits are also of people who have not moved in or have left.
    let chosen = rows(sheet, tenancy.filter(|_| !owed), state, span.as_ref())?;
    // "Percent of the leased area that is NNN": of what is leased, and not of everything.
    let within = share && state.is_some() && !conditions.is_empty() && of_stated(words);
    let all = rows(sheet, tenancy, state.filter(|_| within), None)?;
    let fit = |row: &&Row| conditions.iter().all(|condition| condition.holds(table, row));
    let mut wanted_rows: Vec<&Row> = chosen.into_iter().filter(fit).collect();
    let (noun, counts) = counted(words, sheet.kind);
    let numeric: Vec<usize> = summed
        .iter()
        .copied()
        .filter(|at| {
            all.iter().any(|row| table.number(row, *at).is_some())
                || all.iter().any(|row| table.date(row, *at).is_some())
        })
        .filter(|at| {
            !matches!(
                table.columns.get(*at).and_then(|column| column.field),
                Some(Field::Unit | Field::Tenant | Field::Name | Field::Loan | Field::Building)
            )
        })
        .collect();
    let rent = |at: usize| {
        matches!(
            table.columns.get(at).and_then(|column| column.field),
            Some(Field::Rent | Field::AnnualRent | Field::RentPerArea)
        )
    };
    let column = match numeric.as_slice() {
        [only] => Some(*only),
        // "When does the lease end?" names its column by the verb.
        [] if words.says(&["when"]) => [Field::EndDate, Field::Maturity, Field::Date]
            .iter()
            .find_map(|field| table.column(*field)),
        [] => None,
        [first, second] if by.is_none() && aggregate == Some(Aggregate::Mean) && weighted => {
            return weighed(sheet, &wanted_rows, &all, *first, *second, noun);
        }
        _ => {
            return Err(Open {
                vague: true,
                ..Open::because("Please ask for one column at a time.")
            });
        }
    };
    // One unit with two leases: which of their rents counts, the table does not say.
    let twice = tenancy
        .as_ref()
        .and_then(|own| own.doubts.iter().find(|doubt| doubt.about == About::Tenants));
    if let (Some(doubt), Some(_)) = (twice, column.filter(|at| rent(*at))) {
        return Err(Open::because(doubt.sentence.clone()));
    }
    if let (None | Some(Aggregate::Sum), Some(at)) = (aggregate, column)
        && wanted_rows.len() > 1
        && each_foot(table, at)
    {
        return Err(Open::because(format!(
            "“{}” looks like an amount for each square foot. Is it, or is it the amount of each row?",
            table.header(at)
        )));
    }
    let aggregate = match (aggregate, column) {
        (Some(Aggregate::Count), _) => Aggregate::Count,
        (Some(Aggregate::Sum), None) if counts && share => Aggregate::Count,
        (Some(own), Some(_)) => own,
        (Some(own), None)
            if by.is_some() && (top.is_some() || matches!(own, Aggregate::Highest | Aggregate::Lowest)) =>
        {
            own
        }
        (None, Some(_)) if top.is_some() => Aggregate::Highest,
        (None, Some(_)) => Aggregate::Value,
        _ => {
            return Err(Open {
                vague: true,
                ..Open::because("I could not tell which column of the table you mean.")
            });
        }
    };
    // "The three largest tenants by area": the column behind "by" orders.
    let (column, by) = match (column, by) {
        (None, Some(by)) => (Some(by), None),
        other => other,
    };
    if let Some(by) = by
        && !(weighted && aggregate == Aggregate::Mean)
    {
        return Err(Open {
            vague: true,
            ..Open::because(format!(
                "Should I group by “{}”? I give one figure at a time; please name the group.",
                table.header(by)
            ))
        });
    }
    // Rents of vacant units are none: an average is one over what is let.
    let mut asking = 0;
    if let Some(at) = column.filter(|at| rent(*at))
        && let Some(tenancy) = &tenancy
        && state.is_none()
    {
        let counts = |state: State| match aggregate {
            Aggregate::Sum => state.pays(),
            _ => state == State::Occupied,
        };
        let occupied: HashSet<*const Row> = tenancy
            .spaces
            .iter()
            .filter(|space| counts(space.state))
            .filter_map(|space| table.rows.get(space.row))
            .map(std::ptr::from_ref)
            .collect();
        wanted_rows.retain(|row| {
            let counts = occupied.contains(&std::ptr::from_ref(*row));
            asking += usize::from(!counts && table.number(row, at).is_some_and(|rent| rent.written() > 0.0));
            counts
        });
    }
    let mut label: Vec<String> = conditions
        .iter()
        .map(|condition| condition.label(table))
        .collect();
    match state {
        Some(State::Vacant) => label.push("the unit is vacant".to_owned()),
        Some(State::Occupied) => label.push("the unit is occupied".to_owned()),
        Some(State::NonRevenue) => label.push("the unit is not for rent".to_owned()),
        Some(State::Unknown) | None => {}
    }
    if let Some(span) = &span {
        label.push(format!("the date lies {}", span.label.trim_start_matches("in ")));
    }
    let period = match asked::pace(words) {
        Pace::Unsaid if yearly => Pace::Annual,
        said => said,
    };
    let monthly = column.is_some_and(|at| {
        rent(at) || table.columns.get(at).and_then(|column| column.field) == Some(Field::MarketRent)
    });
    let mut outcome = sums::compute(&Wanted {
        table,
        rows: wanted_rows,
        all,
        column,
        by,
        aggregate,
        top,
        share,
        label: label.join(" and "),
        source: &sheet.name,
        noun,
    })?;
    if aggregate == Aggregate::Sum {
        outcome.remarks.extend(tenancy::asking(asking));
    }
    if within {
        for finding in &mut outcome.findings {
            finding.definition = format!(
                "Share = sum over the rows asked about ÷ sum over the {} rows.",
                if state == Some(State::Vacant) {
                    "vacant"
                } else {
                    "occupied"
                }
            );
        }
    }
    let by_year = column
        .is_some_and(|at| table.columns.get(at).and_then(|column| column.field) == Some(Field::AnnualRent));
    let own_name = column.is_some_and(|at| {
        let header = table.header(at).to_lowercase();
        ["annual", "year", "/yr"].iter().any(|word| header.contains(word))
    });
    if monthly && period == Pace::Annual && !by_year && !own_name {
        times(&mut outcome, 12.0, "year");
    } else if by_year && period == Pace::Monthly {
        times(&mut outcome, 1.0 / 12.0, "month");
    } else if period != Pace::Unsaid && !monthly && !by_year && !share {
        return Err(Open::because(
            "The table does not say what its amounts are of, so I cannot turn them into another period.",
        ));
    }
    Ok(outcome)
}

/// "Of the leased area", "of occupied units": what a share is of.
pub(crate) fn of_stated(words: &Words) -> bool {
    let state = |at: usize| {
        matches!(
            words.stem_at(at),
            "leased" | "occupied" | "let" | "rented" | "tenanted" | "vacant" | "empty"
        )
    };
    (0..words.all.len()).any(|at| {
        words.stem_at(at) == "of"
            && (state(at + 1) || matches!(words.stem_at(at + 1), "the" | "our" | "all") && state(at + 2))
    })
}

pub(crate) fn weighed(
    sheet: &Sheet,
    rows: &[&Row],
    all: &[&Row],
    column: usize,
    by: usize,
    noun: &'static str,
) -> Result<Outcome, Open> {
    sums::compute(&Wanted {
        table: &sheet.table,
        rows: rows.to_vec(),
        all: all.to_vec(),
        column: Some(column),
        by: Some(by),
        aggregate: Aggregate::Mean,
        top: None,
        share: false,
        label: String::new(),
        source: &sheet.name,
        noun,
    })
}

/// The same amounts for another period.
pub(crate) fn times(outcome: &mut Outcome, factor: f64, period: &str) {
    for finding in &mut outcome.findings {
        let Some(sign) = finding::currency(finding.unit) else {
            continue;
        };
        finding.printed = finding.printed.map(|printed| printed * factor);
        if let Some(value) = finding.value.as_f64() {
            let own = Finding::money(&finding.name, &finding.label, value * factor, &finding.definition)
                .during(period);
            finding.value = own.value;
            finding.shown = own.shown.replace('$', sign);
            finding.period = own.period;
            finding.steps.push(format!(
                "Turned into a {period}: × {}.",
                super::finding::plain(factor, 6)
            ));
        }
    }
    outcome.sentence = None;
}

/// Rows of a table, of a rent roll one for each unit.
pub(crate) fn rows<'a>(
    sheet: &'a Sheet,
    tenancy: Option<&Tenancy>,
    state: Option<State>,
    span: Option<&Span>,
) -> Result<Vec<&'a Row>, Open> {
    let table = &sheet.table;
    if let (Some(tenancy), Some(_)) = (tenancy, state)
        && let Some(doubt) = tenancy
            .doubts
            .iter()
            .find(|doubt| matches!(doubt.about, About::Status | About::Tenants))
    {
        return Err(Open::because(doubt.sentence.clone()));
    }
    let mut rows: Vec<&Row> = match tenancy {
        Some(tenancy) => tenancy
            .spaces
            .iter()
            .filter(|space| state.is_none_or(|state| space.state == state))
            .filter_map(|space| table.rows.get(space.row))
            .collect(),
        None => table.rows.iter().filter(|row| row.role != Role::Total).collect(),
    };
    if let Some(span) = span {
        let column = [Field::EndDate, Field::Maturity, Field::Date]
            .iter()
            .find_map(|field| table.column(*field));
        let Some(column) = column else {
            return Err(Open::because("The table has no dates to choose by."));
        };
        if table.columns.get(column).is_some_and(|column| column.ambiguous) {
            return Err(Open::because(format!(
                "The dates under “{}” can be read with the month or the day first. Which is it?",
                table.header(column)
            )));
        }
        rows.retain(|row| {
            table
                .date(row, column)
                .is_some_and(|dated| span.holds(dated.last_day()))
        });
    }
    Ok(rows)
}
