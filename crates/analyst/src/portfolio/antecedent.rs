//! An account that is named in a sentence before the question, and only pointed at in it: "Insurance is killing us. What
//! did Denver spend on it in 2025?" Pure.

use crate::portfolio::accounts;
use crate::portfolio::pieces::{Kind, Piece};
use crate::words::among::among;
use finance::portfolio::query::Account;

/// Money goes to what these point at.
const SPENDS: &str =
    "spend spent pay paid book booked budget budgeted cost put charge charged bill billed expense expensed";

/// Puts the account where the last sentence points at it. Only where one account is named, and none in that sentence.
pub(super) fn name(pieces: &mut Vec<Piece>, known: &[Account]) {
    let ends = |piece: &Piece| matches!(piece.kind, Kind::Mark('.' | '!' | ';'));
    let Some(start) = pieces.iter().rposition(ends).map(|at| at + 1) else {
        return;
    };
    let mut named: Option<(usize, usize, String)> = None;
    let mut at = 0;
    while at < pieces.len() {
        let Some((account, used)) = accounts::find(pieces, known, at) else {
            at += 1;
            continue;
        };
        let other = named.as_ref().is_some_and(|(.., before)| *before != account.name);
        if at >= start || other {
            return;
        }
        named.get_or_insert((at, used, account.name));
        at += used;
    }
    let Some((from, used, _)) = named else { return };
    let word = |at: usize| pieces.get(at).map_or("", Piece::word);
    let spends = (start..pieces.len()).any(|at| among(SPENDS, word(at)));
    let points = (start + 1..pieces.len()).find(|at| {
        matches!(word(*at), "it" | "that" | "them" | "those") && matches!(word(at - 1), "on" | "for" | "to")
    });
    if let (Some(points), true) = (points, spends) {
        let account: Vec<Piece> = pieces.iter().skip(from).take(used).cloned().collect();
        pieces.splice(points..=points, account);
    }
}
