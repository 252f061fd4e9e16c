//! Questions whose inputs are lists: leases, index readings, dated flows, grids, sales, unit mixes, tables of
//! premiums. Tries each kind in turn.

use crate::contract::brief::Brief;
use crate::contract::draft::Draft;
use crate::forms::words::Words;
use crate::lists::{
    arrears, bands, capitalized, covering, dated, deadlines, expiries, grid, groups, indexed, mix,
    multiplier, netted, partnership, premiums, sales, steps, successive, terms, twofold,
};
use crate::say::compose;
use crate::say::written;
use crate::words::scan::Token;

/// The answer, if the question holds a list of a known kind.
pub(crate) fn answer(brief: &Brief, tokens: &[Token]) -> Option<Draft> {
    let words = Words {
        text: &brief.question,
        tokens,
    };
    let found = terms::read(&words, brief.today)
        .or_else(|| deadlines::read(&words))
        .or_else(|| expiries::read(&words))
        .or_else(|| twofold::read(&words))
        .or_else(|| multiplier::read(&words))
        .or_else(|| netted::read(&words))
        .or_else(|| arrears::read(&words))
        .or_else(|| covering::read(&words))
        .or_else(|| capitalized::read(&words))
        .or_else(|| successive::read(&words))
        .or_else(|| indexed::read(&words))
        .or_else(|| premiums::read(&words))
        .or_else(|| dated::read(&words))
        .or_else(|| grid::read(&words))
        .or_else(|| sales::read(&words))
        .or_else(|| mix::read(&words))
        .or_else(|| bands::read(&words))
        .or_else(|| groups::read(&words))
        .or_else(|| steps::read(&words))?;
    Some(match found {
        Ok(found) => written::draft(&found, brief.tone),
        Err(ask) => compose::ask(&ask, &[], &[]),
    })
}

/// A distribution waterfall that no form could read whole.
pub(crate) fn waterfall(brief: &Brief, tokens: &[Token]) -> Option<Draft> {
    let words = Words {
        text: &brief.question,
        tokens,
    };
    Some(match partnership::read(&words)? {
        Ok(found) => written::draft(&found, brief.tone),
        Err(ask) => compose::ask(&ask, &[], &[]),
    })
}
