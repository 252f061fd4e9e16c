//! Tenants by their names: a name that is no property's may be one of those.

use std::ops::Range;

use crate::contract::portfolio::Portfolio;
use crate::contract::portfolio::Result;
use crate::portfolio::accounts;
use crate::portfolio::pieces::{Kind, Piece};
use crate::portfolio::places::Names;
use crate::portfolio::reading::Reading;
use finance::portfolio::query::Account;
use tables::letters::name_key;

/// Words of a name that is looked for.
const LONGEST: usize = 5;

/// Takes a name that was not understood as a tenant's, where there is such a tenant.
pub(super) async fn name(
    question: &str,
    pieces: &[Piece],
    names: &Names<'_>,
    accounts: &[Account],
    reading: &mut Reading,
    view: &mut dyn Portfolio,
) -> Result<()> {
    let Some(first) = reading.unknown.first().copied() else {
        return Ok(());
    };
    // "Other than Sable Security": a tenant is not what is left then.
    if reading.except {
        return Ok(());
    }
    let is_name = |at: usize| {
        pieces.get(at).is_some_and(|piece| {
            matches!(piece.kind, Kind::Word(_)) && (piece.capital || reading.unknown.contains(&at))
        })
    };
    // "Oak & Iron Barbers".
    let is_name = |at: usize| {
        let joins = pieces.get(at).is_some_and(|piece| piece.is_mark('&'));
        is_name(at) || (joins && at > 0 && is_name(at - 1) && is_name(at + 1))
    };
    // The name may begin with words that are understood: "First Prairie".
    let mut from = first;
    while let Some(before) = from
        .checked_sub(1)
        .filter(|before| pieces.get(*before).is_some_and(|piece| piece.capital) && is_name(*before))
    {
        from = before;
    }
    let longest = (from..from + LONGEST).take_while(|at| is_name(*at)).count();
    for used in (1..=longest).rev() {
        let Some(((start, end), last)) = pieces
            .get(from)
            .zip(pieces.get(from + used - 1))
            .map(|(first, last)| ((first.start, last.end), from + used))
        else {
            continue;
        };
        let written = question.get(start..end).unwrap_or("");
        let plain = written
            .trim_end_matches("'s")
            .trim_end_matches("’s")
            .trim_end_matches(['\'', '’'])
            .to_lowercase();
        // A word of a property's name may mean the property.
        if plain.chars().count() < 4 || names.holds(&plain) {
            continue;
        }
        let mut found = view.tenants_named(&plain).await?;
        // A whole name is nobody else's beginning.
        if found.iter().any(|(_, name)| name_key(name) == plain) {
            found.retain(|(_, name)| name_key(name) == plain);
        } else {
            let next = plain.clone() + " ";
            found.retain(|(_, name)| name_key(name).starts_with(&next));
        }
        let Some((_, name)) = found.first().cloned() else {
            continue;
        };
        if found.iter().any(|(_, other)| *other != name) {
            let mut names: Vec<String> = found.into_iter().map(|(_, name)| name).collect();
            names.dedup();
            reading.several = Some(names);
            return Ok(());
        }
        reading.only.tenants.extend(found.into_iter().map(|(id, _)| id));
        reading.only_words.push(name);
        reading.unknown.retain(|at| !(from..last).contains(at));
        only_named(pieces, accounts, from..last, reading);
        if reading.unknown.is_empty()
            || reading
                .stranger
                .as_deref()
                .is_some_and(|stranger| stranger.contains(written))
        {
            reading.stranger = None;
        }
        return Ok(());
    }
    Ok(())
}

/// "Castellan Insurance", "Summit Cold Storage": what the words of a name mean elsewhere is not asked for.
fn only_named(pieces: &[Piece], accounts: &[Account], name: Range<usize>, reading: &mut Reading) {
    let inside = |at: usize, used: usize| name.contains(&at) && at + used <= name.end;
    let found = |at: usize| accounts::find(pieces, accounts, at).map(|(account, used)| (account.code, used));
    let all: Vec<(usize, (String, usize))> = (0..pieces.len())
        .filter_map(|at| Some((at, found(at)?)))
        .collect();
    reading.accounts.retain(|account| {
        let mut own = all
            .iter()
            .filter(|(_, (code, _))| *code == account.code)
            .peekable();
        own.peek().is_none() || own.any(|(at, (_, used))| !inside(*at, *used))
    });
}
