//! Small readings of words around what is named: which of two columns, which date, not or only, what rows are called.
//!
//! Computes nothing.

use crate::sheets::asked::Pace;
use crate::sheets::query::cues::Wish;
use crate::sheets::query::filters::Filter;
use crate::sheets::query::having;
use crate::sheets::query::likeness::related;
use crate::sheets::query::naming::naming;
use crate::sheets::query::part::{Group, Measure, Part};
use crate::sheets::query::view::View;
use crate::sheets::query::vocabulary;
use crate::sheets::words::{Kind as WordKind, Words, stem};
use crate::words::among::among;
use tables::headers::{self, Field};
use tables::kind::Kind;
use tables::tenancy::State;

/// Which of several columns of one name is meant: the one of the month or year that is spoken of.
pub(crate) fn chosen(view: &View<'_>, named: &[usize], pace: Option<Pace>) -> Option<usize> {
    if let [only] = named {
        // "Rent a year" of a table that has both.
        let other = match (view.field(*only), pace) {
            (Some(Field::Rent), Some(Pace::Annual)) => view.table.column(Field::AnnualRent),
            (Some(Field::AnnualRent), Some(Pace::Monthly)) => view.table.column(Field::Rent),
            _ => None,
        };
        return Some(other.unwrap_or(*only));
    }
    let of = |field: Field| named.iter().copied().find(|at| view.field(*at) == Some(field));
    match pace {
        Some(Pace::Annual) => of(Field::AnnualRent),
        Some(Pace::Monthly) => of(Field::Rent),
        _ => of(Field::Rent).filter(|_| {
            named
                .iter()
                .all(|at| matches!(view.field(*at), Some(Field::Rent | Field::AnnualRent)))
        }),
    }
    .or_else(|| of(Field::LoanBalance).filter(|_| named.iter().all(|at| view.is_numeric(*at))))
}

/// Whether a value narrows what is asked: "at Elm" does, "not at Elm" the other way, "including Elm" does not.
pub(crate) fn direction(words: &mut Words, at: usize, length: usize) -> Option<bool> {
    let mut back = 1;
    while back <= 3 {
        let Some(before) = at.checked_sub(back) else { break };
        match words.stem_at(before) {
            "excluding" | "exclude" | "except" | "without" | "not" | "ignoring" | "ignore" | "omitting"
            | "besides" | "non" | "excl" | "minus" | "but" => {
                words.mark(before, 1);
                return Some(true);
            }
            "out"
                if before
                    .checked_sub(1)
                    .is_some_and(|other| matches!(words.stem_at(other), "leaving" | "leave" | "left")) =>
            {
                words.mark(before - 1, 2);
                return Some(true);
            }
            "from"
                if before
                    .checked_sub(1)
                    .is_some_and(|other| words.stem_at(other) == "apart") =>
            {
                words.mark(before - 1, 2);
                return Some(true);
            }
            "than"
                if before
                    .checked_sub(1)
                    .is_some_and(|other| words.stem_at(other) == "other") =>
            {
                words.mark(before - 1, 2);
                return Some(true);
            }
            "including" | "incl" | "include" | "counting" => {
                words.mark(before, 1);
                return None;
            }
            "the" | "for" | "any" | "all" | "in" | "and" | "or" | "at" | "of" | "a" | "those" => back += 1,
            _ => break,
        }
    }
    let after = at + length;
    let noun = usize::from(vocabulary::row_noun(words.stem_at(after)));
    if matches!(
        words.stem_at(after + noun),
        "excluded" | "omitted" | "aside" | "ignored"
    ) {
        words.mark(after, noun + 1);
        return Some(true);
    }
    Some(false)
}

/// The one column of dates that a time can divide: the only one, or the one whose verb is said.
pub(crate) fn sole_date(view: &View<'_>, words: &Words) -> Option<usize> {
    match view.dated.as_slice() {
        [only] => Some(*only),
        _ => date_by_verb(&mut words.clone(), view),
    }
}

