//! Columns that say yes or no, and amounts that some rows have and others have not: what is said of the rows by them.
//!
//! Computes nothing.

use crate::sheets::measured::Unit;
use crate::sheets::query::cues::Wish;
use crate::sheets::query::filters::Filter;
use crate::sheets::query::naming::naming;
use crate::sheets::query::part::{Measure, Part};
use crate::sheets::query::view::View;
use crate::sheets::words::Words;
use tables::headers::Field;
use tables::kind::Kind;

const YES: &[&str] = &["yes", "y", "true"];
const NO: &[&str] = &["no", "n", "false"];

/// The rows where a column of yes and no says the one or the other; none for a column of anything else.
pub(crate) fn yes_or_no(column: usize, not: bool, view: &View<'_>) -> Option<Filter> {
    let own = view.values(column)?;
    if own.is_empty() || !own.all().all(|value| YES.contains(&value) || NO.contains(&value)) {
        return None;
    }
    let wanted = if not { NO } else { YES };
    Some(Filter::Is {
        column,
        values: own
            .all()
            .filter(|value| wanted.contains(value))
            .map(str::to_owned)
            .collect(),
        not: false,
    })
}

/// "With a guarantor", "have pets", "not sent": the rows where a column of yes and no says so.
pub(crate) fn said(words: &Words, at: usize, column: usize, view: &View<'_>) -> Option<Filter> {
    let before = |test: &dyn Fn(&str) -> bool| {
        (1..=5)
            .map_while(|back| at.checked_sub(back))
            .take_while(|place| words.all.get(place + 1).is_some_and(|word| !word.begins))
            .any(|place| test(words.stem_at(place)))
    };
    let has = before(&|stem| {
        matches!(
            stem,
            "have"
                | "has"
                | "had"
                | "with"
                | "having"
                | "are"
                | "is"
                | "were"
                | "been"
                | "allow"
                | "own"
                | "keep"
                | "got"
        )
    });
    if !has {
        return None;
    }
    let not = before(&|stem| {
        matches!(
            stem,
            "not" | "no" | "without" | "never" | "haven't" | "hasn't" | "aren't" | "don't"
        )
    });
    yes_or_no(column, not, view)
}

/// "How many tenants owe late fees", "are delinquent": those with an amount under the column, which is not to be summed.
pub(crate) fn counted(words: &Words, view: &View<'_>, part: &mut Part) {
    if part.wishes != [Wish::Count] || part.sized || part.measures.len() != 1 {
        return;
    }
    let Some(Measure::Column(column)) = part.measures.first().cloned() else {
        return;
    };
    let named = naming(view.header(column))
        .iter()
        .any(|word| ARREARS.contains(&word.as_str()));
    // "Complete" in percent is not what is above nothing.
    let owed = matches!(view.field(column), None | Some(Field::Balance | Field::Deposit))
        && view.is_numeric(column)
        && (named || view.column(column).of == Unit::Money);
    let verb = words.says(&[
        "owe", "owes", "owing", "are", "is", "have", "has", "with", "pay", "pays", "paying", "behind", "late",
    ]);
    let several = words.says(&["and", "plus", "no", "not", "without", "zero"]);
    let bound = part.filters.iter().any(|filter| {
        matches!(filter, Filter::Beyond { column: own, .. } | Filter::Blank { column: own } if *own == column)
    });
    if owed && verb && !several && !bound {
        part.measures.clear();
        part.filters.push(Filter::Beyond {
            column,
            least: Some(0.0),
            most: None,
            strict: true,
        });
    }
}

/// Words of headers over what is owed and was not paid.
const ARREARS: &[&str] = &[
    "balance",
    "delinquent",
    "delinquency",
    "arrear",
    "owed",
    "owing",
    "due",
    "overdue",
    "outstanding",
    "late",
    "unpaid",
    "receivable",
];

/// The column of what somebody is behind with; of a rent roll the rent is none.
pub(crate) fn arrears(view: &View<'_>) -> Option<usize> {
    if !matches!(view.sheet.kind, Kind::RentRoll | Kind::Leases) {
        return view.usual();
    }
    let own: Vec<usize> = view
        .numeric
        .iter()
        .copied()
        .filter(|at| {
            view.field(*at) == Some(Field::Balance)
                || naming(view.header(*at))
                    .iter()
                    .any(|word| ARREARS.contains(&word.as_str()))
        })
        .collect();
    match own.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}
