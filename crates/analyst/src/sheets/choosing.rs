//! Which spaces of a rent roll a question is about: by its conditions, by whether they are let.
//!
//! Computes nothing.

use std::sync::Arc;

use crate::sheets::asked::Measure;
use crate::sheets::columns;
use crate::sheets::finding::Open;
use crate::sheets::meaning::states;
use crate::sheets::sources::Sheet;
use crate::sheets::words::Words;
use tables::headers::Field;
use tables::tenancy::{Space, State, Tenancy};

const LEFT_OUT: &[&str] = &[
    "excluding",
    "exclude",
    "excluded",
    "without",
    "ignoring",
    "ignore",
    "leaving out",
    "left out",
    "not",
    "disregard",
    "disregarding",
    "omit",
    "omitting",
];

/// The spaces that the question's conditions choose, the words taken.
pub(crate) fn spaces<'a>(
    sheet: &Sheet,
    tenancy: &'a Tenancy,
    words: &mut Words,
    measures: &[Measure],
) -> Result<Vec<&'a Space>, Open> {
    let table = &sheet.table;
    let state = if measures.contains(&Measure::GrossPotentialRent) {
        of_potential(words)?
    } else {
        states(words)
    };
    let skip = table.column(Field::Status);
    let conditions = columns::conditions(words, table, skip);
    let plain = measures.iter().all(|measure| {
        matches!(
            measure,
            Measure::LossToLease | Measure::LeaseTerm | Measure::Expirations
        )
    });
    if let Some(state) = state {
        let excluded = state == State::Vacant && words.says(LEFT_OUT);
        let harmless = (state == State::Occupied || excluded) && plain;
        if !harmless && !measures.contains(&Measure::Column) {
            if measures.contains(&Measure::GrossPotentialRent) {
                let chosen = tenancy.spaces.iter().filter(|space| space.state == state);
                return Ok(chosen.filter(|space| fits(sheet, &conditions, space)).collect());
            }
            return Err(Open::because(
                "Of which units do you ask: all of them, or only some?",
            ));
        }
    }
    Ok(tenancy
        .spaces
        .iter()
        .filter(|space| fits(sheet, &conditions, space))
        .collect())
}

fn fits(sheet: &Sheet, conditions: &[columns::Condition], space: &Space) -> bool {
    sheet.table.rows.get(space.row).is_some_and(|row| {
        conditions
            .iter()
            .all(|condition| condition.holds(&sheet.table, row))
    })
}

/// "Of the occupied units" chooses; "if every flat were let", "the vacant ones included" only say that all count.
fn of_potential(words: &mut Words) -> Result<Option<State>, Open> {
    // Rents in place are no choice of units, and no potential.
    if words.says(&["in place"]) && !words.says(&["market", "asking", "erv"]) {
        return Err(Open::because(
            "The potential rent is that at market. Do you want it, or the sum of the rents in place?",
        ));
    }
    let all = words.says(&[
        "included",
        "include",
        "including",
        "incl",
        "inclusive",
        "too",
        "also",
        "as well",
        "or not",
        "or empty",
        "or vacant",
        "or let",
        "or occupied",
        "or void",
        "and vacant",
        "and empty",
        "regardless",
        "irrespective",
    ]);
    let adjective = (0..words.all.len()).find_map(|at| {
        let state = match words.stem_at(at) {
            "occupied" | "let" | "leased" | "rented" | "tenanted" => State::Occupied,
            "vacant" | "empty" | "void" | "unlet" | "unoccupied" => State::Vacant,
            _ => return None,
        };
        let noun = matches!(
            words.stem_at(at + 1),
            "unit" | "flat" | "apartment" | "suite" | "space" | "one" | "home" | "house"
        );
        noun.then_some((at, state))
    });
    let only = words.says(&["only", "just", "solely", "alone"]) || words.says(LEFT_OUT);
    let placed = words.says(&["in place rent", "rent in place", "in place and", "and in place"])
        && !words.says(&[
            "occupied",
            "leased",
            "rented",
            "tenanted",
            "vacant",
            "empty",
            "available",
        ]);
    let said = states(words);
    words.take(&["void", "unlet"]);
    if all && !only {
        return Ok(None);
    }
    let supposed = words.says(&["if", "were", "every", "fully", "whether"]);
    if let Some((at, _)) = adjective {
        words.choose(at, 2);
    }
    Ok(match adjective.map(|(_, state)| state) {
        Some(state) if words.says(LEFT_OUT) => Some(match state {
            State::Vacant => State::Occupied,
            _ => State::Vacant,
        }),
        Some(state) => Some(state),
        None if supposed && !only => None,
        // What is said of the rents in place chooses no units.
        None if placed => None,
        None => said,
    })
}

/// "Down units count as vacant": then they are for rent too.
pub(crate) fn count_aside(words: &mut Words, tenancy: &mut Tenancy) {
    let aside = ["down", "model", "offline", "office", "admin", "employee"];
    let Some(at) = (0..words.all.len()).find(|at| aside.contains(&words.stem_at(*at))) else {
        return;
    };
    let kinds = (0..words.all.len())
        .filter(|at| aside.contains(&words.stem_at(*at)))
        .count();
    let vacant = words.says(&[
        "as vacant",
        "count as vacant",
        "counts as vacant",
        "counted as vacant",
        "treated as vacant",
        "vacant too",
        "considered vacant",
        "as empty",
        "as void",
        "as unoccupied",
        "in the denominator",
    ]);
    if !vacant || words.says(LEFT_OUT) {
        return;
    }
    // Which of those set aside are meant is only clear where all are of the kind that is named.
    let named = words.stem_at(at).to_owned();
    let of_kind = tenancy.aside.iter().all(|kind| kind.contains(&named));
    if kinds > 1 || !of_kind {
        return;
    }
    words.mark(at, 1);
    words.take(&[
        "count as vacant",
        "counts as vacant",
        "counted as vacant",
        "treated as vacant",
        "considered vacant",
        "as vacant",
        "as empty",
        "as void",
        "as unoccupied",
        "vacant too",
        "vacant",
        "in the denominator",
        "count",
        "counted",
        "treat",
        "treated",
        "treating",
        "counting",
        "if",
    ]);
    for space in Arc::make_mut(&mut tenancy.spaces) {
        if space.state == State::NonRevenue {
            space.state = State::Vacant;
        }
    }
}