/// The column of dates that a verb speaks of, the verb taken.
pub(crate) fn date_by_verb(words: &mut Words, view: &View<'_>) -> Option<usize> {
    let verbs: &[(&[Field], &str)] = &[
        (
            &[Field::EndDate, Field::Maturity],
            "expiring, expire, expiration, expiry, ending, end, ends, rolling over, rolling, roll, rolls, terminate, \
             terminating, run out, running out, come due, coming due, up for renewal, leaving, run until, lapse, \
             lapsing, maturing, mature, maturitie, maturity, due, fall due, falling due, balloon",
        ),
        (
            &[Field::StartDate, Field::MoveIn],
            "starting, start, started, commence, commencing, begin, beginning, began, moved in, move in",
        ),
        (&[Field::MoveOut], "moved out, move out, moving out, left"),
        (
            &[Field::Date],
            "sold, closed, closing, sale, paid, posted, received, dated, happened, traded",
        ),
    ];
    let mut found = None;
    for (fields, phrases) in verbs {
        let Some(column) = view.first(fields) else {
            continue;
        };
        let mut own: Vec<&str> = phrases.split(", ").collect();
        own.sort_by_key(|phrase| std::cmp::Reverse(phrase.split(' ').count()));
        if words.take(&own) {
            found = found.or(Some(column));
        }
    }
    if found.is_some() {
        return found;
    }
    // The header's own word as a verb: "opened", "reported".
    for column in &view.dated {
        for part in naming(view.header(*column)) {
            let at = words.all.iter().position(|word| {
                !word.used && matches!(word.kind, WordKind::Plain) && related(&word.stem, &part).is_some()
            });
            if let Some(at) = at.filter(|_| part != "date") {
                words.mark(at, 1);
                return Some(*column);
            }
        }
    }
    None
}

/// Verbs of paying.
pub(crate) fn pays(words: &mut Words) -> bool {
    words.take(&[
        "pay", "pays", "paying", "paid", "sold", "sell", "trade", "traded", "fetched",
    ])
}

/// Takes what rows are called, and verbs that say nothing beyond the column they stand for; a count of tenants is one
/// of those who are there.
pub(crate) fn take(words: &mut Words, view: &View<'_>, part: &mut Part) {
    // "Behind" and "owing" of a tenant is not the rent.
    let behind = words.take(&[
        "owe",
        "owed",
        "owing",
        "late",
        "overdue",
        "past due",
        "behind",
        "outstanding",
    ]);
    if behind && part.measures.is_empty() && part.counts.is_none() {
        match having::arrears(view) {
            Some(column) => part.measures.push(Measure::Column(column)),
            None => part.left.push("which amount is owed".to_owned()),
        }
    }
    // Verbs for the usual column where none is named.
    let verb = words.take(&[
        "pay",
        "paying",
        "paid",
        "cost",
        "costs",
        "spent",
        "spend",
        "spending",
        "earn",
        "bring in",
        "brought in",
        "bill",
        "billed",
        "charge",
        "charged",
        "received",
        "receive",
        "worth",
        "collected",
        "collect",
        "income",
        "generated",
        "generate",
        "weigh",
        "money",
        "dollar",
        "amount to",
    ]);
    if verb && part.measures.is_empty() && part.counts.is_none() {
        match view
            .usual()
            .or_else(|| view.first(&[Field::Rent, Field::AnnualRent]))
        {
            Some(column) => part.measures.push(Measure::Column(column)),
            None => part.left.push("which amount".to_owned()),
        }
    }
    date_by_verb_if_dated(words, view, part);
    // "Rent (EUR)": what stands in the parenthesis of a header says nothing more.
    let asides: Vec<String> = (0..view.table.columns.len())
        .filter_map(|at| view.header(at).split_once(['(', '[']))
        .flat_map(|(_, inside)| headers::words(inside))
        .collect();
    for at in 0..words.all.len() {
        if words
            .all
            .get(at)
            .is_some_and(|word| !word.used && word.kind == WordKind::Plain && asides.contains(&word.text))
        {
            words.mark(at, 1);
        }
    }
    let titles: Vec<String> = view
        .table
        .titles
        .iter()
        .flat_map(|title| headers::words(title))
        .chain(headers::words(&view.sheet.name))
        .map(|word| stem(&word))
        .filter(|word| word.len() > 3)
        .collect();
    for at in 0..words.all.len() {
        let Some(word) = words
            .all
            .get(at)
            .filter(|word| !word.used && matches!(word.kind, WordKind::Plain))
        else {
            continue;
        };
        let noun = word.stem.clone();
        let before = at.checked_sub(1).map_or("", |at| words.stem_at(at)).to_owned();
        let divides = matches!(before.as_str(), "by" | "per" | "each" | "every" | "across");
        if divides && named_by(view, &noun) {
            words.mark(at - 1, 2);
            part.group = Some(Group::Rows);
            continue;
        }
        if divides {
            continue;
        }
        // "From these steps", "in this schedule": the table itself.
        let itself = matches!(before.as_str(), "thi" | "this" | "these" | "those" | "attached")
            && words
                .all
                .get(at + 1)
                .is_none_or(|next| next.begins || vocabulary::filler(&next.stem) || next.used);
        let of_title = titles.contains(&noun) || itself;
        if fits(view.sheet.kind, &noun) || of_title {
            words.mark(at, 1);
            let people = matches!(
                noun.as_str(),
                "tenant" | "lease" | "resident" | "occupant" | "household"
            );
            let stated = part
                .filters
                .iter()
                .any(|filter| matches!(filter, Filter::State { .. }));
            if people && view.sheet.kind == Kind::RentRoll && !stated && part.wishes.contains(&Wish::Count) {
                part.filters.push(Filter::State {
                    state: State::Occupied,
                    not: false,
                });
            }
        }
    }
}

/// Verbs of dates say nothing more once a time has been chosen, or an extreme of dates is asked for.
fn date_by_verb_if_dated(words: &mut Words, view: &View<'_>, part: &mut Part) {
    let timed = part
        .filters
        .iter()
        .any(|filter| matches!(filter, Filter::Dated { .. }));
    if timed {
        date_by_verb(words, view);
    } else if part.measures.is_empty()
        && (part.names || words.says(&["when"]))
        && (part
            .wishes
            .iter()
            .any(|wish| matches!(wish, Wish::Highest | Wish::Lowest))
            || words.says(&["first", "last", "next"]))
        && let Some(column) = date_by_verb(words, view)
    {
        if words.take(&["first", "next", "soonest"]) {
            part.wishes = vec![Wish::Lowest];
        } else if words.take(&["last"]) {
            part.wishes = vec![Wish::Highest];
        }
        part.measures.push(Measure::Column(column));
    }
}

/// Whether a noun is what this table has rows of by name.
fn named_by(view: &View<'_>, noun: &str) -> bool {
    let fields: &[Field] = match noun {
        "tenant" | "resident" | "lessee" | "customer" => &[Field::Tenant],
        "unit" | "suite" | "apartment" | "space" => &[Field::Unit],
        "loan" | "note" => &[Field::Loan],
        "sale" | "comp" | "comparable" => &[Field::Name],
        "line" | "row" | "item" | "account" | "entry" => return true,
        _ => return false,
    };
    view.first(fields).is_some()
}

/// What rows of a kind of table are called.
fn fits(kind: Kind, noun: &str) -> bool {
    let any = "row line entry entrie item record case";
    let own = match kind {
        Kind::RentRoll | Kind::Leases => {
            "unit suite apartment apt space home premise tenant lease resident occupant household"
        }
        Kind::Loans => "loan note mortgage facility debt financing borrower pool book",
        Kind::Comps => "sale comp comparable property building deal trade transaction asset",
        Kind::DatedFlows | Kind::Flows => "flow payment transaction order ticket job request invoice bill",
        Kind::Statement => "account expense",
        Kind::Other => "order ticket job request invoice bill transaction payment deal contract sale project",
    };
    among(any, noun) || among(own, noun)
}
